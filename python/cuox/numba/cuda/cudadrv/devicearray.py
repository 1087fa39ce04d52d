"""Arrays on devices."""

from __future__ import annotations

from typing import Any

from .._arrays import STRIDED_BUFFER as errmsg_contiguous_buffer
from .._arrays import DeviceNDArray as DeviceNDArray
from .._arrays import DeviceRecord as DeviceRecord
from .._arrays import device_array_like, to_device
from .._memory import ManagedNDArray as ManagedNDArray
from .._memory import MappedNDArray as MappedNDArray

DeviceNDArrayBase = DeviceNDArray


def is_cuda_ndarray(obj: Any) -> bool:
    """True for arrays of this package on a device."""
    return bool(getattr(obj, "__cuda_ndarray__", False))


def verify_cuda_ndarray_interface(obj: Any) -> None:
    """Raise an error for objects that lack what arrays on devices have."""
    require_cuda_ndarray(obj)
    for name, kind in {"shape": tuple, "strides": tuple, "dtype": None, "size": int}.items():
        if not hasattr(obj, name):
            raise AttributeError(name)
        if kind is not None and not isinstance(getattr(obj, name), kind):
            raise AttributeError(f"{name} must be of type {kind.__name__}")


def require_cuda_ndarray(obj: Any) -> None:
    """Raise ValueError for what is no array on a device."""
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


def from_array_like(ary: Any, stream: Any = 0, gpu_data: Any = None) -> DeviceNDArray:
    """Make an array with the shape, strides and dtype of another one, in the memory that is given, else in new
    memory."""
    return DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream, gpu_data)


def from_record_like(rec: Any, stream: Any = 0, gpu_data: Any = None) -> DeviceRecord:
    """Make a record of the type of another one."""
    return DeviceRecord(rec.dtype, stream, gpu_data)


def array_core(ary: Any) -> Any:
    """The part of an array that is there once: dimensions that are repeated by a stride of 0 are cut to 1 or
    dropped."""
    if not ary.strides or not ary.size:
        return ary
    return ary[tuple(slice(None) if stride else 0 for stride in ary.strides)]


def is_contiguous(ary: Any) -> bool:
    """True if the elements follow each other, the last index fastest, apart from repeated dimensions."""
    step = ary.dtype.itemsize
    for size, stride in zip(reversed(ary.shape), reversed(ary.strides), strict=True):
        if size > 1 and stride:
            if stride != step:
                return False
            step *= size
    return True


def auto_device(obj: Any, stream: Any = 0, copy: bool = True, user_explicit: bool = False) -> tuple[Any, bool]:
    """The object on the device, and True if it was made."""
    if is_cuda_ndarray(obj) or isinstance(obj, DeviceRecord):
        return obj, False
    if hasattr(obj, "__cuda_array_interface__"):
        return to_device(obj), False
    return to_device(obj, stream, copy), True


__all__ = [
    "DeviceNDArray", "DeviceNDArrayBase", "DeviceRecord", "ManagedNDArray", "MappedNDArray", "array_core", "auto_device", "device_array_like",
    "errmsg_contiguous_buffer", "from_array_like", "from_record_like", "is_contiguous", "is_cuda_ndarray", "require_cuda_ndarray", "verify_cuda_ndarray_interface",
]  # fmt: skip
