"""Prefix sums: `InclusiveScanKernel` and `ExclusiveScanKernel`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import cuox
from cuox import Array

from ._driver.errors import raise_translated
from ._gpuarray import kernels, ufuncs
from ._gpuarray.expressions import c_type

if TYPE_CHECKING:
    import numpy.typing as npt

    from .gpuarray import GPUArray

__all__ = ["ExclusiveScanKernel", "InclusiveScanKernel"]


class _ScanKernel:
    _output = ""

    def __init__(
        self,
        dtype: npt.DTypeLike,
        scan_expr: str,
        neutral: Any = None,
        name_prefix: str = "scan",
        options: Sequence[str] | None = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None:
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.neutral = neutral
        item = c_type(self.dtype)
        parameters = [(f"const {item}", "input_ary", True), (item, "output_ary", True)]
        text = None if neutral is None else str(neutral)
        self._kernel = kernels.scan(
            item,
            parameters,
            "input_ary[i]",
            scan_expr,
            text,
            self._output,
            name=f"{name_prefix}_kernel",
            preamble=preamble,
            options=options or (),
        )

    def __call__(
        self,
        input_ary: GPUArray,
        output_ary: GPUArray | Literal["new"] | None = None,
        allocator: Any = None,
        stream: Any = None,
    ) -> GPUArray:
        """Scan an array of one dimension.

        output_ary: the array that takes the results; "new" makes one, and None puts them in place of the input.

        Returns the array with the results. Raises TypeError for another dtype, ValueError for other shapes.
        """
        for name, array in (("input_ary", input_ary), ("output_ary", output_ary)):
            if not isinstance(array, (Array, str, type(None))) or (array is input_ary and not isinstance(array, Array)):
                raise TypeError(
                    f"{name} must be a GPUArray, got {type(array).__name__}; gpuarray.to_gpu() copies host arrays"
                )
        output: Any = input_ary if output_ary is None else output_ary
        if isinstance(output, str):
            if output != "new":
                raise ValueError(f'output_ary must be a GPUArray, "new" or None, got {output!r}')
            output = (
                ufuncs.new_like([input_ary], input_ary.shape, self.dtype)
                if allocator is None
                else _new(input_ary, self.dtype, allocator)
            )
        if input_ary.ndim != 1 or output.shape != input_ary.shape:
            raise ValueError(
                f"input and output must have one dimension and the same shape, got {input_ary.shape} and {output.shape}"
            )
        for name, array in (("input_ary", input_ary), ("output_ary", output)):
            if array.dtype != self.dtype:
                raise TypeError(f"{name} must have the dtype of the kernel, {self.dtype}, got {array.dtype}")
        if input_ary.size:
            source = ufuncs._apart(input_ary, output)
            try:
                self._kernel(source, output, stream=stream)
            except (cuox.CUDAError, cuox.CompileError, TypeError) as error:
                raise_translated(error)
        return output  # type: ignore[no-any-return]


def _new(like: GPUArray, dtype: Any, allocator: Any) -> GPUArray:
    from .gpuarray import GPUArray

    return GPUArray(like.shape, dtype, allocator)


class InclusiveScanKernel(_ScanKernel):
    """A kernel of prefix sums in which each result includes the element at its place.

    dtype: of the elements. scan_expr: the sum of `a` and `b` in CUDA C++, which must be associative: `a+b`. neutral: is
    not needed. name_prefix: the first part of the kernel's name. preamble: declarations before it. options: for the
    compiler.
    """

    _output = "output_ary[i] = item"


class ExclusiveScanKernel(_ScanKernel):
    """A kernel of prefix sums in which each result is that of the elements before its place; the first is `neutral`.

    The parameters are those of `InclusiveScanKernel`. Raises ValueError if `neutral` is missing.
    """

    _output = "output_ary[i] = prev_item"

    def __init__(
        self,
        dtype: npt.DTypeLike,
        scan_expr: str,
        neutral: Any = None,
        name_prefix: str = "scan",
        options: Sequence[str] | None = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None:
        if neutral is None:
            raise ValueError("neutral is needed for an exclusive scan: it is the first result")
        super().__init__(dtype, scan_expr, neutral, name_prefix, options, preamble, devices)
