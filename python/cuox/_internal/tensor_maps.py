"""Tensor maps of `cuda.core`: descriptions of tensors for copies of boxes of them (`cp.async.bulk.tensor`)."""

from __future__ import annotations

import enum
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from cuox._internal.driver_calls import call
from cuox._native import Array, Buffer, Device, StridedMemoryView, _ContextMark

if TYPE_CHECKING:
    import numpy as np

_KDLCUDA = 2
_Enum = TypeVar("_Enum", bound=enum.IntEnum)


class TensorMapDataType(enum.IntEnum):
    """Types of elements: the driver's `CUtensorMapDataType`."""

    UINT8 = 0
    UINT16 = 1
    UINT32 = 2
    INT32 = 3
    UINT64 = 4
    INT64 = 5
    FLOAT16 = 6
    FLOAT32 = 7
    FLOAT64 = 8
    BFLOAT16 = 9
    FLOAT32_FTZ = 10
    TFLOAT32 = 11
    TFLOAT32_FTZ = 12


class TensorMapInterleave(enum.IntEnum):
    """Groups of channels: the driver's `CUtensorMapInterleave`."""

    NONE = 0
    INTERLEAVE_16B = 1
    INTERLEAVE_32B = 2


class TensorMapSwizzle(enum.IntEnum):
    """The order of bytes in shared memory: the driver's `CUtensorMapSwizzle`."""

    NONE = 0
    SWIZZLE_32B = 1
    SWIZZLE_64B = 2
    SWIZZLE_128B = 3


class TensorMapL2Promotion(enum.IntEnum):
    """How much of memory goes to the L2 cache at once: the driver's `CUtensorMapL2promotion`."""

    NONE = 0
    L2_64B = 1
    L2_128B = 2
    L2_256B = 3


class TensorMapOOBFill(enum.IntEnum):
    """Elements outside of the tensor: the driver's `CUtensorMapFloatOOBfill`, for zeros or a NaN."""

    NONE = 0
    NAN_REQUEST_ZERO_FMA = 1


class TensorMapIm2ColWideMode(enum.IntEnum):
    """Modes of im2col along W alone: the driver's `CUtensorMapIm2ColWideMode`."""

    W = 0
    W128 = 1


# The types of elements that have a dtype, by its name: that of bfloat16 is of another package than NumPy.
_BY_DTYPE = {
    name: TensorMapDataType[name.upper()]
    for name in ("uint8", "uint16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64", "bfloat16")
}
_SIZES = {
    TensorMapDataType.UINT8: 1,
    TensorMapDataType.UINT16: 2,
    TensorMapDataType.FLOAT16: 2,
    TensorMapDataType.BFLOAT16: 2,
    TensorMapDataType.UINT64: 8,
    TensorMapDataType.INT64: 8,
    TensorMapDataType.FLOAT64: 8,
}


def _element_size(data_type: TensorMapDataType) -> int:
    return _SIZES.get(data_type, 4)


def _numbers(name: str, given: Any) -> tuple[int, ...]:
    """The ints of a sequence."""
    try:
        items = tuple(given)
    except TypeError:
        raise TypeError(f"{name} must be a tuple of ints, got {type(given).__name__}") from None
    numbers = []
    for place, item in enumerate(items):
        try:
            numbers.append(operator.index(item))
        except TypeError:
            raise TypeError(f"{name}[{place}] must be an int, got {type(item).__name__}") from None
    return tuple(numbers)


def _one_of(name: str, given: Any, kind: type[_Enum]) -> _Enum:
    if not isinstance(given, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {type(given).__name__}")
    return given


def _dtype(given: Any) -> TensorMapDataType | np.dtype[Any] | None:
    """An explicit type of elements."""
    if given is None or isinstance(given, TensorMapDataType):
        return given
    import numpy as np

    try:
        dtype: np.dtype[Any] = np.dtype(given)
    except TypeError:
        raise TypeError(
            f"data_type must be a TensorMapDataType or a dtype of NumPy or ml_dtypes, got {type(given).__name__}"
        ) from None
    return dtype


def _data_type(view: StridedMemoryView, given: Any) -> TensorMapDataType:
    """The type of elements: the given one, which has their size or is one of bytes, else that of the view."""
    found, size = _known_type(view, given), view._layout.itemsize
    if size not in (1, _element_size(found)):
        raise ValueError(
            f"data_type {found.name} has elements of {_element_size(found)} bytes, and those of the view have {size}: "
            "make a view of other elements, or of bytes (StridedMemoryView.from_buffer)"
        )
    return found


def _known_type(view: StridedMemoryView, given: Any) -> TensorMapDataType:
    found = _dtype(given)
    if isinstance(found, TensorMapDataType):
        return found
    dtype: Any = view.dtype if found is None else found
    if dtype is None:
        raise ValueError("the tensor does not tell the type of its elements: pass data_type")
    data_type = _BY_DTYPE.get(dtype.name) if dtype.isnative else None
    if data_type is None:
        raise ValueError(
            f"tensor maps have no elements of type {dtype}; they have {', '.join(_BY_DTYPE)}. Pass data_type"
        )
    return data_type


@dataclass
class TensorMapDescriptorOptions:
    """Options of `StridedMemoryView.as_tensor_map`. Tuples have a number for each dimension of the view, in its order.

    box_dim: the elements that a copy moves along each dimension, from 1 to 256.
    element_strides: the steps between them, from 1 to 8; None is 1.
    data_type: the type of elements: a dtype of NumPy or ml_dtypes, or a `TensorMapDataType`; None is the view's.
    interleave: a `TensorMapInterleave`.
    swizzle: a `TensorMapSwizzle`.
    l2_promotion: a `TensorMapL2Promotion`.
    oob_fill: a `TensorMapOOBFill`.

    Raises TypeError for values of other types.
    """

    box_dim: tuple[int, ...]
    element_strides: tuple[int, ...] | None = None
    data_type: object = None
    interleave: TensorMapInterleave = TensorMapInterleave.NONE
    swizzle: TensorMapSwizzle = TensorMapSwizzle.NONE
    l2_promotion: TensorMapL2Promotion = TensorMapL2Promotion.NONE
    oob_fill: TensorMapOOBFill = TensorMapOOBFill.NONE

    def __post_init__(self) -> None:
        self.box_dim = _numbers("box_dim", self.box_dim)
        if self.element_strides is not None:
            self.element_strides = _numbers("element_strides", self.element_strides)
        self.data_type = _dtype(self.data_type)
        self.interleave = _one_of("interleave", self.interleave, TensorMapInterleave)
        self.swizzle = _one_of("swizzle", self.swizzle, TensorMapSwizzle)
        self.l2_promotion = _one_of("l2_promotion", self.l2_promotion, TensorMapL2Promotion)
        self.oob_fill = _one_of("oob_fill", self.oob_fill, TensorMapOOBFill)


def _options(box_dim: Any, options: Any, others: dict[str, Any]) -> TensorMapDescriptorOptions:
    """The options of a call, given as one object or each by itself."""
    others = {name: value for name, value in others.items() if value is not None}
    if options is None:
        if box_dim is None:
            raise TypeError("box_dim is required unless options is provided")
        return TensorMapDescriptorOptions(box_dim, **others)
    if box_dim is not None or others:
        raise TypeError("Specify either options or the individual tensor map arguments, not both")
    if isinstance(options, Mapping):
        return TensorMapDescriptorOptions(**options)
    if isinstance(options, TensorMapDescriptorOptions):
        return options
    raise TypeError(f"options must be a TensorMapDescriptorOptions or a mapping, got {type(options).__name__}")


def _check_view(view: StridedMemoryView) -> None:
    view._check_open()
    owner = view.exporting_obj
    # Raises ClosedError after `Device.reset`.
    if isinstance(owner, Array):
        _ = owner.ptr
    elif isinstance(owner, Buffer) and not owner.is_closed:
        _ = owner.handle
    if not view.is_device_accessible:
        raise ValueError("The tensor must be device-accessible")
    if view.ptr % 16:
        raise ValueError(f"the tensor's address must be a multiple of 16, got {view.ptr:#x}")


def _check_device(view: Any, device_id: int, operation: str) -> None:
    """Refuse memory of another device; memory of the host, and managed memory, are every device's."""
    kind, number = view.__dlpack_device__()
    if kind == _KDLCUDA and number != device_id:
        raise ValueError(f"{operation} expects tensor on device {device_id}, got {number}")


def _byte_strides(shape: tuple[int, ...], strides: tuple[int, ...] | None, size: int) -> list[int]:
    """The bytes from an element to the next along each dimension."""
    if strides is not None:
        return [stride * size for stride in strides]
    found, stride = [], size
    for extent in reversed(shape):
        found.append(stride)
        stride *= extent
    return found[::-1]


def _context() -> tuple[int, int]:
    """The current context and the number of its device."""
    context = int(call("cuCtxGetCurrent") or 0)
    if not context:
        raise RuntimeError("TensorMapDescriptor requires an active CUDA context: device.set_current() makes one")
    return context, int(call("cuCtxGetDevice"))


def _sized(name: str, given: Iterable[int] | None, count: int, note: str = "") -> tuple[int, ...]:
    """Numbers for each dimension; 1 where none are given."""
    if given is None:
        return (1,) * count
    numbers = _numbers(name, given)
    if len(numbers) != count:
        raise ValueError(f"{name} must have {count} elements{note}, got {len(numbers)}")
    return numbers


class TensorMapDescriptor:
    """A tensor map, made by `StridedMemoryView.as_tensor_map`: an argument of launches, for a parameter
    `const __grid_constant__ CUtensorMap` or another structure of 128 bytes at a multiple of 64.

    It holds the view that it was made of. It needs compute capability 9.0 or higher.
    """

    _map: Any
    _view: StridedMemoryView
    _place: tuple[int, int]
    _mark: _ContextMark
    _text: str

    def __init__(self) -> None:
        raise RuntimeError(
            "TensorMapDescriptor cannot be instantiated directly. Use StridedMemoryView.as_tensor_map() instead."
        )

    @property
    def device(self) -> Device:
        """The device that was current when the map was made."""
        return Device(self._place[1])

    @property
    def _as_parameter_(self) -> Any:
        self._check_context()
        self._view._check_open()
        return self._map

    def _check_context(self) -> None:
        self._mark.check()
        context, device_id = _context()
        if device_id != self._place[1]:
            raise RuntimeError(
                f"TensorMapDescriptor belongs to device {self._place[1]}, but current device is {device_id}"
            )
        if context != self._place[0]:
            raise RuntimeError("TensorMapDescriptor was created in a different CUDA context")

    @classmethod
    def _made(
        cls,
        method: str,
        view: StridedMemoryView,
        data_type: Any,
        element_strides: Iterable[int] | None,
        least: int,
        function: str,
        middle: Any,
        last: tuple[Any, ...],
        swizzle: TensorMapSwizzle,
    ) -> TensorMapDescriptor:
        """Encode a map. `middle` gives, for a number of dimensions, the parameters that stand behind the strides."""
        _check_view(view)
        place = _context()
        _check_device(view, place[1], f"TensorMapDescriptor._from_{method}")
        kind = _data_type(view, data_type)
        shape = tuple(view.shape)
        rank = len(shape)
        if not least <= rank <= 5:
            subject = {"tiled": "Tensor", "im2col": "Im2col tensor"}.get(method, "Im2col-wide tensor")
            raise ValueError(f"{subject} rank must be between {least} and 5, got {rank}")
        parameters = middle(rank)
        steps = _sized("element_strides", element_strides, rank)
        size = view._layout.itemsize
        strides = _byte_strides(shape, view.strides, size)
        if strides[-1] != size and shape[-1] > 1:
            raise ValueError(
                f"the elements of the tensor's last dimension must lie side by side, got a stride of {strides[-1]} bytes"
            )
        if size != _element_size(kind):
            # Bytes are those of the type's elements, as for NumPy's `view`.
            if shape[-1] % _element_size(kind):
                raise ValueError(f"the tensor's last dimension of {shape[-1]} bytes has no whole elements {kind.name}")
            shape = (*shape[:-1], shape[-1] // _element_size(kind))
        if min(strides) < 0:
            raise ValueError(f"a tensor map has no negative strides, got {tuple(strides)} bytes")
        made = cls.__new__(cls)
        made._map = call(function, kind, rank, view.ptr, shape[::-1], strides[-2::-1], *parameters, steps[::-1], *last)
        made._view, made._place, made._mark = view, place, _ContextMark()
        made._text = f"{method}, rank={rank}, dtype={kind.name}, swizzle={swizzle.name}"
        return made

    @classmethod
    def _from_tiled(
        cls,
        view: StridedMemoryView,
        box_dim: Iterable[int] | None = None,
        *,
        options: TensorMapDescriptorOptions | Mapping[str, Any] | None = None,
        **others: Any,
    ) -> TensorMapDescriptor:
        """Make a map of boxes; see `StridedMemoryView.as_tensor_map`."""
        chosen = _options(box_dim, options, others)

        def middle(rank: int) -> tuple[Any, ...]:
            box = _sized("box_dim", chosen.box_dim, rank, " (same as tensor rank)")
            for place, extent in enumerate(box):
                if not 1 <= extent <= 256:
                    raise ValueError(f"box_dim[{place}] must be in [1, 256], got {extent}")
            return (box[::-1],)

        last = (chosen.interleave, chosen.swizzle, chosen.l2_promotion, chosen.oob_fill)
        return cls._made(
            "tiled",
            view,
            chosen.data_type,
            chosen.element_strides,
            1,
            "cuTensorMapEncodeTiled",
            middle,
            last,
            chosen.swizzle,
        )

    @classmethod
    def _from_im2col(
        cls,
        view: StridedMemoryView,
        pixel_box_lower_corner: Iterable[int],
        pixel_box_upper_corner: Iterable[int],
        channels_per_pixel: int,
        pixels_per_column: int,
        *,
        element_strides: Iterable[int] | None = None,
        data_type: object = None,
        interleave: TensorMapInterleave = TensorMapInterleave.NONE,
        swizzle: TensorMapSwizzle = TensorMapSwizzle.NONE,
        l2_promotion: TensorMapL2Promotion = TensorMapL2Promotion.NONE,
        oob_fill: TensorMapOOBFill = TensorMapOOBFill.NONE,
    ) -> TensorMapDescriptor:
        """Make a map of pixels of images: a view of shape (N, …, C) with one to three dimensions between.

        pixel_box_lower_corner, pixel_box_upper_corner: distances of the bounding box's corners from those of an image,
        a number for each dimension between, in the view's order.
        channels_per_pixel: elements along the last dimension.
        pixels_per_column: pixels that a copy moves.
        The others are as those of `TensorMapDescriptorOptions`.

        Raises ValueError for other numbers of dimensions or of corners, CUDAError for values that the driver refuses.
        """

        def middle(rank: int) -> tuple[Any, ...]:
            note = " (rank - 2)"
            lower = _sized("pixel_box_lower_corner", pixel_box_lower_corner, rank - 2, note)
            upper = _sized("pixel_box_upper_corner", pixel_box_upper_corner, rank - 2, note)
            return lower[::-1], upper[::-1], channels_per_pixel, pixels_per_column

        last = (interleave, swizzle, l2_promotion, oob_fill)
        return cls._made(
            "im2col", view, data_type, element_strides, 3, "cuTensorMapEncodeIm2col", middle, last, swizzle
        )

    @classmethod
    def _from_im2col_wide(
        cls,
        view: StridedMemoryView,
        pixel_box_lower_corner_width: int,
        pixel_box_upper_corner_width: int,
        channels_per_pixel: int,
        pixels_per_column: int,
        *,
        element_strides: Iterable[int] | None = None,
        data_type: object = None,
        interleave: TensorMapInterleave = TensorMapInterleave.NONE,
        mode: TensorMapIm2ColWideMode = TensorMapIm2ColWideMode.W,
        swizzle: TensorMapSwizzle = TensorMapSwizzle.SWIZZLE_128B,
        l2_promotion: TensorMapL2Promotion = TensorMapL2Promotion.NONE,
        oob_fill: TensorMapOOBFill = TensorMapOOBFill.NONE,
    ) -> TensorMapDescriptor:
        """Make a map of pixels along W alone, for devices of compute capability 10.0 or higher; see `_from_im2col`.
        The driver makes it on one of 9.0 as well, where no copy takes it.

        mode: whether a copy moves `pixels_per_column` pixels or 128.

        Raises ValueError for other numbers of dimensions, CUDAError for values that the driver refuses.
        """

        def middle(_rank: int) -> tuple[Any, ...]:
            return (
                pixel_box_lower_corner_width,
                pixel_box_upper_corner_width,
                channels_per_pixel,
                pixels_per_column,
            )

        last = (interleave, mode, swizzle, l2_promotion, oob_fill)
        return cls._made(
            "im2col_wide", view, data_type, element_strides, 3, "cuTensorMapEncodeIm2colWide", middle, last, swizzle
        )

    def replace_address(self, tensor: object) -> None:
        """Let the map describe other memory of the same layout.

        tensor: a `StridedMemoryView`, or an object with DLPack or `__cuda_array_interface__`.

        Raises ValueError for memory that the device does not reach, that is another device's, or whose address is no
        multiple of 16, RuntimeError in another context.
        """
        self._check_context()
        view = (
            tensor
            if isinstance(tensor, StridedMemoryView)
            else StridedMemoryView.from_any_interface(tensor, stream_ptr=-1)
        )
        _check_view(view)
        _check_device(view, self._place[1], "replace_address")
        call("cuTensorMapReplaceAddress", self._map, view.ptr)
        self._view = view

    def __reduce__(self) -> NoReturn:
        raise TypeError("a TensorMapDescriptor cannot be pickled: it holds an address of this process's")

    def __repr__(self) -> str:
        return f"TensorMapDescriptor({self._text})"


def as_tensor_map(view: StridedMemoryView, box_dim: Any, options: Any, others: dict[str, Any]) -> TensorMapDescriptor:
    """What `StridedMemoryView.as_tensor_map` returns."""
    return TensorMapDescriptor._from_tiled(view, box_dim, options=options, **others)
