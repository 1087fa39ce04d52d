"""A module that `cuox bind driver.i -l cudart -o driver.py` has written: memory of the CUDA runtime, in a kernel of
cuox's.
"""

import cuox
import driver
import numpy as np

device = cuox.Device()
device.set_current()
print(driver.cudaGetDeviceProperties(0).name)

numbers = np.arange(256, dtype=np.float32)
ptr = driver.cudaMalloc(numbers.nbytes)
driver.cudaMemcpy(ptr, numbers, numbers.nbytes, driver.cudaMemcpyHostToDevice)

source = 'extern "C" __global__ void twice(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }'
twice = cuox.Program(source, "c++").compile("ptx").get_kernel("twice")
stream = device.create_stream()
cuox.launch(stream, cuox.LaunchConfig(grid=2, block=128), twice, ptr, np.int32(numbers.size))
stream.sync()

result = np.empty_like(numbers)
driver.cudaMemcpy(result, ptr, result.nbytes, driver.cudaMemcpyDeviceToHost)
assert (result == 2 * numbers).all()

# For CuPy: cupy.asarray(view). For PyTorch: torch.as_tensor(view, device="cuda"). Nothing is copied.
view = ptr.as_device_array(numbers.size, np.float32)
assert (cuox.as_array(view).to_host() == result).all()

try:
    driver.cudaMalloc(1 << 60)
except cuox.CallError as error:
    print(error)

driver.cudaFree(ptr)
print("the numbers are correct")
