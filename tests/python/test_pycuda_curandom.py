"""`cuox.pycuda.curandom`: `rand`, and cuRAND's generators, whose numbers are compared with those of cuRAND's
library."""

from __future__ import annotations

import ctypes
import os

import cuox
import cuox.pycuda.autoinit
import numpy as np
import pytest
from cuox import _native
from cuox._internal import cuda_runtime
from cuox.pycuda import curandom, driver, gpuarray

# cuRAND brings NVIDIA's libcudart along where there is none. With that one no library of tests in other files works on
# the software GPU.
if _native.choice_report()["chosen"] == "soft":
    cuda_runtime.use_driver()

needs_curand = pytest.mark.skipif(curandom.get_curand_version() is None, reason="cuRAND is not installed")

PSEUDO = [curandom.XORWOWRandomNumberGenerator, curandom.MRG32k3aRandomNumberGenerator]
QUASI = [
    curandom.Sobol32RandomNumberGenerator,
    curandom.ScrambledSobol32RandomNumberGenerator,
    curandom.Sobol64RandomNumberGenerator,
    curandom.ScrambledSobol64RandomNumberGenerator,
]
SEED = 1234
# Constants of curand.h.
TYPES = {"XORWOW": 101, "MRG32k3a": 121, "Sobol32": 201, "ScrambledSobol32": 202}
LEGACY_ORDERING = 103
# Values of the sequences that cuRAND interleaves in this ordering.
SEQUENCES = 4096


def same_seed(count: int) -> gpuarray.GPUArray:
    return gpuarray.to_gpu(np.full(count, SEED, np.int32))


def count_of(generator: object) -> int:
    return generator.block_count * generator.generators_per_block  # type: ignore[attr-defined]


def numbers_of_library(kind: type, count: int, dimensions: int | None = None) -> np.ndarray:
    """Numbers that cuRAND's library makes on the host."""
    library = ctypes.CDLL(os.fspath(_native.find_library("curand")[0]))
    generator = ctypes.c_void_p()
    name = kind.__name__.removesuffix("RandomNumberGenerator")
    assert library.curandCreateGeneratorHost(ctypes.byref(generator), TYPES[name]) == 0
    if dimensions is None:
        assert library.curandSetPseudoRandomGeneratorSeed(generator, ctypes.c_ulonglong(SEED)) == 0
        assert library.curandSetGeneratorOrdering(generator, LEGACY_ORDERING) == 0
    else:
        assert library.curandSetQuasiRandomGeneratorDimensions(generator, dimensions) == 0
    numbers = np.empty(count, np.uint32)
    assert library.curandGenerate(generator, numbers.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(count)) == 0
    library.curandDestroyGenerator(generator)
    return numbers


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u4", "i8", "u8"])
def test_rand(dtype: str) -> None:
    np.random.seed(3)
    first = curandom.rand((251, 403), dtype).get()
    second = curandom.rand((251, 403), dtype).get()
    np.random.seed(3)
    again = curandom.rand((251, 403), dtype).get()
    assert first.dtype == np.dtype(dtype) and first.shape == (251, 403)
    assert np.array_equal(first, again) and not np.array_equal(first, second)
    # Uniform: moments, and all parts of the range.
    if first.dtype.kind == "f":
        assert first.min() >= 0 and first.max() < 1
        unit = first.astype("f8")
    else:
        info = np.iinfo(dtype)
        unit = (first.astype("f8") - info.min) / (float(info.max) - info.min)
    histogram = np.histogram(unit, 16, (0, 1))[0] / unit.size * 16
    assert abs(unit.mean() - 0.5) < 0.01 and abs(unit.var() - 1 / 12) < 0.01 and np.all(abs(histogram - 1) < 0.1)
    assert np.unique(first).size > 0.98 * first.size


def test_rand_has_no_correlation_of_neighbours() -> None:
    np.random.seed(5)
    values = curandom.rand(100_000, np.float64).get() - 0.5
    for distance in (1, 2, 3, 4, 1024):
        assert abs(np.mean(values[:-distance] * values[distance:])) < 0.002


def test_rand_of_few_and_none() -> None:
    assert curandom.rand(0).shape == (0,) and curandom.rand(()).shape == ()
    for size in range(1, 10):
        assert len(set(curandom.rand(size, np.uint32).get().tolist())) == size
    with pytest.raises(NotImplementedError, match="complex64"):
        curandom.rand(3, np.complex64)


def test_rand_in_a_stream() -> None:
    stream = driver.Stream()
    values = curandom.rand(1000, np.float32, stream=stream)
    stream.synchronize()
    assert 0.4 < values.get().mean() < 0.6


def test_philox_makes_the_published_numbers() -> None:
    # Random123's known answer for a counter and a key of zeros.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "randint", lambda *_, **__: np.int64(0))
        assert [f"{word:08x}" for word in curandom.rand(4, np.uint32).get()] == [
            "6627e8d5",
            "e169c58d",
            "bc57ac4c",
            "9b00dbd8",
        ]


@needs_curand
@pytest.mark.parametrize("kind", PSEUDO)
def test_pseudorandom_numbers_are_those_of_curand(kind: type) -> None:
    generator = kind(same_seed)
    count = count_of(generator)
    numbers = generator.gen_uniform(3 * count, np.uint32).get().reshape(3, count)
    compared = min(count, SEQUENCES)
    expected = numbers_of_library(kind, 3 * SEQUENCES).reshape(3, SEQUENCES)
    assert np.array_equal(numbers[:, :compared], expected[:, :compared])


@needs_curand
@pytest.mark.parametrize("kind", QUASI[:2])
def test_quasirandom_numbers_are_those_of_curand(kind: type) -> None:
    generator = kind()
    count = count_of(generator)
    numbers = generator.gen_uniform(5 * count, np.uint32).get().reshape(5, count)
    compared = min(count, 20000)
    assert np.array_equal(
        numbers[:, :compared], numbers_of_library(kind, 5 * compared, compared).reshape(compared, 5).T
    )


@needs_curand
@pytest.mark.parametrize("kind", QUASI)
def test_quasirandom_numbers_fill_each_dimension(kind: type) -> None:
    generator = kind()
    count = count_of(generator)
    wide = "64" in kind.__name__
    numbers = generator.gen_uniform((256, count), np.uint64 if wide else np.uint32).get()[:, :4096]
    # The first 256 numbers of a dimension have all leading bytes once.
    assert np.all(np.sort(numbers >> (56 if wide else 24), axis=0) == np.arange(256, dtype=numbers.dtype)[:, None])


@needs_curand
@pytest.mark.parametrize("kind", [*PSEUDO, QUASI[1], QUASI[3]])
def test_distributions(kind: type) -> None:
    generator = kind(same_seed) if kind in PSEUDO else kind()
    size = count_of(generator) * 32
    for dtype, tolerance in ((np.float32, 0.02), (np.float64, 0.02)):
        for number in (size, size - 1):
            uniform = generator.gen_uniform(number, dtype).get()
            assert 0 < uniform.min() and uniform.max() <= 1
            assert abs(uniform.mean() - 0.5) < tolerance and abs(uniform.std() - 12**-0.5) < tolerance
            normal = generator.gen_normal(number, dtype).get()
            assert abs(normal.mean()) < tolerance and abs(normal.std() - 1) < tolerance
            logarithms = np.log(generator.gen_log_normal(number, dtype, 1.5, 0.5).get())
            assert abs(logarithms.mean() - 1.5) < tolerance and abs(logarithms.std() - 0.5) < tolerance
    poisson = generator.gen_poisson(size, np.uint32, 4.0).get()
    assert poisson.dtype == np.uint32 and abs(poisson.mean() - 4) < 0.1 and abs(poisson.var() - 4) < 0.2
    for dtype in (np.float32, np.float64, np.uint32):
        means = gpuarray.to_gpu(np.repeat(np.array([2, 9], dtype), size // 2))
        generator.fill_poisson(means)
        halves = means.get().reshape(2, -1)
        assert np.all(abs(halves.mean(axis=1) - [2, 9]) < 0.2) and np.array_equal(halves, np.round(halves))


@needs_curand
@pytest.mark.parametrize("kind", PSEUDO)
def test_skipping_and_offsets(kind: type) -> None:
    reference = kind(same_seed)
    count = count_of(reference)
    numbers = reference.gen_uniform(4 * count, np.uint32).get().reshape(4, count)

    def next_numbers(generator: object) -> np.ndarray:
        return generator.gen_uniform(count, np.uint32).get()  # type: ignore[attr-defined,no-any-return]

    assert np.array_equal(next_numbers(kind(same_seed, offset=2)), numbers[2])
    generator = kind(same_seed)
    generator.call_skip_ahead(3)
    assert np.array_equal(next_numbers(generator), numbers[3])
    generator = kind(same_seed)
    skipped = np.arange(count) % 4
    generator.call_skip_ahead_array(gpuarray.to_gpu(skipped.astype(np.uint64)))
    assert np.array_equal(next_numbers(generator), numbers[skipped, np.arange(count)])
    # A sequence later is where the next generator is.
    for several in (False, True):
        generator = kind(same_seed)
        ahead = np.full(count, 1, np.uint64)
        if kind is PSEUDO[1]:
            # MRG32k3a's generators are a subsequence apart.
            if several:
                generator.call_skip_ahead_subsequence_array(gpuarray.to_gpu(ahead))
            else:
                generator.call_skip_ahead_subsequence(1)
        elif several:
            generator.call_skip_ahead_sequence_array(gpuarray.to_gpu(ahead))
        else:
            generator.call_skip_ahead_sequence(1)
        assert np.array_equal(next_numbers(generator)[:-1], numbers[0, 1:])


@needs_curand
@pytest.mark.parametrize("kind", QUASI)
def test_sobol_generators_skip(kind: type) -> None:
    dtype = np.uint64 if "64" in kind.__name__ else np.uint32
    reference = kind()
    count = count_of(reference)
    numbers = reference.gen_uniform((4, count), dtype).get()
    generator = kind(offset=1)
    assert np.array_equal(generator.gen_uniform(count, dtype).get(), numbers[1])
    generator.call_skip_ahead(1)
    assert np.array_equal(generator.gen_uniform(count, dtype).get(), numbers[3])
    generator = kind()
    generator.call_skip_ahead_array(gpuarray.to_gpu(np.full(count, 2, dtype)))
    assert np.array_equal(generator.gen_uniform(count, dtype).get(), numbers[2])


@needs_curand
def test_seeds() -> None:
    assert np.unique(curandom.seed_getter_uniform(50).get()).size == 1
    assert np.unique(curandom.seed_getter_unique(50).get()).size > 40
    for getter in (None, curandom.seed_getter_uniform, curandom.seed_getter_unique):
        first = curandom.XORWOWRandomNumberGenerator(getter).gen_uniform(500, np.uint32).get()
        second = curandom.XORWOWRandomNumberGenerator(getter).gen_uniform(500, np.uint32).get()
        assert not np.array_equal(first, second)


@needs_curand
def test_wrong_arguments() -> None:
    generator = curandom.XORWOWRandomNumberGenerator(same_seed)
    count = count_of(generator)
    with pytest.raises(NotImplementedError, match="fill_uniform.*uint64"):
        generator.gen_uniform(4, np.uint64)
    with pytest.raises(NotImplementedError, match="fill_normal.*int32"):
        generator.gen_normal(4, np.int32)
    with pytest.raises(NotImplementedError, match="fill_poisson.*float32"):
        generator.gen_poisson(4, np.float32, 2.0)
    with pytest.raises(TypeError, match=f"seed_getter must be a GPUArray of int32 and shape \\({count},\\)"):
        curandom.XORWOWRandomNumberGenerator(lambda n: gpuarray.to_gpu(np.zeros(n + 1, np.int32)))
    with pytest.raises(TypeError, match="got ndarray"):
        curandom.XORWOWRandomNumberGenerator(lambda n: np.zeros(n, np.int32))  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match="i must be a GPUArray of uint64"):
        generator.call_skip_ahead_array(gpuarray.to_gpu(np.zeros(count, np.uint32)))
    with pytest.raises(ValueError, match="negative"):
        generator.call_skip_ahead(-1)
    with pytest.raises(TypeError, match="dir_vector"):
        curandom.Sobol32RandomNumberGenerator(gpuarray.to_gpu(np.zeros((count, 31), np.uint32)))
    with pytest.raises(TypeError, match="scramble_vector"):
        curandom.ScrambledSobol64RandomNumberGenerator(None, gpuarray.to_gpu(np.zeros(count, np.uint32)))
    generator.fill_uniform(gpuarray.empty(0, np.float32))


@needs_curand
def test_tables_of_curand() -> None:
    version = curandom.get_curand_version()
    assert version is not None and version >= (10, 0, 0)
    sets = curandom.direction_vector_set
    first = curandom.generate_direction_vectors(3).get()
    assert first.shape == (3, 32) and first.dtype == np.uint32
    # The first dimension is van der Corput's sequence: one bit after the other.
    assert first[0].tolist() == [1 << bit for bit in range(31, -1, -1)]
    assert curandom.generate_direction_vectors(2, sets.VECTOR_64).get()[0].tolist() == [
        1 << bit for bit in range(63, -1, -1)
    ]
    assert curandom.generate_direction_vectors(2, sets.SCRAMBLED_VECTOR_64).get().shape == (2, 64)
    many = curandom.generate_direction_vectors(20003).get()
    assert np.array_equal(many[20000:], first)
    constants = curandom.generate_scramble_constants32(20001).get()
    assert constants.dtype == np.uint32 and constants[20000] == constants[0] != constants[1]
    assert curandom.generate_scramble_constants64(5).get().dtype == np.uint64


@needs_curand
def test_a_stream_is_used() -> None:
    stream = driver.Stream()
    generator = curandom.XORWOWRandomNumberGenerator(same_seed)
    values = generator.gen_normal(10_000, np.float32, stream=stream)
    stream.synchronize()
    assert abs(values.get().std() - 1) < 0.1


def test_without_curand_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from cuox.pycuda._curandom import library

    def missing(name: str) -> tuple[str, str]:
        raise cuox.NotFoundError(f"{name} not found", fix="pip install nvidia-curand")

    library._library.cache_clear()
    monkeypatch.setattr(_native, "find_library", missing)
    assert curandom.get_curand_version() is None
    with pytest.raises(cuox.NotFoundError, match="curand"):
        curandom.generate_direction_vectors(1)
    assert 0 <= curandom.rand(1).get()[0] < 1
    monkeypatch.undo()
    library._library.cache_clear()
