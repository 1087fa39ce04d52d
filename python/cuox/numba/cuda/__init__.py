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

Names and arguments are those of Numba; docs/numba.md says what a kernel can have, and what differs.
"""

from __future__ import annotations

import importlib
from typing import Any

from cuox._native import _keep_compiled_texts

from . import types as types
from ._arguments import (
    In as In,
)
from ._arguments import (
    InOut as InOut,
)
from ._arguments import (
    Out as Out,
)
from ._arrays import (
    DeviceNDArray as DeviceNDArray,
)
from ._arrays import (
    as_cuda_array as as_cuda_array,
)
from ._arrays import (
    defer_cleanup as defer_cleanup,
)
from ._arrays import (
    device_array as device_array,
)
from ._arrays import (
    device_array_like as device_array_like,
)
from ._arrays import (
    from_cuda_array_interface as from_cuda_array_interface,
)
from ._arrays import (
    is_cuda_array as is_cuda_array,
)
from ._arrays import (
    to_device as to_device,
)
from ._decorators import (
    declare_device as declare_device,
)
from ._decorators import (
    jit as jit,
)
from ._devices import (
    CudaSupportError as CudaSupportError,
)
from ._devices import (
    MemoryInfo as MemoryInfo,
)
from ._devices import (
    close as close,
)
from ._devices import (
    cuda_error as cuda_error,
)
from ._devices import (
    current_context as current_context,
)
from ._devices import (
    detect as detect,
)
from ._devices import (
    get_current_device as get_current_device,
)
from ._devices import (
    gpus as gpus,
)
from ._devices import (
    is_available as is_available,
)
from ._devices import (
    is_bfloat16_supported as is_bfloat16_supported,
)
from ._devices import (
    is_float16_supported as is_float16_supported,
)
from ._devices import (
    is_supported_version as is_supported_version,
)
from ._devices import (
    list_devices as list_devices,
)
from ._devices import (
    profile_start as profile_start,
)
from ._devices import (
    profile_stop as profile_stop,
)
from ._devices import (
    profiling as profiling,
)
from ._devices import (
    require_context as require_context,
)
from ._devices import (
    runtime as runtime,
)
from ._devices import (
    select_device as select_device,
)
from ._linkable import (
    LTOIR as LTOIR,
)
from ._linkable import (
    Archive as Archive,
)
from ._linkable import (
    Cubin as Cubin,
)
from ._linkable import (
    CUSource as CUSource,
)
from ._linkable import (
    Fatbin as Fatbin,
)
from ._linkable import (
    LinkableCode as LinkableCode,
)
from ._linkable import (
    Object as Object,
)
from ._linkable import (
    PTXSource as PTXSource,
)
from ._names import (
    activemask as activemask,
)
from ._names import (
    all_sync as all_sync,
)
from ._names import (
    any_sync as any_sync,
)
from ._names import (
    atomic as atomic,
)
from ._names import (
    ballot_sync as ballot_sync,
)
from ._names import (
    blockDim as blockDim,
)
from ._names import (
    blockIdx as blockIdx,
)
from ._names import (
    brev as brev,
)
from ._names import (
    cbrt as cbrt,
)
from ._names import (
    clz as clz,
)
from ._names import (
    const as const,
)
from ._names import (
    eq_sync as eq_sync,
)
from ._names import (
    ffs as ffs,
)
from ._names import (
    fma as fma,
)
from ._names import (
    grid as grid,
)
from ._names import (
    gridDim as gridDim,
)
from ._names import (
    gridsize as gridsize,
)
from ._names import (
    laneid as laneid,
)
from ._names import (
    lanemask_lt as lanemask_lt,
)
from ._names import (
    ldca as ldca,
)  # fmt: skip
from ._names import (
    ldcg as ldcg,
)
from ._names import (
    ldcs as ldcs,
)
from ._names import (
    ldcv as ldcv,
)
from ._names import (
    ldlu as ldlu,
)
from ._names import (
    local as local,
)
from ._names import (
    match_all_sync as match_all_sync,
)
from ._names import (
    match_any_sync as match_any_sync,
)
from ._names import (
    nanosleep as nanosleep,
)
from ._names import (
    popc as popc,
)
from ._names import (
    selp as selp,
)
from ._names import (
    shared as shared,
)
from ._names import (
    shfl_down_sync as shfl_down_sync,
)
from ._names import (
    shfl_sync as shfl_sync,
)
from ._names import (
    shfl_up_sync as shfl_up_sync,
)
from ._names import (
    shfl_xor_sync as shfl_xor_sync,
)
from ._names import (
    stcg as stcg,
)
from ._names import (
    stcs as stcs,
)
from ._names import (
    stwb as stwb,
)
from ._names import (
    stwt as stwt,
)
from ._names import (
    syncthreads as syncthreads,
)
from ._names import (
    syncthreads_and as syncthreads_and,
)
from ._names import (
    syncthreads_count as syncthreads_count,
)
from ._names import (
    syncthreads_or as syncthreads_or,
)
from ._names import (
    syncwarp as syncwarp,
)
from ._names import (
    threadfence as threadfence,
)
from ._names import (
    threadfence_block as threadfence_block,
)
from ._names import (
    threadfence_system as threadfence_system,
)
from ._names import (
    threadIdx as threadIdx,
)
from ._names import (
    warpsize as warpsize,
)
from ._streams import (
    default_stream as default_stream,
)
from ._streams import (
    event as event,
)
from ._streams import (
    event_elapsed_time as event_elapsed_time,
)
from ._streams import (
    external_stream as external_stream,
)
from ._streams import (
    legacy_default_stream as legacy_default_stream,
)
from ._streams import (
    per_thread_default_stream as per_thread_default_stream,
)
from ._streams import (
    stream as stream,
)
from ._streams import (
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
    **dict.fromkeys(
        ("managed_array", "mapped", "mapped_array", "mapped_array_like", "pinned", "pinned_array", "pinned_array_like"),
        "_memory",
    ),
    **dict.fromkeys(
        ("compile", "compile_all", "compile_for_current_device", "compile_ptx", "compile_ptx_for_current_device"),
        "_compile",
    ),
    "autojit": "_decorators",
    "guvectorize": "_gufunc",
    "vectorize": "_ufunc",
    **dict.fromkeys(("Reduce", "reduce"), "_reduce"),
    **{f"{kind}{count}": "vector_types" for kind in _VECTORS for count in (1, 2, 3, 4)},
    **dict.fromkeys(("MappedNDArray", "ManagedNDArray"), "_memory"),
    **dict.fromkeys(
        (
            "AutoFreePointer",
            "BaseCUDAMemoryManager",
            "GetIpcHandleMixin",
            "HostOnlyCUDAMemoryManager",
            "LegacyMemoryManager",
            "MemoryPointer",
            "set_memory_manager",
        ),
        "_pointers",
    ),
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
