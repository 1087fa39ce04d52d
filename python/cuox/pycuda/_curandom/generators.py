"""The common part of the generators of `cuox.pycuda.curandom`: states on the device, and the kernels that use them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import driver, gpuarray
from ..compiler import SourceModule
from ..tools import context_dependent_memoize
from .kernels import STATE_SIZE, Generator, source

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..driver import Function, Stream
    from ..gpuarray import GPUArray

__all__ = ["RandomNumberGenerator", "check_input"]


@context_dependent_memoize
def _module(generator: Generator) -> tuple[SourceModule, int]:
    """Return the module of a generator's kernels, and the bytes of a state."""
    module = SourceModule(source(generator), no_extern_c=True)
    address, _ = module.get_global(STATE_SIZE)
    size = np.empty(1, np.uint64)
    driver.memcpy_dtoh(size, address)
    return module, int(size[0])


def check_input(what: str, array: Any, dtype: DTypeLike, shape: tuple[int, ...]) -> None:
    """Raise TypeError unless an argument is a GPUArray of this dtype and shape."""
    expected = f"{what} must be a GPUArray of {np.dtype(dtype)} and shape {shape}"
    if not isinstance(array, gpuarray.GPUArray):
        raise TypeError(f"{expected}, got {type(array).__name__}")
    if array.dtype != dtype or array.size != np.prod(shape) or (len(shape) > 1 and array.shape != shape):
        raise TypeError(f"{expected}, got {array.dtype} and {array.shape}")


class RandomNumberGenerator:
    """A generator of random numbers on the device: each thread has a state of its own and makes every so-and-so-manieth
    number.

    `block_count` and `generators_per_block` are the numbers of blocks and of states for each; they depend on the
    device. Arrays are filled in the order of memory, and must be contiguous. `stream` is a driver Stream; None is the
    default stream.
    """

    _generator: Generator
    has_box_muller: bool = False

    def __init__(self) -> None:
        self.module, self._state_size = _module(self._generator)
        self.state_type = self._generator.state
        self.generator_bits = self._generator.bits
        device = driver.Context.get_device()
        self.block_count: int = device.get_attribute(driver.device_attribute.MULTIPROCESSOR_COUNT)
        self._functions: dict[str, Function] = {}

    @cached_property
    def generators_per_block(self) -> int:
        """The number of states for each block: as many threads as all kernels can have."""
        return min(int(self._function(name).max_threads_per_block) for name in self._kernel_names())

    @property
    def _count(self) -> int:
        return self.block_count * self.generators_per_block

    @cached_property
    def state(self) -> Any:
        """The device memory with the states."""
        return driver.mem_alloc(self._count * self._state_size)

    def _kernel_names(self) -> list[str]:
        names = ["prepare", "uniform_int", "uniform_float", "uniform_double", "normal_float", "normal_double"]
        names += ["normal_log_float", "normal_log_double", "poisson_int"]
        names += ["poisson_inplace_float", "poisson_inplace_double", "poisson_inplace_int"]
        if self._generator.bits == 64:
            names.append("uniform_long")
        if self._generator.pairs:
            names += ["normal_float2", "normal_double2", "normal_log_float2", "normal_log_double2"]
        for function in ("", *self._generator.skips):
            names += [f"skip_ahead{function}", f"skip_ahead{function}_array"]
        return names

    def _function(self, name: str) -> Function:
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self.module.get_function(name)
        return function

    def _launch(self, name: str, stream: Stream | None, *arguments: Any) -> None:
        function = self._function(name)
        function(
            self.state, *arguments, block=(self.generators_per_block, 1, 1), grid=(self.block_count, 1), stream=stream
        )

    def _prepare(self, offset: int, *tables: GPUArray) -> None:
        """Initialise the states. Waits for it, since the tables are needed until then, and so that a failure shows
        here.
        """
        self._launch("prepare", None, np.uint64(self._count), *(table.gpudata for table in tables), np.uint64(offset))
        driver.Context.synchronize()

    def _fill(self, name: str, data: GPUArray, stream: Stream | None, *arguments: Any, pairs: bool = False) -> None:
        if not isinstance(data, gpuarray.GPUArray):
            raise TypeError(f"data must be a GPUArray, got {type(data).__name__}; gpuarray.empty() makes one")
        if not data.flags.forc:
            raise ValueError(
                "random numbers are written into contiguous arrays only; fill a new array, and copy it with data[...] = new"
            )
        size = data.size
        if size == 0:
            return
        # Box and Muller's method makes two normal numbers at a time.
        if pairs and self._generator.pairs and size % 2 == 0:
            name += "2"
            size //= 2
        self._launch(name, stream, data.gpudata, *arguments, np.uint64(size))

    def _kernel_for(self, data: GPUArray, method: str, kernels: dict[str, str]) -> str:
        kernel = kernels.get(data.dtype.name)
        if kernel is None:
            raise NotImplementedError(
                f"{type(self).__name__}.{method}() makes {', '.join(kernels)}; the array's dtype is {data.dtype}"
            )
        return kernel

    def fill_uniform(self, data: GPUArray, stream: Stream | None = None) -> None:
        """Fill an array with uniformly distributed numbers: float32 and float64 in (0, 1], integers over their whole
        range.

        int64 and uint64 need a generator of 64 bits. Raises NotImplementedError for other dtypes.
        """
        kernels = {
            "float32": "uniform_float",
            "float64": "uniform_double",
            "int32": "uniform_int",
            "uint32": "uniform_int",
        }
        if self._generator.bits == 64:
            kernels |= {"int64": "uniform_long", "uint64": "uniform_long"}
        self._fill(self._kernel_for(data, "fill_uniform", kernels), data, stream)

    def fill_normal(self, data: GPUArray, stream: Stream | None = None) -> None:
        """Fill an array of float32 or float64 with normally distributed numbers of mean 0 and standard deviation 1."""
        name = self._kernel_for(data, "fill_normal", {"float32": "normal_float", "float64": "normal_double"})
        self._fill(name, data, stream, pairs=True)

    def fill_log_normal(self, data: GPUArray, mean: float, stddev: float, stream: Stream | None = None) -> None:
        """Fill an array of float32 or float64 with numbers whose logarithms are normally distributed. mean, stddev: of
        the logarithms.
        """
        name = self._kernel_for(
            data, "fill_log_normal", {"float32": "normal_log_float", "float64": "normal_log_double"}
        )
        scalar = data.dtype.type
        self._fill(name, data, stream, scalar(mean), scalar(stddev), pairs=True)

    def fill_poisson(self, data: GPUArray, lambda_value: float | None = None, stream: Stream | None = None) -> None:
        """Fill an array with Poisson distributed numbers.

        lambda_value: the mean, for an array of uint32; None takes each element for the mean of the number that replaces
        it, in an array of uint32,
            float32 or float64.
        """
        if lambda_value is None:
            kernels = {
                "float32": "poisson_inplace_float",
                "float64": "poisson_inplace_double",
                "uint32": "poisson_inplace_int",
            }
            self._fill(self._kernel_for(data, "fill_poisson", kernels), data, stream)
        else:
            name = self._kernel_for(data, "fill_poisson", {"uint32": "poisson_int"})
            self._fill(name, data, stream, np.float64(lambda_value))

    def gen_uniform(self, shape: int | tuple[int, ...], dtype: DTypeLike, stream: Stream | None = None) -> GPUArray:
        """Return a new array of uniformly distributed numbers, as `fill_uniform` makes them."""
        result = gpuarray.empty(shape, dtype)
        self.fill_uniform(result, stream)
        return result

    def gen_normal(self, shape: int | tuple[int, ...], dtype: DTypeLike, stream: Stream | None = None) -> GPUArray:
        """Return a new array of normally distributed numbers, as `fill_normal` makes them."""
        result = gpuarray.empty(shape, dtype)
        self.fill_normal(result, stream)
        return result

    def gen_log_normal(
        self, shape: int | tuple[int, ...], dtype: DTypeLike, mean: float, stddev: float, stream: Stream | None = None
    ) -> GPUArray:
        """Return a new array of log-normally distributed numbers, as `fill_log_normal` makes them."""
        result = gpuarray.empty(shape, dtype)
        self.fill_log_normal(result, mean, stddev, stream)
        return result

    def gen_poisson(
        self, shape: int | tuple[int, ...], dtype: DTypeLike, lambda_value: float, stream: Stream | None = None
    ) -> GPUArray:
        """Return a new array of Poisson distributed numbers of mean `lambda_value`; dtype must be uint32."""
        result = gpuarray.empty(shape, dtype)
        self.fill_poisson(result, lambda_value, stream)
        return result

    def call_skip_ahead(self, i: int, stream: Stream | None = None) -> None:
        """Make every generator skip `i` numbers."""
        self._skip("skip_ahead", i, stream)

    def call_skip_ahead_array(self, i: GPUArray, stream: Stream | None = None) -> None:
        """Make each generator skip as many numbers as its element of `i` says; of uint64 (uint32 for the Sobol
        generators of 32 bits).
        """
        self._skip_each("skip_ahead_array", i, stream)

    def _skip(self, name: str, i: int, stream: Stream | None) -> None:
        if i < 0:
            raise ValueError(f"the number to skip must not be negative, got {i}")
        self._launch(name, stream, np.uint64(self._count), self._skip_dtype.type(i))

    def _skip_each(self, name: str, i: GPUArray, stream: Stream | None) -> None:
        # Signed integers have the same bits.
        signed = np.dtype(self._skip_dtype.str.replace("u", "i"))
        check_input(
            "i",
            i,
            signed if isinstance(i, gpuarray.GPUArray) and i.dtype == signed else self._skip_dtype,
            (self._count,),
        )
        self._launch(name, stream, np.uint64(self._count), i.gpudata)

    @property
    def _skip_dtype(self) -> np.dtype[Any]:
        return np.dtype(np.uint32 if self._generator.skip_type == "unsigned int" else np.uint64)
