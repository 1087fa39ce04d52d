"""Run the tests of NVIDIA's cuda.compute with `cuox.cuda.compute` in its place.

    python tools/compute_suite.py cccl/.git python            # the bare or plain repository of NVIDIA/cccl, and
                                                              an interpreter that has cuox and pytest
    python tools/compute_suite.py cccl/.git python test_reduce test_scan

Exits with pytest's status: 1 if a test fails, as some do for the reasons in docs/compatibility.md.

The tests' folder is copied to a temporary one, with its imports changed; what they take from the peer's private modules
is a few lines here.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = "python/cuda_cccl/tests"

RENAMED = [
    (
        r"\bfrom cuda\.compute\._utils\.temp_storage_buffer import TempStorageBuffer",
        "from _utils.temporary import TempStorageBuffer",
    ),
    (r"\bfrom cuda\.compute\._utils\.protocols import", "from _utils.temporary import"),
    (r"monkeypatch\.setattr\([^()]*_check_sass[^()]*\)", "None"),
    (r"^( +)import cuda\.compute\._cccl_interop( as \w+)?$", r"\1pass"),
    (r"\bcuda\.(compute|core|cccl|bindings)\b", r"cuox.cuda.\1"),
    (r"\bfrom numba import", "from cuox.numba import"),
    (r"\bimport numba\b", "import cuox.numba as numba"),
    (r"\bimport cupy as cp\b", "import compute_cupy as cp"),
    (r"\bimport cupyx\.scipy\.special as (\w+)", r"from compute_cupy import special as \1"),
]

TEMPORARY = """
import cuox, numpy as np

class TempStorageBuffer:
    def __init__(self, size, stream=None):
        self.nbytes, self._array = size, cuox.empty((max(size, 1),), np.uint8)
        self.__cuda_array_interface__ = self._array.__cuda_array_interface__

def compute_c_contiguous_strides_in_bytes(shape, itemsize):
    strides = []
    for length in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= length
    return tuple(strides)
"""


def copied(repository: Path, target: Path) -> None:
    """The tests with changed imports."""
    archive = subprocess.run(
        ["git", f"--git-dir={repository}", "archive", "HEAD", FOLDER], check=True, capture_output=True
    )
    subprocess.run(["tar", "x", "--strip-components=3"], input=archive.stdout, cwd=target, check=True)
    for path in target.rglob("*.py"):
        text = path.read_text()
        for pattern, new in RENAMED:
            text = re.sub(pattern, new, text, flags=re.MULTILINE)
        path.write_text(text)
    (target / "_utils" / "temporary.py").write_text(TEMPORARY)


def examples(folder: Path, python: str, environment: dict[str, str]) -> int:
    """Run each example."""
    passed = failed = 0
    for path in sorted((folder / "compute" / "examples").rglob("*.py")):
        if path.name == "__init__.py":
            continue
        done = subprocess.run(
            [python, str(path)], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )
        passed, failed = passed + (done.returncode == 0), failed + (done.returncode != 0)
        if done.returncode:
            print(f"{path.relative_to(folder)}: {done.stderr.strip().splitlines()[-1]}")
    print(f"{passed} examples passed, {failed} failed")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repository", type=Path, help="the .git folder of NVIDIA/cccl")
    parser.add_argument("python", help="an interpreter that has cuox and pytest")
    parser.add_argument("files", nargs="*", help="names of test files, without .py")
    parser.add_argument("--report", type=Path, help="a file for all outcomes, as JSON")
    parser.add_argument("--processes", default="2", help="for pytest-xdist")
    parser.add_argument("--large", action="store_true", help="also run the tests that need gigabytes and minutes")
    parser.add_argument(
        "--examples",
        action="store_true",
        help="run the examples instead, with a few lines in CuPy's place (compute_cupy.py)",
    )
    parser.add_argument("--verbose", action="store_true", help="show why tests failed")
    given = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        copied(given.repository, folder)
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
        if given.examples:
            (folder / "compute_cupy.py").write_text(Path(__file__).with_name("compute_cupy.py").read_text())
            return examples(folder, given.python, environment)
        names = [f"compute/{name}.py" for name in given.files] or ["compute"]
        results = folder / "results.xml"
        command = [
            given.python,
            "-m",
            "pytest",
            "-q",
            "-n",
            given.processes,
            "-p",
            "no:cacheprovider",
            "--ignore=compute/examples",
            f"--junitxml={results}",
            *names,
        ]
        if not given.large:
            command += ["-m", "not large"]
        done = subprocess.run([*command, *([] if given.verbose else ["--tb=no"])], cwd=folder, env=environment)
        import xml.etree.ElementTree as ElementTree

        table: dict[str, dict[str, int]] = {}
        outcomes = {}
        for case in ElementTree.parse(results).iter("testcase"):
            file = case.get("classname", "").rsplit(".", 1)[-1]
            kinds = [child.tag for child in case]
            outcome = "failed" if {"failure", "error"} & set(kinds) else "skipped" if "skipped" in kinds else "passed"
            table.setdefault(file, {"passed": 0, "failed": 0, "skipped": 0})[outcome] += 1
            reason = next((child.get("message", "") for child in case if child.tag in ("failure", "error")), "")
            outcomes[f"{file}::{case.get('name')}"] = (outcome, reason)
    print(f"{'file':40} {'passed':>7} {'failed':>7} {'skipped':>8}")
    for file, counts in sorted(table.items()):
        print(f"{file:40} {counts['passed']:7} {counts['failed']:7} {counts['skipped']:8}")
    whole = {outcome: sum(counts[outcome] for counts in table.values()) for outcome in ("passed", "failed", "skipped")}
    print(f"{'all':40} {whole['passed']:7} {whole['failed']:7} {whole['skipped']:8}")
    if given.report:
        given.report.write_text(json.dumps(outcomes, indent=1))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
