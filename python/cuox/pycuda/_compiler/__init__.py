"""The parts behind `cuox.pycuda.compiler`."""
