"""The tree of a Python function, found by the position of its code."""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import io
import linecache
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import NamedTuple

from cuox._native import _compiled_texts

from .kernel_errors import KernelSourceError

# The flags of `from __future__ import ...` in a code's flags.
_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag


# Files that are newer may have been changed since their functions were compiled.
_STARTED = time.time()


class Source(NamedTuple):
    """A function's tree, and where it is."""

    node: ast.FunctionDef | ast.Lambda
    """The tree; its lines count from another one than the file's."""
    line_offset: int
    """What is added to its lines."""
    file: str
    lines: list[str]
    """The file's lines from `first_line` on."""
    first_line: int


def of(function: FunctionType) -> Source:
    """The source of a function. Raises KernelSourceError if there is none."""
    code = function.__code__
    # Programs have many texts under one name, such as `<string>`: of those the one that has this very code, then what
    # Python knows under the name. A module may have been reloaded from a changed file.
    linecache.checkcache(code.co_filename)
    lines = _compiled(code) or linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        # Other texts that a program compiles have the same name.
        lines = _command_line(code.co_filename) or _standard_input(code.co_filename)
        lines = lines if _has(lines, code) else []
    first = code.co_firstlineno
    if code.co_flags & inspect.CO_COROUTINE or code.co_flags & inspect.CO_ASYNC_GENERATOR:
        raise KernelSourceError(f"{function.__qualname__}(): a kernel cannot be an async function")
    if not lines or first > len(lines):
        raise KernelSourceError(
            f"{function.__qualname__}(): its source cannot be found ({code.co_filename}, line {first}); a kernel is translated from its source: "
            "put it into a file or a notebook's cell, or compile its text after cuox.numba.cuda or cuox.cuda.compute was imported"
        )
    changed = f"{function.__qualname__}(): {code.co_filename}, line {first} is not its source any more: was the file changed after it was imported?"
    # Notebooks have no `__file__`; their cells may contain more than Python.
    if "__file__" in function.__globals__ and _is_new(code.co_filename) and not _has(lines, code):
        raise KernelSourceError(changed)
    if code.co_name == "<lambda>":
        return _lambda(function, lines)
    last = max(_last_line(code), first)
    for end in (last, None):
        if end is None:
            try:
                block = inspect.getblock(lines[first - 1 :])
            except Exception as error:
                raise KernelSourceError(f"{function.__qualname__}(): its source cannot be read: {error}") from error
        else:
            block = lines[first - 1 : end]
        # An indented function stands inside of an `if`, so that columns are the file's.
        is_indented = block[0][:1].isspace()
        try:
            tree = ast.parse(("if 1:\n" if is_indented else "") + "".join(block))
        except (SyntaxError, ValueError):
            continue
        body = tree.body[0].body if is_indented and isinstance(tree.body[0], ast.If) else tree.body
        node = body[0]
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            offset = first - (2 if is_indented else 1)
            return Source(node, offset, code.co_filename, [line.rstrip("\n") for line in block], first)
    raise KernelSourceError(changed)


def _lines(text: str) -> list[str]:
    """The lines of a text as Python counts them: others than `str.splitlines` tells, which ends some at form feeds and
    characters such as U+2028.
    """
    return io.StringIO(text, newline=None).readlines()


def _compiled(code: CodeType) -> list[str]:
    """The text that this code was compiled from by `exec` or `compile`: the newest one that has the same code in it."""
    for text in _compiled_texts(code.co_filename):
        if code.co_name == "<lambda>" or code.co_name in text:
            lines = _lines(text)
            if _has(lines, code):
                return lines
    return []


def _is_new(file: str) -> bool:
    try:
        return os.stat(file).st_mtime > _STARTED
    except (OSError, ValueError):
        return False


def _has(lines: list[str], code: CodeType) -> bool:
    """True if a text has this very code in it."""
    return code in _codes_of("".join(lines), code.co_filename, code.co_flags & _FUTURE)


# A kernel and the functions that it calls are mostly of one text.
@functools.lru_cache(maxsize=2)
def _codes_of(text: str, file: str, flags: int) -> tuple[CodeType, ...]:
    """All code in a text; none if Python refuses it."""
    try:
        return tuple(_codes(compile(text, file, "exec", flags, dont_inherit=True)))
    except (SyntaxError, ValueError):
        return ()


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _standard_input(file: str) -> list[str]:
    """The lines of the program that `python < file` runs: the file is read once more. A pipe or terminal cannot be."""
    if file != "<stdin>" or hasattr(sys, "ps1"):
        return []
    try:
        if not stat.S_ISREG(os.fstat(0).st_mode):
            return []
        text = os.pread(0, os.fstat(0).st_size, 0).decode()
    except (OSError, UnicodeDecodeError):
        return []
    return _lines(text)


def _command_line(file: str) -> list[str]:
    """The program of `python -c`, whose lines Python keeps from 3.13 on."""
    arguments = sys.orig_argv
    if file != "<string>" or "-c" not in arguments:
        return []
    where = arguments.index("-c") + 1
    return _lines(arguments[where]) if where < len(arguments) else []


def _last_line(code: CodeType) -> int:
    last = code.co_firstlineno
    for _, end, _, _ in code.co_positions():
        if end is not None and end > last:
            last = end
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            last = max(last, _last_line(constant))
    return last


# Trees of whole files, for lambdas: by name, with the lines that they were made of.
_files: dict[str, tuple[list[str], dict[int, list[ast.Lambda]]]] = {}


def _lambdas(file: str, lines: list[str]) -> dict[int, list[ast.Lambda]]:
    known = _files.get(file)
    if known is not None and known[0] is lines:
        return known[1]
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError) as error:
        raise KernelSourceError(f"{file} cannot be read: {error}") from error
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    _files[file] = (lines, found)
    return found


def _lambda_alone(code: CodeType, lines: list[str]) -> ast.Lambda | None:
    """A lambda, read without the rest of its file, which takes milliseconds: from the word to the last place that its
    code tells. None if that is not clear.
    """
    places = [place for part in (code, *_codes(code)) for place in part.co_positions()]
    ends = [(line, column) for _, line, _, column in places if line and column]
    if not ends:
        return None
    first, (last, end) = code.co_firstlineno, max(ends)
    text = [line.encode() for line in lines[first - 1 : last]]
    if len(text) != last - first + 1:
        return None
    # Brackets around the whole body are no place of its code.
    behind = text[-1][end:].decode(errors="replace")
    closing = behind[: len(behind) - len(behind.lstrip(" )]}"))]
    for begin in reversed([found.start() for found in re.finditer(rb"\blambda\b", text[0])]):
        for more in range(len(closing) + 1):
            if more and closing[more - 1] == " ":
                continue
            part = [*text[:-1], text[-1][: end + more]]
            part[0] = part[0][begin:]
            try:
                node = ast.parse(b"(" + b"".join(part) + b")", mode="eval").body
            except (SyntaxError, ValueError):
                continue
            if not isinstance(node, ast.Lambda):
                break
            for inner in ast.walk(node):
                if isinstance(inner, (ast.expr, ast.arg, ast.keyword)):
                    if inner.lineno == 1:
                        inner.col_offset += begin - 1
                    if inner.end_lineno == 1 and inner.end_col_offset is not None:
                        inner.end_col_offset += begin - 1
            ast.increment_lineno(node, first - 1)
            if all(_is_inside(one, node.body) for one in places) and _compiles_to(node, code):
                return node
            break
    return None


def _compiles_to(node: ast.Lambda, code: CodeType) -> bool:
    """True if a lambda has this code, as far as that can be told without what is around it, whose variables it
    may use."""
    try:
        whole = compile(ast.Expression(node), code.co_filename, "eval", code.co_flags & _FUTURE, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    found = next(_codes(whole), None)
    if found is None:
        return False

    def traits(code: CodeType) -> tuple[object, ...]:
        constants = [(type(one), repr(one)) for one in code.co_consts if not isinstance(one, CodeType)]
        names = sorted({*code.co_names, *code.co_freevars})
        return code.co_varnames, code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, constants, names

    # What stands around it makes other instructions of the variables that are its.
    return traits(found) == traits(code) and (bool(code.co_freevars) or found.co_code == code.co_code)


def _is_inside(position: tuple[int | None, int | None, int | None, int | None], node: ast.expr) -> bool:
    """True if a position of code is inside of an expression, or not known."""
    line, end_line, column, end_column = position
    if line is None or end_line is None or column is None or end_column is None or column == end_column == 0:
        return True
    return (node.lineno, node.col_offset) <= (line, column) and (end_line, end_column) <= (
        node.end_lineno or line,
        node.end_col_offset or column,
    )


def _lambda_in_file(code: CodeType, lines: list[str]) -> ast.Lambda:
    first = code.co_firstlineno
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    candidates = _lambdas(code.co_filename, lines).get(first, [])
    candidates = [
        node
        for node in candidates
        if tuple(arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)) == names
    ]
    if len(candidates) > 1:
        exact = [
            node for node in candidates if all(_is_inside(position, node.body) for position in code.co_positions())
        ]
        # Of lambdas inside of each other the innermost, which begins last.
        exact = sorted(exact, key=lambda node: (node.lineno, node.col_offset))[-1:]
        candidates = exact or candidates
    if len(candidates) != 1:
        why = "several lambdas stand there" if candidates else "no such lambda stands there"
        raise KernelSourceError(
            f"a lambda's source cannot be found ({code.co_filename}, line {first}: {why}); give it a name with def"
        )
    return candidates[0]


def _lambda(function: FunctionType, lines: list[str]) -> Source:
    code = function.__code__
    first = code.co_firstlineno
    node = _lambda_alone(code, lines) or _lambda_in_file(code, lines)
    end = node.end_lineno or first
    return Source(node, 0, code.co_filename, [line.rstrip("\n") for line in lines[first - 1 : end]], first)
