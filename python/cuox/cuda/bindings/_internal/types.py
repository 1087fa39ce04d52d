"""Additions to the headers' types: integers and classes with several names, how long lists in records are, what new
records hold.
"""

from __future__ import annotations

import operator
from typing import Any

from cuox_bind import _native


def integer(name: str, kind: str, module: str) -> type:
    """The class of a C integer that has a name of its own, as cuda.bindings has them. `kind`: `u32`, `i32` or `u64`."""
    import ctypes

    bits = int(kind[1:])
    type_ = {"u32": ctypes.c_uint32, "i32": ctypes.c_int32, "u64": ctypes.c_uint64}[kind]
    least = -(1 << bits - 1) if kind[0] == "i" else 0

    class Integer:
        """An integer of C. `_ptr` says where it is, if it is somewhere already."""

        __slots__ = ("_held",)

        def __init__(self, value: Any = 0, _ptr: int = 0) -> None:
            if _ptr:
                self._held = type_.from_address(_ptr)
                return
            value = operator.index(value)
            if not least <= value < least + (1 << bits):
                raise OverflowError(f"{name}: expected an int from {least} to {least + (1 << bits) - 1}, got {value}")
            self._held = type_(value)

        def __int__(self) -> int:
            return int(self._held.value)

        __index__ = __int__

        def __eq__(self, other: object) -> bool:
            return int(self) == other

        def __hash__(self) -> int:
            return hash(int(self))

        def __repr__(self) -> str:
            return f"<{name} {int(self)}>"

        def getPtr(self) -> int:
            """The address."""
            return ctypes.addressof(self._held)

        @property
        def __array_interface__(self) -> dict[str, Any]:
            """Return the address that C gets where it wants a pointer."""
            typestr = f"<{kind[0]}{bits // 8}"
            return {"version": 3, "shape": (), "typestr": typestr, "data": (ctypes.addressof(self._held), False)}

        __size__ = bits // 8

    Integer.__name__ = Integer.__qualname__ = name
    Integer.__module__ = module
    return Integer


def sizeof(objType: type) -> int:
    """The size in bytes of what a class stands for in C."""
    size = getattr(objType, "__size__", None)
    return int(size) if size is not None else _native.size_of_c(objType)


INTEGER_STUB = """\
class {}:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...
"""

# Integers of other libraries' headers.
FOREIGN = {
    "GLenum": "u32",
    "GLuint": "u32",
    "EGLint": "i32",
    "VdpDevice": "u32",
    "VdpGetProcAddress": "u64",
    "VdpVideoSurface": "u32",
    "VdpOutputSurface": "u32",
}

# Which field says how many there are that another one points at; and what is text up to its NUL.
_LENGTHS = {
    "size": "CUDA_CONDITIONAL_NODE_PARAMS.phGraph_out cudaConditionalNodeParams.phGraph_out",
    "count": "CUDA_BATCH_MEM_OP_NODE_PARAMS.paramArray CUDA_BATCH_MEM_OP_NODE_PARAMS_v2.paramArray",
    "numAttrs": "CUlaunchConfig.attrs cudaLaunchConfig_t.attrs",
    "numExecAffinityParams": "CUctxCreateParams.execAffinityParams",
    "gpuPairsCount": "CUcheckpointRestoreArgs.gpuPairs",
    "accessDescCount": "CUDA_MEM_ALLOC_NODE_PARAMS.accessDescs CUDA_MEM_ALLOC_NODE_PARAMS_v2.accessDescs "
    "cudaMemAllocNodeParams.accessDescs cudaMemAllocNodeParamsV2.accessDescs",
    "numExtSems": " ".join(
        f"{record}.{field}"
        for record in (
            *(f"CUDA_EXT_SEM_{what}_NODE_PARAMS{version}" for what in ("SIGNAL", "WAIT") for version in ("", "_v2")),
            *(
                f"cudaExternalSemaphore{what}NodeParams{version}"
                for what in ("Signal", "Wait")
                for version in ("", "V2")
            ),
        )
        for field in ("extSemArray", "paramsArray")
    ),
    "NUL": "cudaDeviceProp.name",
}
LENGTHS = {field: length for length, fields in _LENGTHS.items() for field in fields.split()}

# The fields that are not 0 in a new record, as its constructor in C++ has it.
DEFAULTS = {"dim3.x": 1, "dim3.y": 1, "dim3.z": 1}

# Other names of types, and those that cuda.h gives by `#define`.
DRIVER_ALIASES = {
    "CUdevice_v1": "CUdevice",
    "CUdeviceptr_v2": "CUdeviceptr",
    "CUmemGenericAllocationHandle_v1": "CUmemGenericAllocationHandle",
    "CUsurfObject_v1": "CUsurfObject",
    "CUtexObject_v1": "CUtexObject",
    "CUkernelNodeAttrID": "CUlaunchAttributeID",
    "CUstreamAttrID": "CUlaunchAttributeID",
    "CUkernelNodeAttrValue": "CUlaunchAttributeValue",
    "CUkernelNodeAttrValue_v1": "CUlaunchAttributeValue",
    "CUstreamAttrValue": "CUlaunchAttributeValue",
    "CUstreamAttrValue_v1": "CUlaunchAttributeValue",
}

# Names that cuda_runtime_api.h gives to other types by `#define`.
RUNTIME_ALIASES = {
    "cudaStreamAttrID": "cudaLaunchAttributeID",
    "cudaKernelNodeAttrID": "cudaLaunchAttributeID",
    "cudaStreamAttrValue": "cudaLaunchAttributeValue",
    "cudaKernelNodeAttrValue": "cudaLaunchAttributeValue",
}
