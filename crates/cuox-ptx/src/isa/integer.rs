//! Integer arithmetic, and the floating-point and packed forms of the same mnemonics.

use super::family;

family! {
    "Integer Arithmetic Instructions: add; Floating-Point Instructions: add" Add {
        [[..INT16]] D S S;
        [[U16x2|S16x2]] D S S;
        [{Sat} [S32]] D S S;
        [[Cc] [..INT32]] D S S;
        [{..RND} {Ftz} {Sat} [F32]] D S S;
        [{..RND} {Ftz} [F32x2]] D S S;
        [{..RND} [F64]] D S S;
        [{Rn} {Ftz} {Sat} [..HALF]] D S S;
        [{Rn} [..BRAIN]] D S S;
        [{..RND} {Sat} [F32] [F16|Bf16]] D S(T1) S;
    }
    "Integer Arithmetic Instructions: sub; Floating-Point Instructions: sub" Sub {
        [[..INT16]] D S S;
        [{Sat} [S32]] D S S;
        [[Cc] [..INT32]] D S S;
        [{..RND} {Ftz} {Sat} [F32]] D S S;
        [{..RND} {Ftz} [F32x2]] D S S;
        [{..RND} [F64]] D S S;
        [{Rn} {Ftz} {Sat} [..HALF]] D S S;
        [{Rn} [..BRAIN]] D S S;
        [{..RND} {Sat} [F32] [F16|Bf16]] D S(T1) S;
    }
    "Integer Arithmetic Instructions: mul; Floating-Point Instructions: mul" Mul {
        [[Hi|Lo] [..INT16]] D S S;
        [[Wide] [U16|U32|S16|S32]] D(WIDE) S S;
        [{..RND} {Ftz} {Sat} [F32]] D S S;
        [{..RND} {Ftz} [F32x2]] D S S;
        [{..RND} [F64]] D S S;
        [{Rn} {Ftz} {Sat} [..HALF]] D S S;
        [{Rn} [..BRAIN]] D S S;
    }
    "Integer Arithmetic Instructions: mad; Floating-Point Instructions: mad" Mad {
        [[Hi|Lo] [..INT16]] D S S S;
        [[Wide] [U16|U32|S16|S32]] D(WIDE) S S S(WIDE);
        [[Hi] [Sat] [S32]] D S S S;
        [[Hi|Lo] [Cc] [..INT32]] D S S S;
        [{..RND} {Ftz} {Sat} [F32]] D S S S;
        [[..RND] [F64]] D S S S;
    }
    "Integer Arithmetic Instructions: mul24" Mul24 { [[Hi|Lo] [U32|S32]] D S S; }
    "Integer Arithmetic Instructions: mad24" Mad24 {
        [[Hi|Lo] [U32|S32]] D S S S;
        [[Hi] [Sat] [S32]] D S S S;
    }
    "Integer Arithmetic Instructions: sad" Sad { [[..INT16]] D S S S; }
    "Integer Arithmetic Instructions: div; Floating-Point Instructions: div" Div {
        [[..INT16]] D S S;
        [[Approx|Full] {Ftz} [F32]] D S S;
        [[..RND] {Ftz} [F32]] D S S;
        [[..RND] [F64]] D S S;
    }
    "Integer Arithmetic Instructions: rem" Rem { [[..INT16]] D S S; }
    "Integer Arithmetic Instructions: abs; Floating-Point Instructions: abs" Abs {
        [[S16|S32|S64]] D S;
        [{Ftz} [F32|F16|F16x2]] D S;
        [[F64|Bf16|Bf16x2]] D S;
    }
    "Integer Arithmetic Instructions: neg; Floating-Point Instructions: neg" Neg {
        [[S16|S32|S64]] D S;
        [{Ftz} [F32|F16|F16x2]] D S;
        [[F64|Bf16|Bf16x2]] D S;
    }
    "Integer Arithmetic Instructions: min, max; Floating-Point Instructions: min, max" Min | Max {
        [[..INT16]] D S S;
        [{Relu} [S32|S16x2]] D S S;
        [[U16x2]] D S S;
        [{Ftz} {NaN} [F32]] D S S;
        [{Ftz} {NaN} [XorSign] [Abs] [F32]] D S S;
        [{Ftz} {NaN} {Abs} [F32]] D S S S;
        [[F64]] D S S;
        [{Ftz} {NaN} [..HALF]] D S S;
        [{Ftz} {NaN} [XorSign] [Abs] [..HALF]] D S S;
        [{NaN} [..BRAIN]] D S S;
        [{NaN} [XorSign] [Abs] [..BRAIN]] D S S;
    }
    "Extended-Precision Integer Arithmetic Instructions: addc, subc" AddC | SubC {
        [{Cc} [..INT32]] D S S;
    }
    "Extended-Precision Integer Arithmetic Instructions: madc" MadC {
        [[Hi|Lo] {Cc} [..INT32]] D S S S;
    }
    "Integer Arithmetic Instructions: popc, clz" Popc | Clz { [[B32|B64]] D(U32) S; }
    "Integer Arithmetic Instructions: bfind" Bfind { [{ShiftAmt} [..INT32]] D(U32) S; }
    "Integer Arithmetic Instructions: fns" Fns { [[B32]] D S S S; }
    "Integer Arithmetic Instructions: brev" Brev { [[B32|B64]] D S; }
    "Integer Arithmetic Instructions: bfe" Bfe { [[..INT32]] D S S(BYTE) S(BYTE); }
    "Integer Arithmetic Instructions: bfi" Bfi { [[B32|B64]] D S S S(BYTE) S(BYTE); }
    "Integer Arithmetic Instructions: szext" Szext { [[Clamp|Wrap] [U32|S32]] D S S(U32); }
    "Integer Arithmetic Instructions: bmsk" Bmsk { [[Clamp|Wrap] [B32]] D(U32) S(U32) S(U32); }
    "Integer Arithmetic Instructions: dp4a" Dp4a { [[U32|S32] [U32|S32]] D(U32) S S(T1) S(U32); }
    "Integer Arithmetic Instructions: dp2a" Dp2a { [[Lo|Hi] [U32|S32] [U32|S32]] D(U32) S S(T1) S(U32); }
}
