"""Divisions of integers by zero, which PyTorch's kernels for the CPU refuse and those for CUDA do: a GPU's quotient has
all bits set, so that its remainder is the dividend.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

_QUOTIENTS = ("floor_divide", "div")
_REMAINDERS = ("remainder", "fmod")


def by_zero_too(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an operator, which divides integers by zero as a GPU does if it is a division."""
    word = name.removeprefix("aten::").partition(".")[0]
    is_inplace = word.endswith("_")
    word = word.removesuffix("_")
    if word not in _QUOTIENTS + _REMAINDERS:
        return kernel

    @functools.wraps(kernel)
    def run(*args: Any, **kwargs: Any) -> Any:
        # What is written in place would be read again after a refusal.
        if is_inplace and all(map(_whole, args)) and (word != "div" or kwargs.get("rounding_mode")):
            return args[0].copy_(_divide(word, *args, **kwargs))
        try:
            return kernel(*args, **kwargs)
        except RuntimeError as error:
            if "ZeroDivisionError" not in str(error):
                raise
        out = kwargs.pop("out", None)
        result = _divide(word, *args, **kwargs)
        return result if out is None else out.resize_(result.shape).copy_(result)

    return run


def _whole(value: Any) -> bool:
    """Whether it is an integer, or a tensor of integers."""
    if isinstance(value, torch.Tensor):
        return not value.dtype.is_floating_point and not value.dtype.is_complex
    return isinstance(value, int)


def _divide(word: str, dividend: Any, divisor: Any, *, rounding_mode: str | None = None) -> Any:
    """The division, with a GPU's results where the divisor is zero."""
    function = getattr(torch, word)
    more = {"rounding_mode": rounding_mode} if rounding_mode is not None else {}
    if not _whole(dividend) or not _whole(divisor):
        return function(dividend, divisor, **more)
    of = next(one.device for one in (dividend, divisor) if isinstance(one, torch.Tensor) and one.is_cuda)
    dividend, divisor = (
        one.to(of) if isinstance(one, torch.Tensor) else torch.tensor(one, device=of) for one in (dividend, divisor)
    )
    zero = divisor == 0
    result = function(dividend, torch.where(zero, 1, divisor), **more)
    if word in _REMAINDERS:
        return torch.where(zero, dividend.to(result.dtype), result)
    is_floor = word == "floor_divide" or rounding_mode == "floor"
    # Rounded down, for there is a remainder.
    quotient = torch.where(dividend < 0, -2, -1) if is_floor else torch.tensor(-1, device=of)
    return torch.where(zero, quotient.to(result.dtype), result)
