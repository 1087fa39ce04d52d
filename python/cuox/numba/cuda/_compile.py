"""Compiling without launching: `cuda.compile`, `cuda.compile_ptx`."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import cuox
from cuox._internal.kernel_environment import Environment
from cuox._internal.kernel_errors import generated
from cuox._native import _translate

from . import _signatures, _tracebacks, types
from ._dispatcher import Options


def compile(
    pyfunc: Any,
    sig: Any,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = True,
    fastmath: bool = False,
    cc: tuple[int, int] | None = None,
    opt: Any = None,
    abi: str = "c",
    abi_info: dict[str, str] | None = None,
    output: str = "ptx",
    forceinline: bool = False,
    launch_bounds: Any = None,
) -> tuple[Any, Any]:
    """Compile a Python function for a signature. Returns its PTX, and the type of its result.

    debug: checks as `cuda.jit` has, and information for debuggers: the code is not optimised. device: a device function
    with the calling convention `abi`, `"c"` or `"numba"`; else a kernel. cc: the compute capability. abi_info:
    `{"abi_name": name}`, the name in the code.

    Raises NotImplementedError for what is not supported, KernelTypeError for functions that cannot be translated.
    """
    if abi not in ("c", "numba"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels")
    if output not in ("ptx", "ltoir"):
        raise NotImplementedError(f"Unsupported output type: {output}")
    if forceinline and output != "ltoir":
        raise ValueError("Can only designate forced inlining in LTO-IR")
    options = Options(debug=debug, lineinfo=lineinfo, fastmath=fastmath, launch_bounds=launch_bounds)
    name = (abi_info or {}).get("abi_name")
    with _tracebacks.trimmed:
        return compiled(pyfunc, sig, options, device=device, cc=cc, abi=abi, name=name, output=output)


def compiled(
    pyfunc: Any,
    sig: Any,
    options: Options,
    *,
    device: bool = True,
    cc: Any = None,
    abi: str = "c",
    name: str | None = None,
    output: str = "ptx",
) -> tuple[Any, Any]:
    """The same with the options of `cuda.jit`."""
    function = getattr(pyfunc, "py_func", pyfunc)
    assert isinstance(function, FunctionType)
    codes, result = _signatures.read(sig)
    named = options.translation()
    if device:
        named["device"] = True
        named["name"] = name
        if result not in (None, "none"):
            named["result"] = result
        named["numba_abi"] = abi == "numba"
    translated = _translate(Environment(function), list(codes), **named)
    flags = options.nvrtc()
    if cc is not None:
        flags.append(f"--gpu-architecture=compute_{''.join(map(str, cc))}")
    if device:
        flags.append("--relocatable-device-code=true")
    if options.debug:
        # For debuggers: the code is not optimised.
        flags = [flag for flag in flags if flag != "-lineinfo"] + ["--device-debug"]
    program = cuox.Program(translated.source, f"{function.__name__}.cu")
    with generated(translated.source, function.__name__):
        code = bytes(program.compile(output, options=flags))
    text = code if output == "ltoir" else code.decode()
    return text, types.from_code(translated.result)


def compile_for_current_device(pyfunc: Any, sig: Any, **options: Any) -> tuple[Any, Any]:
    """The same, for the current device."""
    return compile(pyfunc, sig, cc=tuple(cuox.Device().compute_capability)[:2], **options)  # type: ignore[arg-type]


def compile_ptx(
    pyfunc: Any,
    sig: Any,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = False,
    fastmath: bool = False,
    cc: Any = None,
    opt: Any = None,
    abi: str = "numba",
    abi_info: Any = None,
    **more: Any,
) -> tuple[Any, Any]:
    """Compile a Python function for a signature: a kernel, unless `device` says otherwise. Returns its PTX, and the
    type of its result.
    """
    with _tracebacks.trimmed:
        return compile(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt, abi, abi_info, "ptx", **more)


def compile_ptx_for_current_device(pyfunc: Any, sig: Any, **options: Any) -> tuple[Any, Any]:
    """The same, for the current device."""
    return compile_ptx(pyfunc, sig, cc=tuple(cuox.Device().compute_capability)[:2], **options)


def compile_all(pyfunc: Any, sig: Any, **options: Any) -> tuple[list[Any], Any]:
    """The same, with the code in a list."""
    text, result = compile(pyfunc, sig, **options)
    return [text], result
