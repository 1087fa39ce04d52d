//! A line on a terminal about work that takes long.

use std::io::{IsTerminal as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that takes less is done without a word.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(500);
/// The longest description, in characters: with the rest, a line has fewer than 80. One that wraps could not be taken
/// away.
const WIDTH: usize = 60;

/// Work that is going on: after two seconds a line on standard error says so, and for how long. It goes away when this
/// is dropped. There is none if standard error is no terminal, or with `CUOX_PROGRESS=0`.
pub struct Progress {
    watcher: Option<(Arc<Watched>, JoinHandle<()>)>,
}

#[derive(Default)]
struct Watched {
    is_done: Mutex<bool>,
    done: Condvar,
}

impl Progress {
    /// Begins to watch work; `what` says what is done, such as `compiling add.cu`.
    #[must_use]
    pub fn begin(what: &str) -> Self {
        static OFF: OnceLock<bool> = OnceLock::new();
        if *OFF.get_or_init(|| std::env::var("CUOX_PROGRESS").is_ok_and(|value| value == "0"))
            || !std::io::stderr().is_terminal()
        {
            return Self { watcher: None };
        }
        let watched = Arc::new(Watched::default());
        let (shared, what) = (watched.clone(), one_line(what));
        let thread = std::thread::Builder::new()
            .name("cuox progress".into())
            .spawn(move || {
                leave_signals_alone();
                shared.watch(&what);
            });
        // Without a thread there is no line.
        Self {
            watcher: thread.ok().map(|thread| (watched, thread)),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((watched, thread)) = self.watcher.take() {
            *watched
                .is_done
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = true;
            watched.done.notify_one();
            let _ = thread.join();
        }
    }
}

impl Watched {
    fn watch(&self, what: &str) {
        let begin = Instant::now();
        let (mut pause, mut drawn) = (PATIENCE, 0);
        let mut is_done = self.is_done.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let (guard, timeout) = self
                .done
                .wait_timeout_while(is_done, pause, |is_done| !*is_done)
                .unwrap_or_else(PoisonError::into_inner);
            is_done = guard;
            if !timeout.timed_out() {
                break;
            }
            let line = format!("cuox: {what}: {} s", begin.elapsed().as_secs());
            drawn = line.chars().count();
            // The cursor goes back, so that other output takes the line's place.
            write(&format!("\r{line}\r"));
            pause = PAUSE;
        }
        if drawn > 0 {
            write(&format!("\r{:drawn$}\r", ""));
        }
    }
}

fn write(text: &str) {
    // A terminal that has gone is no reason to fail.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn one_line(what: &str) -> String {
    what.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(WIDTH)
        .collect()
}

/// Signals are for the program's own threads.
fn leave_signals_alone() {
    // SAFETY: the set is filled before it is used, and the mask is this thread's own.
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
    }
}
