"""The folder of what cuox keeps, the libraries in it, and what stands in for it where it cannot be used.

Code is loaded from there. So a folder or a file that another user could have written is not used, by the same rule for
all that is kept (the crate `cuox-cache`).
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from cuox_bind._native import cache_folder, read_private

__all__ = [
    "file_hash",
    "in_cache",
    "keep_library",
    "kept_library",
    "lasting_folder",
    "made_in_cache",
    "read_private",
    "remove_own",
    "uses_own",
]

T = TypeVar("T")


def made_in_cache(*names: str) -> Path:
    """Return a folder inside the cache folder, made for this user alone if it is not there. Raises OSError, which says
    how to choose another cache folder.
    """
    return Path(cache_folder(*names))


# The folder of a process that has no cache folder, and the process, which a forked child is not.
_own: tuple[Path, int] | None = None


def uses_own() -> bool:
    """Tell whether this process has a temporary folder in place of the cache folder."""
    return _own is not None


def remove_own() -> None:
    """Remove the folder that this process has in place of the cache folder."""
    global _own
    if _own is not None and _own[1] == os.getpid():
        shutil.rmtree(_own[0], ignore_errors=True)
    _own = None


def _own_folder(reason: OSError, *names: str) -> Path:
    """Return a folder inside this process's temporary one. The reason is why there is no other, of which the user is
    told once.
    """
    global _own
    if _own is None or not _own[0].is_dir():
        _own = Path(tempfile.mkdtemp(prefix="cuox-")), os.getpid()
        atexit.register(remove_own)
        said = f"{reason.strerror or reason}"
        if "CUOX_CACHE_DIR" not in said:
            said += "; set CUOX_CACHE_DIR to a folder that can be written"
        at = reason.filename2 or reason.filename
        place = f"{at}: " if at else ""
        warnings.warn(
            f"{place}{said}. Until then a temporary folder is used, and nothing is kept", RuntimeWarning, stacklevel=5
        )
    made = _own[0]
    for name in names:
        made /= name
        made.mkdir(mode=0o700, exist_ok=True)
    return made


def in_cache(names: tuple[str, ...], use: Callable[[Path], T]) -> T:
    """Call a function with a folder inside the cache folder, or with one that is removed at the end of this process if
    the cache folder cannot be used or written.
    """
    try:
        return use(made_in_cache(*names))
    except OSError as error:
        return use(_own_folder(error, *names))


def lasting_folder(*names: str) -> Path:
    """Return a folder for what outlives this process, where the cache folder cannot be used: of this user's in the
    system's temporary folder. Raises OSError if it is somebody else's.
    """
    made = Path(tempfile.gettempdir(), f"cuox-{os.geteuid()}")
    for name in ("", *names):
        made /= name
        made.mkdir(mode=0o700, exist_ok=True)
        found = made.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
            raise PermissionError(f"{made} is another user's, or others can write it: set CUOX_CACHE_DIR")
    return made


def file_hash(path: str) -> str | None:
    """Return a hash of a file's contents; None if it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


_LIBRARIES = ("libraries",)


def kept_library(name: str) -> str | None:
    """Return the library that was kept under a name, if it is whole and its sources are as they were."""
    folders = []
    try:
        folders.append(made_in_cache(*_LIBRARIES))
    except OSError:
        pass  # whoever keeps one says so
    if _own is not None:
        folders.append(_own[0].joinpath(*_LIBRARIES))
    for folder in folders:
        try:
            kept = json.loads(read_private(folder, f"{name}.json") or b"")
            library, files = kept["library"], kept["files"]
            data = read_private(folder, library)
            if data is None or hashlib.sha256(data).hexdigest() != kept["sha256"]:
                continue
            if all(file_hash(file) == value for file, value in files.items()):
                return str(folder / library)
        except (ValueError, KeyError, AttributeError, TypeError):
            pass  # nothing kept, or a damaged record
    return None


def keep_library(name: str, made: Path, library: str, files: Mapping[str, str | None]) -> str:
    """Keep a library under a name, with the hashes of the files that it was made of. Returns its path."""
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    record = json.dumps({"library": library, "sha256": digest, "files": dict(files)})

    def keep(folder: Path) -> str:
        # Files appear under their names when they are whole.
        with tempfile.TemporaryDirectory(dir=folder, prefix=".cuox-") as work:
            whole, about = Path(work, "library"), Path(work, "record")
            shutil.copyfile(made, whole)
            about.write_text(record)
            # Whatever the umask, nobody else may write them: they would not be used.
            whole.chmod(0o700)
            about.chmod(0o600)
            os.replace(whole, folder / library)
            os.replace(about, folder / f"{name}.json")
        return str(folder / library)

    return in_cache(_LIBRARIES, keep)
