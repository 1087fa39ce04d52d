"""Random operations of a block or warp, several in a kernel, beside NumPy's results."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import random_coop_more
from cuox.cuda import coop
from cuox.numba import cuda

_INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_FLOATS = ("float16", "float32", "float64")
_SHAPES: tuple[Any, ...] = (
    1,
    5,
    32,
    33,
    64,
    96,
    128,
    200,
    256,
    512,
    1024,
    (4, 8),
    (8, 16),
    (3, 7),
    (2, 4, 8),
    (5, 5, 5),
)


def _last(a: Any, b: Any) -> Any:
    return b


def _first(a: Any, b: Any) -> Any:
    return a


def _smaller(a: Any, b: Any) -> Any:
    return a if a < b else b


_OPERATORS: tuple[tuple[Any, Callable[[Any, Any], Any]], ...] = (
    ("+", np.add),
    ("min", np.minimum),
    ("max", np.maximum),
    (_smaller, np.minimum),
    (_last, _last),
    (_first, _first),
)
_BITS: tuple[tuple[Any, Callable[[Any, Any], Any]], ...] = (
    ("&", np.bitwise_and),
    ("|", np.bitwise_or),
    ("^", np.bitwise_xor),
    ("*", np.multiply),
)


class Case(NamedTuple):
    """An operation: the lines that call it, the names in them, the kernel's arguments, and what some of them are to be.
    Items whose expectation is not defined are left out by a mask.
    """

    text: list[str]
    names: dict[str, Any]
    arguments: dict[str, Any]
    expected: dict[str, tuple[Any, Any]]
    told: str


def _plain(
    number: int, text: list[str], names: dict[str, Any], data: Any, output: Any, expected: Any, told: str
) -> Case:
    """One that reads an array and fills another."""
    arguments = {f"data{number}": data, f"out{number}": output}
    return Case(text, names, arguments, {f"out{number}": (expected, slice(None))}, told)


def _running(data: Any, function: Callable[[Any, Any], Any]) -> Any:
    found = data.copy()
    with np.errstate(over="ignore"):
        for index in range(1, len(found)):
            found[index] = function(found[index - 1], found[index])
    return found


def _values(rng: Any, dtype: str, count: int) -> Any:
    if dtype.startswith("float"):
        # Sums of few small integers are exact in any order.
        return rng.integers(-1, 2, count).astype(dtype)
    if dtype.startswith("complex"):
        return (rng.integers(-9, 9, count) + 1j * rng.integers(-9, 9, count)).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)


def _case(rng: Any, number: int, shape: Any) -> Case:
    threads = int(np.prod(shape))
    kinds = ["load", "store", "exchange", "reduce", "scan", "merge", "radix", "warp reduce", "warp scan", "warp merge"]
    kind = str(rng.choice(kinds if threads % 32 == 0 else kinds[:7]))
    dtype = str(rng.choice(_INTEGERS + _FLOATS))
    if kind in ("load", "store", "exchange") and rng.random() < 0.3:
        dtype = str(rng.choice(["complex64", "complex128"]))
    most = max(1, min(6, 8192 // (threads * np.dtype(dtype).itemsize)))
    items = int(rng.integers(1, most, endpoint=True))
    if kind in ("warp reduce", "warp scan"):
        items = 1
    if kind == "warp merge":
        # Its storage may be that of the largest block.
        items = min(items, 24 // np.dtype(dtype).itemsize)
    total = threads * items
    data = _values(rng, dtype, total)
    operators = _OPERATORS + (_BITS if "int" in dtype else ())
    operator, numpy_operator = operators[int(rng.integers(len(operators)))]
    names: dict[str, Any] = {f"T{number}": np.dtype(dtype).type}
    own, call = f"own{number}", f"call{number}"
    before = [f"{own} = cuda.local.array({items}, T{number})"]
    fill = [f"for i in range({items}):", f"    {own}[i] = data{number}[rank * {items} + i]"]
    put = [f"for i in range({items}):", f"    out{number}[rank * {items} + i] = {own}[i]"]
    output = np.zeros(total, dtype)
    valid = int(rng.integers(0, total, endpoint=True)) if rng.random() < 0.4 else None
    told = f"{kind} of {items} {dtype} by {shape}, {getattr(operator, '__name__', operator)}, valid {valid}"
    moves = ["direct", "striped", "vectorize", "transpose", "warp_transpose", "warp_transpose_timesliced"]

    if kind in ("load", "store"):
        algorithm = str(rng.choice(moves))
        told += f", {algorithm}"
        names[call] = getattr(coop.block, kind)(dtype, shape, items, algorithm)
        arranged = data if algorithm != "striped" else None
        if kind == "load":
            more = "" if valid is None else f", {valid}, {own}_other"
            other = [] if valid is None else [f"{own}_other = data{number}[0]"]
            seen = data.copy()
            seen[total if valid is None else valid :] = data[0]
            expected = seen if algorithm != "striped" else seen.reshape(items, threads).T.reshape(-1)
            return _plain(
                number,
                [*before, *other, f"{call}(data{number}, {own}{more})", *put],
                names,
                data,
                output,
                expected,
                told,
            )
        more = "" if valid is None else f", {valid}"
        expected = data if arranged is not None else data.reshape(threads, items).T.reshape(-1)
        expected = expected.copy()
        expected[total if valid is None else valid :] = 0
        return _plain(
            number, [*before, *fill, f"{call}(out{number}, {own}{more})"], names, data, output, expected, told
        )
    if kind == "exchange":
        names[call] = coop.block.exchange(coop.block.BlockExchangeType.StripedToBlocked, dtype, shape, items)
        expected = data.reshape(threads, items).T.reshape(-1)
        return _plain(number, [*before, *fill, f"{call}({own})", *put], names, data, output, expected, told)
    if kind == "reduce":
        algorithm = str(rng.choice(["raking", "raking_commutative_only", "warp_reductions"]))
        names[call] = coop.block.reduce(dtype, shape, operator if operator != "+" else np.add, items, algorithm)
        count = int(rng.integers(1, threads, endpoint=True)) if items == 1 and valid is not None else None
        argument = f"{own}[0], {count}" if count else own
        expected = output.copy()
        expected[0] = _running(data[: count or total], numpy_operator)[-1]
        lines = [f"made{number} = {call}({argument})", "if rank == 0:", f"    out{number}[0] = made{number}"]
        return _plain(number, [*before, *fill, *lines], names, data, output, expected, told)
    if kind == "scan":
        mode = str(rng.choice(["inclusive", "exclusive"]))
        algorithm = str(rng.choice(["raking", "raking_memoize", "warp_scans"]))
        names[call] = coop.block.scan(dtype, shape, items, mode=mode, scan_op=operator, algorithm=algorithm)
        initial = _values(rng, dtype, 1)[0] if rng.random() < 0.5 else None
        names[f"initial{number}"] = initial
        more = "" if initial is None else f", initial{number}"
        lines = [f"{call}({own}, {own}{more})"] if items > 1 else [f"{own}[0] = {call}({own}[0]{more})"]
        running = _running(data if initial is None else np.r_[initial, data].astype(dtype), numpy_operator)
        if mode == "inclusive":
            expected = running if initial is None else running[1:]
        else:
            expected = running[:-1] if initial is not None else np.r_[np.zeros(1, dtype), running[:-1]]
        return _plain(
            number, [*before, *fill, *lines, *put], names, data, output, expected, f"{told}, {mode}, {initial}"
        )
    if kind in ("merge", "warp merge"):
        names[f"less{number}"] = lambda a, b: a < b
        step = total if kind == "merge" else 32 * items
        if kind == "merge":
            names[call] = coop.block.merge_sort_keys(dtype, shape, items, names[f"less{number}"])
        else:
            names[call] = coop.warp.merge_sort_keys(dtype, items, names[f"less{number}"])
        expected = np.sort(data.reshape(-1, step), axis=1).reshape(-1)
        return _plain(number, [*before, *fill, f"{call}({own})", *put], names, data, output, expected, told)
    if kind == "radix":
        bits = 8 * np.dtype(dtype).itemsize
        descending = bool(rng.random() < 0.5)
        make = coop.block.radix_sort_keys_descending if descending else coop.block.radix_sort_keys
        names[call] = make(dtype, shape, items)
        begin, end = 0, bits
        if rng.random() < 0.5 and dtype.startswith("uint"):
            begin = int(rng.integers(0, bits))
            end = int(rng.integers(begin, bits, endpoint=True))
        if dtype.startswith("uint"):
            digits = (data >> np.array(begin, dtype)) & np.array((1 << (end - begin)) - 1, dtype)
        else:
            digits = data
        order = np.argsort(digits, kind="stable")
        if descending:
            order = len(digits) - 1 - np.argsort(digits[::-1], kind="stable")[::-1]
        lines = [f"{call}({own}, {begin}, {end})"]
        return _plain(
            number, [*before, *fill, *lines, *put], names, data, output, data[order], f"{told}, {begin} to {end}"
        )
    width = int(rng.choice([2, 4, 8, 16, 32]))
    groups = data.reshape(-1, width)
    if kind == "warp reduce":
        names[call] = coop.warp.reduce(dtype, operator if operator != "+" else np.add, width)
        expected = output.copy()
        expected[::width] = [_running(group, numpy_operator)[-1] for group in groups]
        lines = [
            f"made{number} = {call}({own}[0])",
            f"if rank % {width} == 0:",
            f"    out{number}[rank] = made{number}",
        ]
        return _plain(number, [*before, *fill, *lines], names, data, output, expected, f"{told}, {width} lanes")
    names[call] = coop.warp.exclusive_sum(dtype, width)
    expected = np.concatenate([np.r_[np.zeros(1, dtype), _running(group, np.add)[:-1]] for group in groups])
    lines = [f"{own}[0] = {call}({own}[0])"]
    return _plain(number, [*before, *fill, *lines, *put], names, data, output, expected, f"{told}, {width} lanes")


def wrong(seed: int, count: int, each: int = 10) -> Iterator[str]:
    """Run `count` random operations, `each` in a kernel, and tell of those whose results are not NumPy's."""
    rng = np.random.default_rng(seed)
    for first in range(0, count, each):
        shape = _SHAPES[int(rng.integers(len(_SHAPES)))]
        makers = (_case, random_coop_more.case)
        cases = [makers[int(rng.integers(2))](rng, number, shape) for number in range(min(each, count - first))]
        arguments = {name: array for case in cases for name, array in case.arguments.items()}
        parameters = ", ".join(arguments)
        lines = [f"def kernel({parameters}):"]
        lines.append(
            "    rank = (cuda.threadIdx.z * cuda.blockDim.y + cuda.threadIdx.y) * cuda.blockDim.x + cuda.threadIdx.x"
        )
        lines += [f"    {line}" for case in cases for line in case.text]
        text = "\n".join(lines) + "\n"
        file = f"<random collectives {seed} {first}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        scope: dict[str, Any] = {"cuda": cuda, "coop": coop}
        for case in cases:
            scope.update(case.names)
        exec(compile(text, file, "exec"), scope)
        try:
            cuda.jit(scope["kernel"])[1, shape](*arguments.values())
        except Exception as error:
            yield f"seed {seed}, from {first}: {error}\n{text}"
            continue
        for case in cases:
            for name, (expected, mask) in case.expected.items():
                found = arguments[name]
                if not np.array_equal(found[mask], expected[mask]):
                    yield f"seed {seed}, from {first}: {case.told}: {name} is {found!r}, expected {expected!r}"
