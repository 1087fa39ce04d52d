"""Assignments between parts of one array give what NumPy gives: the source as it was before."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from cuox._internal.kernel_errors import KernelTypeError
from cuox.numba import cuda

SHAPES = [(9,), (4, 4), (3, 5), (3, 3, 3), (2, 3, 4)]


def part(rng: random.Random, length: int, wanted: int) -> str | None:
    """A slice of so many items."""
    steps = [step for step in (1, 1, -1, 2, -2, 3) if (wanted - 1) * abs(step) < length]
    if not steps or wanted < 1:
        return None
    step = rng.choice(steps)
    first = rng.randint(0, length - 1 - (wanted - 1) * abs(step))
    last = first + (wanted - 1) * abs(step)
    if step < 0:
        first, last = last, first
    end = last + (1 if step > 0 else -1)
    return f"{first}:{end if end >= 0 else ''}:{step}"


def view(rng: random.Random, shape: tuple[int, ...], wanted: tuple[int, ...], is_target: bool) -> str | None:
    """A view of this shape; of a source, or one that is repeated."""
    text = "x"
    if rng.random() < 0.5 and len(shape) > 1:
        text, shape = "x.T", shape[::-1]
    if not is_target and rng.random() < 0.3 and len(wanted) > 1:
        wanted = wanted[1:]
    if not is_target and rng.random() < 0.2:
        wanted = (1, *wanted[1:])
    parts = [str(rng.randrange(length)) for length in shape[: len(shape) - len(wanted)]]
    for length, one in zip(shape[len(parts) :], wanted, strict=True):
        found = part(rng, length, one)
        if found is None:
            return None
        parts.append(found)
    return f"{text}[{', '.join(parts)}]"


def statements(count: int) -> list[tuple[tuple[int, ...], str]]:
    rng = random.Random(7)
    found: list[tuple[tuple[int, ...], str]] = []
    while len(found) < count:
        shape = rng.choice(SHAPES)
        wanted = tuple(rng.randint(1, length) for length in shape[rng.randrange(len(shape)) :])
        target, source = view(rng, shape, wanted, True), view(rng, shape, wanted, False)
        if not target or not source:
            continue
        x = np.zeros(shape)
        try:
            exec(f"{target} = {source}", {"x": x})
        except ValueError:
            continue
        found.append((shape, f"{target} = {source}"))
    return found


def check(cases: list[tuple[tuple[int, ...], str]]) -> None:
    """Many statements in one kernel: each with an array of its own."""
    import linecache

    groups: dict[int, list[Any]] = {}
    for shape, text in cases:
        groups.setdefault(len(shape), []).append((shape, text))
    for ndim, group in groups.items():
        lines = ["def kernel(all, n):\n"]
        index = ", ".join(f"0:{{{axis}}}" for axis in range(ndim))
        for at, (shape, text) in enumerate(group):
            lines.append(f"    if n == {at}:\n")
            lines.append(f"        x = all[{index.format(*shape)}]\n        {text}\n")
        name = f"<overlap {ndim} {len(group)}>"
        linecache.cache[name] = (0, None, lines, name)
        space: dict[str, Any] = {}
        exec(compile("".join(lines), name, "exec"), space)
        kernel = cuda.jit(space["kernel"])
        for at, (shape, text) in enumerate(group):
            x = np.arange(float(np.prod(shape))).reshape(shape)
            there = cuda.to_device(x)
            kernel[1, 1](there, at)
            # NumPy 2.4 itself gets x[1:4] = x[0:7:3] wrong.
            target, source = text.split(" = ")
            exec(f"{target} = {source}.copy()", {"x": x})
            assert there.copy_to_host().tolist() == x.tolist(), text


def test_random_views() -> None:
    check(statements(12))


@pytest.mark.exhaustive
def test_many_random_views() -> None:
    all_of_them = statements(400)
    for at in range(0, 400, 40):
        check(all_of_them[at : at + 40])


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ((8,), "x[:] = x[::-1]"),
        ((8,), "x[1:] = x[:-1]"),
        ((8,), "x[:-1] = x[1:]"),
        ((8,), "x[::2] = x[4:]"),
        ((8,), "x[4:] = x[::2]"),
        ((8,), "x[1:6] = x[5:0:-1]"),
        ((3, 3), "x[:] = x.T"),
        ((3, 3), "x.T[1:] = x.T[:-1]"),
        ((3, 3), "x[::-1] = x"),
        ((3, 3), "x[:] = x[1, ::-1]"),
        ((3, 3), "x[:] = x[:, :1]"),
        ((3, 4), "x[:, ::-1] = x[::-1]"),
        ((3, 3, 3), "x[:] = x.T"),
    ],
)
def test_of_one_array(shape: tuple[int, ...], text: str) -> None:
    check([(shape, text)])


def test_of_records_and_other_types() -> None:
    @cuda.jit
    def kernel(x, y):
        x[:] = x[::-1]
        y[:] = x["a"]
        y[::-1] = y

    x = np.zeros(5, [("a", np.int32), ("b", np.float64)])
    x["a"], x["b"] = np.arange(5), np.arange(5) * 0.5
    there, out = cuda.to_device(x), cuda.to_device(np.zeros(5))
    kernel[1, 1](there, out)
    assert there.copy_to_host().tolist() == x[::-1].tolist()
    assert out.copy_to_host().tolist() == [0, 1, 2, 3, 4]


def changed_as_a_whole(x, y, n):
    x += 1
    x *= y
    x[1:4] -= y[:3]
    x[::2] //= n
    x[-2:] += x[0]
    x **= 2
    x %= 7
    x += x


def moved_along(x, y, n):
    x[1:] += x[:-1]
    y[:-1] -= y[1:]
    np.add(x[2:], x[:-2], x[2:])
    np.multiply(y[:3], 2, out=y[1:4])


def of_bits(x, y, n):
    x <<= 2
    x |= 1
    x ^= y
    x &= 0x7F
    x >>= n


def of_rows(x, y, n):
    rows, column = x.reshape(2, 4), y.reshape(4, 2)[:2, :1]
    rows += column
    rows[1] -= rows[0]
    rows[:, 1:] += rows[:, :-1]
    rows[:] = x[:4]


@pytest.mark.parametrize(
    ("function", "dtype"),
    [
        (changed_as_a_whole, np.int64),
        (changed_as_a_whole, np.float64),
        (moved_along, np.int64),
        (moved_along, np.float32),
        (of_bits, np.int64),
        (of_rows, np.float64),
    ],
)
def test_arrays_are_changed_as_a_whole(function: Any, dtype: Any) -> None:
    x, y = np.arange(8).astype(dtype), np.arange(3, 11).astype(dtype)
    there = cuda.to_device(x), cuda.to_device(y)
    cuda.jit(function)[1, 1](*there, 3)
    function(x, y, 3)
    assert [array.copy_to_host().tolist() for array in there] == [x.tolist(), y.tolist()]


def test_what_an_operand_was_is_not_known_in_any_order() -> None:
    @cuda.jit
    def kernel(x):
        x += x[::-1]

    there = cuda.to_device(np.arange(4.0))
    kernel[1, 1](there)
    with pytest.raises(ValueError, match="shares memory with an operand in another place"):
        cuda.synchronize()
    assert there.copy_to_host().tolist() == [0, 1, 2, 3]


def put(x, y):
    x[1:4] = y


def put_rows(x, y):
    x.reshape(3, 2)[:, :] = y


def added(x, y):
    x += y


def added_to_a_part(x, y):
    x[1:4] += y


def by_a_function(x, y):
    np.add(x, y, x)


@pytest.mark.parametrize("function", [put, put_rows, added, added_to_a_part, by_a_function], ids=lambda f: f.__name__)
@pytest.mark.parametrize("count", [5, 0])
def test_arrays_of_another_length(function: Any, count: int) -> None:
    x = cuda.to_device(np.arange(6.0))
    cuda.jit(function)[1, 1](x, cuda.to_device(np.ones(count)))
    with pytest.raises(ValueError, match="could not broadcast the array into the other one's shape"):
        cuda.synchronize()
    assert x.copy_to_host().tolist() == list(range(6))


def divided(x):
    x /= 2


def raised_by_a_float(x):
    x += 1.5


def by_a_tuple(x):
    x += (1, 2, 3)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (divided, r"np\.true_divide\(\): the results are float64, which an array of int64 cannot hold"),
        (raised_by_a_float, r"np\.add\(\): the results are float64, which an array of int64 cannot hold"),
        (by_a_tuple, r"np\.add\(\): a tuple \(.*\) is neither a number nor an array"),
    ],
)
def test_results_that_an_array_cannot_hold(function: Any, message: str) -> None:
    with pytest.raises(KernelTypeError, match=message):
        cuda.jit(function)[1, 1](cuda.to_device(np.arange(3)))
