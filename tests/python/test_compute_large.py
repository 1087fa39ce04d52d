"""Algorithms of `cuox.cuda.compute` on large items: their code stays small, and their results are right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox._native import _Scan
from cuox.cuda import compute
from cuox.cuda.compute import _blob

COUNT = 3000
SIZES = exhaustive.some([68, 132, 200, 400, 1000], [68, 1000])


@pytest.fixture(autouse=True)
def _current(device: cuox.Device) -> None:
    device.set_current()


def kind_of(size: int) -> np.dtype[Any]:
    more = ((f"more{k}", np.uint32) for k in range(size // 4 - 1))
    return np.dtype([("key", np.uint16), ("place", np.uint16), *more])


def items(size: int, distinct: int = 100, count: int = COUNT) -> np.ndarray:
    """Items that differ in their first fields and in their last one."""
    host = np.zeros(count, kind_of(size))
    host["key"], host["place"] = np.random.default_rng(size).integers(0, distinct, count), np.arange(count)
    host[f"more{size // 4 - 2}"] = np.arange(count) * 3
    return host


def largest(a: Any, b: Any) -> Any:
    return a if (a.key, a.place) > (b.key, b.place) else b


def largest_so_far(host: np.ndarray) -> np.ndarray:
    order = host["key"].astype(np.int64) << 16 | host["place"]
    so_far = np.maximum.accumulate(order)
    return host[(so_far & 0xFFFF).astype(np.int64)]


def room(count: int, kind: Any) -> Any:
    return cuox.empty((count,), kind)


def algorithms(size: int) -> dict[str, tuple[int, Callable[[], Any]]]:
    """Functions that make algorithms for items of a size, and a bound on their PTX statements."""
    kind, none = kind_of(size), np.zeros(1, kind_of(size))
    given, out, keys, number = room(9, kind), room(9, kind), room(9, np.uint16), room(1, np.int32)
    ends = room(9, np.int64)
    return {
        "inclusive_scan": (1000, lambda: compute.make_inclusive_scan(d_in=given, d_out=out, op=largest)),
        "exclusive_scan": (
            2000,
            lambda: compute.make_exclusive_scan(d_in=given, d_out=out, op=largest, init_value=none),
        ),
        "reduce_into": (600, lambda: compute.make_reduce_into(d_in=given, d_out=out, op=largest, h_init=none)),
        "segmented_reduce": (
            5000,
            lambda: compute.make_segmented_reduce(
                d_in=given, d_out=out, start_offsets_in=ends, end_offsets_in=ends, op=largest, h_init=none
            ),
        ),
        "select_in_place": (
            3000,
            lambda: compute.make_select(d_in=given, d_out=given, d_num_selected_out=number, cond=lambda a: a.key > 5),
        ),
        "run_length_encode": (
            1500,
            lambda: compute.make_run_length_encode(
                d_in=given, d_unique_out=out, d_counts_out=ends, d_num_runs_out=number
            ),
        ),
        "reduce_by_key": (
            4500,
            lambda: compute.make_reduce_by_key(
                d_keys_in=keys,
                d_values_in=given,
                d_unique_out=keys,
                d_aggregates_out=out,
                d_num_runs_out=number,
                op=largest,
            ),
        ),
        "merge_sort": (
            1500,
            lambda: compute.make_merge_sort(d_in_keys=given, d_out_keys=out, op=compute.OpKind.LESS),
        ),
        "segmented_sort": (
            2500,
            lambda: compute.make_segmented_sort(
                d_in_keys=keys,
                d_out_keys=keys,
                d_in_values=given,
                d_out_values=out,
                start_offsets_in=ends,
                end_offsets_in=ends,
                order=compute.SortOrder.ASCENDING,
            ),
        ),
        "binary_transform": (
            400,
            lambda: compute.make_binary_transform(d_in1=given, d_in2=given, d_out=out, op=largest),
        ),
    }


def statements(ptx: str) -> int:
    return sum(line.strip().endswith(";") for line in ptx.splitlines())


@pytest.mark.parametrize(
    "name", exhaustive.some(list(algorithms(1000)), ["inclusive_scan", "reduce_into", "merge_sort"])
)
def test_the_code_is_short(name: str) -> None:
    # With the operator in many places, and items in registers, these had four to twenty times as many statements, for
    # which the compiler took seconds.
    bound, make = algorithms(1000)[name]
    description, texts = _blob.read(compute.serialize(make()))
    found = [statements(texts[ptx].decode()) for kernel in description["kernels"] for ptx in kernel["ptx"].values()]
    assert found
    assert max(found) < bound


def test_the_code_of_a_scan_in_cuda_is_short() -> None:
    # Each of 1000 bytes is looked at by the operator.
    preamble = """
struct item_t { unsigned char v[1000]; };
__device__ item_t make(unsigned char x) { item_t m; for (int j = 0; j < 1000; ++j) m.v[j] = x; return m; }
__device__ item_t latest(const item_t &a, const item_t &b)
{ item_t m; for (int j = 0; j < 1000; ++j) m.v[j] = b.v[j] ? b.v[j] : a.v[j]; return m; }
"""
    vectors = [("const unsigned char", "x", True), ("unsigned char", "y", True)]
    texts = ("make(x[i])", "latest(a, b)", "make(0)", "y[i] = item.v[999] + prev_item.v[0]")
    scan = _Scan("item_t", vectors, *texts, preamble=preamble)
    array = cuox.empty((9,), "B")
    text, _, options = scan._sources(array, array, n=9)[-1]
    compiled = cuox.Program(text).compile(options=[*options, "--gpu-architecture=compute_90"])
    assert statements(compiled.code.decode()) < 10000


@pytest.mark.parametrize("size", SIZES)
def test_scans(size: int) -> None:
    host, out = items(size), room(COUNT, kind_of(size))
    compute.inclusive_scan(d_in=cuox.to_device(host), d_out=out, op=largest, num_items=COUNT)
    np.testing.assert_array_equal(out.to_host(), largest_so_far(host))
    init = items(size, count=1)
    compute.exclusive_scan(d_in=cuox.to_device(host), d_out=out, op=largest, init_value=init, num_items=COUNT)
    wanted = np.concatenate([init, largest_so_far(host)[:-1]])
    np.testing.assert_array_equal(out.to_host(), wanted)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [0, 1, 31, 33, 4000, 70000])
def test_reductions(size: int, count: int) -> None:
    host, none = items(size, count=count), np.zeros(1, kind_of(size))
    host["place"] = np.arange(count) % 1000
    out = room(1, kind_of(size))
    compute.reduce_into(d_in=cuox.to_device(host), d_out=out, num_items=count, op=largest, h_init=none)
    found = out.to_host()
    order = host["key"].astype(np.int64) << 16 | host["place"]
    best = host[order == order.max()] if count else none
    assert found[0] in best


@pytest.mark.parametrize("size", SIZES)
def test_reductions_of_segments(size: int) -> None:
    # Segments for a lane, for a warp and for a block, and some without items.
    lengths = [0, 1, 5, 32, 33, 128, 129, 1000, 2, 0, 20000 if size < 200 else 16400, 7]
    ends = np.cumsum(lengths).astype(np.int64)
    host, none = items(size, 60000, int(ends[-1])), np.zeros(1, kind_of(size))
    out = room(len(lengths), kind_of(size))
    compute.segmented_reduce(
        d_in=cuox.to_device(host),
        d_out=out,
        num_segments=len(lengths),
        start_offsets_in=cuox.to_device(ends - lengths),
        end_offsets_in=cuox.to_device(ends),
        op=lambda a, b: b if b.key >= a.key else a,
        h_init=none,
    )
    found = out.to_host()
    for one, end, length in zip(found, ends, lengths, strict=True):
        # The last one of the largest.
        part = np.concatenate([none, host[end - length : end]])
        assert one == part[len(part) - 1 - np.argmax(part["key"][::-1])]


@pytest.mark.parametrize("size", SIZES)
def test_sorts_by_all_fields(size: int) -> None:
    host, out = items(size, 3), room(COUNT, kind_of(size))
    # The last field decides, too.
    host["place"] = 7
    compute.merge_sort(d_in_keys=cuox.to_device(host), d_out_keys=out, num_items=COUNT, op=compute.OpKind.LESS)
    np.testing.assert_array_equal(out.to_host(), np.sort(host))
    compute.merge_sort(d_in_keys=cuox.to_device(host), d_out_keys=out, num_items=COUNT, op=compute.OpKind.GREATER)
    np.testing.assert_array_equal(out.to_host(), np.sort(host)[::-1])


@pytest.mark.parametrize("field", ["key", "more5", "last"])
def test_equality_looks_at_all_fields(field: str) -> None:
    host = np.zeros(COUNT, kind_of(400))
    name = "more98" if field == "last" else field
    host[name] = np.random.default_rng(1).integers(0, 2, COUNT)
    unique, counts, number = room(COUNT, kind_of(400)), room(COUNT, np.int32), room(1, np.int32)
    encode = compute.make_run_length_encode(
        d_in=unique, d_unique_out=unique, d_counts_out=counts, d_num_runs_out=number
    )
    encode(
        temp_storage=room(1, np.uint8),
        d_in=cuox.to_device(host),
        d_unique_out=unique,
        d_counts_out=counts,
        d_num_runs_out=number,
        num_items=COUNT,
    )
    starts = np.concatenate([[True], host[name][1:] != host[name][:-1]])
    assert number.to_host()[0] == starts.sum()
    np.testing.assert_array_equal(unique.to_host()[: starts.sum()], host[starts])


def test_values_that_are_too_large_are_refused() -> None:
    kind = kind_of(1004)
    make = compute.make_reduce_by_key(
        d_keys_in=room(9, np.uint16),
        d_values_in=room(9, kind),
        d_unique_out=room(9, np.uint16),
        d_aggregates_out=room(9, kind),
        d_num_runs_out=room(1, np.int32),
        op=largest,
    )
    with pytest.raises(ValueError, match="reduce_by_key: values of 1004 bytes"):
        make(
            temp_storage=room(1, np.uint8),
            d_keys_in=room(9, np.uint16),
            d_values_in=room(9, kind),
            d_unique_out=room(9, np.uint16),
            d_aggregates_out=room(9, kind),
            d_num_runs_out=room(1, np.int32),
            op=largest,
            num_items=9,
        )
