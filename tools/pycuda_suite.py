"""Run PyCUDA's own tests and examples with `cuox.pycuda` in its place.

    git clone https://github.com/inducer/pycuda
    python tools/pycuda_suite.py pycuda/.git                    # the tests
    python tools/pycuda_suite.py pycuda/.git --unmarked         # also those that the original marks as failing
    python tools/pycuda_suite.py pycuda/.git --examples         # the examples, as they were before their linter
                                                                was changed
    python tools/pycuda_suite.py pycuda/.git --original ...     # the same with the original, if it is installed

Nothing of PyCUDA is kept: the files are written to a temporary folder and run there as they are. `CUOX_DEVICE` chooses
the device. The software GPU gets 4 GiB of memory, and no nvcc is on the path.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The last revision before "Switch to ruff", which took some of the examples out.
EXAMPLES_REVISION = "c1f56a1~1"

# Loaded into pytest with --unmarked: `xfail` has no effect, neither as a mark nor as a call, and `skip` only where
# memory or the texture references of the driver's tests are missing.
UNMARKED = """
import inspect
import pytest

skip = pytest.skip

def unless_needed(reason="", **_):
    if "Need at least" in reason or inspect.stack()[1].filename.endswith("test_driver.py"):
        skip(reason)

pytest.xfail = lambda reason="", **_: None
pytest.skip = unless_needed

def pytest_collection_modifyitems(items):
    for item in items:
        for node in item.listchain():
            node.own_markers = [mark for mark in node.own_markers if mark.name not in ("xfail", "skip", "skipif")]
"""


def git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", f"--git-dir={repository}", *arguments], check=True, capture_output=True).stdout


def export(repository: Path, revision: str, folder: str, target: Path) -> None:
    archive = git(repository, "archive", revision, folder)
    subprocess.run(["tar", "-x", "-C", target], input=archive, check=True)


def environment() -> dict[str, str]:
    """The environment of the programs: no nvcc on the path, the software GPU's memory as on a small GPU."""
    folders = [
        folder for folder in os.environ.get("PATH", "").split(os.pathsep) if not shutil.which("nvcc", path=folder)
    ]
    return {"CUOX_SOFT_MEMORY": str(4 << 30)} | os.environ | {"PATH": os.pathsep.join(folders), "MPLBACKEND": "Agg"}


def command(original: bool) -> list[str]:
    return [sys.executable] if original else [sys.executable, "-m", "cuox.pycuda"]


def tests(folder: Path, repository: Path, options: argparse.Namespace) -> int:
    export(repository, "HEAD", "test", folder)
    (folder / "unmarked.py").write_text(UNMARKED)
    chosen = ["-p", "unmarked"] if options.unmarked else []
    files = sorted(str(path) for path in (folder / "test").glob("test_*.py"))
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rsxXfE", "--tb=short", *chosen, *options.rest, *files]
    surroundings = environment()
    surroundings["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run([*command(options.original), *pytest], cwd=folder, env=surroundings, check=False).returncode


def summary(output: str) -> str:
    """The line of an output that says most: the error, else the last."""
    lines = [line for line in output.strip().splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"\w[\w.]*(Error|Exception|Interrupt)\b", line)]
    return (errors or lines or ["no output"])[-1][:150]


def examples(folder: Path, repository: Path, options: argparse.Namespace) -> int:
    export(repository, EXAMPLES_REVISION, "examples", folder)
    passed = failed = 0
    for path in sorted((folder / "examples").rglob("*.py")):
        name = str(path.relative_to(folder / "examples"))
        if options.rest and not any(part in name for part in options.rest):
            continue
        start = time.monotonic()
        try:
            done = subprocess.run(
                [*command(options.original), path.name], cwd=path.parent, env=environment(), capture_output=True,
                text=True, errors="replace", input="\n" * 20, timeout=options.timeout, check=False,
            )  # fmt: skip
            outcome, text = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            outcome, text = -1, f"not done in {options.timeout} s"
        passed += outcome == 0
        failed += outcome != 0
        word = "runs " if outcome == 0 else "fails"
        print(
            f"{word} {time.monotonic() - start:6.1f} s  {name:<46} {summary(text) if outcome else ''}".rstrip(),
            flush=True,
        )
    print(f"{passed} run, {failed} do not")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path, help="the .git folder of a clone of inducer/pycuda")
    parser.add_argument("--examples", action="store_true", help="run the examples instead of the tests")
    parser.add_argument("--unmarked", action="store_true", help="ignore skip and xfail marks")
    parser.add_argument("--original", action="store_true", help="run with the original")
    parser.add_argument("--timeout", type=float, default=180, help="seconds for an example (default 180)")
    parser.add_argument("rest", nargs="*", help="arguments for pytest, or parts of the examples' names")
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        return (examples if options.examples else tests)(Path(folder), options.repository.resolve(), options)


if __name__ == "__main__":
    sys.exit(main())
