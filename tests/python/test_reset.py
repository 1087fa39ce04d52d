"""After a kernel has failed for good: what errors say, and `device.reset()`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

Run = Callable[..., "subprocess.CompletedProcess[str]"]

START = """
import gc
import numpy as np
import cuox
device = cuox.Device(); device.set_current()
SOURCE = '''
__device__ int counter = 5;
extern "C" __global__ void stray(int *p) { *p = 1; }
extern "C" __global__ void twice(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }
'''
program = cuox.Program(SOURCE)
code = program.compile("ptx")
ONE = cuox.LaunchConfig(grid=1, block=64)

def fault(stream):
    try:
        cuox.launch(stream, ONE, code.get_kernel("stray"), 64)
        stream.sync()
    except cuox.CUDAError as error:
        return error

def works(stream=None):
    stream = stream or device.create_stream()
    data = np.arange(64, dtype=np.float32)
    buffer = device.allocate(data.nbytes, stream=stream)
    buffer.copy_from_host(data, stream=stream)
    code.get_kernel("twice")[1, 64, stream](buffer, 64)
    result = np.empty_like(data)
    buffer.copy_to_host(result, stream=stream)
    stream.sync()
    return bool((result == 2 * data).all())
"""


def test_a_fault_then_reset_then_right_results(run_script: Run) -> None:
    done = run_script(
        START
        + """
assert works()
for round in range(3):
    stream = device.create_stream()
    error = fault(stream)
    assert error.code == 700 and "CUDA_ERROR_ILLEGAL_ADDRESS" in str(error) and "cuox.Device().reset() starts afresh" in str(error), error
    assert "NVIDIA's driver needs a new process" in str(error), error
    try:
        device.allocate(16, stream=stream).fill(0)
        device.sync()
        print("the failure did not stay")
    except cuox.CUDAError as error:
        assert error.code == 700 and "Device().reset()" in str(error)
    if not device.is_soft:  # whose driver refuses every new context of this process
        try:
            device.reset()
            print("NVIDIA's driver starts afresh: docs/failures.md says otherwise")
        except cuox.CUDAError as error:
            assert error.code == 700 and "start the process again" in str(error), error
        break
    device.reset()
    device.sync()
    assert works() and works(device.default_stream) and works(cuox.LEGACY_DEFAULT_STREAM)
print("right")
"""
    )
    assert done.stdout == "right\n", done


def test_what_was_made_before_says_so_and_is_dropped(run_script: Run) -> None:
    done = run_script(
        START
        + """
import weakref
stream, other = device.create_stream(), device.default_stream
buffer, plain = device.allocate(256, stream=stream), device.mem_alloc(256)
pinned, managed = cuox.PinnedMemoryResource().allocate(64), cuox.ManagedMemoryResource().allocate(64)
timed = dict(timing_enabled=True)
event = stream.record(options=timed)
kernel = code.get_kernel("twice")
configured, bound = kernel[1, 64], kernel[1, 64, stream]
graphs = []
if not device.is_soft:  # which captures nothing
    builder = device.create_graph_builder().begin_building()
    cuox.launch(builder, ONE, kernel, buffer, 64)
    graph = builder.end_building().complete()
    device.sync()
    unfinished = device.create_graph_builder().begin_building()
    graphs = [builder, graph, unfinished]
else:
    device.sync()
device.reset()
new, host = device.create_stream(), np.zeros(64, np.uint8)
target = device.allocate(256, stream=new)
later = new.record(options=timed)
again = code.get_kernel("twice")
uses = [
    stream.sync, lambda: stream.handle, stream.__cuda_stream__, lambda: stream.is_done, lambda: stream.priority, lambda: stream.record(), lambda: stream.wait(new), lambda: new.wait(stream),
    lambda: stream.add_callback(print), lambda: other.sync(), lambda: device.allocate(16, stream=stream),
    event.sync, lambda: event.is_done, lambda: event.record(new), lambda: later.record(stream), lambda: new.wait(event), lambda: later - event, lambda: event - later,
    lambda: int(buffer), lambda: buffer.handle, lambda: buffer.fill(0), lambda: buffer.fill(0, stream=new), lambda: target.fill(0, stream=stream),
    lambda: buffer.copy_from_host(host), lambda: buffer.copy_from_host(host, stream=new), lambda: buffer.copy_to_host(host), lambda: plain.copy_to_host(host),
    lambda: plain.copy_from_host(host), lambda: target.copy_from_host(host, stream=stream), lambda: target.copy_to_host(host, stream=stream),
    lambda: target.copy_from(buffer), lambda: target.copy_from(buffer, stream=new), lambda: buffer.copy_to(target), lambda: buffer.copy_to(),
    lambda: target.copy_to(stream=stream), lambda: target.copy_from(device.allocate(256), stream=stream),
    lambda: buffer.__dlpack__(), lambda: buffer.__cuda_array_interface__, lambda: memoryview(pinned), lambda: np.frombuffer(managed),
    lambda: again[1, 64](buffer, 64), lambda: again[1, 64](pinned, 16), lambda: again[1, 64, stream](target, 64), lambda: cuox.launch(stream, ONE, again, target, 64),
    lambda: kernel[1, 64](target, 64), lambda: kernel[1, 64, new](target, 64), lambda: configured(target, 64), lambda: bound(target, 64),
    lambda: kernel.attributes.num_regs, lambda: kernel.occupancy.max_active_blocks_per_multiprocessor(64, 0),
]
if graphs:
    uses += [
        lambda: graph.launch(new), lambda: graph.upload(new), lambda: graph.launch(stream), lambda: builder.complete(),
        lambda: cuox.launch(unfinished, ONE, again, target, 64), lambda: unfinished.end_building(),
    ]
for place, use in enumerate(uses):
    try:
        use()
        print(place, "was not refused")
    except (cuox.ClosedError, BufferError) as error:
        assert "was made before device.reset(), which has ended it: make a new one" in str(error), (place, error)
assert again is not kernel and again[1, 64, new](target, 64) is None
new.sync()
for thing in (buffer, plain, pinned, managed, target, stream, event, *graphs):
    thing.close()
buffer.close(new)
del stream, other, buffer, plain, pinned, managed, event, kernel, configured, bound, graphs, uses, use, target, thing
graph = builder = unfinished = None
gc.collect()
address, size = code.get_global("counter")
value = np.zeros(1, np.int32)
cuox.Buffer.from_handle(address, size).copy_to_host(value)
assert value[0] == 5 and works()
print("right")
"""
    )
    assert done.stdout == "right\n", done
    assert done.returncode == 0, done


def test_views_keep_memory_from_being_freed_under_them(run_script: Run) -> None:
    done = run_script(
        START
        + """
pinned = cuox.PinnedMemoryResource().allocate(64)
view, second = memoryview(pinned), np.from_dlpack(pinned)
for count, gone in (("are 2 arrays or memoryviews", view), ("is 1 array or memoryview", second)):
    try:
        device.reset()
        print("reset under a view")
    except BufferError as error:
        assert count in str(error), error
    if gone is view:
        view.release()
second[:] = 1
del second, gone
from cuox.cuda.core.utils import StridedMemoryView
for seen in (pinned, cuox.as_array(cuox.ManagedMemoryResource().allocate(64))):
    view = StridedMemoryView.from_any_interface(seen, -1)
    for shown in (view, view.view(view._layout[8:])):
        array = np.from_dlpack(shown)
        try:
            device.reset()
            print("reset under an array of a StridedMemoryView")
        except BufferError as error:
            assert "is 1 array or memoryview" in str(error), error
        del array
device.reset()
assert works()
print("right")
"""
    )
    assert done.stdout == "right\n", done


def test_in_a_callback_it_is_refused_and_changes_nothing(run_script: Run) -> None:
    done = run_script(
        START
        + """
stream = device.create_stream()
buffer, host = device.allocate(64, stream=stream), np.full(64, 7, np.uint8)
buffer.copy_from_host(host, stream=stream)
seen = []
def callback():
    try:
        device.reset()
        seen.append("reset")
    except cuox.CUDAError as error:
        seen.append(error.code)
stream.add_callback(callback)
stream.sync()
assert seen == [800], seen
host[:] = 0
buffer.copy_to_host(host, stream=stream)
stream.sync()
assert (host == 7).all() and works(stream)
print("right")
"""
    )
    assert done.stdout == "right\n", done


def test_a_callback_that_runs_during_a_reset_does_not_wait_for_it(run_script: Run) -> None:
    done = run_script(
        """
import threading, time
import cuox
device = cuox.Device(); device.set_current()
if not device.is_soft:
    raise SystemExit
stream = device.create_stream()
began, ended, seen = threading.Event(), threading.Event(), []
def callback():
    began.set()
    for _ in range(20):
        try:
            device.create_stream()
            seen.append("a stream")
        except cuox.CUDAError as error:
            seen.append(error.code)
        time.sleep(0.01)
    ended.set()
stream.add_callback(callback)
began.wait()
device.reset()
device.create_stream().sync()
ended.wait()
assert seen == [800] * 20, seen
print("right")
"""
    )
    assert done.stdout in ("right\n", "") and done.returncode == 0, done


def test_reset_ends_what_does_not_end(run_script: Run) -> None:
    done = run_script(
        """
import cuox
device = cuox.Device(); device.set_current()
if not device.is_soft:
    raise SystemExit
source = 'extern "C" __global__ void endless(volatile int *p) { while (*p == 0) ; }'
kernel = cuox.Program(source).compile().get_kernel("endless")
stream = device.create_stream()
cell = device.allocate(4, stream=stream)
cell.fill(0, stream=stream)
kernel[1, 1, stream](cell)
device.reset()
device.create_stream().sync()
print("right")
"""
    )
    assert done.stdout in ("right\n", "") and done.returncode == 0, done


def test_in_a_fork_it_is_refused(run_script: Run) -> None:
    done = run_script(
        START
        + """
import os, warnings
warnings.simplefilter("ignore")
device.sync()
child = os.fork()
if child == 0:
    try:
        device.reset()
    except cuox.CUDAError as error:
        os._exit(7 if "fork" in str(error) else 1)
    os._exit(2)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert works()
print("right")
"""
    )
    assert done.stdout == "right\n", done
