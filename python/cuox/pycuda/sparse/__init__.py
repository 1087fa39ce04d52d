"""PyCUDA's sparse matrices, which cuox does not have: importing this module raises ImportError."""

raise ImportError(
    "cuox.pycuda.sparse is not supported. Use cupyx.scipy.sparse of CuPy, or call cuSPARSE through cuox.bind with the addresses of GPUArrays (int(array.gpudata))"
)
