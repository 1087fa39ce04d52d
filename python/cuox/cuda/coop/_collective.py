"""The object of an operation of a block or warp, which kernels call."""

from __future__ import annotations

import operator as operator_module
from collections.abc import Callable
from typing import Any

from cuox._native import _collective_storage

from ._arguments import code_of, function_of, size_of

# CUDA C++ Programming Guide, "Compute Capabilities".
_MOST_LOCAL = 512 << 10

# What tells an object to the compiler of kernels.
Tell = Callable[[Any], tuple[Any, ...]]


class StatefulFunction:
    """A prefix function of scans with a state: `op(state, block_aggregate)` returns what comes before the block's
    items.

    op: a function, or a class whose `__call__` is it. dtype: the type of the state. Each thread has an array of one
    such state, `cuda.local.array(1, dtype)`, and passes it behind the items; the first warp calls the function. name:
    that of the function, for the program's own use.
    """

    def __init__(self, op: Any, dtype: Any, name: str | None = None) -> None:
        self.op = op
        self.dtype = dtype
        self.name = name

    @staticmethod
    def _kernel_told(value: StatefulFunction, tell: Tell) -> tuple[Any, ...]:
        return ("struct", "StatefulFunction", ["function"], [tell(value.function)])

    @property
    def function(self) -> Any:
        """The function that kernels call."""
        return function_of(self.op.__call__ if isinstance(self.op, type) else self.op)


class Collective:
    """An operation of all threads of a block or warp together: kernels call it.

    All threads of the block, or of the warp, must get to the call.
    """

    def __init__(
        self,
        name: str,
        operation: str,
        group: tuple[int, int, int] | int,
        dtype: Any,
        items_per_thread: int = 1,
        operator: Any = None,
        prefix: Any = None,
        initial: Any = None,
        *,
        other: Any = None,
        numbers: tuple[int, ...] = (),
    ) -> None:
        code = code_of(dtype)
        items_per_thread = operator_module.index(items_per_thread)
        if items_per_thread < 1:
            raise ValueError(f"items_per_thread must be greater than or equal to 1, got {items_per_thread}")
        if items_per_thread * size_of(code) > _MOST_LOCAL:
            raise ValueError(
                f"items_per_thread: a thread has {_MOST_LOCAL} bytes of local memory, which {items_per_thread} items of {code} are too many for"
            )
        self._name = name
        self._operation = operation
        self._group = group if isinstance(group, int) else tuple(group)
        self._code = code
        self._items = items_per_thread
        self._operator = operator if operator is None or isinstance(operator, str) else function_of(operator)
        self._prefix = prefix
        self._initial = initial
        self._other = None if other is None else code_of(other)
        self._numbers = list(numbers)
        self._storage = _collective_storage(self._told(None, None, None))

    def _told(self, operator: Any, prefix: Any, initial: Any) -> tuple[Any, ...]:
        return (
            self._name,
            self._operation,
            self._group,
            self._code,
            self._items,
            operator,
            prefix,
            initial,
            self._other,
            self._numbers,
        )

    @staticmethod
    def _kernel_told(value: Collective, tell: Tell) -> tuple[Any, ...]:
        prefix = value._prefix
        if isinstance(prefix, StatefulFunction):
            prefix = (tell(prefix.function), True)
        elif prefix is not None:
            prefix = (tell(function_of(prefix)), False)
        operator = value._operator
        if operator is not None and not isinstance(operator, str):
            operator = tell(operator)
        initial = None if value._initial is None else tell(value._initial)
        return ("collective", value._told(operator, prefix, initial))

    @property
    def temp_storage_bytes(self) -> int:
        """Bytes of shared memory for calls that bring their storage: `cuda.shared.array(x.temp_storage_bytes, "uint8")`
        as the first argument.
        """
        return self._storage[0]

    @property
    def temp_storage_alignment(self) -> int:
        """The alignment of the storage. An array of bytes may lie anywhere: `temp_storage_bytes` has room for that."""
        return self._storage[1]

    @property
    def files(self) -> list[Any]:
        """What `cuda.jit(link=...)` links for it: nothing, since the compiler of kernels knows it."""
        return []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"{self._name}() can be called by kernels only, by all threads of a block or warp")

    def __repr__(self) -> str:
        threads = f"{self._group}" if isinstance(self._group, int) else "x".join(map(str, self._group))
        return f"<{self._name} of {self._code} by {threads} threads, {self._items} items each>"
