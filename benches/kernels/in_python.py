"""The kernels in Python for `cuox.numba.cuda`: each does what the one of its name in the .cu files does, with the same
grid, block and arguments.
"""

from __future__ import annotations

import math

import numpy as np
from cuox.numba import cuda
from cuox.numba.cuda import libdevice

f32, i32, u32, u8 = np.float32, np.int32, np.uint32, np.uint8
ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(s):
    for d in (16, 8, 4, 2, 1):
        s += cuda.shfl_down_sync(ALL, s, d)
    return s


@cuda.jit
def dot_product(n, x, y, sum):
    warps = cuda.shared.array(8, f32)
    t = cuda.threadIdx.x
    s = f32(0)
    for k in range(16):
        i = cuda.blockIdx.x * 4096 + k * 256 + t
        if i < n:
            s += x[i] * y[i]
    s = warp_sum(s)
    if t % 32 == 0:
        warps[t // 32] = s
    cuda.syncthreads()
    if t < 32:
        s = warp_sum(warps[t] if t < 8 else f32(0))
        if t == 0:
            cuda.atomic.add(sum, 0, s)


@cuda.jit
def scan_blocks(n, x, y, totals):
    warps = cuda.shared.array(8, i32)
    v = cuda.local.array(8, i32)
    t = cuda.threadIdx.x
    lane, at = t % 32, cuda.blockIdx.x * 2048 + t * 8
    own = i32(0)
    for k in range(8):
        v[k] = x[at + k] if at + k < n else i32(0)
        own = i32(own + v[k])
    s = own
    for d in (1, 2, 4, 8, 16):
        below = cuda.shfl_up_sync(ALL, s, d)
        if lane >= d:
            s = i32(s + below)
    if lane == 31:
        warps[t // 32] = s
    cuda.syncthreads()
    for w in range(t // 32):
        s = i32(s + warps[w])
    if t == 255:
        totals[cuda.blockIdx.x] = s
    s = i32(s - own)
    for k in range(8):
        if at + k < n:
            y[at + k] = s
        s = i32(s + v[k])


@cuda.jit
def add_offsets(n, y, offsets):
    for k in range(8):
        i = cuda.blockIdx.x * 2048 + k * 256 + cuda.threadIdx.x
        if i < n:
            y[i] += offsets[cuda.blockIdx.x]


@cuda.jit
def matmul(n, a, b, c):
    ta, tb = cuda.shared.array((32, 32), f32), cuda.shared.array((32, 32), f32)
    s = cuda.local.array(4, f32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.blockIdx.x * 32 + x, cuda.blockIdx.y * 32 + y
    for r in range(4):
        s[r] = 0
    for k0 in range(0, n, 32):
        for r in range(0, 32, 8):
            ta[y + r, x] = a[(row + r) * n + k0 + x]
            tb[y + r, x] = b[(k0 + y + r) * n + col]
        cuda.syncthreads()
        for k in range(32):
            v = tb[k, x]
            for r in range(4):
                s[r] += ta[y + 8 * r, k] * v
        cuda.syncthreads()
    for r in range(4):
        c[(row + 8 * r) * n + col] = s[r]


FILTER = np.array([0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625], f32)


@cuda.jit
def convolution(w, h, image, out):
    weights = cuda.const.array_like(FILTER)
    x, y = cuda.grid(2)
    if x >= w or y >= h:
        return
    s = f32(0)
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            px, py = min(max(x + dx, 0), w - 1), min(max(y + dy, 0), h - 1)
            s += weights[(dy + 1) * 3 + dx + 1] * image[py * w + px]
    out[y * w + x] = s


@cuda.jit
def histogram(n, data, bins):
    own = cuda.shared.array(256, u32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for k in range(64):
        i = cuda.blockIdx.x * 16384 + k * 256 + t
        if i < n:
            cuda.atomic.add(own, data[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, t, own[t])


@cuda.jit
def julia(w, h, limit, cx, cy, out):
    px, py = cuda.grid(2)
    if px >= w or py >= h:
        return
    x, y = f32(3) * f32(px) / f32(w) - f32(1.5), f32(2) * f32(py) / f32(h) - f32(1)
    # 32 bits wide, as in CUDA C++: the sum of two ints of 32 bits has 64 by Numba's rules.
    k = i32(0)
    while k < limit and x * x + y * y <= f32(4):
        x, y = x * x - y * y + cx, f32(2) * x * y + cy
        k = i32(k + 1)
    out[py * w + px] = k


@cuda.jit
def forces(n, body, acceleration):
    tile = cuda.shared.array((256, 4), f32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * 256 + t
    mx, my, mz = body[4 * i], body[4 * i + 1], body[4 * i + 2]
    ax = ay = az = f32(0)
    for at in range(0, n, 256):
        for k in range(4):
            tile[t, k] = body[4 * (at + t) + k]
        cuda.syncthreads()
        for j in range(256):
            dx, dy, dz = tile[j, 0] - mx, tile[j, 1] - my, tile[j, 2] - mz
            inverse = libdevice.rsqrtf(dx * dx + dy * dy + dz * dz + f32(0.01))
            f = tile[j, 3] * inverse * inverse * inverse
            ax += f * dx
            ay += f * dy
            az += f * dz
        cuda.syncthreads()
    acceleration[4 * i] = ax
    acceleration[4 * i + 1] = ay
    acceleration[4 * i + 2] = az
    acceleration[4 * i + 3] = 0


@cuda.jit(device=True)
def draw(r):
    r = u32(r ^ u32(r << u32(13)))
    r = u32(r ^ (r >> u32(17)))
    return u32(r ^ u32(r << u32(5)))


@cuda.jit(device=True)
def unit(r):
    return (f32(r >> u32(9)) + f32(0.5)) * f32(1 / (1 << 23))


@cuda.jit
def options(n, paths, spot, rate, volatility, strike, price):
    i = cuda.grid(1)
    if i >= n:
        return
    r = u32(u32(i + 1) * u32(2654435769))
    drift, sum = rate - f32(0.5) * volatility * volatility, f32(0)
    for _ in range(paths):
        r = draw(r)
        u = unit(r)
        r = draw(r)
        v = unit(r)
        z = math.sqrt(f32(-2) * math.log(u)) * libdevice.cospif(f32(2) * v)
        sum += max(spot * math.exp(drift + volatility * z) - strike[i], f32(0))
    price[i] = math.exp(-rate) * sum / f32(paths)


@cuda.jit
def block_sort(keys, sorted):
    s = cuda.shared.array(1024, u32)
    t, at = cuda.threadIdx.x, cuda.blockIdx.x * 1024
    s[t] = keys[at + t]
    s[t + 512] = keys[at + t + 512]
    k = 2
    while k <= 1024:
        j = k // 2
        while j:
            cuda.syncthreads()
            i = 2 * t - (t & (j - 1))
            a, b = s[i], s[i + j]
            if (a > b) == ((i & k) == 0):
                s[i] = b
                s[i + j] = a
            j >>= 1
        k <<= 1
    cuda.syncthreads()
    sorted[at + t] = s[t]
    sorted[at + t + 512] = s[t + 512]


@cuda.jit
def spmv(rows, start, column, value, x, y):
    i = cuda.grid(1)
    row, lane = i // 32, i % 32
    if row >= rows:
        return
    s = f32(0)
    for k in range(i32(start[row] + lane), start[row + 1], i32(32)):
        s += value[k] * x[column[k]]
    for d in (16, 8, 4, 2, 1):
        s += cuda.shfl_xor_sync(ALL, s, d)
    if lane == 0:
        y[row] = s


@cuda.jit
def jacobi(w, h, source, start, to):
    tile = cuda.shared.array((10, 34), f32)
    tx, ty = cuda.threadIdx.x + 1, cuda.threadIdx.y + 1
    x, y = i32(cuda.blockIdx.x * 32 + cuda.threadIdx.x), i32(cuda.blockIdx.y * 8 + cuda.threadIdx.y)
    i = y * w + x
    own = start[i]
    tile[ty, tx] = own
    if tx == 1 and x > 0:
        tile[ty, 0] = start[i - 1]
    if tx == 32 and x < w - 1:
        tile[ty, 33] = start[i + 1]
    if ty == 1 and y > 0:
        tile[0, tx] = start[i - w]
    if ty == 8 and y < h - 1:
        tile[9, tx] = start[i + w]
    cuda.syncthreads()
    if 0 < x < w - 1 and 0 < y < h - 1:
        own = f32(0.25) * (tile[ty - 1, tx] + tile[ty + 1, tx] + tile[ty, tx - 1] + tile[ty, tx + 1] + source[i])
    to[i] = own


@cuda.jit(device=True)
def is_letter(c):
    return u8((c | u8(32)) - u8(97)) < u8(26)


@cuda.jit
def text(n, src, out, words):
    i = cuda.grid(1)
    starts = False
    if i < n:
        c = src[i]
        starts = is_letter(c) and (i == 0 or not is_letter(src[i - 1]))
        out[i] = c & u8(0xDF) if is_letter(c) else c
    count = cuda.syncthreads_count(starts)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(words, 0, count)


@cuda.jit
def transposition(w, h, src, out):
    tile = cuda.shared.array((32, 33), f32)
    x, y, left, top = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    for r in range(y, 32, 8):
        tile[r, x] = src[(top + r) * w + left + x]
    cuda.syncthreads()
    for r in range(y, 32, 8):
        out[(left + r) * h + top + x] = tile[x, r]
