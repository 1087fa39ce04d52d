"""Errors of compilers name what has taken the place of what CUDA has removed, and packages of headers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cuox
import pytest
from ctools import needs_nvcc

OLD = """
__global__ void k(int *p) { *p = __shfl(*p, 0); }
int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    int *q, rates = p.clockRate + p.memoryClockRate + p.computeMode + p.deviceOverlap;
    cudaThreadSynchronize();
    cudaThreadSynchronize();
    cudaBindTexture(0, 0, 0);
    cudaMallocManaged(&q, 4);
    cudaMemPrefetchAsync(q, 4, 0, 0);
    return rates;
}
"""
HINTS = [
    "CUDA 13 has removed cudaDeviceProp::clockRate: use cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device).",
    "CUDA 13 has removed cudaDeviceProp::memoryClockRate: use cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, device).",
    "CUDA 13 has removed cudaDeviceProp::computeMode: use cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, device).",
    "CUDA 13 has removed cudaDeviceProp::deviceOverlap: use asyncEngineCount > 0.",
    "CUDA 13 has removed cudaThreadSynchronize: use cudaDeviceSynchronize.",
    "CUDA 12 has removed cudaBindTexture: use cudaCreateTextureObject, whose object is a parameter of the kernel.",
    "Since CUDA 13 cudaMemPrefetchAsync and cudaMemAdvise take a place for the number of a device: cudaMemLocation{cudaMemLocationTypeDevice, device}; behind it cudaMemPrefetchAsync takes flags, 0.",
]


def nvcc(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cuox", "nvcc", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@needs_nvcc
def test_names_that_were_removed(tmp_path: Path) -> None:
    (tmp_path / "old.cu").write_text(OLD)
    done = nvcc(tmp_path, "old.cu")
    assert done.returncode != 0
    assert 'old.cu(6): error: class "cudaDeviceProp" has no member "clockRate"' in done.stderr
    said = [line.removeprefix("cuox nvcc: ") for line in done.stderr.splitlines() if line.startswith("cuox nvcc: ")]
    assert [line for line in said if "__shfl" not in line] == HINTS
    with pytest.raises(cuox.CompileError) as caught:
        cuox.load(tmp_path / "old.cu")
    assert str(caught.value).splitlines()[-len(said) :] == said
    assert HINTS[0] not in caught.value.log


@needs_nvcc
def test_the_replacements_compile(tmp_path: Path) -> None:
    (tmp_path / "new.cu").write_text("""
#include <cstdio>
__global__ void k(int *p) { *p = __shfl_sync(0xffffffff, *p, 0); }
int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    int device = 0, value, *q;
    size_t width;
    bool overlap = p.asyncEngineCount > 0;
    for (cudaDeviceAttr which : {cudaDevAttrClockRate, cudaDevAttrMemoryClockRate, cudaDevAttrComputeMode, cudaDevAttrKernelExecTimeout, cudaDevAttrSingleToDoublePrecisionPerfRatio})
        if (cudaError_t error = cudaDeviceGetAttribute(&value, which, device)) printf("%d: %d\\n", which, error);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaDeviceGetTexture1DLinearMaxWidth(&width, &format, device);
    cudaMallocManaged(&q, 4);
    cudaMemPrefetchAsync(q, 4, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0);
    cudaMemAdvise(q, 4, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, device});
    printf("%d\\n", cudaDeviceSynchronize());
    return overlap && p.cooperativeLaunch ? 0 : 1;
}
""")
    done = nvcc(tmp_path, "new.cu", "-o", "new")
    assert (done.returncode, done.stderr) == (0, "")
    ran = subprocess.run([tmp_path / "new"], capture_output=True, text=True, check=False)
    assert ran.stdout == "0\n"


@needs_nvcc
def test_other_errors_have_no_hints(tmp_path: Path) -> None:
    (tmp_path / "other.cu").write_text('#include "mine.h"\n')
    done = nvcc(tmp_path, "other.cu")
    assert done.returncode != 0 and "mine.h" in done.stderr and "cuox nvcc: " not in done.stderr
    (tmp_path / "ended.cu").write_text("int main() { return 3; }\n")
    assert nvcc(tmp_path, "ended.cu", "--run").returncode == 3


def test_packages_of_headers() -> None:
    from cuox import _native

    for header, package in (
        ("curand_kernel.h", "pip install 'cuox[curand]', or nvidia-curand"),
        ("cublas_v2.h", "pip install nvidia-cublas"),
    ):
        log = f"a.cu:1:10: fatal error: {header}: No such file or directory\n    1 | #include <{header}>\n"
        expected = f"{header} comes with a package that is not installed: {package}"
        assert _native.nvcc_hints(log, (13, 0)) == expected
    assert _native.nvcc_hints("", (13, 0)) == ""


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("texture<float, 1> t; __global__ void k() {}", "CUDA 12 has removed texture and surface references"),
        (
            "__global__ void k(int *p) { *p = __shfl_down(*p, 1); }",
            "__shfl_down_sync takes the mask of the lanes first, __shfl_down_sync(0xffffffff, ...)",
        ),
    ],
)
def test_programs(code: str, hint: str) -> None:
    with pytest.raises(cuox.CompileError) as caught:
        cuox.Program(code).compile("ptx")
    assert hint in str(caught.value).splitlines()[-1]


@needs_nvcc
def test_a_variables_name_as_a_text(tmp_path: Path) -> None:
    (tmp_path / "symbol.cu").write_text("""
#include <cstdio>
__constant__ float table[4];
__global__ void k(float *p) { *p = table[1]; }
int main() {
    float host[4] = {};
    size_t size;
    printf("%d\\n", cudaMemcpyToSymbol("table", host, 16));
    printf("%d\\n", cudaMemcpyToSymbol("table", host, 16));
    printf("%d\\n", cudaMemcpyToSymbol("tables", host, 16));
    printf("%d\\n", cudaGetSymbolSize(&size, (const void *)8));
    printf("%d\\n", cudaMemcpyToSymbol(table, host, 16));
}
""")
    nvcc(tmp_path, "symbol.cu", "-o", "symbol").check_returncode()
    ran = subprocess.run([tmp_path / "symbol"], capture_output=True, text=True, check=False)
    assert ran.stdout == "13\n13\n13\n13\n0\n"
    assert ran.stderr == (
        'cuox runtime: "table" is the name of a variable as a text, which CUDA has not taken since version 5: '
        "pass the variable itself, table without quotes\n"
    )
