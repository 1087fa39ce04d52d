//! Read-modify-write by several threads in one call, specialised for each operation. The results are those of
//! [`super::atom`], thread after thread.

#[cfg(target_arch = "x86_64")]
mod f16;

use super::atom::update;
use super::mbarrier;
use super::soft::{Format, canonical_nan};
use crate::ir::{AtomOp, Float, Num, Ty};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

const ORDER: Ordering = Ordering::SeqCst;

/// The threads of a read-modify-write, and their values in arrays indexed by thread. Values of at most 32 bits are in
/// 32-bit words, others in 64-bit words. A thread may change several neighbouring values: operands and old values of
/// the second neighbours are [`ROW`] words behind those of the first, and so on.
#[derive(Clone, Copy)]
pub struct Group {
    /// Host addresses, 64 bits each.
    pub addresses: *const u64,
    /// The operands.
    pub args: [*const u8; 2],
    /// The array for the old values.
    pub old: *mut u8,
    /// The threads that take part.
    pub mask: u32,
    /// Neighbouring values that each thread changes: 1, or 2 or 4 of at most 32 bits.
    pub count: u32,
    /// True if no other thread accesses that memory at that time.
    pub private: bool,
}

/// The largest number of threads in a group.
const ROW: usize = 16;

/// A number in memory that is changed as a whole.
trait Cell: Copy + PartialEq {
    /// The word that holds it as an operand.
    type Word: Copy;
    fn of(word: Self::Word) -> Self;
    fn word(self) -> Self::Word;
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
    fn sum(self, other: Self) -> Self;
    /// Loads the number.
    ///
    /// # Safety
    /// `at` must be aligned to the number's size, and others may access it only atomically. The caller handles the
    /// fault of inaccessible memory.
    unsafe fn load(at: *mut Self) -> Self;
    /// Stores `new` if the memory holds `old`; returns true if it did.
    ///
    /// # Safety
    /// The same as for `load`.
    unsafe fn replace(at: *mut Self, old: Self, new: Self) -> bool;
    /// Adds to the number; returns the old value.
    ///
    /// # Safety
    /// The same as for `load`.
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
                // SAFETY: the caller guarantees alignment and atomic accesses.
                unsafe { <$atomic>::from_ptr(at) }.load(ORDER)
            }
            #[inline(always)]
            unsafe fn replace(at: *mut $int, old: $int, new: $int) -> bool {
                // SAFETY: the caller guarantees alignment and atomic accesses.
                let cell = unsafe { <$atomic>::from_ptr(at) };
                cell.compare_exchange_weak(old, new, ORDER, ORDER).is_ok()
            }
            #[inline(always)]
            unsafe fn add(at: *mut $int, by: $int) -> $int {
                // SAFETY: the caller guarantees alignment and atomic accesses.
                unsafe { <$atomic>::from_ptr(at) }.fetch_add(by, ORDER)
            }
        }
    };
}

cell!(u8, u32, AtomicU8);
cell!(u16, u32, AtomicU16);
cell!(u32, u32, AtomicU32);
cell!(u64, u64, AtomicU64);

/// Consecutive threads whose addresses are close together.
struct Run {
    /// The first thread's address.
    first: u64,
    /// The bits in which the addresses differ.
    differ: u64,
    /// The run's threads.
    all: u32,
    /// The threads behind the run.
    rest: u32,
}

/// The size in bytes of the widest compare and exchange.
#[inline(always)]
fn widest() -> u64 {
    if super::atom::has_swap128() { 16 } else { 8 }
}

impl Group {
    #[inline(always)]
    unsafe fn address(self, lane: usize) -> u64 {
        // SAFETY: `atomic`'s caller guarantees that the array has an element for each thread of the mask.
        unsafe { *self.addresses.add(lane) }
    }

    #[inline(always)]
    unsafe fn arg<T: Cell>(self, which: usize, at: usize) -> T {
        // SAFETY: `atomic`'s caller guarantees that the array has an element for each thread of the mask.
        T::of(unsafe { *self.args[which].cast::<T::Word>().add(at) })
    }

    #[inline(always)]
    unsafe fn put<T: Cell>(self, at: usize, old: T) {
        // SAFETY: `atomic`'s caller guarantees that the array has an element for each thread of the mask.
        unsafe { *self.old.cast::<T::Word>().add(at) = old.word() };
    }

    /// Returns the run that starts at the first thread of a set: the threads behind it whose addresses are in the
    /// same `span` bytes.
    #[inline(always)]
    unsafe fn run(self, left: u32, span: u64) -> Run {
        // SAFETY: the threads are in the mask, so the address array has elements for them.
        let at = |set: u32| unsafe { self.address(set.trailing_zeros() as usize) };
        let first = at(left);
        let (mut differ, mut rest) = (0, left & (left - 1));
        while rest != 0 && at(rest) ^ first < span {
            differ |= at(rest) ^ first;
            rest &= rest - 1;
        }
        Run {
            first,
            differ,
            all: left & !rest,
            rest,
        }
    }

    /// Replaces the values at the threads' addresses by `update` of the value and the operands. Consecutive threads
    /// with addresses in one word of 8 or 16 bytes make one change, with the result of one after the other. A value
    /// that does not change is not stored.
    #[inline(always)]
    unsafe fn each<T: Cell>(self, update: impl Fn(T, T, T) -> T) {
        // SAFETY: `atomic`'s caller guarantees the arrays' sizes, aligned addresses and atomic accesses.
        unsafe {
            if self.count > 1 {
                return self.vectors(|old: T, a| update(old, a, a));
            }
            let one = |old: T, lane| {
                self.put(lane, old);
                update(old, self.arg(0, lane), self.arg(1, lane))
            };
            // Mostly all threads have one place, or each its own.
            if self.private && self.address(0) != self.address(1) {
                for lane in lanes(self.mask) {
                    let at = self.address(lane) as *mut T;
                    at.write(one(at.read(), lane));
                }
                return;
            }
            self.chains(one, |old, set| lanes(set).fold(old, one));
        }
    }

    /// [`Group::each`] for one value per thread. One function applies a single thread's operand, another those of
    /// several threads; both store the old values.
    #[inline(always)]
    unsafe fn chains<T: Cell>(self, one: impl Fn(T, usize) -> T, chain: impl Fn(T, u32) -> T) {
        let span = if self.private { 1 } else { widest() };
        let mut left = self.mask;
        while left != 0 {
            // SAFETY: `atomic`'s caller guarantees the arrays' sizes, aligned addresses and atomic accesses.
            unsafe {
                let (lane, rest) = (left.trailing_zeros() as usize, left & (left - 1));
                let at = self.address(lane);
                let next = rest.trailing_zeros() as usize % ROW;
                if rest == 0 || self.address(next) ^ at >= span {
                    self.change(at as *mut T, |old| one(old, lane));
                    left = rest;
                    continue;
                }
                if let Some(rest) = self.row(left, span, &one) {
                    left = rest;
                    continue;
                }
                let run = self.run(left, span);
                match run.differ {
                    0 => self.change(at as *mut T, |old| chain(old, run.all)),
                    1..8 => self.words::<T, 1>(&run, &chain),
                    _ => self.words::<T, 2>(&run, &chain),
                }
                left = run.rest;
            }
        }
    }

    /// Makes the changes of the first threads at once if their places fill 16 bytes in turn; answers who is left.
    #[inline(always)]
    unsafe fn row<T: Cell>(
        self,
        left: u32,
        span: u64,
        one: &impl Fn(T, usize) -> T,
    ) -> Option<u32> {
        let (first, count) = (left.trailing_zeros() as usize, 16 / size_of::<T>());
        let all = ((1 << count) - 1) << first;
        if span < 16 || first + count > ROW || left & all != all {
            return None;
        }
        // SAFETY: by the contract of `atomic`.
        unsafe {
            let at = self.address(first);
            let mut apart = at & 15;
            for n in 1..count {
                apart |= self.address(first + n) ^ (at + (n * size_of::<T>()) as u64);
            }
            if apart != 0 {
                return None;
            }
            match count {
                2 => self.vector::<T, u64, 2, 2>(at as *mut u64, first, 1, one),
                4 => self.vector::<T, u64, 4, 2>(at as *mut u64, first, 1, one),
                8 => self.vector::<T, u64, 8, 2>(at as *mut u64, first, 1, one),
                _ => return None,
            }
        }
        Some(left & !all)
    }

    /// Replaces the value at an address by a function of it.
    #[inline(always)]
    unsafe fn change<T: Cell>(self, at: *mut T, new: impl Fn(T) -> T) {
        // SAFETY: `atomic`'s caller guarantees an aligned address and atomic accesses.
        unsafe {
            if self.private {
                at.write(new(at.read()));
                return;
            }
            loop {
                let before = T::load(at);
                let value = new(before);
                if value == before || T::replace(at, before, value) {
                    return;
                }
            }
        }
    }

    /// Makes the changes of a run in `N` words of 8 bytes.
    #[inline(never)]
    unsafe fn words<T: Cell, const N: usize>(self, run: &Run, chain: &impl Fn(T, u32) -> T) {
        let at = (run.first & !(8 * N as u64 - 1)) as *mut u64;
        let bits = 8 * size_of::<T>();
        // SAFETY: `atomic`'s caller guarantees aligned addresses and atomic accesses; the words are in the page that
        // the threads access.
        unsafe {
            // An inaccessible page faults at the thread's own address.
            _ = (run.first as *const T).read_volatile();
            loop {
                let before: [u64; N] = std::array::from_fn(|k| u64::load(at.add(k)));
                let mut after = before;
                let mut left = run.all;
                while left != 0 {
                    // All threads with the address of the first.
                    let place = self.address(left.trailing_zeros() as usize);
                    let mut same = 0;
                    for lane in lanes(left) {
                        same |= u32::from(self.address(lane) == place) << lane;
                    }
                    left &= !same;
                    let (word, shift) = (&mut after[(place >> 3) as usize % N], 8 * (place & 7));
                    let value = chain(T::of_bits(*word >> shift), same).bits();
                    *word = *word & !(u64::MAX >> (64 - bits) << shift) | value << shift;
                }
                if after == before || replace(at, before, after) {
                    return;
                }
            }
        }
    }

    /// Replaces each thread's neighbouring values by `update` of the value and the operand, in one step if they are
    /// aligned as a vector.
    #[inline(always)]
    unsafe fn vectors<T: Cell>(self, update: impl Fn(T, T) -> T) {
        // SAFETY: `atomic`'s caller guarantees the arrays' sizes, aligned addresses and atomic accesses.
        unsafe {
            match self.count {
                2 => self.whole_vectors::<T, 2>(&update),
                _ => self.whole_vectors::<T, 4>(&update),
            }
        }
    }

    #[inline(always)]
    unsafe fn whole_vectors<T: Cell, const COUNT: usize>(self, update: &impl Fn(T, T) -> T) {
        let bytes = (COUNT * size_of::<T>()) as u64;
        for lane in lanes(self.mask) {
            // SAFETY: `atomic`'s caller guarantees the arrays' sizes; the vector is aligned.
            unsafe {
                let at = self.address(lane);
                if !at.is_multiple_of(bytes) || bytes > widest() {
                    self.elements::<T>(lane, update);
                    continue;
                }
                let one = |old: T, place: usize| {
                    self.put(place, old);
                    update(old, self.arg(0, place))
                };
                match bytes {
                    4 => self.vector::<T, u32, COUNT, 1>(at as *mut u32, lane, ROW, &one),
                    8 => self.vector::<T, u64, COUNT, 1>(at as *mut u64, lane, ROW, &one),
                    _ => self.vector::<T, u64, COUNT, 2>(at as *mut u64, lane, ROW, &one),
                }
            }
        }
    }

    /// Changes a vector of `N` words.
    #[inline(always)]
    unsafe fn vector<T: Cell, W: Cell, const COUNT: usize, const N: usize>(
        self,
        at: *mut W,
        first: usize,
        step: usize,
        one: &impl Fn(T, usize) -> T,
    ) {
        let (each, bits) = (COUNT / N, 8 * size_of::<T>());
        // SAFETY: the vector is aligned, and `atomic`'s caller guarantees the arrays' sizes and atomic accesses.
        unsafe {
            loop {
                let mut before = [0; N];
                for (k, word) in before.iter_mut().enumerate() {
                    *word = W::load(at.add(k)).bits();
                }
                let mut after = [0; N];
                for n in 0..COUNT {
                    let shift = n % each * bits;
                    let old = T::of_bits(before[n / each] >> shift);
                    after[n / each] |= one(old, first + step * n).bits() << shift;
                }
                let done = after == before
                    || match N {
                        1 => W::replace(at, W::of_bits(before[0]), W::of_bits(after[0])),
                        _ => replace(at.cast(), before, after),
                    };
                if done {
                    return;
                }
            }
        }
    }

    /// Changes a thread's neighbouring values one by one.
    #[cold]
    unsafe fn elements<T: Cell>(self, lane: usize, update: &impl Fn(T, T) -> T) {
        for n in 0..self.count as usize {
            // SAFETY: `atomic`'s caller guarantees the arrays' sizes, aligned addresses and atomic accesses.
            unsafe {
                let at = (self.address(lane) as *mut T).add(n);
                self.change(at, |old: T| {
                    self.put(ROW * n + lane, old);
                    update(old, self.arg(0, ROW * n + lane))
                });
            }
        }
    }

    /// [`Group::each`] for sums, by the processor's atomic additions.
    #[inline(always)]
    unsafe fn add<T: Cell>(self) {
        // SAFETY: `atomic`'s caller guarantees the arrays' sizes, aligned addresses and atomic accesses.
        unsafe {
            if self.private || self.count > 1 {
                return self.each(|old: T, a, _| old.sum(a));
            }
            let one = |old: T, lane| {
                self.put(lane, old);
                old.sum(self.arg(0, lane))
            };
            let chain = |old: T, set: u32| lanes(set).fold(old, one);
            let (span, mut left) = (widest(), self.mask);
            while left != 0 {
                if let Some(rest) = self.row(left, span, &one) {
                    left = rest;
                    continue;
                }
                let run = self.run(left, span);
                left = run.rest;
                match run.differ {
                    0 => {
                        let of = |lane| self.arg::<T>(0, lane);
                        let total = lanes(run.all).fold(T::of_bits(0), |sum, n| sum.sum(of(n)));
                        _ = chain(T::add(run.first as *mut T, total), run.all);
                    }
                    1..8 => self.words::<T, 1>(&run, &chain),
                    _ => self.words::<T, 2>(&run, &chain),
                }
            }
        }
    }
}

/// Stores words if the memory holds the old ones; returns true if it did.
///
/// # Safety
/// `at` must be aligned to the size of all words, and others may access them only atomically. Two words require that
/// [`widest`] returns 16.
#[inline(always)]
unsafe fn replace<const N: usize>(at: *mut u64, old: [u64; N], new: [u64; N]) -> bool {
    // SAFETY: the caller guarantees alignment and atomic accesses, and for two words `cmpxchg16b`.
    unsafe {
        if N == 1 {
            return u64::replace(at, old[0], new[0]);
        }
        let whole = |words: [u64; N]| u128::from(words[N - 1]) << 64 | u128::from(words[0]);
        super::atom::replace128(at.cast(), whole(old), whole(new))
    }
}

/// Performs `op` for a group and stores the old values in its array. The second argument is the new value of a `Cas`.
/// Numbers of 128 bits need [`super::atom::atomic128`]; this function changes nothing for them.
///
/// # Safety
/// The group's arrays must have an element for each thread of its mask. The addresses must be multiples of the
/// access's size. Others may access the memory only atomically, and not at all if it is private. The memory may be
/// inaccessible if the caller handles the fault (no lock is held at that time).
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
    // SAFETY: the caller guarantees the arrays' sizes, aligned addresses and atomic accesses.
    unsafe {
        match (num, ty) {
            (_, Ty::B128) => {}
            #[cfg(target_arch = "x86_64")]
            (Num::F(format @ (Float::F16 | Float::BF16)), _) if sum && f16::can() => {
                f16::sums(group, format, packed);
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
            (Num::F(_), Ty::B16) if !matches!(op, AtomOp::Exch | AtomOp::Cas) => any!(u16),
            (_, Ty::B16) => integers!(u16, i16),
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

/// Returns the sum of two bf16. The f32 sum is rounded; f32 has more than twice the bits, so rounding twice is
/// harmless.
fn brain_sum(a: u16, b: u16) -> u16 {
    let sum = f32::from_bits(u32::from(a) << 16) + f32::from_bits(u32::from(b) << 16);
    if sum.is_nan() {
        return canonical_nan(Float::BF16) as u16;
    }
    let bits = sum.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// Returns the sum of two f16, by way of f32. The bits of an f16 shifted left by 13 are an f32 that is smaller by
/// 2^112.
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
    // Below the smallest normal f16, units are 2^-24 and the sum is a multiple of them.
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

/// Returns the indices of a set's bits, ascending.
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
            // Operands of the same magnitude are tested, too.
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

    /// A group has the results of its threads one after the other, for every operation on all kinds of numbers.
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
        for turn in 0..3000 {
            for &(op, num, packed) in &kinds {
                let bytes = if packed { 4 } else { num.ty().bytes() as usize };
                let wide = bytes == 8;
                let private = turn % 4 == 0;
                let count = match turn % 8 {
                    1 | 2 if !wide && op != Cas => 2 * (turn % 8),
                    _ => 1,
                };
                let mask = if turn % 3 == 0 {
                    0xffff
                } else {
                    next() as u32 & 0xffff
                };
                // Few addresses and few values, so that comparisons succeed. Some addresses are in one word.
                let mut memory = Memory(std::array::from_fn(|_| next() >> (next() % 64)));
                let mut expected = memory;
                let step = if turn % 5 < 2 { 8 } else { bytes };
                let places = 1 + next() as usize % (32 / step);
                let room = 32 / step - count + 1;
                let place: [usize; 16] = match turn % 7 {
                    // Neighbouring addresses.
                    0 => std::array::from_fn(|lane| step * (lane % room)),
                    _ => std::array::from_fn(|_| step * (next() as usize % places).min(room - 1)),
                };
                let mut values = |n: u64| -> [u64; 64] {
                    std::array::from_fn(|at| match next() % 3 {
                        0 => expected.0[place[at % 16] / 8] >> (8 * (place[at % 16] % 8)),
                        1 => next() >> (n * next() % 64),
                        _ => next(),
                    })
                };
                let (a, b) = (values(0), values(1));
                let words = |v: [u64; 64]| v.map(|x| x as u32);
                let (a32, b32) = (words(a), words(b));
                let (mut old, mut old32) = ([0u64; 64], [0u32; 64]);
                let at = (&raw mut memory).cast::<u8>();
                let addresses = place.map(|n| at as u64 + n as u64);
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
                    count: count as u32,
                    private,
                };
                // SAFETY: the addresses are those of `memory`, which no other thread accesses; the arrays have 64
                // values.
                unsafe { atomic(op, num, packed, group) };
                for lane in lanes(mask) {
                    for n in 0..count {
                        let value = ROW * n + lane;
                        let args = if wide {
                            [a[value], b[value]]
                        } else {
                            [a32[value], b32[value]].map(u64::from)
                        };
                        // SAFETY: the address is in `memory`, which no other thread accesses.
                        let want = unsafe {
                            let to = (&raw mut expected)
                                .cast::<u8>()
                                .add(place[lane] + bytes * n);
                            atom::atomic(op, num, packed, to, args)
                        };
                        let got = if wide {
                            old[value]
                        } else {
                            u64::from(old32[value])
                        };
                        assert_eq!(
                            got, want,
                            "{op:?} {num:?} {packed} lane {lane} of {mask:#x}, {n} of {count}"
                        );
                    }
                }
                assert_eq!(memory.0, expected.0, "{op:?} {num:?} {packed}");
            }
        }
    }

    #[repr(C, align(16))]
    #[derive(Clone, Copy)]
    struct Memory([u64; 4]);

    /// Threads that change the same and neighbouring numbers at the same time lose no change.
    #[test]
    fn groups_at_the_same_time_are_added_up() {
        const TURNS: u32 = 3000;
        for (num, one) in [
            (Num::U(Ty::B32), 1u32),
            (Num::F(Float::F32), 1f32.to_bits()),
        ] {
            for (count, step) in [(1, 4), (2, 8), (4, 16), (1, 0), (2, 4)] {
                let mut memory = [0u128; 17];
                let at = &raw mut memory as u64;
                std::thread::scope(|scope| {
                    for _ in 0..3 {
                        scope.spawn(move || {
                            let addresses: [u64; 16] =
                                std::array::from_fn(|lane| at + (lane * step) as u64);
                            let args = [one; 64];
                            let mut old = [0u32; 64];
                            let group = Group {
                                addresses: addresses.as_ptr(),
                                args: [args.as_ptr().cast(); 2],
                                old: old.as_mut_ptr().cast(),
                                mask: 0xffff,
                                count,
                                private: false,
                            };
                            for _ in 0..TURNS {
                                // SAFETY: all threads access `memory` this way, and the arrays have 64 values.
                                unsafe { atomic(AtomOp::Add, num, false, group) };
                            }
                        });
                    }
                });
                let mut want = [0u32; 68];
                for place in
                    (0..16).flat_map(|lane| (0..count as usize).map(move |n| lane * step / 4 + n))
                {
                    want[place] += 3 * TURNS;
                }
                for (n, want) in want.into_iter().enumerate() {
                    // SAFETY: the words are in `memory`, and all writing threads have ended.
                    let got = unsafe { (at as *const u32).add(n).read_volatile() };
                    let got = if num.is_float() {
                        f32::from_bits(got) as u32
                    } else {
                        got
                    };
                    assert_eq!(got, want, "{num:?}, {count} every {step} bytes, word {n}");
                }
            }
        }
    }
}
