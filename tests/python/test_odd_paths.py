"""Folders and files with blanks, apostrophes and letters beyond ASCII in their names: the package, nvcc, the cache, the
home, sources, headers and outputs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import cuox
import cuox_bind
import pytest
from ctools import needs_compiler, needs_nvcc
from cuox._internal import nvcc, nvcc_paths

ODD = "it's a ƒolder 中"
SOURCE = """
#include <cstdio>
#include "factor.h"
#include "odd.h"
__global__ void k(int *p) { *p = FACTOR * ODD; }
extern "C" int go() {
    int *p, value = 0;
    if (cudaMalloc(&p, 4)) return -1;
    k<<<1, 1>>>(p);
    cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
    return value;
}
int main() { printf("%d\\n", go()); }
"""
NESTED = """
#include <cstdio>
__global__ void child(int *p) { *p = 5; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
int main() {
    int *p;
    cudaMallocManaged(&p, 4);
    parent<<<1, 1>>>(p);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %d\\n", error, *p);
}
"""
# Opens the driver as programs do.
OPENS = """
#include <dlfcn.h>
#include <stdio.h>
int main() { puts(dlopen("libcuda.so", RTLD_NOW) ? "opened" : dlerror()); }
"""


def link_or_copy(source: str, target: str) -> None:
    """For large files that nobody writes."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


class Place:
    """An installation in an odd folder, and a folder to work in beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.work, self.site = folder, folder / "wörk", folder / "site"
        for package in (cuox, cuox_bind):
            source = Path(package.__file__).parent
            shutil.copytree(source, self.site / package.__name__, copy_function=link_or_copy)
        self.environment = os.environ | {
            "PYTHONPATH": str(self.site),
            "HOME": str(folder / "home's"),
            "CUOX_CACHE_DIR": str(folder / "home's" / "c ache"),
        }
        self.work.mkdir()

    def with_toolkit(self) -> Place:
        toolkit = nvcc.find_nvcc().resolve().parent.parent
        shutil.copytree(toolkit, self.site / "toolkit", copy_function=link_or_copy)
        self.environment["CUOX_NVCC"] = str(self.site / "toolkit" / "bin" / "nvcc")
        return self

    def run(self, *command: str) -> str:
        done = subprocess.run(
            command, cwd=self.work, env=self.environment, capture_output=True, text=True, timeout=200, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def cuox(self, *arguments: str) -> str:
        return self.run(sys.executable, "-m", "cuox", *arguments)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("odd") / ODD)


@pytest.fixture(scope="module")
def toolkit(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("toolkit") / ODD).with_toolkit()
    (place.work / "main söurce's.cu").write_text(SOURCE)
    (place.work / "factor.h").write_text("#define FACTOR 3\n")
    for name, value in (("inner ä", 2), ("inner's", 4)):
        (place.work / name).mkdir()
        (place.work / name / "odd.h").write_text(f"#define ODD {value}\n")
    return place


@needs_nvcc
@pytest.mark.parametrize(
    ("include", "printed"),
    [(["-I", "inner ä"], "6\n"), (["-Iinner's"], "12\n"), (["--include-path=inner's"], "12\n")],
)
def test_a_program_is_compiled_and_run(toolkit: Place, include: list[str], printed: str) -> None:
    assert toolkit.cuox("nvcc", *include, "main söurce's.cu", "--run") == printed


@needs_nvcc
def test_a_program_runs_from_where_it_was_put(toolkit: Place) -> None:
    toolkit.cuox("nvcc", "-I", "inner ä", "main söurce's.cu", "-o", "the pröduct's")
    assert toolkit.run("./the pröduct's") == "6\n"


@needs_nvcc
def test_objects_and_libraries_are_linked(toolkit: Place) -> None:
    toolkit.cuox("nvcc", "-I", "inner ä", "-c", "-Xcompiler", "-fPIC", "main söurce's.cu", "-o", "an object's.o")
    toolkit.cuox("nvcc", "-shared", "an object's.o", "-o", "lib it's.so")
    program = 'import ctypes; print(ctypes.CDLL("./lib it\'s.so").go())'
    assert toolkit.run(sys.executable, "-c", program) == "6\n"
    folder = toolkit.cuox("env", "--libdir").strip()
    toolkit.run("c++", "an object's.o", f"-L{folder}", "-lcudart", f"-Wl,-rpath,{folder}", "-o", "lin ked")
    assert toolkit.run("./lin ked") == "6\n"


@needs_nvcc
def test_device_code_is_linked_with_nvccs_own_libraries(toolkit: Place) -> None:
    (toolkit.work / "nested.cu").write_text(NESTED)
    toolkit.cuox("nvcc", "-rdc=true", "nested.cu", "-o", "nes ted")
    assert toolkit.run("./nes ted") == "0 5\n"


@needs_nvcc
def test_load_compiles_sources(toolkit: Place) -> None:
    program = """
import cuox
for folder in ("inner ä", "inner's"):
    print(cuox.load("main söurce's.cu", compile_options=["-I", folder]).go())
"""
    assert toolkit.run(sys.executable, "-c", program) == "6\n12\n"
    assert len(list((toolkit.folder / "home's" / "c ache" / "libraries").glob("*.so"))) == 2


@needs_compiler
def test_run_and_env_put_the_software_gpu_in_front(place: Place) -> None:
    (place.work / "op ens.c").write_text(OPENS)
    place.run("cc", "op ens.c", "-o", "op en's", "-ldl")
    for options in ([], ["--shims"]):
        said = subprocess.run(
            [sys.executable, "-m", "cuox", "run", *options, "--", "./op en's"],
            cwd=place.work,
            env=place.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (said.returncode, said.stdout, said.stderr) == (0, "opened\n", "")
        command = f'eval "$("$PYTHON" -m cuox env {" ".join(options)})"; "./op en\'s" 2>&1'
        place.environment["PYTHON"] = sys.executable
        assert place.run("sh", "-c", command) == "opened\n"


@needs_compiler
def test_libraries_are_bound(place: Place) -> None:
    (place.work / "num ber.c").write_text("int number(void) { return 7; }\n")
    (place.work / "num ber.h").write_text("int number(void);\n")
    place.run("cc", "-shared", "-fPIC", "num ber.c", "-o", "lib num's.so")
    place.cuox("bind", "-l", "./lib num's.so", "-o", "made.py", "num ber.h")
    program = """
import cuox, made
print(made.number(), cuox.load("num ber.c").number(), cuox.bind("./lib num's.so", "num ber.h").number())
"""
    assert place.run(sys.executable, "-c", program) == "7 7 7\n"


@pytest.mark.parametrize("character", ['"', "$", "`", "\\"])
def test_what_a_shell_would_read_is_refused(character: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (f"a{character}b.cu", f"{character}/x.cu"):
        with pytest.raises(ValueError, match="nvcc cannot have .* in a path"):
            nvcc.command([path], Path("/toolkit/bin/nvcc"))
    odd = tmp_path / f"in{character}side"
    odd.mkdir()
    monkeypatch.chdir(odd)
    with pytest.raises(ValueError, match="nvcc cannot have .* in a path"):
        nvcc.command(["x.cu"], Path("/toolkit/bin/nvcc"))


def test_values_of_other_options_stay_as_they_are() -> None:
    def mended(given: list[str]) -> list[str]:
        return nvcc_paths.mended(given, {"-I", "-L", "-Xcompiler", "-D"})

    for given in (["-Xcompiler", "-Iit's"], ["-D", "-I'"], ["-Ia b"], ["-I"], ["-I", "a,b"], ["x'.cu", "-o", "y'"]):
        assert mended(given) == given
    assert mended(["-I", "a,it's", "x.cu"]) == ["-I", "a", "-Xcompiler", '"-Iit\'s"', "x.cu"]
    assert mended(["-L", "it's"]) == ["-Xcompiler", '"-Lit\'s"']
