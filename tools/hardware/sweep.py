"""Compares what ptxas and cuox refuse: python sweep.py PTXAS REFUSED TABLE FILE.ptx... [-n COUNT] > DIFFERENCES

REFUSED is what `cargo build -p cuox-simt --example refused` makes, TABLE what `cargo run -p cuox-ptx --example table`
prints. Behind every instruction of the files stand some like it: with a modifier more, less, twice, elsewhere or
another one. A line of the result says who refuses an instruction, why, and which.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import tempfile

INSTRUCTION = re.compile(
    r"^(\s*(?:@!?%?\w+\s+)?)([a-z][a-z0-9_]*(?:[.:][\w:]+)*)(\s[^;{}]*(?:\{[^;{}]*\}[^;{}]*)*)?;\s*$"
)
# Instructions that end a block, or have a syntax of their own.
SKIPPED = ("bra", "brx", "call", "ret", "exit", "trap", "brkpt", "pragma")


def vocabulary(lines):
    """Mnemonics and the modifiers that each may have somewhere."""
    words = collections.defaultdict(set)
    for line in lines:
        mnemonic, *slots = line.split("\t")[0].split(" ")
        words[mnemonic] |= {w for s in slots for w in s[1:-1].split("|")}
    return words


def split(name, words):
    """The mnemonic and its modifiers."""
    parts = name.split(".")
    for n in range(min(5, len(parts)), 0, -1):
        if ".".join(parts[:n]) in words:
            return ".".join(parts[:n]), parts[n:]
    return None, []


def mutants(name, words, rng):
    """Names like this one."""
    mnemonic, mods = split(name, words)
    if mnemonic is None or mnemonic.split(".")[0] in SKIPPED:
        return
    pool = sorted(words[mnemonic])
    for n in range(len(mods)):
        yield mods[:n] + mods[n + 1 :]
        yield mods[:n] + [mods[n]] + mods[n:]
        for word in rng.sample(pool, min(4, len(pool))):
            yield mods[:n] + [word] + mods[n + 1 :]
        if n:
            yield mods[: n - 1] + [mods[n], mods[n - 1]] + mods[n + 1 :]
    for word in pool:
        yield mods[:-1] + [word] + mods[-1:]


def extended(text, words, rng, seen, count):
    """The file with mutants, and the lines that they are on."""
    out, added = [], {}
    for line in text.splitlines():
        found = INSTRUCTION.match(line)
        out.append(line)
        if not found:
            continue
        head, name, rest = found.groups()
        mnemonic = split(name, words)[0]
        fresh = []
        for mods in mutants(name, words, rng):
            other = ".".join([mnemonic, *mods])
            # The kinds of operands matter, not which they are.
            key = (other, re.sub(r"\d+", "", rest or ""))
            if key not in seen:
                seen.add(key)
                fresh.append(other)
        for other in rng.sample(fresh, min(count, len(fresh))):
            out.append(f"{head}{other}{rest or ''};")
            added[len(out)] = out[-1].strip()
    return "\n".join(out) + "\n", added


def by_ptxas(ptxas, path, text):
    """Refused lines; what is refused late shows when the rest is gone."""
    lines, refused = text.split("\n"), {}
    while True:
        with open(path, "w") as file:
            file.write("\n".join(lines))
        run = subprocess.run(
            [ptxas, "-arch=sm_90a", "-O0", "-w", path, "-o", "/dev/null"], capture_output=True, text=True
        )
        wrong = {int(n): why for n, why in re.findall(r"line (\d+); (?:error|fatal)\s*: (.*)", run.stderr)}
        wrong = {n: why for n, why in wrong.items() if lines[n - 1]}
        if not wrong:
            return refused, run.stderr if run.returncode else ""
        for n in wrong:
            lines[n - 1] = ""
        refused |= wrong


def main():
    options = argparse.ArgumentParser()
    options.add_argument("ptxas")
    options.add_argument("refused")
    options.add_argument("table")
    options.add_argument("files", nargs="+")
    options.add_argument("-n", type=int, default=12, help="mutants of an instruction")
    given = options.parse_args()
    with open(given.table) as file:
        words = vocabulary(file)
    rng, seen, counts = random.Random(1), set(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for source in given.files:
            with open(source) as file:
                text, added = extended(file.read(), words, rng, seen, given.n)
            if not added:
                continue
            path = os.path.join(folder, "k.ptx")
            theirs, left = by_ptxas(given.ptxas, path, text)
            if left or any(n not in added for n in theirs):
                counts["files that ptxas refuses"] += 1
                continue
            with open(path, "w") as file:
                file.write(text)
            run = subprocess.run([given.refused, path], capture_output=True, text=True)
            ours = dict(re.findall(rf"^{re.escape(path)} (\d+) (.*)$", run.stdout, re.M))
            ours = {int(n): why for n, why in ours.items()}
            for n, line in added.items():
                who = (
                    "both"
                    if n in theirs and n in ours
                    else "ptxas"
                    if n in theirs
                    else "cuox"
                    if n in ours
                    else "nobody"
                )
                counts[who] += 1
                if who in ("ptxas", "cuox"):
                    print(who, "|", theirs.get(n) or ours.get(n), "|", line, "|", os.path.basename(source))
            for n in ours.keys() - added.keys():
                print("cuox", "|", ours[n], "|", text.split("\n")[n - 1].strip(), "|", os.path.basename(source))
    print("#", dict(counts))


main()
