"""Where packages are installed."""

from __future__ import annotations

import functools
import os
import site
import sys

__all__ = ["site_packages"]


@functools.cache
def site_packages() -> tuple[str, ...]:
    """The folders in which packages were when this was first asked."""
    folders = [*site.getsitepackages(), site.getusersitepackages()]
    # Packages may also be elsewhere on the path: a zip-less --target folder, a Debian dist-packages.
    folders += [folder for folder in sys.path if folder.endswith(("site-packages", "dist-packages"))]
    folders += [folder for folder in sys.path if os.path.isdir(os.path.join(folder, "nvidia"))]
    return tuple(dict.fromkeys(folders))
