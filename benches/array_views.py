"""What a `StridedMemoryView` of another library's array costs, beside NVIDIA's where that is installed.

    python benches/array_views.py [-n 20000] [--repetitions 15]

The arrays are those of a library that shows them by DLPack's C functions (`array_views.c`), of PyTorch and CuPy if
these are installed and have a GPU, of NumPy, and cuox's own. Prints the least nanoseconds of a view without an order
(`stream_ptr=-1`), and of one for the stream that the library works in.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import timeit
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cuox
import numpy as np
from cuox.cuda.core.utils import StridedMemoryView


def by_c_functions(folder: str, address: int) -> Any:
    """An array of the library in C."""
    source = Path(__file__).with_suffix(".c")
    target = Path(folder, f"array_views{sysconfig.get_config_var('EXT_SUFFIX')}")
    include = sysconfig.get_paths()["include"]
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", f"-I{include}", source, "-o", target], check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("array_views").make(address)


def arrays(folder: str, device: cuox.Device) -> Iterator[tuple[str, Any]]:
    """The arrays, by their libraries' names."""
    yield "C functions", by_c_functions(folder, int(device.allocate(64).handle))
    yield "cuox", cuox.zeros((3, 4), np.float32)
    yield "NumPy", np.zeros((3, 4), np.float32)
    for name, make in [("torch", lambda it: it.zeros(3, 4, device="cuda")), ("cupy", lambda it: it.zeros((3, 4)))]:
        try:
            yield name, make(importlib.import_module(name))
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}")


def nanoseconds(call: Callable[[], object], count: int, repetitions: int) -> float:
    """The least time of a call, without that of the loop."""

    def least(what: Callable[[], object]) -> float:
        return min(timeit.repeat(what, number=count, repeat=repetitions)) / count * 1e9

    return least(call) - least(lambda: None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=20_000, help="views in a repetition")
    parser.add_argument("--repetitions", type=int, default=15)
    options = parser.parse_args()
    device = cuox.Device()
    device.set_current()
    makers = {"cuox": StridedMemoryView.from_any_interface}
    try:
        makers["NVIDIA"] = importlib.import_module("cuda.core.utils").StridedMemoryView.from_any_interface
    except ImportError as error:
        print(f"NVIDIA's cuda.core: {error}")
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'array of':12} {'view by':8} {'-1':>8} {'stream 1':>9}")
        for name, array in arrays(folder, device):
            for maker, view in makers.items():
                figures = []
                for stream in (-1, 1):
                    try:
                        view(array, stream)
                    except Exception as error:
                        figures.append(type(error).__name__)
                        continue
                    time = nanoseconds(lambda: view(array, stream), options.n, options.repetitions)
                    figures.append(f"{time:.0f} ns")
                print(f"{name:12} {maker:8} {figures[0]:>8} {figures[1]:>9}")


if __name__ == "__main__":
    main()
