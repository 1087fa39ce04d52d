"""The line about work that takes more than two seconds: on terminals only, and gone at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tty
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ctools import COMPILER, needs_compiler
from exhaustive import mark

WORK = """
import os, sys, time
from cuox import _native
with _native._Progress("compiling a.cu"):
    pass
os.write(2, b"A")
with _native._Progress("compiling b\\nc" + "d" * 200):
    time.sleep(float(sys.argv[1]))
os.write(2, b"B")
"""
# Takes NVRTC some seconds.
LONG = """
import cuox
lines = "".join(f"x = x * {i % 7 + 2} + __sinf(x * {i}); if (x > {i}) y += x / (y + {i}); " for i in range(2500))
source = f'extern "C" __global__ void big(float *p) {{ float x = p[0], y = p[1]; {lines} p[0] = x + y; }}'
cuox.Program(source, options=cuox.ProgramOptions(name="big.cu", arch="sm_90")).compile("ptx")
"""


def on_terminal(program: str, *arguments: str, **environment: str) -> str:
    """What a program writes to standard error if that is a terminal."""
    ours, its = os.openpty()
    tty.setraw(its)
    child = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stderr=its, env={**os.environ, "CUOX_PROGRESS": "", **environment}
    )
    os.close(its)
    said = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:  # how a terminal ends
            break
        if not data:
            break
        said += data
    os.close(ours)
    assert child.wait() == 0, said
    return said.decode()


def test_work_that_takes_long_is_told_on_terminals_only() -> None:
    command = [sys.executable, "-c", WORK, "2.2"]
    # A pipe is no terminal, and one who wants no line gets none.
    piped = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "CUOX_PROGRESS": ""})
    with ThreadPoolExecutor() as beside:
        refused = beside.submit(on_terminal, WORK, "2.2", CUOX_PROGRESS="0")
        said = on_terminal(WORK, "2.2")
    found = re.fullmatch(r"A((?:\rcuox: compiling b cd+: 2 s\r)+)\r( +)\rB", said)
    assert found, said
    line = found[1].split("\r")[1]
    assert len(line) == len(found[2]) < 80  # all of it is taken away, and it does not wrap
    assert refused.result() == "AB" and piped.communicate()[1] == b"AB"


def test_short_work_is_done_without_a_word() -> None:
    assert on_terminal(WORK, "0.1") == "AB"


@mark
def test_long_compilations_are_told() -> None:
    said = on_terminal(LONG, CUOX_CACHE="0")
    assert "\rcuox: compiling big.cu: 2 s\r" in said and said.endswith(" \r"), said


# Takes the software GPU some seconds; NVRTC has no part in it.
LONG_PTX = """
import cuox
cuox.Device(0, kind="soft").set_current()
step = "setp.gt.f32 %p, %x, 0f3f800000; @%p bra L{0}; mul.f32 %x, %x, 0f40490fdb; L{0}: add.f32 %x, %x, 0f3f800000;\\n"
text = ".version 8.0\\n.target sm_80\\n.address_size 64\\n.visible .entry _Z3bigPf(.param .u64 p) {\\n"
text += ".reg .u64 %a; .reg .f32 %x; .reg .pred %p; ld.param.u64 %a, [p]; ld.global.f32 %x, [%a];\\n"
text += "".join(step.format(i) for i in range(100000)) + "st.global.f32 [%a], %x; ret;\\n}\\n"
x = cuox.zeros(2, "float32")
cuox.ObjectCode.from_ptx(text.encode()).get_kernel("_Z3bigPf")[1, 32](x)
x.to_host()
"""


@mark
def test_long_compilations_of_the_software_gpu_are_told() -> None:
    said = on_terminal(LONG_PTX, CUOX_CACHE="0")
    assert "\rcuox: compiling kernel big for the software GPU: 2 s\r" in said and said.endswith(" \r"), said


# A driver that takes long to answer, and then finds no device.
DRIVER = """
#include <unistd.h>
int cuInit(unsigned flags) { static int calls; if (!calls++) usleep(2300000); return 100; }
"""


@mark
@needs_compiler
def test_a_driver_that_is_slow_to_start_is_told(tmp_path: Path) -> None:
    (tmp_path / "driver.c").write_text(DRIVER)
    assert COMPILER
    library = tmp_path / "libcuda.so.1"
    subprocess.run([COMPILER, "-shared", "-fPIC", tmp_path / "driver.c", "-o", library], check=True)
    said = on_terminal("import cuox; cuox.Device().set_current()", LD_LIBRARY_PATH=str(tmp_path), CUOX_DEVICE="auto")
    assert "\rcuox: starting NVIDIA's driver: 2 s\r" in said, said
    command = "from cuox._internal.doctor import apart; list(apart.examine(['device']))"
    said = on_terminal(command, LD_LIBRARY_PATH=str(tmp_path), CUOX_DEVICE="auto")
    assert "\rcuox: examining device, for at most 60 s: 2 s\r" in said, said


@mark
@needs_compiler
def test_a_driver_that_hangs_is_told_where_there_is_no_terminal_too(tmp_path: Path) -> None:
    (tmp_path / "driver.c").write_text(DRIVER.replace("usleep(2300000)", "pause()"))
    assert COMPILER
    library = tmp_path / "libcuda.so.1"
    subprocess.run([COMPILER, "-shared", "-fPIC", tmp_path / "driver.c", "-o", library], check=True)

    def start(**variables: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path), "CUOX_DEVICE": "auto", **variables}
        command = [sys.executable, "-c", "import cuox; cuox.Device().set_current()"]
        return subprocess.Popen(command, stderr=subprocess.PIPE, env=environment)

    with start(CUOX_PROGRESS="0") as silent, start(CUOX_PROGRESS="") as told:
        try:
            assert told.stderr is not None and silent.stderr is not None
            said = told.stderr.readline().decode()
            assert said.startswith("cuox: NVIDIA's driver has not started within 30 s (cuInit)."), said
            assert "CUOX_DEVICE=soft" in said and told.poll() is None
        finally:
            told.kill()
            silent.kill()
        assert (told.stderr.read(), silent.stderr.read()) == (b"", b"")


@mark
def test_a_slow_nvcc_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("slow")
    (folder / "nvcc").write_text(
        '#!/bin/sh\n[ "$1" = --version ] || { sleep 2.5; exit 3; }\n'
        "echo 'Cuda compilation tools, release 13.0, V13.0.88'\n"
    )
    (folder / "nvcc").chmod(0o755)
    (folder / "a.cu").write_text("int main() {}\n")
    program = f"import cuox\ntry:\n    cuox.load({str(folder / 'a.cu')!r})\nexcept cuox.CompileError:\n    pass\n"
    said = on_terminal(program, CUOX_NVCC=str(folder / "nvcc"))
    assert "\rcuox: compiling a.cu: 2 s\r" in said, said
    command = f"from cuox.__main__ import main; assert main(['nvcc', '-c', {str(folder / 'a.cu')!r}]) == 3"
    said = on_terminal(command, CUOX_NVCC=str(folder / "nvcc"))
    assert "\rcuox: compiling a.cu: 2 s\r" in said and said.endswith(" \r"), said
