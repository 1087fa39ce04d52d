"""Where packages are installed."""

from __future__ import annotations

import os
import site
import sys

__all__ = ["SITE_PACKAGES", "site_packages"]


def site_packages() -> tuple[str, ...]:
    """The folders in which packages are now."""
    folders = site.getsitepackages()
    # Python does not look there in most virtual environments, nor with -s.
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    # Packages may also be elsewhere on the path: a zip-less --target folder, a Debian dist-packages.
    folders += [folder for folder in sys.path if folder.endswith(("site-packages", "dist-packages"))]
    folders += [folder for folder in sys.path if os.path.isdir(os.path.join(folder, "nvidia"))]
    return tuple(dict.fromkeys(folders))


# The same when the process began.
SITE_PACKAGES = site_packages()
