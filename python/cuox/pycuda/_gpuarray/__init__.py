"""The parts of `cuox.pycuda.gpuarray`."""
