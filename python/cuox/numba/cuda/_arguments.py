"""Arguments that are neither numbers nor device arrays: host arrays, arrays of other libraries, `In` and `Out`."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Callable
from typing import Any

import cuox
from cuox._native import _argument_type

from . import _raised
from .core import config, errors


class ArgHint:
    """An argument that says which way a host array is copied."""

    def __init__(self, value: Any) -> None:
        self.value = value


class In(ArgHint):
    """A host array that is copied to the device before the launch."""


class Out(ArgHint):
    """A host array that is copied from the device after the launch."""


class InOut(ArgHint):
    """A host array that is copied both ways."""


def type_code(value: Any) -> str:
    """The type code of an argument as a launch sees it."""
    if isinstance(value, ArgHint):
        value = value.value
    code: str | None = _argument_type(value)
    if code is not None:
        return code
    if _is_member(value):
        return type_code(value.value)
    if hasattr(value, "__cuda_array_interface__"):
        code = _argument_type(cuox.as_array(value))
        assert code is not None
        return code
    import numpy as np

    from cuox._internal import type_codes

    if isinstance(value, np.ndarray):
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        read_only = "" if value.flags.writeable else ",ro"
        return f"array({type_codes.of_dtype(value.dtype)},{value.ndim},{layout}{read_only})"
    raise TypeError(f"a kernel cannot take {type(value).__name__}")


class Converted:
    """The arguments of one launch as native code takes them; on leaving, results are copied back."""

    def __init__(self, dispatcher: Any, configured: Any, args: tuple[Any, ...]) -> None:
        self.stream = configured.stream
        self._back: list[Callable[[], None]] = []
        self._copied = False
        for extension in reversed(dispatcher.extensions):
            args = tuple(extension.prepare_args(None, arg, stream=self.stream, retr=self._back)[1] for arg in args)
        self.args = tuple(self._convert(arg) for arg in args)
        if self._copied and config.CUDA_WARN_ON_IMPLICIT_COPY:
            warnings.warn(
                errors.NumbaPerformanceWarning(
                    "Host array used in CUDA kernel will incur copy overhead to/from device."
                ),
                stacklevel=3,
            )

    def __enter__(self) -> tuple[Any, ...]:
        return self.args

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            for copy in self._back:
                copy()
            if self._back:
                _raised.check()

    def _convert(self, value: Any) -> Any:
        if _is_member(value):
            return self._convert(value.value)
        if isinstance(value, ArgHint):
            if not hasattr(value.value, "__array_interface__"):
                return self._convert(value.value)
            return self._host(value.value, to=not isinstance(value, Out), back=not isinstance(value, In))
        if isinstance(value, cuox.Array):
            return value
        if hasattr(value, "__cuda_array_interface__"):
            # The launch's stream waits for the one that the array's producer names.
            return cuox.as_array(value, stream=self.stream or None)
        if isinstance(value, tuple):
            # Records in a tuple are passed by value.
            items = [item if _is_record(item) else self._convert(item) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if _is_array(value) or _is_record(value):
            self._copied = True
            return self._host(value, to=True, back=True)
        return value

    def _host(self, value: Any, *, to: bool, back: bool) -> Any:
        import numpy as np

        array = np.asarray(value)
        stream = self.stream or None
        if not array.flags.c_contiguous and not array.flags.f_contiguous:
            # Laid out as on the host: strides are part of its type.
            device = cuox.to_device(np.ascontiguousarray(array), stream=stream)
        elif to:
            device = cuox.to_device(array, stream=stream)
        else:
            device = cuox.empty_like(array, stream=stream)
        if not array.flags.writeable:
            # Kernels that write to it are refused, as nothing could be copied back.
            return cuox.as_array(_ReadOnly(device))
        if not back:
            return device
        if _is_record(value):

            def copy_record() -> None:
                found = device.to_host(stream=stream)
                for name in value.dtype.names or ():
                    value[name] = found[name]

            self._back.append(copy_record)
        elif array.flags.writeable:

            def copy() -> None:
                array[...] = device.to_host(stream=stream)

            self._back.append(copy)
        return device


class _ReadOnly:
    """An array that may only be read."""

    def __init__(self, array: Any) -> None:
        self._array = array
        interface = dict(array.__cuda_array_interface__)
        interface["data"] = (interface["data"][0], True)
        self.__cuda_array_interface__ = interface


def _is_member(value: Any) -> bool:
    """True for members of enumerations that stand for something that kernels take."""
    return isinstance(value, enum.Enum) and not isinstance(value.value, (str, bytes))


def _is_array(value: Any) -> bool:
    import numpy as np

    return isinstance(value, np.ndarray)


def _is_record(value: Any) -> bool:
    import numpy as np

    return isinstance(value, np.void)
