"""Peer access: `cuCtxEnablePeerAccess` and its like, and copies between contexts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cuox
import pytest
from cuox.cuda.bindings import driver

np = pytest.importorskip("numpy")

Code = driver.CUresult


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == Code.CUDA_SUCCESS, result
    return result[1] if len(result) == 2 else result[1:]


@pytest.fixture
def context(device: cuox.Device) -> Iterator[driver.CUcontext]:
    checked(driver.cuInit(0))
    primary = checked(driver.cuDevicePrimaryCtxRetain(0))
    checked(driver.cuCtxSetCurrent(primary))
    yield primary
    checked(driver.cuDevicePrimaryCtxRelease(0))


def test_a_device_is_no_peer_of_itself(context: driver.CUcontext) -> None:
    assert checked(driver.cuDeviceCanAccessPeer(0, 0)) == 0
    rank = driver.CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK
    assert driver.cuDeviceGetP2PAttribute(rank, 0, 0)[0] == Code.CUDA_ERROR_INVALID_DEVICE
    assert driver.cuDeviceCanAccessPeer(0, checked(driver.cuDeviceGetCount()))[0] == Code.CUDA_ERROR_INVALID_DEVICE
    # As an H200's driver answers; the manual has INVALID_CONTEXT.
    assert driver.cuCtxEnablePeerAccess(context, 0)[0] == Code.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
    assert driver.cuCtxDisablePeerAccess(context)[0] != Code.CUDA_SUCCESS


def test_copies_between_a_context_and_itself(context: driver.CUcontext) -> None:
    values, got = np.arange(8, dtype=np.uint32), np.zeros(8, np.uint32)
    source, target = (int(checked(driver.cuMemAlloc(values.nbytes))) for _ in range(2))
    checked(driver.cuMemcpyHtoD(source, values, values.nbytes))
    checked(driver.cuMemcpyPeer(target, context, source, context, values.nbytes))
    checked(driver.cuMemcpyDtoH(got, target, got.nbytes))
    assert (got == values).all()
    checked(driver.cuMemcpyPeerAsync(target, context, source + 16, context, 16, 0))
    checked(driver.cuCtxSynchronize())
    checked(driver.cuMemcpyDtoH(got, target, got.nbytes))
    assert got.tolist() == [4, 5, 6, 7, 4, 5, 6, 7]
    checked(driver.cuMemFree(source))
    checked(driver.cuMemFree(target))
