"""Memory pools of `cuox.pycuda`: bins, counts, memory that is given out again and memory that must not be."""

from __future__ import annotations

import gc
import random
import sys
import threading
from collections.abc import Iterator
from typing import Any

import cuox
import cuox.pycuda.driver as drv
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def context() -> Iterator[drv.Context]:
    drv.init()
    made = drv.Device(0).make_context()
    yield made
    made.pop()


@pytest.fixture(params=[drv.DeviceMemoryPool, drv.PageLockedMemoryPool])
def pool(request: Any, context: drv.Context) -> Any:
    return request.param()


def block(pool: Any, size: int) -> Any:
    return pool.allocate(size) if isinstance(pool, drv.DeviceMemoryPool) else pool.allocate(size, np.uint8)


def counts(pool: Any) -> tuple[int, int, int, int]:
    return pool.held_blocks, pool.active_blocks, pool.managed_bytes, pool.active_bytes


def address(memory: Any) -> int:
    return int(memory) if isinstance(memory, cuox.Buffer) else int(memory.ctypes.data)


def test_bitlog2() -> None:
    assert [drv.bitlog2(value) for value in (0, 1, 2, 17, 0xAFFE, 0x3AFFE, 0xCC3AFFE)] == [0, 0, 1, 4, 15, 17, 27]


def test_bins(pool: Any) -> None:
    random.seed(1)
    for _ in range(2000):
        size = random.randrange(1, 1 << 62) >> random.randrange(62)
        number = pool.bin_number(size)
        largest = pool.alloc_size(number)
        assert size <= largest <= size * 17 // 16 + 1
        assert pool.bin_number(largest) == number
        assert pool.bin_number(largest + 1) != number
    assert (pool.bin_number(0), pool.alloc_size(0), pool.bin_number(4096), pool.alloc_size(192)) == (0, 1, 192, 4351)
    with pytest.raises(ValueError, match="alloc_size"):
        pool.alloc_size(1 << 20)


def test_memory_is_kept_and_given_out_again(pool: Any) -> None:
    assert counts(pool) == (0, 0, 0, 0)
    first = block(pool, 1000)
    managed = pool.alloc_size(pool.bin_number(1000))
    assert counts(pool) == (0, 1, managed, 1000)
    second = block(pool, 1000)
    assert address(first) != address(second)
    where = address(first)
    del first
    assert counts(pool) == (1, 1, 2 * managed, 1000)
    third = block(pool, 999)
    assert address(third) == where and counts(pool) == (0, 2, 2 * managed, 1999)
    del second, third
    assert counts(pool) == (2, 0, 2 * managed, 0)
    pool.free_held()
    assert counts(pool) == (0, 0, 0, 0)
    fourth = block(pool, 10)
    pool.stop_holding()
    del fourth
    assert counts(pool) == (0, 0, 0, 0)
    assert address(block(pool, 10))


def test_allocations() -> None:
    pool = drv.DeviceMemoryPool()
    memory = pool.allocate(400)
    assert type(memory) is drv.PooledDeviceAllocation and isinstance(memory, drv.DeviceAllocation)
    assert len(memory) == memory.size == 400 and int(memory) == memory.__index__()
    host = np.arange(100, dtype=np.float32)
    drv.memcpy_htod(memory, host)
    memory.copy_from_host(host + 1)
    assert (drv.from_device_like(memory, host) == host + 1).all()
    memory.free()
    assert pool.held_blocks == 1 and pool.active_blocks == 0, "also after others had handles on it"
    with pytest.raises(drv.LogicError, match="PooledDeviceAllocation.free: the memory was freed before"):
        memory.free()
    with pytest.raises(ValueError, match="closed"):
        int(memory)
    with pytest.raises((TypeError, ValueError)):
        pool.allocate(-1)
    with pytest.raises(TypeError, match="size"):
        pool.allocate("x")
    assert pool.allocate(0).size == 0


def test_memory_is_not_given_out_while_somebody_holds_it() -> None:
    pool = drv.DeviceMemoryPool()
    memory = pool.allocate(64)
    where = int(memory)
    array = cuox.as_array(memory)
    del memory
    gc.collect()
    other = pool.allocate(64)
    assert int(other) != where and array.nbytes == 64
    del array
    gc.collect()
    assert int(pool.allocate(64)) == where


def test_a_page_locked_array_keeps_its_memory() -> None:
    pool = drv.PageLockedMemoryPool(drv.PageLockedAllocator(drv.host_alloc_flags.PORTABLE))
    array = pool.allocate((4, 5), np.float32, order="F")
    assert (
        array.shape == (4, 5)
        and array.flags.f_contiguous
        and isinstance(array.base, drv.PooledHostAllocation)
        and len(array.base) == 80
    )
    where = array.ctypes.data
    array.base.free()
    part = array[:, 1:3]
    del array
    assert pool.allocate(20, np.float32).ctypes.data != where
    part[:] = 3
    del part
    assert pool.allocate(20, np.float32).ctypes.data == where
    with pytest.raises(drv.LogicError, match="order"):
        pool.allocate(4, np.float32, "X")


def test_a_pool_that_goes_before_its_memory() -> None:
    pool = drv.DeviceMemoryPool()
    memory, other = pool.allocate(64), pool.allocate(64)
    del other, pool
    gc.collect()
    drv.memset_d8(memory, 1, 64)
    assert (drv.from_device(memory, 64, np.uint8) == 1).all()


def test_free_blocks_are_given_up_for_others() -> None:
    pool = drv.DeviceMemoryPool()
    free, _ = drv.mem_get_info()
    size = free // 3
    kept = [pool.allocate(size) for _ in range(2)]
    del kept
    assert pool.held_blocks == 2
    large = pool.allocate(free // 2)
    assert pool.held_blocks < 2
    with pytest.raises(drv.MemoryError) as caught:
        pool.allocate(1 << 50)
    assert isinstance(caught.value, MemoryError) and pool.held_blocks == 0
    del large
    pool.stop_holding()


def test_a_subclass() -> None:
    class Mine(drv.DeviceMemoryPool):
        def __init__(self, name: str) -> None:
            drv.DeviceMemoryPool.__init__(self)
            self.name = name

        def allocate(self, size: int) -> Any:
            return drv.DeviceMemoryPool.allocate(self, size)

    pool = Mine("x")
    assert pool.allocate(5).size == 5 and pool.name == "x"


def test_kernels_take_it() -> None:
    source = 'extern "C" __global__ void one(int *x) { x[threadIdx.x] = threadIdx.x; }'
    one = drv.module_from_code(cuox.Program(source, code_type="c++").compile("ptx")).get_function("one")
    pool = drv.DeviceMemoryPool()
    memory = pool.allocate(128)
    one(memory, block=(32, 1, 1))
    assert (drv.from_device(memory, 32, np.int32) == np.arange(32)).all()


def test_a_reset_of_the_device(run_script: Any) -> None:
    result = run_script(
        """
    import cuox
    import cuox.pycuda.autoinit
    import cuox.pycuda.driver as drv
    pool = drv.DeviceMemoryPool()
    memory, other = pool.allocate(64), pool.allocate(64)
    del other
    cuox.Device(0).reset()
    del memory
    try:
        pool.allocate(64)
    except drv.LogicError as error:
        print("reset" in str(error))
    print(drv.DeviceMemoryPool().allocate(64).size)
    """
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "True\n64\n", "")


def test_threads(pool: Any) -> None:
    failed: list[BaseException] = []

    def work(number: int) -> None:
        rng = random.Random(number)
        try:
            for _ in range(400):
                made = block(pool, rng.randrange(1, 1 << rng.randrange(1, 18)))
                del made
                pool.free_held()
        except BaseException as error:
            failed.append(error)

    switches = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switches)
    assert not failed
    assert (pool.active_blocks, pool.active_bytes) == (0, 0)
    pool.free_held()
    assert (pool.held_blocks, pool.managed_bytes) == (0, 0)
