"""Additions to cuda.h: launches' parameters, values whose type depends on an attribute, arrays that C fills, texts as
bytes.

Each function here is put together from the raw one of the header's plan (`names.library[...]`), whose name it takes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .arguments import (
    converting,
    forgetting,
    launching,
    option_values,
    seeing,
    terminated,
    where,
    with_values,
    writable,
)
from .module import Later, Names
from .outputs import Outputs, Result, Room, announced, as_bytes, kind_of, member_of, moving, shareable
from .types import DRIVER_ALIASES, FOREIGN, INTEGER_STUB, integer, sizeof

if TYPE_CHECKING:
    from ..driver import (
        CUatomicOperation,
        CUcoredumpSettings,
        CUdevice,
        CUdeviceptr,
        CUdevResource,
        CUfunction,
        CUGLDeviceList,
        CUgraph,
        CUgraphEdgeData,
        CUgraphMem_attribute,
        CUgraphNode,
        CUkernel,
        CUlibrary,
        CUlinkState,
        CUlogIterator,
        CUmem_range_attribute,
        CUmemAllocationHandleType,
        CUmemGenericAllocationHandle,
        CUmemoryPool,
        CUmemPool_attribute,
        CUmemRangeHandleType,
        CUmodule,
        CUpointer_attribute,
        CUresult,
        CUstream,
        CUstreamCaptureStatus,
    )  # fmt: skip

Function = TypeVar("Function", bound=Callable[..., Any])

POINTER_ATTRIBUTES = {
    "CU_POINTER_ATTRIBUTE_CONTEXT": "CUcontext",
    "CU_POINTER_ATTRIBUTE_MEMORY_TYPE": "CUmemorytype",
    "CU_POINTER_ATTRIBUTE_DEVICE_POINTER": "CUdeviceptr",
    "CU_POINTER_ATTRIBUTE_HOST_POINTER": "pointer",
    "CU_POINTER_ATTRIBUTE_P2P_TOKENS": "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS",
    "CU_POINTER_ATTRIBUTE_SYNC_MEMOPS": "bool",
    "CU_POINTER_ATTRIBUTE_IS_MANAGED": "bool",
    "CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL": "i32",
    "CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE": "bool",
    "CU_POINTER_ATTRIBUTE_RANGE_START_ADDR": "CUdeviceptr",
    "CU_POINTER_ATTRIBUTE_MAPPED": "bool",
    "CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE": "bool",
    "CU_POINTER_ATTRIBUTE_ACCESS_FLAGS": "u32",
    "CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE": "CUmemoryPool",
    "CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR": "pointer",
    "CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE": "bool",
}
POOL_ATTRIBUTES = {
    "CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES": "i32",
    "CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC": "i32",
    "CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES": "i32",
}
NODES = [f"CUDA_KERNEL_NODE_PARAMS{end}" for end in ("_v3", "_v3_st", "_v2", "_v2_st", "_v1", "_st", "")]
"""Records with the parameters of a kernel. The first is also a part of `CUgraphNodeParams`."""
COREDUMP_TEXTS = ("CU_COREDUMP_FILE", "CU_COREDUMP_PIPE")
COREDUMP_ROOM = 4096


class Attributes(dict[Any, Callable[..., Result]]):
    """By attribute, the function with what the attribute's value is for C's parameter at a place."""

    def __init__(self, library: Any, name: str, place: int, attributes: str, kinds: dict[str, str]) -> None:
        self.of = library, name, place, attributes, kinds

    def __missing__(self, attribute: Any) -> Callable[..., Result]:
        library, name, place, attributes, kinds = self.of
        member = member_of(library[attributes], attribute)
        call: Callable[..., Result] = library._returning(name, place, kind_of(kinds, member))
        if isinstance(member, library[attributes]):
            self[member] = call
        return call


def special(names: Names) -> dict[str, Any]:
    """Return the names of `cuda.bindings.driver` that the header's plan lacks, or has otherwise."""
    library = names.library
    made: dict[str, Any] = {}

    def lazily(name: str, make: Callable[[], Any], stub: str = "") -> None:
        made[name] = Later(make, stub)

    for name in (
        "cuGetErrorString",
        "cuGetErrorName",
        "cuDeviceGetName",
        "cuDeviceGetPCIBusId",
        "cuFuncGetName",
        "cuKernelGetName",
    ):
        lazily(name, functools.partial(lambda name: as_bytes(library[name]), name), "bytes")
    for name in ("cuLaunchKernel", "cuLaunchCooperativeKernel", "cuLaunchKernelEx"):
        lazily(name, functools.partial(lambda name: launching(library[name], library), name))
    for name in NODES:
        lazily(name, functools.partial(lambda name: with_values(library[name]), name))
    for name in ("CUgraphNodeParams", "CUgraphNodeParams_st"):
        lazily(name, functools.partial(lambda name: with_values(library[NODES[0]]) and library[name], name))
    kept: dict[int, Any] = {}  # by link state: the driver writes into the values of its options until the link is done
    for name, values in (
        ("cuLinkAddData", ["optionValues"]),
        ("cuLinkAddFile", ["optionValues"]),
        ("cuLibraryLoadFromFile", ["jitOptionsValues", "libraryOptionValues"]),
    ):
        lazily(
            name, functools.partial(lambda name, values: converting(library[name], values, option_values), name, values)
        )
    lazily("cuModuleLoadData", lambda: seeing(converting(library["cuModuleLoadData"], ["image"], terminated), "image"))
    lazily(
        "cuModuleLoadDataEx",
        lambda: seeing(converting(library["cuModuleLoadDataEx"], ["optionValues"], option_values), "image"),
    )
    lazily(
        "cuLibraryLoadData",
        lambda: seeing(
            converting(library["cuLibraryLoadData"], ["jitOptionsValues", "libraryOptionValues"], option_values),
            "code",
            is_library=True,
        ),
    )
    lazily("cuModuleUnload", lambda: forgetting(library["cuModuleUnload"]))
    lazily("cuLibraryUnload", lambda: forgetting(library["cuLibraryUnload"], is_library=True))
    lazily("cuLinkCreate", lambda: converting(library["cuLinkCreate"], ["optionValues"], option_values, kept))
    for name, by_address in (
        ("cuEGLStreamConsumerDisconnect", ["conn"]),
        ("cuEGLStreamConsumerAcquireFrame", ["conn", "pCudaResource", "pStream"]),
        ("cuEGLStreamConsumerReleaseFrame", ["conn", "pStream"]),
        ("cuEGLStreamProducerDisconnect", ["conn"]),
        ("cuEGLStreamProducerPresentFrame", ["conn", "pStream"]),
        ("cuEGLStreamProducerReturnFrame", ["conn", "pStream"]),
    ):
        lazily(
            name,
            functools.partial(lambda name, by_address: converting(library[name], by_address, where), name, by_address),
        )
    for alias, name in DRIVER_ALIASES.items():
        lazily(alias, functools.partial(lambda name: library[name], name), f"{alias} = {name}")
    for name, kind in {"cuuint32_t": "u32", "cuuint64_t": "u64", **FOREIGN}.items():
        lazily(name, functools.partial(integer, name, kind, names.module), INTEGER_STUB.format(name))
    lazily("CU_LAUNCH_PARAM_END", lambda: 0, "CU_LAUNCH_PARAM_END: Final = 0")
    made["sizeof"] = sizeof

    def export(function: Function) -> Function:
        made[function.__name__] = function
        return function

    def creating_contexts() -> Callable[..., Result]:
        raw = library.cuCtxCreate

        @functools.wraps(raw)
        def call(*args: Any, **keywords: Any) -> Result:
            # Up to CUDA 12 there were no parameters of creation: (flags, device), with the context to fill in before
            # them.
            if not keywords and len(args) == 2:
                args = (None, *args)
            elif not keywords and len(args) == 3 and isinstance(args[0], library.CUcontext):
                args = (args[0], None, *args[1:])
            result: Result = raw(*args, **keywords)
            return result

        return call

    lazily("cuCtxCreate", creating_contexts)

    outputs = Outputs(library, library.__getitem__)
    returning: dict[tuple[str, str], Callable[..., Result]] = {}

    def valued(name: str, kind: str, *args: Any) -> Result:
        """C's function takes, where the argument `...` is, where the value is to be put."""
        call = returning.get((name, kind))
        if call is None:
            call = returning[name, kind] = library._returning(name, [arg is ... for arg in args].index(True), kind)
        return call(*(arg for arg in args if arg is not ...))

    pointer_attributes = Attributes(library, "cuPointerGetAttribute", 0, "CUpointer_attribute", POINTER_ATTRIBUTES)
    pool_attributes = Attributes(library, "cuMemPoolGetAttribute", 2, "CUmemPool_attribute", POOL_ATTRIBUTES)

    @export
    def cuLinkDestroy(state: CUlinkState | int | None) -> tuple[CUresult]:
        """Ends a link."""
        kept.pop(0 if state is None else int(state), None)
        result: tuple[CUresult] = library.cuLinkDestroy(state)
        return result

    @export
    def cuDeviceGetLuid(dev: CUdevice) -> tuple[CUresult, bytes | None, int | None]:
        """The LUID and node mask of a device: (status, bytes, int)."""
        room = Room(library, "u8", 8)
        status, mask = library.cuDeviceGetLuid(room.address, dev)
        return (status, bytes(room.all()), mask) if status == 0 else (status, None, None)

    @export
    def cuPointerGetAttribute(attribute: CUpointer_attribute, ptr: CUdeviceptr) -> tuple[CUresult, Any]:
        """One attribute of a pointer, with the type that the attribute has."""
        return pointer_attributes[attribute](attribute, ptr)

    @export
    def cuPointerGetAttributes(
        numAttributes: int, attributes: Sequence[CUpointer_attribute] | None, ptr: CUdeviceptr
    ) -> tuple[CUresult, list[Any] | None]:
        """Several attributes of a pointer."""
        attributes = attributes or ()
        announced("cuPointerGetAttributes", numAttributes, attributes=attributes)
        wanted = [member_of(library.CUpointer_attribute, one) for one in attributes[:numAttributes]]
        rooms = [Room(library, kind_of(POINTER_ATTRIBUTES, one)) for one in wanted]
        places, held = option_values([room.address for room in rooms])
        (status,) = library.cuPointerGetAttributes(len(wanted), wanted, places, ptr)
        del held
        return (status, [room.one() for room in rooms] if status == 0 else None)

    @export
    def cuPointerSetAttribute(value: Any, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> tuple[CUresult]:
        """Sets an attribute of a pointer."""
        attribute = member_of(library.CUpointer_attribute, attribute)
        # The driver reads every attribute that can be set as `unsigned int`, whatever type it is read back as.
        return outputs.setting("cuPointerSetAttribute", "u64", value, ..., attribute, ptr)

    @export
    def cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute) -> tuple[CUresult, Any]:
        """One attribute of a memory pool."""
        return pool_attributes[attr](pool, attr)

    @export
    def cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: Any) -> tuple[CUresult]:
        """Sets an attribute of a memory pool."""
        attr = member_of(library.CUmemPool_attribute, attr)
        return outputs.setting("cuMemPoolSetAttribute", kind_of(POOL_ATTRIBUTES, attr), value, pool, attr, ...)

    @export
    def cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute) -> tuple[CUresult, int | None]:
        """Return the memory that the graphs of a device use, in bytes."""
        return valued("cuDeviceGetGraphMemAttribute", "u64", device, attr, ...)

    @export
    def cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: Any) -> tuple[CUresult]:
        """Sets an attribute of graphs' memory."""
        return outputs.setting("cuDeviceSetGraphMemAttribute", "u64", value, device, attr, ...)

    @export
    def cuMemRangeGetAttribute(
        dataSize: int, attribute: CUmem_range_attribute, devPtr: CUdeviceptr, count: int
    ) -> tuple[CUresult, Any]:
        """One attribute of a range of managed memory: an int, or a list of ints if it has several."""
        return outputs.range_attribute("cuMemRangeGetAttribute", dataSize, attribute, devPtr, count)

    @export
    def cuMemRangeGetAttributes(
        dataSizes: Sequence[int],
        attributes: Sequence[CUmem_range_attribute] | None,
        numAttributes: int,
        devPtr: CUdeviceptr,
        count: int,
    ) -> tuple[CUresult, list[Any] | None]:
        """Several attributes of a range of managed memory."""
        return outputs.range_attributes("cuMemRangeGetAttributes", dataSizes, attributes, numAttributes, devPtr, count)

    @export
    def cuGraphGetNodes(hGraph: CUgraph, numNodes: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, int | None]:
        """So many nodes of a graph, and how many it has."""
        return outputs.filled("cuGraphGetNodes", ["CUgraphNode"], numNodes, hGraph)

    @export
    def cuGraphGetRootNodes(
        hGraph: CUgraph, numRootNodes: int = 0
    ) -> tuple[CUresult, list[CUgraphNode] | None, int | None]:
        """So many nodes of a graph that depend on none, and how many it has."""
        return outputs.filled("cuGraphGetRootNodes", ["CUgraphNode"], numRootNodes, hGraph)

    @export
    def cuGraphGetEdges(
        hGraph: CUgraph, numEdges: int = 0
    ) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
        """So many edges of a graph (from, to, and their data), and how many it has."""
        return outputs.filled("cuGraphGetEdges", ["CUgraphNode", "CUgraphNode", "CUgraphEdgeData"], numEdges, hGraph)

    @export
    def cuGraphNodeGetDependencies(
        hNode: CUgraphNode, numDependencies: int = 0
    ) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
        """So many nodes that a node depends on, with the edges' data, and how many there are."""
        return outputs.filled("cuGraphNodeGetDependencies", ["CUgraphNode", "CUgraphEdgeData"], numDependencies, hNode)

    @export
    def cuGraphNodeGetDependentNodes(
        hNode: CUgraphNode, numDependentNodes: int = 0
    ) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
        """So many nodes that depend on a node, with the edges' data, and how many there are."""
        return outputs.filled(
            "cuGraphNodeGetDependentNodes", ["CUgraphNode", "CUgraphEdgeData"], numDependentNodes, hNode
        )

    @export
    def cuModuleEnumerateFunctions(numFunctions: int, mod: CUmodule) -> tuple[CUresult, list[CUfunction] | None]:
        """So many functions of a module."""
        return outputs.enumerated(
            "cuModuleEnumerateFunctions", "CUfunction", "cuModuleGetFunctionCount", numFunctions, mod
        )

    @export
    def cuLibraryEnumerateKernels(numKernels: int, lib: CUlibrary) -> tuple[CUresult, list[CUkernel] | None]:
        """So many kernels of a library."""
        return outputs.enumerated("cuLibraryEnumerateKernels", "CUkernel", "cuLibraryGetKernelCount", numKernels, lib)

    @export
    def cuDeviceGetHostAtomicCapabilities(
        operations: Sequence[CUatomicOperation] | None, count: int, dev: CUdevice
    ) -> tuple[CUresult, list[int] | None]:
        """Return a device's capabilities for each atomic operation on the host's memory."""
        return outputs.capabilities("cuDeviceGetHostAtomicCapabilities", operations, count, dev)

    @export
    def cuDeviceGetP2PAtomicCapabilities(
        operations: Sequence[CUatomicOperation] | None, count: int, srcDevice: CUdevice, dstDevice: CUdevice
    ) -> tuple[CUresult, list[int] | None]:
        """Return a device's capabilities for each atomic operation on another's memory."""
        return outputs.capabilities("cuDeviceGetP2PAtomicCapabilities", operations, count, srcDevice, dstDevice)

    @export
    def cuGLGetDevices(
        cudaDeviceCount: int, deviceList: CUGLDeviceList
    ) -> tuple[CUresult, int | None, list[CUdevice] | None]:
        """The devices of the current OpenGL context: how many, and so many of them."""
        return outputs.devices("cuGLGetDevices", "CUdevice", cudaDeviceCount, deviceList)

    @export
    def cuMemExportToShareableHandle(
        handle: CUmemGenericAllocationHandle, handleType: CUmemAllocationHandleType, flags: int
    ) -> tuple[CUresult, Any]:
        """A handle of the operating system for an allocation: a file descriptor, or what the type says."""
        return valued(
            "cuMemExportToShareableHandle", shareable(handleType, "CUmemFabricHandle"), ..., handle, handleType, flags
        )

    @export
    def cuMemPoolExportToShareableHandle(
        pool: CUmemoryPool, handleType: CUmemAllocationHandleType, flags: int
    ) -> tuple[CUresult, Any]:
        """A handle of the operating system for a memory pool: a file descriptor, or what the type says."""
        return valued(
            "cuMemPoolExportToShareableHandle", shareable(handleType, "CUmemFabricHandle"), ..., pool, handleType, flags
        )

    @export
    def cuMemGetHandleForAddressRange(
        dptr: CUdeviceptr, size: int, handleType: CUmemRangeHandleType, flags: int
    ) -> tuple[CUresult, int | None]:
        """A dma_buf's file descriptor for a range of memory."""
        return valued("cuMemGetHandleForAddressRange", "i32", ..., dptr, size, handleType, flags)

    @export
    def cuStreamGetCaptureInfo(
        hStream: CUstream | None,
    ) -> tuple[
        CUresult,
        CUstreamCaptureStatus | None,
        int | None,
        CUgraph | None,
        list[CUgraphNode] | None,
        list[CUgraphEdgeData] | None,
        int | None,
    ]:
        """A stream's capture: its state, number, graph, the nodes that the next one will depend on with the edges'
        data, and how many these are.
        """
        return outputs.capture("cuStreamGetCaptureInfo", "CUgraph", "CUgraphNode", "CUgraphEdgeData", hStream)

    @export
    def cuDevSmResourceSplitByCount(
        nbGroups: int, input_: CUdevResource | None, useFlags: int, minCount: int
    ) -> tuple[CUresult, list[CUdevResource] | None, int | None, CUdevResource | None]:
        """Splits multiprocessors: so many groups, how many there can be, and what remains."""
        groups, count, remaining = (
            Room(library, "CUdevResource", nbGroups),
            Room(library, "u32"),
            Room(library, "CUdevResource"),
        )
        count.put(nbGroups)
        (status,) = library.cuDevSmResourceSplitByCount(
            groups.address, count.address, input_, remaining.address, useFlags, minCount
        )
        if status != 0:
            return (status, None, None, None)
        return (status, groups.all(), count.one(), remaining.one())

    def coredump_get(name: str, attrib: Any) -> Result:
        import ctypes

        attrib = member_of(library.CUcoredumpSettings, attrib)
        room = ctypes.create_string_buffer(COREDUMP_ROOM)
        text = getattr(attrib, "name", "") in COREDUMP_TEXTS
        flags = getattr(attrib, "name", "") == "CU_COREDUMP_GENERATION_FLAGS"
        size = COREDUMP_ROOM if text else 4 if flags else 1
        status, *_ = library[name](attrib, ctypes.addressof(room), size)
        if status != 0:
            return (status, None)
        if text:
            return (status, room.value)
        return (status, int.from_bytes(room.raw[:4], "little") if flags else room.raw[0] != 0)

    def coredump_set(name: str, attrib: Any, value: Any) -> Result:
        import ctypes

        attrib = member_of(library.CUcoredumpSettings, attrib)
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes):
            room: Any = ctypes.create_string_buffer(value)
        elif getattr(attrib, "name", "") == "CU_COREDUMP_GENERATION_FLAGS":
            room = ctypes.c_uint(int(value))
        else:
            room = ctypes.c_bool(bool(value))
        status, *_ = library[name](attrib, ctypes.addressof(room), ctypes.sizeof(room))
        return (status,)

    @export
    def cuCoredumpGetAttribute(attrib: CUcoredumpSettings) -> tuple[CUresult, Any]:
        """A setting of core dumps: bytes for names of files, a bool, or flags."""
        return coredump_get("cuCoredumpGetAttribute", attrib)

    @export
    def cuCoredumpGetAttributeGlobal(attrib: CUcoredumpSettings) -> tuple[CUresult, Any]:
        """A setting of core dumps of all contexts: bytes for names of files, a bool, or flags."""
        return coredump_get("cuCoredumpGetAttributeGlobal", attrib)

    @export
    def cuCoredumpSetAttribute(attrib: CUcoredumpSettings, value: bytes | str | bool | int) -> tuple[CUresult]:
        """Sets how core dumps are made."""
        return coredump_set("cuCoredumpSetAttribute", attrib, value)

    @export
    def cuCoredumpSetAttributeGlobal(attrib: CUcoredumpSettings, value: bytes | str | bool | int) -> tuple[CUresult]:
        """Sets how core dumps of all contexts are made."""
        return coredump_set("cuCoredumpSetAttributeGlobal", attrib, value)

    @export
    def cuLogsDumpToFile(
        iterator: CUlogIterator | None, pathToFile: str | bytes, flags: int
    ) -> tuple[CUresult, CUlogIterator | None]:
        """Writes what the driver has logged since `iterator`, which moves on, to a file."""
        result: tuple[CUresult, CUlogIterator | None] = moving(library.cuLogsDumpToFile, iterator, pathToFile, flags)
        return result

    @export
    def cuLogsDumpToMemory(
        iterator: CUlogIterator | None, buffer: Any, size: int, flags: int
    ) -> tuple[CUresult, CUlogIterator | None, int | None]:
        """Writes what the driver has logged since `iterator`, which moves on, to memory; the last is how much."""
        result: tuple[CUresult, CUlogIterator | None, int | None]
        result = moving(library.cuLogsDumpToMemory, iterator, writable(buffer), size, flags)
        return result

    return made
