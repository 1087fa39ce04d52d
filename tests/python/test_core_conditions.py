"""Conditional nodes of graphs: put together by definitions and by builders."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import driver
from cuox.cuda.core import graph as graphs
from cuox.cuda.core.graph import GraphDefinition

ONE = cuox.LaunchConfig(grid=1, block=1)
SOURCE = """
extern "C" __global__ void add(int *a, int b) { *a += b; }
extern "C" __global__ void choose(cudaGraphConditionalHandle condition, unsigned value) {
    cudaGraphSetConditional(condition, value);
}
extern "C" __global__ void count_down(cudaGraphConditionalHandle condition, int *left) {
    cudaGraphSetConditional(condition, --*left > 0);
}
"""


@pytest.fixture(scope="module")
def kernels() -> dict[str, cuox.Kernel]:
    cuox.Device().set_current()
    code = cuox.Program(SOURCE).compile("ptx")
    return {name: code.get_kernel(name) for name in ("add", "choose", "count_down")}


@pytest.fixture
def stream() -> Iterator[cuox.Stream]:
    cuox.Device().set_current()
    made = cuox.Device().create_stream()
    yield made
    made.sync()


@pytest.fixture
def counts(stream: cuox.Stream) -> cuox.Array:
    return cuox.zeros(4, np.int32, stream=stream)


def launched(graph: cuox.Graph, stream: cuox.Stream, counts: cuox.Array) -> list[int]:
    """What a launch adds to the counts."""
    counts.fill(0, stream=stream)
    graph.launch(stream)
    return [int(count) for count in counts.to_host()]


def test_definitions_choose_by_a_condition(
    kernels: dict[str, cuox.Kernel], stream: cuox.Stream, counts: cuox.Array
) -> None:
    add, choose = kernels["add"], kernels["choose"]
    expected = {
        "if_then": {0: [0, 0, 0, 1], 1: [1, 0, 0, 1], 7: [1, 0, 0, 1]},
        "if_else": {0: [0, 1, 0, 1], 1: [1, 0, 0, 1]},
        "switch": {0: [1, 0, 0, 1], 2: [0, 0, 1, 1], 3: [0, 0, 0, 1]},
    }
    for method, results in expected.items():
        for value, result in results.items():
            definition = GraphDefinition()
            condition = definition.create_condition()
            chooser = definition.launch(ONE, choose, condition, value)
            node = getattr(chooser, method)(condition, *([3] if method == "switch" else []))
            assert node.condition == condition and isinstance(node, graphs.ConditionalNode)
            for place, body in enumerate(node.branches):
                body.launch(ONE, add, counts[place : place + 1], 1)
            node.launch(ONE, add, counts[3:], 1)
            graph = definition.instantiate()
            assert launched(graph, stream, counts) == result, (method, value)
            assert launched(graph, stream, counts) == result


def test_loops_run_until_a_kernel_says_no(
    kernels: dict[str, cuox.Kernel], stream: cuox.Stream, counts: cuox.Array
) -> None:
    definition = GraphDefinition()
    outer, inner = definition.create_condition(default_value=1), definition.create_condition()
    loop = definition.while_loop(outer)
    # Two conditions of the graph around, one of the loop's own graph.
    own = loop.body.create_condition(default_value=1)
    turn = loop.body.launch(ONE, kernels["add"], counts[1:2], 1).launch(ONE, kernels["choose"], inner, 0)
    nested = turn.if_else(inner)
    nested.else_.launch(ONE, kernels["add"], counts[2:3], 10)
    nested.then.launch(ONE, kernels["add"], counts[2:3], 1000)
    last = nested.if_then(own)
    last.then.memset(counts[3:], 5, 4)
    last.launch(ONE, kernels["count_down"], outer, counts[:1])
    graph = definition.instantiate()
    for turns in (3, 1, 6):
        counts[:1].fill(turns, stream=stream)
        counts[1:3].fill(0, stream=stream)
        graph.launch(stream)
        assert counts.to_host().tolist() == [0, turns, 10 * turns, 0x05050505]


def test_builders_capture_what_is_conditional(
    kernels: dict[str, cuox.Kernel], stream: cuox.Stream, counts: cuox.Array
) -> None:
    builder = cuox.Device().create_graph_builder().begin_building()
    condition, loops = builder.create_condition(), builder.create_condition(default_value=True)
    cuox.launch(builder, ONE, kernels["choose"], condition, 1)
    first, second = builder.if_else(condition)
    first.begin_building()
    left, right = first.split(2)
    cuox.launch(left, ONE, kernels["add"], counts[:1], 1)
    cuox.launch(right, ONE, kernels["add"], counts[1:2], 1)
    cuox.GraphBuilder.join(left, right).end_building()
    # One graph is captured, then added to; one is put together by its definition alone.
    first.graph_definition.launch(ONE, kernels["add"], counts[3:], 100)
    second.graph_definition.launch(ONE, kernels["add"], counts[:1], 1000)
    body = builder.while_loop(loops).begin_building()
    cuox.launch(body, ONE, kernels["add"], counts[3:], 1)
    cuox.launch(body, ONE, kernels["count_down"], loops, counts[2:3])
    with pytest.raises(RuntimeError, match="capture is in progress"):
        body.graph_definition
    body.end_building()
    with pytest.raises(RuntimeError, match="launched with the graph around it"):
        body.complete()
    with pytest.raises(RuntimeError, match="not being built"):
        body.create_condition()
    graph = builder.end_building().complete()
    del builder, body, first, second, left, right
    gc.collect()
    for turns in (4, 1):
        counts.fill(0, stream=stream)
        counts[2:3].fill(turns, stream=stream)
        graph.launch(stream)
        assert counts.to_host().tolist() == [1, 1, 0, 100 + turns]


def test_what_a_conditional_graph_uses_is_in_order(
    kernels: dict[str, cuox.Kernel], stream: cuox.Stream, counts: cuox.Array
) -> None:
    other, device = cuox.zeros(1, np.int32), cuox.Device()
    builder = device.create_graph_builder().begin_building()
    body = builder.if_then(builder.create_condition(default_value=1)).begin_building()
    cuox.launch(body, ONE, kernels["add"], other, 1)
    body.end_building()
    graph = builder.end_building().complete()
    spin = cuox.Program(
        'extern "C" __global__ void spin(int *a, int turns) {'
        "    for (int i = 0; i < turns; i++) *(volatile int *)(a + 1);"
        "    *a = 10;"
        "}"
    )
    both = cuox.zeros(2, np.int32)
    kernel = spin.compile("ptx").get_kernel("spin")
    for _ in range(5):
        kernel[1, 1, stream](both, 100000)
        other[:] = both[:1]
        graph.launch(device.create_stream())
        assert other.to_host()[0] == 11
        both.fill(0)


def test_updates_take_the_conditions_over(
    kernels: dict[str, cuox.Kernel], stream: cuox.Stream, counts: cuox.Array
) -> None:
    def captured(value: int, branches: int = 3) -> cuox.GraphBuilder:
        builder = cuox.Device().create_graph_builder().begin_building()
        for place, body in enumerate(builder.switch(builder.create_condition(default_value=value), branches)):
            body.begin_building()
            cuox.launch(body, ONE, kernels["add"], counts[place : place + 1], 1)
            body.end_building()
        return builder.end_building()

    variants = [captured(value) for value in range(3)]
    graph = variants[0].complete()
    assert launched(graph, stream, counts) == [1, 0, 0, 0]
    for place in (2, 1):
        graph.update(variants[place])
        assert launched(graph, stream, counts) == [place == at for at in range(4)]
    with pytest.raises(cuox.CUDAError):
        graph.update(captured(0, branches=2))
    assert launched(graph, stream, counts) == [0, 1, 0, 0]


def test_mistakes_with_conditions(kernels: dict[str, cuox.Kernel], counts: cuox.Array) -> None:
    definition, other = GraphDefinition(), GraphDefinition()
    condition = definition.create_condition()
    with pytest.raises(cuox.CUDAError, match="INVALID_VALUE"):
        other.if_then(condition)
    with pytest.raises(cuox.CUDAError, match="INVALID_VALUE"):
        definition.switch(condition, 0)
    with pytest.raises(TypeError, match="GraphCondition"):
        definition.while_loop(condition.handle)
    # A condition without a node.
    with pytest.raises(cuox.CUDAError):
        definition.instantiate()
    node = definition.if_then(condition)
    inner = node.then
    inner.empty()
    graph = definition.instantiate()
    with pytest.raises(cuox.CUDAError):
        other.embed(definition)
    code, _ = driver.cuGraphClone(definition.handle)
    assert code != driver.CUresult.CUDA_SUCCESS
    node.destroy()
    assert not inner.is_valid
    del graph
    builder = cuox.Device().create_graph_builder()
    with pytest.raises(RuntimeError, match="not being built"):
        builder.create_condition()
    builder.begin_building()
    with pytest.raises(TypeError, match="GraphCondition"):
        builder.if_then(1)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="create_condition"):
        graphs.GraphCondition()
    builder.close()


def test_the_capture_tells_the_kinds_of_dependencies(kernels: dict[str, cuox.Kernel], counts: cuox.Array) -> None:
    builder = cuox.Device().create_graph_builder().begin_building()
    cuox.launch(builder, ONE, kernels["add"], counts[:1], 1)
    code, _, _, _, before, kinds, count = driver.cuStreamGetCaptureInfo(driver.CUstream(builder.__cuda_stream__()[1]))
    assert code == driver.CUresult.CUDA_SUCCESS and count == 1 and len(before) == len(kinds) == 1
    assert (kinds[0].type, kinds[0].from_port, kinds[0].to_port) == (0, 0, 0)
    builder.end_building()
