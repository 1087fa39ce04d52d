"""`cuda.guvectorize`: functions of arrays that run for each array of a larger one."""

from __future__ import annotations

import functools
import hashlib
import linecache
import math
from collections.abc import Callable, Sequence
from typing import Any

import cuox

from . import _signatures, _tracebacks
from ._arrays import device_array
from ._decorators import jit
from ._device_text import python_function
from ._dispatcher import CUDADispatcher, DeviceFunction, Options
from ._names import grid
from ._reduce import BY_VALUE
from ._streams import native
from ._ufunc import (
    _KINDS,
    as_operand,
    as_output,
    broadcast,
    check_target,
    choose,
    dtype_of,
    key_of,
    operand_array,
    promoted,
)
from .deviceufunc import GUFuncEngine

_Codes = tuple[str, ...]

# The threads of a block: small blocks spread few turns over more multiprocessors.
_BLOCK = 128


def guvectorize(ftylist: Any, signature: str, target: str | None = None, **options: Any) -> Callable[[Any], GUFunc]:
    """Make a function of arrays of a function that does one of many: for each index of the dimensions that its layout
    does
    not name.

    ftylist: signatures, such as `"void(float32[:], float32[:])"`: of the inputs, then of the outputs, which are arrays
    that the function writes to. signature: the layout, such as `"(m,n),(n,p)->(m,p)"`; an output `()` is an array of
    one element. target: `"cuda"`. fastmath, max_registers, lineinfo, debug, boundscheck, wraparound, index32: as for
    `cuda.jit`.

    The result takes the inputs, or inputs and outputs; host arrays, arrays on devices, numbers and tuples; `out=` and
    `stream=`.

    Raises TypeError for unknown options and for signatures with a result.
    """
    check_target("guvectorize", target)
    if not options.pop("nopython", True):
        raise TypeError("nopython flag must be True")
    options.pop("cache", None)
    unknown = [name for name in options if name not in Options.NAMES]
    if unknown:
        raise TypeError(f"The following target options are not supported: {', '.join(map(repr, unknown))}")
    signatures = ftylist if isinstance(ftylist, (list, set, frozenset)) else [ftylist]

    def decorate(function: Any) -> GUFunc:
        return GUFunc(function, list(signatures), signature, options)

    return decorate


class GUFunc:
    """A generalized function of arrays: `cuda.guvectorize` makes it."""

    __name__: str

    def __init__(self, function: Any, signatures: Sequence[Any], layout: str, options: dict[str, Any]) -> None:
        # Not `py_func`: kernels cannot call it.
        self._function = python_function(function, "cuda.guvectorize")
        functools.update_wrapper(self, self._function)
        self.signature = layout
        self.engine = GUFuncEngine.from_signature(layout)
        self.nin, self.nout = self.engine.nin, self.engine.nout
        self.max_blocksize = 2**30
        """The most threads of a block: fewer than 128 make blocks smaller."""
        self._options = options
        self._element = DeviceFunction(self._function, Options(**options), inline=True)
        self._kernels: dict[str, CUDADispatcher] = {}
        # By the types of inputs: the types of outputs, and which inputs are arrays.
        self._declared: dict[_Codes, tuple[_Codes, tuple[bool, ...]]] = {}
        count = self._function.__code__.co_argcount
        if count != self.nin + self.nout:
            raise TypeError(
                f"{self.__name__}() has {count} parameters, but the layout {layout} has {self.nin + self.nout}"
            )
        for given in signatures:
            types, result = _signatures.read(given)
            if result not in (None, "none"):
                raise TypeError(
                    f"guvectorized functions cannot return values: signature {given} specifies {result} return type"
                )
            self._declare(given, types)

    def _declare(self, given: Any, types: _Codes) -> None:
        if len(types) != self.nin + self.nout:
            raise TypeError(
                f"the signature {given} has {len(types)} types, the layout {self.signature} has {self.nin + self.nout} arguments"
            )
        elements, arrays = [], []
        for number, (code, symbols) in enumerate(zip(types, [*self.engine.sin, *self.engine.sout], strict=True)):
            element, rank = _element_and_rank(code)
            # An array of one element may stand for a number; for an output it must.
            expected = len(symbols) or (1 if number >= self.nin else rank and 1)
            if rank != expected:
                raise TypeError(
                    f"the signature {given}: argument {number + 1} has {rank} dimensions, its layout ({','.join(symbols)}) says {expected}"
                )
            elements.append(element)
            arrays.append(rank > 0)
        self._declared.setdefault(tuple(elements[: self.nin]), (tuple(elements[self.nin :]), tuple(arrays)))

    def __repr__(self) -> str:
        return f"<gufunc {self.__name__!r} {self.signature} for CUDA>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __call__(self, *args: Any, out: Any = None, stream: Any = 0) -> Any:
        """Run the function for each index of the loop dimensions.

        args: the inputs, or the inputs and the outputs. out: the output, or a tuple of all. stream: the order.
        """
        inputs, outputs = self._arguments(args, out)
        values = [as_operand(arg) for arg in inputs]
        order = native(stream)
        types, out_types, arrays = self._types(values, outputs)
        shapes = [() if type(value) in _KINDS else value.shape for value in values]
        schedule = self.engine.schedule(shapes, [None if one is None else tuple(one.shape) for one in outputs])
        on_device = any(isinstance(value, cuox.Array) for value in values)

        operands: list[tuple[Any, int]] = []
        for value, code, is_array, symbols in zip(values, types, arrays, self.engine.sin, strict=False):
            dtype = dtype_of(code)
            if (
                not is_array
                and not isinstance(value, cuox.Array)
                and not getattr(value, "shape", ())
                and dtype.char in BY_VALUE
            ):
                operands.append((dtype.type(value), -1))
            else:
                array = operand_array(self.__name__, value, dtype, order)
                operands.append((_with_core(array, symbols, is_array), len(symbols) or int(is_array)))
        results, copies = [], []
        for given, code, shape, symbols in zip(
            outputs, out_types, schedule.output_shapes, self.engine.sout, strict=True
        ):
            result, copy_back = self._result(given, dtype_of(code), shape, order, stream)
            results.append(result)
            copies.append(copy_back)
            operands.append((_with_core(_shaped(self.__name__, result, shape), symbols, True), len(symbols) or 1))
        with _tracebacks.trimmed:
            self._launch(operands, schedule.loopdims, stream)

        made = []
        for given, result, copy_back, shape in zip(outputs, results, copies, schedule.output_shapes, strict=True):
            if copy_back:
                given[...] = result.to_host(stream=order).reshape(given.shape)
            if given is not None:
                made.append(given)
            elif on_device:
                made.append(result)
            else:
                host = result.to_host(stream=order)
                if order is not None:
                    order.sync()
                made.append(host if shape else host[()])
        return made[0] if self.nout == 1 else tuple(made)

    def _arguments(self, args: tuple[Any, ...], out: Any) -> tuple[tuple[Any, ...], list[Any]]:
        count = self.nin + self.nout
        if len(args) not in (self.nin, count):
            plural = "" if len(args) == 1 else "s"
            raise TypeError(
                f"{self.__name__}(): this gufunc accepts {self.nin} positional arguments (inputs), "
                f"or {count} positional arguments (inputs and outputs). Got {len(args)} positional argument{plural}."
            )
        if len(args) == count:
            if out is not None:
                raise ValueError("cannot specify argument 'out' as both positional and keyword")
            return args[: self.nin], list(map(as_output, args[self.nin :]))
        if out is None:
            return args, [None] * self.nout
        outputs = [as_output(one) for one in (out if isinstance(out, (tuple, list)) else [out])]
        if len(outputs) != self.nout:
            raise ValueError(f"{self.__name__}(): out must be a tuple of {self.nout} arrays, got {len(outputs)}")
        return args, outputs

    def _types(self, values: Sequence[Any], outputs: Sequence[Any]) -> tuple[_Codes, _Codes, tuple[bool, ...]]:
        key, castings = key_of(values)
        if not self._declared:
            from cuox._internal import type_codes

            if any(one is None for one in outputs):
                raise TypeError(f"{self.__name__}(): pass the outputs: without a signature their types are not known")
            codes = tuple(type_codes.of_dtype(one.dtype) for one in outputs)
            return (promoted(key), codes, tuple(bool(symbols) for symbols in self.engine.sin) + (True,) * self.nout)
        types = choose(self.__name__, list(self._declared), key, castings)
        return (types, *self._declared[types])

    def _result(self, given: Any, dtype: Any, shape: tuple[int, ...], order: Any, stream: Any) -> tuple[Any, bool]:
        """The array on the device for an output, and whether it is to be copied to the host."""
        if given is None:
            return device_array(shape, dtype, stream=stream), False
        if isinstance(given, cuox.Array):
            if given.dtype != dtype:
                raise TypeError(f"{self.__name__}(): an output has dtype {given.dtype}, the function writes {dtype}")
            return given, False
        import numpy as np

        if not given.flags.writeable:
            raise ValueError(f"{self.__name__}(): an output is read-only")
        if not np.can_cast(dtype, given.dtype, "same_kind"):
            raise TypeError(f"{self.__name__}(): an output has dtype {given.dtype}, the function writes {dtype}")
        # The function may read what an output had before.
        return cuox.to_device(np.ascontiguousarray(given, dtype), stream=order), True

    def _launch(self, operands: Sequence[tuple[Any, int]], loop: tuple[int, ...], stream: Any) -> None:
        turns = math.prod(loop)
        if turns == 0:
            return
        kinds: list[str] = []
        values = []
        # One index does for arrays without gaps; others have one for each dimension of the loop.
        flat = all(
            core < 0 or _turns(array, core) == 1 or (_is_c(array) and _turns(array, core) == turns)
            for array, core in operands
        )
        rank = min(len(loop), 1) if flat else len(loop)
        for operand, core in operands:
            if core < 0:
                kinds.append("v")
                values.append(operand)
                continue
            split = operand.ndim - core
            inner = operand.shape[split:]
            if _turns(operand, core) == 1:
                # The same for all turns.
                kinds.append("n" if core == 0 else "p")
                values.append(operand.reshape(inner or (1,)))
            elif flat:
                kinds.append("i")
                values.append(operand.reshape((turns, *inner)))
            else:
                kinds.append("i")
                values.append(broadcast(operand, (*loop, *inner)))
        kernel = self._kernel("".join(kinds), rank)
        sizes = () if flat else loop[1:]
        kernel.forall(turns, min(self.max_blocksize, _BLOCK), stream)(*values, turns, *sizes)

    def _kernel(self, kinds: str, rank: int) -> CUDADispatcher:
        """The kernel that calls the function for each turn, for operands of these kinds."""
        key = f"{kinds}{rank}"
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = self._kernels[key] = _loop_kernel(self._element, kinds, rank, self._options)
        return kernel


def _turns(array: Any, core: int) -> int:
    return math.prod(array.shape[: array.ndim - core])


def _is_c(array: Any) -> bool:
    return bool(cuox.Array.is_c_contiguous.__get__(array))


def _element_and_rank(code: str) -> tuple[str, int]:
    from . import types

    found = types.from_code(code)
    return (found.dtype.code, found.ndim) if isinstance(found, types.Array) else (code, 0)


def _shaped(name: str, array: Any, shape: tuple[int, ...]) -> Any:
    """An output in the shape that it must have."""
    if array.shape == shape:
        return array
    if array.size == math.prod(shape) and _is_c(array):
        return array.reshape(shape)
    raise ValueError(f"{name}(): an output has the shape {array.shape}, it must have {shape}")


def _with_core(array: Any, symbols: tuple[str, ...], is_array: bool) -> Any:
    """An array whose last dimensions are those of the function's argument: a single element as an array of one."""
    return array if symbols or not is_array else array.reshape((*array.shape, 1))


def _loop_kernel(element: DeviceFunction, kinds: str, rank: int, options: dict[str, Any]) -> CUDADispatcher:
    """A kernel that calls the function once for each turn of a loop of so many dimensions.

    kinds: for each operand `v`, a number by value; `n`, a number in memory; `p`, an array; `i`, one that the loop's
    indices are applied to.
    """
    operands = [f"a{number}" for number in range(len(kinds))]
    sizes = [f"s{axis}" for axis in range(1, rank)]
    lines = [f"def gufunc_kernel({', '.join([*operands, 'turns', *sizes])}):", "    i0 = grid(1)", "    if i0 < turns:"]
    for axis in range(rank - 1, 0, -1):
        lines += [f"        i{axis} = i0 % s{axis}", f"        i0 = i0 // s{axis}"]
    index = ", ".join(f"i{axis}" for axis in range(rank))
    forms = {"v": "{}", "n": "{}[0]", "p": "{}", "i": f"{{}}[{index}]"}
    lines.append(
        f"        element({', '.join(forms[kind].format(operand) for kind, operand in zip(kinds, operands, strict=True))})"
    )
    text = "\n".join(lines) + "\n"

    # The source under a name of its own, which the compiler of kernels reads it by.
    file = f"<gufunc {kinds} {rank} {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"element": element, "grid": grid, "__name__": element.__module__}
    exec(compile(text, file, "exec"), scope)
    made: CUDADispatcher = jit(scope["gufunc_kernel"], **options)
    return made
