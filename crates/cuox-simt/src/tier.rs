//! The second tier: kernels that run long get code by LLVM, which is made in the background and which later launches
//! take, if a trial does not show that it is slower.

use crate::jit;
use crate::module::{Jitted, Kernel, Make};
use cuox_cache::{Key, Store};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time that a kernel of up to [`FEW_INSTS`] instructions has run for when better code is worth the making, which takes
/// some hundred milliseconds of another processor, once: it is kept for later processes, which have it from their first
/// launch on.
const WORTH: Duration = Duration::from_millis(10);
const FEW_INSTS: usize = 100;

/// Returns that time for a kernel. LLVM takes more time than in proportion, some seconds for a thousand instructions,
/// and what has not been made when the process ends is lost.
fn worth(kernel: &Kernel) -> Duration {
    let times = kernel.insts().div_ceil(FEW_INSTS).clamp(1, 100) as u32;
    WORTH * times * times
}

/// The time for code that is expected to be no better, so that a trial has to show it.
const WORTH_A_TRIAL: Duration = Duration::from_secs(1);

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
    /// It is worth having after a longer time only.
    Doubtful,
    /// It is being made, cannot be, or is no better.
    Unavailable,
    /// Launches take it by turns.
    Trial(Arc<Trial>),
    Ready(Jitted),
}

/// Launches with each code that a trial counts.
const TURNS: usize = 3;

/// A trial of code against that which the kernel has: launches have them by turns.
///
/// Launches may differ in what they do. So the code that is expected to be better is taken unless each of its launches
/// took longer for a block than each one with the other.
pub(crate) struct Trial {
    code: Jitted,
    /// True if it is expected to be better.
    expected: bool,
    turns: AtomicUsize,
    times: Mutex<Times>,
}

/// Times for a block, in picoseconds, with the new code and with the other.
#[derive(Default)]
struct Times {
    new: Vec<u64>,
    other: Vec<u64>,
    /// True once it is known which one is taken.
    decided: bool,
}

impl Times {
    /// Adds a time. Returns whether the new code is to be taken, when that has come to be known.
    fn add(&mut self, new: bool, time: u64, expected: bool) -> Option<bool> {
        match new {
            true => self.new.push(time),
            false => self.other.push(time),
        }
        // A first launch may make code for what is rare.
        let own = self.new.get(1..).filter(|own| own.len() >= TURNS)?;
        let other = Some(&self.other).filter(|other| other.len() >= TURNS)?;
        // Launches that had begun before may end after that.
        if std::mem::replace(&mut self.decided, true) {
            return None;
        }
        let slower = |a: &[u64], b: &[u64]| {
            let (least, most) = (a.iter().min(), b.iter().max());
            least > most.map(|most| most + most / 32).as_ref()
        };
        Some(match expected {
            true => !slower(own, other),
            false => slower(other, own),
        })
    }
}

impl Trial {
    fn new(code: Jitted, expected: bool) -> Trial {
        Trial {
            code,
            expected,
            turns: AtomicUsize::new(0),
            times: Mutex::default(),
        }
    }

    /// The new code, if it is its turn.
    pub fn turn(&self) -> Option<Jitted> {
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        turn.is_multiple_of(2).then(|| Arc::clone(&self.code))
    }
}

/// What the gangs of some code are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gangs {
    /// True if each is a warp, with a function of its own.
    pub warp: bool,
    /// True if the last warp may lack threads.
    pub partial: bool,
}

/// What is kept of a trial's outcome, beside the files of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kept {
    /// The code is taken: the name of its hot part, and its gangs.
    Better { hot: Key, gangs: Gangs },
    /// The code of before stays.
    Worse,
    /// There is no function of a warp, and no trial has been made.
    Doubtful,
}

impl Kept {
    fn encode(self) -> Vec<u8> {
        match self {
            Kept::Better { hot, gangs } => {
                let gangs = u8::from(gangs.warp) | u8::from(gangs.partial) << 1;
                [&hot.0[..], &[gangs]].concat()
            }
            Kept::Worse => vec![0],
            Kept::Doubtful => vec![1],
        }
    }

    fn decode(bytes: &[u8]) -> Option<Kept> {
        match bytes {
            [0] => return Some(Kept::Worse),
            [1] => return Some(Kept::Doubtful),
            _ => {}
        }
        let (hot, rest) = bytes.split_first_chunk()?;
        let &[bits @ 0..=3] = rest else { return None };
        let gangs = Gangs {
            warp: bits & 1 != 0,
            partial: bits & 2 != 0,
        };
        let hot = Key(*hot);
        Some(Kept::Better { hot, gangs })
    }
}

/// Returns what a process before this one has found of code by LLVM, with that code. LLVM is not started for it.
fn kept(kernel: &Kernel, key: Make, threads: u32) -> Option<State> {
    let store = jit::cache::installed().store()?;
    let kept = Kept::decode(&store.load(&kernel.tier_key(key)?)?)?;
    let (hot, gangs) = match kept {
        Kept::Better { hot, gangs } => (hot, gangs),
        Kept::Worse => return Some(State::Unavailable),
        Kept::Doubtful => return Some(State::Doubtful),
    };
    if !jit::is_llvm_wanted() {
        return None;
    }
    let hot = store.load(&hot)?;
    let code = kernel.with_hot(key, gangs, &hot).ok()?;
    code.prepare(threads).ok()?;
    store.count();
    Some(State::Ready(Jitted::new(Ok(code))))
}

impl Kept {
    /// Stands for code that a trial has found better.
    fn better(code: &jit::Compiled) -> Option<Kept> {
        let gangs = Gangs {
            warp: code.plan.shape.is_warp(),
            partial: code.plan.partial,
        };
        let hot = jit::cache::key::of(&code.plan, jit::CodePart::Hot)?;
        Some(Kept::Better { hot, gangs })
    }

    /// Keeps it for later processes.
    fn keep(self, kernel: &Kernel, key: Make) {
        let store = jit::cache::installed().store();
        if let (Some(store), Some(name)) = (store, kernel.tier_key(key)) {
            Store::save(store, name, self.encode());
        }
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
        let found = kept(kernel, key, threads).unwrap_or(State::Unknown);
        self.made().entry(key).or_insert(found).clone()
    }

    /// Notes the time of a launch with other code, and has better code made if the kernel has run for long.
    pub fn ran(&self, kernel: &Kernel, key: Make, threads: u32, time: Duration) {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let spent = self.spent.fetch_add(time, Ordering::Relaxed);
        let spent = Duration::from_nanos(spent.saturating_add(time));
        if spent < WORTH || spent < worth(kernel) {
            return;
        }
        let mut made = self.made();
        match made.get(&key) {
            Some(State::Unknown) => {}
            Some(State::Doubtful) if spent >= WORTH_A_TRIAL => {}
            _ => return,
        }
        made.insert(key, State::Unavailable);
        drop(made);
        let Some(kernel) = kernel.shared() else {
            return;
        };
        let make = move || {
            if jit::has_llvm().is_err() {
                return;
            }
            let code = kernel.jitted(key);
            let Ok(compiled) = code.as_ref() else {
                return;
            };
            // With AVX-512 other code is often no better than what there is; but it flushes by itself.
            let plan = &compiled.plan;
            let expected = !jit::has_wide() || plan.shape == jit::Shape::Warp || plan.flushes;
            let state = match expected || spent >= WORTH_A_TRIAL {
                false => {
                    Kept::Doubtful.keep(&kernel, key);
                    State::Doubtful
                }
                true if compiled.prepare(threads).is_err() => return,
                true => State::Trial(Arc::new(Trial::new(Arc::clone(&code), expected))),
            };
            kernel.tier.made().insert(key, state);
        };
        // Without a thread the kernel keeps the code that it has.
        let _ = std::thread::Builder::new()
            .name("cuox-llvm-tier".into())
            .stack_size(16 << 20)
            .spawn(make);
    }

    /// Notes the time for a block of a launch in a trial, and ends the trial if it is decided.
    pub fn tried(&self, kernel: &Kernel, key: Make, trial: &Trial, new: bool, time: u64) {
        let mut times = trial.times.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(better) = times.add(new, time, trial.expected) else {
            return;
        };
        let kept = match (better, trial.code.as_ref()) {
            (true, Ok(code)) => Kept::better(code),
            _ => Some(Kept::Worse),
        };
        if let Some(kept) = kept {
            kept.keep(kernel, key);
        }
        let state = match better {
            true => State::Ready(Arc::clone(&trial.code)),
            false => State::Unavailable,
        };
        self.made().insert(key, state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_goes_as_expected_unless_all_launches_say_otherwise() {
        let decide = |expected, own: [u64; 4], other: [u64; 3]| {
            let mut times = Times::default();
            let mut decided = Vec::new();
            for (n, &time) in own.iter().enumerate() {
                decided.push(times.add(true, time, expected));
                if let Some(&time) = other.get(n) {
                    decided.push(times.add(false, time, expected));
                }
            }
            let last = decided.pop().flatten();
            assert!(decided.iter().all(Option::is_none), "{decided:?}");
            assert_eq!(times.add(false, 1, expected), None);
            last
        };
        // The first launch does not count.
        assert_eq!(decide(true, [900, 90, 91, 92], [100, 101, 102]), Some(true));
        assert_eq!(
            decide(true, [9, 110, 111, 112], [100, 101, 102]),
            Some(false)
        );
        assert_eq!(
            decide(true, [9, 103, 104, 105], [100, 101, 102]),
            Some(true)
        );
        assert_eq!(decide(true, [9, 110, 10, 112], [100, 101, 102]), Some(true));
        assert_eq!(
            decide(true, [9, 110, 111, 112], [100, 101, 200]),
            Some(true)
        );
        assert_eq!(
            decide(false, [9, 110, 111, 112], [120, 121, 122]),
            Some(true)
        );
        assert_eq!(
            decide(false, [9, 110, 121, 112], [120, 121, 122]),
            Some(false)
        );
        assert_eq!(decide(false, [9, 90, 91, 92], [100, 1, 102]), Some(false));
    }

    #[test]
    fn what_is_kept_is_read_as_written_and_nothing_else() {
        let hot = Key(*b"0123456789abcdef");
        let all = [(false, false), (true, false), (false, true), (true, true)];
        let better = all.map(|(warp, partial)| Kept::Better {
            hot,
            gangs: Gangs { warp, partial },
        });
        for kept in better.into_iter().chain([Kept::Worse, Kept::Doubtful]) {
            let bytes = kept.encode();
            assert_eq!(Kept::decode(&bytes), Some(kept));
            assert_eq!(Kept::decode(&[&bytes[..], &[0]].concat()), None);
        }
        let bytes = better[0].encode();
        for wrong in [
            &bytes[..16],
            &bytes[..3],
            &[],
            &[2],
            &[&bytes[..16], &[4]].concat(),
        ] {
            assert_eq!(Kept::decode(wrong), None, "{wrong:?}");
        }
    }
}
