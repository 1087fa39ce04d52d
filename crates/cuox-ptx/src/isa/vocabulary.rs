//! Every dotted word an instruction may carry: the scalar types and the other modifiers, each declared once.

use super::lookup::Lookup;
use std::sync::OnceLock;

/// The kind of value that a scalar type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// Unsigned integer.
    Unsigned,
    /// Signed integer.
    Signed,
    /// Untyped bits.
    Bits,
    /// Floating point, packed forms included.
    Float,
    /// One-bit predicate.
    Predicate,
    /// Texture, sampler or surface handle.
    Opaque,
}

macro_rules! vocabulary {
    (
        types { $($t:ident $ttext:literal $bits:literal $kind:ident,)* }
        words { $($w:ident $wtext:literal,)* }
    ) => {
        /// A fundamental, packed or alternate-format type.
        #[allow(missing_docs, reason = "each variant is the type that its name spells")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum ScalarType { $($t,)* }

        impl ScalarType {
            /// Every type, in the order of declaration.
            pub const ALL: &'static [ScalarType] = &[$(ScalarType::$t,)*];

            /// The type's name without the leading dot.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$t => $ttext,)* }
            }

            /// Width in bits (a predicate has 1).
            pub const fn bits(self) -> u32 {
                match self { $(Self::$t => $bits,)* }
            }

            /// The kind of value that it holds.
            pub const fn kind(self) -> TypeKind {
                match self { $(Self::$t => TypeKind::$kind,)* }
            }
        }

        /// A dotted word after an instruction's mnemonic; types are modifiers too.
        #[allow(missing_docs, reason = "each variant is the word that `text` gives")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Modifier { $($t,)* $($w,)* }

        impl Modifier {
            /// Every modifier, in the order of declaration.
            pub const ALL: &'static [Modifier] = &[$(Modifier::$t,)* $(Modifier::$w,)*];

            /// The word without the leading dot.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$t => $ttext,)* $(Self::$w => $wtext,)* }
            }
        }
    };
}

impl ScalarType {
    /// Size in bytes in memory; a predicate takes one, an opaque handle eight.
    pub const fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Finds a type by its name without the leading dot.
    pub fn from_text(text: &str) -> Option<Self> {
        Modifier::from_text(text)?.scalar_type()
    }

    /// True if it is a signed integer.
    pub fn is_signed(self) -> bool {
        self.kind() == TypeKind::Signed
    }

    /// True if it is a signed or unsigned integer (not untyped bits).
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), TypeKind::Signed | TypeKind::Unsigned)
    }

    /// True if it is a floating-point type, packed forms included.
    pub fn is_float(self) -> bool {
        self.kind() == TypeKind::Float
    }
}

impl std::fmt::Display for ScalarType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, ".{}", self.text())
    }
}

impl Modifier {
    /// Finds a modifier by its word without the leading dot.
    pub fn from_text(text: &str) -> Option<Self> {
        static TABLE: OnceLock<Lookup> = OnceLock::new();
        let table = TABLE.get_or_init(|| Lookup::new(Self::ALL.iter().map(|m| m.text())));
        let i = table.find(text, |i| Self::ALL[i].text())?;
        Some(Self::ALL[i])
    }

    /// True if it names a state space of memory.
    pub(crate) fn is_space(self) -> bool {
        matches!(
            self,
            Self::Global
                | Self::Shared
                | Self::SharedCta
                | Self::SharedCluster
                | Self::Local
                | Self::Const
        )
    }

    /// The type that this modifier names, if it names one.
    pub const fn scalar_type(self) -> Option<ScalarType> {
        let i = self as usize;
        if i < ScalarType::ALL.len() {
            Some(ScalarType::ALL[i])
        } else {
            None
        }
    }
}

impl std::fmt::Display for Modifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, ".{}", self.text())
    }
}

vocabulary! {
    types {
        U8 "u8" 8 Unsigned,
        U16 "u16" 16 Unsigned,
        U32 "u32" 32 Unsigned,
        U64 "u64" 64 Unsigned,
        S8 "s8" 8 Signed,
        S16 "s16" 16 Signed,
        S32 "s32" 32 Signed,
        S64 "s64" 64 Signed,
        B8 "b8" 8 Bits,
        B16 "b16" 16 Bits,
        B32 "b32" 32 Bits,
        B64 "b64" 64 Bits,
        B128 "b128" 128 Bits,
        F16 "f16" 16 Float,
        F16x2 "f16x2" 32 Float,
        Bf16 "bf16" 16 Float,
        Bf16x2 "bf16x2" 32 Float,
        Tf32 "tf32" 32 Float,
        F32 "f32" 32 Float,
        F32x2 "f32x2" 64 Float,
        F64 "f64" 64 Float,
        Pred "pred" 1 Predicate,
        U16x2 "u16x2" 32 Unsigned,
        S16x2 "s16x2" 32 Signed,
        U8x4 "u8x4" 32 Unsigned,
        S8x4 "s8x4" 32 Signed,
        U4 "u4" 4 Unsigned,
        S4 "s4" 4 Signed,
        U2 "u2" 2 Unsigned,
        S2 "s2" 2 Signed,
        B1 "b1" 1 Bits,
        B1024 "b1024" 1024 Bits,
        B8x16 "b8x16" 128 Bits,
        B4x16P64 "b4x16_p64" 128 Bits,
        B6x16P32 "b6x16_p32" 128 Bits,
        B4x16 "b4x16" 64 Bits,
        E4m3 "e4m3" 8 Float,
        E5m2 "e5m2" 8 Float,
        E3m2 "e3m2" 8 Float,
        E2m3 "e2m3" 8 Float,
        E2m1 "e2m1" 4 Float,
        Ue8m0 "ue8m0" 8 Float,
        Ue4m3 "ue4m3" 8 Float,
        E4m3x2 "e4m3x2" 16 Float,
        E5m2x2 "e5m2x2" 16 Float,
        E3m2x2 "e3m2x2" 16 Float,
        E2m3x2 "e2m3x2" 16 Float,
        E2m1x2 "e2m1x2" 8 Float,
        Ue8m0x2 "ue8m0x2" 16 Float,
        E4m3x4 "e4m3x4" 32 Float,
        E5m2x4 "e5m2x4" 32 Float,
        E3m2x4 "e3m2x4" 32 Float,
        E2m3x4 "e2m3x4" 32 Float,
        E2m1x4 "e2m1x4" 16 Float,
        TexRef "texref" 64 Opaque,
        SamplerRef "samplerref" 64 Opaque,
        SurfRef "surfref" 64 Opaque,
    }
    words {
        // Rounding, saturation and other arithmetic choices.
        Rn "rn", Rz "rz", Rm "rm", Rp "rp", Rna "rna", Rs "rs",
        Rni "rni", Rzi "rzi", Rmi "rmi", Rpi "rpi",
        Ftz "ftz", Sat "sat", Satfinite "satfinite", Approx "approx", Full "full",
        Wide "wide", Hi "hi", Lo "lo", Cc "cc", Relu "relu", XorSign "xorsign", NaN "NaN", Abs "abs",
        Oob "oob", Noftz "noftz", Scaled "scaled", N2acc "n2acc", PackedOffset "packed",
        ShiftAmt "shiftamt", Clamp "clamp", Wrap "wrap", Shr7 "shr7", Shr15 "shr15", Po "po",
        F4e "f4e", B4e "b4e", Rc8 "rc8", Ecl "ecl", Ecr "ecr", Rc16 "rc16",
        // Comparison and Boolean operations.
        Eq "eq", Ne "ne", Lt "lt", Le "le", Gt "gt", Ge "ge", Ls "ls", Hs "hs",
        Equ "equ", Neu "neu", Ltu "ltu", Leu "leu", Gtu "gtu", Geu "geu", Num "num", Nan "nan",
        And "and", Or "or", Xor "xor", Not "not",
        Finite "finite", Infinite "infinite", Number "number", NotANumber "notanumber",
        Normal "normal", Subnormal "subnormal",
        // State spaces.
        Global "global", Shared "shared", SharedCta "shared::cta", SharedCluster "shared::cluster",
        Local "local", Const "const", Param "param", ParamEntry "param::entry", ParamFunc "param::func",
        Generic "generic", To "to", Nc "nc",
        // Memory order, scope and caching.
        Weak "weak", Volatile "volatile", Relaxed "relaxed", Acquire "acquire", Release "release",
        AcqRel "acq_rel", Sc "sc", Mmio "mmio",
        Cta "cta", Cluster "cluster", Gpu "gpu", Sys "sys", Gl "gl",
        Ca "ca", Cg "cg", Cs "cs", Lu "lu", Cv "cv", Wb "wb", Wt "wt",
        L1EvictNormal "L1::evict_normal", L1EvictUnchanged "L1::evict_unchanged",
        L1EvictFirst "L1::evict_first", L1EvictLast "L1::evict_last", L1NoAllocate "L1::no_allocate",
        L2EvictNormal "L2::evict_normal", L2EvictFirst "L2::evict_first", L2EvictLast "L2::evict_last",
        L2EvictUnchanged "L2::evict_unchanged",
        L2CacheHint "L2::cache_hint", L2B64 "L2::64B", L2B128 "L2::128B", L2B256 "L2::256B",
        L1 "L1", L2 "L2", UnifiedSpace "unified", TensorMap "tensormap", Fractional "fractional", Range "range",
        CvtPolicy "cvt",
        Async "async", Proxy "proxy", Alias "alias",

        SyncRestrictSharedCluster "sync_restrict::shared::cluster",
        SyncRestrictSharedCta "sync_restrict::shared::cta",
        MbarrierInit "mbarrier_init",


        TensormapGeneric "tensormap::generic", AsyncGeneric "async::generic",
        // Vectors.
        V2 "v2", V4 "v4", V8 "v8", V16 "v16", V32 "v32",
        // Atomic and reduction operations.
        Exch "exch", Cas "cas", Add "add", Inc "inc", Dec "dec", Min "min", Max "max", Popc "popc",
        // Threads together.
        Sync "sync", Aligned "aligned", Uni "uni", All "all", Any "any", Ballot "ballot",
        Up "up", Down "down", Bfly "bfly", Idx "idx", Arrive "arrive", Red "red", Wait "wait",
        Noinc "noinc", NoComplete "noComplete", ExpectTx "expect_tx",
        Parity "parity", ReadOnly "read",
        // Video and bit operations.
        // Matrices.
        A "a", B "b", C "c", D "d", Row "row", Col "col", Trans "trans", X1 "x1", X2 "x2", X4 "x4",
        X8 "x8", X16 "x16", X32 "x32", X64 "x64", X128 "x128",
        M16n16k16 "m16n16k16", M8n32k16 "m8n32k16", M32n8k16 "m32n8k16", M16n16k8 "m16n16k8",
        M8n8k4 "m8n8k4", M8n8k16 "m8n8k16", M8n8k32 "m8n8k32", M8n8k128 "m8n8k128",
        M16n8k4 "m16n8k4", M16n8k8 "m16n8k8", M16n8k16 "m16n8k16", M16n8k32 "m16n8k32",
        M16n8k64 "m16n8k64", M16n8k128 "m16n8k128", M16n8k256 "m16n8k256",
        M8n8 "m8n8", M16n16 "m16n16", M8n16 "m8n16", M16n8 "m16n8",

        BlockScale "block_scale", ScaleVec1x "scale_vec::1X", ScaleVec2x "scale_vec::2X",
        ScaleVec4x "scale_vec::4X", Block16 "block16", Block32 "block32",
        KindF8f6f4 "kind::f8f6f4", KindMxf8f6f4 "kind::mxf8f6f4", KindMxf4 "kind::mxf4",
        KindMxf4nvf4 "kind::mxf4nvf4", KindF16 "kind::f16", KindTf32 "kind::tf32", KindI8 "kind::i8",
        Sp "sp",
        // Bulk copies and tensors.
        D1 "1d", D2 "2d", D3 "3d", D4 "4d", D5 "5d", A1d "a1d", A2d "a2d", Cube "cube", Acube "acube",
        D2ms "2dms", A2dms "a2dms", Tile "tile", TileGather4 "tile::gather4", TileScatter4 "tile::scatter4",
        Im2col "im2col", Im2colW "im2col::w", Im2colW128 "im2col::w::128", Im2colNoOffs "im2col_no_offs",
        MbarrierComplete "mbarrier::complete_tx::bytes", BulkGroup "bulk_group",
        MulticastCluster "multicast::cluster", CpMask "cp_mask", IgnoreOob "ignore_oob",
        CtaGroup1 "cta_group::1", CtaGroup2 "cta_group::2",
        MulticastClusterAll "multicast::cluster::all", B128w "128B",
        // Textures and surfaces.
        Level "level", Grad "grad", Base "base", R "r", G "g",  Trap "trap", Zero "zero", P "p",
         Width "width", Height "height", Depth "depth", ChannelDataType "channel_data_type",
        ChannelOrder "channel_order", NormalizedCoords "normalized_coords",
        ArraySize "array_size", NumMipmapLevels "num_mipmap_levels", NumSamples "num_samples",
        MemoryLayout "memory_layout", ForceUnnormalizedCoords "force_unnormalized_coords",
        FilterMode "filter_mode", AddrMode0 "addr_mode_0", AddrMode1 "addr_mode_1", AddrMode2 "addr_mode_2",
        // Tensor map fields.
        GlobalAddress "global_address", Rank "rank", BoxDim "box_dim", GlobalDim "global_dim",
        GlobalStride "global_stride", ElementStride "element_stride", Elemtype "elemtype",
        InterleaveLayout "interleave_layout", SwizzleMode "swizzle_mode", FillMode "fill_mode",
        SwizzleAtomicity "swizzle_atomicity",
        // Fifth-generation tensor cores.
        S32x32b "32x32b", S16x64b "16x64b", S16x128b "16x128b", S16x256b "16x256b", S16x32bx2 "16x32bx2",
        Pack16b "pack::16b", Unpack16b "unpack::16b", S128x256b "128x256b", S4x256b "4x256b",
        S128x128b "128x128b", S64x128b "64x128b", S32x128b "32x128b",
        Warpx2a "warpx2::02_13", Warpx2b "warpx2::01_23", Warpx4 "warpx4",
        CollectorAFill "collector::a::fill", CollectorAUse "collector::a::use",
        CollectorALastUse "collector::a::lastuse", CollectorADiscard "collector::a::discard",
        CollectorB0Fill "collector::b0::fill", CollectorB0Use "collector::b0::use",
        CollectorB0LastUse "collector::b0::lastuse", CollectorB0Discard "collector::b0::discard",
        CollectorB1Fill "collector::b1::fill", CollectorB1Use "collector::b1::use",
        CollectorB1LastUse "collector::b1::lastuse", CollectorB1Discard "collector::b1::discard",
        CollectorB2Fill "collector::b2::fill", CollectorB2Use "collector::b2::use",
        CollectorB2LastUse "collector::b2::lastuse", CollectorB2Discard "collector::b2::discard",
        CollectorB3Fill "collector::b3::fill", CollectorB3Use "collector::b3::use",
        CollectorB3LastUse "collector::b3::lastuse", CollectorB3Discard "collector::b3::discard",
        Ashift "ashift", Ws "ws", MbarrierArriveOne "mbarrier::arrive::one",
        // Warpgroup shapes.
        M64n8k8 "m64n8k8", M64n16k8 "m64n16k8", M64n24k8 "m64n24k8", M64n32k8 "m64n32k8", M64n40k8 "m64n40k8", M64n48k8 "m64n48k8", M64n56k8 "m64n56k8", M64n64k8 "m64n64k8", M64n72k8 "m64n72k8", M64n80k8 "m64n80k8", M64n88k8 "m64n88k8", M64n96k8 "m64n96k8", M64n104k8 "m64n104k8", M64n112k8 "m64n112k8", M64n120k8 "m64n120k8", M64n128k8 "m64n128k8", M64n136k8 "m64n136k8", M64n144k8 "m64n144k8", M64n152k8 "m64n152k8", M64n160k8 "m64n160k8", M64n168k8 "m64n168k8", M64n176k8 "m64n176k8", M64n184k8 "m64n184k8", M64n192k8 "m64n192k8", M64n200k8 "m64n200k8", M64n208k8 "m64n208k8", M64n216k8 "m64n216k8", M64n224k8 "m64n224k8", M64n232k8 "m64n232k8", M64n240k8 "m64n240k8", M64n248k8 "m64n248k8", M64n256k8 "m64n256k8", M64n8k16 "m64n8k16", M64n16k16 "m64n16k16", M64n24k16 "m64n24k16", M64n32k16 "m64n32k16", M64n40k16 "m64n40k16", M64n48k16 "m64n48k16", M64n56k16 "m64n56k16", M64n64k16 "m64n64k16", M64n72k16 "m64n72k16", M64n80k16 "m64n80k16", M64n88k16 "m64n88k16", M64n96k16 "m64n96k16", M64n104k16 "m64n104k16", M64n112k16 "m64n112k16", M64n120k16 "m64n120k16", M64n128k16 "m64n128k16", M64n136k16 "m64n136k16", M64n144k16 "m64n144k16", M64n152k16 "m64n152k16", M64n160k16 "m64n160k16", M64n168k16 "m64n168k16", M64n176k16 "m64n176k16", M64n184k16 "m64n184k16", M64n192k16 "m64n192k16", M64n200k16 "m64n200k16", M64n208k16 "m64n208k16", M64n216k16 "m64n216k16", M64n224k16 "m64n224k16", M64n232k16 "m64n232k16", M64n240k16 "m64n240k16", M64n248k16 "m64n248k16", M64n256k16 "m64n256k16", M64n8k32 "m64n8k32", M64n16k32 "m64n16k32", M64n24k32 "m64n24k32", M64n32k32 "m64n32k32", M64n40k32 "m64n40k32", M64n48k32 "m64n48k32", M64n56k32 "m64n56k32", M64n64k32 "m64n64k32", M64n72k32 "m64n72k32", M64n80k32 "m64n80k32", M64n88k32 "m64n88k32", M64n96k32 "m64n96k32", M64n104k32 "m64n104k32", M64n112k32 "m64n112k32", M64n120k32 "m64n120k32", M64n128k32 "m64n128k32", M64n136k32 "m64n136k32", M64n144k32 "m64n144k32", M64n152k32 "m64n152k32", M64n160k32 "m64n160k32", M64n168k32 "m64n168k32", M64n176k32 "m64n176k32", M64n184k32 "m64n184k32", M64n192k32 "m64n192k32", M64n200k32 "m64n200k32", M64n208k32 "m64n208k32", M64n216k32 "m64n216k32", M64n224k32 "m64n224k32", M64n232k32 "m64n232k32", M64n240k32 "m64n240k32", M64n248k32 "m64n248k32", M64n256k32 "m64n256k32", M64n8k64 "m64n8k64", M64n16k64 "m64n16k64", M64n24k64 "m64n24k64", M64n32k64 "m64n32k64", M64n40k64 "m64n40k64", M64n48k64 "m64n48k64", M64n56k64 "m64n56k64", M64n64k64 "m64n64k64", M64n72k64 "m64n72k64", M64n80k64 "m64n80k64", M64n88k64 "m64n88k64", M64n96k64 "m64n96k64", M64n104k64 "m64n104k64", M64n112k64 "m64n112k64", M64n120k64 "m64n120k64", M64n128k64 "m64n128k64", M64n136k64 "m64n136k64", M64n144k64 "m64n144k64", M64n152k64 "m64n152k64", M64n160k64 "m64n160k64", M64n168k64 "m64n168k64", M64n176k64 "m64n176k64", M64n184k64 "m64n184k64", M64n192k64 "m64n192k64", M64n200k64 "m64n200k64", M64n208k64 "m64n208k64", M64n216k64 "m64n216k64", M64n224k64 "m64n224k64", M64n232k64 "m64n232k64", M64n240k64 "m64n240k64", M64n248k64 "m64n248k64", M64n256k64 "m64n256k64", M64n8k256 "m64n8k256", M64n16k256 "m64n16k256", M64n24k256 "m64n24k256", M64n32k256 "m64n32k256", M64n40k256 "m64n40k256", M64n48k256 "m64n48k256", M64n56k256 "m64n56k256", M64n64k256 "m64n64k256", M64n72k256 "m64n72k256", M64n80k256 "m64n80k256", M64n88k256 "m64n88k256", M64n96k256 "m64n96k256", M64n104k256 "m64n104k256", M64n112k256 "m64n112k256", M64n120k256 "m64n120k256", M64n128k256 "m64n128k256", M64n136k256 "m64n136k256", M64n144k256 "m64n144k256", M64n152k256 "m64n152k256", M64n160k256 "m64n160k256", M64n168k256 "m64n168k256", M64n176k256 "m64n176k256", M64n184k256 "m64n184k256", M64n192k256 "m64n192k256", M64n200k256 "m64n200k256", M64n208k256 "m64n208k256", M64n216k256 "m64n216k256", M64n224k256 "m64n224k256", M64n232k256 "m64n232k256", M64n240k256 "m64n240k256", M64n248k256 "m64n248k256", M64n256k256 "m64n256k256",
        // Other.
        Mask "mask",
         LaunchDependents "launch_dependents", Extended "ext", Is "is",
        GetFirstCtaX "get_first_ctaid::x", GetFirstCtaY "get_first_ctaid::y", GetFirstCtaZ "get_first_ctaid::z",
        GetFirstCta "get_first_ctaid", IsCanceled "is_canceled",
        U "u", L "l", Acc32 "acc::f32", Acc16 "acc::f16",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_is_unique() {
        for &m in Modifier::ALL {
            assert_eq!(Modifier::from_text(m.text()), Some(m), "{m}");
        }
        assert_eq!(Modifier::from_text("foo"), None);
        assert_eq!(Modifier::S32.scalar_type(), Some(ScalarType::S32));
        assert_eq!(Modifier::Rn.scalar_type(), None);
    }
}
