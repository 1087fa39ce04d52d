"""PEP 517 backend: maturin's, preceded by the build of the software GPU and of the CUDA runtime.

A wheel holds several shared objects and maturin builds one of them, `cuox._native`. This builds the others, those of
`cuox/lib`, with the same profile and target folder, so that all share what they depend on.

Settings, `pip install -C NAME=VALUE .` (also `pip wheel`):

- `profile`: another of cargo's profiles than `release`: those of Cargo.toml are `checked` and `dist`.
- `glibc`: the oldest version of the C library that the wheel is for, such as 2.28. Zig links then, from PyPI, and the
  wheel has the tag manylinux_2_28. Without it the wheel is for this machine, and its tag is linux.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import cuox_audit
import cuox_progress
import cuox_requirements
from cuox_libraries import LIBRARIES, PACKAGES, place

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "python" / "cuox" / "lib"
# Asked for by the hooks, not in pyproject.toml: what pip cannot install is looked for before it downloads anything.
MATURIN = "maturin>=1.9,<2"
ZIG = ("ziglang==0.17.*", "cargo-zigbuild==0.24.*")


def maturin():
    """The backend below this one."""
    try:
        import maturin
    except ImportError:
        raise SystemExit(f'cuox: without build isolation maturin is needed: pip install "{MATURIN}"') from None
    return maturin


def setting(config_settings, name: str, pattern: str, what: str) -> str | None:
    """A setting of ours, checked."""
    value = (config_settings or {}).get(name)
    if value is not None and not (isinstance(value, str) and re.fullmatch(pattern, value)):
        raise SystemExit(f"cuox: the setting {name} must be {what}, got {value!r}")
    return value


def glibc_of(config_settings) -> str | None:
    return setting(config_settings, "glibc", r"2\.\d+", "a version of the C library such as 2.28")


def requirements(config_settings=None) -> list[str]:
    """What pip has to install for a build; ends the build if something else is missing."""
    cuox_requirements.demand()
    return [MATURIN, *(ZIG if glibc_of(config_settings) else ())]


get_requires_for_build_wheel = get_requires_for_build_editable = get_requires_for_build_sdist = requirements


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    cuox_requirements.demand()
    return maturin().prepare_metadata_for_build_wheel(metadata_directory, maturins(config_settings))


def prepare_metadata_for_build_editable(metadata_directory, config_settings=None):
    cuox_requirements.demand()
    return maturin().prepare_metadata_for_build_editable(metadata_directory, maturins(config_settings))


def build_sdist(sdist_directory, config_settings=None):
    cuox_requirements.demand()
    return maturin().build_sdist(sdist_directory, maturins(config_settings))


def target() -> str:
    """This machine, as Rust calls it."""
    return f"{platform.machine()}-unknown-linux-gnu"


def maturins(config_settings) -> dict[str, object]:
    """The settings for maturin: ours become words of its command."""
    settings = dict(config_settings or {})
    words = []
    if glibc := settings.pop("glibc", None):
        words += ["--zig", "--target", target(), "--compatibility", f"manylinux_{glibc.replace('.', '_')}"]
        words += ["--auditwheel", "check"]
    if (profile := settings.pop("profile", "release")) != "release":
        words += ["--profile", profile]
    if words:
        name = "maturin.build-args" if "maturin.build-args" in settings else "build-args"
        settings[name] = f"{settings.get(name, '')} {' '.join(words)}".strip()
    return settings


def build_libraries(profile: str, glibc: str | None) -> None:
    """Build the crates of `LIBRARIES` and put their libraries where the wheel takes them from."""
    if glibc is None:
        command = ["cargo", "build"]
    else:
        command = ["cargo-zigbuild", "zigbuild", "--target", f"{target()}.{glibc}"]
    command += ["--profile", profile, *PACKAGES, "--message-format=json-render-diagnostics"]
    print("cuox: building the software GPU and the CUDA runtime:", " ".join(command), file=sys.stderr, flush=True)
    try:
        build = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    except FileNotFoundError:
        needed = " ".join(f'"{package}"' for package in ZIG)
        raise SystemExit(
            f"cuox: {command[0]} is not on the path; without build isolation: pip install {needed}"
        ) from None
    if build.returncode:
        raise SystemExit(f"cuox: cargo could not build {' and '.join(LIBRARIES)} (exit status {build.returncode})")
    messages = [json.loads(line) for line in build.stdout.splitlines() if line.startswith("{")]
    for crate, (name, file) in LIBRARIES.items():
        files = [
            Path(path)
            for message in messages
            if message["reason"] == "compiler-artifact" and message["target"]["name"] == name
            for path in message["filenames"]
            if path.endswith(".so")
        ]
        if len(files) != 1:
            raise SystemExit(f"cuox: expected one library from crate {crate}, cargo built {files}")
        place(files[0], FOLDER / file)


def built(build, folder: str, config_settings) -> str:
    """The name of the wheel that maturin's hook `build` makes in a folder, once the libraries are there."""
    cuox_requirements.demand()
    profile = setting(config_settings, "profile", r"[\w-]+", "the name of a cargo profile") or "release"
    glibc = glibc_of(config_settings)
    # cargo-zigbuild, and the one in maturin, look for the package ziglang in this Python.
    os.environ.setdefault("CARGO_ZIGBUILD_PYTHON_PATH", sys.executable)
    with cuox_progress.shown():
        build_libraries(profile, glibc)
        wheel = build(maturins(config_settings))
    if glibc and (complaints := cuox_audit.complaints(Path(folder) / wheel)):
        raise SystemExit("\n".join(f"cuox: {line}" for line in complaints))
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    hook = maturin().build_wheel
    return built(lambda settings: hook(wheel_directory, settings, metadata_directory), wheel_directory, config_settings)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    hook = maturin().build_editable
    return built(lambda settings: hook(wheel_directory, settings, metadata_directory), wheel_directory, config_settings)
