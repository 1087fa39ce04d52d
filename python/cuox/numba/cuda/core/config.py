"""Settings that mean something here. Others of Numba's have none: `cuda.jit`'s options and cuox's environment variables
are in the documentation.
"""

from __future__ import annotations

import os

import cuox


def _flag(name: str, default: int) -> int:
    try:
        return int(os.environ.get(name, default))
    except ValueError:
        return default


CUDA_WARN_ON_IMPLICIT_COPY = _flag("NUMBA_CUDA_WARN_ON_IMPLICIT_COPY", 1)
"""A warning for host arrays that are passed to kernels."""
CUDA_LOW_OCCUPANCY_WARNINGS = _flag("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", 0)
"""A warning for grids of fewer than 128 blocks, which leave most GPUs idle. Off, as it means nothing on the software
GPU.
"""
CUDA_PER_THREAD_DEFAULT_STREAM = _flag("NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM", 0)
BOUNDSCHECK = None
"""Index checks for all kernels: None leaves it to `cuda.jit`."""
ENABLE_CUDASIM = 0
"""Numba's simulator is not needed: the software GPU runs kernels where there is no GPU. `NUMBA_ENABLE_CUDASIM=1`
chooses it where there is one, unless `CUOX_DEVICE` says otherwise.
"""
if _flag("NUMBA_ENABLE_CUDASIM", 0) and "CUOX_DEVICE" not in os.environ:
    cuox.choose_device("soft")
DISABLE_JIT = 0
CUDA_ENABLE_PYNVJITLINK = 0
CUDA_USE_NVIDIA_BINDING = 1
CUDA_DEBUGINFO_DEFAULT = 0
CUDA_DEFAULT_PTX_CC = (7, 5)
CUDA_ARRAY_INTERFACE_SYNC = 1
"""Arrays of other libraries are waited for by the stream that they name."""
OPT = 3
CUDA_ENABLE_NRT = 0
DISABLE_PERFORMANCE_WARNINGS = _flag("NUMBA_DISABLE_PERFORMANCE_WARNINGS", 0)
DISABLE_CUDA = _flag("NUMBA_DISABLE_CUDA", 0)
"""Nothing of CUDA is used: devices raise CudaSupportError."""
CUDA_MEMORY_MANAGER = os.environ.get("NUMBA_CUDA_MEMORY_MANAGER", "default")
"""A module whose `_numba_memory_manager` makes the memory of arrays; "default" for cuox's own."""
CUDA_NVRTC_EXTRA_SEARCH_PATHS = os.environ.get("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS", "")
"""Folders of headers for the CUDA C++ that kernels link, as in PATH."""
FULL_TRACEBACKS = _flag("NUMBA_FULL_TRACEBACKS", 0)
"""Tracebacks of errors about kernels have the frames inside of cuox, too."""
DUMP_ASSEMBLY = _flag("NUMBA_DUMP_ASSEMBLY", 0)
"""Kernels' PTX is printed when they are compiled."""
FORCE_CUDA_CC: tuple[int, ...] | None = None
"""A compute capability that `cudadrv.nvrtc.get_arch_option` answers with."""
