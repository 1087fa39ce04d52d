/* The floor of benches/driver_calls.py: the same driver calls, in the same process, from C. Each function gives nanoseconds per round. */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef int (*get_t)(void **);
typedef int (*attribute_t)(int *, int, int);
typedef int (*query_t)(void *);
typedef int (*launch_t)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
typedef int (*allocate_t)(uint64_t *, size_t);
typedef int (*free_t)(uint64_t);
typedef int (*to_device_t)(uint64_t, const void *, size_t);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

#define TIMED(call)                      \
    double start = now();                \
    for (int i = 0; i < count; i++)      \
        if (call)                        \
            return -1;                   \
    return (now() - start) / count

double get_current(get_t get, int count)
{
    void *context;
    TIMED(get(&context));
}

double get_attribute(attribute_t get, int attribute, int device, int count)
{
    int value;
    TIMED(get(&value, attribute, device));
}

double event_query(query_t query, void *event, int count)
{
    TIMED(query(event));
}

double launch(launch_t call, void *kernel, void *stream, void **params, int count)
{
    TIMED(call(kernel, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL));
}

double allocate_free(allocate_t allocate, free_t release, size_t bytes, int count)
{
    uint64_t memory;
    TIMED(allocate(&memory, bytes) || release(memory));
}

double to_device(to_device_t copy, uint64_t device, const void *host, size_t bytes, int count)
{
    TIMED(copy(device, host, bytes));
}
