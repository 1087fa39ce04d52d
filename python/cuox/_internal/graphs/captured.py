"""What `Graph` and `GraphBuilder`, which are written in Rust, ask Python for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuox import _native
from cuox._internal import driver_calls as driver
from cuox._native import Graph, GraphBuilder

from . import parameters
from .condition import GraphCondition
from .definition import GraphDefinition
from .state import State, expanded


def definition_of(builder: GraphBuilder) -> GraphDefinition:
    """The graph that a builder has captured."""
    handle, keeper = builder._graph()
    kept = (keeper, builder._kept)
    return GraphDefinition._of(State.of(handle, kept, builder._mark()), kept)


def _stream(builder: GraphBuilder) -> Any:
    return driver.bindings().CUstream(builder.__cuda_stream__()[1])


def retained(builder: GraphBuilder) -> object:
    """What the nodes of a captured graph use."""
    handle, keeper = builder._graph()
    state = State.known.get(handle)
    return [keeper, expanded(builder._kept), state.all_used() if state is not None and state.is_valid else None]


def _captured_graph(builder: GraphBuilder) -> tuple[Any, list[Any]]:
    """The graph that is captured, and what the next node comes after."""
    _, _, graph, before, *rest = driver.call("cuStreamGetCaptureInfo", _stream(builder))
    return graph, list(before)[: rest[-1]]


def _continue_behind(builder: GraphBuilder, node: Any) -> None:
    """Put later work behind a node."""
    replace = driver.bindings().CUstreamUpdateCaptureDependencies_flags.CU_STREAM_SET_CAPTURE_DEPENDENCIES
    driver.call("cuStreamUpdateCaptureDependencies", _stream(builder), [node], None, 1, replace)


def capture_callback(builder: GraphBuilder, fn: Callable[..., Any], user_data: object) -> None:
    """Add a host function to what is captured."""
    address, data, used = parameters.function(fn, user_data)
    driver.call("cuLaunchHostFunc", _stream(builder), address, data)
    builder._kept.append(used)


def capture_child(builder: GraphBuilder, child: GraphBuilder) -> None:
    """Add a captured graph, as one node, to what is captured."""
    child_handle, child_keeper = child._graph()
    graph, before = _captured_graph(builder)
    child_graph = driver.bindings().CUgraph(child_handle)
    made = driver.call("cuGraphAddChildGraphNode", graph, before or None, len(before), child_graph)
    _continue_behind(builder, made)
    builder._kept.append((child_keeper, retained(child)))


def create_condition(builder: GraphBuilder, default_value: int | None) -> GraphCondition:
    """A condition of what is captured."""
    graph, _ = _captured_graph(builder)
    return GraphCondition._create(graph, parameters.context(), default_value)


def capture_conditional(builder: GraphBuilder, condition: object, kind: str, count: int) -> tuple[GraphBuilder, ...]:
    """Add a conditional node to what is captured; return the builders of its graphs."""
    record = parameters.conditional(condition, kind, count)
    graph, before = _captured_graph(builder)
    made = driver.call("cuGraphAddNode", graph, before or None, None, len(before), record)
    _continue_behind(builder, made)
    bodies = [int(body) for body in record.conditional.phGraph_out[:count]]
    # Nodes may be added by their definitions.
    mark = builder._mark()
    builder._kept.extend(State.of(body, None, mark) for body in bodies)
    return tuple(builder._body(body) for body in bodies)


def update_graph(graph: Graph, source: object) -> object:
    """Set the parameters of a graph that can be launched; return what they use."""
    if isinstance(source, GraphBuilder):
        if source.is_closed:
            raise ValueError("Source graph builder has been closed.")
        if source.is_building or not source._is_finished:
            raise ValueError("Graph has not finished building: call end_building() on the source first")
        definition, used = definition_of(source), retained(source)
    elif isinstance(source, GraphDefinition):
        definition, used = source, source._state.all_used()
    else:
        raise TypeError(f"update: expected GraphBuilder or GraphDefinition, got {type(source).__name__}")
    # The driver keeps that with the graph in place of what it has kept.
    attached = _native._attach(int(definition.handle), used)
    try:
        _update(graph.handle, int(definition.handle))
    finally:
        _native._detach(int(definition.handle), attached)
    return used


def _update(executable: int, definition: int) -> None:
    """`cuGraphExecUpdate`, whose error says why the graph cannot become the other one."""
    names = driver.bindings()
    code, result = _native._update_graph(executable, definition)
    if not code:
        return
    failure, reason = names.CUresult(code), names.CUgraphExecUpdateResult(result)
    message = f"Graph update failed: {reason.__doc__} ({reason.name})" if result else ""
    raise driver.error_of("cuGraphExecUpdate", failure, message)
