"""The exceptions. `cuox_bind._native` raises what is defined here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["BindError", "CallError", "CompileError", "NotFoundError"]


class _Error(RuntimeError):
    """One that is pickled by its place in this package, which programs without `cuox` have."""

    def __reduce__(self) -> tuple[Any, ...]:
        name, state = type(self).__name__, vars(self)
        if globals().get(name) is not type(self):
            return (type(self), self.args, state)
        return (_made, (name, *self.args), state)


def _made(name: str, *arguments: Any) -> RuntimeError:
    class_ = {one.__name__: one for one in (BindError, CallError, CompileError, NotFoundError)}[name]
    return class_(*arguments)


class CompileError(_Error):
    """The compiler refused a program. `log` is what it printed."""

    def __init__(self, message: str = "", code: int | None = None, name: str = "", log: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.log = log


class NotFoundError(_Error):
    """A library, a folder of headers or a kernel is not there.

    `searched` lists where it was looked for, `fix` is what usually mends it.
    """

    def __init__(self, message: str = "", searched: Sequence[str] = (), fix: str = "") -> None:
        super().__init__(message)
        self.searched = list(searched)
        self.fix = fix


class BindError(_Error):
    """A header, a rules file or an interface file is wrong, or what it asks for cannot be done.

    `file` and `line` say where, if that is known; the message has them too, with the compiler's own text for headers.
    """

    def __init__(self, message: str = "", file: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.file = file
        self.line = line


class CallError(_Error):
    """A bound C function has failed: its status says so, or it returned a null pointer.

    `function` is its name, `code` the status (a member of its enumeration if it has one; None for a null pointer),
    `text` what the library says about it.
    """

    def __init__(self, message: str = "", function: str = "", code: int | None = None, text: str | None = None) -> None:
        super().__init__(message)
        self.function = function
        self.code = code
        self.text = text


# Messages name the place that users know. (Where `cuox` is imported it is that.)
for _class in (BindError, CallError, CompileError, NotFoundError):
    _class.__module__ = "cuox_bind"
del _class
