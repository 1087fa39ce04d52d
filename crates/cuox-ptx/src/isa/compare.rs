//! Comparison and selection.

use super::family;

family! {
    "Comparison and Selection Instructions: set" Set {
        [[Eq|Ne] [..SET_RESULT] [..BITS16]] D S S;
        [[..COMPARE_SIGNED] [..SET_RESULT] [..SIGNED]] D S S;
        [[..COMPARE_INT] [..SET_RESULT] [..UNSIGNED]] D S S;
        [[..COMPARE_FLOAT] {Ftz} [U32|S32|F16|F32] [F32]] D S S;
        [[..COMPARE_FLOAT] [..SET_RESULT] [F64]] D S S;
        [[..COMPARE_FLOAT] {Ftz} [U16|S16|U32|S32|F16] [F16]] D S S;
        [[..COMPARE_FLOAT] [Bf16] [F16|F32]] D S S;
        [[..COMPARE_FLOAT] [U16|S16|U32|S32|Bf16] [Bf16]] D S S;
        [[..COMPARE_FLOAT] {Ftz} [U32|S32|F16x2] [F16x2]] D S S;
        [[..COMPARE_FLOAT] [U32|S32|Bf16x2] [Bf16x2]] D S S;
        [[Eq|Ne] [..BOOL] [..SET_RESULT] [..BITS16]] D S S P;
        [[..COMPARE_SIGNED] [..BOOL] [..SET_RESULT] [..SIGNED]] D S S P;
        [[..COMPARE_INT] [..BOOL] [..SET_RESULT] [..UNSIGNED]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [U32|S32|F16|F32] [F32]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] [..SET_RESULT] [F64]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [U16|S16|U32|S32|F16] [F16]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] [Bf16] [F16|F32]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] [U16|S16|U32|S32|Bf16] [Bf16]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [U32|S32|F16x2] [F16x2]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] [U32|S32|Bf16x2] [Bf16x2]] D S S P;
    }
    "Comparison and Selection Instructions: setp" SetP {
        [[Eq|Ne] [..BITS16]] DP S S;
        [[..COMPARE_SIGNED] [..SIGNED]] DP S S;
        [[..COMPARE_INT] [..UNSIGNED]] DP S S;
        [[..COMPARE_FLOAT] {Ftz} [F32|F16x2]] DP S S;
        [[..COMPARE_FLOAT] [F64|Bf16x2]] DP S S;
        [[..COMPARE_FLOAT] {Ftz} [F16]] D S S;
        [[..COMPARE_FLOAT] [Bf16]] D S S;
        [[Eq|Ne] [..BOOL] [..BITS16]] DP S S P;
        [[..COMPARE_SIGNED] [..BOOL] [..SIGNED]] DP S S P;
        [[..COMPARE_INT] [..BOOL] [..UNSIGNED]] DP S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [F32|F16x2]] DP S S P;
        [[..COMPARE_FLOAT] [..BOOL] [F64|Bf16x2]] DP S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [F16]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] [Bf16]] D S S P;
    }
    "Comparison and Selection Instructions: selp" SelP { [[..SELECTED]] D S S P; }
    "Comparison and Selection Instructions: slct" SlCt {
        [[..SELECTED] [S32]] D S S S;
        [{Ftz} [..SELECTED] [F32]] D S S S;
    }
}
