"""Additions to nvrtc.h: texts as bytes, memory whose size another function says, programs that there are, architectures
that were dropped.
"""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cuox import _native

from .arguments import sized
from .module import Later, Names
from .outputs import Result, Room, as_bytes, bytes_of
from .types import sizeof

if TYPE_CHECKING:
    from cuox_bind.bound import Address

    from ..nvrtc import nvrtcProgram, nvrtcResult

Function = TypeVar("Function", bound=Callable[..., Any])

# The functions that write into the caller's memory, and that parameter's name; `...Size` says how much.
WRITTEN = {
    "nvrtcGetPTX": "ptx",
    "nvrtcGetProgramLog": "log",
    "nvrtcGetCUBIN": "cubin",
    "nvrtcGetLTOIR": "LTOIR",
    "nvrtcGetOptiXIR": "optixir",
}
WRITTEN_STUB = """\
@overload
def {0}(prog: nvrtcProgram | int | None, {1}: int) -> tuple[nvrtcResult, bytes | None]: ...
@overload
def {0}(prog: nvrtcProgram | int | None, {1}: Any) -> tuple[nvrtcResult]:
    \"\"\"Writes it into a buffer of the size that {0}Size says. Its size, as an int, gives the bytes. Raises ValueError for a buffer or an int that is less.\"\"\"
    ...
"""
# The other functions that take a program.
OF_PROGRAMS = (
    *(f"{name}Size" for name in WRITTEN),
    "nvrtcAddNameExpression",
    "nvrtcGetPCHCreateStatus",
    "nvrtcGetPCHHeapSizeRequired",
    "nvrtcSetFlowCallback",
)


def texts_only(function: str, **lists: Any) -> None:
    """Raises TypeError for a list of anything but texts, which NVRTC would read wherever it points."""
    for name, given in lists.items():
        if isinstance(given, (str, bytes)):
            raise TypeError(f"{function}(): parameter '{name}' takes a list of texts, not one text")
        for index, one in enumerate(given if isinstance(given, (list, tuple)) else ()):
            if not isinstance(one, (str, bytes)):
                raise TypeError(
                    f"{function}(): parameter '{name}[{index}]' takes str or bytes, got {type(one).__name__}"
                )


def value_of(handle: Any) -> Any:
    """A handle's value, of whatever is a number (NumPy's, too); None of what is none."""
    try:
        return operator.index(handle)
    except TypeError:
        return None


def special(names: Names) -> dict[str, Any]:
    """Return the names of `cuda.bindings.nvrtc` that the header's plan lacks, or has otherwise."""
    library = names.library
    made: dict[str, Any] = {}

    def export(function: Function) -> Function:
        made[function.__name__] = function
        return function

    @export
    def nvrtcGetErrorString(result: nvrtcResult) -> tuple[nvrtcResult, bytes | None]:
        """A status in words."""
        return (library.nvrtcResult.NVRTC_SUCCESS, bytes_of(library.nvrtcGetErrorString(result)))

    @export
    def nvrtcGetSupportedArchs() -> tuple[nvrtcResult, list[int] | None]:
        """The architectures that programs can be compiled for."""
        status, count = library.nvrtcGetNumSupportedArchs()
        if status != 0:
            return (status, None)
        room = Room(library, "i32", count)
        (status,) = library.nvrtcGetSupportedArchs(room.address)
        return (status, room.all() if status == 0 else None)

    programs: set[int] = set()

    def known(program: Any) -> Any:
        """A program that was made here and not destroyed; null for any other, which NVRTC would follow wherever it
        points.
        """
        value = int(program) if isinstance(program, library.nvrtcProgram) else value_of(program)
        return program if value is None or value in programs else None

    def checked(raw: Callable[..., Result]) -> Callable[..., Result]:
        """A function of a program, which is its first argument."""

        @functools.wraps(raw)
        def call(*args: Any, **keywords: Any) -> Result:
            if args:
                return raw(known(args[0]), *args[1:], **keywords)
            if "prog" in keywords:
                keywords["prog"] = known(keywords["prog"])
            return raw(**keywords)

        return call

    for name in OF_PROGRAMS:
        made[name] = Later(functools.partial(lambda name: checked(library[name]), name))

    def creating() -> Callable[..., Result]:
        raw = library.nvrtcCreateProgram
        parameters = [part.strip() for part in (raw.__text_signature__ or "").strip("()").split(",")]

        @functools.wraps(raw)
        def call(*args: Any, **keywords: Any) -> Result:
            # A program to fill in stands before the others, which are all given in their places then.
            given = dict(zip(parameters, args[1:] if len(args) > len(parameters) else args)) | keywords
            texts_only(
                "nvrtcCreateProgram", **{name: given[name] for name in ("headers", "includeNames") if name in given}
            )
            result: Result = raw(*args, **keywords)
            if result[0] == 0:
                programs.add(int(result[1] if len(result) > 1 else args[0]))
            return result

        return call

    made["nvrtcCreateProgram"] = Later(creating)

    @export
    def nvrtcDestroyProgram(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult]:
        """Ends a program; the handle is null afterwards."""
        value = None if isinstance(prog, library.nvrtcProgram) else value_of(prog)
        handle: nvrtcProgram | None = known(prog if value is None else library.nvrtcProgram(value))
        if handle is not None and not isinstance(handle, library.nvrtcProgram):
            raise TypeError(
                f"nvrtcDestroyProgram(): parameter 'prog' takes an nvrtcProgram, its value as an int or None, got {type(handle).__name__}"
            )
        if handle is not None:
            programs.discard(int(handle))
        result: tuple[nvrtcResult] = library.nvrtcDestroyProgram(handle and handle.getPtr())
        return result

    @export
    def nvrtcCompileProgram(
        prog: nvrtcProgram | int | None, numOptions: int, options: Sequence[str | bytes] | Address | None
    ) -> tuple[nvrtcResult]:
        """Compiles a program. An architecture that this NVRTC does not support is brought to the nearest one that it
        does, with a warning.
        """
        texts_only("nvrtcCompileProgram", options=options)
        if isinstance(options, (list, tuple)):
            texts = [
                option if isinstance(option, str) else option.decode("utf-8", "surrogateescape")
                for option in options[:numOptions]
            ]
            supported, changed = _native._nvrtc_supported(texts)
            for text in changed:
                warnings.warn(text, stacklevel=2)
            if changed:
                options = [*supported, *options[numOptions:]]
        compilation = _native._Compilation()
        try:
            result: tuple[nvrtcResult] = library.nvrtcCompileProgram(known(prog), numOptions, options)
        finally:
            compilation.end()
        return result

    def written(name: str, place: str) -> Callable[..., Result]:
        raw, size_of = library[name], library[f"{name}Size"]

        @functools.wraps(raw)
        def call(prog: Any, *args: Any, **keywords: Any) -> Result:
            if not args and place in keywords:
                args = (keywords.pop(place),)
            prog = known(prog)
            if len(args) != 1 or keywords:
                result: Result = raw(prog, *args, **keywords)
                return result
            status, needed = size_of(prog)
            if status != 0:
                return (status, None) if isinstance(args[0], int) else (status,)
            buffer, memory = sized(name, f"{name}Size", needed, args[0])
            result = raw(prog, buffer)
            return result if memory is None else (*result, bytes(memory[:needed]) if result[0] == 0 else None)

        return call

    for name, place in WRITTEN.items():
        made[name] = Later(functools.partial(written, name, place), WRITTEN_STUB.format(name, place))
    made["sizeof"] = sizeof
    made["nvrtcGetLoweredName"] = Later(lambda: as_bytes(checked(library["nvrtcGetLoweredName"])), "bytes")
    return made
