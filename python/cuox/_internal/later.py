"""Names that the peer has and cuox not yet: errors that say so."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Container, Mapping
from typing import Any


def missing(module: str, later: Mapping[str, str], peer: str, parts: Container[str] = ()) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module.

    later: names that the peer's module has, and what there is instead. peer: the peer's module. parts: modules inside,
    which are imported when they are asked for.
    """

    def __getattr__(name: str) -> Any:
        if name in parts:
            return importlib.import_module(f"{module}.{name}")
        if name not in later:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        text = _text(name, later, peer)
        # `from module import name` asks in this way first; of an AttributeError it would say only that the name is not
        # there.
        if sys._getframe(1).f_code.co_name == "_handle_fromlist":
            raise ImportError(text, name=module)
        raise AttributeError(text)

    return __getattr__


def _text(name: str, later: Mapping[str, str], peer: str) -> str:
    return f"{peer} has {name}; cuox not yet: {later[name]}"
