"""Import circles of the workspace's crates and of the Python packages.

    python tools/import_circles.py [--most N] [--show CRATE]

Reads `use` items and paths as text: no compiler is needed. An arrow goes from a file to the file that defines what it
names; a re-export (`pub use`) is followed to the definition. The files below a `mod.rs` are its children: what they
take from it is no arrow, as a parent and its children are one thing in several files. Tests (`#[cfg(test)]` and files
called `tests`) and generated files are left out.

Exits with 1 if a circle has more than N files (4) and is not an object model (`ALLOWED`).
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = [ROOT / "python" / "cuox", ROOT / "bind" / "python" / "cuox_bind"]
# The object models: a driver has devices, a device has contexts (green ones too), streams, buffers and pools of them,
# and those know their device.
ALLOWED = [
    {f"cuox/{name}" for name in "callback context device driver/loader driver/sys event green stream wait".split()},
    {
        f"cuox-py/{name}"
        for name in (
            "buffer buffer/uses buffer_memory context device event graph graph_builder graph_captured graph_kept "
            "graph_uses host_function memory_resource memory_resource/device memory_resource/pool pycuda/pool stream"
        ).split()
    },
]
USE = re.compile(r"^(?P<vis>[ \t]*(?:pub(?:\([\w: ]+\))?[ \t]+)?)use\s+(?P<tree>[^;]+);", re.M)
PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")
DEFINITION = re.compile(
    r"^\s*(?:pub(?:\([\w: ]+\))?\s+)?(?:unsafe |const |extern \"C\" |async )*(?:fn|struct|enum|union|trait|type|const|static|macro_rules!)\s+(\w+)",
    re.M,
)
INLINE_TESTS = re.compile(r"^#\[cfg\((?:test|all\(test[^\n]*)\)\]\n(?:#\[[^\n]*\]\n)*mod \w+ \{\n.*?^\}\n", re.M | re.S)

Graph = dict[str, set[str]]


def leaves(tree: str, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The paths of a `use` tree, each with the name it gets."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        path, _, alias = tree.partition(" as ")
        path = (prefix + path.strip()).removesuffix("::self")
        yield path, alias.strip() or path.rsplit("::", 1)[-1]
        return
    prefix, depth, start = prefix + tree[:brace], 0, brace + 1
    inner = tree[brace + 1 : tree.rindex("}")]
    start = 0
    for at, char in enumerate(inner + ","):
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            if inner[start:at].strip():
                yield from leaves(inner[start:at], prefix)
            start = at + 1


class Crate:
    """The modules of a crate that are files."""

    def __init__(self, root: Path) -> None:
        self.files: dict[tuple[str, ...], Path] = {}
        for path in sorted(root.rglob("*.rs")):
            parts = path.relative_to(root).with_suffix("").parts
            if {"tests", "generated", "bin"} & set(parts) or parts[-1].endswith("tests"):
                continue
            self.files[parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts] = path
        self.text = {module: self.read(path) for module, path in self.files.items()}
        self.defined = {module: set(DEFINITION.findall(text)) for module, text in self.text.items()}
        self.reexported: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
        self.globs: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for module, text in self.text.items():
            names, globs = self.reexported.setdefault(module, {}), self.globs.setdefault(module, [])
            for item in USE.finditer(text):
                for path, name in leaves(item["tree"]):
                    if (target := self.absolute(module, path)) is None:
                        continue
                    if name == "*":
                        globs.append(target[:-1])
                    else:
                        names[name] = target

    @staticmethod
    def read(path: Path) -> str:
        text = re.sub(r"//[^\n]*", "", path.read_text())
        return INLINE_TESTS.sub("", text)

    def absolute(self, module: tuple[str, ...], path: str) -> tuple[str, ...] | None:
        parts = path.split("::")
        if parts[0] == "crate":
            return tuple(parts[1:])
        base = module
        if parts[0] == "self":
            parts = parts[1:]
        elif parts[0] != "super":
            # A child module's name, used in its parent without `self::`.
            return (*module, *parts) if (*module, parts[0]) in self.files else None
        while parts and parts[0] == "super":
            base, parts = base[:-1], parts[1:]
        return (*base, *parts)

    def home(self, target: tuple[str, ...], depth: int = 0) -> tuple[str, ...] | None:
        """The module in whose file a path's item is defined."""
        for end in range(len(target), -1, -1):
            module = target[:end]
            if module not in self.files:
                continue
            if end == len(target):
                return module
            name = target[end]
            if name in self.defined[module] or depth > 8:
                return module
            if (onward := self.reexported[module].get(name)) is not None and onward != target:
                return self.home((*onward, *target[end + 1 :]), depth + 1)
            for glob in self.globs[module]:
                if (found := self.home((*glob, name), depth + 1)) is not None and name in self.defined.get(found, ()):
                    return found
            return module
        return None

    def graph(self, name: str) -> Graph:
        arrows: Graph = {}
        label = {module: f"{name}/{'/'.join(module) or 'lib'}" for module in self.files}
        for module, text in self.text.items():
            named = [path for item in USE.finditer(text) if not item["vis"].strip() for path, _ in leaves(item["tree"])]
            named += PATH.findall(USE.sub("", text))
            mine = arrows.setdefault(label[module], set())
            for path in named:
                target = self.absolute(module, path)
                home = None if target is None else self.home(target[:-1] if target[-1] == "*" else target)
                if home is not None and home != module[: len(home)]:
                    mine.add(label[home])
        return arrows


def python_graph(root: Path) -> Graph:
    files = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    arrows: Graph = {}
    for name, path in files.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        mine = arrows.setdefault(name, set())
        # Imports inside functions come later and so make no circle.
        for node in ast.parse(path.read_text()).body:
            targets: list[str] = []
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                module = ".".join([*base, *([node.module] if node.module else [])])
                targets = [
                    f"{module}.{alias.name}" if f"{module}.{alias.name}" in files else module for alias in node.names
                ]
            mine.update(target for target in targets if target in files and target != name)
    return arrows


def circles(arrows: Graph) -> list[list[str]]:
    """Strongly connected components of more than one file (Tarjan), the largest first."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for to in sorted(arrows.get(node, ())):
            if to not in index:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in stack:
                low[node] = min(low[node], index[to])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return sorted(found, key=lambda circle: (-len(circle), circle))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--most", type=int, default=4, metavar="N", help="largest circle that is no error")
    parser.add_argument("--show", metavar="CRATE", help="print the arrows inside each circle of a crate")
    options = parser.parse_args()
    graphs = {path.parent.name: Crate(path).graph(path.parent.name) for path in sorted(ROOT.glob("crates/*/src"))}
    graphs["python"] = {name: to for root in PACKAGES for name, to in python_graph(root).items()}
    status = 0
    for name, arrows in graphs.items():
        for circle in circles(arrows):
            large = len(circle) > options.most and not any(set(circle) <= allowed for allowed in ALLOWED)
            status |= large
            print(f"{'TOO LARGE ' if large else ''}{len(circle)} files: {', '.join(circle)}")
            if options.show == name:
                for file in circle:
                    for to in sorted(arrows[file] & set(circle)):
                        print(f"    {file} -> {to}")
    print(f"{sum(len(arrows) for arrows in graphs.values())} files read")
    return status


if __name__ == "__main__":
    sys.exit(main())
