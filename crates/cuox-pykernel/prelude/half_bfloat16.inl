namespace py {
template <char mode> struct toward<bfloat16, mode> {
    static __device__ inline bfloat16 of(float x)
    {
        if constexpr (mode == 'n') return bfloat16(x);
        const uint32 word = __float_as_uint(x);
        bfloat16 r;
        // The upper half is what is nearer to zero; its next number is away from it, infinity behind the last.
        const bool is_away = (word & 0xffff) && (mode == 'd' && word >> 31 || mode == 'u' && !(word >> 31));
        r.bits = x != x ? 0x7fff : uint16((word >> 16) + ((word & 0x7f800000) != 0x7f800000 && is_away));
        return r;
    }
};
}
