//! Wide code for conversions.

use crate::ir::{Conversion, Float, IntOp, Num, Operand, Round, Ty};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Val};
use crate::jit::avx512::ops::f16::ResultModifiers;
use crate::jit::avx512::vcode::{Src, V};

/// Returns the immediate of [`ROUND`] for a rounding mode.
pub(crate) fn whole(round: Round) -> Option<u8> {
    Some(match round {
        Round::Nearest => 8,
        Round::Down => 9,
        Round::Up => 10,
        Round::Zero => 11,
        Round::Away => return None,
    })
}

impl Lower<'_> {
    /// Extends a value in the low bits from `from` to `to`.
    pub fn extend(&mut self, v: V, from: Ty, to: Ty, signed: bool) -> Val {
        let bits = from.bits().min(32);
        let mut v = v;
        if signed && bits < 32 {
            v = self.shift_by(IntOp::Shl, v, 32 - bits);
            v = self.shift_by(IntOp::ShrS, v, 32 - bits);
        }
        match to {
            Ty::B64 => Val::Longs(self.widen(v, signed)),
            Ty::B32 => Val::Words(v, false),
            _ if to.bits() < bits || signed => {
                let mask = self.all32(to.mask() as u32);
                let cut = self.op2(AND, v, mask);
                if to == Ty::B16 && !signed {
                    self.record_f32_halves(cut, v, None);
                    self.lows.insert(cut);
                }
                Val::Words(cut, false)
            }
            _ => Val::Words(v, false),
        }
    }

    pub(crate) fn convert(&mut self, c: Conversion, x: Operand) -> Result<Option<Val>> {
        if let (_, Num::F(Float::F16 | Float::BF16)) = (c.from, c.to) {
            return self.f16_conversion(c, x);
        }
        if c.relu {
            return Ok(None);
        }
        let val = match (c.from, c.to) {
            (Num::U(from) | Num::S(from), Num::U(to) | Num::S(to)) if !c.sat => {
                if from == Ty::B128 || to == Ty::B128 {
                    return Ok(None);
                }
                if from == Ty::B64 && to == Ty::B64 {
                    return Ok(Some(self.val(x)));
                }
                // For a 64-bit operand these are the low halves.
                let v = self.words(x)?;
                let from = if from == Ty::B64 { Ty::B32 } else { from };
                self.extend(v, from, to, c.from.is_signed())
            }
            (Num::S(from) | Num::U(from), Num::F(to @ (Float::F32 | Float::F64)))
                if from != Ty::B128 && !c.sat =>
            {
                return self.int_to_float(c, from, to, x);
            }
            (
                Num::F(from @ (Float::F32 | Float::F16 | Float::BF16)),
                Num::S(to @ (Ty::B32 | Ty::B16 | Ty::B8))
                | Num::U(to @ (Ty::B32 | Ty::B16 | Ty::B8)),
            ) => {
                let Some(direction) = rounding(c.round) else {
                    return Ok(None);
                };
                let v = self.float_parts(from, c.ftz && from == Float::F32, x)?[0];
                let signed = c.to.is_signed();
                let v = self.int_of_float(v, signed, direction.unwrap_or(0));
                Val::Words(self.clamp_int(v, to, signed), false)
            }
            (Num::F(Float::F32), Num::F(Float::F64)) if !c.sat => {
                let v = if c.ftz {
                    let (v, _) = self.noncanonical_words(x)?;
                    let v = self.flush(v);
                    self.canonicalize_nans(v)
                } else {
                    self.words(x)?
                };
                let upper = self.upper_half(v);
                Val::Longs([v, upper].map(|v| self.op1(DOUBLE_OF_FLOAT, Src::V(v))))
            }
            (Num::F(Float::F64), Num::F(Float::F32)) if !c.sat => {
                let Some(direction) = rounding(c.round) else {
                    return Ok(None);
                };
                let parts = self.longs(x)?;
                let [low, high] =
                    parts.map(|v| self.rounded(FLOAT_OF_DOUBLE, None, v, None, direction));
                let v = self.join(low, high);
                if !c.ftz {
                    return Ok(Some(Val::Words(v, false)));
                }
                // Scaled so that no f32 is subnormal. Numbers that overflow are not small.
                let power = 2f64.powi(32);
                let scale = self.all64(power.to_bits());
                let [low, high] = parts.map(|v| {
                    let scaled = self.op2(float(0x59, Float::F64), v, scale);
                    self.rounded(FLOAT_OF_DOUBLE, None, scaled, None, direction)
                });
                let scaled = self.join(low, high);
                Val::Words(self.flush_by_scaled(v, scaled), false)
            }
            (Num::F(Float::F16), Num::F(Float::F32)) if !c.sat && !c.ftz && !c.integral => {
                Val::Words(self.f16_part(Float::F16, false, x)?, true)
            }
            // The payload of a NaN is preserved.
            (Num::F(Float::BF16), Num::F(Float::F32)) if !c.sat && !c.ftz => {
                let v = self.words(x)?;
                Val::Words(self.shift_by(IntOp::Shl, v, 16), false)
            }
            (Num::F(Float::F32), Num::F(Float::F32)) if c.sat && !c.integral => {
                let v = self.float_parts(Float::F32, c.ftz, x)?[0];
                Val::Words(self.saturate(Float::F32, v), false)
            }
            (Num::F(Float::F32), Num::F(Float::F32)) if c.integral && !c.sat => {
                let Some(code) = whole(c.round) else {
                    return Ok(None);
                };
                let v = self.float_parts(Float::F32, c.ftz, x)?[0];
                Val::Words(self.op_imm(ROUND, None, Src::V(v), code), true)
            }
            _ => return Ok(None),
        };
        Ok(Some(val))
    }

    /// Emits a conversion to f16 or bf16.
    fn f16_conversion(&mut self, c: Conversion, x: Operand) -> Result<Option<Val>> {
        let Num::F(to) = c.to else { return Ok(None) };
        let finish = ResultModifiers {
            ftz: false,
            sat: c.sat,
            relu: c.relu,
        };
        let mut round = c.round;
        let v = match c.from {
            Num::F(Float::F64) => return Ok(None),
            Num::F(from) if c.ftz && from != Float::F32 => return Ok(None),
            Num::F(from) => {
                let v = match from {
                    Float::F32 if c.ftz => {
                        let (v, _) = self.noncanonical_words(x)?;
                        self.flush(v)
                    }
                    Float::F32 => self.noncanonical_words(x)?.0,
                    _ => self.f16_part(from, false, x)?,
                };
                match (c.integral, whole(round)) {
                    (false, _) => v,
                    (true, None) => return Ok(None),
                    (true, Some(code)) => {
                        round = Round::Nearest;
                        self.op_imm(ROUND, None, Src::V(v), code)
                    }
                }
            }
            Num::S(from) | Num::U(from) => {
                if from.bits() > 32 {
                    return Ok(None);
                }
                let signed = c.from.is_signed();
                let v = self.words(x)?;
                let Val::Words(v, _) = self.extend(v, from, Ty::B32, signed) else {
                    return Ok(None);
                };
                let form = if signed { FLOAT_OF_S } else { FLOAT_OF_U };
                self.f32_to_odd(form, v)
            }
        };
        let v = self.clamped(v, finish);
        let words = self.f16_val(to, round, v, true);
        Ok(words.map(|words| Val::Words(words, false)))
    }

    pub(crate) fn int_to_float(
        &mut self,
        c: Conversion,
        from: Ty,
        to: Float,
        x: Operand,
    ) -> Result<Option<Val>> {
        let Some(direction) = rounding(c.round) else {
            return Ok(None);
        };
        let signed = c.from.is_signed();
        if from == Ty::B64 {
            let parts = self.longs(x)?;
            return Ok(Some(match to {
                Float::F64 => {
                    let form = Form::new(1, 2, true, if signed { 0xe6 } else { 0x7a });
                    Val::Longs(parts.map(|v| self.rounded(form, None, v, None, direction)))
                }
                _ => {
                    let form = if signed {
                        Form::new(1, 0, true, 0x5b)
                    } else {
                        Form::new(1, 3, true, 0x7a)
                    };
                    let [low, high] = parts.map(|v| self.rounded(form, None, v, None, direction));
                    Val::Words(self.join(low, high), false)
                }
            }));
        }
        let v = self.words(x)?;
        let Val::Words(v, _) = self.extend(v, from, Ty::B32, signed) else {
            return Ok(None);
        };
        Ok(Some(match to {
            Float::F64 => {
                let form = if signed { DOUBLE_OF_S } else { DOUBLE_OF_U };
                let upper = self.upper_half(v);
                Val::Longs([v, upper].map(|v| self.op1(form, Src::V(v))))
            }
            _ => {
                let form = if signed { FLOAT_OF_S } else { FLOAT_OF_U };
                Val::Words(self.rounded(form, None, v, None, direction), false)
            }
        }))
    }

    /// Converts f32 to integers with saturation; NaN becomes 0.
    pub(crate) fn int_of_float(&mut self, v: V, signed: bool, direction: u8) -> V {
        if !signed {
            // Negative values and NaN become 0; values that are too large already become all ones.
            let zero = self.all32(0);
            let v = self.op2(float(0x5f, Float::F32), v, zero);
            return self.rounded(U_OF_FLOAT, None, v, None, Some(direction));
        }
        let whole = self.rounded(S_OF_FLOAT, None, v, None, Some(direction));
        // Values out of range have become 0x80000000, which is correct only for large negative values.
        let limit = self.all32(0x4f00_0000);
        let compare = float(0xc2, Float::F32);
        let large = self.test(compare, Some(v), limit, Some(0x1d));
        let most = self.all32(0x7fff_ffff);
        let Src::Each(mem) = most else { return whole };
        let whole = self.merge(BROADCAST_WORD, whole, large, None, Src::Mem(mem));
        let nan = self.test(compare, Some(v), Src::V(v), Some(3));
        self.merge(AND_NOT, whole, nan, Some(whole), Src::V(whole))
    }
}
