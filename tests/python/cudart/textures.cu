// Texture and surface objects: all kinds of resources, what a description becomes, and what reads see.
#include "check.h"
#include <cmath>
#include <cstring>
#include <vector>

template <class T> __global__ void read_1d(cudaTextureObject_t t, T *out, int n)
{
    for (int i = 0; i < n; ++i)
        out[i] = tex1Dfetch<T>(t, i);
}

template <class T> __global__ void read_2d(cudaTextureObject_t t, const float2 *at, T *out, int n)
{
    for (int i = 0; i < n; ++i)
        out[i] = tex2D<T>(t, at[i].x, at[i].y);
}

__global__ void read_3d(cudaTextureObject_t t, float *out)
{
    out[0] = tex3D<float>(t, 1.5f, 2.5f, 3.5f);
    out[1] = tex3D<float>(t, 2.f, 1.5f, 1.5f);
}

__global__ void read_layer(cudaTextureObject_t t, float *out)
{
    out[0] = tex2DLayered<float>(t, 1.5f, 0.5f, 2);
}

__global__ void read_level(cudaTextureObject_t t, float *out)
{
    for (int level = 0; level < 3; ++level)
        out[level] = tex2DLod<float>(t, 0.5f, 0.5f, (float)level);
    out[3] = tex2DLod<float>(t, 0.5f, 0.5f, 0.5f);
}

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h)
{
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            surf2Dwrite(surf2Dread<float>(from, x * 4, y), to, (w - 1 - x) * 4, h - 1 - y);
}

static cudaResourceDesc of(cudaArray_t array)
{
    cudaResourceDesc desc = {};
    desc.resType = cudaResourceTypeArray;
    desc.res.array.array = array;
    return desc;
}

template <class T> static std::vector<T> read(cudaTextureObject_t t, const std::vector<float2> &at)
{
    float2 *places;
    T *out;
    std::vector<T> host(at.size());
    OK(cudaMalloc(&places, at.size() * sizeof(float2)));
    OK(cudaMalloc(&out, at.size() * sizeof(T)));
    OK(cudaMemcpy(places, at.data(), at.size() * sizeof(float2), cudaMemcpyHostToDevice));
    read_2d<T><<<1, 1>>>(t, places, out, (int)at.size());
    OK(cudaMemcpy(host.data(), out, at.size() * sizeof(T), cudaMemcpyDeviceToHost));
    OK(cudaFree(places));
    OK(cudaFree(out));
    return host;
}

static bool near(float a, float b)
{
    return std::fabs(a - b) < 0.01f;
}

static void linear()
{
    int4 host[8], back[8];
    for (int i = 0; i < 8; ++i)
        host[i] = {i, -i, 2 * i, 1 << i};
    int4 *memory, *out;
    OK(cudaMalloc(&memory, sizeof host));
    OK(cudaMalloc(&out, sizeof host));
    OK(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
    cudaResourceDesc desc = {};
    desc.resType = cudaResourceTypeLinear;
    desc.res.linear.devPtr = memory;
    desc.res.linear.desc = cudaCreateChannelDesc<int4>();
    desc.res.linear.sizeInBytes = sizeof host;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    read_1d<<<1, 1>>>(t, out, 8);
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    HOLDS(memcmp(host, back, sizeof host) == 0);
    cudaResourceDesc found = {};
    OK(cudaGetTextureObjectResourceDesc(&found, t));
    HOLDS(found.resType == cudaResourceTypeLinear && found.res.linear.devPtr == memory && found.res.linear.sizeInBytes == sizeof host);
    HOLDS(found.res.linear.desc.x == 32 && found.res.linear.desc.w == 32 && found.res.linear.desc.f == cudaChannelFormatKindSigned);
    OK(cudaDestroyTextureObject(t));

    // Bytes as fractions.
    unsigned char bytes[4] = {0, 51, 102, 255};
    OK(cudaMemcpy(memory, bytes, 4, cudaMemcpyHostToDevice));
    desc.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    desc.res.linear.sizeInBytes = 4;
    how.readMode = cudaReadModeNormalizedFloat;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    read_1d<<<1, 1>>>(t, (float *)out, 4);
    float fractions[4];
    OK(cudaMemcpy(fractions, out, sizeof fractions, cudaMemcpyDeviceToHost));
    HOLDS(near(fractions[0], 0) && near(fractions[1], 0.2f) && near(fractions[2], 0.4f) && near(fractions[3], 1));
    cudaTextureDesc was = {};
    OK(cudaGetTextureObjectTextureDesc(&was, t));
    HOLDS(was.readMode == cudaReadModeNormalizedFloat && was.filterMode == cudaFilterModePoint && !was.normalizedCoords);
    OK(cudaDestroyTextureObject(t));
    size_t most = 0;
    OK(cudaDeviceGetTexture1DLinearMaxWidth(&most, &desc.res.linear.desc, 0));
    HOLDS(most >= 1 << 27);
    OK(cudaFree(memory));
    OK(cudaFree(out));
}

static void flat()
{
    float host[4][8];
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x)
            host[y][x] = (float)(10 * y + x);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    OK(cudaMallocArray(&array, &format, 8, 4));
    OK(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice));
    cudaResourceDesc desc = of(array);
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    auto seen = read<float>(t, {{0.5f, 0.5f}, {3.5f, 2.5f}, {-5, -5}, {99, 99}});
    HOLDS(seen[0] == 0 && seen[1] == 23 && seen[2] == 0 && seen[3] == 37);
    cudaResourceDesc found = {};
    OK(cudaGetTextureObjectResourceDesc(&found, t));
    HOLDS(found.resType == cudaResourceTypeArray && found.res.array.array == array);
    OK(cudaDestroyTextureObject(t));

    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    how.addressMode[0] = cudaAddressModeWrap;
    how.addressMode[1] = cudaAddressModeMirror;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    seen = read<float>(t, {{0.25f, 0.5f}, {1.3125f, 0.375f}, {0.3125f, 1.625f}});
    HOLDS(near(seen[0], 16.5f) && near(seen[1], 12) && near(seen[2], 12));
    cudaTextureDesc was = {};
    OK(cudaGetTextureObjectTextureDesc(&was, t));
    HOLDS(was.filterMode == cudaFilterModeLinear && was.normalizedCoords && was.addressMode[0] == cudaAddressModeWrap && was.addressMode[1] == cudaAddressModeMirror);
    HOLDS(was.readMode == cudaReadModeElementType && was.maxAnisotropy == 0 && !was.sRGB);
    OK(cudaDestroyTextureObject(t));

    how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    how.borderColor[0] = 5;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    seen = read<float>(t, {{-0.5f, 0.5f}, {7.5f, 3.5f}, {7.5f, 4.5f}});
    HOLDS(seen[0] == 5 && seen[1] == 37 && seen[2] == 5);
    OK(cudaDestroyTextureObject(t));

    // A view of four bytes as another format of that size.
    cudaResourceViewDesc view = {}, viewed = {};
    view.format = cudaResViewFormatUnsignedInt1;
    view.width = 8;
    view.height = 4;
    how = {};
    OK(cudaCreateTextureObject(&t, &desc, &how, &view));
    OK(cudaGetTextureObjectResourceViewDesc(&viewed, t));
    HOLDS(viewed.format == view.format && viewed.width == 8 && viewed.height == 4);
    HOLDS(read<unsigned>(t, {{1.5f, 0.5f}})[0] == 0x3f800000);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));

    // Rows in memory.
    short *rows;
    size_t pitch;
    OK(cudaMallocPitch(&rows, &pitch, 20, 3));
    short numbers[3][10];
    for (int i = 0; i < 30; ++i)
        numbers[0][i] = (short)(-i);
    OK(cudaMemcpy2D(rows, pitch, numbers, 20, 20, 3, cudaMemcpyHostToDevice));
    desc = {};
    desc.resType = cudaResourceTypePitch2D;
    desc.res.pitch2D.devPtr = rows;
    desc.res.pitch2D.desc = cudaCreateChannelDesc<short>();
    desc.res.pitch2D.width = 10;
    desc.res.pitch2D.height = 3;
    desc.res.pitch2D.pitchInBytes = pitch;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    auto whole = read<short>(t, {{0.5f, 0.5f}, {9.5f, 2.5f}});
    HOLDS(whole[0] == 0 && whole[1] == -29);
    OK(cudaGetTextureObjectResourceDesc(&found, t));
    HOLDS(found.resType == cudaResourceTypePitch2D && found.res.pitch2D.devPtr == rows && found.res.pitch2D.width == 10 && found.res.pitch2D.height == 3 &&
          found.res.pitch2D.pitchInBytes == pitch && found.res.pitch2D.desc.x == 16);
    OK(cudaDestroyTextureObject(t));
    how.readMode = cudaReadModeElementType;
    how.filterMode = cudaFilterModeLinear;
    GIVES(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&t, &desc, &how, nullptr));
    how.readMode = cudaReadModeNormalizedFloat;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    HOLDS(near(read<float>(t, {{10, 2.5f}})[0], -29 / 32767.f));
    OK(cudaDestroyTextureObject(t));
    desc.res.pitch2D.desc = cudaCreateChannelDesc<int>();
    desc.res.pitch2D.width = 5;
    how.filterMode = cudaFilterModePoint;
    GIVES(cudaErrorInvalidNormSetting, cudaCreateTextureObject(&t, &desc, &how, nullptr));
    desc.res.pitch2D.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    how.readMode = cudaReadModeElementType;
    GIVES(cudaErrorInvalidChannelDescriptor, cudaCreateTextureObject(&t, &desc, &how, nullptr));
    OK(cudaFree(rows));
}

static void deep()
{
    static float host[4][4][4];
    for (int i = 0; i < 64; ++i)
        host[0][0][i] = (float)i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    float *out, seen[4];
    OK(cudaMalloc(&out, sizeof seen));
    for (unsigned flags : {0u, (unsigned)cudaArrayLayered}) {
        cudaArray_t array;
        OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 4), flags));
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(host, 16, 4, 4);
        p.dstArray = array;
        p.extent = make_cudaExtent(4, 4, 4);
        p.kind = cudaMemcpyHostToDevice;
        OK(cudaMemcpy3D(&p));
        cudaResourceDesc desc = of(array);
        cudaTextureObject_t t;
        OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
        if (flags)
            read_layer<<<1, 1>>>(t, out);
        else
            read_3d<<<1, 1>>>(t, out);
        OK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
        if (flags)
            HOLDS(near(seen[0], 33));
        else
            HOLDS(near(seen[0], 57) && near(seen[1], 21.5f));
        OK(cudaDestroyTextureObject(t));
        OK(cudaFreeArray(array));
    }

    cudaMipmappedArray_t mipmap;
    OK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 3));
    for (unsigned level = 0; level < 3; ++level) {
        cudaArray_t array;
        OK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
        unsigned size = 8 >> level;
        std::vector<float> all(size * size, (float)(level + 1));
        OK(cudaMemcpy2DToArray(array, 0, 0, all.data(), size * 4, size * 4, size, cudaMemcpyHostToDevice));
    }
    cudaResourceDesc desc = {};
    desc.resType = cudaResourceTypeMipmappedArray;
    desc.res.mipmap.mipmap = mipmap;
    how.normalizedCoords = 1;
    how.mipmapFilterMode = cudaFilterModeLinear;
    how.maxMipmapLevelClamp = 2;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &desc, &how, nullptr));
    read_level<<<1, 1>>>(t, out);
    OK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
    HOLDS(near(seen[0], 1) && near(seen[1], 2) && near(seen[2], 3) && near(seen[3], 1.5f));
    cudaResourceDesc found = {};
    OK(cudaGetTextureObjectResourceDesc(&found, t));
    HOLDS(found.resType == cudaResourceTypeMipmappedArray && found.res.mipmap.mipmap == mipmap);
    cudaTextureDesc was = {};
    OK(cudaGetTextureObjectTextureDesc(&was, t));
    HOLDS(was.mipmapFilterMode == cudaFilterModeLinear && was.maxMipmapLevelClamp == 2 && was.minMipmapLevelClamp == 0 && was.mipmapLevelBias == 0);
    OK(cudaDestroyTextureObject(t));
    cudaSurfaceObject_t s;
    GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(&s, &desc));
    OK(cudaFreeMipmappedArray(mipmap));
    OK(cudaFree(out));
}

static void surfaces()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t a, b, plain;
    OK(cudaMallocArray(&a, &format, 5, 3, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&b, &format, 5, 3, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&plain, &format, 5, 3));
    float host[15], back[15];
    for (int i = 0; i < 15; ++i)
        host[i] = (float)i;
    OK(cudaMemcpy2DToArray(a, 0, 0, host, 20, 20, 3, cudaMemcpyHostToDevice));
    cudaResourceDesc from = of(a), to = of(b), neither = of(plain);
    cudaSurfaceObject_t in, out;
    OK(cudaCreateSurfaceObject(&in, &from));
    OK(cudaCreateSurfaceObject(&out, &to));
    turn<<<1, 1>>>(in, out, 5, 3);
    OK(cudaMemcpy2DFromArray(back, 20, b, 0, 0, 20, 3, cudaMemcpyDeviceToHost));
    bool turned = true;
    for (int i = 0; i < 15; ++i)
        turned = turned && back[i] == host[14 - i];
    HOLDS(turned);
    cudaResourceDesc found = {};
    OK(cudaGetSurfaceObjectResourceDesc(&found, out));
    HOLDS(found.resType == cudaResourceTypeArray && found.res.array.array == b);
    OK(cudaDestroySurfaceObject(in));
    OK(cudaDestroySurfaceObject(out));
    GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(nullptr, &to));
    GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(&out, nullptr));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));

    // What a texture cannot be made of.
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(nullptr, &neither, &how, nullptr));
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&t, nullptr, &how, nullptr));
    neither.resType = (cudaResourceType)9;
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &neither, &how, nullptr));
    OK(cudaFreeArray(plain));
}

int main()
{
    linear();
    flat();
    deep();
    surfaces();
    OK(cudaDeviceSynchronize());
    return report();
}
