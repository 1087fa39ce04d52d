"""`cuox.Array` beside `numpy.ndarray`: random shapes, orders, types, views and writes; everything must be equal bit by
bit.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
import pytest

ROUNDS = int(os.environ.get("CUOX_ARRAY_ROUNDS", "250"))
DTYPES = [
    "f4",
    "f8",
    "f2",
    "i1",
    "u2",
    "i8",
    "c8",
    "c16",
    "?",
    ">i4",
    "M8[ns]",
    "m8[s]",
    "S3",
    "U2",
    "V5",
    "i4,f8,u1",
    "V16",
]
ERRORS = (ValueError, IndexError, TypeError)


def numbers(rng: random.Random, shape: tuple[int, ...], dtype: np.dtype, order: str) -> np.ndarray:
    count = int(np.prod(shape, dtype=np.int64))
    if dtype.kind == "b":
        flat = np.array([rng.random() < 0.5 for _ in range(count)], dtype)
    elif dtype.kind == "U":
        flat = np.array(["".join(rng.choices("abcxyz", k=2)) for _ in range(count)], dtype)
    else:
        flat = np.frombuffer(rng.randbytes(count * dtype.itemsize), dtype)
    host = np.empty(shape, dtype, order)
    host[...] = flat.reshape(shape)
    return host


def shape_of(rng: random.Random, largest: int = 6) -> tuple[int, ...]:
    return tuple(
        rng.choice([0, 1, 1, 2, 3, 4, largest]) if rng.random() < 0.3 else rng.randint(1, largest)
        for _ in range(rng.randint(0, 4))
    )


def subscript(rng: random.Random, shape: tuple[int, ...]) -> tuple[Any, ...]:
    key: list[Any] = []
    for size in shape[: rng.randint(0, len(shape))]:
        kind = rng.random()
        if kind < 0.25 and size:
            key.append(rng.randint(-size - (rng.random() < 0.05), size - 1 + (rng.random() < 0.05)))
        elif kind < 0.4:
            key.append(slice(None))
        else:
            ends = [rng.choice([None, rng.randint(-size - 2, size + 2)]) for _ in range(2)]
            key.append(slice(*ends, rng.choice([None, 1, 2, 3, -1, -2, -3, 10, -10])))
    if rng.random() < 0.3:
        key.insert(rng.randint(0, len(key)), None)
    if rng.random() < 0.02:
        key.append(...)
    key.insert(rng.randint(0, len(key)) if rng.random() < 0.5 else len(key), ...)
    return tuple(key)


def other_shape(rng: random.Random, count: int) -> tuple[int, ...]:
    sizes: list[int] = []
    rest = count
    while rest > 1 and rng.random() < 0.8:
        divisors = [d for d in range(1, rest + 1) if rest % d == 0]
        sizes.append(rng.choice(divisors))
        rest //= sizes[-1]
    sizes.append(rest)
    rng.shuffle(sizes)
    if rng.random() < 0.3:
        sizes[rng.randrange(len(sizes))] = -1
    if rng.random() < 0.05:
        sizes.append(rng.choice([2, 0, -1]))
    return tuple(sizes)


def step(rng: random.Random, host: np.ndarray) -> tuple[str, Callable[[Any], Any]]:
    """A method of both classes with its arguments."""
    ndim = host.ndim
    kind = rng.randrange(12)
    if kind < 4:
        key = subscript(rng, host.shape)
        return f"[{key}]", lambda a: a[key]
    if kind == 4:
        axes = list(range(-ndim if rng.random() < 0.3 else 0, 0 if rng.random() < 0.1 else ndim))[:ndim]
        rng.shuffle(axes)
        return f".transpose({axes})", lambda a: a.transpose(axes)
    if kind == 5:
        return ".T", lambda a: a.T
    if kind == 6:
        pair = rng.randint(-ndim - (rng.random() < 0.1), ndim), rng.randint(-ndim, max(ndim - 1, 0))
        return f".swapaxes{pair}", lambda a: a.swapaxes(*pair)
    if kind == 7:
        axis = rng.choice([None, None, rng.randint(-ndim - 1, ndim), (0,), tuple(range(min(2, ndim)))])
        return f".squeeze({axis})", lambda a: a.squeeze(axis)
    if kind == 8:
        shape, order = other_shape(rng, host.size), rng.choice("CCFA")
        return f".reshape({shape}, {order})", lambda a: a.reshape(shape, order=order)
    if kind == 9:
        order, name = rng.choice("CFAK"), rng.choice(["ravel", "flatten", "copy"])
        return f".{name}({order})", lambda a: getattr(a, name)(order)
    if kind == 10:
        if host.dtype.kind in "fiu" and rng.random() < 0.9:
            dtype = rng.choice(["u1", "u2", "u4", "i8", "f4", "V3", "c16"])
        else:
            dtype = rng.choice([None, f"V{host.dtype.itemsize}"])
        return f".view({dtype})", lambda a: a.view() if dtype is None else a.view(dtype)
    shape = tuple(rng.choice([size, 3]) if size == 1 or rng.random() < 0.05 else size for size in host.shape)
    shape = tuple(rng.randint(1, 3) for _ in range(rng.randint(0, 2))) + shape
    return (
        f".broadcast_to({shape})",
        lambda a: np.broadcast_to(a, shape) if isinstance(a, np.ndarray) else a.broadcast_to(shape),
    )


def strides(array: Any) -> list[int]:
    """The strides that lead anywhere."""
    return [stride for stride, size in zip(array.strides, array.shape, strict=True) if size > 1] if array.size else []


def check(array: cuox.Array, host: np.ndarray, trace: str) -> None:
    assert (array.shape, array.dtype, array.size, array.nbytes) == (host.shape, host.dtype, host.size, host.nbytes), (
        trace
    )
    assert strides(array) == strides(host), trace
    assert (array.is_c_contiguous, array.is_f_contiguous) == (host.flags.c_contiguous, host.flags.f_contiguous), trace
    back = array.to_host()
    assert back.dtype == host.dtype and back.shape == host.shape and back.tobytes() == host.tobytes(), trace
    assert strides(back) == strides(host.copy("K")), trace


def both(use: Callable[[Any], Any], array: cuox.Array, host: np.ndarray, trace: str) -> tuple[Any, Any]:
    """The results of both, or an error of the same kind from both."""
    try:
        expected = use(host)
    except ERRORS as error:
        with pytest.raises(ERRORS) as caught:
            use(array)
        assert caught.type in (type(error), *type(error).__bases__) or type(error) in caught.type.__mro__, (
            trace,
            error,
            caught.value,
        )
        return None, None
    try:
        return use(array), expected
    except Exception as error:
        raise AssertionError(f"{trace}: {type(error).__name__}: {error}") from error


@pytest.mark.parametrize("seed", range(8))
def test_views_and_writes(device: cuox.Device, seed: int) -> None:
    rng = random.Random(seed)
    stream = device.create_stream() if seed % 2 else None
    for number in range(ROUNDS):
        dtype = np.dtype(rng.choice(DTYPES))
        base = numbers(rng, shape_of(rng), dtype, rng.choice("CF"))
        on_device = cuox.to_device(base)
        trace = f"seed {seed} round {number}: {base.shape} {dtype} {base.strides}"
        array, host = on_device, base
        check(array, host, trace)
        for _ in range(rng.randint(1, 4)):
            text, use = step(rng, host)
            trace += text
            got, expected = both(use, array, host, trace)
            if expected is None:
                break
            assert (got.buffer is array.buffer) == (
                np.may_share_memory(expected, host) or expected.size == 0
            ) or expected.size == 0, trace
            assert got.is_read_only == (not expected.flags.writeable) or expected.base is None or expected.size == 0, (
                trace
            )
            array, host = got, expected
            check(array, host, trace)
        if not host.flags.writeable or array.is_read_only:
            continue
        # A write through the view, from the host or from the device.
        value = numbers(rng, host.shape, host.dtype, rng.choice("CF"))
        kind = rng.randrange(5)
        if kind == 1:
            value = value[tuple(slice(0, 1) if rng.random() < 0.3 else slice(None) for _ in value.shape)]
        elif kind == 2:
            value = value[None, None]
        elif kind == 3 and value.size:
            value = value.reshape(-1)[0]
            value = np.array(value, host.dtype)
        trace += f" = {value.shape} {kind}"
        key = subscript(rng, host.shape)
        if rng.random() < 0.5:
            key = (...,)
        try:
            host[key] = value
        except (ValueError, IndexError) as error:
            with pytest.raises(type(error)):
                array[key] = value
        else:
            source = cuox.to_device(np.asarray(value, host.dtype)) if rng.random() < 0.5 else value
            part = array[key]
            # Work in the default stream comes first.
            device.sync()
            part.copy_from(source, stream=stream)
            if stream is not None:
                stream.sync()
            check(array, host, trace)
        check(on_device, base, trace)


@pytest.mark.parametrize("seed", range(4))
def test_reading_into_arrays_that_are_there(device: cuox.Device, seed: int) -> None:
    rng = random.Random(100 + seed)
    for number in range(ROUNDS):
        dtype = np.dtype(rng.choice(DTYPES))
        base = numbers(rng, shape_of(rng), dtype, rng.choice("CF"))
        key = subscript(rng, base.shape)
        try:
            host = base[key]
        except IndexError:
            continue
        array = cuox.to_device(base)[key]
        space = np.zeros([2 * size + 1 for size in host.shape], dtype, rng.choice("CF"))
        out = space[
            tuple(
                rng.choice([slice(0, size), slice(0, 2 * size, 2), slice(size, 0, -1)]) if size else slice(0, 0)
                for size in host.shape
            )
        ]
        expected = space.copy("K")
        if out.shape != host.shape or host.ndim == 0:
            out = np.empty_like(host, order=rng.choice("CFK"))
        assert array.to_host(out) is out
        assert out.tobytes() == host.tobytes(), (seed, number)
        # Nothing beside it is written to.
        out[...] = np.zeros((), dtype)
        assert space.tobytes() == expected.tobytes(), (seed, number)
        # And host arrays of any strides go to the device in the same order.
        copied = cuox.to_device(host)
        assert strides(copied) == strides(host.copy("K")) and copied.to_host().tobytes() == host.tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_fills(device: cuox.Device, seed: int) -> None:
    rng = random.Random(200 + seed)
    for number in range(ROUNDS):
        dtype = np.dtype(rng.choice(DTYPES))
        shape = (rng.randint(1, 3000),) if rng.random() < 0.2 else shape_of(rng)
        base = numbers(rng, shape, dtype, rng.choice("CF"))
        array = cuox.to_device(base)
        key = subscript(rng, base.shape)
        value = numbers(rng, (), dtype, "C")
        try:
            base[key] = value
        except IndexError:
            continue
        array[key].fill(value[()])
        assert array.to_host().tobytes() == base.tobytes(), (seed, number, dtype, base.shape, key)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i1", "V3", "V7"])
def test_large_arrays_in_all_orders(device: cuox.Device, dtype: str) -> None:
    """Copies that the driver makes in rows, in slices, and those that go through the host."""
    rng = random.Random(7)
    host = numbers(rng, (37, 53, 71), np.dtype(dtype), "C")
    array = cuox.to_device(host)
    for use in (
        lambda a: a.T,
        lambda a: a.transpose(1, 0, 2),
        lambda a: a.transpose(0, 2, 1),
        lambda a: a[::-1],
        lambda a: a[:, :, ::-1],
        lambda a: a[::2, ::3, ::5],
        lambda a: a[3:30, 5:50, 7:70],
        lambda a: a[:, 4, :],
        lambda a: a[:, :, 6],
        lambda a: a[5, ::-2, 2::3],
    ):
        part, expected = use(array), use(host)
        assert part.to_host().tobytes() == expected.tobytes()
        assert part.copy().to_host().tobytes() == expected.tobytes()
        assert part.copy("F").to_host().tobytes() == expected.tobytes()
        target, wanted = cuox.zeros(host.shape, dtype), np.zeros(host.shape, dtype)
        use(target)[...] = part
        use(wanted)[...] = expected
        assert target.to_host().tobytes() == wanted.tobytes()
        target.fill(wanted.reshape(-1)[0])
        wanted.fill(wanted.reshape(-1)[0])
        use(target)[...] = expected
        use(wanted)[...] = expected
        assert target.to_host().tobytes() == wanted.tobytes()
