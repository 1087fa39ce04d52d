"""The CUDA driver, as `pycuda.driver` has it: devices and contexts, memory and copies, streams, modules and launches.

    import cuox.pycuda.autoinit
    import cuox.pycuda.driver as cuda

Names, arguments and defaults are PyCUDA's. Every device has one context, its primary one, which cuox's own objects and
other libraries use too. docs/pycuda.md says what differs.
"""

from __future__ import annotations

from ._driver.arguments import *
from ._driver.boxes import *
from ._driver.context import *
from ._driver.copies import *
from ._driver.device import *
from ._driver.enums import *
from ._driver.errors import *
from ._driver.functions import *
from ._driver.memory import *
from ._driver.modules import *
from ._driver.pagelocked import *
from ._driver.pools import *
from ._driver.profiler import *
from ._driver.streams import *
from ._driver.textures import *

CUDA_DEBUGGING = False
"""True after `set_debugging`: modules are then compiled with line numbers for debuggers."""


def set_debugging(flag: bool = True) -> None:
    """Say whether modules are compiled for a debugger."""
    global CUDA_DEBUGGING
    CUDA_DEBUGGING = flag


def _show_as_own() -> None:
    """Let tracebacks and messages name the classes as programs do: `cuox.pycuda.driver.LogicError`."""
    for value in list(globals().values()):
        if isinstance(value, type) and value.__module__.startswith("cuox.pycuda._driver."):
            value.__module__ = __name__


_show_as_own()
