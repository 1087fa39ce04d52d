"""Properties of the platform and of the current device."""

from __future__ import annotations

import sys

from .tools import context_dependent_memoize

__all__ = ["has_double_support", "has_stack", "platform_bits", "sizeof"]


def platform_bits() -> int:
    """Return the number of bits of a pointer: 64 on every system that cuox runs on."""
    return 64 if sys.maxsize > 2**32 else 32


def has_stack() -> bool:
    """Return whether the current device has a stack, whose size `Context.set_limit` sets (compute capability 2.0 and
    later).
    """
    return _capability() >= (2, 0)


def has_double_support() -> bool:
    """Return whether the current device computes with doubles (compute capability 1.3 and later)."""
    return _capability() >= (1, 3)


def _capability() -> tuple[int, int]:
    from .driver import Context

    major, minor = Context.get_device().compute_capability()
    return major, minor


@context_dependent_memoize
def sizeof(type_name: str, preamble: str = "") -> int:
    """Return the size in bytes of a type in device code. preamble: CUDA C++ that declares it. Raises CompileError."""
    import numpy as np

    from . import driver
    from .compiler import SourceModule

    # The compiler knows the answer: it is the value of a constant, and nothing needs to run.
    module = SourceModule(
        f'{preamble}\nextern "C" {{ __device__ unsigned long long cuox_size_of_type = sizeof({type_name}); }}',
        no_extern_c=True,
    )
    address, _ = module.get_global("cuox_size_of_type")
    size = np.empty(1, np.uint64)
    driver.memcpy_dtoh(size, address)
    return int(size[0])
