// # Texture and surface functions of CUDA C++ on images of which each texel is its own number.
// # The values follow from the formulas of the CUDA C++ Programming Guide, "Texture Fetching".
// run: kernel=fetch1d threads=8 block=8
// texture t: f32[8] memory = iota
// out r: f32[8]
// expect r = 7 6 5 4 3 2 1 0
// run: kernel=points threads=8 block=8
// texture t: f32x4[4,2] = iota
// out r: f32[32]
// expect r = iota
// run: kernel=between threads=8 block=8
// # x from 0.5 in steps of a quarter; at 0.5 and 1 lie the first texel's middle and the first edge.
// texture t: f32[4] linear = 0 1 2 3
// out r: f32[8]
// expect r = 0 0.25 0.5 0.75 1 1.25 1.5 1.75
// run: kernel=wrapped threads=8 block=8
// # x = (n + 0.5) / 4 - 1 repeats every four.
// texture t: f32[4] linear normalized wrap = 0 1 2 3
// out r: f32[8]
// expect r = 0 1 2 3 0 1 2 3
// run: kernel=wrapped threads=8 block=8
// # The image before the first is the mirror image.
// texture t: f32[4] normalized mirror = 0 1 2 3
// out r: f32[8]
// expect r = 3 2 1 0 0 1 2 3
// run: kernel=wrapped threads=8 block=8
// texture t: f32[4] normalized border = 0 1 2 3
// out r: f32[8]
// expect r = 0.25*4 0 1 2 3
// run: kernel=bytes threads=4 block=4
// # 8-bit integers as fractions of the largest.
// texture t: u8x4[2,2] = 0 51 102 255 255 255 0 0 0 0 255 0 51 51 51 51
// out r: f32[16]
// expect r = 0 0.2 0.4 1 1 1 0 0 0 0 1 0 0.2 0.2 0.2 0.2
// run: kernel=integers threads=4 block=4
// texture t: s16x2[2,2] integers = 1 -1 2 -2 3 -3 32767 -32768
// out r: s32[8]
// expect r = 1 -1 2 -2 3 -3 32767 -32768
// run: kernel=layers threads=8 block=8
// texture t: f32[2,2,2] layered = iota
// out r: f32[8]
// expect r = iota
// run: kernel=cube threads=6 block=6
// # The middle of each face of a cube.
// texture t: f32[1,1,6] cube normalized = iota
// out r: f32[6]
// expect r = iota
// run: kernel=solid threads=8 block=8
// texture t: f32[2,2,2] linear = iota
// out r: f32[8]
// expect r = iota
// run: kernel=middle threads=1 block=1
// # The mean of all eight texels.
// texture t: f32[2,2,2] linear = iota
// out r: f32[1]
// expect r = 3.5
// run: kernel=gathered threads=4 block=4
// # Lower left, lower right, upper right, upper left: for each channel.
// texture t: f32x4[2,2] = iota
// out r: f32[16]
// expect r = 8 12 4 0 9 13 5 1 10 14 6 2 11 15 7 3
// run: kernel=sizes threads=1 block=1
// texture t: f32[5,4,3] = 0*60
// out r: s32[3]
// expect r = 5 4 3
// run: kernel=turned threads=8 block=8
// surface a: u32[4,2] = iota
// surface b: u32[2,4] = 0*8
// expect a = iota
// expect b = 0 4 1 5 2 6 3 7
// run: kernel=edges threads=6 block=6
// # Outside, a load of `zero` gives nothing and one of `clamp` the nearest element.
// surface a: u32[4] = 7 8 9 10
// out r: u32[12]
// expect a = 7 8 9 10
// expect r = 0 7 8 9 10 0 7 7 8 9 10 10
// run: kernel=deep threads=8 block=8
// surface a: f32x2[2,2,2] = 0*16
// expect a = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
extern "C" __global__ void fetch1d(cudaTextureObject_t t, float *r) {
    r[threadIdx.x] = tex1Dfetch<float>(t, 7 - threadIdx.x);
}
extern "C" __global__ void points(cudaTextureObject_t t, float4 *r) {
    int n = threadIdx.x;
    r[n] = tex2D<float4>(t, n % 4 + 0.5f, n / 4 + 0.5f);
}
extern "C" __global__ void between(cudaTextureObject_t t, float *r) {
    r[threadIdx.x] = tex1D<float>(t, 0.5f + threadIdx.x * 0.25f);
}
extern "C" __global__ void wrapped(cudaTextureObject_t t, float *r) {
    r[threadIdx.x] = tex1D<float>(t, (threadIdx.x + 0.5f) / 4 - 1);
}
extern "C" __global__ void bytes(cudaTextureObject_t t, float4 *r) {
    int n = threadIdx.x;
    r[n] = tex2D<float4>(t, n % 2 + 0.5f, n / 2 + 0.5f);
}
extern "C" __global__ void integers(cudaTextureObject_t t, int2 *r) {
    int n = threadIdx.x;
    short2 v = tex2D<short2>(t, n % 2, n / 2);
    r[n] = make_int2(v.x, v.y);
}
extern "C" __global__ void layers(cudaTextureObject_t t, float *r) {
    int n = threadIdx.x;
    r[n] = tex2DLayered<float>(t, n % 2, n / 2 % 2, n / 4);
}
extern "C" __global__ void cube(cudaTextureObject_t t, float *r) {
    int n = threadIdx.x;
    float one = n % 2 ? -1 : 1;
    r[n] = texCubemap<float>(t, n / 2 == 0 ? one : 0, n / 2 == 1 ? one : 0, n / 2 == 2 ? one : 0);
}
extern "C" __global__ void solid(cudaTextureObject_t t, float *r) {
    int n = threadIdx.x;
    r[n] = tex3D<float>(t, n % 2 + 0.5f, n / 2 % 2 + 0.5f, n / 4 + 0.5f);
}
extern "C" __global__ void middle(cudaTextureObject_t t, float *r) { *r = tex3D<float>(t, 1, 1, 1); }
extern "C" __global__ void gathered(cudaTextureObject_t t, float4 *r) {
    switch (threadIdx.x) {
    case 0: r[0] = tex2Dgather<float4>(t, 1, 1, 0); break;
    case 1: r[1] = tex2Dgather<float4>(t, 1, 1, 1); break;
    case 2: r[2] = tex2Dgather<float4>(t, 1, 1, 2); break;
    case 3: r[3] = tex2Dgather<float4>(t, 1, 1, 3); break;
    }
}
extern "C" __global__ void sizes(cudaTextureObject_t t, int *r) {
    asm("txq.width.b32 %0, [%1];" : "=r"(r[0]) : "l"(t));
    asm("txq.height.b32 %0, [%1];" : "=r"(r[1]) : "l"(t));
    asm("txq.depth.b32 %0, [%1];" : "=r"(r[2]) : "l"(t));
}
extern "C" __global__ void turned(cudaSurfaceObject_t a, cudaSurfaceObject_t b) {
    int x = threadIdx.x % 4, y = threadIdx.x / 4;
    surf2Dwrite(surf2Dread<unsigned>(a, x * 4, y), b, y * 4, x);
}
extern "C" __global__ void edges(cudaSurfaceObject_t a, unsigned *r) {
    int x = ((int)threadIdx.x - 1) * 4;
    r[threadIdx.x] = surf1Dread<unsigned>(a, x, cudaBoundaryModeZero);
    r[threadIdx.x + 6] = surf1Dread<unsigned>(a, x, cudaBoundaryModeClamp);
}
extern "C" __global__ void deep(cudaSurfaceObject_t a) {
    int n = threadIdx.x;
    surf3Dwrite(make_float2(2 * n, 2 * n + 1), a, n % 2 * 8, n / 2 % 2, n / 4);
}
