"""Kernels in Python, with Numba's names.

    import numpy as np
    from cuox.numba import cuda

    @cuda.jit
    def add(x, y, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = x[i] + y[i]

    x = cuda.to_device(np.arange(1000.0))
    out = cuda.device_array_like(x)
    add[4, 256](x, x, out)
    print(out.copy_to_host())
"""

from __future__ import annotations

import importlib
from typing import Any

from cuox._native import _keep_compiled_texts

from . import types as types
from ._arguments import (
    In as In,
    InOut as InOut,
    Out as Out,
)
from ._arrays import (
    DeviceNDArray as DeviceNDArray,
    as_cuda_array as as_cuda_array,
    defer_cleanup as defer_cleanup,
    device_array as device_array,
    device_array_like as device_array_like,
    from_cuda_array_interface as from_cuda_array_interface,
    is_cuda_array as is_cuda_array,
    to_device as to_device,
)
from ._decorators import (
    declare_device as declare_device,
    jit as jit,
)
from ._devices import (
    CudaSupportError as CudaSupportError,
    MemoryInfo as MemoryInfo,
    close as close,
    cuda_error as cuda_error,
    current_context as current_context,
    detect as detect,
    get_current_device as get_current_device,
    gpus as gpus,
    is_available as is_available,
    is_bfloat16_supported as is_bfloat16_supported,
    is_float16_supported as is_float16_supported,
    is_supported_version as is_supported_version,
    list_devices as list_devices,
    profile_start as profile_start,
    profile_stop as profile_stop,
    profiling as profiling,
    require_context as require_context,
    runtime as runtime,
    select_device as select_device,
)
from ._linkable import (
    LTOIR as LTOIR,
    Archive as Archive,
    Cubin as Cubin,
    CUSource as CUSource,
    Fatbin as Fatbin,
    LinkableCode as LinkableCode,
    Object as Object,
    PTXSource as PTXSource,
)
from ._names import (
    ldca as ldca, ldcg as ldcg, ldcs as ldcs, ldcv as ldcv, ldlu as ldlu,
    stcg as stcg, stcs as stcs, stwb as stwb, stwt as stwt,
    activemask as activemask, all_sync as all_sync, any_sync as any_sync, atomic as atomic,
    ballot_sync as ballot_sync, blockDim as blockDim, blockIdx as blockIdx, brev as brev,
    cbrt as cbrt, clz as clz, const as const, eq_sync as eq_sync,
    ffs as ffs, fma as fma, grid as grid, gridDim as gridDim,
    gridsize as gridsize, laneid as laneid, lanemask_lt as lanemask_lt, local as local,
    match_all_sync as match_all_sync, match_any_sync as match_any_sync, nanosleep as nanosleep, popc as popc,
    selp as selp, shared as shared, shfl_down_sync as shfl_down_sync, shfl_sync as shfl_sync,
    shfl_up_sync as shfl_up_sync, shfl_xor_sync as shfl_xor_sync, syncthreads as syncthreads, syncthreads_and as syncthreads_and,
    syncthreads_count as syncthreads_count, syncthreads_or as syncthreads_or, syncwarp as syncwarp, threadIdx as threadIdx,
    threadfence as threadfence, threadfence_block as threadfence_block, threadfence_system as threadfence_system, warpsize as warpsize,
)  # fmt: skip
from ._streams import (
    default_stream as default_stream,
    event as event,
    event_elapsed_time as event_elapsed_time,
    external_stream as external_stream,
    legacy_default_stream as legacy_default_stream,
    per_thread_default_stream as per_thread_default_stream,
    stream as stream,
    synchronize as synchronize,
)
from .core import (
    config as config,
)
from .types import *  # noqa: F403

# Kernels may be made by `exec` of a text.
_keep_compiled_texts()

HAS_NUMBA = False
implementation = "cuox"

# Modules that few programs use, and names in them.
_VECTORS = """int8x int16x int32x int64x uint8x uint16x uint32x uint64x float32x float64x char short int long longlong uchar ushort uint ulong ulonglong
float double""".split()
_LATER = {
    **dict.fromkeys(("managed_array", "mapped", "mapped_array", "mapped_array_like", "pinned", "pinned_array", "pinned_array_like"), "_memory"),
    **dict.fromkeys(("compile", "compile_all", "compile_for_current_device", "compile_ptx", "compile_ptx_for_current_device"), "_compile"),
    "guvectorize": "_gufunc", "vectorize": "_ufunc",
    **dict.fromkeys(("Reduce", "reduce"), "_reduce"),
    **{f"{kind}{count}": "vector_types" for kind in _VECTORS for count in (1, 2, 3, 4)},
    **dict.fromkeys(("MappedNDArray", "ManagedNDArray"), "_memory"),
    **dict.fromkeys(("AutoFreePointer", "BaseCUDAMemoryManager", "GetIpcHandleMixin", "HostOnlyCUDAMemoryManager", "LegacyMemoryManager", "MemoryPointer", "set_memory_manager"), "_pointers"),
    **dict.fromkeys(("IpcArrayHandle", "open_ipc_array"), "_ipc"),
}


_MODULES = {name: f"cudadrv.{name}" for name in ("devicearray", "devices", "driver")}


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_MODULES})


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{_MODULES[name]}")
    module = _LATER.get(name)
    if module is None:
        try:
            return importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = found
    return found
