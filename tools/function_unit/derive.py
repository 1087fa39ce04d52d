"""Finds the coefficients of a GPU's function unit: python derive.py FOLDER > crates/cuox-simt/src/sem/approx/tables.rs

FOLDER is what record.py made; needs numpy and scipy. Every result says that a sum `c0 + c1 * x + c2 * square(x)` lies
between two numbers, the result and the next one. A linear program over all results of a piece finds coefficients that
satisfy them; c1 and c2 turn out to be whole numbers of a unit, and c0 is then known to a few parts of it. How many
pieces there are, and which partial products the square has, was found by trying: with anything else, no coefficients
exist.
"""

import sys

import numpy
from scipy.optimize import linprog

MANTISSA = (1 << 23) - 1


def square(x):
    """17 bits to 15: the square without the products of two bits that weigh less than 2^19."""
    high, low = x >> 9, x >> 1 & 255
    total = high * high >> 1
    for bit in range(1, 8):
        total += (low >> bit & 1) * (high >> (8 - bit))
    return total


def feasible(low, high, features):
    """Coefficients with low <= features @ c < high, as far inside as can be."""
    scale = numpy.abs(features).max(0)
    width = high - low
    rows = features / scale / width[:, None]
    start = numpy.linalg.lstsq(rows, (low + high) / 2 / width, rcond=None)[0]
    base = rows @ start
    low, high = low / width - base, high / width - base
    norm = numpy.abs(rows).max(0)
    rows = rows / norm
    chosen = set(numpy.linspace(0, len(rows) - 1, 64).astype(int).tolist())
    step = numpy.zeros(3)
    for _ in range(40):
        some = numpy.array(sorted(chosen))
        ones = numpy.ones((len(some), 1))
        matrix = numpy.vstack([numpy.hstack([rows[some], ones]), numpy.hstack([-rows[some], ones])])
        bounds = numpy.concatenate([high[some], -low[some]])
        result = linprog([0, 0, 0, -1], A_ub=matrix, b_ub=bounds, bounds=[(None, None)] * 4, method="highs")
        if result.x is None:
            break
        step, slack = result.x[:3], result.x[3]
        value = rows @ step
        room = numpy.minimum(high - value, value - low)
        if room.min() >= slack - 1e-9:
            break
        for part in numpy.array_split(numpy.arange(len(rows)), 64):
            worst = part[room[part].argmin()]
            if room[worst] < slack:
                chosen.add(int(worst))
    return (start + step / norm) / scale


def piece(low, high, x, fraction, shift=0):
    """The range of c0, and c1 and c2, in 2^-fraction, for results between `low` and `high`."""
    squares = square(x << shift)
    c = feasible(low, high, numpy.array([numpy.ones(len(x)), x, squares]).T.astype(float))
    least = numpy.ceil(low * 2.0**fraction).astype(numpy.int64)
    most = numpy.ceil(high * 2.0**fraction).astype(numpy.int64) - 1
    best = None
    for linear in range(round(c[1] * 2**fraction) - 2, round(c[1] * 2**fraction) + 3):
        for quadratic in range(round(c[2] * 2**fraction) - 2, round(c[2] * 2**fraction) + 3):
            rest = linear * x + quadratic * squares
            a, b = int((least - rest).max()), int((most - rest).min())
            if b >= a and (best is None or b - a > best[1] - best[0]):
                best = (a, b, linear, quadratic)
    if best is None:
        raise SystemExit("no coefficients")
    return best


def on_grid(pieces, grid, residue):
    """c0 is `residue` beyond a multiple of `grid`: the same rounding constant everywhere."""
    table = []
    for a, b, linear, quadratic in pieces:
        c0 = a + (residue - a) % grid
        if c0 > b:
            raise SystemExit("not on the grid")
        table.append((c0, linear, quadratic))
    return table


def load(folder, function):
    with numpy.load(f"{folder}/{function}.npz") as file:
        return file["x"], file["r"]


def interval(r, unit):
    """Where the sum is that was cut to these results, in 2^-unit."""
    value = (r & 0x7FFFFFFF).view(numpy.float32)
    exponent = (value.view(numpy.uint32) >> 23).astype(int)
    low = value.astype(float) * 2.0**unit
    return low, low + 2.0 ** (exponent - 127 - 23 + unit)


def by_mantissa(folder, function, fraction, unit, bits=17):
    """A function of mantissas, binade after binade; the result for x = 1 may be an exception."""
    x, r = load(folder, function)
    mantissa = (x - x[0]).astype(numpy.int64)
    low, high = interval(r, unit)
    pieces = []
    for i in range(len(x) >> bits):
        here = slice(max(i << bits, 1), (i + 1) << bits)
        pieces.append(piece(low[here], high[here], mantissa[here] & ((1 << bits) - 1), fraction, 17 - bits))
    return pieces


def sine(folder):
    """Of all four quarters of both functions, brought into the first."""
    turns, results = [], []
    for function, quarter in (("sin", 0), ("cos", 1)):
        x, r = load(folder, function)
        product = x.view(numpy.float32).astype(float) * float(numpy.float32(0.15915494))
        single = (product.view(numpy.int64) & ~0x1FFFFFFF).view(float)
        turns.append(((single * 2**25).astype(numpy.int64) + (quarter << 23)) & ((1 << 25) - 1))
        results.append(r)
    turn, first = numpy.unique(numpy.concatenate(turns), return_index=True)
    low, high = interval(numpy.concatenate(results)[first], 24)
    x = numpy.where(turn >> 23 & 1, ~turn, turn) & MANTISSA
    pieces = []
    for i in range(64):
        here = (x >> 17 == i) & (x != 0)
        pieces.append(piece(low[here], high[here], x[here] & 0x1FFFF, 15))
    return pieces


def tanh(folder):
    """As many bits of the mantissa as choose a piece and 17 more; below, they are not looked at."""
    x, r = load(folder, "tanh")
    pieces = []
    for binade, unseen in zip(range(119, 130), (6, 6, 6, 5, 5, 4, 4, 4, 3, 2, 3)):
        here = (x >> 23 == binade) & (x & ((1 << unseen) - 1) == 0)
        low, high = interval(r[here], 24)
        seen = ((x[here] & MANTISSA) >> unseen).astype(numpy.int64)
        for i in range(1 << (23 - unseen - 17)):
            one = seen >> 17 == i
            pieces.append(piece(low[one], high[one], seen[one] & 0x1FFFF, 15))
    return pieces


def lg2(folder):
    """The sum is cut to 13 bits behind the point, which shows in the first piece."""
    pieces = by_mantissa(folder, "lg2", 15, 23)
    a, b, linear, quadratic = pieces[0]
    pieces[0] = (a, b | 3, linear, quadratic)
    return on_grid(pieces, 1 << 12, 837)


HEADER = """//! The coefficients of the special function unit (SFU): one line for each segment of a function's domain.
//!
//! The coefficients were measured, not computed. They are the only ones that reproduce an H200's results (driver 580,
//! November 2026) for every operand of the domain. Generated by `tools/function_unit/derive.py`; do not edit.

use super::sfu::{Parabola, Table};

const fn p(whole: i32, part: i32, linear: i32, square: i32) -> Parabola {
    Parabola {
        whole,
        part,
        linear,
        square,
    }
}
"""


def main(folder):
    print(HEADER, end="")
    for name, fraction, doc, table in (
        (
            "RCP",
            15,
            "`1 / x` for x in \\[1, 2), in 2^-24.",
            on_grid(by_mantissa(folder, "rcp", 15, 24, 16), 1 << 13, 2023),
        ),
        (
            "RSQRT",
            16,
            "`1 / sqrt(x)` for x in \\[1, 4), in 2^-24.",
            on_grid(by_mantissa(folder, "rsqrt", 16, 24), 1 << 13, 8191),
        ),
        (
            "SQRT",
            17,
            "`sqrt(x)` for x in \\[1, 4), in 2^-23.",
            on_grid(by_mantissa(folder, "sqrt", 17, 23), 1 << 13, 8191),
        ),
        ("EX2", 15, "`2^x` for x in \\[0, 1), in 2^-23.", on_grid(by_mantissa(folder, "ex2", 15, 22), 1 << 13, 6114)),
        ("LG2", 15, "`log2(x)` for x in \\[1, 2), in 2^-23.", lg2(folder)),
        ("SIN", 15, "The sine of x quarter turns for x in \\[0, 1), in 2^-24.", on_grid(sine(folder), 1 << 13, 0)),
        (
            "TANH",
            15,
            "`tanh(x)` for x in \\[2^-8, 8), in 2^-24; see [`super::sfu::TANH_BINADES`].",
            on_grid(tanh(folder), 1 << 13, 0),
        ),
    ):
        print(f"\n/// {doc}\n#[rustfmt::skip]\npub(crate) static {name}: Table<{len(table)}, {fraction}> = Table([")
        for c0, linear, quadratic in table:
            print(f"    p({c0 >> fraction}, {c0 & ((1 << fraction) - 1)}, {linear}, {quadratic}),")
        print("]);")


if __name__ == "__main__":
    main(sys.argv[1])
