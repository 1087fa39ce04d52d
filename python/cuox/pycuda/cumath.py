"""Functions of mathematics for the elements of arrays: PyCUDA's `cumath`.

    from cuox.pycuda import cumath

    y = cumath.exp(x)
    cumath.exp(x, out=y, stream=stream)

They take arrays of any strides and of any real type; those of integers give float64, as NumPy's do. Most take complex
numbers too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cuox import Array

from ._gpuarray import kernels, ufuncs
from ._gpuarray.expressions import c_type, compute_type, load, store

if TYPE_CHECKING:
    from .gpuarray import GPUArray

__all__ = [
    "acos",
    "asin",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "fabs",
    "floor",
    "fmod",
    "frexp",
    "ldexp",
    "log",
    "log10",
    "modf",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]

_NUMPY_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}


def _unary(name: str, what: str) -> Callable[..., GPUArray]:
    ufunc = _NUMPY_NAMES.get(name, name)

    def function(array: Any, stream_or_out: Any = None, *, out: Any = None, stream: Any = None) -> Any:
        if stream_or_out is not None:
            warnings.warn(
                "a stream or an output by position is deprecated: use out= and stream=",
                DeprecationWarning,
                stacklevel=2,
            )
            if isinstance(stream_or_out, Array):
                out = stream_or_out
            else:
                stream = stream_or_out
        _check(name, array)
        return ufuncs.apply(ufunc, (array,), out, stream)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return {what} of each element, in a new array or in `out`."
    return function


def _check(name: str, *arrays: Any) -> None:
    for array in arrays:
        if not isinstance(array, Array):
            raise TypeError(
                f"cumath.{name}() takes GPUArrays, got {type(array).__name__}; gpuarray.to_gpu() copies host arrays"
            )


fabs = _unary("fabs", "the absolute value")
ceil = _unary("ceil", "the smallest integer that is not less")
floor = _unary("floor", "the largest integer that is not greater")
exp = _unary("exp", "the exponential")
log = _unary("log", "the natural logarithm")
log10 = _unary("log10", "the logarithm to base 10")
sqrt = _unary("sqrt", "the square root")
sin = _unary("sin", "the sine")
cos = _unary("cos", "the cosine")
tan = _unary("tan", "the tangent")
asin = _unary("asin", "the inverse sine")
acos = _unary("acos", "the inverse cosine")
atan = _unary("atan", "the inverse tangent")
sinh = _unary("sinh", "the hyperbolic sine")
cosh = _unary("cosh", "the hyperbolic cosine")
tanh = _unary("tanh", "the hyperbolic tangent")


def fmod(arg: GPUArray, mod: Any, stream: Any = None) -> GPUArray:
    """Return the remainder of `arg / mod` for each element, of the sign of `arg`."""
    _check("fmod", arg)
    result = ufuncs.apply("fmod", (arg, mod), None, stream)
    if result is NotImplemented:
        _check("fmod", mod)
    return result  # type: ignore[no-any-return]


_SPLITS: dict[Any, Any] = {}


def _split(name: str, array: Any, code: str, stream: Any) -> tuple[Any, Any]:
    """Run code for each element that computes `first` and `second` from `value`. Returns two arrays of its type."""
    _check(name, array)
    dtype = array.dtype if array.dtype.kind == "f" else np.dtype(np.float64)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"cumath.{name}() takes real numbers, got an array of {array.dtype}")
    key = (name, array.dtype)
    kernel = _SPLITS.get(key)
    if kernel is None:
        computed = compute_type(dtype)
        parameters = [
            (f"const {c_type(array.dtype)}", "x", True),
            (c_type(dtype), "y", True),
            (c_type(dtype), "z", True),
        ]
        operation = f"const {computed} value = {load('x[i]', array.dtype)}; {computed} first, second; {code}; "
        operation += f"y[i] = {store('first', dtype)}; z[i] = {store('second', dtype)}"
        kernel = _SPLITS[key] = kernels.elementwise(parameters, operation, name=f"cumath_{name}")
    first, second = (ufuncs.new_like([array], array.shape, dtype) for _ in range(2))
    kernel(array, first, second, stream=stream)
    return first, second


def frexp(arg: GPUArray, stream: Any = None) -> tuple[GPUArray, GPUArray]:
    """Return significands and exponents, both of the type of `arg`, such that `arg == significand * 2**exponent`."""
    return _split("frexp", arg, "int exponent = 0; first = frexp(value, &exponent); second = exponent", stream)


def modf(arg: GPUArray, stream: Any = None) -> tuple[GPUArray, GPUArray]:
    """Return fractional and integer parts, both of the sign of `arg`."""
    return _split("modf", arg, "first = modf(value, &second)", stream)


_SCALINGS: dict[Any, Any] = {}


def ldexp(significand: GPUArray, exponent: GPUArray, stream: Any = None) -> GPUArray:
    """Return `significand * 2**exponent` for each element. Exponents are integers, or floating-point numbers that are
    rounded toward 0.
    """
    _check("ldexp", significand, exponent)
    if significand.dtype.kind not in "fiub" or exponent.dtype.kind not in "fiub":
        raise TypeError(f"cumath.ldexp() takes real numbers, got arrays of {significand.dtype} and {exponent.dtype}")
    dtype = significand.dtype if significand.dtype.kind == "f" else np.dtype(np.float64)
    key = (significand.dtype, exponent.dtype)
    kernel = _SCALINGS.get(key)
    if kernel is None:
        parameters = [
            (f"const {c_type(key[0])}", "x", True),
            (f"const {c_type(key[1])}", "y", True),
            (c_type(dtype), "z", True),
        ]
        value = f"ldexp(({compute_type(dtype)}){load('x[i]', key[0])}, (int){load('y[i]', key[1])})"
        kernel = _SCALINGS[key] = kernels.elementwise(parameters, f"z[i] = {store(value, dtype)}", name="cumath_ldexp")
    return ufuncs.launch(kernel, [significand, exponent], dtype, None, stream)  # type: ignore[no-any-return]
