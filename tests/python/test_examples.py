"""Every program in examples/ runs, as a user would start it, on the device that CUOX_DEVICE names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy")

EXAMPLES = sorted(
    path
    for folder in (".", "compute", "numba", "pycuda")
    for path in (Path(__file__).parents[2] / "examples" / folder).glob("*.py")
)
assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example(example: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, example],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
    )
    if result.stderr.startswith("there is no GPU to compare with"):
        pytest.skip(result.stderr.strip())
    assert result.returncode == 0, result.stderr
    assert "correct" in result.stdout or "the same bits" in result.stdout, result.stdout
    if "compute_70" in example.read_text() and "UserWarning" in result.stderr:
        assert "this NVRTC does not support compute_70; it was raised to compute_" in result.stderr
        assert str(example) in result.stderr, "the warning is about the line that named it"
    else:
        assert not result.stderr
