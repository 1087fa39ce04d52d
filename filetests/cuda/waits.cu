// # Lanes that wait for another one of their warp in ways that do not look like it.
// run: kernel=fenced grid=1 block=32
// inout s: s32[4] = 0 1 2 0
// arg n: s32 = 300
// expect s = 301 1 2 32
// run: kernel=stored grid=1 block=32
// inout s: s32[4] = 0 1 2 0
// arg n: s32 = 300
// expect s = 301 1 2 32
// run: kernel=masked grid=1 block=32
// inout s: s32[2] = 0 0
// expect s = 0 32
extern "C" __global__ void fenced(int *s, int n) {
    if (threadIdx.x == 0) {
        int x = 0;
        for (int i = 0; i < n; i++) x += x % 3 == 4 ? s[2] : ((volatile int *)s)[1];
        __threadfence();
        s[0] = x + 1;
    } else {
        while (s[0] == 0) __threadfence();
    }
    atomicAdd(&s[3], 1);
}
extern "C" __global__ void stored(int *s, int n) {
    __shared__ int seen[32];
    if (threadIdx.x == 0) {
        int x = 0;
        for (int i = 0; i < n; i++) x += x % 3 == 4 ? s[2] : ((volatile int *)s)[1];
        atomicAdd(&s[0], x + 1);
    } else {
        while (atomicOr(&s[0], 0) == 0) ((volatile int *)seen)[threadIdx.x]++;
    }
    atomicAdd(&s[3], 1);
}
extern "C" __global__ void masked(int *s) {
    for (bool done = false; !done;) {
        unsigned together = __activemask();
        if (together && atomicCAS(&s[0], 0, 1) == 0) {
            ((volatile int *)s)[1]++;
            __threadfence();
            atomicExch(&s[0], 0);
            done = true;
        }
    }
}
