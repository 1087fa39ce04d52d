"""What the objects that show one graph share."""

from __future__ import annotations

import contextlib
import weakref
from typing import TYPE_CHECKING, Any

from cuox import _native
from cuox._internal import driver_calls as driver
from cuox._native import Array, Buffer

if TYPE_CHECKING:
    from .nodes import GraphNode


# Values that keep nothing.
_PLAIN = (int, str, type(None))


class State:
    """A graph of the driver: whoever keeps it, and what its nodes use.

    handle: the `CUgraph`, as an int. keeper: an object that keeps the graph; None if this is its owner. mark: the
    context that it was made in; None is the current device's.
    """

    known: weakref.WeakValueDictionary[int, State] = weakref.WeakValueDictionary()

    def __init__(
        self, handle: int, keeper: object = None, *, is_owner: bool = False, mark: _native._ContextMark | None = None
    ) -> None:
        self.handle, self.keeper, self.is_owner = handle, keeper, is_owner
        self.mark: _native._ContextMark = mark or (keeper.mark if isinstance(keeper, State) else _native._ContextMark())
        self.is_there = True
        # By the handles of nodes: names of what a node was made with, such as "kernel", and the objects.
        self.used: dict[int, dict[str, Any]] = {}
        # The driver's objects (`CUuserObject`) that keep that with the graph, for those who copy it by the driver.
        self.attached: dict[int, int] = {}
        self.nodes: weakref.WeakValueDictionary[int, GraphNode] = weakref.WeakValueDictionary()
        # The graphs inside of nodes.
        self.inner: dict[int, list[State]] = {}
        State.known[handle] = self

    @classmethod
    def of(cls, handle: int, keeper: object, mark: _native._ContextMark | None = None) -> State:
        """The state of a graph that something else keeps, and of which the driver has just told."""
        found = cls.known.get(handle)
        return found if found is not None and found.is_valid else cls(handle, keeper, mark=mark)

    @property
    def is_valid(self) -> bool:
        """False if the node that the graph was in is destroyed, and after `Device.reset`."""
        return self.is_there and not self.mark.is_over

    @property
    def graph(self) -> Any:
        """The graph as the driver's functions take it. Raises ClosedError after `Device.reset`, whose next graphs may
        have the same handles.
        """
        self.mark.check()
        return driver.bindings().CUgraph(self.handle if self.is_valid else 0)

    @property
    def outermost(self) -> State:
        """The graph that this one is inside of, or itself."""
        state = self
        while isinstance(state.keeper, State):
            state = state.keeper
        return state

    def all_used(self) -> list[object]:
        """What nodes use now, here and in graphs inside."""
        inner = [state.all_used() for states in self.inner.values() for state in states]
        # The keeper of a graph inside is the one around it.
        keeper = None if isinstance(self.keeper, State) else expanded(self.keeper)
        return [keeper, *self.used.values(), *inner]

    def keep(self, node: int, used: dict[str, Any]) -> None:
        """Keep what a node uses from now on."""
        self.used[node] = used
        before = self.attached.pop(node, None)
        if not all(isinstance(one, _PLAIN) for one in used.values()):
            self.attached[node] = _native._attach(self.handle, used)
        if before is not None:
            _native._detach(self.handle, before)

    def drop_node(self, node: int) -> None:
        """Forget a node that is destroyed, and the graphs in it."""
        self.used.pop(node, None)
        if (attached := self.attached.pop(node, None)) is not None:
            _native._detach(self.handle, attached)
        self.nodes.pop(node, None)
        for state in self.inner.pop(node, ()):
            state.invalidate()

    def invalidate(self) -> None:
        """Forget all: the graph is gone with the node that it was in."""
        self.is_there = False
        for node in list(self.nodes.values()):
            node._is_valid = False
        self.nodes.clear()
        self.used.clear()
        self.attached.clear()
        for states in self.inner.values():
            for state in states:
                state.invalidate()
        self.inner.clear()

    def __del__(self) -> None:
        if self.is_owner and not self.mark.is_over:
            # At the interpreter's end the driver frees what is left with the process.
            with contextlib.suppress(Exception):
                _native._destroy_graph(self.handle)


def expanded(kept: object) -> object:
    """What is kept, with what nodes use now in place of the graphs among it."""
    if isinstance(kept, State):
        return kept.all_used()
    if isinstance(kept, (list, tuple)):
        return [expanded(one) for one in kept]
    return kept


# What nodes fill and copy: launches of a graph are in the order of an array's other uses.
Memory = Buffer | Array | int


def memory(what: str, given: Memory, owner: object = None, *, is_written: bool = False) -> tuple[int, object]:
    """The address of memory that a node uses, and what keeps the memory."""
    if isinstance(given, Array):
        if owner is not None:
            raise ValueError(f"{what}_owner cannot be used when {what} is an array")
        if not given.is_c_contiguous:
            raise ValueError(f"{what}: the elements of the array are not one after another: array.copy()")
        return _native._node_memory(given, is_written)
    if isinstance(given, Buffer):
        if owner is not None:
            raise ValueError(f"{what}_owner cannot be used when {what} is a Buffer")
        if given.is_closed:
            raise ValueError(f"{what} Buffer has no active allocation: it is closed")
        return given.handle, given._keeper()
    if isinstance(owner, Buffer):
        if owner.is_closed:
            raise ValueError(f"{what}_owner Buffer has no active allocation: it is closed")
        owner = owner._keeper()
    try:
        return int(given), owner
    except (TypeError, ValueError):
        raise TypeError(
            f"{what}: expected a cuox.Buffer, a cuox.Array or an address, got {type(given).__name__}"
        ) from None
