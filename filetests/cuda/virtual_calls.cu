// # Virtual functions and tables of function pointers, which the JIT runs too.
// run: kernel=shapes grid=2 block=48|16,3
// out r: s32[96]
// expect r = 1 2 7 13 26 19 43 68 31 91 128 43 157 206 55 241 302 67 343 416
// expect r = 79 463 548 91 601 698 103 757 866 115 931 1052 127 1123 1256 139 1333 1478 151 1561
// expect r = 1718 163 1807 1976 175 2071 2252 187 2353 2546 199 2653 2858 211 2971 3188 223 3307 3536 235
// expect r = 3661 3902 247 4033 4286 259 4423 4688 271 4831 5108 283 5257 5546 295 5701 6002 307 6163 6476
// expect r = 319 6643 6968 331 7141 7478 343 7657 8006 355 8191 8552 367 8743 9116 379
// run: kernel=table grid=2 block=48|16,3
// out r: s32[96]
// expect r = 0 7 18 33 52 75 102 133 168 207 250 297 348 403 462 525 592 663 738 817
// expect r = 900 987 1078 1173 1272 1375 1482 1593 1708 1827 1950 2077 2208 2343 2482 2625 2772 2923 3078 3237
// expect r = 3400 3567 3738 3913 4092 4275 4462 4653 4848 5047 5250 5457 5668 5883 6102 6325 6552 6783 7018 7257
// expect r = 7500 7747 7998 8253 8512 8775 9042 9313 9588 9867 10150 10437 10728 11023 11322 11625 11932 12243 12558 12877
// expect r = 13200 13527 13858 14193 14532 14875 15222 15573 15928 16287 16650 17017 17388 17763 18142 18525

struct Shape {
    int x;
    __device__ Shape(int x) : x(x) {}
    __device__ virtual int size(int more) const = 0;
};
struct Next : Shape { using Shape::Shape; __device__ int size(int more) const override { return x + more; } };
struct Square : Shape { using Shape::Shape; __device__ int size(int) const override { return x * x; } };
struct Line : Shape { using Shape::Shape; __device__ int size(int more) const override { return 3 * x - 2 * more; } };

__device__ __noinline__ int sum(const Shape *const *all, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += all[i]->size(1);
    return s;
}

extern "C" __global__ void shapes(int *r) {
    int t = threadIdx.y * blockDim.x + threadIdx.x + blockIdx.x * blockDim.x * blockDim.y;
    Next a(t);
    Square b(t);
    Line c(t);
    const Shape *all[3] = {&a, &b, &c}, *two[2] = {all[t % 3], all[(t + 1) % 3]};
    r[t] = sum(two, 2);
}

using Function = int (*)(int);
__device__ int plus(int x) { return x + 1; }
__device__ int square(int x) { return x * x; }
__device__ int line(int x) { return 3 * x - 2; }
__device__ Function functions[] = {plus, square, line};

extern "C" __global__ void table(int *r) {
    int t = threadIdx.y * blockDim.x + threadIdx.x + blockIdx.x * blockDim.x * blockDim.y, s = 0;
    for (int k = 0; k < 5; k++) s += functions[k % 3](t);
    r[t] = s;
}
