"""PyTorch's cases, run in a process of their own in which nothing has imported PyTorch before: `test_torch*.py`."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

TIME = 300  # seconds for all of them


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=TIME,
        env={**os.environ, "OMP_NUM_THREADS": "1", **variables},
    )


def names_in(cases: Path) -> list[str]:
    """The cases of a file."""
    return re.findall(r"^def (case_\w+)", cases.read_text(), re.MULTILINE)


def results_of(cases: Path, slow: tuple[str, ...]) -> dict[str, str]:
    """What each case said: an empty text if it passed. Skips the test without PyTorch's CUDA build."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("needs PyTorch's CUDA build, which is not installed")
    names = names_in(cases)
    left_out = () if os.environ.get("CUOX_TESTS") == "all" else slow
    ended = python(str(cases), *(name for name in names if name not in left_out))
    lines = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    found = {line["case"]: line["error"] for line in lines}
    if not found and "is a build without CUDA" in ended.stderr:
        pytest.skip("needs PyTorch's CUDA build; a build without CUDA is installed")
    missing = f"did not run: exit status {ended.returncode}\n{ended.stderr[-3000:]}"
    return {name: found.get(name, missing) for name in names}


def parameters(cases: Path, slow: tuple[str, ...]) -> list[Any]:
    """The cases as parameters of a test; those that take long belong to the exhaustive tests."""
    return [pytest.param(name, marks=pytest.mark.exhaustive) if name in slow else name for name in names_in(cases)]


def main(functions: dict[str, Any], names: list[str]) -> None:
    """Run these cases, or all, and print a line of JSON for each."""
    for name, function in list(functions.items()):
        if name.startswith("case_") and (not names or name in names):
            error = ""
            try:
                function()
            except Exception:
                error = traceback.format_exc()
            print(json.dumps({"case": name, "error": error}), flush=True)
