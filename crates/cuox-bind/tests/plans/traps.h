/* What looks like an output and is not: one wrong guess here, and C would write over what is not its. */
#include <stddef.h>

typedef enum { TRAP_SUCCESS } trap_status;
typedef struct trap trap;
typedef double trap_complex[2];
typedef struct { double x, y; } trap_point;

/* Arrays of handles. */
trap_status trap_init_all(trap **traps, int ntraps);
trap_status trap_open_ranks(trap **comm, int nranks);
trap_status trap_list(trap **list, size_t *count);
trap_status trap_find(trap **found, unsigned max);
trap_status trap_events(trap *t, trap_point *events, unsigned *count);
trap_status trap_windows(trap *t, const double *edges, unsigned *count);
/* Arrays of numbers. */
trap_status trap_values(trap *t, double *values);
trap_status trap_solve(trap *t, const double *a, int n, double *result);
void trap_transform(trap *t, trap_complex *in, double *out);
int trap_get_size(trap *t, int *size);
int trap_get_matrix(trap *t, float *matrix);
int trap_encode(unsigned char *out, int *outl, const unsigned char *in, int inl);
/* The second is a length that C corrects. */
int trap_compress(void *dest, unsigned long *destLen, const void *source, unsigned long sourceLen);
/* No length of what stands before it. */
trap_status trap_write(const void *data, size_t size, size_t count);
trap_status trap_compare(const void *a, const void *b, size_t size);
trap_status trap_copy(char *to, const char *from, size_t size);
trap_status trap_send(const void *data, size_t count, int datatype);
trap_status trap_norm(const double *a, int n);
/* A text ends by itself. */
trap_status trap_take(trap *t, const char *name, unsigned count, trap_point *taken);
int trap_open_traps(void);
trap_status trap_version(const char *version, int stream_size);
/* Not text, not one value. */
trap_status trap_names(const char **names, int n);
trap_status trap_points(trap_point *points, int n);
trap_status trap_fill(char *buffer, size_t size);
/* Takes two, so it does not end one. */
void trap_free_cache(trap *t);
trap *trap_current(void);
