"""The cost of a driver call of `cuox.cuda.bindings`, beside the same call from C and, where it is installed, from
NVIDIA's
`cuda.bindings`.

    python benches/driver_calls.py

One process, one driver, one context, one run: figures of different runs or machines do not compare. Each repetition
times C, cuox and NVIDIA's in turn, because the clocks of a shared host drift; the figures are medians, the differences
medians over these pairs. Nanoseconds per call, a Python loop's own cost included; it is printed first.
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import timeit
from collections.abc import Callable
from types import ModuleType
from typing import Any

from _beside import c_library, in_turn
from cuox import _native
from cuox.cuda.bindings import driver as ours
from cuox_bind import _native as bind_native

REPETITIONS = 21
PTX = b"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry empty4(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    ret;
}
"""


def checked(result: tuple[Any, ...]) -> Any:
    status, *outputs = result
    if status != 0:
        raise RuntimeError(f"{status!r}")
    return outputs[0] if len(outputs) == 1 else outputs


def per_call(statement: str, count: int, **names: Any) -> Callable[[], float]:
    """The nanoseconds that a statement takes."""
    setup = "; ".join(f"{name} = _{name}" for name in names) or "pass"
    timer = timeit.Timer(statement, setup, globals={f"_{name}": value for name, value in names.items()})
    return lambda: timer.timeit(count) / count * 1e9


class Row:
    """One call: how C and Python do it, and how often in a repetition."""

    def __init__(
        self,
        name: str,
        count: int,
        c: Callable[[int], float],
        python: Callable[[ModuleType], tuple[str, dict[str, Any]]],
    ) -> None:
        self.name = name
        self.count = count
        self.c = c
        self.python = python


def rows(floor: ctypes.CDLL) -> list[Row]:
    symbols = bind_native.Symbols([str(_native.driver_path())])

    def address(symbol: str) -> ctypes.c_void_p:
        return ctypes.c_void_p(symbols.find(symbol))

    device = checked(ours.cuDeviceGet(0))
    context = checked(ours.cuDevicePrimaryCtxRetain(device))
    checked(ours.cuCtxSetCurrent(context))
    event = int(checked(ours.cuEventCreate(0)))
    stream = int(checked(ours.cuStreamCreate(0)))
    module = checked(ours.cuModuleLoadData(PTX))
    kernel = int(checked(ours.cuModuleGetFunction(module, b"empty4")))
    memory = int(checked(ours.cuMemAlloc(4096)))
    host = ctypes.create_string_buffer(64)
    values = (ctypes.c_float(1), ctypes.c_uint64(memory), ctypes.c_uint64(memory), ctypes.c_int(3))
    params = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))
    packed = ctypes.addressof(params)
    typed = ((1.0, memory, memory, 3), (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int))
    keep.extend((module, host, values, params))
    attribute = "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT"
    number = int(ours.CUdevice_attribute[attribute])
    launch = "f(k, 1, 1, 1, 32, 1, 1, 0, s, p, 0)"

    def c_launch(count: int) -> float:
        return floor.launch(address("cuLaunchKernel"), ctypes.c_void_p(kernel), ctypes.c_void_p(stream), params, count)

    def c_copy(count: int) -> float:
        return floor.to_device(address("cuMemcpyHtoD_v2"), ctypes.c_uint64(memory), host, ctypes.c_size_t(4), count)

    return [
        Row(
            "cuCtxGetCurrent",
            20000,
            lambda n: floor.get_current(address("cuCtxGetCurrent"), n),
            lambda m: ("f()", {"f": m.cuCtxGetCurrent}),
        ),
        Row(
            "cuDeviceGetAttribute",
            20000,
            lambda n: floor.get_attribute(address("cuDeviceGetAttribute"), number, 0, n),
            lambda m: (
                "f(a, d)",
                {"f": m.cuDeviceGetAttribute, "a": getattr(m.CUdevice_attribute, attribute), "d": m.CUdevice(0)},
            ),
        ),
        Row(
            "cuEventQuery",
            20000,
            lambda n: floor.event_query(address("cuEventQuery"), ctypes.c_void_p(event), n),
            lambda m: ("f(e)", {"f": m.cuEventQuery, "e": m.CUevent(event)}),
        ),
        Row(
            "cuLaunchKernel, an array of pointers",
            500,
            c_launch,
            lambda m: (
                launch,
                {"f": m.cuLaunchKernel, "k": m.CUfunction(kernel), "s": m.CUstream(stream), "p": packed},
            ),
        ),
        Row(
            "cuLaunchKernel, (values, types)",
            500,
            c_launch,
            lambda m: (launch, {"f": m.cuLaunchKernel, "k": m.CUfunction(kernel), "s": m.CUstream(stream), "p": typed}),
        ),
        Row(
            "cuMemAlloc and cuMemFree, 64 B",
            500,
            lambda n: floor.allocate_free(address("cuMemAlloc_v2"), address("cuMemFree_v2"), ctypes.c_size_t(64), n),
            lambda m: ("g(f(64)[1])", {"f": m.cuMemAlloc, "g": m.cuMemFree}),
        ),
        Row(
            "cuMemcpyHtoD, 4 B",
            500,
            c_copy,
            lambda m: ("f(d, h, 4)", {"f": m.cuMemcpyHtoD, "d": m.CUdeviceptr(memory), "h": ctypes.addressof(host)}),
        ),
    ]


keep: list[Any] = []


def main() -> None:
    checked(ours.cuInit(0))
    try:
        # It opens libcuda.so.1 by this name: the driver that cuox has loaded is found by it.
        from cuda.bindings import driver as theirs
    except ImportError:
        theirs = None
    name = checked(ours.cuDeviceGetName(128, checked(ours.cuDeviceGet(0)))).split(b"\0")[0].decode()
    print(f"{name}, Python {sys.version.split()[0]}; ns per call, medians of {REPETITIONS}")
    print(f"an empty Python loop: {per_call('pass', 100000)():.1f} ns")
    print(f"{'':<38}{'C':>9}{'cuox':>9}{'- C':>9}{'cuda.bindings':>15}{'- C':>9}")
    floor = c_library(
        "driver_calls.c", ("get_current", "get_attribute", "event_query", "launch", "allocate_free", "to_device")
    )
    modules = [ours] if theirs is None else [ours, theirs]
    if theirs is not None:
        checked(theirs.cuInit(0))
    for row in rows(floor):
        calls = []
        for module in modules:
            statement, names = row.python(module)
            calls.append(per_call(statement, row.count, **names))
        all_calls = [lambda: row.c(row.count), *calls]
        figures = in_turn(all_calls, lambda: checked(ours.cuCtxSynchronize()), REPETITIONS)
        c = figures[0]
        text = f"{row.name:<38}{statistics.median(c):>9.0f}"
        for found, width in zip(figures[1:], (9, 15)):
            difference = statistics.median(a - b for a, b in zip(found, c, strict=True))
            text += f"{statistics.median(found):>{width}.0f}{difference:>+9.0f}"
        print(text)


if __name__ == "__main__":
    main()
