"""Random kernels in CUDA C++ whose results are defined to the last bit, for `test_random_kernels.py` and
`tools/random_kernels.py`.

No thread sees what another one writes, but through barriers, warp operations and sums whose order does not matter.
"""

from __future__ import annotations

import random
from math import prod

from random_cpp_expressions import COMMON, FLOATS, INTEGERS, Function, Variable
from random_cpp_prelude import CONSTANTS, GROUPS, HALF, INPUTS, MOST_THREADS, OPERATIONS, OWN, PRELUDE, SHARED_OWN
from random_cpp_statements import Place
from random_cpp_tree import Expr, Node, Program
from random_cpp_warps import FULL, Warps

BLOCKS: list[tuple[int, ...]] = [(32,), (33,), (64,), (100,), (257,), (128,), (31,), (1,), (256,)]
BLOCKS += [(16, 4), (7, 9), (48, 2), (32, 3), (8, 8), (4, 16), (64, 2), (5, 3, 7), (8, 2, 4), (2, 64), (11, 16)]
GRIDS: list[tuple[int, ...]] = [(1,), (2,), (3,), (3,), (2, 2), (11,)]
PARAMETERS = "u64 *out, u64 *own, u32 *own_words, u8 *columns, const u64 *in, u32 *total, u64 *wide_total, u32 p0, u64 p1, f32 p2"
# Words of 32 bits that each thread owns in global memory.
OWN_WORDS = 4


class Generator(Warps):
    """Makes the functions and the kernel of a program."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))
        self.seed = seed
        self.effects = []
        self.masked = []
        self.alike = []
        self.of_blocks = []
        self.nodes: list[Node] = []

    def program(self) -> Program:
        rng = self.rng
        self.has_halves = rng.random() < 0.06
        self.exits = rng.random() < 0.25
        shapes = [(rng.choice(GRIDS), block) for block in rng.sample(BLOCKS, rng.choice([1, 1, 1, 2]))]
        full_warps = all(prod(block) % 32 == 0 for _, block in shapes)
        groups = full_warps and not self.exits and rng.random() < 0.06
        constants = ", ".join(f"{rng.getrandbits(rng.choice([3, 8, 32]))}u" for _ in range(CONSTANTS))
        head = PRELUDE + (HALF if self.has_halves else "") + (GROUPS if groups else "")
        head += f"__constant__ u32 fixed[{CONSTANTS}] = {{{constants}}};\n"
        makers = [
            self.function,
            self.function,
            self.recursive,
            self.templated,
            self.effect_function,
            self.masked_function,
        ]
        for _ in range(rng.randint(0, 6)):
            rng.choice([*makers, self.alike_function, self.masked_recursion, self.block_function])()
        self.has_groups = groups
        results = self.kernel(full_warps)
        # A launch leaves nothing behind for a later one.
        return Program(self.seed, [*shapes, shapes[0]], head, self.nodes, results)

    # Functions

    def start(self, parameters: list[Variable], has_thread: bool, budget: int) -> None:
        self.variables = parameters
        self.arrays, self.records, self.uniform, self.loops = [], [], [], 0
        self.has_thread, self.budget = has_thread, budget

    def some(self, place: Place) -> list[Node]:
        nodes = []
        while self.budget > 0:
            nodes.append(self.statement(place))
        return nodes

    def kind(self) -> str:
        return self.rng.choice(["__device__ __noinline__", "__device__ __noinline__", "static __device__", "D"])

    def parameters(self, types: list[str]) -> tuple[list[Variable], str]:
        variables = [Variable(self.name("v"), type_) for type_ in types]
        return variables, ", ".join(f"{one.type} {one.name}" for one in variables)

    def function(self) -> None:
        name, type_ = self.name("fn"), self.rng.choice(COMMON)
        types = ["u32", *(self.rng.choice(COMMON) for _ in range(self.rng.randint(0, 3)))]
        variables, text = self.parameters(types)
        self.start(variables, False, self.rng.randint(1, 8))
        body = self.some(Place(returns=type_, pure=True, sums=False))
        self.nodes.append(
            Node([f"{self.kind()} {type_} {name}({text}) {{", body, "    return ", self.value(type_), ";\n}"])
        )
        self.functions.append(Function(name, type_, types))

    def alike_function(self) -> None:
        for _ in range(2):
            name = self.name("fn")
            variables, text = self.parameters(["u32", "u32"])
            self.start(variables, False, self.rng.randint(1, 4))
            body = self.some(Place(returns="u32", pure=True, sums=False))
            self.nodes.append(
                Node([f"__device__ __noinline__ u32 {name}({text}) {{", body, "    return ", self.value("u32"), ";\n}"])
            )
            self.alike.append(name)

    def recursive(self) -> None:
        """Calls itself once or twice, to a depth that its first argument bounds."""
        name, inner, type_ = self.name("fn"), self.name("fn"), self.rng.choice(["u32", "i32", "u64", "f32"])
        variables, text = self.parameters(["u32", type_])
        n, x = variables[0].name, variables[1].name
        self.start(variables, False, self.rng.randint(1, 3))
        variables[0].is_mutable = False
        self.variables.append(Variable("w", "u32"))
        depth = self.rng.randint(2, 5)
        place = Place(depth=1, returns=type_, pure=True, sums=False)
        body = self.some(place)
        again = f"{inner}({n} - 1, {x})"
        if self.chance(0.4):
            again = f"add({again}, {inner}({n} / 2, {x}))"
        twice = f"if (w & 1) {x} = {again};\n    " if self.chance(0.4) and depth < 5 else ""
        combine = self.rng.choice(["add", "sub", "most"])
        self.nodes.append(
            Node(
                [
                    f"__device__ {self.rng.choice(['', '__noinline__ '])}{type_} {inner}({text}) {{\n    u32 w = {n} * 3u;\n    if ({n} == 0) return {x};",
                    body,
                    f"    {twice}return {combine}({again}, ",
                    self.expr(type_, 1),
                    f");\n}}\nD {type_} {name}(u32 n, {type_} x) {{ return {inner}(n % {depth}u, x); }}",
                ]
            )
        )
        self.functions.append(Function(name, type_, ["u32", type_]))

    def templated(self) -> None:
        """A template of a type and a number, used with several of them."""
        name, rng = self.name("fn"), self.rng
        steps = []
        for _ in range(rng.randint(1, 4)):
            steps.append(
                rng.choice(
                    [
                        "a = add(a, b);",
                        "for (int i = 0; i < N; i++) { s[i] = mul(s[i], a); a = sub(a, s[(i + 1) % N]); }",
                        "b = to<T>(to<u32>(a) ^ to<u32>(b));",
                        "if (a < b) { T c = a; a = b; b = c; }",
                        "if (N > 2 && s[N - 1] < b) return most(a, s[0]);",
                        "s[to<u32>(b) % (u32)N] = least(a, b);",
                        "if constexpr (sizeof(T) > 2) a = to<T>(to<i16>(a)); else a = quot(a, b);",
                        "if constexpr (N > 1) b = add(b, " + name + "<T, N - 1>(b, a));",
                    ]
                )
            )
        text = "\n    ".join(steps)
        self.nodes.append(
            Node(
                [
                    f"template <class T, int N> {self.kind()} T {name}(T a, T b) {{\n    T s[N];\n    for (int i = 0; i < N; i++) s[i] = add(b, to<T>(i * {rng.randint(1, 99)}));\n    {text}\n    return sub(s[N / 2], a);\n}}"
                ]
            )
        )
        for _ in range(rng.randint(1, 4)):
            type_ = rng.choice([*INTEGERS, *FLOATS])
            self.functions.append(Function(f"{name}<{type_}, {rng.randint(1, 4)}>", type_, [type_, type_]))

    def effect_function(self) -> None:
        name, is_masked = self.name("g"), self.chance(0.4)
        types = [self.rng.choice(COMMON) for _ in range(self.rng.randint(0, 2))]
        variables, text = self.parameters(types)
        reference, mask = Variable(self.name("v"), "u32"), self.name("m")
        self.start([reference, *variables], True, self.rng.randint(1, 8))
        place = Place(mask=mask if is_masked else None)
        masked = f"u32 {mask}, " if is_masked else ""
        text = ", ".join(filter(None, [f"{masked}u32 &{reference.name}", text]))
        before = self.effects, self.masked
        # A function that is called in many places of others is large.
        self.effects = self.effects[-1:]
        body = self.some(place)
        self.effects, self.masked = before
        self.nodes.append(Node([f"{self.kind()} void {name}(Thread &t, {text}) {{", body, "}"]))
        self.effects.append((name, is_masked, types))

    def masked_function(self) -> None:
        name, mask = self.name("w"), self.name("m")
        variables, text = self.parameters(["u32"])
        self.start(variables, True, self.rng.randint(2, 8))
        before = self.effects, self.masked
        self.effects, self.masked = self.effects[-1:], self.masked[-1:]
        body = self.some(Place(mask=mask, returns="u32"))
        self.effects, self.masked = before
        self.nodes.append(
            Node(
                [
                    f"{self.kind()} u32 {name}(Thread &t, u32 {mask}, {text}) {{",
                    body,
                    "    return ",
                    self.value("u32"),
                    ";\n}",
                ]
            )
        )
        self.masked.append(name)

    def masked_recursion(self) -> None:
        """Recursion to another depth in each lane, with warp operations of the lanes that are that deep."""
        name, inner, mask, deeper = self.name("w"), self.name("w"), self.name("m"), self.name("m")
        variables, text = self.parameters(["u32", "u32"])
        n, x = (one.name for one in variables)
        self.start(variables, True, self.rng.randint(1, 3))
        before, self.masked = self.masked, []
        effects, self.effects = self.effects, []
        variables[0].is_mutable = False
        body = self.some(Place(depth=1, mask=mask))
        self.masked, self.effects = before, effects
        self.nodes.append(
            Node(
                [
                    f"__device__ __noinline__ u32 {inner}(Thread &t, u32 {mask}, {text}) {{",
                    body,
                    f"    const u32 {deeper} = __ballot_sync({mask}, {n} > 0);\n    if ({n} > 0) {x} ^= {inner}(t, {deeper}, {n} - 1, {x});\n    return {x} + __reduce_add_sync({mask}, ",
                    self.expr("u32", 1),
                    f");\n}}\nD u32 {name}(Thread &t, u32 mask, u32 x) {{ return {inner}(t, mask, x % {self.rng.randint(2, 5)}u, x); }}",
                ]
            )
        )
        self.masked.append(name)

    def block_function(self) -> None:
        """Called by all threads of a block together; it may call itself."""
        name, mask = self.name("w"), self.name("m")
        variables, text = self.parameters(["u32", "u32"])
        n, x = (one.name for one in variables)
        variables[0].is_mutable = False
        self.start(variables, True, self.rng.randint(2, 6))
        self.uniform = [n]
        effects, self.effects = self.effects, self.effects[-1:]
        before, self.masked = self.masked, self.masked[-1:]
        others, self.of_blocks = self.of_blocks, []
        body = self.some(Place(depth=1, mask=mask, together=True))
        self.effects, self.masked, self.of_blocks = effects, before, others
        again = f"    if ({n} % 4u) {x} += {name}(t, {mask}, {n} % 4u - 1, {x});\n" if self.chance(0.4) else ""
        head = f"__device__ __noinline__ u32 {name}(Thread &t, u32 {mask}, {text}) {{"
        self.nodes.append(Node([head, body, f"{again}    return {x} ^ ", self.value("u32"), ";\n}"]))
        self.of_blocks.append(name)

    # The kernel

    def kernel(self, full_warps: bool) -> list[str]:
        rng = self.rng
        more = ["u32", "i32", "u64", "f32", "f64", rng.choice(INTEGERS)]
        start = [
            Variable("v0", "u32"),
            *(Variable(f"v0{type_}", type_) for type_ in dict.fromkeys(more) if type_ != "u32"),
            Variable("p0", "u32", False),
            Variable("p1", "u64", False),
            Variable("p2", "f32", False),
        ]
        initial = [one for one in start[1:] if one.is_mutable]
        self.start(start, True, 100 if self.chance(0.06) else rng.randint(12, 40))
        self.uniform = ["p0", "blockIdx.x", "t.block"]
        mask = FULL if full_warps and not self.exits and self.chance(0.8) else "m0"
        place = Place(together=True, mask=mask)
        nodes = []
        leaving = rng.randint(3, 20) if self.exits else -1
        while self.budget > 0:
            nodes.append(self.statement(place))
            if 0 <= self.budget < leaving:
                nodes.append(self.leave())
                leaving = -1
        shown: list[tuple[str, str]] = [(one.name, one.name) for one in self.variables if not one.name.startswith("p")]
        shown += [(f"{name}[{i}]", f"{name}[{i}]") for name, _, length in self.arrays for i in range(length)]
        shown += [
            (f"{name}.{field}", f"{name}.{field}")
            for name in self.records
            for field in ("a", "b", "c", "d", "e[0]", "e[3]", "p.a", "p.b", "f")
        ]
        shown += [(f"t.shared_own[{i}]", f"t.shared_own[{i}]") for i in range(SHARED_OWN)]
        ends = [Node([f"out[t.gid * {{count}}u + {place}u] = word({text});"]) for place, (_, text) in enumerate(shown)]
        total = len(OPERATIONS)
        ends.append(
            Node(
                [
                    f"__syncthreads();\nfor (u32 i = t.tid; i < {total}; i += size)\n    atomicXor(t.wide_total + {total} + i, (u64)t.shared_total[i] * (block + 3));"
                ]
            )
        )
        names = [name for name, _ in shown]
        body = [*nodes, *ends]
        for node in body:
            _count(node, len(names))
        setup = f"""extern "C" __global__ void kernel({PARAMETERS}) {{
    __shared__ u32 shared_own[{MOST_THREADS * SHARED_OWN}], shared_column[{MOST_THREADS * 4}], exchange[{MOST_THREADS}], shared_total[{total}];
    const u32 size = blockDim.x * blockDim.y * blockDim.z, block = blockIdx.x + blockIdx.y * gridDim.x;
    const u32 tid = threadIdx.x + (threadIdx.y + threadIdx.z * blockDim.y) * blockDim.x;
    const u32 gid = block * size + tid, lane = tid % 32u, left = size - (tid - lane);
    const u32 threads = size * gridDim.x * gridDim.y, at = {rng.choice(["gid", "gid", "threads - 1 - gid", "block * size + (size - 1 - tid)"])};
    Thread t = {{tid, lane, gid, threads, size, block, own + gid * {OWN}, own_words + gid * {OWN_WORDS},
                (u32 *)columns + at, (u16 *)(columns + threads * 16) + at, columns + threads * 24 + at, shared_column + tid, in, total, wide_total,
                shared_own + tid * {SHARED_OWN}, exchange, shared_total}};
    for (u32 i = 0; i < {SHARED_OWN}; i++) t.shared_own[i] = t.shared_column[i * {MOST_THREADS}] = after(gid, i);
    exchange[tid] = gid;
    for (u32 i = tid; i < {total}; i += size) shared_total[i] = i * 77u;
    u32 m0 = left >= 32u ? 0xffffffffu : (1u << left) - 1, v0 = tid;
    {" ".join(f"{one.type} {one.name} = to<{one.type}>(in[(gid * {place + 3}u) % {INPUTS}u]);" for place, one in enumerate(initial))}
    __syncthreads();"""
        self.nodes.append(Node([setup, body, "}"]))
        return names

    def leave(self) -> Node:
        """Some threads end here. What the others see of them was there before."""
        scope = len(self.variables)
        condition = self.condition(2)
        body = self.body(Place(depth=1, sums=False), 2)
        del self.variables[scope:]
        return Node(
            [
                "__syncthreads();\nconst bool leaves = ",
                condition,
                ";\nm0 = __ballot_sync(m0, !leaves);\nif (leaves) {",
                body,
                "    out[t.gid * {count}u] = word(v0);\n    return;\n}",
            ]
        )


def _count(node: Node, count: int) -> None:
    """Put in the number of words that a thread writes, which was not known before."""
    for place, part in enumerate(node.parts):
        if isinstance(part, str):
            node.parts[place] = part.replace("{count}", str(count))


def program(seed: int) -> Program:
    """The program of a seed."""
    return Generator(seed).program()


__all__ = ["INPUTS", "OWN_WORDS", "Expr", "program"]
