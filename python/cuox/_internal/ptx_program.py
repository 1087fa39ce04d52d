"""Programs of PTX: the driver compiles them as they are loaded; for a GPU the linker makes machine code of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuox._native import Device, ObjectCode

from .linking import Linker, LinkerOptions

if TYPE_CHECKING:
    from .options import ProgramOptions

# Fields that linkers know, too.
_SHARED = (
    "arch",
    "max_register_count",
    "time",
    "link_time_optimization",
    "debug",
    "lineinfo",
    "ftz",
    "prec_div",
    "prec_sqrt",
    "fma",
    "split_compile",
    "ptxas_options",
    "no_cache",
)


def backend() -> str:
    """Return what compiles PTX: "nvJitLink" on a GPU where it is installed, else "driver"."""
    return str(Linker.which_backend())


def compile_to_cubin(code: bytes, name: str, options: ProgramOptions | None, logs: Any) -> ObjectCode:
    """Return machine code for a GPU; the PTX as it is for the software GPU, which has no other.

    name: the name in messages. options: None leaves all to the linker. logs: an object with `write`, or None.

    Raises CUDAError or `nvJitLinkError` with the linker's messages.
    """
    ptx = ObjectCode.from_ptx(code, name=name)
    if Device().is_soft:
        return ptx
    chosen = {field: getattr(options, field) for field in _SHARED} if options is not None else {}
    if (arch := str(chosen.get("arch") or ""))[:1].isdigit():
        chosen["arch"] = f"sm_{arch}"
    linker = Linker(ptx, options=LinkerOptions(name=name, **chosen))
    try:
        made = linker.link("cubin")
        if logs is not None and (log := linker.get_info_log()):
            logs.write(log)
    except Exception as error:
        if (log := linker.get_error_log().rstrip()) and log not in str(error):
            error.args = (f"{error}\n{log}", *error.args[1:])
        raise
    finally:
        linker.close()
    return made
