"""The parts of `cuox.pycuda.driver`, which is where their names are public."""
