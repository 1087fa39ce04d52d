"""Memory by its address, and memory managers."""

from __future__ import annotations

import abc
import contextlib
import ctypes
import importlib
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import cuox

from . import _devices
from .core import config

if TYPE_CHECKING:
    from ._devices import Context, MemoryInfo

INTERFACE_VERSION = 1


class _Address(ctypes.c_size_t):
    """An address, as `int(address)` and as `address.value`."""

    def __int__(self) -> int:
        return int(self.value)

    __index__ = __int__


class MemoryPointer:
    """Memory on a device by its address.

    finalizer: called once when the object is gone, or by `free`. owner: memory that this is a part of, which is kept as
    long as the part.
    """

    __cuda_memory__ = True

    def __init__(
        self, context: Any, pointer: Any, size: int, owner: Any = None, finalizer: Callable[[], object] | None = None
    ) -> None:
        self.context = context
        self.device_ctypes_pointer = _Address(_number(pointer))
        self.size = size
        self._owner = owner
        self.is_managed = finalizer is not None
        self.refct = 1
        self._counted = True
        self._finalizer = None if finalizer is None else weakref.finalize(self, finalizer)

    @property
    def device_pointer(self) -> int:
        """The address."""
        return int(self.device_ctypes_pointer)

    device_pointer_value = device_pointer

    @property
    def handle(self) -> _Address:
        """The address, in Numba's name for it."""
        return self.device_ctypes_pointer

    @property
    def owner(self) -> Any:
        """The memory that this is a part of; itself if it is none."""
        return self if self._owner is None else self._owner

    def own(self) -> OwnedPointer:
        """Another object of the same memory, which is counted in `refct`."""
        return OwnedPointer(self)

    def free(self) -> None:
        """Give the memory back now."""
        if self._finalizer is not None:
            self._finalizer()

    def view(self, start: int, stop: int | None = None) -> OwnedPointer:
        """The part from byte `start` to byte `stop`, or to the end."""
        stop = self.size if stop is None else stop
        if not 0 <= start <= stop or (self.size is not None and stop > self.size):
            raise RuntimeError(f"view(): bytes {start} to {stop} are outside of the memory, which has {self.size}")
        part = MemoryPointer(self.context, self.device_pointer + start, stop - start, owner=self.owner)
        return OwnedPointer(self.owner, part)

    def _gone(self) -> None:
        """A counted object of the memory is gone."""
        self.refct -= 1


class AutoFreePointer(MemoryPointer):
    """Memory that is given back when the last object of it is gone: it is itself not counted."""

    def __init__(
        self, context: Any, pointer: Any, size: int, owner: Any = None, finalizer: Callable[[], object] | None = None
    ) -> None:
        super().__init__(context, pointer, size, owner, finalizer)
        self.refct = 0

    def _gone(self) -> None:
        super()._gone()
        if self.refct <= 0:
            self.free()


class OwnedPointer:
    """A counted object of some memory, or of a part of it."""

    __cuda_memory__ = True

    def __init__(self, memory: MemoryPointer, part: MemoryPointer | None = None) -> None:
        memory.refct += 1
        self._whole = memory
        self._memory = memory if part is None else part
        weakref.finalize(self, memory._gone).atexit = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)


def _number(pointer: Any) -> int:
    value = getattr(pointer, "value", pointer)
    return 0 if value is None else int(value)


class Pending:
    """Memory that waits to be given back: none, since memory goes back in the order of streams."""

    is_locked = False

    def __len__(self) -> int:
        return 0

    def clear(self) -> None:
        """Wait for nothing."""


class IpcHandle:
    """A handle of memory that another process opens. It can be pickled."""

    def __init__(self, base: Any, handle: Any, size: int, source_info: Any = None, offset: int = 0) -> None:
        self.base, self.handle, self.size, self.source_info, self.offset = base, handle, size, source_info, offset
        self._opened: int | None = None

    def open(self, context: Any) -> MemoryPointer:
        """The memory, in this process. Driver API manual, `cuIpcOpenMemHandle`."""
        from cuox.cuda.bindings import driver

        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        handle = driver.CUipcMemHandle()
        handle.reserved = bytes(self.handle.reserved)
        self._opened = int(_devices.checked("cuIpcOpenMemHandle", handle, 1))
        return MemoryPointer(context, self._opened + self.offset, self.size)

    open_direct = open

    def open_staged(self, context: Any) -> MemoryPointer:
        """A copy of the memory on the context's device, made through the device that the memory is on."""
        source = _devices.gpus[self.source_info] if isinstance(self.source_info, int) else None
        if source is None or source.id == context.device.id:
            return self.open(context)
        from .cudadrv import driver

        with source as there:
            original = self.open(there)
            host = (ctypes.c_char * self.size)()
            driver.device_to_host(host, original, self.size)
        copy: MemoryPointer = context.memalloc(self.size)
        driver.host_to_device(copy, host, self.size)
        return copy

    def open_array(self, context: Any, shape: Any, dtype: Any, strides: Any = None) -> Any:
        """The memory as an array."""
        import numpy as np

        from ._ipc import open_array

        memory = self.open(context)
        return open_array(memory.device_pointer, shape, np.dtype(dtype), strides)

    def close(self) -> None:
        """Give the memory back. It must not be used any more."""
        if self._opened is None:
            raise ValueError("IpcHandle not opened")
        cuox.Device().sync()
        _devices.checked("cuIpcCloseMemHandle", self._opened)
        self._opened = None

    def __reduce__(self) -> Any:
        return (_ipc_handle, (bytes(self.handle.reserved), self.size, self.source_info, self.offset))


class _Reserved:
    """A `CUipcMemHandle` as bytes."""

    def __init__(self, reserved: bytes) -> None:
        self.reserved = reserved


def _ipc_handle(reserved: bytes, size: int, source_info: Any, offset: int) -> IpcHandle:
    return IpcHandle(None, _Reserved(reserved), size, source_info, offset)


def ipc_handle(memory: Any) -> IpcHandle:
    """The handle of memory. Driver API manual, `cuIpcGetMemHandle`."""
    address = int(memory.device_pointer)
    base, _ = _devices.checked("cuMemGetAddressRange", address)
    try:
        handle = _devices.checked("cuIpcGetMemHandle", address)
    except cuox.CUDAError as error:
        # Memory of pools, which cuox's arrays have, goes to other processes with its pool only.
        text = f"{error}: other processes can open memory of cuMemAlloc only. cuda.set_memory_manager(cuda.LegacyMemoryManager), called first, gives arrays such memory"
        raise cuox.CUDAError(text, error.code, error.name, error.description) from None
    return IpcHandle(
        memory, _Reserved(bytes(handle.reserved)), memory.size, _devices.get_current_device().id, address - int(base)
    )


class BaseCUDAMemoryManager(abc.ABC):
    """A memory manager: a class of one's own goes to `cuda.set_memory_manager`. One object is made for each context."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "context" not in kwargs:
            raise RuntimeError("Memory manager requires a context")
        self.context: Any = kwargs.pop("context")

    @abc.abstractmethod
    def memalloc(self, size: int) -> MemoryPointer:
        """Make memory on the device, of `size` bytes."""

    @abc.abstractmethod
    def memhostalloc(self, size: int, mapped: bool, portable: bool, wc: bool) -> Any:
        """Make pinned memory on the host, of `size` bytes."""

    @abc.abstractmethod
    def mempin(self, owner: Any, pointer: Any, size: int, mapped: bool) -> Any:
        """Pin memory on the host."""

    @abc.abstractmethod
    def initialize(self) -> None:
        """Called before memory is made in the context."""

    @abc.abstractmethod
    def get_ipc_handle(self, memory: Any) -> Any:
        """A handle of the memory for other processes."""

    @abc.abstractmethod
    def get_memory_info(self) -> MemoryInfo:
        """Free and all bytes."""

    @abc.abstractmethod
    def reset(self) -> None:
        """Give everything back."""

    @abc.abstractmethod
    def defer_cleanup(self) -> Any:
        """A context manager: nothing is given back inside."""

    @property
    @abc.abstractmethod
    def interface_version(self) -> int:
        """The version of this interface: 1."""


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """A memory manager that has host memory; memory on the device is to be added."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.deallocations = Pending()
        self.allocations: dict[Any, Any] = {}

    def memhostalloc(self, size: int, mapped: bool = False, portable: bool = False, wc: bool = False) -> Any:
        """Make pinned memory on the host."""
        import numpy as np

        from . import _memory

        return _memory.host_memory(np.uint8, size, mapped)

    def mempin(self, owner: Any, pointer: Any, size: int, mapped: bool = False) -> Any:
        """Pin memory on the host until the object that is returned is gone."""
        from . import _memory

        return _memory.pinned_memory(owner, _number(pointer), size, mapped)

    def memallocmanaged(self, size: int, attach_global: bool = True) -> Any:
        """Make memory that moves between host and device by itself."""
        import numpy as np

        from . import _memory

        return _memory.managed_array(size, np.uint8)

    def reset(self) -> None:
        """Wait for all work. Memory is given back when its objects are gone."""
        cuox.Device().sync()

    @contextlib.contextmanager
    def defer_cleanup(self) -> Iterator[None]:
        """Memory is given back in the order of streams, so there is nothing to put off."""
        yield


class GetIpcHandleMixin:
    """`get_ipc_handle` for memory of the driver."""

    def get_ipc_handle(self, memory: Any) -> IpcHandle:
        """A handle of the memory for other processes."""
        return ipc_handle(memory)


class DefaultMemoryManager(GetIpcHandleMixin, HostOnlyCUDAMemoryManager):
    """cuox's own memory."""

    def initialize(self) -> None:
        """Nothing has to be done."""

    def memalloc(self, size: int) -> MemoryPointer:
        """Make memory on the device."""
        buffer = cuox.Device(self.context.device.id).allocate(max(size, 1))
        return MemoryPointer(self.context, int(buffer.handle), size, finalizer=buffer.close)

    def get_memory_info(self) -> MemoryInfo:
        """Free and all bytes of the device's memory."""
        _devices.require_current()
        free, total = _devices.checked("cuMemGetInfo")
        return _devices.MemoryInfo(int(free), int(total))

    @property
    def interface_version(self) -> int:
        """1."""
        return INTERFACE_VERSION


class LegacyMemoryManager(DefaultMemoryManager):
    """Memory of `cuMemAlloc`, which other processes can open; making and freeing it waits for the device."""

    def initialize(self) -> None:
        """Nothing has to be done."""

    def memalloc(self, size: int) -> MemoryPointer:
        """Make memory on the device. Driver API manual, `cuMemAlloc`."""
        _devices.require_current()
        address = int(_devices.checked("cuMemAlloc", max(size, 1)))
        return AutoFreePointer(self.context, address, size, finalizer=lambda: _devices.checked("cuMemFree", address))


_manager: type[BaseCUDAMemoryManager] = DefaultMemoryManager


def set_memory_manager(mm_plugin: type[BaseCUDAMemoryManager]) -> None:
    """Let a class of one's own make the memory of device arrays, from here on.

    Raises RuntimeError for another version of the interface.
    """
    global _manager
    version = mm_plugin(context=None).interface_version
    if version != INTERFACE_VERSION:
        raise RuntimeError(f"EMM Plugin interface has version {version} - version {INTERFACE_VERSION} required")
    _manager = mm_plugin
    _devices.forget_managers()


def manager_of(context: Context) -> BaseCUDAMemoryManager:
    """The memory manager of a context, made by the class that is set, else by the module that NUMBA_CUDA_MEMORY_MANAGER
    names.
    """
    if _manager is DefaultMemoryManager and config.CUDA_MEMORY_MANAGER != "default":
        set_memory_manager(importlib.import_module(config.CUDA_MEMORY_MANAGER)._numba_memory_manager)
    return _manager(context=context)


def allocated(context: Context, size: int) -> cuox.Buffer:
    """Memory by the context's own manager."""
    memory = context.memory_manager.memalloc(size)
    owned = memory.own() if isinstance(memory, MemoryPointer) else memory
    return cuox.Buffer.from_handle(memory.device_pointer_value, max(size, 1), owner=owned)
