"""Random functions with effects in expressions and values that change under names, in kernels and in CPython."""

from __future__ import annotations

import exhaustive
import pytest
import random_effects

FIRST, PROGRAMS = 100, 60


@pytest.mark.parametrize("first", range(FIRST, FIRST + exhaustive.rounds(PROGRAMS, 3_000), random_effects.TOGETHER))
def test_random_functions_with_effects(first: int) -> None:
    wrong = random_effects.run(range(first, first + random_effects.TOGETHER))
    assert not wrong, "\n\n".join(f"seed {seed}: {text}" for seed, text in wrong.items())
