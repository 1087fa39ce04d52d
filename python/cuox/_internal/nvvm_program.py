"""Programs of NVVM IR, which libNVVM compiles. libNVVM API, *Compilation*."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import options as _options
from .errors import CUDAError
from .options import ProgramOptions

# Fields with 0 and 1 in the compiler's words.
_FLAGS = {"ftz": "-ftz", "prec_sqrt": "-prec-sqrt", "prec_div": "-prec-div", "fma": "-fma"}
# Fields that the compiler has words for, or that only choose among targets.
_KNOWN = {*_FLAGS, "debug", "device_code_optimize", "link_time_optimization"}


def words(options: ProgramOptions | None, target: str | None = None, arch: str | None = None) -> list[str]:
    """The compiler's command line. Raises CUDAError for options that it does not have.

    arch: the architecture, such as "90", if the options say none.
    """
    options = options or ProgramOptions()
    values = {name: getattr(options, name) for name in (*_options._NVRTC, "define_macro")}
    refused = [
        name for name, value in values.items() if name not in _KNOWN and value is not None and value is not False
    ]
    if refused:
        raise CUDAError(f"options that are not supported by NVVM backend: {', '.join(refused)}")
    made = []
    if (chosen := arch if options.arch is None else str(options.arch)) is not None:
        made.append(f"-arch=compute_{chosen.removeprefix('sm_').removeprefix('compute_')}")
    if options.debug:
        made.append("-g")
    if options.numba_debug:
        made.append("--numba-debug")
    if options.device_code_optimize is not None:
        made.append("-opt=3" if options.device_code_optimize else "-opt=0")
    for name, word in _FLAGS.items():
        if values[name] is not None:
            made.append(f"{word}={int(values[name])}")
    if target == "ltoir":
        made.append("-gen-lto")
    return made


def compile_ir(code: bytes, options: ProgramOptions | None, arch: str, target: str, logs: Any) -> bytes:
    """Compile a program to "ptx" or "ltoir".

    arch: the architecture, such as "90", if the options say none. logs: an object with `write`, or None.

    Raises nvvmError with the compiler's messages, NotFoundError if there is no libNVVM, CUDAError for other options.
    """
    from cuox.cuda.bindings import nvvm

    given = options or ProgramOptions()
    line = words(given, target, arch)
    program = nvvm.create_program()
    try:
        nvvm.add_module_to_program(program, code, len(code), given.name or "default_program")
        for name, source in given.extra_sources or ():
            text = source.encode() if isinstance(source, str) else bytes(source)
            nvvm.add_module_to_program(program, text, len(text), name)
        try:
            nvvm.verify_program(program, len(line), line)
            if given.use_libdevice:
                from cuox.cuda.pathfinder import find_bitcode_lib

                library = Path(find_bitcode_lib("device")).read_bytes()
                nvvm.lazy_add_module_to_program(program, library, len(library), "libdevice")
            nvvm.compile_program(program, len(line), line)
        except nvvm.nvvmError as error:
            if log := _log(program):
                error.args = (f"{error}\n{log}",)
            raise
        made = nvvm.get_compiled_result(program, nvvm.get_compiled_result_size(program))
        if logs is not None and (log := _log(program)):
            logs.write(log)
    finally:
        nvvm.destroy_program(program)
    return made.rstrip(b"\0") if target == "ptx" else made


def _log(program: int) -> str:
    from cuox.cuda.bindings import nvvm

    text = nvvm.get_program_log(program, nvvm.get_program_log_size(program))
    return text.rstrip(b"\0").decode(errors="backslashreplace")
