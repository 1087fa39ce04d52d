"""Device memory: allocations, managed memory, memory of other processes."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

import cuox
from cuox import _native

from . import errors
from .bindings import driver as _bindings
from .context import current_device
from .enums import mem_attach_flags, pointer_attribute
from .errors import LogicError, call

__all__ = [
    "DeviceAllocation",
    "IPCMemoryHandle",
    "ManagedAllocation",
    "ManagedAllocationOrStub",
    "PointerHolderBase",
    "managed_empty",
    "managed_empty_like",
    "managed_zeros",
    "managed_zeros_like",
    "mem_alloc",
    "mem_alloc_like",
    "mem_alloc_pitch",
    "mem_free",
    "mem_get_address_range",
    "mem_get_info",
    "mem_get_ipc_handle",
    "pointer_get_attribute",
]

_B = TypeVar("_B", bound=cuox.Buffer)


def memory_at(address: int, size: int, owner: object) -> memoryview:
    """Return memory that the host's processor reaches as bytes; `owner` is what keeps it."""
    return _HostView(address, size, owner).array().data


class _HostView:
    """Shows memory to NumPy, which keeps this object and so the owner."""

    def __init__(self, address: int, size: int, owner: object) -> None:
        self._owner = owner
        self.__array_interface__ = {"shape": (size,), "typestr": "|u1", "data": (address, False), "version": 3}

    def array(self) -> npt.NDArray[np.uint8]:
        return np.asarray(self)


class PointerHolderBase:
    """The base class of objects with a device address: subclasses define `get_pointer`."""

    def get_pointer(self) -> int:
        """Return the address. Subclasses define this."""
        raise NotImplementedError(
            f"{type(self).__name__}.get_pointer() is not defined: it has to return a device address as an int"
        )

    @property
    def gpudata(self) -> int:
        """The address, for kernels."""
        return int(self.get_pointer())

    def as_buffer(self, size: int, offset: int = 0) -> memoryview:
        """Return `size` bytes from `offset` on as host memory: for memory that the host reaches, such as managed
        memory.
        """
        return memory_at(int(self.get_pointer()) + offset, size, self)

    def __int__(self) -> int:
        return int(self.get_pointer())

    def __index__(self) -> int:
        return int(self.get_pointer())


class DeviceAllocation(cuox.Buffer):
    """Device memory, freed when it is collected or `free` is called. `mem_alloc` makes it.

    It is an int to whatever asks for an address (`int(allocation)`, `numpy.intp(allocation)`), and a `cuox.Buffer`.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> DeviceAllocation:
        raise TypeError(f"{cls.__name__}: allocations are made by mem_alloc(), to_device() and the like")

    def __index__(self) -> int:
        return int(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:  # type: ignore[override]
        # `numpy.intp(allocation)` is its address: that is how programs pass an address with an offset.
        return np.array(int(self), np.uintp).astype(dtype or np.uintp)

    def free(self) -> None:
        """Give the memory back. Raises LogicError if that was done before. Driver API manual, `cuMemFree`."""
        if self.is_closed:
            raise LogicError(f"{type(self).__name__}.free: the memory was freed before")
        self.close()

    def as_buffer(self, size: int, offset: int = 0) -> memoryview:
        """Return `size` bytes from `offset` on as host memory: for memory that the host reaches, such as managed
        memory.

        Raises LogicError for other memory and for bytes that are not part of it.
        """
        if not self.is_host_accessible:
            raise LogicError(
                "as_buffer: the host does not reach device memory: copy it with memcpy_dtoh, or use managed_empty"
            )
        if size < 0 or offset < 0 or offset + size > self.size:
            raise LogicError(
                f"as_buffer: {size} bytes from {offset} on are not within the {self.size} bytes of the allocation"
            )
        return memory_at(int(self) + offset, size, self)


class ManagedAllocation(DeviceAllocation):
    """Memory that moves between host and device by itself. It is the `base` of the arrays of `managed_empty`."""

    __slots__ = ()

    def get_device_pointer(self) -> int:
        """Return the address on the device, which is the host's address too."""
        return int(self)

    def attach(self, mem_flags: int, stream: Any = None) -> None:
        """Say which streams use the memory. Driver API manual, `cuStreamAttachMemAsync`.

        mem_flags: a member of `mem_attach_flags`.
        stream: the stream for `mem_attach_flags.SINGLE`.
        """
        from .streams import handle_of

        call("cuStreamAttachMemAsync", handle_of(stream), int(self), 0, int(mem_flags))


ManagedAllocationOrStub = ManagedAllocation


def made_as(cls: type[_B], buffer: cuox.Buffer) -> _B:
    """Return an object of a subclass of Buffer that has the buffer's memory."""
    return _native._buffer_as(cls, buffer)


def _no_memory(error: cuox.CUDAError, size: int, device: cuox.Device) -> BaseException:
    if error.code != 2:
        return errors.translated(error)
    free, total = device.memory_info()
    text = f"cuMemAlloc failed: out of memory: {size} bytes were asked for, {free} of {total} are free on {device.name}"
    return errors.MemoryError(text, error.code, error.name, error.description)


def mem_alloc(bytes: int) -> DeviceAllocation:
    """Allocate device memory. Driver API manual, `cuMemAlloc`.

    Raises MemoryError if there is too little free memory, LogicError for 0 bytes or without a context.
    """
    device = current_device()
    size = int(bytes)
    if size <= 0:
        raise LogicError(
            f"mem_alloc: expected a number of bytes from 1 on, got {size}",
            1,
            "CUDA_ERROR_INVALID_VALUE",
            "invalid argument",
        )
    try:
        return made_as(DeviceAllocation, device.mem_alloc(size))
    except cuox.CUDAError as error:
        raise _no_memory(error, size, device) from None


def mem_free(allocation: DeviceAllocation | int) -> None:
    """Free device memory: `allocation.free()`. Driver API manual, `cuMemFree`.

    allocation: what `mem_alloc` has returned, or an address of memory that something else has allocated.
    """
    free = getattr(allocation, "free", None)
    if free is not None:
        free()
        return
    from cuox.cuda.bindings import driver

    (error,) = driver.cuMemFree(int(allocation))
    if error:
        raise LogicError(f"mem_free: {error.name}: {int(allocation):#x}", int(error), error.name, "")


def mem_alloc_like(ary: Any) -> DeviceAllocation:
    """Allocate device memory of as many bytes as an array has."""
    return mem_alloc(ary.nbytes)


def mem_alloc_pitch(width: int, height: int, access_size: int) -> tuple[DeviceAllocation, int]:
    """Allocate device memory for `height` rows of `width` bytes, each of which begins where the device reads fast.

    access_size: the bytes that a thread accesses at once: 4, 8 or 16.

    Returns the allocation and the bytes from row to row. Driver API manual, `cuMemAllocPitch`.
    """
    current_device()
    address, pitch = call("cuMemAllocPitch", width, height, access_size)
    return _adopted(DeviceAllocation, int(address), int(pitch) * height), int(pitch)


class Freed:
    """Frees memory of the driver's when it is dropped."""

    def __init__(self, address: int, free: str) -> None:
        self._address, self._function = address, free

    def __del__(self) -> None:
        errors.release(self._function, self._address)


def _adopted(cls: type[_B], address: int, size: int, free: str = "cuMemFree") -> _B:
    return made_as(cls, cuox.Buffer.from_handle(address, size, owner=Freed(address, free)))


def mem_get_info() -> tuple[int, int]:
    """Return the free and the total memory of the device, in bytes. Driver API manual, `cuMemGetInfo`."""
    free, total = call("cuMemGetInfo")
    return int(free), int(total)


def mem_get_address_range(devptr: Any) -> tuple[int, int]:
    """Return the address and the size of the allocation that an address is in. Driver API manual,
    `cuMemGetAddressRange`.
    """
    base, size = call("cuMemGetAddressRange", int(devptr))
    return int(base), int(size)


def pointer_get_attribute(attribute: int, devptr: Any) -> Any:
    """Return a property of an address, a member of `pointer_attribute`. Driver API manual, `cuPointerGetAttribute`."""
    number = pointer_attribute(int(attribute))
    value = call("cuPointerGetAttribute", _bindings.CUpointer_attribute(int(number)), int(devptr))
    return int(value)


def mem_get_ipc_handle(devptr: Any) -> bytes:
    """Return bytes by which another process opens this memory: `IPCMemoryHandle`. Driver API manual,
    `cuIpcGetMemHandle`.
    """
    return bytes(bytearray(call("cuIpcGetMemHandle", int(devptr)).reserved))


class IPCMemoryHandle:
    """Memory of another process.

    handle: the bytes that `mem_get_ipc_handle` returned there.
    flags: members of `ipc_mem_flags`.

    Driver API manual, `cuIpcOpenMemHandle`.
    """

    def __init__(self, handle: Any, flags: int = 1) -> None:
        raw = bytes(handle)
        if len(raw) != 64:
            raise LogicError(f"IPCMemoryHandle: handle: expected the 64 bytes of mem_get_ipc_handle(), got {len(raw)}")
        made = _bindings.CUipcMemHandle()
        made.reserved = raw
        self._address = int(call("cuIpcOpenMemHandle", made, int(flags)))

    def close(self) -> None:
        """Give the memory back to the other process. Raises LogicError if that was done before. Driver API manual,
        `cuIpcCloseMemHandle`.
        """
        if not self._address:
            raise LogicError("IPCMemoryHandle.close: the memory was closed before")
        address, self._address = self._address, 0
        call("cuIpcCloseMemHandle", address)

    def __del__(self) -> None:
        if getattr(self, "_address", 0):
            errors.release("cuIpcCloseMemHandle", self._address)

    @property
    def gpudata(self) -> int:
        """The address, for kernels."""
        return int(self)

    def __int__(self) -> int:
        if not self._address:
            raise LogicError("IPCMemoryHandle: the memory was closed")
        return self._address

    __index__ = __int__


def order_of(array: npt.NDArray[Any]) -> str:
    """Return "C" or "F", the order in which an array's elements lie. Raises ValueError for other arrays."""
    if array.flags.c_contiguous:
        return "C"
    if array.flags.f_contiguous:
        return "F"
    raise ValueError(
        "the array's elements do not lie one after another, neither in C order nor in Fortran order: pass array.copy()"
    )


def refuse_objects(dtype: np.dtype[Any], what: str) -> None:
    """Raise TypeError for elements that are references to Python objects: copied as bytes, they would be counted
    wrongly.
    """
    if dtype.hasobject:
        raise TypeError(
            f"{what}: elements of {dtype} are references to Python objects, which a device cannot follow: convert the array, such as with astype(numpy.float32)"
        )


def extent(shape: Any, dtype: npt.DTypeLike) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Return a shape as a tuple, the dtype, and the number of bytes."""
    sizes = (int(shape),) if np.ndim(shape) == 0 else tuple(int(size) for size in shape)
    kind = np.dtype(dtype)
    refuse_objects(kind, "dtype")
    return sizes, kind, max(math.prod(sizes) * kind.itemsize, 1)


def array_in(memory: Any, shape: tuple[int, ...], dtype: np.dtype[Any], order: str) -> npt.NDArray[Any]:
    """Return an array in memory that an object shows, which becomes its `base`."""
    if order not in ("C", "F"):
        raise LogicError(f"order must be 'C' or 'F', got {order!r}")
    return np.ndarray(shape, dtype, buffer=memory, order="F" if order == "F" else "C")


def managed_empty(shape: Any, dtype: npt.DTypeLike, order: str = "C", mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array in memory that moves between host and device by itself. Kernels take it as it is.

    mem_flags: a member of `mem_attach_flags`; 0 is GLOBAL.

    Its `base` is a ManagedAllocation. After a launch, call `Context.synchronize()` before the array is read. Driver API
    manual, `cuMemAllocManaged`.
    """
    sizes, kind, size = extent(shape, dtype)
    device = current_device()
    try:
        memory = made_as(ManagedAllocation, cuox.ManagedMemoryResource(device).allocate(size))
    except cuox.CUDAError as error:
        raise _no_memory(error, size, device) from None
    if mem_flags not in (0, mem_attach_flags.GLOBAL):
        memory.attach(mem_flags)
    return array_in(memory, sizes, kind, order)


def managed_zeros(shape: Any, dtype: npt.DTypeLike, order: str = "C", mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array of zeros in managed memory, as `managed_empty`."""
    array = managed_empty(shape, dtype, order, mem_flags)
    array.fill(0)
    return array


def managed_empty_like(array: npt.NDArray[Any], mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array in managed memory with the shape, dtype and order of another one."""
    return managed_empty(array.shape, array.dtype, order_of(array), mem_flags)


def managed_zeros_like(array: npt.NDArray[Any], mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array of zeros in managed memory with the shape, dtype and order of another one."""
    return managed_zeros(array.shape, array.dtype, order_of(array), mem_flags)
