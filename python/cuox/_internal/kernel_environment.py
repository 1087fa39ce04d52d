"""What the names of a kernel mean, told to its compiler.

A value is told as a tuple that begins with its kind; `cuox-py/src/pykernel/host.rs` reads them.
"""

from __future__ import annotations

import builtins
import enum
import functools
import sys
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from . import kernel_source, numba_types, type_codes

Told = tuple[Any, ...]

# The bytes that captured arrays can have, gaps included: those of constant memory.
_MOST_CAPTURED = 65536

# Modules whose functions the compiler knows, by the path that it knows them by.
MODULES = {
    "math": "math",
    "cmath": "cmath",
    "operator": "operator",
    "_operator": "operator",
    "builtins": "builtins",
    "numpy": "numpy",
}
_PREFIX = "cuox.numba"
# Imported where a program has types of its own.
_OWN_TYPES = f"{_PREFIX}.cuda._own_types"
_BUILTIN_CLASSES = {
    int: "int",
    float: "float",
    bool: "bool",
    complex: "complex",
    tuple: "tuple",
    list: "list",
    str: "str",
    range: "range",
    slice: "slice",
}
_BUILTIN_CLASSES |= {enumerate: "enumerate", zip: "zip", reversed: "reversed", type: "type"}


def module_path(name: str) -> str | None:
    """The path of a module by its name, if the compiler knows it."""
    if name in MODULES:
        return MODULES[name]
    if name == _PREFIX:
        return "numba"
    if name.startswith(_PREFIX + "."):
        return name[len(_PREFIX) + 1 :]
    return None


def is_state(value: Any) -> bool:
    """True for numbers whose values may change from launch to launch."""
    numpy = sys.modules.get("numpy")
    return type(value) in (bool, int, float, complex) or (
        numpy is not None and isinstance(value, (numpy.number, numpy.bool_))
    )


def host_array_type(value: Any) -> str | None:
    """The type code of a host array that is state: it may be read in kernels. None for other values, and for arrays of
    items that kernels do not know.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.ndarray) or isinstance(value, numpy.ma.MaskedArray):
        return None
    try:
        return f"array({type_codes.of_dtype(value.dtype)},{value.ndim},C,ro)"
    except TypeError:
        return None


Step = str | tuple[str, Any]
"""A name that a function uses; `("attr", name)` of an object; `("item", key)` of a container."""
Path = tuple[Step, ...]


def captured(function: FunctionType, path: Path) -> Any:
    """The value that is found by names from function to function, attributes and items."""
    value: Any = function
    for step in path:
        if isinstance(step, tuple):
            how, key = step
            value = getattr(value, key) if how == "attr" else value[key]
            continue
        python: FunctionType = getattr(value, "py_func", value)
        cells = dict(zip(python.__code__.co_freevars, python.__closure__ or (), strict=False))
        value = cells[step].cell_contents if step in cells else python.__globals__[step]
    return value


def shown_path(path: Path) -> str:
    """As a program has it, from the last name on."""
    names = [place for place, step in enumerate(path) if isinstance(step, str)]
    text = ""
    for step in path[names[-1] if names else 0 :]:
        text += step if isinstance(step, str) else f".{step[1]}" if step[0] == "attr" else f"[{step[1]!r}]"
    return text


class FunctionSource:
    """A function as the compiler asks for it."""

    node: Any
    line_offset: int
    file: str
    lines: list[str]
    first_line: int
    defaults: list[tuple[str, Told]]
    signatures: Sequence[tuple[list[str], str | None]]
    external: tuple[str, bool] | None
    inline: bool | None


class Environment:
    """The names around a kernel and the functions that it calls.

    by_state: numbers and host arrays that the functions capture are state, as device arrays are: their values may be
    others at each launch.
    """

    def __init__(self, function: FunctionType, *, by_state: bool = False) -> None:
        self.functions: list[Any] = [function]
        self.objects: list[Any] = []
        self.state: list[Any] = []
        self.by_state = by_state
        self.has_host_arrays = False
        # Where functions, objects and state were found.
        self._function_paths: dict[int, Path] = {0: ()}
        self._object_paths: dict[int, Path] = {}
        self.state_paths: dict[int, Path] = {}
        self._cells: dict[int, dict[str, Any]] = {}

    # Asked by the compiler

    def name(self, function: int, name: str) -> Told | None:
        python = self._python(function)
        cells = self._cells.get(function)
        if cells is None:
            cells = self._cells[function] = dict(
                zip(python.__code__.co_freevars, python.__closure__ or (), strict=False)
            )
        if name in cells:
            try:
                value = cells[name].cell_contents
            except ValueError:  # nothing has been assigned to it yet
                return None
            return self._captured(function, name, value)
        if name in python.__globals__:
            return self._captured(function, name, python.__globals__[name])
        if hasattr(builtins, name):
            value = getattr(builtins, name)
            if isinstance(value, (BuiltinFunctionType, type)) or value is None or isinstance(value, (bool, int)):
                return (
                    self.tell(value)
                    if not isinstance(value, type) or issubclass(value, BaseException)
                    else ("path", f"builtins.{name}")
                )
            return ("path", f"builtins.{name}")
        return None

    def _captured(self, function: int, name: str, value: Any) -> Told:
        """What a name of a function's surroundings means."""
        path: Path = (*self._function_paths.get(function, ()), name)
        code = self._state_type(value) if self.by_state else None
        return self.tell(value, path) if code is None else self._state(value, code, path)

    def _state(self, value: Any, code: str, path: Path | None) -> Told:
        for number, known in enumerate(self.state):
            # What has two names now may be two things at another launch.
            if self.state_paths.get(number) == path if self.by_state else known is value:
                return ("state", number, code)
        self.state.append(value)
        if path is not None:
            self.state_paths[len(self.state) - 1] = path
        return ("state", len(self.state) - 1, code)

    def _state_type(self, value: Any) -> str | None:
        """The type code of what is state beside device arrays."""
        if is_state(value):
            from cuox._native import _argument_type

            return str(_argument_type(value))
        found = host_array_type(value)
        self.has_host_arrays |= found is not None
        return found

    def attribute(self, number: int, name: str) -> Told | None:
        try:
            value = getattr(self.objects[number], name)
        except AttributeError:
            return None
        return self.tell(value, _within(self._object_paths.get(number), "attr", name))

    def member(self, path: str, name: str) -> Told | None:
        owner = _object_of(path)
        if owner is None:
            return None
        try:
            value = getattr(owner, name)
        except AttributeError:
            return None
        return self.tell(value)

    # A name that was probably meant by one that is not there

    def meant_name(self, function: int, own: list[str], name: str) -> str | None:
        python = self._python(function)
        around = {**python.__globals__, **dict.fromkeys(python.__code__.co_freevars)}
        for prefix, value in around.items():
            if isinstance(value, ModuleType) and module_path(value.__name__) is not None and hasattr(value, name):
                return f"{prefix}.{name}"
        return _similar(name, [*own, *around, *dir(builtins)])

    def meant_attribute(self, number: int, name: str) -> str | None:
        return _similar(name, dir(self.objects[number]))

    def meant_member(self, path: str, name: str) -> str | None:
        found = _similar(name, dir(_object_of(path)))
        return found and f"{path}.{found}"

    def item(self, number: int, key: Any) -> Told | None:
        try:
            value = self.objects[number][key]
        except Exception:
            return None
        return self.tell(value, _within(self._object_paths.get(number), "item", key))

    def called(self, number: int, key: Any) -> Told | None:
        kind = self.objects[number]
        if not isinstance(kind, enum.EnumMeta):
            return None
        try:
            return self.tell(kind(key))
        except ValueError:
            return None

    def kind(self, number: int) -> str:
        value = self.objects[number]
        return "enumeration" if isinstance(value, enum.EnumMeta) else "class" if isinstance(value, type) else "other"

    def function(self, number: int) -> FunctionSource:
        given = self.functions[number]
        python = self._python(number)
        found = FunctionSource()
        found.signatures = getattr(given, "_signatures", ()) if number else ()
        found.external = getattr(given, "_external", None)
        found.inline = getattr(given, "_inline", None)
        source = kernel_source.of(python)
        found.node, found.line_offset, found.file, found.lines, found.first_line = source
        found.defaults = []
        code = python.__code__
        if python.__defaults__:
            names = code.co_varnames[: code.co_argcount]
            own = _within(self._function_paths.get(number), "attr", "__defaults__")
            values = enumerate(python.__defaults__)
            found.defaults = [
                (name, self.tell(value, _within(own, "item", at)))
                for name, (at, value) in zip(names[-len(python.__defaults__) :], values, strict=True)
            ]
        for name, value in (python.__kwdefaults__ or {}).items():
            own = _within(self._function_paths.get(number), "attr", "__kwdefaults__")
            found.defaults.append((name, self.tell(value, _within(own, "item", name))))
        return found

    def _python(self, number: int) -> FunctionType:
        given = self.functions[number]
        function: FunctionType = getattr(given, "py_func", given)
        return function

    # Told to the compiler

    def tell(self, value: Any, path: Path | None = None) -> Told:
        """What an object means. path: where it was found, if that is known."""
        told = self._meaning(value, path)
        places: dict[int, Path] | None = {
            "function": self._function_paths,
            "object": self._object_paths,
            "state": self.state_paths,
        }.get(told[0])
        if places is not None and path is not None:
            places.setdefault(told[1], path)
        return told

    def _meaning(self, value: Any, path: Path | None) -> Told:
        kind = type(value)
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            return self._object(value, "an int of more than 64 bits")
        simple = _SIMPLE.get(kind)
        if simple is not None:
            told: Told = simple(value)
            return told
        told_by_class = getattr(kind, "_kernel_told", None)
        if told_by_class is not None:
            own: Told = told_by_class(value, self.tell)
            return own
        path = getattr(kind, "_kernel_path", None)
        if path is not None:
            return ("path", value.path)
        if kind is FunctionType:
            known = module_path(value.__module__ or "")
            # Not the user's functions that `functools.wraps` has given such a module's name.
            if known in ("numpy", "operator") and value.__globals__.get("__name__", "").partition(".")[0] == known:
                return ("path", f"{known}.{value.__name__}")
            marked = getattr(value, "_kernel_path", None)
            return ("path", marked) if marked else self._function(value)
        if kind is ModuleType:
            known = module_path(value.__name__)
            return ("path", known) if known is not None else self._object(value, f"module {value.__name__}")
        if hasattr(value, "py_func"):
            return self._function(value)
        if kind is BuiltinFunctionType and value.__name__ != "from_buffer":
            known = module_path(value.__module__ or "")
            return (
                ("path", f"{known}.{value.__name__}")
                if known
                else self._object(value, f"the function {value.__name__}")
            )
        if isinstance(value, type):
            return self._class(value)
        code = getattr(value, "code", None)
        if isinstance(code, str) and kind.__module__.startswith(_PREFIX):
            return ("type", code)
        if hasattr(kind, "_kernel_fields"):
            return self._numeric(value._record[()], path)
        own_types = sys.modules.get(_OWN_TYPES)
        if own_types is not None:
            if isinstance(code, str) and own_types.has_model(value):
                return ("type", code)
            constant = own_types.constant(value)
            if constant is not None:
                return self._numeric(constant, path)
        code = numba_types.code_of(value)
        if code is not None:
            return ("type", code)
        if isinstance(value, enum.Enum):
            if isinstance(value, int):
                return ("int", int(value))
            return self.tell(value.value)
        if isinstance(value, slice):
            parts = (value.start, value.stop, value.step)
            return ("slice", [self.tell(part) for part in parts])
        if isinstance(value, range):
            return ("range", value.start, value.stop, value.step)
        if isinstance(value, (tuple, list)):
            items = [self.tell(item, _within(path, "item", place)) for place, item in enumerate(value)]
            return (
                ("struct", kind.__name__, list(value._fields), items) if hasattr(value, "_fields") else ("tuple", items)
            )
        for base in (bool, int, float, complex, str, bytes):
            if isinstance(value, base) and not hasattr(value, "dtype"):
                plain: Told = _SIMPLE[base](value)
                return plain
        if isinstance(value, functools.partial):
            return self._object(value, "functools.partial")
        # A method of cffi's, by which programs for Numba get pointers.
        if getattr(value, "__name__", "") == "from_buffer" and type(getattr(value, "__self__", None)).__module__ in (
            "cffi.api",
            "_cffi_backend",
        ):
            return ("path", "cuda.from_buffer")
        return self._numeric(value, path)

    def _function(self, value: Any) -> Told:
        for number, known in enumerate(self.functions):
            if known is value:
                return ("function", number)
        self.functions.append(value)
        return ("function", len(self.functions) - 1)

    def _object(self, value: Any, described: str) -> Told:
        for number, known in enumerate(self.objects):
            if known is value:
                return ("object", number, described)
        self.objects.append(value)
        return ("object", len(self.objects) - 1, described)

    def _class(self, value: type) -> Told:
        if value in _BUILTIN_CLASSES:
            return ("path", f"builtins.{_BUILTIN_CLASSES[value]}")
        if issubclass(value, BaseException):
            if getattr(builtins, value.__name__, None) is value:
                return ("path", f"builtins.{value.__name__}")
            return self._object(value, f"the exception {value.__name__}")
        fields = getattr(value, "_kernel_fields", None)
        if fields is not None:
            return ("namedtuple", value.__name__, list(fields), [_field_type(kind) for kind in fields.values()])
        own_types = sys.modules.get(_OWN_TYPES)
        codes = own_types.fields_of_class(value) if own_types is not None else None
        if codes is not None:
            return ("namedtuple", value.__name__, list(codes), list(codes.values()))
        if issubclass(value, tuple) and hasattr(value, "_fields"):
            return ("namedtuple", value.__name__, list(value._fields), [None] * len(value._fields))
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(value, numpy.generic):
            try:
                return ("type", type_codes.of_dtype(numpy.dtype(value)))
            except TypeError:
                return self._object(value, f"the class {value.__name__}")
        if numpy is not None and value.__module__ == "numpy":
            return ("path", f"numpy.{value.__name__}")
        marked = getattr(value, "_kernel_path", None)
        if isinstance(marked, str):
            return ("path", marked)
        return self._object(value, f"the class {value.__name__}")

    def _numeric(self, value: Any, path: Path | None) -> Told:
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            if isinstance(value, numpy.generic):
                return _numpy_scalar(numpy, value)
            if isinstance(value, numpy.dtype):
                return ("type", type_codes.of_dtype(value))
            if isinstance(value, numpy.ufunc):
                name: str = value.__name__
                return (
                    ("path", f"numpy.{name}")
                    if getattr(numpy, name, None) is value
                    else self._object(value, f"the ufunc {name}")
                )
            if isinstance(value, numpy.ma.MaskedArray):
                return self._object(value, "a masked array")
            if isinstance(value, numpy.ndarray):
                code = type_codes.of_dtype(value.dtype)
                return ("array", code, list(value.shape), *_elements(numpy, value))
            known = module_path(getattr(value, "__module__", None) or "")
            if known == "numpy" and hasattr(value, "__name__"):
                return ("path", f"numpy.{value.__name__}")
        if hasattr(value, "__cuda_array_interface__"):
            import cuox
            from cuox._native import _argument_type

            array_code = _argument_type(value if isinstance(value, cuox.Array) else cuox.as_array(value))
            return self._state(value, str(array_code), path)
        return self._object(value, f"an object of class {type(value).__name__}")


def _elements(numpy: Any, array: Any) -> tuple[bytes, Any]:
    """The bytes of an array, and their order: False for C, True for Fortran, or strides and the first one's offset."""
    if array.flags.c_contiguous:
        return array.tobytes(), False
    if array.ndim > 1 and array.flags.f_contiguous:
        return array.tobytes("F"), True
    reach = [stride * (length - 1) for stride, length in zip(array.strides, array.shape, strict=True)]
    before, behind = -sum(by for by in reach if by < 0), sum(by for by in reach if by > 0)
    size = before + behind + array.itemsize
    # A GPU reads a number at multiples of its size only.
    align = array.itemsize if array.dtype.kind in "biufcmM" else array.dtype.alignment
    if size > _MOST_CAPTURED or any(by % align for by in (*array.strides, before)):
        return array.tobytes(), False
    # What lies between the elements is none of the kernel's.
    place = numpy.zeros(size, numpy.uint8)
    numpy.ndarray(array.shape, array.dtype, place, before, array.strides)[...] = array
    return place.tobytes(), (list(array.strides), before)


def _field_type(kind: Any) -> str | None:
    """The type code of a structure's field; None for a structure in it."""
    return None if hasattr(kind, "_kernel_fields") else type_codes.of_dtype(kind)


def _within(path: Path | None, how: str, key: Any) -> Path | None:
    return None if path is None else (*path, (how, key))


def _numpy_scalar(numpy: Any, value: Any) -> Told:
    code = type_codes.of_dtype(value.dtype)
    if isinstance(value, (numpy.datetime64, numpy.timedelta64)):
        return ("typed", code, ("int", int(value.astype(numpy.int64))))
    if isinstance(value, (numpy.str_, numpy.bytes_)):
        return ("str", str(value)) if isinstance(value, numpy.str_) else ("bytes", bytes(value))
    if isinstance(value, numpy.void):
        return ("record", code, value.tobytes())
    inner = value.item()
    if isinstance(inner, (bool, int, float, complex)):
        return ("typed", code, _SIMPLE[type(inner)](inner))
    return ("typed", code, ("float", float(value)))


_SIMPLE: dict[type, Any] = {
    type(None): lambda value: ("none",),
    bool: lambda value: ("bool", value),
    int: lambda value: ("int", int(value)),
    float: lambda value: ("float", float(value)),
    complex: lambda value: ("complex", value.real, value.imag),
    str: lambda value: ("str", str(value)),
    bytes: lambda value: ("bytes", bytes(value)),
    type(...): lambda value: ("path", "builtins.Ellipsis"),
}


def _similar(name: str, names: list[str]) -> str | None:
    """The public name that is most like one: the same but for capitals and underscores, else the same but for few
    letters.
    """

    def plain(name: str) -> str:
        return name.replace("_", "").lower()

    public = [one for one in names if not one.startswith("_")]
    for one in public:
        if plain(one) == plain(name):
            return one
    import difflib

    return next(iter(difflib.get_close_matches(name, public, 1, 0.75)), None)


def _object_of(path: str) -> Any:
    """The object behind a path of a module that the compiler knows."""
    first, *rest = path.split(".")
    if first in ("math", "cmath", "operator", "builtins", "numpy"):
        owner = sys.modules.get(first)
    else:
        owner = sys.modules.get(_PREFIX) if first == "numba" else sys.modules.get(f"{_PREFIX}.{first}")
    for name in rest:
        if owner is None:
            return None
        owner = getattr(owner, name, None)
    return owner
