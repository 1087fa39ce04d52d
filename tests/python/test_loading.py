"""Packages whose compiled module cannot be loaded, and libraries that are damaged."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipapp
from pathlib import Path

import cuox_bind
import pytest

PACKAGE = Path(cuox_bind.__file__).parent
NATIVE = "_native.abi3.so"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of cuox_bind without its compiled module, in a folder that comes before others."""
    shutil.copytree(PACKAGE, tmp_path / "here" / "cuox_bind", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return tmp_path / "here" / "cuox_bind"


def last_line(*command: str | Path, folder: Path) -> str:
    """Run Python, and return the last line of what it says as it fails."""
    ended = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1, ended
    return ended.stderr.splitlines()[-1]


CANNOT = "ImportError: cuox_bind's compiled module cannot be loaded: "


def test_a_compiled_module_that_is_cut_off(package: Path) -> None:
    whole = (PACKAGE / NATIVE).read_bytes()
    (package / NATIVE).write_bytes(whole[:100_000])
    said = last_line("-c", "import cuox_bind", folder=package.parent)
    assert said == (
        f"{CANNOT}{package / NATIVE} is cut off: it has 100000 of {len(whole)} bytes; install cuox-bind again"
    )


def test_a_compiled_module_that_is_missing(package: Path) -> None:
    said = last_line("-c", "import cuox_bind", folder=package.parent)
    assert said == f"{CANNOT}it is missing; install cuox-bind again"


def test_a_package_in_an_archive(package: Path) -> None:
    (package.parent / "__main__.py").write_text("import cuox_bind\n")
    archive = package.parent.parent / "program.pyz"
    zipapp.create_archive(package.parent, archive)
    said = last_line(archive, folder=package.parent.parent)
    assert said == (
        f"{CANNOT}{archive / 'cuox_bind'} is in an archive, and compiled modules are loaded from folders; unpack it"
    )


def test_cuox_without_cuox_bind(tmp_path: Path) -> None:
    said = last_line("-c", "import sys; sys.modules['cuox_bind'] = None; import cuox", folder=tmp_path)
    assert said == "ImportError: cuox needs cuox-bind, which is not installed: install both from one release"


def test_cuox_bind_of_another_version(tmp_path: Path) -> None:
    other = "import cuox_bind; cuox_bind._native.__version__ = '0.0.9'; import cuox"
    said = last_line("-c", other, folder=tmp_path)
    assert "needs cuox-bind" in said and "but cuox-bind 0.0.9 is installed: install both again from one release" in said
    assert "install cuox again" not in said


def test_a_library_that_is_cut_off(tmp_path: Path) -> None:
    library = tmp_path / "libcut.so"
    library.write_bytes((PACKAGE / NATIVE).read_bytes()[:5_000])
    with pytest.raises(OSError, match=r"libcut\.so is cut off: it has 5000 of \d+ bytes"):
        cuox_bind.load(library)
    with pytest.raises(OSError, match="is cut off"):
        cuox_bind.bind(library, source="int f(int x);")
