"""Runs random kernels in CUDA C++ in the software GPU's three engines, compiled with several options, and prints those
whose results differ.

    python tools/random_kernels.py 0..500                     # seeds 0 to 499
    CUOX_DEVICE=gpu python tools/random_kernels.py 0..500 --record results.json
    python tools/random_kernels.py 0..500 --against results.json
    python tools/random_kernels.py --show 17                  # the program of a seed
    python tools/random_kernels.py --reduce 17                # a smaller one with the same difference

The programs are those of `tests/python/random_cpp.py`; the status is 1 if one is wrong.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "python"))

import random_cpp
import random_cpp_reduce
import random_cpp_run


def seeds(text: str) -> range:
    first, _, end = text.partition("..")
    return range(int(first), int(end) if end else int(first) + 1)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", type=seeds, nargs="?", default=range(100), help="from..to, or one seed")
    engines = ["gpu"] if os.environ.get("CUOX_DEVICE") == "gpu" else random_cpp_run.SOFT
    parser.add_argument("--engines", default=",".join(engines), help="of interpreter, jit-narrow, jit, llvm, gpu")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count(), help="as many as there are processors, if not given"
    )
    parser.add_argument("--record", type=Path, help="a file for a hash of the results of each seed")
    parser.add_argument("--against", type=Path, help="such a file, from another machine")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed")
    parser.add_argument("--reduce", type=int, metavar="SEED", help="print a smaller program with the same difference")
    return parser.parse_args()


def part(job: tuple[list[int], list[str], dict[int, str]]) -> list[tuple[int, str, random_cpp_run.Found | None]]:
    return list(random_cpp_run.run(*job))


def main() -> int:
    options = arguments()
    engines = options.engines.split(",")
    if options.show is not None:
        print(random_cpp.program(options.show).text())
        return 0
    if options.reduce is not None:
        smaller = random_cpp_reduce.reduced(options.reduce, engines)
        if smaller is None:
            print(f"seed {options.reduce}: nothing is wrong")
            return 0
        print(f"{smaller[0].text()}\n// seed {options.reduce}: {smaller[1]}")
        return 1
    recorded = {}
    if options.against:
        recorded = {int(seed): value for seed, value in json.loads(options.against.read_text()).items()}
    began, wrong, hashes = time.monotonic(), 0, {}
    size = max(1, min(25, len(options.seeds) // (options.processes or 1)))
    jobs = [
        (list(options.seeds[start : start + size]), engines, recorded) for start in range(0, len(options.seeds), size)
    ]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for results in pool.imap(part, jobs):
            for seed, value, found in results:
                hashes[seed] = value
                if found:
                    where = "; ".join(", ".join(pair) for pair in found.pairs)
                    print(f"seed {seed}: {where}: {found.text}", flush=True)
                    wrong += 1
    if options.record:
        options.record.write_text(
            json.dumps({str(seed): value for seed, value in hashes.items() if value}, indent=0) + "\n"
        )
    print(f"{len(options.seeds)} kernels, {wrong} wrong, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
