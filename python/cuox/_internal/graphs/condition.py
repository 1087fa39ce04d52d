"""Conditions: numbers that say which graphs of conditional nodes run."""

from __future__ import annotations

import operator
from typing import Any

from cuox import _native
from cuox._internal import driver_calls as driver


class GraphCondition:
    """A number that kernels set by `cudaGraphSetConditional` and conditional nodes read.

    Kernels take it as an argument for a parameter of the type `cudaGraphConditionalHandle`.
    """

    __slots__ = ("__weakref__", "_graph", "_handle", "_mark")
    _graph: int
    _handle: int
    _mark: _native._ContextMark

    def __init__(self) -> None:
        raise RuntimeError("a GraphCondition cannot be instantiated directly: call create_condition()")

    @classmethod
    def _create(cls, graph: Any, context: Any, default_value: int | None) -> GraphCondition:
        """Create a condition of a `CUgraph`."""
        # CU_GRAPH_COND_ASSIGN_DEFAULT
        flags = 0 if default_value is None else 1
        handle = driver.call(
            "cuGraphConditionalHandleCreate", graph, context, operator.index(default_value or 0), flags
        )
        made = object.__new__(cls)
        made._graph, made._handle, made._mark = int(graph), int(handle), _native._ContextMark()
        return made

    @property
    def handle(self) -> Any:
        """The `CUgraphConditionalHandle`. Raises ClosedError after `Device.reset`."""
        self._mark.check()
        return driver.bindings().CUgraphConditionalHandle(self._handle)

    def __index__(self) -> int:
        self._mark.check()
        return self._handle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphCondition) and (self._handle, self._graph) == (other._handle, other._graph)

    def __hash__(self) -> int:
        return hash(("condition", self._graph, self._handle))

    def __repr__(self) -> str:
        return f"<GraphCondition handle={self._handle:#x}>"
