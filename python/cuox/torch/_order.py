"""The order of operations: behind the work of PyTorch's current stream."""

from __future__ import annotations

import ctypes

import torch

from cuox._internal import links

# Quick functions hold the GIL; what waits releases it, since the work that it waits for may need it. The runtime gives
# a thread that has none yet, such as those that compute gradients, its context.
_quick = ctypes.PyDLL(str(links.library(links.RUNTIME)))
_query = _quick.cudaStreamQuery
_query.argtypes = [ctypes.c_void_p]
_NOT_READY = 600  # cudaErrorNotReady
_raw_stream = torch._C._cuda_getCurrentRawStream
_current_device = torch._C._cuda_getDevice
_SEVERAL = torch.cuda.device_count() > 1


def wait(device: int) -> None:
    """Wait for the work in the device's current stream, if there is any."""
    stream = _raw_stream(device)
    status = _query(stream)
    if status:
        if status == _NOT_READY:
            _quick.cudaGetLastError()  # forget it: no call of the program's has failed
    # A default stream is 0 on each device: the runtime takes it for the current one's.
    elif stream or not _SEVERAL or device == _current_device():
        return
    # Raises what a kernel before has failed with, as any later call does on a GPU.
    torch.cuda.current_stream(device).synchronize()
