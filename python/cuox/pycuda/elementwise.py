"""Kernels that run an operation for each element: `ElementwiseKernel`, and prepared functions for common operations.

The functions `get_..._kernel` return prepared functions of the driver, called as
`function.prepared_async_call(grid, block, stream, ..., n)` with addresses for arrays. `GPUArray` does not need them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

import cuox
from cuox import Array

from ._driver.errors import raise_translated
from ._gpuarray import kernels
from ._gpuarray.declarations import Values, arguments_of, parameters_of, words_of
from ._gpuarray.expressions import real_dtype
from ._gpuarray.texture_sources import FunctionWithSources, TextureSource
from .tools import ScalarArg, VectorArg, context_dependent_memoize, dtype_to_ctype

_LOOP = """
#include <pycuda-complex.hpp>

{preamble}

extern "C" __global__ void {name}({arguments})
{{
    const unsigned tid = threadIdx.x;
    const size_t total_threads = (size_t)gridDim.x * blockDim.x;
    const size_t cta_start = (size_t)blockDim.x * blockIdx.x;
    {counter} i;
    {loop_prep};
    {loop}
    {{
        {operation};
    }}
    {after_loop};
}}
"""
_ALL = "for (i = cta_start + tid; i < n; i += total_threads)"
_RANGE = (
    "for (i = start + (long)(cta_start + tid) * step; step < 0 ? i > stop : i < stop; i += (long)total_threads * step)"
)


def _module(
    arguments: Sequence[Any],
    operation: str,
    name: str,
    keep: bool,
    options: Any,
    loop: str,
    counter: str,
    preamble: str,
    loop_prep: str,
    after_loop: str,
) -> Any:
    from .compiler import SourceModule

    source = _LOOP.format(
        preamble=preamble,
        name=name,
        arguments=", ".join(argument.declarator() for argument in arguments),
        counter=counter,
        loop_prep=loop_prep,
        loop=loop,
        operation=operation,
        after_loop=after_loop,
    )
    return SourceModule(
        source, options=None if options is None else list(words_of(options)), keep=keep, no_extern_c=True
    )


def get_elwise_module(
    arguments: Sequence[Any],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Any = None,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> Any:
    """Compile a module with a kernel that runs `operation` for each `i` from 0 to `n`, which must be among the
    arguments.
    """
    return _module(arguments, operation, name, keep, options, _ALL, "size_t", preamble, loop_prep, after_loop)


def get_elwise_range_module(
    arguments: Sequence[Any],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Any = None,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> Any:
    """Compile a module with a kernel that runs `operation` for each `i` from `start` to `stop` in steps of `step`,
    which
    must be among the arguments.
    """
    return _module(arguments, operation, name, keep, options, _RANGE, "long", preamble, loop_prep, after_loop)


def get_elwise_kernel_and_types(
    arguments: Any,
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Any = None,
    use_range: bool = False,
    **kwargs: Any,
) -> tuple[Any, Any, list[Any]]:
    """Compile a kernel and prepare it. Returns the module, the function and the arguments, to which those of the loop
    are added.
    """
    declared: list[Any] = arguments_of(arguments)
    if use_range:
        declared += [ScalarArg(np.intp, bound) for bound in ("start", "stop", "step")]
        module = get_elwise_range_module(declared, operation, name, keep, options, **kwargs)
    else:
        declared.append(ScalarArg(np.uintp, "n"))
        module = get_elwise_module(declared, operation, name, keep, options, **kwargs)
    function = module.get_function(name)
    function.prepare([argument.struct_char for argument in declared])
    return module, function, declared


def get_elwise_kernel(
    arguments: Any, operation: str, name: str = "kernel", keep: bool = False, options: Any = None, **kwargs: Any
) -> Any:
    """Compile a kernel and return it prepared: called with its arguments and then the number of elements."""
    return get_elwise_kernel_and_types(arguments, operation, name, keep, options, **kwargs)[1]


class ElementwiseKernel:
    """An operation in CUDA C++ that is run for each element of arrays.

    arguments: the declarations of the parameters, `float a, float *x, float *z`, or a list of `ScalarArg` and
    `VectorArg`. operation: statements for each index `i`: `z[i] = a * x[i]`. `n` is the number of elements. name: the
    kernel's name. keep: is ignored. options: for the compiler. preamble: declarations before the kernel. loop_prep,
    after_loop: statements of each thread around its loop.

    Arrays may have any strides: if they do not all lie in one order, `x[i]` is the element with index `i` in C's order.

    Raises ValueError if there is no array among the arguments; CompileError when it is first called.
    """

    def __init__(
        self,
        arguments: Any,
        operation: str,
        name: str = "kernel",
        keep: bool = False,
        options: Any = None,
        *,
        preamble: str = "",
        loop_prep: str = "",
        after_loop: str = "",
    ) -> None:
        self.gen_kwargs: dict[str, Any] = {
            "arguments": arguments,
            "operation": operation,
            "name": name,
            "keep": keep,
            "options": options,
            "preamble": preamble,
            "loop_prep": loop_prep,
            "after_loop": after_loop,
        }
        declared = arguments_of(arguments)
        if not any(isinstance(argument, VectorArg) for argument in declared):
            raise ValueError(
                f"ElementwiseKernel(): at least one argument must be an array, such as 'float *x'; got {arguments!r}"
            )
        self._kernel = kernels.elementwise(
            parameters_of(arguments),
            operation,
            name=name,
            preamble=preamble,
            loop_prep=loop_prep,
            after_loop=after_loop,
            options=words_of(options),
        )
        self._vectors = [isinstance(argument, VectorArg) for argument in declared]
        self._values = Values(declared)

    def __call__(self, *args: Any, range: slice | None = None, slice: slice | None = None, stream: Any = None) -> None:
        """Run the operation for all elements of the first array, in the order of a stream.

        range: a slice of the indices instead, with start and stop. slice: the same as for the first array's elements,
        from its end for negative numbers.
        """
        if range is None and slice is None:
            try:
                self._kernel(*self._values(args), stream=stream)
            except (cuox.CUDAError, cuox.CompileError, TypeError) as error:
                raise_translated(error)
            return
        if slice is not None:
            if range is not None:
                raise TypeError("range and slice: give one of the two")
            first = next(
                (arg for arg, vector in zip(args, self._vectors, strict=False) if vector and isinstance(arg, Array)),
                None,
            )
            if first is None:
                raise TypeError("slice: ElementwiseKernel needs a GPUArray among its arguments, of which it is")
            bounds = slice.indices(first.size)
        else:
            assert range is not None
            bounds = (range.start or 0, range.stop, 1 if range.step is None else range.step)
        try:
            self._kernel(*self._values(args), range=bounds, stream=stream)
        except (cuox.CUDAError, cuox.CompileError, TypeError) as error:
            raise_translated(error)

    def generate_stride_kernel_and_types(self, use_range: bool) -> tuple[Any, Any, list[Any]]:
        """Return a module, a prepared function and its arguments, for arrays whose elements lie one after another."""
        return self._generated(bool(use_range))

    @functools.lru_cache(2)  # noqa: B019
    def _generated(self, use_range: bool) -> tuple[Any, Any, list[Any]]:
        return get_elwise_kernel_and_types(use_range=use_range, **self.gen_kwargs)

    def get_texref(self, name: str, use_range: bool = False) -> Any:
        """Return a texture reference of the kernel's module."""
        return self.generate_stride_kernel_and_types(use_range=use_range)[0].get_texref(name)


# --- Prepared functions


def _c(dtype: Any) -> str:
    return dtype_to_ctype(dtype)


def _with_sources(
    arguments: list[Any], sources: list[Any], body: str, name: str, **kwargs: Any
) -> tuple[Any, list[TextureSource]]:
    """Return a prepared function, and the sources that it reads: set their address, as of the texture references that
    they once were.
    """
    count = ScalarArg(np.uintp, "n")
    declared = [*arguments, *sources, count]
    function = get_elwise_module(declared, body, name, **kwargs).get_function(name)
    function.prepare([argument.struct_char for argument in declared])
    textures = [TextureSource() for _ in sources]
    return FunctionWithSources(function, textures), textures


@context_dependent_memoize
def get_take_kernel(dtype: Any, idx_dtype: Any, vec_count: int = 1) -> tuple[Any, list[TextureSource]]:
    """Return the function `dest[i] = source[idx[i]]` of (idx, dest0, ..., n), and its sources."""
    places = range(vec_count)
    arguments = [VectorArg(idx_dtype, "idx"), *(VectorArg(dtype, f"dest{k}") for k in places)]
    body = "; ".join(f"dest{k}[i] = src{k}[idx[i]]" for k in places)
    return _with_sources(arguments, [VectorArg(dtype, f"src{k}") for k in places], body, "take")


@context_dependent_memoize
def get_take_put_kernel(
    dtype: Any, idx_dtype: Any, with_offsets: bool, vec_count: int = 1
) -> tuple[Any, list[TextureSource]]:
    """Return the function `dest[to[i]] = source[of[i] + offset]` of (to, of, dest0, ..., offset0, ..., n), and its
    sources.
    """
    places = range(vec_count)
    arguments: list[Any] = [VectorArg(idx_dtype, "gmem_dest_idx"), VectorArg(idx_dtype, "gmem_src_idx")]
    arguments += [VectorArg(dtype, f"dest{k}") for k in places]
    arguments += [ScalarArg(idx_dtype, f"offset{k}") for k in places if with_offsets]
    body = "; ".join(
        f"dest{k}[gmem_dest_idx[i]] = src{k}[gmem_src_idx[i]{f' + offset{k}' if with_offsets else ''}]" for k in places
    )
    return _with_sources(arguments, [VectorArg(dtype, f"src{k}") for k in places], body, "take_put")


@context_dependent_memoize
def get_put_kernel(dtype: Any, idx_dtype: Any, vec_count: int = 1) -> Any:
    """Return the function `dest[to[i]] = src[i]` of (to, dest0, ..., src0, ..., n)."""
    places = range(vec_count)
    arguments = [
        VectorArg(idx_dtype, "gmem_dest_idx"),
        *(VectorArg(dtype, f"{which}{k}") for which in ("dest", "src") for k in places),
    ]
    return get_elwise_kernel(arguments, "; ".join(f"dest{k}[gmem_dest_idx[i]] = src{k}[i]" for k in places), "put")


@context_dependent_memoize
def get_copy_kernel(dtype_dest: Any, dtype_src: Any) -> Any:
    """Return the function `dest[i] = src[i]` of (dest, src, n)."""
    return get_elwise_kernel([VectorArg(dtype_dest, "dest"), VectorArg(dtype_src, "src")], "dest[i] = src[i]", "copy")


@context_dependent_memoize
def get_linear_combination_kernel(summand_descriptors: Any, dtype_z: Any) -> tuple[Any, list[TextureSource]]:
    """Return the function `z[i] = a0*x0[i] + a1*x1[i] + ...` of (a0, x0, a1, x1, ..., z, n), and its sources.

    summand_descriptors: for each summand (is_gpu_scalar, scalar_dtype, vector_dtype): a factor in device memory is no
    argument but a source.
    """
    arguments: list[Any] = []
    sources = []
    summands = []
    for number, (is_gpu_scalar, scalar_dtype, vector_dtype) in enumerate(summand_descriptors):
        if is_gpu_scalar:
            sources.append(VectorArg(scalar_dtype, f"a{number}"))
        else:
            arguments.append(ScalarArg(scalar_dtype, f"a{number}"))
        arguments.append(VectorArg(vector_dtype, f"x{number}"))
        summands.append(f"{f'a{number}[0]' if is_gpu_scalar else f'a{number}'} * x{number}[i]")
    arguments.append(VectorArg(dtype_z, "z"))
    return _with_sources(arguments, sources, f"z[i] = {' + '.join(summands)}", "linear_combination")


def _operand(name: str, dtype: Any, dtype_z: Any, is_scalar: bool) -> tuple[str, str]:
    """Return the type that an operand is computed in, a real one for real numbers among complex ones, and the operand
    in it.
    """
    dtype, dtype_z = np.dtype(dtype), np.dtype(dtype_z)
    used = _c(real_dtype(dtype_z) if dtype_z.kind == "c" and dtype.kind != "c" else dtype_z)
    return used, f"({used})({name}[{'0' if is_scalar else 'i'}])"


@context_dependent_memoize
def get_axpbyz_kernel(
    dtype_x: Any, dtype_y: Any, dtype_z: Any, x_is_scalar: bool = False, y_is_scalar: bool = False
) -> Any:
    """Return the function `z[i] = a*x[i] + b*y[i]` of (a, x, b, y, z, n); of an array without dimensions, the only
    element is taken.
    """
    (x_type, x), (y_type, y) = (
        _operand("x", dtype_x, dtype_z, x_is_scalar),
        _operand("y", dtype_y, dtype_z, y_is_scalar),
    )
    arguments = [
        ScalarArg(dtype_x, "a"),
        VectorArg(dtype_x, "x"),
        ScalarArg(dtype_y, "b"),
        VectorArg(dtype_y, "y"),
        VectorArg(dtype_z, "z"),
    ]
    return get_elwise_kernel(arguments, f"z[i] = ({x_type})a * {x} + ({y_type})b * {y}", "axpbyz")


@context_dependent_memoize
def get_axpbz_kernel(dtype_x: Any, dtype_z: Any) -> Any:
    """Return the function `z[i] = a*x[i] + b` of (a, x, b, z, n)."""
    arguments = [ScalarArg(dtype_z, "a"), VectorArg(dtype_x, "x"), ScalarArg(dtype_z, "b"), VectorArg(dtype_z, "z")]
    return get_elwise_kernel(arguments, f"z[i] = a * {_operand('x', dtype_x, dtype_z, False)[1]} + b", "axpb")


@context_dependent_memoize
def get_binary_op_kernel(
    dtype_x: Any, dtype_y: Any, dtype_z: Any, operator: str, x_is_scalar: bool = False, y_is_scalar: bool = False
) -> Any:
    """Return the function `z[i] = x[i] operator y[i]` of (x, y, z, n)."""
    x, y = _operand("x", dtype_x, dtype_z, x_is_scalar)[1], _operand("y", dtype_y, dtype_z, y_is_scalar)[1]
    if np.dtype(dtype_z).kind == "b":
        x, y = x.replace("(bool)", ""), y.replace("(bool)", "")
    arguments = [VectorArg(dtype_x, "x"), VectorArg(dtype_y, "y"), VectorArg(dtype_z, "z")]
    return get_elwise_kernel(arguments, f"z[i] = ({_c(dtype_z)})({x} {operator} {y})", "binary_op")


@context_dependent_memoize
def get_rdivide_elwise_kernel(dtype_x: Any, dtype_z: Any) -> Any:
    """Return the function `z[i] = y / x[i]` of (x, y, z, n)."""
    arguments = [VectorArg(dtype_x, "x"), ScalarArg(dtype_z, "y"), VectorArg(dtype_z, "z")]
    return get_elwise_kernel(arguments, f"z[i] = y / {_operand('x', dtype_x, dtype_z, False)[1]}", "divide_r")


@context_dependent_memoize
def get_binary_func_kernel(func: str, dtype_x: Any, dtype_y: Any, dtype_z: Any) -> Any:
    """Return the function `z[i] = func(x[i], y[i])` of (x, y, z, n)."""
    arguments = [VectorArg(dtype_x, "x"), VectorArg(dtype_y, "y"), VectorArg(dtype_z, "z")]
    return get_elwise_kernel(arguments, f"z[i] = {func}(x[i], y[i])", f"{func}_kernel")


@context_dependent_memoize
def get_binary_func_scalar_kernel(func: str, dtype_x: Any, dtype_y: Any, dtype_z: Any) -> Any:
    """Return the function `z[i] = func(x[i], y)` of (x, y, z, n)."""
    arguments = [VectorArg(dtype_x, "x"), ScalarArg(dtype_y, "y"), VectorArg(dtype_z, "z")]
    return get_elwise_kernel(arguments, f"z[i] = {func}(x[i], y)", f"{func}_kernel")


def get_binary_minmax_kernel(func: str, dtype_x: Any, dtype_y: Any, dtype_z: Any, use_scalar: bool) -> Any:
    """Return the function of the smaller or larger element (`func` is "min" or "max") of (x, y, z, n), where y may be a
    number.
    """
    dtypes = [np.dtype(dtype) for dtype in (dtype_x, dtype_y, dtype_z)]
    if any(dtype.kind == "f" for dtype in dtypes):
        func = f"f{func}" if any(dtype == np.float64 for dtype in dtypes) else f"f{func}f"
    return (get_binary_func_scalar_kernel if use_scalar else get_binary_func_kernel)(func, dtype_x, dtype_y, dtype_z)


@context_dependent_memoize
def get_fill_kernel(dtype: Any) -> Any:
    """Return the function `z[i] = a` of (a, z, n)."""
    return get_elwise_kernel([ScalarArg(dtype, "a"), VectorArg(dtype, "z")], "z[i] = a", "fill")


@context_dependent_memoize
def get_reverse_kernel(dtype: Any) -> Any:
    """Return the function `z[i] = y[n-1-i]` of (y, z, n)."""
    return get_elwise_kernel([VectorArg(dtype, "y"), VectorArg(dtype, "z")], "z[i] = y[n - 1 - i]", "reverse")


def _one_to_one(dtype: Any, result: Any, value: str, name: str) -> Any:
    return get_elwise_kernel([VectorArg(dtype, "y"), VectorArg(result, "z")], f"z[i] = {value}", name)


@context_dependent_memoize
def get_real_kernel(dtype: Any, real_dtype: Any) -> Any:
    """Return the function of the real parts of (y, z, n)."""
    return _one_to_one(dtype, real_dtype, "pycuda::real(y[i])", "real")


@context_dependent_memoize
def get_imag_kernel(dtype: Any, real_dtype: Any) -> Any:
    """Return the function of the imaginary parts of (y, z, n)."""
    return _one_to_one(dtype, real_dtype, "pycuda::imag(y[i])", "imag")


@context_dependent_memoize
def get_conj_kernel(dtype: Any, conj_dtype: Any) -> Any:
    """Return the function of the conjugates of (y, z, n)."""
    return _one_to_one(dtype, conj_dtype, "pycuda::conj(y[i])", "conj")


@context_dependent_memoize
def get_arange_kernel(dtype: Any) -> Any:
    """Return the function `z[i] = start + i*step` of (z, start, step, n)."""
    arguments = [VectorArg(dtype, "z"), ScalarArg(dtype, "start"), ScalarArg(dtype, "step")]
    return get_elwise_kernel(arguments, f"z[i] = start + ({_c(real_dtype(np.dtype(dtype)))})i * step", "arange")


@context_dependent_memoize
def get_pow_array_kernel(dtype_x: Any, dtype_y: Any, dtype_z: Any, is_base_array: bool, is_exp_array: bool) -> Any:
    """Return the function `z[i] = x[i] ** y[i]` of (x, y, z, n), where x or y may be a number."""
    if not is_base_array and not is_exp_array:
        raise ValueError("is_base_array or is_exp_array must be True: a power of two numbers needs no kernel")
    arguments = [
        (VectorArg if is_base_array else ScalarArg)(dtype_x, "x"),
        (VectorArg if is_exp_array else ScalarArg)(dtype_y, "y"),
        VectorArg(dtype_z, "z"),
    ]
    function = "powf" if dtype_z == np.float32 else "pow"
    return get_elwise_kernel(
        arguments,
        f"z[i] = {function}({'x[i]' if is_base_array else 'x'}, {'y[i]' if is_exp_array else 'y'})",
        "pow_method",
    )


@context_dependent_memoize
def get_fmod_kernel() -> Any:
    """Return the function of the remainders of (arg, mod, z, n), of float32."""
    return get_elwise_kernel("float *arg, float *mod, float *z", "z[i] = fmodf(arg[i], mod[i])", "fmod_kernel")


@context_dependent_memoize
def get_modf_kernel() -> Any:
    """Return the function of the parts of (x, intpart, fracpart, n), of float32."""
    return get_elwise_kernel(
        "float *x, float *intpart, float *fracpart", "fracpart[i] = modff(x[i], &intpart[i])", "modf_kernel"
    )


@context_dependent_memoize
def get_frexp_kernel() -> Any:
    """Return the function of the parts of (x, significand, exponent, n), of float32."""
    operation = "int power = 0; significand[i] = frexpf(x[i], &power); exponent[i] = power"
    return get_elwise_kernel("float *x, float *significand, float *exponent", operation, "frexp_kernel")


@context_dependent_memoize
def get_ldexp_kernel() -> Any:
    """Return the function `z[i] = sig[i] * 2**expt[i]` of (sig, expt, z, n), of float32."""
    return get_elwise_kernel("float *sig, float *expt, float *z", "z[i] = ldexpf(sig[i], (int)expt[i])", "ldexp_kernel")


@context_dependent_memoize
def get_unary_func_kernel(func_name: str, in_dtype: Any, out_dtype: Any = None) -> Any:
    """Return the function `z[i] = func_name(y[i])` of (y, z, n)."""
    return _one_to_one(
        in_dtype, in_dtype if out_dtype is None else out_dtype, f"{func_name}(y[i])", f"{func_name}_kernel"
    )


def _choice(test: str, crit_dtype: Any, dtype: Any) -> Any:
    arguments = [VectorArg(crit_dtype, "crit"), *(VectorArg(dtype, name) for name in ("then_", "else_", "result"))]
    return get_elwise_kernel(arguments, f"result[i] = crit[i] {test} ? then_[i] : else_[i]", "choice")


@context_dependent_memoize
def get_if_positive_kernel(crit_dtype: Any, dtype: Any) -> Any:
    """Return the function `result[i] = crit[i] > 0 ? then_[i] : else_[i]` of (crit, then_, else_, result, n)."""
    return _choice("> 0", crit_dtype, dtype)


@context_dependent_memoize
def get_where_kernel(crit_dtype: Any, dtype: Any) -> Any:
    """Return the function `result[i] = crit[i] != 0 ? then_[i] : else_[i]` of (crit, then_, else_, result, n)."""
    return _choice("!= 0", crit_dtype, dtype)


@context_dependent_memoize
def get_scalar_op_kernel(dtype_x: Any, dtype_a: Any, dtype_y: Any, operator: str) -> Any:
    """Return the function `y[i] = x[i] operator a` of (x, a, y, n)."""
    arguments = [VectorArg(dtype_x, "x"), ScalarArg(dtype_a, "a"), VectorArg(dtype_y, "y")]
    return get_elwise_kernel(arguments, f"y[i] = x[i] {operator} a", "scalarop_kernel")


@context_dependent_memoize
def get_logical_not_kernel(dtype_x: Any, dtype_out: Any) -> Any:
    """Return the function `out[i] = x[i] == 0` of (x, out, n)."""
    return get_elwise_kernel(
        [VectorArg(dtype_x, "x"), VectorArg(dtype_out, "out")], "out[i] = x[i] == 0", "logical_not"
    )
