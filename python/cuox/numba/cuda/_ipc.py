"""Arrays of other processes."""

from __future__ import annotations

from typing import Any, Self

import cuox

from ._arrays import DeviceNDArray


class IpcArrayHandle:
    """A handle of an array that another process opens. It can be pickled."""

    def __init__(self, handle: bytes, offset: int, shape: Any, dtype: Any, strides: Any) -> None:
        self._handle, self._offset, self._shape, self._dtype, self._strides = handle, offset, shape, dtype, strides
        self._opened: Any = None

    @classmethod
    def of(cls, array: DeviceNDArray) -> Self:
        """The handle of an array."""
        from cuox.cuda.bindings import driver

        error, handle = driver.cuIpcGetMemHandle(array.ptr)
        if error or handle is None:
            raise cuox.CUDAError(f"cuIpcGetMemHandle: {error!r}", int(error), getattr(error, "name", ""), str(error))
        _, base, _ = driver.cuMemGetAddressRange(array.ptr)
        return cls(bytes(handle.reserved), array.ptr - int(base or 0), array.shape, array.dtype, array.strides)

    def open(self) -> DeviceNDArray:
        """The array, in this process."""
        from cuox.cuda.bindings import driver

        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        cuox.Device().set_current()
        handle = driver.CUipcMemHandle()
        handle.reserved = self._handle
        error, address = driver.cuIpcOpenMemHandle(handle, 1)
        if error:
            raise cuox.CUDAError(f"cuIpcOpenMemHandle: {error!r}", int(error), getattr(error, "name", ""), str(error))
        self._opened = address
        return open_array(int(address or 0) + self._offset, self._shape, self._dtype, self._strides)

    def close(self) -> None:
        """Give the memory back. The array must not be used any more."""
        from cuox.cuda.bindings import driver

        if self._opened is not None:
            cuox.Device().sync()
            driver.cuIpcCloseMemHandle(self._opened)
            self._opened = None

    def __enter__(self) -> DeviceNDArray:
        return self.open()

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        return (IpcArrayHandle, (self._handle, self._offset, self._shape, self._dtype, self._strides))


def open_array(address: int, shape: Any, dtype: Any, strides: Any) -> DeviceNDArray:
    """An array at an address."""
    import numpy as np

    from ._arrays import from_cuda_array_interface

    interface = {"shape": shape, "typestr": np.dtype(dtype).str, "descr": np.dtype(dtype).descr, "data": (address, False), "strides": strides, "version": 3}
    return from_cuda_array_interface(interface)
