"""Errors: a class for each code."""

from __future__ import annotations

from collections.abc import Callable

from .codes import Return

__all__ = [
    "AlreadyInitializedError",
    "ArgumentVersionMismatchError",
    "CorruptedInforomError",
    "DeprecatedError",
    "DriverNotLoadedError",
    "FreqNotSupportedError",
    "FunctionNotFoundError",
    "GpuIsLostError",
    "GpuNotFoundError",
    "InUseError",
    "InsufficientPowerError",
    "InsufficientResourcesError",
    "InsufficientSizeError",
    "InvalidArgumentError",
    "InvalidStateError",
    "IrqIssueError",
    "LibRmVersionMismatchError",
    "LibraryNotFoundError",
    "MemoryError",
    "NoDataError",
    "NoPermissionError",
    "NotFoundError",
    "NotReadyError",
    "NotSupportedError",
    "NvmlError",
    "OperatingSystemError",
    "ResetRequiredError",
    "ResetTypeNotSupportedError",
    "TimeoutError",
    "UninitializedError",
    "UnknownError",
    "VgpuEccNotSupportedError",
]

# The library's text of a code, once there is a library.
describe: Callable[[int], str] | None = None


class NvmlError(Exception):
    """A function of NVML failed. `status` is its code, a member of `Return`."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(_text(int(status)))

    def __reduce__(self) -> tuple[type[NvmlError], tuple[int]]:
        return type(self), (self.status,)


def _text(status: int) -> str:
    if describe is not None:
        return describe(status)
    try:
        return Return(status).name
    except ValueError:
        return f"a code that the headers of CUDA 13.0 do not have ({status})"


class UninitializedError(NvmlError):
    """`Return.ERROR_UNINITIALIZED`."""


class InvalidArgumentError(NvmlError):
    """`Return.ERROR_INVALID_ARGUMENT`."""


class NotSupportedError(NvmlError):
    """`Return.ERROR_NOT_SUPPORTED`."""


class NoPermissionError(NvmlError):
    """`Return.ERROR_NO_PERMISSION`."""


class AlreadyInitializedError(NvmlError):
    """`Return.ERROR_ALREADY_INITIALIZED`."""


class NotFoundError(NvmlError):
    """`Return.ERROR_NOT_FOUND`."""


class InsufficientSizeError(NvmlError):
    """`Return.ERROR_INSUFFICIENT_SIZE`."""


class InsufficientPowerError(NvmlError):
    """`Return.ERROR_INSUFFICIENT_POWER`."""


class DriverNotLoadedError(NvmlError):
    """`Return.ERROR_DRIVER_NOT_LOADED`."""


class TimeoutError(NvmlError):
    """`Return.ERROR_TIMEOUT`."""


class IrqIssueError(NvmlError):
    """`Return.ERROR_IRQ_ISSUE`."""


class LibraryNotFoundError(NvmlError):
    """`Return.ERROR_LIBRARY_NOT_FOUND`."""


class FunctionNotFoundError(NvmlError):
    """`Return.ERROR_FUNCTION_NOT_FOUND`."""


class CorruptedInforomError(NvmlError):
    """`Return.ERROR_CORRUPTED_INFOROM`."""


class GpuIsLostError(NvmlError):
    """`Return.ERROR_GPU_IS_LOST`."""


class ResetRequiredError(NvmlError):
    """`Return.ERROR_RESET_REQUIRED`."""


class OperatingSystemError(NvmlError):
    """`Return.ERROR_OPERATING_SYSTEM`."""


class LibRmVersionMismatchError(NvmlError):
    """`Return.ERROR_LIB_RM_VERSION_MISMATCH`."""


class InUseError(NvmlError):
    """`Return.ERROR_IN_USE`."""


class MemoryError(NvmlError):
    """`Return.ERROR_MEMORY`."""


class NoDataError(NvmlError):
    """`Return.ERROR_NO_DATA`."""


class VgpuEccNotSupportedError(NvmlError):
    """`Return.ERROR_VGPU_ECC_NOT_SUPPORTED`."""


class InsufficientResourcesError(NvmlError):
    """`Return.ERROR_INSUFFICIENT_RESOURCES`."""


class FreqNotSupportedError(NvmlError):
    """`Return.ERROR_FREQ_NOT_SUPPORTED`."""


class ArgumentVersionMismatchError(NvmlError):
    """`Return.ERROR_ARGUMENT_VERSION_MISMATCH`."""


class DeprecatedError(NvmlError):
    """`Return.ERROR_DEPRECATED`."""


class NotReadyError(NvmlError):
    """`Return.ERROR_NOT_READY`."""


class GpuNotFoundError(NvmlError):
    """`Return.ERROR_GPU_NOT_FOUND`."""


class InvalidStateError(NvmlError):
    """`Return.ERROR_INVALID_STATE`."""


class ResetTypeNotSupportedError(NvmlError):
    """`Return.ERROR_RESET_TYPE_NOT_SUPPORTED`."""


class UnknownError(NvmlError):
    """`Return.ERROR_UNKNOWN`."""


_CLASSES: dict[int, type[NvmlError]] = {
    Return.ERROR_UNINITIALIZED: UninitializedError,
    Return.ERROR_INVALID_ARGUMENT: InvalidArgumentError,
    Return.ERROR_NOT_SUPPORTED: NotSupportedError,
    Return.ERROR_NO_PERMISSION: NoPermissionError,
    Return.ERROR_ALREADY_INITIALIZED: AlreadyInitializedError,
    Return.ERROR_NOT_FOUND: NotFoundError,
    Return.ERROR_INSUFFICIENT_SIZE: InsufficientSizeError,
    Return.ERROR_INSUFFICIENT_POWER: InsufficientPowerError,
    Return.ERROR_DRIVER_NOT_LOADED: DriverNotLoadedError,
    Return.ERROR_TIMEOUT: TimeoutError,
    Return.ERROR_IRQ_ISSUE: IrqIssueError,
    Return.ERROR_LIBRARY_NOT_FOUND: LibraryNotFoundError,
    Return.ERROR_FUNCTION_NOT_FOUND: FunctionNotFoundError,
    Return.ERROR_CORRUPTED_INFOROM: CorruptedInforomError,
    Return.ERROR_GPU_IS_LOST: GpuIsLostError,
    Return.ERROR_RESET_REQUIRED: ResetRequiredError,
    Return.ERROR_OPERATING_SYSTEM: OperatingSystemError,
    Return.ERROR_LIB_RM_VERSION_MISMATCH: LibRmVersionMismatchError,
    Return.ERROR_IN_USE: InUseError,
    Return.ERROR_MEMORY: MemoryError,
    Return.ERROR_NO_DATA: NoDataError,
    Return.ERROR_VGPU_ECC_NOT_SUPPORTED: VgpuEccNotSupportedError,
    Return.ERROR_INSUFFICIENT_RESOURCES: InsufficientResourcesError,
    Return.ERROR_FREQ_NOT_SUPPORTED: FreqNotSupportedError,
    Return.ERROR_ARGUMENT_VERSION_MISMATCH: ArgumentVersionMismatchError,
    Return.ERROR_DEPRECATED: DeprecatedError,
    Return.ERROR_NOT_READY: NotReadyError,
    Return.ERROR_GPU_NOT_FOUND: GpuNotFoundError,
    Return.ERROR_INVALID_STATE: InvalidStateError,
    Return.ERROR_RESET_TYPE_NOT_SUPPORTED: ResetTypeNotSupportedError,
    Return.ERROR_UNKNOWN: UnknownError,
}


def raise_for(status: int) -> None:
    """Raise the error of a code, unless it is that of success."""
    if status != 0:
        raise _CLASSES.get(status, NvmlError)(status)
