"""Functions: the kernels of a module, with the ways in which they are launched."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NoReturn

import numpy as np

import cuox
from cuox import _native

from . import errors
from .arguments import adapted
from .bindings import driver as _bindings
from .context import Context
from .enums import function_attribute
from .errors import LogicError, call
from .streams import Event

__all__ = ["Function"]

_REMOVED = "texture references do not exist any more since CUDA 12: pass a texture object (cuTexObjectCreate of cuox.cuda.bindings.driver) as an argument"


def _raise(error: BaseException, args: tuple[Any, ...]) -> NoReturn:
    if isinstance(error, TypeError) and "invalid type on parameter" not in str(error):
        found = _refused(args)
        if found is not None:
            raise TypeError(f"invalid type on parameter #{found} (0-based): {error}") from None
    errors.raise_translated(error)


def _refused(args: tuple[Any, ...]) -> int | None:
    """Returns the number of the first argument that is no value of any kernel's."""
    for index, argument in enumerate(args):
        if isinstance(argument, (str, list, tuple, dict, set)):
            return index
    return None


class _Attribute:
    """An attribute of a kernel. A `__getattr__` would make each call of a method slower."""

    def __init__(self, attribute: function_attribute, doc: str) -> None:
        self.attribute = attribute
        self.__doc__ = doc

    def __get__(self, function: Function | None, owner: type) -> Any:
        return self if function is None else function.get_attribute(self.attribute)


class Function(_native._Function):
    """A kernel of a module: `function(*args, block=(x, y, z), grid=(x, y), stream=None, shared=0, time_kernel=False)`.

    args: numbers, memory (DeviceAllocation, GPUArray, addresses, whatever has `__cuda_array_interface__`), arrays in
    `In`, `Out` or `InOut`, and bytes, records and small arrays of NumPy for structures. The kernel's declaration
    decides what fits. block: the threads of a block in x, y and z. grid: the blocks in x, y and z. shared: the dynamic
    shared memory of a block, in bytes. time_kernel: wait for the kernel and return its time in seconds.

    Attributes of the kernel are Python attributes, in lower case: `function.num_regs`. Driver API manual,
    `cuLaunchKernel`.
    """

    texrefs: Sequence[Any] = ()
    arg_format: str | None = None

    def _call_slowly(
        self,
        *args: Any,
        grid: Any = (1, 1),
        stream: Any = None,
        block: Any = None,
        shared: Any = 0,
        texrefs: Sequence[Any] = (),
        time_kernel: bool = False,
        **unknown: Any,
    ) -> float | None:
        if unknown:
            raise ValueError(
                f"{self.kernel.name}: extra keyword arguments: {', '.join(unknown)}: expected block, grid, stream, shared, texrefs, time_kernel"
            )
        if block is None:
            raise ValueError(f"{self.kernel.name}: must specify block size: block=(x, y, z), the threads of a block")
        if time_kernel and stream is not None:
            raise LogicError(
                "time_kernel: a launch in a stream returns before the kernel is done: use two Events, or no stream"
            )
        for texref in texrefs:
            self.param_set_texref(texref)
        made, handlers = adapted(args)
        for handler in handlers:
            handler.pre_call(stream)
        after: list[Callable[[Any], None]] = [
            handler.post_call for handler in handlers if hasattr(handler, "post_call")
        ]
        start = 0.0
        if time_kernel:
            Context.synchronize()
            start = perf_counter()
        try:
            self._launch(made, grid, block, stream, shared or None)
        except Exception as error:
            _raise(error, args)
        if stream is None and (after or time_kernel):
            Context.synchronize()
        elapsed = perf_counter() - start
        for copy_back in after:
            copy_back(stream)
        return elapsed if time_kernel else None

    def _call_failed(self, error: BaseException, args: tuple[Any, ...], kwargs: dict[str, Any]) -> float | None:
        """Tries once more where the arguments can be taken in another way, else raises the driver's exception."""
        if isinstance(error, TypeError):
            made, handlers = adapted(args)
            if handlers or any(a is not b for a, b in zip(made, args)):
                return self._call_slowly(*args, **kwargs)
            made = self._untyped(args)
            if any(a is not b for a, b in zip(made, args)):
                return self._call_slowly(*made, **kwargs)
        _raise(error, args)

    def prepare(
        self, arg_types: Sequence[Any], block: Any = None, shared: Any = None, texrefs: Sequence[Any] = ()
    ) -> Function:
        """Say of what types the arguments of `prepared_call` and its like are.

        arg_types: a text as for Python's `struct` module ("PPif"), or a sequence of such texts and NumPy's types;
        anything else in it stands for an address.

        Returns the function itself.
        """
        if block is not None or shared is not None:
            raise LogicError(
                "prepare: block and shared are given with each call since PyCUDA 2013: prepared_call(grid, block, *args, shared_size=)"
            )
        for texref in texrefs:
            self.param_set_texref(texref)
        letters = []
        for kind in arg_types:
            if isinstance(kind, str):
                letters.append(kind)
            elif isinstance(kind, np.dtype) or (isinstance(kind, type) and issubclass(kind, np.generic)):
                letters.append(np.dtype(kind).char)
            else:
                letters.append("P")
        self.arg_format = "".join(letters)
        return self

    def _prepared_failed(
        self, error: BaseException, args: tuple[Any, ...], grid: Any, block: Any, stream: Any, shared: Any
    ) -> None:
        """Tries a prepared call once more, with the arguments converted as `prepare` said."""
        if isinstance(error, TypeError) and self.arg_format is not None:
            plain, handlers = adapted(args)
            if handlers:
                raise TypeError(
                    f"{self.kernel.name}: prepared calls copy no arrays: pass device memory, or call the function itself with In, Out and InOut"
                )
            try:
                made = self._untyped(_by_format(self.arg_format, plain), any_size=True)
            except struct.error as other:
                raise TypeError(
                    f"{self.kernel.name}: the arguments do not fit the format {self.arg_format!r} that was prepared: {other}"
                ) from None
            try:
                return self._launch(made, grid, block, stream, shared)
            except TypeError:
                # The first error is about what the user has passed.
                pass
            except cuox.CUDAError as other:
                errors.raise_translated(other)
        _raise(error, args)

    def prepared_timed_call(self, grid: Any, block: Any, *args: Any, shared_size: int = 0) -> Callable[[], float]:
        """Launch the kernel in the default stream, between two events.

        Returns a function that waits for the kernel and returns its time in seconds. The rest is as for
        `prepared_call`.
        """
        start, end = Event(), Event()
        start.record()
        self.prepared_call(grid, block, *args, shared_size=shared_size)
        end.record()

        def get_call_time() -> float:
            end.synchronize()
            return end.time_since(start) * 1e-3

        return get_call_time

    def get_attribute(self, attribute: int) -> int:
        """Return an attribute of the kernel, a member of `function_attribute`. Driver API manual,
        `cuKernelGetAttribute`.
        """
        return int(
            call(
                "cuKernelGetAttribute",
                _bindings.CUfunction_attribute(int(attribute)),
                self.kernel.handle,
                self.kernel.device.device_id,
            )
        )

    def set_attribute(self, attribute: int, value: int) -> None:
        """Set an attribute of the kernel, a member of `function_attribute`. Driver API manual,
        `cuKernelSetAttribute`."""
        call(
            "cuKernelSetAttribute",
            _bindings.CUfunction_attribute(int(attribute)),
            value,
            self.kernel.handle,
            self.kernel.device.device_id,
        )

    def set_cache_config(self, config: int) -> None:
        """Set the preferred use of the L1 cache, a member of `func_cache`. Driver API manual,
        `cuKernelSetCacheConfig`."""
        call(
            "cuKernelSetCacheConfig",
            self.kernel.handle,
            _bindings.CUfunc_cache(int(config)),
            self.kernel.device.device_id,
        )

    def set_shared_config(self, config: int) -> None:
        """Set the width of shared memory's banks, a member of `shared_config`; today's devices have one width."""
        call(
            "cuFuncSetSharedMemConfig",
            call("cuKernelGetFunction", self.kernel.handle),
            _bindings.CUsharedconfig(int(config)),
        )

    def param_set_texref(self, texref: Any) -> None:
        """Raise LogicError: texture references do not exist any more; texture objects are arguments of the kernel."""
        raise LogicError(f"{self.kernel.name}: {_REMOVED}")

    max_threads_per_block = _Attribute(
        function_attribute.MAX_THREADS_PER_BLOCK, "The most threads that a block of this kernel may have."
    )
    shared_size_bytes = _Attribute(
        function_attribute.SHARED_SIZE_BYTES, "Bytes of shared memory of a block that the kernel declares."
    )
    const_size_bytes = _Attribute(function_attribute.CONST_SIZE_BYTES, "Bytes of constant memory that the kernel uses.")
    local_size_bytes = _Attribute(function_attribute.LOCAL_SIZE_BYTES, "Bytes of local memory of a thread.")
    num_regs = _Attribute(function_attribute.NUM_REGS, "Registers of a thread.")
    ptx_version = _Attribute(
        function_attribute.PTX_VERSION, "The PTX version that the kernel was compiled for, times ten."
    )
    binary_version = _Attribute(
        function_attribute.BINARY_VERSION, "The compute capability that the kernel was compiled for, times ten."
    )
    cache_mode_ca = _Attribute(
        function_attribute.CACHE_MODE_CA, "1 if the kernel was compiled to keep global loads in the L1 cache."
    )
    max_dynamic_shared_size_bytes = _Attribute(
        function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, "The most bytes of dynamic shared memory of a block."
    )
    preferred_shared_memory_carveout = _Attribute(
        function_attribute.PREFERRED_SHARED_MEMORY_CARVEOUT,
        "The preferred share of shared memory in percent; -1 for none.",
    )


def _by_format(text: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Converts arguments to what a format of `struct` says of each of them."""
    made: list[Any] = []
    rest = list(args)
    count = ""
    for letter in text:
        if letter in "@=<>! ":
            continue
        if letter.isdigit():
            count += letter
            continue
        for _ in range(1 if letter == "s" else int(count or 1)):
            if not rest:
                raise struct.error(f"{len(args)} arguments are too few")
            value = rest.pop(0)
            if letter == "P":
                # An array itself is used in order, and held.
                made.append(value if isinstance(value, cuox.Array) else int(value))
            elif letter == "F" or letter == "D":
                made.append(np.dtype(letter).type(value))
            elif letter == "s":
                made.append(struct.pack(f"{count}s", bytes(value)))
            else:
                made.append(struct.pack(letter, value))
        count = ""
    if rest:
        raise struct.error(f"{len(args)} arguments are too many")
    return tuple(made)
