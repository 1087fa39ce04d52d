"""Run numba-cuda's own tests with `cuox.numba.cuda` in its place: `python tools/numba_suite.py --cuox`.

The tests' folder is copied to a temporary package whose imports name cuox instead; peer_suite.py runs its files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from peer_suite import LACKING, Suite, Table, guarded

PARTS = ["cudapy", "cudadrv", "nocuda", "doc_examples"]
PACKAGE = "numba_tests"
TABLE = Path(__file__).with_suffix("").with_name("numba_suite.toml")

# In this order: the tests' own modules first, then the rest of the peer.
RENAMED = [
    (r"\bnumba\.cuda\.tests\b", PACKAGE),
    (r"\bnumba\.cuda\.testing\b", f"{PACKAGE}.testing"),
    (r"\bnumba\.cuda\._compat\b", f"{PACKAGE}._compat"),
    (r"\bnumba\.core\.errors\b", "cuox.numba.cuda.core.errors"),
    (r"\bfrom cuda\.core\._utils\.cuda_utils import CUDAError\b", "from cuox import CUDAError"),
    (r"\bfrom cuda\.core\._utils\.cuda_utils import NVRTCError\b", "from cuox import CompileError as NVRTCError"),
    (r"\bfrom cuda\.core import\b", "from cuox.cuda.core import"),
    (r"\bfrom numba\.core import\b", "from cuox.numba import"),
    (r"\bfrom numba import\b", "from cuox.numba import"),
    (r"^(\s*)import numba\s*$", r"\1import cuox.numba as numba"),
    (r"(?<![\w./])numba\.cuda\b", "cuox.numba.cuda"),
    (r"^(\s*)from numba\.", r"\1from cuox.numba."),
    (r"\bcffi_utils\.SUPPORTED\b", '(__import__("importlib.util").util.find_spec("cffi") is not None)'),
]

# What of a test case the peer's support module has and cuox's does not: exact comparisons.
TESTING = """
from cuox.numba.cuda import testing as _testing
from cuox.numba.cuda.testing import *
from . import support as _support
from pathlib import Path as _Path

globals().update({name: value for name, value in vars(_testing).items() if not name.startswith("__")})
test_data_dir = _Path(__file__).parent / "data"

class CUDATestCase(_support.TestCase, _testing.CUDATestCase):
    FLOAT16_RTOL = 0.000977
"""


def translated(text: str, quiet: bool) -> str:
    """The source of a module of tests with its imports changed."""
    for pattern, replacement in RENAMED:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    future = [line for line in text.split("\n") if line.startswith("from __future__")]
    rest = "\n".join("" if line in future else line for line in text.split("\n"))
    return "\n".join([*future, guarded(rest, quiet, ("cuox.numba", "llvmlite"), f"{PACKAGE}._lacking")])


def tests_folder(given: Path, scratch: Path) -> Path:
    """The folder `tests` of a wheel, of an unpacked or installed one, or the folder itself."""
    if given.suffix == ".whl":
        with zipfile.ZipFile(given) as archive:
            archive.extractall(scratch, [name for name in archive.namelist() if "numba/cuda/tests/" in name])
        given = scratch
    if (given / "cudapy").is_dir():
        return given
    for folder in ["numba_cuda/numba/cuda/tests", "numba/cuda/tests", "cuda/tests", "tests"]:
        if (given / folder / "cudapy").is_dir():
            return given / folder
    raise SystemExit(
        f"{given}: expected the wheel of numba-cuda, a folder that it is unpacked in, or its folder `tests`"
    )


def copied(tests: Path, target: Path) -> None:
    """The package with changed imports."""
    shutil.copytree(tests, target, ignore=shutil.ignore_patterns("__pycache__"))
    for path in target.rglob("*.py"):
        # Modules that tests share register types when they are imported, which few of those tests are about.
        quiet = not path.name.startswith("test_")
        path.write_text(translated(path.read_text(), quiet))
    (target / "__init__.py").write_text(
        "def load_testsuite(loader, dir):\n    raise ImportError('for unittest only')\n"
    )
    (target / "testing.py").write_text(TESTING)
    (target / "_compat.py").write_text(
        "import cuda.core\nCUDA_CORE_GE_1_0 = int(cuda.core.__version__.split('.')[0]) >= 1\n"
    )
    (target / "_lacking.py").write_text(LACKING)


def run(
    given: Path,
    python: str,
    parts: list[str],
    *,
    memory: str,
    processes: int,
    seconds: int,
    gpu: bool,
    verbose: bool,
    report: Path | None,
) -> int:
    """Run the parts, print a table. 0 if at least nine of ten tests passed."""
    table = Table(TABLE)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "suite"
        folder.mkdir()
        copied(tests_folder(given, Path(scratch)), folder / PACKAGE)
        names = []
        for part in parts:
            path = part.replace(".", "/")
            found = sorted((folder / PACKAGE / path).glob("test_*.py")) or [
                folder / PACKAGE / f"{path.removesuffix('/py')}.py"
            ]
            names += [str(one.relative_to(folder / PACKAGE)) for one in found]
        environment = dict(os.environ)
        if not gpu:
            environment |= {"CUOX_SOFT_MEMORY": memory, "CUOX_DEVICE": "soft"}
        suite = Suite(folder, PACKAGE, python, table, seconds=seconds, environment=environment)
        with ThreadPoolExecutor(processes) as pool:
            files = {}
            print(f"{'file':44} {'passed':>7} {'failed':>7} {'skipped':>8} {'left out':>9}", flush=True)
            for name, counted in zip(names, pool.map(suite.file, names), strict=True):
                files[name] = counted
                print(
                    f"{name:44} {counted.count('passed'):7} {counted.count('failed'):7} {counted.count('skipped'):8} {counted.left_out:9}",
                    flush=True,
                )
                if verbose:
                    for test, outcome in counted.outcomes.items():
                        if outcome == "failed":
                            print(f"    {test}: {(counted.reasons[test].splitlines() or [''])[0][:220]}", flush=True)
    passed, failed, skipped = (
        sum(one.count(outcome) for one in files.values()) for outcome in ("passed", "failed", "skipped")
    )
    print(f"{'all':44} {passed:7} {failed:7} {skipped:8} {sum(one.left_out for one in files.values()):9}")
    share = passed / max(passed + failed, 1)
    print(f"{share:.1%} of the tests that count passed")
    if set(parts) == set(PARTS):
        for pattern, _ in table.rules:
            if not table.used[pattern]:
                print(f"{TABLE.name}: no test matches {pattern!r}", file=sys.stderr)
    if report is not None:
        report.write_text(
            json.dumps(
                {
                    name: {"outcomes": one.outcomes, "reasons": one.reasons, "left_out": one.left_out}
                    for name, one in files.items()
                },
                indent=1,
            )
        )
    return 0 if share >= 0.9 else 1
