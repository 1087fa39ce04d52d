"""Processes whose use of GPUs is stopped, saved to the host's memory, and taken up again.

A GPU's driver does this for processes of the same user (Driver API manual, *CUDA Checkpointing*, CUDA 12.8); the
software GPU does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuox._internal import driver_calls
from cuox._internal.errors import CUDAError
from cuox.cuda.core.typing import ProcessStateType

__all__ = ["Process"]

_STATES: dict[int, ProcessStateType] = {0: "running", 1: "locked", 2: "checkpointed", 3: "failed"}


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    return value


def _uuid(value: object) -> Any:
    """A UUID as the driver has it: of a `CUuuid`, or of text such as `Device.uuid` is."""
    driver = driver_calls.bindings()
    if isinstance(value, driver.CUuuid):
        return value
    if not isinstance(value, str):
        raise TypeError(f"GPU UUID values must be CUDA UUID objects or UUID strings, got {type(value).__name__}")
    try:
        read = bytes.fromhex(value.removeprefix("GPU-").replace("-", ""))
    except ValueError:
        read = b""
    if len(read) != 16:
        raise ValueError(f"GPU UUID string must be 32 hex characters (with optional hyphens), got {value!r}")
    made = driver.CUuuid()
    made.bytes = read
    return made


class Process:
    """A process that uses CUDA, by its number.

    pid: the number of a process of the same user, also this one's.

    Methods raise CUDAError for what the driver refuses, and with `CUDA_ERROR_NOT_SUPPORTED` on the software GPU.
    """

    __slots__ = ("_pid",)

    def __init__(self, pid: int) -> None:
        if _whole("pid", pid) <= 0:
            raise ValueError(f"pid must be a positive int, got {pid}")
        self._pid = pid

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._pid

    def _call(self, function: str, *args: Any) -> Any:
        try:
            return driver_calls.call(function, self._pid, *args)
        except CUDAError as error:
            if error.name in ("CUDA_ERROR_NOT_SUPPORTED", "CUDA_ERROR_NOT_FOUND"):
                # The first words are cuda.core's.
                error.args = (
                    "CUDA checkpointing is not supported by the installed NVIDIA driver, nor by the software GPU. "
                    f"{error}",
                )
            raise

    @property
    def state(self) -> ProcessStateType:
        """ "running", "locked", "checkpointed" or "failed". Driver API manual, `cuCheckpointProcessGetState`."""
        return _STATES[int(self._call("cuCheckpointProcessGetState"))]

    @property
    def restore_thread_id(self) -> int:
        """The thread that restores the process. Driver API manual, `cuCheckpointProcessGetRestoreThreadId`."""
        return int(self._call("cuCheckpointProcessGetRestoreThreadId"))

    def lock(self, timeout_ms: int = 0) -> None:
        """Have the process wait at its next call of CUDA.

        timeout_ms: the most milliseconds to wait for work that it has put into streams; 0 is any time.

        Raises TypeError and ValueError for other times. Driver API manual, `cuCheckpointProcessLock`.
        """
        if _whole("timeout_ms", timeout_ms) < 0:
            raise ValueError(f"timeout_ms must be >= 0, got {timeout_ms}")
        args = driver_calls.bindings().CUcheckpointLockArgs()
        args.timeoutMs = timeout_ms
        self._call("cuCheckpointProcessLock", args)

    def checkpoint(self) -> None:
        """Copy the device memory of the locked process to the host and give up its GPUs. Driver API manual,
        `cuCheckpointProcessCheckpoint`.
        """
        self._call("cuCheckpointProcessCheckpoint", None)

    def restore(self, gpu_mapping: Mapping[Any, Any] | None = None) -> None:
        """Give the process its GPUs and memory back.

        gpu_mapping: other GPUs than before: the UUID of each GPU, those that `CUDA_VISIBLE_DEVICES` hides included, to
            that of the one that takes its place, as `CUuuid` or as text (`Device.uuid`).

        Raises TypeError and ValueError for other mappings. Driver API manual, `cuCheckpointProcessRestore`.
        """
        args = None
        if gpu_mapping is not None and not isinstance(gpu_mapping, Mapping):
            raise TypeError("gpu_mapping must be a mapping from checkpointed GPU UUID to restore GPU UUID")
        if gpu_mapping:
            driver = driver_calls.bindings()
            pairs = []
            for old, new in gpu_mapping.items():
                pair = driver.CUcheckpointGpuPair()
                pair.oldUuid, pair.newUuid = _uuid(old), _uuid(new)
                pairs.append(pair)
            args = driver.CUcheckpointRestoreArgs()
            args.gpuPairs, args.gpuPairsCount = pairs, len(pairs)
        self._call("cuCheckpointProcessRestore", args)

    def unlock(self) -> None:
        """Let the process go on. Driver API manual, `cuCheckpointProcessUnlock`."""
        self._call("cuCheckpointProcessUnlock", None)

    def __repr__(self) -> str:
        return f"<Process pid={self._pid}>"
