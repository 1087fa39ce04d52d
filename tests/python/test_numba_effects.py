"""Random functions with effects in expressions and values that change under names, in kernels and in CPython."""

from __future__ import annotations

import exhaustive
import pytest
import random_effects

FIRST, PROGRAMS, PART = 100, 300, 60


def shown(wrong: dict[int, str]) -> str:
    return "\n\n".join(f"seed {seed}: {text}" for seed, text in wrong.items())


@pytest.mark.parametrize("first", range(FIRST, FIRST + exhaustive.rounds(PROGRAMS, 3_000), PART))
def test_random_functions_with_effects(first: int) -> None:
    wrong = dict(random_effects.run_apart(first, PART, processes=1))
    assert not wrong, shown(wrong)


@pytest.mark.parametrize("first", exhaustive.some(range(0, 100, random_effects.TOGETHER), 1))
def test_the_same_where_the_other_tests_run(first: int) -> None:
    # With optimization, the time to compile grows faster than the number of programs in a kernel.
    wrong = random_effects.run(range(first, first + exhaustive.rounds(5, random_effects.TOGETHER)))
    assert not wrong, shown(wrong)
