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

/// What is said, in a line of its own that stays, of work that takes so long that it may never end.
struct Warning {
    after: Duration,
    text: String,
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
        Self::watch(what, None)
    }

    /// The same of work that may never end: after so long a line with `warning` says so, once, also where standard
    /// error is no terminal, such as in a job of a cluster.
    #[must_use]
    pub fn begin_what_may_hang(what: &str, after: Duration, warning: &str) -> Self {
        let text = warning.to_owned();
        Self::watch(what, Some(Warning { after, text }))
    }

    fn watch(what: &str, warning: Option<Warning>) -> Self {
        static OFF: OnceLock<bool> = OnceLock::new();
        let is_terminal = std::io::stderr().is_terminal();
        if *OFF.get_or_init(|| std::env::var("CUOX_PROGRESS").is_ok_and(|value| value == "0"))
            || !(is_terminal || warning.is_some())
        {
            return Self { watcher: None };
        }
        let watched = Arc::new(Watched::default());
        let (shared, what) = (watched.clone(), is_terminal.then(|| one_line(what)));
        let thread = std::thread::Builder::new()
            .name("cuox progress".into())
            .spawn(move || {
                leave_signals_alone();
                shared.watch(what.as_deref(), warning);
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
    /// Waits for the end of the work; draws a line that says `what`, if there is one, and writes the warning.
    fn watch(&self, what: Option<&str>, mut warning: Option<Warning>) {
        let begin = Instant::now();
        let mut drawn = 0;
        let mut next = what.map(|_| begin + PATIENCE);
        let mut is_done = self.is_done.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let warn_at = warning.as_ref().map(|warning| begin + warning.after);
            let Some(at) = next.into_iter().chain(warn_at).min() else {
                return;
            };
            let pause = at.saturating_duration_since(Instant::now());
            let (guard, timeout) = self
                .done
                .wait_timeout_while(is_done, pause, |is_done| !*is_done)
                .unwrap_or_else(PoisonError::into_inner);
            is_done = guard;
            if !timeout.timed_out() {
                break;
            }
            if warn_at == Some(at)
                && let Some(warning) = warning.take()
            {
                write(&format!("{}cuox: {}\n", blank(drawn), warning.text));
                drawn = 0;
            }
            if next == Some(at)
                && let Some(what) = what
            {
                let line = format!("cuox: {what}: {} s", begin.elapsed().as_secs());
                drawn = line.chars().count();
                // The cursor goes back, so that other output takes the line's place.
                write(&format!("\r{line}\r"));
                next = Some(at + PAUSE);
            }
        }
        write(&blank(drawn));
    }
}

/// Takes a line of so many characters away; of none it is empty.
fn blank(drawn: usize) -> String {
    match drawn {
        0 => String::new(),
        _ => format!("\r{:drawn$}\r", ""),
    }
}

fn write(text: &str) {
    if text.is_empty() {
        return;
    }
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
