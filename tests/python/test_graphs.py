"""CUDA graphs through `cuox.cuda.bindings.driver`: nodes, capture, updates; the same on the software GPU and on a
GPU."""

from __future__ import annotations

import ctypes
import gc
import threading
from collections.abc import Iterator
from typing import Any

import cuox
import numpy as np
import pytest
from cuox import _native
from cuox.cuda.bindings import driver as d
from cuox.cuda.bindings import runtime as r
from cuox_bind import _native as bind_native

pytestmark = pytest.mark.usefixtures("no_garbage")

SOURCE = """
extern "C" __global__ void add(int *p, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}
extern "C" __global__ void multiply(int *p, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= by;
}
"""
N = 64


def ok(result: tuple[Any, ...]) -> Any:
    """The outputs of a call that must succeed."""
    assert result[0] == d.CUresult.CUDA_SUCCESS, result
    return result[1] if len(result) == 2 else result[1:]


def code(result: tuple[Any, ...]) -> str:
    return d.CUresult(result[0]).name.removeprefix("CUDA_ERROR_")


@pytest.fixture(scope="module")
def kernels(device: cuox.Device) -> dict[str, Any]:
    device.set_current()
    found = cuox.Program(SOURCE, "graphs.cu").compile("ptx")
    return {name: found.get_kernel(name) for name in ("add", "multiply")}


@pytest.fixture
def stream(device: cuox.Device) -> Iterator[Any]:
    device.set_current()
    made = ok(d.cuStreamCreate(d.CUstream_flags.CU_STREAM_NON_BLOCKING))
    yield made
    ok(d.cuStreamDestroy(made))


@pytest.fixture
def memory(device: cuox.Device) -> Iterator[Any]:
    device.set_current()
    made = ok(d.cuMemAlloc(4 * N))
    ok(d.cuMemsetD32(made, 1, N))
    yield made
    ok(d.cuCtxSynchronize())
    ok(d.cuMemFree(made))


def values(memory: Any) -> set[int]:
    host = np.empty(N, np.int32)
    ok(d.cuMemcpyDtoH(host.ctypes.data, memory, host.nbytes))
    return set(host.tolist())


def handle(kernel: Any) -> Any:
    return ok(d.cuKernelGetFunction(d.CUkernel(int(kernel.handle))))


def launch(kernel: Any, stream: Any, memory: Any, by: int) -> None:
    arguments = ((memory, N, by), (None, ctypes.c_int, ctypes.c_int))
    ok(d.cuLaunchKernel(handle(kernel), 1, 1, 1, N, 1, 1, 0, stream, arguments, 0))


def kernel_params(kernel: Any, memory: Any, by: int) -> tuple[Any, Any]:
    """Parameters of a kernel node, and what they refer to."""
    keep = [ctypes.c_uint64(int(memory)), ctypes.c_int(N), ctypes.c_int(by)]
    array = (ctypes.c_void_p * 3)(*(ctypes.addressof(one) for one in keep))
    params = d.CUDA_KERNEL_NODE_PARAMS()
    params.func = handle(kernel)
    params.gridDimX = params.gridDimY = params.gridDimZ = 1
    params.blockDimX, params.blockDimY, params.blockDimZ = N, 1, 1
    params.kernelParams = ctypes.addressof(array)
    return params, (keep, array)


def add_kernel(graph: Any, after: list[Any], kernel: Any, memory: Any, by: int) -> Any:
    params, keep = kernel_params(kernel, memory, by)
    node = ok(d.cuGraphAddKernelNode(graph, after, len(after), params))
    del keep  # a node has its own copy of the values
    return node


def run(graph: Any, stream: Any, times: int = 1) -> Any:
    made = ok(d.cuGraphInstantiate(graph, 0))
    for _ in range(times):
        ok(d.cuGraphLaunch(made, stream))
    ok(d.cuStreamSynchronize(stream))
    return made


def test_nodes_run_in_the_order_of_their_edges(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    graph = ok(d.cuGraphCreate(0))
    last = add_kernel(graph, [], kernels["add"], memory, 5)
    first = add_kernel(graph, [], kernels["multiply"], memory, 10)
    ok(d.cuGraphAddDependencies(graph, [first], [last], None, 1))
    made = run(graph, stream, 2)
    assert values(memory) == {(1 * 10 + 5) * 10 + 5}
    assert [ok(d.cuGraphNodeGetType(node)).name for node in (first, last)] == ["CU_GRAPH_NODE_TYPE_KERNEL"] * 2
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))
    assert code(d.cuGraphInstantiate(graph, 0)) in ("INVALID_VALUE", "INVALID_HANDLE") or not cuox.Device(0).is_soft


def test_parameters_of_a_node_are_values(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    graph = ok(d.cuGraphCreate(0))
    last: list[Any] = []
    forms = (
        ((memory, N, 2), (ctypes.c_void_p, ctypes.c_int, ctypes.c_int)),
        ([memory, np.int32(N), np.int32(3)], None),
        [memory, ctypes.c_int(N), ctypes.c_int(4)],
    )
    for given in forms:
        for class_ in (d.CUDA_KERNEL_NODE_PARAMS, d.CUgraphNodeParams):
            params = class_()
            part = params
            if class_ is d.CUgraphNodeParams:
                params.type = d.CUgraphNodeType.CU_GRAPH_NODE_TYPE_KERNEL
                part = params.kernel
            part.func = handle(kernels["add"])
            part.gridDimX = part.gridDimY = part.gridDimZ = part.blockDimY = part.blockDimZ = 1
            part.blockDimX = N
            part.kernelParams = given
            del part
            gc.collect()
            made = (
                d.cuGraphAddKernelNode(graph, last, len(last), params)
                if class_ is d.CUDA_KERNEL_NODE_PARAMS
                else d.cuGraphAddNode(graph, last, None, len(last), params)
            )
            last = [ok(made)]
    ok(d.cuGraphExecDestroy(run(graph, stream)))
    ok(d.cuGraphDestroy(graph))
    assert values(memory) == {1 + 2 * (2 + 3 + 4)}


def test_parameters_of_a_node_that_are_none() -> None:
    for class_ in (d.CUDA_KERNEL_NODE_PARAMS_v1, d.CUDA_KERNEL_NODE_PARAMS, r.cudaKernelNodeParams):
        params = class_()
        for nothing in (None, 0, [], ()):
            params.kernelParams = nothing
            assert params.kernelParams == 0
        array = np.zeros(3, np.uint64)
        params.kernelParams = array
        assert params.kernelParams == array.ctypes.data
        params.kernelParams = ((7, 8.5), (ctypes.c_int, ctypes.c_double))
        places = (ctypes.c_void_p * 2).from_address(params.kernelParams)
        assert ctypes.c_int.from_address(places[0]).value == 7
        assert ctypes.c_double.from_address(places[1]).value == 8.5
        for wrong in (((1,), (ctypes.c_int, ctypes.c_int)), ["x"], ((1,), (int,)), "x", 1.5):
            with pytest.raises(TypeError, match="kernelParams"):
                params.kernelParams = wrong
        # What was refused has changed nothing.
        assert ctypes.c_int.from_address(places[0]).value == 7


def test_a_circle_is_refused(kernels: dict[str, Any], memory: Any) -> None:
    graph = ok(d.cuGraphCreate(0))
    nodes = [add_kernel(graph, [], kernels["add"], memory, 1) for _ in range(2)]
    ok(d.cuGraphAddDependencies(graph, nodes, nodes[::-1], None, 2))
    assert code(d.cuGraphInstantiate(graph, 0)) == "INVALID_VALUE"
    assert code(d.cuGraphAddDependencies(graph, nodes[:1], nodes[:1], None, 1)) == "INVALID_VALUE"
    ok(d.cuGraphDestroy(graph))


def test_the_structure_can_be_asked_for(kernels: dict[str, Any], memory: Any) -> None:
    graph = ok(d.cuGraphCreate(0))
    a = add_kernel(graph, [], kernels["add"], memory, 1)
    b = ok(d.cuGraphAddEmptyNode(graph, [a], 1))
    c = add_kernel(graph, [a, b], kernels["add"], memory, 1)

    def addresses(nodes: Any) -> list[int]:
        return sorted(int(node) for node in nodes)

    assert ok(d.cuGraphGetNodes(graph, 0))[1] == 3
    assert addresses(ok(d.cuGraphGetNodes(graph, 3))[0]) == addresses([a, b, c])
    assert addresses(ok(d.cuGraphGetRootNodes(graph, 1))[0]) == addresses([a])
    assert ok(d.cuGraphGetEdges(graph, 0))[-1] == 3
    # Room for more nodes than fit into memory.
    for many in (1 << 31, 1 << 60):
        assert addresses(ok(d.cuGraphGetNodes(graph, many))[0]) == addresses([a, b, c])
        sources, targets, _, count = ok(d.cuGraphGetEdges(graph, many))
        assert count == len(sources) == len(targets) == 3
        assert ok(d.cuGraphNodeGetDependencies(a, many))[-1] == 0
    assert code(d.cuGraphGetNodes(d.CUgraph(0), 1 << 31)) == "INVALID_VALUE"
    assert code(d.cuGraphAddEmptyNode(graph, [a, a], 2)) == "INVALID_VALUE"
    ok(d.cuGraphRemoveDependencies(graph, [b], [c], None, 1))
    assert ok(d.cuGraphGetEdges(graph, 0))[-1] == 2
    ok(d.cuGraphDestroyNode(a))
    assert ok(d.cuGraphGetNodes(graph, 0))[1] == 2
    ok(d.cuGraphDestroy(graph))


def test_parameters_are_changed(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    graph = ok(d.cuGraphCreate(0))
    node = add_kernel(graph, [], kernels["add"], memory, 1)
    made = run(graph, stream)
    assert values(memory) == {2}
    params, keep = kernel_params(kernels["add"], memory, 100)
    ok(d.cuGraphExecKernelNodeSetParams(made, node, params))
    ok(d.cuGraphLaunch(made, stream))
    ok(d.cuStreamSynchronize(stream))
    assert values(memory) == {102}
    # The graph itself is as it was.
    second = run(graph, stream)
    assert values(memory) == {103}
    ok(d.cuGraphKernelNodeSetParams(node, params))
    del keep
    assert ok(d.cuGraphKernelNodeGetParams(node)).blockDimX == N
    ok(d.cuGraphExecUpdate(second, graph))
    ok(d.cuGraphLaunch(second, stream))
    ok(d.cuStreamSynchronize(stream))
    assert values(memory) == {203}
    other = ok(d.cuGraphCreate(0))
    ok(d.cuGraphAddEmptyNode(other, [], 0))
    assert code(d.cuGraphExecUpdate(second, other)) == "GRAPH_EXEC_UPDATE_FAILURE"
    ok(d.cuGraphNodeSetEnabled(second, node, 0))
    assert ok(d.cuGraphNodeGetEnabled(second, node)) == 0
    ok(d.cuGraphLaunch(second, stream))
    ok(d.cuStreamSynchronize(stream))
    assert values(memory) == {203}
    for exec_ in (made, second):
        ok(d.cuGraphExecDestroy(exec_))
    for one in (graph, other):
        ok(d.cuGraphDestroy(one))


def test_copies_fills_and_graphs_inside(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    inner = ok(d.cuGraphCreate(0))
    add_kernel(inner, [], kernels["add"], memory, 3)
    graph = ok(d.cuGraphCreate(0))
    fill = d.CUDA_MEMSET_NODE_PARAMS()
    fill.dst, fill.value, fill.elementSize, fill.width, fill.height = memory, 7, 4, N, 1
    context = ok(d.cuCtxGetCurrent())
    a = ok(d.cuGraphAddMemsetNode(graph, [], 0, fill, context))
    b = ok(d.cuGraphAddChildGraphNode(graph, [a], 1, inner))
    host = np.zeros(N, np.int32)
    copy = d.CUDA_MEMCPY3D()
    copy.srcMemoryType, copy.srcDevice = d.CUmemorytype.CU_MEMORYTYPE_DEVICE, memory
    copy.dstMemoryType, copy.dstHost = d.CUmemorytype.CU_MEMORYTYPE_HOST, host.ctypes.data
    copy.WidthInBytes, copy.Height, copy.Depth = host.nbytes, 1, 1
    c = ok(d.cuGraphAddMemcpyNode(graph, [b], 1, copy, context))
    clone = ok(d.cuGraphClone(graph))
    assert int(ok(d.cuGraphNodeFindInClone(c, clone))) != int(c)
    ok(d.cuGraphDestroy(graph))
    made = run(clone, stream)
    assert set(host.tolist()) == {10}
    ok(d.cuGraphExecDestroy(made))
    for one in (clone, inner):
        ok(d.cuGraphDestroy(one))


def test_a_stream_is_recorded(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    mode = d.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    ok(d.cuStreamBeginCapture(stream, mode))
    launch(kernels["add"], stream, memory, 4)
    ok(d.cuMemsetD32Async(int(memory) + 4 * (N // 2), 9, N // 2, stream))
    launch(kernels["multiply"], stream, memory, 2)
    assert ok(d.cuStreamIsCapturing(stream)).name == "CU_STREAM_CAPTURE_STATUS_ACTIVE"
    graph = ok(d.cuStreamEndCapture(stream))
    assert values(memory) == {1}
    assert ok(d.cuGraphGetNodes(graph, 0))[1] == 3
    made = run(graph, stream)
    assert values(memory) == {10, 18}
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))


def test_a_stream_is_recorded_into_a_graph(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    graph = ok(d.cuGraphCreate(0))
    first = add_kernel(graph, [], kernels["add"], memory, 1)
    mode = d.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    ok(d.cuStreamBeginCaptureToGraph(stream, graph, [first], None, 1, mode))
    launch(kernels["multiply"], stream, memory, 10)
    end = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p)(
        bind_native.Symbols([str(_native.driver_path())]).find("cuStreamEndCapture")
    )
    assert end(int(stream), None) == 0
    assert ok(d.cuGraphGetNodes(graph, 0))[1] == 2
    made = run(graph, stream)
    assert values(memory) == {20}
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))


def test_streams_join_by_events(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    other = ok(d.cuStreamCreate(d.CUstream_flags.CU_STREAM_NON_BLOCKING))
    fork, join = (ok(d.cuEventCreate(d.CUevent_flags.CU_EVENT_DISABLE_TIMING)) for _ in range(2))
    second = ok(d.cuMemAlloc(4 * N))
    ok(d.cuMemsetD32(second, 1, N))
    ok(d.cuStreamBeginCapture(stream, d.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL))
    launch(kernels["add"], stream, memory, 1)
    ok(d.cuEventRecord(fork, stream))
    ok(d.cuStreamWaitEvent(other, fork, 0))
    launch(kernels["add"], other, second, 2)
    ok(d.cuEventRecord(join, other))
    launch(kernels["add"], stream, memory, 1)
    ok(d.cuStreamWaitEvent(stream, join, 0))
    launch(kernels["multiply"], stream, second, 5)
    graph = ok(d.cuStreamEndCapture(stream))
    assert ok(d.cuGraphGetEdges(graph, 0))[-1] == 4
    made = run(graph, stream, 2)
    assert values(memory) == {5} and values(second) == {(15 + 2) * 5}
    assert ok(d.cuStreamIsCapturing(other)).name == "CU_STREAM_CAPTURE_STATUS_NONE"
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))
    for event in (fork, join):
        ok(d.cuEventDestroy(event))
    ok(d.cuStreamDestroy(other))
    ok(d.cuMemFree(second))


def begin(stream: Any, mode: str = "GLOBAL") -> None:
    ok(d.cuStreamBeginCapture(stream, d.CUstreamCaptureMode[f"CU_STREAM_CAPTURE_MODE_{mode}"]))


def end_fails(stream: Any) -> str:
    result = d.cuStreamEndCapture(stream)
    assert ok(d.cuStreamIsCapturing(stream)).name == "CU_STREAM_CAPTURE_STATUS_NONE"
    return code(result)


def test_what_a_capture_does_not_allow(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    begin(stream)
    assert code(d.cuStreamBeginCapture(stream, d.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL)) == "ILLEGAL_STATE"
    assert code(d.cuStreamSynchronize(stream)) == "STREAM_CAPTURE_UNSUPPORTED"
    assert end_fails(stream) == "STREAM_CAPTURE_INVALIDATED"

    begin(stream)
    assert code(d.cuMemAlloc(4)) == "STREAM_CAPTURE_UNSUPPORTED"
    assert end_fails(stream) == "STREAM_CAPTURE_INVALIDATED"
    begin(stream, "RELAXED")
    ok(d.cuMemFree(ok(d.cuMemAlloc(4))))
    ok(d.cuGraphDestroy(ok(d.cuStreamEndCapture(stream))))

    # An event of elsewhere.
    event = ok(d.cuEventCreate(d.CUevent_flags.CU_EVENT_DISABLE_TIMING))
    ok(d.cuEventRecord(event, 0))
    ok(d.cuStreamSynchronize(0))
    begin(stream)
    assert code(d.cuStreamWaitEvent(stream, event, 0)) == "STREAM_CAPTURE_ISOLATION"
    assert end_fails(stream) == "STREAM_CAPTURE_INVALIDATED"

    # A stream that has joined and not come back.
    other = ok(d.cuStreamCreate(d.CUstream_flags.CU_STREAM_NON_BLOCKING))
    begin(stream)
    launch(kernels["add"], stream, memory, 1)
    ok(d.cuEventRecord(event, stream))
    ok(d.cuStreamWaitEvent(other, event, 0))
    launch(kernels["add"], other, memory, 1)
    assert end_fails(stream) == "STREAM_CAPTURE_UNJOINED"
    assert ok(d.cuStreamIsCapturing(other)).name == "CU_STREAM_CAPTURE_STATUS_NONE"
    begin(stream)
    ok(d.cuEventRecord(event, stream))
    ok(d.cuStreamWaitEvent(other, event, 0))
    assert code(d.cuStreamEndCapture(other)) == "STREAM_CAPTURE_UNMATCHED"
    assert end_fails(stream) == "STREAM_CAPTURE_INVALIDATED"
    ok(d.cuStreamDestroy(other))
    ok(d.cuEventDestroy(event))
    assert code(d.cuStreamEndCapture(stream)) == "ILLEGAL_STATE"
    assert (
        code(d.cuStreamBeginCapture(d.CUstream(1), d.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL))
        == "STREAM_CAPTURE_UNSUPPORTED"
    )
    assert values(memory) == {1}


def test_the_legacy_stream_during_a_capture(memory: Any) -> None:
    blocking = ok(d.cuStreamCreate(0))
    begin(blocking)
    assert code(d.cuMemsetD32Async(memory, 5, 1, d.CUstream(1))) == "STREAM_CAPTURE_IMPLICIT"
    assert end_fails(blocking) == "STREAM_CAPTURE_INVALIDATED"
    ok(d.cuStreamDestroy(blocking))


def test_a_launch_that_is_refused_records_no_event(memory: Any) -> None:
    blocking = ok(d.cuStreamCreate(0))
    event = ok(d.cuEventCreate(0))
    graph = ok(d.cuGraphCreate(0))
    ok(d.cuGraphAddEventRecordNode(graph, [], 0, event))
    made = ok(d.cuGraphInstantiate(graph, 0))
    begin(blocking)
    assert code(d.cuGraphLaunch(made, d.CUstream(1))) == "STREAM_CAPTURE_IMPLICIT"
    assert end_fails(blocking) == "STREAM_CAPTURE_INVALIDATED"
    ok(d.cuEventQuery(event))
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))
    ok(d.cuEventDestroy(event))
    ok(d.cuStreamDestroy(blocking))


def test_another_thread_may_not_end_it(stream: Any) -> None:
    begin(stream, "THREAD_LOCAL")
    said: list[str] = []
    context = ok(d.cuCtxGetCurrent())

    def elsewhere() -> None:
        d.cuCtxSetCurrent(context)
        said.append(code(d.cuStreamEndCapture(stream)))
        said.append(code(d.cuMemAlloc(4)))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert said == ["STREAM_CAPTURE_WRONG_THREAD", "CUDA_SUCCESS"]
    # It is over nevertheless, as recorded on an H200.
    assert code(d.cuStreamEndCapture(stream)) == "ILLEGAL_STATE"


def test_a_stream_is_destroyed_while_it_is_captured(memory: Any) -> None:
    gone = ok(d.cuStreamCreate(d.CUstream_flags.CU_STREAM_NON_BLOCKING))
    begin(gone)
    if cuox.Device(0).is_soft:
        ok(d.cuStreamDestroy(gone))
    else:
        ok(d.cuGraphDestroy(ok(d.cuStreamEndCapture(gone))))
        ok(d.cuStreamDestroy(gone))
    ok(d.cuMemFree(ok(d.cuMemAlloc(4))))


def test_memory_of_a_capture(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    begin(stream, "RELAXED")
    inside = ok(d.cuMemAllocAsync(4 * N, stream))
    ok(d.cuMemsetD32Async(inside, 20, N, stream))
    launch(kernels["add"], stream, inside, 1)
    ok(d.cuMemcpyDtoDAsync(memory, inside, 4 * N, stream))
    ok(d.cuMemFreeAsync(inside, stream))
    graph = ok(d.cuStreamEndCapture(stream))
    made = run(graph, stream, 3)
    assert values(memory) == {21}
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))


def test_events_of_graphs(kernels: dict[str, Any], stream: Any, memory: Any) -> None:
    start, stop = (ok(d.cuEventCreate(0)) for _ in range(2))
    graph = ok(d.cuGraphCreate(0))
    a = ok(d.cuGraphAddEventRecordNode(graph, [], 0, start))
    b = add_kernel(graph, [a], kernels["add"], memory, 1)
    ok(d.cuGraphAddEventRecordNode(graph, [b], 1, stop))
    made = ok(d.cuGraphInstantiate(graph, 0))
    ok(d.cuGraphLaunch(made, stream))
    ok(d.cuEventSynchronize(stop))
    assert ok(d.cuEventElapsedTime(start, stop)) >= 0
    assert int(ok(d.cuGraphEventRecordNodeGetEvent(a))) == int(start)
    ok(d.cuStreamSynchronize(stream))
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))


def test_host_functions_and_user_objects(stream: Any) -> None:
    seen: list[str] = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    call, gone = function(lambda _: seen.append("call")), function(lambda _: seen.append("gone"))
    graph = ok(d.cuGraphCreate(0))
    params = d.CUDA_HOST_NODE_PARAMS()
    params.fn = ctypes.cast(call, ctypes.c_void_p).value
    ok(d.cuGraphAddHostNode(graph, [], 0, params))
    thing = ok(d.cuUserObjectCreate(0, ctypes.cast(gone, ctypes.c_void_p).value, 1, 1))
    ok(d.cuGraphRetainUserObject(graph, thing, 1, 1))
    made = run(graph, stream, 2)
    assert seen == ["call", "call"]
    ok(d.cuGraphDestroy(graph))
    ok(d.cuGraphExecDestroy(made))
    if cuox.Device(0).is_soft:
        assert code(d.cuUserObjectRetain(thing, 1)) == "INVALID_VALUE"
    for _ in range(200):
        if seen[2:] == ["gone"]:
            break
        threading.Event().wait(0.01)
    assert seen[2:] == ["gone"]


def test_launches_of_an_executable_graph_run_one_after_the_other(kernels: dict[str, Any]) -> None:
    streams = [ok(d.cuStreamCreate(1)) for _ in range(3)]
    running: list[int] = []
    most: list[int] = []

    def work(_: object) -> None:
        running.append(1)
        most.append(len(running))
        threading.Event().wait(0.02)
        running.pop()

    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(work)
    graph = ok(d.cuGraphCreate(0))
    params = d.CUDA_HOST_NODE_PARAMS()
    params.fn = ctypes.cast(call, ctypes.c_void_p).value
    ok(d.cuGraphAddHostNode(graph, [], 0, params))
    made = ok(d.cuGraphInstantiate(graph, 0))
    for _ in range(3):
        for stream in streams:
            ok(d.cuGraphLaunch(made, stream))
    for stream in streams:
        ok(d.cuStreamSynchronize(stream))
        ok(d.cuStreamDestroy(stream))
    assert most == [1] * 9
    ok(d.cuGraphExecDestroy(made))
    ok(d.cuGraphDestroy(graph))


class Objects:
    """User objects by number, and those that are gone."""

    def __init__(self) -> None:
        self.gone: list[int] = []
        self.function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.gone.append)

    def graph_with(self, number: int) -> Any:
        """A graph that owns a new object."""
        graph = ok(d.cuGraphCreate(0))
        ok(d.cuGraphAddEmptyNode(graph, [], 0))
        thing = ok(d.cuUserObjectCreate(number, ctypes.cast(self.function, ctypes.c_void_p).value, 1, 1))
        ok(d.cuGraphRetainUserObject(graph, thing, 1, 1))
        return graph

    def wait(self, *numbers: int) -> None:
        """Until these are gone, which a driver may do on a thread of its own."""
        for _ in range(500):
            if len(self.gone) >= len(numbers):
                break
            threading.Event().wait(0.01)
        assert self.gone == list(numbers)


def test_an_update_takes_the_new_graphs_user_objects(stream: Any) -> None:
    objects = Objects()
    old, new = objects.graph_with(1), objects.graph_with(2)
    made = ok(d.cuGraphInstantiate(old, 0))
    ok(d.cuGraphExecUpdate(made, new))
    assert objects.gone == []
    ok(d.cuGraphDestroy(new))
    # The graph is the last that has the first one: the executable graph has let go of it.
    ok(d.cuGraphDestroy(old))
    objects.wait(1)
    ok(d.cuGraphLaunch(made, stream))
    ok(d.cuStreamSynchronize(stream))
    assert objects.gone == [1]
    ok(d.cuGraphExecDestroy(made))
    objects.wait(1, 2)


def test_an_executable_graph_keeps_user_objects_of_graphs_inside(stream: Any) -> None:
    objects = Objects()
    inner, outer = objects.graph_with(1), ok(d.cuGraphCreate(0))
    ok(d.cuGraphAddChildGraphNode(outer, [], 0, inner))
    made = ok(d.cuGraphInstantiate(outer, 0))
    ok(d.cuGraphDestroy(inner))
    ok(d.cuGraphDestroy(outer))
    ok(d.cuGraphLaunch(made, stream))
    ok(d.cuStreamSynchronize(stream))
    assert objects.gone == []
    ok(d.cuGraphExecDestroy(made))
    objects.wait(1)


def test_a_graph_that_was_to_be_inside_of_a_refused_node_goes(stream: Any) -> None:
    objects, outer = Objects(), ok(d.cuGraphCreate(0))
    before = ok(d.cuGraphAddEmptyNode(outer, [], 0))
    first, second = objects.graph_with(1), objects.graph_with(2)
    assert code(d.cuGraphAddChildGraphNode(outer, [before, before], 2, first)) == "INVALID_VALUE"
    ok(d.cuGraphDestroy(first))
    objects.wait(1)
    params = d.CUgraphNodeParams()
    params.type, params.graph.graph = d.CUgraphNodeType.CU_GRAPH_NODE_TYPE_GRAPH, second
    assert code(d.cuGraphNodeSetParams(before, params)) == "INVALID_VALUE"
    if cuox.Device(0).is_soft:
        node, third = ok(d.cuGraphAddChildGraphNode(outer, [], 0, second)), objects.graph_with(3)
        params.graph.graph = third
        ok(d.cuGraphNodeSetParams(node, params))
        ok(d.cuGraphDestroy(third))
    ok(d.cuGraphDestroy(second))
    # The node has had a copy of the second one, and has one of the third one.
    objects.wait(1, 2)
    ok(d.cuGraphDestroy(outer))
    objects.wait(*((1, 2, 3) if cuox.Device(0).is_soft else (1, 2)))


def test_a_launch_keeps_user_objects_until_it_ends(stream: Any) -> None:
    objects, started, go = Objects(), threading.Event(), threading.Event()

    def hold(_: object) -> None:
        started.set()
        go.wait(30)

    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(hold)
    graph = objects.graph_with(1)
    params = d.CUDA_HOST_NODE_PARAMS()
    params.fn = ctypes.cast(call, ctypes.c_void_p).value
    ok(d.cuGraphAddHostNode(graph, [], 0, params))
    made = ok(d.cuGraphInstantiate(graph, 0))
    ok(d.cuGraphDestroy(graph))
    ok(d.cuGraphLaunch(made, stream))
    assert started.wait(30)
    ok(d.cuGraphExecDestroy(made))
    assert objects.gone == []
    go.set()
    ok(d.cuStreamSynchronize(stream))
    objects.wait(1)


def test_wrong_handles(stream: Any) -> None:
    bad = ("INVALID_VALUE", "INVALID_HANDLE")
    assert code(d.cuGraphLaunch(d.CUgraphExec(0), stream)) in bad
    assert code(d.cuGraphAddEmptyNode(d.CUgraph(0), [], 0)) in bad
    if cuox.Device(0).is_soft:
        for wrong in (8, 0x1D00001000000000):
            assert code(d.cuGraphDestroy(d.CUgraph(wrong))) in bad
            assert code(d.cuGraphDestroyNode(d.CUgraphNode(wrong))) in bad
            assert code(d.cuGraphExecDestroy(d.CUgraphExec(wrong))) in bad
            assert code(d.cuGraphLaunch(d.CUgraphExec(wrong), stream)) in bad
