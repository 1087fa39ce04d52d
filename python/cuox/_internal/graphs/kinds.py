"""The kinds of nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cuox._internal import driver_calls as driver
from cuox._native import Event, Kernel, LaunchConfig
from cuox.cuda.core.typing import GraphConditionalType

from . import parameters
from .nodes import GraphNode
from .state import Memory, State

if TYPE_CHECKING:
    from .condition import GraphCondition
    from .definition import GraphDefinition


def node_of(state: State, handle: int) -> GraphNode:
    """The object of a node: the one that there is, or a new one of its kind."""
    found = state.nodes.get(handle)
    if found is not None:
        return found
    kind = driver.call("cuGraphNodeGetType", driver.bindings().CUgraphNode(handle))
    return _KINDS.get(kind.name.removeprefix("CU_GRAPH_NODE_TYPE_"), GraphNode)._make(state, handle)


class EmptyNode(GraphNode):
    """A node that does nothing: others wait for it."""

    __slots__ = ()


class KernelNode(GraphNode):
    """A launch of a kernel."""

    __slots__ = ()

    def _read(self) -> Any:
        return driver.call("cuGraphKernelNodeGetParams", self.handle)

    def update(
        self, *, config: LaunchConfig | None = None, kernel: Kernel | None = None, args: Sequence[Any] | None = None
    ) -> None:
        """Set the grid and block, the kernel or the arguments; what is not given stays.

        Raises ValueError for another kernel without arguments. Driver API manual, `cuGraphKernelNodeSetParams`.
        """
        self._check()
        if kernel is not None and args is None:
            raise ValueError("update: another kernel needs args=, of a kernel without parameters args=()")
        known = self._used
        if args is None:
            if "args" not in known:
                raise NotImplementedError("update: the arguments of captured launches are not known: pass args=")
            args = known["args"]
        record, used = parameters.kernel(config or self.config, kernel or self.kernel, args)
        driver.call("cuGraphKernelNodeSetParams", self.handle, record)
        used.pop("values")
        self._state.keep(self._handle, used)

    @property
    def grid(self) -> tuple[int, int, int]:
        """The blocks in x, y and z."""
        read = self._read()
        return (read.gridDimX, read.gridDimY, read.gridDimZ)

    @property
    def block(self) -> tuple[int, int, int]:
        """The threads of a block in x, y and z."""
        read = self._read()
        return (read.blockDimX, read.blockDimY, read.blockDimZ)

    @property
    def shmem_size(self) -> int:
        """The dynamic shared memory of a block, in bytes."""
        return int(self._read().sharedMemBytes)

    @property
    def kernel(self) -> Kernel:
        """The kernel.

        Raises NotImplementedError for a captured launch of which only the `CUfunction` is known: of another library's,
        or of a kernel of which there is no object any more.
        """
        self._check()
        kernel = self._used.get("kernel")
        if isinstance(kernel, Kernel):
            return kernel
        read = self._read()
        known = Kernel._of_function(int(read.func))
        if known is not None:
            return known
        if not int(read.kern):
            raise NotImplementedError("kernel: only the CUfunction of the captured launch is known")
        return Kernel.from_handle(int(read.kern))

    @property
    def config(self) -> LaunchConfig:
        """The grid, the block and the shared memory."""
        return LaunchConfig(grid=self.grid, block=self.block, shmem_size=self.shmem_size)

    def _shown(self) -> str:
        read = self._read()
        kernel = self._used.get("kernel") or Kernel._of_function(int(read.func))
        return f" kernel={int(read.kern) if kernel is None else int(kernel.handle):#x}"


class AllocNode(GraphNode):
    """An allocation of memory."""

    __slots__ = ()

    def _read(self) -> Any:
        return driver.call("cuGraphMemAllocNodeGetParams", self.handle)

    @property
    def dptr(self) -> int:
        """The address of the memory."""
        return int(self._read().dptr)

    @property
    def bytesize(self) -> int:
        """The number of bytes."""
        return int(self._read().bytesize)

    @property
    def device_id(self) -> int:
        """The number of the device whose memory it is."""
        return int(self._used.get("device_id", self._read().poolProps.location.id))

    @property
    def memory_type(self) -> str:
        """The kind of memory: "device", "host" or "managed"."""
        return str(self._used.get("memory_type", "device"))

    @property
    def peer_access(self) -> tuple[int, ...]:
        """The numbers of other devices that may use it."""
        return tuple(self._used.get("peer_access", ()))

    def _shown(self) -> str:
        return f" dptr={self.dptr:#x} size={self.bytesize}"


class FreeNode(GraphNode):
    """The end of an allocation."""

    __slots__ = ()

    @property
    def dptr(self) -> int:
        """The address of the memory that is freed."""
        return int(driver.call("cuGraphMemFreeNodeGetParams", self.handle))

    def _shown(self) -> str:
        return f" dptr={self.dptr:#x}"


class MemsetNode(GraphNode):
    """A fill of memory."""

    __slots__ = ()

    def _read(self) -> Any:
        return driver.call("cuGraphMemsetNodeGetParams", self.handle)

    def update(
        self,
        *,
        dst: Memory | None = None,
        value: Any = None,
        width: int | None = None,
        height: int | None = None,
        pitch: int | None = None,
        dst_owner: object = None,
    ) -> None:
        """Set parameters; what is not given stays. Driver API manual, `cuGraphMemsetNodeSetParams`."""
        self._check()
        if dst is None and dst_owner is not None:
            raise ValueError("update: dst_owner= needs dst=, an address")
        pattern = self.value.to_bytes(self.element_size, "little") if value is None else value
        record, used = parameters.memset(
            self.dptr if dst is None else dst,
            pattern,
            self.width if width is None else width,
            self.height if height is None else height,
            self.pitch if pitch is None else pitch,
            dst_owner,
        )
        driver.call("cuGraphMemsetNodeSetParams", self.handle, record)
        if dst is not None:
            self._state.keep(self._handle, used)

    @property
    def dptr(self) -> int:
        """The address."""
        return int(self._read().dst)

    @property
    def value(self) -> int:
        """The element, as a number."""
        return int(self._read().value)

    @property
    def element_size(self) -> int:
        """The bytes of an element: 1, 2 or 4."""
        return int(self._read().elementSize)

    @property
    def width(self) -> int:
        """The elements of a row."""
        return int(self._read().width)

    @property
    def height(self) -> int:
        """The rows."""
        return int(self._read().height)

    @property
    def pitch(self) -> int:
        """The bytes from row to row, where there are several."""
        return int(self._read().pitch)

    def _shown(self) -> str:
        return f" dptr={self.dptr:#x} value={self.value}"


class MemcpyNode(GraphNode):
    """A copy of memory."""

    __slots__ = ()

    def _ends(self) -> tuple[tuple[int, bool], tuple[int, bool], int]:
        """The addresses of destination and source, whether each is the host's, and the number of bytes."""
        read = driver.call("cuGraphMemcpyNodeGetParams", self.handle)
        host = driver.bindings().CUmemorytype.CU_MEMORYTYPE_HOST
        to, of = read.dstMemoryType == host, read.srcMemoryType == host
        dst = int((read.dstHost if to else read.dstDevice) or 0)
        src = int((read.srcHost if of else read.srcDevice) or 0)
        return (dst, to), (src, of), int(read.WidthInBytes)

    def update(
        self,
        *,
        dst: Memory | None = None,
        src: Memory | None = None,
        size: int | None = None,
        dst_owner: object = None,
        src_owner: object = None,
    ) -> None:
        """Set parameters; what is not given stays. Driver API manual, `cuGraphMemcpyNodeSetParams`."""
        self._check()
        for what, given, owner in (("dst", dst, dst_owner), ("src", src, src_owner)):
            if given is None and owner is not None:
                raise ValueError(f"update: {what}_owner= needs {what}=, an address")
        (to, _), (source, _), now = self._ends()
        record, used = parameters.memcpy(
            to if dst is None else dst,
            source if src is None else src,
            now if size is None else size,
            dst_owner,
            src_owner,
        )
        driver.call("cuGraphMemcpyNodeSetParams", self.handle, record)
        known = self._used
        kept = {
            "dst": known.get("dst") if dst is None else used["dst"],
            "src": known.get("src") if src is None else used["src"],
        }
        self._state.keep(self._handle, kept)

    @property
    def dst(self) -> int:
        """The address that is copied to."""
        return self._ends()[0][0]

    @property
    def src(self) -> int:
        """The address that is copied from."""
        return self._ends()[1][0]

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._ends()[2]

    def _shown(self) -> str:
        (dst, to), (src, of), size = self._ends()
        return f" dst={dst:#x}({'H' if to else 'D'}) src={src:#x}({'H' if of else 'D'}) size={size}"


class ChildGraphNode(GraphNode):
    """A graph as one node."""

    __slots__ = ()

    def _inner(self) -> State:
        """The state of the graph inside."""
        states = self._state.inner.get(self._handle)
        if states is None:
            handle = int(driver.call("cuGraphChildGraphNodeGetGraph", self.handle))
            states = self._state.inner[self._handle] = [State.of(handle, self._state)]
        return states[0]

    def _take_over(self, of: State) -> None:
        """Keep what the nodes of the graph use that this one is a copy of."""
        inner = self._inner()
        if not of.used and not of.inner:
            return
        (copies,), (nodes,) = (
            driver.listed("cuGraphGetNodes", inner.graph, 1),
            driver.listed("cuGraphGetNodes", of.graph, 1),
        )
        # A graph may be put into itself: then it has one node more now.
        for copy, node in zip(copies, nodes, strict=False):
            if used := of.used.get(int(node)):
                inner.used[int(copy)] = dict(used)
            if attached := of.attached.get(int(node)):
                # The driver's copy has it, too.
                inner.attached[int(copy)] = attached
            if int(node) in of.inner:
                made = node_of(inner, int(copy))
                if isinstance(made, ChildGraphNode):
                    made._take_over(of.inner[int(node)][0])

    @property
    def child_graph(self) -> GraphDefinition:
        """The graph inside."""
        from .definition import GraphDefinition

        self._check()
        return GraphDefinition._of(self._inner(), self._state)

    def update(self, child: GraphDefinition) -> None:
        """Raises NotImplementedError: the driver sets the graph of a node in executable graphs only."""
        raise NotImplementedError("update: a child graph can be set in an executable graph: graph[node].update(child)")

    def _shown(self) -> str:
        return f" child={self._inner().handle:#x}"


class _EventNode(GraphNode):
    """A node of an event."""

    __slots__ = ()
    _get = _set = ""

    def update(self, event: Event) -> None:
        """Set the event."""
        self._check()
        driver.call(self._set, self.handle, parameters.event(event))
        self._state.keep(self._handle, {"event": event})

    @property
    def event(self) -> Event:
        """The event. Raises NotImplementedError for captured nodes, of which the driver tells a handle only."""
        event = self._used.get("event")
        if not isinstance(event, Event):
            raise NotImplementedError("event: events of captured nodes are not known")
        return event

    def _shown(self) -> str:
        return f" event={int(driver.call(self._get, self.handle)):#x}"


class EventRecordNode(_EventNode):
    """A record of an event."""

    __slots__ = ()
    _get, _set = "cuGraphEventRecordNodeGetEvent", "cuGraphEventRecordNodeSetEvent"


class EventWaitNode(_EventNode):
    """A wait for an event."""

    __slots__ = ()
    _get, _set = "cuGraphEventWaitNodeGetEvent", "cuGraphEventWaitNodeSetEvent"


class HostCallbackNode(GraphNode):
    """A call of a function on a thread of the driver."""

    __slots__ = ()

    def update(self, fn: Callable[..., Any], *, user_data: object = None) -> None:
        """Set the function, as `GraphNode.callback` takes it. Driver API manual, `cuGraphHostNodeSetParams`."""
        self._check()
        record, used = parameters.host(fn, user_data)
        driver.call("cuGraphHostNodeSetParams", self.handle, record)
        self._state.keep(self._handle, used)

    @property
    def callback(self) -> Callable[..., Any] | None:  # type: ignore[override]
        """The function in Python; None for a ctypes function."""
        found: Callable[..., Any] | None = self._used.get("callback")
        return found

    def _shown(self) -> str:
        callback = self.callback
        if callback is not None:
            return f" callback={getattr(callback, '__name__', type(callback).__name__)}"
        return f" cfunc={int(driver.call('cuGraphHostNodeGetParams', self.handle).fn or 0):#x}"


class ConditionalNode(GraphNode):
    """A node whose graphs are run as a condition says."""

    __slots__ = ()

    @property
    def condition(self) -> GraphCondition | None:
        """The condition; None where only the driver knows it."""
        found: GraphCondition | None = self._used.get("condition")
        return found

    @property
    def cond_type(self) -> GraphConditionalType | None:
        """The kind: "if", "while" or "switch"; None where only the driver knows it."""
        found = self._used.get("cond_type")
        return None if found is None else GraphConditionalType(found)

    @property
    def branches(self) -> tuple[GraphDefinition, ...]:
        """The graphs inside; empty where only the driver knows them."""
        return tuple(self._used.get("branches", ()))

    def _shown(self) -> str:
        condition = self.condition
        return "" if condition is None else f" condition={int(condition.handle):#x}"


class IfNode(ConditionalNode):
    """A graph that runs if a condition is not 0."""

    __slots__ = ()

    @property
    def then(self) -> GraphDefinition:
        """The graph inside."""
        return self.branches[0]


class IfElseNode(ConditionalNode):
    """Two graphs, of which a condition says which one runs."""

    __slots__ = ()

    @property
    def then(self) -> GraphDefinition:
        """The graph that runs if the condition is not 0."""
        return self.branches[0]

    @property
    def else_(self) -> GraphDefinition:
        """The graph that runs if it is 0."""
        return self.branches[1]


class WhileNode(ConditionalNode):
    """A graph that runs again as long as a condition is not 0."""

    __slots__ = ()

    @property
    def body(self) -> GraphDefinition:
        """The graph inside."""
        return self.branches[0]


class SwitchNode(ConditionalNode):
    """Graphs of which that runs whose number a condition has."""

    __slots__ = ()


_KINDS: dict[str, type[GraphNode]] = {
    "EMPTY": EmptyNode,
    "KERNEL": KernelNode,
    "MEM_ALLOC": AllocNode,
    "MEM_FREE": FreeNode,
    "MEMSET": MemsetNode,
    "MEMCPY": MemcpyNode,
    "GRAPH": ChildGraphNode,
    "EVENT_RECORD": EventRecordNode,
    "WAIT_EVENT": EventWaitNode,
    "HOST": HostCallbackNode,
    "CONDITIONAL": ConditionalNode,
}
