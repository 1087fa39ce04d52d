"""Copies by tensor map in NumPy: what they put where, by the manual's words and tables (PTX ISA, *Tensors*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

# Chunks of 16 bytes in lines of 128: the place of each in shared memory, line for line, from the manual's tables.
SWIZZLES = {
    0: ["01234567"],
    1: ["01234567", "10325476"],
    2: ["01234567", "10325476", "23016745", "32107654"],
    3: ["01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210"],
}
SPANS = {0: 0, 1: 32, 2: 64, 3: 128}


def places(swizzle: int, start: int, count: int) -> np.ndarray:
    """Where the bytes of shared memory from `start` on go, which is counted from a multiple of 1024."""
    at = np.arange(start, start + count)
    lines, chunks, inner = at // 128, at // 16 % 8, at % 16
    table = np.array([[int(digit) for digit in line] for line in SWIZZLES[swizzle]])
    moved = table[lines % len(table), chunks]
    return lines * 128 + moved * 16 + inner


def into_shared(rows: Sequence[bytes], swizzle: int, start: int, size: int, blank: int = 0xA5) -> np.ndarray:
    """Shared memory of that size after a load of these rows to `start`."""
    shared = np.full(size, blank, np.uint8)
    for number, row in enumerate(rows):
        pitch = max(len(row), SPANS[swizzle])
        shared[places(swizzle, start + number * pitch, len(row))] = np.frombuffer(row, np.uint8)
    return shared


def from_shared(shared: np.ndarray, count: int, length: int, swizzle: int, start: int) -> list[bytes]:
    """The rows that a store reads."""
    pitch = max(length, SPANS[swizzle])
    return [shared[places(swizzle, start + n * pitch, length)].tobytes() for n in range(count)]


def positions(box: Sequence[int], at: Sequence[int], steps: Sequence[int]) -> np.ndarray:
    """The indices of a box's elements, as rows of an array, with the last dimension of the tensor last: that of all
    but the last dimension is one row of shared memory. `at` is in the order of the tensor's shape.
    """
    counts = [-(-extent // step) for extent, step in zip(box, steps, strict=True)]
    grids = np.indices(counts).reshape(len(counts), -1).T
    return (grids * np.array(steps) + np.array(at)).reshape(-1, counts[-1], len(counts))


def pixels(
    shape: Sequence[int],
    at: Sequence[int],
    lower: Sequence[int],
    upper: Sequence[int],
    offsets: Sequence[int],
    channels: int,
    count: int,
    steps: Sequence[int],
) -> np.ndarray:
    """The same for `count` pixels of a tensor of shape (N, …, C); corners and offsets have the order of its shape."""

    def walk() -> Iterator[list[int]]:
        now = list(at[:-1])
        while True:
            yield now.copy()
            for axis in range(len(now) - 1, 0, -1):
                now[axis] += steps[axis]
                if now[axis] <= shape[axis] - 1 + upper[axis - 1]:
                    break
                now[axis] = lower[axis - 1]
            else:
                now[0] += steps[0]

    found = []
    for place, _ in zip(walk(), range(count), strict=False):
        moved = [place[0], *(p + o for p, o in zip(place[1:], offsets, strict=True))]
        found.append([[*moved, at[-1] + channel] for channel in range(channels)])
    return np.array(found)


def inside(tensor: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Which of these elements there are."""
    return np.all((where >= 0) & (where < np.array(tensor.shape)), axis=-1)


def loaded(tensor: np.ndarray, where: np.ndarray, outside: bytes) -> list[bytes]:
    """The rows of a load; `outside` are the bytes of an element that there is not."""
    rows = []
    fill = np.frombuffer(outside, tensor.dtype)[0]
    for row, there in zip(where, inside(tensor, where), strict=True):
        values = np.full(len(row), fill, tensor.dtype)
        values[there] = tensor[tuple(row[there].T)]
        rows.append(values.tobytes())
    return rows


def stored(tensor: np.ndarray, where: np.ndarray, rows: Sequence[bytes], operation: str = "copy") -> np.ndarray:
    """The tensor after a store or reduction of these rows."""
    result = tensor.copy()
    for row, there, data in zip(where, inside(tensor, where), rows, strict=True):
        values = np.frombuffer(data, tensor.dtype)
        for place, value in zip(row[there], values[there], strict=True):
            old = result[tuple(place)]
            result[tuple(place)] = reduced(operation, old, value)
    return result


def reduced(operation: str, old: np.generic, value: np.generic) -> np.generic:
    """One element."""
    with np.errstate(over="ignore"):
        match operation:
            case "copy":
                return value
            case "add":
                return old + value  # type: ignore[operator]
            case "min" | "max":
                return min(old, value) if operation == "min" else max(old, value)  # type: ignore[type-var]
            case "inc":
                return type(old)(0) if old >= value else old + type(old)(1)  # type: ignore[operator,return-value,call-arg]
            case "dec":
                is_out = not old or old > value  # type: ignore[operator]
                return value if is_out else old - type(old)(1)  # type: ignore[operator,call-arg]
            case "and":
                return old & value  # type: ignore[operator]
            case "or":
                return old | value  # type: ignore[operator]
            case _:
                return old ^ value  # type: ignore[operator]
