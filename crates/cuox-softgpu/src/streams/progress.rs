//! The progress of a queue, and waiting for it.

use cuox_simt::spin::spin_until;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Work items of a queue are numbered from 1; they finish in order.
pub struct Progress {
    submitted: AtomicU64,
    completed: AtomicU64,
    /// The first item that a sleeping thread waits for, or [`NOBODY`].
    awaited: AtomicU64,
    lock: Mutex<()>,
    done: Condvar,
}

/// No thread sleeps.
const NOBODY: u64 = u64::MAX;

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            submitted: AtomicU64::new(0),
            completed: AtomicU64::new(0),
            awaited: AtomicU64::new(NOBODY),
            lock: Mutex::default(),
            done: Condvar::default(),
        }
    }
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
        if self.idle() {
            NEWS.announce();
        }
        // A sleeper says what it waits for before its last look, so one of us sees the other.
        if self.awaited.load(Ordering::SeqCst) <= seq {
            let _guard = self.lock.lock();
            // Whoever wakes and has more to wait for says so again.
            self.awaited.store(NOBODY, Ordering::SeqCst);
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
        loop {
            self.awaited.fetch_min(seq, Ordering::SeqCst);
            if self.completed() >= seq {
                return true;
            }
            match deadline {
                None => self.done.wait(&mut guard),
                Some(at) if self.done.wait_until(&mut guard, at).timed_out() => {
                    return self.completed() >= seq;
                }
                Some(_) => {}
            }
        }
    }
}

/// Tells those who ask now and then whether work is done, and look elsewhere between, that they may ask again.
struct News {
    /// How often there was news.
    count: AtomicU64,
    sleepers: AtomicU64,
    lock: Mutex<()>,
    changed: Condvar,
}

static NEWS: News = News {
    count: AtomicU64::new(0),
    sleepers: AtomicU64::new(0),
    lock: Mutex::new(()),
    changed: Condvar::new(),
};

impl News {
    fn announce(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
        // A sleeper says that it is one before its last look, so one of us sees the other.
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _guard = self.lock.lock();
            self.changed.notify_all();
        }
    }

    fn wait(&self, seen: u64, longest: Duration) {
        let Some(deadline) = Instant::now().checked_add(longest) else {
            return;
        };
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut guard = self.lock.lock();
        while self.count.load(Ordering::SeqCst) == seen {
            if self.changed.wait_until(&mut guard, deadline).timed_out() {
                break;
            }
        }
        drop(guard);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Tells that an event has been reached.
pub fn announce_event() {
    NEWS.announce();
}

/// Waits until a stream of the process is idle or an event is reached, if that has not been since this returned `seen`,
/// for so long at most. Returns the number to give next time.
pub fn await_progress(seen: u64, longest: Duration) -> u64 {
    if !longest.is_zero() {
        NEWS.wait(seen, longest);
    }
    NEWS.count.load(Ordering::SeqCst)
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

    #[test]
    fn any_progress_ends_a_wait_for_news() {
        let before = await_progress(0, Duration::ZERO);
        let p = Progress::default();
        p.finish(p.next());
        // Not the whole time: there has been news.
        let longest = Duration::from_secs(10);
        let after = await_progress(before, longest);
        assert!(after > before);
        let start = Instant::now();
        let sleeper = std::thread::spawn(move || {
            // Other tests' queues make news, too.
            (0..20).fold(after, |seen, _| await_progress(seen, longest))
        });
        while !sleeper.is_finished() {
            p.finish(p.next());
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(sleeper.join().unwrap() > after && start.elapsed() < longest);
    }

    #[test]
    fn each_sleeper_wakes_at_its_own_item() {
        let p = Arc::new(Progress::default());
        let last = (0..40).map(|_| p.next()).next_back().unwrap();
        let sleepers: Vec<_> = (1..=last)
            .rev()
            .map(|seq| {
                let p = p.clone();
                std::thread::spawn(move || {
                    p.wait(seq);
                    assert!(p.completed() >= seq);
                })
            })
            .collect();
        for seq in 1..=last {
            std::thread::sleep(Duration::from_micros(200));
            p.finish(seq);
        }
        for sleeper in sleepers {
            sleeper.join().unwrap();
        }
    }
}
