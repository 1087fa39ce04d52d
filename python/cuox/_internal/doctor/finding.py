"""What an examination finds."""

from __future__ import annotations

import importlib.metadata
import json
import shlex
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal


def install_again(name: str = "cuox") -> str:
    """Return the command that installs a distribution of cuox again, from where it came."""
    pip = "pip install --force-reinstall --no-deps"
    try:
        found = importlib.metadata.distribution(name)
        origin = json.loads(found.read_text("direct_url.json") or "null")
        version = found.version
    except (importlib.metadata.PackageNotFoundError, KeyError, OSError, ValueError):
        origin, version = None, None
    if isinstance(origin, dict) and isinstance(url := origin.get("url"), str):
        if isinstance(kept := origin.get("vcs_info"), dict):
            url = f"{kept.get('vcs')}+{url}@{kept.get('commit_id')}"
        elif isinstance(folder := origin.get("dir_info"), dict) and folder.get("editable"):
            pip += " -e"
        return f"{pip} {shlex.quote(url)}"
    return f"{pip} {name}=={version}" if version else f"{pip} .  # in a clone of cuox"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    `broken` is what keeps programs from running, `warning` what makes them run otherwise than their author means,
    `note` what is not there and some programs want. `remedy` is a command or a sentence that mends it.
    """

    part: str
    state: Literal["ok", "note", "warning", "broken"]
    text: str
    remedy: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return it as JSON's objects are made of."""
        return asdict(self)


Step = Callable[[Path], Finding | Iterable[Finding] | None]
"""What looks at something, given the folder that has the system's files."""


def first_line(error: BaseException | str) -> str:
    """Return the first line of a text, or of what an error says."""
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
