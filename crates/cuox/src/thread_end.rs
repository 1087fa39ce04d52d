//! What a thread does at its end, before the destructors of the driver.

use std::cell::RefCell;

type End = (usize, Box<dyn FnOnce()>);

struct Ends(Vec<End>);

thread_local! {
    static ENDS: RefCell<Ends> = const { RefCell::new(Ends(Vec::new())) };
}

/// Does something at the end of this thread, once for each name. Nothing is done or dropped at the end of the main
/// thread, which is that of the process.
#[cold]
pub(crate) fn once<F: FnOnce() + 'static>(name: usize, end: impl FnOnce() -> F) {
    // There is no list while the thread ends.
    let _ = ENDS.try_with(|ends| {
        if let Ok(mut ends) = ends.try_borrow_mut()
            && ends.0.iter().all(|(other, _)| *other != name)
        {
            ends.0.push((name, Box::new(end())));
        }
    });
}

impl Drop for Ends {
    fn drop(&mut self) {
        let ends = std::mem::take(&mut self.0);
        match cuox_stack::is_main_thread() {
            true => std::mem::forget(ends),
            false => ends.into_iter().for_each(|(_, end)| end()),
        }
    }
}
