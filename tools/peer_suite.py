"""Run a peer's tests file by file, with cuox in the peer's place: what `numba_suite_cuox.py` and `core_suite.py` share.

A name that cuox lacks is left as an object that raises ImportError when it is used, so that the tests of a module that
do without it are still run. Files run in processes of their own; a test that ends its process, or that takes too long,
has failed, and the rest of its file goes on in a new one. Tests that a table leaves out are counted, but not run.
"""

from __future__ import annotations

import ast
import fnmatch
import os
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from case_processes import Cases, DidNotStart, Limits

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
        self.limits = Limits(seconds, float("inf") if memory is None else memory)
        self.environment = environment | {
            "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), environment.get("PYTHONPATH", "")]))
        }

    def file(self, name: str) -> Counted:
        """The outcome of a file."""
        counted = Counted()
        path = self.folder / self.package / name
        tests = defined(path)
        out = {test for test in tests if self.table.reason(name, test)}
        if tests and len(out) == len(tests):
            counted.left_out = len(out)
            return counted

        def chosen(cases: list[str]) -> list[str]:
            out.update(test for test in map(of_file, cases) if self.table.reason(name, test))
            return [case for case in cases if of_file(case) not in out]

        def write(case: dict[str, Any]) -> None:
            test = of_file(case["id"])
            counted.outcomes[test], counted.reasons[test] = case["outcome"], case.get("error", "")

        with tempfile.TemporaryDirectory() as scratch:
            cases = Cases(
                [self.python],
                [
                    *(str(path), f"--rootdir={self.folder}", "-p", "no:cacheprovider", "-p", "no:xdist"),
                    *("-W", "ignore::pytest.PytestCollectionWarning", "--continue-on-collection-errors"),
                ],
                Path(scratch),
                self.limits,
                chosen=chosen,
                write=write,
                environment=self.environment,
                folder=self.folder,
            )
            try:
                cases.run(1)
                broken = next(iter(cases.broken.values()), "")
            except DidNotStart as error:
                broken = str(error)
        if broken:
            missing = [test for test in tests if test not in out and test not in counted.outcomes]
            counted.outcomes.update(dict.fromkeys(missing, "failed"))
            counted.reasons.update(dict.fromkeys(missing, f"not collected: {broken}"))
        counted.left_out = len(out)
        return counted


def of_file(case: str) -> str:
    """The name of a case in its file."""
    return case.partition("::")[2]
