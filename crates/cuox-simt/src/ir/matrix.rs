//! Operations of a warp on matrices.

use crate::ir::types::{Round, Ty};
use serde::{Deserialize, Serialize};

/// The element type of a factor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Element {
    /// IEEE binary16 (f16).
    F16,
    /// bfloat16.
    Bf16,
    /// The upper 19 bits of an f32.
    Tf32,
    /// IEEE binary64.
    F64,
    /// 8 bits, 4 of them exponent; has no infinity.
    E4m3,
    /// 8 bits, 5 of them exponent.
    E5m2,
    /// Signed bytes.
    S8,
    /// Unsigned bytes.
    U8,
    /// Signed, 4 bits.
    S4,
    /// Unsigned, 4 bits.
    U4,
    /// Single bits.
    B1,
}

impl Element {
    /// Returns the bits of an element in a register.
    pub fn bits(self) -> usize {
        match self {
            Element::F16 | Element::Bf16 => 16,
            Element::Tf32 => 32,
            Element::F64 => 64,
            Element::E4m3 | Element::E5m2 | Element::S8 | Element::U8 => 8,
            Element::S4 | Element::U4 => 4,
            Element::B1 => 1,
        }
    }

    /// Returns true for integers, single bits included.
    pub fn is_int(self) -> bool {
        use Element::*;
        matches!(self, S8 | U8 | S4 | U4 | B1)
    }
}

/// The element type of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Sum {
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Signed, 32 bits.
    S32,
}

impl Sum {
    /// Returns the bits of an element in a register.
    pub fn bits(self) -> usize {
        match self {
            Sum::F16 => 16,
            Sum::F32 | Sum::S32 => 32,
            Sum::F64 => 64,
        }
    }
}

/// The storage of a sparse factor, half of whose elements are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Sparse {
    /// The lanes of each four that hold the metadata (`mma.sp`'s last operand).
    pub selector: u8,
}

/// `D = A * B + C`: A has `m` rows and `k` columns, B has `k` rows and 8 columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Mma {
    /// Rows: 8 or 16.
    pub m: u8,
    /// Products per element of the result.
    pub k: u16,
    /// Elements of A.
    pub a: Element,
    /// Elements of B.
    pub b: Element,
    /// Elements of C.
    pub c: Sum,
    /// Elements of D.
    pub d: Sum,
    /// A is stored by columns; f16 `m8n8k4` only, since other shapes have one layout.
    pub a_by_columns: bool,
    /// B is stored by rows; f16 `m8n8k4` only.
    pub b_by_rows: bool,
    /// Integer results saturate to 32 bits.
    pub saturate: bool,
    /// Single bits are combined by exclusive or instead of and.
    pub xor: bool,
    /// Rounding of f64 results.
    pub round: Round,
    /// Sparse A: of each four elements (two for tf32), two (one) are stored; `k` counts all.
    pub sparse: Option<Sparse>,
}

impl Mma {
    /// Returns true for `m8n8k4` of f16: four small products, one per group of eight lanes.
    pub fn is_quad(self) -> bool {
        self.a == Element::F16 && self.m == 8
    }

    /// Returns the number of stored elements in a row of A.
    pub fn stored(self) -> usize {
        usize::from(self.k) / if self.sparse.is_some() { 2 } else { 1 }
    }

    /// Returns the number of registers of a lane for A, B, C and D.
    pub fn registers(self) -> [usize; 4] {
        if self.is_quad() {
            let sum = |s: Sum| if s == Sum::F16 { 4 } else { 8 };
            return [2, 2, sum(self.c), sum(self.d)];
        }
        let (m, k) = (usize::from(self.m), usize::from(self.k));
        let factor = |elements: usize, bits: usize| elements / 32 * bits / bits.max(32);
        let a = m * self.stored() * self.a.bits() / 32 / self.a.bits().max(32);
        let b = k * 8 * self.b.bits() / 32 / self.b.bits().max(32);
        [
            a,
            b,
            factor(m * 8, self.c.bits()),
            factor(m * 8, self.d.bits()),
        ]
    }
}

/// A warp's part of a product of a warpgroup (`wgmma`): 16 of the 64 rows of `D = A * B + D`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Wgmma {
    /// Columns of B and D: a multiple of 8 up to 256.
    pub n: u16,
    /// Elements of A.
    pub a: Element,
    /// Elements of B.
    pub b: Element,
    /// Elements of D.
    pub d: Sum,
    /// A is in shared memory, too.
    pub a_shared: bool,
    /// A's elements are negated.
    pub negate_a: bool,
    /// B's elements are negated.
    pub negate_b: bool,
    /// A is stored by columns; 16-bit elements in shared memory only.
    pub a_by_columns: bool,
    /// B is stored by rows; 16-bit elements only.
    pub b_by_rows: bool,
    /// Integer results saturate to 32 bits.
    pub saturate: bool,
    /// Sparse A, as in [`Mma`]: there are twice as many products.
    pub sparse: Option<Sparse>,
}

impl Wgmma {
    /// Returns the product of eight columns: A's rows are those of the warp, of which 32 bytes each are stored.
    pub fn tile(self) -> Mma {
        let stored = (256 / self.a.bits()) as u16;
        Mma {
            m: 16,
            k: stored * if self.sparse.is_some() { 2 } else { 1 },
            a: self.a,
            b: self.b,
            c: self.d,
            d: self.d,
            a_by_columns: false,
            b_by_rows: false,
            saturate: self.saturate,
            xor: false,
            round: Round::Nearest,
            sparse: self.sparse,
        }
    }

    /// Returns the number of a lane's registers for D.
    pub fn sums(self) -> usize {
        usize::from(self.n) / 8 * self.tile().registers()[3]
    }
}

/// An operation of a whole warp on matrices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MatrixOp {
    /// Distributes rows: each lane has a row of 16 bytes; result `n` is the lane's part of the 8 by 8 matrix of
    /// 16-bit elements whose rows are in the lanes from `8 * n` on. Args (four b32), results (`count` b32).
    Spread {
        /// The number of matrices: 1, 2 or 4.
        count: u8,
        /// True to transpose.
        trans: bool,
    },
    /// Gathers rows, the inverse of `Spread`: args (`count` b32), results (four b32, a row). Lanes from `8 * count`
    /// on get the row of the lane `8 * count` below.
    Gather {
        /// The number of matrices: 1, 2 or 4.
        count: u8,
        /// True to transpose.
        trans: bool,
    },
    /// Transposes an 8 by 8 matrix of 16-bit elements: arg (b32), result (b32).
    Transpose,
    /// A product: args (A, B, C, and b32 metadata if sparse), results (D).
    Mma(Mma),
    /// A warp's part of a warpgroup's product. Args: the host address of the shared window (b64), its size, the
    /// warp's number and the block's threads (b32), the descriptor of B (b64), whether D is added (pred), A (a
    /// descriptor, b64, or four b32), D, and b32 metadata if sparse. Results: a number (b32) that is 0 unless the
    /// operation is a fault (see [`Syscall::WgmmaFault`](crate::ir::Syscall::WgmmaFault)), and D.
    Wgmma(Wgmma),
}

impl MatrixOp {
    /// Returns the types of the operands and of the results.
    pub fn signature(self) -> (Vec<Ty>, Vec<Ty>) {
        let words = |n: usize| vec![Ty::B32; n];
        match self {
            MatrixOp::Spread { count, .. } => (words(4), words(count.into())),
            MatrixOp::Gather { count, .. } => (words(count.into()), words(4)),
            MatrixOp::Transpose => (words(1), words(1)),
            MatrixOp::Mma(mma) => {
                let [a, b, c, d] = mma.registers();
                let ty = if mma.a == Element::F64 {
                    Ty::B64
                } else {
                    Ty::B32
                };
                let extra = usize::from(mma.sparse.is_some());
                (vec![ty; a + b + c + extra], vec![ty; d])
            }
            MatrixOp::Wgmma(op) => {
                let mut args = vec![Ty::B64, Ty::B32, Ty::B32, Ty::B32, Ty::B64, Ty::Pred];
                match op.a_shared {
                    true => args.push(Ty::B64),
                    false => args.extend(words(4)),
                }
                args.extend(words(op.sums() + usize::from(op.sparse.is_some())));
                (args, words(1 + op.sums()))
            }
        }
    }
}
