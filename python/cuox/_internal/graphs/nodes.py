"""Nodes of graphs: what all have, and the methods that add nodes behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Self

from cuox._internal import driver_calls as driver
from cuox._native import Device, Event, Kernel, LaunchConfig
from cuox.cuda.core.typing import GraphMemoryType

from . import parameters
from .edges import AdjacencySetProxy
from .state import Memory, State

if TYPE_CHECKING:
    from .condition import GraphCondition
    from .definition import GraphDefinition
    from .kinds import (
        AllocNode,
        ChildGraphNode,
        EmptyNode,
        EventRecordNode,
        EventWaitNode,
        FreeNode,
        HostCallbackNode,
        IfElseNode,
        IfNode,
        KernelNode,
        MemcpyNode,
        MemsetNode,
        SwitchNode,
        WhileNode,
    )


class GraphNode:
    """A node of a graph. Its methods, and those of `GraphDefinition`, add nodes that come after it.

    Driver API manual, *Graph Management*.
    """

    __slots__ = ("__weakref__", "_handle", "_is_valid", "_state")
    _state: State
    _handle: int
    _is_valid: bool

    def __init__(self) -> None:
        raise RuntimeError("a GraphNode cannot be instantiated directly: call the methods of a GraphDefinition")

    @classmethod
    def _make(cls, state: State, handle: int) -> Self:
        node = object.__new__(cls)
        node._state, node._handle, node._is_valid = state, handle, True
        if handle:
            state.nodes[handle] = node
        return node

    def _state_node(self, handle: int) -> GraphNode:
        from .kinds import node_of

        return node_of(self._state, handle)

    def _check(self) -> None:
        self._state.mark.check()
        if not self.is_valid:
            raise RuntimeError(f"{type(self).__name__}: the node was destroyed")

    def _add(self, kind: type[Any], function: str, *arguments: Any, used: dict[str, Any] | None = None) -> Any:
        """Add a node behind this one by a function of the driver."""
        return self._add_behind(self._before(), kind, function, arguments, used)

    def _before(self) -> list[Any]:
        """What a node behind this one depends on: this node, or nothing at the entry of a graph."""
        self._check()
        return [driver.bindings().CUgraphNode(self._handle)] if self._handle else []

    def _add_behind(
        self, before: list[Any], kind: type[Any], function: str, arguments: Iterable[Any], used: dict[str, Any] | None
    ) -> Any:
        made = driver.call(function, self._state.graph, before or None, len(before), *arguments)
        node = kind._make(self._state, int(made))
        if used is not None:
            used.pop("values", None)
            self._state.keep(node._handle, used)
        return node

    @property
    def _used(self) -> dict[str, Any]:
        return self._state.used.get(self._handle, {})

    @property
    def type(self) -> Any:
        """The kind, a `CUgraphNodeType`; None for a graph's entry and after `destroy`. Raises ClosedError after
        `Device.reset`.
        """
        self._state.mark.check()
        return driver.call("cuGraphNodeGetType", self.handle) if self._handle and self.is_valid else None

    @property
    def graph(self) -> GraphDefinition:
        """The graph that the node is in."""
        from .definition import GraphDefinition

        return GraphDefinition._of(self._state)

    @property
    def handle(self) -> Any:
        """The `CUgraphNode`; None for a graph's entry and after `destroy`. Raises ClosedError after `Device.reset`."""
        self._state.mark.check()
        return driver.bindings().CUgraphNode(self._handle) if self._handle and self.is_valid else None

    @property
    def is_valid(self) -> bool:
        """False after `destroy`, when the graph that it was in is gone, and after `Device.reset`."""
        return self._is_valid and self._state.is_valid

    def destroy(self) -> None:
        """Take the node out of its graph, with its edges. Doing so twice is fine.

        Driver API manual, `cuGraphDestroyNode`.
        """
        if self._handle and self.is_valid:
            driver.call("cuGraphDestroyNode", self.handle)
            self._is_valid = False
            self._state.drop_node(self._handle)

    @property
    def pred(self) -> AdjacencySetProxy:
        """The nodes right before, as a set; changes of it are the graph's, and another set can be assigned."""
        return AdjacencySetProxy(self, False)

    @pred.setter
    def pred(self, value: Iterable[GraphNode]) -> None:
        self._replace(self.pred, value)

    @property
    def succ(self) -> AdjacencySetProxy:
        """The nodes that come right after, as a set; changes of it are the graph's, and another set can be assigned."""
        return AdjacencySetProxy(self, True)

    @succ.setter
    def succ(self, value: Iterable[GraphNode]) -> None:
        self._replace(self.succ, value)

    @staticmethod
    def _replace(edges: AdjacencySetProxy, value: Iterable[GraphNode]) -> None:
        new = list(value)
        for node in new:
            if not isinstance(node, GraphNode):
                raise TypeError(f"expected nodes (cuox.cuda.core.graph.GraphNode), got {type(node).__name__}")
        edges -= [node for node in edges if node not in new]
        edges.update(new)

    def launch(self, config: LaunchConfig, kernel: Kernel, *args: Any) -> KernelNode:
        """Add a launch of a kernel; buffers and arrays among the arguments are kept with the graph.

        Raises NotImplementedError for clusters and cooperative launches. Driver API manual, `cuGraphAddKernelNode`.
        """
        from .kinds import KernelNode

        record, used = parameters.kernel(config, kernel, args)
        node: KernelNode = self._add(KernelNode, "cuGraphAddKernelNode", record, used=used)
        return node

    def empty(self) -> EmptyNode:
        """Add a node that does nothing. Driver API manual, `cuGraphAddEmptyNode`."""
        from .kinds import EmptyNode

        node: EmptyNode = self._add(EmptyNode, "cuGraphAddEmptyNode")
        return node

    def join(self, *nodes: GraphNode) -> EmptyNode:
        """Add a node that does nothing, after this one and others. Driver API manual, `cuGraphAddEmptyNode`."""
        from .kinds import EmptyNode

        self._check()
        for node in nodes:
            if not isinstance(node, GraphNode):
                raise TypeError(f"join: expected nodes (cuox.cuda.core.graph.GraphNode), got {type(node).__name__}")
            node._state.mark.check()
        names = driver.bindings()
        before = [
            names.CUgraphNode(handle) for handle in dict.fromkeys(node._handle for node in (self, *nodes)) if handle
        ]
        made: EmptyNode = self._add_behind(before, EmptyNode, "cuGraphAddEmptyNode", (), None)
        return made

    def allocate(
        self,
        size: int,
        *,
        device: Device | int | None = None,
        memory_type: GraphMemoryType | str = GraphMemoryType.DEVICE,
        peer_access: list[Device | int] | None = None,
    ) -> AllocNode:
        """Add an allocation of `size` bytes, whose address is the node's `dptr`.

        device: whose memory; None is the current device. memory_type: "device", "host" or "managed".
        peer_access: other devices that may use it.

        Raises ValueError for other kinds of memory, CUDAError where the driver has no pools of such memory. Driver API
        manual, `cuGraphAddMemAllocNode`.
        """
        from .kinds import AllocNode

        try:
            kind = GraphMemoryType(memory_type)
        except ValueError:
            kinds = ", ".join(repr(one.value) for one in GraphMemoryType)
            raise ValueError(f"{memory_type!r} is not a valid GraphMemoryType. Must be one of {kinds}") from None
        names = driver.bindings()
        place = Device(device).device_id
        record = names.CUDA_MEM_ALLOC_NODE_PARAMS()
        pool = record.poolProps
        is_managed = kind is GraphMemoryType.MANAGED
        types = names.CUmemAllocationType
        pool.allocType = types.CU_MEM_ALLOCATION_TYPE_MANAGED if is_managed else types.CU_MEM_ALLOCATION_TYPE_PINNED
        if kind is GraphMemoryType.HOST:
            pool.location.type, pool.location.id = names.CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST, 0
        else:
            pool.location.type, pool.location.id = names.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, place
        record.bytesize = size
        peers = [Device(peer).device_id for peer in peer_access or ()]
        access = []
        for peer in peers:
            one = names.CUmemAccessDesc()
            one.location.type, one.location.id = names.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, peer
            one.flags = names.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
            access.append(one)
        if access:
            record.accessDescs, record.accessDescCount = access, len(access)
        used = {"memory_type": kind.value, "device_id": place, "peer_access": tuple(peers)}
        node: AllocNode = self._add(AllocNode, "cuGraphAddMemAllocNode", record, used=used)
        return node

    def deallocate(self, dptr: int) -> FreeNode:
        """Add the end of an allocation of a node. Driver API manual, `cuGraphAddMemFreeNode`."""
        from .kinds import FreeNode

        node: FreeNode = self._add(FreeNode, "cuGraphAddMemFreeNode", int(dptr))
        return node

    def memset(
        self, dst: Memory, value: Any, width: int, height: int = 1, pitch: int = 0, *, dst_owner: object = None
    ) -> MemsetNode:
        """Add a fill of `height` rows of `width` elements, `pitch` bytes apart.

        dst: a buffer or an array, which is kept, or an address. value: a byte as an int, or 1, 2 or 4 bytes: an
        element. dst_owner: an object that keeps the memory at an address.

        Raises ValueError, OverflowError, TypeError, CUDAError. Driver API manual, `cuGraphAddMemsetNode`.
        """
        from .kinds import MemsetNode

        record, used = parameters.memset(dst, value, width, height, pitch, dst_owner)
        node: MemsetNode = self._add(MemsetNode, "cuGraphAddMemsetNode", record, parameters.context(), used=used)
        return node

    def memcpy(
        self, dst: Memory, src: Memory, size: int, *, dst_owner: object = None, src_owner: object = None
    ) -> MemcpyNode:
        """Add a copy of `size` bytes between buffers or arrays, which are kept, or addresses of device or host
        memory.

        dst_owner, src_owner: objects that keep the memory at addresses.

        Raises ValueError, TypeError, CUDAError. Driver API manual, `cuGraphAddMemcpyNode`.
        """
        from .kinds import MemcpyNode

        record, used = parameters.memcpy(dst, src, size, dst_owner, src_owner)
        node: MemcpyNode = self._add(MemcpyNode, "cuGraphAddMemcpyNode", record, parameters.context(), used=used)
        return node

    def embed(self, child: GraphDefinition) -> ChildGraphNode:
        """Add a copy of another graph as one node. Driver API manual, `cuGraphAddChildGraphNode`."""
        from .definition import GraphDefinition
        from .kinds import ChildGraphNode

        if not isinstance(child, GraphDefinition):
            raise TypeError(f"embed: expected a cuox.cuda.core.graph.GraphDefinition, got {type(child).__name__}")
        node: ChildGraphNode
        if child._state.outermost is self._state.outermost:
            # Of a graph that goes into itself the driver gets a copy: tried without one, a process on an H200 died.
            copy = driver.call("cuGraphClone", child.handle)
            try:
                node = self._add(ChildGraphNode, "cuGraphAddChildGraphNode", copy)
            finally:
                driver.call("cuGraphDestroy", copy)
        else:
            node = self._add(ChildGraphNode, "cuGraphAddChildGraphNode", child.handle)
        node._take_over(child._state)
        return node

    def record(self, event: Event) -> EventRecordNode:
        """Add a record of an event. Driver API manual, `cuGraphAddEventRecordNode`."""
        from .kinds import EventRecordNode

        handle = parameters.event(event)
        used = {"event": event}
        node: EventRecordNode = self._add(EventRecordNode, "cuGraphAddEventRecordNode", handle, used=used)
        return node

    def wait(self, event: Event) -> EventWaitNode:
        """Add a wait for an event. Driver API manual, `cuGraphAddEventWaitNode`."""
        from .kinds import EventWaitNode

        handle = parameters.event(event)
        node: EventWaitNode = self._add(EventWaitNode, "cuGraphAddEventWaitNode", handle, used={"event": event})
        return node

    def callback(self, fn: Callable[..., Any], *, user_data: object = None) -> HostCallbackNode:
        """Add a call of a function on a thread of the driver.

        fn: a callable without parameters, which must not use CUDA, or a ctypes function `void (*)(void *)`.
        user_data: for a ctypes function, what it is given: an address, or bytes, which are copied.

        Raises TypeError for a ctypes function of another kind, ValueError for `user_data` of a Python function. Driver
        API manual, `cuGraphAddHostNode`.
        """
        from .kinds import HostCallbackNode

        record, used = parameters.host(fn, user_data)
        node: HostCallbackNode = self._add(HostCallbackNode, "cuGraphAddHostNode", record, used=used)
        return node

    def _conditional(self, condition: GraphCondition, kind: Any, of: str, count: int) -> Any:
        """Add a node whose graphs are run as a condition says."""
        from .definition import GraphDefinition

        record = parameters.conditional(condition, of, count)
        before = self._before()
        used: dict[str, Any] = {"condition": condition, "cond_type": of}
        made = driver.call("cuGraphAddNode", self._state.graph, before or None, None, len(before), record)
        node = kind._make(self._state, int(made))
        bodies = [State.of(int(body), self._state) for body in record.conditional.phGraph_out[:count]]
        self._state.inner[node._handle] = bodies
        used["branches"] = tuple(GraphDefinition._of(body) for body in bodies)
        self._state.used[node._handle] = used
        return node

    def if_then(self, condition: GraphCondition) -> IfNode:
        """Add a graph, the node's `then`, that runs if a condition is not 0."""
        from .kinds import IfNode

        node: IfNode = self._conditional(condition, IfNode, "if", 1)
        return node

    def if_else(self, condition: GraphCondition) -> IfElseNode:
        """Add two graphs, the node's `then` and `else_`, of which a condition says which one runs."""
        from .kinds import IfElseNode

        node: IfElseNode = self._conditional(condition, IfElseNode, "if", 2)
        return node

    def while_loop(self, condition: GraphCondition) -> WhileNode:
        """Add a graph, the node's `body`, that runs again as long as a condition is not 0."""
        from .kinds import WhileNode

        node: WhileNode = self._conditional(condition, WhileNode, "while", 1)
        return node

    def switch(self, condition: GraphCondition, count: int) -> SwitchNode:
        """Add `count` graphs, the node's `branches`, of which that runs whose number a condition has."""
        from .kinds import SwitchNode

        node: SwitchNode = self._conditional(condition, SwitchNode, "switch", count)
        return node

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphNode):
            return NotImplemented
        return self._handle == other._handle and self._state is other._state

    def __hash__(self) -> int:
        return hash(("node", self._state.handle, self._handle))

    def _shown(self) -> str:
        return ""

    def __repr__(self) -> str:
        if not self._handle:
            return "<GraphNode entry>"
        handle = self._handle if self.is_valid else 0
        rest = self._shown() if self.is_valid else ""
        return f"<{type(self).__name__} handle={handle:#x}{rest}>"
