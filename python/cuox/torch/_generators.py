"""Random numbers: the CPU's generator, in the state that PyTorch's generator of the device says.

A generator of a GPU is a seed and a position in its sequence, which `get_state` and `set_state` keep. For an operation
a generator of the CPU is seeded by both, and the position goes on. So what is random can be repeated from a state that
was kept, as on a GPU, but the numbers are others; the first operation after `manual_seed` has the CPU's numbers for
that seed.
"""

from __future__ import annotations

from typing import Any

import torch

_STEP = 4  # positions are multiples of four
_MIX = 0x9E3779B97F4A7C15  # the golden ratio's bits: seeds of neighbouring positions are far apart


def _seed(seed: int, position: int) -> int:
    return (seed ^ (position * _MIX)) & 0xFFFFFFFFFFFFFFFF


def _next(generator: Any) -> Any:
    """A generator of the CPU for one operation."""
    position = generator.get_offset()
    made = torch.Generator(device="cpu")
    made.manual_seed(_seed(generator.initial_seed() & 0xFFFFFFFFFFFFFFFF, position))
    generator.set_offset(position + _STEP)
    return made


def on_host(device: int, values: list[Any], kwargs: dict[str, Any], random: tuple[int, str]) -> Any:
    """The generator of the CPU for one operation, in the state of its argument or of the device's default one."""
    place, name = random
    given = values[place] if 0 <= place < len(values) else kwargs.get(name)
    if given is None:
        given = torch.cuda.default_generators[device]
    return _next(given) if given.device.type == "cuda" else given


def put(generator: Any, values: list[Any], kwargs: dict[str, Any], random: tuple[int, str]) -> None:
    """Put a generator in the place of an operation's argument."""
    place, name = random
    if 0 <= place < len(values):
        values[place] = generator
    else:
        kwargs[name] = generator


def seed() -> int:
    """The seed for one operation that makes random numbers by itself, of the current device's default generator."""
    return int(_next(torch.cuda.default_generators[torch.cuda.current_device()]).initial_seed()) & 0x7FFFFFFFFFFFFFFF
