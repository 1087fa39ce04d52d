"""Dtypes that PyTorch has for the CPU and not for CUDA: a program that runs here should run on a GPU."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

_INTEGERS = {torch.int8: "Char", torch.uint8: "Byte", torch.int16: "Short", torch.int32: "Int", torch.int64: "Long"}
_LONG = {torch.int64: "Long"}
_OF = (
    (
        _INTEGERS,
        *("addbmm", "addmm", "_addmm_activation", "addmv", "baddbmm", "bmm", "dot", "mm", "mv", "vdot"),
        *("max_pool2d_with_indices", "max_pool3d_with_indices"),
    ),
    (_LONG, "avg_pool2d", "avg_pool3d", "convolution"),
    (_INTEGERS | {torch.bool: "Bool"}, "native_dropout_backward"),
)
_REFUSED = {name: dtypes for dtypes, *names in _OF for name in names}


def refusing(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an operator; it refuses what CUDA's does, and as that does, by a NotImplementedError."""
    word = name.removeprefix("aten::").partition(".")[0]
    word = word if word in _REFUSED else word.removesuffix("_")
    dtypes = _REFUSED.get(word)
    if dtypes is None:
        return kernel

    @functools.wraps(kernel)
    def run(*args: Any, **kwargs: Any) -> Any:
        dtype = getattr(args[0], "dtype", None) if args else None
        if dtype in dtypes:
            raise NotImplementedError(
                f"\"{word}\" is not implemented for '{dtypes[dtype]}' on CUDA; PyTorch has it for the CPU"
            )
        return kernel(*args, **kwargs)

    return run
