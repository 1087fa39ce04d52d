// # Large blocks of which few warps run a masked region: the first, the last, some in the middle, lanes that leave a
// # loop at different turns, loops that others join later, warp operations, rows, and branches that nest.
// in x: s32[2048] = random(7)
// out r: s32[2048]
// inout wrong: s32[1] = 0
// run: kernel=one_warp grid=2 block=1024|32,32|16,64|640|288
// agree r
// agree wrong
// run: kernel=some_warps grid=2 block=1024|32,32|16,64|640|288
// agree r
// agree wrong
// run: kernel=turns grid=2 block=1024|32,32|16,64|640|1000|30,33
// agree r
// agree wrong
// run: kernel=joined_later grid=2 block=1024|32,32|64,16|640|1000
// agree r
// agree wrong
// run: kernel=warp_operations grid=2 block=1024|32,32|64,16|640|288
// agree r
// agree wrong
// run: kernel=nested grid=2 block=1024|32,32|24,40|640|1000
// agree r
// agree wrong
// run: kernel=one_thread grid=2 block=1024|32,32|24,40|1000
// agree r
// agree wrong
// run: kernel=checked grid=1 block=1024|32,32|640
// agree r
// expect wrong = 0
__device__ int number() { return threadIdx.x + threadIdx.y * blockDim.x; }
__device__ int size() { return blockDim.x * blockDim.y; }

extern "C" __global__ void one_warp(const int *x, int *r, int *)
{
    __shared__ int s[1024];
    const int n = number(), at = blockIdx.x * 1024 + n;
    s[n] = x[at] & 0xffff;
    __syncthreads();
    // Each warp once, the last one first.
    for (int w = size() / 32 - 1; w >= 0; w -= 3) {
        if (n / 32 == w) {
            int sum = 0;
            for (int i = 0; i < 40; ++i)
                sum = sum * 3 + s[(n + i * 33) % size()];
            s[n] = sum;
        }
        __syncthreads();
    }
    r[at] = s[n];
}

extern "C" __global__ void some_warps(const int *x, int *r, int *)
{
    const int n = number(), at = blockIdx.x * 1024 + n, w = n / 32;
    int v = x[at];
    if (w % 5 == 2 || n % 97 == 3) {
        for (int i = 0; i < 20; ++i)
            v = v * 5 + (x[(at + i) % 2048] ^ i);
        r[at] = v;
    } else if (w > 3 && w < 6) {
        for (int i = 0; i < 10; ++i)
            v += x[(at * 7 + i) % 2048] >> 3;
        r[at] = v + 1;
    } else {
        r[at] = n;
    }
}

extern "C" __global__ void turns(const int *x, int *r, int *)
{
    const int n = number(), at = blockIdx.x * 1024 + n;
    int v = x[at], turns = 0;
    volatile int *out = r + at;
    if (n / 32 >= 2 && n / 32 < 9) {
        for (int left = (v & 31) + (n / 32); left > 0; left -= 1 + (v & 1)) {
            v = v * 1103515245 + 12345;
            *out = v;
            ++turns;
        }
    }
    *out = v ^ turns;
}

extern "C" __global__ void joined_later(const int *x, int *r, int *)
{
    const int n = number(), at = blockIdx.x * 1024 + n, w = n / 32;
    int v = x[at] & 1023, state = w == 1 ? 1 : w == 7 ? 2 : w % 4 == 3 ? 3 : 0;
    for (int i = 0; i < 30 && state; ++i) {
        r[at] = v;
        if (state == 1) {
            v += 3 + x[(v + i) & 2047] % 11;
            if (v % 7 == 0)
                state = 2;
        } else if (state == 2) {
            v ^= i * 5 + n;
            if ((v & 12) == 4)
                state = 3;
        } else if (v % 13 == 5) {
            state = v & 1;
        } else {
            v += n + 1;
        }
    }
    r[at] = v * 4 + state;
}

extern "C" __global__ void warp_operations(const int *x, int *r, int *)
{
    const int n = number(), at = blockIdx.x * 1024 + n, w = n / 32;
    int v = x[at];
    r[at] = v;
    if (w == 0 || w == 5 || w == size() / 32 - 1) {
        for (int by = 16; by; by /= 2)
            v += __shfl_xor_sync(~0u, v, by);
        v += __shfl_down_sync(~0u, v ^ n, 3) + __shfl_sync(~0u, v, n % 7) + __ballot_sync(~0u, v & n & 1);
        for (int i = 0; i < w + 2; ++i) {
            if (__any_sync(~0u, (v >> i & 3) == 1))
                v = __shfl_up_sync(~0u, v, 1) * 3 + i;
            if (__all_sync(~0u, v != i))
                v -= __popc(__match_any_sync(~0u, v & 3));
        }
        r[at] = v;
    }
}

extern "C" __global__ void nested(const int *x, int *r, int *)
{
    __shared__ float s[1024];
    const int n = number(), at = blockIdx.x * 1024 + n;
    s[n] = x[at] % 1000;
    __syncthreads();
    float v = s[n];
    if (n < size() / 2) {
        v += s[n + size() / 2];
        if (n < 70) {
            for (int i = 0; i < 9; ++i) {
                v = v * 0.5f + s[(n * 3 + i) % size()];
                if (n >= 32 && n < 64 && v > 100)
                    for (int k = 0; k < (n & 7); ++k)
                        v -= s[(i + k * n) % size()] * 0.25f;
            }
        } else if (n >= 200) {
            v += 1;
        }
    }
    r[at] = __float_as_int(v);
}

extern "C" __global__ void one_thread(const int *x, int *r, int *)
{
    const int n = number(), at = blockIdx.x * 1024 + n;
    r[at] = n;
    __syncthreads();
    if (n == size() - 1) {
        int sum = 0;
        for (int i = 0; i < size(); ++i) {
            sum = sum * 31 + x[blockIdx.x * 1024 + i];
            r[blockIdx.x * 1024 + i] = sum;
        }
    }
    __syncthreads();
    r[at] += n;
}

// # Sums of a triangle, whose values are known.
extern "C" __global__ void checked(const int *, int *, int *wrong)
{
    __shared__ int s[1024];
    const int n = number();
    s[n] = n;
    __syncthreads();
    for (int half = size() / 2; half > 0; half /= 2) {
        const int odd = n < half && half * 2 < size() && n == 0 && size() % 2;
        if (n < half)
            s[n] += s[n + half] + odd;
        __syncthreads();
    }
    int sum = 0;
    for (int w = 0; w < size() / 32; ++w)
        if (n / 32 == w)
            for (int i = 0; i <= n; ++i)
                sum += i;
    if (sum != n * (n + 1) / 2)
        atomicAdd(wrong, 1);
    if (n == 0 && (size() & (size() - 1)) == 0 && s[0] != size() * (size() - 1) / 2)
        atomicAdd(wrong, 1000000);
}
