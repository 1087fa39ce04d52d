namespace py {
static __device__ inline uint32 lanemask_lt()
{
    uint32 mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
static __device__ inline bool eq_sync(uint32 mask, bool test)
{
    uint32 votes = __ballot_sync(mask, test) & mask;
    return votes == 0 || votes == mask;
}
// A value of any number type, in words of 32 bits.
template <class T, class F> static __device__ inline T shuffled(T value, F each)
{
    const int words = (sizeof(T) + 3) / 4;
    union { T value; uint32 word[words]; } all = {};
    all.value = value;
#pragma unroll
    for (int i = 0; i < words; ++i) all.word[i] = each(all.word[i]);
    return all.value;
}
template <class T> static __device__ inline T shuffle_from(uint32 mask, T value, int32 lane) { return shuffled(value, [=](uint32 word) { return __shfl_sync(mask, word, lane); }); }
template <class T> static __device__ inline T shuffle_up(uint32 mask, T value, int32 delta) { return shuffled(value, [=](uint32 word) { return __shfl_up_sync(mask, word, delta); }); }
template <class T> static __device__ inline T shuffle_down(uint32 mask, T value, int32 delta) { return shuffled(value, [=](uint32 word) { return __shfl_down_sync(mask, word, delta); }); }
template <class T> static __device__ inline T shuffle_xor(uint32 mask, T value, int32 lanes) { return shuffled(value, [=](uint32 word) { return __shfl_xor_sync(mask, word, lanes); }); }
}
