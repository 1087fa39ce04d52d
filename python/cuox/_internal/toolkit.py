"""A folder that build tools take for a CUDA toolkit: `bin/nvcc` is `cuox nvcc`, the CUDA runtime is cuox's, the rest is
that of the pip packages, under the names and in the folders where NVIDIA's installer puts it. `bin/nvidia-smi` shows
the software devices. Without an nvcc it has what host compilers need. `cuox run` and `cuox env` put it in front.
"""

from __future__ import annotations

import os
import platform
import shlex
import sys
from pathlib import Path

from . import host_headers, links, nvcc
from .errors import NotFoundError

# What nvcc calls and build tools look for. Other programs may lie beside it, in `/usr/bin` or an environment of conda
# all of them: they are found as before, and those of this environment before them.
_PROGRAMS = {
    "__nvcc_device_query", "bin2c", "cicc", "compute-sanitizer", "crt", "cu++filt", "cudafe++", "cuobjdump", "fatbinary", "nvcc.profile", "nvdisasm", "nvlink",
    "nvprune", "ptxas", "tileiras",
}  # fmt: skip
_RUNTIMES = ("libcudart.so", links.RUNTIME)


def _script(name: str) -> str:
    return f'#!/bin/sh\n# {nvcc.STAND_IN} {name}.\nexec {shlex.quote(sys.executable)} -m cuox {name} "$@"\n'


def folder(lasting: bool = False) -> tuple[Path, bool]:
    """Return the folder, and whether it has an nvcc: one of a CUDA that cuox's runtime is for has been found.

    Raises OSError if there is no place for it.
    """
    texts = {"bin/nvidia-smi": _script("nvidia-smi")}
    try:
        compiler = nvcc.find_nvcc()
        nvcc.check_version(compiler)
    except NotFoundError:
        headers = host_headers.folder(nvcc.SUPPORTED_MAJOR)
        if headers is None:
            return links.made("toolkit", {}, texts, lasting), False
        names, more = _for_host_compilers(headers)
        return links.made("toolkit", names, texts | more, lasting), False
    texts |= {"bin/nvcc": _script("nvcc"), "lib64/libcudart_static.a": links.STATIC_RUNTIME}
    return links.made("toolkit", _links(compiler.resolve().parent.parent), texts, lasting), True


def _for_host_compilers(headers: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """The links and texts of a toolkit folder without nvcc: headers, and the libraries that lie beside them."""
    libraries = headers.parent / "lib"
    files = {**links.plain_names(libraries), **dict.fromkeys(_RUNTIMES, links.LIBRARIES / links.RUNTIME)}
    names = {f"lib64/{name}": file for name, file in files.items()}
    names |= {"lib": Path("lib64"), "lib64/stubs/libcuda.so": links.LIBRARIES / links.DRIVER}
    texts = {"lib64/libcudart_static.a": links.STATIC_RUNTIME}
    if (headers / "crt" / "host_defines.h").is_file():
        return {**names, "include": headers}, texts
    names |= {f"include/{one.name}": one for one in headers.iterdir() if one.name != "crt"}
    return names, texts | host_headers.TEXTS


def _links(root: Path) -> dict[str, Path]:
    """The links of a toolkit folder, but for what is a script."""
    names = {f"bin/{file.name}": file for file in (root / "bin").iterdir() if file.name in _PROGRAMS}
    headers, library = _parts(root)
    files = {file.name: file for file in library.iterdir() if file.is_file()} if library.is_dir() else {}
    files = {**links.plain_names(library), **files}
    for name in _RUNTIMES:
        files[name] = links.LIBRARIES / links.RUNTIME
    files.pop("libcudart_static.a", None)
    names |= {f"lib64/{name}": file for name, file in files.items()}
    names |= {f"nvrtc/{name}": file for name, file in files.items() if name.startswith("libnvrtc-builtins.")}
    names |= {
        "lib": Path("lib64"),
        "lib64/stubs/libcuda.so": links.LIBRARIES / links.DRIVER,
        "include": headers,
    }
    if (nvvm := root / "nvvm").is_dir():
        names |= {f"nvvm/{one.name}": one for one in nvvm.iterdir()}
        if not (nvvm / "lib64").exists():
            names |= {f"nvvm/lib64/{name}": file for name, file in files.items() if name.startswith("libnvvm.so")}
    return names


def _parts(root: Path) -> tuple[Path, Path]:
    """The folders of a toolkit's headers and of its libraries. In an environment of conda, `include` and `lib` are
    those of all packages, and the toolkit's own are in a folder for the kind of machine.
    """
    target = root / "targets" / ("sbsa-linux" if platform.machine() == "aarch64" else "x86_64-linux")
    headers = target / "include" if (target / "include" / "cuda_runtime.h").is_file() else root / "include"
    if any((target / "lib").glob("libcudart*")):
        return headers, target / "lib"
    return headers, root / "lib64" if (root / "lib64").is_dir() else root / "lib"


def variables(lasting: bool = False) -> dict[str, str]:
    """Return the environment variables that put the folder in front, of `LD_LIBRARY_PATH` what is to be added; those by
    which build tools find a toolkit only where none is set. Raises OSError.
    """
    place, has_compiler = folder(lasting)
    programs = str(place / "bin")
    made = {"PATH": _in_front("PATH", programs, default=os.defpath)}
    if not (place / "include").exists():
        return made
    # GCC and Clang look there for headers and libraries that no option names a folder for, such as `-lcudart`.
    headers = [place / "include"]
    if not (place / "include" / "nv").exists():
        headers += host_headers.with_targets()
    made["CPATH"] = _in_front("CPATH", *map(str, headers))
    made["LIBRARY_PATH"] = _in_front("LIBRARY_PATH", str(place / "lib64"))
    # PyTorch's extensions without CUDA code need no nvcc.
    wanted = {"CUDA_HOME": str(place)}
    if has_compiler:
        # NVRTC opens its second library by name alone.
        made["LD_LIBRARY_PATH"] = str(place / "nvrtc")
        wanted |= {"CUDACXX": f"{programs}/nvcc", **dict.fromkeys(("CUDAToolkit_ROOT", "CUDA_PATH"), str(place))}
    elif os.environ.get("CUDA_PATH"):
        del wanted["CUDA_HOME"]
    return made | {name: value for name, value in wanted.items() if not os.environ.get(name)}


def _in_front(name: str, *folders: str, default: str = "") -> str:
    """The value of a list of paths with folders before all others, which are not repeated."""
    rest = [one for one in os.environ.get(name, default).split(os.pathsep) if one and one not in folders]
    return os.pathsep.join([*folders, *rest])
