//! Helpers that wide code calls for all lanes of a group. Operands and results are passed in its scratch area.

use crate::ir::{Op, Ty};
use crate::jit::avx512::available;
use crate::jit::avx512::regalloc::LANES;
use crate::jit::runtime::guard::leave;
use crate::jit::runtime::helpers;
use crate::jit::runtime::layout::{Env, Gang};
use crate::sem;
use crate::sem::atoms::Group;

use crate::jit::avx512::vcode::{self, NEIGHBOURS};

const RESULT: usize = vcode::RESULT as usize;

/// Reads the values of an operand.
#[inline(always)]
unsafe fn get<const N: usize>(area: *const u8, ty: Ty, values: &mut [u64; N]) {
    // SAFETY: `area` points into the scratch area of the calling code, with room for N values of any of these types.
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
    // SAFETY: `area` points into the scratch area of the calling code, with room for N values of any of these types.
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

/// Evaluates `op` for those of N threads that are in `mask`; the results of the others are unspecified.
#[inline(always)]
unsafe fn eval_area<const N: usize>(area: *mut u8, op: Op, mask: u32) {
    let signature = op.signature();
    let mut args = [[0; N]; 4];
    for (n, (arg, &ty)) in args.iter_mut().zip(signature.args()).enumerate() {
        // SAFETY: the area has room for four operands, 128 bytes apart.
        unsafe { get(area.add(128 * n), ty, arg) };
    }
    let values = sem::eval_many(op, &args, mask);
    // SAFETY: the area has room for the result behind the operands.
    unsafe { put(area.add(RESULT), signature.result, &values) };
}

/// Evaluates an operation in the lanes of a mask.
///
/// # Safety
/// The caller must be wide code. `area` must be its scratch area, and `op` must live as long as the code.
pub unsafe fn eval_lanes(area: *mut u8, _: *mut Env, op: *const Op, _: u64, mask: u64) -> u64 {
    // SAFETY: `area` has room for 16 values of each operand and of the result. The plan keeps `op` in a box as long as
    // the code exists. The features are there where they are asked for.
    unsafe {
        match available() {
            true => eval_with_avx512(area, *op, mask as u32),
            false => eval_area::<{ LANES as usize }>(area, *op, mask as u32),
        }
    }
    0
}

/// # Safety
/// As [`eval_lanes`], on a machine with these features.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,fma,bmi1,bmi2,lzcnt,popcnt"
    )
)]
unsafe fn eval_with_avx512(area: *mut u8, op: Op, mask: u32) {
    // SAFETY: `area` has room for 16 values of each operand and of the result.
    unsafe { eval_area::<{ LANES as usize }>(area, op, mask) };
}

/// Evaluates an operation for four threads, on any machine.
///
/// # Safety
/// The caller must be narrow code. `area` must be as large as wide code's scratch area, and `op` must live as long as
/// the code.
pub unsafe fn eval_four(area: *mut u8, op: *const Op) -> u64 {
    // SAFETY: `area` has room for 16 values of each operand and of the result. The plan keeps `op` in a box as long as
    // the code exists.
    unsafe { eval_area::<4>(area, *op, 0xf) };
    0
}

/// Checks the accesses in the lanes of a mask, where `lane` is the first lane of the group. Ends the code if one is not
/// to allocated memory.
///
/// # Safety
/// The caller rules of [`crate::jit::runtime::helpers`] must hold. `area` must be wide code's scratch area, with the
/// addresses at its start.
pub unsafe fn check_lanes(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    gang: *mut Gang,
    mask: u64,
    lane: u64,
) -> u64 {
    // SAFETY: the caller rules hold for `env`. The code that has written the addresses waits for this call.
    let (runtime, addresses) = unsafe {
        let addresses = &*area.cast::<[u64; LANES as usize]>();
        (helpers::runtime_of(env), addresses)
    };
    let site = site as usize;
    if runtime.known(site, addresses, mask) {
        return 0;
    }
    // SAFETY: the caller rules hold, so environment and gang are readable.
    let (block, first) = unsafe { (helpers::block_of(env), (*gang).first) };
    for n in (0..LANES as u64).filter(|n| mask >> n & 1 != 0) {
        let thread = (first + lane + n) as u32;
        if runtime.check(site, &block, thread, addresses[n as usize]) {
            // SAFETY: a protected call is in progress by the caller rules. This frame has no destructor pending, and
            // the check has released all it held.
            unsafe { leave() };
        }
    }
    0
}

/// Executes a texture or surface operation in the lanes of a mask, where `lane` is the first lane of the group. Ends
/// the code if it fails.
///
/// # Safety
/// The caller rules of [`crate::jit::runtime::helpers`] must hold. `area` must be wide code's scratch area, with the
/// operands in it.
pub unsafe fn image_lanes(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    gang: *mut Gang,
    mask: u64,
    lane: u64,
) -> u64 {
    // SAFETY: the caller rules hold, so environment and gang are readable. The code that has written the operands waits
    // for this call. An access to unmapped memory of an image ends the protected call; no lock is held and no
    // destructor is pending then.
    let failed = unsafe {
        let runtime = helpers::runtime_of(env);
        let thread = ((*gang).first + lane) as u32;
        let textures = &mut (*env).textures;
        runtime.image_lanes(
            site as usize,
            &mut *area.cast(),
            thread,
            mask as u32,
            textures,
        )
    };
    if failed {
        // SAFETY: a protected call is in progress by the caller rules. This frame has no destructor pending, and the
        // operation has released all it held.
        unsafe { leave() };
    }
    0
}

/// Executes an atomic operation in the lanes of a mask, one after the other, at checked addresses. Memory is `private`
/// to the block if that is 1.
///
/// # Safety
/// The caller rules of [`crate::jit::runtime::helpers`] must hold. `area` must be the scratch area of wide code, or of
/// narrow code with the same layout. Each lane's address must have been checked to be aligned and in the device's range
/// or a window.
pub unsafe fn atomic_lanes(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    private: u64,
    mask: u64,
) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    let runtime = unsafe { helpers::runtime_of(env) };
    // SAFETY: the area has room for 16 values at each of these offsets.
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
        // SAFETY: a protected call is in progress by the caller rules, and this frame has no destructor pending.
        unsafe { leave() }
    };
    // SAFETY: the code has checked the addresses. If a page is unmapped, the access ends the protected call, and this
    // frame has no destructor pending.
    unsafe { sem::atoms::atomic(op, num, packed, group) };
    0
}

/// Adds a number in each lane of a mask to one in memory, `wide` of 64 bits or of 32, perhaps later
/// ([`crate::jit::runtime::later`]).
///
/// # Safety
/// The requirements are those of [`atomic_lanes`].
pub unsafe fn add_later(area: *mut u8, env: *mut Env, wide: u64, _none: u64, mask: u64) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    let (runtime, block) = unsafe { (helpers::runtime_of(env), helpers::block_of(env)) };
    for n in (0..LANES as usize).filter(|n| mask >> n & 1 != 0) {
        // SAFETY: the area has the lanes' addresses and 128 bytes behind them the numbers. The code has checked the
        // addresses. If a page is unmapped, the access ends the protected call, and this frame has no destructor
        // pending.
        unsafe {
            let address = *area.cast::<u64>().add(n);
            let numbers = area.add(128);
            let by = match wide {
                0 => u64::from(*numbers.cast::<u32>().add(n)),
                _ => *numbers.cast::<u64>().add(n),
            };
            runtime.add(&block, address, wide != 0, by);
        }
    }
    0
}

/// Executes an atomic operation on `count` adjacent elements in each lane, in memory that others may access. Operands
/// start 128 bytes into the area and old values [`NEIGHBOURS`] bytes into it: first those of all lanes' first elements,
/// then of the second elements, and so on.
///
/// # Safety
/// The requirements are those of [`atomic_lanes`]; `count` must be 2 or 4, and elements have at most 32 bits.
pub unsafe fn atomic_neighbours(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    count: u64,
    mask: u64,
) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    let runtime = unsafe { helpers::runtime_of(env) };
    // SAFETY: the area has room for 64 words at each of these offsets.
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
        // SAFETY: a protected call is in progress by the caller rules, and this frame has no destructor pending.
        unsafe { leave() }
    };
    // SAFETY: the code has checked the addresses. If a page is unmapped, the access ends the protected call, and this
    // frame has no destructor pending.
    unsafe { sem::atoms::atomic(op, num, packed, group) };
    0
}
