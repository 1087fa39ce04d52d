"""The native API of `cuox`, under the name that users of `cuda.core` know. Graphs are in `graph`, textures in
`texture`, program caches in `utils`, types in `typing`, what NVML tells in `system`, processes that are saved in
`checkpoint`.
"""

from __future__ import annotations

from cuox._internal import api
from cuox._internal.api import *  # noqa: F403
from cuox._internal.later import missing
from cuox._internal.linking import Linker, LinkerOptions
from cuox._internal.memory.graph_memory import GraphMemoryResource
from cuox._internal.memory.managed import ManagedBuffer
from cuox._internal.memory.places import Host
from cuox._internal.memory.virtual import VirtualMemoryResource, VirtualMemoryResourceOptions
from cuox._internal.options import (
    DeviceMemoryResourceOptions,
    ManagedMemoryResourceOptions,
    PinnedMemoryResourceOptions,
)
from cuox._internal.resources import (
    ContextOptions,
    DeviceResources,
    SMResource,
    SMResourceOptions,
    WorkqueueResource,
    WorkqueueResourceOptions,
)
from cuox._internal.tensor_maps import TensorMapDescriptor, TensorMapDescriptorOptions

__all__ = [  # noqa: PLE0604
    *api.__all__,
    "ContextOptions",
    "DeviceMemoryResourceOptions",
    "DeviceResources",
    "GraphMemoryResource",
    "Host",
    "Linker",
    "LinkerOptions",
    "ManagedBuffer",
    "ManagedMemoryResourceOptions",
    "PinnedMemoryResourceOptions",
    "SMResource",
    "SMResourceOptions",
    "TensorMapDescriptor",
    "TensorMapDescriptorOptions",
    "VirtualMemoryResource",
    "VirtualMemoryResourceOptions",
    "WorkqueueResource",
    "WorkqueueResourceOptions",
]

# What cuda.core 1.2.2 has besides, and what there is instead.
_LATER = {
    "GraphicsResource": "OpenGL is not supported",
}
__getattr__ = missing(__name__, _LATER, "cuda.core", ("checkpoint", "graph", "system", "texture", "typing", "utils"))
