"""Checks of kernels' accesses to memory: `CUOX_SOFT_CHECK=memory` and `device.check`."""

import json
import re
from pathlib import Path

import cuox
import numpy as np
import pytest
from conftest import download, upload

SOURCE = r"""
#include <cuda_fp16.h>
template <typename T> __global__ void fill(T *p, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i + by] = (T)i;
}
__global__ void sum(const float *x, float *total, int n)
{
    __shared__ float part[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = x[i];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(total + blockIdx.x, part[0]);
}
__global__ void masked(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 3 == 1)
        p[i] = p[i + n] + 1;
    else
        p[i] = 2;
}
__global__ void quads(float4 *p) { p[threadIdx.x] = make_float4(1, 2, 3, 4); }
__global__ void pairs(__half2 *p) { atomicAdd(p + threadIdx.x, __floats2half2_rn(1, 2)); }
__device__ int table[8];
__device__ int neighbour[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__global__ void backwards(double *p, int n) { p[n - 1 - int(threadIdx.x)] = 1; }
__global__ void two(const char *p, int at)
{
    if (threadIdx.x == 5)
        asm volatile("{ .reg .b16 a; .reg .b32 b; ld.global.u8 a, [%0]; ld.global.u32 b, [%0]; }" ::"l"(p + at));
}
__global__ void overrun(int n) { if (threadIdx.x < n) table[threadIdx.x] = 0; }
"""

# Each case: (kernel, arguments, threads, what goes wrong). `buffers` are made anew for each.
SCRIPT = (
    "SOURCE = r'''"
    + SOURCE
    + """'''
import json, numpy as np, cuox
device = cuox.Device(); device.set_current()
names = ["fill<float>", "fill<double>", "sum", "masked", "quads", "pairs", "backwards", "two", "overrun"]
options = cuox.ProgramOptions(name="/src/kernels.cu", lineinfo=True)
code = cuox.Program(SOURCE, "/src/kernels.cu", options=options).compile("ptx", name_expressions=names)

def run(kernel, arguments, threads):
    stream = device.create_stream()
    made = []
    def value(argument):
        if isinstance(argument, int):
            return np.int32(argument)
        size, freed = argument
        buffer = device.allocate(size, stream=stream)
        buffer.fill(0, stream=stream)
        handle = buffer.handle
        made.append(buffer)
        if freed:
            buffer.close(stream)
            stream.sync()
            made.append(device.allocate(size, stream=stream))
        return int(handle)
    try:
        values = [value(a) for a in arguments]
        cuox.launch(stream, cuox.LaunchConfig(grid=max(1, threads // 128), block=min(threads, 128)), code.get_kernel(kernel), *values)
        stream.sync()
        return None
    except cuox.CUDAError as error:
        assert error.code == 700, error
        text = str(error)
        made.clear()
        device.reset()
        return text

print(json.dumps([run(*case) for case in json.loads(CASES)]))
"""
)

CASES = [
    ("fill<float>", [(64, False), 16, 0], 384, None),
    ("fill<float>", [(64, False), 300, 0], 384, "fill<float>(float*, int, int): Invalid __global__ write of size 4 bytes;thread (16, 0, 0);kernels.cu:7;at the end of the allocation of 64 bytes"),
    ("fill<double>", [(1020, False), 128, 0], 128, "write of size 8;thread (127, 0, 0);the last 4 of the 8 bytes are past its end"),
    ("fill<float>", [(512, False), 128, -1], 128, "write of size 4;thread (0, 0, 0);4 bytes before the allocation of 512 bytes"),
    ("fill<float>", [(512, True), 128, 0], 128, "0 bytes into the allocation of 512 bytes;which has been freed"),
    ("fill<float>", [(1 << 20, True), 128, 0], 128, "0 bytes into the allocation of 1048576 bytes;which has been freed"),
    ("sum", [(1024, False), (8, False), 256], 256, None),
    ("sum", [(1020, False), (8, False), 256], 256, "sum(float const*, float*, int): Invalid __global__ read of size 4;block (1, 0, 0);thread (127, 0, 0);kernels.cu:13"),
    ("sum", [(1024, False), (4, False), 256], 256, "Invalid __global__ atomic of size 4;block (1, 0, 0);thread (0, 0, 0);kernels.cu:21"),
    ("masked", [(512, False), 0], 128, None),
    ("masked", [(512, False), 2], 128, "read of size 4;thread (127, 0, 0);kernels.cu:27;4 bytes past the end"),
    ("quads", [(1024, False)], 64, None),
    ("quads", [(1020, False)], 64, "write of size 16;thread (63, 0, 0);1008 bytes into;the last 4 of the 16 bytes are past its end"),
    ("pairs", [(256, False)], 64, None),
    ("pairs", [(252, False)], 64, "atomic of size 4;thread (63, 0, 0)"),
    ("backwards", [(1024, False), 128], 128, None),
    ("backwards", [(1024, False), 127], 128, "write of size 8;thread (127, 0, 0);8 bytes before the allocation of 1024 bytes"),
    ("backwards", [(1024, False), 129], 128, "write of size 8;thread (0, 0, 0);at the end of the allocation of 1024 bytes"),
    ("backwards", [(320, False), 40], 40, None),
    ("backwards", [(320, False), 39], 40, "write of size 8;thread (39, 0, 0);8 bytes before"),
    # A part of a warp, and less than half of one.
    ("fill<float>", [(80, False), 20, 0], 20, None),
    ("fill<float>", [(76, False), 20, 0], 20, "write of size 4;thread (19, 0, 0);at the end of the allocation of 76 bytes"),
    ("fill<double>", [(128, False), 16, 0], 16, None),
    ("fill<double>", [(120, False), 16, 0], 16, "write of size 8;thread (15, 0, 0);at the end of the allocation of 120 bytes"),
    ("backwards", [(160, False), 20], 20, None),
    ("backwards", [(160, False), 19], 20, "write of size 8;thread (19, 0, 0);8 bytes before"),
    ("masked", [(40, False), 0], 10, None),
    # Two sizes on one line.
    ("two", [(61, False), 56], 32, None),
    ("two", [(61, False), 60], 32, "read of size 4;thread (5, 0, 0);the last 3 of the 4 bytes are past its end"),
    ("overrun", [8], 32, None),
    ("overrun", [9], 32, "overrun(int): Invalid __global__ write of size 4;thread (8, 0, 0);at the end of the allocation of 32 bytes"),
]  # fmt: skip


def soft_only(device):
    if not device.is_soft:
        pytest.skip("only the software GPU checks memory")


@pytest.mark.parametrize("engine", ["auto", "jit-narrow", "interpreter", "llvm"])
def test_what_a_bad_access_is_told_as(device, run_script, engine):
    soft_only(device)
    library = ""
    if engine == "llvm":
        library = str(Path(pytest.importorskip("llvmlite").__file__).parent / "binding" / "libllvmlite.so")
    cases = json.dumps([case[:3] for case in CASES])
    script = f"CASES = {cases!r}\n{SCRIPT}"
    result = run_script(script, CUOX_SOFT_CHECK="memory", CUOX_SOFT_ENGINE=engine, CUOX_LLVM=library)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert len(told) == len(CASES)
    for case, text in zip(CASES, told, strict=True):
        if case[3] is None:
            assert text is None, case
        else:
            assert text is not None, case
            for part in case[3].split(";"):
                assert part in text, (case, text)
            assert re.search(r"PTX line \d+", text), (case, text)
            # For programs that look at codes only.
            report = text.splitlines()[0].partition("(kernel ")[2].removesuffix(")")
            assert report and report in result.stderr, (case, text)


def test_without_checks_a_neighbour_keeps_its_contents(device, run_script):
    soft_only(device)
    script = """
    import numpy as np, cuox
    device = cuox.Device(); device.set_current(); stream = device.create_stream()
    source = 'extern "C" __global__ void fill(float *p, int n) { int i = threadIdx.x; if (i < n) p[i] = i; }'
    fill = cuox.Program(source, "fill.cu").compile("ptx").get_kernel("fill")
    buffers = [device.allocate(64, stream=stream) for _ in range(8)]
    buffers.sort(key=lambda b: int(b.handle))
    for b in buffers:
        b.fill(7, stream=stream)
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=256), fill, buffers[0], np.int32(256))
    host = np.empty(64, "u1")
    for b in buffers[1:]:
        b.copy_to_host(host, stream=stream)
        stream.sync()
        assert (host == 7).all()
    print("fine", device.check)
    """
    result = run_script(script, CUOX_SOFT_CHECK="")
    assert result.stdout == "fine None\n", result.stderr


def test_the_property(device, stream, saxpy):
    if not device.is_soft:
        assert device.check is None
        device.check = None
        with pytest.raises(NotImplementedError, match="compute-sanitizer"):
            device.check = "memory"
        return
    before = device.check
    x, y = np.arange(1000, dtype="f4"), np.ones(1000, "f4")
    try:
        device.check = "memory"
        assert device.check == "memory"
        device_x, device_y = upload(device, x, stream), upload(device, y, stream)
        config = cuox.LaunchConfig(grid=4, block=256)
        cuox.launch(stream, config, saxpy, np.float32(2), device_x, device_y, np.int32(1000))
        assert (download(device_y, "f4", stream) == 2 * x + y).all()
        device.check = "off"
        assert device.check is None
        device.check = None
        with pytest.raises(ValueError, match=r'"races".*must be "memory", "off" or None'):
            device.check = "races"
        with pytest.raises(TypeError):
            device.check = 1
    finally:
        device.check = before


def test_copies_past_the_end_are_refused(device, stream):
    buffer = device.allocate(64, stream=stream)
    with pytest.raises((ValueError, cuox.CUDAError)):
        buffer.copy_from_host(np.zeros(65, "u1"), stream=stream)


def test_info_says_so(device, run_script):
    soft_only(device)
    script = "import sys; from cuox.__main__ import main; sys.exit(main(['info']))"
    assert "checks of memory are on" in run_script(script, CUOX_SOFT_CHECK="memory").stdout
    assert "checks of memory" not in run_script(script, CUOX_SOFT_CHECK="").stdout
    wrong = run_script(script, CUOX_SOFT_CHECK="races")
    assert "CUOX_SOFT_CHECK=races is ignored: expected memory or off" in wrong.stdout
