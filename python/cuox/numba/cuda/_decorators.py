"""`cuda.jit` and `cuda.declare_device`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from . import _tracebacks
from ._dispatcher import CUDADispatcher, DeviceFunction, ExternFunction, Options
from ._linkable import LinkableCode

_KNOWN = set(Options.NAMES) | {
    "device",
    "inline",
    "forceinline",
    "cache",
    "extensions",
    "abi",
    "abi_info",
    "lto",
    "nopython",
    "chip",
    "print",
}


def jit(func_or_sig: Any = None, **options: Any) -> Any:
    """Make a kernel of a Python function; with `device=True`, a function that kernels call.

    func_or_sig: the function; or a signature, or a list of signatures, for which it is compiled now: `void(float32[:],
    int32)`, also as text. device: the function is called by kernels. inline: `"always"`, `"never"`. debug: index
    errors, division by zero and `raise` are exceptions of the launch, which waits for the kernel. boundscheck: indices
    are checked. wraparound: negative indices count from the end, as in Python; with False only constants do. fastmath:
    fast, less exact functions of floats. lineinfo: profilers name the lines. opt: taken, without effect. max_registers:
    the most registers of a thread. launch_bounds: the most threads of a block, or (threads, blocks on a
    multiprocessor). index32: `grid`, `range` and `len` are 32 bits wide. shared_memory_carveout: percent of a
    multiprocessor's memory for shared memory, `"default"`, `"MaxL1"` or `"MaxShared"`. link: files and LinkableCode
    whose functions are declared by `declare_device`: CUDA C++, PTX, machine code, libraries. cache: taken; what was
    compiled is always kept. argtypes, restype, bind: a signature's types, as Numba took them up to 0.45.

    Raises KernelTypeError, a TypeError, for a function that cannot be a kernel, with the line.
    """
    if (argtypes := options.pop("argtypes", None)) is not None:
        from .types import void

        func_or_sig = (options.pop("restype", None) or void)(*argtypes)
    options.pop("bind", None)
    unknown = set(options) - _KNOWN
    if unknown:
        raise TypeError(f"cuda.jit() has no option {', '.join(sorted(unknown))}")
    if func_or_sig is None:
        return lambda function: jit(function, **options)
    if isinstance(func_or_sig, FunctionType):
        return _made(func_or_sig, (), options)
    if isinstance(func_or_sig, (CUDADispatcher, DeviceFunction)):
        return _made(func_or_sig.py_func, (), options)
    if (callable(func_or_sig) and not hasattr(func_or_sig, "return_type")) or isinstance(func_or_sig, (int, float)):
        raise TypeError(
            f"cuda.jit() makes a kernel of a Python function, not of {getattr(func_or_sig, '__name__', func_or_sig)!r} ({type(func_or_sig).__name__})"
        )
    signatures = func_or_sig if isinstance(func_or_sig, list) else [func_or_sig]

    def decorate(function: Any) -> Any:
        with _tracebacks.trimmed:
            return _made(getattr(function, "py_func", function), signatures, options)

    return decorate


def autojit(*args: Any, **options: Any) -> Any:
    """`jit`, under its name in old programs, whose kernels had no signatures."""
    return jit(*args, **options)


def _made(function: Any, signatures: Sequence[Any], options: dict[str, Any]) -> CUDADispatcher | DeviceFunction:
    if not isinstance(function, FunctionType):
        raise TypeError(f"cuda.jit() makes a kernel of a Python function, not of {type(function).__name__}")
    given = Options(**{name: value for name, value in options.items() if name in Options.NAMES})
    if isinstance(given.link, (str, LinkableCode, os.PathLike)):
        given.link = [given.link]
    if given.boundscheck is None:
        from .core import config

        given.boundscheck = bool(getattr(config, "BOUNDSCHECK", None))
    if options.get("device"):
        inline = {"always": True, True: True, "never": None, False: None, None: None}.get(options.get("inline"))
        if options.get("forceinline"):
            inline = True
        return DeviceFunction(function, given, signatures, inline)
    return CUDADispatcher(function, given, signatures, options.get("extensions") or ())


def declare_device(
    name: str, sig: Any, link: Any = None, use_cooperative: bool = False, abi: str = "numba"
) -> ExternFunction:
    """Declare a device function of CUDA C++, which kernels then call by the returned object.

    name: its name, with C linkage. sig: its signature. link: its code: a path of a file, LinkableCode such as
    `CUSource`, or several. use_cooperative: it waits for the whole grid: kernels that call it are launched so. abi:
    `"numba"`: it returns a status, 0, and puts its result where its first parameter points; `"c"`: it returns its
    result.
    """
    links = () if link is None else tuple(link) if isinstance(link, (list, tuple, set)) else (link,)
    return ExternFunction(name, sig, links, abi != "c", use_cooperative)


def function_of(given: Callable[..., Any]) -> FunctionType:
    """The Python function behind a kernel or a device function."""
    found = getattr(given, "py_func", given)
    assert isinstance(found, FunctionType)
    return found
