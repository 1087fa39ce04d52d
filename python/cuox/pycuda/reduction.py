"""Reductions by an operator of one's own: `ReductionKernel`, and those that `gpuarray` has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuox
from cuox import Array

from ._driver.errors import raise_translated
from ._gpuarray import kernels
from ._gpuarray.axes import axes_of
from ._gpuarray.declarations import Values, arguments_of, parameters_of, words_of
from ._gpuarray.expressions import c_type, highest, lowest
from .tools import VectorArg, context_dependent_memoize, dtype_to_ctype, get_arg_type

if TYPE_CHECKING:
    import numpy.typing as npt

    from .gpuarray import GPUArray

__all__ = [
    "ReductionKernel",
    "get_all_kernel",
    "get_any_kernel",
    "get_dot_kernel",
    "get_minmax_kernel",
    "get_minmax_neutral",
    "get_reduction_kernel_and_types",
    "get_reduction_module",
    "get_subset_dot_kernel",
    "get_subset_minmax_kernel",
    "get_subset_sum_kernel",
    "get_sum_kernel",
]


class ReductionKernel:
    """A kernel that combines the elements of arrays to one value.

    dtype_out: the type of the result. neutral: the result of no elements, in CUDA C++.
    reduce_expr: the combination of `a` and `b`, which must be associative and commutative: `a+b`.
    map_expr: what is combined, for each index `i`: `x[i]*y[i]`; by default the elements of the first array.
    arguments: the declarations of the parameters: `const float *x, const float *y`.
    name: the kernel's name. preamble: declarations before it. options: for the compiler. keep: is ignored.
    allocator: for results, if the call names none.

    The same arrays give the same bits. Arrays may have any strides. Raises ValueError if there is no array among the
    arguments.
    """

    def __init__(
        self,
        dtype_out: npt.DTypeLike,
        neutral: Any,
        reduce_expr: str,
        map_expr: str | None = None,
        arguments: Any = None,
        name: str = "reduce_kernel",
        keep: bool = False,
        options: Any = None,
        preamble: str = "",
        allocator: Callable[[int], Any] | None = None,
    ) -> None:
        self.dtype_out: np.dtype[Any] = np.dtype(dtype_out)
        if arguments is None:
            raise TypeError(
                "ReductionKernel(): arguments is missing: the declarations of its parameters, such as 'const float *x'"
            )
        declared = arguments_of(arguments)
        if not any(isinstance(argument, VectorArg) for argument in declared):
            raise ValueError(
                f"ReductionKernel(): at least one argument must be an array, such as 'float *x'; got {arguments!r}"
            )
        self._vectors = [isinstance(argument, VectorArg) for argument in declared]
        self._values = Values(declared)
        self._allocator = allocator
        self._kernel = kernels.reduction(
            c_type(self.dtype_out),
            str(neutral),
            reduce_expr,
            map_expr or "",
            parameters_of(arguments),
            name=name,
            preamble=preamble,
            options=words_of(options),
        )

    def __call__(
        self,
        *args: Any,
        stream: Any = None,
        out: Any = None,
        allocator: Callable[[int], Any] | None = None,
        axis: Any = None,
        range: Any = None,
    ) -> GPUArray:
        """Combine the elements; the first array says how many there are.

        out: the array that takes the result: its first element. allocator: for the memory of a new array.
        axis: the dimension or dimensions of the first array to combine along. range: a slice of the indices.

        Returns an array without dimensions, or `out`. Raises ValueError for an `out` of another dtype.
        """
        first = next(
            (arg for arg, vector in zip(args, self._vectors, strict=False) if vector and isinstance(arg, Array)), None
        )
        if first is None:
            raise TypeError("ReductionKernel takes at least one GPUArray, which says how many elements there are")
        axes = None if axis is None else axes_of(axis, first.ndim)
        shape = () if axes is None else tuple(size for index, size in enumerate(first.shape) if index not in axes)
        if out is None:
            from .gpuarray import GPUArray

            target: Any = GPUArray(
                shape, self.dtype_out, allocator or self._allocator or getattr(first, "_own_allocator", None)
            )
            out = target
        else:
            if out.dtype != self.dtype_out:
                raise ValueError(f"out must have the dtype of the kernel, {self.dtype_out}, got {out.dtype}")
            if out.size == 0:
                raise ValueError("out has no elements: the result needs one")
            target = out if out.shape == shape or axes is not None else out[(0,) * out.ndim]
        indices = None if range is None else (range.start, range.stop, 1 if range.step is None else range.step)
        try:
            self._kernel(*self._values(args), out=target, axis=axes, range=indices, stream=stream)
        except (cuox.CUDAError, cuox.CompileError, TypeError) as error:
            raise_translated(error)
        return out  # type: ignore[no-any-return]


# Each block combines a stretch of seq_count * block_size elements: a thread every block_size-th of them, then the
# threads pairwise.
_STAGE = """
#include <pycuda-complex.hpp>
#define BLOCK_SIZE {block_size}
#define READ_AND_MAP(i) ({map_expr})
#define REDUCE(a, b) ({reduce_expr})
{preamble}
typedef {out_type} out_type;

extern "C" __global__ void {name}(out_type *out, {arguments}, unsigned int seq_count, size_t n)
{{
    extern __shared__ __align__(16) unsigned char partial_bytes[];
    out_type *partial = reinterpret_cast<out_type *>(partial_bytes);
    const unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * BLOCK_SIZE * seq_count + tid;
    out_type acc = {neutral};
    for (unsigned int turn = 0; turn < seq_count && i < n; ++turn, i += BLOCK_SIZE)
        acc = REDUCE(acc, READ_AND_MAP(i));
    partial[tid] = acc;
    for (unsigned int width = BLOCK_SIZE; width > 1;) {{
        const unsigned int half = (width + 1) / 2;
        __syncthreads();
        if (tid + half < width)
            partial[tid] = REDUCE(partial[tid], partial[tid + half]);
        width = half;
    }}
    if (tid == 0)
        out[blockIdx.x] = partial[0];
}}
"""


def get_reduction_module(
    out_type: str,
    block_size: int,
    neutral: Any,
    reduce_expr: str,
    map_expr: str,
    arguments: str,
    name: str = "reduce_kernel",
    keep: bool = False,
    options: Any = None,
    preamble: str = "",
) -> Any:
    """Compile a module with one stage of a reduction, for arrays whose elements lie one after another.

    Its kernel takes the output, the arguments, seq_count and n; block `k` combines the elements from `k * seq_count *
    block_size` on to `out[k]`. It needs `block_size` values of dynamic shared memory.
    """
    from .compiler import SourceModule

    source = _STAGE.format(
        block_size=block_size,
        map_expr=map_expr,
        reduce_expr=reduce_expr,
        preamble=preamble,
        out_type=out_type,
        name=name,
        arguments=arguments,
        neutral=neutral,
    )
    return SourceModule(
        source, options=None if options is None else list(words_of(options)), keep=keep, no_extern_c=True
    )


def get_reduction_kernel_and_types(
    stage: int,
    out_type: str,
    block_size: int,
    neutral: Any,
    reduce_expr: str,
    map_expr: str | None = None,
    arguments: str | None = None,
    name: str = "reduce_kernel",
    keep: bool = False,
    options: Any = None,
    preamble: str = "",
) -> tuple[Any, list[str]]:
    """Compile a stage of a reduction and prepare it: stage 1 reads the arguments, stage 2 what stage 1 has written.

    Returns the function and the letters of its arguments' types.
    """
    if stage not in (1, 2):
        raise ValueError(f"stage must be 1 or 2, got {stage}")
    if stage == 2:
        read = f"const {out_type} *pycuda_reduction_inp"
        arguments = f"{read}, {arguments}" if arguments else read
    if not arguments:
        raise TypeError("arguments is missing: the declarations of the parameters, such as 'const float *in'")
    if map_expr is None:
        map_expr = "in[i]" if stage == 1 else "pycuda_reduction_inp[i]"
    module = get_reduction_module(
        out_type, block_size, neutral, reduce_expr, map_expr, arguments, name, keep, options, preamble
    )
    types = [get_arg_type(argument) for argument in arguments.split(",")]
    function = module.get_function(name)
    function.prepare(["P", *types, "I", "N"])
    return function, types


def _const(dtype: Any, name: str) -> str:
    return f"const {dtype_to_ctype(dtype)} *{name}"


@context_dependent_memoize
def get_sum_kernel(dtype_out: Any, dtype_in: Any) -> ReductionKernel:
    """Return a kernel of the sum of elements, of the elements' type if `dtype_out` is None."""
    return ReductionKernel(dtype_in if dtype_out is None else dtype_out, "0", "a+b", arguments=_const(dtype_in, "in"))


@context_dependent_memoize
def get_any_kernel(dtype_out: Any, dtype_in: Any) -> ReductionKernel:
    """Return a kernel that tells whether an element is not 0."""
    return ReductionKernel(
        dtype_in if dtype_out is None else dtype_out, "0", "a || b", "in[i] != 0", _const(dtype_in, "in")
    )


@context_dependent_memoize
def get_all_kernel(dtype_out: Any, dtype_in: Any) -> ReductionKernel:
    """Return a kernel that tells whether all elements are not 0."""
    return ReductionKernel(
        dtype_in if dtype_out is None else dtype_out, "1", "a && b", "in[i] != 0", _const(dtype_in, "in")
    )


@context_dependent_memoize
def get_subset_sum_kernel(dtype_out: Any, dtype_subset: Any, dtype_in: Any) -> ReductionKernel:
    """Return a kernel of the sum of the elements with certain indices, which are its first argument."""
    arguments = f"{_const(dtype_subset, 'lookup_tbl')}, {_const(dtype_in, 'in')}"
    return ReductionKernel(dtype_in if dtype_out is None else dtype_out, "0", "a+b", "in[lookup_tbl[i]]", arguments)


@context_dependent_memoize
def get_dot_kernel(dtype_out: Any, dtype_a: Any, dtype_b: Any) -> ReductionKernel:
    """Return a kernel of the sum of products of two arrays' elements."""
    return ReductionKernel(dtype_out, "0", "a+b", "a_[i]*b_[i]", f"{_const(dtype_a, 'a_')}, {_const(dtype_b, 'b_')}")


@context_dependent_memoize
def get_subset_dot_kernel(
    dtype_out: Any, dtype_subset: Any, dtype_a: Any = None, dtype_b: Any = None
) -> ReductionKernel:
    """Return a kernel of the sum of products of the elements with certain indices, which are its first argument."""
    dtype_out = dtype_a if dtype_out is None else dtype_out
    dtype_a = dtype_out if dtype_a is None else dtype_a
    dtype_b = dtype_a if dtype_b is None else dtype_b
    arguments = ", ".join([_const(dtype_subset, "lookup_tbl"), _const(dtype_a, "a_"), _const(dtype_b, "b_")])
    return ReductionKernel(dtype_out, "0", "a+b", "a_[lookup_tbl[i]]*b_[lookup_tbl[i]]", arguments)


def get_minmax_neutral(what: str, dtype: npt.DTypeLike) -> str:
    """Return the literal in CUDA C++ that no element is beyond: `what` is "min" or "max"."""
    if what not in ("min", "max"):
        raise ValueError(f'what must be "min" or "max", got {what!r}')
    return highest(np.dtype(dtype)) if what == "min" else lowest(np.dtype(dtype))


def _extremum(what: str, dtype: Any) -> tuple[str, str]:
    """Return the neutral element and the expression. As in PyCUDA, NaN is passed over."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "iuf" or dtype.char == "e":
        raise TypeError(f"get_minmax_kernel() takes integers, float32 and float64, got {dtype}")
    function = {"f": f"f{what}f", "d": f"f{what}"}.get(dtype.char, what)
    return get_minmax_neutral(what, dtype), f"{function}(a, b)"


@context_dependent_memoize
def get_minmax_kernel(what: str, dtype: Any) -> ReductionKernel:
    """Return a kernel of the smallest or largest element: `what` is "min" or "max"."""
    neutral, expression = _extremum(what, dtype)
    return ReductionKernel(dtype, neutral, expression, arguments=_const(dtype, "in"), name=f"{what}_kernel")


@context_dependent_memoize
def get_subset_minmax_kernel(what: str, dtype: Any, dtype_subset: Any) -> ReductionKernel:
    """Return a kernel of the smallest or largest of the elements with certain indices, which are its first argument."""
    neutral, expression = _extremum(what, dtype)
    arguments = f"{_const(dtype_subset, 'lookup_tbl')}, {_const(dtype, 'in')}"
    return ReductionKernel(dtype, neutral, expression, "in[lookup_tbl[i]]", arguments, name=f"subset_{what}_kernel")
