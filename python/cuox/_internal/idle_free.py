"""Freeing what the driver frees only when its device is idle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from cuox._internal.errors import CUDAError
from cuox._native import Device


def wait_for(devices: Sequence[Device]) -> None:
    """Wait for all work of devices."""
    for device in devices:
        # What has failed is over, and reported to whom it belongs.
        with suppress(CUDAError):
            device.sync()


def free_when_idle(devices: Sequence[Device], free: Callable[[], None]) -> None:
    """Wait for the work of devices, then call `free`.

    Ctrl-C ends the wait: its exception comes out, and a thread goes on with both, which keeps no process from ending.
    """
    try:
        wait_for(devices)
    except BaseException:
        with suppress(RuntimeError):  # the interpreter ends, and starts no thread any more

            def later() -> None:
                with suppress(Exception):
                    wait_for(devices)
                    free()

            threading.Thread(target=later, name="cuox-free-when-idle", daemon=True).start()
        raise
    free()
