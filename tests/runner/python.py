"""The tests of the built wheel, by pytest: on all cores, and then those that need the machine alone."""

from __future__ import annotations

import functools
import os
import re
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from .build import site_packages
from .process import CORES, ENVIRONMENT, PYTHON, ROOT, say, stream
from .report import Report
from .results import OF_PYTEST, Results, fingerprint, repository

FOLDER = ROOT / "tests" / "python"
# Names that the bindings had.
FORMER = ("cuda", "cudart", "nvrtc")
# Front ends: parts of the package that nothing else in it imports, and words of which each test file about one has
# some. All test files depend on the rest of the package. tests/python/test_runner.py compares this with the imports.
PARTS = {
    "numba": (("numba",), r"numba|xoroshiro|pykernel"),
    "pycuda": (("pycuda",), r"pycuda"),
    "compute": (("cuda/compute", "cuda/cccl", "cuda/coop"), r"compute|cccl|coop|cub_comparison"),
    "graphs": (
        ("_internal/graphs", "cuda/core/graph", "_internal/textures", "cuda/core/texture"),
        r"graph|texture",
    ),
    "core": (
        (
            "cuda/core/__init__.py",
            "cuda/core/system",
            "cuda/core/utils",
            "_internal/memory",
            "_internal/program_caches",
            "_internal/driver_calls.py",
            "_internal/linking.py",
            "_internal/nvvm_program.py",
            "_internal/program_handle.py",
            "_internal/ptx_program.py",
            "_internal/idle_free.py",
            "_internal/tensor_maps.py",
            "cuda/core/_tensor_map.py",
        ),
        r"cuda.core|\bcore\b|MemoryResource|[Mm]anaged|StridedMemoryView|ProgramCache|copy_to\b|copy_from\b",
    ),
    "bindings": (
        (
            "cuda/bindings",
            "_internal/driver_link.py",
            "_internal/nvvm_program.py",
            *(f"cuda/{name}.py" for name in FORMER),
        ),
        r"bindings|cudart",
    ),
    "torch": (("torch",), r"cuox\.torch|torch_cases|torch_kernel_cases|torch_extensions|torch_opinfo"),
}
# The parts that a part is built of.
BUILT_OF = {
    "compute": ("numba", "bindings"),
    "core": ("bindings",),
    "graphs": ("bindings", "core"),
    "numba": ("bindings",),
    "pycuda": ("bindings",),
}
# Test files of the package as a whole.
OF_EVERYTHING = ("test_package", "test_numba_import")
# In the text of test files that read other files of the project than those beside them.
OF_THE_PROJECT = re.compile(r"\bparents\[|^\s*(?:import|from) pages\b", re.MULTILINE)
NOTHING_TO_RUN = 5  # pytest's exit status


def files() -> list[Path]:
    """The test files."""
    return sorted(FOLDER.glob("test_*.py"))


@functools.cache
def with_helpers(file: Path) -> tuple[Path, ...]:
    """A test file, conftest.py, and the modules beside them that they import, and these import."""
    found: list[Path] = []
    waiting = [file, FOLDER / "conftest.py"]
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file():
            found.append(path)
            lines = re.findall(r"^[ \t]*(?:import|from)\b(.*)", path.read_text(), re.MULTILINE)
            waiting += [FOLDER / f"{name}.py" for line in lines for name in re.findall(r"\w+", line)]
    return tuple(found)


def text_of(file: Path) -> str:
    """The text of a test file and of what it imports, with their names."""
    return "\n".join(f"{path.stem}\n{path.read_text()}" for path in with_helpers(file))


def reads_the_project(file: Path) -> bool:
    """Tell whether a test file reads files of the project that lie elsewhere."""
    return bool(OF_THE_PROJECT.search(text_of(file)))


def parts_of(file: Path) -> set[str]:
    """The parts of the package that a test file depends on."""
    if file.stem in OF_EVERYTHING or reads_the_project(file):
        return set(PARTS)
    text = text_of(file)
    return with_what_they_are_built_of(name for name, (_, words) in PARTS.items() if re.search(words, text))


def with_what_they_are_built_of(names: Iterable[str]) -> set[str]:
    """Parts of the package and those that they import."""
    found = set(names)
    while more := {other for name in found for other in BUILT_OF.get(name, ())} - found:
        found |= more
    return found


def part(path: Path) -> str | None:
    """The part of the package that a file of it belongs to, by its path in the package."""
    for name, (folders, _) in PARTS.items():
        if any(path.is_relative_to(folder) for folder in folders):
            return name
    return None


def files_of(package: str) -> list[Path]:
    """The files of an installed package."""
    return [path for path in (site_packages() / package).rglob("*") if path.is_file() and path.suffix != ".pyc"]


def keys(chosen: Sequence[Path]) -> dict[Path, str]:
    """For each test file a fingerprint of all that its results depend on."""
    # The packages that the tests import, with their libraries: what was built, whatever the sources are by now.
    package = site_packages() / "cuox"
    by_part: dict[str | None, list[Path]] = defaultdict(list)
    for path in files_of("cuox"):
        by_part[part(path.relative_to(package))].append(path)
    helpers = [
        path
        for path in FOLDER.rglob("*")
        if path.is_file() and not path.name.startswith("test_") and path.suffix != ".pyc"
    ]
    others = [path for name in ("pytest_cuox", "torch_cuox", "cuox_bind") for path in files_of(name)]
    common = fingerprint([*by_part[None], *others, *helpers, ROOT / "pyproject.toml"])
    own = {name: fingerprint(by_part[name]) for name in PARTS}
    project = fingerprint(repository()) if any(map(reads_the_project, chosen)) else ""
    result = {}
    for file in chosen:
        words = [common, *(own[name] for name in sorted(parts_of(file)))]
        if reads_the_project(file):
            words.append(project)
        result[file] = fingerprint(with_helpers(file), *words)
    return result


def tests(report: Report, chosen: Sequence[Path] | None = None) -> None:
    """Run test files, or all of them, that have not passed as they are."""
    chosen = files() if chosen is None else list(chosen)
    results = Results()
    known_keys = keys(chosen)
    # pytest is told to run others by a variable: what then passes says nothing about the files.
    whole = not any(os.environ.get(name) for name in OF_PYTEST)
    waiting = []
    for file in chosen:
        if whole and (known := results.passed(file.name, known_keys[file])):
            report.take_over(file.name, known)
        else:
            waiting.append(file)
    found = Counts()

    def ended(done: Sequence[Path], in_order: bool) -> None:
        now = keys(done)
        for file in done:
            passed, failed, skipped = found[file.name]
            if not in_order or failed:
                results.forget(file.name)
            elif whole and now[file] == known_keys[file]:  # else something was changed while they ran
                results.keep(file.name, known_keys[file], passed, skipped)

    alone = [file for file in waiting if has_serial(file)]
    if waiting:
        in_order = on_all_cores(report, waiting, found)
        # Those that have a second part are kept after it.
        ended([file for file in waiting if file not in alone or not in_order], in_order)
        if alone:
            ended(alone, in_order & by_themselves(report, alone, found))


def has_serial(file: Path) -> bool:
    """Tell whether some tests of a file are marked as those that need the machine alone."""
    return re.search(r"\bserial\b", file.read_text()) is not None


class Counts(defaultdict[str, list[int]]):
    """For each test file the numbers of tests that passed, failed and were skipped."""

    def __init__(self) -> None:
        super().__init__(lambda: [0, 0, 0])


def on_all_cores(
    report: Report, chosen: Sequence[Path], found: Counts, variables: dict[str, str] | None = None, title: str = ""
) -> bool:
    """Run the tests of files that do not need the machine alone; tell whether pytest came to its end."""
    parallel = ["-m", "not serial", "-n", str(CORES), "--dist", "loadfile", "--no-loadscope-reorder"]
    # A worker of pytest for each core: more threads would be in each other's way. NumPy's would wait in busy loops.
    threads = {name: os.environ.get(name, "1") for name in ("CUOX_SOFT_THREADS", "OPENBLAS_NUM_THREADS")}
    with report.step(f"pytest{title}, on all cores"):
        return run(report, [*parallel, *chosen], {**threads, **(variables or {})}, found)


def by_themselves(
    report: Report, chosen: Sequence[Path], found: Counts, variables: dict[str, str] | None = None, title: str = ""
) -> bool:
    """Run the tests of files that need the machine alone; tell whether pytest came to its end."""
    with report.step(f"pytest{title}, tests that need the machine alone"):
        return run(report, ["-m", "serial", *chosen], variables or {}, found)


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
        # Most of the time of collecting goes into assertions, whose code pytest keeps unless Python is told not to.
        keep = {"PYTHONDONTWRITEBYTECODE": ""}
        environment = {**ENVIRONMENT, **keep, **variables}
        status, lines = stream([interpreter, "-m", "pytest", *options, *arguments], env=environment)
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
    if "CUOX_TESTS" not in variables:  # a run of the default size on purpose leaves out what another one has run
        report.notes += [f"pytest: {line.strip()}" for line in lines if "CUOX_TESTS=all" in line]
    if status not in (0, NOTHING_TO_RUN) and report.failed == failed_before:  # it crashed, or collected nothing
        report.fail(f"pytest: exit status {status}")
    if not cases and status == NOTHING_TO_RUN:
        say("none")
    return status in (0, 1, NOTHING_TO_RUN)
