"""The arguments of what makes operations of a block or warp: shapes, types, operators."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from cuox._internal import numba_types
from cuox._native import _collective_operators
from cuox.numba.cuda import types


class dim3(NamedTuple):
    """The shape of a block."""

    x: int
    y: int
    z: int


def normalize_dim_param(dim: Any) -> dim3:
    """Return the shape of a block that an int, or a tuple of two or three, means. Raises ValueError for others."""
    if isinstance(dim, dim3):
        return dim
    sizes = (dim,) if isinstance(dim, (int, np.integer)) and not isinstance(dim, bool) else dim
    if not isinstance(sizes, tuple) or not all(isinstance(size, (int, np.integer)) for size in sizes):
        raise ValueError(
            f"Unsupported dimension type: {type(dim)}: expected an int or a tuple of two or three, got {dim!r}"
        )
    if sizes is dim and len(sizes) not in (2, 3):
        raise ValueError(f"Tuple dimension must have 2 or 3 elements, got {len(sizes)}")
    if any(size < 0 for size in sizes):
        what = "Dimension values" if sizes is dim else "Dimension value"
        raise ValueError(f"{what} must be non-negative, got {dim}")
    x, y, z = (*map(int, sizes), 1, 1)[:3]
    return dim3(x, y, z)


def block_of(threads_per_block: Any) -> dim3:
    """The same, for blocks that there can be. CUDA C++ Programming Guide, "Compute Capabilities"."""
    shape = normalize_dim_param(threads_per_block)
    if not 0 < shape.x * shape.y * shape.z <= 1024 or shape.z > 64:
        raise ValueError(f"threads_per_block: a block has 1 to 1024 threads, at most 64 along z, got {tuple(shape)}")
    return shape


def normalize_dtype_param(dtype: Any) -> Any:
    """Return the type that a type, a NumPy dtype or scalar class, or a name such as "int32" or "np.int32" means.

    Raises ValueError for others.
    """
    if isinstance(dtype, types.Type) or numba_types.code_of(dtype) is not None:
        return dtype
    if isinstance(dtype, np.dtype) or (isinstance(dtype, type) and issubclass(dtype, np.generic)):
        return types.from_dtype(np.dtype(dtype))
    if isinstance(dtype, type) and dtype in (int, float, complex, bool):
        return types.from_dtype(np.dtype(dtype))
    structure = getattr(dtype, "dtype", None)
    if isinstance(dtype, type) and isinstance(structure, np.dtype):
        # compute's gpu_struct.
        return types.from_dtype(structure)
    if not isinstance(dtype, str):
        raise ValueError(f"Unrecognized dtype format: {dtype!r}: expected a type such as numpy.int32")
    if "." not in dtype:
        found = getattr(types, dtype, None)
        if not isinstance(found, types.Type):
            raise ValueError(f"Invalid numba type name: {dtype}")
        return found
    if not dtype.startswith("np."):
        raise ValueError(
            f"Invalid dtype string format: {dtype}. String with period must start with 'np.' and be followed by a valid numpy dtype."
        )
    scalar = getattr(np, dtype[3:], None)
    if not (isinstance(scalar, type) and issubclass(scalar, np.generic)):
        raise ValueError(f"Invalid numpy dtype: {dtype[3:]}")
    return types.from_dtype(np.dtype(scalar))


def code_of(dtype: Any) -> str:
    """The type code of a type that items can have. Raises TypeError for others."""
    kind = normalize_dtype_param(dtype)
    code = kind.code if isinstance(kind, types.Type) else numba_types.code_of(kind)
    assert code is not None
    if code.startswith(("array(", "opaque(", "tuple(", "ptr(", "none", "char(", "unicode(")):
        raise TypeError(f"dtype: items must be numbers or records, got {kind}")
    return str(code)


_NAMED: dict[Any, str] = {
    operator.add: "plus",
    np.add: "plus",
    operator.mul: "multiplies",
    np.multiply: "multiplies",
    np.minimum: "minimum",
    min: "minimum",
    np.maximum: "maximum",
    max: "maximum",
    operator.and_: "bit_and",
    np.bitwise_and: "bit_and",
    operator.or_: "bit_or",
    np.bitwise_or: "bit_or",
    operator.xor: "bit_xor",
    np.bitwise_xor: "bit_xor",
}
_WRITTEN = dict(_collective_operators())


class ScanOp:
    """An operator of scans: one that has a name (`name`), or a function of the program (`function`).

    op: a name such as "+", "max" or "bit_and", a function such as `numpy.maximum` or `operator.mul`, or a Python
    function of two items. Raises ValueError for others.
    """

    def __init__(self, op: Any) -> None:
        self.op: Any = op.op if isinstance(op, ScanOp) else op
        op = self.op
        self.name: str | None = None
        self.function: Callable[..., Any] | None = None
        if isinstance(op, str):
            self.name = _WRITTEN.get(op)
            if self.name is None:
                raise ValueError(f"Unsupported scan operator: {op}: expected one of {', '.join(_WRITTEN)}")
        elif callable(op):
            self.name = _NAMED.get(op)
            self.function = None if self.name else function_of(op)
        else:
            raise ValueError(
                f"Unsupported scan op type: {type(op)}: expected a function of two items, or a name such as '+'"
            )

    def __repr__(self) -> str:
        return f"ScanOp({self.op})"

    @property
    def is_sum(self) -> bool:
        """True for a sum."""
        return self.name == "plus"

    @property
    def is_known(self) -> bool:
        """True for another operator with a name."""
        return self.name is not None and not self.is_sum

    @property
    def is_callable(self) -> bool:
        """True for a function of the program."""
        return self.name is None


def function_of(op: Any) -> Any:
    """A function that kernels call, of whatever algorithms of `cuda.compute` take as an operator.

    Raises TypeError for others.
    """
    from ..compute._operators import python_function
    from ..compute.op import CppOp

    if hasattr(op, "py_func"):
        return op
    found = python_function(op)
    if isinstance(found, CppOp):
        raise TypeError("an operator of a block or warp must be a function in Python, got a CppOp")
    return found


def size_of(code: str) -> int:
    """Bytes of an item."""
    return 2 if code == "bfloat16" else int(types.from_code(code).dtype.itemsize)
