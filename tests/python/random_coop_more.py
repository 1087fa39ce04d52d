"""Random operations beyond loads, sums, scans and sorts of keys, and operations that kernels call without having made
them, for `random_coop`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from cuox.cuda import coop

_INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_NUMBERS = (*_INTEGERS, "float16", "float32", "float64")
_ORDERS = {"striped_to_blocked": (1, 0), "blocked_to_striped": (0, 1)}
_WARP_ORDERS = {"warp_striped_to_blocked": (2, 0), "blocked_to_warp_striped": (0, 2)}
_SCATTERS = {
    "scatter_to_blocked": 0,
    "scatter_to_striped": 1,
    "scatter_to_striped_guarded": 1,
    "scatter_to_striped_flagged": 1,
}


def _less(a: Any, b: Any) -> Any:
    return a < b


def _greater(a: Any, b: Any) -> Any:
    return a > b


def _minus(a: Any, b: Any) -> Any:
    return a - b


def _far(a: Any, b: Any) -> Any:
    return a > b


class Place:
    """A case that is being made: its lines, names, arguments and expectations."""

    def __init__(self, rng: Any, number: int, shape: Any) -> None:
        self.rng, self.number, self.shape = rng, number, shape
        self.threads = int(np.prod(shape))
        self.lines: list[str] = []
        self.names: dict[str, Any] = {}
        self.arguments: dict[str, Any] = {}
        self.expected: dict[str, tuple[Any, Any]] = {}
        self.is_single = bool(rng.random() < 0.5)
        self.items = 1

    def choice(self, *options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def named(self, name: str, value: Any) -> str:
        self.names[f"{name}{self.number}"] = value
        return f"{name}{self.number}"

    def argument(self, name: str, array: Any) -> str:
        self.arguments[f"{name}{self.number}"] = array
        return f"{name}{self.number}"

    def most_items(self, size: int, bytes_of_block: int = 8192) -> int:
        most = max(1, min(6, bytes_of_block // (self.threads * size)))
        return int(self.rng.integers(1, most, endpoint=True))

    def values(self, dtype: str, count: int, small: bool = False) -> Any:
        if dtype.startswith("float"):
            return self.rng.integers(-3, 4, count).astype(dtype)
        info = np.iinfo(dtype)
        if small:
            return self.rng.integers(0, 4, count).astype(dtype)
        return self.rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)

    def own(self, name: str, data: Any) -> str:
        """A thread's items of an array."""
        items = len(data) // self.threads
        array = self.argument(f"{name}_in", data)
        dtype = self.named(f"{name}_type", data.dtype.type)
        own = f"{name}{self.number}"
        made = f"coop.ThreadData({items}, {dtype})" if self.is_single else f"cuda.local.array({items}, {dtype})"
        self.lines += [f"{own} = {made}", f"for i in range({items}):", f"    {own}[i] = {array}[rank * {items} + i]"]
        return own

    def empty(self, name: str, dtype: str, items: int) -> str:
        kind = self.named(f"{name}_type", np.dtype(dtype).type)
        self.lines.append(f"{name}{self.number} = cuda.local.array({items}, {kind})")
        return f"{name}{self.number}"

    def put(self, own: str, name: str, expected: Any, mask: Any = slice(None)) -> None:
        """Writes a thread's items out, blocked, and says what they are to be."""
        items = len(expected) // self.threads
        array = self.argument(name, np.zeros_like(expected))
        self.expected[array] = (expected, mask)
        self.lines += [f"for i in range({items}):", f"    {array}[rank * {items} + i] = {own}[i]"]


def _arranged(data: Any, threads: int, order: int) -> Any:
    """The numbers of the items in blocked order, by their places in this order."""
    items = len(data) // threads
    numbers = np.arange(len(data))
    if order == 0:
        return numbers
    if order == 1:
        return numbers.reshape(items, threads).T.reshape(-1)
    return numbers.reshape(-1, items, 32).transpose(0, 2, 1).reshape(-1)


def _exchange(place: Place) -> str:
    threads, rng = place.threads, place.rng
    modes = {**_ORDERS, **_SCATTERS, **(_WARP_ORDERS if threads % 32 == 0 else {})}
    mode = place.choice(*modes)
    dtype = place.choice(*_NUMBERS, "complex64")
    items = place.most_items(np.dtype(dtype).itemsize)
    total = threads * items
    data = place.values(dtype, total) if dtype != "complex64" else rng.integers(-9, 9, total).astype(dtype)
    own = place.own("own", data)
    more, mask = "", slice(None)
    if mode in _SCATTERS:
        ranks = rng.permutation(total).astype(place.choice(np.int32, np.int64))
        to = _arranged(data, threads, _SCATTERS[mode])
        there = np.ones(total, bool)
        if mode.endswith("guarded"):
            there = rng.random(total) < 0.7
            ranks[~there] = -1
        more = f", ranks={place.own('ranks', ranks)}"
        if mode.endswith("flagged"):
            there = rng.random(total) < 0.7
            more += f", valid_flags={place.own('flags', there.astype(np.int32))}"
        moved, filled = np.zeros_like(data), np.zeros(total, bool)
        moved[ranks[there]] = data[there]
        filled[ranks[there]] = True
        expected, mask = moved[to], filled[to]
    else:
        source, target = (_arranged(data, threads, order) for order in modes[mode])
        moved = np.zeros_like(data)
        moved[source] = data
        expected = moved[target]
    if place.is_single:
        place.lines.append(f'made{place.number} = coop.exchange(coop.this_block(), {own}, mode="{mode}"{more})')
        place.put(f"made{place.number}", "out", expected, mask)
        return f"exchange {mode} of {items} {dtype}"
    kind = getattr(coop.block.BlockExchangeType, "".join(word.capitalize() for word in mode.split("_")))
    call = place.named("call", coop.block.make_exchange(kind, dtype, place.shape, items))
    if rng.random() < 0.5:
        place.lines.append(f"{call}({own}{more})")
        place.put(own, "out", expected, mask)
    else:
        made = place.empty("made", dtype, items)
        place.lines.append(f"{call}({own}, {made}{more})")
        place.put(made, "out", expected, mask)
    return f"exchange {mode} of {items} {dtype}"


def _shuffle(place: Place) -> str:
    mode = place.choice("up", "down", "offset", "rotate")
    dtype = place.choice(*_NUMBERS)
    items = 1 if mode in ("offset", "rotate") else place.most_items(np.dtype(dtype).itemsize)
    data = place.values(dtype, place.threads * items)
    own = place.own("own", data)
    kind = getattr(coop.block.BlockShuffleType, mode.capitalize())
    if items == 1 and mode in ("offset", "rotate"):
        distance = int(place.rng.integers(-place.threads - 3, place.threads + 3))
        other = np.arange(place.threads) + distance
        if mode == "rotate":
            expected = data[other % place.threads]
        else:
            inside = (other >= 0) & (other < place.threads)
            expected = np.where(inside, data[np.where(inside, other, 0)], data)
        if place.is_single:
            call = f'coop.shuffle(coop.this_block(), {own}[0], mode="{mode}", distance={distance})'
        else:
            call = f"{place.named('call', coop.block.make_shuffle(dtype, place.shape, 1, kind))}({own}[0], {distance})"
        place.lines.append(f"{own}[0] = {call}")
        place.put(own, "out", expected)
        return f"shuffle {mode} {distance} of {dtype}"
    expected = np.r_[data[:1], data[:-1]] if mode == "up" else np.r_[data[1:], data[-1:]]
    if place.is_single:
        place.lines.append(f'made{place.number} = coop.shuffle(coop.this_block(), {own}, mode="{mode}")')
        place.put(f"made{place.number}", "out", expected)
    else:
        call = place.named("call", coop.block.make_shuffle(dtype, place.shape, items, kind))
        place.lines.append(f"{call}({own}, {own})")
        place.put(own, "out", expected)
    return f"shuffle {mode} of {items} {dtype}"


def _difference(place: Place) -> str:
    right = bool(place.rng.random() < 0.5)
    dtype = place.choice(*_NUMBERS)
    items = place.most_items(np.dtype(dtype).itemsize)
    total = place.threads * items
    data = place.values(dtype, total)
    own = place.own("own", data)
    valid = int(place.rng.integers(0, total, endpoint=True)) if place.rng.random() < 0.4 else None
    other = place.values(dtype, 1)[0] if place.rng.random() < 0.5 and not (right and valid is not None) else None
    expected = data.copy()
    with np.errstate(over="ignore"):
        if right:
            expected[:-1] = data[:-1] - data[1:]
            if other is not None:
                expected[-1:] = data[-1:] - other
        else:
            expected[1:] = data[1:] - data[:-1]
            if other is not None:
                expected[:1] = data[:1] - other
    if valid is not None:
        # The last of the valid ones has nothing behind it.
        rest = max(valid - 1, 0) if right else valid
        expected[rest:] = data[rest:]
    more = "" if valid is None else f", valid_items={valid}"
    if other is not None:
        neighbour = "tile_successor_item" if right else "tile_predecessor_item"
        more += f", {neighbour}={place.named('other', other)}"
    if place.is_single:
        if place.rng.random() < 0.5:
            more += f", difference_op={place.named('minus', _minus)}"
        side = "right" if right else "left"
        call = f'coop.adjacent_difference(coop.this_block(), {own}, direction="{side}"{more})'
        place.lines.append(f"made{place.number} = {call}")
        place.put(f"made{place.number}", "out", expected)
    else:
        kinds = coop.block.BlockAdjacentDifferenceType
        kind = kinds.SubtractRight if right else kinds.SubtractLeft
        made = coop.block.make_adjacent_difference(dtype, place.shape, items, _minus, kind)
        place.lines.append(f"{place.named('call', made)}({own}, {own}{more})")
        place.put(own, "out", expected)
    return f"difference to the {'right' if right else 'left'} of {items} {dtype}, {valid}, {other}"


def _discontinuity(place: Place) -> str:
    mode = place.choice("heads", "tails", "heads_and_tails")
    heads, tails = mode != "tails", mode != "heads"
    dtype = place.choice(*_NUMBERS)
    items = place.most_items(np.dtype(dtype).itemsize)
    data = place.values(dtype, place.threads * items, small=True)
    own = place.own("own", data)
    flag, by = (_far, np.greater) if place.rng.random() < 0.5 or not place.is_single else (None, np.not_equal)
    more = ""
    before = behind = None
    if heads and place.rng.random() < 0.5:
        before = data.dtype.type(2)
        more += f", tile_predecessor_item={place.named('before', before)}"
    if tails and place.rng.random() < 0.5:
        behind = data.dtype.type(1)
        more += f", tile_successor_item={place.named('behind', behind)}"
    expected = {}
    if heads:
        first = True if before is None else by(before, data[0])
        expected["heads"] = np.r_[first, by(data[:-1], data[1:])].astype(np.int32)
    if tails:
        last = True if behind is None else by(data[-1], behind)
        expected["tails"] = np.r_[by(data[:-1], data[1:]), last].astype(np.int32)
    if place.is_single:
        if flag is not None:
            more += f", flag_op={place.named('flag', flag)}"
        names = ", ".join(f"{name}{place.number}" for name in expected)
        place.lines.append(f'{names} = coop.discontinuity(coop.this_block(), {own}, mode="{mode}"{more})')
    else:
        kind = getattr(coop.block.BlockDiscontinuityType, mode.upper())
        made = coop.block.make_discontinuity(dtype, place.shape, items, flag, kind)
        flags = ", ".join(place.empty(name, "int32", items) for name in expected)
        place.lines.append(f"{place.named('call', made)}({own}, {flags}{more})")
    for name, flags_wanted in expected.items():
        place.put(f"{name}{place.number}", f"out_{name}", flags_wanted)
    return f"discontinuity {mode} of {items} {dtype}, {before}, {behind}"


def _order(keys: Any, descending: bool) -> Any:
    if not descending:
        return np.argsort(keys, kind="stable")
    return len(keys) - 1 - np.argsort(keys[::-1], kind="stable")[::-1]


def _pairs(place: Place) -> str:
    radix = bool(place.rng.random() < 0.5)
    descending = bool(place.rng.random() < 0.5)
    dtype, other = place.choice(*_NUMBERS), place.choice("int16", "int32", "float64")
    items = place.most_items(max(np.dtype(dtype).itemsize, np.dtype(other).itemsize), 6000)
    total = place.threads * items
    keys = place.values(dtype, total, small=bool(place.rng.random() < 0.5))
    values = place.rng.integers(0, 10000, total).astype(other)
    own, with_them = place.own("own", keys), place.own("values", values)
    order = _order(keys, descending)
    told = f"{'radix' if radix else 'merge'} sort of {items} pairs {dtype} {other}, {descending}"
    if place.is_single:
        call = "radix_sort_pairs" if radix else "merge_sort_pairs"
        made = f"sorted{place.number}, moved{place.number}"
        place.lines.append(f"{made} = coop.{call}(coop.this_block(), {own}, {with_them}, descending={descending})")
        place.put(f"sorted{place.number}", "keys_out", keys[order])
        place.put(f"moved{place.number}", "values_out", values[order])
        # What was sorted is still there.
        place.put(own, "own_out", keys)
        return told
    if radix:
        make = coop.block.make_radix_sort_pairs_descending if descending else coop.block.make_radix_sort_pairs
        call = place.named("call", make(dtype, other, place.shape, items))
    else:
        less = _greater if descending else _less
        call = place.named("call", coop.block.make_merge_sort_pairs(dtype, other, place.shape, items, less))
    place.lines.append(f"{call}({own}, {with_them})")
    place.put(own, "keys_out", keys[order])
    place.put(with_them, "values_out", values[order])
    return told


def _partial_sort(place: Place) -> str:
    """A sort of the keys that there are, or the first of them."""
    place.is_single = True
    is_top, descending = bool(place.rng.random() < 0.5), bool(place.rng.random() < 0.5)
    dtype = place.choice(*_NUMBERS)
    items = place.most_items(np.dtype(dtype).itemsize)
    total = place.threads * items
    keys = place.values(dtype, total)
    own = place.own("own", keys)
    valid = int(place.rng.integers(0, total, endpoint=True))
    order, bits = _order(keys[:valid], descending), ""
    if is_top and "int" in dtype and place.rng.random() < 0.5:
        begin, end, digits = _digits(place, keys[:valid])
        order, bits = _order(digits, descending), f", begin_bit={begin}, end_bit={end}"
    expected, mask = np.zeros_like(keys), np.arange(total) < valid
    expected[:valid] = keys[:valid][order]
    made = f"made{place.number}"
    if is_top:
        k = int(place.rng.integers(1, total, endpoint=True))
        mask &= np.arange(total) < k
        which = "max" if descending else "min"
        call = f"coop.topk_{which}_keys(coop.this_block(), {own}, {k}, valid_items={valid}{bits})"
        place.lines.append(f"{made} = {call}")
        place.put(made, "out", expected, mask)
        return f"top {k} of {valid} of {items} {dtype}, {descending}"
    last = np.iinfo(dtype) if "int" in dtype else np.finfo(dtype)
    other = place.named("other", keys.dtype.type(last.min if descending else last.max))
    group = "coop.this_block()"
    if place.threads % 32 == 0 and place.rng.random() < 0.5:
        width = int(place.choice(4, 8, 16, 32))
        tile = width * items
        valid = int(place.rng.integers(0, tile, endpoint=True))
        tiles = keys.reshape(-1, tile)[:, :valid]
        expected = np.zeros_like(keys).reshape(-1, tile)
        expected[:, :valid] = np.array([row[_order(row, descending)] for row in tiles])
        expected, mask = expected.reshape(-1), np.arange(total) % tile < valid
        group = f"coop.this_warp().group_by({width})"
    place.lines.append(
        f"{made} = coop.merge_sort_keys({group}, {own}, descending={descending}, valid_items={valid}, oob_default={other})"
    )
    place.put(made, "out", expected, mask)
    return f"merge sort of {valid} of {items} {dtype} by {group}, {descending}"


def _digits(place: Place, keys: Any) -> tuple[int, int, Any]:
    """Bits by which integers are ordered, from the first to before the second, and what they are."""
    bits = 8 * keys.dtype.itemsize
    begin = int(place.rng.integers(0, bits))
    end = int(place.rng.integers(begin + 1, bits, endpoint=True))
    unsigned = keys.astype(f"u{keys.dtype.name.lstrip('u')}").astype(np.uint64)
    if keys.dtype.kind == "i":
        unsigned ^= np.uint64(1 << (bits - 1))
    return begin, end, (unsigned >> np.uint64(begin)) & np.uint64(2 ** (end - begin) - 1)


def _rank(place: Place) -> str:
    dtype = place.choice(*_INTEGERS)
    descending = bool(place.rng.random() < 0.5)
    items = place.most_items(max(4, np.dtype(dtype).itemsize))
    keys = place.values(dtype, place.threads * items)
    own = place.own("own", keys)
    begin, end, digits = _digits(place, keys)
    expected = np.zeros(len(keys), np.int32)
    expected[_order(digits, descending)] = np.arange(len(keys))
    each = -(-(2 ** (end - begin)) // place.threads)
    prefix, given = "", ""
    if each <= 16 and end - begin <= 16:
        prefix = place.empty("prefix", "int32", each)
        given = f", exclusive_digit_prefix={prefix}"
    if place.is_single:
        name = place.choice("radix_rank", "radix_rank_keys")
        call = (
            f"coop.{name}(coop.this_block(), {own}, begin_bit={begin}, end_bit={end}, descending={descending}{given})"
        )
        place.lines.append(f"made{place.number} = {call}")
        place.put(f"made{place.number}", "out", expected)
    else:
        made = coop.block.make_radix_rank(dtype, place.shape, items, begin, end, descending)
        ranks = place.empty("ranks", "int32", items)
        place.lines.append(f"{place.named('call', made)}({own}, {ranks}{given})")
        place.put(ranks, "out", expected)
    if prefix:
        value = np.arange(each * place.threads)
        ordered = np.sort(digits.astype(np.int64))
        before = len(keys) - np.searchsorted(ordered, value, "right") if descending else np.searchsorted(ordered, value)
        place.put(prefix, "prefix_out", before.astype(np.int32), value < 2 ** (end - begin))
    return f"rank of {items} {dtype}, bits {begin} to {end}, {descending}"


def _histogram(place: Place) -> str:
    dtype = place.choice(*_INTEGERS)
    counter = place.choice("int32", "uint32", "int64", "uint64")
    items = place.most_items(8)
    bins = int(place.rng.integers(1, 300))
    # Some samples are no bins, which are not counted.
    most = min(np.iinfo(dtype).max, bins + 5)
    samples = place.rng.integers(max(np.iinfo(dtype).min, -3), most, place.threads * items).astype(dtype)
    own = place.own("own", samples)
    inside = samples[(samples >= 0) & (samples.astype(np.int64) < bins)].astype(np.int64)
    expected = np.bincount(inside, minlength=bins).astype(counter)
    kind = place.named("counter", np.dtype(counter).type)
    out = place.argument("out", np.zeros(bins, counter))
    place.expected[out] = (expected, slice(None))
    told = f"histogram of {items} {dtype} in {bins} {counter}"
    if place.is_single:
        each = -(-bins // place.threads)
        call = f"coop.histogram(coop.this_block(), {own}, bins={bins}, bins_per_thread={each}, counter_dtype={kind})"
        place.lines += [
            f"made{place.number} = {call}",
            f'coop.store(coop.this_block(), {out}, made{place.number}, algorithm="striped", valid_items={bins})',
        ]
        return told
    call = place.named("call", coop.block.make_histogram(dtype, counter, place.shape, items, bins))
    shared = f"bins{place.number}"
    place.lines.append(f"{shared} = cuda.shared.array({bins}, {kind})")
    if place.rng.random() < 0.5:
        place.lines.append(f"{call}({own}, {shared})")
    else:
        place.lines += [f"{call}.init({shared})", "cuda.syncthreads()", f"{call}.composite({own}, {shared})"]
    place.lines += [
        "cuda.syncthreads()",
        f"for i in range(rank, {bins}, {place.threads}):",
        f"    {out}[i] = {shared}[i]",
    ]
    return told


def _runs(place: Place) -> str:
    dtype = place.choice(*_NUMBERS)
    runs = place.most_items(4 + np.dtype(dtype).itemsize)
    decoded = int(place.rng.integers(1, 5))
    total = place.threads * runs
    values = place.values(dtype, total)
    lengths = place.rng.integers(0, 5, total).astype(place.choice("int32", "uint32", "int64"))
    lengths[int(place.rng.integers(0, total, endpoint=True)) :] = 0
    items = np.repeat(values, lengths.astype(np.int64))
    offsets = np.concatenate([np.arange(length) for length in lengths] or [np.zeros(0)]).astype(np.uint32)
    window = place.threads * decoded
    first = int(place.rng.integers(0, len(items), endpoint=True))
    expected = np.zeros(window, dtype)
    there = items[first : first + window]
    expected[: len(there)] = there
    own, own_lengths = place.own("own", values), place.own("lengths", lengths)
    told = f"runs: {runs} {dtype}, {decoded} decoded from {first} of {len(items)}"
    sizes = place.argument("sizes", np.zeros(1, np.uint32))
    place.expected[sizes] = (np.full(1, len(items), np.uint32), slice(None))
    if place.is_single and place.rng.random() < 0.4:
        out = place.argument("out", np.zeros(len(items) + 2, dtype))
        place.expected[out] = (np.r_[np.zeros(1, dtype), items, np.zeros(1, dtype)].astype(dtype), slice(None))
        call = f"coop.run_length_decode_into(coop.this_block(), {own}, {own_lengths}, {out}"
        place.lines.append(f"{sizes}[0] = {call}, decoded_items_per_thread={decoded}, destination_offset=1)")
        return f"{told}, into"
    place_of = place.empty("relative", "uint32", decoded)
    if place.is_single:
        place.lines += [
            f"made{place.number} = coop.run_length_decode(coop.this_block(), {own}, {own_lengths}, decoded_items_per_thread="
            f"{decoded}, decoded_window_offset={first}, total_decoded_size={sizes}, relative_offsets={place_of})"
        ]
        made = f"made{place.number}"
    else:
        made = place.empty("made", dtype, decoded)
        decoder = coop.block.make_run_length(dtype, place.shape, runs, decoded)
        call = f"{place.named('call', decoder)}({own}, {own_lengths}, {made}, {first}, {place_of})"
        place.lines.append(f"{sizes}[0] = {call}")
    place.put(made, "out", expected)
    relative = np.full(window, 2**32 - 1, np.uint32)
    relative[: len(there)] = offsets[first : first + window]
    place.put(place_of, "offsets", relative)
    return told


def _folds(place: Place) -> str:
    """Sums and scans that the kernel has not made."""
    place.is_single = True
    dtype = place.choice(*_INTEGERS)
    on_warps = place.threads % 32 == 0 and place.rng.random() < 0.5
    width = int(place.choice(1, 2, 4, 8, 16, 32)) if on_warps else place.threads
    group = f"coop.this_warp().group_by({width})" if on_warps else "coop.this_block()"
    items = 1 if on_warps else place.most_items(np.dtype(dtype).itemsize)
    data = place.values(dtype, place.threads * items)
    own = place.own("own", data)
    groups = data.reshape(-1, width * items)
    name, function = place.choice(("+", np.add), ("max", np.maximum), ("^", np.bitwise_xor))
    with np.errstate(over="ignore"):
        running = function.accumulate(groups, axis=1, dtype=data.dtype)
    value = f"{own}[0]" if items == 1 and place.rng.random() < 0.5 else own
    if place.rng.random() < 0.5:
        is_all = bool(place.rng.random() < 0.5)
        more = "" if is_all else ", broadcast=False"
        place.lines += [
            f"made{place.number} = cuda.local.array(1, {place.named('made_type', data.dtype.type)})",
            f'made{place.number}[0] = coop.reduce({group}, {value}, binary_op="{name}"{more})',
        ]
        got = is_all | (np.arange(place.threads) % width == 0)
        place.put(f"made{place.number}", "out", np.repeat(running[:, -1], width), got)
        return f"reduction by {name} of {items} {dtype} by {group}"
    inclusive = bool(place.rng.random() < 0.5)
    initial = place.values(dtype, 1)[0]
    if inclusive:
        expected, more = running, 'mode="inclusive"'
    else:
        more = f"initial_value={place.named('initial', initial)}"
        with np.errstate(over="ignore"):
            with_it = np.c_[np.full(len(groups), initial), groups]
            expected = function.accumulate(with_it, axis=1, dtype=data.dtype)[:, :-1]
    place.lines.append(f'made{place.number} = coop.scan({group}, {value}, scan_op="{name}", {more})')
    if value != own:
        place.lines.append(f"{own}[0] = made{place.number}")
    place.put(own if value != own else f"made{place.number}", "out", expected.reshape(-1).astype(dtype))
    return f"scan by {name} of {items} {dtype} by {group}, {inclusive}"


def _moves(place: Place) -> str:
    """A load and a store that the kernel has not made, with an offset."""
    place.is_single = True
    dtype = place.choice(*_NUMBERS)
    on_warps = place.threads % 32 == 0 and place.rng.random() < 0.5
    width = int(place.choice(1, 2, 4, 8, 16, 32)) if on_warps else place.threads
    group = f"coop.this_warp().group_by({width})" if on_warps else "coop.this_block()"
    items = place.most_items(np.dtype(dtype).itemsize)
    algorithms = ["direct", "striped", "vectorize", "transpose"]
    if not on_warps:
        algorithms += ["warp_transpose", "warp_transpose_timesliced"]
    first, second = place.choice(*algorithms), place.choice(*algorithms)
    total, tile = place.threads * items, width * items
    data = place.values(dtype, total + 3)
    source, out = place.argument("source", data), place.argument("out", np.zeros(total + 5, dtype))
    valid = int(place.rng.integers(0, tile, endpoint=True)) if place.rng.random() < 0.5 else None
    tiles = data[3:].reshape(-1, tile).copy()
    more = ""
    if valid is not None:
        tiles[:, valid:] = data[0]
        more = f", valid_items={valid}, oob_default={source}[0]"
    if (first == "striped") != (second == "striped"):
        shape = (items, width) if first == "striped" else (width, items)
        tiles = tiles.reshape(-1, *shape).transpose(0, 2, 1).reshape(-1, tile)
    expected = np.zeros(total + 5, dtype)
    expected[5:] = tiles.reshape(-1)
    place.expected[out] = (expected, slice(None))
    place.lines += [
        f"own{place.number} = coop.ThreadData({items})",
        f'coop.load({group}, {source}, own{place.number}, algorithm="{first}", offset=3{more})',
        f'coop.store({group}, {out}, own{place.number}, algorithm="{second}", offset=5)',
    ]
    return f"{first} load and {second} store of {items} {dtype} by {group}, {valid}"


def _batches(place: Place) -> str:
    """Reductions of the first items of a warp's threads, of the second ones, and so on."""
    if place.threads % 32:
        return _folds(place)
    place.is_single = True
    dtype = place.choice(*_INTEGERS)
    width, items = int(place.choice(1, 2, 8, 16, 32)), int(place.rng.integers(1, 7))
    blocked = bool(place.rng.random() < 0.5)
    name, function = place.choice(("+", np.add), ("min", np.minimum), ("^", np.bitwise_xor))
    data = place.values(dtype, place.threads * items)
    own = place.own("own", data)
    each = -(-items // width)
    with np.errstate(over="ignore"):
        made = function.reduce(data.reshape(-1, width, items), axis=1, dtype=data.dtype)
    lane, slot = np.arange(width)[:, None], np.arange(each)[None, :]
    batch = (lane * each + slot if blocked else lane + slot * width).reshape(-1)
    mask = np.tile(batch < items, len(made))
    expected = made[:, np.minimum(batch, items - 1)].reshape(-1)
    layout = "blocked" if blocked else "striped"
    group = f"coop.this_warp().group_by({width})"
    place.lines.append(
        f'made{place.number} = coop.reduce_batched({group}, {own}, binary_op="{name}", output_layout="{layout}")'
    )
    place.put(f"made{place.number}", "out", expected, mask)
    return f"batches by {name} of {items} {dtype} by {group}, {layout}"


_KINDS: tuple[Callable[[Place], str], ...] = (
    _exchange, _shuffle, _difference, _discontinuity, _pairs, _partial_sort, _rank, _histogram, _runs, _folds, _moves, _batches,
)  # fmt: skip


def case(rng: Any, number: int, shape: Any) -> Any:
    from random_coop import Case

    place = Place(rng, number, shape)
    told = _KINDS[int(rng.integers(len(_KINDS)))](place)
    how = "called without having been made" if place.is_single else "made"
    return Case(place.lines, place.names, place.arguments, place.expected, f"{told}, by {shape}, {how}")
