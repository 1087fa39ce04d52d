"""Looks whether a wheel runs on the systems that its tag names: every shared object in it, not only the module. Those
that stand in for NVIDIA's libraries must have the versions of their symbols, and all have the system's unwinder
(`cuox_zig`).

    python build_backend/cuox_audit.py dist/*.whl

PEP 600: a wheel with the tag manylinux_2_28 may ask for symbols of glibc 2.28 and older ones, and for libraries that
every Linux with it has.
"""

from __future__ import annotations

import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cuox_elf
from cuox_distributions import VERSIONED, of_wheel
from cuox_zig import UNWINDER

# Of the list in PEP 600 those that are parts of glibc and of GCC.
EVERYWHERE = re.compile(
    r"(libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|librt\.so\.1|libgcc_s\.so\.1|ld-linux-.*)"
)


def tag_of(name: str) -> tuple[tuple[int, int] | None, str]:
    """The version of glibc (None without manylinux) and the machine of a wheel's name."""
    platforms = name.removesuffix(".whl").rsplit("-", 1)[-1].split(".")
    for platform in platforms:
        if match := re.fullmatch(r"(?:manylinux_(\d+)_(\d+)|linux)_(\w+)", platform):
            return (int(match[1]), int(match[2])) if match[1] else None, match[3]
    raise ValueError(f"{name}: no tag of Linux that is known here")


def shared_objects(wheel: Path) -> Iterator[tuple[zipfile.ZipInfo, object]]:
    """The ELF files in a wheel, in the order of their names, and what each needs of a system."""
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            with archive.open(entry) as file:
                if file.read(4) != b"\x7fELF":
                    continue
            yield entry, cuox_elf.needs_of(archive.extract(entry, folder))


def complaints(wheel: Path, objects: list[tuple[zipfile.ZipInfo, object]] | None = None) -> list[str]:
    """What keeps a wheel from what its name says, a line each. objects: its shared objects, if they have been read."""
    glibc, machine = tag_of(wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    lines = [f"{wheel.name} lacks {name}" for name in sorted(of_wheel(wheel.name).files - names)]
    for entry, needs in shared_objects(wheel) if objects is None else objects:
        lines += [f"{entry.filename}: {line}" for line in complaints_about(needs, glibc, machine)]
        if UNWINDER not in needs.libraries:
            lines.append(f"{entry.filename}: does not need {UNWINDER}, so it has an unwinder of its own")
        name = entry.filename.rpartition("/")[2]
        if name in VERSIONED and needs.versions != (name,):
            lines.append(f"{entry.filename}: its symbols have no version {name}, as NVIDIA's have")
    return lines


def complaints_about(needs, glibc: tuple[int, int] | None, machine: str) -> list[str]:
    """What keeps a shared object from systems with this machine and this glibc."""
    lines = []
    if needs.machine != machine:
        lines.append(f"is for {needs.machine}, the wheel for {machine}")
    foreign = [library for library in needs.libraries if not EVERYWHERE.fullmatch(library)]
    if foreign:
        lines.append(f"needs {', '.join(foreign)}, which not every Linux has")
    if not all(re.fullmatch(r"\$ORIGIN(/[\w-]+)*", folder) for folder in needs.run_path.split(":") if folder):
        lines.append(f"looks for libraries in {needs.run_path}")
    # Zig has the symbols of that glibc only, and leaves open what is not there, as any linker of a shared object does.
    nowhere = [symbol for symbol in needs.without_version if not symbol.startswith(("Py", "_Py"))]
    if nowhere:
        lines.append(f"needs {', '.join(nowhere)}, which no library had that it was linked with")
    if glibc and needs.glibc > glibc:
        (major, minor), (a, b) = needs.glibc, glibc
        lines.append(f"needs glibc {major}.{minor}, the wheel's tag says {a}.{b}")
    return lines


def main(arguments: list[str]) -> int:
    status = 0
    for wheel in map(Path, arguments):
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        objects = list(shared_objects(wheel))
        for entry, needs in objects:
            major, minor = needs.glibc
            size = f"{entry.file_size / 1e6:.1f} MB"
            print(f"  {entry.filename}: {size}, glibc {major}.{minor}, {' '.join(needs.libraries)}")
        for line in complaints(wheel, objects):
            print(f"  {line}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
