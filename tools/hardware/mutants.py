"""Compares which damaged modules ptxas and cuox refuse: python mutants.py PTXAS PARSE FILE.ptx... [-n COUNT] [-s SEED]
>
DIFFERENCES

PARSE is what `cargo build -p cuox-ptx --example parse` makes. A module is one of the files with a token deleted,
doubled, swapped with another, replaced, or of another type. A line of the result says who refuses a module, why, and
what was done to which line of which file.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import tempfile

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"]*"|[%$\w]+(?:\.[\w:]+)*|\.[\w:]+|\s+|.', re.S)
TYPE = re.compile(r"\.[busf](?:8|16|32|64)\b")
TYPES = ".b8 .b16 .u16 .s16 .f16 .b32 .u32 .s32 .f32 .b64 .u64 .s64 .f64 .pred .b128".split()
NUMBERS = "0 1 -1 3 17 32 255 256 4096 65536 4294967296 18446744073709551615 1.5 0f3F800000".split()


def damage(tokens, rng):
    """The text with one thing changed, and the number of the line where that is."""
    real = [i for i, t in enumerate(tokens) if not t.isspace() and not t.startswith(("//", "/*"))]
    out = list(tokens)
    at = rng.choice(real)

    def one_of(pattern):
        found = [i for i in real if re.search(pattern, tokens[i])]
        return rng.choice(found) if found else at

    kind = rng.randrange(8)
    if kind == 0:
        del out[at]
    elif kind == 1:
        out.insert(at, out[at] + " ")
    elif kind == 2:
        near = [i for i in real if 0 < abs(i - at) < 12] or real
        other = rng.choice(near)
        out[at], out[other] = out[other], out[at]
    elif kind == 3:
        out[at] = tokens[rng.choice(real)]
    elif kind == 4:
        at = one_of(TYPE)
        out[at] = TYPE.sub(lambda _: rng.choice(TYPES), out[at], count=1)
    elif kind == 5:
        at = one_of(r"^\d+$")
        out[at] = rng.choice(NUMBERS)
    elif kind == 6:
        at = one_of(r"^[a-z]+\.")
        words = out[at].split(".")
        words[rng.randrange(len(words))] = tokens[one_of(r"^[a-z]+\.")].split(".")[-1]
        out[at] = ".".join(words)
    else:
        at = one_of(r"^[%$]?\w+\d$")
        out[at] = rng.choice([tokens[one_of(r"^[%$]?\w+\d$")], out[at] + "9", out[at][:-1]])
    return "".join(out), "".join(tokens[:at]).count("\n") + 1


def refusal(command, pattern):
    """Why a program refuses a file, or nothing."""
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 0:
        return ""
    found = re.search(pattern, run.stderr + run.stdout, re.M)
    return found[1] if found else f"exit status {run.returncode}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("ptxas")
    options.add_argument("parse")
    options.add_argument("files", nargs="+")
    options.add_argument("-n", type=int, default=1000, help="modules")
    options.add_argument("-s", type=int, default=1, help="seed")
    given = options.parse_args()
    rng, counts = random.Random(given.s), collections.Counter()
    sources = []
    for path in given.files:
        with open(path) as file:
            sources.append((os.path.basename(path), TOKEN.findall(file.read())))
    with tempfile.TemporaryDirectory() as folder:

        def judge(n, text):
            path = os.path.join(folder, f"{n}.ptx")
            with open(path, "w") as file:
                file.write(text)
            assemble = [given.ptxas, "-arch=sm_90a", "-O0", "-w", path, "-o", os.devnull]
            return refusal(assemble, r"(?:error|fatal)\s*: (.*)"), refusal([given.parse, path], r"^ptx:[\d:]+ (.*)")

        with concurrent.futures.ThreadPoolExecutor() as workers:
            waiting = []
            for n in range(given.n):
                name, tokens = rng.choice(sources)
                text, line = damage(tokens, rng)
                waiting.append((workers.submit(judge, n, text), name, line, text))
            for future, name, line, text in waiting:
                theirs, ours = future.result()
                who = "both" if theirs and ours else "ptxas" if theirs else "cuox" if ours else "nobody"
                counts[who] += 1
                if who in ("ptxas", "cuox"):
                    print(who, "|", theirs or ours, "|", text.split("\n")[line - 1].strip(), "|", f"{name}:{line}")
    print("#", dict(counts))


main()
