/* What test_call.py calls. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nothing(void) {}
int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
double fma3(double a, double b, double c) { return a * b + c; }
float half(float x) { return x / 2; }
long double twice(long double x) { return x * 2; }
bool negate(bool b) { return !b; }
char next_char(char c) { return (char)(c + 1); }
int8_t id_i8(int8_t x) { return x; }
uint8_t id_u8(uint8_t x) { return x; }
int16_t id_i16(int16_t x) { return x; }
uint16_t id_u16(uint16_t x) { return x; }
int32_t id_i32(int32_t x) { return x; }
uint32_t id_u32(uint32_t x) { return x; }
int64_t id_i64(int64_t x) { return x; }
uint64_t id_u64(uint64_t x) { return x; }
__int128 id_i128(__int128 x) { return x; }
unsigned __int128 id_u128(unsigned __int128 x) { return x; }
void *id_pointer(void *p) { return p; }

size_t length(const char *s) { return s ? strlen(s) : (size_t)-1; }
const char *name_of(int i) {
    static const char *const names[] = {"zero", "one", "two", "gr\xc3\xbc\xc3\x9f", "\xff"};
    return i >= 0 && i < 5 ? names[i] : NULL;
}
char *copy_of(const char *s) { return strdup(s); }
static int freed_count;
void free_text(char *s) { freed_count++; free(s); }
int freed(void) { return freed_count; }

double sum_f64(const double *p, int n) { double s = 0; while (n-- > 0) s += *p++; return s; }
long sum_i32(const int32_t *p, size_t n) { long s = 0; while (n-- > 0) s += *p++; return s; }
unsigned sum_bytes(const void *p, size_t n) { unsigned s = 0; const unsigned char *b = p; while (n-- > 0) s += *b++; return s; }
void scale(float *p, int n, float by) { for (int i = 0; i < n; i++) p[i] *= by; }
size_t total_length(const char *const *texts, size_t n) { size_t s = 0; while (n-- > 0) s += strlen(*texts++); return s; }

int try_halve(int x, int *out) { if (x & 1) return 7; *out = x / 2; return 0; }
int divide(int a, int b, int *quotient, int *rest) {
    if (!b) return -1;
    *quotient = a / b; *rest = a % b; return 0;
}
void bump(int *x, double *y) { *x += 1; *y *= 2; }
int fill(char *buffer, size_t size) { return snprintf(buffer, size, "%s", "hello, world"); }
int produce(unsigned char *buffer, size_t *size) {
    for (size_t i = 0; i < *size; i++) buffer[i] = (unsigned char)i;
    if (*size > 5) *size = 5;
    return 0;
}
int one_too_many(int *out) { for (int i = 0; i < 16; i++) out[i] = i + 1; return 0; }
int with_mode(int mode, int x) { return mode * 1000 + x; }

typedef struct thing { int n; } thing;
static int live;
thing *thing_new(int n) { if (n < 0) return NULL; thing *t = malloc(sizeof *t); t->n = n; live++; return t; }
int thing_get(const thing *t) { return t ? t->n : -1; }
int thing_free(thing *t) { if (t->n == 13) return 1; free(t); live--; return 0; }
int thing_open(int n, thing **out) { *out = thing_new(n); return *out ? 0 : 5; }
int things(void) { return live; }
int device_get(int *device, int ordinal) { if (ordinal > 7) return 101; *device = ordinal; return 0; }
int device_twice(int device) { return 2 * device; }

typedef struct { int x, y; } pair;
typedef struct { double x; float y; } mixed;
typedef struct { float x, y, z; } vec3;
typedef struct { int64_t v[5]; } big;
typedef struct { char c[3]; } tiny;
pair swap(pair p) { pair r = {p.y, p.x}; return r; }
mixed mix(mixed m, int by) { m.x *= by; m.y += by; return m; }
vec3 cross(vec3 a, vec3 b) {
    vec3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}
big shift(big b, int64_t by) { for (int i = 0; i < 5; i++) b.v[i] += by; return b; }
tiny reverse(tiny t) { char c = t.c[0]; t.c[0] = t.c[2]; t.c[2] = c; return t; }
int64_t sum_big(int a, big b, int c) { return a + b.v[0] + b.v[1] + b.v[2] + b.v[3] + b.v[4] + c; }
int pair_at(const pair *p) { return p->x * 100 + p->y; }

int format(char *out, size_t size, const char *how, ...) {
    va_list list; va_start(list, how);
    int n = vsnprintf(out, size, how, list);
    va_end(list); return n;
}
double sum_many(int n, ...) {
    va_list list; va_start(list, n); double s = 0;
    while (n-- > 0) s += va_arg(list, double);
    va_end(list); return s;
}
int many(int a, double b, int c, float d, int64_t e, double f, uint8_t g, int h, int i, double j, int k, float l, double m, double n, double o,
         double p, int16_t q) {
    return (int)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p +
                 17 * q);
}

static int code; /* what errno becomes, if it is not 0 */
void fail_with(int of) { code = of; }
static void fail(void) { if (code) errno = code; }
int fail_i32(int x) { fail(); return x; }
int16_t fail_i16(int16_t x) { fail(); return x; }
uint32_t fail_u32(uint32_t x) { fail(); return x; }
double fail_f64(double x) { fail(); return x; }
void fail_void(void) { fail(); }
const char *fail_text(const char *path, int null) { fail(); return null ? NULL : path; }
int fail_out(int x, int *out) { fail(); *out = 2 * x; return x < 0 ? x : 0; }
int fail_more(int x, ...) { fail(); return x; }
void fail_each(int (*f)(int), int x) { errno = 0; code = f(x); }
void call_if(int (*f)(int), int x, int times) { while (times-- > 0) f(x); }
