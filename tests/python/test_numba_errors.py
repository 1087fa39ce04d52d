"""What programs with mistakes in kernels in Python are told."""

from __future__ import annotations

import collections
import os
import pickle
import subprocess
import sys
import traceback
from pathlib import Path

import cuox
import numpy as np
import pytest
from cuox.numba import cuda

limit = 3


def told(function: object, *arguments: object) -> str:
    """The error of a launch with these arguments."""
    kernel = cuda.jit(function)
    with pytest.raises(cuox.KernelTypeError) as caught:
        kernel[1, 4](*(arguments or (cuda.to_device(np.zeros(4)),)))
    return str(caught.value)


def test_a_member_that_there_is_not() -> None:
    def capitals(x):
        x[cuda.threadidx.x] = 1

    def letters(x):
        x[cuda.threadIdx.x] = np.sinn(1.0)

    def nothing(x):
        x[cuda.threadIdx.x] = np.wobble(1.0)

    assert "did you mean 'cuda.threadIdx'?" in told(capitals)
    assert "did you mean 'numpy.sin'?" in told(letters)
    assert "help" not in told(nothing)


def test_a_name_that_there_is_not() -> None:
    def member(x):
        x[threadIdx.x] = 1

    def variable(x):
        length = 3
        x[0] = lenght + length

    def parameter(values):
        values[0] = value[1]

    def outside(x):
        x[0] = limits

    def builtin(x):
        x[0] = minn(1, 2)

    assert "name 'threadIdx' is not defined" in told(member) and "did you mean 'cuda.threadIdx'?" in told(member)
    assert "did you mean 'length'?" in told(variable)
    assert "did you mean 'values'?" in told(parameter)
    assert "did you mean 'limit'?" in told(outside)
    assert "did you mean 'min'?" in told(builtin)


class Settings:
    block_size = 7


def test_an_attribute_that_there_is_not() -> None:
    settings = Settings()

    def kernel(x):
        x[0] = settings.blocksize

    assert "did you mean 'block_size'?" in told(kernel)


def test_too_large_shared_arrays() -> None:
    def one(x):
        s = cuda.shared.array((100, 100), np.float64)
        s[0, 0] = x[0]
        x[1] = s[0, 0]

    def several(x):
        a = cuda.shared.array(5000, np.float64)
        for i in range(3):
            b = cuda.shared.array(2000, np.float32)
            b[i] = a[i] = x[i]
        x[1] = a[0] + b[0]

    text = told(one)
    assert "80000 bytes; a block has 49152" in text and "s = cuda.shared.array((100, 100), np.float64)" in text
    assert "shared.array(0, dtype)" in text
    # The loop's body is translated more than once.
    fits = cuda.jit(several)
    x = cuda.to_device(np.ones(4))
    fits[1, 1](x)
    assert x.copy_to_host()[1] == 2

    def both(x):
        a = cuda.shared.array(5000, np.float64)
        b = cuda.shared.array(2400, np.float32)
        a[0] = b[0] = x[0]
        x[1] = a[0] + b[0]

    text = told(both)
    assert "9600 bytes, with the other shared arrays of the kernel 49600" in text and "b = cuda.shared.array" in text


PROGRAM = """
import numpy as np
from cuox.numba import cuda

{kernel}

def main():
    x = {array}
    {launch}

main()
"""
WRONG = "@cuda.jit{}\ndef k(x):\n    x[0] = nothing_such"
RAISING = "@cuda.jit(debug=True, opt=False)\ndef k(x):\n    x[0] = x[7]"


def run(path: Path, kernel: str, array: str, **variables: str) -> list[str]:
    path.write_text(PROGRAM.format(kernel=kernel, array=array, launch="k[1, 1](x)"))
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=100, env={**os.environ, **variables}
    )
    assert done.returncode == 1
    return [line.strip() for line in done.stderr.splitlines() if line.startswith("  File")]


@pytest.mark.parametrize("array", ["cuda.to_device(np.zeros(4))", "np.zeros(4)"])
@pytest.mark.parametrize("kernel", [WRONG.format(""), RAISING], ids=["wrong", "raising"])
def test_tracebacks_end_in_the_program(tmp_path: Path, kernel: str, array: str) -> None:
    path = tmp_path / "program.py"
    lines = run(path, kernel, array)
    assert lines and all(line.startswith(f'File "{path}"') for line in lines)
    assert lines[1].endswith("in main")


@pytest.mark.parametrize("array", ["'text'", "object()"])
def test_tracebacks_of_refused_arguments_end_in_the_program(tmp_path: Path, array: str) -> None:
    path = tmp_path / "program.py"
    lines = run(path, WRONG.format(""), array)
    assert len(lines) >= 2 and all(line.startswith(f'File "{path}"') for line in lines)


# A function that its decorator, or a call, compiles; `x` is given to the call.
WITHOUT_LAUNCH = {
    "a signature": ('@cuda.jit("void(float64[:])")\ndef k(x):\n    x[0] = nowhere\n', ""),
    "a wrong signature": ('@cuda.jit("void(float46[:])")\ndef k(x):\n    x[0] = 1\n', ""),
    "forall": ("@cuda.jit\ndef k(x):\n    x[0] = nowhere\n", "k.forall(4)(x)"),
    "vectorize": ("@vectorize(target='cuda')\ndef k(x):\n    return nowhere\n", "k(x)"),
    "vectorize with a type": (
        "@vectorize(['float64(float64)'], target='cuda')\ndef k(x):\n    return nowhere\n",
        "k(x)",
    ),
    "reduce": ("@cuda.reduce\ndef k(x, y):\n    return nowhere\n", "k(x)"),
    "compile": ("def k(x):\n    x[0] = nowhere\n", "cuda.compile_ptx(k, (types.float64[:],))"),
}


@pytest.mark.parametrize("name", WITHOUT_LAUNCH)
def test_tracebacks_of_what_else_compiles_end_in_the_program(tmp_path: Path, name: str) -> None:
    path = tmp_path / "program.py"
    kernel, call = WITHOUT_LAUNCH[name]
    path.write_text(
        "import numpy as np\nfrom cuox.numba import cuda, types, vectorize\n\n"
        f"{kernel}\ndef main():\n    x = np.zeros(4)\n    {call or 'pass'}\n\nmain()\n"
    )
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 1, done.stderr
    frames = [line.strip() for line in done.stderr.splitlines() if line.startswith("  File")]
    assert frames and all(line.startswith(f'File "{path}"') for line in frames), done.stderr
    assert ("float46" if "wrong" in name else "nowhere") in done.stderr.partition("Error: ")[2]


def test_full_tracebacks(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    lines = run(path, WRONG.format(""), "np.zeros(4)", NUMBA_FULL_TRACEBACKS="1")
    assert sum("_dispatcher.py" in line for line in lines) > 1


def test_errors_of_cuox_keep_their_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    @cuda.jit
    def kernel(x):
        x[0] = 1

    monkeypatch.setattr(type(kernel), "_version", lambda self, types, launch: types.no_such_attribute)
    with pytest.raises(AttributeError) as caught:
        kernel[1, 1](np.zeros(3))
    assert "_dispatcher.py" in "".join(traceback.format_exception(caught.value))


def test_errors_of_the_programs_own_properties_keep_their_frames() -> None:
    class Given:
        @property
        def __cuda_array_interface__(self):
            raise KeyError("nothing here")

    @cuda.jit
    def kernel(x):
        x[0] = 1

    with pytest.raises(KeyError) as caught:
        kernel[1, 1](Given())
    assert "in __cuda_array_interface__" in "".join(traceback.format_exception(caught.value))


def test_a_call_without_a_configuration_shows_no_frame_of_cuox() -> None:
    @cuda.jit
    def kernel(x):
        x[0] = 1

    with pytest.raises(ValueError, match=r"Use the syntax: kernel\[blocks, threads\]\(\.\.\.\)$") as caught:
        kernel(np.zeros(3), more=1)
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)] == [
        "test_a_call_without_a_configuration_shows_no_frame_of_cuox"
    ]


def test_arguments_that_are_no_arrays_but_could_be_made_some() -> None:
    class Tensor:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return np.zeros(3)

    @cuda.jit
    def kernel(x):
        x[0] = 1

    with pytest.raises(TypeError, match=r"argument 1: a kernel cannot take .*Tensor: give numpy.asarray\(\) of it"):
        kernel[1, 1](Tensor())
    with pytest.raises(TypeError, match=r"a kernel cannot take object$"):
        kernel[1, 1](object())


def test_the_classes_are_public() -> None:
    assert repr(cuox.KernelTypeError) == "<class 'cuox.KernelTypeError'>"
    error = pickle.loads(pickle.dumps(cuox.KernelTypeError("text")))
    assert type(error) is cuox.KernelTypeError and str(error) == "text"
    assert issubclass(cuox.GeneratedCodeError, cuox.CompileError) and issubclass(cuox.KernelSourceError, ValueError)


class Unknown:
    pass


Pair = collections.namedtuple("Pair", "x y")


def test_classes_that_kernels_can_tell() -> None:
    @cuda.jit
    def told(out, pair):
        out[0] = isinstance(pair, Pair)
        out[1] = isinstance(pair, (int, tuple))
        out[2] = isinstance(pair.x, Pair)
        out[3] = isinstance(pair.x, (list, str))
        out[4] = isinstance(out, np.ndarray)

    @cuda.jit
    def unknown(out, pair):
        out[0] = isinstance(pair, Unknown)

    @cuda.jit
    def kind(out, pair):
        out[0] = isinstance(pair.x, np.floating)

    out = cuda.to_device(np.zeros(5, np.int32))
    told[1, 1](out, Pair(1, 2.0))
    assert out.copy_to_host().tolist() == [1, 1, 0, 0, 1]
    for kernel in (unknown, kind):
        with pytest.raises(Exception, match="isinstance: kernels cannot tell what is of"):
            kernel[1, 1](out, Pair(1, 2.0))
