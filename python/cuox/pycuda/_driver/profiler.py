"""Control of a profiler that watches the process."""

from __future__ import annotations

from .errors import LogicError, call

__all__ = ["initialize_profiler", "start_profiler", "stop_profiler"]


def initialize_profiler(config_file: str, output_file: str, output_mode: int) -> None:
    """Raise LogicError: the driver has no such function any more since CUDA 12. Profile with Nsight Systems
    (`nsys`)."""
    raise LogicError(
        "initialize_profiler: cuProfilerInitialize does not exist any more since CUDA 12: run the program under nsys or ncu, with start_profiler()"
    )


def start_profiler() -> None:
    """Let the profiler collect data from here on. Driver API manual, `cuProfilerStart`."""
    call("cuProfilerStart")


def stop_profiler() -> None:
    """Let the profiler collect no more data. Driver API manual, `cuProfilerStop`."""
    call("cuProfilerStop")
