"""The addresses that README, pages, notebooks and metadata name, and whether they answer."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ADDRESS = re.compile(r"https?://[^\s()<>\[\]{}\"'`|,;\\…]+")
PLACES = (
    *("*.md", "docs/**/*.md", "benches/*.md", "bind/*.md", "examples/**/*.md", "examples/**/*.ipynb", "fuzz/*.md"),
    *("pyproject.toml", "bind/pyproject.toml", "Cargo.toml", "action.yml"),
    *("python/cuox/**/*.py", "python/cuox/**/*.pyi", "bind/python/**/*.py", "bind/python/**/*.pyi"),
)
SECONDS = 20.0


def files(root: Path) -> Iterator[Path]:
    """The files that readers and users see addresses of."""
    for place in PLACES:
        yield from sorted(root.glob(place))


def found(root: Path) -> dict[str, list[str]]:
    """Each address, in order, and the files that name it."""
    places: dict[str, set[str]] = {}
    for path in files(root):
        for address in ADDRESS.findall(path.read_text("utf-8")):
            # The full stop of a sentence; a scheme without a host is a placeholder.
            if (address := address.rstrip(".:")).partition("//")[2]:
                places.setdefault(address, set()).add(str(path.relative_to(root)))
    return {address: sorted(places[address]) for address in sorted(places)}


def answer(address: str, seconds: float = SECONDS) -> tuple[bool | None, str]:
    """Ask for an address: True if there is something, False if it is dead, None if no answer came; and the reason."""
    request = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0 (links of cuox's documentation)"})
    try:
        with urllib.request.urlopen(request, timeout=seconds) as reply:
            return True, str(reply.status)
    except urllib.error.HTTPError as error:
        # 404 and 410 say that there is nothing; others that it is busy, or not for programs.
        return (False if error.code in (404, 410) else None), f"{error.code} {error.reason}"
    except (OSError, ValueError) as error:
        return None, str(getattr(error, "reason", error))


def try_all(root: Path) -> int:
    """Ask for all addresses and print what came; 1 if any is dead."""
    words = {True: "there", False: "DEAD", None: "not reached"}
    counts = dict.fromkeys(words.values(), 0)
    for address, places in found(root).items():
        state, why = answer(address)
        counts[words[state]] += 1
        print(f"{words[state]}: {address} ({why}; in {', '.join(places)})", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["DEAD"] else 0
