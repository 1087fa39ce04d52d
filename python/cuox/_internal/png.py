"""Writes PNG files with the standard library (PNG specification, second edition: 8-bit RGB, no interlacing)."""

from __future__ import annotations

import struct
import zlib
from os import PathLike


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(path: str | PathLike[str], width: int, height: int, rgb: bytes) -> None:
    """Write `rgb`, three bytes a pixel, rows from top to bottom."""
    if len(rgb) != 3 * width * height:
        raise ValueError(f"{width} x {height} pixels take {3 * width * height} bytes, not {len(rgb)}")
    row = 3 * width
    # Each row begins with its filter type; 0 is none.
    rows = b"".join(b"\0" + rgb[start : start + row] for start in range(0, len(rgb), row))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        file.write(_chunk(b"IDAT", zlib.compress(rows, 6)))
        file.write(_chunk(b"IEND", b""))
