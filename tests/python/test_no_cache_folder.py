"""Without a home and a folder that can be written, programs run, with a temporary folder where one is needed."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ctools import needs_compiler, needs_nvcc
from cuox_bind._internal import cache_folder

CUOX = [sys.executable, "-m", "cuox"]
KERNEL = 'extern "C" __global__ void f(int *p) { p[threadIdx.x] = threadIdx.x; }'
PROGRAM = f"""
import cuox, numpy as np
device = cuox.Device()
device.set_current()
kernel = cuox.Program({KERNEL!r}).compile("ptx").get_kernel("f")
p = cuox.zeros(3, np.int32)
cuox.launch(device.default_stream, cuox.LaunchConfig(grid=1, block=3), kernel, p)
print(p.to_host())
import cuox.pycuda.autoinit
for _ in range(2):
    print(cuox.load("number.c").number())
"""
CU = """
#include <cstdio>
__global__ void k(int *p) { *p = 8; }
int main() {
    int *p, value = 0;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
    printf("%d\\n", value);
}
"""


class Stranger:
    """Runs programs as a user without a home, and looks for what they leave behind."""

    def __init__(self, folder: Path, home: str | None) -> None:
        self.work, self.temporary = folder / "work", folder / "temporary"
        self.work.mkdir()
        self.temporary.mkdir()
        (self.work / "number.c").write_text("int number(void) { return 7; }\n")
        (self.work / "program.cu").write_text(CU)
        gone = ("HOME", "XDG_CACHE_HOME", "CUOX_CACHE_DIR", "CUOX_CACHE")
        kept = {name: value for name, value in os.environ.items() if name not in gone}
        # A file is a home in which nothing can be made, for root, too.
        self.environment = {**kept, "TMPDIR": str(self.temporary), "XDG_CACHE_HOME": home or "/dev/null"}

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.work,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def leavings(self) -> list[Path]:
        return list(self.temporary.iterdir())


@pytest.fixture
def stranger(tmp_path: Path) -> Stranger:
    return Stranger(tmp_path, None)


@needs_compiler
def test_kernels_and_libraries(stranger: Stranger) -> None:
    done = stranger.run(sys.executable, "-c", PROGRAM)
    assert (done.returncode, done.stdout) == (0, "[0 1 2]\n7\n7\n"), done.stderr
    assert done.stderr.count("RuntimeWarning") == 1
    assert "/dev/null/cuox: the cache folder cannot be made (Not a directory); set CUOX_CACHE_DIR" in done.stderr
    assert stranger.leavings() == []


def test_run_waits_and_removes_its_folder(stranger: Stranger) -> None:
    look = """
import os, stat, sys, cuox
folder = os.environ["LD_LIBRARY_PATH"].split(":")[0]
print(cuox.Device().name, os.path.exists(folder + "/libcuda.so"), oct(stat.S_IMODE(os.stat(folder).st_mode)))
sys.exit(3)
"""
    done = stranger.run(*CUOX, "run", "--", sys.executable, "-c", look)
    assert (done.returncode, done.stdout) == (3, "cuox software GPU True 0o700\n"), done.stderr
    assert done.stderr.startswith("cuox run: /dev/null/cuox: the cache folder cannot be made")
    assert stranger.run(*CUOX, "run", "--", "no-such-program").returncode == 127
    assert stranger.leavings() == []


def test_run_ends_as_its_program_does(stranger: Stranger) -> None:
    for number in (signal.SIGKILL, signal.SIGSEGV):
        done = stranger.run(*CUOX, "run", "--", "sh", "-c", f"kill -{number.value} $$")
        assert done.returncode == -number
    begun = stranger.work / "begun"
    program = f'trap "exit 5" TERM; touch {begun}; while :; do sleep 0.05; done'
    running = subprocess.Popen([*CUOX, "run", "--", "sh", "-c", program], env=stranger.environment, stderr=-3)
    until = time.monotonic() + 100
    while not begun.exists() and time.monotonic() < until:
        time.sleep(0.02)
    running.terminate()
    assert running.wait(60) == 5
    assert stranger.leavings() == []


@needs_nvcc
def test_nvcc_links(stranger: Stranger) -> None:
    done = stranger.run(*CUOX, "nvcc", "program.cu", "-o", "program")
    assert done.returncode == 0 and done.stderr.startswith("cuox nvcc: /dev/null/cuox: "), done.stderr
    assert stranger.run("./program").stdout == "8\n"
    assert stranger.run(*CUOX, "nvcc", "none.cu").returncode == 1
    assert stranger.leavings() == []


def test_env_makes_a_folder_of_the_user(stranger: Stranger) -> None:
    for options in ([], ["--libdir"], []):
        assert stranger.run(*CUOX, "env", *options).returncode == 0
    (folder,) = stranger.leavings()
    assert folder.name == f"cuox-{os.geteuid()}" and stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o777)
    done = stranger.run(*CUOX, "env")
    assert done.returncode == 2 and "others can write it: set CUOX_CACHE_DIR" in done.stderr
    shutil.move(folder, stranger.work / "elsewhere")
    (stranger.work / "elsewhere").chmod(0o700)
    folder.symlink_to(stranger.work / "elsewhere")
    assert stranger.run(*CUOX, "env").returncode == 2


def test_the_place_is_said_to_be_unusable(stranger: Stranger) -> None:
    said = stranger.run(*CUOX, "cache")
    assert said.stdout == (
        "/dev/null/cuox: the cache folder cannot be made (Not a directory); set CUOX_CACHE_DIR to a folder that can\n"
    )


def test_values_that_mean_nothing_are_said_once(stranger: Stranger) -> None:
    done = stranger.run(
        *CUOX,
        "run",
        sys.executable,
        "-c",
        PROGRAM,
        CUOX_CACHE="no",
        CUOX_CACHE_MAXSIZE="1G",
        CUOX_CACHE_DIR="/dev/null",
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("cuox: ")]
    assert lines == [
        "cuox: CUOX_CACHE=no is ignored: expected 0 or 1",
        "cuox: CUOX_CACHE_MAXSIZE=1G is ignored: expected a number of bytes, such as 268435456",
        "cuox: CUOX_CACHE_DIR=/dev/null: no compiled code is kept there: File exists",
    ]


def test_a_full_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_folder.remove_own()
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path / "cache"))
    made = tmp_path / "made.so"
    made.write_bytes(b"a library")

    def full(source: str, target: Path) -> None:
        monkeypatch.undo()
        raise OSError(errno.ENOSPC, "No space left on device", str(source), None, str(target))

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.warns(RuntimeWarning, match="cache/libraries/.*: No space left on device; set CUOX_CACHE_DIR"):
        kept = Path(cache_folder.keep_library("name", made, "libname.so", {}))
    assert kept.read_bytes() == b"a library" and tmp_path not in kept.parents
    assert cache_folder.kept_library("name") == str(kept)
    cache_folder.remove_own()
    assert not kept.exists()
