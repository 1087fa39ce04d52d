"""What a shared library or program says of itself: which CUDA runtime it uses.

Reads headers, section names and the dynamic section of 64-bit little-endian ELF files (the System V ABI, *Object
Files*), and no more of the file.
"""

from __future__ import annotations

import enum
import mmap
import struct
from collections.abc import Iterator

_DYNAMIC, _STRINGS = 6, 3
_NEEDED = 1


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

    def needed(self) -> list[str]:
        """The libraries that the file asks the loader for."""
        for _, kind, offset, size, link in self.each():
            if kind == _DYNAMIC:
                strings = self._header(link)[3]
                entries = struct.iter_unpack("<QQ", self.data[offset : offset + size])
                return [self.text(strings + value).decode(errors="replace") for tag, value in entries if tag == _NEEDED]
        return []

    def expects(self, symbol: bytes) -> bool:
        """True if the file's dynamic symbols have that name."""
        for name, kind, offset, size, _ in self.each():
            if kind == _STRINGS and name == b".dynstr":
                return self.data.find(b"\0" + symbol + b"\0", offset, offset + size) >= 0
        return False


def runtime_of(path: str) -> Runtime:
    """Return the CUDA runtime that a library or program uses. A file that is no ELF file has none."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            sections = _Sections(data)
            if any(name.startswith("libcudart.so") for name in sections.needed()):
                return Runtime.SHARED
            # nvcc puts a record into this section for each source file with device code.
            has_kernels = any(name == b".nvFatBinSegment" for name, *_ in sections.each())
            if has_kernels and not sections.expects(b"__cudaRegisterFatBinary"):
                return Runtime.STATIC
    except (OSError, ValueError, OverflowError, struct.error):
        pass
    return Runtime.NONE
