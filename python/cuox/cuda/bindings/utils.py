"""Small helpers, as `cuda.bindings.utils` has them."""

from __future__ import annotations

import re

from cuox_bind import _native

__all__ = ["get_cuda_native_handle", "get_minimal_required_cuda_ver_from_ptx_ver", "get_ptx_ver"]

# The release history in the PTX ISA manual: which CUDA release brought which version of PTX.
_RELEASES = (
    "1.0:1.0 1.1:1.1 1.2:2.0 1.3:2.1 1.4:2.2 2.0:3.0 2.1:3.1 2.2:3.2 2.3:4.0 3.0:4.1 3.1:5.0 3.2:5.5 4.0:6.0 4.1:6.5 4.2:7.0 "
    "4.3:7.5 5.0:8.0 6.0:9.0 6.1:9.1 6.2:9.2 6.3:10.0 6.4:10.1 6.5:10.2 7.0:11.0 7.1:11.1 7.2:11.2 7.3:11.3 7.4:11.4 7.5:11.5 "
    "7.6:11.6 7.7:11.7 7.8:11.8 8.0:12.0 8.1:12.1 8.2:12.2 8.3:12.3 8.4:12.4 8.5:12.5 8.6:12.7 8.7:12.8 8.8:12.9 9.0:13.0"
)
_CUDA_OF_PTX = dict(pair.split(":") for pair in _RELEASES.split())


def get_ptx_ver(ptx: str) -> str:
    """The version of PTX that a program says it is written in: `"9.0"`. Raises ValueError if it says none."""
    found = re.search(r"^\s*\.version\s+(\d+\.\d+)", ptx, re.MULTILINE)
    if found is None:
        raise ValueError("expected PTX with a .version directive, got text without one")
    return found[1]


def get_minimal_required_cuda_ver_from_ptx_ver(ptx_version: str) -> int:
    """The CUDA version that a driver or linker needs to know a version of PTX: 13000 for `"9.0"`. Raises ValueError for
    an unknown version.
    """
    release = _CUDA_OF_PTX.get(ptx_version)
    if release is None:
        raise ValueError(f"expected a PTX version of CUDA 13.0 or older, such as '9.0', got {ptx_version!r}")
    major, minor = release.split(".")
    return 1000 * int(major) + 10 * int(minor)


def get_cuda_native_handle(obj: object) -> int:
    """The handle that an object of `driver`, `runtime` or `nvrtc` stands for, as C has it. Raises TypeError for other
    objects.
    """
    if isinstance(obj, (_native.Handle, _native.Pointer)):
        return int(obj)
    raise TypeError(f"expected a handle of CUDA, got {type(obj).__name__}")
