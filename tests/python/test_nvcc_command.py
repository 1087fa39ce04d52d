"""`cuox nvcc`: what it adds to nvcc's arguments; and `cuox.load` of source files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cuox
import pytest
from ctools import needs_nvcc
from cuox._internal import links, nvcc
from cuox_bind._internal import compile_library, elf, interface_code

LINK = ["-cudart", "shared", "-Xlinker", "--disable-new-dtags", "-Xlinker", "-rpath", "-Xlinker", str(links.LIBRARIES)]


def command(*arguments: str) -> tuple[list[str], list[str]]:
    made = nvcc.command(arguments, Path("/toolkit/bin/nvcc"))
    assert made.arguments[0] == "/toolkit/bin/nvcc"
    return made.arguments[1:], made.notes


def test_what_is_linked_gets_our_runtime() -> None:
    for given in (
        ["x.cu"],
        ["x.cu", "-o", "x"],
        ["-shared", "x.o", "-o", "libx.so"],
        ["-rdc=true", "a.cu", "b.cu"],
        ["--run", "x.cu"],
    ):
        made, notes = command(*given)
        assert made[: len(given)] == given
        assert made[len(given) : len(given) + len(LINK)] == LINK
        folder = Path(made[made.index("-L") + 1])
        assert os.readlink(folder / "libcudart.so") == str(links.LIBRARIES / "libcudart.so.13")
        assert notes == []


@pytest.mark.parametrize("option", ["-c", "-dc", "-ptx", "--cubin", "-E", "-M", "-lib", "--version", "-h", "-dlink"])
def test_what_is_not_linked_stays_as_it_is(option: str) -> None:
    assert command(option, "x.cu", "-o", "x.o") == ([option, "x.cu", "-o", "x.o"], [])


def test_values_of_options_are_no_options() -> None:
    # The file is named like an option's value, the value like an option.
    made, _ = command("-Xcompiler", "-c", "x.cu")
    assert made[3 : 3 + len(LINK)] == LINK
    assert command("-I", "x.cu")[0] == ["-I", "x.cu"]


def test_a_chosen_runtime_is_kept() -> None:
    for given in (["-cudart", "static"], ["--cudart=static"]):
        made, notes = command(*given, "x.cu")
        assert "shared" not in made
        assert len(notes) == 1 and "does not run on the software GPU" in notes[0]
    made, notes = command("-cudart=shared", "x.cu")
    assert made.count("-cudart") == 0 and "-rpath" in made and notes == []
    assert command("-cudart=none", "x.cu")[1] == []


def test_an_object_named_as_a_library_becomes_one() -> None:
    made, notes = command("-c", "hello.cu", "-Xcompiler", "-fPIC", "-o", "libhello.so")
    assert made[:6] == ["-shared", "hello.cu", "-Xcompiler", "-fPIC", "-o", "libhello.so"]
    assert made[6 : 6 + len(LINK)] == LINK
    assert notes == ["libhello.so is linked as a shared library (-shared for -c), so that it can be loaded"]


def test_ptx_is_added_for_the_software_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvcc, "_native_architecture", lambda: "sm_89")
    for given, added in (
        (["-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"], "80"),
        (["-arch=all-major"], "80"),
        (["-arch=all"], "89"),
        (["-arch", "compute_75", "-code", "sm_75"], "75"),
        # PTX of newer devices only does not run here.
        (["-gencode", "arch=compute_86,code=sm_86", "-gencode", "arch=compute_90,code=compute_90"], "86"),
    ):
        for more in (["-c"], ["-dc"], []):
            made, notes = command(*given, *more, "x.cu")
            at = len(given) + len(more) + 1
            assert made[at : at + 2] == ["-gencode", f"arch=compute_{added},code=compute_{added}"], made
            assert notes == []
    for given in (
        ["-gencode", "arch=compute_80,code=[sm_80,compute_80]", "x.cu"],
        ["-arch=sm_80", "x.cu"],
        ["-arch", "sm_80", "-code=sm_80,compute_80", "x.cu"],
        ["-gencode", "arch=compute_100,code=compute_100", "x.cu"],
        ["-gencode", "arch=compute_80,code=sm_80", "--version"],
    ):
        made, notes = command(*given, "-c")
        assert made == [*given, "-c"] and notes == []


def test_code_without_ptx_is_remarked(monkeypatch: pytest.MonkeyPatch) -> None:
    only = ["-gencode", "arch=compute_90,code=sm_90"]
    for own, more in (("sm_80", ["x.cu"]), ("sm_90", ["x.cu", "-cubin"]), ("sm_90", ["x.o"]), (None, ["x.cu"])):
        monkeypatch.setattr(nvcc, "_native_architecture", lambda own=own: own)
        made, notes = command(*only, *more)
        assert made[:3] == [*only, more[0]] and len(notes) == 1 and "without PTX" in notes[0]


@needs_nvcc
def test_code_for_all_major_architectures_runs(tmp_path: Path) -> None:
    (tmp_path / "hello.cu").write_text(HELLO)
    said = run("-arch=all-major", "hello.cu", "-o", "hello", folder=tmp_path)
    assert said.returncode == 0, said.stderr
    ran = subprocess.run([tmp_path / "hello"], capture_output=True, text=True, check=False)
    assert ran.stdout == "7\n", ran.stdout + ran.stderr


@needs_nvcc
def test_programs_run_on_the_device_that_is_chosen(tmp_path: Path) -> None:
    """Their RPATH leads to the software GPU, too."""
    (tmp_path / "name.cu").write_text(
        "#include <cstdio>\nint main() { cudaDeviceProp p;\n"
        'printf("%s", cudaGetDeviceProperties(&p, 0) ? "none" : p.name); }\n'
    )
    said = run("name.cu", "-o", "name", folder=tmp_path)
    assert said.returncode == 0, said.stderr

    def name(device: str) -> str:
        environment = {**os.environ, "CUOX_DEVICE": device}
        return subprocess.run([tmp_path / "name"], capture_output=True, text=True, check=True, env=environment).stdout

    try:
        gpu = cuox.Device(0, kind="gpu").name
    except (cuox.CUDAError, cuox.NotFoundError):
        gpu = ""
    assert name("soft") == "cuox software GPU"
    assert name("gpu") == (gpu or "none")
    assert name("auto") == (gpu or "cuox software GPU")


def test_options_in_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "options").write_text("-c\n-O2\n")
    given = ["-optf", str(tmp_path / "options"), "x.cu", "-o", "x.o"]
    assert command(*given)[0] == given


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cuox", "nvcc", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@needs_nvcc
def test_the_command_is_nvccs(tmp_path: Path) -> None:
    said = run("--version", folder=tmp_path)
    assert said.returncode == 0 and "Cuda compiler driver" in said.stdout
    (tmp_path / "bad.cu").write_text("int main() { return no_such; }\n")
    said = run("bad.cu", folder=tmp_path)
    assert said.returncode != 0 and 'identifier "no_such" is undefined' in said.stderr


HELLO = """
#include <cstdio>
__global__ void k(int *p) { *p = 7; }
extern "C" int go(void) {
    int *p, value = 0;
    if (cudaMalloc(&p, 4)) return -1;
    k<<<1, 1>>>(p);
    cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
    return value;
}
int main() { printf("%d\\n", go()); }
"""


@needs_nvcc
def test_a_program_keeps_to_our_runtime_where_another_is_in_front(tmp_path: Path) -> None:
    (tmp_path / "hello.cu").write_text(HELLO)
    command = [sys.executable, "-m", "cuox", "nvcc", "hello.cu", "-o", "hello"]
    ran = subprocess.run([*command, "--run"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stdout == "7\n", ran.stdout + ran.stderr
    other = nvcc.find_nvcc().resolve().parent.parent / "lib"
    subprocess.run(command, cwd=tmp_path, check=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(other)}
    ran = subprocess.run([tmp_path / "hello"], capture_output=True, text=True, check=False, env=environment)
    assert ran.stdout == "7\n", ran.stdout + ran.stderr


@needs_nvcc
def test_another_tool_links_what_was_compiled(tmp_path: Path) -> None:
    (tmp_path / "hello.cu").write_text(HELLO)
    compile = [sys.executable, "-m", "cuox", "nvcc", "-c", "-Xcompiler", "-fPIC", "hello.cu", "-o", "hello.o"]
    subprocess.run(compile, cwd=tmp_path, check=True)
    asked = subprocess.run(
        [sys.executable, "-m", "cuox", "env", "--libdir"], capture_output=True, text=True, check=True
    )
    folder = asked.stdout.strip()
    link = ["c++", "-shared", "hello.o", f"-L{folder}", "-lcudart", f"-Wl,-rpath,{folder}", "-o", "libhello.so"]
    subprocess.run(link, cwd=tmp_path, check=True)
    program = f"import ctypes; print(ctypes.CDLL({str(tmp_path / 'libhello.so')!r}).go())"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stdout == "7\n", ran.stdout + ran.stderr


def test_no_nvcc_and_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "nvcc"
    old.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 12.4, V12.4.1'\n")
    old.chmod(0o755)
    monkeypatch.setenv("CUOX_NVCC", str(old))
    said = run("x.cu", folder=tmp_path)
    assert said.returncode == 1
    assert "is of CUDA 12.4; cuox's CUDA runtime is for nvcc of CUDA 13" in said.stderr
    old.write_text("not a program")
    said = run("x.cu", folder=tmp_path)
    assert said.returncode == 1 and "does not run" in said.stderr


COUNT = """
#include "factor.h"
__global__ void multiply(int *p) { p[threadIdx.x] *= FACTOR; }
extern "C" int last(int n) {
    int *p;
    if (cudaError_t error = cudaMallocManaged(&p, n * sizeof(int))) return -error;
    for (int i = 0; i < n; i++) p[i] = i;
    multiply<<<1, n>>>(p);
    if (cudaError_t error = cudaDeviceSynchronize()) return -error;
    int result = p[n - 1];
    cudaFree(p);
    return result;
}
"""


@needs_nvcc
def test_load_compiles_again_when_a_header_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "count.cu").write_text(COUNT)
    (tmp_path / "inner").mkdir()
    header = tmp_path / "inner" / "factor.h"
    header.write_text("#define FACTOR 2\n")
    options = ["-I", str(tmp_path / "inner")]
    first = cuox.load(tmp_path / "count.cu", compile_options=options)
    assert first.last(10) == 18
    built = compile_library.build(tmp_path / "count.cu", options)
    monkeypatch.setenv("CUOX_NVCC", str(nvcc.find_nvcc()))
    assert compile_library.build(tmp_path / "count.cu", options) == built
    header.write_text("#define FACTOR 5\n")
    second = cuox.load(tmp_path / "count.cu", compile_options=options)
    assert (first.last(10), second.last(10)) == (18, 45)
    with pytest.raises(cuox.CompileError, match="factor.h") as caught:
        cuox.load(tmp_path / "count.cu")
    assert caught.value.name == "nvcc" and caught.value.code != 0


def test_load_of_c_is_kept_and_sees_headers(tmp_path: Path) -> None:
    (tmp_path / "c.c").write_text('#include "c.h"\nint number(void) { return NUMBER; }\n')
    (tmp_path / "c.h").write_text("#define NUMBER 1\n")
    assert cuox.load(tmp_path / "c.c").number() == 1
    (tmp_path / "c.h").write_text("#define NUMBER 2\n")
    assert cuox.load(tmp_path / "c.c").number() == 2
    assert cuox.load(tmp_path / "c.c", compile_options=["-DUNUSED"]).number() == 2
    with pytest.raises(FileNotFoundError):
        cuox.load(tmp_path / "none.c")
    with pytest.raises(ValueError, match="compile_options are for source files"):
        cuox.load("libc.so.6", compile_options=["-O2"])


@needs_nvcc
def test_nvidias_runtime_inside_is_an_error_without_a_gpu(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(
        '__global__ void k() {}\nextern "C" int run() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\nint main() { return run(); }\n'
    )
    assert (
        run("-cudart", "static", "-shared", "-Xcompiler", "-fPIC", "x.cu", "-o", "libx.so", folder=tmp_path).returncode
        == 0
    )
    library = str(tmp_path / "libx.so")
    assert elf.runtime_of(library) is elf.Runtime.STATIC
    if cuox.Device(0).name.startswith("cuox"):
        with pytest.raises(cuox.BindError, match="has NVIDIA's CUDA runtime inside.*cuox nvcc"):
            cuox.load(library)
        # A program of its own hears it from the driver.
        environment = {**os.environ, "LD_LIBRARY_PATH": str(links.folder())}
        code = f"import ctypes; print(ctypes.CDLL({library!r}).run())"
        said = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert said.stdout.strip() != "0"
        assert said.stderr.count("has NVIDIA's CUDA runtime inside") == 1
    else:
        assert cuox.load(library).run() == 0


OTHER_RUNTIME = """
import ctypes, sys, cuox
other, mode = sys.argv[1], getattr(ctypes, sys.argv[2])
ctypes.CDLL(other, mode=mode)
soft = cuox.Device(0).name.startswith("cuox")
for source in ("hello.cu", other):
    try:
        loaded = cuox.load(source)
        print(loaded.go() if source == "hello.cu" else not soft)
    except cuox.BindError as error:
        print(soft and error.file == other and str(error))
"""


@needs_nvcc
@pytest.mark.parametrize("mode", ["RTLD_GLOBAL", "RTLD_LOCAL"])
def test_nvidias_runtime_that_is_loaded_already(tmp_path: Path, mode: str) -> None:
    """As PyTorch loads it: on the software GPU kernels would do nothing, in silence."""
    other = nvcc.find_nvcc().resolve().parent.parent / "lib" / links.RUNTIME
    if not other.is_file():
        pytest.skip("NVIDIA's CUDA runtime is not installed beside nvcc")
    (tmp_path / "hello.cu").write_text(HELLO)
    program = [sys.executable, "-c", OTHER_RUNTIME, str(other), mode]

    def lines(*before: str) -> list[str]:
        done = subprocess.run([*before, *program], cwd=tmp_path, capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr).splitlines()

    first, second = lines()
    if cuox.Device(0).name.startswith("cuox"):
        assert first.startswith(
            f"{other} is NVIDIA's CUDA runtime, which cannot use the software GPU, and this process"
        )
        assert second.startswith(f"{other} is NVIDIA's CUDA runtime, which cannot use the software GPU: call cuox.load")
        assert lines(sys.executable, "-m", "cuox", "run")[0] == "7"
    else:
        assert (first, second) == ("7", "True")


@needs_nvcc
def test_code_of_an_interface_file_in_cuda_uses_the_runtime(tmp_path: Path) -> None:
    """pip's packages lack the names by which a linker finds libraries."""
    code = 'extern "C" int devices(void) { int count = -1; return cudaGetDeviceCount(&count) ? -1 : count; }\n'
    made = interface_code.compile_code(code, "cuda", [], [], tmp_path / "made.so")
    assert elf.runtime_of(made) is elf.Runtime.SHARED
    assert cuox.load(made).devices() >= 1


def test_a_source_without_a_compiler_is_an_error_that_names_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    source = tmp_path / "one.c"
    source.write_text("int one(void) { return 1; }\n")
    with pytest.raises(cuox.NotFoundError, match="no C compiler 'no-such-compiler' found for one.c: .*by CC"):
        cuox.load(source)


def test_an_nvcc_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_NVCC", str(tmp_path / "nope"))
    with pytest.raises(cuox.NotFoundError, match="CUOX_NVCC=.*nope: there is no such file"):
        nvcc.find_nvcc()


@needs_nvcc
def test_load_warns_of_code_without_ptx(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text('extern "C" int one() { return 1; }\n')
    with pytest.warns(UserWarning, match="k.cu: .*without PTX"):
        assert cuox.load(tmp_path / "k.cu", compile_options=["-gencode", "arch=compute_100,code=sm_100"]).one() == 1


def test_files_that_are_no_libraries(tmp_path: Path) -> None:
    for at, data in enumerate(
        [b"", b"\x7fELF", b"\x7fELF\x02\x01" + bytes(100), b"\x7fELF\x02\x01" + b"\xff" * 100, os.urandom(5000)]
    ):
        (tmp_path / str(at)).write_bytes(data)
        assert elf.runtime_of(str(tmp_path / str(at))) is elf.Runtime.NONE
    assert elf.runtime_of(str(tmp_path / "none")) is elf.Runtime.NONE
    assert elf.runtime_of(sys.executable) is elf.Runtime.NONE


def test_links_are_made_once_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))
    folder = links.folder()
    names = sorted(path.name for path in folder.iterdir())
    management = ["libnvidia-ml.so", "libnvidia-ml.so.1"]
    assert names == ["libcuda.so", "libcuda.so.1", "libcudart.so", "libcudart.so.13", *management]
    assert all(path.resolve().is_file() for path in folder.iterdir())
    (folder / "libcuda.so").unlink()
    assert links.folder() == folder and (folder / "libcuda.so").exists()
    assert [path for path in folder.parent.iterdir() if path != folder] == []
