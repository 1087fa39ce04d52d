"""Runs the steps behind `make demo`, `make test`, `make test-all`, `make quick`, `make docs` and `make bench`.

python tests/run.py install [EXTRA...]   build the wheel and install it into this interpreter's environment
python tests/run.py check                what every change must pass; the last line is
                                         `N passed, N failed, N skipped`
python tests/run.py check-all            that, and the tests that take long
python tests/run.py nvrtc VERSION        the tests in Python with the compiler of another CUDA: 12.9, 13.5
python tests/run.py quick [COMMIT]       what the changes since a commit (HEAD) concern
python tests/run.py docs                 the documentation site, in the folder site
python tests/run.py bench                every script in benches/
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

from runner import build, changes, clients, exhaustive, python, rust
from runner.process import ENVIRONMENT, PYTHON, ROOT, alone, end_children, say, stream, together
from runner.report import Report

SCRIPTS = Path(sysconfig.get_path("scripts"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"


def style() -> list[tuple[str, Sequence[str | Path]]]:
    """Checks of texts: they take seconds."""
    return [
        ("cargo fmt --check", ["cargo", "fmt", "--all", "--check"]),
        ("width of comments in Rust", [PYTHON, "tools/comment_width.py"]),
        ("imports run in no large circles", [PYTHON, "tools/import_circles.py"]),
        ("ruff format --check", [PYTHON, "-m", "ruff", "format", "--check", "."]),
        ("ruff check", [PYTHON, "-m", "ruff", "check", "--quiet", "."]),
        (
            "workflows and the action give no rights away",
            [SCRIPTS / "zizmor", "--quiet", "--offline", "--persona=pedantic", ".github", ACTION],
        ),
        (
            "form of the workflows",
            [PYTHON, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS],
        ),
        (
            "form of the action",
            [PYTHON, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", ACTION],
        ),
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
    stubtest = [PYTHON, "-m", "mypy.stubtest", "--concise", "--allowlist", "tests/python/stubtest.txt"]
    stubtest += ["--mypy-config-file", "pyproject.toml"]
    stubtest += [one.package for one in build.DISTRIBUTIONS]
    return [
        ("types", [PYTHON, "-m", "mypy"]),
        ("stubs agree with the modules", stubtest),
        ("cuda.bindings are what the headers give", [PYTHON, "tools/cuda_bindings.py", "--check"]),
        ("the documentation site", [PYTHON, "tools/site"]),
        ("docstrings of the stubs", [PYTHON, "tools/stub_docs.py", "--check"]),
        ("generated code is what the header gives", [*generate, include]),
    ]


def install_packages(report: Report, *extras: str) -> bool:
    """Install the packages of the tests and of more extras; False if pip could not."""
    with report.step("Python packages"):
        status, _ = stream([PYTHON, "-m", "pip", "install", "--quiet", *build.packages(*extras)])
    if status:
        report.fail("the packages of the tests could not be installed")
    return not status


def check(report: Report, all_of_them: bool) -> None:
    """Run what every change must pass, and with `all_of_them` what takes long."""
    if all_of_them:
        os.environ["CUOX_TESTS"] = ENVIRONMENT["CUOX_TESTS"] = "all"
    downloads = clients.download(all_of_them)  # minutes of the network's: meanwhile all else is done
    libraries = build.libraries_ahead()
    if not install_packages(report, *(["test-all"] if all_of_them else [])):
        return
    with report.step("texts"):
        for name, status in together(style()):
            report.check(name, status)
    with report.step("build and install the wheel"):
        libraries.wait()  # if it failed, the build below says why
        built = build.install(["test"], build.CHECKED) == 0
    if built:
        report.add(1)
        ENVIRONMENT.update(build.as_maturin())
        with report.step("generated code and types"):
            for name, status in together(checks_of_the_wheel()):
                report.check(name, status)
        begun = rust.build_behind()
        python.tests(report)
    else:
        begun = None
        report.fail("the wheel: not built or not installable")
    rust.lint(report, rust.tests(report, begun=begun))
    rust.doctests(report)
    if built:
        clients.tests(report, downloads, all_of_them)
        if all_of_them:
            exhaustive.tests(report)


def quick(report: Report, base: str) -> None:
    """Run what the changes since a commit concern."""
    try:
        paths = changes.changed(base)
    except subprocess.CalledProcessError:
        report.fail(f"git does not know the commit {base}")
        return
    if not paths:
        say(f"nothing differs from {base}: make quick BASE=HEAD~1 takes the last commit")
        return
    crates = changes.packages(paths)
    if not build.installed() or not (ROOT / "target" / build.CHECKED).is_dir():
        if not install_packages(report) or build.install(["test"], build.CHECKED):
            report.fail("the wheel: not built or not installable")
            return
    ENVIRONMENT.update(build.as_maturin())
    with report.step("texts"):
        for name, status in together(
            [step for step in style() if crates or not step[0].startswith(("cargo", "width"))]
        ):
            report.check(name, status)
    with report.step(f"the package, with {', '.join(crates) or 'no crate'}"):
        status = build.sync()
    if status:
        report.fail("the package: not built")
        return
    chosen, left, unknown = changes.test_files(paths)
    if chosen:
        python.tests(report, chosen)
    if crates:
        rust.lint(report, rust.tests(report, crates, few=True))
    if left:
        report.notes.append(f"left to make test: {len(left)} test files that have to do with the change")
    if unknown:
        names = ", ".join(map(str, unknown[:10])) + (f" and {len(unknown) - 10} more" if unknown[10:] else "")
        report.notes.append(f"no tests are known that are about {names}: left to make test")


def counted(run: Callable[[Report], None]) -> int:
    """Run tests, print the summary, also after an interrupt, and return the exit status."""
    if shutil.which("cargo") is None:
        print("cargo is not on the path: the tests need Rust (https://rustup.rs)", file=sys.stderr)
        return 2
    report = Report()
    try:
        run(report)
    except (KeyboardInterrupt, SystemExit) as reason:
        end_children()
        report.fail("interrupted")
        report.finish()
        return reason.code if isinstance(reason, SystemExit) else 128 + signal.SIGINT
    return report.finish()


def ended(number: int, _: object) -> None:
    """Take a request to end as an interrupt: what is at work ends too."""
    sys.exit(128 + number)


def docs() -> int:
    """Build the documentation site. It asks the installed package for its names."""
    extras = build.optional("docs")
    if status := stream([PYTHON, "-m", "pip", "install", "--quiet", *extras])[0]:
        return status
    if not build.installed() and (status := build.install([])):
        return status
    return stream([PYTHON, "tools/site"])[0]


def bench() -> int:
    """Run all benchmarks."""
    if status := build.install([]):
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
            return counted(lambda report: check(report, all_of_them=False))
        case ["check-all"]:
            return counted(lambda report: check(report, all_of_them=True))
        case ["nvrtc", version] if version in exhaustive.OTHER_NVRTC:
            return counted(lambda report: exhaustive.other_nvrtc(report, version))
        case ["quick"]:
            return counted(lambda report: quick(report, "HEAD"))
        case ["quick", base]:
            return counted(lambda report: quick(report, base))
        case ["docs"]:
            return docs()
        case ["bench"]:
            return bench()
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["requirement", wanted]:  # for make fmt
            print(next(package for package in build.packages() if package.startswith(wanted)))
            sys.exit()
    signal.signal(signal.SIGTERM, ended)
    try:
        with alone():
            sys.exit(main(sys.argv[1:]))
    finally:
        end_children()
