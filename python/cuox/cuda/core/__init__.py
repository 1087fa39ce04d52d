"""The native API of `cuox`, under the name that users of `cuda.core` know. Graphs are in `graph`, types in `typing`."""

from __future__ import annotations

import importlib
from typing import Any

from cuox._internal.api import *  # noqa: F403
from cuox._internal.api import __all__ as __all__

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
    "texture": "cuTexObjectCreate and cuSurfObjectCreate of cuox.cuda.bindings make them",
    "utils": "Buffer and cuox.from_dlpack exchange arrays",
}


def __getattr__(name: str) -> Any:
    if name in ("graph", "typing"):
        return importlib.import_module(f"{__name__}.{name}")
    if name in _LATER:
        raise AttributeError(f"cuda.core has {name}; cuox not yet: {_LATER[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
