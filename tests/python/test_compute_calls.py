"""Calls of algorithms that were made before: with other arrays, sizes, values and operators."""

import gc
import threading
import types
import weakref

import cuox
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.compute import CountingIterator, CppOp, DoubleBuffer, OpKind, SortOrder
from cuox.cuda.compute.algorithms import _reduce, _search, _segmented, _sort, _transform

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


def test_sorts_are_remembered():
    random = np.random.default_rng(3)
    scale = 1
    for count in (1000, 10, 5000, 1):
        keys, values = random.integers(0, 50, count), np.arange(count, dtype=np.int32)
        keys_in, values_in, keys_out, values_out = map(
            cuox.to_device, (keys, values, np.zeros_like(keys), np.zeros_like(values))
        )
        for order in SortOrder:
            compute.radix_sort(
                d_in_keys=keys_in,
                d_out_keys=keys_out,
                d_in_values=values_in,
                d_out_values=values_out,
                num_items=count,
                order=order,
            )
            found = np.argsort(keys if order is SortOrder.ASCENDING else -keys, kind="stable")
            np.testing.assert_array_equal(values_out.to_host(), found)
        compute.radix_sort(d_in_keys=keys_in, d_out_keys=keys_out, num_items=count, order=SortOrder.ASCENDING)
        np.testing.assert_array_equal(keys_out.to_host(), np.sort(keys))
        scale = -scale
        compute.merge_sort(
            d_in_keys=keys_in, d_out_keys=keys_out, num_items=count, op=lambda a, b: a * scale < b * scale
        )
        np.testing.assert_array_equal(keys_out.to_host(), scale * np.sort(scale * keys))
        buffer = DoubleBuffer(keys_in, keys_out)
        compute.radix_sort(d_in_keys=buffer, num_items=count, order=SortOrder.ASCENDING, begin_bit=0, end_bit=3)
        assert buffer.current() is keys_out
        np.testing.assert_array_equal(keys_out.to_host(), keys[np.argsort(keys % 8, kind="stable")])
    assert len(_sort._radix_calls) == 4
    assert len(_sort._merge_calls) == 1
    with pytest.raises(ValueError, match="5001 items were asked for, of an array that has 1"):
        compute.radix_sort(d_in_keys=keys_in, d_out_keys=keys_out, num_items=5001, order=SortOrder.ASCENDING)
    with pytest.raises(ValueError, match="values are sorted if both"):
        compute.radix_sort(
            d_in_keys=keys_in, d_out_keys=keys_out, d_in_values=values_in, num_items=1, order=SortOrder.ASCENDING
        )


def test_searches_are_remembered():
    for count in (1000, 7, 20):
        data, values = np.sort(np.random.default_rng(count).integers(0, 50, count)), np.arange(-3, 60)
        given, wanted, out = cuox.to_device(data), cuox.to_device(values), cuox.zeros(values.shape, np.int64)
        for search, side in ((compute.lower_bound, "left"), (compute.upper_bound, "right")):
            for used in (count, count // 2):
                search(d_data=given, num_items=used, d_values=wanted, num_values=values.size, d_out=out)
                np.testing.assert_array_equal(out.to_host(), np.searchsorted(data[:used], values, side))
    assert len(_search._calls) == 2
    with pytest.raises(ValueError, match="21 items were asked for"):
        compute.lower_bound(d_data=given, num_items=21, d_values=wanted, num_values=values.size, d_out=out)


def test_segmented_reductions_are_remembered():
    out, bounds = cuox.zeros((10,), np.int64), np.array([0, 3, 3, 90, 100])
    starts, ends = cuox.to_device(bounds[:-1]), cuox.to_device(bounds[1:])
    for k in (1, 5):
        x = np.arange(100) * k
        given = cuox.to_device(x)
        for segments in (4, 2, 1):
            compute.segmented_reduce(
                d_in=given,
                d_out=out,
                num_segments=segments,
                start_offsets_in=starts,
                end_offsets_in=ends,
                op=lambda a, b: a + b * (k // k),
                h_init=np.array([k]),
            )
            expected = [k + x[first:last].sum() for first, last in zip(bounds[:segments], bounds[1:], strict=False)]
            assert out.to_host()[:segments].tolist() == expected
    assert len(_segmented._calls) == 1
    first = CountingIterator(np.int32(0))
    compute.segmented_reduce(
        d_in=first,
        d_out=out,
        num_segments=4,
        start_offsets_in=starts,
        end_offsets_in=ends,
        op=OpKind.PLUS,
        h_init=np.array([0]),
    )
    assert out.to_host()[:4].tolist() == [3, 0, sum(range(3, 90)), sum(range(90, 100))]


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
    add = lambda a, b: a + 2 * b
    compute.binary_transform(d_in1=x, d_in2=x, d_out=x, op=add, num_items=4)
    assert x.to_host().tolist() == [0, 3, 6, 9]
    y = cuox.to_device(np.full(4, 100))
    compute.binary_transform(d_in1=x, d_in2=y, d_out=out, op=add, num_items=4)
    assert out.to_host().tolist() == [200, 203, 206, 209]
    assert x.to_host().tolist() == [0, 3, 6, 9] and y.to_host().tolist() == [100] * 4


def test_sizes():
    x, out = cuox.to_device(np.arange(8)), cuox.zeros((8,), np.int64)
    op = lambda a: a + 1
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
        "reduce": lambda out: compute.reduce_into(
            d_in=x, d_out=out, num_items=8, op=OpKind.PLUS, h_init=np.zeros(1, np.int64)
        ),
        "select": lambda out: compute.select(
            d_in=x, d_out=x, d_num_selected_out=out, cond=lambda a: a > 2, num_items=8
        ),
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
    least = lambda a, b: a if a.x < b.x else b
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
    same = lambda a: a
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
    op = lambda a: a + 2
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
                compute.reduce_into(
                    d_in=x, d_out=out, num_items=100, op=lambda a, b: a + b, h_init=np.array([k + round]), stream=stream
                )
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
