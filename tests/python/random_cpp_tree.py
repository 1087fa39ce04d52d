"""The trees of the programs of `random_cpp.py`, so that a program that shows a fault can be made smaller."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Expr:
    """An expression. Any other one of its type may stand there."""

    type: str
    parts: list[str | Expr]

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def smaller(self) -> Iterator[Expr]:
        """What may stand there instead, the smallest first."""
        if len(self.parts) > 1 or isinstance(self.parts[0], Expr):
            zero, one = ("false", "true") if self.type == "bool" else (f"{self.type}(0)", f"{self.type}(1)")
            yield Expr(self.type, [zero])
            yield Expr(self.type, [one])
        for part in self.parts:
            if isinstance(part, Expr) and part.type == self.type:
                yield part


@dataclass
class Node:
    """A statement, or a function: its text, with the expressions and the lists of statements inside it.

    It may go as a whole; what must go together is in one.
    """

    parts: list[str | Expr | list[Node]]

    def lines(self, indent: int = 0) -> Iterator[str]:
        text, pad = "", "    " * indent
        for part in self.parts:
            if isinstance(part, list):
                yield from _lines(text, pad)
                text = ""
                for node in part:
                    yield from node.lines(indent + 1)
            else:
                text += str(part)
        yield from _lines(text, pad)


def _lines(text: str, pad: str) -> Iterator[str]:
    return (pad + line for line in text.strip("\n").split("\n") if line)


@dataclass
class Program:
    """A kernel named `kernel`, and its launches."""

    seed: int
    # For each launch the blocks and the threads of a block.
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]]
    head: str
    nodes: list[Node]
    # For each word that a thread writes what it is.
    results: list[str] = field(default_factory=list)

    def text(self) -> str:
        return self.head + "\n".join(line for node in self.nodes for line in node.lines()) + "\n"
