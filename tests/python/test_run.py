"""`cuox run` and `cuox env`: programs with the software GPU in front."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cuox._internal import links

CUOX = [sys.executable, "-m", "cuox"]
DRIVER = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **arguments) {
    void *cuda = dlopen(arguments[1], RTLD_NOW);
    if (!cuda) return puts(dlerror()), 1;
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(cuda, "cuInit");
    int (*name)(char *, int, int) = (int (*)(char *, int, int))dlsym(cuda, "cuDeviceGetName");
    int (*missing)(void *, void *) = (int (*)(void *, void *))dlsym(cuda, "cuMulticastCreate");
    char text[100];
    init(0);
    name(text, sizeof text, 0);
    puts(text);
    printf("%d\\n", missing(0, 0));
    return count > 2 ? atoi(arguments[2]) : 0;
}
"""


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run([*CUOX, *arguments], env=env, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A C program that opens a driver by its name and asks for the device's name."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("run")
    (folder / "driver.c").write_text(DRIVER)
    subprocess.run(["cc", "driver.c", "-o", "driver", "-ldl"], cwd=folder, check=True)
    return str(folder / "driver")


@pytest.mark.parametrize("name", ["libcuda.so", "libcuda.so.1"])
def test_a_program_finds_the_software_gpu(program: str, name: str) -> None:
    said = run("run", "--", program, name, "7")
    assert said.returncode == 7
    assert said.stdout.startswith("cuox software GPU") and said.stderr == ""


def test_the_summary_counts(program: str) -> None:
    said = run("run", "-v", program, "libcuda.so.1")
    assert said.returncode == 0
    assert said.stderr == (
        "cuox: software GPU: 0 launches of 0 kernels, 0 modules of PTX loaded in 0.0 ms; not supported: cuMulticastCreate\n"
    )


LAUNCH = """
import cuox, numpy as np
device = cuox.Device()
device.set_current()
source = 'template <class T> __global__ void fill(T *p) { p[threadIdx.x] = 3; }'
kernel = cuox.Program(source, "fill.cu").compile("ptx", name_expressions=["fill<int>"]).get_kernel("fill<int>")
p = cuox.zeros(4, np.int32)
for _ in range(3):
    cuox.launch(device.default_stream, cuox.LaunchConfig(grid=1, block=4), kernel, p)
print(p.to_host())
"""


def test_launches_are_counted_and_traced() -> None:
    said = run("run", "-v", "--trace", sys.executable, "-c", LAUNCH)
    assert said.stdout == "[3 3 3 3]\n", said.stderr
    lines = said.stderr.splitlines()
    launches = [line for line in lines if " cuLaunchKernel" in line]
    assert len(launches) == 3
    assert "fill<int>" in launches[0] and "-> 0 CUDA_SUCCESS" in launches[0]
    assert any(" cuInit(Flags=0) -> 0 CUDA_SUCCESS" in line for line in lines)
    assert lines[-1].startswith("cuox: software GPU: 3 launches of 1 kernel, 1 module of PTX loaded in ")


MULTIMEM = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
text = b".version 8.0\\n.target sm_90a\\n.address_size 64\\n.visible .entry k() { .reg .b64 %a; multimem.red.relaxed.sys.global.add.u32 [%a], 1; ret; }"
context, module, function = (ctypes.c_void_p() for _ in range(3))
cuda.cuInit(0)
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cuda.cuCtxSetCurrent(context)
cuda.cuModuleLoadData(ctypes.byref(module), text)
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k")
for _ in range(2):
    print(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None))
"""


def test_a_refused_kernel_is_explained() -> None:
    said = run("run", "-v", "--trace", sys.executable, "-c", MULTIMEM)
    assert said.stdout == "801\n801\n", said.stderr
    lines = said.stderr.splitlines()
    why = "kernel k uses unsupported features: ptx:4:37: not supported[E-unsupported]: instruction `multimem.red.relaxed.sys.global.add.u32` is not supported yet"
    launches = [line for line in lines if " cuLaunchKernel(" in line]
    assert len(launches) == 2
    for line in launches:
        assert line.endswith(f"-> 801 CUDA_ERROR_NOT_SUPPORTED: {why}")
    assert lines[-1].endswith(f"; not supported: cuLaunchKernel (2 times, first: {why})")


def test_a_trace_survives_wrong_pointers() -> None:
    code = (
        "import ctypes; c = ctypes.CDLL('libcuda.so.1'); c.cuInit(0)\n"
        "print(c.cuGraphAddDependencies(ctypes.c_void_p(8), ctypes.c_void_p(16), ctypes.c_void_p(24), ctypes.c_size_t(0)))\n"
        "print(c.cuModuleGetFunction(None, None, ctypes.c_void_p(40)) if False else 0)\n"
    )
    said = run("run", "--trace", sys.executable, "-c", code)
    assert said.returncode == 0, said.stderr
    assert "cuGraphAddDependencies(" in said.stderr and "0x10" in said.stderr


def test_checks_are_turned_on() -> None:
    code = LAUNCH.replace("p[threadIdx.x] = 3", "p[threadIdx.x + 2] = 3")
    said = run("run", "--check", sys.executable, "-c", code)
    assert said.returncode != 0 and "fill<int>" in said.stderr


def test_settings_reach_the_device() -> None:
    code = "import cuox; d = cuox.Device(); print(*d.compute_capability, d.memory_info()[1] >> 20)"
    said = run("run", "--arch", "sm_80", "--memory", "64M", "--threads", "1", "--", sys.executable, "-c", code)
    assert said.stdout == "8 0 64\n", said.stderr


def test_what_cannot_be_started() -> None:
    said = run("run", "no-such-program")
    assert (said.returncode, said.stderr) == (127, "cuox run: no program 'no-such-program'\n")
    said = run("run", __file__)
    assert said.returncode == 126 and "does not run" in said.stderr
    said = run("run")
    assert said.returncode == 2 and "expected a command" in said.stderr
    said = run("run", "--shims=nvcc", "true")
    assert said.returncode == 2 and "no shim 'nvcc'; available: nvjitlink, nvrtc, ptxas" in said.stderr


def test_the_environment_is_for_a_shell(tmp_path: Path, program: str) -> None:
    cache = tmp_path / "it's a folder"
    said = run("env", "-v", CUOX_CACHE_DIR=str(cache), LD_LIBRARY_PATH="/before")
    assert said.returncode == 0
    script = f'eval "$SETTINGS"; echo "$LD_LIBRARY_PATH"; exec {program} libcuda.so.1'
    shell = subprocess.run(
        ["sh", "-c", script],
        env={**os.environ, "SETTINGS": said.stdout},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, device = shell.stdout.splitlines()[:2]
    assert first.startswith(str(cache)) and first.endswith(":/before")
    assert device.startswith("cuox software GPU") and "launches" in shell.stderr


PTX = ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"


def test_ptxas_hands_ptx_through(tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text(PTX)
    (tmp_path / "no.ptx").write_text("hello\n")
    ptxas = str(links.ptxas_folder() / "ptxas")

    def assemble(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ptxas, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=20, check=False
        )

    assert assemble("-lineinfo", "-v", "--gpu-name=sm_80", "k.ptx", "-o", "k.cubin").returncode == 0
    assert (tmp_path / "k.cubin").read_bytes() == PTX.encode() + b"\0"
    assert assemble("-arch", "sm_80", "k.ptx").returncode == 0
    assert (tmp_path / "elf.o").read_bytes() == PTX.encode() + b"\0"
    assert assemble("no.ptx").returncode == 255
    assert assemble().returncode == 255
    assert "release 13.0, V13.0" in assemble("--version").stdout
    said = run(
        "run", "--shims", "ptxas", "--", "sh", "-c", "$TRITON_PTXAS_PATH --version && echo $TRITON_PTXAS_BLACKWELL_PATH"
    )
    assert "stand-in" in said.stdout and said.stdout.splitlines()[-1] == ptxas


JITLINK = """
import ctypes
from cuda.bindings import driver, nvjitlink, nvrtc

def compiled(source, options):
    _, program = nvrtc.nvrtcCreateProgram(source, b"a.cu", 0, [], [])
    assert nvrtc.nvrtcCompileProgram(program, len(options), options)[0] == 0
    what = "LTOIR" if b"-dlto" in options else "PTX"
    size = getattr(nvrtc, f"nvrtcGet{what}Size")(program)[1]
    text = bytes(size)
    getattr(nvrtc, f"nvrtcGet{what}")(program, text)
    return text

def image(lto, sources):
    options = [b"-arch=sm_90", b"-rdc=true"] + [b"-dlto"] * lto
    linker = nvjitlink.create(1 + lto, ["-arch=sm_90"] + ["-lto"] * lto)
    kind = nvjitlink.InputType.LTOIR if lto else nvjitlink.InputType.PTX
    for source in sources:
        text = compiled(source, options)
        nvjitlink.add_data(linker, kind, text, len(text), "input")
    nvjitlink.complete(linker)
    made = bytearray(nvjitlink.get_linked_cubin_size(linker))
    nvjitlink.get_linked_cubin(linker, made)
    nvjitlink.destroy(linker)
    return bytes(made)

driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])
sources = [b'extern "C" __device__ int twice(int x) { return 2 * x; }',
           b'extern "C" __device__ int twice(int); extern "C" __global__ void k(int *p) { *p = twice(*p); }']
for lto in (False, True):
    error, module = driver.cuModuleLoadData(image(lto, sources))
    assert error == 0, error
    _, kernel = driver.cuModuleGetFunction(module, b"k")
    _, p = driver.cuMemAlloc(4)
    driver.cuMemsetD32(p, 21, 1)
    driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, ((p,), (None,)), 0)
    number = ctypes.c_int()
    driver.cuMemcpyDtoH(ctypes.addressof(number), p, 4)
    print(number.value)
try:
    image(False, [b"__device__ int f() { return g(); }".replace(b"g()", b"1")])
    linker = nvjitlink.create(1, ["-arch=sm_90"])
    nvjitlink.add_data(linker, nvjitlink.InputType.PTX, b"this is no PTX", 14, "wrong")
    nvjitlink.complete(linker)
except nvjitlink.nvJitLinkError as error:
    print(error.status)
"""


def test_nvjitlink_gives_ptx() -> None:
    pytest.importorskip("cuda.bindings.nvjitlink", reason="NVIDIA's cuda-bindings is not installed")
    said = run("run", "--shims", "nvjitlink", "--", sys.executable, "-c", JITLINK)
    if "LTO-IR is compiled by NVIDIA's libnvJitLink" in said.stderr:
        pytest.skip("nvidia-nvjitlink is not installed")
    assert said.returncode == 0, said.stderr
    assert said.stdout.split() == ["42", "42", "3"]


CUBIN = """
import ctypes, sys

nvrtc, cuda = ctypes.CDLL("libnvrtc.so.13"), ctypes.CDLL("libcuda.so.1")
nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
program, size, text = ctypes.c_void_p(), ctypes.c_size_t(), b'extern "C" __global__ void k(int *p) { *p = 42; }'
for option in (b"-arch=compute_90", b"-arch=sm_90"):
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"k.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(option)) == 0
    assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
    print(size.value > 0)
image = ctypes.create_string_buffer(size.value)
assert nvrtc.nvrtcGetCUBIN(program, image) == 0
print(b".target sm_90" in image.value, nvrtc.nvrtcGetErrorString(7).decode())
device, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
cuda.cuInit(0)
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cuda.cuCtxSetCurrent(context)
print(cuda.cuModuleLoadData(ctypes.byref(module), image), nvrtc.nvrtcGetCUBINSize(program, None) != 0)
"""


def test_nvrtc_gives_ptx_for_machine_code(tmp_path: Path) -> None:
    said = run("run", "--shims", "nvrtc", "--", sys.executable, "-c", CUBIN)
    assert said.returncode == 0, said.stderr
    assert said.stdout.split() == ["False", "True", "True", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE", "0", "True"]
    # Without NVIDIA's library, and with itself in its place.
    shim = str(links.library("libnvrtc.so.13"))
    for path in (str(tmp_path), shim):
        said = run("run", "--shims", "nvrtc", "--", sys.executable, "-c", CUBIN, CUOX_NVRTC_PATH=path)
        assert said.returncode == 1 and "pip install nvidia-cuda-nvrtc" in said.stderr
