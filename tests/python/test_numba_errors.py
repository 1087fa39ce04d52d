"""What kernels in Python say: exceptions and output of running ones, reports of the memory check, and errors of those
that cannot be translated.
"""

from __future__ import annotations

import importlib
import math
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox._internal.kernel_errors import GeneratedCodeError, generated
from cuox.numba import cuda
from cuox.numba import types as numba_types
from cuox.numba.cuda.core.errors import TypingError

# Exceptions


def test_an_assert() -> None:
    @cuda.jit(debug=True)
    def kernel(x):
        i = cuda.grid(1)
        assert x[i] < 5, "too large"

    kernel[1, 4](cuda.to_device(np.arange(4)))
    with pytest.raises(AssertionError, match="too large"):
        kernel[2, 4](cuda.to_device(np.arange(8)))


def test_a_raise() -> None:
    @cuda.jit(debug=True)
    def kernel(x):
        i = cuda.grid(1)
        if x[i] == 5:
            raise ValueError("five is not wanted")

    with pytest.raises(ValueError, match="five is not wanted") as caught:
        kernel[2, 4](cuda.to_device(np.arange(8)))
    assert caught.value.block == (1, 0, 0) and caught.value.thread == (1, 0, 0)
    assert "In function 'kernel', file" in str(caught.value) and "test_numba_errors.py, line" in str(caught.value)
    kernel[1, 4](cuda.to_device(np.arange(4)))


def test_a_raise_of_ones_own() -> None:
    class Unwanted(Exception):
        pass

    @cuda.jit
    def kernel(x):
        if x[cuda.grid(1)] == 1:
            raise Unwanted("one")

    kernel[1, 4](cuda.to_device(np.arange(4)))
    with pytest.raises(Unwanted, match="one"):
        cuda.synchronize()


def test_boundscheck() -> None:
    @cuda.jit(boundscheck=True, debug=True)
    def kernel(x, i):
        x[i] = 1

    kernel[1, 1](cuda.to_device(np.zeros(4)), 3)
    with pytest.raises(IndexError):
        kernel[1, 1](cuda.to_device(np.zeros(4)), 4)


def test_division_by_zero() -> None:
    @cuda.jit(debug=True)
    def kernel(x, a, b):
        x[0] = a // b

    with pytest.raises(ZeroDivisionError):
        kernel[1, 1](cuda.to_device(np.zeros(4)), 1, 0)


# Output


PRINTS = """
from cuox.numba import cuda
from cuox.numba.cuda.core.errors import TypingError

@cuda.jit
def kernel(a, b, pair):
    print('hello', a, b, a > 2)
    print(f'{a} and {b:.3f} and {pair[0]:5d}|{a + 1=}')
    print(pair, sep='')
    print(a, b, sep=', ', end='!\\n')

kernel[1, 1](3, 0.25, (1, 2.5))
cuda.synchronize()
"""


def test_print(run_script: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PRINTS)
    result = run_script(f"import runpy; runpy.run_path({str(path)!r}, run_name='__main__')")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [
        "hello 3 0.250000 True",
        "3 and 0.250 and     1|a + 1=4",
        "(1, 2.500000)",
        "3, 0.250000!",
    ]


OUTSIDE = """
import numpy as np
from cuox.numba import cuda
from cuox.numba.cuda.core.errors import TypingError

@cuda.jit
def kernel(n, x):
    i = cuda.grid(1)
    x[i] = n  # here

kernel[1, 64](5, cuda.to_device(np.zeros(4)))
cuda.synchronize()
"""


def test_memory_checks_name_the_line_and_the_variable(
    device: cuox.Device, run_script: Callable[..., Any], tmp_path: Path
) -> None:
    if not device.is_soft:
        pytest.skip("about the software GPU")
    path = tmp_path / "program.py"
    path.write_text(OUTSIDE)
    line = 1 + OUTSIDE.splitlines().index("    x[i] = n  # here")
    result = run_script(f"import runpy; runpy.run_path({str(path)!r}, run_name='__main__')", CUOX_SOFT_CHECK="memory")
    assert result.returncode
    assert (
        f"({path}:{line})" in result.stderr
        and "write of size 8 bytes" in result.stderr
        and "thread (4, 0, 0)" in result.stderr
    ), result.stderr
    assert "which parameter 1 (x) points to)" in result.stderr, result.stderr


class TwoArguments(Exception):
    def __init__(self, first: Any, second: Any) -> None:
        super().__init__(first, second)


def test_arguments_of_exceptions() -> None:
    @cuda.jit(debug=True)
    def several(x):
        raise ValueError("it's \\\n bad", 5, 2.5, True)

    @cuda.jit(debug=True)
    def own(x):
        raise TwoArguments(1, "two")

    x = cuda.to_device(np.zeros(1))
    with pytest.raises(ValueError) as caught:
        several[1, 1](x)
    assert caught.value.args[0].endswith(": it's \\\n bad") and caught.value.args[1:] == (5, 2.5, True)
    with pytest.raises(TwoArguments) as other:
        own[1, 1](x)
    assert other.value.args[0].endswith(": 1") and other.value.args[1] == "two"


def test_each_thread_of_python_gets_its_exceptions() -> None:
    @cuda.jit(debug=True)
    def bad(x):
        raise ValueError("bad")

    x, raised = cuda.to_device(np.zeros(1)), []

    def work() -> None:
        stream = cuda.stream()
        for _ in range(5):
            try:
                bad[1, 1, stream](x)
            except ValueError:
                raised.append(1)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(raised) == 15


def test_exceptions_are_not_lost_by_waiting_for_another_stream() -> None:
    @cuda.jit
    def slow(x, n):
        for i in range(n):
            x[0] += i
        raise ValueError("late")

    first, second = cuda.stream(), cuda.stream()
    slow[1, 1, first](cuda.to_device(np.zeros(1)), 10**6)
    with pytest.raises(ValueError, match="late"):
        second.synchronize()
        first.synchronize()
    cuda.synchronize()


# Errors


def written(text: str) -> Callable[..., None]:
    """The function `kernel` of a text."""
    scope: dict[str, Any] = {"math": math, "np": np}
    exec(compile(text, "<written>", "exec"), scope)
    made: Callable[..., None] = scope["kernel"]
    return made


def error_of(kernel: Callable[..., None], *args: Any) -> str:
    with pytest.raises(TypeError) as caught:
        cuda.jit(kernel)[1, 1](*args)
    return str(caught.value)


def test_captured_ints_of_more_than_64_bits() -> None:
    large, module = 2**70, types.SimpleNamespace(bits=5)

    def kernel(found):
        found[0] = module.bits + large.bits

    assert "an int of more than 64 bits has no attribute 'bits'" in error_of(kernel, cuda.to_device(np.zeros(1)))


def test_errors_show_the_line() -> None:
    def kernel(found):
        found[0] = undefined_name + 1

    text = error_of(kernel, cuda.to_device(np.zeros(4)))
    assert "undefined_name" in text and "found[0] = undefined_name + 1" in text and "^" in text
    assert "test_numba_errors.py" in text
    line, caret = next((a, b) for a, b in zip(text.splitlines(), text.splitlines()[1:], strict=False) if "^" in b)
    assert line[caret.index("^") :].startswith("undefined_name")


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("with found: pass", "with"),
        ("try:\n        found[0] = 1\n    except ValueError: pass", "try"),
        ("x = {1: 2}", "dict"),
        ("x = [i for i in range(3)]", "comprehension"),
        ("found.nonsense()", "nonsense"),
        ("found[0] = math.nonsense(1.0)", "nonsense"),
        ("found[0] = 'text' * 2.5", "text"),
        ("return 5", "return"),
        ("found[0] = unset", "unset"),
        ("yield 1", "yield"),
        ("found[0, 1] = 2", "2 indices"),
        ("a, b = (1, 2, 3)", "3"),
        ("import os", "import"),
        ("found[0] = (lambda a: a)()", "a"),
        ("class A: pass", "class"),
    ],
)
def test_errors(body: str, word: str) -> None:
    text = error_of(written(f"def kernel(found):\n    {body}\n"), cuda.to_device(np.zeros(4)))
    assert word in text.split("\n")[0] or word in text, text
    assert "^" in text and "<written" in text, text


def test_wrong_numbers_of_arguments() -> None:
    @cuda.jit
    def kernel(found, a):
        found[0] = a

    with pytest.raises(TypeError, match="kernel"):
        kernel[1, 1](cuda.to_device(np.zeros(4)))
    with pytest.raises(ValueError, match="kernel"):
        kernel(cuda.to_device(np.zeros(4)), 1)
    with pytest.raises(TypeError):
        kernel[1, 1](cuda.to_device(np.zeros(4)), object())


def test_runaway_recursion() -> None:
    @cuda.jit(device=True)
    def again(x):
        return again(x)

    @cuda.jit
    def kernel():
        again(1)

    with pytest.raises(TypingError, match="runaway recursion: every way through again"):
        kernel[1, 1]()


def test_masks_are_ints() -> None:
    @cuda.jit
    def kernel(x):
        x[0] = cuda.ballot_sync(1.5, True)

    with pytest.raises(TypingError, match="Mask type must be an integer, got float64"):
        kernel[1, 1](cuda.to_device(np.zeros(1)))


@pytest.mark.parametrize("vote", [cuda.all_sync, cuda.any_sync, cuda.eq_sync, cuda.ballot_sync])
def test_predicates_of_votes_are_ints_or_bools(vote: Any) -> None:
    @cuda.jit
    def kernel(predicates, x):
        x[cuda.threadIdx.x] = vote(0xFFFFFFFF, predicates[cuda.threadIdx.x])

    for dtype in (np.int8, np.uint64, np.bool_):
        x = cuda.to_device(np.zeros(32, np.int64))
        kernel[1, 32](cuda.to_device(np.ones(32, dtype)), x)
        assert (x.copy_to_host() == (0xFFFFFFFF if vote is cuda.ballot_sync else 1)).all()
    for dtype in (np.float16, np.float32, np.float64, np.complex64):
        with pytest.raises(TypingError, match="Predicate must be an integer or boolean, got") as caught:
            kernel[1, 32](cuda.to_device(np.ones(32, dtype)), x)
        assert "x != 0" in str(caught.value)


class Damaged:
    """What a function was translated into, with a text that no compiler takes."""

    def __init__(self, translated: Any) -> None:
        self._translated = translated
        self.source = translated.source + '\n#line 7 "program.py"\nint wrong = nothing;\n'

    def __getattr__(self, name: str) -> Any:
        return getattr(self._translated, name)


@pytest.mark.parametrize("way", ["_dispatcher", "_compile"])
def test_text_that_the_compiler_refuses_is_cuoxs_error(way: str, monkeypatch: Any, tmp_path: Path) -> None:
    module = importlib.import_module(f"cuox.numba.cuda.{way}")
    translate = module._translate
    monkeypatch.setattr(module, "_translate", lambda *args, **named: Damaged(translate(*args, **named)))
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))

    def refused(x: Any) -> None:
        x[0] = 1

    with pytest.raises(GeneratedCodeError, match=r"refused\(\): .* error in cuox, not in the program") as caught:
        if way == "_compile":
            cuda.compile_ptx(refused, (numba_types.float32[:],))
        else:
            cuda.jit(refused)[1, 1](cuda.to_device(np.zeros(1)))
    error = caught.value
    assert isinstance(error, cuox.CompileError)
    assert (error.filename, error.lineno) == ("program.py", 7)
    assert error.source is not None
    assert error.source.read_text().endswith("int wrong = nothing;\n")
    assert str(error.source) in str(error)
    assert "nothing" in error.log


@pytest.mark.parametrize("way", ["vectorize", "reduce", "reduce to float32", "ufunc.reduce"])
def test_text_of_a_function_of_arrays_that_the_compiler_refuses(way: str, monkeypatch: Any, tmp_path: Path) -> None:
    module = importlib.import_module("cuox.numba.cuda._device_text")
    translate = module._translate
    monkeypatch.setattr(module, "_translate", lambda *args, **named: Damaged(translate(*args, **named)))
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))

    def refused(a: Any, b: Any) -> Any:
        return a * b + 3

    x = np.ones(4, np.float32 if "float32" in way else np.float64)
    with pytest.raises(GeneratedCodeError, match=r"refused\(\): .* error in cuox, not in the program") as caught:
        if way == "vectorize":
            cuda.vectorize(["float64(float64, float64)"])(refused)(x, x)
        elif way == "ufunc.reduce":
            cuda.vectorize(["float64(float64, float64)"])(refused).reduce(x)
        else:
            cuda.reduce(refused)(x)
    assert (caught.value.filename, caught.value.lineno) == ("program.py", 7)
    assert caught.value.source is not None
    assert "int wrong = nothing;" in caught.value.source.read_text()
    assert "__global__" in caught.value.source.read_text()


def test_linked_text_that_the_compiler_refuses_is_the_users(tmp_path: Path) -> None:
    (tmp_path / "wrong.cu").write_text("__device__ int f = nothing;")

    @cuda.vectorize(["float64(float64)"], link=[str(tmp_path / "wrong.cu")])
    def element(a: Any) -> Any:
        return a + 1

    with pytest.raises(cuox.CompileError) as caught:
        element(np.ones(3))
    assert not isinstance(caught.value, GeneratedCodeError)


def test_a_report_that_cannot_be_kept(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    with pytest.raises(GeneratedCodeError, match="kept nowhere") as caught, generated("text", "f"):
        raise cuox.CompileError("refused", 6, log="f.cu(3): error: wrong")
    assert caught.value.source is None


def test_errors_without_a_place_in_the_text_are_not_cuoxs() -> None:
    with pytest.raises(cuox.CompileError) as caught, generated("text", "f"):
        raise cuox.CompileError("refused", 6, log="ptxas error   : Entry function 'f' uses too much shared data")
    assert not isinstance(caught.value, GeneratedCodeError)
