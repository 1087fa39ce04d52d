"""Write the docstrings of `cuox._native` and `cuox_bind._native` into their stubs, where editors look for them.

    python tools/stub_docs.py [--check]

The docstrings are those of the extension modules that are installed: doc comments in `crates/cuox-py` and
`crates/cuox-bind-py`. A class or function of a stub gets the docstring that the module has for it. `--check` only says
whether the stubs are current.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from types import ModuleType

import cuox._native
import cuox_bind._native

ROOT = Path(__file__).parents[1]
STUBS = {
    ROOT / "python" / "cuox" / "_native.pyi": cuox._native,
    ROOT / "bind" / "python" / "cuox_bind" / "_native.pyi": cuox_bind._native,
}


def docstring(module: ModuleType, path: list[str]) -> str | None:
    """Return the docstring that an extension module has for a class, a function or a member."""
    found: object = module
    for name in path:
        found = getattr(found, name, None)
    text = getattr(found, "__doc__", None)
    return inspect.cleandoc(text) if text else None


def lines(text: str, indent: str) -> list[str]:
    """Return the lines of a docstring in the stub."""
    body = text.replace("\\", "\\\\").splitlines()
    if len(body) == 1:
        return [f'{indent}"""{body[0]}"""']
    return [f'{indent}"""{body[0]}', *(f"{indent}{line}" if line else "" for line in body[1:]), f'{indent}"""']


def edits(module: ModuleType, node: ast.AST, path: list[str]) -> list[tuple[int, int, list[str]]]:
    """Return (first line, line behind the last, new lines) for each docstring that is missing or another one."""
    made: list[tuple[int, int, list[str]]] = []
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.ClassDef, ast.FunctionDef)) or child.name.startswith("_"):
            continue
        if any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in child.decorator_list):
            continue
        here = [*path, child.name]
        text, has = docstring(module, here), ast.get_docstring(child)
        first = child.body[0]
        indent = " " * (child.col_offset + 4)
        if text and has is not None and text != has:
            made.append((first.lineno - 1, first.end_lineno or first.lineno, lines(text, indent)))
        elif text and has is None:
            if isinstance(child, ast.FunctionDef):
                # `def f() -> None: ...` gets a body of its own.
                at = first.end_lineno or first.lineno
                made.append((at - 1, at, [f"...{at}", *lines(text, indent)]))
            else:
                made.append((first.lineno - 1, first.lineno - 1, [*lines(text, indent), ""]))
        if isinstance(child, ast.ClassDef):
            made += edits(module, child, here)
    return made


def written(module: ModuleType, source: str) -> str:
    """Return a stub with the module's docstrings."""
    text = source.splitlines()
    for start, end, new in sorted(edits(module, ast.parse(source), []), reverse=True):
        if new[0] == f"...{end}":
            head = text[start].rstrip().removesuffix("...").rstrip()
            text[start:end] = [head, *new[1:]]
        else:
            text[start:end] = new
    return "\n".join(text) + "\n"


def main() -> int:
    """Run the command."""
    status = 0
    for stub, module in STUBS.items():
        source = stub.read_text(encoding="utf-8")
        new = written(module, source)
        if "--check" not in sys.argv[1:]:
            stub.write_text(new, encoding="utf-8")
        elif new != source:
            name = stub.relative_to(ROOT)
            print(f"{name} has other docstrings than {module.__name__}: run tools/stub_docs.py", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
