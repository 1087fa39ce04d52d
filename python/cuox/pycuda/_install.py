"""`import pycuda` as an import of `cuox.pycuda`."""

from __future__ import annotations

from cuox._internal.stand_in import StandIn

_pycuda = StandIn("pycuda", "cuox.pycuda")


def install() -> None:
    """Make `import pycuda` mean `cuox.pycuda` in this process, for unchanged programs and libraries.

    To be called before pycuda is imported. It does not matter if the original is installed. Calling it twice is fine.
    `python -m cuox.pycuda prog.py` runs a program in this way. Workers of `multiprocessing` do the same.

    Raises RuntimeError if the original is imported already.
    """
    _pycuda.install("cuox.pycuda")
