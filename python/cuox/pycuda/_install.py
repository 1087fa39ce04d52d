"""`import pycuda` as an import of `cuox.pycuda`."""

from __future__ import annotations

from cuox._internal import stand_in

_pycuda = stand_in.StandIn("pycuda", "cuox.pycuda")


def install() -> None:
    """Make `import pycuda` mean `cuox.pycuda` in this process, for unchanged programs and libraries.

    To be called before pycuda is imported. It does not matter if the original is installed. Calling it twice is fine.
    `python -m cuox.pycuda prog.py` runs a program in this way. Workers of `multiprocessing` do the same.

    Raises RuntimeError if the original is imported already.
    """
    stand_in.install("cuox.pycuda", _pycuda)
