//! The second tier: kernels that run long get code by LLVM, which is made in the background and which later launches
//! take.

use crate::jit;
use crate::module::{Jitted, Kernel, Make};
use cuox_cache::{Key, Store};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time that a kernel has run for when better code is worth the making, which takes some hundred milliseconds of
/// another processor, once: it is kept for later processes, which have it from their first launch on.
const WORTH: Duration = Duration::from_millis(10);

/// The better code of a kernel.
#[derive(Default)]
pub(crate) struct Tier {
    /// Nanoseconds that its launches took.
    spent: AtomicU64,
    made: Mutex<HashMap<Make, State>>,
}

#[derive(Clone)]
pub(crate) enum State {
    /// It is not known yet whether it is worth having.
    Unknown,
    /// It is being made, or cannot be.
    Unavailable,
    Ready(Jitted),
}

/// What is kept of better code beside its files: the name of the hot part's, and whether that is a function of a warp.
struct Kept {
    hot: Key,
    warp: bool,
}

impl Kept {
    fn encode(&self) -> Vec<u8> {
        [&self.hot.0[..], &[u8::from(self.warp)]].concat()
    }

    fn decode(bytes: &[u8]) -> Option<Kept> {
        let (hot, rest) = bytes.split_first_chunk()?;
        let warp = match rest {
            [0] => false,
            [1] => true,
            _ => return None,
        };
        Some(Kept {
            hot: Key(*hot),
            warp,
        })
    }
}

/// Returns the better code that a process before this one had made. LLVM is not started for it.
fn kept(kernel: &Kernel, key: Make, threads: u32) -> Option<Jitted> {
    let store = jit::cache::installed().store()?;
    let kept = Kept::decode(&store.load(&kernel.tier_key(key)?)?)?;
    if !jit::is_llvm_wanted() {
        return None;
    }
    let hot = store.load(&kept.hot)?;
    let code = kernel.with_hot(key, kept.warp, &hot).ok()?;
    code.prepare(threads).ok()?;
    store.count();
    Some(Jitted::new(Ok(code)))
}

/// Keeps for later processes that there is better code.
fn keep(kernel: &Kernel, key: Make, code: &jit::Compiled) {
    let hot = jit::cache::key::of(&code.plan, jit::CodePart::Hot);
    if let (Some(store), Some(name), Some(hot)) =
        (jit::cache::installed().store(), kernel.tier_key(key), hot)
    {
        let warp = code.plan.shape == jit::Shape::Warp;
        Store::save(store, name, Kept { hot, warp }.encode());
    }
}

impl Tier {
    fn made(&self) -> MutexGuard<'_, HashMap<Make, State>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what has become of the better code.
    pub fn state(&self, kernel: &Kernel, key: Make, threads: u32) -> State {
        if let Some(state) = self.made().get(&key) {
            return state.clone();
        }
        // Other launches do not wait for this one to read files.
        let found = kept(kernel, key, threads).map_or(State::Unknown, State::Ready);
        self.made().entry(key).or_insert(found).clone()
    }

    /// Notes the time of a launch with other code, and has better code made if the kernel has run for long.
    pub fn ran(&self, kernel: &Kernel, key: Make, threads: u32, time: Duration) {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let spent = self.spent.fetch_add(time, Ordering::Relaxed);
        if u128::from(spent.saturating_add(time)) < WORTH.as_nanos() {
            return;
        }
        let mut made = self.made();
        if !matches!(made.get(&key), Some(State::Unknown)) {
            return;
        }
        made.insert(key, State::Unavailable);
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
            if let Ok(compiled) = code.as_ref()
                && ready(compiled)
            {
                keep(&kernel, key, compiled);
                kernel.tier.made().insert(key, State::Ready(code));
            }
        };
        // Without a thread the kernel keeps the code that it has.
        let _ = std::thread::Builder::new()
            .name("cuox-llvm-tier".into())
            .stack_size(16 << 20)
            .spawn(make);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_as_written_and_nothing_else() {
        for warp in [false, true] {
            let bytes = Kept {
                hot: Key(*b"0123456789abcdef"),
                warp,
            }
            .encode();
            let kept = Kept::decode(&bytes).expect("as written");
            assert_eq!((kept.hot.0, kept.warp), (*b"0123456789abcdef", warp));
            for wrong in [
                &bytes[..16],
                &bytes[..3],
                &[],
                &[&bytes[..16], &[2]].concat(),
            ] {
                assert!(Kept::decode(wrong).is_none(), "{wrong:?}");
            }
            assert!(Kept::decode(&[&bytes[..], &[0]].concat()).is_none());
        }
    }
}
