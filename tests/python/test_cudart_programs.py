"""Programs that nvcc makes, run with cuox's libcudart: what CUDA documents, on the software GPU or on a real one
(CUOX_DEVICE=gpu).

The programs are in cudart/; each checks itself. `TEST_CUDART` is the path of another libcudart.so.13, to hold the
programs against NVIDIA's.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import exhaustive
import pytest
from ctools import needs_nvcc
from cuox import _native
from cuox._internal import links, nvcc

SOURCES = Path(__file__).with_name("cudart")
SOFT = _native.choice_report()["chosen"] == "soft"
OURS = links.LIBRARIES / links.RUNTIME
LIBRARY = Path(os.environ.get("TEST_CUDART") or OURS)

pytestmark = needs_nvcc

Build = Callable[..., Path]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """What makes a program of sources. nvcc takes a second or more for each: where kernels are kept from run to run,
    programs are too, for they load the libraries under test as they start.
    """
    kept = os.environ.get("CUOX_CACHE_DIR")
    folder = Path(kept, "programs") if kept else tmp_path_factory.mktemp("cudart")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("libcudart.so", "libcudart.so.13"):
        link = folder / name
        if not link.is_symlink() or link.readlink() != LIBRARY:
            link.unlink(missing_ok=True)
            link.symlink_to(LIBRARY)

    compiler = nvcc.find_nvcc()
    texts = b"".join(path.read_bytes() for path in sorted(SOURCES.iterdir()) if path.is_file())
    versions = [subprocess.check_output([one, "--version"]) for one in (str(compiler), "c++")]

    @functools.cache
    def build(sources: str, *options: str, name: str = "program") -> Path:
        files = [str(SOURCES / source) for source in sources.split()]
        paths = [f"-L{folder}", f"-L{compiler.parent.parent / 'lib'}", "-Xlinker", f"-rpath={folder}"]
        command = [str(compiler), "-std=c++17", "-cudart", "shared", *paths, *options, *files]
        made_of = repr((command, name, versions)).encode() + texts
        place = folder / hashlib.sha256(made_of).hexdigest()
        if not (place / name).exists():
            # A run that is ended leaves no part of a program under its name.
            new = Path(tempfile.mkdtemp(dir=folder))
            made = subprocess.run(
                [*command, "-o", str(new / name)], capture_output=True, text=True, timeout=300, check=False
            )
            assert made.returncode == 0, made.stdout + made.stderr
            new.rename(place)
        return place / name

    return build


def run(program: Path, *arguments: str, **environment: str) -> tuple[str, str]:
    """What a program that ends well writes to standard output and error."""
    device = {"CUOX_DEVICE": "soft"} if SOFT else {}
    ended = subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **device, **environment},
    )
    assert ended.returncode == 0, f"exit status {ended.returncode}\n{ended.stdout}{ended.stderr}"
    return ended.stdout, ended.stderr


# nvcc takes a second or more for each.
OTHER_OPTIONS = [
    ("parts.cu parts_other.cu", ("-rdc=true", "-gencode", "arch=compute_75,code=compute_75")),
    ("graphs.cu", ("--default-stream", "per-thread")),
    *(("basics.cu", (f"--compress-mode={mode}",)) for mode in ("none", "speed", "balance")),
]
PROGRAMS = [
    ("basics.cu", ()),
    ("errors.cu", ()),
    ("streams.cu", ()),
    ("streams.cu", ("--default-stream", "per-thread")),
    ("memory.cu", ()),
    ("functions.cu", ()),
    ("devices.cu", ()),
    ("threads.cu", ()),
    ("parts.cu parts_other.cu", ("-rdc=true",)),
    ("graphs.cu", ()),
    ("graph_nodes.cu", ("-rdc=true", "-lcudadevrt")),
    ("arrays.cu", ()),
    ("textures.cu", ()),
    ("external.cu", ()),
    ("launching.cu", ("-rdc=true", "-lcudadevrt")),
    ("basics.cu", ("--compress-mode=size",)),
]


@pytest.mark.parametrize(
    ("sources", "options"),
    [*PROGRAMS, *exhaustive.some(OTHER_OPTIONS, 0, several=True)],
    ids=lambda value: value if isinstance(value, str) else " ".join(value) or "plain",
)
def test_programs(build: Build, sources: str, options: Sequence[str]) -> None:
    out, err = run(build(sources, *options))
    assert out.endswith("passed\n")
    assert "no version information" not in err


def test_several_devices(build: Build) -> None:
    out, _ = run(build("several_devices.cu"), CUOX_SOFT_DEVICES="2")
    assert out.endswith("passed\n")
    assert not SOFT or out == "passed\n"


@pytest.mark.parametrize("waits", [True, False])
def test_exit(build: Build, waits: bool) -> None:
    """Destructors that run after the runtime's own exit handler, and kernels that nobody waits for."""
    out, err = run(build("exit.cu"), *([] if waits else ["leave"]))
    assert out.startswith("hello from thread 0\nhello from thread 1\npassed\n")
    assert waits or not SOFT or out.endswith("passed\nhello from thread 0\n")
    assert err.endswith("destroyed\n")


def test_a_library_that_comes_and_goes(build: Build) -> None:
    plugin = build("plugin.cu", "-shared", "-Xcompiler", "-fPIC", name="libplugin.so")
    out, _ = run(build("host.cu"), str(plugin))
    assert out == "passed\n"


@pytest.mark.skipif(not SOFT, reason="a GPU of another architecture refuses it, this one may not")
def test_a_program_without_ptx_says_so(build: Build) -> None:
    program = build("sass_only.cu", "-gencode", "arch=compute_90,code=sm_90")
    out, err = run(program, CUOX_LOG="1")
    assert out == "passed\n"
    assert "a module of the program does not load: cudaErrorNoKernelImageForDevice" in err


def test_the_log(build: Build) -> None:
    if LIBRARY != OURS:
        pytest.skip("cuox's own")
    _, err = run(build("threads.cu"), CUOX_LOG="runtime")
    assert err.count("cuox runtime: __cudaLaunchKernel -> cudaSuccess\n") == 16 * 20 * 3
    assert "cuox runtime: cudaDeviceSynchronize -> cudaSuccess\n" in err


def test_versions_of_symbols() -> None:
    """Programs linked with NVIDIA's library start with this one without a word of the dynamic linker's."""
    readelf = shutil.which("readelf")
    if not readelf:
        pytest.skip("needs readelf")
    symbols = subprocess.run(
        [readelf, "--dyn-syms", "--wide", LIBRARY], capture_output=True, text=True, check=True
    ).stdout
    for name in (
        "cudaMalloc",
        "cudaMemcpy_ptds",
        "cudaLaunchKernelExC_ptsz",
        "__cudaRegisterFatBinary",
        "__cudaLaunchKernel",
    ):
        assert f" {name}@@libcudart.so.13\n" in symbols
