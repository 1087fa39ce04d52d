"""numba-cuda, unmodified, with the software GPU in front of it: a process for each program.

`CUOX_CLIENTS_PYTHON` is an interpreter that has numba-cuda, if this one has not. docs/compatibility.md has the results
of numba-cuda's own tests.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import textwrap

import pytest

PYTHON = os.environ.get("CUOX_CLIENTS_PYTHON") or sys.executable

FIND = """
import glob, importlib.util
import nvidia.cu13 as toolkit

def installed(name):
    return any(glob.glob(f"{path}/lib/{name}.so*") for path in toolkit.__path__)

numba = importlib.util.find_spec("numba_cuda") is not None and installed("libnvvm")
print(numba, installed("libnvrtc"), installed("libnvJitLink"))
"""

HEAD = """
import numpy as np
import warnings
warnings.filterwarnings("ignore")
from numba import cuda, float32, int32, vectorize, guvectorize
assert "cuox software GPU" in str(cuda.get_current_device().name)
"""

PROGRAMS = {
    "saxpy": """
        @cuda.jit
        def saxpy(a, x, y):
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                y[i] = a * x[i] + y[i]

        x, y = np.arange(10_000, dtype=np.float32), np.ones(10_000, np.float32)
        on_device = cuda.to_device(y)
        saxpy[8, 128](np.float32(2), x, on_device)
        np.testing.assert_array_equal(on_device.copy_to_host(), 2 * x + y)
    """,
    "shared memory": """
        @cuda.jit
        def multiply(a, b, c):
            left, right = cuda.shared.array((16, 16), float32), cuda.shared.array((16, 16), float32)
            column, row = cuda.grid(2)
            x, y = cuda.threadIdx.x, cuda.threadIdx.y
            total = float32(0)
            for tile in range(a.shape[1] // 16):
                left[y, x] = a[row, tile * 16 + x]
                right[y, x] = b[tile * 16 + y, column]
                cuda.syncthreads()
                for k in range(16):
                    total += left[y, k] * right[k, x]
                cuda.syncthreads()
            c[row, column] = total

        a, b = np.random.default_rng(1).integers(0, 9, (2, 64, 64)).astype(np.float32)
        c = np.zeros_like(a)
        multiply[(4, 4), (16, 16)](a, b, c)
        np.testing.assert_array_equal(c, a @ b)
    """,
    "atomics": """
        @cuda.jit
        def histogram(values, counts, largest):
            i = cuda.grid(1)
            if i < values.size:
                cuda.atomic.add(counts, values[i] % 16, 1)
                cuda.atomic.max(largest, 0, values[i])

        values = np.random.default_rng(2).integers(0, 100_000, 5000).astype(np.int32)
        counts, largest = np.zeros(16, np.int32), np.zeros(1, np.int32)
        histogram[40, 128](values, counts, largest)
        np.testing.assert_array_equal(counts, np.bincount(values % 16, minlength=16))
        assert largest[0] == values.max()
    """,
    "a grid's barrier": """
        # Each row is made of the one before by another block.
        @cuda.jit("void(int32[:, ::1])")
        def rows(m):
            column = cuda.grid(1)
            grid = cuda.cg.this_grid()
            for row in range(1, m.shape[0]):
                m[row, column] = m[row - 1, m.shape[1] - column - 1] + 1
                grid.sync()

        m = np.zeros((100, 128), np.int32)
        m[0] = np.arange(128)
        expected = m.copy()
        for row in range(1, 100):
            expected[row] = expected[row - 1, ::-1] + 1
        rows[4, 32](m)
        np.testing.assert_array_equal(m, expected)
        kernel = next(iter(rows.overloads.values()))
        assert kernel.cooperative
    """,
    "streams and events": """
        @cuda.jit
        def double(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] *= 2

        streams = [cuda.stream() for _ in range(3)]
        pinned = [cuda.pinned_array(1000, np.float64) for _ in streams]
        results = []
        begin, end = cuda.event(), cuda.event()
        begin.record(streams[0])
        for n, (stream, array) in enumerate(zip(streams, pinned)):
            array[:] = n + np.arange(1000)
            on_device = cuda.to_device(array, stream=stream)
            double[8, 128, stream](on_device)
            results.append(on_device.copy_to_host(stream=stream))
        end.record(streams[0])
        for stream in streams:
            stream.synchronize()
        end.synchronize()
        assert begin.elapsed_time(end) >= 0
        for array, result in zip(pinned, results):
            np.testing.assert_array_equal(result, 2 * array)
    """,
    "functions over arrays": """
        @vectorize(["float64(float64, float64)"], target="cuda")
        def norm(x, y):
            return (x * x + y * y) ** 0.5

        @guvectorize(["void(int32[:], int32, int32[:])"], "(n),()->(n)", target="cuda")
        def add(x, y, out):
            for i in range(x.shape[0]):
                out[i] = x[i] + y

        x, y = np.arange(1000.0), np.arange(1000.0)[::-1].copy()
        np.testing.assert_allclose(norm(x, y), np.hypot(x, y), rtol=1e-14)
        np.testing.assert_array_equal(add(np.arange(12, dtype=np.int32), np.int32(3)), np.arange(12) + 3)
        total = cuda.reduce(lambda a, b: a + b)
        assert total(np.arange(4097, dtype=np.int64)) == 4096 * 4097 // 2
    """,
    "constants and registers": """
        TABLE = np.arange(64, dtype=np.int32) * 3

        @cuda.jit("void(int32[::1])", max_registers=24)
        def look_up(x):
            table = cuda.const.array_like(TABLE)
            i = cuda.grid(1)
            if i < x.size:
                x[i] = table[x[i] % 64]

        x = np.arange(100, dtype=np.int32)
        look_up[1, 128](x)
        np.testing.assert_array_equal(x, TABLE[np.arange(100) % 64])
        kernel = next(iter(look_up.overloads.values()))
        assert kernel.const_mem_size >= TABLE.nbytes, kernel.const_mem_size
        assert 0 < kernel.regs_per_thread <= 24, kernel.regs_per_thread
    """,
    "printing": """
        @cuda.jit
        def say(n):
            if cuda.threadIdx.x == 1:
                print("thread", cuda.threadIdx.x, "of", n)

        say[1, 2](2)
        cuda.synchronize()
    """,
}

LINKED = """
    # The declaration of `add` has a result, as numba writes all, and the function has none.
    source = cuda.CUSource(
        'static __device__ int total;'
        'extern "C" __device__ void add(int value) { atomicAdd(&total, value * value); }'
        'extern "C" __device__ int sum() { return atomicAdd(&total, 0); }'
    )
    add = cuda.declare_device("add", "void(int32)", link=source, abi="c")
    sum = cuda.declare_device("sum", "int32()", abi="c")

    @cuda.jit
    def squares(x):
        i = cuda.grid(1)
        add(i)
        cuda.syncthreads()
        x[i] = sum()

    x = np.zeros(64, np.int32)
    squares[1, 64](x)
    np.testing.assert_array_equal(x, (np.arange(64) ** 2).sum())
"""


@functools.cache
def found() -> tuple[bool, bool, bool]:
    """True for numba-cuda, NVRTC and nvJitLink, as far as they are installed."""
    said = subprocess.run([PYTHON, "-c", FIND], capture_output=True, text=True, timeout=60, check=False).stdout.split()
    numba, nvrtc, linker = (word == "True" for word in said or 3 * ["False"])
    return numba, nvrtc, linker


def run(program: str, with_linker: bool) -> str:
    numba, _, linker = found()
    if not numba:
        pytest.skip("numba-cuda and its toolkit are not installed")
    # With nvJitLink installed numba links to machine code, without it by the driver.
    if with_linker != linker:
        pytest.skip(f"nvJitLink is {'not ' if with_linker else ''}installed")
    shims = ["--shims", "nvjitlink"] if with_linker else []
    command = [
        sys.executable,
        "-m",
        "cuox",
        "run",
        *shims,
        "--memory",
        "1G",
        "--",
        PYTHON,
        "-c",
        HEAD + textwrap.dedent(program),
    ]
    said = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert said.returncode == 0, said.stderr
    return said.stdout


@pytest.mark.parametrize("with_linker", [False, True], ids=["driver", "nvJitLink"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs(name: str, with_linker: bool) -> None:
    printed = run(PROGRAMS[name], with_linker)
    assert printed == ("thread 1 of 2\n" if name == "printing" else "")


@pytest.mark.parametrize("with_linker", [False, True], ids=["driver", "nvJitLink"])
def test_functions_of_cuda_c_are_linked(with_linker: bool) -> None:
    if not found()[1]:
        pytest.skip("NVRTC is not installed")
    run(LINKED, with_linker)
