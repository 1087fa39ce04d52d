"""The device of the tests: what it is, waiting for it, and making it usable again."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import subprocess
import sys
from dataclasses import dataclass

# Asked in a process of its own: a process that has opened a GPU's driver cannot fork children that use it.
_QUESTION = """
import json
import os
from cuox import _native
report = _native.choice_report()
text = report["reason"]
if report["chosen"]:
    text = ", ".join(sorted({device.name for device in _native.Device.get_all_devices()})) + f" ({text})"
print(json.dumps([report["chosen"], text]))
"""


@dataclass(frozen=True)
class Found:
    """The device: `gpu`, `soft`, or `none` where there is no device; and a text for people."""

    kind: str
    text: str


@functools.cache
def describe() -> Found:
    """Describe the device that cuox chooses."""
    try:
        said = subprocess.run(
            [sys.executable, "-P", "-c", _QUESTION], capture_output=True, text=True, timeout=120, check=True
        )
        kind, text = json.loads(said.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        return Found("none", f"no device can be asked for: {type(error).__name__}; `cuox doctor` tells more")
    return Found(kind or "none", text)


def _driver() -> ctypes.CDLL | None:
    """The driver, if this thread has a context."""
    from cuox import _native

    context = ctypes.c_void_p()
    try:
        driver = ctypes.CDLL(os.fspath(_native.driver_path()))
    except (OSError, RuntimeError):
        return None
    return None if driver.cuCtxGetCurrent(ctypes.byref(context)) or not context.value else driver


def _status() -> int:
    """What `cuCtxSynchronize` says of this thread's context; 0 if there is none."""
    driver = _driver()
    return 0 if driver is None else int(driver.cuCtxSynchronize())


def wait() -> None:
    """Wait for the kernels of this thread's device. Raises what they have failed with."""
    __tracebackhide__ = True
    if _driver() is None:
        return
    import cuox

    cuox.Device().sync()  # its errors explain themselves, and Ctrl-C ends it
    if code := _status():
        raise cuox.CUDAError(f"a kernel of this test has failed with the error {code} of the CUDA driver", code)


def make_usable() -> str:
    """Reset a device that a fault has made unusable; return what was done, or nothing."""
    if not (code := _status()):
        return ""
    import cuox

    try:
        cuox.Device().reset()
    except (cuox.CUDAError, BufferError) as error:
        return f"the device stays unusable for the tests that follow (error {code}): {error}"
    if again := _status():
        return f"the device stays unusable for the tests that follow (error {again})"
    return f"the device was reset after the error {code}: what fixtures had there is gone"
