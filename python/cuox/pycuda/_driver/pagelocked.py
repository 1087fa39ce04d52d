"""Host memory that is page-locked, aligned, or locked where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import errors
from .context import current_device
from .errors import LogicError, call
from .memory import Freed, extent, order_of

__all__ = [
    "AlignedHostAllocation",
    "HostAllocation",
    "HostPointer",
    "PagelockedHostAllocation",
    "RegisteredHostMemory",
    "aligned_empty",
    "aligned_empty_like",
    "aligned_zeros",
    "aligned_zeros_like",
    "pagelocked_empty",
    "pagelocked_empty_like",
    "pagelocked_zeros",
    "pagelocked_zeros_like",
    "register_host_memory",
]


class HostPointer:
    """The base class of host memory that the device may reach."""

    __slots__ = ()

    def _address(self) -> int:
        raise NotImplementedError

    def get_device_pointer(self) -> int:
        """Return the address by which the device reaches the memory. Driver API manual, `cuMemHostGetDevicePointer`."""
        return int(call("cuMemHostGetDevicePointer", self._address(), 0))


class PagelockedHostAllocation(HostPointer):
    """Page-locked host memory. It is the `base` of the arrays of `pagelocked_empty`."""

    def __init__(self, size: int, flags: int) -> None:
        self._start = int(call("cuMemHostAlloc", size, flags))
        self._memory = Freed(self._start, "cuMemFreeHost")
        self._freed = False

    def _address(self) -> int:
        return self._start

    def free(self) -> None:
        """Give the memory up: it is freed when the last array that shows it is gone.

        Raises LogicError if it was given up before. Driver API manual, `cuMemFreeHost`.
        """
        if self._freed:
            raise LogicError("PagelockedHostAllocation.free: the memory was freed before")
        self._freed = True

    def get_flags(self) -> int:
        """Return the members of `host_alloc_flags` that the memory was allocated with. Driver API manual,
        `cuMemHostGetFlags`.
        """
        return int(call("cuMemHostGetFlags", self._start))


HostAllocation = PagelockedHostAllocation


class AlignedHostAllocation(HostPointer):
    """Host memory at an address that is a multiple of a number. It is the `base` of the arrays of `aligned_empty`."""

    def __init__(self, size: int, alignment: int) -> None:
        if alignment < 1 or alignment & (alignment - 1):
            raise LogicError(f"aligned_empty: alignment must be a power of two, got {alignment}")
        self._memory = np.empty(size + alignment, np.uint8)
        start = -self._memory.ctypes.data % alignment
        self._aligned = self._memory[start : start + size]
        self._freed = False

    def _address(self) -> int:
        return int(self._aligned.ctypes.data)

    def free(self) -> None:
        """Give the memory up: it is freed when the last array that shows it is gone. Raises LogicError if it was given
        up before.
        """
        if self._freed:
            raise LogicError("AlignedHostAllocation.free: the memory was freed before")
        self._freed = True


class RegisteredHostMemory(HostPointer):
    """Host memory that was page-locked where it is. It is the `base` of the arrays of `register_host_memory`."""

    def __init__(self, array: npt.NDArray[Any], flags: int) -> None:
        self._array = array
        self._locked = False
        call("cuMemHostRegister", self._address(), max(array.nbytes, 1), flags)
        self._locked = True
        self.__array_interface__ = array.__array_interface__

    def _address(self) -> int:
        return int(self._array.ctypes.data)

    @property
    def base(self) -> npt.NDArray[Any]:
        """The array whose memory it is."""
        return self._array

    def unregister(self) -> None:
        """Unlock the memory. Raises LogicError if that was done before. Driver API manual, `cuMemHostUnregister`."""
        if not self._locked:
            raise LogicError("RegisteredHostMemory.unregister: the memory was unregistered before")
        self._locked = False
        call("cuMemHostUnregister", self._address())

    def __del__(self) -> None:
        if getattr(self, "_locked", False):
            try:
                self.unregister()
            except errors.Error:
                # The process ends, or a kernel has failed: there is nobody to tell.
                pass


def pagelocked_empty(shape: Any, dtype: npt.DTypeLike, order: str = "C", mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array in page-locked memory, which asynchronous copies need.

    mem_flags: members of `host_alloc_flags`.

    Its `base` is a PagelockedHostAllocation. Driver API manual, `cuMemHostAlloc`.
    """
    sizes, kind, size = extent(shape, dtype)
    current_device()
    owner = PagelockedHostAllocation(size, int(mem_flags))
    return shown(owner, sizes, kind, order, owner._address())


def pagelocked_zeros(shape: Any, dtype: npt.DTypeLike, order: str = "C", mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array of zeros in page-locked memory, as `pagelocked_empty`."""
    array = pagelocked_empty(shape, dtype, order, mem_flags)
    array.fill(0)
    return array


def pagelocked_empty_like(array: npt.NDArray[Any], mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array in page-locked memory with the shape, dtype and order of another one."""
    return pagelocked_empty(array.shape, array.dtype, order_of(array), mem_flags)


def pagelocked_zeros_like(array: npt.NDArray[Any], mem_flags: int = 0) -> npt.NDArray[Any]:
    """Return a new array of zeros in page-locked memory with the shape, dtype and order of another one."""
    return pagelocked_zeros(array.shape, array.dtype, order_of(array), mem_flags)


def shown(owner: Any, shape: tuple[int, ...], dtype: np.dtype[Any], order: str, address: int) -> npt.NDArray[Any]:
    """Makes an array whose base is `owner`."""
    if order not in ("C", "F"):
        raise LogicError(f"order must be 'C' or 'F', got {order!r}")
    pattern = np.lib.stride_tricks.as_strided(np.empty(0, dtype), (0,) * len(shape))
    interface = dict(pattern.__array_interface__)
    strides = []
    step = dtype.itemsize
    for size in shape if order == "F" else reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    interface.update(shape=shape, strides=tuple(strides if order == "F" else reversed(strides)), data=(address, False))
    owner.__array_interface__ = interface
    return np.asarray(owner)


def aligned_empty(shape: Any, dtype: npt.DTypeLike, order: str = "C", alignment: int = 4096) -> npt.NDArray[Any]:
    """Return a new array in host memory at a multiple of `alignment`, a power of two. Its `base` is an
    AlignedHostAllocation.
    """
    sizes, kind, size = extent(shape, dtype)
    owner = AlignedHostAllocation(size, int(alignment))
    return shown(owner, sizes, kind, order, owner._address())


def aligned_zeros(shape: Any, dtype: npt.DTypeLike, order: str = "C", alignment: int = 4096) -> npt.NDArray[Any]:
    """Return a new array of zeros in host memory at a multiple of `alignment`."""
    array = aligned_empty(shape, dtype, order, alignment)
    array.fill(0)
    return array


def aligned_empty_like(array: npt.NDArray[Any], alignment: int = 4096) -> npt.NDArray[Any]:
    """Return a new array in host memory at a multiple of `alignment`, with the shape, dtype and order of another
    one."""
    return aligned_empty(array.shape, array.dtype, order_of(array), alignment)


def aligned_zeros_like(array: npt.NDArray[Any], alignment: int = 4096) -> npt.NDArray[Any]:
    """Return a new array of zeros in host memory at a multiple of `alignment`, with the shape, dtype and order of
    another one.
    """
    return aligned_zeros(array.shape, array.dtype, order_of(array), alignment)


def register_host_memory(ary: npt.NDArray[Any], flags: int = 0) -> npt.NDArray[Any]:
    """Page-lock an array's memory where it is, and return an array that shows it.

    flags: members of `mem_host_register_flags`.

    The result's `base` is a RegisteredHostMemory; the memory is unlocked when that is gone. Driver API manual,
    `cuMemHostRegister`.
    """
    if not isinstance(ary, np.ndarray):
        raise LogicError(f"register_host_memory: ary: expected an array of NumPy, got {type(ary).__name__}")
    if not ary.flags.c_contiguous:
        raise LogicError(
            "register_host_memory: the array's elements do not lie one after another in C order: pass a copy"
        )
    current_device()
    return np.asarray(RegisteredHostMemory(ary, int(flags)))
