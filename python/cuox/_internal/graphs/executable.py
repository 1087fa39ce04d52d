"""Views of nodes in graphs that can be launched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cuox._internal import driver_calls as driver
from cuox._native import Event, Graph, Kernel, LaunchConfig

from . import kinds, parameters
from .definition import GraphDefinition
from .nodes import GraphNode
from .state import Memory


class ExecutableGraphNode:
    """A node in a graph that can be launched: `graph[node]`."""

    __slots__ = ("_graph", "_node")
    _graph: Graph
    _node: GraphNode

    def __init__(self) -> None:
        raise RuntimeError("an ExecutableGraphNode cannot be instantiated directly: graph[node] gives one")

    def _set(self, function: str, *arguments: Any, used: object) -> None:
        driver.call(function, driver.bindings().CUgraphExec(self._graph.handle), self._node.handle, *arguments)
        if used is not None:
            self._graph._keep(self._node._handle, used)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} graph={self._graph.handle:#x} node={self._node._handle:#x}>"


class _Switchable(ExecutableGraphNode):
    """A node that can be left out."""

    __slots__ = ()

    @property
    def is_enabled(self) -> bool:
        """False if launches leave the node out."""
        graph = driver.bindings().CUgraphExec(self._graph.handle)
        return bool(driver.call("cuGraphNodeGetEnabled", graph, self._node.handle))

    def enable(self) -> None:
        """Have later launches run the node."""
        self._set("cuGraphNodeSetEnabled", 1, used=None)

    def disable(self) -> None:
        """Have later launches leave the node out."""
        self._set("cuGraphNodeSetEnabled", 0, used=None)


class ExecutableKernelNode(_Switchable):
    """A launch of a kernel in a graph that can be launched."""

    __slots__ = ()

    def update(self, *, config: LaunchConfig, kernel: Kernel, args: Sequence[Any]) -> None:
        """Set all parameters for later launches. Driver API manual, `cuGraphExecKernelNodeSetParams`."""
        record, used = parameters.kernel(config, kernel, args)
        self._set("cuGraphExecKernelNodeSetParams", record, used=used)


class ExecutableMemsetNode(_Switchable):
    """A fill in a graph that can be launched."""

    __slots__ = ()

    def update(self, *, dst: Memory, value: Any, width: int, height: int = 1, pitch: int = 0) -> None:
        """Set all parameters for later launches. Driver API manual, `cuGraphExecMemsetNodeSetParams`."""
        record, used = parameters.memset(dst, value, width, height, pitch, None)
        self._set("cuGraphExecMemsetNodeSetParams", record, parameters.context(), used=used)


class ExecutableMemcpyNode(_Switchable):
    """A copy in a graph that can be launched."""

    __slots__ = ()

    def update(self, *, dst: Memory, src: Memory, size: int) -> None:
        """Set all parameters for later launches. Driver API manual, `cuGraphExecMemcpyNodeSetParams`."""
        record, used = parameters.memcpy(dst, src, size, None, None)
        self._set("cuGraphExecMemcpyNodeSetParams", record, parameters.context(), used=used)


class ExecutableChildGraphNode(ExecutableGraphNode):
    """A graph as one node in a graph that can be launched."""

    __slots__ = ()

    def update(self, child: GraphDefinition) -> None:
        """Set the parameters of the nodes inside for later launches. Driver API manual,
        `cuGraphExecChildGraphNodeSetParams`.
        """
        if not isinstance(child, GraphDefinition):
            raise TypeError(f"child: expected a cuox.cuda.core.graph.GraphDefinition, got {type(child).__name__}")
        self._set("cuGraphExecChildGraphNodeSetParams", child.handle, used=child._state.all_used())


class ExecutableEventRecordNode(ExecutableGraphNode):
    """A record of an event in a graph that can be launched."""

    __slots__ = ()

    def update(self, event: Event) -> None:
        """Set the event for later launches. Driver API manual, `cuGraphExecEventRecordNodeSetEvent`."""
        self._set("cuGraphExecEventRecordNodeSetEvent", parameters.event(event), used=event)


class ExecutableEventWaitNode(ExecutableGraphNode):
    """A wait for an event in a graph that can be launched."""

    __slots__ = ()

    def update(self, event: Event) -> None:
        """Set the event for later launches. Driver API manual, `cuGraphExecEventWaitNodeSetEvent`."""
        self._set("cuGraphExecEventWaitNodeSetEvent", parameters.event(event), used=event)


class ExecutableHostCallbackNode(ExecutableGraphNode):
    """A call of a function in a graph that can be launched."""

    __slots__ = ()

    def update(self, fn: Callable[..., Any], *, user_data: object = None) -> None:
        """Set the function for later launches, as `GraphNode.callback` takes it. Driver API manual,
        `cuGraphExecHostNodeSetParams`.
        """
        record, used = parameters.host(fn, user_data)
        self._set("cuGraphExecHostNodeSetParams", record, used=used)


_VIEWS: dict[type[GraphNode], type[ExecutableGraphNode]] = {
    kinds.KernelNode: ExecutableKernelNode,
    kinds.MemsetNode: ExecutableMemsetNode,
    kinds.MemcpyNode: ExecutableMemcpyNode,
    kinds.ChildGraphNode: ExecutableChildGraphNode,
    kinds.EventRecordNode: ExecutableEventRecordNode,
    kinds.EventWaitNode: ExecutableEventWaitNode,
    kinds.HostCallbackNode: ExecutableHostCallbackNode,
}


def executable_node(graph: Graph, node: object) -> ExecutableGraphNode:
    """`graph[node]`."""
    if not isinstance(node, GraphNode):
        raise TypeError(f"graph[node]: expected a cuox.cuda.core.graph.GraphNode, got {type(node).__name__}")
    made = object.__new__(_VIEWS.get(type(node), ExecutableGraphNode))
    made._graph, made._node = graph, node
    return made
