//! Wide code for conversions that saturate, and for those between 64-bit and other numbers.

use crate::ir::{Conversion, Float, IntOp, Num, Op, Operand, Ty};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Val};
use crate::jit::avx512::ops::f16::ResultModifiers;
use crate::jit::avx512::vcode::{Mem, Src, V};

const LONG_S_OF_DOUBLE: Form = Form::new(1, 1, true, 0x7b);
const LONG_U_OF_DOUBLE: Form = Form::new(1, 1, true, 0x79);
const FLOAT_OF_LONG_S: Form = Form::new(1, 0, true, 0x5b);
const FLOAT_OF_LONG_U: Form = Form::new(1, 3, true, 0x7a);
const ROUND_DOUBLE: Form = Form::new(3, 1, true, 0x09);

impl Lower<'_> {
    /// Emits conversions that [`crate::jit::avx512::ops::convert`] does not handle.
    pub(crate) fn cast(&mut self, c: Conversion, x: Operand) -> Result<Option<Val>> {
        let short = |ty| matches!(ty, Float::F16 | Float::BF16);
        match (c.from, c.to) {
            (_, Num::F(to)) if c.sat && !c.relu && !short(to) => {
                let plain = Conversion { sat: false, ..c };
                if (c.from, to, c.integral) == (Num::F(Float::F64), Float::F64, false) {
                    let parts = self.longs(x)?;
                    return Ok(Some(Val::Longs(parts.map(|v| self.saturate(to, v)))));
                }
                Ok(match self.inline(Op::Convert(plain), &[x])? {
                    Some(Val::Words(v, _)) => Some(Val::Words(self.saturate(to, v), false)),
                    Some(Val::Longs(both)) => Some(Val::Longs(both.map(|v| self.saturate(to, v)))),
                    _ => None,
                })
            }
            (Num::U(from) | Num::S(from), Num::U(to) | Num::S(to)) => {
                if !c.sat || from == Ty::B128 || to == Ty::B128 {
                    return Ok(None);
                }
                self.clamp_to(c.from, c.to, x).map(Some)
            }
            (Num::S(Ty::B64) | Num::U(Ty::B64), Num::F(to)) if short(to) => {
                let form = match c.from.is_signed() {
                    true => FLOAT_OF_LONG_S,
                    false => FLOAT_OF_LONG_U,
                };
                let parts = self.longs(x)?;
                let v = self.longs_to_odd(form, parts);
                self.shortened(c, to, v)
            }
            (Num::F(from), Num::U(to) | Num::S(to)) if to != Ty::B128 => {
                let direction = match rounding(c.round) {
                    Some(direction) => direction.unwrap_or(0),
                    None => return Ok(None),
                };
                let parts = self.doubles(from, c.ftz, x)?;
                Ok(Some(self.integers(parts, c.to, direction)))
            }
            (Num::F(Float::F64), Num::F(Float::F64)) if c.integral => {
                let Some(code) = crate::jit::avx512::ops::convert::whole(c.round) else {
                    return Ok(None);
                };
                let parts = self.longs(x)?;
                Ok(Some(Val::Longs(parts.map(|v| {
                    self.op_imm(ROUND_DOUBLE, None, Src::V(v), code)
                }))))
            }
            (Num::F(from), Num::F(Float::F64)) if short(from) => {
                // NaN payloads matter here, and the f32 values kept beside 16-bit numbers lack them.
                let v = self.words(x)?;
                let v = match from {
                    Float::F16 => {
                        let half = self.narrow(HALVES_OF_WORDS, v, None);
                        self.op1(FLOAT_OF_HALF, Src::V(half))
                    }
                    _ => self.shift_by(IntOp::Shl, v, 16),
                };
                Ok(Some(Val::Longs(self.widened(v))))
            }
            (Num::F(Float::F16), Num::F(Float::F32)) if !c.integral => {
                let v = self.f16_part(Float::F16, false, x)?;
                Ok(Some(Val::Words(v, true)))
            }
            (Num::F(Float::BF16), Num::F(Float::F32)) if !c.integral => {
                let v = self.words(x)?;
                let v = self.shift_by(IntOp::Shl, v, 16);
                let v = self.flush(v);
                Ok(Some(Val::Words(v, true)))
            }
            (Num::F(Float::F64), Num::F(to)) if short(to) && !c.integral => {
                let parts = self.longs(x)?;
                let v = self.longs_to_odd(FLOAT_OF_DOUBLE, parts);
                self.shortened(c, to, v)
            }
            _ => Ok(None),
        }
    }

    /// Converts f32 to f64.
    fn widened(&mut self, v: V) -> [V; 2] {
        let upper = self.upper_half(v);
        [v, upper].map(|v| self.op1(DOUBLE_OF_FLOAT, Src::V(v)))
    }

    /// Converts numbers of any format to f64, except for NaN payloads.
    fn doubles(&mut self, from: Float, ftz: bool, x: Operand) -> Result<[V; 2]> {
        if from == Float::F64 {
            return self.longs(x);
        }
        let v = self.float_parts(from, ftz && from == Float::F32, x)?[0];
        Ok(self.widened(v))
    }

    /// Rounds numbers to integers, clamped to the type's range. NaN becomes the highest bit.
    fn integers(&mut self, parts: [V; 2], to: Num, direction: u8) -> Val {
        let (ty, signed) = (to.ty(), to.is_signed());
        let compare = float(0xc2, Float::F64);
        let at = |this: &mut Self, value: u64| {
            Src::Mem(Mem::Constant(this.asm.constant(&value.to_le_bytes())))
        };
        let long = parts.map(|x| {
            if !signed && ty == Ty::B64 {
                let zero = self.all64(0);
                let v = self.op2(float(0x5f, Float::F64), x, zero);
                return self.rounded(LONG_U_OF_DOUBLE, None, v, None, Some(direction));
            }
            // Numbers out of range have become the least integer.
            let v = self.rounded(LONG_S_OF_DOUBLE, None, x, None, Some(direction));
            let limit = self.all64(2f64.powi(63).to_bits());
            let large = self.test(compare, Some(x), limit, Some(0x1d));
            let most = at(self, i64::MAX as u64);
            let v = self.merge(BROADCAST_LONG, v, large, None, most);
            if ty == Ty::B64 {
                return v;
            }
            self.between(v, to)
        });
        let done = [0, 1].map(|n| {
            if signed {
                return long[n];
            }
            let nan = self.test(compare, Some(parts[n]), Src::V(parts[n]), Some(3));
            let top = at(self, 1 << (ty.bits() - 1));
            self.merge(BROADCAST_LONG, long[n], nan, None, top)
        });
        self.cut(done, ty)
    }

    /// Narrows 64-bit integers to a type.
    fn cut(&mut self, parts: [V; 2], ty: Ty) -> Val {
        if ty == Ty::B64 {
            return Val::Longs(parts);
        }
        let v = self.low_halves(parts);
        if ty == Ty::B32 {
            return Val::Words(v, false);
        }
        let mask = self.all32(ty.mask() as u32);
        Val::Words(self.op2(AND, v, mask), false)
    }

    /// Clamps signed 64-bit integers to the range of a narrower type.
    fn between(&mut self, v: V, to: Num) -> V {
        let (low, high) = range(to);
        let (low, high) = (self.all64(low as u64), self.all64(high as u64));
        let v = self.op2(long(MAX_S), v, low);
        self.op2(long(MIN_S), v, high)
    }

    fn clamp_to(&mut self, from: Num, to: Num, x: Operand) -> Result<Val> {
        let (source, ty) = (from.ty(), to.ty());
        if source != Ty::B64 {
            let v = self.words(x)?;
            let wide = if ty == Ty::B64 { ty } else { Ty::B32 };
            let v = match self.extend(v, source, wide, from.is_signed()) {
                Val::Words(v, _) => v,
                Val::Longs(parts) if from.is_signed() && !to.is_signed() => {
                    let zero = self.all64(0);
                    return Ok(Val::Longs(parts.map(|v| self.op2(long(MAX_S), v, zero))));
                }
                other => return Ok(other),
            };
            let (low, high) = range(to);
            let v = match from.is_signed() {
                true => {
                    let low = self.all32(low.max(i64::from(i32::MIN)) as u32);
                    let high = self.all32(high.min(i64::from(i32::MAX)) as u32);
                    let v = self.op2(MAX_S, v, low);
                    self.op2(MIN_S, v, high)
                }
                false => {
                    let high = self.all32(high as u32);
                    self.op2(MIN_U, v, high)
                }
            };
            let mask = self.all32(ty.mask() as u32);
            return Ok(Val::Words(self.op2(AND, v, mask), false));
        }
        let parts = self.longs(x)?;
        let clamped = match (from.is_signed(), ty, to.is_signed()) {
            (true, Ty::B64, true) | (false, Ty::B64, false) => parts,
            (true, Ty::B64, false) => {
                let zero = self.all64(0);
                parts.map(|v| self.op2(long(MAX_S), v, zero))
            }
            (true, ..) => parts.map(|v| self.between(v, to)),
            (false, ..) => {
                let high = self.all64(range(to).1 as u64);
                parts.map(|v| self.op2(long(MIN_U), v, high))
            }
        };
        Ok(self.cut(clamped, ty))
    }

    /// Converts 64-bit integers to f32, rounded to odd.
    fn longs_to_odd(&mut self, form: Form, parts: [V; 2]) -> V {
        let [down, up] = [1, 2].map(|direction| {
            let [low, high] = parts.map(|v| self.rounded(form, None, v, None, Some(direction)));
            self.join(low, high)
        });
        self.odd(down, up)
    }

    /// Rounds a value that was rounded to odd to a 16-bit format.
    fn shortened(&mut self, c: Conversion, to: Float, v: V) -> Result<Option<Val>> {
        let finish = ResultModifiers {
            ftz: false,
            sat: c.sat,
            relu: c.relu,
        };
        let value = self.clamped(v, finish);
        let Some(words) = self.f16_val(to, c.round, value, true) else {
            return Ok(None);
        };
        if c.sat || c.relu || !c.from.is_float() {
            return Ok(Some(Val::Words(words, false)));
        }
        // As much of a NaN's payload as fits.
        let nan = self.test(float(0xc2, Float::F32), Some(v), Src::V(v), Some(3));
        let bits = match to {
            Float::F16 => {
                let half = self.narrow(HALF_OF_FLOAT, v, Some(0));
                self.op1(WORDS_OF_HALVES, Src::V(half))
            }
            _ => self.shift_by(IntOp::ShrU, v, 16),
        };
        let words = self.full(BLEND, Some(words), Src::V(bits), None, Some(nan), None);
        Ok(Some(Val::Words(words, false)))
    }
}

/// Returns the least and the greatest integer of a type, as signed 64-bit values.
fn range(num: Num) -> (i64, i64) {
    let bits = num.ty().bits().min(64);
    match (num.is_signed(), bits) {
        (true, _) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        (false, 64) => (0, i64::MAX),
        (false, _) => (0, (1 << bits) - 1),
    }
}
