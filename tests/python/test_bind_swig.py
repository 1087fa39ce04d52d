"""SWIG interface files: `cuox bind driver.i`, and what its directives do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cuox
from cuox import _native
from cuox.__main__ import main

pytest.importorskip("clang", reason="headers are read with libclang")

EXAMPLES = Path(__file__).parents[2] / "examples" / "tutorial"


def has_runtime() -> bool:
    """Tell whether there are CUDA's headers and a runtime for this device."""
    from cuox._internal import bound_cudart

    try:
        _native.find_headers("cudart")
        bound_cudart.find()
    except cuox.NotFoundError:
        return False
    return True


needs_runtime = pytest.mark.skipif(not has_runtime(), reason="CUDA's headers or a CUDA runtime are not there")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module that the tutorial's command writes."""
    folder = tmp_path_factory.mktemp("driver")
    for name in ("driver.i", "use_driver.py"):
        shutil.copy(EXAMPLES / name, folder)
    done = subprocess.run(
        [sys.executable, "-m", "cuox", "bind", "driver.i", "-l", "cudart", "-o", "driver.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return folder


@needs_runtime
def test_the_tutorial(written: Path) -> None:
    done = subprocess.run([sys.executable, "use_driver.py"], cwd=written, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    name, failure, last = done.stdout.splitlines()
    assert name == cuox.Device().name
    assert failure == "cudaMalloc() cudaErrorMemoryAllocation (2): out of memory"
    assert last == "the numbers are correct"


@needs_runtime
def test_the_module_can_be_moved(written: Path, tmp_path: Path) -> None:
    """It holds no absolute path, and needs neither the header nor libclang."""
    text = (written / "driver.py").read_text() + (written / "driver.pyi").read_text()
    assert '\n_LIBRARIES = ["cudart"]\n' in text
    assert str(written) not in text and sys.prefix not in text
    assert "# Made by: python -m cuox bind driver.i -l cudart -o driver.py" in text
    shutil.copy(written / "driver.py", tmp_path / "moved.py")
    script = "import moved, sys; p = moved.cudaMalloc(64); moved.cudaFree(p); assert 'clang' not in sys.modules; print(int(p) > 0)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "CUOX_LIBCLANG": "/nowhere"}
    )
    assert done.stdout == "True\n", done.stderr


@needs_runtime
def test_the_runtime_without_a_module() -> None:
    driver = cuox.bind("cudart", EXAMPLES / "driver.i")
    pointer = driver.cudaMalloc(64)
    numbers = np.arange(16, dtype=np.int32)
    driver.cudaMemcpy(pointer, numbers, 64, driver.cudaMemcpyHostToDevice)
    back = bytearray(64)
    driver.cudaMemcpy(back, pointer, 64, driver.cudaMemcpyDeviceToHost)
    assert bytes(back) == numbers.tobytes()
    with pytest.raises(ValueError, match="cudaMemcpy.*'dst'"):
        driver.cudaMemcpy(bytearray(8), pointer, 64, driver.cudaMemcpyDeviceToHost)
    assert driver.cudaGetDeviceProperties(0).name == cuox.Device().name
    pitched, pitch = driver.cudaMallocPitch(100, 4)
    assert pitch >= 100
    with driver.cudaStreamCreate() as stream, driver.cudaEventCreate() as first, driver.cudaEventCreate() as last:
        driver.cudaEventRecord(first, stream)
        driver.cudaMemsetAsync(pointer, 1, 64, stream)
        driver.cudaEventRecord(last, stream)
        driver.cudaStreamSynchronize(stream)
        assert driver.cudaEventElapsedTime(first, last) >= 0
    driver.cudaMemcpy(back, pointer, 64, driver.cudaMemcpyDeviceToHost)
    assert bytes(back) == b"\1" * 64
    with pytest.raises(cuox.CallError) as failure:
        driver.cudaSetDevice(10_000)
    assert failure.value.code is driver.cudaErrorInvalidDevice and failure.value.function == "cudaSetDevice"
    driver.cudaFree(pointer)
    driver.cudaFree(pitched)


@needs_runtime
def test_docstrings_are_read_by_people(written: Path) -> None:
    driver = cuox.bind("cudart", EXAMPLES / "driver.i")
    doc = driver.cudaMalloc.__doc__
    assert doc.startswith("Allocate memory on the device\n\nAllocates size bytes of linear memory on the device and returns in *devPtr a pointer")
    assert doc.endswith(
        "Parameters:\n    size: Requested allocation size in bytes\n\nReturns:\n    devPtr: Pointer to allocated device memory\n\n"
        "Raises CallError: cudaErrorInvalidValue, cudaErrorMemoryAllocation"
    )
    # No mark of Doxygen's is left anywhere, in the stub neither.
    stub = (written / "driver.pyi").read_text()
    assert not re.findall(r"\\\\[a-z_]+\b", stub)
    assert not re.findall(r"(?<![\w>])::[a-zA-Z]", stub)
    assert "notefnerr" not in stub and "note_init_rt" not in stub


def test_an_interface_is_known_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.i").write_text("%module a\nint f(int x);\n")
    (tmp_path / "b.i").write_text("%module b\n")
    assert main(["bind", str(tmp_path / "a.i"), "--explain", "f"]) == 0
    assert "f(x: int)" in capsys.readouterr().out
    assert main(["bind", str(tmp_path / "a.i"), str(tmp_path / "b.i"), "--table"]) == 2
    assert "one SWIG interface file" in capsys.readouterr().err
    assert main(["bind", str(tmp_path / "none.i"), "--table"]) == 1
    assert "none.i" in capsys.readouterr().err
