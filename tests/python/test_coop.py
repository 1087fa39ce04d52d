"""`cuox.cuda.coop`: operations of all threads of a block or warp, called in kernels in Python."""

from __future__ import annotations

from typing import Any

import cuox
import cuox.cuda.cccl.cooperative.experimental as cudax
import cuox.cuda.coop._experimental as made
import numpy as np
import pytest
import random_coop
from cuox import numba
from cuox._internal.kernel_environment import Environment
from cuox._internal.kernel_errors import KernelTypeError
from cuox._native import _translate
from cuox.cuda import coop
from cuox.cuda.compute import gpu_struct
from cuox.numba import cuda

pytestmark = pytest.mark.filterwarnings("ignore:Host array used", "ignore:Grid size")

RNG = np.random.default_rng(40)


@pytest.fixture(autouse=True)
def _device() -> None:
    cuox.Device().set_current()


@pytest.mark.parametrize("make_sum", [cudax.block.sum, coop.block.sum, coop.block.make_sum, made.block.make_sum])
def test_sum_of_a_block(make_sum: Any) -> None:
    threads_per_block = 128
    block_sum = make_sum(numba.int32, threads_per_block)

    @cuda.jit(link=block_sum.files)
    def kernel(data: Any, out: Any) -> None:
        total = block_sum(data[cuda.grid(1)])
        if cuda.threadIdx.x == 0:
            out[cuda.blockIdx.x] = total

    data = RNG.integers(-1000, 1000, 512, dtype=np.int32)
    out = np.zeros(4, np.int32)
    kernel[4, threads_per_block](data, out)
    assert out.tolist() == data.reshape(4, 128).sum(1).tolist()


def test_generations_have_their_names() -> None:
    assert "sum" in dir(cudax.block) and not hasattr(cudax.block, "make_sum")
    assert "make_sum" in dir(made.block) and not hasattr(made.block, "sum")
    assert coop.warp.sum is coop.warp.make_sum is cudax.warp.sum
    assert cudax.StatefulFunction is made.StatefulFunction is coop.StatefulFunction
    assert cudax.block.sum("int32", 32).files == []


@pytest.mark.parametrize(
    "shape", [1, 7, 32, 48, 100, 256, 1000, 1024, (4, 8), (3, 5, 7)], ids=lambda shape: str(shape).replace(" ", "")
)
def test_all_of_a_block(shape: Any) -> None:
    """Reductions, scans, sorts and moves by blocks of any shape, a partial last warp among them."""
    items = 3
    threads = int(np.prod(shape))
    load = coop.block.load("int32", shape, items, "transpose")
    store = coop.block.store("int32", shape, items, "warp_transpose")
    reduce = coop.block.reduce("int32", shape, lambda a, b: a if a > b else b, items)
    inclusive = coop.block.inclusive_sum("int32", shape, items)
    exclusive = coop.block.exclusive_scan("int32", shape, "max", items, initial_value=-7)
    merge = coop.block.merge_sort_keys("int32", shape, items, lambda a, b: a % 64 < b % 64)
    radix = coop.block.radix_sort_keys_descending("int32", shape, items)
    exchange = coop.block.exchange(coop.block.BlockExchangeType.StripedToBlocked, "int32", shape, items)

    @cuda.jit
    def kernel(data: Any, most: Any, out: Any, total: Any) -> None:
        own = cuda.local.array(items, np.int32)
        new = cuda.local.array(items, np.int32)
        count = items * cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
        load(data, own)
        greatest = reduce(own)
        if cuda.threadIdx.x == 0 and cuda.threadIdx.y == 0 and cuda.threadIdx.z == 0:
            most[0] = greatest
        inclusive(own, new, block_aggregate=total)
        store(out, new)
        exclusive(own, new)
        store(out[count:], new)
        merge(own)
        store(out[2 * count :], own)
        radix(own)
        store(out[3 * count :], own)
        exchange(own)
        store(out[4 * count :], own)

    count = threads * items
    data = RNG.integers(-1000, 1000, count, dtype=np.int32)
    most, out, total = np.zeros(1, np.int32), np.zeros((5, count), np.int32), np.zeros(1, np.int32)
    kernel[1, shape](data, most, out.reshape(-1), total)
    assert most[0] == data.max() and total[0] == data.sum()
    assert np.array_equal(out[0], np.cumsum(data))
    assert np.array_equal(out[1], np.maximum.accumulate(np.r_[np.int32(-7), data])[:-1])
    assert np.array_equal(out[2], data[np.argsort(data % 64, kind="stable")])
    descending = np.sort(data)[::-1]
    assert np.array_equal(out[3], descending)
    assert np.array_equal(out[4], descending.reshape(threads, items).T.reshape(-1))


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.exhaustive)])
def test_random_collectives(count: int) -> None:
    """Some of any kind, type, shape, number of items, operator, algorithm and number of valid items."""
    assert list(random_coop.wrong(1, count)) == []


def test_storage_of_the_call() -> None:
    """A call may bring its shared memory, and calls in a loop share it: the barrier between them is there."""
    threads = 64
    scan = coop.block.inclusive_sum(np.int64, threads, 1)
    total = coop.block.sum(np.uint8, threads)

    @cuda.jit(link=scan.files + total.files)
    def kernel(data: Any, out: Any, sums: Any) -> None:
        storage = cuda.shared.array(scan.temp_storage_bytes, "uint8")
        for step in range(20):
            at = step * threads + cuda.threadIdx.x
            out[at] = scan(storage, data[at])
            small = total(storage, np.uint8(cuda.threadIdx.x), 10)
            if cuda.threadIdx.x == 0:
                sums[step] = small

    data = RNG.integers(-(10**12), 10**12, 20 * threads)
    out, sums = np.zeros_like(data), np.zeros(20, np.uint8)
    kernel[1, threads](data, out, sums)
    assert np.array_equal(out, np.cumsum(data.reshape(20, threads), axis=1).reshape(-1))
    assert sums.tolist() == [45] * 20
    assert [coop.block.sum(kind, 256).temp_storage_alignment for kind in ("int8", "int32", "float64")] == [1, 4, 8]


class Running:
    """A prefix function with a state, as a class."""

    def __call__(self: Any, block_aggregate: Any) -> Any:
        before = self[0]
        self[0] = before + block_aggregate
        return before


@pytest.mark.parametrize("items", [1, 4])
@pytest.mark.parametrize("mode", ["inclusive", "exclusive"])
def test_prefix_function_with_a_state(items: int, mode: str) -> None:
    threads, tiles = 96, 5
    prefix = coop.StatefulFunction(Running, np.int64)
    scan = coop.block.scan(np.int32, threads, items, mode=mode, scan_op="+", block_prefix_callback_op=prefix)
    tile = threads * items

    @cuda.jit
    def kernel(data: Any, out: Any) -> None:
        state = cuda.local.array(1, np.int64)
        state[0] = 100
        own = cuda.local.array(items, np.int32)
        for first in range(0, tiles * tile, tile):
            at = first + cuda.threadIdx.x * items
            for i in range(items):
                own[i] = data[at + i]
            if items == 1:
                own[0] = scan(own[0], state)
            else:
                scan(own, own, state)
            for i in range(items):
                out[at + i] = own[i]

    data = RNG.integers(-1000, 1000, tiles * tile, dtype=np.int32)
    out = np.zeros_like(data)
    kernel[1, threads](data, out)
    sums = 100 + np.cumsum(data)
    assert np.array_equal(out, sums if mode == "inclusive" else np.r_[100, sums[:-1]])


def test_aggregate_of_a_thread() -> None:
    """What all items make together, in an array of the thread's own."""
    scan = coop.block.exclusive_scan(np.int32, 96, "max", 2, initial_value=100)
    single = coop.block.inclusive_sum(np.int64, 96, 1)

    @cuda.jit
    def kernel(data: Any, out: Any) -> None:
        own = cuda.local.array(2, np.int32)
        most = cuda.local.array(1, np.int32)
        sums = cuda.local.array(1, np.int64)
        for i in range(2):
            own[i] = data[2 * cuda.threadIdx.x + i]
        scan(own, own, block_aggregate=most)
        single(own[0], block_aggregate=sums)
        out[0, cuda.threadIdx.x] = most[0]
        out[1, cuda.threadIdx.x] = sums[0]

    data = RNG.integers(-1000, 1000, 192, dtype=np.int32)
    out = np.zeros((2, 96), np.int64)
    kernel[1, 96](data, out)
    before = np.maximum.accumulate(np.r_[np.int32(100), data])[:-1]
    assert out[0].tolist() == [data.max()] * 96 and out[1].tolist() == [before[::2].sum()] * 96


def test_prefix_function_without_a_state() -> None:
    scan = coop.block.exclusive_sum(np.int32, 40, 1, prefix_op=lambda total: total * 2)

    @cuda.jit
    def kernel(out: Any) -> None:
        out[cuda.threadIdx.x] = scan(1)

    out = np.zeros(40, np.int32)
    kernel[1, 40](out)
    assert out.tolist() == list(range(80, 120))


PAIR = np.dtype([("key", np.int32), ("value", np.float64)], align=True)


def test_records_and_complex_numbers() -> None:
    """Operators take items by value, or by their places as NVIDIA's do."""
    threads, items = 64, 2

    def later(made: Any, a: Any, b: Any) -> None:
        made[0].key = a[0].key if a[0].key > b[0].key else b[0].key
        made[0].value = a[0].value + b[0].value

    fold = coop.block.reduce(PAIR, threads, later, items)
    keys = coop.block.merge_sort_keys(PAIR, threads, items, lambda a, b: a.key < b.key)
    numbers = coop.block.merge_sort_keys(np.complex128, threads, items, lambda a, b: a[0].real > b[0].real)
    total = coop.block.sum(np.complex64, threads)

    @cuda.jit
    def kernel(data: Any, out: Any, folded: Any, numbers_in: Any, numbers_out: Any, sums: Any) -> None:
        own = cuda.local.array(items, PAIR)
        points = cuda.local.array(items, np.complex128)
        at = cuda.threadIdx.x * items
        for i in range(items):
            own[i] = data[at + i]
            points[i] = numbers_in[at + i]
        made = fold(own)
        if cuda.threadIdx.x == 0:
            folded[0] = made
        keys(own)
        numbers(points)
        both = total(np.complex64(points[0]))
        if cuda.threadIdx.x == 0:
            sums[0] = both
        for i in range(items):
            out[at + i] = own[i]
            numbers_out[at + i] = points[i]

    data = np.zeros(threads * items, PAIR)
    data["key"] = RNG.integers(-50, 50, len(data))
    data["value"] = np.arange(len(data))
    points = RNG.random(len(data)) + 1j * RNG.random(len(data))
    out, folded, numbers_out, sums = (
        np.zeros_like(data),
        np.zeros(1, PAIR),
        np.zeros_like(points),
        np.zeros(1, np.complex64),
    )
    kernel[1, threads](data, out, folded, points, numbers_out, sums)
    assert folded[0]["key"] == data["key"].max() and folded[0]["value"] == data["value"].sum()
    assert np.array_equal(out, data[np.argsort(data["key"], kind="stable")])
    ordered = points[np.argsort(-points.real, kind="stable")]
    assert np.array_equal(numbers_out, ordered)
    assert np.allclose(sums[0], ordered[::2].astype(np.complex64).sum())


def test_structures_of_the_program() -> None:
    """Those of `gpu_struct` are items, and what operators return, as are tuples of the fields of records."""

    Pair = gpu_struct({"x": np.int32, "y": np.float64}, "Pair")
    Outer = gpu_struct({"pair": Pair, "z": np.int8}, "Outer")

    def add(a: Any, b: Any) -> Any:
        return Pair(a.x + b.x, max(a.y, b.y))

    def add_fields(a: Any, b: Any) -> Any:
        return a.x + b.x, max(a.y, b.y)

    def add_outer(a: Any, b: Any) -> Any:
        return Outer(Pair(a.pair.x + b.pair.x, b.pair.y), a.z)

    def less(a: Any, b: Any) -> Any:
        return a.x < b.x

    total = coop.block.make_reduce(Pair, 64, add)
    nested = coop.block.make_reduce(Outer.dtype, 64, add_outer)
    sort = coop.block.make_merge_sort_keys(Pair, 64, 2, less)

    @cuda.jit
    def kernel(source: Any, outer: Any, sums: Any, of_outer: Any, sorted_: Any, scanned: Any, made: Any) -> None:
        block, rank = coop.this_block(), cuda.threadIdx.x
        all_, all_outer = total(source[rank]), nested(outer[rank])
        if rank == 0:
            sums[0] = all_
            of_outer[0] = all_outer
        own = cuda.local.array(2, Pair)
        own[0], own[1] = source[rank * 2], source[rank * 2 + 1]
        sort(own)
        sorted_[rank * 2], sorted_[rank * 2 + 1] = own[0], own[1]
        scanned[rank] = coop.exclusive_scan(block, source[rank], scan_op=add_fields, initial_value=Pair(5, -1.0))
        items = coop.ThreadData(2, Pair)
        items[0], items[1] = Pair(rank, 0.5), Pair(1, 0.25)
        counted = coop.reduce(block, items, binary_op=add)
        last = coop.reduce(block, Pair(1, rank), binary_op=add_fields)
        made[rank] = counted.x, last.x + last.y

    source, outer = np.zeros(128, Pair.dtype), np.zeros(64, Outer.dtype)
    source["x"], source["y"] = RNG.integers(0, 99, 128), RNG.random(128)
    outer["pair"]["x"], outer["pair"]["y"], outer["z"] = range(64), range(64), 7
    sums, of_outer, sorted_ = np.zeros(1, Pair.dtype), np.zeros(1, Outer.dtype), np.zeros_like(source)
    scanned, made = np.zeros(64, Pair.dtype), np.zeros(64, Pair.dtype)
    kernel[1, 64](source, outer, sums, of_outer, sorted_, scanned, made)
    half = source[:64]
    assert sums[0].tolist() == (half["x"].sum(), half["y"].max())
    assert of_outer[0].tolist() == ((64 * 63 // 2, 63.0), 7)
    assert np.array_equal(sorted_, source[np.argsort(source["x"], kind="stable")])
    assert np.array_equal(scanned["x"], 5 + np.cumsum(half["x"]) - half["x"])
    assert np.array_equal(scanned["y"], np.r_[-1.0, np.maximum.accumulate(half["y"])[:-1]])
    assert np.array_equal(made, np.array([(64 * 63 // 2 + 64, 64 + 63)] * 64, Pair.dtype))

    @cuda.jit
    def plain(out: Any) -> None:
        out[0] = coop.sum(coop.this_block(), Pair(1, 2.0)).x

    with pytest.raises(KernelTypeError, match=r"coop.sum\(\): its operator \+ does not take record \(x, y\)"):
        plain[1, 32](np.zeros(1))


def test_bfloat16_and_bools() -> None:
    total = coop.block.scan(numba.types.bfloat16, 64, 2, mode="inclusive", scan_op="max")
    either = coop.block.reduce(np.bool_, 64, lambda a, b: a or b)

    @cuda.jit
    def kernel(out: Any, found: Any) -> None:
        own = cuda.local.array(2, numba.types.bfloat16)
        own[0] = numba.types.bfloat16((cuda.threadIdx.x * 7) % 64)
        own[1] = numba.types.bfloat16(-1.0)
        total(own, own)
        out[cuda.threadIdx.x] = np.float32(own[1])
        seen = either(cuda.threadIdx.x == 5)
        if cuda.threadIdx.x == 0:
            found[0] = seen

    out, found = np.zeros(64, np.float32), np.zeros(1, np.bool_)
    kernel[1, 64](out, found)
    assert np.array_equal(out, np.maximum.accumulate(np.arange(64) * 7 % 64)) and found[0]


def test_negative_zeros_keep_their_order() -> None:
    sort = coop.block.radix_sort_keys(np.float32, 32, 2)

    @cuda.jit
    def kernel(data: Any) -> None:
        own = cuda.local.array(2, np.float32)
        for i in range(2):
            own[i] = data[2 * cuda.threadIdx.x + i]
        sort(own)
        for i in range(2):
            data[2 * cuda.threadIdx.x + i] = own[i]

    data = RNG.choice(np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf], np.float32), 64)
    expected = data[np.argsort(data, kind="stable")]
    kernel[1, 32](data)
    assert np.array_equal(data.view(np.int32), expected.view(np.int32))


def test_warps_of_a_block_do_not_disturb_each_other() -> None:
    """A warp may be ahead of others by any number of calls."""
    sort = coop.warp.merge_sort_keys(np.int32, 2, lambda a, b: a < b)
    total = coop.block.sum(np.int32, 128)

    @cuda.jit
    def kernel(data: Any, sums: Any) -> None:
        own = cuda.local.array(2, np.int32)
        at = 2 * cuda.threadIdx.x
        for turn in range(10):
            for i in range(2):
                own[i] = data[at + i] ^ turn
            sort(own)
            made = total(own[0])
            if cuda.threadIdx.x == 0:
                sums[turn] = made

    data = RNG.integers(0, 1000, 256, dtype=np.int32)
    sums = np.zeros(10, np.int32)
    kernel[1, 128](data, sums)
    assert sums.tolist() == [int(np.sort((data ^ turn).reshape(4, 64), axis=1)[:, ::2].sum()) for turn in range(10)]


def test_groups_of_several_sizes_share_their_warps_storage() -> None:
    """A warp's storage is its own, however many groups it has."""
    whole = coop.warp.merge_sort_keys(np.uint8, 3, lambda a, b: a < b, 32)
    halves = coop.warp.merge_sort_keys(np.uint8, 1, lambda a, b: a < b, 16)
    odd = coop.warp.merge_sort_keys(np.int64, 1, lambda a, b: a < b, 5)

    @cuda.jit
    def kernel(data: Any, out: Any, rest: Any) -> None:
        at = cuda.threadIdx.x
        own = cuda.local.array(3, np.uint8)
        one = cuda.local.array(1, np.uint8)
        wide = cuda.local.array(1, np.int64)
        # The warps are at different calls at any time.
        for turn in range((at // 32) % 5 + 1):
            for i in range(3):
                own[i] = data[3 * at + i]
            whole(own)
        one[0] = data[at]
        halves(one)
        wide[0] = data[at]
        odd(wide)
        for i in range(3):
            out[3 * at + i] = own[i]
        rest[0, at] = one[0]
        rest[1, at] = wide[0]

    data = RNG.integers(0, 256, 3 * 1024).astype(np.uint8)
    out, rest = np.zeros_like(data), np.zeros((2, 1024), np.int64)
    kernel[1, 1024](data, out, rest)
    assert np.array_equal(out, np.sort(data.reshape(32, 96), axis=1).reshape(-1))
    assert np.array_equal(rest[0], np.sort(data[:1024].reshape(64, 16), axis=1).reshape(-1))
    groups = data[:1024].reshape(32, 32)
    expected = np.concatenate([np.sort(groups[:, first : first + 5], axis=1) for first in range(0, 32, 5)], axis=1)
    assert np.array_equal(rest[1].reshape(32, 32)[:, :30], expected[:, :30])


def test_storage_of_warps_is_that_of_the_blocks_that_there_are() -> None:
    sort = coop.warp.merge_sort_keys(np.float64, 8, lambda a, b: a < b)

    def program(data: Any) -> None:
        own = cuda.local.array(8, np.float64)
        for i in range(8):
            own[i] = data[8 * cuda.threadIdx.x + i]
        sort(own)
        for i in range(8):
            data[8 * cuda.threadIdx.x + i] = own[i]

    data = RNG.random(8 * 64)
    expected = np.sort(data.reshape(2, 256), axis=1).reshape(-1)
    with pytest.raises(KernelTypeError, match=r"warp.merge_sort_keys\(\) needs 65536 bytes for 32 warps"):
        cuda.jit(program)[1, 64](data)
    cuda.jit(program, launch_bounds=64)[1, 64](data)
    assert np.array_equal(data, expected)


def test_wrong_threads_per_block() -> None:
    total = coop.block.sum(np.int32, (8, 4))

    @cuda.jit
    def kernel(out: Any) -> None:
        out[0] = total(1)

    with pytest.raises(
        ValueError,
        match=r"kernel: launched with blocks of 32 threads, but block.sum was made with threads_per_block=\(8, 4\)",
    ):
        kernel[1, 32](np.zeros(1, np.int32))
    other = coop.block.reduce(np.int32, 64, max)

    @cuda.jit
    def both(out: Any) -> None:
        out[0] = total(1) + other(1)

    with pytest.raises(
        KernelTypeError, match=r"block.reduce\(\) was made for blocks of 64 threads, and block.sum\(\).*8 x 4"
    ):
        both[1, 64](np.zeros(1, np.int32))


def test_block_of_one_byte() -> None:
    """The least storage that there is."""
    exchange = coop.block.exchange(coop.block.BlockExchangeType.StripedToBlocked, np.uint8, 1, 1)

    @cuda.jit
    def kernel(data: Any) -> None:
        own = cuda.local.array(1, np.uint8)
        own[0] = data[0]
        exchange(own)
        data[1] = own[0]

    data = np.array([7, 0], np.uint8)
    kernel[1, 1](data)
    assert data.tolist() == [7, 7]


def test_bounds_of_blocks() -> None:
    """NVRTC is told the number of threads, unless it is told the number of registers, which it would forget."""
    total = coop.block.sum(np.int32, (8, 4))

    def kernel(out: Any) -> None:
        out[0] = total(1)

    def text(**options: Any) -> str:
        return str(_translate(Environment(kernel), ["array(int32,1,C)"], **options).text)

    assert "__launch_bounds__(32)" in text()
    assert "__launch_bounds__(64)" in text(launch_bounds=64)
    assert "__launch_bounds__" not in text(limits_registers=True)


def test_errors_of_calls() -> None:
    total = coop.block.sum(np.int32, 256)
    several = coop.block.sum(np.int32, 256, 4)
    large = coop.block.merge_sort_keys(np.float64, 1024, 8, lambda a, b: a < b)

    @cuda.jit
    def little(out: Any) -> None:
        out[0] = total(cuda.shared.array(8, "uint8"), 1)

    with pytest.raises(KernelTypeError, match=r"block.sum\(\): temp_storage has 8 bytes, and 35 are needed"):
        little[1, 256](np.zeros(1, np.int32))

    @cuda.jit
    def one(out: Any) -> None:
        out[0] = several(1)

    with pytest.raises(KernelTypeError, match=r"block.sum\(\): it takes an array of 4 items of each thread"):
        one[1, 256](np.zeros(1, np.int32))

    @cuda.jit
    def other(out: Any) -> None:
        out[0] = several(cuda.local.array(4, np.float32))

    with pytest.raises(KernelTypeError, match="made for int32, and items is an array of float32"):
        other[1, 256](np.zeros(1, np.int32))

    @cuda.jit
    def much(out: Any) -> None:
        large(cuda.local.array(8, np.float64))

    with pytest.raises(KernelTypeError, match=r"block.merge_sort_keys\(\) needs 65536 bytes: a block has 49152"):
        much[1, 1024](np.zeros(1, np.int32))
    store = coop.block.store(np.int32, 32)
    constant = np.arange(32, dtype=np.int32)

    @cuda.jit
    def read_only(out: Any) -> None:
        store(constant, out)

    with pytest.raises(KernelTypeError, match=r"block.store\(\): dest is an array that kernels cannot store into"):
        read_only[1, 32](np.zeros(1, np.int32))

    @cuda.jit
    def as_value(out: Any) -> None:
        out[0] = total

    with pytest.raises(KernelTypeError, match=r"block\.sum"):
        as_value[1, 256](np.zeros(1, np.int32))
    with pytest.raises(RuntimeError, match=r"block.sum\(\) can be called by kernels only"):
        total(1)


def test_errors_of_makers() -> None:
    for wrong in (0, 1025, (2, 2, 65), "32", (1, 2, 3, 4)):
        with pytest.raises(ValueError, match="dimension|threads_per_block"):
            coop.block.sum(np.int32, wrong)
    with pytest.raises(ValueError, match="items_per_thread must be greater than or equal to 1"):
        coop.block.sum(np.int32, 32, 0)
    with pytest.raises(ValueError, match="a thread has 524288 bytes of local memory"):
        coop.block.sum(np.int32, 32, 2**40)
    with pytest.raises(TypeError, match="items must be numbers or records, got"):
        coop.block.sum(np.dtype("U3"), 32)
    assert "2 items each" in repr(coop.block.sum(np.int32, np.int64(64), np.int64(2)))
    with pytest.raises(ValueError, match="Unsupported algorithm: 'x'"):
        coop.block.load(np.int32, 32, 1, "x")
    with pytest.raises(ValueError, match="Unsupported scan operator: /"):
        coop.block.scan(np.int32, 32, 1, scan_op="/")
    with pytest.raises(ValueError, match="initial_value is not supported for inclusive and exclusive sums"):
        coop.block.scan(np.int32, 32, 2, initial_value=1)
    with pytest.raises(ValueError, match="initial_value is required"):
        coop.block.exclusive_scan(PAIR, 32, lambda a, b: a, 2)
    with pytest.raises(ValueError, match="threads_in_warp must be an int from 1 to 32"):
        coop.warp.sum(np.int32, 33)
    with pytest.raises(TypeError, match="items must be numbers or records"):
        coop.block.sum(numba.types.Array(numba.int32, 1, "C"), 32)
    with pytest.raises(ValueError, match="must be a BlockExchangeType"):
        coop.block.exchange(2, np.int32, 32, 1)  # type: ignore[arg-type]


def test_operators_call_no_collectives() -> None:
    """An operator of an algorithm runs in one thread at a time."""
    from cuox.cuda import compute

    total = coop.block.sum(np.int32, 256)
    with pytest.raises(TypeError, match=r"block.sum\(\) is called by all threads of a block"):
        compute.unary_transform(
            d_in=cuox.to_device(np.ones(4, np.int32)),
            d_out=cuox.to_device(np.ones(4, np.int32)),
            op=lambda x: total(x),
            num_items=4,
        )


@pytest.mark.parametrize("threads", [192, 256])
def test_scans_that_the_first_warp_rakes(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """What kernels for GPUs have, here on any device."""

    def of_gpu(*given: Any, **named: Any) -> Any:
        return _translate(*given, **named | {"for_software_gpu": False})

    monkeypatch.setattr("cuox.numba.cuda._dispatcher._translate", of_gpu)
    items, later = 3, coop.StatefulFunction(lambda state, aggregate: state[0] + aggregate * 0, numba.int64)
    sums = coop.block.make_inclusive_sum(np.int32, threads, items)
    last = coop.block.make_scan(np.float64, threads, items, mode="exclusive", scan_op=lambda a, b: b if b > 0 else a)
    prefixed = coop.block.make_exclusive_sum(np.int64, threads, items, prefix_op=later)

    @cuda.jit(link=[*sums.files, *last.files, *prefixed.files])
    def kernel(x: Any, out: Any) -> None:
        a, b, c = (
            cuda.local.array(items, np.int32),
            cuda.local.array(items, np.float64),
            cuda.local.array(items, np.int64),
        )
        state = cuda.local.array(1, np.int64)
        state[0] = 1000
        first = cuda.threadIdx.x * items
        for turn in range(2):
            for i in range(items):
                a[i] = b[i] = c[i] = x[first + i]
            sums(a, a)
            last(b, b)
            prefixed(c, c, state)
        for i in range(items):
            out[0, first + i], out[1, first + i], out[2, first + i] = a[i], b[i], c[i]

    x = RNG.integers(-1, 2, threads * items)
    out = cuda.to_device(np.zeros((3, len(x))))
    kernel[1, threads](cuda.to_device(x), out)
    found = out.copy_to_host()
    kept = [x[0]]
    for item in x[1:-1]:
        kept.append(item if item > 0 else kept[-1])
    assert found[0].tolist() == np.cumsum(x).tolist()
    assert found[1, 1:].tolist() == kept
    assert found[2].tolist() == (1000 + np.cumsum(x) - x).tolist()


def test_items_of_other_kinds() -> None:
    """A float is no integer without a word, and a maker is called before the kernel."""
    add = coop.block.make_sum(np.int32, 32)

    @cuda.jit
    def of_floats(out: Any) -> None:
        out[0] = add(1.5)

    @cuda.jit
    def inside(out: Any) -> None:
        out[0] = coop.block.sum(np.int32, 32)(1)

    for kernel, message in (
        (of_floats, r"block.sum\(\): expected int32, got float64"),
        (inside, r"make_sum\(\) makes an operation outside of kernels"),
    ):
        with pytest.raises(KernelTypeError, match=message):
            kernel[1, 32](np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="expected a function of two items"):
        coop.block.make_reduce(np.int32, 32, None)
