"""Tensor maps: copies and reductions of boxes of tensors (`cp.async.bulk.tensor`), compared with NumPy."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import cuox
import numpy as np
import pytest
from conftest import download, upload
from cuox.cuda.bindings import driver
from tensor_models import SPANS, from_shared, into_shared, loaded, pixels, positions, stored

HEAD = r"""
struct alignas(64) Map { unsigned long long opaque[16]; };
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
extern __shared__ u8 dynamic[];

// Shared memory at a multiple of 1024, and an mbarrier in front of it.
__device__ u32 base() { return ((u32)__cvta_generic_to_shared(dynamic) + 8 + 1023) & ~1023u; }
__device__ u32 barrier() { return (u32)__cvta_generic_to_shared(dynamic); }
__device__ u8 &byte(u32 address) { return dynamic[address - (u32)__cvta_generic_to_shared(dynamic)]; }

__device__ void begin(int bytes, const u8 *from)
{
    for (int n = threadIdx.x; n < bytes; n += blockDim.x)
        byte(base() + n) = from ? from[n] : 0xa5;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;"
                     :: "r"(barrier()) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
}

__device__ void expect(int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier()), "r"(bytes) : "memory");
}

// A million tries of a microsecond at most: another number of bytes than `expect` was told does not wait for ever.
__device__ bool wait()
{
    u32 done = 0;
    for (int n = 0; !done && n < 1000000; n++)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0, 1000;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(barrier()) : "memory");
    return done;
}

__device__ void finish(int bytes, u8 *to, bool arrived)
{
    for (int n = threadIdx.x; n < bytes; n += blockDim.x)
        to[n] = arrived ? byte(base() + n) : 0xee;
}

__device__ void complete()
{
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}
"""
BYTES = 40 << 10
SHARED = BYTES + 1032

LOAD = """
extern "C" __global__ void NAME(const __grid_constant__ Map map, u8 *out, int bytes, int tx, int at, PARAMETERS)
{
    begin(bytes, nullptr);
    if (threadIdx.x == 0) {
        expect(tx);
        asm volatile("cp.async.bulk.tensor.RANKd.SPACE.global.MODE.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {COORDINATES}], [%2]OFFSETS;"
                     :: "r"(base() + at), "l"(&map), "r"(barrier()), OPERANDS : "memory");
    }
    bool arrived = wait();
    finish(bytes, out, arrived);
}
"""
STORE = """
extern "C" __global__ void NAME(const __grid_constant__ Map map, const u8 *from, int bytes, int at, PARAMETERS)
{
    begin(bytes, from);
    if (threadIdx.x == 0) {
        asm volatile("OPCODE.RANKd.global.shared::ctaOPERATION.MODE.bulk_group [%0, {COORDINATES}], [%1];"
                     :: "l"(&map), "r"(base() + at), OPERANDS : "memory");
        complete();
    }
}
"""


@functools.cache
def kernel(source: str, name: str) -> Any:
    return cuox.Program(HEAD + source, options=cuox.ProgramOptions(arch="sm_90a")).compile("ptx").get_kernel(name)


def filled(text: str, rank: int, first: int, **words: str) -> tuple[str, int]:
    """A kernel for that number of dimensions; its coordinates are operands from number `first` on."""
    names = [f"c{n}" for n in range(rank)]
    parameters, operands = [f"int {name}" for name in names], [f'"r"({name})' for name in names]
    coordinates = ", ".join(f"%{first + n}" for n in range(rank))
    offsets = ""
    if words["MODE"] == "im2col":
        axes = range(rank - 2)
        parameters += [f"int o{n}" for n in axes]
        operands += [f'"h"((u16)o{n})' for n in axes]
        offsets = ", {" + ", ".join(f"%{first + rank + n}" for n in axes) + "}"
    words |= {
        "PARAMETERS": ", ".join(parameters),
        "OPERANDS": ", ".join(operands),
        "COORDINATES": coordinates,
        "OFFSETS": offsets,
        "RANK": str(rank),
        "NAME": "k",
    }
    for word, value in words.items():
        text = text.replace(word, value)
    return text, rank


def load_kernel(rank: int, mode: str = "tile", space: str = "shared::cluster") -> Any:
    return kernel(filled(LOAD, rank, 3, MODE=mode, SPACE=space)[0], "k")


def store_kernel(rank: int, mode: str = "tile", operation: str = "copy") -> Any:
    reduces = operation != "copy"
    words = {
        "MODE": mode,
        "OPCODE": "cp.reduce.async.bulk.tensor" if reduces else "cp.async.bulk.tensor",
        "OPERATION": f".{operation}" if reduces else "",
    }
    return kernel(filled(STORE, rank, 2, **words)[0], "k")


TYPES = {
    np.uint8: 0,
    np.uint16: 1,
    np.uint32: 2,
    np.int32: 3,
    np.uint64: 4,
    np.int64: 5,
    np.float16: 6,
    np.float32: 7,
    np.float64: 8,
}


class Tensor:
    """A tensor on the device. Its rows are padded to multiples of 16 bytes."""

    def __init__(self, device: cuox.Device, stream: cuox.Stream, array: np.ndarray, slices: int = 0) -> None:
        self.array, self.stream = array, stream
        size = slices or array.itemsize
        room = list(array.shape)
        while len(room) > 1 and room[-1] * size % max(16, slices):
            room[-1] += 1
        self.padded = np.full(room, 77 if array.dtype.kind != "V" else 0, array.dtype)
        self.place = tuple(slice(extent) for extent in array.shape)
        self.padded[self.place] = array
        self.buffer = upload(device, self.padded, stream)

    def whole(self) -> np.ndarray:
        """The elements of its padded rows as they are now."""
        return download(self.buffer, self.array.dtype, self.stream).reshape(self.padded.shape)

    def now(self) -> np.ndarray:
        """Its elements as they are now; what lies between the rows is as before."""
        whole = self.whole()
        untouched = whole.copy()
        untouched[self.place] = self.padded[self.place]
        assert untouched.tobytes() == self.padded.tobytes()
        return whole[self.place]

    def parameters(self) -> dict[str, Any]:
        return {
            "tensorRank": self.array.ndim,
            "globalAddress": int(self.buffer.handle),
            "globalDim": self.array.shape[::-1],
            "globalStrides": self.padded.strides[-2::-1],
        }


def encoded(function: str, **parameters: Any) -> Any:
    """A tensor map; raises AssertionError with the driver's code."""
    defaults = {"interleave": 0, "swizzle": 0, "l2Promotion": 0, "oobFill": 0}
    code, made = getattr(driver, function)(**{**defaults, **parameters})
    assert int(code) == 0, code
    return made


def tiled(tensor: Tensor, box: Sequence[int], steps: Sequence[int] | None = None, **others: Any) -> Any:
    """A map of boxes; `box` and `steps` in the order of the tensor's shape."""
    steps = steps or [1] * len(box)
    parameters = {
        **tensor.parameters(),
        "tensorDataType": TYPES.get(tensor.array.dtype.type, 0),
        "boxDim": box[::-1],
        "elementStrides": steps[::-1],
        **others,
    }
    return encoded("cuTensorMapEncodeTiled", **parameters)


def values(dtype: type, *shape: int, seed: int = 1) -> np.ndarray:
    """Elements that all differ as far as there are enough."""
    numbers = np.random.default_rng(seed).permutation(int(np.prod(shape))).reshape(shape)
    return (numbers if np.dtype(dtype).kind != "u" else numbers.astype(np.uint64) % 251).astype(dtype)


def run_load(
    device: cuox.Device, stream: cuox.Stream, launched: Any, tensor_map: Any, tx: int, at: int, *numbers: int
) -> np.ndarray:
    """Shared memory after a load."""
    out = device.allocate(BYTES, stream=stream)
    launched[1, 64, stream, SHARED](tensor_map, out, BYTES, tx, at, *numbers)
    return download(out, np.uint8, stream)


def check_load(
    device: cuox.Device,
    stream: cuox.Stream,
    array: np.ndarray,
    box: Sequence[int],
    at: Sequence[int],
    steps: Sequence[int] | None = None,
    swizzle: int = 0,
    start: int = 0,
    outside: bytes = b"",
    **others: Any,
) -> None:
    """Load a box, whose place is in the order of the array's shape, and compare shared memory."""
    tensor = Tensor(device, stream, array)
    where = positions(box, at, steps or [1] * len(box))
    rows = loaded(array, where, outside or bytes(array.itemsize))
    made = tiled(tensor, box, steps, swizzle=swizzle, **others)
    launched = load_kernel(array.ndim)
    got = run_load(device, stream, launched, made, sum(map(len, rows)), start, *at[::-1])
    np.testing.assert_array_equal(got, into_shared(rows, swizzle, start, BYTES))


def aligned(at: Sequence[int], dtype: Any) -> list[int]:
    """The place at or in front of this one where a copy may begin: a multiple of 16 bytes along the last dimension."""
    step = 16 // np.dtype(dtype).itemsize
    return [*at[:-1], at[-1] // step * step]


CASES = [
    ((1000,), (64,), (128,)),
    ((40, 33), (8, 16), (5, 16)),
    ((9, 12, 36), (3, 4, 16), (2, 5, 16)),
    ((4, 5, 6, 16), (2, 3, 2, 16), (1, 2, 3, 0)),
    ((3, 4, 3, 5, 32), (2, 2, 2, 3, 16), (1, 1, 0, 2, 16)),
]


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.int32, np.float64])
@pytest.mark.parametrize(("shape", "box", "at"), CASES)
def test_boxes_of_one_to_five_dimensions(
    device: cuox.Device, stream: cuox.Stream, shape: Any, box: Any, at: Any, dtype: type
) -> None:
    check_load(device, stream, values(dtype, *shape), box, at)


@pytest.mark.parametrize(("shape", "box", "at"), CASES)
def test_what_lies_outside_of_the_tensor_is_zero(
    device: cuox.Device, stream: cuox.Stream, shape: Any, box: Any, at: Any
) -> None:
    array = values(np.float32, *shape)
    # In front of the first element, behind the last one, on both sides, and far away.
    far = [-(2**31)] + [2**31 - 1] * (len(shape) - 1)
    for at in ([-3] * len(shape), [extent - 2 for extent in shape], list(shape), far):
        check_load(device, stream, array, box, aligned(at, array.dtype))
    narrow = np.ascontiguousarray(array[tuple(slice(2) for _ in shape)])
    check_load(device, stream, narrow, box, aligned([-1] * len(shape), array.dtype))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_what_lies_outside_can_be_a_nan(device: cuox.Device, stream: cuox.Stream, dtype: type) -> None:
    size = np.dtype(dtype).itemsize
    outside = b"\xf7\x7f" * (size // 2)
    check_load(device, stream, values(dtype, 6, 24), (8, 16), (2, 16), outside=outside, oobFill=1)


@pytest.mark.parametrize("steps", [(1, 2), (2, 1), (3, 1), (8, 1)])
def test_steps(device: cuox.Device, stream: cuox.Stream, steps: tuple[int, int]) -> None:
    # The step along the last dimension is not used.
    array = values(np.uint16, 50, 64)
    tensor = Tensor(device, stream, array)
    box, at = (20, 16), (-4, 40)
    rows = loaded(array, positions(box, at, (steps[0], 1)), b"\0\0")
    made = tiled(tensor, box, steps)
    got = run_load(device, stream, load_kernel(2), made, sum(map(len, rows)), 0, *at[::-1])
    np.testing.assert_array_equal(got, into_shared(rows, 0, 0, BYTES))


def test_steps_along_all_dimensions(device: cuox.Device, stream: cuox.Stream) -> None:
    check_load(device, stream, values(np.uint8, 9, 10, 11, 16), (5, 4, 7, 16), (1, -1, 2, 0), (2, 3, 4, 1))


@pytest.mark.parametrize("start", [0, 128, 640])
@pytest.mark.parametrize("swizzle", [1, 2, 3])
def test_swizzling(device: cuox.Device, stream: cuox.Stream, swizzle: int, start: int) -> None:
    span = SPANS[swizzle]
    array = values(np.uint32, 30, 64)
    check_load(device, stream, array, (19, span // 4), (3, 8), swizzle=swizzle, start=start)
    # Across the tensor's end.
    check_load(device, stream, array, (19, span // 4), (20, 60), swizzle=swizzle, start=start)


@pytest.mark.parametrize("swizzle", [1, 2, 3])
def test_swizzling_of_rows_shorter_than_the_span(device: cuox.Device, stream: cuox.Stream, swizzle: int) -> None:
    check_load(device, stream, values(np.uint32, 30, 64), (10, 4), (3, 8), swizzle=swizzle)


def test_a_box_in_shared_memory_of_the_block_alone(device: cuox.Device, stream: cuox.Stream) -> None:
    array = values(np.int32, 32, 32)
    tensor = Tensor(device, stream, array)
    rows = loaded(array, positions((8, 8), (3, 4), (1, 1)), bytes(4))
    launched = load_kernel(2, space="shared::cta")
    got = run_load(device, stream, launched, tiled(tensor, (8, 8)), 256, 0, 4, 3)
    np.testing.assert_array_equal(got, into_shared(rows, 0, 0, BYTES))


def test_another_number_of_bytes_does_not_arrive(device: cuox.Device, stream: cuox.Stream) -> None:
    made = tiled(Tensor(device, stream, values(np.int32, 32, 32)), (8, 8))
    assert (run_load(device, stream, load_kernel(2), made, 256 + 16, 0, 4, 3) == 0xEE).all()
    assert not (run_load(device, stream, load_kernel(2), made, 256, 0, 4, 3) == 0xEE).all()


@pytest.mark.parametrize("data_type", [10, 11, 12])
def test_floats_are_rounded(device: cuox.Device, stream: cuox.Stream, data_type: int) -> None:
    bits = np.random.default_rng(3).integers(0, 2**32, (16, 64), np.uint64).astype(np.uint32)
    bits[0, :16] = np.arange(16) * 0x400 + 0x3F80_0000
    bits[1, :16] = np.arange(16) * 0x1000 + 0x3F80_0000
    bits[2, :16] = np.arange(16) * 0x8_0000 | 0x8000_0000
    bits[bits & 0x7F80_0000 == 0x7F80_0000] = 0x7F80_0000
    tensor = Tensor(device, stream, bits)
    made = tiled(tensor, (16, 64), tensorDataType=data_type)
    got = run_load(device, stream, load_kernel(2), made, bits.nbytes, 0, 0, 0)[: bits.nbytes].view(np.uint32)
    # Subnormals stay as they are, those of the types _FTZ too.
    expected = bits.copy()
    if data_type != 10:
        finite = bits != 0x7F80_0000
        expected[finite] = (expected + 0xFFF + (expected >> 13 & 1))[finite] & ~np.uint32(0x1FFF)
    np.testing.assert_array_equal(got.reshape(bits.shape), expected)


def check_store(
    device: cuox.Device,
    stream: cuox.Stream,
    array: np.ndarray,
    box: Sequence[int],
    at: Sequence[int],
    steps: Sequence[int] | None = None,
    swizzle: int = 0,
    start: int = 0,
    operation: str = "copy",
) -> None:
    """Store a box, or reduce by it, and compare the tensor."""
    tensor = Tensor(device, stream, array)
    where = positions(box, at, steps or [1] * len(box))
    if operation == "copy":
        shared = np.random.default_rng(5).integers(0, 256, BYTES, np.uint64).astype(np.uint8)
    else:
        shared = values(array.dtype.type, BYTES // array.itemsize, seed=7).view(np.uint8)
        if array.dtype == np.float16:
            shared = (np.arange(BYTES // 2) % 19 - 9).astype(np.float16).view(np.uint8)
    source = upload(device, shared, stream)
    made = tiled(tensor, box, steps, swizzle=swizzle)
    store_kernel(array.ndim, operation=operation)[1, 64, stream, SHARED](made, source, BYTES, start, *at[::-1])
    rows = from_shared(shared, len(where), where.shape[1] * array.itemsize, swizzle, start)
    # 16 bytes that begin in the tensor are written whole.
    expected = stored(tensor.padded, where, rows, operation)
    np.testing.assert_array_equal(tensor.whole().view(f"u{array.itemsize}"), expected.view(f"u{array.itemsize}"))


@pytest.mark.parametrize(("shape", "box", "at"), CASES)
def test_stores(device: cuox.Device, stream: cuox.Stream, shape: Any, box: Any, at: Any) -> None:
    array = values(np.int32, *shape)
    check_store(device, stream, array, box, at)
    check_store(device, stream, array, box, aligned([extent - 2 for extent in shape], array.dtype))
    if device.is_soft:
        # On an H200 stores in front of the tensor fault.
        for other in ([-1, *at[1:]], list(shape)):
            check_store(device, stream, array, box, aligned(other, array.dtype))


@pytest.mark.parametrize("swizzle", [1, 2, 3])
def test_stores_of_swizzled_boxes(device: cuox.Device, stream: cuox.Stream, swizzle: int) -> None:
    span = SPANS[swizzle]
    # An H200 writes the last 16 bytes of a row that begin inside of the tensor as a whole.
    check_store(device, stream, values(np.uint8, 40, 144), (13, span), (5, 16), swizzle=swizzle, start=256)
    check_store(device, stream, values(np.uint16, 40, 72), (13, span // 2), (35, 8), (3, 1), swizzle=swizzle)


REDUCTIONS = [
    *(
        (operation, dtype)
        for operation in ("add", "min", "max")
        for dtype in (np.uint32, np.int32, np.uint64, np.float16)
    ),
    ("add", np.float32),
    ("add", np.float64),
    ("min", np.int64),
    ("max", np.int64),
    ("inc", np.uint32),
    ("dec", np.uint32),
    *((operation, dtype) for operation in ("and", "or", "xor") for dtype in (np.uint32, np.uint64)),
]


@pytest.mark.parametrize(("operation", "dtype"), REDUCTIONS)
def test_reductions(device: cuox.Device, stream: cuox.Stream, operation: str, dtype: type) -> None:
    array = values(dtype, 20, 32) if dtype != np.float16 else (np.arange(640) % 50).astype(np.float16).reshape(20, 32)
    if np.dtype(dtype).kind == "i":
        array -= array.size // 2
    width = 32 // array.itemsize
    check_store(device, stream, array, (6, width), (3, 8), operation=operation)
    check_store(device, stream, array, (6, width), aligned((17, 30), dtype), operation=operation, swizzle=1)


IM2COL = [
    # shape, place, lower and upper corners, offsets, channels, pixels, steps
    ((3, 9, 20), (1, 2, 4), (0,), (0,), (0,), 16, 12, (1, 1, 1)),
    ((3, 9, 20), (0, -1, 0), (-1,), (-1,), (2,), 16, 24, (1, 1, 1)),
    ((2, 7, 9, 16), (0, -1, -1), (-1, -1), (-1, -1), (1, 2), 16, 60, (1, 1, 1, 1)),
    ((2, 7, 9, 16), (1, 3, 4), (0, 0), (-2, -2), (2, 2), 16, 64, (1, 1, 1, 1)),
    ((2, 8, 9, 32), (0, 1, -1), (-1, -1), (-1, -1), (1, 1), 16, 30, (1, 2, 2, 1)),
    ((2, 3, 4, 5, 16), (0, 0, -1, 1), (-1, -1, -1), (-1, -1, -1), (1, 0, 2), 16, 50, (1, 1, 1, 1, 1)),
]


def im2col(tensor: Tensor, case: Any, **others: Any) -> Any:
    _, _, lower, upper, _, channels, count, steps = case
    return encoded(
        "cuTensorMapEncodeIm2col",
        **{
            **tensor.parameters(),
            "tensorDataType": TYPES[tensor.array.dtype.type],
            "pixelBoxLowerCorner": lower[::-1],
            "pixelBoxUpperCorner": upper[::-1],
            "channelsPerPixel": channels,
            "pixelsPerColumn": count,
            "elementStrides": steps[::-1],
            **others,
        },
    )


@pytest.mark.parametrize("swizzle", [0, 3])
@pytest.mark.parametrize("case", IM2COL)
def test_pixels(device: cuox.Device, stream: cuox.Stream, case: Any, swizzle: int) -> None:
    shape, at, lower, upper, offsets, channels, count, steps = case
    array = values(np.float32, *shape)
    tensor = Tensor(device, stream, array)
    at = (*at, 4)[: len(shape)]
    where = pixels(shape, at, lower, upper, offsets, channels, count, steps)
    rows = loaded(array, where, bytes(4))
    launched = load_kernel(len(shape), "im2col")
    made = im2col(tensor, case, swizzle=swizzle)
    got = run_load(device, stream, launched, made, sum(map(len, rows)), 0, *at[::-1], *offsets[::-1])
    np.testing.assert_array_equal(got, into_shared(rows, swizzle, 0, BYTES))


@pytest.mark.parametrize("operation", ["copy", "add"])
def test_stores_of_pixels(device: cuox.Device, stream: cuox.Stream, operation: str) -> None:
    array = values(np.uint32, 2, 5, 6, 16)
    tensor = Tensor(device, stream, array)
    case = (array.shape, (), (0, 0), (-1, -1), (), 16, 25, (1, 1, 1, 1))
    shared = values(np.uint32, BYTES // 4, seed=9)
    source = upload(device, shared, stream)
    at = (0, 2, 3, 4)
    store_kernel(4, "im2col_no_offs", operation)[1, 64, stream, SHARED](
        im2col(tensor, case), source, BYTES, 0, *at[::-1]
    )
    where = pixels(array.shape, at, case[2], case[3], (0, 0), 16, 25, case[-1])
    rows = from_shared(shared.view(np.uint8), 25, 64, 0, 0)
    np.testing.assert_array_equal(tensor.now(), stored(array, where, rows, operation))


@pytest.mark.parametrize(("slices", "swizzle"), [(16, 0), (32, 0), (32, 1)])
def test_interleaved_channels(device: cuox.Device, stream: cuox.Stream, slices: int, swizzle: int) -> None:
    # Images N, C / 8, H, W of slices of 8 or 16 channels: a slice is an element.
    array = values(np.uint8, 2, 3, 6, 14, slices).view(f"V{slices}")[..., 0]
    tensor = Tensor(device, stream, array, slices)
    box, at, steps = (1, 1, 4, 8), (1, 2, -1, 8), (1, 1, 1, 2)
    made = tiled(tensor, box, steps, tensorDataType=6, interleave=slices // 16, swizzle=swizzle)
    rows = loaded(array, positions(box, at, steps), bytes(slices))
    got = run_load(device, stream, load_kernel(4), made, sum(map(len, rows)), 0, *at[::-1])
    np.testing.assert_array_equal(got, into_shared(rows, swizzle, 0, BYTES))


ELSEWHERE = r"""
__constant__ Map constant;
__device__ Map variable;

__device__ __noinline__ void load(const Map *map, u32 to)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(to), "l"(map), "r"(4), "r"(3), "r"(barrier()) : "memory");
}

extern "C" __global__ void from(const __grid_constant__ Map map, const Map *global, u8 *out, int which)
{
    begin(256, nullptr);
    if (threadIdx.x == 0) {
        // A GPU faults where the map is zeros.
        if (which == 0) {
            asm volatile("prefetch.tensormap [%0];" :: "l"(&map) : "memory");
            asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];"
                         :: "l"(&map), "r"(4), "r"(3));
        }
        if (which > 0)
            asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(which == 1 ? global : &variable)
                         : "memory");
        expect(256);
        load(which == 0 ? &map : which == 1 ? global : which == 2 ? &variable : &constant, base());
    }
    bool arrived = wait();
    finish(256, out, arrived);
}
"""


@pytest.mark.parametrize("which", ["parameter", "global", "variable", "constant"])
def test_where_maps_may_be(device: cuox.Device, stream: cuox.Stream, which: str) -> None:
    array = values(np.int32, 32, 32)
    tensor = Tensor(device, stream, array)
    made = np.frombuffer(bytes(memoryview(tiled(tensor, (8, 8)))), np.uint8)
    code = cuox.Program(HEAD + ELSEWHERE, options=cuox.ProgramOptions(arch="sm_90a"))
    code = code.compile("ptx", name_expressions=["&variable", "&constant"])
    launched = code.get_kernel("from")
    for name in ("variable", "constant"):
        assert int(driver.cuMemcpyHtoD(code.get_global(f"&{name}")[0], made, 128)[0]) == 0
    copy = upload(device, made, stream)
    out = device.allocate(256, stream=stream)
    number = ["parameter", "global", "variable", "constant"].index(which)
    launched[1, 32, stream, SHARED](made if number == 0 else np.zeros(128, np.uint8), copy, out, number)
    rows = loaded(array, positions((8, 8), (3, 4), (1, 1)), bytes(4))
    np.testing.assert_array_equal(download(out, np.uint8, stream), into_shared(rows, 0, 0, 256))


REPLACE = r"""
extern "C" __global__ void replace(const __grid_constant__ Map from, Map *to, u64 address, int box0, int box1, int dim0,
                                   int dim1, u64 stride, int step)
{
    __shared__ alignas(128) Map map;
    u32 at = (u32)__cvta_generic_to_shared(&map);
    if (threadIdx.x < 16)
        map.opaque[threadIdx.x] = from.opaque[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" :: "r"(at), "l"(address));
        asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], %1;" :: "r"(at), "r"(1));
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0, %1;" :: "r"(at), "r"(box0));
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 1, %1;" :: "r"(at), "r"(box1));
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" :: "r"(at), "r"(dim0));
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" :: "r"(at), "r"(dim1));
        asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" :: "r"(at), "l"(stride));
        asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 0, %1;" :: "r"(at), "r"(1));
        asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 1, %1;" :: "r"(at), "r"(step));
        asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 9;" :: "r"(at));
        asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], 0;" :: "r"(at));
        asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 1;" :: "r"(at));
        asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 1;" :: "r"(at));
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
                 :: "l"(to), "r"(at) : "memory");
}
extern "C" __global__ void replace_global(Map *map, u64 address)
{
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" :: "l"(map), "l"(address) : "memory");
    asm volatile("tensormap.replace.tile.fill_mode.b1024.b32 [%0], 0;" :: "l"(map) : "memory");
}
"""


@pytest.mark.parametrize("start", ["map", "zeros"])
def test_changes_of_maps_in_kernels(device: cuox.Device, stream: cuox.Stream, start: str) -> None:
    template = tiled(Tensor(device, stream, values(np.uint8, 4, 4, 64)), (1, 2, 16))
    if start == "zeros":
        if not device.is_soft:
            pytest.skip("whether a GPU takes such maps is not recorded yet")
        template = np.zeros(128, np.uint8)
    array = values(np.float64, 20, 30)
    tensor = Tensor(device, stream, array)
    changed = upload(device, np.zeros(128, np.uint8), stream)
    code = cuox.Program(HEAD + REPLACE, options=cuox.ProgramOptions(arch="sm_90a")).compile("ptx")
    code.get_kernel("replace")[1, 32, stream](template, changed, int(tensor.buffer.handle), 4, 16, 6, 20, 240, 2)
    reading = kernel(ELSEWHERE, "from")
    out = device.allocate(256, stream=stream)
    where = positions((16, 4), (3, 4), (2, 1))
    for other, outside in ((array, b"\xf7\x7f" * 4), (values(np.float64, 20, 30, seed=2), bytes(8))):
        if other is not array:
            second = Tensor(device, stream, other)
            code.get_kernel("replace_global")[1, 1, stream](changed, int(second.buffer.handle))
        reading[1, 32, stream, SHARED](np.zeros(128, np.uint8), changed, out, 1)
        rows = loaded(other[:, :6], where, outside)
        np.testing.assert_array_equal(download(out, np.uint8, stream), into_shared(rows, 1, 0, 256))


def test_a_change_of_what_is_no_map(device: cuox.Device, stream: cuox.Stream) -> None:
    nothing = upload(device, np.full(128, 0x5A, np.uint8), stream)
    kernel(REPLACE, "replace_global")[1, 1, stream](nothing, 0)
    stream.sync()


MULTICAST = r"""
extern "C" __global__ __cluster_dims__(4, 1, 1) void multicast(const __grid_constant__ Map map, u8 *out, u16 mask)
{
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    begin(512, nullptr);
    bool takes = mask >> rank & 1;
    if (threadIdx.x == 0 && takes)
        expect(256);
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0 && rank == 1)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%2, %3}], [%4], %5;"
                     :: "r"(base() + 128), "l"(&map), "r"(4), "r"(3), "r"(barrier()), "h"(mask) : "memory");
    bool arrived = !takes || wait();
    finish(512, out + 512 * rank, arrived);
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}
"""


def test_a_load_to_several_blocks_of_a_cluster(device: cuox.Device, stream: cuox.Stream) -> None:
    array = values(np.int32, 32, 32)
    tensor = Tensor(device, stream, array)
    out = device.allocate(4 * 512, stream=stream)
    kernel(MULTICAST, "multicast")[4, 32, stream, SHARED](tiled(tensor, (8, 8)), out, 0b1101)
    rows = loaded(array, positions((8, 8), (3, 4), (1, 1)), bytes(4))
    arrived, not_arrived = into_shared(rows, 0, 128, 512), np.full(512, 0xA5, np.uint8)
    expected = [arrived, not_arrived, arrived, arrived]
    np.testing.assert_array_equal(download(out, np.uint8, stream).reshape(4, 512), expected)


def test_another_address(device: cuox.Device, stream: cuox.Stream) -> None:
    first, second = (Tensor(device, stream, values(np.int32, 16, 16, seed=seed)) for seed in (1, 2))
    made = tiled(first, (8, 8))
    (code,) = driver.cuTensorMapReplaceAddress(made, int(second.buffer.handle))
    assert int(code) == 0
    rows = loaded(second.array, positions((8, 8), (1, 4), (1, 1)), bytes(4))
    got = run_load(device, stream, load_kernel(2), made, 256, 0, 4, 1)
    np.testing.assert_array_equal(got, into_shared(rows, 0, 0, BYTES))
    (code,) = driver.cuTensorMapReplaceAddress(made, int(second.buffer.handle) + 4)
    assert code == driver.CUresult.CUDA_ERROR_INVALID_VALUE
