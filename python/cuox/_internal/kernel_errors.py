"""Errors about kernels that are written in Python."""

from __future__ import annotations


class KernelTypeError(TypeError):
    """A function that cannot be a kernel: its text says why, and shows the line.

    code: the kind of the error, such as `"K003"`. filename, lineno: where.
    """

    def __init__(self, text: str, code: str = "", filename: str = "", lineno: int = 0) -> None:
        super().__init__(text)
        self.code = code
        self.filename = filename
        self.lineno = lineno


class KernelSourceError(ValueError):
    """The source of a function cannot be found."""
