"""Fixtures that the tests share. The tests run on the device that CUOX_DEVICE names: the software GPU or a real one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator

import numpy as np
import pytest

# Most tests call a function a few times: they are to test the code that is made for functions that are called often.
os.environ.setdefault("CUOX_CALL", "code")

import cuox

# A shell without job control starts background jobs with SIGINT ignored, which child processes inherit; the tests of
# Ctrl-C need it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SAXPY = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""


@pytest.fixture(scope="session")
def device() -> cuox.Device:
    device = cuox.Device()
    device.set_current()
    return device


@pytest.fixture
def stream(device: cuox.Device) -> Iterator[cuox.Stream]:
    stream = device.create_stream()
    yield stream
    stream.close()


@pytest.fixture(scope="session")
def saxpy(device: cuox.Device) -> cuox.Kernel:
    return cuox.Program(SAXPY, code_type="c++").compile("ptx").get_kernel("saxpy")


@pytest.fixture
def run_script() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script in its own process: for what ends a context or a process."""

    def run(script: str, timeout: float = 120, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            capture_output=True,
            text=True,
            timeout=timeout,
            env={**os.environ, **environment},
        )

    return run


def upload(device: cuox.Device, array: np.ndarray, stream: cuox.Stream) -> cuox.Buffer:
    buffer = device.allocate(array.nbytes, stream=stream)
    buffer.copy_from_host(array, stream=stream)
    return buffer


def download(buffer: cuox.Buffer, dtype: object, stream: cuox.Stream) -> np.ndarray:
    array = np.empty(buffer.size // np.dtype(dtype).itemsize, dtype)
    buffer.copy_to_host(array, stream=stream)
    stream.sync()
    return array
