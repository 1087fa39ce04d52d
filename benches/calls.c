/* The floor of benches/python_calls.py: the same driver calls, in the same process, from C. */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef int (*launch_t)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
typedef int (*record_t)(void *, void *);
typedef int (*allocate_t)(uint64_t *, size_t, void *);
typedef int (*free_t)(uint64_t, void *);
typedef int (*to_device_t)(uint64_t, const void *, size_t);
typedef int (*to_host_t)(void *, uint64_t, size_t);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

double launch(launch_t call, void *kernel, void *stream, void **params, int count)
{
    double start = now();
    for (int i = 0; i < count; i++)
        if (call(kernel, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL))
            return -1;
    return (now() - start) / count;
}

double record(record_t call, void *event, void *stream, int count)
{
    double start = now();
    for (int i = 0; i < count; i++)
        if (call(event, stream))
            return -1;
    return (now() - start) / count;
}

double allocate_free(allocate_t allocate, free_t release, size_t bytes, void *stream, int count)
{
    double start = now();
    for (int i = 0; i < count; i++) {
        uint64_t p;
        if (allocate(&p, bytes, stream) || release(p, stream))
            return -1;
    }
    return (now() - start) / count;
}

double to_device(to_device_t call, uint64_t device, const void *host, size_t bytes, int count)
{
    double start = now();
    for (int i = 0; i < count; i++)
        if (call(device, host, bytes))
            return -1;
    return (now() - start) / count;
}

double to_host(to_host_t call, void *host, uint64_t device, size_t bytes, int count)
{
    double start = now();
    for (int i = 0; i < count; i++)
        if (call(host, device, bytes))
            return -1;
    return (now() - start) / count;
}
