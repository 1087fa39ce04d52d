"""The native API of `cuox`, under the name that users of `cuda.core` know. Graphs are in `graph`, textures in
`texture`, program caches in `utils`, types in `typing`.
"""

from __future__ import annotations

from cuox._internal.api import *  # noqa: F403
from cuox._internal.api import __all__ as __all__
from cuox._internal.later import missing

# What cuda.core 1.2.2 has besides, and what there is instead.
_LATER = {
    **dict.fromkeys(
        ["DeviceMemoryResourceOptions", "ManagedMemoryResourceOptions", "PinnedMemoryResourceOptions"],
        "memory resources take no options; device= chooses the device",
    ),
    **dict.fromkeys(
        ["ContextOptions", "DeviceResources", "SMResource", "SMResourceOptions", "WorkqueueResource"],
        "green contexts are not supported",
    ),
    **dict.fromkeys(["WorkqueueResourceOptions"], "green contexts are not supported"),
    **dict.fromkeys(["Linker", "LinkerOptions"], "nvJitLink of cuox.cuda.bindings links"),
    **dict.fromkeys(["TensorMapDescriptor", "TensorMapDescriptorOptions"], "tensor maps are not supported"),
    **dict.fromkeys(
        ["VirtualMemoryResource", "VirtualMemoryResourceOptions"],
        "cuMemCreate and cuMemMap of cuox.cuda.bindings map memory",
    ),
    "GraphMemoryResource": "GraphDefinition.allocate adds memory to a graph",
    "GraphicsResource": "OpenGL is not supported",
    "Host": "cuMemPrefetchAsync of cuox.cuda.bindings prefetches managed memory",
    "ManagedBuffer": "ManagedMemoryResource gives a Buffer",
    "checkpoint": "processes cannot be checkpointed",
    "system": "python -m cuox info and nvidia-smi tell of the system",
}
__getattr__ = missing(__name__, _LATER, "cuda.core", ("graph", "texture", "typing", "utils"))
