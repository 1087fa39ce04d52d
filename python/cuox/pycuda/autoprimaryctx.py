"""Starts the driver and makes the primary context current when it is imported; the context is given up at exit.

`context` is that context, `device` its device. `CUDA_DEVICE` in the environment, or a file `.cuda_device` in the home
directory, choose the device; else it is device 0.
"""

from __future__ import annotations

from ._driver.start import start

context, device = start()
