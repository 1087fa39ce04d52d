"""Streams and events, with Numba's methods."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import cuox

from . import _raised


class Stream:
    """A queue of work on a device: `cuda.stream()` makes one."""

    def __init__(self, stream: cuox.Stream | None, *, external: bool = False) -> None:
        # None: the default stream, whose handle is 0, and which is the legacy one here.
        self._is_default = stream is None
        self._stream = stream if stream is not None else cuox.LEGACY_DEFAULT_STREAM
        self.external = external

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, 0) if self._is_default else self._stream.__cuda_stream__()

    @property
    def handle(self) -> Any:
        """The `CUstream`, with its address as `value`."""
        return _Handle(int(self))

    def __int__(self) -> int:
        return 0 if self._is_default else int(self._stream.handle)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        names = {0: "Default CUDA stream", 1: "Legacy default CUDA stream", 2: "Per-thread default CUDA stream"}
        name = names.get(int(self))
        if name is not None:
            return f"<{name}>"
        return f"<{'External ' if self.external else ''}CUDA stream {int(self)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and int(self) == int(other)

    def __hash__(self) -> int:
        return hash(int(self))

    def synchronize(self) -> None:
        """Wait for all work in the stream; raises what its kernels have raised."""
        self._stream.sync()
        _raised.check()

    @contextlib.contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """A `with` block that waits for the stream at its end."""
        yield self
        self.synchronize()

    def add_callback(self, callback: Callable[[Stream, int, Any], object], arg: Any = None) -> None:
        """Call `callback(stream, status, arg)` once the work before is done, on another thread. It may not use CUDA."""
        self._stream.add_callback(lambda: callback(self, 0, arg))

    def async_done(self) -> Any:
        """Return a future of `asyncio` that is done once the work before is. Its result is this stream."""
        import asyncio

        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def done() -> None:
            if not future.done():
                future.set_result(self)

        self._stream.add_callback(lambda: loop.call_soon_threadsafe(done))
        return future


class _Handle(int):
    """An address that also has it as `value`."""

    @property
    def value(self) -> int | None:
        return int(self) or None


def native(stream: Any) -> Any:
    """A stream argument as cuox takes it: None for 0 and the default stream."""
    if isinstance(stream, Stream):
        return stream._stream
    if stream is None or (isinstance(stream, int) and stream == 0):
        return None
    return stream


def _stream_of(stream: Any) -> cuox.Stream:
    """A stream argument as a stream of cuox."""
    found = native(stream)
    if found is None:
        return cuox.LEGACY_DEFAULT_STREAM
    if isinstance(found, cuox.Stream):
        return found
    return cuox.Stream.from_handle(found if isinstance(found, int) else int(found.__cuda_stream__()[1]))


def stream() -> Stream:
    """Make a stream on the current device. Its work and that of the legacy default stream wait for each other."""
    return Stream(cuox.Device().create_stream(options=cuox.StreamOptions(nonblocking=False)))


def default_stream() -> Stream:
    """The default stream."""
    return Stream(None)


def legacy_default_stream() -> Stream:
    """The legacy default stream. CUDA runtime manual, *Stream synchronization behavior*."""
    return Stream(cuox.LEGACY_DEFAULT_STREAM)


def per_thread_default_stream() -> Stream:
    """The default stream of the calling thread."""
    return Stream(cuox.PER_THREAD_DEFAULT_STREAM)


def external_stream(ptr: int) -> Stream:
    """The stream of another library by its `CUstream`, an int. It must live as long as the object is used."""
    return Stream(cuox.Stream.from_handle(ptr), external=True)


class Event:
    """A point in a stream: `cuda.event()` makes one."""

    def __init__(self, timing: bool = True) -> None:
        self._event = cuox.Device().create_event(cuox.EventOptions(timing_enabled=timing))

    @property
    def handle(self) -> Any:
        """The `CUevent`, with its address as `value`."""
        return _Handle(int(self._event.handle))

    def query(self) -> bool:
        """True if the work before the event is done."""
        return self._event.is_done

    def record(self, stream: Any = 0) -> None:
        """Put the event into a stream; the default stream if it is left out."""
        self._event.record(_stream_of(stream))

    def synchronize(self) -> None:
        """Wait for the work before the event; raises what kernels have raised."""
        self._event.sync()
        _raised.check()

    def wait(self, stream: Any = 0) -> None:
        """Let a stream wait for the event."""
        _stream_of(stream).wait(self._event)

    def elapsed_time(self, evtend: Event) -> float:
        """Milliseconds from this event to another one."""
        return evtend._event - self._event


def event(timing: bool = True) -> Event:
    """Make an event on the current device. timing: it can be measured with."""
    return Event(timing)


def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Milliseconds from one event to another one."""
    return evtstart.elapsed_time(evtend)


def synchronize() -> None:
    """Wait for all work of the current device; raises what its kernels have raised."""
    _raised.synchronize()
