"""A cache of compiled programs in a folder."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from cuox_bind._native import cache_folder, private_folder

from .resource import Code, Key, ProgramCacheResource, check_limit, code_bytes, key_bytes

# Seconds after which a file that is being written, or put aside, is taken to be abandoned.
_STALE = 3600
# The attribute of an entry's file that tells damage: a hash of its place and its bytes.
_CHECKSUM = "user.cuox.sha256"


class FileStreamProgramCache(ProgramCacheResource):
    """A cache of compiled programs in a folder, which processes and threads can share.

    path: the folder, made if it is not there; None is `program-cache` in the folder of compiled code
        (`CUOX_CACHE_DIR`).
    max_size_bytes: a limit on the bytes of the folder's files, above which the entries go that were read or written
        longest ago; None for no limit. Processes that write at the same time may exceed it by an eighth each.

    An entry is a file with the code and nothing else, so that tools such as `cuobjdump` read it. It appears at once:
    readers see the old code or the new. Code from the folder is run, so nobody else may be able to write there, and an
    entry that could be another user's work counts as missing. So does one that is damaged, where the file system has
    extended attributes, in which a checksum is kept.

    Raises PermissionError if others can write the folder, OSError if it cannot be made, ValueError for a limit that is
    not positive.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, max_size_bytes: int | None = None) -> None:
        self._limit = check_limit(max_size_bytes)
        self._root = Path(cache_folder("program-cache") if path is None else path)
        self._entries = self._root / "entries"
        self._tmp = self._root / "tmp"
        for folder in (self._root, self._entries, self._tmp):
            private_folder(folder)
        self._sweep()
        self._lock = threading.Lock()
        self._tracked_size_bytes = 0 if self._limit is None else self._size()
        # Bytes that were written since the folder was looked through.
        self._unseen_bytes = 0

    def __repr__(self) -> str:
        return f"<FileStreamProgramCache {str(self._root)!r}>"

    def __getitem__(self, key: Key) -> bytes:
        path = self._path_for_key(key)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if isinstance(error, FileNotFoundError) or path.is_symlink():
                raise KeyError(key) from None
            raise
        with open(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not _is_own(found):
                raise KeyError(key)
            code = file.read()
            if _kept_checksum(descriptor) in (None, _checksum(path, code)):
                # The last use is told by the time of access, which a system need not keep by itself.
                with contextlib.suppress(OSError):
                    os.utime(descriptor, ns=(time.time_ns(), found.st_mtime_ns))
                return code
        self._remove(path, found)
        raise KeyError(key)

    def __setitem__(self, key: Key, value: Code) -> None:
        code, path = code_bytes(value), self._path_for_key(key)
        # Somebody may have removed the folder.
        private_folder(self._tmp)
        descriptor, unfinished = tempfile.mkstemp(prefix="entry-", dir=self._tmp)
        try:
            with open(descriptor, "wb") as file:
                file.write(code)
                file.flush()
                if not _keep_checksum(descriptor, _checksum(path, code)):
                    # Damage would not show.
                    os.fsync(descriptor)
            before = _size_of(path)
            _put(unfinished, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(unfinished)
            raise
        if self._limit is not None:
            with self._lock:
                self._tracked_size_bytes += len(code) - before
                self._unseen_bytes += len(code)
                # Other processes write too, of which only looking tells.
                is_over = self._tracked_size_bytes > self._limit or self._unseen_bytes > self._limit // 8
            if is_over:
                self._enforce_size_cap()

    def __delitem__(self, key: Key) -> None:
        path = self._path_for_key(key)
        size = _size_of(path)
        try:
            path.unlink()
        except FileNotFoundError:
            raise KeyError(key) from None
        with self._lock:
            self._tracked_size_bytes = max(0, self._tracked_size_bytes - size)

    def __len__(self) -> int:
        return sum(1 for _ in self._iter_entry_paths())

    def clear(self) -> None:
        for path, seen in self._seen():
            self._remove(path, seen)
        self._sweep()
        for folder in _names(self._entries):
            # Not empty: another process has put something there.
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        if self._limit is not None:
            with self._lock:
                self._tracked_size_bytes = self._size()

    def _path_for_key(self, key: Key) -> Path:
        """The file of an entry: keys may be longer than names of files."""
        name = hashlib.sha256(key_bytes(key), usedforsecurity=False).hexdigest()
        return self._entries / name[:2] / name[2:]

    def _iter_entry_paths(self) -> Iterator[Path]:
        """The files of all entries."""
        for folder in _names(self._entries):
            if folder.is_dir(follow_symlinks=False):
                for entry in _names(folder.path):
                    if entry.is_file(follow_symlinks=False):
                        yield Path(entry.path)

    def _seen(self) -> list[tuple[Path, os.stat_result]]:
        """The files of all entries, with what is known of each now."""
        found = []
        for path in self._iter_entry_paths():
            with contextlib.suppress(FileNotFoundError):
                found.append((path, path.lstat()))
        return found

    def _sum_tmp_sizes(self) -> int:
        """The bytes of files that are being written."""
        return sum(_size_of(entry.path) for entry in _names(self._tmp))

    def _size(self) -> int:
        """The bytes of all files."""
        return sum(seen.st_size for _, seen in self._seen()) + self._sum_tmp_sizes()

    def _sweep(self) -> None:
        """Remove files that processes began to write and never finished."""
        for entry in _names(self._tmp):
            with contextlib.suppress(OSError):
                if entry.stat(follow_symlinks=False).st_mtime < time.time() - _STALE:
                    os.unlink(entry.path)

    def _enforce_size_cap(self) -> None:
        """Remove entries until the limit holds, those that were used longest ago first."""
        if self._limit is None:
            return
        with self._lock:
            self._sweep()
            entries = self._seen()
            total = sum(seen.st_size for _, seen in entries) + self._sum_tmp_sizes()
            for path, seen in sorted(entries, key=lambda entry: entry[1].st_atime_ns):
                if total <= self._limit:
                    break
                if self._remove(path, seen):
                    total -= seen.st_size
            self._tracked_size_bytes, self._unseen_bytes = total, 0

    def _remove(self, path: Path, seen: os.stat_result) -> bool:
        """Remove an entry if it is still the one that was seen: another process may have put a newer one there, which
        has to stay. Returns whether it is gone.
        """
        aside = self._tmp / f"aside-{os.getpid()}-{threading.get_ident()}-{next(_NUMBERS)}"
        private_folder(self._tmp)
        try:
            os.rename(path, aside)
        except FileNotFoundError:
            return True
        is_same = _identity(aside.lstat()) == _identity(seen)
        if not is_same:
            # Back to its place, unless a still newer one is there.
            with contextlib.suppress(OSError):
                os.link(aside, path, follow_symlinks=False)
        os.unlink(aside)
        return is_same


_NUMBERS = itertools.count()


def _put(unfinished: str, path: Path) -> None:
    """Give a file its place, in a folder that others remove when it is empty."""
    for attempt in itertools.count():
        private_folder(path.parent)
        try:
            return os.replace(unfinished, path)
        except FileNotFoundError:
            if attempt == 9 or not os.path.exists(unfinished):
                raise


def _names(folder: str | os.PathLike[str]) -> list[os.DirEntry[str]]:
    """The contents of a folder, which may be gone."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []


def _size_of(path: str | os.PathLike[str]) -> int:
    """The bytes of a file; 0 if it is gone."""
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


def _identity(seen: os.stat_result) -> tuple[int, int, int]:
    """Tells a file from one that has taken its place."""
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _is_own(found: os.stat_result) -> bool:
    """True for a file that nobody else can have written."""
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _checksum(path: Path, code: bytes) -> bytes:
    """The hash by which damage shows, and a file in the place of another."""
    digest = hashlib.sha256(f"{path.parent.name}/{path.name}\n".encode(), usedforsecurity=False)
    digest.update(code)
    return digest.digest()


def _keep_checksum(descriptor: int, checksum: bytes) -> bool:
    """Keep a file's checksum; False where the file system cannot."""
    try:
        os.setxattr(descriptor, _CHECKSUM, checksum)
    except OSError:
        return False
    return True


def _kept_checksum(descriptor: int) -> bytes | None:
    try:
        return os.getxattr(descriptor, _CHECKSUM)
    except OSError:
        return None
