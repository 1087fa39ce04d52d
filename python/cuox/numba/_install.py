"""`import numba.cuda` as an import of `cuox.numba.cuda`."""

from __future__ import annotations

import importlib.util
import sys

from cuox._internal import stand_in

_numba = stand_in.StandIn("numba", "cuox.numba")
_cuda = stand_in.StandIn("numba.cuda", "cuox.numba.cuda")


def install() -> None:
    """Make `numba.cuda` mean `cuox.numba.cuda` in this process, for unchanged programs and libraries.

    If Numba is installed, the rest of it (`numba.njit`) stays what it is; else `numba` means `cuox.numba`. To be
    called before `numba.cuda` is imported. Calling it twice is fine. `python -m cuox.numba prog.py` runs a program in
    this way. Workers of `multiprocessing` do the same.

    Raises RuntimeError if another `numba.cuda` is imported already.
    """
    if _numba in sys.meta_path or _cuda in sys.meta_path:
        return
    is_there = "numba" in sys.modules or importlib.util.find_spec("numba") is not None
    stand_in.install("cuox.numba", _cuda if is_there else _numba)
    # numba-cuda's own finder would ask itself without end for a module that ours lacks.
    redirector = "_numba_cuda_redirector"
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != redirector]
