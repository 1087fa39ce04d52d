// # Recursive work unrolled by hand: sorting, queens, switch, long divergence.
// run: kernel=queens grid=1 block=64|33|8,8
// out r: u32[8]
// expect r = 4 8 16 18 18 16 8 4
// run: kernel=sort grid=1 block=64|33|8,8
// in x: s32[512] = random(5)
// out s: s32[512]
// agree s
// run: kernel=machine grid=1 block=64|33|8,8
// out r: u32[64]
// agree r
__device__ int linear() { return threadIdx.y * blockDim.x + threadIdx.x; }
// # Solutions of the eight queens with the first queen in column i: 4 8 16 18 18 16 8 4.
extern "C" __global__ void queens(unsigned *r) {
    int i = linear();
    if (i >= 8) return;
    unsigned cols[8], left[8], right[8], todo[8], count = 0;
    int d = 1;
    cols[1] = 1u << i; left[1] = 2u << i; right[1] = (1u << i) >> 1;
    todo[1] = 255 & ~(cols[1] | left[1] | right[1]);
    while (d > 0) {
        if (!todo[d]) { d--; continue; }
        unsigned bit = todo[d] & -todo[d];
        todo[d] ^= bit;
        if (d == 7) { count++; continue; }
        cols[d + 1] = cols[d] | bit;
        left[d + 1] = (left[d] | bit) << 1;
        right[d + 1] = (right[d] | bit) >> 1;
        d++;
        todo[d] = 255 & ~(cols[d] | left[d] | right[d]);
    }
    r[i] = count;
}
extern "C" __global__ void sort(const int *x, int *s) {
    int i = linear();
    if (i >= 64) return;
    int v[8];
    for (int k = 0; k < 8; k++) v[k] = x[i * 8 + k];
    for (int a = 1; a < 8; a++) {
        int key = v[a], b = a - 1;
        while (b >= 0 && v[b] > key) { v[b + 1] = v[b]; b--; }
        v[b + 1] = key;
    }
    for (int k = 0; k < 8; k++) s[i * 8 + k] = v[k];
}
extern "C" __global__ void machine(unsigned *r) {
    int i = linear();
    if (i >= 64) return;
    unsigned acc = i, pc = i % 7, steps = 0;
    while (steps++ < 200) {
        switch (pc) {
        case 0: acc = acc * 1664525u + 1013904223u; pc = acc >> 29; break;
        case 1: acc ^= acc >> 7; pc = 3; break;
        case 2: acc += steps; pc = (acc & 1) ? 4 : 5; break;
        case 3: acc = (acc << 3) | (acc >> 29); pc = acc % 8; break;
        case 4: acc -= i; pc = 0; break;
        case 5: acc = ~acc; pc = steps & 7; break;
        case 6: if (acc & 64) goto out; pc = 1; break;
        default: acc += 12345; pc = 2;
        }
    }
out:
    r[i] = acc + steps;
}
