__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}

extern "C" int add(const float *a, const float *b, float *out, int n) {
    float *device_a, *device_b, *device_out;
    size_t size = n * sizeof(float);
    cudaMalloc(&device_a, size);
    cudaMalloc(&device_b, size);
    cudaMalloc(&device_out, size);
    cudaMemcpy(device_a, a, size, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, size, cudaMemcpyHostToDevice);
    add_kernel<<<(n + 255) / 256, 256>>>(device_a, device_b, device_out, n);
    cudaMemcpy(out, device_out, size, cudaMemcpyDeviceToHost);
    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_out);
    return cudaGetLastError();
}

extern "C" const char *error_text(int code) {
    return cudaGetErrorString((cudaError_t)code);
}
