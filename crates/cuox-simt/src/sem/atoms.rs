//! Read-modify-write by several threads in one call, with code of its own for each operation: what [`super::atom`] means, without
//! asking again for every thread what is to be done.

use super::atom::update;
use super::mbarrier;
use super::soft::{Format, canonical_nan};
use crate::ir::{AtomOp, Float, Num, Ty};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

const ORDER: Ordering = Ordering::SeqCst;

/// The threads of a read-modify-write and where their values are, one after the other by thread. Values of at most 32 bits are in
/// words of 32, others in words of 64.
#[derive(Clone, Copy)]
pub struct Group {
    /// Host addresses, 64 bits each.
    pub addresses: *const u64,
    /// The operands.
    pub args: [*const u8; 2],
    /// Where the old values go.
    pub old: *mut u8,
    /// The threads that take part.
    pub mask: u32,
    /// Whether nobody else accesses that memory meanwhile.
    pub private: bool,
}

/// A number in memory that is changed as a whole.
trait Cell: Copy + PartialEq {
    /// The word that has it as an operand.
    type Word: Copy;
    fn of(word: Self::Word) -> Self;
    fn word(self) -> Self::Word;
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
    fn sum(self, other: Self) -> Self;
    /// Reads it.
    ///
    /// # Safety
    /// `at` is aligned to it, and others access it atomically if at all. Memory that is missing faults, which is the caller's concern.
    unsafe fn load(at: *mut Self) -> Self;
    /// Writes `new` if `old` is still there.
    ///
    /// # Safety
    /// As for `load`.
    unsafe fn replace(at: *mut Self, old: Self, new: Self) -> bool;
    /// Adds to it; answers what was there.
    ///
    /// # Safety
    /// As for `load`.
    unsafe fn add(at: *mut Self, by: Self) -> Self;
}

macro_rules! cell {
    ($int:ty, $word:ty, $atomic:ty) => {
        impl Cell for $int {
            type Word = $word;
            #[inline(always)]
            fn of(word: $word) -> $int {
                word as $int
            }
            #[inline(always)]
            fn word(self) -> $word {
                <$word>::from(self)
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn of_bits(bits: u64) -> $int {
                bits as $int
            }
            #[inline(always)]
            fn sum(self, other: $int) -> $int {
                self.wrapping_add(other)
            }
            #[inline(always)]
            unsafe fn load(at: *mut $int) -> $int {
                // SAFETY: by contract.
                unsafe { <$atomic>::from_ptr(at) }.load(ORDER)
            }
            #[inline(always)]
            unsafe fn replace(at: *mut $int, old: $int, new: $int) -> bool {
                // SAFETY: by contract.
                let cell = unsafe { <$atomic>::from_ptr(at) };
                cell.compare_exchange_weak(old, new, ORDER, ORDER).is_ok()
            }
            #[inline(always)]
            unsafe fn add(at: *mut $int, by: $int) -> $int {
                // SAFETY: by contract.
                unsafe { <$atomic>::from_ptr(at) }.fetch_add(by, ORDER)
            }
        }
    };
}

cell!(u8, u32, AtomicU8);
cell!(u16, u32, AtomicU16);
cell!(u32, u32, AtomicU32);
cell!(u64, u64, AtomicU64);

impl Group {
    #[inline(always)]
    fn lanes(self) -> impl Iterator<Item = usize> {
        lanes(self.mask)
    }

    #[inline(always)]
    unsafe fn at<T>(self, lane: usize) -> *mut T {
        // SAFETY: by the contract of `atomic`.
        unsafe { *self.addresses.add(lane) as *mut T }
    }

    #[inline(always)]
    unsafe fn arg<T: Cell>(self, n: usize, lane: usize) -> T {
        // SAFETY: by the contract of `atomic`.
        T::of(unsafe { *self.args[n].cast::<T::Word>().add(lane) })
    }

    #[inline(always)]
    unsafe fn put<T: Cell>(self, lane: usize, old: T) {
        // SAFETY: by the contract of `atomic`.
        unsafe { *self.old.cast::<T::Word>().add(lane) = old.word() };
    }

    /// The first of some threads together with those behind it that access the same place, and the others.
    #[inline(always)]
    unsafe fn run(self, left: u32) -> (*mut u8, u32, u32) {
        // SAFETY: by the contract of `atomic`.
        unsafe {
            let at = self.at::<u8>(left.trailing_zeros() as usize);
            let mut rest = left & (left - 1);
            while rest != 0 && self.at::<u8>(rest.trailing_zeros() as usize) == at {
                rest &= rest - 1;
            }
            (at, left & !rest, rest)
        }
    }

    /// Changes what is at the threads' addresses by `update` of it and the operands. Threads in a row that access one place make one
    /// change, which is as if they came one after the other; what stays as it is, is not written.
    #[inline(always)]
    unsafe fn each<T: Cell>(self, update: impl Fn(T, T, T) -> T) {
        // SAFETY: by the contract of `atomic`.
        unsafe {
            if self.private {
                for lane in self.lanes() {
                    let at = self.at::<T>(lane);
                    let old = at.read();
                    at.write(update(old, self.arg(0, lane), self.arg(1, lane)));
                    self.put(lane, old);
                }
                return;
            }
            let mut left = self.mask;
            while left != 0 {
                let (at, run, rest) = self.run(left);
                let at = at.cast::<T>();
                left = rest;
                loop {
                    let before = T::load(at);
                    let mut value = before;
                    for lane in lanes(run) {
                        self.put(lane, value);
                        value = update(value, self.arg(0, lane), self.arg(1, lane));
                    }
                    if value == before || T::replace(at, before, value) {
                        break;
                    }
                }
            }
        }
    }

    /// [`Group::each`] for sums, which need not look at what is there.
    #[inline(always)]
    unsafe fn add<T: Cell>(self) {
        // SAFETY: by the contract of `atomic`.
        unsafe {
            if self.private {
                return self.each(|old: T, a, _| old.sum(a));
            }
            let mut left = self.mask;
            while left != 0 {
                let (at, run, rest) = self.run(left);
                left = rest;
                let total = lanes(run).fold(T::of_bits(0), |sum, lane| sum.sum(self.arg(0, lane)));
                let mut old = T::add(at.cast(), total);
                for lane in lanes(run) {
                    self.put(lane, old);
                    old = old.sum(self.arg(0, lane));
                }
            }
        }
    }
}

/// Performs `op` for a group, whose old values it leaves. The second argument is the new value of a `Cas`. Of numbers of 128 bits it
/// does nothing: [`super::atom::atomic128`] has them.
///
/// # Safety
/// The group's arrays have room for the threads in its mask. Their addresses are multiples of the access's size; memory there is only
/// accessed atomically by others, or by nobody if it is private. It may be inaccessible if the caller is prepared for the fault (nothing
/// is held meanwhile).
pub unsafe fn atomic(op: AtomOp, num: Num, packed: bool, group: Group) {
    macro_rules! integers {
        ($int:ty, $signed:ty) => {
            match (op, num) {
                (AtomOp::Add, _) => group.add::<$int>(),
                (AtomOp::Min, Num::S(_)) => {
                    group.each(|old: $int, a, _| (old as $signed).min(a as $signed) as $int);
                }
                (AtomOp::Max, Num::S(_)) => {
                    group.each(|old: $int, a, _| (old as $signed).max(a as $signed) as $int);
                }
                (AtomOp::Min, _) => group.each(|old: $int, a, _| old.min(a)),
                (AtomOp::Max, _) => group.each(|old: $int, a, _| old.max(a)),
                (AtomOp::Inc, _) => {
                    group.each(|old: $int, a, _| if old >= a { 0 } else { old + 1 })
                }
                (AtomOp::Dec, _) => {
                    group.each(|old: $int, a, _| if old == 0 || old > a { a } else { old - 1 });
                }
                (AtomOp::And, _) => group.each(|old: $int, a, _| old & a),
                (AtomOp::Or, _) => group.each(|old: $int, a, _| old | a),
                (AtomOp::Xor, _) => group.each(|old: $int, a, _| old ^ a),
                (AtomOp::Exch, _) => group.each(|_: $int, a, _| a),
                (AtomOp::Cas, _) => group.each(|old: $int, a, b| if old == a { b } else { old }),
                (AtomOp::Mbarrier, _) => group
                    .each(|old: $int, a, _| mbarrier::step(u64::from(old), u64::from(a)) as $int),
            }
        };
    }
    macro_rules! any {
        ($int:ty) => {
            group.each(|old: $int, a, b| {
                <$int>::of_bits(update(op, num, packed, old.bits(), a.bits(), b.bits()))
            })
        };
    }
    let ty = if packed { Ty::B32 } else { num.ty() };
    let sum = op == AtomOp::Add;
    // SAFETY: by contract.
    unsafe {
        match (num, ty) {
            (_, Ty::B128) => {}
            #[cfg(target_arch = "x86_64")]
            (Num::F(Float::F16), _) if sum && is_x86_feature_detected!("f16c") => {
                x86::f16_sums(group, packed);
            }
            (Num::F(format), Ty::B16) if sum => match format {
                Float::F16 => group.each(|old: u16, a, _| f16_sum(old, a)),
                _ => group.each(|old: u16, a, _| brain_sum(old, a)),
            },
            (Num::F(format), Ty::B32) if packed && sum => {
                let both = |old: u32, a: u32, sum: fn(u16, u16) -> u16| {
                    let high = sum((old >> 16) as u16, (a >> 16) as u16);
                    u32::from(high) << 16 | u32::from(sum(old as u16, a as u16))
                };
                match format {
                    Float::F16 => group.each(|old: u32, a, _| both(old, a, f16_sum)),
                    _ => group.each(|old: u32, a, _| both(old, a, brain_sum)),
                }
            }
            (Num::F(_), Ty::B32) if sum => group.each(|old: u32, a, _| single_sum(old, a)),
            (Num::F(_), Ty::B64) if sum => group.each(|old: u64, a, _| {
                let sum = f64::from_bits(old) + f64::from_bits(a);
                match sum.is_nan() {
                    true => update(op, num, packed, old, a, 0),
                    false => sum.to_bits(),
                }
            }),
            (Num::F(_), Ty::B32) if !matches!(op, AtomOp::Exch | AtomOp::Cas) => any!(u32),
            (Num::F(_), Ty::B64) if !matches!(op, AtomOp::Exch | AtomOp::Cas) => any!(u64),
            (_, Ty::B32) => integers!(u32, i32),
            (_, Ty::B64) => integers!(u64, i64),
            (_, Ty::B16) => any!(u16),
            (_, Ty::Pred | Ty::B8) => any!(u8),
        }
    }
}

fn single_sum(a: u32, b: u32) -> u32 {
    let sum = f32::from_bits(a) + f32::from_bits(b);
    match sum.is_nan() {
        true => canonical_nan(Float::F32) as u32,
        false => sum.to_bits(),
    }
}

/// The sum of two bf16: rounded to f32 first, which has more than twice their bits.
fn brain_sum(a: u16, b: u16) -> u16 {
    let sum = f32::from_bits(u32::from(a) << 16) + f32::from_bits(u32::from(b) << 16);
    if sum.is_nan() {
        return canonical_nan(Float::BF16) as u16;
    }
    let bits = sum.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// The sum of two f16, rounded to f32 first as well. A half's bits 13 places further up are an f32 that is 2^112 times less.
fn f16_sum(a: u16, b: u16) -> u16 {
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    let single = |x: u16| f32::from_bits(u32::from(x & 0x7fff) << 13 | u32::from(x & 0x8000) << 16);
    if a & 0x7c00 == 0x7c00 || b & 0x7c00 == 0x7c00 {
        // Infinity or NaN.
        return f16_sum_any(a, b);
    }
    let sum = single(a) * SCALE + single(b) * SCALE;
    let sign = (sum.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = sum.abs();
    // Below the least normal number units are 2^-24, and the sum is a whole number of them.
    let bits = if magnitude < f32::from_bits((127 - 14) << 23) {
        (magnitude * f32::from_bits((127 + 24) << 23)) as u32
    } else {
        let bits = magnitude.to_bits();
        let rounded = (bits + 0xfff + (bits >> 13 & 1)) >> 13;
        (rounded - (112 << 10)).min(0x7c00)
    };
    sign | bits as u16
}

#[cold]
fn f16_sum_any(a: u16, b: u16) -> u16 {
    const FORMAT: Format = Format::of(Float::F16);
    let [a, b] = [a, b].map(|x| FORMAT.f16_to_f64(u64::from(x)));
    FORMAT.f16_from_f64(a + b) as u16
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Cell, Group, f16_sum};
    use std::arch::x86_64::*;

    /// Sums of f16, or of two at once.
    ///
    /// # Safety
    /// As for [`super::atomic`].
    #[target_feature(enable = "avx,f16c")]
    pub unsafe fn f16_sums(group: Group, packed: bool) {
        // SAFETY: by contract.
        unsafe {
            match packed {
                true => group.each(|old: u32, a, _| sums(old, a)),
                false => group.each(|old: u16, a, _| sums(old.into(), a.into()) as u16),
            }
        }
    }

    /// The sums of both halves.
    #[target_feature(enable = "avx,f16c")]
    fn sums(a: u32, b: u32) -> u32 {
        let single = |x: u32| _mm_cvtph_ps(_mm_cvtsi32_si128(x as i32));
        let sum = _mm_add_ps(single(a), single(b));
        if _mm_movemask_ps(_mm_cmpunord_ps(sum, sum)) & 3 != 0 {
            // NaNs have bits of their own.
            let high = f16_sum((a >> 16) as u16, (b >> 16) as u16);
            return u32::from(high) << 16 | f16_sum(a as u16, b as u16).word();
        }
        _mm_cvtsi128_si32(_mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(sum)) as u32
    }
}

/// The numbers of the bits of a set, ascending.
#[inline(always)]
fn lanes(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lane
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sem::atom;
    use crate::sem::tests::Random;

    #[test]
    fn sums_of_short_floats_are_those_of_the_operation() {
        let mut state = 1u64;
        for _ in 0..3_000_000 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let (a, b) = ((state >> 48) as u16, (state >> 32) as u16);
            // Of the same magnitude, too.
            let b = if state >> 31 & 1 == 0 {
                b
            } else {
                a & 0x7c00 | b & 0x83ff
            };
            for (format, sum) in [(Float::F16, f16_sum(a, b)), (Float::BF16, brain_sum(a, b))] {
                let want = update(AtomOp::Add, Num::F(format), false, a.into(), b.into(), 0);
                assert_eq!(u64::from(sum), want, "{format:?} {a:#x} {b:#x}");
            }
        }
    }

    /// Every operation on all kinds of numbers: a group gives and leaves what its threads do one after the other.
    #[test]
    fn a_group_does_what_its_threads_do_in_turn() {
        let mut random = Random(1);
        let mut next = || random.next();
        use AtomOp::{Add, And, Cas, Dec, Exch, Inc, Max, Min, Or, Xor};
        let integers = [Ty::B32, Ty::B64].map(|ty| [Num::U(ty), Num::S(ty)]);
        let floats = [Float::F16, Float::BF16, Float::F32, Float::F64];
        let mut kinds: Vec<(AtomOp, Num, bool)> = Vec::new();
        for num in integers.into_iter().flatten() {
            let all = [Add, Min, Max, Inc, Dec, And, Or, Xor, Exch, Cas];
            kinds.extend(all.map(|op| (op, num, false)));
        }
        kinds.extend(floats.map(|f| (Add, Num::F(f), false)));
        kinds.push((Cas, Num::U(Ty::B16), false));
        for format in [Float::F16, Float::BF16] {
            kinds.extend([Add, Min, Max].map(|op| (op, Num::F(format), true)));
        }
        for turn in 0..2000 {
            for &(op, num, packed) in &kinds {
                let wide = num.ty() == Ty::B64 && !packed;
                let private = turn % 2 == 0;
                let mask = if turn % 3 == 0 {
                    0xffff
                } else {
                    next() as u32 & 0xffff
                };
                // Few places and few values: comparisons hit.
                let mut memory: [u64; 4] = std::array::from_fn(|_| next() >> (next() % 64));
                let mut expected = memory;
                let places = 1 + next() % 4;
                let place: [usize; 16] = std::array::from_fn(|_| (next() % places) as usize);
                let mut values = |n: u64| -> [u64; 16] {
                    std::array::from_fn(|lane| match next() % 3 {
                        0 => expected[place[lane]],
                        1 => next() >> (n * next() % 64),
                        _ => next(),
                    })
                };
                let (a, b) = (values(0), values(1));
                let words = |v: [u64; 16]| v.map(|x| x as u32);
                let (a32, b32) = (words(a), words(b));
                let (mut old, mut old32) = ([0u64; 16], [0u32; 16]);
                let at = memory.as_mut_ptr().cast::<u8>();
                let addresses = place.map(|n| at as u64 + 8 * n as u64);
                let (args, into) = match wide {
                    true => (
                        [a.as_ptr().cast(), b.as_ptr().cast()],
                        old.as_mut_ptr().cast(),
                    ),
                    false => (
                        [a32.as_ptr().cast(), b32.as_ptr().cast()],
                        old32.as_mut_ptr().cast(),
                    ),
                };
                let group = Group {
                    addresses: addresses.as_ptr(),
                    args,
                    old: into,
                    mask,
                    private,
                };
                // SAFETY: the addresses are those of `memory`, which nobody else uses; the arrays have 16 values.
                unsafe { atomic(op, num, packed, group) };
                for lane in lanes(mask) {
                    let to = (&raw mut expected[place[lane]]).cast::<u8>();
                    let args = if wide {
                        [a[lane], b[lane]]
                    } else {
                        [a32[lane], b32[lane]].map(u64::from)
                    };
                    // SAFETY: as above.
                    let want = unsafe { atom::atomic(op, num, packed, to, args) };
                    let got = if wide {
                        old[lane]
                    } else {
                        u64::from(old32[lane])
                    };
                    assert_eq!(
                        got, want,
                        "{op:?} {num:?} {packed} lane {lane} of {mask:#x}"
                    );
                }
                assert_eq!(memory, expected, "{op:?} {num:?} {packed}");
            }
        }
    }
}
