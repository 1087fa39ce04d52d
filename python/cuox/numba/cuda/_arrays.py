"""Arrays on devices: `DeviceNDArray` is `cuox.Array` with Numba's methods."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

import cuox
from cuox import Array

from . import _devices, _raised
from ._streams import Stream, native

if TYPE_CHECKING:
    import numpy as np


STRIDED_BUFFER = "Array contains non-contiguous buffer and cannot be transferred as a single memory region. Please ensure contiguous buffer with numpy .ascontiguousarray()"
"""Numba's error for strided copies, which work here."""


class _Gpudata:
    """The memory of an array, as Numba shows it."""

    __cuda_memory__ = True

    def __init__(self, array: Array) -> None:
        self._array = array
        self.size = array.nbytes

    @property
    def device_pointer(self) -> int:
        return self._array.ptr

    device_ctypes_pointer = property(lambda self: _c_pointer(self._array.ptr))
    device_pointer_value = device_pointer

    @property
    def handle(self) -> int:
        return self._array.ptr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Gpudata) and (self.device_pointer, self.size) == (other.device_pointer, other.size)

    def __hash__(self) -> int:
        return hash(self.device_pointer)


def _c_pointer(address: int) -> Any:
    import ctypes

    return ctypes.c_size_t(address) if address else ctypes.c_void_p(0)


class DeviceNDArray(Array):
    """An array on a device.

    It is used in kernels as a NumPy array is on the host. Items and slices can be read and written from the host: each
    is a copy.
    """

    __array_priority__ = 100
    # Numba's arrays are compared as any objects are.
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__
    __cuda_memory__ = True
    __cuda_ndarray__ = True

    def __new__(
        cls,
        shape: Any,
        strides: Sequence[int] | None = None,
        dtype: Any = None,
        stream: Any = 0,
        gpu_data: Any = None,
        *,
        order: str | None = None,
    ) -> Self:
        _devices.require_enabled()
        if isinstance(strides, int):
            strides = (strides,)
        if gpu_data is None and (own := _devices.own_memory()) is not None:
            gpu_data = _own_buffer(own, shape, strides, dtype)
        made: Self
        if strides is None or (gpu_data is None and _is_contiguous(shape, strides, dtype)):
            made = super().__new__(
                cls,
                _shape(shape),
                dtype,
                order=_order(shape, strides, dtype, order),
                stream=native(stream),
                buffer=_buffer(gpu_data),
            )
        else:
            made = super().__new__(
                cls,
                _shape(shape),
                dtype,
                strides=strides,
                buffer=_buffer(gpu_data) or _room(shape, strides, dtype, stream),
            )
        made._bound = stream
        return made

    _bound: Any = 0
    _owner: Any = None

    @property
    def _numba_type_(self) -> Any:
        from .types import typeof

        return typeof(self)

    # Memory

    @property
    def gpu_data(self) -> _Gpudata:
        """The memory."""
        return _Gpudata(self)

    @property
    def alloc_size(self) -> int:
        """Bytes of the elements."""
        return self.nbytes

    @property
    def device_ctypes_pointer(self) -> Any:
        """The address as an object of ctypes; of an array without elements a null pointer."""
        return _c_pointer(self.ptr if self.size else 0)

    device_pointer = property(lambda self: self.ptr)

    @property
    def stream(self) -> Any:
        """The stream that the array is bound to, in which it is copied; 0 for the default stream."""
        return self._bound

    @stream.setter
    def stream(self, value: Any) -> None:
        self._bound = value

    def bind(self, stream: Any = 0) -> DeviceNDArray:
        """Return the same array, bound to a stream."""
        bound: DeviceNDArray = self.view()
        bound._bound = stream
        return bound

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        interface = dict(super().__cuda_array_interface__)
        interface["stream"] = stream_number(self._bound)
        return interface

    def _order_of(self, stream: Any) -> Any:
        return native(stream if stream or not self._bound else self._bound)

    def copy_to_host(self, ary: np.ndarray[Any, Any] | None = None, stream: Any = 0) -> Any:
        """Copy to the host: into `ary`, else into a new array, which is returned. With a stream it may still run when
        this returns.
        """
        import numpy as np

        queue = self._order_of(stream)
        if ary is not None:
            if not isinstance(ary, np.ndarray):
                raise TypeError(f"copy_to_host(): expected a NumPy array, got {type(ary).__name__}")
            if ary.dtype != self.dtype:
                raise TypeError(f"incompatible dtype: {ary.dtype} vs. {self.dtype}")
            if ary.shape != self.shape:
                raise ValueError(f"incompatible shape: {ary.shape} vs. {self.shape}")
            if ary.strides != self.strides and self.size and ary.ndim and not _same_order(ary, self):
                raise ValueError(f"incompatible strides: {ary.strides} vs. {self.strides}")
        made = super().to_host(ary, stream=queue)
        if queue is None:
            _raised.check()
        return made

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy from a host array or an array on a device of the same shape."""
        import numpy as np

        if ary.size == 0:
            return
        if not isinstance(ary, Array) and not hasattr(ary, "__cuda_array_interface__"):
            ary = np.asarray(ary)
        elif not isinstance(ary, Array):
            ary = cuox.as_array(ary)
        if tuple(ary.shape) != self.shape:
            if ary.size != self.size or isinstance(ary, Array):
                raise ValueError(f"incompatible shape: {self.shape} vs. {tuple(ary.shape)}")
            raise ValueError(f"incompatible shape: {self.shape} vs. {tuple(ary.shape)}")
        self.copy_from(ary, stream=self._order_of(stream))

    # Shapes

    @property
    def flags(self) -> dict[str, bool]:
        """The order of the elements."""
        return {
            "C_CONTIGUOUS": Array.is_c_contiguous.__get__(self),
            "F_CONTIGUOUS": Array.is_f_contiguous.__get__(self),
        }

    def is_c_contiguous(self) -> bool:  # type: ignore[override]
        """True if the last index runs fastest, without gaps."""
        return bool(Array.is_c_contiguous.__get__(self))

    def is_f_contiguous(self) -> bool:  # type: ignore[override]
        """True if the first index runs fastest, without gaps."""
        return bool(Array.is_f_contiguous.__get__(self))

    def split(self, section: int, stream: Any = 0) -> Iterator[DeviceNDArray]:
        """Views of `section` elements each, one behind the other, of an array of one dimension."""
        if self.ndim != 1:
            raise NotImplementedError("only support 1d array")
        if self.strides[0] != self.dtype.itemsize:
            raise NotImplementedError("only support unit stride")
        return (
            super(DeviceNDArray, self).__getitem__(slice(begin, min(begin + section, self.size)))
            for begin in range(0, self.size, section)
        )

    def transpose(self, axes: Any = None, *more: Any) -> Any:
        """A view with the axes in another order; of two dimensions exchanged."""
        if more:
            axes = (axes, *more)
        if axes is None:
            if self.ndim > 2:
                raise NotImplementedError("transposing a non-2D DeviceNDArray isn't supported")
            return super().transpose()
        axes = tuple(axes)
        if axes == tuple(range(self.ndim)):
            return self
        if set(axes) != set(range(self.ndim)) or len(axes) != self.ndim:
            raise ValueError(f"invalid axes list {axes!r}")
        if self.ndim != 2:
            raise NotImplementedError("transposing a non-2D DeviceNDArray isn't supported")
        return super().transpose(*axes).copy()

    @property
    def T(self) -> Any:
        """The array with its two dimensions exchanged."""
        return self.transpose()

    def reshape(self, *newshape: Any, order: Any = "C") -> Any:
        """The same elements under another shape. Raises NotImplementedError where that needs a copy."""
        if len(newshape) == 1 and isinstance(newshape[0], (tuple, list)):
            newshape = tuple(newshape[0])
        if (
            not (Array.is_c_contiguous.__get__(self) or Array.is_f_contiguous.__get__(self))
            and tuple(newshape) != self.shape
        ):
            raise NotImplementedError("reshape() of an array that is not contiguous would be a copy")
        if tuple(newshape) == self.shape:
            return super().view()
        return super().reshape(newshape, order=order)

    def ravel(self, order: Any = "C", stream: Any = 0) -> Any:
        """The elements in one dimension: a view."""
        return super().ravel(order)

    def squeeze(self, axis: Any = None, stream: Any = 0) -> Any:
        """A view without dimensions of length 1."""
        return super().squeeze(axis)

    def view(self, dtype: Any = None) -> Any:
        """The same memory with elements of another type."""
        import numpy as np

        if dtype is not None and self.ndim and (size := np.dtype(dtype).itemsize) != self.dtype.itemsize:
            if self.strides[-1] != self.dtype.itemsize and self.shape[-1] > 1:
                raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
            if size > self.dtype.itemsize and self.shape[-1] * self.dtype.itemsize % size:
                raise ValueError(
                    "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array."
                )
        return super().view(dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("`copy=False` is not possible: the elements of a DeviceNDArray are copied to the host")
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        return (self[index] for index in range(len(self)))

    def __contains__(self, value: Any) -> bool:  # type: ignore[override]
        return value in self.copy_to_host()

    def __getitem__(self, item: Any) -> Any:
        return self.getitem(item)

    def getitem(self, item: Any, stream: Any = 0) -> Any:
        """An element, copied to the host; or a view."""
        part = super().__getitem__(_indices(item))
        if part.ndim or not _is_element(item, self.ndim):
            return part
        if self.dtype.names is not None:
            return DeviceRecord._of(part)
        return super(DeviceNDArray, part).to_host(stream=self._order_of(stream))[()]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.setitem(key, value)

    def setitem(self, key: Any, value: Any, stream: Any = 0) -> None:
        """Copy to an element or a part, from the host or a device; other types are converted."""
        import numpy as np

        part = super().__getitem__(_indices(key))
        if isinstance(value, DeviceRecord):
            value = value._array
        if isinstance(value, Array) or hasattr(value, "__cuda_array_interface__"):
            value = value if isinstance(value, Array) else cuox.as_array(value)
            if value.ndim > part.ndim:
                raise ValueError(f"Can't assign {value.ndim}-D array to {part.ndim}-D self")
            for want, have in zip(reversed(part.shape), reversed(value.shape), strict=False):
                if have not in (1, want):
                    raise ValueError(f"Can't copy sequence with size {have} to array axis 0 with dimension {want}")
            if value.dtype != part.dtype:
                value = Array.to_host(value).astype(part.dtype)
        else:
            host = np.asarray(value)
            if host.ndim > part.ndim:
                raise ValueError(f"Can't assign {host.ndim}-D array to {part.ndim}-D self")
            for want, have in zip(reversed(part.shape), reversed(host.shape), strict=False):
                if have not in (1, want):
                    raise ValueError(f"Can't copy sequence with size {have} to array axis 0 with dimension {want}")
            value = host.astype(part.dtype, copy=False) if part.dtype.names is None else host
        part.copy_from(value, stream=self._order_of(stream))

    def get_ipc_handle(self) -> Any:
        """A handle that another process opens: `IpcArrayHandle`."""
        from ._ipc import IpcArrayHandle

        return IpcArrayHandle.of(self)

    def as_cuda_arg(self) -> Any:
        """The address."""
        return self.gpu_data


def stream_number(stream: Any) -> int | None:
    """A stream as the CUDA Array Interface has it."""
    if isinstance(stream, (int, Stream)):
        return int(stream) or None
    return None if stream is None else int(stream.__cuda_stream__()[1]) or None


def _same_order(host: Any, device: Any) -> bool:
    return bool(
        (host.flags.c_contiguous and Array.is_c_contiguous.__get__(device))
        or (host.flags.f_contiguous and Array.is_f_contiguous.__get__(device))
    )


def _shape(shape: Any) -> Any:
    if isinstance(shape, (tuple, list)):
        return tuple(operator.index(size) for size in shape)
    if getattr(shape, "ndim", False):
        return tuple(operator.index(size) for size in shape)
    return operator.index(shape)


def _sizes(shape: Any) -> tuple[int, ...]:
    shape = _shape(shape)
    return shape if isinstance(shape, tuple) else (shape,)


def _c_strides(shape: Any, dtype: Any) -> tuple[int, ...]:
    import numpy as np

    strides, step = [], np.dtype(dtype).itemsize
    for size in reversed(_sizes(shape)):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def _f_strides(shape: Any, dtype: Any) -> tuple[int, ...]:
    import numpy as np

    strides, step = [], np.dtype(dtype).itemsize
    for size in _sizes(shape):
        strides.append(step)
        step *= size
    return tuple(strides)


def _is_contiguous(shape: Any, strides: Sequence[int], dtype: Any) -> bool:
    return tuple(strides) in (_c_strides(shape, dtype), _f_strides(shape, dtype))


def _order(shape: Any, strides: Sequence[int] | None, dtype: Any, order: str | None) -> Any:
    if strides is None:
        return order
    return "C" if tuple(strides) == _c_strides(shape, dtype) else "F"


def _own_buffer(context: Any, shape: Any, strides: Sequence[int] | None, dtype: Any) -> Any:
    import numpy as np

    from ._pointers import allocated

    sizes, step = _sizes(shape), np.dtype(dtype).itemsize
    strides = strides if strides is not None else _c_strides(shape, dtype)
    return allocated(
        context,
        sum(stride * (size - 1) for size, stride in zip(sizes, strides, strict=True)) + step if 0 not in sizes else 0,
    )


def _buffer(given: Any) -> Any:
    if hasattr(given, "device_pointer_value") and not isinstance(given, _Gpudata):
        return cuox.Buffer.from_handle(int(given.device_pointer_value), max(given.size, 1), owner=given)
    return getattr(given, "_buffer", None) or (given._array.buffer if isinstance(given, _Gpudata) else given)


def _room(shape: Any, strides: Sequence[int], dtype: Any, stream: Any) -> Any:
    import numpy as np

    sizes = _sizes(shape)
    last = sum(stride * max(size - 1, 0) for size, stride in zip(sizes, strides, strict=True))
    return cuox.empty(max(last + np.dtype(dtype).itemsize, 1), np.uint8, stream=native(stream)).buffer


def _indices(item: Any) -> Any:
    import numpy as np

    if isinstance(item, tuple):
        return tuple(int(one) if isinstance(one, np.integer) else one for one in item)
    return int(item) if isinstance(item, np.integer) else item


def _is_element(item: Any, ndim: int) -> bool:
    items = item if isinstance(item, tuple) else (item,)
    return (ndim > 0 and all(hasattr(one, "__index__") for one in items)) or ndim == 0


class DeviceRecord:
    """A record on a device."""

    __cuda_memory__ = True

    def __init__(self, dtype: Any, stream: Any = 0, gpu_data: Any = None) -> None:
        self._array: Any = DeviceNDArray((), None, dtype, stream, gpu_data)
        self._bound = stream

    @classmethod
    def _of(cls, array: Array) -> DeviceRecord:
        made = cls.__new__(cls)
        made._array, made._bound = array, 0
        return made

    @property
    def dtype(self) -> Any:
        """The type of the record."""
        return self._array.dtype

    shape = ()
    strides = ()
    ndim = 0
    size = 1

    @property
    def nbytes(self) -> int:
        """Bytes of the record."""
        return int(self._array.nbytes)

    alloc_size = nbytes

    @property
    def stream(self) -> Any:
        """The stream that the record is bound to."""
        return self._bound

    @property
    def gpu_data(self) -> Any:
        """The memory."""
        return _Gpudata(self._array)

    @property
    def device_ctypes_pointer(self) -> Any:
        """The address as an object of ctypes."""
        return _c_pointer(self._array.ptr)

    @property
    def _numba_type_(self) -> Any:
        from .types import from_dtype

        return from_dtype(self.dtype)

    @property
    def flags(self) -> dict[str, bool]:
        """The order of the elements."""
        return {"C_CONTIGUOUS": True, "F_CONTIGUOUS": True}

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return dict(self._array.__cuda_array_interface__)

    def __getitem__(self, name: str) -> Any:
        return self.getitem(name)

    def getitem(self, name: str, stream: Any = 0) -> Any:
        """A field, copied to the host; of an array field a view."""
        part = Array.__getitem__(self._array, name)
        if not part.ndim and part.dtype.names is not None:
            return DeviceRecord._of(part)
        return part if part.ndim else Array.to_host(part, stream=native(stream))[()]

    def __setitem__(self, name: str, value: Any) -> None:
        self.setitem(name, value)

    def setitem(self, name: str, value: Any, stream: Any = 0) -> None:
        """Copy to a field."""
        Array.__getitem__(self._array, name).copy_from(value, stream=native(stream))

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Copy the record to the host: into `ary`, else into a new record."""
        import numpy as np

        host = Array.to_host(self._array, stream=native(stream))
        if ary is None:
            return host[()]
        if isinstance(ary, np.void):
            for name in self.dtype.names:
                ary[name] = host[name]
        else:
            ary[...] = host
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy a record to the device."""
        import numpy as np

        self._array.copy_from(
            Array.to_host(ary._array) if isinstance(ary, DeviceRecord) else np.asarray(ary), stream=native(stream)
        )


# Functions


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> Any:
    """Copy a host array, number, record or array on a device to a new array on the device, or to `to`.

    copy: False makes the memory only. Raises TypeError for what is no array.
    """
    import numpy as np

    if to is not None:
        to.copy_to_device(np.asarray(obj) if not hasattr(obj, "__cuda_array_interface__") else obj, stream=stream)
        return to
    if isinstance(obj, np.void):
        record = DeviceRecord(obj.dtype, stream)
        if copy:
            record.copy_to_device(obj, stream)
        return record
    if isinstance(obj, (DeviceNDArray, DeviceRecord)):
        return obj
    if hasattr(obj, "__cuda_array_interface__"):
        return as_cuda_array(obj)
    host = np.asarray(obj)
    if host.dtype.hasobject:
        raise TypeError(f"to_device(): an array of {host.dtype} has Python objects, which a device cannot follow")
    made = device_array_like(host, stream)
    if copy:
        if _is_broadcast(host):
            host = np.ascontiguousarray(host)
        made.copy_from(host, stream=native(stream))
    return made


def _is_broadcast(host: Any) -> bool:
    return any(stride == 0 and size > 1 for stride, size in zip(host.strides, host.shape, strict=True))


def device_array(
    shape: Any, dtype: Any = None, strides: Sequence[int] | None = None, order: str = "C", stream: Any = 0
) -> DeviceNDArray:
    """Make an array on the device without particular values; of float64 if no dtype is given."""
    import numpy as np

    return DeviceNDArray(_shape(shape), strides, np.dtype(np.float64 if dtype is None else dtype), stream, order=order)


def device_array_like(ary: Any, stream: Any = 0) -> DeviceNDArray:
    """Make an array on the device with the shape, dtype and order of another one."""
    import numpy as np

    if ary.ndim == 0:
        return DeviceNDArray((), None, ary.dtype, stream)
    host_like = (
        np.lib.stride_tricks.as_strided(np.empty(1, ary.dtype), ary.shape, ary.strides)
        if ary.size
        else np.empty(ary.shape, ary.dtype)
    )
    if host_like.flags.c_contiguous:
        return DeviceNDArray(ary.shape, None, ary.dtype, stream)
    if host_like.flags.f_contiguous:
        return DeviceNDArray(ary.shape, None, ary.dtype, stream, order="F")
    # Gaps are left out; the dimensions keep their order in memory.
    by_stride = sorted(range(ary.ndim), key=lambda axis: (-abs(ary.strides[axis]), axis))
    if any(stride == 0 for stride in ary.strides):
        by_stride = list(range(ary.ndim))
    strides, step = [0] * ary.ndim, ary.dtype.itemsize
    for axis in reversed(by_stride):
        strides[axis] = step
        step *= ary.shape[axis]
    return DeviceNDArray(ary.shape, tuple(strides), ary.dtype, stream)


def is_cuda_array(obj: Any) -> bool:
    """True for objects with the CUDA Array Interface."""
    return hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj: Any, sync: bool = True) -> DeviceNDArray:
    """Show an object with the CUDA Array Interface as an array of the same memory. sync: wait for the stream that it
    names.

    Raises TypeError for other objects.
    """
    if not is_cuda_array(obj):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return from_cuda_array_interface(obj.__cuda_array_interface__, owner=obj, sync=sync)


class _Described:
    def __init__(self, interface: dict[str, Any], owner: Any) -> None:
        self.__cuda_array_interface__ = interface
        self.owner = owner


def from_cuda_array_interface(desc: dict[str, Any], owner: Any = None, sync: bool = True) -> DeviceNDArray:
    """Make an array of a description by the CUDA Array Interface. owner: kept alive with the array."""
    from .core import config

    desc = dict(desc)
    waits_for = desc.get("stream")
    if desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    if desc.get("version", 1) >= 1:
        desc["stream"] = None
    if waits_for is not None:
        if waits_for == 0:
            raise ValueError(
                "0 is not a stream in the CUDA Array Interface: 1 is the legacy default stream, 2 that of the thread"
            )
        if sync and config.CUDA_ARRAY_INTERFACE_SYNC:
            external_wait(waits_for)
    plain = cuox.as_array(_Described(desc, owner))
    made = Array.__new__(
        DeviceNDArray,
        plain.shape,
        plain.dtype,
        buffer=plain.buffer,
        offset=plain.ptr - int(plain.buffer.handle),
        strides=plain.strides,
    )
    made._owner = (owner, plain)
    if waits_for is not None:
        from ._streams import external_stream

        made._bound = external_stream(waits_for)
    return made


def external_wait(stream: int) -> None:
    """Wait for a stream by its handle."""
    from ._streams import external_stream

    external_stream(stream).synchronize()


@contextlib.contextmanager
def defer_cleanup() -> Iterator[None]:
    """A `with` block in which a memory manager of one's own gives nothing back.

    cuox's memory goes back in the order of streams, so that there is nothing to put off.
    """
    with _devices.current_context().memory_manager.defer_cleanup():
        yield
