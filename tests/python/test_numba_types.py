"""Types and signatures of kernels: `cuox.numba.types`."""

from __future__ import annotations

import collections
import copy
import enum
import pickle
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from cuox.numba import cuda, types
from cuox.numba.cuda._signatures import read
from cuox.numba.cuda.np import numpy_support

Point = collections.namedtuple("Point", "x y")

ALIGNED = np.dtype([("a", "i4"), ("b", "f8", (2, 3))], align=True)
PACKED = np.dtype([("a", "i4"), ("b", "f8")])
NESTED = np.dtype(
    [("head", "u1"), ("inner", PACKED), ("many", PACKED, (2,)), ("when", "M8[s]"), ("text", "S3"), ("name", "U4")]
)


class Number(enum.IntEnum):
    ONE = 1


# A type, its name and its constructor.
SHOWN = [
    (types.float32, "float32", "float32"),
    (types.boolean, "bool", "bool"),
    (types.void, "none", "none"),
    (types.float32[:], "array(float32, 1d, A)", "Array(float32, 1, 'A', False, aligned=True)"),
    (types.float32[::1], "array(float32, 1d, C)", "Array(float32, 1, 'C', False, aligned=True)"),
    (types.int64[:, ::1], "array(int64, 2d, C)", "Array(int64, 2, 'C', False, aligned=True)"),
    (types.int64[::1, :], "array(int64, 2d, F)", "Array(int64, 2, 'F', False, aligned=True)"),
    (types.int64[:, :, :], "array(int64, 3d, A)", "Array(int64, 3, 'A', False, aligned=True)"),
    (
        types.Array(types.int64, 1, "C", readonly=True),
        "readonly array(int64, 1d, C)",
        "Array(int64, 1, 'C', True, aligned=True)",
    ),
    (types.UniTuple(types.int64, 2), "UniTuple(int64 x 2)", "UniTuple(int64, 2)"),
    (types.UniTuple(types.int64, 0), "UniTuple(int64 x 0)", "UniTuple(int64, 0)"),
    (types.Tuple((types.int64, types.float64)), "Tuple(int64, float64)", "Tuple((int64, float64))"),
    (types.Tuple((types.int8, types.int8)), "UniTuple(int8 x 2)", "UniTuple(int8, 2)"),
    (types.Tuple(()), "Tuple()", "Tuple(())"),
    (types.NamedTuple([types.int64, types.float64], Point), "Point(int64, float64)", "Point(int64, float64)"),
    (types.NamedUniTuple(types.int64, 2, Point), "Point(int64 x 2)", "Point(int64 x 2)"),
    (types.CPointer(types.float32), "float32*", "float32*"),
    (types.voidptr, "void*", "void*"),
    (types.NPDatetime("D"), "datetime64[D]", "datetime64[D]"),
    (types.NPTimedelta("ms"), "timedelta64[ms]", "timedelta64[ms]"),
    (types.CharSeq(5), "[char x 5]", "[char x 5]"),
    (types.UnicodeCharSeq(5), "[unichr x 5]", "UnicodeCharSeq(5)"),
    (types.NestedArray(types.float32, (2, 3)), "nestedarray(float32, (2, 3))", "NestedArray(float32, (2, 3))"),
    (types.from_dtype(PACKED), "Record(a[type=int32;offset=0],b[type=float64;offset=4];12;False)", None),
    (
        types.from_dtype(ALIGNED),
        "Record(a[type=int32;offset=0],b[type=nestedarray(float64, (2, 3));offset=8];56;True)",
        None,
    ),
]


@pytest.mark.parametrize(("given", "name", "constructor"), SHOWN, ids=[name for _, name, _ in SHOWN])
def test_types_are_shown_as_numbas(given, name, constructor):
    assert str(given) == given.name == name
    if constructor is not None:
        assert repr(given) == constructor


@pytest.mark.parametrize("given", [one for one, _, _ in SHOWN], ids=[name for _, name, _ in SHOWN])
def test_types_can_be_pickled_and_copied(given):
    for other in (pickle.loads(pickle.dumps(given)), copy.deepcopy(given)):
        assert other == given
        assert hash(other) == hash(given)
        assert (str(other), repr(other), type(other)) == (str(given), repr(given), type(given))


def test_each_type_differs_from_all_others():
    given = [one for one, _, _ in SHOWN]
    # The empty tuple is one type under two names.
    distinct = [one for one in given if one.code != "tuple()"] + [types.Tuple(())]
    assert len(set(distinct)) == len(distinct)
    assert types.float32 != "float32"
    assert types.float32[:] != types.float32[::1]
    assert types.NestedArray(types.int8, (2, 3)) != types.NestedArray(types.int8, (3, 2))


def test_short_names_and_c_names():
    assert (types.i1, types.i2, types.i4, types.i8) == (types.int8, types.int16, types.int32, types.int64)
    assert (types.u1, types.u2, types.u4, types.u8) == (types.uint8, types.uint16, types.uint32, types.uint64)
    assert (types.f2, types.f4, types.f8) == (types.float16, types.float32, types.float64)
    assert (types.c8, types.c16, types.b1, types.bool_) == (
        types.complex64,
        types.complex128,
        types.boolean,
        types.boolean,
    )
    assert (types.intp, types.uintp, types.intc, types.uintc) == (types.int64, types.uint64, types.int32, types.uint32)
    assert (types.double, types.longlong, types.ushort, types.byte) == (
        types.float64,
        types.int64,
        types.uint16,
        types.uint8,
    )
    assert cuda.types is types
    assert cuda.int32 is types.int32


def test_limits_of_numbers():
    assert (types.int32.minval, types.int32.maxval) == (-(2**31), 2**31 - 1)
    assert (types.uint8.minval, types.uint8.maxval) == (0, 255)
    assert (types.int32.signed, types.uint8.signed) == (True, False)
    assert [one.bitwidth for one in (types.int8, types.float16, types.bfloat16, types.float64, types.complex128)] == [
        8,
        16,
        16,
        64,
        128,
    ]
    assert types.complex64.underlying_float == types.float32
    assert types.uint8 in types.integer_domain
    assert types.uint8 not in types.signed_domain


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: types.float32(3), np.float32(3)),
        (lambda: types.int8(3.7), np.int8(3)),
        (lambda: types.int64("3"), np.int64(3)),
        (lambda: types.complex64(1 + 2j), np.complex64(1 + 2j)),
        (lambda: types.float16(1.5), np.float16(1.5)),
        (lambda: types.uint64(np.float32(7)), np.uint64(7)),
        (lambda: types.boolean(2), True),
    ],
)
def test_types_of_numbers_convert_values(call, expected):
    assert call() == expected
    assert type(call()) is type(expected)


def test_values_that_do_not_fit_are_refused():
    for call in (lambda: types.int32(2**40), lambda: types.uint8(-1)):
        with pytest.raises(OverflowError):
            call()
    with pytest.raises(ValueError):
        types.float64("x")


def test_arrays():
    given = types.float32[:, ::1]
    assert (given.dtype, given.ndim, given.layout, given.mutable, given.readonly) == (
        types.float32,
        2,
        "C",
        True,
        False,
    )
    assert (given.is_c_contig, given.is_f_contig, given.is_contig) == (True, False, True)
    assert given.copy(layout="F") == types.float32[::1, :]
    assert given.copy(ndim=1, dtype=types.int8) == types.int8[::1]
    assert given.copy(readonly=True) == types.Array(types.float32, 2, "C", readonly=True)
    assert given.copy(readonly=True).readonly
    # In one dimension the two orders are the same.
    assert types.Array(types.int8, 1, "F") == types.int8[::1]


@pytest.mark.parametrize(
    "key", [0, slice(1, None), slice(None, 3), slice(None, None, 2), (slice(None), 1), slice(None, None, -1)]
)
def test_wrong_subscripts(key):
    with pytest.raises(KeyError, match="dimensions are written"):
        types.float32[key]


def test_an_array_has_one_order():
    with pytest.raises(KeyError, match="can be written once"):
        types.float32[::1, ::1]
    with pytest.raises(KeyError, match="can be written once"):
        types.float32[:, ::1, :]
    with pytest.raises(ValueError, match="must be 'C', 'F' or 'A', got 'X'"):
        types.Array(types.float32, 1, "X")
    with pytest.raises(TypeError, match="cannot be arrays"):
        types.float32[:][:]


def test_tuples():
    mixed = types.Tuple((types.int64, types.float32, types.int8))
    assert (len(mixed), mixed.count, list(mixed)) == (3, 3, [types.int64, types.float32, types.int8])
    assert mixed[1] == types.float32
    assert mixed[1:] == (types.float32, types.int8)
    uniform = types.UniTuple(types.int64, 2)
    assert (uniform.dtype, uniform.count, uniform[0]) == (types.int64, 2, types.int64)
    assert types.Tuple([types.int64, types.int64]) == uniform
    assert isinstance(types.Tuple([types.int64, types.int64]), types.UniTuple)
    assert not isinstance(uniform, types.Tuple)
    assert isinstance(uniform, types.BaseTuple)
    with pytest.raises(TypeError, match="expected a sequence of types, got int64"):
        types.Tuple(types.int64)
    with pytest.raises(TypeError, match="Point has 2 fields, got 1 types"):
        types.NamedTuple([types.int8], Point)


def test_records():
    record = types.from_dtype(ALIGNED)
    assert (record.size, record.aligned, len(record), record.dtype) == (56, True, 2, ALIGNED)
    assert record.members == [("a", types.int32), ("b", types.NestedArray(types.float64, (2, 3)))]
    assert (record.typeof("b").shape, record.typeof("b").nbytes, record.offset("b")) == ((2, 3), 48, 8)
    struct = types.Record.make_c_struct([("a", types.int8), ("b", types.float64)])
    assert (struct.size, struct.offset("b"), struct.aligned) == (16, 8, True)
    spelt = types.Record(
        [("a", {"type": types.int32, "offset": 0}), ("b", {"type": types.float64, "offset": 4})], 12, False
    )
    assert spelt == types.from_dtype(PACKED)
    with pytest.raises(TypeError, match="expected a structured dtype, got float32"):
        types.Record("f4")


@pytest.mark.parametrize(
    "dtype",
    [ALIGNED, PACKED, NESTED, np.dtype([("a", "i1"), ("b", "f8")], align=True)],
    ids=["aligned", "packed", "nested", "struct"],
)
def test_records_by_their_codes(dtype):
    record = types.from_dtype(dtype)
    again = types.from_code(record.code)
    assert again == record
    assert isinstance(again, types.Record)
    assert [(name, again.offset(name)) for name, _ in again.members] == [
        (name, record.offset(name)) for name, _ in record.members
    ]
    assert types.from_code(f"array({record.code},2,F)").dtype == record


DTYPES = [
    "?",
    "i1",
    "i2",
    "i4",
    "i8",
    "u1",
    "u2",
    "u4",
    "u8",
    "f2",
    "f4",
    "f8",
    "c8",
    "c16",
    "S5",
    "U5",
    "M8[s]",
    "m8[25ms]",
    "M8",
    ALIGNED,
    PACKED,
    NESTED,
]


@pytest.mark.parametrize("dtype", [*DTYPES, ("f4", (2, 3))], ids=str)
def test_numpys_types_and_back(dtype):
    dtype = np.dtype(dtype)
    assert numpy_support.as_dtype(numpy_support.from_dtype(dtype)) == dtype


@pytest.mark.parametrize("dtype", [">f4", "O", "V5", "g"])
def test_numpys_types_that_kernels_lack(dtype):
    with pytest.raises(TypeError, match="dtype"):
        numpy_support.from_dtype(np.dtype(dtype))


@pytest.mark.parametrize(
    "given", [types.void, types.float32[:], types.UniTuple(types.int8, 2), types.CPointer(types.int8)], ids=str
)
def test_types_that_numpy_lacks(given):
    with pytest.raises(TypeError, match="has no NumPy dtype"):
        numpy_support.as_dtype(given)


def test_dates_have_numpys_units():
    for kind in (types.NPDatetime, types.NPTimedelta):
        assert kind("25ms").unit == "25ms"
        with pytest.raises(ValueError, match="expected a unit of NumPy's dates such as 's' or '25ms', got 'QQ'"):
            kind("QQ")


VALUES = [
    (1, types.int64),
    (2**31, types.int64),
    (2**63, types.uint64),
    (1.0, types.float64),
    (1j, types.complex128),
    (True, types.boolean),
    (None, types.none),
    (Number.ONE, types.int64),
    (np.int8(1), types.int8),
    (np.float16(1), types.float16),
    (np.bool_(1), types.boolean),
    (np.datetime64(1, "D"), types.NPDatetime("D")),
    (np.timedelta64(1, "ms"), types.NPTimedelta("ms")),
    (np.zeros(3), types.float64[::1]),
    (np.zeros((3, 4), "f4"), types.float32[:, ::1]),
    (np.zeros((3, 4), "f4", order="F"), types.float32[::1, :]),
    (np.zeros((3, 4), "f4")[::2, ::2], types.float32[:, :]),
    (np.zeros(3)[::-1], types.float64[:]),
    (np.zeros(()), types.Array(types.float64, 0, "C")),
    (np.broadcast_to(np.zeros(1), (3,)), types.Array(types.float64, 1, "A", readonly=True)),
    ((), types.Tuple(())),
    ((1, 2), types.UniTuple(types.int64, 2)),
    ((1, (2, 3.0)), types.Tuple((types.int64, types.Tuple((types.int64, types.float64))))),
    (Point(1, 2), types.NamedUniTuple(types.int64, 2, Point)),
    (Point(1, 2.0), types.NamedTuple([types.int64, types.float64], Point)),
    (np.zeros(2, PACKED), types.from_dtype(PACKED)[::1]),
    (np.zeros(2, PACKED)[0], types.from_dtype(PACKED)),
    (np.zeros(2, "S5"), types.CharSeq(5)[::1]),
    (np.zeros(2, "U5"), types.UnicodeCharSeq(5)[::1]),
]


@pytest.mark.parametrize(("value", "expected"), VALUES, ids=[repr(value).replace("\n", "") for value, _ in VALUES])
def test_types_of_values(value, expected):
    found = types.typeof(value)
    assert found == expected
    assert str(found) == str(expected)


def test_types_of_device_arrays():
    host = np.zeros((3, 4), "f4")
    device = cuda.to_device(host)
    assert types.typeof(device) == types.typeof(host)
    assert types.typeof(device[:, 1]) == types.float32[:]
    assert types.typeof((device, 1)) == types.Tuple((types.float32[:, ::1], types.int64))


@pytest.mark.parametrize(
    "value",
    [
        "abc",
        b"abc",
        [1],
        {1: 2},
        {1},
        slice(1, 2),
        object(),
        np,
        np.float32,
        int,
        types.int8,
        2**64,
        -(2**63) - 1,
        (1, "a"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_without_a_type(value):
    with pytest.raises(ValueError, match="kernel cannot take|does not fit"):
        types.typeof(value)


SIGNATURES = [
    ("void(float32[:], int32)", (types.float32[:], types.int32), types.void),
    ("(float32[:], int32)", (types.float32[:], types.int32), None),
    ("(int32,)", (types.int32,), None),
    ("void()", (), types.void),
    ("float32(float32)", (types.float32,), types.float32),
    (
        "void(i4, f8[:, ::1], b1, CPointer(float32))",
        (types.int32, types.float64[:, ::1], types.boolean, types.CPointer(types.float32)),
        types.void,
    ),
    (
        "UniTuple(int64, 2)(Tuple((int64, float32)))",
        (types.Tuple((types.int64, types.float32)),),
        types.UniTuple(types.int64, 2),
    ),
    (types.void(types.float32[:], types.int32), (types.float32[:], types.int32), types.void),
    (types.void(np.float32, int, "int8"), (types.float32, types.int64, types.int8), types.void),
    ((types.int32, types.float32), (types.int32, types.float32), None),
    ((np.float32, int, np.dtype("i2")), (types.float32, types.int64, types.int16), None),
]


@pytest.mark.parametrize(("given", "arguments", "result"), SIGNATURES, ids=[str(given) for given, _, _ in SIGNATURES])
def test_signatures(given, arguments, result):
    codes, returned = read(given)
    assert codes == tuple(one.code for one in arguments)
    assert returned == (None if result is None else result.code)


def test_signatures_are_values():
    given = types.void(types.float32[:], types.int32)
    assert given == types.parse_signature("void(float32[:], int32)")
    assert given != types.void(types.float32[::1], types.int32)
    assert len({given, types.void(types.float32[:], types.int32)}) == 1
    assert pickle.loads(pickle.dumps(given)) == given
    assert repr(types.float32(types.float32)) == "(float32,) -> float32"
    assert repr(given) == "(Array(float32, 1, 'A', False, aligned=True), int32) -> none"


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        ("foo(int32)", NameError, "'foo' is no type"),
        ("__import__('os').getcwd()", NameError, "'__import__' is no type"),
        ("(lambda: void)()", NameError, "'lambda' is no type"),
        ("int32.__class__", NameError, "'__class__' is no type"),
        ("void(1)", TypeError, "expected a type of cuox.numba.types, got 1"),
        ("void(int32", SyntaxError, "never closed"),
        ("float32[:]", TypeError, "expected a signature such as"),
        (types.int32, TypeError, "expected a signature such as"),
        (5, TypeError, "expected a signature such as"),
    ],
)
def test_wrong_signatures(given, kind, text):
    with pytest.raises(kind, match=text):
        read(given)


@pytest.mark.parametrize(
    "name",
    ["Dispatcher", "Literal", "Omitted", "Optional", "List", "misc", "npytypes", "unicode_type", "range_state32_type"],
)
def test_numbas_insides_say_so(name):
    with pytest.raises(AttributeError, match=f"types.{name} belongs to Numba's own compiler"):
        getattr(types, name)


def test_unknown_types_are_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'"):
        types.nosuch


@cuda.jit
def converted(out, integers, x):
    scratch = cuda.local.array(4, types.int16)
    scratch[0] = 300
    out[0] = types.float32(x)
    out[1] = types.int8(300)
    out[2] = scratch[0]
    integers[0] = types.uint8(257)
    integers[1] = cuda.types.int64(x)


def test_types_convert_and_allocate_inside_of_kernels():
    out, integers = cuda.to_device(np.zeros(3)), cuda.to_device(np.zeros(2, "i8"))
    converted[1, 1](out, integers, 7.1)
    np.testing.assert_array_equal(out.copy_to_host(), [float(np.float32(7.1)), 44, 300])
    np.testing.assert_array_equal(integers.copy_to_host(), [1, 7])


@pytest.mark.parametrize(
    "signature",
    [types.void(types.from_dtype(PACKED)[:], types.float64[::1]), (types.from_dtype(PACKED)[:], types.float64[::1])],
    ids=["void", "tuple"],
)
def test_kernels_of_records_ahead_of_launches(signature):
    @cuda.jit(signature)
    def total(records, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = records[i].a + records[i].b

    records = np.array([(1, 0.5), (2, 0.25)], PACKED)
    out = cuda.to_device(np.zeros(2))
    total[1, 32](cuda.to_device(records), out)
    np.testing.assert_array_equal(out.copy_to_host(), [1.5, 2.25])


def test_kernels_of_tuples_ahead_of_launches():
    @cuda.jit("void(UniTuple(int64, 2), Tuple((int64, float64)), float64[::1])")
    def gather(pair, mixed, out):
        out[0] = pair[0] + pair[1]
        out[1] = mixed[0] + mixed[1]

    out = cuda.to_device(np.zeros(2))
    gather[1, 1]((1, 2), (3, 0.5), out)
    np.testing.assert_array_equal(out.copy_to_host(), [3, 3.5])


def types_like_numbas() -> Any:
    """Objects that look as Numba's types do."""
    abstract = {"__module__": "numba.core.types.abstract"}
    base = type("Type", (), abstract)
    number, array, values = (type(name, (base,), abstract) for name in ("Number", "Array", "BaseTuple"))
    made = number()
    made.name = "float32"
    many, pair = array(), values()
    many.dtype, many.ndim, many.layout, many.mutable = made, 2, "F", True
    pair.types = (made, many)
    return made, many, pair


def test_types_of_numba() -> None:
    real, many, pair = types_like_numbas()
    assert read((real, many, pair))[0] == ("float32", "array(float32,2,F)", "tuple(float32,array(float32,2,F))")

    @cuda.jit((many, real))
    def kernel(x, y):
        v = cuda.local.array(2, dtype=real)
        v[0] = y
        x[1, 0] = v[0] + real(0.1)

    x = cuda.to_device(np.zeros((2, 2), np.float32, order="F"))
    kernel[1, 1](x, 0.5)
    assert x.copy_to_host()[1, 0] == np.float32(0.5) + np.float32(0.1)


def test_types_of_the_installed_numba() -> None:
    numba = pytest.importorskip("numba")
    record = numba.from_dtype(ALIGNED)
    given = (numba.boolean, numba.complex64, numba.int32[::1], numba.types.UniTuple(numba.uint8, 2), record)
    assert read(numba.void(*given)) == (
        ("bool", "complex64", "array(int32,1,C)", "tuple(uint8,uint8)", read((ALIGNED,))[0][0]),
        "none",
    )
    with pytest.raises(TypeError, match="not one that kernels know"):
        read((numba.types.unicode_type,))
