"""Contexts, and the stack of them that each thread has."""

from __future__ import annotations

import threading
from typing import Any

import cuox

from . import errors
from .bindings import driver as _bindings
from .enums import func_cache, shared_config
from .errors import LogicError, call

__all__ = ["Context"]


class _Stack(threading.local):
    """The contexts that this thread has pushed."""

    def __init__(self) -> None:
        self.pushed: list[int] = []


_stack = _Stack()
_lock = threading.Lock()
# The number of times that each context is on a stack of some thread, in the order in which they were first pushed.
_pushed: dict[int, int] = {}


def _note_push(handle: int) -> None:
    _stack.pushed.append(handle)
    with _lock:
        _pushed[handle] = _pushed.get(handle, 0) + 1


def _note_pop(handle: int) -> None:
    if handle in _stack.pushed:
        last = len(_stack.pushed) - 1 - _stack.pushed[::-1].index(handle)
        del _stack.pushed[last]
        with _lock:
            _pushed[handle] -= 1
            if not _pushed[handle]:
                del _pushed[handle]


def _adopt() -> bool:
    """Makes the process's context current in a thread that has none."""
    with _lock:
        handle = next(reversed(_pushed), None)
    if handle is None or _now():
        return False
    return int(_bindings.cuCtxSetCurrent(handle)[0]) == 0


errors.on_missing_context(_adopt)


def _now() -> int:
    """Returns this thread's context; 0 if it has none."""
    status, handle = _bindings.cuCtxGetCurrent()
    if int(status):
        errors.raise_code(int(status), "cuCtxGetCurrent")
    return int(handle) if handle is not None else 0


def current_handle() -> int:
    """Return the current context's handle; 0 if there is none and the process has none either."""
    handle = _now()
    return handle if handle or not _adopt() else _now()


def current_device() -> cuox.Device:
    """Return the device of the current context. Raises LogicError if there is none."""
    if not current_handle():
        errors.raise_code(errors.INVALID_CONTEXT, "cuCtxGetDevice")
    return cuox.Device(int(call("cuCtxGetDevice")))


class Context:
    """A context of a device: its primary one, which cuox's own objects and other libraries use too.

    `Device.make_context` and `Device.retain_primary_context` make contexts; the static methods are about the current
    one. Driver API manual, *Context Management*.
    """

    _handle: int
    _ordinal: int
    _attached: bool

    def __init__(self) -> None:
        raise TypeError("Context: contexts are made by Device.make_context() and Device.retain_primary_context()")

    @classmethod
    def _of(cls, handle: int, ordinal: int) -> Context:
        made = object.__new__(cls)
        made._handle, made._ordinal, made._attached = handle, ordinal, True
        return made

    @property
    def handle(self) -> int:
        """The `CUcontext`, as an int."""
        return self._handle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Context) and other._handle == self._handle

    def __hash__(self) -> int:
        return hash(self._handle)

    def __repr__(self) -> str:
        return f"<Context {self._handle:#x} of device {self._ordinal}>"

    def _use(self, method: str) -> None:
        if not self._attached:
            raise LogicError(f"Context.{method}: the context was detached: make another one with Device.make_context()")

    def push(self) -> None:
        """Make the context current in this thread, on top of its stack. Driver API manual, `cuCtxPushCurrent`."""
        self._use("push")
        call("cuCtxPushCurrent", self._handle)
        _note_push(self._handle)

    @staticmethod
    def pop() -> None:
        """Take the current context off this thread's stack. Driver API manual, `cuCtxPopCurrent`.

        Raises LogicError if the stack is empty.
        """
        status, handle = _bindings.cuCtxPopCurrent()
        if int(status):
            errors.raise_code(
                int(status), "cuCtxPopCurrent", "this thread's stack of contexts is empty: there is nothing to pop"
            )
        _note_pop(int(handle) if handle is not None else 0)

    def detach(self) -> None:
        """Give the context up, and take it off this thread's stack if it is current.

        Memory, modules and streams that were made in it stay usable as long as they are referred to.
        """
        self._use("detach")
        self._attached = False
        if current_handle() == self._handle and self._handle in _stack.pushed:
            Context.pop()
        _bindings.cuDevicePrimaryCtxRelease(self._ordinal)

    @staticmethod
    def attach(flags: int = 0) -> Context:
        """Return the current context. Raises LogicError if there is none, or for other flags than 0."""
        if flags:
            raise LogicError(f"Context.attach: flags must be 0, got {flags}")
        context = Context.get_current()
        if context is None:
            errors.raise_code(errors.INVALID_CONTEXT, "cuCtxGetCurrent")
        return context

    @staticmethod
    def get_current() -> Context | None:
        """Return the current context, or None. Driver API manual, `cuCtxGetCurrent`."""
        handle = current_handle()
        return Context._of(handle, int(call("cuCtxGetDevice"))) if handle else None

    @staticmethod
    def get_device() -> Any:
        """Return the device of the current context. Driver API manual, `cuCtxGetDevice`."""
        from .device import Device

        return Device(current_device().device_id)

    @staticmethod
    def synchronize() -> None:
        """Wait until all work of the current context is done; Ctrl-C ends the wait.

        Raises LaunchError or LogicError for a kernel that failed, and names it. Driver API manual, `cuCtxSynchronize`.
        """
        try:
            current_device().sync()
        except cuox.CUDAError as error:
            errors.raise_translated(error)

    @staticmethod
    def set_limit(limit: int, value: int) -> None:
        """Set a limit of the current context. Driver API manual, `cuCtxSetLimit`."""
        call("cuCtxSetLimit", _bindings.CUlimit(int(limit)), value)

    @staticmethod
    def get_limit(limit: int) -> int:
        """Return a limit of the current context. Driver API manual, `cuCtxGetLimit`."""
        return int(call("cuCtxGetLimit", _bindings.CUlimit(int(limit))))

    @staticmethod
    def get_cache_config() -> func_cache:
        """Return the preferred use of the L1 cache. Driver API manual, `cuCtxGetCacheConfig`."""
        return func_cache(int(call("cuCtxGetCacheConfig")))

    @staticmethod
    def set_cache_config(config: int) -> None:
        """Set the preferred use of the L1 cache. Driver API manual, `cuCtxSetCacheConfig`."""
        call("cuCtxSetCacheConfig", _bindings.CUfunc_cache(int(config)))

    @staticmethod
    def get_shared_config() -> shared_config:
        """Return the width of shared memory's banks. Driver API manual, `cuCtxGetSharedMemConfig`."""
        return shared_config(int(call("cuCtxGetSharedMemConfig")))

    @staticmethod
    def set_shared_config(config: int) -> None:
        """Set the width of shared memory's banks; today's devices have one width. Driver API manual,
        `cuCtxSetSharedMemConfig`.
        """
        call("cuCtxSetSharedMemConfig", _bindings.CUsharedconfig(int(config)))

    def get_api_version(self) -> int:
        """Return the version of the driver API that the context was made for. Driver API manual,
        `cuCtxGetApiVersion`."""
        return int(call("cuCtxGetApiVersion", self._handle))

    @staticmethod
    def enable_peer_access(peer: Context, flags: int = 0) -> None:
        """Let kernels of the current context use the memory of another device's. Driver API manual,
        `cuCtxEnablePeerAccess`.
        """
        call("cuCtxEnablePeerAccess", peer.handle, flags)

    @staticmethod
    def disable_peer_access(peer: Context) -> None:
        """Take back `enable_peer_access`. Driver API manual, `cuCtxDisablePeerAccess`."""
        call("cuCtxDisablePeerAccess", peer.handle)
