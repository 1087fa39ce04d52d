"""Work on chunks of one array in one stream and in several: what the order of an array's uses lets run side by side.

Each chunk is used by one small kernel that takes a while, so that chunks in several streams can run at once. Beside it
the same with arrays that have nothing to do with each other, which shows what the device can do. Seconds, and how many
times as fast as one stream.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import cuox
import numpy as np

CHUNKS, SIZE, TURNS, REPETITIONS = 8, 256, 10_000_000, 5
SOURCE = r"""
extern "C" __global__ void late(int *y, int n, int turns) {
    unsigned v = turns;
    for (int i = 0; i < turns; i++) v = (v ^ v >> 3) * 1664525 + 1013904223;
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] += v;
}
"""


def seconds(work: Callable[[], None], device: cuox.Device) -> float:
    times = []
    for _ in range(REPETITIONS):
        device.sync()
        start = time.perf_counter()
        work()
        device.sync()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    device = cuox.Device()
    device.set_current()
    kernel = cuox.Program(SOURCE).compile("ptx").get_kernel("late")
    streams = [device.create_stream() for _ in range(4)]
    whole = cuox.zeros(CHUNKS * SIZE, np.int32)
    chunks = [whole[i * SIZE : (i + 1) * SIZE] for i in range(CHUNKS)]
    arrays = [cuox.zeros(SIZE, np.int32) for _ in range(CHUNKS)]

    def run(parts: list[cuox.Array], count: int) -> Callable[[], None]:
        def work() -> None:
            for i, part in enumerate(parts):
                kernel[1, 32, streams[i % count]](part, SIZE, TURNS)

        return work

    run(chunks, 1)()
    print(f"{device.name}: {CHUNKS} kernels of one block, a chunk each")
    for name, parts in (("chunks of one array", chunks), ("arrays of their own", arrays)):
        alone = seconds(run(parts, 1), device)
        for count in (1, 2, 4):
            took = alone if count == 1 else seconds(run(parts, count), device)
            print(f"  {name}, {count} streams   {took:8.4f} s   {alone / took:5.2f}")


if __name__ == "__main__":
    main()
