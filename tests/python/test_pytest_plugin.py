"""The pytest plugin: options, markers, the line with the device; and that it costs nothing where it is not used."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest
from exhaustive import mark

TESTS = r'''
import cuox, numpy, pytest

SOURCE = """
extern "C" __global__ void wait(volatile int *p) {
    while (*p == 0);
}
extern "C" __global__ void fill(int *p, int n) {
    if (threadIdx.x <= n) p[threadIdx.x] = 1;
}
"""
OPTIONS = cuox.ProgramOptions(name="kernels.cu", lineinfo=True)


def launch(name, block, *more):
    array = cuox.zeros(4, numpy.int32)
    cuox.Program(SOURCE, options=OPTIONS).compile("ptx").get_kernel(name)[1, block](array, *more)
    return array


def test_that_does_not_wait():
    launch("wait", 2)


def test_that_is_wrong_by_one():
    launch("fill", 32, 4)


def test_that_passes():
    assert launch("fill", 4, 3).to_host().sum() == 4


@pytest.mark.cuox_gpu(reason="tensor maps")
def test_of_gpus():
    raise AssertionError


@pytest.mark.cuox_soft
def test_of_the_software_gpu():
    pass
'''


def run(folder: Path, text: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(text)
    if not importlib.metadata.entry_points(group="pytest11", name="cuox"):  # installed by another commit
        options = ("-p", "pytest_cuox", *options)
    own = ("CUOX_SOFT_TIMEOUT", "CUOX_SOFT_CHECK", "PYTEST_ADDOPTS")
    outer = {name: value for name, value in os.environ.items() if name not in own and "XDIST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers", "-rs", "--tb=short", *options],
        cwd=folder,
        env={**outer, "CUOX_DEVICE": "soft", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_kernels_are_limited_and_checked(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ncuox_timeout = 0.5\n")
    said = run(tmp_path, TESTS, "--cuox-check", CUOX_DEVICE="auto")
    assert "2 failed, 2 passed, 1 skipped" in said.stdout, said.stdout + said.stderr
    header = "cuox: cuox software GPU (the software GPU was asked for), kernels may take 0.5 s, every access is checked"
    assert header in said.stdout.splitlines()
    # The tests that launched the kernels fail, with the lines, and those that follow have a device.
    waits, _, wrong = said.stdout.partition("test_that_is_wrong_by_one _")
    assert "2 threads of 1 block at" in waits and "kernels.cu:3" in waits
    assert "Invalid __global__ write of size 4 bytes" in wrong and "kernels.cu:6" in wrong
    assert said.stdout.count("the device was reset after the error") == 2
    assert "_device.py" not in said.stdout and "in _wait" not in said.stdout  # no lines of the plugin
    assert "needs an NVIDIA GPU: tensor maps; the device is cuox software GPU" in said.stdout


def test_who_does_not_use_cuox_is_left_alone(tmp_path: Path) -> None:
    text = "import sys\n\ndef test_it():\n    assert not [n for n in sys.modules if n.split('.')[0] in ('cuox', 'numpy') or n == 'pytest_cuox._device']\n"
    # Without plugins of others, which may import NumPy.
    said = run(tmp_path, text, "-p", "pytest_cuox", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert "1 passed" in said.stdout and "cuox: " not in said.stdout, said.stdout + said.stderr


@mark
def test_a_fault_without_options_does_not_spoil_later_tests(tmp_path: Path) -> None:
    stray = (
        TESTS.replace('launch("wait", 2)', "pass")
        .replace('launch("fill", 32, 4)', 'launch("fill", 1, 4).to_host()')
        .replace("p[threadIdx.x] = 1", "p[threadIdx.x + (n == 4 ? 1 << 28 : 0)] = 1")
    )
    said = run(tmp_path, stray)
    assert "1 failed, 3 passed, 1 skipped" in said.stdout, said.stdout + said.stderr
    assert "the device was reset after the error 700" in said.stdout


FAULTS = """
import cuox
import pytest

SOURCE = 'extern "C" __global__ void fill(int *p, size_t at) { p[at] = 1; }'

@pytest.fixture
def fill():
    cuox.Device().set_current()
    kernel = cuox.Program(SOURCE).compile("ptx").get_kernel("fill")
    def fill(at):
        array = cuox.zeros(1, "int32")
        kernel[1, 1](array, at)
        return array.to_host()[0]
    return fill

@pytest.fixture
def wrong_at_its_end(fill):
    yield
    fill(1 << 28)

@pytest.mark.xfail
def test_that_is_expected_to_fail(fill):
    fill(1 << 28)

def test_after_it(fill):
    assert fill(0) == 1

def test_whose_fixture_fails_at_its_end(wrong_at_its_end):
    pass

def test_after_the_fixture(fill):
    assert fill(0) == 1
"""


@mark
def test_expected_failures_and_fixtures_do_not_spoil_later_tests(tmp_path: Path) -> None:
    said = run(tmp_path, FAULTS)
    assert "3 passed, 1 xfailed, 1 error" in said.stdout, said.stdout + said.stderr
    # pytest shows nothing of the expected one.
    assert said.stdout.count("the device was reset after the error 700") == 1


@mark
def test_a_fault_before_a_skip_is_that_tests(tmp_path: Path) -> None:
    text = FAULTS.partition("@pytest.mark.xfail")[0].replace("return array.to_host()[0]", "pytest.skip('too late')")
    said = run(tmp_path, f"{text}def test_that_skips(fill):\n    fill(1 << 28)\n", "--cuox-check")
    assert "1 failed" in said.stdout and "Invalid __global__ write" in said.stdout, said.stdout + said.stderr


@mark
@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--cuox-timeout", "soon"], "--cuox-timeout: expected a number of seconds, got 'soon'"),
        (["--cuox-check", "--cuox-device", "gpu"], "--cuox-check needs the software GPU"),
        (["-o", "cuox_device=tpu"], "cuox_device: expected auto, gpu or soft, got 'tpu'"),
        (["--cuox-device", "tpu"], "invalid choice: 'tpu'"),
    ],
)
def test_wrong_options_are_errors_of_usage(options: list[str], why: str, tmp_path: Path) -> None:
    said = run(tmp_path, "def test_it(): pass\n", *options)
    assert said.returncode == 4 and why in said.stderr, said.stdout + said.stderr


@mark
def test_workers_of_xdist_have_the_settings(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    said = run(tmp_path, TESTS, "-n", "2", "--cuox-timeout", "0.5", "--cuox-check")
    assert "2 failed, 2 passed, 1 skipped" in said.stdout, said.stdout + said.stderr
