"""Makes what `cuox.cuda.bindings.nvml` is made of: `codes.py`, `enumerations.py`, `records.py`, `functions.py` and
`newer.py` of its folder `_internal/nvml`.

    python tools/nvml_bindings.py PYTHON [--check]

The declarations are those of nvml.h of CUDA 13.0 as `cargo xtask gen` has written them
(crates/cuox-nvml/src/generated); sentences are from the header (`pip install nvidia-nvml-dev==13.0.*`). The names in
Python, and in what a function's parameters and results differ from C's, are those of NVIDIA's package: PYTHON is an
interpreter that has cuda-bindings 13.5, which is asked and not copied. Names of it that the header of CUDA 13.0 does
not have are listed in `newer.py`.
With --check nothing is written: files that differ are named, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import sysconfig
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "crates/cuox-nvml/src/generated"
TARGET = ROOT / "python/cuox/cuda/bindings/_internal/nvml"
HEADER = Path(sysconfig.get_path("purelib"), "nvidia/cu13/include/nvml.h")

# What the peer's interpreter is asked.
ASK = r"""
import json, re, sys
import numpy as np
from cuda.bindings import nvml
from cuda.bindings._version import __version__

def layout(d):
    if d.subdtype:
        return {"of": layout(d.subdtype[0]), "shape": d.subdtype[1]}
    if d.names:
        fields = [[name, layout(d.fields[name][0]), d.fields[name][1]] for name in d.names]
        return {"fields": fields, "size": d.itemsize}
    return d.str[1:]

out = {"version": __version__, "functions": {}, "enums": {}, "records": {}, "errors": [], "constants": {}, "types": {}}
for name, one in vars(nvml).items():
    if name.startswith("_"):
        continue
    if isinstance(one, np.dtype):
        out["types"][name] = layout(one)
    elif isinstance(one, type) and issubclass(one, BaseException):
        out["errors"].append(name)
    elif hasattr(one, "__members__"):
        members = {key: int(member) for key, member in one.__members__.items()}
        out["enums"][name] = {"doc": one.__doc__, "members": members}
    elif isinstance(one, type):
        try:
            one.from_data(np.zeros(1, dtype=np.uint8))
        except ValueError as error:
            found = re.search(r"\w+_dtype", str(error))
        properties = {key: what.__doc__ for key, what in vars(one).items() if type(what).__name__ == "getset_descriptor"}
        out["records"][name] = {
            "doc": one.__doc__, "type": found[0], "properties": properties, "array": "__len__" in vars(one)
        }
    elif callable(one):
        out["functions"][name] = one.__doc__
    elif isinstance(one, int):
        out["constants"][name] = one
json.dump(out, sys.stdout)
"""

NUMBERS = {
    "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q", "usize": "Q", "f32": "f", "f64": "d",
}  # fmt: skip
EARLY = ["DeviceArch", "Return"]
"""Enumerations that are apart from the others, which take long to import."""
# Functions that need more than the rules here are in special.py; those about virtual GPUs that are not there yet are
# named by `_LATER` of nvml.py.
LATER = re.compile(
    r"_(instances|processes)_utilization_info$|vgpu_metadata$|vgpu_utilization$|vgpu_type_\w+_placements$|_get_metadata$|_vgpus$|compatibility$"
)


def by_hand() -> set[str]:
    """The functions of special.py and calls.py."""
    texts = ((TARGET / name).read_text() for name in ("special.py", "calls.py"))
    return {name for text in texts for name in re.findall(r"^def ([a-z]\w+)", text, re.M)}


def plain(name: str) -> str:
    """A name in a form in which C's and Python's are the same."""
    return name.replace("_", "").lower()


@dataclass
class Header:
    """The declarations."""

    functions: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    # By enumeration, and all.
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    records: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    offsets: dict[tuple[str, str], int] = field(default_factory=dict)
    handles: set[str] = field(default_factory=set)
    sentences: dict[str, str] = field(default_factory=dict)


def read_header() -> Header:
    """Read what xtask has written."""
    header = Header()

    def clean(text: str) -> str:
        return re.sub(r"crate::generated::|::core::ffi::", "", text)

    for found in re.finditer(r"fn (\w+)\[nvml[^\]]*\]\((.*?)\) -> \S+;", (GENERATED / "functions.rs").read_text()):
        parameters = re.split(r", (?=\w+: )", found[2]) if found[2] else []
        header.functions[found[1]] = [tuple(clean(one).split(": ", 1)) for one in parameters]  # type: ignore[misc]
    for found in re.finditer(r"foreign_enum! \{\s+(\w+): \w+ \{(.*?)\}", (GENERATED / "enums.rs").read_text(), re.S):
        values = {key: int(value) for key, value in re.findall(r"(\w+) = (-?\d+),", found[2])}
        header.enums[found[1]] = values
        header.constants |= values
    text = (GENERATED / "constants.rs").read_text()
    for name, value in re.findall(r"pub const (\w+): \w+ =\s+([\w:-]+);", text):
        found_value = header.constants.get(value.rpartition("::")[2])
        header.constants[name] = int(value) if found_value is None else found_value
    text = (GENERATED / "types.rs").read_text()
    for found in re.finditer(r"pub (?:struct|union) (\w+) \{\n(.*?)\n\}", text, re.S):
        header.records[found[1]] = [
            (key.rstrip("_"), clean(kind)) for key, kind in re.findall(r"pub (\w+): (.*),", found[2])
        ]
    header.aliases = {name: clean(kind) for name, kind in re.findall(r"pub type (\w+) =\s+(.*?);", text)}
    header.handles = set(re.findall(r"handle!\((\w+)\)", text))
    text = (GENERATED / "layout.rs").read_text()
    header.sizes = {name: int(size) for name, size in re.findall(r"size_of::<(\w+)>\(\) == (\d+)", text)}
    for name, key, offset in re.findall(r"offset_of!\( ?(\w+), (\w+) ?\) == (\d+)", re.sub(r"\s+", " ", text)):
        header.offsets[name, key.rstrip("_")] = int(offset)
    pattern = r"/\*\*((?:(?!\*/).)*)\*/\s*(?:DEPRECATED\([^)]*\)\s*)?(?:const\s+)?(?:nvmlReturn_t\s+)?DECLDIR\s+(?:char\*\s*)?(\w+)\("
    for found in re.finditer(pattern, HEADER.read_text(), re.S):
        words = " ".join(line.strip(" *") for line in found[1].splitlines()).split()
        text = re.sub(r"\\\w+ ", "", " ".join(words)).replace("&tm;", "").replace('"', "'").replace("\\", "")
        text = re.sub(r"@\S+ ?", "", re.split(r"@param|@note|@deprecated", text)[0])
        sentence = re.split(r"(?<=\w)\. | For [A-Z]", text)[0].strip().rstrip(".")
        header.sentences.setdefault(found[2], sentence + "." if sentence else "")
    return header


class Maker:
    """The texts of the files."""

    def __init__(self, peer: dict[str, Any], header: Header) -> None:
        self.peer, self.header = peer, header
        self.newer: set[str] = set()
        self.skipped: list[str] = []
        # The peer's class of a C record.
        self.classes: dict[str, str] = {}
        self.banner = f"# By tools/nvml_bindings.py from nvml.h of CUDA 13.0, with the names of cuda-bindings {peer['version']}.\n\n"

    def resolved(self, kind: str) -> str:
        """A C type's own name."""
        while kind in self.header.aliases:
            kind = self.header.aliases[kind]
        return kind

    # -- enumerations --

    def enumerations(self, early: bool) -> str:
        about = "Enumerations that errors and cuox.cuda.core.system are made of." if early else "Enumerations."
        text = f'{self.banner}"""{about}"""\n\nfrom __future__ import annotations\n\nfrom enum import IntEnum\n\n'
        if not early:
            text += f"from .codes import {', '.join(EARLY)}\n\n"
        for name, what in sorted(self.peer["enums"].items()):
            if (name in EARLY) != early:
                continue
            members = self.members(name, what)
            if not members:
                self.newer.add(name)
                continue
            doc = re.search(r"See `(\w+)`", what["doc"] or "")
            known = doc and doc[1] in self.header.enums
            about = f"`{doc[1]}` of C." if doc and known else "Named numbers of the header."
            text += f'\nclass {name}(IntEnum):\n    """{about}"""\n\n'
            text += "".join(f"    {key} = {value}\n" for key, value in members.items()) + "\n"
        return text

    def members(self, name: str, what: dict[str, Any]) -> dict[str, int]:
        doc = re.search(r"See `(\w+)`", what["doc"] or "")
        if doc and doc[1] not in self.header.enums and doc[1] not in self.header.aliases:
            return {}
        own = self.header.enums.get(doc[1], {}) if doc else {}
        # A number has several names there: `DEV_NAME` is `NVML_FI_DEV_NAME`, `EVENT_TYPE_PSTATE` `nvmlEventTypePState`.
        groups: dict[int, list[str]] = {}
        for key, value in what["members"].items():
            groups.setdefault(value, []).append(key)
        values = {}
        for value, keys in groups.items():
            named = [(c, number) for c, number in (own or self.header.constants).items()]
            same = any(number == value and self.ends(c, key) for c, number in named for key in keys)
            # Counts have grown.
            full = {number for c, number in own.items() if self.ends(c, max(keys, key=len))}
            values[value] = value if same else full.pop() if len(full) == 1 else None
        members = {}
        for key, value in what["members"].items():
            if (found := values[value]) is None:
                self.newer.add(f"{name}.{key}")
            else:
                members[key] = found
        return members

    def ends(self, c: str, key: str) -> bool:
        """Tell whether a name of C is a longer form of one of Python, also where the header misspells it."""
        return plain(c).replace("continous", "continuous").endswith(plain(key))

    # -- records --

    def records(self) -> str:
        text = (
            f'{self.banner}"""Records, and the layouts of their memory."""\n\nfrom __future__ import annotations\n\n'
            "from .record import (\n    Array, Number, Numbers, Part, Parts, Pointed, Real, Record, RecordArray, Text, layout\n)\n"
        )
        # A record stands behind those that it holds.
        pending = {}
        for name, what in self.peer["records"].items():
            c = re.search(r"seealso:: `(\w+)`", what["doc"])
            kind = self.resolved(c[1]) if c else ""
            if kind not in self.header.records or not self.fits(kind, self.peer["types"][what["type"]]):
                self.newer |= {name, what["type"]}
                continue
            self.classes[kind] = name
            pending[kind] = name
        written: set[str] = set()
        while pending:
            ready = [kind for kind in pending if not (self.held(kind) - written) & pending.keys()]
            for kind in ready:
                text += self.record(kind, pending.pop(kind))
                written.add(kind)
            if not ready:
                raise SystemExit(f"records that hold each other: {', '.join(pending)}")
        return text

    def fits(self, kind: str, peer: dict[str, Any]) -> bool:
        """Tell whether the peer's record is that of CUDA 13.0."""
        ours = {plain(key): self.header.offsets.get((kind, key), 0) for key, _ in self.header.records[kind]}
        theirs = {plain(key): offset for key, _, offset in peer["fields"]}
        return self.header.sizes[kind] == peer["size"] and ours == theirs

    def held(self, kind: str) -> set[str]:
        elements = (re.sub(r"^\[(.*); \d+\]$|^\*\w+ (.*)$", r"\1\2", c) for _, c in self.header.records[kind])
        return {self.resolved(one) for one in elements}

    def format(self, shape: Any, c: str) -> str:
        """A field's format, as an expression: a number's letter, a layout, or one of these and a count."""
        if isinstance(shape, str):
            return repr(shape)
        if "of" in shape:
            return f"({self.format(shape['of'], self.element(c))}, {shape['shape'][0]})"
        kind = self.resolved(c)
        if kind in self.classes:
            return self.peer["records"][self.classes[kind]]["type"]
        return self.layout(shape, kind)

    def element(self, c: str) -> str:
        return re.sub(r"^\[(.*); \d+\]$", r"\1", c)

    def c_fields(self, kind: str) -> dict[str, str]:
        return {plain(key): c for key, c in self.header.records.get(kind, [])}

    def layout(self, shape: dict[str, Any], kind: str) -> str:
        fields = self.c_fields(kind)
        rows = ", ".join(
            f"({key!r}, {self.format(one, fields.get(plain(key), ''))}, {at})" for key, one, at in shape["fields"]
        )
        return f"layout({shape['size']}, {rows})"

    def record(self, kind: str, name: str) -> str:
        what = self.peer["records"][name]
        shape = self.peer["types"][what["type"]]
        text, inner = "", {}
        c_fields = self.c_fields(kind)
        for key, one, _ in shape["fields"]:
            element = one["of"] if isinstance(one, dict) and "of" in one else one
            c = self.resolved(self.element(c_fields[plain(key)]))
            if isinstance(element, dict) and c not in self.classes:
                # A record without a name in C.
                inner[key] = f"_{name}_{key}"
                text += f"\n{inner[key].lower()}_dtype = {self.layout(element, c)}\n"
                text += self.text_of_class(
                    inner[key], f"{inner[key].lower()}_dtype", element, c, "one" not in one, {}, True
                )
        text += f"\n{what['type']} = {self.layout(shape, kind)}\n"
        return text + self.text_of_class(name, what["type"], shape, kind, what["array"], inner, False)

    def text_of_class(
        self,
        name: str,
        type_: str,
        shape: dict[str, Any],
        kind: str,
        array: bool,
        inner: dict[str, str],
        nameless: bool,
    ) -> str:
        base = "RecordArray" if array or nameless else "Record"
        about = f"`{kind}` of C." if not nameless else "A part of a record, without a name in C."
        text = f'\n\nclass {name}({base}):\n    """{about}"""\n\n    _layout = {type_}\n'
        version = self.header.constants.get(kind.removesuffix("_t"))
        if version is not None and self.header.records[kind][0][0] == "version":
            text += f"    _version = {version}\n"
        properties = None if nameless else self.peer["records"][name]["properties"]
        hidden = [key for key, _, _ in shape["fields"] if properties is not None and key not in properties]
        c_fields = self.c_fields(kind)
        for key, one, _ in shape["fields"]:
            if key in hidden:
                continue
            text += f"    {key} = {self.descriptor(key, one, c_fields.get(plain(key), ''), hidden, inner, base)}\n"
        return text + "\n"

    def descriptor(self, key: str, one: Any, c: str, hidden: list[str], inner: dict[str, str], base: str) -> str:
        many = isinstance(one, dict) and "of" in one
        element = one["of"] if many else one
        count = next((other for other in hidden if other.startswith(key)), hidden[0] if len(hidden) == 1 else None)
        kind = self.resolved(self.element(c))
        if isinstance(element, dict):
            if base == "RecordArray":
                return "Array()"
            class_ = inner.get(key) or self.classes[kind]
            return f"Parts({class_}, {count!r})" if many else f"Part({class_})"
        if many:
            return "Text()" if kind == "c_char" else f"Array({count!r})" if count else "Array()"
        if c.startswith("*") and hidden:
            pointed = self.resolved(c.split(" ", 1)[1])
            return (
                f"Pointed({self.classes[pointed]}, {count!r})"
                if pointed in self.classes
                else f"Pointed({NUMBERS[pointed]!r}, {count!r})"
            )
        if base == "RecordArray":
            return "Numbers()"
        return "Real()" if element[0] == "f" else "Number()"

    # -- functions --

    def functions(self) -> str:
        by_name = {plain(symbol.removeprefix("nvml")): symbol for symbol in self.header.functions}
        text = (
            f'{self.banner}"""Functions, by C\'s names in Python\'s case; what C puts out is returned."""\n\n'
            "from __future__ import annotations\n\nfrom typing import Any\n\nfrom . import records\nfrom .calls import Addressed, call, field_of, four, listed, one, one_field, record, text, text_of_size, three, two\n"
        )
        hand = by_hand()
        for name, doc in sorted(self.peer["functions"].items()):
            symbol = by_name.get(plain(name))
            if name in hand:
                continue
            if symbol is None:
                self.newer.add(name)
                continue
            body = self.function(name, symbol, doc)
            if body is None:
                self.skipped.append(name)
                continue
            text += body
        return text

    def function(self, name: str, symbol: str, doc: str) -> str | None:
        signature = re.match(r"\w+\((.*?)\)(?: -> (.*))?", doc.splitlines()[0])
        assert signature, doc
        given = [re.sub(r"=.*", "", one).split()[-1] for one in signature[1].split(", ") if one]
        returns = signature[2] or ""
        pending, parameters = list(given), list(self.header.functions[symbol])
        codes: list[str] = []
        values: list[str] = []
        typed: dict[str, str] = {}
        outputs: list[str] = []
        result = None
        while parameters:
            c, kind = parameters.pop(0)
            kind = self.resolved(kind)
            follows = parameters[0][1] if parameters else ""
            pointer = re.match(r"\*(\w+) (.*)", kind)
            if pointer is None:
                if not pending:
                    return None
                key = pending.pop(0)
                codes.append("P" if kind in self.header.handles else (NUMBERS.get(kind) or self.enum_code(kind)))
                values.append(key)
                typed[key] = "int"
                continue
            to = self.resolved(pointer[2])
            if pending and plain(pending[0]) == plain(c):
                key = pending.pop(0)
                codes.append("z" if to == "c_char" else "@")
                values.append(key)
                typed[key] = "str" if to == "c_char" else "Addressed"
                continue
            if to == "c_char":
                if follows == "u32":
                    parameters.pop(0)
                    result = ("text", "str")
                elif follows == "*mut u32":
                    parameters.pop(0)
                    result = ("text_of_size", "str")
                else:
                    return None
            elif (
                to == "u32"
                and follows.startswith("*mut ")
                and re.search("count|size$", c.lower())
                and "tuple" not in returns
            ):
                _, element = parameters.pop(0)
                element = self.resolved(element.removeprefix("*mut "))
                if element in self.header.records:
                    if element not in self.classes:
                        return None
                    class_ = f"records.{self.classes[element]}"
                    result = (f"listed:{class_}", class_)
                else:
                    code = "P" if element in self.header.handles else NUMBERS.get(element) or self.enum_code(element)
                    result = (f"listed:{code!r}", "Any")
            elif to in self.header.records:
                if to not in self.classes:
                    field_ = self.only_field(to)
                    if field_ is None or parameters:
                        return None
                    return self.by_field(name, symbol, codes, values, typed, to, field_, pending)
                fields = self.header.records[to]
                if pending or (returns and fields[0][0] == "version" and returns != self.classes[to]):
                    return None
                result = (f"record:records.{self.classes[to]}", f"records.{self.classes[to]}")
            elif to == "u64" and pending == [] and symbol.endswith(("Affinity", "WithinScope")):
                return None
            else:
                outputs.append("*" + ("P" if to in self.header.handles else NUMBERS.get(to) or self.enum_code(to)))
                codes.append(outputs[-1])
                continue
            if parameters and result:
                return None
        if pending or (result and outputs):
            return None
        return self.written(name, symbol, codes, values, typed, result, len(outputs))

    def enum_code(self, kind: str) -> str:
        if kind not in self.header.enums:
            raise SystemExit(f"no code for the type {kind}")
        return "i" if any(value < 0 for value in self.header.enums[kind].values()) else "I"

    def only_field(self, kind: str) -> tuple[str, str] | None:
        fields = self.header.records[kind]
        return fields[1] if len(fields) == 2 and fields[0][0] == "version" else None

    def by_field(self, name: str, symbol: str, codes: list[str], values: list[str], typed: dict[str, str], kind: str,
                 only: tuple[str, str], pending: list[str]) -> str | None:  # fmt: skip
        """A function whose record, of a version and one thing, is that thing in Python."""
        version = self.header.constants.get(kind.removesuffix("_t"))
        at, size, c = self.header.offsets.get((kind, only[0]), 4), self.header.sizes[kind], self.resolved(only[1])
        if version is None:
            return None
        text = re.match(r"\[c_char; (\d+)\]", c)
        code = f"s{text[1]}" if text else NUMBERS.get(c) or (self.enum_code(c) if c in self.header.enums else "")
        if not code:
            return None
        call = ", ".join([repr(symbol), repr(" ".join([*codes, "@"])), *values])
        type_ = "str" if text else "int"
        if len(pending) == 1:
            key = pending[0]
            typed[key] = type_
            body = f"    call({call}, one_field({size}, {version}, {code!r}, {at}, {key}))\n"
            return self.definition(name, symbol, typed, "None", body)
        if pending:
            return None
        words = [repr(symbol), repr(" ".join([*codes, "@"])), str(size), str(version), repr(code), str(at), *values]
        return self.definition(name, symbol, typed, type_, f"    return {type_}(field_of({', '.join(words)}))\n")

    def written(self, name: str, symbol: str, codes: list[str], values: list[str], typed: dict[str, str],
                result: tuple[str, str] | None, outputs: int) -> str:  # fmt: skip
        arguments = ", ".join([repr(symbol), repr(" ".join(codes)), *values])
        if result is None:
            kind = ["None", "int"][outputs] if outputs < 2 else f"tuple[{', '.join(['int'] * outputs)}]"
            function = ["call", "one", "two", "three", "four"][outputs]
            body = f"    {'return ' if outputs else ''}{function}({arguments})\n"
            return self.definition(name, symbol, typed, kind, body)
        form, _, what = result[0].partition(":")
        arguments = ", ".join(filter(None, [what, arguments]))
        return self.definition(name, symbol, typed, result[1], f"    return {form}({arguments})\n")

    def definition(self, name: str, symbol: str, typed: dict[str, str], kind: str, body: str) -> str:
        parameters = ", ".join(f"{key}: {type_}" for key, type_ in typed.items())
        about = self.header.sentences.get(symbol) or "See NVML's manual."
        if len(about) > 300:
            about = about[:300].rsplit(" ", 1)[0] + " ..."
        # A line break in a sentence is a blank.
        about = textwrap.fill(about, 116, initial_indent='    """', subsequent_indent="    ", break_long_words=False)
        return f'\n\ndef {name}({parameters}) -> {kind}:\n{about}\n\n    `{symbol}` of C. Raises NvmlError.\n    """\n{body}'

    def newer_names(self) -> str:
        names = sorted(self.newer)
        rows = "".join(f"        {name!r},\n" for name in names if "." not in name)
        return f'{self.banner}"""Names of NVIDIA\'s module that nvml.h of CUDA 13.0 does not have."""\n\nNEWER = frozenset(\n    [\n{rows}    ]\n)\n'


def with_names(text: str) -> str:
    """A module's text with `__all__`: the public names that it defines."""
    names = set(re.findall(r"^(?:class |def )?([A-Za-z]\w*)(?: = |\(|:)", text, re.M))
    names |= set(EARLY) if "from .codes import" in text else set()
    names = sorted(names)
    rows = "".join(f"    {name!r},\n" for name in names)
    return re.sub(r"\n\n(?=(?:class|def|\w+ =))", f"\n__all__ = [\n{rows}]\n\n\n", text, count=1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", help="an interpreter that has cuda-bindings 13.5")
    parser.add_argument("--check", action="store_true", help="write nothing, and say what differs")
    options = parser.parse_args()
    said = subprocess.run([options.python, "-c", ASK], check=True, capture_output=True, text=True).stdout
    maker = Maker(json.loads(said), read_header())
    made = {
        "codes.py": maker.enumerations(early=True), "enumerations.py": maker.enumerations(early=False), "records.py": maker.records(), "functions.py": maker.functions(),
    }  # fmt: skip
    made["newer.py"] = maker.newer_names()
    for name in maker.skipped:
        if not LATER.search(name):
            print(f"{name} is to be written by hand")
    differ = 0
    for name, text in made.items():
        text = with_names(text)
        formatted = subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--stdin-filename", name, "-"],
            input=text, capture_output=True, text=True, check=True, cwd=ROOT,
        ).stdout  # fmt: skip
        target = TARGET / name
        if target.exists() and target.read_text() == formatted:
            continue
        differ += 1
        if options.check:
            print(f"{target.relative_to(ROOT)} is not what tools/nvml_bindings.py makes")
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(formatted)
            print(f"{target.relative_to(ROOT)}: {len(formatted)} bytes")
    return 1 if options.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
