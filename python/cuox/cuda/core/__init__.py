"""The native API of `cuox`, under the name that users of `cuda.core` know. Graphs are in `graph`, types in `typing`."""

from __future__ import annotations

import importlib
from typing import Any

from cuox._internal import api
from cuox._internal.api import *  # noqa: F403
from cuox._internal.memory.graph_memory import GraphMemoryResource
from cuox._internal.memory.managed import ManagedBuffer
from cuox._internal.memory.places import Host
from cuox._internal.options import (
    DeviceMemoryResourceOptions,
    ManagedMemoryResourceOptions,
    PinnedMemoryResourceOptions,
)

__all__ = [  # noqa: PLE0604
    *api.__all__,
    "DeviceMemoryResourceOptions",
    "GraphMemoryResource",
    "Host",
    "ManagedBuffer",
    "ManagedMemoryResourceOptions",
    "PinnedMemoryResourceOptions",
]

# What cuda.core 1.2.2 has besides, and what there is instead.
_LATER = {
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
    "GraphicsResource": "OpenGL is not supported",
    "checkpoint": "processes cannot be checkpointed",
    "system": "python -m cuox info and nvidia-smi tell of the system",
    "texture": "cuTexObjectCreate and cuSurfObjectCreate of cuox.cuda.bindings make them",
}


def __getattr__(name: str) -> Any:
    if name in ("graph", "typing", "utils"):
        return importlib.import_module(f"{__name__}.{name}")
    if name in _LATER:
        raise AttributeError(f"cuda.core has {name}; cuox not yet: {_LATER[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
