"""Random numbers on the device: `rand`, and the generators of cuRAND.

`rand` needs nothing else. The generators compile cuRAND's headers, and the Sobol generators take tables from its
library: `pip install nvidia-curand`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from . import gpuarray
from ._curandom import library
from ._curandom.generators import RandomNumberGenerator as _RandomNumberGeneratorBase
from ._curandom.generators import check_input
from ._curandom.kernels import UNIFORM_SOURCE, Generator
from ._curandom.library import direction_vector_set
from .compiler import SourceModule
from .tools import context_dependent_memoize

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .driver import Stream
    from .gpuarray import GPUArray

__all__ = [
    "MRG32k3aRandomNumberGenerator",
    "ScrambledSobol32RandomNumberGenerator",
    "ScrambledSobol64RandomNumberGenerator",
    "Sobol32RandomNumberGenerator",
    "Sobol64RandomNumberGenerator",
    "XORWOWRandomNumberGenerator",
    "direction_vector_set",
    "generate_direction_vectors",
    "generate_scramble_constants32",
    "generate_scramble_constants64",
    "get_curand_version",
    "rand",
    "seed_getter_uniform",
    "seed_getter_unique",
]

_SeedGetter: TypeAlias = "Callable[[int], GPUArray]"

_RAND_THREADS = 256
_RAND_BLOCKS = 4096
# The kernel for a dtype, and the numbers that a thread makes at a time.
_RAND_KERNELS = {
    "float32": ("uniform_float", 4),
    "float64": ("uniform_double", 2),
    "int32": ("uniform_int", 4),
    "uint32": ("uniform_int", 4),
    "int64": ("uniform_long", 2),
    "uint64": ("uniform_long", 2),
}


@context_dependent_memoize
def _rand_kernel(name: str) -> Any:
    return SourceModule(UNIFORM_SOURCE, no_extern_c=True).get_function(name)


def rand(shape: int | tuple[int, ...], dtype: DTypeLike = np.float32, stream: Stream | None = None) -> GPUArray:
    """Return an array of uniformly distributed random numbers.

    dtype: float32 or float64, in [0, 1); int32, uint32, int64 or uint64, over their whole range. stream: where the
    kernel runs; None is the default.

    The seed comes from `numpy.random`, so `numpy.random.seed` makes the numbers repeatable. The generator is
    Philox4x32-10. Raises NotImplementedError for other dtypes.
    """
    dtype = np.dtype(dtype)
    known = _RAND_KERNELS.get(dtype.name)
    if known is None:
        raise NotImplementedError(f"rand() makes {', '.join(_RAND_KERNELS)}, got dtype {dtype}")
    name, per_thread = known
    result = gpuarray.empty(shape, dtype)
    if result.size:
        blocks = min(_RAND_BLOCKS, -(-result.size // (_RAND_THREADS * per_thread)))
        seed = np.random.randint(0, 2**63 - 1, dtype=np.int64).astype(np.uint64)
        kernel = _rand_kernel(name)
        kernel(
            result.gpudata, np.uint64(result.size), seed, block=(_RAND_THREADS, 1, 1), grid=(blocks, 1), stream=stream
        )
    return result


def get_curand_version() -> tuple[int, int, int] | None:
    """Return cuRAND's version as (major, minor, patch); None if it is not installed."""
    return library.version()


def seed_getter_uniform(n: int) -> GPUArray:
    """Return `n` seeds as int32 that are all the same random number."""
    return gpuarray.to_gpu(np.full(n, random.randint(0, 2**31 - 1), np.int32))


def seed_getter_unique(n: int) -> GPUArray:
    """Return `n` random seeds as int32."""
    return gpuarray.to_gpu(np.random.randint(0, 2**31 - 1, n).astype(np.int32))


# --- Pseudorandom numbers


class _PseudoRandomNumberGeneratorBase(_RandomNumberGeneratorBase):
    has_box_muller = True

    def __init__(self, seed_getter: _SeedGetter | None = None, offset: int = 0) -> None:
        super().__init__()
        seed = (seed_getter or seed_getter_unique)(self._count)
        check_input("the result of seed_getter", seed, np.int32, (self._count,))
        self._prepare(offset, seed)

    def call_skip_ahead_sequence(self, i: int, stream: Stream | None = None) -> None:
        """Make every generator skip `i` sequences, of 2**67 numbers each (XORWOW; 2**127 for MRG32k3a)."""
        self._skip("skip_ahead_sequence", i, stream)

    def call_skip_ahead_sequence_array(self, i: GPUArray, stream: Stream | None = None) -> None:
        """Make each generator skip as many sequences as its element of `i`, of uint64, says."""
        self._skip_each("skip_ahead_sequence_array", i, stream)


class XORWOWRandomNumberGenerator(_PseudoRandomNumberGeneratorBase):
    """cuRAND's XORWOW generator of pseudorandom numbers, of 32 bits; period 2**192 - 2**32.

    seed_getter: called with the number of generators, returns a GPUArray of as many int32; None is
    `seed_getter_unique`. Generator k makes
        sequence k of its seed. offset: the number of values to skip in each sequence.
    """

    _generator = Generator("curandStateXORWOW", 32, "unsigned int", "v[id], id", pairs=True, skips=("_sequence",))


class MRG32k3aRandomNumberGenerator(_PseudoRandomNumberGeneratorBase):
    """cuRAND's MRG32k3a generator of pseudorandom numbers, of 32 bits; period about 2**191.

    seed_getter: called with the number of generators, returns a GPUArray of as many int32; None is
    `seed_getter_unique`. Generator k makes
        sequence k of its seed. offset: the number of values to skip in each sequence.
    """

    _generator = Generator(
        "curandStateMRG32k3a", 32, "unsigned int", "v[id], id", pairs=True, skips=("_sequence", "_subsequence")
    )

    def call_skip_ahead_subsequence(self, i: int, stream: Stream | None = None) -> None:
        """Make every generator skip `i` subsequences, of 2**76 numbers each."""
        self._skip("skip_ahead_subsequence", i, stream)

    def call_skip_ahead_subsequence_array(self, i: GPUArray, stream: Stream | None = None) -> None:
        """Make each generator skip as many subsequences as its element of `i`, of uint64, says."""
        self._skip_each("skip_ahead_subsequence_array", i, stream)


# --- Quasirandom numbers


def generate_direction_vectors(
    count: int, direction: direction_vector_set = direction_vector_set.VECTOR_32
) -> GPUArray:
    """Return the direction vectors of `count` dimensions: an array (count, 32) of uint32, or (count, 64) of uint64.

    There are vectors for 20 000 dimensions; after these they are repeated. Raises NotFoundError without cuRAND.
    """
    return gpuarray.to_gpu(library.direction_vectors(count, direction_vector_set(direction)))


def generate_scramble_constants32(count: int) -> GPUArray:
    """Return `count` scramble constants of 32 bits, for `ScrambledSobol32RandomNumberGenerator`. Raises NotFoundError
    without cuRAND.
    """
    return gpuarray.to_gpu(library.scramble_constants(count, 32))


def generate_scramble_constants64(count: int) -> GPUArray:
    """Return `count` scramble constants of 64 bits, for `ScrambledSobol64RandomNumberGenerator`. Raises NotFoundError
    without cuRAND.
    """
    return gpuarray.to_gpu(library.scramble_constants(count, 64))


class _SobolRandomNumberGeneratorBase(_RandomNumberGeneratorBase):
    _directions: direction_vector_set

    def __init__(self, dir_vector: GPUArray | None = None, offset: int = 0) -> None:
        super().__init__()
        self._prepare(offset, self._checked_directions(dir_vector))

    def _checked_directions(self, dir_vector: GPUArray | None) -> GPUArray:
        if dir_vector is None:
            return generate_direction_vectors(self._count, self._directions)
        check_input("dir_vector", dir_vector, self._directions.dtype, (self._count, self.generator_bits))
        return dir_vector


class _ScrambledSobolRandomNumberGeneratorBase(_SobolRandomNumberGeneratorBase):
    def __init__(
        self, dir_vector: GPUArray | None = None, scramble_vector: GPUArray | None = None, offset: int = 0
    ) -> None:
        _RandomNumberGeneratorBase.__init__(self)
        directions = self._checked_directions(dir_vector)
        if scramble_vector is None:
            scramble_vector = gpuarray.to_gpu(library.scramble_constants(self._count, self.generator_bits))
        else:
            check_input("scramble_vector", scramble_vector, self._directions.dtype, (self._count,))
        self._prepare(offset, directions, scramble_vector)


class Sobol32RandomNumberGenerator(_SobolRandomNumberGeneratorBase):
    """cuRAND's Sobol generator of quasirandom numbers, of 32 bits. Generator k makes the numbers of dimension k.

    dir_vector: a GPUArray of direction vectors, one for each generator; None takes cuRAND's. offset: the number of
    values to skip.
    """

    _generator = Generator("curandStateSobol32", 32, "curandDirectionVectors32_t", "v[id]", skip_type="unsigned int")
    _directions = direction_vector_set.VECTOR_32


class ScrambledSobol32RandomNumberGenerator(_ScrambledSobolRandomNumberGeneratorBase):
    """cuRAND's scrambled Sobol generator of quasirandom numbers, of 32 bits. Generator k makes the numbers of dimension
    k.

    dir_vector, scramble_vector: GPUArrays of direction vectors and scramble constants, one for each generator; None
    takes cuRAND's. offset: the number of values to skip.
    """

    _generator = Generator(
        "curandStateScrambledSobol32",
        32,
        "curandDirectionVectors32_t",
        "v[id], scramble[id]",
        "unsigned int",
        skip_type="unsigned int",
    )
    _directions = direction_vector_set.SCRAMBLED_VECTOR_32


class Sobol64RandomNumberGenerator(_SobolRandomNumberGeneratorBase):
    """cuRAND's Sobol generator of quasirandom numbers, of 64 bits. Generator k makes the numbers of dimension k.

    dir_vector: a GPUArray of direction vectors, one for each generator; None takes cuRAND's. offset: the number of
    values to skip.
    """

    _generator = Generator("curandStateSobol64", 64, "curandDirectionVectors64_t", "v[id]")
    _directions = direction_vector_set.VECTOR_64


class ScrambledSobol64RandomNumberGenerator(_ScrambledSobolRandomNumberGeneratorBase):
    """cuRAND's scrambled Sobol generator of quasirandom numbers, of 64 bits. Generator k makes the numbers of dimension
    k.

    dir_vector, scramble_vector: GPUArrays of direction vectors and scramble constants, one for each generator; None
    takes cuRAND's. offset: the number of values to skip.
    """

    _generator = Generator(
        "curandStateScrambledSobol64", 64, "curandDirectionVectors64_t", "v[id], scramble[id]", "unsigned long long"
    )
    _directions = direction_vector_set.SCRAMBLED_VECTOR_64
