"""The names of NVIDIA's cuda.core that cuox lacks, as docs/cuda-core.md lists them.

    python tools/core_names.py                      # writes the list into the page; python has cuox
    python tools/core_names.py --check              # exits with 1 if the page has another one
    python tools/core_names.py --read cuda_core.whl # reads the peer's names out of its wheel into core_names.json

The names are those that the peer's modules export by their stubs, and the public members of their classes.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = Path(__file__).with_suffix(".json")
PAGE = Path(__file__).parent.parent / "docs/cuda-core.md"
MARKS = ("<!-- tools/core_names.py writes from here -->\n", "<!-- to here -->\n")
TOP, ROOT = "cuda/core/__init__.py", "cuda/core/cu13/"
MODULES = ["", "checkpoint", "graph", "system", "texture", "typing", "utils"]
# Members that are protocols: of these names with two underscores someone takes notice.
PROTOCOLS = {"__buffer__", "__cuda_stream__", "__dlpack__", "__dlpack_device__", "__enter__", "__exit__", "__int__"}
# Classes that no module exports, and that properties give: of which module.
REACHED = {"DeviceProperties": "_device", "KernelAttributes": "_module", "KernelOccupancy": "_module"}
# A page is for reading: more members of one class than this are counted.
MOST = 12

Module = dict[str, list[str] | None]


class Wheel:
    """The stubs and sources of a wheel of the peer."""

    def __init__(self, path: Path) -> None:
        self.files = zipfile.ZipFile(path)
        self.names = set(self.files.namelist())
        self.version = path.name.split("-")[1]
        self.known: dict[str, dict[str, str]] = {}

    def tree(self, module: str) -> tuple[str, ast.Module] | None:
        """The file of a module inside of the package, and what is in it."""
        base = ROOT + module.replace(".", "/")
        for name in (f"{base}.pyi", f"{base}.py", f"{base}/__init__.py") if module else [TOP]:
            if name in self.names:
                return name, ast.parse(self.files.read(name))
        return None

    def exports(self, module: str) -> dict[str, str]:
        """Public names that a module has, each with the module that defines it."""
        if module not in self.known:
            # Modules import each other.
            self.known[module] = {}
            self.known[module] = self._exports(module)
        return self.known[module]

    def _exports(self, module: str) -> dict[str, str]:
        found = self.tree(module)
        if found is None:
            return {}
        file, tree = found
        is_package = file.endswith("__init__.py")
        listed, names = listed_in(tree), {}
        for node in statements(tree):
            if not isinstance(node, ast.ImportFrom):
                names |= dict.fromkeys(defined(node), module)
                continue
            source = inside(node, module if is_package else module.rpartition(".")[0])
            if source is None:
                continue
            for alias in node.names:
                if alias.name == "*":
                    names |= self.exports(source)
                elif self.tree(f"{source}.{alias.name}".lstrip(".")) is None:
                    names[alias.asname or alias.name] = self.exports(source).get(alias.name, source)
        # The list of a package is made of others; the rest of a module's names is its own affair.
        if listed is not None and not is_package:
            names = {name: of for name, of in names.items() if name in listed}
        return {name: of for name, of in names.items() if not name.startswith("_")}

    def members(self, module: str, name: str) -> list[str] | None:
        """The public members of a class, with those of the peer's classes that it is derived from; None for what is no
        class."""
        found = self.tree(module)
        for node in found[1].body if found else []:
            if isinstance(node, ast.ClassDef) and node.name == name:
                members = {one for statement in node.body for one in defined(statement)}
                for base in node.bases:
                    if isinstance(base, ast.Name):
                        members |= set(self.members_of_any(base.id) or ())
                return sorted(one for one in members if not one.startswith("_") or one in PROTOCOLS)
        return None

    def members_of_any(self, name: str) -> list[str] | None:
        """The members of a class that is somewhere in the package."""
        for path in sorted(self.names):
            if (
                path.startswith(ROOT)
                and path.endswith((".pyi", ".py"))
                and f"class {name}" in self.files.read(path).decode()
            ):
                module = re.sub(r"(/__init__)?\.pyi?$", "", path.removeprefix(ROOT)).replace("/", ".")
                if (members := self.members(module, name)) is not None:
                    return members
        return None

    def read(self) -> dict[str, Any]:
        """All public names."""
        modules: dict[str, Module] = {}
        for module in MODULES:
            modules[f"cuda.core.{module}".rstrip(".")] = {
                name: self.members(source, name)
                for name, source in sorted((self.exports(module) | (REACHED if not module else {})).items())
            }
        return {"version": self.version, "modules": modules}


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module, with those that only checkers of types see."""
    for node in tree.body:
        if isinstance(node, ast.If):
            yield from node.body
        else:
            yield node


def inside(node: ast.ImportFrom, package: str) -> str | None:
    """The module of an import, if it is in the package."""
    if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if package else []
        return ".".join([*above, *([node.module] if node.module else [])])
    name = node.module or ""
    return name.removeprefix("cuda.core").lstrip(".") if name.split(".")[:2] == ["cuda", "core"] else None


def listed_in(tree: ast.Module) -> set[str] | None:
    """The names in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            try:
                return set(ast.literal_eval(node.value))
            except ValueError:  # made of other lists
                return None
    return None


def defined(node: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.AnnAssign):
        return [node.target.id] if isinstance(node.target, ast.Name) else []
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def lacking(known: dict[str, Any]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The names that cuox lacks: of modules, and of classes that it has."""
    names: dict[str, list[str]] = {}
    members: dict[str, list[str]] = {}
    for module, exported in known["modules"].items():
        try:
            own = importlib.import_module(f"cuox.{module}")
        except ImportError:
            names[module] = sorted(exported)
            continue
        for name, wanted in exported.items():
            if not hasattr(own, name):
                names.setdefault(module, []).append(name)
                continue
            # Python shows `__buffer__` from 3.12 on; that it is there is tested (test_core_memory.py).
            got = {"__buffer__", *dir(one := getattr(own, name)), *getattr(one, "__dataclass_fields__", ())}
            if name == "DeviceProperties":
                got |= set(dir(own.Device().properties))
            if missing := [member for member in wanted or () if member not in got]:
                members[name] = missing
    return names, members


def text(known: dict[str, Any]) -> str:
    """The list for the page."""
    names, members = lacking(known)
    quoted = lambda words: ", ".join(f"`{word}`" for word in words)
    lines = []
    for module, absent in names.items():
        if len(absent) == len(known["modules"][module]):
            lines.append(f"- all of `{module}`;")
        else:
            lines.append(f"- `{module}`: {quoted(absent)};")
    for name, absent in members.items():
        more = f" and {len(absent) - MOST} more" if len(absent) > MOST else ""
        lines.append(f"- of `{name}`: {quoted(absent[:MOST])}{more};")
    lines[-1] = lines[-1].removesuffix(";") + "."
    return "\n".join(lines) + "\n"


def page_with(new: str, page: str) -> str:
    """The page with another list."""
    before, _, rest = page.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return f"{before}{MARKS[0]}\n{new}\n{MARKS[1]}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--read", type=Path, metavar="WHEEL", help="read the peer's names")
    parser.add_argument("--check", action="store_true", help="only say whether the page is right")
    given = parser.parse_args()
    if given.read is not None:
        NAMES.write_text(json.dumps(Wheel(given.read).read(), indent=1) + "\n")
        return 0
    page = PAGE.read_text()
    new = page_with(text(json.loads(NAMES.read_text())), page)
    if given.check:
        return int(new != page)
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
