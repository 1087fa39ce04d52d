"""Zig, where cargo-zigbuild links with it: what it leaves out of Rust's libraries.

The unwinder is the system's, `libgcc_s.so.1`, as where GCC links. cargo-zigbuild has Zig put in its own instead
(`-lunwind`). But a thread that ends while Python does is unwound by the C library, with `libgcc_s.so.1`, and this goes
through functions of ours: the process ended with a segmentation fault.

rustc gives the linker the list of a library's exported symbols as a version script without a name. The libraries that
stand in for NVIDIA's (`cuox_distributions.VERSIONED`) need the name of NVIDIA's version node in it: programs that were
linked with NVIDIA's libraries then load these without a complaint of the dynamic linker's. With GCC their build scripts
see to that (crates/cuox-cudart/version_node.rs), by an option that Zig does not have.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from cuox_distributions import VERSIONED

SCRIPT = "--version-script="
UNWINDER = "libgcc_s.so.1"


def stand_in(folder: Path, python: str) -> Path:
    """Make a program in a folder that does what a Python does, for the variable CARGO_ZIGBUILD_PYTHON_PATH:
    cargo-zigbuild calls it with `-m ziglang` and the words of a command.
    """
    path = folder / "python"
    python = shlex.quote(python)
    path.write_text(f'#!/bin/sh\nexec {python} {shlex.quote(__file__)} {python} "$@"\n')
    path.chmod(0o755)
    return path


def words(arguments: Iterable[str]) -> Iterator[str]:
    """The options for the linker: `-Wl,a,b` is `a` and `b`, and those of a file `@name` are in it, one a line."""
    for argument in arguments:
        if argument.startswith("@"):
            yield from words(line.strip().strip('"') for line in Path(argument[1:]).read_text("utf-8").splitlines())
        else:
            yield from argument.removeprefix("-Wl,").split(",")


def name_node(arguments: Iterable[str]) -> None:
    """Give the version scripts of a command that links one of the libraries the name of the library."""
    options = list(words(arguments))
    names = [name for name in VERSIONED if name in options]
    if not names:
        return
    for script in (Path(option.removeprefix(SCRIPT)) for option in options if option.startswith(SCRIPT)):
        text = script.read_text("utf-8")
        script.write_text(re.sub(r"\A\s*\{", f"{names[0]} {{", text), "utf-8")


def system_unwinder() -> str:
    """The file of `libgcc_s.so.1`."""
    compiler = os.environ.get("CC", "cc")
    asked = subprocess.run([compiler, f"-print-file-name={UNWINDER}"], capture_output=True, text=True, check=True)
    file = Path(asked.stdout.strip())
    if not file.is_file():
        raise SystemExit(f"cuox: {compiler} has no {UNWINDER}, with which threads are unwound")
    return str(file)


def take_system_unwinder(arguments: list[str]) -> list[str]:
    """The words of a command with the system's unwinder in place of Zig's."""
    made = []
    for argument in arguments:
        if argument.strip().strip('"') == "-lunwind":
            # This system's may need a newer C library than the one that is linked with.
            made += [system_unwinder(), "-Wl,--allow-shlib-undefined"]
            continue
        if argument.startswith("@"):
            file = Path(argument[1:])
            lines = file.read_text("utf-8").splitlines()
            with_ours = take_system_unwinder(lines)
            if with_ours != lines:
                file.write_text("\n".join(with_ours) + "\n", "utf-8")
        made.append(argument)
    return made


if __name__ == "__main__":
    name_node(sys.argv[2:])
    os.execv(sys.argv[1], [sys.argv[1], *take_system_unwinder(sys.argv[2:])])
