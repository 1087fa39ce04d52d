"""PyCUDA's tutorial: an array is doubled on the device, in three ways.

python examples/pycuda/tutorial.py
"""

import cuox.pycuda.autoinit  # noqa: F401
import cuox.pycuda.driver as cuda
import numpy
from cuox.pycuda.compiler import SourceModule

a = numpy.random.randn(4, 4).astype(numpy.float32)
a_gpu = cuda.mem_alloc(a.nbytes)
cuda.memcpy_htod(a_gpu, a)

mod = SourceModule("""
__global__ void doublify(float *a)
{
    int idx = threadIdx.x + threadIdx.y * 4;
    a[idx] *= 2;
}
""")

func = mod.get_function("doublify")
func(a_gpu, block=(4, 4, 1))

a_doubled = numpy.empty_like(a)
cuda.memcpy_dtoh(a_doubled, a_gpu)
assert (a_doubled == 2 * a).all()

# Copies there and back that the call makes.
b = a.copy()
func(cuda.InOut(b), block=(4, 4, 1))
assert (b == 2 * a).all()

# A prepared call.
func.prepare("P")
func.prepared_call((1, 1), (4, 4, 1), a_gpu)
cuda.memcpy_dtoh(a_doubled, a_gpu)
assert (a_doubled == 4 * a).all()
print("doubled three times: correct")
