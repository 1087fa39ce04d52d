"""Calls of algorithms: what one launches is noted down, and launched again without Python code when arguments of the
same types come.
"""

from __future__ import annotations

import inspect
import itertools
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import index
from types import FunctionType
from typing import Any, TypeVar

import cuox
from cuox._internal.kernel_environment import is_state
from cuox._internal.kernel_errors import raise_as_ours, text_of
from cuox._native import _Reduction, _RememberedCalls, _Sort

from ._captures import captured_names, is_composed, may_change
from ._kernels import Origin, Parts, kernel, radix_sort_kernel
from ._mode import Mode, active, call_stream, compiles_ahead
from ._overlap import SHARING_TEXT, Memory, Sharing, memory_of
from .iterators import IteratorBase, Pointer, iterator_of


class Count:
    """A number of items that is an argument, or `times` as many: its place among the arguments is `slot`."""

    def __init__(self, value: Any, slot: int, times: int = 1) -> None:
        self.value, self.slot, self.times = times * index(value), slot, times

    def __mul__(self, times: int) -> Count:
        return Count(self.value // self.times, self.slot, self.times * times)

    def __int__(self) -> int:
        return self.value

    def __bool__(self) -> bool:
        return self.value != 0

    @property
    def is_long(self) -> bool:
        """True if numbers up to this one need 64 bits."""
        return self.value >= 2**31


_N = TypeVar("_N", Count, int, Count | int)

_MemoryRange = tuple[int | None, int, int, int]
"""Memory as native code checks it: the argument whose it is, else the first byte and that behind the last; the bytes of
an item, 0 if not all lie in their order.
"""


_Limit = tuple[int | None, int]
"""A number of items: the argument that it is and how often, else the number."""


def _limit(count: Count | int) -> _Limit:
    return (count.slot, count.times) if isinstance(count, Count) else (None, count)


def _pairs(inputs: Sequence[Any], outputs: Sequence[Any]) -> Iterator[tuple[tuple[Any, Memory], tuple[Any, Memory]]]:
    """Each input with its memory, with each output and its memory."""
    sides = (
        [(given, memory) for given in side if given is not None for memory in memory_of(iterator_of(given))]
        for side in (inputs, outputs)
    )
    return itertools.product(next(sides), next(sides))


def _share(given: Memory, out: Memory, count: Count | int, out_count: Count | int) -> bool:
    """True if so many items have bytes in common."""
    return given.of_items(int(count)).shares(out.of_items(int(out_count)))


def _range(memory: Memory) -> _MemoryRange:
    straight = memory.is_straight
    return memory.slot, memory.first if straight else memory.start, memory.end, memory.size if straight else 0


class Call:
    """A call of an algorithm.

    slots: the places of the arguments, by name. stream: the order. arguments: as the work gets them, by name.
    """

    def __init__(self, slots: dict[str, int], stream: Any) -> None:
        self.slots, self.stream = slots, stream
        self.arguments: dict[str, Any] = {}
        self._is_known = True
        self._size_checks: list[tuple[int | None, int | None, int]] = []
        self._overlap_checks: list[tuple[_MemoryRange, _MemoryRange, _Limit, _Limit, Sharing]] = []
        self._in_place = False
        self._operators: dict[int, tuple[Any, Any]] = {}
        self._steps: list[Any] = []

    def checked_count(self, count: _N, *given: Any) -> _N:
        """The number of items. Raises ValueError for a negative one, and if arrays or iterators are known to have fewer
        items.
        """
        number = int(count)
        if number < 0:
            raise ValueError(
                f"{self._name(count.slot) if isinstance(count, Count) else 'num_items'} must be 0 or more, got {number}"
            )
        if compiles_ahead():
            return count
        for one in given:
            if one is None:
                continue
            iterator = iterator_of(one)
            most, slot = iterator.items_ahead(), getattr(iterator, "slot", None)
            if most is not None and number > most:
                kind = "array" if isinstance(iterator, Pointer) else "iterator"
                raise ValueError(
                    f"{'' if slot is None else f'{self._name(slot)}: '}{number} items were asked for, of an {kind} that has {most}"
                )
            if slot is not None:
                self._size_checks.append((slot, count.slot, 0) if isinstance(count, Count) else (slot, None, number))
            elif most is not None and isinstance(count, Count):
                self._size_checks.append((None, count.slot, most))
        return count

    def check_most(self, count: Count, most: int, of: str) -> None:
        """Raise ValueError for more items than there can be of something."""
        if compiles_ahead():
            return
        if int(count) > most:
            raise ValueError(
                f"{self._name(count.slot)}: {int(count)} items were asked for, but there are no more than {most} {of}"
            )
        self._size_checks.append((None, count.slot, most))

    def check_overlap(
        self,
        count: Count | int,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        *,
        out_count: Count | int | None = None,
        sharing: Sharing = Sharing.SAME_START,
    ) -> None:
        """Raise ValueError for arrays to write that have other memory in common with what is read than `sharing` says.

        count: the items of each input. out_count: those of each output, if they are not as many.
        """
        if compiles_ahead():
            return
        counts = count, count if out_count is None else out_count
        for (read, given), (written, out) in _pairs(inputs, outputs):
            if _share(given, out, *counts) and not out.may_be(given, sharing):
                raise ValueError(
                    f"{self._shown(written, 'an array that is written')} lies in the memory of {self._shown(read, 'an array that is read')}: {SHARING_TEXT[sharing]}"
                )
            self._overlap_checks.append((_range(given), _range(out), _limit(counts[0]), _limit(counts[1]), sharing))

    def in_place(
        self,
        count: Count,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        *,
        sharing: Sharing = Sharing.TO_THE_LEFT,
        exists: bool = True,
    ) -> list[bool]:
        """For each kernel to launch, True if it must be the one for outputs that have memory in common with inputs: one
        kernel, or all that there may be while they are compiled ahead. exists: False if there is no such kernel.

        Raises ValueError for outputs that have other memory in common with inputs than `sharing` says.
        """
        pairs = [(given, out) for (_, given), (_, out) in _pairs(inputs, outputs)]
        if compiles_ahead():
            return [False, True] if exists and any(out.may_share(given) for given, out in pairs) else [False]
        self._in_place = any(_share(given, out, count, count) for given, out in pairs)
        self.check_overlap(count, inputs, outputs, sharing=sharing if self._in_place else Sharing.NONE)
        return [self._in_place]

    def forget(self) -> None:
        """Do not remember this call: others of its types may need other kernels."""
        self._is_known = False

    def _shown(self, given: Any, otherwise: str) -> str:
        return " or ".join(name for name, argument in self.arguments.items() if argument is given) or otherwise

    def _name(self, slot: int) -> str:
        return next(name for name, place in self.slots.items() if place == slot)

    def launch(
        self,
        kind: Callable[..., Any],
        parts: Parts,
        *texts: Any,
        n: Count | int,
        more: Count | int = 0,
        **keywords: Any,
    ) -> None:
        """Launch a kernel for so many items. more: the bytes of a reduction's result, or the number of a sort's
        segments.
        """
        made = kernel(kind, parts, *texts, **keywords)
        name = "out" if kind is _Reduction else "segments" if kind is _Sort else None
        named = {} if name is None else {name: int(more)}
        try:
            made(*parts.values, n=int(n), stream=self.stream, **named)
        except cuox.CompileError as error:
            # Nothing of the text is the user's, unless an operator is CUDA C++.
            if not parts.has_cxx:
                raise_as_ours(error, parts.shown, lambda: text_of(made._sources(*parts.values, n=int(n), **named)))
            raise
        self._is_known &= parts.are_known
        self._operators |= parts.operators
        self._step(made, parts.origins, n, more)

    def sort_by_digits(
        self,
        form: tuple[Any, ...],
        arrays: Sequence[Pointer | None],
        n: Count | int,
        begin_bit: int,
        end_bit: int,
        *,
        descends: bool,
    ) -> None:
        """Launch a radix sort of keys into others, and of values into others or None. form: as of
        `radix_sort_kernel`."""
        made, order = radix_sort_kernel(*form), (begin_bit, end_bit, descends)
        made(*(one and one.array for one in arrays), int(n), *order, stream=self.stream)
        places: list[Origin] = [
            ("constant", None, None) if one is None else ("array", one.slot, None) for one in arrays
        ]
        self._step(made, [*places, *(("constant", one, None) for one in order)], n)

    def _step(self, made: Any, origins: Sequence[Origin], n: Count | int, more: Count | int = 0) -> None:
        counts = [(count.slot, count.times) if isinstance(count, Count) else (None, count) for count in (n, more)]
        self._steps.append((made, origins, *counts))

    def launches(self) -> _Launches | None:
        """The launches, as native code remembers them."""
        if not self._is_known:
            return None
        watched: list[Any] = []
        states: list[tuple[str, list[int]]] = []
        places: dict[int, int] = {}
        for slot, (operator, function) in self._operators.items():
            names = [] if function is None else _watched(function, slot)
            if names is None:
                return None
            begin = len(watched)
            paths = {path: begin + number for number, (path, _) in enumerate(names)}
            watched += [(slot, None if parent is None else begin + parent, *name) for _, (parent, *name) in names]
            if operator.is_stateful:
                if not all(path in paths for path in operator.paths):
                    return None
                places[slot] = len(states)
                states.append((operator.state_type, [paths[path] for path in operator.paths]))
        steps = [
            (made, [(how, places[what] if how == "state" else what, code) for how, what, code in origins], *counts)
            for made, origins, *counts in self._steps
        ]
        return _Launches(self._size_checks, self._overlap_checks, self._in_place, watched, states, steps)


class _Launches:
    def __init__(
        self, size_checks: Any, overlap_checks: Any, in_place: bool, watched: Any, states: Any, steps: Any
    ) -> None:
        self.size_checks, self.overlap_checks, self.in_place, self.watched, self.states, self.steps = (
            size_checks,
            overlap_checks,
            in_place,
            watched,
            states,
            steps,
        )


_Watched = tuple[int | None, bool, int | None, str, str, Any]
"""A name that an operator or a function that it calls uses: the name that stands for that function, None for the
operator;
whether what has the name is a wrapper of the function; the place in the closure, None for a global name; the name; how
it is compared, and with what."""


def _watched(function: Any, slot: int) -> list[tuple[tuple[str, ...], _Watched]] | None:
    """The names that an operator uses, by their paths, as native code checks them; None if one stands for what may
    change unseen.
    """
    if not isinstance(function, FunctionType):
        # By its identity; what is wrapped may use names, too.
        return None if isinstance(getattr(function, "py_func", None), FunctionType) else []
    uses = _uses_of_functions(function)
    found: list[tuple[tuple[str, ...], _Watched]] = []
    seen: list[FunctionType] = []

    def visit(function: FunctionType, parent: int | None, is_wrapped: bool, path: tuple[str, ...]) -> bool:
        if function in seen:
            return True
        seen.append(function)
        if may_change(function.__defaults__) or function.__kwdefaults__:
            return False
        for name, cell, value, is_there in captured_names(function):
            how, expected, inner = "same", value, getattr(value, "py_func", value)
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
            elif isinstance(value, FunctionType) and uses[id(value)] == 1:
                # Another function of the same code does the same, with what its own names stand for.
                how = "code"
            elif isinstance(inner, FunctionType):
                # Its closure is not kept alive.
                how, expected = "weak", weakref.ref(value)
            place = len(found)
            found.append(((*path, name), (parent, is_wrapped, cell, name, how, expected)))
            if how in ("code", "weak") and not visit(inner, place, inner is not value, (*path, name)):
                return False
        return True

    return found if visit(function, None, False, ()) else None


def _uses_of_functions(function: FunctionType) -> Counter[int]:
    """In how many places each function is captured, by its identity."""
    uses: Counter[int] = Counter([id(function)])

    def count(function: FunctionType) -> None:
        for _, _, value, _ in captured_names(function):
            inner = getattr(value, "py_func", value)
            if isinstance(inner, FunctionType):
                uses[id(inner)] += 1
                if uses[id(inner)] == 1:
                    count(inner)

    count(function)
    return uses


class _Slow:
    """The way of a call of which nothing is remembered."""

    def __init__(self, kinds: str, work: Callable[..., None], mode: Mode | None = None) -> None:
        self.kinds, self.work, self.mode = kinds, work, mode
        self.slots = {name: place for place, name in enumerate(list(inspect.signature(work).parameters)[1:])}

    def __call__(self, stream: Any, *given: Any) -> _Launches | None:
        from .algorithms._algorithm import stream_of

        call = Call(self.slots, stream_of(stream))
        taken: Any = given
        if self.mode is not None:
            taken = [
                self._for_mode(self.mode, name, kind, one)
                for name, kind, one in zip(self.slots, self.kinds, given, strict=True)
            ]
        before = active.set(self.mode), call_stream.set(call.stream)
        try:
            arguments = [
                _at(slot, name, kind, one)
                for (name, slot), kind, one in zip(self.slots.items(), self.kinds, taken, strict=True)
            ]
            call.arguments = dict(zip(self.slots, arguments, strict=True))
            self.work(call, *arguments)
        finally:
            active.reset(before[0])
            call_stream.reset(before[1])
        return call.launches()

    def _for_mode(self, mode: Mode, name: str, kind: str, given: Any) -> Any:
        if kind == "f":
            return mode.operator(name, given)
        if kind in "av":
            mode.check(name, given)
        return given


def _at(slot: int, name: str, kind: str, given: Any) -> Any:
    if kind == "a" and given is not None and not isinstance(given, IteratorBase):
        iterator: Any = iterator_of(given)
        iterator.slot, iterator.name = slot, name
        return iterator
    if kind in "nN":
        try:
            return Count(given, slot)
        except TypeError:
            raise TypeError(f"{name} must be an integer, got {type(given).__name__}") from None
    return given


_remembered: dict[_RememberedCalls, tuple[str, Callable[..., None]]] = {}


def remembered(kinds: str, work: Callable[..., None]) -> _RememberedCalls:
    """The calls of an algorithm, with a stream and its arguments. `work` is called with a `Call` and the arguments,
    when
    they are of new types.

    kinds: a letter for each argument: `a` for an array, an iterator or None, `n` for a number of items, `N` for one
    that texts hang on by the bits that it needs, `k` for what texts are made of, `f` for an operator, `v` for a host
    value. Arrays come as iterators.
    """
    calls = _RememberedCalls(kinds, _Slow(kinds, work), IteratorBase)
    _remembered[calls] = kinds, work
    return calls


def in_mode(calls: _RememberedCalls, mode: Mode, *, remembers: bool) -> Callable[..., Any]:
    """The same calls in a mode of their own."""
    kinds, work = _remembered[calls]
    slow = _Slow(kinds, work, mode)
    return _RememberedCalls(kinds, slow, IteratorBase) if remembers else slow


def clear() -> None:
    """Forget all calls."""
    for calls in _remembered:
        calls.clear()
