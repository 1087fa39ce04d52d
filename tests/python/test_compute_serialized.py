"""Algorithms that are compiled in one process and run in another one."""

import gc
import json
import pickle
import random
import struct
import weakref
import zlib
from hashlib import sha256

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.compute import CppOp, OpKind, ProxyArray, ProxyValue, SortOrder, _blob

OFFSET = 10


def add(a, b):
    return a + b


def shifted(a):
    return a + OFFSET


def array(dtype=np.int32, count=1):
    return cuox.empty((count,), dtype)


# What `make_…` gets, and a program that calls the algorithm: `x` has the numbers 5 to 0, `out` room for them, `number`
# for two.
CASES = {
    "reduce_into": (
        lambda: compute.make_reduce_into(d_in=array(), d_out=array(), op=add, h_init=np.zeros(1, np.int32)),
        "a(d_in=x, d_out=out, num_items=6, h_init=np.ones(1, np.int32))",
        [16],
    ),
    "no_identity": (
        lambda: compute.make_reduce_into(
            d_in=array(), d_out=array(), op=lambda a, b: a - b if a > 100 else a + b, h_init=np.zeros(1, np.int32)
        ),
        "a(d_in=x, d_out=out, num_items=6, h_init=np.ones(1, np.int32))",
        [16],
    ),
    "exclusive_scan": (
        lambda: compute.make_exclusive_scan(
            d_in=array(), d_out=array(), op=OpKind.PLUS, init_value=np.zeros(1, np.int32)
        ),
        "a(d_in=x, d_out=out, num_items=6, init_value=np.ones(1, np.int32))",
        [1, 6, 10, 13, 15, 16],
    ),
    "inclusive_scan": (
        lambda: compute.make_inclusive_scan(d_in=array(), d_out=array(), op=add),
        "a(d_in=x, d_out=out, num_items=6)",
        [5, 9, 12, 14, 15, 15],
    ),
    "unary_transform": (
        lambda: compute.make_unary_transform(d_in=array(), d_out=array(), op=lambda a: a * a),
        "a(d_in=x, d_out=out, num_items=6)",
        [25, 16, 9, 4, 1, 0],
    ),
    "binary_transform": (
        lambda: compute.make_binary_transform(
            d_in1=array(),
            d_in2=array(),
            d_out=array(),
            op=CppOp("__device__ int f(int a, int b) { return a + b; }", "f"),
        ),
        "a(d_in1=x, d_in2=x, d_out=out, num_items=6)",
        [10, 8, 6, 4, 2, 0],
    ),
    "captured": (
        lambda: compute.make_unary_transform(d_in=array(), d_out=array(), op=shifted),
        "a(d_in=x, d_out=out, num_items=6, op=sourceless)",
        [25, 24, 23, 22, 21, 20],
    ),
    "for_each": (
        lambda: compute.make_for_each(d_in=array(), op=CppOp("__device__ void f(int a) { }", "f")),
        "a(d_in=x, num_items=6); out.copy_from(x)",
        [5, 4, 3, 2, 1, 0],
    ),
    "counting": (
        lambda: compute.make_reduce_into(
            d_in=compute.CountingIterator(np.int32(0)), d_out=array(), op=OpKind.PLUS, h_init=np.zeros(1, np.int32)
        ),
        "a(d_in=compute.CountingIterator(np.int32(5)), d_out=out, num_items=3, h_init=np.zeros(1, np.int32))",
        [18],
    ),
    "merge_sort": (
        lambda: compute.make_merge_sort(d_in_keys=array(), d_out_keys=array(), op=lambda a, b: a < b),
        "a(d_in_keys=x, d_out_keys=out, num_items=6)",
        [0, 1, 2, 3, 4, 5],
    ),
    "long_merge_sort": (
        lambda: compute.make_merge_sort(d_in_keys=array(), d_out_keys=array(), op=lambda a, b: a < b),
        "y = cuox.to_device(np.arange(50000, 0, -1).astype(np.int32)); a(d_in_keys=y, d_out_keys=y, num_items=50000); out.copy_from(y[:6])",
        [1, 2, 3, 4, 5, 6],
    ),
    "radix_sort": (
        lambda: compute.make_radix_sort(
            d_in_keys=array(), d_out_keys=array(), d_in_values=array(), d_out_values=array(), order=SortOrder.DESCENDING
        ),
        "a(d_in_keys=x, d_out_keys=out, d_in_values=x, d_out_values=cuox.empty((6,), np.int32), num_items=6)",
        [5, 4, 3, 2, 1, 0],
    ),
    "segmented_sort": (
        lambda: compute.make_segmented_sort(
            d_in_keys=array(),
            d_out_keys=array(),
            start_offsets_in=array(np.int64),
            end_offsets_in=array(np.int64),
            order=SortOrder.ASCENDING,
        ),
        "s = cuox.to_device(np.array([0, 2, 6])); a(d_in_keys=x, d_out_keys=out, num_items=6, num_segments=2, start_offsets_in=s[:2], end_offsets_in=s[1:])",
        [4, 5, 0, 1, 2, 3],
    ),
    "segmented_reduce": (
        lambda: compute.make_segmented_reduce(
            d_in=array(),
            d_out=array(),
            start_offsets_in=array(np.int64),
            end_offsets_in=array(np.int64),
            op=add,
            h_init=np.zeros(1, np.int32),
        ),
        "s = cuox.to_device(np.array([0, 2, 6])); "
        "a(d_in=x, d_out=out, num_segments=2, start_offsets_in=s[:2], end_offsets_in=s[1:], h_init=np.zeros(1, np.int32))",
        [9, 6],
    ),
    "select": (
        lambda: compute.make_select(
            d_in=array(), d_out=array(), d_num_selected_out=array(np.int64), cond=lambda a: a % 2 == 0
        ),
        "a(d_in=x, d_out=out, d_num_selected_out=number[:1], num_items=6)",
        [4, 2, 0],
    ),
    "select_nothing": (
        lambda: compute.make_select(
            d_in=array(), d_out=array(np.int32), d_num_selected_out=array(), cond=lambda a: a % 2 == 0
        ),
        "a(d_in=x, d_out=x, d_num_selected_out=out[:1], num_items=0)",
        [0],
    ),
    "three_way_partition": (
        lambda: compute.make_three_way_partition(
            d_in=array(),
            d_first_part_out=array(),
            d_second_part_out=array(),
            d_unselected_out=array(),
            d_num_selected_out=array(np.int64),
            select_first_part_op=lambda a: a > 3,
            select_second_part_op=lambda a: a > 1,
        ),
        "a(d_in=x, d_first_part_out=out[:2], d_second_part_out=out[2:4], d_unselected_out=out[4:], d_num_selected_out=number, num_items=6)",
        [5, 4, 3, 2, 1, 0],
    ),
    "unique_by_key": (
        lambda: compute.make_unique_by_key(
            d_in_keys=array(),
            d_in_items=array(),
            d_out_keys=array(),
            d_out_items=array(),
            d_out_num_selected=array(np.int64),
            op=lambda a, b: a // 2 == b // 2,
        ),
        "a(d_in_keys=x, d_in_items=x, d_out_keys=cuox.empty((6,), np.int32), d_out_items=out, d_out_num_selected=number[:1], num_items=6)",
        [5, 3, 1],
    ),
    "histogram_even": (
        lambda: compute.make_histogram_even(
            d_samples=array(),
            d_histogram=array(np.int32, 3),
            h_num_output_levels=np.array([4], np.int32),
            h_lower_level=np.zeros(1, np.int32),
            h_upper_level=np.full(1, 6, np.int32),
            num_samples=6,
        ),
        "a(d_samples=x, d_histogram=out, h_num_output_levels=np.array([4], np.int32), h_lower_level=np.zeros(1, np.int32), "
        "h_upper_level=np.full(1, 6, np.int32), num_samples=6)",
        [2, 2, 2],
    ),
    "lower_bound": (
        lambda: compute.make_lower_bound(d_data=array(), d_values=array(), d_out=array(np.int32)),
        "a(d_data=cuox.to_device(np.array([0, 2, 4], np.int32)), num_items=3, d_values=x, num_values=6, d_out=out)",
        [3, 2, 2, 1, 1, 0],
    ),
    "upper_bound": (
        lambda: compute.make_upper_bound(
            d_data=array(), d_values=array(), d_out=array(np.int32), comp=lambda a, b: a < b
        ),
        "a(d_data=cuox.to_device(np.array([0, 2, 4], np.int32)), num_items=3, d_values=x, num_values=6, d_out=out)",
        [3, 3, 2, 2, 1, 1],
    ),
    "adjacent_difference": (
        lambda: compute.make_adjacent_difference(d_in=array(), d_out=array(), side="right"),
        "a(d_in=x, d_out=x, num_items=6); out.copy_from(x)",
        [1, 1, 1, 1, 1, 0],
    ),
    "reduce_by_key": (
        lambda: compute.make_reduce_by_key(
            d_keys_in=array(),
            d_values_in=array(),
            d_unique_out=array(),
            d_aggregates_out=array(),
            d_num_runs_out=array(np.int64),
            op=add,
            equality_op=lambda a, b: a // 2 == b // 2,
        ),
        "a(d_keys_in=x, d_values_in=x, d_unique_out=cuox.empty((6,), np.int32), d_aggregates_out=out, d_num_runs_out=number[:1], num_items=6)",
        [9, 5, 1],
    ),
    "run_length_encode": (
        lambda: compute.make_run_length_encode(
            d_in=array(), d_unique_out=array(), d_counts_out=array(), d_num_runs_out=array(np.int64)
        ),
        "a(d_in=x, d_unique_out=cuox.empty((6,), np.int32), d_counts_out=out, d_num_runs_out=number[:1], num_items=6)",
        [1, 1, 1, 1, 1, 1],
    ),
    "non_trivial_runs": (
        lambda: compute.make_non_trivial_runs(
            d_in=array(),
            d_offsets_out=array(),
            d_lengths_out=array(),
            d_num_runs_out=array(np.int64),
            equality_op=lambda a, b: a // 2 == b // 2,
        ),
        "a(d_in=x, d_offsets_out=cuox.empty((6,), np.int32), d_lengths_out=out, d_num_runs_out=number[:1], num_items=6)",
        [2, 2, 2],
    ),
}

# Of algorithms that are like another one, and of other calls of one; some are compiled for a second.
ALIKE = exhaustive.rounds(
    {
        "no_identity",
        "inclusive_scan",
        "binary_transform",
        "long_merge_sort",
        "select_nothing",
        "three_way_partition",
        "unique_by_key",
        "upper_bound",
        "run_length_encode",
        "non_trivial_runs",
    },
    set(),
)

# Kernels in this process are compiled from sources; the other has no sources of operators, and says what it compiles.
RUN = """
    import pickle, sys
    import numpy as np
    import cuox
    from cuox._internal import kernel_source
    from cuox.cuda import compute

    given = kernel_source.of

    def no_source(function):
        assert "/cuda/compute/" in function.__code__.co_filename, "a source was asked for"
        return given(function)

    kernel_source.of = no_source
    names = {"OFFSET": 20}
    exec(compile("def sourceless(a):\\n    return a + OFFSET", "nowhere", "exec"), names)
    sourceless = names["sourceless"]
    for name, (blob, call, expected) in pickle.load(open(FILE, "rb")).items():
        for _ in range(ROUNDS):
            x, out, number = cuox.to_device(np.arange(5, -1, -1, dtype=np.int32)), cuox.empty((6,), np.int32), cuox.empty((2,), np.int64)
            a = compute.deserialize(blob)
            for _ in range(1 if "x, d_out=x" in call else 2):
                exec(call)
            found = out.to_host()[: len(expected)].tolist()
            assert found == expected, (name, found)
    print("all ran")
"""


def test_all_algorithms_in_another_process(run_script, tmp_path):
    file = tmp_path / "blobs"
    file.write_bytes(
        pickle.dumps(
            {
                name: (compute.serialize(make()), call, expected)
                for name, (make, call, expected) in CASES.items()
                if name not in ALIKE
            }
        )
    )
    script = RUN.replace("FILE", repr(str(file))).replace("ROUNDS", str(exhaustive.rounds(1, 2)))
    done = run_script(script, CUOX_CACHE="0", CUOX_LOG="compile")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "all ran"
    assert [line for line in done.stderr.splitlines() if "compile" in line] == []


def reducer(op=add, **given):
    return compute.make_reduce_into(d_in=array(), d_out=array(), op=op, h_init=np.zeros(1, np.int32), **given)


def summed(algorithm, **given):
    out = array()
    x = cuox.to_device(np.arange(10, dtype=np.int32))
    algorithm(
        **{"temp_storage": out, "d_in": x, "d_out": out, "num_items": 10, "h_init": np.zeros(1, np.int32)} | given
    )
    return int(out.to_host()[0])


def test_the_methods():
    blob = reducer().serialize()
    read = compute.deserialize(blob)
    assert read(temp_storage=None) == 1
    assert summed(read) == 45
    assert compute.serialize(read) == read.serialize() == blob == compute.serialize(reducer())
    assert read.name == "reduce_into"
    assert repr(read).startswith("<reduce_into for compute capability ")
    with pytest.raises(TypeError, match="serialize takes what make_… returns, got int"):
        compute.serialize(3)


def test_arguments_of_other_types():
    read = compute.deserialize(compute.serialize(reducer()))
    with pytest.raises(
        TypeError, match="d_in: the algorithm was compiled for an array of int32, got an array of float32"
    ):
        summed(read, d_in=cuox.to_device(np.zeros(10, np.float32)))
    with pytest.raises(TypeError, match="d_in: .* got CountingIterator of int32"):
        summed(read, d_in=compute.CountingIterator(np.int32(0)))
    with pytest.raises(
        TypeError, match="h_init: the algorithm was compiled for a value of int32, got a value of float64"
    ):
        summed(read, h_init=np.zeros(1))


def test_operators_that_are_given():
    read = compute.deserialize(compute.serialize(reducer()))
    assert summed(read, op=add) == 45
    assert summed(read, op=lambda a, b: a + b) == 45
    for other in (lambda a, b: a * b, OpKind.PLUS):
        with pytest.raises(ValueError, match="op: another operator than the one that was compiled"):
            summed(read, op=other)
    read = compute.deserialize(compute.serialize(reducer(OpKind.MAXIMUM)))
    assert summed(read, op=OpKind.MAXIMUM) == summed(read) == 9
    with pytest.raises(ValueError, match="op: another operator"):
        summed(read, op=OpKind.MINIMUM)


def test_captured_values():
    def of(k):
        return lambda a, b: a + b + k - k

    read = compute.deserialize(compute.serialize(reducer(of(3))))
    assert summed(read, op=of(4)) == 45
    with pytest.raises(TypeError, match=r"op: the operator captures values \(k\): pass a function that has them"):
        summed(read)
    with pytest.raises(TypeError, match="comp: the algorithm was compiled without such an operator"):
        pass_on = compute.deserialize(
            compute.serialize(compute.make_lower_bound(d_data=array(), d_values=array(), d_out=array()))
        )
        x = cuox.to_device(np.arange(3, dtype=np.int32))
        pass_on(d_data=x, num_items=3, d_values=x, num_values=3, d_out=x, comp=add)


def test_kernels_that_were_not_compiled():
    levels = {"h_lower_level": np.zeros(1, np.int32), "h_upper_level": np.full(1, 6, np.int32)}
    made = compute.make_histogram_even(
        d_samples=array(), d_histogram=array(np.int32, 3), h_num_output_levels=np.array([4]), num_samples=6, **levels
    )
    read = compute.deserialize(compute.serialize(made))
    with pytest.raises(
        ValueError, match="the kernel histogram for these arguments is not among those that were compiled"
    ):
        read(
            d_samples=array(np.int32, 6),
            d_histogram=array(np.int32, 9000),
            h_num_output_levels=np.array([9001]),
            num_samples=6,
            **levels,
        )


def test_architectures():
    own = cuox.Device().compute_capability
    blob = compute.serialize(reducer(compute_capability=["8.0", (9, 0), 90]))
    read = compute.deserialize(blob)
    assert read.compute_capabilities == [80, 90]
    assert summed(read) == 45
    later = compute.deserialize(compute.serialize(reducer(compute_capability=120)))
    if tuple(own) < (12, 0):
        with pytest.raises(
            RuntimeError, match=r"reduce_into was compiled for compute capability 12\.0; this device has"
        ):
            summed(later)
    with pytest.raises(ValueError, match=r"compute_capability: the compiler does not know 9\.9"):
        compute.serialize(reducer(compute_capability=99))
    for wrong in ("x", (1, 2, 3), 3, [], object()):
        with pytest.raises(ValueError, match="compute_capability"):
            reducer(compute_capability=wrong)


def test_without_data():
    made = compute.make_reduce_into(
        d_in=ProxyArray(np.int32),
        d_out=ProxyArray(np.int32),
        op=add,
        h_init=ProxyValue(np.int32),
        compute_capability=[80, 90],
    )
    assert summed(compute.deserialize(compute.serialize(made))) == 45
    with pytest.raises(RuntimeError, match="a ProxyArray has no data"):
        summed(made, op=add, d_in=ProxyArray(np.int32))
    with pytest.raises(RuntimeError, match="a ProxyValue has no data"):
        summed(made, op=add, h_init=ProxyValue(np.int32))


def packed(description, texts):
    """Bytes with a right checksum."""
    head = json.dumps(description | {"cuox": cuox.__version__, "lengths": [len(text) for text in texts]}).encode()
    body = zlib.compress(struct.pack("<I", len(head)) + head + b"".join(texts))
    return _blob.MAGIC + sha256(body).digest() + body


def compressed_zeros(count):
    """What zlib makes of so many zeros, without compressing them all."""
    part = bytes(1 << 20)
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(count // len(part)):
        checksum = zlib.adler32(part, checksum)
    return zlib.compress(b"")[:2] + count // len(part) * block + b"\x03\x00" + struct.pack(">I", checksum)


def test_damaged_bytes():
    assert zlib.decompress(compressed_zeros(1 << 21)) == bytes(1 << 21)
    blob = compute.serialize(reducer())
    for place in range(0, len(blob), exhaustive.rounds(35, 7)):
        damaged = bytearray(blob)
        damaged[place] ^= 0x41
        with pytest.raises(ValueError, match="deserialize: "):
            compute.deserialize(bytes(damaged))
    for end in range(0, len(blob), exhaustive.rounds(505, 101)):
        with pytest.raises(ValueError, match="deserialize: "):
            compute.deserialize(blob[:end])
    with pytest.raises(ValueError, match="damaged"):
        compute.deserialize(blob + b"more")
    with pytest.raises(ValueError, match=r"not those of cuox\.cuda\.compute\.serialize"):
        compute.deserialize(pickle.dumps(print))
    with pytest.raises(ValueError, match="another version of cuox"):
        compute.deserialize(_blob.MAGIC[:-1] + b"2" + blob[8:])
    with pytest.raises(TypeError, match="takes the bytes that serialize has made, got str"):
        compute.deserialize("text")
    bomb = compressed_zeros(1 << 29)
    with pytest.raises(ValueError, match="damaged"):
        compute.deserialize(_blob.MAGIC + sha256(bomb).digest() + bomb)


def test_another_version(monkeypatch):
    with monkeypatch.context() as changed:
        changed.setattr(cuox, "__version__", "0.0.1")
        blob = compute.serialize(reducer())
    with pytest.raises(ValueError, match=r"serialized by cuox 0\.0\.1, this is cuox"):
        compute.deserialize(blob)


def changed(value, random):
    """A description with something else somewhere."""
    others = [None, -1, 10**30, "x", [], {}, [[]], "../x", 1.5, {"a": 1}, True]
    if isinstance(value, dict) and value and random.random() < 0.9:
        name = random.choice(list(value))
        if random.random() < 0.1:
            return {key: one for key, one in value.items() if key != name}
        return value | {name: changed(value[name], random)}
    if isinstance(value, list) and value and random.random() < 0.9:
        place = random.randrange(len(value))
        return [*value[:place], changed(value[place], random), *value[place + 1 :]]
    return random.choice(others)


def test_descriptions_of_others():
    """What is well-formed but none of ours is refused, when it is read or when it is called."""
    chance = random.Random(3)
    description, texts = _blob.read(compute.serialize(reducer(lambda a, b: a + b + OFFSET - OFFSET)))
    outcomes = set()
    for _ in range(exhaustive.rounds(100, 400)):
        try:
            read = compute.deserialize(packed(changed(description, chance), texts))
            outcomes.add(summed(read, op=lambda a, b: a + b + OFFSET - OFFSET))
        except (ValueError, TypeError, RuntimeError, KeyError, OverflowError, NotImplementedError) as error:
            outcomes.add(type(error))
    assert ValueError in outcomes
    assert 45 in outcomes
    assert {one for one in outcomes if isinstance(one, int)} == {45}
    # Text that is no PTX.
    read = compute.deserialize(packed(description, [b"no code" for _ in texts]))
    with pytest.raises((ValueError, cuox.CUDAError)):
        summed(read, op=lambda a, b: a + b + OFFSET - OFFSET)


def test_code_is_of_its_algorithm_only():
    """Code that claims to be another kernel's is never used for that one, and goes with its algorithm."""
    description, texts = _blob.read(compute.serialize(reducer()))
    product = _blob.read(compute.serialize(reducer(lambda a, b: a * b + 0)))[1]
    forged = list(texts)
    for mine, other in zip(
        description["kernels"],
        _blob.read(compute.serialize(reducer(lambda a, b: a * b + 0)))[0]["kernels"],
        strict=True,
    ):
        for capability, place in mine["ptx"].items():
            forged[place] = product[other["ptx"][capability]]
    read = compute.deserialize(packed(description, forged))
    assert read(temp_storage=None) == 1
    try:
        summed(read)
    except (ValueError, cuox.CUDAError):
        pass
    compute.clear_all_caches()
    out, x = array(), cuox.to_device(np.arange(10, dtype=np.int32))
    compute.reduce_into(d_in=x, d_out=out, num_items=10, op=add, h_init=np.zeros(1, np.int32))
    assert out.to_host()[0] == 45


def test_code_is_given_back():
    from cuox.cuda.compute import _compiled

    gc.collect()
    before = dict(_compiled._uses)
    blob = compute.serialize(reducer())
    first, second = compute.deserialize(blob), compute.deserialize(blob)
    assert summed(first) == summed(second) == 45
    assert len(_compiled._uses) == len(before) + 1
    del first
    gc.collect()
    assert summed(second) == 45
    del second
    gc.collect()
    assert _compiled._uses == before


def test_the_same_object_for_the_same_types():
    def of(k):
        return lambda a, b: a + k - k + b

    assert reducer() is reducer()
    assert reducer(of(1)) is reducer(of(1))
    assert reducer() is not reducer(compute_capability=80)
    kept = reducer(of(1)), reducer(of(2))
    assert kept[0] is not kept[1]
    ascending, descending = (
        compute.make_radix_sort(d_in_keys=array(), d_out_keys=array(), order=order)
        for order in (SortOrder.ASCENDING, SortOrder.DESCENDING)
    )
    assert ascending is not descending
    one = reducer()
    compute.clear_all_caches()
    assert reducer() is not one


def test_what_is_made_keeps_no_memory():
    class Held:
        def __init__(self, array):
            self.array, self.__cuda_array_interface__ = array, array.__cuda_array_interface__

    x = Held(array(np.int32, 1000))
    alive = weakref.ref(x)
    made = compute.make_unary_transform(
        d_in=compute.PermutationIterator(x, compute.ReverseIterator(x)), d_out=x, op=lambda a: a
    )
    del x
    gc.collect()
    assert alive() is None
    assert compute.deserialize(compute.serialize(made)).name == "unary_transform"


def test_operators_are_told_alike_in_each_process(run_script):
    script = """
        from cuox.cuda.compute._operators import operator_digest
        print(operator_digest(lambda a, b: a + b if "x" in {"x", "y", "zz", "w"} else helper(a)))
    """
    found = {run_script(script, PYTHONHASHSEED=str(seed)).stdout for seed in range(exhaustive.rounds(2, 4))}
    assert len(found) == 1
    assert found != {""}


def test_outputs_that_are_inputs_through_iterators():
    h = np.arange(1000)
    x, items, out, number = (
        cuox.to_device(h),
        cuox.to_device(h),
        cuox.empty((1000,), np.int64),
        cuox.empty((1,), np.int64),
    )
    third = lambda a: a % 3 == 0
    doubled = compute.TransformIterator(x, lambda a: a * 2)
    select = compute.deserialize(
        compute.make_select(d_in=doubled, d_out=x, d_num_selected_out=number, cond=third).serialize()
    )
    difference = compute.deserialize(
        compute.make_adjacent_difference(d_in=compute.CacheModifiedInputIterator(x, "stream"), d_out=x).serialize()
    )
    discard = compute.DiscardIterator(out)
    unique = compute.deserialize(
        compute.make_unique_by_key(
            d_in_keys=x,
            d_in_items=items,
            d_out_keys=x,
            d_out_items=discard,
            d_out_num_selected=number,
            op=lambda a, b: a // 7 == b // 7,
        ).serialize()
    )
    for in_place in (False, True, True, False, True):
        x.copy_from(h)
        into = x if in_place else out
        select(d_in=doubled, d_out=into, d_num_selected_out=number, num_items=1000)
        assert into.to_host()[: int(number.to_host()[0])].tolist() == [a * 2 for a in range(1000) if a % 3 == 0]
        x.copy_from(h)
        difference(d_in=compute.CacheModifiedInputIterator(x, "stream"), d_out=into, num_items=1000)
        assert into.to_host().tolist() == [0, *[1] * 999]
        x.copy_from(h)
        unique(
            d_in_keys=x,
            d_in_items=items,
            d_out_keys=into,
            d_out_items=discard,
            d_out_num_selected=number,
            num_items=1000,
        )
        assert into.to_host()[: int(number.to_host()[0])].tolist() == list(range(0, 1000, 7))


def test_items_that_are_too_large_to_be_selected_in_place():
    part = np.dtype([(f"f{k}", np.float64) for k in range(12)], align=True)
    large = np.dtype([(f"p{k}", part) for k in range(11)], align=True)
    assert large.itemsize > 1000
    values, out, number = cuox.zeros((10,), large), cuox.zeros((10,), large), cuox.empty((1,), np.int64)
    made = compute.make_select(d_in=values, d_out=out, d_num_selected_out=number, cond=lambda a: a.p3.f0 == 0.0)
    compute.deserialize(made.serialize())(d_in=values, d_out=out, d_num_selected_out=number, num_items=10)
    assert number.to_host()[0] == 10
    with pytest.raises(ValueError, match="items of 1056 bytes cannot be selected in place"):
        compute.select(
            d_in=values, d_out=values, d_num_selected_out=number, cond=lambda a: a.p3.f0 == 0.0, num_items=10
        )
