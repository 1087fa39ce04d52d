"""Blocks that are not whole warps, and fetches from linear textures, on the software GPU: code by LLVM beside the code
that a kernel has at first.

    python benches/parts_of_warps.py [--runs 5]

Each engine runs in a process of its own (`CUOX_SOFT_ENGINE`), once to compile and then for the least of some CPU times.
The results of both must have the same bits.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import zlib

SOURCE = """
extern "C" __global__ void iterate(float *p, int n)
{
    int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
    float s = p[i];
    for (int k = 0; k < n; k++) {
        s = s * 0.99f + sqrtf(fabsf(s) + k) * 0.01f;
        if (s > 2.f)
            s -= 1.5f;
    }
    p[i] = s;
}
extern "C" __global__ void nearest(cudaTextureObject_t points, const float *centres, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float least = 1e30f;
    for (int c = 0; c < 5; c++) {
        float sum = 0;
#pragma unroll 1
        for (int j = 0; j < 34; j++) {
            float d = tex1Dfetch<float>(points, i + j * n) - centres[c * 34 + j];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            found[i] = c;
        }
    }
}
"""
# Name: blocks, threads of a block.
BLOCKS = {"1 thread": (64, 1), "4 x 4": (256, (4, 4)), "16": (256, 16), "20": (256, 20), "48": (100, 48)}
ENGINES = ["auto", "llvm"]


def measure(runs: int) -> None:
    """Prints the milliseconds of each case, and a checksum, as JSON."""
    import cuox
    import numpy as np
    from cuox.cuda.core.texture import ResourceDescriptor

    device = cuox.Device(kind="soft")
    device.set_current()
    stream = device.create_stream()
    code = cuox.Program(SOURCE, "parts_of_warps.cu").compile("ptx")
    rng = np.random.default_rng(0)

    def upload(values):
        buffer = device.allocate(values.nbytes, stream=stream)
        buffer.copy_from_host(values, stream=stream)
        return buffer

    def timed(name, blocks, threads, *arguments):
        config = cuox.LaunchConfig(grid=blocks, block=threads)
        kernel = code.get_kernel(name)
        times = []
        for _ in range(runs + 1):
            began = time.process_time()
            cuox.launch(stream, config, kernel, *arguments)
            stream.sync()
            times.append(time.process_time() - began)
        return min(times[1:]) * 1e3

    found = {}
    for name, (blocks, threads) in BLOCKS.items():
        values = rng.random(blocks * 48, dtype=np.float32)
        numbers = upload(values)
        taken = timed("iterate", blocks, threads, numbers, np.int32(2000))
        numbers.copy_to_host(values, stream=stream)
        stream.sync()
        found[name] = (taken, zlib.crc32(values))
    count = 1 << 18
    points, nearest = upload(rng.random(count * 34, dtype=np.float32)), np.zeros(count, np.int32)
    centres, indices = upload(rng.random(170, dtype=np.float32)), upload(nearest)
    resource = ResourceDescriptor.from_linear(points, format=np.float32, num_channels=1, size_bytes=count * 136)
    texture = device.create_texture_object(resource=resource)
    taken = timed("nearest", count // 256, 256, texture.handle, centres, indices, np.int32(count))
    indices.copy_to_host(nearest, stream=stream)
    stream.sync()
    found["tex1Dfetch"] = (taken, zlib.crc32(nearest))
    print(json.dumps(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return measure(options.runs)
    found = {}
    for engine in ENGINES:
        # Without LLVM the first code stays.
        without = {"CUOX_LLVM": ""} if engine == "auto" else {}
        environment = {**os.environ, "CUOX_SOFT_ENGINE": engine, **without}
        command = [sys.executable, __file__, "--one", "--runs", str(options.runs)]
        found[engine] = json.loads(subprocess.check_output(command, env=environment))
    print(f"{'':<12} {'CPU ms':>9} {'by LLVM':>9} {'ratio':>6}")
    for name in found["auto"]:
        (before, sum_before), (after, sum_after) = (found[engine][name] for engine in ENGINES)
        if sum_before != sum_after:
            raise SystemExit(f"{name}: the results differ")
        print(f"{name:<12} {before:>9.2f} {after:>9.2f} {before / after:>6.1f}")


if __name__ == "__main__":
    main()
