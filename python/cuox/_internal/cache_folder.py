"""The folder of what cuox keeps."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """Return the folder of what cuox keeps: of CUOX_CACHE_DIR, or in the user's cache."""
    if named := os.environ.get("CUOX_CACHE_DIR"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "cuox")
