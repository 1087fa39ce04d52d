"""Results that are taken over: of tests that have passed, for as long as all that they depend on is unchanged.

A fresh clone has none; `make clean` removes them, and `make test FRESH=1` does not look at them. When in doubt a key
is of too much: to run a test again costs less than to believe a result that is none.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from .process import CORES, ROOT

FILE = ROOT / "target" / "test-results.json"
# The variables that tests, and what they run, may read: beginnings of names, and names.
VARIABLES = (
    "CUOX_",
    "CUDA",
    "PYCUDA_",
    "NUMBA_",
    "NVCC_",
    "PYTHON",
    "LD_",
    "LC_",
    "CARGO_",
    "RUST",
    "CFLAGS",
    "CXXFLAGS",
)
VARIABLES += ("C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "XDG_CACHE_HOME", "VIRTUAL_ENV", "CONDA_PREFIX")
NAMES = ("CC", "CXX", "CPATH", "PATH", "HOME", "TMPDIR", "LANG", "TZ")
# The programs that tests look for: some are skipped without.
PROGRAMS = ("cc", "c++", "gcc", "g++", "clang", "nvcc", "swig", "readelf", "nvidia-smi", "nvdisasm", "rustc")
# What changes when headers or libraries are installed for all, and the driver of a GPU.
OF_THE_SYSTEM = ("/usr/include", "/usr/local/cuda", "/etc/ld.so.cache", "/proc/driver/nvidia/version")
# With these pytest runs other tests than those that it is asked to.
OF_PYTEST = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")


def fingerprint(paths: Iterable[Path], *words: str) -> str:
    """A hash of files (their names and bytes), of words, and of what every test depends on."""
    digest = hashlib.blake2b(digest_size=16)
    variables = sorted(item for item in os.environ.items() if item[0].startswith(VARIABLES) or item[0] in NAMES)
    for word in (*surroundings(), *map(repr, variables), *words):
        digest.update(word.encode(errors="surrogateescape") + b"\0")
    for path in sorted(set(paths)):
        digest.update(str(path).encode(errors="surrogateescape") + b"\0")
        try:
            stat = path.stat()
            digest.update(_content(path, stat.st_mtime_ns, stat.st_size, stat.st_ino))
        except OSError:  # it is not there: then its name counts
            pass
    return digest.hexdigest()


@functools.cache
def _content(path: Path, *_: int) -> bytes:
    """A hash of a file's bytes. Keys are made twice, before and after the tests: of what is as it was, once."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()


@functools.cache
def surroundings() -> tuple[str, ...]:
    """What every test depends on besides variables: the machine's kind, the packages that are installed with their
    versions (NVRTC's is one), compilers and what else is installed for all.
    """
    folders = {Path(sysconfig.get_path("purelib")), *(ROOT / ".venv").glob("lib/*/site-packages")}
    installed = sorted(str(info) for folder in folders for info in folder.glob("*.dist-info"))
    programs = [place for name in PROGRAMS if (place := shutil.which(name))]
    found = [_identity(Path(place)) for place in (*programs, *OF_THE_SYSTEM)]
    return (platform.platform(), sys.version, str(CORES), _processor(), *installed, *found)


def _identity(path: Path) -> str:
    """A file as it is now; that one is not there is told, too."""
    try:
        stat = path.stat()
    except OSError:
        return f"no {path}"
    if path.is_relative_to("/proc"):  # such a file has no time
        return path.read_text()
    return f"{path.resolve()} {stat.st_mtime_ns} {stat.st_size}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return "".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


def repository(*folders: str) -> list[Path]:
    """The files of the project, or of some of its folders, and those that git does not know yet."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders]
    listed = subprocess.check_output(command, cwd=ROOT)
    return [ROOT / os.fsdecode(name) for name in sorted(set(listed.split(b"\0")) - {b""})]


class Results:
    """The tests that have passed: for a name, the fingerprint of their inputs and how many passed and were skipped.

    The two sizes of the tests (CUOX_TESTS) have rows of their own.
    """

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, int, int]] = {}
        try:
            self.known = {name: tuple(row) for name, row in json.loads(FILE.read_text()).items()}
        except (OSError, ValueError, TypeError, AttributeError):
            self.known = {}

    def passed(self, name: str, key: str) -> tuple[int, int] | None:
        """How many tests passed and were skipped under this name with these inputs; None if they did not pass."""
        row = self.known.get(_row(name))
        return (row[1], row[2]) if row and row[0] == key and not os.environ.get("FRESH") else None

    def keep(self, name: str, key: str, passed: int, skipped: int) -> None:
        """Note that tests have passed."""
        self.known[_row(name)] = (key, passed, skipped)
        self._write()

    def forget(self, name: str) -> None:
        """Note that tests have failed."""
        if self.known.pop(_row(name), None):
            self._write()

    def _write(self) -> None:
        FILE.parent.mkdir(exist_ok=True)
        fresh = FILE.with_suffix(".new")
        fresh.write_text(json.dumps(self.known))
        os.replace(fresh, FILE)


def _row(name: str) -> str:
    return f"{os.environ.get('CUOX_TESTS') or 'default'}: {name}"
