namespace py {
// xoroshiro128+ by David Blackman and Sebastiano Vigna (public domain), with the rotations 55, 14, 36.
static __device__ inline uint64 rotl(uint64 x, uint32 k) { return (x << k) | (x >> ((64 - k) & 63)); }
static __device__ inline uint64 xoroshiro128p_next(uint64 *state)
{
    const uint64 s0 = state[0];
    uint64 s1 = state[1];
    const uint64 sum = s0 + s1;
    s1 ^= s0;
    state[0] = rotl(s0, 55) ^ s1 ^ (s1 << 14);
    state[1] = rotl(s1, 36);
    return sum;
}
// As far as 2 ** 64 numbers would go.
static __device__ inline void xoroshiro128p_jump(uint64 *state)
{
    uint64 s0 = 0, s1 = 0;
    for (int half = 0; half < 2; ++half) {
        const uint64 jump = half == 0 ? 0xbeac0467eba5facbull : 0xd86b048b86aa9922ull;
        for (int bit = 0; bit < 64; ++bit) {
            if (jump >> bit & 1) {
                s0 ^= state[0];
                s1 ^= state[1];
            }
            xoroshiro128p_next(state);
        }
    }
    state[0] = s0;
    state[1] = s1;
}
// SplitMix64, so that near seeds give far states.
static __device__ inline void init_xoroshiro128p_state(uint64 *state, uint64 seed)
{
    uint64 z = seed + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    state[0] = state[1] = z;
}
static __device__ inline float64 uint64_to_unit_float64(uint64 x) { return float64(x >> 11) * (1.0 / 9007199254740992.0); }
// Less than 1, to which the largest would be rounded.
static __device__ inline float32 uint64_to_unit_float32(uint64 x) { return ::fminf(float32(uint64_to_unit_float64(x)), 0x1.fffffep-1f); }
static __device__ inline float64 xoroshiro128p_uniform_float64(uint64 *state) { return uint64_to_unit_float64(xoroshiro128p_next(state)); }
static __device__ inline float32 xoroshiro128p_uniform_float32(uint64 *state) { return uint64_to_unit_float32(xoroshiro128p_next(state)); }
// Box and Muller's way, of two numbers of float32; the second result is not used.
static __device__ inline float32 xoroshiro128p_normal_float32(uint64 *state)
{
    const float32 a = xoroshiro128p_uniform_float32(state), b = xoroshiro128p_uniform_float32(state);
    return ::sqrtf(-2.0f * ::logf(a)) * ::cosf(6.2831854820251465f * b);
}
static __device__ inline float64 xoroshiro128p_normal_float64(uint64 *state)
{
    const float32 a = xoroshiro128p_uniform_float32(state), b = xoroshiro128p_uniform_float32(state);
    return ::sqrt(-2.0 * ::logf(a)) * ::cos(6.283185307179586 * b);
}
}
