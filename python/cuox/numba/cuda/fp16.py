"""`cuda.fp16`: functions of float16 in kernels, by CUDA's names with and without `__`. CUDA math API, *Half Precision
Intrinsics*.
"""

from __future__ import annotations

from cuox._native import _kernel_functions

from ._names import KernelName

_functions = {name: KernelName(f"cuda.fp16.{name}", doc) for name, doc in _kernel_functions("fp16")}
_functions |= {f"__{name}": function for name, function in _functions.items()}
globals().update(_functions)
__all__ = list(_functions)
