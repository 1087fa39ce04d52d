/* A C library that does next to nothing, so that what is measured is the way to it. */
#ifndef FFI_H
#define FFI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
void ffi_nothing(void);
int ffi_add(int a, int b);
double ffi_fma(double a, double b, double c);
uint64_t ffi_mix(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h);
size_t ffi_length(const char *text);
const char *ffi_name(int index);
/* Half of x; 1 if it is odd. */
int ffi_halve(int x, int *half);
void ffi_scale(float *data, int count, float by);
typedef struct ffi_box ffi_box;
ffi_box *ffi_box_new(int n);
int ffi_box_get(ffi_box *box);
void ffi_box_free(ffi_box *box);
typedef struct { int x, y; } ffi_pair;
ffi_pair ffi_swap(ffi_pair pair);
typedef struct { int64_t v[5]; } ffi_large;
ffi_large ffi_shift(ffi_large large, int64_t by);
int ffi_sum(int count, ...);
typedef int (*ffi_function)(int);
int ffi_each(ffi_function function, int count);
#ifdef __cplusplus
}
#endif
#endif
