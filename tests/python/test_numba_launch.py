"""Launches of kernels in Python: their arguments, devices that are reset, and kernels that are pickled."""

from __future__ import annotations

import collections
import enum
import gc
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cuox
from cuox.numba import cuda

Pair = collections.namedtuple("Pair", "x y")


class Color(enum.IntEnum):
    RED = 3


class Shape(enum.Enum):
    ROUND = "round"


@cuda.jit
def put(a: Any, x: Any) -> None:
    a[0] = x


@cuda.jit
def put_both(a: Any, pair: Any) -> None:
    a[0] = pair[0]
    a[1] = pair[1]


@cuda.jit(device=True)
def twice(x: Any) -> Any:
    return 2 * x


def launched(kernel: Any, *args: Any) -> list[float]:
    array = cuda.to_device(np.zeros(4))
    kernel[1, 1](array, *args)
    found: list[float] = array.copy_to_host().tolist()
    return found


@pytest.mark.parametrize(
    "value",
    [
        1,
        -5,
        2**63,
        1.5,
        True,
        np.int8(-3),
        np.uint64(2**63),
        np.float16(1.5),
        np.float32(0.25),
        np.bool_(True),
        Color.RED,
    ],
    ids=repr,
)
def test_numbers_arrive(value: Any) -> None:
    assert launched(put, value)[0] == float(value)


@pytest.mark.parametrize("value", [(1, 2.5), Pair(1, 2.5), (np.int8(1), np.float32(2.5))], ids=repr)
def test_tuples_arrive(value: Any) -> None:
    assert launched(put_both, value)[:2] == [1, 2.5]


@pytest.mark.parametrize(
    "value",
    ["text", b"bytes", object(), {}, [1], Shape.ROUND],
    ids=lambda value: type(value).__name__,
)
def test_other_objects_are_refused_by_name(value: Any) -> None:
    with pytest.raises(
        TypeError,
        match=f"put: argument 2: a kernel cannot take .*{type(value).__name__}",
    ):
        launched(put, value)


def test_numbers_of_more_than_64_bits_are_refused() -> None:
    with pytest.raises(OverflowError, match="18446744073709551616 does not fit into (uint64|64 bits)"):
        launched(put, 2**64)


def test_arguments_are_counted() -> None:
    with pytest.raises(TypeError, match=r"put\(\) takes 2 arguments, 1 given"):
        launched(put)
    with pytest.raises(TypeError, match=r"put\(\) takes 2 arguments, 3 given"):
        launched(put, 1, 2)


def test_arguments_are_given_by_position() -> None:
    array = cuda.to_device(np.zeros(4))
    with pytest.raises(TypeError, match="by position, not as .*x"):
        put[1, 1](array, x=1)
    configured = put[1, 1]
    with pytest.raises(TypeError, match="by position, not as .*x"):
        configured.__call__(array, x=1)
    nothing: dict[str, Any] = {}
    configured(*(array, 4), **nothing)
    configured.__call__(array, 5)
    assert array.copy_to_host()[0] == 5


def test_configurations_come_and_go() -> None:
    array = cuda.to_device(np.zeros(4))
    gc.collect()
    before = sys.getrefcount(put)
    many = [put[1, 1] for _ in range(100)]
    for number, configured in enumerate(many):
        assert configured.dispatcher is put
        configured(array, number)
    assert array.copy_to_host()[0] == 99
    assert sys.getrefcount(put) == before + 100
    del many, configured
    assert sys.getrefcount(put) == before


def test_declared_types_are_kept() -> None:
    @cuda.jit("void(float64[:], int32)")
    def kernel(a: Any, x: Any) -> None:
        a[0] = x

    assert launched(kernel, 2.7)[0] == 2
    with pytest.raises(TypeError, match="no matching definition for arguments of types"):
        kernel[1, 1](cuda.to_device(np.zeros(4, np.int8)), 1)


def test_device_functions_are_not_launched() -> None:
    with pytest.raises(TypeError, match="twice: a device function is not launched"):
        twice[1, 1](1)  # type: ignore[func-returns-value]
    with pytest.raises(RuntimeError, match="twice: a device function can be called by kernels only"):
        twice(1)


def test_a_strided_array_is_written_through() -> None:
    @cuda.jit
    def kernel(a: Any) -> None:
        a[0, 1] = 9

    for array in [
        np.zeros((4, 4))[::-1, ::2],
        np.asfortranarray(np.zeros((3, 4))),
        np.zeros((4, 4))[1:, 2:],
    ]:
        with pytest.warns(cuda.core.errors.NumbaPerformanceWarning):
            kernel[1, 1](array)
        assert array[0, 1] == 9


def test_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(put)) is put
    assert pickle.loads(pickle.dumps(twice)) is twice


def test_pickled_with_code() -> None:
    factor = 3

    @cuda.jit(device=True)
    def thrice(x: Any) -> Any:
        return factor * x

    @cuda.jit
    def kernel(a: Any) -> None:
        a[0] = thrice(7) + np.float32(0.5)

    again = pickle.loads(pickle.dumps(kernel))
    assert again is not kernel
    assert launched(again)[0] == 21.5


def test_pickled_for_another_process() -> None:
    data = pickle.dumps(_local())
    script = (
        "import pickle, sys; import numpy as np; from cuox.numba import cuda\n"
        f"kernel = pickle.loads({data!r}); array = cuda.to_device(np.zeros(4)); kernel[1, 1](array); print(array.copy_to_host()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "42.0\n", done.stderr


def _local() -> Any:
    offset = 40

    @cuda.jit
    def kernel(a: Any) -> None:
        a[0] = offset + 2

    return kernel


def test_kernels_are_loaded_again_after_a_reset(run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Any) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        """
import cuox, numpy as np
from cuox.numba import cuda

@cuda.jit
def plain(a): a[0] = 7

@cuda.jit("void(float64[:])")
def declared(a): a[0] = 8

@cuda.jit(debug=True)
def raising(a):
    if a[0] == 0: raise ValueError("zero")

def results():
    for kernel in (plain, declared, raising):
        array = cuda.to_device(np.zeros(4))
        try:
            kernel[1, 1](array)
            print(array.copy_to_host()[0])
        except ValueError as error:
            print(error)
        del array

results()
cuox.Device().reset()
results()
"""
    )
    done = run_script(f"import runpy; runpy.run_path({str(file)!r})")
    expected = "7.0\n8.0\ntid=[0, 0, 0] ctaid=[0, 0, 0]: zero\n"
    assert done.stdout == 2 * expected, done.stderr


def test_launched_on_a_stream() -> None:
    stream = cuox.Device().create_stream()
    array = cuda.to_device(np.zeros(4))
    put[1, 1, stream](array, 6)
    stream.sync()
    assert array.copy_to_host()[0] == 6
    stream.close()
