"""The wheels of cuox and of cuox-bind: built from the clone and installed into this interpreter's environment."""

from __future__ import annotations

import filecmp
import re
import subprocess
import sys
import sysconfig
import threading
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .process import CORES, ENVIRONMENT, PYTHON, ROOT, say, start, stream

sys.path.insert(0, str(ROOT / "build_backend"))

from cuox_distributions import DISTRIBUTIONS, PACKAGES, place
from cuox_progress import Count, crates

# The cargo profile of the tests: the one compilation of each crate that they share (Cargo.toml).
CHECKED = "checked"
# Clippy's driver compiles as rustc does and lints on the way, which takes a fortieth longer; `cargo clippy` would read
# and check all crates, those of others too, once more. All builds of the profile have it, or each crate is built twice.
LINTING = {"RUSTC_WORKSPACE_WRAPPER": "clippy-driver"}

# What the extension modules are built of. cuox-interpreter has PyO3, which maturin configures and builds anew: with it
# the crates of procedural macros, and so all that depends on them, have the features that they have in maturin's build.
BELOW_MODULES = [
    f"--package={name}" for name in ("cuox", "cuox-parallel", "cuox-pykernel", "cuox-bind", "cuox-interpreter")
]


class Progress:
    """Says how far a build is, of what pip and cargo print: a line every few seconds."""

    WORTH_SHOWING = re.compile(r"\s*(Downloading \S+ \(|Successfully installed|warning|error|ERROR|cuox: )")
    PAUSE, SILENCE = 3, 20  # seconds

    def __init__(self, total: int) -> None:
        self.count = Count(total)
        self.last = time.monotonic()
        self.ended = threading.Event()
        threading.Thread(target=self.wait, daemon=True).start()

    def say(self, text: str) -> None:
        self.last = time.monotonic()
        say(text)

    def show(self, line: str) -> None:
        if self.count.take(line):
            if time.monotonic() - self.last >= self.PAUSE:
                self.say(str(self.count))
        elif self.WORTH_SHOWING.match(line):
            self.say(line.strip())

    def wait(self) -> None:
        while not self.ended.wait(1):
            if time.monotonic() - self.last >= self.SILENCE:
                self.say(f"still compiling {self.count.crate}" if self.count.crate else "still at work")


def packages(*extras: str) -> list[str]:
    """The packages of cuox itself, of the tests, of the documentation's site, and of more extras, as pip takes them."""
    own = project_file()["tool"]["cuox"]["dependencies"]
    return [*own, *(name for extra in ("test", "docs", *extras) for name in optional(extra))]


def optional(extra: str) -> list[str]:
    """The packages of an extra, as pip takes them."""
    return project_file()["project"]["optional-dependencies"][extra]


def project_file() -> dict[str, Any]:
    """The pyproject.toml of cuox."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def install(extras: Sequence[str], profile: str = "release") -> int:
    """Build cuox and cuox-bind with a cargo profile and install them, with extras, by pip; return pip's status."""
    target = f".[{','.join(extras)}]" if extras else "."
    # Measured with 2 cores: 2:50 of compiling, and the packages.
    minutes = max(1, round(6 / CORES))
    say(
        f"build and install cuox ({target}): the first build takes about {minutes} minutes with {CORES} cores, later ones seconds"
    )
    progress = Progress(crates(*DISTRIBUTIONS))
    settings = [] if profile == "release" else ["-C", f"profile={profile}"]
    # --verbose: it is how pip shows what cargo says.
    command = [
        PYTHON,
        "-m",
        "pip",
        "install",
        "--no-build-isolation",
        "--verbose",
        "--progress-bar=off",
        *settings,
        target,
    ]
    status, lines = stream(command, env={**ENVIRONMENT, **of_profile(profile)}, show=progress.show)
    progress.ended.set()
    if status:
        print("\n".join(lines), flush=True)
    return status


def of_profile(profile: str) -> dict[str, str]:
    """The variables that builds of a profile of cargo's have."""
    return LINTING if profile == CHECKED else {}


def libraries_ahead() -> subprocess.Popen[bytes]:
    """Begin to compile the libraries of the wheel and the crates below its modules, as its build will: while packages
    are downloaded, cores are idle."""
    command = ["cargo", "build", "--quiet", "--profile", CHECKED, *PACKAGES, *BELOW_MODULES]
    return start(command, env={**ENVIRONMENT, **LINTING}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def as_maturin() -> dict[str, str]:
    """The environment of the tests' builds: the one in which maturin has cargo build, or each would build PyO3 anew."""
    configurations = sorted(
        (ROOT / "target" / "maturin").glob("pyo3-config-*.txt"), key=lambda path: path.stat().st_mtime
    )
    if not configurations:
        return {**ENVIRONMENT, **LINTING}
    signature = f"cpython-{sys.version_info.major}.{sys.version_info.minor}-64bit"
    pyo3 = {"PYO3_CONFIG_FILE": str(configurations[-1]), "PYO3_ENVIRONMENT_SIGNATURE": signature}
    return {**ENVIRONMENT, **LINTING, **pyo3}


def site_packages() -> Path:
    """Where pip puts packages."""
    return Path(sysconfig.get_path("purelib"))


def installed() -> bool:
    """True if pip has installed both distributions here."""
    return all((site_packages() / one.package / "__init__.py").is_file() for one in DISTRIBUTIONS)


def commands() -> list[list[str]]:
    """The commands that build what is in the wheels."""
    libraries = ["cargo", "build", "--profile", CHECKED, *PACKAGES]
    # As maturin does it: other flags would have cargo build it anew.
    module = ["cargo", "rustc", "--profile", CHECKED, "--lib", "--manifest-path"]
    return [libraries, *([*module, f"crates/{one.crate}/Cargo.toml"] for one in DISTRIBUTIONS)]


def sync() -> int:
    """Bring the installed packages up to date without pip: Python files, extension modules, libraries, entry points.

    For the inner loop: wheels are not made. All of it is built, whatever has changed: what is installed may be of
    another commit or profile, and cargo is quick where nothing is to be done. Returns cargo's status.
    """
    for command in commands():
        status, _ = stream(command, env=as_maturin())
        if status:
            return status
    built = ROOT / "target" / CHECKED
    files: dict[Path, Path] = {}
    for one in DISTRIBUTIONS:
        files[site_packages() / one.module] = built / f"lib{one.library}.so"
        for name, file in one.libraries.values():
            files[site_packages() / one.package / "lib" / file] = built / name
    sources = [source for one in DISTRIBUTIONS for source in (ROOT / one.folder / "python").iterdir()]
    for source in sources:
        folder = site_packages() / source.name
        current = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
        current = {path for path in current if path.parts[0] != "lib" and path.suffix not in (".pyc", ".so")}
        files |= {folder / path: source / path for path in current}
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix != ".pyc" and path not in files:
                path.unlink()
    for target, origin in files.items():
        if not target.is_file() or not filecmp.cmp(origin, target, shallow=False):
            place(origin, target)
    entry_points()
    return 0


def entry_points() -> None:
    """Have the installed cuox the commands and plugins that pyproject.toml names. (Programs in `bin` are pip's.)"""
    project = project_file()["project"]
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    lines = [line for group, names in groups.items() for line in (f"[{group}]", *map("=".join, names.items()))]
    for folder in site_packages().glob("cuox-*.dist-info"):
        (folder / "entry_points.txt").write_text("\n".join(lines) + "\n")
