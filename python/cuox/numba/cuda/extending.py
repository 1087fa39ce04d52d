"""Numba's interface for changing its compiler, which is another one here."""

from __future__ import annotations

from typing import Any

_WAYS = {
    "overload": "write the function in Python: kernels call it as it is, compiled for the types of each call",
    "overload_method": "write a function in Python that takes the object",
    "overload_attribute": "write a function in Python that takes the object",
    "intrinsic": "write it in CUDA C++: cuda.declare_device(name, signature, link=cuda.CUSource(text))",
    "register_model": "pass a named tuple or a record of a structured array",
    "typeof_impl": "pass a named tuple or a record of a structured array",
    "models": "pass a named tuple or a record of a structured array",
}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    way = _WAYS.get(name, "see docs/numba.md, Own types and functions")
    raise AttributeError(
        f"numba.cuda.extending.{name} belongs to Numba's own compiler, which cuox does not have: {way}"
    )
