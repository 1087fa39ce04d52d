"""Arguments of `cuox.cuda.coop` that kernels find out: what is none is an error of the launch on the software GPU."""

from __future__ import annotations

from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda import coop
from cuox.numba import cuda, types


@pytest.fixture(autouse=True)
def _device() -> None:
    cuox.Device().set_current()


def _is_refused(kernel: Any, message: str, *args: Any, threads: int = 64) -> None:
    if cuox.Device().is_soft:
        with pytest.raises(ValueError, match=message):
            kernel[1, threads](*args)
            cuda.synchronize()


def test_bits_of_a_sort() -> None:
    @cuda.jit
    def sort(out, bits):
        at = cuda.threadIdx.x
        begin, end = bits[at]["begin"], bits[at]["end"]
        out[at] = coop.radix_sort_keys(coop.this_block(), types.int32(63 - at), begin_bit=begin, end_bit=end)

    out = cuda.device_array(64, np.int32)
    bits = np.zeros(64, [("begin", np.int64), ("end", np.int64)])
    bits["begin"], bits["end"] = 2, 5
    sort[1, 64](out, cuda.to_device(bits))
    keys = 63 - np.arange(64)
    assert out.copy_to_host().tolist() == keys[np.argsort(keys >> 2 & 7, kind="stable")].tolist()
    bits["end"][40:] = 6
    _is_refused(sort, "end_bit must be the same in all threads", out, cuda.to_device(bits))
    bits["begin"][1] = 3
    _is_refused(sort, "begin_bit must be the same in all threads", out, cuda.to_device(bits))
    for begin, end in ((-1, 5), (5, 2), (0, 33), (2**32, 5), (0, 2**32 + 5)):
        bits["begin"], bits["end"] = begin, end
        _is_refused(sort, "begin_bit and end_bit must be 0 to 32, in this order", out, cuda.to_device(bits))


@pytest.mark.parametrize("mode", ["blocked", "striped", "striped_guarded", "striped_flagged"])
def test_ranks_of_an_exchange(mode: str) -> None:
    named, flagged = f"scatter_to_{mode}", mode == "striped_flagged"
    made = coop.block.exchange(getattr(coop.block.BlockExchangeType, _pascal(named)), np.int32, 64, 2)

    @cuda.jit
    def single(out, ranks):
        own, rank, flags = coop.ThreadData(2, np.int32), coop.ThreadData(2, np.int64), coop.ThreadData(2, np.uint8)
        for i in range(2):
            at = cuda.threadIdx.x * 2 + i
            own[i], rank[i], flags[i] = at, ranks[at], ranks[at] >= 0
        if flagged:
            found = coop.exchange(coop.this_block(), own, mode=named, ranks=rank, valid_flags=flags)
        else:
            found = coop.exchange(coop.this_block(), own, mode=named, ranks=rank)
        coop.store(coop.this_block(), out, found, algorithm="direct" if named == "scatter_to_blocked" else "striped")

    @cuda.jit
    def outside(out, ranks):
        own, rank, flags = cuda.local.array(2, np.int32), cuda.local.array(2, np.int64), cuda.local.array(2, np.uint8)
        for i in range(2):
            at = cuda.threadIdx.x * 2 + i
            own[i], rank[i], flags[i] = at, ranks[at], ranks[at] >= 0
        if flagged:
            made(own, ranks=rank, valid_flags=flags)
        else:
            made(own, ranks=rank)
        for i in range(2):
            out[cuda.threadIdx.x * 2 + i if named == "scatter_to_blocked" else i * 64 + cuda.threadIdx.x] = own[i]

    for kernel in (single, outside):
        ranks = 127 - np.arange(128)
        out = cuda.device_array(128, np.int32)
        kernel[1, 64](out, cuda.to_device(ranks))
        assert out.copy_to_host().tolist() == ranks.tolist()
        ranks[5] = 128
        _is_refused(kernel, "ranks must be 0 to 127", out, cuda.to_device(ranks))
        ranks[5] = -1
        if mode in ("striped_guarded", "striped_flagged"):
            kernel[1, 64](out, cuda.to_device(ranks))
            cuda.synchronize()
        else:
            _is_refused(kernel, "ranks must be 0 to 127, for each item", out, cuda.to_device(ranks))


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def test_place_of_an_aggregate() -> None:
    @cuda.jit
    def kernel(out):
        aggregate = cuda.local.array(0, np.int32)
        out[0] = coop.inclusive_sum(coop.this_block(), types.int32(1), aggregate_output=aggregate)

    with pytest.raises(cuox.KernelTypeError, match="aggregate_output must be an array of 1 or more, got 0"):
        kernel[1, 32](cuda.device_array(1, np.int32))


def test_group_by_name() -> None:
    @cuda.jit
    def kernel(out):
        out[cuda.threadIdx.x] = coop.sum(value=cuda.threadIdx.x, group=coop.this_block())

    out = cuda.device_array(40, np.int32)
    kernel[1, 40](out)
    assert out.copy_to_host().tolist() == [780] * 40


def test_place_of_a_histogram() -> None:
    count = coop.block.make_histogram(np.int32, np.int32, 32, 1, 16)

    @cuda.jit
    def kernel(out, is_local):
        own = cuda.local.array(1, np.int32)
        own[0] = cuda.threadIdx.x % 16
        counters = cuda.local.array(16, np.int32)
        if is_local:
            counters = cuda.local.array(16, np.int32)
        else:
            counters = out
        count(own, counters)

    out = cuda.device_array(16, np.int32)
    kernel[1, 32](out, False)
    assert out.copy_to_host().tolist() == [2] * 16
    if cuox.Device().is_soft:
        with pytest.raises(TypeError, match="histogram must be in shared or global memory"):
            kernel[1, 32](out, True)
            cuda.synchronize()
