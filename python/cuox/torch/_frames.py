"""Keeps `torch.compile` from compiling what runs operations: it looks at each of Python's functions that is called
while a part of a program runs that it could not compile.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import torch


def set_up() -> None:
    """Have PyTorch run the functions of this package as they are."""
    frames = torch._C._dynamo.eval_frame
    # These, and what they call.
    skip = frames._FrameExecStrategy(frames._FrameAction.SKIP, frames._FrameAction.SKIP)
    for name, module in list(sys.modules.items()):
        if name.startswith("cuox.torch."):
            for code in _codes(vars(module).values(), name):
                frames.set_code_exec_strategy(code, skip)


def _codes(values: Any, module: str) -> Iterator[CodeType]:
    """The code of functions and methods of a module, and of the functions inside of them."""
    for value in values:
        if isinstance(value, type) and value.__module__ == module:
            yield from _codes(vars(value).values(), module)
        elif isinstance(value, FunctionType) and value.__module__ == module:
            yield from _with_inner(value.__code__)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _with_inner(one)
