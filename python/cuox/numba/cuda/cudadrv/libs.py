"""The libraries of CUDA, and where they were found."""

from __future__ import annotations

from cuox import _native
from cuox._internal.errors import NotFoundError


def get_cudalib(lib: str, static: bool = False) -> str:
    """Return the path of a library, such as `"nvrtc"` or `"cudart"`. Raises NotFoundError. static: taken, there are
    none."""
    return str(_native.find_library(lib)[0])


def test() -> bool:
    """Print which libraries are found. Returns True if all are that kernels in Python need."""
    found = True
    for lib, needed in (("nvrtc", True), ("cudart", False), ("nvvm", False), ("nvJitLink", False)):
        try:
            print(f"Finding {lib}: {get_cudalib(lib)}")
        except NotFoundError as error:
            print(f"Finding {lib}: {str(error).splitlines()[0]}")
            found &= not needed
    return found
