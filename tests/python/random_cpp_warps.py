"""Random statements of threads that know of each other, for `random_cpp.py`: masks, warp operations, barriers."""

from __future__ import annotations

from dataclasses import replace

from random_cpp_expressions import Variable
from random_cpp_prelude import OPERATIONS
from random_cpp_statements import Kind, Parts, Place, Statements
from random_cpp_tree import Expr, Node

FULL = "0xffffffffu"
LANES = [
    (0x0000FFFF, "t.lane < 16u"),
    (0x55555555, "!(t.lane & 1u)"),
    (0x00000001, "t.lane == 0u"),
    (0xFFFFFF00, "t.lane >= 8u"),
    (0x0F0F0F0F, "!(t.lane & 4u)"),
    (0x80000000, "t.lane == 31u"),
]


class Warps(Statements):
    """Makes such statements, too."""

    has_groups = False
    # Some threads end early.
    exits = False
    # Functions of a mask and a u32 that give a u32.
    masked: list[str]
    # Functions that all threads of a block call together, with the lanes of a warp that are left, and a u32.
    of_blocks: list[str]

    def kinds(self, place: Place) -> list[Kind]:
        kinds = super().kinds(place)
        if place.depth < 3 and self.budget > 0:
            if place.mask is not None:
                kinds += [(3, self.masked_branch), (0.8, self.masked_switch)]
                if self.loops < 2:
                    kinds += [(2, self.masked_loop), (1, self.uniform_loop)]
            if place.together:
                kinds += [(1, self.uniform_branch)]
        if place.mask is not None:
            kinds += [(4, self.warp_operation), (1, self.warp_exchange), (1.2, self.operation_of_both)]
            kinds += [(0.7, self.operation_of_turns)]
            if self.masked:
                kinds += [(0.8, self.masked_call), (0.3 if len(self.masked) > 1 else 0, self.masked_pointer)]
            if place.returns and place.depth <= 2:
                kinds.append((0.4, self.masked_return))
            if place.loop_mask:
                kinds.append((0.8, self.leave_masked_loop))
        if place.together:
            kinds += [(1, self.block_exchange), (0.5, self.read_sum), (0.3, self.block_vote), (0.2, self.block_sum)]
            if self.of_blocks:
                kinds.append((1, self.block_call))
            kinds += [(0.4, self.barrier_of_both), (0.3, self.chain)]
            if self.has_groups:
                kinds.append((2, self.tile))
        return kinds

    # Control flow of lanes that a mask names

    def masked_branch(self, place: Place) -> Node:
        condition, mask = self.name("b"), self.name("m")
        inner = place.inner(together=False, mask=mask, loop_mask=None, returns=None)
        if place.mask == FULL and self.chance(0.5):
            # Lanes, and so masks, that are known.
            bits, text = self.rng.choice(LANES)
            inner = replace(inner, mask=f"0x{bits:08x}u")
            others = replace(inner, mask=f"0x{bits ^ 0xFFFFFFFF:08x}u")
            return Node([f"if ({text}) {{", self.body(inner), "} else {", self.body(others), "}"])
        parts: Parts = [
            f"const bool {condition} = ",
            self.condition(2),
            f";\nu32 {mask} = __ballot_sync({place.mask}, {condition});\nif ({condition}) {{",
            self.body(inner),
        ]
        if self.chance(0.5):
            other = self.name("m")
            parts += [f"}} else {{\n    u32 {other} = {place.mask} & ~{mask};", self.body(replace(inner, mask=other))]
        return Node([*parts, "}"])

    def choice(self, place: Place, word: str) -> Parts:
        """A branch of some lanes, which then are no longer among those of the place."""
        condition, mask = self.name("b"), self.name("m")
        body = self.body(place.inner(together=False, mask=mask, loop_mask=None, returns=None), 2)
        ballot = f";\nconst u32 {mask} = __ballot_sync({place.mask}, {condition});\nif ({condition}) {{"
        head: Parts = [f"const bool {condition} = ", self.condition(2), ballot, body]
        parts: Parts = (
            ["    return ", self.expr(place.returns, 1)] if word == "return" and place.returns else [f"    {word}"]
        )
        return [*head, *parts, f";\n}}\n{place.mask} &= ~{mask};"]

    def leave_masked_loop(self, place: Place) -> Node:
        return Node(self.choice(place, "break" if place.loop_mask == place.mask else "continue"))

    def masked_return(self, place: Place) -> Node:
        return Node(self.choice(place, "return"))

    def masked_switch(self, place: Place) -> Node:
        name, mask = self.name("k"), self.name("m")
        inner = place.inner(together=False, mask=mask, loop_mask=None, in_switch=True, returns=None)
        count = self.rng.randint(2, 4)
        parts: Parts = [
            f"const u32 {name} = ",
            self.expr("u32", 2),
            f" % {count}u;\nu32 {mask} = __match_any_sync({place.mask}, {name});\nswitch ({name}) {{\n",
        ]
        for case in range(count):
            parts += [f"case {case}: {{" if case < count - 1 else "default: {", self.body(inner, 2), "} break;\n"]
        return Node([*parts, "}"])

    def masked_loop(self, place: Place) -> Node:
        """A loop with another number of turns in each lane: those that go on are counted in each turn."""
        self.loops += 1
        rng, count, left, turn = self.rng, self.name("j"), self.name("m"), self.name("m")
        most = rng.randint(2, 5)
        kind = rng.random()
        inner = place.inner(together=False, in_loop=False, in_switch=False, returns=None)
        parts: Parts
        if kind < 0.45:
            # What leaves the loop is taken off the lanes that are in it; no lane goes on with the next turn before.
            inner = replace(inner, mask=left, loop_mask=left)
            go = self.name("b")
            parts = [
                f"u32 {left} = {place.mask};\nfor (u32 {count} = 0;; {count}++) {{\n    const bool {go} = {count} < {most} && ",
                self.condition(2),
                f";\n    const u32 {turn} = __ballot_sync({left}, {go});\n    if (!{go}) break;\n    {left} = {turn};",
                self.body(inner),
                "}",
            ]
        elif kind < 0.75:
            inner = replace(inner, mask=turn, loop_mask=left)
            parts = [
                f"u32 {left} = {place.mask}, {count} = 0;\nbool more{left};\ndo {{\n    u32 {turn} = {left};",
                self.body(inner),
                f"}} while (more{left} = ++{count} < {most} && ",
                self.condition(1),
                f", {left} = __ballot_sync({left}, more{left}), more{left});",
            ]
        else:
            inner = replace(inner, mask=turn, loop_mask=left)
            limit = self.name("n")
            parts = [
                f"const u32 {limit} = ",
                self.expr("u32", 2),
                f" % {most + 1}u;\nu32 {left} = __ballot_sync({place.mask}, 0 < {limit});\nfor (u32 {count} = 0; {count} < {limit}; {count}++, {left} = __ballot_sync({left}, {count} < {limit})) {{\n    u32 {turn} = {left};",
                self.body(inner),
                "}",
            ]
        self.loops -= 1
        return Node(parts)

    def uniform_loop(self, place: Place) -> Node:
        """A loop that all lanes leave after the same turn."""
        self.loops += 1
        name = self.name("j")
        bound: Parts = (
            ["(", self.uniform_expr(), f") % {self.rng.randint(2, 5)}u"]
            if self.uniform
            else [f"{self.rng.randint(1, 4)}u"]
        )
        self.uniform.append(name)
        self.variables.append(Variable(name, "u32", False))
        pragma = self.rng.choice(["", "", "#pragma unroll 1\n", "#pragma unroll\n"])
        body = self.body(place.inner(in_loop=False, loop_mask=None, in_switch=False, returns=None))
        self.uniform.remove(name)
        self.variables = [one for one in self.variables if one.name != name]
        self.loops -= 1
        return Node([f"{pragma}for (u32 {name} = 0; {name} < ", *bound, f"; {name}++) {{", body, "}"])

    def uniform_branch(self, place: Place) -> Node:
        inner = place.inner(loop_mask=None, returns=None)
        kind = self.rng.random()
        if kind < 0.3:  # warps part, but not their lanes
            condition = Expr("bool", [f"((t.tid / 32u) {self.rng.choice(['& 1', '> 0', '% 3u == 1'])} ? true : false)"])
            inner = replace(inner, together=False)
        else:
            condition = Expr(
                "bool", ["((", self.uniform_expr(), f") % {self.rng.randint(2, 4)}u {self.rng.choice(['==', '!='])} 0)"]
            )
        parts: Parts = ["if (", condition, ") {", self.body(inner)]
        if self.chance(0.5):
            parts += ["} else {", self.body(inner)]
        return Node([*parts, "}"])

    # Warps

    def operation(self, mask: str) -> tuple[str, list[str | Expr]]:
        """A warp operation and the type that it gives."""
        rng = self.rng
        kind = rng.randrange(15)
        type_ = rng.choice(["u32", "u32", "i32", "u64", "f32", "f64", "i64"])
        if kind < 4:
            return type_, [f"__shfl_sync({mask}, ", self.value(type_), f", nth({mask}, ", self.expr("u32", 1), "))"]
        if kind == 4:
            lane = rng.randint(1, 31)
            return type_, [f"shfl_xor({mask}, t.lane, ", self.value(type_), f", {lane})"]
        if kind == 5:
            return type_, [
                f"shfl_{rng.choice(['up', 'down'])}({mask}, t.lane, ",
                self.value(type_),
                f", {rng.randint(1, 17)})",
            ]
        if kind == 6:
            return "u32", [f"__ballot_sync({mask}, ", self.condition(2), ")"]
        if kind == 7:
            return "u32", [f"(u32)__{rng.choice(['any', 'all'])}_sync({mask}, ", self.condition(2), ") + 1"]
        if kind == 8:
            other = rng.choice(["u32", "i32", "u64"])
            return "u32", [f"__match_any_sync({mask}, ", self.value(other), ")"]
        if kind == 9:
            return "u32", [f"match_all({mask}, ", self.value("u32"), ")"]
        if kind == 10:
            # Few values, so that lanes agree.
            return "u32", [f"__match_any_sync({mask}, ", self.value("u32"), f" % {rng.randint(2, 5)}u)"]
        if kind == 14:
            # The lanes of a part of the warp; what a lane outside the mask gives is not used.
            width, lane = rng.choice([2, 4, 8, 16]), rng.randint(0, 15)
            return type_, [f"shfl_part<{width}>({mask}, t.lane, ", self.value(type_), f", {lane % width})"]
        if kind == 11:
            return "i32", [f"__reduce_{rng.choice(['min', 'max'])}_sync({mask}, ", self.value("i32"), ")"]
        return "u32", [
            f"__reduce_{rng.choice(['add', 'min', 'max', 'and', 'or', 'xor'])}_sync({mask}, ",
            self.value("u32"),
            ")",
        ]

    def warp_operation(self, place: Place) -> Node:
        assert place.mask
        type_, parts = self.operation(place.mask)
        fitting = [one for one in self.variables if one.is_mutable and one.type == type_]
        if fitting and self.chance(0.7):
            return Node([f"{self.rng.choice(fitting).name} = ", *parts, ";"])
        name = self.name("v")
        self.variables.append(Variable(name, type_))
        return Node([f"{type_} {name} = ", *parts, ";"])

    def operation_of_both(self, place: Place) -> Node:
        """The same operation from both sides of a branch: the lanes meet."""
        rng, mask, one = self.rng, place.mask, self.mutable("u32")
        kind = rng.randrange(5)
        if kind == 0:
            make = lambda: [f"__shfl_sync({mask}, ", self.expr("u32", 1), f", nth({mask}, ", self.expr("u32", 1), "))"]
        elif kind == 1:
            make = lambda: [f"__ballot_sync({mask}, ", self.condition(1), ")"]
        elif kind == 2:
            make = lambda: [f"__match_any_sync({mask}, ", self.expr("u32", 1), " % 3u)"]
        elif kind == 3:
            name = rng.choice(["add", "min", "max", "and", "or", "xor"])
            make = lambda: [f"__reduce_{name}_sync({mask}, ", self.expr("u32", 1), ")"]
        else:
            make = lambda: [f"(u32)__any_sync({mask}, ", self.condition(1), ")"]
        inner = self.parted(place)
        parts: Parts = [
            "if (",
            self.condition(2),
            ") {",
            self.body(inner, 1),
            f"    {one.name} = ",
            *make(),
            ";\n} else {",
        ]
        return Node([*parts, self.body(inner, 1), f"    {one.name} ^= ", *make(), ";\n}"])

    def operation_of_turns(self, place: Place) -> Node:
        """A warp operation that each lane comes to in another turn of a loop."""
        mask, one, turn, count = place.mask, self.mutable("u32"), self.name("j"), self.rng.randint(2, 4)
        inner = self.parted(place)
        mine = self.name("k")
        call: Parts = [f"__shfl_sync({mask}, ", self.expr("u32", 1), f", nth({mask}, ", self.expr("u32", 1), "))"]
        if self.chance(0.5):
            call = [f"__ballot_sync({mask}, ", self.condition(1), ")"]
        head: Parts = [f"const u32 {mine} = ", self.expr("u32", 1), f" % {count}u;\n"]
        self.loops += 1
        head += [f"for (u32 {turn} = 0; {turn} < {count}u; {turn}++) {{", self.body(inner, 1)]
        self.loops -= 1
        return Node([*head, f"    if ({turn} == {mine}) {one.name} ^= ", *call, ";\n}"])

    def warp_exchange(self, place: Place) -> Node:
        mask, one = place.mask, self.mutable("u32")
        return Node(
            [
                f"__syncwarp({mask});\nt.exchange[t.tid] = ",
                self.value("u32"),
                f";\n__syncwarp({mask});\n{one.name} ^= t.exchange[t.tid - t.lane + nth({mask}, ",
                self.expr("u32", 1),
                f")];\n__syncwarp({mask});",
            ]
        )

    def masked_call(self, place: Place) -> Node:
        one = self.mutable("u32")
        return Node([f"{one.name} = {self.rng.choice(self.masked)}(t, {place.mask}, ", self.value("u32"), ");"])

    def masked_pointer(self, place: Place) -> Node:
        """A call through a pointer, by the lanes that call the same function."""
        one, name, mask, pointer = self.mutable("u32"), self.name("b"), self.name("m"), self.name("ptr")
        first, second = self.rng.sample(self.masked, 2)
        head: Parts = [f"const bool {name} = ", self.condition(2), ";\n"]
        head.append(f"const u32 {mask} = __match_any_sync({place.mask}, (u32){name});\n")
        head.append(f"u32 (*{pointer})(Thread &, u32, u32) = {name} ? {first} : {second};\n")
        return Node([*head, f"{one.name} += {pointer}(t, {mask}, ", self.value("u32"), ");"])

    def tile(self, place: Place) -> Node:
        rng, size, name, one = self.rng, self.rng.choice([2, 4, 8, 16, 32]), self.name("g"), self.mutable("u32")
        head = f"{{\n    auto {name} = cg::tiled_partition<{size}>(cg::this_thread_block());\n    {one.name} ^= "
        kind = rng.randrange(5)
        if kind == 0:
            parts: Parts = [f"{name}.shfl(", self.value("u32"), f", t.lane % 3u % {size}u)"]
        elif kind == 1:
            parts = [f"{name}.shfl_xor(", self.value("u32"), f", {rng.randrange(size)})"]
        elif kind == 2:
            parts = [
                f"cg::reduce({name}, ",
                self.value("u32"),
                f", cg::{rng.choice(['plus', 'bit_xor', 'less'])}<u32>())",
            ]
        elif kind == 3:
            parts = [f"{name}.ballot(", self.condition(2), f") + {name}.thread_rank()"]
        else:
            parts = [f"({name}.any(", self.condition(1), f") ? {name}.meta_group_rank() : 7u)"]
        return Node([head, *parts, ";\n}"])

    # Blocks

    def block_exchange(self, place: Place) -> Node:
        one = self.mutable("u32")
        return Node(
            [
                "__syncthreads();\nt.exchange[t.tid] = ",
                self.value("u32"),
                f";\n__syncthreads();\n{one.name} ^= t.exchange[(",
                self.expr("u32", 1),
                ") % t.size];\n__syncthreads();",
            ]
        )

    def block_call(self, place: Place) -> Node:
        one, name = self.mutable("u32"), self.rng.choice(self.of_blocks)
        return Node([f"{one.name} ^= {name}(t, {place.mask}, ", self.uniform_expr(), ", ", self.value("u32"), ");"])

    def read_sum(self, place: Place) -> Node:
        one, operation = self.mutable("u32"), self.rng.randrange(len(OPERATIONS))
        return Node([f"__syncthreads();\n{one.name} += t.shared_total[{operation}];\n__syncthreads();"])

    def block_vote(self, place: Place) -> Node:
        return Node(
            [
                f"{self.mutable('u32').name} += __syncthreads_{self.rng.choice(['count', 'and', 'or'])}(",
                self.condition(2),
                ");",
            ]
        )

    def block_sum(self, place: Place) -> Node:
        """A sum of the block, halving what is left; each step behind a barrier."""
        one, step = self.mutable("u32"), self.name("j")
        return Node(
            [
                "__syncthreads();\nt.exchange[t.tid] = ",
                self.value("u32"),
                f";\n__syncthreads();\nfor (u32 {step} = 256; {step} > 0; {step} /= 2) {{\n    if (t.tid < {step} && t.tid + {step} < t.size)\n        t.exchange[t.tid] += t.exchange[t.tid + {step}];\n    __syncthreads();\n}}\n{one.name} ^= t.exchange[0];\n__syncthreads();",
            ]
        )

    def barrier_of_both(self, place: Place) -> Node:
        """A barrier that some lanes come to on one side of a branch, the others on the other."""
        one = self.mutable("u32")
        inner = self.parted(place, sums=False)
        at: Parts = ["t.exchange[(", self.expr("u32", 1), ") % t.size]"]
        parts: Parts = ["__syncthreads();\nif (", self.condition(2), ") {", self.body(inner, 1)]
        parts += [
            "    t.exchange[t.tid] = ",
            self.expr("u32", 1),
            f";\n    __barrier_sync(0);\n    {one.name} += ",
            *at,
        ]
        parts += [";\n} else {", self.body(inner, 1), "    t.exchange[t.tid] = ", self.expr("u32", 1)]
        parts += [";\n    __barrier_sync(0);", self.body(inner, 1)]
        return Node([*parts, f"    {one.name} ^= ", *at, ";\n}\n__syncthreads();"])

    def chain(self, place: Place) -> Node:
        """Each thread waits for another one: in the order of their numbers, or for a lock."""
        one = self.mutable("u32")
        if not self.exits and self.chance(0.5):
            head = "__syncthreads();\n{\n    volatile u32 *turn = t.exchange;\n    turn[0] = 0;\n    __syncthreads();\n"
            wait = "    while (turn[0] != t.tid) {}\n    __threadfence_block();\n    t.exchange[1] = "
            first: Parts = [head, wait, "(t.tid ? t.exchange[1] : 7u) * 5u + ", self.expr("u32", 1)]
            last = ";\n    __threadfence_block();\n    turn[0] = t.tid + 1;\n    __syncthreads();\n"
            return Node([*first, last, f"    {one.name} ^= t.exchange[1];\n    __syncthreads();\n}}"])
        head = (
            "__syncthreads();\n{\n    t.exchange[0] = t.exchange[1] = 0;\n    __syncthreads();\n    const u32 value = "
        )
        take = ";\n    while (atomicCAS(t.exchange, 0, 1)) {}\n    __threadfence_block();\n"
        put = "    *(volatile u32 *)(t.exchange + 1) += value;\n    __threadfence_block();\n    atomicExch(t.exchange, 0);\n"
        end = f"    __syncthreads();\n    {one.name} += t.exchange[1];\n    __syncthreads();\n}}"
        return Node([head, self.value("u32"), take, put, end])
