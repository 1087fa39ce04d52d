"""The folder of what cuox keeps, and the libraries in it.

Code is loaded from there. So a folder or a file that another user could have written is not used, by the same rule for
all that is kept (the crate `cuox-cache`).
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

from cuox._native import cache_folder, read_private

__all__ = ["file_hash", "keep_library", "kept_library", "library_folder", "made_in_cache", "read_private"]


def made_in_cache(*names: str) -> Path:
    """Return a folder inside the cache folder, made for this user alone if it is not there. Raises OSError, which says
    how to choose another cache folder.
    """
    return Path(cache_folder(*names))


# A folder for this process's libraries, if there is none in the cache.
_own: tempfile.TemporaryDirectory[str] | None = None


def library_folder() -> Path:
    """Return the folder of libraries that are compiled: in the cache, or one of this process if that cannot be used."""
    global _own
    try:
        return made_in_cache("libraries")
    except OSError as error:
        if _own is None or not os.path.isdir(_own.name):
            _own = tempfile.TemporaryDirectory(prefix="cuox-libraries-")
            warnings.warn(
                f"{error.filename}: {error.strerror}. Compiled libraries are not kept until then",
                RuntimeWarning,
                stacklevel=4,
            )
        return Path(_own.name)


def file_hash(path: str) -> str | None:
    """Return a hash of a file's contents; None if it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def kept_library(folder: Path, name: str) -> str | None:
    """Return the library that was kept under a name, if it is whole and its sources are as they were."""
    try:
        kept = json.loads(read_private(folder, f"{name}.json") or b"")
        library, files = kept["library"], kept["files"]
        data = read_private(folder, library)
        if data is None or hashlib.sha256(data).hexdigest() != kept["sha256"]:
            return None
        if all(file_hash(file) == value for file, value in files.items()):
            return str(folder / library)
    except (ValueError, KeyError, AttributeError, TypeError):
        pass  # nothing kept, or a damaged record
    return None


def keep_library(folder: Path, name: str, made: Path, library: str, files: Mapping[str, str | None]) -> str:
    """Keep a library under a name, with the hashes of the files that it was made of. `made` is in a folder that is
    private, and goes. Returns its path.
    """
    # Whatever the umask, nobody else may write them: they would not be used.
    made.chmod(0o700)
    record = made.with_suffix(".json")
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    record.write_text(json.dumps({"library": library, "sha256": digest, "files": dict(files)}))
    record.chmod(0o600)
    os.replace(made, folder / library)
    os.replace(record, folder / f"{name}.json")
    return str(folder / library)
