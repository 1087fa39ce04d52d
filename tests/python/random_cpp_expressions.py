"""Random expressions without effects, by type, for `random_cpp.py`."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from random_cpp_prelude import CONSTANTS, INPUTS, MOST_THREADS, OWN, SHARED_OWN
from random_cpp_tree import Expr

SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTEGERS = [*SIGNED, *UNSIGNED]
FLOATS = ["f32", "f64"]
TYPES = [*INTEGERS, *FLOATS]
# Types that variables often have.
COMMON = ["u32", "u32", "u32", "i32", "i32", "u64", "f32", *TYPES]
BITS = {"u8": 8, "i8": 8, "u16": 16, "i16": 16, "u32": 32, "i32": 32, "u64": 64, "i64": 64}
FIELDS = {"a": "u32", "b": "i16", "c": "f32", "d": "u64", "p.a": "u32", "p.b": "f32", "f": "i64"}
REALS = ["0.0", "1.0", "-1.0", "0.5", "3.25", "-7.75", "1e10", "-1e-10", "65504.0", "1e-40", "16777217.0", "0.1"]

# Intrinsics that give and take u32 (or i32), `%` is an operand.
OF_WORDS = {
    "u32": [
        "__popc(%)",
        "__clz(%)",
        "__ffs(%)",
        "__brev(%)",
        "__byte_perm(%, %, %)",
        "__funnelshift_l(%, %, %)",
        "__funnelshift_r(%, %, %)",
        "__funnelshift_lc(%, %, %)",
        "__funnelshift_rc(%, %, %)",
        "__dp4a(%, %, %)",
        "__dp2a_lo(%, %, %)",
        "__dp2a_hi(%, %, %)",
        "__vadd4(%, %)",
        "__vsub2(%, %)",
        "__vabsdiffu4(%, %)",
        "__vmaxu4(%, %)",
        "__vmins2(%, %)",
        "__vcmpgtu4(%, %)",
        "__vavgu4(%, %)",
        "__vaddus4(%, %)",
        "__vseteq2(%, %)",
        "__umulhi(%, %)",
        "__umul24(%, %)",
        "__usad(%, %, %)",
        "__uhadd(%, %)",
        "__urhadd(%, %)",
        "after(%, %)",
        "nth(% | 1, %)",
    ],
    "i32": ["__mulhi(%, %)", "__hadd(%, %)", "__rhadd(%, %)", "__dp4a(%, %, %)", "__dp2a_lo(%, %, %)"],
    "u64": ["__brevll(%)", "__umul64hi(%, %)", "(u64)__popcll(%)", "(u64)__clzll(%)", "(u64)__ffsll(%)"],
    "i64": ["__mul64hi(%, %)", "(i64)very_wide(%, %, %)", "fields(%, %)"],
    "f32": [
        "__fmaf_rn(%, %, %)",
        "__fmaf_rz(%, %, %)",
        "__fadd_rz(%, %)",
        "__fmul_ru(%, %)",
        "__fsub_rd(%, %)",
        "__fsqrt_rn(%)",
        "__fdiv_rn(%, %)",
        "floorf(%)",
        "ceilf(%)",
        "truncf(%)",
        "rintf(%)",
        "fabsf(%)",
        "(-%)",
        "with_sign(%, %)",
        "__saturatef(%)",
    ],
    "f64": ["__fma_rn(%, %, %)", "__dsqrt_rn(%)", "__dadd_rd(%, %)", "floor(%)", "trunc(%)", "fabs(%)", "(-%)"],
}
OF_HALVES = ["half_add(%, %)", "half_mul(%, %)", "half_fma(%, %, %)", "half_pair(%, %)"]


@dataclass
class Variable:
    name: str
    type: str
    is_mutable: bool = True


@dataclass
class Function:
    """A function without effects."""

    name: str
    type: str
    parameters: list[str]


class Expressions:
    """Makes expressions of what is in scope."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.variables: list[Variable] = []
        # Arrays of 2^n elements: name, type, length.
        self.arrays: list[tuple[str, str, int]] = []
        self.records: list[str] = []
        # What has the same value in all threads of the block.
        self.uniform: list[str] = []
        self.functions: list[Function] = []
        self.has_thread = False
        self.has_halves = False

    def pick(self, *choices: Callable[[], Expr]) -> Expr:
        return self.rng.choice(choices)()

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def filled(self, type_: str, template: str, depth: int, of: str | None = None) -> Expr:
        """An expression whose operands stand where the template has `%`."""
        parts: list[str | Expr] = []
        for place, text in enumerate(template.split("%")):
            if place:
                parts.append(self.expr(of or type_, depth))
            parts.append(text)
        return Expr(type_, parts)

    def constant(self, type_: str) -> Expr:
        rng = self.rng
        if type_ == "bool":
            return Expr(type_, [rng.choice(["true", "false"])])
        if type_ in FLOATS:
            return Expr(type_, [f"{type_}({rng.choice(REALS)})"])
        bits = BITS[type_]
        number = rng.choice([rng.randint(0, 9), rng.randint(0, 40), rng.getrandbits(bits), 1 << rng.randrange(bits)])
        number = rng.choice([number, number, (1 << bits) - 1 - number % 5])
        if type_ in SIGNED and number >= 1 << (bits - 1):
            number -= 1 << bits
        # The lowest number of a type has no literal.
        text = f"(i64)0x{number & (1 << 64) - 1:x}ull" if type_ == "i64" else f"{number}{'ull' if bits == 64 else ''}"
        return Expr(type_, [f"{type_}({text})" if type_ != "u32" else f"{number}u"])

    def leaf(self, type_: str) -> Expr:
        rng = self.rng
        own = [one for one in self.variables if one.type == type_]
        if own and self.chance(0.6):
            return Expr(type_, [rng.choice(own).name])
        kind = rng.random()
        if kind < 0.25:
            return self.constant(type_)
        if kind < 0.45 and self.arrays:
            name, of, length = rng.choice(self.arrays)
            return self.converted(type_, Expr(of, [f"{name}[", self.index(length, 0), "]"]))
        if kind < 0.55 and self.records:
            field = rng.choice(list(FIELDS))
            return self.converted(type_, Expr(FIELDS[field], [f"{rng.choice(self.records)}.{field}"]))
        if kind < 0.8 and self.has_thread:
            return self.converted(type_, self.memory())
        if self.variables:
            one = rng.choice(self.variables)
            return self.converted(type_, Expr(one.type, [one.name]))
        return self.constant(type_)

    def memory(self) -> Expr:
        return self.pick(
            lambda: Expr("u64", ["t.in[", self.index(INPUTS, 0), "]"]),
            lambda: Expr("u64", ["__ldg(t.in + ", self.index(INPUTS, 0), ")"]),
            lambda: Expr("u32", [f"((const u32 *)t.in)[t.lane * {self.rng.randint(1, 7)}]"]),
            lambda: Expr("u8", ["((const u8 *)t.in)[", self.index(INPUTS * 8, 0), "]"]),
            lambda: Expr("u64", ["t.own[", self.index(OWN, 0), "]"]),
            lambda: Expr("u32", ["t.shared_own[", self.index(SHARED_OWN, 0), "]"]),
            lambda: Expr(
                "u32",
                [
                    self.rng.choice(
                        [
                            "t.tid",
                            "t.lane",
                            "t.gid",
                            "t.threads",
                            "threadIdx.x",
                            "threadIdx.y",
                            "threadIdx.z",
                            "t.block",
                        ]
                    )
                ],
            ),
            lambda: self.column(0),
            lambda: self.column(0),
            self.neighbour,
            self.neighbour,
            lambda: Expr("u32", ["fixed[", self.index(CONSTANTS, 0), "]"]),
        )

    def column(self, depth: int) -> Expr:
        """A place of the thread's own beside those of other threads."""
        type_, name = self.rng.choice([("u32", "column"), ("u16", "narrow_column"), ("u8", "byte_column")])
        where = self.rng.choice([f"{self.rng.randrange(4)}u", *self.uniform, ""])
        index = self.index(4, depth) if not where else Expr("u32", [where if where[0].isdigit() else f"({where} % 4u)"])
        if self.chance(0.3):
            return Expr("u32", ["t.shared_column[", index, f" * {MOST_THREADS}u]"])
        return Expr(type_, [f"t.{name}[", index, " * t.threads]"])

    def neighbour(self) -> Expr:
        """An input at an index that the number of the thread decides."""
        rng, add = self.rng, self.rng.randint(0, 40)
        type_, most = rng.choice([("u64", INPUTS), ("u32", INPUTS * 2), ("u16", INPUTS * 4), ("u8", INPUTS * 8)])
        array = "t.in" if type_ == "u64" else f"((const {type_} *)t.in)"
        number = rng.choice(["t.tid", "t.tid", "t.lane", "threadIdx.x", "threadIdx.y", "(t.tid / 2u)", "(t.tid & 24u)"])
        factor = rng.randint(1, min(3, most // 300))
        text = f"{number} * {factor} + {add}"
        kind = rng.random()
        if kind < 0.3:
            return Expr(type_, [f"({text} < {rng.randint(20, 200)}u ? {array}[{text}] : {type_}({add}))"])
        if kind < 0.4:
            return Expr(type_, [f"{array}[threadIdx.y * {rng.randint(2, 10)} + threadIdx.x + {add}]"])
        if kind < 0.55:
            return Expr(type_, [f"(t.tid >= {add}u ? {array}[t.tid - {add}u] : {array}[{add}])"])
        return Expr(type_, [f"{array}[{text}]"])

    def index(self, length: int, depth: int) -> Expr:
        if self.chance(0.2):
            return Expr("u32", [f"{self.rng.randrange(length)}u"])
        if self.has_thread and self.chance(0.2):
            return Expr("u32", [f"(t.tid + {self.rng.randint(0, 9)}u) % {length}u"])
        return Expr("u32", ["(", self.expr("u32", depth), f") % {length}u"])

    def converted(self, type_: str, value: Expr) -> Expr:
        return value if value.type == type_ else Expr(type_, [f"to<{type_}>(", value, ")"])

    def condition(self, depth: int) -> Expr:
        rng = self.rng
        kind = rng.random()
        if kind < 0.1 and self.has_thread:
            return Expr(
                "bool", ["(", rng.choice(["t.lane & 1", "t.tid & 8", "t.tid % 3u", "t.gid & 32"]), " ? true : false)"]
            )
        if kind < 0.13 and self.has_thread:
            axis = rng.choice("xy")
            text = f"(threadIdx.{axis} > 0 && threadIdx.{axis} < blockDim.{axis} - 1)"
            return Expr("bool", [rng.choice([text, f"(threadIdx.x == blockDim.x - 1 || {text})"])])
        if kind < 0.2 and self.has_thread:
            return Expr("bool", [f"(t.lane {rng.choice(['<', '>=', '=='])} {rng.randint(0, 31)}u)"])
        if depth > 0 and kind < 0.35:
            return Expr(
                "bool", ["(", self.condition(depth - 1), rng.choice([" && ", " || "]), self.condition(depth - 1), ")"]
            )
        if depth > 0 and kind < 0.4:
            return Expr("bool", ["!", Expr("bool", ["(", self.condition(depth - 1), ")"])])
        if kind < 0.6:
            return Expr("bool", ["((", self.expr("u32", depth), f" & {1 << rng.randrange(5)}u) != 0)"])
        type_ = rng.choice(COMMON)
        sign = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return Expr("bool", ["(", self.expr(type_, depth), f" {sign} ", self.expr(type_, depth), ")"])

    def uniform_expr(self) -> Expr:
        """A number that all threads of the block agree on."""
        rng = self.rng
        one = lambda: Expr("u32", [rng.choice(self.uniform)])
        return self.pick(
            one,
            lambda: Expr("u32", ["(", one(), f" >> {rng.randint(1, 9)})"]),
            lambda: Expr("u32", ["after(", one(), ", ", one(), ")"]),
            lambda: Expr("u32", ["fixed[(", one(), f") % {CONSTANTS}u]"]),
        )

    def expr(self, type_: str, depth: int) -> Expr:
        rng = self.rng
        if type_ == "bool":
            return self.condition(depth)
        if depth <= 0:
            return self.leaf(type_)
        depth -= 1
        kind = rng.random()
        if kind < 0.12:
            return self.leaf(type_)
        if kind < 0.22:
            return Expr(
                type_, ["(", self.condition(depth), " ? ", self.expr(type_, depth), " : ", self.expr(type_, depth), ")"]
            )
        if kind < 0.34:
            other = rng.choice(TYPES)
            return self.converted(type_, self.expr(other, depth))
        fitting = [one for one in self.functions if one.type == type_]
        if fitting and kind < 0.5:
            return self.call(rng.choice(fitting), depth)
        if kind < 0.65:
            templates = list(OF_WORDS.get(type_, []))
            if type_ == "f32" and self.has_halves:
                templates += OF_HALVES * 2
            if templates:
                return self.filled(type_, f"{type_}({rng.choice(templates)})", depth)
        if kind < 0.68 and type_ in ("u32", "u64"):
            of = "f32" if type_ == "u32" else "f64"
            return Expr(type_, ["bits(", self.expr(of, depth), ")"])
        if kind < 0.7 and type_ == "f32":
            return Expr(type_, ["__uint_as_float(", self.expr("u32", depth), ")"])
        if kind < 0.7 and type_ == "u32" and self.records:
            return Expr(type_, [f"{rng.choice(self.records)}.mix(", self.expr("u32", depth), ")"])
        return self.arithmetic(type_, depth)

    def arithmetic(self, type_: str, depth: int) -> Expr:
        rng = self.rng
        if type_ in FLOATS:
            return self.filled(
                type_, rng.choice(["(% + %)", "(% - %)", "(% * %)", "quot(%, %)", "least(%, %)", "most(%, %)"]), depth
            )
        kind = rng.random()
        if kind < 0.15:
            name = rng.choice(["shl", "shr", "shr", "rotated"])
            return Expr(type_, [f"{name}(", self.expr(type_, depth), ", ", self.expr("u32", min(depth, 1)), ")"])
        if kind < 0.3:
            sign = rng.choice(["&", "|", "^"])
            return self.filled(type_, f"{type_}(% {sign} %)", depth)
        if kind < 0.35:
            return self.filled(type_, f"{type_}(~%)", depth)
        if kind < 0.45:
            return self.filled(type_, rng.choice(["quot(%, %)", "rest(%, %)"]), depth)
        if type_ in ("u32", "u64") and kind < 0.65:
            return self.filled(type_, rng.choice(["(% + %)", "(% - %)", "(% * %)"]), depth)
        return self.filled(
            type_, rng.choice(["add(%, %)", "sub(%, %)", "mul(%, %)", "least(%, %)", "most(%, %)"]), depth
        )

    def call(self, function: Function, depth: int) -> Expr:
        parts: list[str | Expr] = [f"{function.name}("]
        for place, type_ in enumerate(function.parameters):
            parts += [", "] if place else []
            parts.append(self.expr(type_, min(depth, 1)))
        return Expr(function.type, [*parts, ")"])
