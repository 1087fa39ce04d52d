"""An operation of tensors on the device, run by PyTorch's kernel for the CPU on the same bytes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from . import _generators, _graphs, _numbers, _out_variants
from ._host import host, to_device
from ._order import wait
from ._schemas import Schema

_CPU = torch.device("cpu")
_Tensor = torch.Tensor
_strided = torch.strided
Capture = _graphs.Capture


class _Call:
    """The operands of one call on the way to the CPU: which device they are on, and what to do with them."""

    __slots__ = ("device", "name", "numbers", "sparse", "takes_host")

    def __init__(self, name: str, takes_host: bool) -> None:
        self.device = -1
        self.name, self.takes_host = name, takes_host
        self.numbers = False
        self.sparse: list[tuple[Any, Any]] | None = None

    def down(self, value: Any) -> Any:
        """An argument as the CPU's kernel takes it."""
        if isinstance(value, _Tensor):
            if value.is_cuda:
                index = value.get_device()
                if index != self.device:
                    self._enter(index, value)
                return host(value) if value.layout is _strided else self._sparse(value)
            if not self.takes_host and value.device.type == "cpu" and value.dim():
                raise self._elsewhere("cpu")
            return value
        kind = value.__class__
        if kind is list or kind is tuple:
            return [self.down(one) for one in value]
        if value is not None:
            self.numbers = True
        return value

    def _enter(self, index: int, value: Any) -> None:
        if self.device < 0:
            self.device = index
        elif not value.dim() or self.takes_host:
            wait(index)
        else:
            raise self._elsewhere(f"cuda:{index}")

    def _sparse(self, value: Any) -> Any:
        alias = _sparse().host(value)
        if self.sparse is None:
            self.sparse = []
        self.sparse.append((value, alias))
        return alias

    def _elsewhere(self, place: str) -> RuntimeError:
        there = f"cuda:{self.device}" if self.device >= 0 else "cuda"
        return RuntimeError(
            f"Expected all tensors to be on the same device, but found at least two devices, {there} and {place}! "
            f"(when calling {self.name})"
        )


def _sparse() -> Any:
    from . import _sparse as module

    return module


def _up(result: Any, device: Any) -> Any:
    """A result of the CPU's kernel as the operation's caller gets it."""
    if isinstance(result, _Tensor):
        if result.layout is _strided:
            return to_device(result, device)
        return _sparse().to_device(result, device)
    if result.__class__ is list or result.__class__ is tuple:
        return result.__class__([_up(one, device) for one in result])
    return result


def _adjust(kwargs: dict[str, Any], keywords: frozenset[str], state: _Call) -> None:
    """Make keyword arguments those of the CPU's kernel."""
    for key, value in kwargs.items():
        if key in keywords:
            kwargs[key] = state.down(value)
        elif key == "device" and value is not None:
            if state.device < 0:
                state.device = torch.device(value).index or 0
            kwargs[key] = _CPU
        elif key == "pin_memory" and value:
            kwargs[key] = False


def _taking_numbers(call: Callable[..., Any], name: str, schema: Schema) -> Callable[..., Any]:
    """Make tensors of numbers in the places of tensors where the operator does not do so."""

    def with_tensors(*values: Any, **kwargs: Any) -> Any:
        if schema.takes_numbers is not False:
            try:
                return call(*values, **kwargs)
            except RuntimeError as error:
                if "Expected a value of type 'Tensor" not in str(error):
                    raise
                schema.takes_numbers = False
        changed = list(values)
        _numbers.as_tensors(name, changed, schema.places)
        return call(*changed, **kwargs)

    return with_tensors


def kernel(name: str, call: Callable[..., Any], schema: Schema, takes_host: bool = False) -> Callable[..., Any]:
    """The function for the dispatcher that runs `call`, an operation, on the operands' memory as the CPU's.

    takes_host: some tensors may be on the CPU, as those that are copied from or to.
    """
    finish = _finish_written(schema) if schema.written else None
    places, keywords, random, outs = schema.places, schema.keywords, schema.random, schema.outs
    is_own = call is schema.operator._op
    binding = _binding(name, schema) if is_own else None
    variants = _out_variants.Variants(name, schema, binding) if is_own and schema.out_variant is not None else None
    for_numbers = _taking_numbers(call, name, schema)

    def run_any(*args: Any, **kwargs: Any) -> Any:
        if Capture.current is not None and (capture := _graphs.capturing()) is not None:
            return _captured(capture, _Call(name, takes_host), for_numbers, schema, args, kwargs)
        state = _Call(name, takes_host)
        down = state.down
        values = list(args)
        count = len(values)
        for place in places:
            if place >= count:
                break
            values[place] = down(values[place])
        given = kwargs
        if kwargs:
            given = dict(kwargs)
            _adjust(kwargs, keywords, state)
        device = state.device
        if device < 0:
            device = torch.cuda.current_device()
        wait(device)
        function = for_numbers if state.numbers else call
        if random is not None:
            _generators.put(_generators.on_host(device, values, kwargs, random), values, kwargs, random)
        if outs:
            result = _out_variants.call_with_outs(function, values, kwargs, given, outs)
        elif variants is not None:
            return variants.run(function, values, kwargs, device)
        else:
            result = function(*values, **kwargs)
        if finish is None:
            return _up(result, _devices(device))
        return finish(result, args, given, device, state)

    if binding is None:
        return run_any
    is_new = schema.returned[0] is None
    are_tensors = [kind == "Tensor" for kind in schema.kinds[: len(schema.positional)]]

    def run(*args: Any, **kwargs: Any) -> Any:
        """The quick way for strided tensors of one device."""
        if Capture.current is not None:
            return run_any(*args, **kwargs)
        device = -1
        values = []
        is_small = True
        for is_tensor, one in zip(are_tensors, args):
            if not is_tensor:
                values.append(one)
                continue
            if not isinstance(one, _Tensor) or not one.is_cuda or one.layout is not _strided:
                return run_any(*args, **kwargs)
            index = one.get_device()
            if index != device:
                if device >= 0:
                    return run_any(*args, **kwargs)
                device = index
            alias = host(one)
            if alias.numel() > _SMALL:
                is_small = False
            values.append(alias)
        wait(device)
        if is_new and not is_small and variants is not None:
            return variants.run(binding, values, kwargs, device)
        result = binding(*values, **kwargs)
        return to_device(result, _devices(device)) if is_new else args[0]

    return run


# Results of operands of no more elements are copied: that takes less time than another tensor over the same bytes.
_SMALL = 8192


_PLAIN = {"number", "int", "bool", "float", "List[int]", "Optional[List[int]]", "Optional[int]", "Optional[number]"}


def _binding(name: str, schema: Schema) -> Callable[..., Any] | None:
    """PyTorch's own function or method for an operator, which it calls in a fifth of the time that the operator takes:
    for operators of tensors and numbers that have one result and are not random.
    """
    positional, keywords = schema.kinds[: len(schema.positional)], schema.kinds[len(schema.positional) :]
    if not positional or positional[0] != "Tensor" or not _PLAIN.union(("Tensor",)).issuperset(positional):
        return None
    # Only what follows `*` is given by keyword.
    if not _PLAIN.issuperset(keywords) or len(schema.returned) != 1 or schema.results != ["Tensor"]:
        return None
    if schema.is_dynamic or schema.random is not None:
        return None
    word = name.partition("::")[2].partition(".")[0]
    if schema.written:
        if len(schema.written) > 1 or schema.returned != [0]:
            return None
        return getattr(torch._C._TensorBase, word, None)
    return getattr(torch._C._VariableFunctions, word, None)


def _captured(
    capture: _graphs.Capture,
    state: _Call,
    call: Callable[..., Any],
    schema: Schema,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """What `run` does while a graph is captured: the operation becomes a node, too."""
    by_index = state.name == "aten::index.Tensor" and not any(
        one is not None and one.dtype in (torch.bool, torch.uint8) for one in args[1]
    )
    if (schema.is_dynamic and not by_index) or state.name in _NEED_RESULTS:
        raise RuntimeError(
            f"cuox.torch: {state.name} needs values on the host, which there are none of while a CUDAGraph is captured"
        )
    given = dict(kwargs)
    values = [state.down(one) if place in schema.places else one for place, one in enumerate(args)]
    _adjust(kwargs, schema.keywords, state)
    if state.sparse:
        raise NotImplementedError(f"cuox.torch: {state.name} of sparse tensors is not captured in a CUDAGraph")
    device = state.device if state.device >= 0 else torch.cuda.current_device()
    names = [one.name for one in schema.positional]
    operands = {**dict(zip(names, values)), **kwargs}
    for name in schema.written:
        for one in _graphs.flat(operands.get(name)):
            if isinstance(one, _Tensor):
                capture.will_write(one)

    random = schema.random
    # Of each replay's own, made before it: a host function may not ask the driver, as PyTorch's generators do.
    generator = [torch.Generator(device="cpu")]
    if random is not None:

        def next_generator() -> None:
            generator[0] = _generators.on_host(device, values, kwargs, random)

        capture.before_replay.append(next_generator)

    def now() -> tuple[list[Any], dict[str, Any]]:
        positional, named = list(values), dict(kwargs)
        if random is not None:
            _generators.put(generator[0], positional, named, random)
        return positional, named

    def again() -> Any:
        positional, named = now()
        return call(*positional, **named)

    if schema.outs:
        result = _out_variants.call_with_outs(call, *now(), given, schema.outs)
    else:
        result = again()
    if schema.written:
        results = _finish_written(schema)(result, args, given, device, state)
        made = _graphs.flat(results)
        if len(schema.returned) == len(made):
            made = [one if origin is None else None for origin, one in zip(schema.returned, made)]
    else:
        results = _up(result, _devices(device))
        made = _graphs.flat(results)
    capture.add(device, _graphs.copy_results(again, [one if isinstance(one, _Tensor) else None for one in made]))
    return results


# They give a number of Python's.
_NEED_RESULTS = ("aten::_local_scalar_dense", "aten::equal", "aten::is_nonzero", "aten::allclose")


@functools.cache
def _devices(index: int) -> Any:
    return torch.device("cuda", index)


def operand(origin: int | str, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """The argument at a position, or of a keyword."""
    return given[origin] if isinstance(origin, str) else args[origin]


def _finish_written(schema: Schema) -> Callable[..., Any]:
    """What an operation that writes to its operands returns: these, in the places of the results that are they."""
    returned = schema.returned
    single = returned[0] if len(returned) == 1 else None
    written = schema.written

    def finish(result: Any, args: tuple[Any, ...], given: dict[str, Any], device: int, state: _Call) -> Any:
        if state.sparse:
            _update_sparse(schema, args, given, state.sparse, written)
        if single is not None:
            return operand(single, args, given)
        if not returned:
            return None
        if len(returned) == 1:
            return _up(result, _devices(device))
        return tuple(
            _up(one, _devices(device)) if origin is None else operand(origin, args, given)
            for origin, one in zip(returned, result)
        )

    return finish


def _update_sparse(
    schema: Schema, args: tuple[Any, ...], given: dict[str, Any], pairs: list[tuple[Any, Any]], written: list[str]
) -> None:
    names = [one.name for one in schema.positional]
    operands = {**dict(zip(names, args)), **given}
    for tensor, alias in pairs:
        if any(operands.get(name) is tensor for name in written):
            _sparse().update(tensor, alias)
