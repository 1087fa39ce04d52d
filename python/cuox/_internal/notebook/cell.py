"""A cell of CUDA C++: its text, its names, and the error that ends it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path

_COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_MAIN = re.compile(r"\bmain\s*\(")


class CellError(RuntimeError):
    """A cell did not compile, or its program failed. Notebooks show the message alone: the lines of Python that led to
    it are not the user's.
    """

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


@dataclass(frozen=True)
class Cell:
    """A cell: the line of its magic, the text below it, its name in messages, and the folder of the notebook.

    file: where the text is kept under a name of the user's.
    """

    line: str
    below: str
    name: str
    folder: Path
    file: Path | None = None

    @property
    def text(self) -> str:
        """The text for a compiler: the magic's line is a comment, so that lines have the cell's own numbers."""
        shown = " ".join(f"// %%cuda {self.line}".split()).rstrip("\\")
        return f"{shown}\n{self.below}"

    def kept_as(self, file: Path) -> Cell:
        """Return the cell with its text in a file of the user's."""
        return dataclasses.replace(self, name=file.name, file=file)

    def has_main(self) -> bool:
        """Tell whether the text defines or names a function `main`."""
        return _MAIN.search(_COMMENT_OR_TEXT.sub(" ", self.below)) is not None
