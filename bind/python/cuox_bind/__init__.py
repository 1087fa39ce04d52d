"""C libraries from Python: `bind` with a header, `load` without one.

    import cuox_bind

    zlib = cuox_bind.bind("z", headers=["zlib.h"])
    zlib.crc32(0, b"hello", 5)

This is what `cuox.bind` and `cuox.load` are, by itself: modules that `python -m cuox_bind` has written need nothing
else. What CUDA needs, such as `.cu` files and the CUDA runtime, the package `cuox` has.
"""

from __future__ import annotations

from ._internal import loading

try:
    loading.check_module(__file__)
    from . import _native
except ImportError as _error:
    _said = loading.complaint(_error, "cuox_bind", __file__, "install cuox-bind again")
    raise ImportError(_said) from _error
from ._internal.bind import bind, load
from ._internal.errors import BindError, CallError, CompileError, NotFoundError
from ._internal.packages import SITE_PACKAGES
from ._native import ArrayView, Callback, CArray, CValue, Handle, Library, Pointer, Record, __version__

__all__ = [
    "ArrayView",
    "BindError",
    "CArray",
    "CValue",
    "CallError",
    "Callback",
    "CompileError",
    "Handle",
    "Library",
    "NotFoundError",
    "Pointer",
    "Record",
    "__version__",
    "bind",
    "load",
]

_native._set_site_packages(SITE_PACKAGES)
for _function in (bind, load):
    _function.__module__ = "cuox_bind"
del _function, SITE_PACKAGES, loading
