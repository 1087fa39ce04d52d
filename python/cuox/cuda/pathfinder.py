"""Finds CUDA's libraries, headers, programs and code for linkers, with the names of NVIDIA's `cuda.pathfinder`.

The order: an explicit setting (`set_path`, `CUOX_<NAME>_PATH`), pip's wheels, conda (`CONDA_PREFIX`), what is loaded
already and what the system's loader finds (libraries), the variables of a product (`CUDNN_PATH`, `NCCL_HOME`),
`CUDA_PATH` or `CUDA_HOME`, the toolkit of the runtime that the system's loader finds, the system's folders. What is not
found is a `cuox.NotFoundError` that lists where it looked and says what to install.
"""

from __future__ import annotations

import ctypes
import functools
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from cuox_bind._internal.packages import site_packages

from cuox import _native
from cuox._internal.errors import NotFoundError

__all__ = [
    "SUPPORTED_BINARY_UTILITIES",
    "SUPPORTED_BITCODE_LIBS",
    "SUPPORTED_HEADERS_CTK",
    "SUPPORTED_NVIDIA_LIBNAMES",
    "SUPPORTED_STATIC_LIBS",
    "BitcodeLibNotFoundError",
    "DynamicLibNotAvailableError",
    "DynamicLibNotFoundError",
    "DynamicLibUnknownError",
    "LoadedDL",
    "LocatedBitcodeLib",
    "LocatedHeaderDir",
    "LocatedStaticLib",
    "StaticLibNotFoundError",
    "UnsupportedArchError",
    "find_bitcode_lib",
    "find_cuda_include_dirs",
    "find_cuda_library",
    "find_nvidia_binary_utility",
    "find_nvidia_header_directory",
    "find_static_lib",
    "get_cuda_path_or_home",
    "load_nvidia_dynamic_lib",
    "locate_bitcode_lib",
    "locate_nvidia_header_directory",
    "locate_static_lib",
    "set_path",
]


class DynamicLibNotFoundError(NotFoundError, RuntimeError):
    """A library is not found, or cannot be loaded."""


class DynamicLibNotAvailableError(DynamicLibNotFoundError):
    """A library that is known is not made for this system. Never raised on Linux, for which all are."""


class DynamicLibUnknownError(DynamicLibNotFoundError):
    """A name is not one of a library that the catalogue lists."""


class StaticLibNotFoundError(NotFoundError, RuntimeError):
    """A static library is not found."""


class BitcodeLibNotFoundError(NotFoundError, RuntimeError):
    """A library of bitcode is not found."""


class UnsupportedArchError(RuntimeError):
    """Python is one of Windows for another kind of machine. Never raised on Linux.

    platform_tag: the platform, as `sysconfig.get_platform()` names it.
    """

    def __init__(self, platform_tag: str) -> None:
        super().__init__(f"unsupported platform {platform_tag!r}: expected 'win-amd64' or 'win-arm64'")
        self.platform_tag = platform_tag


@dataclass
class LoadedDL:
    """A library that is loaded, and how it was found."""

    abs_path: str
    was_already_loaded_from_elsewhere: bool
    _handle_uint: int
    found_via: str


@dataclass
class LocatedHeaderDir:
    """A folder of headers, and how it was found."""

    abs_path: str | None
    found_via: str

    def __post_init__(self) -> None:
        if self.abs_path:
            self.abs_path = os.path.realpath(self.abs_path)


@dataclass(frozen=True)
class LocatedStaticLib:
    """A static library, and how it was found."""

    name: str
    abs_path: str
    filename: str
    found_via: str


@dataclass(frozen=True)
class LocatedBitcodeLib:
    """A library of bitcode, and how it was found."""

    name: str
    abs_path: str
    filename: str
    found_via: str


@dataclass(frozen=True)
class _Library:
    """A library of the catalogue."""

    files: list[str]
    needs: list[str]
    may_need: list[str]
    binds_deep: bool
    package: str


_LIBRARIES = {found[0]: _Library(*found[1:]) for found in _native.catalogue("library")}
_HEADERS = {name: files[0] for name, files, *_ in _native.catalogue("headers")}

SUPPORTED_NVIDIA_LIBNAMES: tuple[str, ...] = tuple(
    name for name, library in _LIBRARIES.items() if library.package == "toolkit"
)
"""The toolkit's libraries; `load_nvidia_dynamic_lib` knows more."""
SUPPORTED_HEADERS_CTK: dict[str, str] = {
    name: files[0] for name, files, *_, package in _native.catalogue("headers") if package == "toolkit"
}
"""The toolkit's headers by name, each with a file that shows that a folder is the right one."""
SUPPORTED_BINARY_UTILITIES: tuple[str, ...] = tuple(name for name, *_ in _native.catalogue("binary"))
"""The programs that `find_nvidia_binary_utility` knows."""
SUPPORTED_STATIC_LIBS: tuple[str, ...] = tuple(sorted(name for name, *_ in _native.catalogue("static")))
"""The libraries that `locate_static_lib` knows."""
SUPPORTED_BITCODE_LIBS: tuple[str, ...] = tuple(sorted(name for name, *_ in _native.catalogue("bitcode")))
"""The libraries that `locate_bitcode_lib` knows."""

_RTLD_DI_LINKMAP = 2


def _locate(kind: str, name: str, parts: tuple[bool, ...]) -> tuple[tuple[str, str] | None, list[str]]:
    """The path of a thing of the catalogue and the way it was found, and the places that were empty."""
    searched: list[str] = []
    for before_loader in parts:
        found, places = _native.locate(kind, name, before_loader, site_packages())
        searched += places
        if found is not None:
            return (os.fspath(found[0]), found[1]), searched
    return None, searched


def _raise(kind: str, name: str, searched: list[str], error: type[NotFoundError]) -> NoReturn:
    """Raise the error for what is in none of these places."""
    try:
        _native.raise_not_found(kind, name, searched)
    except NotFoundError as plain:
        raise error(str(plain), plain.searched, plain.fix) from None
    raise AssertionError("unreachable")


@functools.cache
def load_nvidia_dynamic_lib(libname: str) -> LoadedDL:
    """Load a library such as "nvrtc" or "cudart" into the process, once, with those that it needs.

    The handle must not be closed. "cuda" is the driver that cuox has chosen, the software GPU's where that is the
    device.

    Raises DynamicLibUnknownError for a name that is not in the catalogue, DynamicLibNotFoundError if the library is
    not found, RuntimeError if it cannot be loaded.
    """
    library = _LIBRARIES.get(libname)
    if library is None:
        raise DynamicLibUnknownError(
            f"expected the name of one of CUDA's libraries, got {libname!r}; known names: {', '.join(sorted(_LIBRARIES))}"
        )
    if libname == "cuda":
        return _opened(library, os.fspath(_native.driver_path()), "system-search")
    if libname in _native.known_names() and (setting := _setting(libname)):
        return _opened(library, setting, "setting")
    found, searched = _locate("library", libname, (True,))
    loaded = _loaded_before(library)
    for needed in library.needs:
        load_nvidia_dynamic_lib(needed)
    for needed in library.may_need:
        try:
            load_nvidia_dynamic_lib(needed)
        except DynamicLibNotFoundError as error:
            if type(error) is not DynamicLibNotFoundError:
                raise
    if loaded is not None:
        return loaded
    if found is not None:
        return _opened(library, *found)
    for file in library.files:
        try:
            handle = ctypes.CDLL(file, mode=_mode(library))
        except OSError:
            continue
        return LoadedDL(_path_of(handle), False, handle._handle, "system-search")
    found, places = _locate("library", libname, (False,))
    if found is not None:
        return _opened(library, *found)
    places = [*searched, f"the system's loader: no {' or '.join(library.files)}", *places]
    _raise("library", libname, places, DynamicLibNotFoundError)


def _setting(libname: str) -> str | None:
    """The file that `set_path` or a variable has set."""
    try:
        path, found_via = _native.find_library(libname)
    except (NotFoundError, ValueError):
        # A setting that is wrong is told where the library is found nowhere else.
        return None
    return os.fspath(path) if found_via == "setting" else None


def _mode(library: _Library) -> int:
    return os.RTLD_NOW | os.RTLD_GLOBAL | (os.RTLD_DEEPBIND if library.binds_deep else 0)


def _opened(library: _Library, path: str, found_via: str) -> LoadedDL:
    """Load a file."""
    try:
        handle = ctypes.CDLL(path, mode=_mode(library))
    except OSError as error:
        raise RuntimeError(f"Failed to dlopen {path}: {error}") from error
    if os.path.basename(path).startswith("libnvrtc.so") and found_via != "conda":
        # NVRTC looks for these by name when it compiles.
        for builtins in sorted(Path(os.path.realpath(path)).parent.glob("libnvrtc-builtins.so.*.*")):
            try:
                ctypes.CDLL(os.fspath(builtins), mode=os.RTLD_NOW | os.RTLD_GLOBAL)
            except OSError:
                continue
    return LoadedDL(path, False, handle._handle, found_via)


def _loaded_before(library: _Library) -> LoadedDL | None:
    """A library that something else in the process has loaded."""
    for file in library.files:
        try:
            handle = ctypes.CDLL(file, mode=os.RTLD_NOLOAD)
        except OSError:
            continue
        return LoadedDL(_path_of(handle), True, handle._handle, "was-already-loaded-from-elsewhere")
    return None


def _path_of(handle: ctypes.CDLL) -> str:
    """The file of a library that is loaded, as the loader knows it."""
    found = ctypes.c_void_p()
    dlinfo = ctypes.CDLL(None).dlinfo
    dlinfo.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    # The head of `struct link_map` (link.h): an address, and the name.
    if dlinfo(handle._handle, _RTLD_DI_LINKMAP, ctypes.byref(found)) != 0 or not found:
        raise OSError(f"dlinfo fails for {handle._name}")
    return os.path.abspath(os.fsdecode(ctypes.cast(found, ctypes.POINTER(ctypes.c_char_p))[1] or b""))


def find_cuda_library(name: str) -> str:
    """The file of a library, without loading it."""
    return os.fspath(_native.find_library(name)[0])


@functools.cache
def locate_nvidia_header_directory(libname: str) -> LocatedHeaderDir | None:
    """Find the folder with the headers of a library, such as "cudart"; None where they are not installed.

    Raises RuntimeError for a name that is not in the catalogue.
    """
    if libname not in _HEADERS:
        raise RuntimeError(
            f"expected the name of a library with headers, got {libname!r}; known names: {', '.join(sorted(_HEADERS))}"
        )
    if libname in _native.known_names():
        try:
            path, found_via = _native.find_headers(libname)
            if found_via == "setting":
                return LocatedHeaderDir(os.fspath(path), found_via)
        except (NotFoundError, ValueError):
            pass
    found, _ = _locate("headers", libname, (True, False))
    return None if found is None else LocatedHeaderDir(*found)


def find_nvidia_header_directory(libname: str) -> str | None:
    """Find the folder with the headers of a library, such as "cudart"; None where they are not installed.

    Raises RuntimeError for a name that is not in the catalogue.
    """
    found = locate_nvidia_header_directory(libname)
    return None if found is None else found.abs_path


@functools.cache
def find_nvidia_binary_utility(utility_name: str) -> str | None:
    """Find a program of the toolkit, such as "nvcc" or "nvdisasm"; None where it is not installed.

    Raises RuntimeError for a name that is not one of `SUPPORTED_BINARY_UTILITIES`.
    """
    if utility_name not in SUPPORTED_BINARY_UTILITIES:
        raise RuntimeError(
            f"Binary '{utility_name}' is not supported: expected one of {', '.join(SUPPORTED_BINARY_UTILITIES)}"
        )
    found, _ = _locate("binary", utility_name, (True, False))
    return None if found is None else found[0]


def _linked(kind: str, name: str, known: Sequence[str], error: type[NotFoundError]) -> tuple[str, str, str]:
    """The path, the file's name and the place of a library that a linker takes in."""
    if name not in known:
        raise ValueError(f"Unknown {kind} library: {name!r}; expected one of {', '.join(known)}")
    found, searched = _locate(kind, name, (True, False))
    if found is None:
        _raise(kind, name, searched, error)
    return found[0], os.path.basename(found[0]), found[1]


def locate_static_lib(name: str) -> LocatedStaticLib:
    """Find a library that a linker takes in, such as "cudadevrt".

    Raises ValueError for a name that is not one of `SUPPORTED_STATIC_LIBS`, StaticLibNotFoundError.
    """
    return LocatedStaticLib(name, *_linked("static", name, SUPPORTED_STATIC_LIBS, StaticLibNotFoundError))


@functools.cache
def find_static_lib(name: str) -> str:
    """Find the file of a library that a linker takes in, such as "cudadevrt".

    Raises ValueError for a name that is not one of `SUPPORTED_STATIC_LIBS`, StaticLibNotFoundError.
    """
    return locate_static_lib(name).abs_path


def locate_bitcode_lib(name: str) -> LocatedBitcodeLib:
    """Find a library of bitcode, such as "device", which is libdevice.

    Raises ValueError for a name that is not one of `SUPPORTED_BITCODE_LIBS`, BitcodeLibNotFoundError.
    """
    return LocatedBitcodeLib(name, *_linked("bitcode", name, SUPPORTED_BITCODE_LIBS, BitcodeLibNotFoundError))


@functools.cache
def find_bitcode_lib(name: str) -> str:
    """Find the file of a library of bitcode, such as "device", which is libdevice.

    Raises ValueError for a name that is not one of `SUPPORTED_BITCODE_LIBS`, BitcodeLibNotFoundError.
    """
    return locate_bitcode_lib(name).abs_path


def find_cuda_include_dirs() -> list[str]:
    """The folders that kernels' `#include`s are searched in."""
    return [os.fspath(path) for path in _native.cuda_include_dirs()]


@functools.cache
def get_cuda_path_or_home() -> str | None:
    """Return the toolkit's folder as `CUDA_PATH` names it, else as `CUDA_HOME` does; None if neither is set.

    The first answer is kept, as that of all functions here with `cache_clear()`, which forgets it. Warns if the two
    name different folders.
    """
    folders = [value for value in map(os.environ.get, ("CUDA_PATH", "CUDA_HOME")) if value]
    if len(folders) == 2 and os.path.realpath(folders[0]) != os.path.realpath(folders[1]):
        warnings.warn(
            f"Multiple CUDA environment variables are set but differ: CUDA_PATH={folders[0]}, CUDA_HOME={folders[1]}; "
            "CUDA_PATH is taken",
            stacklevel=2,
        )
    return folders[0] if folders else None


def set_path(name: str, path: str | os.PathLike[str] | None) -> None:
    """Say where a component is: its library file, or a folder with it. None takes that back."""
    _native.set_path(name, path)
    load_nvidia_dynamic_lib.cache_clear()
    locate_nvidia_header_directory.cache_clear()
