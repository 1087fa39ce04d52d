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
    address, kept = _memory(array, other, f"{user}: {'src' if to_array else 'dst'}", writable=not to_array)
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


def _memory(array: OpaqueArray, other: Any, what: str, *, writable: bool) -> tuple[int, object]:
    """The address of memory that has the bytes of an array, and what keeps it."""
    size = array.size_bytes
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
    _check_elements(array, view, what)
    # NumPy tells the address, and keeps the memory.
    flat = np.frombuffer(view, np.uint8)
    return int(flat.ctypes.data), flat


def _check_elements(array: OpaqueArray, view: memoryview, what: str) -> None:
    """Refuse host memory of other numbers than an array's, or of more of them. Bytes pass for all numbers, integers
    with a sign for those without, structures for elements of their size.
    """
    dtype, own = np.asarray(view).dtype, np.dtype(str(array.format))
    if dtype.kind == "V":
        is_same = dtype.itemsize in (own.itemsize, array.element_bytes)
    else:
        # A complex number is two of the array's.
        size = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
        is_same = size == own.itemsize and (dtype.kind in "fc") == (own.kind == "f")
    if dtype.itemsize > 1 and not is_same:
        raise TypeError(
            f"{what}: the elements are {dtype} in the host's memory and {own} in the array: copy by an array of {own}"
        )
    if view.nbytes != array.size_bytes:
        raise ValueError(
            f"{what}: the memory has {view.nbytes} bytes, and the array has {array.size_bytes}: pass a part of it"
        )
