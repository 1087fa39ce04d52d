"""The algorithms."""
