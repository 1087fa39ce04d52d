//! Textures and surfaces.

use super::family;

family! {
    "Texture Instructions: tex" Tex {
        [[..GEOMETRY] {V2|V4} [U32|S32|F32|F16x2|F16] [S32|F32]] W T OX OX;
        [[Base|Level|Grad] [..GEOMETRY] {V2|V4} [U32|S32|F32|F16x2|F16] [F32]] W T OX OX OX OX;
    }
    "Texture Instructions: tld4" Tld4 {
        [[R|G|B|A] [D2|A2d|Cube|Acube] [V4] [U32|S32|F32] [F32]] W T OX OX;
    }
    "Texture Instructions: txq" Txq {
        [[Width|Height|Depth|ChannelDataType|ChannelOrder|NormalizedCoords|ArraySize|NumMipmapLevels|NumSamples|ForceUnnormalizedCoords|FilterMode|AddrMode0|AddrMode1|AddrMode2] [B32]] D A;
        [[Level] [Width|Height|Depth] [B32]] D A S(U32);
    }
    "Texture Instructions: istypep" IsTypeP { [[TexRef|SamplerRef|SurfRef]] D(PRED) S(U64); }
    "Surface Instructions: suld" SuLd {
        [[B] [..GEOMETRY] {Ca|Cg|Cs|Cv} {V2|V4} [B8|B16|B32] [..CLAMPING]] W T;
        [[B] [..GEOMETRY] {Ca|Cg|Cs|Cv} {V2} [B64] [..CLAMPING]] W T;
    }
    "Surface Instructions: sust" SuSt {
        [[B] [..GEOMETRY] {Wb|Cg|Cs|Wt} {V2|V4} [B8|B16|B32] [..CLAMPING]] T V;
        [[B] [..GEOMETRY] {Wb|Cg|Cs|Wt} {V2} [B64] [..CLAMPING]] T V;
        [[P] [..GEOMETRY] {Wb|Cg|Cs|Wt} {V2|V4} [B32] [..CLAMPING]] T V;
    }
    "Surface Instructions: sured" SuRed {
        [[B] [Add] [..GEOMETRY] [U32|U64|S32] [..CLAMPING]] T S(ANY);
        [[B] [Min|Max] [..GEOMETRY] [U32|U64|S32|S64] [..CLAMPING]] T S(ANY);
        [[B] [And|Or] [..GEOMETRY] [B32] [..CLAMPING]] T S(ANY);
        [[P] [Add|And|Or] [..GEOMETRY] [B32] [..CLAMPING]] T S(ANY);
        [[P] [Min|Max] [..GEOMETRY] [B32|B64] [..CLAMPING]] T S(ANY);
    }
    "Surface Instructions: suq" Suq {
        [[Width|Height|Depth|ChannelDataType|ChannelOrder|ArraySize|MemoryLayout] [B32]] D A;
    }
}
