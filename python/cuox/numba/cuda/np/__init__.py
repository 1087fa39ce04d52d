"""NumPy's types and Numba's, under the names that Numba has for them."""
