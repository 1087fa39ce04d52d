"""Macros with which one kernel text compiles as CUDA C++ and as OpenCL C."""

from __future__ import annotations

__all__ = ["CLUDA_PREAMBLE"]

_AXES = "xyz"
_INDICES = {"LID": "threadIdx", "GID": "blockIdx", "LDIM": "blockDim", "GDIM": "gridDim"}

CLUDA_PREAMBLE = """
#define local_barrier() __syncthreads();

#define WITHIN_KERNEL __device__
#define KERNEL extern "C" __global__
#define GLOBAL_MEM /* empty */
#define LOCAL_MEM __shared__
#define LOCAL_MEM_ARG /* empty */
#define REQD_WG_SIZE(X,Y,Z) __launch_bounds__(X*Y*Z, 1)

""" + "".join(f"#define {name}_{axis} {index}.{_AXES[axis]}\n" for name, index in _INDICES.items() for axis in range(3))
