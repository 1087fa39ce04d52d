"""Each algorithm of `cuox.cuda.compute` beside CUB's own, from its headers, over random sizes, types and operators.

`test_compute_cub.py` compares a few; `tools/compare_with_cub.py` as many as one likes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cuox
import numpy as np
from cuox._native import cuda_include_dirs
from cuox.cuda import compute
from cuox.cuda.compute import OpKind

SOURCE = Path(__file__).parent / "cub" / "algorithms.cu"


def has_cub() -> bool:
    """True if CUB's headers are where nvcc's are."""
    return any(Path(folder, "cub", "version.cuh").exists() for folder in cuda_include_dirs())


# Types in CUDA C++ for those of NumPy.
NAMES = {
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "uint16": "unsigned short",
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "long long",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}

# Those of algorithms.cu, by their numbers.
COMBINE: Sequence[Any] = [
    OpKind.PLUS,
    lambda a, b: b if a < b else a,
    lambda a, b: b if b < a else a,
    lambda a, b: a if b == 0 else b,
]
LESS: Sequence[Any] = [
    OpKind.LESS,
    lambda a, b: b < a,
    lambda a, b: np.int64(a) >> 2 < np.int64(b) >> 2,
]
EQUAL: Sequence[Any] = [
    OpKind.EQUAL_TO,
    lambda a, b: np.int64(a) >> 2 == np.int64(b) >> 2,
]
MINUS: Sequence[Any] = [
    OpKind.MINUS,
    lambda a, b: a + b + b,
]


class Cub:
    """CUB's algorithms for one type of keys and one of values: `cub.reduce(array, …)`. It takes arrays on the device
    and numbers. `few`: those in FEW only.
    """

    def __init__(self, key: Any, value: Any, few: bool = False) -> None:
        self.key, self.value = np.dtype(key), np.dtype(value)
        # The code is for the software GPU, so that optimising it would not pay.
        options = [
            "-std=c++17",
            "-Ofc=max",
            f"-DKEY_TYPE={NAMES[self.key.name]}",
            f"-DVALUE_TYPE={NAMES[self.value.name]}",
            *(["-DFEW"] if few else []),
        ]
        self._library = cuox.load(SOURCE, compile_options=options)

    def __getattr__(self, name: str) -> Callable[..., None]:
        function = getattr(self._library, f"cub_{name}")

        def call(*given: Any) -> None:
            function.argtypes = [
                "void *"
                if isinstance(one, cuox.Array)
                else "long long"
                if isinstance(one, int)
                else NAMES[one.dtype.name]
                for one in given
            ]
            code = function(*given)
            if code:
                raise RuntimeError(f"cub_{name}: error {code} of the CUDA runtime")

        return call

    def __repr__(self) -> str:
        return f"{self.key}, {self.value}"


class Differ(Exception):
    """Numbers of results differ, so that there are no results to compare."""


class Unsteady(Exception):
    """CUB has other results for the same input in another run."""


class Round:
    """Random inputs for one comparison of each algorithm."""

    def __init__(self, cub: Cub, seed: int, largest: int = 30000) -> None:
        self.cub, self.seed, self.largest = cub, seed, largest

    def run(self, algorithm: str) -> None:
        """Compare one algorithm. Raises AssertionError that says with which inputs the two differ, and Unsteady."""
        first = self._once(algorithm)
        wrong = self._wrong(first)
        if wrong is None:
            return
        # On the software GPU a vector of two words is not loaded and stored at once, on which CUB relies between
        # blocks. What differs for that reason is another thing in another run.
        about = f"{algorithm}, {self.cub!r}, seed {self.seed}: {wrong}"
        for _ in range(5):
            second = self._once(algorithm)
            if any(one[0].tobytes() != other[0].tobytes() for one, other in zip(first, second, strict=False)):
                raise AssertionError(f"{about}; in another run ours are others")
            if any(one[1].tobytes() != other[1].tobytes() for one, other in zip(first, second, strict=False)):
                raise Unsteady(f"{about}; in another run CUB's are others")
        raise AssertionError(about)

    def _once(self, algorithm: str) -> list[Any]:
        # Random numbers of its own: an algorithm can be tried again without the others.
        self.random = np.random.default_rng([self.seed, ALGORITHMS.index(algorithm)])
        self.results: list[Any] = []
        try:
            getattr(self, algorithm)()
        except Differ:
            pass
        return self.results

    @staticmethod
    def _wrong(results: list[Any]) -> str | None:
        for ours, theirs, what in results:
            bits = f"u{ours.dtype.itemsize}"
            # Zeros of both signs are equal, and NaNs must have the same bits.
            wrong = np.flatnonzero((ours.view(bits) != theirs.view(bits)) & ~(ours == theirs))
            if wrong.size:
                at = int(wrong[0])
                return f"{what} differ at {wrong.size} of {ours.size} places, first at {at}: {ours[at]!r}, CUB has {theirs[at]!r}"
        return None

    # Inputs.

    def count(self) -> int:
        """A number of items: often small or next to a power of two, where tiles end."""
        kind = self.random.integers(4)
        if kind == 0:
            return int(self.random.integers(4))
        if kind == 1:
            return max(0, min(self.largest, 2 ** int(self.random.integers(15)) + int(self.random.integers(-2, 3))))
        return int(self.random.integers(self.largest if kind == 2 else 3000))

    def pick(self, all_: Sequence[Any]) -> int:
        return int(self.random.integers(len(all_)))

    def items(self, dtype: np.dtype[Any], count: int, most: int | None = None) -> np.ndarray[Any, Any]:
        """Whole numbers, whose sums floats hold exactly; so the order in which they are added does not matter."""
        most = int(self.random.choice([2, 5, 100])) if most is None else most
        low = 0 if dtype.kind == "u" or self.random.integers(2) else -most
        return self.random.integers(low, most, count).astype(dtype)

    def keys(self, count: int) -> np.ndarray[Any, Any]:
        """Keys in runs of random lengths."""
        lengths = self.random.integers(1, int(self.random.choice([2, 4, 300, 20000])), count)
        items = self.items(self.cub.key, count)
        needed = np.searchsorted(np.cumsum(lengths), count) + 1
        return np.repeat(items[:needed], lengths[:needed])[:count]

    def any_keys(self, count: int) -> np.ndarray[Any, Any]:
        """Keys of any bits."""
        if self.random.integers(2):
            return self.items(self.cub.key, count)
        return np.frombuffer(self.random.bytes(count * self.cub.key.itemsize), self.cub.key)

    def segments(self, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        number = int(self.random.integers(1, 200))
        ends = np.sort(self.random.integers(0, count + 1, number)).astype(np.int32)
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int32)
        return starts, ends

    # Outputs.

    def room(self, count: int, dtype: Any) -> tuple[cuox.Array, cuox.Array]:
        """Two arrays, with different contents."""
        dtype = np.dtype(dtype)
        return cuox.full((max(count, 1),), 1, dtype), cuox.full((max(count, 1),), 2, dtype)

    def same(self, pair: tuple[cuox.Array, cuox.Array], count: int, what: str) -> None:
        ours, theirs = (array.to_host()[:count] for array in pair)
        self.results.append((ours, theirs, what))

    def number(self, pair: tuple[cuox.Array, cuox.Array]) -> int:
        self.same(pair, 1, "numbers of results")
        ours, theirs, _ = self.results[-1]
        if ours[0] != theirs[0]:
            raise Differ
        return int(theirs[0])

    # Algorithms.

    def reduce(self) -> None:
        count, op = self.count(), self.pick(COMBINE[:3])
        # CUB's takes commutative operators only.
        given, out, init = (
            there(self.items(self.cub.value, count)),
            self.room(1, self.cub.value),
            self.items(self.cub.value, 1),
        )
        compute.reduce_into(d_in=given, d_out=out[0], num_items=count, op=COMBINE[op], h_init=init)
        self.cub.reduce(given, out[1], count, op, init[0])
        self.same(out, 1, f"results of {count} items by operator {op}")

    def inclusive_scan(self) -> None:
        count, op = self.count(), self.pick(COMBINE)
        given, out = there(self.items(self.cub.value, count)), self.room(count, self.cub.value)
        compute.inclusive_scan(d_in=given, d_out=out[0], num_items=count, op=COMBINE[op])
        self.cub.inclusive_scan(given, out[1], count, op)
        self.same(out, count, f"results by operator {op}")

    def exclusive_scan(self) -> None:
        count, op = self.count(), self.pick(COMBINE)
        given, out, init = (
            there(self.items(self.cub.value, count)),
            self.room(count, self.cub.value),
            self.items(self.cub.value, 1),
        )
        compute.exclusive_scan(d_in=given, d_out=out[0], num_items=count, op=COMBINE[op], init_value=init)
        self.cub.exclusive_scan(given, out[1], count, op, init[0])
        self.same(out, count, f"results by operator {op}")

    def segmented_reduce(self) -> None:
        # CUB's takes commutative operators only.
        count, op = self.count(), self.pick(COMBINE[:3])
        starts, ends = self.segments(count)
        given, init, out = (
            there(self.items(self.cub.value, count)),
            self.items(self.cub.value, 1),
            self.room(starts.size, self.cub.value),
        )
        first, last = there(starts), there(ends)
        compute.segmented_reduce(
            d_in=given,
            d_out=out[0],
            num_segments=starts.size,
            start_offsets_in=first,
            end_offsets_in=last,
            op=COMBINE[op],
            h_init=init,
        )
        self.cub.segmented_reduce(given, out[1], starts.size, first, last, op, init[0])
        self.same(out, starts.size, f"results by operator {op}")

    def adjacent_difference(self) -> None:
        count, op, right = self.count(), self.pick(MINUS), bool(self.random.integers(2))
        given, out = there(self.items(self.cub.value, count)), self.room(count, self.cub.value)
        self.cub.adjacent_difference(given, out[1], count, op, int(right))
        in_place = bool(self.random.integers(2))
        if in_place:
            out = given, out[1]
        compute.adjacent_difference(
            d_in=given, d_out=out[0], num_items=count, op=MINUS[op], side="right" if right else "left"
        )
        self.same(
            out,
            count,
            f"results by operator {op}{', to the right' if right else ''}{', in place,' if in_place else ''}",
        )

    def search(self) -> None:
        count, number, upper = self.count(), self.count(), bool(self.random.integers(2))
        data, values, out = (
            there(np.sort(self.items(self.cub.key, count))),
            there(self.items(self.cub.key, number)),
            self.room(number, np.int64),
        )
        search = compute.upper_bound if upper else compute.lower_bound
        search(d_data=data, num_items=count, d_values=values, num_values=number, d_out=out[0])
        self.cub.search(data, count, values, number, out[1], int(upper))
        self.same(out, number, f"places in {count} items")

    def reduce_by_key(self) -> None:
        count, op = self.count(), self.pick(COMBINE)
        keys, values = there(self.keys(count)), there(self.items(self.cub.value, count))
        unique, sums, number = self.room(count, self.cub.key), self.room(count, self.cub.value), self.room(1, np.int64)
        compute.reduce_by_key(
            d_keys_in=keys,
            d_values_in=values,
            d_unique_out=unique[0],
            d_aggregates_out=sums[0],
            d_num_runs_out=number[0],
            op=COMBINE[op],
            num_items=count,
        )
        self.cub.reduce_by_key(keys, values, unique[1], sums[1], number[1], count, op)
        found = self.number(number)
        self.same(unique, found, "keys")
        self.same(sums, found, f"results by operator {op}")

    def run_length_encode(self) -> None:
        count = self.count()
        given, unique, counts, number = (
            there(self.keys(count)),
            self.room(count, self.cub.key),
            self.room(count, np.int32),
            self.room(1, np.int64),
        )
        compute.run_length_encode(
            d_in=given, d_unique_out=unique[0], d_counts_out=counts[0], d_num_runs_out=number[0], num_items=count
        )
        self.cub.run_length_encode(given, unique[1], counts[1], number[1], count)
        found = self.number(number)
        self.same(unique, found, "items")
        self.same(counts, found, "lengths")

    def non_trivial_runs(self) -> None:
        count = self.count()
        given, places, lengths, number = (
            there(self.keys(count)),
            self.room(count, np.int32),
            self.room(count, np.int32),
            self.room(1, np.int64),
        )
        compute.non_trivial_runs(
            d_in=given, d_offsets_out=places[0], d_lengths_out=lengths[0], d_num_runs_out=number[0], num_items=count
        )
        self.cub.non_trivial_runs(given, places[1], lengths[1], number[1], count)
        found = self.number(number)
        self.same(places, found, "places")
        self.same(lengths, found, "lengths")

    def select(self) -> None:
        count, bound = self.count(), self.items(self.cub.key, 1)[0]
        given, out, number = (
            there(self.items(self.cub.key, count)),
            self.room(count, self.cub.key),
            self.room(1, np.int64),
        )
        compute.select(
            d_in=given, d_out=out[0], d_num_selected_out=number[0], cond=lambda a: a < bound, num_items=count
        )
        self.cub.select(given, out[1], number[1], count, bound)
        self.same(out, self.number(number), "items")

    def partition(self) -> None:
        count, (low, high) = self.count(), self.items(self.cub.key, 2)

        def below_low(a):
            return a < low

        def below_high(a):
            return a < high

        given, outs, numbers = (
            there(self.items(self.cub.key, count)),
            [self.room(count, self.cub.key) for _ in range(3)],
            self.room(2, np.int32),
        )
        compute.three_way_partition(
            d_in=given,
            d_first_part_out=outs[0][0],
            d_second_part_out=outs[1][0],
            d_unselected_out=outs[2][0],
            d_num_selected_out=numbers[0],
            select_first_part_op=below_low,
            select_second_part_op=below_high,
            num_items=count,
        )
        self.cub.partition(given, *(out[1] for out in outs), numbers[1], count, low, high)
        self.same(numbers, 2, "numbers of items")
        ours, theirs, _ = self.results[-1]
        if (ours != theirs).any():
            raise Differ
        first, second = theirs.tolist()
        for out, found in zip(outs, (first, second, count - first - second), strict=True):
            self.same(out, found, "items")

    def unique_by_key(self) -> None:
        count, equal = self.count(), self.pick(EQUAL)
        keys, values = there(self.keys(count)), there(self.items(self.cub.value, count))
        unique, items, number = self.room(count, self.cub.key), self.room(count, self.cub.value), self.room(1, np.int64)
        compute.unique_by_key(
            d_in_keys=keys,
            d_in_items=values,
            d_out_keys=unique[0],
            d_out_items=items[0],
            d_out_num_selected=number[0],
            op=EQUAL[equal],
            num_items=count,
        )
        self.cub.unique_by_key(keys, values, unique[1], items[1], number[1], count, equal)
        found = self.number(number)
        self.same(unique, found, "keys")
        self.same(items, found, "values")

    def histogram(self) -> None:
        # CUB computes in the type of the levels, which must hold the number of bins.
        count, bins = (
            self.count(),
            int(self.random.choice([1, 2, 7, 100, 1000][: 3 if self.cub.key.itemsize == 1 else 5])),
        )
        low = self.items(self.cub.key, 1, 20)[0]
        if self.cub.key.name == "int8":
            # CUB takes bytes for places in a table first, and loses negative ones.
            low = abs(low)
        high = self.cub.key.type(min(int(low) + int(self.random.integers(1, 100)), 127))
        given, out = there(self.items(self.cub.key, count, 100)), self.room(bins, np.int32)
        compute.histogram_even(
            d_samples=given,
            d_histogram=out[0],
            num_output_levels=bins + 1,
            lower_level=low,
            upper_level=high,
            num_samples=count,
        )
        self.cub.histogram(given, out[1], bins + 1, low, high, count)
        self.same(out, bins, f"counts from {low} to {high}")

    def merge_sort(self) -> None:
        count, less = self.count(), self.pick(LESS)
        keys, values = there(self.items(self.cub.key, count)), there(np.arange(count).astype(self.cub.value))
        out_keys, out_values = self.room(count, self.cub.key), self.room(count, self.cub.value)
        compute.merge_sort(
            d_in_keys=keys,
            d_out_keys=out_keys[0],
            d_in_values=values,
            d_out_values=out_values[0],
            num_items=count,
            op=LESS[less],
        )
        self.cub.merge_sort(keys, out_keys[1], values, out_values[1], count, less)
        self.same(out_keys, count, f"keys by operator {less}")
        self.same(out_values, count, f"values by operator {less}")

    def radix_sort(self) -> None:
        count, bits, descending = self.count(), self.cub.key.itemsize * 8, bool(self.random.integers(2))
        begin, end = (
            sorted(int(bit) for bit in self.random.integers(0, bits + 1, 2)) if self.random.integers(2) else (0, bits)
        )
        given = self.any_keys(count)
        if descending and (begin, end) != (0, bits) and self.cub.key.kind == "f":
            # Of the two zeros CUB takes the bits of the negative one for both here, and those of the positive one in
            # ascending order.
            given = np.where(given == 0, self.cub.key.type(1), given)
        keys, values = there(given), there(np.arange(count).astype(self.cub.value))
        out_keys, out_values = self.room(count, self.cub.key), self.room(count, self.cub.value)
        order = compute.SortOrder.DESCENDING if descending else compute.SortOrder.ASCENDING
        compute.radix_sort(
            d_in_keys=keys,
            d_out_keys=out_keys[0],
            d_in_values=values,
            d_out_values=out_values[0],
            num_items=count,
            order=order,
            begin_bit=begin,
            end_bit=end,
        )
        self.cub.radix_sort(keys, out_keys[1], values, out_values[1], count, int(descending), begin, end)
        self.same(out_keys, count, f"keys by bits {begin} to {end}{', descending,' if descending else ''}")
        self.same(out_values, count, f"values by bits {begin} to {end}{', descending,' if descending else ''}")

    def segmented_sort(self) -> None:
        count, descending = self.count(), bool(self.random.integers(2))
        starts, ends = self.segments(count)
        # CUB compares keys with < in small segments, where NaNs have no place.
        keys, values = there(np.nan_to_num(self.any_keys(count))), there(np.arange(count).astype(self.cub.value))
        out_keys, out_values = self.room(count, self.cub.key), self.room(count, self.cub.value)
        order = compute.SortOrder.DESCENDING if descending else compute.SortOrder.ASCENDING
        first, last = there(starts), there(ends)
        compute.segmented_sort(
            d_in_keys=keys,
            d_out_keys=out_keys[0],
            d_in_values=values,
            d_out_values=out_values[0],
            num_items=count,
            num_segments=starts.size,
            start_offsets_in=first,
            end_offsets_in=last,
            order=order,
        )
        self.cub.segmented_sort(
            keys, out_keys[1], values, out_values[1], count, starts.size, first, last, int(descending)
        )
        # Behind the last segment nothing is sorted.
        self.same(out_keys, int(ends[-1]), f"keys of {starts.size} segments{', descending,' if descending else ''}")
        self.same(out_values, int(ends[-1]), f"values of {starts.size} segments{', descending,' if descending else ''}")


ALGORITHMS = [
    "reduce",
    "inclusive_scan",
    "exclusive_scan",
    "segmented_reduce",
    "adjacent_difference",
    "search",
    "reduce_by_key",
    "run_length_encode",
    "non_trivial_runs",
    "select",
    "partition",
    "unique_by_key",
    "histogram",
    "merge_sort",
    "radix_sort",
    "segmented_sort",
]
# A few, which take nvcc a third of the time.
FEW = ["exclusive_scan", "merge_sort"]


def there(array: np.ndarray[Any, Any]) -> cuox.Array:
    return cuox.to_device(array if array.size else np.zeros(1, array.dtype))
