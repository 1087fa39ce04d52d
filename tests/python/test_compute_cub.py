"""Each algorithm of `cuox.cuda.compute` beside CUB's. `tools/compare_with_cub.py` compares more, of more types."""

from __future__ import annotations

from pathlib import Path

import cuox
import pytest
from ctools import needs_nvcc
from cub_comparison import ALGORITHMS, Cub, Round
from cuox._native import cuda_include_dirs


def has_cub() -> bool:
    """True if CUB's headers are where nvcc's are."""
    return any(Path(folder, "cub", "version.cuh").exists() for folder in cuda_include_dirs())


@needs_nvcc
@pytest.mark.skipif(not has_cub(), reason="no headers of CUB")
def test_the_results_are_those_of_cub(device: cuox.Device) -> None:
    device.set_current()
    # One pair of types: each costs nvcc ten seconds.
    cub = Cub("int32", "float32")
    for algorithm in ALGORITHMS:
        for seed in range(3):
            Round(cub, seed).run(algorithm)
