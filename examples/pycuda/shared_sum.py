"""The sum of an array: each block adds its part in shared memory, whose size the launch gives.

python examples/pycuda/shared_sum.py
"""

import cuox.pycuda.autoinit  # noqa: F401
import cuox.pycuda.driver as cuda
import numpy as np
from cuox.pycuda.compiler import SourceModule

sum_blocks = SourceModule("""
__global__ void sum_blocks(const int *values, int *sums, int n)
{
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? values[i] : 0;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}
""").get_function("sum_blocks")

threads, blocks = 256, 64
values = np.random.randint(-1000, 1000, threads * blocks - 100).astype(np.int32)
sums = np.empty(blocks, np.int32)
sum_blocks(
    cuda.In(values),
    cuda.Out(sums),
    np.int32(values.size),
    block=(threads, 1, 1),
    grid=(blocks, 1),
    shared=threads * values.itemsize,
)

assert sums.sum() == values.sum()
print(f"the sum of {values.size} values is {sums.sum()}: correct")
