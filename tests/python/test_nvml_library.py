"""libnvidia-ml.so.1: the software GPU's, or NVIDIA's on a GPU, as a program in C would call it."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import cuox
import pytest
from cuox._internal import links
from cuox.cuda.bindings import driver

SOFT = cuox.Device(0).is_soft
INVALID, NOT_SUPPORTED, NOT_FOUND, INSUFFICIENT, NO_FUNCTION, MISMATCH, UNKNOWN = 2, 3, 6, 7, 13, 25, 999
PATH = str(links.library(links.MANAGEMENT)) if SOFT else links.MANAGEMENT


class Memory(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("total", "free", "used")]


@pytest.fixture
def nvml() -> ctypes.CDLL:
    library = ctypes.CDLL(PATH)
    assert library.nvmlInit_v2() == 0
    yield library
    assert library.nvmlShutdown() == 0


def handle(nvml: ctypes.CDLL, index: int = 0) -> ctypes.c_void_p:
    found = ctypes.c_void_p()
    assert nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(found)) == 0
    return found


def text(function: object, *arguments: object) -> str:
    room = ctypes.create_string_buffer(96)
    assert function(*arguments, room, 96) == 0  # type: ignore[operator]
    return room.value.decode()


def test_every_function_of_the_header_is_there(nvml: ctypes.CDLL) -> None:
    generated = Path(__file__).parents[2] / "crates/cuox-nvml/src/generated/functions.rs"
    names = re.findall(r"\bfn (nvml\w+)\[nvml", generated.read_text())
    assert len(names) > 390
    missing = [name for name in names if not hasattr(nvml, name)]
    # A driver of a later CUDA keeps what programs may be linked with.
    assert missing == []


def test_the_device_is_the_drivers(nvml: ctypes.CDLL) -> None:
    device = cuox.Device(0)
    found = handle(nvml)
    assert text(nvml.nvmlDeviceGetName, found) == device.name
    assert text(nvml.nvmlDeviceGetUUID, found) == f"GPU-{device.uuid}"
    major, minor = ctypes.c_int(), ctypes.c_int()
    assert nvml.nvmlDeviceGetCudaComputeCapability(found, ctypes.byref(major), ctypes.byref(minor)) == 0
    assert (major.value, minor.value) == tuple(device.compute_capability)
    again = ctypes.c_void_p()
    place = device.pci_bus_id.encode()
    assert nvml.nvmlDeviceGetHandleByPciBusId_v2(place, ctypes.byref(again)) == 0
    assert again.value == found.value


def test_memory_in_use_is_seen(nvml: ctypes.CDLL) -> None:
    size = 256 << 20
    cuox.Device(0).set_current()
    before, after = Memory(), Memory()
    for _ in range(10):
        assert nvml.nvmlDeviceGetMemoryInfo(handle(nvml), ctypes.byref(before)) == 0
        # That of a pool may have been the pool's before.
        result, address = driver.cuMemAlloc(size)
        assert result == 0
        assert nvml.nvmlDeviceGetMemoryInfo(handle(nvml), ctypes.byref(after)) == 0
        assert driver.cuMemFree(address)[0] == 0
        assert after.total == before.total == after.free + after.used
        if after.used >= before.used + size:
            return
        # On a GPU others may have given memory back meanwhile.
        assert not SOFT
    pytest.fail(f"{before.used} bytes were in use, then {after.used}")


def test_arguments_are_checked(nvml: ctypes.CDLL) -> None:
    number = ctypes.c_uint()
    assert nvml.nvmlDeviceGetHandleByIndex_v2(99, ctypes.byref(ctypes.c_void_p())) == INVALID
    assert nvml.nvmlDeviceGetIndex(handle(nvml), None) == INVALID
    assert nvml.nvmlDeviceGetIndex(None, ctypes.byref(number)) == INVALID
    # Structures without a version.
    assert nvml.nvmlDeviceGetMemoryInfo_v2(handle(nvml), ctypes.create_string_buffer(40)) == NO_FUNCTION
    assert nvml.nvmlDeviceGetPciInfoExt(handle(nvml), ctypes.create_string_buffer(64)) == MISMATCH
    assert nvml.nvmlDeviceGetName(handle(nvml), ctypes.create_string_buffer(4), 4) == INSUFFICIENT
    if SOFT:
        assert nvml.nvmlDeviceGetTemperature(handle(nvml), 0, ctypes.byref(number)) == NOT_SUPPORTED


def test_texts_of_errors(nvml: ctypes.CDLL) -> None:
    nvml.nvmlErrorString.restype = ctypes.c_char_p
    # Those of NVIDIA's driver 580.159.
    texts = {
        0: "Success", 1: "Uninitialized", 2: "Invalid Argument", 3: "Not Supported", 13: "Function Not Found",
        17: "GPU access blocked by the operating system", 18: "Driver/library version mismatch",
        22: "vGPU ECC not supported", 23: "Insufficient Resources", 24: "Invalid Frequency",
        26: "Requested functionality has been deprecated", 27: "System is not in ready state",
        28: "No supported GPUs were found", 29: "Resource not in correct state to perform requested operation",
        30: "Reset type is not supported for given device", 999: "Unknown Error", 12345: "Unknown Error",
    }  # fmt: skip
    assert {code: nvml.nvmlErrorString(code).decode() for code in texts} == texts


def test_a_device_and_itself(nvml: ctypes.CDLL) -> None:
    device, number = handle(nvml), ctypes.c_uint()

    def status(index: int) -> int:
        assert nvml.nvmlDeviceGetP2PStatus(device, device, index, ctypes.byref(number)) == 0
        return number.value

    # NVML_P2P_STATUS_NOT_SUPPORTED of those that are known, NVML_P2P_STATUS_OK of others.
    assert [status(index) for index in range(7)] == [5, 5, 5, 5, 5, 0, 0]
    assert nvml.nvmlDeviceGetTopologyCommonAncestor(device, device, ctypes.byref(number)) == NOT_SUPPORTED
    assert nvml.nvmlDeviceOnSameBoard(device, device, ctypes.byref(number)) == 0 and number.value == 1


def test_events_and_modes_that_are_none(nvml: ctypes.CDLL) -> None:
    events = ctypes.c_void_p()
    assert nvml.nvmlEventSetCreate(ctypes.byref(events)) == 0
    assert nvml.nvmlDeviceRegisterEvents(handle(nvml), ctypes.c_ulonglong(1 << 40), events) == NOT_SUPPORTED
    assert nvml.nvmlEventSetFree(events) == 0
    if SOFT:
        # To set a mode takes rights on a GPU.
        assert nvml.nvmlDeviceSetComputeMode(handle(nvml), 0) == 0
        assert nvml.nvmlDeviceSetComputeMode(handle(nvml), 1) == NOT_SUPPORTED
        assert nvml.nvmlDeviceSetComputeMode(handle(nvml), 9) == UNKNOWN
        assert nvml.nvmlDeviceSetPersistenceMode(handle(nvml), 9) == INVALID


def test_names_of_processes(nvml: ctypes.CDLL) -> None:
    called = Path("/proc/self/cmdline").read_bytes().partition(b"\0")[0].decode()
    assert text(nvml.nvmlSystemGetProcessName, os.getpid()) == called
    room = ctypes.create_string_buffer(b"????", 5)
    assert nvml.nvmlSystemGetProcessName(os.getpid(), room, 2) == 0
    assert called.startswith(room.value.decode()) and len(room.value) < 2
    assert nvml.nvmlSystemGetProcessName(2**22 + 1, room, 5) == NOT_FOUND
    if SOFT:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(["a name of my own"], executable="/bin/cat", bufsize=0, **pipes) as process:
            process.stdin.write(b"!")
            # It runs once it answers.
            assert process.stdout.read(1) == b"!"
            assert text(nvml.nvmlSystemGetProcessName, process.pid) == "a name of my own"
            process.stdin.close()


def test_before_the_library_is_initialised() -> None:
    program = """
        import ctypes, sys
        nvml = ctypes.CDLL(sys.argv[1])
        number, room = ctypes.c_int(), ctypes.create_string_buffer(96)
        print(nvml.nvmlDeviceGetCount_v2(ctypes.byref(number)), nvml.nvmlSystemGetNVMLVersion(room, 96),
              nvml.nvmlSystemGetCudaDriverVersion_v2(ctypes.byref(number)), nvml.nvmlShutdown())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), PATH], capture_output=True, text=True)
    assert done.stdout.split() == ["1", "0", "1", "1"], done.stderr


def run(program: str, *options: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "cuox", "run", *options, "--", sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, **variables}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_programs_find_it_with_cuox_run() -> None:
    said = run(
        """
        import ctypes
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
        count = ctypes.c_uint()
        print(nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)), nvml.nvmlInit_v2(), nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)), count.value)
        first, second, level, status = (ctypes.c_void_p() for _ in range(4))
        nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(first))
        nvml.nvmlDeviceGetHandleByIndex_v2(1, ctypes.byref(second))
        print(nvml.nvmlDeviceGetTopologyCommonAncestor(first, second, ctypes.byref(level)), level.value)
        print(nvml.nvmlDeviceGetP2PStatus(first, second, 0, ctypes.byref(status)), status.value or 0)
        memory = (ctypes.c_uint64 * 3)()
        print(nvml.nvmlDeviceGetMemoryInfo(second, memory), *memory)
        """,
        "--memory",
        "1G",
        CUOX_SOFT_DEVICES="2",
    )
    # No driver was loaded for this: all memory is free.
    assert said.splitlines() == ["1 0 0 2", "0 30", "0 0", f"0 {1 << 30} {1 << 30} 0"]
