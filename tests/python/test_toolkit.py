"""The toolkit that `cuox env` and `cuox run` put in front, and projects that are built with it, unchanged."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ctools import needs_compiler, needs_nvcc
from cuox._internal import host_headers, links, nvcc, toolkit
from cuox._internal.errors import NotFoundError
from exhaustive import mark

PROJECTS = Path(__file__).parents[2] / "examples" / "build"
FOUND_BY = ("CUDACXX", "CUDAToolkit_ROOT", "CUDA_HOME", "CUDA_PATH")


def variables(**environment: str) -> dict[str, str]:
    """The environment that `cuox env` makes."""
    outer = {name: value for name, value in os.environ.items() if name not in FOUND_BY}
    said = subprocess.run(
        [sys.executable, "-m", "cuox", "env"],
        env={**outer, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    exported = [shlex.split(line)[1].partition("=") for line in said.stdout.splitlines()]
    return {**outer, **environment, **{name: value for name, _, value in exported}}


def run(command: str, folder: Path, environment: dict[str, str]) -> str:
    said = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


@needs_nvcc
def test_tools_are_in_front(tmp_path: Path) -> None:
    made = variables()
    root = Path(made["CUDA_HOME"])
    assert {made[name] for name in FOUND_BY} == {str(root), str(root / "bin" / "nvcc")}
    assert run("command -v nvcc; command -v nvidia-smi", tmp_path, made).split() == [
        str(root / "bin" / "nvcc"),
        str(root / "bin" / "nvidia-smi"),
    ]
    assert "Cuda compiler driver" in run("nvcc --version", tmp_path, made)
    assert "software GPU" in run("nvidia-smi -L", tmp_path, made)
    for name in ("lib64/libcudart.so", "lib64/libcudart.so.13", "lib/libcudart.so"):
        assert (root / name).resolve() == links.LIBRARIES / links.RUNTIME
    for name in ("include/cuda_runtime.h", "lib64/libcudadevrt.a", "lib64/libnvrtc.so", "nvvm/libdevice", "bin/ptxas"):
        assert (root / name).exists(), name
    # A second call, from inside, changes nothing.
    again = variables(**{name: made[name] for name in (*FOUND_BY, "PATH", "LD_LIBRARY_PATH", "LD_PRELOAD")})
    assert again["PATH"] == made["PATH"] and again["CUDA_HOME"] == made["CUDA_HOME"]


USES_NVRTC = """
#include <nvrtc.h>
#include <stdio.h>
int main(void)
{
    nvrtcProgram program;
    nvrtcCreateProgram(&program, "__global__ void k() {}", "k.cu", 0, 0, 0);
    puts(nvrtcGetErrorString(nvrtcCompileProgram(program, 0, 0)));
    return 0;
}
"""


@needs_nvcc
def test_a_program_that_is_linked_with_nvrtc_runs(tmp_path: Path) -> None:
    (tmp_path / "use.c").write_text(USES_NVRTC)
    made = variables()
    run(
        'cc use.c -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lnvrtc -Wl,-rpath,"$CUDA_HOME/lib64" -o use',
        tmp_path,
        made,
    )
    assert run("./use", tmp_path, made) == "NVRTC_SUCCESS\n"


@needs_nvcc
def test_a_toolkit_that_was_chosen_stays() -> None:
    made = variables(CUDA_HOME="/opt/mine", CUDACXX="clang++")
    assert made["CUDA_HOME"] == "/opt/mine" and made["CUDACXX"] == "clang++"
    assert made["CUDA_PATH"] == made["CUDAToolkit_ROOT"] != "/opt/mine"


def test_programs_beside_nvcc_that_are_not_of_cuda_stay_where_they_are(tmp_path: Path) -> None:
    for name in ("nvcc", "ptxas", "python3", "cut"):
        file = tmp_path / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n")
        file.chmod(0o755)
    (tmp_path / "include").mkdir()
    made = variables(CUOX_NVCC=str(tmp_path / "bin" / "nvcc"))
    assert sorted(os.listdir(made["PATH"].partition(":")[0])) == ["nvcc", "nvidia-smi", "ptxas"]


def test_the_toolkit_of_a_conda_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its headers and libraries are in a folder for the kind of machine, since `include` and `lib` are everybody's."""
    target = tmp_path / "targets" / ("sbsa-linux" if platform.machine() == "aarch64" else "x86_64-linux")
    for name in ("bin/nvcc", "include/zlib.h", "lib/libz.so.1"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    everybodys = (tmp_path / "include", tmp_path / "lib")
    assert toolkit._parts(tmp_path) == everybodys
    for name in ("include/cuda_runtime.h", "lib/libcudart.so.13", "lib/libcublas.so.13"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).touch()
    assert toolkit._parts(tmp_path) == (target / "include", target / "lib")
    made = toolkit._links(tmp_path)
    assert made["include"] == target / "include"
    assert made["lib64/libcublas.so"] == target / "lib" / "libcublas.so.13"
    assert made["lib64/libcudart.so"] == links.LIBRARIES / links.RUNTIME
    assert not any("libz" in name for name in made)


@pytest.fixture
def no_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_NVCC", str(tmp_path / "none"))
    for name in (*FOUND_BY, "CPATH", "LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)


def test_without_nvcc_and_headers_there_is_no_toolkit(no_nvcc: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_headers, "folder", lambda major: None)
    made = toolkit.variables()
    assert set(made) == {"PATH"}
    folder = Path(made["PATH"].partition(":")[0])
    assert os.listdir(folder) == ["nvidia-smi"]


@needs_compiler
def test_host_compilers_need_no_nvcc(no_nvcc: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = host_headers.folder(nvcc.SUPPORTED_MAJOR)
    if headers is None:
        pytest.skip("needs the headers of CUDA's runtime (pip install nvidia-cuda-runtime)")
    # As PyTorch brings them, without those of nvcc; `nv` where it is in a toolkit.
    (tmp_path / "cuda" / "include").mkdir(parents=True)
    for one in headers.iterdir():
        if one.name not in ("crt", "nv"):
            (tmp_path / "cuda" / "include" / one.name).symlink_to(one)
    monkeypatch.setattr(host_headers, "folder", lambda major: tmp_path / "cuda" / "include")
    made = toolkit.variables()
    assert set(made) == {"PATH", "CPATH", "LIBRARY_PATH", "CUDA_HOME"}
    assert shutil.which("nvcc", path=made["PATH"].partition(":")[0]) is None
    (tmp_path / "program.cpp").write_text(
        """
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdio.h>

struct __align__(16) Pair { double a, b; };

__host__ __forceinline__ int devices()
{
    int count = -1;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : -2;
}

int main()
{
    dim3 grid(2, 3);
    printf("%d %u %zu %g\\n", devices(), grid.y, alignof(Pair), double(__half2float(__float2half(0.5f))));
    return 0;
}
"""
    )
    run("c++ program.cpp -lcudart -o program", tmp_path, {**os.environ, **made})
    said = run(f"LD_LIBRARY_PATH={links.folder()} ./program", tmp_path, {**os.environ, "CUOX_DEVICE": "soft"})
    assert said == "1 3 16 0.5\n"


def test_the_stand_in_is_not_taken_for_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("ours", toolkit._script("nvcc")), ("theirs", "#!/bin/sh\n")):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin" / "nvcc").write_text(text)
        (tmp_path / name / "bin" / "nvcc").chmod(0o755)
    monkeypatch.setattr(nvcc.sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.delenv("CUOX_NVCC", raising=False)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "ours"))
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "ours"))
    monkeypatch.setenv("PATH", f"{tmp_path}/ours/bin:{tmp_path}/theirs/bin")
    if not Path("/usr/local/cuda/bin/nvcc").exists():
        assert nvcc.find_nvcc() == tmp_path / "theirs" / "bin" / "nvcc"
    monkeypatch.setenv("CUOX_NVCC", str(tmp_path / "ours" / "bin" / "nvcc"))
    with pytest.raises(NotFoundError, match="nvcc is cuox's stand-in for nvcc: name NVIDIA's, or unset CUOX_NVCC"):
        nvcc.find_nvcc()


def copied(name: str, tmp_path: Path) -> Path:
    """A project of the examples, where a build may write."""
    return Path(shutil.copytree(PROJECTS / name, tmp_path / name))


@needs_nvcc
@mark
def test_a_cmake_project(tmp_path: Path) -> None:
    pytest.importorskip("cmake")
    folder = copied("cmake", tmp_path)
    made = variables()
    made["PATH"] += f":{Path(sys.executable).parent}"
    run("cmake -G Ninja -B out . && cmake --build out", folder, made)
    said = run("ctest --test-dir out -V", folder, made)
    assert "cudaSuccess, 1998" in said and "100% tests passed" in said


@needs_nvcc
@mark
@pytest.mark.parametrize(("name", "needs"), [("setuptools", "setuptools"), ("scikit-build", "scikit_build_core")])
def test_a_python_package(name: str, needs: str, tmp_path: Path) -> None:
    pytest.importorskip(needs)
    folder = copied(name, tmp_path)
    made = variables(PIP_DISABLE_PIP_VERSION_CHECK="1")
    made["PATH"] += f":{Path(sys.executable).parent}"
    pip = f"{shlex.quote(sys.executable)} -m pip install -q --no-build-isolation --no-deps --no-index --target made ."
    run(pip, folder, made)
    program = "import scaling; print(scaling.scale([1, 2, 3], 10))"
    said = run(f'PYTHONPATH={name}/made {shlex.quote(sys.executable)} -c "{program}"', tmp_path, made)
    assert said == "[10.0, 20.0, 30.0]\n"
