"""Types of a program's own by Numba's extension interface: structures of numbers, which are records in kernels.

Numba's compiler calls a program's functions that write code for LLVM. There is none here: the functions are called with
objects that note which argument goes into which member.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import types

_models: dict[type, type] = {}
_attributes: dict[type, dict[str, str]] = {}
_typers: dict[type, Callable[..., Any]] = {}
_makers: dict[type, list[tuple[tuple[Any, ...], Callable[..., Any]]]] = {}
_type_of_instance: dict[type, Callable[..., Any]] = {}
_constants: dict[type, Callable[..., Any]] = {}

# What stands for the classes of types that a function is registered for.
_EXAMPLES: dict[Any, Any] = {
    types.Integer: types.int64,
    types.Float: types.float64,
    types.Number: types.float64,
    types.Complex: types.complex128,
    types.Boolean: types.boolean,
}


class StructModel:
    """A structure: `members` are pairs of a name and a type.

    dmm: not used. fe_type: the type that the structure is for.
    """

    def __init__(self, dmm: Any, fe_type: Any, members: Sequence[tuple[str, Any]]) -> None:
        self.fe_type = fe_type
        self.members = list(members)
        if not all(
            isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[0], str) for one in self.members
        ):
            raise TypeError(f"{fe_type!r}: members must be pairs of a name and a type, got {members!r}")
        _check_names(fe_type, [name for name, _ in self.members])


def _check_names(kind: Any, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TypeError(f"{kind!r}: several members have the name {', '.join(twice)}")


class _Code:
    """The type code of a type with a model, in the place of the one that the type was made with."""

    def __get__(self, kind: Any, owner: Any = None) -> Any:
        return self if kind is None else record(kind).code

    def __set__(self, kind: Any, value: str) -> None:
        pass


def _own_class(given: Any, base: type | None, what: str) -> type:
    if isinstance(given, type) and (base is None or issubclass(given, base)):
        return given
    wanted = "a class" if base is None else "a class of types, derived from types.Type"
    raise TypeError(
        f"{what}: expected {wanted}, got {getattr(given, '__name__', given)!r}: kernels call functions in Python as they are written, and no others instead"
    )


def _key(kind: Any) -> Any:
    return kind.name if type(kind).key is types.Type.key else kind.key


def _is_equal(kind: Any, other: Any) -> bool:
    return type(kind) is type(other) and bool(_key(kind) == _key(other))


def _hash(kind: Any) -> int:
    return hash((type(kind), _key(kind)))


def register_model(kind: Any) -> Callable[[type], type]:
    """Say what values of a class of types consist of; a decorator of a `models.StructModel`."""
    kind = _own_class(kind, types.Type, "register_model")

    def register(model: type) -> type:
        if not isinstance(model, type) or not issubclass(model, StructModel):
            raise TypeError(
                f"register_model: {getattr(model, '__name__', model)!r} is not derived from models.StructModel, the only model that kernels have"
            )
        _models[kind] = model
        kind.code = _Code()
        if kind.dtype is types.Type.dtype:
            kind.dtype = property(lambda own: record(own).dtype)
        # Types with the same members are not the same type.
        if kind.__eq__ is types.Type.__eq__:
            kind.__eq__, kind.__hash__ = _is_equal, _hash
        return model

    return register


def make_attribute_wrapper(kind: Any, struct_attr: str, python_attr: str) -> None:
    """Have kernels read a member of a class of types by an attribute.

    Raises TypeError for a second attribute of a member.
    """
    kind = _own_class(kind, types.Type, "make_attribute_wrapper")
    known = _attributes.setdefault(kind, {}).setdefault(struct_attr, python_attr)
    if known != python_attr:
        raise TypeError(
            f"make_attribute_wrapper: the member {struct_attr!r} of {kind.__name__} has the attribute {known!r} already, and members have one in kernels"
        )


def type_callable(given: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say which type calls of a class make: a decorator of a function of a context, that returns a function of the
    arguments' types.
    """
    made = _own_class(given, None, "type_callable")

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _typers[made] = function
        return function

    return register


def lower_builtin(given: Any, *argument_types: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say how a call of a class makes a value: a decorator of a function `(context, builder, sig, args)` that puts the
    arguments into the members of `cgutils.create_struct_proxy(sig.return_type)(context, builder)`, in their order.
    """
    made = _own_class(given, None, "lower_builtin")

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _makers.setdefault(made, []).append((argument_types, function))
        return function

    return register


def lower_constant(kind: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say how an object that a kernel names becomes a value: a decorator of a function `(context, builder, typ,
    value)`.
    """
    kind = _own_class(kind, types.Type, "lower_constant")

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _constants[kind] = function
        return function

    return register


class _TypeofImpl:
    """The types of a program's objects: `@typeof_impl.register(cls)` decorates a function `(value, context)`."""

    def register(self, given: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Say which type the objects of a class have."""
        own = _own_class(given, None, "typeof_impl.register")

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            _type_of_instance[own] = function
            return function

        return register


typeof_impl = _TypeofImpl()


def has_model(kind: Any) -> bool:
    """True for a type of a class that has a model."""
    return any(base in _models for base in type(kind).__mro__)


def _of_class(table: dict[type, Any], kind: Any) -> Any:
    return next((table[base] for base in type(kind).__mro__ if base in table), None)


def _members(kind: Any) -> list[tuple[str, Any]]:
    model = _of_class(_models, kind)
    if model is None:
        raise TypeError(f"{kind!r}: kernels do not know this type: register_model has not been called for its class")
    members: list[tuple[str, Any]] = model(None, kind).members
    return members


def _fields(kind: Any) -> list[tuple[str, Any]]:
    """The members of a type by the names that kernels read them by."""
    attributes: dict[str, str] = {}
    for base in reversed(type(kind).__mro__):
        attributes |= _attributes.get(base, {})
    members = _members(kind)
    for unknown in attributes.keys() - dict(members).keys():
        raise TypeError(
            f"make_attribute_wrapper: {kind!r} has no member {unknown!r}; it has {', '.join(name for name, _ in members)}"
        )
    fields = [(attributes.get(name, name), types._as_type(one)) for name, one in members]
    _check_names(kind, [name for name, _ in fields])
    return fields


def record(kind: Any) -> types.Record:
    """The record that values of a type are."""
    try:
        return types.Record.make_c_struct(_fields(kind))
    except RecursionError:
        raise TypeError(f"{kind!r}: a member consists of the type itself") from None


class _Struct:
    """The members of a value, as a program's function has set them: places of arguments, constants, structures."""

    def __init__(self, kind: Any, context: Any = None, builder: Any = None, value: Any = None) -> None:
        known = dict.fromkeys((name for name, _ in _members(kind)), None)
        if isinstance(value, _Struct):
            known |= value.__dict__["_set"]
        self.__dict__.update(_kind=kind, _set=known)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._set:
            raise AttributeError(f"{self._kind!r} has no member {name!r}; it has {', '.join(self._set)}")
        self._set[name] = value

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_set"][name]
        except KeyError:
            raise AttributeError(name) from None

    def _getvalue(self) -> _Struct:
        return self


def create_struct_proxy(fe_type: Any, kind: str = "value") -> Callable[..., _Struct]:
    """Return what makes an object whose attributes are the members of a type with a model.

    Raises TypeError for proxies of places in memory.
    """
    if kind != "value":
        raise TypeError(f"create_struct_proxy: a proxy of the kind {kind!r} belongs to Numba's own compiler")

    def make(context: Any, builder: Any, value: Any = None) -> _Struct:
        return _Struct(fe_type, context, builder, value)

    return make


class _Argument:
    """An argument of a call."""

    def __init__(self, place: int) -> None:
        self.place = place


class _Insides:
    """The compiler's objects that a program's functions are called with."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self._name, self._function = name, function

    def __getattr__(self, name: str) -> Any:
        raise TypeError(
            f"{self._function.__name__}() uses {self._name}.{name}, which belongs to Numba's own compiler: only members of create_struct_proxy() may be set"
        )


class _Context(_Insides):
    def get_constant(self, kind: Any, value: Any) -> Any:
        return types.as_dtype(kind).type(value)

    def get_constant_generic(self, builder: Any, kind: Any, value: Any) -> Any:
        lowering = _of_class(_constants, kind)
        return self.get_constant(kind, value) if lowering is None else _called(lowering, kind, value)

    def cast(self, builder: Any, value: Any, before: Any, after: Any) -> Any:
        return value

    def make_helper(self, builder: Any, kind: Any, value: Any = None) -> _Struct:
        return _Struct(kind, self, builder, value)


def _called(function: Callable[..., Any], *rest: Any) -> _Struct:
    made = function(_Context("context", function), _Insides("builder", function), *rest)
    if not isinstance(made, _Struct):
        raise TypeError(f"{function.__name__}() must return the value of create_struct_proxy(), got {made!r}")
    unset = [name for name, value in made._set.items() if value is None]
    if unset:
        raise TypeError(f"{function.__name__}() does not set {', '.join(unset)}")
    return made


def _example(kind: Any) -> Any:
    """A type of a class of types: Numba's, or one of the program's that takes nothing."""
    if kind in _EXAMPLES or isinstance(kind, types.Type):
        return _EXAMPLES.get(kind, kind)
    try:
        return _own_class(kind, types.Type, "lower_builtin")()
    except TypeError:
        raise TypeError(
            f"lower_builtin: expected a type, or a class of types that can be called without arguments, got {getattr(kind, '__name__', kind)!r}"
        ) from None


def fields_of_class(made: type) -> dict[str, str | None] | None:
    """Names and type codes of what a call of the class takes, `None` for the code of a structure. None for classes that
    were not registered.

    Raises TypeError if the program's function does something else than to put its arguments into the members in order,
    or if it is another type for other arguments.
    """
    typer, makers = _typers.get(made), _makers.get(made)
    if typer is None or makers is None:
        return None
    result, count = None, None
    for argument_types, function in makers:
        if count is not None and len(argument_types) != count:
            continue  # calls with another number of arguments are errors of their own
        examples = tuple(map(_example, argument_types))
        kind = typer(None)(*examples)
        if kind is None:
            continue
        value = _called(function, types.Signature(kind, examples), tuple(map(_Argument, range(len(examples)))))
        places = [one.place if isinstance(one, _Argument) else None for one in value._set.values()]
        if value._kind != kind or places != list(range(len(examples))):
            raise TypeError(
                f"{function.__name__}() of {made.__name__} does something else than to put its arguments into the members in their order, which kernels do not take: write a function in Python that calls {made.__name__}"
            )
        if result is not None and result != kind:
            raise TypeError(
                f"{made.__name__} makes {result!r} or {kind!r}, by the types of its arguments, and classes make one type in kernels: write a class for each"
            )
        result, count = kind, len(argument_types)
    if result is None:
        raise TypeError(f"{made.__name__}: the function of type_callable accepts none of the types of lower_builtin")
    return {name: None if has_model(one) else one.code for name, one in _fields(result)}


def constant(value: Any) -> Any:
    """An object of a class that `typeof_impl` knows, as NumPy's record; None for other objects."""
    known = _of_class(_type_of_instance, value)
    if known is None:
        return None
    kind = known(value, None)
    lowering = _of_class(_constants, kind)
    if not has_model(kind) or lowering is None:
        raise TypeError(
            f"an object of class {type(value).__name__} in a kernel: {kind!r} needs register_model and lower_constant"
        )
    import numpy as np

    return np.array(_values(_called(lowering, kind, value)), record(kind).dtype)[()]


def _values(made: _Struct) -> tuple[Any, ...]:
    return tuple(_values(one) if isinstance(one, _Struct) else one for one in made._set.values())
