"""What a shared library or program says of itself: which CUDA runtime it uses, and what it needs of a system.

Reads headers, section names, the dynamic section and the versions of symbols of 64-bit little-endian ELF files (the
System V ABI, *Object Files*; the Linux Standard Base, *Symbol Versioning*), and no more of the file.
"""

from __future__ import annotations

import enum
import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass

_DYNAMIC, _STRINGS, _SYMBOLS = 6, 3, 11
_VERSIONS, _VERSIONS_NEEDED, _VERSIONS_DEFINED = 0x6FFFFFFF, 0x6FFFFFFE, 0x6FFFFFFD
_OF_FILE = 1  # a definition's flag: that of the file itself, and of no symbol
_GLOBAL = 1
_NEEDED, _RPATH, _RUNPATH = 1, 15, 29
_MACHINES = {62: "x86_64", 183: "aarch64"}


class Runtime(enum.Enum):
    """The CUDA runtime that a file uses."""

    NONE = "it has no kernels of nvcc's, or expects the runtime from another library"
    SHARED = "it needs libcudart.so"
    STATIC = "NVIDIA's runtime is part of it"


class _Sections:
    def __init__(self, data: mmap.mmap) -> None:
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not a 64-bit little-endian ELF file")
        (self.offset,) = struct.unpack_from("<Q", data, 0x28)
        self.size, self.count, names = struct.unpack_from("<HHH", data, 0x3A)
        self.data = data
        self.names = self._header(names)[3] if names else 0

    def _header(self, index: int) -> tuple[int, int, int, int, int, int]:
        """Name, type, address, offset, size, link."""
        name, kind, _, address, offset, size, link = struct.unpack_from(
            "<IIQQQQI", self.data, self.offset + index * self.size
        )
        return name, kind, address, offset, size, link

    def text(self, at: int) -> bytes:
        return self.data[at : self.data.find(b"\0", at, at + 4096)]

    def each(self) -> Iterator[tuple[bytes, int, int, int, int]]:
        """Name, type, offset, size, link of each section."""
        for index in range(self.count):
            name, kind, _, offset, size, link = self._header(index)
            yield self.text(self.names + name), kind, offset, size, link

    def dynamic(self, *tags: int) -> list[str]:
        """The texts that the dynamic section has for these tags."""
        for _, kind, offset, size, link in self.each():
            if kind == _DYNAMIC:
                strings = self._header(link)[3]
                entries = struct.iter_unpack("<QQ", self.data[offset : offset + size])
                return [self.text(strings + value).decode(errors="replace") for tag, value in entries if tag in tags]
        return []

    def versions(self) -> Iterator[str]:
        """The versions of symbols that the file asks other libraries for, such as GLIBC_2.17."""
        for _, kind, offset, _, link in self.each():
            if kind != _VERSIONS_NEEDED:
                continue
            strings, library, following = self._header(link)[3], offset, 1
            while following:
                _, count, _, first, following = struct.unpack_from("<HHIII", self.data, library)
                version = library + first
                for _ in range(count):
                    _, _, _, name, after = struct.unpack_from("<IHHII", self.data, version)
                    yield self.text(strings + name).decode(errors="replace")
                    version += after
                library += following

    def defined_versions(self) -> Iterator[str]:
        """The versions that the file gives its own symbols, such as libcudart.so.13."""
        for _, kind, offset, _, link in self.each():
            if kind != _VERSIONS_DEFINED:
                continue
            strings, definition, following = self._header(link)[3], offset, 1
            while following:
                _, flags, _, _, _, first, following = struct.unpack_from("<HHHHIII", self.data, definition)
                (name,) = struct.unpack_from("<I", self.data, definition + first)
                if not flags & _OF_FILE:
                    yield self.text(strings + name).decode(errors="replace")
                definition += following

    def without_version(self) -> Iterator[str]:
        """The symbols that the file must be given, by any library: they have no version. Weak ones may be missing."""
        sections = {kind: (offset, size, link) for _, kind, offset, size, link in self.each()}
        if _SYMBOLS not in sections:
            return
        offset, size, link = sections[_SYMBOLS]
        strings = self._header(link)[3]
        versions = sections.get(_VERSIONS, (0, 0, 0))[0]
        for index, at in enumerate(range(offset, offset + size, 24)):
            name, info, _, section = struct.unpack_from("<IBBH", self.data, at)
            if name and not section and info >> 4 == _GLOBAL:
                (version,) = struct.unpack_from("<H", self.data, versions + 2 * index) if versions else (0,)
                if version & 0x7FFF < 2:
                    yield self.text(strings + name).decode(errors="replace")

    def expects(self, symbol: bytes) -> bool:
        """True if the file's dynamic symbols have that name."""
        for name, kind, offset, size, _ in self.each():
            if kind == _STRINGS and name == b".dynstr":
                return self.data.find(b"\0" + symbol + b"\0", offset, offset + size) >= 0
        return False


def is_runtime(path: str) -> bool:
    """Tell whether a library is a CUDA runtime, by its name."""
    return os.path.basename(path).startswith("libcudart.so")


def runtime_of(path: str) -> Runtime:
    """Return the CUDA runtime that a library or program uses. A file that is no ELF file has none."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            sections = _Sections(data)
            if any(name.startswith("libcudart.so") for name in sections.dynamic(_NEEDED)):
                return Runtime.SHARED
            # nvcc puts a record into this section for each source file with device code.
            has_kernels = any(name == b".nvFatBinSegment" for name, *_ in sections.each())
            if has_kernels and not sections.expects(b"__cudaRegisterFatBinary"):
                return Runtime.STATIC
    except (OSError, ValueError, OverflowError, struct.error):
        pass
    return Runtime.NONE


@dataclass(frozen=True)
class Needs:
    """What a shared library or program needs of a system."""

    machine: str
    """x86_64, aarch64, or the number that ELF has for it."""
    libraries: tuple[str, ...]
    glibc: tuple[int, int]
    """The newest version of glibc whose symbols it asks for; (0, 0) if it asks for none."""
    run_path: str
    """Folders in which it has the loader look for libraries."""
    without_version: tuple[str, ...]
    """Symbols that it must be given and that no library was found for when it was linked, or only one without
    versions: those of Python in a module of Python."""
    versions: tuple[str, ...]
    """The versions of its own symbols."""


def needs_of(path: str) -> Needs:
    """Return what a shared library or program needs; raises ValueError if the file is none that can be read."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        try:
            sections = _Sections(data)
            (machine,) = struct.unpack_from("<H", data, 0x12)
            versions = [version.removeprefix("GLIBC_") for version in sections.versions()]
            numbers = [version.split(".") for version in versions if version.replace(".", "").isdigit()]
            return Needs(
                _MACHINES.get(machine, str(machine)),
                tuple(sections.dynamic(_NEEDED)),
                max(((int(number[0]), int(number[1])) for number in numbers if len(number) > 1), default=(0, 0)),
                ":".join(sections.dynamic(_RPATH, _RUNPATH)),
                tuple(sections.without_version()),
                tuple(sections.defined_versions()),
            )
        except (struct.error, IndexError, OverflowError) as error:
            raise ValueError(f"{path} is a damaged ELF file: {error}") from None
