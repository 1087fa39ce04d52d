"""NumPy's ufuncs on arrays in device memory: types as NumPy's, any strides, broadcasting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuox
from cuox import Array
from cuox._native import _binary, _cast, _unary

from . import kernels
from .expressions import (
    c_type,
    cast,
    compute_type,
    load,
    real_dtype,
    store,
)

if TYPE_CHECKING:
    from .expressions import Dtype

_BOOL = np.dtype(np.bool_)


def scalar_type(value: object) -> Any:
    """Return the type of a number as promotion takes it: `int`, `float` or `complex` (weak), else a dtype. None if it
    is no number.
    """
    kind = type(value)
    if kind in (int, float, complex):
        return kind
    if kind is bool:
        return _BOOL
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.dtype
    if isinstance(value, (int, float, complex)):
        return next(base for base in (int, float, complex) if isinstance(value, base))
    return None


def apply(name: str, operands: tuple[Any, ...], out: Array | None = None, stream: Any = None) -> Any:
    """Apply the ufunc of this name to arrays and numbers, of which at least one is an array.

    out: the array that takes the result; a new one if it is None.

    Returns the array of results; NotImplemented if an operand is neither an array nor a number. Raises TypeError for
    types that NumPy does not take, ValueError for shapes that do not fit.
    """
    if out is not None:
        operands = tuple(_apart(operand, out) for operand in operands)
    else:
        for operand in operands:
            if getattr(operand, "_own_allocator", None) is not None:
                out = _allocated(name, operands)
                break
    name = _NATIVE_NAMES.get(name, name)
    if len(operands) == 1:
        return _unary(name, operands[0], out, stream=stream)
    return _binary(name, *operands, out, stream=stream)  # type: ignore[call-arg,arg-type]


_NATIVE_NAMES = {"divide": "true_divide"}

# The ufuncs that there are for arrays in device memory, by NumPy's names.
NAMES = frozenset(
    [
        "add",
        "subtract",
        "multiply",
        "divide",
        "floor_divide",
        "remainder",
        "power",
        "fmod",
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "equal",
        "not_equal",
        "logical_and",
        "logical_or",
        "logical_xor",
        "logical_not",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "invert",
        "left_shift",
        "right_shift",
        "negative",
        "positive",
        "absolute",
        "fabs",
        "conjugate",
        "sign",
        "square",
        "reciprocal",
        "isnan",
        "isinf",
        "isfinite",
        "sin",
        "cos",
        "tan",
        "arcsin",
        "arccos",
        "arctan",
        "arctan2",
        "sinh",
        "cosh",
        "tanh",
        "arcsinh",
        "arccosh",
        "arctanh",
        "hypot",
        "copysign",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "sqrt",
        "cbrt",
        "ceil",
        "floor",
        "trunc",
        "rint",
    ]
)


def _allocated(name: str, operands: tuple[Any, ...]) -> Array | None:
    """Make the array for a ufunc's result with the operands' own allocator; None if there is no such result."""
    types = [operand.dtype if isinstance(operand, Array) else scalar_type(operand) for operand in operands]
    if None in types:
        return None
    arrays = [operand for operand in operands if isinstance(operand, Array)]
    made: Array = new_like(
        arrays, np.broadcast_shapes(*(array.shape for array in arrays)), _loop_types(name, types)[-1]
    )
    return made


def launch(kernel: Any, operands: list[Any], dtype: Dtype, out: Array | None, stream: Any) -> Any:
    """Run a kernel whose parameters are operands of any shapes and then the result, which is returned."""
    arrays = [operand for operand in operands if isinstance(operand, Array)]
    shape = arrays[0].shape
    fits = all(array.shape == shape for array in arrays)
    if not fits:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    if out is None:
        out = new_like(arrays, shape, dtype)
    else:
        operands = [_apart(operand, out) for operand in operands]
        if out.shape != shape:
            fits = False
            if np.broadcast_shapes(shape, out.shape) != out.shape:
                raise ValueError(f"out has shape {out.shape}, the result {shape}")
            shape = out.shape
        if out.is_read_only:
            raise ValueError("out is read-only")
    if not fits:
        operands = [
            operand.broadcast_to(shape) if isinstance(operand, Array) and operand.shape != shape else operand
            for operand in operands
        ]
    kernel(*operands, out, stream=stream)
    return out


def new_like(arrays: list[Array], shape: tuple[int, ...], dtype: Dtype) -> Any:
    """Make the array for a result: of the operands' class and allocator, in their order of elements."""
    like = arrays[0]
    for array in arrays:
        # A GPUArray before a plain cuox.Array.
        if type(array) is not Array:
            like = array
            break
    whole = [array for array in arrays if array.shape == shape]
    order = "C" if not whole or any(array.is_c_contiguous for array in whole) else "K"
    if whole and like.shape != shape:
        order = "C" if whole[0].is_c_contiguous else "F" if whole[0].is_f_contiguous else "C"
    if getattr(like, "_own_allocator", None) is not None:
        return like._allocated_like(shape, dtype, order)  # type: ignore[attr-defined]
    return cuox.empty_like(like, dtype, order=order, shape=None if like.shape == shape else shape)  # type: ignore[arg-type]


def _extent(array: Array) -> tuple[int, int]:
    """Return the address of the lowest byte of an element and the one past the highest."""
    low = high = array.ptr
    for size, stride in zip(array.shape, array.strides, strict=True):
        if stride < 0:
            low += (size - 1) * stride
        else:
            high += (size - 1) * stride
    return low, high + array.itemsize


def _apart(operand: Any, out: Array) -> Any:
    """Return an operand that writes to `out` do not change before it is read: a copy if it overlaps elsewhere."""
    if operand is out or not isinstance(operand, Array) or not operand.size or not out.size:
        return operand
    if (
        operand.ptr == out.ptr
        and operand.strides == out.strides
        and operand.shape == out.shape
        and operand.itemsize == out.itemsize
    ):
        return operand
    (low, high), (out_low, out_high) = _extent(operand), _extent(out)
    return Array.copy(operand, "K") if low < out_high and out_low < high else operand


def _loop_types(name: str, types: list[Any]) -> tuple[Dtype, ...]:
    """Return the types that NumPy computes in: of the operands, then of the result."""
    ufunc = getattr(np, name)
    return tuple(ufunc.resolve_dtypes((*types, None)))


def converted(array: Array, dtype: Dtype, out: Array | None = None, stream: Any = None) -> Any:
    """Convert an array to another dtype, as `numpy.ndarray.astype` does. Returns the new array, or `out`."""
    result = _cast(array, dtype, stream=stream)
    if out is None and getattr(array, "_own_allocator", None) is not None:
        out = new_like([array], array.shape, dtype)
    if out is None:
        return result
    out.copy_from(result, stream=stream)
    return out


def part(array: Array, which: str, out: Array | None = None, stream: Any = None) -> Any:
    """Return the real or imaginary parts (`which` is "real" or "imag") of complex elements."""
    key = (which, array.dtype)
    kernel = _PARTS.get(key)
    real = real_dtype(array.dtype)
    if kernel is None:
        parameters = [(f"const {c_type(array.dtype)}", "x", True), (c_type(real), "z", True)]
        kernel = _PARTS[key] = kernels.elementwise(parameters, f"z[i] = x[i].{which}()", name=which)
    return launch(kernel, [array], real, out, stream)


_PARTS: dict[tuple[str, Dtype], Any] = {}


def power(base: Array, exponent: Any, out: Array | None = None) -> Any:
    """Return `base ** exponent`; the exponents 0.5, 1 and 2 as the functions that they are.

    Raises ValueError for integers with a negative exponent that is a number.
    """
    if not isinstance(exponent, Array) and scalar_type(exponent) is not None:
        if (
            base.dtype.kind in "fc"
            and exponent in _SIMPLE_POWERS
            and _loop_types("power", [base.dtype, scalar_type(exponent)])[-1] == base.dtype
        ):
            return apply(_SIMPLE_POWERS[exponent], (base,), out)
        if base.dtype.kind in "iub" and not isinstance(exponent, (float, complex, np.inexact)) and exponent < 0:
            raise ValueError(
                "Integers to negative integer powers are not allowed: convert the array to floating point first"
            )
    return apply("power", (base, exponent), out)


_SIMPLE_POWERS = {0.5: "sqrt", 1: "positive", 2: "square"}


def linear_combination(x: Any, a: Any, y: Any, b: Any, out: Any, add_timer: Any = None, stream: Any = None) -> Any:
    """Return `a * x + b * y` for arrays x and y and numbers a and b, rounded as often as the device's fused operations
    do it.
    """
    dtypes = _loop_types("add", [_scaled(x, a), _scaled(y, b)])
    result = dtypes[-1] if out is None else out.dtype
    key = (x.dtype, y.dtype, dtypes[-1], result)
    kernel = _COMBINATIONS.get(key)
    common = dtypes[-1]
    if kernel is None:
        parameters = [
            (compute_type(common), "a", False),
            (f"const {c_type(x.dtype)}", "x", True),
            (compute_type(common), "b", False),
        ]
        parameters += [(f"const {c_type(y.dtype)}", "y", True), (c_type(result), "z", True)]
        terms = [
            f"{factor} * {cast(load(f'{name}[i]', array.dtype), array.dtype, common)}"
            for factor, name, array in (("a", "x", x), ("b", "y", y))
        ]
        value = cast(" + ".join(terms), common, result)
        kernel = _COMBINATIONS[key] = kernels.elementwise(parameters, f"z[i] = {store(value, result)}", name="axpbyz")
    operands = [common.type(a), x, common.type(b), y]
    if add_timer is None:
        return launch(kernel, operands, result, out, stream)
    return _timed(add_timer, 3 * x.size, lambda: launch(kernel, operands, result, out, stream), stream)


_COMBINATIONS: dict[tuple[Dtype, ...], Any] = {}


def _scaled(array: Any, factor: Any) -> Dtype:
    return _loop_types("multiply", [array.dtype, scalar_type(factor)])[-1]


def _timed(add_timer: Any, moved: int, run: Any, stream: Any) -> Any:
    from .. import driver

    start, end = driver.Event(), driver.Event()
    start.record(stream)
    result = run()
    end.record(stream)

    def seconds() -> float:
        end.synchronize()
        return float(end.time_since(start)) * 1e-3

    add_timer(moved, seconds)
    return result


# --- NumPy's own calls

_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}


def from_numpy(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Answer `__array_ufunc__`: NotImplemented for what is not there, of which NumPy makes a TypeError."""
    name = ufunc.__name__
    kwargs = {key: value for key, value in kwargs.items() if value is not None}
    out = kwargs.pop("out", None)
    if isinstance(out, tuple):
        if len(out) != 1:
            return NotImplemented
        (out,) = out
    for value, what in [*((value, "an operand") for value in inputs), (out, "the array for the result")]:
        if isinstance(value, np.ndarray) and (value.ndim or value is out):
            raise TypeError(
                f"numpy.{name}: {what} is a numpy.ndarray, in host memory, and another is a GPUArray: "
                "copy it to the device with gpuarray.to_gpu(), or the other one to the host with get()"
            )
    if out is not None and not isinstance(out, Array):
        return NotImplemented
    if method == "reduce" and name in _REDUCTIONS:
        from . import reductions

        (array,) = inputs
        kwargs.setdefault("axis", 0)
        if not kwargs.keys() <= {"axis", "dtype", "keepdims"}:
            return NotImplemented
        return reductions.reduce(_REDUCTIONS[name], array, out=out, **kwargs)
    if method != "__call__" or name not in NAMES:
        return NotImplemented
    dtype = kwargs.pop("dtype", None)
    if kwargs:
        return NotImplemented
    if dtype is not None and out is None:
        result = apply(name, inputs)
        return result if result is NotImplemented else converted(result, np.dtype(dtype))
    if name == "power" and isinstance(inputs[0], Array):
        return power(inputs[0], inputs[1], out)
    return apply(name, inputs, out)
