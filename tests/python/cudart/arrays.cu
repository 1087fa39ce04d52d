// Arrays and mipmapped arrays, and copies of rows, runs and boxes to, from and between them.
#include "check.h"
#include <cstring>
#include <vector>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // cudaMemcpyToArray and its like: old programs have them.

template <class T> static bool same_desc(cudaChannelFormatDesc a, cudaChannelFormatDesc b = cudaCreateChannelDesc<T>())
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && a.f == b.f;
}

template <class T> static void has_format()
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>(), found = {};
    cudaArray_t array = nullptr;
    OK(cudaMallocArray(&array, &desc, 8, 4));
    cudaExtent extent = {};
    unsigned flags = 77;
    OK(cudaArrayGetInfo(&found, &extent, &flags, array));
    HOLDS(same_desc<T>(found) && extent.width == 8 && extent.height == 4 && extent.depth == 0 && flags == 0);
    found = {};
    OK(cudaGetChannelDesc(&found, array));
    HOLDS(same_desc<T>(found));
    T host[4][8], back[4][8];
    for (unsigned i = 0; i < sizeof host; ++i)
        ((unsigned char *)host)[i] = (unsigned char)(i * 7 + 1);
    memset(back, 0, sizeof back);
    OK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DFromArray(back, sizeof back[0], array, 0, 0, sizeof back[0], 4, cudaMemcpyDeviceToHost));
    HOLDS(memcmp(host, back, sizeof host) == 0);
    OK(cudaFreeArray(array));
}

static void rows_and_runs()
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaArray_t a, b;
    OK(cudaMallocArray(&a, &desc, 10, 6));
    OK(cudaMallocArray(&b, &desc, 7, 9));
    int host[60], back[60];
    for (int i = 0; i < 60; ++i)
        host[i] = i;

    // A rectangle in the middle, from device memory, in a stream.
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    int *device;
    OK(cudaMalloc(&device, sizeof host));
    OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArrayAsync(a, 0, 0, device, 40, 40, 6, cudaMemcpyDeviceToDevice, stream));
    OK(cudaMemcpy2DToArrayAsync(a, 8, 1, device, 40, 12, 2, cudaMemcpyDefault, stream));
    OK(cudaMemcpy2DFromArrayAsync(back, 40, a, 0, 0, 40, 6, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(back[11] == 11 && back[12] == 0 && back[14] == 2 && back[15] == 15 && back[22] == 10 && back[32] == 32 && back[59] == 59);

    // Between arrays.
    OK(cudaMemcpy2DArrayToArray(b, 4, 2, a, 8, 3, 20, 3));
    memset(back, 0, sizeof back);
    OK(cudaMemcpy2DFromArray(back, 28, b, 4, 2, 20, 3, cudaMemcpyDeviceToHost));
    HOLDS(back[0] == 32 && back[4] == 36 && back[7] == 42 && back[14 + 4] == 56);

    // Runs go over the ends of rows.
    int run[25];
    for (int i = 0; i < 25; ++i)
        run[i] = 100 + i;
    OK(cudaMemcpyToArray(a, 28, 0, run, sizeof run, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DFromArray(back, 40, a, 0, 0, 40, 6, cudaMemcpyDeviceToHost));
    HOLDS(back[6] == 6 && back[7] == 100 && back[31] == 124 && back[32] == 32);
    memset(run, 0, sizeof run);
    OK(cudaMemcpyFromArrayAsync(run, a, 32, 0, 80, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(run[0] == 101 && run[19] == 120 && run[20] == 0);
    OK(cudaMemcpyToArrayAsync(a, 0, 0, device, sizeof host, cudaMemcpyDeviceToDevice, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, sizeof host));
    OK(cudaMemcpyFromArray(back, b, 0, 0, sizeof host, cudaMemcpyDeviceToHost));
    HOLDS(memcmp(host, back, sizeof host) == 0);

    // What does not go.
    OK(cudaMemcpy2DToArray(a, 0, 0, host, 40, 0, 6, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArray(a, 0, 0, host, 40, 40, 0, (cudaMemcpyKind)9));
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(a, 0, 0, host, 39, 40, 6, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DToArray(a, 0, 0, host, 40, 40, 6, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DFromArray(back, 40, a, 0, 0, 40, 6, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DToArray(a, 0, 0, host, 40, 40, 6, (cudaMemcpyKind)9));
    GIVES(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 4, 0, host, 40, 40, 6, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 1, host, 40, 40, 6, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpyToArray(a, 28, 0, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaFree(device));
    OK(cudaStreamDestroy(stream));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

static void boxes()
{
    // A cube of elements of eight bytes.
    const int W = 6, H = 5, D = 4;
    static int2 host[D][H][W], back[D][H][W];
    for (int i = 0; i < W * H * D; ++i)
        (&host[0][0][0])[i] = {i, -i};
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int2>();
    cudaExtent extent = make_cudaExtent(W, H, D);
    cudaArray_t cube;
    OK(cudaMalloc3DArray(&cube, &desc, extent));
    cudaExtent found = {};
    OK(cudaArrayGetInfo(nullptr, &found, nullptr, cube));
    HOLDS(found.width == W && found.height == H && found.depth == D);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(host, W * sizeof(int2), W, H);
    p.dstArray = cube;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));

    // With an array the width and places count its elements, also places in memory.
    cudaPitchedPtr block;
    OK(cudaMalloc3D(&block, make_cudaExtent(W * sizeof(int2), H, D)));
    OK(cudaMemset3D(block, 0, make_cudaExtent(W * sizeof(int2), H, D)));
    cudaMemcpy3DParms q = {};
    q.srcArray = cube;
    q.srcPos = make_cudaPos(1, 2, 1);
    q.dstPtr = block;
    q.dstPos = make_cudaPos(2, 1, 2);
    q.extent = make_cudaExtent(3, 2, 2);
    q.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy3DAsync(&q, 0));
    cudaMemcpy3DParms r = {};
    r.srcPtr = block;
    r.dstPtr = make_cudaPitchedPtr(back, W * sizeof(int2), W, H);
    r.extent = make_cudaExtent(W * sizeof(int2), H, D);
    r.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&r));
    for (int z = 0; z < D; ++z)
        for (int y = 0; y < H; ++y)
            for (int x = 0; x < W; ++x) {
                bool inside = x >= 2 && x < 5 && y >= 1 && y < 3 && z >= 2;
                int wanted = inside ? host[z - 1][y + 1][x - 1].x : 0;
                if (back[z][y][x].x != wanted || back[z][y][x].y != -wanted) {
                    HOLDS(!"the box");
                    x = W, y = H, z = D;
                }
            }

    // Between arrays, and of one row.
    cudaArray_t other;
    OK(cudaMalloc3DArray(&other, &desc, extent));
    cudaMemcpy3DParms s = {};
    s.srcArray = cube;
    s.dstArray = other;
    s.extent = extent;
    s.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy3D(&s));
    cudaMemcpy3DPeerParms t = {};
    t.srcArray = other;
    t.srcPos = make_cudaPos(0, 0, 1);
    t.dstPtr = block;
    t.extent = make_cudaExtent(W, H, 3);
    OK(cudaMemcpy3DPeer(&t));
    OK(cudaMemcpy3DPeerAsync(&t, 0));
    OK(cudaMemcpy3D(&r));
    HOLDS(memcmp(back[0], host[1], 3 * sizeof host[0]) == 0);
    t.dstDevice = 1000;
    GIVES(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&t));
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DPeer(nullptr));
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(nullptr, 0));

    // What does not go.
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(nullptr));
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DAsync(nullptr, 0));
    s.extent = make_cudaExtent(W, 0, D);
    OK(cudaMemcpy3D(&s));
    s.extent = make_cudaExtent(W + 1, H, D);
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&s));
    s.extent = make_cudaExtent(W, H, D + 1);
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&s));
    s.extent = extent;
    s.srcPtr = block;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&s));
    s.srcPtr = {};
    s.srcArray = nullptr;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&s));
    r.srcPtr.pitch = r.extent.width - 1;
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&r));
    p.kind = cudaMemcpyDeviceToHost;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.kind = (cudaMemcpyKind)9;
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&p));
    OK(cudaFree(block.ptr));
    OK(cudaFreeArray(cube));
    OK(cudaFreeArray(other));
}

static void mipmaps()
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned short>();
    cudaMipmappedArray_t mipmap;
    OK(cudaMallocMipmappedArray(&mipmap, &desc, make_cudaExtent(16, 8, 0), 4));
    for (unsigned level = 0; level < 4; ++level) {
        cudaArray_t array;
        OK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
        cudaExtent extent;
        cudaChannelFormatDesc found;
        OK(cudaArrayGetInfo(&found, &extent, nullptr, array));
        HOLDS(extent.width == 16u >> level && extent.height == 8u >> level && extent.depth == 0 && same_desc<unsigned short>(found));
        std::vector<unsigned short> host(extent.width * extent.height, (unsigned short)(1000 + level));
        OK(cudaMemcpy2DToArray(array, 0, 0, host.data(), extent.width * 2, extent.width * 2, extent.height, cudaMemcpyHostToDevice));
    }
    cudaArray_t array, again;
    OK(cudaGetMipmappedArrayLevel(&array, mipmap, 2));
    OK(cudaGetMipmappedArrayLevel(&again, mipmap, 2));
    HOLDS(array == again);
    unsigned short last = 0;
    OK(cudaMemcpy2DFromArray(&last, 2, array, 6, 1, 2, 1, cudaMemcpyDeviceToHost));
    HOLDS(last == 1002);
    GIVES(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&array, mipmap, 4));
    GIVES(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(nullptr, mipmap, 0));
    OK(cudaFreeMipmappedArray(mipmap));
    OK(cudaFreeMipmappedArray(nullptr));
}

static void batches()
{
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    char *device, host[64], back[64] = {};
    for (int i = 0; i < 64; ++i)
        host[i] = (char)i;
    OK(cudaMalloc(&device, 64));
    void *dsts[] = {device + 32, device};
    const void *srcs[] = {host, host + 32};
    size_t sizes[] = {32, 32}, first[] = {0};
    cudaMemcpyAttributes how[1] = {};
    how[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    OK(cudaMemcpyBatchAsync((const void **)dsts, srcs, sizes, 2, how, first, 1, stream));
    OK(cudaMemcpyAsync(back, device, 64, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(back[0] == 32 && back[31] == 63 && back[32] == 0 && back[63] == 31);
    GIVES(cudaErrorInvalidValue, cudaMemcpyBatchAsync((const void **)dsts, srcs, sizes, 2, how, first, 1, 0));
    GIVES(cudaErrorInvalidValue, cudaMemcpyBatchAsync((const void **)dsts, srcs, sizes, 0, how, first, 1, stream));
    first[0] = 1;
    GIVES(cudaErrorInvalidValue, cudaMemcpyBatchAsync((const void **)dsts, srcs, sizes, 2, how, first, 1, stream));

    cudaChannelFormatDesc format = cudaCreateChannelDesc<short>();
    cudaArray_t array;
    OK(cudaMallocArray(&array, &format, 8, 4));
    cudaMemcpy3DBatchOp ops[2] = {};
    for (int i = 0; i < 2; ++i) {
        ops[i].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        ops[i].src.type = cudaMemcpyOperandTypePointer;
        ops[i].src.op.ptr.ptr = host + 32 * i;
        ops[i].dst.type = cudaMemcpyOperandTypeArray;
        ops[i].dst.op.array.array = array;
        ops[i].dst.op.array.offset.y = 2 * i;
        ops[i].extent = make_cudaExtent(8, 2, 1);
    }
    OK(cudaMemcpy3DBatchAsync(2, ops, 0, stream));
    ops[0].src.type = cudaMemcpyOperandTypeArray;
    ops[0].src.op.array.array = array;
    ops[0].src.op.array.offset = {2, 1, 0};
    ops[0].dst.type = cudaMemcpyOperandTypePointer;
    ops[0].dst.op.ptr = {};
    ops[0].dst.op.ptr.ptr = device;
    ops[0].dst.op.ptr.rowLength = 10;
    ops[0].extent = make_cudaExtent(3, 2, 1);
    OK(cudaMemsetAsync(device, 0, 64, stream));
    OK(cudaMemcpy3DBatchAsync(1, ops, 0, stream));
    OK(cudaMemcpyAsync(back, device, 64, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(back[0] == 20 && back[5] == 25 && back[6] == 0 && back[20] == 36 && back[25] == 41 && back[26] == 0);
    ops[0].src.op.array.offset.x = 6;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, ops, 0, stream));
    ops[0].src.op.array.offset.x = 0;
    ops[0].dst.op.ptr.rowLength = 2;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, ops, 0, stream));
    ops[0].dst.op.ptr.rowLength = 3;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, ops, 1, stream));
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, ops, 0, 0));
    OK(cudaMemcpy3DBatchAsync(1, ops, 0, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaFreeArray(array));
    OK(cudaFree(device));
    OK(cudaStreamDestroy(stream));
}

int main()
{
    has_format<char>();
    has_format<uchar2>();
    has_format<short4>();
    has_format<unsigned short>();
    has_format<int2>();
    has_format<uint4>();
    has_format<float>();
    has_format<float4>();
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat), none = {}, wide = cudaCreateChannelDesc(64, 0, 0, 0, cudaChannelFormatKindSigned);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 8, 4));
    GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &none, 8, 4));
    GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &wide, 8, 4));
    GIVES(cudaErrorInvalidValue, cudaMallocArray(&array, nullptr, 8, 4));
    GIVES(cudaErrorInvalidValue, cudaMallocArray(nullptr, &desc, 8, 4));
    GIVES(cudaErrorInvalidValue, cudaMallocArray(&array, &desc, 0, 4));
    OK(cudaFreeArray(nullptr));

    // One row, layers, a cube's faces.
    cudaExtent extent = {};
    unsigned flags = 0;
    OK(cudaMallocArray(&array, &desc, 100));
    OK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    HOLDS(extent.width == 100 && extent.height == 0 && extent.depth == 0);
    OK(cudaFreeArray(array));
    OK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(16, 8, 3), cudaArrayLayered));
    OK(cudaArrayGetInfo(nullptr, &extent, &flags, array));
    HOLDS(extent.depth == 3 && flags == cudaArrayLayered);
    OK(cudaFreeArray(array));
    OK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(16, 16, 6), cudaArrayCubemap | cudaArraySurfaceLoadStore));
    OK(cudaArrayGetInfo(nullptr, nullptr, &flags, array));
    HOLDS(flags == (cudaArrayCubemap | cudaArraySurfaceLoadStore));
    OK(cudaFreeArray(array));
    GIVES(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &desc, make_cudaExtent(16, 8, 6), cudaArrayCubemap));
    rows_and_runs();
    boxes();
    mipmaps();
    batches();
    return report();
}
