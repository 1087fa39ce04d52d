//! Warp-level, warpgroup-level and fifth-generation matrix instructions.

use super::family;

family! {
    "Warp Level Matrix Instructions: wmma.load" WmmaLoad {
        [[A|B|C] [Sync] [Aligned] [..LAYOUT] [..WMMA_SHAPE] {Global|Shared|SharedCta} [..WMMA_TYPE]] W A OS(ANY);
    }
    "Warp Level Matrix Instructions: wmma.store" WmmaStore {
        [[D] [Sync] [Aligned] [..LAYOUT] [..WMMA_SHAPE] {Global|Shared|SharedCta} [..WMMA_TYPE]] A V OS(ANY);
    }
    "Warp Level Matrix Instructions: wmma.mma" WmmaMma {
        [[Sync] [Aligned] [..LAYOUT] [..LAYOUT] [..WMMA_SHAPE] {..RND} [..WMMA_TYPE] [..WMMA_TYPE] {Satfinite}] W V V V;
        [[Sync] [Aligned] [..LAYOUT] [..LAYOUT] [..WMMA_SHAPE] {..RND} [..WMMA_TYPE] [..WMMA_TYPE] [..WMMA_TYPE] [..WMMA_TYPE] {Satfinite}] W V V V;
        [[Xor|And] [Popc] [Sync] [Aligned] [..LAYOUT] [..LAYOUT] [..WMMA_SHAPE] [S32] [B1] [B1] [S32]] W V V V;
    }
    "Warp Level Matrix Instructions: mma" Mma {
        [[Sync] [Aligned] [..MMA_SHAPE] [..LAYOUT] [..LAYOUT] {..KIND} {Satfinite} {..RND} [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE]] W V V V;
        [[Sync] [Aligned] [..MMA_SHAPE] [..LAYOUT] [..LAYOUT] [S32] [B1] [B1] [S32] [Xor|And] [Popc]] W V V V;
        [[Sync] [Aligned] [..MMA_SHAPE] [..LAYOUT] [..LAYOUT] [..KIND] [BlockScale] {..SCALE_VEC} [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] [Ue8m0|Ue4m3]] W V V V V V V V;
    }
    "Warp Level Matrix Instructions: mma.sp" MmaSp | MmaSpOrdered {
        [[Sync] [Aligned] [..MMA_SHAPE] [..LAYOUT] [..LAYOUT] {..KIND} {Satfinite} [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE]] W V V V S(ANY) S(ANY);
        [[Sync] [Aligned] [..MMA_SHAPE] [..LAYOUT] [..LAYOUT] [..KIND] [BlockScale] {..SCALE_VEC} [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] [Ue8m0|Ue4m3]] W V V V S(ANY) S(ANY) V V V V;
    }
    "Warp Level Matrix Instructions: ldmatrix" LdMatrix {
        [[Sync] [Aligned] [M8n8|M8n16|M16n16] [X1|X2|X4] {Trans} {Shared|SharedCta} [B16|B8]] W A;
        [[Sync] [Aligned] [M8n16|M16n16] [X1|X2|X4] {Trans} {Shared|SharedCta} [B8x16] [B6x16P32|B4x16P64]] W A;
    }
    "Warp Level Matrix Instructions: stmatrix" StMatrix {
        [[Sync] [Aligned] [M8n8|M16n8] [X1|X2|X4] {Trans} {Shared|SharedCta} [B16|B8]] A V;
    }
    "Warp Level Matrix Instructions: movmatrix" MovMatrix { [[Sync] [Aligned] [M8n8] [Trans] [B16]] D(ANY) S(ANY); }
    "Asynchronous Warpgroup Level Matrix Instructions: wgmma.mma_async" WgmmaMmaAsync {
        [[Sync] [Aligned] [..WGMMA_SHAPE] [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] {Satfinite}] W V S(ANY) S(ANY) OS(ANY) OS(ANY) OS(ANY) OS(ANY);
        [[Sync] [Aligned] [..WGMMA_SHAPE] [S32] [B1] [B1] [And] [Popc]] W V S(ANY) S(ANY);
    }
    "Asynchronous Warpgroup Level Matrix Instructions: wgmma.mma_async.sp" WgmmaMmaAsyncSp {
        [[Sync] [Aligned] [..WGMMA_SHAPE] [..MMA_TYPE] [..MMA_TYPE] [..MMA_TYPE] {Satfinite}] W V S(ANY) S(ANY) I S(ANY) OS(ANY) OS(ANY) OS(ANY) OS(ANY);
    }
    "Asynchronous Warpgroup Level Matrix Instructions: wgmma.fence, wgmma.commit_group"
    WgmmaFence | WgmmaCommitGroup { [[Sync] [Aligned]]; }
    "Asynchronous Warpgroup Level Matrix Instructions: wgmma.wait_group" WgmmaWaitGroup {
        [[Sync] [Aligned]] I;
    }
    "TensorCore 5th Generation Instructions: tcgen05.alloc" Tcgen05Alloc {
        [[..CTA_GROUP] [Sync] [Aligned] {Shared|SharedCta} [B32]] A S(ANY);
    }
    "TensorCore 5th Generation Instructions: tcgen05.dealloc" Tcgen05Dealloc {
        [[..CTA_GROUP] [Sync] [Aligned] [B32]] S(ANY) S(ANY);
    }
    "TensorCore 5th Generation Instructions: tcgen05.relinquish_alloc_permit"
    Tcgen05RelinquishAllocPermit { [[..CTA_GROUP] [Sync] [Aligned]]; }
    "TensorCore 5th Generation Instructions: tcgen05.ld" Tcgen05Ld {
        [[Sync] [Aligned] [S32x32b|S16x64b|S16x128b|S16x256b|S16x32bx2] [..REPEAT] {Pack16b} [B32]] W A OI;
        [[Red] [Sync] [Aligned] [S32x32b|S16x32bx2] [..REPEAT] [Min|Max] {Abs} {NaN} [U32|S32|F32]] V S(ANY) A OI;
    }
    "TensorCore 5th Generation Instructions: tcgen05.st" Tcgen05St {
        [[Sync] [Aligned] [S32x32b|S16x64b|S16x128b|S16x256b] [..REPEAT] {Unpack16b} [B32]] A V;
        [[Sync] [Aligned] [S16x32bx2] [..REPEAT] {Unpack16b} [B32]] A I V;
    }
    "TensorCore 5th Generation Instructions: tcgen05.wait" Tcgen05WaitLd | Tcgen05WaitSt {
        [[Sync] [Aligned]];
    }
    "TensorCore 5th Generation Instructions: tcgen05.cp" Tcgen05Cp {
        [[..CTA_GROUP] [S128x256b|S4x256b|S128x128b|S64x128b|S32x128b] {Warpx2a|Warpx2b|Warpx4} {B8x16} {B6x16P32|B4x16P64}] A S(ANY);
    }
    "TensorCore 5th Generation Instructions: tcgen05.shift" Tcgen05Shift { [[..CTA_GROUP] [Down]] A; }
    "TensorCore 5th Generation Instructions: tcgen05.mma" Tcgen05Mma {
        [{Ws} {Sp} [..CTA_GROUP] [..KIND] {BlockScale} {..SCALE_VEC} {Ashift} {..COLLECTOR}] T OX OX OX OX OX OX OX OX;
    }
    "TensorCore 5th Generation Instructions: tcgen05.commit" Tcgen05Commit {
        [[..CTA_GROUP] [MbarrierArriveOne] {..SHARED} {MulticastCluster} [B64]] A OS(ANY);
    }
    "TensorCore 5th Generation Instructions: tcgen05.fence" Tcgen05FenceBefore | Tcgen05FenceAfter {
        [];
    }
}
