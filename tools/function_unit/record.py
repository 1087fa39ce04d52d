"""Records what a GPU's function unit gives, for derive.py: python record.py FOLDER (needs cupy and a GPU).

FOLDER/FUNCTION.npz holds `x` and `r`, the bits of operands and results.
"""

import sys

import cupy
import numpy

FUNCTIONS = ["rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "cos", "tanh"]
KERNEL = r"""
extern "C" __global__ void FUNCTION_kernel(unsigned base, unsigned step, unsigned count, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, r;
    if (i >= count) return;
    asm("FUNCTION.approx.f32 %0, %1;" : "=r"(r) : "r"(base + i * step));
    out[i] = r;
}
"""
BINADE = 1 << 23

module = cupy.RawModule(code="".join(KERNEL.replace("FUNCTION", f) for f in FUNCTIONS))


def record(function, ranges):
    """Operands and results of the binades [2^k, 2^(k+1)), every `step`-th number of them."""
    kernel = module.get_function(f"{function}_kernel")
    operands, results = [], []
    for k, step in ranges:
        base, count = (k + 127) << 23, BINADE // step
        out = cupy.zeros(count, cupy.uint32)
        sizes = (numpy.uint32(base), numpy.uint32(step), numpy.uint32(count))
        kernel((count // 256,), (256,), (*sizes, out))
        operands.append(numpy.uint32(base) + numpy.arange(count, dtype=numpy.uint32) * numpy.uint32(step))
        results.append(out.get())
    return numpy.concatenate(operands), numpy.concatenate(results)


angles = [(k, 4) for k in range(-3, 5)] + [(k, 64) for k in range(-29, -3)]
ranges = {
    "rcp": [(0, 1)],
    "rsqrt": [(0, 1), (1, 1)],
    "sqrt": [(0, 1), (1, 1)],
    "ex2": [(0, 1)],
    "lg2": [(0, 1)],
    "sin": angles,
    "cos": angles,
    "tanh": [(k, 4) for k in range(-8, 3)],
}
for function in FUNCTIONS:
    x, r = record(function, ranges[function])
    numpy.savez_compressed(f"{sys.argv[1]}/{function}.npz", x=x, r=r)
