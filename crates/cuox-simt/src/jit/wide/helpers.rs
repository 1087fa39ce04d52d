//! Functions that wide code calls for all lanes of a group; values come and go in its scratch area.

use super::assign::LANES;
use crate::ir::{Op, Ty};
use crate::jit::helpers;
use crate::jit::layout::{Env, Team};
use crate::jit::runtime::Runtime;
use crate::sem;

/// The value of a lane: operands are 128 bytes apart.
unsafe fn get(area: *const u8, ty: Ty, lane: usize) -> u64 {
    // SAFETY: the caller's area has room for 16 values of any of these types.
    unsafe {
        match ty {
            Ty::Pred => u64::from(area.cast::<u16>().read() >> lane & 1),
            Ty::B64 => area.cast::<u64>().add(lane).read(),
            _ => u64::from(area.cast::<u32>().add(lane).read()) & ty.mask(),
        }
    }
}

unsafe fn put(area: *mut u8, ty: Ty, lane: usize, value: u64) {
    // SAFETY: as in `get`.
    unsafe {
        match ty {
            Ty::Pred => {
                let word = area.cast::<u16>();
                let bit = 1u16 << lane;
                let rest = word.read() & !bit;
                word.write(rest | if value & 1 != 0 { bit } else { 0 });
            }
            Ty::B64 => area.cast::<u64>().add(lane).write(value),
            _ => area.cast::<u32>().add(lane).write(value as u32),
        }
    }
}

const RESULT: usize = 512;

/// An operation on the lanes of a mask.
///
/// # Safety
/// Called by wide code: `area` is its scratch area, `op` lives as long as the code.
pub unsafe extern "C" fn eval_lanes(area: *mut u8, _: *mut Env, op: *const Op, _: u64, mask: u64) {
    // SAFETY: by contract.
    let op = unsafe { *op };
    let signature = op.signature();
    let mut args = [[0; LANES as usize]; 4];
    for (n, (arg, &ty)) in args.iter_mut().zip(signature.args()).enumerate() {
        for (lane, value) in arg.iter_mut().enumerate() {
            // SAFETY: by contract.
            *value = unsafe { get(area.add(128 * n), ty, lane) };
        }
    }
    let on = (0..LANES as usize).filter(|lane| mask >> lane & 1 != 0);
    if mask.count_ones() == 1 {
        // A thread by itself.
        for lane in on {
            let value = sem::eval(
                op,
                &[args[0][lane], args[1][lane], args[2][lane], args[3][lane]],
            );
            // SAFETY: by contract.
            unsafe { put(area.add(RESULT), signature.result, lane, value) };
        }
        return;
    }
    let values = sem::eval_many(op, &args);
    for lane in on {
        // SAFETY: by contract.
        unsafe { put(area.add(RESULT), signature.result, lane, values[lane]) };
    }
}

/// Checks the accesses of the lanes of a mask; `lane` is the first of them. Ends the code if one is not to allocated memory.
///
/// # Safety
/// Called by wide code, in a protected call: `area` is its scratch area, which begins with addresses.
pub unsafe extern "C" fn check_lanes(
    area: *mut u8,
    env: *mut Env,
    site: u64,
    team: *mut Team,
    mask: u64,
    lane: u64,
) {
    // SAFETY: by contract.
    let (runtime, addresses) = unsafe {
        let runtime = &*(*env).runtime.cast::<Runtime>();
        (runtime, &*area.cast::<[u64; LANES as usize]>())
    };
    let site = site as usize;
    let Some(access) = runtime.access_site(site) else {
        return;
    };
    if runtime.known(site, access, addresses, mask) {
        return;
    }
    // SAFETY: by contract.
    let (block, first) = unsafe { (helpers::block_of(env), (*team).first) };
    for n in (0..LANES as u64).filter(|n| mask >> n & 1 != 0) {
        let thread = (first + lane + n) as u32;
        if runtime.check(site, &block, thread, addresses[n as usize]) {
            // SAFETY: nothing is held, and the caller is in a protected call.
            unsafe { helpers::leave() };
        }
    }
}

/// An atomic operation of the lanes of a mask, in turn, at checked addresses.
///
/// # Safety
/// Called by wide code; a bad address faults inside, where nothing needs dropping.
pub unsafe extern "C" fn atomic_lanes(area: *mut u8, env: *mut Env, site: u64, _: u64, mask: u64) {
    // SAFETY: by contract.
    let runtime = unsafe { &*(*env).runtime.cast::<Runtime>() };
    let (op, num, packed) = runtime.atomic_site(site as usize);
    let ty = if packed { Ty::B32 } else { num.ty() };
    for lane in (0..LANES as usize).filter(|lane| mask >> lane & 1 != 0) {
        // SAFETY: the addresses were checked; an unmapped page traps.
        unsafe {
            let address = get(area, Ty::B64, lane) as *mut u8;
            let args = [128, 256].map(|at| get(area.add(at), ty, lane));
            let old = sem::atom::atomic(op, num, packed, address, args);
            put(area.add(RESULT), ty, lane, old);
        }
    }
}
