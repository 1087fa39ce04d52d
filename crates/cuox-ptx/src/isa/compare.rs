//! Comparison and selection.

use super::family;

family! {
    "Comparison and Selection Instructions: set" Set {
        [[Eq|Ne] [..SET_RESULT] [..BITS16]] D S(T1) S(T1);
        [[..COMPARE_SIGNED] [..SET_RESULT] [..SIGNED]] D S(T1) S(T1);
        [[..COMPARE_INT] [..SET_RESULT] [..UNSIGNED]] D S(T1) S(T1);
        [[..COMPARE_FLOAT] {Ftz} [U32|S32|F16|F32] [F32]] D S(T1) S(T1);
        [[..COMPARE_FLOAT] [..SET_RESULT] [F64]] D S(T1) S(T1);
        [[..COMPARE_FLOAT] {Ftz} [U16|S16|U32|S32|F16] [F16]] D S(T1) S(T1);
        [[..COMPARE_FLOAT] [Bf16] [F16|F32]] D S(T1) S(T1);
        [[..COMPARE_FLOAT] [U16|S16|U32|S32|Bf16] [Bf16]] D S(T1) S(T1);
        [[..COMPARE_FLOAT] {Ftz} [U32|S32|F16x2] [F16x2]] D S(T1) S(T1);
        [[..COMPARE_FLOAT] [U32|S32|Bf16x2] [Bf16x2]] D S(T1) S(T1);
        [[Eq|Ne] [..BOOL] [..SET_RESULT] [..BITS16]] D S(T1) S(T1) P;
        [[..COMPARE_SIGNED] [..BOOL] [..SET_RESULT] [..SIGNED]] D S(T1) S(T1) P;
        [[..COMPARE_INT] [..BOOL] [..SET_RESULT] [..UNSIGNED]] D S(T1) S(T1) P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [U32|S32|F16|F32] [F32]] D S(T1) S(T1) P;
        [[..COMPARE_FLOAT] [..BOOL] [..SET_RESULT] [F64]] D S(T1) S(T1) P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [U16|S16|U32|S32|F16] [F16]] D S(T1) S(T1) P;
        [[..COMPARE_FLOAT] [..BOOL] [Bf16] [F16|F32]] D S(T1) S(T1) P;
        [[..COMPARE_FLOAT] [..BOOL] [U16|S16|U32|S32|Bf16] [Bf16]] D S(T1) S(T1) P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [U32|S32|F16x2] [F16x2]] D S(T1) S(T1) P;
        [[..COMPARE_FLOAT] [..BOOL] [U32|S32|Bf16x2] [Bf16x2]] D S(T1) S(T1) P;
    }
    "Comparison and Selection Instructions: setp" SetP {
        [[Eq|Ne] [..BITS16]] DPK(PRED) S S;
        [[..COMPARE_SIGNED] [..SIGNED]] DPK(PRED) S S;
        [[..COMPARE_INT] [..UNSIGNED]] DPK(PRED) S S;
        [[..COMPARE_FLOAT] {Ftz} [F32|F16x2]] DPK(PRED) S S;
        [[..COMPARE_FLOAT] [F64|Bf16x2]] DPK(PRED) S S;
        [[..COMPARE_FLOAT] {Ftz} [F16]] DK(PRED) S S;
        [[..COMPARE_FLOAT] [Bf16]] DK(PRED) S S;
        [[Eq|Ne] [..BOOL] [..BITS16]] DPK(PRED) S S P;
        [[..COMPARE_SIGNED] [..BOOL] [..SIGNED]] DPK(PRED) S S P;
        [[..COMPARE_INT] [..BOOL] [..UNSIGNED]] DPK(PRED) S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [F32|F16x2]] DPK(PRED) S S P;
        [[..COMPARE_FLOAT] [..BOOL] [F64|Bf16x2]] DPK(PRED) S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [F16]] DK(PRED) S S P;
        [[..COMPARE_FLOAT] [..BOOL] [Bf16]] DK(PRED) S S P;
    }
    "Comparison and Selection Instructions: selp" SelP { [[..SELECTED]] D S S P; }
    "Comparison and Selection Instructions: slct" SlCt {
        [[..SELECTED] [S32]] D S S S(T1);
        [{Ftz} [..SELECTED] [F32]] D S S S(T1);
    }
}
