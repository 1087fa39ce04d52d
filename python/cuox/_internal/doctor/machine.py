"""The machine and what is installed on it: Python, NumPy, the processor, the cache, packages beside cuox."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from cuox_bind._internal.loading import cut_off
from cuox_bind._native import cache_folder

from ... import _native
from .. import links
from . import variables
from .finding import Finding, Step, first_line, install_again

OLDEST_NUMPY = (1, 26)
# Packages that use GPUs too; those with NVIDIA's CUDA runtime inside do not run on the software GPU.
BESIDE = ("numba", "numba-cuda", "pycuda", "cuda-python", "cuda-bindings", "cuda-core", "triton", "nvidia-ml-py")
BESIDE_ON_GPUS = ("torch", "cupy-cuda12x", "cupy-cuda13x", "jax-cuda12-plugin", "jax-cuda13-plugin")
# What starts programs that may not be executed themselves.
_LOADER = "/lib64/ld-linux-x86-64.so.2" if platform.machine() == "x86_64" else "/lib/ld-linux-aarch64.so.1"
# Filesystems of several machines, by their names in /proc/mounts.
SHARED = ("nfs", "nfs4", "lustre", "gpfs", "beegfs", "cifs", "smb3", "ceph", "fuse.sshfs")


def _cuox(root: Path) -> Finding:
    system = f"{platform.machine()}, {platform.system()}, {_libc()}"
    return Finding("cuox", "ok", f"{_native.__version__}, Python {platform.python_version()} ({system})")


def _libc() -> str:
    name, version = platform.libc_ver()
    return f"{name} {version}".strip() or "an unknown C library"


def _libraries(root: Path) -> Iterator[Finding]:
    """The libraries of the package: there, and not cut off by an interrupted copy."""
    for name in (links.DRIVER, links.RUNTIME, links.MANAGEMENT, *links.STAND_INS.values()):
        file = links.library(name)
        if said := cut_off(str(file)) if file.is_file() else f"{file} is missing":
            yield Finding("libraries", "broken", said, install_again())


def _numpy(root: Path) -> Finding:
    needed = ".".join(map(str, OLDEST_NUMPY))
    remedy = f"pip install 'numpy>={needed}'"
    try:
        import numpy as np
    except ImportError as error:
        return Finding("NumPy", "broken", f"cannot be imported: {error}", remedy)
    found = re.match(r"(\d+)\.(\d+)", np.__version__)
    if found and (int(found[1]), int(found[2])) < OLDEST_NUMPY:
        return Finding("NumPy", "broken", f"{np.__version__} is older than {needed}", remedy)
    return Finding("NumPy", "ok", np.__version__)


def _processor(root: Path) -> Finding:
    """The processor, and which vectors of it the software GPU's code uses."""
    try:
        text = (root / "proc" / "cpuinfo").read_text(errors="replace")
    except OSError:
        text = ""
    names = re.findall(r"^model name\s*:\s*(.*)", text, re.MULTILINE)
    flags = set(" ".join(re.findall(r"^flags\s*:\s*(.*)", text, re.MULTILINE)).split())
    wide = {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"} <= flags
    engine = os.environ.get("CUOX_SOFT_ENGINE") or "auto"
    narrow = "one thread at a time, as there is no AVX-512; what runs long by LLVM"
    code = {"interpreter": "no code of its own: it interprets", "jit-narrow": "one thread at a time, as asked for"}.get(
        engine, "AVX-512: 16 threads at a time" if wide else narrow
    )
    cores = len(os.sched_getaffinity(0))
    text = f"{names[0] if names else 'unknown'}, {cores} of {os.cpu_count()} cores; the software GPU's code: {code}"
    if engine == "interpreter":
        return Finding("processor", "warning", text, "unset CUOX_SOFT_ENGINE  # kernels run many times as fast")
    return Finding("processor", "ok", text)


def _llvm(root: Path) -> Finding:
    """The LLVM that compiles kernels of the software GPU that run long, where there is no AVX-512."""
    library = os.environ.get("CUOX_LLVM")
    if library == "":
        return Finding("LLVM", "ok", "not asked for (CUOX_LLVM is empty)")
    program = os.environ.get("CUOX_LLVM_PROGRAM") or str(links.library("cuox-llvm"))
    command = [
        program,
        "x86-64-v3" if platform.machine() == "x86_64" else "generic",
        "",
        *([library] if library else []),
    ]
    if os.path.isfile(program) and not os.access(program, os.X_OK):
        # Some installers drop the permission; the driver starts it so, too.
        command.insert(0, _LOADER)
    said = _said_by(command) or f"{program} did not say which LLVM it has"
    if said.startswith("LLVM "):
        return Finding("LLVM", "ok", f"{said.removeprefix('LLVM ')}, for kernels that run long")
    remedy = "pip install --upgrade llvmlite"
    for variable in ("CUOX_LLVM", "CUOX_LLVM_PROGRAM"):
        # With llvmlite installed it would be asked for all the same.
        if os.environ.get(variable) and not said.startswith("! no LLVM was found"):
            remedy = f"unset {variable}"
    return Finding("LLVM", "note", said.removeprefix("! "), f"{remedy}  # without LLVM kernels run slower")


def _said_by(command: list[str]) -> str:
    """The first line that `cuox-llvm` says, or why it says nothing."""
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return f"{command[0]} did not end in 10 s"
    except OSError as error:
        return first_line(error)
    lines = ended.stdout.decode(errors="replace").strip().splitlines()
    if ended.returncode or not lines:
        return f"{command[0]} ended with status {ended.returncode}"
    return lines[0] if lines[0].startswith(("LLVM ", "! ")) else ""


def _cache(root: Path) -> Finding:
    """Whether compiled code can be kept."""
    kept = _native.cache_info()
    if kept is None and (os.environ.get("CUOX_CACHE") or "1") == "0":
        return Finding("cache", "note", "off (CUOX_CACHE=0): every process compiles anew", "unset CUOX_CACHE")
    elsewhere = f"export CUOX_CACHE_DIR=/var/tmp/cuox-{os.getuid()}  # or another folder that is yours alone"
    try:
        folder = Path(cache_folder())
    except OSError as error:
        why = str(error.strerror or error).partition(";")[0]
        text = f"{error.filename}: {why}" if error.filename else why
        remedy = f"chmod go-w {shlex.quote(str(error.filename))}" if _is_open(error.filename) else elsewhere
        return Finding("cache", "warning", f"{text}: every process compiles anew", remedy)
    if not os.access(folder, os.W_OK):
        return Finding("cache", "warning", f"{folder} cannot be written: every process compiles anew", elsewhere)
    room = os.statvfs(folder)
    if room.f_bavail * room.f_frsize < 16 << 20:
        text = f"{folder}: less than 16 MiB are left on its disk"
        return Finding(
            "cache",
            "warning",
            text,
            "python -m cuox cache --clear  # or free other room there, or name a folder in CUOX_CACHE_DIR",
        )
    size = ""
    if kept:
        _, files, count = kept
        size = f": {files} files of compiled code, {count / 2**20:.1f} MiB"
    kind = _filesystem(root, folder)
    if kind in SHARED:
        remedy = f"{elsewhere}, on a disk of this machine"
        return Finding("cache", "note", f"{folder}{size}; it is on {kind}, which is slow", remedy)
    return Finding("cache", "ok", f"{folder}{size}")


def _is_open(folder: str | None) -> bool:
    """True for a folder of this user that others can write."""
    try:
        state = os.stat(folder or "")
    except OSError:
        return False
    return state.st_uid == os.getuid() and bool(state.st_mode & 0o022)


def _filesystem(root: Path, folder: Path) -> str:
    """The kind of the filesystem that has a folder."""
    try:
        lines = (root / "proc" / "mounts").read_text(errors="replace").splitlines()
    except OSError:
        return ""
    best = ("", "")
    for line in lines:
        words = line.split(" ")
        if len(words) < 3:
            continue
        place = re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), words[1])
        if folder.is_relative_to(place) and len(place) >= len(best[0]):
            best = (place, words[2])
    return best[1]


def _beside(root: Path) -> Iterator[Finding]:
    """Packages that use GPUs too, and NVIDIA's compiler and headers of two releases."""
    found = [f"{name} {version}" for name in BESIDE if (version := installed(name))]
    on_gpus = [f"{name} {version}" for name in BESIDE_ON_GPUS if (version := installed(name))]
    if on_gpus:
        found.append(f"{', '.join(on_gpus)} (their CUDA code runs on NVIDIA GPUs only)")
    if found:
        yield Finding("beside it", "ok", ", ".join(found))
    for suffix in ("-cu12", ""):  # of CUDA 12 and of CUDA 13
        nvrtc, runtime = installed(f"nvidia-cuda-nvrtc{suffix}"), installed(f"nvidia-cuda-runtime{suffix}")
        if nvrtc and runtime and nvrtc.split(".")[:2] != runtime.split(".")[:2]:
            yield Finding(
                "packages",
                "note",
                f"nvidia-cuda-nvrtc{suffix} is {nvrtc}, nvidia-cuda-runtime{suffix} {runtime}: of two releases of CUDA",
                f"pip install 'nvidia-cuda-runtime{suffix}=={'.'.join(nvrtc.split('.')[:2])}.*'",
            )


def installed(name: str) -> str | None:
    """The version of a package, None if it is not there or does not say."""
    try:
        return importlib.metadata.version(name)
    except (importlib.metadata.PackageNotFoundError, KeyError, OSError, UnicodeError):
        return None


def _hidden(root: Path) -> Finding | None:
    """Files of the current folder that Python takes for the modules of their names."""
    names = {*sys.stdlib_module_names, "cuox", "numpy", "cuda"}
    try:
        files = [file for file in sorted(Path.cwd().iterdir()) if _is_module(file) and file.stem in names]
    except OSError:
        return None
    if not files:
        return None
    text = (
        f"programs in this folder get its {', '.join(file.name for file in files)} in place of Python's or a package's"
    )
    return Finding("modules", "warning", text, f"mv {shlex.quote(files[0].name)} {shlex.quote('my_' + files[0].name)}")


def _is_module(file: Path) -> bool:
    return (file.suffix == ".py" and file.is_file()) or (file / "__init__.py").is_file()


STEPS: dict[str, Step] = {
    "cuox": _cuox,
    "libraries": _libraries,
    "NumPy": _numpy,
    "processor": _processor,
    "LLVM": _llvm,
    "cache": _cache,
    "beside it": _beside,
    "variables": variables.examine,
    "modules": _hidden,
}
