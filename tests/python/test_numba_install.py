"""`import numba.cuda` as an import of `cuox.numba.cuda`."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from interpreter import python

KERNEL = """
import numpy as np
@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2
x = cuda.to_device(np.arange(4))
twice[1, 4](x)
print(x.copy_to_host().tolist())
"""


def other_numba(folder: Path) -> None:
    """A package that has Numba's name, and a CUDA of its own."""
    if importlib.util.find_spec("numba_cuda") is not None:
        pytest.skip("numba-cuda, which is installed, redirects all imports of numba.cuda")
    (folder / "numba" / "cuda").mkdir(parents=True)
    (folder / "numba" / "__init__.py").write_text("def njit(function):\n    return function\n")
    (folder / "numba" / "cuda" / "__init__.py").write_text("raise ImportError('not this one')\n")


def test_beside_an_installed_numba(tmp_path: Path) -> None:
    other_numba(tmp_path)
    (tmp_path / "prog.py").write_text(
        "from numba import cuda, njit\nimport numba, numba.cuda.cudadrv.driver as driver, cuox.numba.cuda\n"
        "assert cuda is numba.cuda is cuox.numba.cuda and driver is cuox.numba.cuda.cudadrv.driver\n"
        "assert njit.__module__ == 'numba'\n" + KERNEL
    )
    assert python("-m", "cuox.numba", "prog.py", cwd=tmp_path) == "[0, 2, 4, 6]\n"


def test_without_numba(tmp_path: Path) -> None:
    # Hidden, should it be installed.
    hide = "import importlib.util as u\nfind = u.find_spec\nu.find_spec = lambda n, *a: None if n == 'numba' else find(n, *a)\n"
    program = (
        hide + "import cuox.numba\ncuox.numba.install()\ncuox.numba.install()\nu.find_spec = find\n"
        "from numba import cuda, vectorize\nimport numba\nassert numba is cuox.numba\n" + KERNEL
    )
    assert python("-c", program, cwd=tmp_path) == "[0, 2, 4, 6]\n"


def test_after_another_one(tmp_path: Path) -> None:
    other_numba(tmp_path)
    (tmp_path / "numba" / "cuda" / "__init__.py").write_text("")
    text = python(
        "-c",
        "import numba.cuda\nimport cuox.numba\ntry:\n    cuox.numba.install()\nexcept RuntimeError as error:\n    print(error)",
        cwd=tmp_path,
    )
    assert "numba.cuda is already imported, from " in text
    assert "call cuox.numba.install() before anything imports numba.cuda" in text


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    other_numba(tmp_path)
    text = python("-m", "cuox.numba", "-c", "import numba.cuda.nothing", cwd=tmp_path, code=1)
    assert "No module named 'numba.cuda.nothing'" in text


def test_the_simulator_is_the_software_gpu(tmp_path: Path) -> None:
    program = "from cuox.numba import cuda\nimport cuox\nprint(cuox.Device().is_soft)"
    environment = {name: value for name, value in os.environ.items() if name != "CUOX_DEVICE"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**environment, "NUMBA_ENABLE_CUDASIM": "1"},
    )
    assert done.stdout == "True\n"
