#include "ffi.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct ffi_box { int n; };

void ffi_nothing(void) {}
int ffi_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
double ffi_fma(double a, double b, double c) { return a * b + c; }
uint64_t ffi_mix(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    return a ^ 3 * b ^ 5 * c ^ 7 * d ^ 9 * e ^ 11 * f ^ 13 * g ^ 15 * h;
}
size_t ffi_length(const char *text) { return strlen(text); }
const char *ffi_name(int index) {
    static const char *const names[] = {"cudaSuccess", "cudaErrorInvalidValue", "cudaErrorMemoryAllocation", "cudaErrorUnknown"};
    return names[index & 3];
}
int ffi_halve(int x, int *half) {
    if (x & 1) return 1;
    *half = x / 2;
    return 0;
}
void ffi_scale(float *data, int count, float by) { for (int i = 0; i < count; i++) data[i] *= by; }
ffi_box *ffi_box_new(int n) {
    ffi_box *box = malloc(sizeof *box);
    if (box) box->n = n;
    return box;
}
int ffi_box_get(ffi_box *box) { return box->n; }
void ffi_box_free(ffi_box *box) { free(box); }
ffi_pair ffi_swap(ffi_pair pair) { return (ffi_pair){pair.y, pair.x}; }
ffi_large ffi_shift(ffi_large large, int64_t by) {
    for (int i = 0; i < 5; i++) large.v[i] += by;
    return large;
}
int ffi_sum(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
int ffi_each(ffi_function function, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += function(i);
    return sum;
}
