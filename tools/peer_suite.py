"""Run a peer's tests file by file, with cuox in the peer's place: what `numba_suite_cuox.py` and `core_suite.py` share.

A name that cuox lacks is left as an object that raises ImportError when it is used, so that the tests of a module that
do without it are still run. Files run in processes of their own; a test that ends its process, or that takes too long,
has failed, and the rest of its file goes on in a new one. Tests that a table leaves out are counted, but not run.
"""

from __future__ import annotations

import ast
import fnmatch
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LACKING = '''
class Lacking:
    """A name that cuox lacks; in helper modules decorators of that name do nothing."""

    collecting = False  # as long as tests are collected, if a suite wants that: all are as in helper modules

    def __init__(self, name, quiet=False):
        self.__dict__.update(_name=name, _is_of_helper=quiet)

    _quiet = property(lambda self: self._is_of_helper or Lacking.collecting)

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
PLUGIN = """
import json, os, pytest

_path = os.environ["PEER_SUITE_RESULTS"]
_skip = set(json.loads(os.environ["PEER_SUITE_SKIP"]))
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


def shortened(reason: str) -> str:
    """A reason without the numbers and names that differ from test to test."""
    line = next((line for line in reason.splitlines() if line.strip()), "no reason")
    line = re.sub(r"0x[0-9a-f]+", "0x…", line.strip())
    return re.sub(r"\d{3,}", "…", line)[:150]


def guarded(text: str, quiet: bool, modules: tuple[str, ...], lacking: str) -> str:
    """The text with each import at the top level of modules whose names begin so put into `try`.

    lacking: the module with the class `Lacking`.
    """
    lines = text.split("\n")

    def imports(body: list[ast.stmt]) -> Iterator[ast.ImportFrom]:
        for statement in body:
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(modules):
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
                f"{pad}    from {lacking} import Lacking as _Lacking; {bound} = _Lacking({f'{module}.{name.name}'.removeprefix('cuox.')!r}, {quiet})"
            ]
        lines[statement.lineno - 1 : statement.end_lineno] = new
    return "\n".join(lines)


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

    def __init__(
        self,
        folder: Path,
        package: str,
        python: str,
        table: Table,
        *,
        seconds: int,
        environment: dict[str, str],
        memory: int | None = None,
    ) -> None:
        self.folder, self.package, self.python, self.table = folder, package, python, table
        self.seconds, self.memory = seconds, memory
        (folder / "peer_suite_plugin.py").write_text(PLUGIN)
        self.environment = environment | {
            "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), environment.get("PYTHONPATH", "")]))
        }

    def file(self, name: str) -> Counted:
        """The outcome of a file."""
        counted = Counted()
        tests = defined(self.folder / self.package / name)
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

    def limit(self) -> None:
        """Bound the address space of a process, in bytes."""
        if self.memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))

    def process(self, name: str, skipped: list[str]) -> tuple[list[dict[str, str]], str]:
        """One process: its lines, and how it ended."""
        with tempfile.TemporaryDirectory() as scratch:
            results = Path(scratch) / "results"
            results.touch()
            surroundings = self.environment | {
                "PEER_SUITE_RESULTS": str(results),
                "PEER_SUITE_SKIP": json.dumps(skipped),
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
                "-p",
                "peer_suite_plugin",
                "--tb=line",
                f"--rootdir={self.folder}",
                "-W",
                "ignore::pytest.PytestCollectionWarning",
            ]
            with (Path(scratch) / "output").open("w+b") as output:
                child = subprocess.Popen(
                    [*command, str(self.folder / self.package / name)],
                    cwd=self.folder,
                    env=surroundings,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                    preexec_fn=self.limit,
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
