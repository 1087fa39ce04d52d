"""What nvrtc.h does not say: texts as bytes, memory that the caller gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ._arguments import converting, writable
from ._module import Later, Names
from ._outputs import Result, Room, as_bytes, bytes_of
from ._types import sizeof

if TYPE_CHECKING:
    from .nvrtc import nvrtcProgram, nvrtcResult

Function = TypeVar("Function", bound=Callable[..., Any])

def special(names: Names) -> dict[str, Any]:
    """What `cuda.bindings.nvrtc` has beside, or otherwise than, the header's plan."""
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

    @export
    def nvrtcDestroyProgram(prog: nvrtcProgram) -> tuple[nvrtcResult]:
        """Ends a program; the handle is null afterwards."""
        result: tuple[nvrtcResult] = library.nvrtcDestroyProgram(prog if prog is None else prog.getPtr())
        return result

    def written(name: str) -> Later:
        def make() -> Callable[..., Result]:
            raw = library[name]
            place = (raw.__text_signature__ or "").strip("()").split(", ")[1]
            return converting(raw, [place], lambda buffer: (writable(buffer), buffer))

        return Later(make)

    for name in ("nvrtcGetPTX", "nvrtcGetProgramLog", "nvrtcGetCUBIN", "nvrtcGetLTOIR", "nvrtcGetOptiXIR"):
        made[name] = written(name)
    made["sizeof"] = sizeof
    made["nvrtcGetLoweredName"] = Later(lambda: as_bytes(library["nvrtcGetLoweredName"]), "bytes")
    return made
