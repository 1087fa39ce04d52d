"""Host arrays and other objects that operators capture, which may be others at the next call."""

import gc
import threading
import time
import types

import cuox
import numpy as np
import pytest
from cuox._internal.kernel_errors import KernelTypeError
from cuox.cuda import compute
from cuox.cuda.compute import _kernels, _operators
from cuox.numba import cuda

TABLE = np.array([1, 2, 3], np.int32)


def looked_up(a):
    return TABLE[a]


def by_helper(a):
    return looked_up(a) + 1


def transformed(op, count=3, stream=None):
    out = cuox.empty((count,), np.int64, stream=stream)
    x = cuox.to_device(np.arange(count), stream=stream)
    compute.unary_transform(d_in=x, d_out=out, op=op, num_items=count, stream=stream)
    found = out.to_host(stream=stream)
    (stream or cuox.Device().default_stream).sync()
    return found.tolist()


@pytest.fixture(autouse=True)
def nothing_is_known():
    compute.clear_all_caches()
    TABLE[:] = 1, 2, 3


def kernels():
    return len(_kernels._kernels)


@pytest.mark.parametrize(("op", "more"), [(looked_up, 0), (by_helper, 1)])
def test_a_changed_array(op, more):
    assert transformed(op) == [1 + more, 2 + more, 3 + more]
    known = kernels()
    for k in range(5):
        TABLE[1] = 10 * k
        assert transformed(op) == [1 + more, 10 * k + more, 3 + more]
    assert kernels() == known


def test_another_array(monkeypatch):
    assert transformed(looked_up) == [1, 2, 3]
    known = kernels()
    monkeypatch.setitem(globals(), "TABLE", np.arange(100, 5000, dtype=np.int32))
    assert transformed(looked_up) == [100, 101, 102]
    # In another order of memory, and with gaps.
    for other in (np.arange(10, dtype=np.int32)[::3], np.arange(10, dtype=np.int32)[::-1]):
        monkeypatch.setitem(globals(), "TABLE", other)
        assert transformed(looked_up) == other[:3].tolist()
    assert kernels() == known
    monkeypatch.setitem(globals(), "TABLE", np.array([1.5, 2.5, 3.5]))
    assert transformed(lambda a: 2 * TABLE[a]) == [3, 5, 7]


def test_shapes_dimensions_and_sizes():
    t = np.arange(6.0).reshape(2, 3).T
    assert transformed(lambda a: t[a, 1] + len(t) + t.shape[1] + t.size) == [14, 15, 16]
    large = np.arange(1 << 20)
    assert transformed(lambda a: large[a + (1 << 19)]) == [(1 << 19) + k for k in range(3)]
    one = np.array(7)
    assert transformed(lambda a: a + one[()]) == [7, 8, 9]
    one[()] = 8
    assert transformed(lambda a: a + one[()]) == [8, 9, 10]
    records = np.array([(1, 2.0), (3, 4.0)], np.dtype([("a", "i4"), ("b", "f8")], align=True))
    assert transformed(lambda a: records[a % 2].a + records[a % 2].b) == [3, 7, 3]


def test_arrays_are_only_read():
    def put(a):
        TABLE[a] = 0
        return a

    with pytest.raises(KernelTypeError, match="a captured host array is constant in kernels"):
        transformed(put)


def test_constants_are_told_by_their_bytes():
    """What must be known when a kernel is compiled: here the size of an array."""

    def op(a):
        part = cuda.local.array(TABLE.shape[0], np.int32)
        for i in range(TABLE.shape[0]):
            part[i] = TABLE[i]
        return part[a]

    for k in (5, 6, 5):
        TABLE[0] = k
        assert transformed(op) == [k, 2, 3]

    def constant(a):
        return cuda.const.array_like(TABLE)[a]

    for k in (7, 8, 7):
        TABLE[0] = k
        assert transformed(constant) == [k, 2, 3]


def test_what_is_part_of_the_text():
    """Lists, tuples, defaults and attributes: another kernel for other values, never the one for the old."""
    numbers = [1, 2]
    pair = (np.array([1, 2]), 3)
    many = (np.arange(3000), 3)

    class Holder:
        table = np.array([1, 2, 3])

    def by_default(a, t=TABLE):
        return t[a]

    cases = [
        (lambda a: a + numbers[0], lambda k: numbers.__setitem__(0, k), lambda k: [k, k + 1, k + 2]),
        (lambda a: a + pair[0][1], lambda k: pair[0].__setitem__(1, k), lambda k: [k, k + 1, k + 2]),
        (lambda a: a + many[0][1500], lambda k: many[0].__setitem__(1500, k), lambda k: [k, k + 1, k + 2]),
        (lambda a: Holder.table[a], lambda k: Holder.table.__setitem__(2, k), lambda k: [1, 2, k]),
        (by_default, lambda k: TABLE.__setitem__(2, k), lambda k: [1, 2, k]),
    ]
    for op, change, expected in cases:
        for k in (5, 6, 5):
            change(k)
            assert transformed(op) == expected(k)


def test_the_array_is_taken_as_it_is_at_the_call():
    """Also if the stream is busy, and the array changes before its turn."""
    stream = cuox.Device().create_stream()
    busy = cuox.Program(
        'extern "C" __global__ void busy(long long n) { volatile long long k = 0; while (k < n) k = k + 1; }',
        code_type="c++",
    )
    kernel = busy.compile("ptx").get_kernel("busy")
    x, outs = cuox.to_device(np.zeros(10, np.int64)), [cuox.empty((10,), np.int64) for _ in range(20)]
    table = np.zeros(50_000, np.int64)
    op = lambda a: table[a] + table[49_999]
    cuox.Device().default_stream.sync()
    kernel[1, 1, stream](3_000_000)
    for k, out in enumerate(outs):
        table[:] = k
        compute.unary_transform(d_in=x, d_out=out, op=op, num_items=10, stream=stream)
        table[:] = -1
        gc.collect()
    stream.sync()
    assert [out.to_host().tolist() for out in outs] == [[2 * k] * 10 for k in range(20)]


def test_in_iterators_and_all_kinds_of_algorithms():
    x, out = cuox.to_device(np.arange(3)), cuox.empty((1,), np.int64)
    for k in (1, 5):
        TABLE[0] = k
        given = compute.TransformIterator(x, lambda a: TABLE[a])
        compute.reduce_into(d_in=given, d_out=out, num_items=3, op=lambda a, b: a + b, h_init=np.zeros(1, np.int64))
        assert out.to_host()[0] == k + 5
    keys = cuox.to_device(np.array([0, 1, 2]))
    for order in ([3, 2, 1], [1, 3, 2]):
        TABLE[:] = order
        found = cuox.empty((3,), np.int64)
        compute.merge_sort(d_in_keys=keys, d_out_keys=found, num_items=3, op=lambda a, b: TABLE[a] < TABLE[b])
        assert found.to_host().tolist() == np.argsort(order).tolist()


def test_serialized():
    made = compute.make_unary_transform(d_in=cuox.empty((1,), np.int64), d_out=cuox.empty((1,), np.int64), op=looked_up)
    read = compute.deserialize(compute.serialize(made))
    x, out = cuox.to_device(np.arange(3)), cuox.empty((3,), np.int64)
    TABLE[0] = 77
    read(d_in=x, d_out=out, op=looked_up, num_items=3)
    assert out.to_host().tolist() == [77, 2, 3]
    other = np.zeros((2, 2), np.int32)
    with pytest.raises((TypeError, ValueError)):
        read(d_in=x, d_out=out, op=lambda a: other[a], num_items=3)


def test_graphs_take_arrays_on_the_device_only():
    from cuox.cuda.bindings import driver

    transformed(looked_up)
    stream = cuox.Device().create_stream()
    handle = stream.__cuda_stream__()[1]
    driver.cuStreamBeginCapture(handle, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED)
    try:
        x, out = cuox.to_device(np.arange(3)), cuox.empty((3,), np.int64)
        with pytest.raises(
            ValueError, match="captures the host array 'TABLE', which a graph would read when it is launched"
        ):
            compute.unary_transform(d_in=x, d_out=out, op=looked_up, num_items=3, stream=stream)
    finally:
        driver.cuStreamEndCapture(handle)


def test_threads_with_arrays_of_their_own():
    wrong = []

    def work(k):
        own = np.full(3, k)
        for _ in range(20):
            if transformed(lambda a: own[a]) != [k] * 3:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_many_lambdas_of_the_same_code():
    x, out = cuox.to_device(np.arange(64)), cuox.empty((64,), np.int64)

    def call(k, by_array):
        if by_array:
            own = np.full(8, k)
            op = lambda a: a + own[3]
        else:
            op = lambda a: a + k
        compute.unary_transform(d_in=x, d_out=out, op=op, num_items=64)

    for by_array, count in ((False, 20_000), (True, 3000)):
        for k in range(500):
            call(k, by_array)
        gc.collect()
        known = kernels(), len(_operators._known)
        # What other threads of the process allocate meanwhile does not grow every time.
        for attempt in range(3):
            before = memory()
            for k in range(count):
                call(k, by_array)
            gc.collect()
            assert (kernels(), len(_operators._known)) == known
            if memory() - before < 8 << 20:
                break
            assert attempt < 2, "memory grows with each call"
        assert out.to_host()[0] == count - 1


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(_operators._known, "_most", 16)
    monkeypatch.setattr(_kernels._kernels, "_most", 16)

    def of(k):
        class Own:
            number = k

        return lambda a: a + Own.number

    begin = time.perf_counter()
    for k in range(40):
        assert transformed(of(k % 5)) == [k % 5, k % 5 + 1, k % 5 + 2]
    assert len(_operators._known) <= 16
    assert kernels() <= 16
    assert time.perf_counter() - begin < 60


class Thing:
    """An object with attributes."""

    def __init__(self, **given):
        for name, value in given.items():
            setattr(self, name, value)


def test_parts_of_objects_and_containers_are_as_they_are_at_the_call():
    x = np.arange(3)
    thing, table, rows = (
        Thing(inner=Thing(v=3), further=Thing(a=Thing(b=Thing(c=1)))),
        {"k": 2, "deep": {"m": 3}},
        (1, 2, [3, 4]),
    )
    op = lambda a: a * thing.inner.v + thing.further.a.b.c + table["k"] + table["deep"]["m"] + rows[2][0]
    for k in (1, 2, 2, 7):
        thing.inner.v = thing.further.a.b.c = table["k"] = table["deep"]["m"] = rows[2][0] = k
        assert compute.transform(op, x).tolist() == (x * k + 4 * k).tolist()
    thing.inner = Thing(v=0.5)
    assert compute.transform(op, x).tolist() == (x * 0.5 + 28).tolist()


def helped_by(name, k):
    """A module with a function that uses a number of its own."""
    module = types.ModuleType(name)
    exec("K = 10\ndef helper(a):\n    return a + K\n", module.__dict__)
    module.K = k
    return module


K = 1000


def test_functions_of_modules_and_classes_have_numbers_of_their_own():
    x, module = np.arange(3), helped_by("own", 10)

    class Static:
        k = 5

        @staticmethod
        def times(a):
            return a * Static.k

    of_module, of_class = (lambda a: module.helper(a)), (lambda a: Static.times(a))
    assert compute.transform(of_module, x).tolist() == [10, 11, 12]
    module.K = 20
    assert compute.transform(of_module, x).tolist() == [20, 21, 22]
    module.helper = lambda a: a - 1
    assert compute.transform(of_module, x).tolist() == [-1, 0, 1]
    assert compute.transform(of_class, x).tolist() == [0, 5, 10]
    Static.k = 7
    assert compute.transform(of_class, x).tolist() == [0, 7, 14]
    Static.times = staticmethod(lambda a: -a)
    assert compute.transform(of_class, x).tolist() == [0, -1, -2]


def test_arrays_that_are_attributes_and_items():
    x, thing, table = np.arange(3), Thing(), {}
    for dtype in (np.int64, np.float32):
        for k in (1, 2):
            values = np.arange(k, k + 3, dtype=dtype)
            thing.t, table["t"], thing.host = cuox.to_device(values), cuox.to_device(2 * values), values
            assert (
                compute.transform(lambda a: thing.t[a] + table["t"][a] + thing.host[a], x).tolist()
                == (4 * values).tolist()
            )


def test_two_names_for_one_thing():
    first = cuox.to_device(np.array([1, 2, 3]))
    second = first
    both = lambda a: first[a] * 100 + second[a]
    assert compute.transform(both, np.arange(3)).tolist() == [101, 202, 303]
    second = cuox.to_device(np.array([4, 5, 6]))
    assert compute.transform(both, np.arange(3)).tolist() == [104, 205, 306]

    def adding(k):
        return lambda a: a + k

    f = g = adding(2)
    composed = lambda a: f(a) * 100 + g(a)
    assert compute.transform(composed, np.array([1])).tolist() == [303]
    g = adding(5)
    assert compute.transform(composed, np.array([1])).tolist() == [306]


def test_helpers_that_call_themselves_and_each_other():
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    def gauss(n):
        return 0 if n <= 0 else n + gauss(n - 1)

    assert compute.transform(lambda a: gauss(a) if even(a) else -gauss(a), np.arange(5)).tolist() == [0, -1, 3, -6, 10]


def test_objects_without_end():
    class Endless:
        def __getattr__(self, name):
            if name not in ("further", "v"):
                raise AttributeError(name)
            return Endless() if name == "further" else 3

    endless = Endless()
    assert compute.transform(lambda a: a * endless.further.further.v, np.arange(3)).tolist() == [0, 3, 6]
    ring = Thing(v=2)
    ring.v2, ring.ring = 1, ring
    assert compute.transform(lambda a: a * ring.ring.ring.v, np.arange(3)).tolist() == [0, 2, 4]
