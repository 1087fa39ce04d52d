"""As much of CuPy as the examples of cuda.compute use, over arrays of cuox: for `tools/compute_suite.py --examples`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np


def asnumpy(given: Any) -> Any:
    """The same on the host, also of what is in tuples and lists."""
    if isinstance(given, ndarray):
        return given.get()
    return type(given)(map(asnumpy, given)) if isinstance(given, (list, tuple)) else given


def _there(given: Any) -> Any:
    return ndarray(np.asarray(given)) if isinstance(given, (np.ndarray, np.generic)) else given


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **named: _there(
        function(*map(asnumpy, args), **{name: asnumpy(value) for name, value in named.items()})
    )


class ndarray:
    """An array on the device. What it cannot do itself NumPy does on the host."""

    def __init__(self, host: Any) -> None:
        self.shape = np.shape(host)
        self.set(host)

    def set(self, host: Any) -> None:
        self._array = cuox.to_device(np.ascontiguousarray(host))
        cuox.Device().sync()

    def get(self) -> Any:
        cuox.Device().sync()
        return self._array.to_host().reshape(self.shape)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return dict(self._array.__cuda_array_interface__)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.get(), dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        host = self.get()
        host[asnumpy(key)] = asnumpy(value)
        self._array.copy_from(cuox.to_device(np.ascontiguousarray(host)))
        cuox.Device().sync()

    def __format__(self, spec: str) -> str:
        return format(self.get(), spec)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.get(), name)
        return _wrapped(found) if callable(found) else found


def _special(name: str) -> Callable[..., Any]:
    return lambda self, *args: _there(getattr(self.get(), name)(*map(asnumpy, args)))


_OPERATORS = "eq ne lt le gt ge add sub mul truediv floordiv mod pow and or xor radd rsub rmul rtruediv rpow neg invert abs getitem"
for _name in _OPERATORS.split():
    setattr(ndarray, f"__{_name}__", _special(f"__{_name}__"))
for _name in ("len", "iter", "bool", "int", "float", "repr"):
    setattr(ndarray, f"__{_name}__", lambda self, _name=_name: getattr(self.get(), f"__{_name}__")())


class _Random:
    def __getattr__(self, name: str) -> Any:
        return np.random.seed if name == "seed" else _wrapped(getattr(np.random, name))


random = _Random()


class special:
    """In place of `cupyx.scipy.special`."""

    loggamma = staticmethod(_wrapped(np.vectorize(math.lgamma)))


class cuda:
    """Streams."""

    class Stream:
        """A stream of cuox's."""

        def __init__(self, *args: Any, **named: Any) -> None:
            self._stream = cuox.Device().create_stream()
            self.ptr = self._stream.handle

        def synchronize(self) -> None:
            self._stream.sync()

        def __cuda_stream__(self) -> tuple[int, int]:
            return (0, self.ptr)


def __getattr__(name: str) -> Any:
    found = getattr(np, name)
    return _wrapped(found) if callable(found) and not isinstance(found, type) else found
