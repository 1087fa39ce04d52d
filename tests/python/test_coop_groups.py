"""Groups of warps and of one thread, valid items, and counts at their bounds, in `cuox.cuda.coop`."""

from __future__ import annotations

from typing import Any

import cuox
import numpy as np
import pytest
from cuox._internal.kernel_errors import KernelTypeError
from cuox.cuda import coop
from cuox.numba import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore:Host array used", "ignore:Grid size")

RNG = np.random.default_rng(43)


@pytest.fixture(autouse=True)
def _device() -> None:
    cuox.Device().set_current()


@pytest.mark.parametrize("shape", [160, (8, 4, 5), 32, 1024])
def test_groups_of_warps(shape: Any) -> None:
    threads = int(np.prod(shape))
    warps = threads // 32
    source = RNG.integers(-100, 100, (2, threads)).astype(np.int32)
    for count in {1, 2, 3, warps}:
        if count > warps:
            continue

        @cuda.jit
        def kernel(source: Any, out: Any, count: int) -> None:
            block = coop.this_block()
            rank = block.rank()
            group = block.group_by(count, exhaustive=False)
            items = coop.ThreadData(2, types.int32)
            items[0], items[1] = source[0, rank], source[1, rank]
            out[0, rank] = coop.sum(group, items)
            out[1, rank] = coop.reduce(group, source[0, rank], binary_op="max")
            if group.is_member():
                out[2, rank] = group.rank() * 100000 + group.rank("warp") * 1000 + group.rank("block")
                out[3, rank] = group.count() * 10000 + group.count("warp") * 100 + group.count("block")

        out = np.full((4, threads), -1)
        kernel[1, shape](source, out, count)
        rank, width = np.arange(threads), 32 * count
        members = rank < threads // width * width
        groups = source[:, members].reshape(2, -1, width)
        expected = np.zeros((4, threads), np.int64)
        expected[2:] = -1
        expected[0, members] = np.repeat(groups.sum(axis=(0, 2)), width)
        expected[1, members] = np.repeat(groups[0].max(axis=1), width)
        expected[2, members] = (rank % width * 100000 + rank % width // 32 * 1000 + rank // width)[members]
        expected[3, members] = width * 10000 + count * 100 + warps // count
        assert np.array_equal(out, expected)


def test_what_groups_of_warps_are_not_for() -> None:
    out = np.zeros(128, np.int32)

    def divides(out: Any) -> None:
        coop.this_block().group_by(3)

    def many(out: Any) -> None:
        coop.this_block().group_by(5)

    def scans(out: Any) -> None:
        coop.inclusive_sum(coop.this_block().group_by(2), out[0])

    def stores(out: Any) -> None:
        coop.sum(coop.this_block().group_by(2), out[0], temp_storage=coop.TempStorage())

    def waits(out: Any) -> None:
        coop.this_block().group_by(2).sync()

    def half(out: Any) -> None:
        group = coop.this_block().group_by(2)
        if cuda.threadIdx.x < 64:
            out[0] = coop.sum(group, out[0])

    for function, message in (
        (divides, r"group_by\(\): 3 does not divide the 4 warps of the block"),
        (many, r"group_by\(\): count must be an int from 1 to the block's 4 warps"),
        (scans, r"coop.inclusive_sum\(\): groups of warps can reduce and sum"),
        (stores, r"coop.sum\(\): groups of warps bring no storage"),
        (waits, r"sync\(\) is not supported for groups of warps"),
        (half, r"coop.sum\(\) is called by a part of the 128 threads of a block"),
    ):
        with pytest.raises(KernelTypeError, match=message):
            cuda.jit(function)[1, 128](out)


def test_reduction_of_a_threads_own_items() -> None:
    @cuda.jit
    def kernel(source: Any, out: Any) -> None:
        rank = cuda.threadIdx.x
        items = coop.ThreadData(3, types.int32)
        for i in range(3):
            items[i] = source[rank, i]
        if rank % 2:
            out[rank] = coop.sum(coop.this_thread(), items)
        else:
            out[rank] = coop.reduce(coop.this_thread(), items, binary_op="min")

    source, out = RNG.integers(-100, 100, (37, 3)).astype(np.int32), np.zeros(37, np.int32)
    kernel[1, 37](source, out)
    assert np.array_equal(out, np.where(np.arange(37) % 2, source.sum(axis=1), source.min(axis=1)))


@pytest.mark.parametrize("width", [1, 5, 8, 32])
def test_scans_of_valid_items_of_warps(width: int) -> None:
    @cuda.jit
    def kernel(source: Any, out: Any, valid: int) -> None:
        rank = cuda.threadIdx.x
        group = coop.this_warp().group_by(width, exhaustive=False)
        if group.is_member():
            aggregate, most = coop.ThreadData(1, types.int32), coop.ThreadData(1, types.int32)
            out[0, rank] = coop.exclusive_sum(group, source[rank], valid_items=valid, aggregate_output=aggregate)
            out[1, rank] = aggregate[0]
            out[2, rank] = coop.inclusive_scan(
                group, source[rank], scan_op="max", valid_items=valid, aggregate_output=most
            )
            out[3, rank] = most[0]

    source = RNG.integers(-100, 100, 64).astype(np.int32)
    for valid in {1, width // 2, width, width + 3} - {0}:
        out = np.zeros((4, 64), np.int32)
        kernel[1, 64](source, out, valid)
        for first in (begin + at for begin in (0, 32) for at in range(0, 32 - width + 1, width)):
            seen = slice(first, first + min(valid, width))
            part = source[seen]
            assert np.array_equal(out[0, seen], np.cumsum(part) - part)
            assert np.array_equal(out[2, seen], np.maximum.accumulate(part))
            assert (out[1, first : first + width] == part.sum()).all() and (out[3, seen] == part.max()).all()


def test_counts_that_are_none() -> None:
    """On a GPU nothing is checked."""
    if not cuox.Device().is_soft:
        return

    @cuda.jit
    def sums(out: Any, valid: int) -> None:
        out[cuda.threadIdx.x] = coop.sum(coop.this_block(), 1, valid_items=valid)

    @cuda.jit
    def scans(out: Any, valid: int) -> None:
        out[cuda.threadIdx.x] = coop.inclusive_sum(coop.this_warp(), 1, valid_items=valid)

    made = coop.block.make_sum(np.int64, 64)

    @cuda.jit
    def first(out: Any, valid: int) -> None:
        out[cuda.threadIdx.x] = made(out[0], valid)

    for kernel, name in (
        (sums, r"coop.sum\(\): valid_items"),
        (scans, r"coop.inclusive_sum\(\): valid_items"),
        (first, r"block.sum\(\): num_valid"),
    ):
        for valid in (0, -1):
            with pytest.raises(ValueError, match=f"{name} must be 1 or more"):
                kernel[1, 64](np.zeros(64, np.int64), valid)
                cuda.synchronize()
        kernel[1, 64](np.zeros(64, np.int64), 1)


def test_storage_that_is_not_shared() -> None:
    """It was written to, the program's own array or each thread's, and results were wrong."""
    if not cuox.Device().is_soft:
        return
    made = coop.block.make_sum(np.int32, 64)

    @cuda.jit(link=made.files)
    def own(data: Any, out: Any) -> None:
        storage = cuda.local.array(made.temp_storage_bytes, "uint8")
        out[0] = made(storage, data[cuda.threadIdx.x])

    @cuda.jit
    def other(data: Any, out: Any) -> None:
        out[0] = coop.sum(coop.this_block(), data[cuda.threadIdx.x], temp_storage=data)

    for kernel, name in ((own, "block.sum"), (other, "coop.sum")):
        data, out = np.ones(64, np.int32), np.zeros(1, np.int32)
        with pytest.raises(TypeError, match=rf"{name}\(\): temp_storage must be in shared memory"):
            kernel[1, 64](data, out)
            cuda.synchronize()
        assert (data == 1).all()


def test_wrong_runs_and_windows_far_behind() -> None:
    @cuda.jit
    def kernel(values: Any, lengths: Any, out: Any, window: Any) -> None:
        block, rank = coop.this_block(), cuda.threadIdx.x
        value, length = coop.ThreadData(1), coop.ThreadData(1)
        value[0], length[0] = values[rank], lengths[rank]
        total = coop.ThreadData(1)
        found = coop.run_length_decode(
            block, value, length, decoded_items_per_thread=2, decoded_window_offset=window, total_decoded_size=total
        )
        coop.store(block, out, found)
        out[64] = total[0]

    values, lengths = np.arange(1, 33), np.zeros(32, np.int64)
    lengths[:4] = 0, 5, 0, 2
    items = [2] * 5 + [4] * 2
    for window in (0, 3, 7, 2**32, 2**32 + 1, np.uint64(2**64 - 8)):
        out = np.zeros(65, np.int64)
        kernel[1, 32](values, lengths, out, window)
        shown = items[int(window) :]
        assert out.tolist() == [*shown, *[0] * (64 - len(shown)), 7]
    # On a GPU nothing is checked.
    if cuox.Device().is_soft:
        for wrong in ([-1], [2**32], [2**32 - 1, 1]):
            lengths[:] = 0
            lengths[3 : 3 + len(wrong)] = wrong
            with pytest.raises(ValueError, match=r"coop.run_length_decode\(\): run_lengths must not be negative"):
                kernel[1, 32](values, lengths, out, 0)
                cuda.synchronize()
        with pytest.raises(ValueError, match=r"coop.run_length_decode\(\): the offset must not be negative"):
            kernel[1, 32](values, np.zeros(32, np.int64), out, -1)
            cuda.synchronize()


def test_decoded_items_go_where_there_are_places_for_both() -> None:
    @cuda.jit
    def kernel(out: Any, relative: Any, totals: Any) -> None:
        value, length = coop.ThreadData(1, np.int32), coop.ThreadData(1, np.uint32)
        value[0], length[0] = cuda.threadIdx.x, 2
        totals[cuda.threadIdx.x] = coop.run_length_decode_into(
            coop.this_block(),
            value,
            length,
            out,
            decoded_items_per_thread=2,
            relative_offsets=relative,
            destination_offset=1,
        )

    for places, others in ((70, 70), (70, 9), (9, 70), (1, 1)):
        out, relative, totals = np.full(80, -1, np.int32), np.full(80, 9, np.uint32), np.zeros(32, np.int64)
        d_out, d_relative = cuda.to_device(out), cuda.to_device(relative)
        kernel[1, 32](d_out[:places], d_relative[:others], totals)
        count = min(places, others, 65) - 1
        assert d_out.copy_to_host().tolist() == [-1, *(np.arange(count) // 2), *[-1] * (79 - count)]
        assert d_relative.copy_to_host().tolist() == [9, *(np.arange(count) % 2), *[9] * (79 - count)]
        assert (totals == 64).all()


def test_ranks_are_by_four_bits_unless_said_otherwise() -> None:
    @cuda.jit
    def kernel(keys: Any, out: Any) -> None:
        rank = cuda.threadIdx.x
        out[0, rank] = coop.radix_rank(coop.this_block(), keys[rank])
        out[1, rank] = coop.radix_rank(coop.this_block(), keys[rank], begin_bit=30)

    keys, out = RNG.integers(0, 2**32, 64, np.uint32), np.zeros((2, 64), np.int32)
    kernel[1, 64](keys, out)
    for ranks, digits in zip(out, (keys % 16, keys >> 30), strict=True):
        assert np.array_equal(np.argsort(ranks), np.argsort(digits, kind="stable"))


def test_numbers_of_the_greatest_items_are_integers() -> None:
    @cuda.jit
    def kernel(out: Any, count: Any) -> None:
        coop.topk_max_keys(coop.this_block(), out[0], count)

    for count, kind in ((2.5, "float64"), (np.zeros(1), "array of float64")):
        with pytest.raises(KernelTypeError, match=rf"coop.topk_max_keys\(\): k must be an integer, got {kind}"):
            kernel[1, 32](np.zeros(32, np.int32), count)
