// # Assertions that several threads of a block fail: each prints its own, and then the grid ends, whatever is behind.
// run: kernel=several grid=1 block=64
// inout far: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// print: "k.cu:7: void several(int *): block: [0,0,0], thread: [30,0,0] Assertion `threadIdx.x % 32 < 30` failed.\nk.cu:7: void several(int *): block: [0,0,0], thread: [31,0,0] Assertion `threadIdx.x % 32 < 30` failed.\nk.cu:7: void several(int *): block: [0,0,0], thread: [62,0,0] Assertion `threadIdx.x % 32 < 30` failed.\nk.cu:7: void several(int *): block: [0,0,0], thread: [63,0,0] Assertion `threadIdx.x % 32 < 30` failed.\n"
// fault: Assert "threadIdx.x % 32 < 30"
extern "C" __global__ void several(int *far) {
    assert(threadIdx.x % 32 < 30);
    if (threadIdx.x % 32 == 31) {
        printf("late\n");
        far[1ll << 44] = 1;
    }
}
