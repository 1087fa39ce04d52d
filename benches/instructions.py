"""Nanoseconds of CPU time per thread for every PTX instruction on the software GPU, so that a cliff is seen.

    python benches/instructions.py [--only 'atom|red'] [--bar 5] [--engine jit-narrow] [--slowest]
    python benches/instructions.py --list crates/cuox-simt/tests/ptx/h200.txt --only '^cvt'

Each line of `instructions.txt` is run in a loop by 4096 threads; the same loop without it is timed too and subtracted.
Lines over the bar are marked and listed again at the end. `--list` takes another list, such as that of all instructions
recorded on a GPU.

An atomic of global memory whose threads have places far apart takes one locked instruction of the processor for each
thread that changes something. The bare instruction is timed too and printed beside; what takes at most 1.4 times as
long counts as at that floor.
"""

from __future__ import annotations

import argparse
import ctypes
import mmap
import os
import platform
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("CUOX_DEVICE", "soft")
# NumPy's own threads take processor time that would count.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cuox
import numpy as np
from cuox.cuda.bindings import driver

HERE = Path(__file__).resolve().parent
BLOCK, GRID = 256, 16
THREADS = BLOCK * GRID
MEMORY = 2 << 20
"""Bytes of global memory that instructions access."""
COPIES = 4
"""Copies of the instruction in a turn of the loop, each with operands of its own."""
OPERANDS = 4
"""Registers 0 to 3 of a class are operands, the others results."""
BITS = {"h": 16, "r": 32, "d": 64, "q": 128}
REGISTER = re.compile(r"%([hrdpq])(\d)\b")

ADDRESSES = {
    # Bytes that a thread has for itself, or that all threads share, or of which each picks some.
    "%mine": "mad.wide.u32 %mine, %gid, 16, %mem;",
    "%same": "add.u64 %same, %mem, 1048576;",
    "%any": "mul.lo.u32 %tmp, %gid, 2654435761; and.b32 %tmp, %tmp, 0xffff0; cvt.u64.u32 %wide, %tmp; add.u64 %any, %mem, %wide;",
    "%own": "shl.b32 %own, %thread, 4; mov.u32 %tmp, shared; add.u32 %own, %own, %tmp;",
    "%one": "mov.u32 %one, shared; add.u32 %one, %one, 8192;",
    "%pick": "mul.lo.u32 %pick, %gid, 2654435761; and.b32 %pick, %pick, 0xff0; mov.u32 %tmp, shared; add.u32 %pick, %pick, %tmp;",
    "%bar": "mov.u32 %bar, barrier;",
    "%row": "ld.param.u64 %row, [prow];",
    "%image": "ld.param.u64 %image, [pimage];",
}
"""Addresses that instructions name: of global memory the thread's own, one for all, any; the same of shared
memory; that of an mbarrier for the block; and textures of 1 and 2 dimensions."""

MODULE = """.version 9.0
.target sm_90a
.address_size 64
.func (.param .b32 result) callee(.param .b32 value)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [value];
    mad.lo.u32 %r2, %r1, 5, 1;
    st.param.b32 [result], %r2;
    ret;
}
.func (.param .b32 result) other(.param .b32 value)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [value];
    xor.b32 %r2, %r1, 99;
    st.param.b32 [result], %r2;
    ret;
}
.global .u64 table[2] = {callee, other};
.const .align 16 .b8 constants[4096];
"""


LOCKED = {
    # lock add [r8], 1
    "add": "f0 41 83 00 01",
    # mov rax, [r8]; lea rdx, [rax + 1]; lock cmpxchg [r8], rdx
    "cmpxchg": "49 8b 00  48 8d 50 01  f0 49 0f b1 10",
    # mov rax, [r8]; mov rdx, [r8 + 8]; lea rbx, [rax + 1]; mov rcx, rdx; lock cmpxchg16b [r8]
    "cmpxchg16b": "49 8b 00  49 8b 50 08  48 8d 58 01  48 89 d1  f0 49 0f c7 08",
}
"""Machine code of locked instructions on the 16 bytes at r8, with what makes their operands."""
LOCKED_PLACES = 256
AT_FLOOR = 1.4
"""The largest multiple of a bare instruction's time that still counts as its floor."""


def locked_floors() -> dict[str, float]:
    """Nanoseconds that this processor takes for a locked instruction on memory in its first cache; none on other
    processors.
    """
    if platform.machine() != "x86_64":
        return {}
    try:
        pages = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        return {}
    room = (ctypes.c_char * (16 * LOCKED_PLACES + 64))()
    places = (ctypes.addressof(room) + 63) & ~63
    code = ctypes.c_char.from_buffer(pages)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)(ctypes.addressof(code))
    floors = {}
    for name, text in LOCKED.items():
        # add r8, 16; dec r9d; jnz to the instruction
        inner = bytes.fromhex(text) + bytes.fromhex("49 83 c0 10  41 ff c9")
        inner += bytes((0x75, 256 - len(inner) - 2))
        # mov r8, rdi; mov r9d, 256; ...; dec rsi; jnz to the beginning
        outer = (
            bytes.fromhex("49 89 f8  41 b9") + LOCKED_PLACES.to_bytes(4, "little") + inner + bytes.fromhex("48 ff ce")
        )
        outer += bytes((0x75, 256 - len(outer) - 2))
        # push rbx; ...; pop rbx; ret
        body = b"\x53" + outer + b"\x5b\xc3"
        pages[: len(body)] = body
        spent = []
        for _ in range(8):
            start = time.process_time()
            call(places, 2000)
            spent.append(time.process_time() - start)
        floors[name] = min(spent) * 1e9 / 2000 / LOCKED_PLACES
    return floors


@dataclass(frozen=True)
class Case:
    """An instruction: what its operands hold, and its text with what comes before the loop."""

    group: str
    kind: str
    text: str
    setup: str = ""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Classes and numbers of the registers that it reads."""
        return tuple(sorted({m[0] for m in REGISTER.finditer(self.text + self.setup) if int(m[2]) < OPERANDS}))

    @property
    def results(self) -> tuple[str, ...]:
        return tuple(sorted({m[0] for m in REGISTER.finditer(self.text) if int(m[2]) >= OPERANDS}))

    @property
    def locked(self) -> str | None:
        """The locked instruction that it takes for each thread."""
        if not re.match(r"(atom|red)\.global\.", self.text) or not re.search(r"\[%(mine|any)\]", self.text):
            return None
        bits = re.findall(r"\.(?:[busf]|bf)(16x2|16|32|64|128)\b", self.text)
        vector = re.search(r"\.v([248])\b", self.text)
        width = (32 if bits[-1] == "16x2" else int(bits[-1])) * int(vector[1] if vector else 1) if bits else 0
        if width == 128:
            return "cmpxchg16b"
        return "add" if re.search(r"\.(add\.[us]|exch\.)", self.text) else "cmpxchg"

    def body(self, copy: int) -> str:
        return REGISTER.sub(lambda m: f"%{m[1]}{copy}_{m[2]}", self.text).replace("LABEL", f"L{copy}")


def cases(path: Path) -> Iterator[Case]:
    """The instructions of a list: `kind text`, or with a setup `kind setup || text`; `[group]` begins a group. In lists
    of
    recorded instructions a hash and the class of the result come as well."""
    group = ""
    for line in path.read_text().splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
        elif line and not line.startswith("#"):
            recorded = re.match(r"[0-9a-f]{8} ([bfhvw]) [hrdp] (.*)", line)
            kind, text = (recorded[1], recorded[2]) if recorded else line.split(" ", 1)
            setup, _, text = text.rpartition("||")
            yield Case(group or text.split(".")[0], kind, text.strip(), setup.strip())


def load(register: str, copy: int) -> str:
    """PTX that reads an operand, which differs from thread to thread."""
    letter, number = register[1], int(register[2])
    at = ((copy * OPERANDS + number) * THREADS) * 8
    name = f"%{letter}{copy}_{number}"
    if letter == "p":
        return f"ld.global.b32 %tmp, [%in+{at}]; and.b32 %tmp, %tmp, 1; setp.ne.u32 {name}, %tmp, 0;"
    if letter == "q":
        return f"ld.global.b64 %wide, [%in+{at}]; mov.b128 {name}, {{%wide, %wide}};"
    return f"ld.global.b{BITS[letter]} {name}, [%in+{at}];"


def change(register: str, copy: int) -> str:
    letter, number = register[1], register[2]
    name = f"%{letter}{copy}_{number}"
    if letter == "p":
        return f"not.pred {name}, {name};"
    return "" if letter == "q" else f"xor.b{BITS[letter]} {name}, {name}, 1;"


def mix(register: str, name: str) -> str:
    """PTX that makes a result part of what the kernel writes in the end."""
    letter = register[1]
    if letter == "q":
        return f"mov.b128 {{%wide, %other}}, {name}; xor.b64 %sumd, %sumd, %wide;"
    return f"xor.{'pred' if letter == 'p' else f'b{BITS[letter]}'} %sum{letter}, %sum{letter}, {name};"


def kernel(case: Case, name: str, bare: bool) -> str:
    """A kernel that runs an instruction in a loop; `bare`, without it."""
    classes = {r[:2] for r in case.results}
    inputs = set(case.inputs) | ({f"{c}0" for c in classes} if bare else set())
    used = case.text + case.setup
    names = [a for a in ADDRESSES if re.search(rf"{a}\b", used)]
    lines = [
        f".visible .entry {name}(.param .u64 pin, .param .u64 pout, .param .u64 pmem, .param .u32 pn, .param .u64 prow, .param .u64 pimage)",
        "{",
        ".shared .align 16 .b8 shared[12288];",
        ".shared .align 8 .b64 barrier;",
        ".local .align 16 .b8 local[64];",
        ".reg .b32 %gid, %thread, %n, %tmp, %tmp2, %own, %one, %pick, %bar, %sumr; .reg .b16 %sumh;",
        ".reg .b64 %in, %out, %mem, %mine, %same, %any, %wide, %other, %wide2, %sumd, %state, %row, %image;",
        ".reg .b128 %sumq; .reg .pred %more, %sump, %tmpp;",
    ]
    for letter in "hrdpq":
        width = "pred" if letter == "p" else f"b{BITS[letter]}"
        lines.append(f".reg .{width} " + ", ".join(f"%{letter}{c}_{n}" for c in range(COPIES) for n in range(10)) + ";")
    lines += [
        f"mov.u32 %thread, %tid.x; mov.u32 %n, %ctaid.x; mad.lo.u32 %gid, %n, {BLOCK}, %thread;",
        "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout]; ld.param.u64 %mem, [pmem]; ld.param.u32 %n, [pn];",
        "cvta.to.global.u64 %mem, %mem;",
        "mad.wide.u32 %out, %gid, 8, %out; mad.wide.u32 %in, %gid, 8, %in;",
        "mov.u32 %sumr, 0; mov.u64 %sumd, 0; mov.u16 %sumh, 0; setp.ne.u32 %sump, %n, %n;",
    ]
    lines += [ADDRESSES[a] for a in names]
    lines += [load(r, c) for c in range(COPIES) for r in sorted(inputs)]
    lines += [case.setup, "LOOP:"]
    for copy in range(COPIES):
        if not bare:
            lines.append("{ " + case.body(copy) + " }")
        for result in case.results:
            own = f"%{result[1]}{copy}_{0 if bare else result[2]}"
            lines.append(mix(result, own))
    lines += [change(r, c) for c in range(COPIES) for r in sorted(inputs) if r[2] == "0"]
    lines += [
        "sub.u32 %n, %n, 1; setp.ne.u32 %more, %n, 0; @%more bra LOOP;",
        "selp.b32 %tmp, 1, 0, %sump; xor.b32 %sumr, %sumr, %tmp; cvt.u32.u16 %tmp, %sumh; xor.b32 %sumr, %sumr, %tmp;",
        "cvt.u64.u32 %wide, %sumr; xor.b64 %sumd, %sumd, %wide; st.global.u64 [%out], %sumd; ret;",
        "}",
    ]
    return "\n".join(line for line in lines if line)


def operands(kind: str) -> np.ndarray:
    """The operands' values, 8 bytes each: by copy, number and thread."""
    random = np.random.default_rng(1)
    shape = (COPIES, OPERANDS, THREADS)
    if kind in "fw":
        # An f32, or the f64 that begins with it.
        floats = random.uniform(0.5, 2, shape)
        halves = np.stack([floats.astype("f4").view("u4"), floats.astype("f4").view("u4")], -1)
        return halves.reshape(*shape[:2], -1).view("u8")
    if kind == "h":
        return random.uniform(0.5, 2, (*shape, 4)).astype("f2").reshape(*shape[:2], -1).view("u8")
    if kind == "D":
        return random.uniform(0.5, 2, shape).view("u8")
    bits = random.integers(0, 1 << 64, shape, dtype="u8")
    # Shifts, positions and divisors of all sizes.
    bits[1::2, 1:] %= 41
    bits[:, 1:] |= 1
    return bits


class Bench:
    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.device = cuox.Device()
        self.device.set_current()
        self.stream = self.device.create_stream()
        self.inputs: dict[str, cuox.Buffer] = {}
        self.out = self.device.mem_alloc(THREADS * 8)
        self.memory = self.device.mem_alloc(MEMORY)
        self.textures = self.texture(False), self.texture(True)
        self.bare: dict[tuple, float] = {}

    def texture(self, flat: bool) -> np.uint64:
        """A texture of four f32 an element, 1024 in a row or 32 * 32 with a linear filter, over the memory that
        instructions use.
        """
        resource, sampler = driver.CUDA_RESOURCE_DESC(), driver.CUDA_TEXTURE_DESC()
        kinds = driver.CUresourcetype
        resource.resType = kinds.CU_RESOURCE_TYPE_PITCH2D if flat else kinds.CU_RESOURCE_TYPE_LINEAR
        memory = resource.res.pitch2D if flat else resource.res.linear
        memory.devPtr = int(self.memory)
        memory.format = driver.CUarray_format.CU_AD_FORMAT_FLOAT
        memory.numChannels = 4
        if flat:
            memory.width, memory.height, memory.pitchInBytes = 32, 32, 512
            sampler.filterMode = driver.CUfilter_mode.CU_TR_FILTER_MODE_LINEAR
        else:
            memory.sizeInBytes = 1024 * 16
        error, handle = driver.cuTexObjectCreate(resource, sampler, None)
        if error:
            raise RuntimeError(f"cuTexObjectCreate: {error}")
        return np.uint64(int(handle))

    def input(self, kind: str) -> cuox.Buffer:
        if kind not in self.inputs:
            buffer = self.inputs[kind] = self.device.mem_alloc(COPIES * OPERANDS * THREADS * 8)
            buffer.copy_from_host(np.ascontiguousarray(operands(kind)), stream=self.stream)
            self.stream.sync()
        return self.inputs[kind]

    def time(self, case: Case, bare: bool) -> float:
        """Nanoseconds per thread and turn of the loop, by CPU time: the least of some runs."""
        code = cuox.ObjectCode.from_ptx(MODULE + kernel(case, "k", bare))
        entry = code.get_kernel("k")
        config = cuox.LaunchConfig(grid=GRID, block=BLOCK)

        # Memory is the same for each instruction, whatever ran before it.
        content = np.resize(operands(case.kind), MEMORY // 8)
        self.memory.copy_from_host(content, stream=self.stream)
        self.stream.sync()

        def run(turns: int) -> float:
            start = time.process_time()
            cuox.launch(
                self.stream,
                config,
                entry,
                self.input(case.kind),
                self.out,
                self.memory,
                np.uint32(turns),
                *self.textures,
            )
            self.stream.sync()
            return (time.process_time() - start) * 1e9

        run(2)
        turns = 8
        spent = run(turns)
        # Some milliseconds are enough, whatever a turn takes.
        turns = int(min(max(turns * 6e6 / max(spent, 1e3), 8), 4096))
        return min(run(turns) for _ in range(self.runs)) / turns / THREADS

    def nanoseconds(self, case: Case) -> float:
        key = (case.kind, case.inputs, tuple(r[:2] for r in case.results))
        if key not in self.bare:
            self.bare[key] = self.time(case, True)
        return max(self.time(case, False) - self.bare[key], 0.0) / COPIES


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="REGEX", help="instructions, or groups, in which this is found")
    parser.add_argument("--list", type=Path, default=HERE / "instructions.txt", metavar="FILE", help="another list")
    parser.add_argument("--bar", type=float, default=5.0, metavar="NS", help="what is slower is marked (5)")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs, of which the fastest counts (3)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth instruction of the list")
    parser.add_argument("--engine", choices=("jit", "jit-narrow"), help="what CUOX_SOFT_ENGINE says")
    parser.add_argument("--slowest", action="store_true", help="print the slowest first, when all are measured")
    given = parser.parse_args()
    if given.runs < 1 or given.every < 1:
        parser.error("--runs and --every: at least 1")
    return given


def main() -> int:
    given = arguments()
    if given.engine:
        os.environ["CUOX_SOFT_ENGINE"] = given.engine
    bench = Bench(given.runs)
    if not bench.device.is_soft:
        raise SystemExit("this benchmark is about the software GPU: CUOX_DEVICE=soft")
    wanted = [c for c in cases(given.list) if re.search(given.only, c.text) or re.search(given.only, c.group)][
        :: given.every
    ]
    print(
        f"{bench.device.name}, engine {os.environ.get('CUOX_SOFT_ENGINE', 'jit')}, {os.cpu_count()} processors; ns of CPU time per thread"
    )
    floors = locked_floors()
    if floors:
        print(
            "a bare locked instruction takes "
            + ", ".join(f"{name} {figure:.2f}" for name, figure in floors.items())
            + " ns"
        )
    rows: list[tuple[float, Case]] = []
    failed = 0

    def line(figure: float, case: Case) -> str:
        mark = " " if figure <= given.bar else "*" if figure <= 10 * given.bar else "!"
        floor = floors.get(case.locked or "")
        beside = f"    # lock {case.locked}: {floor:.2f}" if floor and figure > given.bar else ""
        return f"{figure:9.2f} {mark} {case.text}{beside}"

    group = None
    for case in wanted:
        try:
            rows.append((bench.nanoseconds(case), case))
        except cuox.CUDAError as error:
            failed += 1
            said = str(error).splitlines()
            why = next((text for text in said if "error" in text and text.startswith("ptx")), said[0])
            print(f"   failed   {case.text}\n            {why}", flush=True)
            continue
        if not given.slowest:
            if case.group != group:
                print(f"\n{case.group}")
                group = case.group
            print(line(*rows[-1]), flush=True)
    rows.sort(key=lambda row: -row[0])
    if given.slowest:
        for row in rows:
            print(line(*row))
    elif slow := [row for row in rows if row[0] > given.bar]:
        print(f"\nover {given.bar:g} ns, the slowest first:")
        for row in slow:
            print(line(*row))
    if rows:
        over = [row for row in rows if row[0] > given.bar]
        least = sum(figure <= AT_FLOOR * floors.get(case.locked or "", 0.0) for figure, case in over)
        text = f"{len(rows)} instructions: median {statistics.median(f for f, _ in rows):.2f} ns, {len(over)} over {given.bar:g} ns"
        print(f"\n{text}, of which {least} at the processor's floor for a locked instruction")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
