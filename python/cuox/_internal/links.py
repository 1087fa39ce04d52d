"""Folders of symbolic links to this installation's libraries, under the names that linkers and programs ask for, and of
small texts: scripts that stand in for programs, and texts for linkers.

A wheel cannot hold links, and some programs open `libcuda.so` while others open `libcuda.so.1`. So links are made in
the user's cache, once for each installation. Programs load code through them: each is looked at before it is used.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from cuox_bind._internal.cache_folder import in_cache, lasting_folder, made_in_cache, read_private

LIBRARIES = Path(__file__).resolve().parent.parent / "lib"
"""The folder of this installation's libraries."""

DRIVER = "libcuda.so.1"
RUNTIME = "libcudart.so.13"
MANAGEMENT = "libnvidia-ml.so.1"
STAND_INS = {"nvjitlink": "libnvJitLink.so.13", "nvrtc": "libnvrtc.so.13"}
"""Libraries that programs find only if they are run with them, by the names of `--shims`."""


def library(name: str) -> Path:
    """Return the path of one of this installation's libraries."""
    return LIBRARIES / "shims" / name if name in STAND_INS.values() else LIBRARIES / name


def folder(*more: str, lasting: bool = False) -> Path:
    """Return a folder with links to this installation's driver, CUDA runtime and management library, and to more of its
    libraries.

    Where the cache folder cannot be used, it is in a temporary folder of this process, or with `lasting` of this user.
    """
    names = {"libcuda.so": DRIVER, DRIVER: DRIVER, "libcudart.so": RUNTIME, RUNTIME: RUNTIME}
    names |= {"libnvidia-ml.so": MANAGEMENT, MANAGEMENT: MANAGEMENT}
    names |= {name: name for name in more}
    return made("run", {name: library(file) for name, file in names.items()}, lasting=lasting)


# NVIDIA's own is for NVIDIA's driver only. Linkers take a text for a library, which names others.
STATIC_RUNTIME = f'/* cuox\'s stand-in for libcudart_static.a: the shared runtime */\nINPUT("{LIBRARIES / RUNTIME}")\n'


def for_linking(toolkit: Path) -> Path:
    """Return a folder for a linker's `-L`: this installation's runtime, and the libraries of a toolkit's pip packages,
    which lack the names that linkers look for.
    """
    names = {"libcuda.so": LIBRARIES / DRIVER, "libcudart.so": LIBRARIES / RUNTIME}
    for plain, file in plain_names(toolkit / "lib").items():
        if not (toolkit / "lib" / plain).exists():
            names.setdefault(plain, file)
    return made("link", names, {"libcudart_static.a": STATIC_RUNTIME})


def plain_names(libraries: Path) -> dict[str, Path]:
    """The libraries of a folder, such as that of a toolkit's pip packages, by the names that linkers look for."""
    return {file.name.partition(".so.")[0] + ".so": file for file in sorted(libraries.glob("lib*.so.*"))}


# Triton and others call it for machine code; the software GPU runs PTX, so PTX is handed through, with the zero byte
# that ends it for a driver.
_PTXAS = """#!/bin/sh
# cuox's stand-in for ptxas: it gives PTX where machine code is asked for.
version() {
    echo "ptxas: NVIDIA (R) Ptx optimizing assembler (cuox's stand-in: hands PTX through)"
    echo "Cuda compilation tools, release 13.0, V13.0.88"
    exit 0
}
output=elf.o
input=
while [ $# -gt 0 ]; do
    case "$1" in
        -V|--version) version ;;
        -o|--output-file) output=$2; shift ;;
        -o=*|--output-file=*) output=${1#*=} ;;
        -arch|--gpu-name|-maxrregcount|--maxrregcount|-O|--opt-level) shift ;;
        -*) ;;
        *) input=$1 ;;
    esac
    shift
done
if [ -z "$input" ]; then
    echo "ptxas fatal   : No input files specified; use option --help for more information" >&2
    exit 255
fi
if ! grep -q '^[[:space:]]*\\.version' "$input"; then
    echo "ptxas $input, line 1; fatal   : Missing .version directive at start of file '$input'" >&2
    exit 255
fi
cat "$input" > "$output" && printf '\\0' >> "$output"
"""


def ptxas_folder(lasting: bool = False) -> Path:
    """Return a folder with a `ptxas` that hands PTX through."""
    return made("ptxas", {}, {"ptxas": _PTXAS}, lasting)


def _in_folder(name: str, make: Callable[[Path], Path], lasting: bool) -> Path:
    """Call a function with the folder of that name, in the cache if that can be used."""
    place = "links", name
    if not lasting:
        return in_cache(place, make)
    try:
        return make(made_in_cache(*place))
    except OSError:
        return make(lasting_folder(*place))


def _leads_to(link: Path, target: Path) -> bool:
    try:
        return os.readlink(link) == str(target)
    except OSError:
        return False


def made(
    purpose: str, names: Mapping[str, Path], texts: Mapping[str, str] | None = None, lasting: bool = False
) -> Path:
    """Return a folder with these links and files of text, whose names may have folders before them. Where the cache
    folder cannot be used, it is in a temporary folder of this process, or with `lasting` of this user.
    """
    files = {name: text.encode() for name, text in (texts or {}).items()}
    everything = sorted((name, str(target)) for name, target in names.items()), sorted(files.items())

    def make(place: Path) -> Path:
        missing = [name for name, target in names.items() if not _leads_to(place / name, target)]
        other = [name for name, text in files.items() if read_private((place / name).parent, Path(name).name) != text]
        if missing or other:
            # Several processes may do this at the same time, and programs may be using the folder: each file is
            # replaced in one step.
            with tempfile.TemporaryDirectory(dir=place.parent) as work:
                for name in (*missing, *other):
                    fresh = Path(work, "fresh")
                    if name in files:
                        fresh.write_bytes(files[name])
                        fresh.chmod(0o755)
                    else:
                        fresh.symlink_to(names[name])
                    (place / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    os.replace(fresh, place / name)
        return place

    return _in_folder(f"{purpose}-{hashlib.sha256(repr(everything).encode()).hexdigest()[:16]}", make, lasting)
