"""Additions to cuda_runtime_api.h: arrays that C fills, values whose type depends on an attribute, functions that the
runtime's C++ headers have.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .arguments import with_values, writable
from .module import Later, Names
from .outputs import Outputs, Raw, Room, as_bytes, bytes_of, kind_of, moving, shareable
from .types import FOREIGN, INTEGER_STUB, RUNTIME_ALIASES, integer, sizeof

if TYPE_CHECKING:
    from ..runtime import (
        cudaChannelFormatDesc,
        cudaError_t,
        cudaExtent,
        cudaGLDeviceList,
        cudaGraph_t,
        cudaGraphEdgeData,
        cudaGraphNode_t,
        cudaKernel_t,
        cudaLogIterator,
        cudaPitchedPtr,
        cudaPos,
        cudaStreamCaptureMode,
        cudaStreamCaptureStatus,
    )  # fmt: skip

MEMPOOL_ATTRIBUTES = {
    "cudaMemPoolReuseFollowEventDependencies": "i32",
    "cudaMemPoolReuseAllowOpportunistic": "i32",
    "cudaMemPoolReuseAllowInternalDependencies": "i32",
}
"""The kinds of attributes' values that are not `u64`."""
NODES = ["cudaKernelNodeParamsV2", "cudaKernelNodeParams"]
"""Records with the parameters of a kernel. The first is also a part of `cudaGraphNodeParams`."""


def special(names: Names, raw: Raw) -> dict[str, Any]:
    """The functions of the module that are put together here, by name."""
    library = names.library
    made: dict[str, Any] = {"sizeof": sizeof}
    for alias, name in RUNTIME_ALIASES.items():
        made[alias] = Later(functools.partial(lambda name: library[name], name), f"{alias} = {name}")
    for name, kind in FOREIGN.items():
        made[name] = Later(functools.partial(integer, name, kind, names.module), INTEGER_STUB.format(name))

    for name in NODES:
        made[name] = Later(functools.partial(lambda name: with_values(library[name]), name))
    made["cudaGraphNodeParams"] = Later(lambda: with_values(library[NODES[0]]) and library["cudaGraphNodeParams"])
    made["cudaDeviceGetPCIBusId"] = Later(lambda: as_bytes(raw("cudaDeviceGetPCIBusId")), "bytes")
    outputs = Outputs(library, raw)

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        made[function.__name__] = function
        return function

    @add
    def cudaCreateChannelDesc(x: int, y: int, z: int, w: int, f: Any) -> tuple[cudaError_t, cudaChannelFormatDesc]:
        """A channel's format: (cudaSuccess, cudaChannelFormatDesc). C has no status for it."""
        return (library.cudaError_t.cudaSuccess, raw("cudaCreateChannelDesc")(x, y, z, w, f))

    @add
    def make_cudaExtent(w: int, h: int, d: int) -> cudaExtent:
        """An extent: w is in elements for arrays, in bytes for linear memory."""
        made: cudaExtent = library.cudaExtent(width=w, height=h, depth=d)
        return made

    @add
    def make_cudaPos(x: int, y: int, z: int) -> cudaPos:
        """A position: x is in elements for arrays, in bytes for linear memory."""
        made: cudaPos = library.cudaPos(x=x, y=y, z=z)
        return made

    @add
    def make_cudaPitchedPtr(d: Any, p: int, xsz: int, ysz: int) -> cudaPitchedPtr:
        """Memory of rows: where it is, the distance between rows in bytes, a row's length in bytes, and how many rows
        there are.
        """
        made: cudaPitchedPtr = library.cudaPitchedPtr(ptr=d, pitch=p, xsize=xsz, ysize=ysz)
        return made

    def words(name: str, error: Any) -> tuple[Any, ...]:
        return (library.cudaError_t.cudaSuccess, bytes_of(raw(name)(error)))

    @add
    def cudaGetErrorName(error: Any) -> tuple[cudaError_t, bytes]:
        """A status's name: (cudaSuccess, bytes)."""
        return words("cudaGetErrorName", error)

    @add
    def cudaGetErrorString(error: Any) -> tuple[cudaError_t, bytes]:
        """A status in words: (cudaSuccess, bytes)."""
        return words("cudaGetErrorString", error)

    @add
    def getLocalRuntimeVersion() -> tuple[cudaError_t, int | None]:
        """The version of libcudart that is in use: (status, int)."""
        result: tuple[Any, ...] = raw("cudaRuntimeGetVersion")()
        return result

    @add
    def cudaThreadExchangeStreamCaptureMode(mode: Any) -> tuple[cudaError_t, cudaStreamCaptureMode | None]:
        """Swap the calling thread's capture mode: (status, the mode that it had)."""
        room = Room(library, "cudaStreamCaptureMode")
        room.put(mode)
        (status,) = raw("cudaThreadExchangeStreamCaptureMode")(room.address)
        return (status, room.one() if status == 0 else None)

    @add
    def cudaGraphGetNodes(
        graph: Any, numNodes: int = 0
    ) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, int | None]:
        """So many nodes of a graph: (status, list, how many there are)."""
        return outputs.filled("cudaGraphGetNodes", ["cudaGraphNode_t"], numNodes, graph)

    @add
    def cudaGraphGetRootNodes(
        graph: Any, pNumRootNodes: int = 0
    ) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, int | None]:
        """So many nodes of a graph that wait for no other: (status, list, how many there are)."""
        return outputs.filled("cudaGraphGetRootNodes", ["cudaGraphNode_t"], pNumRootNodes, graph)

    @add
    def cudaGraphGetEdges(
        graph: Any, numEdges: int = 0
    ) -> tuple[
        cudaError_t,
        list[cudaGraphNode_t] | None,
        list[cudaGraphNode_t] | None,
        list[cudaGraphEdgeData] | None,
        int | None,
    ]:
        """So many edges of a graph: (status, nodes, nodes that wait for them, edges' data, how many there are)."""
        return outputs.filled(
            "cudaGraphGetEdges", ["cudaGraphNode_t", "cudaGraphNode_t", "cudaGraphEdgeData"], numEdges, graph
        )

    @add
    def cudaGraphNodeGetDependencies(
        node: Any, pNumDependencies: int = 0
    ) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
        """So many nodes that a node waits for: (status, nodes, edges' data, how many there are)."""
        return outputs.filled(
            "cudaGraphNodeGetDependencies", ["cudaGraphNode_t", "cudaGraphEdgeData"], pNumDependencies, node
        )

    @add
    def cudaGraphNodeGetDependentNodes(
        node: Any, pNumDependentNodes: int = 0
    ) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
        """So many nodes that wait for a node: (status, nodes, edges' data, how many there are)."""
        return outputs.filled(
            "cudaGraphNodeGetDependentNodes", ["cudaGraphNode_t", "cudaGraphEdgeData"], pNumDependentNodes, node
        )

    @add
    def cudaLibraryEnumerateKernels(numKernels: int, lib: Any) -> tuple[cudaError_t, list[cudaKernel_t] | None]:
        """The kernels of a library, at most so many: (status, list)."""
        return outputs.enumerated(
            "cudaLibraryEnumerateKernels", "cudaKernel_t", "cudaLibraryGetKernelCount", numKernels, lib
        )

    @add
    def cudaStreamGetCaptureInfo(
        stream: Any,
    ) -> tuple[
        cudaError_t,
        cudaStreamCaptureStatus | None,
        int | None,
        cudaGraph_t | None,
        list[cudaGraphNode_t] | None,
        list[cudaGraphEdgeData] | None,
        int | None,
    ]:
        """A capture's state: (status, capture status, id, graph, dependencies, their edges, how many there are)."""
        return outputs.capture(
            "cudaStreamGetCaptureInfo", "cudaGraph_t", "cudaGraphNode_t", "cudaGraphEdgeData", stream
        )

    @add
    def cudaMemPoolGetAttribute(memPool: Any, attr: Any) -> tuple[cudaError_t, int | None]:
        """One attribute of a memory pool: (status, int)."""
        return outputs.valued("cudaMemPoolGetAttribute", kind_of(MEMPOOL_ATTRIBUTES, attr), memPool, attr, ...)

    @add
    def cudaMemPoolSetAttribute(memPool: Any, attr: Any, value: Any) -> tuple[cudaError_t]:
        """Set one attribute of a memory pool to an int."""
        return outputs.setting("cudaMemPoolSetAttribute", kind_of(MEMPOOL_ATTRIBUTES, attr), value, memPool, attr, ...)

    @add
    def cudaDeviceGetGraphMemAttribute(device: int, attr: Any) -> tuple[cudaError_t, int | None]:
        """Return the memory that graphs use on a device, in bytes: (status, int)."""
        return outputs.valued("cudaDeviceGetGraphMemAttribute", "u64", device, attr, ...)

    @add
    def cudaDeviceSetGraphMemAttribute(device: int, attr: Any, value: Any) -> tuple[cudaError_t]:
        """Set how much memory graphs use at most; only to 0, to begin again."""
        return outputs.setting("cudaDeviceSetGraphMemAttribute", "u64", value, device, attr, ...)

    @add
    def cudaMemPoolExportToShareableHandle(memPool: Any, handleType: Any, flags: int) -> tuple[cudaError_t, Any]:
        """A handle by which other processes can use a pool: (status, int), a file descriptor on Linux; or what the type
        says.
        """
        kind = shareable(handleType, "cudaMemFabricHandle_t")
        return outputs.valued("cudaMemPoolExportToShareableHandle", kind, ..., memPool, handleType, flags)

    @add
    def cudaGraphMemFreeNodeGetParams(node: Any) -> tuple[cudaError_t, int | None]:
        """Return the address that a node frees: (status, address)."""
        return outputs.valued("cudaGraphMemFreeNodeGetParams", "u64", node, ...)

    @add
    def cudaMemRangeGetAttribute(dataSize: int, attribute: Any, devPtr: Any, count: int) -> tuple[cudaError_t, Any]:
        """One attribute of a range of managed memory: an int, or a list of ints if it has several."""
        return outputs.range_attribute("cudaMemRangeGetAttribute", dataSize, attribute, devPtr, count)

    @add
    def cudaMemRangeGetAttributes(
        dataSizes: Sequence[int], attributes: Sequence[Any] | None, numAttributes: int, devPtr: Any, count: int
    ) -> tuple[cudaError_t, list[Any] | None]:
        """Several attributes of a range of managed memory: (status, list)."""
        return outputs.range_attributes(
            "cudaMemRangeGetAttributes", dataSizes, attributes, numAttributes, numAttributes, devPtr, count
        )

    @add
    def cudaDeviceGetHostAtomicCapabilities(
        operations: Sequence[Any] | None, count: int, device: int
    ) -> tuple[cudaError_t, list[int] | None]:
        """Which atomic operations a device can do on the host's memory: (status, one int for each operation)."""
        return outputs.capabilities("cudaDeviceGetHostAtomicCapabilities", operations, count, device)

    @add
    def cudaDeviceGetP2PAtomicCapabilities(
        operations: Sequence[Any] | None, count: int, srcDevice: int, dstDevice: int
    ) -> tuple[cudaError_t, list[int] | None]:
        """Which atomic operations a device can do on another's memory: (status, one int for each operation)."""
        return outputs.capabilities("cudaDeviceGetP2PAtomicCapabilities", operations, count, srcDevice, dstDevice)

    @add
    def cudaLogsDumpToFile(
        iterator: cudaLogIterator | None, pathToFile: str | bytes, flags: int
    ) -> tuple[cudaError_t, cudaLogIterator | None]:
        """Writes what has been logged since `iterator`, which moves on, to a file."""
        result: tuple[cudaError_t, cudaLogIterator | None] = moving(
            raw("cudaLogsDumpToFile"), iterator, pathToFile, flags
        )
        return result

    @add
    def cudaLogsDumpToMemory(
        iterator: cudaLogIterator | None, buffer: Any, size: int, flags: int
    ) -> tuple[cudaError_t, cudaLogIterator | None, int | None]:
        """Writes what has been logged since `iterator`, which moves on, to memory; the last is how much."""
        result: tuple[cudaError_t, cudaLogIterator | None, int | None]
        result = moving(raw("cudaLogsDumpToMemory"), iterator, writable(buffer), size, flags)
        return result

    @add
    def cudaGLGetDevices(
        cudaDeviceCount: int, deviceList: cudaGLDeviceList
    ) -> tuple[cudaError_t, int | None, list[int] | None]:
        """The devices of the current OpenGL context: (status, how many, so many of them)."""
        return outputs.devices("cudaGLGetDevices", "int", cudaDeviceCount, deviceList)

    return made
