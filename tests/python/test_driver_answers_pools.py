"""Answers of the driver about pools, batches, conditions and links: recorded on an H200 (driver 580.159), and the same
here."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from typing import Any

import cuox
import pytest
from cuox.cuda.bindings import driver

Code, Place = driver.CUresult, driver.CUmemLocationType
PINNED = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
MANAGED = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_MANAGED
Handles = driver.CUmemAllocationHandleType
DESCRIPTOR = Handles.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
Conditional = driver.CUgraphConditionalNodeType


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == Code.CUDA_SUCCESS, result
    return result[1] if len(result) == 2 else result[1:]


def short(result: tuple[Any, ...]) -> str:
    return result[0].name.removeprefix("CUDA_").removeprefix("ERROR_")


@pytest.fixture
def stream(device: cuox.Device) -> Iterator[Any]:
    device.set_current()
    made = checked(driver.cuStreamCreate(1))
    yield made
    checked(driver.cuStreamSynchronize(made))
    checked(driver.cuStreamDestroy(made))


def location(place: str, number: int = 0) -> driver.CUmemLocation:
    made = driver.CUmemLocation()
    made.type, made.id = Place[f"CU_MEM_LOCATION_TYPE_{place}"], number
    return made


def created(kind: Any, place: str, number: int = 0, handles: Any = Handles.CU_MEM_HANDLE_TYPE_NONE) -> tuple[Any, ...]:
    properties = driver.CUmemPoolProps()
    properties.allocType, properties.location, properties.handleTypes = kind, location(place, number), handles
    return driver.cuMemPoolCreate(properties)


def allocated(pool: Any, stream: Any) -> int:
    at = int(checked(driver.cuMemAllocFromPoolAsync(4096, pool, stream)))
    checked(driver.cuStreamSynchronize(stream))
    return at


def test_places_of_pools(stream: Any) -> None:
    for kind in (PINNED, MANAGED):
        for number in (1 << 20, -1):
            assert short(created(kind, "DEVICE", number)) == "INVALID_VALUE"
            assert short(created(kind, "HOST_NUMA", number)) == "INVALID_VALUE"
            checked(driver.cuMemPoolDestroy(checked(created(kind, "HOST", number))))
        assert short(driver.cuMemGetDefaultMemPool(location("HOST_NUMA_CURRENT"), kind)) == "NOT_SUPPORTED"
    assert short(created(PINNED, "HOST_NUMA_CURRENT")) == "INVALID_VALUE"
    checked(driver.cuMemPoolDestroy(checked(created(MANAGED, "HOST_NUMA_CURRENT"))))


def test_handles_of_pools(stream: Any) -> None:
    for handles in (DESCRIPTOR, Handles.CU_MEM_HANDLE_TYPE_WIN32, Handles.CU_MEM_HANDLE_TYPE_WIN32_KMT):
        assert short(created(PINNED, "HOST", handles=handles)) == "INVALID_VALUE"
        assert short(created(MANAGED, "DEVICE", handles=handles)) == "INVALID_VALUE"
        if handles != DESCRIPTOR:
            assert short(created(PINNED, "DEVICE", handles=handles)) == "INVALID_VALUE"
    with open(os.devnull) as other:
        assert short(driver.cuMemPoolImportFromShareableHandle(other.fileno(), DESCRIPTOR, 0)) == "UNKNOWN"


def test_who_reaches_pools_of_the_hosts(stream: Any) -> None:
    def access(pool: Any, place: str) -> int:
        return int(checked(driver.cuMemPoolGetAccess(pool, location(place))))

    def setting(pool: Any, place: str, flags: int) -> str:
        change = driver.CUmemAccessDesc()
        change.location, change.flags = location(place), driver.CUmemAccess_flags(flags)
        return short(driver.cuMemPoolSetAccess(pool, [change], 1))

    pointer = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_POINTER
    for place in ("HOST", "HOST_NUMA"):
        pool = checked(created(PINNED, place))
        at = allocated(pool, stream)
        assert [access(pool, who) for who in ("HOST", "HOST_NUMA", "DEVICE")] == [3, 3, 0]
        assert [setting(pool, place, flags) for flags in (0, 1, 3)] == ["NOT_SUPPORTED", "NOT_SUPPORTED", "SUCCESS"]
        for _ in range(2):
            assert short(driver.cuPointerGetAttribute(pointer, at)) == "INVALID_VALUE"
            assert short(driver.cuMemsetD8Async(at, 1, 16, stream)) == "INVALID_VALUE"
            checked(driver.cuMemcpyAsync(at, at + 2048, 16, stream))
            for copied in (driver.cuMemcpyDtoD(at, at + 2048, 16), driver.cuMemcpyDtoH(bytearray(16), at, 16)):
                assert short(copied) == "INVALID_VALUE"
            assert [setting(pool, "DEVICE", flags) for flags in (1, 3)] == ["NOT_SUPPORTED", "SUCCESS"]
            assert access(pool, "DEVICE") == 3
            assert int(checked(driver.cuPointerGetAttribute(pointer, at))) == at
            checked(driver.cuMemsetD8Async(at, 1, 16, stream))
            checked(driver.cuStreamSynchronize(stream))
            assert ctypes.string_at(at, 16) == b"\1" * 16
            assert setting(pool, "DEVICE", 0) == "SUCCESS"
        checked(driver.cuMemFreeAsync(at, stream))
        checked(driver.cuMemPoolDestroy(pool))
    pool = checked(created(PINNED, "DEVICE"))
    assert [access(pool, who) for who in ("HOST", "DEVICE")] == [0, 3]
    assert [setting(pool, "HOST", flags) for flags in (0, 1, 3)] == ["NOT_SUPPORTED"] * 3
    assert [setting(pool, "DEVICE", flags) for flags in (0, 1, 3)] == ["INVALID_DEVICE", "NOT_SUPPORTED", "SUCCESS"]
    checked(driver.cuMemPoolDestroy(pool))
    pool = checked(created(MANAGED, "DEVICE"))
    at = allocated(pool, stream)
    assert [access(pool, who) for who in ("HOST", "DEVICE")] == [0, 0]
    assert [setting(pool, "HOST", flags) for flags in (0, 1, 3)] == ["SUCCESS", "NOT_SUPPORTED", "SUCCESS"]
    assert access(pool, "HOST_NUMA") == 3
    checked(driver.cuMemsetD8Async(at, 1, 16, stream))
    synchronous = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
    assert int(checked(driver.cuPointerGetAttribute(synchronous, at))) == 1
    checked(driver.cuMemFreeAsync(at, stream))
    checked(driver.cuMemPoolDestroy(pool))


def test_pools_that_are_imported_where_they_were_made(stream: Any) -> None:
    pools = [checked(created(PINNED, "DEVICE", handles=DESCRIPTOR)) for _ in range(2)]
    numbers = [int(checked(driver.cuMemPoolExportToShareableHandle(pool, DESCRIPTOR, 0))) for pool in pools]
    imported, other = (checked(driver.cuMemPoolImportFromShareableHandle(n, DESCRIPTOR, 0)) for n in numbers)
    for number in numbers:
        os.close(number)
    assert short(driver.cuMemPoolTrimTo(imported, 0)) == "INVALID_VALUE"
    at = allocated(pools[0], stream)
    data = checked(driver.cuMemPoolExportPointer(at))
    assert short(driver.cuMemPoolImportPointer(other, data)) == "INVALID_VALUE"
    assert short(driver.cuMemPoolImportPointer(pools[0], data)) == "INVALID_VALUE"
    mapped = int(checked(driver.cuMemPoolImportPointer(imported, data)))
    assert int(checked(driver.cuMemPoolImportPointer(imported, data))) == mapped != at
    checked(driver.cuMemsetD8Async(mapped, 7, 4096, stream))
    read = bytearray(4096)
    checked(driver.cuStreamSynchronize(stream))
    checked(driver.cuMemcpyDtoH(read, at, 4096))
    assert read == b"\7" * 4096
    # It is mapped once, however often it was imported.
    checked(driver.cuMemFreeAsync(mapped, stream))
    assert short(driver.cuMemFreeAsync(mapped, stream)) == "INVALID_VALUE"
    again = int(checked(driver.cuMemPoolImportPointer(imported, data)))
    checked(driver.cuMemcpyDtoHAsync(read, again, 4096, stream))
    checked(driver.cuStreamSynchronize(stream))
    assert read == b"\7" * 4096
    checked(driver.cuMemFreeAsync(again, stream))
    checked(driver.cuMemFreeAsync(at, stream))
    checked(driver.cuStreamSynchronize(stream))
    for pool in (imported, other, *pools):
        checked(driver.cuMemPoolDestroy(pool))


def test_batches_of_prefetches(stream: Any) -> None:
    at = int(checked(driver.cuMemAllocManaged(4096, 1)))
    host, device = location("HOST"), location("DEVICE")
    for function in (driver.cuMemPrefetchBatchAsync, driver.cuMemDiscardAndPrefetchBatchAsync):

        def batch(places: list[Any], firsts: list[int], function: Callable[..., Any] = function) -> str:
            return short(function([at, at], [4096, 4096], 2, places, firsts, len(places), 0, stream))

        assert batch([device, host], [0, 0]) == "SUCCESS"
        assert batch([device, host], [1, 0]) == batch([device], [1]) == batch([device, host], [0, 2]) == "INVALID_VALUE"
        assert batch([location("DEVICE", 1 << 20)], [0]) == "INVALID_VALUE"
    mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    checked(driver.cuStreamBeginCapture(stream, mode))
    refused = driver.cuMemPrefetchBatchAsync([at], [4096], 1, [host], [0], 1, 0, stream)
    assert short(refused) == "STREAM_CAPTURE_UNSUPPORTED"
    assert short(driver.cuStreamEndCapture(stream)) == "STREAM_CAPTURE_INVALIDATED"
    checked(driver.cuMemFree(at))


def conditional(graph: Any, condition: Any) -> tuple[tuple[Any, ...], driver.CUgraphNodeParams]:
    wanted = driver.CUgraphNodeParams()
    wanted.type = driver.CUgraphNodeType.CU_GRAPH_NODE_TYPE_CONDITIONAL
    wanted.conditional.handle, wanted.conditional.type = condition, Conditional.CU_GRAPH_COND_TYPE_IF
    wanted.conditional.size, wanted.conditional.ctx = 1, checked(driver.cuCtxGetCurrent())
    return driver.cuGraphAddNode(graph, None, None, 0, wanted), wanted


def test_a_condition_is_of_one_node(stream: Any) -> None:
    graph = checked(driver.cuGraphCreate(0))
    condition = checked(driver.cuGraphConditionalHandleCreate(graph, checked(driver.cuCtxGetCurrent()), 1, 1))
    added, wanted = conditional(graph, condition)
    checked(added)
    assert short(conditional(graph, condition)[0]) == "INVALID_VALUE"
    assert short(conditional(wanted.conditional.phGraph_out[0], condition)[0]) == "INVALID_VALUE"
    checked(driver.cuGraphDestroy(graph))


def test_kinds_of_nodes_that_may_be_conditional(stream: Any) -> None:
    memory = int(checked(driver.cuMemAlloc(4096)))
    pageable = (ctypes.c_char * 64)()
    event = checked(driver.cuEventCreate(0))
    context = checked(driver.cuCtxGetCurrent())
    no_work = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data: None)

    def copied(to: int, at: int) -> driver.CUDA_MEMCPY3D:
        copy = driver.CUDA_MEMCPY3D()
        copy.dstMemoryType = copy.srcMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_UNIFIED
        copy.dstDevice, copy.srcDevice, copy.WidthInBytes, copy.Height, copy.Depth = to, at, 64, 1, 1
        return copy

    call = driver.CUDA_HOST_NODE_PARAMS()
    call.fn, call.userData = ctypes.cast(no_work, ctypes.c_void_p).value, 0
    here = ctypes.addressof(pageable)
    kinds: dict[str, tuple[bool, Callable[[Any], tuple[Any, ...]]]] = {
        "empty": (True, lambda body: driver.cuGraphAddEmptyNode(body, None, 0)),
        "device": (True, lambda body: driver.cuGraphAddMemcpyNode(body, None, 0, copied(memory, memory + 64), context)),
        "from": (False, lambda body: driver.cuGraphAddMemcpyNode(body, None, 0, copied(memory, here), context)),
        "to": (False, lambda body: driver.cuGraphAddMemcpyNode(body, None, 0, copied(here, memory), context)),
        "host": (False, lambda body: driver.cuGraphAddHostNode(body, None, 0, call)),
        "record": (False, lambda body: driver.cuGraphAddEventRecordNode(body, None, 0, event)),
        "wait": (False, lambda body: driver.cuGraphAddEventWaitNode(body, None, 0, event)),
    }
    for kind, (may_be, add) in kinds.items():
        graph = checked(driver.cuGraphCreate(0))
        condition = checked(driver.cuGraphConditionalHandleCreate(graph, context, 1, 1))
        added, wanted = conditional(graph, condition)
        checked(added)
        checked(add(wanted.conditional.phGraph_out[0]))
        made = driver.cuGraphInstantiate(graph, 0)
        assert short(made) == ("SUCCESS" if may_be else "INVALID_VALUE"), kind
        if may_be:
            checked(driver.cuGraphExecDestroy(made[1]))
        checked(driver.cuGraphDestroy(graph))
    checked(driver.cuEventDestroy(event))
    checked(driver.cuMemFree(memory))


def test_graphs_allocate_at_devices(stream: Any) -> None:
    graph = checked(driver.cuGraphCreate(0))
    answers = {}
    for kind, place, number in [
        (PINNED, "HOST", 0),
        (PINNED, "HOST_NUMA", 0),
        (PINNED, "DEVICE", 1 << 20),
        (MANAGED, "HOST", 0),
        (MANAGED, "DEVICE", 0),
    ]:
        wanted = driver.CUDA_MEM_ALLOC_NODE_PARAMS()
        wanted.poolProps.allocType, wanted.poolProps.location = kind, location(place, number)
        wanted.bytesize = 4096
        answers[kind == MANAGED, place] = short(driver.cuGraphAddMemAllocNode(graph, None, 0, wanted))
    assert answers == {
        (False, "HOST"): "NOT_SUPPORTED",
        (False, "HOST_NUMA"): "NOT_SUPPORTED",
        (False, "DEVICE"): "INVALID_VALUE",
        (True, "HOST"): "NOT_SUPPORTED",
        (True, "DEVICE"): "SUCCESS",
    }
    checked(driver.cuGraphDestroy(graph))


def test_a_link_names_what_is_missing(stream: Any) -> None:
    source = (
        b".version 8.0\n.target sm_75\n.address_size 64\n"
        b".extern .func (.param .b32 result) nowhere(.param .b32 a);\n"
        b".visible .entry k() { .reg .b32 %r<2>; { .param .b32 p; .param .b32 q; mov.u32 %r1, 1; st.param.b32 [p], %r1;"
        b" call (q), nowhere, (p); } ret; }\n\0"
    )
    log = ctypes.create_string_buffer(4096)
    options = driver.CUjit_option
    wanted = [options.CU_JIT_ERROR_LOG_BUFFER, options.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES]
    link = checked(driver.cuLinkCreate(2, wanted, [log, 4096]))
    kind = driver.CUjitInputType.CU_JIT_INPUT_PTX
    checked(driver.cuLinkAddData(link, kind, source, len(source), b"a.ptx", 0, [], []))
    assert short(driver.cuLinkComplete(link)) == "INVALID_SOURCE"
    assert b"Undefined reference to 'nowhere'" in log.value
    checked(driver.cuLinkDestroy(link))


def test_what_pools_with_a_limit_give(stream: Any) -> None:
    # The limit is rounded up to 32 MiB.
    mib, lasting = 1 << 20, "OUT_OF_MEMORY"

    def given(limit: int, *sizes: int) -> list[str]:
        properties = driver.CUmemPoolProps()
        properties.allocType, properties.location.type = PINNED, Place.CU_MEM_LOCATION_TYPE_DEVICE
        properties.maxSize = limit * mib
        pool = checked(driver.cuMemPoolCreate(properties))
        answers = [driver.cuMemAllocFromPoolAsync(size * mib, pool, stream) for size in sizes]
        for code, at in answers:
            if code == Code.CUDA_SUCCESS:
                checked(driver.cuMemFreeAsync(at, stream))
        checked(driver.cuStreamSynchronize(stream))
        checked(driver.cuMemPoolDestroy(pool))
        return [short(answer) for answer in answers]

    assert given(4, 4, 4, 8, 32, 64, 1) == ["SUCCESS"] * 3 + [lasting] * 2 + ["SUCCESS"]
    assert given(64, 24, 24, 24) == ["SUCCESS"] * 2 + [lasting]
    assert given(0, 24, 48) == ["SUCCESS"] * 2
