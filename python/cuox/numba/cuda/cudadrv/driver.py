"""The driver: contexts, memory, streams, and CUDA's functions by their names."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from cuox.cuda.bindings import driver as binding

from .. import _devices
from .._devices import (
    Context as Context,
)
from .._devices import (
    CudaAPIError as CudaAPIError,
)
from .._devices import (
    CudaDriverError as CudaDriverError,
)
from .._devices import (
    CudaSupportError as CudaSupportError,
)
from .._devices import (
    Device as Device,
)
from .._devices import (
    MemoryInfo as MemoryInfo,
)
from .._devices import (
    checked,
)
from .._linking import LinkerError as LinkerError
from .._memory import ManagedNDArray as ManagedMemory
from .._memory import MappedNDArray as MappedMemory
from .._memory import PinnedNDArray as PinnedMemory
from .._pointers import (
    AutoFreePointer as AutoFreePointer,
)
from .._pointers import (
    BaseCUDAMemoryManager as BaseCUDAMemoryManager,
)
from .._pointers import (
    DefaultMemoryManager,
)
from .._pointers import (
    GetIpcHandleMixin as GetIpcHandleMixin,
)
from .._pointers import (
    HostOnlyCUDAMemoryManager as HostOnlyCUDAMemoryManager,
)
from .._pointers import (
    IpcHandle as IpcHandle,
)
from .._pointers import (
    MemoryPointer as MemoryPointer,
)
from .._pointers import (
    OwnedPointer as OwnedPointer,
)
from .._pointers import (
    set_memory_manager as set_memory_manager,
)
from .._streams import Event as Event
from .._streams import Stream as Stream
from .._streams import native

NumbaCUDAMemoryManager = DefaultMemoryManager


class ActiveContext(NamedTuple):
    """The context that is current in this thread; None without one."""

    context_handle: int | None
    devnum: int | None


class Driver:
    """CUDA's functions: `driver.cuStreamCreate(0)` returns what the function gives, and raises CudaAPIError."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if not name.startswith("cu") or not hasattr(binding, name):
            raise AttributeError(f"the driver has no function {name!r}")

        def call(*args: Any) -> Any:
            return checked(name, *args)

        call.__name__ = name
        setattr(self, name, call)
        return call

    def get_device(self, devnum: int = 0) -> Device:
        """A device."""
        return Device(devnum)

    def get_device_count(self) -> int:
        """The number of devices."""
        return len(_devices.gpus)

    def get_version(self) -> tuple[int, int]:
        """The version of CUDA that the driver has."""
        return _devices.runtime.get_version()

    @contextlib.contextmanager
    def get_active_context(self) -> Iterator[ActiveContext]:
        """A `with` block with this thread's context."""
        handle = int(checked("cuCtxGetCurrent"))
        yield ActiveContext(handle, int(checked("cuCtxGetDevice"))) if handle else ActiveContext(None, None)

    def pop_active_context(self) -> int | None:
        """Take this thread's context from its stack. Returns its handle; None if there is none."""
        return int(checked("cuCtxPopCurrent")) if int(checked("cuCtxGetCurrent")) else None

    @property
    def is_available(self) -> bool:
        """True if there is a device."""
        return _devices.is_available()


driver = Driver()


def is_device_memory(obj: Any) -> bool:
    """True for memory and arrays of this package on a device."""
    return bool(getattr(obj, "__cuda_memory__", False))


def require_device_memory(obj: Any) -> None:
    """Raise an error for what is no memory on a device."""
    if not is_device_memory(obj):
        raise TypeError(f"expected memory on a device, got {type(obj).__name__}")


def device_pointer(obj: Any) -> int:
    """The address of memory on a device; an int is an address."""
    return obj if isinstance(obj, int) else device_ctypes_pointer(obj).value or 0


def device_ctypes_pointer(obj: Any) -> Any:
    """The address of memory on a device, as an object of ctypes."""
    if obj is None:
        return ctypes.c_void_p(0)
    require_device_memory(obj)
    return obj.device_ctypes_pointer


def device_memory_size(obj: Any) -> int:
    """The bytes of memory on a device."""
    require_device_memory(obj)
    size = getattr(obj, "nbytes", None)
    return int(obj.size if size is None else size)


def device_extents(obj: Any) -> tuple[int, int]:
    """The address of memory on a device, and that of its end."""
    begin = device_pointer(obj)
    return begin, begin + device_memory_size(obj)


def host_memory_extents(obj: Any) -> tuple[int, int]:
    """The address of an object with the buffer protocol, and that of its end."""
    import numpy as np

    if isinstance(obj, np.ndarray):
        begin, end = np.lib.array_utils.byte_bounds(obj) if hasattr(np.lib, "array_utils") else np.byte_bounds(obj)  # type: ignore[attr-defined]
        return int(begin), int(end)
    if isinstance(obj, (ctypes.Structure, ctypes.Union, ctypes.Array, ctypes._SimpleCData)):
        return ctypes.addressof(obj), ctypes.addressof(obj) + ctypes.sizeof(obj)
    view = np.frombuffer(obj, np.uint8)
    return view.ctypes.data, view.ctypes.data + view.nbytes


def host_memory_size(obj: Any) -> int:
    """The bytes of an object with the buffer protocol."""
    begin, end = host_memory_extents(obj)
    return end - begin


def host_pointer(obj: Any, readonly: bool = False) -> int:
    """The address of an object with the buffer protocol; an int is an address."""
    return obj if isinstance(obj, int) else host_memory_extents(obj)[0]


def _copy(function: str, *args: Any, stream: Any) -> None:
    _devices.require_current()
    if stream:
        handle = getattr(native(stream), "handle", None)
        checked(f"{function}Async", *args, int(handle if handle is not None else stream.__cuda_stream__()[1]))
    else:
        checked(function, *args)


def host_to_device(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copy bytes from the host to a device. Driver API manual, `cuMemcpyHtoD`."""
    _copy("cuMemcpyHtoD", device_pointer(dst), host_pointer(src), size, stream=stream)


def device_to_host(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copy bytes from a device to the host. Driver API manual, `cuMemcpyDtoH`."""
    _copy("cuMemcpyDtoH", host_pointer(dst), device_pointer(src), size, stream=stream)


def device_to_device(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copy bytes on a device. Driver API manual, `cuMemcpyDtoD`."""
    _copy("cuMemcpyDtoD", device_pointer(dst), device_pointer(src), size, stream=stream)


def device_memset(dst: Any, val: int, size: int, stream: Any = 0) -> None:
    """Set bytes on a device. Driver API manual, `cuMemsetD8`."""
    _copy("cuMemsetD8", device_pointer(dst), val, size, stream=stream)


def profile_start() -> None:
    """Profilers record from here on."""
    _devices.profile_start()


def profile_stop() -> None:
    """Profilers record up to here."""
    _devices.profile_stop()


def get_version() -> tuple[int, int]:
    """The version of CUDA that the driver has."""
    return driver.get_version()


def _have_nvjitlink() -> bool:
    """Kernels are compiled as a whole by NVRTC; linking with LTO goes through it, too."""
    return False


__all__ = [
    "ActiveContext", "AutoFreePointer", "BaseCUDAMemoryManager", "Context", "CudaAPIError", "CudaDriverError", "CudaSupportError", "Device", "Driver", "Event", "GetIpcHandleMixin",
    "HostOnlyCUDAMemoryManager", "IpcHandle", "ManagedMemory", "MappedMemory", "MemoryInfo", "MemoryPointer", "NumbaCUDAMemoryManager", "OwnedPointer", "PinnedMemory",
    "Stream", "binding", "device_ctypes_pointer", "device_extents", "device_memory_size", "device_memset", "device_pointer", "device_to_device", "device_to_host", "driver",
    "get_version", "host_memory_extents", "host_memory_size", "host_pointer", "host_to_device", "is_device_memory", "profile_start", "profile_stop", "require_device_memory",
    "set_memory_manager",
]  # fmt: skip
