//! Entering Python from threads that are not Python's: a driver's, a C library's.
//!
//! Such a thread may come at any time, also while the interpreter ends. CPython does not defend itself then: making a
//! thread state reads what was freed already, and up to 3.13 a thread that waits for the lock is ended by
//! `pthread_exit`, which unwinds through our frames. So there is a gate, which is closed (by an `atexit` function)
//! while the interpreter still works as ever: whoever comes later stays outside, and who is inside is waited for.

use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyString, PyTuple};

/// Bit 0: the gate is closed. The rest counts the visitors.
static STATE: AtomicUsize = AtomicUsize::new(0);

const CLOSED: usize = 1;

const VISITOR: usize = 2;

/// The number of forks that this process descends from: a visit that began in the parent is not counted in the child.
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// The number of forks under way: see [`before_fork`].
static FORKING: AtomicUsize = AtomicUsize::new(0);

/// The number of threads that are between the gate and the interpreter's lock.
static ARRIVING: AtomicUsize = AtomicUsize::new(0);

/// The longest wait of a fork for threads that arrive, and of these for a fork: whatever else a program does before it
/// forks may need one of them.
const FORK_PATIENCE: Duration = Duration::from_secs(1);

const FORK_PAUSE: Duration = Duration::from_micros(50);

/// A thread that makes itself known to the interpreter. It holds a lock of CPython's for that, but not the lock that
/// whoever forks holds; a child made meanwhile by CPython before 3.12 would wait for that lock for ever.
struct Arrival {
    forks: usize,
}

impl Arrival {
    fn begin() -> Self {
        let start = Instant::now();
        loop {
            // Counted before the look, as in `Visit::begin`.
            let arrival = Self {
                forks: FORKS.load(SeqCst),
            };
            ARRIVING.fetch_add(1, SeqCst);
            if FORKING.load(SeqCst) == 0 || start.elapsed() >= FORK_PATIENCE {
                return arrival;
            }
            drop(arrival);
            std::thread::sleep(FORK_PAUSE);
        }
    }
}

impl Drop for Arrival {
    fn drop(&mut self) {
        if FORKS.load(SeqCst) == self.forks {
            ARRIVING.fetch_sub(1, SeqCst);
        }
    }
}

/// Before a fork: lets no thread make itself known to the interpreter until the fork is over.
fn before_fork(py: Python<'_>) {
    FORKING.fetch_add(1, SeqCst);
    if ARRIVING.load(SeqCst) != 0 {
        // Those on their way need the lock.
        py.detach(|| {
            let start = Instant::now();
            while ARRIVING.load(SeqCst) != 0 && start.elapsed() < FORK_PATIENCE {
                std::thread::sleep(FORK_PAUSE);
            }
        });
    }
}

fn after_fork_in_parent() {
    FORKING.fetch_sub(1, SeqCst);
}

/// A thread that is inside, and the value of [`FORKS`] when it came.
struct Visit(usize);

impl Visit {
    fn begin() -> Option<Self> {
        // Counted before the look, so that whoever closes the gate sees this visitor or this visitor the closed gate.
        let visit = Self(FORKS.load(SeqCst));
        let is_open = STATE.fetch_add(VISITOR, SeqCst) & CLOSED == 0;
        is_open.then_some(visit)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if FORKS.load(SeqCst) == self.0 {
            STATE.fetch_sub(VISITOR, SeqCst);
        }
    }
}

/// In a child process: the parent's other threads are not there, and the one that has forked is the child's main
/// thread, which nobody waits for.
fn after_fork_in_child() {
    FORKS.fetch_add(1, SeqCst);
    ARRIVING.store(0, SeqCst);
    FORKING.store(0, SeqCst);
    STATE.fetch_and(CLOSED, SeqCst);
}

/// Has the interpreter tell of its forks, from the first call on.
pub fn watch_forks(py: Python<'_>) -> PyResult<()> {
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if WATCHED.swap(true, SeqCst) {
        return Ok(());
    }
    let hook = |function: fn(Python<'_>)| {
        PyCFunction::new_closure(
            py,
            None,
            None,
            move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
                function(args.py());
            },
        )
    };
    let options = PyDict::new(py);
    if py.version_info() < (3, 12) {
        options.set_item("before", hook(before_fork)?)?;
        options.set_item("after_in_parent", hook(|_| after_fork_in_parent())?)?;
    }
    options.set_item("after_in_child", hook(|_| after_fork_in_child())?)?;
    py.import("os")?
        .call_method("register_at_fork", (), Some(&options))?;
    Ok(())
}

/// A guard that keeps the thread here if `pthread_exit` unwinds it: no frame behind this one is made for that, and the
/// process is about to end anyway. CPython 3.14 keeps such threads itself.
pub struct Hang;

impl Drop for Hang {
    fn drop(&mut self) {
        // A Rust panic unwinds too, and may go on. After a normal return the guard is forgotten.
        while !std::thread::panicking() {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

/// Runs code that may call Python. If the interpreter ends the thread in it, the thread hangs here: see [`Hang`].
#[inline]
pub fn hang_if_thread_exits<R>(work: impl FnOnce() -> R) -> R {
    let guard = Hang;
    let result = work();
    std::mem::forget(guard);
    result
}

/// Functions in which Python code runs for long. Said to unwind, so that unwinding comes to [`Hang`]: as pyo3 declares
/// them, the compiler leaves nothing behind such a call that could be unwound, and the process is aborted.
#[allow(missing_docs, reason = "the functions of Python's C API")]
pub mod raw {
    use pyo3::ffi::PyObject;

    unsafe extern "C-unwind" {
        pub fn PyObject_Call(
            callable: *mut PyObject,
            args: *mut PyObject,
            names: *mut PyObject,
        ) -> *mut PyObject;
        pub fn PyObject_CallFunctionObjArgs(callable: *mut PyObject, ...) -> *mut PyObject;
        pub fn PyObject_GetAttr(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject;
        pub fn PyErr_WriteUnraisable(object: *mut PyObject);
    }
}

/// Calls a Python object, on a thread that may be ended in it.
pub fn call<'py>(
    callable: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    names: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let names = names.map_or(std::ptr::null_mut(), |names| names.as_ptr());
    // SAFETY: live objects, with the lock held; the result is a new reference, or null with an exception set.
    unsafe {
        let result =
            hang_if_thread_exits(|| raw::PyObject_Call(callable.as_ptr(), args.as_ptr(), names));
        Bound::from_owned_ptr_or_err(callable.py(), result)
    }
}

/// Calls a Python object with nothing.
pub fn call0<'py>(callable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    call(callable, &PyTuple::empty(callable.py()), None)
}

/// An attribute, on a thread that may be ended in it.
pub fn getattr<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: live objects, with the lock held; the result is a new reference, or null with an exception set.
    unsafe {
        let result = hang_if_thread_exits(|| raw::PyObject_GetAttr(object.as_ptr(), name.as_ptr()));
        Bound::from_owned_ptr_or_err(object.py(), result)
    }
}

/// Prints an exception that has no caller (`sys.unraisablehook`), on a thread that may be ended in it.
pub fn write_unraisable(error: PyErr, object: &Bound<'_, PyAny>) {
    error.restore(object.py());
    // SAFETY: a live object, with the lock held and an exception set.
    hang_if_thread_exits(|| unsafe { raw::PyErr_WriteUnraisable(object.as_ptr()) });
}

/// Runs `work` with the interpreter's lock, on any thread; `None` if the interpreter has ended, or is about to and the
/// thread is not one of Python's.
pub fn visit<R>(work: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    // SAFETY: may be asked at any time, on any thread.
    let known = unsafe { !ffi::PyGILState_GetThisThreadState().is_null() };
    // Given back last, when this thread's state is gone again.
    let visit = match known {
        true => None,
        false => Some(Visit::begin()?),
    };
    let arrival = visit.is_some().then(Arrival::begin);
    Python::try_attach(|py| {
        drop(arrival);
        hang_if_thread_exits(|| work(py))
    })
}

/// The interpreter's lock, held by any thread.
pub struct Inside {
    state: ffi::PyGILState_STATE,
    /// Given back last, when this thread's state is gone again.
    _visit: Option<Visit>,
}

impl Drop for Inside {
    fn drop(&mut self) {
        // SAFETY: as `enter` got it; a value that is neither sent nor shared is dropped by the thread that made it.
        unsafe { ffi::PyGILState_Release(self.state) };
    }
}

/// [`visit`] for hot code: pyo3 is not told.
#[inline]
pub fn enter() -> Option<Inside> {
    // SAFETY: may be asked at any time, on any thread; a thread state is made while the interpreter runs, and the
    // lock is given back once.
    unsafe {
        if ffi::Py_IsInitialized() == 0 {
            return None;
        }
        let known = !ffi::PyGILState_GetThisThreadState().is_null();
        let visit = match known {
            true => None,
            false => Some(Visit::begin()?),
        };
        let arrival = visit.is_some().then(Arrival::begin);
        let state = ffi::PyGILState_Ensure();
        drop(arrival);
        Some(Inside {
            state,
            _visit: visit,
        })
    }
}

/// Has the interpreter call a function soon in its main thread, without entering; false if it cannot, because it is
/// about to end or has too many such calls to make.
pub fn call_soon(function: extern "C" fn(*mut c_void) -> c_int) -> bool {
    // SAFETY: may be asked at any time, on any thread.
    if unsafe { ffi::Py_IsInitialized() } == 0 {
        return false;
    }
    let Some(_visit) = Visit::begin() else {
        return false;
    };
    // SAFETY: any thread may, while there is an interpreter, which does not end while we visit.
    unsafe { ffi::Py_AddPendingCall(Some(function), std::ptr::null_mut()) == 0 }
}

/// Closes the gate to threads that Python does not know. Called by Python's main thread.
pub fn close() {
    // SAFETY: pthread_self has no preconditions.
    CLOSER.store(unsafe { libc::pthread_self() } as usize, SeqCst);
    STATE.fetch_or(CLOSED, SeqCst);
}

/// Closes the gate, and waits for visitors, for [`COURTESY`] at most.
pub fn close_and_wait(py: Python<'_>) {
    close();
    let start = Instant::now();
    py.detach(|| {
        while visitors() != 0 && start.elapsed() < COURTESY {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

/// The longest wait of the interpreter's end for a thread of a C library that is in a callback.
pub const COURTESY: Duration = Duration::from_secs(1);

/// Has the gate closed by `atexit`, before all that was registered earlier is called, and told of forks.
pub fn close_at_exit(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    watch_forks(py)?;
    let close = PyCFunction::new_closure(
        py,
        None,
        None,
        |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
            close_and_wait(args.py());
        },
    )?;
    py.import("atexit")?.call_method1("register", (close,))?;
    Ok(())
}

/// The thread that has closed the gate.
static CLOSER: AtomicUsize = AtomicUsize::new(0);

/// The exception of a signal handler, for a thread that waits without the interpreter's lock. Handlers run in the main
/// thread only; as the interpreter ends, other threads do not disturb it.
pub fn check_signals() -> Option<PyErr> {
    // SAFETY: pthread_self has no preconditions.
    let is_closer = || CLOSER.load(SeqCst) == unsafe { libc::pthread_self() } as usize;
    if STATE.load(SeqCst) & CLOSED != 0 && !is_closer() {
        return None;
    }
    Python::try_attach(|py| hang_if_thread_exits(|| py.check_signals().err())).flatten()
}

/// The number of threads inside.
pub fn visitors() -> usize {
    STATE.load(SeqCst) / VISITOR
}
