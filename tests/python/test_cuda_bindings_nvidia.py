"""`cuox.cuda.bindings` beside NVIDIA's `cuda.bindings` 13.0: every public name, constant, enumeration, class and
field."""

from __future__ import annotations

import enum
import importlib
import importlib.metadata
import inspect
import types
from typing import Any

import pytest

MODULES = ["driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "utils"]

# Public by accident: what the modules import, and what Cython makes of types without a name.
INTERNAL = {"Any", "Callable", "IntEnum", "Optional", "cudaBindingsDriverGlobal", "cudaBindingsRuntimeGlobal"}

# NVIDIA's is -1, which its own functions refuse for an unsigned parameter.
CONSTANTS = {"CUDA_EGL_INFINITE_TIMEOUT"}

# Integers with a name of their own are ints when they are read.
INTEGERS = {"cuuint32_t", "cuuint64_t"}


def version() -> str:
    try:
        return importlib.metadata.version("cuda-bindings")
    except importlib.metadata.PackageNotFoundError:
        return ""


pytestmark = pytest.mark.skipif(
    not version().startswith("13.0."), reason=f"cuda-bindings 13.0 is not installed ({version() or 'none is'})"
)


def pair(module: str) -> tuple[types.ModuleType, types.ModuleType]:
    return importlib.import_module(f"cuda.bindings.{module}"), importlib.import_module(f"cuox.cuda.bindings.{module}")


def named(module: str) -> list[tuple[str, Any, Any]]:
    """Names that both modules have, with what they stand for. The driver in use may lack functions."""
    theirs, ours = pair(module)
    found = []
    for name in dir(theirs):
        if name.startswith(("_", "anon_")) or name in INTERNAL:
            continue
        value = getattr(theirs, name)
        if isinstance(value, types.ModuleType):
            continue
        try:
            found.append((name, value, getattr(ours, name)))
        except AttributeError as error:
            assert "has no symbol" in str(error), name
    return found


def classes(module: str) -> list[tuple[str, type, type]]:
    """Classes of C values: handles, records, callbacks, integers."""
    made = []
    for name, theirs, ours in named(module):
        if isinstance(theirs, type) and not issubclass(theirs, (enum.Enum, Exception)):
            assert isinstance(ours, type), name
            made.append((name, theirs, ours))
    return made


def kind(value: Any) -> str:
    if isinstance(value, type):
        return "enumeration" if issubclass(value, enum.Enum) else "class"
    return "function" if callable(value) else type(value).__name__


def new(class_: type) -> Any:
    """An object without a value; None where NVIDIA's class has no such thing."""
    try:
        return class_()
    except TypeError:
        return None


def fields(record: Any) -> list[str]:
    return [
        name
        for name in dir(type(record))
        if inspect.isdatadescriptor(getattr(type(record), name)) and not name.startswith("_")
    ]


def records(module: str) -> list[tuple[str, Any, Any]]:
    """New records of both."""
    made = [(name, new(theirs), ours()) for name, theirs, ours in classes(module)]
    return [(name, a, b) for name, a, b in made if a is not None and fields(a)]


def read(record: Any, field: str) -> Any:
    """A field's value; its class for a handle or record, and a plain int for an integer with a name."""
    value = getattr(record, field)
    if type(value).__name__ in INTEGERS:
        return int(value)
    if isinstance(value, list):
        return [
            int(one) if type(one).__name__ in INTEGERS else type(one).__name__ if hasattr(one, "getPtr") else one
            for one in value
        ]
    if hasattr(value, "getPtr"):
        return (type(value).__name__, int(value)) if hasattr(value, "__int__") else "a record"
    return value


def test_version() -> None:
    assert importlib.import_module("cuox.cuda.bindings").__version__.startswith("13.0.")


@pytest.mark.parametrize("module", MODULES)
def test_names(module: str) -> None:
    theirs, _ = pair(module)
    found = named(module)
    assert len(found) > 5 or module == "utils"
    wrong = [f"{name}: {kind(a)}, ours is {kind(b)}" for name, a, b in found if kind(a) != kind(b)]
    assert not wrong, "\n".join(wrong)
    assert theirs.__name__.rpartition(".")[2] == module


@pytest.mark.parametrize("module", MODULES)
def test_enumerations_and_constants(module: str) -> None:
    wrong = []
    for name, theirs, ours in named(module):
        if kind(theirs) == "enumeration":
            members = {key: int(value) for key, value in ours.__members__.items()}
            wrong += [f"{name}.{key}" for key, value in theirs.__members__.items() if members.get(key) != int(value)]
            # Iteration, `str()` and unknown values depend on it.
            if ours.__mro__[1] is not enum.IntEnum:
                wrong.append(f"{name} is an {ours.__mro__[1].__name__}")
        elif kind(theirs) == "int" and name not in CONSTANTS and theirs != ours:
            wrong.append(f"{name}: {theirs}, ours is {ours}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", ["driver", "runtime", "nvrtc"])
def test_sizes(module: str) -> None:
    theirs, ours = pair(module)
    compared = 0
    for name, a, b in classes(module):
        try:
            size = theirs.sizeof(a)
        except TypeError:
            continue
        assert ours.sizeof(b) == size, name
        compared += 1
    assert compared > 0
    with pytest.raises(TypeError):
        ours.sizeof(int)


@pytest.mark.parametrize("module", ["driver", "runtime", "nvrtc"])
def test_handles_and_integers(module: str) -> None:
    """Everything that one value is made of: made of an int or of what lies at an address, shown, compared, turned into
    an int.
    """
    compared = 0
    for name, theirs, ours in classes(module):
        a, b = new(theirs), new(ours)
        if a is None or not hasattr(a, "__int__"):
            continue
        # Other names of a class are the class, here or there.
        aliased = name not in str(a) or name not in str(b)
        for value in (0, 5):
            a, b = theirs(value), ours(value)
            assert int(a) == int(b) == value, name
            assert aliased or str(a) == str(b), name
            at = ours(_ptr=b.getPtr())
            assert int(at) == value, name
            assert bool(a) == bool(b), name
            hash(b)
            if "__eq__" in vars(theirs):
                assert (a == theirs(value)) == (b == ours(value)) and (a == theirs(7)) == (b == ours(7)), name
        with pytest.raises(TypeError):
            ours("5")
        compared += 1
    assert compared > 0


@pytest.mark.parametrize("module", ["driver", "runtime"])
def test_fields(module: str) -> None:
    """Every field is there, has the same value and type when nothing has been assigned, and the same after an
    assignment.
    """
    wrong, compared = [], 0
    for name, a, b in records(module):
        for field in fields(a):
            if not hasattr(b, field):
                wrong.append(f"{name}.{field} is missing")
                continue
            x, y = read(a, field), read(b, field)
            # An enumeration's field without a member is None there, the number here.
            if x is None and isinstance(y, int):
                x = int(y)
            if x != y or (type(x) is not type(y) and not isinstance(x, enum.Enum)):
                wrong.append(f"{name}.{field}: {x!r}, ours is {y!r}")
                continue
            compared += 1
            values = [bytes(range(len(x)))] if isinstance(x, bytes) else [[3] * len(x)] if isinstance(x, list) else [1]
            for value in values:
                try:
                    setattr(a, field, value)
                except Exception:
                    continue
                try:
                    setattr(b, field, value)
                except TypeError as error:
                    assert "takes a callable, got int 1" in str(error)  # that is no function's address
                    setattr(a, field, 1 << 16)
                    setattr(b, field, 1 << 16)
                x, y = read(a, field), read(b, field)
                if x is not None and x != y:
                    wrong.append(f"{name}.{field} = {value!r}: {x!r}, ours is {y!r}")
    assert not wrong, "\n".join(wrong)
    assert compared > 100


@pytest.mark.parametrize("module", ["driver", "runtime"])
def test_records_look_the_same(module: str) -> None:
    wrong, compared = [], 0
    for name, a, b in records(module):
        try:
            text = str(a)
        except TypeError:  # NVIDIA's cannot show all of its own
            continue
        said = {line.strip().partition(" :")[0] for line in text.splitlines() if "[" not in line}
        shown = {line.strip().partition(" :")[0] for line in str(b).splitlines()}
        if missing := said - shown:
            wrong.append(f"{name}: {sorted(missing)}")
        assert type(b)(_ptr=b.getPtr()).getPtr() == b.getPtr(), name
        assert not {"address", "copy", "from_address", "from_buffer"} & set(dir(b)) - set(fields(a)), name
        compared += 1
    assert not wrong, "\n".join(wrong)
    assert compared > 50


def test_a_record_is_shown_as_there() -> None:
    theirs, ours = pair("driver")
    for name in (
        "CUDA_KERNEL_NODE_PARAMS_st",
        "CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS",
        "CUDA_MEMCPY2D_v2",
        "CUipcMemHandle",
    ):
        a, b = getattr(theirs, name)(), getattr(ours, name)()
        assert str(b).split() == str(a).replace("None", "0").split()
