"""What kernels in Python call of CUDA's: libdevice, floats of 16 bits, vectors, random numbers, cache hints, atomics of
complex numbers, grid groups.
"""

import cmath
import itertools
import math
import pickle
from fractions import Fraction

import exhaustive
import numpy as np
import pytest
from cuox.numba import cuda
from cuox.numba.cuda import bf16, cg, fp16, libdevice, random, vector_types
from cuox.numba.cuda.bf16 import bfloat16
from cuox.numba.cuda.core.errors import TypingError


def test_libdevice_returns_what_is_written_behind_the_result():
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            fraction, exponent = libdevice.frexp(x[i])
            sine, cosine = libdevice.sincos(x[i])
            rest, quotient = libdevice.remquo(x[i], 0.75)
            part, whole = libdevice.modf(x[i])
            out[i, 0] = fraction
            out[i, 1] = exponent
            out[i, 2] = sine
            out[i, 3] = cosine
            out[i, 4] = rest
            out[i, 5] = quotient & 7
            out[i, 6] = part
            out[i, 7] = whole

    x = np.linspace(0.1, 9, 33)
    out = np.zeros((33, 8))
    kernel[1, 64](x, out)
    np.testing.assert_array_equal(out[:, 0], np.frexp(x)[0])
    np.testing.assert_array_equal(out[:, 1], np.frexp(x)[1])
    np.testing.assert_allclose(out[:, 2:4], np.stack([np.sin(x), np.cos(x)], 1), atol=1e-15)
    np.testing.assert_array_equal(out[:, 4], [math.remainder(value, 0.75) for value in x])
    np.testing.assert_array_equal(out[:, 5], [round(Fraction(value) / Fraction(0.75)) & 7 for value in x])
    np.testing.assert_array_equal(out[:, 6:8], np.stack(np.modf(x), 1))


def test_libdevice_rounds_and_counts():
    @cuda.jit
    def kernel(ints, floats):
        ints[0] = libdevice.popc(0xFF0F)
        ints[1] = libdevice.clzll(1)
        ints[2] = libdevice.byte_perm(0x33221100, 0x77665544, 0x7410)
        ints[3] = libdevice.umulhi(-1, 2)
        ints[4] = libdevice.float2int_ru(1.25)
        floats[0] = libdevice.dadd_ru(1.0, 1e-30)
        floats[1] = libdevice.dadd_rd(1.0, 1e-30)
        floats[2] = libdevice.fast_powf(2.0, 10.0)
        floats[3] = libdevice.normcdfinv(libdevice.normcdf(0.5))

    ints, floats = np.zeros(5, np.int64), np.zeros(4)
    kernel[1, 1](ints, floats)
    assert ints.tolist() == [12, 63, 0x77441100, 1, 2]
    assert floats[:2].tolist() == [math.nextafter(1, 2), 1]
    np.testing.assert_allclose(floats[2:], [1024, 0.5], rtol=1e-6)


def test_functions_are_named_documented_and_kept_for_kernels():
    assert "__nv_frexp" in libdevice.frexp.__doc__ and "(float64, int32)" in libdevice.frexp.__doc__
    assert len(libdevice.__all__) == 317
    for function in (libdevice.sincos, fp16.hadd, bf16.hadd, random.xoroshiro128p_next, cg.this_grid, cuda.ldca):
        assert pickle.loads(pickle.dumps(function)) is function
        with pytest.raises(TypeError, match="inside of a kernel only"):
            function()
    with pytest.raises(AttributeError):
        libdevice.nothing

    @cuda.jit
    def kernel(out):
        out[0] = libdevice.frexp(1.0, 2.0)

    with pytest.raises(TypingError, match=r"libdevice.frexp\(\) takes 1 argument by position, 2 given"):
        kernel[1, 1](np.zeros(1))


def half_operands() -> np.ndarray:
    bits = np.random.default_rng(3).integers(0, 1 << 16, 500).astype(np.uint16)
    return np.concatenate([bits, np.array([0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 1, 0x7BFF, 0x3C00], np.uint16)]).view(
        np.float16
    )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_float16_arithmetic_is_exact():
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = fp16.hadd(a[i], b[i])
            out[i, 1] = fp16.hsub(a[i], b[i])
            out[i, 2] = fp16.hmul(a[i], b[i])
            out[i, 3] = fp16.hdiv(a[i], b[i])
            out[i, 4] = fp16.hneg(a[i])
            out[i, 5] = fp16.habs(a[i])
            out[i, 6] = fp16.hsqrt(a[i])
            out[i, 7] = fp16.hmax(a[i], b[i])
            out[i, 8] = fp16.hmin_nan(a[i], b[i])
            out[i, 9] = fp16.__hadd_sat(a[i], b[i])

    a = half_operands()
    b = a[::-1].copy()
    out = np.zeros((a.size, 10), np.float16)
    kernel[8, 64](a, b, out)
    wide = a.astype(np.float64), b.astype(np.float64)
    clamped = np.nan_to_num(np.clip((wide[0] + wide[1]).astype(np.float16), 0, 1), nan=0)
    expected = [
        a + b,
        a - b,
        a * b,
        (wide[0] / wide[1]).astype(np.float16),
        -a,
        np.abs(a),
        np.sqrt(wide[0]).astype(np.float16),
        np.fmax(a, b),
        np.minimum(a, b),
        clamped,
    ]
    for column, values in enumerate(expected):
        np.testing.assert_array_equal(out[:, column], values, err_msg=str(column))


def test_float16_comparisons_of_nan():
    @cuda.jit
    def kernel(a, b, out):
        out[0] = fp16.heq(a, b)
        out[1] = fp16.hne(a, b)
        out[2] = fp16.hlt(a, b)
        out[3] = fp16.hequ(a, b)
        out[4] = fp16.hneu(a, b)
        out[5] = fp16.hgeu(a, b)
        out[6] = fp16.hisnan(a)
        out[7] = fp16.hisinf(b)

    for a, b in [(1, 2), (np.nan, 2), (np.nan, np.nan), (2, 2), (-1, -np.inf)]:
        out = np.zeros(8, np.int32)
        kernel[1, 1](np.float16(a), np.float16(b), out)
        nan = math.isnan(a) or math.isnan(b)
        infinite = math.copysign(1, b) if math.isinf(b) else 0
        assert out.tolist() == [
            a == b,
            not nan and a != b,
            a < b,
            nan or a == b,
            a != b,
            nan or a >= b,
            math.isnan(a),
            infinite,
        ], (a, b)


def rounded(value: Fraction, digits: int, mode: str) -> Fraction:
    """A number with so many binary digits."""
    if value == 0:
        return value
    exponent = math.frexp(abs(value.numerator / value.denominator))[1]
    while abs(value) >= Fraction(2) ** exponent:
        exponent += 1
    scaled = value / Fraction(2) ** (exponent - digits)
    whole = {"n": round, "z": math.trunc, "d": math.floor, "u": math.ceil}[mode](scaled)
    return whole * Fraction(2) ** (exponent - digits)


@pytest.mark.parametrize("mode", "nzdu")
def test_conversions_round_as_their_names_say(mode):
    from_int, from_ull = getattr(fp16, f"int2half_r{mode}"), getattr(bf16, f"uint64_to_bfloat16_r{mode}")
    from_ll, from_float = getattr(bf16, f"ll2bfloat16_r{mode}"), getattr(bf16, f"float2bfloat16_r{mode}")
    to_int, to_short = getattr(bf16, f"bfloat16_to_int32_r{mode}"), getattr(fp16, f"half2short_r{mode}")

    @cuda.jit
    def kernel(ints, floats, out):
        i = cuda.grid(1)
        if i < ints.size:
            out[i, 0] = from_int(ints[i] % 60000 - 30000)
            out[i, 1] = bf16.bfloat16_to_float32(from_ull(ints[i]))
            out[i, 2] = bf16.bfloat16_to_float32(from_ll(-ints[i]))
            out[i, 3] = bf16.bfloat16_to_float32(from_float(floats[i]))
            out[i, 4] = to_int(bfloat16(floats[i]))
            out[i, 5] = to_short(floats[i])

    generator = np.random.default_rng(5)
    ints = generator.integers(0, 1 << 62, 300) >> generator.integers(0, 60, 300)
    # Halfway between two numbers, and just above.
    ints[:4] = [(0x181 << 40), (0x181 << 40) + 1, (0x183 << 40), (0x183 << 40) - 1]
    floats = generator.normal(0, 300, 300).astype(np.float32)
    out = np.zeros((300, 6))
    kernel[5, 64](ints, floats, out)
    for row, integer, number in zip(out, map(int, ints), map(float, floats), strict=True):
        short = Fraction(integer % 60000 - 30000)
        near = rounded(Fraction(number), 8, "n")
        half = float(np.float16(number))
        whole = {"n": round, "z": math.trunc, "d": math.floor, "u": math.ceil}[mode]
        expected = [
            rounded(short, 11, mode),
            rounded(Fraction(integer), 8, mode),
            rounded(Fraction(-integer), 8, mode),
            rounded(Fraction(number), 8, mode),
            whole(near),
            whole(half),
        ]
        assert [Fraction(value) for value in row] == expected, (integer, number)


def test_conversions_to_small_integers_stop_at_their_ends():
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i, 0] = bf16.bfloat16_to_int8_rz(bfloat16(x[i]))
            out[i, 1] = bf16.bfloat16_to_uint8_rz(bfloat16(x[i]))
            out[i, 2] = fp16.half2ushort_rn(x[i])
            out[i, 3] = fp16.half_as_short(x[i])

    x = np.array([-1000, 1000, np.inf, np.nan, 12.75], np.float32)
    out = np.zeros((5, 4), np.int64)
    kernel[1, 8](x, out)
    assert out[:, 0].tolist() == [-128, 127, 127, 0, 12]
    assert out[:, 1].tolist() == [0, 255, 255, 0, 12]
    assert out[:, 2].tolist() == [0, 1000, 65535, 0, 13]
    assert out[[0, 1, 2, 4], 3].tolist() == x[[0, 1, 2, 4]].astype(np.float16).view(np.int16).tolist()


def test_functions_of_floats_of_16_bits_are_near():
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            h, b = cuda.float16(x[i]), bfloat16(x[i])
            out[i, 0] = fp16.hsin(h)
            out[i, 1] = fp16.hexp2(h)
            out[i, 2] = fp16.hrcp(h)
            out[i, 3] = fp16.hrsqrt(h)
            out[i, 4] = fp16.htanh_approx(h)
            out[i, 5] = bf16.bfloat162float(bf16.hlog(b))
            out[i, 6] = bf16.bfloat162float(bf16.hcos(b))
            out[i, 7] = bf16.bfloat162float(bf16.hfma_relu(b, b, bfloat16(-4.0)))

    x = np.array([0.25, 0.5, 1, 1.5, 2, 3], np.float32)
    out = np.zeros((6, 8))
    kernel[1, 8](x, out)
    np.testing.assert_allclose(
        out[:, :5], np.stack([np.sin(x), np.exp2(x), 1 / x, 1 / np.sqrt(x), np.tanh(x)], 1), rtol=1e-3
    )
    np.testing.assert_allclose(
        out[:, 5:], np.stack([np.log(x), np.cos(x), np.maximum(x * x - 4, 0)], 1), rtol=6e-3, atol=1e-3
    )


def test_vectors():
    @cuda.jit
    def kernel(out):
        a = cuda.float32x4(1, 2, 3, 4)
        b = cuda.short2(5, -6)
        c = cuda.float3(b, a.w)
        x, y, z = c
        out[0] = a.x + a.y * a.z
        out[1] = x
        out[2] = y
        out[3] = z
        total = cuda.float64x2(0.0, 0.0)
        for i in range(3):
            total = cuda.double2(total.x + i, total.y - i)
        out[4] = total.x
        out[5] = total.y
        for v in (a, cuda.float4(c, 9), cuda.float4(b, b)):
            out[6] += v.w

    out = np.zeros(7)
    kernel[1, 1](out)
    assert out.tolist() == [7, 5, -6, 4, 3, -3, 4 + 9 - 6]
    assert cuda.float4 is cuda.float32x4 is vector_types.vector_types["float32x4"]
    assert cuda.ulonglong3.num_elements == 3 and cuda.ulonglong3.base_type is cuda.uint64
    with pytest.raises(TypeError, match="inside of a kernel only"):
        cuda.float2(1, 2)


def test_vectors_of_shared_memory_and_device_functions():
    @cuda.jit(device=True)
    def swapped(v):
        return cuda.int32x2(v.y, v.x)

    @cuda.jit
    def kernel(out):
        store = cuda.shared.array(32, cuda.float32x3)
        i = cuda.threadIdx.x
        store[i] = cuda.float32x3(i, 2 * i, 3 * i)
        cuda.syncthreads()
        other = store[31 - i]
        pair = swapped(cuda.int32x2(i, -i))
        out[i, 0] = other.x + other.y + other.z
        out[i, 1] = pair.x * 2 + pair.y

    out = np.zeros((32, 2))
    kernel[1, 32](out)
    i = np.arange(32)
    np.testing.assert_array_equal(out, np.stack([6 * (31 - i), -i], 1))


def test_errors_of_vectors():
    @cuda.jit
    def count(out):
        out[0] = cuda.float32x4(1.0, 2.0).x

    @cuda.jit
    def name(out):
        out[0] = cuda.float32x2(1.0, 2.0).z

    with pytest.raises(TypingError, match="float32x4.. takes 4 elements, 2 given"):
        count[1, 1](np.zeros(1))
    with pytest.raises(TypingError, match="float32x2 has no attribute 'z'"):
        name[1, 1](np.zeros(1))


# Xoroshiro128+ in Python's numbers.
MASK = 2**64 - 1


def turned(x, k):
    return (x << k | x >> (64 - k)) & MASK


def following(state):
    s0, s1 = state
    s1 ^= s0
    return turned(s0, 55) ^ s1 ^ (s1 << 14 & MASK), turned(s1, 36)


def jumped(state):
    sums = [0, 0]
    for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
        for bit in range(64):
            if word >> bit & 1:
                sums = [sums[0] ^ state[0], sums[1] ^ state[1]]
            state = following(state)
    return tuple(sums)


def seeded(seed):
    z = (seed + 0x9E3779B97F4A7C15) & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return (z ^ z >> 31,) * 2


def test_random_states_and_numbers():
    states = random.create_xoroshiro128p_states(5, seed=42, subsequence_start=2)
    expected = [jumped(jumped(seeded(42)))]
    while len(expected) < 5:
        expected.append(jumped(expected[-1]))
    assert [tuple(map(int, state)) for state in states.copy_to_host()] == expected

    @cuda.jit
    def kernel(states, words, floats):
        i = cuda.grid(1)
        if i < states.size:
            words[i] = random.xoroshiro128p_next(states, i)
            floats[i, 0] = random.xoroshiro128p_uniform_float64(states, i)
            floats[i, 1] = random.xoroshiro128p_uniform_float32(states, i)
            floats[i, 2] = random.xoroshiro128p_normal_float64(states, i)
            floats[i, 3] = random.xoroshiro128p_normal_float32(states, i)
            random.xoroshiro128p_jump(states, i)

    words, floats = np.zeros(5, np.uint64), np.zeros((5, 4))
    kernel[1, 32](states, words, floats)
    for state, end, word, row in zip(expected, states.copy_to_host(), words, floats, strict=True):
        numbers = []
        for _ in range(7):
            numbers.append(sum(state) & MASK)
            state = following(state)
        assert int(word) == numbers[0]
        units = [(number >> 11) * 2.0**-53 for number in numbers[1:]]
        assert row[0] == units[0] and row[1] == np.float32(units[1])
        normals = [
            math.sqrt(-2 * math.log(np.float32(a))) * math.cos(2 * math.pi * np.float32(b))
            for a, b in (units[2:4], units[4:6])
        ]
        np.testing.assert_allclose(row[2:], normals, rtol=1e-5, atol=1e-6)
        assert tuple(map(int, end)) == jumped(state)


def test_random_states_far_away_take_no_time():
    one, two = np.zeros(1, random.xoroshiro128p_dtype), np.zeros(3, random.xoroshiro128p_dtype)
    random.init_xoroshiro128p_states_cpu(one, 1, 2**40 + 2)
    random.init_xoroshiro128p_states_cpu(two, 1, 2**40)
    assert one[0] == two[2]

    @cuda.jit
    def kernel(states, out):
        out[0] = random.xoroshiro128p_uniform_float32(states, 0)

    with pytest.raises(TypingError, match="takes an array of states"):
        kernel[1, 1](np.zeros(1), np.zeros(1))


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f2", "f4", "f8"])
def test_cache_hints(dtype):
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.shape[0]:
            cuda.stcg(out, (i, 0), cuda.ldca(x, (i, 0)))
            cuda.stcs(out, (i, 1), cuda.ldcg(x, (i, 1)))
            cuda.stwb(out, (i, 2), cuda.ldcs(x, (i, 2)))
            cuda.stwt(out, (i, 3), cuda.ldlu(x, (i, 3)) + cuda.ldcv(x, (i, 4)))

    x = np.arange(40).astype(dtype).reshape(8, 5)
    out = np.zeros_like(x)
    kernel[1, 32](x, out)
    np.testing.assert_array_equal(out[:, :3], x[:, :3])
    np.testing.assert_array_equal(out[:, 3], x[:, 3] + x[:, 4])
    ptx = next(iter(kernel.inspect_asm().values()))
    bits = x.itemsize * 8
    for instruction in (
        "ld.global.ca",
        "ld.global.cg",
        "ld.global.cs",
        "ld.global.lu",
        "ld.global.cv",
        "st.global.cg",
        "st.global.cs",
        "st.global.wb",
        "st.global.wt",
    ):
        assert f"{instruction}.b{bits}" in ptx


def test_cache_hints_refuse_what_they_cannot_load():
    @cuda.jit
    def numbers(x, out):
        out[0] = cuda.ldcs(x, 0).real

    @cuda.jit
    def indices(x, out):
        out[0] = cuda.ldcs(x, (0, 1))

    with pytest.raises(TypingError, match="requires array of integer or float type"):
        numbers[1, 1](np.zeros(1, complex), np.zeros(1))
    with pytest.raises(TypingError, match="of 1 dimensions takes 1 indices, got 2"):
        indices[1, 1](np.zeros(1), np.zeros(1))


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_atomics_of_complex_numbers(dtype):
    @cuda.jit
    def kernel(x):
        cuda.atomic.add(x, 0, 1 + 2j)
        cuda.atomic.sub(x, 1, 3 - 1j)

    x = np.zeros(2, dtype)
    kernel[4, 64](x)
    assert x.tolist() == [256 + 512j, -768 + 256j]


@pytest.mark.parametrize("dtype", ["f2", "i1", "u2", "c8"])
def test_atomics_of_small_and_wide_elements(dtype):
    @cuda.jit
    def kernel(x, old):
        old[0] = cuda.atomic.exch(x, 1, 7)
        old[1] = cuda.atomic.cas(x, 2, 3, 9)
        old[2] = cuda.atomic.cas(x, 3, 3, 9)

    x, old = np.arange(1, 6).astype(dtype), np.zeros(3, dtype)
    kernel[1, 1](x, old)
    assert x.tolist() == [1, 7, 9, 4, 5] and old.tolist() == [2, 3, 4]


def test_complex128_has_no_exchange():
    @cuda.jit
    def kernel(x):
        cuda.atomic.exch(x, 0, 1j)

    with pytest.raises(TypingError, match="cuda.atomic.exch.. cannot take"):
        kernel[1, 1](np.zeros(1, complex))


def test_a_grid_waits_for_itself():
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        grid = cg.this_grid()
        for step in range(3):
            x[i] += 1
            grid.sync()
            out[i] += x[(i + 77) % x.size]
            grid.sync()

    x, out = np.zeros(128, np.int32), np.zeros(128, np.int32)
    kernel[4, 32](x, out)
    assert (out == 1 + 2 + 3).all()


def test_every_function_of_libdevice_is_there(tmp_path):
    numbers = {"float64": "0.5", "float32": "0.5", "int64": "3", "int32": "3", "int16": "3"}
    lines = ["from cuox.numba.cuda import libdevice", "def kernel(out):"]
    for number, name in enumerate(libdevice.__all__):
        taken, given = getattr(libdevice, name).__doc__.split("`")[1].split(" -> ")
        arguments = ", ".join(numbers[ty] for ty in taken[len(name) + 1 : -1].split(", "))
        lines.append(f"    r = libdevice.{name}({arguments})")
        lines.append(f"    out[{number}] += {'r[0] + r[1]' if '(' in given else 'r'}")
    file = tmp_path / "all_of_libdevice.py"
    file.write_text("\n".join(lines))
    scope = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    out = np.zeros(len(libdevice.__all__))
    cuda.jit(scope["kernel"])[1, 1](out)
    # The others are those that have no value at these places: acosh(0.5).
    assert np.isfinite(out).sum() >= 310
    values = dict(zip(libdevice.__all__, out, strict=True))
    assert (
        values["hypot"] == pytest.approx(0.5 * 2**0.5)
        and values["clz"] == 30
        and values["scalbnf"] == 4
        and values["sincospi"] == pytest.approx(1)
    )


def test_bit_count():
    @cuda.jit
    def kernel(x, y, out):
        i = cuda.grid(1)
        out[i, 0] = x[i].bit_count()
        out[i, 1] = y[i].bit_count()

    x = np.array([0, 1, 2**64 - 1, 2**63], np.uint64)
    y = np.array([-1, -128, 127, 0], np.int8)
    out = np.zeros((4, 2), np.int64)
    kernel[1, 4](x, y, out)
    assert out.tolist() == [[int(a).bit_count(), int(b).bit_count()] for a, b in zip(x, y, strict=True)]


CMATH = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "exp",
    "log",
    "log10",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]


@pytest.mark.parametrize("name", exhaustive.some(CMATH, CMATH[::3]))
@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_functions_of_complex_numbers_at_their_ends(name, dtype):
    function = getattr(cmath, name)

    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = function(x[i])

    parts = [-math.inf, -1e30, -700.5, -1.5, -1, -1e-5, -0.0, 0.0, 0.25, 1, 2.5, 88.5, 1e30, math.inf, math.nan]
    inputs, expected = [], []
    for real, imag in itertools.product(parts, parts):
        number = complex(np.array(complex(real, imag), dtype)[()])
        try:
            expected.append(function(number))
            inputs.append(number)
        except (ValueError, OverflowError):
            continue
    # What float32 cannot hold is infinite there.
    with np.errstate(over="ignore"):
        expected = np.array(expected).astype(dtype)
    x = np.array(inputs, dtype)
    out = np.zeros_like(x)
    kernel[1, 256](x, out)
    tolerance = 3e-6 if dtype == "c8" else 1e-14
    for number, ours, theirs in zip(x, out, expected, strict=True):
        scale = abs(theirs) if np.isfinite(theirs) else 1
        for a, b in ((ours.real, theirs.real), (ours.imag, theirs.imag)):
            if math.isnan(b) or math.isinf(b):
                assert a == b or (math.isnan(a) and math.isnan(b)), (number, ours, theirs)
            else:
                assert abs(a - b) <= tolerance * max(scale, abs(b)), (number, ours, theirs)
                assert a != 0 or np.isnan(number) or math.copysign(1, a) == math.copysign(1, b), (number, ours, theirs)


def test_logarithms_of_complex_numbers_to_a_base():
    @cuda.jit
    def kernel(x, base, out):
        out[0] = cmath.log(x[0], base[0])

    out = np.zeros(1, complex)
    kernel[1, 1](np.array([3 + 4j]), np.array([2 - 1j]), out)
    assert out[0] == pytest.approx(cmath.log(3 + 4j, 2 - 1j))


def test_lengths_at_angles():
    @cuda.jit
    def kernel(length, angle, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = cmath.rect(length[i], angle[i])

    given = [(-math.inf, 0.0), (math.inf, -0.0), (2.0, 1.0), (math.inf, 2.0), (0.0, 3.0), (math.nan, 0.0)]
    out = np.zeros(len(given), complex)
    kernel[1, 32](*np.array(given).T.copy(), out)
    for ours, pair in zip(out, given, strict=True):
        theirs = cmath.rect(*pair)
        assert repr(complex(ours)) == repr(theirs) or ours == pytest.approx(theirs, abs=1e-15), pair
