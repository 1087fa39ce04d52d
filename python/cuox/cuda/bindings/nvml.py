"""NVML's functions, as `cuda.bindings.nvml` has them: what the machine's GPUs are and do, with no CUDA context.

    nvml.init_v2()
    device = nvml.device_get_handle_by_index_v2(0)
    print(nvml.device_get_name(device), nvml.device_get_memory_info_v2(device).total)
    nvml.shutdown()

A failure raises `NvmlError`, or the class of it for the code; handles are ints. The library is NVIDIA's
`libnvidia-ml.so.1` on a machine with its driver, else the software GPU's, which answers `NotSupportedError` where there
is nothing to tell, such as for temperatures. The functions, records and enumerations are those of CUDA 13.0.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from ._internal.nvml import errors as _errors
from ._internal.nvml.errors import *  # noqa: F403

if TYPE_CHECKING:
    from ._internal.nvml import enumerations as _enumerations
    from ._internal.nvml import functions as _functions
    from ._internal.nvml import records as _records
    from ._internal.nvml import special as _special
    from ._internal.nvml.calls import check_status, check_status_size, error_string
    from ._internal.nvml.enumerations import *  # noqa: F403
    from ._internal.nvml.functions import *  # noqa: F403
    from ._internal.nvml.records import *  # noqa: F403
    from ._internal.nvml.special import *  # noqa: F403

MAX_GPU_UTILIZATIONS = 8
NVLINK_MAX_LINKS = 18
GRID_LICENSE_FEATURE_MAX_COUNT = 3

NvmlMemoryError = _errors.MemoryError
NvmlTimeoutError = _errors.TimeoutError

if TYPE_CHECKING:
    __all__ = [
        "GRID_LICENSE_FEATURE_MAX_COUNT",
        "MAX_GPU_UTILIZATIONS",
        "NVLINK_MAX_LINKS",
        "NvmlMemoryError",
        "NvmlTimeoutError",
        "check_status",
        "check_status_size",
        "error_string",
    ]
    __all__ += _enumerations.__all__
    __all__ += _errors.__all__
    __all__ += _functions.__all__
    __all__ += _records.__all__
    __all__ += _special.__all__

_LATER = frozenset(
    [
        "device_get_vgpu_instances_utilization_info",
        "device_get_vgpu_metadata",
        "device_get_vgpu_processes_utilization_info",
        "device_get_vgpu_type_creatable_placements",
        "device_get_vgpu_type_supported_placements",
        "device_get_vgpu_utilization",
        "get_vgpu_compatibility",
        "gpu_instance_get_active_vgpus",
        "gpu_instance_get_creatable_vgpus",
        "gpu_instance_get_vgpu_type_creatable_placements",
        "vgpu_instance_get_metadata",
    ]
)


_OWN = [
    "GRID_LICENSE_FEATURE_MAX_COUNT",
    "MAX_GPU_UTILIZATIONS",
    "NVLINK_MAX_LINKS",
    "NvmlMemoryError",
    "NvmlTimeoutError",
]
_CHECKS = ["check_status", "check_status_size", "error_string"]
# Modules whose names are here once one of them is asked for, as some are large and NumPy is behind most.
_CALLS = "calls", "functions", "special"
_TYPES = "enumerations", "records"


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"._internal.nvml.{name}", __package__)


def _names(module: str) -> list[str]:
    return _CHECKS if module == "calls" else list(_module(module).__all__)


def _all() -> list[str]:
    return sorted({*_OWN, *_errors.__all__, *(name for module in (*_CALLS, *_TYPES) for name in _names(module))})


def __dir__() -> list[str]:
    return sorted({*globals(), *_all()})


def _find(name: str) -> object:
    if name == "__all__":
        return _all()
    is_type = name[:1].isupper() or name.endswith("_dtype")
    for module in () if name.startswith("_") else _TYPES if is_type else _CALLS:
        if name in _names(module):
            return getattr(_module(module), name)
    if name in _module("newer").NEWER:
        raise AttributeError(f"cuda.bindings.nvml has {name}; cuox not: it is newer than the headers of CUDA 13.0")
    if name in _LATER:
        raise AttributeError(f"cuda.bindings.nvml has {name}; cuox not yet: it is about virtual GPUs")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        globals()[name] = found = _find(name)
        return found
