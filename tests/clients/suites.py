"""Own tests of libraries that run on CUDA, with `numba.cuda`, `pycuda` or `cuda.bindings` taken from cuox:

    python tests/clients/suites.py [clifford] [kernel_tuner] [compyle]

The interpreter has cuox installed. Each library goes with what it needs into an environment of its own
(`.venv-suites/NAME-VERSION`, kept); its tests come with it or with its source distribution. They have half an hour and
16 GiB of addresses. Prints the end of pytest's output for each; the status is 1 if more tests fail than are known to.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import sysconfig
import tarfile
import venv
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / ".venv-suites"
MEMORY = 16 << 30
SECONDS = 1800


@dataclass
class Suite:
    """A library with its version, what is installed beside it, what stands in, and the tests.

    failing: how many are known to fail, for reasons that docs/compatibility.md has. is_in_source: the tests are in the
    source distribution only. empty: packages of other libraries that are imported without being needed. plugins: for
    pytest, modules beside this one. has_toolkit: CUDA_HOME is NVIDIA's packages in the library's environment.
    """

    name: str
    version: str
    beside: list[str]
    stand_ins: list[str]
    tests: list[str]
    failing: int = 0
    is_in_source: bool = False
    empty: list[str] = field(default_factory=list)
    plugins: list[str] = field(default_factory=list)
    has_toolkit: bool = False


SUITES = [
    # Its multivectors become NumPy arrays in a way that NumPy 2 has no more.
    Suite(
        "clifford",
        "1.5.1",
        ["numpy<2", "setuptools<81"],
        ["cuox.numba"],
        ["--pyargs", "clifford.test.test_g3c_CUDA"],
        plugins=["rows_of_multivectors"],
    ),
    # The first imports the bindings under the names of cuda-python 12, the second under those of 13.
    Suite(
        "kernel_tuner",
        "1.3.0",
        ["pep440", "tomli"],
        ["cuox.pycuda", "cuox.cuda"],
        ["test"],
        is_in_source=True,
    ),
    Suite(
        "kernel_tuner",
        "1.5.0",
        ["pep440", "tomli", "scikit-optimize", "nvidia-cuda-runtime==13.0.*"],
        ["cuox.pycuda", "cuox.cuda"],
        ["test"],
        failing=1,
        is_in_source=True,
        has_toolkit=True,
    ),
    # It imports CuPy for sorting, which two tests do; NumPy 2.4 has no trapz.
    Suite(
        "compyle",
        "0.9",
        ["setuptools", "six", "numpy<2.4"],
        ["cuox.pycuda"],
        ["--pyargs", "compyle", "--ignore-glob=/*/test_cuda.py", "-k", "cuda or CUDA or gpu or GPU"],
        failing=2,
        empty=["cupy/cuda/thrust"],
    ),
]


def run(command: list[str | Path], **more: object) -> None:
    subprocess.run(command, check=True, **more)  # type: ignore[call-overload]


def install(suite: Suite) -> tuple[Path, Path, Path]:
    """Install a library. Returns its interpreter, the folder of its packages and the one to run the tests in."""
    home = FOLDER / f"{suite.name}-{suite.version}"
    python, source = home / "bin" / "python", home / f"{suite.name}-{suite.version}"
    done = source if suite.is_in_source else home / "installed"
    if not done.exists():
        venv.create(home, with_pip=True, clear=True)
        pip, wanted = [python, "-m", "pip", "--quiet"], f"{suite.name}=={suite.version}"
        run([*pip, "install", wanted, "pytest", *suite.beside])
        if suite.is_in_source:
            run([*pip, "download", "--no-deps", "--no-binary", suite.name, "--dest", home, wanted])
            with tarfile.open(home / f"{suite.name}-{suite.version}.tar.gz") as archive:
                archive.extractall(home, filter="data")
        else:
            done.mkdir()
    # cuox and NVRTC from here, behind all that the library brought along.
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.check_output([python, "-c", code], text=True).strip())
    (packages / "zz-cuox.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for package in suite.empty:
        (packages / package).mkdir(parents=True, exist_ok=True)
    return python, packages, done


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def failed(suite: Suite, more: list[str]) -> bool:
    python, packages, folder = install(suite)
    # A stand-in runs the module that follows it, which may be another one.
    modules = [part for name in [*suite.stand_ins, "pytest"] for part in ("-m", name)]
    plugins = [part for name in ["no:cacheprovider", *suite.plugins] for part in ("-p", name)]
    command = [python, *modules, "-q", *plugins, "-o", "addopts=", *more, *suite.tests]
    environment = {"CUOX_DEVICE": "soft", "PYTHONPATH": str(Path(__file__).parent), **os.environ}
    if suite.has_toolkit:
        environment["CUDA_HOME"] = str(packages / "nvidia" / "cu13")
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            preexec_fn=limit,
            timeout=SECONDS,
            check=False,
            capture_output=True,
            text=True,
        )
    except subprocess.TimeoutExpired:
        print(f"{suite.name} {suite.version}: not at its end after {SECONDS} s", flush=True)
        return True
    print(done.stdout[-6000:], done.stderr[-2000:], sep="\n", flush=True)
    last = done.stdout.splitlines()[-1] if done.stdout else "no output"
    found = sum(int(count) for count in re.findall(r"(\d+) (?:failed|error)", last))
    is_worse = found > suite.failing or done.returncode not in (0, 1)
    print(f"{suite.name} {suite.version}: {last}", flush=True)
    return is_worse


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="the libraries")
    options, more = parser.parse_known_args()
    names = options.names or [suite.name for suite in SUITES]
    chosen = [suite for suite in SUITES if suite.name in names]
    return int(sum(failed(suite, more) for suite in chosen) > 0)


if __name__ == "__main__":
    sys.exit(main())
