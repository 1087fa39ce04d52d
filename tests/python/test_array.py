"""`cuox.Array`: making, attributes, launches, errors, subclasses, pickles. Its copies and views beside NumPy's are in
test_array_numpy.py.
"""

from __future__ import annotations

import copy
import gc
import math
import operator
import os
import pickle
import re
import subprocess
import threading
import unittest.mock
import weakref
from collections.abc import Callable

import cuox
import numpy as np
import pytest
from pools import used_bytes

KERNELS = r"""
extern "C" __global__ void twice(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
extern "C" __global__ void add(const double *x, double *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }
extern "C" __global__ void bytes(void *x) { *(char *)x = 7; }
extern "C" __global__ void number(float x, int n) {}
"""


@pytest.fixture(scope="module")
def code(device: cuox.Device) -> cuox.ObjectCode:
    return cuox.Program(KERNELS).compile()


class Sub(cuox.Array):
    pass


def test_attributes_are_numpys(device: cuox.Device) -> None:
    host = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    array = cuox.to_device(host)
    for a, h in (
        (array, host),
        (array.T, host.T),
        (array[1, ::-1, ::2], host[1, ::-1, ::2]),
        (array[:, :0], host[:, :0]),
        (array[0, 0, 0], host[0, 0, 0]),
    ):
        assert (a.shape, a.dtype, a.ndim, a.size, a.nbytes, a.itemsize) == (
            h.shape,
            h.dtype,
            h.ndim,
            h.size,
            h.nbytes,
            h.itemsize,
        )
        assert a.strides == h.strides
        assert (a.is_c_contiguous, a.is_f_contiguous) == (h.flags.c_contiguous, h.flags.f_contiguous)
    assert array.device == device and array.buffer.size == host.nbytes and array.ptr == int(array.buffer.handle)
    assert array[1].ptr == array.ptr + 24 and array[1].buffer is array.buffer
    assert array.base is None and array[0].base is array and array[0].T[1].base is array
    assert repr(array).startswith("<cuox.Array shape=(2, 3, 4) dtype=int16 on Device ")
    assert len(array) == 2 and [part.shape for part in array] == [(3, 4)] * 2
    assert hash(array) == hash(array) and array in {array} and array is not array[:]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(), 5, (5,), (2, 3), [2, 0, 4], (np.int64(3), 1)])
def test_new_arrays(device: cuox.Device, shape: object, order: str) -> None:
    for dtype in (
        None,
        "f4",
        np.complex128,
        np.dtype(">i2"),
        bool,
        "M8[ns]",
        "S3",
        [("a", "i4"), ("b", "f8", 2)],
        "(2,)f4",
    ):
        expected = np.zeros(shape, dtype, order)
        for made in (cuox.zeros(shape, dtype, order=order), cuox.empty(shape, dtype, order=order)):
            assert (made.shape, made.dtype) == (expected.shape, expected.dtype)
            # The strides of an array without elements are NumPy's own business.
            assert made.size == 0 or made.strides == expected.strides
        assert cuox.zeros(shape, dtype, order=order).to_host().tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("shape", "value", "dtype"),
    [
        ((3, 4), 1, None),
        ((3, 4), 2.5, None),
        (1000, 1j, None),
        ((3, 4), [1, 2, 3, 4], None),
        ((2, 3), np.arange(3)[None, :], "f2"),
        (7, 2**64 - 1, "u8"),
        ((), 3, "i1"),
    ]
    + [
        (5000, np.array((1, 2.0), "i4,f8"), None),
        (3000, np.datetime64("2020-01-01"), None),
        (17, b"abc", "S5"),
        (100_000, 0.1, "f8"),
        (5, True, None),
        (0, 3, None),
    ],
)
def test_full(device: cuox.Device, shape: object, value: object, dtype: object) -> None:
    expected = np.full(shape, value, dtype)
    made = cuox.full(shape, value, dtype)
    assert made.dtype == expected.dtype and made.to_host().tobytes() == expected.tobytes()
    like = cuox.full_like(made, value)
    assert like.dtype == expected.dtype and like.to_host().tobytes() == expected.tobytes()


def test_likes_keep_order_and_class(device: cuox.Device) -> None:
    host = np.zeros((2, 3, 4), "f4", "F").swapaxes(0, 1)
    for prototype in (host, cuox.to_device(host)):
        for more in (
            {},
            {"order": "C"},
            {"order": "F"},
            {"order": "A"},
            {"dtype": "i1"},
            {"shape": (3, 2)},
            {"shape": (4, 5, 6)},
        ):
            expected = np.empty_like(host, **more)
            made = cuox.empty_like(prototype, **more)
            assert (made.shape, made.dtype, made.strides) == (expected.shape, expected.dtype, expected.strides), more
    assert type(cuox.zeros_like(Sub((2, 2)))) is Sub
    assert (cuox.zeros_like(Sub((2, 2), "i4")).to_host() == 0).all()


def test_the_constructor_is_ndarrays(device: cuox.Device) -> None:
    data = np.arange(100, dtype=np.uint8)
    buffer = cuox.to_device(data).buffer
    for args, more in (
        (((2, 3), "u2"), {}),
        (((2, 3), "u2"), {"offset": 4, "order": "F"}),
        (((5,), "u1"), {"offset": 99, "strides": (-20,)}),
        (((3, 4), "i4"), {"strides": (0, 8), "offset": 3}),
        (((0,), "f8"), {"offset": 100}),
        (((), "f4"), {"offset": 96}),
    ):
        expected = np.ndarray(*args, buffer=data, **more)
        made = cuox.Array(*args, buffer=buffer, **more)
        assert made.strides == expected.strides and made.to_host().tobytes() == expected.tobytes(), more
    for args, more in (
        (((26,), "f4"), {}),
        (((2,), "u1"), {"strides": (-1,)}),
        (((2,), "u1"), {"offset": 100}),
        (((2,), "u1"), {"strides": (100,)}),
        (((2, 2), "u1"), {"strides": (1,)}),
        (((2**62,), "u1"), {"strides": (2**62,)}),
        (((-1,), "u1"), {}),
    ):
        with pytest.raises(ValueError):
            cuox.Array(*args, buffer=buffer, **more)
    part = cuox.Array((10,), "u1", buffer=buffer, offset=50)
    inner = cuox.Array((2,), "u2", buffer=part, offset=2)
    assert inner.base is part and inner.to_host().tobytes() == bytes([52, 53, 54, 55])
    for more in ({"offset": 7}, {"strides": (-2,)}, {"strides": (10,)}):
        with pytest.raises(ValueError):
            cuox.Array((2,), "u2", buffer=part, **more)
    with pytest.raises(TypeError, match=r"a cuox.Buffer or a cuox.Array, got numpy.ndarray"):
        cuox.Array((2,), "u2", buffer=data)
    own = cuox.Array((4, 5), "i4", order="F")
    assert own.is_f_contiguous and own.buffer.size == 80


def test_launches(device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode) -> None:
    twice, add = code.get_kernel("twice"), code.get_kernel("add")
    host = np.arange(1000, dtype=np.float32)
    x = cuox.to_device(host, stream=stream)
    twice[8, 128, stream](x, 1000)
    twice[8, 128, stream](x[500:], 500)
    host *= 2
    host[500:] *= 2
    assert (x.to_host(stream=stream) == host).all()
    y = cuox.full((10, 100), 1.0, stream=stream, order="F")
    z = Sub((1000,), "f8", stream=stream)
    z.copy_from(np.arange(1000), stream=stream)
    add[8, 128, stream](z, y, 1000)
    assert (y.to_host(stream=stream).T.ravel() == np.arange(1000) + 1).all()
    code.get_kernel("bytes")[1, 1, stream](y)
    stream.sync()


def test_parameters_in_cs_form(device: cuox.Device, code: cuox.ObjectCode) -> None:
    from cuox.cuda.bindings import driver

    array = cuox.full((4, 4), 3, "f4")
    function = driver.CUfunction(int(code.get_kernel("twice").handle))
    launch = (function, 1, 1, 1, 16, 1, 1, 0, None)
    (status,) = driver.cuLaunchKernel(*launch, [array[2:], np.int32(8)], None)
    assert status == 0
    device.sync()
    assert array.to_host().sum(axis=1).tolist() == [12, 12, 24, 24]
    with pytest.raises(TypeError, match=r"kernelParams\[0\].*not contiguous.*array.copy\(\)"):
        driver.cuLaunchKernel(*launch, [array[:, ::2], np.int32(8)], None)


def test_launches_refuse_what_does_not_fit(device: cuox.Device, code: cuox.ObjectCode) -> None:
    twice = code.get_kernel("twice")[1, 32]
    x = cuox.zeros((4, 4), "f4")
    for wrong, text in (
        (x.view("i4"), r"float \*.*takes an array of float32, not cuox.Array\[int32\]"),
        (x.astype if hasattr(x, "astype") else cuox.zeros(3), r"takes an array of float32, not cuox.Array\[float64\]"),
        (
            x[:, ::2],
            r"not cuox.Array whose elements are not contiguous in memory; pass a contiguous copy: array.copy\(\)",
        ),
        (x[0].broadcast_to((1, 4)), r"cuox.Array \(read-only\); the kernel may write to it"),
        (cuox.zeros(3, ">f4"), "float32, big-endian"),
    ):
        with pytest.raises(TypeError, match=text):
            twice(wrong, 1)
    for parameters in ((x, 1), (1.0, x)):
        with pytest.raises(TypeError, match=r"not cuox.Array"):
            code.get_kernel("number")[1, 1](*parameters)
    twice(x[:, ::2].copy(), 8)
    twice(x.transpose(1, 0), 16)
    twice(x[:0], 0)
    # An error names the class that the user knows.
    with pytest.raises(TypeError, match=r"Sub\[float64\]"):
        twice(Sub(3), 1)


def test_errors_of_shapes_and_types(device: cuox.Device) -> None:
    for shape in (-1, (2, -3), 2**80, (2**40, 2**40), (1,) * 65):
        with pytest.raises(ValueError):
            cuox.empty(shape, "u1")
    for shape in (1.5, "3", None, (1, "2"), object()):
        with pytest.raises(TypeError):
            cuox.empty(shape)
    for dtype in (object, "O", [("a", "O")], "nonsense", 5):
        with pytest.raises(TypeError):
            cuox.empty(3, dtype)
    for order in ("K", "X", "", 3):
        with pytest.raises((ValueError, TypeError)):
            cuox.empty(3, order=order)
    with pytest.raises(TypeError):
        cuox.to_device([object()])
    with pytest.raises(TypeError, match="mask"):
        cuox.to_device(np.ma.array([1, 2], mask=[True, False]))
    assert cuox.to_device(np.ma.array([1, 2], mask=[False, False])).to_host().tolist() == [1, 2]


def test_too_large(device: cuox.Device) -> None:
    with pytest.raises(MemoryError, match=r"8796093022208 bytes were asked for; \d+ of \d+ are free") as caught:
        cuox.empty((2**40,), "f8")
    assert isinstance(caught.value, cuox.OutOfMemoryError)


def test_what_is_refused(device: cuox.Device) -> None:
    array = cuox.zeros((2, 3), "f4")
    with pytest.raises(TypeError, match=r"to_host\(\)"):
        np.asarray(array)
    with pytest.raises(TypeError, match=r"to_host\(\)"):
        array in [np.zeros(2)] and 1.0 in array
    with pytest.raises(TypeError, match=r"to_host\(\)"):
        1.0 in array
    with pytest.raises(ValueError, match="ambiguous"):
        bool(array)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(array[:0])
    assert bool(cuox.full((1, 1), 3)) is True and bool(cuox.zeros(())) is False
    with pytest.raises(TypeError, match="unsized"):
        len(cuox.zeros(()))
    with pytest.raises(TypeError, match="0-d"):
        iter(cuox.zeros(()))
    with pytest.raises(ValueError, match="size 1"):
        array.item()
    assert cuox.full((), 2.5).item() == 2.5 and cuox.to_device([[1, 2]]).tolist() == [[1, 2]]
    for key in (True, [0], np.array([0]), 1.5, "a", (0, [1]), np.array(True)):
        with pytest.raises(IndexError, match="only integers, slices"):
            array[key]
    for key in (2, -3, (0, 3), (0, 0, 0), (slice(None),) * 3, (..., ...), 2**70):
        with pytest.raises(IndexError):
            array[key]
    with pytest.raises(AttributeError):
        array.shape = (3, 2)
    with pytest.raises(ValueError, match="cannot delete array elements"):
        del array[0]
    with pytest.raises(TypeError):
        array + 1


def test_writing_is_checked(device: cuox.Device) -> None:
    array = cuox.zeros((2, 3), "f4")
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(4,\) into shape \(2,\s?3\)"):
        array[...] = np.zeros(4)
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(4,\) into shape \(2, 3\)"):
        array[...] = cuox.zeros(4, "f4")
    with pytest.raises(TypeError, match="elements of float64, the destination of float32"):
        array.copy_from(cuox.zeros((2, 3)))
    with pytest.raises(ValueError, match="read-only"):
        array.broadcast_to((4, 2, 3))[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        array.broadcast_to((4, 2, 3)).fill(1)
    with pytest.raises(ValueError):
        array[0] = "abc"
    with pytest.raises(IndexError):
        array[5] = 1
    for out, error in (
        (np.zeros((3, 2), "f4"), ValueError),
        (np.zeros((2, 3), "f8"), TypeError),
        ([[0] * 3] * 2, TypeError),
        (np.broadcast_to(np.float32(0), (2, 3)), ValueError),
    ):
        with pytest.raises(error, match="to_host: out"):
            array.to_host(out)


def test_overlapping_copies(device: cuox.Device) -> None:
    host = np.arange(1000, dtype="i4")
    array = cuox.to_device(host)
    for to, of in (
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None), slice(None, None, -1)),
        (slice(0, 500), slice(0, 1000, 2)),
    ):
        array[to] = array[of]
        host[to] = host[of].copy()
        assert (array.to_host() == host).all()
    array[...] = array


def test_fields(device: cuox.Device) -> None:
    host = np.zeros(5, [("a", "i4"), ("b", "f8", (2,)), ("c", [("d", "u1")])])
    host["a"], host["b"], host["c"]["d"] = np.arange(5), np.arange(10).reshape(5, 2), 9
    array = cuox.to_device(host)
    assert (array["b"].shape, array["b"].strides) == (host["b"].shape, host["b"].strides)
    assert array["a"].to_host().tolist() == host["a"].tolist() and array["c"]["d"].to_host().tolist() == [9] * 5
    array["b"][:, 1] = 3
    host["b"][:, 1] = 3
    assert (array.to_host() == host).all()
    with pytest.raises(ValueError, match="no field of name x"):
        array["x"]


def test_subclasses(device: cuox.Device) -> None:
    array = Sub((2, 3), "i4")
    array.name = "mine"
    array.fill(3)
    for result in (
        array[0],
        array.T,
        array.reshape(3, 2),
        array.ravel(),
        array.copy(),
        array.view("u4"),
        array.broadcast_to((2, 2, 3)),
        copy.copy(array),
        cuox.to_device(array),
    ):
        assert type(result) is Sub and not hasattr(result, "name")
    assert array[0].base is array and array.T.T.base is array
    assert repr(array).startswith(f"<{Sub.__module__}.Sub shape=(2, 3)")

    class Slots(cuox.Array):
        __slots__ = ("one",)

    slots = Slots((2,))
    slots.one = slots[1:]
    assert type(slots.one) is Slots and weakref.ref(array)() is array

    class Own(cuox.Array):
        def __new__(cls, n: int) -> Own:
            return super().__new__(cls, (n,), "f4")

        def __init__(self, n: int) -> None:
            self.n = n

    own = Own(5)
    assert own.n == 5 and type(own[1:]) is Own and not hasattr(own[1:], "n")


def test_cycles_are_collected(device: cuox.Device) -> None:
    array = Sub((2, 3))
    array.view_of_itself = array[0]
    seen = weakref.ref(array)
    del array
    gc.collect()
    assert seen() is None

    class Producer:
        def __init__(self) -> None:
            self.memory = cuox.zeros(4, "f4")
            self.array = cuox.as_array(self)
            self.part = self.array[1:]

        @property
        def __cuda_array_interface__(self) -> dict[str, object]:
            return self.memory.__cuda_array_interface__

    producer = Producer()
    assert producer.array.base is producer
    seen = weakref.ref(producer)
    del producer
    gc.collect()
    assert seen() is None


def test_many_objects_come_and_go(device: cuox.Device) -> None:
    array = Sub((100,), "i4")
    array[...] = np.arange(100)
    views = [array[i:] for i in range(100)] + [cuox.empty(3) for _ in range(100)]
    del array
    del views[::2]
    gc.collect()
    assert views[10].to_host()[0] == 21
    used = used_bytes()
    for _ in range(200):
        views = [cuox.empty(1000), cuox.empty(1000)[::2].T, Sub(1000)[1:]]
    del views
    gc.collect()
    device.sync()
    assert used_bytes() <= used


def test_pickles_and_copies(device: cuox.Device) -> None:
    host = np.asfortranarray(np.arange(12, dtype="f4").reshape(3, 4))
    for array in (cuox.to_device(host), cuox.to_device(host)[:, ::2], cuox.zeros((), "M8[s]"), cuox.empty((0, 3))):
        for copied in (pickle.loads(pickle.dumps(array)), copy.copy(array), copy.deepcopy(array)):
            assert type(copied) is cuox.Array and copied.buffer is not array.buffer and copied.base is None
            assert (copied.shape, copied.dtype) == (array.shape, array.dtype) and (
                copied.to_host() == array.to_host()
            ).all()
    assert pickle.loads(pickle.dumps(cuox.to_device(host))).is_f_contiguous
    sub = Sub((2,), "i1")
    sub.fill(4)
    sub.name = "mine"
    back = pickle.loads(pickle.dumps(sub))
    assert type(back) is Sub and back.name == "mine" and back.to_host().tolist() == [4, 4]
    from cuox import _native

    for wrong in (int, 3, None):
        with pytest.raises(TypeError):
            _native._restore_array(wrong, np.zeros(3))


def test_closed_buffers(device: cuox.Device, code: cuox.ObjectCode) -> None:
    array = cuox.zeros((4, 4), "f4")
    part = array[1:, ::2]
    array.buffer.close()
    uses: list[Callable[[], object]] = [
        array.to_host,
        part.to_host,
        array.copy,
        lambda: array.fill(1),
        lambda: array.copy_from(1.0),
        lambda: array.copy_from(np.zeros((4, 4))),
        lambda: part.__setitem__(..., np.zeros((3, 2))),
        lambda: array.ptr,
        lambda: array.__cuda_array_interface__,
        lambda: array.__dlpack__(),
        lambda: pickle.dumps(array),
        lambda: cuox.as_array(array.buffer),
        lambda: cuox.Array((2,), "u1", buffer=array.buffer),
        lambda: code.get_kernel("twice")[1, 1](array, 1),
        lambda: cuox.zeros((4, 4), "f4").copy_from(array),
    ]
    for use in uses:
        with pytest.raises(cuox.ClosedError):
            use()
    assert "closed" in repr(array) and array.shape == (4, 4) and array.T.shape == (4, 4)


def test_threads(device: cuox.Device) -> None:
    failures: list[object] = []
    shared = cuox.to_device(np.arange(10_000, dtype="i8").reshape(100, 100))

    def work(number: int) -> None:
        try:
            device.set_current()
            stream = device.create_stream()
            for i in range(30):
                host = np.full((50, 40), number * 1000 + i, "i4")
                array = cuox.to_device(host, stream=stream)
                array[::2, 1::3] = i
                host[::2, 1::3] = i
                device_copy = array.T.copy(stream=stream)
                assert (device_copy.to_host(stream=stream) == host.T).all()
                assert (shared[i, ::-1].to_host() == np.arange(100 * i + 99, 100 * i - 1, -1)).all()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def test_work_is_in_the_streams_order(device: cuox.Device, code: cuox.ObjectCode) -> None:
    """Every operation on a stream sees what was put into it before, though nothing waits in between."""
    stream = device.create_stream()
    twice = code.get_kernel("twice")
    n = 1 << 16
    x = cuox.zeros(n, "f4", stream=stream)
    expected = np.zeros(n, "f4")
    for i in range(10):
        x.fill(i + 0.1, stream=stream)
        twice[n // 256, 256, stream](x, n)
        y = x[::2].copy(stream=stream)
        x[1::2].copy_from(y, stream=stream)
        twice[n // 256, 256, stream](x, n)
        value = np.float32(i + 0.1) * 2
        expected[:] = value * 2
        z = x.copy("C", stream=stream)
        x.fill(0, stream=stream)
        assert (z.to_host(stream=stream) == expected).all()
        assert (y.to_host(stream=stream) == value).all()


def test_arrays_on_pinned_and_managed_memory(device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode) -> None:
    for resource in (cuox.PinnedMemoryResource(), cuox.ManagedMemoryResource()):
        buffer = resource.allocate(64)
        array = cuox.Array((16,), "f4", buffer=buffer)
        array[...] = np.arange(16)
        code.get_kernel("twice")[1, 16, stream](array[8:], 8)
        stream.sync()
        expected = np.arange(16) * np.repeat([1, 2], 8)
        assert (np.frombuffer(buffer, "f4") == expected).all()
        assert (array.reshape(4, 4).T.copy().to_host() == expected.reshape(4, 4).T).all()


def test_without_numpy(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = run_script(
        """
        import sys
        sys.modules["numpy"] = None
        import cuox
        device = cuox.Device()
        device.allocate(4)
        try:
            cuox.empty(3)
        except ImportError as error:
            print(error)
        """,
        PYTHONPATH=os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")])]),
    )
    assert "pip install numpy" in done.stdout, done


def test_an_array_of_no_dimensions_is_a_number() -> None:
    array = cuox.to_device(np.array([1.5, -2.0, 3.0], "f4"))
    assert float(array[0]) == 1.5
    assert complex(array[2]) == 3 + 0j
    assert math.sqrt(array[0]) == math.sqrt(1.5)
    assert f"{array[0]:.3f} {array[1]:+}" == "1.500 -2.0"
    assert f"{array}" == str(array) and f"{array[0]}" == "1.5"
    with pytest.raises(TypeError, match=re.escape("float() takes an array of no dimensions, not one of shape (3,)")):
        float(array)
    with pytest.raises(TypeError, match="complex"):
        complex(array[:1])
    with pytest.raises(TypeError, match="unsupported format string"):
        format(array, ".2f")
    # Addresses are integers.
    for integer in (int, operator.index):
        with pytest.raises(TypeError):
            integer(cuox.to_device(np.array(1)))  # type: ignore[operator]


@pytest.mark.parametrize("shape", [(), (1,), (3,)])
def test_a_number_of_a_kernel_takes_no_array(device: cuox.Device, stream: cuox.Stream, shape: tuple[int, ...]) -> None:
    source = 'extern "C" __global__ void numbers(float a, int b, double *out) { *out = a + b; }'
    kernel = cuox.Program(source).compile("ptx").get_kernel("numbers")
    out = cuox.zeros((1,), "f8")
    for a, b in [(cuox.zeros(shape, "f4"), 1), (1.0, cuox.zeros(shape, "i4"))]:
        with pytest.raises(TypeError, match="numbers: parameter"):
            kernel[1, 1, stream](a, b, out)


def test_elements_are_compared_one_by_one_or_not_at_all() -> None:
    array = cuox.to_device(np.array([1, 2, 3], "i4"))
    assert array[0] == 1 and array[0] != array[1] and array[1] < 2.5 and not array[2] <= 2
    assert 3 == array[2] and array[1] == np.int32(2)
    assert list(array[1] == np.array([1, 2])) == [False, True]
    for other in [array, array[:], array[0], np.array([1, 2, 3]), [1, 2, 3], 1, (1, 2), 2.0, np.float32(1)]:
        for compare in [operator.eq, operator.ne, operator.lt, operator.ge]:
            with pytest.raises(TypeError, match=r"array.to_host\(\)|a.to_host\(\)"):
                compare(array, other)
    with pytest.raises(TypeError, match='"a is b" says whether'):
        array == array.copy()


def test_an_array_differs_from_what_has_no_elements() -> None:
    array = cuox.zeros((3,), "f4")
    assert array != None and not array == "x" and array != object() and array == unittest.mock.ANY  # noqa: E711
    assert array in [None, array] and [array] == [array]
    with pytest.raises(TypeError, match="not supported between"):
        array < None  # type: ignore[operator]
    assert {array: 1}[array] == 1 and hash(array) == hash(array) and len({array, array[:]}) == 2
