"""`cuda.bf16`: the type bfloat16 and its functions in kernels. CUDA math API, *Bfloat16 Precision Intrinsics*.

Conversions have CUDA's names (`int2bfloat16_rn`) and those of NumPy's types (`int32_to_bfloat16_rn`).
"""

from __future__ import annotations

from cuox._native import _kernel_functions

from ._names import KernelName
from .types import bfloat16

_functions = {name: KernelName(f"cuda.bf16.{name}", doc) for name, doc in _kernel_functions("bf16")}
globals().update(_functions)
__all__ = ["bfloat16", *_functions]  # noqa: PLE0604
