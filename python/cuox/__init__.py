"""CUDA from Python on Linux x86-64: NVIDIA GPUs where there are some, a software GPU where there are none.

    import cuox

    device = cuox.Device()
    device.set_current()
    program = cuox.Program(source, code_type="c++")
    kernel = program.compile("ptx").get_kernel("saxpy")
    cuox.launch(device.default_stream, cuox.LaunchConfig(grid=4, block=256), kernel, 2.0, x, y, 1000)

`CUOX_DEVICE` is `auto` (the default: a GPU if there is one), `gpu` or `soft`. `cuox info` says what was chosen and why.
The same names are in `cuox.cuda.core`.

`bind` and `load` call C libraries: a header is enough, and a call costs what a hand-written extension's does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    try:
        from cuox_bind import Library, bind, load
        from cuox_bind._internal import loading
    except ModuleNotFoundError as _error:
        if _error.name != "cuox_bind":
            raise
        raise ImportError("cuox needs cuox-bind, which is not installed: install both from one release") from _error
    try:
        loading.check_module(__file__)
        from . import _native
    except ImportError as _error:
        _remedy = "install cuox again: `pip install --force-reinstall .` in a clone"
        raise ImportError(loading.complaint(_error, "cuox", __file__, _remedy)) from _error
except ImportError as _error:
    from ._internal.doctor import unloadable

    unloadable.tell(_error)
    raise

from ._internal import api
from ._internal.api import *  # noqa: F403
from ._internal.errors import BindError, CallError
from ._internal.kernel_errors import GeneratedCodeError, KernelSourceError, KernelTypeError
from ._native import (
    as_array,
    choose_device,
    empty,
    empty_like,
    from_dlpack,
    full,
    full_like,
    launch,
    to_device,
    unordered,
    zeros,
    zeros_like,
)

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from . import cuda  # noqa: F401

__all__ = [  # noqa: PLE0604
    *api.__all__,
    "BindError",
    "CallError",
    "GeneratedCodeError",
    "KernelSourceError",
    "KernelTypeError",
    "Library",
    "bind",
    "load",
]


def _set_up() -> None:
    import os

    import cuox_bind
    from cuox_bind._internal.packages import SITE_PACKAGES

    _native._set_up(os.path.dirname(os.path.abspath(__file__)), SITE_PACKAGES)
    # Messages name the place that users of this package know.
    for name in cuox_bind.__all__:
        found = getattr(cuox_bind, name)
        if hasattr(found, "__module__"):
            found.__module__ = "cuox"


_set_up()
for _function in (
    *(as_array, choose_device, empty, empty_like, from_dlpack, full, full_like),
    *(launch, to_device, unordered, zeros, zeros_like),
):
    _function.__module__ = "cuox"
del _function, _set_up, api, loading


def __getattr__(name: str) -> ModuleType:
    # `cuox.cuda` without an import of its own, which few programs need.
    if name == "cuda":
        import importlib

        return importlib.import_module("cuox.cuda")
    raise AttributeError(f"module 'cuox' has no attribute {name!r}")


def load_ipython_extension(ipython: Any) -> None:
    """Register the cell magic `%%cuda`: what IPython calls for `%load_ext cuox`."""
    from ._internal.notebook import load

    load(ipython)
