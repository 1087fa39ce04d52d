"""PEP 517 backend of cuox and of cuox-bind: maturin's, and what maturin does not do for cuox.

cuox's wheel holds several shared objects and maturin builds one of them, `cuox._native`. This builds the others, those
of `cuox/lib`, with the same profile and target folder, so that all share what they depend on. Which cuox-bind cuox
depends on is said in `cuox_dependencies`.

Settings, `pip install -C NAME=VALUE .` (also `pip wheel`):

- `profile`: another of cargo's profiles than `release`: those of Cargo.toml are `checked` and `dist`.
- `glibc`: the oldest version of the C library that the wheel is for, such as 2.28. Zig links then, from PyPI, and the
  wheel has the tag manylinux_2_28. Without it the wheel is for this machine, and its tag is linux.
- `bind`: `version` has cuox's metadata ask for cuox-bind of its version, as `glibc` does too, and not for that of this
  folder: for wheels that outlive the folder.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import cuox_audit
import cuox_dependencies
import cuox_progress
import cuox_requirements
import cuox_zig
from cuox_distributions import CUOX, LIBRARIES, PACKAGES, ROOT, distribution, place

FOLDER = ROOT / "python" / "cuox" / "lib"
# Asked for by the hooks, not in pyproject.toml: what pip cannot install is looked for before it downloads anything.
# Since 1.13 it puts metadata that were prepared into the wheel.
MATURIN = "maturin>=1.13,<2"
# In the Python that this variable names cargo-zigbuild, and the one in maturin, look for the package ziglang.
ZIGS_PYTHON = "CARGO_ZIGBUILD_PYTHON_PATH"
ZIG = ("ziglang==0.17.*", "cargo-zigbuild==0.24.*")


def maturin():
    """The backend below this one."""
    try:
        import maturin
    except ImportError:
        raise SystemExit(f'cuox: without build isolation maturin is needed: pip install "{MATURIN}"') from None
    # It starts the program of its name: that of this Python, whose folder of programs may not be on the path.
    if Path(maturin.__file__).is_relative_to(sysconfig.get_path("purelib")):
        own, folders = sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)
        if not folders.startswith(own + os.pathsep):
            os.environ["PATH"] = own + os.pathsep + folders
    return maturin


def setting(config_settings, name: str, pattern: str, what: str) -> str | None:
    """A setting of ours, checked."""
    value = (config_settings or {}).get(name)
    if value is not None and not (isinstance(value, str) and re.fullmatch(pattern, value)):
        raise SystemExit(f"cuox: the setting {name} must be {what}, got {value!r}")
    return value


def profile_of(config_settings) -> str:
    profile = setting(config_settings, "profile", r"[\w-]+", "the name of a cargo profile")
    return profile or (None if ours() else cuox_dependencies.handed_on()) or "release"


def glibc_of(config_settings) -> str | None:
    return setting(config_settings, "glibc", r"2\.\d+", "a version of the C library such as 2.28")


def for_others(config_settings) -> bool:
    """True if a wheel may be installed where this folder is not."""
    asked = setting(config_settings, "bind", "version", "version: cuox-bind by its version, not by this folder")
    return asked is not None or glibc_of(config_settings) is not None


def requirements(config_settings=None) -> list[str]:
    """What pip has to install for a build; ends the build if something else is missing."""
    cuox_requirements.demand()
    return [MATURIN, *(ZIG if glibc_of(config_settings) else ())]


get_requires_for_build_wheel = get_requires_for_build_editable = get_requires_for_build_sdist = requirements


def ours() -> bool:
    """True if the hook is called for cuox, False if for cuox-bind: hooks are called in the folder of pyproject.toml."""
    return distribution(Path.cwd()) is CUOX


def prepared(folder: str, config_settings) -> str:
    """The name of the folder that a wheel's metadata are written into."""
    cuox_requirements.demand()
    name = maturin().prepare_metadata_for_build_wheel(folder, maturins(config_settings))
    if ours():
        cuox_dependencies.hand_on(profile_of(config_settings))
        file = Path(folder, name, "METADATA")
        requirements = cuox_dependencies.dependencies(for_others(config_settings))
        file.write_text(cuox_dependencies.with_dependencies(file.read_text("utf-8"), requirements), "utf-8")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return prepared(metadata_directory, config_settings)


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    cuox_requirements.demand()
    name = maturin().build_sdist(sdist_directory, maturins(config_settings))
    if ours():
        cuox_dependencies.add_to_sdist(Path(sdist_directory, name), cuox_dependencies.dependencies(for_others=True))
    return name


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
    for name in ("profile", "bind"):
        settings.pop(name, None)
    if (profile := profile_of(config_settings)) != "release":
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
            if message["reason"] == "compiler-artifact"
            for path in message["filenames"]
            if Path(path).name == name
        ]
        if len(files) != 1:
            raise SystemExit(f"cuox: expected one library from crate {crate}, cargo built {files}")
        place(files[0], FOLDER / file)


def built(hook, folder: str, config_settings, metadata: str | None) -> str:
    """The name of the wheel that maturin's hook makes in a folder, once the libraries are there."""
    cuox_requirements.demand()
    profile, glibc = profile_of(config_settings), glibc_of(config_settings)
    with tempfile.TemporaryDirectory() as own, cuox_progress.shown(distribution(Path.cwd())):
        if glibc:
            os.environ[ZIGS_PYTHON] = str(cuox_zig.stand_in(Path(own), os.environ.get(ZIGS_PYTHON, sys.executable)))
        if metadata is None:
            metadata = str(Path(own, prepared(own, config_settings)))
        if ours():
            build_libraries(profile, glibc)
        wheel = hook(folder, maturins(config_settings), metadata)
    if glibc and (complaints := cuox_audit.complaints(Path(folder) / wheel)):
        raise SystemExit("\n".join(f"cuox: {line}" for line in complaints))
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return built(maturin().build_wheel, wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return built(maturin().build_editable, wheel_directory, config_settings, metadata_directory)
