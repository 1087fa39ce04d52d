"""Names that CUDA's packages for Python had some years ago, as most published programs have them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable

import cuox
import numpy as np
import pytest

# cuda-python 11 and 12.

SCALE = 'extern "C" __global__ void scale(float *p, float by, int n) { int i = threadIdx.x; if (i < n) p[i] *= by; }'


def test_the_bindings_former_names() -> None:
    from cuox.cuda import cuda, cudart, nvrtc
    from cuox.cuda.bindings import driver, runtime
    from cuox.cuda.bindings import nvrtc as new
    from cuox.cuda.cuda import CUresult

    assert (cuda, cudart, nvrtc) == (driver, runtime, new)
    assert CUresult is driver.CUresult


def test_a_program_of_cuda_python_12() -> None:
    from cuox.cuda import cuda, cudart, nvrtc

    assert cuda.cuInit(0) == (cuda.CUresult.CUDA_SUCCESS,)
    error, device = cuda.cuDeviceGet(0)
    assert error == cuda.CUresult.CUDA_SUCCESS
    # The arguments of CUDA 12: without those for execution affinity.
    error, context = cuda.cuCtxCreate(0, device)
    assert error == cuda.CUresult.CUDA_SUCCESS
    try:
        error, program = nvrtc.nvrtcCreateProgram(SCALE.encode(), b"scale.cu", 0, [], [])
        assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS
        (error,) = nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_75"])
        assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS
        _, size = nvrtc.nvrtcGetPTXSize(program)
        ptx = b" " * size
        (error,) = nvrtc.nvrtcGetPTX(program, ptx)
        error, module = cuda.cuModuleLoadData(np.char.array(ptx).ctypes.data)
        assert error == cuda.CUresult.CUDA_SUCCESS
        error, kernel = cuda.cuModuleGetFunction(module, b"scale")
        host = np.arange(5, dtype=np.float32)
        _, memory = cuda.cuMemAlloc(host.nbytes)
        _, stream = cuda.cuStreamCreate(0)
        cuda.cuMemcpyHtoDAsync(memory, host.ctypes.data, host.nbytes, stream)
        values = [np.array([int(memory)], np.uint64), np.array([3], np.float32), np.array([5], np.uint32)]
        addresses = np.array([value.ctypes.data for value in values], np.uint64)
        (error,) = cuda.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, addresses.ctypes.data, 0)
        assert error == cuda.CUresult.CUDA_SUCCESS
        cuda.cuMemcpyDtoHAsync(host.ctypes.data, memory, host.nbytes, stream)
        assert cudart.cudaStreamSynchronize(stream) == (cudart.cudaError_t.cudaSuccess,)
        np.testing.assert_array_equal(host, [0, 3, 6, 9, 12])
        cuda.cuMemFree(memory)
        cuda.cuStreamDestroy(stream)
        cuda.cuModuleUnload(module)
    finally:
        cuda.cuCtxDestroy(context)


def test_cuda_core_experimental() -> None:
    from cuox.cuda import core
    from cuox.cuda.core import experimental
    from cuox.cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

    assert Device is core.Device and set(experimental.__all__) <= set(core.__all__)
    device = Device()
    device.set_current()
    kernel = Program(SCALE, "c++", options=ProgramOptions(std="c++17")).compile("cubin" if False else "ptx")
    array = cuox.to_device(np.ones(4, np.float32))
    launch(device.default_stream, LaunchConfig(grid=1, block=4), kernel.get_kernel("scale"), array, 2.0, 4)
    np.testing.assert_array_equal(array.to_host(), [2, 2, 2, 2])


# PyCUDA.


def test_memory_is_freed_by_a_function() -> None:
    import cuox.pycuda.autoinit  # noqa: F401
    import cuox.pycuda.driver as drv

    memory = drv.mem_alloc(16)
    drv.mem_free(memory)
    with pytest.raises(drv.LogicError):
        memory.free()
    from cuox.cuda.bindings import driver

    _, other = driver.cuMemAlloc(16)
    drv.mem_free(int(other))
    with pytest.raises(drv.LogicError, match="mem_free: CUDA_ERROR_INVALID_VALUE"):
        drv.mem_free(int(other))


def test_pycudas_module_in_cpp() -> None:
    import cuox.pycuda._driver as extension
    import cuox.pycuda.autoinit  # noqa: F401
    import cuox.pycuda.driver as drv

    with pytest.raises(extension.MemoryError):
        drv.mem_alloc(1 << 60)
    assert extension.Function is drv.Function and extension.device_attribute is drv.device_attribute
    with pytest.raises(AttributeError, match=r"'cuox.pycuda._driver' has no attribute 'nothing'"):
        extension.nothing


# Numba before 0.60.


def test_modules_that_numba_had() -> None:
    from cuox.numba import cuda
    from cuox.numba.cuda.api import device_array, to_device
    from cuox.numba.cuda.cudadrv import enums, nvvm
    from cuox.numba.cuda.cudadrv.devicearray import DeviceNDArray
    from cuox.numba.cuda.cudadrv.driver import CudaAPIError, CudaDriverError
    from cuox.numba.cuda.cudadrv.error import CudaSupportError, NvvmSupportError
    from cuox.numba.cuda.decorators import jit
    from cuox.numba.cuda.dispatcher import CUDADispatcher, Dispatcher
    from cuox.numba.cuda.kernels.reduction import Reduce

    assert to_device is cuda.to_device and device_array is cuda.device_array and jit is cuda.jit
    assert cuda.compiler.Dispatcher is Dispatcher is CUDADispatcher and Reduce is cuda.Reduce
    assert isinstance(cuda.to_device(np.ones(2)), DeviceNDArray)
    assert issubclass(CudaAPIError, CudaDriverError) and issubclass(NvvmSupportError, ImportError)
    assert cuda.cudadrv.error.CudaSupportError is CudaSupportError
    assert enums.CUDA_ERROR_NOT_READY == 600 and enums.CU_DEVICE_ATTRIBUTE_WARP_SIZE == 10
    assert nvvm.is_available() and (9, 0) in nvvm.get_supported_ccs()
    with pytest.raises(AttributeError, match="no attribute 'CU_NOTHING'"):
        enums.CU_NOTHING


def test_libraries_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    from cuox.numba.cuda.cudadrv import libs

    assert libs.test()
    assert f"Finding nvrtc: {libs.get_cudalib('nvrtc')}\n" in capsys.readouterr().out


def test_signatures_by_keywords() -> None:
    from cuox.numba import cuda, float32, int32

    @cuda.jit(argtypes=[float32[:], float32])
    def add(array, number):
        i = cuda.grid(1)
        if i < array.size:
            array[i] += number

    @cuda.jit(restype=int32, argtypes=[int32], device=True, inline=True)
    def double(x):
        return x * 2

    @cuda.autojit
    def doubles(array):
        array[cuda.threadIdx.x] = double(cuda.threadIdx.x)

    array, numbers = cuda.to_device(np.zeros(3, np.float32)), cuda.to_device(np.zeros(3, np.int32))
    add[1, 32](array, 2)
    doubles[1, 3](numbers)
    np.testing.assert_array_equal(array.copy_to_host(), [2, 2, 2])
    np.testing.assert_array_equal(numbers.copy_to_host(), [0, 2, 4])
    with pytest.raises(TypeError, match="no option argtype"):
        cuda.jit(argtype=[float32])


# NumPy 1.26.

NUMPY_1 = """
import sys
import numpy as np
original = np.array
def array(*args, copy=True, **kwargs):
    if copy is None and sys._getframe(1).f_globals["__name__"].startswith("cuox"):
        raise ValueError("NoneType copy mode not allowed.")
    return original(*args, copy=copy, **kwargs)
np.array = array
if hasattr(np.lib, "array_utils"):
    del np.lib.array_utils

from cuox.numba import cuda
print(cuda.to_device([1, 2]).copy_to_host().tolist())
import cuox.pycuda.autoinit
import cuox.pycuda.gpuarray as gpuarray
from cuox.pycuda.reduction import ReductionKernel
ones = gpuarray.to_gpu(np.ones((2, 3), np.float32))
total = ReductionKernel(np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]", arguments="float *x")
print(ones.sum(axis=-1).get().tolist(), total(ones, axis=(1,)).get().tolist())
for axes, kind in (((0, -2), ValueError), (2, IndexError), ("0", TypeError)):
    try:
        ones.sum(axis=axes)
    except kind as error:
        print(type(error).__name__)
"""


def test_names_that_numpy_1_lacks(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = run_script(NUMPY_1)
    assert done.stdout == "[1, 2]\n[3.0, 3.0] [3.0, 3.0]\nValueError\nAxisError\nTypeError\n", done.stderr


# The stand-ins.

FINDS = """
import importlib.util
from {package} import install
install()
for name in {absent!r}:
    assert importlib.util.find_spec(name) is None, name
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        assert error.name == name and str(error).startswith(f"No module named '{{name}}'"), error
for name in {there!r}:
    assert importlib.util.find_spec(name) is not None, name
    __import__(name)
"""


@pytest.mark.parametrize(
    ("package", "there", "absent"),
    [
        ("cuox.pycuda", ["pycuda.driver", "pycuda._driver"], ["pycuda.nothing", "pycuda._driver.none"]),
        (
            "cuox.numba",
            ["numba.cuda.api", "numba.cuda.cudadrv.enums"],
            ["numba.cuda.nothing", "numba.cuda.cudadrv.none"],
        ),
        (
            "cuox.cuda",
            ["cuda.cuda", "cuda.cudart", "cuda.nvrtc", "cuda.core.experimental"],
            ["cuda.bindings.nothing", "cuda.core.experimental.none"],
        ),
    ],
)
def test_a_module_that_is_not_there_is_not_found(
    package: str,
    there: list[str],
    absent: list[str],
    run_script: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = run_script(FINDS.format(package=package, there=there, absent=absent))
    assert done.returncode == 0, done.stderr


def test_spec_of_a_former_name_without_an_installation() -> None:
    assert importlib.util.find_spec("cuox.cuda.cudart") is not None
    assert importlib.util.find_spec("cuox.cuda.ccuda") is None
    assert "cuox.cuda.ccuda" not in sys.modules
