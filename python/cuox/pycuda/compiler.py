"""CUDA C++ to modules: `SourceModule` and its relatives. NVRTC compiles, and what it makes is kept on disk."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import cuox
from cuox import _native
from cuox._internal.errors import CompileError as _CuoxCompileError

from .._internal.nvcc_options import Translation, translate
from ._compiler import nvcc as _nvcc
from ._compiler.linkage import SOURCE_NAME, wrap

if TYPE_CHECKING:
    from ._compiler.dynamic import DynamicModule, DynamicSourceModule

__all__ = [
    "DEFAULT_NVCC_FLAGS",
    "CudaModule",
    "DynamicModule",
    "DynamicSourceModule",
    "SourceModule",
    "compile",
    "compile_plain",
    "get_nvcc_version",
    "preprocess_source",
]

# PyCUDA's variable for the folder of compiled code. cuox reads its own when the first program is compiled.
if "PYCUDA_CACHE_DIR" in os.environ:
    os.environ.setdefault("CUOX_CACHE_DIR", os.environ["PYCUDA_CACHE_DIR"])

DEFAULT_NVCC_FLAGS: list[str] = os.environ.get("PYCUDA_DEFAULT_NVCC_FLAGS", "").split()

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_INCLUDE_DIR = os.path.join(_PACKAGE, "cuda")
_TARGETS = ("cubin", "ptx", "fatbin")


def _find_pycuda_include_path() -> str:
    return _INCLUDE_DIR


def get_nvcc_version(nvcc: str | None = None) -> str:
    """Return the version text of a compiler: of `nvcc` if it names one, else of NVRTC, which compiles then."""
    if nvcc is None or nvcc == "nvcc":
        (major, minor), path, _ = _native.nvrtc_info()
        return f"NVRTC {major}.{minor} ({os.fspath(path)})"
    return _nvcc.nvcc_version(_nvcc.find(nvcc))


def preprocess_source(source: str, options: Sequence[str], nvcc: str | None = None) -> str:
    """Return a source as the preprocessor leaves it.

    NVRTC has no preprocessor of its own, so this needs nvcc. Raises CompileError, NotFoundError if there is no nvcc.
    """
    try:
        return _nvcc.preprocess(source, options, _nvcc.find(nvcc))
    except _nvcc.NvccError as error:
        _raise_compile_error(f"nvcc could not preprocess {SOURCE_NAME}", error.command, error.stdout, error.stderr)


def compile_plain(
    source: str,
    options: Sequence[str],
    keep: bool = False,
    nvcc: str | None = None,
    cache_dir: str | bool | None = None,
    target: str = "cubin",
) -> bytes:
    """Compile a source as it is, with nvcc's options as they are. Returns the code; raises CompileError."""
    return bytes(_compile([source], _read(options), options, keep=keep, nvcc=nvcc, cache_dir=cache_dir, target=target))


def compile(
    source: str,
    nvcc: str | None = None,
    options: Sequence[str] | None = None,
    keep: bool = False,
    no_extern_c: bool = False,
    arch: str | None = None,
    code: str | None = None,
    cache_dir: str | bool | None = None,
    include_dirs: Sequence[str] | None = None,
    target: str = "cubin",
) -> bytes:
    """Compile CUDA C++ and return the code: "cubin", "ptx", or "fatbin" (which only nvcc makes).

    The arguments are those of `SourceModule`. The software GPU runs PTX: for it "cubin" gives PTX too. Raises
    CompileError.
    """
    return bytes(_compile_for(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs, target))


def _compile_for(
    source: str,
    nvcc: str | None,
    options: Sequence[str] | None,
    keep: bool,
    no_extern_c: bool,
    arch: str | None,
    code: str | None,
    cache_dir: str | bool | None,
    include_dirs: Sequence[str] | None,
    target: str,
) -> cuox.ObjectCode:
    if not isinstance(source, str):
        # Generators of code give objects whose text is the code.
        source = source.decode() if isinstance(source, bytes) else str(source)
    words = list(DEFAULT_NVCC_FLAGS if options is None else _checked(options, "options"))
    folders = [os.fspath(folder) for folder in _checked(include_dirs or (), "include_dirs")]
    if _is_debugging():
        words += ["-g", "-G"]
        keep, cache_dir = True, False
    if arch is not None:
        words += ["-arch", arch]
    if code is not None:
        words += ["-code", code]
    read = _read(words)
    for folder in (*folders, _INCLUDE_DIR):
        words.append(f"-I{folder}")
        read.options.append(f"--include-path={folder}")
    if no_extern_c:
        texts = [source]
    else:
        own = [option.partition("=")[2] for option in read.options if option.startswith("--include-path=")]
        texts = [wrap(source, own)]
        # A template in a header of the user's own may not be inside of extern "C".
        if "include" in source and (other := wrap(source, own, every_header=True)) != texts[0]:
            texts.append(other)
    return _compile(texts, read, words, keep=keep, nvcc=nvcc, cache_dir=cache_dir, target=target)


def _read(words: Sequence[str]) -> Translation:
    try:
        return translate(words)
    except ValueError as error:
        _raise_compile_error(str(error), ["nvrtc", *words, SOURCE_NAME], "", "")


def _checked(value: Sequence[str], name: str) -> Sequence[str]:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: expected a list of texts, got {value!r}; write [{value!r}]")
    return value


def _is_debugging() -> bool:
    driver = sys.modules.get(f"{__package__}.driver")
    return bool(getattr(driver, "CUDA_DEBUGGING", False))


class _Log:
    """The compiler's output."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text


def _compile(
    texts: Sequence[str],
    read: Translation,
    words: Sequence[str],
    *,
    keep: bool,
    nvcc: str | None,
    cache_dir: str | bool | None,
    target: str,
) -> cuox.ObjectCode:
    """Compile the first of `texts` that the compiler takes; they are versions of one source."""
    if target not in _TARGETS:
        raise ValueError(f'target must be "cubin", "ptx" or "fatbin", got {target!r}')
    use_cache = _may_keep(cache_dir)
    compiler = _needed_nvcc(nvcc, read, target)
    folder = tempfile.mkdtemp(prefix="cuox-pycuda-") if keep else None
    if folder is not None:
        Path(folder, SOURCE_NAME).write_text(texts[0], encoding="utf-8")
        print(f"*** compiler output in {folder}")
    if compiler is None:
        made, log = _compile_with_nvrtc(texts, read, target, use_cache)
    else:
        made, log = _compile_with_nvcc(texts, words, read, compiler, target, folder, use_cache)
    if folder is not None:
        Path(folder, SOURCE_NAME).with_suffix(f".{made.code_type}").write_bytes(bytes(made))
    for option in read.ignored:
        if compiler is None:
            _warn(
                f"the option {option} is for the host compiler or the linker, and was ignored: NVRTC compiles device code only"
            )
    if log.strip():
        _warn(f"The CUDA compiler succeeded, but said the following:\n{log}")
    return made


def _may_keep(cache_dir: str | bool | None) -> bool:
    """Return whether compiled code may be kept on disk and found there."""
    if "PYCUDA_DISABLE_CACHE" in os.environ:
        return False
    return cache_dir is not False


def _needed_nvcc(nvcc: str | None, read: Translation, target: str) -> str | None:
    """Return the nvcc that has to compile; None if NVRTC can."""
    if nvcc is not None and nvcc != "nvcc":
        return _nvcc.find(nvcc)
    reason = f"the option {read.unknown[0]}" if read.unknown else 'target="fatbin"' if target == "fatbin" else None
    if reason is None:
        return None
    try:
        return _nvcc.find(None)
    except cuox.NotFoundError as error:
        _raise_compile_error(
            f"{reason} is not known to NVRTC, and nvcc, which may know it, is not installed", [], "", str(error)
        )


def _architecture(read: Translation) -> str | None:
    """Return the architecture that the options name, as `sm_90` or `compute_90`; None is the device's."""
    named = read.arch or (read.code or "").split(",")[0].strip("[]") or None
    return None if named in ("native", "all", "all-major") else named


def _for_device(arch: str | None, target: str) -> str:
    """Return what NVRTC is to make. Machine code runs on its own architecture only, so code for another one is PTX,
    which any newer device runs.
    """
    if arch is None or target != "cubin":
        return target
    try:
        own = cuox.Device().arch
    except (RuntimeError, OSError):
        return target
    return target if arch.removeprefix("sm_").removeprefix("compute_").rstrip("af") == own.rstrip("af") else "ptx"


def _compile_with_nvrtc(
    texts: Sequence[str], read: Translation, target: str, use_cache: bool
) -> tuple[cuox.ObjectCode, str]:
    arch = _architecture(read)
    words = [f"--gpu-architecture={arch}"] if arch is not None else []
    words += read.options
    if not use_cache:
        words.append("--no-cache")
    first_error: _CuoxCompileError | None = None
    for text in texts:
        log = _Log()
        try:
            return cuox.Program(text, SOURCE_NAME).compile(_for_device(arch, target), logs=log, options=words), log.text
        except _CuoxCompileError as error:
            first_error = first_error or error
            if "linkage" not in error.log:
                break
        except (TypeError, ValueError) as error:
            _raise_compile_error(str(error), ["nvrtc", *words, SOURCE_NAME], "", "")
    assert first_error is not None
    message = f"compilation of {SOURCE_NAME} failed"
    if 'extern "C" {' in texts[0] and "linkage" in first_error.log:
        message += '; SourceModule puts the source into extern "C", where templates and overloads cannot be: pass no_extern_c=True'
    elif "texture is not a template" in first_error.log or "surface is not a template" in first_error.log:
        message += "; CUDA 12 has no texture<> and surface<> references: take a cudaTextureObject_t or cudaSurfaceObject_t as an argument"
    # cuox's additions to the compiler's text, such as the package of a header that is missing, stand behind it.
    hint = (
        str(first_error).partition(first_error.log.strip())[2].strip() if first_error.log.strip() else str(first_error)
    )
    # The options that programs of PyCUDA have.
    hint = hint.replace("ProgramOptions(include_path=[...]), or hand it over with the source", "include_dirs=[...]")
    _raise_compile_error(
        message, ["nvrtc", *words, SOURCE_NAME], "", "\n".join(part for part in (first_error.log, hint) if part)
    )


def _compile_with_nvcc(
    texts: Sequence[str],
    words: Sequence[str],
    read: Translation,
    compiler: str,
    target: str,
    folder: str | None,
    use_cache: bool,
) -> tuple[cuox.ObjectCode, str]:
    device = _device_or_none()
    if target == "cubin" and device is not None and device.is_soft:
        target = "ptx"
    options = list(words)
    if read.arch is None and device is not None:
        options += ["-arch", f"sm_{device.arch}"]
    for text in texts:
        try:
            code, log = _nvcc.compile_with_nvcc(text, options, compiler, target, keep_in=folder, use_cache=use_cache)
        except _nvcc.NvccError as error:
            if "linkage" in error.stderr and text is not texts[-1]:
                continue
            _raise_compile_error(f"nvcc compilation of {SOURCE_NAME} failed", error.command, error.stdout, error.stderr)
        # The source tells what the kernels' parameters are, which machine code does not.
        return cuox.ObjectCode._restore(target, code, SOURCE_NAME, {}, None, text), log
    raise AssertionError("a compilation either succeeds or raises")


def _device_or_none() -> cuox.Device | None:
    try:
        return cuox.Device()
    except (RuntimeError, OSError):
        return None


def _raise_compile_error(message: str, command: Sequence[str], stdout: str, stderr: str) -> NoReturn:
    from .driver import CompileError

    raise CompileError(message, list(command), stdout=stdout, stderr=stderr) from None


def _warn(message: str) -> None:
    """Warn, naming the line of the program that called into this package."""
    level = 1
    frame = sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, stacklevel=level)


class CudaModule:
    """A loaded module: what `SourceModule` and `DynamicModule` have in common. `module` is the driver's Module."""

    module: Any

    def _check_arch(self, arch: str | None) -> None:
        """Warn if code for `arch` may not run on the current device, since it is newer."""
        device = _device_or_none()
        number = "".join(filter(str.isdigit, arch or ""))
        if number and device is not None and int(number) > int(device.arch.rstrip("af")):
            _warn(
                f"compiling for {arch}, which is newer than the current device (sm_{device.arch}): the code may not run on it"
            )

    def _bind_module(self) -> None:
        self.get_global = self.module.get_global
        self.get_texref = self.module.get_texref
        self.get_surfref = self.module.get_surfref

    def get_function(self, name: str) -> Any:
        """Return a kernel by its name. Raises LogicError if there is none."""
        return self.module.get_function(name)


class SourceModule(CudaModule):
    """A module compiled of CUDA C++ and loaded into the current context.

    source: CUDA C++ text. Its kernels keep their plain names: it is put into `extern "C"`, but for the headers that it
    includes. nvcc: the file of an nvcc that is to compile; with None and with "nvcc", which is PyCUDA's default, NVRTC
    does. options: the compiler's options as nvcc spells them; None is DEFAULT_NVCC_FLAGS, from the environment's
    PYCUDA_DEFAULT_NVCC_FLAGS. keep: keep the source and the code in a folder, whose name is printed. no_extern_c: leave
    the source as it is, for templates and overloads. arch, code: an architecture such as "sm_90"; None is the current
    device's. Code for an older one is PTX, which the driver compiles. cache_dir: False does not look for code on disk,
    and keeps none; so does PYCUDA_DISABLE_CACHE in the environment. A folder that is named here
        is not used: PYCUDA_CACHE_DIR or CUOX_CACHE_DIR in the environment say where compiled code is kept.
    include_dirs: folders for `#include`, before those of CUDA.

    Raises CompileError with the compiler's messages.
    """

    def __init__(
        self,
        source: str,
        nvcc: str | None = None,
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: str | bool | None = None,
        include_dirs: Sequence[str] | None = None,
    ) -> None:
        from .driver import module_from_code

        if source is None:
            raise TypeError("SourceModule: source must be text in CUDA C++, got None")
        if arch is not None:
            self._check_arch(arch)
        compiled = _compile_for(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs, "cubin")
        self.module = module_from_code(compiled)
        self._bind_module()


def __getattr__(name: str) -> Any:
    # These two need the driver module, which imports this one.
    if name in ("DynamicModule", "DynamicSourceModule"):
        from ._compiler import dynamic

        value = globals()[name] = getattr(dynamic, name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
