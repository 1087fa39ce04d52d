"""Types of the extension module."""

import sys
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, Final, NoReturn, Self, SupportsIndex, final, overload

from typing_extensions import Buffer as _HostMemory
from typing_extensions import CapsuleType, disjoint_base

__version__: Final[str]

@disjoint_base
class CValue:
    """A value of C that has no Python type."""

    def getPtr(self) -> int:
        """Return the address of the value, for a C function that reads or fills it."""

class Handle(CValue):
    """A value that only the library which made it can look into. `Class(value)` is one that is not owned, `Class()` a null one."""

    def __init__(self, value: Handle | Pointer | SupportsIndex | None = None) -> None: ...
    @classmethod
    def array(cls, count: int) -> CArray:
        """Return an array of `count` null handles, for C to read or fill. An element is a handle that is not owned, or None."""
    def close(self) -> None:
        """Close the handle, and destroy the C object if the handle owns it. A second call does nothing."""
    def detach(self) -> int:
        """Give up ownership and return the value: the caller destroys the C object."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object = None, error: object = None, traceback: object = None) -> None: ...
    @property
    def closed(self) -> bool:
        """True if the handle was closed."""
    @property
    def owned(self) -> bool:
        """True if closing the handle destroys the C object."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Record(CValue):
    """A structure or union of C. `Class(field=value)` has memory of its own, zeroed where nothing is given."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @classmethod
    def from_address(cls, address: int, keep: object = None) -> Self:
        """Return the record at `address`. `keep` lives as long as the record."""
    @classmethod
    def from_buffer(cls, buffer: _HostMemory, offset: int = 0) -> Self:
        """Return the record in a buffer, `offset` bytes from its start. The buffer is held as long as the record."""
    @classmethod
    def array(cls, count: int) -> CArray:
        """Return a zeroed array of `count` records."""
    def copy(self) -> Self:
        """Return a record of its own with the same bytes."""
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def __sizeof__(self) -> int: ...
    @property
    def address(self) -> int:
        """The address of the record's memory."""
    def __eq__(self, value: object, /) -> bool: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

class CArray(CValue):
    """An array in the memory of C: its elements are read and written where they are."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, elements: Any = ...) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> Any: ...
    def __setitem__(self, key: SupportsIndex | slice, value: Any, /) -> None: ...
    def __delitem__(self, key: SupportsIndex | slice, /) -> None: ...
    def tolist(self) -> list[Any]:
        """Return the elements as a list; those of inner arrays as lists in it."""
    @property
    def address(self) -> int:
        """The address of the array's memory."""
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __eq__(self, value: object, /) -> bool: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...
        def __release_buffer__(self, buffer: memoryview, /) -> None: ...

class Pointer(CValue):
    """A pointer of C. `Class(address)` or `Class(object)` points there, `Class()` is null. What lies behind it, C alone knows: an index is not checked."""

    def __init__(self, value: object = None) -> None: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> Any: ...
    def __setitem__(self, key: SupportsIndex | slice, value: Any, /) -> None: ...
    def __delitem__(self, key: SupportsIndex | slice, /) -> None: ...
    def __add__(self, value: SupportsIndex, /) -> Self: ...
    def __radd__(self, value: SupportsIndex, /) -> Self: ...
    @overload
    def __sub__(self, value: Pointer, /) -> int: ...  # type: ignore[overload-overlap]
    @overload
    def __sub__(self, value: SupportsIndex, /) -> Self: ...
    def __rsub__(self, value: Pointer, /) -> int: ...
    def __iter__(self) -> NoReturn: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    contents: Any
    @property
    def address(self) -> int:
        """The address."""
    def cast(self, to: type[CValue]) -> Any:
        """Return the same address as a pointer of class `to`, as a pointer to records of class `to`, or as a handle of class `to`."""
    def as_array(
        self,
        shape: int | Sequence[int],
        dtype: object = None,
        device: bool | int = False,
        writable: bool = True,
    ) -> ArrayView:
        """What it points at as an array for NumPy and its like; with `device` for CuPy and PyTorch. Without `dtype` its elements are the pointer's."""
    def as_device_array(self, shape: int | Sequence[int], dtype: object = None, device: int = 0) -> ArrayView:
        """Return device memory as an array for CuPy and PyTorch. `shape` is in elements, `device` the device's index."""
    def to_bytes(self, size: int) -> bytes:
        """Return a copy of `size` bytes."""
    def string(self, size: int | None = None) -> str:
        """Return the text up to its NUL, or `size` bytes of text."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Callback(CValue):
    """A pointer to a function. `Class(callable)` is one that C can call, until it is closed or collected; `Class(address)` is one that Python can call."""

    def __init__(self, function: Callable[..., Any] | int | None = None) -> None: ...
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any: ...
    def close(self) -> None:
        """Close the callback. C must not call it any more: its code is used again for another one."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object = None, error: object = None, traceback: object = None) -> None: ...
    @property
    def closed(self) -> bool:
        """True if the callback was closed."""
    @property
    def callable(self) -> Callable[..., Any] | None:
        """The callable that C calls; None for a C function."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ArrayView:
    """An array that C owns, on the host or on a device."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The dimensions."""
    @property
    def typestr(self) -> str:
        """The elements' type, as the array interface calls it."""
    @property
    def address(self) -> int:
        """The address."""
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...
        def __release_buffer__(self, buffer: memoryview, /) -> None: ...

@final
class Binding:
    """A header with its plan. Only for `cuox_bind._internal.bind` and `cuox_bind._internal.bind_command`."""

    @staticmethod
    def parse(
        headers: Sequence[str],
        *,
        source: str | None = None,
        include_dirs: Sequence[str | PathLike[str]] = ...,
        defines: Sequence[str] = ...,
        rules: str | PathLike[str] | Mapping[str, Any] | None = None,
        interface: str | PathLike[str] | None = None,
        language: str = "c",
        status: str | None = None,
        gil: str | None = None,
        arguments: Sequence[str] = ...,
        only: Sequence[str] = ...,
        ignore: Sequence[str] = ...,
        inline: bool = False,
    ) -> Binding:
        """Read headers and plan how to call what they declare.

        rules is a rules file's path or a dict; interface a SWIG interface file's path; defines are `NAME` or
        `NAME=VALUE`; only and ignore are patterns for names; with inline, `static inline` functions are bound.
        """
    @staticmethod
    def from_data(text: str) -> Binding:
        """Make a binding of a text that `data` has returned."""
    def data(self) -> str:
        """Header and plan as text, without what nobody needs."""
    def shortened(self) -> Binding:
        """The same with comments cut down to what is worth shipping."""
    def readable(self) -> Binding:
        """The same with comments as docstrings."""
    def explain(self, name: str | None = None) -> str | None:
        """Say how a function is called, and why; without a name, for everything. None for a name that is not in the
        header.
        """
    def table(self) -> str:
        """Say how much of the header is bound, and what is not and why."""
    def write(self, libraries: Sequence[str], command: str, inline: str | None = None) -> tuple[str, str]:
        """The text of a module and of its stub. `inline` is the library with the functions that are only in the header."""
    @property
    def notes(self) -> list[str]:
        """Warnings of the compiler, and the parts of an interface file that have no effect."""
    @property
    def inline(self) -> list[str]:
        """The bound functions that are only in the header."""
    @property
    def macros(self) -> list[tuple[str, bool]]:
        """The bound macros whose value C computes, each with whether it is a value: others are variables of C."""
    @property
    def code(self) -> str | None:
        """C code of an interface file, to be compiled into a library of its own; None if nothing of it is bound."""
    @property
    def uses_python(self) -> bool:
        """True if that code uses Python's C API."""
    @property
    def python(self) -> tuple[str, list[str], list[str], list[str]]:
        """Python code of an interface file; the names that it defines for users; functions of `cuox_bind.bound` that it
        uses; names of the binding in it.
        """
    @property
    def methods(self) -> list[list[str]]:
        """Members that an interface file adds to records: a record, a name, the function; for an attribute its setter, for
        a function without a record an empty text and `static`.
        """
    @property
    def new_objects(self) -> list[str]:
        """Functions of C whose results are the caller's, of an interface file."""
    @property
    def immutable(self) -> list[str] | None:
        """Variables of C that an interface file makes immutable; None without an interface file."""
    @property
    def symbols(self) -> list[str]:
        """The functions and variables that libraries must have."""
    @property
    def module(self) -> str | None:
        """The module's name, if an interface file says one."""

@final
class Library:
    """A shared library with a header.

    Functions, classes, enumerations, constants and variables are attributes, each made when it is first asked for;
    `library["name"]` gives those whose names this class has itself. A variable's attribute is its value now, and
    assigning to it writes the variable; nothing else can be assigned to.
    """

    def __new__(
        cls,
        binding: Binding,
        libraries: Sequence[str | PathLike[str]] | Callable[[str], int | None],
        make_enum: Callable[..., object],
        make_raise: Callable[..., object],
        *,
        module: str | None = None,
        name: str | None = None,
        shared: int = 0,
        inline: Callable[[str], int] | None = None,
        plain: bool = False,
        as_swig: bool = False,
        lengths: dict[str, str] = ...,
        defaults: dict[str, int] = ...,
    ) -> Self: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any, /) -> None:
        """Write a variable. Raises AttributeError for other names and for constant variables, TypeError, ValueError and
        OverflowError for values that do not fit.
        """
    def __getitem__(self, name: str, /) -> Any: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __dir__(self) -> list[str]: ...
    def explain(self, name: str | None = None) -> str:
        """Say in words how a function is called, and why; without a name, for the whole header.

        Returns the text. Raises AttributeError for a name that is not in the header.
        """
    def _hide_methods(self) -> None: ...
    def _returning(self, name: str, place: int, kind: str) -> Callable[..., tuple[Any, ...]]: ...
    def is_of(self, binding: Binding) -> bool:
        """Tell whether the library was made of this header and plan."""
    @property
    def _variables(self) -> list[str]:
        """The names of variables."""
    def _python_name(self, name: str) -> str:
        """The name in Python of a function, a variable or a record of C; the name itself if it is not bound."""
    def address_of(self, symbol: str) -> int | None:
        """Return the address of a symbol of the library, whether the header has it or not; None if there is none."""

@final
class Symbols:
    """Shared libraries without a header: the addresses of their symbols."""

    def __new__(cls, libraries: Sequence[str | PathLike[str]], *, share_symbols: bool = False) -> Self: ...
    def find(self, symbol: str) -> int | None:
        """A symbol's address; None if there is none."""

def external_value_address(value: object) -> int | None:
    """Return the address of the value that a handle was made of with `_ptr=`; None for any other object."""

def size_of_c(class_: type) -> int:
    """The size in bytes of what C has for an object of a class."""

def _set_call_error(class_: type[BaseException]) -> None: ...
def _restore_record(class_: type[Record], bytes: bytes) -> Record: ...
def _set_metaclass(class_: type[CValue], metaclass: type[type]) -> None: ...
def _callable(
    name: str,
    address: int,
    result: object,
    parameters: Sequence[tuple[Any, ...]],
    *,
    doc: str = "",
    c_types: Sequence[str] | None = None,
    module: str | None = None,
    gil: str = "hold",
    errno: int | str | None = None,
    variadic: bool = False,
    status_tuple: bool = False,
    keep: object = None,
    raises: object = None,
) -> Callable[..., Any]: ...
def cache_folder(*names: str) -> PathLike[str]:
    """Return a folder inside the cache folder, made for this user alone if it is not there. Raises OSError, which says how
    to choose another cache folder: it cannot be made, or others can write it.
    """

def private_folder(path: str | PathLike[str]) -> None:
    """Make a folder for this user alone if it is not there. Raises OSError: it cannot be made; PermissionError: it is
    another user's, or others can write it.
    """

def read_private(folder: str | PathLike[str], name: str) -> bytes | None:
    """Return the bytes of a file in a folder; None if there is none, or if the folder or the file could be another user's
    work.
    """

def _set_site_packages(folders: Sequence[str]) -> None: ...
