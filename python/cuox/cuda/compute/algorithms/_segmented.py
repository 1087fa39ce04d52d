"""Reductions of segments."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

import cuox
from cuox._native import _Elementwise

from .._calls import Call, Count, remembered
from .._items import Item
from .._kernels import Parts, Read
from .._mode import active
from ..iterators import Pointer, output, places, source
from ._algorithm import Made, checked, item_of_value, maker, stream_of, value_of


def _work(call: Call, d_in: Any, d_out: Any, start_offsets_in: Any, end_offsets_in: Any, spread: int, num_segments: Count, op: Any, h_init: Any) -> None:
    item = item_of_value(h_init)
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    read, _ = source(d_in, parts, item)
    starts, ends = places(start_offsets_in, parts, "start_offsets_in"), places(end_offsets_in, parts, "end_offsets_in")
    write = output(d_out, parts, item)
    parts.know(item)
    combine, _ = parts.call(op, [item, item], item, call.slots["op"])
    first = parts.scalar(value_of(h_init), item, call.slots["h_init"])
    count = call.room(num_segments, start_offsets_in, end_offsets_in, d_out)
    # Where the segments lie is not known here: they have an item each, at least.
    call.apart(count, [d_in, start_offsets_in, end_offsets_in], [d_out], alike=False)
    shift = parts.value("int", np.int32(abs(spread).bit_length() - 1))
    parts.declare(_SHUFFLE)
    texts = {
        **_rows(d_in, item, read),
        "begin": starts("segment"),
        "end": ends("segment"),
        "read_one": read("(begin + k)"),
        "read_first": read("own"),
        "read_own": read("(own + k)"),
        "with_one": combine("sum", "one"),
        "with_own": combine("part", "one"),
        "with_right": combine("part", "right"),
        "with_part": combine("sum", "part"),
        "with_warp": combine("sum", "sums[other]"),
        "write": write("segment", "sum"),
        "first": first,
        "shift": shift,
        "item": item.cxx,
    }
    # The software GPU has a text of its own. Both are compiled ahead.
    mode = active.get()
    both = mode is not None and not mode.launches
    for text, is_wanted in ((_TEXT, both or spread > 0), (_SOFT_TEXT, both or spread < 0)):
        if is_wanted:
            for name, part in texts.items():
                text = text.replace(f"/*@{name}*/", part)
            call.launch(_Elementwise, parts, "", n=count * abs(spread), name="segmented_reduce", loop_prep=text)


def _rows(d_in: Any, item: Item, read: Read) -> dict[str, str]:
    """How items come to a lane of a GPU: the number of those that are neighbours, and statements."""
    size = item.dtype.itemsize
    if size > 24:
        # Two buffers of them would not fit in shared memory.
        return {"each": "1", "held": "1", "fetch": "", "wait": "", "take": f"part = {read('(row - chunk + at)')};"}
    # 64 bytes. An odd number, so that lanes that go through their own items use different banks of shared memory.
    found = {"each": str(min(64 // size, 16) | 1), "held": "2 * most * each", "take": _TAKE}
    unit = next((unit for unit in (16, 8, 4) if size % unit == 0 and item.dtype.alignment % unit == 0), None)
    if unit is None or not isinstance(d_in, Pointer) or d_in.item != item:
        return {**found, "fetch": _FETCH.replace("/*@read*/", read("(row + place)")), "wait": ""}
    # By copies that no register waits for.
    copies = "".join(f'asm volatile("cp.async.ca.shared.global [%0 + {k}], [%1 + {k}], {unit};" ::"r"(to), "l"(from) : "memory"); ' for k in range(0, size, unit))
    return {**found, "fetch": _FETCH_ASYNC.replace("/*@from*/", f"&{read('(row + place)')}").replace("/*@copies*/", copies), "wait": _WAIT}


_calls = remembered("aaaaknfv", _work)


class _SegmentedReduce(Made):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_out: Any,
        num_segments: int,
        start_offsets_in: Any,
        end_offsets_in: Any,
        op: Any,
        h_init: Any,
        max_segment_size: int | None = None,
        stream: Any = None,
    ) -> int:
        if temp_storage is not None:
            self._through(_calls)(stream, d_in, d_out, start_offsets_in, end_offsets_in, _spread(num_segments, stream), num_segments, op, h_init)
        else:
            stream_of(stream)
        return 1


def _spread(num_segments: int, stream: Any) -> int:
    """The threads for each segment: a block for each of few, a warp, or fewer if a warp has several in turn. Negative on the software GPU, which fewer warps keep busy."""
    device = stream.device if isinstance(stream, cuox.Stream) else cuox.Device()
    is_soft, count = device.is_soft, index(num_segments)
    if count < (128 if is_soft else 2048):
        return -256 if is_soft else 256
    in_turn = max(1, count // (1024 if is_soft else 8192)).bit_length() - 1
    return -(32 >> min(in_turn, 5)) if is_soft else 32 >> min(in_turn, 4)


# A block has 256 >> `shift` segments at a time. A warp takes its short ones by 8 lanes each, and the others by all lanes; all warps take a part each of those of
# 16384 items or more: an H200 read segments of a million float32 at 0.06 TB/s by a warp each. Rows, which are read one behind the other, are on their way to
# shared memory while those before them are combined: each lane combines neighbours, then the lanes combine theirs, all from left to right. The result follows
# from the segment's length, not from who does the work.
#
# Loops are rolled up, so that the operator stands in few places. 16-byte loads that each lane keeps in registers take NVRTC twice as long.
_TEXT = """
constexpr int each = /*@each*/, most = 256, long_from = 16384;
const int of_block = most >> /*@shift*/, of_warp = of_block < 8 ? 1 : of_block >> 3, lane = tid & 31, warp = tid >> 5;
__shared__ long long begins[most], lengths[most];
__shared__ int longs[most], long_count;
// Bytes, as items may have constructors.
alignas(16) alignas(alignof(/*@item*/)) __shared__ unsigned char raw_items[(/*@held*/) * sizeof(/*@item*/)], raw_sums[8 * sizeof(/*@item*/)];
/*@item*/ *const items = (/*@item*/ *)raw_items, *const sums = (/*@item*/ *)raw_sums;
#pragma unroll 1
for (long long slice = cta_start; slice < n; slice += total_threads) {
    if (tid == 0)
        long_count = 0;
    __syncthreads();
    const int place_of_warp = warp * of_warp, own_place = place_of_warp + lane;
    long long segment = (slice >> /*@shift*/) + own_place, length = -1;
    if (lane < of_warp && own_place < of_block && segment << /*@shift*/ < n) {
        const long long begin = (long long)(/*@begin*/);
        length = (long long)(/*@end*/) - begin;
        length = length > 0 ? length : 0;
        begins[own_place] = begin;
        lengths[own_place] = length;
        if (length >= long_from)
            longs[atomicAdd(&long_count, 1)] = own_place;
    }
    unsigned int shorts = __ballot_sync(0xffffffffu, length >= 0 && length <= 8 * each), others = __ballot_sync(0xffffffffu, length > 8 * each && length < long_from);
    __syncwarp();
    int at_long = -1;
#pragma unroll 1
    while (true) {
        // The segment's place in the block, and the lanes that take it.
        int place_of_one = place_of_warp, width = 32;
        bool is_one = true;
        if (shorts != 0) {
            const int group = (__ffs((int)shorts) - 1) & ~3, which = group + (lane >> 3);
            is_one = shorts >> which & 1;
            shorts &= ~(15u << group);
            place_of_one += which;
            width = 8;
        } else if (others != 0) {
            place_of_one += __ffs((int)others) - 1;
            others &= others - 1;
        } else {
            __syncthreads();
            if (++at_long >= long_count)
                break;
            place_of_one = longs[at_long];
        }
        const int at = lane & (width - 1), chunk = width * each;
        long long row = is_one ? begins[place_of_one] : 0, left = is_one ? lengths[place_of_one] : 0;
        // A part of a long one has whole cache lines.
        const long long all = left, part_length = (all + most - 1) / most * 32;
        if (at_long >= 0) {
            row += part_length * warp;
            left -= part_length * warp;
            left = left < part_length ? left : part_length;
        }
        bool has_sum = at_long < 0 || warp == 0;
        /*@item*/ sum = /*@first*/, part = sum;
        /*@item*/ *coming_items = items + (tid - at) * each, *here_items = coming_items + (/*@held*/) / 2;
        int here = 0;
#pragma unroll 1
        for (bool has_rows = false;; has_rows = true) {
            const int coming = left < chunk ? (int)left : chunk;
            /*@fetch*/
            if (has_rows) {
                /*@wait*/
                __syncwarp();
                const int behind = here - at * each, mine = behind < each ? behind : each;
                if (mine > 0) {
                    /*@take*/
                }
#pragma unroll 1
                for (int distance = 1; distance < width; distance *= 2) {
                    const /*@item*/ right = cuox_from_right(part, distance);
                    if ((at + distance) * each < here && at + distance < width)
                        part = /*@with_right*/;
                }
                if (at == 0 && here > 0) {
                    sum = has_sum ? /*@with_part*/ : part;
                    has_sum = true;
                }
                __syncwarp();
            }
            // Short segments have no more than one chunk.
            if (width == 32 ? coming <= 0 : has_rows)
                break;
            here = coming;
            row += chunk;
            left -= chunk;
            /*@item*/ *const free = here_items;
            here_items = coming_items;
            coming_items = free;
        }
        bool is_last = at == 0 && is_one;
        if (at_long >= 0) {
            if (lane == 0)
                sums[warp] = sum;
            __syncthreads();
            is_last = tid == 0;
            if (is_last)
#pragma unroll 1
                for (int other = 1; other < 8 && other * part_length < all; ++other)
                    sum = /*@with_warp*/;
        }
        if (is_last) {
            segment = (slice >> /*@shift*/) + place_of_one;
            /*@write*/
        }
    }
}
"""

_FETCH = """
#pragma unroll 4
            for (int place = at; place < coming; place += width)
                coming_items[place] = /*@read*/;
"""
_FETCH_ASYNC = """
#pragma unroll 1
            for (int place = at; place < coming; place += width) {
                const unsigned int to = (unsigned int)__cvta_generic_to_shared(coming_items + place);
                const void *const from = /*@from*/;
                /*@copies*/
            }
            asm volatile("cp.async.commit_group;" ::: "memory");
"""
_WAIT = 'asm volatile("cp.async.wait_group 1;" ::: "memory");'
_TAKE = """
                    part = here_items[at * each];
#pragma unroll 1
                    for (int k = 1; k < mine; ++k) {
                        const /*@item*/ &one = here_items[at * each + k];
                        part = /*@with_own*/;
                    }
"""

# The software GPU has no use for rows in shared memory; its neighbours go through short segments of their own at once, and each warp takes the others. 2**20 items
# in segments of 1024 take it half as long as by a thread each.
_SOFT_TEXT = """
constexpr int each = 32, chunk = 32 * each, most = 256;
const int of_block = most >> /*@shift*/, of_warp = of_block < 8 ? 1 : of_block >> 3, lane = tid & 31, warp = tid >> 5;
__shared__ long long begins[most], ends[most];
#pragma unroll 1
for (long long slice = cta_start; slice < n; slice += total_threads) {
    const int place_of_warp = warp * of_warp, own_place = place_of_warp + lane;
    long long segment = (slice >> /*@shift*/) + own_place;
    bool is_other = false;
    if (lane < of_warp && own_place < of_block && segment << /*@shift*/ < n) {
        const long long begin = (long long)(/*@begin*/), end = (long long)(/*@end*/);
        is_other = end - begin > 128;
        if (is_other) {
            begins[own_place] = begin;
            ends[own_place] = end;
        } else {
            /*@item*/ sum = /*@first*/;
            const int length = (int)(end - begin);
#pragma unroll 1
            for (int k = 0; k < length; ++k) {
                const /*@item*/ one = /*@read_one*/;
                sum = /*@with_one*/;
            }
            /*@write*/
        }
    }
    __syncwarp();
#pragma unroll 1
    for (unsigned int others = __ballot_sync(0xffffffffu, is_other); others != 0; others &= others - 1) {
        const int place = place_of_warp + __ffs((int)others) - 1;
        const long long end = ends[place];
        /*@item*/ sum = /*@first*/, part = sum;
#pragma unroll 1
        for (long long start = begins[place]; start < end; start += chunk) {
            const int here = end - start < chunk ? (int)(end - start) : chunk, behind = here - lane * each, mine = behind < each ? behind : each;
            const long long own = start + lane * each;
            if (mine > 0) {
                part = /*@read_first*/;
#pragma unroll 1
                for (int k = 1; k < mine; ++k) {
                    const /*@item*/ one = /*@read_own*/;
                    part = /*@with_own*/;
                }
            }
#pragma unroll 1
            for (int distance = 1; distance < 32; distance *= 2) {
                const /*@item*/ right = cuox_from_right(part, distance);
                if ((lane + distance) * each < here && lane + distance < 32)
                    part = /*@with_right*/;
            }
            if (lane == 0)
                sum = /*@with_part*/;
        }
        if (lane == 0) {
            segment = (slice >> /*@shift*/) + place;
            /*@write*/
        }
    }
    __syncwarp();
}
"""

# The value of the lane `distance` further on.
_SHUFFLE = """
template <class T> static __device__ __forceinline__ T cuox_from_right(const T &value, int distance) {
    constexpr int count = (int)(sizeof(T) + 3) / 4;
    alignas(alignof(T) > 4 ? alignof(T) : 4) unsigned int words[count] = {};
    *(T *)words = value;
    #pragma unroll
    for (int k = 0; k < count; ++k)
        words[k] = __shfl_down_sync(0xffffffffu, words[k], distance);
    return *(T *)words;
}
"""


@maker
def make_segmented_reduce(
    *, d_in: Any, d_out: Any, start_offsets_in: Any, end_offsets_in: Any, op: Any, h_init: Any, compute_capability: Any = None
) -> _SegmentedReduce:
    """A `segmented_reduce` for arguments of these types."""
    checked(d_in, d_out, start_offsets_in, end_offsets_in)
    return _SegmentedReduce()


def segmented_reduce(
    *,
    d_in: Any,
    d_out: Any,
    num_segments: int,
    start_offsets_in: Any,
    end_offsets_in: Any,
    op: Any,
    h_init: Any,
    max_segment_size: int | None = None,
    stream: Any = None,
) -> None:
    """Combine `h_init` and the items of each segment by an operator, from left to right, and put the results into `d_out`.

    start_offsets_in, end_offsets_in: arrays or iterators with the places of each segment's first item, and behind its last. num_segments: their number.
    max_segment_size: the items of the longest one; taken, without effect. The others are as of `reduce_into`.
    """
    _calls(stream, d_in, d_out, start_offsets_in, end_offsets_in, _spread(num_segments, stream), num_segments, op, h_init)
