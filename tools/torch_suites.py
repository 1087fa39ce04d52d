"""Run others' tests that need PyTorch on a GPU, on the software GPU or on a GPU, and compare the two.

    python tools/torch_suites.py triton TRITON --out soft.jsonl                # TRITON: a checkout; torch_suites.toml
                                                                               # lists the suites
    python tools/torch_suites.py triton TRITON --gpu --out gpu.jsonl --processes 8 --seconds 550 --select 1/3
    python tools/torch_suites.py triton TRITON --out soft.jsonl --passed-in gpu.jsonl --compare gpu.jsonl
    python tools/torch_suites.py triton TRITON --out soft.jsonl --resume       # those that soft.jsonl lacks
    python tools/torch_suites.py triton --report soft.jsonl --compare gpu.jsonl

A line of JSON for each case goes to `--out` as it ends: `id`, `outcome` (passed, failed, skipped), `seconds`, and for
those that did not pass `error` and `trace`. A case that takes more than `--case-seconds` or `--case-memory`, or that
ends its process, has failed, and the rest goes on in another process. What `--seconds` leaves no time for is counted
as not run. `--compare` prints what has passed in the other file and not here, and the share of those that passed here,
too. Exits with 1 if a case failed (with `--compare`, if one failed that has passed there).

Needs PyTorch's CUDA build and pytest in the environment of cuox; `--gpu` needs no cuox.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
import tomllib
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from case_processes import Cases, DidNotStart, Limits
from peer_suite import shortened

TABLE = Path(__file__).with_suffix(".toml")
TOOLS = TABLE.absolute().parent


def read(path: Path) -> dict[str, dict[str, Any]]:
    """The cases of a file, the last line of each."""
    found = {}
    for text in path.read_text().splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue  # the process was ended while it wrote
        if not isinstance(line, dict) or not {"id", "outcome", "seconds"} <= line.keys():
            sys.exit(f"{path}: no results of cases: {text[:80]}")
        found[line["id"]] = line
    return found


def part(text: str) -> tuple[int, int]:
    """K/N."""
    k, _, n = text.partition("/")
    if not (k.isdigit() and n.isdigit() and 1 <= int(k) <= int(n)):
        raise argparse.ArgumentTypeError(f"expected K/N with 1 <= K <= N, got {text!r}")
    return int(k), int(n)


def positive(text: str) -> float:
    """A number above 0."""
    if not 0 < (number := float(text)) < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return number


def count(text: str) -> int:
    """A whole number above 0."""
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, got {text!r}")
    return number


def a_file(text: str) -> Path:
    """The path of a file that there is: it is read at the end, too."""
    if not (path := Path(text)).is_file():
        raise argparse.ArgumentTypeError(f"no such file: {text}")
    return path


def in_part(case: str, select: tuple[int, int]) -> bool:
    """Whether a case is in the K-th of N parts: by its name, so the same on all machines."""
    return zlib.crc32(case.encode()) % select[1] == select[0] - 1


def summary(cases: dict[str, dict[str, Any]], most: int) -> None:
    """Print why cases failed, the most frequent reasons first, and which took longest."""
    for outcome in ("failed", "skipped"):
        these = [case for case in cases.values() if case["outcome"] == outcome]
        counts = Counter(shortened(case.get("error", "")) for case in these)
        print(f"\n{len(these)} {outcome}, by reason")
        for reason, count in counts.most_common(most):
            example = next(case["id"] for case in these if shortened(case.get("error", "")) == reason)
            print(f"{count:6} {reason}\n         {example}")
    print("\nslowest, in seconds")
    for case in sorted(cases.values(), key=lambda case: -case["seconds"])[:10]:
        print(f"{case['seconds']:8.1f} {case['outcome']:7} {case['id']}")


def compare(ours: dict[str, dict[str, Any]], theirs: dict[str, dict[str, Any]], most: int) -> int:
    """Print what has passed there and not here; how many of them failed."""
    passed = [case for case, line in theirs.items() if line["outcome"] == "passed"]
    both = [case for case in passed if case in ours]
    missed = [case for case in both if ours[case]["outcome"] != "passed"]
    print(f"\npassed there and not here: {len(missed)}")
    counts = Counter(
        (case.rpartition("::")[2].partition("[")[0], shortened(ours[case].get("error", ""))) for case in missed
    )
    for (test, reason), count in counts.most_common(most):
        print(f"{count:6} {test}: {reason}")
    more = [
        case for case in ours if ours[case]["outcome"] == "passed" and theirs.get(case, {}).get("outcome") == "failed"
    ]
    if more:
        print(f"passed here, failed there: {len(more)}, such as {more[0]}")
    good = len(both) - len(missed)
    share = f" ({100 * good / len(both):.2f} %)" if both else ""
    print(f"of {len(passed)} that passed there {len(both)} were run, and {good}{share} passed")
    return len(missed)


def counted(cases: dict[str, dict[str, Any]]) -> str:
    """The numbers of each outcome."""
    return ", ".join(
        f"{sum(case['outcome'] == outcome for case in cases.values())} {outcome}"
        for outcome in ("passed", "failed", "skipped")
    )


def run(given: argparse.Namespace, suite: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Run a suite; all cases of `--out`."""
    checkout = given.checkout.absolute()
    folder = checkout / suite["folder"]
    before = read(given.out) if given.resume and given.out.exists() else {}
    only = None
    if given.passed_in is not None:
        only = {case for case, line in read(given.passed_in).items() if line["outcome"] == "passed"}
    if given.only is not None:
        only = {line.strip() for line in given.only.read_text().splitlines()}
    with tempfile.TemporaryDirectory(dir=given.scratch) as temporary, given.out.open("a" if before else "w") as out:
        scratch = Path(temporary)
        environment = {"OMP_NUM_THREADS": "1", "CUOX_SOFT_THREADS": "1", **os.environ}
        for name, value in suite.get("environment", {}).items():
            environment[name] = value.replace("{scratch}", given.cache or temporary)
        plugins = suite.get("plugins", [])
        path = [*(str(folder / one) for one in suite.get("path", [])), *([str(TOOLS)] if plugins else [])]
        if path:
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, (*path, environment.get("PYTHONPATH"))))
        command = [given.python]
        if not given.gpu:
            environment |= {"CUOX_DEVICE": "soft", "CASE_WORKER_IMPORTS": "cuox.torch"}
            command = [given.python, "-m", "cuox", "run", "--", given.python]
        done = Counter[str]()
        since = time.monotonic()

        def write(case: dict[str, Any]) -> None:
            out.write(json.dumps(case) + "\n")
            out.flush()
            done[case["outcome"]] += 1
            if case["outcome"] == "failed":
                print(f"failed {case['id']} ({case['seconds']:.1f} s): {case.get('error', '')[:200]}", flush=True)
            if done.total() % 100 == 0:
                print(f"{time.monotonic() - since:6.0f} s: {done.total()} of {len(wanted)}, {dict(done)}", flush=True)

        wanted: list[str] = []

        def chosen(cases: list[str]) -> list[str]:
            cases = [case for case in cases if case not in before and in_part(case, given.select)]
            wanted[:] = [case for case in cases if only is None or case in only]
            print(f"{len(wanted)} cases to run", flush=True)
            return wanted

        cases = Cases(
            command,
            [
                *(given.files or suite["files"]),
                *("-c", os.devnull, f"--rootdir={folder}", f"--confcutdir={checkout}"),
                *("-p", "no:cacheprovider", "-p", "no:xdist"),
                *("--continue-on-collection-errors", "-W", "ignore", *suite.get("arguments", [])),
                *(word for plugin in plugins for word in ("-p", plugin)),
                *(["-k", given.k] if given.k else []),
            ],
            scratch,
            Limits(given.case_seconds, given.case_memory * 2**30, given.seconds),
            chosen=chosen,
            write=write,
            environment=environment,
            folder=folder,
        )
        cases.run(given.processes)
        for file, reason in cases.broken.items():
            print(f"not collected: {file}: {reason}")
        versions = ", ".join(f"{name} {version}" for name, version in cases.versions.items())
        print(f"{versions}; {len(cases.all)} cases collected, {len(wanted)} chosen, {time.monotonic() - since:.0f} s")
        print(f"{counted(read(given.out))}, {len(wanted) - done.total()} not run")
    return read(given.out)


def main() -> int:
    suites = tomllib.loads(TABLE.read_text())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=suites)
    parser.add_argument("checkout", nargs="?", type=Path, help="the repository that has the tests, or such a folder")
    parser.add_argument("files", nargs="*", help="files of tests, or cases, in the suite's folder")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has PyTorch, pytest and cuox")
    parser.add_argument("--gpu", action="store_true", help="run on the machine's GPU, without cuox")
    parser.add_argument("--processes", type=count, default=1)
    parser.add_argument("--case-seconds", type=positive, default=120, help="for a case (120)")
    parser.add_argument("--case-memory", type=positive, default=8, help="GiB that a process may have in memory (8)")
    parser.add_argument("--seconds", type=positive, help="for all cases")
    parser.add_argument("--select", type=part, default=(1, 1), metavar="K/N", help="the K-th of N parts")
    parser.add_argument("-k", help="pytest's -k")
    parser.add_argument("--only", type=a_file, metavar="FILE", help="the cases whose names are the lines of a file")
    parser.add_argument("--passed-in", type=a_file, metavar="JSONL", help="the cases that passed in that run")
    parser.add_argument("--out", type=Path, metavar="JSONL", help="a file for a line for each case")
    parser.add_argument("--resume", action="store_true", help="leave out what is in --out, and add to it")
    parser.add_argument("--report", type=a_file, metavar="JSONL", help="run nothing: a run of before")
    parser.add_argument("--compare", type=a_file, metavar="JSONL", help="a run to compare with, such as a GPU's")
    parser.add_argument("--scratch", help="the folder for temporary files")
    parser.add_argument("--cache", help="a folder in place of {scratch} of torch_suites.toml: it is kept")
    parser.add_argument("--reasons", type=count, default=40, help="the number of reasons to print of each kind")
    given = parser.parse_intermixed_args()
    if given.report is not None:
        cases = {case: line for case, line in read(given.report).items() if in_part(case, given.select)}
        print(counted(cases))
    else:
        if given.checkout is None:
            parser.error("name the folder that has the tests")
        if given.out is None:
            parser.error("name a file for the results: --out")
        # Before what is in it is written over.
        folders = [given.checkout / suites[given.suite]["folder"], given.out.absolute().parent]
        for folder in (*folders, *([Path(given.scratch)] if given.scratch else [])):
            if not folder.is_dir():
                parser.error(f"no such folder: {folder}")
        if given.out.is_dir():
            parser.error(f"--out: a folder: {given.out}")
        try:
            cases = run(given, suites[given.suite])
        except DidNotStart as error:
            sys.exit(f"the tests do not run: {error}")
        except KeyboardInterrupt:
            print(f"interrupted; --resume goes on with what {given.out} lacks", file=sys.stderr)
            return 128 + signal.SIGINT
    summary(cases, given.reasons)
    if given.compare is not None:
        return 1 if compare(cases, read(given.compare), given.reasons) else 0
    return 1 if any(case["outcome"] == "failed" for case in cases.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
