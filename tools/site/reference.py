"""The API reference: a page of Markdown for each public module, with what stubs and sources say about its names.

Which names are public is asked of the installed packages; signatures, types and docstrings are read of their sources
without running them. `_native.pyi` stands for the extension module.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import types
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import griffe

ROOT = Path(__file__).resolve().parents[2]
# The packages, with the folders that they are in.
PACKAGES = {"cuox": ROOT / "python", "cuox_bind": ROOT / "bind" / "python"}
# NVIDIA documents the names of these; ours are the same, made of the same headers.
NVIDIAS = {
    "cuox.cuda.bindings.driver": "https://nvidia.github.io/cuda-python/cuda-bindings/latest/module/driver.html",
    "cuox.cuda.bindings.runtime": "https://nvidia.github.io/cuda-python/cuda-bindings/latest/module/runtime.html",
    "cuox.cuda.bindings.nvrtc": "https://nvidia.github.io/cuda-python/cuda-bindings/latest/module/nvrtc.html",
}
# Older names of those, and programs.
LEFT_OUT = {"cuox.cuda.cuda", "cuox.cuda.cudart", "cuox.cuda.nvrtc"}
# Importing these says that they are not there yet.
LEFT_OUT |= {"cuox.cuda.core.checkpoint", "cuox.cuda.core.system"}
# Importing these does something, or raises: their page has what their sources say.
NOT_IMPORTED = {
    "cuox.pycuda.autoinit",
    "cuox.pycuda.autoprimaryctx",
    "cuox.pycuda.gl",
    "cuox.pycuda.sparse",
    "cuox.torch",
}
# A page that a docstring names.
PAGE = re.compile(r"\bdocs/[\w/-]+\.md\b")
# Code and emphasis in a docstring.
TEXT = re.compile(r"(`[^`]*`|(?<!\w)\*[^*\s`](?:[^*`]*[^*\s`])?\*(?!\w))")
CHAPTERS = ("cuox.numba", "cuox.pycuda", "cuox.cuda", "cuox_bind")


# Values that are one wherever they are equal, and so are not told from others.
PLAIN = (bool, int, float, str, bytes, tuple, type(None))


@dataclass
class Module:
    """A public module: its public names, and their values."""

    name: str
    text: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def chapter(self) -> str:
        return next((c for c in CHAPTERS if self.name == c or self.name.startswith(f"{c}.")), "cuox")


def public_names(module: types.ModuleType) -> dict[str, Any]:
    """What `from module import *` gives, and for a module without `__all__` what is cuox's own."""
    named = getattr(module, "__all__", None)
    values: dict[str, Any] = {}
    for name in dir(module) if named is None else named:
        if name.startswith("_"):
            continue
        value = getattr(module, name)
        if isinstance(value, types.ModuleType) or (
            named is None and isinstance(value, type(lambda: 0)) and not _own(value)
        ):
            continue
        if named is None and isinstance(value, type) and not _own(value):
            continue
        if named is None and type(value).__module__ in ("typing", "__future__"):
            continue
        values[name] = value
    return values


def _own(value: object) -> bool:
    return str(getattr(value, "__module__", "")).partition(".")[0] in PACKAGES


def kind_of(value: object) -> str:
    if isinstance(value, griffe.Object):
        return value.kind.value
    if isinstance(value, type):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if inspect.isroutine(value) or type(value).__name__ == "Ufunc" else "data"


def modules() -> list[Module]:
    """The public modules, in the order of their names."""
    found = []
    names = list(PACKAGES)
    for package in PACKAGES:
        path = importlib.import_module(package).__path__
        for info in pkgutil.walk_packages(path, f"{package}.", onerror=lambda _: None):
            if not any(part.startswith("_") for part in info.name.split(".")[1:]):
                names.append(info.name)
    for name in sorted(names):
        if name in LEFT_OUT or name in NVIDIAS or any(name.startswith(f"{n}.") for n in NOT_IMPORTED):
            continue
        if name in NOT_IMPORTED:
            found.append(Module(name, ""))
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = importlib.import_module(name)
        found.append(Module(name, inspect.cleandoc(module.__doc__ or ""), public_names(module)))
    return found


class Reference:
    """Makes the pages."""

    def __init__(self) -> None:
        loader = griffe.GriffeLoader(search_paths=[str(folder) for folder in PACKAGES.values()])
        self.trees = {package: loader.load(package) for package in PACKAGES}
        loader.resolve_aliases(implicit=True)
        self.modules = modules()
        for module in self.modules:
            if module.name in NOT_IMPORTED:
                module.values = self.exported(module.name)
        # Where a value is documented that several modules have, or one by several names: by its own name.
        self.first: dict[int, str] = {}
        for module in self.modules:
            for name, value in module.values.items():
                first = self.first.setdefault(id(value), f"{module.name}.{name}")
                own = getattr(value, "__name__", None) or getattr(value, "name", None)
                if name == own != first.rpartition(".")[2]:
                    self.first[id(value)] = f"{module.name}.{name}"
        # Where the types of signatures are documented, by where they are defined.
        self.public: dict[str, str] = {}
        for module in self.modules:
            for name, value in module.values.items():
                if isinstance(value, type | griffe.Class) and (found := self.find(f"{module.name}.{name}")) is not None:
                    self.public.setdefault(found.path, f"{module.name}.{name}")

    def exported(self, module: str) -> dict[str, Any]:
        """The classes and functions that a module names in its `__all__`, as its sources have them."""
        names = getattr(self.find(module), "exports", None) or ()
        found = {str(name): self.find(f"{module}.{name}") for name in names}
        return {name: one for name, one in found.items() if isinstance(one, griffe.Class | griffe.Function)}

    def find(self, path: str) -> griffe.Object | None:
        """What sources and stubs say about a name."""
        package, _, rest = path.partition(".")
        try:
            found = self.trees[package][rest] if rest else self.trees[package]
            return found.final_target if found.is_alias else found
        except (KeyError, griffe.AliasResolutionError, griffe.CyclicAliasError):
            return None

    def type_(self, annotation: str | griffe.Expr) -> str:
        """A type as the source has it, but with classes by their public names, so that they are links to these."""
        if isinstance(annotation, str):
            return annotation
        words = []
        for part in annotation.iterate(flat=True):
            words.append(self.class_path(part) if isinstance(part, griffe.ExprName) else str(part))
        return "".join(words)

    def class_path(self, name: griffe.ExprName) -> str:
        """The public name of a class, by which it is found; other names stay."""
        path = name.canonical_path
        if path.partition(".")[0] not in PACKAGES:
            return name.name
        found = self.find(path)
        return self.public.get(found.path if found is not None else path, name.name)

    def page(self, module: Module) -> str:
        text = module.text or _docstring(self.find(module.name))
        parts = [f"# {module.name}", f"```{{py:module}} {module.name}\n```", _tidy(text)]
        groups: dict[str, list[str]] = {"Classes": [], "Functions": [], "Values": []}
        for name, value in sorted(module.values.items(), key=lambda item: item[0].lower()):
            entry = self.entry(module, name, value)
            group = {"class": "Classes", "exception": "Classes", "function": "Functions"}
            kind = re.match(r":+\{py:(\w+)\}", entry)
            groups[group.get(kind[1] if kind else "", "Values")].append(entry)
        for title, entries in groups.items():
            if entries:
                parts += [f"## {title}", *entries]
        if module.name in PACKAGES and (aliases := self.aliases(module.name)):
            parts += ["## Types in signatures", aliases]
        return "\n\n".join(parts) + "\n"

    def aliases(self, package: str) -> str:
        """What names of types mean that only signatures have."""
        rows = []
        for name, what in self.trees[package]["_native"].members.items():
            if not re.match(r"_[A-Z]\w", name):
                continue
            if what.is_alias:
                rows.append(f"- `{name}`: `{what.target_path}`")
            elif isinstance(what, griffe.Attribute) and "TypeAlias" in str(what.annotation):
                means = " ".join(re.sub(r"#.*", "", str(what.value)).split()).strip("() ")
                rows.append(f"- `{name}`: `{means}`")
            elif isinstance(what, griffe.Class) and "Protocol" in map(str, what.bases):
                rows.append(f"- `{name}`: an object with {', '.join(f'`{member}`' for member in what.members)}")
        return "\n".join(rows)

    def entry(self, module: Module, name: str, value: Any) -> str:
        path = f"{module.name}.{name}"
        kind = kind_of(value)
        before = path if isinstance(value, PLAIN) else self.first[id(value)]
        if before != path:
            return _directive(kind, name, f"The same as {{py:obj}}`{before}`.")
        found = self.find(path)
        if isinstance(found, griffe.Class):
            return self.class_(kind, name, found)
        if isinstance(found, griffe.Function):
            return "\n\n".join(self.function("function", name, found))
        text = _docstring(found)
        if isinstance(value, PLAIN):
            return _directive("data", name, _tidy(text), [f":value: {value!r}"] if len(repr(value)) < 60 else [])
        # Made when the module is imported: it has a docstring, but no text of its own.
        text = text or inspect.cleandoc(getattr(value, "__doc__", None) or "")
        if hasattr(type(value), "_kernel_path"):
            return _directive(*_of_kernels(kind, name, value, text))
        return _directive(kind, name + (_signature(value) if kind == "function" else ""), _tidy(text))

    def class_(self, kind: str, name: str, found: griffe.Class) -> str:
        body = [_tidy(_docstring(found))]
        members = dict(found.members)
        # What it has of classes that are nobody's to name.
        for base in found.mro() if found.resolved_bases else ():
            if any(part.startswith("_") for part in base.path.split(".")[2:]):
                for member, what in base.members.items():
                    members.setdefault(member, what)
        parameters = ""
        for member in ("__init__", "__new__"):
            maker = members.get(member)
            if maker is not None and not maker.is_alias and isinstance(maker, griffe.Function):
                parameters = self.parameters(maker, skip=1)
                break
        for member, what in members.items():
            if member.startswith("_") or what.is_alias:
                continue
            if isinstance(what, griffe.Function):
                body += self.function("method", member, what)
            elif isinstance(what, griffe.Attribute):
                property_ = "property" in what.labels
                options = [f":type: {self.type_(what.annotation)}"] if what.annotation is not None else []
                body.append(
                    _directive("property" if property_ else "attribute", member, _tidy(_docstring(what)), options)
                )
        return _directive(kind, f"{name}{parameters}" if kind == "class" else name, "\n\n".join(body))

    def parameters(self, function: griffe.Function, skip: int) -> str:
        """The parameters in brackets, as the source has them, without the first `skip`."""
        kept = list(function.parameters)[skip:]
        words: list[str] = []
        kinds = griffe.ParameterKind
        star = False
        for place, parameter in enumerate(kept):
            if place and kept[place - 1].kind is kinds.positional_only and parameter.kind is not kinds.positional_only:
                words.append("/")
            if parameter.kind is kinds.keyword_only and not star:
                words.append("*")
                star = True
            name = parameter.name
            if parameter.kind is kinds.var_positional:
                name, star = f"*{name}", True
            elif parameter.kind is kinds.var_keyword:
                name = f"**{name}"
            if parameter.annotation is not None:
                name += f": {self.type_(parameter.annotation)}"
            if parameter.default is not None and not name.startswith("*"):
                name += f" = {parameter.default}" if parameter.annotation is not None else f"={parameter.default}"
            words.append(name)
        if kept and kept[-1].kind is kinds.positional_only:
            words.append("/")
        return f"({', '.join(words)})"

    def function(self, kind: str, name: str, function: griffe.Function) -> list[str]:
        """An entry for each signature of a function; the docstring stands with the last."""
        skip = int(kind == "method" and "staticmethod" not in function.labels)
        labels = [
            f":{label}:" for label in ("staticmethod", "classmethod") if kind == "method" and label in function.labels
        ]
        overloads = list(function.overloads or []) or [function]
        entries = []
        for place, overload in enumerate(overloads):
            result = f" -> {self.type_(overload.returns)}" if overload.returns is not None else ""
            text = _docstring(overload) or (_docstring(function) if place == len(overloads) - 1 else "")
            names = tuple(parameter.name for parameter in overload.parameters)
            options = [*labels, *([":no-index:"] if place else [])]
            argument = " ".join(f"{name}{self.parameters(overload, skip)}{result}".split())
            entries.append(_directive(kind, argument, _tidy(text, names), options))
        return entries


def _docstring(found: griffe.Object | None) -> str:
    return inspect.cleandoc(found.docstring.value) if found is not None and found.docstring else ""


def _tidy(text: str, parameters: tuple[str, ...] = ()) -> str:
    """A docstring as Markdown: lines about parameters become a list, and what looks like HTML is text."""
    lines = []
    in_list = False
    for line in text.splitlines():
        match = re.match(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*): ", line)
        if match and set(re.findall(r"\w+", match[1])) <= {*parameters}:
            if not in_list and lines and lines[-1]:
                lines.append("")
            in_list = True
            line = f"- `{match[1]}`: {line[match.end() :]}"
        elif not line:
            in_list = False
        elif in_list:
            line = f"  {line}"
        if not line.startswith("    "):
            line = "".join(
                part
                if part.startswith(("`", "*")) and len(part) > 1
                else part.replace("<", "&lt;").replace("*", r"\*").replace("[", r"\[")
                for part in TEXT.split(line)
            )
            line = PAGE.sub(r"[\g<0>](/\g<0>)", line)
        lines.append(line)
    return "\n".join(lines)


def _directive(kind: str, argument: str, body: str, options: list[str] | tuple[str, ...] = ()) -> str:
    fences = [len(fence) for fence in re.findall(r"^(:{3,})", body, re.MULTILINE)]
    colons = ":" * max([3, *(length + 1 for length in fences)])
    head = "\n".join([f"{colons}{{py:{kind}}} {argument}", *options])
    return f"{head}\n\n{body}\n{colons}" if body else f"{head}\n{colons}"


def _of_kernels(kind: str, name: str, value: Any, text: str) -> tuple[str, str, str]:
    """The entry of a name that means something in kernels: its docstring begins with how it is called."""
    called = re.match(rf"`(?:\w+\.)*{name}(\([^`]*\))`: ", text)
    members = "".join(f"- `{member}`: {_tidy(getattr(value, member).__doc__ or '')}\n" for member in dir(value))
    if called:
        names = re.findall(r"\w+", called[1].partition("->")[0])
        if len(set(names)) < len(names):  # types instead of names, which no signature can have twice
            name += "(...)"
        else:
            name, text = f"{name}{called[1]}", text[called.end() :]
            text = text[:1].upper() + text[1:]
    return "function" if called else "data", name, f"{_tidy(text)}\n\n{members}".strip()


def _signature(value: Any) -> str:
    try:
        return str(inspect.signature(value)).replace("'", "") if "<" not in str(inspect.signature(value)) else "(...)"
    except (TypeError, ValueError):
        return "(...)"


def write(folder: Path) -> list[Module]:
    """Write the pages into a folder, with an index; returns the modules."""
    reference = Reference()
    folder.mkdir(parents=True, exist_ok=True)
    pages = {f"{module.name}.md": reference.page(module) for module in reference.modules}
    for name, address in NVIDIAS.items():
        pages[f"{name}.md"] = (
            f"# {name}\n\n```{{py:module}} {name}\n```\n\nThe names, arguments and results are those of NVIDIA's "
            f"[`{name.removeprefix('cuox.')}`]({address}). [What differs](../docs/cuda-bindings.md).\n"
        )
    for chapter in ("cuox", *CHAPTERS):
        names = sorted(
            name
            for name in pages
            if Module(name.removesuffix(".md"), "").chapter == chapter and name != f"{chapter}.md"
        )
        # Not in the navigation, which stands on every page: with 80 modules it would be long, and slow to make.
        for name in names:
            pages[name] = f"---\norphan: true\n---\n\n{pages[name]}"
        if names:
            pages[f"{chapter}.md"] += "\n## Modules\n\n" + "".join(
                f"- [{name.removesuffix('.md')}]({name})\n" for name in names
            )
    for name, text in pages.items():
        write_file(folder / name, text)
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    return reference.modules


def write_file(path: Path, text: str) -> None:
    """Write a file if it has changed, so that a second build is quick."""
    if not path.is_file() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
