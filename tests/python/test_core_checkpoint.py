"""`cuox.cuda.core.checkpoint`: processes that are saved to the host's memory."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import cuox
import pytest
from cuox.cuda.core.checkpoint import Process

TARGET = """
import sys
import cuox
device = cuox.Device()
device.set_current()
array = cuox.to_device([1, 2, 3])
print("ready", flush=True)
for line in sys.stdin:
    print(array.to_host().tolist(), flush=True)
"""


def test_arguments_are_checked() -> None:
    for wrong in ("1", 1.0, True, None):
        with pytest.raises(TypeError, match="pid must be an int"):
            Process(wrong)  # type: ignore[arg-type]
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="pid must be a positive int"):
            Process(wrong)
    process = Process(os.getpid())
    assert process.pid == os.getpid() and str(os.getpid()) in repr(process)
    with pytest.raises(AttributeError):
        process.pid = 1  # type: ignore[misc]
    with pytest.raises(ValueError, match="timeout_ms must be >= 0"):
        process.lock(-1)
    with pytest.raises(TypeError, match="timeout_ms must be an int"):
        process.lock(1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="gpu_mapping must be a mapping"):
        process.restore([1])  # type: ignore[arg-type]
    wrong_pairs: list[tuple[Any, type[Exception]]] = [({1: 2}, TypeError), ({"12": "34"}, ValueError)]
    for pairs, error in wrong_pairs:
        with pytest.raises(error, match="UUID"):
            process.restore(pairs)


def test_the_software_gpu_says_that_it_cannot(device: cuox.Device) -> None:
    if not device.is_soft:
        pytest.skip("a GPU can")
    process = Process(os.getpid())
    for call in (lambda: process.state, process.lock, process.checkpoint, process.restore, process.unlock):
        with pytest.raises(cuox.CUDAError, match="^CUDA checkpointing is not supported") as error:
            call()
        assert error.value.name == "CUDA_ERROR_NOT_SUPPORTED"
    with pytest.raises(cuox.CUDAError, match="not supported"):
        process.restore({device.uuid: device.uuid})


def test_a_process_is_saved_and_goes_on(device: cuox.Device) -> None:
    if device.is_soft:
        pytest.skip("the software GPU cannot")
    with subprocess.Popen(
        [sys.executable, "-c", TARGET], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as target:
        assert target.stdin and target.stdout
        assert target.stdout.readline() == "ready\n"
        process = Process(target.pid)
        assert process.state == "running" and process.restore_thread_id > 0
        process.lock(timeout_ms=5000)
        assert process.state == "locked"
        process.checkpoint()
        assert process.state == "checkpointed"
        process.restore()
        process.unlock()
        assert process.state == "running"
        target.stdin.write("\n")
        target.stdin.flush()
        assert target.stdout.readline() == "[1, 2, 3]\n"
        target.stdin.close()
        target.wait(30)
