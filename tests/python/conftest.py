"""Fixtures that the tests share, the order of test files, and which tests `CUOX_TESTS` leaves out.

The tests run on the device that CUOX_DEVICE names: the software GPU or a real one.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# Most tests call a function a few times: they are to test the code that is made for functions that are called often.
os.environ.setdefault("CUOX_CALL", "code")
# Code by LLVM, which takes long to make, is for its own tests (test_llvm.py).
os.environ.setdefault("CUOX_LLVM", "")

import cuox
from durations import DURATIONS, durations, write_durations
from exhaustive import EXHAUSTIVE

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


def with_helpers() -> dict[str, str]:
    """The environment of a process that imports the tests' helper modules, besides what it finds without them."""
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(Path(__file__).parent)]))
    return {**os.environ, "PYTHONPATH": path}


@pytest.fixture
def run_script() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script, which may import the tests' helper modules, in its own process: for what ends a context or a
    process.
    """

    def run(script: str, timeout: float = 120, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            capture_output=True,
            text=True,
            timeout=timeout,
            env={**with_helpers(), **environment},
        )

    return run


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """Has nothing freed behind a test's back: `cuMemFree` of another test's garbage ends captures of streams."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def upload(device: cuox.Device, array: np.ndarray, stream: cuox.Stream) -> cuox.Buffer:
    buffer = device.allocate(array.nbytes, stream=stream)
    buffer.copy_from_host(array, stream=stream)
    return buffer


def download(buffer: cuox.Buffer, dtype: object, stream: cuox.Stream) -> np.ndarray:
    array = np.empty(buffer.size // np.dtype(dtype).itemsize, dtype)
    buffer.copy_to_host(array, stream=stream)
    stream.sync()
    return array


# The order of test files, and what is left to `CUOX_TESTS=all`.

times: Counter[str] = Counter()
left = 0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-durations", action="store_true", help=f"write into {DURATIONS.name} how long the test files have taken"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    global left
    gone = [] if EXHAUSTIVE else [item for item in items if item.get_closest_marker("exhaustive")]
    if gone:
        config.hook.pytest_deselected(items=gone)
    left, table, unwanted = len(gone), durations(), set(gone)
    items[:] = sorted((one for one in items if one not in unwanted), key=lambda item: -table.get(item.path.name, 0.0))


def leave_to_itself() -> None:
    """Have later collections of garbage not look at what is there now: each would take longer than the one before."""
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    leave_to_itself()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem and nextitem.path != item.path:
        leave_to_itself()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # With pytest-xdist the process that prints gets the reports of all workers, too.
    times[Path(report.nodeid.partition("::")[0]).name] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):  # a worker of pytest-xdist
        config.workeroutput["left"] = left
    elif config.getoption("--write-durations"):
        write_durations(times)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    # Each worker has collected all tests.
    global left
    left = getattr(node, "workeroutput", {}).get("left", left)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if left:
        terminalreporter.write_line(f"{left} tests are left for CUOX_TESTS=all")
