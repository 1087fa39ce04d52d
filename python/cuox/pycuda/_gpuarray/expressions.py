"""Types and conversions of elements as CUDA C++.

A value in an expression has the *compute type* of its dtype: that is `float` for float16, and the C type for all
others.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ..tools import dtype_to_ctype

Dtype: TypeAlias = "np.dtype[Any]"


def c_type(dtype: Dtype) -> str:
    """Return the C type of elements in memory."""
    if not dtype.isnative:
        raise TypeError(
            f"no arithmetic on elements of {dtype}: their bytes are in the other order; convert them on the host"
        )
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
        return (
            f"({sign}__longlong_as_double(0x7ff0000000000000LL))"
            if dtype.itemsize == 8
            else f"({sign}__int_as_float(0x7f800000))"
        )
    if dtype.kind == "b":
        return "true" if largest else "false"
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if largest:
            return f"{info.max}{'ULL' if dtype.kind == 'u' else 'LL'}"
        return "0" if dtype.kind == "u" else f"({info.min + 1}LL - 1)"
    raise TypeError(f"elements of {dtype} have no order: max and min take real numbers")
