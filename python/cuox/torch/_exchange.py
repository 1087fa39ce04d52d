"""`torch.from_dlpack` of cuox's buffers and arrays in device memory: tensors on `cuda`, as on a GPU.

DLPack knows the software GPU's memory as the host's, since other libraries could not use it otherwise.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.utils.dlpack

import cuox

_imported = torch.utils.dlpack.from_dlpack


def set_up() -> None:
    """Put `from_dlpack` in the place of PyTorch's."""
    torch.from_dlpack = torch.utils.dlpack.from_dlpack = from_dlpack


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Any:
    """Make a tensor of what has `__dlpack__`, as `torch.from_dlpack` does. Memory that only the device reaches is on
    `cuda` then, and PyTorch's current stream waits for what was written to it.
    """
    buffer = ext_tensor.buffer if isinstance(ext_tensor, cuox.Array) else ext_tensor
    if not isinstance(buffer, cuox.Buffer) or buffer.is_host_accessible:
        return _imported(ext_tensor, device=device, copy=copy)
    place = torch.device("cuda", buffer.device_id)
    if device is not None and torch.device(device) not in (place, torch.device("cuda")):
        raise BufferError(
            f"torch.from_dlpack: the memory is on {place}, not on {device}: move the tensor by .to({device!r})"
        )
    producer = ext_tensor.__cuda_array_interface__.get("stream")
    if producer:
        # Handles 1 and 2 are the default streams, of all threads and of each; the first waits for the second by itself.
        default = torch.cuda.default_stream(place)
        stream = default if producer <= 2 else torch.cuda.ExternalStream(producer, device=place)
        torch.cuda.current_stream(place).wait_stream(stream)
    tensor = torch.as_tensor(ext_tensor, device=place)
    return tensor.clone() if copy else tensor
