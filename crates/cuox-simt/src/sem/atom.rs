//! Read-modify-write on host memory.
//!
//! All orderings are the strongest. Float additions round to nearest and keep subnormals. (The hardware flushes them
//! for f32 in global memory only; the manual does not guarantee it.) A `Cas` compares bits.

use super::eval;
use crate::ir::{AtomOp, Float, FloatOp, IntOp, Num, Op, Round, Ty};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

const ORDER: Ordering = Ordering::SeqCst;

/// Returns the new value for `old`; only the operands' low bits count.
pub fn update(op: AtomOp, num: Num, packed: bool, old: u64, a: u64, b: u64) -> u64 {
    let ty = if packed { Ty::B32 } else { num.ty() };
    let mask = ty.mask();
    let (a, b) = (a & mask, b & mask);
    let int = |op: IntOp| eval(Op::Int(op, ty), &[old, a, 0, 0]);
    let float = |op: FloatOp, format: Float| {
        let op = if packed {
            Op::Float2 {
                op,
                ty: format,
                ftz: false,
                sat: false,
                relu: false,
            }
        } else {
            Op::Float {
                op,
                ty: format,
                round: Round::Nearest,
                ftz: false,
                sat: false,
            }
        };
        eval(op, &[old, a, 0, 0])
    };
    match (op, num) {
        (AtomOp::Add, Num::F(f)) => float(FloatOp::Add, f),
        (AtomOp::Min, Num::F(f)) => float(FloatOp::Min, f),
        (AtomOp::Max, Num::F(f)) => float(FloatOp::Max, f),
        (AtomOp::Add, _) => int(IntOp::Add),
        (AtomOp::Min, Num::S(_)) => int(IntOp::MinS),
        (AtomOp::Max, Num::S(_)) => int(IntOp::MaxS),
        (AtomOp::Min, _) => int(IntOp::MinU),
        (AtomOp::Max, _) => int(IntOp::MaxU),
        (AtomOp::Inc, _) => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        (AtomOp::Dec, _) => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        (AtomOp::And, _) => old & a,
        (AtomOp::Or, _) => old | a,
        (AtomOp::Xor, _) => old ^ a,
        (AtomOp::Exch, _) => a,
        (AtomOp::Mbarrier, _) => super::mbarrier::step(old, a),
        (AtomOp::Cas, _) => {
            if old == a {
                b
            } else {
                old
            }
        }
    }
}

/// Performs `op` at `addr` and returns the old value. The second argument is the new value of a `Cas`. Numbers of 128
/// bits need [`atomic128`]; this function returns 0 for them and changes nothing.
///
/// # Safety
/// `addr` must be a multiple of the access's size. Others may access the memory only atomically. The memory may be
/// inaccessible if the caller handles the fault (no lock is held at that time).
pub unsafe fn atomic(op: AtomOp, num: Num, packed: bool, addr: *mut u8, args: [u64; 2]) -> u64 {
    let [a, b] = args;
    let ty = if packed { Ty::B32 } else { num.ty() };
    macro_rules! with {
        ($atomic:ident, $int:ty) => {{
            // SAFETY: `atomic`'s caller guarantees that the address is aligned and that others access it atomically.
            let cell = unsafe { $atomic::from_ptr(addr.cast()) };
            let integer = !num.is_float();
            let v = a as $int;
            let old = match op {
                AtomOp::Exch => cell.swap(v, ORDER),
                AtomOp::And => cell.fetch_and(v, ORDER),
                AtomOp::Or => cell.fetch_or(v, ORDER),
                AtomOp::Xor => cell.fetch_xor(v, ORDER),
                AtomOp::Add if integer => cell.fetch_add(v, ORDER),
                AtomOp::Cas => match cell.compare_exchange(v, b as $int, ORDER, ORDER) {
                    Ok(old) | Err(old) => old,
                },
                _ => {
                    let mut old = cell.load(ORDER);
                    loop {
                        let new = update(op, num, packed, u64::from(old), a, b) as $int;
                        match cell.compare_exchange_weak(old, new, ORDER, ORDER) {
                            Ok(_) => break old,
                            Err(now) => old = now,
                        }
                    }
                }
            };
            u64::from(old)
        }};
    }
    match ty {
        Ty::Pred | Ty::B8 => with!(AtomicU8, u8),
        Ty::B16 => with!(AtomicU16, u16),
        Ty::B32 => with!(AtomicU32, u32),
        Ty::B64 => with!(AtomicU64, u64),
        Ty::B128 => 0,
    }
}

/// Performs `exch` (`old → a`) or `cas` (`old == a → b`) on 128 bits and returns the old value. Other operations
/// leave the value unchanged. On processors without such an instruction, one lock of the process makes these
/// operations atomic among themselves; a narrower access at the same time may see a partial change.
///
/// # Safety
/// `addr` must be a multiple of 16. Others may access the memory only atomically. The memory may be inaccessible if
/// the caller handles the fault (no lock is held at that time).
pub unsafe fn atomic128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    #[cfg(target_arch = "x86_64")]
    if has_swap128() {
        // SAFETY: `has_swap128` is true; the caller guarantees alignment and atomic accesses.
        return unsafe { swap128(op, addr, a, b) };
    }
    // SAFETY: the caller guarantees alignment and atomic accesses.
    unsafe { locked128(op, addr, a, b) }
}

/// [`atomic128`] on memory that no other thread accesses at that time.
///
/// # Safety
/// `addr` must be a multiple of 16, and no other thread may access the memory. The memory may be inaccessible if the
/// caller handles the fault.
pub unsafe fn private128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    let at = addr.cast::<u128>();
    // SAFETY: the caller guarantees that the address is aligned and that no other thread accesses it.
    unsafe {
        let old = at.read();
        match op {
            AtomOp::Exch => at.write(a),
            AtomOp::Cas if old == a => at.write(b),
            _ => {}
        }
        old
    }
}

/// Returns true if the processor has an atomic 16-byte compare and exchange.
#[inline(always)]
pub(super) fn has_swap128() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::is_x86_feature_detected!("cmpxchg16b");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Stores `new` if the memory holds `old`; returns true if it did.
///
/// # Safety
/// The same as for [`atomic128`]; in addition, [`has_swap128`] must be true.
#[inline(always)]
pub(super) unsafe fn replace128(addr: *mut u8, old: u128, new: u128) -> bool {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller guarantees alignment, atomic accesses and `has_swap128`.
    return unsafe { exchange128(addr, old, new) } == old;
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the caller guarantees alignment and atomic accesses. (`has_swap128` is false here, so this is never
    // called.)
    return unsafe { locked128(AtomOp::Cas, addr, old, new) } == old;
}

/// Stores `new` if the memory holds `old`; returns the old value.
///
/// # Safety
/// The same as for [`atomic128`]; in addition, the processor must have `cmpxchg16b`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn exchange128(addr: *mut u8, old: u128, new: u128) -> u128 {
    let (mut low, mut high) = (old as u64, (old >> 64) as u64);
    // SAFETY: the caller guarantees alignment and the instruction. The compiler reserves `rbx`, so it is restored.
    unsafe {
        std::arch::asm!(
            "xchg rbx, rsi",
            "lock cmpxchg16b [rdi]",
            "mov rbx, rsi",
            in("rdi") addr,
            inout("rsi") new as u64 => _,
            in("rcx") (new >> 64) as u64,
            inout("rax") low,
            inout("rdx") high,
            options(nostack),
        );
    }
    u128::from(high) << 64 | u128::from(low)
}

/// [`atomic128`] by `cmpxchg16b`.
///
/// # Safety
/// The same as for [`exchange128`].
#[cfg(target_arch = "x86_64")]
unsafe fn swap128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    // SAFETY: the caller guarantees what `exchange128` requires.
    let exchange = |old, new| unsafe { exchange128(addr, old, new) };
    match op {
        AtomOp::Cas => exchange(a, b),
        AtomOp::Exch => {
            // The two words may be of different stores: the compare and exchange detects that.
            // SAFETY: the caller guarantees that both words are aligned and accessed atomically.
            let (low, high) = unsafe {
                (
                    AtomicU64::from_ptr(addr.cast()).load(ORDER),
                    AtomicU64::from_ptr(addr.add(8).cast()).load(ORDER),
                )
            };
            let mut old = u128::from(high) << 64 | u128::from(low);
            loop {
                match exchange(old, a) {
                    now if now == old => return old,
                    now => old = now,
                }
            }
        }
        _ => exchange(0, 0),
    }
}

/// [`atomic128`] under a lock.
///
/// # Safety
/// The same as for [`atomic128`].
unsafe fn locked128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    static BUSY: AtomicBool = AtomicBool::new(false);
    // SAFETY: both words are aligned since the caller guarantees 16, and others access them atomically.
    let (low, high) = unsafe {
        (
            AtomicU64::from_ptr(addr.cast()),
            AtomicU64::from_ptr(addr.add(8).cast()),
        )
    };
    // An inaccessible page must fault before the lock is taken, for loads and for stores.
    low.fetch_or(0, ORDER);
    high.fetch_or(0, ORDER);
    while BUSY.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    let old = u128::from(high.load(ORDER)) << 64 | u128::from(low.load(ORDER));
    let new = match op {
        AtomOp::Exch => a,
        AtomOp::Cas if old == a => b,
        _ => old,
    };
    low.store(new as u64, ORDER);
    high.store((new >> 64) as u64, ORDER);
    BUSY.store(false, Ordering::Release);
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_return_the_old_value() {
        let mut word = 7u32;
        let at = (&raw mut word).cast::<u8>();
        let u32s = Num::U(Ty::B32);
        // SAFETY: `word` is aligned and no other thread accesses it.
        let run = |op, num, packed, a, b| unsafe {
            let old = atomic(op, num, packed, at, [a, b]);
            (old, at.cast::<u32>().read())
        };
        assert_eq!(run(AtomOp::Inc, u32s, false, 7, 0), (7, 0));
        assert_eq!(run(AtomOp::Inc, u32s, false, 7, 0), (0, 1));
        assert_eq!(run(AtomOp::Dec, u32s, false, 9, 0), (1, 0));
        assert_eq!(run(AtomOp::Dec, u32s, false, 9, 0), (0, 9));
        assert_eq!(run(AtomOp::Dec, u32s, false, 3, 0), (9, 3));
        assert_eq!(run(AtomOp::Cas, u32s, false, 4, 5), (3, 3));
        assert_eq!(run(AtomOp::Cas, u32s, false, 3, 5), (3, 5));
        let minus_one = u64::from(u32::MAX);
        assert_eq!(
            run(AtomOp::Min, Num::S(Ty::B32), false, minus_one, 0),
            (5, u32::MAX)
        );
        assert_eq!(run(AtomOp::Min, u32s, false, 6, 0), (minus_one, 6));
        let f = |x: f32| u64::from(x.to_bits());
        assert_eq!(run(AtomOp::Exch, u32s, false, f(1.5), 0).0, 6);
        let f32s = Num::F(Float::F32);
        assert_eq!(
            run(AtomOp::Add, f32s, false, f(2.0), 0),
            (f(1.5), 3.5f32.to_bits())
        );
        // f16 (1, 2) plus (1, 1).
        assert_eq!(run(AtomOp::Exch, u32s, false, 0x3c00_4000, 0).0, f(3.5));
        let f16s = Num::F(Float::F16);
        assert_eq!(
            run(AtomOp::Add, f16s, true, 0x3c00_3c00, 0),
            (0x3c00_4000, 0x4000_4200)
        );
    }

    #[test]
    fn narrow_and_wide() {
        let mut halves = [0x3c00u16, 0xffff];
        let mut wide = [1u128, 2];
        // SAFETY: the variables are aligned and no other thread accesses them.
        unsafe {
            let at = halves.as_mut_ptr().cast();
            assert_eq!(
                atomic(AtomOp::Add, Num::F(Float::F16), false, at, [0x3c00, 0]),
                0x3c00
            );
            let at = wide.as_mut_ptr().cast();
            assert_eq!(atomic128(AtomOp::Cas, at, 1, u128::MAX), 1);
            assert_eq!(atomic128(AtomOp::Exch, at, 5 << 70, 0), u128::MAX);
        }
        assert_eq!(halves, [0x4000, 0xffff]);
        assert_eq!(wide, [5 << 70, 2]);
    }
}
