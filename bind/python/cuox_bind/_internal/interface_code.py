"""C code that belongs to a binding, of a SWIG interface file or of a header, compiled into a library."""

from __future__ import annotations

import hashlib
import os
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

from . import cuda
from .cache_folder import keep_library, kept_library
from .compilers import host_compiler, run_compiler

__all__ = ["compile_code"]


# What SWIG's wrappers have without an include.
_HEADERS = "assert ctype errno inttypes limits math stdarg stddef stdint stdio stdlib string wchar".split()
STANDARD = "".join(f"#include <{name}.h>\n" for name in _HEADERS)
STANDARD += "#define SWIGPYTHON 1\n#define SWIG_VERSION 0x040501\n#define SWIGINTERN static\n#define SWIGINTERNINLINE static inline\n"
STANDARD += "".join(f"#define {name}\n" for name in ("SWIGEXPORT", "SWIGIMPORT", "SWIGSTDCALL", "SWIGUNUSED"))
# `import _foo` gives the functions of the module `foo`, as with SWIG.
LOW_LEVEL = """
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#ifdef __cplusplus
extern "C" {
#endif
static PyObject *create(PyObject *spec, PyModuleDef *definition) {
    PyObject *cuox = PyImport_ImportModule("cuox_bind.bound");
    PyObject *made = cuox ? PyObject_CallMethod(cuox, "low_level_module", "O", spec) : NULL;
    Py_XDECREF(cuox);
    return made;
}
static PyModuleDef_Slot slots[] = {{Py_mod_create, (void *)create}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "NAME", NULL, 0, NULL, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_NAME(void) { return PyModuleDef_Init(&definition); }
#ifdef __cplusplus
}
#endif
"""
PURPOSE = "the interface file's code (%inline, %{ %}, %extend)"


def _command(language: str, purpose: str, options: list[str], made: Path, *sources: Path) -> list[str]:
    """The command that makes a shared library of source files. The purpose is for messages."""
    files = ["-shared", "-O2", *options, "-o", str(made), *map(str, sources)]
    if language == "cuda":
        nvcc = cuda.demand("_internal.nvcc", purpose)
        arguments: list[str] = nvcc.command(["-Xcompiler", "-fPIC", *files], nvcc.find_nvcc()).arguments
        return arguments
    # What the code defines is meant by it, whatever else has such a name, such as C's own library.
    return [*host_compiler(language, purpose), "-fPIC", "-w", "-Wl,-Bsymbolic", *files]


def compile_code(
    code: str,
    language: str,
    include_dirs: Iterable[str],
    defines: Iterable[str],
    target: Path | None = None,
    libraries: Iterable[str] = (),
    low_level: bool = False,
    uses_python: bool = False,
    purpose: str = PURPOSE,
) -> str:
    """Compile C code into a shared library at `target`, or in the user's cache, and return its path.

    Functions of the bound libraries stay undefined in it: they are found when it is loaded, behind those libraries, or
    in the files `libraries`, which it is linked with. With `low_level` the library is also the Python module that SWIG
    has beside its own, if Python's headers are installed. With `uses_python` the code needs these. `purpose` says in
    messages what the code is. Raises CompileError with the compiler's output, and NotFoundError if there is no
    compiler, or no header.
    """
    options: list[str] = []
    for folder in include_dirs:
        options += ["-I", os.path.abspath(folder)]
    for folder in cuda.include_dirs():
        options += ["-I" if language == "cuda" else "-idirafter", folder]
    options += [f"-D{name}" for name in defines]
    if linked := list(libraries):
        options += ["-Xlinker", "--no-as-needed", *linked]
    if language == "c++":
        code = f'extern "C" {{\n{code}\n}}\n' if "#include" not in code else code
    if uses_python:
        from . import python_code

        options += ["-I", python_code.include_folder()]
        code = python_code.HEADER + STANDARD + python_code.PRELUDE + code
    else:
        code = STANDARD + code
    name = ""
    if target is None:
        key = _command(language, purpose, options, Path(), Path())
        name = f"interface-{hashlib.sha256(repr(key).encode() + code.encode()).hexdigest()[:32]}"
        if (kept := kept_library(name)) is not None:
            return kept
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target and target.parent, prefix=".cuox-") as work:
        ending = {"c": ".c", "c++": ".cpp", "cuda": ".cu"}[language]
        sources = [Path(work, "interface" + ending)]
        sources[0].write_text(code, encoding="utf-8")
        made = Path(work, "made.so")
        python = sysconfig.get_path("include")
        if target is not None and low_level and os.path.exists(os.path.join(python, "Python.h")):
            sources.append(Path(work, "module" + ending))
            sources[1].write_text(LOW_LEVEL.replace("NAME", target.stem), encoding="utf-8")
            options += [] if uses_python else ["-I", python]
        run_compiler(_command(language, purpose, options, made, *sources), purpose)
        if target is None:
            return keep_library(name, made, f"lib{name}.so", {})
        os.replace(made, target)
    return str(target)
