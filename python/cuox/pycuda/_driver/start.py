"""The choice of a device for programs that name none."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from pathlib import Path

from .context import Context
from .device import Device
from .errors import Error, RuntimeError

__all__ = ["make_default_context", "start"]


def start() -> tuple[Context, Device]:
    """Start the driver, make a default context current until the program ends, and return the context and its
    device."""
    # `driver` imports this module.
    from ..driver import init

    init()
    context = make_default_context()
    atexit.register(_give_up)
    return context, Context.get_device()


def _give_up() -> None:
    # The program may have popped it, or its own context may be on top: the driver takes the stack down with the
    # process.
    try:
        if Context.get_current() is not None:
            Context.pop()
    except Error:
        # The driver does not work in a process that was forked off, and has nothing to give up there.
        pass


def _chosen() -> tuple[str, str] | None:
    """Returns the number of a device as text, and where it is from."""
    text = os.environ.get("CUDA_DEVICE")
    if text is not None:
        return text, "the environment variable CUDA_DEVICE"
    try:
        path = Path.home() / ".cuda_device"
        return path.read_text().strip(), str(path)
    except (OSError, RuntimeError):  # no such file, or a user without a home
        return None


def make_default_context(ctx_maker: Callable[[Device], Context] | None = None) -> Context:
    """Make a context on the device that `CUDA_DEVICE` or `~/.cuda_device` names, else on the first one that works, and
    make it current.

    ctx_maker: makes the context of a device; None is `Device.make_context`.

    Raises RuntimeError if there is no such device.
    """
    make = ctx_maker or Device.make_context
    count = Device.count()
    if not count:
        raise RuntimeError(
            "make_default_context: no device was found",
            100,
            "CUDA_ERROR_NO_DEVICE",
            "no CUDA-capable device is detected",
        )
    chosen = _chosen()
    if chosen is not None:
        text, where = chosen
        if not text.isdigit() or int(text) >= count:
            raise RuntimeError(f"make_default_context: {where} must be a number from 0 to {count - 1}, got {text!r}")
        return make(Device(int(text)))
    last: Error | None = None
    for ordinal in range(count):
        try:
            return make(Device(ordinal))
        except Error as error:
            last = error
    raise RuntimeError(f"make_default_context: none of {count} devices can be used: {last}")
