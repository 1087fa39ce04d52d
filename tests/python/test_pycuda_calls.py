"""The ways in which a Function can be called: each is the same launch."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any

import cuox
import cuox.pycuda.driver as drv
import numpy as np
import pytest
from cuox.pycuda.compiler import SourceModule
from cuox.pycuda.driver import Context, Device

SOURCE = r"""
extern "C" __global__ void shape(int *out, int value)
{
    extern __shared__ int s[];
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    out[0] = gridDim.x; out[1] = gridDim.y; out[2] = gridDim.z;
    out[3] = blockDim.x; out[4] = blockDim.y; out[5] = blockDim.z;
    out[6] = bytes; out[7] = value;
}
extern "C" __global__ void nothing() {}
"""


@pytest.fixture(scope="module")
def code() -> cuox.ObjectCode:
    return cuox.Program(SOURCE, code_type="c++").compile("ptx")


@pytest.fixture
def context() -> Iterator[Context]:
    drv.init()
    made = Device(0).make_context()
    yield made
    if Context.get_current() is not None:
        Context.pop()


@pytest.fixture
def module(context: Context, code: cuox.ObjectCode) -> drv.Module:
    return drv.module_from_code(code)


class Shapes:
    """The memory that `shape` writes what it was launched with to."""

    def __init__(self) -> None:
        self.memory = drv.mem_alloc(32)

    def check(self, grid: tuple[int, ...], block: tuple[int, ...], value: int, shared: int = 0) -> None:
        Context.synchronize()
        wanted = [*grid, *[1] * (3 - len(grid)), *block, *[1] * (3 - len(block)), shared, value]
        assert drv.from_device(self.memory, 8, np.int32).tolist() == wanted
        drv.memset_d8(self.memory, 255, 32)


def test_grids_and_blocks_of_calls(module: drv.Module) -> None:
    shape, out = module.get_function("shape"), Shapes()
    stream = drv.Stream()
    for number in range(1, 40):
        shape(out.memory, number, block=(number, 1, 1), grid=(2, number))
        out.check((2, number), (number,), number)
        shape(out.memory, np.int32(number), grid=(3, 1), block=(number, 2, 1), shared=4 * number)
        out.check((3, 1), (number, 2, 1), number, 4 * number)
        shape(out.memory, 7, block=(4, 1, 1))
        out.check((1,), (4,), 7)
        shape(out.memory, 8, block=(4, 1, 1), grid=(1, 1), shared=0, stream=stream)
        out.check((1,), (4,), 8)
        shape(out.memory, 8, shared=16, stream=None, grid=(1, 2, 3), block=(4, 1, 1))
        out.check((1, 2, 3), (4,), 8, 16)
        shape(out.memory, 9, block=[5, 1, 1], grid=[2, 1])
        out.check((2,), (5,), 9)
        shape(out.memory, 9, block=(np.int64(6), 1, 1), grid=(np.uint32(number), 1))
        out.check((number,), (6,), 9)


def test_other_ways_into_a_call(module: drv.Module) -> None:
    shape, out = module.get_function("shape"), Shapes()
    keywords: dict[str, Any] = {"block": (3, 1, 1), str(b"grid", "ascii"): (5, 1)}
    for number in range(3):
        shape(*(out.memory, number), **keywords)
        out.check((5,), (3,), number)
        shape.__call__(out.memory, number, **keywords)
        out.check((5,), (3,), number)
        assert shape(*[drv.Out(np.zeros(8, np.int32)), np.int32(1)], **keywords) is None
    taken = np.zeros(8, np.int32)
    shape(drv.Out(taken), np.int32(1), **keywords)
    assert taken.tolist() == [5, 1, 1, 3, 1, 1, 0, 1]
    seconds = shape(out.memory, 4, time_kernel=True, **keywords)
    assert seconds is not None and seconds >= 0
    out.check((5,), (3,), 4)
    with pytest.raises(ValueError, match="must specify block size"):
        shape()
    with pytest.raises(ValueError, match="must specify block size"):
        shape(out.memory, 1, block=None)
    with pytest.raises(ValueError, match="extra keyword arguments: blocks"):
        shape(out.memory, 1, block=(1, 1, 1), blocks=(1, 1))
    for wrong in ((), (0, 1, 1), (1, 1, 1, 1), (-1, 1, 1), ("1", 1, 1), (1 << 40, 1, 1)):
        for _ in range(2):
            with pytest.raises((TypeError, ValueError, drv.Error)):
                shape(out.memory, 1, block=wrong)
    with pytest.raises((TypeError, ValueError)):
        shape(out.memory, 1, block=(1, 1, 1), shared=-1)


def test_arguments_of_changing_classes(module: drv.Module) -> None:
    shape, out = module.get_function("shape"), Shapes()

    class Holder:
        gpudata = out.memory

    array = cuox.Array(8, np.int32, buffer=out.memory)
    for number, memory in enumerate(
        (out.memory, int(out.memory), Holder(), array, np.uint64(int(out.memory)), Holder(), out.memory)
    ):
        shape(memory, number, block=(2, 1, 1), grid=(1, 1))
        out.check((1,), (2,), number)
    with pytest.raises(TypeError, match="invalid type on parameter #1"):
        shape(out.memory, object(), block=(2, 1, 1))
    with pytest.raises(TypeError, match="invalid type on parameter #1"):
        shape(out.memory, "1", block=(2, 1, 1))
    with pytest.raises(TypeError, match="2 arguments"):
        shape(out.memory, block=(2, 1, 1))
    many = (out.memory,) * 100
    with pytest.raises(TypeError, match="2 arguments"):
        shape(*many, block=(2, 1, 1))


def test_prepared_calls_with_names(module: drv.Module) -> None:
    out = Shapes()
    shape: Any = module.get_function("shape").prepare("Pi")
    shape.prepared_call((2, 1), (3, 1, 1), out.memory, 5, shared_size=8)
    out.check((2,), (3,), 5, 8)
    shape.prepared_call((2, 1), (3, 1, 1), out.memory, 6, shared_size=None)
    out.check((2,), (3,), 6)
    shape.prepared_async_call((2, 1), (3, 1, 1), drv.Stream(), out.memory, 7, shared_size=0)
    out.check((2,), (3,), 7)
    module.get_function("nothing").prepare("").prepared_call(block=(1, 1, 1), grid=(1, 1))
    module.get_function("nothing").prepare("").prepared_async_call((1, 1), (1, 1, 1), stream=None)
    with pytest.raises(TypeError, match="missing required argument: 'block'"):
        shape.prepared_call((1, 1))
    with pytest.raises(TypeError, match="missing required argument: 'grid'"):
        shape.prepared_call()
    with pytest.raises(TypeError, match="missing required argument: 'stream'"):
        shape.prepared_async_call((1, 1), (1, 1, 1), shared_size=1)
    with pytest.raises(TypeError, match="multiple values for argument 'grid'"):
        shape.prepared_call((1, 1), (1, 1, 1), out.memory, 1, grid=(1, 1))
    with pytest.raises(TypeError, match="unexpected keyword argument 'shared'"):
        shape.prepared_call((1, 1), (1, 1, 1), out.memory, 1, shared=1)
    with pytest.raises(TypeError, match="2 arguments|fit the format"):
        shape.prepared_call((1, 1), (1, 1, 1))
    with pytest.raises(TypeError):
        type(shape).prepared_call(object(), (1, 1), (1, 1, 1))


def test_subclasses_and_other_calls(module: drv.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    shape, out = module.get_function("shape"), Shapes()

    class Same(drv.Function):
        pass

    class Counting(drv.Function):
        calls = 0

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            return super().__call__(*args, **kwargs)

    class Below(Counting):
        pass

    Same(shape.kernel)(out.memory, 1, block=(2, 1, 1))
    out.check((1,), (2,), 1)
    for kind in (Counting, Below):
        counting = kind(shape.kernel)
        counting(out.memory, 2, block=(3, 1, 1))
        out.check((1,), (3,), 2)
        assert counting.calls == 1
    seen = []
    original = drv.Function.__call__

    def call(self: drv.Function, *args: Any, **kwargs: Any) -> Any:
        seen.append((args, kwargs))
        return original(self, *args, **kwargs)

    monkeypatch.setattr(drv.Function, "__call__", call)
    shape(out.memory, 3, block=(4, 1, 1))
    out.check((1,), (4,), 3)
    assert seen == [((out.memory, 3), {"block": (4, 1, 1)})]
    monkeypatch.undo()
    shape(out.memory, 4, block=(5, 1, 1))
    out.check((1,), (5,), 4)
    assert len(seen) == 1


def test_calls_leave_no_references(module: drv.Module) -> None:
    shape, out = module.get_function("shape"), Shapes()
    one = int("1")
    block, grid = (4, 1, one), (2, one)
    things = (shape, out.memory, block, grid, shape.kernel)
    gc.collect()
    before = [sys.getrefcount(thing) for thing in things]
    for number in range(100):
        shape(out.memory, number, block=block, grid=grid)
        shape.prepared_call(grid, block, out.memory, number)
        with pytest.raises(TypeError):
            shape(out.memory, block=block, grid=grid)
        shape(out.memory, number, block=(number + 1, 1, 1), grid=(number + 1, 1))
    Context.synchronize()
    gc.collect()
    assert [sys.getrefcount(thing) for thing in things] == before


@pytest.mark.usefixtures("context")
def test_none_is_no_argument() -> None:
    function = SourceModule("__global__ void f(float *x, int n) { if (x) x[0] = n; }").get_function("f")
    with pytest.raises(TypeError, match=r"invalid type on parameter #0 .*None.*numpy\.intp\(0\)"):
        function(None, np.int32(1), block=(1, 1, 1))
    function(np.intp(0), np.int32(1), block=(1, 1, 1))
    drv.Context.synchronize()


def test_arrays_of_one_element_by_value(context: Context) -> None:
    module = SourceModule(
        """
    extern "C" __global__ void all(double *o, int i, float f, bool b) { o[0] = i; o[1] = f; o[2] = b; }
    """,
        no_extern_c=True,
    )
    memory = drv.mem_alloc(24)
    values = np.array([3], np.int32), np.array([[0.5]], np.float32), np.array(True)
    module.get_function("all")(memory, *values, block=(1, 1, 1))
    assert drv.from_device(memory, 3, np.float64).tolist() == [3, 0.5, 1]
    with pytest.raises(TypeError, match='parameter 2 "i"'):
        module.get_function("all")(memory, np.zeros(2, np.int32), *values[1:], block=(1, 1, 1))
    with pytest.raises(TypeError, match='parameter 1 "o"'):
        module.get_function("all")(np.zeros(1), *values, block=(1, 1, 1))
