"""Several software GPUs in a process (`CUOX_SOFT_DEVICES`), through `cuox.cuda.bindings.driver`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

pytest.importorskip("numpy")

Run = Callable[..., "subprocess.CompletedProcess[str]"]

START = '''
import numpy as np
from cuox.cuda.bindings import driver

Code = driver.CUresult
MEMORY = 64 << 20
PTX = b"""
.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 launches;
.visible .entry add(.param .u64 to, .param .u32 value)
{
    .reg .b64 %to, %at;
    .reg .b32 %value, %id, %old;
    .reg .pred %other;
    ld.param.u64 %to, [to];
    ld.param.u32 %value, [value];
    mov.u32 %id, %tid.x;
    mad.wide.u32 %at, %id, 4, %to;
    ld.u32 %old, [%at];
    add.u32 %old, %old, %value;
    st.u32 [%at], %old;
    setp.ne.u32 %other, %id, 0;
    @%other ret;
    atom.global.add.u32 %old, [launches], 1;
    ret;
}
"""


def checked(result):
    assert result[0] == Code.CUDA_SUCCESS, result
    return result[1] if len(result) == 2 else result[1:]


checked(driver.cuInit(0))
primary = [checked(driver.cuDevicePrimaryCtxRetain(device)) for device in range(checked(driver.cuDeviceGetCount()))]


def use(device):
    checked(driver.cuCtxSetCurrent(primary[device]))


def upload(values):
    at = checked(driver.cuMemAlloc(values.nbytes))
    checked(driver.cuMemcpyHtoD(at, values, values.nbytes))
    return at


def download(at, count):
    got = np.zeros(count, np.uint32)
    checked(driver.cuMemcpyDtoH(got, at, got.nbytes))
    return got.tolist()


def add(function, to, value, threads=4, stream=0):
    values = np.array([int(to)], np.uint64), np.array([value], np.uint32)
    pointers = np.array([value.ctypes.data for value in values], np.uint64)
    return driver.cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, pointers, 0)[0]
'''


@pytest.fixture
def passes(run_script: Run) -> Callable[[str], None]:
    """Runs a program that checks itself, with two software GPUs."""

    def run(program: str) -> None:
        settings = {"CUOX_DEVICE": "soft", "CUOX_SOFT_DEVICES": "2", "CUOX_SOFT_MEMORY": "64M"}
        done = run_script(START + program + "\nprint('right')\n", **settings)
        assert done.stdout == "right\n" and not done.stderr, done

    return run


def test_there_is_one_device_unless_more_are_asked_for(run_script: Run) -> None:
    program = "from cuox.cuda.bindings import driver; driver.cuInit(0); print(driver.cuDeviceGetCount()[1])"
    for value, count in [("", 1), ("1", 1), ("16", 16)]:
        done = run_script(program, CUOX_DEVICE="soft", CUOX_SOFT_DEVICES=value)
        assert (done.stdout, done.stderr) == (f"{count}\n", "")
    for value in ["0", "17", "two"]:
        done = run_script(program, CUOX_DEVICE="soft", CUOX_SOFT_DEVICES=value)
        said = f"cuox: CUOX_SOFT_DEVICES={value} is ignored: expected a number of devices from 1 to 16\n"
        assert (done.stdout, done.stderr) == ("1\n", said)


def test_devices_and_contexts_are_told_apart(passes: Callable[[str], None]) -> None:
    passes("""
bus = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID
for device in range(2):
    place = checked(driver.cuDeviceGetPCIBusId(16, device))
    assert place.startswith(b"0000:0%d:00.0" % (device + 1)), place
    assert int(checked(driver.cuDeviceGetByPCIBusId(place))) == device
    assert checked(driver.cuDeviceGetAttribute(bus, device)) == device + 1
    assert checked(driver.cuDeviceTotalMem(device)) == MEMORY
    use(device)
    assert int(checked(driver.cuCtxGetDevice())) == device
    made = checked(driver.cuStreamCreate(0))
    assert int(checked(driver.cuStreamGetCtx(made))) == int(primary[device])
assert bytes(checked(driver.cuDeviceGetUuid(0)).bytes) != bytes(checked(driver.cuDeviceGetUuid(1)).bytes)
assert int(primary[0]) != int(primary[1])
assert driver.cuDeviceGet(2)[0] == driver.cuDevicePrimaryCtxRetain(2)[0] == Code.CUDA_ERROR_INVALID_DEVICE
""")


def test_each_device_has_memory_and_pools(passes: Callable[[str], None]) -> None:
    passes("""
most = MEMORY - (8 << 20)
ordinal = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
use(1)
held = checked(driver.cuMemAlloc(most))
assert checked(driver.cuPointerGetAttribute(ordinal, held)) == 1
assert checked(driver.cuMemGetInfo()) == (MEMORY - most, MEMORY)
assert driver.cuMemAlloc(most)[0] == Code.CUDA_ERROR_OUT_OF_MEMORY
use(0)
assert checked(driver.cuMemGetInfo()) == (MEMORY, MEMORY)
pooled = checked(driver.cuMemAllocAsync(most, 0))
assert checked(driver.cuPointerGetAttribute(ordinal, pooled)) == 0
assert driver.cuMemAllocAsync(most, 0)[0] == Code.CUDA_ERROR_OUT_OF_MEMORY
checked(driver.cuMemFree(held))
other = checked(driver.cuDeviceGetDefaultMemPool(1))
there = checked(driver.cuMemAllocFromPoolAsync(most, other, 0))
assert checked(driver.cuPointerGetAttribute(ordinal, there)) == 1
assert driver.cuDeviceSetMemPool(0, other)[0] == Code.CUDA_ERROR_INVALID_VALUE
""")


def test_peer_access_is_given_and_taken(passes: Callable[[str], None]) -> None:
    passes("""
assert checked(driver.cuDeviceCanAccessPeer(0, 1)) == checked(driver.cuDeviceCanAccessPeer(1, 0)) == 1
assert checked(driver.cuDeviceCanAccessPeer(1, 1)) == 0
use(0)
assert driver.cuCtxDisablePeerAccess(primary[1])[0] == Code.CUDA_ERROR_PEER_ACCESS_NOT_ENABLED
checked(driver.cuCtxEnablePeerAccess(primary[1], 0))
assert driver.cuCtxEnablePeerAccess(primary[1], 0)[0] == Code.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
checked(driver.cuCtxDisablePeerAccess(primary[1]))
assert driver.cuCtxEnablePeerAccess(primary[0], 0)[0] == Code.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
""")


def test_kernels_copies_and_events_work_together(passes: Callable[[str], None]) -> None:
    passes("""
kernels, streams, events, buffers = [], [], [], []
for device in range(2):
    use(device)
    module = checked(driver.cuModuleLoadData(PTX))
    kernels.append(checked(driver.cuModuleGetFunction(module, b"add")))
    streams.append(checked(driver.cuStreamCreate(1)))
    events.append(checked(driver.cuEventCreate(0)))
    buffers.append(upload(np.arange(4, dtype=np.uint32)))

# Each device adds, then hands on to the other.
for step in range(20):
    here, there = step % 2, 1 - step % 2
    use(here)
    assert add(kernels[here], buffers[here], 1, stream=streams[here]) == Code.CUDA_SUCCESS
    pair = buffers[there], primary[there], buffers[here], primary[here]
    checked(driver.cuMemcpyPeerAsync(*pair, 16, streams[here]))
    checked(driver.cuEventRecord(events[here], streams[here]))
    use(there)
    checked(driver.cuStreamWaitEvent(streams[there], events[here], 0))
checked(driver.cuStreamSynchronize(streams[0]))
assert download(buffers[0], 4) == download(buffers[1], 4) == [20, 21, 22, 23]

# An event and a kernel are of one device.
assert driver.cuEventRecord(events[0], streams[1])[0] == Code.CUDA_ERROR_INVALID_HANDLE
assert add(kernels[0], buffers[1], 1, stream=streams[1]) == Code.CUDA_ERROR_INVALID_HANDLE

# Memory of the other device, managed and pinned memory are within reach.
use(1)
managed = checked(driver.cuMemAllocManaged(16, 1))
checked(driver.cuMemsetD32(managed, 20, 4))
use(0)
for at in (buffers[1], managed):
    assert add(kernels[0], at, 5) == Code.CUDA_SUCCESS
assert download(buffers[1], 4) == [25, 26, 27, 28] and download(managed, 4) == [25] * 4
""")


def test_a_library_is_on_both_devices(passes: Callable[[str], None]) -> None:
    passes("""
library = checked(driver.cuLibraryLoadData(PTX, [], [], 0, [], [], 0))
kernel = checked(driver.cuLibraryGetKernel(library, b"add"))
for device in range(2):
    use(device)
    to = upload(np.zeros(4, np.uint32))
    function = checked(driver.cuKernelGetFunction(kernel))
    for _ in range(device + 2):
        assert add(function, to, 3) == Code.CUDA_SUCCESS
    assert download(to, 4) == [3 * (device + 2)] * 4
    launches, size = checked(driver.cuLibraryGetGlobal(library, b"launches"))
    assert download(launches, 1) == [device + 2]
""")


def test_a_fault_stays_on_its_device(passes: Callable[[str], None]) -> None:
    passes("""
for device in range(2):
    use(device)
    module = checked(driver.cuModuleLoadData(PTX))
    kernel = checked(driver.cuModuleGetFunction(module, b"add"))
    if device == 0:
        assert add(kernel, 64, 1) == Code.CUDA_SUCCESS
        assert driver.cuCtxSynchronize()[0] == Code.CUDA_ERROR_ILLEGAL_ADDRESS
    else:
        to = upload(np.zeros(4, np.uint32))
        assert add(kernel, to, 1) == Code.CUDA_SUCCESS
        assert download(to, 4) == [1] * 4
use(0)
assert driver.cuMemAlloc(16)[0] == Code.CUDA_ERROR_ILLEGAL_ADDRESS
""")
