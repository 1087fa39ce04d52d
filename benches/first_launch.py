"""The cost of a kernel's first launch on the software GPU, without machine code on disk and with it.

Every figure is a process of its own: from PTX text to the end of the kernel's first launch, after the driver has
started; by the clock, and in processor time of all its threads, which says more on a machine that does other work. The
block sort needs the headers of `nvidia-cuda-cccl`; without them that row is left out.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("CUOX_DEVICE", "soft")
import cuox

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 9
SORT = r"""
#include <cub/block/block_radix_sort.cuh>
extern "C" __global__ void sort(int *keys)
{
    using Sort = cub::BlockRadixSort<int, 128, 4>;
    __shared__ typename Sort::TempStorage storage;
    int mine[4];
    for (int i = 0; i < 4; i++) mine[i] = keys[threadIdx.x * 4 + i];
    Sort(storage).Sort(mine);
    for (int i = 0; i < 4; i++) keys[threadIdx.x * 4 + i] = mine[i];
}
"""
# Title, file, kernel, threads of a block, arguments: numbers, and buffers (`None`) of zeros.
ROWS = [
    ("sum of a block, filetests/cuda/reduce", "reduce", "sum", 128, (512, None, None)),
    ("matrix product of halves, filetests/cuda/tensor", "tensor", "halves", 128, (None,)),
    ("sin, exp, log, pow, ... of f64, filetests/cuda/math", "math", "doubles", 32, (None, None)),
    ("cub::BlockRadixSort of 512 int", "sort", "sort", 128, (None,)),
]


def child(ptx: str, row: int) -> int:
    _, _, name, threads, args = ROWS[row]
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    buffers = [None if a is not None else device.mem_alloc(1 << 16) for a in args]
    for buffer in buffers:
        if buffer is not None:
            buffer.copy_from_host(bytes(1 << 16))
    values = [b if a is None else a for a, b in zip(args, buffers, strict=True)]
    text = Path(ptx).read_bytes()
    # The driver compiles a small kernel when it starts.
    time.sleep(0.1)
    start = time.perf_counter(), time.process_time()
    kernel = cuox.ObjectCode.from_ptx(text).get_kernel(name)
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=threads), kernel, *values)
    stream.sync()
    print(time.perf_counter() - start[0], time.process_time() - start[1])
    return 0


def measure(ptx: Path, row: int, **env: str) -> tuple[float, ...]:
    command = [sys.executable, __file__, str(ptx), str(row)]
    done = subprocess.run(command, env={**os.environ, **env}, check=True, capture_output=True, text=True)
    return tuple(float(word) * 1e3 for word in done.stdout.split())


def sort_ptx(folder: Path) -> Path | None:
    includes = [str(p) for p in Path(sys.prefix).glob("lib/python*/site-packages/nvidia/cu13/include")]
    options = cuox.ProgramOptions(include_path=[d for p in includes for d in (p, p + "/cccl")])
    try:
        code = cuox.Program(SORT, code_type="c++", options=options).compile("ptx").code
    except (cuox.CompileError, cuox.NotFoundError) as error:
        print(f"no block sort: {str(error).splitlines()[0]}")
        return None
    path = folder / "sort.ptx"
    path.write_bytes(bytes(code))
    return path


def main() -> int:
    if len(sys.argv) == 3:
        return child(sys.argv[1], int(sys.argv[2]))
    if not cuox.Device().is_soft:
        raise SystemExit("this benchmark is about the software GPU: CUOX_DEVICE=soft")
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors; Python {sys.version.split()[0]}; medians of {ROUNDS}, ms"
    )
    print(f"{'kernel':<54} {'made':>8} {'read':>8} {'made, CPU':>10} {'read, CPU':>10} {'ratio':>6} {'file, KiB':>10}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for row, (title, file, *_) in enumerate(ROWS):
            ptx = sort_ptx(folder) if file == "sort" else ROOT / "filetests/cuda" / f"{file}.ptx"
            if ptx is None:
                continue
            cache = folder / str(row)
            measure(ptx, row, CUOX_CACHE="1", CUOX_CACHE_DIR=str(cache))
            pairs = [
                (*measure(ptx, row, CUOX_CACHE="0"), *measure(ptx, row, CUOX_CACHE="1", CUOX_CACHE_DIR=str(cache)))
                for _ in range(ROUNDS)
            ]
            made, made_cpu, read, read_cpu = (statistics.median(column) for column in zip(*pairs, strict=True))
            kib = sum(f.stat().st_size for f in cache.iterdir()) / 1024
            print(
                f"{title:<54} {made:8.2f} {read:8.2f} {made_cpu:10.2f} {read_cpu:10.2f} {made_cpu / read_cpu:6.1f} {kib:10.0f}"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
