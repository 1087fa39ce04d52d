"""`cuox.cuda.pathfinder` in made-up trees of wheels, conda and a toolkit; beside NVIDIA's, where that is installed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cuox
import pytest
from cuox.cuda import pathfinder

HEADERS = [
    "cccl", "cublas", "cudart", "cufft", "cufile", "curand", "cusolver", "cusparse", "npp", "profiler", "nvcc", "nvfatbin", "nvjitlink", "nvjpeg",
    "nvrtc", "nvvm", "cudla", "cudnn", "cusolverMp", "cusparseLt", "cute", "cutensor", "cudensitymat", "cupauliprop", "cutensornet", "custabilizer",
    "custatevec", "cutlass", "mathdx", "nccl", "nvshmem",
]  # fmt: skip

# Run in a process with one of the two modules: where it finds everything, with libraries that are not opened.
ASK = """
import ctypes, json, os, site, sys
class Library:
    _handle = 1
    def __init__(self, name, mode=0, **rest):
        if not os.path.isabs(name):
            raise OSError(name)
"""
OURS = """
from cuox.cuda import pathfinder
ctypes.CDLL = Library
"""
THEIRS = """
import cuda.pathfinder as pathfinder
ctypes.CDLL = Library
from cuda.pathfinder._dynamic_libs import load_nvidia_dynamic_lib as loading
loading._resolve_system_loaded_abs_path_in_subprocess = lambda name, **rest: None
from cuda.pathfinder._headers import find_nvidia_headers
find_nvidia_headers._resolve_system_loaded_abs_path_in_subprocess = lambda name, **rest: None
"""
ANSWER = """
site.getsitepackages = lambda: [os.environ["SITE"]]
site.ENABLE_USER_SITE = False
sys.path = [folder for folder in sys.path if not folder.endswith("-packages")]
names = json.loads(sys.stdin.read())
answers = {}
def ask(kind, name, function, read):
    try:
        answers[kind + " " + name] = read(function(name))
    except RuntimeError as error:
        answers[kind + " " + name] = type(error).__name__
located = lambda found: found and [os.path.realpath(found.abs_path), found.found_via]
for name in names["libraries"]:
    ask("library", name, pathfinder.load_nvidia_dynamic_lib, located)
for name in names["headers"]:
    ask("headers", name, pathfinder.locate_nvidia_header_directory, located)
for name in pathfinder.SUPPORTED_BINARY_UTILITIES:
    ask("binary", name, pathfinder.find_nvidia_binary_utility, lambda found: found)
for name in pathfinder.SUPPORTED_STATIC_LIBS:
    ask("static", name, pathfinder.locate_static_lib, located)
for name in pathfinder.SUPPORTED_BITCODE_LIBS:
    ask("bitcode", name, pathfinder.locate_bitcode_lib, located)
constants = [sorted(pathfinder.SUPPORTED_NVIDIA_LIBNAMES), pathfinder.SUPPORTED_HEADERS_CTK, pathfinder.SUPPORTED_BINARY_UTILITIES,
    pathfinder.SUPPORTED_STATIC_LIBS, pathfinder.SUPPORTED_BITCODE_LIBS]
print(json.dumps([answers, constants]))
"""


def answers(which: str, site: Path, **environment: str) -> list[object]:
    """What one of the two modules finds."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("CUDA_PATH", "CUDA_HOME", "CONDA_PREFIX", "LD_LIBRARY_PATH", "CUDNN_PATH", "NCCL_HOME")
        and not name.startswith("CUOX_")
    }
    # The driver is the one that cuox has chosen.
    libraries = [name for name in pathfinder._LIBRARIES if name != "cuda"]
    done = subprocess.run(
        [sys.executable, "-c", ASK + which + ANSWER],
        input=json.dumps({"libraries": libraries, "headers": HEADERS}),
        env=kept | {"SITE": str(site)} | environment,
        text=True,
        capture_output=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


def put(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    path.chmod(0o755)


def fill(root: Path, folders: dict[str, list[str]]) -> None:
    for folder, files in folders.items():
        for file in files:
            put(root / folder / file)


SONAMES = [file for library in pathfinder._LIBRARIES.values() for file in library.files]
HEADER_FILES = list(pathfinder._HEADERS.values())
PROGRAMS = list(pathfinder.SUPPORTED_BINARY_UTILITIES)


@pytest.fixture
def trees(tmp_path: Path) -> dict[str, Path]:
    """A folder with wheels of both generations, one with half of the newer, a conda environment, a toolkit."""
    made = {name: tmp_path / name for name in ("wheels", "some", "conda", "toolkit", "product", "none")}
    fill(
        made["wheels"],
        {
            "nvidia/cu13/lib": [file for file in SONAMES if file.endswith((".13", ".12", ".11", ".4", ".0", ".1"))] + ["libcudadevrt.a"],
            "nvidia/cu13/include": HEADER_FILES,
            "nvidia/cu13/include/cccl": ["cuda/std/version"],
            "nvidia/cu13/bin": PROGRAMS,
            "nvidia/cu13/nvvm/libdevice": ["libdevice.10.bc"],
            "nvidia/nsight_systems/bin": PROGRAMS,
            "nvidia/nccl/lib": ["libnccl.so.2", "libnccl_device.bc"],
            "nvidia/nccl/include": ["nccl.h"],
            "nvidia/nvshmem/lib": ["libnvshmem_host.so.3", "libnvshmem_device.bc"],
            "nvidia/cudnn/lib": ["libcudnn.so.9"],
            "cutensor/lib": ["libcutensor.so.2", "libcutensorMg.so.2"],
            "cuquantum/lib": SONAMES,
            "cuquantum/include": HEADER_FILES,
            "cutlass_library/source/include": HEADER_FILES,
        },
    )  # fmt: skip
    fill(
        made["some"],
        {
            "nvidia/cublas/lib": ["libcublas.so.12", "libcublasLt.so.12"],
            "nvidia/cuda_nvcc/bin": ["ptxas", "nvprune"],
            "nvidia/cuda_nvcc/nvvm/lib64": ["libnvvm.so.4"],
            "nvidia/cuda_runtime/include": ["cuda_runtime.h"],
            "nvidia/cuda_runtime/lib": ["libcudadevrt.a", "libcudart.so.12"],
            "nvidia/npp/lib": ["libnppc.so.12"],
        },
    )
    fill(made["conda"], {"lib": [*SONAMES, "libcudadevrt.a"], "bin": PROGRAMS, "targets/x86_64-linux/include": HEADER_FILES, "include": HEADER_FILES})  # fmt: skip
    fill(made["conda"], {"nvvm/libdevice": ["libdevice.10.bc"], "nvvm/lib64": ["libnvvm.so.4"]})
    fill(made["toolkit"], {"lib64": [*SONAMES, "libcudadevrt.a"], "bin": PROGRAMS, "include": HEADER_FILES, "include/cccl": ["cuda/std/version"]})  # fmt: skip
    fill(
        made["toolkit"],
        {"nvvm/lib64": ["libnvvm.so"], "nvvm/include": ["nvvm.h"], "extras/CUPTI/lib64": ["libcupti.so.13"]},
    )
    fill(made["toolkit"], {"nvvm/libdevice": ["libdevice.10.bc"]})
    fill(made["product"], {"lib": ["libcudnn.so.9"], "build/lib": ["libnccl.so.2"], "include": ["cudnn.h"], "build/include": ["nccl.h"]})  # fmt: skip
    made["none"].mkdir()
    return made


def places(trees: dict[str, Path]) -> Iterator[tuple[Path, dict[str, str]]]:
    conda, toolkit, product = (str(trees[name]) for name in ("conda", "toolkit", "product"))
    yield trees["wheels"], {}
    yield trees["some"], {"CONDA_PREFIX": conda}
    yield trees["none"], {"CONDA_PREFIX": conda, "CUDA_PATH": toolkit}
    yield trees["some"], {"CUDA_PATH": toolkit, "CUDA_HOME": conda, "CUDNN_PATH": product, "NCCL_HOME": product}
    yield trees["none"], {"CUDA_HOME": toolkit}
    yield trees["none"], {}


def test_the_same_answers_as_the_original(trees: dict[str, Path]) -> None:
    if importlib.util.find_spec("cuda") is None or importlib.util.find_spec("cuda.pathfinder") is None:
        pytest.skip("cuda-pathfinder: not installed")
    version = subprocess.run(
        [sys.executable, "-c", "import cuda.pathfinder as p; print(p.__version__)"], text=True, capture_output=True
    ).stdout.strip()
    if version != "1.9.1":
        pytest.skip(f"cuda-pathfinder: {version} is installed, compared is 1.9.1")
    for site, environment in places(trees):
        ours, theirs = answers(OURS, site, **environment), answers(THEIRS, site, **environment)
        assert ours == theirs, (site, environment)
    public = subprocess.run(
        [sys.executable, "-c", "import cuda.pathfinder as p; print(*[n for n in dir(p) if n[0] != '_'])"],
        text=True,
        capture_output=True,
    )
    assert {*public.stdout.split()} <= {*dir(pathfinder)}


def test_places_in_order(trees: dict[str, Path]) -> None:
    wheels, toolkit, conda = trees["wheels"], trees["toolkit"], trees["conda"]
    found, _ = answers(OURS, wheels, CUDA_PATH=str(toolkit), CONDA_PREFIX=str(conda))
    assert isinstance(found, dict)
    assert found["library cublas"] == [str(wheels / "nvidia/cu13/lib/libcublas.so.13"), "site-packages"]
    assert found["headers cccl"] == [str(wheels / "nvidia/cu13/include/cccl"), "site-packages"]
    assert found["binary cuda-gdb"] == str(conda / "bin/cuda-gdb")
    assert found["bitcode device"] == [str(wheels / "nvidia/cu13/nvvm/libdevice/libdevice.10.bc"), "site-packages"]
    found, _ = answers(OURS, trees["none"], CUDA_HOME=str(toolkit), CUDNN_PATH=str(trees["product"]))
    assert isinstance(found, dict)
    assert found["library nvvm"] == [str(toolkit / "nvvm/lib64/libnvvm.so"), "CUDA_PATH"]
    assert found["library cudnn"] == [str(trees["product"] / "lib/libcudnn.so.9"), "CUDNN_PATH"]
    assert found["static cudadevrt"] == [str(toolkit / "lib64/libcudadevrt.a"), "CUDA_PATH"]
    assert (
        found["library nvml"] == "DynamicLibNotFoundError" and found["bitcode nccl_device"] == "BitcodeLibNotFoundError"
    )


def test_names_that_are_not_known() -> None:
    with pytest.raises(pathfinder.DynamicLibNotFoundError, match="'nosuchlib'; known names: cublas") as raised:
        pathfinder.load_nvidia_dynamic_lib("nosuchlib")
    assert type(raised.value) is pathfinder.DynamicLibUnknownError and isinstance(raised.value, cuox.NotFoundError)
    with pytest.raises(RuntimeError, match="'nosuchlib'"):
        pathfinder.find_nvidia_header_directory("nosuchlib")
    with pytest.raises(RuntimeError, match="'nosuchlib' is not supported"):
        pathfinder.find_nvidia_binary_utility("nosuchlib")
    with pytest.raises(ValueError, match="expected one of cudadevrt"):
        pathfinder.locate_static_lib("nosuchlib")
    with pytest.raises(ValueError, match="expected one of device"):
        pathfinder.find_bitcode_lib("nosuchlib")


def test_what_is_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CUDA_PATH", "CUDA_HOME", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pathfinder, "site_packages", lambda: (str(tmp_path),))
    with pytest.raises(pathfinder.BitcodeLibNotFoundError, match="cuda-toolkit") as raised:
        pathfinder.locate_bitcode_lib("device")
    error = raised.value
    assert "cuda-toolkit[nvvm]==13.*" in error.fix and "conda install" in error.fix and error.fix in str(error)
    assert any(str(tmp_path / "nvidia/cu13/nvvm/libdevice") in place for place in error.searched)


def test_libraries_that_are_loaded() -> None:
    found = pathfinder.load_nvidia_dynamic_lib("nvrtc")
    assert found is pathfinder.load_nvidia_dynamic_lib("nvrtc") and found._handle_uint
    driver = pathfinder.load_nvidia_dynamic_lib("cuda")
    assert Path(driver.abs_path).name.startswith("libcuda.so.")


def test_the_toolkits_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pathfinder.get_cuda_path_or_home.cache_clear()
    monkeypatch.setenv("CUDA_PATH", str(tmp_path))
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "other"))
    with pytest.warns(UserWarning, match="CUDA_PATH is taken"):
        assert pathfinder.get_cuda_path_or_home() == str(tmp_path)
    monkeypatch.delenv("CUDA_PATH")
    assert pathfinder.get_cuda_path_or_home() == str(tmp_path)
    pathfinder.get_cuda_path_or_home.cache_clear()
    assert pathfinder.get_cuda_path_or_home() == str(tmp_path / "other")
    pathfinder.get_cuda_path_or_home.cache_clear()
