"""What `Device()` and launches of graphs cost from Python, beside C and beside NVIDIA's cuda.core where that is there.

    python benches/core_calls.py              # the device that cuox chooses
    CUOX_DEVICE=soft python benches/core_calls.py

Times are medians in nanoseconds of calls that are made in turn, in one process: of C, of cuox, and of NVIDIA's package
with objects of its own in the same context. A launch is queued, not waited for; the device is idle before each
repetition. The graph has `--nodes` kernels, one after the other; beside it the same kernels are launched one by one.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import statistics
import timeit
from collections.abc import Callable
from typing import Any

import cuox
from _beside import c_library, in_turn
from cuox.cuda.bindings import driver
from cuox.cuda.core.graph import GraphDefinition

SOURCE = 'extern "C" __global__ void empty() {}'


def python(statement: str, count: int, **names: Any) -> Callable[[], float]:
    timer = timeit.Timer(statement, globals=names)
    return lambda: timer.timeit(count) / count * 1e9


def of_nvidia(nodes: int, count: int) -> dict[str, Callable[[], float]]:
    """The same of NVIDIA's package."""
    try:
        core = importlib.import_module("cuda.core")
        builders = importlib.import_module("cuda.core.graph")
        device = core.Device()
        device.set_current()
        stream = device.create_stream()
        options = core.ProgramOptions(arch=f"sm_{device.arch}")
        kernel = core.Program(SOURCE, code_type="c++", options=options).compile("cubin").get_kernel("empty")
        config = core.LaunchConfig(grid=1, block=32)
        definition = builders.GraphDefinition()
        node = definition.launch(config, kernel)
        for _ in range(nodes - 1):
            node = node.launch(config, kernel)
        graph = definition.instantiate()
        graph.launch(stream)
        stream.sync()
    except Exception as error:
        print(f"NVIDIA's cuda.core: {type(error).__name__}: {str(error)[:200]}")
        return {}
    return {
        "Device()": python("Device()", 10 * count, Device=core.Device),
        "graph launch": python("graph.launch(stream)", count, graph=graph, stream=stream),
        "launch": python(
            "launch(stream, config, kernel)", count, launch=core.launch, stream=stream, config=config, kernel=kernel
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=300, help="launches in a repetition")
    parser.add_argument("--nodes", type=int, default=20, help="kernels in the graph")
    parser.add_argument("--repetitions", type=int, default=15)
    options = parser.parse_args()
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    kernel = cuox.Program(SOURCE).compile("ptx").get_kernel("empty")
    config = cuox.LaunchConfig(grid=1, block=32)
    definition = GraphDefinition()
    node: Any = definition
    for _ in range(options.nodes):
        node = node.launch(config, kernel)
    graph = definition.instantiate()
    floor = c_library("calls.c", ["record"])
    entry = ctypes.c_void_p(int(driver.cuGetProcAddress(b"cuGraphLaunch", 13000, 0)[1]))
    executable, queue = ctypes.c_void_p(graph.handle), ctypes.c_void_p(int(stream.handle))
    n = options.n
    calls = {
        ("graph launch", "C"): lambda: float(floor.record(entry, executable, queue, n)),
        ("graph launch", "cuox"): python("graph.launch(stream)", n, graph=graph, stream=stream),
        ("Device()", "cuox"): python("Device()", 10 * n, Device=cuox.Device),
        ("launch", "cuox"): python(
            "launch(stream, config, kernel)", n, launch=cuox.launch, stream=stream, config=config, kernel=kernel
        ),
    }
    calls |= {(name, "NVIDIA"): call for name, call in of_nvidia(options.nodes, n).items()}
    figures = in_turn(list(calls.values()), lambda: driver.cuCtxSynchronize(), options.repetitions)
    for (name, whose), times in sorted(zip(calls, figures, strict=True)):
        print(f"{name:14} {whose:8} {statistics.median(times):8.0f}  (least {min(times):.0f})")
    # The whole of a graph and of its kernels one by one, waited for.
    whole = python("graph.launch(stream); stream.sync()", n // 10, graph=graph, stream=stream)
    single = python(
        "for _ in nodes: launch(stream, config, kernel)\nstream.sync()",
        n // 10,
        nodes=range(options.nodes),
        launch=cuox.launch,
        stream=stream,
        config=config,
        kernel=kernel,
    )
    together, one_by_one = in_turn([whole, single], lambda: driver.cuCtxSynchronize(), options.repetitions)
    print(
        f"{options.nodes} kernels to their end, us: as a graph {statistics.median(together) / 1e3:.1f}, one by one {statistics.median(one_by_one) / 1e3:.1f}"
    )


if __name__ == "__main__":
    main()
