"""What only `make test-all` runs, besides the larger sets of `CUOX_TESTS=all`.

Other settings of the software GPU, another NVRTC, the wheel that others install, and peers' own tests.
"""

from __future__ import annotations

import os
import venv
from pathlib import Path

from . import python
from .process import ENVIRONMENT, PYTHON, ROOT, say, stream
from .report import Report
from .rust import build as build_tests

WORK = ROOT / "target" / "exhaustive"
# The newest NVRTC that is known to work, beside the one that cuox asks for.
OTHER_NVRTC = "nvidia-cuda-nvrtc==13.2.*"
COMPILING = (
    "test_launch.py",
    "test_arguments.py",
    "test_compute.py",
    "test_numba_kernels.py",
    "test_parallel_reduce.py",
)
INSTALLED = ("test_launch.py", "test_call.py", "test_package.py", "test_compute_runs.py", "test_pycuda_gpuarray.py")
PEER = "numba-cuda==0.30.*"


def tests(report: Report) -> None:
    """Run all of it."""
    checked_files(report)
    other_engine(report)
    other_nvrtc(report)
    release_wheel(report)
    peers(report)


def checked_files(report: Report) -> None:
    """The file tests with every access checked."""
    with report.step("file tests with every access checked"):
        status, binaries = build_tests(["cuox-filetests"])
        if status:
            report.fail("the file tests: not built")
            return
        program = next(binary for binary in binaries if binary.name == "files")
        env = {**ENVIRONMENT, "CUOX_SOFT_CHECK": "memory"}
        status, _ = stream([program.program], env=env, cwd=program.folder, show=lambda _: None)
        report.check("file tests with CUOX_SOFT_CHECK=memory", status)


def other_engine(report: Report) -> None:
    """The tests in Python on the JIT without AVX-512, blocks on two threads."""
    with report.step("pytest on the JIT without AVX-512, with two threads"):
        variables = {"CUOX_SOFT_ENGINE": "jit-narrow", "CUOX_SOFT_THREADS": "2", "CUOX_TESTS": ""}
        python.run(report, ["-n", "2", "--dist", "loadfile", "-m", "not serial"], variables, python.Counts())


def other_nvrtc(report: Report) -> None:
    """Tests that compile, with another NVRTC."""
    folder = WORK / "nvrtc"
    with report.step(f"pytest with {OTHER_NVRTC}"):
        pip = [
            PYTHON,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--upgrade",
            "--target",
            str(folder),
            OTHER_NVRTC,
        ]
        if stream(pip)[0]:
            say(f"{OTHER_NVRTC} cannot be installed: skipped")
            report.add(0, 0, 1)
            return
        library = next(folder.rglob("libnvrtc.so.*"))
        variables = {"CUOX_NVRTC_PATH": str(library), "CUOX_CACHE": "0", "CUOX_TESTS": ""}
        python.run(report, [python.FOLDER / name for name in COMPILING], variables, python.Counts())


def release_wheel(report: Report) -> None:
    """The wheel of the profile `dist`, installed into an environment of its own."""
    with report.step("the wheel that others install"):
        wheels = WORK / "wheels"
        build = [PYTHON, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "-C", "profile=dist"]
        if stream([*build, "--wheel-dir", str(wheels), "."])[0]:
            report.fail("the wheel of the profile dist: not built")
            return
        wheel = max(wheels.glob("cuox-*.whl"), key=lambda path: path.stat().st_mtime)
        environment = WORK / "venv"
        venv.create(environment, clear=True, with_pip=True)
        own = environment / "bin" / "python"
        if stream([str(own), "-m", "pip", "install", "--quiet", f"{wheel}[test]"])[0]:
            report.fail("the wheel of the profile dist: not installable")
            return
        demo = [str(own), "-m", "cuox", "demo", "--picture", str(WORK / "heat.png")]
        report.check("cuox demo, of the wheel of the profile dist", stream(demo)[0])
        files = [python.FOLDER / name for name in INSTALLED]
        python.run(report, files, {"CUOX_TESTS": ""}, python.Counts(), own)


def peers(report: Report) -> None:
    """Peers' own tests: those in numba-cuda's wheel, and those of the checkouts in the folder CUOX_PEERS."""
    with report.step("tests of numba-cuda"):
        folder = WORK / "numba-cuda"
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target", str(folder), PEER]
        if stream(pip)[0]:
            say(f"{PEER} cannot be installed: skipped")
            report.add(0, 0, 1)
        else:
            status, _ = stream([PYTHON, "tools/numba_suite.py", "--cuox", str(folder), PYTHON])
            report.check("tests of numba-cuda with cuox.numba.cuda", status)
    checkouts = os.environ.get("CUOX_PEERS")
    suites = {"compute_suite.py": "cccl", "pycuda_suite.py": "pycuda"}
    for tool, name in suites.items():
        repository = Path(checkouts or "", name)
        if not checkouts or not repository.is_dir():
            say(f"tools/{tool}: skipped, as there is no checkout {name} in the folder CUOX_PEERS")
            report.add(0, 0, 1)
            continue
        with report.step(f"tests of {name}"):
            # Some of their tests fail for reasons that docs/compatibility.md gives: their number is to be looked at.
            _, lines = stream([PYTHON, f"tools/{tool}", str(repository / ".git"), PYTHON])
            report.notes.append(f"tools/{tool}: {lines[-1] if lines else 'nothing was printed'}")
