"""Makes a program of `random_cpp.py` smaller as long as the same thing is wrong with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import random_cpp
from random_cpp_run import Team, variants_of
from random_cpp_tree import Expr, Node, Program


def lists(nodes: list[Node]) -> Iterator[list[Node]]:
    """All lists of statements, the outer ones first."""
    yield nodes
    for node in nodes:
        for part in node.parts:
            if isinstance(part, list):
                yield from lists(part)


def operands(parts: list[str | Expr | list[Node]] | list[str | Expr]) -> Iterator[tuple[list[object], int]]:
    """Where expressions stand, the outer ones first: lists and places in them."""
    for place, part in enumerate(parts):
        if isinstance(part, Expr):
            yield parts, place  # type: ignore[misc]
            yield from operands(part.parts)


def fewer_statements(program: Program, is_wrong: Callable[[], bool]) -> None:
    """Take statements out."""
    waiting = [program.nodes]
    while waiting:
        nodes = waiting.pop(0)
        size = len(nodes)
        while size:
            place = len(nodes)
            while place > 0:
                start = max(0, place - size)
                gone = nodes[start:place]
                del nodes[start:place]
                if not is_wrong():
                    nodes[start:start] = gone
                place = start
            size //= 2
        waiting += [part for node in nodes for part in node.parts if isinstance(part, list)]


def fewer_branches(program: Program, is_wrong: Callable[[], bool]) -> None:
    """Put what stands in branches in their place."""
    for nodes in lists(program.nodes):
        for place in reversed(range(len(nodes))):
            node = nodes[place]
            if str(node.parts[0]).startswith("if ("):
                nodes[place : place + 1] = inner = [
                    one for part in node.parts if isinstance(part, list) for one in part
                ]
                if not is_wrong():
                    nodes[place : place + len(inner)] = [node]


def smaller_expressions(program: Program, is_wrong: Callable[[], bool]) -> None:
    """Put parts of expressions, or constants, in their place."""
    for nodes in lists(program.nodes):
        for node in nodes:
            for parts, place in operands(node.parts):
                before = parts[place]
                assert isinstance(before, Expr)
                for other in before.smaller():
                    parts[place] = other
                    if is_wrong():
                        break
                    parts[place] = before


def reduced(seed: int, engines: Sequence[str], seconds: float = 600.0) -> tuple[Program, str] | None:
    """The smaller program, and what is wrong with it; None if nothing is wrong with that of the seed. What is not done
    after so many seconds is left.
    """
    program = random_cpp.program(seed)
    team = Team(engines, variants_of(seed))
    ends = time.monotonic() + seconds
    try:
        found = team.check(program)[1]
        if found is None:
            return None
        pairs = found.pairs

        def is_wrong() -> bool:
            return time.monotonic() < ends and team.differ(program, pairs) is not None

        before = ""
        while program.text() != before and time.monotonic() < ends:
            before = program.text()
            for step in (fewer_statements, fewer_branches, smaller_expressions):
                step(program, is_wrong)
        return program, team.differ(program, pairs) or found.text
    finally:
        team.close()
