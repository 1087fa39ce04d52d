"""`cuda.libdevice`: NVIDIA's library of device functions, by their names without `__nv_`.

What a function writes through pointers comes behind its result, in a tuple: `libdevice.frexp(x)` is (fraction,
exponent). Libdevice user's guide.
"""

from __future__ import annotations

from cuox._native import _kernel_functions

from ._names import KernelName

_functions = {name: KernelName(f"cuda.libdevice.{name}", doc) for name, doc in _kernel_functions("libdevice")}
globals().update(_functions)
__all__ = list(_functions)
