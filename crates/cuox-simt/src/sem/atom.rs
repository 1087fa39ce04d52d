//! Read-modify-write on host memory.
//!
//! All orderings are the strongest. Float additions round to nearest and keep subnormals (the hardware flushes
//! them for f32 in global memory only, and the manual does not promise it). A `Cas` compares bits.

use super::eval;
use crate::ir::{AtomOp, Float, FloatOp, IntOp, Num, Op, Round, Ty};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

const ORDER: Ordering = Ordering::SeqCst;

/// What `op` makes of `old`; the low bits of the operands count.
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

/// Performs `op` at `addr` and gives the old value. The second argument is the new value of a `Cas`. A number of
/// 128 bits has [`atomic128`]; here it gives 0 and does nothing.
///
/// # Safety
/// `addr` is a multiple of the access's size. Memory there is only accessed atomically by others; it may be
/// inaccessible if the caller is prepared for the fault (nothing is held meanwhile).
pub unsafe fn atomic(op: AtomOp, num: Num, packed: bool, addr: *mut u8, args: [u64; 2]) -> u64 {
    let [a, b] = args;
    let ty = if packed { Ty::B32 } else { num.ty() };
    macro_rules! with {
        ($atomic:ident, $int:ty) => {{
            // SAFETY: the caller says that the address is aligned and accessed atomically.
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

/// `exch` (`old → a`) or `cas` (`old == a → b`) on 128 bits; gives the old value. Other operations leave the
/// value. Where the processor has no such instruction, one lock for the whole process makes these atomic among
/// themselves, and a narrower access at the same time may see half of one.
///
/// # Safety
/// As for [`atomic`], with an alignment of 16.
pub unsafe fn atomic128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    #[cfg(target_arch = "x86_64")]
    if has_swap128() {
        // SAFETY: the processor has the instruction; the rest is what the caller says.
        return unsafe { swap128(op, addr, a, b) };
    }
    // SAFETY: as the caller says.
    unsafe { locked128(op, addr, a, b) }
}

/// [`atomic128`] on memory that nobody else accesses meanwhile.
///
/// # Safety
/// As for [`atomic128`].
pub unsafe fn private128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    let at = addr.cast::<u128>();
    // SAFETY: by contract.
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

/// Whether the processor changes 16 bytes at once.
#[inline(always)]
pub(super) fn has_swap128() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::is_x86_feature_detected!("cmpxchg16b");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Stores `new` if the memory holds `old`; says whether it does.
///
/// # Safety
/// As for [`atomic128`]; [`has_swap128`] holds.
#[inline(always)]
pub(super) unsafe fn replace128(addr: *mut u8, old: u128, new: u128) -> bool {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: by contract.
    return unsafe { exchange128(addr, old, new) } == old;
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: by contract, nobody calls this; under the lock it would be right too.
    return unsafe { locked128(AtomOp::Cas, addr, old, new) } == old;
}

/// Stores `new` if the memory holds `old`; gives what it held.
///
/// # Safety
/// As for [`atomic128`]; the processor has the instruction.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn exchange128(addr: *mut u8, old: u128, new: u128) -> u128 {
    let (mut low, mut high) = (old as u64, (old >> 64) as u64);
    // SAFETY: by contract. The compiler keeps `rbx` for itself, so it is put back.
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

/// [`atomic128`] by the processor's own instruction.
///
/// # Safety
/// As for [`exchange128`].
#[cfg(target_arch = "x86_64")]
unsafe fn swap128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    // SAFETY: by contract.
    let exchange = |old, new| unsafe { exchange128(addr, old, new) };
    match op {
        AtomOp::Cas => exchange(a, b),
        AtomOp::Exch => {
            // Two words that do not belong together are found out.
            // SAFETY: by contract.
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
/// As for [`atomic128`].
unsafe fn locked128(op: AtomOp, addr: *mut u8, a: u128, b: u128) -> u128 {
    static BUSY: AtomicBool = AtomicBool::new(false);
    // SAFETY: both halves are aligned, and the caller says what the rest needs.
    let (low, high) = unsafe {
        (
            AtomicU64::from_ptr(addr.cast()),
            AtomicU64::from_ptr(addr.add(8).cast()),
        )
    };
    // An inaccessible page must fault before the lock is taken, for reading and for writing.
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
        // SAFETY: `word` is aligned and nobody else uses it.
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
        // Halves (1, 2) plus (1, 1).
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
        // SAFETY: the variables are aligned and nobody else uses them.
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
