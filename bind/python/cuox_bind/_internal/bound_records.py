"""Members of records that an interface file adds with `%extend`, and records that are the caller's."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable, Sequence
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from cuox_bind import _native

__all__ = [
    "add_members",
    "adopt_record",
    "ends_record",
    "extend_record",
    "fixed_attributes",
    "no_constructor",
    "read_only",
]


def extend_record(record: Any, code: type) -> None:
    """Give a record's class what a class of an interface file defines."""
    for name, value in vars(code).items():
        if name not in ("__module__", "__dict__", "__weakref__", "__doc__", "__qualname__", "__firstlineno__"):
            type.__setattr__(record, name, value)


def _read_only(name: str, field: Any) -> property:
    def refuse(self: Any, _value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set: the interface file makes it immutable")

    return property(field.__get__, refuse, doc=field.__doc__)


def read_only(find: Callable[[str], Any], name: str, names: Iterable[str] | None) -> None:
    """Let fields of a record be read only; all of them without names."""
    try:
        record = find(name)
    except AttributeError:  # it is not bound
        return
    for name, field in list(vars(record).items()):
        if (
            type(field) in (GetSetDescriptorType, _ConvertedField)
            and name != "__dict__"
            and (names is None or name in names)
        ):
            type.__setattr__(record, name, _read_only(name, field))


def no_constructor(find: Callable[[str], Any], name: str) -> None:
    """Let only C make records of a class."""
    try:
        record = find(name)
    except AttributeError:  # it is not bound
        return

    def refuse(_class: type, *_arguments: Any, **_keywords: Any) -> Any:
        raise AttributeError(f"{name} has no constructor: the interface file says %nodefaultctor")

    type.__setattr__(record, "__new__", staticmethod(refuse))


_FIELDS: tuple[type, ...] = (property, GetSetDescriptorType, MemberDescriptorType)


class _FixedAttributes(type):
    """The type of records, and of classes made of these, that take no attributes but their own."""

    __slots__ = ()

    def __setattr__(cls, name: str, value: Any) -> None:
        # As in SWIG, what is no field is the class's own.
        if isinstance(getattr(cls, name, property), _FIELDS) or not hasattr(cls, name):
            raise AttributeError(f"{cls.__name__}.{name} cannot be set: the interface file says %pythonnondynamic")
        super().__setattr__(name, value)


def fixed_attributes(find: Callable[[str], Any], name: str) -> None:
    """Refuse attributes that are no fields, of the objects of a class and of classes made of it."""
    try:
        record = find(name)
    except AttributeError:  # it is not bound
        return

    def write(self: Any, name: str, value: Any) -> None:
        if not isinstance(getattr(type(self), name, None), _FIELDS):
            raise AttributeError(f"{type(self).__name__} has no field '{name}', and takes no other attributes")
        object.__setattr__(self, name, value)

    type.__setattr__(record, "__setattr__", write)
    _native._set_metaclass(record, _FixedAttributes)


class _Owners:
    """The records of C's that are Python's to end, by their addresses."""

    def __init__(self) -> None:
        self.ends: dict[int, Any] = {}

    def adopt(self, pointer: Any, destroy: Callable[[int], object]) -> Any:
        """Return the record behind a pointer; `destroy` ends it when nothing looks at it any more."""
        self.own(pointer, int(pointer), destroy)
        return pointer[0]

    def own(self, keeper: Any, address: int, destroy: Callable[[int], object]) -> None:
        """Have `destroy` end the record at an address together with `keeper`."""
        if (before := self.ends.pop(address, None)) is not None:
            before.detach()

        def end() -> None:
            self.ends.pop(address, None)
            destroy(address)

        owner = weakref.finalize(keeper, end)
        # A record that C still has at exit may be in use by other threads.
        owner.atexit = False
        self.ends[address] = owner

    def release(self, address: int) -> None:
        """Forget a record that the caller has ended."""
        if (owner := self.ends.pop(address, None)) is not None:
            owner.detach()


_owners = _Owners()


def _address(value: Any) -> int:
    return int(value) if isinstance(value, _native.Pointer) else int(value.getPtr())


def ends_record(names: dict[str, Any], name: str) -> None:
    """Have a function of C end records which Python would end, as `%delobject` says."""
    if (function := names.get(name)) is None:  # it is not bound
        return

    def end(*arguments: Any, **keywords: Any) -> Any:
        for value in (*arguments, *keywords.values()):
            if isinstance(value, (_native.Pointer, _native.Record)):
                _owners.release(_address(value))
        return function(*arguments, **keywords)

    names[name] = _named(end, function, name)


def _named(function: Any, called: Any, name: str) -> Any:
    function.__name__, function.__doc__ = name, called.__doc__
    return function


def _method(called: Any, name: str) -> Any:
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        return called(self, *arguments, **keywords)

    return _named(method, called, name)


def _tell_ownership(class_: Any, destroy_of: Callable[[type], Callable[[int], object]]) -> None:
    """Give a class of records SWIG's `thisown`: whether Python ends the record."""
    if "thisown" in vars(class_):
        return

    def read(self: Any) -> bool:
        return _address(self) in _owners.ends

    def write(self: Any, owned: bool) -> None:
        if not owned:
            _owners.release(_address(self))
        elif not read(self):
            _owners.own(self, _address(self), destroy_of(class_))

    thisown = property(read, write, doc="True if Python ends this record when nothing uses it any more.")
    type.__setattr__(class_, "thisown", thisown)


def _adopting(called: Any, name: str, owners: _Owners, destroy_of: Callable[[type], Callable[[int], object]]) -> Any:
    """A function whose result is the caller's."""

    def make(*arguments: Any, **keywords: Any) -> Any:
        made = called(*arguments, **keywords)
        if not isinstance(made, _native.Pointer):
            return made
        record = made[0]
        _tell_ownership(type(record), destroy_of)
        return owners.adopt(made, destroy_of(type(record)))

    return _named(make, called, name)


def _construct(record: Any, make: Any) -> None:
    """Have a record's class make its objects by a function."""

    def new(_class: type, *arguments: Any, **keywords: Any) -> Any:
        return make(*arguments, **keywords)

    def init(_self: Any, *_arguments: Any, **_keywords: Any) -> None:
        """Leave what C has made as it is."""

    type.__setattr__(record, "__new__", staticmethod(new))
    type.__setattr__(record, "__init__", init)


def adopt_record(record: Any, address: int) -> Any:
    """Make a record of C's Python's to end, and return it."""
    _tell_ownership(type(record), lambda _class: _free)
    _owners.own(record, address, _free)
    return record


class _Overloads:
    """Functions of one name, of which the first is called that takes the arguments."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str, str], list[Any]] = {}

    def add(self, key: tuple[str, str], function: Any) -> Any:
        """Return what is to be called for all functions of that name."""
        functions = self.functions.setdefault(key, [])
        functions.append(function)
        if len(functions) == 1:
            return function

        def choose(*arguments: Any, **keywords: Any) -> Any:
            for tried in functions[:-1]:
                try:
                    return tried(*arguments, **keywords)
                except (TypeError, OverflowError):
                    continue
            return functions[-1](*arguments, **keywords)

        return _named(choose, functions[0], key[1])


def _attribute(getter: Any, setter: Any) -> property:
    def read(self: Any) -> Any:
        return getter(self)

    def write(self: Any, value: Any) -> None:
        setter(self, value)

    return property(read, None if setter is None else write, doc=getter.__doc__)


class _ConvertedField(property):
    """A field that functions of the interface file's code read or write, or both."""


def _convert_field(record: type, name: str, function: Any, use: str) -> None:
    if (field := vars(record).get(name)) is None:  # it has another type, or none
        return
    read = _attribute(function, None).fget if use == "reads" else field.__get__
    write = _attribute(function, function).fset if use == "writes" else field.__set__
    type.__setattr__(record, name, _ConvertedField(read, write, doc=field.__doc__))


def _free(address: int) -> None:
    """End a record that no destructor is for, as SWIG does."""
    free = ctypes.CDLL(None).free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    free(address)


class GlobalVariables:
    """The global variables of a library, as SWIG has them: `cvar.name` is read and written."""

    def __init__(self, library: Any, names: Iterable[str], immutable: Iterable[str]) -> None:
        self.__dict__.update(_library=library, _names=frozenset(names), _immutable=frozenset(immutable))
        self.__dict__.update(_readers={}, _writers={})

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            # A constant of C has no place that could change.
            value = getattr(self._library, name, None)
            if isinstance(value, (int, float, str, bytes)):
                return value
            raise AttributeError(f"no global variable of C is named '{name}'")
        return self._readers[name]() if name in self._readers else self._library[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise AttributeError(f"no global variable of C is named '{name}'")
        if name in self._immutable:
            raise AttributeError(f"the variable '{name}' cannot be set: the interface file makes it immutable")
        if name in self._writers:
            self._writers[name](value)
            return
        if isinstance(value, _native.Pointer) and isinstance(self._library[name], _native.Record):
            value = value[0]
        setattr(self._library, name, value)

    def __dir__(self) -> list[str]:
        return sorted(self._names)

    def __repr__(self) -> str:
        return f"<global variables: {', '.join(sorted(self._names))}>"


def add_members(
    library: Any,
    members: Iterable[Sequence[str]],
    new_objects: Iterable[str],
    immutable: Iterable[str] | None,
) -> None:
    """Give records the members that `%extend` in an interface file adds, and callers the records that are theirs.

    A member is a record, a name and a function; behind these may be the function that sets an attribute (empty if it
    cannot be set), or an empty text and `static`, `constant`, `reads` or `writes`; the latter two are the functions of
    a field, or, without a record, of a variable. With an interface file, variables are attributes of `cvar`.
    """
    if "__members__" in library.__dict__:
        return
    library.__dict__["__members__"] = True
    if immutable is not None and library._variables:
        read_only = {library._python_name(name) for name in immutable}
        library.__dict__["cvar"] = GlobalVariables(library, library._variables, read_only)
    owners = _owners

    def bound(name: str) -> bool:
        return library._python_name(name) in library

    # What is left out, or is not there, has no members.
    members = [tuple(member) for member in members if (not member[0] or bound(member[0])) and bound(member[2])]
    new_objects = [name for name in new_objects if bound(name)]
    ends: dict[type, Callable[[int], object]] = {}

    def destroy_of(record: type) -> Callable[[int], object]:
        return ends.get(record, _free)

    names = {function: library._python_name(function) for _, _, function, *_ in members}
    for record, name, function, *_ in members:
        if name == "__del__":
            destroy = library[names[function]]
            ends[library[library._python_name(record)]] = destroy

            def ended(this: Any, _destroy: Any = destroy) -> None:
                owners.release(_address(this))
                _destroy(this)

            library.__dict__[names[function]] = _named(ended, destroy, names[function])
    for function in new_objects:
        python = library._python_name(function)
        library.__dict__[python] = _adopting(library[python], python, owners, destroy_of)
    overloads = _Overloads()
    for record, name, function, *more in members:
        python = names[function]
        called = library.__dict__.get(python, library[python])
        if not record:
            variables = library.__dict__["cvar"].__dict__
            variables["_readers" if more[1] == "reads" else "_writers"][library._python_name(name)] = called
            continue
        class_ = library[library._python_name(record)]
        if name == "__init__":
            make = _adopting(called, name, owners, destroy_of)
            _construct(class_, overloads.add((record, name), make))
        elif name == "__del__":
            continue
        elif more == ["", "constant"]:
            type.__setattr__(class_, name, called())
        elif more in (["", "reads"], ["", "writes"]):
            _convert_field(class_, name, called, more[1])
        elif more == ["", "static"]:
            type.__setattr__(class_, name, staticmethod(called))
        elif more:
            type.__setattr__(
                class_, name, _attribute(called, library[library._python_name(more[0])] if more[0] else None)
            )
        else:
            type.__setattr__(class_, name, overloads.add((record, name), _method(called, name)))
