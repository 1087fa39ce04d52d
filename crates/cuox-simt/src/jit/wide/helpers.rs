//! Functions that wide code calls for all lanes of a group; values come and go in its scratch area.

use super::assign::LANES;
use crate::ir::{IntOp, Op, Ty};
use crate::jit::layout::Env;
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
    if let Op::Int(op @ (IntOp::DivU | IntOp::DivS | IntOp::RemU | IntOp::RemS), Ty::B32) = op {
        // SAFETY: by contract.
        return unsafe { divide_lanes(area, op) };
    }
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

/// A quotient or remainder of every lane; what lanes get that are off, nobody reads.
///
/// # Safety
/// `area` is wide code's scratch area.
unsafe fn divide_lanes(area: *mut u8, op: IntOp) {
    type Words = [u32; LANES as usize];
    // SAFETY: operands and result are as many words each, aligned to 64 bytes.
    let (a, b, out) = unsafe {
        let b = *area.add(128).cast::<Words>();
        (
            *area.cast::<Words>(),
            b,
            &mut *area.add(RESULT).cast::<Words>(),
        )
    };
    let mut each = |f: fn(u32, u32) -> u32| {
        for (out, (&a, &b)) in out.iter_mut().zip(a.iter().zip(&b)) {
            // Whatever is divided by zero gives all ones.
            *out = if b == 0 { u32::MAX } else { f(a, b) };
        }
    };
    match op {
        IntOp::DivU => each(|a, b| a / b),
        IntOp::RemU => each(|a, b| a % b),
        IntOp::DivS => each(|a, b| (a as i32).wrapping_div(b as i32) as u32),
        _ => each(|a, b| (a as i32).wrapping_rem(b as i32) as u32),
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
