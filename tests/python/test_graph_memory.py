"""Memory of graphs: what programs can see of it, as an H100 (driver 580.159) does it. Numbers of bytes are compared on
the software GPU, which has its memory to itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import driver
from cuox.cuda.core import Buffer
from cuox.cuda.core.utils import StridedMemoryView

Code = driver.CUresult
MODE = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
MIB = 1 << 20
SIZE = 64 * MIB
TAIL = 4096


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == Code.CUDA_SUCCESS, result
    return result[1] if len(result) == 2 else result[1:]


@pytest.fixture
def stream(device: cuox.Device) -> Iterator[Any]:
    checked(driver.cuInit(0))
    primary = checked(driver.cuDevicePrimaryCtxRetain(0))
    checked(driver.cuCtxSetCurrent(primary))
    checked(driver.cuDeviceGraphMemTrim(0))
    made = checked(driver.cuStreamCreate(1))
    yield made
    checked(driver.cuStreamDestroy(made))
    checked(driver.cuDeviceGraphMemTrim(0))
    checked(driver.cuDevicePrimaryCtxRelease(0))


def counters() -> list[int]:
    """Bytes that are reserved and used for graphs."""
    names = driver.CUgraphMem_attribute
    current = (names.CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, names.CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT)
    return [int(checked(driver.cuDeviceGetGraphMemAttribute(0, name))) for name in current]


def allocation(graph: Any, after: list[Any], size: int) -> tuple[Any, int]:
    wanted = driver.CUDA_MEM_ALLOC_NODE_PARAMS()
    wanted.poolProps.allocType = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    wanted.poolProps.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    wanted.bytesize = size
    node = checked(driver.cuGraphAddMemAllocNode(graph, after, len(after), wanted))
    return node, int(wanted.dptr)


def filling(stream: Any, size: int, *, free: bool = True) -> tuple[Any, Any, int]:
    """A graph that allocates memory, fills its end and frees it, as an executable one, and the address."""
    checked(driver.cuStreamBeginCapture(stream, MODE))
    at = checked(driver.cuMemAllocAsync(size, stream))
    checked(driver.cuMemsetD8Async(int(at) + size - TAIL, 7, TAIL, stream))
    if free:
        checked(driver.cuMemFreeAsync(at, stream))
    graph = checked(driver.cuStreamEndCapture(stream))
    return graph, checked(driver.cuGraphInstantiate(graph, 0)), int(at)


def run(executable: Any, stream: Any) -> None:
    checked(driver.cuGraphLaunch(executable, stream))
    checked(driver.cuStreamSynchronize(stream))


def destroy(graph: Any, executable: Any) -> None:
    checked(driver.cuGraphExecDestroy(executable))
    checked(driver.cuGraphDestroy(graph))


def test_an_allocation_behind_a_free_takes_its_address(stream: Any) -> None:
    checked(driver.cuStreamBeginCapture(stream, MODE))
    addresses = []
    for _ in range(3):
        addresses.append(int(checked(driver.cuMemAllocAsync(SIZE, stream))))
        checked(driver.cuMemsetD8Async(addresses[-1], 1, TAIL, stream))
        checked(driver.cuMemFreeAsync(addresses[-1], stream))
    graph = checked(driver.cuStreamEndCapture(stream))
    assert len(set(addresses)) == 1
    executable = checked(driver.cuGraphInstantiate(graph, 0))
    run(executable, stream)
    if cuox.Device().is_soft:
        assert counters() == [SIZE, SIZE]
    destroy(graph, executable)


def test_an_address_is_not_taken_while_it_may_be_used(stream: Any) -> None:
    graph = checked(driver.cuGraphCreate(0))
    first, one = allocation(graph, [], SIZE)
    freed = checked(driver.cuGraphAddMemFreeNode(graph, [first], 1, one))
    # Beside the free, behind the allocation alone, and behind the free, but larger.
    assert allocation(graph, [], SIZE)[1] != one
    assert allocation(graph, [first], SIZE)[1] != one
    assert allocation(graph, [freed], SIZE + 1)[1] != one
    behind, again = allocation(graph, [freed], SIZE)
    assert again == one
    # It is that allocation's until it is freed.
    assert allocation(graph, [behind], SIZE)[1] != one
    checked(driver.cuGraphDestroy(graph))


def test_graphs_that_run_one_after_the_other_share_memory(stream: Any) -> None:
    made = [filling(stream, SIZE) for _ in range(4)]
    if cuox.Device().is_soft:
        assert counters() == [0, 0]
    for _ in range(2):
        for _, executable, _ in made:
            checked(driver.cuGraphLaunch(executable, stream))
    checked(driver.cuStreamSynchronize(stream))
    if cuox.Device().is_soft:
        assert counters() == [SIZE, SIZE]
    checked(driver.cuDeviceGraphMemTrim(0))
    if cuox.Device().is_soft:
        assert counters() == [0, 0]
    # What was trimmed comes back.
    run(made[0][1], stream)
    for graph, executable, _ in made:
        destroy(graph, executable)


def test_memory_stays_with_graphs_until_it_is_trimmed(stream: Any) -> None:
    graph, executable, at = filling(stream, 32 * MIB, free=False)
    before = checked(driver.cuMemGetInfo())[0]
    soft = cuox.Device().is_soft

    def check(size: int) -> None:
        if soft:
            assert counters() == [size, size]
            assert before - checked(driver.cuMemGetInfo())[0] == size

    check(0)
    run(executable, stream)
    check(32 * MIB)
    checked(driver.cuGraphExecDestroy(executable))
    check(32 * MIB)
    checked(driver.cuGraphDestroy(graph))
    check(32 * MIB)
    # A trim takes nothing from the program.
    checked(driver.cuDeviceGraphMemTrim(0))
    check(32 * MIB)
    back = bytearray(16)
    checked(driver.cuMemcpyDtoH(back, at + 32 * MIB - 16, 16))
    assert bytes(back) == b"\7" * 16
    checked(driver.cuMemFree(at))
    check(32 * MIB)
    checked(driver.cuDeviceGraphMemTrim(0))
    check(0)


def test_memory_that_one_graph_allocates_and_another_frees(stream: Any) -> None:
    graph, executable, at = filling(stream, SIZE, free=False)
    other = checked(driver.cuGraphCreate(0))
    checked(driver.cuGraphAddMemFreeNode(other, [], 0, at))
    free = checked(driver.cuGraphInstantiate(other, 0))
    third = filling(stream, SIZE)
    for _ in range(2):
        run(executable, stream)
        run(third[1], stream)
        if cuox.Device().is_soft:
            assert counters() == [2 * SIZE, 2 * SIZE]
        run(free, stream)
    destroy(other, free)
    checked(driver.cuDeviceGraphMemTrim(0))
    # A free in a stream's order does the same.
    run(executable, stream)
    checked(driver.cuMemFreeAsync(at, stream))
    run(third[1], stream)
    if cuox.Device().is_soft:
        assert counters() == [SIZE, SIZE]
    destroy(*third[:2])
    destroy(graph, executable)


def test_many_graphs_need_no_more_memory_than_the_largest(run_script: Any) -> None:
    script = """
from cuox.cuda.bindings import driver
from test_graph_memory import MIB, checked, filling, run
checked(driver.cuInit(0))
checked(driver.cuCtxSetCurrent(checked(driver.cuDevicePrimaryCtxRetain(0))))
stream = checked(driver.cuStreamCreate(1))
made = [filling(stream, 100 * MIB) for _ in range(8)]
for _, executable, _ in made:
    checked(driver.cuGraphLaunch(executable, stream))
checked(driver.cuStreamSynchronize(stream))
# More than there is: the launch says so, and nothing else is the worse for it.
checked(driver.cuDeviceGraphMemTrim(0))
_, two, _ = filling(stream, 200 * MIB, free=False)
run(two, stream)
said = [driver.cuGraphLaunch(filling(stream, 250 * MIB)[1], stream)[0].name]
checked(driver.cuStreamSynchronize(stream))
checked(driver.cuStreamBeginCapture(stream, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED))
said.append(driver.cuMemAllocAsync(1 << 40, stream)[0].name)
print(said)
"""
    done = run_script(
        script,
        CUOX_SOFT_MEMORY="256MiB",
        CUOX_DEVICE="soft",
        PYTHONPATH=os.pathsep.join([os.path.dirname(__file__), *sys.path]),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['CUDA_ERROR_OUT_OF_MEMORY', 'CUDA_ERROR_OUT_OF_MEMORY']\n"


@pytest.mark.filterwarnings("ignore:device memory of the software GPU")
def test_the_host_sees_no_memory_before_a_launch(device: cuox.Device) -> None:
    if not device.is_soft:
        pytest.skip("a GPU's memory is not the host's")
    stream = device.create_stream()
    builder = device.create_graph_builder().begin_building()
    buffer = device.allocate(64, stream=builder)
    array = cuox.empty(16, "f4", stream=builder)
    view = StridedMemoryView.from_buffer(buffer, (16,), dtype=np.dtype("f4"))
    graph = builder.end_building().complete()
    shown = [buffer, array, view, Buffer.from_handle(int(buffer.handle), 64)]
    for show in shown:
        with pytest.raises(BufferError, match="nothing is there before the graph has been launched"):
            np.from_dlpack(show)
    graph.launch(stream)
    stream.sync()
    for show in shown:
        seen = np.from_dlpack(show)
        seen[:] = 7
        assert (seen == 7).all()


@pytest.mark.parametrize("frees", ["at once", "in a stream", "by a graph"])
def test_a_graph_is_not_launched_again_before_its_memory_is_freed(stream: Any, frees: str) -> None:
    # As an H200 (driver 580.159) does.
    graph, executable, at = filling(stream, SIZE, free=False)
    refused = Code.CUDA_ERROR_INVALID_VALUE
    for _ in range(2):
        checked(driver.cuGraphLaunch(executable, stream))
        assert driver.cuGraphLaunch(executable, stream)[0] == refused
        checked(driver.cuStreamSynchronize(stream))
        assert driver.cuGraphLaunch(executable, stream)[0] == refused
        if frees == "at once":
            checked(driver.cuMemFree(at))
        elif frees == "in a stream":
            checked(driver.cuMemFreeAsync(at, stream))
        else:
            freeing = checked(driver.cuGraphCreate(0))
            checked(driver.cuGraphAddMemFreeNode(freeing, None, 0, at))
            one = checked(driver.cuGraphInstantiate(freeing, 0))
            checked(driver.cuGraphLaunch(one, stream))
            checked(driver.cuStreamSynchronize(stream))
            destroy(freeing, one)
    checked(driver.cuStreamSynchronize(stream))
    destroy(graph, executable)


def test_a_graph_that_frees_by_itself_is_launched_again(stream: Any) -> None:
    graph, executable, at = filling(stream, SIZE, free=False)
    checked(driver.cuGraphExecDestroy(executable))
    flag = driver.CUgraphInstantiate_flags.CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH
    executable = checked(driver.cuGraphInstantiate(graph, flag))
    for _ in range(3):
        checked(driver.cuGraphLaunch(executable, stream))
    checked(driver.cuMemFreeAsync(at, stream))
    checked(driver.cuStreamSynchronize(stream))
    destroy(graph, executable)
