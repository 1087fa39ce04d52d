//! Waiting that can be interrupted.
//!
//! The driver's own waits cannot be left before the work is done. These ask again and again instead: without a
//! pause for the first few microseconds, then with pauses that grow with the time waited, so that neither a short
//! wait gets much longer nor a long one costs much processor time. The software GPU ends a pause when work has ended.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::callback;
use crate::context::Context;
use crate::driver::Driver;
use crate::error::{Error, Result};

/// Asks without pauses for this long: about what a small kernel takes. A kernel of the software GPU may need this very
/// processor.
const SPIN: Duration = Duration::from_micros(30);
const SOFT_SPIN: Duration = Duration::from_micros(3);
/// Then lets others run between questions until here, since the shortest sleep that the system keeps is longer than
/// it says.
const YIELD: Duration = Duration::from_micros(250);
const SHORTEST: Duration = Duration::from_micros(20);
const LONGEST: Duration = Duration::from_millis(2);

/// The pause after having waited `elapsed`: at most a sixteenth of it, from 20 µs to 2 ms.
fn pause(elapsed: Duration) -> Duration {
    (elapsed / 16).clamp(SHORTEST, LONGEST)
}

/// Asks `done` until it says `true` or fails, and `stop` after each pause. Pauses of the driver's end early.
pub(crate) fn poll(
    driver: Option<&Driver>,
    done: &mut dyn FnMut() -> Result<bool>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<()> {
    if done()? {
        return Ok(());
    }
    let start = Instant::now();
    let news = |seen, longest| driver?.await_progress(seen, longest);
    let mut seen = news(0, Duration::ZERO);
    let spin = if seen.is_some() { SOFT_SPIN } else { SPIN };
    loop {
        let elapsed = start.elapsed();
        if elapsed < spin {
            std::hint::spin_loop();
        } else if elapsed < YIELD {
            std::thread::yield_now();
        } else {
            if stop() {
                return Err(Error::Interrupted);
            }
            match seen {
                Some(last) => seen = news(last, pause(elapsed)),
                None => std::thread::sleep(pause(elapsed)),
            }
        }
        if done()? {
            return Ok(());
        }
    }
}

/// Waits for a whole context. The driver has no question for that, so the context's own streams are asked one by one,
/// which leaves little for the blocking call to wait for. Streams that other libraries made cannot be listed: once
/// one of them was seen, the blocking call is made by a thread of its own, which outlives an interrupted wait.
pub(crate) fn context(context: &Context, stop: &mut dyn FnMut() -> bool) -> Result<()> {
    callback::check("cuCtxSynchronize")?;
    for stream in context.streams() {
        // Other failures show in the last call too, unless they only mean that the stream cannot be asked now.
        if let Err(Error::Interrupted) = poll(Some(stream.driver()), &mut || stream.is_done(), stop)
        {
            return Err(Error::Interrupted);
        }
    }
    if context.has_foreign_streams() {
        on_a_thread(context, stop)
    } else {
        context.sync()
    }
}

fn on_a_thread(context: &Context, stop: &mut dyn FnMut() -> bool) -> Result<()> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let here = context.clone();
    let spawned = std::thread::Builder::new()
        .name("cuox-wait".into())
        .spawn(move || {
            let done = here.sync();
            // The handle goes first: once the answer is out, nothing of the caller's may be held here.
            drop(here);
            let _ = sender.send(done);
        });
    if spawned.is_err() {
        // No thread to be had: the plain wait is better than none.
        return context.sync();
    }
    let start = Instant::now();
    loop {
        match receiver.recv_timeout(pause(start.elapsed())) {
            Ok(done) => return done,
            Err(mpsc::RecvTimeoutError::Timeout) if stop() => return Err(Error::Interrupted),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return context.sync(),
        }
    }
}

/// True if work is over, as the answer to that question says: what is lost with its context is; a driver that does not
/// answer, as inside a host function, says nothing.
pub(crate) fn is_over(done: Result<bool>) -> bool {
    done.unwrap_or_else(|error| error.is_sticky())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_with_the_wait_and_stay_in_their_range() {
        assert_eq!(pause(Duration::ZERO), SHORTEST);
        assert_eq!(pause(Duration::from_millis(16)), Duration::from_millis(1));
        assert_eq!(pause(Duration::from_secs(9)), LONGEST);
    }

    #[test]
    fn done_at_once_never_asks_whether_to_stop() {
        poll(None, &mut || Ok(true), &mut || panic!("asked")).unwrap();
    }

    #[test]
    fn stop_ends_the_wait_and_failures_come_through() {
        let mut asked = 0;
        let ended = poll(None, &mut || Ok(false), &mut || {
            asked += 1;
            asked == 3
        });
        assert!(matches!(ended, Err(Error::Interrupted)));
        let mut left = 5;
        let failed = poll(
            None,
            &mut || {
                left -= 1;
                if left == 0 {
                    Err(Error::driver(700, "cuStreamQuery"))
                } else {
                    Ok(false)
                }
            },
            &mut || false,
        );
        assert_eq!(failed.unwrap_err().driver_code(), Some(700));
    }
}
