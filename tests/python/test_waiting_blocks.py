"""Blocks of a grid that wait for each other on the software GPU, and kernels that take longer than they may."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

import pytest

pytest.importorskip("numpy")

Run = Callable[..., "subprocess.CompletedProcess[str]"]

WAITS = r'''
import numpy as np
import cuox

device = cuox.Device()
device.set_current()
stream = device.create_stream()
code = cuox.Program(r"""
// Each block waits for the next one.
extern "C" __global__ void downwards(volatile unsigned *flag) {
  unsigned b = blockIdx.x, v = 0;
  if (threadIdx.x) return;
  if (b + 1 < gridDim.x) while (!(v = flag[b + 1])) {}
  flag[b] = v + 1;
}
// Each block waits for the one before.
extern "C" __global__ void upwards(volatile unsigned *flag) {
  unsigned b = blockIdx.x, v = 0;
  if (threadIdx.x) return;
  if (b > 0) while (!(v = flag[b - 1])) {}
  flag[b] = v + 1;
}
// All blocks wait for the first, which waits for the last but one.
extern "C" __global__ void ends(volatile unsigned *flag) {
  unsigned b = blockIdx.x, n = gridDim.x;
  if (threadIdx.x) return;
  if (b == 0) while (!flag[n - 2]) {}
  else if (b != n - 2) while (!flag[0]) {}
  flag[b] = 1;
}
// All blocks meet, three times.
extern "C" __global__ void barrier(volatile unsigned *flag) {
  volatile unsigned *arrived = flag + gridDim.x;
  for (unsigned r = 1; r <= 3; r++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd((unsigned *)arrived, 1);
      while (*arrived < r * gridDim.x) {}
      __threadfence();
      flag[blockIdx.x] += 1;
    }
    __syncthreads();
  }
}
""", code_type="c++").compile("ptx")
for name, cooperative in (("downwards", 0), ("upwards", 0), ("ends", 0), ("barrier", 0), ("barrier", 1)):
    kernel = code.get_kernel(name)
    fit = kernel.occupancy.max_active_blocks_per_multiprocessor(64, 0) * device.properties.multiprocessor_count
    flag = cuox.zeros((fit + 1,), np.uint32, stream=stream)
    cuox.launch(stream, cuox.LaunchConfig(grid=fit, block=64, is_cooperative=bool(cooperative)), kernel, flag)
    stream.sync()
    up = np.arange(1, fit + 1)
    expected = {"downwards": up[::-1], "upwards": up, "ends": up * 0 + 1, "barrier": up * 0 + 3}[name]
    assert (flag.to_host()[:fit] == expected).all(), name
print(fit)
'''


@pytest.mark.parametrize("multiprocessors", [16, 132])
@pytest.mark.parametrize("threads", [1, 2, 16])
def test_blocks_that_a_device_holds_wait_for_each_other(run_script: Run, threads: int, multiprocessors: int) -> None:
    ran = run_script(
        WAITS,
        CUOX_DEVICE="soft",
        CUOX_SOFT_THREADS=str(threads),
        CUOX_SOFT_MULTIPROCESSORS=str(multiprocessors),
    )
    assert ran.returncode == 0, ran.stderr
    # A multiprocessor holds 32 blocks of 64 threads.
    assert ran.stdout.split() == [str(32 * multiprocessors)]


ENDLESS = r'''
import numpy as np
import cuox

device = cuox.Device()
device.set_current()
stream = device.create_stream()
source = """extern "C" __global__ void wait_for_nobody(volatile unsigned *flag) {
  if (threadIdx.x == 3) {
    while (*flag == 0) {}
  }
  __syncthreads();
}
extern "C" __global__ void well() {}
"""
options = cuox.ProgramOptions(name="wait.cu", lineinfo={lineinfo})
code = cuox.Program(source, code_type="c++", options=options).compile("ptx")
flag = cuox.zeros((1,), np.uint32, stream=stream)
code.get_kernel("well")[1, 1, stream]()
stream.sync()
code.get_kernel("wait_for_nobody")[2, 64, stream](flag)
for attempt in range(2):
    try:
        stream.sync()
    except cuox.CUDAError as error:
        print(error.code, str(error).splitlines()[0])
device.reset()
stream = device.create_stream()
code.get_kernel("well")[1, 1, stream]()
stream.sync()
print("goes on")
'''


@pytest.mark.parametrize("lineinfo", [True, False])
@pytest.mark.parametrize("engine", ["jit", "jit-narrow", "interpreter"])
def test_a_kernel_that_takes_too_long_ends_with_its_places(run_script: Run, engine: str, lineinfo: bool) -> None:
    script = ENDLESS.replace("{lineinfo}", str(lineinfo))
    ran = run_script(script, CUOX_DEVICE="soft", CUOX_SOFT_TIMEOUT="0.3", CUOX_SOFT_ENGINE=engine)
    assert ran.returncode == 0, ran.stderr
    first, second, last = ran.stdout.splitlines()
    # The error stays until the device is reset.
    assert first == second
    assert last == "goes on"
    assert first.startswith("702 stream.sync(): CUDA_ERROR_LAUNCH_TIMEOUT")
    assert "kernel wait_for_nobody" in first and "CUOX_SOFT_TIMEOUT" in first
    assert "2 of its 2 blocks were running" in first
    barrier, loop = (
        (r"\S*wait.cu:5 \(PTX line \d+\)", r"\S*wait.cu:3 \(PTX line \d+\)") if lineinfo else (r"PTX line \d+",) * 2
    )
    one = r"one of them block \(0, 0, 0\) thread"
    assert re.search(rf"126 threads of 2 blocks waiting at the barrier at {barrier}, {one} \(0, 0, 0\)", first), first
    assert re.search(rf"; 2 threads of 2 blocks at {loop}, {one} \(3, 0, 0\)", first), first


def test_a_time_that_is_no_time_is_ignored_with_a_message(run_script: Run) -> None:
    script = """
        import cuox
        device = cuox.Device()
        device.set_current()
        stream = device.create_stream()
        source = 'extern "C" __global__ void set(int *x) { *x = 7; }'
        x = cuox.zeros((1,), "i4", stream=stream)
        cuox.Program(source, code_type="c++").compile("ptx").get_kernel("set")[1, 1, stream](x)
        stream.sync()
        print(x.to_host()[0])
    """
    for text in ("soon", "0", "-1"):
        ran = run_script(script, CUOX_DEVICE="soft", CUOX_SOFT_TIMEOUT=text)
        assert f"CUOX_SOFT_TIMEOUT={text} is ignored: expected a number of seconds greater than 0" in ran.stderr
        assert ran.stdout == "7\n"
