"""Arrays used in several streams: no use reads a stale value, and no memory in use is freed or given out again."""

from __future__ import annotations

import gc
import os
import random
import threading
import time

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import driver
from cuox.cuda.core.graph import GraphDefinition
from late_kernels import SIZE, TURNS, blocking, late_kernels


@pytest.fixture(scope="module")
def kernels(device):
    return late_kernels(device)


def test_the_host_reads_behind_a_launch_in_another_stream(device, kernels):
    for _ in range(20):
        stream = device.create_stream()
        y = cuox.zeros(SIZE, np.int32)
        kernels["step"][1, 32, stream](y, SIZE, 1, 7, TURNS)
        assert (y.to_host() == 7).all()
        assert y[3].item() == 7


def test_a_launch_waits_for_what_is_written_elsewhere(device, kernels):
    a, b = device.create_stream(), device.create_stream()
    for _ in range(20):
        x, y = cuox.zeros(SIZE, np.int32), cuox.zeros(SIZE, np.int32)
        kernels["step"][1, 32, a](x, SIZE, 1, 1, TURNS)
        kernels["add"][1, 32, b](y, x, x, SIZE, 0)
        kernels["step"][1, 32, a](x, SIZE, 1, 5, 0)
        assert (y.to_host() == 2).all()
        assert (x.to_host() == 6).all()


def test_memory_is_freed_behind_a_kernel_that_uses_it(device, kernels):
    stream = device.create_stream()
    for _ in range(20):
        x = cuox.zeros(SIZE, np.int32)
        kernels["step"][1, 32, stream](x, SIZE, 1, 1, TURNS)
        del x
        # The pool would give the same memory to the next one.
        later = cuox.full(SIZE, 3, np.int32)
        stream.sync()
        assert (later.to_host() == 3).all()


def test_copies_and_fills_are_put_in_order(device, kernels):
    stream = device.create_stream()
    for _ in range(10):
        y = cuox.zeros(SIZE, np.int32)
        kernels["step"][1, 32, stream](y, SIZE, 1, 7, TURNS)
        whole, part, host = y.copy(), cuox.zeros_like(y), np.zeros(SIZE, np.int32)
        part[::2] = y[::2]
        y.to_host(out=host)
        y.fill(1)
        kernels["step"][1, 32, stream](y, SIZE, 1, 1, 0)
        y[:5] = np.arange(5)
        assert (whole.to_host() == 7).all()
        assert (host == 7).all()
        assert (part.to_host()[::2] == 7).all() and (part.to_host()[1::2] == 0).all()
        assert (y.to_host()[5:] == 2).all() and (y.to_host()[:5] == np.arange(5)).all()


def is_overtaken(device, kernels, first, second):
    """True if `second` is done while `first`, put in before it, runs; each is called with a stream."""
    a, b = device.create_stream(), device.create_stream()
    first(a)
    second(b)
    while not b.is_done:
        if a.is_done:
            return False
        time.sleep(0)
    overtaken = not a.is_done
    device.sync()
    return overtaken


@pytest.mark.serial
def test_chunks_and_readers_run_side_by_side(device, kernels):
    x, y, z = (cuox.zeros(SIZE, np.int32) for _ in range(3))
    device.sync()
    half, long, step, add = SIZE // 2, 5000 * TURNS, kernels["step"], kernels["add"]
    low, high = x[:half], x[half:]
    assert is_overtaken(
        device,
        kernels,
        lambda stream: step[1, 32, stream](low, half, 1, 1, long),
        lambda stream: step[1, 32, stream](high, half, 1, 1, 0),
    )
    assert is_overtaken(
        device,
        kernels,
        lambda stream: add[1, 32, stream](y, x, x, SIZE, long),
        lambda stream: add[1, 32, stream](z, x, x, SIZE, 0),
    )
    assert not is_overtaken(
        device,
        kernels,
        lambda stream: step[1, 32, stream](low, half, 1, 1, long // 10),
        lambda stream: step[1, 32, stream](x[half - 1 :], 1, 1, 1, 0),
    ), "they share an element"


@pytest.mark.serial  # a worker for each of them
def test_kernels_that_signal_each_other_are_left_alone(device, kernels):
    a, b = device.create_stream(), device.create_stream()
    flags = cuox.zeros(3, np.int32)
    device.sync()
    with cuox.unordered(flags):
        kernels["signal"][1, 1, a](flags)
        kernels["answer"][1, 1, b](flags)
    assert flags.to_host().tolist() == [1, 5, 5]
    with pytest.raises(TypeError, match=r"unordered: expected cuox.Array objects, got int"):
        cuox.unordered(flags, 3)


def test_a_closed_stream_leaves_its_work_behind(device, kernels):
    stream, y = device.create_stream(), cuox.zeros(SIZE, np.int32)
    kernels["step"][1, 32, stream](y, SIZE, 1, 2, TURNS)
    stream.close()
    assert (y.to_host() == 2).all()


def test_a_foreign_stream_is_waited_for(device, kernels):
    code, handle = driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
    assert code == driver.CUresult.CUDA_SUCCESS
    stream, y = cuox.Stream.from_handle(int(handle)), cuox.zeros(SIZE, np.int32)
    for _ in range(5):
        kernels["step"][1, 32, stream](y, SIZE, 1, 1, TURNS)
    assert (y.to_host() == 5).all()
    kernels["step"][1, 32, stream](y, SIZE, 1, 1, TURNS)
    # Its owner destroys it, which nobody here learns of.
    assert driver.cuStreamDestroy(handle) == (driver.CUresult.CUDA_SUCCESS,)
    assert (y.to_host() == 6).all()
    del y
    gc.collect()


def test_a_handle_of_a_stream_made_here_is_that_stream(device, kernels):
    owner, y = device.create_stream(), cuox.zeros(SIZE, np.int32)
    stream = cuox.Stream.from_handle(owner.handle)
    kernels["step"][1, 32, stream](y, SIZE, 1, 1, TURNS)
    kernels["step"][1, 32, owner](y, SIZE, 3, 1, TURNS)
    owner.close()
    assert (y.to_host() == 4).all()
    kernels["step"][1, 32, stream](y, SIZE, 1, 1, TURNS)
    assert (y.to_host() == 5).all()


def test_the_default_stream_of_each_thread(device, kernels):
    y = cuox.zeros(SIZE, np.int32)

    def work():
        device.set_current()
        kernels["step"][1, 32, cuox.PER_THREAD_DEFAULT_STREAM](y, SIZE, 3, 1, TURNS)

    expected = 0
    for _ in range(6):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        expected = 3 * expected + 1
    assert (y.to_host() == expected).all()


def test_the_launch_of_a_graph_uses_what_it_captured(device, kernels):
    x, y = cuox.zeros(SIZE, np.int32), cuox.zeros(SIZE, np.int32)
    a, b = device.create_stream(), device.create_stream()
    builder = a.create_graph_builder().begin_building()
    kernels["step"][1, 32, builder](x, SIZE, 1, 1, TURNS)
    kernels["add"][1, 32, builder](y, x, y, SIZE, 0)
    graph = builder.end_building().complete()
    address = int(x.__cuda_array_interface__["data"][0])
    kernels["step"][1, 32, b](x, SIZE, 1, 10, TURNS)
    graph.launch(a)
    assert (x.to_host() == 11).all() and (y.to_host() == 11).all()
    kernels["step"][1, 32, b](y, SIZE, 2, 0, TURNS)
    graph.launch(a)
    kernels["step"][1, 32, b](y, SIZE, 1, 1, 0)
    assert (y.to_host() == 2 * 11 + 12 + 1).all()
    # The graph keeps the memory.
    del x
    gc.collect()
    others = [cuox.full(SIZE, 9, np.int32) for _ in range(4)]
    graph.launch(b)
    assert (y.to_host() == 35 + 13).all()
    assert all((other.to_host() == 9).all() for other in others)
    assert address not in [int(other.__cuda_array_interface__["data"][0]) for other in others]


def test_the_launch_of_a_definition_uses_what_its_nodes_were_given(device, kernels):
    device.set_current()
    x, y, z = (cuox.zeros(SIZE, np.int32) for _ in range(3))
    a, b = device.create_stream(), device.create_stream()
    one = cuox.LaunchConfig(grid=1, block=32)
    inner = GraphDefinition()
    inner.launch(one, kernels["add"], y, x, y, SIZE, 0).memcpy(z, y, y.nbytes)
    definition = GraphDefinition()
    first = definition.launch(one, kernels["step"], x, SIZE, 1, 1, TURNS)
    first.embed(inner)
    graph = definition.instantiate()
    kernels["step"][1, 32, b](x, SIZE, 1, 10, TURNS)
    graph.launch(a)
    assert (z.to_host() == 11).all()
    kernels["step"][1, 32, b](y, SIZE, 2, 0, TURNS)
    graph.launch(a)
    kernels["step"][1, 32, b](y, SIZE, 1, 1, 0)
    assert (y.to_host() == 2 * 11 + 12 + 1).all()
    # Of a node that is set anew the other array is used, too.
    other = cuox.zeros(SIZE, np.int32)
    graph[first].update(config=one, kernel=kernels["step"], args=(other, SIZE, 1, 1, TURNS))
    kernels["step"][1, 32, b](other, SIZE, 1, 10, TURNS)
    graph.launch(a)
    assert (other.to_host() == 11).all()
    # A captured graph that is put into a definition, and that definition's own array.
    builder = a.create_graph_builder().begin_building()
    kernels["step"][1, 32, builder](x, SIZE, 0, 5, TURNS)
    captured = builder.end_building().graph_definition
    captured.memset(y, 0, y.nbytes)
    kernels["step"][1, 32, b](x, SIZE, 1, 10, TURNS)
    kernels["step"][1, 32, b](y, SIZE, 1, 10, TURNS)
    for made in (captured.instantiate(), builder.complete()):
        made.launch(a)
        assert (x.to_host() == 5).all() and (y.to_host() == 0).all()
    with pytest.raises(ValueError, match="not one after another"):
        definition.memset(x[::2], 0, 4)


def test_captured_streams_get_edges(device, kernels):
    a, b = device.create_stream(), device.create_stream()
    x, y = cuox.zeros(SIZE, np.int32), cuox.zeros(SIZE, np.int32)
    builder = a.create_graph_builder().begin_building()
    event = a.record()
    b.wait(event)
    kernels["step"][1, 32, a](x, SIZE, 1, 1, TURNS)
    kernels["add"][1, 32, b](y, x, x, SIZE, 0)
    kernels["step"][1, 32, a](x, SIZE, 1, 5, 0)
    a.wait(b)
    graph = builder.end_building().complete()
    for i in range(1, 6):
        graph.launch(a)
        assert (y.to_host() == 2 * (6 * (i - 1) + 1)).all()
        assert (x.to_host() == 6 * i).all()


class Mix:
    """Random work on arrays, beside the same on NumPy's."""

    def __init__(self, device, kernels, seed):
        self.random, self.device, self.kernels = random.Random(seed), device, kernels
        self.streams = [device.default_stream, blocking(device), *(device.create_stream() for _ in range(3))]
        self.arrays: list[tuple[cuox.Array, np.ndarray]] = []
        self.graph = None
        while len(self.arrays) < 6:
            self.make()

    def stream(self):
        return self.random.choice(self.streams)

    def turns(self):
        return self.random.choice([0, 0, TURNS // 10, TURNS])

    def part(self):
        """The number of an array, and a slice of it."""
        index = self.random.randrange(len(self.arrays))
        if self.random.random() < 0.4:
            return index, slice(0, SIZE)
        start = self.random.randrange(SIZE - 1)
        return index, slice(start, self.random.randint(start + 1, SIZE))

    def make(self):
        value, stream = self.random.randrange(100), self.random.choice([None, self.stream()])
        kind = self.random.randrange(3)
        if kind == 0:
            array = cuox.zeros(SIZE, np.int32, stream=stream)
            value = 0
        elif kind == 1:
            array = cuox.empty(SIZE, np.int32, stream=stream)
            array.fill(value, stream=self.random.choice([None, self.stream()]))
        else:
            array = cuox.to_device(np.full(SIZE, value, np.int32), stream=stream)
            if stream is not None:
                stream.sync()  # of the host's memory
        self.arrays.append((array, np.full(SIZE, value, np.int32)))

    def drop(self):
        if len(self.arrays) > 3:
            del self.arrays[self.random.randrange(len(self.arrays))]
        self.make()

    def step(self):
        index, part = self.part()
        array, model = self.arrays[index]
        factor, term = self.random.choice([1, 3, 5]), self.random.randrange(10)
        view = array[part]
        self.kernels["step"][1, 32, self.stream()](view, view.size, factor, term, self.turns())
        model[part] = model[part] * factor + term

    def add(self):
        (to, part), source = self.part(), self.random.randrange(len(self.arrays))
        other = self.random.randrange(len(self.arrays))
        views = [self.arrays[i][0][part] for i in (to, source, other)]
        self.kernels["add"][1, 32, self.stream()](*views, views[0].size, self.turns())
        self.arrays[to][1][part] = self.arrays[source][1][part] + self.arrays[other][1][part]

    def copy(self):
        (to, part), source = self.part(), self.random.randrange(len(self.arrays))
        step = self.random.choice([1, 1, 2, 3])
        part = slice(part.start, part.stop, step)
        stream = self.random.choice([None, self.stream()])
        self.arrays[to][0][part].copy_from(self.arrays[source][0][part], stream=stream)
        self.arrays[to][1][part] = self.arrays[source][1][part]

    def duplicate(self):
        index = self.random.randrange(len(self.arrays))
        array, model = self.arrays[index]
        self.arrays[self.random.randrange(len(self.arrays))] = (array.copy(), model.copy())

    def fill(self):
        (index, part), value = self.part(), self.random.randrange(50)
        array, model = self.arrays[index]
        array[part].fill(value, stream=self.random.choice([None, self.stream()]))
        model[part] = value

    def write(self):
        index, part = self.part()
        array, model = self.arrays[index]
        values = np.array([self.random.randrange(100) for _ in range(SIZE)], np.int32)[part]
        array[part] = values
        model[part] = values

    def check(self):
        index, part = self.part()
        array, model = self.arrays[index]
        part = slice(part.start, part.stop, self.random.choice([1, 1, 2]))
        assert array[part].to_host().tolist() == model[part].tolist()

    def capture(self):
        """Capture some launches, and launch the graph."""
        # Work in the default stream would spoil the capture of one that blocks.
        stream = self.streams[self.random.randrange(2, len(self.streams))]
        builder = stream.create_graph_builder().begin_building()
        done = []
        for _ in range(self.random.randint(1, 3)):
            (index, part), factor = self.part(), self.random.choice([1, 3])
            view = self.arrays[index][0][part]
            self.kernels["step"][1, 32, stream](view, view.size, factor, 1, self.turns())
            done.append((self.arrays[index][1], part, factor))
        if self.random.random() < 0.3:
            del self.arrays[self.random.randrange(len(self.arrays))]
        graph = builder.end_building().complete()
        for _ in range(self.random.randint(1, 3)):
            graph.launch(self.stream())
            for model, part, factor in done:
                model[part] = model[part] * factor + 1
        while len(self.arrays) < 6:
            self.make()

    def run(self, count, captures=True):
        steps = [self.step] * 5 + [self.add] * 5 + [self.copy] * 2 + [self.duplicate, self.fill, self.write]
        steps += [self.check] * 2 + [self.drop] * 2 + ([self.capture] if captures else [])
        for _ in range(count):
            self.random.choice(steps)()
        for array, model in self.arrays:
            assert array.to_host().tolist() == model.tolist()


COUNT = 20_000 if os.environ.get("CUOX_TESTS") == "all" else 1_000


@pytest.mark.parametrize("seed", range(4))
def test_random_work_in_several_streams(device, kernels, seed):
    Mix(device, kernels, seed).run(COUNT)


def test_random_work_in_several_threads(device, kernels):
    """Each thread has arrays of its own; the streams are shared."""
    mixes = [Mix(device, kernels, 100 + i) for i in range(4)]
    failures = []
    for mix in mixes:
        mix.streams = mixes[0].streams

    def work(mix):
        try:
            device.set_current()
            mix.run(COUNT // 4, captures=False)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(mix,)) for mix in mixes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


def test_many_uses_are_put_together(device, kernels):
    """A use that was put together with a later one is waited for."""
    writer, reader = device.create_stream(), device.create_stream()
    others = [device.create_stream() for _ in range(16)]
    for _ in range(5):
        x, out = cuox.zeros(SIZE, np.int32), cuox.zeros(SIZE, np.int32)
        unused = [cuox.zeros(1, np.int32) for _ in others]
        device.sync()
        kernels["step"][1, 32, writer](x[:4], 4, 1, 1, TURNS)
        kernels["add"][1, 32, reader](out, x, x, SIZE, 0)
        for stream, one in zip(others, unused, strict=True):
            kernels["add"][1, 1, stream](one, x[200:201], x[200:201], 1, 10 * TURNS)
        kernels["step"][1, 32, writer](x[4:8], 4, 1, 100, 50 * TURNS)
        kernels["add"][1, 32, reader](out, x[:8], x[:8], 8, 0)
        assert out[:8].to_host().tolist() == [2] * 4 + [200] * 4


def test_order_behind_unordered_uses(device, kernels):
    a, b = device.create_stream(), device.create_stream()
    for _ in range(5):
        x = cuox.zeros(SIZE, np.int32, stream=b)
        device.sync()
        with cuox.unordered(x):
            kernels["step"][1, 32, a](x[:8], 8, 1, 1, 50 * TURNS)
            kernels["step"][1, 32, b](x[8:], SIZE - 8, 1, 1, 0)
        assert (x.to_host() == 1).all()
        with cuox.unordered(x):
            kernels["step"][1, 32, a](x, SIZE, 1, 1, 50 * TURNS)
            kernels["step"][1, 32, b](x, SIZE, 1, 0, 0)
        del x
        later = cuox.full(SIZE, 3, np.int32, stream=b)
        device.sync()
        assert (later.to_host() == 3).all()


def test_a_builder_that_is_dropped_ends_its_capture(device, kernels):
    def capture():
        builder = device.create_graph_builder().begin_building()
        kernels["step"][1, 32, builder](cuox.zeros(SIZE, np.int32), SIZE, 1, 1, 0)
        raise ValueError

    with pytest.raises(ValueError):
        capture()
    gc.collect()
    device.sync()


def test_a_read_lets_go_of_streams_that_are_done(device, kernels):
    kept, threads = [], []
    for _ in range(30):
        x, stream = cuox.zeros(SIZE, np.int32), device.create_stream()
        kernels["step"][1, 32, stream](x, SIZE, 1, 1, 0)
        stream.sync()
        stream.close()
        kept.append(x)
        assert (x.to_host() == 1).all()
        threads.append(len(os.listdir("/proc/self/task")))
    assert threads[-1] <= threads[5] + 5
