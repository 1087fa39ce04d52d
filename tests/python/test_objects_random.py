"""Random records and callbacks: what Python sees of them is what a C compiler does with them."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from dataclasses import dataclass, field
from typing import Any

import exhaustive
import pytest
from ctools import build, needs_compiler
from cuox_bind import _native as native

pytestmark = needs_compiler

# Our name, C's name, its format for `struct`.
SCALARS = [
    ("bool", "_Bool", "?"),
    ("i8", "signed char", "b"),
    ("u8", "unsigned char", "B"),
    ("i16", "short", "h"),
    ("u16", "unsigned short", "H"),
    ("i32", "int", "i"),
    ("u32", "unsigned int", "I"),
    ("i64", "long", "q"),
    ("u64", "unsigned long", "Q"),
    ("f32", "float", "f"),
    ("f64", "double", "d"),
]
FORMAT = {name: form for name, _, form in SCALARS}
BITS = {"bool": 1, "i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}


@dataclass
class Member:
    """A field: a scalar or a record, possibly an array of it, possibly a bit-field."""

    name: str
    scalar: str | None
    c_type: str
    record: Record | None = None
    lengths: list[int] = field(default_factory=list)
    bits: int | None = None

    def declaration(self) -> str:
        lengths = "".join(f"[{n}]" for n in self.lengths)
        bits = f" : {self.bits}" if self.bits else ""
        return f"{self.c_type} {self.name}{lengths}{bits};"


@dataclass
class Record:
    name: str
    union: bool
    attributes: str
    members: list[Member]
    made: Any = None

    @property
    def c_type(self) -> str:
        return f"{'union' if self.union else 'struct'} {self.name}"

    def definition(self) -> str:
        members = " ".join(member.declaration() for member in self.members)
        return f"{self.c_type} {{ {members} }} {self.attributes};"


@dataclass
class Leaf:
    """A number inside a record: how C and Python get there."""

    path: str
    steps: list[str | int]
    scalar: str
    bits: int | None


def leaves(record: Record, path: str = "", steps: tuple[str | int, ...] = ()) -> list[Leaf]:
    found = []
    for member in record.members:
        places: list[tuple[str, tuple[str | int, ...]]] = [(f"{path}.{member.name}", (*steps, member.name))]
        for length in member.lengths:
            places = [(f"{p}[{i}]", (*s, i)) for p, s in places for i in range(length)]
        for p, s in places:
            if member.record:
                found += leaves(member.record, p, s)
            else:
                assert member.scalar
                found.append(Leaf(p, list(s), member.scalar, member.bits))
    return found


def random_record(rng: random.Random, name: str, known: list[Record]) -> Record:
    members: list[Member] = []
    union = rng.random() < 0.15
    attributes = rng.choice(["", "", "", "", "__attribute__((packed))", "__attribute__((aligned(16)))"])
    small = rng.random() < 0.6
    for i in range(rng.randint(1, 3 if small else 7)):
        choice = rng.random()
        if choice < 0.15 and known:
            inner = rng.choice(known)
            lengths = [rng.randint(1, 3)] if rng.random() < 0.3 else []
            members.append(Member(f"f{i}", None, inner.c_type, inner, lengths))
            continue
        scalar, c_type, _ = rng.choice(SCALARS)
        if choice < 0.35 and scalar in BITS:
            members.append(Member(f"f{i}", scalar, c_type, bits=rng.randint(1, BITS[scalar])))
        elif choice < 0.5:
            lengths = [rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
            members.append(Member(f"f{i}", scalar, c_type, lengths=lengths))
        else:
            members.append(Member(f"f{i}", scalar, c_type))
    return Record(name, union, attributes, members)


def random_value(rng: random.Random, scalar: str, bits: int | None = None) -> Any:
    if scalar == "f32":
        return struct.unpack("f", struct.pack("f", rng.uniform(-1e6, 1e6)))[0]
    if scalar == "f64":
        return rng.uniform(-1e300, 1e300)
    if scalar == "bool":
        return rng.random() < 0.5
    width = bits or BITS[scalar]
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if scalar[0] == "i" else (0, (1 << width) - 1)
    return rng.choice([low, high, rng.randint(low, high)])


def through(record: Any, steps: list[str | int]) -> Any:
    for step in steps:
        record = getattr(record, step) if isinstance(step, str) else record[step]
    return record


def assign(record: Any, steps: list[str | int], value: Any) -> None:
    record = through(record, steps[:-1])
    if isinstance(steps[-1], str):
        setattr(record, steps[-1], value)
    else:
        record[steps[-1]] = value


def c_source(records: list[Record]) -> str:
    parts = ["#include <stddef.h>\n#include <string.h>\n"]
    for record in records:
        t, n = record.c_type, record.name
        parts.append(record.definition())
        parts.append(f"size_t {n}_size(void) {{ return sizeof({t}); }}")
        parts.append(f"size_t {n}_align(void) {{ return _Alignof({t}); }}")
        for i, member in enumerate(record.members):
            if member.bits:
                # Where the ones are is where the field is.
                parts.append(f"void {n}_ones{i}({t} *p) {{ memset(p, 0, sizeof *p); p->{member.name} = -1; }}")
            else:
                parts.append(f"size_t {n}_offset{i}(void) {{ return offsetof({t}, {member.name}); }}")
        for i, leaf in enumerate(leaves(record)):
            c_type = "double" if leaf.scalar[0] == "f" else "long"
            parts.append(f"{c_type} {n}_get{i}({t} *p) {{ return p->{leaf.path[1:]}; }}")
            parts.append(f"void {n}_set{i}({t} *p, {c_type} v) {{ p->{leaf.path[1:]} = v; }}")
        parts.append(
            f"void {n}_call({t} (*f)({t}, int, {t}, double, {t}), {t} *out, {t} *a, {t} *b, int i, double d)"
            f"{{ *out = f(*a, i, *b, d, *a); }}"
        )
    return "\n".join(parts)


def make(library: ctypes.CDLL, record: Record) -> None:
    """The record's class, from what the compiler says of it."""
    size, align = (getattr(library, f"{record.name}_{what}")() for what in ("size", "align"))
    record.made = native._c_record(record.name, size, align, union=record.union)
    fields = []
    for i, member in enumerate(record.members):
        kind: Any = member.record.made if member.record else member.scalar
        if member.bits:
            memory = ctypes.create_string_buffer(size)
            getattr(library, f"{record.name}_ones{i}")(memory)
            ones = int.from_bytes(memory.raw, "little")
            offset = (ones & -ones).bit_length() - 1
            assert ones >> offset == (1 << member.bits) - 1
            kind = ("bits", member.scalar, member.bits)
        else:
            offset = 8 * getattr(library, f"{record.name}_offset{i}")()
            if member.lengths:
                kind = ("array", kind, member.lengths)
        fields.append((member.name, member.c_type, offset, kind))
    record.made.define(fields)


def fill(rng: random.Random, record: Record, made: Any) -> None:
    for leaf in leaves(record):
        assign(made, leaf.steps, random_value(rng, leaf.scalar, leaf.bits))


@pytest.mark.parametrize("seed", exhaustive.some(range(4), 2))
def test_records(seed: int) -> None:
    rng = random.Random(seed)
    records: list[Record] = []
    for i in range(60):
        records.append(random_record(rng, f"r{seed}_{i}", [r for r in records if len(leaves(r)) < 12]))
    library = build(c_source(records))
    for record in records:
        make(library, record)
        check_fields(rng, library, record)
        check_by_value(rng, library, record)


def check_fields(rng: random.Random, library: ctypes.CDLL, record: Record) -> None:
    python = record.made.python
    made = python()
    size = getattr(library, f"{record.name}_size")()
    assert len(bytes(made)) == size
    for i, leaf in enumerate(leaves(record)):
        get, put = (getattr(library, f"{record.name}_{what}{i}") for what in ("get", "set"))
        c_type = ctypes.c_double if leaf.scalar[0] == "f" else ctypes.c_long
        get.restype, get.argtypes, put.argtypes = c_type, [ctypes.c_void_p], [ctypes.c_void_p, c_type]
        value = random_value(rng, leaf.scalar, leaf.bits)
        assign(made, leaf.steps, value)
        signed = value - (1 << 64) if leaf.scalar == "u64" and value >= 1 << 63 else value
        assert get(made.address) == signed, (record.definition(), leaf.path)
        other = random_value(rng, leaf.scalar, leaf.bits)
        put(made.address, other - (1 << 64) if leaf.scalar == "u64" and other >= 1 << 63 else other)
        assert through(made, leaf.steps) == other, (record.definition(), leaf.path)
    again = python.from_buffer(bytes(made))
    assert again == made
    assert bytes(made.copy()) == bytes(made)
    assert repr(made).startswith(record.name)


def check_by_value(rng: random.Random, library: ctypes.CDLL, record: Record) -> None:
    made, python = record.made, record.made.python
    a, b, out = python(), python(), python()
    fill(rng, record, a)
    fill(rng, record, b)
    seen: list[Any] = []

    def answer(*arguments: Any) -> Any:
        seen.extend(arguments)
        return arguments[2]

    parameters = [("a", made), ("i", "i32"), ("b", made), ("d", "f64"), ("again", made)]
    callback = native._c_callback(f"{record.name}_callback", parameters, made)
    if isinstance(made.passing, str) and made.passing != "memory":
        with pytest.raises(TypeError, match="by value"):
            callback.python(answer)
        return
    function = callback.python(answer)
    call = getattr(library, f"{record.name}_call")
    call.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int, ctypes.c_double]
    call(int(function), out.address, a.address, b.address, -5, 2.5)
    assert seen[1] == -5 and seen[3] == 2.5, (record.definition(), made.passing)
    assert seen[0] == a and seen[2] == b and seen[4] == a, (record.definition(), made.passing)
    assert out == b, (record.definition(), made.passing)


@pytest.mark.parametrize("seed", exhaustive.some(range(3), 2))
def test_callbacks_of_random_signatures(seed: int) -> None:
    rng = random.Random(1000 + seed)
    records = [random_record(rng, f"s{seed}_{i}", []) for i in range(8)]
    parts = [c_source(records)]
    signatures: list[tuple[list[Any], Any]] = []
    choices: list[Any] = [*SCALARS, ("long double", "long double", "g"), ("i128", "__int128", "")]
    for i in range(60):
        parameters = [
            rng.choice(records) if rng.random() < 0.2 else rng.choice(choices) for _ in range(rng.randint(0, 14))
        ]
        result = rng.choice(records) if rng.random() < 0.2 else rng.choice(choices)
        signatures.append((parameters, result))
        names = [c_name(p) for p in parameters]
        values = ", ".join(f"*({name} *)arguments[{k}]" for k, name in enumerate(names))
        prototype = ", ".join(names) or "void"
        parts.append(
            f"void run{i}({c_name(result)} (*f)({prototype}), void **arguments, {c_name(result)} *out) {{ *out = f({values}); }}"
        )
    library = build("\n".join(parts))
    for record in records:
        make(library, record)
    for i, (parameters, result) in enumerate(signatures):
        check_signature(rng, library, i, parameters, result)


def c_name(kind: Any) -> str:
    return kind.c_type if isinstance(kind, Record) else kind[1]


def role(kind: Any) -> Any:
    return kind.made if isinstance(kind, Record) else kind[0]


def instance(rng: random.Random, kind: Any) -> tuple[Any, Any]:
    """A value, and memory that has it."""
    if isinstance(kind, Record):
        made = kind.made.python()
        fill(rng, kind, made)
        return made, made
    name = kind[0]
    holder = native._c_record(f"holder_{name}", 16, 16)
    holder.define([("value", kind[1], 0, name)])
    value = rng.uniform(-1e9, 1e9) if name == "long double" else 0
    if name == "i128":
        value = rng.randint(-(2**127), 2**127 - 1)
    elif name != "long double":
        value = random_value(rng, name)
    memory = holder.python(value=value)
    assert memory.value == value
    return value, memory


def check_signature(rng: random.Random, library: ctypes.CDLL, i: int, parameters: list[Any], result: Any) -> None:
    names = [(f"p{k}", role(p)) for k, p in enumerate(parameters)]
    callback = native._c_callback(f"callback{i}", names, role(result))
    values = [instance(rng, p) for p in parameters]
    answer, _ = instance(rng, result)
    seen: list[Any] = []

    def function(*arguments: Any) -> Any:
        seen.extend(arguments)
        return answer

    kinds = [p for p in [*parameters, result] if isinstance(p, Record)]
    if any(isinstance(k.made.passing, str) and k.made.passing != "memory" for k in kinds):
        with pytest.raises(TypeError, match="by value"):
            callback.python(function)
        return
    code = callback.python(function)
    _, out = instance(rng, result)
    pointers = (ctypes.c_void_p * max(len(values), 1))(*[memory.address for _, memory in values])
    run = getattr(library, f"run{i}")
    run.argtypes = [ctypes.c_void_p] * 3
    run(int(code), pointers, out.address)
    what = [c_name(p) for p in parameters]
    assert len(seen) == len(values), what
    for got, (expected, _) in zip(seen, values, strict=True):
        assert got == expected, what
    got = out if isinstance(result, Record) else out.value
    assert got == answer or (isinstance(got, float) and math.isclose(got, answer)), (what, c_name(result))
