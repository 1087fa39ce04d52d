"""Python numbers in the places of tensors.

PyTorch's dispatcher hands a number that was made a tensor (`x.copysign(2.0)`) to a function in Python as a number
again. Some operators take that back; for the others it becomes a tensor whose dtype leaves the result's as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

_Tensor = torch.Tensor
_CONDITIONS = ("aten::where",)  # the first tensor says which, and has no part in the result's dtype


def _category(dtype: Any) -> int:
    return 3 if dtype.is_complex else 2 if dtype.is_floating_point else 0 if dtype is torch.bool else 1


def _exact(number: Any) -> Any:
    if isinstance(number, bool):
        return torch.bool
    return torch.int64 if isinstance(number, int) else torch.float64 if isinstance(number, float) else torch.complex128


def as_tensors(name: str, values: list[Any], places: Iterable[int]) -> None:
    """Replace the numbers at these places by tensors on the CPU."""
    places = list(places)
    given = [place for place in places if place < len(values)]
    others = [values[place] for place in given if isinstance(values[place], _Tensor)]
    if name.partition(".")[0] in _CONDITIONS:
        others = others[1:]
    for place in given:
        number = values[place]
        if number.__class__ not in (bool, int, float, complex):
            continue
        exact = _exact(number)
        if not others:
            dtype = exact
            if exact is torch.float64:
                dtype = torch.get_default_dtype()
        else:
            dtype = torch.result_type(others[0], number)
            for other in others[1:]:
                dtype = torch.promote_types(dtype, torch.result_type(other, number))
            if all(one.dim() and _category(one.dtype) == _category(exact) for one in others):
                dtype = exact
        values[place] = torch.scalar_tensor(number, dtype=dtype, device="cpu")
