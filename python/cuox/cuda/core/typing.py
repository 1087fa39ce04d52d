"""Types in the signatures of `cuox.cuda.core`, with the names of `cuda.core.typing`; enumerations are of texts."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Literal, Protocol, TypeAlias

__all__ = [
    "AddressModeType",
    "ArrayFormatType",
    "CompilerBackendType",
    "DevicePointerType",
    "DeviceResourcesType",
    "FilterModeType",
    "GraphConditionalType",
    "GraphMemoryType",
    "IsStreamType",
    "ManagedMemoryLocationType",
    "ObjectCodeFormatType",
    "PCHStatusType",
    "ProcessStateType",
    "ReadModeType",
    "SourceCodeType",
    "VirtualMemoryAccessType",
    "VirtualMemoryAllocationType",
    "VirtualMemoryGranularityType",
    "VirtualMemoryHandleType",
    "VirtualMemoryLocationType",
    "WorkqueueSharingScopeType",
]

DevicePointerType: TypeAlias = int | None
"""An address on a device: `CUdeviceptr` is an int."""
DeviceResourcesType: TypeAlias = Sequence[Any]
"""Parts of a device, of which a green context is made; not supported yet."""
ProcessStateType = Literal["running", "locked", "checkpointed", "failed"]
"""The state of a process that is checkpointed; not supported yet."""


class IsStreamType(Protocol):
    """An object with a stream: anything that takes a stream takes it."""

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the version of the protocol, 0, and the `CUstream` as an int."""
        ...


class AddressModeType(StrEnum):
    """What a texture gives outside of its array."""

    WRAP = "wrap"
    CLAMP = "clamp"
    MIRROR = "mirror"
    BORDER = "border"


class ArrayFormatType(StrEnum):
    """The elements of an array of textures."""

    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    FLOAT16 = "float16"
    FLOAT32 = "float32"


class CompilerBackendType(StrEnum):
    """The compiler of a program: `Program.backend`."""

    NVRTC = "NVRTC"
    NVVM = "NVVM"
    NVJITLINK = "nvJitLink"
    DRIVER = "driver"


class FilterModeType(StrEnum):
    """The way that a texture reads between elements."""

    POINT = "point"
    LINEAR = "linear"


class GraphConditionalType(StrEnum):
    """The kind of a conditional node."""

    IF = "if"
    WHILE = "while"
    SWITCH = "switch"


class GraphMemoryType(StrEnum):
    """The memory that a node of a graph allocates."""

    DEVICE = "device"
    HOST = "host"
    MANAGED = "managed"


class ManagedMemoryLocationType(StrEnum):
    """The place of managed memory."""

    DEVICE = "device"
    HOST = "host"
    HOST_NUMA = "host_numa"


class ObjectCodeFormatType(StrEnum):
    """The kind of compiled code: `ObjectCode.code_type`."""

    PTX = "ptx"
    CUBIN = "cubin"
    LTOIR = "ltoir"
    FATBIN = "fatbin"
    OBJECT = "object"
    LIBRARY = "library"


class PCHStatusType(StrEnum):
    """What has become of a precompiled header."""

    CREATED = "created"
    NOT_ATTEMPTED = "not_attempted"
    FAILED = "failed"


class ReadModeType(StrEnum):
    """The values that a texture gives of integers."""

    ELEMENT_TYPE = "element_type"
    NORMALIZED_FLOAT = "normalized_float"


class SourceCodeType(StrEnum):
    """The language of a program: `code_type` of `Program`."""

    CXX = "c++"
    PTX = "ptx"
    NVVM = "nvvm"


class VirtualMemoryAccessType(StrEnum):
    """What may be done with memory that is mapped."""

    READ_WRITE = "rw"
    READ = "r"


class VirtualMemoryAllocationType(StrEnum):
    """Whether memory that is mapped moves."""

    PINNED = "pinned"
    MANAGED = "managed"


class VirtualMemoryGranularityType(StrEnum):
    """Which size memory that is mapped is rounded up to."""

    MINIMUM = "minimum"
    RECOMMENDED = "recommended"


class VirtualMemoryHandleType(StrEnum):
    """The handle by which memory is shared between processes."""

    POSIX_FD = "posix_fd"
    WIN32_KMT = "win32_kmt"
    FABRIC = "fabric"


class VirtualMemoryLocationType(StrEnum):
    """The place of memory that is mapped."""

    DEVICE = "device"
    HOST = "host"
    HOST_NUMA = "host_numa"
    HOST_NUMA_CURRENT = "host_numa_current"


class WorkqueueSharingScopeType(StrEnum):
    """Who shares the queues of work."""

    DEVICE_CTX = "device_ctx"
    GREEN_CTX_BALANCED = "green_ctx_balanced"
