//! Wide code for integer operations. Values narrower than 32 bits are kept zero-extended in 32 bits.

use crate::ir::{Float, IntOp, Operand, PrmtMode};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Val};
use crate::jit::avx512::vcode::{Src, V};
use crate::jit::emit::ops::bits::byte_runs;

impl Lower<'_> {
    /// Emits operations on 32-bit operands.
    pub(crate) fn int32(&mut self, op: IntOp, x: &[Operand]) -> Result<Option<Val>> {
        let commutes = matches!(
            op,
            IntOp::Add | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor
        );
        let form = match op {
            IntOp::Add => ADD32,
            IntOp::Sub => SUB32,
            IntOp::Mul => MUL32,
            IntOp::And => AND,
            IntOp::Or => OR,
            IntOp::Xor => XOR,
            IntOp::MinS => MIN_S,
            IntOp::MaxS => MAX_S,
            IntOp::MinU => MIN_U,
            IntOp::MaxU => MAX_U,
            // Vector shifts clamp the count as PTX does.
            IntOp::Shl | IntOp::ShrU | IntOp::ShrS => {
                if let Val::Imm(by) = self.val(x[1]) {
                    let a = self.words(x[0])?;
                    return Ok(Some(Val::Words(self.shift_by(op, a, by as u32), false)));
                }
                match op {
                    IntOp::Shl => SHIFT_LEFT,
                    IntOp::ShrU => SHIFT_RIGHT,
                    _ => SHIFT_RIGHT_S,
                }
            }
            _ => return self.int32_more(op, x),
        };
        let (mut a, mut b) = (x[0], x[1]);
        if commutes && matches!(self.val(a), Val::Imm(_) | Val::Each(_)) {
            (a, b) = (b, a);
        }
        let a = self.words(a)?;
        let b = self.words_src(b)?;
        let v = self.op2(form, a, b);
        if let (IntOp::Or, Src::V(b)) = (op, b) {
            // Two halves are combined if one operand has nothing in its upper half.
            for (low, high) in [(a, b), (b, a)] {
                if let Some(&high) = self.raised.get(&high) {
                    self.record_f32_halves(v, low, Some(high));
                }
            }
        }
        Ok(Some(Val::Words(v, false)))
    }

    pub(crate) fn int32_more(&mut self, op: IntOp, x: &[Operand]) -> Result<Option<Val>> {
        let words = |v: V| Ok(Some(Val::Words(v, false)));
        match op {
            IntOp::Not => {
                let a = self.words(x[0])?;
                let ones = self.all32(u32::MAX);
                words(self.op2(XOR, a, ones))
            }
            IntOp::Neg => {
                let zero = self.words(Operand::Imm(0))?;
                let a = self.words_src(x[0])?;
                words(self.op2(SUB32, zero, a))
            }
            IntOp::Abs => {
                let a = self.words_src(x[0])?;
                words(self.op1(ABS32, a))
            }
            IntOp::Clz => {
                let a = self.words_src(x[0])?;
                words(self.op1(LEADING_ZEROS, a))
            }
            IntOp::Popc if self.plan.llvm || crate::jit::avx512::has_popcount() => {
                let a = self.words_src(x[0])?;
                words(self.op1(Form::new(2, 1, false, 0x55), a))
            }
            IntOp::Lop3(table) => {
                let (a, b, c) = (self.words(x[0])?, self.words(x[1])?, self.words_src(x[2])?);
                words(self.full(TERNARY, Some(b), c, Some(table), None, Some(a)))
            }
            IntOp::MulWideU | IntOp::MulWideS => {
                let signed = op == IntOp::MulWideS;
                let (a, b) = (self.words(x[0])?, self.words(x[1])?);
                let (a, b) = (self.widen(a, signed), self.widen(b, signed));
                let form = if signed { MUL_EVEN_S } else { MUL_EVEN_U };
                Ok(Some(Val::Longs(
                    [0, 1].map(|n| self.op2(form, a[n], Src::V(b[n]))),
                )))
            }
            IntOp::MulHiU | IntOp::MulHiS => {
                let form = if op == IntOp::MulHiS {
                    MUL_EVEN_S
                } else {
                    MUL_EVEN_U
                };
                let (a, b) = (self.words(x[0])?, self.words(x[1])?);
                let even = self.op2(form, a, Src::V(b));
                let (up_a, up_b) = (self.shift_right64(a, 32), self.shift_right64(b, 32));
                let odd = self.op2(form, up_a, Src::V(up_b));
                let even = self.shift_right64(even, 32);
                // Odd lanes keep the upper halves in position.
                let upper = self.all64(0xffff_ffff_0000_0000);
                let odd = self.op2(AND64, odd, upper);
                words(self.op2(OR, even, Src::V(odd)))
            }
            IntOp::ShfL(clamp) | IntOp::ShfR(clamp) => {
                let Val::Imm(by) = self.val(x[2]) else {
                    return Ok(None);
                };
                let by = if clamp {
                    (by as u32).min(32)
                } else {
                    by as u32 % 32
                };
                let left = matches!(op, IntOp::ShfL(_));
                let (low, high) = (self.words(x[0])?, self.words(x[1])?);
                if by == 0 || by == 32 {
                    return words(if left == (by == 0) { high } else { low });
                }
                let (up, down) = if left { (by, 32 - by) } else { (32 - by, by) };
                let high = self.shift_by(IntOp::Shl, high, up);
                let low = self.shift_by(IntOp::ShrU, low, down);
                words(self.op2(OR, high, Src::V(low)))
            }
            IntOp::Prmt(PrmtMode::Index) => {
                let Val::Imm(selector) = self.val(x[2]) else {
                    return Ok(None);
                };
                let operands = [self.words(x[0])?, self.words(x[1])?];
                let mut all = None;
                for step in byte_runs(selector as u32) {
                    let mut v = operands[step.operand];
                    let up = 32 - 8 * (step.from + step.count);
                    if step.sign {
                        let top = self.shift_by(IntOp::Shl, v, up);
                        let signs = self.shift_by(IntOp::ShrS, top, 31);
                        v = self.shift_by(IntOp::ShrU, signs, 24);
                    } else if step.count < 4 {
                        let top = self.shift_by(IntOp::Shl, v, up);
                        v = self.shift_by(IntOp::ShrU, top, 32 - 8 * step.count);
                    }
                    if step.to > 0 {
                        v = self.shift_by(IntOp::Shl, v, 8 * step.to);
                    }
                    all = Some(match all {
                        None => v,
                        Some(all) => self.op2(OR, all, Src::V(v)),
                    });
                }
                Ok(all.map(|v| Val::Words(v, false)))
            }
            IntOp::BfeU => {
                let (Val::Imm(at), Val::Imm(len)) = (self.val(x[1]), self.val(x[2])) else {
                    return Ok(None);
                };
                let (at, len) = (at as u32 & 0xff, len as u32 & 0xff);
                let a = self.words(x[0])?;
                let v = self.shift_by(IntOp::ShrU, a, at);
                let mask = if len >= 32 { u32::MAX } else { (1 << len) - 1 };
                let mask = self.all32(mask);
                words(self.op2(AND, v, mask))
            }
            IntOp::Dp4a(signed_a, signed_b) => {
                let (a, b) = (self.words(x[0])?, self.words(x[1])?);
                let ([a0, a1], [b0, b1]) = (self.bytes(a, signed_a), self.bytes(b, signed_b));
                let even = self.op2(DOT, a0, Src::V(b0));
                let odd = self.op2(DOT, a1, Src::V(b1));
                let sum = self.op2(ADD32, even, Src::V(odd));
                let c = self.words_src(x[2])?;
                words(self.op2(ADD32, sum, c))
            }
            IntOp::Dp2a(signed_a, signed_b, high) => {
                let (a, b) = (self.words(x[0])?, self.words(x[1])?);
                let part = |this: &mut Self, v, at: u32, bits: u32, signed| {
                    let up = this.shift_by(IntOp::Shl, v, 32 - at - bits);
                    let down = if signed { IntOp::ShrS } else { IntOp::ShrU };
                    this.shift_by(down, up, 32 - bits)
                };
                let first = if high { 16 } else { 0 };
                let products = [0, 1].map(|n| {
                    let a = part(self, a, 16 * n, 16, signed_a);
                    let b = part(self, b, first + 8 * n, 8, signed_b);
                    self.op2(MUL32, a, Src::V(b))
                });
                let sum = self.op2(ADD32, products[0], Src::V(products[1]));
                let c = self.words_src(x[2])?;
                words(self.op2(ADD32, sum, c))
            }
            IntOp::DivU | IntOp::DivS | IntOp::RemU | IntOp::RemS => words(self.divide32(op, x)?),
            _ => Ok(None),
        }
    }

    /// Returns the bytes at even positions and those at odd ones, as 16 bits each.
    fn bytes(&mut self, v: V, signed: bool) -> [V; 2] {
        const SHIFT: Form = Form::new(1, 1, false, 0x71);
        let digit = if signed { 4 } else { 2 };
        let up = self.shift(SHIFT, 6, v, 8);
        [up, v].map(|v| self.shift(SHIFT, digit, v, 8))
    }

    /// Computes quotients and remainders. f64 represents any word, and a quotient less than an integer is not rounded
    /// up to it, as the relative difference is at least 2⁻³².
    fn divide32(&mut self, op: IntOp, x: &[Operand]) -> Result<V> {
        let same = matches!(self.val(x[1]), Val::Imm(_) | Val::Each(_));
        let zeros = !matches!(self.val(x[1]), Val::Imm(by) if by as u32 != 0);
        let words = (self.words(x[0])?, self.words(x[1])?);
        Ok(self.divide_words(op, words, same, zeros))
    }

    /// Computes quotients and remainders of vectors. The second one may be the `same` in all lanes, and have `zeros`.
    pub(crate) fn divide_words(&mut self, op: IntOp, (a, b): (V, V), same: bool, zeros: bool) -> V {
        const DIVIDE: Form = float(0x5e, Float::F64);
        let signed = matches!(op, IntOp::DivS | IntOp::RemS);
        let (double, whole) = match signed {
            true => (DOUBLE_OF_S, S_OF_DOUBLE_CUT),
            false => (DOUBLE_OF_U, U_OF_DOUBLE_CUT),
        };
        let mut doubles = |v: V, same: bool| {
            let low = self.op1(double, Src::V(v));
            match same {
                true => [low; 2],
                false => {
                    let upper = self.upper_half(v);
                    [low, self.op1(double, Src::V(upper))]
                }
            }
        };
        let (dividend, divisor) = (doubles(a, false), doubles(b, same));
        let [low, high] = [0, 1].map(|n| {
            let quotient = self.op2(DIVIDE, dividend[n], Src::V(divisor[n]));
            self.op1(whole, Src::V(quotient))
        });
        let mut v = self.join(low, high);
        if matches!(op, IntOp::RemU | IntOp::RemS) {
            let product = self.op2(MUL32, v, Src::V(b));
            v = self.op2(SUB32, a, Src::V(product));
        } else if !signed {
            // A quotient that is no word, as after division by zero, already becomes all ones.
            return v;
        }
        if zeros && let Src::Each(ones) = self.all32(u32::MAX) {
            let zero = self.all32(0);
            let by_zero = self.test(COMPARE_S, Some(b), zero, Some(0));
            v = self.merge(BROADCAST_WORD, v, by_zero, None, Src::Mem(ones));
        }
        v
    }

    /// Shifts by a constant, which is clamped.
    pub fn shift_by(&mut self, op: IntOp, a: V, by: u32) -> V {
        const SHIFT: Form = Form::new(1, 1, false, 0x72);
        let by = by.min(match op {
            IntOp::ShrS => 31,
            _ => 32,
        });
        let digit = match op {
            IntOp::Shl => 6,
            IntOp::ShrU => 2,
            _ => 4,
        };
        let v = self.shift(SHIFT, digit, a, by as u8);
        match (op, by) {
            (IntOp::ShrU, 16) => {
                self.record_f32_above(v, a);
                self.lows.insert(v);
            }
            (IntOp::Shl, 16) => _ = self.raised.insert(v, a),
            _ => {}
        }
        v
    }

    pub(crate) fn shift_right64(&mut self, a: V, by: u8) -> V {
        self.shift(Form::new(1, 1, true, 0x73), 2, a, by)
    }

    /// Widens 32-bit lanes to 64-bit lanes.
    pub fn widen(&mut self, v: V, signed: bool) -> [V; 2] {
        let form = if signed { SIGN_EXTEND } else { ZERO_EXTEND };
        let low = self.op1(form, Src::V(v));
        let upper = self.narrow(UPPER_HALF, v, Some(1));
        [low, self.op1(form, Src::V(upper))]
    }

    /// Returns the low halves of 64-bit lanes.
    pub fn low_halves(&mut self, parts: [V; 2]) -> V {
        let low = self.narrow(TRUNCATE, parts[0], None);
        let high = self.narrow(TRUNCATE, parts[1], None);
        self.join(low, high)
    }

    /// Joins two half vectors.
    pub fn join(&mut self, low: V, high: V) -> V {
        self.op_imm(JOIN_HALVES, Some(low), Src::V(high), 1)
    }

    /// Returns the upper half of a vector.
    pub fn upper_half(&mut self, v: V) -> V {
        self.narrow(UPPER_HALF, v, Some(1))
    }

    pub(crate) fn int64(&mut self, op: IntOp, x: &[Operand]) -> Result<Option<Val>> {
        let form = match op {
            IntOp::Add => ADD64,
            IntOp::Sub => SUB64,
            IntOp::Mul => MUL64,
            IntOp::And => AND64,
            IntOp::Or => OR64,
            IntOp::Xor => XOR64,
            IntOp::MinS => long(MIN_S),
            IntOp::MaxS => long(MAX_S),
            IntOp::MinU => long(MIN_U),
            IntOp::MaxU => long(MAX_U),
            IntOp::Shl | IntOp::ShrU | IntOp::ShrS => {
                let a = self.longs(x[0])?;
                if let Val::Imm(by) = self.val(x[1]) {
                    let by = by as u32;
                    let (form, digit, most) = match op {
                        IntOp::Shl => (Form::new(1, 1, true, 0x73), 6, 64),
                        IntOp::ShrU => (Form::new(1, 1, true, 0x73), 2, 64),
                        _ => (Form::new(1, 1, true, 0x72), 4, 63),
                    };
                    let by = by.min(most) as u8;
                    return Ok(Some(Val::Longs(a.map(|v| self.shift(form, digit, v, by)))));
                }
                let by = self.words(x[1])?;
                let by = self.widen(by, false);
                let form = long(match op {
                    IntOp::Shl => SHIFT_LEFT,
                    IntOp::ShrU => SHIFT_RIGHT,
                    _ => SHIFT_RIGHT_S,
                });
                return Ok(Some(Val::Longs(
                    [0, 1].map(|n| self.op2(form, a[n], Src::V(by[n]))),
                )));
            }
            IntOp::Not => {
                let a = self.longs(x[0])?;
                let ones = self.all64(u64::MAX);
                return Ok(Some(Val::Longs(a.map(|v| self.op2(XOR64, v, ones)))));
            }
            IntOp::Neg => {
                let zero = self.longs(Operand::Imm(0))?;
                let a = self.longs_src(x[0])?;
                return Ok(Some(Val::Longs(
                    [0, 1].map(|n| self.op2(SUB64, zero[n], a[n])),
                )));
            }
            IntOp::Abs => {
                let a = self.longs_src(x[0])?;
                return Ok(Some(Val::Longs(a.map(|v| self.op1(ABS64, v)))));
            }
            _ => return Ok(None),
        };
        let commutes = !matches!(op, IntOp::Sub);
        let (mut a, mut b) = (x[0], x[1]);
        if commutes && matches!(self.val(a), Val::Imm(_) | Val::Each(_)) {
            (a, b) = (b, a);
        }
        let a = self.longs(a)?;
        let b = self.longs_src(b)?;
        Ok(Some(Val::Longs([0, 1].map(|n| self.op2(form, a[n], b[n])))))
    }

    /// Emits operations on 16-bit values, which are kept zero-extended in 32 bits.
    pub(crate) fn int16(&mut self, op: IntOp, x: &[Operand]) -> Result<Option<Val>> {
        let form = match op {
            IntOp::Add => ADD32,
            IntOp::Sub => SUB32,
            IntOp::Mul => MUL32,
            IntOp::And => AND,
            IntOp::Or => OR,
            IntOp::Xor => XOR,
            IntOp::MinU => MIN_U,
            IntOp::MaxU => MAX_U,
            IntOp::MulWideU => MUL32,
            IntOp::Not => {
                let a = self.words(x[0])?;
                let mask = self.all32(0xffff);
                return Ok(Some(Val::Words(self.op2(XOR, a, mask), false)));
            }
            // Vector shifts clamp counts above 16, which shifts out all bits as well.
            IntOp::Shl => SHIFT_LEFT,
            IntOp::ShrU => SHIFT_RIGHT,
            _ => return self.signed16(op, x),
        };
        let cut = matches!(op, IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::Shl);
        let shift = matches!(op, IntOp::Shl | IntOp::ShrU);
        let a = self.words(x[0])?;
        let (a, b) = match self.val(x[1]) {
            Val::Imm(bits) if !shift => (a, self.all32(bits as u32 & 0xffff)),
            _ => (a, self.words_src(x[1])?),
        };
        let mut v = self.op2(form, a, b);
        if cut {
            let mask = self.all32(0xffff);
            v = self.op2(AND, v, mask);
        }
        Ok(Some(Val::Words(v, false)))
    }

    /// Emits operations on sign-extended 16-bit values.
    fn signed16(&mut self, op: IntOp, x: &[Operand]) -> Result<Option<Val>> {
        let form = match op {
            IntOp::MinS => MIN_S,
            IntOp::MaxS => MAX_S,
            IntOp::ShrS => SHIFT_RIGHT_S,
            IntOp::MulWideS => MUL32,
            _ => return Ok(None),
        };
        let signed = |this: &mut Self, operand| -> Result<V> {
            let v = this.words(operand)?;
            let v = this.shift_by(IntOp::Shl, v, 16);
            Ok(this.shift_by(IntOp::ShrS, v, 16))
        };
        let a = signed(self, x[0])?;
        let b = match op {
            IntOp::ShrS => self.words_src(x[1])?,
            _ => Src::V(signed(self, x[1])?),
        };
        let mut v = self.op2(form, a, b);
        if op != IntOp::MulWideS {
            let mask = self.all32(0xffff);
            v = self.op2(AND, v, mask);
        }
        Ok(Some(Val::Words(v, false)))
    }
}
