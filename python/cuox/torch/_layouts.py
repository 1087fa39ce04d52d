"""Operators whose results PyTorch's kernels for CUDA lay out otherwise than those for the CPU.

`torch.compile` relies on CUDA's layouts, which fake tensors have. Each function here takes tensors on the CPU, which
share the memory of those on the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_aten = torch.ops.aten


def _convolution(*args: Any, **kwargs: Any) -> Any:
    """A convolution, whose results in float64 cuDNN gives contiguous, whichever the operands' memory format."""
    result = _aten.convolution(*args, **kwargs)
    return result.contiguous() if result.dtype is torch.float64 else result


def _convolution_backward(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """The gradients of a convolution, in memory as its result."""
    found = _aten.convolution_backward(*args, **kwargs)
    return tuple(one.contiguous() if one is not None and one.dtype is torch.float64 else one for one in found)


def _linalg_svd(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """Singular vectors on the right in rows: the CPU's are in columns."""
    u, s, vh = _aten._linalg_svd(*args, **kwargs)
    return u, s, vh.contiguous()


def _linalg_eig(input: Any) -> tuple[Any, ...]:
    """Eigenvectors in rows: the CPU's are in columns."""
    values, vectors = _aten.linalg_eig(input)
    return values, vectors.contiguous()


def _max_unpool2d(*args: Any, **kwargs: Any) -> Any:
    """Contiguous results: the CPU's are in the memory format of the input."""
    return _aten.max_unpool2d(*args, **kwargs).contiguous()


_MOST_AT_ONCE = 3  # dimensions that cuFFT transforms in one step


def _in_one_step(dims: list[int]) -> bool:
    return len(dims) <= _MOST_AT_ONCE and dims[:2] != [0, 1]


def _laid_out(result: Any, order: list[int]) -> Any:
    """The result with its dimensions in memory in this order, the last without gaps."""
    back = sorted(range(len(order)), key=order.__getitem__)
    return result.permute(order).contiguous().permute(back)


def _fft_c2r(input: Any, dim: list[int], normalization: int, last_dim_size: int) -> Any:
    """In one step over a contiguous copy where cuFFT can: the dimensions that are transformed come last."""
    result = _aten._fft_c2r(input, dim, normalization, last_dim_size)
    dims = [one % input.dim() for one in dim]
    if not _in_one_step(dims):
        return result
    return _laid_out(result, [one for one in range(input.dim()) if one not in dims] + dims)


def _fft_r2c(input: Any, dim: list[int], normalization: int, onesided: bool) -> Any:
    """The last dimension first and the others in further steps where cuFFT cannot in one."""
    result = _aten._fft_r2c(input, dim, normalization, onesided)
    dims = [one % input.dim() for one in dim]
    if _in_one_step(dims) or not onesided:
        return result
    order = sorted((one for one in range(input.dim()) if one != dims[-1]), key=lambda one: -input.stride(one))
    return _laid_out(result, _after_steps([*order, dims[-1]], dims[:-1]))


def _fft_c2c(input: Any, dim: list[int], normalization: int, forward: bool) -> Any:
    """Three dimensions at once."""
    result = _aten._fft_c2c(input, dim, normalization, forward)
    if len(dim) <= _MOST_AT_ONCE:
        return result
    order = sorted(range(input.dim()), key=lambda one: -input.stride(one))
    return _laid_out(result, _after_steps(order, [one % input.dim() for one in dim]))


def _after_steps(order: list[int], dims: list[int]) -> list[int]:
    """The order of dimensions in memory after transforms of some of them, of which each step's come last."""
    while dims:
        dims = sorted(dims, key=order.index)
        now, dims = dims[-_MOST_AT_ONCE:], dims[:-_MOST_AT_ONCE]
        order = [one for one in order if one not in now] + now
    return order


def _nonzero_static(*args: Any, **kwargs: Any) -> Any:
    """Indices in columns, as `nonzero` has them: the CPU's are in rows."""
    return _aten.nonzero_static(*args, **kwargs).t().contiguous().t()


def _unique_dim(function: Callable[..., Any]) -> Callable[..., Any]:
    """Unique rows in a contiguous tensor: the CPU's has the dimension that they are along first."""

    def call(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
        found, *more = function(*args, **kwargs)
        return found.contiguous(), *more

    return call


def _fft_out(function: Callable[..., Any]) -> Callable[..., Any]:
    """A transform into a tensor, which gets the layout of a result where it has to grow: the CPU's becomes contiguous,
    as CUDA's does for both sides of a transform of real numbers.
    """

    def call(*args: Any, out: Any) -> Any:
        result = function(*args)
        if out.shape != result.shape:
            out.resize_(result.shape)
            if function is not _fft_r2c or args[3]:
                out.as_strided_(result.shape, result.stride())
        return out.copy_(result)

    return call


ON_HOST: dict[str, Callable[..., Any]] = {
    "aten::convolution": _convolution,
    "aten::convolution_backward": _convolution_backward,
    "aten::_linalg_svd": _linalg_svd,
    "aten::linalg_eig": _linalg_eig,
    "aten::max_unpool2d": _max_unpool2d,
    "aten::nonzero_static": _nonzero_static,
    "aten::unique_consecutive": _unique_dim(_aten.unique_consecutive),
    "aten::unique_dim": _unique_dim(_aten.unique_dim),
    "aten::unique_dim_consecutive": _unique_dim(_aten.unique_dim_consecutive),
    "aten::_fft_c2r": _fft_c2r,
    "aten::_fft_r2c": _fft_r2c,
    "aten::_fft_c2c": _fft_c2c,
    "aten::_fft_c2r.out": _fft_out(_fft_c2r),
    "aten::_fft_r2c.out": _fft_out(_fft_r2c),
    "aten::_fft_c2c.out": _fft_out(_fft_c2c),
}
"""By the operators' names."""
