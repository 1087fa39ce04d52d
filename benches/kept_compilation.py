"""The cost of `Program.compile` in a new process when an earlier one has compiled the same program.

Every figure is a process of its own: its first `compile` call, by the clock and in processor time; the starts of Python
and of the device, and `import cuox`, are not in it. With folders as arguments, each with a built package `cuox` in it,
those builds are measured in turn instead of the one that is imported. The headers of `nvidia-cuda-runtime` and
`nvidia-cuda-cccl` have to be installed.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = int(os.environ.get("CUOX_BENCH_ROUNDS", "25"))
os.environ.setdefault("CUOX_DEVICE", "soft")
KERNEL = 'extern "C" __global__ void k(float *p) { *p = 1; }\n'
SOURCES = {
    "a plain kernel": KERNEL,
    "<cooperative_groups/reduce.h>": "#include <cooperative_groups/reduce.h>\n" + KERNEL,
    "<cub/cub.cuh>": "#include <cub/cub.cuh>\n" + KERNEL,
}
CHILD = """
import json, sys, time
import cuox
cuox.Device().set_current()
# The driver of the software GPU compiles a small kernel when it starts.
time.sleep(0.1)
program = cuox.Program(sys.argv[1], options=cuox.ProgramOptions(arch="sm_90"))
begin = time.perf_counter(), time.process_time()
code = program.compile("ptx")
end = time.perf_counter(), time.process_time()
loaded = "libnvrtc.so" in open("/proc/self/maps").read()
print(json.dumps([1000 * (b - a) for a, b in zip(begin, end)] + [loaded]))
"""


def run(source: str, build: str | None, cache: str) -> tuple[float, float, bool]:
    """Milliseconds by the clock and of processor time, and whether it had to be compiled."""
    environment = {**os.environ, "CUOX_CACHE_DIR": cache, "CUOX_CACHE": "1"}
    if build is not None:
        environment["PYTHONPATH"] = build
    done = subprocess.run(
        [sys.executable, "-c", CHILD, source], env=environment, capture_output=True, text=True, check=True
    )
    clock, processor, compiled = json.loads(done.stdout)
    return clock, processor, compiled


def main() -> None:
    builds = [os.path.abspath(folder) for folder in sys.argv[1:]] or [None]
    print(
        f"{platform.machine()}, Python {platform.python_version()}, {ROUNDS} processes each; median ms by the clock (least; of processor time)"
    )
    with tempfile.TemporaryDirectory() as folder:
        caches = [str(Path(folder, str(n))) for n in range(len(builds))]
        for title, source in SOURCES.items():
            kept: list[list[tuple[float, float]]] = [[] for _ in builds]
            first = []
            for build, cache in zip(builds, caches, strict=True):
                clock, _, compiled = run(source, build, cache)
                assert compiled, "an empty cache had it"
                first.append(clock)
            for _ in range(ROUNDS):
                for build, cache, into in zip(builds, caches, kept, strict=True):
                    clock, processor, compiled = run(source, build, cache)
                    assert not compiled, "nothing was kept"
                    into.append((clock, processor))
            for build, clock, figures in zip(builds, first, kept, strict=True):
                clocks, processors = zip(*figures, strict=True)
                cells = f"{statistics.median(clocks):.2f} ({min(clocks):.2f}; {statistics.median(processors):.2f})"
                print(f"{title:32} compiled {clock:6.0f}   kept {cells}   {build or ''}", flush=True)


if __name__ == "__main__":
    main()
