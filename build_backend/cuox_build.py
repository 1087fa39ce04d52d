"""PEP 517 backend: maturin's, preceded by the build of the software GPU and of the CUDA runtime.

A wheel holds several shared objects and maturin builds one of them, `cuox._native`. This builds the others, those of
`cuox/lib`, with the same profile and target folder, so that all share what they depend on.

`pip install -C profile=NAME .` (also `pip wheel`) takes another of cargo's profiles than `release`: those of Cargo.toml
are `checked` and `dist`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import maturin
from cuox_libraries import LIBRARIES, PACKAGES, place
from maturin import (
    build_sdist,  # noqa: F401
    get_requires_for_build_editable,  # noqa: F401
    get_requires_for_build_sdist,  # noqa: F401
    get_requires_for_build_wheel,  # noqa: F401
    prepare_metadata_for_build_editable,  # noqa: F401
    prepare_metadata_for_build_wheel,  # noqa: F401
)

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "python" / "cuox" / "lib"


def build_libraries(profile: str) -> None:
    """Build the crates of `LIBRARIES` and put their libraries where the wheel takes them from."""
    command = ["cargo", "build", "--profile", profile, *PACKAGES, "--message-format=json-render-diagnostics"]
    print("cuox: building the software GPU and the CUDA runtime:", " ".join(command), file=sys.stderr, flush=True)
    build = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if build.returncode:
        raise SystemExit(f"cuox: cargo could not build {' and '.join(LIBRARIES)} (exit status {build.returncode})")
    messages = [json.loads(line) for line in build.stdout.splitlines()]
    for crate, (target, name) in LIBRARIES.items():
        files = [
            Path(file)
            for message in messages
            if message["reason"] == "compiler-artifact" and message["target"]["name"] == target
            for file in message["filenames"]
            if file.endswith(".so")
        ]
        if len(files) != 1:
            raise SystemExit(f"cuox: expected one library from crate {crate}, cargo built {files}")
        place(files[0], FOLDER / name)


def built(build, config_settings):
    """The settings for maturin's hook `build`, once the libraries are there."""
    settings = dict(config_settings or {})
    profile = settings.pop("profile", "release")
    if not isinstance(profile, str) or not profile:
        raise SystemExit(f"cuox: the setting profile must be the name of a cargo profile, got {profile!r}")
    build_libraries(profile)
    if profile != "release":
        name = "maturin.build-args" if "maturin.build-args" in settings else "build-args"
        settings[name] = f"{settings.get(name, '')} --profile {profile}".strip()
    return build(settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return built(lambda settings: maturin.build_wheel(wheel_directory, settings, metadata_directory), config_settings)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return built(
        lambda settings: maturin.build_editable(wheel_directory, settings, metadata_directory), config_settings
    )
