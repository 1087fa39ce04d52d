"""Arrays in the layout that textures and surfaces read."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from cuox._internal.driver_calls import bindings, call
from cuox._native import Device, GraphBuilder, Stream
from cuox.cuda.core.typing import ArrayFormatType

from .copies import copy
from .held import Closable, Held, current

# The formats, with their names in the driver's `CUarray_format` after the prefix.
_FORMATS = {
    ArrayFormatType.UINT8: "UNSIGNED_INT8",
    ArrayFormatType.UINT16: "UNSIGNED_INT16",
    ArrayFormatType.UINT32: "UNSIGNED_INT32",
    ArrayFormatType.INT8: "SIGNED_INT8",
    ArrayFormatType.INT16: "SIGNED_INT16",
    ArrayFormatType.INT32: "SIGNED_INT32",
    ArrayFormatType.FLOAT16: "HALF",
    ArrayFormatType.FLOAT32: "FLOAT",
}
_SURFACE = 0x02  # CUDA_ARRAY3D_SURFACE_LDST
_Options = TypeVar("_Options")


def array_format(given: object) -> ArrayFormatType:
    """A format by its name or by a type of NumPy."""
    names = ", ".join(map(repr, map(str, ArrayFormatType)))
    if isinstance(given, str) and given in list(ArrayFormatType):
        return ArrayFormatType(given)
    try:
        # NumPy takes None for float64.
        dtype = np.dtype(given if given is not None else "")  # type: ignore[call-overload]
    except TypeError:
        raise ValueError(f"format must be an ArrayFormatType, one of {names}, or a dtype, got {given!r}") from None
    if dtype.name not in list(ArrayFormatType):
        raise ValueError(f"format: {dtype} has no ArrayFormatType equivalent, which is one of {names}")
    return ArrayFormatType(dtype.name)


def driver_format(given: ArrayFormatType) -> Any:
    """A format as the driver has it."""
    return getattr(bindings().CUarray_format, f"CU_AD_FORMAT_{_FORMATS[given]}")


def element_bytes(form: ArrayFormatType, num_channels: int) -> int:
    """The bytes of an element."""
    return np.dtype(str(form)).itemsize * num_channels


def whole(name: str, given: object) -> int:
    """An int, also one of NumPy."""
    try:
        return operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}: expected an int, got {type(given).__name__}") from None


def checked_channels(given: object) -> int:
    """A number of channels."""
    channels = whole("num_channels", given)
    if channels not in (1, 2, 4) or isinstance(given, bool):
        raise ValueError(f"num_channels must be 1, 2 or 4, got {given!r}")
    return channels


def _checked_shape(given: object) -> tuple[int, ...]:
    try:
        shape = tuple(dim.__index__() for dim in given)  # type: ignore[attr-defined]
    except (TypeError, AttributeError):
        raise TypeError(f"shape must be a tuple of one to three ints, got {given!r}") from None
    if not 1 <= len(shape) <= 3:
        raise ValueError(f"shape rank must be 1, 2 or 3, got {len(shape)}")
    for place, dim in enumerate(shape):
        if not 1 <= dim < 1 << 32:
            raise ValueError(f"shape[{place}] must be >= 1, got {dim}")
    return shape


def options_of(given: object, kind: type[_Options]) -> _Options:
    """Options given as an object, or as a dict with fields of it."""
    if isinstance(given, kind):
        return given
    if isinstance(given, Mapping):
        return kind(**given)
    raise TypeError(
        f"options must be provided as an object of type {kind.__name__}, or a dict, got {type(given).__name__}"
    )


@dataclass
class OpaqueArrayOptions:
    """The options of `Device.create_opaque_array`.

    shape: the elements along one to three axes: (width,), (width, height) or (width, height, depth).
    format: the numbers of an element: an ArrayFormatType, its text ("float32") or a dtype of NumPy.
    num_channels: how many numbers an element has: 1, 2 or 4.
    is_surface_load_store: kernels can write the array through a SurfaceObject.

    Raises TypeError and ValueError.
    """

    shape: tuple[int, ...]
    format: Any
    num_channels: int
    is_surface_load_store: bool = False

    def __post_init__(self) -> None:
        self.shape = _checked_shape(self.shape)
        self.format = array_format(self.format)
        self.num_channels = checked_channels(self.num_channels)


@dataclass
class MipmappedArrayOptions:
    """The options of `Device.create_mipmapped_array`: those of an array, and

    num_levels: the number of levels, each half as large along each axis as the one before, at least 1.

    Raises TypeError and ValueError.
    """

    shape: tuple[int, ...]
    format: Any
    num_channels: int
    num_levels: int
    is_surface_load_store: bool = False

    def __post_init__(self) -> None:
        self.shape = _checked_shape(self.shape)
        self.format = array_format(self.format)
        self.num_channels = checked_channels(self.num_channels)
        self.num_levels = whole("num_levels", self.num_levels)
        if not 1 <= self.num_levels < 1 << 32:
            raise ValueError(f"num_levels must be >= 1, got {self.num_levels}")


class _AnyArray(Closable):
    """What both kinds of arrays have."""

    __slots__ = ("_options",)
    _options: OpaqueArrayOptions | MipmappedArrayOptions

    @property
    def shape(self) -> tuple[int, ...]:
        """The elements along each axis, width first."""
        return self._options.shape

    @property
    def format(self) -> ArrayFormatType:
        """The numbers of an element."""
        form: ArrayFormatType = self._options.format
        return form

    @property
    def num_channels(self) -> int:
        """How many numbers an element has: 1, 2 or 4."""
        return self._options.num_channels

    @property
    def is_surface_load_store(self) -> bool:
        """True if kernels can write the array through a SurfaceObject."""
        return bool(self._options.is_surface_load_store)

    def _shown(self) -> str:
        return f"handle={self.handle:#x} shape={self.shape} format='{self.format}' num_channels={self.num_channels}"


class OpaqueArray(_AnyArray):
    """Memory of a device in a layout that is the device's own, for textures and surfaces. It has no address.

    `Device.create_opaque_array` and `MipmappedArray.get_level` make one. Driver API manual, `cuArray3DCreate`.
    """

    __slots__ = ()
    _MADE_BY = "Device.create_opaque_array"

    @property
    def element_bytes(self) -> int:
        """The bytes of an element."""
        return element_bytes(self.format, self.num_channels)

    @property
    def size_bytes(self) -> int:
        """The bytes of all elements."""
        return math.prod(self.shape) * self.element_bytes

    def copy_from(self, src: Any, *, stream: Stream | GraphBuilder) -> None:
        """Fill the array, in a stream's order.

        src: a Buffer of at least `size_bytes` bytes, or host memory of as many, whose elements are bytes or the array's
            numbers and lie one after another: rows of the first axis, one after another. Host memory is waited for.
        stream: a Stream, or a GraphBuilder that captures the copy and keeps what it uses.

        Raises TypeError, also for elements of another type, ValueError if the number of bytes does not fit,
        ClosedError, CUDAError. Driver API manual, `cuMemcpy3DAsync`.
        """
        copy(self, src, stream, to_array=True)

    def copy_to(self, dst: Any, *, stream: Stream | GraphBuilder) -> Any:
        """Copy the array to a Buffer or to writable host memory, as `copy_from` does it; return `dst`."""
        copy(self, dst, stream, to_array=False)
        return dst

    def __repr__(self) -> str:
        return f"<OpaqueArray {self._shown()}>"


class MipmappedArray(_AnyArray):
    """An array at several levels, each half as large along each axis as the one before, for textures.

    `Device.create_mipmapped_array` makes one. Driver API manual, `cuMipmappedArrayCreate`.
    """

    __slots__ = ()
    _MADE_BY = "Device.create_mipmapped_array"
    _options: MipmappedArrayOptions

    @property
    def num_levels(self) -> int:
        """The number of levels."""
        return self._options.num_levels

    def get_level(self, level: int) -> OpaqueArray:
        """Return the array of a level, from 0 on. It keeps the memory of all levels.

        Raises ValueError if there is no such level. Driver API manual, `cuMipmappedArrayGetLevel`.
        """
        level = whole("level", level)
        if level < 0:
            raise ValueError(f"level must be >= 0, got {level}")
        if level >= self.num_levels:
            raise ValueError(f"level must be less than num_levels, {self.num_levels}, got {level}")
        held = self._open()
        with current(held.context):
            handle = call("cuMipmappedArrayGetLevel", held.value, level)
        made = OpaqueArray._of(Held(held.context, handle, None, kept=held))
        made._options = OpaqueArrayOptions(
            tuple(max(1, dim >> level) for dim in self.shape),
            self.format,
            self.num_channels,
            self.is_surface_load_store,
        )
        return made

    def __repr__(self) -> str:
        return f"<MipmappedArray {self._shown()} num_levels={self.num_levels}>"


def _descriptor(options: OpaqueArrayOptions | MipmappedArrayOptions) -> Any:
    record = bindings().CUDA_ARRAY3D_DESCRIPTOR()
    # An axis that is not there has length 0.
    record.Width, record.Height, record.Depth = (*options.shape, 0, 0)[:3]
    record.Format, record.NumChannels = driver_format(options.format), options.num_channels
    record.Flags = _SURFACE if options.is_surface_load_store else 0
    return record


def create_opaque_array(device: Device, options: object) -> OpaqueArray:
    """`Device.create_opaque_array`."""
    # A copy, which is checked: fields can be set.
    given = replace(options_of(options, OpaqueArrayOptions))
    context = device.context
    with current(context):
        handle = call("cuArray3DCreate", _descriptor(given))
    made = OpaqueArray._of(Held(context, handle, "cuArrayDestroy"))
    made._options = given
    return made


def create_mipmapped_array(device: Device, options: object) -> MipmappedArray:
    """`Device.create_mipmapped_array`."""
    given = replace(options_of(options, MipmappedArrayOptions))
    context = device.context
    with current(context):
        handle = call("cuMipmappedArrayCreate", _descriptor(given), given.num_levels)
    made = MipmappedArray._of(Held(context, handle, "cuMipmappedArrayDestroy"))
    made._options = given
    return made
