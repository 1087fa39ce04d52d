"""Callbacks of streams, and calls that are refused inside them."""

from __future__ import annotations

import gc
import threading
import weakref

import cuox
import numpy as np
import pytest

FORBIDDEN = {
    "stream.sync": ("cuStreamSynchronize", lambda p: p.stream.sync()),
    "another stream's sync": ("cuStreamSynchronize", lambda p: p.other.sync()),
    "device.sync": ("cuCtxSynchronize", lambda p: p.device.sync()),
    "event.sync": ("cuEventSynchronize", lambda p: p.event.sync()),
    "record": ("cuEventRecord", lambda p: p.stream.record(p.event)),
    "wait": ("cuStreamWaitEvent", lambda p: p.other.wait(p.event)),
    "launch": ("cuLaunchKernel", lambda p: cuox.launch(p.other, p.config, p.kernel, 2.0, p.buffer, p.buffer, 4)),
    "allocate": ("cuMemAllocAsync", lambda p: p.device.allocate(64, stream=p.other)),
    "mem_alloc": ("cuMemAlloc_v2", lambda p: p.device.mem_alloc(64)),
    "copy to the host": (None, lambda p: p.buffer.copy_to_host(p.host)),
    "copy from the host": (None, lambda p: p.buffer.copy_from_host(p.host)),
    "copy in a stream": (None, lambda p: p.buffer.copy_from_host(p.host, stream=p.other)),
    "fill": (None, lambda p: p.buffer.fill(0, stream=p.other)),
    "create_stream": ("cuStreamCreateWithPriority", lambda p: p.device.create_stream()),
    "create_event": ("cuEventCreate", lambda p: p.device.create_event()),
    "add_callback": ("cuLaunchHostFunc", lambda p: p.other.add_callback(print)),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_callback_that_uses_cuda_is_told_so_and_nothing_waits(device, saxpy, stream, name):
    call, use = FORBIDDEN[name]

    class Parts:
        pass

    parts = Parts()
    parts.device, parts.stream, parts.kernel = device, stream, saxpy
    parts.other, parts.event = device.create_stream(), device.create_event()
    parts.buffer, parts.host = device.mem_alloc(16), np.zeros(4, "f4")
    parts.config = cuox.LaunchConfig(grid=1, block=4)
    parts.event.record(parts.other)
    device.sync()
    caught = []

    def callback():
        try:
            use(parts)
        except cuox.CUDAError as error:
            caught.append(error)

    stream.add_callback(callback)
    stream.sync()
    (error,) = caught
    assert error.code == 800 and error.name == "CUDA_ERROR_NOT_PERMITTED"
    assert "callback" in str(error)
    if call:
        assert call in str(error)
    # Nothing is broken by that.
    cuox.launch(stream, parts.config, saxpy, 2.0, parts.buffer, parts.buffer, 4)
    stream.sync()


def test_a_callback_that_the_bindings_gave_to_the_driver(run_script):
    """Nothing marks such a callback but the driver."""
    done = run_script(
        """
        import cuox
        device = cuox.Device(); device.set_current(); stream = device.create_stream()
        if not device.is_soft:
            print(800, 800); raise SystemExit
        from cuox.cuda.bindings import driver
        codes = []
        def callback(data):
            for use in (stream.sync, device.sync):
                try:
                    use()
                except cuox.CUDAError as error:
                    codes.append(error.code)
        kept = driver.CUhostFn(callback)
        error, = driver.cuLaunchHostFunc(driver.CUstream(stream.handle), kept, None)
        assert error == 0, error
        stream.sync()
        print(*codes)
        """,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "800 800\n"), done


def test_what_a_callback_drops_is_given_back(device, stream):
    """The driver takes nothing back inside a callback: another thread gives it back."""
    held = []

    class Owner:
        def __init__(self):
            self.parts = [device.create_stream(), device.create_event(), device.mem_alloc(1 << 20)]
            self.parts.append(device.allocate(1 << 20, stream=stream))

    for _ in range(8):
        owner = Owner()
        held.append(weakref.ref(owner))
        stream.add_callback(lambda owner: None, owner)
        del owner
    stream.sync()
    gc.collect()
    assert [reference() for reference in held] == [None] * 8
    device.sync()
    device.mem_alloc(1 << 20).close()


def test_callbacks_behind_work_that_failed_are_never_called(run_script):
    done = run_script(
        """
        import cuox, gc, weakref
        device = cuox.Device(); device.set_current(); stream = device.create_stream()
        source = 'extern "C" __global__ void stray(int *p) { *p = 1; }'
        kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("stray")
        class Callback:
            def __call__(self):
                print("called")
        cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel, 0x10)
        callbacks = [Callback() for _ in range(3)]
        try:
            for callback in callbacks:
                stream.add_callback(callback)
        except cuox.CUDAError:
            pass
        try:
            stream.sync()
        except cuox.CUDAError as error:
            print(error.code)
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "700\n", ""), done


def test_an_exception_in_a_callback_is_printed_and_the_stream_goes_on(run_script):
    done = run_script(
        """
        import cuox
        device = cuox.Device(); device.set_current(); stream = device.create_stream()
        def bad():
            raise ValueError("on purpose")
        def exits():
            raise SystemExit(3)
        seen = []
        stream.add_callback(bad)
        stream.add_callback(exits)
        stream.add_callback(seen.append, 1)
        stream.sync()
        print(seen)
        """
    )
    assert (done.returncode, done.stdout) == (0, "[1]\n"), done
    assert "ValueError: on purpose" in done.stderr and "Exception ignored in" in done.stderr


def test_callbacks_of_many_streams_and_threads_run_in_their_streams_order(device):
    streams = [device.create_stream() for _ in range(4)]
    seen = [[] for _ in streams]

    def work(stream, list_):
        device.set_current()
        for i in range(50):
            stream.add_callback(list_.append, i)

    threads = [threading.Thread(target=work, args=pair) for pair in zip(streams, seen, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for stream in streams:
        stream.sync()
    assert seen == [list(range(50))] * 4


def test_a_callback_wakes_a_thread_that_goes_on(device, saxpy, stream):
    """The use of a callback that the error's hint names."""
    ready, results = threading.Event(), []
    buffer = device.mem_alloc(16)
    buffer.copy_from_host(np.ones(4, "f4"))

    def worker():
        device.set_current()
        ready.wait(60)
        back = np.zeros(4, "f4")
        buffer.copy_to_host(back)
        results.append(back.tolist())

    thread = threading.Thread(target=worker)
    thread.start()
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=4), saxpy, 2.0, buffer, buffer, 4)
    stream.add_callback(ready.set)
    thread.join(60)
    assert results == [[3.0] * 4]
