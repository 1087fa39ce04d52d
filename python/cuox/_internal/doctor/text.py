"""What is printed of findings: a list, JSON, or the text of a bug report."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

from .finding import Finding

__all__ = ["print_findings"]

MARKS = {"ok": " ", "note": "-", "warning": "!", "broken": "X"}


def print_findings(found: Sequence[Finding], as_json: bool = False, report: bool = False, short: bool = False) -> int:
    """Print findings, `short`: without a line that counts them. Returns 1 if something is broken, else 0."""
    if as_json:
        print(json.dumps([one.as_dict() for one in found], indent=2))
    elif report:
        _print("\n".join(_report(found)))
    else:
        width = min(shutil.get_terminal_size((120, 24)).columns, 160) if sys.stdout and sys.stdout.isatty() else 0
        _print("\n".join(_table(found, width)))
        if not short:
            print(_summary(found))
    return int(any(one.state == "broken" for one in found))


def _print(text: str) -> None:
    """Print a text, whatever characters standard output takes."""
    encoding = (sys.stdout and sys.stdout.encoding) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("→", "->").replace("…", "...")
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    print(text)


def _table(found: Sequence[Finding], width: int) -> Iterator[str]:
    wide = max(len(one.part) for one in found)
    space = " " * (wide + 4)
    for one in found:
        yield from _wrapped(f"{MARKS[one.state]} {one.part:<{wide}}  {one.text}", space, width)
        if one.remedy and one.state != "ok":
            yield from _wrapped(f"{space}→ {one.remedy}", f"{space}  ", width)


def _wrapped(line: str, space: str, width: int) -> list[str]:
    """A line, broken at a terminal's width. Paths and commands are not broken."""
    if not width:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent=space, break_long_words=False, break_on_hyphens=False) or [line]


def _summary(found: Sequence[Finding]) -> str:
    broken = sum(one.state == "broken" for one in found)
    warnings = sum(one.state == "warning" for one in found)
    if not broken and not warnings:
        return "nothing is wrong"
    counts = [(broken, "thing is broken (X)", "things are broken (X)"), (warnings, "warning (!)", "warnings (!)")]
    return ", ".join(f"{count} {one if count == 1 else several}" for count, one, several in counts if count)


def _report(found: Sequence[Finding]) -> Iterator[str]:
    """The text of a bug report, in Markdown."""
    yield "### What I ran, and what happened\n\n…\n\n### `cuox doctor`\n\n```"
    yield from _table(found, 0)
    yield _summary(found)
    yield "```\n\n### The system\n\n```"
    yield f"{_distribution()}, kernel {platform.release()}"
    for name, value in sorted(os.environ.items()):
        if name.startswith(("CUOX_", "CUDA_", "NUMBA_", "PYCUDA_")) or name in ("LD_LIBRARY_PATH", "LD_PRELOAD"):
            yield f"{name}={value}"
    yield "```"


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()
