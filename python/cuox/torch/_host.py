"""Tensors on the CPU that share the memory of tensors on the software GPU, and the way back of results.

The software GPU's memory is memory of this process. A tensor's storage gets one storage on the CPU over the same bytes,
which it keeps as an attribute, so that tensors that share a storage do so on the CPU too: PyTorch's kernels look
whether what they write overlaps what they read.
"""

from __future__ import annotations

import ctypes
from typing import Any

import torch

_CPU = torch.device("cpu")
_storage_over = torch._C._construct_storage_from_data_pointer
_set_conj, _set_neg = torch._C._set_conj, torch._C._set_neg


class _Shared:
    """A storage on the CPU over the bytes of one on the device, and a flat tensor of it for each dtype."""

    __slots__ = ("address", "flat", "size", "storage")

    def __init__(self, address: int, size: int) -> None:
        self.address, self.size = address, size
        self.storage = _storage_over(address, _CPU, size)
        self.flat: dict[Any, Any] = {}

    def of_dtype(self, dtype: Any) -> Any:
        flat = torch.empty(0, dtype=dtype, device=_CPU)
        flat.set_(self.storage, 0, (self.size // dtype.itemsize,), (1,))
        self.flat[dtype] = flat
        return flat


def host(tensor: Any) -> Any:
    """A tensor on the CPU with the bytes, shape and strides of a strided tensor on the device."""
    storage = tensor.untyped_storage()
    address = storage.data_ptr()
    try:
        shared = storage._cuox_shared
        if shared.address != address or shared.size != storage.nbytes():
            raise AttributeError
    except AttributeError:
        shared = storage._cuox_shared = _Shared(address, storage.nbytes())
    dtype = tensor.dtype
    flat = shared.flat.get(dtype)
    if flat is None:
        flat = shared.of_dtype(dtype)
    alias = flat.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
    if dtype.is_complex and tensor.is_conj():
        _set_conj(alias, True)
    if tensor.is_neg():
        _set_neg(alias, True)
    return alias


def to_device(result: Any, device: Any) -> Any:
    """A new tensor on the device with the bytes, shape and strides of a result on the CPU."""
    if result.is_conj() or result.is_neg():
        result = result.resolve_conj().resolve_neg()
    made = torch.empty_strided(result.shape, result.stride(), dtype=result.dtype, device=device)
    if result._is_zerotensor():
        made.zero_()
    elif result.numel():
        first = result.data_ptr()
        ctypes.memmove(made.data_ptr(), first, made.untyped_storage().nbytes())
    return made
