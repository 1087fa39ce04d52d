"""Names that mean something inside of kernels only."""

from __future__ import annotations

import importlib
import threading
from typing import Any

# `indices`: threadIdx, blockIdx, blockDim and gridDim of the kernel's thread that a debugger shows on this thread of
# Python's.
stopped = threading.local()


class KernelName:
    # A function or value of CUDA's, by the path under which the compiler of kernels knows it. Outside of a kernel it
    # can be named and passed, not called. Each object has a docstring of its own.
    _kernel_path = True

    def __init__(self, path: str, doc: str = "", members: dict[str, Any] | None = None) -> None:
        self.path = path
        self.__doc__ = doc
        self._members = members or {}

    def __getattr__(self, name: str) -> Any:
        try:
            found = self._members[name]
            indices = getattr(stopped, "indices", None)
            if indices is not None and name in ("x", "y", "z") and self.path[5:] in indices:
                return indices[self.path[5:]]["xyz".index(name)]
            return found
        except KeyError:
            raise AttributeError(f"{self.path} has no attribute {name!r}") from None

    def __dir__(self) -> list[str]:
        return sorted(self._members)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        indices = getattr(stopped, "indices", None)
        if indices is not None and self.path in ("cuda.grid", "cuda.gridsize") and args in ((1,), (2,), (3,)):
            block, blocks = indices["blockDim"], indices["gridDim"]
            begin, own = (
                (indices["blockIdx"], indices["threadIdx"]) if self.path == "cuda.grid" else (blocks, (0, 0, 0))
            )
            found = tuple(first * size + rest for first, size, rest in zip(begin, block, own, strict=True))[: args[0]]
            return found[0] if args == (1,) else found
        raise TypeError(f"{self.path}() can be called inside of a kernel only: in a function with @cuda.jit")

    def __repr__(self) -> str:
        return f"<{self.path}, for kernels>"

    def __reduce__(self) -> Any:
        return (_found, (self.path,))


def _found(path: str) -> Any:
    names = path.split(".")[1:]
    if names[0] in globals():
        return globals()[names[0]] if len(names) == 1 else getattr(globals()[names[0]], names[1])
    owner: Any = importlib.import_module(__package__)
    for name in names:
        owner = getattr(owner, name)
    return owner


def _group(path: str, doc: str, members: dict[str, str]) -> KernelName:
    return KernelName(path, doc, {name: KernelName(f"{path}.{name}", text) for name, text in members.items()})


def _axes(name: str, doc: str) -> KernelName:
    return _group(f"cuda.{name}", doc, {axis: f"{doc[:-1]}, along {axis}: an int32." for axis in "xyz"})


grid = KernelName(
    "cuda.grid",
    "`grid(ndim)`: this thread's position in the whole grid; an int for ndim 1, else a tuple. CUDA programming guide, *Thread Hierarchy*.",
)
gridsize = KernelName(
    "cuda.gridsize", "`gridsize(ndim)`: the number of threads of the whole grid along each of ndim axes."
)
laneid = KernelName("cuda.laneid", "The number of this thread in its warp, 0 to 31.")
warpsize = KernelName("cuda.warpsize", "The number of threads in a warp: 32.")
syncthreads = KernelName(
    "cuda.syncthreads",
    "Wait until all threads of the block are here; what they wrote is seen behind. CUDA programming guide, *Synchronization Functions*.",
)
syncthreads_count = KernelName(
    "cuda.syncthreads_count", "`syncthreads_count(test)`: the same, and the number of threads whose test is true."
)
syncthreads_and = KernelName(
    "cuda.syncthreads_and", "`syncthreads_and(test)`: the same, and not 0 if all tests are true."
)
syncthreads_or = KernelName("cuda.syncthreads_or", "`syncthreads_or(test)`: the same, and not 0 if any test is true.")
syncwarp = KernelName(
    "cuda.syncwarp", "`syncwarp(mask=0xffffffff)`: wait for the threads of the warp that the mask names."
)
threadfence = KernelName(
    "cuda.threadfence",
    "What this thread wrote before is seen by the device before what it writes behind. CUDA programming guide, *Memory Fence Functions*.",
)
threadfence_block = KernelName("cuda.threadfence_block", "The same, for threads of the block.")
threadfence_system = KernelName("cuda.threadfence_system", "The same, for all devices and the host.")
shfl_sync = KernelName(
    "cuda.shfl_sync",
    "`shfl_sync(mask, value, src_lane)`: the value of another lane. CUDA programming guide, *Warp Shuffle Functions*.",
)
shfl_up_sync = KernelName(
    "cuda.shfl_up_sync", "`shfl_up_sync(mask, value, delta)`: the value of the lane that is delta lower."
)
shfl_down_sync = KernelName(
    "cuda.shfl_down_sync", "`shfl_down_sync(mask, value, delta)`: the value of the lane that is delta higher."
)
shfl_xor_sync = KernelName(
    "cuda.shfl_xor_sync",
    "`shfl_xor_sync(mask, value, lane_mask)`: the value of the lane whose number differs in these bits.",
)
all_sync = KernelName(
    "cuda.all_sync",
    "`all_sync(mask, test)`: true if the test is true in all lanes. CUDA programming guide, *Warp Vote Functions*.",
)
any_sync = KernelName("cuda.any_sync", "`any_sync(mask, test)`: true if the test is true in any lane.")
eq_sync = KernelName("cuda.eq_sync", "`eq_sync(mask, test)`: true if the test is the same in all lanes.")
ballot_sync = KernelName("cuda.ballot_sync", "`ballot_sync(mask, test)`: the lanes whose test is true, as bits.")
match_any_sync = KernelName(
    "cuda.match_any_sync",
    "`match_any_sync(mask, value)`: the lanes that have the same value, as bits. CUDA programming guide, *Warp Match Functions*.",
)
match_all_sync = KernelName(
    "cuda.match_all_sync",
    "`match_all_sync(mask, value)`: a tuple of the mask, if all have the same value, else 0, and whether they do.",
)
activemask = KernelName("cuda.activemask", "The lanes that are active, as bits.")
lanemask_lt = KernelName("cuda.lanemask_lt", "The lanes with lower numbers, as bits.")
nanosleep = KernelName("cuda.nanosleep", "`nanosleep(ns)`: sleep for about so many nanoseconds, at most a million.")
selp = KernelName("cuda.selp", "`selp(test, a, b)`: a or b, without a branch.")
popc = KernelName("cuda.popc", "`popc(x)`: the number of bits that are set.")
brev = KernelName("cuda.brev", "`brev(x)`: the bits in the opposite order.")
clz = KernelName("cuda.clz", "`clz(x)`: the number of zeros before the first bit.")
ffs = KernelName("cuda.ffs", "`ffs(x)`: the number of the lowest bit that is set, from 1; 0 if none is.")
fma = KernelName("cuda.fma", "`fma(a, b, c)`: a * b + c, rounded once.")
cbrt = KernelName("cuda.cbrt", "`cbrt(x)`: the cube root.")
ldca = KernelName(
    "cuda.ldca",
    "`ldca(array, index)`: an element of global memory, cached at all levels. CUDA programming guide, *Load Functions Using Cache Hints*.",
)
ldcg = KernelName("cuda.ldcg", "`ldcg(array, index)`: the same, cached in L2 only.")
ldcs = KernelName("cuda.ldcs", "`ldcs(array, index)`: the same, likely used once.")
ldcv = KernelName("cuda.ldcv", "`ldcv(array, index)`: the same, read anew.")
ldlu = KernelName("cuda.ldlu", "`ldlu(array, index)`: the same, not used again.")
stcg = KernelName(
    "cuda.stcg",
    "`stcg(array, index, value)`: store an element in global memory, cached in L2 only. CUDA programming guide, *Store Functions Using Cache Hints*.",
)
stcs = KernelName("cuda.stcs", "`stcs(array, index, value)`: the same, likely used once.")
stwb = KernelName("cuda.stwb", "`stwb(array, index, value)`: the same, written back at all levels.")
stwt = KernelName("cuda.stwt", "`stwt(array, index, value)`: the same, written through to memory.")

literal_unroll = KernelName(
    "cuda.literal_unroll",
    "`for item in literal_unroll(items)`: a turn for each item of a tuple, whose types may differ. Loops over tuples are so without it.",
)
carray = KernelName(
    "cuda.carray",
    "`carray(ptr, shape, dtype=None)`: an array in C's order over the memory that a pointer leads to. An address that is an int needs a dtype.",
)
farray = KernelName(
    "cuda.farray", "`farray(ptr, shape, dtype=None)`: the same in Fortran's order: the first index runs fastest."
)

threadIdx = _axes("threadIdx", "This thread's position in its block.")
blockIdx = _axes("blockIdx", "This block's position in the grid.")
blockDim = _axes("blockDim", "The number of threads of a block.")
gridDim = _axes("gridDim", "The number of blocks of the grid.")

shared = _group(
    "cuda.shared",
    "Memory of a block.",
    {
        "array": "`shared.array(shape, dtype, alignment=None)`: an array that all threads of the block share. A shape of 0: the dynamic shared memory of the launch."
    },
)
local = _group(
    "cuda.local",
    "Memory of a thread.",
    {"array": "`local.array(shape, dtype, alignment=None)`: an array of this thread alone."},
)
const = _group(
    "cuda.const",
    "Constant memory.",
    {"array_like": "`const.array_like(array)`: a host array that the kernel captures, in constant memory."},
)
atomic = _group(
    "cuda.atomic",
    "Operations on one element that no other thread interrupts; each returns the old value. CUDA programming guide, *Atomic Functions*.",
    {
        "add": "`atomic.add(array, index, value)`. Complex numbers by parts: one of other threads may come between them.",
        "sub": "`atomic.sub(array, index, value)`.",
        "and_": "`atomic.and_(array, index, value)`.",
        "or_": "`atomic.or_(array, index, value)`.",
        "xor": "`atomic.xor(array, index, value)`.",
        "inc": "`atomic.inc(array, index, value)`: one more, 0 behind value.",
        "dec": "`atomic.dec(array, index, value)`: one less, value behind 0.",
        "exch": "`atomic.exch(array, index, value)`: put a value.",
        "max": "`atomic.max(array, index, value)`; NaN wins.",
        "min": "`atomic.min(array, index, value)`; NaN wins.",
        "nanmax": "`atomic.nanmax(array, index, value)`; NaN loses.",
        "nanmin": "`atomic.nanmin(array, index, value)`; NaN loses.",
        "compare_and_swap": "`atomic.compare_and_swap(array, old, value)`: put value into element 0 if it is old.",
        "cas": "`atomic.cas(array, index, old, value)`: put value if the element is old.",
    },
)
