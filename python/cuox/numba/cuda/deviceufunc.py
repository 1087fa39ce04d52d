"""Shapes of generalized ufuncs: `"(m,n),(n,p)->(m,p)"` and what it says of a call's arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_Shape = tuple[int, ...]
_Symbols = tuple[str, ...]
_ARGUMENT = re.compile(r"\(\s*((?:[A-Za-z_]\w*|\d+)(?:\s*,\s*(?:[A-Za-z_]\w*|\d+))*\s*,?)?\s*\)")


def parse_signature(signature: str) -> tuple[list[_Symbols], list[_Symbols]]:
    """The names of the core dimensions of inputs and outputs. Raises ValueError."""
    sides = signature.split("->")
    if len(sides) != 2:
        raise ValueError(f"expected a layout such as '(m,n),(n,p)->(m,p)', got {signature!r}")
    inputs, outputs = (_parse_side(side, signature) for side in sides)
    if not outputs:
        raise ValueError(f"the layout {signature!r} has no output")
    return inputs, outputs


def _parse_side(side: str, signature: str) -> list[_Symbols]:
    found, position = [], 0
    side = side.strip()
    while position < len(side):
        match = _ARGUMENT.match(side, position)
        if match is None:
            raise ValueError(
                f"the layout {signature!r} cannot be read from {side[position:]!r} on: an argument is written (m,n)"
            )
        found.append(tuple(name.strip() for name in (match.group(1) or "").split(",") if name.strip()))
        position = match.end()
        rest = side[position:].lstrip()
        if rest and not rest.startswith(","):
            raise ValueError(f"the layout {signature!r}: expected a comma before {rest!r}")
        position = len(side) - len(rest[1:].lstrip()) if rest else len(side)
    return found


class GUFuncEngine:
    """The layout of a generalized ufunc."""

    @classmethod
    def from_signature(cls, signature: str) -> GUFuncEngine:
        """Read a layout."""
        return cls(*parse_signature(signature))

    def __init__(self, inputsig: list[_Symbols], outputsig: list[_Symbols]) -> None:
        self.sin = inputsig
        self.sout = outputsig
        self.nin = len(inputsig)
        self.nout = len(outputsig)

    def schedule(self, ishapes: Sequence[_Shape], oshapes: Sequence[_Shape | None] = ()) -> GUFuncSchedule:
        """Split the shapes of inputs into loop and core dimensions. oshapes: shapes of outputs that are there, for
        sizes
        that no input tells.

        Raises TypeError for another number of inputs; ValueError for dimensions that do not fit.
        """
        if len(ishapes) != self.nin:
            raise TypeError(f"expected {self.nin} inputs, got {len(ishapes)}")
        sizes: dict[str, int] = {}
        loops, cores = [], []
        for number, (shape, symbols) in enumerate(zip(ishapes, self.sin, strict=True), 1):
            shape = tuple(shape)
            split = len(shape) - len(symbols)
            if split < 0:
                raise ValueError(
                    f"arg #{number}: insufficient inner dimension: the layout ({','.join(symbols)}) needs {len(symbols)}, the shape is {shape}"
                )
            _bind(sizes, symbols, shape, split, f"arg #{number}")
            loops.append(shape[:split])
            cores.append(shape[split:])
        for number, (given, symbols) in enumerate(zip(oshapes, self.sout, strict=False), 1):
            if (
                given is not None
                and any(symbol not in sizes and not symbol.isdigit() for symbol in symbols)
                and len(given) >= len(symbols)
            ):
                _bind(sizes, symbols, tuple(given), len(given) - len(symbols), f"output #{number}")
        outputs = []
        for symbols in self.sout:
            unknown = [symbol for symbol in symbols if symbol not in sizes and not symbol.isdigit()]
            if unknown:
                raise ValueError(f"no input tells the size of the output's dimension {unknown[0]}: pass the output")
            outputs.append(tuple(int(symbol) if symbol.isdigit() else sizes[symbol] for symbol in symbols))
        return GUFuncSchedule(self, cores, outputs, _broadcast(loops), loops)


def _bind(sizes: dict[str, int], symbols: _Symbols, shape: _Shape, split: int, what: str) -> None:
    for axis, symbol in enumerate(symbols, split):
        expected = int(symbol) if symbol.isdigit() else sizes.setdefault(symbol, shape[axis])
        if expected != shape[axis]:
            raise ValueError(
                f"{what}: shape[{axis}] mismatch argument: the dimension {symbol} is {expected}, here {shape[axis]}"
            )


def _broadcast(loops: Sequence[_Shape]) -> _Shape:
    rank = max((len(loop) for loop in loops), default=0)
    made = [1] * rank
    for number, loop in enumerate(loops, 1):
        for axis, size in enumerate(loop, rank - len(loop)):
            if size != 1 and made[axis] != 1 and made[axis] != size:
                raise ValueError(
                    f"arg #{number}: outer dimension mismatch: {loop} cannot be broadcast with {tuple(made)}"
                )
            made[axis] = size if made[axis] == 1 else made[axis]
    return tuple(made)


class GUFuncSchedule:
    """The dimensions of a call: those of the loop, and those of the function's arguments."""

    def __init__(
        self,
        parent: GUFuncEngine,
        ishapes: list[_Shape],
        oshapes: list[_Shape],
        loopdims: _Shape,
        loops: Sequence[_Shape],
    ) -> None:
        self.parent = parent
        self.ishapes = ishapes
        self.oshapes = oshapes
        self.loopdims = loopdims
        self.loopn = math.prod(loopdims)
        # Inputs that are the same in each turn.
        self.pinned = [loop != loopdims and all(size == 1 for size in loop) for loop in loops]
        self.output_shapes = [loopdims + shape for shape in oshapes]

    def __repr__(self) -> str:
        return f"GUFuncSchedule(ishapes={self.ishapes}, oshapes={self.oshapes}, loopdims={self.loopdims}, loopn={self.loopn}, pinned={self.pinned})"
