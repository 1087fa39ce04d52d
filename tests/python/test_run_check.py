"""`cuox run --check` and `--leak-check`: failed calls, leaks, and the exit status."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from ctools import needs_nvcc

CUOX = [sys.executable, "-m", "cuox"]
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void store(int *p, int at) { p[at] = 1; }
static int *make(size_t bytes) { int *p = nullptr; cudaMalloc(&p, bytes); return p; }
int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    int *p = make(400), *managed, *pinned, *ordered;
    size_t pitch;
    if (!strcmp(what, "fault")) { store<<<1, 1>>>(p, 100); cudaDeviceSynchronize(); }
    if (!strcmp(what, "unseen")) { store<<<1, 1>>>(p, 100); return 0; }
    if (!strcmp(what, "calls")) {
        make((size_t)1 << 50);
        for (int i = 0; i < 5; i++) cudaFree((char *)p + 1);
        cudaSetDevice(99);
        cudaStreamQuery(0);
        cudaGetLastError();
    }
    if (!strcmp(what, "leaks")) {
        for (int i = 0; i < 3; i++) make(1000);
        cudaMallocManaged(&managed, 64);
        cudaMallocHost(&pinned, 128);
        cudaMallocAsync(&ordered, 256, 0);
        cudaMallocPitch(&ordered, &pitch, 100, 2);
    }
    if (!strcmp(what, "seven")) return 7;
    if (strcmp(what, "fault")) cudaFree(p);
    puts("end");
    if (fork() == 0) exit(0);
    return count > 2 ? atoi(arguments[2]) : 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("check")
    (folder / "program.cu").write_text(PROGRAM)
    subprocess.run([*CUOX, "nvcc", "-g", "program.cu", "-o", "program"], cwd=folder, check=True)
    return str(folder / "program")


def run(*arguments: str, **environment: str) -> tuple[int, list[str]]:
    """The exit status and the lines of the report."""
    done = subprocess.run(
        [*CUOX, "run", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


@needs_nvcc
def test_nothing_is_found_in_a_program_that_is_right(program: str) -> None:
    assert run("--check", "--leak-check", program) == (0, [])


@needs_nvcc
@pytest.mark.parametrize("way", ["fault", "unseen"])
def test_a_fault_changes_the_exit_status(program: str, way: str) -> None:
    status, lines = run("--check", program, way)
    assert status == 1 and "Invalid __global__ write of size 4" in lines[0]
    assert lines[1:] == ["cuox check: a kernel's fault"]
    assert run("--check", "--error-exitcode", "9", program, way)[0] == 9
    assert run("--check", "--error-exitcode=0", program, way)[0] == 0
    status, lines = run("--check", "--leak-check", program, way)
    assert "cuox check: no check of leaks: after a fault nothing can be freed" in lines
    # An exit status of the program's own says more.
    if way == "fault":
        assert run("--check", program, way, "3")[0] == 3


@needs_nvcc
def test_calls_that_failed_are_listed(program: str) -> None:
    status, lines = run("--check", program, "calls")
    assert status == 1
    failed = [line for line in lines if " failed: " in line]
    free = "cuox check: cudaFree failed: cudaErrorInvalidValue (1)"
    assert failed == [
        "cuox check: cudaMalloc failed: cudaErrorMemoryAllocation (2)",
        *[free] * 3,
        "cuox check: cudaSetDevice failed: cudaErrorInvalidDevice (101)",
    ]
    at = lines.index(failed[0])
    assert lines[at + 1].startswith("    in make at ") and "program.cu:7:" in lines[at + 1]
    assert lines[at + 2].startswith("    in main at ") and "program.cu:15:" in lines[at + 2]
    assert lines[-1] == "cuox check: 7 calls failed"
    assert run("--check", "--report-api-errors", "no", program, "calls") == (0, [])
    assert run("--report-api-errors=all", "--error-exitcode=5", program, "calls") == (5, lines)


@needs_nvcc
def test_leaks_are_listed_with_their_sizes_and_places(program: str) -> None:
    status, lines = run("--leak-check", program, "leaks")
    assert status == 1
    assert [line for line in lines if line.startswith("cuox")] == [
        "cuox check: not freed: 3000 bytes in 3 allocations of cuMemAlloc_v2",
        "cuox check: not freed: 1024 bytes of cuMemAllocPitch_v2",
        "cuox check: not freed: 256 bytes of cuMemAllocAsync",
        "cuox check: not freed: 128 bytes of cuMemHostAlloc",
        "cuox check: not freed: 64 bytes of cuMemAllocManaged",
        "cuox check: 7 allocations not freed (4472 bytes)",
    ]
    assert lines[1] == "    in cudaMalloc" and "in make at" in lines[2] and "program.cu:22:" in lines[3]
    assert run(program, "leaks") == (0, [])
    status, lines = run("--check", "--leak-check", program, "seven")
    assert status == 7 and lines[-1] == "cuox check: 1 allocation not freed (400 bytes)"


PYTHON = """
import numpy as np, cuox
from cuox.cuda.bindings import driver
device = cuox.Device()
device.set_current()
kernel = cuox.Program('extern "C" __global__ void f(int *p) { *p = 1; }').compile("ptx").get_kernel("f")
array = cuox.zeros(4, np.int32)
cuox.launch(device.default_stream, cuox.LaunchConfig(grid=1, block=1), kernel, array)
print(array.to_host()[0])
if WRONG:
    _, lost = driver.cuMemAlloc(100)
    try:
        device.allocate(1 << 60)
    except cuox.OutOfMemoryError:
        print("caught")
"""


def test_programs_in_python() -> None:
    python = [sys.executable, "-c", PYTHON.replace("WRONG", "False")]
    assert run("--check", "--leak-check", *python) == (0, [])
    python = [sys.executable, "-c", PYTHON.replace("WRONG", "True")]
    # Machine code for a call is left out of what a debugger sees.
    status, lines = run("--check", "--leak-check", *python, CUOX_CALL="")
    assert status == 1
    assert lines == [
        "cuox check: cuMemAllocAsync failed: CUDA_ERROR_OUT_OF_MEMORY (2)",
        "    in Python",
        "cuox check: not freed: 100 bytes of cuMemAlloc_v2",
        "    in Python",
        "cuox check: 1 call failed, 1 allocation not freed (100 bytes)",
    ]


def test_wrong_values_of_the_options() -> None:
    for value in ("256", "-1", "x"):
        status, lines = run(f"--error-exitcode={value}", "true")
        assert status == 2 and lines[-1].endswith(f"expected a number from 0 to 255, got '{value}'")
    code = "import cuox; cuox.Device()"
    status, lines = run(sys.executable, "-c", code, CUOX_SOFT_ERROR_EXITCODE="many")
    assert (status, lines) == (
        0,
        ["cuox check: CUOX_SOFT_ERROR_EXITCODE=many is ignored: expected a number from 0 to 255"],
    )
