"""What a launch costs a program that nvcc has built, through cuox's CUDA runtime and through NVIDIA's.

    python benches/nvcc_launch.py
    python nvcc_launch.py ./nvcc_launch --ours DIR --theirs DIR [--rounds 9]

Each DIR holds a `libcudart.so.13`: cuox's own, and that of `nvidia-cuda-runtime`. Without a program it is built with
`cuox nvcc`; with one, nothing but Python is needed. Both take turns, round by round, so that what the machine does
meanwhile meets both; printed are medians over the rounds, in ns.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = ("empty", "four")


def once(program: str, libraries: str) -> dict[str, float]:
    """One run of the program: its ns per launch by kernel."""
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": os.path.abspath(libraries) + ":" + os.environ.get("LD_LIBRARY_PATH", ""),
    }
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{program} with {libraries}: {done.stderr.strip() or done.returncode}")
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def built(folder: str) -> str:
    """The program, built in a folder."""
    program = Path(folder) / "nvcc_launch"
    source = Path(__file__).with_suffix(".cu")
    subprocess.run(
        [sys.executable, "-m", "cuox", "nvcc", "-O2", "-arch=sm_90", str(source), "-o", str(program)], check=True
    )
    return str(program)


def pip_runtime() -> str | None:
    """The folder of NVIDIA's runtime, where pip has installed it."""
    for folder in map(Path, sys.path):
        for found in sorted(folder.glob("nvidia/cu*/lib/libcudart.so.13")):
            return str(found.parent)
    return None


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--ours", default=str(Path(__file__).resolve().parent.parent / "python/cuox/lib"))
    parser.add_argument("--theirs", default=pip_runtime())
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    if options.theirs is None or (options.program is None and not Path("/dev/nvidiactl").exists()):
        print("skipped: it takes a GPU and NVIDIA's libcudart.so.13, of nvidia-cuda-runtime")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return measure(options.program or built(folder), options)


def measure(program: str, options: argparse.Namespace) -> int:
    """Runs the program with both, and prints the medians."""
    found: dict[str, list[dict[str, float]]] = {"ours": [], "theirs": []}
    for turn in range(options.rounds):
        order = ("ours", "theirs") if turn % 2 else ("theirs", "ours")
        for who in order:
            found[who].append(once(program, getattr(options, who)))
    print("kernel  cuox's  NVIDIA's  difference (median of rounds; smallest and largest)")
    for kernel in KERNELS:
        ours, theirs = ([run[kernel] for run in found[who]] for who in ("ours", "theirs"))
        mine, other = statistics.median(ours), statistics.median(theirs)
        print(
            f"{kernel:6} {mine:7.1f} {other:9.1f} {mine - other:+11.1f} ns   ours {min(ours):.1f} to {max(ours):.1f}, NVIDIA's {min(theirs):.1f} to {max(theirs):.1f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
