"""Arrays of the host as arguments of kernels: `In`, `Out`, `InOut`."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuox

from .copies import memcpy_dtoh, memcpy_htod
from .memory import DeviceAllocation, ManagedAllocation, mem_alloc_like

__all__ = ["ArgumentHandler", "In", "InOut", "Out"]


class ArgumentHandler:
    """The base class of `In`, `Out` and `InOut`: an array of the host that a kernel gets a copy of in device memory.

    `pre_call` is called before the launch, `post_call` (if there is one) after the kernel is done.
    """

    def __init__(self, ary: Any) -> None:
        self.array = ary
        self.dev_alloc: DeviceAllocation | None = None

    def get_device_alloc(self) -> DeviceAllocation:
        """Return the device memory, which is allocated when it is first asked for. Raises TypeError if that is not for
        an array.
        """
        if self.dev_alloc is None:
            if isinstance(self.array, (cuox.Array, cuox.Buffer)):
                kind = type(self.array).__name__
                raise TypeError(
                    f"{type(self).__name__}: expected an array of NumPy, got {kind}, which is device memory: pass it to the kernel itself"
                )
            if not hasattr(self.array, "nbytes"):
                raise TypeError(
                    f"{type(self).__name__}: could not determine the size of a {type(self.array).__name__}: expected an array of NumPy, such as numpy.float32([1, 2])"
                )
            self._check()
            self.dev_alloc = mem_alloc_like(self.array)
        return self.dev_alloc

    def _check(self) -> None:
        array = self.array
        if isinstance(array, np.ndarray) and not (array.flags.c_contiguous or array.flags.f_contiguous):
            raise ValueError(
                f"{type(self).__name__}: the array's elements do not lie one after another: pass a copy, numpy.ascontiguousarray(array)"
            )

    def pre_call(self, stream: Any) -> None:
        """Prepare the device memory for a launch in a stream."""


class In(ArgumentHandler):
    """An array that is copied to the device before the launch."""

    def pre_call(self, stream: Any) -> None:
        """Copy the array to the device."""
        memcpy_htod(self.get_device_alloc(), self.array)


class Out(ArgumentHandler):
    """An array that is copied back from the device after the kernel is done."""

    def _check(self) -> None:
        super()._check()
        if isinstance(self.array, np.ndarray) and not self.array.flags.writeable:
            raise ValueError(f"{type(self).__name__}: the array is read-only: nothing can be copied back to it")

    def post_call(self, stream: Any) -> None:
        """Copy the array back."""
        memcpy_dtoh(self.array, self.get_device_alloc())


class InOut(In, Out):
    """An array that is copied to the device before the launch, and back after it."""


_DTYPES_OF_NUMBERS = (int, float, complex, np.number, np.bool_)


def adapted(args: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[ArgumentHandler]]:
    """Return the arguments as a launch takes them, and the handlers among them.

    Raises TypeError for objects that are no argument of any kernel.
    """
    handlers: list[ArgumentHandler] = []
    made: list[Any] = []
    for index, argument in enumerate(args):
        if isinstance(argument, ArgumentHandler):
            handlers.append(argument)
            argument = argument.get_device_alloc()
        elif isinstance(argument, np.ndarray) and isinstance(argument.base, ManagedAllocation):
            # A view of managed memory begins where it begins.
            argument = argument.__array_interface__["data"][0]
        elif not _is_plain(argument):
            argument = _pointer(argument, index)
        made.append(argument)
    return tuple(made), handlers


def _is_plain(argument: object) -> bool:
    if isinstance(argument, (*_DTYPES_OF_NUMBERS, np.ndarray, np.void, bytes, bytearray, memoryview)):
        return True
    kind = type(argument)
    known = ("__cuda_array_interface__", "__dlpack_device__")
    return (
        any(hasattr(kind, name) for name in known) or kind.__module__ in ("ctypes", "_ctypes") or _is_ctypes(argument)
    )


def _is_ctypes(argument: object) -> bool:
    import ctypes

    return isinstance(argument, (ctypes.Structure, ctypes.Union, ctypes.Array, ctypes._SimpleCData))


def _pointer(argument: Any, index: int) -> Any:
    if getattr(argument, "__cuda_array_interface__", None):
        return argument
    for name in ("gpudata", "__index__"):
        value = getattr(argument, name, None)
        if value is not None:
            if name == "__index__":
                return int(value())
            return value if isinstance(value, DeviceAllocation) else int(value)
    if argument is None:
        raise TypeError(
            f"invalid type on parameter #{index} (0-based): None: pass memory, or numpy.intp(0) for the null pointer"
        )
    raise TypeError(
        f"invalid type on parameter #{index} (0-based): {type(argument).__name__}: expected a number, memory (DeviceAllocation, GPUArray, an address), "
        f"an array wrapped in In, Out or InOut, or an object with gpudata or __cuda_array_interface__"
    )
