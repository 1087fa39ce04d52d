//! Functions that generated code calls, each through an entry point in [`crate::jit::runtime::link`], and things that they share. They own
//! nothing that needs dropping where a fault can strike.
//!
//! Each of them is called by generated code, which passes on the `env` and `gang` that it was called with. So the following, *the callers'
//! rules*, hold in all of them:
//! - `env` points to the environment of the block that runs. The block owns it in a box, and nobody else refers to it while code runs.
//! - Its `runtime` points to the block's [`Runtime`], in a box of the block too, which is only ever shared.
//! - `gang` points to the state of one of the block's gangs, in the block's memory, to which no reference exists while code runs.
//! - The call is inside a protected one: an access to memory that is missing ends the code, and so does [`leave`].

use crate::env::BlockEnv;
use crate::ir::{BlockId, Op, Special};
use crate::jit::runtime::guard::leave;
use crate::jit::runtime::layout::{Env, Gang};
use crate::jit::runtime::services::Runtime;
use crate::sem;

/// The result of `op` for those operands.
///
/// # Safety
/// `op` points to an operation that lives as long as the code that calls this.
pub unsafe fn eval(op: *const Op, a: u64, b: u64, c: u64, d: u64) -> u64 {
    // SAFETY: code refers to operations of its plan alone, which keeps them in a box for as long as there is code.
    let op = unsafe { *op };
    sem::eval_cut(op, &[a, b, c, d])
}

/// A site of generated code that a helper needs more about: index into the compiled kernel's sites.
pub type SiteId = u64;

/// The runtime of the block whose environment this is.
///
/// # Safety
/// The callers' rules hold for `env`.
pub unsafe fn runtime_of<'a>(env: *mut Env) -> &'a Runtime<'a> {
    // SAFETY: the environment is alive and so is its runtime, both for as long as the code runs that calls a helper, and nobody has a
    // unique reference to either.
    unsafe { &*(*env).runtime.cast::<Runtime>() }
}

/// Runs a warp operation for every warp of a gang; results go to the homes of its registers.
///
/// # Safety
/// The callers' rules hold.
pub unsafe fn warp_op(env: *mut Env, gang: *mut Gang, block: u64) -> u64 {
    // SAFETY: the callers' rules, which are those of both functions: `gang` is a gang of the block whose runtime this is.
    unsafe { runtime_of(env).warp_op(gang, block as usize) };
    0
}

/// A driver service for one thread; arguments are in the header's scratch. Answers the result; a fault is left in the
/// runtime and seen by [`pending_fault`].
///
/// # Safety
/// The callers' rules hold.
pub unsafe fn syscall(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64) -> u64 {
    // SAFETY: the gang's state can be read, as the code that has just written its scratch does.
    let (args, first) = unsafe { ((*gang).scratch, (*gang).first) };
    // SAFETY: the callers' rules hold for `env`.
    let (runtime, block) = unsafe { (runtime_of(env), block_of(env)) };
    runtime.syscall(site as usize, &block, first as u32 + lane as u32, &args)
}

/// Where the block runs whose environment this is.
///
/// # Safety
/// The callers' rules hold for `env`.
pub unsafe fn block_of(env: *mut Env) -> BlockEnv {
    // SAFETY: the environment is alive while code runs, and code, which alone writes to it, waits for this call.
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
/// The callers' rules hold.
pub unsafe fn check_one(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    lane: u64,
    address: u64,
) -> u64 {
    // SAFETY: the callers' rules hold for `env`.
    let (runtime, block) = unsafe { (runtime_of(env), block_of(env)) };
    let lane = match lane as i64 {
        0.. => lane,
        // SAFETY: `gang` is a gang of the block whose runtime this is.
        below => unsafe { runtime.first_of(gang, BlockId(-(below + 1) as u32)) },
    };
    // SAFETY: the gang's state can be read.
    let thread = unsafe { (*gang).first } + lane;
    if runtime.check(site as usize, &block, thread as u32, address) {
        // SAFETY: the call is a protected one; nothing here needs dropping, and the check has given back all it held.
        unsafe { leave() };
    }
    0
}

/// Whether a helper has left a fault.
///
/// # Safety
/// The callers' rules hold.
pub unsafe fn pending_fault(env: *mut Env) -> u64 {
    // SAFETY: the callers' rules hold for `env`.
    u64::from(unsafe { runtime_of(env) }.has_fault())
}

/// A texture's or surface's operation for four threads, of which `lane` is the first; operands and results are in the
/// gang's state. Answers whether it failed, with a fault left in the runtime.
///
/// # Safety
/// The callers' rules hold.
pub unsafe fn image_of_four(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64) -> u64 {
    // SAFETY: the callers' rules, which `image` asks for.
    unsafe { image(env, gang, site, lane, 4) }
}

/// The same for one thread.
///
/// # Safety
/// The callers' rules hold.
pub unsafe fn image_of_one(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64) -> u64 {
    // SAFETY: the callers' rules, which `image` asks for.
    unsafe { image(env, gang, site, lane, 1) }
}

/// An image operation of `count` threads from `lane` on.
///
/// # Safety
/// The callers' rules hold.
unsafe fn image(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64, count: usize) -> u64 {
    // SAFETY: the callers' rules hold for `env`.
    let runtime = unsafe { runtime_of(env) };
    // SAFETY: the gang's state is alive, and nothing else refers to it while the code waits for this call. Memory of an image that is missing
    // ends the protected call, and `Runtime::image` holds nothing then.
    unsafe {
        let thread = (*gang).first as u32 + lane as u32;
        u64::from(runtime.image(site as usize, &mut (*gang).image, thread, count))
    }
}

/// An atomic operation that has no inline code; operands are checked addresses.
///
/// # Safety
/// The callers' rules hold; the code has checked that `address` is in the device's range, or a window, and aligned.
pub unsafe fn atomic(env: *mut Env, site: SiteId, address: u64, a: u64, b: u64) -> u64 {
    // SAFETY: the callers' rules hold for `env`.
    let runtime = unsafe { runtime_of(env) };
    let Some((op, num, packed)) = runtime.atomic_site(site as usize) else {
        // SAFETY: the call is a protected one, and nothing here needs dropping.
        unsafe { leave() }
    };
    // SAFETY: the address was checked; where its page is missing, the access ends the protected call, and nothing needs dropping.
    unsafe { sem::atom::atomic(op, num, packed, address as *mut u8, [a, b]) }
}

/// An atomic operation on 128 bits: its operands, and then the old value, are words in the header's scratch. Unless `private`
/// is 0, nobody else accesses that memory meanwhile.
///
/// # Safety
/// The callers' rules hold; the code has checked that the 16 bytes at `address` are in the device's range, or a window, and aligned.
pub unsafe fn wide_atomic(
    env: *mut Env,
    gang: *mut Gang,
    site: SiteId,
    address: u64,
    private: u64,
) -> u64 {
    // SAFETY: the callers' rules hold for `env`.
    let runtime = unsafe { runtime_of(env) };
    let Some((op, ..)) = runtime.atomic_site(site as usize) else {
        // SAFETY: the call is a protected one, and nothing here needs dropping.
        unsafe { leave() }
    };
    // SAFETY: the gang's state is alive, and nothing else refers to it while the code waits for this call.
    let words = unsafe { &mut (*gang).scratch };
    let pair = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
    let (a, b) = (pair(words[0], words[1]), pair(words[2], words[3]));
    // SAFETY: the address was checked; where its page is missing, the access ends the protected call, and nothing needs dropping.
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

/// Clocks.
///
/// # Safety
/// None is needed: it is marked as all helpers are.
pub unsafe fn clock(which: u64) -> u64 {
    crate::clock::read(if which == 0 {
        Special::Clock64
    } else {
        Special::GlobalTimer
    })
}
