"""Devices and contexts."""

from __future__ import annotations

from .._devices import current_context, get_context as get_context, gpus as gpus, require_context as require_context


def reset() -> None:
    """Reset the current context."""
    current_context().reset()
