// Relocatable code: the other part.
__device__ int shared_counter = 2;

__device__ int twice(int x)
{
    return 2 * x;
}

__global__ void elsewhere(int *p)
{
    *p += 1;
}
