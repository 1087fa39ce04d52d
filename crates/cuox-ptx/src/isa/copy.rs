//! Asynchronous and bulk copies, tensor maps and multimem operations.

use super::family;

family! {
    "Data Movement and Conversion Instructions: cp.async" CpAsync {
        [[Ca|Cg] [Shared|SharedCta] [Global] {L2CacheHint} {..PREFETCH_SIZE}] A A S(ANY) OX OX;
    }
    "Data Movement and Conversion Instructions: cp.async.commit_group" CpAsyncCommitGroup { []; }
    "Data Movement and Conversion Instructions: cp.async.wait_group, cp.async.wait_all" CpAsyncWaitGroup {
        [] I;
    }
    "Data Movement and Conversion Instructions: cp.async.wait_group, cp.async.wait_all" CpAsyncWaitAll { []; }
    "Parallel Synchronization and Communication Instructions: cp.async.mbarrier.arrive"
    CpAsyncMbarrierArrive { [{Noinc} {Shared|SharedCta} [B64]] A; }
    "Data Movement and Conversion Instructions: cp.async.bulk" CpAsyncBulk {
        [[SharedCluster|SharedCta] [Global] [MbarrierComplete] {MulticastCluster} {L2CacheHint} {IgnoreOob}] A A S(ANY) A OX OX OX OX;
        [[SharedCluster] [SharedCta] [MbarrierComplete]] A A S(ANY) A;
        [[Global] [SharedCta] [BulkGroup] {L2CacheHint} {CpMask}] A A S(ANY) OX OX;
    }
    "Data Movement and Conversion Instructions: cp.async.bulk.prefetch" CpAsyncBulkPrefetch {
        [[L2] [Global] {L2CacheHint}] A S(ANY) OX;
    }
    "Data Movement and Conversion Instructions: cp.reduce.async.bulk" CpReduceAsyncBulk {
        [[SharedCluster] [SharedCta] [MbarrierComplete] [And|Or|Xor|Add|Inc|Dec|Min|Max] [U32|S32|U64|S64|B32|B64]] A A S(ANY) A;
        [[Global] [SharedCta] [BulkGroup] {L2CacheHint} [And|Or|Xor|Add|Inc|Dec|Min|Max] {Noftz} [F16|Bf16|B32|U32|S32|B64|U64|S64|F32|F64]] A A S(ANY) OX;
    }
    "Data Movement and Conversion Instructions: cp.async.bulk.tensor" CpAsyncBulkTensor {
        [[..DIMENSION] [SharedCluster|SharedCta] [Global] {..TENSOR_MODE} [MbarrierComplete] {MulticastCluster} {..CTA_GROUP} {L2CacheHint}] T T A OX OX OX;
        [[..DIMENSION] [Global] [SharedCta] {..TENSOR_MODE} [BulkGroup] {L2CacheHint}] T T OX;
    }
    "Data Movement and Conversion Instructions: cp.async.bulk.prefetch.tensor" CpAsyncBulkPrefetchTensor {
        [[..DIMENSION] [L2] [Global] {..TENSOR_MODE} {L2CacheHint}] T OX OX;
    }
    "Data Movement and Conversion Instructions: cp.reduce.async.bulk.tensor" CpReduceAsyncBulkTensor {
        [[..DIMENSION] [Global] [SharedCta] [Add|Min|Max|Inc|Dec|And|Or|Xor] {..TENSOR_MODE} [BulkGroup] {L2CacheHint}] T T OX;
    }
    "Data Movement and Conversion Instructions: cp.async.bulk.commit_group" CpAsyncBulkCommitGroup { []; }
    "Data Movement and Conversion Instructions: cp.async.bulk.wait_group" CpAsyncBulkWaitGroup {
        [{ReadOnly}] I;
    }
    "Data Movement and Conversion Instructions: tensormap.replace" TensormapReplace {
        [[Tile] [GlobalAddress|Rank|BoxDim|GlobalDim|GlobalStride|ElementStride|Elemtype|InterleaveLayout|SwizzleMode|FillMode|SwizzleAtomicity] {Global|SharedCta} [B1024] [B32|B64]] A S(ANY) OS(ANY);
    }
    "Parallel Synchronization and Communication Instructions: tensormap.cp_fenceproxy"
    TensormapCpFenceProxy {
        [[Global] [SharedCta] [TensormapGeneric] [Release] [..SCOPE] [Sync] [Aligned]] A A S(ANY);
    }
    "Data Movement and Conversion Instructions: multimem.ld_reduce" MultimemLdReduce {
        [{Weak|Relaxed|Acquire} {..SCOPE} {Global} [Min|Max|Add|And|Or|Xor] {Acc32|Acc16} {..VECTOR} [F16|F16x2|Bf16|Bf16x2|F32|F64|B32|B64|U32|U64|S32|S64|E5m2|E4m3|E5m2x2|E4m3x2|E5m2x4|E4m3x4]] V A;
    }
    "Data Movement and Conversion Instructions: multimem.st" MultimemSt {
        [{Weak|Relaxed|Release} {..SCOPE} {Global} {..VECTOR} [F16|F16x2|Bf16|Bf16x2|F32|F64|B32|B64|U32|U64|S32|S64|E5m2|E4m3|E5m2x2|E4m3x2|E5m2x4|E4m3x4]] A V;
    }
    "Data Movement and Conversion Instructions: multimem.red" MultimemRed {
        [{Relaxed|Release} {..SCOPE} {Global} [Min|Max|Add|And|Or|Xor] {..VECTOR} [F16|F16x2|Bf16|Bf16x2|F32|F64|B32|B64|U32|U64|S32|S64|E5m2|E4m3|E5m2x2|E4m3x2|E5m2x4|E4m3x4]] A V;
    }
}
