"""What kernels link: CUDA C++ is compiled with the kernel where it can be, other code is linked to it by the driver."""

from __future__ import annotations

import contextlib
import io
import os
import re
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cuox
from cuox._internal.driver_link import DriverLink
from cuox._internal.images import code_type
from cuox._internal.kernel_errors import generated

from ._devices import checked, require_current
from ._linkable import LTOIR, Archive, Cubin, CUSource, Fatbin, LinkableCode, Object, PTXSource
from .core import config

_BY_EXTENSION: dict[str, type[LinkableCode]] = {
    ".cu": CUSource, ".ptx": PTXSource, ".cubin": Cubin, ".fatbin": Fatbin, ".a": Archive, ".lib": Archive, ".o": Object, ".obj": Object, ".ltoir": LTOIR,
}  # fmt: skip

# CUjitInputType.
_INPUT = {"cubin": 0, "ptx": 1, "fatbin": 2, "o": 3, "a": 4}
_MAX_REGISTERS = 0  # CUjit_option


class LinkerError(RuntimeError):
    """Code that cannot be linked to a kernel."""


def wanted(given: Iterable[Any], functions: Iterable[Any]) -> list[LinkableCode]:
    """What a kernel links: what its decorator names, and what the functions that it calls were declared with; each
    once.

    Raises LinkerError for files that are not there, RuntimeError for files of another kind.
    """
    found: list[LinkableCode] = []
    seen = set()
    for item in [*given, *(item for function in functions for item in getattr(function, "_link", ()))]:
        key = id(item) if isinstance(item, LinkableCode) else os.fspath(item)
        if key not in seen:
            seen.add(key)
            found.append(item if isinstance(item, LinkableCode) else _of_file(os.fspath(item)))
    return found


def _of_file(path: str) -> LinkableCode:
    extension = os.path.splitext(path)[1]
    kind = _BY_EXTENSION.get(extension)
    if kind is None:
        what = f"extension {extension}" if extension else "no extension"
        raise RuntimeError(f"Don't know how to link file with {what}: {path}")
    try:
        return kind(Path(path).read_bytes(), name=os.path.basename(path))
    except FileNotFoundError:
        raise LinkerError(f"{path} not found") from None


def texts(codes: Sequence[LinkableCode], maker: str) -> str:
    """All code as one text of CUDA C++. Raises NotImplementedError for other code."""
    for code in codes:
        if not isinstance(code, CUSource):
            raise NotImplementedError(
                f"{maker}: {_name(code)}: only CUDA C++ can be linked here; kernels of cuda.jit link other code too"
            )
    return "".join(map(_text, codes))


def _name(code: LinkableCode) -> str:
    return code.name or f"linked.{code.kind}"


def _text(code: LinkableCode) -> str:
    return f'\n#line 1 "{_name(code)}"\n{_decoded(code.data)}\n'


def _decoded(data: Any) -> str:
    return data if isinstance(data, str) else bytes(data).decode()


def compiled(
    source: str,
    file: str,
    codes: Sequence[LinkableCode],
    flags: Sequence[str],
    max_registers: int | None = None,
    target: str = "cubin",
) -> cuox.ObjectCode:
    """The code of a kernel with all that it links. target: "cubin" is what the device runs; "ptx" has the text that was
    compiled with the kernel, not what is linked.

    Raises CompileError, LinkerError, NotImplementedError for code that cannot be linked.
    """
    if not codes:
        with generated(source, file.removesuffix(".cu")):
            return cuox.Program(source, file).compile(target, options=flags)
    for code in codes:
        if isinstance(code, LTOIR):
            raise NotImplementedError(
                f"link: {_name(code)}: LTO-IR is linked by nvJitLink, which kernels do without: give CUDA C++ or PTX"
            )
    included = [
        *flags,
        *(f"-I{folder}" for folder in filter(None, str(config.CUDA_NVRTC_EXTRA_SEARCH_PATHS or "").split(os.pathsep))),
    ]
    written = [code for code in codes if isinstance(code, CUSource)]
    others = [code for code in codes if not isinstance(code, CUSource)]
    if not others:
        # In one text, functions can be inlined.
        try:
            kind = "sm" if target == "cubin" else "compute"
            whole = _program(
                source + "".join(map(_text, written)), file, written, [*included, *_architecture(kind)], target
            )
        except cuox.CompileError:
            # A declaration may not be the one that the kernel has for it, or a header disturb the kernel's own names.
            pass
        else:
            return whole
    if cuox.Device().is_soft:
        for code in others:
            if code.kind in ("a", "cubin", "o") and not _name(code).startswith("libcudadevrt"):
                raise LinkerError(
                    f"link: {_name(code)} is machine code for a GPU; the software GPU needs CUDA C++, PTX, or a fat binary with PTX"
                )
    apart = [*included, *_architecture("compute"), "--relocatable-device-code=true"]
    with generated(source, file.removesuffix(".cu")):
        kernel = cuox.Program(source, file).compile("ptx", options=apart)
    if target == "ptx":
        return kernel
    units = [("ptx", bytes(kernel), file)]
    for code in written:
        text = _program(_decoded(code.data), _name(code), [code], apart, "ptx")
        units.append(("ptx", bytes(text), _name(code)))
    units += [(code.kind, _bytes(code.data), _name(code)) for code in others]
    return _linked(units, bytes(kernel), max_registers)


def _architecture(kind: str) -> list[str]:
    """An option for code that a user has written: with the instructions that only GPUs of exactly this kind have. CUDA
    C++ Programming Guide, "Feature Set Compiler Targets".
    """
    device = cuox.Device()
    major, minor = device.compute_capability
    return [f"--gpu-architecture={kind}_{major}{minor}a"] if major >= 9 and not device.is_soft else []


def _bytes(data: Any) -> bytes:
    return data.encode() if isinstance(data, str) else bytes(data)


def _program(
    text: str, file: str, written: Sequence[LinkableCode], flags: Sequence[str], target: str
) -> cuox.ObjectCode:
    """Compile a text, and pass on the compiler's warnings about what the user has written."""
    log = io.StringIO()
    code = cuox.Program(text, file).compile(target, options=[flag for flag in flags if flag != "-w"], logs=log)
    names = {_name(one) for one in written}
    for name in names:
        messages = [part for part in re.split(r"\n(?=\S+\(\d+\): )", log.getvalue()) if part.startswith(f"{name}(")]
        if messages:
            warnings.warn(f"NVRTC log messages whilst compiling {name}:\n\n" + "\n".join(messages), stacklevel=2)
    return code


class _Link(DriverLink):
    def _call(self, function: str, *args: Any) -> Any:
        return checked(function, *args)

    @contextlib.contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Name what cannot be linked."""
        try:
            yield
        except cuox.CUDAError as error:
            text = self.errors.strip()
            raise LinkerError(f"{what} cannot be linked: {error}" + (f"\n{text}" if text else "")) from error


def _linked(units: Sequence[tuple[str, bytes, str]], ptx: bytes, max_registers: int | None) -> cuox.ObjectCode:
    """Link units by the driver."""
    from cuox.cuda.bindings import driver

    require_current()
    link = _Link([(_MAX_REGISTERS, int(max_registers))] if max_registers else [])
    try:
        for kind, image, name in units:
            with link.step(name):
                link.add(_INPUT[kind], image, name)
        with link.step("the kernel"):
            image = link.complete()
    finally:
        driver.cuLinkDestroy(link.handle)
    # The kernel's own PTX says what its parameters are.
    return cuox.ObjectCode._restore(code_type(image), image, "", {}, ptx.rstrip(b"\0").decode(), None)


# Callbacks

_lock = threading.Lock()
_set_up: list[weakref.finalize[..., Any]] = []


def set_up(codes: Sequence[LinkableCode], loaded: cuox.ObjectCode, owner: object) -> None:
    """Call the callbacks of code that has been loaded; those for its end are called when `owner` goes, if not
    before."""
    for code in codes:
        if code.setup_callback is not None:
            code.setup_callback(loaded)
    ends = [code.teardown_callback for code in codes if code.teardown_callback is not None]
    if ends:
        with _lock:
            _set_up[:] = [known for known in _set_up if known.alive]
            _set_up.append(weakref.finalize(owner, _tear_down, ends, loaded))


def _tear_down(ends: Sequence[Callable[[cuox.ObjectCode], Any]], loaded: cuox.ObjectCode) -> None:
    for end in ends:
        end(loaded)


def tear_down_all() -> None:
    """Call the callbacks for the end of all code that is loaded."""
    with _lock:
        ending = list(_set_up)
        _set_up.clear()
    for end in ending:
        end()
