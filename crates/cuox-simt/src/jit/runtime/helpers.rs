//! Functions that generated code calls. Each is `extern "C"`, never unwinds and drops nothing where a fault can strike.

use crate::env::BlockEnv;
use crate::ir::{BlockId, Op, Special};
use crate::jit::runtime::layout::{Env, Gang};
use crate::jit::runtime::services::Runtime;
use crate::{sem, space};

/// What `op` gives for those operands.
///
/// # Safety
/// `op` points to an operation that lives as long as the code that calls this.
pub unsafe extern "C" fn eval(op: *const Op, a: u64, b: u64, c: u64, d: u64) -> u64 {
    // SAFETY: by contract of this function; the code keeps its operations in boxes of its own.
    let op = unsafe { *op };
    sem::eval_cut(op, &[a, b, c, d])
}

/// A site of generated code that a helper needs more about: index into the compiled kernel's sites.
pub type SiteId = u64;

/// Runs a warp operation for every warp of a gang; results go to the homes of its registers.
///
/// # Safety
/// `env` and `gang` are the ones that the running code was called with.
pub unsafe extern "C" fn warp_op(env: *mut Env, gang: *mut Gang, block: u64) {
    // SAFETY: by contract; `run` sets `runtime` for as long as the code runs.
    let runtime = unsafe { &*(*env).runtime.cast::<Runtime>() };
    // SAFETY: the state behind `gang` is as large as the runtime's layout says.
    unsafe { runtime.warp_op(gang, block as usize) };
}

/// A driver service for one thread; arguments are in the header's scratch. Answers the result; a fault is left in the
/// runtime and seen by [`pending_fault`].
///
/// # Safety
/// As for [`warp_op`].
pub unsafe extern "C" fn syscall(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64) -> u64 {
    // SAFETY: by contract.
    let runtime = unsafe { &*(*env).runtime.cast::<Runtime>() };
    // SAFETY: by contract; the header is readable.
    let args = unsafe { (*gang).scratch };
    // SAFETY: as above.
    let thread = unsafe { (*gang).first } as u32 + lane as u32;
    // SAFETY: as above.
    let block = unsafe { block_of(env) };
    runtime.syscall(site as usize, &block, thread, &args)
}

/// Where the block runs whose environment this is.
///
/// # Safety
/// `env` is the one that the running code was called with.
pub unsafe fn block_of(env: *mut Env) -> BlockEnv {
    // SAFETY: by contract.
    let env = unsafe { &*env };
    BlockEnv {
        ctaid: env.ctaid,
        rank: env.cluster_rank,
        worker: env.worker,
        shared: env.shared,
        local: env.local,
    }
}

/// Checks an access by one thread, and ends the code if it is not to allocated memory. A lane below zero stands for the first that the
/// masked block of that number, from -1 down, is for.
///
/// # Safety
/// As for [`warp_op`]; it is in a protected call.
pub unsafe extern "C" fn check_one(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    lane: u64,
    address: u64,
) -> u64 {
    // SAFETY: by contract.
    let (runtime, block) = unsafe { (&*(*env).runtime.cast::<Runtime>(), block_of(env)) };
    let lane = match lane as i64 {
        0.. => lane,
        // SAFETY: by contract.
        below => unsafe { runtime.first_of(gang, BlockId(-(below + 1) as u32)) },
    };
    // SAFETY: as above.
    let thread = unsafe { (*gang).first } + lane;
    if runtime.check(site as usize, &block, thread as u32, address) {
        // SAFETY: nothing is held, and the caller is in a protected call.
        unsafe { leave() };
    }
    0
}

/// Ends generated code where it has no way out, by an access to memory that is never there. The fault is the one left in the runtime.
///
/// # Safety
/// Called in a protected call, by code that holds nothing.
pub unsafe fn leave() {
    // SAFETY: the first page of the range is nobody's; the protection around the call is there for this access.
    unsafe { (space::range().0 as *const u8).read_volatile() };
}

/// Whether a helper has left a fault.
///
/// # Safety
/// As for [`warp_op`].
pub unsafe extern "C" fn pending_fault(env: *mut Env) -> u64 {
    // SAFETY: by contract.
    let runtime = unsafe { &*(*env).runtime.cast::<Runtime>() };
    u64::from(runtime.has_fault())
}

/// A texture's or surface's operation for four threads, of which `lane` is the first; operands and results are in the
/// gang's state. Answers whether it failed, with a fault left in the runtime.
///
/// # Safety
/// As for [`warp_op`]; memory that is missing faults inside, where nothing is held.
pub unsafe extern "C" fn image_of_four(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    lane: u64,
) -> u64 {
    // SAFETY: by contract.
    unsafe { image(env, gang, site, lane, 4) }
}

/// The same for one thread.
///
/// # Safety
/// As for [`image_of_four`].
pub unsafe extern "C" fn image_of_one(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    lane: u64,
) -> u64 {
    // SAFETY: by contract.
    unsafe { image(env, gang, site, lane, 1) }
}

unsafe fn image(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64, count: usize) -> u64 {
    // SAFETY: by the caller's contract; nothing else refers to the gang's state while a helper runs.
    unsafe {
        let runtime = &*(*env).runtime.cast::<Runtime>();
        let thread = (*gang).first as u32 + lane as u32;
        u64::from(runtime.image(site as usize, &mut (*gang).image, thread, count))
    }
}

/// An atomic operation that has no inline code; operands are checked addresses.
///
/// # Safety
/// As for [`warp_op`]; a bad address faults inside, where nothing needs dropping.
pub unsafe extern "C" fn atomic(env: *mut Env, site: SiteId, address: u64, a: u64, b: u64) -> u64 {
    // SAFETY: by contract.
    let runtime = unsafe { &*(*env).runtime.cast::<Runtime>() };
    let (op, num, packed) = runtime.atomic_site(site as usize);
    // SAFETY: the address was checked to be aligned and inside the device range; an unmapped page traps.
    unsafe { sem::atom::atomic(op, num, packed, address as *mut u8, [a, b]) }
}

/// An atomic operation on 128 bits: its operands, and then the old value, are words in the header's scratch.
///
/// # Safety
/// As for [`atomic`].
pub unsafe extern "C" fn wide_atomic(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    address: u64,
) -> u64 {
    // SAFETY: by contract.
    let runtime = unsafe { &*(*env).runtime.cast::<Runtime>() };
    let (op, ..) = runtime.atomic_site(site as usize);
    // SAFETY: by contract; the header is ours while the code runs.
    let words = unsafe { &mut (*gang).scratch };
    let pair = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
    let (a, b) = (pair(words[0], words[1]), pair(words[2], words[3]));
    // SAFETY: the address was checked to be aligned and inside the device range; an unmapped page traps.
    let old = unsafe { sem::atom::atomic128(op, address as *mut u8, a, b) };
    words[0] = old as u64;
    words[1] = (old >> 64) as u64;
    0
}

/// Clocks.
///
/// # Safety
/// As for [`warp_op`].
pub unsafe extern "C" fn clock(which: u64) -> u64 {
    crate::clock::read(if which == 0 {
        Special::Clock64
    } else {
        Special::GlobalTimer
    })
}
