"""`max_potential_block_size` with a function of C in place of a number of bytes."""

from __future__ import annotations

import ctypes

import cuox
import pytest
from cuox.cuda.bindings import driver

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int)


@pytest.fixture
def kernel(device: cuox.Device) -> cuox.Kernel:
    source = 'extern "C" __global__ void k(int *p) { extern __shared__ int s[]; s[threadIdx.x] = 1; *p = s[0]; }'
    return cuox.Program(source).compile("cubin").get_kernel("k")


@pytest.mark.parametrize("by", ["value", "_ptr"])
def test_shared_memory_that_depends_on_the_size(kernel: cuox.Kernel, by: str) -> None:
    asked = []

    @FUNCTION
    def needed(threads: int) -> int:
        asked.append(threads)
        return 200 << 10 if threads > 128 else 0

    address = ctypes.cast(needed, ctypes.c_void_p).value
    wrapped = driver.CUoccupancyB2DSize(_ptr=address) if by == "_ptr" else driver.CUoccupancyB2DSize(address)
    best = kernel.occupancy.max_potential_block_size(wrapped, 0)
    assert best.max_block_size == 128 and best.min_grid_size > 0
    assert 128 in asked and max(asked) > 128
    assert kernel.occupancy.max_potential_block_size(wrapped, 64).max_block_size == 64
    assert kernel.occupancy.max_potential_block_size(0, 0).max_block_size > 128


def test_what_is_no_function(kernel: cuox.Kernel) -> None:
    best = kernel.occupancy.max_potential_block_size
    with pytest.raises(TypeError, match="a number of bytes, or a CUoccupancyB2DSize, got str"):
        best("4", 0)
    with pytest.raises(ValueError, match="there is no function at 0x10"):
        best(driver.CUoccupancyB2DSize(16), 0)
