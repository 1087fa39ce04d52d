"""Which of a kernel's declared signatures a launch takes."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType

from cuox._native import _best_overloads

Codes = tuple[str, ...]


def best(function: FunctionType, declared: Sequence[Codes], given: Codes) -> Codes:
    """The signature that the arguments fit best: the one with the fewest unsafe conversions, then the fewest safe ones,
    then the fewest promotions.

    Raises TypeError if there is none, or if several fit as well as each other.
    """
    found = _best_overloads(declared, given)
    if not found:
        listed = "; ".join(f"({', '.join(types)})" for types in declared)
        raise TypeError(
            f"No matching definition for arguments of types ({', '.join(given)}): {function.__name__}() was declared for {listed}"
        )
    if len(found) > 1:
        listed = "\n".join(f"{_shown(declared[index])} -> none" for index in found)
        raise TypeError(f"Ambiguous overloading for {function} {_shown(given)}:\n{listed}")
    return declared[found[0]]


def _shown(types: Codes) -> str:
    from .types import from_code

    return f"({', '.join(repr(from_code(code)) for code in types)})"
