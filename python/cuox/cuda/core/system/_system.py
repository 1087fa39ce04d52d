"""Versions, and what there is in the system."""

from __future__ import annotations

import contextlib

from cuox.cuda.bindings import nvml

from ._nvml_context import initialize

__all__ = [
    "CUDA_BINDINGS_NVML_IS_COMPATIBLE",
    "get_driver_branch",
    "get_kernel_mode_driver_version",
    "get_num_devices",
    "get_nvml_version",
    "get_process_name",
    "get_user_mode_driver_version",
]

CUDA_BINDINGS_NVML_IS_COMPATIBLE: bool = True
"""True: `cuox.cuda.bindings` has NVML."""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def get_user_mode_driver_version() -> tuple[int, ...]:
    """Return the CUDA version of the driver: `(13, 0)`. Raises NvmlError."""
    initialize()
    version = nvml.system_get_cuda_driver_version()
    return version // 1000, version // 10 % 100


def get_kernel_mode_driver_version() -> tuple[int, ...]:
    """Return the version of the driver in the kernel: `(580, 65, 6)`. The software GPU says which branch's interface it
    has. Raises NvmlError.
    """
    initialize()
    return _numbers(nvml.system_get_driver_version())


def get_nvml_version() -> tuple[int, ...]:
    """Return the version of NVML: CUDA's, then the driver's. Raises NvmlError."""
    return _numbers(nvml.system_get_nvml_version())


def get_driver_branch() -> str:
    """Return the name of the driver's branch. Raises NvmlError."""
    initialize()
    return nvml.system_get_driver_branch()


def get_num_devices() -> int:
    """Return the number of devices. Raises NvmlError."""
    initialize()
    return nvml.device_get_count_v2()


def get_process_name(pid: int) -> str:
    """Return the name of a process. Raises NotFoundError if there is none, NvmlError."""
    initialize()
    # NVIDIA's library knows the names of processes that it was asked to list.
    for index in range(nvml.device_get_count_v2()):
        with contextlib.suppress(nvml.NvmlError):
            nvml.device_get_compute_running_processes_v3(nvml.device_get_handle_by_index_v2(index))
    return nvml.system_get_process_name(pid)
