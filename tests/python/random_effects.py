"""Random functions with effects in expressions and values that change under names, for `test_numba_effects.py` and
`tools/random_effects.py`: each runs in a kernel and, the same text, in CPython.

All numbers are small integers, and halves of such: neither overflow nor rounding tells the two apart. Elements of
uint64, whose sums with int64 are floats by Numba's rules, are read as int64. Left out are assignments between rows and
columns, which NumPy does not copy first.
"""

from __future__ import annotations

import linecache
import multiprocessing
import os
import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

# The arrays of a program, by name: the shape and the types, one of which each program has.
ARRAYS = {
    "o": ((8,), ["float64"]),
    "c": ((4,), ["int64"]),
    "x": ((6,), ["int64", "int32", "float64", "float32", "int16"]),
    "y": ((6,), ["uint8", "uint16", "uint32", "uint64", "int8", "float16"]),
    "q": ((3, 3), ["int64", "float64", "float32"]),
    "z": ((3,), ["complex64", "complex128"]),
    "b": ((4,), ["bool_"]),
}
NAMES = ", ".join(ARRAYS)
# Programs that one kernel has, whose parameters do not fit more.
TOGETHER = 20
HELPERS = """
import numpy as np


def step(c):
    c[0] = (c[0] + 1) % 97
    return int(c[0])


def put(a, i, value):
    a[i] = value
    return value


def note(c, value):
    c[1] = (c[1] * 10 + value) % 997
    return value


def mixed(p, q=1, r=2):
    return (p * 7 + q * 3 + r) % 97


def total(s, a, start):
    for e in a[s]:
        start += int(np.int64(e))
    return start % 97


def adder(m, p=1):
    def add(t):
        return (t * p + m) % 97

    return add


def both(f, g):
    return lambda t: (f(t) * 3 + g(t)) % 97
"""


class Generator:
    """Makes the lines of one function."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.integers = ["n", "k", "v"]
        self.functions: list[str] = []
        self.loops = 0
        self.count = 0

    def pick(self, *choices: Callable[[], str]) -> str:
        return self.rng.choice(choices)()

    # Expressions: integers from -97 to 97 or so

    def integer(self, depth: int) -> str:
        rng = self.rng
        if depth <= 0:
            return self.pick(
                lambda: rng.choice(self.integers),
                lambda: rng.choice(self.integers),
                lambda: str(rng.randint(0, 9)),
                lambda: "int(w)",
                lambda: "step(c)",
                lambda: self.element(0),
            )
        sub = lambda: self.integer(depth - 1)
        kinds: list[Callable[[], str]] = [
            lambda: f"(({sub()} {rng.choice('+-*')} {sub()}) % 97)",
            lambda: f"(({sub()} {rng.choice('+-*')} {sub()}) % 97)",
            lambda: f"({sub()} {rng.choice('+-')} {sub()}) % 97",
            lambda: f"({sub()} {rng.choice(['//', '%'])} (abs({sub()}) + 1))",
            lambda: f"divmod({sub()}, abs({sub()}) + 1)[{rng.randint(0, 1)}]",
            lambda: f"note(c, {sub()} % 10)",
            lambda: f"put(c, {rng.choice([2, 3, -1, -2])}, {sub()} % 97)",
            lambda: f"put(x, {self.index(6, depth - 1)}, {sub()} % 97)",
            lambda: f"mixed({sub()}, r={sub()}, q={sub()})",
            lambda: f"mixed(q={sub()}, p={sub()})",
            lambda: f"({sub()} if {self.condition(depth - 1)} else {sub()})",
            lambda: f"{rng.choice(['min', 'max'])}({sub()}, {sub()})",
            lambda: f"({rng.choice(self.integers[:3])} := {sub()})",
            lambda: f"({sub()}, {sub()}, {sub()})[{rng.randint(-3, 2)}]",
            lambda: f"(lambda t: (t + {rng.choice(self.integers)}) % 97)({sub()})",
            lambda: f"int({self.condition(depth - 1)})",
            lambda: f"total({self.part()}, {rng.choice('xy')}, {sub()})",
            lambda: f"total(s, x, {sub()})",
            lambda: f"h({sub()})",
            lambda: f"adder({sub()}, p={sub()})({sub()})",
            lambda: f"(len(r) + {sub()}) % 97",
            lambda: self.element(depth - 1),
            lambda: self.element(depth - 1),
        ]
        if self.functions:
            kinds += [lambda: f"{rng.choice(self.functions)}({sub()})"] * 2
        return self.pick(*kinds)

    def index(self, length: int, depth: int) -> str:
        if self.rng.random() < 0.5:
            return str(self.rng.randint(-length, length - 1))
        return f"{self.integer(depth)} % {length}{self.rng.choice(['', f' - {length}'])}"

    def element(self, depth: int) -> str:
        return self.pick(
            lambda: f"int(x[{self.index(6, depth)}])",
            lambda: f"int(np.int64(y[{self.index(6, depth)}]))",
            lambda: f"int(c[{self.index(4, depth)}])",
            lambda: f"int(q[{self.index(3, depth)}, {self.index(3, depth)}])",
            lambda: f"int(q[{self.index(3, depth)}][{self.index(3, depth)}])",
            lambda: f"int(z[{self.index(3, depth)}].{self.rng.choice(['real', 'imag'])})",
            lambda: f"int(b[{self.index(4, depth)}])",
            lambda: f"int(x{self.view()}[{self.index(2, depth)}])",
        )

    def part(self) -> str:
        start = self.rng.randint(0, 3)
        return f"slice({start}, {self.rng.randint(start, 6)})"

    def view(self) -> str:
        """A slice of six items, which leaves two or more."""
        return self.rng.choice(["[::-1]", "[::2]", "[1:4]", "[-3:]", "[4:1:-1]", "[:-2]", "[-2::-2]"])

    def condition(self, depth: int) -> str:
        sub = lambda: self.integer(depth - 1)
        sign = lambda: self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return self.pick(
            lambda: f"{sub()} {sign()} {sub()}",
            lambda: f"{sub()} {sign()} {sub()} {sign()} {sub()}",
            lambda: f"({sub()} > 3 {self.rng.choice(['and', 'or'])} {sub()} < 50)",
            lambda: f"not {sub()} > 9",
            lambda: f"{sub()} in r",
        )

    # Statements

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def statement(self, indent: int) -> None:
        rng, value = self.rng, lambda: self.integer(rng.randint(1, 2))
        plain: list[Callable[[], str]] = [
            lambda: f"{rng.choice(self.integers[:3])} = {value()}",
            lambda: f"{rng.choice(self.integers[:3])} = {value()}",
            lambda: f"n, k = {value()}, {value()}",
            lambda: "n, v = v, n",
            lambda: f"{rng.choice(self.integers[:3])} += {value()}",
            lambda: f"w = {value()}",
            lambda: f"w = {value()} * 0.5",
            lambda: f"x[{self.index(6, 1)}] = {value()} % 97",
            lambda: f"y[{self.index(6, 1)}] = {value()} % 97",
            lambda: f"z[{self.index(3, 1)}] = complex({value()}, {value()})",
            lambda: f"b[{self.index(4, 1)}] = {self.condition(1)}",
            lambda: f"q[{self.index(3, 1)}, {self.index(3, 1)}] = {value()} % 97",
            lambda: f"c[{self.index(4, 1)}] += {value()} % 97",
            lambda: f"o[{self.index(8, 1)}] += {value()}",
            lambda: f"o[{self.index(8, 1)}] = {value()} * 0.5",
            lambda: rng.choice(["x[:] = x[::-1]", "x[1:] = x[:-1]", "x[:-2] = x[2:]", "x[::2] = x[2::-1]"]),
            lambda: rng.choice(["q[:] = q.T", "q[:] = q.T", "q[1] = q[0]", "q[::-1] = q", "q[:2, :2] = q[1:, 1:]"]),
            lambda: f"h = adder({value()}, {value()})",
            lambda: f"x[1:3] = {value()} % 97, {value()} % 97",
            lambda: f"r = range({value()} % 4)",
            lambda: f"r = range({value()} % 5, {value()} % 9, {rng.randint(1, 3)})",
            lambda: f"s = slice({value()} % 3, {value()} % 7)",
        ]
        kind = rng.random()
        if kind < 0.62 or indent > 3:
            self.line(indent, self.pick(*plain))
        elif kind < 0.74:
            self.line(indent, f"if {self.condition(1)}:")
            self.body(indent + 1)
            if rng.random() < 0.5:
                self.line(indent, "else:")
                self.body(indent + 1)
        elif kind < 0.82 and indent == 1:
            self.function(indent)
        elif self.loops < 4:
            self.loop(indent)
        else:
            self.line(indent, self.pick(*plain))

    def body(self, indent: int) -> None:
        for _ in range(self.rng.randint(1, 3)):
            self.statement(indent)

    def function(self, indent: int) -> None:
        name = f"g{self.count}"
        self.count += 1
        body = f"(t + {self.integer(1)}) % 97"
        if ":=" in body or self.rng.random() < 0.3:
            body = f"(t * 3 + {self.rng.choice(self.integers[:3])} - int(w)) % 97"
        if self.functions and self.rng.random() < 0.2:
            self.line(indent, f"{name} = both({self.rng.choice(self.functions)}, h)")
        elif self.rng.random() < 0.5:
            self.line(indent, f"{name} = lambda t: {body}")
        else:
            self.line(indent, f"def {name}(t):")
            self.line(indent + 1, f"return {body}")
        self.functions.append(name)

    def loop(self, indent: int) -> None:
        self.loops += 1
        rng, name = self.rng, f"i{self.loops}"
        item = f"e{self.loops}"
        changed = rng.choice(self.integers[:3])
        heads = [
            f"for {name} in range({changed} % 4):",
            f"for {name} in range({self.integer(1)} % 3, {self.integer(1)} % 6):",
            f"for {name} in r:",
            f"for {name} in reversed(r):",
            f"for {name}, {item} in enumerate(x{self.view()}, {self.integer(0)}):",
            f"for {name}, {item} in zip(range({changed} % 5), x):",
            f"for {item} in x{self.view()}:",
            f"for {name} in ({self.integer(1)}, {self.integer(1)}):",
            f"for {name} in ({', '.join(f'int({self.integer(1)})' for _ in range(rng.randint(2, 6)))}):",
        ]
        head = rng.choice(heads)
        self.line(indent, head)
        before = list(self.integers)
        if name in head:
            self.integers.append(name)
        if item in head:
            self.line(indent + 1, f"o[{rng.randint(0, 7)}] += int({item})")
        self.line(indent + 1, f"{changed} = {self.integer(1)}")
        self.body(indent + 1)
        # Loops over tuples whose items have several types cannot be left.
        is_tuple = " in (" in head
        if rng.random() < (0.6 if is_tuple else 0.3) and (not is_tuple or " in (int(" in head):
            self.line(indent + 1, f"if {self.condition(1)}:")
            self.line(indent + 2, rng.choice(["break", "continue"]))
            if is_tuple and rng.random() < 0.5:
                self.statement(indent + 1)
        self.integers = before
        if rng.random() < 0.15:
            self.line(indent, "else:")
            self.body(indent + 1)


def program(seed: int) -> tuple[str, dict[str, str]]:
    """The random function of a seed, named `program_<seed>`, and the types of its arrays."""
    rng = random.Random(seed)
    generator = Generator(rng)
    for _ in range(rng.randint(4, 9)):
        generator.statement(1)
    head = [
        f"def program_{seed}({NAMES}):",
        "    n, k, v, w = 3, 5, 2, 1",
        "    r = range(3)",
        "    s = slice(1, 4)",
        "    h = adder(1)",
    ]
    tail = ["    o[0] += n", "    o[1] += k", "    o[2] += v", "    o[3] += w", "    o[4] += len(r)"]
    return "\n".join([*head, *generator.lines, *tail, ""]), {name: rng.choice(of) for name, (_, of) in ARRAYS.items()}


def compiled(text: str, name: str) -> dict[str, Any]:
    """The names of a text that is found as the source of its functions."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(text, name, "exec"), names)
    return names


def given(types: dict[str, str]) -> list[np.ndarray]:
    arrays = []
    for place, (name, (shape, _)) in enumerate(ARRAYS.items()):
        numbers = np.arange(int(np.prod(shape))).reshape(shape) * 5 % 13 + place
        arrays.append(
            (numbers * (1 + 2j) if name == "z" else numbers % 2 if name == "b" else numbers).astype(types[name])
        )
    return arrays


def run_apart(first: int, count: int, processes: int | None = None) -> Iterator[tuple[int, str]]:
    """Run so many programs in processes of their own, whose software GPU is the interpreter: it need not compile what
    runs once. Returns what is wrong, each seed with its text.
    """
    starts = range(first, first + count, TOGETHER)
    together = [range(start, min(start + TOGETHER, first + count)) for start in starts]
    context = multiprocessing.get_context("spawn")
    before = {name: os.environ.get(name) for name in _SETTINGS}
    os.environ.update(_SETTINGS)
    try:
        # A process that dies is an error here, not a wait without an end.
        workers = min(processes or os.cpu_count() or 1, len(together))
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            for found in pool.map(_run_found, together):
                yield from found
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


_SETTINGS = {"CUOX_SOFT_ENGINE": "interpreter", "CUOX_SOFT_THREADS": "1"}


def _run_found(seeds: Sequence[int]) -> list[tuple[int, str]]:
    return list(run(seeds).items())


def run(seeds: Sequence[int]) -> dict[int, str]:
    """Run programs in one kernel and in CPython. Returns what is wrong, by seed, with the text."""
    texts, types = zip(*map(program, seeds), strict=True)
    host = compiled(HELPERS + "\n\n".join(texts), f"<random effects on the host {seeds[0]}>")
    expected = [given(one) for one in types]
    for seed, arrays in zip(seeds, expected, strict=True):
        host[f"program_{seed}"](*arrays)
    try:
        found = launched(seeds, texts, [given(one) for one in types])
    except Exception as error:
        if len(seeds) == 1:
            return {seeds[0]: f"{type(error).__name__}: {error}\n{texts[0]}"}
        return {key: text for seed in seeds for key, text in run([seed]).items()}
    wrong = {}
    for seed, text, ours, right in zip(seeds, texts, found, expected, strict=True):
        for name, one, other in zip(ARRAYS, ours, right, strict=True):
            if one.tolist() != other.tolist():
                wrong[seed] = f"{name}: found {one.tolist()}, expected {other.tolist()}\n{text}"
                break
    return wrong


def launched(seeds: Sequence[int], texts: Sequence[str], arrays: list[list[np.ndarray]]) -> list[list[np.ndarray]]:
    from cuox.numba import cuda

    parameters = [[f"{name}{place}" for name in ARRAYS] for place in range(len(seeds))]
    kernel = f"def kernel({', '.join(name for names in parameters for name in names)}):\n    i = cuda.grid(1)\n"
    for place, (seed, names) in enumerate(zip(seeds, parameters, strict=True)):
        kernel += f"    if i == {place}:\n        program_{seed}({', '.join(names)})\n"
    text = "from cuox.numba import cuda\n" + HELPERS + "\n\n".join([*texts, kernel])
    function = compiled(text, f"<random effects {seeds[0]}>")["kernel"]
    there = [[cuda.to_device(array) for array in one] for one in arrays]
    # Optimized code would be the same, but takes the compiler eight times as long.
    cuda.jit(function, opt=False)[1, 32](*(array for one in there for array in one))
    return [[array.copy_to_host() for array in one] for one in there]
