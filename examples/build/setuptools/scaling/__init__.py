"""Multiplies numbers on the device."""

from ._scaling import scale

__all__ = ["scale"]
