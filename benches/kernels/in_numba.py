"""The kernels' work as a Numba user writes it for a CPU: each takes what the C function of its name takes."""

import math

import numpy as np
from numba import get_num_threads, njit, prange

parallel = njit(parallel=True, fastmath=True)
part = njit(fastmath=True)
f32, u32 = np.float32, np.uint32


@parallel
def dot_product(n, x, y, sum):
    s = f32(0)
    for i in prange(n):
        s += x[i] * y[i]
    sum[0] = s


@parallel
def scan(n, x, y):
    parts = get_num_threads()
    sums = np.zeros(parts + 1, np.int32)
    for p in prange(parts):
        s = np.int32(0)
        for i in range(n * p // parts, n * (p + 1) // parts):
            s += x[i]
        sums[p + 1] = s
    for p in range(parts):
        sums[p + 1] += sums[p]
    for p in prange(parts):
        s = sums[p]
        for i in range(n * p // parts, n * (p + 1) // parts):
            v = x[i]
            y[i] = s
            s += v


@parallel
def matmul(n, a, b, c):
    a, b, c = a.reshape(n, n), b.reshape(n, n), c.reshape(n, n)
    for i in prange(n):
        c[i] = 0
        for k in range(n):
            v = a[i, k]
            for j in range(n):
                c[i, j] += v * b[k, j]


@part
def filtered(a, b, c, left, x, right):
    corners, sides = a[left] + a[right] + c[left] + c[right], a[x] + b[left] + b[right] + c[x]
    return f32(0.0625) * corners + f32(0.125) * sides + f32(0.25) * b[x]


@parallel
def convolution(w, h, image, out):
    image, out = image.reshape(h, w), out.reshape(h, w)
    for y in prange(h):
        a, b, c, to = image[max(y - 1, 0)], image[y], image[min(y + 1, h - 1)], out[y]
        for x in range(1, w - 1):
            to[x] = filtered(a, b, c, x - 1, x, x + 1)
        for x in (0, w - 1):
            to[x] = filtered(a, b, c, max(x - 1, 0), x, min(x + 1, w - 1))


@parallel
def histogram(n, data, bins):
    parts = get_num_threads()
    own = np.zeros((parts, 256), np.uint32)
    for p in prange(parts):
        mine = own[p]
        for i in range(n * p // parts, n * (p + 1) // parts):
            mine[data[i]] += u32(1)
    bins += own.sum(axis=0).astype(np.uint32)


@parallel
def julia(w, h, limit, cx, cy, out):
    for py in prange(h):
        for px in range(w):
            x, y, k = f32(3) * f32(px) / f32(w) - f32(1.5), f32(2) * f32(py) / f32(h) - f32(1), 0
            while k < limit and x * x + y * y <= f32(4):
                x, y = x * x - y * y + cx, f32(2) * x * y + cy
                k += 1
            out[py * w + px] = k


@parallel
def forces(n, body, acceleration):
    x, y, z, mass = body[0::4].copy(), body[1::4].copy(), body[2::4].copy(), body[3::4].copy()
    for i in prange(n):
        ax = ay = az = f32(0)
        mx, my, mz = x[i], y[i], z[i]
        for j in range(n):
            dx, dy, dz = x[j] - mx, y[j] - my, z[j] - mz
            inverse = f32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + f32(0.01))
            f = mass[j] * inverse * inverse * inverse
            ax += f * dx
            ay += f * dy
            az += f * dz
        acceleration[4 * i] = ax
        acceleration[4 * i + 1] = ay
        acceleration[4 * i + 2] = az
        acceleration[4 * i + 3] = 0


@part
def draw(r):
    # Shifts make 64 bits of 32.
    r = u32(r ^ (r << u32(13)))
    r = u32(r ^ (r >> u32(17)))
    return u32(r ^ (r << u32(5)))


@part
def unit(r):
    return (f32(r >> u32(9)) + f32(0.5)) * f32(1 / (1 << 23))


@parallel
def options(n, paths, spot, rate, volatility, strike, price):
    drift, discount = rate - f32(0.5) * volatility * volatility, math.exp(-rate)
    for i in prange(n):
        r, sum = u32(u32(i + 1) * u32(2654435769)), f32(0)
        for _ in range(paths):
            r = draw(r)
            u = unit(r)
            r = draw(r)
            v = unit(r)
            z = math.sqrt(f32(-2) * math.log(u)) * math.cos(f32(6.2831853) * v)
            sum += max(spot * math.exp(drift + volatility * z) - strike[i], f32(0))
        price[i] = discount * sum / f32(paths)


@parallel
def block_sort(blocks, keys, sorted):
    for b in prange(blocks):
        sorted[b * 1024 : b * 1024 + 1024] = np.sort(keys[b * 1024 : b * 1024 + 1024])


@parallel
def spmv(rows, start, column, value, x, y):
    for row in prange(rows):
        s = f32(0)
        for k in range(start[row], start[row + 1]):
            s += value[k] * x[column[k]]
        y[row] = s


@parallel
def step(w, h, source, a, b):
    for y in prange(h):
        if y == 0 or y == h - 1:
            b[y] = a[y]
        else:
            b[y, 0], b[y, w - 1] = a[y, 0], a[y, w - 1]
            for x in range(1, w - 1):
                b[y, x] = f32(0.25) * (a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1] + source[y, x])


def jacobi(w, h, source, start, p, q):
    source, start, p, q = (a.reshape(h, w) for a in (source, start, p, q))
    for a, b in ((start, p), (p, q), (q, p), (p, q)):
        step(w, h, source, a, b)


@part
def is_letter(c):
    return np.uint8((c | np.uint8(32)) - np.uint8(97)) < np.uint8(26)


@parallel
def text(n, src, out, words):
    count = np.int32(0)
    for i in prange(n):
        c = src[i]
        letter = is_letter(c)
        out[i] = c & np.uint8(0xDF) if letter else c
        if letter and (i == 0 or not is_letter(src[i - 1])):
            count += 1
    words[0] = count


@parallel
def transposition(w, h, src, out):
    src, out = src.reshape(h, w), out.reshape(w, h)
    for left in prange(w // 16):
        for top in range(h // 16):
            for x in range(left * 16, left * 16 + 16):
                for y in range(top * 16, top * 16 + 16):
                    out[x, y] = src[y, x]
