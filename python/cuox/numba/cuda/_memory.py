"""Host memory that devices reach: pinned, mapped, managed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

import cuox

from ._arrays import DeviceNDArray, _Described, _shape, as_cuda_array, stream_number
from ._devices import CudaAPIError, checked, require_current


class _Held(np.ndarray[Any, Any]):
    """A host array whose memory a device reaches too."""

    _buffer: Any = None
    _bound: Any = 0
    __cuda_memory__ = True

    def __array_finalize__(self, other: Any) -> None:
        self._buffer = getattr(other, "_buffer", None)
        self._bound = getattr(other, "_bound", 0)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        host = self.__array_interface__
        address = host["data"][0]
        return {
            "shape": self.shape,
            "typestr": host["typestr"],
            "descr": host["descr"],
            "data": (address, not self.flags.writeable),
            "strides": self.strides,
            "version": 3,
            "stream": stream_number(self._bound),
        }

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """A copy as a plain host array."""
        if ary is None:
            return np.array(self)
        ary[...] = self
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy from another array."""
        self[...] = ary.copy_to_host() if hasattr(ary, "copy_to_host") else ary

    @property
    def device_ctypes_pointer(self) -> Any:
        """The address as a `ctypes.c_size_t`."""
        import ctypes

        return ctypes.c_size_t(self.device_pointer)

    @property
    def device_pointer(self) -> int:
        """The address, which is the same on host and device."""
        return int(self.__array_interface__["data"][0])

    handle = device_pointer_value = device_pointer

    def own(self) -> Any:
        """Another object of the same memory."""
        return self.view()


class MappedNDArray(_Held):
    """A host array in pinned memory that kernels read and write in place."""


class ManagedNDArray(_Held):
    """An array in memory that moves between host and device by itself."""


def _made(resource: Any, cls: type, shape: Any, dtype: Any, strides: Sequence[int] | None, order: str) -> Any:
    dtype, shape = np.dtype(dtype), _shape(shape)
    shape = shape if isinstance(shape, tuple) else (shape,)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if strides is not None:
        size = sum(stride * max(length - 1, 0) for length, stride in zip(shape, strides, strict=True)) + dtype.itemsize
    buffer = resource.allocate(max(size, 1))
    import ctypes

    memory = (ctypes.c_byte * max(size, 1)).from_address(int(buffer.handle))
    plain: Any = np.ndarray(shape, dtype, memory, 0, strides, cast("Any", order))
    held = plain.view(cls)
    held._buffer = buffer
    return held


class PinnedNDArray(_Held):
    """A host array in pinned memory."""


class _Registered(PinnedNDArray):
    """Memory of the host that was pinned; devices may have another address for it."""

    _device = 0

    @property
    def device_pointer(self) -> int:
        return self._device


def host_memory(dtype: Any, shape: Any, mapped: bool) -> Any:
    """Pinned memory, whose address can be asked for."""
    return _made(cuox.LegacyPinnedMemoryResource(), MappedNDArray if mapped else PinnedNDArray, shape, dtype, None, "C")


def pinned_memory(owner: Any, address: int, size: int, mapped: bool) -> Any:
    """Pin memory of the host at an address until the array that is returned is gone."""
    import ctypes
    import weakref

    require_current()
    checked("cuMemHostRegister", address, size, 2 if mapped else 0)
    device = int(checked("cuMemHostGetDevicePointer", address, 0)) if mapped else address
    memory: Any = (ctypes.c_byte * size).from_address(address)
    plain: Any = np.ndarray(size, np.uint8, memory)
    held = plain.view(_Registered)
    held._buffer, held._device = owner, device
    weakref.finalize(held, checked, "cuMemHostUnregister", address).atexit = False
    return held


def pinned_array(shape: Any, dtype: Any = np.float64, strides: Sequence[int] | None = None, order: str = "C") -> Any:
    """Make a host array in pinned memory, which copies are faster from."""
    return _made(cuox.LegacyPinnedMemoryResource(), PinnedNDArray, shape, dtype, strides, order).view(_Pinned)


class _Pinned(PinnedNDArray):
    """As a plain host array, kernels copy it in and out."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        raise AttributeError("__cuda_array_interface__")


def mapped_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Sequence[int] | None = None,
    order: str = "C",
    stream: Any = 0,
    portable: bool = False,
    wc: bool = False,
) -> Any:
    """Make a host array in pinned memory that kernels read and write in place."""
    return _bound_to(stream, _made(cuox.LegacyPinnedMemoryResource(), MappedNDArray, shape, dtype, strides, order))


def managed_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Sequence[int] | None = None,
    order: str = "C",
    stream: Any = 0,
    attach_global: bool = True,
) -> Any:
    """Make an array in memory that moves between host and device by itself. Programming guide, *Unified Memory*."""
    return _bound_to(stream, _made(cuox.ManagedMemoryResource(), ManagedNDArray, shape, dtype, strides, order))


def _bound_to(stream: Any, array: Any) -> Any:
    array._bound = stream
    return array


def _strides_like(ary: Any) -> tuple[Any, str]:
    if ary.flags["C_CONTIGUOUS"] or not ary.ndim:
        return None, "C"
    if ary.flags["F_CONTIGUOUS"]:
        return None, "F"
    by_stride = sorted(range(ary.ndim), key=lambda axis: -abs(ary.strides[axis]))
    if 0 in ary.strides:
        by_stride = list(range(ary.ndim))
    strides, step = [0] * ary.ndim, ary.dtype.itemsize
    for axis in reversed(by_stride):
        strides[axis] = step
        step *= ary.shape[axis]
    return tuple(strides), "C"


def pinned_array_like(ary: Any) -> Any:
    """Make a pinned host array with the shape, dtype and order of another one."""
    strides, order = _strides_like(ary)
    return pinned_array(ary.shape, ary.dtype, strides, order)


def mapped_array_like(ary: Any, stream: Any = 0, portable: bool = False, wc: bool = False) -> Any:
    """Make a mapped host array with the shape, dtype and order of another one."""
    strides, order = _strides_like(ary)
    return mapped_array(ary.shape, ary.dtype, strides, order, stream, portable, wc)


def _registered(arrays: Sequence[Any], flags: int) -> list[int]:
    cuox.Device().set_current()
    done: list[int] = []
    for array in arrays:
        if not array.nbytes:
            continue
        try:
            checked("cuMemHostRegister", array.ctypes.data, array.nbytes, flags)
        except BaseException:
            _unregistered(done)
            raise
        done.append(array.ctypes.data)
    return done


def _unregistered(addresses: Sequence[int]) -> None:
    for address in addresses:
        # An error here would hide the one of the work before.
        with contextlib.suppress(CudaAPIError):
            checked("cuMemHostUnregister", address)


@contextlib.contextmanager
def pinned(*arylist: Any) -> Iterator[None]:
    """A `with` block in which host arrays are pinned."""
    done = _registered(arylist, 0)
    try:
        yield
    finally:
        _unregistered(done)


@contextlib.contextmanager
def mapped(*arylist: Any, portable: bool = False) -> Iterator[Any]:
    """A `with` block in which host arrays are arrays on the device, too: gives one, or a list."""
    done = _registered(arylist, 2)
    try:
        found = []
        for array in arylist:
            address = int(checked("cuMemHostGetDevicePointer", array.ctypes.data, 0)) if array.nbytes else 0
            interface = {
                **array.__array_interface__,
                "data": (address, False),
                "strides": array.strides,
                "version": 3,
                "stream": None,
            }
            found.append(as_cuda_array(_Described(interface, array)))
        yield found[0] if len(found) == 1 else found
    finally:
        cuox.Device().sync()
        _unregistered(done)


__all__ = [
    "DeviceNDArray",
    "ManagedNDArray",
    "MappedNDArray",
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "pinned",
    "pinned_array",
    "pinned_array_like",
]
