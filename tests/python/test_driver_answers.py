"""Answers of the driver that manuals do not give: recorded on an H100 (driver 580.159), and the same here."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cuox
import pytest
from cuox.cuda.bindings import driver

Code = driver.CUresult
SOURCE = 'extern "C" __global__ void empty() {}\nextern "C" __global__ void two(int *x, int n) {}'


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == Code.CUDA_SUCCESS, result
    return result[1] if len(result) == 2 else result[1:]


@pytest.fixture
def context(device: cuox.Device) -> Iterator[Any]:
    checked(driver.cuInit(0))
    primary = checked(driver.cuDevicePrimaryCtxRetain(0))
    checked(driver.cuCtxSetCurrent(primary))
    yield primary
    checked(driver.cuCtxSetCurrent(primary))
    checked(driver.cuDevicePrimaryCtxRelease(0))


@pytest.fixture
def code(context: Any) -> bytes:
    return bytes(cuox.Program(SOURCE).compile("ptx").code)


def memory_graph() -> tuple[Any, Any, Any]:
    """A graph that allocates memory and frees it, and its two nodes."""
    graph = checked(driver.cuGraphCreate(0))
    wanted = driver.CUDA_MEM_ALLOC_NODE_PARAMS()
    wanted.poolProps.allocType = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    wanted.poolProps.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    wanted.bytesize = 1 << 20
    allocation = checked(driver.cuGraphAddMemAllocNode(graph, [], 0, wanted))
    return graph, allocation, checked(driver.cuGraphAddMemFreeNode(graph, [allocation], 1, wanted.dptr))


def test_no_bytes_in_a_streams_order_are_no_memory(context: Any) -> None:
    assert int(checked(driver.cuMemAllocAsync(0, 0))) == 0
    assert driver.cuMemAlloc(0)[0] == Code.CUDA_ERROR_INVALID_VALUE


def test_what_is_freed_needs_no_current_context(context: Any) -> None:
    shape = driver.CUDA_ARRAY_DESCRIPTOR()
    shape.Width, shape.Height, shape.NumChannels = 16, 0, 1
    shape.Format = driver.CUarray_format.CU_AD_FORMAT_FLOAT
    array = checked(driver.cuArrayCreate(shape))
    managed = checked(driver.cuMemAllocManaged(64, driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL.value))
    memory, host = checked(driver.cuMemAlloc(64)), checked(driver.cuMemHostAlloc(64, 0))

    def free_all() -> None:
        assert driver.cuMemsetD8(memory, 0, 64)[0] == Code.CUDA_ERROR_INVALID_CONTEXT
        for free, one in (
            (driver.cuMemFree, managed),
            (driver.cuMemFree, memory),
            (driver.cuMemFreeHost, host),
            (driver.cuArrayDestroy, array),
        ):
            assert free(one)[0] == Code.CUDA_SUCCESS, free
        assert driver.cuMemFree(memory)[0] != Code.CUDA_SUCCESS

    # A new thread has no current context.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(free_all).result()


def test_copies_in_three_dimensions_need_no_contexts_of_their_memory(context: Any) -> None:
    source, target = (checked(driver.cuMemAlloc(64)) for _ in range(2))
    checked(driver.cuMemsetD8(source, 7, 64))
    copy = driver.CUDA_MEMCPY3D_PEER()
    copy.srcMemoryType = copy.dstMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_DEVICE
    copy.srcDevice, copy.dstDevice = source, target
    copy.srcPitch = copy.dstPitch = copy.WidthInBytes = 12
    copy.srcHeight = copy.dstHeight = copy.Height = 3
    copy.Depth = 1
    assert driver.cuMemcpy3DPeer(copy)[0] == Code.CUDA_SUCCESS
    copy.srcContext = context
    assert driver.cuMemcpy3DPeerAsync(copy, 0)[0] == Code.CUDA_SUCCESS
    found = bytearray(36)
    checked(driver.cuMemcpyDtoH(found, target, 36))
    assert found == bytes([7]) * 36
    for one in (source, target):
        checked(driver.cuMemFree(one))


def test_dynamic_shared_memory_that_is_available_is_what_the_function_may_have(code: bytes) -> None:
    module = checked(driver.cuModuleLoadData(code))
    function = checked(driver.cuModuleGetFunction(module, b"empty"))
    assert checked(driver.cuOccupancyAvailableDynamicSMemPerBlock(function, 2, 64)) == 48 << 10
    checked(driver.cuModuleUnload(module))


def test_parameters_of_a_librarys_kernel_need_a_context(code: bytes) -> None:
    library = checked(driver.cuLibraryLoadData(code, [], [], 0, [], [], 0))
    kernel = checked(driver.cuLibraryGetKernel(library, b"two"))
    assert checked(driver.cuKernelGetParamInfo(kernel, 1)) == (8, 4)
    codes = []
    # A thread of its own has none.
    thread = threading.Thread(target=lambda: codes.append(driver.cuKernelGetParamInfo(kernel, 1)[0]))
    thread.start()
    thread.join()
    assert codes == [Code.CUDA_ERROR_INVALID_CONTEXT]
    checked(driver.cuLibraryUnload(library))


def test_what_is_not_done_with_graphs_that_allocate(context: Any) -> None:
    graph, allocation, free = memory_graph()
    outer = checked(driver.cuGraphCreate(0))
    assert driver.cuGraphClone(graph)[0] == Code.CUDA_ERROR_NOT_SUPPORTED
    assert driver.cuGraphDestroyNode(free)[0] == Code.CUDA_ERROR_NOT_SUPPORTED
    removed = driver.cuGraphRemoveDependencies(graph, [allocation], [free], [driver.CUgraphEdgeData()], 1)
    assert removed[0] == Code.CUDA_ERROR_NOT_SUPPORTED
    assert driver.cuGraphAddChildGraphNode(outer, [], 0, graph)[0] == Code.CUDA_ERROR_NOT_SUPPORTED
    first = checked(driver.cuGraphInstantiate(graph, 0))
    assert driver.cuGraphInstantiate(graph, 0)[0] == Code.CUDA_ERROR_NOT_SUPPORTED
    checked(driver.cuGraphLaunch(first, 0))
    checked(driver.cuCtxSynchronize())
    checked(driver.cuGraphExecDestroy(first))
    checked(driver.cuGraphExecDestroy(checked(driver.cuGraphInstantiate(graph, 0))))
    checked(driver.cuGraphDestroy(graph))
    checked(driver.cuGraphDestroy(outer))


def test_cache_that_is_set_aside(device: cuox.Device, context: Any) -> None:
    attributes, limits = driver.CUdevice_attribute, driver.CUlimit
    if device.is_soft:
        most = checked(driver.cuDeviceGetAttribute(attributes.CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0))
        window = checked(driver.cuDeviceGetAttribute(attributes.CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, 0))
        assert (most, window) == (32_768_000, 128 << 20)
    if device.is_soft or "H100" in device.name:
        checked(driver.cuCtxSetLimit(limits.CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1 << 20))
        assert checked(driver.cuCtxGetLimit(limits.CU_LIMIT_PERSISTING_L2_CACHE_SIZE)) == 3_276_800


def test_a_streams_window_can_be_read_back(context: Any) -> None:
    stream = checked(driver.cuStreamCreate(1))
    memory = checked(driver.cuMemAlloc(4096))
    name = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
    value = driver.CUlaunchAttributeValue()
    value.accessPolicyWindow.base_ptr = int(memory)
    value.accessPolicyWindow.num_bytes = 4096
    value.accessPolicyWindow.hitRatio = 0.5
    value.accessPolicyWindow.hitProp = driver.CUaccessProperty.CU_ACCESS_PROPERTY_PERSISTING
    checked((*driver.cuStreamSetAttribute(stream, name, value), None))
    got = checked(driver.cuStreamGetAttribute(stream, name)).accessPolicyWindow
    assert (int(got.base_ptr), got.num_bytes, got.hitRatio) == (int(memory), 4096, 0.5)
    checked((*driver.cuStreamDestroy(stream), None))
    checked((*driver.cuMemFree(memory), None))
