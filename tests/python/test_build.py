"""The build of a wheel: what it says where something is missing, its settings and its progress, and what a wheel needs
of a system; the workflows and the pages that name wheels.
"""

from __future__ import annotations

import dataclasses
import os
import pty
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import cuox
import pages
import pytest
from cuox import _native
from cuox._internal.links import library
from cuox_bind._internal import elf

BACKEND = pages.ROOT / "build_backend"
PROJECT = tomllib.loads((pages.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RUST = tomllib.loads((pages.ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]["rust-version"]


@pytest.fixture(autouse=True)
def backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BACKEND))


def programs(folder: Path, **said: str) -> Path:
    """A folder with programs that print a line."""
    folder.mkdir()
    for name, text in said.items():
        (folder / name).write_text(f"#!/bin/sh\necho '{text}'\n")
        (folder / name).chmod(0o755)
    return folder


def hook(path: Path, name: str = "get_requires_for_build_wheel", **variables: str) -> tuple[int, str]:
    """Call a hook of the backend that takes no arguments in another process; its status and what it printed."""
    environment = {"PATH": str(path), "HOME": str(path), **variables}
    code = f"import cuox_build; print(cuox_build.{name}())"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=BACKEND, env=environment, capture_output=True, text=True, timeout=60
    )
    return result.returncode, result.stdout + result.stderr


RUST_HERE = {"cargo": "cargo 1.999.0 (0 2026-01-01)", "rustc": "rustc 1.999.0 (0 2026-01-01)"}


@pytest.mark.parametrize("name", [f"get_requires_for_build_{kind}" for kind in ("wheel", "editable", "sdist")])
def test_without_rust_a_build_says_so_in_a_line(tmp_path: Path, name: str) -> None:
    status, said = hook(programs(tmp_path / "bin"), name)
    assert status == 1 and said.count("\n") == 1
    assert said.startswith(
        f"cuox: building it needs Rust {RUST} or newer, and cargo is not on the path: install it from"
    )
    assert "https://rustup.rs" in said


@pytest.mark.parametrize("program", ["cargo", "rustc"])
def test_with_a_rust_that_is_too_old_a_build_says_so_in_a_line(tmp_path: Path, program: str) -> None:
    old = {**RUST_HERE, program: f"{program} 1.70.0 (90c541806 2023-05-31)"}
    status, said = hook(programs(tmp_path / "bin", **old))
    assert status == 1 and said.count("\n") == 1
    assert f"Rust {RUST} or newer, and {program} is 1.70.0" in said and "rustup update" in said


def test_a_rustup_without_a_toolchain(tmp_path: Path) -> None:
    folder = programs(tmp_path / "bin", **RUST_HERE)
    (folder / "cargo").write_text("#!/bin/sh\necho 'error: rustup could not choose a version' >&2\nexit 1\n")
    status, said = hook(folder)
    assert status == 1 and said.count("\n") == 1
    assert "and cargo does not run: error: rustup could not choose a version" in said


def test_without_a_linker_a_build_says_so_in_a_line(tmp_path: Path) -> None:
    folder = programs(tmp_path / "bin", **RUST_HERE)
    status, said = hook(folder)
    assert status == 1 and said.count("\n") == 1 and "there is no `cc` on the path" in said
    # One that cargo is told of will do.
    assert hook(folder, CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER="clang")[0] == 0
    (folder / ".cargo").mkdir()
    (folder / ".cargo" / "config.toml").write_text('[target.x86_64-unknown-linux-gnu]\nlinker = "clang"\n')
    assert hook(folder)[0] == 0


def test_what_a_build_takes_from_pypi(tmp_path: Path) -> None:
    folder = programs(tmp_path / "bin", **RUST_HERE, cc="cc")
    status, said = hook(folder)
    assert status == 0 and "maturin" in said and "zig" not in said
    # pip installs what is written here before it asks the backend.
    assert tomllib.loads((pages.ROOT / "pyproject.toml").read_text())["build-system"]["requires"] == []


def test_pip_shows_the_line_before_it_downloads_anything(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--target",
        str(tmp_path / "target"),
        str(pages.ROOT),
    ]
    # Without an index or found files, so any package that it wanted would be missing.
    environment = {"PATH": str(programs(tmp_path / "bin")), "HOME": str(tmp_path), "PIP_NO_INDEX": "1"}
    result = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert result.returncode != 0
    said = result.stdout + result.stderr
    assert f"cuox: building it needs Rust {RUST} or newer, and cargo is not on the path" in said, said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("system", "implementation", "free_threaded", "words"),
    [
        ("linux", "cpython", False, None),
        ("darwin", "cpython", False, "on Linux only, this is darwin"),
        ("linux", "pypy", False, "for CPython only, this is pypy"),
        ("linux", "cpython", True, "free-threaded Python is not supported yet"),
    ],
)
def test_systems_and_pythons(system: str, implementation: str, free_threaded: bool, words: str | None) -> None:
    import cuox_requirements

    line = cuox_requirements.unsupported(system, implementation, free_threaded)
    assert line is None if words is None else words in str(line)


def test_settings_of_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("maturin")
    import cuox_build

    monkeypatch.chdir(pages.ROOT)

    assert cuox_build.maturins({"profile": "release", "bind": "version"}) == {}
    assert cuox_build.maturins({"profile": "dist", "build-args": "--quiet"}) == {"build-args": "--quiet --profile dist"}
    words = cuox_build.maturins({"glibc": "2.28"})["build-args"].split()
    assert words[words.index("--compatibility") + 1] == "manylinux_2_28" and "--zig" in words
    for settings in (
        {"glibc": "new"},
        {"glibc": ["2.28", "2.31"]},
        {"profile": ""},
        {"profile": "a b"},
        {"bind": "clone"},
    ):
        with pytest.raises(SystemExit, match=f"the setting {next(iter(settings))} must be"):
            cuox_build.build_wheel("nowhere", settings)


BUILDS = """
import sys, time
import cuox_progress
from cuox_distributions import BIND
cuox_progress.crates = lambda distribution: 40
with cuox_progress.shown(BIND):
    sys.stderr.write("   Compiling libc v0.2.1\\n   Compiling cuox-simt v0.1.0 (/x)\\n")
    sys.stderr.flush()
    time.sleep(float(sys.argv[1]))
sys.stderr.write("done\\n")
"""
# As pip does it: what the build prints is kept.
LIKE_PIP = """
import subprocess, sys
result = subprocess.run([sys.executable, "-c", *sys.argv[1:]], stderr=subprocess.PIPE, text=True)
print(repr(result.stderr), result.returncode, flush=True)
"""


def progress(on_a_terminal: bool) -> tuple[str, str]:
    """What a build inside of a program like pip leaves on its standard error, and what the program prints."""
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", LIKE_PIP, BUILDS, "2.5" if on_a_terminal else "0"],
            cwd=BACKEND,
            stdout=subprocess.PIPE,
            stderr=theirs if on_a_terminal else subprocess.DEVNULL,
            text=True,
        )
        printed, _ = process.communicate(timeout=60)
        os.set_blocking(ours, False)
        try:
            return os.read(ours, 1 << 16).decode(), printed
        except BlockingIOError:
            return "", printed
    finally:
        os.close(ours)
        os.close(theirs)


def test_progress_of_a_build_on_a_terminal() -> None:
    shown, printed = progress(on_a_terminal=True)
    assert re.search(r"  cuox-bind \[0:0\d\] compiling crate 2 of about 40: cuox-simt", shown), shown
    assert shown.endswith("\r\x1b[K")  # nothing is left of it
    # pip gets all that it got before.
    lines = "   Compiling libc v0.2.1\n   Compiling cuox-simt v0.1.0 (/x)\ndone\n"
    assert printed.strip() == f"{lines!r} 0"


def test_no_progress_without_a_terminal() -> None:
    shown, printed = progress(on_a_terminal=False)
    assert shown == "" and "done" in printed


@pytest.fixture
def needy(tmp_path: Path) -> Path:
    """A shared object that asks for a symbol of a C library that is not out yet."""
    if not Path("/usr/bin/cc").exists() and not Path("/usr/bin/gcc").exists():
        pytest.skip("no C compiler")
    (tmp_path / "libc.c").write_text("int of_the_future(void) { return 1; }\n")
    (tmp_path / "versions").write_text("GLIBC_2.5 {};\nGLIBC_2.77 { of_the_future; };\n")
    (tmp_path / "user.c").write_text(
        "int of_the_future(void), nowhere(void), PyNone(void);\n"
        "__attribute__((weak)) int perhaps(void);\n"
        "int use(void) { return of_the_future() + nowhere() + PyNone() + (perhaps ? perhaps() : 0); }\n"
    )
    for words in (
        ["-Wl,-soname,libc.so.6", "-Wl,--version-script=versions", "-o", "fake.so", "libc.c"],
        ["-Wl,-rpath,/home/me", "-o", "user.so", "user.c", "fake.so"],
    ):
        subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", *words], cwd=tmp_path, check=True, timeout=60)
    return tmp_path / "user.so"


def test_what_a_shared_object_needs(needy: Path) -> None:
    import cuox_audit

    needs = elf.needs_of(str(needy))
    assert (needs.libraries, needs.glibc, needs.run_path) == (("libc.so.6",), (2, 77), "/home/me")
    assert sorted(needs.without_version) == ["PyNone", "nowhere"]
    lines = cuox_audit.complaints_about(needs, (2, 28), needs.machine)
    assert lines == [
        "looks for libraries in /home/me",
        "needs nowhere, which no library had that it was linked with",
        "needs glibc 2.77, the wheel's tag says 2.28",
    ]
    assert cuox_audit.complaints_about(needs, (2, 77), "mips")[0] == f"is for {needs.machine}, the wheel for mips"
    inside = dataclasses.replace(needs, run_path="$ORIGIN/shims")
    assert not any("looks for" in line for line in cuox_audit.complaints_about(inside, (2, 77), needs.machine))
    # Our own module is one too, and what it needs is here.
    ours = elf.needs_of(_native.__file__)
    assert "libc.so.6" in ours.libraries and (2, 3) < ours.glibc <= tuple(
        map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."))
    )
    assert cuox_audit.complaints_about(ours, ours.glibc, ours.machine) == []


def test_libraries_that_stand_in_for_nvidias_have_the_versions_of_their_symbols() -> None:
    from cuox_distributions import LIBRARIES, VERSIONED

    for file in (file for _, file in LIBRARIES.values()):
        ours = elf.needs_of(str(library(file)))
        assert ours.versions == ((Path(file).name,) if Path(file).name in VERSIONED else ()), file
    theirs = [Path(_native.nvrtc_info()[1]).with_name(name) for name in VERSIONED]
    assert any(file.exists() for file in theirs)
    for file in theirs:
        if file.exists():
            assert elf.needs_of(str(file)).versions == (file.name,)


def test_zig_links_with_the_systems_unwinder(tmp_path: Path) -> None:
    """One of its own meets the system's where threads end while Python does."""
    import cuox_zig

    assert all(
        cuox_zig.UNWINDER in elf.needs_of(str(file)).libraries for file in (_native.__file__, library("libcuda.so.1"))
    )
    system = cuox_zig.system_unwinder()
    assert Path(system).name == cuox_zig.UNWINDER
    words = tmp_path / "linker-arguments"
    words.write_text('-shared\n"-lunwind"\n-lc\n')
    made = cuox_zig.take_system_unwinder(["cc", "-lunwind", "-lunwinder", f"@{words}"])
    ours = [system, "-Wl,--allow-shlib-undefined"]
    assert made == ["cc", *ours, "-lunwinder", f"@{words}"]
    assert words.read_text().splitlines() == ["-shared", *ours, "-lc"]


def test_zig_gets_the_name_of_the_version_node(tmp_path: Path) -> None:
    """As cargo-zigbuild calls it, in place of a Python that has the package ziglang."""
    import cuox_zig

    fake = tmp_path / "python with zig"
    fake.write_text(
        f'#!/bin/sh\ncase $1 in *.py) exec "{sys.executable}" "$@";; esac\n' + 'printf "%s\\n" "$@"\n', "utf-8"
    )
    fake.chmod(0o755)
    (tmp_path / "own").mkdir()
    script, words = tmp_path / "list", tmp_path / "linker-arguments"
    made = cuox_zig.stand_in(tmp_path / "own", str(fake))

    def link(*arguments: str) -> str:
        script.write_text("{\n  global:\n    cudaMalloc;\n  local: *;\n};\n")
        done = subprocess.run(
            [made, "-m", "ziglang", "cc", *arguments], stdout=subprocess.PIPE, text=True, check=True, timeout=60
        )
        assert done.stdout.splitlines() == ["-m", "ziglang", "cc", *arguments]
        return script.read_text().partition("\n")[0]

    option = f"-Wl,--version-script={script}"
    assert link(option, "-Wl,-soname,libcudart.so.13") == "libcudart.so.13 {"
    assert link(option, "-Wl,-soname,libcuda.so.1") == "{"
    words.write_text(f'-shared\n"--version-script={script}"\n-soname\nlibnvrtc.so.13\n')
    assert link(f"@{words}") == "libnvrtc.so.13 {"


def test_a_damaged_shared_object_is_a_value_error(needy: Path) -> None:
    whole = needy.read_bytes()
    began = time.monotonic()
    for at in range(0, len(whole), max(len(whole) // 400, 1)):
        for damaged in (whole[:at], whole[:at] + b"\xff" * 4 + whole[at + 4 :]):
            needy.write_bytes(damaged)
            try:
                elf.needs_of(str(needy))
            except ValueError:
                pass
    assert time.monotonic() - began < 30


def test_the_audit_of_a_wheel(needy: Path, tmp_path: Path) -> None:
    import zipfile

    import cuox_audit

    wheel = tmp_path / "cuox-0.1.0-cp311-abi3-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(needy, "cuox/lib/libcuda.so.1")
        archive.write(needy, "cuox/lib/libcudart.so.13")
        archive.writestr("cuox/__init__.py", "")
    lines = cuox_audit.complaints(wheel)
    assert "cuox/lib/libcuda.so.1: needs glibc 2.77, the wheel's tag says 2.28" in lines
    assert f"{wheel.name} lacks cuox/_native.abi3.so" in lines
    assert f"{wheel.name} lacks cuox/lib/libnvidia-ml.so.1" in lines
    assert "cuox/lib/libcudart.so.13: its symbols have no version libcudart.so.13, as NVIDIA's have" in lines
    assert not any("libcuda.so.1: its symbols" in line for line in lines)
    other = wheel.rename(tmp_path / wheel.name.replace("cuox-", "cuox_bind-"))
    assert [line for line in cuox_audit.complaints(other) if "lacks" in line] == [
        f"{other.name} lacks cuox_bind/_native.abi3.so"
    ]
    with pytest.raises(ValueError, match="no wheel of cuox or cuox-bind"):
        cuox_audit.complaints(other.rename(tmp_path / wheel.name.replace("cuox-", "cuoxide-")))


def test_pages_name_the_address_of_the_releases() -> None:
    releases = PROJECT["urls"]["Releases"]
    version = cuox.__version__
    names = [
        f"{package}-{version}-cp311-abi3-manylinux_2_28_{machine}.whl"
        for package in ("cuox", "cuox_bind")
        for machine in ("x86_64", "aarch64")
    ]
    allowed = {releases, *(f"{releases}/download/v{version}/{name}" for name in names)}
    seen = set()
    for page in [*pages.PAGES, *pages.OTHERS]:
        for address in re.findall(r"https?://[^\s)\"'`]*/releases\b[^\s)\"'`]*", page.read_text("utf-8")):
            assert address in allowed, f"{page.name} names {address}"
            seen.add(address)
        # Also without the address, and of the action.
        for other in re.findall(r"\bcuox(?:_bind)?-([\d.]+)-cp|cuox/cuox@v([\d.]*\d)", page.read_text("utf-8")):
            assert "".join(other) == version, f"{page.name} names version {''.join(other)}"
    assert seen & allowed
    # `make wheel` makes a wheel of that name.
    assert re.search(r"^GLIBC \?= 2\.28$", (pages.ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert f"{PROJECT['urls']['Repository']}/releases" == releases


def test_workflows_take_the_rust_of_the_workspace_and_actions_by_their_commit() -> None:
    workflows = sorted((pages.ROOT / ".github" / "workflows").glob("*.yml"))
    assert workflows
    for path in workflows:
        text = path.read_text("utf-8")
        assert set(re.findall(r"rustup (?:toolchain install|default) ([\d.]+)", text)) == {RUST}, path.name
        for action in re.findall(r"uses: (.*)", text):
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+(\.\d+){2}", action), f"{path.name}: {action}"


def test_what_the_check_of_a_release_looks_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(pages.ROOT / "tools"))
    import release_check

    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    (packages / "numpy").mkdir()
    assert release_check.left(tmp_path) == []
    (packages / "cuox").mkdir()
    (tmp_path / "bin" / "cuox").touch()
    assert release_check.left(tmp_path) == ["bin/cuox", "lib/python3.11/site-packages/cuox"]
    # It runs what the README shows.
    monkeypatch.setattr(release_check, "ENVIRONMENT", dict(os.environ))
    assert release_check.first_program(Path(sys.executable), tmp_path) is None
    (tmp_path / "cuox.py").write_text("raise ImportError('another cuox')")
    assert "another cuox" in str(release_check.first_program(Path(sys.executable), tmp_path))
    assert release_check.find("1.5") is None
