"""Copies between host and device, and fills."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuox

from . import errors
from .context import current_device, current_handle
from .errors import call
from .memory import DeviceAllocation, mem_alloc, refuse_objects
from .streams import handle_of

__all__ = [
    "from_device",
    "from_device_like",
    "memcpy_dtod",
    "memcpy_dtod_async",
    "memcpy_dtoh",
    "memcpy_dtoh_async",
    "memcpy_htod",
    "memcpy_htod_async",
    "memcpy_peer",
    "memcpy_peer_async",
    "memset_d2d8",
    "memset_d2d8_async",
    "memset_d2d16",
    "memset_d2d16_async",
    "memset_d2d32",
    "memset_d2d32_async",
    "memset_d8",
    "memset_d8_async",
    "memset_d16",
    "memset_d16_async",
    "memset_d32",
    "memset_d32_async",
    "to_device",
]


def host_memory(memory: Any, what: str, writable: bool = False) -> tuple[int, int, Any]:
    """Return the address and the size of host memory, and an object that keeps it where it is.

    Raises TypeError for objects without memory, ValueError if elements do not lie one after another or are read-only.
    """
    if isinstance(memory, np.ndarray):
        array = memory
    else:
        try:
            array = np.frombuffer(memory, np.uint8)
        except (TypeError, BufferError) as error:
            kind = (
                f"{type(memory).__name__} (device memory)" if isinstance(error, BufferError) else type(memory).__name__
            )
            raise TypeError(f"{what}: expected host memory, such as an array of NumPy or bytes, got {kind}") from None
        except ValueError as error:
            # NumPy makes no array of no bytes.
            view = memoryview(memory)
            if view.nbytes:
                raise ValueError(f"{what}: {error}") from None
            array = np.empty(0, np.uint8)
    refuse_objects(array.dtype, what)
    flags = array.flags
    if not (flags.c_contiguous or flags.f_contiguous):
        raise ValueError(
            f"{what}: the array's elements do not lie one after another: pass a copy, numpy.ascontiguousarray(array)"
        )
    if writable and not flags.writeable:
        raise ValueError(f"{what}: the memory is read-only: nothing can be copied to it")
    return array.__array_interface__["data"][0], array.nbytes, array


def _address(memory: Any, what: str) -> int:
    """Return the address of device memory. Raises TypeError for objects that are none, LogicError for freed memory."""
    if isinstance(memory, cuox.Buffer):
        try:
            return int(memory)
        except cuox.CUDAError as error:
            errors.raise_translated(error)
    if isinstance(memory, int):
        return memory
    refused = (float, np.floating, np.ndarray, str)
    if not isinstance(memory, refused) and (hasattr(memory, "__index__") or hasattr(memory, "__int__")):
        return int(memory)
    hint = ""
    if isinstance(memory, np.ndarray):
        hint = ", which is host memory"
    elif hasattr(memory, "gpudata"):
        hint = ": pass its gpudata"
    raise TypeError(
        f"{what}: expected device memory (a DeviceAllocation or an address), got {type(memory).__name__}{hint}"
    )


def _wait() -> None:
    """Waits for the default stream, where Ctrl-C ends the wait; the driver's own wait does not look for it."""
    try:
        current_device().default_stream.sync()
    except cuox.CUDAError as error:
        errors.raise_translated(error)


def _is_plain(host: Any, memory: Any) -> bool:
    """True for an array in C order and an allocation with room for it: `cuox.Buffer` copies these at once."""
    return (
        isinstance(memory, DeviceAllocation)
        and type(host) is np.ndarray
        and host.flags.c_contiguous
        and 0 < host.nbytes <= memory.size
        and not host.dtype.hasobject
    )


def memcpy_htod(dest: Any, src: Any) -> None:
    """Copy host memory to the device.

    dest: memory of the device: a DeviceAllocation, or an address.
    src: an array of NumPy whose elements lie one after another, bytes, or another object with the buffer protocol.

    Raises TypeError, ValueError, LogicError. Driver API manual, `cuMemcpyHtoD`.
    """
    if _is_plain(src, dest):
        try:
            dest.copy_from_host(src)
        except cuox.CUDAError as error:
            errors.raise_translated(error)
        return
    address, size, keep = host_memory(src, "memcpy_htod: src")
    if size:
        _check_room(dest, size, "memcpy_htod: dest")
        call("cuMemcpyHtoD", _address(dest, "dest"), address, size)
    del keep


def memcpy_htod_async(dest: Any, src: Any, stream: Any = None) -> None:
    """Copy host memory to the device in a stream's order; `src` must be page-locked and stay as it is until then.

    Driver API manual, `cuMemcpyHtoDAsync`.
    """
    address, size, keep = host_memory(src, "memcpy_htod_async: src")
    if size:
        _check_room(dest, size, "memcpy_htod_async: dest")
        call("cuMemcpyHtoDAsync", _address(dest, "dest"), address, size, handle_of(stream))
    del keep


def memcpy_dtoh(dest: Any, src: Any) -> None:
    """Copy from the device to host memory, of which all is filled.

    dest: an array of NumPy whose elements lie one after another, or another object with writable memory.
    src: memory of the device: a DeviceAllocation, or an address.

    Raises TypeError, ValueError, LogicError. Driver API manual, `cuMemcpyDtoH`.
    """
    if _is_plain(dest, src) and dest.flags.writeable:
        try:
            src.copy_to_host(dest)
        except cuox.CUDAError as error:
            errors.raise_translated(error)
        return
    address, size, keep = host_memory(dest, "memcpy_dtoh: dest", writable=True)
    if size:
        _check_room(src, size, "memcpy_dtoh: src")
        _wait()
        call("cuMemcpyDtoH", address, _address(src, "src"), size)
    del keep


def memcpy_dtoh_async(dest: Any, src: Any, stream: Any = None) -> None:
    """Copy from the device to host memory in a stream's order; `dest` must be page-locked and is filled when the stream
    has come there.

    Driver API manual, `cuMemcpyDtoHAsync`.
    """
    address, size, keep = host_memory(dest, "memcpy_dtoh_async: dest", writable=True)
    if size:
        _check_room(src, size, "memcpy_dtoh_async: src")
        call("cuMemcpyDtoHAsync", address, _address(src, "src"), size, handle_of(stream))
    del keep


def _check_room(memory: Any, size: int, what: str) -> None:
    """A device allocation has to have the bytes; of an address nothing is known here."""
    # What is freed says so itself, where its address is asked for.
    if isinstance(memory, DeviceAllocation) and memory.size < size and not memory.is_closed:
        raise errors.LogicError(
            f"{what}: the allocation has {memory.size} bytes, fewer than the {size} of the host's memory",
            1,
            "CUDA_ERROR_INVALID_VALUE",
            "invalid argument",
        )


def memcpy_dtod(dest: Any, src: Any, size: int) -> None:
    """Copy `size` bytes of device memory. Driver API manual, `cuMemcpyDtoD`."""
    call("cuMemcpyDtoD", _address(dest, "dest"), _address(src, "src"), size)


def memcpy_dtod_async(dest: Any, src: Any, size: int, stream: Any = None) -> None:
    """Copy `size` bytes of device memory in a stream's order. Driver API manual, `cuMemcpyDtoDAsync`."""
    call("cuMemcpyDtoDAsync", _address(dest, "dest"), _address(src, "src"), size, handle_of(stream))


def _context(context: Any) -> int:
    return current_handle() if context is None else int(context.handle)


def memcpy_peer(dest: Any, src: Any, size: int, dest_context: Any = None, src_context: Any = None) -> None:
    """Copy `size` bytes between the memories of two contexts; None is the current one. Driver API manual,
    `cuMemcpyPeer`.
    """
    call(
        "cuMemcpyPeer",
        _address(dest, "dest"),
        _context(dest_context),
        _address(src, "src"),
        _context(src_context),
        size,
    )


def memcpy_peer_async(
    dest: Any, src: Any, size: int, dest_context: Any = None, src_context: Any = None, stream: Any = None
) -> None:
    """Copy `size` bytes between the memories of two contexts in a stream's order. Driver API manual,
    `cuMemcpyPeerAsync`.
    """
    call(
        "cuMemcpyPeerAsync",
        _address(dest, "dest"),
        _context(dest_context),
        _address(src, "src"),
        _context(src_context),
        size,
        handle_of(stream),
    )


def memset_d8(dest: Any, data: int, size: int) -> None:
    """Fill `size` bytes with a byte. Driver API manual, `cuMemsetD8`."""
    call("cuMemsetD8", _address(dest, "dest"), data, size)


def memset_d16(dest: Any, data: int, size: int) -> None:
    """Fill `size` words of 16 bits with one. Driver API manual, `cuMemsetD16`."""
    call("cuMemsetD16", _address(dest, "dest"), data, size)


def memset_d32(dest: Any, data: int, size: int) -> None:
    """Fill `size` words of 32 bits with one. Driver API manual, `cuMemsetD32`."""
    call("cuMemsetD32", _address(dest, "dest"), data, size)


def memset_d2d8(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """Fill `height` rows, `pitch` bytes apart, of `width` bytes with a byte. Driver API manual, `cuMemsetD2D8`."""
    call("cuMemsetD2D8", _address(dest, "dest"), pitch, data, width, height)


def memset_d2d16(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """Fill `height` rows, `pitch` bytes apart, of `width` words of 16 bits with one. Driver API manual,
    `cuMemsetD2D16`.
    """
    call("cuMemsetD2D16", _address(dest, "dest"), pitch, data, width, height)


def memset_d2d32(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """Fill `height` rows, `pitch` bytes apart, of `width` words of 32 bits with one. Driver API manual,
    `cuMemsetD2D32`.
    """
    call("cuMemsetD2D32", _address(dest, "dest"), pitch, data, width, height)


def memset_d8_async(dest: Any, data: int, size: int, stream: Any = None) -> None:
    """Fill `size` bytes with a byte in a stream's order. Driver API manual, `cuMemsetD8Async`."""
    call("cuMemsetD8Async", _address(dest, "dest"), data, size, handle_of(stream))


def memset_d16_async(dest: Any, data: int, size: int, stream: Any = None) -> None:
    """Fill `size` words of 16 bits with one in a stream's order. Driver API manual, `cuMemsetD16Async`."""
    call("cuMemsetD16Async", _address(dest, "dest"), data, size, handle_of(stream))


def memset_d32_async(dest: Any, data: int, size: int, stream: Any = None) -> None:
    """Fill `size` words of 32 bits with one in a stream's order. Driver API manual, `cuMemsetD32Async`."""
    call("cuMemsetD32Async", _address(dest, "dest"), data, size, handle_of(stream))


def memset_d2d8_async(dest: Any, pitch: int, data: int, width: int, height: int, stream: Any = None) -> None:
    """Fill rows of bytes in a stream's order, as `memset_d2d8`. Driver API manual, `cuMemsetD2D8Async`."""
    call("cuMemsetD2D8Async", _address(dest, "dest"), pitch, data, width, height, handle_of(stream))


def memset_d2d16_async(dest: Any, pitch: int, data: int, width: int, height: int, stream: Any = None) -> None:
    """Fill rows of words of 16 bits in a stream's order, as `memset_d2d16`. Driver API manual, `cuMemsetD2D16Async`."""
    call("cuMemsetD2D16Async", _address(dest, "dest"), pitch, data, width, height, handle_of(stream))


def memset_d2d32_async(dest: Any, pitch: int, data: int, width: int, height: int, stream: Any = None) -> None:
    """Fill rows of words of 32 bits in a stream's order, as `memset_d2d32`. Driver API manual, `cuMemsetD2D32Async`."""
    call("cuMemsetD2D32Async", _address(dest, "dest"), pitch, data, width, height, handle_of(stream))


def to_device(bf_obj: Any) -> DeviceAllocation:
    """Copy host memory, in C order, to device memory that is allocated for it."""
    if isinstance(bf_obj, (np.ndarray, np.generic)):
        refuse_objects(bf_obj.dtype, "to_device: bf_obj")
        # Of any type: Python's buffers know no dates.
        data = bf_obj.tobytes()
    else:
        try:
            data = memoryview(bf_obj).tobytes()
        except TypeError:
            raise TypeError(
                f"to_device: bf_obj: expected host memory, such as an array of NumPy or bytes, got {type(bf_obj).__name__}"
            ) from None
    result = mem_alloc(len(data))
    memcpy_htod(result, data)
    return result


def from_device(devptr: Any, shape: Any, dtype: Any, order: Any = "C") -> np.ndarray[Any, Any]:
    """Copy device memory to a new array of NumPy's."""
    result: np.ndarray[Any, Any] = np.empty(shape, dtype, order)
    memcpy_dtoh(result, devptr)
    return result


def from_device_like(devptr: Any, other_ary: Any) -> np.ndarray[Any, Any]:
    """Copy device memory to a new array of NumPy's with the shape, dtype and order of another one."""
    result: np.ndarray[Any, Any] = np.empty_like(other_ary)
    memcpy_dtoh(result, devptr)
    return result
