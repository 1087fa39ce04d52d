"""The line of `%%cuda`: options of ours by their exact names, all others are nvcc's."""

from __future__ import annotations

import keyword
import shlex
from dataclasses import dataclass, field

HELP = """Compile the cell with nvcc and run the program, or make its kernels a Python object.

    %%cuda [OPTIONS] [NVCC'S OPTIONS] [-- ARGUMENTS OF THE PROGRAM]

    --check               check every access of kernels to memory, and list calls of CUDA that failed (software GPU)
    --leak-check          list memory that was not freed (software GPU)
    --timeout SECONDS     end a kernel that takes longer, and say where its threads are
    --module NAME         compile kernels without a main; NAME.kernel[grid, block](...) launches one from Python
    -n, --name FILE       keep the text as FILE (.cu, .cuh, .h): other cells can include it
    -c, --compiler-args "OPTIONS"
                          nvcc's options, where they would be taken for ours
    --help                print this

Examples: `%%cuda -O3 -lcublas -- 1000`, `%%cuda --check`, `%%cuda --module tools`.
"""

_WITH_VALUE = {
    "--timeout": "timeout", "--module": "module", "-n": "name", "--name": "name", "-c": "compiler", "--compiler-args": "compiler",
}  # fmt: skip
_FLAGS = {"--check": "check", "--leak-check": "leak_check", "--help": "help", "-h": "help"}
# Of the extension nvcc4jupyter.
_NOT_SUPPORTED = {
    **dict.fromkeys(("-p", "--profile", "--profiler", "-a", "--profiler-args"), "profilers need a GPU and NVIDIA's tools: use `!ncu` there"),
    **dict.fromkeys(("-t", "--timeit"), "measure in the program, with cudaEventElapsedTime"),
}  # fmt: skip


@dataclass
class Options:
    """What the line of a cell asks for. compiler: nvcc's options. arguments: the program's."""

    check: bool = False
    leak_check: bool = False
    help: bool = False
    timeout: float | None = None
    module: str | None = None
    name: str | None = None
    compiler: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


def read(line: str) -> Options:
    """Read the line of a cell. Raises ValueError, which names the option."""
    words = iter(shlex.split(line))
    options = Options()
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            options.arguments = list(words)
        elif reason := _NOT_SUPPORTED.get(name):
            raise ValueError(f"{name} is not supported: {reason}")
        elif field_name := _FLAGS.get(word):
            setattr(options, field_name, True)
        elif field_name := _WITH_VALUE.get(name if name.startswith("--") else word):
            if not equals and (value := next(words, "")) == "":
                raise ValueError(f"{name} lacks its value")
            _set(options, field_name, name, value)
        else:
            options.compiler.append(word)
    if options.module is not None:
        _check_module(options)
    return options


def _set(options: Options, field_name: str, name: str, value: str) -> None:
    if field_name == "compiler":
        options.compiler += shlex.split(value)
    elif field_name == "timeout":
        try:
            options.timeout = float(value)
        except ValueError:
            options.timeout = 0
        if not 0 < options.timeout < float("inf"):
            raise ValueError(f"{name}: expected a number of seconds, got {value!r}")
    else:
        setattr(options, field_name, value)


def _check_module(options: Options) -> None:
    name = options.module or ""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"--module: expected a name for a variable of Python, got {name!r}")
    if options.check or options.leak_check or options.timeout is not None:
        raise ValueError(
            "--check, --leak-check and --timeout are for programs; kernels that Python launches are checked after "
            '`cuox.Device().check = "memory"`, and CUOX_SOFT_TIMEOUT, set before cuox is used, ends those that take too long'
        )
    if options.arguments:
        raise ValueError("--module: a cell of kernels takes no arguments of a program")
