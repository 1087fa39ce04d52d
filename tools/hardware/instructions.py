"""Lists instructions to record on a GPU: python instructions.py PTXAS < TABLE > LIST.

TABLE is what `cargo run -p cuox-ptx --example table` prints. LIST has a line for each instruction of it that computes
from registers, a lane's own or those of its warp, and that PTXAS takes for sm_90, all modifiers and types: the set of
operands (see `operands` in record.py), the class of the result (h 16, r 32, d 64 bits, p predicate), and the PTX, which
reads registers 0 to 3 of each class and writes number 4.
"""

import itertools
import random
import re
import subprocess
import sys
import tempfile

ARITHMETIC = """add sub mul mad mul24 mad24 sad div rem abs neg min max popc clz bfind fns brev bfe bfi szext bmsk dp4a dp2a testp
copysign fma rcp sqrt rsqrt sin cos lg2 ex2 tanh set setp selp slct and or xor not cnot lop3 shf shl shr prmt cvt cvt.pack""".split()
CARRY = "add sub mad addc subc madc".split()
SCALAR = "vadd vsub vabsdiff vmin vmax vshl vshr vmad vset".split()
SIMD = [op + n for n in "24" for op in "vadd vsub vavrg vabsdiff vmin vmax vset".split()]
TYPE = re.compile(r"(pred|[busf](\d+)(x2)?|bf16(x2)?|tf32|e\dm\dx\d|ue8m0x2)$")


def register(ty):
    """The class of register that holds a type."""
    if ty == "pred":
        return "p"
    if ty in ("bf16x2", "f16x2", "u16x2", "s16x2", "tf32") or ty.endswith("x4"):
        return "r"
    if ty == "bf16" or re.match(r"u?e\dm\dx2", ty):
        return "h"
    bits = int(re.search(r"\d+", ty)[0])
    # Bytes are in 32-bit registers, so that the other bits show.
    return {8: "r", 16: "h", 32: "r", 64: "d"}.get(bits)


def table(lines):
    """Mnemonic, modifier slots, operands of every form."""
    for line in lines:
        words, operands, _ = line.rstrip("\n").split("\t")
        mnemonic, *slots = words.split(" ")
        slots = [("{" in s, s[1:-1].split("|")) for s in slots]
        yield mnemonic, slots, [o for o in operands.split(", ") if o]


def variants(slots):
    for chosen in itertools.product(*[([""] if may else []) + words for may, words in slots]):
        yield [w for w in chosen if w]


def operands_of(mnemonic, types, operands):
    """Classes of the result and of the operands, or None."""
    first = register(types[0])
    result, rest = first, [first] * (len(operands) - 1)
    if mnemonic in ("popc", "clz", "bfind"):
        result = "r"
    elif mnemonic in ("bfe", "bfi"):
        rest[-2:] = "rr"
    elif mnemonic in ("shl", "shr"):
        rest[1] = "r"
    elif mnemonic == "testp":
        result = "p"
    elif mnemonic in ("set", "setp"):
        source = register(types[-1])
        result = register(types[0]) if mnemonic == "set" else "p"
        if result is None or source is None:
            return None
        rest = [source, source]
        rest += ["p"] * (operands[-1].endswith("c"))
    elif mnemonic == "selp":
        rest[2] = "p"
    elif mnemonic == "slct":
        rest[2] = "r"
    elif mnemonic == "cvt":
        rest = [register(types[-1])] * (len(operands) - 1)
    elif mnemonic == "cvt.pack":
        result, rest = "r", ["r"] * (len(operands) - 1)
    elif mnemonic == "lop3":
        rest = ["r"] * 3
    if None in [result, *rest]:
        return None
    return result, rest


def kind_of(types):
    """The set of operands."""
    source = types[-1]
    if ("16" in source and source[0] in "fb" and source != "b16") or "m" in source:
        return "h"
    if source[0] == "f":
        return "f" if len(types) > 1 and types[0] not in ("f32", "f64") else "w"
    return "b"


def arithmetic(mnemonic, slots, operands):
    # cvt's scale factor and vectors of operands are of later machines.
    if any(o in ("vec", "a?") for o in operands[1:]):
        operands = [o for o in operands if o != "a?"]
        if "vec" in operands:
            return
    for words in variants(slots):
        types = [w for w in words if TYPE.match(w)]
        # The result of `set` hardly depends on how its truth value was combined.
        if mnemonic == "set" and {"and", "or", "xor"} & set(words) and types[0] != "u32":
            continue
        wide = "wide" in words
        if "cc" in words or not types:
            continue
        found = operands_of(mnemonic, types, operands)
        if not found:
            continue
        result, rest = found
        if wide:
            result = {"h": "r", "r": "d"}[result]
            if len(rest) == 3:
                rest[2] = result
        name = ".".join([mnemonic, *words])
        sources = [f"%{c}{n}" for n, c in enumerate(rest)]
        kind = kind_of(types)
        if mnemonic == "lop3":
            pair = "d|p" in operands
            for lut in range(256):
                if pair and lut not in (0x96, 0xE8, 0x80, 0x1B, 0xCA, 0xFE):
                    continue
                tail = [str(lut)] + (["%p3"] if pair else [])
                dest = "%r4|%p5" if pair else "%r4"
                yield kind, "r", f"{name} {', '.join([dest] + sources + tail)};"
            continue
        dest = f"%{result}4"
        yield kind, result, f"{name} {', '.join([dest] + sources)};"
        if mnemonic == "setp" and "p" in rest:
            negated = [s.replace("%p2", "!%p2") for s in sources]
            packed = any(t.endswith("x2") for t in types)
            yield kind, result, f"{name} {', '.join(['%p4|%p5'] + (sources if packed else negated))};"
        elif mnemonic == "setp" and any(t.endswith("x2") for t in types):
            yield kind, result, f"{name} {', '.join(['%p4|%p5'] + sources)};"


def carries():
    for ty in ("u32", "s32", "u64", "s64"):
        c = register(ty)
        r = lambda *n: ", ".join(f"%{c}{k}" for k in n)
        for op in ("add", "sub"):
            first = f"{op}.cc.{ty} {r(5, 0, 1)};"
            yield "b", c, f"{op}.cc.{ty} {r(4, 0, 1)};"
            yield "b", c, f"{first} {op}c.{ty} {r(4, 2, 3)};"
            yield "b", c, f"{first} {op}c.cc.{ty} {r(4, 2, 3)};"
            yield "b", c, f"{first} {op}c.cc.{ty} {r(5, 2, 3)}; {op}c.{ty} {r(4, 0, 3)};"
            yield "b", c, f"{first} {'sub' if op == 'add' else 'add'}c.{ty} {r(4, 2, 3)};"
        for half in ("lo", "hi"):
            first = f"mad.{half}.cc.{ty} {r(5, 0, 1, 2)};"
            yield "b", c, f"mad.{half}.cc.{ty} {r(4, 0, 1, 2)};"
            yield "b", c, f"{first} addc.{ty} {r(4, 2, 3)};"
            for other in ("lo", "hi"):
                yield "b", c, f"{first} madc.{other}.{ty} {r(4, 1, 2, 3)};"
                yield "b", c, f"{first} madc.{other}.cc.{ty} {r(4, 1, 2, 3)};"
                yield "b", c, f"{first} madc.{other}.cc.{ty} {r(5, 1, 2, 3)}; addc.{ty} {r(4, 0, 3)};"


PARTS = ["", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"]


def scalar_video(rng):
    signs = ("u32", "s32")
    for op in ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr"):
        shift = op in ("vshl", "vshr")
        tails = (".clamp", ".wrap") if shift else ("",)
        for d, a, b, sat, tail in itertools.product(signs, signs, ("u32",) if shift else signs, ("", ".sat"), tails):
            name = f"{op}.{d}.{a}.{b}{sat}{tail}"
            yield f"{name} %r4, %r0, %r1;"
            yield f"{name} %r4, %r0{rng.choice(PARTS)}, %r1{rng.choice(PARTS)};"
            for second in ("add", "min", "max"):
                yield f"{name}.{second} %r4, %r0{rng.choice(PARTS)}, %r1{rng.choice(PARTS)}, %r2;"
            for part in PARTS[1:]:
                yield f"{name} %r4{part}, %r0{rng.choice(PARTS)}, %r1{rng.choice(PARTS)}, %r2;"
    for d, a, b, sat, scale in itertools.product(signs, signs, signs, ("", ".sat"), ("", ".shr7", ".shr15")):
        for signs_of in ("", "a", "b", "c", "po"):
            minus = [("-" if signs_of == k else "") for k in "abc"]
            po = ".po" if signs_of == "po" else ""
            for parts in (("", ""), (rng.choice(PARTS), rng.choice(PARTS))):
                yield f"vmad.{d}.{a}.{b}{po}{sat}{scale} %r4, {minus[0]}%r0{parts[0]}, {minus[1]}%r1{parts[1]}, {minus[2]}%r2;"
    for a, b, cmp in itertools.product(signs, signs, ("eq", "ne", "lt", "le", "gt", "ge")):
        name = f"vset.{a}.{b}.{cmp}"
        yield f"{name} %r4, %r0{rng.choice(PARTS)}, %r1{rng.choice(PARTS)};"
        yield f"{name}.{rng.choice(('add', 'min', 'max'))} %r4, %r0{rng.choice(PARTS)}, %r1{rng.choice(PARTS)}, %r2;"
        for part in rng.sample(PARTS[1:], 2):
            yield f"{name} %r4{part}, %r0{rng.choice(PARTS)}, %r1{rng.choice(PARTS)}, %r2;"


def simd_video(rng):
    signs = ("u32", "s32")
    for n in (2, 4):
        letter = "h" if n == 2 else "b"
        masks = [""] + [
            "." + letter + "".join(str(k) for k in reversed(range(n)) if m >> k & 1) for m in range(1, 1 << n)
        ]

        def lanes():
            if rng.random() < 0.4:
                return ""
            return f".{letter}" + "".join(str(rng.randrange(2 * n)) for _ in range(n))

        for op in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset"):
            types = itertools.product(signs, signs, signs)
            if op == "vset":
                types = itertools.product(signs, signs, ("eq", "ne", "lt", "le", "gt", "ge"))
            for d, a, b in types:
                for tail in ("", ".add") if op == "vset" else ("", ".sat", ".add"):
                    for mask in ("", rng.choice(masks)):
                        yield f"{op}{n}.{d}.{a}.{b}{tail} %r4{mask}, %r0{lanes()}, %r1{lanes()}, %r2;"


MOVES = [
    ("h", "mov.b16 %h4, {%h0, %h1};"),
    ("r", "mov.b32 %r4, {%h0, %h1};"),
    ("r", "mov.b32 {%h4, %h5}, %r0; mov.b32 %r4, {%h5, %h4};"),
    ("d", "mov.b64 %d4, {%r0, %r1};"),
    ("d", "mov.b64 {%r4, %r5}, %d0; mov.b64 %d4, {%r5, %r4};"),
    ("d", "mov.b64 %d4, {%h0, %h1, %h2, %h3};"),
    ("p", "mov.pred %p4, %p0;"),
] + [
    (register(t), f"mov.{t} %{register(t)}4, %{register(t)}0;")
    for t in "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64".split()
]


def warp():
    """Operations of a warp all of whose lanes are there."""
    for mode in ("up", "down", "bfly", "idx"):
        for kind in "bv":
            yield kind, "r", f"shfl.sync.{mode}.b32 %r4|%p5, %r0, %r1, %r2, -1;"
        yield "b", "r", f"and.b32 %r1, %r1, 31; shfl.sync.{mode}.b32 %r4|%p5, %r0, %r1, %r2, -1;"
    for mode in ("all", "any", "uni"):
        yield "b", "p", f"vote.sync.{mode}.pred %p4, %p0, -1;"
        # Few lanes differ, or none.
        yield "b", "p", f"setp.lt.u32 %p0, %r0, 0xf0000000; vote.sync.{mode}.pred %p4, %p0, -1;"
        yield "b", "p", f"setp.eq.u32 %p0, %r0, 0x7ffffffe; vote.sync.{mode}.pred %p4, !%p0, -1;"
    yield "b", "r", "vote.sync.ballot.b32 %r4, %p0, -1;"
    yield "b", "r", "vote.sync.ballot.b32 %r4, !%p1, -1;"
    for c, bits in (("r", 32), ("d", 64)):
        for kind in "bv":
            yield kind, "r", f"match.any.sync.b{bits} %r4, %{c}0, -1;"
            yield kind, "r", f"match.all.sync.b{bits} %r4|%p5, %{c}0, -1;"
        yield "b", "r", f"and.b{bits} %{c}0, %{c}0, 3; match.any.sync.b{bits} %r4, %{c}0, -1;"
        yield "b", "r", f"shr.u{bits} %{c}0, %{c}0, {bits - 1}; match.all.sync.b{bits} %r4|%p5, %{c}0, -1;"
    for op in ("add", "min", "max"):
        for ty in ("u32", "s32"):
            yield "b", "r", f"redux.sync.{op}.{ty} %r4, %r0, -1;"
            yield "v", "r", f"redux.sync.{op}.{ty} %r4, %r0, -1;"
    for op in ("and", "or", "xor"):
        yield "b", "r", f"redux.sync.{op}.b32 %r4, %r0, -1;"
        yield "b", "r", f"or.b32 %r0, %r0, %r1; redux.sync.{op}.b32 %r4, %r0, -1;"
    yield "b", "r", "elect.sync %r4|%p5, -1;"
    yield "b", "r", "activemask.b32 %r4;"
    yield "b", "r", "movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r0;"


def module(items):
    text = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
    text += ".reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<8>;\n"
    return text + "".join(t + "\n" for _, _, t in items) + "ret;\n}\n", text.count("\n") + 1


def accepted(ptxas, items):
    """Those that the assembler takes, and what it says about each of the others."""
    good, refused = [], []
    for first in range(0, len(items), 300):
        part = items[first : first + 300]
        while part:
            text, start = module(part)
            with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
                file.write(text)
                file.flush()
                run = subprocess.run(
                    [ptxas, "-arch=sm_90", "-O0", "-w", file.name, "-o", "/dev/null"], capture_output=True, text=True
                )
            wrong = {int(n) - start: why for n, why in re.findall(r"line (\d+); (?:error|fatal)\s*: (.*)", run.stderr)}
            wrong = {n: why for n, why in wrong.items() if 0 <= n < len(part)}
            if not wrong:
                if run.returncode:
                    sys.exit(run.stderr[:1000])
                break
            refused += [(part[n][2], why) for n, why in wrong.items()]
            part = [item for n, item in enumerate(part) if n not in wrong]
        good += part
    return good, refused


def main():
    rng = random.Random(9)
    items = []
    for mnemonic, slots, operands in table(sys.stdin):
        if mnemonic in ARITHMETIC:
            items += arithmetic(mnemonic, slots, operands)
    items += carries()
    items += [("v", "r", text) for text in itertools.chain(scalar_video(rng), simd_video(rng))]
    items += [("b", result, text) for result, text in MOVES]
    items += warp()
    good, refused = accepted(sys.argv[1], list(dict.fromkeys(items)))
    for kind, result, text in sorted(good, key=lambda item: item[0]):
        print(kind, result, text)
    for text, why in refused:
        print(text, "|", why, file=sys.stderr)


main()
