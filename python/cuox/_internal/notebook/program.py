"""A cell with `main`: compiled as `cuox nvcc` does it, and run with its output in the cell as it comes."""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import sys
import time
import warnings
from pathlib import Path

from cuox_bind._internal import compile_library
from cuox_bind._internal.cache_folder import in_cache

from .. import become, nvcc, nvcc_paths, run_command
from ..errors import CompileError, NotFoundError
from .cell import Cell, CellError
from .options import Options
from .streams import Ended, Streams, run_streamed

HEADERS = (".h", ".hpp", ".cuh", ".inc")
# The kernel's own limit comes first, since it says where the threads are.
_AFTER_KERNEL = 5.0


def is_header(cell: Cell) -> bool:
    """Tell whether a cell is kept as a header, which is not compiled."""
    return cell.file is not None and cell.file.suffix in HEADERS


def keep(cell: Cell, name: str) -> Cell:
    """Write a cell's text into a file in the notebook's folder. Raises CellError."""
    file = cell.folder / Path(name).expanduser()
    if file.suffix not in (".cu", *HEADERS):
        raise CellError(f"%%cuda --name {name}: expected a name that ends with .cu or {', '.join(HEADERS)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(cell.text)
    except OSError as error:
        raise CellError(f"%%cuda --name {name}: {error.strerror}") from None
    return cell.kept_as(file)


def run(cell: Cell, options: Options) -> None:
    """Compile a cell and run the program. Raises CellError."""
    unfit = nvcc.read(options.compiler)
    if not unfit.links or unfit.output is not None or {"-run", "--run", "-shared", "--shared"} & set(options.compiler):
        raise CellError("%%cuda compiles and runs a program: for other uses of nvcc write a file and call `!cuox nvcc`")
    source = _source(cell)
    streams = Streams(sys.stdout, sys.stderr, {os.fspath(source): cell.name})
    program = _compile(cell, source, options, streams)
    limit = None if options.timeout is None else options.timeout + _AFTER_KERNEL
    started = time.monotonic()
    try:
        ended = run_streamed([program, *options.arguments], _environment(options), streams, limit)
    except OSError as error:
        raise CellError(f"{cell.name}: the program cannot be started: {error.strerror}") from None
    if message := _failure(ended, time.monotonic() - started, options.timeout):
        raise CellError(f"{cell.name}: {message}")


def _source(cell: Cell) -> Path:
    """The file for the compiler. Its path depends on the text alone, so that what was compiled before is found."""
    if cell.file is not None:
        return cell.file
    text = cell.text.partition("\n")[2]

    def write(folder: Path) -> Path:
        file = folder / "cell.cu"
        file.write_text(f"\n{text}")  # the empty line is the magic's
        return file

    return in_cache(("cells", hashlib.sha256(text.encode()).hexdigest()[:16]), write)


def _compile(cell: Cell, source: Path, options: Options, streams: Streams) -> str:
    words = [*nvcc_paths.folder("-I", os.fspath(cell.folder)), *options.compiler]
    if not {"-lineinfo", "--generate-line-info", "-G", "--device-debug"} & set(words):
        words.append("-lineinfo")
    if options.check or options.leak_check:
        words.append("-g")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            program = compile_library.build_program(source, words, streams.error)
    except CompileError as error:
        log = streams.renamed(str(error).partition("\n")[2] or str(error))
        if "undefined reference to `main'" in log:
            log = f"{cell.name} has no main. Kernels that Python launches: %%cuda --module NAME"
        raise CellError(log) from None
    except KeyboardInterrupt:
        raise CellError(f"{cell.name}: interrupted while it was compiled") from None
    except (NotFoundError, OSError, ValueError) as error:
        raise CellError(f"{cell.name}: {error}") from None
    for warning in caught:
        streams.error(f"{warning.message}\n")
    return program


def _environment(options: Options) -> dict[str, str]:
    # Programs that look at no codes would leave faults unsaid.
    made = {"CUOX_LOG": "1", **os.environ}
    if options.check or options.leak_check:
        parser = argparse.ArgumentParser()
        run_command.add_arguments(parser, False)
        chosen = [f"--{name}" for name, on in (("check", options.check), ("leak-check", options.leak_check)) if on]
        with become.warnings_as_lines("%%cuda"):
            made.update(run_command.environment(parser.parse_args(chosen)))
    if options.timeout is not None:
        made["CUOX_SOFT_TIMEOUT"] = f"{options.timeout:g}"
    return made


def _failure(ended: Ended, seconds: float, timeout: float | None) -> str | None:
    """What became of a program that did not end with 0."""
    if ended.interrupted:
        return f"interrupted after {seconds:.1f} s; the program has been ended"
    if ended.late:
        return f"the program took longer than --timeout {timeout:g} and {_AFTER_KERNEL:g} s more; it has been ended"
    if ended.status < 0:
        try:
            name = signal.Signals(-ended.status).name
        except ValueError:
            name = f"signal {-ended.status}"
        what = signal.strsignal(-ended.status)
        return f"the program was ended by {name}" + (f" ({what.lower()})" if what else "")
    return f"the program ended with exit status {ended.status}" if ended.status else None
