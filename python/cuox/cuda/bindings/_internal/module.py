"""A module of C functions: names are looked up in a parsed header when they are first used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from cuox_bind import _native
from cuox_bind._internal.bind import make_enum, make_raise

from .types import DEFAULTS, LENGTHS

DATA = Path(__file__).parent / "data"


class Later:
    """An object that is made when its name is first used. `stub`: what a stub says of it if not what the header's plan
    says; "bytes" for `str`.
    """

    def __init__(self, make: Callable[[], Any], stub: str = "") -> None:
        self.make = make
        self.stub = stub


class Names:
    """The names of one module: those of its header, and those that Python adds or replaces."""

    def __init__(
        self,
        module: str,
        find: Callable[[str], int | None],
        place: str,
        special: Callable[[Names], dict[str, Any]] | None = None,
    ) -> None:
        self.module = module
        self._find = find
        self._place = place
        self._special_of = special
        self._library: _native.Library | None = None
        self._special: dict[str, Any] | None = None
        # Two libraries would have two classes of each name. Making what is special asks for the library.
        self._making = threading.RLock()

    @property
    def library(self) -> _native.Library:
        """The functions as the header's plan has them, with nothing added."""
        if self._library is None:
            with self._making:
                if self._library is None:
                    text = (DATA / f"{self.module.rpartition('.')[2]}.txt").read_text(encoding="ascii")
                    data = text.partition("\n")[2]  # the first line says what it was made from
                    binding = _native.Binding.from_data(data)
                    self._library = _native.Library(
                        binding,
                        self._find,
                        make_enum,
                        make_raise,
                        module=self.module,
                        name=self._place,
                        plain=True,
                        lengths=LENGTHS,
                        defaults=DEFAULTS,
                    )
        return self._library

    @property
    def special(self) -> dict[str, Any]:
        """The names that are added or replaced."""
        if self._special is None:
            with self._making:
                if self._special is None:
                    self._special = {} if self._special_of is None else self._special_of(self)
        return self._special

    def get(self, name: str, namespace: dict[str, Any]) -> Any:
        """A name's object, which stays in the module's namespace."""
        if name == "__all__":
            # The names for `import *`: a driver need not have all functions, nor a header all types that others name.
            return [name for name in self.names() if self.has(name, namespace)]
        if name.startswith("__"):
            raise AttributeError(f"module {self.module!r} has no attribute {name!r}")
        special = self.special
        if name in special:
            found = special[name]
            if isinstance(found, Later):
                with self._making:
                    found = special[name]
                    if isinstance(found, Later):
                        found = special[name] = found.make()
        else:
            try:
                found = self.library[name]
            except KeyError:
                raise AttributeError(f"module {self.module!r} has no attribute {name!r}") from None
        namespace[name] = found
        return found

    def has(self, name: str, namespace: dict[str, Any]) -> bool:
        """Tell whether there is an object of that name, here and now."""
        try:
            return name in namespace or self.get(name, namespace) is not None
        except AttributeError:
            return False

    def names(self) -> list[str]:
        """All public names."""
        return sorted({*self.library.names, *(name for name in self.special if not name.startswith("_"))})


def lazily(open_: Callable[[], Iterable[str | PathLike[str]]]) -> Callable[[str], int | None]:
    """The symbols of libraries that are opened when the first symbol is asked for."""
    opened: list[Any] = []

    def find(symbol: str) -> int | None:
        if not opened:
            opened.append(_native.Symbols(list(open_())))
        found: int | None = opened[0].find(symbol)
        return found

    return find
