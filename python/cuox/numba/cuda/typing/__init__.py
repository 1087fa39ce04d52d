"""Types of values and signatures, under the names that Numba has for them."""

from __future__ import annotations

from typing import Any

from ..types import Signature


def signature(return_type: Any, *args: Any) -> Signature:
    """A signature."""
    return Signature(return_type, args)
