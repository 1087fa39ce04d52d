//! Sets of modifiers that many rows share.

use super::Modifier::{self, *};

type Group = &'static [Modifier];

pub(super) const INT16: Group = &[U16, U32, U64, S16, S32, S64];
pub(super) const INT32: Group = &[U32, U64, S32, S64];
pub(super) const BITS16: Group = &[B16, B32, B64];
pub(super) const LOGIC: Group = &[Pred, B16, B32, B64];
pub(super) const RND: Group = &[Rn, Rz, Rm, Rp];
pub(super) const HALF: Group = &[F16, F16x2];
pub(super) const BRAIN: Group = &[Bf16, Bf16x2];
pub(super) const HALVES: Group = &[F16, F16x2, Bf16, Bf16x2];
pub(super) const SIGNED: Group = &[S16, S32, S64];
pub(super) const UNSIGNED: Group = &[U16, U32, U64];
pub(super) const COMPARE_SIGNED: Group = &[Eq, Ne, Lt, Le, Gt, Ge];
pub(super) const COMPARE_INT: Group = &[Eq, Ne, Lt, Le, Gt, Ge, Lo, Ls, Hi, Hs];
pub(super) const BOOL: Group = &[And, Or, Xor];
pub(super) const SELECTED: Group = &[B16, B32, B64, U16, U32, U64, S16, S32, S64, F32, F64];
pub(super) const MOVED: Group = &[
    Pred, B16, B32, B64, B128, U16, U32, U64, S16, S32, S64, F32, F64,
];
pub(super) const STORED: Group = &[
    B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F32, F64,
];
pub(super) const LONGS: Group = &[B64, U64, S64, F64];
pub(super) const WORDS: Group = &[B32, U32, S32, F32];
pub(super) const SPACE: Group = &[
    Global,
    Shared,
    SharedCta,
    SharedCluster,
    Local,
    Const,
    Param,
    ParamEntry,
    ParamFunc,
];
/// All but `.param::func`, whose addresses are never generic.
pub(super) const GENERIC_SPACE: Group = SPACE.split_at(SPACE.len() - 1).0;
pub(super) const SHARED: Group = &[Shared, SharedCta, SharedCluster];
pub(super) const GLOBAL_SHARED: Group = &[Global, Shared, SharedCta, SharedCluster];
pub(super) const SCOPE: Group = &[Cta, Cluster, Gpu, Sys];
pub(super) const VECTOR: Group = &[V2, V4, V8];
pub(super) const LOAD_CACHE: Group = &[Ca, Cg, Cs, Lu, Cv];
pub(super) const STORE_CACHE: Group = &[Wb, Cg, Cs, Wt];
pub(super) const EVICT1: Group = &[
    L1EvictNormal,
    L1EvictUnchanged,
    L1EvictFirst,
    L1EvictLast,
    L1NoAllocate,
];
pub(super) const EVICT2: Group = &[L2EvictNormal, L2EvictFirst, L2EvictLast];
pub(super) const PREFETCH_SIZE: Group = &[L2B64, L2B128, L2B256];
pub(super) const NARROW: Group = &[
    E4m3x2, E5m2x2, E2m1x2, E2m3x2, E3m2x2, Ue8m0x2, E4m3x4, E5m2x4, E2m1x4, E2m3x4, E3m2x4,
];
pub(super) const SEMANTICS: Group = &[Relaxed, Acquire, Release, AcqRel];
pub(super) const CLAMPING: Group = &[Trap, Clamp, Zero];
pub(super) const GEOMETRY: Group = &[D1, D2, D3, A1d, A2d, Cube, Acube, D2ms, A2dms];
pub(super) const DIMENSION: Group = &[D1, D2, D3, D4, D5];
pub(super) const TENSOR_MODE: Group = &[
    Tile,
    TileGather4,
    TileScatter4,
    Im2col,
    Im2colW,
    Im2colW128,
    Im2colNoOffs,
];
pub(super) const CTA_GROUP: Group = &[CtaGroup1, CtaGroup2];
pub(super) const LAYOUT: Group = &[Row, Col];
pub(super) const WMMA_SHAPE: Group = &[
    M16n16k16, M8n32k16, M32n8k16, M16n16k8, M8n8k4, M8n8k32, M8n8k128,
];
pub(super) const WMMA_TYPE: Group = &[F16, F32, F64, Bf16, Tf32, U8, S8, U4, S4, B1, S32];
pub(super) const MMA_SHAPE: Group = &[
    M8n8k4, M8n8k16, M8n8k32, M8n8k128, M16n8k4, M16n8k8, M16n8k16, M16n8k32, M16n8k64, M16n8k128,
    M16n8k256,
];
pub(super) const MMA_TYPE: Group = &[
    F16, F32, F64, Bf16, Tf32, U8, S8, U4, S4, B1, S32, E4m3, E5m2, E3m2, E2m3, E2m1,
];
pub(super) const KIND: Group = &[
    KindF8f6f4,
    KindMxf8f6f4,
    KindMxf4,
    KindMxf4nvf4,
    KindF16,
    KindTf32,
    KindI8,
];
pub(super) const SCALE_VEC: Group = &[ScaleVec1x, ScaleVec2x, ScaleVec4x, Block16, Block32];
pub(super) const REPEAT: Group = &[X1, X2, X4, X8, X16, X32, X64, X128];
pub(super) const COLLECTOR: Group = &[
    CollectorAFill,
    CollectorAUse,
    CollectorALastUse,
    CollectorADiscard,
    CollectorB0Fill,
    CollectorB0Use,
    CollectorB0LastUse,
    CollectorB0Discard,
    CollectorB1Fill,
    CollectorB1Use,
    CollectorB1LastUse,
    CollectorB1Discard,
    CollectorB2Fill,
    CollectorB2Use,
    CollectorB2LastUse,
    CollectorB2Discard,
    CollectorB3Fill,
    CollectorB3Use,
    CollectorB3LastUse,
    CollectorB3Discard,
];
pub(super) const VIDEO: Group = &[U32, S32];
pub(super) const WGMMA_SHAPE: Group = &[
    M64n8k8,
    M64n16k8,
    M64n24k8,
    M64n32k8,
    M64n40k8,
    M64n48k8,
    M64n56k8,
    M64n64k8,
    M64n72k8,
    M64n80k8,
    M64n88k8,
    M64n96k8,
    M64n104k8,
    M64n112k8,
    M64n120k8,
    M64n128k8,
    M64n136k8,
    M64n144k8,
    M64n152k8,
    M64n160k8,
    M64n168k8,
    M64n176k8,
    M64n184k8,
    M64n192k8,
    M64n200k8,
    M64n208k8,
    M64n216k8,
    M64n224k8,
    M64n232k8,
    M64n240k8,
    M64n248k8,
    M64n256k8,
    M64n8k16,
    M64n16k16,
    M64n24k16,
    M64n32k16,
    M64n40k16,
    M64n48k16,
    M64n56k16,
    M64n64k16,
    M64n72k16,
    M64n80k16,
    M64n88k16,
    M64n96k16,
    M64n104k16,
    M64n112k16,
    M64n120k16,
    M64n128k16,
    M64n136k16,
    M64n144k16,
    M64n152k16,
    M64n160k16,
    M64n168k16,
    M64n176k16,
    M64n184k16,
    M64n192k16,
    M64n200k16,
    M64n208k16,
    M64n216k16,
    M64n224k16,
    M64n232k16,
    M64n240k16,
    M64n248k16,
    M64n256k16,
    M64n8k32,
    M64n16k32,
    M64n24k32,
    M64n32k32,
    M64n40k32,
    M64n48k32,
    M64n56k32,
    M64n64k32,
    M64n72k32,
    M64n80k32,
    M64n88k32,
    M64n96k32,
    M64n104k32,
    M64n112k32,
    M64n120k32,
    M64n128k32,
    M64n136k32,
    M64n144k32,
    M64n152k32,
    M64n160k32,
    M64n168k32,
    M64n176k32,
    M64n184k32,
    M64n192k32,
    M64n200k32,
    M64n208k32,
    M64n216k32,
    M64n224k32,
    M64n232k32,
    M64n240k32,
    M64n248k32,
    M64n256k32,
    M64n8k64,
    M64n16k64,
    M64n24k64,
    M64n32k64,
    M64n40k64,
    M64n48k64,
    M64n56k64,
    M64n64k64,
    M64n72k64,
    M64n80k64,
    M64n88k64,
    M64n96k64,
    M64n104k64,
    M64n112k64,
    M64n120k64,
    M64n128k64,
    M64n136k64,
    M64n144k64,
    M64n152k64,
    M64n160k64,
    M64n168k64,
    M64n176k64,
    M64n184k64,
    M64n192k64,
    M64n200k64,
    M64n208k64,
    M64n216k64,
    M64n224k64,
    M64n232k64,
    M64n240k64,
    M64n248k64,
    M64n256k64,
    M64n8k256,
    M64n16k256,
    M64n24k256,
    M64n32k256,
    M64n40k256,
    M64n48k256,
    M64n56k256,
    M64n64k256,
    M64n72k256,
    M64n80k256,
    M64n88k256,
    M64n96k256,
    M64n104k256,
    M64n112k256,
    M64n120k256,
    M64n128k256,
    M64n136k256,
    M64n144k256,
    M64n152k256,
    M64n160k256,
    M64n168k256,
    M64n176k256,
    M64n184k256,
    M64n192k256,
    M64n200k256,
    M64n208k256,
    M64n216k256,
    M64n224k256,
    M64n232k256,
    M64n240k256,
    M64n248k256,
    M64n256k256,
];
pub(super) const STORE_SPACE: Group = &[
    Global,
    Shared,
    SharedCta,
    SharedCluster,
    Local,
    Param,
    ParamFunc,
];
pub(super) const COMPARE_FLOAT: Group = &[
    Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan,
];
pub(super) const SET_RESULT: Group = &[U32, S32, F32, F16, Bf16];
pub(super) const INTEGERS: Group = &[U8, U16, U32, U64, S8, S16, S32, S64];
pub(super) const INTEGRAL: Group = &[Rni, Rzi, Rmi, Rpi];
