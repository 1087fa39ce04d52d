"""Modules of PTX, as Numba's driver shows them."""

from __future__ import annotations

from typing import Any

import cuox

from ._devices import checked, require_current


class Module:
    """PTX or a cubin that is loaded."""

    def __init__(self, image: Any) -> None:
        require_current()
        self._code = cuox.ObjectCode.from_ptx(image)
        self._functions: dict[str, Function] = {}

    def get_function(self, name: str) -> Function:
        """A kernel of the module."""
        return self._functions.setdefault(name, Function(self._code.get_kernel(name), name))

    def unload(self) -> None:
        """The code goes when nothing uses it any more."""
        self._functions.clear()


class Function:
    """A kernel."""

    def __init__(self, kernel: Any, name: str) -> None:
        self.kernel = kernel
        self.name = name

    @property
    def handle(self) -> int:
        """The `CUfunction`."""
        return int(checked("cuKernelGetFunction", self.kernel.handle))

    def cache_config(self, prefer_equal: bool = False, prefer_cache: bool = False, prefer_shared: bool = False) -> None:
        """Say what the memory of a multiprocessor is for. Driver API manual, `cuFuncSetCacheConfig`."""
        preference = (
            3 if prefer_equal or (prefer_cache and prefer_shared) else 2 if prefer_cache else 1 if prefer_shared else 0
        )
        checked("cuFuncSetCacheConfig", self.handle, preference)

    def set_shared_memory_carveout(self, carveout: int) -> None:
        """Say what part of a multiprocessor's memory is to be shared memory, in percent; -1 for the driver's choice."""
        if not -1 <= carveout <= 100:
            raise ValueError(f"carveout must be between -1 and 100, got {carveout}")
        checked("cuFuncSetAttribute", self.handle, 9, carveout)
