//! The second tier: kernels that run long get code by LLVM, which is made in the background and which later launches
//! take.

use crate::jit;
use crate::module::{Jitted, Kernel, Make};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time that a kernel has run for when better code is worth the making, which takes some hundred milliseconds of
/// another processor.
const WORTH: Duration = Duration::from_millis(50);

/// The better code of a kernel.
#[derive(Default)]
pub(crate) struct Tier {
    /// Nanoseconds that its launches took.
    spent: AtomicU64,
    made: Mutex<HashMap<Make, State>>,
}

#[derive(Clone)]
pub(crate) enum State {
    /// It is being made, or cannot be.
    None,
    Ready(Jitted),
}

impl Tier {
    /// Returns what has become of the better code, if it was asked for.
    pub fn state(&self, key: &Make) -> Option<State> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.get(key).cloned()
    }

    /// Notes the time of a launch with other code, and has better code made if the kernel has run for long.
    pub fn ran(&self, kernel: &Kernel, key: Make, threads: u32, time: Duration) {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let spent = self.spent.fetch_add(time, Ordering::Relaxed);
        if u128::from(spent.saturating_add(time)) < WORTH.as_nanos() {
            return;
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.contains_key(&key) {
            return;
        }
        made.insert(key, State::None);
        let Some(kernel) = kernel.shared() else {
            return;
        };
        let make = move || {
            if jit::has_llvm().is_err() {
                return;
            }
            let code = kernel.jitted(key);
            // With AVX-512 only code for single warps is better than what there is.
            let better =
                |code: &jit::Compiled| !jit::has_wide() || code.plan.shape == jit::Shape::Warp;
            let ready = |code: &jit::Compiled| better(code) && code.prepare(threads).is_ok();
            if code.as_ref().as_ref().is_ok_and(ready) {
                let mut made = kernel.tier.made.lock();
                let made = made.as_deref_mut().ok();
                made.and_then(|made| made.insert(key, State::Ready(code)));
            }
        };
        // Without a thread the kernel keeps the code that it has.
        let _ = std::thread::Builder::new()
            .name("cuox-llvm-tier".into())
            .stack_size(16 << 20)
            .spawn(make);
    }
}
