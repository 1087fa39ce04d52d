"""The neighbours of a node, as a set that can be changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from typing import TYPE_CHECKING, Any

from cuox._internal import driver_calls as driver

if TYPE_CHECKING:
    from .nodes import GraphNode


class AdjacencySetProxy(MutableSet["GraphNode"]):
    """The nodes before a node, or those after it: a set whose changes are the graph's."""

    __slots__ = ("_is_after", "_node")

    def __init__(self, node: GraphNode, is_after: bool) -> None:
        self._node, self._is_after = node, is_after

    @classmethod
    def _from_iterable(cls, it: Iterable[GraphNode]) -> set[GraphNode]:  # type: ignore[override]
        return set(it)

    def _all(self) -> list[GraphNode]:
        node = self._node
        node._state.mark.check()
        if not node._handle or not node.is_valid:
            return []
        function = "cuGraphNodeGetDependentNodes" if self._is_after else "cuGraphNodeGetDependencies"
        (handles, _) = driver.listed(function, node.handle, 2)
        return [node._state_node(int(handle)) for handle in handles]

    def _change(self, function: str, others: Iterable[GraphNode]) -> None:
        from .nodes import GraphNode

        node, names = self._node, driver.bindings()
        ends = []
        for other in others:
            if not isinstance(other, GraphNode):
                raise TypeError(f"expected a cuox.cuda.core.graph.GraphNode, got {type(other).__name__}")
            other._state.mark.check()
            ends.append(names.CUgraphNode(other._handle))
        if not node._handle:
            raise ValueError("the entry of a graph has no edges: a node without predecessors begins there")
        if ends:
            own = [names.CUgraphNode(node._handle)] * len(ends)
            before, after = (own, ends) if self._is_after else (ends, own)
            driver.call(function, node._state.graph, before, after, None, len(ends))

    def __contains__(self, x: object) -> bool:
        return x in self._all()

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def add(self, value: GraphNode) -> None:
        """Add an edge, if there is none."""
        self.update([value])

    def discard(self, value: GraphNode) -> None:
        """Remove an edge, if there is one."""
        self -= {value}

    def update(self, *others: Iterable[GraphNode]) -> None:
        """Add edges to the nodes of iterables; where there is one nothing is done."""
        known = set(self._all())
        new = [node for other in others for node in other]
        self._change("cuGraphAddDependencies", [node for node in dict.fromkeys(new) if node not in known])

    def clear(self) -> None:
        """Remove all edges."""
        self._change("cuGraphRemoveDependencies", self._all())

    def __ior__(self, it: Iterable[GraphNode]) -> AdjacencySetProxy:  # type: ignore[override, misc]
        self.update(it)
        return self

    def __isub__(self, it: Any) -> AdjacencySetProxy:  # type: ignore[misc]
        gone = self._all() if it is self else [node for node in self._all() if node in it]
        self._change("cuGraphRemoveDependencies", gone)
        return self

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, self))}}}"
