"""Graphs that kernels launch (`cudaGraphLaunch` in kernels; Programming guide, *Device Graph Launch*)."""

from __future__ import annotations

from collections.abc import Callable

import cuox
import numpy as np
import pytest
from cuox.cuda.core import Linker, ObjectCode, Program, ProgramOptions
from cuox.cuda.core.graph import GraphCompleteOptions, GraphDefinition
from cuox.cuda.pathfinder import StaticLibNotFoundError, find_static_lib

ONE = cuox.LaunchConfig(grid=1, block=1)
SOURCE = """
extern "C" __global__ void add(int *value, int more) { *value += more; }
extern "C" __global__ void multiply(int *value, int by) { *value *= by; }
extern "C" __global__ void launch(cudaGraphExec_t graph, unsigned long long stream, int *error) {
    *error = (int)cudaGraphLaunch(graph, (cudaStream_t)stream);
}
extern "C" __global__ void launch_twice(cudaGraphExec_t graph, int *errors) {
    errors[0] = (int)cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
    errors[1] = (int)cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}
extern "C" __global__ void again(int *count, int *errors) {
    int n = ++*count;
    if (n < 5) errors[n] = (int)cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}
extern "C" __global__ void who(unsigned long long *graph) { *graph = (unsigned long long)cudaGetCurrentGraphExec(); }
"""
TAIL, AT_ONCE, SIBLING = (n << 56 for n in (1, 2, 3))
INVALID_VALUE = 1


@pytest.fixture(scope="module")
def code() -> ObjectCode:
    device = cuox.Device()
    device.set_current()
    if device.compute_capability < (9, 0):
        pytest.skip("kernels launch graphs from compute capability 9.0 on")
    ptx = Program(SOURCE, "c++", ProgramOptions(relocatable_device_code=True)).compile("ptx")
    try:
        library = ObjectCode.from_library(find_static_lib("cudadevrt"))
    except StaticLibNotFoundError:
        pytest.skip("no libcudadevrt (nvidia-cuda-runtime)")
    return Linker(ptx, library).link("cubin")


@pytest.fixture
def stream() -> cuox.Stream:
    return cuox.Device().create_stream()


def captured(
    work: Callable[[cuox.GraphBuilder], object], upload: cuox.Stream | None = None, is_for_device: bool = True
) -> cuox.Graph:
    builder = cuox.Device().create_graph_builder().begin_building()
    work(builder)
    options = GraphCompleteOptions(device_launch=is_for_device, upload_stream=upload)
    graph = builder.end_building().complete(options=options)
    if upload is not None:
        upload.sync()
    return graph


def numbers(*values: int) -> cuox.Array:
    return cuox.to_device(np.array(values, np.int32))


@pytest.mark.parametrize(("where", "expected"), [(TAIL, 12), (AT_ONCE, None), (SIBLING, None)])
def test_a_kernel_launches_a_graph(code: ObjectCode, stream: cuox.Stream, where: int, expected: int | None) -> None:
    value, error = numbers(1), numbers(-1)
    add, multiply, launch = (code.get_kernel(name) for name in ("add", "multiply", "launch"))
    inner = captured(lambda g: cuox.launch(g, ONE, add, value, 10), stream)

    def work(builder: cuox.GraphBuilder) -> None:
        cuox.launch(builder, ONE, launch, int(inner.handle), where, error)
        cuox.launch(builder, ONE, multiply, value, 2)

    outer = captured(work, is_for_device=False)
    outer.launch(stream)
    stream.sync()
    assert error.to_host().tolist() == [0]
    # A graph in the tail runs behind the one that launched it, another one beside it: each may read before the other
    # writes.
    assert value.to_host().tolist() == [expected] if expected else value.to_host()[0] in (2, 11, 12, 22)
    outer.launch(stream)
    stream.sync()
    assert error.to_host().tolist() == [0]


def test_a_graph_launches_itself_behind_itself(code: ObjectCode, stream: cuox.Stream) -> None:
    count, errors = numbers(0), numbers(*[-1] * 5)
    graph = captured(lambda g: cuox.launch(g, ONE, code.get_kernel("again"), count, errors), stream)
    graph.launch(stream)
    stream.sync()
    assert count.to_host().tolist() == [5]
    assert errors.to_host().tolist() == [-1, 0, 0, 0, 0]


def test_the_end_of_a_launch_is_that_of_all_that_it_launches(code: ObjectCode, stream: cuox.Stream) -> None:
    value, error = numbers(0), numbers(-1)
    add, launch = code.get_kernel("add"), code.get_kernel("launch")
    last = captured(lambda g: cuox.launch(g, ONE, add, value, 1), stream)
    middle = captured(lambda g: cuox.launch(g, ONE, launch, int(last.handle), TAIL, error), stream)
    first = captured(lambda g: cuox.launch(g, ONE, launch, int(middle.handle), AT_ONCE, error), None, False)
    for _ in range(3):
        first.launch(stream)
    cuox.launch(stream, ONE, add, value, 100)
    stream.sync()
    assert value.to_host().tolist() == [103]


def test_launches_that_are_refused(code: ObjectCode, stream: cuox.Stream) -> None:
    value, errors = numbers(0), numbers(-1, -1)
    add, launch, twice = (code.get_kernel(name) for name in ("add", "launch", "launch_twice"))

    def error_of(graph: cuox.Graph, where: int) -> int:
        outer = captured(lambda g: cuox.launch(g, ONE, launch, int(graph.handle), where, errors), None, False)
        outer.launch(stream)
        stream.sync()
        return int(errors.to_host()[0])

    work = lambda g: cuox.launch(g, ONE, add, value, 1)
    assert error_of(captured(work, stream), TAIL) == 0
    assert value.to_host().tolist() == [1]
    # Its first launch has not ended when the second one is asked for.
    inner = captured(work, stream)
    outer = captured(lambda g: cuox.launch(g, ONE, twice, int(inner.handle), errors), None, False)
    outer.launch(stream)
    stream.sync()
    assert errors.to_host().tolist() == [0, INVALID_VALUE]
    assert value.to_host().tolist() == [2]


@pytest.mark.skipif(not cuox.Device().is_soft, reason="a GPU does not check it")
def test_launches_that_the_software_gpu_refuses(code: ObjectCode, stream: cuox.Stream) -> None:
    value, errors = numbers(0), numbers(-1, -1)
    add, launch = code.get_kernel("add"), code.get_kernel("launch")
    work = lambda g: cuox.launch(g, ONE, add, value, 1)
    for graph, where in (
        (captured(work), TAIL),  # it was not uploaded
        (captured(work, stream, False), TAIL),  # it is not for kernels
        (captured(work, stream), 0),  # no stream of graphs
    ):
        outer = captured(lambda g: cuox.launch(g, ONE, launch, int(graph.handle), where, errors), None, False)
        outer.launch(stream)
        stream.sync()
        assert errors.to_host()[0] == INVALID_VALUE
    cuox.launch(stream, ONE, launch, int(captured(work, stream).handle), TAIL, errors)  # the kernel is in no graph
    stream.sync()
    assert errors.to_host()[0] == INVALID_VALUE
    assert value.to_host().tolist() == [0]


def test_kernels_know_their_graph(code: ObjectCode, stream: cuox.Stream) -> None:
    seen = cuox.to_device(np.array([7], np.uint64))
    who = code.get_kernel("who")
    graph = captured(lambda g: cuox.launch(g, ONE, who, seen), stream)
    graph.launch(stream)
    stream.sync()
    assert seen.to_host().tolist() == [int(graph.handle)]
    cuox.launch(stream, ONE, who, seen)
    stream.sync()
    assert seen.to_host().tolist() == [0]


def test_graphs_for_kernels_have_work_of_the_device_only(stream: cuox.Stream) -> None:
    cuox.Device().set_current()
    definition = GraphDefinition()
    definition.callback(lambda: None)
    with pytest.raises(cuox.CUDAError):
        definition.instantiate(options=GraphCompleteOptions(device_launch=True))
