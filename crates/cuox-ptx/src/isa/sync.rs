//! Barriers, fences, atomics and operations of a whole warp.

use super::family;

family! {
    "Parallel Synchronization and Communication Instructions: bar, barrier" Bar | Barrier {
        [[Sync] {Aligned}] S(BARRIER) OS(THREADS);
        [[Arrive] {Aligned}] S(BARRIER) S(WARPS);
        [{Cta} [Sync] {Aligned}] S(BARRIER) OS(THREADS);
        [{Cta} [Arrive] {Aligned}] S(BARRIER) S(WARPS);
        [{Cta} [Red] [Popc] {Aligned} [U32]] D S(BARRIER) P;
        [{Cta} [Red] [Popc] {Aligned} [U32]] D S(BARRIER) S(THREADS) P;
        [{Cta} [Red] [And|Or] {Aligned} [Pred]] D S(BARRIER) P;
        [{Cta} [Red] [And|Or] {Aligned} [Pred]] D S(BARRIER) S(THREADS) P;
    }
    "Parallel Synchronization and Communication Instructions: bar.warp.sync" BarWarpSync { [] S(U32); }
    "Parallel Synchronization and Communication Instructions: barrier.cluster" BarrierClusterArrive {
        [{Release|Relaxed} {Aligned}];
    }
    "Parallel Synchronization and Communication Instructions: barrier.cluster" BarrierClusterWait {
        [{Acquire} {Aligned}];
    }
    "Parallel Synchronization and Communication Instructions: membar" MemBar {
        [[Cta|Gl|Sys]];
        [[Proxy] [Alias]];
    }
    "Parallel Synchronization and Communication Instructions: fence" Fence {
        [{Sc|AcqRel|Acquire|Release} [..SCOPE]];
        [[Acquire|Release] [SyncRestrictSharedCluster|SyncRestrictSharedCta] [Cluster]];
        [[MbarrierInit] [Release] [Cluster]];
    }
    "Parallel Synchronization and Communication Instructions: fence" FenceProxy {
        [[Alias|Async]];
        [[Async] [Global|Shared|SharedCta|SharedCluster]];
        [[TensormapGeneric] [Release] [..SCOPE]];
        [[TensormapGeneric] [Acquire] [..SCOPE]] A S;
        [[AsyncGeneric] [Acquire|Release] [SyncRestrictSharedCluster|SyncRestrictSharedCta] [Cluster]];
    }
    "Parallel Synchronization and Communication Instructions: atom" Atom {
        [{..SEMANTICS} {..SCOPE} {..GLOBAL_SHARED} [And|Or|Xor] {L2CacheHint} [B32|B64]] DK A S OS(U64);
        [{..SEMANTICS} {..SCOPE} {..GLOBAL_SHARED} [Add] {L2CacheHint} [U32|U64|S32|S64|F32|F64]] DK A S OS(U64);
        [{..SEMANTICS} {..SCOPE} {..GLOBAL_SHARED} [Inc|Dec] {L2CacheHint} [U32]] DK A S OS(U64);
        [{..SEMANTICS} {..SCOPE} {..GLOBAL_SHARED} [Min|Max] {L2CacheHint} [U32|U64|S32|S64]] DK A S OS(U64);
        [{..SEMANTICS} {..SCOPE} {..GLOBAL_SHARED} [Exch] {L2CacheHint} [B32|B64|B128]] DK A S OS(U64);
        [{..SEMANTICS} {..SCOPE} {..GLOBAL_SHARED} [Cas] {L2CacheHint} [B16|B32|B64|B128]] DK A S S OS(U64);
        [{..SEMANTICS} {..SCOPE} {..GLOBAL_SHARED} [Add] [Noftz] {L2CacheHint} [..HALVES]] DK A S OS(U64);
        [{..SEMANTICS} {..SCOPE} {Global} [Add] {L2CacheHint} [V2|V4] [F32]] W(T0) A V(T0) OS(U64);
        [{..SEMANTICS} {..SCOPE} {Global} [Add|Min|Max] [Noftz] {L2CacheHint} [V2|V4|V8] [..HALVES]] W(T0) A V(T0) OS(U64);
    }
    "Parallel Synchronization and Communication Instructions: red" Red {
        [{Relaxed|Release} {..SCOPE} {..GLOBAL_SHARED} [And|Or|Xor] {L2CacheHint} [B32|B64]] A S OS(U64);
        [{Relaxed|Release} {..SCOPE} {..GLOBAL_SHARED} [Add] {L2CacheHint} [U32|U64|S32|S64|F32|F64]] A S OS(U64);
        [{Relaxed|Release} {..SCOPE} {..GLOBAL_SHARED} [Inc|Dec] {L2CacheHint} [U32]] A S OS(U64);
        [{Relaxed|Release} {..SCOPE} {..GLOBAL_SHARED} [Min|Max] {L2CacheHint} [U32|U64|S32|S64]] A S OS(U64);
        [{Relaxed|Release} {..SCOPE} {..GLOBAL_SHARED} [Add] [Noftz] {L2CacheHint} [..HALVES]] A S OS(U64);
        [{Relaxed|Release} {..SCOPE} {Global} [Add] {L2CacheHint} [V2|V4] [F32]] A V(T0) OS(U64);
        [{Relaxed|Release} {..SCOPE} {Global} [Add|Min|Max] [Noftz] {L2CacheHint} [V2|V4|V8] [..HALVES]] A V(T0) OS(U64);
    }
    "Parallel Synchronization and Communication Instructions: red.async" RedAsync {
        [[Relaxed] {Cluster} {SharedCluster} [MbarrierComplete] [Inc|Dec|Min|Max|And|Or|Xor|Add] [U32|S32|B32|U64|S64]] A S(ANY) A;
        [{Mmio} [Release] [Gpu|Sys] {Global} [Add] [U32|S32|U64|S64]] A S(ANY);
    }
    "Parallel Synchronization and Communication Instructions: vote, vote.sync" Vote {
        [[Sync] [All|Any|Uni] [Pred]] D P S(U32);
        [[Sync] [Ballot] [B32]] D P S(U32);
        [[All|Any|Uni] [Pred]] D P;
        [[Ballot] [B32]] D P;
    }
    "Parallel Synchronization and Communication Instructions: match.sync" Match {
        [[Any] [Sync] [B32|B64]] D(U32) S S(U32);
        [[All] [Sync] [B32|B64]] DPK(U32) S S(U32);
    }
    "Parallel Synchronization and Communication Instructions: activemask" ActiveMask { [[B32]] D; }
    "Parallel Synchronization and Communication Instructions: redux.sync" Redux {
        [[Sync] [Add|Min|Max] [U32|S32]] D(U32) S(U32) S(U32);
        [[Sync] [And|Or|Xor] [B32]] D(U32) S(U32) S(U32);
        [[Sync] [Min|Max] {Abs} {NaN} [F32]] D S S(U32);
    }
    "Data Movement and Conversion Instructions: shfl, shfl.sync" Shfl {
        [[Sync] [Up|Down|Bfly|Idx] [B32]] DP S S S S(U32);
        [[Up|Down|Bfly|Idx] [B32]] DP S S S;
    }
    "Parallel Synchronization and Communication Instructions: elect.sync" Elect { [[Sync]] PAIR(U32) S(U32); }
    "Parallel Synchronization and Communication Instructions: mbarrier.init" MbarrierInit {
        [{Shared|SharedCta} [B64]] A S(U32);
    }
    "Parallel Synchronization and Communication Instructions: mbarrier.inval" MbarrierInval {
        [{Shared|SharedCta} [B64]] A;
    }
    "Parallel Synchronization and Communication Instructions: mbarrier.expect_tx, mbarrier.complete_tx"
    MbarrierExpectTx | MbarrierCompleteTx {
        [{Relaxed} {Cta|Cluster} {..SHARED} [B64]] A S(U32);
    }
    "Parallel Synchronization and Communication Instructions: mbarrier.arrive, mbarrier.arrive_drop"
    MbarrierArrive | MbarrierArriveDrop {
        [{Release|Relaxed} {Cta|Cluster} {..SHARED} [B64]] DK(U64) A OS(COUNT);
        [{Release|Relaxed} {Cta|Cluster} [SharedCluster] [B64]] A OS(COUNT);
        [[ExpectTx] {Release|Relaxed} {Cta|Cluster} {..SHARED} [B64]] DK(U64) A S(U32);
        [[ExpectTx] {Release|Relaxed} {Cta|Cluster} [SharedCluster] [B64]] A S(U32);
        [[NoComplete] {Release} {Cta} {Shared|SharedCta} [B64]] DK(U64) A S(COUNT);
    }
    "Parallel Synchronization and Communication Instructions: mbarrier.test_wait" MbarrierTestWait {
        [{Acquire|Relaxed} {Cta|Cluster} {Shared|SharedCta} [B64]] D(PRED) A S(U64);
        [[Parity] {Acquire|Relaxed} {Cta|Cluster} {Shared|SharedCta} [B64]] D(PRED) A S(PARITY);
    }
    "Parallel Synchronization and Communication Instructions: mbarrier.try_wait" MbarrierTryWait {
        [{Acquire|Relaxed} {Cta|Cluster} {Shared|SharedCta} [B64]] D(PRED) A S(U64) OS(U32);
        [[Parity] {Acquire|Relaxed} {Cta|Cluster} {Shared|SharedCta} [B64]] D(PRED) A S(PARITY) OS(U32);
    }
    "Parallel Synchronization and Communication Instructions: mbarrier.pending_count"
    MbarrierPendingCount { [[B64]] D(U32) S(U64); }
    "Parallel Synchronization and Communication Instructions: clusterlaunchcontrol.try_cancel"
    ClusterLaunchControlTryCancel {
        [[Async] {Global|SharedCta} [MbarrierComplete] {MulticastClusterAll} [B128]] A A;
    }
    "Parallel Synchronization and Communication Instructions: clusterlaunchcontrol.query_cancel"
    ClusterLaunchControlQueryCancel {
        [[IsCanceled] [Pred] [B128]] D(ANY) S(ANY);
        [[GetFirstCtaX|GetFirstCtaY|GetFirstCtaZ] [B32] [B128]] D(ANY) S(ANY);
        [[GetFirstCta] [V4] [B32] [B128]] V S(ANY);
    }
}
