"""Kernels in Python and the CUDA C++ that they become: `kernels/*.py` beside `kernels/*.cu`. `CUOX_BLESS=1` writes the
`.cu` files anew.

A file has one function named `kernel`, and above it a comment with the types of its arguments; if options are wanted,
another above that.
"""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import cuox
import pytest
from cuox._internal.kernel_environment import Environment
from cuox._native import _translate

FILES = sorted((Path(__file__).parent / "kernels").glob("*.py"))
HEAD = re.compile(r"(?:^# (?P<options>\w+=.*)\n)?^# \((?P<types>.*)\)\ndef kernel\(", re.MULTILINE)


def split(types: str) -> list[str]:
    """Type codes between commas, but those inside of parentheses."""
    found, depth = [""], 0
    for letter in types:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [code.strip() for code in found]


def translated(file: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"kernels_{file.stem}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    head = HEAD.search(file.read_text("utf-8"))
    assert head, f"{file.name}: no types above kernel()"
    given = (item.split("=") for item in (head["options"] or "").split())
    options = {name: value == "True" if value in ("True", "False") else int(value) for name, value in given}
    return _translate(Environment(module.kernel), split(head["types"]), **options)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_text_of_a_kernel(file: Path) -> None:
    made = translated(file)
    text = made.text.replace(str(file), file.name)
    expected = file.with_suffix(".cu")
    if os.environ.get("CUOX_BLESS"):
        expected.write_text(text, "utf-8")
    assert expected.exists(), f"{expected.name} is missing: CUOX_BLESS=1 writes it"
    assert text == expected.read_text("utf-8"), (
        f"{file.name} becomes other CUDA C++ than {expected.name} has: CUOX_BLESS=1 writes it anew"
    )
    ptx = cuox.Program(made.source, f"{file.stem}.cu").compile("ptx", options=["--std=c++17", "-default-device"])
    assert f".entry {made.symbol}".encode() in ptx.code


def test_every_text_has_a_kernel() -> None:
    assert {file.stem for file in FILES} == {file.stem for file in FILES[0].parent.glob("*.cu")}
