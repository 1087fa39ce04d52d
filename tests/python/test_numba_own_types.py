"""Types of a program's own by Numba's extension interface, and records that kernels capture."""

from __future__ import annotations

from typing import Any

import cuox
import numpy as np
import pytest
from cuox import numba
from cuox.cuda import coop
from cuox.cuda.compute import gpu_struct
from cuox.numba import cuda, types
from cuox.numba.core import cgutils
from cuox.numba.core.imputils import lower_constant
from cuox.numba.extending import (
    lower_builtin,
    make_attribute_wrapper,
    models,
    register_model,
    type_callable,
    typeof_impl,
)


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y


class VectorType(types.Type):
    def __init__(self):
        super().__init__(name="Vector")


vector_type = VectorType()


@typeof_impl.register(Vector)
def typeof_vector(value, context):
    return vector_type


@type_callable(Vector)
def type_vector(context):
    def typer(x, y):
        if isinstance(x, types.Float) and isinstance(y, types.Float):
            return vector_type

    return typer


@register_model(VectorType)
class VectorModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("first", types.float32), ("second", types.float64)])


make_attribute_wrapper(VectorType, "first", "x")
make_attribute_wrapper(VectorType, "second", "y")


@lower_builtin(Vector, types.Float, types.Float)
def make_vector(context, builder, sig, args):
    made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    made.first, made.second = args
    return made._getvalue()


@lower_constant(VectorType)
def constant_vector(context, builder, typ, value):
    made = cgutils.create_struct_proxy(typ)(context, builder)
    made.first = context.get_constant(types.float32, value.x)
    made.second = context.get_constant_generic(builder, types.float64, value.y)
    return made._getvalue()


class Box:
    def __init__(self, low, high):
        self.low, self.high = low, high


class BoxType(types.Type):
    def __init__(self):
        super().__init__(name="Box")


box_type = BoxType()


@typeof_impl.register(Box)
def typeof_box(value, context):
    return box_type


@type_callable(Box)
def type_box(context):
    def typer(low, high):
        if low == vector_type and high == vector_type:
            return box_type

    return typer


@register_model(BoxType)
class BoxModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        models.StructModel.__init__(self, dmm, fe_type, [("low", vector_type), ("high", vector_type)])


@lower_builtin(Box, VectorType, VectorType)
def make_box(context, builder, sig, args):
    made = context.make_helper(builder, sig.return_type)
    made.low, made.high = args
    return made._getvalue()


@lower_constant(BoxType)
def constant_box(context, builder, typ, value):
    made = cgutils.create_struct_proxy(typ)(context, builder)
    made.low = context.get_constant_generic(builder, vector_type, value.low)
    made.high = constant_vector(context, builder, vector_type, value.high)
    return made._getvalue()


START, UNIT = Vector(1.5, 2.5), Box(Vector(0.0, 0.0), Vector(1.0, 2.0))


@cuda.jit(device=True)
def add(a, b):
    return Vector(a.x + b.x, a.y + b.y)


def run(kernel: Any, count: int, dtype: Any = np.float64, threads: int = 1) -> list[Any]:
    out = cuda.to_device(np.zeros(count, dtype))
    kernel[1, threads](out)
    return list(out.copy_to_host().tolist())


def test_values_in_kernels():
    @cuda.jit
    def kernel(out):
        vectors = cuda.local.array(2, vector_type)
        vectors[0], vectors[1] = Vector(1.0, 2.0), START
        total = add(vectors[0], vectors[1])
        box = Box(vectors[0], total)
        boxes = cuda.shared.array(1, box_type)
        boxes[0] = UNIT
        boxes[0].low = total
        out[0], out[1] = total.x, total.y
        out[2], out[3] = box.high.y, UNIT.high.y
        out[4], out[5] = boxes[0].low.x, boxes[0].high.y

    assert run(kernel, 6) == [2.5, 4.5, 4.5, 2.0, 2.5, 2.0]
    assert vector_type.dtype == np.dtype([("x", "f4"), ("y", "f8")], align=True)
    assert box_type.dtype.itemsize == 32 and str(box_type) == "Box"


def test_items_of_collectives():
    total = coop.block.make_reduce(vector_type, 32, add, methods={"construct": None})

    def in_place(result, a, b):
        result[0] = Vector(a[0].x + b[0].x, a[0].y + b[0].y)

    scan = coop.block.make_inclusive_scan(vector_type, 32, in_place, 2, initial_value=START)

    @cuda.jit
    def kernel(out):
        items, scanned = cuda.local.array(2, vector_type), cuda.local.array(2, vector_type)
        items[0] = items[1] = Vector(1.0, 2.0)
        scan(items, scanned, START)
        if cuda.threadIdx.x == 31:
            out[4], out[5] = scanned[1].x, scanned[1].y
        all_of = coop.reduce(coop.this_block(), START, binary_op=add)
        first = total(START)
        if cuda.threadIdx.x == 0:
            out[0], out[1], out[2], out[3] = all_of.x, all_of.y, first.x, first.y

    assert run(kernel, 6, threads=32) == [48, 80, 48, 80, 65.5, 130.5]


def test_state_of_a_prefix_function():
    class Running:
        def __init__(self, total):
            self.total = total

        def __call__(self, aggregate):
            before = self[0].total
            self[0] = Running(before + aggregate)
            return before

    class RunningType(types.Type):
        def __init__(self):
            super().__init__(name="Running")

    running_type = RunningType()
    type_callable(Running)(lambda context: lambda total: running_type if isinstance(total, types.Integer) else None)
    make_attribute_wrapper(RunningType, "total", "total")

    @register_model(RunningType)
    class RunningModel(models.StructModel):
        def __init__(self, dmm, fe_type):
            models.StructModel.__init__(self, dmm, fe_type, [("total", types.int64)])

    @lower_builtin(Running, types.Integer)
    def make(context, builder, sig, args):
        made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        made.total = context.cast(builder, args[0], sig.args[0], types.int64)
        return made._getvalue()

    prefix = coop.StatefulFunction(Running, running_type)
    scan = coop.block.make_exclusive_sum(np.int32, 32, 1, prefix_op=prefix)

    @cuda.jit
    def kernel(out):
        state = cuda.local.array(1, running_type)
        state[0] = Running(5)
        for tile in range(2):
            at = tile * 32 + cuda.threadIdx.x
            out[at] = scan(at, state)

    assert run(kernel, 64, np.int32, 32) == [5 + i * (i - 1) // 2 for i in range(64)]


def test_functions_that_do_more_are_refused():
    class Pair:
        pass

    class PairType(types.Type):
        def __init__(self):
            super().__init__(name="Pair")

    pair_type = PairType()

    @cuda.jit
    def kernel(out):
        pair = Pair(1, 2)
        out[0] = pair.a

    with pytest.raises(cuox.KernelTypeError, match="the class Pair"):
        run(kernel, 1)
    type_callable(Pair)(lambda context: lambda a, b: pair_type)

    @lower_builtin(Pair, types.Integer, types.Integer)
    def swapped(context, builder, sig, args):
        made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        made.b, made.a = args
        return made._getvalue()

    with pytest.raises(TypeError, match="Pair: kernels do not know this type: register_model has not been called"):
        run(kernel, 1)

    @register_model(PairType)
    class PairModel(models.StructModel):
        def __init__(self, dmm, fe_type):
            models.StructModel.__init__(self, dmm, fe_type, [("a", types.int64), ("b", types.int64)])

    with pytest.raises(TypeError, match=r"swapped\(\) of Pair does something else than to put its arguments"):
        run(kernel, 1)

    class Sum(Pair):
        pass

    type_callable(Sum)(lambda context: lambda a, b: pair_type)

    @lower_builtin(Sum, types.Integer, types.Integer)
    def added(context, builder, sig, args):
        made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        made.a = builder.add(*args)
        return made._getvalue()

    @cuda.jit
    def adding(out):
        out[0] = Sum(1, 2).a

    with pytest.raises(TypeError, match=r"added\(\) uses builder\.add, which belongs to Numba's own compiler"):
        run(adding, 1)
    with pytest.raises(AttributeError, match="'c'; it has a, b"):
        cgutils.create_struct_proxy(pair_type)(None, None).c = 1
    with pytest.raises(TypeError, match=r"a proxy of the kind 'data' belongs to Numba's own compiler"):
        cgutils.create_struct_proxy(pair_type, kind="data")
    with pytest.raises(TypeError, match=r"lower_builtin: expected a class, got 'add'"):
        lower_builtin(add.py_func, types.Integer)
    with pytest.raises(TypeError, match=r"register_model: expected a class of types"):
        register_model(int)
    with pytest.raises(TypeError, match=r"not derived from models\.StructModel"):
        register_model(PairType)(Pair)
    with pytest.raises(AttributeError, match=r"models\.OpaqueModel belongs to Numba's own compiler"):
        models.OpaqueModel
    with pytest.raises(AttributeError, match=r"extending\.overload belongs"):
        numba.extending.overload


def test_classes_make_one_type():
    class Amount:
        pass

    def of(name, member):
        class Kind(types.Type):
            def __init__(self):
                super().__init__(name=name)

        @register_model(Kind)
        class Model(models.StructModel):
            def __init__(self, dmm, fe_type):
                models.StructModel.__init__(self, dmm, fe_type, [("value", member)])

        return Kind

    whole, part, same = of("Whole", types.int64), of("Part", types.float64), of("Same", types.float64)
    assert part() == part() != same() and hash(part()) == hash(part()) and part() != "Part"
    type_callable(Amount)(lambda context: lambda value: whole() if isinstance(value, types.Integer) else part())

    def make(context, builder, sig, args):
        made = cgutils.create_struct_proxy(type(sig.return_type)())(context, builder)
        (made.value,) = args
        return made._getvalue()

    lower_builtin(Amount, types.Float)(make)

    @cuda.jit
    def kernel(out):
        out[0] = Amount(1.5).value

    assert run(kernel, 1) == [1.5]
    lower_builtin(Amount, types.Integer)(make)

    @cuda.jit
    def other(out):
        out[0] = Amount(1.5).value

    with pytest.raises(TypeError, match="Amount makes Part or Whole, by the types of its arguments"):
        run(other, 1)

    class Another:
        pass

    type_callable(Another)(lambda context: lambda value: part())
    lower_builtin(Another, float)(make)

    @cuda.jit
    def another(out):
        out[0] = Another(1.5).value

    with pytest.raises(TypeError, match="lower_builtin: expected a type, or a class of types .*, got 'float'"):
        run(another, 1)


def test_wrong_members():
    class Kind(types.Type):
        def __init__(self):
            super().__init__(name="Kind")

    def model(members):
        @register_model(Kind)
        class Model(models.StructModel):
            def __init__(self, dmm, fe_type):
                models.StructModel.__init__(self, dmm, fe_type, members)

        return Kind()

    kind = model({"a": types.int32})

    @cuda.jit
    def kernel(out):
        out[0] = cuda.local.array(1, kind)[0].a

    with pytest.raises(TypeError, match="Kind: members must be pairs of a name and a type, got {'a': int32}"):
        run(kernel, 1)
    with pytest.raises(TypeError, match="Kind: several members have the name a"):
        model([("a", types.int32)] * 2).dtype
    with pytest.raises(TypeError, match="Kind: a member consists of the type itself"):
        model([("a", kind)]).dtype
    with pytest.raises(TypeError, match="3 is not derived from models"):
        register_model(Kind)(3)
    model([("a", types.int32), ("b", types.int32)])
    make_attribute_wrapper(Kind, "a", "b")
    with pytest.raises(TypeError, match="Kind: several members have the name b"):
        kind.dtype
    with pytest.raises(TypeError, match="the member 'a' of Kind has the attribute 'b' already"):
        make_attribute_wrapper(Kind, "a", "c")
    make_attribute_wrapper(Kind, "c", "d")
    with pytest.raises(TypeError, match="Kind has no member 'c'; it has a, b"):
        kind.dtype


def test_names_of_numba_cuda():
    from cuox.numba.core import extending, imputils
    from cuox.numba.cuda import cgutils as of_cuda
    from cuox.numba.cuda import cudaimpl
    from cuox.numba.cuda import extending as cuda_extending
    from cuox.numba.cuda.core import imputils as cuda_imputils
    from cuox.numba.cuda.models import StructModel
    from cuox.numba.cuda.models import register_model as cuda_register_model
    from cuox.numba.cuda.typing import typeof

    assert cudaimpl.lower is imputils.lower_builtin is cuda_imputils.lower_builtin is lower_builtin
    assert cuda_extending.core_models.StructModel is StructModel is extending.models.StructModel
    assert typeof.typeof_impl is typeof_impl
    assert cuda_register_model is register_model and of_cuda.create_struct_proxy is cgutils.create_struct_proxy


RECORDS = np.dtype([("re", np.int32), ("im", np.float64), ("many", np.int16, 2)], align=True)
RECORD = np.array((3, 4.5, (5, 6)), RECORDS)[()]
Struct = gpu_struct({"re": np.int32, "im": np.float64}, "Struct")
STRUCT = Struct(3, 4.5)


def test_captured_records():
    @cuda.jit
    def kernel(out):
        copies = cuda.local.array(2, RECORDS)
        copies[0] = RECORD
        copies[1] = RECORD
        copies[1].re = 7
        out[0], out[1], out[2] = RECORD.re, RECORD["im"], RECORD.many[1]
        out[3], out[4], out[5] = copies[0].re, copies[1].re, copies[1].im
        out[6], out[7] = STRUCT.re, STRUCT.im

    assert run(kernel, 8) == [3, 4.5, 6, 3, 7, 4.5, 3, 4.5]


def test_captured_records_cannot_be_assigned():
    @cuda.jit
    def field(out):
        RECORD.re = 1

    @cuda.jit
    def item(out):
        RECORD["re"] += 1

    @cuda.jit
    def alias(out):
        own = RECORD
        own.re = 1

    for kernel in (field, item, alias):
        with pytest.raises(cuox.KernelTypeError, match="a captured record is constant in kernels"):
            run(kernel, 1)


NESTED = np.zeros(2, [("inner", [("re", np.int32), ("many", np.float32, (2, 2))]), ("n", np.int64)])
NESTED["inner"]["re"], NESTED["inner"]["many"][1], NESTED["n"] = (3, 4), [[1, 2], [5, 6]], (7, 8)
LAST = NESTED[1]


def test_parts_of_captured_records():
    @cuda.jit
    def kernel(out):
        inner = LAST.inner
        out[0], out[1], out[2] = inner.re, LAST["inner"]["many"][1, 0], inner.many.shape[1]
        out[3], out[4], out[5] = LAST.n, NESTED[0].inner.re, NESTED[out.size - 5].inner.many[0, 1]

    assert run(kernel, 6) == [4, 5, 2, 8, 3, 2]


def test_parts_of_captured_records_cannot_be_assigned():
    @cuda.jit
    def field(out):
        LAST.inner.re = 1

    @cuda.jit
    def alias(out):
        inner = LAST["inner"]
        inner["re"] = 1

    @cuda.jit
    def element(out):
        LAST.inner.many[0, 1] = 1

    @cuda.jit
    def array(out):
        many = LAST.inner.many
        many[0, 1] += 1

    @cuda.jit
    def item(out):
        NESTED[1].inner.re = 1

    for kernel in (field, alias, element, array, item):
        with pytest.raises(cuox.KernelTypeError, match="a captured (record|host array) is constant in kernels"):
            run(kernel, 1)
