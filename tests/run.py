"""Runs the steps behind `make demo`, `make test` and `make bench`, with progress and totals.

    python tests/run.py install [EXTRA...]   build the wheel and install it into this interpreter's environment
    python tests/run.py check                all checks and tests; the last line is `N passed, N failed, N skipped`
    python tests/run.py bench                every script in benches/

Only the standard library is used, so that it can run before anything is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
CARGO_RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")
PYTEST_RESULT = re.compile(r"^=*\s*(?:\d+ \w+,? )*.* in [\d.]+s")
TOTALS = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")
PYTEST_COUNT = re.compile(r"(\d+) (passed|failed|skipped|error|errors|xfailed|xpassed)\b")

ENVIRONMENT = {
    **os.environ,
    # The same interpreter for every build of pyo3, or cargo builds it anew each time.
    "PYO3_PYTHON": PYTHON,
    # `_native` takes its Python symbols from the process that imports it.
    "PYO3_BUILD_EXTENSION_MODULE": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONUNBUFFERED": "1",
    "CARGO_TERM_PROGRESS_WHEN": "never",
}


@dataclass
class Totals:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, passed: int, failed: int, skipped: int) -> None:
        self.passed += passed
        self.failed += failed
        self.skipped += skipped


START = time.monotonic()


def say(text: str) -> None:
    minutes, seconds = divmod(int(time.monotonic() - START), 60)
    print(f"== [{minutes:2d}:{seconds:02d}] {text}", flush=True)


def show_line(line: str) -> None:
    print(line, flush=True)


def stream(
    command: Sequence[str], env: dict[str, str] | None = None, show: Callable[[str], None] = show_line
) -> tuple[int, list[str]]:
    """Run a command in the project root, show its output as it comes and return it too."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=env or ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        show(lines[-1])
    return process.wait(), lines


class Progress:
    """Says how far a build is, of what pip and cargo print: a line every few seconds, also while one crate takes
    long."""

    COMPILING = re.compile(r"\s*Compiling (\S+) v")
    WORTH_SHOWING = re.compile(r"\s*(Downloading \S+ \(|Successfully installed|warning|error|ERROR|cuox: )")
    PAUSE, SILENCE = 3, 20  # seconds

    def __init__(self, total: int) -> None:
        self.total, self.count, self.crate = total, 0, ""
        self.last = time.monotonic()
        self.ended = threading.Event()
        threading.Thread(target=self.wait, daemon=True).start()

    def say(self, text: str) -> None:
        self.last = time.monotonic()
        say(text)

    def show(self, line: str) -> None:
        if match := self.COMPILING.match(line):
            self.count, self.crate = self.count + 1, match[1]
            if time.monotonic() - self.last >= self.PAUSE:
                self.say(f"compiling crate {self.count} of about {max(self.total, self.count)}: {self.crate}")
        elif self.WORTH_SHOWING.match(line):
            self.say(line.strip())

    def wait(self) -> None:
        while not self.ended.wait(1):
            if time.monotonic() - self.last >= self.SILENCE:
                self.say(f"still compiling {self.crate}" if self.crate else "still at work")


def crates() -> int:
    """About how many crates the wheel's libraries are made of. The extension module shares none, as its profile
    differs.
    """
    total = 0
    for packages in (["-p", "cuox-libcuda", "-p", "cuox-cudart", "-p", "cuox-nvjitlink"], ["-p", "cuox-py"]):
        command = [
            "cargo",
            "tree",
            *packages,
            "--prefix",
            "none",
            "--edges",
            "normal,build",
            "--format",
            "{p}",
            "--no-dedupe",
        ]
        try:
            tree = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        except OSError:  # no cargo: pip says so
            return 0
        total += len(set(tree.stdout.split("\n")) - {""})
    return total


def install(extras: Sequence[str]) -> int:
    target = f".[{','.join(extras)}]" if extras else "."
    cores = os.cpu_count() or 1
    # Measured with 2 cores: 4.5 minutes, of which 1.5 are one crate's link-time optimisation.
    minutes = round(1.5 + 6 / cores)
    say(
        f"build and install cuox ({target}): the first build takes about {minutes} minutes with {cores} cores, later ones seconds"
    )
    progress = Progress(crates())
    # --verbose: it is how pip shows what cargo says.
    status, lines = stream(
        [PYTHON, "-m", "pip", "install", "--no-build-isolation", "--verbose", "--progress-bar=off", target],
        show=progress.show,
    )
    progress.ended.set()
    if status:
        print("\n".join(lines), flush=True)
    return status


def one_check(totals: Totals, name: str, command: Sequence[str], env: dict[str, str] | None = None) -> None:
    """A command that passes or fails as a whole counts as one test."""
    say(name)
    status, _ = stream(command, env)
    if status:
        totals.failures.append(f"{name}: exit status {status}")
    totals.add(status == 0, status != 0, 0)


def cargo_tests(totals: Totals) -> None:
    say("cargo test")
    # Tests that read C headers are skipped without it.
    env = {"CUOX_LIBCLANG": str(libclang()), **ENVIRONMENT}
    status, lines = stream(["cargo", "test", "--workspace", "--no-fail-fast"], env)
    failed = 0
    for line in lines:
        if match := CARGO_RESULT.match(line):
            totals.add(*map(int, match.groups()))
            failed += int(match[2])
    totals.failures += [
        f"cargo: {line[5:-11]}" for line in lines if line.startswith("test ") and line.endswith(" ... FAILED")
    ]
    if status and not failed:  # it did not build, or a test binary died
        totals.failures.append(f"cargo test: exit status {status}")
        totals.add(0, 1, 0)


def python_tests(totals: Totals) -> None:
    say("pytest")
    status, lines = stream([PYTHON, "-m", "pytest", "--color=no"])
    failed = 0
    for line in reversed(lines):
        if PYTEST_RESULT.match(line) and (counts := PYTEST_COUNT.findall(line)):
            for number, what in counts:
                bad = what in ("failed", "error", "errors", "xpassed")
                totals.add(
                    int(number) * (what == "passed"), int(number) * bad, int(number) * (what in ("skipped", "xfailed"))
                )
                failed += int(number) * bad
            break
    totals.failures += [f"pytest: {line}" for line in lines if line.startswith(("FAILED ", "ERROR "))]
    if status and not failed:  # it crashed, or collected nothing
        totals.failures.append(f"pytest: exit status {status}")
        totals.add(0, 1, 0)


def client_tests(totals: Totals) -> None:
    """Other people's packages, in an environment of their own."""
    say("other people's packages on the software GPU")
    status, lines = stream([PYTHON, "tests/clients/run.py"])
    match = TOTALS.match(lines[-1]) if lines else None
    if match:
        totals.add(*map(int, match.groups()))
    totals.failures += [f"clients: {line}" for line in lines if ": failed in " in line]
    if status and not (match and int(match[2])):
        totals.failures.append(f"tests/clients/run.py: exit status {status}")
        totals.add(0, 1, 0)


def site_packages() -> Path:
    """Where pip puts packages."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(subprocess.check_output([PYTHON, "-c", code], text=True).strip())


def cuda_include() -> Path:
    """Where the pip package nvidia-cuda-runtime has put cuda.h."""
    return site_packages() / "nvidia" / "cu13" / "include"


def libclang() -> Path:
    """The library of the pip package libclang."""
    return site_packages() / "clang" / "native" / "libclang.so"


def check() -> int:
    totals = Totals()
    # First, since all else costs minutes: what fails in seconds.
    one_check(totals, "cargo fmt --check", ["cargo", "fmt", "--all", "--check"])
    one_check(totals, "imports run in no large circles", [PYTHON, "tools/import_circles.py"])
    say("Python packages")
    status, _ = stream(
        [
            PYTHON,
            "-m",
            "pip",
            "install",
            "--quiet",
            "nvidia-cuda-runtime==13.0.*",
            "nvidia-cuda-crt==13.0.*",
            "nvidia-nvjitlink==13.0.*",
            "nvidia-nvvm==13.0.*",
            "nvidia-curand==10.4.*",
            "cuda-bindings==13.0.*",
            "numpy>=1.26",
            "pytest>=8",
            "mypy>=1.15",
            "libclang>=18",
        ]
    )
    if status:
        return status
    one_check(totals, "cargo clippy", ["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
    generate = ["cargo", "run", "--quiet", "-p", "xtask", "--", "gen", "--check", "--include", str(cuda_include())]
    one_check(totals, "generated code is what the header gives", generate)
    if install(["test"]):
        totals.failures.append("the wheel: not built or not installable")
        totals.add(0, 1, 0)
    else:
        totals.add(1, 0, 0)
        one_check(totals, "cuda.bindings are what the headers give", [PYTHON, "tools/cuda_bindings.py", "--check"])
        one_check(
            totals,
            "stubs agree with the module",
            [PYTHON, "-m", "mypy.stubtest", "--concise", "--allowlist", "tests/python/stubtest.txt", "cuox"],
        )
        one_check(totals, "types", [PYTHON, "-m", "mypy"])
        python_tests(totals)
        client_tests(totals)
    cargo_tests(totals)
    say("done")
    for failure in totals.failures:
        print("FAILED", failure)
    print(f"{totals.passed} passed, {totals.failed} failed, {totals.skipped} skipped", flush=True)
    return 1 if totals.failed else 0


def bench() -> int:
    if status := install(["numpy"]):
        return status
    status = 0
    for script in sorted((ROOT / "benches").glob("[!_]*.py")):
        say(f"benches/{script.name}")
        status = stream([PYTHON, str(script)])[0] or status
    return status


def main(arguments: Sequence[str]) -> int:
    match list(arguments):
        case ["install", *extras]:
            return install(extras)
        case ["check"]:
            return check()
        case ["bench"]:
            return bench()
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
