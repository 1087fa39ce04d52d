"""Run numba-cuda's own tests on the software GPU, unmodified.

    python -m venv numba
    numba/bin/pip install 'numba-cuda==0.30.*' 'cuda-bindings==13.0.*'
    'cuda-toolkit[cccl,cudart,nvrtc,nvvm]==13.0.*' 'nvidia-curand==10.4.*' \\
        numba cffi psutil ml_dtypes filecheck pytest pytest-benchmark pytest-timeout pytest-xdist      # and
        'nvidia-nvjitlink==13.0.*' for the other way of linking
    git clone https://github.com/NVIDIA/numba-cuda
    python tools/numba_suite.py numba-cuda/.git numba/bin/python                    # cudadrv and cudapy
    python tools/numba_suite.py numba-cuda/.git numba/bin/python cudapy.test_ipc    # a module of them
    python tools/numba_suite.py numba-cuda/.git numba/bin/python --gpu ...          # the same with NVIDIA's driver

The tests are those of the installed package; the repository has pytest's settings for them (its folder `testing`),
which are taken from the revision of the installed version. With nvJitLink installed, cuox's stand-in for it comes in
front.

    python tools/numba_suite.py --cuox numba_cuda-0.30.4-….whl numba/bin/python     # the same tests with
                                                                                    `cuox.numba.cuda` in the
                                                                                    peer's place

With --cuox the first argument is the peer's wheel, or the folder that it is unpacked or installed in, and the
interpreter needs cuox, NumPy and pytest. numba_suite.toml lists the tests that are about Numba's insides, with reasons:
they are left out. Nothing of the peer is kept.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

PARTS = ["cudadrv", "cudapy"]
SETTINGS = ["pytest.ini", "conftest.py"]
# A warning of cuda.core's, which the settings make an error, though tests are meant to run without nvJitLink.
WITHOUT_LINKER = "ignore:cuda.bindings.nvjitlink is not available:RuntimeWarning"

ASK = """
import glob, numba_cuda, nvidia.cu13 as toolkit
print(numba_cuda.__version__, any(glob.glob(f"{path}/lib/libnvJitLink.so*") for path in toolkit.__path__))
"""


def git(repository: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", f"--git-dir={repository}", *arguments], check=True, capture_output=True, text=True
    ).stdout


def revision(repository: Path, version: str) -> str:
    """The tag of a version, or the newest commit that has its number."""
    if git(repository, "tag", "--list", f"v{version}").strip():
        return f"v{version}"
    newest = git(repository, "show", "HEAD:numba_cuda/VERSION").strip()
    if newest != version:
        print(f"the repository has no tag v{version}; its HEAD is {newest}, whose settings are taken", flush=True)
    return "HEAD"


def run(repository: Path, python: str, parts: Sequence[str], options: argparse.Namespace) -> int:
    version, linker = subprocess.run([python, "-c", ASK], check=True, capture_output=True, text=True).stdout.split()
    shims = ["--shims", "nvjitlink"] if linker == "True" else []
    print(f"numba-cuda {version}, {'with' if shims else 'without'} nvJitLink", flush=True)
    front = [] if options.gpu else [sys.executable, "-m", "cuox", "run", *shims, "--memory", options.memory, "--"]
    with tempfile.TemporaryDirectory() as folder:
        for name in SETTINGS:
            (Path(folder) / name).write_text(git(repository, "show", f"{revision(repository, version)}:testing/{name}"))
        command = [
            *front,
            python,
            "-m",
            "pytest",
            "-q",
            "-o",
            "addopts=--benchmark-disable",
            "-p",
            "no:cacheprovider",
            "-rfEsx",
            "--tb=short",
        ]
        command += [
            "-n",
            str(options.processes),
            "--dist",
            "loadscope",
            "--timeout",
            str(options.timeout),
            "-W",
            WITHOUT_LINKER,
            "--pyargs",
        ]
        command += [f"numba.cuda.tests.{part}" for part in parts]
        return subprocess.run(command, cwd=folder, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "repository", type=Path, help="the .git folder of numba-cuda; with --cuox its wheel, or a folder with its tests"
    )
    parser.add_argument("python", help="an interpreter that has numba-cuda; with --cuox one that has cuox")
    parser.add_argument("parts", nargs="*", help="packages or modules of numba.cuda.tests")
    parser.add_argument("--cuox", action="store_true", help="run the tests with cuox.numba.cuda in the peer's place")
    parser.add_argument("--verbose", action="store_true", help="with --cuox: show why tests failed")
    parser.add_argument("--report", type=Path, help="with --cuox: a file for all outcomes, as JSON")
    parser.add_argument("--gpu", action="store_true", help="use the driver that there is")
    parser.add_argument("--memory", default="4G", help="the size of the software GPU's memory")
    parser.add_argument("--processes", type=int, default=2, help="the number of processes that run tests")
    parser.add_argument("--timeout", type=int, default=250, help="seconds for a test")
    options = parser.parse_intermixed_args()
    if options.cuox:
        import numba_suite_cuox as suite

        return suite.run(
            options.repository, options.python, options.parts or suite.PARTS, memory=options.memory, processes=options.processes,
            seconds=options.timeout, gpu=options.gpu, verbose=options.verbose, report=options.report,
        )  # fmt: skip
    return run(options.repository, options.python, options.parts or PARTS, options)


if __name__ == "__main__":
    sys.exit(main())
