"""GPUs' drivers of other versions than the compiler's: which NVRTC is taken, and which code the driver is given.

The drivers are made up: cuox's own under another name, which says that it is of a version, and takes of code what such
a one takes. The compiler of another version is NVRTC, which says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cuox
import pytest
from ctools import COMPILER, needs_compiler
from cuox import _native
from cuox._internal import links

SOFT = links.LIBRARIES / "libcuda.so.1"
DRIVER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *real(const char *name) {
    static void *library;
    if (!library) library = dlopen(getenv("MADE_UP_FROM"), RTLD_NOW | RTLD_LOCAL);
    return dlsym(library, name);
}
static int version(void) { return atoi(getenv("MADE_UP_VERSION")); }

int cuDriverGetVersion(int *v) { *v = version(); return 0; }
int cuDeviceGetName(char *name, int size, int device) { snprintf(name, size, "made-up GPU"); return 0; }

/* PTX up to its own version is taken, and machine code, for which stands the PTX of a file. */
int cuLibraryLoadData(void **library, const void *code, void *o, void *v, unsigned n, void *lo, void *lv, unsigned ln) {
    int (*load)(void **, const void *, void *, void *, unsigned, void *, void *, unsigned) = real("cuLibraryLoadData");
    if (!memcmp(code, "\x7f" "ELF", 4)) {
        static char text[1 << 20];
        FILE *file = fopen(getenv("MADE_UP_CODE"), "r");
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        fprintf(stderr, "machine code\n");
        return load(library, text, 0, 0, 0, 0, 0, 0);
    }
    int major = 0, minor = 0;
    const char *at = strstr(code, ".version ");
    if (at) sscanf(at, ".version %d.%d", &major, &minor);
    /* PTX 8.0 is CUDA 12.0's, 9.0 is 13.0's. */
    int of = (major + 4) * 1000 + minor * 10;
    if (getenv("MADE_UP_NO_PTX") || of > version()) return 222;
    fprintf(stderr, "PTX\n");
    return load(library, code, o, v, n, lo, lv, ln);
}
"""
FORWARDED = r"""
__asm__(".pushsection .text\n.globl %(name)s\n.type %(name)s,@function\n%(name)s: movq at_%(name)s@GOTPCREL(%%rip), %%r11\n jmp *(%%r11)\n.popsection\n");
void *at_%(name)s;
"""
SOURCE = 'extern "C" __global__ void twice(int *x) { x[threadIdx.x] *= 2; }'
PROGRAM = f"""
import sys
import numpy as np
import cuox
from cuox import _native

device = cuox.Device()
device.set_current()
code = cuox.Program({SOURCE!r}, "c++").compile(sys.argv[1])
x = cuox.zeros((4,), np.int32)
x[:] = np.arange(4, dtype=np.int32)
stream = device.create_stream()
code.get_kernel("twice")[1, 4, stream](x)
stream.sync()
version, path, _ = _native.nvrtc_info()
print(device.name, code.code_type, x.to_host().tolist(), *version, path, sep="|")
"""

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(not cuox.Device(0).is_soft, reason="the made-up driver is made of the software GPU"),
]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a driver that is made of the software GPU, and passes for another."""
    folder = tmp_path_factory.mktemp("driver")
    assert COMPILER
    # Without the mark by which cuox knows its own, and with all its functions beside those that are made up.
    (folder / "real.so").write_bytes(SOFT.read_bytes().replace(b"cuox_soft_driver", b"made_up_driver__"))
    names = subprocess.run(["nm", "-D", "--defined-only", SOFT], capture_output=True, text=True, check=True).stdout
    exported = {line.split()[-1].split("@")[0] for line in names.splitlines() if " T cu" in line}
    forwarded = sorted(name for name in exported if f"{name}(" not in DRIVER)
    table = "".join(f'at_{name} = real("{name}");' for name in forwarded)
    source = folder / "driver.c"
    source.write_text(
        DRIVER
        + "".join(FORWARDED % {"name": name} for name in forwarded)
        + f"__attribute__((constructor)) static void fill(void) {{ {table} }}"
    )
    subprocess.run(
        [
            COMPILER,
            "-shared",
            "-fPIC",
            "-w",
            "-Wl,-soname,libcuda.so.1",
            str(source),
            "-o",
            str(folder / "libcuda.so.1"),
        ],
        check=True,
    )
    code = cuox.Program(SOURCE, "c++").compile("ptx")
    (folder / "machine_code.ptx").write_bytes(code.code)
    return folder


def nvrtc_of(version: str, path: Path) -> Path:
    """Make a library that is NVRTC, and says that it is of another version."""
    assert COMPILER
    major, minor = version.split(".")
    path.parent.mkdir(parents=True)
    real = Path(_native.find_library("nvrtc")[0])
    for builtins in real.parent.glob("libnvrtc-builtins.*"):
        (path.parent / builtins.name).symlink_to(builtins)
    source = path.parent / "nvrtc.c"
    source.write_text(f"int nvrtcVersion(int *major, int *minor) {{ *major = {major}; *minor = {minor}; return 0; }}")
    options = ["-Wl,--no-as-needed", f"-L{real.parent}", f"-Wl,-rpath,{real.parent}", f"-l:{real.name}"]
    subprocess.run([COMPILER, "-shared", "-fPIC", str(source), *options, "-o", str(path)], check=True)
    return path


def run(driver: Path, version: int, target: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program that compiles and launches a kernel on the GPU of a driver of this version."""
    variables = {
        "LD_LIBRARY_PATH": str(driver),
        "MADE_UP_FROM": str(driver / "real.so"),
        "MADE_UP_CODE": str(driver / "machine_code.ptx"),
        "MADE_UP_VERSION": str(version),
        "CUOX_DEVICE": "gpu",
        "CUOX_CACHE": "0",
    }
    # A compiler that was chosen for all tests is none that is found.
    inherited = {name: value for name, value in os.environ.items() if name != "CUOX_NVRTC_PATH"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, target],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**inherited, **variables, **environment},
    )


def result(ended: subprocess.CompletedProcess[str]) -> tuple[str, str, str]:
    """The format of the code, the version of the compiler, and the form that the driver was given."""
    assert ended.returncode == 0, ended.stderr
    name, code_type, values, major, minor, _ = ended.stdout.strip().split("|")
    assert (name, values) == ("made-up GPU", "[0, 2, 4, 6]")
    return code_type, f"{major}.{minor}", ended.stderr.strip()


def test_a_driver_that_is_not_older_is_given_what_was_asked_for(driver: Path) -> None:
    (code, own, form), other = (result(run(driver, 13090, target)) for target in ("ptx", "cubin"))
    assert (code, form) == ("ptx", "PTX")
    assert other == ("cubin", own, "machine code")


def test_an_older_driver_of_the_same_major_version_is_given_machine_code(driver: Path, tmp_path: Path) -> None:
    nvrtc = nvrtc_of("13.9", tmp_path / "new" / "libnvrtc.so.13")
    for target in ("ptx", "cubin"):
        ended = run(driver, 13000, target, CUOX_NVRTC_PATH=str(nvrtc), MADE_UP_NO_PTX="1")
        assert result(ended) == (target, "13.9", "machine code")


def test_the_compiler_whose_code_the_driver_takes_is_chosen(driver: Path, tmp_path: Path) -> None:
    path = nvrtc_of("12.4", tmp_path / "cuda" / "lib64" / "libnvrtc.so.12")
    cache = {"CUOX_CACHE": "1", "CUOX_CACHE_DIR": str(tmp_path / "cache")}
    # The second time the compiler is known from the first; a driver of another version leads to another one.
    for version, right in ((12040, "12.4"), (12040, "12.4"), (13090, None), (12080, "12.4")):
        ended = run(driver, version, "cubin", CUDA_HOME=str(tmp_path / "cuda"), **cache)
        _, chosen, form = result(ended)
        assert form == "machine code"
        assert (chosen == "12.4") == (right == "12.4"), (version, chosen)
        assert (str(path) in ended.stdout) == (right == "12.4")


def test_without_a_compiler_for_an_old_driver_the_error_has_the_command(driver: Path) -> None:
    ended = run(driver, 12040, "ptx")
    assert ended.returncode == 1
    message = ended.stderr.strip()
    for part in (
        "NVRTC for the driver of CUDA 12.4 was not found",
        "pip install nvidia-cuda-nvrtc-cu12",
        "does not take",
    ):
        assert part in message, message
