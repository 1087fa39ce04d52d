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

from . import _names, types
from ._arguments import In, InOut, Out
from ._arrays import (
    DeviceNDArray,
    as_cuda_array,
    defer_cleanup,
    device_array,
    device_array_like,
    from_cuda_array_interface,
    is_cuda_array,
    to_device,
)
from ._decorators import declare_device, jit
from ._devices import (
    CudaSupportError,
    MemoryInfo,
    close,
    cuda_error,
    current_context,
    detect,
    get_current_device,
    gpus,
    is_available,
    is_bfloat16_supported,
    is_float16_supported,
    is_supported_version,
    list_devices,
    profile_start,
    profile_stop,
    profiling,
    require_context,
    runtime,
    select_device,
)
from ._linkable import LTOIR, Archive, Cubin, CUSource, Fatbin, LinkableCode, Object, PTXSource
from ._streams import default_stream, event, event_elapsed_time, external_stream, legacy_default_stream, per_thread_default_stream, stream, synchronize
from .core import config
from .types import *  # noqa: F403

globals().update({name: getattr(_names, name) for name in _names.NAMES})

HAS_NUMBA = False
implementation = "cuox"

# Modules that few programs use, and names in them.
_LATER = {
    **dict.fromkeys(("managed_array", "mapped", "mapped_array", "mapped_array_like", "pinned", "pinned_array", "pinned_array_like"), "_memory"),
    **dict.fromkeys(("compile", "compile_all", "compile_for_current_device", "compile_ptx", "compile_ptx_for_current_device"), "_compile"),
    "guvectorize": "_gufunc", "vectorize": "_ufunc",
    **dict.fromkeys(("Reduce", "reduce"), "_reduce"),
    **dict.fromkeys(("MappedNDArray", "ManagedNDArray"), "_memory"),
}


def __getattr__(name: str) -> Any:
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
