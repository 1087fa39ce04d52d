"""The driver's codes and attributes by their names: `CUDA_ERROR_NOT_READY`, `CU_DEVICE_ATTRIBUTE_WARP_SIZE`."""

from __future__ import annotations

import enum

from cuox.cuda.bindings import driver


def __getattr__(name: str) -> int:
    if name.startswith(("CU_", "CUDA_")):
        # Enumerations are made when they are first asked for.
        for kind in (getattr(driver, one) for one in dir(driver) if one.startswith("CU")):
            if isinstance(kind, type) and issubclass(kind, enum.IntEnum) and name in kind.__members__:
                return int(kind[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
