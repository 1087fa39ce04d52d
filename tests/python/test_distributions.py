"""cuox and cuox-bind as two distributions: what cuox's metadata ask for, their sources, the profile of their builds."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_string
from pathlib import Path

import cuox
import pages
import pytest

BACKEND = pages.ROOT / "build_backend"
FILE = tomllib.loads((pages.ROOT / "pyproject.toml").read_text("utf-8"))
BIND_FILE = tomllib.loads((pages.ROOT / "bind" / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(autouse=True)
def backend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The build backend, which leaves its note about a profile to no other build."""
    monkeypatch.syspath_prepend(str(BACKEND))
    import cuox_dependencies

    monkeypatch.setattr(cuox_dependencies, "NOTE", tmp_path / "target" / "profile.json")


def test_both_have_one_backend() -> None:
    # Links to files: pip and uv take no backend that lies outside of a project's folder, uv no link to a folder either.
    links = {path.name: path.resolve() for path in (pages.ROOT / "bind" / "build_backend").glob("*.py")}
    assert links == {path.name: path.resolve() for path in BACKEND.glob("*.py")}
    assert not (pages.ROOT / "bind" / "build_backend").is_symlink()


def requirements(metadata: str) -> list[str]:
    """What a METADATA or PKG-INFO asks for without extras."""
    return [one for one in message_from_string(metadata).get_all("Requires-Dist", []) if "extra ==" not in one]


def test_the_projects_agree() -> None:
    ours, theirs = FILE["project"], BIND_FILE["project"]
    for key in ("requires-python", "license", "urls"):
        assert ours[key] == theirs[key]
    assert FILE["build-system"] == BIND_FILE["build-system"]
    # One version of libclang, whichever of the two is installed with it.
    assert ours["optional-dependencies"]["bind"] == theirs["optional-dependencies"]["headers"]
    assert "cuox-bind" not in str(FILE["tool"]["cuox"]["dependencies"])


@pytest.mark.parametrize(("folder", "crate"), [("", "cuox-py"), ("bind", "cuox-bind-py")])
def test_uv_builds_again_what_has_changed(folder: str, crate: str) -> None:
    project = pages.ROOT / folder
    keys = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["tool"]["uv"]["cache-keys"]
    found = {os.path.normpath(path) for key in keys for path in project.glob(key["file"])}
    assert all(any(project.glob(key["file"])) for key in keys)
    sources = [f"crates/{crate}/src/lib.rs", f"crates/{crate}/Cargo.toml", "Cargo.lock"]
    own = ["pyproject.toml", "build_backend/cuox_build.py"]
    own += [f"python/{'cuox_bind' if folder else 'cuox'}/{name}" for name in ("__init__.py", "_native.pyi")]
    wanted = [*(pages.ROOT / name for name in sources), *(project / name for name in own)]
    assert {os.path.normpath(path) for path in wanted} <= found


def test_metadata_ask_for_cuox_bind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("maturin")
    import cuox_build

    def asked(name: str, settings: dict[str, str]) -> list[str]:
        folder = tmp_path / name
        folder.mkdir()
        dist_info = cuox_build.prepare_metadata_for_build_wheel(str(folder), settings)
        return requirements((folder / dist_info / "METADATA").read_text("utf-8"))

    monkeypatch.chdir(pages.ROOT)
    others = FILE["tool"]["cuox"]["dependencies"]
    # A wheel for this machine takes the clone's, one for others that of an index.
    assert asked("here", {}) == [f"cuox-bind @ {(pages.ROOT / 'bind').as_uri()}", *others]
    assert asked("others", {"glibc": "2.28"}) == [f"cuox-bind=={cuox.__version__}", *others]
    assert asked("elsewhere", {"bind": "version"}) == [f"cuox-bind=={cuox.__version__}", *others]
    monkeypatch.chdir(pages.ROOT / "bind")
    assert asked("bind", {}) == []


@pytest.mark.parametrize(
    ("name", "package"),
    [("cuox-bind", "cuox_bind"), pytest.param("cuox", "cuox", marks=pytest.mark.exhaustive)],  # seconds
)
def test_sources_hold_their_own_files_and_the_backend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    pytest.importorskip("maturin")
    import cuox_build
    from cuox_distributions import DISTRIBUTIONS

    one = next(one for one in DISTRIBUTIONS if one.name == name)
    monkeypatch.chdir(pages.ROOT / one.folder)
    base = f"{package}-{cuox.__version__}"
    assert cuox_build.build_sdist(str(tmp_path)) == f"{base}.tar.gz"
    with tarfile.open(tmp_path / f"{base}.tar.gz") as archive:
        found = {member.name.removeprefix(f"{base}/") for member in archive if member.isreg()}
        information = archive.extractfile(f"{base}/PKG-INFO").read().decode()
    assert {f"build_backend/{path.name}" for path in BACKEND.glob("*.py")} <= found
    assert {f"crates/{crate}/Cargo.toml" for crate in (one.crate, *one.libraries)} <= found
    # Its own package, and no other.
    assert f"python/{package}/py.typed" in found
    others = {"cuox", "cuox_bind"} - {package}
    assert not [path for path in found if path.startswith((*(f"python/{other}/" for other in others), "bind/"))]
    first = [f"cuox-bind=={cuox.__version__}"] if package == "cuox" else []
    assert requirements(information)[:1] == first


def test_only_the_metadata_of_sources_change(tmp_path: Path) -> None:
    import cuox_dependencies

    path = tmp_path / "cuox-1.tar.gz"
    files = {
        "cuox-1/PKG-INFO": b"Name: cuox\n\nA: text\n\nend\n",
        "cuox-1/a/PKG-INFO": b"A: b\n\n",
        "cuox-1/b": b"\0" * 999,
    }
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(data), 1234567890
            archive.addfile(member, io.BytesIO(data))
    cuox_dependencies.add_to_sdist(path, ["a==1", "b"])
    with tarfile.open(path) as archive:
        found = {member.name: archive.extractfile(member).read() for member in archive}
        assert {member.mtime for member in archive.getmembers()} == {1234567890}
    first = found.pop("cuox-1/PKG-INFO")
    assert first == b"Name: cuox\nRequires-Dist: a==1\nRequires-Dist: b\n\nA: text\n\nend\n"
    assert found == {name: data for name, data in files.items() if name != "cuox-1/PKG-INFO"}
    once = path.read_bytes()
    assert once[4:8] == bytes(4)  # no time of the build


def test_a_build_of_cuox_bind_takes_the_profile_of_the_same_programs_build_of_cuox(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import cuox_build
    import cuox_dependencies

    monkeypatch.chdir(pages.ROOT / "bind")
    assert cuox_build.profile_of(None) == "release"
    cuox_dependencies.hand_on("checked")
    assert cuox_build.profile_of({}) == "checked"
    assert cuox_build.profile_of({"profile": "dist"}) == "dist"
    # cuox itself has what it is told, and so has a build that another program begins.
    monkeypatch.chdir(pages.ROOT)
    assert cuox_build.profile_of({}) == "release"
    code = f"import cuox_dependencies as d; d.NOTE = d.Path({str(cuox_dependencies.NOTE)!r}); print(d.handed_on())"
    said = subprocess.run([sys.executable, "-c", code], cwd=BACKEND, capture_output=True, text=True, timeout=60)
    assert said.stdout == "None\n", said.stderr
    cuox_dependencies.NOTE.write_text("damaged")
    assert cuox_dependencies.handed_on() is None


def test_the_check_of_a_release_takes_the_newest_of_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(pages.ROOT / "tools"))
    import release_check
    from cuox_distributions import DISTRIBUTIONS

    names = ["cuox-1-x_y.whl", "cuox_bind-1-x_y.whl", "cuox-2-x_y.whl", "cuox-2-x_z.whl", "cuox-3.tar.gz"]
    for age, name in enumerate(names):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (age, age))
    found = {one: release_check.newest(tmp_path, one, "*_y.whl") for one in DISTRIBUTIONS}
    assert [path and path.name for path in found.values()] == ["cuox-2-x_y.whl", "cuox_bind-1-x_y.whl"]
    assert release_check.newest(tmp_path, DISTRIBUTIONS[1], "*.tar.gz") is None
