//! Short waits: a thread looks for a while before it sleeps, as going to sleep and being woken takes about as long.

use std::time::{Duration, Instant};

/// Time that a thread looks before it sleeps: longer than an empty kernel, shorter than a time slice.
const SPIN: Duration = Duration::from_micros(30);
/// After this much of it the thread lets others run between looks.
const SELFISH: Duration = Duration::from_micros(3);

/// Looks for `done` for a short while; answers whether it came.
pub fn spin_until(mut done: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    loop {
        for _ in 0..32 {
            if done() {
                return true;
            }
            std::hint::spin_loop();
        }
        let spent = start.elapsed();
        if spent > SPIN {
            return done();
        }
        if spent > SELFISH {
            // Whoever is to do it may be waiting for this very processor.
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_seen_and_what_does_not_is_given_up() {
        let mut looks = 0;
        let third = || {
            looks += 1;
            looks == 3
        };
        assert!(spin_until(third));
        assert!(!spin_until(|| false));
    }
}
