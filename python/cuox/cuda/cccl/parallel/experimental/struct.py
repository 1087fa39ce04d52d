"""Structures."""

from ....compute import gpu_struct as gpu_struct
