"""The forms of calls that tutorials have, some of them the original's only nearly, and the tool that runs tutorials."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ctools import needs_nvcc

ROOT = Path(__file__).resolve().parents[2]
AXPY = 'extern "C" __global__ void axpy(float a, float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }'


def numbers(count: int) -> np.ndarray:
    return np.arange(count, dtype=np.float32)


def test_bindings_with_places_for_results() -> None:
    """Handles that the caller makes, and lists of arguments."""
    from cuox.cuda.bindings import driver, nvrtc

    program = nvrtc.nvrtcProgram()
    (error,) = nvrtc.nvrtcCreateProgram(program, AXPY, "axpy.cu", 0, None, None)
    assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS
    options = ["--gpu-architecture=compute_75"]
    (error,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS
    log = nvrtc.nvrtcGetProgramLog(program, nvrtc.nvrtcGetProgramLogSize(program)[1])[1]
    assert isinstance(log.decode(), str)
    ptx = nvrtc.nvrtcGetPTX(program, nvrtc.nvrtcGetPTXSize(program)[1])[1].decode()

    driver.cuInit(0)
    device, context = driver.CUdevice(), driver.CUcontext()
    driver.cuDeviceGet(device, 0)
    driver.cuCtxCreate(context, 0, device)
    x, y = numbers(300), numbers(300)
    x_dev, y_dev = driver.CUdeviceptr(), driver.CUdeviceptr()
    for at, array in ((x_dev, x), (y_dev, y)):
        driver.cuMemAlloc(at, array.nbytes)
        driver.cuMemcpyHtoD(at, array.ctypes.data, array.nbytes)
    module, kernel = driver.CUmodule(), driver.CUfunction()
    driver.cuModuleLoadData(module, ptx.encode())
    driver.cuModuleGetFunction(kernel, module, "axpy")
    arguments = [np.float32(3), x_dev, y_dev, np.int32(300)]
    driver.cuLaunchKernel(kernel, 3, 1, 1, 128, 1, 1, 0, None, arguments, None)
    driver.cuCtxSynchronize()
    driver.cuMemcpyDtoH(y.ctypes.data, y_dev, y.nbytes)
    np.testing.assert_array_equal(y, 4 * numbers(300))
    driver.cuMemFree(x_dev)
    driver.cuMemFree(y_dev)
    driver.cuModuleUnload(module)
    driver.cuCtxDestroy(context)


def test_core_with_short_forms() -> None:
    from cuox.cuda.core import Device, LaunchConfig, Program

    device = Device(0)
    device.use()
    x, y = numbers(300), numbers(300)
    x_dev, y_dev = device.mem_alloc(x.nbytes), device.mem_alloc(y.nbytes)
    x_dev.copy_from_host(x)
    y_dev.copy_from_host(y)
    program = Program(AXPY, "axpy.cu")
    program.compile(["--gpu-architecture=compute_75"])
    config = LaunchConfig(grid=(300 + 127) // 128, block=(128,))
    program.axpy[config](3.0, x_dev, y_dev, 300)
    device.synchronize()
    result = np.empty_like(y)
    y_dev.copy_to_host(result)
    np.testing.assert_array_equal(result, 4 * numbers(300))


def test_pathfinder() -> None:
    from cuox.cuda.pathfinder import find_cuda_include_dirs, find_cuda_library

    assert Path(find_cuda_library("cudart")).is_file()
    folders = find_cuda_include_dirs()
    assert folders and all(Path(folder).is_dir() for folder in folders)


def test_parallel_algorithms() -> None:
    from cuox.cuda.cccl.parallel import reduce

    data = np.random.default_rng(1).random(5000).astype(np.float32)
    assert np.isclose(reduce(data, 0.0, lambda a, b: a + b), data.sum())


def test_pycuda() -> None:
    import cuox.pycuda.autoinit  # noqa: F401
    import cuox.pycuda.driver as cuda
    from cuox.pycuda.compiler import SourceModule

    cuda.init()
    assert cuda.Device.count() >= 1
    axpy = SourceModule(AXPY, no_extern_c=True).get_function("axpy")
    x, y = numbers(10), numbers(10)
    x_gpu, y_gpu = cuda.mem_alloc(x.nbytes), cuda.mem_alloc(y.nbytes)
    stream = cuda.Stream()
    cuda.memcpy_htod(x_gpu, x)
    cuda.memcpy_htod_async(y_gpu, y, stream)
    axpy(np.float32(2), x_gpu, y_gpu, np.int32(10), block=(32, 1, 1), grid=(1, 1), stream=stream)
    cuda.memcpy_dtoh_async(y, y_gpu, stream)
    stream.synchronize()
    cuda.Context.synchronize()
    np.testing.assert_array_equal(y, 3 * numbers(10))
    cuda.mem_free(x_gpu)


# A text as the tool finds it: one program has lost its lines, another has them, and one is wrong on purpose.
TEXT = """教程
示例:求和from cuda.bindings import driverimport numpy as np# 第1步 初始化driver.cuInit(0)# 创建(默认设备)device = driver.cuDeviceGet(0)[1]n = 8values = np.ones(n)if n != 8: # 不对 raise RuntimeError(f"错误:{n}")print("总和:", values.sum()) # 输出完成!二、别的
再看一段:

import pycuda.autoinit
import pycuda.driver as cuda

# 分配内存
memory = cuda.mem_alloc(4 * n)
cuda.memset_d32(memory, 7, n)
result = np.empty(n, np.int32)
cuda.memcpy_dtoh(result, memory)
assert result.tolist() == [7] * n

以上代码完成。
"""
NVCC = """
#include<stdio.h>

__global__ void greet(void) {
    printf("greetings\\n");
}

int main() {
    greet<<<1, 2>>>();
    return cudaDeviceSynchronize();
}

编译:

$ nvcc -c ./greet.cu -Xcompiler -fPIC -o ./libgreet.so

调用:

import ctypes
assert ctypes.CDLL('./libgreet.so').main() == 0

$ false
"""


def tool(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "tutorials.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)


def rows(output: str) -> list[tuple[str, ...]]:
    """Result and kind of each program."""
    return [tuple(line.split()[:2]) for line in output.splitlines() if line.startswith("  ") and line[2] != " "]


def test_the_tool_puts_lines_back_and_runs_programs(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(TEXT)
    done = tool(tmp_path)
    assert rows(done.stdout) == [("passed", "python")] * 2, done.stdout + done.stderr
    assert done.returncode == 0 and done.stdout.endswith("0 failed\n")
    (tmp_path / "two.txt").write_text(TEXT.replace("[7] * n", "[8] * n"))
    done = tool(tmp_path)
    assert done.returncode == 1 and rows(done.stdout)[2:] == [("passed", "python"), ("failed", "python")]
    assert "AssertionError" in done.stdout and done.stdout.endswith("1 failed\n")


@needs_nvcc
def test_the_tool_compiles_and_runs_commands(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(NVCC)
    done = tool(tmp_path)
    expected = [("passed", "cuda"), ("passed", "command"), ("passed", "python"), ("failed", "command")]
    assert rows(done.stdout) == expected, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["MemoryError", "LogicError"])
def test_exceptions_by_the_name_that_tracebacks_show(name: str) -> None:
    import cuox.pycuda._driver
    import cuox.pycuda.driver

    found = getattr(cuox.pycuda._driver, name)
    assert found is getattr(cuox.pycuda.driver, name) and issubclass(found, cuox.CUDAError)
