"""The folder of what cuox keeps."""

from __future__ import annotations

import os
from pathlib import Path


def made_in_cache(*names: str) -> Path:
    """Return a folder inside the cache folder, made if it is not there. Raises OSError, which says how to choose
    another cache folder.
    """
    folder = cache_root().joinpath(*names)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(
            error.errno,
            f"the cache folder cannot be made ({error.strerror}); set CUOX_CACHE_DIR to a folder that can",
            str(folder),
        ) from None
    return folder


def cache_root() -> Path:
    """Return the folder of what cuox keeps: of CUOX_CACHE_DIR, or in the user's cache."""
    if named := os.environ.get("CUOX_CACHE_DIR"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "cuox")
