"""Numba's names for CUDA: `from cuox.numba import cuda`, and `vectorize` and `guvectorize` with `target="cuda"`."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any


class _Finder:
    """Finds the modules of this package where numba-cuda is installed: it redirects every module with "numba.cuda" in
    its name to its own files.
    """

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(f"{__name__}."):
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is None:
            # The other finder must not be asked for it: it would ask itself without end.
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return found


if any(type(finder).__module__ == "_numba_cuda_redirector" for finder in sys.meta_path):
    sys.meta_path.insert(0, _Finder)

from . import cuda as cuda  # noqa: E402
from ._install import install as install  # noqa: E402
from .cuda import types as types  # noqa: E402
from .cuda._names import carray as carray  # noqa: E402
from .cuda._names import farray as farray  # noqa: E402
from .cuda._names import literal_unroll as literal_unroll  # noqa: E402
from .cuda.core import config as config  # noqa: E402
from .cuda.core import errors as errors  # noqa: E402
from .cuda.types import *  # noqa: E402, F403
from .cuda.types import from_dtype as from_dtype  # noqa: E402
from .cuda.types import typeof as typeof  # noqa: E402


def __getattr__(name: str) -> Any:
    if name in ("jit", "njit", "prange", "stencil", "cfunc", "jitclass"):
        raise AttributeError(
            f"numba.{name} compiles for the CPU, which cuox does not do: cuda.jit makes kernels, which also run where there is no GPU"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def vectorize(ftylist_or_function: Any = (), target: str | None = None, **options: Any) -> Any:
    """`cuda.vectorize`. target: must be `"cuda"`."""
    from .cuda._ufunc import check_target
    from .cuda._ufunc import vectorize as made

    check_target("vectorize", target or "cpu")
    return made(ftylist_or_function, **options)


def guvectorize(ftylist: Any, signature: str, target: str | None = None, **options: Any) -> Any:
    """`cuda.guvectorize`. target: must be `"cuda"`."""
    from .cuda._gufunc import guvectorize as made
    from .cuda._ufunc import check_target

    check_target("guvectorize", target or "cpu")
    return made(ftylist, signature, **options)
