//! Functions that wide code calls for all lanes of a group; values come and go in its scratch area.

use crate::ir::{Op, Ty};
use crate::jit::avx512::regalloc::LANES;
use crate::jit::runtime::guard::leave;
use crate::jit::runtime::helpers;
use crate::jit::runtime::layout::{Env, Gang};
use crate::sem;
use crate::sem::atoms::Group;

use crate::jit::avx512::vcode::{self, NEIGHBOURS};

const RESULT: usize = vcode::RESULT as usize;

/// The values of an operand.
#[inline(always)]
unsafe fn get<const N: usize>(area: *const u8, ty: Ty, values: &mut [u64; N]) {
    // SAFETY: `area` points into the scratch area of the code that called, with room for N values of any of these types.
    unsafe {
        match ty {
            Ty::Pred => {
                let bits = area.cast::<u16>().read();
                for (lane, value) in values.iter_mut().enumerate() {
                    *value = u64::from(bits >> lane & 1);
                }
            }
            Ty::B64 => *values = area.cast::<[u64; N]>().read(),
            _ => {
                let (words, mask) = (area.cast::<[u32; N]>().read(), ty.mask());
                for (value, word) in values.iter_mut().zip(words) {
                    *value = u64::from(word) & mask;
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn put<const N: usize>(area: *mut u8, ty: Ty, values: &[u64; N]) {
    // SAFETY: `area` points into the scratch area of the code that called, with room for N values of any of these types.
    unsafe {
        match ty {
            Ty::Pred => {
                let mut bits = 0;
                for (lane, value) in values.iter().enumerate() {
                    bits |= (*value as u16 & 1) << lane;
                }
                area.cast::<u16>().write(bits);
            }
            Ty::B64 => area.cast::<[u64; N]>().write(*values),
            _ => {
                let mut words = [0; N];
                for (word, &value) in words.iter_mut().zip(values) {
                    *word = value as u32;
                }
                area.cast::<[u32; N]>().write(words);
            }
        }
    }
}

/// Performs `op` for N threads, or those of them that are in `mask`; others get anything.
#[inline(always)]
unsafe fn eval_area<const N: usize>(area: *mut u8, op: Op, mask: u32) {
    let signature = op.signature();
    let mut args = [[0; N]; 4];
    for (n, (arg, &ty)) in args.iter_mut().zip(signature.args()).enumerate() {
        // SAFETY: the area has room for four operands, 128 bytes apart.
        unsafe { get(area.add(128 * n), ty, arg) };
    }
    let values = sem::eval_many(op, &args, mask);
    // SAFETY: the area has room for the result there, behind the operands.
    unsafe { put(area.add(RESULT), signature.result, &values) };
}

/// An operation on the lanes of a mask.
///
/// # Safety
/// Called by wide code, which runs on machines with these features: `area` is its scratch area, `op` lives as long as the code.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,fma,bmi1,bmi2,lzcnt,popcnt"
    )
)]
pub unsafe fn eval_lanes(area: *mut u8, _: *mut Env, op: *const Op, _: u64, mask: u64) -> u64 {
    // SAFETY: `area` has room for 16 values of each operand and of the result, and the plan keeps `op` in a box for as long as there is
    // code.
    unsafe { eval_area::<{ LANES as usize }>(area, *op, mask as u32) };
    0
}

/// The same for four threads, on any machine.
///
/// # Safety
/// Called by narrow code: `area` is as large as wide code's scratch area, `op` lives as long as the code.
pub unsafe fn eval_four(area: *mut u8, op: *const Op) -> u64 {
    // SAFETY: `area` has room for 16 values of each operand and of the result, and the plan keeps `op` in a box for as long as there is
    // code.
    unsafe { eval_area::<4>(area, *op, 0xf) };
    0
}

/// Checks the accesses of the lanes of a mask; `lane` is the first of them. Ends the code if one is not to allocated memory.
///
/// # Safety
/// The callers' rules of [`crate::jit::runtime::helpers`] hold; `area` is wide code's scratch area, which begins with addresses.
pub unsafe fn check_lanes(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    gang: *mut Gang,
    mask: u64,
    lane: u64,
) -> u64 {
    // SAFETY: the callers' rules hold for `env`; the code that has written the addresses waits for this call.
    let (runtime, addresses) = unsafe {
        let addresses = &*area.cast::<[u64; LANES as usize]>();
        (helpers::runtime_of(env), addresses)
    };
    let site = site as usize;
    let Some(access) = runtime.access_site(site) else {
        // SAFETY: the call is a protected one, and nothing here needs dropping.
        unsafe { leave() }
    };
    if runtime.known(site, access, addresses, mask) {
        return 0;
    }
    // SAFETY: the callers' rules hold: environment and gang can be read.
    let (block, first) = unsafe { (helpers::block_of(env), (*gang).first) };
    for n in (0..LANES as u64).filter(|n| mask >> n & 1 != 0) {
        let thread = (first + lane + n) as u32;
        if runtime.check(site, &block, thread, addresses[n as usize]) {
            // SAFETY: the call is a protected one; nothing here needs dropping, and the check has given back all it held.
            unsafe { leave() };
        }
    }
    0
}

/// An atomic operation of the lanes of a mask, in turn, at checked addresses. Memory is `private` to the block if that is 1.
///
/// # Safety
/// The callers' rules of [`crate::jit::runtime::helpers`] hold; `area` is wide code's scratch area, or one of narrow code of that kind. Each lane's
/// address was checked to be in the device's range, or a window, and aligned.
pub unsafe fn atomic_lanes(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    private: u64,
    mask: u64,
) -> u64 {
    // SAFETY: the callers' rules hold for `env`.
    let runtime = unsafe { helpers::runtime_of(env) };
    // SAFETY: the area has room for 16 values at each of these places.
    let group = unsafe {
        Group {
            addresses: area.cast(),
            args: [area.add(128).cast_const(), area.add(256).cast_const()],
            old: area.add(RESULT),
            mask: mask as u32 & 0xffff,
            count: 1,
            private: private != 0,
        }
    };
    let Some((op, num, packed)) = runtime.atomic_site(site as usize) else {
        // SAFETY: the call is a protected one, and nothing here needs dropping.
        unsafe { leave() }
    };
    // SAFETY: the addresses were checked; where a page is missing, the access ends the protected call, and nothing needs dropping.
    unsafe { sem::atoms::atomic(op, num, packed, group) };
    0
}

/// An atomic operation on `count` neighbours of each lane in memory that others may access. Operands are 128 bytes into the area, old values
/// [`NEIGHBOURS`] bytes into it: those of all lanes' first neighbours, then those of the second ones, and so on.
///
/// # Safety
/// As for [`atomic_lanes`]; `count` is 2 or 4, and elements have at most 32 bits.
pub unsafe fn atomic_neighbours(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    count: u64,
    mask: u64,
) -> u64 {
    // SAFETY: the callers' rules hold for `env`.
    let runtime = unsafe { helpers::runtime_of(env) };
    // SAFETY: the area has room for 64 words at each of these places.
    let group = unsafe {
        Group {
            addresses: area.cast(),
            args: [area.add(128).cast_const(); 2],
            old: area.add(NEIGHBOURS as usize),
            mask: mask as u32 & 0xffff,
            count: count as u32,
            private: false,
        }
    };
    let Some((op, num, packed)) = runtime.atomic_site(site as usize) else {
        // SAFETY: the call is a protected one, and nothing here needs dropping.
        unsafe { leave() }
    };
    // SAFETY: the addresses were checked; where a page is missing, the access ends the protected call, and nothing needs dropping.
    unsafe { sem::atoms::atomic(op, num, packed, group) };
    0
}
