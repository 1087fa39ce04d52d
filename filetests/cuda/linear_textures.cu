// # Fetches from linear memory by whole warps, by some of their lanes, and from several textures at once.
// run: kernel=row threads=96 block=96
// texture t: f32[64] memory = iota
// out r: f32[96]
// expect r = 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=pairs threads=96 block=96
// texture t: f32x2[50] memory = iota
// texture u: f32x2[10] memory = iota
// out r: f32[96]
// expect r = 0 -1 0 0 -1 302 504 -1 908 1110 -1 1514 1716 -1 2120 0 -1 2726 2928 -1 0 3534 -1 3938 4140 -1 4544 4746 -1 5150 0 -1 5756 5958 -1 0 6564 -1 6968 7170 -1 7574 7776 -1 8180 0 -1 8786 8988 -1 0 9594 -1 9998 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0 0 -1 0
// run: kernel=fours threads=96 block=96
// texture t: f32x4[80] memory = iota
// texture u: u8x4[60] memory = iota
// out r: f32[96]
// expect r = 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248 256 264 272 280 288 296 304 312 320 328 336 344 352 360 368 376 384 392 400 408 416 424 432 440 448 456 464 472 0 488 0 504 0 520 0 536 0 552 0 568 0 584 0 600 0 616 0 632 0 0 0 0 0 0 0 0 0 0 7 7 7 7 7 7
// run: kernel=backwards threads=64 block=64
// texture t: s32[40] memory integers = iota
// out r: s32[64]
// expect r = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
extern "C" __global__ void row(cudaTextureObject_t t, float *r)
{
    int i = threadIdx.x;
    r[i] = tex1Dfetch<float>(t, i + 3);
}
extern "C" __global__ void pairs(cudaTextureObject_t t, cudaTextureObject_t u, float *r)
{
    int i = threadIdx.x;
    float s = -1;
    if (i % 3 != 1) {
        float2 v = tex1Dfetch<float2>(i % 5 ? t : u, i - 4);
        s = v.x + 100 * v.y;
    }
    r[i] = s;
}
extern "C" __global__ void fours(cudaTextureObject_t t, cudaTextureObject_t u, float *r)
{
    int i = threadIdx.x;
    float s = 7;
    if (i < 90) {
        float4 v = tex1Dfetch<float4>(i % 2 ? t : u, i);
        s = v.x + v.y + v.z - v.w;
        if (i % 2 == 0) s = rintf(255 * s);
    }
    r[i] = s;
}
extern "C" __global__ void backwards(cudaTextureObject_t t, int *r)
{
    int i = threadIdx.x;
    r[i] = tex1Dfetch<int>(t, 63 - i);
}
