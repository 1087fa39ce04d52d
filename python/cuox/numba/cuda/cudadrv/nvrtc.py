"""Compute capabilities of the compiler."""

from __future__ import annotations

import functools
from typing import Any

from ..core import config


@functools.cache
def get_supported_ccs() -> tuple[tuple[int, int], ...]:
    """The compute capabilities that NVRTC knows, from the lowest."""
    from cuox.cuda.bindings import nvrtc

    error, found = nvrtc.nvrtcGetSupportedArchs()
    if error or found is None:
        raise RuntimeError(f"nvrtcGetSupportedArchs: {error!r}")
    return tuple(sorted((number // 10, number % 10) for number in found))


def find_closest_arch(cc: tuple[int, int]) -> tuple[int, int]:
    """The highest compute capability that NVRTC knows and that is not above `cc`. Raises CCSupportError for lower
    ones."""
    from .error import CCSupportError

    known = get_supported_ccs()
    below = [one for one in known if one <= cc]
    if not below:
        raise CCSupportError(
            f"GPU compute capability {cc[0]}.{cc[1]} is not supported: NVRTC needs at least {known[0][0]}.{known[0][1]}"
        )
    return below[-1]


def get_arch_option(major: int, minor: int, arch: str = "") -> str:
    """NVRTC's name of the nearest architecture: compute_90, and with `arch` compute_90a.

    Raises ValueError for a specific architecture that NVRTC does not know.
    """
    forced: Any = config.FORCE_CUDA_CC
    if forced:
        major, minor, arch = forced[0], forced[1], forced[2] if len(forced) > 2 else ""
    if arch and (major, minor) not in get_supported_ccs():
        nearest = find_closest_arch((major, minor))
        raise ValueError(
            f"Can't use arch-specific compute_{major}{minor}{arch} with the nearest architecture that NVRTC knows, compute_{nearest[0]}{nearest[1]}"
        )
    nearest = find_closest_arch((major, minor))
    return f"compute_{nearest[0]}{nearest[1]}{arch}"
