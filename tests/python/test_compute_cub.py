"""Each algorithm of `cuox.cuda.compute` beside CUB's. `tools/compare_with_cub.py` compares more, of more types."""

from __future__ import annotations

import contextlib

import cuox
import exhaustive
import pytest
from ctools import needs_nvcc
from cub_comparison import ALGORITHMS, FEW, Cub, Round, Unsteady, has_cub


@needs_nvcc
@pytest.mark.skipif(not has_cub(), reason="no headers of CUB")
def test_the_results_are_those_of_cub(device: cuox.Device) -> None:
    device.set_current()
    # One pair of types: each costs nvcc ten seconds.
    cub = Cub("int32", "float32", few=not exhaustive.EXHAUSTIVE)
    for algorithm in ALGORITHMS if exhaustive.EXHAUSTIVE else FEW:
        for seed in range(3):
            # Where CUB has other results in another run, there is nothing to compare.
            with contextlib.suppress(Unsteady):
                Round(cub, seed).run(algorithm)
