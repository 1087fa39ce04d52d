"""The tests of cargo: built once, then each binary run by itself, as many at a time as there are cores."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import build as wheels
from .build import CHECKED, DISTRIBUTIONS, site_packages
from .process import ENVIRONMENT, ROOT, in_threads, say, show_line, start, stream
from .report import Report
from .results import Results, fingerprint, repository

RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")
TEST = re.compile(r"^test (\S.*?)\s+\.\.\. (?!FAILED)")
# Those that run longest begin first.
LONGEST = ("files", "random", "fuzz", "hardware", "recorded", "cache", "cuox_bind", "approximate", "faults", "limits")
# At the end of a crate's messages: how many there were.
COUNT = re.compile(r"(warning|error): (\d+ warnings?( and \d+ errors?)? emitted|aborting due to)")
# Crates whose unit tests are compiled without optimization: to compile them takes a quarter of the time then, and what
# they take longer is a fifth of what is saved.
LARGEST = ("cuox", "cuox-simt")
TARGETS = ("--tests", "--examples")


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


@dataclass
class Built:
    """What builds have given: the status of one that failed, test binaries, and what the compiler and clippy say."""

    status: int = 0
    binaries: list[Binary] = field(default_factory=list)
    # Messages once each: a crate is also compiled for its own tests.
    messages: dict[str, None] = field(default_factory=dict)

    def run(self, command: Sequence[str], **options: object) -> None:
        """Run a command of cargo's; what it has no need to compile it repeats the messages of."""
        process = start([*command, "--message-format=json"], stdout=subprocess.PIPE, text=True, **options)
        assert process.stdout is not None
        for line in process.stdout:
            message = json.loads(line)
            match message["reason"]:
                case "compiler-artifact" if message["executable"] and is_test(message):
                    folder = Path(message["manifest_path"]).parent
                    name, program = message["target"]["name"], Path(message["executable"])
                    self.binaries.append(Binary(folder.name, name, program, folder))
                case "compiler-message" if message["message"]["level"].startswith(("warning", "error")):
                    text = message["message"]["rendered"].strip()
                    if not COUNT.match(text):
                        self.messages[text] = None
        status = process.wait()
        self.status = self.status or status


def is_test(message: dict[str, Any]) -> bool:
    """Tell whether cargo has made a test binary. Examples are made into some without tests."""
    return message["profile"]["test"] and "example" not in message["target"]["kind"]


def libclang() -> Path:
    """The library of the pip package libclang. Tests that read C headers are skipped without it."""
    return site_packages() / "clang" / "native" / "libclang.so"


def build(packages: Sequence[str] = (), *, behind: bool = False) -> Built:
    """Build the test binaries and the examples of some packages, or of all; `behind`: quietly, with what other work
    leaves of the processors.
    """
    commands = []
    if not packages:
        commands.append(["--workspace", *(word for name in LARGEST for word in ("--exclude", name)), *TARGETS])
    elif others := [word for name in packages if name not in LARGEST for word in ("-p", name)]:
        commands.append([*others, *TARGETS])
    for name in LARGEST:
        if not packages or name in packages:
            commands += [
                ["-p", name, "--test", "*", "--examples"],
                ["-p", name, "--lib", "--config", f"profile.{CHECKED}.package.{name}.opt-level=0"],
            ]
    first, last = (["nice", "-n", "19"], ["--quiet"]) if behind else ([], [])
    built = Built()
    for command in commands:
        built.run([*first, "cargo", "test", "--profile", CHECKED, "--no-run", *command, *last])
        if built.status:
            built.binaries.clear()
            break
    built.binaries.sort(key=order)
    return built


def build_behind() -> Future[Built]:
    """Begin to build all test binaries behind other work: pytest has a core idle now and then."""
    with_one = ThreadPoolExecutor(1)
    try:
        return with_one.submit(build, behind=True)
    finally:
        with_one.shutdown(wait=False)


def order(binary: Binary) -> tuple[int, str]:
    """The place of a binary in the order in which they begin."""
    return (LONGEST.index(binary.name) if binary.name in LONGEST else len(LONGEST), binary.title)


@functools.cache
def compiler() -> str:
    """The version of the compiler, which tests run, too."""
    return subprocess.check_output(["rustc", "-vV"], cwd=ROOT, text=True)


def keys(binaries: Sequence[Binary]) -> dict[Binary, str]:
    """For each test binary a fingerprint of it and of what it reads when it runs: our libraries, the files of the
    repository that are not compiled, and the sources of its own package (some tests read them, or have them compiled).
    """
    files = repository("crates", "filetests", "fuzz", "xtask")
    names = [name for one in DISTRIBUTIONS for name, _ in one.libraries.values()]
    libraries = [ROOT / "target" / CHECKED / name for name in names]
    others = fingerprint([*(path for path in files if path.suffix != ".rs"), *libraries], compiler())
    own = {
        folder: fingerprint((path for path in files if path.is_relative_to(folder)), others)
        for folder in {binary.folder for binary in binaries}
    }
    return {binary: fingerprint([binary.program], own[binary.folder]) for binary in binaries}


def run(
    report: Report,
    binaries: Sequence[Binary],
    variables: dict[str, str] | None = None,
    title: str = "",
    threads: int = 1,
    covered: bool = False,
) -> None:
    """Run test binaries that have not passed as they are, and count their tests.

    One test of a binary at a time, or `threads`: the binaries run beside each other. `covered`: a run of the same
    binary without the variables is as good.
    """
    results = Results()
    known_keys = keys(binaries)
    waiting = []
    for binary in binaries:
        for name in [binary.title + title, *([binary.title] if covered else [])]:
            if known := results.passed(name, known_keys[binary]):
                report.take_over(name, known)
                break
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

        # As cargo runs them: in the package's folder.
        env = {**ENVIRONMENT, "CUOX_LIBCLANG": str(libclang()), "CARGO_MANIFEST_DIR": str(binary.folder)}
        # Both were built or installed before: tests that are skipped for want of them would be a mistake of the run's.
        env.setdefault("CUOX_TEST_REQUIRE", "soft,nvrtc")
        command = [binary.program, f"--test-threads={threads}"]
        status, lines = stream(command, env={**env, **(variables or {})}, cwd=binary.folder, show=show)
        seconds = time.monotonic() - began
        # A test may run its own program again: the last line of results is the binary's.
        counts = [tuple(map(int, match.groups())) for line in lines if (match := RESULT.match(line))]
        passed, failed, ignored = counts[-1] if counts else (0, 0, 0)
        name = binary.title + title
        with lock:
            for test, duration in times if threads == 1 else ():
                report.time("cargo's tests", f"{name}: {test}", duration)
            report.add(passed, failed, ignored)
            if status == 0 and counts:
                say(f"{name}: {passed} passed, {ignored} skipped in {seconds:.0f} s")
                if keys([binary])[binary] == known_keys[binary]:  # else something was changed while it ran
                    results.keep(name, known_keys[binary], passed, ignored)
                return
            results.forget(name)
            say(f"{name}: failed in {seconds:.0f} s")
            for line in lines:
                show_line(line)
            report.failures += [
                f"{name}: {line[5:-11]}" for line in lines if line.startswith("test ") and line.endswith(" FAILED")
            ]
            if not failed:  # it died
                report.fail(f"{name}: exit status {status}")

    in_threads(one, waiting)


def tests(report: Report, packages: Sequence[str] = (), few: bool = False, begun: Future[Built] | None = None) -> Built:
    """Build and run the tests of some packages, or of all; of their large sets a few, or as many as usual. `begun`: a
    build of all that is under way.
    """
    with report.step("build of the tests of cargo"):
        built = begun.result() if begun else build(packages)
    if built.status:
        for text in built.messages:
            show_line(text)
        report.fail(f"cargo test: exit status {built.status}")
    else:
        with report.step("tests of cargo"):
            if few:
                run(report, built.binaries, {"CUOX_TESTS": "few"}, " (few)", covered=True)
            else:
                run(report, built.binaries)
    return built


def lint(report: Report, built: Built) -> None:
    """Count what the compiler and clippy have said of the tests, and say of what is in the wheels."""
    with report.step("clippy"):
        for command in wheels.commands():
            built.run([*command, "--quiet"])
        for text in built.messages:
            show_line(text)
        report.check("clippy", len(built.messages) or built.status)


def doctests(report: Report) -> None:
    """Run the programs of rustdoc's comments."""
    with report.step("programs in rustdoc"):
        sources = sorted((ROOT / "crates").glob("*/src/**/*.rs"))
        for name in sorted(
            {path.relative_to(ROOT / "crates").parts[0] for path in sources if has_program(path.read_text())}
        ):
            if "doctest = false" in (ROOT / "crates" / name / "Cargo.toml").read_text():
                report.fail(f"{name} has a program in a comment, and doctest = false in its Cargo.toml")

        def key() -> str:
            """Of all that is compiled, and of what the programs read: the headers that NVRTC gets."""
            return fingerprint(repository("crates", "Cargo.toml", "Cargo.lock"), compiler())

        known_key, results = key(), Results()
        if known := results.passed("rustdoc", known_key):
            report.take_over("rustdoc", known)
            return
        status, lines = stream(["cargo", "test", "--workspace", "--doc", "--profile", CHECKED], show=lambda _: None)
        counts = [tuple(map(int, match.groups())) for line in lines if (match := RESULT.match(line))]
        passed, failed, ignored = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
        report.add(passed, failed, ignored)
        if status:
            results.forget("rustdoc")
            for line in lines:
                show_line(line)
            if failed:
                report.failures.append(f"rustdoc: {failed} failed")
            else:
                report.fail(f"cargo test --doc: exit status {status}")
        elif key() == known_key:  # else something was changed while they ran
            results.keep("rustdoc", known_key, passed, ignored)


def has_program(text: str) -> bool:
    """Tell whether a source has a program in a comment: a code block that is not marked as text."""
    inside = False
    for line in text.splitlines():
        if match := re.match(r"\s*//[/!] ?```(.*)", line):
            if not inside and match[1].strip() in ("", "rust", "no_run", "should_panic", "compile_fail"):
                return True
            inside = not inside
    return False
