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

SOFT = cuox.Device(0).is_soft
NOT_SUPPORTED, INVALID, MISMATCH = 3, 2, 25


class Memory(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("total", "free", "used")]


@pytest.fixture
def nvml() -> ctypes.CDLL:
    path = str(links.library(links.MANAGEMENT)) if SOFT else links.MANAGEMENT
    library = ctypes.CDLL(path)
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
    device = cuox.Device(0)
    device.set_current()
    before, after = Memory(), Memory()
    assert nvml.nvmlDeviceGetMemoryInfo(handle(nvml), ctypes.byref(before)) == 0
    buffer = device.allocate(64 << 20)
    device.sync()
    assert nvml.nvmlDeviceGetMemoryInfo(handle(nvml), ctypes.byref(after)) == 0
    buffer.close()
    assert after.total == before.total == after.free + after.used
    assert after.used >= before.used + (64 << 20)


def test_arguments_are_checked(nvml: ctypes.CDLL) -> None:
    number = ctypes.c_uint()
    assert nvml.nvmlDeviceGetHandleByIndex_v2(99, ctypes.byref(ctypes.c_void_p())) == INVALID
    assert nvml.nvmlDeviceGetIndex(handle(nvml), None) == INVALID
    assert nvml.nvmlDeviceGetIndex(None, ctypes.byref(number)) == INVALID
    # nvmlMemory_v2_t without a version.
    assert nvml.nvmlDeviceGetMemoryInfo_v2(handle(nvml), ctypes.create_string_buffer(40)) == MISMATCH
    if SOFT:
        assert nvml.nvmlDeviceGetTemperature(handle(nvml), 0, ctypes.byref(number)) == NOT_SUPPORTED


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
