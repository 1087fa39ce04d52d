"""`tools/torch_opinfo.py`: PyTorch's operators beside the CPU's, and beside a GPU's record."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
RECORD = Path(__file__).with_name("data") / "torch_opinfo_h200.json.gz"


def run(*arguments: str) -> str:
    for package in ("torch", "numpy", "expecttest"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"needs {package}, which is not installed")
    tool = str(TOOLS / "torch_opinfo.py")
    return subprocess.run([sys.executable, tool, *arguments], capture_output=True, text=True, timeout=1200).stdout


@pytest.fixture
def soft(device: Any) -> None:
    if not device.is_soft:
        pytest.skip("beside the CPU a GPU's values have other last bits")


def test_operators_are_as_on_the_cpu(soft: None) -> None:
    told = run("--names", "add,linalg_svd,fft_hfft2,addmm")
    assert told.splitlines()[-1] == "15 passed, 0 failed, 0 crashed", told


@pytest.mark.exhaustive
def test_operators_are_as_recorded_on_a_gpu(soft: None) -> None:
    if importlib.util.find_spec("torch") and not metadata.version("torch").startswith("2.11."):
        pytest.skip("the record is of PyTorch 2.11")
    told = run("--compare", str(RECORD))
    assert told.splitlines()[-2:] == [
        "scatter_reduce_prod bool sample 0: call: error None, NotImplementedError on a GPU",
        "498 passed, 1 failed, 0 crashed",
    ], told


def test_differences_from_a_record_are_told(tmp_path: Path) -> None:
    sys.path.insert(0, str(TOOLS))
    try:
        facts = importlib.import_module("torch_opinfo_facts")
    finally:
        sys.path.remove(str(TOOLS))
    tensor = {
        "device": "cuda",
        "dtype": "float32",
        "layout": "strided",
        "shape": [1, 3],
        "strides": [3, 1],
        "bits": [False, False],
        "arguments": [0],
        "results": [],
    }
    sample = {"call": {"results": [tensor]}, "out": {"results": [tensor], "kept": [True, True]}, "gradcheck": True}

    def told(**changes: Any) -> str:
        return str(facts.difference([json.loads(json.dumps({**sample, **changes}))], [sample]))

    assert told() == ""
    assert told(call={"results": [{**tensor, "strides": [7, 1]}]}) == ""  # of one element: it addresses nothing
    assert "strides of (1, 3) [None, 2], [None, 1]" in told(call={"results": [{**tensor, "strides": [3, 2]}]})
    assert "call: dtype float64, float32" in told(call={"results": [{**tensor, "dtype": "float64"}]})
    assert "call: arguments [], [0]" in told(call={"results": [{**tensor, "arguments": []}]})
    assert "out: kept [True, False], [True, True]" in told(out={"results": [tensor], "kept": [True, False]})
    assert "error TypeError, None on a GPU" in told(call={"error": "TypeError"})
    assert "gradcheck fails" in told(gradcheck=False)
    assert "0 samples, 1 in the record" in facts.difference([], [sample])
