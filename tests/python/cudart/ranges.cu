// Advice about managed memory and prefetching, read back. Every value is what an H200 gave.
#include "check.h"

static const size_t MB = 1 << 20;
static char *m;

static int one(cudaMemRangeAttribute attribute, const char *at, size_t bytes)
{
    int value = -9;
    OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, at, bytes));
    return value;
}

// The preferred place and that of the last prefetch, in the forms before and since CUDA 12.
static bool preferred(const char *at, size_t bytes, int older, int type, int id)
{
    return one(cudaMemRangeAttributePreferredLocation, at, bytes) == older &&
           one(cudaMemRangeAttributePreferredLocationType, at, bytes) == type &&
           one(cudaMemRangeAttributePreferredLocationId, at, bytes) == id;
}

static bool prefetched(const char *at, size_t bytes, int older, int type, int id)
{
    return one(cudaMemRangeAttributeLastPrefetchLocation, at, bytes) == older &&
           one(cudaMemRangeAttributeLastPrefetchLocationType, at, bytes) == type &&
           one(cudaMemRangeAttributeLastPrefetchLocationId, at, bytes) == id;
}

static bool accessed(const char *at, size_t bytes, int a, int b, int c)
{
    int by[3] = {-9, -9, -9};
    OK(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, at, bytes));
    return by[0] == a && by[1] == b && by[2] == c;
}

static cudaError_t read_mostly(void *value, size_t bytes, const void *at, size_t count)
{
    return cudaMemRangeGetAttribute(value, bytes, cudaMemRangeAttributeReadMostly, at, count);
}

int main()
{
    const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 7},
                          node = {cudaMemLocationTypeHostNuma, 0}, near = {cudaMemLocationTypeHostNumaCurrent, 0},
                          ninth = {cudaMemLocationTypeDevice, 9}, nowhere = {cudaMemLocationTypeInvalid, 0},
                          odd = {(cudaMemLocationType)77, 5}, far = {cudaMemLocationTypeHostNuma, 99};
    const cudaError_t bad = cudaErrorInvalidValue;
    OK(cudaMallocManaged(&m, 4 * MB));
    const size_t all = 4 * MB;

    // Nothing was said.
    HOLDS(one(cudaMemRangeAttributeReadMostly, m, all) == 0);
    HOLDS(preferred(m, all, -2, 0, -2) && prefetched(m, all, -2, 0, -2) && accessed(m, all, -2, -2, -2));

    // A preferred place is that of a range if it is that of all its pages.
    OK(cudaMemAdvise(m, 65536, cudaMemAdviseSetPreferredLocation, device));
    HOLDS(preferred(m, 65536, 0, 1, 0) && preferred(m, all, -2, 0, -2) && preferred(m + 65536, MB, -2, 0, -2));
    OK(cudaMemAdvise(m, all, cudaMemAdviseSetPreferredLocation, host));
    HOLDS(preferred(m, all, -1, 2, -1));
    OK(cudaMemAdvise(m, all, cudaMemAdviseSetPreferredLocation, node));
    HOLDS(preferred(m, all, -1, 2, -1));
    OK(cudaMemAdvise(m, all, cudaMemAdviseSetPreferredLocation, near));
    HOLDS(preferred(m, all, -1, 2, -1));
    OK(cudaMemAdvise(m, all, cudaMemAdviseUnsetPreferredLocation, ninth));
    HOLDS(preferred(m, all, -2, 0, -2));

    OK(cudaMemAdvise(m, all, cudaMemAdviseSetReadMostly, ninth));
    HOLDS(one(cudaMemRangeAttributeReadMostly, m, all) == 1);
    OK(cudaMemAdvise(m + MB, MB, cudaMemAdviseUnsetReadMostly, device));
    HOLDS(one(cudaMemRangeAttributeReadMostly, m, all) == 0 && one(cudaMemRangeAttributeReadMostly, m, MB) == 1);
    HOLDS(one(cudaMemRangeAttributeReadMostly, m + MB, MB) == 0);
    OK(cudaMemAdvise(m, all, cudaMemAdviseUnsetReadMostly, device));

    // Who maps it: the devices, then the host.
    OK(cudaMemAdvise(m, all, cudaMemAdviseSetAccessedBy, device));
    HOLDS(accessed(m, all, 0, -2, -2));
    OK(cudaMemAdvise(m, all, cudaMemAdviseSetAccessedBy, host));
    HOLDS(accessed(m, all, 0, -1, -2));
    HOLDS(one(cudaMemRangeAttributeAccessedBy, m, all) == 0);
    OK(cudaMemAdvise(m, MB, cudaMemAdviseUnsetAccessedBy, device));
    HOLDS(accessed(m, all, -1, -2, -2) && accessed(m + MB, MB, 0, -1, -2));
    OK(cudaMemAdvise(m, all, cudaMemAdviseUnsetAccessedBy, host));
    HOLDS(accessed(m, all, -2, -2, -2));

    // Prefetching keeps which part of the host it was.
    OK(cudaMemPrefetchAsync(m, MB, device, 0, 0));
    HOLDS(prefetched(m, MB, 0, 1, 0) && prefetched(m, all, -2, 0, -2));
    OK(cudaMemPrefetchAsync(m, all, host, 0, 0));
    HOLDS(prefetched(m, all, -1, 2, -1));
    OK(cudaMemPrefetchAsync(m, all, node, 0, 0));
    HOLDS(prefetched(m, all, -1, 3, 0));
    OK(cudaMemPrefetchAsync(m, all, near, 0, 0));
    HOLDS(prefetched(m, all, -1, 4, 0));

    // A byte stands for its page of 4096 bytes.
    OK(cudaMemPrefetchAsync(m + 5, 10, device, 0, 0));
    HOLDS(prefetched(m, 4096, 0, 1, 0) && prefetched(m + 100, 3, 0, 1, 0) && prefetched(m + 4096, 4096, -1, 4, 0));
    OK(cudaMemAdvise(m + 8195, 10, cudaMemAdviseSetPreferredLocation, device));
    HOLDS(preferred(m + 8192, 4096, 0, 1, 0) && preferred(m, 4096, -2, 0, -2) && preferred(m + 12288, 4096, -2, 0, -2));
    OK(cudaDeviceSynchronize());

    // What is refused.
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseUnsetPreferredLocation, nowhere));
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseUnsetPreferredLocation, odd));
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseSetReadMostly, nowhere));
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseSetPreferredLocation, ninth));
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseSetPreferredLocation, far));
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseSetAccessedBy, node));
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseSetAccessedBy, near));
    GIVES(bad, cudaMemAdvise(m, all, cudaMemAdviseSetAccessedBy, ninth));
    GIVES(bad, cudaMemAdvise(m, 0, cudaMemAdviseSetReadMostly, device));
    GIVES(bad, cudaMemAdvise(m, all + 1, cudaMemAdviseSetReadMostly, device));
    GIVES(bad, cudaMemAdvise(m, all, (cudaMemoryAdvise)99, device));
    GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(m, all, ninth, 0, 0));
    GIVES(bad, cudaMemPrefetchAsync(m, all, nowhere, 0, 0));
    GIVES(bad, cudaMemPrefetchAsync(m, all, far, 0, 0));
    GIVES(bad, cudaMemPrefetchAsync(m, all, device, 1, 0));
    GIVES(bad, cudaMemPrefetchAsync(m + 3 * MB, 2 * MB, device, 0, 0));
    int values[4] = {-9, -9, -9, -9};
    GIVES(bad, read_mostly(values, 8, m, all));
    GIVES(bad, read_mostly(values, 0, m, all));
    GIVES(bad, read_mostly(values, 4, m, 0));
    GIVES(bad, read_mostly(values, 4, m + all - 4, 8));
    GIVES(bad, cudaMemRangeGetAttribute(values, 6, cudaMemRangeAttributeAccessedBy, m, all));
    GIVES(bad, cudaMemRangeGetAttribute(values, 4, (cudaMemRangeAttribute)99, m, all));
    void *other;
    OK(cudaMalloc(&other, MB));
    GIVES(bad, read_mostly(values, 4, other, MB));
    GIVES(bad, cudaMemAdvise(other, MB, cudaMemAdviseSetReadMostly, device));
    HOLDS(values[0] == -9);

    // Several at once.
    int by[3] = {-9, -9, -9};
    void *data[3] = {&values[0], by, &values[1]};
    size_t sizes[3] = {4, 12, 4};
    cudaMemRangeAttribute names[3] = {cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy,
                                      cudaMemRangeAttributeReadMostly};
    OK(cudaMemRangeGetAttributes(data, sizes, names, 3, m, all));
    HOLDS(values[0] == -2 && by[0] == -2 && by[2] == -2 && values[1] == 0);
    GIVES(bad, cudaMemRangeGetAttributes(data, sizes, names, 0, m, all));
    sizes[1] = 5;
    GIVES(bad, cudaMemRangeGetAttributes(data, sizes, names, 3, m, all));

    // Small allocations, and an allocation that is gone.
    char *small;
    OK(cudaMallocManaged(&small, 100));
    OK(cudaMemAdvise(small, 100, cudaMemAdviseSetPreferredLocation, device));
    HOLDS(preferred(small, 100, 0, 1, 0));
    GIVES(bad, read_mostly(values, 4, small, 101));
    OK(cudaFree(m));
    GIVES(bad, read_mostly(values, 4, m, MB));
    return report();
}
