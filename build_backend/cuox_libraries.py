"""The libraries of `cuox/lib`, which a wheel holds besides `cuox._native`: the software GPU and CUDA's runtimes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

# Each crate with the name of its library for cargo and in `cuox/lib`.
LIBRARIES = {
    "cuox-libcuda": ("cuda", "libcuda.so.1"),
    "cuox-cudart": ("cudart", "libcudart.so.13"),
    "cuox-nvjitlink": ("nvjitlink", "shims/libnvJitLink.so.13"),
}
# The words that have cargo take these crates.
PACKAGES = [word for crate in LIBRARIES for word in ("-p", crate)]


def place(built: Path, target: Path) -> None:
    """Copy a file to where it belongs."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # A process may have the old file mapped: replace it, never write into it.
    fresh = target.with_name(f"{target.name}.new")
    shutil.copyfile(built, fresh)
    os.replace(fresh, target)
