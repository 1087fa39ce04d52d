"""Versions of CUDA."""

from __future__ import annotations

from .._devices import runtime as runtime

get_version = runtime.get_version
