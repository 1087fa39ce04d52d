"""PyCUDA's interface, on cuox: put `cuox.` in front of an import of `pycuda`."""

from __future__ import annotations

VERSION = (2026, 1)
"""The release of PyCUDA whose interface this is."""
VERSION_STATUS = ""
VERSION_TEXT = ".".join(str(number) for number in VERSION) + VERSION_STATUS
