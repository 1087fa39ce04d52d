"""Threads with little stack: what compiles does not end the process there."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Functions that call each other, nested blocks and expressions.
CALLS = "\n".join(f"__device__ __noinline__ int f{n}(int x) {{ return f{n - 1}(x) + {n}; }}" for n in range(1, 60))
SOURCE = f"""
__device__ __noinline__ int f0(int x) {{ return x; }}
{CALLS}
extern "C" __global__ void k(int *p) {{
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x] {" ".join(f"+ {n} * p[{n}]" for n in range(1, 60))};
    __syncthreads();
    p[threadIdx.x] = f59(s[63 - threadIdx.x]);
}}
"""

IN_A_THREAD = """
import threading
import cuox, numpy as np

def in_a_thread(work):
    done = []
    threading.stack_size({stack})
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    thread.join()
    return done
"""


@pytest.mark.parametrize("stack", [65536, 262144])
def test_code_is_loaded_and_launched(run_script: Run, stack: int) -> None:
    script = f"""{IN_A_THREAD.format(stack=stack)}
source = {SOURCE!r}
ptx = cuox.Program(source).compile("ptx")
device = cuox.Device()
device.set_current()
memory = device.allocate(256, stream=device.default_stream)

def work():
    device.set_current()
    stream = device.create_stream()
    kernel = cuox.ObjectCode.from_ptx(ptx.code).get_kernel("k")
    memory.copy_from_host(np.arange(64, dtype=np.int32), stream=stream)
    kernel[1, 64, stream](memory)
    out = np.zeros(64, np.int32)
    memory.copy_to_host(out, stream=stream)
    stream.sync()
    return int(out.sum())

wanted = work()
assert in_a_thread(work) == [wanted], wanted
"""
    for cache in ("0", "1"):
        done = run_script(script, CUOX_CACHE=cache)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("stack", [65536, 262144])
def test_cuda_cpp_is_compiled(run_script: Run, stack: int) -> None:
    script = f"""{IN_A_THREAD.format(stack=stack)}
source = {SOURCE!r}
(code,) = in_a_thread(lambda: cuox.Program(source).compile("ptx").code)
assert code == cuox.Program(source).compile("ptx").code
"""
    done = run_script(script, CUOX_CACHE="0")
    assert done.returncode == 0, done.stderr
