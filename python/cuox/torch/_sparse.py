"""Sparse tensors: those on the CPU are made of their parts on the device, and the other way round."""

from __future__ import annotations

from typing import Any

import torch

from . import _host

_ROWS = (torch.sparse_csr, torch.sparse_bsr)
_COLUMNS = (torch.sparse_csc, torch.sparse_bsc)


def _parts(tensor: Any) -> tuple[Any, ...]:
    if tensor.layout in _ROWS:
        return tensor.crow_indices(), tensor.col_indices(), tensor.values()
    if tensor.layout in _COLUMNS:
        return tensor.ccol_indices(), tensor.row_indices(), tensor.values()
    return tensor._indices(), tensor._values()


def _of_parts(like: Any, parts: tuple[Any, ...]) -> Any:
    with torch.sparse.check_sparse_tensor_invariants(False):
        if like.layout is torch.sparse_coo:
            made = torch.sparse_coo_tensor(*parts, size=like.shape, check_invariants=False)
            return made._coalesced_(like.is_coalesced())
        return torch.sparse_compressed_tensor(*parts, size=like.shape, layout=like.layout, check_invariants=False)


def _known(tensor: Any) -> None:
    if tensor.layout is not torch.sparse_coo and tensor.layout not in (*_ROWS, *_COLUMNS):
        raise NotImplementedError(f"cuox.torch: tensors of {tensor.layout} do not run on the software GPU")


def host(tensor: Any) -> Any:
    """A sparse tensor on the CPU whose parts share the memory of those on the device."""
    _known(tensor)
    return _of_parts(tensor, tuple(_host.host(one) for one in _parts(tensor)))


def to_device(result: Any, device: Any) -> Any:
    """A sparse tensor on the device with copies of a result's parts."""
    _known(result)
    return _of_parts(result, tuple(_host.to_device(one, device) for one in _parts(result)))


def update(tensor: Any, alias: Any) -> None:
    """Give a sparse tensor on the device the parts that an operation in place has given its alias."""
    if tensor.layout is torch.sparse_coo and alias.layout is torch.sparse_coo:
        made = to_device(alias, tensor.device)
        tensor.sparse_resize_and_clear_(made.shape, made.sparse_dim(), made.dense_dim())
        torch.ops.aten.copy_sparse_to_sparse_(tensor, made)
        tensor._coalesced_(alias.is_coalesced())
