"""Modes of algorithms: while they are compiled ahead, or run from what was, they do other things in place of launching
and translating.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ._recent import Recent


class StoredOperator:
    """An operator that is an argument of an algorithm, with what was made of it for items of certain types."""

    def __init__(self, function: Any, is_cpp: bool) -> None:
        # The user's; None if it was left out.
        self.function, self.is_cpp = function, is_cpp

    def adapt(self, change: Callable[[Any], Any]) -> None:
        """Use what `change` makes of an operator in CUDA C++."""

    def operator(self, items: Sequence[Any], result: Any) -> Any:
        """The operator for items of these types."""
        raise NotImplementedError

    def identity(self, dtype: Any) -> str | None:
        """The neutral element in CUDA C++."""
        raise NotImplementedError


class Mode(Protocol):
    """A way of running an algorithm."""

    # Kernels by their texts, in place of those that all algorithms share.
    kernels: Recent[Any]
    # More options for the compiler.
    options: Sequence[str]
    # False if nothing is launched.
    launches: bool

    def launcher(self, made: Any) -> Callable[..., None]:
        """The function that is called in place of a kernel."""

    def operator(self, name: str, given: Any) -> Any:
        """The object that stands for the operator that is an argument."""

    def check(self, name: str, given: Any) -> None:
        """Raise TypeError for an argument of another kind than the algorithm was compiled for."""

    def calls(self, native: Any) -> Callable[..., None]:
        """In place of an algorithm's remembered calls."""


# The stream of the call that is being made ready.
call_stream: contextvars.ContextVar[Any] = contextvars.ContextVar("call_stream", default=None)

active: contextvars.ContextVar[Mode | None] = contextvars.ContextVar("active", default=None)


def compiles_ahead() -> bool:
    """True while kernels are only compiled: arrays and numbers of items stand for others."""
    mode = active.get()
    return mode is not None and not mode.launches
