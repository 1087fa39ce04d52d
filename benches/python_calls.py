"""The cost of a call from Python, beside the same driver call from C and, where they are installed, other packages.

Beside them, where Python's headers are installed, the least that an extension in C does for some of these calls.
One process, one context, one run: figures of different runs or machines do not compare. Nanoseconds per call; the
device is idle before each repetition. Each repetition times C and Python in turn, because the clocks of a shared host
drift: the differences and ratios are medians over these pairs.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import timeit
import types
from collections.abc import Callable
from pathlib import Path

import cuox
from _beside import c_library, in_turn
from cuox import _native

COUNT, REPETITIONS = 500, 31
LARGE, LARGE_REPETITIONS = 256 << 20, 9
SOURCE = 'extern "C" __global__ void empty4(float a, float *x, float *y, int n) {}'


def build_bare_extension() -> types.ModuleType | None:
    folder = Path(tempfile.mkdtemp())
    library = folder / "bare_extension.abi3.so"
    source = Path(__file__).with_name("bare_extension.c")
    include = sysconfig.get_paths()["include"]
    command = [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", f"-I{include}", "-o", library, source]
    prebuilt = Path(__file__).with_name("bare_extension.abi3.so")
    if prebuilt.exists():
        folder = prebuilt.parent
    elif subprocess.run(command, capture_output=True).returncode:
        print("a bare extension is not measured: it needs Python's headers")
        return None
    sys.path.insert(0, str(folder))
    return importlib.import_module("bare_extension")


def median(call: Callable[[], float], idle: Callable[[], None]) -> float:
    return statistics.median(in_turn([call], idle, REPETITIONS)[0])


def python(statement: str, **names: object) -> Callable[[], float]:
    """Times a statement as it stands in a program: with no function around it."""
    timer = timeit.Timer(statement, globals=names)
    return lambda: timer.timeit(COUNT) / COUNT * 1e9


def main() -> int:
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    driver = ctypes.CDLL(str(_native.driver_path()))
    floor = c_library("calls.c", ("launch", "record", "allocate_free", "to_device", "to_host"))
    kernel = cuox.Program(SOURCE, code_type="c++").compile("cubin").get_kernel("empty4")
    config = cuox.LaunchConfig(grid=1, block=32)
    x, y = device.allocate(1 << 20, stream=stream), device.allocate(1 << 20, stream=stream)
    plain = device.mem_alloc(1 << 20)
    event = device.create_event()
    stream.sync()
    host = bytearray(4)
    address = ctypes.addressof(ctypes.c_char.from_buffer(host))

    def entry(name: str) -> ctypes.c_void_p:
        return ctypes.cast(getattr(driver, name), ctypes.c_void_p)

    values = (ctypes.c_float(1), ctypes.c_uint64(int(x)), ctypes.c_uint64(int(y)), ctypes.c_int(128))
    params = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))
    handle, queue = ctypes.c_void_p(kernel.handle), ctypes.c_void_p(stream.handle)
    names = {
        "launch": cuox.launch, "configured": kernel[config, stream], "kernel": kernel, "config": config, "plain": plain,
        "stream": stream, "device": device, "event": event, "host": host, "x": x, "y": y,
    }  # fmt: skip
    bare = build_bare_extension()
    allocation, to_host = ["device.allocate(1048576, stream=stream).close()"], ["plain.copy_to_host(host)"]
    if bare is not None:
        calls = (entry("cuMemAllocAsync"), entry("cuMemFreeAsync"), entry("cuMemcpyDtoH_v2"))
        bare.set_up(*(call.value for call in calls), int(stream.handle))
        names |= {"bare": bare, "bare_device": bare.Device(), "address": address, "there": int(plain)}
        allocation.append("bare_device.allocate(1048576, stream=stream).close()")
        to_host.append("bare.copy_to_host(address, there, 4)")
    print(f"{device.name}, Python {sys.version.split()[0]}, {COUNT} calls a repetition, {REPETITIONS} repetitions, ns")

    rows: list[tuple[str, Callable[[], float], list[str]]] = [
        (
            "launch, 4 arguments",
            lambda: floor.launch(entry("cuLaunchKernel"), handle, queue, params, COUNT),
            [
                "launch(stream, config, kernel, 1.0, x, y, 128)",
                "configured(1.0, x, y, 128)",
                "kernel[1, 32, stream](1.0, x, y, 128)",
            ],
        ),
        (
            "event record",
            lambda: floor.record(entry("cuEventRecord"), ctypes.c_void_p(event.handle), queue, COUNT),
            ["stream.record(event)", "event.record(stream)"],
        ),
        (
            "allocate and free 1 MiB in stream order",
            lambda: floor.allocate_free(
                entry("cuMemAllocAsync"), entry("cuMemFreeAsync"), ctypes.c_size_t(1 << 20), queue, COUNT
            ),
            allocation,
        ),
        (
            "4 bytes host to device, synchronous",
            lambda: floor.to_device(
                entry("cuMemcpyHtoD_v2"),
                ctypes.c_uint64(int(plain)),
                ctypes.c_void_p(address),
                ctypes.c_size_t(4),
                COUNT,
            ),
            ["plain.copy_from_host(host)"],
        ),
        (
            "4 bytes device to host, synchronous",
            lambda: floor.to_host(
                entry("cuMemcpyDtoH_v2"),
                ctypes.c_void_p(address),
                ctypes.c_uint64(int(plain)),
                ctypes.c_size_t(4),
                COUNT,
            ),
            to_host,
        ),
    ]
    for name, c_call, calls in rows:
        repeated = in_turn([c_call, *(python(text, **names) for text in calls)], stream.sync, REPETITIONS)
        c_costs = repeated[0]
        print(f"{name:<55} C {statistics.median(c_costs):8.0f}")
        for text, costs in zip(calls, repeated[1:]):
            more = statistics.median(cost - c for cost, c in zip(costs, c_costs))
            ratio = statistics.median(cost / c for cost, c in zip(costs, c_costs))
            print(f"    {text:<52} {statistics.median(costs):8.0f}   C + {more:5.0f}   {ratio:5.2f} x C")
    bandwidth(device, floor, entry)
    if not device.is_soft:
        peers()
    return 0


def bandwidth(device: cuox.Device, floor: ctypes.CDLL, entry: Callable[[str], ctypes.c_void_p]) -> None:
    """Synchronous copies of a large block, beside the same driver call."""
    on_device = device.mem_alloc(LARGE)
    pinned = cuox.LegacyPinnedMemoryResource().allocate(LARGE)
    pageable = bytearray(b"\1") * LARGE
    pageable_address = ctypes.addressof(ctypes.c_char.from_buffer(pageable))
    there, size = ctypes.c_uint64(int(on_device)), ctypes.c_size_t(LARGE)
    print(f"{f'copies of {LARGE >> 20} MiB, synchronous':<40} {'C, GB/s':>9} {'cuox, GB/s':>11} {'cuox / C':>9}")
    for kind, memory, address in (("pinned", pinned, int(pinned)), ("pageable", pageable, pageable_address)):
        here = ctypes.c_void_p(address)
        rows: list[tuple[str, Callable[[], float], Callable[[], None]]] = [
            (
                f"{kind} host to device",
                lambda here=here: floor.to_device(entry("cuMemcpyHtoD_v2"), there, here, size, 1),
                lambda memory=memory: on_device.copy_from_host(memory),
            ),
            (
                f"device to {kind} host",
                lambda here=here: floor.to_host(entry("cuMemcpyDtoH_v2"), here, there, size, 1),
                lambda memory=memory: on_device.copy_to_host(memory),
            ),
        ]
        for title, c_call, call in rows:
            c_costs, costs = in_turn(
                [c_call, lambda call=call: timeit.timeit(call, number=1) * 1e9], device.sync, LARGE_REPETITIONS
            )
            ratio = statistics.median(c / cost for c, cost in zip(c_costs, costs))
            c_rate, rate = LARGE / statistics.median(c_costs), LARGE / statistics.median(costs)
            print(f"    {title:<36} {c_rate:9.2f} {rate:11.2f} {ratio:9.3f}")


def peers() -> None:
    """Other packages' launches of the same kernel, as their users write them."""
    try:
        import cupy
    except ImportError:
        print("cupy: not installed")
    else:
        function = cupy.RawModule(code=SOURCE).get_function("empty4")
        a, b = cupy.zeros(1 << 18, cupy.float32), cupy.zeros(1 << 18, cupy.float32)
        one, n = cupy.float32(1), cupy.int32(128)
        with cupy.cuda.Stream(non_blocking=True):
            cost = median(
                python("f((1,), (32,), (one, a, b, n))", f=function, one=one, a=a, b=b, n=n),
                cupy.cuda.runtime.deviceSynchronize,
            )
        print(f"{'launch, 4 arguments: CuPy':<55}   {cost:8.0f}")
    try:
        from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
    except ImportError:
        print("cuda.core: not installed")
    else:
        import numpy

        device = Device(0)
        device.set_current()
        queue = device.create_stream()
        options = ProgramOptions(arch=f"sm_{device.arch}")
        kernel = Program(SOURCE, code_type="c++", options=options).compile("cubin").get_kernel("empty4")
        x, y = device.allocate(1 << 20, stream=queue), device.allocate(1 << 20, stream=queue)
        config, f, i = LaunchConfig(grid=1, block=32), numpy.float32(1), numpy.int32(128)
        cost = median(
            python("launch(q, c, k, f, x, y, i)", launch=launch, q=queue, c=config, k=kernel, f=f, x=x, y=y, i=i),
            queue.sync,
        )
        print(f"{'launch, 4 arguments: cuda.core':<55}   {cost:8.0f}")


if __name__ == "__main__":
    sys.exit(main())
