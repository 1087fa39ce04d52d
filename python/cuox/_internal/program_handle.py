"""What `Program.handle` gives: the compiler's own object for a program, for functions of its C API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuox._native import ObjectCode

__all__ = ["ProgramHandle"]


class ProgramHandle:
    """A `nvrtcProgram`, `nvvmProgram` or linker of the source of a program.

    code_type: "c++", "ptx" or "nvvm". code: the source. name: the name in messages.

    Raises CUDAError, `nvrtcError` and its like, NotFoundError if there is no such compiler. NVRTC manual,
    `nvrtcCreateProgram`; libNVVM API, `nvvmCreateProgram`; driver API manual, `cuLinkCreate`.
    """

    __slots__ = ("_kind", "_linker", "value")

    def __init__(self, code_type: str, code: bytes, name: str) -> None:
        self._kind = ""
        match code_type:
            case "ptx":
                from .linking import Linker

                self._linker = Linker(ObjectCode.from_ptx(code, name=name))
                self.value: Any = self._linker.handle
            case "nvvm":
                from cuox.cuda.bindings import nvvm

                self.value = nvvm.create_program()
                self._kind = code_type
                nvvm.add_module_to_program(self.value, code, len(code), name)
            case _:
                from cuox.cuda.bindings import nvrtc

                error, self.value = nvrtc.nvrtcCreateProgram(code, name.encode(), 0, None, None)
                _checked(error, "nvrtcCreateProgram")
        self._kind = code_type

    def compile(self, words: Sequence[str]) -> None:
        """Compile the program of NVRTC or libNVVM, so that its log and output can be asked for.

        words: the compiler's command line. What goes wrong is in the log.
        """
        if self._kind == "nvvm":
            from cuox.cuda.bindings import nvvm

            try:
                nvvm.compile_program(self.value, len(words), list(words))
            except nvvm.nvvmError:
                pass
        elif self._kind == "c++":
            from cuox.cuda.bindings import nvrtc

            nvrtc.nvrtcCompileProgram(self.value, len(words), [word.encode() for word in words])

    def close(self) -> None:
        """Destroy it. Closing twice is fine."""
        kind, self._kind = self._kind, ""
        if kind == "ptx":
            self._linker.close()
        elif kind == "nvvm":
            from cuox.cuda.bindings import nvvm

            nvvm.destroy_program(self.value)
        elif kind:
            from cuox.cuda.bindings import nvrtc

            nvrtc.nvrtcDestroyProgram(self.value)

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:
            pass  # at the interpreter's end the compiler's memory goes with the process


def _checked(error: Any, function: str) -> None:
    if int(error):
        from .errors import CUDAError

        raise CUDAError(f"{function} failed: {error.name}", int(error), error.name)
