"""What `Graph` and `GraphBuilder`, which are written in Rust, ask Python for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuox._internal import driver_calls as driver
from cuox._native import Graph, GraphBuilder

from . import parameters
from .definition import GraphDefinition
from .state import State


def definition_of(builder: GraphBuilder) -> GraphDefinition:
    """The graph that a builder has captured."""
    handle, keeper = builder._graph()
    return GraphDefinition._of(State.of(handle, keeper), keeper)


# What captured callbacks and graphs use, by the capturing streams' handles, until the capture has ended.
_CAPTURING: dict[int, list[object]] = {}


def _stream(builder: GraphBuilder) -> Any:
    return driver.bindings().CUstream(builder.__cuda_stream__()[1])


def retained(builder: GraphBuilder) -> object:
    """What the nodes of a captured graph use."""
    handle, keeper = builder._graph()
    state = State.known.get(handle)
    kept = _CAPTURING.get(builder.__cuda_stream__()[1], [])
    return [keeper, list(kept), state.all_used() if state is not None else None]


def capture_callback(builder: GraphBuilder, fn: Callable[..., Any], user_data: object) -> None:
    """Add a host function to what is captured."""
    address, data, used = parameters.function(fn, user_data)
    driver.call("cuLaunchHostFunc", _stream(builder), address, data)
    _CAPTURING.setdefault(builder.__cuda_stream__()[1], []).append(used)


def capture_child(builder: GraphBuilder, child: GraphBuilder) -> None:
    """Add a captured graph, as one node, to what is captured."""
    names, stream = driver.bindings(), _stream(builder)
    child_handle, child_keeper = child._graph()
    _, _, graph, before, *rest = driver.call("cuStreamGetCaptureInfo", stream)
    count = rest[-1]
    made = driver.call("cuGraphAddChildGraphNode", graph, list(before)[:count], count, names.CUgraph(child_handle))
    replace = names.CUstreamUpdateCaptureDependencies_flags.CU_STREAM_SET_CAPTURE_DEPENDENCIES
    driver.call("cuStreamUpdateCaptureDependencies", stream, [made], None, 1, replace)
    _CAPTURING.setdefault(builder.__cuda_stream__()[1], []).append((child_keeper, retained(child)))


def update_graph(graph: Graph, source: object) -> object:
    """Set the parameters of a graph that can be launched; return what they use."""
    if isinstance(source, GraphBuilder):
        definition, used = definition_of(source), retained(source)
    elif isinstance(source, GraphDefinition):
        definition, used = source, source._state.all_used()
    else:
        raise TypeError(f"update: expected GraphBuilder or GraphDefinition, got {type(source).__name__}")
    driver.call("cuGraphExecUpdate", driver.bindings().CUgraphExec(graph.handle), definition.handle)
    return used
