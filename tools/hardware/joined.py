"""Compares which products and sums ptxas and cuox make one `fma`: python joined.py PTXAS NVDISASM JOINED [COUNT [SEED]]

JOINED is what `cargo build -p cuox-simt --example joined` makes. Random kernels of products, sums and what may stand
between them are assembled for sm_90; what they have of FFMA, FADD and FMUL is to be what cuox has after lowering.
Prints those that differ, and how many do not.
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BETWEEN = [
    "bar.sync 0;",
    "membar.cta;",
    "@%q st.global.f32 [%out+4000], %in0;",
    "shfl.sync.idx.b32 %t, %t, 0, 31, -1; st.global.b32 [%out+4004], %t;",
    "atom.global.add.u32 %t, [%out+4008], 1; st.global.b32 [%out+4004], %t;",
]


def kernel(name, rng):
    lines, made, stored, label = [], [f"%in{n}" for n in range(5)], 0, 0
    count = rng.randrange(4, 28)
    read, known = set(), set()

    def take():
        value = rng.choice(made[-5:] if rng.random() < 0.7 else made)
        read.add(value)
        return value

    def pair(op):
        """Two operands; the assembler would see that a result is there already."""
        while True:
            a, b = take(), take()
            if (op, a, b) not in known:
                known.update({(op, a, b), (op, b, a)})
                return f"{a}, {b}"

    for n in range(count):
        new = f"%v{n}"
        what = rng.random()
        if what < 0.4:
            rn = ".rn" if rng.random() < 0.1 else ""
            lines.append(f"mul{rn}.f32 {new}, {pair('mul')};")
        elif what < 0.75:
            rn = ".rn" if rng.random() < 0.1 else ""
            op = rng.choice(["add", "sub"])
            lines.append(f"{op}{rn}.f32 {new}, {pair(op)};")
        elif what < 0.8:
            lines.append(f"mov.f32 {new}, {take()};")
        elif what < 0.86:
            lines.append(f"neg.f32 {new}, {take()};")
        elif what < 0.9:
            lines.append(f"fma.rn.f32 {new}, {take()}, {take()}, {take()};")
        elif what < 0.93:
            lines.append(f"mov.f32 {new}, {take()}; @%q add.f32 {new}, {take()}, {take()};")
        elif what < 0.96:
            lines.append(rng.choice(BETWEEN))
            continue
        else:
            label += 1
            lines.append(f"@%q bra L{label}; st.global.f32 [%out+{4012 + 4 * label}], {take()}; bar.sync 0; L{label}:")
            continue
        made.append(new)
        if rng.random() < 0.25:
            lines.append(f"st.global.f32 [%out+{4 * stored}], {new};")
            stored += 1
    # Values that nothing uses would not be assembled.
    for value in made:
        if value in read:
            continue
        lines.append(f"st.global.f32 [%out+{4 * stored}], {value};")
        stored += 1
    loads = "\n".join(f"ld.global.f32 %in{n}, [%from+{4 * n}];" for n in range(5))
    body = "\n".join(lines)
    return f"""
.visible .entry {name}(.param .u64 from, .param .u64 out)
{{
.reg .f32 %v<{count}>;
.reg .f32 %in<5>;
.reg .b32 %t;
.reg .b64 %from, %out;
.reg .pred %q;
ld.param.u64 %from, [from];
ld.param.u64 %out, [out];
ld.global.u32 %t, [%from+64];
{loads}
setp.lt.u32 %q, %t, 5;
{body}
ret;
}}"""


def of_machine_code(text):
    """Counts of FFMA, FADD and FMUL by kernel; an addition of zero is a sign."""
    found, name = {}, None
    for line in text.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.(\w+)", line):
            name = section[1]
            found[name] = [0, 0, 0]
        elif (
            name and (op := re.search(r"\b(FFMA|FADD|FMUL)\b(.*);", line)) and not (op[1] == "FADD" and "-RZ" in op[2])
        ):
            found[name][("FFMA", "FADD", "FMUL").index(op[1])] += 1
    return found


def main():
    ptxas, nvdisasm, joined = sys.argv[1:4]
    count, seed = [int(n) for n in sys.argv[4:6]] + [400, 1][len(sys.argv[4:6]) :]
    rng = random.Random(seed)
    kernels = {f"k{n}": None for n in range(count)}
    for name in kernels:
        kernels[name] = kernel(name, rng)
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        ptx.write_text(".version 8.0\n.target sm_90\n.address_size 64\n" + "\n".join(kernels.values()))
        subprocess.run([ptxas, "-arch=sm_90", str(ptx), "-o", str(cubin)], check=True)
        theirs = of_machine_code(
            subprocess.run([nvdisasm, "-c", str(cubin)], check=True, capture_output=True, text=True).stdout
        )
        ours = subprocess.run([joined, str(ptx)], check=True, capture_output=True, text=True).stdout
    same = 0
    for line in ours.splitlines():
        name, *counts = line.split()
        counts = [int(n) for n in counts]
        if counts == theirs[name]:
            same += 1
        else:
            print(f"// {name}: ptxas has {theirs[name]}, cuox {counts} of fma, sums, products", kernels[name])
    print(f"{same} of {count} kernels have the same")


if __name__ == "__main__":
    main()
