"""Memory and events that two processes share: `cuIpc*`, `cuMemPool{Export,Import}*`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cuox
import pytest
from cuox.cuda.bindings import driver

np = pytest.importorskip("numpy")

OK = driver.CUresult.CUDA_SUCCESS
LAZY = int(driver.CUipcMem_flags.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
SHARED_EVENT = int(driver.CUevent_flags.CU_EVENT_INTERPROCESS) | int(driver.CUevent_flags.CU_EVENT_DISABLE_TIMING)

# The other process: it runs the lines that it reads, and answers with a value or with an error.
PEER = """
import ctypes
import sys
from cuox.cuda.bindings import driver

OK = driver.CUresult.CUDA_SUCCESS

def checked(result):
    assert result[0] == OK, result
    return result[1] if len(result) == 2 else result[1:]

DESCRIPTOR = driver.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR

def exported(text):
    data = driver.CUmemPoolPtrExportData()
    data.reserved = bytes.fromhex(text)
    return data

def mem_handle(text):
    handle = driver.CUipcMemHandle()
    handle.reserved = bytes.fromhex(text)
    return handle

def event_handle(text):
    handle = driver.CUipcEventHandle()
    handle.reserved = bytes.fromhex(text)
    return handle

def words(at, count):
    data = (ctypes.c_uint32 * count)()
    checked(driver.cuMemcpy(ctypes.addressof(data), at, 4 * count))
    return list(data)

def imported(descriptor):
    pool = checked(driver.cuMemPoolImportFromShareableHandle(descriptor, DESCRIPTOR, 0))
    access = driver.CUmemAccessDesc()
    access.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    checked(driver.cuMemPoolSetAccess(pool, [access], 1))
    return pool

checked(driver.cuInit(0))
device = checked(driver.cuDeviceGet(0))
checked(driver.cuCtxSetCurrent(checked(driver.cuDevicePrimaryCtxRetain(device))))
scope = dict(globals())
for line in sys.stdin:
    try:
        try:
            answer = eval(line, scope)
        except SyntaxError:
            answer = exec(line, scope)
    except BaseException as error:
        answer = error
    print(repr(answer), flush=True)
"""


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == OK, result
    return result[1] if len(result) == 2 else result[1:]


class Peer:
    """Another process with a context of its own."""

    def __init__(self, *descriptors: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PEER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
            pass_fds=descriptors,
        )

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def __call__(self, line: str) -> str:
        self.send(line)
        return self.answer()

    def close(self) -> None:
        """Kills the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def peer() -> Iterator[Peer]:
    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture(autouse=True)
def context(device: cuox.Device) -> Iterator[None]:
    checked(driver.cuInit(0))
    primary = checked(driver.cuDevicePrimaryCtxRetain(checked(driver.cuDeviceGet(0))))
    checked(driver.cuCtxSetCurrent(primary))
    yield
    checked(driver.cuDevicePrimaryCtxRelease(checked(driver.cuDeviceGet(0))))


@pytest.fixture
def allocate() -> Iterator[Callable[[Any], int]]:
    """Allocates device memory with contents."""
    made: list[int] = []

    def make(values: Any) -> int:
        at = int(checked(driver.cuMemAlloc(values.nbytes)))
        checked(driver.cuMemcpyHtoD(at, values, values.nbytes))
        made.append(at)
        return at

    yield make
    for at in made:
        checked(driver.cuMemFree(at))


def handle_of(at: int) -> str:
    return bytes(checked(driver.cuIpcGetMemHandle(at)).reserved).hex()


def words(at: int, count: int) -> list[int]:
    values = np.empty(count, np.uint32)
    checked(driver.cuMemcpy(values.ctypes.data, at, values.nbytes))
    return [int(value) for value in values]


def files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("count", [3, 10_000, 3_000_000], ids=["small", "medium", "large"])
def test_both_processes_see_what_either_writes(peer: Peer, allocate: Callable[[Any], int], count: int) -> None:
    values = np.arange(count, dtype=np.uint32)
    at = allocate(values)
    neighbour = allocate(values + 7)
    assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle_of(at)!r}), {LAZY})))") == "None"
    assert peer(f"words(at, {count}) == list(range({count}))") == "True"
    assert peer("checked(driver.cuMemsetD32(at, 77, 2))") == "()"
    # On a GPU nobody waits for a memset.
    assert peer("checked(driver.cuCtxSynchronize())") == "()"
    checked(driver.cuMemsetD32(at + 8, 99, 1))
    assert words(at, 3) == [77, 77, 99]
    assert peer("words(at, 3)") == "[77, 77, 99]"
    assert words(neighbour, 3) == [7, 8, 9]
    assert peer("checked(driver.cuIpcCloseMemHandle(at))") == "()"
    assert peer("driver.cuIpcCloseMemHandle(at)[0].name") == "'CUDA_ERROR_INVALID_VALUE'"
    assert words(at, 3) == [77, 77, 99]


def test_kernels_of_both_processes_add_atomically(peer: Peer, allocate: Callable[[Any], int]) -> None:
    source = 'extern "C" __global__ void add(unsigned *sum) { atomicAdd(sum, 1u); }'
    kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("add")
    stream = cuox.Device().create_stream()
    at = allocate(np.zeros(1, np.uint32))
    assert peer("import cuox") == "None"
    assert peer(f"kernel = cuox.Program({source!r}, code_type='c++').compile('ptx').get_kernel('add')") == "None"
    assert peer("stream = cuox.Device().create_stream()") == "None"
    assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle_of(at)!r}), {LAZY})))") == "None"
    peer.send("[kernel[64, 256, stream](at) for _ in range(20)] and stream.sync()")
    for _ in range(20):
        kernel[64, 256, stream](at)
    stream.sync()
    assert peer.answer() == "None"
    assert words(at, 1) == [40 * 64 * 256]


def test_openings_are_counted(peer: Peer, allocate: Callable[[Any], int]) -> None:
    at = allocate(np.array([5], np.uint32))
    opening = f"int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle_of(at)!r}), {LAZY})))"
    assert peer(f"first = {opening}") == "None"
    assert peer(f"{opening} == first") == "True"
    assert peer("driver.cuMemFree(first)[0].name") == "'CUDA_ERROR_INVALID_VALUE'"
    assert peer("checked(driver.cuIpcCloseMemHandle(first))") == "()"
    assert peer("words(first, 1)") == "[5]"
    assert peer("checked(driver.cuIpcCloseMemHandle(first))") == "()"
    assert "ERROR" in peer("driver.cuMemcpyDtoH(bytearray(4), first, 4)[0].name")


def test_many_openings_leave_no_files(peer: Peer) -> None:
    # This process opens files for other tests' work too, in the background.
    owner = Peer()
    count = "len(os.listdir('/proc/self/fd'))"
    assert owner("import os") == peer("import os") == "None"
    before, theirs = int(owner(count)), peer(count)
    for n in range(60):
        assert owner(f"at = int(checked(driver.cuMemAlloc({1 << 20 if n % 2 else 100})))") == "None"
        handle = owner("bytes(checked(driver.cuIpcGetMemHandle(at)).reserved).hex()")
        assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle}), {LAZY})))") == "None"
        assert peer("checked(driver.cuIpcCloseMemHandle(at))") == "()"
        assert owner("checked(driver.cuMemFree(at))") == "()"
    # One more is the file behind small allocations.
    assert int(owner(count)) <= before + 1
    assert peer(count) == theirs
    owner.close()


def test_memory_outlives_the_process_that_made_it(
    allocate: Callable[[Any], int],
) -> None:
    peer = Peer()
    assert peer("at = int(checked(driver.cuMemAlloc(1 << 20)))") == "None"
    assert peer("checked(driver.cuMemsetD32(at, 11, 1 << 18))") == "()"
    text = eval(peer("bytes(checked(driver.cuIpcGetMemHandle(at)).reserved).hex()"))
    handle = driver.CUipcMemHandle()
    handle.reserved = bytes.fromhex(text)
    at = int(checked(driver.cuIpcOpenMemHandle(handle, LAZY)))
    assert words(at, 2) == [11, 11]
    if cuox.Device().is_soft:
        peer.process.kill()
        assert words(at + (1 << 20) - 8, 2) == [11, 11]
    checked(driver.cuIpcCloseMemHandle(at))
    peer.close()
    # Of a process that is no more nothing can be opened.
    assert driver.cuIpcOpenMemHandle(handle, LAZY)[0] != OK


@pytest.mark.parametrize("count", [4, 1 << 18], ids=["small", "large"])
def test_memory_that_its_maker_frees_stays_where_it_is_open(peer: Peer, device: cuox.Device, count: int) -> None:
    if not device.is_soft:
        pytest.skip("undefined on an NVIDIA GPU")
    at = int(checked(driver.cuMemAlloc(4 * count)))
    checked(driver.cuMemsetD32(at, 21, count))
    assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle_of(at)!r}), {LAZY})))") == "None"
    checked(driver.cuMemFree(at))
    assert peer(f"words(at, {count}) == [21] * {count}") == "True"
    assert peer("checked(driver.cuIpcCloseMemHandle(at))") == "()"


def test_a_process_that_is_killed_harms_nobody(allocate: Callable[[Any], int]) -> None:
    at = allocate(np.arange(1 << 18, dtype=np.uint32))
    handle = handle_of(at)
    before = files()
    for _ in range(3):
        peer = Peer()
        assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle!r}), {LAZY})))") == "None"
        assert peer("words(at, 3)") == "[0, 1, 2]"
        peer.close()
    assert files() == before
    assert words(at, 3) == [0, 1, 2]


def test_a_reset_of_the_context_closes_what_is_open(peer: Peer, allocate: Callable[[Any], int]) -> None:
    at = allocate(np.arange(1 << 18, dtype=np.uint32))
    handle = handle_of(at)
    assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle!r}), {LAZY})))") == "None"
    assert peer("checked(driver.cuDevicePrimaryCtxReset(device))") == "()"
    assert peer("checked(driver.cuCtxSetCurrent(checked(driver.cuDevicePrimaryCtxRetain(device))))") == "()"
    assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle!r}), {LAZY})))") == "None"
    assert peer("words(at, 3)") == "[0, 1, 2]"


def test_handles_of_freed_memory_are_stale(peer: Peer) -> None:
    if not cuox.Device().is_soft:
        pytest.skip("a stale handle has undefined results on an NVIDIA GPU")
    for size in (100, 1 << 20):
        at = int(checked(driver.cuMemAlloc(size)))
        handle = handle_of(at)
        checked(driver.cuMemFree(at))
        again = int(checked(driver.cuMemAlloc(size)))
        handle_of(again)
        code = peer(f"driver.cuIpcOpenMemHandle(mem_handle({handle!r}), {LAZY})[0].name")
        assert code in ("'CUDA_ERROR_INVALID_HANDLE'", "'CUDA_ERROR_MAP_FAILED'")
        checked(driver.cuMemFree(again))


def test_a_process_does_not_open_its_own_memory(allocate: Callable[[Any], int]) -> None:
    at = allocate(np.zeros(4, np.uint32))
    handle = checked(driver.cuIpcGetMemHandle(at))
    assert driver.cuIpcOpenMemHandle(handle, LAZY)[0] == driver.CUresult.CUDA_ERROR_INVALID_CONTEXT


def shared_event() -> tuple[driver.CUevent, str]:
    event = checked(driver.cuEventCreate(SHARED_EVENT))
    return event, bytes(checked(driver.cuIpcGetEventHandle(event)).reserved).hex()


def test_one_process_waits_for_the_work_of_the_other(peer: Peer, allocate: Callable[[Any], int]) -> None:
    # The kernel of this process ends when the flag is set.
    source = 'extern "C" __global__ void wait(volatile int *flag) { while (*flag == 0) { } }'
    kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("wait")
    stream = cuox.Device().create_stream()
    at = allocate(np.zeros(1024, np.uint32))
    checked(driver.cuCtxSynchronize())
    event, handle = shared_event()
    assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle_of(at)!r}), {LAZY})))") == "None"
    assert peer(f"event = checked(driver.cuIpcOpenEventHandle(event_handle({handle!r})))") == "None"
    assert peer("driver.cuEventQuery(event)[0].name") == "'CUDA_SUCCESS'", "it was never recorded"
    assert peer("stream = checked(driver.cuStreamCreate(1))") == "None"
    page = cuox.Device().create_stream()
    kernel[1, 1, stream](at)
    checked(driver.cuEventRecord(event, int(stream.handle)))
    assert peer("driver.cuEventQuery(event)[0].name") == "'CUDA_ERROR_NOT_READY'"
    # Work of the other process behind the event.
    assert peer("checked(driver.cuStreamWaitEvent(stream, event, 0))") == "()"
    assert peer("checked(driver.cuMemsetD32Async(at + 8, 5, 1, stream))") == "()"
    assert peer("driver.cuStreamQuery(stream)[0].name") == "'CUDA_ERROR_NOT_READY'"
    checked(driver.cuMemsetD32Async(at, 1, 1, int(page.handle)))
    assert peer("checked(driver.cuEventSynchronize(event))") == "()"
    assert peer("driver.cuEventQuery(event)[0].name") == "'CUDA_SUCCESS'"
    assert peer("checked(driver.cuStreamSynchronize(stream))") == "()"
    assert words(at, 3) == [1, 0, 5]
    # The other way round.
    assert peer("checked(driver.cuMemsetD32Async(at + 12, 6, 1, stream))") == "()"
    assert peer("checked(driver.cuEventRecord(event, stream))") == "()"
    checked(driver.cuEventSynchronize(event))
    assert words(at, 4) == [1, 0, 5, 6]
    assert peer("checked(driver.cuEventDestroy(event))") == "()"
    checked(driver.cuEventDestroy(event))
    page.close()
    stream.close()


def test_nobody_waits_for_a_process_that_was_killed(peer: Peer) -> None:
    if not cuox.Device().is_soft:
        pytest.skip("what becomes of such an event is not documented")
    event, handle = shared_event()
    source = 'extern "C" __global__ void forever(volatile int *p) { while (*p == 0) { } }'
    for line in (
        f"event = checked(driver.cuIpcOpenEventHandle(event_handle({handle!r})))",
        "import cuox",
        f"kernel = cuox.Program({source!r}, code_type='c++').compile('ptx').get_kernel('forever')",
        "stream = cuox.Device().create_stream()",
        "at = int(checked(driver.cuMemAlloc(4)))",
        "checked(driver.cuMemsetD32(at, 0, 1)) and None",
        "kernel[1, 1, stream](at)",
        "checked(driver.cuEventRecord(event, int(stream.handle))) and None",
    ):
        assert peer(line) in ("None", "()")
    assert driver.cuEventQuery(event)[0] == driver.CUresult.CUDA_ERROR_NOT_READY
    peer.process.kill()
    # It has not been waited for: it is a zombie.
    checked(driver.cuEventSynchronize(event))
    assert driver.cuEventQuery(event) == (OK,)
    checked(driver.cuEventDestroy(event))


def test_events_and_handles_that_do_not_fit() -> None:
    invalid = driver.CUresult
    assert driver.cuEventCreate(int(driver.CUevent_flags.CU_EVENT_INTERPROCESS))[0] == invalid.CUDA_ERROR_INVALID_VALUE
    plain = checked(driver.cuEventCreate(0))
    assert driver.cuIpcGetEventHandle(plain)[0] != OK
    checked(driver.cuEventDestroy(plain))
    assert driver.cuIpcOpenMemHandle(driver.CUipcMemHandle(), LAZY)[0] != OK
    assert driver.cuIpcOpenEventHandle(driver.CUipcEventHandle())[0] != OK


def test_many_events_leave_no_files() -> None:
    before = files()
    for _ in range(300):
        event, _handle = shared_event()
        checked(driver.cuEventRecord(event, 0))
        checked(driver.cuEventSynchronize(event))
        checked(driver.cuEventDestroy(event))
    assert files() <= before + 1


# Tests of other processes would be seen, too.
@pytest.mark.serial
def test_nothing_is_left_in_shared_memory_folders() -> None:
    assert not [name for name in os.listdir("/dev/shm") if "cuox" in name]
    assert not list(Path("/tmp").glob("cuox-ipc*"))


DESCRIPTOR = driver.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
PINNED = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
MANAGED = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_MANAGED
Place = driver.CUmemLocationType


def of_device() -> driver.CUmemAccessDesc:
    """That the device reaches a pool's memory, as it does not by itself if that is the host's."""
    access = driver.CUmemAccessDesc()
    access.location.type = Place.CU_MEM_LOCATION_TYPE_DEVICE
    access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    return access


def pool_of(place: Any, kind: Any = PINNED, handles: Any = DESCRIPTOR) -> Any:
    properties = driver.CUmemPoolProps()
    properties.allocType, properties.handleTypes, properties.location.type = kind, handles, place
    pool = checked(driver.cuMemPoolCreate(properties))
    checked(driver.cuMemPoolSetAccess(pool, [of_device()], 1))
    return pool


@pytest.mark.parametrize("place", ["DEVICE", "HOST_NUMA"])
@pytest.mark.parametrize("count", [3, 100_000], ids=["small", "large"])
def test_allocations_of_a_pool_are_opened_by_another_process(place: str, count: int) -> None:
    pool = pool_of(Place[f"CU_MEM_LOCATION_TYPE_{place}"])
    descriptor = int(checked(driver.cuMemPoolExportToShareableHandle(pool, DESCRIPTOR, 0)))
    peer = Peer(descriptor)
    try:
        at = int(checked(driver.cuMemAllocFromPoolAsync(4 * count, pool, 0)))
        other = int(checked(driver.cuMemAllocFromPoolAsync(64, pool, 0)))
        values = np.arange(count, dtype=np.uint32)
        checked(driver.cuMemcpy(at, values.ctypes.data, values.nbytes))
        data = bytes(checked(driver.cuMemPoolExportPointer(at)).reserved).hex()
        assert peer(f"pool = imported({descriptor})") == "None"
        assert peer(f"at = int(checked(driver.cuMemPoolImportPointer(pool, exported({data!r}))))") == "None"
        assert peer(f"words(at, {count}) == list(range({count}))") == "True"
        assert peer("checked(driver.cuMemsetD32(at, 77, 2)); checked(driver.cuCtxSynchronize())") == "None"
        assert words(at, 3) == [77, 77, 2]
        # An imported pool allocates nothing, and its allocations are not handed on.
        assert "SUCCESS" not in peer("driver.cuMemAllocFromPoolAsync(64, pool, 0)[0].name")
        assert "SUCCESS" not in peer("driver.cuMemPoolExportPointer(at)[0].name")
        assert peer("checked(driver.cuMemFreeAsync(at, 0)); checked(driver.cuStreamSynchronize(0))") == "None"
        assert words(at, 3) == [77, 77, 2]
        assert peer("checked(driver.cuMemPoolDestroy(pool))") == "()"
        for made in (at, other):
            checked(driver.cuMemFreeAsync(made, 0))
        checked(driver.cuStreamSynchronize(0))
    finally:
        peer.close()
        os.close(descriptor)
        checked(driver.cuMemPoolDestroy(pool))


def test_pools_that_are_not_shared() -> None:
    pool = pool_of(Place.CU_MEM_LOCATION_TYPE_DEVICE, handles=0)
    at = int(checked(driver.cuMemAllocFromPoolAsync(64, pool, 0)))
    assert driver.cuMemPoolExportToShareableHandle(pool, DESCRIPTOR, 0)[0] != OK
    assert driver.cuMemPoolExportPointer(at)[0] != OK
    checked(driver.cuMemFreeAsync(at, 0))
    checked(driver.cuMemPoolDestroy(pool))
    if not cuox.Device().is_soft:
        return
    # What is no pool's: a pipe, a number without a file, an event's file.
    reading, writing = os.pipe()
    event = checked(driver.cuEventCreate(SHARED_EVENT))
    opened = [int(name) for name in os.listdir("/proc/self/fd")]
    for number in [reading, 9999, *opened, -1 & 0xFFFFFFFFFFFFFFFF]:
        assert driver.cuMemPoolImportFromShareableHandle(number, DESCRIPTOR, 0)[0] != OK
    checked(driver.cuEventDestroy(event))
    os.close(reading)
    os.close(writing)


def test_pools_of_the_host_and_of_managed_memory() -> None:
    kinds = driver.CUmemorytype
    attributes = driver.CUpointer_attribute
    for place, kind in (("HOST", PINNED), ("HOST_NUMA", PINNED), ("DEVICE", MANAGED), ("HOST", MANAGED)):
        if driver.cuMemPoolCreate(driver.CUmemPoolProps())[0] == OK:
            pytest.fail("properties of zeros made a pool")
        pool = pool_of(Place[f"CU_MEM_LOCATION_TYPE_{place}"], kind, 0)
        at = int(checked(driver.cuMemAllocFromPoolAsync(4000, pool, 0)))
        checked(driver.cuMemsetD32(at, 5, 1000))
        assert words(at, 1000) == [5] * 1000
        is_managed = int(checked(driver.cuPointerGetAttribute(attributes.CU_POINTER_ATTRIBUTE_IS_MANAGED, at)))
        assert is_managed == (kind == MANAGED)
        if kind == PINNED:
            memory = checked(driver.cuPointerGetAttribute(attributes.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at))
            assert int(memory) == kinds.CU_MEMORYTYPE_HOST
        checked(driver.cuMemFreeAsync(at, 0))
        checked(driver.cuStreamSynchronize(0))
        location = driver.CUmemLocation()
        location.type = Place[f"CU_MEM_LOCATION_TYPE_{place}"]
        default = checked(driver.cuMemGetDefaultMemPool(location, kind))
        assert checked(driver.cuMemGetMemPool(location, kind)) == default != pool
        checked(driver.cuMemSetMemPool(location, kind, pool))
        assert checked(driver.cuMemGetMemPool(location, kind)) == pool
        assert driver.cuMemPoolDestroy(default)[0] != OK
        checked(driver.cuMemSetMemPool(location, kind, default))
        checked(driver.cuMemPoolDestroy(pool))


def test_batches_of_managed_memory() -> None:
    flags = int(driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)
    ranges = [int(checked(driver.cuMemAllocManaged(4096, flags))) for _ in range(3)]
    host, device = driver.CUmemLocation(), driver.CUmemLocation()
    host.type, device.type = Place.CU_MEM_LOCATION_TYPE_HOST, Place.CU_MEM_LOCATION_TYPE_DEVICE
    stream = checked(driver.cuStreamCreate(0))
    sizes = [4096] * 3
    checked(driver.cuMemPrefetchBatchAsync(ranges, sizes, 3, [device, host], [0, 2], 2, 0, stream))
    checked(driver.cuStreamSynchronize(stream))
    attribute = driver.CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION
    assert [int(checked(driver.cuMemRangeGetAttribute(4, attribute, at, 4096))) for at in ranges] == [0, 0, -1]
    checked(driver.cuMemDiscardBatchAsync(ranges, sizes, 3, 0, stream))
    checked(driver.cuMemDiscardAndPrefetchBatchAsync(ranges, sizes, 3, [host], [0], 1, 0, stream))
    for places, starts in (([host], [1]), ([host, device], [1, 0]), ([host, device], [0, 3])):
        assert driver.cuMemPrefetchBatchAsync(ranges, sizes, 3, places, starts, len(places), 0, stream)[0] != OK
    assert driver.cuMemPrefetchBatchAsync([ranges[0], 4096], sizes, 2, [host], [0], 1, 0, stream)[0] != OK
    checked(driver.cuStreamSynchronize(stream))
    checked(driver.cuStreamDestroy(stream))
    for at in ranges:
        checked(driver.cuMemFree(at))
