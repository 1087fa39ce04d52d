"""action.yml: the shell scripts of its steps, run as a job of GitHub Actions runs them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
from ctools import needs_nvcc

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "action.yml").read_text()
SCRIPTS = {
    match["name"]: textwrap.dedent(match["script"])
    for match in re.finditer(
        r"^    - name: (?P<name>.*)\n(?:      .*\n|\n)*?      run: \|.*\n(?P<script>(?:        .*\n|\n)+)",
        TEXT,
        re.MULTILINE,
    )
}


def run(name: str, tmp_path: Path, **environment: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Run a step; its result, and what is in the files that it wrote to."""
    files = {name: str(tmp_path / name) for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT")}
    python = tmp_path / "bin" / "python"
    python.parent.mkdir(exist_ok=True)
    if not python.exists():
        python.write_text(
            f'#!/bin/sh\n[ "$2" != pip ] || {{ shift 2; printf "%s\\n" "$@"; exit; }}\nexec {sys.executable} "$@"\n'
        )
        python.chmod(0o755)
    path = f"{python.parent}:{os.environ['PATH']}"
    made = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", SCRIPTS[name]],
        env={**os.environ, **files, "PATH": path, **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return made, {name: Path(file).read_text() if Path(file).exists() else "" for name, file in files.items()}


def test_the_address_of_releases_is_the_projects() -> None:
    repository = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["repository"]
    assert re.findall(r"https://\S+", TEXT) == [f"{repository}/releases"]
    assert list(SCRIPTS) == ["Install cuox", "Name what is installed", "Set up the device"]


def test_what_is_installed(tmp_path: Path) -> None:
    releases = {"RELEASES": "https://there/releases", "WHEEL": "", "EXTRAS": ""}
    said, _ = run("Install cuox", tmp_path, **{**releases, "VERSION": "v1.2.3", "EXTRAS": "nvcc,curand"})
    assert said.stdout.splitlines() == [
        "install",
        "--find-links",
        "https://there/releases/expanded_assets/v1.2.3",
        "cuox[nvcc,curand]==1.2.3",
    ], said.stderr
    wheels = "a wheel.whl\nhttps://there/cuox_bind-1.whl\n"
    (tmp_path / "a wheel.whl").touch()
    said, _ = run("Install cuox", tmp_path, **{**releases, "VERSION": "main", "WHEEL": wheels, "EXTRAS": "nvcc"})
    assert said.stdout.splitlines() == [
        "install",
        f"cuox[nvcc] @ file://{tmp_path}/a wheel.whl",
        "cuox-bind @ https://there/cuox_bind-1.whl",
    ], said.stderr
    said, _ = run("Install cuox", tmp_path, **{**releases, "VERSION": "main"})
    assert said.returncode == 1 and "expected a release such as v0.1.0, got 'main'" in said.stderr


def test_compiled_code_is_kept_for_what_is_installed(tmp_path: Path) -> None:
    """Another version, and another build of the same one, take nothing of what this one has kept."""

    def key(version: str, library: str) -> str:
        info = tmp_path / f"cuox-{version}.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Name: cuox\nVersion: {version}\n")
        files = {"cuox/lib/libcuda.so.1": library, "cuox/_native.abi3.so": "b", "../../../bin/cuox": tmp_path.name}
        for name in (name for name in files if name.startswith("cuox/")):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()  # from Python 3.12 on only files that are there are told
        (info / "RECORD").write_text("".join(f"{name},sha256={hash},1\n" for name, hash in files.items()))
        (tmp_path / "GITHUB_OUTPUT").unlink(missing_ok=True)
        said, written = run("Name what is installed", tmp_path, PYTHONPATH=str(tmp_path))
        assert said.returncode == 0, said.stderr
        for file in (info / "METADATA", info / "RECORD"):
            file.unlink()
        info.rmdir()
        found = re.fullmatch(rf"key=({re.escape(version)}-[0-9a-f]{{16}})\n", written["GITHUB_OUTPUT"])
        assert found, written
        return found[1]

    assert key("1.2.3", "a") == key("1.2.3", "a")
    assert len({key("1.2.3", "a"), key("1.2.4", "a"), key("1.2.3", "c")}) == 3
    assert key("1.2.3", "a").partition("-")[2] == key("1.2.4", "a").partition("-")[2]
    # All names under which the cache looks begin with it.
    step = TEXT[TEXT.index("uses: actions/cache@") :].partition("\n\n")[0]
    names = re.findall(r"cuox-\$\{\{.*", step.partition("path:")[2].partition("\n")[2])
    assert len(names) == 3
    assert all(name.startswith("cuox-${{ steps.installed.outputs.key }}-") for name in names)


def test_the_device_of_the_following_steps(tmp_path: Path) -> None:
    said, files = run("Set up the device", tmp_path, DEVICE="soft", TOOLKIT="false", FOLDER=str(tmp_path / "cache"))
    assert said.returncode == 0, said.stderr
    assert files["GITHUB_ENV"] == f"CUOX_DEVICE=soft\nCUOX_CACHE_DIR={tmp_path}/cache\n"
    assert files["GITHUB_OUTPUT"].startswith("device=GPU 0: cuox software GPU (UUID: GPU-")
    said, _ = run("Set up the device", tmp_path, DEVICE="soft\nX=1", TOOLKIT="false", FOLDER=str(tmp_path))
    assert said.returncode == 1 and "expected the device auto, gpu or soft" in said.stderr


@needs_nvcc
def test_a_toolkit_for_the_following_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CUDACXX", "CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT"):
        monkeypatch.delenv(name, raising=False)
    said, files = run("Set up the device", tmp_path, DEVICE="soft", TOOLKIT="true", FOLDER=str(tmp_path / "cache"))
    assert said.returncode == 0, said.stderr
    variables = dict(line.split("=", 1) for line in files["GITHUB_ENV"].splitlines())
    folder = Path(files["GITHUB_PATH"].strip())
    assert variables["CUDACXX"] == str(folder / "nvcc") and (folder / "nvcc").is_file()
    assert variables["LD_LIBRARY_PATH"].startswith(str(tmp_path)) and "PATH" not in variables


def test_env_for_github_says_where_it_is_for() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    said = subprocess.run(
        [sys.executable, "-m", "cuox", "env", "--github"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said.returncode == 2 and "is for a job of GitHub Actions" in said.stderr
