"""Details of the language of kernels, each compared with CPython: slices, types of variables, rounding, closures,
tuples, loops.
"""

from __future__ import annotations

import math

import numpy as np
from cuox.numba import cuda, literal_unroll
from test_numba_kernels import same

FOUND = np.zeros(60)
X = np.arange(10.0)


def test_slices() -> None:
    def kernel(f, x, n):
        a = x[::-1]
        for i in range(a.size):
            f[i] = a[i]
        f[10] = len(x[n:])
        f[11] = len(x[-3:])
        f[12] = len(x[:-3])
        f[13] = len(x[-n:])
        f[14] = len(x[n:2])
        f[15] = len(x[8:1:-2])
        f[16] = x[8:1:-2][1]
        f[17] = len(x[5:100])
        f[18] = len(x[:-20])
        f[19] = x[-3:][0]
        f[20] = x[-n:][1]

    same(kernel, FOUND, X, 3)


def test_variables_of_several_types() -> None:
    def kernel(f, n):
        if n > 2:
            a = 1
        else:
            a = 2.5
        f[0] = a
        b = 0
        for i in range(n):
            if i % 2:
                b = b + 1
            else:
                b = b / 2
        f[1] = b
        c = 1
        while c < 100:
            c = c * 1.5
        f[2] = c
        for i in range(3):
            d = i
        f[3] = d
        f[4] = i

    same(kernel, FOUND, 5)
    same(kernel, FOUND, 1)


def test_rounding() -> None:
    def kernel(f, x):
        for i in range(x.size):
            f[i] = round(x[i])
            f[i + 12] = round(x[i], 1)

    same(kernel, FOUND, np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.675, -2.5, 0.05, 0.15]))


def test_quotients_of_floats() -> None:
    def kernel(f, x):
        k = 0
        for a in x:
            for b in (3.0, -3.0, 0.3):
                f[k] = a // b + 100 * (a % b)
                k += 1

    same(
        kernel,
        np.zeros(60),
        np.array([-7.0, 7.0, 0.0, -0.0, 1e300, np.inf, np.nan, 0.9]),
    )


def test_closures() -> None:
    def kernel(f):
        t = 1

        def g(x):
            return x + t

        f[0] = g(1)
        t = 5
        f[1] = g(1)

        def fact(n):
            return 1 if n < 2 else n * 2

        f[2] = fact(5)
        h = lambda *a: len(a) + a[0]
        f[3] = h(4, 5, 6)
        k = lambda a, b=2, *, c=3: a + b * c
        f[4] = k(1) + k(1, 1) + k(1, c=5) + k(b=1, a=2)

    same(kernel, FOUND)


def test_texts() -> None:
    def kernel(f):
        s = "abc"
        f[0] = s == "abc"
        f[1] = len(s)
        f[2] = "b" in s
        f[3] = s != "x"
        f[4] = "bd" not in s

    same(kernel, FOUND)


def test_powers() -> None:
    def kernel(f, x, n):
        f[0] = n**3
        f[1] = n**0
        f[3] = 2**n
        f[4] = x[2] ** 2
        f[5] = x[2] ** -1
        f[7] = (-2.0) ** 3
        f[8] = float(n) ** n
        f[9] = pow(n, 2)
        f[10] = n**2.0

    same(kernel, FOUND, X, 3)


def test_bools() -> None:
    def kernel(f, x):
        b = x[0] > -1
        f[1] = b & True
        f[2] = b | False
        f[4] = not b
        f[5] = b ^ b
        f[6] = b * 2.5
        f[7] = b == 1
        f[8] = -x[1] if b else 0
        c = np.bool_(x[2])
        f[10] = c

    same(kernel, FOUND, X)


def test_complex_numbers() -> None:
    def kernel(f):
        z = 1 + 2j
        f[0] = (z * z).real
        f[1] = (z**2).imag
        f[2] = z == 1 + 2j
        f[3] = (-z).imag
        f[4] = (z / 2).real
        f[5] = (2 * z - 1).imag
        z += 1
        f[6] = z.real
        f[7] = abs(3 + 4j)
        f[8] = z.conjugate().imag

    same(kernel, FOUND)


def test_tuples() -> None:
    def kernel(f, t):
        for i in range(len(t)):
            f[i] = t[i]
        k = 5
        for p, q in ((1, 2), (3, 4)):
            f[k] = p * q
            k += 1
        for v in t:
            f[k] = v
            k += 1
        f[k] = sum(t)
        f[k + 1] = max(t)
        f[k + 2] = (1, 2) < (1, 3)
        f[k + 3] = 3 in t
        f[k + 5] = (t + (9,))[-1]
        f[k + 6] = t[::-1][0]

    same(kernel, FOUND, (1, 3, 2))


def test_assignments_to_slices() -> None:
    def kernel(f, x):
        x[1:3] = x[4:6]
        f[0] = x[1]
        x[:] = 7
        f[1] = x[9]
        y = x.reshape(2, 5)
        y[1, 2] = 3
        f[2] = x[7]
        f[3] = y.sum()
        f[4] = x.max() - x.min()
        f[5] = x.mean()
        y[0] = 1
        f[6] = x[0]
        z = y.T
        z[4, 0] = 11
        f[7] = x[4]
        f[8] = z.shape[0]
        for r in y:
            r[0] += 1
        f[9] = y[1, 0]

    same(kernel, FOUND, X)


def test_integers() -> None:
    def kernel(f, a, b):
        f[0] = a // b
        f[1] = a % b
        f[2] = -a // b
        f[3] = -a % b
        f[4] = a / b
        f[5] = divmod(-a, b)[0]
        f[7] = abs(-a)
        f[8] = a >> 1
        f[9] = (-a) >> 1
        f[10] = a << 2
        f[11] = int(2.9)
        f[12] = int(-2.9)
        f[13] = round(2.5)
        f[14] = math.floor(-2.5)
        f[15] = math.ceil(2.1)
        f[16] = math.trunc(-2.7)

    same(kernel, FOUND, 7, -2)


def test_the_checks_of_debug() -> None:
    def kernel(f, x):
        i = 0
        while True:
            i += 1
            if i > 5:
                break
            f[i] = x[i] // 2 + x[i] % 3
        else:
            f[20] = 1

    same(kernel, FOUND, X, debug=True)


def test_min_and_max() -> None:
    def kernel(f, x):
        f[0] = min(3, 2.5)
        f[1] = max(x[1], x[2], -1)
        f[2] = min(x[0], 0)
        f[3] = max(True, 2)
        f[4] = min((4, 2, 3))

    same(kernel, FOUND, X)


def test_nested_loops() -> None:
    def kernel(f, n):
        for i in range(n):
            for j in range(i):
                if j == 2:
                    break
                for k in range(3):
                    if k == 1:
                        continue
                    f[i * 3 + j] += k + 1
            else:
                f[30 + i] = 1
                continue
            f[35] += 1

    same(kernel, FOUND, 5)


def test_named_expressions() -> None:
    def kernel(f, x):
        i = 0
        while (v := x[i]) < 5:
            f[i] = v
            i += 1
        f[20] = (y := 3) + y

    same(kernel, FOUND, X)


def test_annotations_and_lists() -> None:
    def kernel(f):
        a: float = 3
        b: int
        b = 2
        f[0] = a / b
        del b
        pass
        """doc"""
        assert True
        f[1] = [1, 2, 3][1]
        l = [4, 5]
        f[2] = l[0] + len(l)

    same(kernel, FOUND)


def test_float16() -> None:
    def kernel(f, x):
        a = np.float16(x[1]) + np.float16(0.1)
        f[0] = a
        f[1] = np.float16(x[3]) * np.float16(1.1)

    same(kernel, FOUND, X)


def test_loops_over_several() -> None:
    def kernel(f, x):
        for i, v in enumerate(x, 5):
            f[i] = v
        for a, b, c in zip(x, x[1:], (1, 2, 3)):
            f[20 + c] = a * b
        for i in reversed(range(2, 8, 3)):
            f[30 + i] = i
        for v in reversed(x):
            f[39] = v

    same(kernel, FOUND, X)


def test_values_of_earlier_turns() -> None:
    """A turn may read what only an earlier one wrote."""

    def first_apart(f, n):
        for i in range(n):
            if i == 0:
                total = 5
            else:
                total = total + 2.5
            f[i] = total

    def nested(f, n):
        for i in range(n):
            for j in range(2):
                if i + j > 0:
                    t = t + last * 1.5
                last = i
                if i + j == 0:
                    t = 1
        f[0] = t
        while n > 0:
            if n < 3:
                f[n] = pair[0] + pair[1]
            pair = (n, n * 0.5)
            n -= 1

    same(first_apart, FOUND, 4)
    same(nested, FOUND, 4)


def test_literal_unroll() -> None:
    items = (1, 2.5, np.arange(3.0))

    @cuda.jit
    def kernel(f):
        k = 0
        for item in literal_unroll((X, items[2])):
            f[k] = np.sum(item) + np.count_nonzero(item)
            k += 1
        for item in literal_unroll(items[:2]):
            f[k] = item * 2
            k += 1

    found = cuda.to_device(FOUND)
    kernel[1, 1](found)
    assert found.copy_to_host()[:4].tolist() == [54, 5, 2, 5]
