"""The operators of `GPUArray`: classes, allocators and references of results."""

from __future__ import annotations

import gc
import sys
from typing import Any

import cuox
import cuox.pycuda.driver as drv
import numpy as np
import pytest
from cuox.pycuda import gpuarray


@pytest.fixture(autouse=True)
def current(device: cuox.Device) -> None:
    device.set_current()


def test_operators_are_the_base_classes() -> None:
    class Named(gpuarray.GPUArray):
        def __add__(self, other: Any) -> Any:
            return "added", super().__add__(other)

    host = np.arange(6, dtype=np.float32)
    a = gpuarray.to_gpu(host)
    named = Named(6, np.float32, gpudata=a.gpudata)
    word, added = named + a
    assert word == "added" and (added.get() == 2 * host).all()
    assert (a + named).get().tolist() == (2 * host).tolist()
    assert type(named * 2) is Named and type(a * 2) is gpuarray.GPUArray
    assert type(-named) is Named and type(abs(named)) is Named
    for other in ("1", None, [1.0], object()):
        assert a.__add__(other) is NotImplemented
        assert (a == other) is False and (a != other) is True
        with pytest.raises(TypeError):
            a + other
        with pytest.raises(TypeError):
            a += other
    kept = a
    a += 1
    a *= named
    assert a is kept
    with pytest.raises(TypeError, match="not hashable"):
        hash(a)
    assert (8 // (a * 0 + 3)).get().tolist() == [2.0] * 6
    assert divmod(a * 0 + 8, 3)[0].get().tolist() == [2.0] * 6


def test_operators_with_allocators() -> None:
    asked = []

    def allocator(size: int) -> Any:
        asked.append(size)
        return drv.mem_alloc(size)

    a = gpuarray.to_gpu(np.ones(8, np.float32), allocator=allocator)
    b = gpuarray.to_gpu(np.ones(8, np.float32))
    asked.clear()
    for compute in (lambda: a + b, lambda: a - b, lambda: a < b, lambda: -a, lambda: a[2:] * 2, lambda: 1 / a[::-1]):
        asked.clear()
        assert compute()._own_allocator is allocator and len(asked) == 1
    asked.clear()
    a += b
    assert not asked and (a.get() == 2).all()
    assert gpuarray.sum(a).get() == 16 and asked == [4]
    assert (b + b)._own_allocator is None and asked == [4]


def test_operators_leave_no_references() -> None:
    a, b = gpuarray.to_gpu(np.ones(8, np.float32)), gpuarray.to_gpu(np.ones(8, np.float32))
    drv.Context.synchronize()
    gc.collect()
    before = [sys.getrefcount(thing) for thing in (a, b, gpuarray.GPUArray)]
    for _ in range(50):
        a + b, a * 2, -a, a == b, a < 1
        a += b
        a -= 1.0
        gpuarray.sum(a)
        with pytest.raises(ValueError):
            a + gpuarray.zeros(3, np.float32)
    drv.Context.synchronize()
    gc.collect()
    assert [sys.getrefcount(thing) for thing in (a, b, gpuarray.GPUArray)] == before
