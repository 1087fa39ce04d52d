"""Devices and contexts."""

from __future__ import annotations

from .._devices import current_context
from .._devices import get_context as get_context
from .._devices import gpus as gpus
from .._devices import require_context as require_context


def reset() -> None:
    """Reset the current context."""
    current_context().reset()
