"""Numba's interface for types of a program's own: structures of numbers, which are records in kernels.

What changes Numba's compiler in other ways is an AttributeError, which says what to do: the compiler is another one
here.
"""

from __future__ import annotations

from typing import Any

from . import models as models
from ._own_types import lower_builtin as lower_builtin
from ._own_types import lower_constant as lower_constant
from ._own_types import make_attribute_wrapper as make_attribute_wrapper
from ._own_types import register_model as register_model
from ._own_types import type_callable as type_callable
from ._own_types import typeof_impl as typeof_impl

# The name that numba-cuda has for it.
core_models = models

_WAYS = {
    "overload": "write the function in Python: kernels call it as it is, compiled for the types of each call",
    "overload_method": "write a function in Python that takes the object",
    "overload_attribute": "write a function in Python that takes the object",
    "intrinsic": "write it in CUDA C++: cuda.declare_device(name, signature, link=cuda.CUSource(text))",
}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    way = _WAYS.get(name, "see docs/numba.md, Own types and own functions")
    raise AttributeError(f"extending.{name} belongs to Numba's own compiler, which cuox does not have: {way}")
