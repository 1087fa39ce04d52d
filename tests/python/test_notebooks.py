"""The notebooks of the examples run, and their outputs are current."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import cuox
import pytest
from ctools import needs_nvcc
from exhaustive import mark
from notebook_shell import make_shell, run_cell

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
assert len(NOTEBOOKS) == 7


def test_the_page_lists_them() -> None:
    page = (ROOT / "examples" / "notebooks" / "README.md").read_text()
    assert re.findall(r"\]\((.*\.ipynb)\)", page) == [file.name for file in NOTEBOOKS]


@needs_nvcc
def test_the_first_notebook(
    tmp_path: Path, device: cuox.Device, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not device.is_soft:
        pytest.skip("its outputs are those of the software GPU")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUOX_DEVICE", "soft")
    shell = make_shell(tmp_path)
    for cell in json.loads(NOTEBOOKS[0].read_text())["cells"]:
        # A shell's own commands write past Python.
        text = "".join(cell["source"]).replace("!cuox", "#")
        if cell["cell_type"] == "markdown" or (text == "kernels" and run_cell(shell, text) is None):
            continue
        capsys.readouterr()
        assert run_cell(shell, text) is None
        streams = "".join("".join(one["text"]) for one in cell["outputs"] if one["output_type"] == "stream")
        if "nvidia-smi" not in text:
            assert capsys.readouterr().out == streams


@mark
@needs_nvcc
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(notebook: Path) -> None:
    for needed in ("nbclient", "ipykernel", *(["clang"] if "bind" in notebook.name else [])):
        pytest.importorskip(needed)
    said = subprocess.run(
        [sys.executable, ROOT / "tools" / "notebooks.py", "--check", notebook],
        env={**os.environ, "CUOX_DEVICE": "soft"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert said.returncode == 0, said.stderr
