"""Launches of kernels in Python: their arguments, devices that are reset, and kernels that are pickled."""

from __future__ import annotations

import collections
import enum
import gc
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.numba import cuda, types
from cuox.numba.cuda.core import config, errors

Pair = collections.namedtuple("Pair", "x y")


class Color(enum.IntEnum):
    RED = 3


class Weight(enum.Enum):
    HEAVY = 2.5


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
    with pytest.raises(TypeError, match="No matching definition for arguments of types"):
        kernel[1, 1](cuda.to_device(np.zeros(4, np.int8)), 1)


def test_device_functions_are_not_launched() -> None:
    with pytest.raises(RuntimeError, match="twice: Cannot compile a device function as a kernel"):
        twice[1, 1](1)  # type: ignore[func-returns-value]
    with pytest.raises(RuntimeError, match="twice: a device function can be called by kernels only"):
        twice(1)


def test_members_of_enumerations() -> None:
    x = cuda.to_device(np.zeros(1))
    put[1, 1](x, Weight.HEAVY)
    assert x.copy_to_host()[0] == 2.5
    put[1, 1](x, Color.RED)
    assert x.copy_to_host()[0] == 3


def test_transpose() -> None:
    from cuox.numba.cuda.kernels.transpose import transpose

    x = np.arange(35.0).reshape(5, 7)
    there = cuda.to_device(x)
    np.testing.assert_array_equal(transpose(there).copy_to_host(), x.T)
    result = cuda.device_array((7, 5))
    assert transpose(there, result) is result
    np.testing.assert_array_equal(result.copy_to_host(), x.T)
    with pytest.raises(ValueError, match=r"the transposed has shape \(7, 5\), b has \(5, 7\)"):
        transpose(there, there)


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


def test_kernels_are_loaded_again_after_a_reset(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Any
) -> None:
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
            print(str(error).partition("tid=")[2])
        del array

results()
cuox.Device().reset()
results()
"""
    )
    done = run_script(f"import runpy; runpy.run_path({str(file)!r})")
    expected = "7.0\n8.0\n[0, 0, 0] ctaid=[0, 0, 0]: zero\n"
    assert done.stdout == 2 * expected, done.stderr


def test_launched_on_a_stream() -> None:
    stream = cuox.Device().create_stream()
    array = cuda.to_device(np.zeros(4))
    put[1, 1, stream](array, 6)
    stream.sync()
    assert array.copy_to_host()[0] == 6
    stream.close()


POINT = np.dtype([("x", np.float64), ("n", np.int32), ("axis", np.int16, (3,))])


@pytest.mark.parametrize("place", ["host", "device", "device copy"])
def test_a_record_is_passed_by_its_place(place: str) -> None:
    @cuda.jit
    def kernel(record: Any, out: Any) -> None:
        out[0] = record.x
        record.x = record["n"] * 2
        record["n"] = 7
        record.axis[1] = 5

    points = np.zeros(3, POINT)
    points[1] = (1.5, 4, (1, 2, 3))
    there = cuda.to_device(points)
    out = cuda.to_device(np.zeros(1))
    record = {"host": points[1], "device": there[1], "device copy": cuda.to_device(points[1])}[place]
    kernel[1, 1](record, out)
    assert out.copy_to_host()[0] == 1.5
    found = record if place == "host" else record.copy_to_host()
    assert (found["x"], found["n"], found["axis"].tolist()) == (8, 7, [1, 5, 3])
    assert points["n"].tolist() == ([0, 7, 0] if place == "host" else [0, 4, 0])
    assert there.copy_to_host()["n"].tolist() == ([0, 7, 0] if place == "device" else [0, 4, 0])


def test_a_record_of_a_declared_type() -> None:
    @cuda.jit((types.from_dtype(POINT),))
    def kernel(record: Any) -> None:
        record.n += 1

    points = np.recarray(1, POINT)
    points[0].n = 41
    kernel[1, 1](points[0])
    assert points[0].n == 42


def test_parameters_have_defaults() -> None:
    @cuda.jit
    def kernel(a: Any, count: Any = 3, value: Any = 2.5, is_on: Any = True) -> None:
        i = cuda.grid(1)
        if i < count and is_on:
            a[i] = value

    def of(*args: Any) -> list[float]:
        a = cuda.to_device(np.zeros(5))
        kernel[1, 32](a, *args)
        found: list[float] = a.copy_to_host().tolist()
        return found

    assert of() == [2.5] * 3 + [0] * 2
    assert of(5) == [2.5] * 5
    assert of(2, 1) == [1] * 2 + [0] * 3
    assert of(5, 1, False) == [0] * 5
    with pytest.raises(TypeError, match="takes 4 arguments, 0 given"):
        kernel[1, 32]()
    with pytest.raises(TypeError, match="takes 4 arguments, 5 given"):
        of(1, 2, 3, 4)


def test_the_signature_that_fits_best_is_launched() -> None:
    @cuda.jit(["(float64[::1], float32, float32)", "(float64[::1], float64, float64)", "(float64[::1], int64, int64)"])
    def kernel(out: Any, a: Any, b: Any) -> None:
        out[0] = a / b

    def of(*args: Any) -> Any:
        out = cuda.to_device(np.zeros(1))
        kernel[1, 1](out, *args)
        return out.copy_to_host()[0]

    assert of(1, 3) == 1 / 3
    assert of(1, 3.0) == 1 / 3
    assert of(np.int16(1), np.float32(3)) == np.float32(1) / np.float32(3)
    assert len(kernel.overloads) == 3
    with pytest.raises(TypeError, match="No matching definition"):
        of(1j, 2)


def test_signatures_that_fit_as_well_as_each_other_are_refused() -> None:
    @cuda.jit(["(float64[::1], float32, float64)", "(float64[::1], float64, float32)"])
    def kernel(out: Any, a: Any, b: Any) -> None:
        out[0] = a + b

    with pytest.raises(
        TypeError,
        match=r"(?s)Ambiguous overloading for <function .*kernel.*float32, float64\) -> none\n.*float64, float32\) -> none",
    ):
        kernel[1, 1](cuda.to_device(np.zeros(1)), 1.0, 2.0)


def test_device_functions_with_several_signatures() -> None:
    @cuda.jit(["int64(int64, int64)", "(float32, float32)"], device=True)
    def divided(a: Any, b: Any) -> Any:
        return a / b if b > 1.5 else a // b

    @cuda.jit
    def kernel(out: Any, a: Any, b: Any) -> None:
        out[0] = divided(a, b)

    def of(a: Any, b: Any) -> Any:
        out = cuda.to_device(np.zeros(1))
        kernel[1, 1](out, a, b)
        return out.copy_to_host()[0]

    assert of(7, 2) == 3
    assert of(np.float32(1), np.float32(3)) == np.float32(1) / np.float32(3)
    with pytest.raises(
        TypeError, match=r"divided\(\) cannot be called with parameters \(complex128, int64\): it was declared for"
    ):
        of(1j, 2)


def test_an_array_of_ints_of_the_other_sign_fits_one_signature() -> None:
    @cuda.jit("void(int32[:])")
    def kernel(a: Any) -> None:
        a[cuda.grid(1)] += 1

    a = cuda.to_device(np.arange(4, dtype=np.uint32))
    kernel[1, 4](a)
    assert a.copy_to_host().tolist() == [1, 2, 3, 4]


def test_specialized_kernels() -> None:
    @cuda.jit
    def kernel(a: Any) -> None:
        a[0] = 1

    one = kernel.specialize(types.float32[::1])
    assert one.specialized and one is kernel.specialize(np.zeros(3, np.float32))
    assert one is not kernel.specialize(types.float32[:])
    assert len(kernel.specializations) == 2
    with pytest.raises(RuntimeError, match="already specialized"):
        one.specialize(types.float32[:])


def test_configured_kernels_are_pickled() -> None:
    configured = pickle.loads(pickle.dumps(put[(4, 2), 8, 0, 16]))
    assert (configured.griddim, configured.blockdim, configured.sharedmem) == ((4, 2, 1), (8, 1, 1), 16)
    assert configured.cluster is None and configured.stream is None
    array = cuda.to_device(np.zeros(4))
    configured(array, 5)
    assert array.copy_to_host()[0] == 5
    clustered = pickle.loads(pickle.dumps(put[(4, 2), 8, 0, 0, (2, 1)]))
    assert (clustered.griddim, clustered.cluster) == ((8, 2, 1), (2, 1, 1))


@pytest.mark.parametrize(
    ("given", "expected"), [("MaxL1", 0), ("maxshared", 100), ("default", -1), (50, 50), (None, None)]
)
def test_shared_memory_carveout(given: Any, expected: int | None) -> None:
    @cuda.jit("void(float64[:])", shared_memory_carveout=given)
    def kernel(a: Any) -> None:
        a[0] = 1

    carveout = kernel.definition.kernel.attributes.preferred_shared_memory_carveout
    assert carveout == (-1 if expected is None else expected)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (150, "between -1 and 100"),
        (-2, "between -1 and 100"),
        ("most", "Invalid carveout value"),
        (1.5, "Invalid carveout value"),
        (True, "Invalid"),
    ],
)
def test_wrong_carveouts(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cuda.jit(shared_memory_carveout=given)(lambda a: None)


def test_few_blocks_are_warned_of_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        put[1, 1]
        monkeypatch.setattr(config, "CUDA_LOW_OCCUPANCY_WARNINGS", 1)
        put[(16, 8), 1]
    with pytest.warns(
        errors.NumbaPerformanceWarning, match="Grid size 127 will likely result in GPU under-utilization"
    ) as told:
        put[127, 1]
    assert told[0].filename == __file__
    monkeypatch.setattr(config, "DISABLE_PERFORMANCE_WARNINGS", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        put[1, 1]
