"""Random statements for `random_cpp.py`.

A `Place` says who comes there. All threads of the block may: then barriers are allowed. The lanes that a mask names
may: then warp operations are. Neither: any lanes, with plain control flow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from random_cpp_expressions import BITS, COMMON, FIELDS, FLOATS, INTEGERS, TYPES, Expressions, Variable
from random_cpp_prelude import OPERATIONS, OWN, SHARED_OWN
from random_cpp_tree import Expr, Node


@dataclass(frozen=True)
class Place:
    """Where a statement stands."""

    depth: int = 0
    # All threads of the block that are left come together.
    together: bool = False
    # The variable with the lanes that come together.
    mask: str | None = None
    # The variable with the lanes that are still in the loop around, if those that leave it can be taken off.
    loop_mask: str | None = None
    # In a loop whose lanes nobody counts.
    in_loop: bool = False
    in_switch: bool = False
    # The type that the function returns, if it may be left here; with a mask, if it is the function's own one.
    returns: str | None = None
    # Sums of the block or the grid may be changed.
    sums: bool = True
    # Only what comes back to all registers: the function has no effects.
    pure: bool = False

    def inner(self, **changes: object) -> Place:
        return replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]


Parts: TypeAlias = list[str | Expr | list[Node]]
Kind: TypeAlias = tuple[float, Callable[[Place], Node]]


class Statements(Expressions):
    """Makes statements."""

    budget = 0
    count = 0
    loops = 0
    # Functions that change what they are given: the name, whether it takes a mask first, the types of the values after
    # the first, which is a reference to u32.
    effects: list[tuple[str, bool, list[str]]]
    # Functions (u32, u32) -> u32, for pointers.
    alike: list[str]

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def mutable(self, type_: str | None = None) -> Variable:
        fitting = [one for one in self.variables if one.is_mutable and type_ in (None, one.type)]
        return self.rng.choice(fitting)

    def value(self, type_: str) -> Expr:
        return self.expr(type_, self.rng.randint(1, 3))

    def body(self, place: Place, most: int = 3) -> list[Node]:
        """Some statements with a scope of their own."""
        scope = len(self.variables), len(self.arrays), len(self.records), len(self.uniform)
        nodes = []
        for _ in range(self.rng.randint(1, most)):
            nodes.append(self.statement(place))
        inner, outer = self.variables[scope[0] :], [one for one in self.variables[: scope[0]] if one.is_mutable]
        if inner and outer and self.chance(0.7):
            # What is not looked at is not computed.
            one, other = self.rng.choice(outer), self.rng.choice(inner)
            nodes.append(Node([f"{one.name} = ", self.converted(one.type, Expr(other.type, [other.name])), ";"]))
        if self.arrays[scope[1] :] and self.chance(0.7):
            name, type_, length = self.arrays[-1]
            one = self.mutable("u32")
            nodes.append(Node([f"{one.name} += (u32)word({name}[", self.index(length, 1), "]);"]))
        del self.variables[scope[0] :], self.arrays[scope[1] :], self.records[scope[2] :], self.uniform[scope[3] :]
        return nodes

    def statement(self, place: Place) -> Node:
        self.budget -= 1
        kinds = self.kinds(place)
        return self.rng.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0](place)

    def kinds(self, place: Place) -> list[Kind]:
        """The statements that may stand at a place, and how often each does."""
        kinds: list[Kind] = [
            (3, self.assignment),
            (2, self.declaration),
            (0.6, self.array),
            (1.5, self.element),
            (0.5, self.record),
            (0.7, self.field),
            (0.4, self.closure),
            (0.3, self.pointer_to_function),
            (0.3, self.volatile),
            (0.3, self.vector),
        ]
        if not place.pure:
            kinds += [
                (1.5, self.store),
                (0.8, self.generic_pointer),
                (0.5, self.own_atomic),
                (0.4, self.bytes_of),
                (0.5 if self.effects else 0, self.effect),
            ]
            if place.sums:
                kinds.append((0.8, self.sum))
        if place.depth < 3 and self.budget > 0:
            kinds += [(2, self.branch), (0.8, self.switch), (0.2, self.into_loop)]
            if self.loops < 2:
                kinds.append((1.2, self.plain_loop))
        if place.returns and place.depth <= 2 and place.mask is None:
            kinds.append((0.4, self.early_return))
        if place.in_loop and place.mask is None:
            kinds.append((0.7, self.leave_loop))
        return kinds

    # Values

    def assignment(self, place: Place) -> Node:
        one = self.mutable()
        value = self.value(one.type)
        if one.type in INTEGERS and self.chance(0.3):
            return Node([f"{one.name} {self.rng.choice(['^=', '|=', '&='])} ", value, ";"])
        if one.type in ("u32", "u64") and self.chance(0.3):
            return Node([f"{one.name} {self.rng.choice(['+=', '-=', '*='])} ", value, ";"])
        return Node([f"{one.name} = ", value, ";"])

    def declaration(self, place: Place) -> Node:
        type_, name = self.rng.choice(COMMON), self.name("v")
        node = Node([f"{type_} {name} = ", self.value(type_), ";"])
        self.variables.append(Variable(name, type_))
        return node

    def array(self, place: Place) -> Node:
        type_, name, length = self.rng.choice(TYPES), self.name("a"), self.rng.choice([2, 3, 4, 4, 8])
        if self.chance(0.5):
            parts: Parts = [f"{type_} {name}[{length}] = {{"]
            for place_ in range(self.rng.randint(1, length)):
                parts += [", "] if place_ else []
                parts.append(self.expr(type_, 1))
            node = Node([*parts, "};"])
        else:
            value = self.expr("u32", 1)
            node = Node(
                [
                    f"{type_} {name}[{length}];\nfor (u32 i = 0; i < {length}; i++)\n    {name}[i] = to<{type_}>(after(",
                    value,
                    ", i));",
                ]
            )
        self.arrays.append((name, type_, length))
        return node

    def element(self, place: Place) -> Node:
        if not self.arrays:
            return self.array(place)
        name, type_, length = self.rng.choice(self.arrays)
        return Node([f"{name}[", self.index(length, 1), "] = ", self.value(type_), ";"])

    def record(self, place: Place) -> Node:
        name = self.name("r")
        if self.records and self.chance(0.5):
            node = Node([f"Rec {name} = {self.rng.choice(self.records)};"])
        else:
            parts: Parts = [f"Rec {name} = {{"]
            for type_ in ("u32", "i16", "f32", "u64"):
                parts += [self.expr(type_, 1), ", "]
            node = Node([*parts, "{1, 2}, {3u, 4.5f}, 6};"])
        self.records.append(name)
        return node

    def field(self, place: Place) -> Node:
        if not self.records:
            return self.record(place)
        name = self.rng.choice(self.records)
        kind = self.rng.random()
        if kind < 0.2:
            return Node([f"{name}.turn(", self.value("u32"), ");"])
        if kind < 0.4:
            return Node([f"{name}.e[", self.index(4, 1), "] = ", self.value("u8"), ";"])
        if kind < 0.5 and len(self.records) > 1:
            return Node([f"{name} = ", self.condition(1), f" ? {self.rng.choice(self.records)} : {name};"])
        field = self.rng.choice(list(FIELDS))
        return Node([f"{name}.{field} = ", self.value(FIELDS[field]), ";"])

    def closure(self, place: Place) -> Node:
        name, one, other = self.name("fn"), self.mutable(), self.mutable("u32")
        if self.chance(0.5):
            scope = len(self.variables)
            self.variables.append(Variable("x", "u32"))
            value = self.value(one.type)
            del self.variables[scope:]
            return Node(
                [
                    f"auto {name} = [&](u32 x) {{ {one.name} = ",
                    value,
                    f"; return x + 1; }};\n{other.name} = {name}({name}(",
                    self.expr("u32", 1),
                    "));",
                ]
            )
        scope = len(self.variables)
        self.variables.append(Variable("x", "u32"))
        value = self.value("u32")
        del self.variables[scope:]
        return Node(
            [
                f"auto {name} = [=](auto x) {{ return ",
                value,
                f"; }};\n{other.name} = applied({name}, ",
                self.expr("u32", 1),
                ");",
            ]
        )

    def pointer_to_function(self, place: Place) -> Node:
        if len(self.alike) < 2:
            return self.assignment(place)
        one, name = self.mutable("u32"), self.name("ptr")
        first, second = self.rng.sample(self.alike, 2)
        return Node(
            [
                f"u32 (*{name})(u32, u32) = ",
                self.condition(1),
                f" ? {first} : {second};\n{one.name} = {name}({one.name}, ",
                self.expr("u32", 1),
                ");",
            ]
        )

    def volatile(self, place: Place) -> Node:
        name, one = self.name("s"), self.mutable()
        return Node(
            [
                f"volatile {one.type} {name} = ",
                self.value(one.type),
                f";\n{one.name} = {name};\n{name} = ",
                self.expr(one.type, 1),
                ";",
            ]
        )

    def vector(self, place: Place) -> Node:
        name, one = self.name("q"), self.mutable("u32")
        field = self.rng.choice("xyzw")
        if not self.has_thread or self.chance(0.4):
            parts: Parts = [f"uint4 {name} = make_uint4("]
            for place_ in range(4):
                parts += [", "] if place_ else []
                parts.append(self.expr("u32", 1))
            return Node([*parts, f");\n{one.name} ^= {name}.{field} + {name}.x;"])
        return Node(
            [
                f"const uint4 {name} = ((const uint4 *)t.in)[",
                self.index(128, 1),
                f"];\n{one.name} += {name}.{field} ^ {name}.y;",
            ]
        )

    # Memory

    def store(self, place: Place) -> Node:
        if self.chance(0.5):
            where = self.column(1)
            return Node([*where.parts, " = ", self.value(where.type), ";"])
        if self.chance(0.5):
            return Node(["t.own[", self.index(OWN, 1), "] = ", self.value("u64"), ";"])
        return Node(
            [
                "t.shared_own[",
                self.index(SHARED_OWN, 1),
                "] ",
                self.rng.choice(["=", "^=", "+="]),
                " ",
                self.value("u32"),
                ";",
            ]
        )

    def generic_pointer(self, place: Place) -> Node:
        """Accesses through a pointer whose space is not known.

        NVRTC 13.0 drops stores through pointers that it sees to be to either local or other memory, so it must not see.
        """
        name, local, one = self.name("ptr"), self.name("l"), self.mutable("u32")
        places = [f"{local} + ", "t.shared_own + ", "(u32 *)t.own_words + "]
        first, second = self.rng.sample(places, 2)
        return Node(
            [
                f"u32 {local}[4] = {{",
                self.expr("u32", 1),
                ", ",
                self.expr("u32", 1),
                f"}};\nu32 *{name} = ",
                self.condition(1),
                f" ? {first}",
                self.index(4, 1),
                f" : {second}",
                self.index(4, 1),
                f';\nasm volatile("" : "+l"({name})::"memory");\n*{name} {self.rng.choice(["=", "+=", "^="])} ',
                self.expr("u32", 1),
                f";\n{one.name} ^= *{name} + {local}[",
                self.index(4, 1),
                "];",
            ]
        )

    def own_atomic(self, place: Place) -> Node:
        """An atomic operation on what no other thread looks at: its result is defined."""
        one = self.mutable("u32")
        if self.chance(0.3):
            name, at = self.rng.choice(["Add", "Exch", "Min", "Max", "CAS", "And", "Xor"]), self.index(OWN, 1)
            third: Parts = [", ", self.expr("u64", 1)] if name == "CAS" else []
            return Node([f"{one.name} += (u32)atomic{name}(t.own + ", at, ", ", self.expr("u64", 1), *third, ");"])
        where: Parts = (
            ["t.shared_own + ", self.index(SHARED_OWN, 1)] if self.chance(0.5) else ["t.own_words + ", self.index(4, 1)]
        )
        name = self.rng.choice(["Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"])
        more: Parts = [", ", self.expr("u32", 1)] if name == "CAS" else []
        return Node([f"{one.name} ^= atomic{name}(", *where, ", ", self.expr("u32", 1), *more, ");"])

    def sum(self, place: Place) -> Node:
        """An atomic operation whose result nobody looks at: the order does not matter."""
        operation = self.rng.randrange(len(OPERATIONS))
        where, type_ = self.rng.choice([("t.shared_total", "u32"), ("t.total", "u32"), ("t.wide_total", "u64")])
        return Node([f"atomic{OPERATIONS[operation]}({where} + {operation}, ", self.value(type_), ");"])

    def bytes_of(self, place: Place) -> Node:
        one = self.mutable("u32")
        kind = self.rng.random()
        if kind < 0.5:
            return Node(
                [
                    "((u8 *)t.own)[",
                    self.index(OWN * 8, 1),
                    "] = ",
                    self.value("u8"),
                    f";\n{one.name} += ((u8 *)t.own)[",
                    self.index(OWN * 8, 1),
                    "];",
                ]
            )
        type_, name = self.rng.choice([*INTEGERS, *FLOATS]), self.name("c")
        size = BITS.get(type_, 32 if type_ == "f32" else 64) // 8
        of = f"bits({name})" if type_ in FLOATS else name
        at = lambda: self.index(OWN * 8 - 8, 1)
        if self.chance(0.5):
            return Node(
                [
                    f"const {type_} {name} = ",
                    self.value(type_),
                    ";\nmemcpy((u8 *)t.own + ",
                    at(),
                    f", &{name}, {size});",
                ]
            )
        return Node([f"{type_} {name};\nmemcpy(&{name}, (u8 *)t.own + ", at(), f", {size});\n{one.name} ^= (u32){of};"])

    def effect(self, place: Place) -> Node:
        name, is_masked, types = self.rng.choice(self.effects)
        if is_masked and place.mask is None:
            return self.assignment(place)
        parts: Parts = [f"{name}(t, {place.mask + ', ' if is_masked else ''}{self.mutable('u32').name}"]
        for type_ in types:
            parts += [", ", self.expr(type_, 1)]
        return Node([*parts, ");"])

    # Control flow of any lanes

    def parted(self, place: Place, **changes: object) -> Place:
        return place.inner(
            together=False, mask=None, loop_mask=None, returns=place.returns if place.mask is None else None, **changes
        )

    def branch(self, place: Place) -> Node:
        inner = self.parted(place)
        parts: Parts = ["if (", self.condition(2), ") {", self.body(inner)]
        if self.chance(0.5):
            parts += ["} else if (", self.condition(1), ") {", self.body(inner)] if self.chance(0.3) else []
            parts += ["} else {", self.body(inner)]
        return Node([*parts, "}"])

    def switch(self, place: Place) -> Node:
        inner = self.parted(place, in_switch=True)
        cases = self.rng.sample(range(8), self.rng.randint(2, 6))
        parts: Parts = [
            "switch (",
            self.expr("u32", 2),
            f" % {self.rng.choice([4, 8, 9])}u) {{\n",
        ]
        for case in cases:
            parts += [f"case {case}{'u' if case & 1 else ''}: {{", self.body(inner, 2)]
            # A `continue` goes on with the loop around.
            parts.append("}\n" if self.chance(0.25) else "} break;\n")
        if self.chance(0.6):
            parts += ["default: {", self.body(inner, 2), "}\n"]
        return Node([*parts, "}"])

    def plain_loop(self, place: Place) -> Node:
        self.loops += 1
        name, most = self.name("j"), self.rng.randint(2, 6)
        inner = self.parted(place, in_loop=True)
        inner = replace(inner, in_switch=False)
        self.variables.append(Variable(name, "u32", False))
        kind = self.rng.random()
        head: Parts
        if kind < 0.15 and self.has_thread:
            step = self.rng.choice(["32u", "64u", "100u", "t.size"])
            head = [f"for (u32 {name} = t.tid; {name} < {self.rng.randint(30, 300)}u; {name} += {step}) {{"]
            node = Node([*head, self.body(inner, 2), "}"])
        elif kind < 0.25 and self.has_thread:
            start = self.rng.choice(["t.lane", "t.tid % 5u", "threadIdx.y"])
            head = [f"for (u32 {name} = {start} + 1; {name} > 0 && {name} < 40u; {name} = {name} * 2 + 1) {{"]
            node = Node([*head, self.body(inner, 2), "}"])
        elif kind < 0.5:
            head = [
                f"for (u32 {name} = 0; {name} < ",
                self.expr("u32", 1),
                f" % {most + 1}u; {name}++) {{",
            ]
            node = Node([*head, self.body(inner), "}"])
        elif kind < 0.75:
            node = Node([f"for (u32 {name} = {most}; {name}-- && ", self.condition(2), ";) {", self.body(inner), "}"])
        else:
            node = Node(
                [
                    f"u32 {name} = 0;\ndo {{",
                    self.body(inner),
                    f"}} while (++{name} < {most} && ",
                    self.condition(1),
                    ");",
                ]
            )
        # The head of a loop may be in the scope of a counter declared before it; what follows need not see it.
        self.variables = [one for one in self.variables if one.name != name]
        self.loops -= 1
        return node

    def leave_loop(self, place: Place) -> Node:
        word = "continue" if place.in_switch or self.chance(0.5) else "break"
        return Node(["if (", self.condition(1), ") {", self.body(self.parted(place), 1), f"    {word};\n}}"])

    def into_loop(self, place: Place) -> Node:
        """A loop that is entered in its middle."""
        one, other, name = self.mutable("u32"), self.mutable("u32"), self.name("j")
        parts: Parts = [f"{{\n    u32 {name} = (", self.expr("u32", 1), ") % 9u + 1u;\n    switch ("]
        parts += [f"{name} % 4u) {{\n    case 0: do {{ {one.name} += ", self.expr("u32", 1)]
        for case in (3, 2, 1):
            parts += [f";\n    case {case}: {self.rng.choice([one, other]).name} ^= {name} + ", self.expr("u32", 1)]
        return Node([*parts, f";\n        }} while ({name} > 4u && ({name} -= 4u));\n    }}\n}}"])

    def early_return(self, place: Place) -> Node:
        assert place.returns
        head: Parts = ["if (", self.condition(1), ") {", self.body(self.parted(place), 1)]
        return Node([*head, "    return ", self.expr(place.returns, 1), ";\n}"])
