"""Run the tests of NVIDIA's cuda.core with `cuox.cuda.core` in its place.

    python tools/core_suite.py cuda-python/.git python          # the bare or plain repository of NVIDIA/cuda-python,
                                                                and an interpreter that has cuox and pytest
    python tools/core_suite.py cuda-python/.git python test_memory graph/test_graph_builder
    python tools/core_suite.py cuda-python/.git python --verbose --report FILE

Prints a line for each file, and the reasons of what failed and what was skipped, with how many of each. Exits with 1 if
a test fails, as some do for the reasons in docs/compatibility.md. core_suite.toml lists the tests that are about the
insides of the peer, with reasons: they are left out. Nothing of the peer is kept.

The tests' folder is copied to a temporary one, with its imports changed. A name that tests take from a private module
of the peer is the public one if there is such, or one of a few lines here, else it is missing, as all that cuox lacks:
the tests that use it fail.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from peer_suite import LACKING, Counted, Suite, Table, guarded, shortened

HELPERS = "cuda_bindings/cuda/bindings/_test_helpers"
FOLDERS = ["cuda_core/tests", "cuda_python_test_helpers", HELPERS]
PACKAGE = FOLDERS[0]
TABLE = Path(__file__).with_suffix(".toml")
PRIVATE, MISSING = "core_suite_private", "core_suite_missing"

# In this order: the private modules first.
RENAMED = [
    # Helpers that are in the peer's bindings, and an error there of functions that a library lacks.
    (r"^( *)from cuda\.bindings\._test_helpers\b", rf"\1from {HELPERS.replace('/', '.')}"),
    (r"^( *)from cuda\.bindings\._internal\.utils import F", r"\1from cuox.cuda.bindings.nvml import F"),
    (r"^( *)from cuda\.core(\.\w+)?\._[\w.]+ import", rf"\1from {PRIVATE} import"),
    (r"^( *)import cuda\.core(\.\w+)?\._[\w.]+ as", rf"\1import {PRIVATE} as"),
    (r"\b_linker\._decide_nvjitlink_or_driver\(\)", f'__import__("{PRIVATE}").links_by_driver()'),
    (r'hasattr\(_device\._tls, "devices"\)', "False"),
    (r"\bObjectCode\._init\(", f'__import__("{PRIVATE}").object_code('),
    (r"\bcuda\.core((?:\.\w+)?)\._[a-z]\w*\.(?=[A-Z])", r"cuda.core\1."),
    (r"^( *)from cuda import (\w+)", r"\1from cuox.cuda import \2"),
    (r"^( *)from cuda\.(core|bindings|pathfinder)\b", r"\1from cuox.cuda.\2"),
    (r"^( *)import cuda\.(core|bindings|pathfinder)([\w.]*) as", r"\1import cuox.cuda.\2\3 as"),
    (
        r"^( *)import cuda\.(core|bindings|pathfinder)([\w.]*)$",
        r"\1import cuox.cuda.\2\3; import cuox.cuda as cuda",
    ),
    (r'"cuda\.(core|bindings|pathfinder)\b', r'"cuox.cuda.\1'),
]

# What tests and their helpers use of the peer's private modules all the time.
PRIVATE_NAMES = f"""
from enum import IntEnum
import numpy
import cuox.cuda.core as core
from cuox import CUDAError, CompileError as NVRTCError, ComputeCapability
from cuox.cuda.bindings import driver, nvrtc, runtime
from cuox._native import _StridedLayout
from cuox._internal.memory.views import _StridedMemoryViewProxy
from cuox._internal.memory import sharing
from cuox._internal import tensor_maps
from cuox._internal.tensor_maps import (
    TensorMapDataType, TensorMapIm2ColWideMode, TensorMapInterleave, TensorMapL2Promotion, TensorMapOOBFill, TensorMapSwizzle
)
from cuox._internal.memory.sharing import IPCAllocationHandle, IPCBufferDescriptor, IPCEventDescriptor
from cuox.cuda.core.utils import StridedMemoryView
from {MISSING} import Lacking

view_as_cai = StridedMemoryView.from_cuda_array_interface
view_as_array_interface = StridedMemoryView.from_array_interface

_require_view_device = tensor_maps._check_device
_NUMPY_DTYPE_TO_TMA = {{
    numpy.dtype(name): kind for name, kind in tensor_maps._BY_DTYPE.items() if hasattr(numpy, name)
}}

def _get_nvvm_module():
    from cuox.cuda.bindings import nvvm

    nvvm.version()
    return nvvm

class DLDeviceType(IntEnum):
    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLCUDAManaged = 13

def _get_int_attr(buffer, attribute):
    return handle_return(driver.cuMemRangeGetAttribute(4, attribute, int(buffer.handle), buffer.size))

def handle_return(result, handle=None):
    code, *values = result
    if isinstance(code, nvrtc.nvrtcResult):
        if code != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise NVRTCError(code.name)
    elif code.value:
        raise CUDAError(code.name, code.value, code.name)
    return tuple(values) if len(values) > 1 else values[0] if values else None

def binding_version():
    return 13, 0, 0

def driver_version():
    number = handle_return(driver.cuDriverGetVersion())
    return number // 1000, number % 1000 // 10, number % 10

def _can_load_generated_ptx():
    return True

def Stream_accept(stream, allow_stream_protocol=False):
    if not hasattr(stream, "__cuda_stream__"):
        core.Device().default_stream.wait(stream)  # raises what cuox says of it
    return stream

def object_code(code, code_type, *, name="", symbol_mapping=None):
    # A cubin of the software GPU is PTX.
    kind = "ptx" if bytes(code).lstrip()[:2] in (b"//", b".v") else code_type
    return core.ObjectCode._restore(kind, bytes(code), name, symbol_mapping or {{}}, None, None)

def links_by_driver():
    return core.Linker.which_backend() == "driver"

_deep_reduce_device_memory_resource = sharing._device_resource_for_process
_reduce_allocation_handle = sharing._handle_for_process
_reduce_event = sharing._event_for_process
check_multiprocessing_start_method = sharing._Fork.warn

def reset_fork_warning():
    sharing._Fork.warned = False

def default_stream():
    return core.LEGACY_DEFAULT_STREAM

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(core, name, None) or Lacking("private name " + name)
"""

COLLECTED = f"""

def pytest_collection_finish(session):
    from {MISSING} import Lacking
    Lacking.collecting = False
"""


def translated(text: str) -> str:
    """The source of a test with its imports changed."""
    for pattern, replacement in RENAMED:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    future = [line for line in text.split("\n") if line.startswith("from __future__")]
    rest = "\n".join("" if line in future else line for line in text.split("\n"))
    return "\n".join([*future, guarded(rest, False, ("cuox.cuda",), MISSING)])


def copied(repository: Path, target: Path) -> None:
    """The tests with changed imports, and what stands for the peer's private modules."""
    archive = subprocess.run(
        ["git", f"--git-dir={repository}", "archive", "HEAD", *FOLDERS], check=True, capture_output=True
    )
    subprocess.run(["tar", "x"], input=archive.stdout, cwd=target, check=True)
    for path in target.rglob("*.py"):
        path.write_text(translated(path.read_text()))
    conftest = target / PACKAGE / "conftest.py"
    conftest.write_text(conftest.read_text() + COLLECTED)
    (target / f"{PRIVATE}.py").write_text(PRIVATE_NAMES)
    (target / f"{MISSING}.py").write_text(f"{LACKING}\nLacking.collecting = True\n")


def print_reasons(files: dict[str, Counted], outcome: str, most: int) -> None:
    """Print why tests failed or were skipped, the most frequent reasons first."""
    counts = Counter(
        shortened(one.reasons[test]) for one in files.values() for test, got in one.outcomes.items() if got == outcome
    )
    print(f"\n{outcome}, by reason")
    for reason, count in counts.most_common(most):
        print(f"{count:6} {reason}")
    if len(counts) > most:
        print(f"{sum(count for _, count in counts.most_common()[most:]):6} of {len(counts) - most} other reasons")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repository", type=Path, help="the .git folder of NVIDIA/cuda-python")
    parser.add_argument("python", help="an interpreter that has cuox and pytest")
    parser.add_argument("files", nargs="*", help="test files, without .py")
    parser.add_argument("--report", type=Path, help="a file for all outcomes, as JSON")
    parser.add_argument("--processes", type=int, default=2, help="the number of processes that run tests")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for a test")
    parser.add_argument("--reasons", type=int, default=40, help="the number of reasons to print of each kind")
    parser.add_argument("--gpu", action="store_true", help="use the driver that there is")
    parser.add_argument("--verbose", action="store_true", help="show why each test failed")
    given = parser.parse_intermixed_args()
    table = Table(TABLE)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        copied(given.repository, folder)
        tests = folder / PACKAGE
        names = [f"{name}.py" for name in given.files]
        names = names or sorted(str(path.relative_to(tests)) for path in tests.rglob("test_*.py"))
        environment = dict(os.environ)
        if not given.gpu:
            environment |= {"CUOX_DEVICE": "soft", "CUOX_SOFT_MEMORY": "2G"}
        python = str(Path(shutil.which(given.python) or given.python).absolute())
        suite = Suite(
            folder,
            PACKAGE,
            python,
            table,
            seconds=given.timeout,
            environment=environment,
            # The software GPU reserves addresses; with a GPU, NVIDIA's driver reserves far more.
            memory=None if given.gpu else 30 * 10**9,
        )
        print(f"{'file':44} {'passed':>7} {'failed':>7} {'skipped':>8} {'left out':>9}", flush=True)
        files: dict[str, Counted] = {}
        with ThreadPoolExecutor(given.processes) as pool:
            for name, counted in zip(names, pool.map(suite.file, names), strict=True):
                files[name] = counted
                print(f"{name:44} {row(counted)}", flush=True)
                for test, outcome in counted.outcomes.items() if given.verbose else ():
                    if outcome == "failed":
                        print(f"    {test}: {(counted.reasons[test].splitlines() or [''])[0][:220]}", flush=True)
    whole = Counted()
    for name, one in files.items():
        whole.outcomes.update({f"{name}::{test}": outcome for test, outcome in one.outcomes.items()})
        whole.left_out += one.left_out
    print(f"{'all':44} {row(whole)}")
    for outcome in ("failed", "skipped"):
        print_reasons(files, outcome, given.reasons)
    if given.report is not None:
        given.report.write_text(
            json.dumps({name: {"outcomes": one.outcomes, "reasons": one.reasons} for name, one in files.items()})
        )
    return 1 if whole.count("failed") else 0


def row(counted: Counted) -> str:
    """The numbers of a file."""
    passed, failed, skipped = (counted.count(outcome) for outcome in ("passed", "failed", "skipped"))
    return f"{passed:7} {failed:7} {skipped:8} {counted.left_out:9}"


if __name__ == "__main__":
    sys.exit(main())
