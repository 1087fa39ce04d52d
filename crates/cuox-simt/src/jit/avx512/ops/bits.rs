//! Wide code for bit operations, carries, and for 64- and 16-bit integers.
//!
//! 64-bit values take two vectors; 16-bit ones are processed as words. Bytes are permuted and counted with table
//! lookups.

use crate::ir::{Float, IntOp, Operand, PrmtMode, Ty};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Val};
use crate::jit::avx512::vcode::{K, KOp, Mem, Src, V};

const MIN_BYTES: Form = Form::new(1, 1, false, 0xda);
const MAX_BYTES: Form = Form::new(1, 1, false, 0xde);
/// Sums of eight bytes each.
const SUM_BYTES: Form = Form::new(1, 1, false, 0xf6);
/// Sums of two products of bytes each.
const DOT_BYTES: Form = Form::new(2, 1, false, 0x04);
const COUNT_BITS: Form = Form::new(2, 1, false, 0x55);
const DOUBLE_OF_LONG_U: Form = Form::new(1, 2, true, 0x7a);
const DOUBLE_OF_LONG_S: Form = Form::new(1, 2, true, 0xe6);
const LONG_U_OF_DOUBLE_CUT: Form = Form::new(1, 1, true, 0x78);
const LONG_S_OF_DOUBLE: Form = Form::new(1, 1, true, 0x7b);
/// Arithmetic shift by a constant.
const SHIFT_S: Form = Form::new(1, 1, false, 0x72);
/// Truth table of `a ? b : c`, bit by bit.
const CHOOSE: u8 = 0xca;

/// Returns a form for elements of a width.
fn of(ty: Ty, form: Form) -> Form {
    match (ty, form) {
        (Ty::B64, ADD32) => ADD64,
        (Ty::B64, SUB32) => SUB64,
        (Ty::B64, form) => long(form),
        _ => form,
    }
}

impl Lower<'_> {
    /// Returns one number for all elements of a width.
    fn constant(&mut self, ty: Ty, value: u64) -> Src {
        match ty {
            Ty::B64 => self.all64(value),
            _ => self.all32(value as u32),
        }
    }

    fn everywhere(&mut self, ty: Ty, value: u64) -> V {
        let src = self.constant(ty, value);
        self.load_each(src, ty == Ty::B64)
    }

    /// Returns an operand's vectors: two of 64 bits, else one.
    fn vectors(&mut self, ty: Ty, x: Operand) -> Result<Vec<V>> {
        Ok(match ty {
            Ty::B64 => self.longs(x)?.to_vec(),
            _ => vec![self.words(x)?],
        })
    }

    /// Returns a b32 operand for elements of a width.
    fn amounts(&mut self, ty: Ty, x: Operand) -> Result<Vec<V>> {
        let v = self.words(x)?;
        Ok(match ty {
            Ty::B64 => self.widen(v, false).to_vec(),
            _ => vec![v],
        })
    }

    /// Builds a value from one vector, or from two of 64 bits.
    fn of_parts(&mut self, ty: Ty, parts: usize, mut f: impl FnMut(&mut Self, usize) -> V) -> Val {
        debug_assert_eq!(parts, if ty == Ty::B64 { 2 } else { 1 });
        let first = f(self, 0);
        match ty {
            Ty::B64 => Val::Longs([first, f(self, 1)]),
            _ => Val::Words(first, false),
        }
    }

    /// Builds a value for results that are always b32.
    fn counts(&mut self, ty: Ty, parts: usize, f: impl FnMut(&mut Self, usize) -> V) -> Val {
        match self.of_parts(ty, parts, f) {
            Val::Longs(both) => Val::Words(self.low_halves(both), false),
            other => other,
        }
    }

    /// Builds a predicate from comparisons of each vector.
    fn compared(&mut self, ty: Ty, mut f: impl FnMut(&mut Self, usize) -> K) -> K {
        let low = f(self, 0);
        match ty {
            Ty::B64 => {
                let high = f(self, 1);
                self.mask_op(KOp::Join, high, low)
            }
            _ => low,
        }
    }

    /// Builds a predicate from unsigned comparisons: 0 for equal, 1 for less.
    fn ordered(&mut self, ty: Ty, pairs: &[[V; 2]], code: u8) -> K {
        self.compared(ty, |this, n| {
            let [a, b] = pairs[n];
            this.test(of(ty, COMPARE_U), Some(a), Src::V(b), Some(code))
        })
    }

    /// Returns a predicate's masks for vectors of a width.
    fn mask_parts(&mut self, ty: Ty, x: Operand) -> Result<Vec<K>> {
        let all = self.mask(x)?;
        Ok(match ty {
            Ty::B64 => vec![all, self.upper(all)],
            _ => vec![all],
        })
    }

    fn choose_bits(&mut self, mask: V, yes: V, no: V) -> V {
        self.full(
            TERNARY,
            Some(yes),
            Src::V(no),
            Some(CHOOSE),
            None,
            Some(mask),
        )
    }

    /// Emits operations that [`crate::jit::avx512::ops::int`] does not handle.
    pub(crate) fn bits(&mut self, op: IntOp, ty: Ty, x: &[Operand]) -> Result<Option<Val>> {
        if ty == Ty::B16 {
            return self.bits16(op, x);
        }
        if !matches!(ty, Ty::B32 | Ty::B64) {
            return Ok(None);
        }
        if matches!(op, IntOp::BfeS | IntOp::Bfi)
            && let Some(field) = self.known_field(ty, x)
        {
            return self.known_bits(op, ty, x, field).map(Some);
        }
        let width = u64::from(ty.bits());
        Ok(Some(match op {
            IntOp::Popc => {
                let a = self.vectors(ty, x[0])?;
                self.counts(ty, a.len(), |this, n| this.count_bits(ty, a[n]))
            }
            IntOp::Clz => {
                let a = self.vectors(ty, x[0])?;
                self.counts(ty, a.len(), |this, n| {
                    this.op1(of(ty, LEADING_ZEROS), Src::V(a[n]))
                })
            }
            IntOp::Brev => {
                let a = self.vectors(ty, x[0])?;
                self.of_parts(ty, a.len(), |this, n| this.reverse_bits(ty, a[n]))
            }
            IntOp::BfindU | IntOp::BfindS | IntOp::BfindShiftU | IntOp::BfindShiftS => {
                let mut a = self.vectors(ty, x[0])?;
                if matches!(op, IntOp::BfindS | IntOp::BfindShiftS) {
                    for v in &mut a {
                        let sign = self.shift(of(ty, SHIFT_S), 4, *v, ty.bits() as u8 - 1);
                        *v = self.op2(XOR, *v, Src::V(sign));
                    }
                }
                let shift = matches!(op, IntOp::BfindShiftU | IntOp::BfindShiftS);
                self.counts(ty, a.len(), |this, n| {
                    let zeros = this.op1(of(ty, LEADING_ZEROS), Src::V(a[n]));
                    if !shift {
                        let top = this.everywhere(ty, width - 1);
                        return this.op2(of(ty, SUB32), top, Src::V(zeros));
                    }
                    let none = this.constant(ty, 0);
                    let none = this.test(of(ty, COMPARE_S), Some(a[n]), none, Some(0));
                    let ones = this.everywhere(ty, u64::MAX);
                    this.full(
                        of(ty, BLEND),
                        Some(zeros),
                        Src::V(ones),
                        None,
                        Some(none),
                        None,
                    )
                })
            }
            IntOp::BfeU | IntOp::BfeS => {
                let a = self.vectors(ty, x[0])?;
                let (at, length) = (self.field(ty, x[1])?, self.field(ty, x[2])?);
                let signed = op == IntOp::BfeS;
                self.of_parts(ty, a.len(), |this, n| {
                    this.extract_bits(ty, signed, a[n], at[n], length[n])
                })
            }
            IntOp::Bfi => {
                let (a, b) = (self.vectors(ty, x[0])?, self.vectors(ty, x[1])?);
                let (at, length) = (self.field(ty, x[2])?, self.field(ty, x[3])?);
                self.of_parts(ty, a.len(), |this, n| {
                    let ones = this.everywhere(ty, u64::MAX);
                    let above = this.op2(of(ty, SHIFT_LEFT), ones, Src::V(length[n]));
                    let field = this.op2(XOR, above, Src::V(ones));
                    let field = this.op2(of(ty, SHIFT_LEFT), field, Src::V(at[n]));
                    let value = this.op2(of(ty, SHIFT_LEFT), a[n], Src::V(at[n]));
                    this.choose_bits(field, value, b[n])
                })
            }
            IntOp::AbsDiffU | IntOp::AbsDiffS => {
                let (a, b) = (self.vectors(ty, x[0])?, self.vectors(ty, x[1])?);
                let signed = op == IntOp::AbsDiffS;
                self.of_parts(ty, a.len(), |this, n| {
                    this.difference(ty, signed, a[n], b[n])
                })
            }
            IntOp::AddCarry | IntOp::SubBorrow => {
                let (a, b) = (self.vectors(ty, x[0])?, self.vectors(ty, x[1])?);
                let carry = self.mask_parts(ty, x[2])?;
                let form = of(ty, if op == IntOp::AddCarry { ADD32 } else { SUB32 });
                self.of_parts(ty, a.len(), |this, n| {
                    let v = this.op2(form, a[n], Src::V(b[n]));
                    let one = this.constant(ty, 1);
                    this.merge(form, v, carry[n], Some(v), one)
                })
            }
            IntOp::AddCarryOut | IntOp::SubBorrowOut => {
                let (a, b) = (self.vectors(ty, x[0])?, self.vectors(ty, x[1])?);
                let carry = self.mask(x[2])?;
                // Operand of the comparison: a sum that is less than a summand has wrapped.
                let add = op == IntOp::AddCarryOut;
                let sums: Vec<[V; 2]> = (0..a.len())
                    .map(|n| match add {
                        true => [self.op2(of(ty, ADD32), a[n], Src::V(b[n])), a[n]],
                        false => [a[n], b[n]],
                    })
                    .collect();
                let less = self.ordered(ty, &sums, 1);
                // With a carry in, a sum of all ones wraps too; with a borrow in, equal numbers borrow.
                let edge = match add {
                    true => self.compared(ty, |this, n| {
                        let ones = this.constant(ty, u64::MAX);
                        this.test(of(ty, COMPARE_S), Some(sums[n][0]), ones, Some(0))
                    }),
                    false => self.ordered(ty, &sums, 0),
                };
                let edge = self.mask_op(KOp::And, edge, carry);
                Val::Mask(self.mask_op(KOp::Or, less, edge))
            }
            IntOp::MulHiU | IntOp::MulHiS if ty == Ty::B64 => {
                let (a, b) = (self.longs(x[0])?, self.longs(x[1])?);
                let signed = op == IntOp::MulHiS;
                Val::Longs([0, 1].map(|n| self.high_product(signed, a[n], b[n])))
            }
            IntOp::DivU | IntOp::DivS | IntOp::RemU | IntOp::RemS if ty == Ty::B64 => {
                let (a, b) = (self.longs(x[0])?, self.longs(x[1])?);
                Val::Longs([0, 1].map(|n| self.divide64(op, a[n], b[n])))
            }
            _ if ty == Ty::B32 => return self.bits32(op, x),
            _ => return Ok(None),
        }))
    }

    fn bits32(&mut self, op: IntOp, x: &[Operand]) -> Result<Option<Val>> {
        let v = match op {
            IntOp::ShfL(clamp) | IntOp::ShfR(clamp) => {
                let (low, high, by) = (self.words(x[0])?, self.words(x[1])?, self.words(x[2])?);
                let by = self.limited(by, clamp);
                let most = self.everywhere(Ty::B32, 32);
                let rest = self.op2(SUB32, most, Src::V(by));
                let (up, down) = match op {
                    IntOp::ShfL(_) => (by, rest),
                    _ => (rest, by),
                };
                let high = self.op2(SHIFT_LEFT, high, Src::V(up));
                let low = self.op2(SHIFT_RIGHT, low, Src::V(down));
                self.op2(OR, high, Src::V(low))
            }
            IntOp::Bmsk(wrap) => {
                let (at, count) = (self.words(x[0])?, self.words(x[1])?);
                let (at, count) = (self.limited(at, !wrap), self.limited(count, !wrap));
                let end = self.op2(ADD32, at, Src::V(count));
                let ones = self.everywhere(Ty::B32, u64::MAX);
                let from = self.op2(SHIFT_LEFT, ones, Src::V(at));
                let past = self.op2(SHIFT_LEFT, ones, Src::V(end));
                self.op2(AND_NOT, past, Src::V(from))
            }
            IntOp::Szext(signed, wrap) => {
                let (a, kept) = (self.words(x[0])?, self.words(x[1])?);
                let kept = self.limited(kept, !wrap);
                let most = self.everywhere(Ty::B32, 32);
                let by = self.op2(SUB32, most, Src::V(kept));
                let up = self.op2(SHIFT_LEFT, a, Src::V(by));
                let down = if signed { SHIFT_RIGHT_S } else { SHIFT_RIGHT };
                let v = self.op2(down, up, Src::V(by));
                if !signed {
                    return Ok(Some(Val::Words(v, false)));
                }
                // A count of 0 keeps nothing, not even the sign.
                let zero = self.all32(0);
                let some = self.test(COMPARE_S, Some(kept), zero, Some(4));
                let none = self.everywhere(Ty::B32, 0);
                self.full(BLEND, Some(none), Src::V(v), None, Some(some), None)
            }
            IntOp::AddSatS | IntOp::SubSatS => {
                let (a, b) = (self.words(x[0])?, self.words(x[1])?);
                let add = op == IntOp::AddSatS;
                let v = self.op2(if add { ADD32 } else { SUB32 }, a, Src::V(b));
                // The addition overflows where the result's sign differs from that of both `a` and `±b`.
                let table = if add { 0x42 } else { 0x18 };
                let wrong = self.full(TERNARY, Some(b), Src::V(v), Some(table), None, Some(a));
                let sign = self.all32(SIGN);
                let wrong = self.test(TEST, Some(wrong), sign, None);
                let sign = self.shift_by(IntOp::ShrS, a, 31);
                let largest = self.all32(0x7fff_ffff);
                self.merge(XOR, v, wrong, Some(sign), largest)
            }
            IntOp::Prmt(mode) => {
                let (a, b, selector) = (self.words(x[0])?, self.words(x[1])?, self.words(x[2])?);
                self.permute(mode, a, b, selector)
            }
            _ => return Ok(None),
        };
        Ok(Some(Val::Words(v, false)))
    }

    /// Emits operations on 16-bit values by means of words.
    fn bits16(&mut self, op: IntOp, x: &[Operand]) -> Result<Option<Val>> {
        let signed = match op {
            IntOp::AbsDiffS | IntOp::MulHiS | IntOp::DivS | IntOp::RemS | IntOp::Abs => true,
            IntOp::AbsDiffU | IntOp::MulHiU | IntOp::DivU | IntOp::RemU | IntOp::Neg => false,
            _ => return Ok(None),
        };
        let mut words = Vec::new();
        for &operand in x {
            let v = self.words(operand)?;
            words.push(match self.extend(v, Ty::B16, Ty::B32, signed) {
                Val::Words(v, _) => v,
                _ => return Ok(None),
            });
        }
        let v = match (op, &words[..]) {
            (IntOp::AbsDiffU | IntOp::AbsDiffS, &[a, b]) => self.difference(Ty::B32, signed, a, b),
            (IntOp::MulHiU | IntOp::MulHiS, &[a, b]) => {
                let product = self.op2(MUL32, a, Src::V(b));
                self.shift_by(IntOp::ShrU, product, 16)
            }
            (IntOp::Abs, &[a]) => self.op1(ABS32, Src::V(a)),
            (IntOp::Neg, &[a]) => {
                let zero = self.everywhere(Ty::B32, 0);
                self.op2(SUB32, zero, Src::V(a))
            }
            (_, &[a, b]) => self.divide_words(op, (a, b), false, true),
            _ => return Ok(None),
        };
        let mask = self.all32(0xffff);
        Ok(Some(Val::Words(self.op2(AND, v, mask), false)))
    }

    /// Limits a count to 32, or to its lowest five bits.
    fn limited(&mut self, by: V, clamp: bool) -> V {
        let (form, most) = if clamp { (MIN_U, 32) } else { (AND, 31) };
        let most = self.all32(most);
        self.op2(form, by, most)
    }

    /// Returns the position or length of a bit field. For fields in words, eight bits count.
    fn field(&mut self, ty: Ty, x: Operand) -> Result<Vec<V>> {
        let mut parts = self.amounts(ty, x)?;
        if ty == Ty::B32 {
            let mask = self.all32(0xff);
            parts[0] = self.op2(AND, parts[0], mask);
        }
        Ok(parts)
    }

    /// Returns the position and length of a field that lies in the register, if they are constants.
    fn known_field(&mut self, ty: Ty, x: &[Operand]) -> Option<(u32, u32)> {
        let [.., at, length] = *x else { return None };
        let (Val::Imm(at), Val::Imm(length)) = (self.val(at), self.val(length)) else {
            return None;
        };
        // The engines differ for operands beyond the low byte, which programs do not use.
        let inside = at < 256 && (1..=64).contains(&length) && at + length <= ty.bits().into();
        inside.then_some((at as u32, length as u32))
    }

    fn known_bits(
        &mut self,
        op: IntOp,
        ty: Ty,
        x: &[Operand],
        (at, length): (u32, u32),
    ) -> Result<Val> {
        let bits = ty.bits();
        let a = self.vectors(ty, x[0])?;
        // Shifts by a constant; the opcode digit selects the kind.
        let shift = |this: &mut Self, digit: u8, v: V, by: u32| match (by, ty, digit) {
            (0, ..) => v,
            (_, Ty::B64, 6) => this.shift(Form::new(1, 1, true, 0x73), 6, v, by as u8),
            _ => this.shift(of(ty, SHIFT_S), digit, v, by as u8),
        };
        if op == IntOp::BfeS {
            return Ok(self.of_parts(ty, a.len(), |this, n| {
                let up = shift(this, 6, a[n], bits - at - length);
                shift(this, 4, up, bits - length)
            }));
        }
        let b = self.vectors(ty, x[1])?;
        let field = u64::MAX >> (64 - length) << at;
        Ok(self.of_parts(ty, a.len(), |this, n| {
            let value = shift(this, 6, a[n], at);
            let field = this.constant(ty, field);
            // `field ? value : b`.
            this.full(
                of(ty, TERNARY),
                Some(b[n]),
                field,
                Some(0xe4),
                None,
                Some(value),
            )
        }))
    }

    fn extract_bits(&mut self, ty: Ty, signed: bool, a: V, at: V, length: V) -> V {
        if !signed {
            let value = self.op2(of(ty, SHIFT_RIGHT), a, Src::V(at));
            let ones = self.everywhere(ty, u64::MAX);
            let above = self.op2(of(ty, SHIFT_LEFT), ones, Src::V(length));
            return self.op2(AND_NOT, above, Src::V(value));
        }
        // Shifts the field's top bit, or the register's, to the top.
        let end = self.op2(of(ty, ADD32), at, Src::V(length));
        let width = self.everywhere(ty, u64::from(ty.bits()));
        let end = self.op2(of(ty, MIN_U), end, Src::V(width));
        let up = self.op2(of(ty, SUB32), width, Src::V(end));
        let down = self.op2(of(ty, ADD32), up, Src::V(at));
        let v = self.op2(of(ty, SHIFT_LEFT), a, Src::V(up));
        let v = self.op2(of(ty, SHIFT_RIGHT_S), v, Src::V(down));
        let zero = self.constant(ty, 0);
        let some = self.test(of(ty, COMPARE_S), Some(length), zero, Some(4));
        let none = self.everywhere(ty, 0);
        self.full(of(ty, BLEND), Some(none), Src::V(v), None, Some(some), None)
    }

    fn difference(&mut self, ty: Ty, signed: bool, a: V, b: V) -> V {
        let (least, most) = if signed {
            (MIN_S, MAX_S)
        } else {
            (MIN_U, MAX_U)
        };
        let small = self.op2(of(ty, least), a, Src::V(b));
        let large = self.op2(of(ty, most), a, Src::V(b));
        self.op2(of(ty, SUB32), large, Src::V(small))
    }

    /// Returns a table of sixteen bytes, replicated in all parts of a vector.
    fn byte_table(&mut self, f: impl Fn(u8) -> u8) -> V {
        let table = self.each32(|lane| {
            let bytes = std::array::from_fn(|n| f((lane as u8 % 4) * 4 + n as u8));
            i64::from(u32::from_le_bytes(bytes))
        });
        self.load_each(table, false)
    }

    /// Returns the low and the high halves of bytes.
    fn nibbles(&mut self, v: V) -> [V; 2] {
        let mask = self.all32(0x0f0f_0f0f);
        let up = self.shift_by(IntOp::ShrU, v, 4);
        [v, up].map(|v| self.op2(AND, v, mask))
    }

    fn count_bits(&mut self, ty: Ty, v: V) -> V {
        if self.plan.llvm || crate::jit::avx512::has_popcount() {
            return self.op1(of(ty, COUNT_BITS), Src::V(v));
        }
        let counts = self.byte_table(|n| n.count_ones() as u8);
        let [low, high] = self.nibbles(v);
        let [low, high] = [low, high].map(|half| self.op2(PICK_BYTES, counts, Src::V(half)));
        let bytes = self.op2(ADD32, low, Src::V(high));
        if ty == Ty::B64 {
            let zero = self.everywhere(Ty::B32, 0);
            return self.op2(SUM_BYTES, bytes, Src::V(zero));
        }
        let ones = self.everywhere(Ty::B32, 0x0101_0101);
        let pairs = self.op2(DOT_BYTES, bytes, Src::V(ones));
        let ones = self.everywhere(Ty::B32, 0x0001_0001);
        self.op2(DOT, pairs, Src::V(ones))
    }

    fn reverse_bits(&mut self, ty: Ty, v: V) -> V {
        let bytes = ty.bytes() as u8;
        let order = self.byte_table(|n| n / bytes * bytes + (bytes - 1 - n % bytes));
        let v = self.op2(PICK_BYTES, v, Src::V(order));
        let [low, high] = self.nibbles(v);
        let upper = self.byte_table(|n| n.reverse_bits());
        let lower = self.byte_table(|n| n.reverse_bits() >> 4);
        let low = self.op2(PICK_BYTES, upper, Src::V(low));
        let high = self.op2(PICK_BYTES, lower, Src::V(high));
        self.op2(OR, low, Src::V(high))
    }

    /// Emits `prmt`: computes byte positions from the selector, then selects the bytes.
    fn permute(&mut self, mode: PrmtMode, a: V, b: V, selector: V) -> V {
        const EACH: u64 = 0x0101_0101;
        let word = |this: &mut Self, value: u64| this.everywhere(Ty::B32, value);
        let mut signs = None;
        let places = if mode == PrmtMode::Index {
            // Spread four bits each to separate bytes.
            let low = self.all32(0xffff);
            let mut v = self.op2(AND, selector, low);
            for (by, keep) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f)] {
                let up = self.shift_by(IntOp::Shl, v, by);
                v = self.op2(OR, v, Src::V(up));
                let keep = self.all32(keep);
                v = self.op2(AND, v, keep);
            }
            signs = Some(v);
            v
        } else {
            let bits = if mode == PrmtMode::Rc16 { 1 } else { 3 };
            let bits = self.all32(bits);
            let n = self.op2(AND, selector, bits);
            let factor = if mode == PrmtMode::Rc16 {
                2 * EACH
            } else {
                EACH
            };
            let factor = self.all32(factor as u32);
            let n = self.op2(MUL32, n, factor);
            match mode {
                PrmtMode::F4e | PrmtMode::B4e | PrmtMode::Rc16 => {
                    let ahead = match mode {
                        PrmtMode::F4e => 0x0302_0100,
                        PrmtMode::B4e => 0x0506_0708,
                        _ => 0x0100_0100,
                    };
                    let ahead = self.all32(ahead);
                    self.op2(ADD32, n, ahead)
                }
                PrmtMode::Ecl | PrmtMode::Ecr => {
                    let form = if mode == PrmtMode::Ecl {
                        MAX_BYTES
                    } else {
                        MIN_BYTES
                    };
                    let own = word(self, 0x0302_0100);
                    self.op2(form, n, Src::V(own))
                }
                _ => n,
            }
        };
        let three = self.all32((3 * EACH) as u32);
        let place = self.op2(AND, places, three);
        let word_at = self.byte_table(|n| n / 4 * 4);
        let place = self.op2(OR, place, Src::V(word_at));
        // Move the bit that selects the operand to the bit that selects zero.
        let four = self.all32((4 * EACH) as u32);
        let second = self.op2(AND, places, four);
        let second = self.shift_by(IntOp::Shl, second, 5);
        let of_a = self.op2(OR, place, Src::V(second));
        let top = self.all32((0x80 * EACH) as u32);
        let of_b = self.op2(XOR, of_a, top);
        let a = self.op2(PICK_BYTES, a, Src::V(of_a));
        let b = self.op2(PICK_BYTES, b, Src::V(of_b));
        let picked = self.op2(OR, a, Src::V(b));
        let Some(signs) = signs else { return picked };
        // Bytes that are replaced by their sign, and bytes that are negative.
        let [wanted, negative] = [(signs, 3), (picked, 7)].map(|(v, bit)| {
            let v = self.shift_by(IntOp::ShrU, v, bit);
            let one = self.all32(EACH as u32);
            let v = self.op2(AND, v, one);
            let up = self.shift_by(IntOp::Shl, v, 8);
            self.op2(SUB32, up, Src::V(v))
        });
        self.choose_bits(wanted, negative, picked)
    }

    /// Returns the upper half of a product of 64 bits.
    fn high_product(&mut self, signed: bool, a: V, b: V) -> V {
        let (upper_a, upper_b) = (self.shift_right64(a, 32), self.shift_right64(b, 32));
        let mut product = |a: V, b: V| self.op2(MUL_EVEN_U, a, Src::V(b));
        let [ll, lh, hl, hh] = [
            product(a, b),
            product(a, upper_b),
            product(upper_a, b),
            product(upper_a, upper_b),
        ];
        let carry = self.shift_right64(ll, 32);
        let middle = self.op2(ADD64, hl, Src::V(carry));
        let low = self.all64(0xffff_ffff);
        let low = self.op2(AND64, middle, low);
        let other = self.op2(ADD64, lh, Src::V(low));
        let mut v = hh;
        for part in [middle, other] {
            let part = self.shift_right64(part, 32);
            v = self.op2(ADD64, v, Src::V(part));
        }
        if signed {
            for (sign, by) in [(a, b), (b, a)] {
                let sign = self.shift(long(SHIFT_S), 4, sign, 63);
                let less = self.op2(AND64, sign, Src::V(by));
                v = self.op2(SUB64, v, Src::V(less));
            }
        }
        v
    }

    /// Computes 64-bit quotients and remainders. The first f64 quotient has a relative error of 2^-51, so the remainder
    /// fits a signed 64-bit value. The remainder's quotient, rounded to nearest, corrects it up to an error of one,
    /// which is corrected last.
    fn divide64(&mut self, op: IntOp, a: V, b: V) -> V {
        const DIVIDE: Form = float(0x5e, Float::F64);
        let signed = matches!(op, IntOp::DivS | IntOp::RemS);
        let remainder = matches!(op, IntOp::RemU | IntOp::RemS);
        let (x, y) = match signed {
            true => (self.op1(ABS64, Src::V(a)), self.op1(ABS64, Src::V(b))),
            false => (a, b),
        };
        let [dividend, divisor] = [x, y].map(|v| self.op1(DOUBLE_OF_LONG_U, Src::V(v)));
        let first = self.op2(DIVIDE, dividend, Src::V(divisor));
        let first = self.op1(LONG_U_OF_DOUBLE_CUT, Src::V(first));
        let product = self.op2(MUL64, first, Src::V(y));
        let left = self.op2(SUB64, x, Src::V(product));
        let double = self.op1(DOUBLE_OF_LONG_S, Src::V(left));
        let second = self.op2(DIVIDE, double, Src::V(divisor));
        let second = self.op1(LONG_S_OF_DOUBLE, Src::V(second));
        let mut quotient = self.op2(ADD64, first, Src::V(second));
        let product = self.op2(MUL64, second, Src::V(y));
        let mut rest = self.op2(SUB64, left, Src::V(product));
        let zero = self.all64(0);
        let below = self.test(long(COMPARE_S), Some(rest), zero, Some(1));
        let one = self.all64(1);
        quotient = self.merge(SUB64, quotient, below, Some(quotient), one);
        rest = self.merge(ADD64, rest, below, Some(rest), Src::V(y));
        if !signed {
            // For a divisor with its top bit set, the quotient is 0 or 1.
            let zero = self.all64(0);
            let large = self.test(long(COMPARE_S), Some(y), zero, Some(1));
            let fits = self.test(long(COMPARE_U), Some(x), Src::V(y), Some(5));
            let fits = self.mask_op(KOp::And, fits, large);
            let none = Mem::Constant(self.asm.constant(&0u64.to_le_bytes()));
            quotient = self.merge(BROADCAST_LONG, quotient, large, None, Src::Mem(none));
            let one = Mem::Constant(self.asm.constant(&1u64.to_le_bytes()));
            quotient = self.merge(BROADCAST_LONG, quotient, fits, None, Src::Mem(one));
            rest = self.full(long(BLEND), Some(rest), Src::V(x), None, Some(large), None);
            rest = self.merge(SUB64, rest, fits, Some(x), Src::V(y));
        }
        let mut v = if remainder { rest } else { quotient };
        if signed {
            let sign = match remainder {
                true => a,
                false => self.op2(XOR64, a, Src::V(b)),
            };
            let zero = self.all64(0);
            let negative = self.test(long(COMPARE_S), Some(sign), zero, Some(1));
            let zero = self.everywhere(Ty::B64, 0);
            v = self.merge(SUB64, v, negative, Some(zero), Src::V(v));
        }
        let zero = self.all64(0);
        let by_zero = self.test(long(COMPARE_S), Some(b), zero, Some(0));
        let ones = Mem::Constant(self.asm.constant(&u64::MAX.to_le_bytes()));
        self.merge(BROADCAST_LONG, v, by_zero, None, Src::Mem(ones))
    }
}
