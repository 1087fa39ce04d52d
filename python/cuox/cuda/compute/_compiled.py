"""Algorithms that are compiled ahead: `serialize` and `deserialize`.

To serialize an algorithm is to run it without launching anything (`_Recording`): what it would translate and compile is
noted, and compiled for the wanted architectures. An algorithm that was read does the same work with what was noted in
place of the translator and the compiler (`_Replay`).
"""

from __future__ import annotations

import copy
import hashlib
import inspect
import re
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import cuox
from cuox._internal.kernel_environment import Step, shown_path
from cuox._native import _Elementwise, _RadixSort, _source_ptx, _supply_code, _take_code_back

from . import _blob
from ._calls import in_mode
from ._items import Item, item_of_code
from ._mode import Mode, StoredOperator
from ._operators import _FLAGS, Operator, constants_digest, identity_text, operator_digest, operator_of, python_function
from ._recent import Recent
from .algorithms import made_by_name
from .algorithms._algorithm import Algorithm, Prototype, item_of_value, stream_of, with_memory
from .iterators import IteratorBase, iterator_of
from .op import CppOp

# Items of the arrays that nothing is done with while an algorithm is compiled: enough for all kernels of a sort.
_ITEMS = 1 << 14
# Numbers of items from which on kernels have indices and counts of 64 bits.
_LONG = 1 << 33


def _key(items: Sequence[Item], result: Item | None) -> tuple[tuple[str, ...], str | None]:
    return tuple(item.code for item in items), None if result is None else result.code


def described(given: Any) -> str:
    """The kind of an array, iterator or value, as far as compiled code hangs on it."""
    if isinstance(given, IteratorBase):
        inner = [
            described(one)
            for value in vars(given).values()
            for one in (value if isinstance(value, list) else [value])
            if isinstance(one, IteratorBase)
        ]
        return f"{type(given).__name__} of {given.item.code}{''.join(f' over ({one})' for one in inner)}"
    if given is None:
        return "nothing"
    if hasattr(given, "__cuda_array_interface__"):
        return f"an array of {iterator_of(given).item.code}"
    return f"a value of {item_of_value(given).code}"


class _RecordedOperator(StoredOperator):
    def __init__(self, function: Any) -> None:
        super().__init__(function, isinstance(function, CppOp))
        self.found: dict[Any, Operator] = {}
        self.identities: dict[str, str | None] = {}
        self._used = function

    def adapt(self, change: Callable[[Any], Any]) -> None:
        self._used = change(self.function)

    def operator(self, items: Sequence[Item], result: Item | None) -> Operator:
        return self.found.setdefault(_key(items, result), operator_of(self._used, items, result))

    def identity(self, dtype: Any) -> str | None:
        return self.identities.setdefault(dtype.str, identity_text(self.function, dtype))


class _Recording(Mode):
    """Notes what an algorithm needs."""

    launches = False

    def __init__(self) -> None:
        self.kernels: Recent[Any] = Recent(256)
        self.options: Sequence[str] = ()
        self.sources: dict[tuple[str, str], list[str]] = {}
        self.operators: dict[str, _RecordedOperator] = {}
        self.kinds: dict[str, str] = {}

    def launcher(self, made: Any) -> Callable[..., None]:
        def note(*values: Any, n: int = 0, stream: Any = None, **keywords: Any) -> None:
            counts = (n, _LONG) if isinstance(made, (_Elementwise, _RadixSort)) else (n,)
            for count in counts:
                if isinstance(made, _RadixSort):
                    found = made._sources(count, values[7])
                else:
                    found = made._sources(*values, n=count, **keywords)
                self.sources.update({(text, name): options for text, name, options in found})

        def note_radix_sort(*values: Any, stream: Any = None) -> None:
            note(*values, n=values[4])

        return note_radix_sort if isinstance(made, _RadixSort) else note

    def operator(self, name: str, given: Any) -> Any:
        if given is None:
            return None
        known = self.operators.get(name)
        if known is None:
            known = self.operators[name] = _RecordedOperator(given)
        return known

    def check(self, name: str, given: Any) -> None:
        self.kinds[name] = described(given)

    def calls(self, native: Any) -> Callable[..., None]:
        return in_mode(native, self, remembers=False)


def _parameters(kind: type[Any]) -> Any:
    """The parameters of an algorithm's calls."""
    return inspect.signature(kind.__call__).parameters


def _recorded(algorithm: Algorithm, prototype: Prototype) -> _Recording:
    recording = _Recording()
    work: Any = copy.copy(algorithm)
    work.mode = recording
    parameters = _parameters(type(algorithm))
    arguments = {name: with_memory(value, _ITEMS) for name, value in prototype.arguments.items() if name in parameters}
    counts = [name for name in parameters if name.startswith("num_")]
    # More items than 32 bits count, many, few, and none, for which some algorithms have kernels of their own.
    for count in (_LONG, _ITEMS, 1, 0):
        work(**arguments | dict.fromkeys(counts, count))
    return recording


def serialize(algorithm: Any) -> bytes:
    """The bytes of an algorithm that `make_…` has returned, compiled: `deserialize` makes it again, in another process
    and
    on another machine, without a compiler and without the sources of its operators.

    It is compiled for the compute capabilities that were given to `make_…`, else for that of the current device, and
    runs on these and later ones. The bytes are for this version of cuox.

    Raises TypeError for other objects, ValueError for a compute capability that the compiler does not know,
    KernelTypeError for operators that cannot be translated.
    """
    if isinstance(algorithm, Deserialized):
        return algorithm.serialize()
    if not isinstance(algorithm, Algorithm) or algorithm.prototype is None:
        raise TypeError(f"serialize takes what make_… returns, got {type(algorithm).__name__}")
    prototype = algorithm.prototype
    recording = _recorded(algorithm, prototype)
    texts: list[bytes] = []

    def place(text: str | bytes) -> int:
        texts.append(text.encode() if isinstance(text, str) else text)
        return len(texts) - 1

    capabilities = prototype.capabilities or (_capability(cuox.Device()),)
    kernels = []
    for (text, name), flags in recording.sources.items():
        codes = {str(one): place(_ptx(text, name, flags, one)) for one in capabilities}
        kernels.append({"text": place(text), "name": name, "ptx": codes})
    operators = []
    for argument, recorded in recording.operators.items():
        forms = [
            {
                "items": list(items),
                "result": result,
                "name": one.name,
                "text": place(one.preamble),
                "returns": None if one.result is None else one.result.code,
                "state": one.state_type,
                "paths": [[step if isinstance(step, str) else list(step) for step in path] for path in one.paths],
                "constants": constants_digest(python_function(recorded.function), are_parts=one.constants is None),
                "are_parts": one.constants is None,
            }
            for (items, result), one in recorded.found.items()
        ]
        operators.append(
            {
                "argument": argument,
                "cpp": recorded.is_cpp,
                "code": operator_digest(recorded.function),
                "forms": forms,
                "identities": recorded.identities,
            }
        )
    parameters = _parameters(type(algorithm))
    options = {
        name: getattr(value, "name", value) for name, value in prototype.arguments.items() if name not in parameters
    }
    return _blob.write(
        {
            "algorithm": prototype.name,
            "options": options,
            "kinds": recording.kinds,
            "capabilities": list(capabilities),
            "operators": operators,
            "kernels": kernels,
        },
        texts,
    )


def _ptx(text: str, name: str, options: list[str], capability: int) -> bytes:
    found = bytes(_source_ptx(text, name, options, str(capability)))
    target = re.search(rb"^\s*\.target\s+sm_(\d+)", found, re.MULTILINE)
    if target is None or int(target[1]) != capability:
        raise ValueError(f"compute_capability: the compiler does not know {capability // 10}.{capability % 10}")
    return found


def _capability(device: Any) -> int:
    major, minor = device.compute_capability
    return 10 * int(major) + int(minor)


class _ReadOperator(StoredOperator):
    def __init__(
        self, name: str, function: Any, given: dict[str, Any], forms: dict[Any, tuple[Operator, str | None, bool]]
    ) -> None:
        super().__init__(function, given["cpp"])
        self.name, self.forms, self.identities = name, forms, given["identities"]
        if function is not None:
            own, compiled = operator_digest(function), given["code"]
            # Code of another version of Python cannot be compared.
            versions = {one.partition(" ")[0] for one in (own, compiled)}
            if own != compiled and (len(versions) == 1 or versions & {"OpKind", "CppOp"}):
                raise ValueError(
                    f"{name}: another operator than the one that was compiled: leave it out, or make and serialize the algorithm again"
                )

    def operator(self, items: Sequence[Item], result: Item | None) -> Operator:
        found = self.forms.get(_key(items, result))
        if found is None:
            raise TypeError(
                f"{self.name}: the algorithm was compiled for items of other types than {', '.join(item.code for item in items)}"
            )
        made, constants, are_parts = found
        if made.paths and self.function is None:
            raise TypeError(
                f"{self.name}: the operator captures values ({', '.join(map(shown_path, made.paths))}): pass a function that has them"
            )
        if (
            constants is not None
            and self.function is not None
            and constants_digest(python_function(self.function), are_parts=are_parts) != constants
        ):
            raise ValueError(f"{self.name}: the operator captures other numbers than those that it was compiled with")
        return made

    def identity(self, dtype: Any) -> str | None:
        text: str | None = self.identities.get(dtype.str)
        return text


_uses: dict[str, int] = {}
_lock = threading.RLock()


def _take_back(option: str) -> None:
    with _lock:
        _uses[option] -= 1
        if _uses[option]:
            return
        del _uses[option]
        _take_code_back(option)


class _Replay(Mode):
    """An algorithm's work with compiled code for one compute capability."""

    launches = True

    def __init__(self, owner: Deserialized, capability: int) -> None:
        self._owner = weakref.ref(owner)
        self.kernels: Recent[Any] = Recent(256)
        option = f"--cuox-supplied={owner.digest}-{capability}"
        self.options: Sequence[str] = (option,)
        self._calls: dict[int, Callable[..., None]] = {}
        with _lock:
            is_new = option not in _uses
            _uses[option] = _uses.get(option, 0) + 1
            if is_new:
                for text, name, codes in owner.kernels:
                    _supply_code(text, name, [*_FLAGS, option], codes[capability])
        weakref.finalize(owner, _take_back, option)

    def launcher(self, made: Any) -> Callable[..., None]:
        found: Callable[..., None] = made
        return found

    def _of(self) -> Deserialized:
        owner = self._owner()
        assert owner is not None
        return owner

    def operator(self, name: str, given: Any) -> Any:
        return self._of().operator(name, given)

    def check(self, name: str, given: Any) -> None:
        wanted, own = self._of().kinds.get(name), described(given)
        if wanted is not None and own != wanted:
            raise TypeError(f"{name}: the algorithm was compiled for {wanted}, got {own}")

    def calls(self, native: Any) -> Callable[..., None]:
        found = self._calls.get(id(native))
        if found is None:
            found = self._calls[id(native)] = in_mode(native, self, remembers=True)
        return found


def _step(given: Any) -> Step:
    if isinstance(given, str):
        return given
    how, key = given
    if how not in ("attr", "item") or not isinstance(key, (str, int)):
        raise ValueError(f"a path with {given}")
    return how, key


class Deserialized:
    """An algorithm that `deserialize` has made. It is called as what `make_…` returns; operators may be left out if
    they capture nothing.
    """

    def __init__(self, blob: bytes, description: dict[str, Any], texts: list[bytes]) -> None:
        self._blob = blob
        self.digest = hashlib.sha256(blob).hexdigest()[:32]
        self.name: str = description["algorithm"]
        self.compute_capabilities: list[int] = [int(one) for one in description["capabilities"]]
        self.kinds = {str(name): str(kind) for name, kind in description["kinds"].items()}
        self.kernels = [
            (texts[one["text"]].decode(), str(one["name"]), {int(key): texts[at] for key, at in one["ptx"].items()})
            for one in description["kernels"]
        ]
        if not self.compute_capabilities or any(
            set(codes) != set(self.compute_capabilities) for _, _, codes in self.kernels
        ):
            raise ValueError("code for other compute capabilities than said")
        self._operators: dict[str, tuple[dict[str, Any], dict[Any, tuple[Operator, str | None, bool]]]] = {}
        for one in description["operators"]:
            forms = {}
            for form in one["forms"]:
                returns = None if form["returns"] is None else item_of_code(form["returns"])
                paths = [tuple(map(_step, path)) for path in form["paths"]]
                made = Operator(str(form["name"]), texts[form["text"]].decode(), returns, str(form["state"]), paths)
                forms[tuple(map(str, form["items"])), form["result"]] = (
                    made,
                    form["constants"],
                    form["are_parts"] is True,
                )
            identities = {str(dtype): None if text is None else str(text) for dtype, text in one["identities"].items()}
            self._operators[str(one["argument"])] = (
                {"cpp": one["cpp"] is True, "code": str(one["code"]), "identities": identities},
                forms,
            )
        self._algorithm: Algorithm = made_by_name(self.name, description["options"])
        self._ready: dict[int, Algorithm] = {}

    def operator(self, name: str, given: Any) -> Any:
        """The object that stands for an operator."""
        if name not in self._operators:
            if given is not None:
                raise TypeError(f"{name}: the algorithm was compiled without such an operator")
            return None
        return _ReadOperator(name, given, *self._operators[name])

    def __call__(self, *, temp_storage: Any = ..., stream: Any = None, **given: Any) -> int:
        order = stream_of(stream)
        if temp_storage is None:
            return 1
        algorithm = self._for_device(order)
        missing = {name: None for name in self._operators if name not in given}
        return int(algorithm(temp_storage=temp_storage, stream=stream, **given, **missing))

    def _for_device(self, order: Any) -> Any:
        device = getattr(order, "device", None) or cuox.Device()
        own = _capability(device)
        found = self._ready.get(own)
        if found is None:
            suitable = [one for one in self.compute_capabilities if one <= own]
            if not suitable:
                listed = ", ".join(f"{one // 10}.{one % 10}" for one in self.compute_capabilities)
                raise RuntimeError(
                    f"{self.name} was compiled for compute capability {listed}; this device has {own // 10}.{own % 10}"
                )
            found = copy.copy(self._algorithm)
            found.mode = _Replay(self, max(suitable))
            self._ready[own] = found
        return found

    def serialize(self) -> bytes:
        """The bytes that it was made from."""
        return self._blob

    def __repr__(self) -> str:
        listed = ", ".join(f"{one // 10}.{one % 10}" for one in self.compute_capabilities)
        return f"<{self.name} for compute capability {listed}>"


def deserialize(blob: bytes) -> Deserialized:
    """The algorithm that `serialize` has made these bytes of. Nothing is compiled, now or when it is called.

    It is called with arguments of the types that `make_…` was given. An operator may be left out, unless it captures
    values, which may be others. Threads may share it.

    The bytes are checked, and nothing in them is run on the host; but they hold code for the device, which can do there
    what any kernel can.

    Raises ValueError for bytes that are damaged, of other programs, and of other versions of cuox. Called on a device
    that is older than all compute capabilities that it was compiled for, it raises RuntimeError.
    """
    description, texts = _blob.read(blob)
    try:
        return Deserialized(bytes(blob), description, texts)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, NotImplementedError, RecursionError) as error:
        raise ValueError(f"deserialize: the bytes are damaged: {error}") from error
