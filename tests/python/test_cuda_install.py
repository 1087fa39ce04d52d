"""`import cuda.bindings` and so on as imports of cuox's modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from interpreter import python

# Hides an installed `cuda`, which is a folder that distributions share.
ALONE = (
    "import importlib.util as u\nfind = u.find_spec\nu.find_spec = lambda n, *a: None if n == 'cuda' else find(n, *a)\n"
)
INSTALL = "import cuox.cuda\ncuox.cuda.install()\ncuox.cuda.install()\n"

LAUNCH = """
import ctypes
err, = driver.cuInit(0)
err, device = driver.cuDeviceGet(0)
err, context = driver.cuDevicePrimaryCtxRetain(device)
err, = driver.cuCtxSetCurrent(context)
err, program = nvrtc.nvrtcCreateProgram(b'extern "C" __global__ void put(int *out, int x) { *out = 2 * x; }', b"", 0, [], [])
err, = nvrtc.nvrtcCompileProgram(program, 0, [])
err, size = nvrtc.nvrtcGetPTXSize(program)
ptx = bytearray(size)
err, = nvrtc.nvrtcGetPTX(program, ptx)
err, module = driver.cuModuleLoadData(ptx)
err, kernel = driver.cuModuleGetFunction(module, b"put")
err, memory = driver.cuMemAlloc(4)
parameters = ((memory, 21), (None, ctypes.c_int))
err, = driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0)
assert err == driver.CUresult.CUDA_SUCCESS
out = ctypes.c_int()
err, = runtime.cudaMemcpy(ctypes.addressof(out), memory, 4, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost)
assert err == runtime.cudaError_t.cudaSuccess
print(out.value)
"""


def test_imports_give_the_same_modules(tmp_path: Path) -> None:
    program = (
        ALONE
        + INSTALL
        + """
import cuda, cuda.core, cuda.pathfinder as pathfinder, cuda.compute, cuda.coop._experimental
from cuda import bindings
from cuda.bindings import driver
assert cuda is cuox.cuda
assert cuda.core is cuox.cuda.core and pathfinder is cuox.cuda.pathfinder and bindings is cuox.cuda.bindings
import cuox.cuda.bindings.driver, cuox.cuda.compute
assert driver is cuox.cuda.bindings.driver and cuda.compute is cuox.cuda.compute
assert cuda.coop._experimental.block.make_sum is cuox.cuda.coop.block.sum
import cuda.cooperative.experimental as cudax, cuda.parallel.experimental as parallel, cuda.coop.numba_mlir
assert cudax.block.sum is cuda.coop.block.sum and parallel.OpKind is cuda.compute.OpKind
assert cuda.coop.numba_mlir.sum is cuda.coop.sum
assert driver.__spec__.name == "cuox.cuda.bindings.driver"
print("same")
"""
    )
    assert python("-c", program, cwd=tmp_path) == "same\n"


def test_program(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("from cuda.bindings import driver, nvrtc, runtime\n" + LAUNCH)
    assert python("-m", "cuox.cuda", "prog.py", cwd=tmp_path) == "42\n"


def test_former_names_of_the_bindings(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(
        "from cuda import cuda as driver, cudart as runtime, nvrtc\nimport cuda.cuda\n"
        "assert cuda.cuda is driver and driver.__name__ == 'cuox.cuda.bindings.driver'\n" + LAUNCH
    )
    assert python("-m", "cuox.cuda", "prog.py", cwd=tmp_path) == "42\n"


def test_beside_parts_of_others(tmp_path: Path) -> None:
    for part in ("bindings", "tiles"):
        (tmp_path / "cuda" / part).mkdir(parents=True)
        (tmp_path / "cuda" / part / "__init__.py").write_text("name = 'another one'\n")
    program = INSTALL + "import cuda.tiles, cuda.bindings\nprint(cuda.tiles.name, cuda.bindings.__name__)"
    assert python("-c", program, cwd=tmp_path) == "another one cuox.cuda.bindings\n"


def test_after_another_one(tmp_path: Path) -> None:
    (tmp_path / "cuda" / "pathfinder").mkdir(parents=True)
    program = (
        "import cuda.pathfinder\nimport sys, cuox.cuda\ntry:\n    cuox.cuda.install()\nexcept RuntimeError as error:\n    print(error)\n"
        # Nothing was put in place of the others either.
        "print([finder for finder in sys.meta_path if 'cuox' in type(finder).__module__])"
    )
    text = python("-c", program, cwd=tmp_path)
    assert "cuda.pathfinder is already imported, from " in text
    assert "call cuox.cuda.install() before anything imports cuda.pathfinder" in text
    assert text.endswith("\n[]\n")


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    text = python("-m", "cuox.cuda", "-c", "import cuda.bindings.nothing", cwd=tmp_path, code=1)
    assert "No module named 'cuda.bindings.nothing'" in text


def test_several_stand_ins(tmp_path: Path) -> None:
    program = "import sys, pycuda.driver\nfrom cuda import cudart\nprint(__name__, sys.argv[1:], pycuda.__name__, cudart.__name__)"
    (tmp_path / "both.py").write_text(program)
    text = python("-m", "cuox.pycuda", "-m", "cuox.cuda", "-m", "both", "a", cwd=tmp_path)
    assert text == "__main__ ['a'] cuox.pycuda cuox.cuda.bindings.runtime\n"


@pytest.mark.parametrize("stand_ins", [["cuox.pycuda"], ["cuox.pycuda", "cuox.numba", "cuox.cuda"]])
def test_a_traceback_begins_in_the_program(stand_ins: list[str], tmp_path: Path) -> None:
    """As with `python program.py`."""
    (tmp_path / "fails.py").write_text("def inner():\n    raise KeyError(3)\n\ninner()\n")
    (tmp_path / "broken.py").write_text("def (:\n")
    options = [word for name in stand_ins for word in ("-m", name)]
    for name in ("fails.py", "broken.py"):
        program = str(tmp_path / name)
        assert python(*options, program, cwd=tmp_path, code=1) == python(program, cwd=tmp_path, code=1)
    text = python(*options, "-m", "fails", cwd=tmp_path, code=1)
    assert text.splitlines()[1].startswith(f'  File "{tmp_path / "fails.py"}", line 4, in <module>')
    text = python(*options, "-c", "raise KeyError(4)", cwd=tmp_path, code=1)
    assert text.splitlines() == [
        "Traceback (most recent call last):",
        '  File "<string>", line 1, in <module>',
        "KeyError: 4",
    ]


def test_workers_of_multiprocessing(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(
        "import multiprocessing, cuda.bindings.driver as driver, pycuda\n"
        "def work(number):\n"
        "    return driver.__name__, pycuda.__name__, number\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map_async(work, [1]).get(timeout=60))\n"
    )
    text = python("-m", "cuox.pycuda", "-m", "cuox.cuda", "prog.py", cwd=tmp_path)
    assert text == "[('cuox.cuda.bindings.driver', 'cuox.pycuda', 1)]\n"
