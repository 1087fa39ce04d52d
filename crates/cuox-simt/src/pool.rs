//! The worker threads, shared by all launches.

use crate::spin::spin_until;
use crate::sys::cpus;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Work that several threads can do together; each call gets the number of its worker.
pub type Task<'a> = dyn Fn(u32) + Sync + 'a;

struct Ticket {
    task: *const Task<'static>,
    share: Arc<Share>,
}

// SAFETY: the task is `Sync`, and `Helpers::drop` waits until no ticket for it is queued or running.
unsafe impl Send for Ticket {}

#[derive(Default)]
struct Share {
    running: AtomicUsize,
    /// Held by the waiter from its last look until it sleeps.
    lock: Mutex<()>,
    ended: Condvar,
}

impl Share {
    /// One who ran it has come to the end.
    fn end(&self) {
        if self.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            drop(lock(&self.lock));
            self.ended.notify_all();
        }
    }

    /// Waits until all who run it have come to the end; no others may begin.
    fn wait(&self) {
        if spin_until(|| self.running.load(Ordering::Acquire) == 0) {
            return;
        }
        let mut guard = lock(&self.lock);
        while self.running.load(Ordering::Acquire) > 0 {
            guard = self
                .ended
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

struct Pool {
    queue: Mutex<VecDeque<Ticket>>,
    /// The length of the queue, for workers that look without its lock.
    queued: AtomicUsize,
    wake: Condvar,
    threads: usize,
    /// Keeps a small number of workers off the processor of the thread that wakes them. The system may otherwise run
    /// both there alternately for some milliseconds, which is as long as a launch.
    apart: Option<cpus::Apart>,
}

/// With more workers there are more processors, too, and the system finds an idle one.
const FEW: usize = 3;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of threads that run blocks at the same time: the number of processors, or the value of
/// `CUOX_SOFT_THREADS`.
pub fn workers() -> usize {
    static WORKERS: OnceLock<usize> = OnceLock::new();
    *WORKERS.get_or_init(|| {
        let found = || std::thread::available_parallelism().map_or(1, usize::from);
        count("CUOX_SOFT_THREADS").unwrap_or_else(found).min(MOST)
    })
}

/// Returns the number of multiprocessors that programs see: the value of `CUOX_SOFT_MULTIPROCESSORS`, and at least the
/// number of workers, as a block's multiprocessor is its worker. Programs that share out a GPU's multiprocessors expect
/// more than a small machine has processors.
pub fn multiprocessors() -> u32 {
    static MULTIPROCESSORS: OnceLock<u32> = OnceLock::new();
    *MULTIPROCESSORS.get_or_init(|| {
        let asked = count("CUOX_SOFT_MULTIPROCESSORS").unwrap_or(16);
        asked.clamp(workers(), MOST) as u32
    })
}

/// The number of workers that are the share of so many multiprocessors, at least one; all of them for none.
pub fn share_of(count: usize) -> usize {
    match count {
        0 => workers(),
        count => share(workers(), count, multiprocessors() as usize),
    }
}

fn share(workers: usize, count: usize, of: usize) -> usize {
    (workers * count.min(of) / of.max(1)).max(1)
}

/// Largest number of workers and of multiprocessors.
const MOST: usize = 1024;

/// Returns the number that a variable has, if it has one of at least 1.
fn count(variable: &str) -> Option<usize> {
    let text = std::env::var(variable).unwrap_or_default();
    let asked = text.trim().parse().ok().filter(|&n| n > 0);
    if asked.is_none() && !text.is_empty() {
        eprintln!("cuox: {variable}={text} is ignored: expected a number of at least 1");
    }
    asked
}

fn pool() -> &'static Arc<Pool> {
    static POOL: OnceLock<Arc<Pool>> = OnceLock::new();
    POOL.get_or_init(|| {
        let threads = workers() - 1;
        let pool = Arc::new(Pool {
            queue: Mutex::default(),
            queued: AtomicUsize::new(0),
            wake: Condvar::new(),
            threads,
            apart: (threads <= FEW).then(cpus::Apart::new),
        });
        for n in 0..threads {
            let pool = Arc::clone(&pool);
            let builder = std::thread::Builder::new().name(format!("cuox-worker-{n}"));
            // A thread that cannot be started only makes launches slower.
            let _ = builder.spawn(move || pool.work(n as u32 + 1));
        }
        pool
    })
}

/// Starts the threads. A thread that is started during a launch usually begins on the launch's own processor and
/// waits there until the launch has ended.
pub fn start() {
    pool();
}

impl Pool {
    fn work(&self, number: u32) {
        if let Some(apart) = &self.apart {
            apart.join();
        }
        loop {
            let ticket = self.next();
            // SAFETY: `Helpers` keeps the task alive until `running` is zero again.
            let task = unsafe { &*ticket.task };
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| task(number)));
            drop(outcome);
            ticket.share.end();
        }
    }

    /// Waits for a ticket, and says that it is taken.
    fn next(&self) -> Ticket {
        if self.apart.is_none() {
            // The next launch often comes soon, and waking takes about as long.
            spin_until(|| self.queued.load(Ordering::Relaxed) > 0);
        }
        let mut queue = lock(&self.queue);
        loop {
            if let Some(ticket) = queue.pop_front() {
                ticket.share.running.fetch_add(1, Ordering::Relaxed);
                self.queued.store(queue.len(), Ordering::Relaxed);
                let more = !queue.is_empty();
                drop(queue);
                if more {
                    // Waking takes time, and so is not left to one thread alone.
                    self.wake.notify_one();
                }
                return ticket;
            }
            queue = self
                .wake
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Threads that help with a task until dropped; dropping waits for those that have started.
pub struct Helpers<'a> {
    share: Arc<Share>,
    task: *const Task<'static>,
    _task: std::marker::PhantomData<&'a Task<'a>>,
}

impl<'a> Helpers<'a> {
    /// Asks up to `count` threads of the pool to call `task`.
    pub fn call(task: &'a Task<'a>, count: usize) -> Helpers<'a> {
        let pool = pool();
        // SAFETY: only the lifetime changes; see `Ticket`.
        let task: *const Task<'static> =
            unsafe { std::mem::transmute::<*const Task<'a>, *const Task<'static>>(task) };
        let share = Arc::new(Share::default());
        let count = count.min(pool.threads);
        {
            let mut queue = lock(&pool.queue);
            for _ in 0..count {
                queue.push_back(Ticket {
                    task,
                    share: Arc::clone(&share),
                });
            }
            pool.queued.store(queue.len(), Ordering::Relaxed);
        }
        if let Some(apart) = &pool.apart {
            apart.leave_this();
        }
        for _ in 0..count {
            pool.wake.notify_one();
        }
        Helpers {
            share,
            task,
            _task: std::marker::PhantomData,
        }
    }
}

impl Drop for Helpers<'_> {
    fn drop(&mut self) {
        let pool = pool();
        let mut queue = lock(&pool.queue);
        queue.retain(|t| {
            !std::ptr::addr_eq(t.task, self.task) || !Arc::ptr_eq(&t.share, &self.share)
        });
        pool.queued.store(queue.len(), Ordering::Relaxed);
        drop(queue);
        self.share.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::{Helpers, share};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    #[test]
    fn nobody_is_in_a_task_after_its_helpers_are_dropped() {
        let ask_often = |times: usize, panics: bool| {
            for n in 0..times {
                let (inside, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
                let task = |_: u32| {
                    inside.fetch_add(1, Ordering::SeqCst);
                    let call = calls.fetch_add(1, Ordering::SeqCst);
                    (0..n % 50).for_each(|_| std::hint::spin_loop());
                    inside.fetch_sub(1, Ordering::SeqCst);
                    assert!(!panics || call > 0, "as the test asked");
                };
                let helpers = Helpers::call(&task, 3);
                // Now and then until one has come, or for long enough.
                let begun = Instant::now();
                let long = Duration::from_micros(if n % 4 == 0 { 500 } else { 0 });
                while calls.load(Ordering::SeqCst) == 0 && begun.elapsed() < long {
                    std::hint::spin_loop();
                }
                drop(helpers);
                assert_eq!(inside.load(Ordering::SeqCst), 0);
                assert!(calls.load(Ordering::SeqCst) <= 3);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| ask_often(300, false));
            }
        });
        // A panic ends a call of the task, and no worker.
        ask_often(4, true);
        ask_often(300, false);
    }

    #[test]
    fn shares_are_at_least_one_worker_and_at_most_all() {
        for (workers, count, of, expected) in [
            (16, 8, 16, 8),
            (2, 8, 16, 1),
            (1, 8, 16, 1),
            (4, 16, 16, 4),
            (4, 40, 16, 4),
            (3, 8, 16, 1),
            (64, 8, 64, 8),
        ] {
            assert_eq!(
                share(workers, count, of),
                expected,
                "{workers} {count} {of}"
            );
        }
    }
}
