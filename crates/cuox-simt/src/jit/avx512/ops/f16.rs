//! Wide code for 16- and 8-bit formats, computed in f32, which represents all their numbers, and rounded once.
//!
//! Sums, differences and products of two such numbers may be rounded to f32 first, as it has more than twice their
//! bits. A fused multiply-add is rounded to odd first. A rounded number is kept as f32 beside its bits, so that a chain
//! of operations assembles bits only where they are read. Unused conversions are removed at the end.

use crate::ir::{Float, Float8, FloatClass, FloatOp, IntOp, Operand, Round, Ty};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Unsupported, Val};
use crate::jit::avx512::vcode::{KOp, Mem, Src, V};
use crate::sem;

/// Canonical NaN of f16 and bf16.
const F16_NAN: u32 = 0x7fff;
/// Upper halves of words.
const UPPER: u32 = 0xffff_0000;

/// 16-bit number that is the same in all lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum UniformF16 {
    /// Constant, by its bits.
    Constant(u64),
    /// Number in the low or (`true`) upper half of a word in memory.
    Memory(Mem, bool),
}

/// Modifiers applied to a result.
#[derive(Clone, Copy, Default)]
pub(crate) struct ResultModifiers {
    pub ftz: bool,
    pub sat: bool,
    pub relu: bool,
}

impl Lower<'_> {
    /// Returns the 16-bit numbers in the lower or upper halves of an operand's words, as f32.
    pub(crate) fn f16_part(&mut self, ty: Float, high: bool, x: Operand) -> Result<V> {
        let same = match self.val(x) {
            Val::Imm(bits) => UniformF16::Constant(bits >> (16 * u32::from(high)) & 0xffff),
            Val::Each(at) => UniformF16::Memory(at, high),
            _ => {
                let v = self.words(x)?;
                return Ok(self.f16_of(ty, high, v));
            }
        };
        let mut known = self.uniform_f32.iter();
        if let Some(&(.., v)) = known.find(|&&(f, s, _)| (f, s) == (ty, same)) {
            return Ok(v);
        }
        let v = match same {
            UniformF16::Constant(bits) => {
                let value = self.all32(sem::f16_to_f32(ty, bits));
                self.load_each(value, false)
            }
            UniformF16::Memory(..) => {
                let v = self.words(x)?;
                self.f16_of(ty, high, v)
            }
        };
        self.uniform_f32.push((ty, same, v));
        Ok(v)
    }

    fn f16_of(&mut self, ty: Float, high: bool, v: V) -> V {
        if let Some(&known) = self.f16_as_f32.get(&(v, ty, high)) {
            return known;
        }
        let single = match (ty, high) {
            (Float::F16, false) => {
                let known = self.halves.get(&v).copied();
                let half = known.unwrap_or_else(|| self.narrow(HALVES_OF_WORDS, v, None));
                self.op1(FLOAT_OF_HALF, Src::V(half))
            }
            (Float::F16, true) => {
                let v = self.shift_by(IntOp::ShrU, v, 16);
                return self.f16_of(ty, false, v);
            }
            (_, true) => {
                let upper = self.all32(UPPER);
                self.op2(AND, v, upper)
            }
            (_, false) => self.shift_by(IntOp::Shl, v, 16),
        };
        self.f16_as_f32.insert((v, ty, high), single);
        single
    }

    /// Returns f16 numbers as f32, with subnormal ones flushed.
    pub(crate) fn f16_flushed(&mut self, high: bool, x: Operand) -> Result<V> {
        let v = self.f16_part(Float::F16, high, x)?;
        Ok(self.flush_below(v, 2f32.powi(-14)))
    }

    /// Replaces numbers of magnitude below `least` by zero, keeping the sign.
    fn flush_below(&mut self, v: V, least: f32) -> V {
        let rest = self.all32(!SIGN);
        let magnitude = self.op2(AND, v, rest);
        let least = self.all32(least.to_bits());
        let small = self.test(COMPARE_U, Some(magnitude), least, Some(1));
        let sign = self.all32(SIGN);
        self.merge(AND, v, small, Some(v), sign)
    }

    /// Returns the odd one of the results of rounding up and down, which are equal or neighbours.
    pub(crate) fn odd(&mut self, down: V, up: V) -> V {
        // A mask is avoided, as it would be available later.
        let last = self.shift_by(IntOp::Shl, down, 31);
        let odd = self.shift_by(IntOp::ShrS, last, 31);
        // `odd & down | !odd & up`.
        self.full(TERNARY, Some(down), Src::V(up), Some(0xca), None, Some(odd))
    }

    /// Records the f32 values of the halves of `whole`: those of the low halves of the other vectors.
    pub(crate) fn record_f32_halves(&mut self, whole: V, low: V, high: Option<V>) {
        let high = high.filter(|_| self.lows.contains(&low));
        for ty in [Float::F16, Float::BF16] {
            if let Some(&single) = self.f16_as_f32.get(&(low, ty, false)) {
                self.f16_as_f32.insert((whole, ty, false), single);
            }
            let above = high.and_then(|high| self.f16_as_f32.get(&(high, ty, false)));
            if let Some(&single) = above {
                self.f16_as_f32.insert((whole, ty, true), single);
            }
        }
    }

    /// Records the f32 values of the low halves of `part`, which `whole` has in its upper halves.
    pub(crate) fn record_f32_above(&mut self, part: V, whole: V) {
        for ty in [Float::F16, Float::BF16] {
            if let Some(&single) = self.f16_as_f32.get(&(whole, ty, true)) {
                self.f16_as_f32.insert((part, ty, false), single);
            }
        }
    }

    /// Converts to f32, rounded to odd.
    pub(crate) fn f32_to_odd(&mut self, form: Form, v: V) -> V {
        let [down, up] = [1, 2].map(|direction| self.rounded(form, None, v, None, Some(direction)));
        self.odd(down, up)
    }

    /// Rounds `v` to 16-bit numbers in the low half of words.
    pub(crate) fn f16_val(&mut self, ty: Float, round: Round, v: V, any_nans: bool) -> Option<V> {
        let (bits, single) = self.f16_bits(ty, round, v, any_nans)?;
        let words = match ty {
            Float::F16 => bits,
            _ => self.shift_by(IntOp::ShrU, bits, 16),
        };
        self.f16_as_f32.insert((words, ty, false), single);
        self.lows.insert(words);
        Some(words)
    }

    /// Rounds two vectors to 16-bit numbers in both halves of words, as `[low, high]`.
    pub(crate) fn f16_pair(
        &mut self,
        ty: Float,
        round: Round,
        v: [V; 2],
        any_nans: bool,
    ) -> Option<V> {
        let (low, low_single) = self.f16_bits(ty, round, v[0], any_nans)?;
        let (high, high_single) = self.f16_bits(ty, round, v[1], any_nans)?;
        let words = match ty {
            Float::F16 => {
                let high = self.shift_by(IntOp::Shl, high, 16);
                self.op2(OR, low, Src::V(high))
            }
            _ => {
                let low = self.shift_by(IntOp::ShrU, low, 16);
                // `low | high & UPPER`.
                let upper = self.all32(UPPER);
                self.full(TERNARY, Some(high), upper, Some(0xf8), None, Some(low))
            }
        };
        self.f16_as_f32.insert((words, ty, false), low_single);
        self.f16_as_f32.insert((words, ty, true), high_single);
        Some(words)
    }

    /// Returns the bits of a rounded number, and the number as f32. The bits are in the low half for f16, and in the
    /// upper half, above other bits, for bf16. Unless `any_nans`, NaNs come from 16-bit numbers, so that rounding does
    /// not change them.
    fn f16_bits(&mut self, ty: Float, round: Round, v: V, any_nans: bool) -> Option<(V, V)> {
        let compare = float(0xc2, Float::F32);
        if ty == Float::F16 {
            let direction = rounding(round)?.unwrap_or(0);
            let half = self.narrow(HALF_OF_FLOAT, v, Some(direction));
            let single = self.op1(FLOAT_OF_HALF, Src::V(half));
            let nan = self.test(compare, Some(v), Src::V(v), Some(3));
            let bits = self.op1(WORDS_OF_HALVES, Src::V(half));
            let Src::Each(at) = self.all32(F16_NAN) else {
                return None;
            };
            let bits = self.merge(BROADCAST_WORD, bits, nan, None, Src::Mem(at));
            return Some((bits, single));
        }
        let rounded = match round {
            Round::Zero => v,
            Round::Nearest => {
                // Add half a unit less one, plus the last kept bit, so that ties go to even.
                let last = self.all32(0x1_0000);
                let odd = self.test(TEST, Some(v), last, None);
                let below = self.all32(0x7fff);
                let up = self.op2(ADD32, v, below);
                let one = self.all32(1);
                self.merge(ADD32, up, odd, Some(up), one)
            }
            Round::Up | Round::Down => {
                // Round away from zero if bits are cut off on that side.
                let below = self.all32(0xffff);
                let inexact = self.test(TEST, Some(v), below, None);
                let zero = self.all32(0);
                let code = if round == Round::Up { 5 } else { 1 };
                let side = self.test(COMPARE_S, Some(v), zero, Some(code));
                let both = self.mask_op(KOp::And, inexact, side);
                let unit = self.all32(0x1_0000);
                self.merge(ADD32, v, both, Some(v), unit)
            }
            Round::Away => return None,
        };
        let nan = self.test(compare, Some(v), Src::V(v), Some(3));
        let Src::Each(at) = self.all32(F16_NAN << 16) else {
            return None;
        };
        let bits = self.merge(BROADCAST_WORD, rounded, nan, None, Src::Mem(at));
        let upper = self.all32(UPPER);
        let single = self.op2(AND, if any_nans { bits } else { rounded }, upper);
        Some((bits, single))
    }

    /// Emits an operation on 16-bit numbers, in the low halves of words or (`pair`) in both.
    pub(crate) fn f16_float(
        &mut self,
        op: FloatOp,
        ty: Float,
        finish: ResultModifiers,
        pair: bool,
        x: &[Operand],
    ) -> Result<Option<Val>> {
        if finish.ftz && ty != Float::F16 {
            return Ok(None);
        }
        let halves = &[false, true][..1 + usize::from(pair)];
        match op {
            FloatOp::Neg | FloatOp::Abs if !finish.ftz && !finish.relu && !finish.sat => {
                return self.f16_sign(op, ty, halves, x[0]).map(Some);
            }
            FloatOp::Add
            | FloatOp::Sub
            | FloatOp::Mul
            | FloatOp::Fma
            | FloatOp::Min
            | FloatOp::Max
            | FloatOp::MinNan
            | FloatOp::MaxNan => {}
            _ => return Ok(None),
        }
        let mut results = Vec::new();
        for &high in halves {
            let mut parts = Vec::new();
            for &operand in x {
                parts.push(if finish.ftz {
                    self.f16_flushed(high, operand)?
                } else {
                    self.f16_part(ty, high, operand)?
                });
            }
            let (a, b) = (parts[0], Src::V(parts[1]));
            let single = Float::F32;
            let mut v = match op {
                FloatOp::Add => self.op2(float(0x58, single), a, b),
                FloatOp::Sub => self.op2(float(0x5c, single), a, b),
                FloatOp::Mul => self.op2(float(0x59, single), a, b),
                FloatOp::Fma => {
                    let [down, up] = [1, 2].map(|direction| {
                        let form = fused(0xb8, single);
                        self.rounded(form, Some(a), parts[1], Some(parts[2]), Some(direction))
                    });
                    // An exact cancellation is +0, which is the result of rounding up and is even.
                    self.odd(down, up)
                }
                _ => self.select_extreme(op, a, parts[1]).0,
            };
            if finish.ftz && op.is_arithmetic() {
                // Flush numbers that are subnormal when rounded to the precision of normal ones.
                v = self.flush_below(v, 2f32.powi(-14) - 2f32.powi(-26));
            }
            results.push(self.clamped(v, finish));
        }
        let nans = matches!(op, FloatOp::MinNan | FloatOp::MaxNan);
        let words = match results[..] {
            [low, high] => self.f16_pair(ty, Round::Nearest, [low, high], nans),
            _ => self.f16_val(ty, Round::Nearest, results[0], nans),
        };
        Ok(words.map(|words| Val::Words(words, false)))
    }

    /// Applies `.sat` and `.relu`.
    pub(crate) fn clamped(&mut self, v: V, finish: ResultModifiers) -> V {
        if finish.sat {
            return self.saturate(Float::F32, v);
        }
        if !finish.relu {
            return v;
        }
        // Less than or equal to 0; NaN is unchanged.
        let zero = self.all32(0);
        let low = self.test(float(0xc2, Float::F32), Some(v), zero, Some(0x12));
        let Src::Each(at) = zero else { return v };
        self.merge(BROADCAST_WORD, v, low, None, Src::Mem(at))
    }

    /// Emits `neg` and `abs`, which apply to NaN too.
    fn f16_sign(&mut self, op: FloatOp, ty: Float, halves: &[bool], x: Operand) -> Result<Val> {
        let v = self.words(x)?;
        let signs = if halves.len() == 2 {
            0x8000_8000
        } else {
            0x8000
        };
        let change = |this: &mut Self, v, signs: u32| match op {
            FloatOp::Neg => {
                let signs = this.all32(signs);
                this.op2(XOR, v, signs)
            }
            _ => {
                let rest = this.all32(!signs);
                this.op2(AND, v, rest)
            }
        };
        let words = change(self, v, signs);
        for &high in halves {
            if let Some(&single) = self.f16_as_f32.get(&(v, ty, high)) {
                let single = change(self, single, SIGN);
                self.f16_as_f32.insert((words, ty, high), single);
            }
        }
        Ok(Val::Words(words, false))
    }

    /// Emits `testp`.
    pub(crate) fn class(
        &mut self,
        class: FloatClass,
        ty: Float,
        x: Operand,
    ) -> Result<Option<Val>> {
        let (bits, invert) = match class {
            FloatClass::NotANumber => (0x81, false),
            FloatClass::Number => (0x81, true),
            FloatClass::Infinite => (0x18, false),
            FloatClass::Finite => (0x99, true),
            FloatClass::Subnormal => (SUBNORMAL, false),
            FloatClass::Normal => (0x99 | SUBNORMAL, true),
        };
        if ty == Float::F16 && bits & SUBNORMAL != 0 {
            return Ok(None);
        }
        let parts = match ty {
            Float::F32 => vec![self.words(x)?],
            Float::F64 => self.longs(x)?.to_vec(),
            _ => vec![self.f16_part(ty, false, x)?],
        };
        let form = if ty == Float::F64 { long(CLASS) } else { CLASS };
        let mut masks = Vec::new();
        for v in parts {
            masks.push(self.test(form, None, Src::V(v), Some(bits)));
        }
        let mut mask = masks[0];
        if let [low, high] = masks[..] {
            mask = self.mask_op(KOp::Join, high, low);
        }
        if invert {
            let ones = self.mask(Operand::Imm(1))?;
            mask = self.mask_op(KOp::AndNot, mask, ones);
        }
        Ok(Some(Val::Mask(mask)))
    }

    /// Converts two f32 to the halves of words, as two separate conversions.
    pub(crate) fn convert_pair(
        &mut self,
        to: Float,
        round: Round,
        relu: bool,
        x: &[Operand],
    ) -> Result<Option<Val>> {
        let finish = ResultModifiers {
            relu,
            ..ResultModifiers::default()
        };
        let mut parts = [
            self.noncanonical_words(x[1])?.0,
            self.noncanonical_words(x[0])?.0,
        ];
        for v in &mut parts {
            *v = self.clamped(*v, finish);
        }
        let words = self.f16_pair(to, round, parts, true);
        Ok(words.map(|words| Val::Words(words, false)))
    }

    /// Converts two f32 to two bytes.
    pub(crate) fn narrow_pair(&mut self, to: Float8, relu: bool, x: &[Operand]) -> Result<Val> {
        let mut bytes = [0, 1].map(|_| None);
        for (byte, &x) in bytes.iter_mut().zip(x) {
            let v = self.noncanonical_words(x)?.0;
            *byte = Some(self.byte_of(to, relu, v));
        }
        let [Some(high), Some(low)] = bytes else {
            return Err(Unsupported);
        };
        let high = self.shift_by(IntOp::Shl, high, 8);
        Ok(Val::Words(self.op2(OR, low, Src::V(high)), false))
    }

    fn byte_of(&mut self, to: Float8, relu: bool, v: V) -> V {
        // Mantissa bits, exponent of the least normal number, and largest number.
        let (mantissa, least, largest) = match to {
            Float8::E4m3 => (3, -6, 448f32),
            Float8::E5m2 => (2, -14, 57344f32),
        };
        let finish = ResultModifiers {
            relu,
            ..ResultModifiers::default()
        };
        let v = self.clamped(v, finish);
        let rest = self.all32(!SIGN);
        let magnitude = self.op2(AND, v, rest);
        let most = self.all32(largest.to_bits());
        let magnitude = self.op2(float(0x5d, Float::F32), magnitude, most);
        // Ties go to even; a carry goes into the exponent.
        let dropped = 23 - mantissa;
        let last = self.all32(1 << dropped);
        let odd = self.test(TEST, Some(magnitude), last, None);
        let below = self.all32((1 << (dropped - 1)) - 1);
        let up = self.op2(ADD32, magnitude, below);
        let one = self.all32(1);
        let up = self.merge(ADD32, up, odd, Some(up), one);
        let up = self.shift_by(IntOp::ShrU, up, dropped);
        let bias = self.all32(((126 + least) as u32) << mantissa);
        let normal = self.op2(SUB32, up, bias);
        // Adding a number whose last bit has the weight of the subnormal unit rounds to that unit.
        let ruler = 2f32.powi(least - mantissa as i32 + 23);
        let ruler = self.all32(ruler.to_bits());
        let sum = self.op2(float(0x58, Float::F32), magnitude, ruler);
        let units = self.op2(SUB32, sum, ruler);
        let bound = self.all32(2f32.powi(least).to_bits());
        let small = self.test(COMPARE_U, Some(magnitude), bound, Some(1));
        let bits = self.full(BLEND, Some(normal), Src::V(units), None, Some(small), None);
        let sign = self.shift_by(IntOp::ShrU, v, 24);
        let top = self.all32(0x80);
        // `bits | sign & top`.
        let bits = self.full(TERNARY, Some(sign), top, Some(0xf8), None, Some(bits));
        let nan = self.test(float(0xc2, Float::F32), Some(v), Src::V(v), Some(3));
        match self.all32(0x7f) {
            Src::Each(at) => self.merge(BROADCAST_WORD, bits, nan, None, Src::Mem(at)),
            _ => bits,
        }
    }

    /// Converts the bytes of words' lower halves to two f16.
    pub(crate) fn widen_pair(
        &mut self,
        from: Float8,
        relu: bool,
        x: Operand,
    ) -> Result<Option<Val>> {
        let v = self.words(x)?;
        let mut parts = Vec::new();
        for high in [false, true] {
            // Shift the byte to the top of the word.
            let top = self.shift_by(IntOp::Shl, v, if high { 16 } else { 24 });
            let rest = self.all32(0x7f00_0000);
            let magnitude = self.op2(AND, top, rest);
            // The mantissa stays the same; the exponent is longer.
            let (down, scale, nans) = match from {
                Float8::E4m3 => (4, 120, 0x7f00_0000),
                Float8::E5m2 => (3, 112, 0x7d00_0000),
            };
            let bits = self.shift_by(IntOp::ShrU, magnitude, down);
            let scale = self.all32(2f32.powi(scale).to_bits());
            let number = self.op2(float(0x59, Float::F32), bits, scale);
            let sign = self.all32(SIGN);
            let number = self.full(TERNARY, Some(top), sign, Some(0xf8), None, Some(number));
            let nans = self.all32(nans);
            let nan = self.test(COMPARE_U, Some(magnitude), nans, Some(5));
            let Src::Each(at) = self.all32(NAN) else {
                return Ok(None);
            };
            let number = self.merge(BROADCAST_WORD, number, nan, None, Src::Mem(at));
            let finish = ResultModifiers {
                relu,
                ..ResultModifiers::default()
            };
            parts.push(self.clamped(number, finish));
        }
        let words = self.f16_pair(Float::F16, Round::Nearest, [parts[0], parts[1]], true);
        Ok(words.map(|words| Val::Words(words, false)))
    }

    /// Narrows an integer that was clamped to 32 bits.
    pub(crate) fn clamp_int(&mut self, v: V, to: Ty, signed: bool) -> V {
        if to.bits() >= 32 {
            return v;
        }
        let most = to.mask() as u32;
        if !signed {
            let most = self.all32(most);
            return self.op2(MIN_U, v, most);
        }
        let high = self.all32(most >> 1);
        let low = self.all32(!(most >> 1));
        let v = self.op2(MIN_S, v, high);
        let v = self.op2(MAX_S, v, low);
        let mask = self.all32(most);
        self.op2(AND, v, mask)
    }
}
