"""Streams and events."""

from __future__ import annotations

from typing import Any, NoReturn

import cuox
from cuox import _native
from cuox._internal.handles import CUevent

from . import errors
from .bindings import driver as _bindings
from .context import current_device
from .enums import event_flags
from .errors import LogicError, call

__all__ = ["Event", "Stream"]

_NOT_READY = 600


def handle_of(stream: Any) -> int:
    """Return the `CUstream` of a stream argument; 0 for None, the default stream."""
    if stream is None:
        return 0
    if isinstance(stream, cuox.Stream):
        return stream.__cuda_stream__()[1]
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        return int(protocol()[1])
    raise TypeError(f"stream: expected a Stream, an object with __cuda_stream__ or None, got {type(stream).__name__}")


class Stream(_native._PyCudaStream):
    """A queue of work on the current device. It is a `cuox.Stream` too.

    flags: 0, or 1 for a stream that does not wait for the default stream.

    Driver API manual, `cuStreamCreate`.
    """

    def __new__(cls, flags: int = 0) -> Stream:
        current_device()
        try:
            return super().__new__(cls, int(flags))
        except cuox.CUDAError as error:
            errors.raise_translated(error)

    def synchronize(self) -> None:
        """Wait until all work in the stream is done; Ctrl-C ends the wait. Driver API manual, `cuStreamSynchronize`."""
        try:
            self.sync()
        except cuox.CUDAError as error:
            errors.raise_translated(error)

    def is_done(self) -> bool:  # type: ignore[override]
        """Return whether all work in the stream is done. Driver API manual, `cuStreamQuery`."""
        status = int(_bindings.cuStreamQuery(self.handle)[0])
        if status not in (0, _NOT_READY):
            errors.raise_code(status, "cuStreamQuery")
        return status == 0

    def wait_for_event(self, event: Event) -> None:
        """Let later work in this stream wait until an event is reached. Driver API manual, `cuStreamWaitEvent`."""
        call("cuStreamWaitEvent", self.handle, event.handle, 0)


class Event(_native._PyCudaEvent):
    """A mark in a stream that can be waited for and timed. It is a `cuox.Event` too.

    flags: members of `event_flags`.

    Driver API manual, `cuEventCreate`.
    """

    def __new__(cls, flags: int = 0) -> Event:
        flags = int(flags)
        if flags & ~7:
            raise LogicError(f"Event: flags: expected members of event_flags, got {flags}")
        if flags & event_flags.INTERPROCESS:
            return _InterprocessEvent._create(flags)
        current_device()
        try:
            return super().__new__(cls, not flags & event_flags.DISABLE_TIMING, bool(flags & event_flags.BLOCKING_SYNC))
        except cuox.CUDAError as error:
            errors.raise_translated(error)

    def record(self, stream: Any = None) -> Event:  # type: ignore[override]
        """Record the event behind the work that is in a stream now, the default stream if None. Driver API manual,
        `cuEventRecord`.

        Returns the event itself.
        """
        try:
            super().record(stream)
        except cuox.CUDAError as error:
            errors.raise_translated(error)
        return self

    def synchronize(self) -> Event:  # type: ignore[override]
        """Wait until the event is reached; Ctrl-C ends the wait. Driver API manual, `cuEventSynchronize`.

        Returns the event itself.
        """
        try:
            self.sync()
        except cuox.CUDAError as error:
            errors.raise_translated(error)
        return self

    def query(self) -> bool:
        """Return whether the event is reached. Driver API manual, `cuEventQuery`."""
        status = int(_bindings.cuEventQuery(self.handle)[0])
        if status not in (0, _NOT_READY):
            errors.raise_code(status, "cuEventQuery")
        return status == 0

    def time_since(self, event: Event) -> float:
        """Return the milliseconds from another event to this one. Driver API manual, `cuEventElapsedTime`."""
        return _elapsed(event, self)

    def time_till(self, event: Event) -> float:
        """Return the milliseconds from this event to another one. Driver API manual, `cuEventElapsedTime`."""
        return _elapsed(self, event)

    def ipc_handle(self) -> bytes:
        """Return bytes by which another process opens this event. Driver API manual, `cuIpcGetEventHandle`.

        Raises LogicError for events without `event_flags.INTERPROCESS` and `event_flags.DISABLE_TIMING`.
        """
        return bytes(bytearray(call("cuIpcGetEventHandle", self.handle).reserved))

    @staticmethod
    def from_ipc_handle(handle: Any) -> Event:
        """Open an event of another process by the bytes that its `ipc_handle` returned. Driver API manual,
        `cuIpcOpenEventHandle`.
        """
        raw = bytes(handle)
        if len(raw) != 64:
            raise LogicError(f"Event.from_ipc_handle: handle: expected the 64 bytes of ipc_handle(), got {len(raw)}")
        made = _bindings.CUipcEventHandle()
        made.reserved = raw
        return _InterprocessEvent._of(int(call("cuIpcOpenEventHandle", made)))


def _elapsed(start: Event, end: Event) -> float:
    for event in (start, end):
        if not isinstance(event, Event):
            raise TypeError(f"expected an Event, got {type(event).__name__}")
    status, time = _bindings.cuEventElapsedTime(start.handle, end.handle)
    if int(status):
        details = {
            400: "both events must have been recorded, and keep time",
            _NOT_READY: "wait for the later event first: event.synchronize()",
        }
        errors.raise_code(int(status), "cuEventElapsedTime", details.get(int(status), ""))
    assert time is not None
    return float(time)


class _InterprocessEvent(Event):
    """An event that processes share: the driver's own, which no object of cuox's stands for."""

    _foreign: int = 0

    @classmethod
    def _of(cls, handle: int) -> _InterprocessEvent:
        made: _InterprocessEvent = _native._PyCudaEvent.__new__(cls, False, False)
        made._foreign = handle
        return made

    @classmethod
    def _create(cls, flags: int) -> _InterprocessEvent:
        return cls._of(int(call("cuEventCreate", flags)))

    def __del__(self) -> None:
        if self._foreign:
            errors.release("cuEventDestroy", self._foreign)

    @property
    def handle(self) -> CUevent:
        """The `CUevent`, as an int."""
        return CUevent(self._foreign)

    def record(self, stream: Any = None) -> Event:  # type: ignore[override]
        """Record the event behind the work that is in a stream now."""
        call("cuEventRecord", self._foreign, handle_of(stream))
        return self

    def sync(self) -> None:
        """Wait until the event is reached."""
        call("cuEventSynchronize", self._foreign)

    def __sub__(self, other: Any) -> NoReturn:
        raise LogicError("events that processes share keep no time")
