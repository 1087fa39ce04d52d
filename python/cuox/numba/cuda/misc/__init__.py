"""What Numba keeps under this name."""
