"""Tools around kernels and contexts: arguments and C types, memoisation by context, default contexts, occupancy, memory
pools.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from . import driver
from ._driver import start
from ._driver.pools import (
    DeviceMemoryPool,
    PageLockedAllocator,
    PageLockedMemoryPool,
    bitlog2,
)
from ._driver.start import make_default_context
from .compyte.dtypes import (
    _fill_dtype_registry,
    get_or_register_dtype,
    parse_c_arg_backend,
    register_dtype,
)
from .compyte.dtypes import dtype_to_ctype as base_dtype_to_ctype

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ._debug_memory_pool import DebugMemoryPool

__all__ = [
    "Argument",
    "DebugMemoryPool",
    "DeviceData",
    "DeviceMemoryPool",
    "OccupancyRecord",
    "PageLockedAllocator",
    "PageLockedMemoryPool",
    "ScalarArg",
    "VectorArg",
    "base_dtype_to_ctype",
    "bitlog2",
    "clear_context_caches",
    "context_dependent_memoize",
    "dtype_to_ctype",
    "get_arg_type",
    "get_default_device",
    "get_or_register_dtype",
    "init_cuda_context_fixture",
    "make_default_context",
    "mark_cuda_test",
    "parse_c_arg",
    "register_dtype",
]

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_fill_dtype_registry(respect_windows=True)
get_or_register_dtype("pycuda::complex<float>", np.complex64)
get_or_register_dtype("pycuda::complex<double>", np.complex128)


# --- C types and arguments


class Argument:
    """An argument of a kernel: `dtype` and `name`. `ScalarArg` and `VectorArg` are its kinds."""

    def __init__(self, dtype: DTypeLike, name: str) -> None:
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.name = name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.dtype})"


class VectorArg(Argument):
    """An argument that points to elements: an array. `struct_char` is its letter for `Function.prepare`."""

    struct_char = "P"

    def declarator(self) -> str:
        """Return the declaration in C: `float *x`."""
        return f"{dtype_to_ctype(self.dtype)} *{self.name}"


class ScalarArg(Argument):
    """An argument that is one value."""

    def declarator(self) -> str:
        """Return the declaration in C: `float a`."""
        return f"{dtype_to_ctype(self.dtype)} {self.name}"

    @property
    def struct_char(self) -> str:
        """The letter of `struct` (and of `Function.prepare`) for the value; `16s` for a structure of 16 bytes."""
        char: str = self.dtype.char
        return f"{self.dtype.itemsize}s" if char == "V" else char


_TEXTURE_TYPES = {"f": "fp_tex_float", "d": "fp_tex_double", "F": "fp_tex_cfloat", "D": "fp_tex_cdouble"}


def dtype_to_ctype(dtype: DTypeLike, with_fp_tex_hack: bool = False) -> str:
    """Return the C type of a dtype: `float` for float32.

    with_fp_tex_hack: give the names that PyCUDA's texture helpers had for floating-point types.

    Raises ValueError if no C type is registered for it.
    """
    if dtype is None:
        raise ValueError("dtype may not be None")
    if with_fp_tex_hack:
        texture_type = _TEXTURE_TYPES.get(np.dtype(dtype).char)
        if texture_type is not None:
            return texture_type
    return base_dtype_to_ctype(dtype)


def parse_c_arg(c_arg: str) -> ScalarArg | VectorArg:
    """Parse the declaration of an argument: `float *x` is a VectorArg, `int n` a ScalarArg. Raises ValueError."""
    make: Callable[..., ScalarArg | VectorArg] = ScalarArg
    return parse_c_arg_backend(c_arg, make, VectorArg)


def get_arg_type(c_arg: str) -> str:
    """Return the letter for `Function.prepare` of an argument's declaration."""
    return parse_c_arg(c_arg).struct_char


# --- Memoisation by context

_caches: list[dict[Any, dict[Any, Any]]] = []


def context_dependent_memoize(func: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Keep a function's results for each context and each set of arguments, which must be hashable.

    `clear_context_caches` forgets them.
    """
    cache: dict[Any, dict[Any, Any]] = {}
    _caches.append(cache)

    @functools.wraps(func)
    def memoized(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        key = (args, frozenset(kwargs.items())) if kwargs else args
        context = driver.Context.get_current()
        try:
            result: _Result = cache[context][key]
        except KeyError:
            result = func(*args, **kwargs)
            cache.setdefault(context, {})[key] = result
        return result

    return memoized


def clear_context_caches() -> None:
    """Forget all results that `context_dependent_memoize` keeps, and so the modules in them."""
    for cache in _caches:
        cache.clear()


# --- Devices and contexts


def get_default_device(default: int = 0) -> driver.Device:
    """Return the device that CUDA_DEVICE or ~/.cuda_device names, else device `default` (deprecated: use
    `make_default_context`).
    """
    import warnings

    warnings.warn(
        "get_default_device() is deprecated; use make_default_context() instead", DeprecationWarning, stacklevel=2
    )
    chosen = start._chosen()
    return driver.Device(default if chosen is None else int(chosen[0]))


# --- Occupancy


def _ceil_to(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


class DeviceData:
    """The limits of a device that occupancy depends on.

    dev: a Device; None is the current context's.

    `registers` and `shared_memory` (bytes) are for a block, `registers_per_mp`, `shared_memory_per_mp`, `warps_per_mp`
    and `thread_blocks_per_mp` for a multiprocessor. Programming guide, *Technical Specifications per Compute
    Capability*.
    """

    def __init__(self, dev: driver.Device | None = None) -> None:
        if dev is None:
            dev = driver.Context.get_device()
        attribute = driver.device_attribute
        get = dev.get_attribute
        self.max_threads: int = get(attribute.MAX_THREADS_PER_BLOCK)
        self.warp_size: int = get(attribute.WARP_SIZE)
        self.warps_per_mp: int = get(attribute.MAX_THREADS_PER_MULTIPROCESSOR) // self.warp_size
        self.thread_blocks_per_mp: int = get(attribute.MAX_BLOCKS_PER_MULTIPROCESSOR)
        self.registers: int = get(attribute.MAX_REGISTERS_PER_BLOCK)
        self.registers_per_mp: int = get(attribute.MAX_REGISTERS_PER_MULTIPROCESSOR)
        self.shared_memory: int = get(attribute.MAX_SHARED_MEMORY_PER_BLOCK)
        self.shared_memory_per_mp: int = get(attribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)
        self.reserved_shared_memory: int = get(attribute.RESERVED_SHARED_MEMORY_PER_BLOCK)
        self.smem_alloc_granularity = 128
        self.smem_granularity = 32
        self.register_allocation_unit = "warp"

    def align(self, bytes: int, word_size: int = 4) -> int:
        """Round bytes up, so that rows of words of `word_size` bytes (4, 8 or 16) begin where a warp's accesses are
        coalesced.
        """
        return _ceil_to(bytes, self.align_bytes(word_size))

    def align_dtype(self, elements: int, dtype_size: int) -> int:
        """Round a number of elements up, as `align` does for bytes."""
        return _ceil_to(elements, self.align_words(dtype_size))

    def align_words(self, word_size: int) -> int:
        """Return how many words of `word_size` bytes `align_bytes` is."""
        return self.align_bytes(word_size) // word_size

    def align_bytes(self, word_size: int = 4) -> int:
        """Return the alignment in bytes for words of 4, 8 or 16 bytes."""
        if word_size == 4:
            return 64
        if word_size in (8, 16):
            return 128
        raise ValueError(f"word_size must be 4, 8 or 16, got {word_size}")

    def coalesce(self, thread_count: int) -> int:
        """Round a number of threads up to whole half-warps."""
        return _ceil_to(thread_count, 16)

    @staticmethod
    def make_valid_tex_channel_count(size: int) -> int:
        """Return the number of channels that a texture needs for `size` values: 1, 2 or 4."""
        for channels in (1, 2, 4):
            if size <= channels:
                return channels
        raise ValueError(f"a texture has at most 4 channels, got {size}")


# Registers come to a warp in units of 256, and each of the four parts of a multiprocessor has its own.
_REGISTER_UNIT = 256
_MULTIPROCESSOR_PARTS = 4


class OccupancyRecord:
    """How many blocks of a kernel a multiprocessor holds at a time.

    devdata: DeviceData. threads: threads of a block. shared_mem: bytes of shared memory of a block. registers:
    registers of a thread.

    `tb_per_mp` is the number of blocks, `limited_by` what limits it ("device", "warps", "regs" or "smem"),
    `warps_per_mp` the number of warps, `occupancy` that number divided by the most that there can be. Raises ValueError
    if not even one block fits.
    """

    def __init__(self, devdata: DeviceData, threads: int, shared_mem: int = 0, registers: int = 0) -> None:
        if threads < 1:
            raise ValueError(f"threads must be at least 1, got {threads}")
        if threads > devdata.max_threads:
            raise ValueError(f"too many threads: a block has at most {devdata.max_threads}, got {threads}")
        warps = _ceil_to(threads, devdata.warp_size) // devdata.warp_size
        registers_of_warp = _ceil_to(registers * devdata.warp_size, _REGISTER_UNIT)
        registers_of_block = _ceil_to(warps, _MULTIPROCESSOR_PARTS) * registers_of_warp
        if registers_of_block > devdata.registers:
            raise ValueError(
                f"too many registers: a block has at most {devdata.registers}, {threads} threads of {registers} take {registers_of_block}"
            )
        if shared_mem > devdata.shared_memory:
            raise ValueError(
                f"too much shared memory: a block has at most {devdata.shared_memory} bytes, got {shared_mem}"
            )

        self.tb_per_mp_limits: list[tuple[int, str]] = [
            (devdata.thread_blocks_per_mp, "device"),
            (devdata.warps_per_mp // warps, "warps"),
        ]
        if registers > 0:
            warps_of_part = devdata.registers_per_mp // _MULTIPROCESSOR_PARTS // registers_of_warp
            self.tb_per_mp_limits.append((warps_of_part * _MULTIPROCESSOR_PARTS // warps, "regs"))
        if shared_mem > 0:
            bytes_of_block = _ceil_to(shared_mem + devdata.reserved_shared_memory, devdata.smem_alloc_granularity)
            self.tb_per_mp_limits.append((devdata.shared_memory_per_mp // bytes_of_block, "smem"))
        self.tb_per_mp, self.limited_by = min(self.tb_per_mp_limits)
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp


# --- Tests


def mark_cuda_test(inner_f: Callable[_Parameters, _Result]) -> Callable[_Parameters, None]:
    """Run a test function in a context of its own, made by `make_default_context`; for pytest and others."""

    @functools.wraps(inner_f)
    def run_in_context(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> None:
        fixture = init_cuda_context_fixture()
        next(fixture)
        try:
            inner_f(*args, **kwargs)
        finally:
            for _ in fixture:
                pass

    return run_in_context


def init_cuda_context_fixture() -> Iterator[None]:
    """Make a context for a test, and drop it afterwards: `yield from` it in a pytest fixture."""
    import gc

    driver.init()
    context = make_default_context()
    try:
        yield
    finally:
        # Collected first, while its context is current, garbage frees its memory in it.
        clear_context_caches()
        gc.collect()
        context.pop()
        gc.collect()


def __getattr__(name: str) -> Any:
    # Few programs use it, so it is imported when first used.
    if name == "DebugMemoryPool":
        from ._debug_memory_pool import DebugMemoryPool

        return DebugMemoryPool
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
