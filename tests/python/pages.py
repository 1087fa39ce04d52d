"""Reads the pages of the documentation: their code blocks, headings, links and tables.

A code block says behind its language what the tests do with it:

    python run         a program, run by itself
    python continued   the program above goes on
    python file=NAME   a file that the programs of the page find in their folder
    sh run             a script, run by bash
    text output        what the program above prints; `...` stands for any text

`run` may be followed by `soft` (on the software GPU only) and `needs=NAME` (a header such as zlib.h or a module;
without it the program is skipped).
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "README.zh.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs").glob("zh/*.md")),
]
OTHERS = [
    *(
        ROOT / name
        for name in (
            *("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"),
            *("benches/README.md", "bind/README.md", "examples/build/README.md", "examples/notebooks/README.md"),
            *("examples/tutorial/README.md", "fuzz/README.md"),
        )
    ),
    *sorted((ROOT / "docs" / "design").glob("*.md")),
]

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`\n]*)\n(?P<text>.*?)^(?P=indent)```[ ]*\n", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`\n]+`")


def name(page: Path) -> str:
    """The name of a page, without `docs`, in which most are."""
    return str(page.relative_to(ROOT)).removeprefix("docs/")


@dataclass
class Block:
    """A code block. `line` is the first line of its text."""

    info: str
    text: str
    line: int

    @property
    def words(self) -> list[str]:
        return self.info.split()

    def is_(self, kind: str) -> bool:
        return self.words[: len(kind.split())] == kind.split()


@dataclass
class Program:
    """A program to run: blocks that belong together, and their output if the page shows it."""

    page: Path
    language: str
    line: int
    flags: list[str]
    text: str
    output: str = ""
    has_output: bool = False
    files: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{name(self.page)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The code blocks of a page, in order."""
    text = page.read_text("utf-8")
    return [
        Block(m["info"].strip(), textwrap.dedent(m["text"]), text.count("\n", 0, m.start()) + 2)
        for m in FENCE.finditer(text)
    ]


def programs(page: Path) -> list[Program]:
    """The programs of a page, in order."""
    found: list[Program] = []
    files: dict[str, str] = {}
    previous = Block("", "", 0)
    for block in blocks(page):
        language, *words = block.words or [""]
        if block.is_("python run") or block.is_("sh run"):
            found.append(Program(page, language, block.line, words[1:], block.text, files=dict(files)))
        elif block.is_("python continued"):
            assert found and found[-1].language == "python", f"{page.name}:{block.line}: no program to continue"
            found[-1].text += block.text
        elif block.is_("text output"):
            assert found and previous.is_(found[-1].language), f"{page.name}:{block.line}: no program above prints this"
            found[-1].output += block.text
            found[-1].has_output = True
        elif words and words[0].startswith("file="):
            files[words[0].removeprefix("file=")] = block.text
        else:
            assert not words, f"{page.name}:{block.line}: unknown marks {words}"
        previous = block
    return found


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def headings(page: Path) -> list[tuple[int, str]]:
    """The level and text of each heading."""
    return [(len(m[1]), m[2].strip()) for m in HEADING.finditer(prose(page))]


def anchor(heading: str) -> str:
    """The name under which GitHub's links find a heading."""
    kept = re.sub(r"[^\w\- ]", "", LINK.sub(lambda m: m[0][1 : m[0].index("]")], heading).lower())
    return kept.replace(" ", "-")


def links(page: Path) -> list[str]:
    """The targets of links, in order; code is not looked at."""
    return LINK.findall(CODE.sub("``", prose(page)))


def tables(page: Path) -> list[list[int]]:
    """For each table the number of cells in each of its rows."""
    found: list[list[int]] = []
    inside = False
    for line in prose(page).splitlines():
        if is_row := line.startswith("|"):
            cells = re.sub(r"\\\||`[^`]*`", "", line).strip().strip("|").count("|") + 1
            if not inside:
                found.append([])
            found[-1].append(cells)
        inside = is_row
    return found
