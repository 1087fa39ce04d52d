"""What compiles: NVRTC, CUDA's headers, nvcc, the compiler of C++, libclang; and CUDA runtimes that programs find."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

from ... import _native
from ..compilers import host_compiler
from ..errors import BindError, NotFoundError
from ..links import RUNTIME
from ..nvcc import check_version, find_nvcc
from .finding import Finding, first_line

# For each component whose headers kernels include, a header of it and the pip package that has it for CUDA 13.
HEADERS = {
    "cudart": ("cuda_runtime.h", "nvidia-cuda-runtime"),
    "crt": ("crt/host_defines.h", "nvidia-cuda-crt"),
    "cccl": ("cuda/std/version", "nvidia-cuda-cccl"),
}


def examine(root: Path = Path("/")) -> Iterator[Finding]:
    """Look at the compilers and their headers; `root` is where the system's files are."""
    version = None
    try:
        version, path, archs = _native.nvrtc_info()
    except NotFoundError as error:
        remedy = _command_in(str(error)) or "pip install 'nvidia-cuda-nvrtc==13.*'"
        yield Finding("NVRTC", "broken", first_line(error), remedy)
    else:
        text = f"{version[0]}.{version[1]} ({path}), compiles for {', '.join(map(str, archs))}"
        yield Finding("NVRTC", "ok", text)
    yield from _headers(version)
    yield _nvcc()
    yield _host_compiler()
    yield _libclang()
    yield _runtimes(root)


def _command_in(text: str) -> str:
    """The command between backquotes in an error's text."""
    found = re.search(r"`(pip [^`]+)`", text)
    return found[1] if found else ""


def _headers(nvrtc: tuple[int, int] | None) -> Iterator[Finding]:
    lacking = []
    of_runtime = None
    suffix = "-cu12" if nvrtc and nvrtc[0] == 12 else ""
    for name, (header, package) in HEADERS.items():
        try:
            folder = Path(_native.find_headers(name)[0])
        except NotFoundError:
            lacking.append((header, package))
            continue
        if not (folder / header).exists():
            lacking.append((header, package))
        elif name == "cudart":
            of_runtime = _version_of(folder / "cuda_runtime_api.h"), folder
    if lacking:
        names = ", ".join(header for header, _ in lacking)
        text = f"not found: {names}; kernels that include them do not compile"
        packages = " ".join(package + suffix for _, package in lacking if suffix == "" or package != "nvidia-cuda-crt")
        if suffix and any(package == "nvidia-cuda-crt" for _, package in lacking):
            packages += " nvidia-cuda-nvcc-cu12"  # CUDA 12 has these headers there
        yield Finding("headers", "warning", text, f"pip install {packages.strip()}")
    if of_runtime is None:
        return
    version, folder = of_runtime
    if version and nvrtc and version[0] != nvrtc[0]:
        yield Finding(
            "headers",
            "broken",
            f"{folder} has headers of CUDA {version[0]}.{version[1]}, NVRTC is of {nvrtc[0]}.{nvrtc[1]}",
            f"pip install 'nvidia-cuda-runtime{suffix}=={nvrtc[0]}.{nvrtc[1]}.*'; unset CUOX_CUDART_PATH if it is set",
        )
    elif not lacking:
        yield Finding("headers", "ok", f"of CUDA {version[0]}.{version[1]} ({folder})" if version else str(folder))


def _version_of(header: Path) -> tuple[int, int] | None:
    """The version of CUDA that a header of the runtime states."""
    try:
        found = re.search(r"^#define CUDART_VERSION\s+(\d+)", header.read_text(errors="replace"), re.MULTILINE)
    except OSError:
        return None
    return (int(found[1]) // 1000, int(found[1]) % 1000 // 10) if found else None


def _nvcc() -> Finding:
    try:
        path = find_nvcc()
        major, minor = check_version(path)
    except NotFoundError as error:
        is_asked = bool(os.environ.get("CUOX_NVCC"))
        text = first_line(error).partition("; looked in")[0].partition(". It comes with")[0]
        purpose = "for `cuox nvcc` and `cuox.load` of .cu files only"
        remedy = "unset CUOX_NVCC" if is_asked else f"pip install 'cuda-toolkit[nvcc,nvvm]==13.*' ({purpose})"
        return Finding("nvcc", "warning" if is_asked else "note", text, remedy)
    return Finding("nvcc", "ok", f"{major}.{minor} ({path})")


def _host_compiler() -> Finding:
    try:
        return Finding("C++ compiler", "ok", " ".join(host_compiler("c++", "nvcc")))
    except NotFoundError as error:
        is_asked = bool(os.environ.get("CXX"))
        remedy = "unset CXX" if is_asked else "sudo apt install g++ (for nvcc and `cuox.load` only)"
        return Finding("C++ compiler", "warning" if is_asked else "note", first_line(error), remedy)


def _libclang() -> Finding:
    try:
        # A text that was never read: what is kept of earlier ones is found without libclang.
        _native.Binding.parse([], source=f"int examined_{time.time_ns()}(int first);\n")
    except (BindError, NotFoundError) as error:
        is_asked = bool(os.environ.get("CUOX_LIBCLANG"))
        remedy = "unset CUOX_LIBCLANG" if is_asked else "pip install libclang (for `cuox.bind` only)"
        text = first_line(error).partition(" (looked in")[0].partition(": `pip")[0]
        return Finding("libclang", "warning" if is_asked else "note", text, remedy)
    return Finding("libclang", "ok", "reads headers of C")


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
