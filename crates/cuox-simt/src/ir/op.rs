//! Lane-wise operations: pure functions of their operands, one enum per family.
//!
//! An [`Op`] contains everything that decides its result. [`Op::signature`] is the only definition of its operand and
//! result types; both engines and the verifier use it.

use crate::ir::types::{Float, Float8, Num, Round, Ty};
use serde::{Deserialize, Serialize};

/// Integer arithmetic and bit operations on a width (`Ty::B16`, `B32`, `B64`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum IntOp {
    /// `a + b`, wrapping.
    Add,
    /// `a - b`, wrapping.
    Sub,
    /// Low half of `a * b`.
    Mul,
    /// High half of the unsigned product.
    MulHiU,
    /// High half of the signed product.
    MulHiS,
    /// Full unsigned product: result is twice as wide (16→32, 32→64).
    MulWideU,
    /// Full signed product: result is twice as wide.
    MulWideS,
    /// Unsigned quotient; division by zero gives all ones, as the hardware does.
    DivU,
    /// Signed quotient, towards zero; by zero gives all ones; MIN / -1 gives MIN.
    DivS,
    /// Unsigned remainder; by zero gives all ones, as the hardware does.
    RemU,
    /// Signed remainder; by zero gives all ones; MIN % -1 gives 0.
    RemS,
    /// Unsigned minimum.
    MinU,
    /// Signed minimum.
    MinS,
    /// Unsigned maximum.
    MaxU,
    /// Signed maximum.
    MaxS,
    /// `-a`.
    Neg,
    /// `|a|`, wrapping at MIN.
    Abs,
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `!a`.
    Not,
    /// `a << b`; the amount is b32 and clamps at the width (result 0).
    Shl,
    /// Logical `a >> b`; amount b32, clamps (result 0).
    ShrU,
    /// Arithmetic `a >> b`; amount b32, clamps (all sign bits).
    ShrS,
    /// Set bits of `a`; result b32.
    Popc,
    /// Leading zeros of `a`; result b32.
    Clz,
    /// Bits of `a` in reverse.
    Brev,
    /// Position of the highest set bit (`bfind.u`), or all ones; result b32.
    BfindU,
    /// Position of the highest bit that differs from the sign (`bfind.s`), or all ones; result b32.
    BfindS,
    /// `BfindU` counted as a shift from the top (`.shiftamt`).
    BfindShiftU,
    /// `BfindS` counted as a shift from the top.
    BfindShiftS,
    /// `bfe.u(a, position: b32, length: b32)`.
    BfeU,
    /// `bfe.s(a, position: b32, length: b32)`.
    BfeS,
    /// `bfi(insert a, into b, position: b32, length: b32)`.
    Bfi,
    /// Signed add that saturates (`add.sat.s32`).
    AddSatS,
    /// Signed subtract that saturates.
    SubSatS,
    /// `|a - b|` of unsigned values.
    AbsDiffU,
    /// `|a - b|` of signed values.
    AbsDiffS,
    /// `a + b + carry`, carry is a predicate operand (third).
    AddCarry,
    /// The carry out of `a + b + carry`; result is a predicate.
    AddCarryOut,
    /// `a - b - borrow`, borrow is a predicate operand (third).
    SubBorrow,
    /// The borrow out of `a - b - borrow`; result is a predicate.
    SubBorrowOut,
    /// `prmt.b32(a, b, selector)` with the default mode; width b32 only.
    Prmt(PrmtMode),
    /// `lop3.b32(a, b, c)` with its look-up table; width b32 only.
    Lop3(u8),
    /// Funnel shift left of `{b, a}` (`shf.l`): amount clamps at 32 if true, else wraps; b32 only.
    ShfL(bool),
    /// Funnel shift right of `{b, a}` (`shf.r`).
    ShfR(bool),
    /// `dp4a`: four byte products of a and b added to c; flags: a signed, b signed; b32 only.
    Dp4a(bool, bool),
    /// `dp2a`: two 16-bit × byte products; flags: a signed, b signed, `.hi`; b32 only.
    Dp2a(bool, bool, bool),
    /// `fns.b32(mask, base, offset)`; b32 only.
    Fns,
    /// `szext`: sign- or zero-extends `a` from `b` bits; flags: signed, wrap (else clamp); b32 only.
    Szext(bool, bool),
    /// `bmsk.b32(position, width)`; flag: wrap (else clamp); b32 only.
    Bmsk(bool),
}

/// Modes of `prmt`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PrmtMode {
    /// No mode: the selector picks each byte.
    Index,
    /// `.f4e`.
    F4e,
    /// `.b4e`.
    B4e,
    /// `.rc8`.
    Rc8,
    /// `.ecl`.
    Ecl,
    /// `.ecr`.
    Ecr,
    /// `.rc16`.
    Rc16,
}

/// Floating-point operations with a defined (IEEE) result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatOp {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a * b + c`, rounded once.
    Fma,
    /// `a / b`.
    Div,
    /// `1 / a`.
    Rcp,
    /// Square root.
    Sqrt,
    /// `-a` (flips the sign, also of NaN).
    Neg,
    /// `|a|`.
    Abs,
    /// Minimum; a NaN operand loses to a number; -0 < +0.
    Min,
    /// Maximum.
    Max,
    /// Minimum; NaN wins (`.NaN`), canonical NaN result.
    MinNan,
    /// Maximum; NaN wins.
    MaxNan,
    /// `copysign`: magnitude of b, sign of a (PTX operand order).
    Copysign,
}

/// Floating-point functions whose result is only bounded by the manual.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ApproxOp {
    /// `rcp.approx`.
    Rcp,
    /// `sqrt.approx`.
    Sqrt,
    /// `rsqrt.approx`.
    Rsqrt,
    /// `sin.approx`.
    Sin,
    /// `cos.approx`.
    Cos,
    /// `lg2.approx`.
    Lg2,
    /// `ex2.approx`.
    Ex2,
    /// `tanh.approx`.
    Tanh,
    /// `div.approx`, two operands.
    Div,
    /// `div.full`, two operands.
    DivFull,
}

/// `testp` classes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatClass {
    /// Neither infinite nor NaN.
    Finite,
    /// Infinite.
    Infinite,
    /// A number, which includes infinities.
    Number,
    /// NaN.
    NotANumber,
    /// Normal; hardware counts zero here, subnormals not.
    Normal,
    /// Subnormal, zero not counted.
    Subnormal,
}

/// Comparison. For floats the plain forms are ordered (false on NaN) and the `U` forms unordered (true on NaN).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Cmp {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Equal or unordered.
    EqU,
    /// Not equal or unordered.
    NeU,
    /// Less or unordered.
    LtU,
    /// Less or equal or unordered.
    LeU,
    /// Greater or unordered.
    GtU,
    /// Greater or equal or unordered.
    GeU,
    /// Both are numbers.
    Num,
    /// Either is NaN.
    Nan,
}

/// Logic on predicates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PredOp {
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `!a`.
    Not,
}

/// A conversion between numbers (`cvt`). The operand register has `from`'s width, the result has `to`'s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Conversion {
    /// The operand's type.
    pub from: Num,
    /// The result's type.
    pub to: Num,
    /// Rounding; for float → float of the same format it rounds to an integral value when `integral`.
    pub round: Round,
    /// Float → float rounding to an integral value (`cvt.rni.f32.f32`).
    pub integral: bool,
    /// Subnormal operands and results are flushed to zero of their sign.
    pub ftz: bool,
    /// Clamp: to \[0, 1\] for float results (NaN → 0), to the target's range for integers.
    pub sat: bool,
    /// Negative results become 0 (`.relu`).
    pub relu: bool,
}

/// A pure lane-wise operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Op {
    /// Copies a register of that type.
    Mov(Ty),
    /// Integer arithmetic on a width.
    Int(IntOp, Ty),
    /// IEEE floating point.
    Float {
        /// The operation.
        op: FloatOp,
        /// The format.
        ty: Float,
        /// Rounding direction.
        round: Round,
        /// Flush subnormal operands and results.
        ftz: bool,
        /// Clamp the result to \[0, 1\].
        sat: bool,
    },
    /// A floating-point operation on both numbers of a b32 (`f16x2`, `bf16x2`).
    Float2 {
        /// The operation.
        op: FloatOp,
        /// The numbers' format: F16 or BF16.
        ty: Float,
        /// Flush subnormals.
        ftz: bool,
        /// Clamp the results to \[0, 1\].
        sat: bool,
        /// Negative results become 0.
        relu: bool,
    },
    /// Bounded-error functions.
    Approx {
        /// The function.
        op: ApproxOp,
        /// The format.
        ty: Float,
        /// Flush subnormals.
        ftz: bool,
    },
    /// `testp`: a predicate.
    Class(FloatClass, Float),
    /// `cvt`.
    Convert(Conversion),
    /// Two f32 (high, low) to two 16-bit numbers in one b32 (`cvt.rn.f16x2.f32`).
    Convert2 {
        /// The numbers' format.
        to: Float,
        /// Rounding.
        round: Round,
        /// Negative results become 0.
        relu: bool,
    },
    /// Two f32 (high, low) to two 8-bit numbers in one b16, rounded to nearest. Numbers out of range become the
    /// largest number (`cvt.rn.satfinite.e4m3x2.f32`).
    Narrow {
        /// The 8-bit format.
        to: Float8,
        /// Negative results become 0.
        relu: bool,
    },
    /// Two 8-bit numbers in a b16 to two f16 in a b32 (`cvt.rn.f16x2.e4m3x2`).
    Widen {
        /// The 8-bit format.
        from: Float8,
        /// Negative results become 0.
        relu: bool,
    },
    /// A comparison; the result is a predicate.
    Compare {
        /// The comparison.
        cmp: Cmp,
        /// The operands' number type.
        num: Num,
        /// Flush subnormal operands.
        ftz: bool,
    },
    /// `(pred, a, b)`: a if the predicate holds, else b.
    Select(Ty),
    /// Logic on predicates.
    Logic(PredOp),
    /// A predicate as 0 or 1 in a b32.
    PredToInt,
    /// The low (false) or high (true) 64 bits of a b128.
    Half128(bool),
    /// A b128 of (low, high) b64.
    Pack128,
}

/// Operand and result types of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    args: [Ty; 4],
    len: u8,
    /// The result's type.
    pub result: Ty,
}

impl Signature {
    fn new(args: &[Ty], result: Ty) -> Self {
        let mut all = [Ty::B32; 4];
        all[..args.len()].copy_from_slice(args);
        Signature {
            args: all,
            len: args.len() as u8,
            result,
        }
    }

    /// Returns the operands' types in order.
    pub fn args(&self) -> &[Ty] {
        &self.args[..self.len as usize]
    }
}

impl IntOp {
    fn signature(self, w: Ty) -> Signature {
        use IntOp::*;
        let wide = match w {
            Ty::B8 => Ty::B16,
            Ty::B16 => Ty::B32,
            Ty::B32 => Ty::B64,
            _ => Ty::B128,
        };
        match self {
            Add | Sub | Mul | MulHiU | MulHiS | DivU | DivS | RemU | RemS | MinU | MinS | MaxU
            | MaxS | And | Or | Xor | AddSatS | SubSatS | AbsDiffU | AbsDiffS => {
                Signature::new(&[w, w], w)
            }
            MulWideU | MulWideS => Signature::new(&[w, w], wide),
            Neg | Abs | Not | Brev => Signature::new(&[w], w),
            Shl | ShrU | ShrS => Signature::new(&[w, Ty::B32], w),
            Popc | Clz | BfindU | BfindS | BfindShiftU | BfindShiftS => {
                Signature::new(&[w], Ty::B32)
            }
            BfeU | BfeS => Signature::new(&[w, Ty::B32, Ty::B32], w),
            Bfi => Signature::new(&[w, w, Ty::B32, Ty::B32], w),
            AddCarry | SubBorrow => Signature::new(&[w, w, Ty::Pred], w),
            AddCarryOut | SubBorrowOut => Signature::new(&[w, w, Ty::Pred], Ty::Pred),
            Prmt(_) | Lop3(_) | ShfL(_) | ShfR(_) | Dp4a(..) | Dp2a(..) | Fns => {
                Signature::new(&[Ty::B32; 3], Ty::B32)
            }
            Szext(..) | Bmsk(_) => Signature::new(&[Ty::B32; 2], Ty::B32),
        }
    }
}

impl FloatOp {
    /// Returns true if it rounds results and makes NaNs canonical. The other operations select an operand or change
    /// its sign.
    pub fn is_arithmetic(self) -> bool {
        use FloatOp::{Add, Div, Fma, Mul, Rcp, Sqrt, Sub};
        matches!(self, Add | Sub | Mul | Fma | Div | Rcp | Sqrt)
    }

    /// Returns the number of operands.
    pub fn arity(self) -> usize {
        match self {
            FloatOp::Fma => 3,
            FloatOp::Rcp | FloatOp::Sqrt | FloatOp::Neg | FloatOp::Abs => 1,
            _ => 2,
        }
    }
}

impl ApproxOp {
    /// Returns the number of operands.
    pub fn arity(self) -> usize {
        match self {
            ApproxOp::Div | ApproxOp::DivFull => 2,
            _ => 1,
        }
    }
}

impl Op {
    /// Returns the operand and result types.
    pub fn signature(self) -> Signature {
        match self {
            Op::Mov(ty) => Signature::new(&[ty], ty),
            Op::Int(op, w) => op.signature(w),
            Op::Float { op, ty, .. } => Signature::new(&[ty.ty(); 3][..op.arity()], ty.ty()),
            Op::Float2 { op, .. } => Signature::new(&[Ty::B32; 3][..op.arity()], Ty::B32),
            Op::Approx { op, ty, .. } => Signature::new(&[ty.ty(); 2][..op.arity()], ty.ty()),
            Op::Class(_, ty) => Signature::new(&[ty.ty()], Ty::Pred),
            Op::Convert(c) => Signature::new(&[c.from.ty()], c.to.ty()),
            Op::Convert2 { .. } => Signature::new(&[Ty::B32, Ty::B32], Ty::B32),
            Op::Narrow { .. } => Signature::new(&[Ty::B32, Ty::B32], Ty::B16),
            Op::Widen { .. } => Signature::new(&[Ty::B16], Ty::B32),
            Op::Compare { num, .. } => Signature::new(&[num.ty(), num.ty()], Ty::Pred),
            Op::Select(ty) => Signature::new(&[Ty::Pred, ty, ty], ty),
            Op::Logic(PredOp::Not) => Signature::new(&[Ty::Pred], Ty::Pred),
            Op::Logic(_) => Signature::new(&[Ty::Pred, Ty::Pred], Ty::Pred),
            Op::PredToInt => Signature::new(&[Ty::Pred], Ty::B32),
            Op::Half128(_) => Signature::new(&[Ty::B128], Ty::B64),
            Op::Pack128 => Signature::new(&[Ty::B64, Ty::B64], Ty::B128),
        }
    }
}
