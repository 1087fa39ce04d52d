"""What a header does not say: launches' parameters, values whose type depends on an attribute, arrays that C fills, texts as bytes.

Each function here is put together from the raw one of the header's plan (`names.library[...]`), whose name it takes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cuox import _native

from ._types import DRIVER_ALIASES, FOREIGN, INTEGER_STUB, integer, sizeof

if TYPE_CHECKING:
    from ._module import Names
    from .driver import (
        CUatomicOperation, CUcoredumpSettings, CUdevice, CUdeviceptr, CUdevResource, CUfunction, CUGLDeviceList, CUgraph, CUgraphEdgeData,
        CUgraphMem_attribute, CUgraphNode, CUkernel, CUlibrary, CUlinkState, CUlogIterator, CUmem_range_attribute, CUmemAllocationHandleType,
        CUmemGenericAllocationHandle, CUmemoryPool, CUmemPool_attribute, CUmemRangeHandleType, CUmodule, CUpointer_attribute, CUresult, CUstream,
        CUstreamCaptureStatus,
    )  # fmt: skip
    from .nvrtc import nvrtcProgram, nvrtcResult

Function = TypeVar("Function", bound=Callable[..., Any])
Special = dict[str, Any]
# `Any`: it is the bound function's `__text_signature__` that is read.
Raw = Any
Result = tuple[Any, ...]


class Later:
    """An object that is made when its name is first used. `stub`: what a stub says of it if not what the header's plan says; "bytes" for `str`."""

    def __init__(self, make: Callable[[], Any], stub: str = "") -> None:
        self.make = make
        self.stub = stub


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _as_bytes(raw: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """A function whose text is returned as bytes, as cuda.bindings does."""

    @functools.wraps(raw)
    def call(*args: Any, **keywords: Any) -> tuple[Any, ...]:
        result = raw(*args, **keywords)
        if len(result) == 2 and type(result[1]) is str:
            return (result[0], result[1].encode("utf-8", "surrogateescape"))
        return tuple(_bytes(part) if isinstance(part, str) else part for part in result)

    return call


# Parameters of a launch


def _address(value: Any) -> tuple[int, Any]:
    """Where one argument's bytes are, and what has to live until they are read."""
    import ctypes

    if pointer := getattr(value, "getPtr", None):
        return pointer(), value
    if isinstance(value, (ctypes._SimpleCData, ctypes.Structure, ctypes.Union, ctypes.Array)):
        return ctypes.addressof(value), value
    if hasattr(value, "dtype"):
        data = value.tobytes()
        held = ctypes.create_string_buffer(data, len(data))
        return ctypes.addressof(held), held
    if isinstance(value, bool):
        raise TypeError("a kernel's parameter: a bool says nothing about its size; use numpy.bool_ or ctypes.c_bool")
    if isinstance(value, int):
        held8 = ctypes.c_uint64(value & 0xFFFF_FFFF_FFFF_FFFF)
        return ctypes.addressof(held8), held8
    raise TypeError(
        f"a kernel's parameter: {type(value).__name__} says nothing about its size in C; use a NumPy scalar, a ctypes value, "
        "or ((values, ...), (types, ...))"
    )


def _number(value: Any) -> int:
    """The address that something stands for: where it is, for a record and what was made with `_ptr=`; else its value."""
    place = _native.place_of_c(value)
    if place is None and (hasattr(value, "__int__") or not hasattr(value, "getPtr")):
        return int(value)
    return int(value.getPtr())


def _parameter(value: Any, type_: Any) -> tuple[int, Any]:
    """Where a value as a ctypes type has it is (with None, the value says it itself), and what has to live until it is read."""
    import ctypes

    if type_ is None:
        return _address(value)
    if isinstance(value, type_):
        return ctypes.addressof(value), value
    if isinstance(value, ctypes._SimpleCData):
        value = value.value
    if type_ is ctypes.c_void_p or type_ is ctypes.c_uint64 or type_ is ctypes.c_size_t:
        if not isinstance(value, int) and value is not None:
            value = value.ctypes.data if hasattr(value, "ctypes") else _number(value)
    elif hasattr(value, "item"):
        value = value.item()
    held = type_(value)
    return ctypes.addressof(held), held


def _launch(raw: Raw) -> Callable[..., Result]:
    """A launch whose `kernelParams` is

    None or 0; an address, or a buffer of addresses, as it is in C; `((values, ...), (ctypes types, ...))`, where the type None is for what
    says its type itself; or a list of NumPy scalars, ctypes values, handles and objects with `getPtr()`.
    """
    names = [part.strip() for part in (raw.__text_signature__ or "").strip("()").split(",")]
    function: Callable[..., Result] = _native._launching(raw, names.index("kernelParams"), _parameter)
    return function


# Values of JIT and library options


def _option(value: Any) -> int:
    """An option's value as the `void *` that C takes: a number, or where something is."""
    import ctypes

    if value is None:
        return 0
    if isinstance(value, float):
        return int.from_bytes(ctypes.c_float(value), "little")
    if pointer := getattr(value, "getPtr", None):
        return int(pointer())
    if isinstance(value, bytes):
        return ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value or 0
    if isinstance(value, (ctypes._SimpleCData, ctypes.Array, ctypes.Structure)):
        return ctypes.addressof(value)
    if data := getattr(value, "ctypes", None):
        return int(data.data)
    if isinstance(value, (bytearray, memoryview)):
        return ctypes.addressof((ctypes.c_char * 0).from_buffer(value))
    return int(value)


def option_values(values: Any) -> tuple[Any, Any]:
    """What `void **optionValues` is passed as for a list of values, and what has to live as long as C uses it."""
    if not isinstance(values, (list, tuple)):
        return values, None
    if not values:
        return None, None
    import ctypes

    array = (ctypes.c_void_p * len(values))(*map(_option, values))
    return ctypes.addressof(array), (array, values)


def _where(handle: Any) -> tuple[Any, Any]:
    """Where a handle's value is."""
    return (handle.getPtr() if hasattr(handle, "getPtr") else handle), handle


def _converting(raw: Raw, names: Sequence[str], convert: Callable[[Any], tuple[Any, Any]], keep: dict[int, Any] | None = None) -> Callable[..., Result]:
    """A function some of whose arguments are converted first. What they need lives until it returns; with `keep`, as long as what it puts out."""
    signature = raw.__text_signature__ or "()"
    parameters = [part.strip() for part in signature.strip("()").split(",")]
    places = [(name, parameters.index(name)) for name in names]

    @functools.wraps(raw)
    def call(*args: Any, **keywords: Any) -> Any:
        given = list(args)
        held = []
        for name, place in places:
            if place < len(given):
                given[place], kept = convert(given[place])
            elif name in keywords:
                keywords[name], kept = convert(keywords[name])
            else:
                continue
            held.append(kept)
        result = raw(*given, **keywords)
        if keep is not None and len(result) > 1 and result[1] is not None:
            keep[int(result[1])] = held
        del held
        return result

    return call


# Memory that C fills, and values whose type depends on an attribute


class Room:
    """Memory for so many values of a kind: a class of the library, or a C type's short name."""

    SIMPLE = {"u64": "c_uint64", "i32": "c_int", "u32": "c_uint", "bool": "c_bool", "pointer": "c_void_p", "u8": "c_ubyte"}

    def __init__(self, library: Any, kind: str, count: int = 1) -> None:
        import ctypes

        self._class: Any = None
        self._records: Any = None
        simple = self.SIMPLE.get(kind)
        if simple is None:
            self._class = library[kind]
            if not issubclass(self._class, int) and hasattr(self._class, "array"):
                self._records = self._class.array(count) if count else []
                self.address: int | None = self._records.address if count else None
                return
            simple = "c_int" if issubclass(self._class, int) else "c_uint64"
        self._values = (getattr(ctypes, simple) * count)()
        self.address = ctypes.addressof(self._values) if count else None

    def all(self) -> list[Any]:
        """The values."""
        if self._records is not None:
            return list(self._records)
        values = [0 if value is None else value for value in self._values]
        return values if self._class is None else [_made(self._class, value) for value in values]

    def one(self) -> Any:
        """The first value."""
        return self.all()[0]

    def put(self, value: Any) -> None:
        """Sets the first value."""
        self._values[0] = value if isinstance(value, bool) else int(value)


def _made(class_: Any, value: int) -> Any:
    """A handle, or an enumeration's member; a plain int for a value that has none."""
    try:
        return class_(value)
    except ValueError:
        return value


def _attribute(class_: Any, attribute: Any) -> Any:
    """The member for a number; a number that has none is for the driver to refuse."""
    return _made(class_, attribute)


def _kind(kinds: dict[str, str], attribute: Any, default: str = "u64") -> str:
    return kinds.get(getattr(attribute, "name", ""), default)


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
SHAREABLE = {
    "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR": "i32",
    "CU_MEM_HANDLE_TYPE_WIN32": "pointer",
    "CU_MEM_HANDLE_TYPE_WIN32_KMT": "u32",
    "CU_MEM_HANDLE_TYPE_FABRIC": "CUmemFabricHandle",
}
COREDUMP_TEXTS = ("CU_COREDUMP_FILE", "CU_COREDUMP_PIPE")
COREDUMP_ROOM = 4096


def driver(names: Names) -> Special:
    """What `cuda.bindings.driver` has beside, or otherwise than, the header's plan."""
    library = names.library
    special: Special = {}

    def lazily(name: str, make: Callable[[], Any], stub: str = "") -> None:
        special[name] = Later(make, stub)

    for name in ("cuGetErrorString", "cuGetErrorName", "cuDeviceGetName", "cuDeviceGetPCIBusId", "cuFuncGetName", "cuKernelGetName"):
        lazily(name, functools.partial(lambda name: _as_bytes(library[name]), name), "bytes")
    for name in ("cuLaunchKernel", "cuLaunchCooperativeKernel", "cuLaunchKernelEx"):
        lazily(name, functools.partial(lambda name: _launch(library[name]), name))
    kept: dict[int, Any] = {}  # by link state: the driver writes into the values of its options until the link is done
    for name, values in (
        ("cuModuleLoadDataEx", ["optionValues"]),
        ("cuLinkAddData", ["optionValues"]),
        ("cuLinkAddFile", ["optionValues"]),
        ("cuLibraryLoadData", ["jitOptionsValues", "libraryOptionValues"]),
        ("cuLibraryLoadFromFile", ["jitOptionsValues", "libraryOptionValues"]),
    ):
        lazily(name, functools.partial(lambda name, values: _converting(library[name], values, option_values), name, values))
    lazily("cuLinkCreate", lambda: _converting(library["cuLinkCreate"], ["optionValues"], option_values, kept))
    for name, by_address in (
        ("cuEGLStreamConsumerDisconnect", ["conn"]),
        ("cuEGLStreamConsumerAcquireFrame", ["conn", "pCudaResource", "pStream"]),
        ("cuEGLStreamConsumerReleaseFrame", ["conn", "pStream"]),
        ("cuEGLStreamProducerDisconnect", ["conn"]),
        ("cuEGLStreamProducerPresentFrame", ["conn", "pStream"]),
        ("cuEGLStreamProducerReturnFrame", ["conn", "pStream"]),
    ):
        lazily(name, functools.partial(lambda name, by_address: _converting(library[name], by_address, _where), name, by_address))
    for alias, name in DRIVER_ALIASES.items():
        lazily(alias, functools.partial(lambda name: library[name], name), f"{alias} = {name}")
    for name, kind in {"cuuint32_t": "u32", "cuuint64_t": "u64", **FOREIGN}.items():
        lazily(name, functools.partial(integer, name, kind, names.module), INTEGER_STUB.format(name))
    lazily("CU_LAUNCH_PARAM_END", lambda: 0, "CU_LAUNCH_PARAM_END: Final = 0")
    special["sizeof"] = sizeof

    def export(function: Function) -> Function:
        special[function.__name__] = function
        return function

    def filled(name: str, kinds: Sequence[str], count: int, of: Any) -> Result:
        """C's function takes `of`, an array for each kind, and where the count is."""
        rooms = [Room(library, kind, count) for kind in kinds]
        total = Room(library, "u64")
        total.put(count)
        (status,) = library[name](of, *(room.address for room in rooms), total.address)
        if status != 0:
            return (status, *(None for _ in rooms), None)
        return (status, *(room.all() for room in rooms), total.one())

    def listed(name: str, kind: str, count: int, *rest: Any) -> Result:
        """C's function takes an array first."""
        room = Room(library, kind, count)
        (status,) = library[name](room.address, *rest)
        return (status, room.all() if status == 0 else None)

    returning: dict[tuple[str, str], Callable[..., Result]] = {}

    def valued(name: str, kind: str, *args: Any) -> Result:
        """C's function takes, where the argument `...` is, where the value is to be put."""
        call = returning.get((name, kind))
        if call is None:
            call = returning[name, kind] = library._returning(name, [arg is ... for arg in args].index(True), kind)
        return call(*(arg for arg in args if arg is not ...))

    class Attributes(dict[Any, Callable[..., Result]]):
        """By attribute, the function with what the attribute's value is for C's parameter at a place."""

        def __init__(self, name: str, place: int, attributes: str, kinds: dict[str, str]) -> None:
            self.of = name, place, attributes, kinds

        def __missing__(self, attribute: Any) -> Callable[..., Result]:
            name, place, attributes, kinds = self.of
            member = _attribute(library[attributes], attribute)
            call: Callable[..., Result] = library._returning(name, place, _kind(kinds, member))
            if isinstance(member, library[attributes]):
                self[member] = call
            return call

    pointer_attributes = Attributes("cuPointerGetAttribute", 0, "CUpointer_attribute", POINTER_ATTRIBUTES)
    pool_attributes = Attributes("cuMemPoolGetAttribute", 2, "CUmemPool_attribute", POOL_ATTRIBUTES)

    def setting(name: str, kind: str, value: Any, *args: Any) -> Result:
        room = Room(library, kind)
        room.put(value)
        result: Result = library[name](*(room.address if arg is ... else arg for arg in args))
        return result

    @export
    def cuLinkDestroy(state: CUlinkState) -> tuple[CUresult]:
        """Ends a link."""
        kept.pop(int(state), None)
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
        wanted = [_attribute(library.CUpointer_attribute, one) for one in (attributes or ())[:numAttributes]]
        rooms = [Room(library, _kind(POINTER_ATTRIBUTES, one)) for one in wanted]
        places, held = option_values([room.address for room in rooms])
        (status,) = library.cuPointerGetAttributes(len(wanted), wanted, places, ptr)
        del held
        return (status, [room.one() for room in rooms] if status == 0 else None)

    @export
    def cuPointerSetAttribute(value: Any, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> tuple[CUresult]:
        """Sets an attribute of a pointer."""
        attribute = _attribute(library.CUpointer_attribute, attribute)
        # What can be set, the driver reads as `unsigned int`, whatever it is read back as.
        return setting("cuPointerSetAttribute", "u64", value, ..., attribute, ptr)

    @export
    def cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute) -> tuple[CUresult, Any]:
        """One attribute of a memory pool."""
        return pool_attributes[attr](pool, attr)

    @export
    def cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: Any) -> tuple[CUresult]:
        """Sets an attribute of a memory pool."""
        attr = _attribute(library.CUmemPool_attribute, attr)
        return setting("cuMemPoolSetAttribute", _kind(POOL_ATTRIBUTES, attr), value, pool, attr, ...)

    @export
    def cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute) -> tuple[CUresult, int | None]:
        """How much memory the graphs of a device use."""
        return valued("cuDeviceGetGraphMemAttribute", "u64", device, attr, ...)

    @export
    def cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: Any) -> tuple[CUresult]:
        """Sets an attribute of graphs' memory."""
        return setting("cuDeviceSetGraphMemAttribute", "u64", value, device, attr, ...)

    @export
    def cuMemRangeGetAttribute(
        dataSize: int, attribute: CUmem_range_attribute, devPtr: CUdeviceptr, count: int
    ) -> tuple[CUresult, Any]:
        """One attribute of a range of managed memory: an int, or a list of ints if it has several."""
        room = Room(library, "i32", max(1, dataSize // 4))
        (status,) = library.cuMemRangeGetAttribute(room.address, dataSize, attribute, devPtr, count)
        if status != 0:
            return (status, None)
        return (status, room.one() if dataSize <= 4 else room.all())

    @export
    def cuMemRangeGetAttributes(
        dataSizes: Sequence[int], attributes: Sequence[CUmem_range_attribute] | None, numAttributes: int, devPtr: CUdeviceptr, count: int
    ) -> tuple[CUresult, list[Any] | None]:
        """Several attributes of a range of managed memory."""
        rooms = [Room(library, "i32", max(1, size // 4)) for size in dataSizes]
        places, held = option_values([room.address for room in rooms])
        (status,) = library.cuMemRangeGetAttributes(places, dataSizes, list(attributes or ())[:numAttributes], devPtr, count)
        del held
        if status != 0:
            return (status, None)
        return (status, [room.one() if size <= 4 else room.all() for room, size in zip(rooms, dataSizes)])

    @export
    def cuGraphGetNodes(hGraph: CUgraph, numNodes: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, int | None]:
        """So many nodes of a graph, and how many it has."""
        return filled("cuGraphGetNodes", ["CUgraphNode"], numNodes, hGraph)

    @export
    def cuGraphGetRootNodes(hGraph: CUgraph, numRootNodes: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, int | None]:
        """So many nodes of a graph that depend on none, and how many it has."""
        return filled("cuGraphGetRootNodes", ["CUgraphNode"], numRootNodes, hGraph)

    @export
    def cuGraphGetEdges(
        hGraph: CUgraph, numEdges: int = 0
    ) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
        """So many edges of a graph (from, to, and their data), and how many it has."""
        return filled("cuGraphGetEdges", ["CUgraphNode", "CUgraphNode", "CUgraphEdgeData"], numEdges, hGraph)

    @export
    def cuGraphNodeGetDependencies(
        hNode: CUgraphNode, numDependencies: int = 0
    ) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
        """So many nodes that a node depends on, with the edges' data, and how many there are."""
        return filled("cuGraphNodeGetDependencies", ["CUgraphNode", "CUgraphEdgeData"], numDependencies, hNode)

    @export
    def cuGraphNodeGetDependentNodes(
        hNode: CUgraphNode, numDependentNodes: int = 0
    ) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
        """So many nodes that depend on a node, with the edges' data, and how many there are."""
        return filled("cuGraphNodeGetDependentNodes", ["CUgraphNode", "CUgraphEdgeData"], numDependentNodes, hNode)

    @export
    def cuModuleEnumerateFunctions(numFunctions: int, mod: CUmodule) -> tuple[CUresult, list[CUfunction] | None]:
        """So many functions of a module."""
        return listed("cuModuleEnumerateFunctions", "CUfunction", numFunctions, numFunctions, mod)

    @export
    def cuLibraryEnumerateKernels(numKernels: int, lib: CUlibrary) -> tuple[CUresult, list[CUkernel] | None]:
        """So many kernels of a library."""
        return listed("cuLibraryEnumerateKernels", "CUkernel", numKernels, numKernels, lib)

    @export
    def cuDeviceGetHostAtomicCapabilities(
        operations: Sequence[CUatomicOperation] | None, count: int, dev: CUdevice
    ) -> tuple[CUresult, list[int] | None]:
        """What a device can do of each atomic operation on the host's memory."""
        return listed("cuDeviceGetHostAtomicCapabilities", "u32", count, operations, count, dev)

    @export
    def cuDeviceGetP2PAtomicCapabilities(
        operations: Sequence[CUatomicOperation] | None, count: int, srcDevice: CUdevice, dstDevice: CUdevice
    ) -> tuple[CUresult, list[int] | None]:
        """What a device can do of each atomic operation on another's memory."""
        return listed("cuDeviceGetP2PAtomicCapabilities", "u32", count, operations, count, srcDevice, dstDevice)

    @export
    def cuGLGetDevices(cudaDeviceCount: int, deviceList: CUGLDeviceList) -> tuple[CUresult, int | None, list[CUdevice] | None]:
        """The devices of the current OpenGL context: how many, and so many of them."""
        total, devices = Room(library, "u32"), Room(library, "i32", cudaDeviceCount)
        (status,) = library.cuGLGetDevices(total.address, devices.address, cudaDeviceCount, deviceList)
        if status != 0:
            return (status, None, None)
        return (status, total.one(), [library.CUdevice(one) for one in devices.all()])

    @export
    def cuMemExportToShareableHandle(
        handle: CUmemGenericAllocationHandle, handleType: CUmemAllocationHandleType, flags: int
    ) -> tuple[CUresult, Any]:
        """A handle of the operating system for an allocation: a file descriptor, or what the type says."""
        handleType = _attribute(library.CUmemAllocationHandleType, handleType)
        return valued("cuMemExportToShareableHandle", _kind(SHAREABLE, handleType), ..., handle, handleType, flags)

    @export
    def cuMemPoolExportToShareableHandle(
        pool: CUmemoryPool, handleType: CUmemAllocationHandleType, flags: int
    ) -> tuple[CUresult, Any]:
        """A handle of the operating system for a memory pool: a file descriptor, or what the type says."""
        handleType = _attribute(library.CUmemAllocationHandleType, handleType)
        return valued("cuMemPoolExportToShareableHandle", _kind(SHAREABLE, handleType), ..., pool, handleType, flags)

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
        CUresult, CUstreamCaptureStatus | None, int | None, CUgraph | None, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None
    ]:
        """A stream's capture: its state, number, graph, the nodes that the next one will depend on with the edges' data, and how many these are."""
        import ctypes

        number, graph, nodes, edges, count = (Room(library, "u64") for _ in range(5))
        status, state = library.cuStreamGetCaptureInfo(
            hStream, number.address, graph.address, nodes.address, edges.address, count.address
        )
        if status != 0:
            return (status, None, None, None, None, None, None)
        total = count.one() if nodes.one() else 0
        found = [library.CUgraphNode(node) for node in (ctypes.c_uint64 * total).from_address(nodes.one())] if total else []
        size = sizeof(library.CUgraphEdgeData)
        data = [library.CUgraphEdgeData.from_address(edges.one() + size * i).copy() for i in range(total)] if edges.one() else []
        return (status, state, number.one(), library.CUgraph(graph.one()), found, data, total)

    @export
    def cuDevSmResourceSplitByCount(
        nbGroups: int, input_: CUdevResource | None, useFlags: int, minCount: int
    ) -> tuple[CUresult, list[CUdevResource] | None, int | None, CUdevResource | None]:
        """Splits multiprocessors: so many groups, how many there can be, and what remains."""
        groups, count, remaining = Room(library, "CUdevResource", nbGroups), Room(library, "u32"), Room(library, "CUdevResource")
        count.put(nbGroups)
        (status,) = library.cuDevSmResourceSplitByCount(
            groups.address, count.address, input_, remaining.address, useFlags, minCount
        )
        if status != 0:
            return (status, None, None, None)
        return (status, groups.all(), count.one(), remaining.one())

    def coredump_get(name: str, attrib: Any) -> Result:
        import ctypes

        attrib = _attribute(library.CUcoredumpSettings, attrib)
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

        attrib = _attribute(library.CUcoredumpSettings, attrib)
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
    def cuLogsDumpToFile(iterator: CUlogIterator | None, pathToFile: str | bytes, flags: int) -> tuple[CUresult, CUlogIterator | None]:
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

    return special


def moving(raw: Raw, iterator: Any, *rest: Any) -> Any:
    """A function that moves the iterator it is given, which is among its results. With None it begins at the first entry."""
    status, *found = raw(None if iterator is None else iterator.getPtr(), *rest)
    return (status, iterator, *found) if status == 0 else (status, None, *(None for _ in found))


def writable(buffer: Any) -> Any:
    """Memory to be written to. `bytes` are taken too, as in cuda.bindings: only the caller, who made them to be written, has seen them."""
    if isinstance(buffer, bytes):
        import ctypes

        return ctypes.cast(ctypes.c_char_p(buffer), ctypes.c_void_p).value
    return buffer


def nvrtc(names: Names) -> Special:
    """What `cuda.bindings.nvrtc` has beside, or otherwise than, the header's plan."""
    library = names.library
    special: Special = {}

    def export(function: Function) -> Function:
        special[function.__name__] = function
        return function

    @export
    def nvrtcGetErrorString(result: nvrtcResult) -> tuple[nvrtcResult, bytes | None]:
        """A status in words."""
        return (library.nvrtcResult.NVRTC_SUCCESS, _bytes(library.nvrtcGetErrorString(result)))

    @export
    def nvrtcGetSupportedArchs() -> tuple[nvrtcResult, list[int] | None]:
        """The architectures that programs can be compiled for."""
        status, count = library.nvrtcGetNumSupportedArchs()
        if status != 0:
            return (status, None)
        room = Room(library, "i32", count)
        (status,) = library.nvrtcGetSupportedArchs(room.address)
        return (status, room.all() if status == 0 else None)

    @export
    def nvrtcDestroyProgram(prog: nvrtcProgram) -> tuple[nvrtcResult]:
        """Ends a program; the handle is null afterwards."""
        result: tuple[nvrtcResult] = library.nvrtcDestroyProgram(prog if prog is None else prog.getPtr())
        return result

    def written(name: str) -> Later:
        def make() -> Callable[..., Result]:
            raw = library[name]
            place = (raw.__text_signature__ or "").strip("()").split(", ")[1]
            return _converting(raw, [place], lambda buffer: (writable(buffer), buffer))

        return Later(make)

    for name in ("nvrtcGetPTX", "nvrtcGetProgramLog", "nvrtcGetCUBIN", "nvrtcGetLTOIR", "nvrtcGetOptiXIR"):
        special[name] = written(name)
    special["sizeof"] = sizeof
    special["nvrtcGetLoweredName"] = Later(lambda: _as_bytes(library["nvrtcGetLoweredName"]), "bytes")
    return special
