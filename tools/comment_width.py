"""Checks that comments in Rust are at most 120 columns wide; `rustfmt` leaves comments as they are.

    python tools/comment_width.py           list the comments that are wider
    python tools/comment_width.py --wrap    wrap their paragraphs again

Code blocks, tables and words that are wider by themselves (links) stay as they are. Ruff checks Python's comments
(`W505`).
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 120
GENERATED = "crates/cuox-abi/src/generated/"
COMMENT = re.compile(r"^(\s*)(///|//!|//)( .*)?$")
# A comment behind code: only where no quote is, as `//` may be part of a string.
TRAILING = re.compile(r"^([^\"']*\S)\s+// (.*)$")
ITEM = re.compile(r"^(\s*)([-*+]|\d+\.) +")


def sources() -> list[Path]:
    """The Rust files that people have written."""
    # Also those that git does not know yet; not those that were removed without its help.
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.rs"]
    listed = sorted(set(subprocess.check_output(command, cwd=ROOT, text=True).split("\0")) - {""})
    return [ROOT / name for name in listed if not name.startswith(GENERATED) and (ROOT / name).is_file()]


def can_be_wrapped(text: str, room: int) -> bool:
    """Tell whether a line of a comment is wider than `room` and has a place to break it."""
    stripped = text.strip()
    if len(text) <= room or stripped.startswith("|") or "``" in stripped[:4] or re.match(r"\[[^]]+\]: ", stripped):
        return False
    return " " in stripped[:room] and not (ITEM.match(text) and " " not in ITEM.sub("", text)[: room - 2])


def paragraphs(lines: list[str]) -> list[tuple[bool, list[str]]]:
    """Split the texts of a comment into paragraphs; the flag tells which may be wrapped."""
    parts: list[tuple[bool, list[str]]] = []
    fenced = False
    open_paragraph = False
    for line in lines:
        fence = line.strip().startswith("```")
        verbatim = (
            fenced or fence or not line.strip() or line.strip().startswith(("|", "#", "[")) or line.startswith("     ")
        )
        fenced ^= fence
        if verbatim:
            parts.append((False, [line]))
            open_paragraph = False
        elif open_paragraph and not ITEM.match(line):
            parts[-1][1].append(line)
        else:
            parts.append((True, [line]))
            open_paragraph = True
    return parts


def wrap(lines: list[str], room: int) -> list[str]:
    """Wrap the texts of a comment's lines (each with its leading blank) so that they fit into `room` columns."""
    wrapped: list[str] = []
    for prose, part in paragraphs(lines):
        if not prose or not any(can_be_wrapped(line, room) for line in part):
            wrapped += part
            continue
        first = part[0]
        item = ITEM.match(first)
        lead = first[: item.end()] if item else re.match(r"\s*", first)[0]
        hanging = " " * len(lead)
        text = " ".join([first[len(lead) :], *(line.strip() for line in part[1:])])
        wrapped += textwrap.wrap(
            text, room, initial_indent=lead, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
        )
    return wrapped


def check(path: Path, mend: bool) -> list[int]:
    """The numbers of the lines with comments that are too wide; with `mend`, write the file with them wrapped."""
    lines = path.read_text().split("\n")
    wide: list[int] = []
    result: list[str] = []
    at = 0
    while at < len(lines):
        match = COMMENT.match(lines[at])
        if not match:
            trailing = TRAILING.match(lines[at])
            if trailing and len(lines[at]) > WIDTH:
                wide.append(at + 1)
                indent = re.match(r"\s*", lines[at])[0]
                lines[at : at + 1] = [f"{indent}// {trailing[2]}", trailing[1]] if mend else lines[at : at + 1]
                if mend:
                    continue
            result.append(lines[at])
            at += 1
            continue
        indent, marker = match[1], match[2]
        block: list[str] = []
        start = at
        while at < len(lines) and (other := COMMENT.match(lines[at])) and (other[1], other[2]) == (indent, marker):
            block.append(other[3] or "")
            at += 1
        room = WIDTH - len(indent) - len(marker)
        fresh = wrap(block, room)
        if fresh != block:
            wide += [start + 1 + index for index, line in enumerate(block) if can_be_wrapped(line, room)]
        result += [f"{indent}{marker}{line}" for line in fresh]
    if mend and wide:
        path.write_text("\n".join(result))
    return wide


def main(arguments: list[str]) -> int:
    """Check or wrap; 0 if nothing is too wide."""
    mend = arguments == ["--wrap"]
    if arguments and not mend:
        print(__doc__, file=sys.stderr)
        return 2
    count = 0
    for path in sources():
        for number in check(path, mend):
            count += 1
            if not mend:
                print(f"{path.relative_to(ROOT)}:{number}: the comment is wider than {WIDTH} columns")
    print(f"{count} comments {'wrapped' if mend else f'wider than {WIDTH} columns'}")
    return 1 if count and not mend else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
