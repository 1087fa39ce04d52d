"""Run the tests of NVIDIA's cuda.coop with `cuox.cuda.coop` in its place.

    python tools/coop_suite.py cccl/.git python                # the bare or plain repository of NVIDIA/cccl, and an
                                                               interpreter that has cuox, pytest and pytest-xdist
    python tools/coop_suite.py --generation 0.1 cccl/.git python
    CUOX_DEVICE=gpu python tools/coop_suite.py --processes 16 cccl/.git python

In the repository's place may stand a folder that `git archive` has made of its folder python/cuda_cccl/tests, of that
generation's commit (GENERATIONS below). Exits with pytest's status: 1 if a test fails, as some do for the reasons in
docs/compatibility.md.

The tests' folder is copied to a temporary one, with its imports changed; the machine code, which the tests read to see
that there is no local memory in it, is taken as empty.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = "python/cuda_cccl/tests"
# By the version of cuda-cccl: a commit that has the tests, their folder, and the module.
GENERATIONS = {
    "0.1": ("3f37825cad~1", f"{TESTS}/cooperative", "cuda.cccl.cooperative.experimental"),
    "0.3": ("e3a8f31017~1", f"{TESTS}/coop", "cuda.coop"),
    "1.0": ("6a2d58e171~1", f"{TESTS}/coop/_experimental", "cuda.coop._experimental"),
}


def taken(found: re.Match[str]) -> str:
    """What stands for an import from a private module: names that cuox has, too, and for others what fails tests."""
    names = re.findall(r"\w+", found[found.lastindex or 0])
    return f"""
from unittest.mock import MagicMock
from cuox.cuda.coop import _arguments
{", ".join(names)}, = (getattr(_arguments, name, MagicMock(name=name)) for name in {names})
"""


def changed(text: str, module: str) -> str:
    """A test with its imports changed."""
    private = re.escape(module) + r"(\._common|\._scan_op|\.block\._block_scan)\b"
    text = re.sub(rf"^from {private} import (\([^)]*\)|.*)", taken, text, flags=re.MULTILINE)
    text = re.sub(rf"(?<!cuox\.){re.escape(module)}\b", f"cuox.{module}", text)
    text = re.sub(r"^from cuda import coop\b", "from cuox.cuda import coop", text, flags=re.MULTILINE)
    text = re.sub(r"^from cuda\.core\b", "from cuox.cuda.core", text, flags=re.MULTILINE)
    text = re.sub(r"^from numba\b", "from cuox.numba", text, flags=re.MULTILINE)
    text = re.sub(r"^import numba$", "import cuox.numba as numba", text, flags=re.MULTILINE)
    return re.sub(r"\w+\.inspect_sass\([^)]*\)", '""', text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repository", type=Path, help="the .git folder of NVIDIA/cccl, or an archive of its tests")
    parser.add_argument("python", help="an interpreter that has cuox, pytest and pytest-xdist")
    parser.add_argument("--generation", choices=GENERATIONS, default="1.0", help="the version of cuda-cccl")
    parser.add_argument("--processes", default="2", help="for pytest-xdist")
    parser.add_argument("--verbose", action="store_true", help="show why tests failed")
    given = parser.parse_args()
    python = Path(shutil.which(given.python) or given.python).absolute()
    commit, folder, module = GENERATIONS[given.generation]
    with tempfile.TemporaryDirectory() as scratch:
        if (given.repository / TESTS).is_dir():
            shutil.copytree(given.repository / TESTS, Path(scratch) / TESTS)
        else:
            archive = subprocess.run(
                ["git", f"--git-dir={given.repository}", "archive", commit, TESTS], check=True, capture_output=True
            )
            subprocess.run(["tar", "x"], input=archive.stdout, cwd=scratch, check=True)
        target = Path(scratch) / folder
        helpers = Path(scratch) / TESTS / "_utils"
        if helpers.is_dir():
            helpers.rename(target / "_utils")
        for path in target.rglob("*.py"):
            path.write_text(changed(path.read_text(), module))
        (target / "conftest.py").write_text("import sys\nsys.path.insert(0, __file__.rpartition('/')[0])\n")
        command = [str(python), "-m", "pytest", "-q", "-n", given.processes, "-p", "no:cacheprovider", "-W", "ignore"]
        command += [f"--rootdir={target}", "--continue-on-collection-errors", "."]
        return subprocess.run([*command, *([] if given.verbose else ["--tb=no"])], cwd=target).returncode


if __name__ == "__main__":
    sys.exit(main())
