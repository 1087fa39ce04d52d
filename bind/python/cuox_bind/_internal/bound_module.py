"""Modules written by `python -m cuox_bind`: those whose header declares global variables, and SWIG's `_foo` beside
`foo`.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["low_level_module", "with_variables"]


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


def low_level_module(spec: ModuleSpec) -> ModuleType:
    """Return the module `_foo`, which has what the module `foo` beside it has, as with SWIG."""
    package, _, last = spec.name.rpartition(".")
    name = ".".join(filter(None, (package, last.removeprefix("_"))))
    public = importlib.import_module(name)

    def find(attribute: str) -> Any:
        try:
            return getattr(public, attribute)
        except AttributeError:
            # What the file's `%init` gives its module is here alone, as with SWIG.
            if (library := vars(public).get("_library")) is not None and attribute in library.__dict__:
                return library.__dict__[attribute]
            raise AttributeError(f"module {spec.name!r} has no attribute {attribute!r}") from None

    made = ModuleType(spec.name, f"What {name} has, under the name that SWIG has for it.")
    made.__dict__.update(__getattr__=find, __dir__=lambda: dir(public))
    return made
