"""Settings and errors, under the names that Numba has for them."""
