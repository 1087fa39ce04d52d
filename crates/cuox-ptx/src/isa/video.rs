//! Scalar and SIMD video instructions.

use super::family;

family! {
    "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax" VAdd | VSub | VAbsDiff | VMin | VMax {
        [[..VIDEO] [..VIDEO] [..VIDEO] {Sat}] D(ANY) S(ANY) S(ANY);
        [[..VIDEO] [..VIDEO] [..VIDEO] {Sat} [Add|Min|Max]] D(ANY) S(ANY) S(ANY) S(ANY);
        [[..VIDEO] [..VIDEO] [..VIDEO] {Sat}] D(ANY) S(ANY) S(ANY) S(ANY);
    }
    "Scalar Video Instructions: vshl, vshr" VShl | VShr {
        [[..VIDEO] [..VIDEO] [U32] {Sat} [Clamp|Wrap]] D(ANY) S(ANY) S(ANY);
        [[..VIDEO] [..VIDEO] [U32] {Sat} [Clamp|Wrap] {Add|Min|Max}] D(ANY) S(ANY) S(ANY) S(ANY);
    }
    "Scalar Video Instructions: vmad" VMad {
        [[..VIDEO] [..VIDEO] [..VIDEO] {Po} {Sat} {Shr7|Shr15}] D(ANY) N(ANY) N(ANY) N(ANY);
    }
    "Scalar Video Instructions: vset" VSet {
        [[..VIDEO] [..VIDEO] [..COMPARE_INT]] D(ANY) S(ANY) S(ANY);
        [[..VIDEO] [..VIDEO] [..COMPARE_INT] {Add|Min|Max}] D(ANY) S(ANY) S(ANY) S(ANY);
    }
    "SIMD Video Instructions" VAdd2 | VSub2 | VAvrg2 | VAbsDiff2 | VMin2 | VMax2 | VAdd4 | VSub4 | VAvrg4
    | VAbsDiff4 | VMin4 | VMax4 {
        [[..VIDEO] [..VIDEO] [..VIDEO] {Sat}] D(ANY) S(ANY) S(ANY) S(ANY);
        [[..VIDEO] [..VIDEO] [..VIDEO] [Add]] D(ANY) S(ANY) S(ANY) S(ANY);
    }
    "SIMD Video Instructions: vset2, vset4" VSet2 | VSet4 {
        [[..VIDEO] [..VIDEO] [..COMPARE_INT] {Add}] D(ANY) S(ANY) S(ANY) S(ANY);
    }
}
