"""The tests of cargo: built once, then each binary run by itself, as many at a time as there are cores."""

from __future__ import annotations

import json
import re
import subprocess
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .build import CHECKED, site_packages
from .process import CORES, ENVIRONMENT, ROOT, say, show_line, stream
from .report import Report
from .results import Results, fingerprint

RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")
TEST = re.compile(r"^test (\S.*?)\s+\.\.\. (?!FAILED)")
# Those that run longest begin first.
LONGEST = ("files", "random", "fuzz", "hardware", "recorded", "cache", "cuox_bind", "approximate", "faults", "limits")
CLIPPY = ["cargo", "clippy", "--profile", CHECKED, "--all-targets"]
WARNINGS = ["--", "-D", "warnings"]


@dataclass(frozen=True)
class Binary:
    """A test binary, the package that it tests and where it runs."""

    package: str
    name: str
    program: Path
    folder: Path

    @property
    def title(self) -> str:
        return f"{self.package}: {self.name}"


def libclang() -> Path:
    """The library of the pip package libclang. Tests that read C headers are skipped without it."""
    return site_packages() / "clang" / "native" / "libclang.so"


def build(packages: Sequence[str] = ()) -> tuple[int, list[Binary]]:
    """Build the test binaries of some packages, or of all; return cargo's status and the binaries."""
    which = [word for name in packages for word in ("-p", name)] or ["--workspace"]
    command = ["cargo", "test", "--profile", CHECKED, *which, "--tests", "--no-run"]
    process = subprocess.Popen(
        [*command, "--message-format=json-render-diagnostics"],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    binaries = []
    for line in process.stdout:
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["executable"] and message["profile"]["test"]:
            manifest = Path(message["manifest_path"])
            binaries.append(
                Binary(manifest.parent.name, message["target"]["name"], Path(message["executable"]), manifest.parent)
            )
    return process.wait(), sorted(binaries, key=order)


def order(binary: Binary) -> tuple[int, str]:
    """The place of a binary in the order in which they begin."""
    return (LONGEST.index(binary.name) if binary.name in LONGEST else len(LONGEST), binary.title)


def inputs() -> list[Path]:
    """What tests read besides their binaries: files of the repository that are not compiled, and our libraries."""
    listed = subprocess.check_output(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "crates", "filetests", "fuzz"],
        cwd=ROOT,
        text=True,
    )
    files = [ROOT / name for name in listed.splitlines() if not name.endswith((".rs", ".md"))]
    return [*files, *(ROOT / "target" / CHECKED).glob("*.so")]


def run(report: Report, binaries: Sequence[Binary]) -> None:
    """Run test binaries that have not passed as they are, and count their tests."""
    results = Results()
    others = fingerprint(inputs())
    keys = {binary: fingerprint([binary.program], others) for binary in binaries}
    waiting = []
    for binary in binaries:
        if known := results.passed(binary.title, keys[binary]):
            report.take_over(binary.title, known)
        else:
            waiting.append(binary)
    lock = threading.Lock()

    def one(binary: Binary) -> None:
        began = last = time.monotonic()
        times: list[tuple[str, float]] = []

        def show(line: str) -> None:
            nonlocal last
            if match := TEST.match(line):
                now = time.monotonic()
                times.append((match[1], now - last))
                last = now

        # As cargo runs them: in the package's folder. One test at a time: the binaries run beside each other.
        env = {**ENVIRONMENT, "CUOX_LIBCLANG": str(libclang()), "CARGO_MANIFEST_DIR": str(binary.folder)}
        status, lines = stream([binary.program, "--test-threads=1"], env=env, cwd=binary.folder, show=show)
        seconds = time.monotonic() - began
        # A test may run its own program again: the last line of results is the binary's.
        counts = [tuple(map(int, match.groups())) for line in lines if (match := RESULT.match(line))]
        passed, failed, ignored = counts[-1] if counts else (0, 0, 0)
        with lock:
            for name, duration in times:
                report.time("cargo's tests", f"{binary.title}: {name}", duration)
            report.add(passed, failed, ignored)
            if status == 0 and counts:
                say(f"{binary.title}: {passed} passed, {ignored} skipped in {seconds:.0f} s")
                results.keep(binary.title, keys[binary], passed, ignored)
                return
            results.forget(binary.title)
            say(f"{binary.title}: failed in {seconds:.0f} s")
            for line in lines:
                show_line(line)
            report.failures += [
                f"{binary.title}: {line[5:-11]}"
                for line in lines
                if line.startswith("test ") and line.endswith(" FAILED")
            ]
            if not failed:  # it died
                report.fail(f"{binary.title}: exit status {status}")

    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(one, waiting))


def tests(report: Report, packages: Sequence[str] = ()) -> None:
    """Build and run the tests of some packages, or of all."""
    with report.step("build of the tests of cargo"):
        status, binaries = build(packages)
    if status:
        report.fail(f"cargo test: exit status {status}")
    else:
        with report.step("tests of cargo"):
            run(report, binaries)


def doctests(report: Report) -> None:
    """Run the programs of rustdoc's comments."""
    with report.step("programs in rustdoc"):
        sources = sorted((ROOT / "crates").glob("*/src/**/*.rs"))
        for name in sorted(
            {path.relative_to(ROOT / "crates").parts[0] for path in sources if has_program(path.read_text())}
        ):
            if "doctest = false" in (ROOT / "crates" / name / "Cargo.toml").read_text():
                report.fail(f"{name} has a program in a comment, and doctest = false in its Cargo.toml")
        key = fingerprint(sources)
        results = Results()
        if known := results.passed("rustdoc", key):
            report.take_over("rustdoc", known)
            return
        status, lines = stream(["cargo", "test", "--workspace", "--doc", "--profile", CHECKED], show=lambda _: None)
        counts = [tuple(map(int, match.groups())) for line in lines if (match := RESULT.match(line))]
        passed, failed, ignored = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
        report.add(passed, failed, ignored)
        if status:
            for line in lines:
                show_line(line)
            if failed:
                report.failures.append(f"rustdoc: {failed} failed")
            else:
                report.fail(f"cargo test --doc: exit status {status}")
        else:
            results.keep("rustdoc", key, passed, ignored)


def has_program(text: str) -> bool:
    """Tell whether a source has a program in a comment: a code block that is not marked as text."""
    inside = False
    for line in text.splitlines():
        if match := re.match(r"\s*//[/!] ?```(.*)", line):
            if not inside and match[1].strip() in ("", "rust", "no_run", "should_panic", "compile_fail"):
                return True
            inside = not inside
    return False
