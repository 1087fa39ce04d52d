"""Programs written in Taichi, on CUDA: each runs once and its numbers are compared with NumPy's.

    cuox run -- python tests/clients/taichi_programs.py

Needs taichi 1.7 and numpy. Taichi goes on with the CPU if it finds no CUDA driver, so each program first asserts that
it runs on CUDA. Nothing of cuox is imported.
"""

# Taichi reads annotations of kernels as objects: no `from __future__ import annotations`.
import argparse
import contextlib
import io
import os
import sys
import tempfile
import time
import traceback

os.environ.setdefault("TI_ENABLE_TORCH", "0")
os.environ.setdefault("TI_ENABLE_PADDLE", "0")

import numpy as np

with contextlib.redirect_stdout(io.StringIO()):
    import taichi as ti
    import taichi.math as tm
from taichi.lang import impl

PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


def start(**options):
    """A fresh Taichi on CUDA."""
    ti.init(
        arch=ti.cuda,
        enable_fallback=False,
        offline_cache=False,
        log_level=ti.ERROR,
        device_memory_GB=0.25,
        random_seed=14,
        **options,
    )
    on_cuda()


def on_cuda():
    arch = impl.current_cfg().arch
    assert arch == ti.cuda, f"Taichi runs on {arch}, not on CUDA"


def close(got, expected, rtol=1e-5, atol=1e-6):
    np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(expected, np.float64), rtol=rtol, atol=atol)


def same(got, expected):
    np.testing.assert_array_equal(got, expected)


@program
def saxpy(random):
    x, y = ti.field(ti.f32, 1000), ti.field(ti.f32, 1000)

    @ti.kernel
    def run(a: ti.f32):
        for i in x:
            y[i] += a * x[i]

    a, b = random.standard_normal(1000, np.float32), random.standard_normal(1000, np.float32)
    x.from_numpy(a)
    y.from_numpy(b)
    run(2.5)
    close(y.to_numpy(), 2.5 * a.astype(np.float64) + b)


@program
def mandelbrot(random):
    counts = ti.field(ti.i32, (48, 64))

    @ti.kernel
    def run():
        for i, j in counts:
            c = tm.vec2(-2.0 + 3.0 * j / 64, -1.0 + 2.0 * i / 48)
            z, n = tm.vec2(0.0), 0
            while z.dot(z) <= 4.0 and n < 60:
                z = tm.vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c
                n += 1
            counts[i, j] = n

    run()
    i, j = np.mgrid[:48, :64]
    c = (-2 + 3 * j / 64) + 1j * (-1 + 2 * i / 48)
    z, expected = np.zeros_like(c), np.zeros(c.shape, int)
    for _ in range(60):
        inside = np.abs(z) <= 2
        z = np.where(inside, z * z + c, z)
        expected += inside
    # Single precision near the border may need another step.
    assert (counts.to_numpy() == expected).mean() > 0.98, (counts.to_numpy() != expected).sum()


@program
def matmul_ndarray(random):
    @ti.kernel
    def run(
        a: ti.types.ndarray(dtype=ti.f64, ndim=2),
        b: ti.types.ndarray(dtype=ti.f64, ndim=2),
        c: ti.types.ndarray(dtype=ti.f64, ndim=2),
    ):
        for i, j in c:
            total = ti.f64(0.0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total

    a, b = random.standard_normal((45, 31)), random.standard_normal((31, 52))
    c = ti.ndarray(ti.f64, (45, 52))
    left = ti.ndarray(ti.f64, a.shape)
    left.from_numpy(a)
    run(left, b, c)  # an array of Taichi's and one of NumPy's, which is copied to the device
    close(c.to_numpy(), a @ b, rtol=1e-12, atol=1e-12)


@program
def histogram(random):
    keys = random.integers(0, 17, 20000).astype(np.int32)
    counts, largest, smallest, mixed = (ti.field(ti.i32, 17) for _ in range(4))

    @ti.kernel
    def run(keys: ti.types.ndarray(dtype=ti.i32, ndim=1)):
        for i in range(keys.shape[0]):
            counts[keys[i]] += 1
            ti.atomic_max(largest[keys[i]], i)
            ti.atomic_min(smallest[keys[i]], i)
            ti.atomic_xor(mixed[keys[i]], i)

    smallest.fill(1 << 30)
    run(keys)
    places = [np.flatnonzero(keys == key) for key in range(17)]
    same(counts.to_numpy(), [len(one) for one in places])
    same(largest.to_numpy(), [one.max() for one in places])
    same(smallest.to_numpy(), [one.min() for one in places])
    same(mixed.to_numpy(), [np.bitwise_xor.reduce(one) for one in places])


@program
def n_body(random):
    n = 64
    place, speed, force = (ti.Vector.field(3, ti.f32, n) for _ in range(3))

    @ti.kernel
    def step(dt: ti.f32):
        for i in range(n):
            total = tm.vec3(0.0)
            for j in range(n):
                apart = place[j] - place[i]
                total += apart / (apart.norm_sqr() + 0.01) ** 1.5
            force[i] = total
        for i in range(n):
            speed[i] += dt * force[i]
            place[i] += dt * speed[i]

    p, v = random.standard_normal((n, 3)), np.zeros((n, 3))
    place.from_numpy(p.astype(np.float32))
    for _ in range(5):
        step(0.01)
        apart = p[None] - p[:, None]
        v += 0.01 * (apart / ((apart**2).sum(-1, keepdims=True) + 0.01) ** 1.5).sum(1)
        p = p + 0.01 * v
    close(place.to_numpy(), p, rtol=1e-4, atol=1e-4)
    close(speed.to_numpy(), v, rtol=1e-3, atol=1e-3)


@program
def heat(random):
    n = 50
    now, after = ti.field(ti.f32, (n, n)), ti.field(ti.f32, (n, n))

    @ti.kernel
    def step(a: ti.template(), b: ti.template()):
        for i, j in a:
            if 0 < i < n - 1 and 0 < j < n - 1:
                b[i, j] = a[i, j] + 0.2 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] - 4 * a[i, j])
            else:
                b[i, j] = a[i, j]

    t = random.uniform(0, 100, (n, n))
    now.from_numpy(t.astype(np.float32))
    for _ in range(6):
        step(now, after)
        step(after, now)
    for _ in range(12):
        t[1:-1, 1:-1] += 0.2 * (t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:] - 4 * t[1:-1, 1:-1])
    close(now.to_numpy(), t, rtol=1e-4)


@program
def structs(random):
    Particle = ti.types.struct(place=tm.vec2, mass=ti.f64, kind=ti.i8)
    aos, soa = Particle.field(shape=300), Particle.field(shape=300, layout=ti.Layout.SOA)
    total = ti.field(ti.f64, ())

    @ti.kernel
    def run():
        for i in aos:
            p = Particle(place=tm.vec2(i, -i), mass=0.5 * i, kind=i % 5 - 2)
            aos[i] = p
            p.mass *= p.kind
            soa[i] = p
        for i in soa:
            total[None] += soa[i].mass + soa[i].place.y

    run()
    i = np.arange(300)
    same(aos.kind.to_numpy(), i % 5 - 2)
    same(aos.place.to_numpy(), np.stack([i, -i], 1))
    same(soa.mass.to_numpy(), 0.5 * i * (i % 5 - 2))
    close(total[None], (0.5 * i * (i % 5 - 2) - i).sum())


@program
def sparse_pointers(random):
    x = ti.field(ti.f32)
    block = ti.root.pointer(ti.ij, 16)
    block.dense(ti.ij, 8).place(x)
    count, blocks = ti.field(ti.i32, ()), ti.field(ti.i32, ())

    @ti.kernel
    def fill():
        for k in range(128):
            x[k, (k * k) % 128] = k + 1

    @ti.kernel
    def look():
        count[None] = 0
        blocks[None] = 0
        for i, j in x:
            count[None] += 1
        for i, j in block:
            blocks[None] += 1

    @ti.kernel
    def drop():
        for i, j in block:
            if i < 8:
                ti.deactivate(block, [i, j])

    fill()
    k = np.arange(128)
    filled = np.unique(np.stack([k // 8, (k * k) % 128 // 8], 1), axis=0)
    look()
    assert (blocks[None], count[None]) == (len(filled), 64 * len(filled))
    expected = np.zeros((128, 128))
    expected[k, (k * k) % 128] = k + 1
    same(x.to_numpy(), expected)
    drop()
    look()
    assert blocks[None] == (filled[:, 0] >= 64 // 8).sum(), blocks[None]
    fill()  # into blocks that were given back
    same(x.to_numpy(), expected)


@program
def dynamic_lists(random):
    x, length = ti.field(ti.i32), ti.field(ti.i32, 40)
    lists = ti.root.dense(ti.i, 40).dynamic(ti.j, 128, chunk_size=16)
    lists.place(x)

    @ti.kernel
    def fill():
        for i in range(40):
            for j in range(i * 3):
                x[i].append(i * 1000 + j)

    @ti.kernel
    def look() -> ti.i32:
        total = 0
        for i in range(40):
            length[i] = x[i].length()
            for j in range(x[i].length()):
                total += x[i, j]
        return total

    fill()
    assert look() == sum(i * 1000 + j for i in range(40) for j in range(i * 3))
    same(length.to_numpy(), 3 * np.arange(40))


@program
def bitmasked(random):
    x, hits = ti.field(ti.i32), ti.field(ti.i32, ())
    cells = ti.root.bitmasked(ti.i, 1000)
    cells.place(x)

    @ti.kernel
    def fill():
        for i in range(1000):
            if i * i % 7 == 2:
                x[i] = i

    @ti.kernel
    def look() -> ti.i32:
        total = 0
        for i in x:
            hits[None] += 1
            total += x[i] + ti.is_active(cells, [i + 1 if i < 999 else 0])
        return total

    fill()
    i = np.arange(1000)
    active = i * i % 7 == 2
    assert look() == i[active].sum() + (active & np.roll(active, -1)).sum()
    assert hits[None] == active.sum()


@program
def reverse_gradients(random):
    x, y, loss = ti.field(ti.f32, 200, needs_grad=True), ti.field(ti.f32, 200), ti.field(ti.f32, (), needs_grad=True)

    @ti.kernel
    def measure():
        for i in x:
            loss[None] += (ti.sin(x[i]) * ti.exp(-x[i] * x[i]) - y[i]) ** 2 / 200

    a, b = random.standard_normal(200), random.standard_normal(200)
    x.from_numpy(a.astype(np.float32))
    y.from_numpy(b.astype(np.float32))
    with ti.ad.Tape(loss):
        measure()
    value = np.sin(a) * np.exp(-a * a)
    close(loss[None], ((value - b) ** 2).mean(), rtol=1e-4)
    close(x.grad.to_numpy(), 2 / 200 * (value - b) * (np.cos(a) - 2 * a * np.sin(a)) * np.exp(-a * a), rtol=1e-4)


@program
def forward_gradients(random):
    x, y = ti.field(ti.f64, 50, needs_dual=True), ti.field(ti.f64, 50, needs_dual=True)

    @ti.kernel
    def run():
        for i in x:
            y[i] = ti.tanh(x[i]) * x[(i + 1) % 50]

    a, seed = random.standard_normal(50), random.standard_normal(50)
    x.from_numpy(a)
    with ti.ad.FwdMode(loss=y, param=x, seed=list(seed)):
        run()
    close(y.to_numpy(), np.tanh(a) * np.roll(a, -1), rtol=1e-12)
    close(y.dual.to_numpy(), (1 - np.tanh(a) ** 2) * seed * np.roll(a, -1) + np.tanh(a) * np.roll(seed, -1), rtol=1e-10)


@program
def prefix_sums(random):
    n = 3000
    x = ti.field(ti.i32, n)
    values = random.integers(-50, 100, n).astype(np.int32)
    x.from_numpy(values)
    ti.algorithms.PrefixSumExecutor(n).run(x)  # shuffles in warps, shared memory, and sums of sums
    same(x.to_numpy(), np.cumsum(values))


@program
def parallel_sort(random):
    keys, values = ti.field(ti.i32, 512), ti.field(ti.f32, 512)
    k = random.permutation(512).astype(np.int32)
    keys.from_numpy(k)
    values.from_numpy((k * 0.5).astype(np.float32))
    ti.algorithms.parallel_sort(keys, values)
    same(keys.to_numpy(), np.arange(512))
    same(values.to_numpy(), np.arange(512) * 0.5)


@program
def warps_and_blocks(random):
    n, width = 1024, 128
    x, sums, down, votes = ti.field(ti.f32, n), ti.field(ti.f32, n // width), ti.field(ti.f32, n), ti.field(ti.u32, n)

    @ti.kernel
    def run():
        ti.loop_config(block_dim=width)
        for i in range(n):
            pad = ti.simt.block.SharedArray((width,), ti.f32)
            lane = i % width
            pad[lane] = x[i]
            ti.simt.block.sync()
            reach = width // 2
            while reach > 0:
                if lane < reach:
                    pad[lane] += pad[lane + reach]
                ti.simt.block.sync()
                reach //= 2
            if lane == 0:
                sums[i // width] = pad[0]
            down[i] = ti.simt.warp.shfl_down_f32(ti.u32(0xFFFFFFFF), x[i], 3)
            votes[i] = ti.simt.warp.ballot(ti.i32(x[i] > 0))

    a = random.standard_normal(n, np.float32)
    x.from_numpy(a)
    run()
    close(sums.to_numpy(), a.reshape(-1, width).astype(np.float64).sum(1), rtol=1e-4, atol=1e-4)
    lanes = a.reshape(-1, 32)
    same(down.to_numpy().reshape(-1, 32)[:, :-3], lanes[:, 3:])
    same(down.to_numpy().reshape(-1, 32)[:, -3:], lanes[:, -3:])
    bits = ((lanes > 0).astype(np.uint64) << np.arange(32, dtype=np.uint64)).sum(1)
    same(votes.to_numpy().reshape(-1, 32), np.repeat(bits[:, None], 32, 1))


@program
def small_matrices(random):
    n = 40
    m, inverse, u, s, v, q, p = (ti.Matrix.field(3, 3, ti.f32, n) for _ in range(7))
    det, symmetric = ti.field(ti.f32, n), ti.Vector.field(3, ti.f32, n)

    @ti.kernel
    def run():
        for i in range(n):
            inverse[i] = m[i].inverse()
            det[i] = m[i].determinant()
            u[i], s[i], v[i] = ti.svd(m[i])
            q[i], p[i] = ti.polar_decompose(m[i])
            values, _ = ti.sym_eig(m[i] + m[i].transpose())
            symmetric[i] = values

    a = random.standard_normal((n, 3, 3)) + 2 * np.eye(3)
    m.from_numpy(a.astype(np.float32))
    run()
    close(det.to_numpy(), np.linalg.det(a), rtol=1e-3, atol=1e-3)
    close(inverse.to_numpy() @ a, np.broadcast_to(np.eye(3), a.shape), atol=2e-3)
    left, middle, right = u.to_numpy(), s.to_numpy(), v.to_numpy()
    close(left @ middle @ right.transpose(0, 2, 1), a, rtol=1e-3, atol=2e-4)
    close(
        np.sort(np.abs(np.diagonal(middle, axis1=1, axis2=2)), 1),
        np.sort(np.linalg.svd(a, compute_uv=False), 1),
        rtol=1e-3,
        atol=1e-3,
    )
    turn = q.to_numpy()
    close(turn @ turn.transpose(0, 2, 1), np.broadcast_to(np.eye(3), a.shape), atol=1e-3)
    close(turn @ p.to_numpy(), a, rtol=1e-3, atol=1e-3)
    close(np.sort(symmetric.to_numpy(), 1), np.linalg.eigvalsh(a + a.transpose(0, 2, 1)), rtol=1e-3, atol=2e-3)


@program
def quantized(random):
    five, eleven, fixed = (
        ti.types.quant.int(5, True),
        ti.types.quant.int(11, False),
        ti.types.quant.fixed(bits=16, max_value=4.0),
    )
    a, b, c = ti.field(five), ti.field(eleven), ti.field(fixed)
    packed = ti.BitpackedFields(max_num_bits=32)
    packed.place(a, b, c)
    ti.root.dense(ti.i, 500).place(packed)
    small, large, real = ti.field(ti.i32, 500), ti.field(ti.i32, 500), ti.field(ti.f32, 500)

    @ti.kernel
    def fill():
        for i in range(500):
            a[i] = i % 32 - 16
            b[i] = i * 3 % 2048
            c[i] = ti.sin(i * 0.1) * 3
        for i in range(500):
            b[i] += 1
        for i in range(500):
            small[i], large[i], real[i] = a[i], b[i], c[i]

    fill()
    i = np.arange(500)
    same(small.to_numpy(), i % 32 - 16)
    same(large.to_numpy(), (i * 3 + 1) % 2048)
    close(real.to_numpy(), np.sin(i * 0.1) * 3, rtol=0, atol=2e-4)


@program
def random_numbers(random):
    n = 20000
    uniform, normal, integers = ti.field(ti.f32, n), ti.field(ti.f64, n), ti.field(ti.i32, n)

    @ti.kernel
    def run():
        for i in range(n):
            uniform[i] = ti.random()
            normal[i] = ti.randn(ti.f64)
            integers[i] = ti.random(ti.i32)

    run()
    u, z, k = uniform.to_numpy(), normal.to_numpy(), integers.to_numpy()
    assert 0 <= u.min() and u.max() < 1
    deciles = np.bincount((u * 10).astype(int), minlength=10)
    assert np.abs(deciles - n / 10).max() < 6 * np.sqrt(n / 10), deciles
    assert abs(z.mean()) < 0.04 and abs(z.std() - 1) < 0.03, (z.mean(), z.std())
    assert abs((np.abs(z) < 1.959964).mean() - 0.95) < 0.01
    bits = [((k >> bit) & 1).mean() for bit in range(32)]
    assert 0.47 < min(bits) and max(bits) < 0.53, bits


@program
def integers(random):
    n = 400
    out = ti.field(ti.i64, (n, 8))

    @ti.kernel
    def run(a: ti.types.ndarray(dtype=ti.i64, ndim=1), b: ti.types.ndarray(dtype=ti.i64, ndim=1)):
        for i in range(n):
            x, y = a[i], b[i]
            out[i, 0] = x // y
            out[i, 1] = x % y
            out[i, 2] = ti.raw_div(x, y)
            out[i, 3] = ti.raw_mod(x, y)
            out[i, 4] = (x ^ y) & ~(x | 255)
            out[i, 5] = ti.bit_shr(x, ti.i64(7)) + (x << ti.i64(3))
            out[i, 6] = ti.math.popcnt(ti.i32(x)) * 100 + ti.math.clz(ti.i32(y))
            out[i, 7] = ti.abs(x) * ti.max(x, y) + ti.min(x, y)

    a = random.integers(-(2**40), 2**40, n)
    b = random.integers(1, 2**20, n) * random.choice([-1, 1], n)
    run(a, b)
    got = out.to_numpy()
    same(got[:, 0], a // b)
    same(got[:, 1], a % b)
    quotient = np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))
    same(got[:, 2], quotient)
    same(got[:, 3], a - quotient * b)
    same(got[:, 4], (a ^ b) & ~(a | 255))
    same(got[:, 5], (a.view(np.uint64) >> np.uint64(7)).view(np.int64) + (a << 3))
    ones = np.array([int(value).bit_count() for value in a.astype(np.int32).view(np.uint32)])
    zeros = np.array([32 - int(value).bit_length() for value in b.astype(np.int32).view(np.uint32)])
    same(got[:, 6], ones * 100 + zeros)
    same(got[:, 7], np.abs(a) * np.maximum(a, b) + np.minimum(a, b))


@program
def functions(random):
    single, double = ti.field(ti.f32, (300, 10)), ti.field(ti.f64, (300, 10))

    @ti.func
    def evaluate(out: ti.template(), i, x):
        out[i, 0] = ti.sin(x)
        out[i, 1] = ti.cos(x)
        out[i, 2] = ti.tan(x)
        out[i, 3] = ti.exp(x)
        out[i, 4] = ti.log(ti.abs(x) + 1)
        out[i, 5] = ti.sqrt(ti.abs(x))
        out[i, 6] = ti.atan2(x, x + 3)
        out[i, 7] = ti.pow(ti.abs(x), 1.75)
        out[i, 8] = ti.tanh(x)
        out[i, 9] = ti.acos(x / 6) + ti.asin(x / 6) * ti.floor(x) - ti.ceil(x) * ti.round(x)

    @ti.kernel
    def run(xs: ti.types.ndarray(dtype=ti.f64, ndim=1)):
        for i in range(300):
            evaluate(double, i, xs[i])
            evaluate(single, i, ti.f32(xs[i]))

    x = random.uniform(-5, 5, 300)
    run(x)
    for out, x, rtol, atol in (
        (single, x.astype(np.float32).astype(np.float64), 2e-5, 2e-5),
        (double, x, 1e-12, 1e-12),
    ):
        last = np.arccos(x / 6) + np.arcsin(x / 6) * np.floor(x) - np.ceil(x) * np.round(x)
        first = [
            np.sin(x),
            np.cos(x),
            np.tan(x),
            np.exp(x),
            np.log(np.abs(x) + 1),
            np.sqrt(np.abs(x)),
            np.arctan2(x, x + 3),
            np.abs(x) ** 1.75,
            np.tanh(x),
        ]
        close(out.to_numpy(), np.stack([*first, last], 1), rtol, atol)


@program
def halves(random):
    x, y = ti.field(ti.f16, 500), ti.field(ti.f16, 500)
    total = ti.field(ti.f16, ())

    @ti.kernel
    def run():
        for i in x:
            y[i] = x[i] * x[i] + ti.f16(0.5)
        for i in range(64):
            total[None] += ti.f16(0.25)

    a = random.uniform(-8, 8, 500).astype(np.float16)
    x.from_numpy(a)
    run()
    close(y.to_numpy(), a.astype(np.float64) ** 2 + 0.5, rtol=2e-3, atol=2e-3)
    assert total[None] == 16


@program
def material_points(random):
    # A few steps of MPM in two dimensions: scatter to a grid by atomics, gather again.
    n, cells, dt = 200, 16, 2.0**-12  # numbers that are exact in single precision too, as which Taichi takes them
    dx = 1 / cells
    x, v = ti.Vector.field(2, ti.f64, n), ti.Vector.field(2, ti.f64, n)
    C, J = ti.Matrix.field(2, 2, ti.f64, n), ti.field(ti.f64, n)
    grid_v, grid_m = ti.Vector.field(2, ti.f64, (cells, cells)), ti.field(ti.f64, (cells, cells))
    volume = (dx * 0.5) ** 2

    @ti.func
    def weights(fx):
        return [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]

    @ti.kernel
    def step():
        for i, j in grid_m:
            grid_v[i, j] = [0, 0]
            grid_m[i, j] = 0
        for p in x:
            base = int(x[p] / dx - 0.5)
            fx = x[p] / dx - base
            w = weights(fx)
            stress = -dt * 4 * 400 * volume * (J[p] - 1) / dx**2
            affine = ti.Matrix([[stress, 0], [0, stress]], ti.f64) + volume * C[p]
            for i, j in ti.static(ti.ndrange(3, 3)):
                offset = ti.Vector([i, j])
                weight = w[i].x * w[j].y
                grid_v[base + offset] += weight * (volume * v[p] + affine @ ((offset - fx) * dx))
                grid_m[base + offset] += weight * volume
        for i, j in grid_m:
            if grid_m[i, j] > 0:
                grid_v[i, j] /= grid_m[i, j]
                grid_v[i, j].y -= dt * 9.75
                if (i < 3 and grid_v[i, j].x < 0) or (i > cells - 3 and grid_v[i, j].x > 0):
                    grid_v[i, j].x = 0
                if (j < 3 and grid_v[i, j].y < 0) or (j > cells - 3 and grid_v[i, j].y > 0):
                    grid_v[i, j].y = 0
        for p in x:
            base = int(x[p] / dx - 0.5)
            fx = x[p] / dx - base
            w = weights(fx)
            new_v, new_C = ti.Vector.zero(ti.f64, 2), ti.Matrix.zero(ti.f64, 2, 2)
            for i, j in ti.static(ti.ndrange(3, 3)):
                offset = ti.Vector([i, j])
                weight = w[i].x * w[j].y
                new_v += weight * grid_v[base + offset]
                new_C += 4 * weight * grid_v[base + offset].outer_product((offset - fx) * dx) / dx**2
            v[p] = new_v
            x[p] += dt * new_v
            J[p] *= 1 + dt * new_C.trace()
            C[p] = new_C

    def numpy_step(x, v, C, J):
        base = (x / dx - 0.5).astype(int)
        fx = x / dx - base
        w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
        stress = -dt * 4 * 400 * volume * (J - 1) / dx**2
        affine = stress[:, None, None] * np.eye(2) + volume * C
        gv, gm = np.zeros((cells, cells, 2)), np.zeros((cells, cells))
        stencil = [(i, j, w[i][:, 0] * w[j][:, 1], (np.array([i, j]) - fx) * dx) for i in range(3) for j in range(3)]
        for i, j, weight, way in stencil:
            at = base[:, 0] + i, base[:, 1] + j
            np.add.at(gv, at, weight[:, None] * (volume * v + np.einsum("pab,pb->pa", affine, way)))
            np.add.at(gm, at, weight * volume)
        full = gm > 0
        gv[full] /= gm[full][:, None]
        gv[..., 1] -= dt * 9.75 * full
        for axis in range(2):
            side = np.arange(cells)[:, None] if axis == 0 else np.arange(cells)[None, :]
            gv[..., axis][((side < 3) & (gv[..., axis] < 0)) | ((side > cells - 3) & (gv[..., axis] > 0))] = 0
        v, C = np.zeros_like(v), np.zeros_like(C)
        for i, j, weight, way in stencil:
            here = gv[base[:, 0] + i, base[:, 1] + j]
            v += weight[:, None] * here
            C += 4 * weight[:, None, None] * here[:, :, None] * way[:, None, :] / dx**2
        return x + dt * v, v, C, J * (1 + dt * np.trace(C, axis1=1, axis2=2))

    state = random.uniform(0.25, 0.6, (n, 2)), random.standard_normal((n, 2)), np.zeros((n, 2, 2)), np.ones(n)
    for field, values in zip((x, v, C, J), state):
        field.from_numpy(values)
    for _ in range(8):
        step()
        state = numpy_step(*state)
    for field, values in zip((x, v, C, J), state):
        close(field.to_numpy(), values, rtol=1e-9, atol=1e-9)


@program
def conjugate_gradients(random):
    n = 24
    b, x = ti.field(ti.f64, (n, n)), ti.field(ti.f64, (n, n))

    @ti.kernel
    def laplace(v: ti.template(), out: ti.template()):
        for i, j in v:
            left = v[i - 1, j] if i > 0 else 0.0
            right = v[i + 1, j] if i < n - 1 else 0.0
            below = v[i, j - 1] if j > 0 else 0.0
            above = v[i, j + 1] if j < n - 1 else 0.0
            out[i, j] = 4.0 * v[i, j] - left - right - below - above

    values = random.standard_normal((n, n))
    b.from_numpy(values)
    ti.linalg.MatrixFreeCG(ti.linalg.LinearOperator(laplace), b, x, maxiter=400, tol=1e-12, quiet=True)
    line = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    matrix = np.kron(line, np.eye(n)) + np.kron(np.eye(n), line)
    close(x.to_numpy().ravel(), np.linalg.solve(matrix, values.ravel()), rtol=1e-8, atol=1e-8)


@program
def compiled_graph(random):
    @ti.kernel
    def scale(x: ti.types.ndarray(dtype=ti.f32, ndim=1), by: ti.f32):
        for i in x:
            x[i] *= by

    @ti.kernel
    def shift(x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
        for i in x:
            x[i] += i

    array = ti.graph.Arg(ti.graph.ArgKind.NDARRAY, "x", ti.f32, ndim=1)
    by = ti.graph.Arg(ti.graph.ArgKind.SCALAR, "by", ti.f32)
    builder = ti.graph.GraphBuilder()
    body = builder.create_sequential()
    body.dispatch(scale, array, by)
    body.dispatch(shift, array)
    for _ in range(3):
        builder.append(body)
    graph = builder.compile()
    x = ti.ndarray(ti.f32, 100)
    x.fill(1.0)
    graph.run({"x": x, "by": 0.5})
    i, expected = np.arange(100), np.ones(100)
    for _ in range(3):
        expected = expected * 0.5 + i
    close(x.to_numpy(), expected)


@program
def texts(random):
    @ti.kernel
    def say(n: ti.i32):
        for i in range(n):
            print("thread", i, "has", i * 0.5)

    # Taichi's device code calls printf, whose text the driver writes to the process's standard output.
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            say(5)
            ti.sync()
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        lines = sorted(file.read().decode().splitlines())
    assert lines == [f"thread {i} has {i * 0.5:f}" for i in range(5)], lines


@program
def assertions(random):
    start(debug=True)
    x = ti.field(ti.i32, 10)

    @ti.kernel
    def check(limit: ti.i32):
        for i in range(10):
            assert i < limit, "too far"
            x[i] = i

    @ti.kernel
    def stray(at: ti.i32):
        for i in range(1):
            x[at] = i

    check(10)
    same(x.to_numpy(), np.arange(10))
    for kernel, argument, expected in ((check, 7, "too far"), (stray, 12, "with indices (12)")):
        try:
            kernel(argument)
            ti.sync()
        except (AssertionError, RuntimeError) as error:
            assert expected in str(error), error
        else:
            raise AssertionError(f"nothing was raised: expected an error with '{expected}'")
        start(debug=True)
        x = ti.field(ti.i32, 10)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run Taichi programs on the CUDA driver that is found.")
    parser.add_argument("names", nargs="*", help="run these only")
    options = parser.parse_args()
    names = [one.__name__ for one in PROGRAMS]
    if unknown := set(options.names) - set(names):
        parser.error(f"no program {', '.join(sorted(unknown))}; available: {', '.join(names)}")
    begin, ran, failed = time.perf_counter(), 0, 0
    start()
    print(f"taichi {'.'.join(map(str, ti.__version__))}, {impl.current_cfg().arch}", flush=True)
    for one in PROGRAMS:
        if options.names and one.__name__ not in options.names:
            continue
        started, ran = time.perf_counter(), ran + 1
        try:
            on_cuda()
            one(np.random.default_rng(14))
            on_cuda()
            result = "passed"
        except Exception:
            traceback.print_exc()
            result, failed = "FAILED", failed + 1
            start()  # what a failed program has left behind is not the next one's
        print(f"{result}  {one.__name__:20} {time.perf_counter() - started:6.2f} s", flush=True)
    print(f"{ran - failed} of {ran} Taichi programs passed in {time.perf_counter() - begin:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
