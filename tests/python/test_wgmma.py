"""Products of warpgroups (`wgmma`), compared with NumPy. The numbers are small and whole: every sum is exact."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
import pytest
from conftest import download, upload
from tensor_models import places
from test_tensor_maps import Tensor, tiled

# By the swizzle mode of a matrix descriptor: bytes of an atom's rows, and the mode's number in a tensor map.
SPANS = {0: 16, 1: 128, 2: 64, 3: 32}
IN_MAPS = {0: 0, 1: 3, 2: 2, 3: 1}
IMAGE = 44 << 10

ONE = """
using u8 = unsigned char; using u16 = unsigned short; using u32 = unsigned int; using u64 = unsigned long long;
extern __shared__ u8 dynamic[];

extern "C" __global__ void k(const u8 *image, u64 a, u64 b, const u32 *registers, u32 *sums, int adds, const u32 *meta)
{
    u32 first = (u32)__cvta_generic_to_shared(dynamic), start = (first + 1023) & ~1023u;
    for (int n = threadIdx.x; n < BYTES; n += blockDim.x)
        dynamic[start - first + n] = image[n];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    a += start >> 4;
    b += start >> 4;
    u32 d[COUNT], r[4];
    for (int n = 0; n < COUNT; n++)
        d[n] = sums[n * 128 + threadIdx.x];
    for (int n = 0; n < 4; n++)
        r[n] = registers[n * 128 + threadIdx.x];
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %ADDS, 0; wgmma.fence.sync.aligned;"
                 "wgmma.mma_async.sync.aligned.FORM { D_OPERAND }, A_OPERAND, %BSPARSE, pSCALES;"
                 "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
                 : OUTPUTS : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(a), "l"(b), "r"(adds), "r"(META) : "memory");
    for (int n = 0; n < COUNT; n++)
        sums[n * 128 + threadIdx.x] = d[n];
}
"""


@functools.cache
def one_product(form: str, count: int, shared: bool, scales: str, selector: int | None = None) -> Any:
    """A kernel with one `wgmma` whose D has that many registers in a thread; sparse if there is a selector."""
    words = {
        "BYTES": str(IMAGE),
        "COUNT": str(count),
        "FORM": form,
        "D_OPERAND": ", ".join(f"%{n}" for n in range(count)),
        "OUTPUTS": ", ".join(f'"+r"(d[{n}])' for n in range(count)),
        "A_OPERAND": f"%{count + 4}" if shared else "{" + ", ".join(f"%{count + n}" for n in range(4)) + "}",
        "%ADDS": f"%{count + 6}",
        "SPARSE": "" if selector is None else f", %{count + 7}, {selector}",
        "META": "0" if selector is None else "meta[threadIdx.x]",
        "%B": f"%{count + 5}",
        "SCALES": scales,
    }
    source = ONE.replace("mma_async", "mma_async" if selector is None else "mma_async.sp")
    for word, value in words.items():
        source = source.replace(word, value)
    return cuox.Program(source, options=cuox.ProgramOptions(arch="sm_90a")).compile("ptx").get_kernel("k")


def e4m3(numbers: np.ndarray) -> np.ndarray:
    """The bits of whole numbers up to 8 in size."""
    bits = np.array([0x00, 0x38, 0x40, 0x44, 0x48, 0x4A, 0x4C, 0x4E, 0x50], np.uint8)
    return bits[np.abs(numbers)] | np.where(numbers < 0, 0x80, 0).astype(np.uint8)


def brains(numbers: np.ndarray) -> np.ndarray:
    return (numbers.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def e5m2(numbers: np.ndarray) -> np.ndarray:
    """The bits of whole numbers up to 8 in size, rounded down."""
    return (numbers.astype(np.float16).view(np.uint16) >> np.uint16(8)).astype(np.uint8)


def value_of_e5m2(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint16) << np.uint16(8)).view(np.float16).astype(np.int64)


STORED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "f16": lambda x: x.astype(np.float16),
    "bf16": brains,
    "tf32": lambda x: x.astype(np.float32),
    "e4m3": e4m3,
    "e5m2": e5m2,
    "s8": lambda x: x.astype(np.int8),
    "u8": lambda x: x.astype(np.uint8),
}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1": 1}


class Matrix:
    """A factor: rows along `k`, mostly of 32 bytes, and where they are in shared memory."""

    def __init__(self, rows: np.ndarray, mode: int, across: bool, start: int) -> None:
        self.rows, self.mode, self.across = rows, mode, across
        span = SPANS[mode]
        groups, inner = len(rows) // 8, span // 16
        # Where there is room, there is some between atoms.
        wide = 8 * span if mode else 8 * span + 16
        apart = wide * 2 if len(rows) <= 64 else wide
        if not across:
            # Rows of eight make an atom; without a swizzle each 16 bytes along `k` are in another one.
            self.leading, self.stride = (wide, rows.shape[1] // 16 * wide + 32) if not mode else (16, apart)
        elif not mode:
            self.leading, self.stride = wide * groups, wide
        else:
            self.leading, self.stride = 2 * wide, wide
        self.start = -(-start // 1024) * 1024
        self.groups, self.inner = groups, inner

    def chunk(self, group: int, n: int) -> int:
        """The offset of chunk `n` of a group of eight rows, of sixteen, without the swizzle."""
        span = SPANS[self.mode]
        if self.across:
            along, over = (self.leading, self.stride) if self.mode else (self.stride, self.leading)
            place = group // self.inner * along + group % self.inner * 16 + n // 8 * over + n % 8 * span
        else:
            place = group * self.stride + n % 8 * span + n // 8 * (16 if self.mode else self.leading)
        return self.start + place

    def put(self, image: np.ndarray) -> int:
        """Put the rows into an image of shared memory; returns the first byte behind them."""
        place = places(IN_MAPS[self.mode], 0, len(image))
        end = 0
        for group in range(self.groups):
            eight = self.rows[8 * group : 8 * group + 8]
            if self.across:
                columns = np.ascontiguousarray(eight.view(np.uint16).T).view(np.uint8)
            else:
                columns = np.concatenate(np.split(eight, eight.shape[1] // 16, axis=1))
            for n, chunk in enumerate(columns):
                at = self.chunk(group, n)
                image[place[at : at + 16]] = chunk
                end = max(end, at + 128)
        return end

    def descriptor(self) -> int:
        fields = (self.start, 0), (self.leading, 16), (self.stride, 32)
        return sum((value >> 4) << shift for value, shift in fields) | self.mode << 62


def registers_of_a(rows: np.ndarray) -> np.ndarray:
    words = np.ascontiguousarray(rows).view(np.uint32)
    thread = np.arange(128)
    row = thread // 32 * 16 + thread % 32 // 4
    return np.stack([words[row + 8 * (n % 2), n // 2 * 4 + thread % 4] for n in range(4)])


def sums_by_register(numbers: np.ndarray, half: bool) -> np.ndarray:
    """The bits of D as the threads have them: registers, threads."""
    thread = np.arange(128)
    row = thread // 32 * 16 + thread % 32 // 4
    spread = [
        numbers[row + 8 * (n // 2 % 2), n // 4 * 8 + thread % 4 * 2 + n % 2] for n in range(numbers.shape[1] // 2)
    ]
    if not half:
        return np.stack(spread).view(np.uint32)
    pairs = np.stack(spread).view(np.uint16).astype(np.uint32)
    return pairs[0::2] | pairs[1::2] << np.uint32(16)


def check(
    device: cuox.Device,
    stream: cuox.Stream,
    types: str,
    n: int = 16,
    shared: bool = False,
    modes: tuple[int, int] = (0, 0),
    across: tuple[bool, bool] = (False, False),
    scales: tuple[int, int] = (1, 1),
    adds: bool = True,
) -> None:
    d, a, b = types.split(".")
    rng = np.random.default_rng(n)
    bits = BITS[a]
    k = 256 // bits
    if bits == 1:
        rows_a, rows_b = rng.integers(0, 256, (64, 32), np.uint8), rng.integers(0, 256, (n, 32), np.uint8)
        exact = np.unpackbits(rows_a, axis=1).astype(int) @ np.unpackbits(rows_b, axis=1).astype(int).T
    else:
        x, y = (rng.integers(0 if ty == "u8" else -8, 9, (count, k)) for ty, count in ((a, 64), (b, n)))
        rows_a, rows_b = (np.ascontiguousarray(STORED[ty](z)).view(np.uint8) for ty, z in ((a, x), (b, y)))
        if a == "e5m2":
            x = value_of_e5m2(rows_a)
        if b == "e5m2":
            y = value_of_e5m2(rows_b)
        exact = x @ y.T * scales[0] * scales[1]
    before = rng.integers(-100, 100, (64, n))
    exact += before if adds else 0
    sums = {"f16": np.float16, "f32": np.float32, "s32": np.int32}[d]

    image = np.full(IMAGE, 0x7F, np.uint8)
    in_a, in_b = Matrix(rows_a, modes[0], across[0], 0), Matrix(rows_b, modes[1], across[1], 0)
    in_b = Matrix(rows_b, modes[1], across[1], in_a.put(image))
    assert in_b.put(image) <= IMAGE
    tail = "" if d == "s32" else ", " + ", ".join(map(str, scales))
    if bits == 16:
        tail += "".join(f", {int(turn)}" for turn in (across if shared else across[1:]))
    operation = ".and.popc" if bits == 1 else ""
    first = sums_by_register(before.astype(sums), d == "f16")
    kernel = one_product(f"m64n{n}k{k}.{types}{operation}", len(first), shared, tail)
    given = upload(device, image, stream), upload(device, registers_of_a(rows_a), stream)
    out = upload(device, first, stream)
    kernel[1, 128, stream, IMAGE + 1024](given[0], in_a.descriptor(), in_b.descriptor(), given[1], out, int(adds), 0)
    got = download(out, np.uint32, stream).reshape(first.shape)
    np.testing.assert_array_equal(got, sums_by_register(exact.astype(sums), d == "f16"))


TYPES = ["f32.f16.f16", "f16.f16.f16", "f32.bf16.bf16", "f32.tf32.tf32", "f32.e4m3.e4m3", "f16.e4m3.e5m2"]
TYPES += ["f32.e5m2.e5m2", "f16.e5m2.e4m3", "s32.s8.s8", "s32.s8.u8", "s32.u8.s8", "s32.u8.u8", "s32.b1.b1"]


@pytest.mark.parametrize("types", TYPES)
@pytest.mark.parametrize("shared", [False, True])
def test_types(device: cuox.Device, stream: cuox.Stream, types: str, shared: bool) -> None:
    check(device, stream, types, shared=shared, modes=(1, 1))
    check(device, stream, types, shared=shared, adds=False)


@pytest.mark.parametrize("n", [8, 24, 32, 80, 192, 256])
def test_columns(device: cuox.Device, stream: cuox.Stream, n: int) -> None:
    for types in ("f32.f16.f16", "f16.f16.f16", "s32.s8.s8"):
        check(device, stream, types, n, shared=True, modes=(2, 1))


@pytest.mark.parametrize("mode", SPANS)
@pytest.mark.parametrize("other", SPANS)
def test_places(device: cuox.Device, stream: cuox.Stream, mode: int, other: int) -> None:
    check(device, stream, "f32.tf32.tf32", 32, shared=True, modes=(mode, other))
    for turned in range(4):
        across = bool(turned & 1), bool(turned & 2)
        check(device, stream, "f32.bf16.bf16", 144, shared=True, modes=(mode, other), across=across)
    check(device, stream, "f32.f16.f16", 144, modes=(0, other), across=(False, True))


@pytest.mark.parametrize("scales", [(1, -1), (-1, 1), (-1, -1)])
def test_signs(device: cuox.Device, stream: cuox.Stream, scales: tuple[int, int]) -> None:
    for types in ("f16.f16.f16", "f32.bf16.bf16", "f32.tf32.tf32", "f32.e5m2.e4m3"):
        check(device, stream, types, scales=scales)


@pytest.mark.parametrize("types", ["f32.f16.f16", "f16.f16.f16", "f32.tf32.tf32", "f32.e4m3.e4m3", "s32.s8.s8"])
@pytest.mark.parametrize("selector", [0, 1])
def test_sparse(device: cuox.Device, stream: cuox.Stream, types: str, selector: int) -> None:
    d, a, b = types.split(".")
    if BITS[a] == 8 and selector:
        pytest.skip("all lanes have metadata")
    rng = np.random.default_rng(selector)
    n, k = 24, 512 // BITS[a]
    # Of each four elements two are stored, and of each two elements of tf32 one.
    size, kept = (2, 1) if a == "tf32" else (4, 2)
    x, y = rng.integers(-8, 9, (64, k)), rng.integers(-8, 9, (n, k))
    chosen = np.sort(np.argsort(rng.random((64, k // size, size)), axis=2)[:, :, :kept], axis=2)
    stored = np.take_along_axis(x.reshape(64, -1, size), chosen, axis=2)
    x = np.zeros_like(x).reshape(64, -1, size)
    np.put_along_axis(x, chosen, stored, axis=2)
    nibbles = np.where(chosen[:, :, 0] == 1, 0b1110, 0b0100) if kept == 1 else chosen[:, :, 0] | chosen[:, :, 1] << 2
    meta = np.zeros(128, np.uint32)
    for row, group in np.ndindex(nibbles.shape):
        high = row % 16 // 8
        if BITS[a] == 8:
            lane, shift = high + group // 8 * 2, group % 8 * 4
        else:
            lane, shift = selector * 2 + group // 4, high * 16 + group % 4 * 4
        meta[row // 16 * 32 + row % 8 * 4 + lane] |= np.uint32(nibbles[row, group] << shift)
    rows_a = np.ascontiguousarray(STORED[a](stored.reshape(64, -1))).view(np.uint8)
    rows_b = np.ascontiguousarray(STORED[b](y)).view(np.uint8)
    before = rng.integers(-100, 100, (64, n))
    sums = {"f16": np.float16, "f32": np.float32, "s32": np.int32}[d]
    first, half = sums_by_register(before.astype(sums), d == "f16"), d == "f16"
    given = upload(device, registers_of_a(rows_a), stream), upload(device, meta, stream)
    tail = "" if d == "s32" else ", 1, 1"
    for shared in (False, True):
        for mode in (0, 1, 2):
            image = np.full(IMAGE, 0x7F, np.uint8)
            in_a = Matrix(rows_a, mode, False, 0)
            in_b = Matrix(rows_b, mode, False, in_a.put(image))
            assert in_b.put(image) <= IMAGE
            turns = ("", ", 0", ", 0, 0")[shared + 1] if BITS[a] == 16 else ""
            kernel = one_product(f"m64n{n}k{k}.{types}", len(first), shared, tail + turns, selector)
            image_buffer, out = upload(device, image, stream), upload(device, first, stream)
            descriptors = in_a.descriptor(), in_b.descriptor()
            kernel[1, 128, stream, IMAGE + 1024](image_buffer, *descriptors, given[0], out, 1, given[1])
            got = download(out, np.uint32, stream).reshape(first.shape)
            np.testing.assert_array_equal(got, sums_by_register((x.reshape(64, -1) @ y.T + before).astype(sums), half))


PIPELINE = r"""
using u8 = unsigned char; using u32 = unsigned int; using u64 = unsigned long long;
struct alignas(64) Map { u64 opaque[16]; };
constexpr int STAGES = 2, A_BYTES = 128 * 128, STAGE = A_BYTES + 32 * 128;
extern __shared__ u8 dynamic[];
__shared__ u64 full[STAGES], empty[STAGES];

__device__ u32 in_shared(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ u32 base() { return (in_shared(dynamic) + 1023) & ~1023u; }

__device__ void wait(const u64 *barrier, int parity)
{
    u32 done = 0;
    while (!done)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(in_shared(barrier)), "r"(parity) : "memory");
}

__device__ void load(const Map &map, u32 to, int x, int y, const u64 *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(to), "l"(&map), "r"(x), "r"(y), "r"(in_shared(barrier)) : "memory");
}

__device__ u64 descriptor(u32 at) { return (at >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62; }

// D (float) = A * B^T, rows of f16: one warpgroup loads tiles, two multiply 64 rows each by 32 columns.
extern "C" __global__ void __launch_bounds__(384)
product(const __grid_constant__ Map a, const __grid_constant__ Map b, float *d, int columns, int k)
{
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(in_shared(&full[s])) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" :: "r"(in_shared(&empty[s])) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    int group = threadIdx.x / 128, x = blockIdx.x * 32, y = blockIdx.y * 128;
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            for (int n = 0; n < k / 64; n++) {
                int s = n % STAGES;
                u32 to = base() + s * STAGE;
                wait(&empty[s], ~(n / STAGES) & 1);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                             :: "r"(in_shared(&full[s])), "r"(STAGE) : "memory");
                load(a, to, n * 64, y, &full[s]);
                load(b, to + A_BYTES, n * 64, x, &full[s]);
            }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 160;");
    float sums[16] = {};
    for (int n = 0; n < k / 64; n++) {
        int s = n % STAGES;
        u32 from = base() + s * STAGE;
        wait(&full[s], n / STAGES & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int step = 0; step < 4; step++)
            asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
                         "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;"
                         : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]), "+f"(sums[5]),
                           "+f"(sums[6]), "+f"(sums[7]), "+f"(sums[8]), "+f"(sums[9]), "+f"(sums[10]), "+f"(sums[11]),
                           "+f"(sums[12]), "+f"(sums[13]), "+f"(sums[14]), "+f"(sums[15])
                         : "l"(descriptor(from + (group - 1) * 64 * 128 + step * 32)),
                           "l"(descriptor(from + A_BYTES + step * 32)) : "memory");
        asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
        // One thread tells for the whole warpgroup that the tiles have been read.
        if (threadIdx.x % 128 == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(in_shared(&empty[s])) : "memory");
    }
    int lane = threadIdx.x % 32, row = y + (group - 1) * 64 + threadIdx.x % 128 / 32 * 16 + lane / 4;
    for (int n = 0; n < 16; n++)
        d[(row + n / 2 % 2 * 8) * columns + x + n / 4 * 8 + lane % 4 * 2 + n % 2] = sums[n];
}
"""


def test_a_product_in_tiles_that_a_warpgroup_loads_for_two_others(device: cuox.Device, stream: cuox.Stream) -> None:
    rng = np.random.default_rng(5)
    m, n, k = 256, 64, 640
    a, b = (rng.integers(-8, 9, (rows, k)).astype(np.float16) for rows in (m, n))
    tensors = [Tensor(device, stream, array) for array in (a, b)]
    maps = [tiled(tensor, box=(rows, 64), swizzle=IN_MAPS[1]) for tensor, rows in zip(tensors, (128, 32), strict=True)]
    options = cuox.ProgramOptions(arch="sm_90a")
    kernel = cuox.Program(PIPELINE, options=options).compile("ptx").get_kernel("product")
    out = device.allocate(4 * m * n, stream=stream)
    kernel[(n // 32, m // 128), 384, stream, 41 << 10](*maps, out, n, k)
    got = download(out, np.float32, stream).reshape(m, n)
    np.testing.assert_array_equal(got, a.astype(np.int64) @ b.T.astype(np.int64))


def test_sm_90_alone_does_not_have_it(device: cuox.Device, stream: cuox.Stream) -> None:
    source = 'extern "C" __global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }'
    code = cuox.Program(source, options=cuox.ProgramOptions(arch="sm_90")).compile("ptx")
    with pytest.raises(cuox.CUDAError, match="sm_90a" if device.is_soft else "INVALID_PTX"):
        code.get_kernel("k")[1, 128, stream]()
