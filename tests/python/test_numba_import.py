"""`cuox.numba.cuda` beside an installed numba-cuda."""

import subprocess
import sys
from pathlib import Path

# What numba-cuda's own finder does with names that have "numba.cuda" in them, in short: it looks in another place.
REDIRECTOR = """
import sys

class Finder:
    def find_spec(self, name, path, target=None):
        if "numba.cuda" in name:
            raise RecursionError(name)

sys.meta_path.insert(0, Finder())
"""


def test_the_redirector_of_numba_cuda_is_passed(tmp_path: Path) -> None:
    (tmp_path / "_numba_cuda_redirector.py").write_text(REDIRECTOR)
    program = "import sys; sys.path.insert(0, sys.argv[1]); import _numba_cuda_redirector; from cuox.numba import cuda; from cuox.numba.cuda import types; print(cuda.jit, hasattr(cuda, 'nothing_of_the_kind'))"
    result = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "jit" in result.stdout and "False" in result.stdout


def test_the_redirector_is_not_asked_for_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "_numba_cuda_redirector.py").write_text(REDIRECTOR)
    program = "import sys; sys.path.insert(0, sys.argv[1]); import _numba_cuda_redirector; import importlib.util; from cuox.numba import install; install(); import numba.cuda; print(numba.cuda.__name__, importlib.util.find_spec('numba.cuda.nothing'))"
    result = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["cuox.numba.cuda", "None"]
