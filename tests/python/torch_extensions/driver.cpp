#include <cuda_runtime.h>
#include <torch/extension.h>

int64_t copy_twice(torch::Tensor to, torch::Tensor from)
{
    void *between = nullptr;
    size_t bytes = from.nbytes();
    if (cudaMalloc(&between, bytes) != cudaSuccess)
        return -1;
    cudaMemcpy(between, from.data_ptr(), bytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(to.data_ptr(), between, bytes, cudaMemcpyDeviceToDevice);
    return cudaFree(between);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("copy_twice", &copy_twice);
}
