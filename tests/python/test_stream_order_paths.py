"""Arrays used in several streams on less common paths: inside iterators and operators, in other libraries' hands,
dropped in callbacks and captures, in several threads, with captures that fail."""

from __future__ import annotations

import contextlib
import threading

import cuox
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.bindings import driver
from late_kernels import SIZE, TURNS, blocking, late_kernels
from pools import used_bytes

LONG = 20 * TURNS


@pytest.fixture(scope="module")
def kernels(device):
    return late_kernels(device)


class Foreign:
    """An array as one of another library, which tells of no stream."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self.array = array


@pytest.mark.parametrize("form", ["reverse", "moved", "cached"])
def test_arrays_in_iterators(device, kernels, form):
    out = cuox.zeros(1, np.int32)
    made = {
        "reverse": lambda x: (compute.ReverseIterator(x), SIZE),
        "moved": lambda x: (compute.TransformIterator(x, lambda v: v) + 6, SIZE - 6),
        "cached": lambda x: (compute.CacheModifiedInputIterator(x, "stream"), SIZE),
    }[form]
    for turns in (0, LONG):
        writer, reader = device.create_stream(), device.create_stream()
        x = cuox.zeros(SIZE, np.int32)
        kernels["step"][1, 32, writer](x, SIZE, 1, 7, turns)
        items, count = made(x)
        start = np.array([0], np.int32)
        compute.reduce_into(d_in=items, d_out=out, num_items=count, op=compute.OpKind.PLUS, h_init=start, stream=reader)
        assert out.to_host()[0] == 7 * count
        # The next write waits for the reader.
        kernels["step"][1, 32, writer](x, SIZE, 0, 0, 0)
        device.sync()


@pytest.mark.parametrize("turns", [0, LONG])
def test_arrays_that_operators_capture(device, kernels, turns):
    writer, reader = device.create_stream(), device.create_stream()
    table, x, out = (cuox.zeros(SIZE, np.int32) for _ in range(3))

    def looks(value):
        return value + table[0]

    kernels["step"][1, 32, writer](table, SIZE, 1, 7, turns)
    compute.unary_transform(d_in=x, d_out=out, op=looks, num_items=SIZE, stream=reader)
    assert (out.to_host() == 7).all()


def test_sources_of_other_libraries(device, kernels):
    for _ in range(5):
        producer, other, third = (device.create_stream() for _ in range(3))
        x = cuox.zeros(SIZE, np.int32, stream=producer)
        kernels["step"][1, 32, producer](x, SIZE, 1, 7, LONG)
        copy = cuox.empty(SIZE, np.int32, stream=other)
        copy.copy_from(Foreign(x))
        assert (copy.to_host() == 7).all()
        kernels["step"][1, 32, producer](x, SIZE, 1, 1, LONG)
        y, out = cuox.as_array(Foreign(x)), cuox.zeros(SIZE, np.int32)
        kernels["add"][1, 32, third](out, y, y, SIZE, 0)
        assert (out.to_host() == 16).all()


def test_memory_of_no_stream_is_exported_when_it_is_ready(device, kernels):
    for resource in (cuox.ManagedMemoryResource(), cuox.PinnedMemoryResource()):
        memory = resource.allocate(4 * SIZE)
        x = cuox.Array(SIZE, np.int32, buffer=memory)
        x.fill(0)
        device.sync()
        kernels["step"][1, 32, device.create_stream()](x, SIZE, 1, 7, LONG)
        interface = x.__cuda_array_interface__
        stream = device.create_stream()
        y, out = cuox.as_array(Foreign(x)), cuox.zeros(SIZE, np.int32)
        kernels["add"][1, 32, stream](out, y, y, SIZE, 0)
        assert (out.to_host() == 14).all(), interface
        device.sync()


def test_an_array_that_is_dropped_in_a_callback_is_freed_behind_its_uses(device, kernels):
    own, user, third = (device.create_stream() for _ in range(3))
    device.sync()
    before = used_bytes()
    for _ in range(8):
        x = cuox.zeros(SIZE, np.int32, stream=own)
        kernels["step"][1, 32, user](x, SIZE, 0, 5, LONG)
        done = threading.Event()
        third.add_callback(lambda x, done=done: done.set(), x)
        del x
        done.wait()
        y = cuox.full(SIZE, 9, np.int32, stream=own)
        user.sync()
        assert (y.to_host() == 9).all()
        del y
    deadline = 200
    while used_bytes() > before and deadline:
        device.sync()
        deadline -= 1
        threading.Event().wait(0.02)
    assert used_bytes() <= before


def test_arrays_dropped_while_their_stream_is_captured_are_freed(device, kernels):
    device.sync()
    before = used_bytes()
    for _ in range(4):
        stream = device.create_stream()
        x = cuox.zeros(SIZE, np.int32, stream=stream)
        builder = stream.create_graph_builder().begin_building()
        del x
        graph = builder.end_building().complete()
        graph.launch(stream)
        graph.launch(stream)
        stream.sync()
    device.sync()
    assert used_bytes() <= before


def test_memory_given_up_in_a_capture_waits_for_its_uses(device, kernels):
    stream, user = device.create_stream(), device.create_stream()
    memory = device.allocate(4 * SIZE)
    x = cuox.Array(SIZE, np.int32, buffer=memory)
    kernels["step"][1, 32, user](x, SIZE, 0, 5, LONG)
    builder = stream.create_graph_builder().begin_building()
    memory.close(stream=builder)
    builder.end_building()
    y = cuox.full(SIZE, 9, np.int32)
    user.sync()
    assert (y.to_host() == 9).all()


def test_a_second_capture_that_fails_leaves_the_first_one(device, kernels):
    stream = device.create_stream()
    builder = stream.create_graph_builder().begin_building()
    with pytest.raises(cuox.CUDAError):
        stream.create_graph_builder().begin_building()
    x = cuox.full(SIZE, 2, np.int32)
    out = cuox.zeros(SIZE, np.int32)
    kernels["add"][1, 32, builder](out, x, x, SIZE, 0)
    graph = builder.end_building().complete()
    del x
    y = cuox.full(SIZE, 9, np.int32)
    graph.launch(stream)
    assert (out.to_host() == 4).all()
    assert (y.to_host() == 9).all()


def test_a_blocking_stream_is_captured_beside_work_in_the_default_stream(device, kernels):
    captured, other = blocking(device), device.create_stream()
    for _ in range(5):
        x = cuox.zeros(SIZE, np.int32)
        kernels["step"][1, 32](x, SIZE, 1, 7, LONG)
        builder = captured.create_graph_builder().begin_building()
        kernels["step"][1, 32, other](x, SIZE, 2, 0, 0)
        builder.end_building()
        assert (x.to_host() == 14).all()


def test_a_capture_that_another_thread_ends_is_over(device, kernels):
    stream = device.create_stream()
    x = cuox.zeros(SIZE, np.int32)
    builder = stream.create_graph_builder().begin_building("thread_local")
    kernels["step"][1, 32, builder](x, SIZE, 1, 7, 0)
    errors = []

    def end():
        try:
            builder.end_building()
        except cuox.CUDAError as error:
            errors.append(error)

    thread = threading.Thread(target=end)
    thread.start()
    thread.join()
    assert [error.code for error in errors] == [908]
    with pytest.raises(RuntimeError, match="needs begin_building"):
        builder.end_building()
    # The stream is free, and what it would have used is not waited for.
    kernels["step"][1, 32, stream](x, SIZE, 1, 3, 0)
    assert (x.to_host() == 3).all()
    device.sync()


def test_unordered_uses_get_no_edges(device, kernels):
    first, second = device.create_stream(), device.create_stream()
    x = cuox.zeros(SIZE, np.int32)
    counts = []
    for is_ordered in (True, False):
        builder = first.create_graph_builder().begin_building()
        second.wait(first.record())
        with contextlib.nullcontext() if is_ordered else cuox.unordered(x):
            kernels["step"][1, 32, first](x, SIZE, 1, 0, 0)
            kernels["step"][1, 32, second](x, SIZE, 1, 0, 0)
        graph = driver.cuStreamGetCaptureInfo(int(first.handle))[3]
        counts.append(driver.cuGraphGetEdges(graph)[-1])
        first.wait(second.record())
        builder.end_building()
    assert counts == [1, 0]


def test_unordered_uses_wait_for_those_before(device, kernels):
    first, second, third = (device.create_stream() for _ in range(3))
    for _ in range(5):
        x = cuox.zeros(SIZE, np.int32)
        device.sync()
        kernels["step"][1, 32, first](x, SIZE, 1, 5, LONG)
        with cuox.unordered(x):
            kernels["step"][1, 32, second](x[: SIZE // 2], SIZE // 2, 3, 0, 0)
            kernels["step"][1, 32, third](x[SIZE // 2 :], SIZE // 2, 4, 0, 0)
        assert x.to_host()[[0, -1]].tolist() == [15, 20]


def test_launches_of_several_threads_are_all_waited_for(device, kernels):
    """Uses that another thread puts in between are no reason to forget one."""
    streams = [device.create_stream() for _ in range(3)]
    x = cuox.zeros(SIZE, np.int32)
    y = cuox.zeros(SIZE, np.int32)
    rounds = 40

    def read(stream):
        for _ in range(rounds):
            kernels["add"][1, 32, stream](y, x, x, SIZE, TURNS)

    for value in range(5):
        threads = [threading.Thread(target=read, args=(stream,)) for stream in streams]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # Whoever writes now is behind all readers.
        kernels["step"][1, 32, streams[0]](x, SIZE, 0, value + 1, 0)
        kernels["add"][1, 32, streams[1]](y, x, x, SIZE, 0)
        assert (y.to_host() == 2 * (value + 1)).all()
