"""Random kernels in CUDA C++, in each engine and compiled with several options; `tools/random_kernels.py` runs more."""

from __future__ import annotations

import os
from math import prod

import exhaustive
import pytest
import random_cpp
import random_cpp_run
from random_cpp_prelude import COLUMNS, OWN
from random_cpp_reduce import fewer_branches, fewer_statements, smaller_expressions

# Small ones, of the default size, which NVRTC 13.5 compiles: with -G it refuses a third of the programs ("unsupported
# operation").
SEEDS = exhaustive.rounds([range(38, 40)], [range(first, first + 25) for first in range(0, 500, 25)])
ENGINES = ["gpu"] if os.environ.get("CUOX_DEVICE") == "gpu" else random_cpp_run.SOFT


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_all_engines_agree(seeds: range) -> None:
    wrong = [
        f"python tools/random_kernels.py {seed}: {found.pairs}: {found.text}"
        for seed, _, found in random_cpp_run.run(seeds, ENGINES)
        if found
    ]
    assert not wrong, "\n".join(wrong)


def test_a_recording_is_compared() -> None:
    ((_, right, nothing),) = random_cpp_run.run([38], ENGINES[-1:])
    assert right and nothing is None
    ((_, _, found),) = random_cpp_run.run([38], ENGINES[-1:], {38: right[::-1]})
    assert found and found.text == "other results than were recorded"


def test_a_seed_has_one_program() -> None:
    assert random_cpp.program(11).text() == random_cpp.program(11).text() != random_cpp.program(12).text()


def test_programs_become_smaller() -> None:
    """Here a program is wrong that has a quotient in a thread that a branch has parted from others."""
    for seed in range(100):
        program = random_cpp.program(seed)

        def is_wrong() -> bool:
            lines = program.text().split("__constant__")[1].splitlines()
            return any("quot(" in line and line.startswith("        ") for line in lines)

        if is_wrong():
            break
    before = len(program.text())
    for step in (fewer_statements, fewer_branches, smaller_expressions):
        step(program, is_wrong)
    head = program.text().index("__constant__")
    assert is_wrong()
    assert len(program.text()) - head < (before - head) / 2


def test_words_have_names() -> None:
    program = random_cpp.program(5)
    grid, block = program.shapes[0]
    count = prod(grid) * prod(block) * (len(program.results) + OWN + random_cpp.OWN_WORDS // 2 + COLUMNS // 8)
    assert random_cpp_run.name_of(program, 0).endswith(" of thread 0 of block 0, launch 0")
    assert random_cpp_run.name_of(program, count + 14) == "sums[14], launch 0"


def test_a_process_that_ends_is_told() -> None:
    worker = random_cpp_run.Worker(ENGINES[-1])
    worker.start().kill()
    with pytest.raises(random_cpp_run.Failure, match="ended with status -9"):
        worker.ask(source="")
    assert worker.process is None
