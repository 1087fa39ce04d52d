"""Kinds of compiled code."""

from __future__ import annotations

_ELF = b"\x7fELF"
_FATBIN = (b"\x50\xed\x55\xba", b"\xb1\x43\x62\x46")


def code_type(image: bytes) -> str:
    """The kind of code that bytes are, by how they begin: "cubin", "fatbin", else "ptx"."""
    return "cubin" if image.startswith(_ELF) else "fatbin" if image.startswith(_FATBIN) else "ptx"
