"""What cuox depends on: packages of an index, by pyproject.toml, and cuox-bind.

What others install, sources and a wheel of `-C glibc` or `-C bind=version`, asks for cuox-bind of its own version. In a
clone it is the cuox-bind of the clone, by its folder, which pip then builds too. pip hands no settings on to that
build: it takes the profile of the build of cuox that the same pip has begun.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import tomllib
from pathlib import Path

from cuox_distributions import BIND, CUOX, ROOT, version

NOTE = ROOT / "target" / "cuox-profile.json"


def dependencies(for_others: bool) -> list[str]:
    """The requirements of cuox's metadata."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    folder = ROOT / BIND.folder
    if for_others or not (folder / "pyproject.toml").is_file():
        own = f"{BIND.name}=={version()}"
    else:
        own = f"{BIND.name} @ {folder.as_uri()}"
    return [own, *tools[CUOX.name]["dependencies"]]


def with_dependencies(metadata: str, requirements: list[str]) -> str:
    """The text of a METADATA or PKG-INFO with more requirements."""
    head, blank, text = metadata.partition("\n\n")
    return "\n".join([head, *(f"Requires-Dist: {requirement}" for requirement in requirements)]) + blank + text


def add_to_sdist(path: Path, requirements: list[str]) -> None:
    """Add requirements to the PKG-INFO of sources."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0, compresslevel=6) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as new,
        tarfile.open(path) as old,
    ):
        for member in old:
            content = old.extractfile(member)
            data = content.read() if content is not None else b""
            if member.name.count("/") == 1 and member.name.endswith("/PKG-INFO"):
                data = with_dependencies(data.decode(), requirements).encode()
                member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    path.write_bytes(packed.getvalue())


def caller() -> list[str]:
    """The program that has called the hook, such as pip: its process, which no other process is."""
    parent = os.getppid()
    try:
        # The first field that can have blanks ends with the last parenthesis; the 22nd is when the process began.
        began = Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        began = ""
    return [str(parent), began]


def hand_on(profile: str) -> None:
    """Leave the profile of a build of cuox for that of cuox-bind."""
    NOTE.parent.mkdir(parents=True, exist_ok=True)
    fresh = NOTE.with_name(f"{NOTE.name}.{os.getpid()}")
    fresh.write_text(json.dumps({"caller": caller(), "profile": profile}))
    os.replace(fresh, NOTE)


def handed_on() -> str | None:
    """The profile of the build of cuox that the same program has begun, or None."""
    try:
        note = json.loads(NOTE.read_text())
    except (OSError, ValueError):
        return None
    return note["profile"] if note["caller"] == caller() else None
