"""Numbers at their edges: widths, signs, 64 bits, rounding, times; and what is refused because it would be wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuox.numba import cuda
from cuox.numba.cuda.core.errors import TypingError


def run(kernel: Callable[..., None], *args: Any, **options: Any) -> np.ndarray[Any, Any]:
    """The last argument, an array, after one thread of the kernel."""
    there = [cuda.to_device(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    cuda.jit(**options)(kernel)[1, 1](*there)
    cuda.synchronize()
    found: np.ndarray[Any, Any] = there[-1].copy_to_host()
    return found


def test_signs_of_small_unsigned_numbers() -> None:
    def kernel(u8, u16, u32, flag, f):
        f[0] = ~u8
        f[1] = -u8
        f[2] = -u8 + 256
        f[3] = ~u8 / 255
        f[4] = -u16
        f[5] = ~u32
        f[6] = ~flag
        f[7] = -flag
        f[8] = (~u8).itemsize

    found = run(kernel, np.uint8(200), np.uint16(1), np.uint32(1), True, np.zeros(9))
    assert found.tolist() == [55, 56, 312, 55 / 255, 65535, 2**32 - 2, 0, -1, 8]


def test_signed_and_unsigned_numbers_of_64_bits() -> None:
    def kernel(values, f):
        most = 0
        for value in values:
            most = max(most, value)
        f[0] = most
        f[1] = min(values[0], 7)
        f[2] = values[1] if values[0] > 1 else 3

    found = run(kernel, np.array([5, 2**63 + 4096], np.uint64), np.zeros(3))
    assert found.tolist() == [2.0**63 + 4096, 5, 2.0**63 + 4096]


@pytest.mark.parametrize("text", ["10**20 / 10**18", "2**64", "1 << 64", "2**63 * 2", "-(2**63) - 1"])
def test_plain_ints_beyond_64_bits(text: str) -> None:
    scope: dict[str, Any] = {}
    exec(compile(f"def kernel(f):\n    f[0] = {text}\n", "<large>", "exec"), scope)
    with pytest.raises(TypingError, match="an int of more than 64 bits"):
        run(scope["kernel"], np.zeros(1))


def test_variables_wrap_around() -> None:
    def kernel(f):
        factor = 6364136223846793005
        f[0] = factor * factor

    assert run(kernel, np.zeros(1, np.uint64))[0] == 6364136223846793005**2 % 2**64


def test_ints_rounded_to_tens() -> None:
    def kernel(x, f):
        for i in range(x.size):
            f[i] = round(x[i], -1)
        f[x.size] = round(1234, -2) + 7

    x = np.array([5, 15, 25, -5, -15, -14, 14, 96])
    assert run(kernel, x, np.zeros(9)).tolist() == [*(round(int(one), -1) for one in x), 1207]


def test_times_that_are_none() -> None:
    def kernel(x, f, d):
        d[0] = x[0] - x[1]
        d[1] = x[1] - x[2]
        f[0] = x[0] < x[1]
        f[1] = x[0] != x[0]
        f[2] = x[0] == x[0]
        f[3] = x[2] < x[1]

    x = np.array(["NaT", "2020-01-02", "2020-01-01"], "M8[s]")
    flags = cuda.to_device(np.zeros(4))
    found = run(kernel, x, flags, np.zeros(2, "m8[s]"))
    assert np.isnat(found[0]) and found[1] == np.timedelta64(86400, "s")
    assert flags.copy_to_host().tolist() == [0, 1, 0, 1]


def test_times_of_other_units() -> None:
    seconds, days = np.zeros(1, "M8[s]"), np.zeros(1, "M8[D]")

    def differ(a, b, f):
        f[0] = (a[0] - b[0]) == (a[0] - b[0])

    def compare(a, b, f):
        f[0] = a[0] < b[0]

    def put(a, b, f):
        a[0] = b[0]

    for kernel in (differ, compare):
        with pytest.raises(TypingError, match="have other units"):
            run(kernel, seconds, days, np.zeros(1))
    with pytest.raises(TypingError, match=r"expected datetime64\(s\), got datetime64\(D\)"):
        run(put, seconds, days, np.zeros(1))


def test_what_cannot_be_compared() -> None:
    def records(r, f):
        f[0] = r[0] == r[1]

    def arrays(x, f):
        if x == x:
            f[0] = 1

    for kernel, given in ((records, np.zeros(2, [("a", np.int32)])), (arrays, np.zeros(2))):
        with pytest.raises(TypingError, match="== cannot compare"):
            run(kernel, given, np.zeros(1))


def test_slices_of_one_memory() -> None:
    def forwards(x):
        x[1:] = x[:-1]

    def backwards(x):
        x[:-1] = x[1:]

    assert run(forwards, np.arange(5.0)).tolist() == [0, 0, 1, 2, 3]
    assert run(backwards, np.arange(5.0)).tolist() == [1, 2, 3, 4, 4]

    def uneven(x):
        x[0:2] = x[0:3]

    with pytest.raises(ValueError, match="could not broadcast"):
        run(uneven, np.arange(5.0), debug=True)


def test_host_arrays_that_cannot_be_written() -> None:
    @cuda.jit
    def write(x):
        x[0] = 7

    @cuda.jit
    def read(x, f):
        f[0] = x[1]

    given = np.arange(3.0)
    given.flags.writeable = False
    with pytest.raises(TypingError, match="the array is read-only"):
        write[1, 1](given)
    f = cuda.to_device(np.zeros(1))
    read[1, 1](np.frombuffer(b"abc", np.uint8), f)
    assert f.copy_to_host()[0] == ord("b")
    read[1, 1](given, f)
    assert f.copy_to_host()[0] == 1


def test_recursion_in_an_argument() -> None:
    @cuda.jit(device=True)
    def ackermann(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    def kernel(f):
        f[0] = ackermann(2, 3)

    assert run(kernel, np.zeros(1))[0] == 9


def test_a_part_of_a_known_complex_number() -> None:
    def kernel(f):
        f[0] = 2j.imag

    assert run(kernel, np.zeros(1))[0] == 2
