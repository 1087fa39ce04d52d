"""Kernels' code by LLVM (`CUOX_SOFT_ENGINE=llvm`): the same bits as the interpreter's, and what is said without it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import cuox
import pytest

LIBRARY = str(Path(pytest.importorskip("llvmlite").__file__).parent / "binding" / "libllvmlite.so")
# The default: the package beside cuox.
BESIDE = "import os\nos.environ.pop('CUOX_LLVM')\n"
RunScript = Callable[..., CompletedProcess[str]]

SCRIPT = r"""
import hashlib, json
import cuox
import numpy as np
source = r'''
#include <cuda_fp16.h>
extern "C" {
__global__ void forces(const float4 *p, float4 *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float4 me = p[i]; float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; j++) {
    float4 o = p[j]; float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float r = dx * dx + dy * dy + dz * dz + 1e-3f, k = o.w * rsqrtf(r) / r;
    x += dx * k; y += dy * k; z += dz * k; }
  a[i] = make_float4(x, y, z, 0); }
__global__ void turns(const int *x, int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  unsigned v = x[i]; int t = 0;
  while (v != 1 && t < 100) { v = v & 1 ? 3 * v + 1 : v / 2; t++; }
  o[i] = t + __clz(x[i]) + __popc(x[i]) + (int)__funnelshift_l(v, x[i], i); }
__global__ void tiles(const float *a, const float *b, float *c, int n) {
  __shared__ float s[16][16], t[16][17]; int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x; float r = 0;
  for (int k = 0; k < n; k += 16) {
    s[y][x] = a[i * n + k + x]; t[x][y] = b[(k + y) * n + j]; __syncthreads();
    for (int q = 0; q < 16; q++) r += s[y][q] * t[x][q];
    __syncthreads(); }
  c[i * n + j] = r; }
__global__ void edges(const unsigned char *x, short *y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y; int s = 0; if (i >= w) return;
  for (int d = -2; d <= 2; d++) for (int e = -2; e <= 2; e++) s += x[min(max(j + e, 0), h - 1) * w + min(max(i + d, 0), w - 1)] * (3 - abs(d)) * (3 - abs(e));
  y[j * w + i] = (short)s; }
__global__ void functions(const float *x, float *o, double *d, __half *h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float v = x[i];
  o[i] = expf(v) + __sinf(v) + __log2f(fabsf(v)) + sqrtf(fabsf(v)) + __fdividef(v, 3.f) + fmaf(v, v, floorf(v)) + fminf(v, 0.f) + tanhf(v);
  d[i] = sqrt(fabs((double)v)) * v + (double)(long long)(v * 1e6f) + fma((double)v, 3.0, -1.0) / (1 + (double)v * v);
  h[i] = __float2half(v) * __float2half(0.3f) + __int2half_rn(i); }
__global__ void counts(const int *x, unsigned *bins, unsigned long long *sum, int *order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31; int v = x[i];
  atomicAdd(bins + (v & 63), 1u); atomicMax(bins + 64, (unsigned)v);
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (lane == 0) atomicAdd(sum, (unsigned long long)v);
  order[i] = __popc(__ballot_sync(~0u, x[i] & 1) & ((1u << lane) - 1)) + __shfl_sync(~0u, x[i], x[i] & 31) + __any_sync(~0u, x[i] == 7); }
__global__ void sorts(unsigned *x) {
  __shared__ unsigned s[256]; int t = threadIdx.x; x += blockIdx.x * 256; s[t] = x[t]; s[t + 128] = x[t + 128];
  for (int k = 2; k <= 256; k <<= 1) for (int j = k / 2; j; j >>= 1) {
    __syncthreads(); int i = 2 * t - (t & (j - 1)); unsigned a = s[i], b = s[i + j];
    if ((a > b) == ((i & k) == 0)) { s[i] = b; s[i + j] = a; } }
  __syncthreads(); x[t] = s[t]; x[t + 128] = s[t + 128]; }
__global__ void capitals(const unsigned char *x, unsigned char *o, unsigned short *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; unsigned char c = x[i], before = 0;
  if (c % 3) before = x[i - 1]; if (c % 5 == 1) o[i] = c ^ before; if (c & 64) p[i] = p[i] * 3 + before; }
__global__ void sparse(const int *start, const int *column, const float *v, float *o, double *d, long long *far) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; double e = 1; long long f = i;
  for (int k = start[i]; k < start[i + 1]; k++) { float a = v[column[k]]; if (a > 0) { s += a; e = e * 0.75 + a; } else f = f * 3 + column[k]; }
  o[i] = s; d[i] = e; far[i] = f; }
__global__ void places(const float4 *a, const double *d, const int *at, float *o, double *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = min(max(i - 3, 0), n - 5), k = at[i]; float s = a[j].y + ((const float *)a)[2 * i + 1];
  if (k & 1) s += ((const float *)a)[k]; else p[k] = d[j] + d[k]; if (i % 7) o[n - 1 - i] = s; }
__global__ void directions(const float *x, float *o, double *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float a = x[i], b = x[i ^ 1], c = x[i ^ 2]; float *f = o + 8 * i; double *e = d + 8 * i;
  f[0] = __fmaf_rd(a, b, c); f[1] = __fmaf_ru(a, b, c); f[2] = __fmaf_rz(a, b, c); f[3] = __fadd_ru(a, b); f[4] = __fsub_rd(a, b);
  f[5] = __fmul_rd(a, c); f[6] = __fdiv_rz(a, b); f[7] = __fsqrt_ru(fabsf(a));
  e[0] = __fma_rd(a, b, c); e[1] = __fma_ru(a, 1e-9 * b, c); e[2] = __fma_rz(a, b, 0.1 * c); e[3] = __dadd_ru(a, 1e-9 * b); e[4] = __dsub_rd(a, b / 3.0);
  e[5] = __dmul_rz(a, c / 7.0); e[6] = __ddiv_ru(a, b); e[7] = __dsqrt_rd(fabs((double)a)); }
}'''
rng = np.random.default_rng(5)
code = cuox.Program(source).compile("ptx")
stream = cuox.Device().create_stream()
told = {}
def run(name, grid, block, *arguments):
    given = [cuox.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    code.get_kernel(name)[grid, block, stream](*given)
    stream.sync()
    told[f"{name} {block}"] = [hashlib.sha256(g.to_host().tobytes()).hexdigest()[:16] for g in given if isinstance(g, cuox.Array)]
run("forces", 4, 64, rng.random((256, 4), dtype=np.float32), np.zeros((256, 4), np.float32), 256)
for block in (32, 96, 100, 256):
    run("turns", 9, block, rng.integers(1, 1 << 20, 3000, dtype=np.int32), np.zeros(3000, np.int32), 3000 if block > 100 else 9 * block - 5)
run("tiles", (4, 4), (16, 16), rng.random((64, 64), dtype=np.float32), rng.random((64, 64), dtype=np.float32), np.zeros((64, 64), np.float32), 64)
run("edges", (2, 30), 64, rng.integers(0, 255, 3000, dtype=np.uint8), np.zeros(3000, np.int16), 100, 30)
odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-42, -1e-42, 3e38, 0.5, 88.9, -104.0, 1e10], np.float32)
x = np.concatenate([odd, rng.normal(0, 30, 1012).astype(np.float32)])
run("functions", 4, 256, x, np.zeros(1024, np.float32), np.zeros(1024), np.zeros(1024, np.float16), 1024)
run("counts", 8, 128, rng.integers(0, 1 << 20, 1024, dtype=np.int32), np.zeros(65, np.uint32), np.zeros(1, np.uint64), np.zeros(1024, np.int32))
run("sorts", 5, 128, rng.integers(0, 1 << 32, 1280, dtype=np.uint32))
# To the end of a page, past which nothing may be read.
for n in (4096, 4090):
    x = rng.integers(0, 255, 4096, dtype=np.uint8)
    x[0] = 0
    run("capitals", n // 64, 64, x, np.zeros(4096, np.uint8), np.arange(4096, dtype=np.uint16), n)
counts = np.concatenate([rng.integers(0, 9, 500), [700, 0, 129, 128, 127, 5, 300, 1, 2, 3, 4, 5]])
start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
v = np.concatenate([odd, rng.normal(0, 1, 500).astype(np.float32)])
run("sparse", 4, 128, start, rng.integers(0, 512, start[-1], dtype=np.int32), v, np.zeros(512, np.float32), np.zeros(512), np.zeros(512, np.int64))
run("places", 8, 64, rng.random((512, 4), dtype=np.float32), rng.random(512), rng.permutation(512).astype(np.int32), np.zeros(512, np.float32), np.zeros(512), 512)
run("directions", 4, 256, x := np.concatenate([odd, rng.normal(0, 30, 1012).astype(np.float32)]), np.zeros(8192, np.float32), np.zeros(8192))
print(json.dumps(told))
"""


@pytest.fixture(scope="module", autouse=True)
def soft() -> None:
    if not cuox.Device().is_soft:
        pytest.skip("LLVM makes code for the software GPU")


def told(run_script: RunScript, **environment: str) -> dict[str, list[str]]:
    result = run_script(SCRIPT, CUOX_CACHE="0", CUOX_SOFT_THREADS="1", CUOX_LLVM=LIBRARY, **environment)
    assert result.returncode == 0, result.stderr
    found: dict[str, list[str]] = json.loads(result.stdout)
    return found


def test_llvm_gives_the_interpreters_bits(run_script: RunScript) -> None:
    right = told(run_script, CUOX_SOFT_ENGINE="interpreter")
    assert len(right) == 14
    assert told(run_script, CUOX_SOFT_ENGINE="llvm") == right
    assert told(run_script, CUOX_SOFT_ENGINE="llvm", CUOX_SOFT_CPU="x86-64-v3") == right


def own_library() -> str:
    """LLVM's own library, if the loader has one that can be used."""
    program = Path(cuox.__file__).parent / "lib" / "cuox-llvm"
    for version in range(23, 19, -1):
        name = f"libLLVM.so.{version}.1"
        command = [str(program), "x86-64-v3", "", name]
        ended = subprocess.run(command, input="", capture_output=True, text=True, check=False)
        if ended.stdout.startswith("LLVM "):
            return name
    pytest.skip("needs libLLVM.so of LLVM 20 to 23, where the loader finds it")


def test_llvms_own_library_gives_the_same_bits(run_script: RunScript) -> None:
    library = own_library()
    result = run_script(SCRIPT, CUOX_CACHE="0", CUOX_SOFT_THREADS="1", CUOX_SOFT_ENGINE="llvm", CUOX_LLVM=library)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == told(run_script, CUOX_SOFT_ENGINE="llvm")


FAULT = r"""
import cuox
import numpy as np
source = r'''
extern "C" __global__ void k(const int *x, int *o, long long past) {
  int i = threadIdx.x, v = i;
  for (int j = 0; j < i % 50; j++)
    v += x[(v & 63) + (i == 77 && j == 20 ? past : 0)];
  o[i] = v;
}'''
kernel = cuox.Program(source, options=cuox.ProgramOptions(lineinfo=True)).compile("ptx").get_kernel("k")
x, o = cuox.zeros(64, np.int32), cuox.zeros(96, np.int32)
try:
    kernel[1, 96](x, o, WRONG)
    x.device.sync()
    print(int(o.to_host().sum()))
except cuox.CUDAError as error:
    print(error.name, str(error))
"""


@pytest.mark.parametrize(("past", "words"), [("0", "4560"), ("1 << 44", r"thread \(77, 0, 0\), PTX line \d+ \(.*:5\)")])
def test_a_fault_in_a_loop_names_the_thread_and_the_line(run_script: RunScript, past: str, words: str) -> None:
    script = FAULT.replace("WRONG", past)
    for engine in ("interpreter", "llvm"):
        variables = {"CUOX_CACHE": "0", "CUOX_LLVM": LIBRARY, "CUOX_SOFT_CPU": "x86-64-v3", "CUOX_SOFT_ENGINE": engine}
        result = run_script(script, **variables)
        assert result.returncode == 0, result.stderr
        assert re.search(words, result.stdout), (engine, result.stdout)


LONG = r"""
import contextlib, os, time
import cuox
import numpy as np
source = 'extern "C" __global__ void k(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float v = x[i]; for (int j = 0; j < n; j++) v = v * 1.0001f + 0.5f; x[i] = v; }'
kernel = cuox.Program(source).compile("ptx").get_kernel("k")
def children():
    found = []
    for task in os.listdir("/proc/self/task"):
        # A thread or a child may have ended meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for pid in open(f"/proc/self/task/{task}/children").read().split():
                found.append(open(f"/proc/{pid}/comm").read().strip())
    return found
right, end = None, time.monotonic() + 60
while "cuox-llvm" not in children() and time.monotonic() < end:
    x = cuox.to_device(np.arange(4096, dtype=np.float32))
    kernel[16, 256](x, 20000)
    right = x.to_host()
began = "cuox-llvm" in children()
time.sleep(2)
for _ in range(10):
    x = cuox.to_device(np.arange(4096, dtype=np.float32))
    kernel[16, 256](x, 20000)
    assert (x.to_host() == right).all()
print(began)
"""


def test_kernels_that_run_long_get_code_by_llvm(run_script: RunScript) -> None:
    result = run_script(BESIDE + LONG, CUOX_CACHE="0", CUOX_SOFT_CPU="x86-64-v3")
    assert (result.returncode, result.stdout) == (0, "True\n"), result.stderr
    result = run_script(LONG.replace("+ 60", "+ 1"), CUOX_CACHE="0", CUOX_SOFT_CPU="x86-64-v3", CUOX_LLVM="")
    assert (result.returncode, result.stdout) == (0, "False\n"), result.stderr


def test_a_later_process_has_that_code_from_its_first_launch(run_script: RunScript, tmp_path: Path) -> None:
    kept = {"CUOX_CACHE_DIR": str(tmp_path / "kept"), "CUOX_SOFT_CPU": "x86-64-v3"}
    short = BESIDE + LONG.replace("+ 60", "+ 1")
    # The code is known to be worth having, and is there: LLVM is not asked.
    for script, asks in [(BESIDE + LONG, True), (short, False)]:
        result = run_script(script, **kept)
        assert (result.returncode, result.stdout) == (0, f"{asks}\n"), result.stderr
    # Where none is wanted, none is taken; and what is damaged is as if it were not there.
    result = run_script(LONG.replace("+ 60", "+ 1"), CUOX_LLVM="", **kept)
    assert (result.returncode, result.stdout) == (0, "False\n"), result.stderr
    files = [file for file in (tmp_path / "kept").rglob("*") if file.is_file()]
    assert len(files) > 2
    for file in files:
        file.write_bytes(file.read_bytes()[:-3])
    result = run_script(BESIDE + LONG, **kept)
    assert (result.returncode, result.stdout) == (0, "True\n"), result.stderr


SHORT = """
import cuox, numpy as np
kernel = cuox.Program('extern "C" __global__ void k(int *x) { x[threadIdx.x] = 3 * threadIdx.x; }').compile("ptx").get_kernel("k")
x = cuox.zeros(32, np.int32)
try:
    kernel[1, 32](x)
    x.device.sync()
    print(int(x.to_host()[31]))
except cuox.CUDAError as error:
    print(error.name, str(error).replace(chr(10), " "))
"""


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("CUOX_LLVM", "/nowhere/libllvmlite.so", "cuox-llvm: .*nowhere"),
        ("CUOX_LLVM", "", "CUOX_LLVM is empty"),
        ("CUOX_SOFT_CPU", "x86-64-v2", "code by LLVM needs AVX2"),
        ("CUOX_LLVM", "libc.so.6", "libc.so.6: the library is neither llvmlite's nor libLLVM"),
        ("CUOX_LLVM_PROGRAM", "/nowhere/cuox-llvm", "cuox-llvm cannot be started"),
        ("CUOX_LLVM_PROGRAM", "/bin/true", "cuox-llvm ended, or did not answer"),
        ("CUOX_LLVM_PROGRAM", "/bin/echo", "cuox-llvm ended, or did not answer"),
        ("CUOX_LLVM", "/nowhere/\udcff.so", "/nowhere/.*cannot open shared object file"),
    ],
)
def test_what_is_said_without_llvm(run_script: RunScript, variable: str, value: str, words: str) -> None:
    result = run_script(SHORT, CUOX_CACHE="0", CUOX_SOFT_ENGINE="llvm", **{"CUOX_LLVM": LIBRARY, variable: value})
    assert result.returncode == 0, result.stderr
    assert re.search(f"CUDA_ERROR_NOT_SUPPORTED .*{words}", result.stdout), result.stdout
    # The engine that is there without it.
    result = run_script(SHORT, CUOX_CACHE="0", **{"CUOX_SOFT_CPU": "x86-64-v3", variable: value})
    assert (result.returncode, result.stdout) == (0, "93\n"), result.stderr


def test_an_empty_path_of_the_program_is_none(run_script: RunScript) -> None:
    given = {"CUOX_SOFT_ENGINE": "llvm", "CUOX_LLVM": LIBRARY, "CUOX_LLVM_PROGRAM": ""}
    result = run_script(SHORT, CUOX_CACHE="0", **given)
    assert (result.returncode, result.stdout) == (0, "93\n"), result.stderr
