"""`cuda.random`: random numbers in kernels, of xoroshiro128+ by David Blackman and Sebastiano Vigna.

    states = cuda.random.create_xoroshiro128p_states(threads, seed=1)

    @cuda.jit
    def kernel(states, out):
        i = cuda.grid(1)
        out[i] = cuda.random.xoroshiro128p_uniform_float32(states, i)

Each state's numbers begin 2**64 behind those of the one before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _xoroshiro128p_states

from . import types
from ._arrays import device_array
from ._names import KernelName

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
xoroshiro128p_type = types.from_dtype(xoroshiro128p_dtype)

_KERNEL = {
    "xoroshiro128p_next": "`xoroshiro128p_next(states, index)`: the next uint64 of a state.",
    "xoroshiro128p_jump": "`xoroshiro128p_jump(states, index)`: go on by 2**64 numbers.",
    "xoroshiro128p_uniform_float32": "`xoroshiro128p_uniform_float32(states, index)`: a float32 from 0 to 1.",
    "xoroshiro128p_uniform_float64": "`xoroshiro128p_uniform_float64(states, index)`: a float64 from 0 to 1.",
    "xoroshiro128p_normal_float32": "`xoroshiro128p_normal_float32(states, index)`: a float32 of the normal distribution with mean 0 and deviation 1; takes two numbers.",
    "xoroshiro128p_normal_float64": "`xoroshiro128p_normal_float64(states, index)`: a float64 of the normal distribution with mean 0 and deviation 1, from two numbers of float32.",
    "init_xoroshiro128p_state": "`init_xoroshiro128p_state(states, index, seed)`: the state of a seed.",
    "uint64_to_unit_float32": "`uint64_to_unit_float32(x)`: a float32 from 0 to 1.",
    "uint64_to_unit_float64": "`uint64_to_unit_float64(x)`: a float64 from 0 to 1.",
    "rotl": "`rotl(x, k)`: a uint64 with its bits turned left by k.",
}
_kernel = {name: KernelName(f"cuda.random.{name}", doc) for name, doc in _KERNEL.items()}
globals().update(_kernel)


def init_xoroshiro128p_states_cpu(states: Any, seed: int, subsequence_start: int) -> None:
    """Fill a NumPy array of states: the first is `subsequence_start * 2**64` numbers behind the seed's, each of the
    others 2**64 behind the one before.
    """
    count = states.shape[0]
    data = _xoroshiro128p_states(count, int(seed) & (2**64 - 1), int(subsequence_start) & (2**64 - 1))
    states[:] = np.frombuffer(data, dtype=xoroshiro128p_dtype, count=count)


def init_xoroshiro128p_states(states: Any, seed: int, subsequence_start: int = 0, stream: Any = 0) -> None:
    """The same for a device array. They are computed on the host."""
    filled = np.empty(shape=states.shape, dtype=xoroshiro128p_dtype)
    init_xoroshiro128p_states_cpu(filled, seed, subsequence_start)
    states.copy_to_device(filled, stream=stream)


def create_xoroshiro128p_states(n: int, seed: int, subsequence_start: int = 0, stream: Any = 0) -> Any:
    """A device array of n states."""
    states = device_array(n, dtype=xoroshiro128p_dtype, stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states


__all__ = [  # noqa: PLE0604
    "create_xoroshiro128p_states",
    "init_xoroshiro128p_states",
    "init_xoroshiro128p_states_cpu",
    "xoroshiro128p_dtype",
    "xoroshiro128p_type",
    *_kernel,
]
