// Allocations, copies, fills and what a pointer is.
#include "check.h"
#include <cstdlib>
#include <cstring>

int main()
{
    size_t left = 0, all = 0;
    OK(cudaMemGetInfo(&left, &all));
    HOLDS(left > 0 && left <= all);

    // Rows.
    char *rows;
    size_t pitch = 0;
    OK(cudaMallocPitch(&rows, &pitch, 100, 8));
    HOLDS(pitch >= 100 && pitch % 32 == 0);
    OK(cudaMemset2D(rows, pitch, 0, pitch, 8));
    OK(cudaMemset2D(rows, pitch, 7, 100, 8));
    char host[8][100], back[8][100];
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 100; ++x)
            host[y][x] = (char)(x + y);
    OK(cudaMemcpy2D(back, 100, rows, pitch, 100, 8, cudaMemcpyDeviceToHost));
    HOLDS(back[7][99] == 7);
    OK(cudaMemcpy2D(rows, pitch, host, 100, 50, 8, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DAsync(back, 100, rows, pitch, 100, 8, cudaMemcpyDefault, 0));
    OK(cudaStreamSynchronize(0));
    HOLDS(back[5][49] == 54 && back[5][50] == 7);

    // Rows that are wider than their distance: another error for one row than for several, and none for none. As on an H200.
    const cudaMemcpyKind down = cudaMemcpyDeviceToHost;
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(back, 4, rows, pitch, 8, 2, down));
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2DAsync(back, 100, rows, 4, 8, 2, down, 0));
    GIVES(cudaErrorInvalidValue, cudaMemcpy2D(back, 4, rows, pitch, 8, 1, down));
    OK(cudaMemcpy2D(back, 4, rows, pitch, 8, 0, down));
    // No row comes behind a single one.
    OK(cudaMemcpy2D(back, 0, rows, pitch, 8, 1, down));
    OK(cudaMemcpy2DAsync(back, (size_t)1 << 40, rows, 0, 8, 1, down, 0));
    OK(cudaDeviceSynchronize());
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(back, 0, rows, pitch, 8, 2, down));
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(back, 4, rows, pitch, 8, 2, (cudaMemcpyKind)7));
    cudaMemcpy3DParms narrow = {};
    narrow.srcPtr = make_cudaPitchedPtr(rows, 4, 8, 2);
    narrow.dstPtr = make_cudaPitchedPtr(back, 64, 8, 2);
    narrow.kind = down;
    narrow.extent = make_cudaExtent(8, 2, 1);
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&narrow));
    narrow.extent.height = 1;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DAsync(&narrow, 0));
    GIVES(cudaErrorInvalidValue, cudaMemset2D(rows, 4, 0, 8, 2));
    OK(cudaMemset2D(rows, 4, 0, 8, 1));
    GIVES(cudaErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(rows, 4, 8, 2), 0, make_cudaExtent(8, 2, 1)));
    OK(cudaMemset3D(make_cudaPitchedPtr(rows, 4, 8, 2), 0, make_cudaExtent(8, 1, 1)));
    OK(cudaFree(rows));

    // A block.
    cudaPitchedPtr block;
    OK(cudaMalloc3D(&block, make_cudaExtent(30, 5, 4)));
    HOLDS(block.xsize == 30 && block.ysize == 5 && block.pitch >= 30);
    OK(cudaMemset3D(block, 1, make_cudaExtent(30, 5, 4)));
    OK(cudaMemset3D(block, 2, make_cudaExtent(10, 2, 3)));
    static char copy[4][5][30];
    OK(cudaMemcpy2D(copy, 30, block.ptr, block.pitch, 30, 20, cudaMemcpyDeviceToHost));
    HOLDS(copy[2][1][9] == 2 && copy[2][1][10] == 1 && copy[2][2][0] == 1 && copy[3][0][0] == 1);
    OK(cudaFree(block.ptr));

    // The host's.
    int *pinned;
    OK(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped | cudaHostAllocPortable));
    unsigned flags = 0;
    OK(cudaHostGetFlags(&flags, pinned));
    HOLDS(flags & cudaHostAllocMapped);
    int *mapped = nullptr;
    OK(cudaHostGetDevicePointer(&mapped, pinned, 0));
    HOLDS(mapped != nullptr);
    cudaPointerAttributes what;
    OK(cudaPointerGetAttributes(&what, pinned));
    HOLDS(what.type == cudaMemoryTypeHost && what.hostPointer == pinned && what.devicePointer == mapped && what.device == 0);
    int *device;
    OK(cudaMalloc(&device, 4096));
    OK(cudaPointerGetAttributes(&what, device + 3));
    HOLDS(what.type == cudaMemoryTypeDevice && what.devicePointer == device + 3 && what.hostPointer == nullptr && what.device == 0);
    int *managed;
    OK(cudaMallocManaged(&managed, 4096));
    OK(cudaPointerGetAttributes(&what, managed));
    HOLDS(what.type == cudaMemoryTypeManaged && what.devicePointer == managed && what.hostPointer == managed);
    OK(cudaPointerGetAttributes(&what, host));
    HOLDS(what.type == cudaMemoryTypeUnregistered && what.hostPointer == host && what.devicePointer == nullptr && what.device == cudaInvalidDeviceId);

    pinned[0] = 11;
    OK(cudaMemcpy(device, pinned, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(managed, device, 4, cudaMemcpyDeviceToDevice));
    HOLDS(managed[0] == 11);
    int other = 0;
    OK(cudaMemcpy(&other, pinned, 4, cudaMemcpyHostToHost));
    HOLDS(other == 11);
    OK(cudaMemcpyAsync(&other, managed, 4, cudaMemcpyDefault, cudaStreamLegacy));
    OK(cudaMemset(device, 0xff, 4096));
    OK(cudaMemsetAsync(device, 0x11, 8));
    int pair[3];
    OK(cudaMemcpy(pair, device, 12, cudaMemcpyDeviceToHost));
    HOLDS(pair[0] == 0x11111111 && pair[2] == -1);
    OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));

    void *page = aligned_alloc(4096, 8192);
    OK(cudaHostRegister(page, 8192, cudaHostRegisterMapped));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(page, 8192, 0));
    OK(cudaHostUnregister(page));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(page));
    free(page);

    // In a stream's order.
    int supported = 0;
    OK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    if (supported) {
        cudaStream_t stream;
        OK(cudaStreamCreate(&stream));
        void *later = nullptr;
        OK(cudaMallocAsync(&later, 1 << 20, stream));
        OK(cudaMemsetAsync(later, 1, 1 << 20, stream));
        OK(cudaFreeAsync(later, stream));
        cudaMemPool_t pool, same;
        OK(cudaDeviceGetDefaultMemPool(&pool, 0));
        OK(cudaDeviceGetMemPool(&same, 0));
        HOLDS(pool == same);
        unsigned long long threshold = 12345678, got = 0;
        OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
        OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
        HOLDS(got == threshold);
        OK(cudaMallocFromPoolAsync(&later, 1000, pool, stream));
        OK(cudaFreeAsync(later, stream));
        OK(cudaStreamSynchronize(stream));
        OK(cudaMemPoolTrimTo(pool, 0));
        OK(cudaStreamDestroy(stream));
    }
    OK(cudaFreeHost(pinned));
    OK(cudaFreeHost(nullptr));
    OK(cudaFree(device));
    OK(cudaFree(managed));
    GIVES(cudaErrorInvalidValue, cudaFree(device));
    return report();
}
