"""The facts of an operator's results that a GPU shows without their values, to be recorded on one and compared.

`of_case` gives, for each of an operator's samples: of the result, of the variant in place, of those with `out=` (a
tensor as large as the result, and an empty one) and of the gradients each tensor's device, dtype, shape, strides and
the tensors whose storage it has; whether `out=` and the variant in place keep the memory; and whether `gradcheck`
passes (float64). `difference` tells the first that differs. `torch_opinfo.py --record` and `--compare` use them.
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import torch_opinfo as tool

SAMPLES = 6  # of an operator and dtype
GRADCHECK_ELEMENTS = 200  # of all tensors of a sample that gradcheck takes

Facts = dict[str, Any]


def tensors_of(value: Any) -> list[Any]:
    """The tensors in it, in order."""
    import torch
    from torch.utils._pytree import tree_leaves

    return [one for one in tree_leaves(value) if isinstance(one, torch.Tensor)]


def of_results(results: Any, arguments: Any) -> list[Any]:
    """For each result its device, dtype, shape, strides, bits of conjugates and negatives, and the numbers of the
    arguments and of the results before it that have its storage; of what is no tensor its type and, if whole, value.
    """
    import torch
    from torch.utils._pytree import tree_leaves

    def storage(one: Any) -> int | None:
        return one.untyped_storage().data_ptr() if one.layout is torch.strided and one.numel() else None

    given = [storage(one) for one in tensors_of(arguments)]
    before: list[int | None] = []
    found: list[Any] = []
    for one in tree_leaves(results):
        if not isinstance(one, torch.Tensor):
            found.append([type(one).__name__, one if isinstance(one, (bool, int)) else None])
            continue
        place = storage(one)
        found.append(
            {
                "device": one.device.type,
                "dtype": str(one.dtype).removeprefix("torch."),
                "layout": str(one.layout).removeprefix("torch."),
                "shape": list(one.shape),
                "strides": list(one.stride()) if place is not None else None,
                "bits": [one.is_conj(), one.is_neg()],
                "arguments": [i for i, other in enumerate(given) if place is not None and other == place],
                "results": [i for i, other in enumerate(before) if place is not None and other == place],
            }
        )
        before.append(place)
    return found


def of_call(function: Any, arguments: Any) -> tuple[Any, Facts]:
    """The result of a call, and its facts; an error's type where there is one."""
    try:
        result = tool.call(function, arguments)
    except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError) as error:
        if any(said in str(error) for said in ("CUDA error", "device-side assert", "illegal memory access")):
            raise
        return None, {"error": type(error).__name__}
    return result, {"results": of_results(result, arguments)}


def of_inplace(op: Any, arguments: Any) -> Facts:
    """Whether the variant in place gives its operand, in the memory that it had."""
    given = tool.copied(arguments, "cuda:0")
    before = given[0].untyped_storage().data_ptr()
    result, facts = of_call(op.inplace_variant, given)
    if "error" not in facts:
        facts["kept"] = [result is given[0], given[0].untyped_storage().data_ptr() == before]
    return facts


def of_out(op: Any, arguments: Any, theirs: Any) -> dict[str, Facts]:
    """With a tensor as large as the result, and with an empty one."""
    import torch

    found = {}
    for what in ("out", "empty out"):
        input, args, kwargs = tool.copied(arguments, "cuda:0")
        out = torch.empty_like(theirs) if what == "out" else torch.empty(0, dtype=theirs.dtype, device="cuda")
        before = out.data_ptr()
        result, facts = of_call(op.get_op(), (input, args, {**kwargs, "out": out}))
        if "error" not in facts:
            facts["kept"] = [result is out, what == "empty out" or out.data_ptr() == before]
        found[what] = facts
    return found


def gradients(op: Any, sample: Any) -> Facts:
    """Of the gradients of a sum of the results."""
    import torch

    values = tool.copied((sample.input, sample.args, sample.kwargs), "cuda:0")
    result, facts = of_call(op.get_op(), values)
    if "error" in facts:
        return facts
    result = sample.output_process_fn_grad(result)
    wanted = [one for one in tensors_of(values) if one.requires_grad and one.is_leaf]
    parts = [one for one in tensors_of(result) if one.requires_grad and one.layout is torch.strided]
    if not wanted or not parts:
        return {"results": []}
    total = sum(one.real.sum() + one.imag.sum() if one.is_complex() else one.sum() for one in parts)
    found = torch.autograd.grad(total, wanted, allow_unused=True)
    return {"results": of_results(found, values)}


def gradcheck(op: Any, sample: Any, device: str) -> bool | None:
    """Whether PyTorch's `gradcheck` passes; None if the sample is not for it."""
    import torch

    input, args, kwargs = tool.copied((sample.input, sample.args, sample.kwargs), device)
    if not isinstance(input, torch.Tensor) or not input.requires_grad or not input.numel():
        return None
    if sum(one.numel() for one in tensors_of((input, args, kwargs))) > GRADCHECK_ELEMENTS:
        return None

    def function(*inputs: Any) -> Any:
        torch.manual_seed(0)
        result = op.gradcheck_wrapper(op.get_op(), *inputs, **kwargs)
        return sample.output_process_fn_grad(result)

    try:
        return torch.autograd.gradcheck(
            function, (input, *args), nondet_tol=op.gradcheck_nondet_tol, fast_mode=True, raise_exception=False
        )
    except (RuntimeError, ValueError, TypeError, NotImplementedError):
        return False


def seed() -> None:
    """The samples are made of these generators."""
    import numpy
    import torch

    torch.manual_seed(1)
    random.seed(1)
    numpy.random.seed(1)


def of_case(name: str, dtype_name: str) -> list[Facts]:
    """Of each of the samples of an operator in a dtype, in the order of the samples."""
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    op = next(one for one in op_db if one.formatted_name == name)
    dtype = getattr(torch, dtype_name)
    found: list[Facts] = []
    seed()
    for sample in tool.some(op.sample_inputs("cpu", dtype, requires_grad=False), SAMPLES):
        if name in tool.INDICES_ON_HOST and any(isinstance(one, torch.Tensor) for one in sample.args):
            continue
        arguments = (sample.input, sample.args, sample.kwargs)
        result, call = of_call(op.get_op(), tool.copied(arguments, "cuda:0"))
        facts: Facts = {"call": call}
        found.append(facts)
        if isinstance(sample.input, torch.Tensor) and op.inplace_variant and not sample.broadcasts_input:
            facts["in place"] = of_inplace(op, arguments)
        if op.supports_out and isinstance(result, torch.Tensor) and result.layout is torch.strided:
            facts.update(of_out(op, arguments, result))
    if op.supports_autograd and dtype.is_floating_point and dtype in op.supported_backward_dtypes("cpu"):
        seed()
        for sample in tool.some(op.sample_inputs("cpu", dtype, requires_grad=True), 3):
            if name in tool.INDICES_ON_HOST and any(isinstance(one, torch.Tensor) for one in sample.args):
                continue
            facts = {"gradients": gradients(op, sample)}
            if dtype is torch.float64 and (passes := gradcheck(op, sample, "cuda:0")) is not None:
                facts["gradcheck"] = passes
            found.append(facts)
    torch.cuda.synchronize()
    return found


def significant(one: Any) -> Any:
    """A tensor's facts without the strides of dimensions of one element, which address nothing."""
    if isinstance(one, dict) and one.get("strides") is not None:
        strides = [stride if size > 1 else None for size, stride in zip(one["shape"], one["strides"])]
        return {**one, "strides": strides}
    return one


def difference(ours: list[Facts], theirs: list[Facts]) -> str:
    """The first fact that differs from those of the record; an empty text if none does."""
    if len(ours) != len(theirs):
        return f"{len(ours)} samples, {len(theirs)} in the record"
    for number, (mine, other) in enumerate(zip(ours, theirs)):
        for what in (*other, *(one for one in mine if one not in other)):
            one, wanted = mine.get(what), other.get(what)
            if what == "gradcheck":
                if wanted and not one:
                    return f"sample {number}: gradcheck fails"
                continue
            if one is None or wanted is None:
                return f"sample {number}: {what}: {one}, {wanted} on a GPU"
            for key in ("error", "kept"):
                if one.get(key) != wanted.get(key) and not (key == "error" and one.get(key) and wanted.get(key)):
                    return f"sample {number}: {what}: {key} {one.get(key)}, {wanted.get(key)} on a GPU"
            left, right = one.get("results") or [], wanted.get("results") or []
            if len(left) != len(right):
                return f"sample {number}: {what}: {len(left)} results, {len(right)} on a GPU"
            for a, b in zip(left, right):
                a, b = significant(a), significant(b)
                if a == b:
                    continue
                if not isinstance(a, dict) or not isinstance(b, dict):
                    return f"sample {number}: {what}: {a}, {b} on a GPU"
                key = next(key for key in b if a[key] != b[key])
                shape = f" of {tuple(b['shape'])}" if key == "strides" else ""
                return f"sample {number}: {what}: {key}{shape} {a[key]}, {b[key]} on a GPU"
    return ""


def write(path: str, cases: dict[str, list[Facts]]) -> None:
    """Write a record, compressed if its name ends in `.gz`, with the versions that it is of."""
    import torch

    told = {"torch": torch.__version__, "device": torch.cuda.get_device_name(), "cases": cases}
    data = json.dumps(told, separators=(",", ":"), sort_keys=True).encode()
    Path(path).write_bytes(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)


def read(path: str) -> dict[str, Any]:
    """A record."""
    data = Path(path).read_bytes()
    record: dict[str, Any] = json.loads(gzip.decompress(data) if path.endswith(".gz") else data)
    return record
