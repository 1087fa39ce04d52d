"""What CUDA needs, which the package `cuox` has: asked only where a program means something of CUDA's."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
from contextlib import AbstractContextManager
from typing import Any

from .errors import NotFoundError

__all__ = ["demand", "include_dirs", "module", "progress"]


def _is_installed() -> bool:
    if "cuox" in sys.modules:
        return True
    try:
        found = importlib.util.find_spec("cuox")
    except (ImportError, ValueError):
        return False
    # Without an origin it is a folder of that name.
    return found is not None and found.origin is not None


def module(name: str) -> Any:
    """A module of the package `cuox`; None where that is not installed."""
    return importlib.import_module(f"cuox.{name}") if _is_installed() else None


def demand(name: str, purpose: str) -> Any:
    """A module of the package `cuox`. Raises NotFoundError, which names the purpose, where that is not installed."""
    found = module(name)
    if found is None:
        raise NotFoundError(f"{purpose} needs the package cuox, and only cuox-bind is installed: install cuox")
    return found


def include_dirs() -> list[str]:
    """The folders of CUDA's headers; none where there are none: a header that is missing says so."""
    try:
        native = module("_native")
        return [os.fspath(folder) for folder in native.cuda_include_dirs()] if native else []
    except NotFoundError:
        return []


def progress(text: str) -> AbstractContextManager[object]:
    """The line that says what takes long; none in a program that does not use the package `cuox`."""
    native = sys.modules.get("cuox._native")
    return contextlib.nullcontext() if native is None else native._Progress(text)
