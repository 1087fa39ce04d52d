"""Results that are taken over: of tests that have passed, for as long as all that they depend on is unchanged.

A fresh clone has none; `make clean` removes them, and `make test FRESH=1` does not look at them.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from pathlib import Path

from .process import ROOT

FILE = ROOT / "target" / "test-results.json"
VARIABLES = "CUOX_"


def fingerprint(paths: Iterable[Path], *words: str) -> str:
    """A hash of files (their names and bytes), of words, and of what every test depends on: the machine's kind and
    the variables that steer cuox.
    """
    digest = hashlib.blake2b(digest_size=16)
    variables = sorted(item for item in os.environ.items() if item[0].startswith(VARIABLES))
    for word in (platform.platform(), _processor(), *map(repr, variables), *words):
        digest.update(word.encode() + b"\0")
    for path in sorted(set(paths)):
        digest.update(str(path).encode() + b"\0")
        if path.is_file():
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
    return digest.hexdigest()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return "".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


class Results:
    """The tests that have passed: for a name, the fingerprint of their inputs and how many passed and were skipped."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, int, int]] = {}
        if not os.environ.get("FRESH"):
            try:
                self.known = {name: tuple(row) for name, row in json.loads(FILE.read_text()).items()}
            except (OSError, ValueError, TypeError, AttributeError):
                self.known = {}

    def passed(self, name: str, key: str) -> tuple[int, int] | None:
        """How many tests passed and were skipped under this name with these inputs; None if they did not pass."""
        row = self.known.get(name)
        return (row[1], row[2]) if row and row[0] == key else None

    def keep(self, name: str, key: str, passed: int, skipped: int) -> None:
        """Note that tests have passed."""
        self.known[name] = (key, passed, skipped)
        self._write()

    def forget(self, name: str) -> None:
        """Note that tests have failed."""
        if self.known.pop(name, None):
            self._write()

    def _write(self) -> None:
        FILE.parent.mkdir(exist_ok=True)
        fresh = FILE.with_suffix(".new")
        fresh.write_text(json.dumps(self.known))
        os.replace(fresh, FILE)
