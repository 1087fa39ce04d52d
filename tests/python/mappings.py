"""Virtual memory management in the words of its tests; scripts of theirs import it too."""

from __future__ import annotations

from typing import Any

import cuox
from cuox.cuda.bindings import driver

OK = driver.CUresult.CUDA_SUCCESS
INVALID_VALUE = driver.CUresult.CUDA_ERROR_INVALID_VALUE
NOTHING, READ, READ_WRITE = (
    driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_NONE,
    driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READ,
    driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
)
DEVICE = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
HOST = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST
HOST_NUMA = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST_NUMA
DESCRIPTOR = driver.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
KERNELS = r"""
extern "C" __global__ void fill(int *to, int value, int count) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) to[at] = value;
}
extern "C" __global__ void sum(const int *from, int count, int *result) {
    int own = 0;
    for (int at = threadIdx.x; at < count; at += blockDim.x) own += from[at];
    atomicAdd(result, own);
}
extern "C" __global__ void slow(int *to, long long turns) {
    volatile int *there = to;
    for (long long turn = 0; turn < turns; turn++) there[0] = there[0] + 1;
    there[1] = 42;
}
"""


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == OK, result
    values = result[1:]
    return values[0] if len(values) == 1 else values


def place(kind: Any = DEVICE, number: int = 0) -> Any:
    made = driver.CUmemLocation()
    made.type, made.id = kind, number
    return made


def properties(kind: Any = DEVICE, number: int = 0, handles: Any = None) -> Any:
    made = driver.CUmemAllocationProp()
    made.type = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    made.location.type, made.location.id = kind, number
    if handles is not None:
        made.requestedHandleTypes = handles
    return made


def granularity(of: Any = None) -> int:
    option = driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
    return int(checked(driver.cuMemGetAllocationGranularity(of or properties(), option)))


def create(size: int, of: Any = None) -> int:
    return int(checked(driver.cuMemCreate(size, of or properties(), 0)))


def reserve(size: int, hint: int = 0) -> int:
    return int(checked(driver.cuMemAddressReserve(size, 0, hint, 0)))


def set_access(at: int, size: int, flags: Any = READ_WRITE, kind: Any = DEVICE, number: int = 0) -> tuple[Any, ...]:
    one = driver.CUmemAccessDesc()
    one.location.type, one.location.id = kind, number
    one.flags = flags
    return driver.cuMemSetAccess(at, size, [one], 1)


def access(at: int, kind: Any = DEVICE, number: int = 0) -> int:
    return int(checked(driver.cuMemGetAccess(place(kind, number), at)))


def mapped(size: int, flags: Any = READ_WRITE, of: Any = None) -> int:
    """Memory at an address of its own, whose handle is released already."""
    at, handle = reserve(size), create(size, of)
    checked(driver.cuMemMap(at, size, 0, handle, 0))
    checked(driver.cuMemRelease(handle))
    if flags is not None:
        checked(set_access(at, size, flags))
    return at


def free(at: int, size: int) -> None:
    checked(driver.cuMemUnmap(at, size))
    checked(driver.cuMemAddressFree(at, size))


def attribute(name: str, at: int) -> Any:
    which = getattr(driver.CUpointer_attribute, f"CU_POINTER_ATTRIBUTE_{name}")
    return checked(driver.cuPointerGetAttribute(which, at))


def kernel(name: str) -> cuox.Kernel:
    return cuox.Program(KERNELS, code_type="c++").compile("ptx").get_kernel(name)
