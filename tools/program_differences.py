"""Runs programs that nvcc has built with cuox's CUDA runtime and with NVIDIA's, and compares what they do. For a
machine
with a GPU; needs nothing but Python.

    python3 program_differences.py PACKAGE --ours DIR --theirs DIR [-j 8] [--only NAME…]

PACKAGE is a folder made by `nvcc_programs.py package`; each DIR holds a `libcudart.so.13`. A program is run in two
fresh copies of its folder. Its exit status, what it prints (without times, rates and addresses) and the files that it
writes are to be the same. Where they are not, both are run twice more: a program whose results also change with one
runtime is reported as one that varies, with what is common.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
# Lines about speed: none of their numbers is a result.
SPEED = re.compile(
    r"(?i)\btime|timing|bandwidth|throughput|elapsed|speed|perform|latency|/s(?:ec)?\b|per second|flops|\btops\b|\bmsec|\bms\b|\bus\b|clock|waiting for gpu|Mtexlookups|usec|average|umhint|seconds|GHz|MHz"
)
MASKS = [
    (re.compile(r"0x[0-9a-fA-F]{6,}"), "0x#"),
    (re.compile(r"(?i)(shm|pid|process id)\D{0,4}\d+"), r"\1#"),
    (re.compile(r"\b\d{4}-\d\d-\d\d|\b\d\d:\d\d:\d\d"), "#"),
]
ROUNDS = 3


@dataclass
class Outcome:
    """What a run did."""

    status: int | None
    text: str
    files: dict[str, str]
    seconds: float

    def masked(self, speed: str | None) -> tuple[int | None, str, str]:
        """What must not depend on the runtime."""
        lines = []
        for line in self.text.splitlines():
            for pattern, by in MASKS:
                line = pattern.sub(by, line)
            lines.append(
                re.sub(NUMBER, "#", line) if SPEED.search(line) or (speed and re.search(speed, line)) else line
            )
        # Output to stderr and what other processes print may come at another place.
        return (
            self.status,
            "\n".join(sorted(" ".join(x.split()) for x in lines if x.strip())),
            json.dumps(self.files, sort_keys=True),
        )


def files_of(folder: Path) -> dict[str, str]:
    """Each file with a hash of what is in it."""
    return {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and not p.is_symlink()
    }


def run(program: dict, package: Path, libraries: str, scratch: Path) -> Outcome:
    """Runs a program in a fresh copy of its folder."""
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        folder = Path(temporary) / "run"
        shutil.copytree(package / program["folder"], folder)
        (folder / program["file"]).chmod(0o755)
        before = files_of(folder)
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": libraries + ":" + os.environ.get("LD_LIBRARY_PATH", ""),
        }
        environment.pop("CUOX_DEVICE", None)
        started = time.monotonic()
        with tempfile.TemporaryFile(dir=scratch) as output:
            process = subprocess.Popen(
                [f"./{program['file']}", *program["arguments"]],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                status: int | None = process.wait(program["limit"])
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
            output.seek(0)
            text = output.read().decode(errors="replace").replace(str(folder), "FOLDER")
        written = {name: digest for name, digest in files_of(folder).items() if before.get(name) != digest}
        return Outcome(status, text, written, time.monotonic() - started)


def expected(program: dict, outcome: Outcome) -> bool:
    """True if a run is what the program's table expects."""
    patterns = program["expect"] if isinstance(program["expect"], list) else [program["expect"]]
    bad = program["not"] and re.search(program["not"], outcome.text)
    return outcome.status == program["status"] and all(re.search(p, outcome.text) for p in patterns) and not bad


def compare(program: dict, package: Path, ours: str, theirs: str, scratch: Path) -> dict:
    """Runs a program with both runtimes."""
    results: tuple[list[Outcome], list[Outcome]] = ([], [])
    speed = program.get("speed")
    for _ in range(ROUNDS):
        # In turn, so that neither is always the first.
        for libraries, outcomes in ((theirs, results[1]), (ours, results[0])):
            outcomes.append(run(program, package, libraries, scratch))
        if results[0][0].masked(speed) == results[1][0].masked(speed):
            break
    mine, others = ({o.masked(speed) for o in outcomes} for outcomes in results)
    if mine & others:
        verdict = "same" if len(results[0]) == 1 else "varies"
    elif len(mine) > 1 and len(others) > 1:
        # All runs differ, with one runtime too.
        verdict = "varies" if {m[0] for m in mine} == {o[0] for o in others} else "differs"
    else:
        verdict = "differs"
    return {
        "program": program["program"],
        "speed": speed,
        "verdict": verdict,
        "ours": results[0][0],
        "theirs": results[1][0],
        "expected": (
            expected(program, results[0][0]),
            expected(program, results[1][0]),
        ),
        "seconds": (results[0][0].seconds, results[1][0].seconds),
    }


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--theirs", required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--out", type=Path, help="a folder for what differs")
    parser.add_argument("-j", dest="jobs", type=int, default=8)
    options = parser.parse_args()
    for folder in (options.ours, options.theirs):
        if not (Path(folder) / "libcudart.so.13").exists():
            parser.error(f"{folder} has no libcudart.so.13")
    programs = [
        p
        for p in json.loads((options.package / "programs.json").read_text())
        if not options.only or p["program"].split("/")[1] in options.only
    ]
    started = time.monotonic()
    counts = {"same": 0, "varies": 0, "differs": 0}
    passed = [0, 0]
    with (
        tempfile.TemporaryDirectory() as scratch,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        work = [
            pool.submit(
                compare,
                p,
                options.package.resolve(),
                os.path.abspath(options.ours),
                os.path.abspath(options.theirs),
                Path(scratch),
            )
            for p in programs
        ]
        for task in work:
            result = task.result()
            counts[result["verdict"]] += 1
            mark = [
                "as expected" if e else f"NOT as expected (status {o.status})"
                for e, o in zip(result["expected"], (result["ours"], result["theirs"]), strict=True)
            ]
            passed = [n + e for n, e in zip(passed, result["expected"], strict=True)]
            seconds = " ".join(f"{s:6.2f}" for s in result["seconds"])
            print(
                f"{result['verdict']:8} {result['program']:40} {seconds} s  ours {mark[0]}, NVIDIA's {mark[1]}",
                flush=True,
            )
            if result["verdict"] != "same" or not all(result["expected"]):
                mine, others = (result[k].masked(result["speed"])[1].splitlines() for k in ("ours", "theirs"))
                for sign, lines, rest in (("-", others, mine), ("+", mine, others)):
                    for line in [x for x in lines if x not in rest][:6]:
                        print(f"    {sign} {line[:200]}")
                if result["ours"].files != result["theirs"].files:
                    print(f"    files: {sorted(result['theirs'].files.items() ^ result['ours'].files.items())[:4]}")
                if options.out:
                    options.out.mkdir(parents=True, exist_ok=True)
                    for key in ("ours", "theirs"):
                        (options.out / f"{result['program'].replace('/', '-')}-{key}.txt").write_text(
                            result[key].text[-20000:]
                        )
    print(
        f"{len(programs)} programs: {counts['same']} the same, {counts['varies']} vary with one runtime too, {counts['differs']} differ; as expected: ours {passed[0]}, NVIDIA's {passed[1]}; {time.monotonic() - started:.0f} s"
    )
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
