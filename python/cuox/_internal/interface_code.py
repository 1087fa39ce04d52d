"""C code of a SWIG interface file, compiled into a library."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from cuox import _native

from .compile_library import cache_root, find_nvcc
from .errors import CompileError, NotFoundError

__all__ = ["compile_code"]


def _compiler(language: str) -> list[str]:
    if language == "cuda":
        return [str(find_nvcc()), "-cudart", "shared", "-Xcompiler", "-fPIC"]
    variable, default = ("CC", "cc") if language == "c" else ("CXX", "c++")
    command = shlex.split(os.environ.get(variable) or default)
    if shutil.which(command[0]) is None:
        raise NotFoundError(
            f"no C compiler '{command[0]}' found for the interface file's code (%inline, %{{ %}}, %extend): install one, for example gcc, or name one by {variable}"
        )
    return [*command, "-fPIC", "-w"]


def compile_code(
    code: str, language: str, include_dirs: Iterable[str], defines: Iterable[str], target: Path | None = None
) -> str:
    """Compile C code into a shared library at `target`, or in the user's cache, and return its path.

    Functions of the bound libraries stay undefined in it: they are found when it is loaded, behind those libraries. Raises CompileError with the
    compiler's output, and NotFoundError if there is no compiler.
    """
    command = [*_compiler(language), "-shared", "-O2"]
    for folder in include_dirs:
        command += ["-I", os.path.abspath(folder)]
    try:
        cuda = [os.fspath(folder) for folder in _native.cuda_include_dirs()]
    except NotFoundError:
        cuda = []
    for folder in cuda:
        command += ["-I" if language == "cuda" else "-idirafter", folder]
    command += [f"-D{name}" for name in defines]
    if language == "c++":
        code = f'extern "C" {{\n{code}\n}}\n' if "#include" not in code else code
    if target is None:
        digest = hashlib.sha256(repr(command).encode() + code.encode()).hexdigest()[:32]
        target = cache_root() / "libraries" / f"libinterface-{digest}.so"
        if target.is_file():
            return str(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".cuox-") as work:
        source = Path(work, "interface" + {"c": ".c", "c++": ".cpp", "cuda": ".cu"}[language])
        source.write_text(code, encoding="utf-8")
        made = Path(work, "made.so")
        done = subprocess.run([*command, "-o", str(made), str(source)], capture_output=True, text=True, errors="replace", check=False)
        log = (done.stdout + done.stderr).strip()
        if done.returncode:
            raise CompileError(f"the interface file's code was not compiled:\n{log}", done.returncode, Path(command[0]).name, log)
        os.replace(made, target)
    return str(target)
