//! Wide code for f32 and f64 arithmetic and for comparisons.
//!
//! f32 results have the machine's NaNs until they are canonicalised. With `.ftz`, a result near the least normal number
//! is decided by the same computation scaled by 2^32.

use crate::ir::{Cmp, Float, FloatOp, IntOp, Num, Operand, Round, Ty};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Val};
use crate::jit::avx512::vcode::{K, KOp, Src, V};
use crate::sem::Format;

/// Factor that makes subnormal f32 numbers normal.
const SCALE: f32 = (1u64 << 32) as f32;

impl Lower<'_> {
    /// Replaces any NaN of f32 arithmetic by the GPU's canonical NaN. What the processor's mode has flushed is flushed
    /// here, too: LLVM takes a product by 1 for its operand, which nothing else flushes.
    pub fn canonicalize_nans(&mut self, v: V) -> V {
        let v = match self.plan.flushes {
            true => self.flush(v),
            false => v,
        };
        let nan = self.test(float(0xc2, Float::F32), Some(v), Src::V(v), Some(3));
        let quiet = self.all32(NAN);
        let Src::Each(mem) = quiet else { return v };
        self.merge(BROADCAST_WORD, v, nan, None, Src::Mem(mem))
    }

    /// Flushes subnormal f32 values to zero, keeping the sign.
    pub(crate) fn flush(&mut self, v: V) -> V {
        if let Some(&known) = self.flushed.get(&v) {
            return known;
        }
        let small = self.test(CLASS, None, Src::V(v), Some(SUBNORMAL));
        self.flush_where(v, small)
    }

    /// Replaces the lanes of a mask by zero, keeping the sign. The mask has all subnormal lanes and possibly others.
    pub(crate) fn flush_where(&mut self, v: V, small: K) -> V {
        let sign = self.all32(SIGN);
        let flushed = self.merge(AND, v, small, Some(v), sign);
        self.flushed.insert(v, flushed);
        self.flushed.insert(flushed, flushed);
        flushed
    }

    /// Flushes a product, or a fused multiply-add, that is subnormal when rounded to the precision of normal numbers.
    pub(crate) fn flushed_product(
        &mut self,
        [a, b]: [V; 2],
        summand: Option<V>,
        direction: Option<u8>,
    ) -> V {
        let form = match summand {
            Some(_) => fused(0xb8, Float::F32),
            None => float(0x59, Float::F32),
        };
        let v = self.rounded(form, Some(a), b, summand, direction);
        if direction == TOWARD_ZERO {
            return self.flush(v);
        }
        // Scaled so that no number is subnormal. Results that overflow are not small.
        let a = self.scaled_up(a);
        let summand = summand.map(|c| self.scaled_up(c));
        let scaled = self.rounded(form, Some(a), b, summand, direction);
        self.flush_by_scaled(v, scaled)
    }

    /// Flushes where the result scaled by 2^32 is less than the scaled least normal number.
    pub(crate) fn flush_by_scaled(&mut self, v: V, scaled: V) -> V {
        let rest = self.sign_bit(Float::F32, true);
        let magnitude = self.op2(AND, scaled, rest);
        let least = self.all32((f32::MIN_POSITIVE * SCALE).to_bits());
        let small = self.test(COMPARE_U, Some(magnitude), least, Some(1));
        self.flush_where(v, small)
    }

    fn scaled_up(&mut self, v: V) -> V {
        if let Some(&known) = self.scaled.get(&v) {
            return known;
        }
        let scale = self.all32(SCALE.to_bits());
        let scaled = self.op2(float(0x59, Float::F32), v, scale);
        self.scaled.insert(v, scaled);
        scaled
    }

    /// Emits a quotient, flushed where it is subnormal. No quotient is so close to the least normal number that
    /// rounding matters.
    fn flushed_quotient(&mut self, [a, b]: [V; 2], direction: Option<u8>) -> V {
        let v = self.rounded(float(0x5e, Float::F32), Some(a), b, None, direction);
        // `|a| * 2^126` is exact or infinite.
        let scale = self.all32(2f32.powi(126).to_bits());
        let scaled = self.op2(float(0x59, Float::F32), a, scale);
        let magnitude = self.sign_bit(Float::F32, true);
        let [scaled, b] = [scaled, b].map(|v| self.op2(AND, v, magnitude));
        let small = self.test(float(0xc2, Float::F32), Some(scaled), Src::V(b), Some(LESS));
        self.flush_where(v, small)
    }

    /// Returns a floating-point operand's vectors: two of f64, or one of f32, to which 16-bit formats are converted.
    pub(crate) fn float_parts(&mut self, ty: Float, ftz: bool, x: Operand) -> Result<Vec<V>> {
        if ty == Float::F64 {
            return Ok(self.longs(x)?.to_vec());
        }
        if matches!(ty, Float::F16 | Float::BF16) {
            let v = match ftz {
                true => self.f16_flushed(false, x)?,
                false => self.f16_part(ty, false, x)?,
            };
            return Ok(vec![v]);
        }
        if let (true, Val::Imm(bits)) = (ftz, self.val(x)) {
            let bits = Format::of(Float::F32).flush(bits & 0xffff_ffff);
            let v = self.noncanonical_words(Operand::Imm(bits))?.0;
            self.flushed.insert(v, v);
            return Ok(vec![v]);
        }
        let (v, _) = self.noncanonical_words(x)?;
        Ok(vec![if ftz { self.flush(v) } else { v }])
    }

    /// Returns a floating-point operand as last operands of instructions.
    pub(crate) fn float_srcs(&mut self, ty: Float, ftz: bool, x: Operand) -> Result<Vec<Src>> {
        if ty == Float::F64 {
            return Ok(self.longs_src(x)?.to_vec());
        }
        if ftz || ty != Float::F32 {
            return Ok(self
                .float_parts(ty, ftz, x)?
                .into_iter()
                .map(Src::V)
                .collect());
        }
        Ok(vec![self.noncanonical_src(x)?])
    }

    pub(crate) fn float_val(&mut self, ty: Float, parts: &[V], noncanonical: bool) -> Val {
        match ty {
            Float::F64 => Val::Longs([parts[0], parts[1]]),
            _ => Val::Words(parts[0], noncanonical),
        }
    }

    pub(crate) fn sign_bit(&mut self, ty: Float, invert: bool) -> Src {
        let flip = if invert { u64::MAX } else { 0 };
        match ty {
            Float::F64 => self.all64(1 << 63 ^ flip),
            _ => self.all32(SIGN ^ flip as u32),
        }
    }

    pub(crate) fn float(
        &mut self,
        op: FloatOp,
        ty: Float,
        round: Round,
        ftz: bool,
        sat: bool,
        x: &[Operand],
    ) -> Result<Option<Val>> {
        let Some(direction) = rounding(round) else {
            return Ok(None);
        };
        let double = ty == Float::F64;
        let bits = |form: Form| if double { long(form) } else { form };
        let arithmetic = op.is_arithmetic();
        let by_mode = ftz && arithmetic && self.plan.flushes;
        let ftz = ftz && !by_mode;
        // What LLVM computes of constants is not flushed.
        let flushed = |&operand: &Operand| match self.val(operand) {
            Val::Imm(bits) if by_mode => {
                Operand::Imm(Format::of(Float::F32).flush(bits & 0xffff_ffff))
            }
            _ => operand,
        };
        let x = &x.iter().map(flushed).collect::<Vec<_>>();
        if ftz && let Some(v) = self.flushed_result(op, direction, x)? {
            let v = if sat { self.saturate(ty, v) } else { v };
            return Ok(Some(Val::Words(v, !sat)));
        }
        let mut parts: Vec<V> = match op {
            FloatOp::Neg | FloatOp::Abs => {
                let a = self.float_parts(ty, ftz, x[0])?;
                let sign = self.sign_bit(ty, op == FloatOp::Abs);
                let form = bits(if op == FloatOp::Abs { AND } else { XOR });
                a.into_iter().map(|v| self.op2(form, v, sign)).collect()
            }
            FloatOp::Copysign => {
                let (s, m) = (
                    self.float_parts(ty, ftz, x[0])?,
                    self.float_parts(ty, ftz, x[1])?,
                );
                let (sign, rest) = (self.sign_bit(ty, false), self.sign_bit(ty, true));
                s.into_iter()
                    .zip(m)
                    .map(|(s, m)| {
                        let s = self.op2(bits(AND), s, sign);
                        let m = self.op2(bits(AND), m, rest);
                        self.op2(bits(OR), s, Src::V(m))
                    })
                    .collect()
            }
            FloatOp::Add | FloatOp::Mul => {
                // In f64 the second of two NaNs is propagated, so that operand comes first here.
                let (mut first, mut second) = (x[1], x[0]);
                if !double && matches!(self.val(first), Val::Imm(_) | Val::Each(_)) {
                    (first, second) = (second, first);
                }
                let form = float(if op == FloatOp::Add { 0x58 } else { 0x59 }, ty);
                self.binary(form, ty, ftz, direction, first, second)?
            }
            FloatOp::Sub | FloatOp::Div => {
                if double && op == FloatOp::Sub {
                    return self.double_sub(direction, x);
                }
                let form = float(if op == FloatOp::Sub { 0x5c } else { 0x5e }, ty);
                self.binary(form, ty, ftz, direction, x[0], x[1])?
            }
            FloatOp::Rcp => {
                let one = match ty {
                    Float::F64 => 0x3ff0_0000_0000_0000,
                    _ => 0x3f80_0000,
                };
                self.binary(float(0x5e, ty), ty, ftz, direction, Operand::Imm(one), x[0])?
            }
            FloatOp::Sqrt => {
                let a = self.float_parts(ty, ftz, x[0])?;
                a.into_iter()
                    .map(|v| self.rounded(float(0x51, ty), None, v, None, direction))
                    .collect()
            }
            FloatOp::Fma => {
                let a = self.float_parts(ty, ftz, x[0])?;
                let c = self.float_parts(ty, ftz, x[2])?;
                if direction.is_some() {
                    let b = self.float_parts(ty, ftz, x[1])?;
                    (0..a.len())
                        .map(|n| {
                            self.rounded(fused(0xb8, ty), Some(a[n]), b[n], Some(c[n]), direction)
                        })
                        .collect()
                } else if matches!(self.val(x[0]), Val::Imm(_) | Val::Each(_)) && !ftz {
                    let b = self.float_parts(ty, ftz, x[1])?;
                    let a = self.float_srcs(ty, ftz, x[0])?;
                    (0..b.len())
                        .map(|n| {
                            self.full(fused(0xb8, ty), Some(b[n]), a[n], None, None, Some(c[n]))
                        })
                        .collect()
                } else {
                    let b = self.float_srcs(ty, ftz, x[1])?;
                    (0..a.len())
                        .map(|n| {
                            self.full(fused(0xb8, ty), Some(a[n]), b[n], None, None, Some(c[n]))
                        })
                        .collect()
                }
            }
            FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => {
                return if double {
                    self.f64_min_max(op, x)
                } else {
                    self.min_max(op, ftz, sat, x).map(Some)
                };
            }
        };
        if ftz && arithmetic {
            parts = parts.into_iter().map(|v| self.flush(v)).collect();
        }
        if sat {
            parts = parts.into_iter().map(|v| self.saturate(ty, v)).collect();
        }
        if sat && by_mode {
            parts = parts.into_iter().map(|v| self.flush(v)).collect();
        }
        Ok(Some(self.float_val(
            ty,
            &parts,
            arithmetic && !double && !sat,
        )))
    }

    /// Returns the `.ftz` result of an operation that may round to the least normal number.
    fn flushed_result(
        &mut self,
        op: FloatOp,
        direction: Option<u8>,
        x: &[Operand],
    ) -> Result<Option<V>> {
        let mut part = |x| -> Result<V> { Ok(self.float_parts(Float::F32, true, x)?[0]) };
        Ok(Some(match op {
            FloatOp::Mul => {
                let factors = [part(x[0])?, part(x[1])?];
                self.flushed_product(factors, None, direction)
            }
            FloatOp::Fma => {
                let (factors, summand) = ([part(x[0])?, part(x[1])?], part(x[2])?);
                self.flushed_product(factors, Some(summand), direction)
            }
            FloatOp::Div => {
                let operands = [part(x[0])?, part(x[1])?];
                self.flushed_quotient(operands, direction)
            }
            FloatOp::Rcp => {
                let one = Operand::Imm(1f32.to_bits().into());
                let operands = [part(one)?, part(x[0])?];
                self.flushed_quotient(operands, direction)
            }
            _ => return Ok(None),
        }))
    }

    pub(crate) fn binary(
        &mut self,
        form: Form,
        ty: Float,
        ftz: bool,
        direction: Option<u8>,
        a: Operand,
        b: Operand,
    ) -> Result<Vec<V>> {
        let a = self.float_parts(ty, ftz, a)?;
        if direction.is_some() {
            let b = self.float_parts(ty, ftz, b)?;
            return Ok((0..a.len())
                .map(|n| self.rounded(form, Some(a[n]), b[n], None, direction))
                .collect());
        }
        let b = self.float_srcs(ty, ftz, b)?;
        Ok((0..a.len()).map(|n| self.op2(form, a[n], b[n])).collect())
    }

    /// Emits f64 subtraction. The second of two NaNs is propagated, and the operands cannot be swapped.
    pub(crate) fn double_sub(
        &mut self,
        direction: Option<u8>,
        x: &[Operand],
    ) -> Result<Option<Val>> {
        let a = self.longs(x[0])?;
        let b = self.longs(x[1])?;
        let quiet = self.all64(0x0008_0000_0000_0000);
        let parts = [0, 1].map(|n| {
            let v = self.rounded(float(0x5c, Float::F64), Some(a[n]), b[n], None, direction);
            let nan = self.test(float(0xc2, Float::F64), Some(b[n]), Src::V(b[n]), Some(3));
            self.merge(OR64, v, nan, Some(b[n]), quiet)
        });
        Ok(Some(Val::Longs(parts)))
    }

    /// Clamps to \[0, 1\]; NaN becomes +0.
    pub(crate) fn saturate(&mut self, ty: Float, v: V) -> V {
        let (zero, one) = match ty {
            Float::F64 => (self.all64(0), self.all64(0x3ff0_0000_0000_0000)),
            _ => (self.all32(0), self.all32(0x3f80_0000)),
        };
        // For a NaN and a number, and for two zeros, the instruction returns the second operand.
        let v = self.op2(float(0x5f, ty), v, zero);
        self.op2(float(0x5d, ty), v, one)
    }

    /// Emits minimum or maximum. -0 is less than +0. A NaN operand loses to a number, or wins in the `Nan` forms.
    pub(crate) fn min_max(
        &mut self,
        op: FloatOp,
        ftz: bool,
        sat: bool,
        x: &[Operand],
    ) -> Result<Val> {
        let ty = Float::F32;
        let a = self.float_parts(ty, ftz, x[0])?[0];
        let b = self.float_parts(ty, ftz, x[1])?[0];
        let (mut v, mut noncanonical) = self.select_extreme(op, a, b);
        if sat {
            (v, noncanonical) = (self.saturate(ty, v), false);
        }
        Ok(Val::Words(v, noncanonical))
    }

    /// Emits f64 minimum or maximum. The second of two NaNs is propagated.
    fn f64_min_max(&mut self, op: FloatOp, x: &[Operand]) -> Result<Option<Val>> {
        let max = match op {
            FloatOp::Max => true,
            FloatOp::Min => false,
            _ => return Ok(None),
        };
        let ty = Float::F64;
        let (a, b) = (self.longs(x[0])?, self.longs(x[1])?);
        let compare = float(0xc2, ty);
        Ok(Some(Val::Longs([0, 1].map(|n| {
            let (a, b) = (a[n], b[n]);
            // The instruction returns `b` for two zeros or a NaN.
            let v = self.op2(float(if max { 0x5f } else { 0x5d }, ty), a, Src::V(b));
            let equal = self.test(compare, Some(a), Src::V(b), Some(0));
            let form = long(if max { AND } else { OR });
            let v = self.merge(form, v, equal, Some(a), Src::V(b));
            let nan = self.test(compare, Some(b), Src::V(b), Some(3));
            let v = self.merge(LOAD, v, nan, None, Src::V(a));
            let nan = self.test(compare, Some(v), Src::V(v), Some(3));
            let quiet = self.all64(1 << 51);
            self.merge(OR64, v, nan, Some(b), quiet)
        }))))
    }

    /// Returns the minimum or maximum in each lane, and whether its NaNs are non-canonical.
    pub(crate) fn select_extreme(&mut self, op: FloatOp, a: V, b: V) -> (V, bool) {
        let ty = Float::F32;
        let max = matches!(op, FloatOp::Max | FloatOp::MaxNan);
        let compare = float(0xc2, ty);
        // The instruction returns `b` for two zeros or a NaN.
        let v = self.op2(float(if max { 0x5f } else { 0x5d }, ty), a, Src::V(b));
        let equal = self.test(compare, Some(a), Src::V(b), Some(0));
        let v = self.merge(if max { AND } else { OR }, v, equal, Some(a), Src::V(b));
        if matches!(op, FloatOp::MinNan | FloatOp::MaxNan) {
            let any = self.test(compare, Some(a), Src::V(b), Some(3));
            let Src::Each(mem) = self.all32(NAN) else {
                return (v, true);
            };
            (
                self.merge(BROADCAST_WORD, v, any, None, Src::Mem(mem)),
                false,
            )
        } else {
            let nan = self.test(compare, Some(b), Src::V(b), Some(3));
            (self.merge(LOAD32, v, nan, None, Src::V(a)), true)
        }
    }

    pub(crate) fn compare(
        &mut self,
        cmp: Cmp,
        num: Num,
        ftz: bool,
        x: &[Operand],
    ) -> Result<Option<K>> {
        Ok(match num {
            Num::F(ty) if !ftz || ty != Float::BF16 => {
                // Non-signalling comparison codes.
                let code = match cmp {
                    Cmp::Eq => 0x00,
                    Cmp::Lt => 0x11,
                    Cmp::Le => 0x12,
                    Cmp::Gt => 0x1e,
                    Cmp::Ge => 0x1d,
                    Cmp::Ne => 0x0c,
                    Cmp::EqU => 0x08,
                    Cmp::NeU => 0x04,
                    Cmp::LtU => 0x19,
                    Cmp::LeU => 0x1a,
                    Cmp::GtU => 0x16,
                    Cmp::GeU => 0x15,
                    Cmp::Num => 0x07,
                    Cmp::Nan => 0x03,
                };
                let ftz = ftz && ty != Float::F64;
                let a = self.float_parts(ty, ftz, x[0])?;
                let b = self.float_srcs(ty, ftz, x[1])?;
                let form = float(0xc2, ty);
                Some(self.test_parts(form, &a, &b, code))
            }
            Num::F(_) => None,
            Num::S(ty) | Num::U(ty) => {
                let signed = num.is_signed();
                let code = match cmp {
                    Cmp::Eq => 0,
                    Cmp::Lt => 1,
                    Cmp::Le => 2,
                    Cmp::Ne => 4,
                    Cmp::Ge => 5,
                    Cmp::Gt => 6,
                    _ => return Ok(None),
                };
                let form = if signed { COMPARE_S } else { COMPARE_U };
                if ty == Ty::B64 {
                    let a = self.longs(x[0])?;
                    let b = self.longs_src(x[1])?;
                    return Ok(Some(self.test_parts(long(form), &a, &b, code)));
                }
                if signed && ty.bits() < 32 {
                    let by = 32 - ty.bits();
                    let [a, b] = [x[0], x[1]].map(|o| self.words(o));
                    let [a, b] = [a?, b?].map(|v| self.shift_by(IntOp::Shl, v, by));
                    return Ok(Some(self.test(form, Some(a), Src::V(b), Some(code))));
                }
                let a = self.words(x[0])?;
                let b = match self.val(x[1]) {
                    Val::Imm(bits) => self.all32((bits & ty.mask()) as u32),
                    _ => self.words_src(x[1])?,
                };
                Some(self.test(form, Some(a), b, Some(code)))
            }
        })
    }

    pub(crate) fn test_parts(&mut self, form: Form, a: &[V], b: &[Src], code: u8) -> K {
        let low = self.test(form, Some(a[0]), b[0], Some(code));
        if a.len() == 1 {
            return low;
        }
        let high = self.test(form, Some(a[1]), b[1], Some(code));
        self.mask_op(KOp::Join, high, low)
    }
}
