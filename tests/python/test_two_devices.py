"""Two devices: copies between them, and launches with memory of the other. Each program is a process of its own, since
the number of software devices is read when the driver is made."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import cuox
import pytest

PROGRAM = Path(__file__).with_name("two_devices.py")
NAMES = [
    node.name
    for node in ast.parse(PROGRAM.read_text()).body
    if isinstance(node, ast.FunctionDef) and not node.args.args and node.name != "arrays"
]


@pytest.mark.parametrize("name", NAMES)
def test_program(name: str) -> None:
    if not cuox.Device().is_soft and len(cuox.Device.get_all_devices()) < 2:
        pytest.skip("needs two GPUs")
    run = subprocess.run(
        [sys.executable, PROGRAM, name],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "CUOX_SOFT_DEVICES": "2"},
    )
    assert run.stdout == "right\n", run.stderr[-3000:]
