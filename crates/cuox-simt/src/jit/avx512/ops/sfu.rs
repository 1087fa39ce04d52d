//! Wide code for approximate functions: SFU operations on sixteen lanes.
//!
//! Tables are looked up in registers: a vector holds 16 coefficients, and a permutation selects from two vectors. All
//! constant coefficients of a table have the same low bits, so one word holds them.

use crate::ir::{ApproxOp, Float, IntOp, Operand};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Val};
use crate::jit::avx512::vcode::{K, KOp, Mem, Src, V, Vop};
use crate::jit::emit::sfu::{
    LEADING, LowConstant, Order, Parabola, SINGLE, SfuVector, UPPER_HALF, power,
};
use crate::sem::approx::sfu::{TANH_BINADES, Table};
use crate::sys::level::{Level, level};
use std::convert::Infallible;

/// Conversion of f32 to integer, towards zero.
const WHOLE_OF_FLOAT: Form = Form::new(1, 2, false, 0x5b);
/// Selects entries by an index.
const PERMUTE_ONE: Form = Form::new(2, 1, false, 0x36);

impl Lower<'_> {
    pub(crate) fn approx(
        &mut self,
        op: ApproxOp,
        ty: Float,
        ftz: bool,
        x: &[Operand],
    ) -> Result<Option<Val>> {
        let function = matches!(op, ApproxOp::Ex2 | ApproxOp::Tanh);
        let v = match ty {
            Float::F32 if matches!(op, ApproxOp::Div | ApproxOp::DivFull) => {
                let (a, b) = (
                    self.noncanonical_words(x[0])?.0,
                    self.noncanonical_words(x[1])?.0,
                );
                let quotient = self.divide(a, b, op == ApproxOp::DivFull, ftz);
                return Ok(Some(Val::Words(quotient, true)));
            }
            Float::F32 => {
                let (a, _) = self.noncanonical_words(x[0])?;
                self.approx_words(op, ftz, a)
            }
            Float::BF16 if function => {
                let a = self.words(x[0])?;
                self.of_bf16(op, ftz, a)
            }
            Float::F16 if function && !ftz => {
                let a = self.words(x[0])?;
                let half = self.narrow(HALVES_OF_WORDS, a, None);
                let a = self.op1(FLOAT_OF_HALF, Src::V(half));
                let r = self.with_subnormals(op, a);
                self.truncate_to_f16(r)
            }
            Float::F64 if ftz && matches!(op, ApproxOp::Rcp | ApproxOp::Rsqrt) => {
                let a = self.longs(x[0])?;
                return Ok(Some(Val::Longs(self.upper_words(op, a))));
            }
            Float::F64 if op == ApproxOp::Rsqrt => {
                let a = self.longs(x[0])?;
                return Ok(Some(Val::Longs(self.rsqrt_f64(a))));
            }
            _ => return Ok(None),
        };
        Ok(Some(Val::Words(v, false)))
    }

    /// Emits a function of f32. LLVM gets the usual case by itself, and a branch to all cases for other operands.
    fn approx_words(&mut self, op: ApproxOp, ftz: bool, a: V) -> V {
        let all = |this: &mut Self| match ftz {
            true => this.unit(op, a),
            false => this.with_subnormals(op, a),
        };
        // Usual operands are normal, below an exponent, and so are the results.
        let (of, below) = match op {
            _ if !self.plan.llvm => return all(self),
            ApproxOp::Sqrt | ApproxOp::Rsqrt => (a, 0xff),
            ApproxOp::Rcp => (self.magnitude(a), 0xfc),
            _ => return all(self),
        };
        let usual = match op {
            ApproxOp::Rcp => {
                let (v, _) = self.usual_rcp(a, SINGLE);
                self.signed(v, a)
            }
            op => self.usual_root(a, op == ApproxOp::Rsqrt, SINGLE),
        };
        let moved = self.add_all(of, LEADING.wrapping_neg());
        let limit = self.all32((below << 23) - LEADING);
        let unusual = self.test(COMPARE_U, Some(moved), limit, Some(5));
        let Ok(v) = self.rarely(unusual, usual, |this| Ok::<_, Infallible>(all(this)));
        v
    }

    /// Converts f32 to f16, truncated; numbers that are too large become infinity.
    fn truncate_to_f16(&mut self, v: V) -> V {
        let magnitude = self.magnitude(v);
        let large = self.order(magnitude, Order::AtLeast, 65536.0);
        let infinity = self.all(f32::INFINITY.to_bits());
        let infinity = self.signed(infinity, v);
        let v = self.pick(large, infinity, v);
        let nan = self.is_nan(v);
        let half = self.narrow(HALF_OF_FLOAT, v, Some(3));
        let half = self.op1(WORDS_OF_HALVES, Src::V(half));
        self.put(half, nan, 0x7fff)
    }

    /// Emits `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`, which read and write the upper halves of f64.
    fn upper_words(&mut self, op: ApproxOp, a: [V; 2]) -> [V; 2] {
        let upper = a.map(|v| self.shift_right64(v, 32));
        let a = self.low_halves(upper);
        let r = match op {
            ApproxOp::Rsqrt => self.root(a, true, UPPER_HALF),
            _ => self.rcp(a, UPPER_HALF),
        };
        self.widen(r, false)
            .map(|v| self.shift(Form::new(1, 1, true, 0x73), 6, v, 32))
    }

    /// Emits `rsqrt.approx.f64`, which refines the SFU's 21 bits to nearly full precision.
    fn rsqrt_f64(&mut self, a: [V; 2]) -> [V; 2] {
        let ty = Float::F64;
        let (compare, multiply) = (float(0xc2, ty), float(0x59, ty));
        // Subnormal numbers, and with them zero and negative ones, are scaled up and the results back.
        let smallest = self.all64(f64::MIN_POSITIVE.to_bits());
        let small = a.map(|v| self.test(compare, Some(v), smallest, Some(0x11)));
        let [up, back] = [54, 27].map(|power| self.all64(2f64.powi(power).to_bits()));
        let x = [0, 1].map(|n| self.merge(multiply, a[n], small[n], Some(a[n]), up));
        let y = self.upper_words(ApproxOp::Rsqrt, x);
        [0, 1].map(|n| {
            let (a, x, y) = (a[n], x[n], y[n]);
            let [one, half, rest] = [1.0f64, 0.5, 0.375].map(|v| {
                let v = self.all64(v.to_bits());
                self.load_each(v, true)
            });
            let square = self.both(multiply, y, y);
            // 1 - square * x.
            let error = self.full(
                fused(0xbc, ty),
                Some(square),
                Src::V(x),
                None,
                None,
                Some(one),
            );
            let factor = self.full(
                fused(0xb8, ty),
                Some(error),
                Src::V(rest),
                None,
                None,
                Some(half),
            );
            let step = self.both(multiply, y, error);
            let r = self.full(
                fused(0xb8, ty),
                Some(factor),
                Src::V(step),
                None,
                None,
                Some(y),
            );
            let r = self.merge(multiply, r, small[n], Some(r), back);
            // Only positive finite operands are refined; others have the SFU's result.
            let (zero, infinity) = (self.all64(0), self.all64(f64::INFINITY.to_bits()));
            let positive = self.test(compare, Some(a), zero, Some(0x1e));
            let finite = self.test(compare, Some(a), infinity, Some(0x11));
            let ordinary = self.mask_op(KOp::And, positive, finite);
            let r = self.full(long(BLEND), Some(y), Src::V(r), None, Some(ordinary), None);
            let zero = self.all64(0);
            let negative = self.test(compare, Some(a), zero, Some(0x11));
            let at = Mem::Constant(self.asm.constant(&(0xfff8u64 << 48).to_le_bytes()));
            let r = self.merge(BROADCAST_LONG, r, negative, None, Src::Mem(at));
            // A NaN operand is propagated, as in all f64 arithmetic.
            let nan = self.test(compare, Some(a), Src::V(a), Some(3));
            let quiet = self.all64(1 << 51);
            self.merge(OR64, r, nan, Some(a), quiet)
        })
    }

    fn with(&mut self, form: Form, a: V, constant: u32) -> V {
        let constant = self.all32(constant);
        self.op2(form, a, constant)
    }

    fn both(&mut self, form: Form, a: V, b: V) -> V {
        self.op2(form, a, Src::V(b))
    }

    /// Returns the table entries selected by the indices.
    fn look_up(&mut self, entries: &[u32], index: V, halves: &[K]) -> V {
        let mut padded = entries.to_vec();
        padded.resize(entries.len().next_power_of_two(), 0);
        // Permutations of two vectors are of AVX-512 alone.
        if self.plan.llvm && level() != Level::V4 {
            let bytes: Vec<u8> = padded.iter().flat_map(|w| w.to_le_bytes()).collect();
            let table = self.asm.constant(&bytes);
            let index = self.with(AND, index, padded.len() as u32 - 1);
            let dst = self.new_vector();
            self.code.push(Vop::LookUp { dst, table, index });
            return dst;
        }
        let mut found: Vec<V> = padded
            .chunks(32)
            .map(|two| {
                let [first, second] = [&two[..16], &two[16..]].map(|part| {
                    let bytes: Vec<u8> = part.iter().flat_map(|w| w.to_le_bytes()).collect();
                    Src::Mem(Mem::Constant(self.asm.constant(&bytes)))
                });
                let first = self.op1(LOAD, first);
                self.full(PERMUTE, Some(index), second, None, None, Some(first))
            })
            .collect();
        for &half in halves {
            found = found
                .chunks(2)
                .map(|two| self.pick(half, two[1], two[0]))
                .collect();
        }
        found[0]
    }
}

/// Coefficients of 17 and of 16 bits in a word each: the lower bits of the first, which all have the same upper ones
/// (returned too), and below them the second.
fn packed(linear: &[u32], square: &[u32]) -> Option<(Vec<u32>, u32)> {
    let sign = linear[0] & 0xffff_0000;
    let fits = |(l, s): (&u32, &u32)| l & 0xffff_0000 == sign && *s as i32 == i32::from(*s as i16);
    let matches = matches!(sign, 0 | 0xffff_0000);
    let words = linear.iter().zip(square);
    (matches && words.clone().all(fits)).then(|| {
        let word = |(l, s): (&u32, &u32)| l << 16 | s & 0xffff;
        (words.map(word).collect(), sign)
    })
}

impl SfuVector for Lower<'_> {
    type V = V;
    type M = K;

    fn all(&mut self, value: u32) -> V {
        let value = self.all32(value);
        self.load_each(value, false)
    }

    fn and_all(&mut self, a: V, b: u32) -> V {
        self.with(AND, a, b)
    }

    fn or(&mut self, a: V, b: V) -> V {
        self.both(OR, a, b)
    }

    fn or_all(&mut self, a: V, b: u32) -> V {
        self.with(OR, a, b)
    }

    fn xor(&mut self, a: V, b: V) -> V {
        self.both(XOR, a, b)
    }

    fn xor_all(&mut self, a: V, b: u32) -> V {
        self.with(XOR, a, b)
    }

    fn add(&mut self, a: V, b: V) -> V {
        self.both(ADD32, a, b)
    }

    fn add_all(&mut self, a: V, b: u32) -> V {
        self.with(ADD32, a, b)
    }

    fn add_where(&mut self, mask: K, a: V, b: V) -> V {
        self.merge(ADD32, a, mask, Some(a), Src::V(b))
    }

    fn sub(&mut self, a: V, b: V) -> V {
        self.both(SUB32, a, b)
    }

    fn mul(&mut self, a: V, b: V) -> V {
        self.both(MUL32, a, b)
    }

    fn f16_mul(&mut self, a: V, b: V) -> V {
        self.both(DOT, a, b)
    }

    fn shl(&mut self, a: V, by: u32) -> V {
        match by {
            0 => a,
            _ => self.shift_by(IntOp::Shl, a, by),
        }
    }

    fn shr(&mut self, a: V, by: u32) -> V {
        match by {
            0 => a,
            _ => self.shift_by(IntOp::ShrU, a, by),
        }
    }

    fn sar(&mut self, a: V, by: u32) -> V {
        self.shift_by(IntOp::ShrS, a, by)
    }

    fn equal(&mut self, a: V, b: u32) -> K {
        let b = self.all32(b);
        self.test(COMPARE_S, Some(a), b, Some(0))
    }

    fn differs(&mut self, a: V, b: u32) -> K {
        let b = self.all32(b);
        self.test(COMPARE_S, Some(a), b, Some(4))
    }

    fn below(&mut self, a: V, b: i32) -> K {
        let b = self.all32(b as u32);
        self.test(COMPARE_S, Some(a), b, Some(1))
    }

    fn above(&mut self, a: V, b: i32) -> K {
        let b = self.all32(b as u32);
        self.test(COMPARE_S, Some(a), b, Some(6))
    }

    fn below_unsigned(&mut self, a: V, b: u32) -> K {
        let b = self.all32(b);
        self.test(COMPARE_U, Some(a), b, Some(1))
    }

    fn order(&mut self, a: V, order: Order, b: f32) -> K {
        let b = self.all32(b.to_bits());
        let code = match order {
            Order::Less => 0x11,
            Order::Greater => 0x1e,
            Order::AtLeast => 0x1d,
        };
        self.test(float(0xc2, Float::F32), Some(a), b, Some(code))
    }

    fn is_nan(&mut self, a: V) -> K {
        self.test(float(0xc2, Float::F32), Some(a), Src::V(a), Some(3))
    }

    fn pick(&mut self, mask: K, a: V, b: V) -> V {
        self.full(BLEND, Some(b), Src::V(a), None, Some(mask), None)
    }

    fn put(&mut self, a: V, mask: K, value: u32) -> V {
        let at = Mem::Constant(self.asm.constant(&value.to_le_bytes()));
        self.merge(BROADCAST_WORD, a, mask, None, Src::Mem(at))
    }

    fn times(&mut self, a: V, b: V) -> V {
        self.both(float(0x59, Float::F32), a, b)
    }

    fn times_all(&mut self, a: V, b: f32) -> V {
        self.with(float(0x59, Float::F32), a, b.to_bits())
    }

    fn times_all_cut(&mut self, a: V, b: f32) -> V {
        let b = self.all(b.to_bits());
        self.rounded(float(0x59, Float::F32), Some(a), b, None, TOWARD_ZERO)
    }

    fn times_where(&mut self, mask: K, a: V, b: V) -> V {
        self.merge(float(0x59, Float::F32), a, mask, Some(a), Src::V(b))
    }

    fn plus_all_where(&mut self, mask: K, a: V, b: f32) -> V {
        let b = self.all32(b.to_bits());
        self.merge(float(0x58, Float::F32), a, mask, Some(a), b)
    }

    fn fraction(&mut self, a: V) -> V {
        let whole = self.op_imm(ROUND, None, Src::V(a), 0x0b);
        self.both(float(0x5c, Float::F32), a, whole)
    }

    fn integer(&mut self, a: V) -> V {
        self.op1(WHOLE_OF_FLOAT, Src::V(a))
    }

    fn saturated(&mut self, a: V) -> V {
        let a = self.with(float(0x5d, Float::F32), a, power(30).to_bits());
        self.integer(a)
    }

    fn float_cut(&mut self, n: V) -> V {
        self.rounded(FLOAT_OF_S, None, n, None, TOWARD_ZERO)
    }

    fn flushed(&mut self, a: V) -> V {
        self.flush(a)
    }

    fn times_flushed(&mut self, a: V, b: V) -> V {
        self.flushed_product([a, b], None, None)
    }

    fn square(&mut self, x: V) -> V {
        // The partial products of the lower bits are 2^7 times those of a sum of products of bytes: each bit in its
        // place, and the upper bits that its product keeps.
        let high = self.shr(x, 9);
        let product = self.both(DOT, high, high);
        let sum = self.shr(product, 1);
        let [upper, lower] = [1, 2].map(|by| self.shr(x, by));
        let [upper, lower] = [(upper, 1), (lower, 0)].map(|(v, byte)| {
            let order: Vec<u8> = (0..64u8).map(|n| (n & 12) + byte).collect();
            let order = Mem::Constant(self.asm.constant(&order));
            self.op2(PICK_BYTES, v, Src::Mem(order))
        });
        let parts = [0, 4].map(|first| {
            let bits: [u8; 4] = std::array::from_fn(|n| match first + n {
                bit @ 0..7 => 1 << bit,
                _ => 0,
            });
            let kept =
                bits.map(|bit| (bit != 0).then(|| (128 / u16::from(bit)).wrapping_neg() as u8));
            let kept = kept.map(Option::unwrap_or_default);
            let upper = self.with(AND, upper, u32::from_le_bytes(kept));
            let lower = self.with(AND, lower, u32::from_le_bytes(bits));
            self.both(DOT_BYTES, upper, lower)
        });
        let all = self.both(ADD_HALVES, parts[0], parts[1]);
        let ones = self.all(0x1_0001);
        let all = self.both(DOT, all, ones);
        let more = self.shr(all, 7);
        self.add(sum, more)
    }

    fn coefficients<const N: usize, const F: u32>(
        &mut self,
        table: &'static Table<N, F>,
        piece: V,
        at: u32,
    ) -> Parabola<V> {
        let piece = self.shr(piece, at);
        let constant = |i: usize| {
            let piece = &table.0[i];
            (i64::from(piece.whole) << F) + i64::from(piece.part)
        };
        let part = constant(0) & 0xff;
        debug_assert!((0..N).all(|i| constant(i) & 0xff == part));
        let column = |f: &dyn Fn(usize) -> i64| (0..N).map(|i| f(i) as u32).collect::<Vec<_>>();
        let columns = [
            column(&|i| constant(i) >> 8),
            column(&|i| i64::from(table.0[i].linear)),
            column(&|i| i64::from(table.0[i].square)),
        ];
        let mut halves = Vec::new();
        for bit in 5..N.next_power_of_two().ilog2() {
            let one = self.all32(1 << bit);
            halves.push(self.test(TEST, Some(piece), one, None));
        }
        let [base, linear, square] = match packed(&columns[1], &columns[2]) {
            Some((words, sign)) => {
                let base = self.look_up(&columns[0], piece, &halves);
                let both = self.look_up(&words, piece, &halves);
                let linear = self.shr(both, 16);
                let linear = match sign {
                    0 => linear,
                    sign => self.or_all(linear, sign),
                };
                [base, linear, both]
            }
            None => columns.map(|c| self.look_up(&c, piece, &halves)),
        };
        Parabola {
            base,
            part: LowConstant::Shared(part as u32),
            linear,
            square,
        }
    }

    fn tanh_place(&mut self, magnitude: V, binade: V, _: K, _: K) -> V {
        let entries = |f: fn((u8, u8)) -> u32| {
            let mut entries = [0; 16];
            for (entry, &binade) in entries.iter_mut().zip(&TANH_BINADES) {
                *entry = f(binade);
            }
            entries.iter().flat_map(|w| w.to_le_bytes()).collect()
        };
        let tables: [Vec<u8>; 2] = [
            entries(|(_, unseen)| u32::from(unseen)),
            entries(|(first, _)| u32::from(first) << 17),
        ];
        let [unseen, first] = tables.map(|bytes| {
            let table = Src::Mem(Mem::Constant(self.asm.constant(&bytes)));
            self.op2(PERMUTE_ONE, binade, table)
        });
        let mantissa = self.and_all(magnitude, LEADING - 1);
        let place = self.both(SHIFT_RIGHT, mantissa, unseen);
        self.add(place, first)
    }
}
