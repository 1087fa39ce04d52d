"""Divisions of integers that PyTorch's kernels for the CPU do not do as those for CUDA: by zero, where a GPU's quotient
has all bits set, so that its remainder is the dividend, and of the least integer by -1, which ends the process where
the quotient is cut off; a GPU's is the dividend.

The functions here take tensors on the CPU, which share the memory of those on the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_QUOTIENTS = ("floor_divide", "div")
_REMAINDERS = ("remainder", "fmod")


def of_integers(operator: Any) -> Callable[..., Any] | None:
    """An operator on the CPU, which divides integers as a GPU does; None if it is no such division."""
    name = operator._schema.name.removeprefix("aten::")
    word = name.removesuffix("_")
    names = [one.name for one in operator._schema.arguments]
    if word not in _QUOTIENTS + _REMAINDERS or (word == "div" and "rounding_mode" not in names):
        return None
    call, is_inplace = operator._op, name.endswith("_")

    def divide(dividend: Any, divisor: Any, **options: Any) -> Any:
        rounding = options.get("rounding_mode")
        written = dividend if is_inplace else options.get("out")
        operands = dividend, divisor
        if written is not None:
            # They may be what is written, and a division that is refused has begun.
            operands = tuple(one.clone() if isinstance(one, torch.Tensor) else one for one in operands)
        overflows = rounding == "trunc" and _has(divisor, -1)
        try:
            # Rounded down, the process goes on, and what cannot be is refused all the same.
            result = call(dividend, divisor, **(options | {"rounding_mode": "floor"} if overflows else options))
            if not overflows:
                return result
        except RuntimeError as error:
            if "ZeroDivisionError" not in str(error):
                raise
        result = _divide(word, *operands, rounding)
        return result if written is None else written.resize_(result.shape).copy_(result)

    return divide


def may_differ(dividend: Any, divisor: Any) -> bool:
    """Whether the quotient may be one that the CPU's kernels do not have."""
    if isinstance(divisor, int):
        return divisor in (0, -1) and _whole(dividend)
    return _whole(dividend) and _whole(divisor)


def _whole(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return not value.dtype.is_floating_point and not value.dtype.is_complex
    return isinstance(value, int)


def _has(value: Any, number: int) -> bool:
    return bool((value == number).any()) if isinstance(value, torch.Tensor) else value == number


def _divide(word: str, dividend: Any, divisor: Any, rounding: str | None) -> Any:
    """The division, with a GPU's results."""
    dtype = torch.result_type(dividend, divisor)
    dividend, divisor = (torch.as_tensor(one, device="cpu").to(dtype) for one in (dividend, divisor))
    is_zero = divisor == 0
    if word in _REMAINDERS:
        result = getattr(torch, word)(dividend, divisor.masked_fill(is_zero, 1))
        return torch.where(is_zero, dividend, result)
    is_floor = word == "floor_divide" or rounding == "floor"
    is_minus = divisor == -1 if dtype.is_signed and not is_floor else torch.zeros_like(is_zero)
    others = divisor.masked_fill(is_zero | is_minus, 1)
    result = torch.div(dividend, others, rounding_mode="floor" if is_floor else "trunc")
    result = torch.where(is_minus, -dividend, result)
    # Rounded down, for there is a remainder.
    by_zero = torch.where(dividend < 0, -2 if is_floor else -1, -1)
    return torch.where(is_zero, by_zero.to(dtype), result)
