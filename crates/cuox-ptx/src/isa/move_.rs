//! Moves, loads, stores and conversions.

use super::family;

family! {
    "Data Movement and Conversion Instructions: mov" Mov {
        [{V2|V4} [..MOVED]] V V;
    }
    "Data Movement and Conversion Instructions: ld" Ld {
        [{Weak} {..SPACE} {..LOAD_CACHE} {..EVICT1} {..EVICT2} {L2CacheHint} {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A OS;
        [[Volatile] {..SPACE} {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A;
        [[Relaxed|Acquire] [..SCOPE] {..SPACE} {..EVICT1} {..EVICT2} {L2CacheHint} {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A OS;
        [[Mmio] [Relaxed] [Sys] {Global} {..VECTOR} [..STORED]] V A;
        [[Global] {Ca|Cg|Cs} [Nc] {..EVICT1} {..EVICT2} {L2CacheHint} {..PREFETCH_SIZE} {..VECTOR} [..STORED]] V A OS;
    }
    "Data Movement and Conversion Instructions: ldu" LdU {
        [{Global} {V2|V4} [..STORED]] V A;
    }
    "Data Movement and Conversion Instructions: st" St {
        [{Weak} {..STORE_SPACE} {..STORE_CACHE} {..EVICT1} {..EVICT2} {L2CacheHint} {..VECTOR} [..STORED]] A V OS;
        [[Volatile] {..STORE_SPACE} {..VECTOR} [..STORED]] A V;
        [[Relaxed|Release] [..SCOPE] {..STORE_SPACE} {..EVICT1} {..EVICT2} {L2CacheHint} {..VECTOR} [..STORED]] A V OS;
        [[Mmio] [Relaxed] [Sys] {Global} {..VECTOR} [..STORED]] A V;
    }
    "Data Movement and Conversion Instructions: st.async" StAsync {
        [{Weak} {SharedCluster} {MbarrierComplete} {V2|V4} [B32|B64|U32|U64|S32|S64|F32|F64]] A V A;
        [[Mmio] [Release] [Gpu|Sys] {Global} [B8|B16|B32|B64|U8|U16|U32|U64|S8|S16|S32|S64|F32|F64]] A V;
    }
    "Data Movement and Conversion Instructions: st.bulk" StBulk {
        [{Weak} {Shared|SharedCta}] A S I;
    }
    "Data Movement and Conversion Instructions: cvt" Cvt {
        [{Sat} [..INTEGERS] [..INTEGERS]] D S;
        [[..RND] {Ftz} {Sat} [..FLOATS] [..INTEGERS]] D S;
        [[..INTEGRAL] {Ftz} {Sat} [..INTEGERS] [..FLOATS]] D S;
        [{Ftz} {Sat} [F64] [..FLOATS]] D S;
        [{Ftz} {Sat} [F32] [F16|Bf16|F32]] D S;
        [{Ftz} {Sat} [F16|Bf16] [F16|Bf16]] D S;
        [[..INTEGRAL] {Ftz} {Sat} [F64] [F64]] D S;
        [[..INTEGRAL] {Ftz} {Sat} [F32] [F32]] D S;
        [[..INTEGRAL] {Sat} [F16] [F16]] D S;
        [[..INTEGRAL] [Bf16] [Bf16]] D S;
        [[..RND] {Ftz} {Sat} [F16|Bf16|F32] [F64]] D S;
        [[..RND] {Ftz} {Sat} [F16|Bf16] [F32]] D S;
        [[..RND] {Ftz} {Sat} [F16|F32|F64] [Bf16]] D S;
        [[..RND] {Sat} [Bf16] [F16]] D S;
        [[Rn|Rz|Rna|Rs] {Ftz} {Relu} {Satfinite} [F16|Bf16|Tf32] [F32]] D S;
        [{Satfinite} {Relu} [Rn|Rz|Rna] [Tf32] [F32]] D S;
        [[Rn|Rz] {Ftz} {Relu} {Satfinite} [F16x2|Bf16x2] [F32]] D S S;
        [[Rs] {Relu} {Satfinite} [F16x2|Bf16x2] [F32]] D S S S;
        [[Rn|Rz|Rp|Rm] {Satfinite} {Relu} [..NARROW] [F32]] D S S;
        [[Rs] {Relu} {Satfinite} [..NARROW] [F32]] D V S;
        [[Rn|Rz|Rp] {Satfinite} {Relu} [..NARROW] [F16x2|Bf16x2]] D S;
        [{Rn} {Satfinite} {Relu} {Scaled} [F16x2|Bf16x2] [..NARROW]] D S OS;
    }
    "Data Movement and Conversion Instructions: cvt.pack" CvtPack {
        [[Sat] [U8|S8|U16|S16|U4|S4|U2|S2] [S32]] D S S;
        [[Sat] [U8|S8|U4|S4|U2|S2] [S32] [B32]] D S S S;
    }
    "Data Movement and Conversion Instructions: cvta" Cvta {
        [{To} [..SPACE] [U32|U64]] D S;
    }
    "Data Movement and Conversion Instructions: isspacep" Isspacep { [[..SPACE]] D S; }
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
