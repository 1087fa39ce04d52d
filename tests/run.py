"""Runs the steps behind `make demo`, `make test`, `make test-all`, `make quick` and `make bench`.

python tests/run.py install [EXTRA...]   build the wheel and install it into this interpreter's environment
python tests/run.py check                what every change must pass; the last line is
                                         `N passed, N failed, N skipped`
python tests/run.py check-all            that, and the tests that take long
python tests/run.py quick [COMMIT]       what the changes since a commit (HEAD) concern
python tests/run.py bench                every script in benches/
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from runner import build, changes, clients, exhaustive, python, rust
from runner.process import ENVIRONMENT, PYTHON, ROOT, Done, say, stream, together
from runner.report import Report


def packages() -> list[str]:
    """The packages of the tests and of cuox itself, as pip takes them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["test"]]


def style() -> list[tuple[str, Sequence[str | Path]]]:
    """Checks of texts: they take seconds."""
    return [
        ("cargo fmt --check", ["cargo", "fmt", "--all", "--check"]),
        ("width of comments in Rust", [PYTHON, "tools/comment_width.py"]),
        ("imports run in no large circles", [PYTHON, "tools/import_circles.py"]),
        ("ruff format --check", [PYTHON, "-m", "ruff", "format", "--check", "."]),
        ("ruff check", [PYTHON, "-m", "ruff", "check", "--quiet", "."]),
    ]


def checks_of_the_wheel() -> list[tuple[str, Sequence[str | Path]]]:
    """What is generated, and types."""
    include = build.site_packages() / "nvidia" / "cu13" / "include"  # of the pip package nvidia-cuda-runtime
    generate = [
        "cargo",
        "run",
        "--quiet",
        "--profile",
        build.CHECKED,
        "-p",
        "xtask",
        "--",
        "gen",
        "--check",
        "--include",
    ]
    stubtest = [PYTHON, "-m", "mypy.stubtest", "--concise", "--allowlist", "tests/python/stubtest.txt", "cuox"]
    return [
        ("types", [PYTHON, "-m", "mypy"]),
        ("stubs agree with the module", stubtest),
        ("cuda.bindings are what the headers give", [PYTHON, "tools/cuda_bindings.py", "--check"]),
        ("docstrings of the stubs", [PYTHON, "tools/stub_docs.py", "--check"]),
        ("generated code is what the header gives", [*generate, include]),
    ]


def install_packages(report: Report) -> bool:
    """Install the packages of the tests and see to the texts; False if pip could not."""
    with report.step("Python packages"):
        status, _ = stream([PYTHON, "-m", "pip", "install", "--quiet", *packages()])
    if status:
        report.fail("the packages of the tests could not be installed")
    return not status


def check(all_of_them: bool) -> int:
    """Run what every change must pass, and with `all_of_them` what takes long."""
    report = Report()
    if all_of_them:
        os.environ["CUOX_TESTS"] = ENVIRONMENT["CUOX_TESTS"] = "all"
    downloads = clients.download(all_of_them)  # minutes of the network's: meanwhile all else is done
    libraries = build.libraries_ahead()
    if not install_packages(report):
        return report.finish()
    with report.step("texts"):
        for done in together(style()):
            report.check(done)
    with report.step("build and install the wheel"):
        libraries.wait()  # if it failed, the build below says why
        status = build.install(["test"], build.CHECKED)
    if status:
        report.fail("the wheel: not built or not installable")
    else:
        report.add(1)
        ENVIRONMENT.update(build.as_maturin())
        with report.step("generated code and types"):
            for done in together(checks_of_the_wheel()):
                report.check(done)
        python.tests(report)
    lint(report, ["--workspace"])
    rust.tests(report)
    rust.doctests(report)
    if not status:
        clients.tests(report, downloads, all_of_them)
        if all_of_them:
            exhaustive.tests(report)
    return report.finish()


def lint(report: Report, which: Sequence[str]) -> None:
    """Run clippy over some packages."""
    with report.step("cargo clippy"):
        status, _ = stream([*rust.CLIPPY, *which, *rust.WARNINGS])
        report.check(Done("cargo clippy", status, [], 0))


def quick(base: str) -> int:
    """Run what the changes since a commit concern."""
    report = Report()
    try:
        paths = changes.changed(base)
    except subprocess.CalledProcessError:
        return 2  # git has said why
    if not paths:
        say(f"nothing differs from {base}: make quick BASE=HEAD~1 takes the last commit")
        return 0
    crates = changes.packages(paths)
    package = build.site_packages() / "cuox"
    if not (package / "__init__.py").is_file() or not (ROOT / "target" / build.CHECKED).is_dir():
        if not install_packages(report) or build.install(["test"], build.CHECKED):
            report.fail("the wheel: not built or not installable")
            return report.finish()
    ENVIRONMENT.update(build.as_maturin())
    with report.step("texts"):
        for done in together([step for step in style() if crates or not step[0].startswith(("cargo", "width"))]):
            report.check(done)
    with report.step(f"the package, with {', '.join(crates) or 'no crate'}"):
        status = build.sync(crates)
    if status:
        report.fail("the libraries: not built")
        return report.finish()
    chosen, left = changes.test_files(paths, crates)
    if chosen:
        python.tests(report, chosen)
    if crates:
        own = [name for name in crates if any(path.parts[:2] == ("crates", name) for path in paths)]
        rust.tests(report, crates)
        lint(report, [word for name in own or crates for word in ("-p", name)])
    if left:
        report.notes.append(f"left to make test: {len(left)} test files that have to do with the change")
    return report.finish()


def bench() -> int:
    """Run all benchmarks."""
    if status := build.install(["numpy"]):
        return status
    status = 0
    for script in sorted((ROOT / "benches").glob("[!_]*.py")):
        say(f"benches/{script.name}")
        status = stream([PYTHON, script])[0] or status
    return status


def main(arguments: Sequence[str]) -> int:
    match list(arguments):
        case ["install", *extras]:
            return build.install(extras)
        case ["check"]:
            return check(all_of_them=False)
        case ["check-all"]:
            return check(all_of_them=True)
        case ["quick"]:
            return quick("HEAD")
        case ["quick", base]:
            return quick(base)
        case ["bench"]:
            return bench()
        case ["requirement", name]:  # for make fmt
            print(next(package for package in packages() if package.startswith(name)))
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
