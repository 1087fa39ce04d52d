"""Textures and surfaces, which kernels read and write through."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from cuox._internal.driver_calls import bindings, call
from cuox._native import Device
from cuox.cuda.core.typing import AddressModeType, FilterModeType, ReadModeType

from .arrays import OpaqueArray, options_of, whole
from .held import Closable, Held, current
from .resources import ResourceDescriptor

_Kind = TypeVar("_Kind", bound=StrEnum)


def _mode(name: str, given: object, kind: type[_Kind]) -> _Kind:
    if isinstance(given, str) and given in list(kind):
        return kind(given)
    raise ValueError(f"{name} must be a {kind.__name__}, one of {', '.join(map(repr, map(str, kind)))}, got {given!r}")


@dataclass
class TextureObjectOptions:
    """How a texture is read. Driver API manual, `CUDA_TEXTURE_DESC`.

    address_mode: what is read outside of the array, an AddressModeType; or a tuple of up to three, one for each axis,
        the last for those that are left.
    filter_mode: the way of reading between elements, a FilterModeType.
    read_mode: the values that integers give: as they are, or as floats from 0 to 1 (from -1 with a sign), a
        ReadModeType.
    normalized_coords: coordinates go from 0 to 1, not to the number of elements.
    srgb: sRGB becomes linear on reading, for 8 bits.
    disable_trilinear_optimization: filtering between levels is exact.
    seamless_cubemap: filtering goes across the edges of a cube map.
    max_anisotropy: most samples of anisotropic filtering; 0 for none.
    mipmap_filter_mode: the way of reading between levels, a FilterModeType.
    mipmap_level_bias, min_mipmap_level_clamp, max_mipmap_level_clamp: what is added to the level, and its limits.
    border_color: four floats that are read outside with AddressModeType.BORDER; None for zeros.

    Raises ValueError for a mode that is none.
    """

    address_mode: AddressModeType | str | tuple[AddressModeType | str, ...] = AddressModeType.CLAMP
    filter_mode: FilterModeType | str = FilterModeType.POINT
    read_mode: ReadModeType | str = ReadModeType.ELEMENT_TYPE
    normalized_coords: bool = False
    srgb: bool = False
    disable_trilinear_optimization: bool = False
    seamless_cubemap: bool = False
    max_anisotropy: int = 0
    mipmap_filter_mode: FilterModeType | str = FilterModeType.POINT
    mipmap_level_bias: float = 0.0
    min_mipmap_level_clamp: float = 0.0
    max_mipmap_level_clamp: float = 0.0
    border_color: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        self.filter_mode = _mode("filter_mode", self.filter_mode, FilterModeType)
        self.read_mode = _mode("read_mode", self.read_mode, ReadModeType)
        self.mipmap_filter_mode = _mode("mipmap_filter_mode", self.mipmap_filter_mode, FilterModeType)

    def _address_modes(self) -> list[AddressModeType]:
        """The modes of the three axes."""
        given = self.address_mode
        if isinstance(given, str):
            return [_mode("address_mode", given, AddressModeType)] * 3
        try:
            modes = tuple(given)
        except TypeError:
            raise TypeError(f"address_mode must be an AddressModeType or a tuple of them, got {given!r}") from None
        if not 1 <= len(modes) <= 3:
            raise ValueError(f"address_mode tuple must have 1-3 entries, got {len(modes)}")
        found = [_mode(f"address_mode[{place}]", mode, AddressModeType) for place, mode in enumerate(modes)]
        return found + found[-1:] * (3 - len(found))

    def _record(self) -> Any:
        """The driver's record. Raises TypeError and ValueError."""
        names = bindings()
        record = names.CUDA_TEXTURE_DESC()
        record.addressMode = [
            getattr(names.CUaddress_mode, f"CU_TR_ADDRESS_MODE_{mode.name}") for mode in self._address_modes()
        ]
        filters = names.CUfilter_mode
        record.filterMode = getattr(filters, f"CU_TR_FILTER_MODE_{FilterModeType(self.filter_mode).name}")
        record.mipmapFilterMode = getattr(filters, f"CU_TR_FILTER_MODE_{FilterModeType(self.mipmap_filter_mode).name}")
        # CU_TRSF_READ_AS_INTEGER, NORMALIZED_COORDINATES, SRGB, DISABLE_TRILINEAR_OPTIMIZATION, SEAMLESS_CUBEMAP.
        flags = {
            0x01: self.read_mode == ReadModeType.ELEMENT_TYPE,
            0x02: self.normalized_coords,
            0x10: self.srgb,
            0x20: self.disable_trilinear_optimization,
            0x40: self.seamless_cubemap,
        }
        record.flags = sum(flag for flag, is_set in flags.items() if is_set)
        anisotropy = whole("max_anisotropy", self.max_anisotropy)
        if not 0 <= anisotropy < 1 << 32:
            raise ValueError(f"max_anisotropy must be >= 0, got {anisotropy}")
        record.maxAnisotropy = anisotropy
        record.mipmapLevelBias = float(self.mipmap_level_bias)
        record.minMipmapLevelClamp = float(self.min_mipmap_level_clamp)
        record.maxMipmapLevelClamp = float(self.max_mipmap_level_clamp)
        if self.border_color is not None:
            color = [float(part) for part in self.border_color]
            if len(color) != 4:
                raise ValueError(f"border_color must have 4 floats, got {len(color)}")
            record.borderColor = color
        return record


class _Object(Closable):
    """What textures and surfaces have."""

    __slots__ = ("_resource",)
    _resource: ResourceDescriptor

    @property
    def resource(self) -> ResourceDescriptor:
        """The memory that it reads."""
        return self._resource

    def __index__(self) -> int:
        """The handle: as a kernel's argument the object itself does. Raises ClosedError after `close`."""
        return int(self._open().value)


class TextureObject(_Object):
    """A texture: kernels read through it. It, or its `handle`, is a kernel's argument for a `cudaTextureObject_t`,
    and has to live until the kernel is done.

    `Device.create_texture_object` makes one. It keeps the memory. Driver API manual, `cuTexObjectCreate`.
    """

    __slots__ = ("_options",)
    _MADE_BY = "Device.create_texture_object"
    _options: TextureObjectOptions

    @property
    def options(self) -> TextureObjectOptions:
        """How it is read."""
        return self._options

    def __repr__(self) -> str:
        return f"<TextureObject handle={self.handle:#x} resource={self._resource!r}>"


class SurfaceObject(_Object):
    """A surface: kernels read and write elements of an array through it. It, or its `handle`, is a kernel's
    argument for a `cudaSurfaceObject_t`, and has to live until the kernel is done.

    `Device.create_surface_object` makes one. It keeps the array. Driver API manual, `cuSurfObjectCreate`.
    """

    __slots__ = ()
    _MADE_BY = "Device.create_surface_object"

    def __repr__(self) -> str:
        return f"<SurfaceObject handle={self.handle:#x} resource={self._resource!r}>"


def _checked(device: Device, resource: object) -> ResourceDescriptor:
    if not isinstance(resource, ResourceDescriptor):
        raise TypeError(f"resource must be a ResourceDescriptor, got {type(resource).__name__}")
    if isinstance(resource.source, Closable) and resource.source.device != device:
        raise ValueError(f"resource: its array is on {resource.source.device!r}, not on {device!r}")
    return resource


def create_texture_object(device: Device, resource: object, options: object = None) -> TextureObject:
    """`Device.create_texture_object`."""
    given = TextureObjectOptions() if options is None else options_of(options, TextureObjectOptions)
    checked = _checked(device, resource)
    record, kept = checked._record()
    context = device.context
    with current(context):
        handle = call("cuTexObjectCreate", record, given._record(), None)
    made = TextureObject._of(Held(context, handle, "cuTexObjectDestroy", kept))
    made._resource, made._options = checked, given
    return made


def create_surface_object(device: Device, resource: object) -> SurfaceObject:
    """`Device.create_surface_object`."""
    checked = _checked(device, resource)
    array = checked.source
    if not isinstance(array, OpaqueArray):
        raise ValueError(f"a surface's resource must be array-backed (from_opaque_array), not {checked.kind!r}")
    if not array.is_surface_load_store:
        raise ValueError("a surface's array must be created with is_surface_load_store=True")
    record, kept = checked._record()
    context = device.context
    with current(context):
        handle = call("cuSurfObjectCreate", record)
    made = SurfaceObject._of(Held(context, handle, "cuSurfObjectDestroy", kept))
    made._resource = checked
    return made
