"""NVML is initialised once in a process, and again after a fork."""

from __future__ import annotations

import os
import threading
from enum import IntEnum

from cuox.cuda.bindings import nvml

from . import exceptions


class _State(IntEnum):
    UNINITIALIZED = 0
    INITIALIZED = 1
    DISABLED_LIBRARY_NOT_FOUND = 2


_lock = threading.Lock()
_state = _State.UNINITIALIZED
_process = 0


def _get_nvml_state() -> int:
    return _state


def _is_decided() -> bool:
    return is_initialized() or _state == _State.DISABLED_LIBRARY_NOT_FOUND


def initialize() -> None:
    """Initialise NVML, if this process has not yet. Where there is no library, the functions say so."""
    global _state, _process
    if _is_decided():
        return
    with _lock:
        if _is_decided():
            return
        try:
            nvml.init_v2()
        except (exceptions.LibraryNotFoundError, exceptions.DriverNotLoadedError, exceptions.UnknownError):
            _state = _State.DISABLED_LIBRARY_NOT_FOUND
            return
        _process, _state = os.getpid(), _State.INITIALIZED


def is_initialized() -> bool:
    """Tell whether this process has initialised NVML."""
    return _state == _State.INITIALIZED and _process == os.getpid()


def validate() -> None:
    """Raise LibraryNotFoundError, UninitializedError or GpuNotFoundError if NVML cannot be asked about a device."""
    if _state == _State.DISABLED_LIBRARY_NOT_FOUND:
        raise exceptions.LibraryNotFoundError(nvml.Return.ERROR_LIBRARY_NOT_FOUND)
    if not is_initialized():
        raise exceptions.UninitializedError(nvml.Return.ERROR_UNINITIALIZED)
    if nvml.device_get_count_v2() == 0:
        raise exceptions.GpuNotFoundError(nvml.Return.ERROR_GPU_NOT_FOUND)
