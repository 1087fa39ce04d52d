"""CUDA arrays, and the texture and surface references that CUDA has no more."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from .bindings import driver as _bindings
from .boxes import Memcpy2D, Memcpy3D
from .context import current_device
from .copies import host_memory
from .enums import address_mode, array3d_flags, array_format, filter_mode
from .errors import LogicError, call, release

__all__ = [
    "Array",
    "ArrayDescriptor",
    "ArrayDescriptor3D",
    "SurfaceReference",
    "TextureReference",
    "bind_array_to_texref",
    "dtype_to_array_format",
    "gpuarray_to_array",
    "make_multichannel_2d_array",
    "matrix_to_array",
    "matrix_to_texref",
    "memcpy_atoa",
    "memcpy_atod",
    "memcpy_atoh",
    "memcpy_dtoa",
    "memcpy_htoa",
    "np_to_array",
]


class ArrayDescriptor:
    """The shape of a one- or two-dimensional `Array`. Driver API manual, `CUDA_ARRAY_DESCRIPTOR`."""

    def __init__(self) -> None:
        self.width = 0
        """The elements of a row."""
        self.height = 0
        """The rows; 0 for one dimension."""
        self.format: int = array_format.FLOAT
        """A member of `array_format`."""
        self.num_channels = 1
        """The numbers of an element: 1, 2 or 4."""


class ArrayDescriptor3D(ArrayDescriptor):
    """The shape of an `Array` of up to three dimensions. Driver API manual, `CUDA_ARRAY3D_DESCRIPTOR`."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        """The layers."""
        self.flags = 0
        """Members of `array3d_flags`."""


class Array:
    """Memory of a device in the order that textures read fast. Driver API manual, `cuArrayCreate`, `cuArray3DCreate`.

    descriptor: an ArrayDescriptor or ArrayDescriptor3D.
    """

    def __init__(self, descriptor: ArrayDescriptor) -> None:
        self._handle = 0
        if not isinstance(descriptor, ArrayDescriptor):
            raise TypeError(f"Array: expected an ArrayDescriptor or ArrayDescriptor3D, got {type(descriptor).__name__}")
        deep = isinstance(descriptor, ArrayDescriptor3D)
        raw: Any = _bindings.CUDA_ARRAY3D_DESCRIPTOR() if deep else _bindings.CUDA_ARRAY_DESCRIPTOR()
        raw.Width, raw.Height = int(descriptor.width), int(descriptor.height)
        raw.Format = _bindings.CUarray_format(int(descriptor.format))
        raw.NumChannels = int(descriptor.num_channels)
        if isinstance(descriptor, ArrayDescriptor3D):
            raw.Depth, raw.Flags = int(descriptor.depth), int(descriptor.flags)
        current_device()
        self._handle = int(call("cuArray3DCreate" if deep else "cuArrayCreate", raw))

    @property
    def handle(self) -> int:
        """The `CUarray`, as an int. Raises LogicError after `free`."""
        if not self._handle:
            raise LogicError("Array: the array was freed")
        return self._handle

    def free(self) -> None:
        """Give the memory back. Raises LogicError if that was done before. Driver API manual, `cuArrayDestroy`."""
        handle = self.handle
        self._handle = 0
        call("cuArrayDestroy", handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            release("cuArrayDestroy", self._handle)

    def get_descriptor(self) -> ArrayDescriptor:
        """Return the shape. Driver API manual, `cuArrayGetDescriptor`."""
        return _read(ArrayDescriptor(), call("cuArrayGetDescriptor", self.handle))

    def get_descriptor_3d(self) -> ArrayDescriptor3D:
        """Return the shape, with depth and flags. Driver API manual, `cuArray3DGetDescriptor`."""
        raw = call("cuArray3DGetDescriptor", self.handle)
        made = ArrayDescriptor3D()
        _read(made, raw)
        made.depth, made.flags = int(raw.Depth), int(raw.Flags)
        return made


def _read(made: ArrayDescriptor, raw: Any) -> ArrayDescriptor:
    made.width, made.height = int(raw.Width), int(raw.Height)
    made.format, made.num_channels = array_format(int(raw.Format)), int(raw.NumChannels)
    return made


def _gone(what: str, use: str) -> NoReturn:
    raise LogicError(
        f"{what}: {use} references do not exist any more since CUDA 12: declare a parameter `cuda{use.capitalize()}Object_t` in the kernel, and pass it "
        f"a {use} object ({'cuTexObjectCreate' if use == 'texture' else 'cuSurfObjectCreate'} of cuox.cuda.bindings.driver)"
    )


class TextureReference:
    """A texture reference, which CUDA has no more since version 12: every method raises LogicError, which says what to
    do.
    """

    def _gone(self, method: str) -> NoReturn:
        _gone(f"TextureReference.{method}", "texture")

    def set_array(self, array: Any) -> None:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("set_array")

    def set_address(self, devptr: Any, bytes: int, allow_offset: bool = False) -> int:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("set_address")

    def set_address_2d(self, devptr: Any, descr: Any, pitch: int) -> None:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("set_address_2d")

    def set_format(self, format: int, num_components: int) -> None:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("set_format")

    def set_address_mode(self, dim: int, am: int) -> None:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("set_address_mode")

    def set_filter_mode(self, mode: int) -> None:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("set_filter_mode")

    def set_flags(self, flags: int) -> None:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("set_flags")

    def get_address(self) -> int:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("get_address")

    def get_array(self) -> Array:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("get_array")

    def get_address_mode(self, dim: int) -> int:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("get_address_mode")

    def get_filter_mode(self) -> int:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("get_filter_mode")

    def get_format(self) -> tuple[int, int]:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("get_format")

    def get_flags(self) -> int:
        """Raise LogicError: texture references do not exist any more."""
        self._gone("get_flags")


class SurfaceReference:
    """A surface reference, which CUDA has no more since version 12: every method raises LogicError, which says what to
    do.
    """

    def set_array(self, array: Any, flags: int = 0) -> None:
        """Raise LogicError: surface references do not exist any more."""
        _gone("SurfaceReference.set_array", "surface")

    def get_array(self) -> Array:
        """Raise LogicError: surface references do not exist any more."""
        _gone("SurfaceReference.get_array", "surface")


def memcpy_dtoa(ary: Array, index: int, src: Any, len: int) -> None:
    """Copy `len` bytes of device memory to an array, from its byte `index` on. Driver API manual, `cuMemcpyDtoA`."""
    call("cuMemcpyDtoA", ary.handle, index, int(src), len)


def memcpy_atod(dest: Any, ary: Array, index: int, len: int) -> None:
    """Copy `len` bytes of an array, from its byte `index` on, to device memory. Driver API manual, `cuMemcpyAtoD`."""
    call("cuMemcpyAtoD", int(dest), ary.handle, index, len)


def memcpy_htoa(ary: Array, index: int, src: Any) -> None:
    """Copy host memory to an array, from its byte `index` on. Driver API manual, `cuMemcpyHtoA`."""
    address, size, _keep = host_memory(src, "memcpy_htoa: src")
    if size:
        call("cuMemcpyHtoA", ary.handle, index, address, size)


def memcpy_atoh(dest: Any, ary: Array, index: int) -> None:
    """Copy from an array, from its byte `index` on, to host memory, of which all is filled. Driver API manual,
    `cuMemcpyAtoH`.
    """
    address, size, _keep = host_memory(dest, "memcpy_atoh: dest", writable=True)
    if size:
        call("cuMemcpyAtoH", address, ary.handle, index, size)


def memcpy_atoa(dest: Array, dest_index: int, src: Array, src_index: int, len: int) -> None:
    """Copy `len` bytes between arrays, from these bytes on. Driver API manual, `cuMemcpyAtoA`."""
    call("cuMemcpyAtoA", dest.handle, dest_index, src.handle, src_index, len)


_FORMATS = {
    "uint8": array_format.UNSIGNED_INT8,
    "uint16": array_format.UNSIGNED_INT16,
    "uint32": array_format.UNSIGNED_INT32,
    "int8": array_format.SIGNED_INT8,
    "int16": array_format.SIGNED_INT16,
    "int32": array_format.SIGNED_INT32,
    "float16": array_format.HALF,
    "float32": array_format.FLOAT,
}
# Kinds of numbers that an array holds as two or four integers of 32 bits.
_AS_INTEGERS = {"complex64": 2, "float64": 2, "complex128": 4}


def dtype_to_array_format(dtype: Any) -> array_format:
    """Return the `array_format` of a dtype. Raises TypeError for others."""
    found = _FORMATS.get(np.dtype(dtype).name)
    if found is None:
        raise TypeError(f"dtype_to_array_format: expected one of {', '.join(_FORMATS)}, got {np.dtype(dtype).name}")
    return found


def _check_order(order: str) -> str:
    if not isinstance(order, str) or order.upper() not in ("C", "F"):
        raise LogicError(f"order must be 'C' or 'F', got {order!r}")
    return order.upper()


def matrix_to_array(matrix: Any, order: str, allow_double_hack: bool = False) -> Array:
    """Copy a matrix to a new `Array`, whose rows are the matrix's rows (order "C") or columns ("F").

    allow_double_hack: take float64 as pairs of integers.
    """
    order = _check_order(order)
    matrix = np.asarray(matrix, order="F" if order == "F" else "C")
    if matrix.ndim != 2:
        raise ValueError(f"matrix_to_array: matrix must have 2 dimensions, got {matrix.ndim}")
    height, width = matrix.shape if order == "C" else matrix.shape[::-1]
    descriptor = ArrayDescriptor()
    descriptor.width, descriptor.height = width, height
    if matrix.dtype == np.float64 and allow_double_hack:
        descriptor.format, descriptor.num_channels = array_format.SIGNED_INT32, 2
    else:
        descriptor.format = dtype_to_array_format(matrix.dtype)
    array = Array(descriptor)
    copy = Memcpy2D()
    copy.set_src_host(matrix)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = width * matrix.itemsize
    copy.height = height
    copy(aligned=True)
    return array


def _describe(shape: tuple[int, ...], dtype: Any, surface: bool) -> ArrayDescriptor:
    if len(shape) not in (2, 3):
        raise LogicError(f"expected an array of 2 or 3 dimensions, got {len(shape)}")
    descriptor = ArrayDescriptor3D() if surface or len(shape) == 3 else ArrayDescriptor()
    descriptor.width, descriptor.height = int(shape[-1]), int(shape[-2])
    channels = _AS_INTEGERS.get(np.dtype(dtype).name)
    if channels is None:
        descriptor.format = dtype_to_array_format(dtype)
    else:
        descriptor.format, descriptor.num_channels = array_format.SIGNED_INT32, channels
    if isinstance(descriptor, ArrayDescriptor3D):
        descriptor.depth = int(shape[0]) if len(shape) == 3 else 1
        if surface:
            descriptor.flags |= array3d_flags.SURFACE_LDST
            if len(shape) == 2:
                descriptor.flags |= array3d_flags.ARRAY3D_LAYERED
    return descriptor


def _filled(source: Any, order: str, surface: bool, on_device: bool) -> Array:
    _check_order(order)
    shape, itemsize = tuple(int(size) for size in source.shape), source.dtype.itemsize
    descriptor = _describe(shape, source.dtype, surface)
    array = Array(descriptor)
    copy: Memcpy2D | Memcpy3D = Memcpy3D() if isinstance(descriptor, ArrayDescriptor3D) else Memcpy2D()
    if on_device:
        copy.set_src_device(source.gpudata)
    else:
        copy.set_src_host(source)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = descriptor.width * itemsize
    copy.height = descriptor.height
    if isinstance(copy, Memcpy3D):
        copy.src_height = descriptor.height
        copy.depth = descriptor.depth if isinstance(descriptor, ArrayDescriptor3D) else 1
        copy()
    else:
        copy(aligned=True)
    return array


def np_to_array(nparray: Any, order: str, allowSurfaceBind: bool = False) -> Array:
    """Copy an array of NumPy of 2 or 3 dimensions to a new `Array`, with its elements in the order in which they lie.

    allowSurfaceBind: make an array that surfaces write to.

    Float64 and complex numbers are held as integers of 32 bits, two or four for each.
    """
    return _filled(nparray, order, allowSurfaceBind, on_device=False)


def gpuarray_to_array(gpuarray: Any, order: str, allowSurfaceBind: bool = False) -> Array:
    """Copy a GPUArray of 2 or 3 dimensions to a new `Array`, as `np_to_array`."""
    return _filled(gpuarray, order, allowSurfaceBind, on_device=True)


def make_multichannel_2d_array(ndarray: Any, order: str) -> Array:
    """Copy an array whose last dimension (order "C") or first dimension ("F") is the channels to a new two-dimensional
    `Array`.
    """
    order = _check_order(order)
    ndarray = np.asarray(ndarray, order="F" if order == "F" else "C")
    height, width, channels = ndarray.shape if order == "C" else ndarray.shape[::-1]
    descriptor = ArrayDescriptor()
    descriptor.width, descriptor.height = width, height
    descriptor.format, descriptor.num_channels = dtype_to_array_format(ndarray.dtype), channels
    array = Array(descriptor)
    copy = Memcpy2D()
    copy.set_src_host(ndarray)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = width * channels * ndarray.itemsize
    copy.height = height
    copy(aligned=True)
    return array


def bind_array_to_texref(ary: Array, texref: TextureReference) -> None:
    """Raise LogicError: texture references do not exist any more."""
    texref.set_array(ary)
    texref.set_address_mode(0, address_mode.CLAMP)
    texref.set_address_mode(1, address_mode.CLAMP)
    texref.set_filter_mode(filter_mode.POINT)


def matrix_to_texref(matrix: Any, texref: TextureReference, order: str) -> None:
    """Raise LogicError: texture references do not exist any more. `matrix_to_array` makes an array for a texture
    object.
    """
    bind_array_to_texref(matrix_to_array(matrix, order), texref)
