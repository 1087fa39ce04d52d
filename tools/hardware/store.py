"""Brings recordings to the form in which they are kept: python store.py instructions|kernels PTXHASH < RECORDED > KEPT.

Of instructions, the lower half of each hash stands before the line; of kernels (whose PTXHASH the test prints when it
differs), eight such hashes are on a line, in the order of the seeds.
"""

import sys

HEAD = {
    "instructions": """# Results of PTX instructions on {device}, assembled by ptxas 13.0 for sm_90, {date}, by tools/hardware/record.py.
# A hash of the results for 2048 tuples of operands; the set of operands (see hardware/operands.rs); the result's register class (h 16, r 32,
# d 64 bits, p predicate); the instruction.""",
    "kernels": """# Results of random kernels on {device}, assembled by ptxas 13.0 for sm_90, {date}, by tools/hardware/kernels.py.
# A hash of the kernels; then hashes of the results of seeds 0, 1, ..., eight on a line.""",
}


def main(kind, kernels=""):
    first, *lines = sys.stdin.read().splitlines()
    device, cuda, date = first.removeprefix("# ").split(", ")
    print(HEAD[kind].format(device=f"{device} ({cuda})", date=date))
    if kind == "instructions":
        for line in lines:
            print(line[8:])
        return
    print("kernels", kernels)
    hashes = dict(line.split() for line in lines if not line.startswith("#"))
    words = [hashes[str(seed)][8:] if str(seed) in hashes else "-" for seed in range(1 + max(map(int, hashes)))]
    for n in range(0, len(words), 8):
        print(" ".join(words[n : n + 8]))


main(*sys.argv[1:])
