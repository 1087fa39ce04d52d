"""Installs what `make wheel` has made as others do, each into an environment of its own, and runs programs there.

    python tools/release_check.py [--python VERSION]... [--without-sources]

The wheels of cuox and cuox-bind are installed for each Python that is found (python3.11 to python3.14 on the path, of
pyenv or of uv), the sources for the first of them. In each environment the README's first program and a few others run,
`pip check` finds nothing, and after `pip uninstall` nothing is left. Where there is cuox-bind alone, a module runs that
cuox has written elsewhere. Pythons that are not here are named at the end.

It takes packages from PyPI. The last line is `N passed, N failed, N skipped`.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "python"), str(ROOT / "build_backend")]

import cuox_audit
import pages
from cuox_distributions import BIND, DISTRIBUTIONS, Distribution

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
WORK = ROOT / "target" / "release-check"
# A package around a C library, as others install it.
BINDING = WORK / "binding" / "shapes"
# So that the environments do not see each other, nor the user's packages and kernels.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CUOX_DEVICE", "CUOX_NVRTC_PATH", "LD_LIBRARY_PATH")
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in FOREIGN},
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONNOUSERSITE": "1",
    "CUOX_CACHE_DIR": str(WORK / "cache"),
}

C_FUNCTIONS = """
import ctypes

import cuox

libc = cuox.bind("libc.so.6", headers=["string.h"])
assert libc.strlen(b"hello") == 5
libm = cuox.load("libm.so.6")
libm.hypot.restype = ctypes.c_double
assert libm.hypot(3.0, 4.0) == 5.0
"""

NUMBA = """
import numpy as np
from cuox.numba import cuda

@cuda.jit
def double(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] *= 2

values = cuda.to_device(np.arange(1000, dtype=np.float32))
double[8, 128](values)
assert (values.copy_to_host() == 2 * np.arange(1000, dtype=np.float32)).all()
"""

PYCUDA = """
import numpy as np
import cuox.pycuda.autoinit
import cuox.pycuda.driver as drv
from cuox.pycuda.compiler import SourceModule

module = SourceModule('''
__global__ void multiply(float *dest, const float *a, const float *b)
{
    dest[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
}
''')
a, b = (np.random.default_rng(seed).random(400, dtype=np.float32) for seed in (1, 2))
dest = np.zeros_like(a)
module.get_function("multiply")(drv.Out(dest), drv.In(a), drv.In(b), block=(400, 1, 1), grid=(1, 1))
assert (dest == a * b).all()
"""

# Where neither cuox nor what only it needs is installed, nor the header of the binding.
BOUND = """
import importlib.util
import sys

import shapes
from shapes import bound

assert shapes.area.__module__ == "shapes.bound", shapes.area.__module__
assert shapes.area([(0, 0), (3, 0), (3, 4)]) == 6.0
assert bound.middle((0, 0), (3, 4)).y == 2.0
try:
    bound.middle("a", "b")
except TypeError as error:
    assert "middle" in str(error), error
else:
    raise AssertionError("a text is no point")
for name in ("cuox", "numpy", "clang", "nvidia"):
    assert importlib.util.find_spec(name) is None, f"{name} is here"
    assert name not in sys.modules
"""

# The C library unwinds such threads, through functions of cuox's, when Python ends.
ENDS = """
import threading
import time
import cuox

device = cuox.Device()
device.set_current()
started = threading.Semaphore(0)

def work():
    device.set_current()
    stream, event = device.create_stream(), device.create_event()
    started.release()
    while True:
        stream.record(event)
        event.sync()

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
for _ in range(3):
    started.acquire()
cycles = [[] for _ in range(40_000)]
for one in cycles:
    one.append(one)
time.sleep(0.05)
"""

PROGRAMS = {"a kernel of Numba's": NUMBA, "a SourceModule of PyCUDA's": PYCUDA, "threads at work at the end": ENDS}


def run(command: list[str | Path], folder: Path, seconds: int = 600) -> tuple[int, str]:
    """Run a command in a folder and return its status and what it printed."""
    try:
        result = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"not done after {seconds} seconds"
    except OSError as error:
        return 127, str(error)
    return result.returncode, result.stdout


def candidates(version: str) -> Iterator[str]:
    """Programs that may be the Python of a version."""
    if found := shutil.which(f"python{version}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from map(str, sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True))
    if uv := shutil.which("uv"):
        status, said = run([uv, "python", "find", "--offline", version], ROOT)
        if status == 0:
            yield said.strip()


def find(version: str) -> str | None:
    """The Python of a version that makes environments, or None."""
    ask = "import ensurepip, sys, venv; print('{}.{}'.format(*sys.version_info))"
    for program in candidates(version):
        status, said = run([program, "-c", ask], ROOT)
        if status == 0 and said.strip() == version:
            return program
    return None


@dataclass
class Counts:
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def take(self, name: str, complaint: str | None) -> bool:
        """Count a check; `complaint` is why it failed. Returns True if it passed."""
        print(f"  {name}: {'passed' if complaint is None else 'FAILED'}", flush=True)
        if complaint is None:
            self.passed += 1
        else:
            print(textwrap.indent(complaint.strip(), "    "), flush=True)
            self.failed.append(name)
        return complaint is None

    def command(self, name: str, command: list[str | Path], folder: Path, seconds: int = 600) -> bool:
        status, said = run(command, folder, seconds)
        return self.take(name, None if status == 0 else f"exit status {status}\n{said}")


def first_program(python: Path, folder: Path) -> str | None:
    """Run the README's first program; why it failed, or None."""
    program = next(program for program in pages.programs(ROOT / "README.md") if program.language == "python")
    status, said = run([python, "-c", program.text], folder)
    if status:
        return f"exit status {status}\n{said}"
    if program.has_output and said.strip() != program.output.strip():
        return f"expected {program.output!r}, got {said!r}"
    return None


def binding(python: Path, module: list[str], target: Path) -> str | None:
    """Write the binding of docs/ship-a-binding.md with an installed module, into a folder; why it failed."""
    page = next(program for program in pages.programs(ROOT / "docs" / "ship-a-binding.md") if program.files)
    sources = WORK / "sources"
    for folder in (sources, target):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for name, text in page.files.items():
        (sources / name).write_text(text, "utf-8")
    for name in ("__init__.py", "by_ctypes.py"):
        shutil.copy(sources / name, target)
    library = target / "libshapes.so"
    options = ["--rules", "shapes.toml", "-l", library, "-o", target / "bound.py"]
    for command in (
        ["cc", "-shared", "-fPIC", "-O2", "shapes.c", "-o", library],
        [python, "-m", *module, "shapes.h", *options],
    ):
        status, said = run(command, sources)
        if status:
            return f"exit status {status}\n{said}"
    # Who has the module has no header.
    shutil.rmtree(sources)
    files = {path.name for path in target.iterdir()}
    return None if {"bound.py", "_bound.so", "libshapes.so"} <= files else f"there are {', '.join(sorted(files))}"


def left(prefix: Path) -> list[str]:
    """What an environment has of cuox, by name."""
    folders = [prefix / "bin", *prefix.glob("lib/python*/site-packages")]
    return sorted(str(path.relative_to(prefix)) for folder in folders for path in folder.glob("*cuox*"))


def installed(
    counts: Counts, name: str, interpreter: str, packages: list[Path], settings: tuple[str, ...] = ()
) -> tuple[Path, Path] | None:
    """Install wheels or sources for a Python into an environment; this, and an empty folder, or None."""
    print(f"{name}: {', '.join(package.name for package in packages)}", flush=True)
    prefix, folder = WORK / "environment", WORK / "empty"
    for path in (prefix, folder):
        shutil.rmtree(path, ignore_errors=True)
    folder.mkdir(parents=True)
    if not counts.command(f"{name}: an environment", [interpreter, "-m", "venv", prefix], folder):
        return None
    pip = [prefix / "bin" / "python", "-m", "pip"]
    if settings:  # older ones do not take -C
        run([*pip, "install", "--quiet", "pip>=23.1"], folder)
    if not counts.command(f"{name}: installs", [*pip, "install", "--quiet", *settings, *packages], folder, 3600):
        return None
    counts.command(f"{name}: pip check", [*pip, "check"], folder)
    return prefix, folder


def removed(counts: Counts, name: str, prefix: Path, folder: Path, names: list[str]) -> None:
    """Uninstall distributions and look whether anything is left."""
    pip = [prefix / "bin" / "python", "-m", "pip"]
    counts.command(f"{name}: uninstalls", [*pip, "uninstall", "--quiet", "--yes", *names], folder)
    remains = left(prefix)
    counts.take(f"{name}: leaves nothing", ", ".join(remains) if remains else None)
    shutil.rmtree(prefix, ignore_errors=True)


def check(counts: Counts, name: str, interpreter: str, packages: list[Path], settings: tuple[str, ...] = ()) -> None:
    """Install cuox and cuox-bind for a Python, look whether they work, and remove them."""
    made = installed(counts, name, interpreter, packages, settings)
    if made is None:
        return
    prefix, folder = made
    python = prefix / "bin" / "python"
    pip = [python, "-m", "pip"]
    counts.take(f"{name}: the README's first program", first_program(python, folder))
    counts.command(f"{name}: cuox doctor", [prefix / "bin" / "cuox", "doctor"], folder)
    counts.command(f"{name}: cuox run --help", [prefix / "bin" / "cuox", "run", "--help"], folder)
    for title, text in PROGRAMS.items():
        counts.command(f"{name}: {title}", [python, "-c", text], folder)
    if platform.machine() == "x86_64":
        status, said = run([*pip, "install", "--quiet", *requirement("bind")], folder)
        title = f"{name}: C functions of libc and libm"
        counts.take(title, said) if status else counts.command(title, [python, "-c", C_FUNCTIONS], folder)
        if shutil.which("cc"):
            counts.take(f"{name}: writes a binding", binding(python, ["cuox", "bind"], BINDING))
    else:
        counts.skipped.append(f"{name}: C functions, which cuox calls on x86-64 only")
    removed(counts, name, prefix, folder, [one.name for one in DISTRIBUTIONS])


def written_again(python: Path, folder: Path) -> str | None:
    """Write the binding with cuox-bind alone; why it failed or is another one than that of cuox."""
    status, said = run([python, "-m", "pip", "install", "--quiet", *requirement("bind")], folder)
    again = BINDING.with_name("again")
    if complaint := said if status else binding(python, [BIND.package], again):
        return complaint
    same = (again / "bound.py").read_text("utf-8") == (BINDING / "bound.py").read_text("utf-8")
    return None if same else f"{again}/bound.py is not what cuox has written"


def check_bind(counts: Counts, name: str, interpreter: str, package: Path, settings: tuple[str, ...] = ()) -> None:
    """Install cuox-bind alone for a Python, look whether the binding runs that cuox has written, and is written in the
    same way, and remove it.
    """
    name = f"{name}, {BIND.name} alone"
    made = installed(counts, name, interpreter, [package], settings)
    if made is None:
        return
    prefix, folder = made
    python = prefix / "bin" / "python"
    if (BINDING / "bound.py").is_file():
        run_bound = f"import sys; sys.path.insert(0, {str(BINDING.parent)!r})\n{BOUND}"
        counts.command(f"{name}: a binding without cuox", [python, "-c", run_bound], folder)
        counts.take(f"{name}: writes the same binding", written_again(python, folder))
    else:
        counts.skipped.append(f"{name}: a binding without cuox: none was written")
    removed(counts, name, prefix, folder, [BIND.name])


def requirement(extra: str) -> list[str]:
    """The packages of an extra."""
    import tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][extra]


def audit(counts: Counts, wheel: Path) -> None:
    """Look whether the wheel keeps what its tag says: by our own check, and by auditwheel, which knows the policies."""
    glibc, machine = cuox_audit.tag_of(wheel.name)
    lines = cuox_audit.complaints(wheel)
    if glibc is None:
        lines.append(f"{wheel.name} is for this machine only: make wheel")
    counts.take(f"{wheel.name} is what its tag says", "\n".join(lines) or None)
    if glibc is None:
        return
    wanted = f"manylinux_{glibc[0]}_{glibc[1]}_{machine}"
    folder = WORK / "auditwheel"
    status, said = run([sys.executable, "-m", "venv", folder], ROOT)
    if not status:
        status, said = run([folder / "bin" / "pip", "install", "--quiet", "auditwheel"], ROOT)
    if status:
        counts.skipped.append("auditwheel cannot be installed")
        return
    status, said = run([folder / "bin" / "auditwheel", "show", wheel], ROOT)
    # It names the best tag that the wheel keeps, by all of its names.
    kept = re.findall(r"manylinux_(\d+)_(\d+)_" + machine, said)
    good = not status and any((int(a), int(b)) <= glibc for a, b in kept)
    counts.take(f"auditwheel: {wheel.name} is {wanted}", None if good else said)


def newest(folder: Path, distribution: Distribution, pattern: str) -> Path | None:
    """The newest file of a distribution in a folder, or None."""
    found = folder.glob(f"{distribution.name.replace('-', '_')}-{pattern}")
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", metavar="VERSION", help="only this one, such as 3.12")
    parser.add_argument("--without-sources", action="store_true", help="do not build from the sources")
    options = parser.parse_args()
    dist = ROOT / "dist"
    wheels = {one: newest(dist, one, f"*_{platform.machine()}.whl") for one in DISTRIBUTIONS}
    sources = {one: newest(dist, one, "*.tar.gz") for one in DISTRIBUTIONS}
    for one in DISTRIBUTIONS:
        if wheels[one] is None or sources[one] is None:
            print(f"dist/ has no wheel of {one.name} for this machine, or no sources: make wheel", file=sys.stderr)
            return 2
    shutil.rmtree(BINDING, ignore_errors=True)
    WORK.mkdir(parents=True, exist_ok=True)
    counts = Counts()
    for wheel in wheels.values():
        audit(counts, wheel)
    found: dict[str, str] = {}
    for version in options.python or VERSIONS:
        if interpreter := find(version):
            found[version] = interpreter
        else:
            counts.skipped.append(f"Python {version} is not here")
    if not options.python:
        counts.skipped.append("Python 3.14t: free-threaded Python is not supported yet")
    for version, interpreter in found.items():
        check(counts, f"Python {version}", interpreter, list(wheels.values()))
        check_bind(counts, f"Python {version}", interpreter, wheels[BIND])
    if found and not options.without_sources:
        # What the clone has compiled of other people's crates, in the profile of the tests, is not compiled again.
        ENVIRONMENT["CARGO_TARGET_DIR"] = str(ROOT / "target")
        version, interpreter = next(iter(found.items()))
        settings = ("-C", "profile=checked")
        check(counts, f"sources, Python {version}", interpreter, list(sources.values()), settings)
        check_bind(counts, f"sources, Python {version}", interpreter, sources[BIND], settings)
    for line in counts.failed:
        print(f"failed: {line}")
    for line in counts.skipped:
        print(f"left out: {line}")
    print(f"{counts.passed} passed, {len(counts.failed)} failed, {len(counts.skipped)} skipped")
    return 1 if counts.failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
