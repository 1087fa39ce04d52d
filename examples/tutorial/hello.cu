#include <stdio.h>

__global__ void hello_kernel() {
    printf("Hello from the GPU, thread %d\n", threadIdx.x);
}

int main() {
    printf("Hello from the CPU\n");
    hello_kernel<<<1, 2>>>();
    cudaDeviceSynchronize();
    return 0;
}
