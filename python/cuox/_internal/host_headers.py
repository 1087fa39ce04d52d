"""CUDA's headers for host compilers where NVIDIA's compiler is not installed.

PyTorch brings the headers of CUDA's runtime from PyPI, but not those in their folder `crt`, which belong to nvcc's
package. A host compiler needs two of these: what they define means nothing to it.
"""

from __future__ import annotations

import re
from pathlib import Path

from cuox import _native

# Qualifiers and attributes of device code (programming guide, *C++ Language Extensions*), and names of headers' own.
_EMPTY = (
    "__host__ __device__ __global__ __shared__ __constant__ __managed__ __grid_constant__ __tile__ __tile_global__ __tile_builtin__ "
    "__nv_pure__ __device_builtin__ __device_builtin_texture_type__ __device_builtin_surface_type__ __cudart_builtin__ "
    "__specialization_static __import__ __export__ __cdecl CUDARTAPI CUDARTAPI_CDECL"
).split()
_WITH_VALUES = "__annotate__ __location__ __maxnreg__ __local_maxnreg__ __cluster_dims__ __block_size__".split()
_DEFINES = "\n".join(
    [
        "/* cuox's stand-in for crt/host_defines.h, for host compilers. */",
        "#pragma once",
        "#ifdef __CUDACC__",
        '#error "nvcc needs its own headers: pip install nvidia-cuda-crt"',
        "#endif",
        *(f"#ifndef {name}\n#define {name}\n#endif" for name in _EMPTY),
        *(f"#ifndef {name}\n#define {name}(...)\n#endif" for name in _WITH_VALUES),
        "#define __no_return__ __attribute__((noreturn))",
        "#define __thread__ __thread",
        "#define __inline_hint__ inline",
        "#define __align__(n) __attribute__((aligned(n)))",
        "#define __builtin_align__(n) __align__(n)",
        "#undef __forceinline__",
        "#define __forceinline__ __inline__ __attribute__((always_inline))",
        "",
    ]
)
_CONFIG = """/* cuox's stand-in for crt/host_config.h, for host compilers. */
#pragma once
#include "host_defines.h"
"""

TEXTS = {"include/crt/host_defines.h": _DEFINES, "include/crt/host_config.h": _CONFIG}
"""The headers that a toolkit without nvcc's has, by their names in it."""


def folder(major: int) -> Path | None:
    """Return the folder that has the headers of a CUDA runtime of this version; None if there is none."""
    for one in map(Path, _native.cuda_include_dirs()):
        try:
            text = (one / "cuda_runtime_api.h").read_text(errors="replace")
        except OSError:
            continue
        found = re.search(r"^#define\s+CUDART_VERSION\s+(\d+)", text, re.MULTILINE)
        if found and int(found[1]) // 1000 == major and (one / "cuda_runtime.h").is_file():
            return one
    return None


def with_targets() -> list[Path]:
    """Return the folder that has `nv/target`, which headers of CUDA 13 include; none if there is none. A toolkit has it
    in a folder of its own, which nvcc knows, and on PyPI it belongs to another package than the runtime's headers.
    """
    found = (Path(one) for one in _native.cuda_include_dirs())
    return [one for one in found if (one / "nv" / "target").is_file()][:1]
