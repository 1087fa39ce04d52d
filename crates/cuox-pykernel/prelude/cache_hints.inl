namespace py {
// PTX ISA, *Cache Operators*: by the element's size, in registers as wide or wider.
#define CUOX_LOAD(name, hint) \
    template <class T> static __device__ inline T name(const T *p) \
    { \
        const uint64 place = __cvta_generic_to_global(p); \
        if constexpr (sizeof(T) == 1) { \
            uint32 r; \
            asm volatile("ld.global." hint ".b8 %0, [%1];" : "=r"(r) : "l"(place) : "memory"); \
            return bits<T>(uint8(r)); \
        } else if constexpr (sizeof(T) == 2) { \
            uint16 r; \
            asm volatile("ld.global." hint ".b16 %0, [%1];" : "=h"(r) : "l"(place) : "memory"); \
            return bits<T>(r); \
        } else if constexpr (sizeof(T) == 4) { \
            uint32 r; \
            asm volatile("ld.global." hint ".b32 %0, [%1];" : "=r"(r) : "l"(place) : "memory"); \
            return bits<T>(r); \
        } else { \
            uint64 r; \
            asm volatile("ld.global." hint ".b64 %0, [%1];" : "=l"(r) : "l"(place) : "memory"); \
            return bits<T>(r); \
        } \
    }
CUOX_LOAD(ldca, "ca")
CUOX_LOAD(ldcg, "cg")
CUOX_LOAD(ldcs, "cs")
CUOX_LOAD(ldlu, "lu")
CUOX_LOAD(ldcv, "cv")
#undef CUOX_LOAD
#define CUOX_STORE(name, hint) \
    template <class T> static __device__ inline void name(T *p, T value) \
    { \
        const uint64 place = __cvta_generic_to_global(p); \
        if constexpr (sizeof(T) == 1) asm volatile("st.global." hint ".b8 [%0], %1;" : : "l"(place), "r"(uint32(bits<uint8>(value))) : "memory"); \
        else if constexpr (sizeof(T) == 2) asm volatile("st.global." hint ".b16 [%0], %1;" : : "l"(place), "h"(bits<uint16>(value)) : "memory"); \
        else if constexpr (sizeof(T) == 4) asm volatile("st.global." hint ".b32 [%0], %1;" : : "l"(place), "r"(bits<uint32>(value)) : "memory"); \
        else asm volatile("st.global." hint ".b64 [%0], %1;" : : "l"(place), "l"(bits<uint64>(value)) : "memory"); \
    }
CUOX_STORE(stcg, "cg")
CUOX_STORE(stcs, "cs")
CUOX_STORE(stwb, "wb")
CUOX_STORE(stwt, "wt")
#undef CUOX_STORE
}
