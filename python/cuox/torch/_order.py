"""The order of operations: behind the work of PyTorch's current stream."""

from __future__ import annotations

import ctypes

import torch

from cuox._internal import links

# Quick functions hold the GIL; what waits releases it, since the work that it waits for may need it.
_quick = ctypes.PyDLL(str(links.library(links.DRIVER)))
_query = _quick.cuStreamQuery
_query.argtypes = [ctypes.c_void_p]
_raw_stream = torch._C._cuda_getCurrentRawStream
_current_device = torch._C._cuda_getDevice
_SEVERAL = torch.cuda.device_count() > 1


def wait(device: int) -> None:
    """Wait for the work in the device's current stream, if there is any."""
    stream = _raw_stream(device)
    # A default stream is 0 on each device: the driver takes it for the current one's.
    if _query(stream) or (_SEVERAL and not stream and device != _current_device()):
        # Raises what a kernel before has failed with, as any later call does on a GPU.
        torch.cuda.current_stream(device).synchronize()
