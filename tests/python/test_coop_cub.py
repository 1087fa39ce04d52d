"""Operations of `cuox.cuda.coop` give what CUB's do in CUDA C++, with the same threads and items."""

from __future__ import annotations

from typing import Any

import cuox
import numpy as np
import pytest
from cub_comparison import has_cub
from cuox.cuda import coop
from cuox.numba import cuda, types

pytestmark = [
    # CUB's headers take NVRTC seconds.
    pytest.mark.exhaustive,
    pytest.mark.skipif(not has_cub(), reason="no headers of CUB"),
    pytest.mark.filterwarnings("ignore:Host array used", "ignore:Grid size"),
]

THREADS, ITEMS, ROWS = 128, 3, 24
TILE = THREADS * ITEMS
SOURCE = r"""
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#define THREADS 128
#define ITEMS 3
#define OWN int own[ITEMS]; for (int i = 0; i < ITEMS; i++) own[i] = data[threadIdx.x * ITEMS + i]
#define PUT(ROW, WHAT) __syncthreads(); for (int i = 0; i < ITEMS; i++) out[(ROW) * THREADS * ITEMS + threadIdx.x * ITEMS + i] = WHAT[i]
#define WITH(...) using Block = __VA_ARGS__; __shared__ typename Block::TempStorage storage
struct Minus { __device__ int operator()(int a, int b) const { return a - b; } };
struct Differs { __device__ bool operator()(int a, int b) const { return a != b; } };
struct ByDigit { __device__ bool operator()(int a, int b) const { return (a & 15) < (b & 15); } };
extern "C" __global__ void by_cub(const int *data, const int *ranks, int *out)
{
    {
        WITH(cub::BlockAdjacentDifference<int, THREADS>);
        OWN; int made[ITEMS];
        Block(storage).SubtractLeft(own, made, Minus{}); PUT(0, made);
        Block(storage).SubtractLeft(own, made, Minus{}, 1000); PUT(1, made);
        Block(storage).SubtractRight(own, made, Minus{}, 1000); PUT(2, made);
        Block(storage).SubtractLeftPartialTile(own, made, Minus{}, 100); PUT(3, made);
        Block(storage).SubtractRightPartialTile(own, made, Minus{}, 100); PUT(4, made);
    }
    {
        WITH(cub::BlockDiscontinuity<int, THREADS>);
        OWN; int heads[ITEMS], tails[ITEMS];
        Block(storage).FlagHeads(heads, own, Differs{}); PUT(5, heads);
        Block(storage).FlagHeadsAndTails(heads, 1, tails, 2, own, Differs{}); PUT(6, heads); PUT(7, tails);
        Block(storage).FlagTails(tails, own, Differs{}); PUT(8, tails);
    }
    {
        WITH(cub::BlockExchange<int, THREADS, ITEMS>);
        OWN; int to[ITEMS]; for (int i = 0; i < ITEMS; i++) to[i] = ranks[threadIdx.x * ITEMS + i];
        int made[ITEMS];
        Block(storage).BlockedToStriped(own, made); PUT(9, made);
        Block(storage).StripedToBlocked(own, made); PUT(10, made);
        Block(storage).BlockedToWarpStriped(own, made); PUT(11, made);
        Block(storage).WarpStripedToBlocked(own, made); PUT(12, made);
        Block(storage).ScatterToBlocked(own, made, to); PUT(13, made);
        Block(storage).ScatterToStriped(own, made, to); PUT(14, made);
    }
    {
        WITH(cub::BlockShuffle<int, THREADS>);
        OWN; int made[ITEMS];
        for (int i = 0; i < ITEMS; i++) made[i] = own[i];
        Block(storage).Up(own, made); PUT(15, made);
        for (int i = 0; i < ITEMS; i++) made[i] = own[i];
        Block(storage).Down(own, made); PUT(16, made);
        Block(storage).Rotate(own[0], made[0], 5); __syncthreads();
        made[1] = own[1]; Block(storage).Offset(own[1], made[1], -7); made[2] = 0; PUT(17, made);
    }
    {
        WITH(cub::BlockMergeSort<int, THREADS, ITEMS, int>);
        OWN; int with[ITEMS]; for (int i = 0; i < ITEMS; i++) with[i] = threadIdx.x * ITEMS + i;
        Block(storage).StableSort(own, with, ByDigit{}); PUT(18, own); PUT(19, with);
    }
    {
        WITH(cub::BlockRadixSort<int, THREADS, ITEMS, int>);
        OWN; int with[ITEMS]; for (int i = 0; i < ITEMS; i++) with[i] = threadIdx.x * ITEMS + i;
        Block(storage).SortDescending(own, with, 1, 5); PUT(20, own); PUT(21, with);
    }
    {
        using Block = cub::BlockRunLengthDecode<int, THREADS, ITEMS, ITEMS>;
        __shared__ typename Block::TempStorage storage;
        OWN; int length[ITEMS]; for (int i = 0; i < ITEMS; i++) length[i] = (own[i] & 3) + 1;
        unsigned total; int made[ITEMS];
        Block block(storage, own, length, total);
        block.RunLengthDecode(made, 50); PUT(22, made);
    }
    {
        WITH(cub::BlockHistogram<unsigned char, THREADS, ITEMS, 128>);
        __shared__ int bins[128];
        OWN; unsigned char few[ITEMS]; for (int i = 0; i < ITEMS; i++) few[i] = (own[i] & 63) + 32;
        Block(storage).Histogram(few, bins);
        __syncthreads();
        int made[ITEMS] = {bins[threadIdx.x]}; PUT(23, made);
    }
}
"""


def _minus(a: Any, b: Any) -> Any:
    return a - b


@cuda.jit
def ours(data: Any, ranks: Any, out: Any) -> None:
    block, rank = coop.this_block(), cuda.threadIdx.x
    own, to = coop.ThreadData(ITEMS), coop.ThreadData(ITEMS)
    coop.load(block, data, own)
    coop.load(block, ranks, to)
    coop.store(block, out[0], coop.adjacent_difference(block, own))
    coop.store(block, out[1], coop.adjacent_difference(block, own, tile_predecessor_item=1000, difference_op=_minus))
    coop.store(block, out[2], coop.adjacent_difference(block, own, direction="right", tile_successor_item=1000))
    coop.store(block, out[3], coop.adjacent_difference(block, own, valid_items=100))
    coop.store(block, out[4], coop.adjacent_difference(block, own, direction="right", valid_items=100))
    coop.store(block, out[5], coop.discontinuity(block, own))
    heads, tails = coop.discontinuity(
        block, own, mode="heads_and_tails", tile_predecessor_item=1, tile_successor_item=2
    )
    coop.store(block, out[6], heads)
    coop.store(block, out[7], tails)
    coop.store(block, out[8], coop.discontinuity(block, own, mode="tails"))
    coop.store(block, out[9], coop.exchange(block, own, mode="blocked_to_striped"))
    coop.store(block, out[10], coop.exchange(block, own, mode="striped_to_blocked"))
    coop.store(block, out[11], coop.exchange(block, own, mode="blocked_to_warp_striped"))
    coop.store(block, out[12], coop.exchange(block, own, mode="warp_striped_to_blocked"))
    coop.store(block, out[13], coop.exchange(block, own, mode="scatter_to_blocked", ranks=to))
    coop.store(block, out[14], coop.exchange(block, own, mode="scatter_to_striped", ranks=to))
    coop.store(block, out[15], coop.shuffle(block, own, mode="up"))
    coop.store(block, out[16], coop.shuffle(block, own, mode="down"))
    made = coop.ThreadData(ITEMS, types.int32)
    made[0] = coop.shuffle(block, own[0], mode="rotate", distance=5)
    made[1] = coop.shuffle(block, own[1], mode="offset", distance=-7)
    made[2] = 0
    coop.store(block, out[17], made)
    for i in range(ITEMS):
        made[i] = rank * ITEMS + i
    keys, values = coop.merge_sort_pairs(block, own, made, compare_op=lambda a, b: (a & 15) < (b & 15))
    coop.store(block, out[18], keys)
    coop.store(block, out[19], values)
    keys, values = coop.radix_sort_pairs(block, own, made, begin_bit=1, end_bit=5, descending=True)
    coop.store(block, out[20], keys)
    coop.store(block, out[21], values)
    lengths = coop.ThreadData(ITEMS, types.int32)
    for i in range(ITEMS):
        lengths[i] = (own[i] & 3) + 1
    decoded = coop.run_length_decode(block, own, lengths, decoded_items_per_thread=ITEMS, decoded_window_offset=50)
    coop.store(block, out[22], decoded)
    few = coop.ThreadData(ITEMS, types.uint8)
    for i in range(ITEMS):
        few[i] = (own[i] & 63) + 32
    counts = coop.histogram(block, few, bins=128)
    made[0], made[1], made[2] = counts[0], 0, 0
    coop.store(block, out[23], made)


def test_results_are_those_of_cub() -> None:
    cuox.Device().set_current()
    rng = np.random.default_rng(3)
    data, ranks = rng.integers(-40, 40, TILE, dtype=np.int32), rng.permutation(TILE).astype(np.int32)
    ours_out, out = np.zeros((ROWS, TILE), np.int32), np.zeros((ROWS, TILE), np.int32)
    kernel = cuox.Program(SOURCE, code_type="c++").compile("ptx").get_kernel("by_cub")
    given = [cuda.to_device(array) for array in (data, ranks, out)]
    kernel[1, THREADS](*given)
    ours[1, THREADS](data, ranks, ours_out)
    # Behind the last item that is decoded CUB's are undefined.
    count = int(((data & 3) + 1).sum()) - 50
    found = given[2].copy_to_host()
    found[22, count:] = ours_out[22, count:] = 0
    differing = [row for row in range(ROWS) if not np.array_equal(found[row], ours_out[row])]
    assert differing == []
