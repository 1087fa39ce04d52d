"""Compiling without launching, under the name that Numba's module has."""

from ._compile import compile as compile
from ._compile import compile_all as compile_all
from ._compile import compile_for_current_device as compile_for_current_device
from ._compile import compile_ptx as compile_ptx
from ._compile import compile_ptx_for_current_device as compile_ptx_for_current_device
from .dispatcher import Dispatcher as Dispatcher
