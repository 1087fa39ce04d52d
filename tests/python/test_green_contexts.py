"""Green contexts: contexts with a part of a device's multiprocessors, of the driver and of `cuda.core`."""

from __future__ import annotations

import gc
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import driver
from cuox.cuda.core import ContextOptions, SMResourceOptions, WorkqueueResource, WorkqueueResourceOptions

OK = driver.CUresult.CUDA_SUCCESS
INVALID_VALUE = driver.CUresult.CUDA_ERROR_INVALID_VALUE
INVALID_HANDLE = driver.CUresult.CUDA_ERROR_INVALID_HANDLE
WRONG_TYPE = driver.CUresult.CUDA_ERROR_INVALID_RESOURCE_TYPE
WRONG_CONFIGURATION = driver.CUresult.CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION
DESTROYED = driver.CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED
SM = driver.CUdevResourceType.CU_DEV_RESOURCE_TYPE_SM
DEFAULT_STREAM = driver.CUgreenCtxCreate_flags.CU_GREEN_CTX_DEFAULT_STREAM
NON_BLOCKING = int(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
KERNELS = r"""
extern "C" __global__ void where(unsigned *seen) {
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    if (threadIdx.x == 0) seen[blockIdx.x] = number;
    long long begin = clock64();
    while (clock64() - begin < 20000) { }
}
extern "C" __global__ void slow(int *to, long long turns, int value) {
    volatile int *there = to;
    for (long long turn = 0; turn < turns; turn++) there[0] = there[0] + 1;
    there[1] = value;
}
extern "C" __global__ void copy(int *to, const int *from) { *to = *from; }
"""


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == OK, result
    values = result[1:]
    return values[0] if len(values) == 1 else values


@pytest.fixture(scope="module")
def code(device: cuox.Device) -> cuox.ObjectCode:
    return cuox.Program(KERNELS, code_type="c++").compile("ptx")


@pytest.fixture(autouse=True)
def context(device: cuox.Device) -> Iterator[None]:
    device.set_current()
    yield
    device.set_current()


def all_of_device() -> Any:
    return checked(driver.cuDeviceGetDevResource(0, SM))


def halves() -> tuple[Any, Any]:
    """Two parts of the device."""
    whole = all_of_device()
    size = max(whole.sm.smCount // 2 // 8 * 8, whole.sm.minSmPartitionSize)
    parts, count, _left = checked(driver.cuDevSmResourceSplitByCount(2, whole, 0, size))
    if count < 2:
        pytest.skip("the device has too few multiprocessors")
    return parts[0], parts[1]


def created(*parts: Any) -> Any:
    description = checked(driver.cuDevResourceGenerateDesc(list(parts), len(parts)))
    return checked(driver.cuGreenCtxCreate(description, 0, DEFAULT_STREAM))


@pytest.fixture
def green() -> Iterator[Any]:
    made = created(halves()[0])
    yield made
    driver.cuGreenCtxDestroy(made)


def test_the_resource_of_a_device(device: cuox.Device) -> None:
    whole = all_of_device()
    assert whole.type == SM and whole.sm.smCount == device.properties.multiprocessor_count
    primary = checked(driver.cuDevicePrimaryCtxRetain(0))
    assert checked(driver.cuCtxGetDevResource(primary, SM)).sm.smCount == whole.sm.smCount
    checked(driver.cuDevicePrimaryCtxRelease(0))
    if device.compute_capability[0] >= 9:
        assert (whole.sm.minSmPartitionSize, whole.sm.smCoscheduledAlignment) == (8, 8)


def test_parts_are_rounded_up(device: cuox.Device) -> None:
    whole = all_of_device()
    least, total = whole.sm.minSmPartitionSize, whole.sm.smCount
    parts, count, left = checked(driver.cuDevSmResourceSplitByCount(1, whole, 0, 1))
    assert (count, parts[0].sm.smCount) == (1, least) and left.sm.smCount == total - least
    # Of parts the driver does not say how they can be split.
    assert (parts[0].sm.minSmPartitionSize, parts[0].sm.smCoscheduledAlignment) == (0, 0)
    # More groups than there can be. Those of a GPU do not lie in several clusters of its multiprocessors: fewer may be
    # possible.
    parts, count, left = checked(driver.cuDevSmResourceSplitByCount(1000, whole, 0, least))
    assert total // least >= count > total // least // 2 and left.sm.smCount == total - count * least
    assert all(part.sm.smCount == least for part in parts[:count])
    code, inner, *_ = driver.cuDevSmResourceSplitByCount(1, parts[0], 0, least)
    # An H200's driver splits no parts.
    assert code == WRONG_CONFIGURATION if not device.is_soft else inner[0].sm.smCount == least


def test_parts_that_cannot_be() -> None:
    whole = all_of_device()
    too_many = driver.cuDevSmResourceSplitByCount(1, whole, 0, whole.sm.smCount + 1)
    assert too_many[0] == WRONG_CONFIGURATION
    nothing = driver.CUdevResource()
    assert driver.cuDevSmResourceSplitByCount(1, nothing, 0, 8)[0] == WRONG_TYPE
    assert driver.cuDevResourceGenerateDesc([nothing], 1)[0] == WRONG_TYPE
    assert driver.cuDevResourceGenerateDesc([whole, nothing], 2)[0] == WRONG_TYPE
    invalid = driver.CUdevResourceType.CU_DEV_RESOURCE_TYPE_INVALID
    assert driver.cuDeviceGetDevResource(0, invalid)[0] == WRONG_TYPE


@pytest.mark.parametrize("flags", [2, 4, 1 << 20])
def test_flags_without_meaning(flags: int) -> None:
    # The header has the second bit alone of these.
    whole = all_of_device()
    least = whole.sm.minSmPartitionSize
    parts, count, left = checked(driver.cuDevSmResourceSplitByCount(1, whole, flags, least))
    assert (count, parts[0].sm.smCount, left.sm.smCount) == (1, least, whole.sm.smCount - least)


def test_groups_that_are_not_scheduled_together() -> None:
    whole = all_of_device()
    parts, count, left = checked(driver.cuDevSmResourceSplitByCount(1000, whole, 1, 2))
    assert count == whole.sm.smCount // 2 and {part.sm.smCount for part in parts[:count]} == {2}
    assert left.sm.smCount == whole.sm.smCount % 2


def test_parts_go_together() -> None:
    first, second = halves()
    whole = created(first, second)
    count = checked(driver.cuGreenCtxGetDevResource(whole, SM)).sm.smCount
    assert count == first.sm.smCount + second.sm.smCount
    checked(driver.cuGreenCtxDestroy(whole))
    # They may overlap.
    for parts in ([first, first], [first, all_of_device()]):
        checked(driver.cuDevResourceGenerateDesc(parts, 2))


def test_a_green_context_and_its_handles(green: Any) -> None:
    part = halves()[0]
    assert checked(driver.cuGreenCtxGetDevResource(green, SM)).sm.smCount == part.sm.smCount
    context = checked(driver.cuCtxFromGreenCtx(green))
    assert checked(driver.cuCtxGetDevResource(context, SM)).sm.smCount == part.sm.smCount
    primary = checked(driver.cuDevicePrimaryCtxRetain(0))
    assert int(context) != int(primary) and int(checked(driver.cuCtxFromGreenCtx(green))) == int(context)
    ids = {checked(driver.cuCtxGetId(one)) for one in (primary, context)}
    assert len(ids) == 2 and checked(driver.cuGreenCtxGetId(green)) in ids
    checked(driver.cuCtxPushCurrent(context))
    assert int(checked(driver.cuCtxGetCurrent())) == int(context)
    assert int(checked(driver.cuCtxGetDevice())) == 0
    # A stream that is made now is the green context's, and memory is the primary context's.
    stream = checked(driver.cuStreamCreate(NON_BLOCKING))
    assert int(checked(driver.cuStreamGetGreenCtx(stream))) == int(green)
    at = checked(driver.cuMemAlloc(64))
    checked(driver.cuCtxSynchronize())
    checked(driver.cuCtxPopCurrent())
    checked(driver.cuMemsetD8(at, 1, 64))
    checked(driver.cuMemFree(at))
    checked(driver.cuStreamDestroy(stream))
    checked(driver.cuDevicePrimaryCtxRelease(0))


def test_streams_know_their_green_context(green: Any) -> None:
    stream = checked(driver.cuGreenCtxStreamCreate(green, NON_BLOCKING, 0))
    assert int(checked(driver.cuStreamGetGreenCtx(stream))) == int(green)
    assert int(checked(driver.cuStreamGetCtx(stream))) == int(checked(driver.cuCtxFromGreenCtx(green)))
    plain = checked(driver.cuStreamCreate(0))
    assert int(checked(driver.cuStreamGetGreenCtx(plain)) or 0) == 0
    assert driver.cuGreenCtxStreamCreate(green, 0, 0)[0] == INVALID_VALUE
    for one in (stream, plain):
        checked(driver.cuStreamDestroy(one))


def test_wrong_handles_and_flags(green: Any) -> None:
    description = checked(driver.cuDevResourceGenerateDesc([halves()[0]], 1))
    assert driver.cuGreenCtxCreate(description, 0, 0)[0] == INVALID_VALUE
    assert driver.cuGreenCtxCreate(description, 1000, DEFAULT_STREAM)[0] == driver.CUresult.CUDA_ERROR_INVALID_DEVICE


@pytest.mark.skipif(os.environ.get("CUOX_DEVICE") == "gpu", reason="a GPU's driver follows such handles")
def test_handles_that_are_none(green: Any) -> None:
    stale = created(halves()[0])
    checked(driver.cuGreenCtxDestroy(stale))
    event = checked(driver.cuEventCreate(0))
    for wrong in (stale, driver.CUgreenCtx(0x1230)):
        assert driver.cuGreenCtxDestroy(wrong)[0] == INVALID_HANDLE
        assert driver.cuCtxFromGreenCtx(wrong)[0] == INVALID_HANDLE
        assert driver.cuGreenCtxRecordEvent(wrong, event)[0] == INVALID_HANDLE
        assert driver.cuGreenCtxStreamCreate(wrong, NON_BLOCKING, 0)[0] == INVALID_HANDLE
    assert driver.cuGreenCtxCreate(driver.CUdevResourceDesc(0x7), 0, DEFAULT_STREAM)[0] == INVALID_VALUE
    assert driver.cuGreenCtxCreate(driver.CUdevResourceDesc(1 << 40), 0, DEFAULT_STREAM)[0] == INVALID_VALUE
    checked(driver.cuEventDestroy(event))


def test_streams_of_a_destroyed_green_context() -> None:
    gone = created(halves()[0])
    stream = checked(driver.cuGreenCtxStreamCreate(gone, NON_BLOCKING, 0))
    checked(driver.cuGreenCtxDestroy(gone))
    assert driver.cuStreamSynchronize(stream)[0] == DESTROYED
    assert driver.cuStreamDestroy(stream)[0] == DESTROYED


def split(device: cuox.Device, groups: int = 2) -> list[Any]:
    resource = device.resources.sm
    size = max(resource.sm_count // groups // 8 * 8, resource.min_partition_size)
    if size * groups > resource.sm_count:
        pytest.skip("the device has too few multiprocessors")
    made, left = resource.split(SMResourceOptions(count=[size] * groups))
    assert sum(one.sm_count for one in made) + left.sm_count == resource.sm_count
    return made


def seen(device: cuox.Device, code: cuox.ObjectCode, stream: cuox.Stream, blocks: int = 400) -> set[int]:
    numbers = device.allocate(4 * blocks, stream=stream)
    code.get_kernel("where")[blocks, 32, stream](numbers)
    found = np.empty(blocks, np.uint32)
    numbers.copy_to_host(found, stream=stream)
    stream.sync()
    numbers.close(stream)
    return set(found.tolist())


def test_kernels_run_on_their_part(device: cuox.Device, code: cuox.ObjectCode) -> None:
    parts = split(device)
    contexts = [device.create_context(ContextOptions(resources=[part])) for part in parts]
    numbers = [seen(device, code, context.create_stream()) for context in contexts]
    for part, found in zip(parts, numbers, strict=True):
        assert 0 < len(found) <= part.sm_count
    assert not numbers[0] & numbers[1]
    for context in contexts:
        context.close()


def test_a_default_stream_is_of_the_current_context(device: cuox.Device, code: cuox.ObjectCode) -> None:
    first, second = (device.create_context({"resources": [part]}) for part in split(device))
    numbers = {}
    for context in (first, second):
        before = device.set_current(context)
        assert device.context is context and device.default_stream.context is context
        numbers[context] = seen(device, code, device.default_stream)
        assert device.set_current(before) is context
    assert not numbers[first] & numbers[second]
    assert not device.context.is_green and not device.default_stream.context.is_green
    first.close()
    second.close()


def test_share_of_the_workers(run_script: Callable[..., subprocess.CompletedProcess[str]], device: cuox.Device) -> None:
    if not device.is_soft:
        pytest.skip("of the software GPU")
    script = r"""
        import cuox, numpy as np
        source = '''
        extern "C" __global__ void together(int *now, int *most) {
            int others = atomicAdd(now, 1) + 1;
            atomicMax(most, others);
            long long begin = clock64();
            while (clock64() - begin < 300000) { }
            atomicSub(now, 1);
        }'''
        device = cuox.Device()
        device.set_current()
        kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("together")
        def most(stream):
            counts = device.allocate(8, stream=stream)
            counts.fill(0, stream=stream)
            kernel[200, 1, stream](counts, int(counts.handle) + 4)
            found = np.empty(2, np.int32)
            counts.copy_to_host(found, stream=stream)
            stream.sync()
            return int(found[1])
        parts, _ = device.resources.sm.split(dict(count=8))
        green = device.create_context(dict(resources=parts))
        print(most(device.create_stream()), most(green.create_stream()))
    """
    done = run_script(script, CUOX_SOFT_THREADS="4", CUOX_SOFT_MULTIPROCESSORS="16", CUOX_SOFT_ENGINE="jit")
    assert done.returncode == 0, done.stderr
    whole, part = map(int, done.stdout.split())
    assert part <= 2 and whole <= 4


def test_occupancy_counts_the_part(device: cuox.Device, code: cuox.ObjectCode, green: Any) -> None:
    function = code.get_kernel("where").handle
    whole, block = checked(driver.cuOccupancyMaxPotentialBlockSize(function, None, 0, 0))
    checked(driver.cuCtxPushCurrent(checked(driver.cuCtxFromGreenCtx(green))))
    part, same = checked(driver.cuOccupancyMaxPotentialBlockSize(function, None, 0, 0))
    checked(driver.cuCtxPopCurrent())
    count = checked(driver.cuGreenCtxGetDevResource(green, SM)).sm.smCount
    assert block == same and part * all_of_device().sm.smCount == whole * count


def test_events_of_whole_contexts(device: cuox.Device, code: cuox.ObjectCode, green: Any) -> None:
    slow, copy = code.get_kernel("slow"), code.get_kernel("copy")
    handles = [checked(driver.cuGreenCtxStreamCreate(green, NON_BLOCKING, 0)) for _ in range(2)]
    streams = [cuox.Stream.from_handle(int(handle)) for handle in handles]
    event = checked(driver.cuEventCreate(0))
    at = int(checked(driver.cuMemAlloc(32)))
    checked(driver.cuMemsetD8(at, 0, 32))
    checked(driver.cuCtxSynchronize())
    # Recorded behind the work of both streams.
    slow[1, 1, streams[0]](at, 200_000, 5)
    slow[1, 1, streams[1]](at + 8, 100_000, 6)
    checked(driver.cuGreenCtxRecordEvent(green, event))
    checked(driver.cuEventSynchronize(event))
    found = np.empty(8, np.int32)
    checked(driver.cuMemcpyDtoH(found, at, 32))
    assert found[:4].tolist() == [200_000, 5, 100_000, 6]
    # Waited for by the streams that there are, and by those that are made then.
    other = device.create_stream()
    slow[1, 1, other](at, 200_000, 7)
    checked(driver.cuEventRecord(event, int(other.handle)))
    checked(driver.cuGreenCtxWaitEvent(green, event))
    handles.append(checked(driver.cuGreenCtxStreamCreate(green, NON_BLOCKING, 0)))
    streams.append(cuox.Stream.from_handle(int(handles[-1])))
    for index in (0, 2):
        copy[1, 1, streams[index]](at + 16 + 4 * index, at + 4)
    for stream in streams:
        stream.sync()
    checked(driver.cuMemcpyDtoH(found, at, 32))
    assert found[4] == found[6] == 7
    # The same of the primary context, whose green contexts count.
    primary = checked(driver.cuCtxGetCurrent())
    slow[1, 1, streams[0]](at, 200_000, 8)
    checked(driver.cuCtxRecordEvent(primary, event))
    checked(driver.cuEventSynchronize(event))
    checked(driver.cuMemcpyDtoH(found, at, 32))
    assert found[1] == 8
    checked(driver.cuCtxWaitEvent(primary, event))
    for handle in handles:
        checked(driver.cuStreamDestroy(handle))
    checked(driver.cuEventDestroy(event))
    checked(driver.cuMemFree(at))


def test_a_capture_keeps_the_part(device: cuox.Device, code: cuox.ObjectCode) -> None:
    parts = split(device)
    green = device.create_context(ContextOptions(resources=[parts[1]]))
    stream, blocks = green.create_stream(), 400
    direct = seen(device, code, stream)
    numbers = device.allocate(4 * blocks, stream=stream)
    builder = stream.create_graph_builder().begin_building()
    code.get_kernel("where")[blocks, 32, builder](numbers)
    graph = builder.end_building().complete()
    # Launched in a stream of the whole device.
    other = device.create_stream()
    other.wait(stream)
    graph.launch(other)
    found = np.empty(blocks, np.uint32)
    numbers.copy_to_host(found, stream=other)
    other.sync()
    whole = seen(device, code, device.create_context(ContextOptions(resources=[parts[0]])).create_stream())
    assert not set(found.tolist()) & whole and direct
    numbers.close(other)


def test_objects_of_cuda_core(device: cuox.Device) -> None:
    part = split(device)[0]
    green = device.create_context(ContextOptions(resources=[part]))
    assert green.is_green and green.device is device and green.handle and not green.is_closed
    assert green.resources.sm.sm_count == part.sm_count
    stream = green.create_stream({"priority": -1})
    assert stream.context is green and stream.is_nonblocking and stream.resources.sm.sm_count == part.sm_count
    event = stream.record()
    assert event.context is green and event.context != device.context
    event.sync()
    with pytest.raises(ValueError, match="must be non-blocking"):
        green.create_stream({"nonblocking": False})
    with pytest.raises(RuntimeError, match="only supported on green contexts"):
        device.context.create_stream()
    before = device.set_current(green)
    assert device.create_stream().context is green
    with pytest.raises(RuntimeError, match="while it is current"):
        green.close()
    device.set_current(before)
    green.close()
    assert green.is_closed and green.handle is None
    with pytest.raises(cuox.ClosedError):
        green.create_stream()
    with pytest.raises(cuox.ClosedError):
        _ = green.resources
    # The stream keeps what is below.
    assert stream.context.is_green
    stream.sync()


def test_threads_have_contexts_of_their_own(device: cuox.Device) -> None:
    green = device.create_context(ContextOptions(resources=[split(device)[0]]))
    device.set_current(green)
    found: list[bool] = []

    def work() -> None:
        device.set_current()
        found.append(device.context.is_green)
        device.set_current(green)
        found.append(device.context.is_green)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False, True] and device.context is green
    device.set_current()
    green.close()
    del green
    gc.collect()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"count": -1}, ValueError, "count must be non-negative"),
        ({"count": []}, ValueError, "count must have a number"),
        ({"count": "8"}, TypeError, "count: expected an int, several or None, got str"),
        ({"count": 8, "backfill": [True]}, ValueError, "count is scalar"),
        ({"count": [8, 8], "backfill": [True]}, ValueError, "expected 2"),
        ({"count": [8, 16]}, RuntimeError, "of CUDA 13.1"),
        ({"count": 8, "coscheduled_sm_count": 8}, RuntimeError, "of CUDA 13.1"),
        ({"count": 100_000}, cuox.CUDAError, "INVALID_RESOURCE_CONFIGURATION"),
        (3, TypeError, "options: expected SMResourceOptions or a dict, got int"),
    ],
)
def test_wrong_splits(device: cuox.Device, options: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        device.resources.sm.split(options)


def test_wrong_contexts(device: cuox.Device) -> None:
    groups, _left = device.resources.sm.split(SMResourceOptions(), dry_run=True)
    for options, error, words in [
        (None, ValueError, "resources must be provided"),
        (ContextOptions(resources=[]), ValueError, "resources must be provided"),
        (ContextOptions(resources=groups), ValueError, "dry-run SMResource"),
        (ContextOptions(resources=[3]), TypeError, "expected SMResource objects, got int"),
        (3, TypeError, "expected ContextOptions, a dict or None, got int"),
    ]:
        with pytest.raises(error, match=words):
            device.create_context(options)
    with pytest.raises(RuntimeError, match="CUDA 13.1"):
        _ = device.resources.workqueue
    with pytest.raises(RuntimeError, match="CUDA 13.1"):
        WorkqueueResource()
    with pytest.raises(ValueError, match="concurrency_limit must be >= 1"):
        WorkqueueResourceOptions(concurrency_limit=0)


def test_green_contexts_are_closed_before_a_reset(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    script = """
        import cuox
        device = cuox.Device()
        device.set_current()
        parts, _ = device.resources.sm.split(dict(count=None))
        green = device.create_context(dict(resources=parts))
        stream = green.create_stream()
        try:
            device.reset()
        except cuox.CUDAError as error:
            print(error.code, "green contexts of the device are alive" in str(error))
        # All is as it was.
        green.create_stream().close()
        stream.sync()
        stream.close()
        green.close()
        device.reset()
        device.set_current()
        parts, _ = device.resources.sm.split(dict(count=None))
        again = device.create_context(dict(resources=parts))
        again.create_stream().sync()
        device.set_current(again)
        print(again.is_green)
        # The process ends with it current.
    """
    done = run_script(script)
    assert (done.stdout, done.returncode) == ("800 True\nTrue\n", 0), done.stderr


def test_a_fault_in_a_green_context(
    run_script: Callable[..., subprocess.CompletedProcess[str]], device: cuox.Device
) -> None:
    script = """
        import cuox
        device = cuox.Device()
        device.set_current()
        source = 'extern "C" __global__ void put(int *to) { *to = 1; }'
        kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("put")
        parts, _ = device.resources.sm.split(dict(count=None))
        green = device.create_context(dict(resources=parts))
        stream = green.create_stream()
        kernel[1, 1, stream](16)
        def failed(call):
            try:
                call()
            except cuox.CUDAError as error:
                return error.code
        print(failed(stream.sync), failed(device.sync))
        if device.is_soft:
            print(failed(device.reset))
            stream.close()
            green.close()
            device.reset()
            device.set_current()
            device.sync()
            print(device.context.is_green)
    """
    done = run_script(script)
    expected = "700 700\n" + ("800\nFalse\n" if device.is_soft else "")
    assert done.stdout == expected, (done.stdout, done.stderr)
