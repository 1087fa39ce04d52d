"""What an operator's schema says about its arguments: where tensors are, which are written, which are returned."""

from __future__ import annotations

from typing import Any

import torch

_TENSORS = ("Tensor", "Optional[Tensor]", "List[Tensor]", "List[Optional[Tensor]]", "Optional[List[Tensor]]")

# With `out=` these, as losses do, put something of another shape into it on the way.
_THROUGH_OUT = ("aten::addbmm",)


class Schema:
    """A schema of PyTorch's (`torch._C.FunctionSchema`), read once for an operator."""

    def __init__(self, operator: Any) -> None:
        schema = operator._schema
        arguments = schema.arguments
        self.operator = operator
        self.positional = [one for one in arguments if not one.kwarg_only]
        self.kinds = [str(one.type) for one in arguments]
        """The arguments' types."""
        self.places = [place for place, one in enumerate(self.positional) if str(one.type) in _TENSORS]
        """The positions of tensors and lists of tensors."""
        self.keywords = frozenset(one.name for one in arguments if str(one.type) in _TENSORS)
        """The names of these, as they may be keywords."""
        self.written = [one.name for one in arguments if one.alias_info is not None and one.alias_info.is_write]
        self.outs = [one.name for one in arguments if one.is_out]
        """The arguments `out=`, which are given by keyword."""
        self.random = next((_place(arguments, one) for one in arguments if "Generator" in str(one.type)), None)
        """The position and the name of the generator."""
        self.returned = [_origin(arguments, one) for one in schema.returns]
        """For each result the argument that is returned, by its position or, of keywords, its name; None for others."""
        self.results = [str(one.type) for one in schema.returns]
        """The results' types."""
        self.is_dynamic = (
            torch.Tag.dynamic_output_shape in operator.tags or torch.Tag.data_dependent_output in operator.tags
        )
        self.takes_numbers: bool | None = None
        """Whether the operator takes Python numbers in the places of tensors; None if that was not tried yet."""
        self.out_variant = None if self.written or self.random is not None else _out_variant(self)


def _place(arguments: Any, argument: Any) -> tuple[int, str]:
    positional = [one.name for one in arguments if not one.kwarg_only]
    return (positional.index(argument.name) if argument.name in positional else -1), argument.name


def _origin(arguments: Any, result: Any) -> int | str | None:
    if result.alias_info is None or not result.alias_info.is_write:
        return None
    for place, one in enumerate(arguments):
        if one.alias_info is not None and one.alias_info.before_set == result.alias_info.before_set:
            return one.name if one.kwarg_only else place
    return None


def _out_variant(schema: Schema) -> Any:
    """The overload with the same arguments and `out=` that has a kernel of its own for the CPU."""
    operator = schema.operator
    if any(one.name == "reduction" for one in operator._schema.arguments) or operator.name() in _THROUGH_OUT:
        return None
    returns = operator._schema.returns
    if schema.is_dynamic or not returns or any(str(one.type) != "Tensor" for one in returns):
        return None
    if not any(kind == "Tensor" or "List[Tensor]" in kind for kind in schema.kinds):
        return None
    wanted = [(one.name, str(one.type)) for one in operator._schema.arguments]
    packet = operator.overloadpacket
    for overload in packet.overloads():
        other = getattr(packet, overload)
        arguments = other._schema.arguments
        outs = [one for one in arguments if one.is_out]
        if len(outs) == len(returns) and [(one.name, str(one.type)) for one in arguments if not one.is_out] == wanted:
            if torch._C._dispatch_has_kernel_for_dispatch_key(other.name(), "CPU"):
                return other
    return None
