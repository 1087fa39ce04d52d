"""PEP 517 backend: maturin's, preceded by the build of the software GPU.

A wheel holds two shared objects and maturin builds one of them, `cuox._native`. This builds the other,
`cuox/lib/libcuda.so.1`, with the same profile and target folder, so that both share what they depend on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import (  # noqa: F401  (the hooks that need nothing from here)
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "python" / "cuox" / "lib" / "libcuda.so.1"


def build_library() -> None:
    """Build crate `cuox-libcuda` and put its library where the wheel takes it from."""
    command = ["cargo", "build", "--release", "-p", "cuox-libcuda", "--message-format=json-render-diagnostics"]
    print("cuox: building the software GPU:", " ".join(command), file=sys.stderr, flush=True)
    build = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if build.returncode:
        raise SystemExit(f"cuox: cargo could not build crate cuox-libcuda (exit status {build.returncode})")
    built = [
        Path(file)
        for message in map(json.loads, build.stdout.splitlines())
        if message["reason"] == "compiler-artifact" and message["target"]["name"] == "cuda"
        for file in message["filenames"]
        if file.endswith(".so")
    ]
    if len(built) != 1:
        raise SystemExit(f"cuox: expected one library from crate cuox-libcuda, cargo built {built}")
    LIBRARY.parent.mkdir(parents=True, exist_ok=True)
    # A process may have the old file mapped: replace it, never write into it.
    fresh = LIBRARY.with_suffix(".new")
    shutil.copyfile(built[0], fresh)
    os.replace(fresh, LIBRARY)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build_library()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    build_library()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
