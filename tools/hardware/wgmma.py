"""Records `wgmma` on a GPU, or compares a recording with a device: python wgmma.py [--compare] FILE [WORD].

It runs random products of all types, from registers and from shared memory: numbers near one, of all exponents,
special ones, sums of which little is left, and matrices at random places. FILE (`.npz`) has the results; the inputs
follow from their names. CUOX_DEVICE chooses the device, WORD (such as `sparse`) the products whose names have it.
"""

import sys
import zlib

import cuox
import numpy as np

WIDTH = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1": 1}
FORMAT = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 10), "e4m3": (4, 3), "e5m2": (5, 2), "f32": (8, 23)}
IMAGE = 32768


class Config:
    def __init__(self, a, b, d, n, shared=False, ta=0, tb=0, na=1, nb=1, sat=False, selector=None):
        self.a, self.b, self.d, self.n, self.shared = a, b, d, n, shared
        self.ta, self.tb, self.na, self.nb, self.sat = ta, tb, na, nb, sat
        self.selector = selector
        self.k = (256 if selector is None else 512) // WIDTH[a]
        self.regs = n // 4 if d == "f16" else n // 2
        self.name = f"{a}_{b}_{d}_n{n}_{'s' if shared else 'r'}{ta}{tb}{'n' if na < 0 else 'p'}{'n' if nb < 0 else 'p'}{'s' if sat else ''}"
        if selector is not None:
            self.name += f"_sparse{selector}"

    def ptx(self):
        ty = "f32" if self.d == "f32" else "b32"
        regs = self.regs
        d = "{" + ",".join(f"%d{i}" for i in range(regs)) + "}"
        a = "%rda" if self.shared else "{%a0,%a1,%a2,%a3}"
        mods = f"m64n{self.n}k{self.k}.{self.d}.{self.a}.{self.b}" + (".satfinite" if self.sat else "")
        tail = "%p" if self.selector is None else f"%m, {self.selector}, %p"
        opcode = "mma_async" if self.selector is None else "mma_async.sp"
        if self.a == "b1":
            mods += ".and.popc"
        elif self.d != "s32":
            tail += f", {self.na}, {self.nb}"
            if WIDTH[self.a] == 16:
                tail += (f", {self.ta}" if self.shared else "") + f", {self.tb}"
        load = "\n".join(f"ld.global.{ty} %d{i}, [%rdd+{4 * i}];" for i in range(regs))
        store = "\n".join(f"st.global.{ty} [%rdo+{4 * i}], %d{i};" for i in range(regs))
        return f"""
.visible .entry {self.name}(.param .u64 img, .param .u32 bytes, .param .u64 desc, .param .u64 areg, .param .u64 din, .param .u64 out, .param .u64 meta)
{{
.reg .pred %p, %q; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .b64 %rda, %rdb, %rdd, %rdo; .reg .{ty} %d<{regs}>; .reg .b32 %a<4>, %m; .reg .b64 %rdm;
.shared .align 1024 .b8 s[{IMAGE + 4096}];
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; ld.param.u32 %r2, [bytes]; ld.param.u64 %rd0, [img];
mul.wide.u32 %rd1, %r1, %r2; add.u64 %rd0, %rd0, %rd1; mov.u32 %r3, s; shl.b32 %r4, %r0, 4;
LOOP: setp.ge.u32 %q, %r4, %r2; @%q bra DONE;
cvt.u64.u32 %rd2, %r4; add.u64 %rd3, %rd0, %rd2; add.u32 %r5, %r3, %r4;
ld.global.v4.b32 {{%r6,%r7,%r8,%r9}}, [%rd3]; st.shared.v4.b32 [%r5], {{%r6,%r7,%r8,%r9}};
add.u32 %r4, %r4, 2048; bra LOOP;
DONE: fence.proxy.async; bar.sync 0;
ld.param.u64 %rd4, [desc]; mul.wide.u32 %rd5, %r1, 24; add.u64 %rd4, %rd4, %rd5;
ld.global.u64 %rda, [%rd4]; ld.global.u64 %rdb, [%rd4+8]; ld.global.u64 %rd6, [%rd4+16]; setp.ne.u64 %p, %rd6, 0;
shr.u32 %r10, %r3, 4; cvt.u64.u32 %rd7, %r10; add.u64 %rda, %rda, %rd7; add.u64 %rdb, %rdb, %rd7;
mad.lo.u32 %r11, %r1, 128, %r0; ld.param.u64 %rdd, [din]; ld.param.u64 %rdo, [out];
mul.wide.u32 %rd8, %r11, {4 * regs}; add.u64 %rdd, %rdd, %rd8; add.u64 %rdo, %rdo, %rd8;
ld.param.u64 %rd9, [areg]; mul.wide.u32 %rd10, %r11, 16; add.u64 %rd9, %rd9, %rd10;
ld.global.v4.b32 {{%a0,%a1,%a2,%a3}}, [%rd9];
ld.param.u64 %rdm, [meta]; mul.wide.u32 %rd11, %r11, 4; add.u64 %rdm, %rdm, %rd11; ld.global.b32 %m, [%rdm];
{load}
wgmma.fence.sync.aligned;
wgmma.{opcode}.sync.aligned.{mods} {d}, {a}, %rdb, {tail};
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
{store}
ret;
}}
"""


def field(rng, shape, fmt, low, high, mantissa=True):
    """Numbers of random sign and mantissa, whose exponent fields are from `low` to `high`."""
    e, m = FORMAT[fmt]
    low, high = max(low, 0), min(high, (1 << e) - (1 if fmt == "e4m3" else 2))
    bits = rng.integers(low, high + 1, shape, dtype=np.uint32) << np.uint32(m)
    if mantissa:
        bits |= rng.integers(0, 1 << m, shape, dtype=np.uint32)
    if fmt == "e4m3":
        bits = np.where(bits == 0x7F, 0x7E, bits).astype(np.uint32)
    return bits | rng.integers(0, 2, shape, dtype=np.uint32) << np.uint32(e + m)


def special(rng, bits, fmt, often):
    """Some infinities, NaN and zeros among the numbers."""
    e, m = FORMAT[fmt]
    inf = ((1 << e) - 1) << m
    kind = rng.random(bits.shape)
    sign = rng.integers(0, 2, bits.shape, dtype=np.uint32) << np.uint32(e + m)
    bits = np.where(kind < often, np.uint32(0x7F if fmt == "e4m3" else inf) | sign, bits)
    bits = np.where(
        (kind >= often) & (kind < 1.3 * often), np.uint32(0x7F if fmt == "e4m3" else inf | 1 << (m - 1)) | sign, bits
    )
    return np.where((kind > 0.9), sign, bits).astype(np.uint32)


CLASSES = ["normal", "mixed", "wide", "special", "cancel", "ladder", "bigc", "single", "small"]


def numbers(rng, config, kind, blocks):
    """Elements of A (blocks, 64, k), B (blocks, n, k), C (blocks, 64, n) as bits."""
    k, n = config.k, config.n
    sa, sb, sc = (blocks, 64, k), (blocks, n, k), (blocks, 64, n)
    if config.d == "s32":
        if config.a == "b1":
            return None
        c = rng.integers(0, 1 << 32, sc, dtype=np.uint32)
        if kind == "special":
            c = np.where(rng.random(sc) < 0.5, np.uint32(0x7FFFF000), np.uint32(0x80001000)).astype(np.uint32)
        return rng.integers(0, 256, sa, dtype=np.uint32), rng.integers(0, 256, sb, dtype=np.uint32), c
    fa, fb, fc = config.a, config.b, config.d
    ba, bb, bc = ((1 << (FORMAT[f][0] - 1)) - 1 for f in (fa, fb, fc))
    half = fc == "f16"
    near = lambda f, shape, bias, spread: field(rng, shape, f, bias - spread, bias + spread)
    if kind == "normal":
        return near(fa, sa, ba, 2), near(fb, sb, bb, 2), near(fc, sc, bc, 3)
    if kind == "mixed":
        return near(fa, sa, ba, 6), near(fb, sb, bb, 6), near(fc, sc, bc, 12)
    if kind == "wide":
        return near(fa, sa, ba, 999), near(fb, sb, bb, 999), near(fc, sc, bc, 999)
    if kind == "special":
        a, b, c = near(fa, sa, ba, 2), near(fb, sb, bb, 2), near(fc, sc, bc, 3)
        return special(rng, a, fa, 0.01), special(rng, b, fb, 0.01), special(rng, c, fc, 0.03)
    if kind == "cancel":
        a, b = (field(rng, s, f, x - 5, x + 5, False) for s, f, x in ((sa, fa, ba), (sb, fb, bb)))
        c = field(rng, sc, fc, bc - 10, bc + 10, False)
        a, b, c = (np.where(rng.random(x.shape) < p, 0, x).astype(np.uint32) for x, p in ((a, 0.5), (b, 0.4), (c, 0.5)))
        return a, b, c
    if kind == "ladder":
        # Two large products that cancel, and smaller ones, of which the sum shows what is left.
        a = near(fa, sa, ba - 2, 3)
        b = near(fb, sb, bb - 2, 3)
        c = np.where(rng.random(sc) < 0.5, 0, near(fc, sc, bc - 4, 8)).astype(np.uint32)
        top = 15 if fa in ("f16", "e5m2") else 8
        for block in range(blocks):
            p, q = rng.choice(k, 2, replace=False)
            up = int(rng.integers(0, top))
            one_a = (min(ba + up, (1 << FORMAT[fa][0]) - 2)) << FORMAT[fa][1]
            one_b = (bb + int(rng.integers(0, 7))) << FORMAT[fb][1]
            a[block, :, p] = a[block, :, q] = one_a
            b[block, :, p] = one_b
            b[block, :, q] = one_b | 1 << sum(FORMAT[fb])
        return a, b, c
    if kind == "bigc":
        a, b = near(fa, sa, ba - 1, 2), near(fb, sb, bb - 1, 2)
        return a, b, field(rng, sc, fc, bc - 6, bc + (14 if half else 22))
    if kind == "single":
        # One product, and C: alignment of C alone, and rounding of the result.
        a, b = near(fa, sa, ba, 4), near(fb, sb, bb, 4)
        keep = rng.integers(0, k, blocks)
        for block in range(blocks):
            a[block][:, np.arange(k) != keep[block]] = 0
        return a, b, np.where(rng.random(sc) < 0.3, 0, near(fc, sc, bc, 14)).astype(np.uint32)
    if kind == "small":
        # Subnormal numbers of the factors, the sum, or both.
        a, b = field(rng, sa, fa, 0, 2), field(rng, sb, fb, 0, bb + 2)
        return a, b, field(rng, sc, fc, 0, 3)
    if kind == "tiny":
        # Products far below one, C subnormal or small.
        a, b = field(rng, sa, fa, 0, 4), field(rng, sb, fb, 0, 4)
        c = field(rng, sc, fc, 0, 1 if half else 6)
        if not half and ba < 127:
            c = near(fc, sc, bc - 2 * ba + 3, 9)
        return a, b, np.where(rng.random(sc) < 0.2, 0, c).astype(np.uint32)
    if kind == "tie":
        # Halves of the last bit of a subnormal f16, and a little more or less.
        a, b = field(rng, sa, fa, 0, 1), np.zeros(sb, np.uint32)
        b[:] = np.where(rng.random(sb) < 0.5, 0, field(rng, sb, fb, bb - 8, bb - 1))
        pick = int(rng.integers(0, k))
        _, m = FORMAT[fa]
        a[:, :, pick] = 1 << m  # the smallest normal number, by half of the last bit of C
        last = bc - 1 + (10 if half else 0) - (ba - 1) + 1
        b[:, :, pick] = max(bb - last, 1) << FORMAT[fb][1] | (np.arange(n) % 2 << sum(FORMAT[fb])).astype(np.uint32)
        return a, b, field(rng, sc, fc, 0, 0)
    if kind == "zeros":
        # No product at all in half of the rows: C alone.
        a, b = near(fa, sa, ba, 3), near(fb, sb, bb, 3)
        a[:, ::2] = 0
        return a, b, near(fc, sc, bc, 999)
    raise ValueError(kind)


def rows_of(bits, fmt, rng):
    """Rows of elements as bytes, 32 a row."""
    if fmt == "tf32":
        low = rng.integers(0, 1 << 13, bits.shape, dtype=np.uint32)
        nan = (bits & 0x3FC00) == 0x3FC00
        bits = bits << np.uint32(13) | np.where(nan, 0, low).astype(np.uint32)
        return np.ascontiguousarray(bits.astype("<u4")).view(np.uint8)
    return np.ascontiguousarray(bits.astype("<u2" if WIDTH[fmt] == 16 else np.uint8)).view(np.uint8)


def a_registers(rows):
    """(blocks, 64, 32 bytes) as (blocks, 128 threads, 4 words)."""
    words = np.ascontiguousarray(rows).view("<u4")  # blocks, 64, 8
    out = np.zeros((rows.shape[0], 128, 4), np.uint32)
    thread = np.arange(128)
    for r in range(4):
        row = thread // 32 * 16 + thread % 32 // 4 + 8 * (r % 2)
        out[:, :, r] = words[:, row, r // 2 * 4 + thread % 4]
    return out


def d_registers(bits, half):
    """(blocks, 64, n) as (blocks, 128 threads, registers)."""
    blocks, _, n = bits.shape
    thread = np.arange(128)
    row0 = thread // 32 * 16 + thread % 32 // 4
    out = np.zeros((blocks, 128, n // 4 if half else n // 2), np.uint32)
    for i in range(n // 2):
        value = bits[:, row0 + 8 * (i // 2 % 2), i // 4 * 8 + thread % 4 * 2 + i % 2]
        if half:
            out[:, :, i // 2] |= value << np.uint32(16 * (i % 2))
        else:
            out[:, :, i] = value
    return out


def image_of(a, b):
    """Both matrices along k without a swizzle, A first, and their descriptors."""

    def matrix(rows):
        blocks, count, _ = rows.shape
        # An atom of eight rows and 16 bytes; the two halves of k lie side by side.
        return np.ascontiguousarray(rows.reshape(blocks, count // 8, 8, 2, 16).transpose(0, 1, 3, 2, 4)).reshape(
            blocks, -1
        )

    image = np.concatenate([matrix(a), matrix(b)], axis=1)
    return image, descriptor(0, 128, 256, 0, 0), descriptor(2048, 128, 256, 0, 0)


def descriptor(start, leading, stride, base, mode):
    return (start >> 4 & 0x3FFF) | (leading >> 4) << 16 | (stride >> 4) << 32 | base << 49 | mode << 62


def arithmetic(config, kind, blocks):
    rng = np.random.default_rng(zlib.crc32(f"{config.name} {kind}".encode()))
    a, b, c = numbers(rng, config, kind, blocks)
    a, b = rows_of(a, config.a, rng), rows_of(b, config.b, rng)
    image, da, db = image_of(a, b)
    adds = (np.arange(blocks) % 8 != 7).astype(np.uint64)
    descriptors = np.stack([np.full(blocks, da, np.uint64), np.full(blocks, db, np.uint64), adds], axis=1)
    return image, descriptors, a_registers(a), d_registers(c, config.d == "f16")


SPAN = [16, 128, 64, 32]


def last_byte(rows, start, leading, stride, mode, across, chunks):
    span = SPAN[mode]
    groups = rows // 8
    if not across:
        last = max((chunks - 1) * leading, 16) if mode == 0 else (chunks - 1) // (span // 16) * leading + 16
        ahead = (groups - 1) * stride + 7 * span + last
    elif mode == 0:
        ahead = (groups - 1) * stride + (chunks - 1) * leading + 7 * 16
    else:
        ahead = (groups - 1) // (span // 16) * leading + (chunks - 1) * stride + 7 * span + span - 16
    return ((start + ahead) | 127) + 1


def random_descriptor(rng, rows, across, odd, mode, chunks=2):
    span = SPAN[mode]
    while True:
        if odd:
            start = int(rng.integers(0, 512)) * 16
            leading, stride = (int(rng.integers(0, 300)) * 16 for _ in range(2))
            base = int(rng.integers(0, 8)) if odd > 1 else 0
        else:
            atom = 8 * span
            start = int(rng.integers(0, 16)) * atom
            if not across and mode:
                start += int(rng.integers(0, span // 32)) * 32
            leading, stride = (int(rng.integers(1, 12)) * atom for _ in range(2))
            base = 0
        if last_byte(rows, start, leading, stride, mode, across, chunks) <= IMAGE:
            return descriptor(start, leading, stride, base, mode)


def layout(config, odd, blocks):
    """Random places of small whole numbers: sums are exact."""
    rng = np.random.default_rng(zlib.crc32(f"{config.name} layout {odd}".encode()))
    if config.a in ("s8", "u8", "b1"):
        image = rng.integers(0, 256, (blocks, IMAGE), dtype=np.uint8)
        registers = rng.integers(0, 1 << 32, (blocks, 128, 4), dtype=np.uint32)
    else:
        dtype = {"f16": np.float16, "bf16": np.float32, "tf32": np.float32}[config.a]

        def whole(count):
            values = rng.integers(-9, 10, (blocks, count)).astype(dtype)
            if config.a == "bf16":
                values = np.ascontiguousarray((values.view(np.uint32) >> np.uint32(16)).astype(np.uint16))
            return values.view(np.uint8)

        size = WIDTH[config.a] // 8
        image = whole(IMAGE // size)
        registers = np.ascontiguousarray(whole(128 * 16 // size)).view(np.uint32).reshape(blocks, 128, 4)
    descriptors = np.zeros((blocks, 3), np.uint64)
    for block in range(blocks):
        mode = block % 4
        descriptors[block, 0] = random_descriptor(rng, 64, config.ta, odd, (mode + block // 4) % 4)
        descriptors[block, 1] = random_descriptor(
            rng, config.n, config.tb, odd, mode, 2 if config.selector is None else 4
        )
        descriptors[block, 2] = 0
    c = np.zeros((blocks, 128, config.regs), np.uint32)
    return image, descriptors, registers, c


def cases():
    """Name, configuration, inputs, in the order in which they are run."""
    floats = [("f16", "f16", "f32"), ("f16", "f16", "f16"), ("bf16", "bf16", "f32"), ("tf32", "tf32", "f32")]
    floats += [(a, b, d) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2") for d in ("f32", "f16")]
    for a, b, d in floats:
        for kind in CLASSES:
            blocks = 32 if WIDTH[a] == 8 else 24
            config = Config(
                a,
                b,
                d,
                8,
                shared=kind in ("mixed", "bigc"),
                na=-1 if kind == "bigc" else 1,
                nb=-1 if kind in ("single", "bigc") else 1,
            )
            yield (
                f"{a}.{b}.{d} {kind}",
                config,
                lambda config=config, kind=kind, blocks=blocks: arithmetic(config, kind, blocks),
            )
    for a in ("s8", "u8"):
        for b in ("s8", "u8"):
            for sat in (False, True):
                config = Config(a, b, "s32", 16, shared=sat, sat=sat)
                for kind in ("normal", "special"):
                    yield (
                        f"{a}.{b}.s32{'.satfinite' if sat else ''} {kind}",
                        config,
                        lambda config=config, kind=kind: arithmetic(config, kind, 4),
                    )
    # Larger sums.
    for a, b, d in (
        ("f16", "f16", "f32"),
        ("e4m3", "e4m3", "f32"),
        ("bf16", "bf16", "f32"),
        ("tf32", "tf32", "f32"),
        ("e5m2", "e4m3", "f16"),
    ):
        config = Config(a, b, d, 256, shared=True)
        yield f"{a}.{b}.{d} n256", config, lambda config=config: arithmetic(config, "mixed", 1)
    for a, b, d in floats:
        for kind in ("tiny", "tie", "zeros") if d == "f16" else ("tiny", "zeros"):
            config = Config(a, b, d, 8, shared=kind == "zeros")
            yield f"more {a}.{b}.{d} {kind}", config, lambda config=config, kind=kind: arithmetic(config, kind, 16)
    for a, b in (("s8", "u8"), ("u8", "s8")):
        for sat in (False, True):
            config = Config(a, b, "s32", 24, shared=not sat, sat=sat)
            yield f"more {a}.{b}.s32 {sat}", config, lambda config=config: arithmetic(config, "special", 4)
    places = []
    for a, d in (("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("s8", "s32"), ("b1", "s32")):
        for shared in (False, True):
            turns = [(ta, tb) for ta in (0, 1) for tb in (0, 1)] if WIDTH[a] == 16 else [(0, 0)]
            for ta, tb in turns:
                if ta and not shared:
                    continue
                for n in (32, 48) if a == "f16" else (32,):
                    places.append(Config(a, a, d, n, shared, ta, tb))
    for a, d in (("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("s8", "s32")):
        for selector in (0, 1) if a != "s8" else (0,):
            for shared in (False, True):
                for tb in (0, 1) if WIDTH[a] == 16 else (0,):
                    config = Config(a, a, d, 32, shared, 0, tb, selector=selector)
                    yield f"sparse {a} {tb}", config, lambda config=config: layout(config, 0, 24)
    for odd in (0, 1, 2):
        for config in places:
            how = ("regular", "odd", "odd with base")[odd]
            turned = f"{config.ta}{config.tb}"
            yield (
                f"place {how} {config.a} {turned}",
                config,
                lambda config=config, odd=odd: layout(config, odd, 16 if odd else 24),
            )


def metadata(config, blocks):
    """Words of metadata for all threads: every group of elements has two that are stored (of tf32 one)."""
    rng = np.random.default_rng(zlib.crc32(f"{config.name} metadata".encode()))
    nibbles = [0b0100, 0b1110] if config.a == "tf32" else [0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110]
    chosen = rng.choice(np.array(nibbles, np.uint32), (blocks, 128, 8))
    return (chosen << np.arange(0, 32, 4, dtype=np.uint32)).sum(axis=2, dtype=np.uint32)


def loaded(configs):
    """The kernels by name."""
    head = ".version 8.4\n.target sm_90a\n.address_size 64\n"
    kernels = {}
    for first in range(0, len(configs), 16):
        part = configs[first : first + 16]
        module = cuox.ObjectCode.from_ptx(head + "".join(config.ptx() for config in part))
        kernels |= {config.name: module.get_kernel(config.name) for config in part}
    return kernels


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--compare"]
    if not arguments:
        sys.exit(__doc__)
    path, only = arguments[0], (arguments[1:] or [""])[0]
    known = np.load(path) if "--compare" in sys.argv else None
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    listed = [case for case in cases() if only in case[0]]
    kernels = loaded(list({config.name: config for _, config, _ in listed}.values()))

    def upload(array):
        array = np.ascontiguousarray(array)
        buffer = device.allocate(array.nbytes, stream=stream)
        buffer.copy_from_host(array, stream=stream)
        return buffer

    done = {}
    all_differ = compared = 0
    for name, config, inputs in listed:
        image, descriptors, registers, c = inputs()
        blocks = len(image)
        buffers = [upload(x) for x in (image, descriptors, registers, c, metadata(config, blocks))]
        i, d, r, c_in, meta = buffers
        out = device.allocate(c.nbytes, stream=stream)
        launch = cuox.LaunchConfig(grid=blocks, block=128)
        cuox.launch(stream, launch, kernels[config.name], i, np.uint32(image.shape[1]), d, r, c_in, out, meta)
        result = np.empty(c.shape, np.uint32)
        out.copy_to_host(result, stream=stream)
        stream.sync()
        key = f"{config.name}|{name}"
        done[key] = result
        if known is not None and key in known:
            width = np.uint16 if config.d == "f16" else np.uint32
            differ = result.view(width) != np.ascontiguousarray(known[key]).view(width)
            all_differ += differ.sum()
            compared += differ.size
            if differ.any():
                print(f"{differ.sum()} of {differ.size} differ: {key}")
    if known is None:
        np.savez_compressed(path, **done)
        print(f"{len(done)} launches recorded")
    else:
        print(f"{all_differ} of {compared} results differ")


if __name__ == "__main__":
    main()
