"""PyCUDA's interface, on cuox: put `cuox.` in front of an import of `pycuda`."""

from __future__ import annotations

from ._install import install

__all__ = ["VERSION", "VERSION_STATUS", "VERSION_TEXT", "install"]

VERSION = (2026, 1)
"""The release of PyCUDA whose interface this is."""
VERSION_STATUS = ""
VERSION_TEXT = ".".join(str(number) for number in VERSION) + VERSION_STATUS
