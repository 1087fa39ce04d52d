"""PyCUDA's first example: a product of two arrays, with `Out` and `In`.

python examples/pycuda/hello_gpu.py
"""

import cuox.pycuda.autoinit  # noqa: F401
import cuox.pycuda.driver as drv
import numpy
from cuox.pycuda.compiler import SourceModule

mod = SourceModule("""
__global__ void multiply_them(float *dest, float *a, float *b)
{
    const int i = threadIdx.x;
    dest[i] = a[i] * b[i];
}
""")
multiply_them = mod.get_function("multiply_them")

a = numpy.random.randn(400).astype(numpy.float32)
b = numpy.random.randn(400).astype(numpy.float32)
dest = numpy.zeros_like(a)
multiply_them(drv.Out(dest), drv.In(a), drv.In(b), block=(400, 1, 1))

assert (dest == a * b).all()
print("400 products: correct")
