"""Random functions with types, for `test_numba_random.py`.

Each has two texts. The kernel's is as a user would write it. The host's says all conversions of Numba's rules (integers
are computed in 64 bits, and so on), so that CPython computes it with NumPy's scalars and gives the same values.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

INTEGERS = ["int64", "uint64", "int32", "uint32", "int16", "uint8"]
FLOATS = ["float64", "float32"]
TYPES = [*INTEGERS, *FLOATS, "bool_"]
# The functions that a result may end in, with the values that they are given.
FUNCTIONS = ["math.sin", "math.cos", "math.exp", "math.log", "math.tanh", "math.atan", "math.cbrt", "math.erf"]
LOWEST = {"float64": "-1e300", "float32": "-1e38"}


@dataclass
class Value:
    """An expression: its texts and its type."""

    kernel: str
    host: str
    type: str


def is_integer(type_: str) -> bool:
    return type_ in INTEGERS


def is_float(type_: str) -> bool:
    return type_ in FLOATS


def cast(value: Value, type_: str) -> Value:
    """A conversion that both texts name."""
    if value.type == type_:
        return value
    if is_float(value.type) and is_integer(type_):
        # Only what fits, since other conversions are the hardware's.
        low, high = ("0", "200") if type_.startswith("u") else ("-30000", "30000")
        return Value(
            f"(np.{type_}({value.kernel}) if {low} < {value.kernel} < {high} else np.{type_}(7))",
            f"(np.{type_}({value.host}) if {low} < {value.host} < {high} else np.{type_}(7))",
            type_,
        )
    # A narrower integer is what is left of the wider one.
    host = f"as_({value.host}, np.{type_})"
    return Value(f"np.{type_}({value.kernel})", host, type_)


def to(value: Value, type_: str) -> str:
    """The host's text of a conversion that the rules make."""
    return value.host if value.type == type_ else f"as_({value.host}, np.{type_})"


def arithmetic_type(a: str, b: str) -> str:
    if is_float(a) or is_float(b):
        return float_type(a, b)
    return "uint64" if a.startswith("u") and b.startswith("u") else "int64"


def float_type(a: str, b: str) -> str:
    small = {"float32", "int16", "uint8", "bool_"}
    return "float32" if a in small and b in small else "float64"


@dataclass
class Generator:
    rng: random.Random
    variables: dict[str, str] = field(default_factory=dict)
    kernel: list[str] = field(default_factory=list)
    host: list[str] = field(default_factory=list)
    loops: int = 0
    count: int = 0
    result: str = "int64"

    # Expressions

    def leaf(self) -> Value:
        rng = self.rng
        if rng.random() < 0.75:
            name = rng.choice(list(self.variables))
            return Value(name, name, self.variables[name])
        if rng.random() < 0.6:
            number = rng.choice([0, 1, 2, 3, 7, 10, 100, 255, 65536, 2**31 - 1, 2**40])
            if rng.random() < 0.3:
                return Value(f"(-{number})", f"np.int64(-{number})", "int64")
            return Value(str(number), f"np.int64({number})", "int64")
        real = rng.choice(["0.0", "1.0", "0.5", "1.5", "-2.25", "3.7", "1e10", "1e-3"])
        return Value(f"({real})", f"np.float64({real})", "float64")

    def number(self, depth: int) -> Value:
        value = self.expression(depth)
        return (
            value
            if value.type != "bool_"
            else Value(f"({value.kernel} + 0)", f"({to(value, 'int64')} + np.int64(0))", "int64")
        )

    def integer(self, depth: int) -> Value:
        value = self.number(depth)
        return value if is_integer(value.type) else cast(value, "int64")

    def expression(self, depth: int) -> Value:
        if depth <= 0:
            return self.leaf()
        kinds = (
            [self.arithmetic] * 5
            + [self.division] * 2
            + [self.bits] * 2
            + [self.shift, self.unary, self.choice, self.extreme, self.conversion]
        )
        kinds += [self.comparison, self.logic, self.whole, self.root, self.call]
        return self.rng.choice(kinds)(depth - 1)

    def arithmetic(self, depth: int) -> Value:
        a, b = self.number(depth), self.number(depth)
        sign = self.rng.choice(["+", "-", "*"])
        type_ = arithmetic_type(a.type, b.type)
        kernel, host = f"({a.kernel} {sign} {b.kernel})", f"({to(a, type_)} {sign} {to(b, type_)})"
        if sign == "*" and is_float(type_):
            # Products do not become part of a fused multiply-add, which rounds once.
            return Value(
                f"max({kernel}, np.{type_}({LOWEST[type_]}))", f"max({host}, np.{type_}({LOWEST[type_]}))", type_
            )
        return Value(kernel, host, type_)

    def division(self, depth: int) -> Value:
        a, b = self.number(depth), self.number(depth)
        sign = self.rng.choice(["/", "//", "%"])
        if is_integer(a.type) and is_integer(b.type):
            if sign == "/":
                return Value(f"({a.kernel} / {b.kernel})", f"({to(a, 'float64')} / {to(b, 'float64')})", "float64")
            type_ = arithmetic_type(a.type, b.type)
            if type_ == "int64":
                # Neither zero nor -1, whose quotient may not fit.
                return (
                    Value(
                        f"({a.kernel} {sign} (abs({b.kernel} % 1000) + 1))",
                        f"({to(a, type_)} {sign} (abs({to(b, type_)} % np.int64(1000)) + np.int64(1)))",
                        type_,
                    )
                    if b.type != "uint64"
                    else a
                )
            return Value(
                f"({a.kernel} {sign} ({b.kernel} | np.uint64(1)))",
                f"({to(a, type_)} {sign} ({to(b, type_)} | np.uint64(1)))",
                type_,
            )
        type_ = arithmetic_type(a.type, b.type)
        return Value(f"({a.kernel} {sign} {b.kernel})", f"({to(a, type_)} {sign} {to(b, type_)})", type_)

    def bits(self, depth: int) -> Value:
        a, b = self.integer(depth), self.integer(depth)
        sign = self.rng.choice(["&", "|", "^"])
        type_ = arithmetic_type(a.type, b.type)
        return Value(f"({a.kernel} {sign} {b.kernel})", f"({to(a, type_)} {sign} {to(b, type_)})", type_)

    def shift(self, depth: int) -> Value:
        a, by = self.integer(depth), self.rng.randint(0, 40)
        sign = self.rng.choice(["<<", ">>"])
        type_ = "uint64" if a.type.startswith("u") else "int64"
        return Value(f"({a.kernel} {sign} {by})", f"({to(a, type_)} {sign} np.{type_}({by}))", type_)

    def unary(self, depth: int) -> Value:
        a = self.number(depth)
        sign = self.rng.choice(["-", "+", "~", "abs"])
        if is_float(a.type):
            if sign == "~":
                sign = "-"
            text = "abs({})" if sign == "abs" else f"({sign}{{}})"
            return Value(text.format(a.kernel), text.format(a.host), a.type)
        type_ = "uint64" if a.type.startswith("u") else "int64"
        if type_ == "uint64" and sign in ("-", "abs"):
            sign = "~"
        if sign == "~" and a.type == "bool_":
            return Value(f"(~{a.kernel})", f"(not {a.host})", "bool_")
        if sign == "~" and type_ == "uint64":
            # The operand keeps its width, the result is wider.
            return Value(f"(~{a.kernel})", to(Value("", f"(~{a.host})", a.type), type_), type_)
        text = "abs({})" if sign == "abs" else f"({sign}{{}})"
        return Value(text.format(a.kernel), text.format(to(a, type_)), type_)

    def comparison(self, depth: int) -> Value:
        a, b, c = self.number(depth), self.number(depth), self.number(0)
        first, second = (self.rng.choice(["<", "<=", ">", ">=", "==", "!="]) for _ in range(2))
        pair = lambda x, y, sign: f"compared({x.host}, '{sign}', {y.host})"
        if self.rng.random() < 0.3:
            return Value(
                f"({a.kernel} {first} {b.kernel} {second} {c.kernel})",
                f"({pair(a, b, first)} and {pair(b, c, second)})",
                "bool_",
            )
        return Value(f"({a.kernel} {first} {b.kernel})", pair(a, b, first), "bool_")

    def logic(self, depth: int) -> Value:
        a, b = self.condition(depth), self.condition(depth)
        sign = self.rng.choice(["and", "or"])
        if self.rng.random() < 0.3:
            return Value(f"(not {a.kernel})", f"(not {a.host})", "bool_")
        return Value(f"({a.kernel} {sign} {b.kernel})", f"({a.host} {sign} {b.host})", "bool_")

    def condition(self, depth: int) -> Value:
        value = self.comparison(depth)
        if self.rng.random() < 0.2:
            number = self.integer(depth)
            return Value(f"bool({number.kernel})", f"bool({number.host})", "bool_")
        return value

    def choice(self, depth: int) -> Value:
        test, a, b = self.condition(depth), self.number(depth), self.number(depth)
        if a.type != b.type:
            type_ = arithmetic_type(a.type, b.type)
            a, b = cast(a, type_), cast(b, type_)
        return Value(
            f"({a.kernel} if {test.kernel} else {b.kernel})", f"({a.host} if {test.host} else {b.host})", a.type
        )

    def extreme(self, depth: int) -> Value:
        a, b = self.integer(depth), self.integer(depth)
        b = cast(b, a.type)
        name = self.rng.choice(["min", "max"])
        return Value(f"{name}({a.kernel}, {b.kernel})", f"{name}({a.host}, {b.host})", a.type)

    def conversion(self, depth: int) -> Value:
        return cast(self.number(depth), self.rng.choice([*INTEGERS, *FLOATS]))

    def whole(self, depth: int) -> Value:
        value = cast(self.number(depth), self.rng.choice(FLOATS))
        name = self.rng.choice(["np.floor", "np.ceil", "np.trunc", "np.rint"])
        return Value(f"{name}({value.kernel})", f"{name}({value.host})", value.type)

    def root(self, depth: int) -> Value:
        value = cast(self.number(depth), self.rng.choice(FLOATS))
        return Value(f"np.sqrt(abs({value.kernel}))", f"np.sqrt(abs({value.host}))", value.type)

    def call(self, depth: int) -> Value:
        a, b = cast(self.integer(depth), "int64"), cast(self.number(depth), "float64")
        return Value(f"helper({a.kernel}, scale={b.kernel})", f"helper({a.host}, scale={b.host})", "float64")

    # Statements

    def line(self, indent: int, kernel: str, host: str) -> None:
        self.kernel.append("    " * indent + kernel)
        self.host.append("    " * indent + host)

    def assignment(self, indent: int) -> None:
        value = self.expression(self.rng.randint(1, 3))
        names = [name for name, type_ in self.variables.items() if name.startswith("v") and type_ != "bool_"]
        if names and self.rng.random() < 0.7:
            name = self.rng.choice(names)
            type_ = self.variables[name]
            number = (
                Value(f"({value.kernel} + 0)", f"({to(value, 'int64')} + np.int64(0))", "int64")
                if value.type == "bool_"
                else value
            )
            if (
                self.rng.random() < 0.4
                and type_ in ("int64", "float64")
                and (type_ == "float64" or number.type not in FLOATS)
            ):
                sign = self.rng.choice(["+", "-"])
                result = arithmetic_type(type_, number.type)
                assert result == type_
                self.line(indent, f"{name} {sign}= {number.kernel}", f"{name} = {name} {sign} {to(number, type_)}")
                return
            number = cast(number, type_)
            self.line(indent, f"{name} = {number.kernel}", f"{name} = {number.host}")
        elif indent == 1:
            name = f"v{self.count}"
            self.count += 1
            self.line(indent, f"{name} = {value.kernel}", f"{name} = {value.host}")
            self.variables[name] = value.type

    def statements(self, indent: int, count: int, *, in_loop: bool = False) -> None:
        start = len(self.kernel)
        for _ in range(count):
            kind = self.rng.random()
            if kind < 0.6 or indent > 3:
                self.assignment(indent)
            elif kind < 0.78:
                test = self.condition(2)
                self.line(indent, f"if {test.kernel}:", f"if {test.host}:")
                self.statements(indent + 1, self.rng.randint(1, 2), in_loop=in_loop)
                if self.rng.random() < 0.5:
                    self.line(indent, "else:", "else:")
                    self.statements(indent + 1, self.rng.randint(1, 2), in_loop=in_loop)
            elif kind < 0.9 and self.loops < 3:
                self.loop(indent)
            elif in_loop and kind < 0.95:
                word = self.rng.choice(["break", "continue"])
                test = self.condition(1)
                self.line(indent, f"if {test.kernel}:", f"if {test.host}:")
                self.line(indent + 1, word, word)
            elif kind > 0.96 and indent > 1:
                test = self.condition(1)
                self.line(indent, f"if {test.kernel}:", f"if {test.host}:")
                self.returned(indent + 1)
        if len(self.kernel) == start:
            self.line(indent, "pass", "pass")

    def loop(self, indent: int) -> None:
        self.loops += 1
        name = f"i{self.loops}"
        if self.rng.random() < 0.7:
            start, stop, step = self.rng.choice([(0, 5, 1), (5, 0, -2), (1, 8, 3), (3, 3, 1)])
            self.line(
                indent,
                f"for {name} in range({start}, {stop}, {step}):",
                f"for {name} in map(np.int64, range({start}, {stop}, {step})):",
            )
            before = dict(self.variables)
            self.variables[name] = "int64"
            self.statements(indent + 1, self.rng.randint(1, 3), in_loop=True)
            self.variables = before
        else:
            self.line(indent, f"{name} = 0", f"{name} = np.int64(0)")
            self.line(indent, f"while {name} < 5:", f"while {name} < 5:")
            self.line(indent + 1, f"{name} += 1", f"{name} += np.int64(1)")
            before = dict(self.variables)
            self.variables[name] = "int64"
            self.statements(indent + 1, self.rng.randint(1, 3), in_loop=True)
            self.variables = before
        if self.rng.random() < 0.3:
            self.line(indent, "else:", "else:")
            self.assignment(indent + 1)
            self.line(indent + 1, "pass", "pass")

    def returned(self, indent: int) -> None:
        value = self.number(2)
        value = cast(value, self.result)
        self.line(indent, f"return {value.kernel}", f"return {value.host}")


@dataclass
class Program:
    seed: int
    types: list[str]
    result: str
    function: str
    kernel: str
    host: str


HELPER = """def helper(count, scale=1.0):
    if count % 3 == 1:
        return scale
    return {float}(count) + scale
"""


def program(seed: int) -> Program:
    """The random function of a seed."""
    rng = random.Random(seed)
    types = [rng.choice(TYPES) for _ in range(rng.randint(2, 4))]
    result = rng.choice(["int64", "int64", "uint64", "int32", "float64", "float64", "float32", "uint8"])
    names = [f"a{number}" for number in range(len(types))]
    generator = Generator(rng, dict(zip(names, types, strict=True)), result=result)
    generator.statements(1, rng.randint(3, 8))
    generator.returned(1)
    function = rng.choice(FUNCTIONS) if result == "float64" and rng.random() < 0.5 else ""
    arguments = ", ".join(names)
    given = ", ".join(f"{name}[i]" for name in names)
    value = f"function({given})"
    if function:
        value = f"{function}({'0.25 + abs' if function == 'math.log' else ''}(min(max({value}, -500.0), 500.0)))"
    kernel = HELPER.format(float="float") + f"\ndef function({arguments}):\n" + "\n".join(generator.kernel)
    kernel = (
        "import math\nimport numpy as np\nfrom cuox.numba import cuda\n\n@cuda.jit(device=True)\n"
        + kernel.replace("\ndef function", "\n@cuda.jit(device=True)\ndef function")
    )
    kernel += f"\n\n@cuda.jit\ndef kernel(found, {arguments}):\n    i = cuda.grid(1)\n    if i < found.size:\n        found[i] = {value}\n"
    host = HELPER.format(float="np.float64") + f"\ndef function({arguments}):\n" + "\n".join(generator.host)
    host += f"\n\ndef run(found, {arguments}):\n    for i in range(found.size):\n        found[i] = {value}\n"
    return Program(seed, types, result, function, kernel, host)
