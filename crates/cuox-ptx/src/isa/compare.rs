//! Comparison and selection.

use super::family;

family! {
    "Comparison and Selection Instructions: set" Set {
        [[..COMPARE] {Ftz} [U32|S32|F32|F16|F16x2|Bf16|Bf16x2|U16|S16] [..COMPARED]] D S S;
        [[..COMPARE] [..BOOL] {Ftz} [U32|S32|F32|F16|F16x2|Bf16|Bf16x2|U16|S16] [..COMPARED]] D S S P;
    }
    "Comparison and Selection Instructions: setp" SetP {
        [[..COMPARE] {Ftz} [..COMPARED]] DP S S;
        [[..COMPARE] [..BOOL] {Ftz} [..COMPARED]] DP S S P;
    }
    "Comparison and Selection Instructions: selp" SelP { [[..SELECTED]] D S S P; }
    "Comparison and Selection Instructions: slct" SlCt {
        [[..SELECTED] [S32]] D S S S;
        [{Ftz} [..SELECTED] [F32]] D S S S;
    }
}
