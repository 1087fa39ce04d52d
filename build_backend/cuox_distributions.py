"""The two distributions of this tree, and what their wheels hold besides Python files.

`cuox` has, besides its extension module, the files of `cuox/lib`: the software GPU, CUDA's runtimes, and the program
that LLVM runs in.
`cuox-bind`, which it depends on, has an extension module only.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

# In the sources of one distribution, the folder that has its pyproject.toml.
ROOT = Path(__file__).resolve().parent.parent
# Each crate with the name of the file that cargo makes of it, and that in `cuox/lib`.
LIBRARIES = {
    "cuox-libcuda": ("libcuda.so", "libcuda.so.1"),
    "cuox-cudart": ("libcudart.so", "libcudart.so.13"),
    "cuox-nvml": ("libnvidia_ml.so", "libnvidia-ml.so.1"),
    "cuox-nvjitlink": ("libnvjitlink.so", "shims/libnvJitLink.so.13"),
    "cuox-nvrtc": ("libnvrtc.so", "shims/libnvrtc.so.13"),
    "cuox-llvm": ("cuox-llvm", "cuox-llvm"),
}
# Those whose symbols have the version that NVIDIA's have, which is the library's name.
VERSIONED = ("libcudart.so.13", "libnvJitLink.so.13", "libnvrtc.so.13")
# The words that have cargo take these crates.
PACKAGES = [word for crate in LIBRARIES for word in ("-p", crate)]


@dataclass(frozen=True, eq=False)
class Distribution:
    """What is built by one pyproject.toml."""

    name: str
    folder: str  # of its pyproject.toml, in a clone
    package: str
    crate: str  # of the extension module
    library: str  # that crate's name for cargo
    libraries: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The extension module, in the wheel."""
        return f"{self.package}/_native.abi3.so"

    @property
    def files(self) -> set[str]:
        """The shared objects of the wheel."""
        return {self.module, *(f"{self.package}/lib/{file}" for _, file in self.libraries.values())}


CUOX = Distribution("cuox", ".", "cuox", "cuox-py", "_native", LIBRARIES)
BIND = Distribution("cuox-bind", "bind", "cuox_bind", "cuox-bind-py", "cuox_bind_native")
DISTRIBUTIONS = (CUOX, BIND)


def distribution(folder: Path) -> Distribution:
    """The distribution whose pyproject.toml is in a folder."""
    name = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]["name"]
    return next(one for one in DISTRIBUTIONS if one.name == name)


def of_wheel(name: str) -> Distribution:
    """The distribution of a wheel, by its name."""
    for one in DISTRIBUTIONS:
        if name.startswith(f"{one.name.replace('-', '_')}-"):
            return one
    raise ValueError(f"{name}: no wheel of {' or '.join(one.name for one in DISTRIBUTIONS)}")


def version() -> str:
    """The version of both."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]["version"]


def place(built: Path, target: Path) -> None:
    """Copy a file to where it belongs."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # A process may have the old file mapped: replace it, never write into it.
    fresh = target.with_name(f"{target.name}.new")
    # A program stays one.
    shutil.copy(built, fresh)
    os.replace(fresh, target)
