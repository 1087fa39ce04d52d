//! Logic, shifts and byte permutation.

use super::family;

family! {
    "Logic and Shift Instructions: and, or, xor" And | Or | Xor { [[..LOGIC]] D S S; }
    "Logic and Shift Instructions: not" Not { [[..LOGIC]] D S; }
    "Logic and Shift Instructions: cnot" CNot { [[..BITS16]] D S; }
    "Logic and Shift Instructions: lop3" Lop3 {
        [[B32]] DK S S S I;
        [[Or|And] [B32]] PAIR S S S I P;
    }
    "Logic and Shift Instructions: shf" Shf { [[L|R] [Clamp|Wrap] [B32]] D S S S(U32); }
    "Logic and Shift Instructions: shl" Shl { [[..BITS16]] D S S(U32); }
    "Logic and Shift Instructions: shr" Shr { [[B16|B32|B64|U16|U32|U64|S16|S32|S64]] D S S(U32); }
    "Data Movement and Conversion Instructions: prmt" Prmt {
        [[B32] {F4e|B4e|Rc8|Ecl|Ecr|Rc16}] D S S S;
    }
}
