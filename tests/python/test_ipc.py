"""Memory and events that two processes share: `cuIpc*`."""

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
import sys
from cuox.cuda.bindings import driver

OK = driver.CUresult.CUDA_SUCCESS

def checked(result):
    assert result[0] == OK, result
    return result[1] if len(result) == 2 else result[1:]

def mem_handle(text):
    handle = driver.CUipcMemHandle()
    handle.reserved = bytes.fromhex(text)
    return handle

def event_handle(text):
    handle = driver.CUipcEventHandle()
    handle.reserved = bytes.fromhex(text)
    return handle

def words(at, count):
    data = bytearray(4 * count)
    checked(driver.cuMemcpyDtoH(data, at, len(data)))
    return memoryview(data).cast("I").tolist()

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

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PEER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
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
    checked(driver.cuMemcpyDtoH(values, at, values.nbytes))
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
    assert "ERROR" in peer("words(first, 1)")


def test_many_openings_leave_no_files(peer: Peer) -> None:
    assert peer("import os") == "None"
    before, theirs = files(), peer("len(os.listdir('/proc/self/fd'))")
    for n in range(60):
        at = int(checked(driver.cuMemAlloc(1 << 20 if n % 2 else 100)))
        handle = handle_of(at)
        assert peer(f"at = int(checked(driver.cuIpcOpenMemHandle(mem_handle({handle!r}), {LAZY})))") == "None"
        assert peer("checked(driver.cuIpcCloseMemHandle(at))") == "()"
        checked(driver.cuMemFree(at))
    # One more is the file behind small allocations.
    assert files() <= before + 1
    assert peer("len(os.listdir('/proc/self/fd'))") == theirs


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
