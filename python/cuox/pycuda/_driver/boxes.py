"""Copies of rectangles and boxes: `Memcpy2D`, `Memcpy3D`, `Memcpy3DPeer`."""

from __future__ import annotations

from typing import Any

from .bindings import driver as _bindings
from .copies import host_memory
from .errors import LogicError, call
from .streams import handle_of

__all__ = ["Memcpy2D", "Memcpy3D", "Memcpy3DPeer"]

_HOST, _DEVICE, _ARRAY, _UNIFIED = 1, 2, 3, 4


def _field(name: str, doc: str) -> property:
    """Makes a property that is a field of the driver's structure."""

    def get(self: _Copy) -> int:
        value = getattr(self._raw, name)
        return int(value) if value is not None else 0

    def put(self: _Copy, value: Any) -> None:
        if name.endswith("MemoryType"):
            value = _bindings.CUmemorytype(int(value))
        setattr(self._raw, name, value if name.endswith("MemoryType") else int(value))

    return property(get, put, doc=doc)


class _Copy:
    """The fields and methods that rectangles and boxes share."""

    _structure: str

    def __init__(self) -> None:
        self._raw = getattr(_bindings, self._structure)()
        self._kept: dict[str, Any] = {}

    src_x_in_bytes = _field("srcXInBytes", "The first byte of each row that is read.")
    src_y = _field("srcY", "The first row that is read.")
    src_memory_type = _field("srcMemoryType", "The kind of memory that is read, a member of `memory_type`.")
    src_device = _field("srcDevice", "The address that is read.")
    src_pitch = _field("srcPitch", "The bytes from row to row, of what is read.")
    dst_x_in_bytes = _field("dstXInBytes", "The first byte of each row that is written.")
    dst_y = _field("dstY", "The first row that is written.")
    dst_memory_type = _field("dstMemoryType", "The kind of memory that is written, a member of `memory_type`.")
    dst_device = _field("dstDevice", "The address that is written.")
    dst_pitch = _field("dstPitch", "The bytes from row to row, of what is written.")
    width_in_bytes = _field("WidthInBytes", "The bytes of each row that are copied.")
    height = _field("Height", "The rows that are copied.")

    def _set_type(self, side: str, kind: int) -> None:
        setattr(self._raw, f"{side}MemoryType", _bindings.CUmemorytype(kind))

    def _set_host(self, side: str, memory: Any, kind: int = _HOST) -> None:
        address, _, keep = host_memory(memory, f"{type(self).__name__}: {side}", writable=side == "dst")
        self._set_type(side, kind)
        if kind == _UNIFIED:
            setattr(self._raw, f"{side}Device", address)
        else:
            setattr(self._raw, f"{side}Host", address)
        self._kept[side] = keep

    def _set_array(self, side: str, array: Any) -> None:
        self._set_type(side, _ARRAY)
        setattr(self._raw, f"{side}Array", array.handle)
        self._kept[side] = array

    def _set_device(self, side: str, memory: Any) -> None:
        self._set_type(side, _DEVICE)
        setattr(self._raw, f"{side}Device", int(memory))
        self._kept[side] = memory

    def set_src_host(self, buffer: Any) -> None:
        """Read from host memory: an array of NumPy, or another object with the buffer protocol."""
        self._set_host("src", buffer)

    def set_src_array(self, array: Any) -> None:
        """Read from an `Array`."""
        self._set_array("src", array)

    def set_src_device(self, devptr: Any) -> None:
        """Read from device memory."""
        self._set_device("src", devptr)

    def set_src_unified(self, buffer: Any) -> None:
        """Read from memory that host and device reach at one address: managed or page-locked."""
        self._set_host("src", buffer, _UNIFIED)

    def set_dst_host(self, buffer: Any) -> None:
        """Write to host memory: an array of NumPy, or another object with the buffer protocol."""
        self._set_host("dst", buffer)

    def set_dst_array(self, array: Any) -> None:
        """Write to an `Array`."""
        self._set_array("dst", array)

    def set_dst_device(self, devptr: Any) -> None:
        """Write to device memory."""
        self._set_device("dst", devptr)

    def set_dst_unified(self, buffer: Any) -> None:
        """Write to memory that host and device reach at one address: managed or page-locked."""
        self._set_host("dst", buffer, _UNIFIED)


class Memcpy2D(_Copy):
    """A copy of a rectangle: set its fields, then call it. Driver API manual, `CUDA_MEMCPY2D`."""

    _structure = "CUDA_MEMCPY2D"

    def __call__(self, aligned: Any = None, *, stream: Any = None) -> None:
        """Copy.

        aligned: a bool, as PyCUDA has it: False for rows that begin at any address; or a stream, in whose order the
        copy then is.

        Driver API manual, `cuMemcpy2D`, `cuMemcpy2DUnaligned`, `cuMemcpy2DAsync`.
        """
        if stream is None and aligned is not None and not isinstance(aligned, (bool, int)):
            stream = aligned
        if stream is not None:
            call("cuMemcpy2DAsync", self._raw, handle_of(stream))
        elif aligned:
            call("cuMemcpy2D", self._raw)
        else:
            call("cuMemcpy2DUnaligned", self._raw)


class Memcpy3D(_Copy):
    """A copy of a box: set its fields, then call it. Driver API manual, `CUDA_MEMCPY3D`."""

    _structure = "CUDA_MEMCPY3D"
    _function = "cuMemcpy3D"

    src_z = _field("srcZ", "The first layer that is read.")
    src_lod = _field("srcLOD", "The level of detail that is read: 0.")
    src_height = _field("srcHeight", "The rows of a layer, of what is read.")
    dst_z = _field("dstZ", "The first layer that is written.")
    dst_lod = _field("dstLOD", "The level of detail that is written: 0.")
    dst_height = _field("dstHeight", "The rows of a layer, of what is written.")
    depth = _field("Depth", "The layers that are copied.")

    def __call__(self, stream: Any = None) -> None:
        """Copy, in the order of a stream if one is given. Driver API manual, `cuMemcpy3D`, `cuMemcpy3DAsync`."""
        if stream is None:
            call(self._function, self._raw)
        else:
            call(f"{self._function}Async", self._raw, handle_of(stream))


class Memcpy3DPeer(Memcpy3D):
    """A copy of a box between two contexts: set its fields, then call it. Driver API manual, `CUDA_MEMCPY3D_PEER`."""

    _structure = "CUDA_MEMCPY3D_PEER"
    _function = "cuMemcpy3DPeer"

    def _set_context(self, side: str, context: Any) -> None:
        if not hasattr(context, "handle"):
            raise LogicError(f"Memcpy3DPeer: expected a Context, got {type(context).__name__}")
        setattr(self._raw, f"{side}Context", context.handle)

    def set_src_context(self, context: Any) -> None:
        """Read from the memory of a context."""
        self._set_context("src", context)

    def set_dst_context(self, context: Any) -> None:
        """Write to the memory of a context."""
        self._set_context("dst", context)
