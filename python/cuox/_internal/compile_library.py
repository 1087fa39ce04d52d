"""A CUDA source file with host code, compiled by nvcc into a shared library."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sysconfig
import tempfile
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


def cache_folder() -> Path:
    """Return the folder with compiled libraries: of CUOX_CACHE_DIR, or of the user's cache."""
    if named := os.environ.get("CUOX_CACHE_DIR"):
        return Path(named, "libraries")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "cuox", "libraries")


def build(source: Path) -> str:
    """Compile a source file into a library, or find the one that was made of the same text by the same compiler.

    `.cu` files go through nvcc, C and C++ through the system's compiler. Raises CompileError with the compiler's output.
    """
    text = source.read_bytes()
    if source.suffix == ".cu":
        nvcc = find_nvcc()
        root = nvcc.resolve().parent.parent
        command = [str(nvcc), "-shared", "-Xcompiler", "-fPIC", "-I", str(source.parent.resolve())]
        for library in (root / "lib", root / "lib64"):
            if library.is_dir():
                command += ["-L", str(library)]
    else:
        compiler = os.environ.get("CC" if source.suffix == ".c" else "CXX") or ("cc" if source.suffix == ".c" else "c++")
        command = [*compiler.split(), "-O2", "-shared", "-fPIC", "-I", str(source.parent.resolve())]
    # Included files may change too; they are known only when the compiler has run, so the headers beside the source count.
    beside = sorted(path for path in source.parent.glob("*.[hc]*") if path.is_file() and path.suffix in (".h", ".hpp", ".cuh", ".inl"))
    digest = hashlib.sha256(repr(command).encode() + text + b"".join(path.read_bytes() for path in beside)).hexdigest()[:32]
    folder = cache_folder()
    target = folder / f"lib{source.stem}-{digest}.so"
    if target.is_file():
        return str(target)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        made = Path(work, target.name)
        done = subprocess.run([*command, "-o", str(made), str(source.resolve())], capture_output=True, text=True, errors="replace", check=False)
        log = (done.stdout + done.stderr).strip()
        if done.returncode:
            raise CompileError(f"{source.name} was not compiled:\n{log}", done.returncode, Path(command[0]).name, log)
        os.replace(made, target)
    return str(target)
