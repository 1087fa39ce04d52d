"""cuox's driver and CUDA runtime in a process before PyTorch brings NVIDIA's."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any

from cuox import _native
from cuox._internal import links, toolkit
from cuox._internal.errors import NotFoundError

OLDEST = (2, 11)
CUDA = "13"
_IF_LOADED = os.RTLD_NOLOAD | os.RTLD_NOW
_INSTALL = "on Linux x86-64 `pip install --force-reinstall torch` installs it from PyPI"


def runtime_is_ours() -> bool:
    """Tell whether PyTorch's libraries get cuox's CUDA runtime in this process: NVIDIA's may be loaded beside it, but
    the first that was loaded for all is the one that they find.
    """
    try:
        ours = ctypes.CDLL(str(links.library(links.RUNTIME)), mode=_IF_LOADED)
        first = ctypes.CDLL(None).cudaMalloc
    except (OSError, AttributeError):
        return False
    return _address(first) == _address(ours.cudaMalloc)


def _address(function: Any) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


def check_installed() -> None:
    """Raise ImportError where PyTorch is not installed, or is a build that cannot use CUDA 13. Does not import it."""
    spec = importlib.util.find_spec("torch")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("cuox.torch needs PyTorch's CUDA build, which is not installed: " + _INSTALL, name="torch")
    try:
        text = Path(spec.submodule_search_locations[0], "version.py").read_text()
    except OSError:
        return
    found = dict(re.findall(r"^(__version__|cuda)\b[^=\n]*= *(.*?)$", text, re.MULTILINE))
    check_version(*(found.get(key, "").strip("'\"") for key in ("__version__", "cuda")))


def check_version(version: str, cuda: str) -> None:
    """Raise ImportError for builds without CUDA, for another CUDA than 13, and for versions that are too old."""
    if not version or not cuda:
        return
    if cuda == "None":
        raise ImportError(
            f"cuox.torch needs PyTorch's CUDA build; torch {version} is a build without CUDA: {_INSTALL}", name="torch"
        )
    if cuda.partition(".")[0] != CUDA:
        raise ImportError(
            f"cuox.torch needs a build of PyTorch for CUDA {CUDA}; torch {version} is for CUDA {cuda}: {_INSTALL}",
            name="torch",
        )
    numbers = tuple(int(one) for one in re.findall(r"\d+", version)[:2])
    if numbers < OLDEST:
        raise ImportError(
            f"cuox.torch needs PyTorch {OLDEST[0]}.{OLDEST[1]} or newer; installed is {version}: {_INSTALL}",
            name="torch",
        )


def put_in_front() -> None:
    """Load cuox's driver, CUDA runtime and management library, so that PyTorch's libraries find them under their names.
    Raises ImportError if PyTorch is imported already, over NVIDIA's runtime.
    """
    if "torch" in sys.modules and not runtime_is_ours():
        raise ImportError(
            "torch was imported before cuox.torch, with NVIDIA's CUDA runtime: import cuox.torch first, or start the "
            "program by `cuox run`",
            name="cuox.torch",
        )
    if not runtime_is_ours():
        # Processes that Inductor starts to compile in have NVIDIA's libraries, unlike those under `cuox run`.
        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    for name in (links.DRIVER, links.RUNTIME, links.MANAGEMENT):
        ctypes.CDLL(str(links.library(name)), mode=ctypes.RTLD_GLOBAL)
    _put_compilers_in_front()


def _put_compilers_in_front() -> None:
    """Make what compiles kernels for PyTorch give PTX, and find cuox's libraries and headers: NVRTC, Triton, and
    `torch.utils.cpp_extension`. Variables that are set stay as they are.
    """
    found = os.environ
    with contextlib.suppress(NotFoundError):
        found.setdefault("CUOX_NVRTC_PATH", str(_native.find_library("nvrtc")[0]))
    ctypes.CDLL(str(links.library(links.STAND_INS["nvrtc"])), mode=ctypes.RTLD_GLOBAL)
    found.setdefault("TRITON_LIBCUDA_PATH", str(links.folder()))
    ptxas = str(links.ptxas_folder() / "ptxas")
    for name in ("TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"):
        found.setdefault(name, ptxas)
    with contextlib.suppress(OSError):
        made = toolkit.variables()
        found.update({name: made[name] for name in ("CPATH", "LIBRARY_PATH", "CUDA_HOME") if name in made})
