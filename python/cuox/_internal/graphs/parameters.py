"""The records with which nodes are made and changed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from cuox import _native
from cuox._internal import driver_calls as driver
from cuox._native import Buffer, Device, Event, Kernel, LaunchConfig

from .condition import GraphCondition
from .state import Memory, memory

Used = dict[str, Any]


def context() -> Any:
    """The current device's context."""
    return driver.bindings().CUcontext(Device().context.handle or 0)


def kernel(config: LaunchConfig, kernel: Kernel, args: Sequence[Any]) -> tuple[Any, Used]:
    """A launch. Buffers and arrays among the arguments are kept with the node."""
    if not isinstance(config, LaunchConfig):
        raise TypeError(f"config: expected a cuox.LaunchConfig, got {type(config).__name__}")
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel: expected a cuox.Kernel, got {type(kernel).__name__}")
    if config.cluster is not None or config.is_cooperative:
        raise NotImplementedError("graph nodes: clusters and cooperative launches are not supported; capture them")
    kernel._check()
    values, layout, uses = _native._pack_arguments(kernel, tuple(args))
    record = driver.bindings().CUDA_KERNEL_NODE_PARAMS()
    room = ctypes.create_string_buffer(values, max(len(values), 1))
    pointers = (ctypes.c_void_p * max(len(layout), 1))(*(ctypes.addressof(room) + offset for offset, _ in layout))
    record.kern = kernel.handle
    record.gridDimX, record.gridDimY, record.gridDimZ = config.grid
    record.blockDimX, record.blockDimY, record.blockDimZ = config.block
    record.sharedMemBytes = config.shmem_size
    record.kernelParams = ctypes.addressof(pointers) if layout else 0
    kept = [argument._keeper() if isinstance(argument, Buffer) else argument for argument in args]
    # The driver copies the values when the node is made; the record refers to them until then.
    return record, {
        "kernel": kernel,
        "arguments": kept,
        "args": tuple(args),
        "uses": uses,
        "values": (room, pointers),
    }


def memset(dst: Memory, value: Any, width: int, height: int, pitch: int, owner: object) -> tuple[Any, Used]:
    """A fill with a byte, or with 1, 2 or 4 bytes."""
    address, kept = memory("dst", dst, owner, is_written=True)
    if isinstance(value, int):
        if not 0 <= value < 256:
            raise OverflowError(
                f"value: expected a byte from 0 to 255, got {value}; for larger patterns pass 2 or 4 bytes"
            )
        pattern = bytes([value])
    else:
        pattern = bytes(memoryview(value).cast("B"))
    if len(pattern) not in (1, 2, 4):
        raise ValueError(f"value: expected a pattern of 1, 2 or 4 bytes, got {len(pattern)}")
    record = driver.bindings().CUDA_MEMSET_NODE_PARAMS()
    record.dst, record.value, record.elementSize = address, int.from_bytes(pattern, "little"), len(pattern)
    record.width, record.height, record.pitch = width, height, pitch
    return record, {"dst": kept}


def is_of_host(address: int) -> bool:
    """True for memory that the driver takes for the host's."""
    names = driver.bindings()
    attribute = names.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE
    code, kind = names.cuPointerGetAttribute(attribute, address)
    return bool(int(code)) or int(kind) == names.CUmemorytype.CU_MEMORYTYPE_HOST


def memcpy(dst: Memory, src: Memory, size: int, dst_owner: object, src_owner: object) -> tuple[Any, Used]:
    """A copy of bytes in a row; the driver is asked whether memory is the host's."""
    to, to_kept = memory("dst", dst, dst_owner, is_written=True)
    source, source_kept = memory("src", src, src_owner)
    names = driver.bindings()
    record = names.CUDA_MEMCPY3D()
    record.WidthInBytes, record.Height, record.Depth = size, 1, 1
    if is_of_host(to):
        record.dstMemoryType, record.dstHost = names.CUmemorytype.CU_MEMORYTYPE_HOST, to
    else:
        record.dstMemoryType, record.dstDevice = names.CUmemorytype.CU_MEMORYTYPE_DEVICE, to
    if is_of_host(source):
        record.srcMemoryType, record.srcHost = names.CUmemorytype.CU_MEMORYTYPE_HOST, source
    else:
        record.srcMemoryType, record.srcDevice = names.CUmemorytype.CU_MEMORYTYPE_DEVICE, source
    return record, {"dst": to_kept, "src": source_kept}


def event(given: Event) -> Any:
    """An event's handle."""
    if not isinstance(given, Event):
        raise TypeError(f"event: expected a cuox.Event, got {type(given).__name__}")
    if given.is_closed:
        raise ValueError("event: it is closed")
    return driver.bindings().CUevent(given.handle)


def function(fn: Callable[..., Any], user_data: object) -> tuple[Any, Any, Used]:
    """A host function as the driver takes it: its address, its data's, and what keeps both."""
    if isinstance(fn, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        arguments, result = fn.argtypes, fn.restype
        if result is not None or [*(arguments or ())] != [ctypes.c_void_p]:
            raise TypeError("callback: expected a ctypes function of the type ctypes.CFUNCTYPE(None, ctypes.c_void_p)")
        data: object = None
        if user_data is None:
            address = 0
        elif isinstance(user_data, int):
            address = user_data
        else:
            text = bytes(memoryview(user_data).cast("B"))  # type: ignore[arg-type]
            data = ctypes.create_string_buffer(text, len(text))
            address = ctypes.addressof(data)
        kept = {"function": fn, "data": data, "callback": None}
        return ctypes.cast(fn, ctypes.c_void_p).value, address, kept
    if not callable(fn):
        raise TypeError(f"callback: expected a callable, got {type(fn).__name__}")
    if user_data is not None:
        raise ValueError("user_data is only supported with ctypes functions; bind it to a Python function by a closure")
    made = _native._HostFunction(fn)
    return made.address, made.data, {"function": made, "callback": fn}


def conditional(condition: object, kind: str, count: int) -> Any:
    """A node with `count` graphs of which a condition says which one runs; kind: "if", "while" or "switch"."""
    if not isinstance(condition, GraphCondition):
        raise TypeError(f"condition: expected a cuox.cuda.core.graph.GraphCondition, got {type(condition).__name__}")
    names = driver.bindings()
    record = names.CUgraphNodeParams()
    record.type = names.CUgraphNodeType.CU_GRAPH_NODE_TYPE_CONDITIONAL
    record.conditional.handle = condition.handle
    record.conditional.type = getattr(names.CUgraphConditionalNodeType, f"CU_GRAPH_COND_TYPE_{kind.upper()}")
    record.conditional.size = count
    record.conditional.ctx = context()
    return record


def host(fn: Callable[..., Any], user_data: object) -> tuple[Any, Used]:
    """A call of a host function."""
    address, data, kept = function(fn, user_data)
    record = driver.bindings().CUDA_HOST_NODE_PARAMS()
    record.fn, record.userData = address, data
    return record, kept
