"""Methods of `GPUArray` whose names begin with an underscore, which programs around PyCUDA call too."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import ufuncs


class PrivateNames:
    """Operations on arrays that write to a given array."""

    def _new_like_me(self, dtype: Any = None, order: Any = "C") -> Any:
        """Return a new array of the same shape: of the same strides if the dtype is the same, else of this order."""
        like: Any = self
        dtype = like.dtype if dtype is None else np.dtype(dtype)
        return like._allocated_like(like.shape, dtype, "K" if dtype == like.dtype else order)

    def _axpbyz(
        self, selffac: Any, other: Any, otherfac: Any, out: Any, add_timer: Any = None, stream: Any = None
    ) -> Any:
        """Set `out` to `selffac * self + otherfac * other`."""
        return ufuncs.linear_combination(self, selffac, other, otherfac, out, add_timer, stream)

    def _axpbz(self, selffac: Any, other: Any, out: Any, stream: Any = None) -> Any:
        """Set `out` to `selffac * self + other`, with a number `other`."""
        product = ufuncs.apply("multiply", (self, selffac), None, stream)
        return ufuncs.apply("add", (product, other), out, stream)

    def _elwise_multiply(self, other: Any, out: Any, stream: Any = None) -> Any:
        """Set `out` to `self * other`."""
        return ufuncs.apply("multiply", (self, other), out, stream)

    def _rdiv_scalar(self, other: Any, out: Any, stream: Any = None) -> Any:
        """Set `out` to `other / self`, with a number `other`."""
        return ufuncs.apply("divide", (other, self), out, stream)

    def _div(self, other: Any, out: Any, stream: Any = None) -> Any:
        """Set `out` to `self / other`."""
        return ufuncs.apply("divide", (self, other), out, stream)

    def _pow(self, other: Any, new: bool) -> Any:
        """Return `self ** other`, in this array unless `new`."""
        this: Any = self
        return ufuncs.power(this, other, None if new else this)
