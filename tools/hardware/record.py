"""Records what instructions give on a GPU: python record.py LIST OUT (needs numpy and a GPU).

LIST is what instructions.py writes. OUT/instructions.txt gets its lines with a hash in front, OUT/instructions.npz the
first results of each. crates/cuox-simt/tests/hardware.rs makes the same operands, and the same kernels.
"""

import os
import re
import sys
import time

import device
import numpy

TUPLES = 2048
PER_KERNEL = 16
SHOWN = 512
WORD = numpy.uint64


def splitmix(seed, count):
    with numpy.errstate(over="ignore"):
        z = WORD(seed) + numpy.arange(1, count + 1, dtype=WORD) * WORD(0x9E3779B97F4A7C15)
        z = (z ^ z >> WORD(30)) * WORD(0xBF58476D1CE4E5B9)
        z = (z ^ z >> WORD(27)) * WORD(0x94D049BB133111EB)
        return z ^ z >> WORD(31)


SPECIAL32 = [0, 1, 0x800000, 0x7F800000, 0x7F7FFFFF, 0x7FC00000, 0x7FFFFF, 0x3F800000]
SPECIAL_HIGH = [0, 0, 1 << 20, 2046 << 20, 2047 << 20, 1023 << 20, 0xFFFFF, 0x7FFC0000]
HALVES = [
    0,
    1,
    0x3FF,
    0x400,
    0x3C00,
    0x7BFF,
    0x7C00,
    0x7E00,
    0x7C01,
    0x7F,
    0x80,
    0x3F80,
    0x7F7F,
    0x7F80,
    0x7FC0,
    0x7F81,
]
INTEGERS = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 31, 32, 33, 64]
CORNERS = [
    0,
    1,
    5,
    31,
    32,
    33,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0x80808080,
    0x7F7F7F7F,
    0x80008000,
    0x7FFF7FFF,
    0xFFFF0000,
    0xFF00FF,
    0x1010101,
]


def pick(values, index):
    return numpy.array(values, WORD)[index.astype(numpy.int64)]


def words(kind, w):
    """Random bits, small numbers, special and ordinary floats of both widths."""
    sign, high = w & WORD(1 << 31), w >> WORD(32)
    ordinary = (high & WORD(0x800FFFFF)) | (WORD(1013) + (w >> WORD(23)) % WORD(20)) << WORD(20)
    special = (
        pick(SPECIAL32, w & WORD(7))
        | sign
        | (pick(SPECIAL_HIGH, w >> WORD(8) & WORD(7)) | high & WORD(1 << 31)) << WORD(32)
    )
    double = w & WORD(0x8FFFFFFF) | ordinary << WORD(32)
    single = w & WORD(0x807FFFFF) | (WORD(117) + (w >> WORD(40)) % WORD(20)) << WORD(23) | ordinary << WORD(32)
    k = kind >> WORD(61)
    return numpy.select([k < 2, k == 2, k == 3, k == 4], [w, w % WORD(80), special, double], single)


def floats(kind, w):
    """Floats of both widths with exponents from -30 to 69 and few bits, or as many as there are; special ones."""
    k = kind >> WORD(61)
    exponent = (w >> WORD(32)) % WORD(100)
    sign, sign_high = w & WORD(1 << 31), w >> WORD(32) & WORD(1 << 31)
    kept = pick([0x7FFFFF, 0x7FFFFF, 0x400000, 0x7F0000], kind & WORD(3))
    single = sign | (WORD(97) + exponent) << WORD(23) | w & kept
    kept = pick([0xFFFFF, 0xFFFFF, 0x80000, 0xFF800], kind >> WORD(2) & WORD(3))
    high = sign_high | (WORD(993) + exponent) << WORD(20) | w >> WORD(7) & kept
    low = pick([0, 1, 0x80000000, 0xFFFFFFFF], kind >> WORD(4) & WORD(3))
    every = words(kind << WORD(8) & WORD(0xFFFFFFFF00000000) | WORD(3 << 61), w)
    return numpy.select([k < 4, k < 7], [single | high << WORD(32), low | high << WORD(32)], every)


def halves(kind, w):
    """Four 16-bit floats: any bits, special ones, ordinary f16 and bf16, small numbers."""
    out = numpy.zeros_like(w)
    for lane in range(4):
        x = w >> WORD(16 * lane) & WORD(0xFFFF)
        k = kind >> WORD(8 * lane) & WORD(7)
        y = kind >> WORD(8 * lane + 3) & WORD(31)
        sign = x & WORD(0x8000)
        half = sign | (WORD(8) + y % WORD(14)) << WORD(10) | x & WORD(0x3FF)
        brain = sign | (WORD(112) + y) << WORD(7) | x & WORD(0x7F)
        special = sign | pick(HALVES, y & WORD(15))
        lane_value = numpy.select([k < 2, k == 2, k < 5, k < 7], [x, special, half, brain], x & WORD(0x3F))
        out |= lane_value << WORD(16 * lane)
    return out


def integers(kind, w):
    """Random bits, small numbers of either sign, and ends of ranges, in each half or in all 64 bits."""
    k = kind >> WORD(61)
    minus = WORD(0) - (kind & WORD(1))
    with numpy.errstate(over="ignore"):
        near = pick(INTEGERS, w & WORD(15)) + (w >> WORD(4)) % WORD(3) - WORD(1)
        upper = pick(INTEGERS, w >> WORD(8) & WORD(15)) + (w >> WORD(16)) % WORD(3) - WORD(1)
    low = WORD(0xFFFFFFFF)
    shifted = w >> (kind >> WORD(8)) % WORD(64)
    both = near & low | upper << WORD(32)
    return numpy.select(
        [k < 2, k == 2, k == 3, k == 4, k == 5],
        [w, w % WORD(80) ^ minus, both, shifted ^ minus, near ^ minus],
        w & low | both << WORD(32),
    )


def bytes_(kind, w):
    """For video instructions: random bits, words whose bytes or halves are ends of ranges, small numbers."""
    k = kind >> WORD(61)
    special = pick(CORNERS, w & WORD(15))
    return numpy.select([k < 4, k < 6], [w, special], w & WORD(0x3F))


SETS = {"w": words, "f": floats, "h": halves, "b": integers, "v": bytes_}


def operands(which):
    """Four operands for each thread."""
    random = splitmix(ord(which), TUPLES * 8)
    return SETS[which](random[0::2], random[1::2])


def body(index, result, text):
    """One instruction in a block of its own: it reads and writes registers as instructions.py says."""
    out = "{\n.reg .b16 %h<6>;\n.reg .b32 %r<6>;\n.reg .b64 %d<6>;\n.reg .pred %p<6>;\n"
    # A register that is written in part has the third operand in the rest.
    if re.search(r"%r4\.", text):
        text = "mov.b32 %r4, %r2; " + text
    for name in sorted(set(re.findall(r"%[hrdp][0-3]", text))):
        source = f"%y{name[2]}"
        out += {
            "h": f"cvt.u16.u64 {name}, {source};\n",
            "r": f"cvt.u32.u64 {name}, {source};\n",
            "d": f"mov.b64 {name}, {source};\n",
            "p": f"and.b64 %x3, {source}, 1;\nsetp.ne.u64 {name}, %x3, 0;\n",
        }[name[1]]
    out += text + "\n"
    out += {
        "h": "cvt.u64.u16 %x4, %h4;\n",
        "r": "cvt.u64.u32 %x4, %r4;\n",
        "d": "mov.b64 %x4, %d4;\n",
        "p": "selp.u64 %x4, 1, 0, %p4;\n",
    }[result]
    if "|%p5" in text:
        out += f"selp.u64 %x3, {2 if result == 'p' else 1 << 32}, 0, %p5;\nor.b64 %x4, %x4, %x3;\n"
    return out + f"st.global.u64 [%x2 + {8 * TUPLES * index}], %x4;\n}}\n"


def kernel(items):
    """Applies instructions to every tuple."""
    text = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 i, .param .u64 o)\n{\n"
    text += ".reg .b64 %x<6>;\n.reg .b64 %y<4>;\n.reg .b32 %t<4>;\n"
    text += "ld.param.u64 %x0, [i];\nld.param.u64 %x1, [o];\nmov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\nshl.b32 %t2, %t1, 8;\n"
    text += "add.u32 %t3, %t0, %t2;\nmad.wide.u32 %x1, %t3, 32, %x0;\nld.param.u64 %x2, [o];\nmad.wide.u32 %x2, %t3, 8, %x2;\n"
    text += "".join(f"ld.global.u64 %y{n}, [%x1 + {8 * n}];\n" for n in range(4))
    return text + "".join(body(n, *item[1:]) for n, item in enumerate(items)) + "ret;\n}\n"


def chunks(items):
    """At most PER_KERNEL instructions with the same set of operands."""
    start = 0
    for n in range(1, len(items) + 1):
        if n == len(items) or items[n][0] != items[start][0] or n - start == PER_KERNEL:
            yield items[start:n]
            start = n


def main(path, to):
    name, version = device.start()
    items = [tuple(line.rstrip("\n").split(" ", 2)) for line in open(path)]
    start = time.time()
    inputs = {which: device.Buffer(operands(which)) for which in SETS}
    out = device.Buffer(numpy.zeros((PER_KERNEL, TUPLES), WORD))
    items.sort(key=lambda item: item[0])
    parts = list(chunks(items))
    rows = []
    for part, image in zip(parts, device.assemble_all(map(kernel, parts))):
        module, function = device.load(image, "k")
        device.launch(function, (TUPLES // 256, 1, 1), (256, 1, 1), inputs[part[0][0]].address, out.address)
        rows.append(out.read()[: len(part)])
        device.call("cuModuleUnload", module)
    rows = numpy.concatenate(rows)
    with open(os.path.join(to, "instructions.txt"), "w") as file:
        print(f"# {name}, CUDA {version}, {time.strftime('%Y-%m-%d')}", file=file)
        for item, value in zip(items, device.hashes(rows)):
            print(f"{value:016x}", *item, file=file)
    widths = {"h": numpy.uint16, "r": WORD, "d": WORD, "p": numpy.uint8}
    numpy.savez_compressed(
        os.path.join(to, "instructions.npz"),
        **{c: rows[[i[1] == c for i in items], :SHOWN].astype(t) for c, t in widths.items()},
    )
    print(len(items), "instructions in", round(time.time() - start, 1), "s")


if __name__ == "__main__":
    main(*sys.argv[1:3])
