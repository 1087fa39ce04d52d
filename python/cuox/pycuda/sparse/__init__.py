"""PyCUDA's sparse matrices, which cuox does not have: importing this module raises ImportError."""

raise ImportError(
    "cuox.pycuda.sparse is not supported, as PyCUDA itself has left it unmaintained. Use cupyx.scipy.sparse (pip install cupy), or cuSPARSE "
    "through cuox.bind, with GPUArrays as arguments"
)
