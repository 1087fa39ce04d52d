"""Runs random operations of a block or warp, and prints those whose results are not NumPy's.

    python tools/random_coop.py [-n 2000] [--seed 0]

They are those of `tests/python/random_coop.py`, on the device and in the engine that `CUOX_DEVICE` and
`CUOX_SOFT_ENGINE` say; the status is 1 if one is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "python"))

import random_coop


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=2000, help="the number of operations")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    os.environ.setdefault("CUOX_CACHE", "0")  # nobody asks for these kernels again
    warnings.simplefilter("ignore")
    began, wrong = time.monotonic(), 0
    for text in random_coop.wrong(options.seed, options.n):
        print(text, flush=True)
        wrong += 1
    print(f"{options.n} operations, {wrong} wrong, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
