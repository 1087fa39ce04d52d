//! Moves, loads, stores and conversions.

use super::family;

family! {
    "Data Movement and Conversion Instructions: mov" Mov {
        [{V2|V4} [..MOVED]] W(T0) M;
    }
    "Data Movement and Conversion Instructions: ld" Ld {
        [{Weak} {..SPACE} {..LOAD_CACHE} {..VECTOR} [..STORED]] W(L0) A;
        [{Weak} {Global} {..LOAD_CACHE} [..PREFETCH_SIZE] {..VECTOR} [..STORED]] W(L0) A;
        [{Weak} {Global} {..LOAD_CACHE} [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A S(U64);
        [{Weak} {Global} [..EVICT1] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A;
        [{Weak} {Global} [..EVICT1] [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A S(U64);
        [{Weak} {Global} {..LOAD_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V4] [..LONGS]] W(L0) A OS(U64);
        [{Weak} {Global} {..LOAD_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V8] [..WORDS]] W(L0) A OS(U64);
        [[Volatile] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] W(L0) A;
        [[Volatile] [Local] {..VECTOR} [..STORED]] W(L0) A; // since PTX ISA 9.1
        [[Volatile] {Global} [..PREFETCH_SIZE] {..VECTOR} [..STORED]] W(L0) A;
        [[Volatile] {Global} [..EVICT2] {..PREFETCH_SIZE} [V4] [..LONGS]] W(L0) A;
        [[Volatile] {Global} [..EVICT2] {..PREFETCH_SIZE} [V8] [..WORDS]] W(L0) A;
        [[Relaxed|Acquire] [..SCOPE] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] W(L0) A;
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A;
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A S(U64);
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V4] [..LONGS]] W(L0) A OS(U64);
        [[Relaxed|Acquire] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V8] [..WORDS]] W(L0) A OS(U64);
        [[Mmio] [Relaxed] [Sys] {Global} [..STORED]] W(L0) A;
        [[Global] {Ca|Cg|Cs} [Nc] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A;
        [[Global] {Ca|Cg|Cs} [Nc] [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A S(U64);
        [[Global] [Nc] [..EVICT1] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A;
        [[Global] [Nc] [..EVICT1] [L2CacheHint] {..PREFETCH_SIZE} {..VECTOR} [..STORED]] W(L0) A S(U64);
        [[Global] {Ca|Cg|Cs} [Nc] {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V4] [..LONGS]] W(L0) A OS(U64);
        [[Global] {Ca|Cg|Cs} [Nc] {..EVICT1} [..EVICT2] {L2CacheHint} {..PREFETCH_SIZE} [V8] [..WORDS]] W(L0) A OS(U64);
    }
    "Data Movement and Conversion Instructions: ldu" LdU {
        [{Global} {V2|V4} [..STORED]] W(L0) A;
    }
    "Data Movement and Conversion Instructions: st" St {
        [{Weak} {..STORE_SPACE} {..STORE_CACHE} {..VECTOR} [..STORED]] A V(L0);
        [{Weak} {Global} {..STORE_CACHE} [L2CacheHint] {..VECTOR} [..STORED]] A V(L0) S(U64);
        [{Weak} {Global} [..EVICT1] {..VECTOR} [..STORED]] A V(L0);
        [{Weak} {Global} [..EVICT1] [L2CacheHint] {..VECTOR} [..STORED]] A V(L0) S(U64);
        [{Weak} {Global} {..STORE_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} [V4] [..LONGS]] A V(L0) OS(U64);
        [{Weak} {Global} {..STORE_CACHE} {..EVICT1} [..EVICT2] {L2CacheHint} [V8] [..WORDS]] A V(L0) OS(U64);
        [[Volatile] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] A V(L0);
        [[Volatile] [Local] {..VECTOR} [..STORED]] A V(L0); // since PTX ISA 9.1
        [[Volatile] {Global} [..EVICT2] [V4] [..LONGS]] A V(L0);
        [[Volatile] {Global} [..EVICT2] [V8] [..WORDS]] A V(L0);
        [[Relaxed|Release] [..SCOPE] {..GLOBAL_SHARED} {..VECTOR} [..STORED]] A V(L0);
        [[Relaxed|Release] [..SCOPE] {Global} [..EVICT1] {..VECTOR} [..STORED]] A V(L0);
        [[Relaxed|Release] [..SCOPE] {Global} {..EVICT1} [L2CacheHint] {..VECTOR} [..STORED]] A V(L0) S(U64);
        [[Relaxed|Release] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} [V4] [..LONGS]] A V(L0) OS(U64);
        [[Relaxed|Release] [..SCOPE] {Global} {..EVICT1} [..EVICT2] {L2CacheHint} [V8] [..WORDS]] A V(L0) OS(U64);
        [[Mmio] [Relaxed] [Sys] {Global} [..STORED]] A V(L0);
    }
    "Data Movement and Conversion Instructions: st.async" StAsync {
        [{Weak} {SharedCluster} {MbarrierComplete} {V2|V4} [B32|B64|U32|U64|S32|S64|F32|F64]] A V A;
        [[Mmio] [Release] [Gpu|Sys] {Global} [B8|B16|B32|B64|U8|U16|U32|U64|S8|S16|S32|S64|F32|F64]] A V;
    }
    "Data Movement and Conversion Instructions: st.bulk" StBulk {
        [{Weak} {Shared|SharedCta}] A S(U64) I;
    }
    "Data Movement and Conversion Instructions: cvt" Cvt {
        [[..INTEGERS] [..INTEGERS]] D(L0) C(L1);
        [[Sat] [U8] [U16|U32|U64|S8|S16|S32|S64]] D(L0) C(L1);
        [[Sat] [S8] [U8|U16|U32|U64|S16|S32|S64]] D(L0) C(L1);
        [[Sat] [U16] [U32|U64|S8|S16|S32|S64]] D(L0) C(L1);
        [[Sat] [S16] [U16|U32|U64|S32|S64]] D(L0) C(L1);
        [[Sat] [U32] [U64|S8|S16|S32|S64]] D(L0) C(L1);
        [[Sat] [S32] [U32|U64|S64]] D(L0) C(L1);
        [[Sat] [U64] [S8|S16|S32|S64]] D(L0) C(L1);
        [[Sat] [S64] [U64]] D(L0) C(L1);
        [[..RND] {Ftz} {Sat} [F32] [..INTEGERS]] D(L0) S(L1);
        [[..RND] {Sat} [F16|F64] [..INTEGERS]] D(L0) S(L1);
        [[..RND] [Bf16] [..INTEGERS]] D S(T1);
        [[..INTEGRAL] {Ftz} {Sat} [..INTEGERS] [F32]] D(L0) S(L1);
        [[..INTEGRAL] {Sat} [..INTEGERS] [F16|F64]] D(L0) S(L1);
        [[..INTEGRAL] [..INTEGERS] [Bf16]] D S(T1);
        [{Ftz} {Sat} [F64] [F32]] D(L0) S(L1);
        [{Ftz} {Sat} [F32] [F16|F32]] D(L0) S(L1);
        [{Sat} [F64] [F16|F64]] D(L0) S(L1);
        [{Sat} [F16] [F16]] D(L0) S(L1);
        [{Ftz} [F32] [Bf16]] D S(T1);
        [[F64|F16|Bf16] [Bf16]] D S(T1);
        [[Bf16] [F16]] D S(T1);
        [[..INTEGRAL] {Ftz} {Sat} [F32] [F32]] D(L0) S(L1);
        [[..INTEGRAL] {Sat} [F64] [F64]] D(L0) S(L1);
        [[..INTEGRAL] {Sat} [F16] [F16]] D(L0) S(L1);
        [[..INTEGRAL] [Bf16] [Bf16]] D S(T1);
        [[..RND] {Ftz} {Sat} [F32] [F64]] D(L0) S(L1);
        [[..RND] {Ftz} {Sat} [F16] [F32]] D(L0) S(L1);
        [[..RND] {Sat} [F16] [F64]] D(L0) S(L1);
        [[..RND] {Ftz} [Bf16] [F32]] D S(T1);
        [[..RND] [Bf16] [F16|F64]] D S(T1);
        [[..RND] {Ftz} [F32] [Bf16]] D S(T1);
        [[..RND] [F16|F64] [Bf16]] D S(T1);
        [[Rn|Rz] {Relu} {Satfinite} [F16] [F32]] D(L0) S(L1);
        [[Rn|Rz] {Relu} {Satfinite} [Bf16] [F32]] D S(T1);
        [[Rna] {Satfinite} [Tf32] [F32]] D S(T1);
        [[Rn|Rz] {Relu} {Satfinite} [Tf32] [F32]] D S(T1);
        [[Rn|Rz] {Relu} {Satfinite} [F16x2] [F32]] D(L0) S(L1) S(L1);
        [[Rn|Rz] {Relu} {Satfinite} [Bf16x2] [F32]] D S(T1) S(T1);
        [[Rs] {Relu} {Satfinite} [F16x2|Bf16x2] [F32]] D S(T1) S(T1) S(U32);
        [[Rn] [Satfinite] {Relu} [E4m3x2|E5m2x2|E2m1x2|E2m3x2|E3m2x2] [F32]] D S(T1) S(T1);
        [[Rn] [Satfinite] {Relu} [E4m3x2|E5m2x2] [F16x2]] D S(T1);
        [[Rz|Rp] {Satfinite} [Ue8m0x2] [F32]] D S(T1) S(T1);
        [[Rz|Rp] {Satfinite} [Ue8m0x2] [Bf16x2]] D S(T1);
        [[Rs] {Relu} [Satfinite] [E4m3x4|E5m2x4|E2m1x4|E2m3x4|E3m2x4] [F32]] D V S(U32);
        [[Rn] {Relu} [F16x2] [E4m3x2|E5m2x2|E2m1x2|E2m3x2|E3m2x2]] D S(T1);
        [[Rn] [Bf16x2] [Ue8m0x2]] D S(T1);
        [{Rn} {Satfinite} {Relu} [Scaled] [F16x2|Bf16x2] [..NARROW]] D S(T1) OS(ANY);
    }
    "Data Movement and Conversion Instructions: cvt.pack" CvtPack {
        [[Sat] [U16|S16] [S32]] D(L1) S(L1) S(L1);
        [[Sat] [U8|S8|U4|S4|U2|S2] [S32] [B32]] D(L1) S(L1) S(L1) S(L2);
    }
    "Data Movement and Conversion Instructions: cvta" Cvta {
        [{To} [..GENERIC_SPACE] [U32|U64]] D Y;
    }
    "Data Movement and Conversion Instructions: isspacep" Isspacep { [[..GENERIC_SPACE]] D(PRED) S(POINTER); }
    "Data Movement and Conversion Instructions: prefetch" Prefetch {
        [{Global|Local} [L1|L2]] A;
        [[Global] [L2EvictLast|L2EvictNormal]] A;
        [{Const|Param} [TensorMap]] A;
    }
    "Data Movement and Conversion Instructions: prefetchu" PrefetchU { [[L1]] A; }
    "Data Movement and Conversion Instructions: mapa" MapA {
        [{SharedCluster} [U32|U64]] D Y S(U32);
    }
    "Data Movement and Conversion Instructions: getctarank" GetCtaRank {
        [{SharedCluster} [U32|U64]] D(U32) Y;
    }
    "Data Movement and Conversion Instructions: applypriority" ApplyPriority {
        [{Global} [L2EvictNormal]] A S(ANY);
    }
    "Data Movement and Conversion Instructions: discard" Discard { [{Global} [L2]] A S(ANY); }
    "Data Movement and Conversion Instructions: createpolicy" CreatePolicy {
        [[Fractional] [L2EvictLast|L2EvictNormal|L2EvictFirst|L2EvictUnchanged] {L2EvictFirst|L2EvictUnchanged} [B64]] D(U64) OS(F32);
        [[Range] {Global} [L2EvictLast|L2EvictNormal|L2EvictFirst|L2EvictUnchanged] {L2EvictFirst|L2EvictUnchanged} [B64]] D(U64) A S(U32) S(U32);
        [[CvtPolicy] [L2] [B64]] D(U64) S(U64);
    }
}
