"""The tests of the built wheel, by pytest: on all cores, and then those that need the machine alone."""

from __future__ import annotations

import os
import re
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from .build import site_packages
from .process import CORES, ENVIRONMENT, PYTHON, ROOT, say, stream
from .report import Report
from .results import Results, fingerprint

FOLDER = ROOT / "tests" / "python"
PACKAGE = ROOT / "python" / "cuox"
# Parts of the package, and words that are in every test file that is about them. The rest of the package is what all
# test files depend on.
PARTS = {
    "numba": (("numba",), r"numba|xoroshiro|pykernel"),
    "pycuda": (("pycuda",), r"pycuda"),
    "compute": (("cuda/compute", "cuda/cccl"), r"compute|cccl|cub_comparison"),
    "bindings": (("cuda/bindings",), r"bindings"),
}
# A part that is built of another one.
BUILT_OF = {"compute": ("numba",)}
# Test files of pages, examples and the package as a whole.
OF_EVERYTHING = ("test_docs", "test_examples", "test_package", "test_tutorial", "test_numba_import")
NOTHING_TO_RUN = 5  # pytest's exit status


def files() -> list[Path]:
    """The test files."""
    return sorted(FOLDER.glob("test_*.py"))


def parts_of(file: Path) -> set[str]:
    """The parts of the package that a test file depends on."""
    if file.stem in OF_EVERYTHING:
        return set(PARTS)
    text = f"{file.stem}\n{file.read_text()}"
    found = {name for name, (_, words) in PARTS.items() if re.search(words, text)}
    return found.union(*(BUILT_OF.get(name, ()) for name in found))


def keys(chosen: Sequence[Path]) -> dict[Path, str]:
    """For each test file a fingerprint of all that its results depend on."""
    sources = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".pyi", ".h", ".inl", ".cuh")]
    folders = {name: [PACKAGE / folder for folder in folders] for name, (folders, _) in PARTS.items()}

    def part(path: Path) -> str | None:
        return next((name for name, roots in folders.items() if any(root in path.parents for root in roots)), None)

    shared = [path for path in sources if part(path) is None]
    # The libraries that are installed are made of the sources in Rust.
    shared += [path for path in (site_packages() / "cuox").rglob("*") if ".so" in path.name]
    shared += [
        path
        for path in FOLDER.rglob("*")
        if path.is_file() and not path.name.startswith("test_") and path.suffix != ".pyc"
    ]
    shared.append(ROOT / "pyproject.toml")
    common = fingerprint(shared)
    own = {name: fingerprint(path for path in sources if part(path) == name) for name in PARTS}
    pages = fingerprint(
        path
        for folder in ("docs", "examples", "tools", "crates", "bindings")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".md", ".py", ".cu", ".rs", ".h", ".toml", ".c", ".i") and "target" not in path.parts
    )
    tops = fingerprint(ROOT.glob("*.*"))
    result = {}
    for file in chosen:
        words = [common, *(own[name] for name in sorted(parts_of(file)))]
        if file.stem in OF_EVERYTHING:
            words += [pages, tops]
        result[file] = fingerprint([file], *words)
    return result


def tests(report: Report, chosen: Sequence[Path] | None = None) -> None:
    """Run test files, or all of them, that have not passed as they are."""
    chosen = files() if chosen is None else list(chosen)
    results = Results()
    known_keys = keys(chosen)
    waiting = []
    for file in chosen:
        if known := results.passed(file.name, known_keys[file]):
            report.take_over(file.name, known)
        else:
            waiting.append(file)
    if not waiting:
        return
    found = Counts()
    parallel = ["-n", str(CORES), "--dist", "loadfile", "--no-loadscope-reorder"]
    # A worker of pytest for each core: more threads would be in each other's way.
    steps = {
        "pytest, on all cores": (
            ["-m", "not serial", *parallel],
            {"CUOX_SOFT_THREADS": os.environ.get("CUOX_SOFT_THREADS", "1")},
        ),
        "pytest, tests that need the machine alone": (["-m", "serial"], {}),
    }
    ended = True
    for name, (options, variables) in steps.items():
        with report.step(name):
            ended &= run(report, [*options, *waiting], variables, found)
    for file in waiting:
        passed, failed, skipped = found[file.name]
        if ended and not failed:
            results.keep(file.name, known_keys[file], passed, skipped)
        else:
            results.forget(file.name)


class Counts(defaultdict[str, list[int]]):
    """For each test file the numbers of tests that passed, failed and were skipped."""

    def __init__(self) -> None:
        super().__init__(lambda: [0, 0, 0])


def run(
    report: Report,
    arguments: Sequence[str | Path],
    variables: dict[str, str],
    found: Counts,
    interpreter: str | Path = PYTHON,
) -> bool:
    """Run pytest, count its tests, also by file, and tell whether it came to its end."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "results.xml")
        options = ["--color=no", "-q", "-o", "junit_family=xunit1", f"--junitxml={written}"]
        status, lines = stream([interpreter, "-m", "pytest", *options, *arguments], env={**ENVIRONMENT, **variables})
        try:
            cases = list(ElementTree.parse(written).getroot().iter("testcase"))
        except (OSError, ElementTree.ParseError):
            cases = []
    failed_before = report.failed
    for case in cases:
        children = {child.tag for child in case}
        outcome = 1 if children & {"failure", "error"} else 2 if "skipped" in children else 0
        report.add(*(int(outcome == place) for place in range(3)))
        file = Path(case.get("file") or "").name
        found[file][outcome] += 1
        report.time("pytest", f"{file}::{case.get('name')}", float(case.get("time") or 0))
    report.failures += [f"pytest: {line}" for line in lines if line.startswith(("FAILED ", "ERROR "))]
    report.notes += [f"pytest: {line.strip()}" for line in lines if "CUOX_TESTS=all" in line]
    if status not in (0, NOTHING_TO_RUN) and report.failed == failed_before:  # it crashed, or collected nothing
        report.fail(f"pytest: exit status {status}")
    if not cases and status == NOTHING_TO_RUN:
        say("none")
    return status in (0, 1, NOTHING_TO_RUN)
