"""The parts of `cuox.pycuda.driver`, which is where their names are public.

PyCUDA has its driver in a module of this name, in C++, which tracebacks name: `pycuda._driver.MemoryError`.
"""

from importlib.util import find_spec
from typing import Any


def __getattr__(name: str) -> Any:
    # A part is imported, and then is an attribute by itself.
    if not name.startswith("_") and find_spec(f"{__name__}.{name}") is None:
        from cuox.pycuda import driver

        if hasattr(driver, name):
            return getattr(driver, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
