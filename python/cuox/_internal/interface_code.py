"""C code of a SWIG interface file, compiled into a library."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from cuox import _native

from . import nvcc
from .cache_folder import keep_library, kept_library
from .compilers import host_compiler, run_compiler
from .errors import NotFoundError

__all__ = ["compile_code"]


# What SWIG's wrappers have without an include.
STANDARD = "".join(f"#include <{name}.h>\n" for name in ("stddef", "stdint", "stdio", "stdlib", "string"))
STANDARD += "#define SWIGPYTHON 1\n#define SWIG_VERSION 0x040501\n#define SWIGINTERN static\n#define SWIGINTERNINLINE static inline\n"
STANDARD += "".join(f"#define {name}\n" for name in ("SWIGEXPORT", "SWIGIMPORT", "SWIGSTDCALL", "SWIGUNUSED"))
PURPOSE = "the interface file's code (%inline, %{ %}, %extend)"


def _command(language: str, options: list[str], source: Path, made: Path) -> list[str]:
    """The command that makes a shared library of a source file."""
    files = ["-shared", "-O2", *options, "-o", str(made), str(source)]
    if language == "cuda":
        return nvcc.command(["-Xcompiler", "-fPIC", *files], nvcc.find_nvcc()).arguments
    # What the code defines is meant by it, whatever else has such a name, such as C's own library.
    return [*host_compiler(language, PURPOSE), "-fPIC", "-w", "-Wl,-Bsymbolic", *files]


def compile_code(
    code: str,
    language: str,
    include_dirs: Iterable[str],
    defines: Iterable[str],
    target: Path | None = None,
    libraries: Iterable[str] = (),
) -> str:
    """Compile C code into a shared library at `target`, or in the user's cache, and return its path.

    Functions of the bound libraries stay undefined in it: they are found when it is loaded, behind those libraries, or
    in the files `libraries`, which it is linked with.
    Raises CompileError with the compiler's output, and NotFoundError if there is no compiler.
    """
    options: list[str] = []
    for folder in include_dirs:
        options += ["-I", os.path.abspath(folder)]
    try:
        cuda = [os.fspath(folder) for folder in _native.cuda_include_dirs()]
    except NotFoundError:
        cuda = []
    for folder in cuda:
        options += ["-I" if language == "cuda" else "-idirafter", folder]
    options += [f"-D{name}" for name in defines]
    if linked := list(libraries):
        options += ["-Xlinker", "--no-as-needed", *linked]
    if language == "c++":
        code = f'extern "C" {{\n{code}\n}}\n' if "#include" not in code else code
    code = STANDARD + code
    name = ""
    if target is None:
        key = _command(language, options, Path(), Path())
        name = f"interface-{hashlib.sha256(repr(key).encode() + code.encode()).hexdigest()[:32]}"
        if (kept := kept_library(name)) is not None:
            return kept
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target and target.parent, prefix=".cuox-") as work:
        source = Path(work, "interface" + {"c": ".c", "c++": ".cpp", "cuda": ".cu"}[language])
        source.write_text(code, encoding="utf-8")
        made = Path(work, "made.so")
        run_compiler(_command(language, options, source, made), "the interface file's code")
        if target is None:
            return keep_library(name, made, f"lib{name}.so", {})
        os.replace(made, target)
    return str(target)
