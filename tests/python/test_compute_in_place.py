"""Selections whose outputs are their inputs."""

import cuox
import numpy as np
import pytest
from cuox.cuda import compute

# Many tiles, which run on all processors at once.
SIZE = 700_000


def selected(h, d_in, d_out, cond):
    number = cuox.empty((1,), np.int64)
    compute.select(d_in=d_in, d_out=d_out, d_num_selected_out=number, cond=cond, num_items=h.size)
    return int(number.to_host()[0])


@pytest.mark.parametrize("dtype", [np.int32, np.float64, np.int8])
def test_select(dtype):
    rng = np.random.default_rng(1)
    for _ in range(4):
        h = rng.integers(0, 100, SIZE).astype(dtype)
        x = cuox.to_device(h)
        expected = h[h > 2]
        assert selected(h, x, x, lambda a: a > 2) == expected.size
        np.testing.assert_array_equal(x.to_host()[: expected.size], expected)


def test_an_output_that_begins_before_the_input():
    h = np.random.default_rng(1).integers(0, 100, SIZE).astype(np.int32)
    expected = h[1000:][h[1000:] > 2]
    x = cuox.to_device(h)
    assert selected(h[1000:], x[1000:], x, lambda a: a > 2) == expected.size
    np.testing.assert_array_equal(x.to_host()[: expected.size], expected)


def test_structures_and_iterators():
    pair = compute.gpu_struct({"a": np.int32, "b": np.float64}, "Pair")
    rng = np.random.default_rng(1)
    h = np.zeros(100_000, pair.dtype)
    h["a"], h["b"] = rng.integers(0, 100, h.size), np.arange(h.size)
    x = cuox.to_device(h)
    expected = h[h["a"] > 2]
    assert selected(h, x, x, lambda p: p.a > 2) == expected.size
    np.testing.assert_array_equal(x.to_host()[: expected.size], expected)
    a, b = cuox.to_device(h["a"].copy()), cuox.to_device(h["b"].copy())
    assert selected(h, compute.ZipIterator(a, b), compute.ZipIterator(a, b), lambda p: p[0] > 2) == expected.size
    np.testing.assert_array_equal(a.to_host()[: expected.size], expected["a"])
    np.testing.assert_array_equal(b.to_host()[: expected.size], expected["b"])


@pytest.mark.parametrize("same_values", [False, True])
def test_unique_by_key(same_values):
    rng = np.random.default_rng(2)
    for _ in range(6):
        keys = np.sort(rng.integers(0, 600_000, SIZE)).astype(np.int32)
        values = keys if same_values else np.arange(keys.size, dtype=np.int64)
        first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
        k, number = cuox.to_device(keys), cuox.empty((1,), np.int64)
        v = k if same_values else cuox.to_device(values)
        compute.unique_by_key(
            d_in_keys=k,
            d_in_items=v,
            d_out_keys=k,
            d_out_items=v,
            d_out_num_selected=number,
            op=lambda a, b: a == b,
            num_items=keys.size,
        )
        assert number.to_host()[0] == first.size
        np.testing.assert_array_equal(k.to_host()[: first.size], keys[first])
        np.testing.assert_array_equal(v.to_host()[: first.size], values[first])


def test_outputs_that_would_overwrite_what_is_read_later():
    h = np.arange(100, dtype=np.int32)
    x = cuox.to_device(h)
    for d_in, d_out in (
        (x[:50], x[1:]),
        (x, x.view(np.int64)),
        (compute.ReverseIterator(x), x),
        (compute.PermutationIterator(x, cuox.to_device(h)), x),
        (compute.ZipIterator(x[:50], x[50:]), compute.ZipIterator(x[50:], x[1:])),
    ):
        with pytest.raises(
            ValueError, match="d_out lies in the memory of d_in: it may be the same array, or begin before it"
        ):
            selected(h[:50], d_in, d_out, lambda a: True)
    y, number = cuox.to_device(h), cuox.empty((1,), np.int64)
    with pytest.raises(ValueError, match="d_out_items lies in the memory of d_in_keys: it must be another array"):
        compute.unique_by_key(
            d_in_keys=x,
            d_in_items=y,
            d_out_keys=y,
            d_out_items=x,
            d_out_num_selected=number,
            op=lambda a, b: a == b,
            num_items=100,
        )
    conditions = {"select_first_part_op": lambda a: a > 3, "select_second_part_op": lambda a: a > 2}
    outputs = {
        "d_second_part_out": y,
        "d_unselected_out": cuox.to_device(h),
        "d_num_selected_out": cuox.empty((2,), np.int64),
    }
    with pytest.raises(ValueError, match="d_first_part_out lies in the memory of d_in: it must be another array"):
        compute.three_way_partition(d_in=x, d_first_part_out=x, **outputs, **conditions, num_items=100)
    large = cuox.empty(
        (2,), compute.gpu_struct({f"f{n}": np.dtype([(f"g{m}", "f8") for m in range(11)]) for n in range(12)}).dtype
    )
    with pytest.raises(ValueError, match="items of 1056 bytes cannot be selected in place, only of up to 1000"):
        selected(np.zeros(2), large, large, lambda a: True)
    # Parts of one array beside each other are other arrays.
    assert selected(h[:50], x[:50], x[50:], lambda a: a > 10) == 39


def test_in_place_after_it_was_serialized():
    x = cuox.to_device(np.arange(10_000, dtype=np.int32))
    number = cuox.empty((1,), np.int64)
    made = compute.make_select(d_in=x, d_out=x, d_num_selected_out=number, cond=lambda a: a % 3 == 0)
    compute.deserialize(compute.serialize(made))(d_in=x, d_out=x, d_num_selected_out=number, num_items=10_000)
    assert number.to_host()[0] == 3334
    np.testing.assert_array_equal(x.to_host()[:3334], np.arange(0, 10_000, 3))


def test_keys_that_are_changed_on_their_way_must_not_be_overwritten():
    # A tile reads the key before its first, which the tile before may have overwritten.
    n = 20_000
    x, items, number = cuox.to_device(np.arange(n)), cuox.to_device(np.arange(n)), cuox.zeros((1,), np.int64)
    arguments = {
        "d_in_items": items,
        "d_out_items": cuox.empty((n,), np.int64),
        "d_out_num_selected": number,
        "op": lambda a, b: a == b,
        "num_items": n,
    }

    def next_number(a: np.int64) -> np.int64:
        return a + 1

    forms = [
        {"d_in_keys": compute.TransformIterator(x, next_number), "d_out_keys": x},
        {"d_in_keys": x, "d_out_keys": compute.TransformOutputIterator(x, next_number)},
        {"d_in_keys": x, "d_out_keys": x.view(np.float64)},
    ]
    for form in forms:
        for _ in range(3):
            with pytest.raises(
                ValueError, match="d_out_keys lies in the memory of d_in_keys: it must be another array"
            ):
                compute.unique_by_key(**form, **arguments)
    for _ in range(4):
        keys = cuox.to_device(np.arange(n) // 3)
        compute.unique_by_key(d_in_keys=keys, d_out_keys=keys, **arguments)
        assert number.to_host()[0] == len(np.unique(np.arange(n) // 3))
        assert keys.to_host()[: int(number.to_host()[0])].tolist() == np.unique(np.arange(n) // 3).tolist()


def test_numbers_that_lie_in_inputs_are_refused():
    x, out = cuox.to_device(np.arange(100)), cuox.empty((100,), np.int64)
    number = x[5:6]
    for _ in range(3):
        with pytest.raises(ValueError, match="d_num_selected_out lies in the memory of d_in"):
            compute.select(d_in=x, d_out=out, d_num_selected_out=number, cond=lambda a: a > 3, num_items=100)
        with pytest.raises(ValueError, match="d_num_selected_out lies in the memory of d_in"):
            compute.three_way_partition(
                d_in=x, d_first_part_out=out, d_second_part_out=cuox.empty((100,), np.int64), d_unselected_out=cuox.empty((100,), np.int64), d_num_selected_out=x[98:],
                select_first_part_op=lambda a: a > 3, select_second_part_op=lambda a: a < 2, num_items=100,
            )  # fmt: skip
        with pytest.raises(ValueError, match="d_out_num_selected lies in the memory of d_in_keys"):
            compute.unique_by_key(
                d_in_keys=x,
                d_in_items=out,
                d_out_keys=cuox.empty((100,), np.int64),
                d_out_items=out,
                d_out_num_selected=number,
                op=lambda a, b: a == b,
                num_items=100,
            )
    # Behind the items that are read it may lie.
    compute.select(d_in=x, d_out=out, d_num_selected_out=x[99:], cond=lambda a: a > 3, num_items=99)
    assert x.to_host()[99] == 95
