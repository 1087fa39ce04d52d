//! Moves, loads, stores and conversions.

use super::family;

family! {
    "Data Movement and Conversion Instructions: mov" Mov {
        [{V2|V4} [..MOVED]] V V;
    }
    "Data Movement and Conversion Instructions: ld" Ld {
        [{Weak} {..SPACE} {..LOAD_CACHE} {..VECTOR} [..STORED]] V A;
        [{Weak} {Global} {..LOAD_CACHE} [..PREFETCH_SIZE] {..VECTOR} [..STORED]] V A;
        [{Weak} {Global} {..LOAD_CACHE} [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A S;
        [{Weak} {Global} [..EVICT1] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A;
        [{Weak} {Global} [..EVICT1] [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A S;
        [{Weak} {Global} {..LOAD_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V4] [..LONGS]] V A OS;
        [{Weak} {Global} {..LOAD_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V8] [..WORDS]] V A OS;
        [[Volatile] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] V A;
        [[Volatile] {Global} [..PREFETCH_SIZE] {..VECTOR} [..STORED]] V A;
        [[Volatile] {Global} [..EVICT2] {..PREFETCH_SIZE} [V4] [..LONGS]] V A;
        [[Volatile] {Global} [..EVICT2] {..PREFETCH_SIZE} [V8] [..WORDS]] V A;
        [[Relaxed|Acquire] [..SCOPE] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] V A;
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A;
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A S;
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V4] [..LONGS]] V A OS;
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V8] [..WORDS]] V A OS;
        [[Mmio] [Relaxed] [Sys] {Global} [..STORED]] V A;
        [[Global] {Ca|Cg|Cs} [Nc] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A;
        [[Global] {Ca|Cg|Cs} [Nc] [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A S;
        [[Global] [Nc] [..EVICT1] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A;
        [[Global] [Nc] [..EVICT1] [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A S;
        [[Global] {Ca|Cg|Cs} [Nc] {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V4] [..LONGS]] V A OS;
        [[Global] {Ca|Cg|Cs} [Nc] {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V8] [..WORDS]] V A OS;
    }
    "Data Movement and Conversion Instructions: ldu" LdU {
        [{Global} {V2|V4} [..STORED]] V A;
    }
    "Data Movement and Conversion Instructions: st" St {
        [{Weak} {..STORE_SPACE} {..STORE_CACHE} {..VECTOR} [..STORED]] A V;
        [{Weak} {Global} {..STORE_CACHE} [L2CacheHint] {..VECTOR} [..STORED]] A V S;
        [{Weak} {Global} [..EVICT1] {..VECTOR} [..STORED]] A V;
        [{Weak} {Global} [..EVICT1] [L2CacheHint] {..VECTOR} [..STORED]] A V S;
        [{Weak} {Global} {..STORE_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} [V4] [..LONGS]] A V OS;
        [{Weak} {Global} {..STORE_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} [V8] [..WORDS]] A V OS;
        [[Volatile] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] A V;
        [[Volatile] {Global} [..EVICT2] [V4] [..LONGS]] A V;
        [[Volatile] {Global} [..EVICT2] [V8] [..WORDS]] A V;
        [[Relaxed|Release] [..SCOPE] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] A V;
        [[Relaxed|Release] [..SCOPE] {Global} [..EVICT1] {..VECTOR} [..STORED]] A V;
        [[Relaxed|Release] [..SCOPE] {Global} {..EVICT1} [L2CacheHint] {..VECTOR} [..STORED]] A V S;
        [[Relaxed|Release] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} [V4] [..LONGS]] A V OS;
        [[Relaxed|Release] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} [V8] [..WORDS]] A V OS;
        [[Mmio] [Relaxed] [Sys] {Global} [..STORED]] A V;
    }
    "Data Movement and Conversion Instructions: st.async" StAsync {
        [{Weak} {SharedCluster} {MbarrierComplete} {V2|V4} [B32|B64|U32|U64|S32|S64|F32|F64]] A V A;
        [[Mmio] [Release] [Gpu|Sys] {Global} [B8|B16|B32|B64|U8|U16|U32|U64|S8|S16|S32|S64|F32|F64]] A V;
    }
    "Data Movement and Conversion Instructions: st.bulk" StBulk {
        [{Weak} {Shared|SharedCta}] A S I;
    }
    "Data Movement and Conversion Instructions: cvt" Cvt {
        [[..INTEGERS] [..INTEGERS]] D S;
        [[Sat] [U8] [U16|U32|U64|S8|S16|S32|S64]] D S;
        [[Sat] [S8] [U8|U16|U32|U64|S16|S32|S64]] D S;
        [[Sat] [U16] [U32|U64|S8|S16|S32|S64]] D S;
        [[Sat] [S16] [U16|U32|U64|S32|S64]] D S;
        [[Sat] [U32] [U64|S8|S16|S32|S64]] D S;
        [[Sat] [S32] [U32|U64|S64]] D S;
        [[Sat] [U64] [S8|S16|S32|S64]] D S;
        [[Sat] [S64] [U64]] D S;
        [[..RND] {Ftz} {Sat} [F32] [..INTEGERS]] D S;
        [[..RND] {Sat} [F16|F64] [..INTEGERS]] D S;
        [[..RND] [Bf16] [..INTEGERS]] D S;
        [[..INTEGRAL] {Ftz} {Sat} [..INTEGERS] [F32]] D S;
        [[..INTEGRAL] {Sat} [..INTEGERS] [F16|F64]] D S;
        [[..INTEGRAL] [..INTEGERS] [Bf16]] D S;
        [{Ftz} {Sat} [F64] [F32]] D S;
        [{Ftz} {Sat} [F32] [F16|F32]] D S;
        [{Sat} [F64] [F16|F64]] D S;
        [{Sat} [F16] [F16]] D S;
        [{Ftz} [F32] [Bf16]] D S;
        [[F64|F16|Bf16] [Bf16]] D S;
        [[Bf16] [F16]] D S;
        [[..INTEGRAL] {Ftz} {Sat} [F32] [F32]] D S;
        [[..INTEGRAL] {Sat} [F64] [F64]] D S;
        [[..INTEGRAL] {Sat} [F16] [F16]] D S;
        [[..INTEGRAL] [Bf16] [Bf16]] D S;
        [[..RND] {Ftz} {Sat} [F32] [F64]] D S;
        [[..RND] {Ftz} {Sat} [F16] [F32]] D S;
        [[..RND] {Sat} [F16] [F64]] D S;
        [[..RND] {Ftz} [Bf16] [F32]] D S;
        [[..RND] [Bf16] [F16|F64]] D S;
        [[..RND] {Ftz} [F32] [Bf16]] D S;
        [[..RND] [F16|F64] [Bf16]] D S;
        [[Rn|Rz] {Relu} {Satfinite} [F16|Bf16] [F32]] D S;
        [[Rna] {Satfinite} [Tf32] [F32]] D S;
        [[Rn|Rz] {Relu} {Satfinite} [Tf32] [F32]] D S;
        [[Rn|Rz] {Relu} {Satfinite} [F16x2|Bf16x2] [F32]] D S S;
        [[Rs] {Relu} {Satfinite} [F16x2|Bf16x2] [F32]] D S S S;
        [[Rn] [Satfinite] {Relu} [E4m3x2|E5m2x2|E2m1x2|E2m3x2|E3m2x2] [F32]] D S S;
        [[Rn] [Satfinite] {Relu} [E4m3x2|E5m2x2] [F16x2]] D S;
        [[Rz|Rp] {Satfinite} [Ue8m0x2] [F32]] D S S;
        [[Rz|Rp] {Satfinite} [Ue8m0x2] [Bf16x2]] D S;
        [[Rs] {Relu} [Satfinite] [E4m3x4|E5m2x4|E2m1x4|E2m3x4|E3m2x4] [F32]] D V S;
        [[Rn] {Relu} [F16x2] [E4m3x2|E5m2x2|E2m1x2|E2m3x2|E3m2x2]] D S;
        [[Rn] [Bf16x2] [Ue8m0x2]] D S;
        [{Rn} {Satfinite} {Relu} [Scaled] [F16x2|Bf16x2] [..NARROW]] D S OS;
    }
    "Data Movement and Conversion Instructions: cvt.pack" CvtPack {
        [[Sat] [U16|S16] [S32]] D S S;
        [[Sat] [U8|S8|U4|S4|U2|S2] [S32] [B32]] D S S S;
    }
    "Data Movement and Conversion Instructions: cvta" Cvta {
        [{To} [..GENERIC_SPACE] [U32|U64]] D S;
    }
    "Data Movement and Conversion Instructions: isspacep" Isspacep { [[..GENERIC_SPACE]] D S; }
    "Data Movement and Conversion Instructions: prefetch" Prefetch {
        [{Global|Local} [L1|L2]] A;
        [[Global] [L2EvictLast|L2EvictNormal]] A;
        [{Const|Param} [TensorMap]] A;
    }
    "Data Movement and Conversion Instructions: prefetchu" PrefetchU { [[L1]] A; }
    "Data Movement and Conversion Instructions: mapa" MapA {
        [{SharedCluster} [U32|U64]] D S S;
    }
    "Data Movement and Conversion Instructions: getctarank" GetCtaRank {
        [{SharedCluster} [U32|U64]] D S;
    }
    "Data Movement and Conversion Instructions: applypriority" ApplyPriority {
        [{Global} [L2EvictNormal]] A S;
    }
    "Data Movement and Conversion Instructions: discard" Discard { [{Global} [L2]] A S; }
    "Data Movement and Conversion Instructions: createpolicy" CreatePolicy {
        [[Fractional] [L2EvictLast|L2EvictNormal|L2EvictFirst|L2EvictUnchanged] {L2EvictFirst|L2EvictUnchanged} [B64]] D OS;
        [[Range] {Global} [L2EvictLast|L2EvictNormal|L2EvictFirst|L2EvictUnchanged] {L2EvictFirst|L2EvictUnchanged} [B64]] D A S S;
        [[CvtPolicy] [L2] [B64]] D S;
    }
}
