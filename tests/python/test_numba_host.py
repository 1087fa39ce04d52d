"""`cuox.numba.cuda` on the host: contexts, memory by its address, memory managers, arrays on devices and other
processes.
"""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

np = pytest.importorskip("numpy")

import cuox
from cuox.numba import cuda
from cuox.numba.cuda.cudadrv import devicearray, driver, nvrtc


@pytest.fixture(autouse=True)
def context() -> Iterator[Any]:
    context = cuda.current_context()
    manager = context.memory_manager
    yield context
    context.memory_manager = manager


def test_memory_pointers_copy_set_and_view(context: Any) -> None:
    host = np.arange(100, dtype=np.uint32)
    memory = context.memalloc(host.nbytes)
    driver.host_to_device(memory, host, host.nbytes)
    back = np.zeros_like(host)
    driver.device_to_host(back, memory, host.nbytes)
    np.testing.assert_array_equal(back, host)
    tail = memory.view(80 * 4)
    assert tail.size == 80 and int(tail.handle) == int(memory.handle) + 320 and tail.owner is memory
    driver.device_memset(tail, 0xAB, tail.size)
    driver.device_to_host(back, memory, host.nbytes)
    assert (back[:80] == host[:80]).all() and (back[80:] == 0xABABABAB).all()
    other = context.memalloc(host.nbytes)
    driver.device_to_device(other, memory, host.nbytes)
    again = np.zeros_like(host)
    driver.device_to_host(again, other, host.nbytes)
    np.testing.assert_array_equal(again, back)
    with pytest.raises(RuntimeError, match="outside"):
        memory.view(401)


def test_a_finalizer_runs_once(context: Any) -> None:
    freed: list[int] = []
    pointer = driver.MemoryPointer(context, ctypes.c_void_p(4096), 40, finalizer=lambda: freed.append(1))
    part = pointer.own()
    assert pointer.refct == 2
    del part
    assert pointer.refct == 1 and not freed
    pointer.free()
    del pointer
    assert freed == [1]
    automatic = driver.AutoFreePointer(context, ctypes.c_void_p(4096), 40, finalizer=lambda: freed.append(2))
    owned = automatic.own()
    del owned
    assert freed == [1, 2]


def test_pinned_mapped_and_managed_memory(context: Any) -> None:
    for memory in (context.memhostalloc(64, mapped=True), context.memallocmanaged(64)):
        host = np.ndarray(16, np.uint32, buffer=memory)
        driver.device_memset(memory, 0x11, 64)
        context.synchronize()
        assert (host == 0x11111111).all()
    array = np.zeros(1024, np.uint8)
    pinned = context.mempin(array, array.ctypes.data, array.nbytes, mapped=True)
    driver.device_memset(pinned, 7, 1024)
    context.synchronize()
    assert (array == 7).all()
    del pinned
    with cuda.pinned(array):
        pass


class Counting(cuda.HostOnlyCUDAMemoryManager):  # type: ignore[name-defined,misc]
    """Memory of `cuMemAlloc`, counted."""

    initialized = False
    live: dict[int, int] = {}

    def initialize(self) -> None:
        self.initialized = True

    def memalloc(self, size: int) -> Any:
        address = int(driver.driver.cuMemAlloc(max(size, 1)))
        self.live[address] = size

        def give_back() -> None:
            del self.live[address]
            driver.driver.cuMemFree(address)

        return driver.AutoFreePointer(self.context, ctypes.c_void_p(address), size, finalizer=give_back)

    def get_memory_info(self) -> Any:
        return cuda.MemoryInfo(free=32, total=64)

    def get_ipc_handle(self, memory: Any) -> Any:
        return f"handle of {memory.size} bytes"

    interface_version = 1


def test_a_memory_manager_of_ones_own_makes_arrays(context: Any) -> None:
    manager = context.memory_manager = Counting(context=context)
    assert manager.initialized and context.get_memory_info() == (32, 64)
    array = cuda.to_device(np.arange(10.0))
    other = cuda.device_array((3, 4), np.float32, order="F")
    assert sorted(manager.live.values()) == [48, 80] and array.device_pointer in manager.live
    assert array.get_ipc_handle()._ipc_handle == "handle of 80 bytes"

    @cuda.jit
    def double(x: Any) -> None:
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= 2

    double[1, 32](array)
    np.testing.assert_array_equal(array.copy_to_host(), np.arange(10.0) * 2)
    part = array[5:]
    del array
    gc.collect()
    assert len(manager.live) == 2
    np.testing.assert_array_equal(part.copy_to_host(), np.arange(5.0, 10.0) * 2)
    del part, other
    gc.collect()
    assert not manager.live


def test_a_memory_manager_of_another_version_is_refused() -> None:
    class Newer(Counting):
        interface_version = 2

    with pytest.raises(RuntimeError, match="version 1 required"):
        cuda.set_memory_manager(Newer)
    with pytest.raises(RuntimeError, match="requires a context"):
        Counting()


OPENS = """
import pickle, sys
from cuox.numba import cuda
handle = pickle.load(sys.stdin.buffer)
with handle as array:
    print(array.copy_to_host().tolist())
    array[0] = -1
    cuda.synchronize()
"""


def test_another_process_opens_an_array(context: Any) -> None:
    import pickle

    array = cuda.to_device(np.arange(6))
    try:
        array.get_ipc_handle()
    except cuox.CUDAError as error:
        assert "LegacyMemoryManager" in str(error)
    context.memory_manager = cuda.LegacyMemoryManager(context=context)
    array = cuda.to_device(np.arange(6))
    part = array[2:]
    text = subprocess.run(
        [sys.executable, "-c", OPENS],
        input=pickle.dumps(part.get_ipc_handle()),
        capture_output=True,
        check=False,
        env=os.environ,
    )
    assert text.stdout.split() == b"[2, 3, 4, 5]".split(), text.stderr
    assert array.copy_to_host().tolist() == [0, 1, -1, 3, 4, 5]


def test_the_context_is_one_object_and_must_be_primary(context: Any) -> None:
    assert cuda.current_context() is context and context.get_memory_info().total > 0
    other = driver.driver.cuCtxCreate(None, 0, 0)
    try:
        with pytest.raises(RuntimeError, match="non-primary CUDA context"):
            cuda.current_context()
    finally:
        driver.driver.cuCtxDestroy(other)
    assert cuda.current_context() is context
    with pytest.raises(driver.CudaAPIError, match="cuMemFree: CUDA_ERROR_INVALID_VALUE"):
        driver.driver.cuMemFree(12345)
    with pytest.raises(AttributeError, match="cuMemGone"):
        driver.driver.cuMemGone


def test_streams_know_their_numbers() -> None:
    assert (int(cuda.default_stream()), int(cuda.legacy_default_stream()), int(cuda.per_thread_default_stream())) == (
        0,
        1,
        2,
    )
    assert repr(cuda.default_stream()) == "<Default CUDA stream>"
    stream = cuda.stream()
    for array in (cuda.device_array(3, stream=stream), cuda.mapped_array(3, stream=stream)):
        assert array.__cuda_array_interface__["stream"] == int(stream)
    assert cuda.device_array(3).__cuda_array_interface__["stream"] is None


def test_records_and_views_of_arrays() -> None:
    inner = np.dtype([("i", np.int32), ("j", np.float32, (2, 2))])
    array = cuda.to_device(np.zeros(2, np.dtype([("x", np.int32), ("y", inner)])))
    array[1]["y"]["i"] = 5
    array[1]["y"]["j"][1, 0] = 2.5
    assert array[1]["y"]["i"] == 5 and array.copy_to_host()[1]["y"]["j"][1, 0] == 2.5
    assert devicearray.from_record_like(array[0]).dtype == array.dtype
    numbers = cuda.to_device(np.arange(12, dtype=np.int16).reshape(4, 3))
    assert numbers.view("u2").gpu_data == numbers.gpu_data != numbers[1:].gpu_data
    with pytest.raises(ValueError, match="must be a divisor"):
        numbers.view("i4")
    with pytest.raises(ValueError, match="last axis must be contiguous"):
        numbers[:, ::2].view("i4")
    assert (
        numbers._numba_type_.layout == "C"
        and numbers.T._numba_type_.layout == "F"
        and numbers[:, ::2]._numba_type_.layout == "A"
    )


def test_names_of_architectures() -> None:
    assert nvrtc.get_arch_option(7, 7) == "compute_75" and nvrtc.get_arch_option(9, 0, "a") == "compute_90a"
    with pytest.raises(ValueError, match="arch-specific compute_990a"):
        nvrtc.get_arch_option(99, 0, "a")
    with pytest.raises(RuntimeError, match="3.0 is not supported"):
        nvrtc.get_arch_option(3, 0)


def test_cuda_can_be_switched_off() -> None:
    program = "from cuox.numba import cuda\ntry:\n    cuda.device_array(1)\nexcept cuda.CudaSupportError as error:\n    print(error.msg, cuda.is_available())"
    text = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_DISABLE_CUDA": "1"},
    ).stdout
    assert "NUMBA_DISABLE_CUDA=1" in text and text.strip().endswith("False")


def test_a_launch_waits_for_the_stream_of_a_foreign_array() -> None:
    class Foreign:
        def __init__(self, array: Any) -> None:
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    @cuda.jit
    def slow(x: Any, rounds: Any) -> None:
        total = 0.0
        for i in range(rounds):
            total = total * 0.5 + i
        x[0] = 1.0 if total >= 0.0 else 2.0

    @cuda.jit
    def read(x: Any, out: Any) -> None:
        out[0] = x[0]

    producer, consumer = cuda.stream(), cuda.stream()
    array = cuda.to_device(np.zeros(1), stream=producer)
    out = cuda.to_device(np.zeros(1))
    cuda.synchronize()
    slow[1, 1, producer](array, 2_000_000)
    read[1, 1, consumer](Foreign(array), out)
    consumer.synchronize()
    assert out.copy_to_host()[0] == 1.0


def test_profiling_is_the_first_thing_that_a_program_does() -> None:
    program = "from cuox.numba import cuda\nwith cuda.profiling():\n    pass\nprint('done')"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "done\n"
    )
