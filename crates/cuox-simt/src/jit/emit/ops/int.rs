//! Integer operations. Values narrower than 32 bits are kept zero-extended in 32 bits.

use crate::ir::{IntOp, Ty};
use crate::jit::emit::value::{Emit, Lanes, part_type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Emits inline code for an integer operation, if there is any.
pub fn emit(e: &mut Emit, op: IntOp, ty: Ty, args: &[Lanes]) -> Option<Lanes> {
    if ty.bits() < 32 {
        return narrow(e, op, ty, args);
    }
    let wide = args[0].wide;
    let (a, b) = (args[0], *args.get(1).unwrap_or(&args[0]));
    Some(match op {
        IntOp::Add => e.map2(a, b, ty, |e, x, y| e.b.ins().iadd(x, y)),
        IntOp::Sub => e.map2(a, b, ty, |e, x, y| e.b.ins().isub(x, y)),
        IntOp::Mul => e.map2(a, b, ty, |e, x, y| e.b.ins().imul(x, y)),
        IntOp::And => e.map2(a, b, ty, |e, x, y| e.b.ins().band(x, y)),
        IntOp::Or => e.map2(a, b, ty, |e, x, y| e.b.ins().bor(x, y)),
        IntOp::Xor => e.map2(a, b, ty, |e, x, y| e.b.ins().bxor(x, y)),
        IntOp::Not => e.map1(a, ty, |e, x| e.b.ins().bnot(x)),
        IntOp::Neg => e.map1(a, ty, |e, x| e.b.ins().ineg(x)),
        IntOp::Abs => e.map1(a, ty, |e, x| e.b.ins().iabs(x)),
        IntOp::MulWideU | IntOp::MulWideS if ty == Ty::B32 => {
            mul_wide(e, op == IntOp::MulWideS, a, b)
        }
        IntOp::MulHiU | IntOp::MulHiS if !wide && ty == Ty::B32 => {
            let product = mul_wide(e, op == IntOp::MulHiS, a, b).one();
            let high = e.b.ins().ushr_imm_u(product, 32);
            let high = e.b.ins().ireduce(types::I32, high);
            Lanes::new(ty, false, &[high])
        }
        IntOp::MulHiU if !wide => e.map2(a, b, ty, |e, x, y| e.b.ins().umulhi(x, y)),
        IntOp::MulHiS if !wide => e.map2(a, b, ty, |e, x, y| e.b.ins().smulhi(x, y)),
        IntOp::MinS | IntOp::MaxS | IntOp::MinU | IntOp::MaxU if !wide || ty == Ty::B32 => {
            e.map2(a, b, ty, |e, x, y| match op {
                IntOp::MinS => e.b.ins().smin(x, y),
                IntOp::MaxS => e.b.ins().smax(x, y),
                IntOp::MinU => e.b.ins().umin(x, y),
                _ => e.b.ins().umax(x, y),
            })
        }
        IntOp::Shl | IntOp::ShrU | IntOp::ShrS if !wide => {
            let out = shift(e, op, ty, a.one(), b.one());
            Lanes::new(ty, false, &[out])
        }
        IntOp::DivU | IntOp::DivS | IntOp::RemU | IntOp::RemS if !wide => {
            let out = divide(e, op, ty, a.one(), b.one());
            Lanes::new(ty, false, &[out])
        }
        IntOp::Popc if !wide => count(e, ty, a, |e, x| e.b.ins().popcnt(x)),
        IntOp::Clz if !wide => count(e, ty, a, |e, x| e.b.ins().clz(x)),
        IntOp::Brev if !wide => e.map1(a, ty, |e, x| e.b.ins().bitrev(x)),
        IntOp::Lop3(table) => lop3(e, table, [args[0], args[1], args[2]]),
        IntOp::ShfL(_) | IntOp::ShfR(_) if !wide => return funnel(e, op, args),
        IntOp::AbsDiffU | IntOp::AbsDiffS if !wide || ty == Ty::B32 => {
            e.map2(a, b, ty, |e, x, y| {
                let (small, large) = if op == IntOp::AbsDiffS {
                    (e.b.ins().smin(x, y), e.b.ins().smax(x, y))
                } else {
                    (e.b.ins().umin(x, y), e.b.ins().umax(x, y))
                };
                e.b.ins().isub(large, small)
            })
        }
        _ if !wide => return crate::jit::emit::ops::bits::emit(e, op, ty, args),
        _ => return None,
    })
}

/// Shifts every lane by one constant amount, for which vectors have an instruction.
pub fn shift_by_constant(e: &mut Emit, op: IntOp, ty: Ty, a: Lanes, by: u32) -> Lanes {
    let bits = ty.bits();
    let by = match op {
        IntOp::ShrS => by.min(bits - 1),
        _ if by >= bits => return e.constant(ty, a.wide, 0),
        _ => by,
    };
    e.map1(a, ty, |e, x| match op {
        IntOp::Shl => e.b.ins().ishl_imm_u(x, i64::from(by)),
        IntOp::ShrU => e.b.ins().ushr_imm_u(x, i64::from(by)),
        _ => e.b.ins().sshr_imm_u(x, i64::from(by)),
    })
}

fn mul_wide(e: &mut Emit, signed: bool, a: Lanes, b: Lanes) -> Lanes {
    let widen = |e: &mut Emit, v: Lanes| -> Vec<Value> {
        let x = v.one();
        match (v.wide, signed) {
            (false, true) => vec![e.b.ins().sextend(types::I64, x)],
            (false, false) => vec![e.b.ins().uextend(types::I64, x)],
            (true, true) => vec![e.b.ins().swiden_low(x), e.b.ins().swiden_high(x)],
            (true, false) => vec![e.b.ins().uwiden_low(x), e.b.ins().uwiden_high(x)],
        }
    };
    let (x, y) = (widen(e, a), widen(e, b));
    let parts: Vec<Value> = x
        .iter()
        .zip(&y)
        .map(|(&x, &y)| e.b.ins().imul(x, y))
        .collect();
    Lanes::new(Ty::B64, a.wide, &parts)
}

/// Shifts one thread's value. PTX clamps the amount, the host wraps it.
fn shift(e: &mut Emit, op: IntOp, ty: Ty, x: Value, by: Value) -> Value {
    let part = part_type(ty, false);
    let inside =
        e.b.ins()
            .icmp_imm_u(IntCC::UnsignedLessThan, by, i64::from(ty.bits()));
    match op {
        IntOp::ShrS => {
            let most = e.iconst(types::I32, i64::from(ty.bits() - 1));
            let by = e.b.ins().select(inside, by, most);
            e.b.ins().sshr(x, by)
        }
        _ => {
            let shifted = if op == IntOp::Shl {
                e.b.ins().ishl(x, by)
            } else {
                e.b.ins().ushr(x, by)
            };
            let zero = e.iconst(part, 0);
            e.b.ins().select(inside, shifted, zero)
        }
    }
}

/// Emits quotient or remainder of one thread. The divisor is replaced where the host would trap.
fn divide(e: &mut Emit, op: IntOp, ty: Ty, x: Value, y: Value) -> Value {
    let part = part_type(ty, false);
    let one = e.iconst(part, 1);
    let by_zero = e.b.ins().icmp_imm_u(IntCC::Equal, y, 0);
    let signed = matches!(op, IntOp::DivS | IntOp::RemS);
    let bad = if signed {
        let minus = e.b.ins().icmp_imm_s(IntCC::Equal, y, -1);
        e.b.ins().bor(by_zero, minus)
    } else {
        by_zero
    };
    let safe = e.b.ins().select(bad, one, y);
    match op {
        IntOp::DivU | IntOp::DivS => {
            let q = if signed {
                e.b.ins().sdiv(x, safe)
            } else {
                e.b.ins().udiv(x, safe)
            };
            let ones = e.iconst(part, -1);
            if signed {
                // x / -1 is -x, also for the least value, which wraps to itself.
                let negated = e.b.ins().ineg(x);
                let special = e.b.ins().select(by_zero, ones, negated);
                e.b.ins().select(bad, special, q)
            } else {
                e.b.ins().select(bad, ones, q)
            }
        }
        _ => {
            let r = if signed {
                e.b.ins().srem(x, safe)
            } else {
                e.b.ins().urem(x, safe)
            };
            let zero = e.iconst(part, 0);
            let ones = e.iconst(part, -1);
            let special = e.b.ins().select(by_zero, ones, zero);
            e.b.ins().select(bad, special, r)
        }
    }
}

fn count(e: &mut Emit, ty: Ty, a: Lanes, f: impl Fn(&mut Emit, Value) -> Value) -> Lanes {
    let n = f(e, a.one());
    let n = if ty == Ty::B64 {
        e.b.ins().ireduce(types::I32, n)
    } else {
        n
    };
    Lanes::new(Ty::B32, false, &[n])
}

/// Emits a three-input truth table with few and, or, not: a sum of its rows, with short forms for common tables.
fn lop3(e: &mut Emit, table: u8, args: [Lanes; 3]) -> Lanes {
    e.map3(args, Ty::B32, |e, a, b, c| {
        let ty = e.b.func.dfg.value_type(a);
        let mut sum: Option<Value> = None;
        match table {
            0x96 => {
                let x = e.b.ins().bxor(a, b);
                return e.b.ins().bxor(x, c);
            }
            0x80 => {
                let x = e.b.ins().band(a, b);
                return e.b.ins().band(x, c);
            }
            0xFE => {
                let x = e.b.ins().bor(a, b);
                return e.b.ins().bor(x, c);
            }
            _ => {}
        }
        for row in (0..8u8).filter(|row| table >> row & 1 != 0) {
            let mut term: Option<Value> = None;
            for (input, bit) in [(a, 4), (b, 2), (c, 1)] {
                let v = if row & bit != 0 {
                    input
                } else {
                    e.b.ins().bnot(input)
                };
                term = Some(match term {
                    None => v,
                    Some(t) => e.b.ins().band(t, v),
                });
            }
            sum = match (sum, term) {
                (Some(s), Some(t)) => Some(e.b.ins().bor(s, t)),
                (s, t) => s.or(t),
            };
        }
        sum.unwrap_or_else(|| e.same(ty, 0))
    })
}

fn funnel(e: &mut Emit, op: IntOp, args: &[Lanes]) -> Option<Lanes> {
    let (low, high, by) = (args[0].one(), args[1].one(), args[2].one());
    let low = e.b.ins().uextend(types::I64, low);
    let high = e.b.ins().uextend(types::I64, high);
    let high = e.b.ins().ishl_imm_u(high, 32);
    let both = e.b.ins().bor(high, low);
    let (left, clamp) = match op {
        IntOp::ShfL(clamp) => (true, clamp),
        IntOp::ShfR(clamp) => (false, clamp),
        _ => return None,
    };
    let by = if clamp {
        let most = e.iconst(types::I32, 32);
        e.b.ins().umin(by, most)
    } else {
        e.b.ins().band_imm_u(by, 31)
    };
    let by = e.b.ins().uextend(types::I64, by);
    let out = if left {
        let shifted = e.b.ins().ishl(both, by);
        e.b.ins().ushr_imm_u(shifted, 32)
    } else {
        e.b.ins().ushr(both, by)
    };
    let out = e.b.ins().ireduce(types::I32, out);
    Some(Lanes::new(Ty::B32, false, &[out]))
}

/// Emits 8- and 16-bit operations by means of 32-bit ones.
fn narrow(e: &mut Emit, op: IntOp, ty: Ty, args: &[Lanes]) -> Option<Lanes> {
    let (a, b) = (args[0], *args.get(1).unwrap_or(&args[0]));
    let drop = i64::from(32 - ty.bits());
    let signed = |e: &mut Emit, v: Lanes| {
        e.map1(v, Ty::B32, |e, x| {
            let up = e.b.ins().ishl_imm_u(x, drop);
            e.b.ins().sshr_imm_u(up, drop)
        })
    };
    let cut = |e: &mut Emit, v: Lanes| {
        e.map1(v, ty, |e, x| {
            let part = e.b.func.dfg.value_type(x);
            let mask = e.same(part, ty.mask() as i64);
            e.b.ins().band(x, mask)
        })
    };
    let word = |v: Lanes| v.retyped(Ty::B32);
    Some(match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::Not | IntOp::Neg => {
            let args: Vec<Lanes> = args.iter().map(|&v| word(v)).collect();
            let full = emit(e, op, Ty::B32, &args)?;
            cut(e, full)
        }
        IntOp::And | IntOp::Or | IntOp::Xor | IntOp::MinU | IntOp::MaxU => {
            emit(e, op, Ty::B32, &[word(a), word(b)])?.retyped(ty)
        }
        IntOp::MinS | IntOp::MaxS => {
            let (x, y) = (signed(e, a), signed(e, b));
            let full = emit(e, op, Ty::B32, &[x, y])?;
            cut(e, full)
        }
        IntOp::MulWideU if ty == Ty::B16 => emit(e, IntOp::Mul, Ty::B32, &[word(a), word(b)])?,
        IntOp::MulWideS if ty == Ty::B16 => {
            let (x, y) = (signed(e, a), signed(e, b));
            emit(e, IntOp::Mul, Ty::B32, &[x, y])?
        }
        IntOp::Shl | IntOp::ShrU | IntOp::ShrS if !a.wide => {
            let x = if op == IntOp::ShrS {
                signed(e, a)
            } else {
                word(a)
            };
            // For amounts between the width and 31 the 32-bit shift already gives the clamped result.
            let out = shift(e, op, Ty::B32, x.one(), b.one());
            cut(e, Lanes::new(Ty::B32, false, &[out]))
        }
        _ => return None,
    })
}
