"""The memory that a texture or surface reads."""

from __future__ import annotations

from typing import Any, NoReturn

from cuox._internal.driver_calls import bindings
from cuox._native import Buffer
from cuox.cuda.core.typing import ArrayFormatType

from .arrays import MipmappedArray, OpaqueArray, array_format, checked_channels, driver_format, element_bytes, whole


class ResourceDescriptor:
    """The memory that a texture or surface reads: an array, a mipmapped array, or a Buffer. Driver API manual,
    `CUDA_RESOURCE_DESC`.

    The methods `from_...` make one.
    """

    __slots__ = (
        "__weakref__",
        "_format",
        "_height",
        "_kind",
        "_num_channels",
        "_pitch_bytes",
        "_size_bytes",
        "_source",
        "_width",
    )
    _kind: str
    _source: OpaqueArray | MipmappedArray | Buffer
    _format: ArrayFormatType | None
    _num_channels: int | None
    _size_bytes: int | None
    _width: int | None
    _height: int | None
    _pitch_bytes: int | None

    def __init__(self) -> None:
        raise RuntimeError(
            "ResourceDescriptor cannot be instantiated directly; ResourceDescriptor.from_opaque_array, from_mipmapped_array, "
            "from_linear and from_pitch2d make one"
        )

    @classmethod
    def _of(cls, kind: str, source: OpaqueArray | MipmappedArray | Buffer) -> ResourceDescriptor:
        made = cls.__new__(cls)
        made._kind, made._source = kind, source
        made._format = made._num_channels = made._size_bytes = None
        made._width = made._height = made._pitch_bytes = None
        return made

    @classmethod
    def from_opaque_array(cls, array: OpaqueArray) -> ResourceDescriptor:
        """Describe an array, for a texture or a surface. Raises TypeError for other objects."""
        if not isinstance(array, OpaqueArray):
            raise TypeError(f"array must be an OpaqueArray, got {type(array).__name__}")
        return cls._of("array", array)

    @classmethod
    def from_mipmapped_array(cls, mipmapped_array: MipmappedArray) -> ResourceDescriptor:
        """Describe an array with levels, for a texture; for a surface describe one level. Raises TypeError for other
        objects.
        """
        if not isinstance(mipmapped_array, MipmappedArray):
            raise TypeError(f"mipmapped_array must be a MipmappedArray, got {type(mipmapped_array).__name__}")
        return cls._of("mipmapped_array", mipmapped_array)

    @classmethod
    def from_linear(
        cls, buffer: Buffer, *, format: Any, num_channels: int, size_bytes: int | None = None
    ) -> ResourceDescriptor:
        """Describe memory as a row of elements, for a texture whose elements are fetched by their number.

        buffer: the memory.
        format, num_channels: the elements, as for `OpaqueArrayOptions`.
        size_bytes: the bytes that are used, a multiple of an element's; None is all of the buffer.

        Raises TypeError and ValueError.
        """
        made, element = cls._of_buffer("linear", buffer, format, num_channels)
        size = buffer.size if size_bytes is None else whole("size_bytes", size_bytes)
        if size > buffer.size:
            raise ValueError(f"size_bytes, {size}, exceeds buffer.size, {buffer.size}")
        if size < element:
            raise ValueError(f"size_bytes, {size}, must be at least one element, {element} bytes")
        if size % element:
            raise ValueError(f"size_bytes, {size}, must be a multiple of element size, {element} bytes")
        made._size_bytes = size
        return made

    @classmethod
    def from_pitch2d(
        cls, buffer: Buffer, *, format: Any, num_channels: int, width: int, height: int, pitch_bytes: int
    ) -> ResourceDescriptor:
        """Describe memory as an image of rows, for a texture.

        buffer: the memory.
        format, num_channels: the elements, as for `OpaqueArrayOptions`.
        width, height: the elements of a row, and the rows.
        pitch_bytes: the bytes from one row to the next; the device's property `texture_pitch_alignment` divides them.

        Raises TypeError and ValueError.
        """
        made, element = cls._of_buffer("pitch2d", buffer, format, num_channels)
        width, height, pitch_bytes = whole("width", width), whole("height", height), whole("pitch_bytes", pitch_bytes)
        for name, value in (("width", width), ("height", height)):
            if value < 1:
                raise ValueError(f"{name} must be >= 1, got {value}")
        if pitch_bytes < width * element:
            raise ValueError(f"pitch_bytes, {pitch_bytes}, must be at least a row's bytes, {width * element}")
        if pitch_bytes * height > buffer.size:
            raise ValueError(f"pitch_bytes * height, {pitch_bytes * height}, exceeds buffer.size, {buffer.size}")
        made._width, made._height, made._pitch_bytes = width, height, pitch_bytes
        return made

    @classmethod
    def _of_buffer(cls, kind: str, buffer: Buffer, form: Any, num_channels: int) -> tuple[ResourceDescriptor, int]:
        if not isinstance(buffer, Buffer):
            raise TypeError(f"buffer must be a Buffer, got {type(buffer).__name__}")
        made = cls._of(kind, buffer)
        made._format, made._num_channels = array_format(form), checked_channels(num_channels)
        return made, element_bytes(made._format, made._num_channels)

    @property
    def kind(self) -> str:
        """ "array", "mipmapped_array", "linear" or "pitch2d"."""
        return self._kind

    @property
    def source(self) -> OpaqueArray | MipmappedArray | Buffer:
        """The array or Buffer."""
        return self._source

    @property
    def format(self) -> ArrayFormatType | None:
        """The numbers of an element of a Buffer; None for an array, which knows it."""
        return self._format

    @property
    def num_channels(self) -> int | None:
        """How many numbers an element of a Buffer has; None for an array, which knows it."""
        return self._num_channels

    @property
    def size_bytes(self) -> int | None:
        """The bytes that are used of a row of elements; else None."""
        return self._size_bytes

    @property
    def width(self) -> int | None:
        """The elements of a row of an image; else None."""
        return self._width

    @property
    def height(self) -> int | None:
        """The rows of an image; else None."""
        return self._height

    @property
    def pitch_bytes(self) -> int | None:
        """The bytes from one row of an image to the next; else None."""
        return self._pitch_bytes

    def _record(self) -> tuple[Any, object]:
        """The driver's record, and what keeps the memory. Raises ClosedError if that is closed."""
        names = bindings()
        record = names.CUDA_RESOURCE_DESC()
        source = self._source
        if isinstance(source, OpaqueArray):
            held = source._open()
            record.resType, record.res.array.hArray = names.CUresourcetype.CU_RESOURCE_TYPE_ARRAY, held.value
            return record, held
        if isinstance(source, MipmappedArray):
            held = source._open()
            record.resType = names.CUresourcetype.CU_RESOURCE_TYPE_MIPMAPPED_ARRAY
            record.res.mipmap.hMipmappedArray = held.value
            return record, held
        if self._kind == "linear":
            record.resType, part = names.CUresourcetype.CU_RESOURCE_TYPE_LINEAR, record.res.linear
            part.sizeInBytes = self._size_bytes
        else:
            record.resType, part = names.CUresourcetype.CU_RESOURCE_TYPE_PITCH2D, record.res.pitch2D
            part.width, part.height, part.pitchInBytes = self._width, self._height, self._pitch_bytes
        part.devPtr, part.numChannels = int(source), self._num_channels
        part.format = driver_format(self._format) if self._format is not None else None
        return record, source._keeper()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a ResourceDescriptor cannot be copied")

    def __repr__(self) -> str:
        fields = ("format", "num_channels", "size_bytes", "width", "height", "pitch_bytes")
        known = [f"{field}={getattr(self, field)!s}" for field in fields if getattr(self, field) is not None]
        return f"<ResourceDescriptor {' '.join([f'kind={self._kind!r}', *known])}>"
