"""`python -m cuox demo`: SAXPY, then heat spreading over a plate, on whatever device there is. No NumPy needed."""

from __future__ import annotations

import math
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path

from cuox import Device, Kernel, LaunchConfig, Program, ProgramOptions, Stream, launch

from .png import write_png

SOURCE = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// One explicit step of the heat equation; no heat crosses the edge, except that hot spots are held hot.
extern "C" __global__ void heat(const float *now, const float *source, float *next, int width, int height, float rate)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    float here = now[at];
    float west = x > 0 ? now[at - 1] : here;
    float east = x + 1 < width ? now[at + 1] : here;
    float north = y > 0 ? now[at - width] : here;
    float south = y + 1 < height ? now[at + width] : here;
    float held = source[at];
    next[at] = held > 0.0f ? held : here + rate * (west + east + north + south - 4.0f * here);
}

extern "C" __global__ void nothing(float a, const float *x, float *y, int n) {}
"""


def _bar(done: int, total: int, started: float) -> None:
    filled = 40 * done // total
    line = f"  [{'#' * filled}{'.' * (40 - filled)}] {100 * done // total:3d} %  {time.perf_counter() - started:5.1f} s"
    end = "\n" if done == total else ""
    # A log is no terminal: there, only the finished bar.
    if sys.stdout.isatty():
        print("\r" + line, end=end, flush=True)
    elif done == total:
        print(line, flush=True)


def _colour(heat: float) -> tuple[int, int, int]:
    """Black, violet, orange, pale yellow."""
    heat = min(max(heat, 0.0), 1.0)
    red = min(1.0, 1.9 * heat)
    green = max(0.0, min(1.0, 1.6 * heat - 0.45))
    blue = 0.55 * math.sin(math.pi * min(1.0, 1.7 * heat)) if heat < 0.588 else max(0.0, 2.2 * heat - 1.35)
    return int(255 * red), int(255 * green), int(255 * min(1.0, blue))


def _saxpy(device: Device, stream: Stream, kernel: Kernel, n: int) -> None:
    x = array("f", (i % 1000 for i in range(n)))
    y = array("f", (1.0 for _ in range(n)))
    with device.allocate(4 * n, stream=stream) as dx, device.allocate(4 * n, stream=stream) as dy:
        dx.copy_from_host(x, stream=stream)
        dy.copy_from_host(y, stream=stream)
        launch(stream, LaunchConfig(grid=(n + 255) // 256, block=256), kernel, 2.0, dx, dy, n)
        dy.copy_to_host(y, stream=stream)
        stream.sync()
    wrong = sum(1 for i in range(n) if y[i] != 2.0 * (i % 1000) + 1.0)
    if wrong:
        raise SystemExit(f"saxpy: {wrong} of {n} results are wrong")


def _heat(device: Device, stream: Stream, kernel: Kernel, size: int, steps: int, picture: Path) -> None:
    plate = array("f", bytes(4 * size * size))
    for centre_x, centre_y, radius, heat in ((0.3, 0.35, 0.06, 1.0), (0.68, 0.6, 0.09, 0.8), (0.25, 0.78, 0.03, 1.0)):
        for y in range(size):
            for x in range(size):
                if math.hypot(x / size - centre_x, y / size - centre_y) < radius:
                    plate[y * size + x] = heat
    source = device.allocate(4 * size * size, stream=stream)
    now = device.allocate(4 * size * size, stream=stream)
    after = device.allocate(4 * size * size, stream=stream)
    source.copy_from_host(plate, stream=stream)
    now.copy_from_host(plate, stream=stream)
    config = LaunchConfig(grid=((size + 31) // 32, (size + 7) // 8), block=(32, 8))
    started = time.perf_counter()
    batch = max(1, steps // 50)
    for step in range(0, steps, batch):
        for _ in range(min(batch, steps - step)):
            launch(stream, config, kernel, now, source, after, size, size, 0.24)
            now, after = after, now
        stream.sync()
        _bar(min(step + batch, steps), steps, started)
    now.copy_to_host(plate, stream=stream)
    stream.sync()
    low, high = min(plate), max(plate)
    if not (0.0 <= low and high <= 1.0 and sum(plate) > 0):
        raise SystemExit(f"heat: temperatures lie in {low}..{high}, outside the range that they started in")
    # The square root shows how far the faint warmth has come.
    palette = [_colour(i / 255) for i in range(256)]
    pixels = bytearray()
    for value in plate:
        pixels.extend(palette[int(255 * math.sqrt(value))])
    write_png(picture, size, size, bytes(pixels))
    for buffer in (source, now, after):
        buffer.close()


def _best(work: Callable[[], None], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main(picture: str = "demo-out/heat.png") -> int:
    """Run the demonstration and print one table."""
    target = Path(picture)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    except OSError as error:
        raise SystemExit(f"cuox demo: the picture cannot be written: {error}") from None
    device = Device()
    device.set_current()
    stream = device.create_stream()
    print(f"Device: {device.name} (compute capability {device.compute_capability[0]}.{device.compute_capability[1]})")

    started = time.perf_counter()
    program = Program(SOURCE, code_type="c++", options=ProgramOptions(name="demo.cu"))
    code = program.compile("ptx")
    compiled = time.perf_counter()
    saxpy, heat, nothing = (code.get_kernel(name) for name in ("saxpy", "heat", "nothing"))
    loaded = time.perf_counter()

    print("SAXPY, 1 000 000 elements: ", end="", flush=True)
    _saxpy(device, stream, saxpy, 1_000_000)
    print("correct")
    print("Heat spreading over a plate of 512 x 512 cells, 2000 steps:")
    _heat(device, stream, heat, 512, 2000, target)
    print(f"  {target}")

    # Fewer than a stream's queue holds, or the last ones would wait.
    count = 400
    a, b = device.allocate(4096, stream=stream), device.allocate(4096, stream=stream)
    config = LaunchConfig(grid=1, block=32)

    def submit() -> None:
        for _ in range(count):
            launch(stream, config, nothing, 1.0, a, b, 1024)

    submit()
    stream.sync()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        submit()
        times.append(time.perf_counter() - start)
        stream.sync()
    launch_cost = min(times) / count

    size, rounds = (64 << 20, 1) if device.is_soft else (512 << 20, 10)
    big, other = device.allocate(size, stream=stream), device.allocate(size, stream=stream)
    n = size // 4

    def copy() -> None:
        for _ in range(rounds):
            other.copy_from(big, stream=stream)
        stream.sync()

    def streaming() -> None:
        for _ in range(rounds):
            launch(stream, LaunchConfig(grid=(n + 255) // 256, block=256), saxpy, 2.0, big, other, n)
        stream.sync()

    copy()
    copy_rate = 2 * size * rounds / _best(copy, 5)
    streaming()
    saxpy_rate = 3 * size * rounds / _best(streaming, 5)

    print()
    rows = [
        ("device", device.name),
        ("compile (CUDA C++ to PTX)", f"{1e3 * (compiled - started):.1f} ms"),
        ("load (PTX to kernels)", f"{1e3 * (loaded - compiled):.1f} ms"),
        ("launch, 4 arguments", f"{1e9 * launch_cost:.0f} ns"),
        ("device copy, read + write", f"{copy_rate / 1e9:.1f} GB/s"),
        ("saxpy, read + write", f"{saxpy_rate / 1e9:.1f} GB/s"),
    ]
    wide = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"  {name:<{wide}}  {value}")
    return 0
