"""Every kind of access that docs/checking-memory.md says is checked, and what it says is not."""

import json

import pytest

SOURCE = r"""
#include <mma.h>
extern "C" {
__constant__ int few[4] = {1, 2, 3, 4};
__constant__ int others[4];
__device__ int result[64];
__global__ void constant(int *p, int n) { p[0] = few[n]; }
__global__ void generic(int *p, int n) { __shared__ int own; int *at = n < 0 ? &own : p; at[n] = 1; }
__global__ void async(char *p, int n)
{
    __shared__ __align__(16) char room[16];
    unsigned to = (unsigned)__cvta_generic_to_shared(room);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16; cp.async.wait_all;" :: "r"(to), "l"(p + n) : "memory");
    p[0] = room[0];
}
__global__ void bulk_reduction(int *p, int bytes)
{
    __shared__ __align__(16) int room[64];
    room[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned from = (unsigned)__cvta_generic_to_shared(room);
        asm volatile("fence.proxy.async; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;"
                     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" :: "l"(p), "r"(from), "r"(bytes) : "memory");
    }
}
__global__ void matrix_load(half *p, int n)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    load_matrix_sync(a, p + n, 16);
    if (a.x[0] == (half)7.0f) result[0] = 1;
}
__global__ void matrix_store(float *p, int n)
{
    using namespace nvcuda::wmma;
    fragment<accumulator, 16, 16, 16, float> a;
    fill_fragment(a, 1.0f);
    store_matrix_sync(p + n, a, 16, mem_row_major);
}
__global__ void heap(int *p, int n)
{
    int *own = (int *)malloc(64);
    own[n] = 1;
    p[0] = own[n];
    free(own);
}
__global__ void write(int *p, int n) { p[n] = 1; }
__global__ void prefetch(int *p, int n) { asm volatile("prefetch.global.L2 [%0];" :: "l"(p + n)); }
__global__ void shared_neighbour(int *p, int n)
{
    __shared__ int a[8], b[8];
    a[threadIdx.x % 8] = 0; b[threadIdx.x % 8] = 0;
    __syncthreads();
    volatile int *at = a < b ? a : b;
    at[n] = 1;
    p[0] = b[0] + a[0];
}
}
"""

SCRIPT = (
    f"SOURCE = r'''{SOURCE}'''"
    + """
import json, sys, cuox
device = cuox.Device()
device.set_current()
code = cuox.Program(SOURCE, options=cuox.ProgramOptions(arch="sm_90")).compile("ptx")
MEMORY = {
    "device": lambda size: device.allocate(size),
    "pinned": lambda size: cuox.PinnedMemoryResource().allocate(size),
    "managed": lambda size: cuox.ManagedMemoryResource().allocate(size),
    "slice": lambda size: cuox.zeros((size // 2,), "int32")[: size // 4],  # of an array of twice the size
}

def run(kernel, n, threads, size, kind):
    stream = device.create_stream()
    memory = MEMORY[kind](size)
    try:
        code.get_kernel(kernel)[1, threads, stream](memory, n)
        stream.sync()
        return ""
    except cuox.CUDAError as error:
        assert error.code == 700, error
        del memory
        device.reset()
        return str(error)

print(json.dumps([run(*case) for case in json.loads(sys.argv[1])]))
"""
)

# A kernel, its argument, threads, bytes of memory, their kind, and what goes wrong.
CASES = [
    ("constant", 3, 1, 64, "device", ""),
    ("constant", 4, 1, 64, "device", "read of size 4 bytes;at the end of the allocation of 16 bytes"),
    ("generic", 15, 1, 64, "device", ""),
    ("generic", 16, 1, 64, "device", "write of size 4 bytes;at the end of the allocation of 64 bytes"),
    ("async", 48, 1, 64, "device", ""),
    ("async", 52, 1, 64, "device", "read of size 16 bytes;the last 4 of the 16 bytes"),
    ("bulk_reduction", 64, 64, 64, "device", ""),
    ("bulk_reduction", 80, 64, 64, "device", "atomic of a bulk reduction of size 80 bytes;the last 16 of the 80 bytes"),
    ("matrix_load", 0, 32, 512, "device", ""),
    ("matrix_load", 8, 32, 512, "device", "read of size 4 bytes;at the end of the allocation of 512 bytes"),
    ("matrix_store", 0, 32, 1024, "device", ""),
    ("matrix_store", 4, 32, 1024, "device", "write of size;at the end of the allocation of 1024 bytes"),
    ("heap", 15, 1, 64, "device", ""),
    ("heap", 16, 1, 64, "device", "write of size 4 bytes;at the end of the allocation of 64 bytes"),
    ("write", 15, 1, 64, "pinned", ""),
    ("write", 16, 1, 64, "pinned", "at the end of the allocation of 64 bytes"),
    ("write", 15, 1, 64, "managed", ""),
    ("write", 16, 1, 64, "managed", "at the end of the allocation of 64 bytes"),
    # A slice has the bounds of the whole.
    ("write", 16, 1, 64, "slice", ""),
    ("write", 32, 1, 64, "slice", "at the end of the allocation of 128 bytes"),
    # What is not checked.
    ("prefetch", 1 << 20, 1, 64, "device", ""),
    ("shared_neighbour", 8, 1, 64, "device", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    "engine",
    ["auto", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("jit-narrow", "interpreter"))],
)
def test_the_kinds_of_accesses(device, run_script, engine):
    if not device.is_soft:
        pytest.skip("only the software GPU checks memory")
    cases = json.dumps([case[:5] for case in CASES])
    script = f"import sys\nsys.argv = ['', {cases!r}]\n{SCRIPT}"
    result = run_script(script, CUOX_SOFT_CHECK="memory", CUOX_SOFT_ENGINE=engine)
    assert result.returncode == 0, result.stderr
    for (*case, wrong), said in zip(CASES, json.loads(result.stdout), strict=True):
        assert bool(wrong) == bool(said), (case, said)
        for part in wrong.split(";"):
            assert part in said, (case, said)
