"""The bytes of a serialized algorithm: a description in JSON and texts, with a checksum. Nothing in them is run to read
them.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from typing import Any

import cuox

# The last digit is the version of this form.
MAGIC = b"cuoxalg1"
_SUM = hashlib.sha256().digest_size
# More is no description, but an attempt to fill the memory.
_MOST = 1 << 28


def write(description: dict[str, Any], texts: list[bytes]) -> bytes:
    """The bytes. Strings of `description` are text; `texts` are told by their places."""
    lengths = [len(text) for text in texts]
    head = json.dumps({"cuox": cuox.__version__, "lengths": lengths, **description}, sort_keys=True).encode()
    body = zlib.compress(b"".join([struct.pack("<I", len(head)), head, *texts]), 6)
    return MAGIC + hashlib.sha256(body).digest() + body


def read(blob: Any) -> tuple[dict[str, Any], list[bytes]]:
    """The description and the texts. Raises TypeError for what is no bytes, ValueError for damaged bytes, and those of
    other programs and versions.
    """
    if not isinstance(blob, (bytes, bytearray, memoryview)):
        raise TypeError(f"deserialize takes the bytes that serialize has made, got {type(blob).__name__}")
    given = bytes(blob)
    if given[: len(MAGIC)] != MAGIC:
        what = (
            "were made by another version of cuox"
            if given.startswith(MAGIC[:-1])
            else "are not those of cuox.cuda.compute.serialize"
        )
        raise ValueError(f"deserialize: these bytes {what}")
    total, body = given[len(MAGIC) : len(MAGIC) + _SUM], given[len(MAGIC) + _SUM :]
    if hashlib.sha256(body).digest() != total:
        raise ValueError("deserialize: the bytes are damaged: their checksum is another one")
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(body, _MOST)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("more bytes than there should be")
        (size,) = struct.unpack_from("<I", plain)
        head, rest = plain[4 : 4 + size], plain[4 + size :]
        description = json.loads(head.decode())
        lengths = description["lengths"]
        if (
            not isinstance(lengths, list)
            or not all(type(one) is int and one >= 0 for one in lengths)
            or sum(lengths) != len(rest)
        ):
            raise ValueError("texts of other lengths than said")
        texts, start = [], 0
        for length in lengths:
            texts.append(rest[start : start + length])
            start += length
    except (ValueError, KeyError, TypeError, RecursionError, struct.error, zlib.error) as error:
        raise ValueError(f"deserialize: the bytes are damaged: {error}") from None
    if description.get("cuox") != cuox.__version__:
        raise ValueError(
            f"deserialize: serialized by cuox {description.get('cuox')}, this is cuox {cuox.__version__}: serialize the algorithm again"
        )
    return description, texts
