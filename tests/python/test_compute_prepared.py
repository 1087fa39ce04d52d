"""Launches that are ready, because arrays of the same sizes came before: all that may differ between two calls of the
same sizes.
"""

import threading

import cuox
import numpy as np
import pytest
from cuox.cuda import compute

N = 1000


@pytest.fixture(autouse=True)
def nothing_is_known():
    compute.clear_all_caches()


def on_device(array):
    return cuox.to_device(np.asarray(array))


def add(a, b):
    return a + b


def host_after(stream, array):
    stream.sync()
    return array.to_host()


def reduced(x, n, init=0, stream=None, op=add):
    out = cuox.empty((1,), x.dtype)
    compute.reduce_into(d_in=x, d_out=out, num_items=n, op=op, h_init=np.array([init], x.dtype), stream=stream)
    return out.to_host()[0]


def scanned(x, n, out=None, op=add):
    out = cuox.zeros(x.shape, x.dtype) if out is None else out
    compute.inclusive_scan(d_in=x, d_out=out, num_items=n, op=op)
    return out.to_host()


def selected(x, n, out=None, cond=lambda a: a % 3 == 0):
    out = cuox.zeros(x.shape, x.dtype) if out is None else out
    number = cuox.zeros((1,), np.int64)
    compute.select(d_in=x, d_out=out, d_num_selected_out=number, cond=cond, num_items=n)
    return out.to_host()[: int(number.to_host()[0])]


def transformed(x, n, op=lambda a: a + 1, out=None):
    out = cuox.zeros(x.shape, x.dtype) if out is None else out
    compute.unary_transform(d_in=x, d_out=out, op=op, num_items=n)
    return out.to_host()


def test_other_arrays_of_the_same_sizes():
    rng = np.random.default_rng(1)
    for _ in range(6):
        h = rng.integers(0, 100, N, np.int32)
        x = on_device(h)
        assert reduced(x, N) == h.sum()
        assert scanned(x, N).tolist() == np.cumsum(h, dtype=np.int32).tolist()
        assert selected(x, N).tolist() == h[h % 3 == 0].tolist()
        assert transformed(x, N).tolist() == (h + 1).tolist()


def test_other_sizes_in_turn():
    h = np.arange(N, dtype=np.int32)
    x = on_device(h)
    # Each comes twice, so that it is ready, then in turn; and the same number of items of longer arrays.
    for n in (10, 10, 10, 999, 999, 999, 10, 999, 10, 1, 1, 1, N):
        assert reduced(x, n) == h[:n].sum()
        assert scanned(x, n)[:n].tolist() == np.cumsum(h[:n]).tolist()
        assert selected(x, n).tolist() == h[:n][h[:n] % 3 == 0].tolist()
        assert transformed(x, n).tolist() == [*(h[:n] + 1), *[0] * (N - n)]
        part = x[: n + (n < N)]
        assert reduced(part, n) == h[:n].sum()


def test_memory_that_is_aligned_otherwise():
    h = np.arange(N + 8, dtype=np.float32)
    x = on_device(h)
    for start in (0, 0, 0, 1, 1, 1, 2, 3, 4, 4, 0, 1):
        part, expected = x[start : start + N], h[start : start + N]
        assert reduced(part, N) == expected.sum()
        assert transformed(part, N).tolist() == (expected + 1).tolist()
        out = cuox.zeros((N + 8,), np.float32)[start : start + N]
        assert transformed(part, N, out=out).tolist() == (expected + 1).tolist()


def test_values_and_captured_values():
    h = np.arange(N, dtype=np.int32)
    x = on_device(h)
    table = on_device(np.arange(5, dtype=np.int32))
    for init in range(5):
        assert reduced(x, N, init) == h.sum() + init
        assert transformed(x, N, lambda a: a * init + 1).tolist() == (h * init + 1).tolist()
        table = on_device(np.arange(5, dtype=np.int32) * init)
        assert transformed(x, N, lambda a: a + table[a % 5]).tolist() == (h + h % 5 * init).tolist()
        first = on_device(np.array([init], np.int32))
        out = cuox.empty((N,), np.int32)
        compute.exclusive_scan(d_in=x, d_out=out, op=add, init_value=first, num_items=N)
        assert out.to_host().tolist() == (np.cumsum(h) - h + init).tolist()


def test_the_same_arrays_with_other_items():
    x, out = cuox.zeros((N,), np.int64), cuox.zeros((N,), np.int64)
    for k in range(5):
        x.copy_from(np.full(N, k))
        assert scanned(x, N, out)[-1] == k * N
        assert selected(x, N, out, lambda a: a > 2).size == (N if k > 2 else 0)


def in_turn(algorithm):
    """Call an algorithm with outputs that are its inputs at some calls. `algorithm` is called with inputs, other
    arrays, and whether it is in place.
    """
    for k in range(9):
        algorithm(on_device(np.arange(N)), cuox.zeros((N,), np.int64), k in (2, 3, 4, 6, 8))


def test_selections_in_place_and_apart_in_turn():
    h = np.arange(N)
    in_turn(lambda x, other, in_place: check(selected(x, N, x if in_place else other), h[h % 3 == 0]))
    # An output that would overwrite items which are not read yet is refused, however often others came.
    x = on_device(h)
    for _ in range(3):
        with pytest.raises(ValueError, match="d_out lies in the memory of d_in"):
            selected(x[:-1], N - 1, x[1:])


def check(found, expected):
    assert found.tolist() == expected.tolist()


def test_differences_in_place_and_apart_in_turn():
    def differences(x, other, in_place):
        out = x if in_place else other
        compute.adjacent_difference(d_in=x, d_out=out, num_items=N)
        check(out.to_host(), np.diff(np.arange(N), prepend=0))

    in_turn(differences)


def test_unique_keys_in_place_and_apart_in_turn():
    h = np.arange(N)

    def unique(x, other, in_place):
        keys, number = on_device(h // 7), cuox.zeros((1,), np.int64)
        out, items = (keys, x) if in_place else (other, cuox.empty((N,), np.int64))
        compute.unique_by_key(
            d_in_keys=keys,
            d_in_items=x,
            d_out_keys=out,
            d_out_items=items,
            d_out_num_selected=number,
            op=lambda a, b: a == b,
            num_items=N,
        )
        check(out.to_host()[: int(number.to_host()[0])], np.unique(h // 7))
        check(items.to_host()[: N // 7], h[::7][: N // 7])

    in_turn(unique)


def test_items_of_keys_that_are_the_keys():
    h = np.repeat(np.arange(100), 10)
    for apart in (False, True, False, False, True):
        x, number = on_device(h), cuox.zeros((1,), np.int64)
        items = on_device(h) if apart else x
        compute.unique_by_key(
            d_in_keys=x,
            d_in_items=items,
            d_out_keys=x,
            d_out_items=items,
            d_out_num_selected=number,
            op=lambda a, b: a == b,
            num_items=h.size,
        )
        assert number.to_host()[0] == 100
        assert x.to_host()[:100].tolist() == items.to_host()[:100].tolist() == list(range(100))
    x, items = on_device(h), on_device(h)
    for _ in range(3):
        with pytest.raises(ValueError, match="d_out_items lies in the memory of d_in_keys: it must be another array"):
            compute.unique_by_key(
                d_in_keys=x,
                d_in_items=items,
                d_out_keys=items,
                d_out_items=x,
                d_out_num_selected=number,
                op=lambda a, b: a == b,
                num_items=h.size,
            )


def test_streams_and_graphs(device, no_garbage):
    streams = [device.create_stream() for _ in range(3)]
    h = np.arange(N, dtype=np.int64)
    x, out = on_device(h), cuox.empty((N,), np.int64)
    sums = [cuox.empty((1,), np.int64) for _ in streams]
    for k in range(4):
        for stream, one in zip(streams, sums):
            compute.reduce_into(d_in=x, d_out=one, num_items=N, op=add, h_init=np.array([k]), stream=stream)
        for stream, one in zip(streams, sums):
            assert host_after(stream, one)[0] == h.sum() + k
    # Work that is captured has memory of its own.
    stream = streams[0]
    builder = stream.create_graph_builder().begin_building()
    compute.inclusive_scan(d_in=x, d_out=out, op=add, num_items=N, stream=stream)
    compute.reduce_into(d_in=x, d_out=sums[0], num_items=N, op=add, h_init=np.array([7]), stream=stream)
    graph = builder.end_building().complete()
    for k in range(3):
        out.fill(0, stream=stream)
        compute.reduce_into(d_in=x, d_out=sums[1], num_items=N, op=add, h_init=np.array([k]), stream=stream)
        graph.launch(stream)
        assert host_after(stream, out).tolist() == np.cumsum(h).tolist()
        assert (sums[0].to_host()[0], sums[1].to_host()[0]) == (h.sum() + 7, h.sum() + k)


def test_more_scratch_memory_comes_meanwhile():
    h = np.ones(1 << 18, np.int32)
    x, small = on_device(h), on_device(h[:N])
    for _ in range(3):
        assert scanned(small, N)[-1] == N
    assert scanned(x, h.size)[-1] == h.size
    for _ in range(3):
        assert scanned(small, N)[-1] == N
        assert scanned(x, h.size)[-1] == h.size


def test_memory_that_is_gone():
    buffer = cuox.Device().mem_alloc(N * 4)
    x = cuox.Array((N,), np.dtype(np.int32), buffer=buffer)
    x.fill(1)
    out = cuox.empty((1,), np.int32)
    for _ in range(4):
        compute.reduce_into(d_in=x, d_out=out, num_items=N, op=add, h_init=np.zeros(1, np.int32))
    assert out.to_host()[0] == N
    buffer.close()
    with pytest.raises(ValueError, match="closed|freed"):
        compute.reduce_into(d_in=x, d_out=out, num_items=N, op=add, h_init=np.zeros(1, np.int32))


def test_counts_that_are_too_large_and_other_kinds_of_numbers():
    h = np.arange(N, dtype=np.int32)
    x = on_device(h)
    for n in (N, N, np.int64(N), np.int64(N), N):
        assert reduced(x, n) == h.sum()
    for wrong in (N + 1, np.int32(N + 1)):
        with pytest.raises(ValueError, match="1001 items were asked for"):
            reduced(x, wrong)
    with pytest.raises(ValueError, match="0 or more"):
        reduced(x, -1)
    assert reduced(x, 0, 5) == 5


def test_arrays_of_other_classes(device):
    from cuox.numba import cuda

    h = np.arange(N, dtype=np.int32)
    made = [cuda.to_device(h)]
    from cuox.pycuda import autoinit, gpuarray  # noqa: F401

    made.append(gpuarray.to_gpu(h))
    for x in made:
        assert isinstance(x, cuox.Array) and type(x) is not cuox.Array
        out = type(x).copy(x)
        first = x[3:4]
        for _ in range(5):
            assert reduced(x, N) == h.sum()
            check(scanned(x, N, out), np.cumsum(h))
            compute.exclusive_scan(d_in=x, d_out=out, op=add, init_value=first, num_items=N)
            assert int(np.asarray(out.to_host() if hasattr(out, "to_host") else out.get())[0]) == 3
        with pytest.raises(ValueError, match="1001 items were asked for"):
            reduced(x, N + 1)
        with pytest.raises(ValueError, match="d_out lies in the memory of d_in"):
            transformed(x[:-1], N - 1, out=x[1:])


def test_numbers_of_items_of_numpy_are_values_too():
    data, values = on_device(np.arange(10) * 3), on_device(np.array([0, 1, 9, 100]))
    out = cuox.empty((4,), np.int64)
    for count in (10, np.int32(10), np.int64(10), np.uint8(10), np.int32(2), 2):
        for _ in range(4):
            compute.lower_bound(d_data=data, num_items=count, d_values=values, num_values=np.int16(4), d_out=out)
            check(out.to_host(), np.searchsorted(np.arange(int(count)) * 3, [0, 1, 9, 100]))
    from cuox.cuda.compute.algorithms import _search

    assert len(_search._calls) == 1


def test_calls_that_a_name_tells_apart_do_not_pile_up():
    from cuox.cuda.compute.algorithms import _transform

    x = on_device(np.arange(10))
    for k in range(40):
        helper = eval(f"lambda a: a + {k}")
        check(transformed(x, 10, lambda a: helper(a)), np.arange(10) + k)
    assert len(_transform._unary_calls) <= 16


def test_streams_in_turn_are_ready_too(device):
    streams = [device.create_stream() for _ in range(3)]
    h = np.arange(N)
    x, outs = on_device(h), [cuox.zeros((N,), np.int64) for _ in streams]
    for k in range(6):
        for stream, out in zip(streams, outs):
            compute.inclusive_scan(d_in=x, d_out=out, op=add, num_items=N, init_value=np.array([k]), stream=stream)
        for stream, out in zip(streams, outs):
            check(host_after(stream, out), np.cumsum(h) + k)


def test_threads_that_call_with_sizes_of_their_own():
    h = np.arange(5000, dtype=np.int64)
    x = on_device(h)
    wrong = []

    def work(n):
        for _ in range(100):
            if reduced(x, n) != h[:n].sum():
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in (10, 1000, 1000, 5000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_select_by_name_and_in_short():
    x = on_device(np.arange(10))
    with pytest.raises(TypeError, match="num_items"):
        compute.select(d_in=x, d_out=x, d_num_selected_out=cuox.zeros((1,), np.int64), cond=lambda a: a > 4)
    with pytest.raises(TypeError, match="missing"):
        compute.select()
    with pytest.raises(TypeError, match="not both"):
        compute.select(x, lambda a: a > 4, num_items=3)
    assert compute.select(x, lambda a: a > 4).to_host().tolist() == [5, 6, 7, 8, 9]


def test_initial_values_that_are_equal_but_not_the_same():
    x = on_device(np.zeros(3, np.float32) * -1)
    for init, sign in ((0.0, False), (-0.0, True), (0, False), (-0.0, True), (0.0, False)):
        assert np.signbit(compute.reduce(x, init, lambda a, b: a)) == sign
        assert np.signbit(compute.reduce(on_device(np.zeros(0, np.float32)), init, add)) == sign
    ints = on_device(np.arange(3))
    for _ in range(2):
        assert compute.reduce(ints, 1.0, add) == 4
        with pytest.raises(ValueError, match=r"init is 1\.5"):
            compute.reduce(ints, 1.5, add)
