"""Arguments that a header does not tell all about: launches' parameters, options' values, places of handles, memory to
be written to.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from cuox_bind import _native as bind_native

from cuox import _native

# `Any`: it is the bound function's `__text_signature__` that is read.
Raw = Any
Result = tuple[Any, ...]


# Parameters of a launch


def _place(function: str, index: int) -> str:
    return f"{function}(): kernelParams[{index}]"


def _address(value: Any, function: str, index: int) -> tuple[int, Any, int]:
    """Return the address of one argument's bytes, an object that has to live until they are read, and their number (0:
    as many as the kernel takes).
    """
    import ctypes

    if pointer := getattr(value, "getPtr", None):
        return pointer(), value, 0
    if isinstance(value, (ctypes._SimpleCData, ctypes.Structure, ctypes.Union, ctypes.Array)):
        return ctypes.addressof(value), value, ctypes.sizeof(value)
    if isinstance(value, _native.Array):
        if not (value.is_c_contiguous or value.is_f_contiguous):
            raise TypeError(
                f"{_place(function, index)}: the elements of the cuox.Array are not contiguous in memory; pass array.copy()"
            )
        pointer8 = ctypes.c_uint64(value.ptr)
        return ctypes.addressof(pointer8), pointer8, 0
    if hasattr(value, "dtype"):
        data = value.tobytes()
        held = ctypes.create_string_buffer(data, len(data))
        return ctypes.addressof(held), held, len(data)
    if isinstance(value, bool):
        raise TypeError(
            f"{_place(function, index)}: expected a value that has a size in C, got a bool; use numpy.bool_ or ctypes.c_bool"
        )
    if isinstance(value, int):
        held8 = ctypes.c_uint64(value & 0xFFFF_FFFF_FFFF_FFFF)
        return ctypes.addressof(held8), held8, 0
    raise TypeError(
        f"{_place(function, index)}: expected a value that has a size in C, got {type(value).__name__}; use a NumPy scalar, a ctypes value, "
        "or ((values, ...), (types, ...))"
    )


def _number(value: Any) -> int:
    """The address that something stands for: where it is, for a record and what was made with `_ptr=`; else its
    value."""
    place = bind_native.external_value_address(value)
    if place is None and (hasattr(value, "__int__") or not hasattr(value, "getPtr")):
        return int(value)
    return int(value.getPtr())


def _parameter(value: Any, type_: Any, function: str, index: int) -> tuple[int, Any, int]:
    """Return the address of a value as a ctypes type has it (None: as its own type has it), an object that has to live
    until it is read, and its size.
    """
    import ctypes

    if type_ is None:
        return _address(value, function, index)
    if not hasattr(type_, "in_dll"):  # which all of ctypes' types have
        raise TypeError(
            f"{_place(function, index)}: the type of {value!r} must be a ctypes type or None, got {type_!r}"
        )
    if isinstance(value, type_):
        return ctypes.addressof(value), value, ctypes.sizeof(value)
    if isinstance(value, ctypes._SimpleCData):
        value = value.value
    if type_ is ctypes.c_void_p or type_ is ctypes.c_uint64 or type_ is ctypes.c_size_t:
        if not isinstance(value, int) and value is not None:
            value = value.ctypes.data if hasattr(value, "ctypes") else _number(value)
    elif hasattr(value, "item"):
        value = value.item()
    held = type_(value)
    if isinstance(value, int) and type(held.value) is int:
        bits = 8 * ctypes.sizeof(held)
        if not -(1 << (bits - 1)) <= value < 1 << bits:
            raise OverflowError(
                f"{_place(function, index)}: expected a number of {bits} bits for ctypes.{type_.__name__}, got {value}"
            )
    return ctypes.addressof(held), held, ctypes.sizeof(held)


def describe(library: Any, function: Any) -> tuple[str, list[tuple[int, int]], bytes | None] | None:
    """Return a kernel's name, the (offset, size) of each parameter in bytes, and its PTX if that was seen.

    None if the driver does not say: it is older than CUDA 12.4, or there is no such function.
    """
    kernel = isinstance(function, library.CUkernel)
    try:
        info = library.cuKernelGetParamInfo if kernel else library.cuFuncGetParamInfo
        name_of = library.cuKernelGetName if kernel else library.cuFuncGetName
    except AttributeError:
        return None
    layout: list[tuple[int, int]] = []
    while True:
        status, offset, size = info(function, len(layout))
        if status != 0:
            break
        layout.append((offset, size))
    if status != library.CUresult.CUDA_ERROR_INVALID_VALUE:
        return None
    status, name = name_of(function)
    if status != 0 or not isinstance(name, str):
        return ("the kernel", layout, None)
    return (name, layout, _ptx_of(library, function, kernel))


_texts: dict[tuple[bool, int], bytes] = {}
"""PTX by the handle of what it was loaded as: whether that is a library, and the value."""


def _ptx_of(library: Any, function: Any, kernel: bool) -> bytes | None:
    """Return the PTX that has a kernel, if it was passed to a function of this module."""
    if not _texts:
        return None
    status, owner = (library.cuKernelGetLibrary if kernel else library.cuFuncGetModule)(function)
    return _texts.get((kernel, int(owner))) if status == 0 else None


def seeing(load: Callable[..., Result], image: str, is_library: bool = False) -> Callable[..., Result]:
    """A function that loads an image. If it is PTX, launches compare their values with its parameters' types."""

    @functools.wraps(load)
    def call(*args: Any, **keywords: Any) -> Result:
        result = load(*args, **keywords)
        if len(result) > 1 and result[0] == 0:
            given: Any = keywords.get(image, args[0] if args else None)
            try:
                text = (
                    given.encode()
                    if isinstance(given, str)
                    else given
                    if isinstance(given, bytes)
                    else memoryview(given).tobytes()
                )
            except TypeError:
                text = b""  # an address, of which nobody says how much is there
            key = (is_library, int(result[1]))
            # Binaries have a NUL soon.
            if b".entry" in text and b"\0" not in text[:64]:
                _texts[key] = text
            else:
                _texts.pop(key, None)
        return result

    return call


def forgetting(unload: Callable[..., Result], is_library: bool = False) -> Callable[..., Result]:
    """A function that unloads what `seeing` has seen."""

    @functools.wraps(unload)
    def call(*args: Any, **keywords: Any) -> Result:
        for handle in (*args, *keywords.values()):
            if hasattr(handle, "__int__"):
                _texts.pop((is_library, int(handle)), None)
        return unload(*args, **keywords)

    return call


def launching(raw: Raw, library: Any) -> Callable[..., Result]:
    """A launch whose `kernelParams` is

    None or 0; an address, or a buffer of addresses, as it is in C; `((values, ...), (ctypes types, ...))`, where the
    type None is for what says its type itself; or a list of NumPy scalars, ctypes values, handles and objects with
    `getPtr()`. Raises TypeError for values that are not as many and as large as the kernel's parameters, as far as that
    can be told.
    """
    names = [part.strip() for part in (raw.__text_signature__ or "").strip("()").split(",")]
    function: Callable[..., Result] = _native._kernel_launcher(
        raw, names.index("kernelParams"), names.index("f"), _parameter, functools.partial(describe, library)
    )
    return function


def _addresses(value: Any, name: str) -> Any:
    """A kernel's parameters as C takes them: values with their types become an array of addresses, which holds them."""
    import ctypes

    if not isinstance(value, (tuple, list)):
        return value
    if not value:
        return None
    pair = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], (tuple, list))
    values, types = value if pair else (value, None)
    if types is None:
        types = (None,) * len(values)
    if len(types) != len(values):
        raise TypeError(f"{name}.kernelParams: {len(values)} values have {len(types)} types")
    parts = [_parameter(one, type_, name, at) for at, (one, type_) in enumerate(zip(values, types, strict=True))]
    array: Any = (ctypes.c_uint64 * len(parts))(*(address for address, _, _ in parts))
    array.held = parts
    return array


def with_values(kind: type) -> type:
    """Let the field `kernelParams` of a class of records be assigned as launches take it: `((values, ...), (types,
    ...))` or a list of values. The record holds them.
    """
    field = vars(kind)["kernelParams"]
    if not isinstance(field, property):

        def store(record: Any, value: Any) -> None:
            field.__set__(record, _addresses(value, kind.__name__))

        kind.kernelParams = property(field.__get__, store, doc=field.__doc__)  # type: ignore[attr-defined]
    return kind


# Values of JIT and library options


def _option(value: Any) -> int:
    """An option's value as the `void *` that C takes: a number, or where something is."""
    import ctypes

    if value is None:
        return 0
    if isinstance(value, float):
        return int.from_bytes(ctypes.c_float(value), "little")
    if pointer := getattr(value, "getPtr", None):
        return int(pointer())
    if isinstance(value, bytes):
        return ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value or 0
    if isinstance(value, (ctypes._SimpleCData, ctypes.Array, ctypes.Structure)):
        return ctypes.addressof(value)
    if data := getattr(value, "ctypes", None):
        return int(data.data)
    if isinstance(value, (bytearray, memoryview)):
        return ctypes.addressof((ctypes.c_char * 0).from_buffer(value))
    return int(value)


def option_values(values: Any) -> tuple[Any, Any]:
    """Return the argument for `void **optionValues` for a list of values, and an object that has to live as long as C
    uses it.
    """
    if not isinstance(values, (list, tuple)):
        return values, None
    if not values:
        return None, None
    import ctypes

    array = (ctypes.c_void_p * len(values))(*map(_option, values))
    return ctypes.addressof(array), (array, values)


def where(handle: Any) -> tuple[Any, Any]:
    """Return the address of a handle's value, and the handle."""
    return (handle.getPtr() if hasattr(handle, "getPtr") else handle), handle


def converting(
    raw: Raw, names: Sequence[str], convert: Callable[[Any], tuple[Any, Any]], keep: dict[int, Any] | None = None
) -> Callable[..., Result]:
    """A function some of whose arguments are converted first. What they need lives until it returns; with `keep`, as
    long as what it puts out.
    """
    signature = raw.__text_signature__ or "()"
    parameters = [part.strip() for part in signature.strip("()").split(",")]
    places = [(name, parameters.index(name)) for name in names]

    @functools.wraps(raw)
    def call(*args: Any, **keywords: Any) -> Any:
        given = list(args)
        held = []
        # An output that is passed in stands first, in all but cuLinkCreate, which begins with a number.
        more = len(given) - len(parameters)
        shift = more if more > 0 and hasattr(given[0], "getPtr") else 0
        for name, place in places:
            place += shift
            if place < len(given):
                given[place], kept = convert(given[place])
            elif name in keywords:
                keywords[name], kept = convert(keywords[name])
            else:
                continue
            held.append(kept)
        result = raw(*given, **keywords)
        if keep is not None and len(result) > 1 and result[1] is not None:
            keep[int(result[1])] = held
        del held
        return result

    return call


def terminated(image: Any) -> tuple[Any, Any]:
    """An image to be loaded, which is read up to its NUL if it is PTX: what a buffer may lack, `bytes` always have."""
    if isinstance(image, (str, bytes, int)):
        return image, None
    try:
        data = memoryview(image).tobytes()
    except TypeError:
        return image, None
    return data, data


def writable(buffer: Any) -> Any:
    """Memory to be written to. `bytes` are taken too, as in cuda.bindings: only the caller, who made them to be
    written, has seen them.
    """
    if isinstance(buffer, bytes):
        # All of Python shares the objects of one byte (`b" " * 1 is b" "`). The NUL of an empty text is let go.
        if len(buffer) <= 1:
            return bytearray(1)
        import ctypes

        return ctypes.cast(ctypes.c_char_p(buffer), ctypes.c_void_p).value
    return buffer


# Memory whose size another function says

MOST = 1 << 30
"""The largest number that is taken for a size; what is larger is likelier an address."""


def sized(function: str, size_function: str, needed: int, buffer: Any) -> tuple[Any, bytearray | None]:
    """Return the argument for a function that writes `needed` bytes, and the memory if it was made here, as it is for
    an int, its size.
    """
    # Numbers of NumPy are numbers, its arrays are not.
    if hasattr(type(buffer), "__index__") and not hasattr(type(buffer), "__setitem__") and not isinstance(buffer, bool):
        buffer = operator.index(buffer)
        if not needed <= buffer <= MOST:
            raise ValueError(
                f"{function}: an int is the size of the memory to return, never an address; {size_function} says {needed}, got {buffer}"
                + (
                    f"; for memory at an address use (ctypes.c_char * {needed}).from_address(...)"
                    if buffer > MOST
                    else ""
                )
            )
        # C wants an address for nothing, too.
        made = bytearray(max(needed, 1))
        return made, made
    try:
        length = memoryview(buffer).nbytes
    except TypeError:
        if isinstance(buffer, (bool, float, complex)):
            raise TypeError(
                f"{function} takes a buffer of {needed} bytes, or that size as an int for the bytes to be returned, got {buffer!r}"
            ) from None
        return buffer, None  # None, or what the call itself judges
    if length < needed:
        raise ValueError(
            f"{function} writes {needed} bytes, the buffer has {length}; ask {size_function} for the size first"
        )
    return writable(buffer), None
