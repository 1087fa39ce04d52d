"""`cuda.vectorize`: functions of numbers as functions of arrays, element by element."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import cuox
from cuox._internal import kernel_pickle, type_codes
from cuox._native import _Elementwise

from . import _signatures, _tracebacks
from ._arrays import as_cuda_array, device_array
from ._device_text import DeviceText, python_function
from ._dispatcher import Options
from ._reduce import BY_VALUE, Reduce
from ._streams import native

_Codes = tuple[str, ...]

# What a Python number can become: its type adapts to that of arrays, as in NumPy.
_KINDS = {bool: 0, int: 1, float: 2, complex: 3}
# The threads of a block of elementwise kernels.
_BLOCK = 256
_OF_KIND = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def vectorize(ftylist_or_function: Any = (), target: str | None = None, **options: Any) -> Any:
    """Make a function of arrays of a function of numbers, which runs for each element on the device.

    ftylist_or_function: signatures, such as `"float32(float32, float32)"`: the first one that the arguments can be
    converted to without loss is used; or the function itself: then it is compiled for the types that it is called with.
    target: `"cuda"`. fastmath, max_registers, lineinfo: as for `cuda.jit`.

    The result takes host arrays, arrays on devices, numbers and tuples, broadcasts them as NumPy does, and has `out=`
    and `stream=`. The results lie on the device if one of the arguments does.

    Raises KeyError for unknown options, KernelTypeError for a function that cannot be compiled.
    """
    check_target("vectorize", target)
    given = read_options("vectorize", options)
    if (
        callable(ftylist_or_function)
        and not isinstance(ftylist_or_function, type)
        and not hasattr(ftylist_or_function, "args")
    ):
        return UFunc(ftylist_or_function, (), given)
    signatures = ftylist_or_function if isinstance(ftylist_or_function, (list, tuple)) else [ftylist_or_function]

    def decorate(function: Callable[..., Any]) -> UFunc:
        with _tracebacks.trimmed:
            return UFunc(function, signatures, given)

    return decorate


def check_target(maker: str, target: str | None) -> None:
    """Refuse targets that are not CUDA's."""
    if target not in (None, "cuda"):
        raise ValueError(f"{maker}: target must be 'cuda', got {target!r}: Numba itself makes functions for the CPU")


def read_options(maker: str, options: dict[str, Any]) -> Options:
    """The options of a decorator. Raises KeyError for unknown ones."""
    options = dict(options)
    if "nopython" in options:
        warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=3)
        options.pop("nopython")
    options.pop("cache", None)
    unknown = set(options) - set(Options.NAMES)
    if unknown:
        raise KeyError(f"Unrecognized options. {sorted(unknown)}: {maker} takes {', '.join(Options.NAMES)}")
    return Options(**options)


class UFunc:
    """A function of arrays: `cuda.vectorize` makes it."""

    def __init__(self, function: Any, signatures: Sequence[Any], options: Options) -> None:
        self.py_func = python_function(function, "cuda.vectorize")
        functools.update_wrapper(self, self.py_func)
        self.options = options
        self.nin = self.py_func.__code__.co_argcount
        self.nout = 1
        self._max_blocksize = 2**30
        self._texts: dict[_Codes, DeviceText] = {}
        self._kernels: dict[tuple[_Codes, tuple[bool, ...]], _Elementwise] = {}
        self._reduce: Reduce | None = None
        self._chosen: dict[Any, _Codes] = {}
        self._declared: list[_Codes] = []
        self._declared_as = list(signatures)
        for signature in signatures:
            types, result = _signatures.read(signature)
            if len(types) != self.nin:
                raise TypeError(
                    f"{self.__name__}() takes {self.nin} arguments, but the signature {signature} has {len(types)}"
                )
            if types not in self._texts:
                self._declared.append(types)
            self._texts[types] = self._translated(types, result)

    __name__: str
    __qualname__: str

    def _translated(self, types: _Codes, result: str | None = None) -> DeviceText:
        return DeviceText(
            self.py_func,
            types,
            result,
            name=f"{_identifier(self.__name__)}_element",
            maker="cuda.vectorize",
            options=self.options,
        )

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r} for CUDA>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __reduce__(self) -> Any:
        if kernel_pickle.is_global(self):
            return self.__qualname__
        return (
            _unpickled,
            (type(self), kernel_pickle.state_of(self.py_func), self._declared_as, self.options, self._max_blocksize),
        )

    @property
    def types(self) -> list[str]:
        """The types that it was compiled for, as NumPy shows those of ufuncs."""
        return [
            f"{''.join(dtype_of(code).char for code in types)}->{dtype_of(text.result).char}"
            for types, text in self._texts.items()
        ]

    @property
    def max_blocksize(self) -> int:
        """The most threads of a block. Raises NotImplementedError if it is set below the 256 of elementwise kernels."""
        return self._max_blocksize

    @max_blocksize.setter
    def max_blocksize(self, value: int) -> None:
        if value < _BLOCK:
            raise NotImplementedError(
                f"max_blocksize: elementwise kernels have blocks of {_BLOCK} threads, which cannot be made smaller; got {value}"
            )
        self._max_blocksize = value

    # Calls

    def __call__(self, *args: Any, out: Any = None, stream: Any = 0) -> Any:
        """Run the function for each element.

        args: arrays, numbers; one more than there are parameters is `out`. out: an array on the host or on a device for
        the results. stream: the order.
        """
        import numpy as np

        if len(args) == self.nin + 1:
            if out is not None:
                raise ValueError("cannot specify argument 'out' as both positional and keyword")
            *args, out = args  # type: ignore[assignment]
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes {self.nin} positional arguments, got {len(args)}")
        if isinstance(out, tuple):
            (out,) = out
        out = as_output(out)
        inputs = [as_operand(arg) for arg in args]
        with _tracebacks.trimmed:
            types = self._choose(inputs)
        text = self._texts[types]
        shape = np.broadcast_shapes(*(getattr(value, "shape", ()) for value in inputs))
        on_device = any(isinstance(value, cuox.Array) for value in inputs)
        order = native(stream)

        result, copy_back = result_array(self.__name__, out, shape, dtype_of(text.result), stream)
        # With a number in place of an array the kernel takes it by value.
        by_value = tuple(
            not isinstance(value, cuox.Array) and not getattr(value, "shape", ()) and dtype_of(code).char in BY_VALUE
            for value, code in zip(inputs, types, strict=True)
        )
        operands = [
            dtype_of(code).type(value)
            if scalar
            else broadcast(operand_array(self.__name__, value, dtype_of(code), order), shape)
            for value, code, scalar in zip(inputs, types, by_value, strict=True)
        ]
        text.run(self._kernel(types, by_value), result, *operands, stream=order)
        if out is not None:
            if copy_back:
                out[...] = result.to_host(stream=order)
            return out
        if on_device:
            return result
        host = result.to_host(stream=order)
        if order is not None:
            order.sync()
        return host if shape else host[()]

    def _choose(self, inputs: Sequence[Any]) -> _Codes:
        """The types that the function is called with for these arguments."""
        key, castings = key_of(inputs)
        types = self._chosen.get((key, castings))
        if types is None:
            types = self._chosen[key, castings] = (
                choose(self.__name__, self._declared, key, castings) if self._declared else promoted(key)
            )
            if types not in self._texts:
                self._texts[types] = self._translated(types)
        return types

    def _kernel(self, types: _Codes, by_value: tuple[bool, ...]) -> _Elementwise:
        kernel = self._kernels.get((types, by_value))
        if kernel is None:
            text = self._texts[types]
            parameters = [(text.result, "cuox_out", True)]
            arguments = []
            for index, (code, scalar) in enumerate(zip(types, by_value, strict=True)):
                parameters.append(
                    (code, f"cuox_in{index}", False) if scalar else (f"const {code}", f"cuox_in{index}", True)
                )
                arguments.append(f"cuox_in{index}" if scalar else f"cuox_in{index}[i]")
            operation = f"cuox_out[i] = {text.name}({', '.join(arguments)})"
            kernel = _Elementwise(
                parameters,
                operation,
                name=_identifier(self.__name__),
                preamble=text.preamble,
                options=text.options,
                pure=True,
            )
            self._kernels[types, by_value] = kernel
        return kernel

    def reduce(self, arg: Any, stream: Any = 0) -> Any:
        """Combine the elements of an array of one dimension by the function, which takes two arguments and must be
        associative and commutative.
        """
        if self.nin != 2:
            raise TypeError(f"{self.__name__}.reduce(): the function must have two parameters, it has {self.nin}")
        value = as_operand(arg)
        if type(value) in _KINDS or value.ndim != 1:
            raise TypeError(f"{self.__name__}.reduce() takes an array of one dimension")
        if value.size == 0:
            raise TypeError(f"{self.__name__}.reduce(): an array without elements has no result")
        types = self._choose([value, value])
        if types[0] != types[1] or self._texts[types].result != types[0]:
            raise TypeError(
                f"{self.__name__}.reduce(): the function must have one type for arguments and result, not ({', '.join(types)}) -> {self._texts[types].result}"
            )
        if self._reduce is None:
            self._reduce = Reduce(self.py_func, self.options)
        return self._reduce._first_only(operand_array(self.__name__, value, dtype_of(types[0]), native(stream)), stream)


def _unpickled(kind: type[UFunc], state: Any, signatures: Any, options: Options, max_blocksize: int) -> UFunc:
    """A function of arrays from what `pickle` has of it."""
    made = kind(kernel_pickle.function_of(state), signatures, options)
    made._max_blocksize = max_blocksize
    return made


def _identifier(name: str) -> str:
    """A name for CUDA C++."""
    made = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in name).strip("_")
    return f"ufunc_{made or 'lambda'}"


@functools.cache
def dtype_of(code: str) -> Any:
    from . import types

    if code == "bfloat16":
        raise TypeError("cuda.vectorize: bfloat16 has no NumPy dtype of its own")
    return types.from_code(code).dtype


def as_operand(value: Any) -> Any:
    """An argument as a Python number, a NumPy array or scalar, or an array on a device."""
    import numpy as np

    if type(value) in _KINDS or isinstance(value, (cuox.Array, np.ndarray, np.generic)):
        return value
    if hasattr(value, "__cuda_array_interface__"):
        return cuox.as_array(value)
    if isinstance(value, (tuple, list)) and any(hasattr(item, "__cuda_array_interface__") for item in value):
        raise TypeError("arrays on devices in a tuple or a list cannot be joined: pass one array")
    return np.asarray(value)


def as_output(value: Any) -> Any:
    """An array for results: on the host or on a device, where those of other libraries are known by their interface."""
    import numpy as np

    if value is None or isinstance(value, (cuox.Array, np.ndarray)):
        return value
    if not hasattr(value, "__cuda_array_interface__"):
        raise TypeError(f"out: expected an array, got {type(value).__name__}")
    return as_cuda_array(value)


def operand_array(name: str, value: Any, dtype: Any, order: Any) -> Any:
    """An argument as an array on the device with this dtype."""
    import numpy as np

    if isinstance(value, cuox.Array):
        if value.dtype == dtype:
            return value
        raise TypeError(f"{name}(): an array on the device has dtype {value.dtype}, but the function takes {dtype}")
    return cuox.to_device(np.asarray(value, dtype), stream=order)


def broadcast(array: Any, shape: tuple[int, ...]) -> Any:
    """An array on the device as one of this shape."""
    return array if array.shape == shape else array.broadcast_to(shape)


def result_array(name: str, out: Any, shape: tuple[int, ...], dtype: Any, stream: Any) -> tuple[Any, bool]:
    """The array on the device that results are written to, and whether they are to be copied to `out`."""
    if out is None:
        return device_array(shape, dtype, stream=stream), False
    if tuple(out.shape) != shape:
        raise ValueError(f"{name}(): out has the shape {tuple(out.shape)}, the result {shape}")
    on_device = isinstance(out, cuox.Array)
    if on_device and out.dtype == dtype:
        return out, False
    import numpy as np

    if on_device or not np.can_cast(dtype, out.dtype, "same_kind"):
        raise TypeError(f"{name}(): out has the dtype {out.dtype}, the result {dtype}")
    return device_array(shape, dtype, stream=stream), True


# Types


def key_of(values: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """The types of arguments, a Python number's type or a dtype; and how far each can be converted, as NumPy
    calls it."""
    key = tuple(type(value) if type(value) in _KINDS else value.dtype for value in values)
    return key, tuple(
        "no" if isinstance(value, cuox.Array) else "safe" if getattr(value, "shape", ()) else "same_kind"
        for value in values
    )


def choose(name: str, declared: Sequence[_Codes], key: tuple[Any, ...], castings: tuple[str, ...]) -> _Codes:
    """The signature for arguments of these types: a Python number's type, or a dtype.

    The first one of exactly these types; else the first one that they can be converted to safely; else the first one
    that single numbers can be converted to within their kind. Arrays on devices are not converted. Raises TypeError.
    """
    alone = all(isinstance(one, type) for one in key)
    for types in declared:
        if all(_is_same(one, dtype_of(code), alone) for one, code in zip(key, types, strict=True)):
            return types
    safely = tuple("safe" if casting == "same_kind" else casting for casting in castings)
    for allowed in (safely, castings):
        for types in declared:
            if all(
                _can_cast(one, dtype_of(code), casting) for one, code, casting in zip(key, types, allowed, strict=True)
            ):
                return types
    shown = ", ".join(one.__name__ if isinstance(one, type) else str(one) for one in key)
    listed = "; ".join(f"({', '.join(types)})" for types in declared)
    hint = (
        ". An array on a device does not support .astype(): it must have the dtype of a signature"
        if "no" in castings
        else ""
    )
    raise TypeError(
        f"{name}(): no matching definition for arguments of types ({shown}); it was declared for {listed}{hint}"
    )


def _is_same(given: Any, wanted: Any, alone: bool) -> bool:
    if not isinstance(given, type):
        return bool(given == wanted)
    if alone:
        return bool(wanted == {bool: "?", int: "i8", float: "f8", complex: "c16"}[given])
    return _KINDS[given] <= _OF_KIND[wanted.kind]


def _can_cast(given: Any, wanted: Any, casting: Any) -> bool:
    import numpy as np

    if isinstance(given, type):
        return _KINDS[given] <= _OF_KIND[wanted.kind]
    return bool(np.can_cast(given, wanted, casting))


def promoted(key: tuple[Any, ...]) -> _Codes:
    """The types for a function without signatures: those of the arguments; a Python number takes that of the arrays if
    it is of the same kind or a higher one.
    """
    import numpy as np

    dtypes = [one for one in key if not isinstance(one, type)]
    common = np.result_type(*dtypes) if dtypes else None
    types = []
    for one in key:
        if isinstance(one, type):
            plain = np.dtype({bool: "?", int: "i8", float: "f8", complex: "c16"}[one])
            one = common if common is not None and _KINDS[one] <= _OF_KIND.get(common.kind, -1) else plain
        types.append(type_codes.of_dtype(one))
    return tuple(types)
