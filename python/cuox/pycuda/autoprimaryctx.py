"""Starts the driver and makes the primary context current when it is imported; the context is given up at exit.

`context` is that context, `device` its device. `CUDA_DEVICE` in the environment, or a file `.cuda_device` in the home directory,
choose the device; else it is device 0.
"""

from __future__ import annotations

import atexit

from . import driver
from ._driver.start import make_default_context

driver.init()
context: driver.Context | None = make_default_context()
device: driver.Device = driver.Context.get_device()


def _finish_up() -> None:
    global context
    if context is not None:
        context = None
        # The program may have popped it, or its own context may be on top: the driver takes the stack down with the process.
        try:
            if driver.Context.get_current() is not None:
                driver.Context.pop()
        except driver.Error:
            # The driver does not work in a process that was forked off, and has nothing to give up there.
            pass


atexit.register(_finish_up)
