"""The class `GPUArray`."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self, TypeAlias, cast

import numpy as np

import cuox
from cuox import Array, Buffer, _native

from .. import driver
from .._driver.errors import raise_translated
from ..compyte.array import ArrayFlags
from . import indexing, reductions, textures, ufuncs
from .memory import memory_of
from .numpy_functions import FUNCTIONS
from .private_names import PrivateNames
from .splaying import splay

if TYPE_CHECKING:
    import numpy.typing as npt

Allocator: TypeAlias = Callable[[int], Any]
Order: TypeAlias = Literal["C", "F"]


class GPUArray(PrivateNames, _native._ArithmeticArray):
    """An array in device memory with NumPy's arithmetic: operators and functions work element by element, and
    broadcast.

    shape: an int or ints. dtype: the NumPy type of the elements.
    allocator: called with a number of bytes for the memory; `driver.mem_alloc` and None take memory from cuox's pool.
    gpudata: memory that is there: what an allocator has returned, or an address; `base` is kept alive with it.
    strides: bytes from one element to the next along each dimension. order: "C" or "F", without strides.

    Views (`a[1:, ::2]`, `a.T`) share the memory. A kernel takes an array itself, or its `gpudata`. Methods without a
    `stream` work in the order of the default stream.
    """

    __array_priority__ = 100
    # An own allocator, and what it has returned: only in arrays that were made with one.
    _given_allocator: Allocator | None = None
    _given_memory: Any = None
    _given_base: Any = None

    def __new__(
        cls,
        shape: Any,
        dtype: npt.DTypeLike,
        allocator: Allocator | None = None,
        base: Any = None,
        gpudata: Any = None,
        strides: Sequence[int] | None = None,
        order: Order = "C",
    ) -> Self:
        """Make an array of new memory, or of memory that is there."""
        if isinstance(shape, np.ndarray):
            shape = shape.tolist()
        elif not isinstance(shape, tuple) and not hasattr(shape, "__index__"):
            if not isinstance(shape, Iterable):
                raise TypeError(f"shape: expected an int or a tuple of ints, got {type(shape).__name__}")
            shape = tuple(shape)
        if strides is not None:
            strides = tuple(operator.index(stride) for stride in strides)
        if order not in ("C", "F"):
            raise ValueError(f'order must be "C" or "F", got {order!r}')
        dtype = np.dtype(dtype)
        if gpudata is None and (allocator is None or allocator is driver.mem_alloc):
            if base is not None:
                raise TypeError("GPUArray(): base is what gpudata belongs to; gpudata is missing")
            return cls._in_new_memory(shape, dtype, strides, order)
        layout = _Layout(shape, dtype, strides, order)
        if gpudata is not None:
            self: Self = layout.array(cls, gpudata, base)
            self._given_base = base
        else:
            assert allocator is not None
            gpudata = allocator(layout.bytes) if layout.bytes else None
            self = layout.array(cls, gpudata, None, from_start=True)
        if allocator is not None and allocator is not driver.mem_alloc:
            self._given_allocator = allocator
        self._given_memory = gpudata
        return self

    @classmethod
    def _in_new_memory(cls, shape: Any, dtype: Any, strides: Sequence[int] | None, order: Order) -> Self:
        try:
            if strides is None:
                return super().__new__(cls, shape, dtype, order=order)
            layout = _Layout(shape, dtype, strides, order)
            bytes_ = super().__new__(cls, (max(layout.bytes, 1),), np.dtype(np.uint8))
        except cuox.CUDAError as error:
            raise_translated(error)
        return super().__new__(
            cls, layout.shape, dtype, buffer=bytes_.buffer, offset=-layout.low, strides=layout.strides
        )

    # --- Memory

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The CUDA Array Interface, version 3, with the strides of every array and no stream to wait for."""
        return {**super().__cuda_array_interface__, "strides": self.strides, "stream": None}

    @property
    def allocator(self) -> Allocator:
        """The function that memory for results is taken from."""
        return self._own_allocator or cast("Allocator", driver.mem_alloc)

    @allocator.setter
    def allocator(self, allocator: Allocator | None) -> None:
        self._given_allocator = None if allocator is driver.mem_alloc else allocator

    @property
    def _own_allocator(self) -> Allocator | None:
        if self._given_allocator is None:
            base = Array.base.__get__(self)
            # Views are made by the class below, which knows of no allocators.
            if type(base) is type(self):
                return base._own_allocator
        return self._given_allocator

    def _allocated_like(self, shape: tuple[int, ...], dtype: Any, order: str) -> GPUArray:
        """Make an array of this one's allocator, of this one's order for "K"."""
        strides = _strides_like(self, dtype.itemsize) if order == "K" else None
        return GPUArray(
            shape, dtype, self._own_allocator, strides=strides, order="C" if order == "K" else cast("Order", order)
        )

    @property
    def base(self) -> Any:
        """The array of which this is a view, or the `base` that it was made with; None for memory of its own."""
        return self._given_base if self._given_base is not None else super().base

    @property
    def gpudata(self) -> Any:
        """The memory of the elements, of which `int` is the address: what the allocator has returned; of a view its
        address; None if there are no elements.
        """
        if self._given_memory is not None:
            return self._given_memory
        if not self.size:
            return None
        if super().base is not None or int(self.buffer) != self.ptr:
            return self.ptr
        self._given_memory = memory_of(self.buffer)
        return self._given_memory

    @property
    def mem_size(self) -> int:
        """The number of elements."""
        return self.size

    @property
    def flags(self) -> ArrayFlags:
        """`c_contiguous`, `f_contiguous` and `forc` (either)."""
        return ArrayFlags(self)

    @property
    def _grid(self) -> tuple[int, int]:
        return splay(self.size)[0]

    @property
    def _block(self) -> tuple[int, int, int]:
        return splay(self.size)[1]

    def __hash__(self) -> NoReturn:
        raise TypeError("GPUArrays are not hashable.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __repr__(self) -> str:
        return repr(self.get())

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(
                f"the truth value of an array of {self.size} elements is ambiguous: use a.any() or a.all()"
            )
        return bool(self.get())

    # --- Copies

    def set(self, ary: Any, async_: bool = False, stream: Any = None, **kwargs: Any) -> None:
        """Copy a host array of the same dtype and number of elements to this array.

        async_: return before the copy is done, if `ary` is pinned memory; `stream` is the one that it is put in.

        Raises ValueError for another dtype or number of elements.
        """
        async_ = _asynchronous(async_, kwargs)
        if not isinstance(ary, (np.ndarray, np.generic, Array)):
            raise TypeError(f"ary must be an array of NumPy, got {type(ary).__name__}")
        if ary.size != self.size:
            raise ValueError(f"ary must have as many elements as the array, {self.size}, got {ary.size}")
        if ary.dtype != self.dtype:
            raise ValueError(f"ary must have the array's dtype, {self.dtype}, got {ary.dtype}")
        if ary.shape != self.shape:
            warnings.warn(f"ary has shape {ary.shape}, the array {self.shape}", stacklevel=2)
            ary = ary.reshape(self.shape)
        try:
            self.copy_from(ary, stream=_stream(async_, stream))
        except cuox.CUDAError as error:
            raise_translated(error)

    def set_async(self, ary: Any, stream: Any = None) -> None:
        """Copy a host array to this array, as `set` does, in the order of a stream."""
        self.set(ary, async_=True, stream=stream)

    def get(
        self, ary: Any = None, pagelocked: bool = False, async_: bool = False, stream: Any = None, **kwargs: Any
    ) -> Any:
        """Copy the array to the host.

        ary: the host array that takes it, of the same dtype; a new one, in the same order, if it is None.
        pagelocked: make the new array in pinned memory.
        async_: return before the copy is done, if it goes to pinned memory; `stream` is the one that it is put in.

        Returns the host array. Raises ValueError for another number of elements, TypeError for another dtype.
        """
        async_ = _asynchronous(async_, kwargs)
        if ary is None:
            if pagelocked:
                ary = driver.pagelocked_empty(
                    self.shape, self.dtype, "F" if self.is_f_contiguous and not self.is_c_contiguous else "C"
                )
            elif not async_:
                return self._to_host(None, None)
            else:
                ary = np.empty(
                    self.shape, self.dtype, "F" if self.is_f_contiguous and not self.is_c_contiguous else "C"
                )
        elif not isinstance(ary, np.ndarray):
            raise TypeError(f"ary must be an array of NumPy, got {type(ary).__name__}")
        elif ary.size != self.size:
            raise ValueError(f"ary must have as many elements as the array, {self.size}, got {ary.size}")
        elif ary.dtype != self.dtype:
            raise TypeError(f"ary must have the array's dtype, {self.dtype}, got {ary.dtype}")
        if ary.shape == self.shape:
            return self._to_host(ary, _stream(async_, stream))
        warnings.warn(f"ary has shape {ary.shape}, the array {self.shape}", DeprecationWarning, stacklevel=2)
        shown = ary.reshape(self.shape)
        self._to_host(shown, _stream(async_, stream))
        if not np.shares_memory(shown, ary):
            ary[...] = shown.reshape(ary.shape)
        return shown

    def _to_host(self, ary: Any, stream: Any) -> Any:
        try:
            return self.to_host() if ary is None else self.to_host(ary, stream=stream)
        except cuox.CUDAError as error:
            raise_translated(error)

    def get_async(self, stream: Any = None, ary: Any = None) -> Any:
        """Copy the array to the host, as `get` does, in the order of a stream. Returns the host array."""
        return self.get(ary=ary, async_=True, stream=stream)

    def copy(self, order: Any = "K", *, stream: Any = None) -> Self:
        """Copy to a new array in the same order of elements; "C" and "F" are others."""
        if self._own_allocator is None:
            return super().copy(order, stream=stream)
        if order == "A":
            order = "F" if self.is_f_contiguous and not self.is_c_contiguous else "C"
        new = self._allocated_like(self.shape, self.dtype, order)
        new.copy_from(self, stream=stream)
        return cast("Self", new)

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def fill(self, value: Any, stream: Any = None) -> Self:  # type: ignore[override]
        """Set all elements to one value. Returns the array."""
        super().fill(value, stream=stream)
        return self

    def astype(self, dtype: npt.DTypeLike, stream: Any = None) -> GPUArray:
        """Convert to another dtype. Returns a new array."""
        dtype = np.dtype(dtype)
        return (
            self.copy(stream=stream)
            if dtype == self.dtype
            else cast("GPUArray", ufuncs.converted(self, dtype, stream=stream))
        )

    # --- Shapes

    def reshape(self, *shape: Any, order: Any = "C") -> Self:
        """Show the elements under another shape: a view if that is possible, else of a copy. One size may be -1.

        order: the order in which elements are counted. The result of an array without gaps lies in it, if need be in
        new memory.

        Raises ValueError if the shape has another number of elements.
        """
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        shown = super().reshape(tuple(operator.index(size) for size in shape), order=order)
        if order == "C" and not shown.is_c_contiguous and shown.is_f_contiguous:
            return shown.copy("C")
        if order == "F" and not shown.is_f_contiguous and shown.is_c_contiguous:
            return shown.copy("F")
        return shown

    def view(self, dtype: npt.DTypeLike | None = None) -> Self:
        """Show the bytes as elements of another type. The dimension whose elements lie closest together changes its
        size.

        Raises ValueError if its bytes are no multiple of the new elements' size.
        """
        if dtype is None or self.ndim < 2 or np.dtype(dtype).itemsize == self.itemsize or self.is_c_contiguous:
            return super().view(dtype)
        axis = min(range(self.ndim), key=lambda axis: abs(self.strides[axis]))
        # The class below changes the last dimension.
        return (
            super().swapaxes(axis, -1).view(dtype).swapaxes(axis, -1) if axis != self.ndim - 1 else super().view(dtype)
        )

    def transpose(self, *order: Any, axes: Any = None) -> Self:
        """Return a view with the dimensions in the order `axes`, ints or a tuple of them; reversed without it."""
        return super().transpose(*(order or (axes,)))

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(value, Array) and value.dtype != self.dtype:
            value = ufuncs.converted(value, self.dtype)
        super().__setitem__(index, value)

    def reverse(self, stream: Any = None) -> GPUArray:
        """Return a new array with the elements in reversed order, counted as in one dimension."""
        flat = super().ravel("F" if self.is_f_contiguous and not self.is_c_contiguous else "C")
        result = cast("GPUArray", ufuncs.new_like([self], self.shape, self.dtype))
        if result.size:
            order = "C" if result.is_c_contiguous else "F"
            Array.reshape(result, result.size, order=order).copy_from(flat[::-1], stream=stream)  # type: ignore[arg-type]
        return result

    # --- Complex numbers

    @property
    def real(self) -> GPUArray:
        """The real parts, in a new array; the array itself if its elements are real."""
        return self if self.dtype.kind != "c" else cast("GPUArray", ufuncs.part(self, "real"))

    @property
    def imag(self) -> GPUArray:
        """The imaginary parts, in a new array."""
        if self.dtype.kind == "c":
            return cast("GPUArray", ufuncs.part(self, "imag"))
        zeros = cast("GPUArray", ufuncs.new_like([self], self.shape, self.dtype))
        return zeros.fill(0)

    def conj(self, out: Any = None) -> GPUArray:
        """Return the conjugates in a new array, or in `out`; the array itself if its elements are real and there is no
        `out`.
        """
        if self.dtype.kind != "c" and out is None:
            return self
        if out is not None and out.dtype != self.dtype and out.dtype.kind == "c":
            # To single precision too, which NumPy refuses for results of ufuncs.
            return cast("GPUArray", ufuncs.converted(ufuncs.apply("conjugate", (self,)), out.dtype, out))
        return cast("GPUArray", ufuncs.apply("conjugate", (self,), out))

    conjugate = conj

    # --- Reductions

    def any(self, stream: Any = None, allocator: Allocator | None = None, axis: Any = None) -> GPUArray:
        """Return True if any element is true, of all or along `axis`, as an array of bools."""
        return cast("GPUArray", reductions.reduce("any", self, axis=axis, stream=stream, allocator=allocator))

    def all(self, stream: Any = None, allocator: Allocator | None = None, axis: Any = None) -> GPUArray:
        """Return True if all elements are true, of all or along `axis`, as an array of bools."""
        return cast("GPUArray", reductions.reduce("all", self, axis=axis, stream=stream, allocator=allocator))

    def sum(
        self,
        axis: Any = None,
        dtype: npt.DTypeLike | None = None,
        *,
        stream: Any = None,
        allocator: Allocator | None = None,
    ) -> GPUArray:
        """Return the sum of all elements, or along `axis`. Small integers are added as NumPy does, as 64-bit ones."""
        return cast(
            "GPUArray", reductions.reduce("sum", self, axis=axis, dtype=dtype, stream=stream, allocator=allocator)
        )

    def prod(
        self,
        axis: Any = None,
        dtype: npt.DTypeLike | None = None,
        *,
        stream: Any = None,
        allocator: Allocator | None = None,
    ) -> GPUArray:
        """Return the product of all elements, or along `axis`."""
        return cast(
            "GPUArray", reductions.reduce("prod", self, axis=axis, dtype=dtype, stream=stream, allocator=allocator)
        )

    def max(self, axis: Any = None, *, stream: Any = None, allocator: Allocator | None = None) -> GPUArray:
        """Return the largest element, of all or along `axis`; NaN if there is one. Raises ValueError if there are no
        elements.
        """
        return cast("GPUArray", reductions.reduce("max", self, axis=axis, stream=stream, allocator=allocator))

    def min(self, axis: Any = None, *, stream: Any = None, allocator: Allocator | None = None) -> GPUArray:
        """Return the smallest element, of all or along `axis`; NaN if there is one. Raises ValueError if there are no
        elements.
        """
        return cast("GPUArray", reductions.reduce("min", self, axis=axis, stream=stream, allocator=allocator))

    # --- Arithmetic

    def mul_add(
        self,
        selffac: Any,
        other: GPUArray,
        otherfac: Any,
        add_timer: Callable[..., Any] | None = None,
        stream: Any = None,
        out: Any = None,
    ) -> GPUArray:
        """Return `selffac * self + otherfac * other`, in a new array or in `out`.

        add_timer: called with the number of elements moved and a function that waits and returns the time in seconds.
        """
        return cast("GPUArray", ufuncs.linear_combination(self, selffac, other, otherfac, out, add_timer, stream))

    # Operators are the base class's. Python 2's names for division:

    def __div__(self, other: Any) -> Any:
        return self / other

    def __rdiv__(self, other: Any) -> Any:
        return other / self

    def __idiv__(self, other: Any) -> Any:
        return self.__itruediv__(other)

    def __pos__(self) -> Self:
        return self

    def __pow__(self, other: Any, modulo: None = None) -> Any:
        return ufuncs.power(self, other)

    def __rpow__(self, other: Any, modulo: None = None) -> Any:
        return ufuncs.apply("power", (other, self))

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __ipow__(self, other: Any, modulo: None = None) -> Any:
        return ufuncs.power(self, other, out=self)

    # --- NumPy's functions

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ufuncs.from_numpy(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        implementation = FUNCTIONS.get(func)
        if implementation is None:
            raise TypeError(f"numpy.{func.__name__} is not there for GPUArrays: copy them to the host, with get()")
        return implementation(*args, **kwargs)

    # --- Textures

    def bind_to_texref(self, texref: Any, allow_offset: bool = False) -> float:
        """Let a texture reference read this array. Returns the offset of the first element, in elements."""
        return textures.bind(self, texref, allow_offset)

    def bind_to_texref_ext(
        self,
        texref: Any,
        channels: int = 1,
        allow_double_hack: bool = False,
        allow_complex_hack: bool = False,
        allow_offset: bool = False,
    ) -> float:
        """Let a texture reference read this array, and set its format. Returns the offset of the first element, in
        elements.

        channels: components of a texel. allow_double_hack, allow_complex_hack: show float64 and complex elements as
        several 32-bit ints, which `pycuda-helpers.hpp` puts together.
        """
        return textures.bind_with_format(self, texref, channels, allow_double_hack, allow_complex_hack, allow_offset)

    def take(self, indices: Any, out: Any = None, stream: Any = None) -> GPUArray:
        """Return the elements with these indices, counted as in one dimension."""
        return cast("GPUArray", indexing.take(self, indices, out, stream))


def _restored(class_: type[GPUArray], host: Any) -> GPUArray:
    new = GPUArray.__new__(class_, host.shape, host.dtype, strides=_strides_like(host, host.itemsize))
    new.set(host)
    return new


def _asynchronous(async_: bool, kwargs: dict[str, Any]) -> bool:
    """Return `async_`, which older programs call `async`."""
    async_ = kwargs.pop("async", async_)
    if kwargs:
        raise TypeError(f"unexpected keyword arguments: {', '.join(kwargs)}")
    return bool(async_)


def _stream(async_: bool, stream: Any) -> Any:
    """Return the stream of a copy: without one it goes to the default stream."""
    if async_ and stream is None:
        return cuox.Device().default_stream
    return stream if async_ else None


def _strides_like(array: Any, itemsize: int) -> tuple[int, ...]:
    """Return the strides of an array without gaps whose dimensions have the order of another array's."""
    shape = array.shape
    if array.flags.c_contiguous:
        axes = list(range(len(shape) - 1, -1, -1))
    else:
        axes = sorted(range(len(shape)), key=lambda axis: (abs(array.strides[axis]), -axis))
    strides = [0] * len(shape)
    stride = itemsize
    for axis in axes:
        strides[axis] = stride
        stride *= max(shape[axis], 1)
    return tuple(strides)


class _Layout:
    """Shape and strides of an array to be made, and the bytes around its first element that it takes."""

    def __init__(self, shape: Any, dtype: Any, strides: Sequence[int] | None, order: Order) -> None:
        self.shape = (
            (operator.index(shape),) if hasattr(shape, "__index__") else tuple(operator.index(size) for size in shape)
        )
        self.dtype = dtype
        size = 1
        for dimension in self.shape:
            size *= dimension
        if strides is None:
            given = [dtype.itemsize] * len(self.shape)
            axes = range(len(self.shape) - 1, -1, -1) if order == "C" else range(len(self.shape))
            stride = dtype.itemsize
            for axis in axes:
                given[axis] = stride
                stride *= max(self.shape[axis], 1)
            strides = given
        self.strides = tuple(strides)
        if len(self.strides) != len(self.shape):
            raise ValueError(
                f"strides must have one number for each of the {len(self.shape)} dimensions, got {len(self.strides)}"
            )
        # The lowest byte of an element, counted from the first element, and the number of bytes from there.
        self.low = 0
        high = dtype.itemsize
        if size:
            for dimension, stride in zip(self.shape, self.strides, strict=True):
                moved = (dimension - 1) * stride
                self.low += min(moved, 0)
                high += max(moved, 0)
        self.bytes = high - self.low if size else 0

    def array(self, cls: type[GPUArray], memory: Any, base: Any, *, from_start: bool = False) -> Any:
        """Make the array in memory, which begins with the first element, or `from_start` with the lowest."""
        if not self.bytes:
            return Array.__new__(
                cls, self.shape, self.dtype, buffer=cuox.empty(1, np.uint8).buffer, strides=self.strides
            )
        first = -self.low if from_start else 0
        if isinstance(memory, Buffer) and first + self.low >= 0:
            return Array.__new__(cls, self.shape, self.dtype, buffer=memory, offset=first, strides=self.strides)
        if memory is None or not (hasattr(memory, "__int__") or hasattr(memory, "__index__")):
            what = "the allocator's result" if from_start else "gpudata"
            raise TypeError(f"{what} must be device memory or an address, got {type(memory).__name__}")
        start = int(memory) + first + self.low
        buffer = Buffer.from_handle(start, self.bytes, owner=(memory, base))
        return Array.__new__(cls, self.shape, self.dtype, buffer=buffer, offset=-self.low, strides=self.strides)


__all__ = ["GPUArray"]
