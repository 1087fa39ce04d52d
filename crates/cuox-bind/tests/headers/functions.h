typedef __builtin_va_list va_list;
typedef unsigned long size_t;
typedef struct file FILE;

typedef struct point2 { double x, y; } point;
struct later;
typedef int (*visit)(void *user, const char *name, int (*again)(int depth));
typedef int plain_function(int);
typedef int three[3];

void nothing(void);
int unprototyped();
int printed(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3), nonnull(2)));
int listed(const char *format, va_list arguments);
point move(point p, struct later *by);
void arrays(int a[], const double m[][4], three t, char *const argv[restrict]);
int lengths(int n, const double a[3], double b[n], const float c[static 2]);
int walk(visit v, void *user);
int call_both(plain_function f, plain_function *g);
plain_function declared_by_typedef;
void (*set_handler(int signal, void (*handler)(int)))(int);
int renamed(int) __asm__("other_symbol");
int old(int x) __attribute__((deprecated("use new")));
int older(int x) __attribute__((deprecated));
void all(char *a, int n, char *b) __attribute__((nonnull));
void one(char *a, char *b __attribute__((nonnull)));
char *never_null(char *a) __attribute__((returns_nonnull));
size_t sized(unsigned char c, signed char sc, unsigned short s, long l, unsigned long long ll, _Bool b, long double ld);

/* Declared twice. */
int twice(int);
int twice(int with_a_name);

static inline int inlined(int x) { return x + 1; }
static int hidden(void);
__attribute__((ms_abi)) int of_windows(int x);
struct later by_value(void);
typedef int v4 __attribute__((vector_size(16)));
void takes_vector(int n, v4 v);
void takes_vectors(v4 *v);
struct holds { struct { v4 v; } in; };
void takes_holder(struct holds h);

extern int counter;
extern const char *const messages[4];
extern struct later later_one;
extern v4 a_vector;
static const int answer = 42;
static int state;

int forwarded_v2(int n, const void *p);
/** Forwards. */
#ifndef NO_INLINE
static inline int forwarded(int count, void *data) { return forwarded_v2(count, data); }
#endif
static inline void forwarded_in_vain(int n, void *p) { forwarded_v2(n, p); }
static inline int turned(int a, void *b) { return forwarded_v2(a + 1, b); }
