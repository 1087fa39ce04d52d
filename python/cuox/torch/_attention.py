"""The fused attentions that PyTorch has for CUDA, by the one that it has for the CPU.

That one has no dropout; then the attention is made of its products, with a mask that the backward pass makes again from
the seed that the forward pass has returned.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

_aten = torch.ops.aten
_ROWS = 32  # the memory-efficient attention's logarithms of sums are for multiples of so many rows


def _biased(query: Any, key: Any, bias: Any, is_causal: bool, scale: float) -> Any:
    scores = torch.matmul(query * scale, key.transpose(-2, -1))
    if bias is not None:
        scores = scores + bias
    if is_causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return scores


def _wide(tensor: Any) -> Any:
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def _kept(scores: Any, dropout: float, seed: int) -> Any:
    """Ones over the probability of being kept, and zeros."""
    generator = torch.Generator(device="cpu").manual_seed(seed)
    kept = torch.empty_like(scores).bernoulli_(1 - dropout, generator=generator)
    return kept / (1 - dropout) if dropout < 1 else kept


def forward(
    query: Any, key: Any, value: Any, bias: Any, dropout: float, is_causal: bool, scale: float | None, seed: int
) -> tuple[Any, Any]:
    """The attention and the logarithms of the sums of its rows, `(batch, heads, rows)`."""
    if not dropout and query.shape[-1] == value.shape[-1]:
        results: tuple[Any, Any] = _aten._scaled_dot_product_flash_attention_for_cpu(
            query, key, value, 0.0, is_causal, attn_mask=bias, scale=scale
        )
        return results
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = _biased(_wide(query), _wide(key), bias, is_causal, factor)
    weights = scores.softmax(-1)
    if dropout:
        weights = weights * _kept(weights, dropout, seed)
    return torch.matmul(weights, _wide(value)).to(query.dtype), scores.logsumexp(-1)


def backward(
    grad: Any,
    query: Any,
    key: Any,
    value: Any,
    bias: Any,
    out: Any,
    logsumexp: Any,
    dropout: float,
    is_causal: bool,
    scale: float | None,
    seed: int,
    of_bias: bool,
) -> tuple[Any, Any, Any, Any]:
    """The gradients of query, key, value and, if asked for, of the bias."""
    if not dropout and not of_bias and query.shape[-1] == value.shape[-1]:
        rows = query.shape[-2]
        results = _aten._scaled_dot_product_flash_attention_for_cpu_backward(
            grad,
            query,
            key,
            value,
            out,
            logsumexp[..., :rows].contiguous(),
            0.0,
            is_causal,
            attn_mask=bias,
            scale=scale,
        )
        return (*results, None)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    q, k, v, g = (_wide(one) for one in (query, key, value, grad))
    weights = _biased(q, k, bias, is_causal, factor).softmax(-1)
    kept = _kept(weights, dropout, seed) if dropout else None
    grad_value = torch.matmul((weights if kept is None else weights * kept).transpose(-2, -1), g)
    grad_weights = torch.matmul(g, v.transpose(-2, -1))
    if kept is not None:
        grad_weights = grad_weights * kept
    grad_scores = weights * (grad_weights - (grad_weights * weights).sum(-1, keepdim=True))
    grad_query = torch.matmul(grad_scores, k) * factor
    grad_key = torch.matmul(grad_scores.transpose(-2, -1), q) * factor
    grad_bias = grad_scores.sum_to_size(bias.shape).to(bias.dtype) if of_bias else None
    return grad_query.to(query.dtype), grad_key.to(key.dtype), grad_value.to(value.dtype), grad_bias


def _by_rows(result: Any) -> Any:
    """A result `(batch, heads, rows, columns)` in memory by rows, in each of which are the heads."""
    return result.transpose(1, 2).contiguous().transpose(1, 2)


def _laid_out(like: Any, result: Any) -> Any:
    """A result in memory as another tensor is, by the order of its strides."""
    order = sorted(range(like.dim()), key=like.stride, reverse=True)
    back = sorted(range(like.dim()), key=order.__getitem__)
    return result.permute(order).contiguous().permute(back)


def _aligned(bias: Any) -> Any:
    """The gradient of a bias, whose rows begin at multiples of sixteen elements."""
    columns = bias.shape[-1]
    return bias.new_zeros((*bias.shape[:-1], -(-columns // 16) * 16))[..., :columns].copy_(bias)


def _new_seed(dropout: float) -> int:
    # The operators have no argument for a generator: the device's default one.
    from . import _generators

    return _generators.seed() if dropout else 0


def _long(value: int) -> Any:
    return torch.tensor(value, dtype=torch.int64)


def _int(value: Any) -> int:
    return int(value) if value.numel() else 0


def _efficient(
    query: Any,
    key: Any,
    value: Any,
    attn_bias: Any,
    compute_log_sumexp: bool,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Any, Any, Any, Any]:
    seed = _new_seed(dropout_p)
    out, sums = forward(query, key, value, attn_bias, dropout_p, is_causal, scale, seed)
    rows = query.shape[-2]
    length = -(-rows // _ROWS) * _ROWS if compute_log_sumexp else 0
    padded = torch.full((*query.shape[:-2], length), math.inf, dtype=torch.float32)
    if compute_log_sumexp:
        padded[..., :rows] = sums
    return _by_rows(out), padded, _long(seed), _long(0)


def _efficient_backward(
    grad_out_: Any,
    query: Any,
    key: Any,
    value: Any,
    attn_bias: Any,
    out: Any,
    logsumexp: Any,
    philox_seed: Any,
    philox_offset: Any,
    dropout_p: float,
    grad_input_mask: Any,
    is_causal: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Any, Any, Any, Any]:
    bias = attn_bias if attn_bias is not None and attn_bias.numel() else None
    seed = _int(philox_seed)
    wanted = bias is not None and bool(grad_input_mask[3])
    *grads, of_bias = backward(
        grad_out_, query, key, value, bias, out, logsumexp, dropout_p, is_causal, scale, seed, wanted
    )
    return (*map(_by_rows, grads), None if of_bias is None else _aligned(of_bias))


def _flash(
    query: Any,
    key: Any,
    value: Any,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Any, ...]:
    seed = _new_seed(dropout_p)
    out, sums = forward(query, key, value, None, dropout_p, is_causal, scale, seed)
    none = torch.empty(0, dtype=query.dtype)
    state = torch.tensor([seed, 0], dtype=torch.uint64)
    offset = torch.tensor(0, dtype=torch.uint64)
    rows, columns = query.shape[-2], key.shape[-2]
    return _laid_out(query, out), sums.float(), None, None, rows, columns, state, offset, none


def _flash_backward(
    grad_out: Any,
    query: Any,
    key: Any,
    value: Any,
    out: Any,
    logsumexp: Any,
    cum_seq_q: Any,
    cum_seq_k: Any,
    max_q: int,
    max_k: int,
    dropout_p: float,
    is_causal: bool,
    philox_seed: Any,
    philox_offset: Any,
    *,
    scale: float | None = None,
) -> tuple[Any, Any, Any]:
    seed = int(philox_seed.reshape(-1)[0]) if philox_seed.numel() else 0
    results = backward(grad_out, query, key, value, None, out, logsumexp, dropout_p, is_causal, scale, seed, False)
    return _laid_out(query, results[0]), _laid_out(key, results[1]), _laid_out(value, results[2])


def _cudnn(
    query: Any,
    key: Any,
    value: Any,
    attn_bias: Any,
    compute_log_sumexp: bool,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Any, ...]:
    seed = _new_seed(dropout_p)
    out, sums = forward(query, key, value, attn_bias, dropout_p, is_causal, scale, seed)
    rows, columns = query.shape[-2], key.shape[-2]
    sums = sums.float().unsqueeze(-1) if compute_log_sumexp else torch.empty(0)
    none = torch.empty(0, dtype=query.dtype)
    return _laid_out(query, out), sums, None, None, rows, columns, _long(seed), _long(0), none


def _cudnn_backward(
    grad_out: Any,
    query: Any,
    key: Any,
    value: Any,
    out: Any,
    logsumexp: Any,
    philox_seed: Any,
    philox_offset: Any,
    attn_bias: Any,
    cum_seq_q: Any,
    cum_seq_k: Any,
    max_q: int,
    max_k: int,
    dropout_p: float,
    is_causal: bool,
    *,
    scale: float | None = None,
) -> tuple[Any, Any, Any]:
    bias = attn_bias if attn_bias is not None and attn_bias.numel() else None
    sums = logsumexp.reshape(logsumexp.shape[:3]) if logsumexp.numel() else logsumexp
    results = backward(
        grad_out, query, key, value, bias, out, sums, dropout_p, is_causal, scale, _int(philox_seed), False
    )
    return _laid_out(query, results[0]), _laid_out(key, results[1]), _laid_out(value, results[2])


ON_HOST: dict[str, Callable[..., Any]] = {
    "aten::_scaled_dot_product_efficient_attention": _efficient,
    "aten::_scaled_dot_product_efficient_attention_backward": _efficient_backward,
    "aten::_scaled_dot_product_flash_attention": _flash,
    "aten::_scaled_dot_product_flash_attention_backward": _flash_backward,
    "aten::_scaled_dot_product_cudnn_attention": _cudnn,
    "aten::_scaled_dot_product_cudnn_attention_backward": _cudnn_backward,
}
