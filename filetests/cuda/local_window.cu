// # A generic address of local memory is the same in all threads, and each thread that uses it accesses its own memory,
// # as on an H200.
// in x: s32[64] = random(5)
// inout r: s32[256] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=same grid=1 block=64|32,2|48
// agree r
// run: kernel=passed grid=1 block=64|32,2|48
// agree r
// run: kernel=through_shared grid=1 block=64|32,2|48
// agree r
// run: kernel=chosen grid=1 block=64|32,2|48
// agree r
// run: kernel=kept grid=1 block=64|32,2|48
// agree r
// run: kernel=counted grid=1 block=64|32,2|48
// agree r
// run: kernel=spaces grid=1 block=64|32,2|48
// agree r
// run: kernel=walked grid=1 block=64|32,2|48
// agree r
// run: kernel=fields grid=1 block=32
// agree r
// run: kernel=parted grid=1 block=64|32,2|48
// agree r

__device__ __noinline__ int *elsewhere(int *p, int n) { return n > 1000 ? p + n : p; }
__device__ int number() { return threadIdx.x + threadIdx.y * blockDim.x; }

extern "C" __global__ void same(const int *x, int *r)
{
    int a[4], n = number();
    a[x[0] & 3] = n;
    unsigned long long p = (unsigned long long)(void *)a;
    r[n] = (__shfl_sync(~0u, p, 0) == p) + 2 * (a[x[0] & 3] == n);
}

extern "C" __global__ void passed(const int *x, int *r)
{
    int a[4], n = number();
    for (int i = 0; i < 4; ++i)
        a[i] = 100 * i + n;
    int *p = a + (n & 3);
    p = (int *)__shfl_sync(~0u, (unsigned long long)p, 5);
    r[n] = p[x[1] & 1] + a[x[2] & 3];
    p[1] = -n;
    r[n + 64] = a[1] + a[2];
}

extern "C" __global__ void through_shared(const int *x, int *r)
{
    __shared__ int *q;
    int a[8], n = number();
    for (int i = 0; i < 8; ++i)
        a[i] = x[i] % 100;
    if (n == 3)
        q = a + (x[3] & 3);
    __syncthreads();
    *(volatile int *)(q + 1) = 1000 + n;
    q[2] += n;
    int sum = 0;
    for (int i = 0; i < 8; ++i)
        sum = sum * 3 + a[(i + x[4]) & 7];
    r[n] = sum;
}

extern "C" __global__ void chosen(const int *x, int *r)
{
    __shared__ int s[64];
    int a[4] = {1, 2, 3, 4}, n = number();
    s[n] = 10 * n;
    int *p = x[n] % 3 == 0 ? a + (n & 1) : x[n] % 3 == 1 ? s + n : r + 128 + n;
    *p += 7;
    p[0] = p[0] * 2 + n;
    r[n] = a[0] + 10 * a[1] + s[n];
}

struct Kept {
    int *p;
    long long n;
    const int *more;
};

__device__ __noinline__ int sum(const Kept *kept)
{
    int all = 0;
    for (int i = 0; i < kept->n; ++i)
        all = all * 5 + kept->p[i] + kept->more[i];
    return all;
}

extern "C" __global__ void kept(const int *x, int *r)
{
    int a[6], n = number();
    for (int i = 0; i < 6; ++i)
        a[i] = x[(n + i) & 63] & 255;
    Kept kept[2] = {{a + (n & 1), 3, x + n % 50}, {r + 128, 2, a}};
    r[n] = sum(&kept[x[n] & 1]);
}

extern "C" __global__ void counted(const int *x, int *r)
{
    int a[4] = {0, 0, 0, 0}, n = number();
    for (int i = 0; i < 5; ++i) {
        int *p = (x[n] + i) % 4 == 3 ? r + 128 + n : elsewhere(a, i) + ((x[n] + i) & 3);
        atomicAdd(p, i + 1);
        atomicMax(p, n & 7);
    }
    r[n] = a[0] + 100 * a[1] + 10000 * a[2];
}

extern "C" __global__ void spaces(const int *x, int *r)
{
    __shared__ int s[64];
    int a[4], n = number();
    a[n & 3] = s[n & 63] = x[n & 63];
    const void *all[4] = {a, s, r, x};
    int bits = 0;
    for (int i = 0; i < 4; ++i) {
        const void *p = all[(i + n) & 3];
        bits = bits << 4 | __isLocal(p) << 3 | __isShared(p) << 2 | __isGlobal(p) << 1 | __isConstant(p);
    }
    r[n] = bits;
    int *back = (int *)__cvta_local_to_generic(__cvta_generic_to_local(a));
    r[n + 64] = back[n & 3] - x[n & 63];
}

extern "C" __global__ void walked(const int *x, int *r)
{
    char text[32];
    int n = number();
    char *p = text, *end = text + 8 + (x[n & 63] & 15);
    while (p != end) {
        *p = 'a' + (p - text + n) % 26;
        ++p;
    }
    int sum = 0;
    for (const char *q = end; q-- != text;)
        sum = sum * 31 + *q;
    r[n] = sum;
}

struct alignas(16) Four {
    int a, b, c, d;
};

extern "C" __global__ void fields(const int *x, int *r)
{
    Four f[3];
    int n = number();
    for (int i = 0; i < 3; ++i)
        f[i] = {x[i] & 7, n, i, x[(n + i) & 63]};
    Four *p = &f[x[n] & 1], *q = n & 8 ? p + 1 : (Four *)(r + 128) + n % 16;
    *q = *p;
    q->c += p->b;
    r[n] = f[0].a + f[1].b * 3 + f[1].c * 5 + f[2].d;
}

extern "C" __global__ void parted(const int *x, int *r)
{
    int a[4] = {5, 6, 7, 8}, b[4] = {1, 2, 3, 4}, n = number();
    int *p = a;
    for (int i = 0; i < (x[n] & 7); ++i) {
        if ((x[n] >> i & 3) == 1)
            p = b + (i & 1);
        else if ((x[n] >> i & 3) == 2)
            p = r + 128 + (n & 1) * 64 + (n & 62);
        p[i & 1] += i * n;
    }
    r[n] = a[0] + a[1] * 3 + b[0] * 5 + b[1] * 7 + b[2] * 11;
}
