"""Calls of algorithms: what one launches is noted down, and launched again without Python code when arguments of the same types come."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Sequence
from operator import index
from types import FunctionType
from typing import Any

import cuox
from cuox._internal.kernel_environment import is_state
from cuox._native import _Reduction, _RememberedCalls, _Sort

from ._kernels import Origin, Parts, kernel, radix_sort_kernel
from ._mode import Mode, active, order
from ._captures import captured_names, is_composed, may_change
from .iterators import IteratorBase, Pointer, iterator_of


class Count:
    """A number of items that is an argument, or `times` as many: its place among these is `slot`."""

    def __init__(self, value: Any, slot: int, times: int = 1) -> None:
        self.value, self.slot, self.times = times * index(value), slot, times

    def __mul__(self, times: int) -> Count:
        return Count(self.value // self.times, self.slot, self.times * times)

    def __int__(self) -> int:
        return self.value

    def __bool__(self) -> bool:
        return self.value != 0


class Call:
    """A call of an algorithm.

    slots: the places of the arguments, by name. stream: the order.
    """

    def __init__(self, slots: dict[str, int], stream: Any) -> None:
        self.slots, self.stream = slots, stream
        self._is_known = True
        self._rooms: list[tuple[int | None, int | None, int]] = []
        self._apart: list[tuple[int, int, int | None]] = []
        self._operators: dict[int, tuple[Any, Any]] = {}
        self._steps: list[Any] = []

    def room(self, count: Count | int, *given: Any) -> Count | int:
        """A number of items. Raises ValueError for negative ones, and if arrays or iterators are known to have fewer."""
        number = int(count)
        if number < 0:
            raise ValueError(f"{self._name(count.slot) if isinstance(count, Count) else 'num_items'} must be 0 or more, got {number}")
        mode = active.get()
        if mode is not None and not mode.launches:
            return count
        for one in given:
            if one is None:
                continue
            iterator = iterator_of(one)
            most, slot = iterator.items_ahead(), getattr(iterator, "slot", None)
            if most is not None and number > most:
                kind = "array" if isinstance(iterator, Pointer) else "iterator"
                raise ValueError(f"{'' if slot is None else f'{self._name(slot)}: '}{number} items were asked for, of an {kind} that has {most}")
            if slot is not None:
                self._rooms.append((slot, count.slot, 0) if isinstance(count, Count) else (slot, None, number))
            elif most is not None and isinstance(count, Count):
                self._rooms.append((None, count.slot, most))
        return count

    def apart(self, count: Count | int, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Raise ValueError for arrays to write that have items in common with arrays to read, unless they begin at the same place with items of the same size."""
        for given, out in itertools.product(map(iterator_of, inputs), map(iterator_of, outputs)):
            if not (isinstance(given, Pointer) and isinstance(out, Pointer)):
                continue
            places = [(one.first, one.item.dtype.itemsize) for one in (given, out)]
            (begin, size), (out_begin, out_size) = places
            if places[0] != places[1] and begin < out_begin + int(count) * out_size and out_begin < begin + int(count) * size:
                names = ["an array that is read" if slot is None else self._name(slot) for slot in (given.slot, out.slot)]
                raise ValueError(f"{names[1]} lies in the memory of {names[0]}: it may be the same array, but not begin at another item of it")
            if given.slot is not None and out.slot is not None:
                self._apart.append((given.slot, out.slot, count.slot if isinstance(count, Count) else None))

    def _name(self, slot: int) -> str:
        return next(name for name, place in self.slots.items() if place == slot)

    def launch(self, kind: type[Any], parts: Parts, *texts: Any, n: Count | int, more: Count | int = 0, **keywords: Any) -> None:
        """Launch a kernel for so many items. more: the bytes of a reduction's result, or the number of a sort's segments."""
        made = kernel(kind, parts, *texts, **keywords)
        name = {_Reduction: "out", _Sort: "segments"}.get(kind)
        made(*parts.values, n=int(n), stream=self.stream, **({} if name is None else {name: int(more)}))
        self._is_known &= parts.are_known
        self._operators |= parts.operators
        self._step(made, parts.origins, n, more)

    def sort_by_digits(self, form: tuple[Any, ...], arrays: Sequence[Pointer | None], n: Count | int, begin_bit: int, end_bit: int, *, descends: bool) -> None:
        """Launch a radix sort of keys into others, and of values into others or None. form: as of `radix_sort_kernel`."""
        made, order = radix_sort_kernel(*form), (begin_bit, end_bit, descends)
        made(*(one and one.array for one in arrays), int(n), *order, stream=self.stream)
        places: list[Origin] = [("constant", None, None) if one is None else ("array", one.slot, None) for one in arrays]
        self._step(made, [*places, *(("constant", one, None) for one in order)], n)

    def _step(self, made: Any, origins: Sequence[Origin], n: Count | int, more: Count | int = 0) -> None:
        counts = [(count.slot, count.times) if isinstance(count, Count) else (None, count) for count in (n, more)]
        self._steps.append((made, origins, *counts))

    def made(self) -> _Made | None:
        """What the native code remembers."""
        if not self._is_known:
            return None
        watched: list[Any] = []
        states: list[tuple[str, list[int]]] = []
        places: dict[int, int] = {}
        for slot, (operator, function) in self._operators.items():
            names = [] if function is None else _watched(function, slot)
            if names is None:
                return None
            paths = {path: len(watched) + number for number, (path, _) in enumerate(names)}
            watched += [name for _, name in names]
            if operator.is_stateful:
                if not all(path in paths for path in operator.paths):
                    return None
                places[slot] = len(states)
                states.append((operator.state_type, [paths[path] for path in operator.paths]))
        steps = [
            (made, [(how, places[what] if how == "state" else what, code) for how, what, code in origins], *counts)
            for made, origins, *counts in self._steps
        ]
        return _Made(self._rooms, self._apart, watched, states, steps)


class _Made:
    def __init__(self, rooms: Any, apart: Any, watched: Any, states: Any, steps: Any) -> None:
        self.rooms, self.apart, self.watched, self.states, self.steps = rooms, apart, watched, states, steps


def _watched(function: Any, slot: int) -> list[tuple[tuple[str, ...], Any]] | None:
    """The names that an operator uses, by their paths, as native code checks them; None if one stands for what may change unseen."""
    found: list[tuple[tuple[str, ...], Any]] = []
    seen: list[FunctionType] = []

    def visit(function: FunctionType, base: FunctionType | None, path: tuple[str, ...]) -> bool:
        if function in seen:
            return True
        seen.append(function)
        if may_change(function.__defaults__) or function.__kwdefaults__:
            return False
        for name, cell, value, is_there in captured_names(function):
            how, inner = "same", getattr(value, "py_func", value)
            if not is_there:
                if cell is not None:
                    return False
                how = "absent"
            elif is_state(value) or isinstance(value, cuox.Array):
                how = "typed"
            elif may_change(value) or hasattr(value, "__cuda_array_interface__"):
                return False
            elif is_composed(value, function):
                return False
            found.append(((*path, name), (slot, base, cell, name, how, value)))
            if how == "same" and isinstance(inner, FunctionType) and not visit(inner, inner, (*path, name)):
                return False
        return True

    if not isinstance(function, FunctionType):
        # By its identity; what is wrapped may use names, too.
        return None if isinstance(getattr(function, "py_func", None), FunctionType) else []
    return found if visit(function, None, ()) else None


class _Slow:
    """The way of a call of which nothing is remembered."""

    def __init__(self, kinds: str, work: Callable[..., None], mode: Mode | None = None) -> None:
        self.kinds, self.work, self.mode = kinds, work, mode
        self.slots = {name: place for place, name in enumerate(list(inspect.signature(work).parameters)[1:])}

    def __call__(self, stream: Any, *given: Any) -> _Made | None:
        from .algorithms._algorithm import stream_of

        call = Call(self.slots, stream_of(stream))
        taken: Any = given
        if self.mode is not None:
            taken = [self._for_mode(self.mode, name, kind, one) for name, kind, one in zip(self.slots, self.kinds, given, strict=True)]
        before = active.set(self.mode), order.set(call.stream)
        try:
            self.work(call, *(_at(slot, kind, one) for slot, (kind, one) in enumerate(zip(self.kinds, taken, strict=True))))
        finally:
            active.reset(before[0])
            order.reset(before[1])
        return call.made()

    def _for_mode(self, mode: Mode, name: str, kind: str, given: Any) -> Any:
        if kind == "f":
            return mode.operator(name, given)
        if kind in "av":
            mode.check(name, given)
        return given


def _at(slot: int, kind: str, given: Any) -> Any:
    if kind == "a" and given is not None and not isinstance(given, IteratorBase):
        iterator: Any = iterator_of(given)
        iterator.slot = slot
        return iterator
    if kind == "n":
        return Count(given, slot)
    return given


_remembered: dict[_RememberedCalls, tuple[str, Callable[..., None]]] = {}


def remembered(kinds: str, work: Callable[..., None]) -> _RememberedCalls:
    """What does the work of an algorithm: called with a stream and its arguments. `work` is called with a `Call` and the arguments, when they are of new types.

    kinds: a letter for each argument: `a` for an array, an iterator or None, `n` for a number of items, `k` for what texts are made of, `f` for an operator,
    `v` for a host value. Arrays come as iterators.
    """
    calls = _RememberedCalls(kinds, _Slow(kinds, work), IteratorBase, FunctionType)
    _remembered[calls] = kinds, work
    return calls


def in_mode(calls: _RememberedCalls, mode: Mode, *, remembers: bool) -> Callable[..., Any]:
    """The same calls in a mode of their own."""
    kinds, work = _remembered[calls]
    slow = _Slow(kinds, work, mode)
    return _RememberedCalls(kinds, slow, IteratorBase, FunctionType) if remembers else slow


def clear() -> None:
    """Forget all calls."""
    for calls in _remembered:
        calls.clear()
