"""Arrays of other processes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Self

from ._arrays import DeviceNDArray
from ._devices import current_context
from ._pointers import IpcHandle, _Reserved


class IpcArrayHandle:
    """A handle of an array that another process opens: `array.get_ipc_handle()`. It can be pickled."""

    def __init__(self, ipc_handle: Any, array_desc: dict[str, Any]) -> None:
        self._ipc_handle = ipc_handle
        self._array_desc = array_desc

    @classmethod
    def of(cls, array: DeviceNDArray) -> Self:
        """The handle of an array."""
        handle = current_context().get_ipc_handle(array.gpu_data)
        return cls(handle, {"shape": array.shape, "strides": array.strides, "dtype": array.dtype})

    def open(self) -> DeviceNDArray:
        """The array, in this process. Raises ValueError if it is open."""
        memory = self._ipc_handle.open(current_context())
        return open_array(
            memory.device_pointer, self._array_desc["shape"], self._array_desc["dtype"], self._array_desc["strides"]
        )

    def close(self) -> None:
        """Give the memory back. The array must not be used any more."""
        self._ipc_handle.close()

    def __enter__(self) -> DeviceNDArray:
        return self.open()

    def __exit__(self, *error: object) -> None:
        self.close()


@contextlib.contextmanager
def open_ipc_array(
    handle: Any, shape: Any, dtype: Any, strides: Any = None, offset: int = 0
) -> Iterator[DeviceNDArray]:
    """A `with` block with the array of another process. handle: the bytes of its `CUipcMemHandle`."""
    import numpy as np

    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    opened = IpcHandle(None, _Reserved(bytes(handle)), size, offset=offset)
    yield opened.open_array(current_context(), shape, dtype, strides)
    opened.close()


def open_array(address: int, shape: Any, dtype: Any, strides: Any) -> DeviceNDArray:
    """An array at an address."""
    import numpy as np

    from ._arrays import from_cuda_array_interface

    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    strides = (strides,) if isinstance(strides, (int, np.integer)) else strides
    interface = {
        "shape": shape,
        "typestr": np.dtype(dtype).str,
        "descr": np.dtype(dtype).descr,
        "data": (address, False),
        "strides": strides,
        "version": 3,
    }
    return from_cuda_array_interface(interface)
