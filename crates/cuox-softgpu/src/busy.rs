//! How long a device has run kernels: `nvmlDeviceGetUtilizationRates` asks.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::settings::MOST_DEVICES;

/// The time in which at least one kernel ran.
pub struct Busy(Mutex<State>);

static DEVICES: [Busy; MOST_DEVICES] = [const { Busy::new() }; MOST_DEVICES];

/// That of a device of the process.
pub fn of(device: usize) -> Option<&'static Busy> {
    DEVICES.get(device)
}

struct State {
    running: usize,
    /// When the first of those that run began.
    since: Option<Instant>,
    before: Duration,
}

impl Busy {
    const fn new() -> Self {
        Self(Mutex::new(State {
            running: 0,
            since: None,
            before: Duration::ZERO,
        }))
    }

    /// The time up to now.
    pub fn time(&self) -> Duration {
        let state = self.0.lock();
        state.before + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// A kernel that runs until the result is dropped.
    pub fn kernel(&self) -> Running<'_> {
        let mut state = self.0.lock();
        state.running += 1;
        state.since.get_or_insert_with(Instant::now);
        Running(self)
    }
}

/// A kernel that runs.
pub struct Running<'a>(&'a Busy);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self.0.0.lock();
        state.running -= 1;
        if state.running == 0
            && let Some(since) = state.since.take()
        {
            state.before += since.elapsed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_at_the_same_time_count_once() {
        let busy = Busy::new();
        let begun = Instant::now();
        let first = busy.kernel();
        let second = busy.kernel();
        std::thread::sleep(Duration::from_millis(2));
        drop(first);
        assert!(busy.time() >= Duration::from_millis(2));
        drop(second);
        let (whole, counted) = (begun.elapsed(), busy.time());
        assert!(counted >= Duration::from_millis(2) && counted <= whole);
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(busy.time(), counted);
    }
}
