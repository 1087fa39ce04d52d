//! Floating-point instructions of all precisions that have mnemonics of their own.

use super::family;

family! {
    "Floating-Point Instructions: testp" TestP {
        [[Finite|Infinite|Number|NotANumber|Normal|Subnormal] [F32|F64]] D(PRED) S;
    }
    "Floating-Point Instructions: copysign" CopySign { [[F32|F64]] D S S; }
    "Floating-Point Instructions: fma" Fma {
        [[..RND] {Ftz} {Sat} [F32]] D S S S;
        [[..RND] {Ftz} [F32x2]] D S S S;
        [[..RND] [F64]] D S S S;
        [[Rn] {Ftz} {Sat} [..HALF]] D S S S;
        [[Rn] {Ftz} {Relu} [..HALF]] D S S S;
        [[Rn] {Relu} [..BRAIN]] D S S S;
        [[Rn] [Oob] {Relu} [..HALVES]] D S S S;
        [[..RND] {Sat} [F32] [F16|Bf16]] D S(T1) S(T1) S;
    }
    "Floating-Point Instructions: rcp" Rcp {
        [[Approx] {Ftz} [F32]] D S;
        [[..RND] {Ftz} [F32]] D S;
        [[..RND] [F64]] D S;
        [[Approx] [Ftz] [F64]] D S;
    }
    "Floating-Point Instructions: sqrt" Sqrt {
        [[Approx] {Ftz} [F32]] D S;
        [[..RND] {Ftz} [F32]] D S;
        [[..RND] [F64]] D S;
    }
    "Floating-Point Instructions: rsqrt" Rsqrt { [[Approx] {Ftz} [F32|F64]] D S; }
    "Floating-Point Instructions: sin, cos, lg2" Sin | Cos | Lg2 { [[Approx] {Ftz} [F32]] D S; }
    "Floating-Point Instructions: ex2" Ex2 {
        [[Approx] {Ftz} [F32]] D S;
        [[Approx] [F16|F16x2]] D S;
        [[Approx] [Ftz] [Bf16|Bf16x2]] D S;
    }
    "Floating-Point Instructions: tanh" Tanh { [[Approx] [F32|F16|F16x2|Bf16|Bf16x2]] D S; }
}
