"""Handles that are none: made up, destroyed, or of another kind. The software GPU looks each up before it uses what it
stands for, whoever calls it.

Every function of the driver is called as C calls it, by its address, since other libraries do so too."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess

import cuox
import pytest
from cuox.cuda.bindings import driver

pytestmark = pytest.mark.skipif(
    not cuox.Device().is_soft, reason="a GPU's driver follows some made-up handles wherever they point"
)

OK = driver.CUresult.CUDA_SUCCESS

SCRIPT = r"""
import ctypes, re, sys
from pathlib import Path
from cuox import _native
from cuox_bind import _native as bind_native
from cuox.cuda.bindings import driver

HANDLES = set(re.findall(r"^class (CU\w+)\(Handle\):", Path(driver.__file__).with_suffix(".pyi").read_text(), re.M)) - {"CUdevice", "CUdeviceptr"}
symbols = bind_native.Symbols([str(_native.driver_path())])
assert driver.cuInit(0)[0] == 0
device = driver.cuDeviceGet(0)[1]
context = driver.cuCtxCreate(None, 0, device)[1]
stream, event = driver.cuStreamCreate(0)[1], driver.cuEventCreate(0)[1]
gone, ended = driver.cuStreamCreate(0)[1], driver.cuEventCreate(0)[1]
values = [1, 2, 1234, 0xDEADBEEF000, 0x7FFF12345670, 2**64 - 16, int(stream), int(event), int(gone), int(ended), int(context) ^ 16]
assert driver.cuStreamDestroy(gone) == driver.cuEventDestroy(ended) == (0,)
rooms = [ctypes.create_string_buffer(1 << 16) for _ in range(16)]
called = 0
# The header gives these names to other functions, which take other arguments.
OTHERS = {"cuGraphInstantiate": "cuGraphInstantiateWithFlags", "cuMemcpyBatchAsync": "cuMemcpyBatchAsync_v2", "cuMemcpy3DBatchAsync": "cuMemcpy3DBatchAsync_v2"}
for prototype in sorted(set(re.findall(r"C: CUresult (cu\w+)\((.*)\)$", Path(driver.__file__).with_suffix(".pyi").read_text(), re.M))):
    name = OTHERS.get(prototype[0], prototype[0])
    parameters = [part.rsplit(" ", 1)[0] for part in prototype[1].split(", ")]
    address = symbols.find(name)
    kinds = ["pointer" if "*" in text or "*" in prototype[1].split(", ")[i] else "handle" if text in HANDLES else "other" for i, text in enumerate(parameters)]
    calls_back = any("Fn" in text or "allback" in text for text in parameters)
    if address is None or "handle" not in kinds or calls_back:
        continue
    function = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * len(kinds))(address)
    for value in values:
        for number in (0, 1):
            for room in rooms:
                ctypes.memset(room, 0, 1 << 16)
            arguments = [
                ctypes.addressof(rooms[i]) if kind == "pointer" else value if kind == "handle" else number for i, kind in enumerate(kinds)
            ]
            print(name, value, number, file=sys.stderr, flush=True)
            function(*arguments)
            called += 1
    # The current object after a call.
    assert driver.cuCtxSetCurrent(context) == (0,)
for captured in (stream, 2):  # one of the functions has begun captures
    driver.cuStreamEndCapture(captured)
assert (said := driver.cuMemAlloc(64)[0]) == 0, f"the driver goes on: {said}"
print(called)
"""


def test_no_function_follows_a_handle_that_is_none(run_script: Callable[..., CompletedProcess[str]]) -> None:
    result = run_script(SCRIPT)
    assert result.returncode == 0, f"{result.returncode} after {result.stderr[-500:]}"
    assert int(result.stdout) > 1000


@pytest.mark.parametrize("value", [1, 1234, 0xDEADBEEF000, 2**64 - 16])
def test_made_up_handles_have_a_status(value: int) -> None:
    assert driver.cuInit(0) == (OK,)
    context = driver.cuCtxCreate(None, 0, driver.cuDeviceGet(0)[1])[1]
    code = driver.CUresult
    handle = code.CUDA_ERROR_INVALID_HANDLE
    for call in (
        lambda: driver.cuEventSynchronize(driver.CUevent(value)),
        lambda: driver.cuEventRecord(driver.CUevent(value), None),
        lambda: driver.cuModuleUnload(driver.CUmodule(value)),
        lambda: driver.cuModuleGetFunction(driver.CUmodule(value), "f"),
        lambda: driver.cuLibraryUnload(driver.CUlibrary(value)),
        lambda: driver.cuLaunchKernel(driver.CUfunction(value), 1, 1, 1, 1, 1, 1, 0, None, None, None),
        lambda: driver.cuFuncGetAttribute(
            driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS, driver.CUfunction(value)
        ),
        lambda: driver.cuMemPoolDestroy(driver.CUmemoryPool(value)),
        lambda: driver.cuArrayDestroy(driver.CUarray(value)),
    ):
        assert call()[0] in (handle, code.CUDA_ERROR_INVALID_VALUE), call
    for call in (driver.cuCtxSetCurrent, driver.cuCtxPushCurrent, driver.cuCtxDestroy, driver.cuCtxGetApiVersion):
        assert call(driver.CUcontext(value))[0] in (
            code.CUDA_ERROR_INVALID_CONTEXT,
            handle,
            code.CUDA_ERROR_INVALID_VALUE,
        ), call
    assert driver.cuMemFree(driver.CUdeviceptr(value)) == (code.CUDA_ERROR_INVALID_VALUE,)
    assert driver.cuCtxDestroy(context) == (OK,)


def test_handles_are_destroyed_once() -> None:
    assert driver.cuInit(0) == (OK,)
    context = driver.cuCtxCreate(None, 0, driver.cuDeviceGet(0)[1])[1]
    for make, destroy in (
        (lambda: driver.cuStreamCreate(0), driver.cuStreamDestroy),
        (lambda: driver.cuEventCreate(0), driver.cuEventDestroy),
        (lambda: driver.cuMemAlloc(64), driver.cuMemFree),
        (lambda: driver.cuMemAllocHost(64), driver.cuMemFreeHost),
    ):
        status, made = make()
        assert status == OK and destroy(made) == (OK,)
        again = destroy(int(made))
        assert again[0] != OK, destroy
    assert driver.cuCtxDestroy(context) == (OK,)
    assert driver.cuCtxDestroy(int(context))[0] != OK
