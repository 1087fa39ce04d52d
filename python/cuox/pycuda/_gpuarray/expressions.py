"""NumPy's operations on elements as CUDA C++: types, conversions, and an expression for each ufunc.

A value in an expression has the *compute type* of its dtype: that is `float` for float16, and the C type for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..tools import dtype_to_ctype

Dtype: TypeAlias = "np.dtype[Any]"
_Types: TypeAlias = Sequence[Dtype]


def c_type(dtype: Dtype) -> str:
    """Return the C type of elements in memory."""
    if not dtype.isnative:
        raise TypeError(f"no arithmetic on elements of {dtype}: their bytes are in the other order; convert them on the host")
    return "__half" if dtype.char == "e" else dtype_to_ctype(dtype)


def compute_type(dtype: Dtype) -> str:
    """Return the C type that values are computed in."""
    return "float" if dtype.char == "e" else c_type(dtype)


def real_dtype(dtype: Dtype) -> Dtype:
    """Return the dtype of the real part: float32 for complex64; others have none but themselves."""
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def load(element: str, dtype: Dtype) -> str:
    """Return the value of an element in its compute type."""
    return f"__half2float({element})" if dtype.char == "e" else element


def store(value: str, dtype: Dtype) -> str:
    """Return what is stored for a value in its compute type."""
    return f"__float2half_rn({value})" if dtype.char == "e" else value


def cast(value: str, source: Dtype, target: Dtype) -> str:
    """Convert a value as `numpy.ndarray.astype` does, between compute types."""
    if source == target or compute_type(source) == compute_type(target):
        return value
    if target.kind == "c":
        real = compute_type(real_dtype(target))
        if source.kind == "c":
            return f"{c_type(target)}(({real})({value}).real(), ({real})({value}).imag())"
        return f"{c_type(target)}(({real})({value}), ({real})0)"
    if target.kind == "b":
        return _is_true(value, source)
    if source.kind == "c":
        value = f"({value}).real()"
    return f"({compute_type(target)})({value})"


def cast_element(element: str, source: Dtype, target: Dtype) -> str:
    """Convert an element in memory to one of another dtype in memory, rounding once."""
    if target.char == "e" and (source.kind in "iu" or source.char in "dD"):
        value = f"({element}).real()" if source.kind == "c" else element
        return f"__double2half((double)({value}))"
    if source.kind == "f" and target.kind == "u":
        # NumPy converts negative numbers modulo 2^n, the GPU's conversion to unsigned types makes them 0.
        value = load(element, source)
        unsigned = compute_type(target)
        return f"(({value}) < 0 ? ({unsigned})(long long)({value}) : ({unsigned})({value}))"
    if source.kind == "f" and target.kind == "i" and target.itemsize < 4:
        return f"({compute_type(target)})(int)({load(element, source)})"
    return store(cast(load(element, source), source, target), target)


def _is_true(value: str, dtype: Dtype) -> str:
    if dtype.kind == "c":
        return f"(({value}).real() != 0 || ({value}).imag() != 0)"
    return f"(({value}) != 0)"


def highest(dtype: Dtype) -> str:
    """Return the literal of the largest value, infinity for floating point."""
    return _extreme(dtype, largest=True)


def lowest(dtype: Dtype) -> str:
    """Return the literal of the smallest value, minus infinity for floating point."""
    return _extreme(dtype, largest=False)


def _extreme(dtype: Dtype, *, largest: bool) -> str:
    sign = "" if largest else "-"
    if dtype.kind == "f":
        return f"({sign}__longlong_as_double(0x7ff0000000000000LL))" if dtype.itemsize == 8 else f"({sign}__int_as_float(0x7f800000))"
    if dtype.kind == "b":
        return "true" if largest else "false"
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if largest:
            return f"{info.max}{'ULL' if dtype.kind == 'u' else 'LL'}"
        return "0" if dtype.kind == "u" else f"({info.min + 1}LL - 1)"
    raise TypeError(f"elements of {dtype} have no order: max and min take real numbers")


# --- Expressions for ufuncs. Each takes the operands in the compute types of the ufunc's loop, and those types with the result's.

_Expression: TypeAlias = Callable[[Sequence[str], _Types], str]


def _wrapping(operator: str, when_bool: str | None) -> _Expression:
    """Return sums and products, which wrap around for integers: in C++, only unsigned arithmetic does."""

    def expression(values: Sequence[str], types: _Types) -> str:
        x, y = values
        dtype = types[-1]
        if dtype.kind == "b" and when_bool is not None:
            return f"(({x}) {when_bool} ({y}))"
        if dtype.kind in "iu":
            unsigned = "unsigned long long" if dtype.itemsize == 8 else "unsigned int"
            return f"({c_type(dtype)})(({unsigned})({x}) {operator} ({unsigned})({y}))"
        return f"(({x}) {operator} ({y}))"

    return expression


def _infix(operator: str) -> _Expression:
    return lambda values, types: f"({compute_type(types[-1])})(({values[0]}) {operator} ({values[1]}))"


def _comparison(operator: str) -> _Expression:
    def expression(values: Sequence[str], types: _Types) -> str:
        x, y = values
        if types[0].kind == "c":
            if operator in ("==", "!="):
                return f"(({x}) {operator} ({y}))"
            # NumPy's order of complex numbers: real parts first.
            return f"(({x}).real() == ({y}).real() ? ({x}).imag() {operator} ({y}).imag() : ({x}).real() {operator} ({y}).real())"
        if types[0].kind == "i" and types[1].kind == "u":
            return f"(_cuox_compare({x}, {y}) {operator} 0)"
        if types[0].kind == "u" and types[1].kind == "i":
            return f"(-_cuox_compare({y}, {x}) {operator} 0)"
        return f"(({x}) {operator} ({y}))"

    return expression


def _logical(operator: str) -> _Expression:
    return lambda values, types: f"({_is_true(values[0], types[0])} {operator} {_is_true(values[1], types[1])})"


def _extremum(operator: str) -> _Expression:
    """Return the larger or smaller of two; NaN if one of them is NaN."""

    def expression(values: Sequence[str], types: _Types) -> str:
        x, y = values
        if types[0].kind == "c":
            raise TypeError("maximum and minimum take real numbers, not complex ones")
        nan = f" || ({x}) != ({x})" if types[0].kind == "f" else ""
        return f"((({x}) {operator} ({y}){nan}) ? ({x}) : ({y}))"

    return expression


_OF_COMPLEX = ("exp", "log", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "pow")


def _function(name: str) -> _Expression:
    """Return a call of a function of the CUDA math library, or of the complex type's."""

    def expression(values: Sequence[str], types: _Types) -> str:
        arguments = ", ".join(values)
        if types[0].kind == "c":
            if name == "rint":
                real = "rint" if types[0].itemsize == 16 else "rintf"
                return f"{c_type(types[0])}({real}(({arguments}).real()), {real}(({arguments}).imag()))"
            if name not in _OF_COMPLEX:
                raise TypeError(f"{name} is not there for complex numbers in device memory; compute it on the host: array.get()")
            return f"pycuda::{name}({arguments})"
        if types[0].kind in "biu":
            # Rounding and the like of integers.
            return values[0]
        return f"{name}{'' if types[0].itemsize == 8 else 'f'}({arguments})"

    return expression


def _extremum_past_nan(name: str, operator: str) -> _Expression:
    """Return the larger or smaller of two; the other one if one of them is NaN."""
    of_floats, of_others = _function(name), _extremum(operator)
    return lambda values, types: (of_floats if types[0].kind == "f" else of_others)(values, types)


def _helper(name: str) -> _Expression:
    return lambda values, types: f"{name}<{compute_type(types[-1])}>({', '.join(values)})"


def _power(values: Sequence[str], types: _Types) -> str:
    if types[-1].kind in "iub":
        return f"_cuox_power<{c_type(types[-1])}>({', '.join(values)})"
    return _function("pow")(values, types)


def _negative(values: Sequence[str], types: _Types) -> str:
    dtype = types[-1]
    if dtype.kind in "iu":
        return f"({c_type(dtype)})(0{'ULL' if dtype.itemsize == 8 else 'U'} - {values[0]})"
    return f"(-({values[0]}))"


def _absolute(values: Sequence[str], types: _Types) -> str:
    (x,), dtype = values, types[0]
    if dtype.kind == "c":
        return f"{'hypot' if dtype.itemsize == 16 else 'hypotf'}(({x}).real(), ({x}).imag())"
    if dtype.kind == "i":
        return f"(({x}) < 0 ? {_negative(values, types)} : ({x}))"
    return x if dtype.kind in "bu" else _function("fabs")(values, types)


def _sign(values: Sequence[str], types: _Types) -> str:
    (x,), dtype = values, types[0]
    if dtype.kind == "c":
        raise TypeError("sign takes real numbers, not complex ones")
    nan = f"({x}) != ({x}) ? ({x}) : " if dtype.kind == "f" else ""
    negative = f" - ({x} < 0)" if dtype.kind != "u" else ""
    return f"({compute_type(types[-1])})({nan}(({x} > 0){negative}))"


def _invert(values: Sequence[str], types: _Types) -> str:
    return f"({c_type(types[-1])})({'!' if types[0].kind == 'b' else '~'}({values[0]}))"


def _shift(operator: str) -> _Expression:
    def expression(values: Sequence[str], types: _Types) -> str:
        (x, y), dtype = values, types[0]
        bits = 8 * dtype.itemsize
        beyond = f"(({x}) < 0 ? -1 : 0)" if operator == ">>" and dtype.kind == "i" else "0"
        unsigned = "unsigned long long" if dtype.itemsize == 8 else "unsigned int"
        value = f"({unsigned})({x})" if operator == "<<" else x
        return f"({c_type(dtype)})((unsigned long long)({y}) < {bits} ? ({value}) {operator} ({y}) : {beyond})"

    return expression


def _test(name: str) -> _Expression:
    def expression(values: Sequence[str], types: _Types) -> str:
        (x,), dtype = values, types[0]
        if dtype.kind == "c":
            return f"({name}(({x}).real()) {'&&' if name == 'isfinite' else '||'} {name}(({x}).imag()))"
        if dtype.kind in "biu":
            return "true" if name == "isfinite" else "false"
        return f"(bool){name}({x})"

    return expression


def _reciprocal(values: Sequence[str], types: _Types) -> str:
    (x,), kind = values, compute_type(types[-1])
    if types[-1].kind in "iu":
        return f"({kind})(({x}) == 0 ? 0 : 1 / ({x}))"
    return f"(({kind})1 / ({x}))"


def _conjugate(values: Sequence[str], types: _Types) -> str:
    return f"pycuda::conj({values[0]})" if types[0].kind == "c" else values[0]


def _square(values: Sequence[str], types: _Types) -> str:
    return _wrapping("*", "&&")([values[0], values[0]], types)


_ROUNDING = ("ceil", "floor", "trunc", "rint")
_FUNCTIONS = {
    **{name: name for name in ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "fabs", *_ROUNDING)},
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "hypot", "copysign", "nextafter")},
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "arctan2": "atan2",
}

EXPRESSIONS: dict[str, _Expression] = {
    **{name: _function(c_name) for name, c_name in _FUNCTIONS.items()},
    "add": _wrapping("+", "||"),
    "subtract": _wrapping("-", None),
    "multiply": _wrapping("*", "&&"),
    "divide": _infix("/"),
    "floor_divide": _helper("_cuox_floor_divide"),
    "remainder": _helper("_cuox_remainder"),
    "fmod": lambda values, types: (_helper("_cuox_fmod") if types[0].kind in "iu" else _function("fmod"))(values, types),
    "power": _power,
    "equal": _comparison("=="),
    "not_equal": _comparison("!="),
    "less": _comparison("<"),
    "less_equal": _comparison("<="),
    "greater": _comparison(">"),
    "greater_equal": _comparison(">="),
    "logical_and": _logical("&&"),
    "logical_or": _logical("||"),
    "logical_xor": _logical("!="),
    "logical_not": lambda values, types: f"(!{_is_true(values[0], types[0])})",
    "bitwise_and": _infix("&"),
    "bitwise_or": _infix("|"),
    "bitwise_xor": _infix("^"),
    "left_shift": _shift("<<"),
    "right_shift": _shift(">>"),
    "invert": _invert,
    "maximum": _extremum(">"),
    "minimum": _extremum("<"),
    "fmax": _extremum_past_nan("fmax", ">"),
    "fmin": _extremum_past_nan("fmin", "<"),
    "positive": lambda values, types: values[0],
    "negative": _negative,
    "absolute": _absolute,
    "sign": _sign,
    "square": _square,
    "reciprocal": _reciprocal,
    "conjugate": _conjugate,
    "isnan": _test("isnan"),
    "isinf": _test("isinf"),
    "isfinite": _test("isfinite"),
}

HELPERS = r"""
static __device__ int _cuox_compare(long long a, unsigned long long b)
{
    return a < 0 || (unsigned long long)a < b ? -1 : (unsigned long long)a > b;
}

// Integers: a product by squaring. A negative exponent gives what the rounded-down power is: 0, or 1 and -1 of themselves.
template <class T> static __device__ T _cuox_power(T base, T exponent)
{
    if (exponent < 0)
        return base == 1 ? 1 : base == T(-1) ? (exponent % 2 ? T(-1) : 1) : 0;
    unsigned long long result = 1, factor = (unsigned long long)base, rest = (unsigned long long)exponent;
    for (; rest; rest >>= 1, factor *= factor)
        if (rest & 1)
            result *= factor;
    return (T)result;
}

template <class T> static __device__ T _cuox_floor_divide(T a, T b)
{
    if (b == 0)
        return 0;
    if (T(-1) < 0 && b == T(-1))
        return (T)(0ULL - (unsigned long long)a);
    T quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

template <class T> static __device__ T _cuox_fmod(T a, T b)
{
    return b == 0 || (T(-1) < 0 && b == T(-1)) ? 0 : a % b;
}

template <class T> static __device__ T _cuox_remainder(T a, T b)
{
    if (b == 0 || (T(-1) < 0 && b == T(-1)))
        return 0;
    T rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

template <class T> static __device__ T _cuox_float_remainder(T a, T b, T rest)
{
    if (b == 0)
        return rest;
    if (rest == 0)
        return copysign(T(0), b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}

template <class T> static __device__ T _cuox_float_floor_divide(T a, T b, T rest)
{
    if (b == 0)
        return a / b;
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0))
        quotient -= T(1);
    if (quotient == 0)
        return copysign(T(0), a / b);
    T whole = floor(quotient);
    return quotient - whole > T(0.5) ? whole + T(1) : whole;
}

template <> __device__ float _cuox_remainder<float>(float a, float b) { return _cuox_float_remainder(a, b, fmodf(a, b)); }
template <> __device__ double _cuox_remainder<double>(double a, double b) { return _cuox_float_remainder(a, b, fmod(a, b)); }
template <> __device__ float _cuox_floor_divide<float>(float a, float b) { return _cuox_float_floor_divide(a, b, fmodf(a, b)); }
template <> __device__ double _cuox_floor_divide<double>(double a, double b) { return _cuox_float_floor_divide(a, b, fmod(a, b)); }
"""
