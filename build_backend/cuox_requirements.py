"""What a build needs and PyPI does not have: a system and a Python that cuox is for, Rust and a linker."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOW = "install it from https://rustup.rs (or `rustup update stable`), then run the same command again"


def oldest_rust() -> tuple[int, ...]:
    """The version of Rust that the workspace asks for."""
    package = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    return tuple(map(int, package["rust-version"].split(".")))


def version_of(program: str) -> tuple[int, ...] | str:
    """The version of `rustc` or `cargo`, or what is wrong with it."""
    try:
        result = subprocess.run(
            [program, "--version"], cwd=ROOT, capture_output=True, text=True, errors="replace", check=False
        )
    except FileNotFoundError:
        return f"{program} is not on the path"
    except OSError as error:
        return f"{program} cannot be run: {error.strerror}"
    match = re.match(rf"{program} (\d+)\.(\d+)\.(\d+)", result.stdout)
    if match is None:
        said = (result.stderr or result.stdout).strip().splitlines() or [f"exit status {result.returncode}"]
        return f"{program} does not run: {said[0]}"
    return tuple(map(int, match.groups()))


def has_linker() -> bool:
    """True if rustc has something to link with: the program `cc`, or one that a user has named to cargo."""
    if shutil.which("cc") or any(re.fullmatch(r"CARGO_TARGET_\w+_LINKER", name) for name in os.environ):
        return True
    if "linker" in " ".join(os.environ.get(name, "") for name in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS")):
        return True
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    files = [folder / name for folder in (home, ROOT / ".cargo") for name in ("config.toml", "config")]
    return any("linker" in file.read_text(errors="replace") for file in files if file.is_file())


def unsupported(system: str, implementation: str, free_threaded: bool) -> str | None:
    """One line that says why cuox is not for a system and its Python, or None."""
    if system != "linux":
        return f"cuox: it runs on Linux only, this is {system}: docs/install.md says what to use here"
    if implementation != "cpython":
        return f"cuox: it is for CPython only, this is {implementation}"
    if free_threaded:
        return "cuox: free-threaded Python is not supported yet: use one with the GIL (python3.14, not python3.14t)"
    return None


def complaint() -> str | None:
    """One line that says what to install, or None if nothing is missing."""
    free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    if line := unsupported(sys.platform, sys.implementation.name, free_threaded):
        return line
    oldest = oldest_rust()
    wanted = ".".join(map(str, oldest))
    for program in ("cargo", "rustc"):
        found = version_of(program)
        if isinstance(found, str):
            return f"cuox: building it needs Rust {wanted} or newer, and {found}: {HOW}"
        if found < oldest:
            version = ".".join(map(str, found))
            return f"cuox: building it needs Rust {wanted} or newer, and {program} is {version}: {HOW}"
    if not has_linker():
        return (
            "cuox: building it needs a C compiler to link with, and there is no `cc` on the path: install one "
            "(`apt install gcc libc6-dev`, `dnf install gcc`), then run the same command again"
        )
    return None


def demand() -> None:
    """End with that line if something is missing."""
    if line := complaint():
        raise SystemExit(line)
