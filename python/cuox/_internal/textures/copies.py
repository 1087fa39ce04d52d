"""Copies between an array and memory with an address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuox._internal.driver_calls import bindings, call
from cuox._native import Buffer, GraphBuilder, Stream

from .held import current

if TYPE_CHECKING:
    from .arrays import OpaqueArray


def copy(array: OpaqueArray, other: Any, stream: object, *, to_array: bool) -> None:
    """Copy all elements of an array from or to other memory, in a stream's order."""
    user = "copy_from" if to_array else "copy_to"
    if not isinstance(stream, (Stream, GraphBuilder)):
        raise TypeError(f"{user}: stream: Stream or GraphBuilder expected, got {type(stream).__name__}")
    held = array._open()
    names = bindings()
    record = names.CUDA_MEMCPY3D()
    width, height, depth = (*array.shape, 1, 1)[:3]
    row = width * array.element_bytes
    record.WidthInBytes, record.Height, record.Depth = row, height, depth
    address, kept = _memory(other, array.size_bytes, f"{user}: {'src' if to_array else 'dst'}", writable=not to_array)
    # Of an address the driver finds out itself whose memory it is.
    kind = (
        names.CUmemorytype.CU_MEMORYTYPE_UNIFIED if isinstance(other, Buffer) else names.CUmemorytype.CU_MEMORYTYPE_HOST
    )
    if to_array:
        record.srcMemoryType, record.srcPitch, record.srcHeight = kind, row, height
        record.dstMemoryType, record.dstArray = names.CUmemorytype.CU_MEMORYTYPE_ARRAY, held.value
    else:
        record.dstMemoryType, record.dstPitch, record.dstHeight = kind, row, height
        record.srcMemoryType, record.srcArray = names.CUmemorytype.CU_MEMORYTYPE_ARRAY, held.value
    field = ("src" if to_array else "dst") + ("Device" if isinstance(other, Buffer) else "Host")
    setattr(record, field, address)
    is_host = not isinstance(other, Buffer)
    with current(held.context):
        handle = names.CUstream(stream.__cuda_stream__()[1])
        if is_host and isinstance(stream, Stream) and int(call("cuStreamIsCapturing", handle)):
            raise ValueError(
                f"{user}: the stream is captured, and nothing would keep the host's memory for the graph: give the "
                "GraphBuilder as stream="
            )
        call("cuMemcpy3DAsync", record, handle)
    if isinstance(stream, GraphBuilder):
        stream._kept.append((held, kept))
    elif is_host:
        # The memory may be gone when this has returned.
        stream.sync()


def _memory(other: Any, size: int, what: str, *, writable: bool) -> tuple[int, object]:
    """The address of memory that has so many bytes, and what keeps it."""
    if isinstance(other, Buffer):
        address = int(other)
        if other.size < size:
            raise ValueError(f"{what}: the Buffer of {other.size} bytes is smaller than the array extent, {size} bytes")
        return address, other._keeper()
    try:
        view = memoryview(other)
    except (TypeError, BufferError) as error:
        raise TypeError(f"{what}: expected a Buffer or host memory, got {type(other).__name__}: {error}") from None
    if not view.c_contiguous:
        raise ValueError(f"{what}: the memory's elements do not lie one after another; pass a copy")
    if writable and view.readonly:
        raise ValueError(f"{what}: the memory is read-only")
    if view.nbytes < size:
        raise ValueError(f"{what}: the memory of {view.nbytes} bytes is smaller than the array extent, {size} bytes")
    # NumPy tells the address, and keeps the memory.
    flat = np.frombuffer(view, np.uint8)
    return int(flat.ctypes.data), flat
