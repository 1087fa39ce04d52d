"""Graphs that are put together node by node (`cuox.cuda.core.graph`), and builders that split, join and take nodes."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.core import graph as graphs
from cuox.cuda.core import typing as core_typing
from cuox.cuda.core.graph import GraphDefinition

Run = Callable[..., "subprocess.CompletedProcess[str]"]
SOURCE = 'extern "C" __global__ void add(int *a, int b) { *a += b; }'


@pytest.fixture(scope="module")
def add() -> cuox.Kernel:
    cuox.Device().set_current()
    return cuox.Program(SOURCE).compile("ptx").get_kernel("add")


@pytest.fixture
def stream() -> Iterator[cuox.Stream]:
    cuox.Device().set_current()
    with_stream = cuox.Device().create_stream()
    yield with_stream
    with_stream.sync()


ONE = cuox.LaunchConfig(grid=1, block=1)


def pinned(value: int = 0) -> tuple[cuox.Buffer, np.ndarray[Any, Any]]:
    buffer = cuox.PinnedMemoryResource().allocate(4)
    array = np.frombuffer(buffer, np.int32)  # type: ignore[call-overload]
    array[0] = value
    return buffer, array


def run(graph: cuox.Graph, stream: cuox.Stream) -> None:
    graph.launch(stream)
    stream.sync()


def test_nodes_run_in_the_order_of_their_edges(add: cuox.Kernel, stream: cuox.Stream) -> None:
    buffer, array = pinned()
    seen: list[int] = []
    definition = GraphDefinition()
    memory = definition.allocate(4)
    filled = memory.memset(memory.dptr, b"\x01\0\0\0", 1)
    added = filled.launch(ONE, add, memory.dptr, 41)
    copied = added.memcpy(buffer, memory.dptr, 4)
    last = copied.callback(lambda: seen.append(int(array[0])))
    copied.deallocate(memory.dptr)
    graph = definition.instantiate()
    run(graph, stream)
    assert seen == [42] and len(definition.nodes()) == 6 and last.pred == {copied} and memory.succ == {filled}
    assert (filled, added) in definition.edges() and len(definition.edges()) == 5
    assert all(any(node is known for known in definition.nodes()) for node in (memory, filled, added, copied, last))
    assert (added.grid, added.block, added.kernel, added.config) == ((1, 1, 1), (1, 1, 1), add, ONE)
    assert (filled.value, filled.element_size, filled.width) == (1, 4, 1) and copied.size == 4
    assert (
        copied.dst == buffer.handle
        and memory.bytesize == 4
        and memory.memory_type == core_typing.GraphMemoryType.DEVICE
    )
    assert repr(added).startswith("<KernelNode handle=0x") and repr(definition).startswith("<GraphDefinition handle=0x")


def test_edges_are_a_set_that_can_be_changed(add: cuox.Kernel, stream: cuox.Stream) -> None:
    seen: list[str] = []
    definition = GraphDefinition()
    a, b, c = (definition.callback(lambda name=name: seen.append(name)) for name in "abc")
    a.succ.add(b)
    c.pred = {b}
    run(definition.instantiate(), stream)
    assert seen == ["a", "b", "c"] and definition.edges() == {(a, b), (b, c)}
    b.destroy()
    assert definition.nodes() == {a, c} and definition.edges() == set() and not b.is_valid and a.is_valid
    c.succ |= {a}
    assert a.pred == {c} and len(a.pred) == 1
    a.pred.clear()
    with pytest.raises(KeyError):
        a.pred.remove(c)
    with pytest.raises(TypeError, match="GraphNode"):
        a.pred.add("c")  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="destroyed"):
        b.empty()


def test_what_nodes_use_is_kept_as_long_as_they_can_run(add: cuox.Kernel, stream: cuox.Stream) -> None:
    result, array = pinned()

    class Called:
        def __call__(self) -> None:
            array[0] += 1

    called, definition = Called(), GraphDefinition()
    ended = weakref.ref(called)
    buffer = cuox.Device().allocate(4, stream=stream)
    # Buffers are put into no order: the fill goes into the stream that the graph is launched in.
    buffer.fill(0, stream=stream)
    definition.launch(ONE, add, buffer, 5).memcpy(result, buffer, 4).callback(called)
    graph = definition.instantiate()
    buffer.close()
    del called, definition
    gc.collect()
    run(graph, stream)
    assert array[0] == 6 and ended() is not None
    graph.close()
    del graph
    # The driver lets go of it on a thread of its own.
    deadline = time.monotonic() + 10
    while ended() is not None and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.01)
    assert ended() is None


def test_nodes_are_set_anew(add: cuox.Kernel, stream: cuox.Stream) -> None:
    buffer, array = pinned(1)
    definition = GraphDefinition()
    node = definition.launch(ONE, add, buffer, 2)
    graph = definition.instantiate()
    run(graph, stream)
    assert array[0] == 3
    graph[node].update(config=ONE, kernel=add, args=(buffer, 10))
    run(graph, stream)
    assert array[0] == 13
    node.update(args=(buffer, 100))
    graph.update(definition)
    run(graph, stream)
    assert array[0] == 113
    graph[node].disable()
    run(graph, stream)
    assert array[0] == 113 and not graph[node].is_enabled
    graph[node].enable()
    run(definition.instantiate(), stream)
    assert array[0] == 213 and graph.handle
    with pytest.raises(TypeError, match="expected GraphBuilder or GraphDefinition"):
        graph.update("other")  # type: ignore[arg-type]
    other = GraphDefinition()
    other.empty()
    changed = r"^Graph update failed: .+ \(CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED\)"
    with pytest.raises(cuox.CUDAError, match=changed) as refused:
        graph.update(other)
    assert refused.value.name == "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"


def test_graphs_in_graphs(add: cuox.Kernel, stream: cuox.Stream) -> None:
    buffer, array = pinned()
    child, parent = GraphDefinition(), GraphDefinition()
    child.launch(ONE, add, buffer, 1).launch(ONE, add, buffer, 2)
    node = parent.embed(child)
    inner = node.child_graph
    assert inner == node.child_graph != child and len(inner.nodes()) == 2
    assert {type(one) for one in inner.nodes()} == {graphs.KernelNode}
    run(parent.instantiate({"auto_free_on_launch": True}), stream)
    assert array[0] == 3
    node.destroy()
    assert not inner.is_valid and int(inner.handle) == 0


def test_builders_split_and_join(add: cuox.Kernel, stream: cuox.Stream, tmp_path: Path) -> None:
    buffers = [pinned() for _ in range(3)]
    builder = cuox.Device().create_graph_builder().begin_building()
    cuox.launch(builder, ONE, add, buffers[0][0], 1)
    first, second, third = builder.split(3)
    assert first is builder and second.is_join_required and not first.is_join_required
    for one, (buffer, _) in zip((first, second, third), buffers, strict=True):
        cuox.launch(one, ONE, add, buffer, 10)
    assert cuox.GraphBuilder.join(second, first, third) is builder
    seen: list[int] = []
    builder.callback(lambda: seen.append(sum(int(array[0]) for _, array in buffers)))
    builder.end_building()
    definition = builder.graph_definition
    kinds = sorted(type(node).__name__ for node in definition.nodes())
    assert kinds.count("KernelNode") == 4 and kinds.count("HostCallbackNode") == 1
    definition.callback(lambda: None)
    assert len(builder.graph_definition.nodes()) == 6
    builder.debug_dot_print(tmp_path / "graph.dot", graphs.GraphDebugPrintOptions(verbose=True))
    assert "digraph" in (tmp_path / "graph.dot").read_text()
    graph = builder.complete(graphs.GraphCompleteOptions(upload_stream=stream))
    builder.close()
    del definition
    gc.collect()
    run(graph, stream)
    assert seen == [31]


def test_builders_take_graphs_of_others(add: cuox.Kernel, stream: cuox.Stream) -> None:
    buffer, array = pinned()
    child = cuox.Device().create_graph_builder().begin_building()
    cuox.launch(child, ONE, add, buffer, 4)
    parent = cuox.Device().create_graph_builder().begin_building()
    with pytest.raises(ValueError, match="not finished building"):
        parent.embed(child)
    child.end_building()
    parent.embed(child)
    cuox.launch(parent, ONE, add, buffer, 1)
    run(parent.end_building().complete(), stream)
    assert array[0] == 5


def test_callbacks_of_c(stream: cuox.Stream) -> None:
    seen: list[bytes] = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data: seen.append(ctypes.string_at(data, 2)))
    definition = GraphDefinition()
    definition.callback(function, user_data=b"ab")
    run(definition.instantiate(), stream)
    assert seen == [b"ab"]
    with pytest.raises(TypeError, match="CFUNCTYPE"):
        definition.callback(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda number: number))
    with pytest.raises(ValueError, match="user_data is only supported"):
        definition.callback(print, user_data=b"ab")


def test_mistakes(add: cuox.Kernel) -> None:
    definition = GraphDefinition()
    buffer = cuox.Device().allocate(8)
    buffer.close()
    with pytest.raises(ValueError, match="dst Buffer has no active allocation"):
        definition.memset(buffer, 0, 8)
    with pytest.raises(ValueError, match="'other' is not a valid GraphMemoryType. Must be one of 'device'"):
        definition.allocate(8, memory_type="other")
    with pytest.raises(TypeError, match="GraphCondition"):
        definition.if_then(1)
    with pytest.raises(NotImplementedError, match="clusters"):
        definition.launch(cuox.LaunchConfig(grid=1, cluster=2, block=1), add, 0, 1)
    with pytest.raises(TypeError, match='parameter 2 "b"'):
        definition.launch(ONE, add, 0, "x")
    with pytest.raises(RuntimeError, match="cannot be instantiated directly"):
        graphs.GraphNode()
    with pytest.raises(ValueError, match="Invalid split count: expecting >= 2, got 1"):
        cuox.Device().create_graph_builder().begin_building().split(1)
    assert definition.nodes() == set()


def test_names_that_cuda_core_has_and_cuox_not_yet() -> None:
    import cuox.cuda.core as core

    with pytest.raises(AttributeError, match="cuda.core has GraphicsResource; cuox not yet: "):
        core.GraphicsResource
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        core.nothing
    assert core.graph is graphs and core_typing.SourceCodeType.CXX == "c++"


def test_a_program_may_end_while_its_graph_runs(run_script: Run) -> None:
    done = run_script(
        """
import time
from cuox.cuda.core import Device
from cuox.cuda.core.graph import GraphDefinition

device = Device()
device.set_current()
definition = GraphDefinition()
first = definition.callback(lambda: time.sleep(0.05))
for _ in range(3):
    node = definition.callback(lambda: time.sleep(0.05))
    first.succ.add(node)
    first = node
graph = definition.instantiate()
graph.launch(device.default_stream)
print("end")
"""
    )
    assert done.returncode == 0 and done.stdout == "end\n", done


def test_a_graph_goes_into_itself(stream: cuox.Stream) -> None:
    seen: list[int] = []
    definition = GraphDefinition()
    definition.callback(lambda: seen.append(1))
    inner = definition.embed(definition).child_graph
    assert len(inner.nodes()) == 1 and len(definition.nodes()) == 2
    run(definition.instantiate(), stream)
    assert seen == [1, 1]


def test_the_drivers_copies_keep_what_nodes_use(add: cuox.Kernel, stream: cuox.Stream, run_script: Run) -> None:
    from cuox.cuda.bindings import driver

    def checked(result: tuple[Any, ...]) -> Any:
        assert result[0] == 0, result
        return result[1] if len(result) == 2 else None

    called, values = [], np.zeros(1, np.int32)
    pool = cuox.DeviceMemoryResource(cuox.Device(), {})
    buffer = pool.allocate(4, stream=stream)
    buffer.fill(0, stream=stream)

    def call() -> None:
        called.append(threading.get_ident())

    seen = weakref.ref(call)
    definition = GraphDefinition()
    node = definition.launch(ONE, add, buffer, np.int32(2)).callback(call)
    outer = GraphDefinition()
    embedded = outer.embed(definition)
    copy = checked(driver.cuGraphClone(definition.handle))
    executable = checked(driver.cuGraphInstantiate(copy, 0))
    address = int(buffer.handle)
    node.destroy()
    del call, node, definition, buffer
    gc.collect()
    assert seen() is not None and pool.attributes.used_mem_current
    for count in (1, 2):
        checked(driver.cuGraphLaunch(executable, stream.handle))
        stream.sync()
        assert len(called) == count
        checked(driver.cuMemcpyDtoH(values, address, 4))
        assert values[0] == 2 * count
    checked(driver.cuGraphExecDestroy(executable))
    checked(driver.cuGraphDestroy(copy))
    assert seen() is not None
    for inner in embedded.child_graph.nodes():
        inner.destroy()
    deadline = time.monotonic() + 10
    while (seen() is not None or pool.attributes.used_mem_current) and time.monotonic() < deadline:
        time.sleep(0.01)
        stream.sync()
    assert seen() is None and pool.attributes.used_mem_current == 0
    # Neither the interpreter's end nor a thread's is disturbed by what the driver lets go of.
    ended = run_script("""
import threading
from cuox.cuda.bindings import driver
from cuox.cuda.core import Device
from cuox.cuda.core.graph import GraphDefinition

def many():
    Device().set_current()
    for _ in range(100):
        definition = GraphDefinition()
        definition.callback(lambda: None)
        kept.append(driver.cuGraphClone(definition.handle)[1])

kept = []
many()
thread = threading.Thread(target=many)
thread.start()
thread.join()
for graph in kept[:150]:
    driver.cuGraphDestroy(graph)
print("end")
""")
    assert ended.returncode == 0 and ended.stdout == "end\n", ended


@pytest.mark.parametrize("by_node", [True, False])
def test_what_updates_replace_goes_once_its_launches_are_over(
    add: cuox.Kernel, stream: cuox.Stream, *, by_node: bool
) -> None:
    pool = cuox.DeviceMemoryResource(cuox.Device(), {})
    waited, seen = threading.Event(), []

    def definition() -> tuple[GraphDefinition, graphs.GraphNode, cuox.Buffer]:
        buffer = pool.allocate(4, stream=stream)
        buffer.fill(0, stream=stream)
        made = GraphDefinition()
        return made, made.launch(ONE, add, buffer, np.int32(1)), buffer

    first, node, buffer = definition()
    graph = first.instantiate()
    before = GraphDefinition()
    before.callback(lambda: waited.wait(30))
    wait = before.instantiate()
    wait.launch(stream)
    graph.launch(stream)
    used = pool.attributes.used_mem_current
    for _ in range(100):
        _, _, other = made = definition()
        if by_node:
            graph[node].update(config=ONE, kernel=add, args=(other, np.int32(1)))  # type: ignore[attr-defined]
        else:
            graph.update(made[0])
        seen.append(pool.attributes.used_mem_current)
    # The first is in use, and what no launch has used goes at once.
    del other, made, buffer, first
    gc.collect()
    graph.launch(stream)
    assert seen[0] > used
    waited.set()
    stream.sync()
    del node
    for _ in range(2):
        _, _, other = made = definition()
        graph.update(made[0])
    del graph, other, made, _
    deadline = time.monotonic() + 10
    while pool.attributes.used_mem_current and time.monotonic() < deadline:
        gc.collect()
        GraphDefinition().instantiate()  # lets go of what others left behind
        time.sleep(0.01)
        stream.sync()
    assert pool.attributes.used_mem_current == 0


def test_captures_of_a_graphs_streams_are_left_alone(add: cuox.Kernel) -> None:
    pool, streams = cuox.DeviceMemoryResource(cuox.Device(), {}), [cuox.Device().create_stream() for _ in range(9)]
    buffer = pool.allocate(4, stream=streams[0])
    buffer.fill(0, stream=streams[0])
    definition = GraphDefinition()
    definition.launch(ONE, add, buffer, np.int32(1))
    graph = definition.instantiate()
    for stream in streams[:8]:
        graph.launch(stream)
    builder = streams[0].create_graph_builder()
    builder.begin_building()
    # So many streams that some are to be forgotten: the one that is captured is not asked.
    graph.launch(streams[8])
    # It goes meanwhile, and what it used goes later.
    del graph, definition, buffer
    gc.collect()
    builder.end_building().close()
    deadline = time.monotonic() + 10
    while pool.attributes.used_mem_current and time.monotonic() < deadline:
        gc.collect()
        GraphDefinition().instantiate()  # lets go of what others left behind
        time.sleep(0.01)
        for stream in streams:
            stream.sync()
    assert pool.attributes.used_mem_current == 0


def test_graphs_that_go_inside_of_a_host_function_are_destroyed(stream: cuox.Stream) -> None:
    def called() -> None:
        pass

    seen = weakref.ref(called)
    held: list[Any] = [GraphDefinition()]
    held[0].callback(called)
    held.append(held[0].instantiate())
    outer = GraphDefinition()
    outer.callback(held.clear)
    del called
    gc.collect()
    assert seen() is not None
    run(outer.instantiate(), stream)
    deadline = time.monotonic() + 10
    while seen() is not None and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.01)
    assert not held and seen() is None


def test_kernels_of_captured_launches_are_known(add: cuox.Kernel, stream: cuox.Stream) -> None:
    buffer, array = pinned()
    builder = cuox.Device().create_graph_builder().begin_building()
    cuox.launch(builder, ONE, add, buffer, 1)
    builder.end_building()
    (node,) = builder.graph_definition.nodes()
    assert isinstance(node, graphs.KernelNode)
    assert node.kernel == add and f"kernel={add.handle:#x}" in repr(node)
    assert f"kernel={add.handle:#x}" in repr(GraphDefinition().launch(ONE, add, buffer, 1))
    node.update(args=(buffer, 5))
    run(builder.complete(), stream)
    assert array[0] == 5
