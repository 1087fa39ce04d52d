//! Conversions between numeric types.

use crate::ir::{Conversion, Float, Num, Round, Ty};
use crate::jit::emit::ops::f16;
use crate::jit::emit::ops::float::{as_bits, as_float, flush, flush_where};
use crate::jit::emit::value::{Emit, Lanes};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, types};

/// Emits inline code for a conversion, if there is any.
pub fn emit(e: &mut Emit, c: Conversion, a: Lanes) -> Option<Lanes> {
    if c.relu {
        return None;
    }
    match (c.from, c.to) {
        (Num::U(from) | Num::S(from), Num::U(to) | Num::S(to)) if !c.sat => {
            Some(resize(e, a, from, to, c.from.is_signed()))
        }
        (Num::S(_) | Num::U(_), Num::F(to)) => int_to_float(e, c, to, a),
        (Num::F(from), Num::S(_) | Num::U(_)) => float_to_int(e, c, from, a),
        (Num::F(from), Num::F(to)) => float_to_float(e, c, from, to, a),
        _ => None,
    }
}

/// Widens or narrows an integer.
pub fn resize(e: &mut Emit, a: Lanes, from: Ty, to: Ty, signed: bool) -> Lanes {
    let mut v = a;
    if signed && from.bits() < 32 && to.bits() > from.bits() {
        let drop = i64::from(32 - from.bits());
        v = e.map1(v, Ty::B32, |e, x| {
            let up = e.b.ins().ishl_imm_u(x, drop);
            e.b.ins().sshr_imm_u(up, drop)
        });
    }
    match (from.bits() == 64, to.bits() == 64) {
        (false, true) => {
            let x = v.one();
            let parts = match (v.wide, signed) {
                (false, true) => vec![e.b.ins().sextend(types::I64, x)],
                (false, false) => vec![e.b.ins().uextend(types::I64, x)],
                (true, true) => vec![e.b.ins().swiden_low(x), e.b.ins().swiden_high(x)],
                (true, false) => vec![e.b.ins().uwiden_low(x), e.b.ins().uwiden_high(x)],
            };
            return Lanes::new(to, v.wide, &parts);
        }
        (true, false) => {
            v = if v.wide {
                let lo = e.bits_as(types::I8X16, v.parts()[0]);
                let hi = e.bits_as(types::I8X16, v.parts()[1]);
                let bytes: Vec<u8> = [0u8, 8, 16, 24].iter().flat_map(|&at| at..at + 4).collect();
                let order = e.b.func.dfg.immediates.push(bytes.as_slice().into());
                let packed = e.b.ins().shuffle(lo, hi, order);
                let packed = e.bits_as(types::I32X4, packed);
                Lanes::new(Ty::B32, true, &[packed])
            } else {
                let low = e.b.ins().ireduce(types::I32, v.one());
                Lanes::new(Ty::B32, false, &[low])
            };
        }
        _ => {}
    }
    if to.bits() < 32 {
        return e.map1(v, to, |e, x| {
            let part = e.b.func.dfg.value_type(x);
            let mask = e.same(part, to.mask() as i64);
            e.b.ins().band(x, mask)
        });
    }
    v.retyped(to)
}

fn int_to_float(e: &mut Emit, c: Conversion, to: Float, a: Lanes) -> Option<Lanes> {
    let from = c.from.ty();
    let signed = c.from.is_signed();
    if c.sat || !matches!(to, Float::F32 | Float::F64) {
        return None;
    }
    // If the value fits the mantissa exactly, every rounding mode gives the nearest result.
    let exact = from.bits() < if to == Float::F32 { 24 } else { 53 };
    if c.round != Round::Nearest && !exact {
        return None;
    }
    let a = if from.bits() < 32 {
        resize(e, a, from, Ty::B32, signed)
    } else {
        a
    };
    let signed = signed || from.bits() < 32;
    if a.wide {
        if from.bits() == 64 {
            return None;
        }
        return match to {
            Float::F32 => Some(e.map1(a, Ty::B32, |e, x| {
                let v = if signed {
                    e.b.ins().fcvt_from_sint(types::F32X4, x)
                } else {
                    e.b.ins().fcvt_from_uint(types::F32X4, x)
                };
                as_bits(e, v)
            })),
            _ => None,
        };
    }
    let ty = if to == Float::F32 {
        types::F32
    } else {
        types::F64
    };
    let v = if signed {
        e.b.ins().fcvt_from_sint(ty, a.one())
    } else {
        e.b.ins().fcvt_from_uint(ty, a.one())
    };
    let bits = as_bits(e, v);
    Some(Lanes::new(to.ty(), false, &[bits]))
}

fn float_to_int(e: &mut Emit, c: Conversion, from: Float, a: Lanes) -> Option<Lanes> {
    let to = c.to.ty();
    if to.bits() != 32 || !matches!(from, Float::F32 | Float::F64) {
        return None;
    }
    if a.wide && from != Float::F32 {
        return None;
    }
    let signed = c.to.is_signed();
    let ftz = c.ftz && from == Float::F32;
    let v = if ftz { e.map1(a, from.ty(), flush) } else { a };
    Some(e.map1(v, to, |e, x| {
        let operand = as_float(e, x);
        let x = match c.round {
            Round::Nearest => e.b.ins().nearest(operand),
            Round::Down => e.b.ins().floor(operand),
            Round::Up => e.b.ins().ceil(operand),
            Round::Zero | Round::Away => operand,
        };
        let ty = if a.wide { types::I32X4 } else { types::I32 };
        let whole = if signed {
            e.b.ins().fcvt_to_sint_sat(ty, x)
        } else {
            e.b.ins().fcvt_to_uint_sat(ty, x)
        };
        if from == Float::F32 {
            return whole;
        }
        // An f64 NaN becomes the sign bit, an f32 NaN becomes 0.
        let nan = e.b.ins().fcmp(FloatCC::Unordered, operand, operand);
        let top = e.iconst(types::I32, i64::from(i32::MIN));
        e.b.ins().select(nan, top, whole)
    }))
    .filter(|_| c.round != Round::Away)
}

fn float_to_float(e: &mut Emit, c: Conversion, from: Float, to: Float, a: Lanes) -> Option<Lanes> {
    if c.sat {
        return None;
    }
    match (from, to) {
        (Float::F32, Float::F16 | Float::BF16) if c.round == Round::Nearest && !c.ftz => {
            Some(e.map1(a, Ty::B16, |e, x| f16::from_f32(e, to, x)))
        }
        (Float::F16 | Float::BF16, Float::F32) if !c.ftz => {
            let value = e.map1(a, Ty::B32, |e, x| f16::to_f32(e, from, x));
            // The payload of a bf16 NaN is preserved.
            Some(value.marked(from == Float::F16))
        }
        (Float::F32, Float::F64) if !a.wide => {
            // With `.ftz` the operand's NaN is canonicalised first.
            let v = if c.ftz {
                let flushed = e.map1(a, Ty::B32, flush);
                e.canonicalize_nans(flushed.marked(true))
            } else {
                a
            };
            let x = as_float(e, v.one());
            let wide = e.b.ins().fpromote(types::F64, x);
            let bits = as_bits(e, wide);
            Some(Lanes::new(Ty::B64, false, &[bits]))
        }
        (Float::F64, Float::F32) if !a.wide && c.round == Round::Nearest => {
            let x = as_float(e, a.one());
            let narrow = e.b.ins().fdemote(types::F32, x);
            let bits = as_bits(e, narrow);
            let bits = match c.ftz {
                true => {
                    // Rounding to nearest takes a tie below the least normal number up to it.
                    let magnitude = e.b.ins().fabs(x);
                    let limit = f64::from(f32::MIN_POSITIVE) * (1.0 - 2f64.powi(-25));
                    let limit = e.b.ins().f64const(limit);
                    let small = e.b.ins().fcmp(FloatCC::LessThan, magnitude, limit);
                    flush_where(e, bits, small)
                }
                false => bits,
            };
            Some(Lanes::new(Ty::B32, false, &[bits]))
        }
        (Float::F32, Float::F32) | (Float::F64, Float::F64) if c.integral => {
            if c.round == Round::Away {
                return None;
            }
            let ftz = c.ftz && from == Float::F32;
            let rounded = e.map1(a, from.ty(), |e, x| {
                let x = if ftz { flush(e, x) } else { x };
                let f = as_float(e, x);
                let r = match c.round {
                    Round::Nearest => e.b.ins().nearest(f),
                    Round::Down => e.b.ins().floor(f),
                    Round::Up => e.b.ins().ceil(f),
                    _ => e.b.ins().trunc(f),
                };
                as_bits(e, r)
            });
            // A rounded f32 NaN is the GPU's own; an f64 NaN is propagated.
            Some(rounded.marked(from == Float::F32))
        }
        _ => None,
    }
}
