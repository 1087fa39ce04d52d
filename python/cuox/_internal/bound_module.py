"""Modules written by `python -m cuox bind` whose header declares global variables."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

__all__ = ["with_variables"]


class VariablesModule(ModuleType):
    """A module in which assigning to the name of a global variable writes the variable."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__.get("_VARIABLES", ()):
            super().__setattr__(name, value)
            return
        getattr(self, name)  # opens the library
        setattr(self.__dict__["_library"], name, value)


def with_variables(name: str) -> None:
    """Let the module of a name write the variables that it lists in `_VARIABLES`."""
    module = sys.modules.get(name)
    if module is not None:
        module.__class__ = VariablesModule
