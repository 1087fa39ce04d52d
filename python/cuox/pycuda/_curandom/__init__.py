"""The parts behind `cuox.pycuda.curandom`."""
