"""Makes a program of `random_cpp.py` smaller as long as the same thing is wrong with it."""

from __future__ import annotations

import re
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


def fewer_statements(program: Program, is_wrong: Callable[[], bool]) -> bool:
    """Take statements out."""
    changed = False
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
                if is_wrong():
                    changed = True
                else:
                    nodes[start:start] = gone
                place = start
            size //= 2
        waiting += [part for node in nodes for part in node.parts if isinstance(part, list)]
    return changed


def fewer_branches(program: Program, is_wrong: Callable[[], bool]) -> bool:
    """Put what stands in branches in their place."""
    changed = False
    for nodes in lists(program.nodes):
        for place in reversed(range(len(nodes))):
            node = nodes[place]
            if str(node.parts[0]).startswith("if ("):
                nodes[place : place + 1] = inner = [
                    one for part in node.parts if isinstance(part, list) for one in part
                ]
                if is_wrong():
                    changed = True
                else:
                    nodes[place : place + len(inner)] = [node]
    return changed


def smaller_expressions(program: Program, is_wrong: Callable[[], bool]) -> bool:
    """Put parts of expressions, or constants, in their place."""
    changed = False
    for nodes in lists(program.nodes):
        for node in nodes:
            for parts, place in operands(node.parts):
                before = parts[place]
                assert isinstance(before, Expr)
                for other in before.smaller():
                    parts[place] = other
                    if is_wrong():
                        changed = True
                        break
                    parts[place] = before
    return changed


def reduced(seed: int, engines: Sequence[str]) -> tuple[Program, str] | None:
    """The smaller program, and what is wrong with it; None if nothing is wrong with that of the seed."""
    program = random_cpp.program(seed)
    team = Team(engines, variants_of(seed))
    try:
        found = team.check(program)[1]
        if found is None:
            return None
        variant, engine = re.split(": ", found.kind)[:2]
        team.variants = list(dict.fromkeys([team.variants[0], variant]))
        if engine != "compile":
            others = [one for one in engines if one not in (engines[0], engine)]
            for one in others:
                team.workers.pop(one).close()
        text = found.text

        def is_wrong() -> bool:
            nonlocal text
            now = team.check(program)[1]
            if now is None or now.kind != found.kind:
                return False
            text = now.text
            return True

        steps = (fewer_statements, fewer_branches, smaller_expressions)
        while any([step(program, is_wrong) for step in steps]):
            pass
        return program, f"{found.kind}: {text}"
    finally:
        team.close()
