"""Graphs that are put together node by node."""

from __future__ import annotations

import os
from typing import Any

from cuox import _native
from cuox._internal import driver_calls as driver
from cuox._native import Graph

from . import parameters
from .condition import GraphCondition
from .kinds import node_of
from .nodes import GraphNode
from .options import GraphCompleteOptions, GraphDebugPrintOptions
from .state import State


def _delegated(name: str) -> Any:
    """A method of the graph's entry, which has the nodes without predecessors behind it."""
    method = getattr(GraphNode, name)

    def call(self: GraphDefinition, *args: Any, **keywords: Any) -> Any:
        return getattr(self._entry, name)(*args, **keywords)

    call.__name__, call.__qualname__ = name, f"GraphDefinition.{name}"
    call.__doc__ = f"As `GraphNode.{name}`, for a node without predecessors. {method.__doc__}"
    call.__wrapped__ = method  # type: ignore[attr-defined]
    return call


class GraphDefinition:
    """A graph that is put together node by node, and then made to be launched by `instantiate`.

    Its methods add nodes without predecessors; those of nodes add nodes that come after them. What nodes use, such as
    buffers, kernels and functions, is kept with the graph. After `Device.reset` it and its nodes raise ClosedError.
    Driver API manual, *Graph Management*.
    """

    __slots__ = ("__weakref__", "_keeper", "_state")

    def __init__(self) -> None:
        context = parameters.context()
        if not int(context):
            raise RuntimeError("GraphDefinition: no device is current")
        self._state = State(int(driver.call("cuGraphCreate", 0)), is_owner=True)
        self._keeper: object = None

    @classmethod
    def _of(cls, state: State, keeper: object = None) -> GraphDefinition:
        made = object.__new__(cls)
        made._state, made._keeper = state, keeper
        return made

    @property
    def _entry(self) -> GraphNode:
        self._state.mark.check()
        if not self._state.is_valid:
            raise RuntimeError("GraphDefinition: the node that the graph was in was destroyed")
        return GraphNode._make(self._state, 0)

    @property
    def is_valid(self) -> bool:
        """False if the node that the graph was in is destroyed, and after `Device.reset`."""
        return self._state.is_valid

    @property
    def handle(self) -> Any:
        """The `CUgraph`. Raises ClosedError after `Device.reset`."""
        return self._state.graph

    launch = _delegated("launch")
    empty = _delegated("empty")
    join = _delegated("join")
    allocate = _delegated("allocate")
    deallocate = _delegated("deallocate")
    memset = _delegated("memset")
    memcpy = _delegated("memcpy")
    embed = _delegated("embed")
    record = _delegated("record")
    wait = _delegated("wait")
    callback = _delegated("callback")
    if_then = _delegated("if_then")
    if_else = _delegated("if_else")
    while_loop = _delegated("while_loop")
    switch = _delegated("switch")

    def create_condition(self, default_value: int | None = None) -> GraphCondition:
        """Create a condition for conditional nodes of this graph.

        default_value: the number at the beginning of each launch; without one kernels have to set it.

        Raises CUDAError. Driver API manual, `cuGraphConditionalHandleCreate`.
        """
        return GraphCondition._create(self._state.graph, parameters.context(), default_value)

    def instantiate(self, options: GraphCompleteOptions | None = None) -> Graph:
        """Make a graph that can be launched any number of times; later nodes do not change it.

        options: GraphCompleteOptions, or a dict with some of its fields.

        Raises CUDAError. Driver API manual, `cuGraphInstantiate`.
        """
        return _native._instantiate_graph(int(self.handle), self._state.all_used(), options)

    def debug_dot_print(self, path: str | os.PathLike[str], options: GraphDebugPrintOptions | None = None) -> None:
        """Write the graph as text for Graphviz.

        Raises TypeError for other options, CUDAError. Driver API manual, `cuGraphDebugDotPrint`.
        """
        if options is not None and not isinstance(options, GraphDebugPrintOptions):
            raise TypeError(f"options must be a GraphDebugPrintOptions, got {type(options).__name__}")
        driver.call("cuGraphDebugDotPrint", self.handle, os.fsencode(path), options._to_flags() if options else 0)

    def nodes(self) -> set[GraphNode]:
        """Return all nodes."""
        (handles,) = driver.listed("cuGraphGetNodes", self.handle, 1)
        return {node_of(self._state, int(handle)) for handle in handles}

    def edges(self) -> set[tuple[GraphNode, GraphNode]]:
        """Return all edges, as pairs of the node before and the one after."""
        before, after = driver.listed("cuGraphGetEdges", self.handle, 2)
        return {
            (node_of(self._state, int(a)), node_of(self._state, int(b))) for a, b in zip(before, after, strict=True)
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphDefinition) and self._state is other._state

    def __hash__(self) -> int:
        return hash(("graph", self._state.handle))

    def __repr__(self) -> str:
        return f"<GraphDefinition handle={self._state.handle if self.is_valid else 0:#x}>"
