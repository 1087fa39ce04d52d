"""Calls of algorithms that were made before: with other arrays, sizes, values and operators."""

import gc
import threading
import types
import weakref

import cuox
import numpy as np
import pytest

from cuox.cuda import compute
from cuox.cuda.compute import CppOp, OpKind
from cuox.cuda.compute.algorithms import _reduce, _transform

SCALE = 2
SHIFT = 1


def helper(a):
    return a + SHIFT


def scaled(a):
    return a * SCALE


def helped(a):
    return helper(a)


def transformed(op, x, out=None, n=None):
    x = cuox.to_device(np.asarray(x))
    out = cuox.empty(x.shape, x.dtype) if out is None else out
    compute.unary_transform(d_in=x, d_out=out, op=op, num_items=x.size if n is None else n)
    return out.to_host().tolist()


@pytest.fixture(autouse=True)
def nothing_is_known():
    compute.clear_all_caches()


def test_the_second_call_is_remembered():
    assert transformed(lambda a: a + 1, [1, 2]) == [2, 3]
    for k in range(3):
        assert transformed(lambda a: a + 2, [k, 2]) == [k + 2, 4]
    assert len(_transform._unary_calls) == 2
    compute.clear_all_caches()
    assert len(_transform._unary_calls) == 0


def test_values_that_an_operator_uses(monkeypatch):
    for scale in (2, 3, 3, 7):
        monkeypatch.setitem(globals(), "SCALE", scale)
        assert transformed(scaled, [1, 2]) == [scale, 2 * scale]
    assert len(_transform._unary_calls) == 1
    monkeypatch.setitem(globals(), "SCALE", 1.5)
    assert transformed(scaled, [2.0, 4.0]) == [3.0, 6.0]
    monkeypatch.setitem(globals(), "SCALE", np.float32(0.5))
    assert transformed(scaled, [2.0, 4.0]) == [1.0, 2.0]
    monkeypatch.delitem(globals(), "SCALE")
    with pytest.raises(Exception, match="SCALE"):
        transformed(scaled, [2.0, 4.0])


def test_values_of_closures():
    def made(k):
        return lambda a: a * k

    first, second = made(2), made(5)
    for _ in range(2):
        assert transformed(first, [1, 2]) == [2, 4]
        assert transformed(second, [1, 2]) == [5, 10]
    assert len(_transform._unary_calls) == 1
    k = 3

    def nonlocal_value(a):
        return a + k

    assert transformed(nonlocal_value, [0]) == [3]
    k = 4
    assert transformed(nonlocal_value, [0]) == [4]


def test_functions_that_an_operator_calls(monkeypatch):
    assert transformed(helped, [1]) == [2]
    monkeypatch.setitem(globals(), "SHIFT", 10)
    assert transformed(helped, [1]) == [11]
    monkeypatch.setitem(globals(), "helper", lambda a: a * 100)
    assert transformed(helped, [1]) == [100]
    monkeypatch.setitem(globals(), "helper", lambda a: a * 200)
    assert transformed(helped, [1]) == [200]


def test_a_global_name_that_comes_later(monkeypatch):
    def op(a):
        return abs(a)

    assert transformed(op, [-1]) == [1]
    monkeypatch.setitem(globals(), "abs", lambda a: a * 7)
    assert transformed(op, [-1]) == [-7]
    monkeypatch.delitem(globals(), "abs")
    assert transformed(op, [-1]) == [1]


def test_defaults_of_operators():
    def made(k):
        def op(a, k=k):
            return a + k

        return op

    for k in (1, 2, 1):
        assert transformed(made(k), [0]) == [k]


def test_defaults_of_parameters_by_keyword():
    def made(k):
        def op(a, *, k=k):
            return a + k

        return op

    for k in (1, 2, 1):
        assert transformed(made(k), [0]) == [k]
    op = made(3)
    assert transformed(op, [0]) == [3]
    op.__kwdefaults__["k"] = 4
    assert transformed(op, [0]) == [4]


def test_code_that_is_replaced():
    def op(a):
        return a + 1

    assert transformed(op, [1]) == [2]
    op.__code__ = (lambda a: a + 5).__code__
    assert transformed(op, [1]) == [6]


def test_numbers_that_are_attributes():
    module = types.ModuleType("module")
    module.k, module.inner = 2, types.SimpleNamespace(k=2)

    class Class:
        k = 2

    made = Class()
    for op in (lambda a: a * module.k, lambda a: a * Class.k, lambda a: a * made.k):
        for k in (2, 5, 2):
            module.k = Class.k = k
            assert transformed(op, [1, 3]) == [k, 3 * k]


def test_captured_arrays():
    table = cuox.to_device(np.array([10, 20, 30]))

    def op(a):
        return table[a]

    assert transformed(op, [0, 2]) == [10, 30]
    table = cuox.to_device(np.array([1, 2, 3]))
    assert transformed(op, [0, 2]) == [1, 3]
    table = cuox.to_device(np.array([[1, 2, 3]]))
    with pytest.raises(TypeError, match=r"op\(\) returns array of int64 where int64 is needed"):
        transformed(op, [0, 2])


def test_the_same_array_in_two_places():
    x = cuox.to_device(np.arange(4))
    out = cuox.zeros((4,), np.int64)
    add = lambda a, b: a + 2 * b  # noqa: E731
    compute.binary_transform(d_in1=x, d_in2=x, d_out=x, op=add, num_items=4)
    assert x.to_host().tolist() == [0, 3, 6, 9]
    y = cuox.to_device(np.full(4, 100))
    compute.binary_transform(d_in1=x, d_in2=y, d_out=out, op=add, num_items=4)
    assert out.to_host().tolist() == [200, 203, 206, 209]
    assert x.to_host().tolist() == [0, 3, 6, 9] and y.to_host().tolist() == [100] * 4


def test_sizes():
    x, out = cuox.to_device(np.arange(8)), cuox.zeros((8,), np.int64)
    op = lambda a: a + 1  # noqa: E731
    for n in (8, 3, 0, 8):
        compute.unary_transform(d_in=x, d_out=out, op=op, num_items=n)
    assert out.to_host().tolist() == list(range(1, 9))
    with pytest.raises(ValueError, match="9 items were asked for, of an array that has 8"):
        compute.unary_transform(d_in=x, d_out=out, op=op, num_items=9)
    with pytest.raises(ValueError, match="8 items were asked for, of an array that has 3"):
        compute.unary_transform(d_in=x, d_out=out[:3], op=op, num_items=8)
    with pytest.raises(ValueError, match="num_items must be 0 or more"):
        compute.unary_transform(d_in=x, d_out=out, op=op, num_items=-1)
    compute.unary_transform(d_in=x[4:], d_out=out[:4], op=op, num_items=4)
    assert out.to_host().tolist() == [5, 6, 7, 8, 5, 6, 7, 8]
    with pytest.raises(ValueError, match="Non-contiguous"):
        compute.unary_transform(d_in=x[::2], d_out=out, op=op, num_items=4)
    # Two dimensions in the order of memory.
    compute.unary_transform(d_in=x.reshape(2, 4), d_out=out, op=op, num_items=8)
    assert out.to_host().tolist() == list(range(1, 9))


def test_an_output_without_room_for_the_result():
    x, empty, one = cuox.to_device(np.arange(8)), cuox.empty((0,), np.int64), cuox.empty((1,), np.int64)
    calls = {
        "reduce": lambda out: compute.reduce_into(d_in=x, d_out=out, num_items=8, op=OpKind.PLUS, h_init=np.zeros(1, np.int64)),
        "select": lambda out: compute.select(d_in=x, d_out=x, d_num_selected_out=out, cond=lambda a: a > 2, num_items=8),
    }
    for call in calls.values():
        call(one)
        with pytest.raises(ValueError, match="1 items were asked for, of an array that has 0"):
            call(empty)


def test_types():
    for dtype in (np.int32, np.float64, np.int8, np.int32, np.complex64):
        assert transformed(lambda a: a + a, np.array([1, 2], dtype)) == [2, 4]
    assert transformed(lambda a: a + a, np.array([1, 2], np.int16), cuox.empty((2,), np.float32)) == [2.0, 4.0]


def test_initial_values():
    x, out = cuox.to_device(np.arange(5)), cuox.empty((1,), np.int64)

    def total(first):
        compute.reduce_into(d_in=x, d_out=out, num_items=5, op=OpKind.PLUS, h_init=first)
        return out.to_host()[0]

    init = np.zeros(1, np.int64)
    for value in (0, 5, -3):
        init[0] = value
        assert total(init) == 10 + value
        assert total(np.int64(value)) == 10 + value
        assert total(value) == 10 + value
    assert total(np.array(7, np.int32)) == 17
    with pytest.raises(TypeError, match="machine's byte order"):
        total(np.array([7], ">i4"))
    assert total(1.75) == 11
    known = len(_reduce._calls)
    total(np.array([8], np.int64))
    assert len(_reduce._calls) == known


def test_initial_values_on_the_device():
    x, out = cuox.to_device(np.arange(1, 4)), cuox.empty((3,), np.int64)
    for value in (0, 10):
        first = cuox.to_device(np.array([value]))
        compute.exclusive_scan(d_in=x, d_out=out, op=OpKind.PLUS, init_value=first, num_items=3)
        assert out.to_host().tolist() == [value, value + 1, value + 3]
        compute.inclusive_scan(d_in=x, d_out=out, op=OpKind.PLUS, init_value=np.array([value]), num_items=3)
        assert out.to_host().tolist() == [value + 1, value + 3, value + 6]
        compute.inclusive_scan(d_in=x, d_out=out, op=OpKind.PLUS, num_items=3)
        assert out.to_host().tolist() == [1, 3, 6]


def test_structures():
    point = np.dtype([("x", np.float64), ("n", np.int32)], align=True)
    host = np.array([(1.5, 1), (2.5, 2), (0.5, 3)], point)
    x, out = cuox.to_device(host), cuox.empty((1,), point)
    least = lambda a, b: a if a.x < b.x else b  # noqa: E731
    first = np.zeros(1, point)
    for value in (9.0, 0.25, 9.0):
        first["x"] = value
        compute.reduce_into(d_in=x, d_out=out, num_items=3, op=least, h_init=first)
        assert out.to_host()[0]["x"] == min(0.5, value)
    with pytest.raises(TypeError, match="dtype mismatch"):
        compute.reduce_into(d_in=cuox.zeros((3,), np.int32), d_out=out, num_items=3, op=least, h_init=first)


def test_operators_of_other_kinds():
    x, out = cuox.to_device(np.arange(1, 5)), cuox.empty((1,), np.int64)
    plus = CppOp("__device__ long long twice(long long a, long long b) { return a + b; }", "twice")
    for _ in range(2):
        for op, result in ((OpKind.PLUS, 10), (OpKind.MULTIPLIES, 0), (OpKind.MAXIMUM, 4), (plus, 10)):
            compute.reduce_into(d_in=x, d_out=out, num_items=4, op=op, h_init=np.zeros(1, np.int64))
            assert out.to_host()[0] == result
    with pytest.raises(AttributeError):
        plus.source = ""
    with pytest.raises(TypeError, match="an operator must be"):
        compute.reduce_into(d_in=x, d_out=out, num_items=4, op=3, h_init=np.zeros(1, np.int64))


def test_iterators_and_their_operators(monkeypatch):
    out = cuox.empty((3,), np.int64)
    counting = compute.CountingIterator(np.int64(5))
    for _ in range(2):
        compute.unary_transform(d_in=counting, d_out=out, op=scaled, num_items=3)
        assert out.to_host().tolist() == [10, 12, 14]
    compute.unary_transform(d_in=counting + 1, d_out=out, op=scaled, num_items=3)
    assert out.to_host().tolist() == [12, 14, 16]
    made = compute.TransformIterator(counting, scaled)
    same = lambda a: a  # noqa: E731
    compute.unary_transform(d_in=made, d_out=out, op=same, num_items=3)
    monkeypatch.setitem(globals(), "SCALE", 100)
    compute.unary_transform(d_in=made, d_out=out, op=same, num_items=3)
    assert out.to_host().tolist() == [500, 600, 700]


def test_numbers_that_are_part_of_the_text():
    n = 1

    def op(a):
        t = (1, 2, 3)
        return a + t[n]

    assert transformed(op, [0]) == [2]
    n = 2
    assert transformed(op, [0]) == [3]
    n = 1
    assert transformed(op, [0]) == [2]


def test_memory_is_not_held():
    class Owner:
        def __init__(self):
            self.array = cuox.to_device(np.arange(4))
            self.__cuda_array_interface__ = self.array.__cuda_array_interface__

    owner = Owner()
    out = cuox.empty((4,), np.int64)
    for _ in range(2):
        compute.unary_transform(d_in=owner, d_out=out, op=lambda a: a + 1, num_items=4)
        compute.unary_transform(d_in=compute.ReverseIterator(owner), d_out=out, op=lambda a: a + 1, num_items=4)
    assert out.to_host().tolist() == [4, 3, 2, 1]
    cuox.Device().sync()
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_what_is_known_does_not_grow_for_ever():
    out = cuox.empty((4,), np.int64)
    op = lambda a: a + 2  # noqa: E731
    for k in range(600):
        iterator = compute.CountingIterator(np.int64(k))
        compute.unary_transform(d_in=iterator, d_out=out, op=op, num_items=4)
        assert len(_transform._unary_calls) <= 256
    assert out.to_host().tolist() == [601, 602, 603, 604]


def test_threads():
    failures = []

    def work(k):
        try:
            device = cuox.Device()
            device.set_current()
            stream = device.create_stream()
            x, out = cuox.to_device(np.arange(100), stream=stream), cuox.empty((1,), np.int64, stream=stream)
            for round in range(30):
                compute.reduce_into(d_in=x, d_out=out, num_items=100, op=lambda a, b: a + b, h_init=np.array([k + round]), stream=stream)
                host = out.to_host(stream=stream)
                stream.sync()
                if host[0] != 4950 + k + round:
                    failures.append((k, round, host[0]))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
