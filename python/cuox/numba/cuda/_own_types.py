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


def register_model(kind: Any) -> Callable[[type], type]:
    """Say what values of a class of types consist of; a decorator of a `models.StructModel`."""
    kind = _own_class(kind, types.Type, "register_model")

    def register(model: type) -> type:
        if not issubclass(model, StructModel):
            raise TypeError(
                f"register_model: {model.__name__} is not derived from models.StructModel, the only model that kernels have"
            )
        _models[kind] = model
        kind.code = _Code()
        if kind.dtype is types.Type.dtype:
            kind.dtype = property(lambda own: record(own).dtype)
        return model

    return register


def make_attribute_wrapper(kind: Any, struct_attr: str, python_attr: str) -> None:
    """Have kernels read a member of a class of types by an attribute."""
    kind = _own_class(kind, types.Type, "make_attribute_wrapper")
    _attributes.setdefault(kind, {})[struct_attr] = python_attr


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


def _attribute(kind: Any, member: str) -> str:
    found: dict[str, str] = {}
    for base in reversed(type(kind).__mro__):
        found |= _attributes.get(base, {})
    return found.get(member, member)


def record(kind: Any) -> types.Record:
    """The record that values of a type are: its fields have the names that kernels read them by."""
    return types.Record.make_c_struct([(_attribute(kind, name), types._as_type(one)) for name, one in _members(kind)])


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


def create_struct_proxy(kind: Any, kind_of_proxy: str = "value") -> Callable[..., _Struct]:
    """Return what makes an object whose attributes are the members of a type with a model.

    Raises TypeError for proxies of places in memory.
    """
    if kind_of_proxy != "value":
        raise TypeError(f"create_struct_proxy: a proxy of {kind_of_proxy} belongs to Numba's own compiler")

    def make(context: Any, builder: Any, value: Any = None) -> _Struct:
        return _Struct(kind, context, builder, value)

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
    if kind in _EXAMPLES or not isinstance(kind, type):
        return _EXAMPLES.get(kind, kind)
    try:
        return kind()
    except TypeError:
        raise TypeError(
            f"lower_builtin: {kind.__name__} needs parameters, which types of arguments of kernels' classes cannot have"
        ) from None


def fields_of_class(made: type) -> dict[str, str | None] | None:
    """Names and type codes of what a call of the class takes, `None` for the code of a structure. None for classes that
    were not registered.

    Raises TypeError if the program's function does something else than to put its arguments into the members in order.
    """
    typer, makers = _typers.get(made), _makers.get(made)
    if typer is None or makers is None:
        return None
    for argument_types, function in makers:
        examples = tuple(map(_example, argument_types))
        kind = typer(None)(*examples)
        if kind is None:
            continue
        value = _called(function, types.Signature(kind, examples), tuple(map(_Argument, range(len(examples)))))
        places = [one.place if isinstance(one, _Argument) else None for one in value._set.values()]
        if value._kind is not kind or places != list(range(len(examples))):
            raise TypeError(
                f"{function.__name__}() of {made.__name__} does something else than to put its arguments into the members in their order, which kernels do not take: write a function in Python that calls {made.__name__}"
            )
        return {
            _attribute(kind, name): None if has_model(one) else types._as_type(one).code for name, one in _members(kind)
        }
    raise TypeError(f"{made.__name__}: the function of type_callable accepts none of the types of lower_builtin")


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
