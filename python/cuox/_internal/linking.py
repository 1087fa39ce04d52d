"""`cuox.cuda.core.Linker`: several pieces of compiled code become one."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cuox._native import Device, ObjectCode, Program

from . import driver_calls as driver
from .driver_link import DriverLink
from .errors import CompileError, CUDAError
from .images import code_type
from .options import ProgramOptions

if TYPE_CHECKING:
    from cuox.cuda.core.typing import CompilerBackendType, ObjectCodeFormatType

__all__ = ["Linker", "LinkerOptions"]

_Names = str | Sequence[str] | None
# `CUjitInputType` and `nvJitLinkInputType`, by the kind of code.
_DRIVER_INPUTS = {
    "ptx": "CU_JIT_INPUT_PTX",
    "cubin": "CU_JIT_INPUT_CUBIN",
    "fatbin": "CU_JIT_INPUT_FATBINARY",
    "object": "CU_JIT_INPUT_OBJECT",
    "library": "CU_JIT_INPUT_LIBRARY",
}
_NVJITLINK_INPUTS = {
    "ptx": "PTX",
    "cubin": "CUBIN",
    "fatbin": "FATBIN",
    "ltoir": "LTOIR",
    "object": "OBJECT",
    "library": "LIBRARY",
}
# In PTX: functions that are declared and those that have a body, with or without parameters and a value.
_FUNCTION = r"\.func\s+(?:\([^)]*\)\s*)?([\w$]+)"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DECLARED = re.compile(rf"\.extern\s+{_FUNCTION}")
_DEFINED = re.compile(rf"{_FUNCTION}\s*(?:\([^)]*\)\s*)?(?:\.[\w.]+[^;{{]*)?\{{")
_KEEPER = "cuox_keeps_functions"
# Options that only nvJitLink has, and those that the driver takes no notice of any more.
_NOT_OF_THE_DRIVER = ("time", "ptx", "ptxas_options", "split_compile", "split_compile_extended")
_IGNORED_BY_THE_DRIVER = {
    "ftz": "ftz option is deprecated in the driver API",
    "prec_div": "prec_div option is deprecated in the driver API",
    "prec_sqrt": "prec_sqrt option is deprecated in the driver API",
    "fma": "fma options is deprecated in the driver API",
    "kernels_used": "kernels_used is deprecated in the driver API",
    "variables_used": "variables_used is deprecated in the driver API",
    "optimize_unused_variables": "optimize_unused_variables is deprecated in the driver API",
}


def _names(value: _Names) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


@dataclass
class LinkerOptions:
    """The options of a `Linker`. None leaves it to the linker.

    name: the name of what comes out, for messages. arch: "sm_90" or "compute_90"; None is the current device's.
    max_register_count, optimization_level (0 to 3), debug, lineinfo, verbose, no_cache: as those of nvJitLink.
    link_time_optimization: inputs are LTO-IR. ptx: PTX comes out, with `link_time_optimization`.
    time, ftz, prec_div, prec_sqrt, fma, kernels_used, variables_used, optimize_unused_variables, ptxas_options,
    split_compile, split_compile_extended: of nvJitLink alone; the driver's linker refuses or ignores them.
    numba_debug: has no effect.

    nvJitLink manual, *Linking options*; driver API manual, `CUjit_option`.
    """

    name: str | None = "<default linker>"
    arch: str | None = None
    max_register_count: int | None = None
    time: bool | None = None
    verbose: bool | None = None
    link_time_optimization: bool | None = None
    ptx: bool | None = None
    optimization_level: int | None = None
    debug: bool | None = None
    lineinfo: bool | None = None
    ftz: bool | None = None
    prec_div: bool | None = None
    prec_sqrt: bool | None = None
    fma: bool | None = None
    kernels_used: _Names = None
    variables_used: _Names = None
    optimize_unused_variables: bool | None = None
    ptxas_options: _Names = None
    split_compile: int | None = None
    split_compile_extended: int | None = None
    no_cache: bool | None = None
    numba_debug: bool | None = None

    def __post_init__(self) -> None:
        if self.numba_debug is not None:
            warnings.warn(
                "LinkerOptions.numba_debug has no effect: it is an option of compilers",
                DeprecationWarning,
                stacklevel=3,
            )
        if self.arch is None:
            major, minor = Device().compute_capability
            self.arch = f"sm_{major}{minor}"

    def _prepare_nvjitlink_options(self, as_bytes: bool = False) -> list[str] | list[bytes]:
        """The options as nvJitLink takes them."""
        made = [f"-arch={self.arch}"]
        for flag, text in (
            (self.time, "-time"),
            (self.verbose, "-verbose"),
            (self.link_time_optimization, "-lto"),
            (self.ptx, "-ptx"),
            (self.debug, "-g"),
            (self.lineinfo, "-lineinfo"),
            (self.optimize_unused_variables, "-optimize-unused-variables"),
            (self.no_cache, "-no-cache"),
        ):
            if flag:
                made.append(text)
        for number, text in (
            (self.max_register_count, "-maxrregcount={}"),
            (self.optimization_level, "-O{}"),
            (self.split_compile, "-split-compile={}"),
            (self.split_compile_extended, "-split-compile-extended={}"),
        ):
            if number is not None:
                made.append(text.format(number))
        for choice, text in (
            (self.ftz, "-ftz"),
            (self.prec_div, "-prec-div"),
            (self.prec_sqrt, "-prec-sqrt"),
            (self.fma, "-fma"),
        ):
            if choice is not None:
                made.append(f"{text}={'true' if choice else 'false'}")
        made += [f"-kernels-used={name}" for name in _names(self.kernels_used)]
        made += [f"-variables-used={name}" for name in _names(self.variables_used)]
        made += [f"-Xptxas={option}" for option in _names(self.ptxas_options)]
        return [one.encode() for one in made] if as_bytes else made

    def _driver_options(self) -> list[tuple[int, int]]:
        """The options as the driver takes them."""
        for name in _NOT_OF_THE_DRIVER:
            if getattr(self, name) is not None:
                raise ValueError(f"{name} option is not supported by the driver API")
        for name, text in _IGNORED_BY_THE_DRIVER.items():
            if getattr(self, name) is not None:
                warnings.warn(text, DeprecationWarning, stacklevel=3)
        names = driver.bindings()
        keys = names.CUjit_option
        target = getattr(names.CUjit_target, f"CU_TARGET_COMPUTE_{str(self.arch).rpartition('_')[2].upper()}", None)
        if target is None:
            raise ValueError(f"LinkerOptions: arch: the driver has no {self.arch!r}: expected such as 'sm_90'")
        pairs = [(int(keys.CU_JIT_TARGET), int(target))]
        for key, value in (
            (keys.CU_JIT_MAX_REGISTERS, self.max_register_count),
            (keys.CU_JIT_LOG_VERBOSE, self.verbose),
            (keys.CU_JIT_LTO, self.link_time_optimization),
            (keys.CU_JIT_OPTIMIZATION_LEVEL, self.optimization_level),
            (keys.CU_JIT_GENERATE_DEBUG_INFO, self.debug),
            (keys.CU_JIT_GENERATE_LINE_INFO, self.lineinfo),
        ):
            if value is not None:
                pairs.append((int(key), int(value)))
        if self.no_cache:
            pairs.append((int(keys.CU_JIT_CACHE_MODE), int(names.CUjit_cacheMode.CU_JIT_CACHE_OPTION_NONE)))
        return pairs

    def as_bytes(self, backend: str = "nvjitlink") -> list[bytes]:
        """Return the options as nvJitLink takes them.

        Raises ValueError for another backend, RuntimeError where nvJitLink is not used.
        """
        if backend.lower() != "nvjitlink":
            raise ValueError(f"as_bytes() only supports 'nvjitlink' backend, got {backend!r}")
        if not _uses_nvjitlink():
            raise RuntimeError("nvJitLink backend is not available")
        return self._prepare_nvjitlink_options(as_bytes=True)  # type: ignore[return-value]


def _nvjitlink() -> Any:
    from cuox.cuda.bindings import nvjitlink

    return nvjitlink


def _has_nvjitlink() -> bool:
    try:
        return bool(_nvjitlink().version() >= (12, 3))
    except Exception:
        return False


def _uses_nvjitlink() -> bool:
    """True on a GPU, where the library is installed: what it makes is machine code."""
    return not Device().is_soft and _has_nvjitlink()


class _OfDriver(DriverLink):
    """A link by the driver."""

    def __init__(self, codes: Sequence[ObjectCode], options: LinkerOptions) -> None:
        super().__init__(options._driver_options())
        kinds = driver.bindings().CUjitInputType
        try:
            for code in codes:
                if code.code_type not in _DRIVER_INPUTS:
                    raise TypeError(
                        f"the driver's linker takes no code of the kind {code.code_type!r}; nvJitLink does: "
                        "pip install nvidia-nvjitlink"
                    )
                self.add(int(kinds[_DRIVER_INPUTS[code.code_type]]), bytes(code), code.name or "")
        except BaseException:
            self.close()
            raise

    def _call(self, function: str, *args: Any) -> Any:
        return driver.call(function, *args)

    def link(self, target: str) -> bytes:
        try:
            return self.complete()
        except CUDAError as error:
            if self.errors:
                error.args = (f"{error}\n{self.errors.rstrip()}",)
            raise

    def log(self, of_errors: bool) -> str:
        return self.errors if of_errors else self.information

    def close(self) -> None:
        self._call("cuLinkDestroy", self.handle)


class _OfNvjitlink:
    """A link by nvJitLink."""

    def __init__(self, codes: Sequence[ObjectCode], options: LinkerOptions) -> None:
        library, given = _nvjitlink(), options._prepare_nvjitlink_options()
        self.handle: Any = library.create(len(given), given)
        try:
            for code in codes:
                text = bytes(code)
                kind = library.InputType[_NVJITLINK_INPUTS[code.code_type]]
                library.add_data(self.handle, kind, text, len(text), code.name or "")
        except BaseException:
            library.destroy(self.handle)
            raise

    def link(self, target: str) -> bytes:
        library = _nvjitlink()
        library.complete(self.handle)
        made = bytearray(getattr(library, f"get_linked_{target}_size")(self.handle))
        getattr(library, f"get_linked_{target}")(self.handle, made)
        return bytes(made)

    def log(self, of_errors: bool) -> str:
        library, what = _nvjitlink(), "error" if of_errors else "info"
        made = bytearray(getattr(library, f"get_{what}_log_size")(self.handle))
        if made:
            getattr(library, f"get_{what}_log")(self.handle, made)
        return bytes(made).rstrip(b"\0").decode(errors="replace")

    def close(self) -> None:
        _nvjitlink().destroy(self.handle)


def _called_outside(codes: Sequence[ObjectCode]) -> set[str]:
    """The functions that PTX among these calls, and that none of it defines."""
    texts = [_COMMENT.sub(" ", bytes(code).decode(errors="replace")) for code in codes if code.code_type == "ptx"]
    declared = {name for text in texts for name in _DECLARED.findall(text)}
    return declared - {name for text in texts for name in _DEFINED.findall(text)}


def _keeper(names: Sequence[str], arch: str) -> ObjectCode:
    """LTO-IR of a kernel that takes the address of these functions: nvJitLink drops what no kernel uses.

    Raises CompileError for names that CUDA C++ does not have, or has itself, such as malloc.
    """
    declared = "".join(f'extern "C" __device__ void {name}();\n' for name in names)
    kept = " ".join(f"to[{i}] = (void *){name};" for i, name in enumerate(names))
    source = f'{declared}extern "C" __global__ void {_KEEPER}(void **to) {{ {kept} }}\n'
    options = ProgramOptions(arch=arch, link_time_optimization=True)
    return Program(source, "c++", options).compile("ltoir")


def _compiles(name: str, arch: str) -> bool:
    try:
        _keeper([name], arch)
    except CompileError:
        return False
    return True


class _OfBoth:
    """A link for the software GPU with LTO-IR in it: nvJitLink makes PTX of that, the driver links it to the rest."""

    def __init__(self, codes: Sequence[ObjectCode], options: LinkerOptions) -> None:
        self._others = [code for code in codes if code.code_type != "ltoir"]
        self._options = replace(options, link_time_optimization=None, ptx=None)
        self._intermediate = [code for code in codes if code.code_type == "ltoir"]
        self._intermediate_options = replace(options, link_time_optimization=True, ptx=True)
        self._first = _OfNvjitlink(self._intermediate, self._intermediate_options)
        self._logs: dict[bool, str] = {}

    @property
    def handle(self) -> Any:
        return self._first.handle

    def _with_functions(self, names: Sequence[str]) -> bytes | None:
        """The PTX of the LTO-IR with those of these functions in it that it has; None if that cannot be made."""
        kept, arch = None, str(self._options.arch)
        try:
            try:
                keeper = _keeper(names, arch)
            except CompileError:
                names = [name for name in names if _compiles(name, arch)]
                keeper = _keeper(names, arch)
            kept = _OfNvjitlink([*self._intermediate, keeper], self._intermediate_options)
            text = kept.link("ptx").decode(errors="replace")
        except (CompileError, _nvjitlink().nvJitLinkError):
            return None
        finally:
            if kept is not None:
                kept.close()
        start = text.find(f".visible .entry {_KEEPER}(")
        text = text[:start] + text[text.index("\n}", start) + 2 :]
        # They are the program's own there; the rest calls them.
        for name in names:
            text = re.sub(rf"(?m)^(?=\.func\b[^;{{]*?\b{re.escape(name)}\b)", ".visible ", text)
        return text.encode()

    def link(self, target: str) -> bytes:
        names = sorted(_called_outside(self._others))
        ptx = (names and self._with_functions(names)) or self._first.link("ptx")
        ptx = ptx.rstrip(b"\0")
        if not self._others:
            return ptx
        last = _OfDriver([*self._others, ObjectCode.from_ptx(ptx, name=self._options.name)], self._options)
        try:
            return last.link(target)
        except CUDAError as error:
            text = "what nvJitLink makes of LTO-IR has only what its own kernels and PTX beside it call"
            error.args = (f"{error}\n{text}",)
            raise
        finally:
            self._logs = {of_errors: last.log(of_errors) for of_errors in (False, True)}
            last.close()

    def log(self, of_errors: bool) -> str:
        return self._first.log(of_errors) + self._logs.get(of_errors, "")

    def close(self) -> None:
        self._first.close()


class Linker:
    """Links compiled code, such as functions in one piece that another one calls.

    object_codes: PTX, cubins, fat binaries, objects and libraries; LTO-IR with nvJitLink.
    options: LinkerOptions, or a dict with some of its fields.

    nvJitLink links where it is installed and the device is a GPU, else the driver; for the software GPU nvJitLink makes
    PTX of LTO-IR. Raises ValueError without code, TypeError for other objects, CUDAError or `nvJitLinkError`. Driver
    API manual, `cuLinkCreate`; nvJitLink manual.
    """

    __slots__ = ("__weakref__", "_link", "_logs", "_options", "_ptx", "_symbols")

    def __init__(self, *object_codes: ObjectCode, options: LinkerOptions | dict[str, Any] | None = None) -> None:
        self._link: _OfDriver | _OfNvjitlink | _OfBoth | None = None
        if not object_codes:
            raise ValueError("At least one ObjectCode object must be provided")
        for code in object_codes:
            if not isinstance(code, ObjectCode):
                raise TypeError(f"Linker: expected cuox.ObjectCode objects, got {type(code).__name__}")
        if isinstance(options, dict):
            options = LinkerOptions(**options)
        elif options is not None and not isinstance(options, LinkerOptions):
            raise TypeError(f"Linker: options: expected LinkerOptions, a dict or None, got {type(options).__name__}")
        self._options = LinkerOptions() if options is None else options
        self._logs: dict[bool, str] = {}
        self._symbols: dict[str, str] = {}
        for code in object_codes:
            self._symbols.update(code.symbol_mapping)
        # The PTX with the kernels says what their parameters are.
        with_kernels = [code for code in object_codes if code.code_type == "ptx" and code.kernel_names]
        self._ptx = bytes(with_kernels[0]).rstrip(b"\0").decode() if len(with_kernels) == 1 else None
        has_intermediate = any(code.code_type == "ltoir" for code in object_codes)
        made: type[_OfDriver | _OfNvjitlink | _OfBoth]
        if _uses_nvjitlink():
            made = _OfNvjitlink
        else:
            made = _OfBoth if has_intermediate and _has_nvjitlink() else _OfDriver
        self._link = made(object_codes, self._options)

    @classmethod
    def which_backend(cls) -> CompilerBackendType:
        """Return what links: nvJitLink on a GPU where it is installed, else the driver."""
        from cuox.cuda.core.typing import CompilerBackendType

        return CompilerBackendType.NVJITLINK if _uses_nvjitlink() else CompilerBackendType.DRIVER

    def _open(self) -> _OfDriver | _OfNvjitlink | _OfBoth:
        if self._link is None:
            raise RuntimeError("Linker: it is closed")
        return self._link

    def link(self, target_type: ObjectCodeFormatType | str) -> ObjectCode:
        """Link, and return what comes out.

        target_type: "cubin" or "ptx". The driver makes machine code for both, the software GPU's a fat binary with
        the PTX that was linked: the `code_type` of what comes out says what it is.

        Raises ValueError for others, CUDAError or `nvJitLinkError`, whose reasons `get_error_log` has.
        """
        target = str(target_type)
        if target not in ("cubin", "ptx"):
            raise ValueError(f"Unsupported target type: {target_type}: expected 'cubin' or 'ptx'")
        link = self._open()
        try:
            image = link.link(target)
        finally:
            self._logs = {of_errors: link.log(of_errors) for of_errors in (False, True)}
        return ObjectCode._restore(code_type(image), image, self._options.name or "", self._symbols, self._ptx, None)

    def _log(self, of_errors: bool) -> str:
        if of_errors not in self._logs:
            return self._open().log(of_errors)
        return self._logs[of_errors]

    def get_error_log(self) -> str:
        """Return the errors that the linker has found; also after `close` if something was linked."""
        return self._log(True)

    def get_info_log(self) -> str:
        """Return what the linker says besides; also after `close` if something was linked."""
        return self._log(False)

    @property
    def handle(self) -> Any:
        """The `CUlinkState`, or the `nvJitLinkHandle`; 0 after `close`."""
        return 0 if self._link is None else self._link.handle

    @property
    def is_closed(self) -> bool:
        """True after `close`."""
        return self._link is None

    def close(self) -> None:
        """Destroy the linker; what it made stays. Closing twice is fine."""
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def __del__(self) -> None:
        link = getattr(self, "_link", None)
        if link is not None:
            self._link = None
            try:
                link.close()
            except Exception:
                pass  # at the interpreter's end the driver frees what is left with the process

    def __repr__(self) -> str:
        return f"<Linker handle={int(self.handle):#x} backend={str(self.which_backend())!r}>"
