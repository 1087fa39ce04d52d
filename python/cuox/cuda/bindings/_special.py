"""What a header does not say: launches' parameters, values whose type depends on an attribute, arrays that C fills, texts as bytes.

Each function here is put together from the raw one of the header's plan (`names.library[...]`), whose name it takes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._module import Names

Special = dict[str, Any]


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _as_bytes(raw: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """A function whose text is returned as bytes, as cuda.bindings does."""

    @functools.wraps(raw)
    def call(*args: Any, **keywords: Any) -> tuple[Any, ...]:
        status, *rest = raw(*args, **keywords)
        return (status, *(_bytes(part) if isinstance(part, str) else part for part in rest))

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


def _typed(value: Any, type_: Any) -> tuple[int, Any]:
    """One value as a ctypes type has it; with None, the value says it itself."""
    import ctypes

    if type_ is None:
        return _address(value)
    if isinstance(value, type_):
        return ctypes.addressof(value), value
    if isinstance(value, ctypes._SimpleCData):
        value = value.value
    if type_ is ctypes.c_void_p or type_ is ctypes.c_uint64 or type_ is ctypes.c_size_t:
        if not isinstance(value, int) and value is not None:
            value = value.ctypes.data if hasattr(value, "ctypes") else int(value)
    elif hasattr(value, "item"):
        value = value.item()
    held = type_(value)
    return ctypes.addressof(held), held


def kernel_params(params: Any) -> tuple[Any, Any]:
    """What `void **kernelParams` is passed as, and what has to live until the call has returned.

    params: None or 0; an address, or a buffer of addresses, as it is in C; `((values, ...), (ctypes types, ...))`, where the type None is for what
    has `getPtr()`; or a list of NumPy scalars, ctypes values, handles and objects with `getPtr()`.
    """
    if params is None or isinstance(params, int):
        return params or None, None
    if isinstance(params, (tuple, list)):
        import ctypes

        if len(params) == 2 and all(isinstance(part, (tuple, list)) for part in params):
            values, types = params
            if len(values) != len(types):
                raise ValueError(f"kernelParams has {len(values)} values and {len(types)} types")
            found = [_typed(value, type_) for value, type_ in zip(values, types)]
        elif len(params) == 2 and isinstance(params[0], (tuple, list)) and params[1] is None:
            found = [_address(value) for value in params[0]]
        else:
            found = [_address(value) for value in params]
        if not found:
            return None, None
        array = (ctypes.c_void_p * len(found))(*(address for address, _ in found))
        return ctypes.addressof(array), (array, found)
    return params, None


def _launch(raw: Callable[..., tuple[Any, ...]], place: int, what: str) -> Callable[..., tuple[Any, ...]]:
    """A launch whose argument at a place is its kernel's parameters."""

    @functools.wraps(raw)
    def call(*args: Any, **keywords: Any) -> tuple[Any, ...]:
        if len(args) > place:
            address, held = kernel_params(args[place])
            args = (*args[:place], address, *(extra or None for extra in args[place + 1 :]))
        elif what in keywords:
            keywords[what], held = kernel_params(keywords[what])
        result = raw(*args, **keywords)
        del held
        return result

    return call


# Values whose type depends on an attribute


def _value_at(names: Names, attribute: Any, kinds: dict[str, str], default: str) -> Any:
    """A ctypes value for an attribute: its name decides."""
    import ctypes

    sizes = {
        "u64": ctypes.c_uint64,
        "i32": ctypes.c_int,
        "u32": ctypes.c_uint,
        "bool": ctypes.c_bool,
        "pointer": ctypes.c_void_p,
    }
    return sizes[kinds.get(getattr(attribute, "name", ""), default)]()


def _plain(value: Any) -> Any:
    found = value.value
    return 0 if found is None else found


POINTER_ATTRIBUTES = {
    "CU_POINTER_ATTRIBUTE_CONTEXT": "CUcontext",
    "CU_POINTER_ATTRIBUTE_MEMORY_TYPE": "CUmemorytype",
    "CU_POINTER_ATTRIBUTE_DEVICE_POINTER": "CUdeviceptr",
    "CU_POINTER_ATTRIBUTE_HOST_POINTER": "pointer",
    "CU_POINTER_ATTRIBUTE_P2P_TOKENS": "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS",
    "CU_POINTER_ATTRIBUTE_SYNC_MEMOPS": "bool",
    "CU_POINTER_ATTRIBUTE_BUFFER_ID": "u64",
    "CU_POINTER_ATTRIBUTE_IS_MANAGED": "bool",
    "CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL": "i32",
    "CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE": "bool",
    "CU_POINTER_ATTRIBUTE_RANGE_START_ADDR": "CUdeviceptr",
    "CU_POINTER_ATTRIBUTE_RANGE_SIZE": "u64",
    "CU_POINTER_ATTRIBUTE_MAPPED": "bool",
    "CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES": "u64",
    "CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE": "bool",
    "CU_POINTER_ATTRIBUTE_ACCESS_FLAGS": "u32",
    "CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE": "CUmemoryPool",
    "CU_POINTER_ATTRIBUTE_MAPPING_SIZE": "u64",
    "CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR": "pointer",
    "CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID": "u64",
    "CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE": "bool",
}


def _room(names: Names, kind: str) -> tuple[Any, Callable[[Any], Any]]:
    """Storage of a kind, and how it is read."""
    import ctypes

    simple = {
        "u64": ctypes.c_uint64,
        "i32": ctypes.c_int,
        "u32": ctypes.c_uint,
        "bool": ctypes.c_bool,
        "pointer": ctypes.c_void_p,
    }
    if kind in simple:
        return simple[kind](), _plain
    class_ = getattr(names.library, kind)
    if isinstance(class_, type) and issubclass(class_, int):  # an enumeration

        def member(value: Any) -> Any:
            try:
                return class_(value.value)
            except ValueError:
                return value.value

        return ctypes.c_int(), member
    made = class_()
    return made, lambda value: value


def _where(room: Any) -> int:
    import ctypes

    if pointer := getattr(room, "getPtr", None):
        return int(pointer())
    return ctypes.addressof(room)


def _attribute_of(class_: Any, attribute: Any) -> Any:
    return attribute if isinstance(attribute, class_) else class_(attribute)


def driver(names: Names) -> Special:
    """What `cuda.bindings.driver` has beside, or otherwise than, the header's plan."""
    library = names.library
    special: Special = {}
    for name in ("cuGetErrorString", "cuGetErrorName", "cuDeviceGetName", "cuDeviceGetPCIBusId", "cuFuncGetName", "cuKernelGetName"):
        special[name] = _as_bytes(library[name])
    special["cuLaunchKernel"] = _launch(library["cuLaunchKernel"], 9, "kernelParams")
    special["cuLaunchCooperativeKernel"] = _launch(library["cuLaunchCooperativeKernel"], 9, "kernelParams")
    special["cuLaunchKernelEx"] = _launch(library["cuLaunchKernelEx"], 2, "kernelParams")

    def cuDeviceGetLuid(dev: Any) -> tuple[Any, ...]:
        """The LUID and node mask of a device: (status, bytes, int)."""
        room = bytearray(8)
        status, mask = library.cuDeviceGetLuid(room, dev)
        return (status, bytes(room), mask) if status == 0 else (status, None, None)

    def cuPointerGetAttribute(attribute: Any, ptr: Any) -> tuple[Any, ...]:
        """One attribute of a pointer, with the type that the attribute has."""
        attribute = _attribute_of(library.CUpointer_attribute, attribute)
        room, read = _room(names, POINTER_ATTRIBUTES.get(attribute.name, "u64"))
        (status,) = library.cuPointerGetAttribute(_where(room), attribute, ptr)
        return (status, read(room) if status == 0 else None)

    def cuPointerGetAttributes(numAttributes: int, attributes: Sequence[Any] | None, ptr: Any) -> tuple[Any, ...]:
        """Several attributes of a pointer: (status, list)."""
        wanted = [_attribute_of(library.CUpointer_attribute, one) for one in (attributes or ())[:numAttributes]]
        rooms = [_room(names, POINTER_ATTRIBUTES.get(one.name, "u64")) for one in wanted]
        (status,) = library.cuPointerGetAttributes(len(wanted), wanted, [_where(room) for room, _ in rooms], ptr)
        return (status, [read(room) for room, read in rooms] if status == 0 else None)

    def by_attribute(name: str, class_name: str, kinds: dict[str, str], default: str) -> Callable[..., tuple[Any, ...]]:
        raw = library[name]

        def call(of: Any, attr: Any) -> tuple[Any, ...]:
            attr = _attribute_of(library[class_name], attr)
            room, read = _room(names, kinds.get(attr.name, default))
            (status,) = raw(of, attr, _where(room))
            return (status, read(room) if status == 0 else None)

        call.__name__ = call.__qualname__ = name
        call.__doc__ = raw.__doc__
        return call

    reuse = {
        "CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES": "i32",
        "CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC": "i32",
        "CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES": "i32",
    }

    def setting(name: str, class_name: str, kinds: dict[str, str], default: str) -> Callable[..., tuple[Any, ...]]:
        raw = library[name]

        def call(of: Any, attr: Any, value: Any) -> tuple[Any, ...]:
            attr = _attribute_of(library[class_name], attr)
            room, _ = _room(names, kinds.get(attr.name, default))
            room.value = int(value)
            result: tuple[Any, ...] = raw(of, attr, _where(room))
            return result

        call.__name__ = call.__qualname__ = name
        call.__doc__ = raw.__doc__
        return call

    special["cuMemPoolGetAttribute"] = by_attribute("cuMemPoolGetAttribute", "CUmemPool_attribute", reuse, "u64")
    special["cuMemPoolSetAttribute"] = setting("cuMemPoolSetAttribute", "CUmemPool_attribute", reuse, "u64")
    special["cuDeviceGetGraphMemAttribute"] = by_attribute("cuDeviceGetGraphMemAttribute", "CUgraphMem_attribute", {}, "u64")
    special["cuDeviceSetGraphMemAttribute"] = setting("cuDeviceSetGraphMemAttribute", "CUgraphMem_attribute", {}, "u64")

    def cuMemRangeGetAttribute(dataSize: int, attribute: Any, devPtr: Any, count: int) -> tuple[Any, ...]:
        """One attribute of a range of managed memory: an int, or a list of ints if it has several."""
        import ctypes

        room = (ctypes.c_int * max(1, dataSize // 4))()
        (status,) = library.cuMemRangeGetAttribute(room, dataSize, attribute, devPtr, count)
        if status != 0:
            return (status, None)
        return (status, room[0] if dataSize <= 4 else list(room))

    def cuMemRangeGetAttributes(dataSizes: Sequence[int], attributes: Sequence[Any] | None, numAttributes: int, devPtr: Any, count: int) -> tuple[Any, ...]:
        """Several attributes of a range of managed memory: (status, list)."""
        import ctypes

        rooms = [(ctypes.c_int * max(1, size // 4))() for size in dataSizes]
        (status,) = library.cuMemRangeGetAttributes(
            [ctypes.addressof(room) for room in rooms], dataSizes, attributes, numAttributes, devPtr, count
        )
        if status != 0:
            return (status, None)
        return (status, [room[0] if len(room) == 1 else list(room) for room in rooms])

    def arrays(name: str, classes: Sequence[str], count_first: bool = False) -> Callable[..., tuple[Any, ...]]:
        """A function that fills arrays of so many, and says how many there are."""
        raw = library[name]

        def call(of: Any, count: int = 0) -> tuple[Any, ...]:
            import ctypes

            if count_first:
                of, count = count, of
            made = [[library[one]() for _ in range(count)] for one in classes]
            rooms: list[Any] = []
            for objects in made:
                size = len(bytes(objects[0])) if objects and hasattr(objects[0], "__buffer__") else 8
                rooms.append((ctypes.c_char * (size * count))() if count else None)
            total = ctypes.c_size_t(count)
            if count_first:
                (status,) = raw(*rooms, count, of)
                return (status, [library[classes[0]](value) for value in (ctypes.c_uint64 * count).from_buffer(rooms[0])] if count else []) if status == 0 else (status, None)
            (status,) = raw(of, *rooms, total)
            if status != 0:
                return (status, *(None for _ in classes), None)
            outputs = []
            for one, room in zip(classes, rooms):
                words = list((ctypes.c_uint64 * min(count, total.value)).from_buffer(room)) if room is not None else []
                outputs.append([library[one](word) for word in words])
            return (status, *outputs, total.value)

        call.__name__ = call.__qualname__ = name
        call.__doc__ = raw.__doc__
        return call

    for name in ("cuGraphGetNodes", "cuGraphGetRootNodes"):
        special[name] = arrays(name, ["CUgraphNode"])
    special["cuModuleEnumerateFunctions"] = arrays("cuModuleEnumerateFunctions", ["CUfunction"], True)
    special["cuLibraryEnumerateKernels"] = arrays("cuLibraryEnumerateKernels", ["CUkernel"], True)

    def coredump(name: str) -> Callable[..., tuple[Any, ...]]:
        raw = library[name]

        def call(attrib: Any) -> tuple[Any, ...]:
            import ctypes

            attrib = _attribute_of(library.CUcoredumpSettings, attrib)
            size = ctypes.c_size_t(1024)
            room = ctypes.create_string_buffer(size.value)
            (status,) = raw(attrib, room, size)
            if status != 0:
                return (status, None)
            if attrib.name in ("CU_COREDUMP_FILE", "CU_COREDUMP_PIPE"):
                return (status, room.value)
            return (status, bool(room[0] != b"\0"))

        call.__name__ = call.__qualname__ = name
        call.__doc__ = raw.__doc__
        return call

    def set_coredump(name: str) -> Callable[..., tuple[Any, ...]]:
        raw = library[name]

        def call(attrib: Any, value: Any) -> tuple[Any, ...]:
            import ctypes

            attrib = _attribute_of(library.CUcoredumpSettings, attrib)
            if isinstance(value, str):
                value = value.encode()
            room = ctypes.create_string_buffer(value) if isinstance(value, bytes) else ctypes.c_bool(bool(value))
            result: tuple[Any, ...] = raw(attrib, room, ctypes.c_size_t(ctypes.sizeof(room)))
            return result

        call.__name__ = call.__qualname__ = name
        call.__doc__ = raw.__doc__
        return call

    for name in ("cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"):
        special[name] = coredump(name)
    for name in ("cuCoredumpSetAttribute", "cuCoredumpSetAttributeGlobal"):
        special[name] = set_coredump(name)

    def cuThreadExchangeStreamCaptureMode(mode: Any) -> tuple[Any, ...]:
        """Swap the calling thread's capture mode: (status, the mode that it had)."""
        import ctypes

        room = ctypes.c_int(int(mode))
        (status,) = library.cuThreadExchangeStreamCaptureMode(room)
        return (status, library.CUstreamCaptureMode(room.value) if status == 0 else None)

    for function in (
        cuDeviceGetLuid, cuPointerGetAttribute, cuPointerGetAttributes, cuMemRangeGetAttribute, cuMemRangeGetAttributes,
        cuThreadExchangeStreamCaptureMode,
    ):  # fmt: skip
        special[function.__name__] = function
    return special


def nvrtc(names: Names) -> Special:
    """What `cuda.bindings.nvrtc` has beside, or otherwise than, the header's plan."""
    library = names.library
    special: Special = {}

    def nvrtcGetErrorString(result: Any) -> tuple[Any, ...]:
        """A status in words: (NVRTC_SUCCESS, bytes)."""
        return (library.nvrtcResult.NVRTC_SUCCESS, _bytes(library.nvrtcGetErrorString(result)))

    def nvrtcGetSupportedArchs() -> tuple[Any, ...]:
        """The architectures that programs can be compiled for: (status, list)."""
        import ctypes

        status, count = library.nvrtcGetNumSupportedArchs()
        if status != 0:
            return (status, None)
        room = (ctypes.c_int * count)()
        (status,) = library.nvrtcGetSupportedArchs(room)
        return (status, list(room) if status == 0 else None)

    def into(name: str) -> Callable[..., tuple[Any, ...]]:
        """A function that writes into memory that the caller gives; here it may be `bytes`, as in cuda.bindings, where that is the custom."""
        raw = library[name]

        def call(prog: Any, buffer: Any) -> tuple[Any, ...]:
            if isinstance(buffer, bytes):
                import ctypes

                # Only the caller has seen this object, who made it to be written.
                address = ctypes.cast(ctypes.c_char_p(buffer), ctypes.c_void_p).value
                result: tuple[Any, ...] = raw(prog, address)
                return result
            return raw(prog, buffer)  # type: ignore[no-any-return]

        call.__name__ = call.__qualname__ = name
        call.__doc__ = raw.__doc__
        return call

    for name in ("nvrtcGetPTX", "nvrtcGetProgramLog", "nvrtcGetCUBIN", "nvrtcGetLTOIR", "nvrtcGetOptiXIR"):
        special[name] = into(name)
    special["nvrtcGetLoweredName"] = _as_bytes(library["nvrtcGetLoweredName"])
    special["nvrtcGetErrorString"] = nvrtcGetErrorString
    special["nvrtcGetSupportedArchs"] = nvrtcGetSupportedArchs
    return special
