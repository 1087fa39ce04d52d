"""Writes the seeds of the target `fatbin`: fat binaries with plain, LZ4 and Zstandard members, for several
architectures.

python fuzz/make_fatbins.py
"""

import struct
from pathlib import Path

MAGIC, OLD_MAGIC = 0xBA55ED50, 0x1EE55A01
PTX, CUBIN = 1, 2
FLAG_64BIT, LZ4, ZSTD, LTO, ARCH_SPECIFIC, FAMILY_SPECIFIC = 0x1, 0x2000, 0x8000, 0x1_0000, 0x10_0000, 0x20_0000
TEXT = b".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n\0"
# A comment that a match of the LZ4 block repeats.
COMMENT = b"// abcd" + 19 * b"abcd" + b"\n"


def lz4_literals(data: bytes) -> bytes:
    """An LZ4 block of one sequence: literals alone."""
    if len(data) < 15:
        return bytes([len(data) << 4]) + data
    rest = len(data) - 15
    return b"\xf0" + b"\xff" * (rest // 255) + bytes([rest % 255]) + data


def lz4_comment(data: bytes) -> bytes:
    """An LZ4 block of `COMMENT`, with a match of 76 bytes, and of `data`."""
    return bytes([7 << 4 | 15]) + COMMENT[:7] + struct.pack("<H", 4) + bytes([76 - 4 - 15]) + lz4_literals(b"\n" + data)


def zstd(data: bytes) -> bytes:
    """A Zstandard frame of one raw block: a single segment with its size in one byte."""
    assert len(data) < 256
    return b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) + (len(data) << 3 | 1).to_bytes(3, "little") + data


def member(arch: int, flags: int, data: bytes, plain: int = 0, kind: int = PTX) -> bytes:
    """A member: its head of 64 bytes, and `data` filled up to a multiple of 8. A compressed one says its `plain`
    size."""
    stored = -(-len(data) // 8) * 8
    head = bytearray(64)
    struct.pack_into("<HHIQ", head, 0, kind, 0x0101, len(head), stored)
    struct.pack_into("<I", head, 0x10, len(data) if plain else 0)
    struct.pack_into("<HHIQ", head, 0x18, 0, 9, arch, 0)
    struct.pack_into("<QQQ", head, 0x28, flags | FLAG_64BIT, 0, plain)
    return bytes(head) + data.ljust(stored, b"\0")


def fatbin(*members: bytes, magic: int = MAGIC) -> bytes:
    """A fat binary."""
    body = b"".join(members)
    return struct.pack("<IHHQ", magic, 1, 16, len(body)) + body


def main() -> None:
    """Writes all seeds beside this file."""
    target = TEXT.replace(b"sm_75", b"sm_90")
    lz4_member = member(90, LZ4, lz4_comment(TEXT), len(COMMENT) + len(TEXT))
    seeds = {
        "plain": fatbin(member(75, 0, TEXT)),
        "two_texts": fatbin(member(75, 0, TEXT), member(75, 0, target)),
        "old_magic": fatbin(member(75, 0, TEXT), magic=OLD_MAGIC),
        "lz4": fatbin(lz4_member),
        "lz4_literals": fatbin(member(75, LZ4, lz4_literals(TEXT), len(TEXT))),
        "zstd": fatbin(member(75, ZSTD, zstd(TEXT), len(TEXT))),
        "architectures": fatbin(
            member(90, ARCH_SPECIFIC, TEXT), member(120, FAMILY_SPECIFIC, target), lz4_member, member(121, 0, TEXT)
        ),
        "no_text": fatbin(member(90, 0, bytes(40), kind=CUBIN), member(90, LTO, bytes(8))),
        "empty": fatbin(),
    }
    folder = Path(__file__).parent / "seeds/fatbin"
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in seeds.items():
        (folder / f"{name}.fatbin").write_bytes(data)


if __name__ == "__main__":
    main()
