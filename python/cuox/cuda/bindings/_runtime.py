"""What cuda_runtime_api.h does not say: arrays that C fills, values whose type depends on an attribute, functions that the runtime's C++ headers have."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ._special import Later, moving, writable
from ._types import FOREIGN, INTEGER_STUB, RUNTIME_ALIASES, integer, sizeof

if TYPE_CHECKING:
    from ._module import Names
    from .runtime import (
        cudaChannelFormatDesc, cudaError_t, cudaExtent, cudaGLDeviceList, cudaGraph_t, cudaGraphEdgeData, cudaGraphNode_t, cudaKernel_t, cudaLogIterator,
        cudaPitchedPtr, cudaPos, cudaStreamCaptureMode, cudaStreamCaptureStatus,
    )  # fmt: skip

Raw = Callable[[str], Callable[..., Any]]

DRIVER = {
    "cudaMalloc": "cuMemAlloc",
    "cudaMallocAsync": "cuMemAllocAsync",
    "cudaMallocManaged": "cuMemAllocManaged",
    "cudaMallocPitch": "cuMemAllocPitch",
    "cudaMallocHost": "cuMemAllocHost",
    "cudaMallocArray": "cuArrayCreate",
    "cudaMalloc3DArray": "cuArray3DCreate",
    "cudaFree": "cuMemFree",
    "cudaFreeAsync": "cuMemFreeAsync",
    "cudaFreeHost": "cuMemFreeHost",
    "cudaFreeArray": "cuArrayDestroy",
    "cudaHostAlloc": "cuMemHostAlloc",
    "cudaHostRegister": "cuMemHostRegister",
    "cudaHostUnregister": "cuMemHostUnregister",
    "cudaMemset": "cuMemsetD8",
    "cudaMemsetAsync": "cuMemsetD8Async",
    "cudaDeviceSynchronize": "cuCtxSynchronize",
    "cudaSetDevice": "cuCtxSetCurrent",
    "cudaGetDevice": "cuCtxGetDevice",
    "cudaGetDeviceCount": "cuDeviceGetCount",
    "cudaGetDeviceProperties": "cuDeviceGetAttribute",
    "cudaRuntimeGetVersion": "cuDriverGetVersion",
    "cudaStreamCreateWithFlags": "cuStreamCreate",
    "cudaEventCreateWithFlags": "cuEventCreate",
    "cudaMemcpyToArray": "cuMemcpyHtoA",
    "cudaPointerGetAttributes": "cuPointerGetAttributes",
    "cudaCreateTextureObject": "cuTexObjectCreate",
    "cudaCreateSurfaceObject": "cuSurfObjectCreate",
}
"""Driver functions that have another name than the runtime's."""

_MEMPOOL_INTS = {
    "cudaMemPoolReuseFollowEventDependencies",
    "cudaMemPoolReuseAllowOpportunistic",
    "cudaMemPoolReuseAllowInternalDependencies",
}


def _handles(class_: Any, words: Any, count: int) -> list[Any]:
    return [class_(words[i]) for i in range(count)]


def special(names: Names, raw: Raw) -> dict[str, Any]:
    """The functions of the module that are put together here, by name."""
    library = names.library
    made: dict[str, Any] = {"sizeof": sizeof}
    for alias, name in RUNTIME_ALIASES.items():
        made[alias] = Later(functools.partial(lambda name: library[name], name), f"{alias} = {name}")
    for name, kind in FOREIGN.items():
        made[name] = Later(functools.partial(integer, name, kind, names.module), INTEGER_STUB.format(name))

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
        """Memory of rows: where it is, the distance between rows in bytes, a row's length in bytes, and how many rows there are."""
        made: cudaPitchedPtr = library.cudaPitchedPtr(ptr=d, pitch=p, xsize=xsz, ysize=ysz)
        return made

    def words(name: str, error: Any) -> tuple[Any, ...]:
        found = raw(name)(error)
        return (library.cudaError_t.cudaSuccess, found.encode() if isinstance(found, str) else found)

    @add
    def cudaGetErrorName(error: Any) -> tuple[cudaError_t, bytes]:
        """A status's name: (cudaSuccess, bytes)."""
        return words("cudaGetErrorName", error)

    @add
    def cudaGetErrorString(error: Any) -> tuple[cudaError_t, bytes]:
        """A status in words: (cudaSuccess, bytes)."""
        return words("cudaGetErrorString", error)

    @add
    def cudaDeviceGetPCIBusId(length: int, device: int) -> tuple[cudaError_t, bytes | None]:
        """A device's place on the PCI bus: (status, bytes)."""
        status, found = raw("cudaDeviceGetPCIBusId")(length, device)
        return (status, found.encode() if isinstance(found, str) else found)

    @add
    def getLocalRuntimeVersion() -> tuple[cudaError_t, int | None]:
        """The version of libcudart that is in use: (status, int)."""
        result: tuple[Any, ...] = raw("cudaRuntimeGetVersion")()
        return result

    @add
    def cudaThreadExchangeStreamCaptureMode(mode: Any) -> tuple[cudaError_t, cudaStreamCaptureMode | None]:
        """Swap the calling thread's capture mode: (status, the mode that it had)."""
        room = ctypes.c_int(int(mode))
        (status,) = raw("cudaThreadExchangeStreamCaptureMode")(ctypes.addressof(room))
        return (status, library.cudaStreamCaptureMode(room.value) if status == 0 else None)

    def edges(pointer: int, count: int) -> list[Any]:
        """Edges that are somewhere in C's memory."""
        size = len(bytes(library.cudaGraphEdgeData()))
        found = []
        for i in range(count):
            edge = library.cudaGraphEdgeData()
            ctypes.memmove(edge.getPtr(), pointer + i * size, size)
            found.append(edge)
        return found

    def listing(name: str, of: Any, count: int, arrays: int, has_edges: bool) -> tuple[Any, ...]:
        """Arrays of nodes that C fills, maybe one of edges, and how many there are."""
        rooms = [(ctypes.c_void_p * count)() if count else None for _ in range(arrays)]
        size = len(bytes(library.cudaGraphEdgeData())) if has_edges else 0
        edge_room = (ctypes.c_char * (size * count))() if has_edges and count else None
        total = ctypes.c_size_t(count)
        places = [None if room is None else ctypes.addressof(room) for room in (*rooms, *((edge_room,) if has_edges else ()))]
        (status,) = raw(name)(of, *places, ctypes.addressof(total))
        if status != 0:
            return (status, *(None for _ in places), None)
        filled = min(count, total.value)
        outputs: list[Any] = [_handles(library.cudaGraphNode_t, room, filled) for room in rooms]
        if has_edges:
            outputs.append(edges(ctypes.addressof(edge_room), filled) if edge_room is not None else [])
        return (status, *outputs, total.value)

    @add
    def cudaGraphGetNodes(graph: Any, numNodes: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, int | None]:
        """At most so many nodes of a graph: (status, list, how many there are)."""
        return listing("cudaGraphGetNodes", graph, numNodes, 1, False)

    @add
    def cudaGraphGetRootNodes(graph: Any, pNumRootNodes: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, int | None]:
        """At most so many nodes of a graph that wait for no other: (status, list, how many there are)."""
        return listing("cudaGraphGetRootNodes", graph, pNumRootNodes, 1, False)

    @add
    def cudaGraphGetEdges(graph: Any, numEdges: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
        """At most so many edges of a graph: (status, nodes, nodes that wait for them, edges' data, how many there are)."""
        return listing("cudaGraphGetEdges", graph, numEdges, 2, True)

    @add
    def cudaGraphNodeGetDependencies(node: Any, pNumDependencies: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
        """At most so many nodes that a node waits for: (status, nodes, edges' data, how many there are)."""
        return listing("cudaGraphNodeGetDependencies", node, pNumDependencies, 1, True)

    @add
    def cudaGraphNodeGetDependentNodes(node: Any, pNumDependentNodes: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
        """At most so many nodes that wait for a node: (status, nodes, edges' data, how many there are)."""
        return listing("cudaGraphNodeGetDependentNodes", node, pNumDependentNodes, 1, True)

    @add
    def cudaLibraryEnumerateKernels(numKernels: int, lib: Any) -> tuple[cudaError_t, list[cudaKernel_t] | None]:
        """The kernels of a library, at most so many: (status, list)."""
        room = (ctypes.c_void_p * max(1, numKernels))()
        (status,) = raw("cudaLibraryEnumerateKernels")(ctypes.addressof(room), numKernels, lib)
        return (status, _handles(library.cudaKernel_t, room, numKernels) if status == 0 else None)

    @add
    def cudaStreamGetCaptureInfo(stream: Any) -> tuple[cudaError_t, cudaStreamCaptureStatus | None, int | None, cudaGraph_t | None, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
        """A capture's state: (status, capture status, id, graph, dependencies, their edges, how many there are)."""
        number, count = ctypes.c_uint64(), ctypes.c_size_t()
        graph, nodes, data = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        places = [ctypes.addressof(place) for place in (number, graph, nodes, data, count)]
        status, captured = raw("cudaStreamGetCaptureInfo")(stream, *places)
        if status != 0:
            return (status, *(None for _ in range(6)))
        found = (ctypes.c_void_p * count.value).from_address(nodes.value) if nodes.value and count.value else ()
        return (
            status,
            captured,
            number.value,
            library.cudaGraph_t(graph.value or 0),
            _handles(library.cudaGraphNode_t, found, len(found)),
            edges(data.value, count.value) if data.value else [],
            count.value,
        )

    def room_of(attribute: Any, ints: set[str]) -> Any:
        return ctypes.c_int() if getattr(attribute, "name", "") in ints else ctypes.c_uint64()

    @add
    def cudaMemPoolGetAttribute(memPool: Any, attr: Any) -> tuple[cudaError_t, int | None]:
        """One attribute of a memory pool: (status, int)."""
        room = room_of(attr, _MEMPOOL_INTS)
        (status,) = raw("cudaMemPoolGetAttribute")(memPool, attr, ctypes.addressof(room))
        return (status, room.value if status == 0 else None)

    @add
    def cudaMemPoolSetAttribute(memPool: Any, attr: Any, value: Any) -> tuple[cudaError_t]:
        """Set one attribute of a memory pool to an int."""
        room = room_of(attr, _MEMPOOL_INTS)
        room.value = int(value)
        result: tuple[Any, ...] = raw("cudaMemPoolSetAttribute")(memPool, attr, ctypes.addressof(room))
        return result

    @add
    def cudaDeviceGetGraphMemAttribute(device: int, attr: Any) -> tuple[cudaError_t, int | None]:
        """How much memory graphs use on a device: (status, int)."""
        room = ctypes.c_uint64()
        (status,) = raw("cudaDeviceGetGraphMemAttribute")(device, attr, ctypes.addressof(room))
        return (status, room.value if status == 0 else None)

    @add
    def cudaDeviceSetGraphMemAttribute(device: int, attr: Any, value: Any) -> tuple[cudaError_t]:
        """Set how much memory graphs use at most; only to 0, to begin again."""
        room = ctypes.c_uint64(int(value))
        result: tuple[Any, ...] = raw("cudaDeviceSetGraphMemAttribute")(device, attr, ctypes.addressof(room))
        return result

    @add
    def cudaMemPoolExportToShareableHandle(memPool: Any, handleType: Any, flags: int) -> tuple[cudaError_t, int | None]:
        """A handle by which other processes can use a pool: (status, int); a file descriptor on Linux."""
        room = ctypes.c_uint64()
        (status,) = raw("cudaMemPoolExportToShareableHandle")(ctypes.addressof(room), memPool, handleType, flags)
        return (status, room.value if status == 0 else None)

    @add
    def cudaGraphMemFreeNodeGetParams(node: Any) -> tuple[cudaError_t, int | None]:
        """What a node frees: (status, address)."""
        room = ctypes.c_uint64()
        (status,) = raw("cudaGraphMemFreeNodeGetParams")(node, ctypes.addressof(room))
        return (status, room.value if status == 0 else None)

    @add
    def cudaMemRangeGetAttribute(dataSize: int, attribute: Any, devPtr: Any, count: int) -> tuple[cudaError_t, Any]:
        """One attribute of a range of managed memory: an int, or a list of ints if it has several."""
        room = (ctypes.c_int * max(1, dataSize // 4))()
        (status,) = raw("cudaMemRangeGetAttribute")(ctypes.addressof(room), dataSize, attribute, devPtr, count)
        if status != 0:
            return (status, None)
        return (status, room[0] if dataSize <= 4 else list(room))

    @add
    def cudaMemRangeGetAttributes(
        dataSizes: Sequence[int], attributes: Sequence[Any] | None, numAttributes: int, devPtr: Any, count: int
    ) -> tuple[cudaError_t, list[Any] | None]:
        """Several attributes of a range of managed memory: (status, list)."""
        rooms = [(ctypes.c_int * max(1, size // 4))() for size in dataSizes]
        places = (ctypes.c_void_p * max(1, len(rooms)))(*(ctypes.addressof(room) for room in rooms))
        (status,) = raw("cudaMemRangeGetAttributes")(ctypes.addressof(places), dataSizes, attributes, numAttributes, devPtr, count)
        if status != 0:
            return (status, None)
        return (status, [room[0] if len(room) == 1 else list(room) for room in rooms])

    def capabilities(name: str, operations: Sequence[Any] | None, count: int, *devices: int) -> tuple[Any, ...]:
        room = (ctypes.c_uint * max(1, count))()
        (status,) = raw(name)(ctypes.addressof(room), list(operations or ()), count, *devices)
        return (status, list(room[:count]) if status == 0 else None)

    @add
    def cudaDeviceGetHostAtomicCapabilities(operations: Sequence[Any] | None, count: int, device: int) -> tuple[cudaError_t, list[int] | None]:
        """Which atomic operations a device can do on the host's memory: (status, one int for each operation)."""
        return capabilities("cudaDeviceGetHostAtomicCapabilities", operations, count, device)

    @add
    def cudaDeviceGetP2PAtomicCapabilities(operations: Sequence[Any] | None, count: int, srcDevice: int, dstDevice: int) -> tuple[cudaError_t, list[int] | None]:
        """Which atomic operations a device can do on another's memory: (status, one int for each operation)."""
        return capabilities("cudaDeviceGetP2PAtomicCapabilities", operations, count, srcDevice, dstDevice)

    @add
    def cudaLogsDumpToFile(
        iterator: cudaLogIterator | None, pathToFile: str | bytes, flags: int
    ) -> tuple[cudaError_t, cudaLogIterator | None]:
        """Writes what has been logged since `iterator`, which moves on, to a file."""
        result: tuple[cudaError_t, cudaLogIterator | None] = moving(raw("cudaLogsDumpToFile"), iterator, pathToFile, flags)
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
    def cudaGLGetDevices(cudaDeviceCount: int, deviceList: cudaGLDeviceList) -> tuple[cudaError_t, int | None, list[int] | None]:
        """The devices of the current OpenGL context: (status, how many, so many of them)."""
        total, devices = ctypes.c_uint(), (ctypes.c_int * max(1, cudaDeviceCount))()
        (status,) = raw("cudaGLGetDevices")(ctypes.addressof(total), ctypes.addressof(devices), cudaDeviceCount, deviceList)
        if status != 0:
            return (status, None, None)
        return (status, total.value, devices[: min(cudaDeviceCount, total.value)])

    return made
