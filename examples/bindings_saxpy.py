"""SAXPY with the functions of the CUDA driver, called as in C: outputs are passed in and filled.

    python examples/bindings_saxpy.py

It needs NumPy. NVIDIA's own cuda.bindings return all outputs instead; cuox takes both forms (docs/cuda-bindings.md).
"""

import numpy as np
from cuox.cuda.bindings.driver import (
    CUcontext,
    CUdevice,
    CUdeviceptr,
    CUfunction,
    CUmodule,
    cuCtxCreate,
    cuCtxDestroy,
    cuCtxSynchronize,
    cuDeviceGet,
    cuDeviceGetName,
    cuGetErrorName,
    cuInit,
    cuLaunchKernel,
    cuMemAlloc,
    cuMemcpyDtoH,
    cuMemcpyHtoD,
    cuMemFree,
    cuModuleGetFunction,
    cuModuleLoadData,
    cuModuleUnload,
)
from cuox.cuda.bindings.nvrtc import (
    nvrtcCompileProgram,
    nvrtcCreateProgram,
    nvrtcDestroyProgram,
    nvrtcGetErrorString,
    nvrtcGetProgramLog,
    nvrtcGetProgramLogSize,
    nvrtcGetPTX,
    nvrtcGetPTXSize,
    nvrtcProgram,
)

code = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""


def check(result: tuple) -> None:
    """Raise unless a driver call has succeeded."""
    if result[0] != 0:
        raise RuntimeError(cuGetErrorName(result[0])[1].decode())


# CUDA C++ to PTX.
prog = nvrtcProgram()
(err,) = nvrtcCreateProgram(prog, code, "saxpy.cu", 0, None, None)
assert err == 0, nvrtcGetErrorString(err)
options = ["--gpu-architecture=compute_70"]
(err,) = nvrtcCompileProgram(prog, len(options), options)
if err != 0:
    size = nvrtcGetProgramLogSize(prog)[1]
    raise SystemExit(nvrtcGetProgramLog(prog, size)[1].decode())
size = nvrtcGetPTXSize(prog)[1]
ptx = nvrtcGetPTX(prog, size)[1].decode()
nvrtcDestroyProgram(prog)

# A device, a context and the kernel.
check(cuInit(0))
device = CUdevice()
check(cuDeviceGet(device, 0))
context = CUcontext()
check(cuCtxCreate(context, 0, device))
module = CUmodule()
check(cuModuleLoadData(module, ptx.encode()))
kernel = CUfunction()
check(cuModuleGetFunction(kernel, module, "saxpy"))

# Memory on the device.
n = 1 << 16
a = np.float32(2)
x = np.arange(n, dtype=np.float32)
y = np.ones(n, dtype=np.float32)
dx, dy = CUdeviceptr(), CUdeviceptr()
check(cuMemAlloc(dx, x.nbytes))
check(cuMemAlloc(dy, y.nbytes))
check(cuMemcpyHtoD(dx, x, x.nbytes))
check(cuMemcpyHtoD(dy, y, y.nbytes))

# Launch, wait, and read the result.
args = [a, dx, dy, np.uint64(n)]
check(cuLaunchKernel(kernel, n // 256, 1, 1, 256, 1, 1, 0, None, args, None))
check(cuCtxSynchronize())
result = np.empty_like(y)
check(cuMemcpyDtoH(result, dy, result.nbytes))
assert np.array_equal(result, a * x + y)
print(f"saxpy of {n} floats on {cuDeviceGetName(100, device)[1].decode()}: correct")

check(cuMemFree(dx))
check(cuMemFree(dy))
check(cuModuleUnload(module))
check(cuCtxDestroy(context))
