"""Finds CUDA's libraries and headers: an explicit setting, pip's wheels, conda, `CUDA_HOME`, the system.

What is not found is a `cuox.NotFoundError` that lists where it looked and says what to install.
"""

from __future__ import annotations

import ctypes
import functools
import os
import warnings
from dataclasses import dataclass

from cuox import _native
from cuox._internal.errors import NotFoundError

__all__ = [
    "SUPPORTED_NVIDIA_LIBNAMES",
    "DynamicLibNotFoundError",
    "LoadedDL",
    "find_cuda_include_dirs",
    "find_cuda_library",
    "find_nvidia_header_directory",
    "get_cuda_path_or_home",
    "load_nvidia_dynamic_lib",
    "set_path",
]

DynamicLibNotFoundError = NotFoundError
SUPPORTED_NVIDIA_LIBNAMES: tuple[str, ...] = tuple(_native.known_names())


@dataclass(frozen=True)
class LoadedDL:
    """A library that is loaded, and how it was found."""

    abs_path: str
    was_already_loaded_from_elsewhere: bool
    _handle_uint: int
    found_via: str


_loaded: dict[str, LoadedDL] = {}


def load_nvidia_dynamic_lib(libname: str) -> LoadedDL:
    """Load a library such as "nvrtc" or "cudart" into the process, once."""
    if libname not in _loaded:
        path, found_via = _native.find_library(libname)
        text = os.fspath(path)
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            before = any(line.rstrip("\n").endswith(os.path.realpath(text)) for line in maps)
        handle = ctypes.CDLL(text, mode=ctypes.RTLD_GLOBAL)
        _loaded[libname] = LoadedDL(text, before, handle._handle, found_via)
    return _loaded[libname]


def find_cuda_library(name: str) -> str:
    """The file of a library, without loading it."""
    return os.fspath(_native.find_library(name)[0])


def find_nvidia_header_directory(libname: str) -> str | None:
    """The folder with a component's headers; None where they are not installed."""
    try:
        return os.fspath(_native.find_headers(libname)[0])
    except NotFoundError:
        return None


def find_cuda_include_dirs() -> list[str]:
    """The folders that kernels' `#include`s are searched in."""
    return [os.fspath(path) for path in _native.cuda_include_dirs()]


@functools.cache
def get_cuda_path_or_home() -> str | None:
    """Return the toolkit's folder as `CUDA_PATH` names it, else as `CUDA_HOME` does; None if neither is set.

    The first answer is kept; `get_cuda_path_or_home.cache_clear()` forgets it. Warns if the two name different folders.
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
    _loaded.pop(name, None)
