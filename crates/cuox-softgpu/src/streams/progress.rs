//! The progress of a queue, and waiting for it.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time that a thread polls before it sleeps: longer than an empty kernel, shorter than a time slice.
pub const SPIN: Duration = Duration::from_micros(30);
/// After this much of it the thread lets others run between looks.
const SELFISH: Duration = Duration::from_micros(3);

/// Work items of a queue are numbered from 1; they finish in order.
#[derive(Default)]
pub struct Progress {
    submitted: AtomicU64,
    completed: AtomicU64,
    sleepers: AtomicU32,
    lock: Mutex<()>,
    done: Condvar,
}

/// A point in a queue: reached when that many items are complete.
#[derive(Clone)]
pub struct Point {
    pub progress: Arc<Progress>,
    pub seq: u64,
}

impl Point {
    pub fn reached(&self) -> bool {
        self.progress.completed() >= self.seq
    }

    pub fn wait(&self) {
        self.progress.wait(self.seq);
    }
}

impl Progress {
    pub fn submitted(&self) -> u64 {
        self.submitted.load(Ordering::SeqCst)
    }

    pub fn completed(&self) -> u64 {
        self.completed.load(Ordering::SeqCst)
    }

    pub fn idle(&self) -> bool {
        self.completed() >= self.submitted()
    }

    /// Numbers a new item. The caller holds the queue's lock.
    pub fn next(&self) -> u64 {
        self.submitted.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// All items up to `seq` are complete.
    pub fn finish(&self, seq: u64) {
        self.completed.store(seq, Ordering::SeqCst);
        // A sleeper counts itself before its last look, so one of us sees the other.
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _guard = self.lock.lock();
            self.done.notify_all();
        }
    }

    /// The point after everything submitted so far, or `None` when that is already reached.
    pub fn pending(self: &Arc<Self>) -> Option<Point> {
        let seq = self.submitted();
        (self.completed() < seq).then(|| Point {
            progress: self.clone(),
            seq,
        })
    }

    pub fn wait(&self, seq: u64) {
        self.wait_until(seq, None);
    }

    /// Waits until `seq` is complete or the time is over; answers whether it is complete.
    pub fn wait_until(&self, seq: u64, deadline: Option<Instant>) -> bool {
        if self.completed() >= seq || spin_until(|| self.completed() >= seq) {
            return true;
        }
        let mut guard = self.lock.lock();
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let reached = loop {
            if self.completed() >= seq {
                break true;
            }
            match deadline {
                None => self.done.wait(&mut guard),
                Some(at) if self.done.wait_until(&mut guard, at).timed_out() => {
                    break self.completed() >= seq;
                }
                Some(_) => {}
            }
        };
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        reached
    }
}

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
    fn waiters_wake_and_time_out() {
        let p = Arc::new(Progress::default());
        assert!(p.idle() && p.pending().is_none());
        let seq = p.next();
        let point = p.pending().unwrap();
        assert!(!point.reached());
        assert!(!p.wait_until(seq, Some(Instant::now() + Duration::from_millis(5))));
        let t = std::thread::spawn({
            let p = p.clone();
            move || p.wait(seq)
        });
        std::thread::sleep(Duration::from_millis(10));
        p.finish(seq);
        t.join().unwrap();
        assert!(point.reached() && p.idle());
    }
}
