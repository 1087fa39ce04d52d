"""Source files compiled into shared libraries, which are kept."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .errors import CompileError, NotFoundError


def find_nvcc() -> Path:
    """nvcc: of CUOX_NVCC, of the pip package, of CUDA_HOME, of the path. Raises NotFoundError."""
    tried = []
    if named := os.environ.get("CUOX_NVCC"):
        if Path(named).is_file():
            return Path(named)
        tried.append(f"CUOX_NVCC={named}")
    for base in dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]):
        tried.append(str(Path(base, "nvidia", "cu13", "bin")))
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if folder := os.environ.get(variable):
            tried.append(str(Path(folder, "bin")))
    tried.append("/usr/local/cuda/bin")
    for place in tried:
        if (found := Path(place, "nvcc")).is_file():
            return found
    if on_path := shutil.which("nvcc"):
        return Path(on_path)
    raise NotFoundError(
        "no nvcc found; looked in " + ", ".join(tried) + " and PATH. It comes with: "
        "pip install nvidia-cuda-nvcc==13.0.* nvidia-nvvm==13.0.* nvidia-cuda-crt==13.0.* nvidia-cuda-runtime==13.0.* nvidia-cuda-cccl==13.0.*"
    )


def cache_root() -> Path:
    """Return the folder of what cuox keeps: of CUOX_CACHE_DIR, or in the user's cache."""
    if named := os.environ.get("CUOX_CACHE_DIR"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "cuox")


def _hash(path: str) -> str | None:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def _read_files(dependencies: Path, source: Path) -> dict[str, str | None]:
    """The files that a compiler has read, of its dependency file (make's syntax), with hashes. System headers come with the compiler, which is part of the key."""
    text = dependencies.read_text(errors="replace").partition(":")[2].replace("\\\n", " ")
    names = [name.replace("\\ ", " ") for name in re.findall(r"(?:\\ |\S)+", text)]
    own = [name for name in names if not name.startswith(("/usr/include/", "/usr/lib/", "/opt/")) and "/nvidia/cu13/" not in name]
    return {str(Path(name).resolve()): _hash(name) for name in own if Path(name).resolve() != source}


def _command(source: Path, options: Sequence[str]) -> tuple[list[str], str]:
    """The compiler's command but for its output, and the compiler's version."""
    folder = str(source.parent)
    if source.suffix == ".cu":
        from . import nvcc

        found = find_nvcc()
        version = nvcc.check_version(found)
        made = nvcc.command(["-shared", "-Xcompiler", "-fPIC", "-I", folder, *options, str(source), "-o", "-"], found)
        at = made.arguments.index("-o")
        return made.arguments[:at] + made.arguments[at + 2 :], f"{found} {version}"
    compiler = os.environ.get("CC" if source.suffix == ".c" else "CXX") or ("cc" if source.suffix == ".c" else "c++")
    return [*compiler.split(), "-O2", "-shared", "-fPIC", "-I", folder, *options, str(source)], compiler


def build(source: Path, options: Sequence[str] = ()) -> str:
    """Compile a source file into a library, or find the one that was made of the same files in the same way.

    `.cu` files go through nvcc, as `cuox nvcc` calls it, C and C++ through the system's compiler. `options` are the compiler's. Raises CompileError with the
    compiler's output, FileNotFoundError, NotFoundError if there is no nvcc.
    """
    source = source.resolve(strict=True)
    command, version = _command(source, options)
    text = source.read_bytes()
    digest = hashlib.sha256(repr((command, version, os.environ.get("NVCC_APPEND_FLAGS"), os.environ.get("NVCC_PREPEND_FLAGS"))).encode() + text).hexdigest()[:32]
    folder = cache_root() / "libraries"
    record = folder / f"{source.stem}-{digest}.json"
    try:
        kept = json.loads(record.read_text())
        library = folder / kept["library"]
        if library.is_file() and all(_hash(name) == value for name, value in kept["files"].items()):
            return str(library)
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        pass  # nothing kept, or a damaged record
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        made, read = Path(work, "made.so"), Path(work, "read.d")
        done = subprocess.run(
            [*command, "-MD", "-MF", str(read), "-o", str(made)], capture_output=True, text=True, errors="replace", check=False
        )
        log = (done.stdout + done.stderr).strip()
        if done.returncode:
            raise CompileError(f"{source.name} was not compiled:\n{log}", done.returncode, Path(command[0]).name, log)
        files = _read_files(read, source)
        # A process may have an older version loaded: each version has a name of its own.
        suffix = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:8]
        library = folder / f"lib{source.stem}-{digest}-{suffix}.so"
        os.replace(made, library)
        fresh = Path(work, "record")
        fresh.write_text(json.dumps({"library": library.name, "files": files}))
        os.replace(fresh, record)
    return str(library)
