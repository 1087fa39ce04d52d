"""Exceptions of kernels in Python: when they are raised, and how long a kernel is looked at."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.numba import cuda
from cuox.numba.cuda import _raised


@pytest.fixture(autouse=True)
def nothing_before() -> Iterator[None]:
    cuda.synchronize()
    yield
    cuda.synchronize()


def negative() -> Any:
    @cuda.jit
    def kernel(x, out):
        if x[0] < 0:
            raise ValueError("negative")
        out[0] = x[0]

    return kernel


def arrays(value: float) -> tuple[Any, Any]:
    return cuda.to_device(np.full(1, value)), cuda.to_device(np.zeros(1))


def test_a_kernel_that_is_over_is_looked_at_no_more() -> None:
    kernel, (x, out) = negative(), arrays(2)
    kernel[1, 1](x, out)
    (watch,) = map(weakref.ref, _raised._pending.values())
    # It has ended here; that is seen at the next look at the latest.
    assert out.copy_to_host()[0] == 2
    cuda.stream().synchronize()
    assert not _raised._pending
    assert watch() is not None
    del kernel
    gc.collect()
    assert watch() is None


def test_a_kernel_that_nobody_has_any_more_raises() -> None:
    x, out = arrays(-2)
    negative()[1, 1](x, out)
    gc.collect()
    with pytest.raises(ValueError, match=r"tid=\[0, 0, 0\] ctaid=\[0, 0, 0\]: negative$"):
        out.copy_to_host()
    assert out.copy_to_host()[0] == 0
    assert not _raised._pending


def test_in_other_streams_and_again() -> None:
    kernel, (x, out), (y, other) = negative(), arrays(-1), arrays(3)
    one, two = cuda.stream(), cuda.stream()
    for _ in range(3):
        kernel[1, 1, two](y, other)
        two.synchronize()
        kernel[1, 1, one](x, out)
        with pytest.raises(ValueError, match="negative"):
            one.synchronize()
        two.synchronize()
    assert not _raised._pending and other.copy_to_host()[0] == 3


def test_of_a_graph() -> None:
    kernel, (x, out) = negative(), arrays(1)
    stream = cuox.Device().create_stream()
    kernel[1, 1, stream](x, out)
    stream.sync()
    builder = stream.create_graph_builder().begin_building()
    kernel[1, 1, builder.stream](x, out)
    graph = builder.end_building().complete()
    # Each launch of the graph may raise, whenever it is.
    for value in (1.0, -1.0, 2.0, -2.0):
        x.copy_to_device(np.full(1, value))
        cuda.synchronize()
        graph.launch(stream)
        stream.sync()
        if value > 0:
            cuda.synchronize()
        else:
            with pytest.raises(ValueError, match="negative"):
                cuda.synchronize()
    del graph, builder
