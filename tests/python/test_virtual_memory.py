"""Virtual memory management: `cuMemAddressReserve`, `cuMemCreate`, `cuMemMap`, `cuMemSetAccess`; the resource of
`cuda.core`.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import cuox
import numpy as np
import pytest
from conftest import with_helpers
from cuox.cuda.bindings import driver
from cuox.cuda.core import Buffer, VirtualMemoryResource, VirtualMemoryResourceOptions
from cuox.cuda.core.utils import StridedMemoryView
from mappings import (
    DESCRIPTOR,
    HOST,
    HOST_NUMA,
    INVALID_VALUE,
    NOTHING,
    OK,
    READ,
    READ_WRITE,
    access,
    attribute,
    checked,
    create,
    free,
    granularity,
    kernel,
    mapped,
    properties,
    reserve,
    set_access,
)

NOT_SUPPORTED = driver.CUresult.CUDA_ERROR_NOT_SUPPORTED


@pytest.fixture(autouse=True)
def context(device: cuox.Device) -> Iterator[None]:
    if not device.properties.virtual_memory_management_supported:
        pytest.skip("the device has no virtual memory management")
    device.set_current()
    yield


def words(at: int, count: int) -> list[int]:
    values = np.empty(count, np.int32)
    checked(driver.cuMemcpyDtoH(values, at, values.nbytes))
    return [int(value) for value in values]


def test_memory_at_two_addresses_is_one(stream: cuox.Stream) -> None:
    size = granularity()
    at, handle = reserve(3 * size), create(size)
    for piece in (0, 2):
        checked(driver.cuMemMap(at + piece * size, size, 0, handle, 0))
        checked(set_access(at + piece * size, size))
    checked(driver.cuMemRelease(handle))
    kernel("fill")[1, 64, stream](at, 7, 64)
    stream.sync()
    assert words(at + 2 * size, 65) == [7] * 64 + words(at, 65)[64:]
    checked(driver.cuMemUnmap(at, size))
    assert words(at + 2 * size, 1) == [7]
    free_all = driver.cuMemUnmap(at + 2 * size, size)
    assert free_all[0] == OK
    checked(driver.cuMemAddressFree(at, 3 * size))


def test_neighbours_are_one_range(stream: cuox.Stream) -> None:
    size = granularity()
    at = reserve(2 * size)
    for piece in range(2):
        handle = create(size)
        checked(driver.cuMemMap(at + piece * size, size, 0, handle, 0))
        checked(driver.cuMemRelease(handle))
    checked(set_access(at, 2 * size))
    count = 2 * size // 4
    kernel("fill")[count // 256, 256, stream](at, 3, count)
    stream.sync()
    # A fill, and copies of all kinds, over the border.
    checked(driver.cuMemsetD32(at + size - 8, 5, 4))
    assert words(at + size - 12, 6) == [3, 5, 5, 5, 5, 3]
    other = np.arange(count, dtype=np.int32)
    checked(driver.cuMemcpyHtoD(at, other, other.nbytes))
    back = np.zeros_like(other)
    checked(driver.cuMemcpyDtoH(back, at, back.nbytes))
    assert (back == other).all()
    checked(driver.cuMemcpyDtoDAsync(at + size - 64, at, 128, int(stream.handle)))
    stream.sync()
    assert words(at + size - 64, 32) == list(range(32))
    free(at, 2 * size)


def test_ranges_may_have_holes() -> None:
    size = granularity()
    at = reserve(3 * size)
    for piece in (0, 2):
        handle = create(size)
        checked(driver.cuMemMap(at + piece * size, size, 0, handle, 0))
        checked(driver.cuMemRelease(handle))
        checked(set_access(at + piece * size, size))
    # Behind the hole access stays what it was.
    checked(set_access(at, 3 * size, READ))
    assert (access(at), access(at + 2 * size)) == (int(READ), int(READ_WRITE))
    # There is nothing to be unmapped in the hole.
    checked(driver.cuMemUnmap(at + size, size))
    assert driver.cuMemcpyDtoH(np.empty(3 * size, np.uint8), at, 3 * size)[0] == INVALID_VALUE
    assert driver.cuMemUnmap(at, size // 2)[0] == INVALID_VALUE
    assert driver.cuMemAddressFree(at, 3 * size)[0] == INVALID_VALUE
    checked(driver.cuMemUnmap(at, size))
    checked(driver.cuMemUnmap(at + 2 * size, size))
    checked(driver.cuMemAddressFree(at, 3 * size))


def test_copies_want_access() -> None:
    size = granularity()
    at = mapped(size, None)
    host = np.zeros(4, np.int32)
    assert access(at) == int(NOTHING)
    assert driver.cuMemcpyHtoD(at, host, 16)[0] == INVALID_VALUE
    assert driver.cuMemcpyDtoH(host, at, 16)[0] == INVALID_VALUE
    assert driver.cuMemsetD8(at, 1, 16)[0] == INVALID_VALUE
    checked(set_access(at, size))
    assert access(at) == access(at + size - 1) == int(READ_WRITE)
    checked(driver.cuMemsetD8(at, 1, 16))
    # A GPU's driver takes access away under the fill, which fails then.
    checked(driver.cuCtxSynchronize())
    checked(set_access(at, size, NOTHING))
    assert driver.cuMemcpyDtoH(host, at, 16)[0] == INVALID_VALUE
    checked(set_access(at, size))
    # What is in memory does not depend on access.
    assert words(at, 4) == [0x01010101] * 4
    free(at, size)


def test_memory_may_be_read_only(stream: cuox.Stream) -> None:
    size = granularity()
    at = mapped(size)
    checked(driver.cuMemsetD32(at, 2, 100))
    checked(driver.cuCtxSynchronize())
    checked(set_access(at, size, READ))
    assert access(at) == int(READ)
    assert driver.cuMemsetD32(at, 3, 100)[0] == INVALID_VALUE
    assert words(at, 2) == [2, 2]
    result = mapped(size)
    checked(driver.cuMemsetD32(result, 0, 1))
    kernel("sum")[1, 32, stream](at, 100, result)
    stream.sync()
    assert words(result, 1) == [200]
    free(at, size)
    free(result, size)


FAULT = """
from mappings import *
import cuox
cuox.Device().set_current()
size = granularity()
at = {at}
try:
    kernel("{kernel}")[1, 32](at, {arguments})
    cuox.Device().sync()
except cuox.CUDAError as error:
    print(error.code, error)
else:
    print("nothing was raised")
"""


@pytest.mark.parametrize(
    ("at", "run", "arguments", "words"),
    [
        ("reserve(size)", "fill", "1, 32", "the reservation of"),
        ("mapped(size, None)", "fill", "1, 32", "nobody was given access"),
        ("mapped(size, NOTHING)", "sum", "32, mapped(size)", "nobody was given access"),
        ("mapped(size, READ)", "fill", "1, 32", "may only be read"),
    ],
)
def test_kernels_want_access(
    run_script: Callable[..., subprocess.CompletedProcess[str]],
    device: cuox.Device,
    at: str,
    run: str,
    arguments: str,
    words: str,
) -> None:
    script = FAULT.format(at=at, kernel=run, arguments=arguments)
    for checks in ("", "memory"):
        done = run_script(script, CUOX_SOFT_CHECK=checks)
        assert done.stdout.startswith("700 "), (done.stdout, done.stderr)
        if device.name.startswith("cuox"):
            assert words in done.stdout


def test_every_access_is_checked_over_mappings(
    run_script: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    script = """
        from mappings import *
        import cuox
        cuox.Device().set_current()
        size = granularity()
        at = reserve(3 * size)
        for piece in range(2):
            handle = create(size)
            checked(driver.cuMemMap(at + piece * size, size, 0, handle, 0))
        checked(set_access(at, 2 * size))
        count = 2 * size // 4
        kernel("fill")[count // 256, 256](at, 3, count)
        cuox.Device().sync()
        try:
            kernel("fill")[count // 256 + 1, 256](at, 3, count + 1)
            cuox.Device().sync()
        except cuox.CUDAError as error:
            print(error.code)
    """
    done = run_script(script, CUOX_SOFT_CHECK="memory")
    assert done.stdout == "700\n", (done.stdout, done.stderr)


def test_memory_lives_until_it_is_unmapped() -> None:
    size = granularity()
    at, handle = reserve(size), create(size)
    checked(driver.cuMemMap(at, size, 0, handle, 0))
    checked(set_access(at, size))
    checked(driver.cuMemRelease(handle))
    checked(driver.cuMemsetD32(at, 11, 4))
    checked(driver.cuCtxSynchronize())
    again = int(checked(driver.cuMemRetainAllocationHandle(at + 5)))
    checked(driver.cuMemUnmap(at, size))
    checked(driver.cuMemMap(at, size, 0, again, 0))
    assert driver.cuMemcpyDtoH(bytearray(4), at, 4)[0] == INVALID_VALUE
    checked(set_access(at, size))
    assert words(at, 4) == [11] * 4
    checked(driver.cuMemRelease(again))
    free(at, size)
    assert driver.cuMemRetainAllocationHandle(at)[0] == INVALID_VALUE


@pytest.mark.skipif(os.environ.get("CUOX_DEVICE") == "gpu", reason="a GPU's driver follows such handles, and crashes")
def test_handles_are_released_once() -> None:
    handle = create(granularity())
    checked(driver.cuMemRelease(handle))
    at = reserve(granularity())
    assert driver.cuMemRelease(handle)[0] == INVALID_VALUE
    assert driver.cuMemMap(at, granularity(), 0, handle, 0)[0] == INVALID_VALUE
    assert driver.cuMemGetAllocationPropertiesFromHandle(handle)[0] == INVALID_VALUE
    assert driver.cuMemRelease(0)[0] == INVALID_VALUE
    checked(driver.cuMemAddressFree(at, granularity()))
    assert driver.cuMemAddressFree(at, granularity())[0] == INVALID_VALUE


@pytest.mark.skipif(os.environ.get("CUOX_DEVICE") == "gpu", reason="other processes take memory of a GPU, too")
@pytest.mark.serial
def test_the_device_counts_memory_not_addresses() -> None:
    size = 4 * granularity()
    checked(driver.cuCtxSynchronize())
    before = int(checked(driver.cuMemGetInfo())[0])
    at = reserve(64 * size)
    assert int(checked(driver.cuMemGetInfo())[0]) == before
    handle = create(size)
    taken = before - int(checked(driver.cuMemGetInfo())[0])
    assert taken == size
    checked(driver.cuMemMap(at, size, 0, handle, 0))
    checked(driver.cuMemMap(at + size, size, 0, handle, 0))
    checked(driver.cuMemRelease(handle))
    assert before - int(checked(driver.cuMemGetInfo())[0]) == size
    checked(driver.cuMemUnmap(at, 2 * size))
    checked(driver.cuMemAddressFree(at, 64 * size))
    assert int(checked(driver.cuMemGetInfo())[0]) == before
    total = int(checked(driver.cuMemGetInfo())[1])
    huge = total // size * size + size
    assert driver.cuMemCreate(huge, properties(), 0)[0] == driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY


def test_wrong_arguments(device: cuox.Device) -> None:
    size = granularity()
    at, handle = reserve(4 * size), create(2 * size)
    refused = [
        driver.cuMemAddressReserve(0, 0, 0, 0),
        driver.cuMemAddressReserve(size + 1, 0, 0, 0),
        driver.cuMemAddressReserve(4096, 0, 0, 0),
        driver.cuMemAddressReserve(size, 3, 0, 0),
        driver.cuMemAddressReserve(size, 0, 0, 1),
        driver.cuMemAddressFree(at, size),
        driver.cuMemCreate(0, properties(), 0),
        driver.cuMemCreate(size + 4096, properties(), 0),
        driver.cuMemCreate(size, properties(), 1),
        driver.cuMemMap(at + 4096, 2 * size, 0, handle, 0),
        driver.cuMemMap(at, 2 * size, 0, handle, 1),
        driver.cuMemGetAccess(properties().location, at),
    ]
    assert [code for code, *_ in refused] == [INVALID_VALUE] * len(refused)
    unknown = driver.cuMemCreate(size, properties(number=1000), 0)
    assert unknown[0] == driver.CUresult.CUDA_ERROR_INVALID_DEVICE
    if device.is_soft:
        assert set_access(at, size)[0] == INVALID_VALUE  # a GPU's answer is not known
        # An H200's driver maps memory behind the end of a reservation.
        assert driver.cuMemMap(at + 3 * size, 2 * size, 0, handle, 0)[0] == INVALID_VALUE
    # Memory is mapped as a whole.
    assert driver.cuMemMap(at, 4 * size, 0, handle, 0)[0] == NOT_SUPPORTED
    assert driver.cuMemMap(at, size, 0, handle, 0)[0] == NOT_SUPPORTED
    assert driver.cuMemMap(at, size, size, handle, 0)[0] == NOT_SUPPORTED
    checked(driver.cuMemUnmap(at, size))
    checked(driver.cuMemMap(at, 2 * size, 0, handle, 0))
    assert driver.cuMemMap(at, 2 * size, 0, handle, 0)[0] == INVALID_VALUE
    assert driver.cuMemMap(at + size, 2 * size, 0, handle, 0)[0] == INVALID_VALUE
    for part in (at, at + size):
        assert set_access(part, size)[0] == driver.cuMemUnmap(part, size)[0] == INVALID_VALUE
    assert driver.cuMemFree(at)[0] == INVALID_VALUE
    checked(driver.cuMemRelease(handle))
    checked(driver.cuMemUnmap(at, 2 * size))
    checked(driver.cuMemAddressFree(at, 4 * size))


def test_properties_of_a_handle() -> None:
    handle = create(granularity(), properties(handles=DESCRIPTOR))
    found = checked(driver.cuMemGetAllocationPropertiesFromHandle(handle))
    assert found.type == driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    assert found.requestedHandleTypes == DESCRIPTOR
    assert (int(found.location.type), found.location.id) == (1, 0)
    checked(driver.cuMemRelease(handle))


def test_what_handles_may_be_asked_for() -> None:
    size, made = granularity(), driver.cuMemGetAllocationGranularity
    minimum = driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
    current = properties(driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
    assert int(checked(made(current, minimum))) == size
    assert driver.cuMemCreate(size, current, 0)[0] == INVALID_VALUE
    managed = properties()
    managed.type = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_MANAGED
    assert driver.cuMemCreate(size, managed, 0)[0] == INVALID_VALUE
    for name in ("compressionType", "gpuDirectRDMACapable", "usage"):
        asked = properties()
        setattr(asked.allocFlags, name, 1)
        if name == "gpuDirectRDMACapable" and os.environ.get("CUOX_DEVICE") == "gpu":
            rdma = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED
            if not checked(driver.cuDeviceGetAttribute(rdma, 0)):
                continue
        handle = create(size, asked)
        found = checked(driver.cuMemGetAllocationPropertiesFromHandle(handle))
        compression = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED
        is_compressed = name == "compressionType" and checked(driver.cuDeviceGetAttribute(compression, 0))
        assert found.allocFlags.compressionType == int(bool(is_compressed))
        checked(driver.cuMemRelease(handle))


def test_pointer_attributes(device: cuox.Device) -> None:
    size = granularity()
    at, handle = reserve(4 * size), create(size, properties(handles=DESCRIPTOR))
    checked(driver.cuMemMap(at + size, size, 0, handle, 0))
    checked(driver.cuMemRelease(handle))
    checked(set_access(at + size, size))
    inside = at + size + 100
    assert int(attribute("MEMORY_TYPE", inside)) == 2
    assert int(attribute("DEVICE_ORDINAL", inside)) == 0
    assert int(attribute("DEVICE_POINTER", inside)) == inside
    assert int(attribute("RANGE_START_ADDR", inside)) == at
    assert int(attribute("RANGE_SIZE", inside)) == 4 * size
    assert int(attribute("ALLOWED_HANDLE_TYPES", inside)) == int(DESCRIPTOR)
    assert bool(attribute("MAPPED", inside))
    assert not attribute("IS_MANAGED", inside)
    # An H200 tells of some beside what is mapped.
    for name in ("RANGE_START_ADDR", "RANGE_SIZE", "MAPPED", "MEMORY_TYPE", "DEVICE_ORDINAL") * device.is_soft:
        which = getattr(driver.CUpointer_attribute, f"CU_POINTER_ATTRIBUTE_{name}")
        assert driver.cuPointerGetAttribute(which, at)[0] == INVALID_VALUE
    base, length = checked(driver.cuMemGetAddressRange(inside))
    assert (int(base), int(length)) == (at + size, size)
    checked(driver.cuMemUnmap(at + size, size))
    checked(driver.cuMemAddressFree(at, 4 * size))


def test_access_to_other_memory_is_not_given() -> None:
    at = int(checked(driver.cuMemAlloc(64)))
    assert access(at) == int(NOTHING)
    checked(driver.cuMemFree(at))


def test_an_address_that_is_asked_for() -> None:
    size = granularity()
    at = reserve(8 * size)
    checked(driver.cuMemAddressFree(at, 8 * size))
    # A hint: what is given is free, and of that size.
    again = reserve(2 * size, at + 2 * size)
    handle = create(2 * size)
    checked(driver.cuMemMap(again, 2 * size, 0, handle, 0))
    checked(driver.cuMemRelease(handle))
    other = reserve(2 * size, again)
    assert other >= again + 2 * size or other + 2 * size <= again
    checked(driver.cuMemAddressFree(other, 2 * size))
    free(again, 2 * size)


@pytest.mark.skipif(os.environ.get("CUOX_DEVICE") == "gpu", reason="a GPU's driver does not wait: the kernel fails")
def test_unmapping_waits_for_kernels(stream: cuox.Stream) -> None:
    size = granularity()
    at, other = reserve(size), reserve(size)
    handle = create(size)
    for address in (at, other):
        checked(driver.cuMemMap(address, size, 0, handle, 0))
        checked(set_access(address, size))
    checked(driver.cuMemsetD32(at, 0, 2))
    kernel("slow")[1, 1, stream](at, 300_000)
    checked(driver.cuMemUnmap(at, size))
    stream.sync()
    assert words(other, 2) == [300_000, 42]
    checked(driver.cuMemRelease(handle))
    checked(driver.cuMemAddressFree(at, size))
    free(other, size)


def test_many_mappings() -> None:
    # More than a process may have files open.
    size, count = granularity(), 1500
    at = reserve(count * size)
    handles = [create(size) for _ in range(8)]
    for piece in range(count):
        checked(driver.cuMemMap(at + piece * size, size, 0, handles[piece % 8], 0))
    checked(set_access(at, count * size))
    for piece in range(8):
        checked(driver.cuMemsetD32(at + piece * size, piece, 1))
    assert words(at + (count - 1) * size, 1) == [(count - 1) % 8]
    for handle in handles:
        checked(driver.cuMemRelease(handle))
    free(at, count * size)


def test_threads_map_and_unmap(device: cuox.Device) -> None:
    size, failed = granularity(), []

    def work(number: int) -> None:
        try:
            device.set_current()
            for turn in range(20):
                at = mapped(size)
                checked(driver.cuMemsetD32(at, number * 100 + turn, 4))
                assert words(at, 4) == [number * 100 + turn] * 4
                free(at, size)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


@pytest.mark.parametrize("kind", ["HOST", "HOST_NUMA"])
def test_memory_of_the_host(device: cuox.Device, stream: cuox.Stream, kind: str) -> None:
    name = "host_virtual_memory_management_supported" if kind == "HOST" else None
    name = name or "host_numa_virtual_memory_management_supported"
    if not getattr(device.properties, name):
        pytest.skip("not memory of this place")
    where = {"HOST": HOST, "HOST_NUMA": HOST_NUMA}[kind]
    of = properties(where)
    size = max(granularity(of), granularity())
    at = mapped(size, None, of)
    checked(set_access(at, size))
    checked(set_access(at, size, kind=where))
    assert access(at, where) == int(READ_WRITE)
    kernel("fill")[1, 32, stream](at, 9, 32)
    stream.sync()
    seen = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_int * 32).from_address(at))
    assert list(seen) == [9] * 32
    free(at, size)


def test_the_host_has_no_access_to_memory_of_a_device() -> None:
    size = granularity()
    at = mapped(size)
    for kind in (HOST, HOST_NUMA):
        assert set_access(at, size, kind=kind)[0] == NOT_SUPPORTED
    free(at, size)


PEER = """
import sys
from mappings import *
import cuox
cuox.Device().set_current()
size = granularity()
handle = int(checked(driver.cuMemImportFromShareableHandle(int(sys.argv[1]), DESCRIPTOR)))
at = reserve(size)
checked(driver.cuMemMap(at, size, 0, handle, 0))
checked(driver.cuMemRelease(handle))
checked(set_access(at, size))
data = bytearray(8)
checked(driver.cuMemcpyDtoH(data, at, 8))
print(list(memoryview(data).cast("I")))
checked(driver.cuMemsetD32(at, 22, 1))
checked(driver.cuCtxSynchronize())
free(at, size)
"""


def test_another_process_maps_the_memory() -> None:
    size = granularity()
    at, handle = reserve(size), create(size, properties(handles=DESCRIPTOR))
    checked(driver.cuMemMap(at, size, 0, handle, 0))
    checked(set_access(at, size))
    checked(driver.cuMemsetD32(at, 21, 2))
    checked(driver.cuCtxSynchronize())
    descriptor = int(checked(driver.cuMemExportToShareableHandle(handle, DESCRIPTOR, 0)))
    done = subprocess.run(
        [sys.executable, "-c", PEER, str(descriptor)],
        capture_output=True,
        text=True,
        timeout=120,
        pass_fds=(descriptor,),
        env=with_helpers(),
    )
    assert done.stdout == "[21, 21]\n", done.stderr
    assert words(at, 2) == [22, 21]
    # This process may get it back, too.
    again = int(checked(driver.cuMemImportFromShareableHandle(descriptor, DESCRIPTOR)))
    os.close(descriptor)
    other = reserve(size)
    checked(driver.cuMemMap(other, size, 0, again, 0))
    checked(set_access(other, size))
    assert words(other, 2) == [22, 21]
    for one in (handle, again):
        checked(driver.cuMemRelease(one))
    free(at, size)
    free(other, size)


def test_memory_that_cannot_be_shared() -> None:
    handle = create(granularity())
    assert driver.cuMemExportToShareableHandle(handle, DESCRIPTOR, 0)[0] != OK
    checked(driver.cuMemRelease(handle))
    with open(os.devnull) as other:
        wrong = driver.cuMemImportFromShareableHandle(other.fileno(), DESCRIPTOR)
    assert wrong[0] != OK


def test_a_child_by_fork_leaves_the_memory_alone(
    run_script: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    script = """
        import os
        from mappings import *
        import cuox
        cuox.Device().set_current()
        size = granularity()
        at = mapped(size)
        checked(driver.cuMemsetD32(at, 5, 1))
        child = os.fork()
        if child == 0:
            os._exit(int(driver.cuMemUnmap(at, size)[0] == OK))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        data = bytearray(4)
        checked(driver.cuMemcpyDtoH(data, at, 4))
        print(data[0])
        # The process ends with the memory mapped.
    """
    done = run_script(script)
    assert (done.stdout, done.returncode) == ("0\n5\n", 0), done.stderr


@pytest.mark.skipif(os.environ.get("CUOX_DEVICE") == "gpu", reason="wants two devices")
def test_devices_have_access_each_for_itself(
    run_script: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    script = """
        from mappings import *
        import cuox
        first, second = cuox.Device.get_all_devices()
        first.set_current()
        size = granularity()
        at = mapped(size, READ_WRITE)
        print(access(at), access(at, DEVICE, 1))
        checked(set_access(at, size, READ, DEVICE, 1))
        print(access(at), access(at, DEVICE, 1))
        second.set_current()
        print(int(attribute("ACCESS_FLAGS", at)), int(attribute("DEVICE_ORDINAL", at)))
        there = mapped(size, None, properties(number=1))
        print(int(driver.cuMemsetD8(there, 1, 4)[0]))
        checked(set_access(there, size, READ_WRITE, DEVICE, 0))
        print(int(driver.cuMemsetD8(there, 1, 4)[0]), int(attribute("DEVICE_ORDINAL", there)))
        print(checked(driver.cuMemGetInfo())[1] - checked(driver.cuMemGetInfo())[0] >= size)
        print(int(set_access(at, size, READ, DEVICE, 2)[0]))
    """
    done = run_script(script, CUOX_SOFT_DEVICES="2")
    assert done.stdout == "3 0\n3 1\n1 0\n1\n0 1\nTrue\n101\n", (done.stdout, done.stderr)


@pytest.fixture
def resource(device: cuox.Device) -> VirtualMemoryResource:
    return VirtualMemoryResource(device)


def contents(buffer: Buffer, count: int) -> list[int]:
    return words(int(buffer.handle), count)


def test_a_resource(device: cuox.Device, resource: VirtualMemoryResource, stream: cuox.Stream) -> None:
    assert (resource.device_id, resource.is_device_accessible, resource.is_host_accessible) == (0, True, False)
    assert resource.device is device and resource.config == VirtualMemoryResourceOptions()
    buffer = resource.allocate(1000)
    assert buffer.size == granularity() and buffer.memory_resource is resource
    assert (buffer.device_id, buffer.is_device_accessible, buffer.is_host_accessible) == (0, True, False)
    kernel("fill")[1, 32, stream](buffer, 4, 32)
    stream.sync()
    assert contents(buffer, 32) == [4] * 32
    at = int(buffer.handle)
    buffer.close()
    assert driver.cuMemRetainAllocationHandle(at)[0] == INVALID_VALUE


def test_a_buffer_grows(resource: VirtualMemoryResource, stream: cuox.Stream) -> None:
    size = granularity()
    buffer = resource.allocate(size)
    checked(driver.cuMemsetD32(int(buffer.handle), 6, size // 4))
    for times in (2, 3, 5):
        grown = resource.modify_allocation(buffer, times * size - 100)
        assert grown.size == times * size and buffer.is_closed
        assert contents(grown, size // 4) == [6] * (size // 4)
        count = grown.size // 4
        kernel("fill")[count // 256, 256, stream](grown, 6, count)
        stream.sync()
        buffer = grown
    # Not larger: the buffer itself.
    assert resource.modify_allocation(buffer, size) is buffer
    buffer.close()
    with pytest.raises(cuox.ClosedError):
        resource.modify_allocation(buffer, 10 * size)


def test_buffers_are_closed_behind_kernels(resource: VirtualMemoryResource, stream: cuox.Stream) -> None:
    # A GPU's driver unmaps memory under kernels: the resource waits.
    result = mapped(granularity())
    buffer = resource.allocate(10)
    checked(driver.cuMemsetD32(int(buffer.handle), 1, 2))
    checked(driver.cuMemsetD32(result, 0, 1))
    checked(driver.cuCtxSynchronize())
    kernel("slow")[1, 1, stream](buffer, 300_000)
    kernel("sum")[1, 32, stream](buffer, 2, result)
    resource.modify_allocation(buffer, 10, {"self_access": "r"}).close()
    stream.sync()
    assert words(result, 1) == [300_001 + 42]
    free(result, granularity())


def test_a_buffer_grows_where_others_are_in_its_way(resource: VirtualMemoryResource) -> None:
    size = granularity()
    buffers = [resource.allocate(size) for _ in range(4)]
    for number, buffer in enumerate(buffers):
        checked(driver.cuMemsetD32(int(buffer.handle), number, 4))
    grown = [resource.modify_allocation(buffer, 2 * size) for buffer in buffers]
    grown = [resource.modify_allocation(buffer, 3 * size) for buffer in grown]
    for number, buffer in enumerate(grown):
        assert contents(buffer, 4) == [number] * 4
        buffer.close()


@pytest.mark.filterwarnings("ignore:device memory of the software GPU")
def test_views_keep_what_a_buffer_has_grown_from(resource: VirtualMemoryResource) -> None:
    buffer = resource.allocate(granularity())
    checked(driver.cuMemsetD8(int(buffer.handle), 3, 16))
    at, view = int(buffer.handle), buffer.__dlpack__()
    grown = resource.modify_allocation(buffer, 2 * granularity())
    checked(driver.cuMemsetD8(int(grown.handle), 4, 8))
    expected = [0x04040404] * 2 + [0x03030303] * 2
    assert words(at, 4) == contents(grown, 4) == expected
    if at == int(grown.handle):
        grown.close()
        assert words(at, 4) == expected
        del view
    else:
        del view
        assert contents(grown, 4) == expected
        grown.close()
    assert driver.cuMemRetainAllocationHandle(at)[0] == INVALID_VALUE


def test_access_changes_with_the_options(resource: VirtualMemoryResource) -> None:
    buffer = resource.allocate(10)
    at = int(buffer.handle)
    assert access(at) == int(READ_WRITE)
    read_only = VirtualMemoryResourceOptions(self_access="r")
    assert resource.modify_allocation(buffer, 10, read_only) is buffer
    assert access(at) == int(READ) and resource.config is read_only
    grown = resource.modify_allocation(buffer, 2 * granularity(), {"self_access": "rw"})
    assert access(int(grown.handle)) == access(int(grown.handle) + granularity()) == int(READ_WRITE)
    grown.close()
    without = VirtualMemoryResource(0, {"self_access": None})
    buffer = without.allocate(10)
    assert access(int(buffer.handle)) == int(NOTHING)
    buffer.close()


def test_a_resource_of_the_host(device: cuox.Device) -> None:
    if not device.properties.host_virtual_memory_management_supported:
        pytest.skip("not memory of this place")
    resource = VirtualMemoryResource(device, VirtualMemoryResourceOptions(location_type="host", handle_type=None))
    assert (resource.device, resource.device_id) == (None, -1)
    assert (resource.is_device_accessible, resource.is_host_accessible) == (False, True)
    buffer = resource.allocate(100)
    assert access(int(buffer.handle), HOST) == int(READ_WRITE)
    buffer.close()


def test_the_hosts_views_have_its_access(device: cuox.Device) -> None:
    if not device.properties.host_virtual_memory_management_supported:
        pytest.skip("not memory of this place")
    host = {"location_type": "host", "handle_type": None}

    def resource(self_access: str | None) -> VirtualMemoryResource:
        return VirtualMemoryResource(device, {**host, "self_access": self_access})

    def view(buffer: Buffer) -> StridedMemoryView:
        return StridedMemoryView.from_buffer(buffer, (64,), dtype=np.dtype(np.uint8))

    hidden = resource(None).allocate(64)
    for show in (memoryview, np.from_dlpack, lambda it: np.from_dlpack(view(it))):
        with pytest.raises(BufferError, match="the host may not read the memory"):
            show(hidden)
    hidden.close()
    fixed = resource("r").allocate(64)
    assert memoryview(fixed).readonly
    for array in (np.from_dlpack(fixed), np.from_dlpack(view(fixed))):
        assert not array.flags.writeable and array[0] == 0
    with pytest.raises(TypeError, match="not writable"):
        (ctypes.c_char * 64).from_buffer(fixed)
    both = resource("rw")
    buffer = both.allocate(64)
    for show in (np.from_dlpack, lambda it: np.from_dlpack(view(it)), lambda it: np.frombuffer(it, np.uint8)):
        array = show(buffer)
        for size in (1, 10 * granularity()):
            with pytest.raises(BufferError, match="arrays or memoryviews show the memory"):
                both.modify_allocation(buffer, size, {**host, "self_access": "r"})
        assert both.config.self_access == "rw"
        array[0] += 1
        del array
    assert both.modify_allocation(buffer, 1, {**host, "self_access": "r"}) is buffer
    shown = np.frombuffer(buffer, np.uint8)
    assert shown[0] == 3 and not shown.flags.writeable
    # What may only be read already loses nothing.
    assert both.modify_allocation(buffer, 1, {**host, "self_access": "r"}) is buffer
    assert shown[0] == 3


@pytest.mark.filterwarnings("ignore:device memory of the software GPU")
def test_access_to_device_memory_that_is_shown_as_the_hosts(device: cuox.Device) -> None:
    if not device.is_soft:
        pytest.skip("a GPU's memory is not the host's")
    with pytest.raises(BufferError, match="the host may not read the memory"):
        np.from_dlpack(VirtualMemoryResource(device, {"self_access": None}).allocate(64))
    array = np.from_dlpack(VirtualMemoryResource(device, {"self_access": "r"}).allocate(64))
    assert not array.flags.writeable and array[0] == 0
    array = np.from_dlpack(VirtualMemoryResource(device).allocate(64))
    array[0] = 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"self_access": "w"}, 'self_access: expected one of "rw", "r", None'),
        ({"location_type": "disk"}, 'location_type: expected one of "device", "host", '),
        ({"handle_type": "win32"}, 'handle_type: expected one of None, "posix_fd", '),
        ({"granularity": 3}, 'granularity: expected one of "minimum", "recommended", got 3'),
        ({"allocation_type": None}, 'allocation_type: expected one of "pinned", "managed", got None'),
    ],
)
def test_wrong_options(device: cuox.Device, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        VirtualMemoryResource(device, options).allocate(10)


def test_wrong_uses_of_a_resource(device: cuox.Device, resource: VirtualMemoryResource) -> None:
    with pytest.raises(TypeError, match="config: expected VirtualMemoryResourceOptions"):
        VirtualMemoryResource(device, 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected at least 0, got -1"):
        resource.allocate(-1)
    other = VirtualMemoryResource(device).allocate(10)
    with pytest.raises(ValueError, match="a buffer that this resource made"):
        resource.modify_allocation(other, 10)
    other.close()
    if not device.properties.gpu_direct_rdma_supported:
        with pytest.raises(RuntimeError, match="GPU Direct RDMA is not supported"):
            VirtualMemoryResource(device, {"gpu_direct_rdma": True})


@pytest.mark.serial
def test_a_resource_that_fails_has_taken_nothing(device: cuox.Device, resource: VirtualMemoryResource) -> None:
    free_bytes, total = checked(driver.cuMemGetInfo())
    with pytest.raises(cuox.CUDAError, match="OUT_OF_MEMORY"):
        resource.allocate(2 * total)
    buffer = resource.allocate(10)
    with pytest.raises(cuox.CUDAError, match="OUT_OF_MEMORY"):
        resource.modify_allocation(buffer, 2 * total)
    assert not buffer.is_closed and contents(buffer, 1) == contents(buffer, 1)
    buffer.close()
    # Other processes take memory of a GPU, too.
    if device.is_soft:
        assert checked(driver.cuMemGetInfo())[0] == free_bytes


def test_only_whole_memory_is_given_back(device: cuox.Device) -> None:
    resource = VirtualMemoryResource(device)
    buffer = resource.allocate(16)
    for size in (0, 16, buffer.size // 2, buffer.size + 1):
        with pytest.raises(ValueError, match=f"there are buffers of {buffer.size} bytes, none of {size}"):
            resource.deallocate(int(buffer.handle), size)
    buffer.fill(1)
    device.sync()
    buffer.close()
