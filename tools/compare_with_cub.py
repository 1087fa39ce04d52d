#!/usr/bin/env python3
"""Compare the algorithms of `cuox.cuda.compute` with CUB's, over many random sizes, types and operators.

    python tools/compare_with_cub.py --rounds 100
    python tools/compare_with_cub.py --rounds 10 --types float32,int64 --algorithms radix_sort,merge_sort --seed 7

It needs nvcc and CUB's headers (`pip install '.[nvcc]'`); each pair of types costs ten seconds of nvcc's once.
Exits with 1 if something differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "python"))

from cub_comparison import ALGORITHMS, Cub, Round, Unsteady

TYPES = "int32,float64 float32,int64 uint8,int32 int16,float32 uint64,uint8 float64,uint16 int8,int8 uint16,uint64 int64,int16 uint32,uint32"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="comparisons of each algorithm for each pair of types")
    parser.add_argument(
        "--types", nargs="+", default=TYPES.split(), help="pairs of types, of keys and values", metavar="KEY,VALUE"
    )
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS), help=f"of {', '.join(ALGORITHMS)}")
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    parser.add_argument("--largest", type=int, default=30000, help="the most items")
    arguments = parser.parse_args()
    failures = unsteady = 0
    for pair in arguments.types:
        cub, begin = Cub(*pair.split(",")), time.monotonic()
        for seed in range(arguments.seed, arguments.seed + arguments.rounds):
            for algorithm in arguments.algorithms.split(","):
                try:
                    Round(cub, seed, arguments.largest).run(algorithm)
                except (AssertionError, RuntimeError) as error:
                    failures += 1
                    print(error, flush=True)
                except Unsteady as error:
                    unsteady += 1
                    print(error, flush=True)
        print(f"{pair}: {arguments.rounds} rounds in {time.monotonic() - begin:.0f} s", flush=True)
    print(f"{failures} differences, {unsteady} results of CUB that change from run to run")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
