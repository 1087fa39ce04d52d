"""Random functions with types, run by the device and by CPython with NumPy's scalars: integers and arithmetic exactly,
math functions within ULPS.

`CUOX_SEEDS=from..to` tries others than the usual ones.
"""

from __future__ import annotations

import linecache
import math
import os
from typing import Any

import exhaustive
import numpy as np
import pytest
import random_kernels

FROM, TO = map(int, os.environ.get("CUOX_SEEDS", "0..80").split(".."))
# Those that are asked for are all wanted.
KEPT = TO if "CUOX_SEEDS" in os.environ else 20
# CUDA's tables give at most 2 for these functions of doubles; CPython's library has 1 of its own.
ULPS = 3
ROWS = 48


def as_(value: Any, dtype: Any) -> Any:
    """A conversion as C's: of integers, the low bits."""
    return np.asarray(value).astype(dtype)[()]


def compared(a: Any, sign: str, b: Any) -> bool:
    """Two numbers compared by their values; an integer beside a float is one."""
    if isinstance(a, np.floating) or isinstance(b, np.floating):
        dtype = getattr(
            np, random_kernels.float_type(*(np.dtype(type(x)).name.replace("bool", "bool_") for x in (a, b)))
        )
        a, b = dtype(a), dtype(b)
    else:
        a, b = int(a), int(b)
    return bool({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[sign])


def column(rng: np.random.Generator, name: str) -> np.ndarray:
    dtype = np.dtype(name)
    if dtype.kind == "b":
        return rng.random(ROWS) < 0.5
    if dtype.kind == "f":
        return (rng.random(ROWS) * 20 - 10).astype(dtype)
    info = np.iinfo(dtype)
    wide = rng.integers(info.min, info.max, ROWS, dtype, endpoint=True)
    return np.where(rng.random(ROWS) < 0.7, rng.integers(max(info.min, -20), 20, ROWS).astype(dtype), wide)


def ulps_apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where(
        (a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b) / np.spacing(np.minimum(np.abs(a), np.abs(b)))
    )


@pytest.mark.parametrize("seed", exhaustive.some(range(FROM, TO), KEPT))
def test_a_random_function(seed: int) -> None:
    program = random_kernels.program(seed)
    name = f"<random function {seed}>"
    linecache.cache[name] = (len(program.kernel), None, program.kernel.splitlines(True), name)
    device: dict[str, Any] = {}
    exec(compile(program.kernel, name, "exec"), device)
    host: dict[str, Any] = {"np": np, "math": math, "as_": as_, "compared": compared}
    exec(compile(program.host, "<host>", "exec"), host)
    rng = np.random.default_rng(seed)
    columns = [column(rng, type_) for type_ in program.types]
    expected = np.zeros(ROWS, program.result)
    with np.errstate(all="ignore"):
        host["run"](expected, *columns)
    cuda = device["cuda"]
    there = cuda.to_device(np.zeros(ROWS, program.result))
    device["kernel"][1, 64](there, *map(cuda.to_device, columns))
    found = there.copy_to_host()
    if program.function:
        wrong = ulps_apart(found, expected) > ULPS
    else:
        wrong = ~((found == expected) | ((found != found) & (expected != expected)))
    rows = np.flatnonzero(wrong)
    assert not rows.size, (
        f"{program.kernel}\nrow {rows[0]}: {[c[rows[0]] for c in columns]}: found {found[rows[0]]!r}, expected {expected[rows[0]]!r}\n{program.host}"
    )
