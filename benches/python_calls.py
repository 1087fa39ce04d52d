"""What a call costs from Python, beside the same driver call from C and, where they are installed, other packages.

One process, one context, one run: figures of different runs or machines do not compare. Nanoseconds per call, the
median of repetitions of many calls; the device is idle before each repetition.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import timeit
from collections.abc import Callable
from pathlib import Path

import cuox
from cuox import _native

COUNT, REPETITIONS = 500, 15
SOURCE = 'extern "C" __global__ void empty4(float a, float *x, float *y, int n) {}'


def build_floor() -> ctypes.CDLL:
    folder = Path(tempfile.mkdtemp())
    library = folder / "calls.so"
    source = Path(__file__).with_name("calls.c")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    floor = ctypes.CDLL(str(library))
    for name in ("launch", "record", "allocate_free", "to_device", "to_host"):
        getattr(floor, name).restype = ctypes.c_double
    return floor


def driver_path() -> str:
    """The library that cuox itself has open."""
    kind = "soft" if cuox.Device().is_soft else "nvidia"
    return _native.choice_report()[kind].split(" (CUDA")[0]


def median(call: Callable[[], float], idle: Callable[[], None]) -> float:
    call()
    figures = []
    for _ in range(REPETITIONS):
        idle()
        figures.append(call())
    idle()
    return statistics.median(figures)


def python(statement: str, **names: object) -> Callable[[], float]:
    """Times a statement as it stands in a program: with no function around it."""
    timer = timeit.Timer(statement, globals=names)
    return lambda: timer.timeit(COUNT) / COUNT * 1e9


def main() -> int:
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    driver = ctypes.CDLL(driver_path())
    floor = build_floor()
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
            ["device.allocate(1048576, stream=stream).close()"],
        ),
        (
            "4 bytes host to device, synchronous",
            lambda: floor.to_device(
                entry("cuMemcpyHtoD_v2"), ctypes.c_uint64(int(plain)), ctypes.c_void_p(address), ctypes.c_size_t(4), COUNT
            ),
            ["plain.copy_from_host(host)"],
        ),
        (
            "4 bytes device to host, synchronous",
            lambda: floor.to_host(
                entry("cuMemcpyDtoH_v2"), ctypes.c_void_p(address), ctypes.c_uint64(int(plain)), ctypes.c_size_t(4), COUNT
            ),
            ["plain.copy_to_host(host)"],
        ),
    ]
    for name, c_call, calls in rows:
        # C before and after, since the clocks of a shared host drift.
        before = median(c_call, stream.sync)
        measured = [(text, median(python(text, **names), stream.sync)) for text in calls]
        c_cost = statistics.mean((before, median(c_call, stream.sync)))
        print(f"{name:<51} C {c_cost:8.0f}")
        for text, cost in measured:
            print(f"    {text:<48} {cost:8.0f}   C + {cost - c_cost:5.0f}   {cost / c_cost:5.2f} x C")
    if not device.is_soft:
        peers()
    return 0


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
            cost = median(python("f((1,), (32,), (one, a, b, n))", f=function, one=one, a=a, b=b, n=n), cupy.cuda.runtime.deviceSynchronize)
        print(f"{'launch, 4 arguments: CuPy':<51}   {cost:8.0f}")
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
        cost = median(python("launch(q, c, k, f, x, y, i)", launch=launch, q=queue, c=config, k=kernel, f=f, x=x, y=y, i=i), queue.sync)
        print(f"{'launch, 4 arguments: cuda.core':<51}   {cost:8.0f}")


if __name__ == "__main__":
    sys.exit(main())
