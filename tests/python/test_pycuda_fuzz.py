"""`GPUArray` beside `numpy.ndarray`: random shapes, strides, types and expressions.

Results must have NumPy's shape and dtype, and its bits for integers, bools and float32 and float64 arithmetic; the rest
within ULPS.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.pycuda import gpuarray

ROUNDS = int(os.environ.get("CUOX_ARRAY_ROUNDS") or exhaustive.rounds(40, 250))
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
ERRORS = (ValueError, TypeError, OverflowError)
# Products of complex numbers are fused on the device, and quotients are computed in another way.
COMPLEX_ULPS = 16

BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "maximum", "minimum", "fmax", "fmin"]
BINARY += [
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
]
BINARY += ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "fmod", "copysign"]
UNARY = [
    "negative",
    "positive",
    "absolute",
    "sign",
    "square",
    "invert",
    "logical_not",
    "conjugate",
    "sqrt",
    "ceil",
    "floor",
]
UNARY += ["trunc", "rint", "fabs", "isnan", "isinf", "isfinite", "reciprocal"]


@pytest.fixture(autouse=True)
def current(device: cuox.Device) -> None:
    device.set_current()


def numbers(rng: random.Random, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    count = int(np.prod(shape, dtype=np.int64))
    if dtype.kind == "b":
        values: Any = [rng.random() < 0.5 for _ in range(count)]
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        small = rng.random() < 0.6
        low, high = (max(info.min, -9), 9) if small else (info.min, info.max)
        values = [rng.randint(int(low), int(high)) for _ in range(count)]
    else:
        special = [0.0, -0.0, 1.0, -1.0, float("nan"), float("inf"), -float("inf")] if rng.random() < 0.2 else [1.0]
        values = [rng.choice(special) if rng.random() < 0.3 else rng.uniform(-8, 8) for _ in range(count)]
        if dtype.kind == "c":
            values = [complex(value, rng.uniform(-8, 8)) for value in values]
    return np.array(values, dtype).reshape(shape)


def shape_of(rng: random.Random) -> tuple[int, ...]:
    return tuple(
        rng.choice([0, 1, 1, 2, 3, 5, 17]) if rng.random() < 0.2 else rng.randint(1, 6)
        for _ in range(rng.randint(0, 4))
    )


def fitting(rng: random.Random, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that is broadcast with this one, mostly."""
    kind = rng.random()
    if kind < 0.6:
        return shape
    if kind < 0.97:
        return tuple(1 if rng.random() < 0.3 else size for size in shape[rng.randint(0, len(shape)) :])
    return shape_of(rng)


def pair(rng: random.Random, shape: tuple[int, ...], dtype: np.dtype) -> tuple[np.ndarray, Any]:
    """The same elements on host and device, of this shape, in memory of many kinds."""
    axes = list(range(len(shape)))
    if rng.random() < 0.4:
        rng.shuffle(axes)
    inverse = [axes.index(axis) for axis in range(len(axes))]
    steps = [rng.choice([1, 1, 1, 2, -1, -2]) for _ in shape] if rng.random() < 0.4 else [1] * len(shape)
    whole = tuple(abs(steps[axis]) * shape[axis] for axis in axes)
    host = numbers(rng, whole, dtype)
    array = gpuarray.to_gpu(host)
    key = (..., *(slice(None, None, steps[axis]) for axis in axes))
    host, array = host[key].transpose(inverse), array[key].transpose(inverse)
    assert host.shape == shape == array.shape
    return host, array


def scalar(rng: random.Random, dtype: np.dtype) -> Any:
    kind = rng.random()
    if kind < 0.35:
        return rng.choice([0, 1, 2, 3, -1, 7, 100])
    if kind < 0.6:
        return rng.choice([0.0, 0.5, 2.0, -1.5, 3.25])
    if kind < 0.7:
        return rng.choice([1j, 2 - 1j])
    return numbers(rng, (), dtype)[()]


def compare(got: Any, wanted: np.ndarray, text: str, *, ulps: int = 0) -> None:
    assert isinstance(got, gpuarray.GPUArray), text
    wanted = np.asarray(wanted)
    assert got.dtype == wanted.dtype, text
    assert got.shape == wanted.shape, text
    found = got.get()
    if wanted.dtype.kind == "c" and ulps == 0:
        ulps = COMPLEX_ULPS
    if ulps == 0 or wanted.dtype.kind in "biu":
        np.testing.assert_array_equal(found, wanted, text, strict=True)
        return
    with np.errstate(all="ignore"):
        finite = np.isfinite(wanted)
        np.testing.assert_allclose(
            found[finite], wanted[finite], rtol=ulps * np.finfo(wanted.dtype).eps, atol=0, err_msg=text
        )


def both(text: str, host: Callable[[], Any], device: Callable[[], Any], *, ulps: int = 0) -> bool:
    """Compare two results; where NumPy raises, the other has to raise too. False if it did."""
    try:
        with np.errstate(all="ignore"):
            wanted = host()
    except ERRORS:
        with pytest.raises(ERRORS):
            device()
        return False
    compare(device(), wanted, text, ulps=ulps)
    return True


def finite_complex(*arrays: Any) -> bool:
    return all(np.isfinite(array).all() for array in arrays if np.asarray(array).dtype.kind == "c")


@pytest.mark.parametrize("part", range(4))
def test_binary_functions_give_what_numpys_do(part: int) -> None:
    rng = random.Random(f"binary {part}")
    done = 0
    for number in range(ROUNDS // 4):
        name = rng.choice(BINARY)
        function = getattr(np, name)
        shape = shape_of(rng)
        dtype = np.dtype(rng.choice(DTYPES))
        host, array = pair(rng, shape, dtype)
        if rng.random() < 0.3:
            other_host = other = scalar(rng, dtype)
        else:
            other_host, other = pair(
                rng, fitting(rng, shape), np.dtype(rng.choice(DTYPES)) if rng.random() < 0.5 else dtype
            )
        operands, arrays = (host, other_host), (array, other)
        if rng.random() < 0.5:
            operands, arrays = operands[::-1], arrays[::-1]
        text = f"round {number}: {name}({', '.join(f'{np.asarray(x).dtype}{np.shape(x)}' for x in operands)})"
        # Orders and extremes of complex numbers are not there; infinities of complex products depend on the way they
        # are computed.
        kinds = {np.asarray(x).dtype.kind for x in operands}
        if "c" in kinds and (name in ("maximum", "minimum", "fmax", "fmin", "divide") or not finite_complex(*operands)):
            continue
        ulps = 2 if name in ("remainder", "floor_divide", "fmod") and "f" in kinds else 0
        done += both(text, partial(function, *operands), partial(function, *arrays), ulps=ulps)
    assert done > ROUNDS // 16


@pytest.mark.parametrize("part", range(2))
def test_unary_functions_give_what_numpys_do(part: int) -> None:
    rng = random.Random(f"unary {part}")
    done = 0
    for number in range(ROUNDS // 2):
        name = rng.choice(UNARY)
        function = getattr(np, name)
        dtype = np.dtype(rng.choice(DTYPES))
        host, array = pair(rng, shape_of(rng), dtype)
        if dtype.kind == "c" and (name in ("sign", "sqrt", "reciprocal") or not finite_complex(host)):
            continue
        if name == "reciprocal" and dtype.kind in "iu":
            continue
        ulps = 4 if name == "absolute" and dtype.kind == "c" else 0
        done += both(
            f"round {number}: {name}({dtype}{host.shape})", partial(function, host), partial(function, array), ulps=ulps
        )
    assert done > ROUNDS // 8


@pytest.mark.parametrize("part", range(2))
def test_reductions_give_what_numpys_do(part: int) -> None:
    rng = random.Random(f"reductions {part}")
    done = 0
    for number in range(ROUNDS // 4):
        name = rng.choice(["sum", "prod", "max", "min", "any", "all", "mean"])
        function = getattr(np, name)
        dtype = np.dtype(rng.choice(DTYPES))
        host, array = pair(rng, shape_of(rng), dtype)
        if dtype.kind == "c" and name in ("max", "min", "prod"):
            continue
        if dtype.kind in "fc":
            with np.errstate(all="ignore"):
                host = np.where(np.isfinite(host), host, dtype.type(1))
                array = gpuarray.to_gpu(host)
        axes: Any = None
        if host.ndim and rng.random() < 0.7:
            axes = tuple(rng.sample(range(host.ndim), rng.randint(1, host.ndim)))
            axes = rng.choice([axes, axes[0] - host.ndim])
        keepdims = rng.random() < 0.3
        if name == "mean" and 0 in host.shape:
            continue
        text = f"round {number}: {name}({dtype}{host.shape}, axis={axes}, keepdims={keepdims})"
        if (dtype.kind in "fc" and name in ("sum", "prod")) or name == "mean":
            with np.errstate(all="ignore"):
                wanted = np.asarray(function(host, axis=axes, keepdims=keepdims))
                got = function(array, axis=axes, keepdims=keepdims)
                assert got.dtype == wanted.dtype and got.shape == wanted.shape, text
                # The order of additions is another: the error is measured by the sum of the sizes.
                scale = np.abs(host).astype(float).sum() + 1 if name != "prod" else np.abs(wanted).astype(float) + 1
                if np.isfinite(wanted).all():
                    assert (np.abs(got.get() - wanted) <= 64 * np.finfo(wanted.dtype).eps * scale).all(), text
            done += 1
            continue
        done += both(
            text,
            partial(function, host, axis=axes, keepdims=keepdims),
            partial(function, array, axis=axes, keepdims=keepdims),
        )
    assert done > ROUNDS // 16


@pytest.mark.parametrize("part", range(2))
def test_writes_in_place_change_what_numpys_do(part: int) -> None:
    rng = random.Random(f"in place {part}")
    done = 0
    operations = ["__iadd__", "__isub__", "__imul__", "__itruediv__", "__iand__", "__ior__", "__setitem__"]
    for number in range(ROUNDS // 4):
        name = rng.choice(operations)
        shape = shape_of(rng)
        dtype = np.dtype(rng.choice(DTYPES))
        host, array = pair(rng, shape, dtype)
        host = host.copy()
        array = array.copy()
        if rng.random() < 0.3:
            other_host, other = host.T[::-1].T if host.ndim else host, array.T[::-1].T if array.ndim else array
        elif rng.random() < 0.3:
            other_host = other = rng.choice([0, 1, 2, 3])
        else:
            other_host, other = pair(rng, fitting(rng, shape), dtype)
        if dtype.kind == "c" and name == "__itruediv__":
            continue
        if not finite_complex(host, other_host):
            continue
        text = f"round {number}: {dtype}{shape}.{name}({np.asarray(other_host).dtype}{np.shape(other_host)})"
        key = (...,) if name == "__setitem__" else ()

        def change(target: Any, value: Any, name: str = name, key: Any = key) -> Any:
            result = getattr(target, name)(*key, value)
            if result is NotImplemented:
                raise TypeError(name)
            return target

        done += both(text, partial(change, host, other_host), partial(change, array, other))
    assert done > ROUNDS // 16


def test_conversions_give_what_numpys_do() -> None:
    rng = random.Random("conversions")
    for number in range(ROUNDS):
        source, target = np.dtype(rng.choice(DTYPES)), np.dtype(rng.choice(DTYPES))
        host, array = pair(rng, shape_of(rng), source)
        if source.kind in "fc" and target.kind in "iu":
            # What becomes of numbers that do not fit is not defined.
            with np.errstate(all="ignore"):
                host = np.where(np.isfinite(host), np.abs(host), source.type(1)).astype(source)
            array = gpuarray.to_gpu(host)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            wanted = host.astype(target)
        compare(array.astype(target), wanted, f"round {number}: {source}{host.shape} to {target}", ulps=0)
