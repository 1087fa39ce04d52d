// # Device printf and assert as the compiler lowers them.
// run: kernel=talk grid=2 block=33|7,5
// print: "block 0: 5 of 33 is 2.50 and text, 1234567890123\n"
// run: kernel=check grid=1 block=33|7,5
// print: "k.cu:14: void check(): block: [0,0,0], thread: [0,0,0] Assertion `blockDim.x > limit` failed.\n"
// fault: Assert "blockDim.x > limit"
extern "C" __global__ void talk() {
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0 && i == 5)
        printf("block %d: %d of %d is %.2f and %s, %lld\n", blockIdx.x, i, 33, i / 2.0, "text", 1234567890123ll);
}
extern "C" __global__ void check() {
    const int limit = 40;
    if (threadIdx.x + threadIdx.y == 0) assert(blockDim.x > limit);
}
