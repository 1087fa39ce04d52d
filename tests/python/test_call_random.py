"""Random C functions, compiled by the C compiler, called with random values: what arrives and what comes back is
compared.
"""

from __future__ import annotations

import ctypes
import dataclasses
import pathlib
import random
import shutil
import struct
import subprocess
from collections.abc import Callable
from typing import Any

import exhaustive
import pytest
from cuox_bind import _native

CC = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(CC is None, reason="needs a C compiler")

INTEGERS = {
    "bool": ("bool", 8, False), "i8": ("int8_t", 8, True), "u8": ("uint8_t", 8, False), "i16": ("int16_t", 16, True),
    "u16": ("uint16_t", 16, False), "i32": ("int32_t", 32, True), "u32": ("uint32_t", 32, False), "i64": ("int64_t", 64, True),
    "u64": ("uint64_t", 64, False), "i128": ("__int128", 128, True), "u128": ("unsigned __int128", 128, False),
}  # fmt: skip
FLOATS = {"f32": "float", "f64": "double", "long double": "long double"}
SCALARS = [*INTEGERS, *FLOATS]
FIELDS = ["i128", "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "f32", "f64"]
FORMATS = {
    "bool": "?",
    "i8": "b",
    "u8": "B",
    "i16": "h",
    "u16": "H",
    "i32": "i",
    "u32": "I",
    "i64": "q",
    "u64": "Q",
    "f32": "f",
    "f64": "d",
}
MASK = (1 << 64) - 1


def c_name(kind: str) -> str:
    return INTEGERS[kind][0] if kind in INTEGERS else FLOATS[kind]


def size(kind: str) -> int:
    return INTEGERS[kind][1] // 8 if kind in INTEGERS else {"f32": 4, "f64": 8, "long double": 16}[kind]


def mix(h: int, data: bytes) -> int:
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & MASK
    return h


def as_bytes(kind: str, value: Any) -> bytes:
    """The bytes that the C side mixes in for a value."""
    if kind in INTEGERS:
        return int(value).to_bytes(size(kind), "little", signed=INTEGERS[kind][2])
    return struct.pack("<f" if kind == "f32" else "<d", value)


def from_hash(kind: str, h: int) -> Any:
    """The value that the C side makes of a hash."""
    if kind == "bool":
        return bool(h & 1)
    if kind in INTEGERS:
        _, bits, signed = INTEGERS[kind]
        h = h * (h | 1) if bits == 128 else h
        h &= (1 << bits) - 1
        return h - (1 << bits) if signed and h >> bits - 1 else h
    return float(h % 1000003)


def c_from_hash(kind: str, h: str) -> str:
    if kind == "bool":
        return f"({h} & 1)"
    if kind in ("i128", "u128"):
        return f"(({c_name(kind)})((unsigned __int128)({h}) * (({h}) | 1)))"
    if kind in INTEGERS:
        return f"(({c_name(kind)})({h}))"
    return f"(({c_name(kind)})(({h}) % 1000003))"


@dataclasses.dataclass
class Record:
    """A structure of scalars and arrays of scalars."""

    name: str
    fields: list[tuple[str, int]]
    python: Any = None
    new: Callable[[], Any] | None = None

    def layout(self) -> tuple[int, int, list[tuple[str, int]]]:
        """Size, alignment, and each scalar with its offset."""
        offset, align, places = 0, 1, []
        for kind, count in self.fields:
            s = size(kind)
            offset = -(-offset // s) * s
            align = max(align, s)
            for i in range(count):
                places.append((kind, offset + i * s))
            offset += s * count
        return -(-offset // align) * align, align, places

    def registers(self) -> list[bool] | None:
        total, _, places = self.layout()
        if total > 16:
            return None
        return [
            all(k in FLOATS for k, o in places if o // 8 <= word <= (o + size(k) - 1) // 8)
            for word in range(-(-total // 8))
        ]

    def declaration(self) -> str:
        fields = " ".join(f"{c_name(k)} f{i}{f'[{n}]' if n > 1 else ''};" for i, (k, n) in enumerate(self.fields))
        return f"typedef struct {{ {fields} }} {self.name};\n{self.name} {self.name}_new(void) {{ {self.name} r = {{0}}; return r; }}\n"

    def members(self) -> list[tuple[str, str]]:
        return [(k, f"f{i}[{j}]" if n > 1 else f"f{i}") for i, (k, n) in enumerate(self.fields) for j in range(n)]

    def make(self, values: list[Any]) -> Any:
        assert self.new
        made = self.new()
        data = bytearray(self.layout()[0])
        for (kind, offset), value in zip(self.layout()[2], values, strict=True):
            if kind == "i128":
                data[offset : offset + 16] = as_bytes(kind, value)
            else:
                struct.pack_into("<" + FORMATS[kind], data, offset, value)
        memoryview(made).cast("B")[:] = bytes(data)
        return made

    def read(self, record: Any) -> list[Any]:
        total, _, places = self.layout()
        data = bytes(record)
        assert len(data) == total
        wide = [k == "i128" and int.from_bytes(data[o : o + 16], "little", signed=True) for k, o in places]
        return [
            w if k == "i128" else struct.unpack_from("<" + FORMATS[k], data, o)[0]
            for (k, o), w in zip(places, wide, strict=True)
        ]


def random_value(rng: random.Random, kind: str) -> Any:
    if kind == "bool":
        return rng.random() < 0.5
    if kind in INTEGERS:
        _, bits, signed = INTEGERS[kind]
        least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        small = rng.randint(max(least, -300), min(most, 300))
        return rng.choice([small, least, most, rng.randint(least, most), min(most, 1 << rng.randrange(bits))])
    if kind == "f32":
        return struct.unpack(
            "<f", struct.pack("<f", rng.choice([0.0, -0.0, rng.uniform(-1e30, 1e30), rng.randint(-9, 9)]))
        )[0]
    return rng.choice([0.0, -0.0, rng.uniform(-1e300, 1e300), float(rng.randint(-9, 9)), 5e-324])


@dataclasses.dataclass
class Parameter:
    """A parameter of a random function: an input or memory that it fills."""

    role: str
    kind: Any


class Random:
    """A random function."""

    def __init__(self, rng: random.Random, name: str, records: list[Record]) -> None:
        self.name = name
        self.parameters = []
        # Generated code covers what fits a register; with all of these there would be few such functions.
        kinds = SCALARS if rng.random() < 0.4 else list(FORMATS)
        for _ in range(rng.randrange(21)):
            role = rng.choices(["scalar", "record", "array", "out", "in/out", "out record"], [12, 4, 2, 2, 2, 1])[0]
            kind: Any = rng.choice(kinds)
            if "record" in role:
                kind = rng.choice(records)
            elif role == "array":
                kind = rng.choice(list(FORMATS))
            self.parameters.append(Parameter(role, kind))
        self.result = rng.choice(["void", *kinds, *kinds, *records])

    def source(self) -> str:
        takes, body, after = [], [], []
        for i, p in enumerate(self.parameters):
            if p.role == "record":
                takes.append(f"{p.kind.name} p{i}")
                body += [self.absorb(k, f"p{i}.{m}") for k, m in p.kind.members()]
            elif p.role == "out record":
                takes.append(f"{p.kind.name} *p{i}")
                after += [
                    f"p{i}->{m} = {c_from_hash(k, f'h + {i} + {j}')};" for j, (k, m) in enumerate(p.kind.members())
                ]
            else:
                star = "" if p.role == "scalar" else " *"
                takes.append(f"{'const ' if p.role == 'array' else ''}{c_name(p.kind)}{star} p{i}")
                if p.role == "array":
                    body += [self.absorb(p.kind, f"p{i}[{j}]") for j in range(3)]
                elif p.role != "out":
                    body.append(self.absorb(p.kind, f"{'*' if star else ''}p{i}"))
                if p.role in ("out", "in/out"):
                    after.append(f"*p{i} = {c_from_hash(p.kind, f'h + {i}')};")
        if isinstance(self.result, Record):
            returns = f"{self.result.name} r; memset(&r, 0, sizeof r);"
            returns += "".join(
                f" r.{m} = {c_from_hash(k, f'h * 3 + {j}')};" for j, (k, m) in enumerate(self.result.members())
            )
            returns += " return r;"
            kind = self.result.name
        elif self.result == "void":
            kind, returns = "void", "last = h;"
        else:
            kind, returns = c_name(self.result), f"return {c_from_hash(self.result, 'h * 3')};"
        lines = "\n    ".join([*body, *after, returns])
        return f"{kind} {self.name}({', '.join(takes) or 'void'}) {{\n    uint64_t h = 14695981039346656037u;\n    {lines}\n}}\n"

    @staticmethod
    def absorb(kind: str, what: str) -> str:
        kind_in_c = "double" if kind == "long double" else c_name(kind)
        return f"{{ {kind_in_c} v = {what}; h = mix(h, &v, sizeof v); }}"

    def bind(self, address: Callable[[str], int], gil: str) -> Callable[..., Any]:
        roles: list[tuple[str, Any]] = []
        for i, p in enumerate(self.parameters):
            role: Any = {
                "scalar": lambda p=p: p.kind,
                "record": lambda p=p: ("record", p.kind.python),
                "array": lambda p=p: ("in", p.kind),
                "out": lambda p=p: ("out", p.kind),
                "in/out": lambda p=p: ("in/out", p.kind),
                "out record": lambda p=p: ("out", p.kind.python),
            }[p.role]()
            roles.append((f"p{i}", role))
        result = self.result.python if isinstance(self.result, Record) else self.result
        made: Callable[..., Any] = _native._callable(self.name, address(self.name), result, roles, gil=gil)
        return made

    def check(self, rng: random.Random, f: Callable[..., Any], by_name: bool) -> None:
        given: dict[str, Any] = {}
        h = 14695981039346656037
        for i, p in enumerate(self.parameters):
            if p.role == "record":
                values = [random_value(rng, k) for k, _ in p.kind.members()]
                given[f"p{i}"] = p.kind.make(values)
                for (k, _), v in zip(p.kind.members(), values, strict=True):
                    h = mix(h, as_bytes(k, v))
            elif p.role == "array":
                values = [random_value(rng, p.kind) for _ in range(3)]
                given[f"p{i}"] = memoryview(struct.pack(f"<3{FORMATS[p.kind]}", *values)).cast(FORMATS[p.kind])
                for v in values:
                    h = mix(h, as_bytes(p.kind, v))
            elif p.role in ("scalar", "in/out"):
                value = random_value(rng, p.kind)
                given[f"p{i}"] = value
                h = mix(h, as_bytes(p.kind, value))
        expected: list[Any] = []
        if isinstance(self.result, Record):
            expected.append([from_hash(k, h * 3 + j & MASK) for j, (k, _) in enumerate(self.result.members())])
        elif self.result != "void":
            expected.append(from_hash(self.result, h * 3 & MASK))
        for i, p in enumerate(self.parameters):
            if p.role in ("out", "in/out"):
                expected.append(from_hash(p.kind, h + i & MASK))
            elif p.role == "out record":
                expected.append([from_hash(k, h + i + j & MASK) for j, (k, _) in enumerate(p.kind.members())])
        got = f(**given) if by_name else f(*given.values())
        parts = [] if not expected else [got] if len(expected) == 1 else list(got)
        kinds = [self.result, *(p.kind for p in self.parameters if "out" in p.role)]
        kinds = [k for k in kinds if k != "void"]
        assert [k.read(v) if isinstance(k, Record) else v for k, v in zip(kinds, parts, strict=True)] == expected, (
            self.source()
        )
        for value, want in zip(parts, expected, strict=True):
            assert isinstance(want, list) or type(value) is type(want)


HEAD = """#include <stdbool.h>
#include <stdint.h>
#include <string.h>
uint64_t last;
static uint64_t mix(uint64_t h, const void *p, size_t n) {
    const unsigned char *b = p;
    while (n-- > 0) h = (h ^ *b++) * 0x100000001b3u;
    return h;
}
"""


@pytest.mark.parametrize("seed", exhaustive.some(range(6), 3))
def test_random_functions(seed: int, tmp_path: pathlib.Path) -> None:
    rng = random.Random(seed)
    records = []
    for i in range(12):
        fields = [(rng.choice(FIELDS), rng.choice([1, 1, 1, 2, 3])) for _ in range(rng.randint(1, 4 if i % 2 else 8))]
        records.append(Record(f"S{i}", fields))
    functions = [Random(rng, f"f{i}", records) for i in range(exhaustive.rounds(40, 80))]
    source, library = tmp_path / "random.c", tmp_path / "librandom.so"
    source.write_text(HEAD + "".join(r.declaration() for r in records) + "".join(f.source() for f in functions))
    assert CC
    subprocess.run([CC, f"-O{seed % 3}", "-w", "-fPIC", "-shared", "-o", str(library), str(source)], check=True)
    loaded = ctypes.CDLL(str(library))

    def address(name: str) -> int:
        found = ctypes.cast(getattr(loaded, name), ctypes.c_void_p).value
        assert found
        return found

    for r in records:
        total, align, _ = r.layout()
        r.python = _native._record_class(r.name, total, align, r.registers())
        r.new = _native._callable("new", address(f"{r.name}_new"), r.python, [])
    before = _native._call_mode("code")
    try:
        for mode in ("code", "api", "nojit"):
            _native._call_mode(mode)
            for function in functions:
                f = function.bind(address, gil=rng.choice(["hold", "hold", "hold", "release", "auto"]))
                for _ in range(6):
                    function.check(rng, f, by_name=False)
                function.check(rng, f, by_name=True)
    finally:
        _native._call_mode(before)
