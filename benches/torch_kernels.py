"""Kernels of one's own in PyTorch: `cuox.torch` beside `torch.cuda._compile_kernel` and an operator of a C++ extension.

    OMP_NUM_THREADS=1 python benches/torch_kernels.py    # CUOX_DEVICE=gpu, or soft

Compiling, each time a source that is new: until the kernel has run. Calls: microseconds of the calling thread, with
room in the stream. The extension is compiled with g++ (a minute); its row is left out without. Needs PyTorch's CUDA
build.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCALE = r"""
extern "C" __global__ void scale(const float *x, float factor, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * factor;
}
"""
# The parameter is a double for PyTorch's own, which passes a Python float as one.
SCALE_DOUBLE = SCALE.replace("float factor", "double factor")
NOTHING = r"""
extern "C" __global__ void none() {}
extern "C" __global__ void reads(const float *, const float *, const float *, const float *, const float *, const float *, const float *, const float *) {}
extern "C" __global__ void writes(float *, float *, float *, float *, float *, float *, float *, float *) {}
"""
CALLS, ROUNDS = 200, 30


def milliseconds(call: Callable[[str], Any], times: int = 7) -> float:
    """The median time of a call with a text that is new each time."""
    taken = []
    for _ in range(times):
        text = f"// {uuid.uuid4()}\n"
        started = time.perf_counter()
        call(text)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1e3


def microseconds(call: Callable[[], Any], synchronize: Callable[[], Any]) -> float:
    """The time of a call: the least of several rounds, each with few enough calls for the stream's queue."""
    best = float("inf")
    for _ in range(ROUNDS):
        synchronize()
        started = time.perf_counter()
        for _ in range(CALLS):
            call()
        best = min(best, time.perf_counter() - started)
    synchronize()
    return best / CALLS * 1e6


def extension(folder: str) -> bool:
    """Build the C++ extension and load its operators. False if there is no compiler, or it fails."""
    import torch
    from cuox._internal import toolkit
    from torch.utils import cpp_extension

    compiler = shutil.which("g++")
    if compiler is None:
        return False
    made = toolkit.variables()
    library = f"{folder}/torch_kernels.so"
    ended = subprocess.run(
        [
            compiler,
            "-O3",
            "-std=c++20",
            "-shared",
            "-fPIC",
            str(Path(__file__).with_suffix(".cpp")),
            *(f"-I{path}" for path in cpp_extension.include_paths()),
            *(f"-L{path}" for path in cpp_extension.library_paths()),
            *("-lc10", "-lc10_cuda", "-ltorch", "-ltorch_cpu", "-ldl", "-o", library),
        ],
        env={**os.environ, **{name: made[name] for name in ("CPATH",) if name in made}},
        capture_output=True,
        text=True,
    )
    if ended.returncode:
        print(ended.stderr[-2000:], file=sys.stderr)
        return False
    torch.ops.load_library(library)
    return True


def compile_rows() -> None:
    import cuox.torch
    import torch

    x, y = torch.ones(1000, device="cuda"), torch.empty(1000, device="cuda")

    def ours(text: str) -> None:
        kernel = cuox.torch.compile_kernel(text + SCALE, "scale")
        kernel[4, 256](x, 2.0, y, 1000)
        torch.cuda.synchronize()

    def loaded(text: str) -> None:
        cuox.torch.load_inline("bench", cuda_sources=text + SCALE).scale[4, 256](x, 2.0, y, 1000)
        torch.cuda.synchronize()

    def theirs(text: str) -> None:
        kernel = torch.cuda._compile_kernel(text + SCALE_DOUBLE, "scale")
        kernel(grid=(4, 1, 1), block=(256, 1, 1), args=[x, 2.0, y, 1000])
        torch.cuda.synchronize()

    ours(f"// first {uuid.uuid4()}\n")  # NVRTC is loaded
    print(f"{'':44} {'new, ms':>9} {'again, ms':>10}")
    for name, call in (
        ("cuox.torch.compile_kernel", ours),
        ("cuox.torch.load_inline", loaded),
        ("torch.cuda._compile_kernel", theirs),
    ):
        try:
            call("// warm\n")
            print(f"{name:44} {milliseconds(call):9.1f} {milliseconds(lambda _, call=call: call('// warm')):10.2f}")
        except Exception as error:
            print(f"{name:44} {str(error).splitlines()[0][:60]}")


def call_rows(has_extension: bool) -> None:
    import cuox.torch
    import torch

    x, y = torch.ones(1000, device="cuda"), torch.empty(1000, device="cuda")
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    handle = kernel.on().handle
    operator = cuox.torch.register(
        kernel,
        "cuox_bench::scale(Tensor x, float factor) -> Tensor",
        out=lambda x, factor: torch.empty_like(x),
        grid=lambda x, factor: (x.numel() + 255) // 256,
        block=256,
        args=lambda x, factor, y: (x, factor, y, x.numel()),
    )
    configured = kernel[4, 256]
    rows: dict[str, Callable[[], Any]] = {
        "kernel[grid, block](x, factor, y, n)": lambda: kernel[4, 256](x, 2.0, y, 1000),
        "the same, configured before": lambda: configured(x, 2.0, y, 1000),
        "kernel(grid=, block=, args=[...])": lambda: kernel((4, 1, 1), (256, 1, 1), [x, 2.0, y, 1000]),
        "operator of cuox.torch.register": lambda: operator(x, 2.0),
        "torch.empty_like(x), which is part of it": lambda: torch.empty_like(x),
    }
    try:
        theirs = torch.cuda._compile_kernel(SCALE_DOUBLE, "scale")
        rows["torch.cuda._compile_kernel"] = lambda: theirs((4, 1, 1), (256, 1, 1), [x, 2.0, y, 1000])
    except Exception as error:
        print(f"torch.cuda._compile_kernel: {str(error).splitlines()[0][:70]}")
    if has_extension:
        into, new = torch.ops.torch_kernels.scale_out.default, torch.ops.torch_kernels.scale.default
        rows["C++ extension: torch.ops, with y"] = lambda: into(x, 2.0, y, handle)
        rows["C++ extension: torch.ops, y is new"] = lambda: new(x, 2.0, handle)
    print(f"\n{'':44} {'µs':>9}")
    for name, call in rows.items():
        print(f"{name:44} {microseconds(call, torch.cuda.synchronize):9.2f}")


def argument_rows() -> None:
    import cuox.torch
    import torch

    nothing = cuox.torch.load_inline("nothing", cuda_sources=NOTHING)
    tensors = [torch.zeros(4, device="cuda") for _ in range(8)]
    launches = {name: nothing[name][1, 1] for name in ("none", "reads", "writes")}
    taken = {
        name: microseconds(lambda one=one, given=() if name == "none" else tensors: one(*given), torch.cuda.synchronize)
        for name, one in launches.items()
    }
    print(f"\n{'':44} {'ns':>9}")
    for name in ("reads", "writes"):
        print(f"a tensor that the kernel {name:19} {(taken[name] - taken['none']) / 8 * 1e3:9.0f}")
    numbers, arrays = in_python(*[1] * 8), in_python(*tensors)
    print(f"{'a tensor for a kernel in Python':44} {(arrays - numbers) / 8 * 1e3:9.0f}")


def in_python(*arguments: Any) -> float:
    """Microseconds for a launch of a kernel in Python with these arguments."""
    import torch
    from cuox.numba import cuda

    @cuda.jit
    def nothing(a, b, c, d, e, f, g, h):
        pass

    launch = nothing[1, 1]
    launch(*arguments)
    return microseconds(lambda: launch(*arguments), torch.cuda.synchronize)


def main() -> int:
    if importlib.util.find_spec("torch") is None:
        print("skipped: needs PyTorch's CUDA build")
        return 0
    import cuox.torch
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    device = "software GPU" if cuox.torch.is_active() else torch.cuda.get_device_name()
    print(f"{device}, PyTorch {torch.__version__}, Python {sys.version.split()[0]}\n")
    with tempfile.TemporaryDirectory() as folder:
        has_extension = extension(folder)
        compile_rows()
        call_rows(has_extension)
        argument_rows()
    return 0


if __name__ == "__main__":
    sys.exit(main())
