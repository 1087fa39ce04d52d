"""Run numba-cuda's own tests with `cuox.numba.cuda` in its place: `python tools/numba_suite.py --cuox`.

The tests' folder is copied to a temporary package whose imports name cuox instead. A name that cuox lacks is left as an
object that raises ImportError when it is used, so that the tests of a module that do without it are still run. Files
run in processes of their own; a test that ends its process, or that takes too long, has failed, and the rest of its
file goes on in a new one. Tests that the table leaves out are counted, but not run.
"""

from __future__ import annotations

import ast
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

PARTS = ["cudapy", "cudadrv", "nocuda", "doc_examples"]
PACKAGE = "numba_tests"
TABLE = Path(__file__).with_suffix("").with_name("numba_suite.toml")

# In this order: the tests' own modules first, then the rest of the peer.
RENAMED = [
    (r"\bnumba\.cuda\.tests\b", PACKAGE),
    (r"\bnumba\.cuda\.testing\b", f"{PACKAGE}.testing"),
    (r"\bnumba\.cuda\._compat\b", f"{PACKAGE}._compat"),
    (r"\bnumba\.core\.errors\b", "cuox.numba.cuda.core.errors"),
    (r"\bfrom cuda\.core\._utils\.cuda_utils import CUDAError\b", "from cuox import CUDAError"),
    (r"\bfrom cuda\.core\._utils\.cuda_utils import NVRTCError\b", "from cuox import CompileError as NVRTCError"),
    (r"\bfrom cuda\.core import\b", "from cuox.cuda.core import"),
    (r"\bfrom numba\.core import\b", "from cuox.numba import"),
    (r"\bfrom numba import\b", "from cuox.numba import"),
    (r"^(\s*)import numba\s*$", r"\1import cuox.numba as numba"),
    (r"(?<![\w./])numba\.cuda\b", "cuox.numba.cuda"),
    (r"^(\s*)from numba\.", r"\1from cuox.numba."),
    (r"\bcffi_utils\.SUPPORTED\b", '(__import__("importlib.util").util.find_spec("cffi") is not None)'),
]

# What of a test case the peer's support module has and cuox's does not: exact comparisons.
TESTING = """
from cuox.numba.cuda import testing as _testing
from cuox.numba.cuda.testing import *
from . import support as _support
from pathlib import Path as _Path

globals().update({name: value for name, value in vars(_testing).items() if not name.startswith("__")})
test_data_dir = _Path(__file__).parent / "data"

class CUDATestCase(_support.TestCase, _testing.CUDATestCase):
    FLOAT16_RTOL = 0.000977
"""

LACKING = '''
class Lacking:
    """A name that cuox lacks; in helper modules decorators of that name do nothing."""

    def __init__(self, name, quiet=False):
        self.__dict__.update(_name=name, _quiet=quiet)

    def _raise(self):
        raise ImportError(f"there is no {self._name} here")

    def __getattr__(self, name):
        if self._quiet and not name.startswith("__"):
            return Lacking(f"{self._name}.{name}", True)
        if name.startswith("__"):
            raise AttributeError(name)
        self._raise()

    def __call__(self, *args, **kwargs):
        if not self._quiet:
            self._raise()
        # `@overload(kind)` names a class: it is not the decorated function.
        decorated = len(args) == 1 and callable(args[0]) and not isinstance(args[0], (type, Lacking))
        return args[0] if decorated else Lacking(f"{self._name}()", True)

    def __iter__(self):
        return iter(())

    def __sub__(self, other):
        return 0 if self._quiet else self._raise()

    def __ge__(self, other):
        return True if self._quiet else self._raise()

    def __bool__(self):
        return False if self._quiet else self._raise()

    def __mro_entries__(self, bases):
        return () if self._quiet else self._raise()
'''

# Writes a line for each test as soon as it is known; `begin` lines show the test that a process ended in.
CONFTEST = """
import json, os, pytest

_path = os.environ["NUMBA_SUITE_RESULTS"]
_skip = set(json.loads(os.environ["NUMBA_SUITE_SKIP"]))
_name = lambda item: item.nodeid.split("::", 1)[1]

def _write(**line):
    with open(_path, "a") as file:
        file.write(json.dumps(line) + "\\n")

def pytest_collection_modifyitems(items):
    kept = [item for item in items if _name(item) not in _skip]
    _write(collected=[_name(item) for item in items])
    items[:] = kept

def pytest_collectreport(report):
    if report.failed:
        _write(error=str(report.longrepr))

def pytest_runtest_logstart(nodeid, location):
    _write(begin=nodeid.split("::", 1)[1])

def pytest_runtest_logreport(report):
    # Reports of `with self.subTest(...)` go past the other hook.
    if report.failed and type(report).__name__ in ("SubtestReport", "SubTestReport"):
        _write(test=report.nodeid.split("::", 1)[1], outcome="subtest failed", reason=str(report.longrepr).strip().split("\\n")[-1])

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" or report.outcome != "passed":
        reason, outcome = "", report.outcome
        if report.skipped:
            reason = str(getattr(report, "wasxfail", "")) or str(report.longrepr[-1] if isinstance(report.longrepr, tuple) else "")
        elif report.failed:
            if str(report.longrepr).startswith("Unexpected success"):
                outcome = "passed"
            elif call.excinfo is not None:
                reason = call.excinfo.exconly().strip()
            else:
                reason = str(report.longrepr)
        _write(test=_name(item), outcome=outcome, reason=reason[:2000])
"""


@dataclass
class Counted:
    """The outcome of a file."""

    outcomes: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    left_out: int = 0

    def count(self, outcome: str) -> int:
        return sum(one == outcome for one in self.outcomes.values())


def guarded(text: str, quiet: bool) -> str:
    """The text with each import of cuox's modules at the top level put into `try`."""
    lines = text.split("\n")

    def imports(body: list[ast.stmt]) -> Iterator[ast.ImportFrom]:
        for statement in body:
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(
                ("cuox.numba", "llvmlite")
            ):
                yield statement
            elif isinstance(statement, ast.If):
                yield from imports(statement.body)
                yield from imports(statement.orelse)

    for statement in reversed(list(imports(ast.parse(text).body))):
        pad = " " * statement.col_offset
        new = []
        for name in statement.names:
            bound, module = name.asname or name.name, statement.module
            new += [
                f"{pad}try:",
                f"{pad}    from {module} import {name.name} as {bound}",
                f"{pad}except (ImportError, AttributeError):",
            ]
            new += [
                f"{pad}    from {PACKAGE}._lacking import Lacking as _Lacking; {bound} = _Lacking({f'{module}.{name.name}'.removeprefix('cuox.')!r}, {quiet})"
            ]
        lines[statement.lineno - 1 : statement.end_lineno] = new
    return "\n".join(lines)


def translated(text: str, quiet: bool) -> str:
    """The source of a module of tests with its imports changed."""
    for pattern, replacement in RENAMED:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    future = [line for line in text.split("\n") if line.startswith("from __future__")]
    return "\n".join([*future, guarded("\n".join("" if line in future else line for line in text.split("\n")), quiet)])


def tests_folder(given: Path, scratch: Path) -> Path:
    """The folder `tests` of a wheel, of an unpacked or installed one, or the folder itself."""
    if given.suffix == ".whl":
        with zipfile.ZipFile(given) as archive:
            archive.extractall(scratch, [name for name in archive.namelist() if "numba/cuda/tests/" in name])
        given = scratch
    if (given / "cudapy").is_dir():
        return given
    for folder in ["numba_cuda/numba/cuda/tests", "numba/cuda/tests", "cuda/tests", "tests"]:
        if (given / folder / "cudapy").is_dir():
            return given / folder
    raise SystemExit(
        f"{given}: expected the wheel of numba-cuda, a folder that it is unpacked in, or its folder `tests`"
    )


def copied(tests: Path, target: Path) -> None:
    """The package with changed imports."""
    shutil.copytree(tests, target, ignore=shutil.ignore_patterns("__pycache__"))
    for path in target.rglob("*.py"):
        # Modules that tests share register types when they are imported, which few of those tests are about.
        quiet = not path.name.startswith("test_")
        path.write_text(translated(path.read_text(), quiet))
    (target / "__init__.py").write_text(
        "def load_testsuite(loader, dir):\n    raise ImportError('for unittest only')\n"
    )
    (target / "testing.py").write_text(TESTING)
    (target / "_compat.py").write_text(
        "import cuda.core\nCUDA_CORE_GE_1_0 = int(cuda.core.__version__.split('.')[0]) >= 1\n"
    )
    (target / "_lacking.py").write_text(LACKING)
    (target / "conftest.py").write_text(CONFTEST)


def defined(path: Path) -> list[str]:
    """The tests that a file has, by its text: those of base classes elsewhere are missing."""
    names = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            names.append(node.name)
        if isinstance(node, ast.ClassDef):
            names += [
                f"{node.name}::{inner.name}"
                for inner in node.body
                if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test")
            ]
    return names


class Table:
    """The tests that are left out, with reasons."""

    def __init__(self, path: Path) -> None:
        self.rules = [
            (pattern, rule["reason"])
            for rule in tomllib.loads(path.read_text())["left-out"]
            for pattern in rule["tests"]
        ]
        self.used: Counter[str] = Counter()

    def reason(self, file: str, test: str) -> str | None:
        """Why a test is left out; None for one that counts."""
        name = f"{file}::{test.partition('[')[0]}"
        for pattern, reason in self.rules:
            if pattern == file or fnmatch.fnmatchcase(name, pattern) or name.startswith(f"{pattern}::"):
                self.used[pattern] += 1
                return str(reason)
        return None


class Suite:
    """The runs of all files."""

    def __init__(self, folder: Path, python: str, table: Table, seconds: int, environment: dict[str, str]) -> None:
        self.folder, self.python, self.table, self.seconds, self.environment = (
            folder,
            python,
            table,
            seconds,
            environment,
        )

    def file(self, name: str) -> Counted:
        """The outcome of a file."""
        counted = Counted()
        tests = defined(self.folder / PACKAGE / name)
        out = {test for test in tests if self.table.reason(name, test)}
        if tests and len(out) == len(tests):
            counted.left_out = len(out)
            return counted
        collected: list[str] | None = None
        stopped, broken = 0, ""
        parts: dict[str, str] = {}
        while True:
            lines, ended = self.process(name, [*out, *counted.outcomes])
            running = None
            for line in lines:
                if "error" in line:
                    broken = line["error"].strip().split("\n")[-1].removeprefix("E").strip()
                elif "collected" in line and collected is None:
                    collected = line["collected"]
                elif "begin" in line:
                    running = line["begin"]
                elif line.get("outcome") == "subtest failed":
                    parts[line["test"]] = line["reason"]
                elif "test" in line:
                    if line["test"] in parts and line["outcome"] == "passed":
                        line |= {"outcome": "failed", "reason": f"a part of it: {parts[line['test']]}"}
                    counted.outcomes[line["test"]], counted.reasons[line["test"]] = line["outcome"], line["reason"]
                    running = None
            if broken or collected is None:
                counted.outcomes.update({test: "failed" for test in tests if test not in out})
                counted.reasons.update(dict.fromkeys(counted.outcomes, f"not collected: {broken or ended}"))
                break
            out |= {test for test in collected if self.table.reason(name, test)}
            for test in out & set(counted.outcomes):
                del counted.outcomes[test], counted.reasons[test]
            rest = [test for test in collected if test not in out and test not in counted.outcomes]
            if not rest:
                break
            stopped += 1
            lost = [running] if running in rest and stopped < 25 else rest
            counted.outcomes.update(dict.fromkeys(lost, "failed"))
            counted.reasons.update(dict.fromkeys(lost, ended))
        counted.left_out = len(out)
        return counted

    def process(self, name: str, skipped: list[str]) -> tuple[list[dict[str, str]], str]:
        """One process: its lines, and how it ended."""
        with tempfile.TemporaryDirectory() as scratch:
            results = Path(scratch) / "results"
            results.touch()
            surroundings = self.environment | {
                "NUMBA_SUITE_RESULTS": str(results),
                "NUMBA_SUITE_SKIP": json.dumps(skipped),
            }
            command = [
                self.python,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
                "--tb=line",
                f"--rootdir={self.folder}",
                "-W",
                "ignore::pytest.PytestCollectionWarning",
            ]
            with (Path(scratch) / "output").open("w+b") as output:
                child = subprocess.Popen(
                    [*command, str(self.folder / PACKAGE / name)],
                    cwd=self.folder,
                    env=surroundings,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
                size, since, ended = -1, time.monotonic(), ""
                while child.poll() is None:
                    time.sleep(0.05)
                    if results.stat().st_size != size:
                        size, since = results.stat().st_size, time.monotonic()
                    elif time.monotonic() - since > self.seconds:
                        ended = f"took more than {self.seconds} s"
                        os.killpg(child.pid, signal.SIGKILL)
                        child.wait()
                output.seek(0)
                said = output.read().decode(errors="replace")
            if not ended:
                errors = [line for line in said.split("\n") if line.startswith("E ") or "Error: " in line]
                ended = (
                    f"ended with status {child.returncode}"
                    if child.returncode not in (1, 2) or not errors
                    else errors[-1].removeprefix("E").strip()
                )
            return [json.loads(line) for line in results.read_text().splitlines()], ended


def run(
    given: Path,
    python: str,
    parts: list[str],
    *,
    memory: str,
    processes: int,
    seconds: int,
    gpu: bool,
    verbose: bool,
    report: Path | None,
) -> int:
    """Run the parts, print a table. 0 if at least nine of ten tests passed."""
    table = Table(TABLE)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "suite"
        folder.mkdir()
        copied(tests_folder(given, Path(scratch)), folder / PACKAGE)
        names = []
        for part in parts:
            path = part.replace(".", "/")
            found = sorted((folder / PACKAGE / path).glob("test_*.py")) or [
                folder / PACKAGE / f"{path.removesuffix('/py')}.py"
            ]
            names += [str(one.relative_to(folder / PACKAGE)) for one in found]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
        }
        if not gpu:
            environment |= {"CUOX_SOFT_MEMORY": memory, "CUOX_DEVICE": "soft"}
        suite = Suite(folder, python, table, seconds, environment)
        with ThreadPoolExecutor(processes) as pool:
            files = {}
            print(f"{'file':44} {'passed':>7} {'failed':>7} {'skipped':>8} {'left out':>9}", flush=True)
            for name, counted in zip(names, pool.map(suite.file, names), strict=True):
                files[name] = counted
                print(
                    f"{name:44} {counted.count('passed'):7} {counted.count('failed'):7} {counted.count('skipped'):8} {counted.left_out:9}",
                    flush=True,
                )
                if verbose:
                    for test, outcome in counted.outcomes.items():
                        if outcome == "failed":
                            print(f"    {test}: {(counted.reasons[test].splitlines() or [''])[0][:220]}", flush=True)
    passed, failed, skipped = (
        sum(one.count(outcome) for one in files.values()) for outcome in ("passed", "failed", "skipped")
    )
    print(f"{'all':44} {passed:7} {failed:7} {skipped:8} {sum(one.left_out for one in files.values()):9}")
    share = passed / max(passed + failed, 1)
    print(f"{share:.1%} of the tests that count passed")
    if set(parts) == set(PARTS):
        for pattern, _ in table.rules:
            if not table.used[pattern]:
                print(f"{TABLE.name}: no test matches {pattern!r}", file=sys.stderr)
    if report is not None:
        report.write_text(
            json.dumps(
                {
                    name: {"outcomes": one.outcomes, "reasons": one.reasons, "left_out": one.left_out}
                    for name, one in files.items()
                },
                indent=1,
            )
        )
    return 0 if share >= 0.9 else 1
