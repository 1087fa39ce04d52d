"""What compiles: NVRTC, CUDA's headers, nvcc, the compiler of C++, libclang; and CUDA runtimes that programs find."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import cuox_bind
from cuox_bind import _native as bind_native
from cuox_bind._internal.compilers import host_compiler

from ... import _native
from ..errors import BindError, NotFoundError
from ..links import RUNTIME
from ..nvcc import check_version, find_nvcc
from .finding import Finding, Step, first_line, install_again

# For each component whose headers kernels include, a header of it.
HEADERS = {"cudart": "cuda_runtime.h", "crt": "crt/host_defines.h", "cccl": "cuda/std/version"}
# So many that machine code is made for the function (docs/environment.md, CUOX_CALL).
CALLS = 100


def _nvrtc(root: Path) -> Iterator[Finding]:
    """NVRTC, and the headers that kernels include."""
    version = None
    try:
        version, path, archs = _native.nvrtc_info()
    except NotFoundError as error:
        named = os.environ.get("CUOX_NVRTC_PATH")
        remedy = (
            "unset CUOX_NVRTC_PATH" if named else _command_in(str(error)) or "pip install 'nvidia-cuda-nvrtc==13.*'"
        )
        yield Finding("NVRTC", "broken", first_line(error), remedy)
    else:
        text = f"{version[0]}.{version[1]} ({path}), compiles for {', '.join(map(str, archs))}"
        yield Finding("NVRTC", "ok", text)
    yield from _headers(version)


def _command_in(text: str) -> str:
    """The command between backquotes in an error's text."""
    found = re.search(r"`(pip [^`]+)`", text)
    return found[1] if found else ""


def _headers(nvrtc: tuple[int, int] | None) -> Iterator[Finding]:
    """The headers that NVRTC finds; without it, those that it would find."""
    folders = [Path(folder) for folder in _native.nvrtc_include_dirs()] if nvrtc else list(_header_folders())
    found = {name: next((one for one in folders if (one / header).exists()), None) for name, header in HEADERS.items()}
    lacking = [HEADERS[name] for name, folder in found.items() if folder is None]
    if lacking:
        text = f"not found: {', '.join(lacking)}; kernels that include them do not compile"
        packages = (_native.package_of_header(header, nvrtc or (13, 0)) for header in lacking)
        remedy = f"pip install {' '.join(shlex.quote(package) for package in dict.fromkeys(packages) if package)}"
        yield Finding("headers", "warning", text, remedy)
    folder = found["cudart"]
    version = _version_of(folder / "cuda_runtime_api.h") if folder else None
    if folder and version and nvrtc and version[0] != nvrtc[0]:
        package = _native.package_of_header(HEADERS["cudart"], nvrtc)
        named = os.environ.get("CUOX_CUDART_PATH")
        yield Finding(
            "headers",
            "warning",
            f"{folder} has headers of CUDA {version[0]}.{version[1]}, NVRTC is of {nvrtc[0]}.{nvrtc[1]}: kernels that "
            "include them may not compile",
            "unset CUOX_CUDART_PATH" if named else f"pip install {shlex.quote(str(package))}",
        )
    elif not lacking:
        yield Finding("headers", "ok", f"of CUDA {version[0]}.{version[1]} ({folder})" if version else str(folder))


def _header_folders() -> Iterator[Path]:
    for name in HEADERS:
        with contextlib.suppress(NotFoundError):
            yield Path(_native.find_headers(name)[0])


def _version_of(header: Path) -> tuple[int, int] | None:
    """The version of CUDA that a header of the runtime states."""
    try:
        found = re.search(r"^#define CUDART_VERSION\s+(\d+)", header.read_text(errors="replace"), re.MULTILINE)
    except OSError:
        return None
    return (int(found[1]) // 1000, int(found[1]) % 1000 // 10) if found else None


def _nvcc(root: Path) -> Finding:
    try:
        path = find_nvcc()
        major, minor = check_version(path)
    except NotFoundError as error:
        is_asked = bool(os.environ.get("CUOX_NVCC"))
        text = first_line(error).partition("; looked in")[0].partition(". It comes with")[0]
        purpose = "for `cuox nvcc` and `cuox.load` of .cu files only"
        remedy = "unset CUOX_NVCC" if is_asked else f"pip install 'cuda-toolkit[nvcc,nvvm]==13.*'  # {purpose}"
        return Finding("nvcc", "warning" if is_asked else "note", text, remedy)
    return Finding("nvcc", "ok", f"{major}.{minor} ({path})")


def _host_compiler(root: Path) -> Finding:
    try:
        return Finding("C++ compiler", "ok", " ".join(host_compiler("c++", "nvcc")))
    except NotFoundError as error:
        is_asked = bool(os.environ.get("CXX"))
        remedy = "unset CXX" if is_asked else "sudo apt install g++  # for nvcc and `cuox.load` only"
        return Finding("C++ compiler", "warning" if is_asked else "note", first_line(error), remedy)


def _libclang(root: Path) -> Finding:
    try:
        # A text that was never read: what is kept of earlier ones is found without libclang.
        bind_native.Binding.parse([], source=f"int examined_{time.time_ns()}(int first);\n")
    except (BindError, NotFoundError) as error:
        is_asked = bool(os.environ.get("CUOX_LIBCLANG"))
        remedy = "unset CUOX_LIBCLANG" if is_asked else "pip install libclang  # for `cuox.bind` only"
        text = first_line(error).partition(" (looked in")[0].partition(": `pip")[0]
        return Finding("libclang", "warning" if is_asked else "note", text, remedy)
    return Finding("libclang", "ok", "reads headers of C")


def _calls(root: Path) -> Finding:
    """C functions, by machine code that is made for them."""
    if platform.machine() != "x86_64":
        return Finding("C functions", "note", f"`cuox.bind` calls them on x86-64 only; this is {platform.machine()}")
    try:
        absolute = cuox_bind.load("libc.so.6").abs
        results = {absolute(-number) for number in (7,) * CALLS}
    except (BindError, NotFoundError) as error:
        return Finding(
            "C functions", "broken", f"abs(-7) of the C library failed: {first_line(error)}", install_again("cuox-bind")
        )
    if results != {7}:
        return Finding("C functions", "broken", f"abs(-7) of the C library is {results}", "export CUOX_CALL=nojit")
    return Finding("C functions", "ok", "called")


def _runtimes(root: Path) -> Finding:
    """The CUDA runtimes that the loader finds before, or without, cuox's own."""
    folders = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if folder]
    seen = [file for folder in folders if (file := Path(folder, RUNTIME)).exists()]
    if len({file.resolve() for file in seen}) > 1:
        text = f"several in LD_LIBRARY_PATH: {', '.join(map(str, seen))}; programs get the first"
        return Finding(
            "CUDA runtime",
            "warning",
            text,
            f"leave one of their folders in LD_LIBRARY_PATH: {os.pathsep.join(folders)}",
        )
    system = [
        file
        for place in ("usr/local/cuda/lib64", "usr/lib/x86_64-linux-gnu")
        if (file := root / place / RUNTIME).exists()
    ]
    others = ", ".join(map(str, [*seen, *system]))
    return Finding("CUDA runtime", "ok", "cuox's own" + (f"; others on this system: {others}" if others else ""))


STEPS: dict[str, Step] = {
    "NVRTC": _nvrtc,
    "nvcc": _nvcc,
    "C++ compiler": _host_compiler,
    "libclang": _libclang,
    "C functions": _calls,
    "CUDA runtime": _runtimes,
}
