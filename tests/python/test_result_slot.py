"""Results that kernels write to host memory."""

import subprocess
import sys
import threading

import cuox
import numpy as np
import pytest
from cuox._internal import result_slot
from cuox.cuda import compute
from cuox.numba import cuda


def test_results_are_values_of_their_own():
    total = cuda.reduce(lambda a, b: a + b)
    x = cuda.to_device(np.arange(10.0))
    first = total(x)
    second = total(x, init=5.0)
    assert first == 45.0 and second == 50.0 and isinstance(first, np.float64)
    point = np.dtype([("x", np.float64), ("n", np.int32)], align=True)
    host = np.array([(2.0, 1), (1.0, 2)], point)
    least = lambda a, b: a if a.x < b.x else b
    one = compute.reduce(host, np.array((9.0, 9), point), least)
    other = compute.reduce(host, np.array((0.5, 7), point), least)
    assert one["n"] == 2 and other["n"] == 7


def test_memory_is_used_again():
    x = cuox.to_device(np.arange(10))
    result_slot._free.clear()
    for k in range(5):
        assert compute.reduce(x, k, lambda a, b: a + b) == 45 + k
    assert [len(slots) for slots in result_slot._free.values()] == [1]


def test_threads():
    wrong = []

    def work(k):
        device = cuox.Device()
        device.set_current()
        stream = device.create_stream()
        x = cuox.to_device(np.full(1000, k), stream=stream)
        wrong.extend(
            found
            for found in (compute.reduce(x, 0, lambda a, b: a + b, stream=stream) for _ in range(50))
            if found != 1000 * k
        )

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_kernel_that_fails():
    program = """
import numpy as np, cuox
from cuox.cuda import compute
from cuox._internal import result_slot
x = cuox.to_device(np.arange(4))
far = cuox.cuda.compute.CppOp("__device__ long long far(long long a, long long b) { return *(long long *)0; }", "far")
try:
    compute.reduce(x, 0, far)
except cuox.CUDAError as error:
    print("raised", len(result_slot._lost))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "raised 1\n", done


def test_a_context_that_is_reset():
    program = """
import numpy as np, cuox
from cuox.cuda import compute
for k in range(3):
    print(compute.reduce(np.arange(4), k, lambda a, b: a + b))
    cuox.Device().reset()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "6\n7\n8\n", done


def test_work_that_is_captured():
    stream = cuox.Device().create_stream()
    x = cuox.to_device(np.arange(4), stream=stream)
    stream.sync()
    assert compute.reduce(x, 0, lambda a, b: a + b, stream=stream) == 6
    builder = stream.create_graph_builder().begin_building()
    with pytest.raises(cuox.CUDAError):
        compute.reduce(x, 0, lambda a, b: a + b, stream=stream)
    with pytest.raises(cuox.CUDAError):
        builder.end_building()
    assert compute.reduce(x, 0, lambda a, b: a + b) == 6
