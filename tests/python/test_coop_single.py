"""Operations of `cuox.cuda.coop` that kernels call without having made them."""

from __future__ import annotations

import warnings
from typing import Any

import cuox
import numpy as np
import pytest
from cuox._internal.kernel_errors import KernelTypeError
from cuox.cuda import coop
from cuox.numba import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore:Host array used", "ignore:Grid size")

RNG = np.random.default_rng(41)


@pytest.fixture(autouse=True)
def _device() -> None:
    cuox.Device().set_current()


def test_tile_of_a_block() -> None:
    """NVIDIA's first example: the number of items is an argument, and the kernel is compiled for each."""
    coop.register("numba-cuda-mlir")

    @cuda.jit
    def copy_tile(source: Any, destination: Any, items_per_thread: Any) -> None:
        block = coop.this_block()
        items = coop.ThreadData(items_per_thread)
        coop.load(block, source, items, algorithm="direct")
        coop.store(block, destination, items, algorithm="direct")

    for shape, dtype, items in (
        (128, np.int32, 2),
        (128, np.int32, 3),
        ((8, 4), np.float64, 2),
        ((2, 4, 8), np.int32, 2),
    ):
        source = RNG.integers(0, 100, int(np.prod(shape)) * items).astype(dtype)
        destination = np.zeros_like(source)
        copy_tile[1, shape](source, destination, items)
        assert np.array_equal(source, destination)
    # The first of those for these types, and the others.
    assert len(copy_tile._versions) == 2 and sum(map(len, copy_tile._for_launches.values())) == 2


def test_sums_and_scans_by_blocks_and_warps() -> None:
    @cuda.jit
    def kernel(source: Any, sums: Any, scanned: Any, of_warp: Any, before: Any, most: Any) -> None:
        block, warp, eight = coop.this_block(), coop.this_warp(), coop.this_warp().group_by(8)
        own = coop.ThreadData(2)
        scratch = coop.TempStorage(auto_sync=True)
        coop.load(block, source, own, algorithm="transpose", temp_storage=scratch)
        total = coop.sum(block, own, broadcast=False)
        sums[block.rank()] = coop.sum(block, own)
        if block.rank() == 0:
            sums[0] = total
        coop.store(block, scanned, coop.inclusive_sum(block, own, temp_storage=scratch))
        of_warp[block.rank()] = coop.sum(warp, own[0])
        before[block.rank()] = coop.exclusive_scan(block, own[1], scan_op="max", initial_value=-5)
        greatest = coop.reduce(eight, own[0], binary_op=np.maximum, valid_items=5)
        if eight.rank() == 0:
            most[block.rank() // 8] = greatest

    source = RNG.integers(-100, 100, 256, dtype=np.int32)
    sums, of_warp, before = (np.zeros(128, np.int32) for _ in range(3))
    scanned, most = np.zeros_like(source), np.zeros(16, np.int32)
    kernel[1, (16, 8)](source, sums, scanned, of_warp, before, most)
    assert sums.tolist() == [source.sum()] * 128 and np.array_equal(scanned, np.cumsum(source))
    assert np.array_equal(of_warp, np.repeat(source[::2].reshape(4, 32).sum(1), 32))
    assert np.array_equal(before, np.maximum.accumulate(np.r_[np.int32(-5), source[1::2]])[:-1])
    assert np.array_equal(most, source[::2].reshape(16, 8)[:, :5].max(1))


def test_errors_name_what_is_wrong() -> None:
    out = np.zeros(64, np.int32)

    def refused(function: Any, match: str, block: Any = 64) -> None:
        with pytest.raises(KernelTypeError, match=match):
            cuda.jit(function)[1, block](out)

    def no_group(out: Any) -> None:
        coop.sum(out[0])

    def untyped(out: Any) -> None:
        own = coop.ThreadData(2)
        out[0] = coop.sum(coop.this_block(), own)

    def part_of_a_warp(out: Any) -> None:
        out[0] = coop.sum(coop.this_warp(), out[0])

    def grid(out: Any) -> None:
        out[0] = coop.sum(coop.this_grid(), out[0])

    def no_initial(out: Any) -> None:
        out[0] = coop.exclusive_scan(coop.this_block(), out[0], scan_op="max")

    def unknown_operator(out: Any) -> None:
        out[0] = coop.reduce(coop.this_block(), out[0], binary_op="mean")

    refused(no_group, r"coop.sum\(\): its first argument is a group, such as coop.this_block\(\), got int32")
    refused(untyped, "ThreadData is read before anything gave it a type")
    refused(part_of_a_warp, "a block has 40 threads, which is no multiple of 32", 40)
    refused(grid, r"coop.sum\(\) is supported for coop.this_block\(\) and coop.this_warp\(\) alone")
    refused(no_initial, "need initial_value")
    refused(unknown_operator, 'it has no operator "mean"')
    with pytest.raises(RuntimeError, match=r"coop.sum\(\) can be called by kernels only"):
        coop.sum(coop, 1)
    with pytest.raises(ValueError, match="expected \"numba-cuda-mlir\", got 'cutlass'"):
        coop.register("cutlass")


def test_a_declared_kernel_is_compiled_when_it_is_launched() -> None:
    @cuda.jit("void(int32[::1])")
    def kernel(out: Any) -> None:
        total = coop.sum(coop.this_block(), types.int32(1))
        if cuda.threadIdx.x == 0:
            out[0] = total

    with pytest.raises(KernelTypeError, match="the shape of its block is that of a launch"):
        kernel.inspect_asm("void(int32[::1])")
    out = np.zeros(1, np.int32)
    for threads in (96, 33):
        kernel[1, threads](out)
        assert out[0] == threads


def test_calls_by_a_part_of_the_threads() -> None:
    """What a test of the thread's position divides is an error; what data may divide is a warning, and an error of the
    launch on the software GPU.
    """
    out = np.zeros(128, np.int32)

    def refused(function: Any, line: str) -> None:
        with pytest.raises(KernelTypeError, match=f"is called by a part of the 128 threads of a block: .*{line}"):
            cuda.jit(function)[1, 128](out)

    def half(out: Any) -> None:
        if cuda.threadIdx.x < 64:
            out[0] = coop.sum(coop.this_block(), out[0])

    def rest(out: Any) -> None:
        tid = cuda.threadIdx.x
        if tid % 2 == 1:
            return
        out[0] = coop.sum(coop.this_block(), out[0])

    def turns(out: Any) -> None:
        for i in range(cuda.threadIdx.x, 300, 128):
            out[i] = coop.sum(coop.this_block(), out[0])

    def chosen(out: Any) -> None:
        out[0] = coop.sum(coop.this_block(), out[0]) if cuda.threadIdx.x < 64 else 0

    def operand(out: Any) -> None:
        out[0] = cuda.threadIdx.x < 64 and coop.sum(coop.this_block(), out[0]) > 1

    def chain(out: Any) -> None:
        out[0] = 0 < cuda.threadIdx.x < coop.sum(coop.this_block(), out[0])

    @cuda.jit(device=True)
    def total(value: Any) -> Any:
        return coop.sum(coop.this_block(), value)

    @cuda.jit(device=True)
    def more(value: Any) -> Any:
        return total(value) + 1

    def called(out: Any) -> None:
        if cuda.threadIdx.x < 64:
            out[0] = more(out[0])

    def inner(out: Any) -> None:
        def add() -> Any:
            return coop.sum(coop.this_block(), out[0])

        out[0] = add() if cuda.threadIdx.x == 0 else 0

    for function in (half, rest, turns, chosen, operand, chain, called, inner):
        refused(function, "the test in line")

    # Whole warps may go another way, as may turns that all threads have.
    @cuda.jit
    def warps(out: Any) -> None:
        tid = cuda.threadIdx.x
        if tid < 64 and coop.this_block().count() > 3:
            out[tid] = coop.sum(coop.this_warp(), np.int32(1), broadcast=True)
        for i in range(tid, 256, 128):
            out[64 + i // 128] = coop.sum(coop.this_block(), np.int32(i), broadcast=True)

    warps[1, 128](out)
    assert out[:64].tolist() == [32] * 64 and out[64:66].tolist() == [127 * 64, 127 * 64 + 128 * 128]

    def lanes(out: Any) -> None:
        if cuda.threadIdx.x == 3:
            out[0] = coop.sum(coop.this_warp(), np.int32(1))

    with pytest.raises(KernelTypeError, match="is called by a part of the 32 threads of a warp"):
        cuda.jit(lanes)[1, 128](out)


def test_calls_that_data_may_divide() -> None:
    @cuda.jit
    def kernel(data: Any, out: Any) -> None:
        at = cuda.grid(1)
        if data[at] > 0:
            out[cuda.blockIdx.x] = coop.sum(coop.this_block(), data[at], broadcast=True)

    data, out = np.ones(256, np.int32), np.zeros(2, np.int32)
    with pytest.warns(coop.DivergenceWarning, match=r"coop.sum\(\) must be called by all threads of the block"):
        kernel[2, 128](data, out)
    assert out.tolist() == [128, 128]
    if cuox.Device().is_soft:
        data[200] = 0
        with pytest.raises(RuntimeError, match=r"coop.sum\(\) was called by a part of the 128 threads of a block"):
            kernel[2, 128](data, out)
            cuda.synchronize()


def test_turns_that_data_may_divide() -> None:
    """Threads that leave a loop do not begin its next turn; what a collective tells all threads divides none."""

    @cuda.jit
    def leaving(out: Any, count: int) -> None:
        for i in range(count):
            out[i] = coop.sum(coop.this_block(), 1)
            if cuda.threadIdx.x > 3:
                break

    @cuda.jit
    def argument(out: Any) -> None:
        def add(at: int) -> int:
            return coop.sum(coop.this_block(), 1) if at < 200 else 0

        out[0] = add(cuda.threadIdx.x)

    @cuda.jit
    def together(out: Any) -> None:
        group, count = coop.this_block(), 0
        while True:
            count += 1
            if coop.sum(group, cuda.threadIdx.x // 127) * count > 2:
                break
        out[1] = count

    out = np.zeros(8, np.int32)
    with pytest.warns(coop.DivergenceWarning, match="the test in line"):
        leaving[1, 128](out, 1)
    with pytest.warns(coop.DivergenceWarning, match="the test in line"):
        argument[1, 128](out)
    assert out[0] == 128
    with warnings.catch_warnings():
        warnings.simplefilter("error", coop.DivergenceWarning)
        together[1, 128](out)
    assert out[1] == 3
    if cuox.Device().is_soft:
        with pytest.raises(RuntimeError, match=r"coop.sum\(\) was called by a part of the 128 threads of a block"):
            leaving[1, 128](out, 2)
            cuda.synchronize()


def test_items_of_functions() -> None:
    """A function may return the items that it has made, and be called with items that have no type yet."""

    @cuda.jit(device=True)
    def load_into(group: Any, source: Any, items: Any) -> None:
        coop.load(group, source, items)

    @cuda.jit(device=True)
    def load_tile(group: Any, source: Any) -> Any:
        items = coop.ThreadData(2, source.dtype)
        load_into(group, source, items)
        return items

    @cuda.jit
    def kernel(source: Any, out: Any, other: Any) -> None:
        block = coop.this_block()
        first, second = load_tile(block, source), load_tile(block, other)
        for i in range(2):
            first[i] += second[i]
        for _ in range(3):
            # What a turn makes is there in the next one.
            first = coop.shuffle(block, first, mode="up")
        coop.store(block, out, first)

    source, other = np.arange(128, dtype=np.int32), np.arange(128, dtype=np.float32)
    out = np.zeros(128, np.int32)
    kernel[1, 64](source, out, other)
    assert out.tolist() == [0, 0, 0, *range(0, 250, 2)]


def test_places_in_groups() -> None:
    @cuda.jit
    def kernel(out: Any) -> None:
        at = cuda.grid(1)
        thread, warp, block, grid = coop.this_thread(), coop.this_warp(), coop.this_block(), coop.this_grid()
        lanes = warp.group_by(8)
        thread.sync()
        lanes.sync_aligned()
        block.sync()
        out[0, at] = thread.rank("block")
        out[1, at] = warp.rank()
        out[2, at] = block.rank_as(types.int64, "grid")
        out[3, at] = block.count_as(types.int64)
        out[4, at] = grid.rank()
        out[5, at] = grid.count()
        out[6, at] = lanes.rank("warp") * 100 + lanes.rank()
        out[7, at] = warp.rank("block") * 100 + warp.count("grid")
        out[8, at] = warp.group_by(5, exhaustive=False).is_member()

    out = np.zeros((9, 192), np.int64)
    kernel[2, 96](out)
    at = np.arange(192)
    lane = at % 96 % 32
    expected = [
        at % 96,
        lane,
        at // 96,
        96 + 0 * at,
        at,
        192 + 0 * at,
        lane // 8 * 100 + lane % 8,
        at % 96 // 32 * 100 + 6,
    ]
    assert np.array_equal(out, np.stack([*expected, lane < 30]))


def test_storage_of_the_kernel() -> None:
    @cuda.jit
    def kernel(source: Any, out: Any) -> None:
        block, rank = coop.this_block(), cuda.threadIdx.x
        scratch = coop.TempStorage(alignment=32)
        apart = coop.TempStorage(sharing="exclusive")
        own = scratch.reserve(64, types.int32)
        own[rank] = source[rank]
        block.sync()
        items = coop.ThreadData(1)
        items[0] = own[63 - rank]
        first = coop.inclusive_sum(block, items, temp_storage=apart)
        second = coop.exclusive_sum(block, first, temp_storage=apart)
        coop.store(block, out, second)

    source, out = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    kernel[1, 64](source, out)
    sums = np.cumsum(np.cumsum(source[::-1]))
    assert out.tolist() == [0, *sums[:-1]]
    with pytest.raises(KernelTypeError, match="its TempStorage has 4 bytes, and 12 are needed"):

        @cuda.jit
        def small(out: Any) -> None:
            out[0] = coop.sum(coop.this_block(), out[0], temp_storage=coop.TempStorage(4))

        small[1, 96](out)


def test_aggregates_and_offsets_get_their_types() -> None:
    @cuda.jit(device=True)
    def carry(state: Any, total: Any) -> Any:
        before = state[0]
        state[0] = before + total
        return before

    running = coop.StatefulFunction(carry, types.int64)

    @cuda.jit
    def kernel(source: Any, totals: Any, scanned: Any, lengths: Any, decoded: Any, places: Any, ends: Any) -> None:
        block, rank = coop.this_block(), cuda.threadIdx.x
        aggregate = coop.ThreadData(1)
        coop.exclusive_sum(block, source[rank], aggregate_output=aggregate)
        totals[rank] = aggregate[0]
        state = coop.ThreadData(1, types.int64)
        state[0] = types.int64(1000)
        for tile in range(2):
            at = tile * 64 + rank
            scanned[at] = coop.exclusive_sum(block, source[at], state, prefix_op=running)
        relative, total = coop.ThreadData(2), coop.ThreadData(1)
        runs, sizes = coop.ThreadData(1), coop.ThreadData(1)
        coop.load(block, source, runs)
        coop.load(block, lengths, sizes)
        coop.run_length_decode(
            block, runs, sizes, decoded_items_per_thread=2, relative_offsets=relative, total_decoded_size=total
        )
        ends[rank] = total[0]
        coop.run_length_decode_into(
            block, runs, sizes, decoded, decoded_items_per_thread=1, destination_offset=1, relative_offsets=places
        )

    source, lengths = RNG.integers(0, 9, 128, dtype=np.int32), RNG.integers(1, 4, 64, dtype=np.uint32)
    count = int(lengths.sum())
    totals, scanned, ends = np.zeros(64, np.int32), np.zeros(128, np.int32), np.zeros(64, np.uint32)
    decoded, places = np.full(count + 2, -1, np.int32), np.full(count + 2, 7, np.uint64)
    kernel[1, 64](source, totals, scanned, lengths, decoded, places, ends)
    assert totals.tolist() == [source[:64].sum()] * 64 and ends.tolist() == [count] * 64
    assert np.array_equal(scanned, 1000 + np.cumsum(source) - source)
    assert np.array_equal(decoded[1:-1], np.repeat(source[:64], lengths)) and decoded[0] == decoded[-1] == -1
    assert np.array_equal(places[1:-1], np.concatenate([np.arange(length) for length in lengths]))


def test_greatest_by_some_bits() -> None:
    """`items_per_thread` is known before the items' type is."""

    @cuda.jit
    def kernel(source: Any, out: Any, k: int, valid: int, begin: int) -> None:
        items = coop.ThreadData(2)
        for i in range(items.items_per_thread):
            items[i] = source[cuda.threadIdx.x * 2 + i]
        greatest = coop.topk_max_keys(coop.this_block(), items, k, valid_items=valid, begin_bit=begin)
        coop.store(coop.this_block(), out, greatest, valid_items=k)

    source, out = RNG.integers(-1000, 1000, 64), np.zeros(10, np.int64)
    kernel[1, 32](source, out, 10, 50, 4)
    assert np.array_equal(out, sorted(source[:50], key=lambda key: -(key >> 4))[:10])


def test_where_digits_begin() -> None:
    @cuda.jit
    def kernel(source: Any, ranks: Any, begins: Any) -> None:
        rank, prefix = cuda.threadIdx.x, coop.ThreadData(3)
        ranks[rank] = coop.radix_rank_keys(
            coop.this_block(), source[rank], begin_bit=2, radix_bits=8, descending=True, exclusive_digit_prefix=prefix
        )
        for i in range(3):
            begins[rank * 3 + i] = prefix[i] if rank * 3 + i < 256 else 0

    source, ranks, begins = RNG.integers(0, 1000, 96, np.uint32), np.zeros(96, np.int32), np.zeros(288, np.int32)
    kernel[1, 96](source, ranks, begins)
    assert np.array_equal(np.argsort(ranks), np.argsort(-(source // 4).astype(int), kind="stable"))
    assert begins[:256].tolist() == [(source // 4 > digit).sum() for digit in range(256)]

    def wide(out: Any) -> None:
        prefix = coop.ThreadData(4, np.int32)
        coop.radix_rank(coop.this_block(), out[0], radix_bits=17, exclusive_digit_prefix=prefix)

    with pytest.raises(KernelTypeError, match="exclusive_digit_prefix is for at most 16 bits"):
        cuda.jit(wide)[1, 32](ranks)


def test_bad_operators() -> None:
    """Each is told with its line before a compiler of CUDA C++ sees it, or gives garbage."""
    record = np.dtype([("a", np.int32), ("b", np.float32)])
    block = coop.this_block

    def three(a: Any, b: Any, c: Any) -> Any:
        return a + b + c

    def nothing(a: Any, b: Any) -> None:
        pass

    def together(a: Any, b: Any) -> Any:
        return coop.sum(block(), a + b)

    @cuda.jit
    def sums(out: Any) -> None:
        out[0] = coop.sum(block(), out[cuda.threadIdx.x])

    @cuda.jit
    def least(out: Any) -> None:
        out[0] = coop.reduce(block(), out[cuda.threadIdx.x], binary_op="min")

    @cuda.jit
    def ordered(out: Any) -> None:
        out[0] = coop.merge_sort_keys(block(), out[cuda.threadIdx.x])

    @cuda.jit
    def by_three(out: Any) -> None:
        out[0] = coop.reduce(block(), out[cuda.threadIdx.x], binary_op=three)

    @cuda.jit
    def ordered_by_nothing(out: Any) -> None:
        out[0] = coop.merge_sort_keys(block(), out[cuda.threadIdx.x], compare_op=nothing)

    @cuda.jit
    def by_all(out: Any) -> None:
        out[0] = coop.reduce(block(), out[cuda.threadIdx.x], binary_op=together)

    @cuda.jit
    def before_all(out: Any) -> None:
        def before(aggregate: Any) -> Any:
            return coop.sum(block(), aggregate)

        out[0] = coop.exclusive_sum(block(), out[cuda.threadIdx.x], prefix_op=before)

    @cuda.jit
    def so_many(out: Any) -> None:
        out[0] = coop.sum(block(), out[cuda.threadIdx.x], valid_items=1.5)

    @cuda.jit
    def by_bits(out: Any) -> None:
        out[0] = coop.radix_sort_keys(block(), out[cuda.threadIdx.x], begin_bit=-1)

    for kernel, dtype, message in (
        (sums, record, r"coop.sum\(\): its operator \+ does not take record"),
        (sums, np.bool_, r"its operator \+ does not take bool"),
        (least, np.complex64, "its operator min does not take complex64"),
        (ordered, record, "its operator < does not take record"),
        (by_three, np.int32, "missing argument 'c'"),
        (ordered_by_nothing, np.int32, "its operator returns nothing"),
        (by_all, np.int32, r"its operator calls coop.sum\(\), which all threads"),
        (before_all, np.int32, r"its operator calls coop.sum\(\), which all threads"),
        (so_many, np.int32, "valid_items must be an integer, got float64"),
        (by_bits, np.int32, "the bits -1 to 32 are none of 32"),
    ):
        with pytest.raises(KernelTypeError, match=message):
            kernel[1, 32](np.zeros(32, dtype))


def test_operators_with_defaults_and_warps_in_prefixes() -> None:
    def add(a: Any, b: Any, more: Any = 0) -> Any:
        return a + b + more

    @cuda.jit
    def kernel(source: Any, sums: Any, scanned: Any, flags: Any, valid: Any) -> None:
        block, rank = coop.this_block(), cuda.threadIdx.x

        def before(aggregate: Any) -> Any:
            return coop.sum(coop.this_warp(), 1, broadcast=True)

        sums[rank] = coop.reduce(block, source[rank], binary_op=add, valid_items=valid, broadcast=True)
        scanned[rank] = coop.inclusive_sum(block, source[rank], prefix_op=before)
        flags[rank] = coop.reduce(block, source[rank] >= 0, binary_op="&", broadcast=True)

    source, sums, scanned = np.arange(64, dtype=np.int32), np.zeros(64, np.int32), np.zeros(64, np.int32)
    flags = np.zeros(64, np.bool_)
    # More than 32 bits have, as of the rest of a long array.
    for valid, count in ((3, 3), (2**32 + 3, 64)):
        kernel[1, 64](source, sums, scanned, flags, np.int64(valid))
        assert sums.tolist() == [source[:count].sum()] * 64
        assert np.array_equal(scanned, 32 + np.cumsum(source)) and flags.all()


def test_many_items_compile_in_little_time() -> None:
    """A loop over them is unrolled as long as they may lie in registers."""

    @cuda.jit
    def kernel(source: Any, out: Any) -> None:
        block = coop.this_block()
        items = coop.ThreadData(200)
        coop.load(block, source, items)
        coop.store(block, out, coop.merge_sort_keys(block, coop.inclusive_sum(block, items)))

    source, out = RNG.integers(-9, 9, 200 * 32, dtype=np.int32), np.zeros(200 * 32, np.int32)
    kernel[1, 32](source, out)
    assert np.array_equal(out, np.sort(np.cumsum(source)))
    (ptx,) = kernel.inspect_asm().values()
    assert len(ptx) < 100_000


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_nans(dtype: Any) -> None:
    """As NumPy has them: the last ones of a sort, and the least and the greatest of all."""

    @cuda.jit
    def kernel(source: Any, ordered: Any, reverse: Any, ends: Any) -> None:
        block, rank = coop.this_block(), cuda.threadIdx.x
        ordered[rank] = coop.merge_sort_keys(block, source[rank])
        reverse[rank] = coop.merge_sort_keys(block, source[rank], descending=True)
        ends[0, rank] = coop.reduce(block, source[rank], binary_op=np.minimum, broadcast=True)
        ends[1, rank] = coop.reduce(block, source[rank], binary_op="max", broadcast=True)

    for place in (0, 10, 63):
        source = RNG.permutation(64).astype(dtype)
        source[place] = source[20] = np.nan
        ordered, reverse, ends = np.zeros(64, dtype), np.zeros(64, dtype), np.zeros((2, 64), dtype)
        kernel[1, 64](source, ordered, reverse, ends)
        assert np.array_equal(ordered, np.sort(source), equal_nan=True)
        assert np.array_equal(reverse, np.sort(source)[::-1], equal_nan=True)
        assert np.isnan(ends).all()


def test_forall() -> None:
    """Blocks are those of the operations that were made for a shape; else some of whole warps."""
    of_a_tile = coop.block.make_sum(np.int32, (8, 4))

    @cuda.jit
    def with_tiles(source: Any, total: Any) -> None:
        rank = cuda.threadIdx.y * 8 + cuda.threadIdx.x
        value = of_a_tile(source[cuda.blockIdx.x * 32 + rank])
        if rank == 0:
            cuda.atomic.add(total, 0, value)

    @cuda.jit
    def with_blocks(source: Any, total: Any) -> None:
        at = cuda.grid(1)
        value = coop.sum(coop.this_block(), source[at] if at < len(source) else 0)
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(total, 0, value)

    source = np.arange(640, dtype=np.int32)
    for kernel in (with_tiles, with_blocks, with_blocks):
        total = np.zeros(1, np.int64)
        kernel.forall(640)(source, total)
        assert total[0] == source.sum()


def test_else_of_loops() -> None:
    """Threads that a break took out do not get there; all others do, however many turns they had."""

    @cuda.jit
    def some_break(source: Any, out: Any) -> None:
        for turn in range(3):
            if source[cuda.threadIdx.x] == 5:
                break
        else:
            for turn in range(2):
                out[turn] = coop.sum(coop.this_block(), 1, broadcast=True)

    @cuda.jit
    def some_break_by_place(source: Any, out: Any) -> None:
        turn = 0
        while turn < 3:
            if cuda.threadIdx.x == turn:
                break
            turn += 1
        else:
            out[0] = coop.sum(coop.this_block(), 1, broadcast=True)

    @cuda.jit
    def some_have_turns(source: Any, out: Any) -> None:
        for turn in range(cuda.threadIdx.x % 4):
            if source[0] == 0:
                break
        else:
            out[0] = coop.sum(coop.this_block(), 1, broadcast=True)

    @cuda.jit
    def none_breaks(source: Any, out: Any) -> None:
        for turn in range(cuda.threadIdx.x):
            if source[0] < 0:
                break
        else:
            out[0] = coop.sum(coop.this_block(), 1, broadcast=True)
        out[1] = coop.sum(coop.this_block(), 1, broadcast=True)

    source = np.arange(64)
    # On a GPU such calls have undefined results.
    for kernel in (some_break, some_break_by_place, some_have_turns) if cuox.Device().is_soft else ():
        with warnings.catch_warnings(), pytest.raises(RuntimeError, match="by a part of the 64 threads"):
            warnings.simplefilter("ignore", coop.DivergenceWarning)
            kernel[1, 64](source, np.zeros(2, np.int32))
            cuda.synchronize()
    out = np.zeros(2, np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", coop.DivergenceWarning)
        none_breaks[1, 64](source, out)
    assert out.tolist() == [64, 64]
