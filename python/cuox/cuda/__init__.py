"""CUDA Python's packages under their familiar names: put `cuox.` in front of the import."""
