"""PyTorch's own samples of its operators (`OpInfo`), on `cuda` without a GPU, beside the CPU.

    CUOX_DEVICE=soft python tools/torch_opinfo.py [--count 500] [--seed 2026] [--names add,mm] [--list FILE]
    python tools/torch_opinfo.py --record FILE      # on a GPU
    CUOX_DEVICE=soft python tools/torch_opinfo.py --compare FILE

Of the operators in `torch.testing._internal.common_methods_invocations`, in each of five dtypes that the CPU has them
in, so many are chosen by the seed. For each sample the results on `cuda` are compared with the CPU's to the bit, with
their device, dtype, shape, strides, and whether they share storage with an argument; so are the variants in place and
with `out=`, which must write to the memory of what they are given, and gradients. In a stream of its own, behind a
kernel that is still running and brings the arguments' values, an operator must give the same; and where `gradcheck`
(float64, small samples) passes on the CPU, it must on the device. A crash counts by itself: the operators after it are
run in another process. The last line is `N passed, N failed, N crashed`.

A GPU's results have other last bits, and for some operators other strides than the CPU's. `--record` writes what can be
compared (torch_opinfo_facts.py), on a GPU, where cuox need not be installed; `--compare` gets the same on the software
GPU with the same version of PyTorch, for the operators of the record.

Needs PyTorch's CUDA build (2.11 or newer), numpy, expecttest and hypothesis in the environment of cuox.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import random
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterable
from typing import Any

import torch_opinfo_facts

STREAM_SAMPLES = 3  # of these are called behind an unfinished kernel, too
SAMPLES = 12  # of an operator and dtype: evenly out of all
DTYPES = ("float32", "float64", "int64", "bool", "bfloat16")
# PyTorch has them, or some of their variants, for the CPU only; jiterator_* are for CUDA only.
NOT_ON_GPUS = (
    "histogram",
    "histogramdd",
    "narrow_copy",
    "sparse.mm",
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu",
)


# Their indices are on the CPU, whichever the device: samples with them do not tell which tensors go to the device.
INDICES_ON_HOST = ("tensor_split",)


# CUDA's kernels lay out their results otherwise than the CPU's: `--compare` looks at them.
LAID_OUT_FOR_CUDA = (
    *(
        "fft_hfft2",
        "fft_hfftn",
        "fft_rfft2",
        "fft_rfftn",
        "linalg_eig",
        "linalg_svd",
        "nn_functional_max_unpool2d",
        "pca_lowrank",
        "svd",
    ),
    *("nn_functional_max_unpool2d_grad", "nonzero_static", "svd_lowrank", "unique", "unique_consecutive"),
)
LAID_OUT = "laid out for CUDA: "


class Mismatch(Exception):
    """A result that is not as the CPU's."""


def cases() -> list[tuple[str, str]]:
    """All operators, with the dtypes that the CPU has them in."""
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    found = []
    for op in op_db:
        if op.name.startswith("jiterator") or op.name in NOT_ON_GPUS:
            continue
        for dtype in DTYPES:
            if op.supports_dtype(getattr(torch, dtype), "cpu"):
                found.append((op.formatted_name, dtype))
    return sorted(found)


def copied(value: Any, device: str) -> Any:
    """Arguments on a device, with the storages, strides and offsets that their tensors have; tensors that are given
    twice stay one, those that share a storage still do, and devices that are named are this one.
    """
    import torch
    from torch.utils._pytree import tree_map

    done: dict[int, Any] = {}
    storages: dict[int, Any] = {}

    def storage_of(one: Any) -> Any:
        there = one.untyped_storage()
        if there.data_ptr() not in storages:
            spread = torch.empty(0, dtype=torch.uint8, device=one.device).set_(there)
            storages[there.data_ptr()] = spread.to(device, copy=True).untyped_storage()
        return storages[there.data_ptr()]

    def made(one: Any) -> Any:
        if one.layout is not torch.strided:
            return one.to(device, copy=True)
        if not one.numel():
            return torch.empty_like(one, device=device)
        there = torch.empty(0, dtype=one.dtype, device=device)
        there.set_(storage_of(one), one.storage_offset(), one.shape, one.stride())
        there = there.conj() if one.is_conj() else there
        return there._neg_view() if one.is_neg() else there

    def move(one: Any) -> Any:
        if isinstance(one, torch.Tensor):
            if id(one) not in done:
                done[id(one)] = made(one.detach()).requires_grad_(one.requires_grad)
            return done[id(one)]
        if isinstance(one, torch.device):
            return torch.device(device)
        return device if isinstance(one, str) and (one == "cpu" or one.startswith("cuda")) else one

    return tree_map(move, value)


def compare(ours: Any, theirs: Any, what: str) -> None:
    """Raise Mismatch unless results on the device are as the CPU's."""
    import torch
    from torch.utils._pytree import tree_leaves

    left, right = tree_leaves(ours), tree_leaves(theirs)
    if len(left) != len(right):
        raise Mismatch(f"{what}: {len(left)} results, {len(right)} on the CPU")
    for one, other in zip(left, right):
        if not isinstance(other, torch.Tensor):
            if one != other and not (one != one and other != other) and not isinstance(other, torch.device):
                raise Mismatch(f"{what}: {one!r}, {other!r} on the CPU")
            continue
        if one.device.type != "cuda":
            raise Mismatch(f"{what}: the result is on {one.device}")
        if one.dtype != other.dtype or one.shape != other.shape:
            raise Mismatch(f"{what}: {one.dtype} {tuple(one.shape)}, {other.dtype} {tuple(other.shape)} on the CPU")
        if one.layout != other.layout:
            raise Mismatch(f"{what}: {one.layout}, {other.layout} on the CPU")
        if other.layout is torch.strided:
            if one.numel() and one.stride() != other.stride() and not what.startswith(LAID_OUT):
                raise Mismatch(f"{what}: strides {one.stride()}, {other.stride()} on the CPU")
            if one.is_conj() != other.is_conj() or one.is_neg() != other.is_neg():
                raise Mismatch(f"{what}: the bits of conjugates or negatives differ")
        if not what.startswith("empty") and not values_equal(one.detach().cpu(), other.detach()):
            raise Mismatch(f"{what}: values differ{by_how_much(one.detach().cpu(), other.detach())}")


def by_how_much(one: Any, other: Any) -> str:
    """The largest difference relative to the largest value, where there is one to tell."""
    if not (other.is_floating_point() or other.is_complex()) or one.is_sparse:
        return ""
    largest = other.abs().max().item()
    return f" by {(one - other).abs().max().item() / largest if largest else 0:.1e} of the largest"


def values_equal(one: Any, other: Any) -> bool:
    """Equal to the bit, but for the payload of NaNs."""
    import torch

    try:
        torch.testing.assert_close(one, other, rtol=0, atol=0, equal_nan=True, check_stride=False)
    except AssertionError:
        return False
    return True


def sharing(results: Any, arguments: Any) -> list[tuple[int, ...]]:
    """For each tensor of the results the arguments whose storage it has."""
    import torch
    from torch.utils._pytree import tree_leaves

    given = [one for one in tree_leaves(arguments) if isinstance(one, torch.Tensor) and one.layout is torch.strided]
    found = []
    for one in tree_leaves(results):
        if isinstance(one, torch.Tensor) and one.layout is torch.strided and one.numel():
            address = one.untyped_storage().data_ptr()
            found.append(tuple(i for i, other in enumerate(given) if other.untyped_storage().data_ptr() == address))
    return found


def call(function: Any, arguments: Any) -> Any:
    """A call with the generators as after a seed."""
    import torch

    torch.manual_seed(0)
    input, args, kwargs = arguments
    return function(input, *args, **kwargs)


def both(function: Any, arguments: Any, what: str, on_gpus: bool) -> tuple[Any, Any]:
    """Call a function with arguments on the CPU and on the device; where the CPU refuses, so must the device, which
    may also refuse what is not for GPUs.
    """
    there, arguments = copied(arguments, "cuda:0"), copied(arguments, "cpu")
    try:
        theirs = call(function, arguments)
    except Exception as error:
        try:
            call(function, there)
        except Exception:
            raise _Refused from None
        raise Mismatch(f"{what}: the CPU refuses: {error}") from None
    try:
        ours = call(function, there)
    except NotImplementedError as error:
        if "on CUDA" in str(error) and not on_gpus:
            raise _Refused from None
        raise
    compare(ours, theirs, what)
    if sharing(ours, there) != sharing(theirs, arguments):
        raise Mismatch(
            f"{what}: shares {sharing(ours, there)} with the arguments, {sharing(theirs, arguments)} on the CPU"
        )
    return ours, theirs


class _Refused(Exception):
    """Both devices refuse the arguments."""


def check_inplace(op: Any, arguments: Any) -> None:
    """The variant in place writes to its first operand."""
    import torch

    input = arguments[0]
    if not isinstance(input, torch.Tensor) or op.inplace_variant is None:
        return
    mine = copied(arguments, "cuda:0")
    try:
        theirs = call(op.inplace_variant, copied(arguments, "cpu"))
    except Exception:
        return
    before = mine[0].untyped_storage().data_ptr()
    ours = call(op.inplace_variant, mine)
    compare(ours, theirs, "in place")
    if ours is not mine[0] or ours.untyped_storage().data_ptr() != before:
        raise Mismatch("in place: the result is not the operand")


def check_out(op: Any, arguments: Any, theirs: Any) -> None:
    """The variant with `out=` writes to what it is given, and makes an empty tensor as large as it has to be."""
    import torch

    if (
        not op.supports_out
        or not isinstance(theirs, torch.Tensor)
        or "empty" in op.name
        or theirs.layout is not torch.strided
    ):
        return
    input, args, kwargs = copied(arguments, "cuda:0")
    cpu = copied(arguments, "cpu")
    for empty in (False, True):
        wanted = torch.empty(0, dtype=theirs.dtype) if empty else torch.empty_like(theirs)
        try:
            call(op.get_op(), (cpu[0], cpu[1], {**cpu[2], "out": wanted}))
        except Exception:
            continue
        if not values_equal(wanted.detach(), theirs.detach()):
            continue  # PyTorch leaves some of it unwritten, on the CPU too
        out = torch.empty(0, dtype=theirs.dtype, device="cuda") if empty else torch.empty_like(theirs, device="cuda")
        before = out.data_ptr()
        result = call(op.get_op(), (input, args, {**kwargs, "out": out}))
        if result is not out and result.data_ptr() != out.data_ptr():
            raise Mismatch("out=: the result is another tensor")
        if not empty and out.data_ptr() != before:
            raise Mismatch("out=: the memory is other than was given")
        if out.shape != wanted.shape or not values_equal(out.detach().cpu(), wanted.detach()):
            raise Mismatch("out=: values differ")


def check_gradients(op: Any, dtype: Any) -> None:
    """Gradients are the CPU's."""
    import torch
    from torch.utils._pytree import tree_leaves

    torch.manual_seed(1)
    for sample in some(op.sample_inputs("cpu", dtype, requires_grad=True), 3):
        if op.name in INDICES_ON_HOST and any(isinstance(one, torch.Tensor) for one in sample.args):
            continue
        arguments = copied((sample.input, sample.args, sample.kwargs), "cpu")
        gradients = []
        for values in (arguments, copied(arguments, "cuda:0")):
            try:
                result = call(op.get_op(), values)
            except Exception:
                if values is arguments:
                    break
                raise
            result = sample.output_process_fn_grad(result)
            wanted = [
                one
                for one in tree_leaves(values)
                if isinstance(one, torch.Tensor) and one.requires_grad and one.is_leaf
            ]
            parts = [
                one
                for one in tree_leaves(result)
                if isinstance(one, torch.Tensor) and one.requires_grad and one.layout is torch.strided
            ]
            if not wanted or not parts:
                break
            total = sum(one.real.sum() + one.imag.sum() if one.is_complex() else one.sum() for one in parts)
            torch.manual_seed(0)
            gradients.append(torch.autograd.grad(total, wanted, allow_unused=True))
        if len(gradients) == 2:
            compare(gradients[1], gradients[0], "gradients")


def some(samples: Iterable[Any], count: int) -> list[Any]:
    """So many of the samples, evenly."""
    found = list(samples)
    return found[:: max(1, -(-len(found) // count))]


LATE = r"""
extern "C" __global__ void bring_late(const unsigned char *from, unsigned char *to, int bytes, int nanoseconds)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); while (now - begin < nanoseconds);
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = from[i];
}
"""


@functools.cache
def late_kernel() -> Any:
    """A kernel that copies bytes after a while."""
    import torch

    return torch.cuda._compile_kernel(LATE, "bring_late")


def check_stream(op: Any, arguments: Any, theirs: Any) -> None:
    """In a stream of its own, behind a kernel that writes the arguments' values while the call is made."""
    import torch
    from torch.utils._pytree import tree_leaves

    there = copied(arguments, "cuda:0")
    storages = {}
    for one in tree_leaves(there):
        if isinstance(one, torch.Tensor) and one.layout is torch.strided and one.numel():
            storages[one.untyped_storage().data_ptr()] = one.untyped_storage()
    pairs = []
    for storage in storages.values():
        bytes_of = torch.empty(0, dtype=torch.uint8, device="cuda").set_(storage)
        pairs.append((bytes_of.clone(), bytes_of))
    if not pairs:
        return
    kernel = late_kernel()
    stream = torch.cuda.Stream()
    for milliseconds in (20, 200, 1000):  # the machine may be busy
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            for number, (values, bytes_of) in enumerate(pairs):
                bytes_of.zero_()
                nanoseconds = 0 if number else milliseconds * 1_000_000
                kernel((1, 1, 1), (128, 1, 1), (values, bytes_of, values.numel(), nanoseconds), stream=stream)
            if stream.query():
                continue
            ours = call(op.get_op(), there)
            stream.synchronize()
        break
    else:
        raise Mismatch("in a stream: the kernel before the call does not run any more")
    laid_out = LAID_OUT if op.formatted_name in LAID_OUT_FOR_CUDA else ""
    compare(ours, theirs, laid_out + "in a stream behind a kernel")


def check_gradcheck(op: Any) -> None:
    """PyTorch's `gradcheck` passes where it does on the CPU."""
    import torch

    torch_opinfo_facts.seed()
    for sample in some(op.sample_inputs("cpu", torch.float64, requires_grad=True), 3):
        if op.name in INDICES_ON_HOST and any(isinstance(one, torch.Tensor) for one in sample.args):
            continue
        if torch_opinfo_facts.gradcheck(op, sample, "cpu") and not torch_opinfo_facts.gradcheck(op, sample, "cuda:0"):
            raise Mismatch("gradcheck fails")


def check(name: str, dtype_name: str) -> None:
    """Check an operator in a dtype; raises where it is not as on the CPU."""
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    op = next(one for one in op_db if one.formatted_name == name)
    dtype = getattr(torch, dtype_name)
    on_gpus = op.supports_dtype(dtype, "cuda")
    torch.manual_seed(1)
    for number, sample in enumerate(some(op.sample_inputs("cpu", dtype, requires_grad=False), SAMPLES)):
        if name in INDICES_ON_HOST and any(isinstance(one, torch.Tensor) for one in sample.args):
            continue
        arguments = (sample.input, sample.args, sample.kwargs)
        try:
            empty = "empty: " if "empty" in op.name else LAID_OUT if name in LAID_OUT_FOR_CUDA else ""
            _, theirs = both(op.get_op(), arguments, empty + "result", on_gpus)
            both(op.get_op(), arguments, empty + "result of a second call", on_gpus)
        except _Refused:
            continue
        if not sample.broadcasts_input:
            check_inplace(op, arguments)
        check_out(op, arguments, theirs)
        if number < STREAM_SAMPLES and "empty" not in op.name:
            check_stream(op, arguments, theirs)
    if op.supports_autograd and dtype.is_floating_point and dtype in op.supported_backward_dtypes("cpu"):
        check_gradients(op, dtype)
        if dtype is torch.float64:
            check_gradcheck(op)
    torch.cuda.synchronize()


def load_torch() -> None:
    """Import PyTorch, with cuox where that is installed: a GPU needs none."""
    try:
        import cuox.torch  # noqa: F401
    except ModuleNotFoundError:
        pass
    import torch

    if not torch.cuda.is_available():
        sys.exit("PyTorch finds no device: install cuox, and set CUOX_DEVICE=soft")


def work(path: str, facts: bool) -> None:
    """In a process of its own: run the cases of a file, and print a line before and after each."""
    with open(path) as file:
        todo = json.load(file)
    load_torch()
    import torch

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for name, dtype in todo:
        print(json.dumps({"begin": [name, dtype]}), flush=True)
        found = None
        try:
            if facts:
                found = torch_opinfo_facts.of_case(name, dtype)
            else:
                check(name, dtype)
            result = ""
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            text = str(error).strip().splitlines()
            result = f"{type(error).__name__}: {text[0] if text else ''}"
            if os.environ.get("TRACE"):
                traceback.print_exc()
        print(json.dumps({"end": [name, dtype], "result": result, "facts": found}), flush=True)
        if "CUDA error" in result:
            sys.exit(f"{name} {dtype}: {result}")  # nothing runs in this process any more


def run(todo: list[tuple[str, str]], facts: dict[str, Any] | None = None) -> dict[tuple[str, str], str]:
    """The results of cases: an empty text for those that passed, else why not; their facts go where they are wanted."""
    results: dict[tuple[str, str], str] = {}
    while todo:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(todo, file)
            file.flush()
            command = [sys.executable, __file__, "--work", file.name, *(["--facts"] if facts is not None else [])]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            current: tuple[str, str] | None = None
            for line in process.stdout:
                if not line.startswith("{"):
                    print(line, end="")
                    continue
                told = json.loads(line)
                if "begin" in told:
                    current = tuple(told["begin"])
                else:
                    results[tuple(told["end"])] = told["result"]
                    if facts is not None and told["facts"] is not None:
                        facts[" ".join(told["end"])] = told["facts"]
                    if told["result"]:
                        print(" ".join(told["end"]), told["result"], flush=True)
                    current = None
            status = process.wait()
        if current is not None:
            results[current] = f"crashed: exit status {status}"
            print(" ".join(current), results[current], flush=True)
        elif status and not results:
            sys.exit(f"the tests do not run: exit status {status}")
        todo = [one for one in todo if tuple(one) not in results]
    return results


def compare_with(record: dict[str, Any], names: str | None) -> dict[tuple[str, str], str]:
    """The results of a record's cases: an empty text for those that are as in the record, else the difference."""
    import torch

    if record["torch"].split("+")[0] != torch.__version__.split("+")[0]:
        sys.exit(f"the record is of PyTorch {record['torch']}, this is {torch.__version__}")
    todo = [tuple(case.split(" ")) for case in sorted(record["cases"])]
    todo = [one for one in todo if names is None or one[0] in names.split(",")]
    facts: dict[str, Any] = {}
    results = run(todo, facts)
    for case in todo:
        name = " ".join(case)
        if not results[case]:
            results[case] = torch_opinfo_facts.difference(facts[name], record["cases"][name])
            if results[case]:
                print(name, results[case], flush=True)
    return results


def report(results: dict[tuple[str, str], str], path: str | None) -> int:
    """Print the totals, and write the results to a file."""
    if path:
        with open(path, "w") as file:
            json.dump([[*case, result] for case, result in sorted(results.items())], file, indent=1)
    crashed = sum(result.startswith("crashed") for result in results.values())
    passed = sum(not result for result in results.values())
    print(f"{passed} passed, {len(results) - passed - crashed} failed, {crashed} crashed")
    return 0 if passed == len(results) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="how many operators and dtypes (0: all)")
    parser.add_argument("--seed", type=int, default=2026, help="of the choice")
    parser.add_argument("--names", help="these operators only, by their names separated by commas, in all dtypes")
    parser.add_argument("--list", help="write the results to this file, as JSON")
    parser.add_argument("--record", help="write what a GPU shows to this file")
    parser.add_argument("--compare", help="compare with this record of a GPU's, for the operators in it")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--facts", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.facts)
        return 0
    load_torch()
    if options.compare:
        results = compare_with(torch_opinfo_facts.read(options.compare), options.names)
        return report(results, options.list)
    todo = cases()
    if options.names:
        names = options.names.split(",")
        todo = [one for one in todo if one[0] in names]
    elif options.count:
        todo = sorted(random.Random(options.seed).sample(todo, options.count))
    facts: dict[str, Any] | None = {} if options.record else None
    results = run(todo, facts)
    if facts is not None:
        torch_opinfo_facts.write(options.record, facts)
    return report(results, options.list)


if __name__ == "__main__":
    sys.exit(main())
