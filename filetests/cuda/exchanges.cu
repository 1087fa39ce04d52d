// # What lanes exchange without a barrier, in blocks of two dimensions, through pointers and functions, after turns that differ.
// in x: s32[256] = 11 48 85 122 159 196 233 14 51 88 125 162 199 236 17 54 91 128 165 202 239 20 57 94 131 168 205 242 23 60 97 134 171 208 245 26 63 100 137 174 211 248 29 66 103 140 177 214 251 32 69 106 143 180 217 254 35 72 109 146 183 220 1 38 75 112 149 186 223 4 41 78 115 152 189 226 7 44 81 118 155 192 229 10 47 84 121 158 195 232 13 50 87 124 161 198 235 16 53 90 127 164 201 238 19 56 93 130 167 204 241 22 59 96 133 170 207 244 25 62 99 136 173 210 247 28 65 102 139 176 213 250 31 68 105 142 179 216 253 34 71 108 145 182 219 0 37 74 111 148 185 222 3 40 77 114 151 188 225 6 43 80 117 154 191 228 9 46 83 120 157 194 231 12 49 86 123 160 197 234 15 52 89 126 163 200 237 18 55 92 129 166 203 240 21 58 95 132 169 206 243 24 61 98 135 172 209 246 27 64 101 138 175 212 249 30 67 104 141 178 215 252 33 70 107 144 181 218 255 36 73 110 147 184 221 2 39 76 113 150 187 224 5 42 79 116 153 190 227 8 45 82 119 156 193 230
// run: kernel=row grid=1 block=8,4
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 25 62 99 136 173 210 247 28 105 142 179 216 253 290 71 108 185 222 259 296 333 114 151 188 265 302 339
// expect r = 376 157 194 231 268 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=column grid=1 block=8,4
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 284 432 580 728 620 512 404 296 284 432 580 728 620 512 404 296 284 432 580 728 620 512 404 296 284 432
// expect r = 580 728 620 512 404 296 284 432 580 728 620 512 404 296 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=increased grid=1 block=8,4
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 14014 14051 14088 14125 14161 14198 14235 14016 51051 51088 51125 51161 51198 51235 51016 51053 88088
// expect r = 88125 88161 88198 88235 88016 88053 88090 125125 125161 125198 125235 125016 125053 125090 125127 0 0 0 0
// expect r = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=rows grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 48 85 122 159 196 233 14 51 88 125 162 199 236 17 54 91 128 165 202 239 20 57 94 131 168 205 242 23 60 97
// expect r = 134 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=turns grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 200 100 500 -1 -1 100 400 -1 200 100 300 300 400 100 700 600 200 100 -1 700 500 100 600 400 200 100 300
// expect r = 300 -1 100 -1 500 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=over grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 11 48 85 122 159 196 233 14 51 88 125 162 199 236 17 54 11 0 48 0 85 0
// expect r = 122 0 159 0 196 0 233 0 14 0 51 0 88 0 125 0 162 0 199 0 236 0 17 0 54 0
// run: kernel=kept grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 134 97 60 23 242 205 168 131 94 57 20 239 202 165 128 91 54 17 236 199 162 125 88 51 14 233 196 159 122
// expect r = 85 48 11 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=stored grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 11 48 85 122 159 196 233 14 51 88 125 162 199 236 17 54 91 128 165 202 239 20 57 94 131 168 205 242 23 60
// expect r = 97 134 134 97 60 23 242 205 168 131 94 57 20 239 202 165 128 91 54 17 236 199 162 125 88 51 14 233 196
// expect r = 159 122 85 48 11
// run: kernel=late grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 48 819 122 893 196 967 14 17 88 859 162 933 236 1007 54 825 128 899 202 973 20 23 94 865 168 939 242 1013
// expect r = 60 831 134 905 48 482 122 249 196 429 14 464 88 867 162 417 236 578 54 870 128 636 202 823 20 752 94 542
// expect r = 168 433 242 586 60 715 134 135
// # As recorded on an H200.
__shared__ int shared[64];
// # A row of threads is told what its last thread has; blocks of 8 by 4.
extern "C" __global__ void row(const int *x, int *r) {
    volatile int *last = shared;
    int t = threadIdx.x + 8 * threadIdx.y;
    if (threadIdx.x == 7) last[threadIdx.y] = x[t];
    r[t] = last[threadIdx.y] + x[t];
}
// # Threads of a column add up, and read the sum.
extern "C" __global__ void column(const int *x, int *r) {
    int t = threadIdx.x + blockDim.x * threadIdx.y;
    atomicAdd(&r[32 + threadIdx.x], x[t]);
    r[t] = r[32 + threadIdx.x];
}
// # Elements that several threads increase, all from the same value; of rows, and of diagonals.
extern "C" __global__ void increased(const int *x, int *r) {
    int t = threadIdx.x + 8 * threadIdx.y;
    if (t < 16) shared[t] = x[t];
    __syncthreads();
    shared[threadIdx.y] += 1;
    shared[threadIdx.x + threadIdx.y] += 2;
    r[t] = shared[threadIdx.y] * 1000 + shared[threadIdx.x + threadIdx.y];
}
// # Rows whose length is a number from memory.
extern "C" __global__ void rows(const int *x, int *r) {
    volatile int *v = shared;
    int t = threadIdx.x, pitch = x[0] - 10;
    v[t] = v[t + 32] = -1;
    __syncthreads();
    v[t * pitch] = x[t];
    r[t] = v[t * pitch + 1];
}
// # A number of turns that differs, as an index.
extern "C" __global__ void turns(const int *x, int *r) {
    volatile int *v = shared;
    int t = threadIdx.x, n = 0, left = x[t];
    v[t] = v[t + 32] = -1;
    __syncthreads();
#pragma unroll 1
    while (left & 3) {
        left = left / 2 + (left & 1) * x[n];
        n++;
    }
    n &= 31;
    v[n] = n * 100;
    r[t] = v[n + 1];
}
// # Stores of one lane over those of another: at a distance, at twice the index, and beyond the first lanes.
extern "C" __global__ void over(const int *x, int *r) {
    int t = threadIdx.x;
    shared[t] = 0;
    shared[t + 16] = x[t];
    __syncthreads();
    r[t] = shared[t];
    __syncthreads();
    shared[t] = 0;
    if (t < 16) shared[2 * t] = x[t];
    __syncthreads();
    r[32 + t] = shared[t];
}
// # Through a pointer to shared memory that is in shared memory.
extern "C" __global__ void kept(const int *x, int *r) {
    __shared__ int *pointer;
    int t = threadIdx.x;
    if (t == 0) pointer = shared + x[0] - 11;
    __syncthreads();
    int *p = pointer;
    p[t] = x[t];
    r[t] = shared[t ^ 31];
}
__device__ __noinline__ void put(int *g, int i, int v) {
    if (v > 100000) put(g, i, v / 2);
    g[i] = v;
}
// # A function that calls itself stores to global memory.
extern "C" __global__ void stored(const int *x, int *r) {
    int t = threadIdx.x;
    put(r, t, x[t]);
    r[32 + t] = r[t ^ 31];
}
// # Half of the lanes are in a loop of many turns, each with an exchange, and in one that computes for long.
extern "C" __global__ void late(const int *x, int *r) {
    int t = threadIdx.x, n = t & 1 ? 0 : 9000;
    shared[t] = x[t];
    for (int i = 0; i < n; i++) shared[t] = (shared[t ^ 2] + 1) & 1023;
    r[t] = shared[t ^ 1];
    unsigned v = x[t];
    __syncthreads();
    if (t & 1) {
        shared[t] = v;
    } else {
#pragma unroll 1
        for (int i = 0; i < 45000; i++) v = (v ^ v >> 7) * 1664525u + 1013904223u;
        shared[t] = v & 1023;
    }
    r[32 + t] = shared[t ^ 1];
}
