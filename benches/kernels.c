/* What the kernels in kernels/ compute, as a C programmer writes it for a CPU: -O3 -march=native -fopenmp, no intrinsics. */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>

void dot_product(int n, const float *x, const float *y, float *sum)
{
    double all = 0;
    #pragma omp parallel for reduction(+ : all)
    for (int at = 0; at < n; at += 4096) {
        int end = at + 4096 < n ? at + 4096 : n;
        float s = 0;
        #pragma omp simd reduction(+ : s)
        for (int i = at; i < end; i++) s += x[i] * y[i];
        all += s;
    }
    *sum = all;
}

void scan(int n, const int *x, int *y)
{
    int sums[256];
    #pragma omp parallel num_threads(omp_get_max_threads() < 256 ? omp_get_max_threads() : 256)
    {
        int parts = omp_get_num_threads(), me = omp_get_thread_num();
        int from = (int64_t)n * me / parts, to = (int64_t)n * (me + 1) / parts, s = 0;
        for (int i = from; i < to; i++) s += x[i];
        sums[me] = s;
        #pragma omp barrier
        s = 0;
        for (int p = 0; p < me; p++) s += sums[p];
        for (int i = from; i < to; i++) {
            int v = x[i];
            y[i] = s;
            s += v;
        }
    }
}

/* Four rows by 64 columns of C at a time; n is a multiple of 64. */
void matmul(int n, const float *a, const float *b, float *c)
{
    #pragma omp parallel for
    for (int j0 = 0; j0 < n; j0 += 64)
        for (int i = 0; i < n; i += 4) {
            float s[4][64] = {0};
            for (int k = 0; k < n; k++)
                for (int r = 0; r < 4; r++)
                    for (int j = 0; j < 64; j++) s[r][j] += a[(i + r) * n + k] * b[k * n + j0 + j];
            for (int r = 0; r < 4; r++) memcpy(c + (i + r) * n + j0, s[r], sizeof s[r]);
        }
}

void convolution(int w, int h, const float *image, float *out)
{
    static const float f[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
    #pragma omp parallel for
    for (int y = 0; y < h; y++) {
        const float *a = image + (y > 0 ? y - 1 : 0) * w, *b = image + y * w, *c = image + (y < h - 1 ? y + 1 : y) * w;
        float *to = out + y * w;
        #pragma omp simd
        for (int x = 1; x < w - 1; x++)
            to[x] = f[0] * a[x - 1] + f[1] * a[x] + f[2] * a[x + 1] + f[3] * b[x - 1] + f[4] * b[x] + f[5] * b[x + 1]
                + f[6] * c[x - 1] + f[7] * c[x] + f[8] * c[x + 1];
        for (int x = 0; x < w; x += w - 1) {
            int l = x > 0 ? x - 1 : 0, r = x < w - 1 ? x + 1 : x;
            to[x] = f[0] * a[l] + f[1] * a[x] + f[2] * a[r] + f[3] * b[l] + f[4] * b[x] + f[5] * b[r]
                + f[6] * c[l] + f[7] * c[x] + f[8] * c[r];
        }
    }
}

/* Four tables a thread, so that equal neighbours do not wait for one another. */
void histogram(int n, const uint8_t *data, uint32_t *bins)
{
    #pragma omp parallel
    {
        uint32_t own[4][256] = {0};
        #pragma omp for
        for (int i = 0; i < n / 4; i++)
            for (int k = 0; k < 4; k++) own[k][data[4 * i + k]]++;
        #pragma omp single
        for (int i = n & ~3; i < n; i++) own[0][data[i]]++;
        #pragma omp critical
        for (int b = 0; b < 256; b++) bins[b] += own[0][b] + own[1][b] + own[2][b] + own[3][b];
    }
}

/* 32 pixels at a time until the last one is out: gcc makes no vectors of a loop that one pixel leaves. w is a multiple of 32. */
void julia(int w, int h, int limit, float cx, float cy, int *out)
{
    enum { P = 32 };
    #pragma omp parallel for schedule(dynamic, 8)
    for (int py = 0; py < h; py++)
        for (int px = 0; px < w; px += P) {
            float x[P], y[P];
            int count[P] = {0}, any = 1;
            for (int q = 0; q < P; q++) x[q] = 3.0f * (px + q) / w - 1.5f, y[q] = 2.0f * py / h - 1.0f;
            for (int k = 0; k < limit && any; k++) {
                any = 0;
                #pragma omp simd reduction(| : any)
                for (int q = 0; q < P; q++) {
                    /* What is out stays out: it grows to infinity or NaN, and neither is ever <= 4. */
                    int in = x[q] * x[q] + y[q] * y[q] <= 4.0f;
                    float next = x[q] * x[q] - y[q] * y[q] + cx;
                    y[q] = 2.0f * x[q] * y[q] + cy;
                    x[q] = next;
                    count[q] += in;
                    any |= in;
                }
            }
            memcpy(out + py * w + px, count, sizeof count);
        }
}

/* n is 16384 at most. */
void forces(int n, const float *body, float *acceleration)
{
    static float x[16384], y[16384], z[16384], mass[16384];
    for (int i = 0; i < n; i++) x[i] = body[4 * i], y[i] = body[4 * i + 1], z[i] = body[4 * i + 2], mass[i] = body[4 * i + 3];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float mx = x[i], my = y[i], mz = z[i], ax = 0, ay = 0, az = 0;
        #pragma omp simd reduction(+ : ax, ay, az)
        for (int j = 0; j < n; j++) {
            float dx = x[j] - mx, dy = y[j] - my, dz = z[j] - mz;
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float f = mass[j] * inverse * inverse * inverse;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        acceleration[4 * i] = ax;
        acceleration[4 * i + 1] = ay;
        acceleration[4 * i + 2] = az;
        acceleration[4 * i + 3] = 0;
    }
}

void options(int n, int paths, float spot, float rate, float volatility, const float *strike, float *price)
{
    float drift = rate - 0.5f * volatility * volatility, discount = expf(-rate);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint32_t r = (i + 1) * 2654435769u;
        float sum = 0;
        for (int p = 0; p < paths; p++) {
            r ^= r << 13, r ^= r >> 17, r ^= r << 5;
            float u = ((r >> 9) + 0.5f) * (1.0f / (1 << 23));
            r ^= r << 13, r ^= r >> 17, r ^= r << 5;
            float v = ((r >> 9) + 0.5f) * (1.0f / (1 << 23));
            float z = sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
            sum += fmaxf(spot * expf(drift + volatility * z) - strike[i], 0.0f);
        }
        price[i] = discount * sum / paths;
    }
}

/* Radix sort: four passes over 8 bits of the key. */
void block_sort(int blocks, const uint32_t *keys, uint32_t *sorted)
{
    #pragma omp parallel for
    for (int b = 0; b < blocks; b++) {
        uint32_t one[1024], two[1024], *from = one, *to = two;
        memcpy(one, keys + b * 1024, sizeof one);
        for (int shift = 0; shift < 32; shift += 8) {
            uint32_t place[257] = {0}, *last = to;
            for (int i = 0; i < 1024; i++) place[(from[i] >> shift & 255) + 1]++;
            for (int d = 0; d < 255; d++) place[d + 1] += place[d];
            for (int i = 0; i < 1024; i++) to[place[from[i] >> shift & 255]++] = from[i];
            to = from, from = last;
        }
        memcpy(sorted + b * 1024, from, sizeof one);
    }
}

void spmv(int rows, const int *start, const int *column, const float *value, const float *x, float *y)
{
    #pragma omp parallel for schedule(dynamic, 512)
    for (int row = 0; row < rows; row++) {
        float s = 0;
        #pragma omp simd reduction(+ : s)
        for (int k = start[row]; k < start[row + 1]; k++) s += value[k] * x[column[k]];
        y[row] = s;
    }
}

static void step(int w, int h, const float *source, const float *from, float *to)
{
    #pragma omp parallel for
    for (int y = 0; y < h; y++) {
        const float *f = from + y * w;
        float *t = to + y * w;
        if (y == 0 || y == h - 1) {
            memcpy(t, f, w * sizeof *t);
            continue;
        }
        t[0] = f[0], t[w - 1] = f[w - 1];
        #pragma omp simd
        for (int x = 1; x < w - 1; x++) t[x] = 0.25f * (f[x - w] + f[x + w] + f[x - 1] + f[x + 1] + source[y * w + x]);
    }
}

void jacobi(int w, int h, const float *source, const float *start, float *p, float *q)
{
    step(w, h, source, start, p);
    step(w, h, source, p, q);
    step(w, h, source, q, p);
    step(w, h, source, p, q);
}

static inline int is_letter(uint8_t c)
{
    return (uint8_t)((c | 32) - 'a') < 26;
}

void text(int n, const uint8_t *in, uint8_t *out, uint32_t *words)
{
    uint32_t all = 0;
    #pragma omp parallel for reduction(+ : all)
    for (int at = 0; at < n; at += 4096) {
        int end = at + 4096 < n ? at + 4096 : n, count = is_letter(in[at]) && (at == 0 || !is_letter(in[at - 1]));
        out[at] = is_letter(in[at]) ? in[at] & ~32 : in[at];
        #pragma omp simd reduction(+ : count)
        for (int i = at + 1; i < end; i++) {
            out[i] = is_letter(in[i]) ? in[i] & ~32 : in[i];
            count += is_letter(in[i]) & !is_letter(in[i - 1]);
        }
        all += count;
    }
    *words = all;
}

/* Tiles of 16 x 16, as wide as a cache line. */
void transposition(int w, int h, const float *in, float *out)
{
    #pragma omp parallel for
    for (int left = 0; left < w; left += 16)
        for (int top = 0; top < h; top += 16)
            for (int x = left; x < left + 16; x++)
                for (int y = top; y < top + 16; y++) out[x * h + y] = in[y * w + x];
}
