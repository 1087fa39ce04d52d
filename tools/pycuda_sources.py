"""The CUDA C++ that a Python file gives to PyCUDA: strings in calls of `SourceModule` and `ElementwiseKernel`, as
PyCUDA completes them.
"""

from __future__ import annotations

import ast
from typing import Any

ELEMENTWISE = """#include <pycuda-complex.hpp>
{preamble}
__global__ void {name}({arguments}, long n)
{{
  const unsigned first = threadIdx.x + blockDim.x * blockIdx.x, step = gridDim.x * blockDim.x;
  for (unsigned i = first; i < n; i += step) {{
    {operation};
  }}
}}
"""


class Values:
    """The strings and numbers that a module's names have, as far as they can be told without running it."""

    def __init__(self, tree: ast.Module) -> None:
        self.named: dict[str, Any] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                try:
                    self.named[node.targets[0].id] = self.of(node.value)
                except (ValueError, TypeError, KeyError):
                    continue

    def of(self, node: ast.expr) -> Any:
        """The value of an expression; ValueError if it is not known."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in self.named:
                return self.named[name]
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return self.of(left) % self.of(right)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.of(left) + self.of(right)
            case ast.Dict(keys=keys, values=values):
                return {self.of(k): self.of(v) for k, v in zip(keys, values, strict=True) if k is not None}
            case ast.Tuple(elts=elements):
                return tuple(self.of(e) for e in elements)
            case ast.Call(func=ast.Attribute(value=text, attr="replace"), args=args):
                return self.of(text).replace(*(self.of(a) for a in args))
        raise ValueError(ast.dump(node)[:80])


def sources(path: str, text: str) -> dict[str, str]:
    """The sources in a file, by path and line."""
    tree = ast.parse(text)
    values = Values(tree)
    found = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called not in ("SourceModule", "ElementwiseKernel"):
            continue
        given: dict[str, Any] = {k.arg: k.value for k in node.keywords if k.arg}
        names = ("source",) if called == "SourceModule" else ("arguments", "operation", "name")
        given.update(zip(names, node.args, strict=False))
        known = {}
        for key, value in given.items():
            try:
                known[key] = values.of(value)
            except (ValueError, TypeError, KeyError):
                continue
        if called == "SourceModule" and isinstance(known.get("source"), str):
            bare = known.get("no_extern_c")
            found[f"{path}:{node.lineno}"] = known["source"] if bare else f'extern "C" {{\n{known["source"]}\n}}\n'
        elif called == "ElementwiseKernel" and "arguments" in known and "operation" in known:
            name = known.get("name", "kernel")
            found[f"{path}:{node.lineno}"] = ELEMENTWISE.format(**{"preamble": "", **known, "name": name})
    return found
