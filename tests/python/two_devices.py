"""Programs for two devices: `python two_devices.py NAME` runs one. test_two_devices.py runs all."""

from __future__ import annotations

import gc
import random
import sys
import threading
from collections.abc import Callable

import cuox
import numpy as np

SOURCE = r"""
extern "C" __global__ void step(int *y, int n, int factor, int term, int turns) {
    unsigned v = turns;
    for (int i = 0; i < turns; i++) v = (v ^ v >> 3) * 1664525 + 1013904223;
    int zero = v & turns >> 30;
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = y[i] * factor + term + zero;
}
extern "C" __global__ void add(int *out, const int *x, const int *y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = x[i] + y[i];
}
"""
SIZE = 512
DEVICES = [cuox.Device(i) for i in range(2)]


def kernels(device: cuox.Device) -> tuple[cuox.Kernel, cuox.Kernel]:
    device.set_current()
    code = cuox.Program(SOURCE).compile("ptx")
    return code.get_kernel("step"), code.get_kernel("add")


def arrays() -> list[cuox.Array]:
    found = []
    for i, device in enumerate(DEVICES):
        device.set_current()
        found.append(cuox.to_device(np.arange(SIZE, dtype=np.int32) + 1000 * i))
    return found


def copies() -> None:
    host = np.arange(SIZE, dtype=np.int32)
    for current in DEVICES:
        for to, source in ((0, 1), (1, 0)):
            here = arrays()
            current.set_current()
            here[to].copy_from(here[source])
            assert (here[to].to_host() == host + 1000 * source).all()
            here = arrays()
            stream = DEVICES[to].create_stream()
            here[to].copy_from(here[source], stream=stream)
            assert (here[to].to_host() == host + 1000 * source).all()
            assert here[to].copy().device == DEVICES[to]
            other = cuox.to_device(here[source], device=DEVICES[to])
            assert other.device == DEVICES[to] and (other.to_host() == host + 1000 * source).all()
            assert (here[source].to_host() == host + 1000 * source).all()


def strided_copies() -> None:
    rng = np.random.default_rng(1)
    for to, source in ((0, 1), (1, 0)):
        host = rng.integers(0, 1000, (6, 8, 10), dtype=np.int32)
        DEVICES[source].set_current()
        x = cuox.to_device(host)
        DEVICES[to].set_current()
        for view in (np.s_[::2], np.s_[:, 1:7:2, ::-1], np.s_[..., 3], np.s_[1:3, ::3, ::4]):
            expected = np.zeros_like(host)
            y = cuox.zeros(host.shape, np.int32)
            y[view] = x[view]
            expected[view] = host[view]
            assert (y.to_host() == expected).all(), view
            dense = cuox.empty(host[view].shape, np.int32)
            dense[...] = x[view]
            assert (dense.to_host() == host[view]).all(), view
        y = cuox.empty(host.T.shape, np.int32)
        y[...] = x.T
        assert (y.to_host() == host.T).all()
        y.fill(0)
        stream = DEVICES[source].create_stream()
        y[::2].copy_from(x.T[::2], stream=stream)
        assert (y.to_host()[::2] == host.T[::2]).all()


def buffers() -> None:
    made = [device.allocate(4096) for device in DEVICES]
    made[0].copy_from_host(np.arange(1024, dtype=np.int32))
    made[1].copy_from(made[0])
    DEVICES[1].sync()
    host = np.zeros(1024, np.int32)
    made[1].copy_to_host(host)
    assert (host == np.arange(1024)).all()


def launches_are_refused() -> None:
    x, y = arrays()
    step, add = kernels(DEVICES[1])
    for launch in (
        lambda: step[1, 32](x, SIZE, 1, 1, 0),
        lambda: add[1, 32](y, y, x, SIZE),
        lambda: step[1, 32](DEVICES[0].allocate(4 * SIZE), SIZE, 1, 1, 0),
    ):
        try:
            launch()
        except ValueError as error:
            text = str(error)
            assert "memory of device 0, which the kernel's device 1 may not use" in text, text
            assert "cuox.Device(1).enable_peer_access(cuox.Device(0))" in text, text
            assert ": parameter " in text, text
        else:
            raise AssertionError("it was launched")
    step[1, 32](y, SIZE, 2, 0, 0)
    assert (y.to_host() == 2 * (np.arange(SIZE) + 1000)).all()
    assert (x.to_host() == np.arange(SIZE)).all(), "device 0 goes on"


def peers() -> None:
    assert DEVICES[0].can_access_peer(1) and DEVICES[1].can_access_peer(DEVICES[0])
    DEVICES[1].enable_peer_access(DEVICES[0])
    DEVICES[1].enable_peer_access(0)
    x, y = arrays()
    step, add = kernels(DEVICES[1])
    step[1, 32](x, SIZE, 3, 1, 1000)
    add[1, 32](y, x, y, SIZE)
    assert (x.to_host() == 3 * np.arange(SIZE) + 1).all()
    assert (y.to_host() == 4 * np.arange(SIZE) + 1001).all()
    raw = DEVICES[0].allocate(4 * SIZE)
    step[1, 32](raw, SIZE, 0, 7, 0)
    DEVICES[1].sync()
    host = np.zeros(SIZE, np.int32)
    raw.copy_to_host(host)
    assert (host == 7).all()
    try:
        kernels(DEVICES[0])[0][1, 32](y, SIZE, 1, 1, 0)
    except ValueError:
        pass
    else:
        raise AssertionError("access in one direction allows no access in the other")


def peers_after_a_reset() -> None:
    """Access ends with the context of either device."""
    for reset in (1, 0):
        for allowed in (True, False):
            step, _ = kernels(DEVICES[1])
            # Memory of a pool has access rights of its own.
            raw = DEVICES[0].mem_alloc(4 * SIZE)
            if allowed:
                DEVICES[1].enable_peer_access(0)
            try:
                step[1, 32](raw, SIZE, 0, 7, 0)
            except ValueError:
                assert not allowed, reset
            else:
                assert allowed, reset
            DEVICES[1].sync()
            if allowed:
                DEVICES[reset].reset()


def waits() -> None:
    """The host waits for a kernel of the other device, whose default stream has the same handle."""
    DEVICES[1].enable_peer_access(DEVICES[0])
    step, _ = kernels(DEVICES[1])
    DEVICES[0].set_current()
    for _ in range(5):
        a, b = cuox.zeros(SIZE, np.int32), cuox.zeros(SIZE, np.int32)
        step[1, 32](a, SIZE, 1, 7, 3_000_000)
        b.to_host()
        assert (a.to_host() == 7).all()


def order() -> None:
    """Copies and kernels on both devices, at random, beside NumPy's."""
    generator = random.Random(5)
    both = [kernels(device) for device in DEVICES]
    streams = [[device.create_stream() for _ in range(2)] + [device.default_stream] for device in DEVICES]
    values: list[list[tuple[cuox.Array, np.ndarray]]] = [[], []]
    for i, device in enumerate(DEVICES):
        device.set_current()
        for _ in range(3):
            values[i].append((cuox.zeros(SIZE, np.int32), np.zeros(SIZE, np.int32)))
    for _ in range(1500):
        on = generator.randrange(2)
        index, other = generator.randrange(3), generator.randrange(3)
        array, model = values[on][index]
        start = generator.choice([0, 0, 10, SIZE // 2])
        part = slice(start, SIZE, generator.choice([1, 1, 2]))
        kind = generator.randrange(10)
        if kind < 4:
            view = array[start:]
            stream = generator.choice(streams[on])
            both[on][0][1, 32, stream](view, view.size, 3, 1, generator.choice([0, 3000, 30000]))
            model[start:] = model[start:] * 3 + 1
        elif kind < 8:
            source, theirs = values[1 - on][other]
            stream = generator.choice([None, generator.choice(streams[on])])
            array[part].copy_from(source[part], stream=stream)
            model[part] = theirs[part]
        elif kind == 8:
            DEVICES[on].set_current()
            values[on][index] = (cuox.full(SIZE, 5, np.int32), np.full(SIZE, 5, np.int32))
        else:
            assert (array.to_host() == model).all()
    for device in values:
        for array, model in device:
            assert (array.to_host() == model).all()


def threads() -> None:
    failures = []

    def work(i: int) -> None:
        try:
            step, _ = kernels(DEVICES[i])
            for _ in range(50):
                y = cuox.zeros(SIZE, np.int32)
                step[1, 32](y, SIZE, 1, i + 1, 100)
                assert y.device == DEVICES[i] and (y.to_host() == i + 1).all()
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures, failures
    gc.collect()


def numba() -> None:
    from cuox.numba import cuda

    @cuda.jit
    def twice(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= 2

    made = []
    for i in range(2):
        with cuda.gpus[i]:
            made.append(cuda.to_device(np.arange(SIZE, dtype=np.int32) + i))
            twice[4, 128](made[i])
    cuda.select_device(1)
    with cuda.gpus[0]:
        assert cuda.get_current_device().id == 0
    assert cuda.get_current_device().id == 1 and cuda.current_context().device.id == 1
    with cuda.gpus[1]:
        made[1].copy_to_device(made[0])
        assert (made[1].copy_to_host() == 2 * np.arange(SIZE)).all()
        try:
            twice[4, 128](made[0])
        except ValueError as error:
            assert 'twice: parameter 1 "x": this is memory of device 0, which the kernel\'s device 1' in str(error), (
                error
            )
        else:
            raise AssertionError("it was launched")


def peers_of_a_pool() -> None:
    first, second = DEVICES
    first.set_current()
    assert first.can_access_peer(0)
    pool = cuox.DeviceMemoryResource(first, {})
    peers = pool.peer_accessible_by
    assert not peers and second not in peers
    peers.add(1)
    peers.add(first)
    assert peers == {second} and 1 in peers and pool._has_access(1)
    stream = second.create_stream()
    buffer = pool.allocate(4 * SIZE, stream=first.default_stream)
    step, _ = kernels(second)
    buffer.fill(0)
    first.sync()
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=32), step, buffer, SIZE, 1, 5, 0)
    stream.sync()
    host = np.zeros(SIZE, np.int32)
    buffer.copy_to_host(host)
    assert (host == 5).all()
    pool.peer_accessible_by = []
    assert not peers


PROGRAMS: dict[str, Callable[[], None]] = {
    program.__name__: program
    for program in (
        *(copies, strided_copies, buffers, launches_are_refused, peers, peers_after_a_reset, waits, order, threads),
        peers_of_a_pool,
        numba,
    )
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
    print("right")
