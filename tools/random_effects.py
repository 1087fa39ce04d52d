"""Runs random functions with effects in expressions in kernels and in CPython, and prints those that differ.

    python tools/random_effects.py [-n 20000] [--seed 0] [--processes 16]

The functions are those of `tests/python/random_effects.py`; the status is 1 if one is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "python"))

import random_effects


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=20_000, help="the number of programs")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first; each has the next one")
    parser.add_argument("--processes", type=int, help="as many as there are processors, if not given")
    options = parser.parse_args()
    os.environ.setdefault("CUOX_CACHE", "0")  # nobody asks for these kernels again
    began, wrong = time.monotonic(), 0
    for seed, text in random_effects.run_apart(options.seed, options.n, options.processes):
        print(f"seed {seed}: {text}", flush=True)
        wrong += 1
    print(f"{options.n} programs, {wrong} wrong, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
