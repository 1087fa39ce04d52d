"""Source files compiled into shared libraries and programs, which are kept."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from . import cuda
from .cache_folder import file_hash, keep_library, kept_library
from .compilers import host_compiler, run_compiler


def _read_files(dependencies: Path, source: Path) -> dict[str, str | None]:
    """The files that a compiler has read, of its dependency file (make's syntax), with hashes. System headers come with
    the compiler, which is part of the key.
    """
    text = dependencies.read_text(errors="replace").partition(":")[2].replace("\\\n", " ")
    names = [name.replace("\\ ", " ") for name in re.findall(r"(?:\\ |\S)+", text)]
    own = [
        name
        for name in names
        if not name.startswith(("/usr/include/", "/usr/lib/", "/opt/")) and "/nvidia/cu13/" not in name
    ]
    return {str(Path(name).resolve()): file_hash(name) for name in own if Path(name).resolve() != source}


def _command(source: Path, options: Sequence[str], shared: bool) -> tuple[list[str], str]:
    """The compiler's command but for its output, and the compiler's version."""
    folder = str(source.parent)
    if source.suffix == ".cu":
        nvcc = cuda.demand("_internal.nvcc", source.name)
        found = nvcc.find_nvcc()
        version = nvcc.check_version(found)
        include = cuda.demand("_internal.nvcc_paths", source.name).folder("-I", folder)
        kind = ["-shared", "-Xcompiler", "-fPIC"] if shared else []
        made = nvcc.command([*kind, *include, *options, str(source), "-o", "-"], found)
        for note in made.notes:
            warnings.warn(f"{source.name}: {note}", stacklevel=5)
        at = made.arguments.index("-o")
        return made.arguments[:at] + made.arguments[at + 2 :], f"{found} {version}"
    compiler = host_compiler("c" if source.suffix == ".c" else "c++", source.name)
    return [*compiler, "-O2", "-shared", "-fPIC", "-I", folder, *options, str(source)], compiler[0]


def build(source: Path, options: Sequence[str] = ()) -> str:
    """Compile a source file into a library, or find the one that was made of the same files in the same way.

    `.cu` files go through nvcc, as `cuox nvcc` calls it, C and C++ through the system's compiler. `options` are the
    compiler's. Raises CompileError with the compiler's output, FileNotFoundError, NotFoundError if there is no
    compiler, ValueError if nvcc cannot take a path.
    """
    return _build(source, options, True, lambda text: None)


def build_program(source: Path, options: Sequence[str], say: Callable[[str], None]) -> str:
    """Compile a `.cu` file with `main` into a program, in the same way. `say` is called with what the compiler has said
    of a source that it took, its warnings. Raises what `build` raises.
    """
    return _build(source, options, False, say)


def _build(source: Path, options: Sequence[str], shared: bool, say: Callable[[str], None]) -> str:
    source = source.resolve(strict=True)
    command, version = _command(source, options, shared)
    text = source.read_bytes()
    digest = hashlib.sha256(
        repr((command, version, os.environ.get("NVCC_APPEND_FLAGS"), os.environ.get("NVCC_PREPEND_FLAGS"))).encode()
        + text
    ).hexdigest()[:32]
    name = f"{source.stem}-{digest}"
    if (kept := kept_library(name)) is not None:
        return kept
    with tempfile.TemporaryDirectory(prefix="cuox-") as work:
        is_cuda = source.suffix == ".cu"
        if is_cuda:
            nvcc = cuda.demand("_internal.nvcc", source.name)
            cuda.demand("_internal.nvcc_paths", source.name).check([work])
        made, read = Path(work, "made.so" if shared else "made"), Path(work, "read.d")
        whole = [*command, "-MD", "-MF", str(read), "-o", str(made)]
        say(run_compiler(whole, source.name, nvcc.hints) if is_cuda else run_compiler(whole, source.name))
        files = _read_files(read, source)
        # A process may have an older version loaded: each version has a name of its own.
        suffix = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:8]
        file = f"lib{name}-{suffix}.so" if shared else f"{name}-{suffix}"
        return keep_library(name, made, file, files)
