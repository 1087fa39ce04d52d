"""Mistakes that programs for PyCUDA make: each raises PyCUDA's exception, and says what to do."""

from __future__ import annotations

import re

import cuox
import numpy as np
import pytest
from cuox.pycuda import driver, gpuarray
from cuox.pycuda.compiler import SourceModule
from cuox.pycuda.curandom import XORWOWRandomNumberGenerator
from cuox.pycuda.elementwise import ElementwiseKernel
from cuox.pycuda.reduction import ReductionKernel
from cuox.pycuda.scan import InclusiveScanKernel

HOST = np.arange(6, dtype=np.float32)


@pytest.fixture(scope="module", autouse=True)
def context():
    driver.init()
    context = driver.Device(0).make_context()
    yield context
    context.pop()


@pytest.fixture
def array():
    return gpuarray.to_gpu(HOST)


def test_arrays_raise_the_drivers_exceptions():
    with pytest.raises(driver.MemoryError, match="bytes were asked for"):
        gpuarray.empty(1 << 45, np.float32)
    with pytest.raises(driver.Error):
        gpuarray.zeros(1 << 45, np.float32)
    with pytest.raises(driver.MemoryError):
        driver.mem_alloc(1 << 50)
    # What cuox raises by itself is caught as well.
    with pytest.raises(driver.Error):
        cuox.Array((1 << 45,), np.float32)
    assert issubclass(driver.MemoryError, driver.Error)
    for kind in (driver.LogicError, driver.LaunchError, driver.RuntimeError, driver.CompileError):
        assert issubclass(kind, driver.Error) and kind.__module__ == "cuox.pycuda.driver"


@pytest.mark.parametrize(
    "copy",
    [
        lambda memory: driver.memcpy_dtoh(HOST.copy(), memory),
        lambda memory: driver.memcpy_htod(memory, HOST),
        lambda memory: driver.memcpy_dtod(memory, memory, 8),
        lambda memory: driver.memcpy_dtoh_async(HOST.copy(), memory),
    ],
)
def test_memory_that_is_gone(array, copy):
    memory = driver.mem_alloc(HOST.nbytes)
    memory.free()
    with pytest.raises(driver.LogicError, match="freed|closed"):
        copy(memory)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: ElementwiseKernel("float *x", "x[i] = nonsense")(a),
        lambda a: ElementwiseKernel("float *x", "x[i] = nonsense")(a, slice=slice(0, 2)),
        lambda a: ReductionKernel(np.float32, neutral="0", reduce_expr="a+nonsense", arguments="float *x")(a),
        lambda a: InclusiveScanKernel(np.float32, "a+nonsense")(a),
        lambda a: SourceModule("__global__ void f() { nonsense; }"),
    ],
)
def test_compile_errors(array, call):
    with pytest.raises(driver.CompileError, match="nonsense") as caught:
        call(array)
    assert "nonsense" in caught.value.stderr
    assert str(caught.value).count("is undefined") == 1


def test_host_arrays_where_device_memory_is_needed(array):
    kernel = ElementwiseKernel("float *x", "x[i] = 1")
    total = ReductionKernel(
        np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="float *x, float *y"
    )
    for wrong, kind in ((HOST, "ndarray"), ([1, 2], "list")):
        with pytest.raises(
            TypeError,
            match=rf"argument 1, 'float \*x', must be a GPUArray or device memory, got {kind}; gpuarray.to_gpu",
        ):
            kernel(wrong)
        with pytest.raises(TypeError, match=rf"argument 2, 'float \*y'.*got {kind}"):
            total(array, wrong)
    function = SourceModule("__global__ void f(float *x) { x[0] = 1; }").get_function("f")
    with pytest.raises(TypeError, match=r"driver\.In\(array\)"):
        function(HOST, block=(1, 1, 1))
    with pytest.raises(TypeError, match="input_ary must be a GPUArray, got ndarray"):
        InclusiveScanKernel(np.float32, "a+b")(HOST)
    for call in (lambda: gpuarray.dot(array, HOST), lambda: gpuarray.take(HOST, array), lambda: gpuarray.sum(HOST)):
        with pytest.raises(TypeError, match=r"GPUArray.*got ndarray.*to_gpu\(\)"):
            call()
    for indices in ([0, 1], np.array([0, 1], np.int32)):
        with pytest.raises(TypeError, match=r"indices must be a GPUArray of integers, got (list|ndarray)"):
            gpuarray.take(array, indices)


@pytest.mark.parametrize(
    "call", [lambda a: a + HOST, lambda a: HOST + a, lambda a: np.add(a, HOST), lambda a: np.add(a, a, out=HOST.copy())]
)
def test_host_and_device_arrays_mixed(array, call):
    with pytest.raises(TypeError, match=r"numpy\.ndarray, in host memory.*to_gpu\(\)") as caught:
        call(array)
    assert len(str(caught.value)) < 300


def test_results_in_host_memory(array):
    with pytest.raises(TypeError, match="out must be a GPUArray, got ndarray"):
        np.sum(array, out=np.zeros(()))


def test_numbers_of_numpy_may_be_mixed(array):
    for number in (np.float32(2), np.array(2, np.float32)):
        assert np.array_equal((array * number).get(), HOST * 2)
        assert np.array_equal((number * array).get(), HOST * 2)


def test_functions_of_numpy_that_are_not_there(array):
    with pytest.raises(TypeError, match=r"numpy\.allclose is not there for GPUArrays.*get\(\)"):
        np.allclose(array, HOST)


def test_none_as_an_argument(array):
    kernel = ElementwiseKernel("float a, float *x, float *y", "y[i] = a * x[i]")
    with pytest.raises(TypeError, match=r"argument 2, 'float \*x', must be a GPUArray or device memory, got None"):
        kernel(1, None, array)
    with pytest.raises(TypeError, match="argument 1, 'float a', must be a number, got None"):
        kernel(None, array, array)
    total = ReductionKernel(
        np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="float *x, float *y"
    )
    with pytest.raises(TypeError, match=r"argument 2, 'float \*y'"):
        total(array, None)


def test_complex_numbers_as_scalars():
    x = (np.arange(5) + 1j).astype(np.complex128)
    there = gpuarray.to_gpu(x)
    ElementwiseKernel("pycuda::complex<double> *x, pycuda::complex<double> s", "x[i] = x[i] * s")(there, 2 + 1j)
    assert np.allclose(there.get(), x * (2 + 1j))
    for scalar in (3j, 2, 1.5, np.complex64(1 - 1j), np.float64(2)):
        there = gpuarray.to_gpu(x.astype(np.complex64))
        ElementwiseKernel("pycuda::complex<float> s, pycuda::complex<float> *x", "x[i] = s")(scalar, there)
        assert np.array_equal(there.get(), np.full(5, scalar, np.complex64))
        total = ReductionKernel(
            np.complex64,
            neutral="0",
            reduce_expr="a+b",
            map_expr="s * x[i]",
            arguments="pycuda::complex<float> s, pycuda::complex<float> *x",
        )
        assert np.allclose(total(scalar, there).get(), 5 * np.complex64(scalar) ** 2)


def test_copies_name_the_argument_that_is_wrong(array):
    expected = "expected device memory"
    with pytest.raises(TypeError, match=f"dest: {expected}.*got GPUArray: pass its gpudata"):
        driver.memcpy_htod(array, HOST)
    with pytest.raises(TypeError, match=f"src: {expected}.*got NoneType"):
        driver.memcpy_dtoh(HOST.copy(), None)
    with pytest.raises(TypeError, match=f"src: {expected}.*got float"):
        driver.memcpy_dtoh(HOST.copy(), 3.5)
    with pytest.raises(TypeError, match=f"dest: {expected}.*host memory"):
        driver.memcpy_htod(np.array(7), HOST)
    with pytest.raises(TypeError, match=r"src: expected host memory.*\(device memory\)"):
        driver.memcpy_htod(array.gpudata, array.gpudata)
    driver.memcpy_htod(np.intp(int(array.gpudata)), HOST + 1)
    assert np.array_equal(array.get(), HOST + 1)


def test_sources_shapes_and_hosts_of_a_wrong_type(array):
    with pytest.raises(TypeError, match="source must be text in CUDA C\\+\\+, got None"):
        SourceModule(None)
    with pytest.raises(TypeError, match="shape: expected an int or a tuple of ints, got float"):
        gpuarray.zeros(2.5, np.float32)
    for call in (lambda: array.set([1, 2]), lambda: array.get([1, 2])):
        with pytest.raises(TypeError, match="ary must be an array of NumPy, got list"):
            call()


def test_headers_that_are_missing():
    with pytest.raises(driver.CompileError, match=re.escape("include_dirs=[...]")):
        SourceModule('#include "nowhere.h"\n__global__ void f() {}')


def test_times_between_events():
    start, end = driver.Event(), driver.Event()
    with pytest.raises(driver.LogicError, match="both events must have been recorded"):
        start.time_till(end)
    with pytest.raises(TypeError, match="expected an Event, got int"):
        start.time_since(3)
    start.record()
    end.record().synchronize()
    assert end.time_since(start) >= 0


@pytest.mark.parametrize(
    "image", [b"garbage", b"", b"\x7fELFxxxx", ".version 8.0\n.target sm_80\n.address_size 64\nfoo"]
)
def test_code_that_is_none(image):
    with pytest.raises(driver.LogicError, match="invalid|PTX"):
        driver.module_from_buffer(image)


def test_modules_without_kernels():
    assert SourceModule("__device__ int answer = 42;").get_global("answer")[1] == 4
    SourceModule("")


@pytest.mark.parametrize("wrap", [driver.In, driver.Out, driver.InOut])
def test_device_memory_in_wrappers_of_host_arrays(array, wrap):
    function = SourceModule("__global__ void f(float *x) { x[0] = 1; }").get_function("f")
    for memory in (array, array.gpudata):
        with pytest.raises(
            TypeError, match=f"{wrap.__name__}: expected an array of NumPy, got .*pass it to the kernel itself"
        ):
            function(wrap(memory), block=(1, 1, 1))


def test_arrays_of_python_objects():
    objects = np.array([1, "two", 3.0], object)
    memory = driver.mem_alloc(64)
    for call in (
        lambda: driver.memcpy_htod(memory, objects),
        lambda: driver.memcpy_dtoh(objects, memory),
        lambda: driver.to_device(objects),
        lambda: driver.from_device(memory, 2, object),
        lambda: driver.pagelocked_empty(4, object),
        lambda: driver.managed_empty(4, np.dtype([("a", object)])),
        lambda: gpuarray.to_gpu(objects),
    ):
        with pytest.raises(TypeError, match="references to Python objects"):
            call()
    function = SourceModule("__global__ void f(float *x) {}").get_function("f")
    for wrap in (driver.In, driver.Out, driver.InOut):
        with pytest.raises(TypeError, match="references to Python objects"):
            function(wrap(objects), block=(1, 1, 1))
    assert objects.tolist() == [1, "two", 3.0]


def test_other_arguments_of_a_wrong_type():
    with pytest.raises(ValueError, match="matrix must have 2 dimensions, got 3"):
        driver.matrix_to_array(np.zeros((2, 2, 2), np.float32), "C")
    with pytest.raises(TypeError, match="the allocator's result must be device memory or an address, got NoneType"):
        gpuarray.empty(3, np.float32, allocator=lambda size: None)
    with pytest.raises(TypeError, match="data must be a GPUArray, got ndarray"):
        XORWOWRandomNumberGenerator().fill_uniform(np.zeros(3, np.float32))
    with pytest.raises(TypeError, match="to_device: bf_obj: expected host memory.*got list"):
        driver.to_device([1, 2])


def test_to_device_takes_any_type():
    for host in (
        np.arange(6.0)[::2],
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.array(["2020-01-01"], "M8[D]"),
        np.float16(3),
        np.array(["ab"]),
    ):
        there = driver.to_device(host)
        assert np.array_equal(driver.from_device(there, host.shape, host.dtype), host)
    assert bytes(driver.from_device(driver.to_device(b"abc"), 3, np.uint8)) == b"abc"
