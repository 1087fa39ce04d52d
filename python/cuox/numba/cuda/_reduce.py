"""`cuda.reduce`: the elements of an array combined by a function."""

from __future__ import annotations

import functools
from typing import Any

import cuox
from cuox._internal.identity import identity_of
from cuox._internal.result_slot import fetch
from cuox._native import _Elementwise, _Reduction

from . import _tracebacks
from ._device_text import DeviceText, python_function
from ._dispatcher import Options
from ._streams import native

# Scalars of these types are passed to kernels by value; others lie in memory.
BY_VALUE = set("?bhilqBHILQfd")

# A value that may not be there yet: the function says nothing of a neutral element.
_SOME = """
struct cuox_some {{ {type} value; bool given; }};
static __device__ inline cuox_some cuox_either(const cuox_some &a, const cuox_some &b) {{
    if (!a.given) return b;
    if (!b.given) return a;
    return cuox_some{{{name}(a.value, b.value), true}};
}}
"""


class Reduce:
    """Combine the elements of arrays by a function of two: `sum_reduce = cuda.reduce(lambda a, b: a + b)`.

    The function must be associative and commutative: which elements are combined first is not said; it is the same for
    the same number of them.
    """

    def __init__(self, functor: Any, options: Options | None = None) -> None:
        self.py_func = python_function(functor, "cuda.reduce")
        functools.update_wrapper(self, self.py_func)
        if self.py_func.__code__.co_argcount != 2:
            raise TypeError(
                f"cuda.reduce: {self.__name__}() must have two parameters, it has {self.py_func.__code__.co_argcount}"
            )
        self._functor = functor
        self._options = options
        self._versions: dict[Any, _Version] = {}

    __name__: str

    def __repr__(self) -> str:
        return f"<Reduce by {self.__name__}>"

    def _version(self, dtype: Any, *, has_init: bool) -> _Version:
        version = self._versions.get((dtype, has_init))
        if version is None:
            version = self._versions[dtype, has_init] = _Version(self._functor, dtype, self._options, has_init=has_init)
        return version

    def __call__(self, arr: Any, size: int | None = None, res: Any = None, init: Any = 0, stream: Any = 0) -> Any:
        """Combine the elements, and `init` with the result.

        arr: an array of one dimension, on the host or on a device. size: combine the first `size` elements only. res:
        an array on the device; the result is written to its first element, and None is returned. stream: the order.
        """
        order = native(stream)
        array: Any = (
            arr
            if isinstance(arr, cuox.Array)
            else cuox.as_array(arr)
            if hasattr(arr, "__cuda_array_interface__")
            else None
        )
        if array is None:
            import numpy as np

            array = np.asarray(arr)
        if array.ndim != 1:
            raise TypeError(
                f"{self.__name__}: only arrays of one dimension can be reduced, got {array.ndim} dimensions"
            )
        if size is not None:
            if not 0 <= size <= array.size:
                raise ValueError(
                    f"{self.__name__}: size must be from 0 to the array's {array.size} elements, got {size}"
                )
            array = array[:size]
        if not isinstance(array, cuox.Array):
            array = cuox.to_device(array, stream=order)
        with _tracebacks.trimmed:
            self._version(array.dtype, has_init=init is not None)
        if res is None:
            return self._fetched(array, init, order)
        target = res if isinstance(res, cuox.Array) else cuox.as_array(res)
        if target.dtype != array.dtype or target.size < 1:
            raise TypeError(
                f"{self.__name__}: res must be an array of {array.dtype} with at least one element, got {target.size} of {target.dtype}"
            )
        target = target.reshape(-1)[:1] if target.shape != (1,) else target
        self._version(array.dtype, has_init=init is not None).run(array, target, init, order)
        return None

    def _first_only(self, array: Any, stream: Any) -> Any:
        """The elements combined, without an initial value."""
        return self._fetched(array, None, native(stream))

    def _fetched(self, array: Any, init: Any, order: Any) -> Any:
        version = self._version(array.dtype, has_init=init is not None)
        stream = cuox.Device().default_stream if order is None else order
        return fetch(array.dtype, stream, lambda target: version.run(array, target, init, stream))


class _Version:
    """The kernels for a type of elements."""

    def __init__(self, functor: Any, dtype: Any, options: Options | None, *, has_init: bool) -> None:
        import numpy as np

        from cuox._internal import type_codes

        code = type_codes.of_dtype(dtype)
        text = DeviceText(functor, (code, code), code, name="cuox_operator", maker="cuda.reduce", options=options)
        self._text = text
        self.dtype = np.dtype(dtype)
        self.identity = identity_of(python_function(functor, "cuda.reduce"), self.dtype, keeps_nan=not has_init)
        if self.identity is not None:
            some, partial = "", code
            self.partial = self.dtype
            parts = (code, self.identity.text, f"{text.name}(a, b)", "x[i]")
            joined = f"{text.name}(init, p[i])"
        else:
            some, partial = _SOME.format(type=code, name=text.name), "cuox_some"
            self.partial = np.dtype([("value", self.dtype), ("given", "?")], align=True)
            parts = ("cuox_some", "cuox_some{}", "cuox_either(a, b)", "cuox_some{x[i], true}")
            joined = f"!p[i].given ? init : with_init ? {text.name}(init, p[i].value) : p[i].value"
        keywords: dict[str, Any] = {"preamble": text.preamble + some, "options": text.options}
        self._reduction = _Reduction(*parts, [(f"const {code}", "x", True)], name="reduce_by_function", **keywords)
        # The initial value lies in memory if it is of a type that is not passed by value.
        self._by_value = self.dtype.char in BY_VALUE
        init = (code, "init", False) if self._by_value else (f"const {code}", "first", True)
        before = "" if self._by_value else f"{code} init = first[0]; "
        self._finish = _Elementwise(
            [(code, "r", True), (f"const {partial}", "p", True), init, ("bool", "with_init", False)],
            f"{before}r[i] = {joined}",
            name="reduce_by_function_end",
            **keywords,
        )

    def run(self, array: Any, target: Any, init: Any, order: Any) -> None:
        """Combine the elements of an array into the one of `target`; with `init` if it is not None."""
        identity = self.identity
        if identity is not None and (init is None or init == identity.value):
            self._text.run(self._reduction, array, out=target.reshape(()), stream=order)
            return
        partial = cuox.empty((1,), self.partial, stream=order)
        self._text.run(self._reduction, array, out=partial.reshape(()), stream=order)
        first = self.dtype.type(0 if init is None else init)
        if not self._by_value:
            first = cuox.to_device(first.reshape(1), stream=order)
        self._text.run(self._finish, target, partial, first, init is not None, stream=order)


reduce = Reduce
