"""`import cuda.bindings` as an import of `cuox.cuda.bindings`, and so on."""

from __future__ import annotations

import importlib.util
import sys

from cuox._internal import stand_in

_cuda = stand_in.StandIn("cuda", "cuox.cuda")
_PARTS = [
    stand_in.StandIn(f"cuda.{name}", f"cuox.cuda.{ours}")
    for name, ours in {
        "bindings": "bindings",
        "cccl": "cccl",
        "compute": "compute",
        "coop": "coop",
        # The packages that these two were before cuda-cccl.
        "cooperative": "cccl.cooperative",
        "parallel": "cccl.parallel",
        "core": "core",
        "pathfinder": "pathfinder",
        # The names that the bindings had in cuda-python up to version 12.
        "cuda": "bindings.driver",
        "cudart": "bindings.runtime",
        "nvrtc": "bindings.nvrtc",
    }.items()
]


def install() -> None:
    """Make `cuda.bindings`, `cuda.core`, `cuda.compute`, `cuda.coop` and `cuda.pathfinder` mean cuox's modules in this
    process, for unchanged programs and libraries; and so `cuda.cuda`, `cuda.cudart` and `cuda.nvrtc`, the bindings'
    former names, `cuda.parallel` and `cuda.cooperative`.

    `cuda` is a package of which several distributions install parts; where another part of it is installed, it stays
    what it is. To be called before one of the modules is imported. Calling it twice is fine.
    `python -m cuox.cuda prog.py` runs a program in this way. Workers of `multiprocessing` do the same.

    Raises RuntimeError if an original is imported already.
    """
    if _PARTS[0] in sys.meta_path:
        return
    is_there = "cuda" in sys.modules or importlib.util.find_spec("cuda") is not None
    stand_in.install("cuox.cuda", *_PARTS, *([] if is_there else [_cuda]))
