"""Functions of kernels as data that `pickle` takes: their code, what they refer to, and their source, from which
kernels are translated.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import linecache
import marshal
import sys
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from . import kernel_source


class _Module:
    """A module, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name


def is_global(value: Any) -> bool:
    """True if an object is found under its own name in its module, as `pickle` refers to classes and functions."""
    found: Any = sys.modules.get(value.__module__ or "")
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value


def state_of(function: FunctionType) -> tuple[Any, ...]:
    """A function as a tuple for `function_of`. Raises KernelSourceError for one without source."""
    code = function.__code__
    source = kernel_source.of(function)
    names = {name: _given(function.__globals__[name]) for name in _names(code) if name in function.__globals__}
    cells = [_content(cell) for cell in function.__closure__ or ()]
    defaults = (function.__defaults__, function.__kwdefaults__)
    about = (function.__name__, function.__qualname__, function.__module__, function.__doc__)
    return (sys.version_info[:2], marshal.dumps(code), about, defaults, names, cells, source.first_line, source.lines)


def function_of(state: tuple[Any, ...]) -> FunctionType:
    """The function of a tuple by `state_of`. Raises ValueError if it was made by another version of Python."""
    version, data, about, defaults, names, cells, first_line, lines = state
    if version != sys.version_info[:2]:
        raise ValueError(
            f"{about[1]}: this kernel was pickled by Python {version[0]}.{version[1]}; another version of Python cannot read its code"
        )
    code = _with_source(marshal.loads(data), first_line, lines)
    scope: dict[str, Any] = {"__builtins__": builtins, "__name__": about[2]}
    scope |= {name: _taken(value) for name, value in names.items()}
    closure = tuple(CellType() if cell is None else CellType(_taken(cell[0])) for cell in cells)
    function = FunctionType(code, scope, about[0], defaults[0], closure or None)
    function.__kwdefaults__ = defaults[1]
    function.__qualname__, function.__module__, function.__doc__ = about[1:]
    return function


def _names(code: CodeType) -> set[str]:
    """The names that code asks of its globals, inner functions included."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found


def _content(cell: CellType) -> tuple[Any] | None:
    try:
        return (_given(cell.cell_contents),)
    except ValueError:
        # A variable that was not assigned yet.
        return None


def _given(value: Any) -> Any:
    return _Module(value.__name__) if isinstance(value, ModuleType) else value


def _taken(value: Any) -> Any:
    return importlib.import_module(value.name) if isinstance(value, _Module) else value


def _with_source(code: CodeType, first_line: int, lines: list[str]) -> CodeType:
    """The code, whose source is found: its own file if that says the same here, else one in memory."""
    here = [line.rstrip("\n") for line in linecache.getlines(code.co_filename)[first_line - 1 :][: len(lines)]]
    if here == lines:
        return code
    # The same in every process: the name is part of what the disk cache looks for.
    number = hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    file = f"<pickled {number} {code.co_filename}>"
    text = ["\n"] * (first_line - 1) + [line + "\n" for line in lines]
    linecache.cache[file] = (sum(map(len, text)), None, text, file)
    return _renamed(code, file)


def _renamed(code: CodeType, file: str) -> CodeType:
    constants = tuple(_renamed(one, file) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=file, co_consts=constants)
