"""The folder of kept files holds libraries and links that programs load: nobody else may have written them, and what is
damaged is made again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cuox._internal import links
from cuox_bind._internal import cache_folder

Run = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

# Counts what it compiles.
COMPILER = """#!/bin/sh
echo one >> "$(dirname "$0")/count"
exec cc "$@"
"""


class Loads:
    """Loads a source file, which answers 42, with a cache folder in processes of their own."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.run, self.folder, self.cache = run, folder, folder / "cache"
        self.source = folder / "lib.c"
        self.source.write_text("int answer(void) { return 42; }\n")
        self.compiler = folder / "compiler"
        self.compiler.write_text(COMPILER)
        self.compiler.chmod(0o755)

    def __call__(self, before: str = "") -> tuple[str, int, str]:
        """Returns the answer, how often something was compiled, and the warnings."""
        (self.folder / "count").unlink(missing_ok=True)
        script = f"import os\n{before}\nimport cuox\nprint(cuox.load({str(self.source)!r}).answer())"
        done = self.run(script, CUOX_CACHE_DIR=str(self.cache), CC=str(self.compiler))
        assert done.returncode == 0, done.stderr
        count = self.folder / "count"
        return done.stdout.strip(), len(count.read_text().split()) if count.exists() else 0, done.stderr

    @property
    def library(self) -> Path:
        (found,) = (self.cache / "libraries").glob("*.so")
        return found

    def foreign_library(self) -> Path:
        """A library that answers something else."""
        other, made = self.folder / "other.c", self.folder / "other.so"
        other.write_text("int answer(void) { return 666; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", str(other), "-o", str(made)], check=True)
        return made


@pytest.fixture
def loads(tmp_path: Path, run_script: Run) -> Loads:
    return Loads(tmp_path, run_script)


def test_a_library_is_compiled_once_whatever_the_umask(loads: Loads) -> None:
    for umask in (0, 0o077):
        loads.cache = loads.folder / f"cache{umask}" / "inner"
        assert loads(f"os.umask({umask})") == ("42", 1, "")
        assert loads(f"os.umask({umask})") == ("42", 0, "")
        for folder in (loads.cache.parent, loads.cache, loads.cache / "libraries"):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for file in (loads.cache / "libraries").iterdir():
            assert not file.stat().st_mode & 0o022


@pytest.mark.parametrize("inner", ["", "libraries"])
def test_libraries_in_a_folder_that_others_can_write_are_not_loaded(loads: Loads, inner: str) -> None:
    assert loads() == ("42", 1, "")
    planted = loads.foreign_library()
    library = loads.library
    os.replace(planted, library)
    # The record says what the others want it to say.
    (record,) = library.parent.glob("*.json")
    kept = json.loads(record.read_text()) | {"sha256": hashlib.sha256(library.read_bytes()).hexdigest()}
    record.write_text(json.dumps(kept))
    library.chmod(0o700)
    (loads.cache / inner).chmod(0o777)
    for _ in range(2):
        answer, compiled, said = loads()
        assert (answer, compiled) == ("42", 1)
        assert "RuntimeWarning" in said and str(loads.cache / inner) in said and "others can write it" in said
    assert len(list(library.parent.glob("*.so"))) == 1


def test_a_file_that_others_can_write_is_made_again(loads: Loads) -> None:
    assert loads() == ("42", 1, "")
    for file in (loads.cache / "libraries").iterdir():
        file.chmod(0o777)
        assert loads() == ("42", 1, "")
        assert loads() == ("42", 0, "")


@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.99])
def test_a_damaged_library_is_made_again(loads: Loads, part: float) -> None:
    assert loads() == ("42", 1, "")
    os.truncate(loads.library, int(loads.library.stat().st_size * part))
    assert loads() == ("42", 1, "")
    assert loads() == ("42", 0, "")


def test_code_of_an_interface_is_made_again_when_it_is_damaged(tmp_path: Path, run_script: Run) -> None:
    (tmp_path / "code.i").write_text("%module code\n%inline %{\nint answer(void) { return 42; }\n%}\n")
    script = f"import cuox\nprint(cuox.bind(None, {str(tmp_path / 'code.i')!r}).answer())"
    for _ in range(2):
        done = run_script(script, CUOX_CACHE_DIR=str(tmp_path / "cache"))
        assert (done.stdout.strip(), done.stderr) == ("42", "")
        (library,) = (tmp_path / "cache" / "libraries").glob("libinterface-*.so")
        os.truncate(library, 100)


NVCC = """#!/bin/sh
[ "$1" = --version ] && echo release 1 && exit
echo one >> "$(dirname "$0")/count"
echo code > kernel.cubin
"""


def test_what_nvcc_compiled_for_pycuda_is_kept_like_other_code(tmp_path: Path, run_script: Run) -> None:
    compiler, count, cache = tmp_path / "nvcc", tmp_path / "count", tmp_path / "cache"
    compiler.write_text(NVCC)
    compiler.chmod(0o755)
    script = f"""
from cuox.pycuda._compiler.nvcc import compile_with_nvcc
print(compile_with_nvcc("kernel", [], {str(compiler)!r}, "cubin", keep_in=None, use_cache=True))
"""

    def compiled() -> int:
        count.unlink(missing_ok=True)
        done = run_script(script, CUOX_CACHE_DIR=str(cache), CUOX_CACHE="1")
        assert done.stdout == "(b'code\\n', '')\n", done.stderr
        return len(count.read_text().split()) if count.exists() else 0

    assert (compiled(), compiled()) == (1, 0)
    for file in cache.iterdir():
        os.truncate(file, file.stat().st_size - 1)
    assert (compiled(), compiled()) == (1, 0)
    cache.chmod(0o777)
    assert (compiled(), compiled()) == (1, 1)


@pytest.fixture
def own_folder_gone() -> Iterator[None]:
    """Has the test leave no folder in place of the cache folder to the process."""
    cache_folder.remove_own()
    yield
    cache_folder.remove_own()


@pytest.mark.usefixtures("own_folder_gone")
def test_links_in_a_folder_that_others_can_write_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path / "cache"))
    for make in (links.folder, links.ptxas_folder):
        folder = make()
        for place in (folder, folder.parent, tmp_path / "cache"):
            assert stat.S_IMODE(place.stat().st_mode) == 0o700
            place.chmod(0o777)
            with pytest.warns(RuntimeWarning, match=r"others can write it.*chmod go-w.*CUOX_CACHE_DIR") as caught:
                other = make()
            assert str(caught[0].message).startswith(f"{place}: ")
            assert tmp_path not in other.parents and stat.S_IMODE(other.stat().st_mode) == 0o700
            cache_folder.remove_own()
            assert not other.exists()
            place.chmod(0o700)
        assert make() == folder


def test_links_to_another_library_are_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))
    folder = links.folder()
    (folder / links.DRIVER).unlink()
    (folder / links.DRIVER).symlink_to("/nowhere/libcuda.so.1")
    assert links.folder() == folder
    assert (folder / links.DRIVER).resolve() == (links.LIBRARIES / links.DRIVER).resolve()
    tool = links.ptxas_folder() / "ptxas"
    text = tool.read_text()
    tool.write_text(text[:100])
    assert links.ptxas_folder() == tool.parent
    assert tool.read_text() == text and os.access(tool, os.X_OK)
