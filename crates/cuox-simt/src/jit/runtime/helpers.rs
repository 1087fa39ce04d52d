//! Helper functions that generated code calls, each through an entry point in [`crate::jit::runtime::link`]. They own
//! nothing with a destructor while a fault can occur.
//!
//! Generated code passes the `env` and `gang` that it was called with. All helpers rely on the following *caller
//! rules*:
//! - `env` points to the environment of the running block. The block owns it in a box, and no reference to it exists
//!   while code runs.
//! - Its `runtime` points to the block's [`Runtime`], also in a box of the block, which is only ever shared.
//! - `gang` points to the state of one of the block's gangs, in the block's memory, to which no reference exists while
//!   code runs.
//! - The call is inside a protected call: an access to unmapped memory ends the code, and so does [`leave`].

use crate::env::BlockEnv;
use crate::ir::{BlockId, Op, Special};
use crate::jit::runtime::guard::leave;
use crate::jit::runtime::layout::{Env, Gang};
use crate::jit::runtime::services::Runtime;
use crate::sem;

/// Evaluates `op` on the operands.
///
/// # Safety
/// `op` must point to an operation that lives as long as the code that calls this.
pub unsafe fn eval(op: *const Op, a: u64, b: u64, c: u64, d: u64) -> u64 {
    // SAFETY: code refers only to operations of its plan, which keeps them in a box as long as the code exists.
    let op = unsafe { *op };
    sem::eval_cut(op, &[a, b, c, d])
}

/// Number of a call site about which a helper needs more information: index into the kernel's sites.
pub type SiteId = u64;

/// Returns the runtime of the block that an environment belongs to.
///
/// # Safety
/// The caller rules must hold for `env`.
pub unsafe fn runtime_of<'a>(env: *mut Env) -> &'a Runtime<'a> {
    // SAFETY: environment and runtime live as long as the code that calls a helper runs, and no unique reference to
    // either exists meanwhile.
    unsafe { &*(*env).runtime.cast::<Runtime>() }
}

/// Executes a warp operation for every warp of a gang; results go to the homes of its registers. Returns 1, with
/// nothing done, if the masks of a warp's lanes do not let them all perform it at once.
///
/// # Safety
/// The caller rules must hold.
pub unsafe fn warp_op(env: *mut Env, gang: *mut Gang, block: u64) -> u64 {
    // SAFETY: the caller rules hold, so `gang` is a gang of the block that the runtime belongs to.
    u64::from(!unsafe { runtime_of(env).warp_op(gang, block as usize) })
}

/// Executes a driver service for one thread; arguments are in the gang's scratch. Returns the result. A fault is
/// recorded in the runtime, where [`pending_fault`] finds it.
///
/// # Safety
/// The caller rules must hold.
pub unsafe fn syscall(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64) -> u64 {
    // SAFETY: the caller rules hold, so the gang's state is readable; the calling code has just written its scratch.
    let (args, first) = unsafe { ((*gang).scratch, (*gang).first) };
    // SAFETY: the caller rules hold for `env`.
    let (runtime, block) = unsafe { (runtime_of(env), block_of(env)) };
    runtime.syscall(site as usize, &block, first as u32 + lane as u32, &args)
}

/// Returns the position of the block that an environment belongs to.
///
/// # Safety
/// The caller rules must hold for `env`.
pub unsafe fn block_of(env: *mut Env) -> BlockEnv {
    // SAFETY: the environment is alive while code runs. Only that code writes to it, and it waits for this call.
    let env = unsafe { &*env };
    BlockEnv {
        ctaid: env.ctaid,
        rank: env.cluster_rank,
        worker: env.worker,
        shared: env.shared,
        local: env.local,
    }
}

/// Checks an access by one thread, and ends the code if it is not to allocated memory. A lane number -n (from -1 down)
/// stands for the first active lane of masked block n - 1.
///
/// # Safety
/// The caller rules must hold.
pub unsafe fn check_one(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    lane: u64,
    address: u64,
) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    let (runtime, block) = unsafe { (runtime_of(env), block_of(env)) };
    let lane = match lane as i64 {
        0.. => lane,
        // SAFETY: the caller rules hold, so `gang` is a gang of the block that the runtime belongs to.
        below => unsafe { runtime.first_of(gang, BlockId(-(below + 1) as u32)) },
    };
    // SAFETY: the caller rules hold, so the gang's state is readable.
    let thread = unsafe { (*gang).first } + lane;
    if runtime.check(site as usize, &block, thread as u32, address) {
        // SAFETY: a protected call is in progress by the caller rules. This frame has no destructor pending, and the
        // check has released all it held.
        unsafe { leave() };
    }
    0
}

/// Checks the accesses of a gang's threads, the first at `address` and the others each `stride` bytes further, and ends
/// the code if one is not to allocated memory.
///
/// # Safety
/// The caller rules must hold.
pub unsafe fn check_line(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    stride: u64,
    address: u64,
) -> u64 {
    // SAFETY: the caller rules hold for `env`, and the gang's state is readable.
    let (runtime, (first, count)) = unsafe { (runtime_of(env), ((*gang).first, (*gang).count)) };
    let last = address.wrapping_add(stride.wrapping_mul(count - 1));
    let ends = match (stride as i64) < 0 {
        true => (last, address),
        false => (address, last),
    };
    if runtime.knows_all(site as usize, ends) {
        return 0;
    }
    // SAFETY: the caller rules hold for `env`.
    let block = unsafe { block_of(env) };
    for lane in 0..count {
        let at = address.wrapping_add(stride.wrapping_mul(lane));
        if runtime.check(site as usize, &block, (first + lane) as u32, at) {
            // SAFETY: a protected call is in progress by the caller rules. This frame has no destructor pending, and
            // the check has released all it held.
            unsafe { leave() };
        }
    }
    0
}

/// Returns 1 if a helper has recorded a fault, else 0.
///
/// # Safety
/// The caller rules must hold.
pub unsafe fn pending_fault(env: *mut Env) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    u64::from(unsafe { runtime_of(env) }.has_fault())
}

/// Executes a texture or surface operation for four threads, the first of which is `lane`. Operands and results are in
/// the gang's state. Returns whether it failed; the fault is then recorded in the runtime.
///
/// # Safety
/// The caller rules must hold.
pub unsafe fn image_of_four(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64) -> u64 {
    // SAFETY: `image` requires the caller rules, which hold here.
    unsafe { image(env, gang, site, lane, 4) }
}

/// Executes a texture or surface operation for one thread, like [`image_of_four`].
///
/// # Safety
/// The caller rules must hold.
pub unsafe fn image_of_one(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64) -> u64 {
    // SAFETY: `image` requires the caller rules, which hold here.
    unsafe { image(env, gang, site, lane, 1) }
}

/// Executes an image operation of `count` threads from `lane` on.
///
/// # Safety
/// The caller rules must hold.
unsafe fn image(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64, count: usize) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    let runtime = unsafe { runtime_of(env) };
    // SAFETY: the gang's state is alive, and nothing else refers to it while the code waits for this call. An access to
    // unmapped memory of an image ends the protected call; `Runtime::image` holds no lock and has no destructor pending
    // then.
    unsafe {
        let thread = (*gang).first as u32 + lane as u32;
        u64::from(runtime.image(site as usize, &mut (*gang).image, thread, count))
    }
}

/// Executes an atomic operation that has no inline code; `a` and `b` are its operands.
///
/// # Safety
/// The caller rules must hold, and the code must have checked that `address` is aligned and lies in the device's range
/// or a window.
pub unsafe fn atomic(env: *mut Env, site: SiteId, address: u64, a: u64, b: u64) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    let runtime = unsafe { runtime_of(env) };
    let Some((op, num, packed)) = runtime.atomic_site(site as usize) else {
        // SAFETY: a protected call is in progress by the caller rules, and this frame has no destructor pending.
        unsafe { leave() }
    };
    // SAFETY: the code has checked the address. If its page is unmapped, the access ends the protected call, and this
    // frame has no destructor pending.
    unsafe { sem::atom::atomic(op, num, packed, address as *mut u8, [a, b]) }
}

/// Executes a 128-bit atomic operation: its operands, and then the old value, are words in the gang's scratch. If
/// `private` is not 0, nothing else accesses that memory meanwhile.
///
/// # Safety
/// The caller rules must hold, and the code must have checked that the 16 bytes at `address` are aligned and lie in the
/// device's range or a window.
pub unsafe fn wide_atomic(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    address: u64,
    private: u64,
) -> u64 {
    // SAFETY: the caller rules hold for `env`.
    let runtime = unsafe { runtime_of(env) };
    let Some((op, ..)) = runtime.atomic_site(site as usize) else {
        // SAFETY: a protected call is in progress by the caller rules, and this frame has no destructor pending.
        unsafe { leave() }
    };
    // SAFETY: the gang's state is alive, and nothing else refers to it while the code waits for this call.
    let words = unsafe { &mut (*gang).scratch };
    let pair = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
    let (a, b) = (pair(words[0], words[1]), pair(words[2], words[3]));
    // SAFETY: the code has checked the address. If its page is unmapped, the access ends the protected call, and this
    // frame has no destructor pending.
    let old = unsafe {
        match private {
            0 => sem::atom::atomic128(op, address as *mut u8, a, b),
            _ => sem::atom::private128(op, address as *mut u8, a, b),
        }
    };
    words[0] = old as u64;
    words[1] = (old >> 64) as u64;
    0
}

/// Reads a clock.
///
/// # Safety
/// There are no requirements; the function is unsafe because all helpers are.
pub unsafe fn clock(which: u64) -> u64 {
    crate::clock::read(if which == 0 {
        Special::Clock64
    } else {
        Special::GlobalTimer
    })
}
