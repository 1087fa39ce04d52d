"""Which operators of PyTorch's are taken over, and their registration with its dispatcher."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch

from . import _division, _dtypes, _substitutes
from ._run import kernel
from ._schemas import Schema

# PyTorch's own for CUDA do nothing on a GPU but ask the runtime for memory or change a tensor's shape.
OWN = frozenset(
    f"aten::{name}"
    for name in (
        *("empty.memory_format", "empty_strided", "as_strided", "_reshape_alias", "view", "unfold"),
        *("view_as_real", "view_as_complex", "_nested_view_from_buffer", "is_set_to", "resize_", "record_stream"),
        *("set_", "set_.source_Storage", "set_.source_Storage_storage_offset", "set_.source_Tensor"),
        "_efficientzerotensor",
    )
)
# Operators without a kernel for CUDA of their own, which look at the device themselves: the CPU's way is taken.
BY_DEVICE = frozenset(
    f"aten::{name}" for name in ("convolution", "convolution_backward", "copy_", "ldexp.Tensor", "ldexp.out", "ldexp_")
)
# Some of their tensors may be on the CPU.
TAKE_HOST = frozenset(
    f"aten::{name}"
    for name in (
        *("copy_", "_copy_from", "index.Tensor", "index.Tensor_out", "_index_put_impl_", "index_put_", "where.self"),
        *("_ctc_loss", "_ctc_loss.Tensor", "_ctc_loss_backward", "_ctc_loss_backward.Tensor"),
        *("_foreach_copy_", "_fused_adam_.tensor_lr", "_fused_adamw_.tensor_lr", "_fused_sgd_.tensor_lr"),
    )
)
# Of sparse tensors PyTorch's own operators work on their parts, but for these.
SPARSE = frozenset(
    f"aten::{name}"
    for name in (
        *("_coalesce", "add.Tensor", "add_.Tensor", "add.out", "sub.Tensor", "sub_.Tensor", "sub.out"),
        *("mul.Tensor", "mul_.Tensor", "mul.out", "mm", "mm.out", "bmm", "bmm.out", "addmm", "addmm_", "addmm.out"),
        *("hspmm", "hspmm.out", "sspaddmm.out", "_sparse_sparse_matmul", "_sparse_softmax", "_sparse_log_softmax"),
        *("_sparse_softmax_backward_data", "_sparse_log_softmax_backward_data", "sparse_mask", "mv"),
        *("_sparse_mask_projection", "_sparse_sum_backward", "_to_sparse", "_to_sparse.sparse_dim", "_to_dense"),
        *("_to_sparse_csr", "_to_sparse_csc", "_to_sparse_bsr", "_to_sparse_bsc", "cat", "index_select"),
    )
)
COMPRESSED = frozenset(
    f"aten::{name}"
    for name in (
        *("add.Tensor", "add_.Tensor", "add.out", "mul.Tensor", "mul_.Tensor", "mul.out", "mm", "mm.out", "addmm"),
        *("addmm.out", "addmv.out", "triangular_solve.X", "sparse_sampled_addmm", "sparse_sampled_addmm.out"),
        *("_to_sparse", "_to_sparse.sparse_dim", "_to_dense", "_to_sparse_csr", "_to_sparse_csc", "_to_sparse_bsr"),
        *("_to_sparse_bsc", "_sparse_csr_sum.dim_dtype", "_sparse_csr_prod.dim_dtype", "sparse_mask"),
    )
)

_has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
_library: Any = None


def overload(name: str) -> Any:
    """The operator of a name such as `aten::add.Tensor`."""
    space, _, rest = name.partition("::")
    packet, _, variant = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), packet), variant or "default")


def _refusal(name: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f"cuox.torch: {name} has only a kernel for CUDA in PyTorch {torch.__version__}, which the software GPU "
            "does not run; docs/pytorch.md lists such operators and what takes their place"
        )

    return refuse


class _Lazy:
    """The kernel of an operator, made when it is called first: few programs call more than a hundred of them."""

    __slots__ = ("function", "made", "name")

    def __init__(self, name: str, function: Callable[..., Any] | None = None) -> None:
        self.name = name
        self.function = function
        self.made: Callable[..., Any] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.made is None:
            operator = overload(self.name)
            made = kernel(self.name, self.function or operator._op, Schema(operator), self.name in TAKE_HOST)
            self.made = _dividing(self.name, operator, _dtypes.refusing(self.name, made))
        return self.made(*args, **kwargs)


def _dividing(name: str, operator: Any, made: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an operator; a division's has another way for integers."""
    divide = _division.of_integers(operator)
    if divide is None:
        return made
    whole = kernel(name, divide, Schema(operator))

    def run(*args: Any, **kwargs: Any) -> Any:
        return (whole if _division.may_differ(*args) else made)(*args, **kwargs)

    return run


def register() -> None:
    """Register a kernel for each operator that has one for CUDA."""
    global _library
    if _library is not None:
        return
    _library = torch.library.Library("aten", "IMPL")
    with warnings.catch_warnings():
        # Each replaces one of PyTorch's, which it warns of.
        warnings.simplefilter("ignore")
        for name in torch._C._dispatch_get_all_op_names():
            if not name.startswith("aten::") or name in OWN:
                continue
            if _has_kernel(name, "CUDA") or name in BY_DEVICE:
                _library.impl(name, _of(name), "CUDA")
        for names, key in ((SPARSE, "SparseCUDA"), (COMPRESSED, "SparseCsrCUDA")):
            for name in names:
                if _has_kernel(name, key):
                    _library.impl(name, _Lazy(name), key)


def _of(name: str) -> Callable[..., Any]:
    if name in _substitutes.ON_DEVICE:
        return _substitutes.ON_DEVICE[name]
    if name in _substitutes.ON_HOST:
        return _Lazy(name, _substitutes.ON_HOST[name])
    if any(_has_kernel(name, key) for key in ("CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd")):
        return _Lazy(name)
    return _refusal(name)
