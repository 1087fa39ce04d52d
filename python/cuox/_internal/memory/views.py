"""Functions that take arrays of any library."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

from cuox._native import StridedMemoryView

__all__ = ["args_viewable_as_strided_memory"]

_F = TypeVar("_F", bound=Callable[..., Any])


class _StridedMemoryViewProxy:
    """An argument of a function that is decorated so, before a stream is known."""

    __slots__ = ("has_dlpack", "obj")

    def __init__(self, obj: object) -> None:
        self.obj = obj
        self.has_dlpack = hasattr(obj, "__dlpack__") and hasattr(obj, "__dlpack_device__")
        if not self.has_dlpack and not hasattr(obj, "__cuda_array_interface__"):
            raise BufferError(
                f"the input object does not support any data exchange protocol: {type(obj).__name__} has neither "
                "__dlpack__ nor __cuda_array_interface__"
            )

    def view(self, stream_ptr: int | None = None) -> StridedMemoryView:
        """Return a view of the argument. stream_ptr: the `CUstream` that uses it, -1 for no order."""
        if self.has_dlpack:
            return StridedMemoryView.from_dlpack(self.obj, stream_ptr)
        return StridedMemoryView.from_cuda_array_interface(self.obj, stream_ptr)


def args_viewable_as_strided_memory(arg_indices: Iterable[int]) -> Callable[[_F], _F]:
    """Decorate a function some of whose positional arguments are arrays of any library.

    Inside, each of them is an object with a method `view(stream_ptr)`, which returns a `StridedMemoryView`, and the
    argument itself as `obj`.

    arg_indices: the places of these arguments.

    Raises BufferError, when the function is called, for an argument that no protocol shows.
    """
    places = tuple(arg_indices)

    def decorate(function: _F) -> _F:
        @wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            given = list(args)
            for place in places:
                if not -len(given) <= place < len(given):
                    raise TypeError(
                        f"{function.__name__}: argument {place} is to be an array, and {len(given)} positional arguments "
                        "were given"
                    )
                given[place] = _StridedMemoryViewProxy(given[place])
            return function(*given, **kwargs)

        return decorated  # type: ignore[return-value]

    return decorate
