//! Giving up the interpreter's lock while C runs.
//!
//! A C function that waits with the lock held waits for ever if what it waits for needs the lock: another Python
//! thread, or a callback on a thread of C's. Giving the lock up takes longer than a short function, so most functions
//! ([`Gil::Auto`]) keep it, but only while there is neither another Python thread nor a callback. Two words tell:
//! [`LIVE_CALLBACKS`] counts callbacks, and the interpreter links the states of its threads in a list, newest first, so
//! that the oldest has a predecessor exactly if there is another. That list is found by looking, as in
//! [`layout`](crate::layout); where it is not as expected, another thread is assumed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use cuox_bind::plan::Gil;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};

use crate::interpreter::gate;

/// The number of callbacks that C may call. While it is 0, calls need neither `callbacks::pending::enter` nor `leave`.
pub static LIVE_CALLBACKS: AtomicU32 = AtomicU32::new(0);

/// The index of the word with a thread state's predecessor.
const PREVIOUS: usize = 0;

/// The index of the word with its successor.
const NEXT: usize = 1;

/// The index of the word with its interpreter.
const INTERPRETER: usize = 2;

/// The longest list of threads that is believed to be one.
const MAX_THREADS: usize = 100_000;

/// A word that is not zero, used if the list of threads is not known.
static UNKNOWN: AtomicUsize = AtomicUsize::new(1);

/// The oldest thread's state, or null.
///
/// # Safety
/// The lock is held.
unsafe fn oldest() -> *const usize {
    // SAFETY: all of the stable ABI. A new state is in the list from its creation to its end, and no code runs in it;
    // every state in the list has more than three words, and none ends while the lock is held.
    unsafe {
        let interpreter = ffi::PyInterpreterState_Get();
        let new = ffi::PyThreadState_New(interpreter);
        if new.is_null() {
            return std::ptr::null();
        }
        let word = |state: *const usize, index: usize| state.add(index).read();
        let mut state = new.cast::<usize>().cast_const();
        let mut known = word(state, PREVIOUS) == 0 && word(state, NEXT) != 0;
        for _ in 0..MAX_THREADS {
            known &= word(state, INTERPRETER) == interpreter as usize;
            if !known || word(state, NEXT) == 0 {
                break;
            }
            let next = word(state, NEXT) as *const usize;
            known &= next.is_aligned() && word(next, PREVIOUS) == state as usize;
            state = next;
        }
        known &= word(state, NEXT) == 0;
        ffi::PyThreadState_Clear(new);
        ffi::PyThreadState_Delete(new);
        match known {
            true => state,
            false => std::ptr::null(),
        }
    }
}

/// The address of a word that is zero as long as there is one Python thread; once it is known, of a word that is not
/// zero.
static WORD: OnceLock<usize> = OnceLock::new();

/// Finds the list of the interpreter's threads, unless it was found before.
pub fn watch_threads(py: Python<'_>) {
    WORD.get_or_init(|| {
        // SAFETY: `py` shows that the lock is held.
        let oldest = unsafe { oldest() };
        let watched = watch_forks(py, oldest as usize);
        if oldest.is_null() || watched.is_err() {
            return UNKNOWN.as_ptr() as usize;
        }
        oldest.wrapping_add(PREVIOUS) as usize
    });
}

/// The address of a word that is zero as long as there is one Python thread.
#[inline]
pub fn other_threads_word() -> usize {
    WORD.get().copied().unwrap_or(UNKNOWN.as_ptr() as usize)
}

/// True if there are other Python threads than one.
#[inline]
pub fn has_other_threads() -> bool {
    // SAFETY: a static, or the state of a thread that lives as long as the interpreter.
    unsafe { (other_threads_word() as *const usize).read_volatile() != 0 }
}

/// True if the lock is to be given up for a call with this plan. The lock is held.
#[inline]
pub fn should_release(gil: Gil) -> bool {
    match gil {
        Gil::Hold | Gil::Python => false,
        Gil::Release => true,
        Gil::Auto => LIVE_CALLBACKS.load(Ordering::Relaxed) != 0 || has_other_threads(),
    }
}

/// Assumes from here on that C may call Python code that is not counted in [`LIVE_CALLBACKS`].
pub fn assume_callbacks() {
    static ASSUMED: AtomicBool = AtomicBool::new(false);
    if !ASSUMED.swap(true, Ordering::Relaxed) {
        LIVE_CALLBACKS.fetch_add(1, Ordering::Relaxed);
    }
}

/// In a child process only the thread that has forked is left. If it was not the oldest, the word belongs to no thread.
fn watch_forks(py: Python<'_>, oldest: usize) -> PyResult<()> {
    gate::watch_forks(py)?;
    let forked = move |_: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        // SAFETY: the interpreter calls this function with its lock held.
        if unsafe { ffi::PyThreadState_Get() } as usize != oldest {
            assume_callbacks();
        }
    };
    let options = PyDict::new(py);
    let forked = PyCFunction::new_closure(py, None, None, forked)?;
    options.set_item("after_in_child", forked)?;
    py.import("os")?
        .call_method("register_at_fork", (), Some(&options))?;
    Ok(())
}
