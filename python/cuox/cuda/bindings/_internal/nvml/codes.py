# By tools/nvml_bindings.py from nvml.h of CUDA 13.0, with the names of cuda-bindings 13.5.0.

"""Enumerations that errors and cuox.cuda.core.system are made of."""

from __future__ import annotations

from enum import IntEnum

__all__ = [
    "DeviceArch",
    "Return",
]


class DeviceArch(IntEnum):
    """Named numbers of the header."""

    KEPLER = 2
    MAXWELL = 3
    PASCAL = 4
    VOLTA = 5
    TURING = 6
    AMPERE = 7
    ADA = 8
    HOPPER = 9
    BLACKWELL = 10
    UNKNOWN = 4294967295


class Return(IntEnum):
    """`nvmlReturn_t` of C."""

    SUCCESS = 0
    ERROR_UNINITIALIZED = 1
    ERROR_INVALID_ARGUMENT = 2
    ERROR_NOT_SUPPORTED = 3
    ERROR_NO_PERMISSION = 4
    ERROR_ALREADY_INITIALIZED = 5
    ERROR_NOT_FOUND = 6
    ERROR_INSUFFICIENT_SIZE = 7
    ERROR_INSUFFICIENT_POWER = 8
    ERROR_DRIVER_NOT_LOADED = 9
    ERROR_TIMEOUT = 10
    ERROR_IRQ_ISSUE = 11
    ERROR_LIBRARY_NOT_FOUND = 12
    ERROR_FUNCTION_NOT_FOUND = 13
    ERROR_CORRUPTED_INFOROM = 14
    ERROR_GPU_IS_LOST = 15
    ERROR_RESET_REQUIRED = 16
    ERROR_OPERATING_SYSTEM = 17
    ERROR_LIB_RM_VERSION_MISMATCH = 18
    ERROR_IN_USE = 19
    ERROR_MEMORY = 20
    ERROR_NO_DATA = 21
    ERROR_VGPU_ECC_NOT_SUPPORTED = 22
    ERROR_INSUFFICIENT_RESOURCES = 23
    ERROR_FREQ_NOT_SUPPORTED = 24
    ERROR_ARGUMENT_VERSION_MISMATCH = 25
    ERROR_DEPRECATED = 26
    ERROR_NOT_READY = 27
    ERROR_GPU_NOT_FOUND = 28
    ERROR_INVALID_STATE = 29
    ERROR_RESET_TYPE_NOT_SUPPORTED = 30
    ERROR_UNKNOWN = 999
