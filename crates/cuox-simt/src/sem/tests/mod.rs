//! Known values, and results against independent computations on random operands.

mod convert;
mod float;
mod int;

use super::eval;
use crate::ir::*;

/// SplitMix64.
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns bits, often with few set or few clear, or at a boundary.
    fn bits(&mut self) -> u64 {
        let v = self.next();
        match v >> 61 {
            0 => self.next() >> (v & 63),
            1 => !(self.next() >> (v & 63)),
            2 => [0, 1, u64::MAX, 1 << 63, 1 << 31, 0x7fff_ffff, 0x8000, 0x7f][(v & 7) as usize],
            _ => v,
        }
    }

    /// Returns an f32's bits: near one, anywhere, or special.
    fn f32(&mut self) -> f32 {
        let v = self.next();
        let bits = v as u32;
        f32::from_bits(match v >> 61 {
            0 | 1 => bits,
            2 => {
                [
                    0,
                    1,
                    0x80_0000,
                    0x7f80_0000,
                    0x7f7f_ffff,
                    0x7fc0_0000,
                    0x7f_ffff,
                    0x3f80_0000,
                ][(v >> 40 & 7) as usize]
                    | bits & 1 << 31
            }
            3 => bits & 0x8fff_ffff,
            4 => bits & 0x807f_ffff | (127 << 23),
            _ => bits & 0x807f_ffff | ((117 + (v >> 40) as u32 % 20) << 23),
        })
    }

    fn f64(&mut self) -> f64 {
        let v = self.next();
        let bits = self.next();
        f64::from_bits(match v & 7 {
            0 | 1 => bits,
            2 => {
                [
                    0,
                    1,
                    1 << 52,
                    0x7ff << 52,
                    (0x7ff << 52) - 1,
                    0x7ff8 << 48,
                    (1 << 52) - 1,
                    1023 << 52,
                ][(v >> 40 & 7) as usize]
                    | bits & 1 << 63
            }
            3 => bits & 0x81ff_ffff_ffff_ffff,
            _ => bits & 0x800f_ffff_ffff_ffff | ((1013 + (v >> 40) % 20) << 52),
        })
    }
}

const ROUNDS: [Round; 5] = [
    Round::Nearest,
    Round::Zero,
    Round::Down,
    Round::Up,
    Round::Away,
];
const FLOATS: [Float; 4] = [Float::F16, Float::BF16, Float::F32, Float::F64];
const TYPES: [Ty; 4] = [Ty::B8, Ty::B16, Ty::B32, Ty::B64];

fn every_int_op() -> Vec<IntOp> {
    use IntOp::*;
    let mut ops = vec![
        Add,
        Sub,
        Mul,
        MulHiU,
        MulHiS,
        MulWideU,
        MulWideS,
        DivU,
        DivS,
        RemU,
        RemS,
        MinU,
        MinS,
        MaxU,
        MaxS,
        Neg,
        Abs,
        And,
        Or,
        Xor,
        Not,
        Shl,
        ShrU,
        ShrS,
        Popc,
        Clz,
        Brev,
        BfindU,
        BfindS,
        BfindShiftU,
        BfindShiftS,
        BfeU,
        BfeS,
        Bfi,
        AddSatS,
        SubSatS,
        AbsDiffU,
        AbsDiffS,
        AddCarry,
        AddCarryOut,
        SubBorrow,
        SubBorrowOut,
        Lop3(0x96),
        Fns,
    ];
    use PrmtMode::*;
    ops.extend([Index, F4e, B4e, Rc8, Ecl, Ecr, Rc16].map(Prmt));
    for a in [false, true] {
        ops.extend([ShfL(a), ShfR(a), Bmsk(a)]);
        for b in [false, true] {
            ops.extend([Dp4a(a, b), Szext(a, b), Dp2a(a, b, true), Dp2a(a, b, false)]);
        }
    }
    ops
}

fn every_op() -> Vec<Op> {
    let mut ops = vec![Op::PredToInt, Op::Half128(true), Op::Pack128];
    for ty in [Ty::Pred, Ty::B8, Ty::B16, Ty::B32, Ty::B64, Ty::B128] {
        ops.extend([Op::Mov(ty), Op::Select(ty)]);
        ops.extend(every_int_op().into_iter().map(|op| Op::Int(op, ty)));
    }
    ops.extend([PredOp::And, PredOp::Or, PredOp::Xor, PredOp::Not].map(Op::Logic));
    use FloatOp::*;
    let float_ops = [
        Add, Sub, Mul, Fma, Div, Rcp, Sqrt, Neg, Abs, Min, Max, MinNan, MaxNan, Copysign,
    ];
    let cmps = [
        Cmp::Eq,
        Cmp::Ne,
        Cmp::Lt,
        Cmp::Le,
        Cmp::Gt,
        Cmp::Ge,
        Cmp::EqU,
        Cmp::NeU,
        Cmp::LtU,
        Cmp::LeU,
        Cmp::GtU,
        Cmp::GeU,
        Cmp::Num,
        Cmp::Nan,
    ];
    let mut nums: Vec<Num> = FLOATS.map(Num::F).into();
    nums.extend(TYPES.map(Num::U));
    nums.extend(TYPES.map(Num::S));
    nums.extend([Num::U(Ty::B128), Num::S(Ty::Pred)]);
    for flag in [false, true] {
        for round in ROUNDS {
            for &from in &nums {
                for &to in &nums {
                    ops.push(Op::Convert(Conversion {
                        from,
                        to,
                        round,
                        integral: flag,
                        ftz: flag,
                        sat: flag,
                        relu: !flag,
                    }));
                }
            }
            for ty in FLOATS {
                ops.extend(float_ops.map(|op| Op::Float {
                    op,
                    ty,
                    round,
                    ftz: flag,
                    sat: flag,
                }));
            }
        }
        for ty in [Float::F16, Float::BF16] {
            ops.extend(float_ops.map(|op| Op::Float2 {
                op,
                ty,
                ftz: flag,
                sat: flag,
                relu: !flag,
            }));
            ops.push(Op::Convert2 {
                to: ty,
                round: Round::Nearest,
                relu: flag,
            });
        }
        for format in [Float8::E4m3, Float8::E5m2] {
            ops.push(Op::Narrow {
                to: format,
                relu: flag,
            });
            ops.push(Op::Widen {
                from: format,
                relu: flag,
            });
        }
        for &num in &nums {
            ops.extend(cmps.map(|cmp| Op::Compare {
                cmp,
                num,
                ftz: flag,
            }));
        }
        use ApproxOp::*;
        for ty in FLOATS {
            let functions = [Rcp, Sqrt, Rsqrt, Sin, Cos, Lg2, Ex2, Tanh, Div, DivFull];
            ops.extend(functions.map(|op| Op::Approx { op, ty, ftz: flag }));
        }
    }
    use FloatClass::*;
    for ty in FLOATS {
        ops.extend(
            [Finite, Infinite, Number, NotANumber, Normal, Subnormal].map(|c| Op::Class(c, ty)),
        );
    }
    ops
}

/// Operations do not panic for any operands, results fit their types, and operand bits beyond their types are
/// ignored.
#[test]
fn any_bits_will_do() {
    let mut random = Random(1);
    for op in every_op() {
        let signature = op.signature();
        for _ in 0..200 {
            let args = [(); 4].map(|()| random.bits());
            let result = eval(op, &args);
            assert_eq!(result & !signature.result.mask(), 0, "{op:?} {args:x?}");
            let mut cut = args;
            for (arg, ty) in cut.iter_mut().zip(signature.args()) {
                *arg &= ty.mask();
            }
            assert_eq!(eval(op, &cut), result, "{op:?} {args:x?}");
        }
    }
}
