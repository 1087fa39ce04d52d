// # Kernels that launch kernels: order, structures, dynamic shared memory, recursion, divergent launches.
// run: kernel=order grid=2 block=32|7
// inout r: s32[4] = 0 0 0 0
// expect r = 423 423 0 0
// run: kernel=shapes grid=1 block=1
// inout r: s32[8] = 0 0 0 0 0 0 0 0
// expect r = 1034 1134 1234 1334 1434 1534 0 0
// run: kernel=tree grid=1 block=2
// inout r: s32[8] = 0 0 0 0 0 0 0 0
// arg depth: s32 = 0
// expect r = 2 8 32 128 0 0 0 0
// run: kernel=some grid=1 block=64|40|8,8
// inout r: s32[8] = 0 0 0 0 0 0 0 0
// agree r
__global__ void times(int *r, int a, int b) { *r = *r * a + b; }
extern "C" __global__ void order(int *r) {
    if (threadIdx.x != 0) return;
    for (int i = 1; i <= 5; i++) times<<<1, 1>>>(r + blockIdx.x, 3, i);
    times<<<1, 1>>>(r + blockIdx.x, 2, 65);
}
struct Box { int *r; short add[3]; char tag; };
__global__ void child(char c, Box box, double d) {
    extern __shared__ int numbers[];
    int thread = threadIdx.x + blockDim.x * threadIdx.y;
    numbers[thread] = thread;
    __syncthreads();
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z), sum = 0;
    if (thread > 0) return;
    for (int i = 0; i < blockDim.x * blockDim.y; i++) sum += numbers[i];
    box.r[block] = sum + box.add[2] + (int)d + 100 * block + (c == 'c') + (box.tag == 't');
}
extern "C" __global__ void shapes(int *r) {
    Box box = {r, {1, 2, 3}, 't'};
    child<<<dim3(1, 2, 3), dim3(4, 2), 8 * sizeof(int)>>>('c', box, 1001.5);
}
extern "C" __global__ void tree(int *r, int depth) {
    atomicAdd(r + depth, 1);
    if (depth < 3) tree<<<2, 2>>>(r, depth + 1);
}
__global__ void add(int *r, int n) { atomicAdd(r, n); }
extern "C" __global__ void some(int *r) {
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    if (i % 3 == 0) add<<<1, i % 5 + 1>>>(r + i % 8, i);
}
