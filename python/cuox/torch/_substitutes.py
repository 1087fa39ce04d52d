"""Operators that PyTorch has for CUDA only, made of what it has for the CPU.

Each function here takes tensors on the CPU, which share the memory of those on the device, and has the operator's
arguments and results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from . import _attention, _layouts

_aten = torch.ops.aten


def _fused_lstm_cell(
    input_gates: Any, hidden_gates: Any, cx: Any, input_bias: Any = None, hidden_bias: Any = None
) -> tuple[Any, Any, Any]:
    """An LSTM's cell: its new states, and the gates' values for the backward pass."""
    gates = input_gates + hidden_gates
    if input_bias is not None:
        gates = gates + input_bias
    if hidden_bias is not None:
        gates = gates + hidden_bias
    enter, forget, cell, leave = gates.chunk(4, 1)
    enter, forget, cell, leave = enter.sigmoid(), forget.sigmoid(), cell.tanh(), leave.sigmoid()
    cy = forget * cx + enter * cell
    return leave * cy.tanh(), cy, torch.cat((enter, forget, cell, leave), 1)


def _fused_lstm_cell_backward(
    grad_hy: Any, grad_cy: Any, cx: Any, cy: Any, workspace: Any, has_bias: bool
) -> tuple[Any, Any, Any]:
    """The gradients of the gates, of the cell's old state and of a bias."""
    enter, forget, cell, leave = workspace.chunk(4, 1)
    gone = cy.tanh()
    grad_hy = torch.zeros_like(cy) if grad_hy is None else grad_hy
    grad_c = grad_hy * leave * (1 - gone * gone)
    if grad_cy is not None:
        grad_c = grad_c + grad_cy
    gates = (
        grad_c * cell * enter * (1 - enter),
        grad_c * cx * forget * (1 - forget),
        grad_c * enter * (1 - cell * cell),
        grad_hy * gone * leave * (1 - leave),
    )
    grad_gates = torch.cat(gates, 1)
    return grad_gates, grad_c * forget, grad_gates.sum(0) if has_bias else grad_gates.new_empty(0)


def _fused_gru_cell(
    input_gates: Any, hidden_gates: Any, hx: Any, input_bias: Any = None, hidden_bias: Any = None
) -> tuple[Any, Any]:
    """A GRU's cell: its new state, and what the backward pass needs."""
    if input_bias is not None:
        input_gates = input_gates + input_bias
    if hidden_bias is not None:
        hidden_gates = hidden_gates + hidden_bias
    reset_i, update_i, new_i = input_gates.chunk(3, 1)
    reset_h, update_h, new_h = hidden_gates.chunk(3, 1)
    reset, update = (reset_i + reset_h).sigmoid(), (update_i + update_h).sigmoid()
    new = (new_i + reset * new_h).tanh()
    return new + update * (hx - new), torch.cat((reset, update, new, hx, new_h.contiguous()), 1)


def _fused_gru_cell_backward(grad_hy: Any, workspace: Any, has_bias: bool) -> tuple[Any, Any, Any, Any, Any]:
    """The gradients of both sums of gates, of the old state, and of both biases."""
    reset, update, new, hx, new_h = workspace.chunk(5, 1)
    grad_update = grad_hy * (hx - new) * update * (1 - update)
    grad_new = grad_hy * (1 - update) * (1 - new * new)
    grad_reset = grad_new * new_h * reset * (1 - reset)
    input_gates = torch.cat((grad_reset, grad_update, grad_new), 1)
    hidden_gates = torch.cat((grad_reset, grad_update, grad_new * reset), 1)
    none = input_gates.new_empty(0)
    biases = (input_gates.sum(0), hidden_gates.sum(0)) if has_bias else (none, none)
    return input_gates, hidden_gates, grad_hy * update, *biases


def _cudnn_batch_norm(
    input: Any, weight: Any, bias: Any, mean: Any, variance: Any, training: bool, factor: float, epsilon: float
) -> tuple[Any, Any, Any, Any]:
    """The normalized batch, its mean and the inverse of its deviation, and an empty reserve."""
    results = _aten.native_batch_norm(input, weight, bias, mean, variance, training, factor, epsilon)
    return (*results, torch.empty(0, dtype=torch.uint8))


def _cudnn_batch_norm_backward(
    input: Any,
    grad_output: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Any,
    save_var: Any,
    epsilon: float,
    reserve: Any,
) -> Any:
    return _aten.native_batch_norm_backward(
        grad_output,
        input,
        weight,
        running_mean,
        running_var,
        save_mean,
        save_var,
        True,
        epsilon,
        [True, True, True],
    )


def _over_channels(input: Any) -> tuple[list[int], list[int]]:
    """All dimensions but the channels', and the shape that a vector over the channels takes beside the input."""
    dims = [dim for dim in range(input.dim()) if dim != 1]
    return dims, [1, -1] + [1] * (input.dim() - 2)


def _wide(tensor: Any) -> Any:
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def _batch_norm_stats(input: Any, eps: float) -> tuple[Any, Any]:
    """Mean and inverse deviation of each channel."""
    dims, _ = _over_channels(input)
    variance, mean = torch.var_mean(_wide(input), dims, correction=0)
    return mean, (variance + eps).rsqrt()


def _batch_norm_elemt(input: Any, weight: Any, bias: Any, mean: Any, invstd: Any, eps: float) -> Any:
    """The batch, normalized by statistics that are given."""
    _, shape = _over_channels(input)
    result = (_wide(input) - mean.reshape(shape)) * invstd.reshape(shape)
    if weight is not None:
        result = result * weight.reshape(shape)
    if bias is not None:
        result = result + bias.reshape(shape)
    return result.to(input.dtype)


def _batch_norm_gather_stats_with_counts(
    input: Any, mean: Any, invstd: Any, running_mean: Any, running_var: Any, momentum: float, eps: float, counts: Any
) -> tuple[Any, Any]:
    """Statistics of all parts of a batch, from those of each part, `(parts, channels)`; running ones are updated."""
    counts = counts.reshape(-1, 1).to(mean.dtype)
    total = counts.sum()
    all_mean = (mean * counts).sum(0) / total
    variance = 1 / (invstd * invstd) - eps
    all_variance = ((variance + (mean - all_mean) ** 2) * counts).sum(0) / total
    if running_mean is not None:
        running_mean.mul_(1 - momentum).add_(all_mean, alpha=momentum)
    if running_var is not None:
        unbiased = all_variance * (total / (total - 1))
        running_var.mul_(1 - momentum).add_(unbiased, alpha=momentum)
    return all_mean, (all_variance + eps).rsqrt()


def _batch_norm_gather_stats(
    input: Any, mean: Any, invstd: Any, running_mean: Any, running_var: Any, momentum: float, eps: float, count: int
) -> tuple[Any, Any]:
    counts = torch.full((mean.shape[0],), count, dtype=mean.dtype)
    return _batch_norm_gather_stats_with_counts(input, mean, invstd, running_mean, running_var, momentum, eps, counts)


def _batch_norm_backward_reduce(
    grad_out: Any, input: Any, mean: Any, invstd: Any, weight: Any, input_g: bool, weight_g: bool, bias_g: bool
) -> tuple[Any, Any, Any, Any]:
    """The sums over a batch that the gradients are made of, and those of weight and bias."""
    dims, shape = _over_channels(input)
    grad, centered = _wide(grad_out), _wide(input) - mean.reshape(shape)
    sum_dy, sum_dy_xmu = grad.sum(dims), (grad * centered).sum(dims)
    none = sum_dy.new_empty(0)
    dtype = sum_dy.dtype if weight is None else weight.dtype
    return (
        sum_dy if input_g else none,
        sum_dy_xmu if input_g else none,
        (sum_dy_xmu * invstd).to(dtype) if weight_g else none,
        sum_dy.to(dtype) if bias_g else none,
    )


def _batch_norm_backward_elemt(
    grad_out: Any, input: Any, mean: Any, invstd: Any, weight: Any, sum_dy: Any, sum_dy_xmu: Any, count: Any
) -> Any:
    """The gradient of the batch."""
    _, shape = _over_channels(input)
    total = count.sum()
    factor = invstd if weight is None else invstd * weight
    centered = _wide(input) - mean.reshape(shape)
    rest = _wide(grad_out) - (sum_dy / total).reshape(shape)
    rest = rest - centered * (invstd * invstd * sum_dy_xmu / total).reshape(shape)
    return (rest * factor.reshape(shape)).to(input.dtype)


def _cudnn_convolution(
    self: Any,
    weight: Any,
    padding: Any,
    stride: Any,
    dilation: Any,
    groups: int,
    benchmark: bool,
    deterministic: bool,
    allow_tf32: bool,
) -> Any:
    return _aten.convolution(self, weight, None, stride, padding, dilation, False, [0] * len(stride), groups)


def _cudnn_convolution_transpose(
    self: Any,
    weight: Any,
    padding: Any,
    output_padding: Any,
    stride: Any,
    dilation: Any,
    groups: int,
    benchmark: bool,
    deterministic: bool,
    allow_tf32: bool,
) -> Any:
    return _aten.convolution(self, weight, None, stride, padding, dilation, True, output_padding, groups)


def _cudnn_convolution_relu(
    self: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    return _aten.convolution(self, weight, bias, stride, padding, dilation, False, [0] * len(stride), groups).relu()


def _cudnn_convolution_add_relu(
    self: Any, weight: Any, z: Any, alpha: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    result = _aten.convolution(self, weight, bias, stride, padding, dilation, False, [0] * len(stride), groups)
    return (result + z * (1 if alpha is None else alpha)).relu()


def _conv_depthwise(
    self: Any, weight: Any, kernel_size: Any, bias: Any, stride: Any, padding: Any, dilation: Any
) -> Any:
    return _aten.convolution(
        self, weight, bias, stride, padding, dilation, False, [0] * len(kernel_size), self.shape[1]
    )


def _cudnn_grid_sampler(self: Any, grid: Any) -> Any:
    return _aten.grid_sampler_2d(self, grid, 0, 0, True)


def _cudnn_grid_sampler_backward(self: Any, grid: Any, grad_output: Any) -> Any:
    return _aten.grid_sampler_2d_backward(grad_output, self, grid, 0, 0, True, [True, True])


def _cudnn_affine_grid_generator(theta: Any, N: int, C: int, H: int, W: int) -> Any:
    return _aten.affine_grid_generator(theta, [N, C, H, W], True)


def _cudnn_affine_grid_generator_backward(grad: Any, N: int, C: int, H: int, W: int) -> Any:
    return _aten.affine_grid_generator_backward(grad, [N, C, H, W], True)


def _no_cudnn(*args: Any) -> bool:
    """The answer that PyTorch's own loss is taken."""
    return False


def _masked_scale(self: Any, mask: Any, scale: float) -> Any:
    return (self * mask * scale).to(self.dtype)


def _fused_rms_norm_backward(
    grad_out: Any, input: Any, normalized_shape: Any, rstd: Any, weight: Any, output_mask: Any
) -> tuple[Any, Any]:
    """The gradients of the input and of the weight of a root mean square norm."""
    dims = list(range(input.dim() - len(normalized_shape), input.dim()))
    x, grad = _wide(input), _wide(grad_out)
    normal = x * rstd
    grad_input = grad_weight = None
    if output_mask[0]:
        scaled = grad if weight is None else grad * _wide(weight)
        grad_input = (rstd * (scaled - normal * (scaled * normal).mean(dims, keepdim=True))).to(input.dtype)
    if output_mask[1] and weight is not None:
        rows = list(range(input.dim() - len(normalized_shape)))
        grad_weight = grad * normal
        grad_weight = (grad_weight.sum(rows) if rows else grad_weight).to(weight.dtype)
    return grad_input, grad_weight


def _in_dtype(operator: Callable[..., Any], count: int) -> Callable[..., Any]:
    """A product of matrices whose result has a wider dtype than its operands: so many of the first arguments."""

    def product(*args: Any, **kwargs: Any) -> Any:
        dtype = args[count]
        return operator(*(one.to(dtype) for one in args[:count]), *args[count + 1 :], **kwargs)

    return product


ON_HOST: dict[str, Callable[..., Any]] = {
    "aten::_thnn_fused_lstm_cell": _fused_lstm_cell,
    "aten::_thnn_fused_lstm_cell_backward_impl": _fused_lstm_cell_backward,
    "aten::_thnn_fused_gru_cell": _fused_gru_cell,
    "aten::_thnn_fused_gru_cell_backward": _fused_gru_cell_backward,
    "aten::cudnn_batch_norm": _cudnn_batch_norm,
    "aten::cudnn_batch_norm_backward": _cudnn_batch_norm_backward,
    "aten::batch_norm_stats": _batch_norm_stats,
    "aten::batch_norm_elemt": _batch_norm_elemt,
    "aten::batch_norm_gather_stats": _batch_norm_gather_stats,
    "aten::batch_norm_gather_stats_with_counts": _batch_norm_gather_stats_with_counts,
    "aten::batch_norm_backward_reduce": _batch_norm_backward_reduce,
    "aten::batch_norm_backward_elemt": _batch_norm_backward_elemt,
    "aten::cudnn_convolution": _cudnn_convolution,
    "aten::cudnn_convolution_transpose": _cudnn_convolution_transpose,
    "aten::cudnn_convolution_relu": _cudnn_convolution_relu,
    "aten::cudnn_convolution_add_relu": _cudnn_convolution_add_relu,
    "aten::_conv_depthwise2d": _conv_depthwise,
    "aten::conv_depthwise3d": _conv_depthwise,
    "aten::cudnn_grid_sampler": _cudnn_grid_sampler,
    "aten::cudnn_grid_sampler_backward": _cudnn_grid_sampler_backward,
    "aten::cudnn_affine_grid_generator": _cudnn_affine_grid_generator,
    "aten::cudnn_affine_grid_generator_backward": _cudnn_affine_grid_generator_backward,
    "aten::_masked_scale": _masked_scale,
    "aten::_fused_rms_norm_backward": _fused_rms_norm_backward,
    "aten::mm.dtype": _in_dtype(torch.mm, 2),
    "aten::bmm.dtype": _in_dtype(torch.bmm, 2),
    "aten::addmm.dtype": _in_dtype(torch.addmm, 3),
    "aten::baddbmm.dtype": _in_dtype(torch.baddbmm, 3),
    "aten::mm.dtype_out": _in_dtype(torch.mm, 2),
    "aten::bmm.dtype_out": _in_dtype(torch.bmm, 2),
    "aten::addmm.dtype_out": _in_dtype(torch.addmm, 3),
    "aten::baddbmm.dtype_out": _in_dtype(torch.baddbmm, 3),
    **_attention.ON_HOST,
    **_layouts.ON_HOST,
}
"""By the operators' names: functions of tensors on the CPU."""


def _native_dropout(input: Any, p: float, train: bool | None = True) -> tuple[Any, Any]:
    """Dropout with the device's generator: the result, and which elements were kept."""
    if train is False or p == 0 or not input.numel():
        return input.clone(), torch.ones_like(input, dtype=torch.bool)
    mask = torch.empty_like(input, dtype=torch.bool).bernoulli_(1 - p)
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return (input * mask).mul_(scale), mask


def _fused_dropout(self: Any, p: float, generator: Any = None) -> tuple[Any, Any]:
    """Dropout that keeps elements with the probability p."""
    mask = torch.empty_like(self, dtype=torch.uint8).bernoulli_(p, generator=generator)
    return (self * mask).mul_(1 / p), mask


ON_DEVICE: dict[str, Callable[..., Any]] = {
    "aten::native_dropout": _native_dropout,
    "aten::_fused_dropout": _fused_dropout,
    "aten::_use_miopen_ctc_loss.Tensor": _no_cudnn,
    "aten::_use_miopen_ctc_loss": _no_cudnn,
    "aten::_use_cudnn_ctc_loss.Tensor": _no_cudnn,
    "aten::_use_cudnn_ctc_loss": _no_cudnn,
}
"""By the operators' names: functions of tensors on the device."""
