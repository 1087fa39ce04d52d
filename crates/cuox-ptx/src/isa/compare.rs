//! Comparison and selection.

use super::family;

family! {
    "Comparison and Selection Instructions: set" Set {
        [[Eq|Ne] [..SET_RESULT] [..BITS16]] D S S;
        [[..COMPARE_INT] [..SET_RESULT] [..INT16]] D S S;
        [[..COMPARE_FLOAT] {Ftz} [..SET_RESULT] [..COMPARED_FLOAT]] D S S;
        [[Eq|Ne] [..BOOL] [..SET_RESULT] [..BITS16]] D S S P;
        [[..COMPARE_INT] [..BOOL] [..SET_RESULT] [..INT16]] D S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [..SET_RESULT] [..COMPARED_FLOAT]] D S S P;
    }
    "Comparison and Selection Instructions: setp" SetP {
        [[Eq|Ne] [..BITS16]] DP S S;
        [[..COMPARE_INT] [..INT16]] DP S S;
        [[..COMPARE_FLOAT] {Ftz} [..COMPARED_FLOAT]] DP S S;
        [[Eq|Ne] [..BOOL] [..BITS16]] DP S S P;
        [[..COMPARE_INT] [..BOOL] [..INT16]] DP S S P;
        [[..COMPARE_FLOAT] [..BOOL] {Ftz} [..COMPARED_FLOAT]] DP S S P;
    }
    "Comparison and Selection Instructions: selp" SelP { [[..SELECTED]] D S S P; }
    "Comparison and Selection Instructions: slct" SlCt {
        [[..SELECTED] [S32]] D S S S;
        [{Ftz} [..SELECTED] [F32]] D S S S;
    }
}
