//! Work that streams call back: functions of `Stream.add_callback`, and the end of copies that hold host memory.
//!
//! The driver is given a number, and what it stands for is kept here: so nothing is lost if the driver never calls (it
//! does not after a failure), and at the interpreter's end it is known what is pending.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cuox::callback;
use cuox::event::EventOptions;
use cuox::nvrtc::entry as nvrtc_entry;
use cuox_interpreter::gate;
use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::{OrRaise, wait};
use crate::idle;
use crate::support::host_view::HostView;

/// The work to be done when a stream comes to it.
pub enum StreamWork {
    Call(Py<PyAny>, Py<PyTuple>),
    /// A copy is over: its host memory may go.
    Release(#[allow(dead_code, reason = "held, never read")] HostView),
}

struct Pending {
    stream: cuox::Stream,
    /// `None` while the callback runs.
    work: Option<StreamWork>,
    /// The callback is part of a graph, each launch of which calls it.
    captured: bool,
    /// The driver has it. Before that, an idle stream says nothing about it.
    submitted: bool,
}

impl Pending {
    /// True if it will never begin if its stream is over.
    fn depends_on_stream(&self) -> bool {
        self.submitted && !self.captured && self.work.is_some()
    }

    fn is_waited_for(&self) -> bool {
        !self.captured && !matches!(self.work, Some(StreamWork::Release(_)))
    }
}

/// By the numbers that the driver has. No Python code runs while it is locked.
static PENDING: Mutex<BTreeMap<usize, Pending>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicUsize = AtomicUsize::new(1);
/// The number of callbacks that have begun or ended: a stream that makes progress is waited for.
static STEPS: AtomicUsize = AtomicUsize::new(0);
/// The number of graphs' callbacks that run.
static CALLED_BY_GRAPHS: AtomicUsize = AtomicUsize::new(0);
/// The last launch of a graph with callbacks in each stream that may not be over, and the event behind it.
static LAUNCHES: Mutex<Vec<(cuox::Stream, cuox::Event)>> = Mutex::new(Vec::new());
/// The interpreter is about to end.
static ENDING: AtomicBool = AtomicBool::new(false);

fn pending() -> MutexGuard<'static, BTreeMap<usize, Pending>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts a callback into a stream. `what` is the function that the user has called.
pub fn add(py: Python<'_>, stream: &cuox::Stream, work: StreamWork, what: &str) -> PyResult<()> {
    callback::check("cuLaunchHostFunc").or_raise_in(py, what)?;
    if ENDING.load(SeqCst) {
        if let StreamWork::Release(view) = work {
            // The copy goes on, perhaps until the process is gone.
            std::mem::forget(view);
            return Ok(());
        }
        return Err(PyRuntimeError::new_err(format!(
            "{what}: the interpreter is about to end, and calls nothing back any more"
        )));
    }
    forget_lost(py);
    let captured = stream.is_capturing().or_raise_in(py, what)?;
    let number = NEXT.fetch_add(1, SeqCst);
    pending().insert(
        number,
        Pending {
            stream: stream.clone(),
            work: Some(work),
            captured,
            submitted: false,
        },
    );
    // The driver may call before this returns, and the callback needs the GIL.
    idle::needs_gil(py);
    let done = idle::submit(py, stream, || {
        // SAFETY: `called` takes any number at any time, and catches panics.
        unsafe { stream.host_function(called, number as *mut c_void) }?;
        if let Some(entry) = pending().get_mut(&number) {
            entry.submitted = true;
        }
        Ok(())
    });
    if done.is_err() {
        let refused = pending().remove(&number);
        drop(refused);
    }
    done.or_raise_in(py, what)
}

/// Keeps a function for calls by the driver, of `function_address()` with the number that is returned, until it is
/// [forgotten](forget).
pub fn keep(stream: cuox::Stream, function: Py<PyAny>, py: Python<'_>) -> usize {
    let number = NEXT.fetch_add(1, SeqCst);
    let entry = Pending {
        stream,
        work: Some(StreamWork::Call(function, PyTuple::empty(py).unbind())),
        captured: true,
        submitted: true,
    };
    pending().insert(number, entry);
    number
}

/// Lets go of a function that was kept.
pub fn forget(number: usize) {
    // What is dropped may run Python code, which the lock is not held for.
    let ended = pending().remove(&number);
    drop(ended);
}

/// A graph with callbacks has been launched in a stream: the interpreter's end waits for it.
pub fn graph_launched(stream: &cuox::Stream) {
    // A launch that is captured is a part of another graph.
    if ENDING.load(SeqCst) || stream.is_capturing().unwrap_or(true) {
        return;
    }
    let mut launches = LAUNCHES.lock().unwrap_or_else(PoisonError::into_inner);
    launches.retain(|(known, event)| known == stream || is_under_way(event));
    if let Some((_, event)) = launches.iter().find(|(known, _)| known == stream)
        && event.record(stream).is_ok()
    {
        return;
    }
    launches.retain(|(known, _)| known != stream);
    let options = EventOptions {
        timing: false,
        ..EventOptions::default()
    };
    if let Ok(event) = cuox::Event::new(stream.context(), options)
        && event.record(stream).is_ok()
    {
        launches.push((stream.clone(), event));
    }
}

/// False for what has failed, or what a reset has ended.
fn is_under_way(event: &cuox::Event) -> bool {
    !event.is_done().unwrap_or(true)
}

/// The launches of graphs with callbacks that are not over.
fn graphs_under_way() -> usize {
    let mut launches = LAUNCHES.lock().unwrap_or_else(PoisonError::into_inner);
    launches.retain(|(_, event)| is_under_way(event));
    launches.len()
}

/// The address of the function that the driver calls.
pub fn function_address() -> usize {
    let function: unsafe extern "C" fn(*mut c_void) = called;
    function as usize
}

/// The function that the driver calls.
unsafe extern "C" fn called(number: *mut c_void) {
    let number = number as usize;
    let run = || {
        // Whoever stays outside leaves the work where it is: it is not to be dropped without the GIL.
        gate::visit(|py| serve(py, number));
    };
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| callback::run(run)));
}

fn serve(py: Python<'_>, number: usize) {
    let work = {
        let mut pending = pending();
        let Some(entry) = pending.get_mut(&number) else {
            return;
        };
        match (&entry.work, entry.captured) {
            (Some(StreamWork::Call(function, args)), true) => {
                Some(StreamWork::Call(function.clone_ref(py), args.clone_ref(py)))
            }
            (_, true) => return,
            _ => entry.work.take(),
        }
    };
    STEPS.fetch_add(1, SeqCst);
    let of_graph = pending().get(&number).is_some_and(|entry| entry.captured);
    CALLED_BY_GRAPHS.fetch_add(usize::from(of_graph), SeqCst);
    match work {
        Some(StreamWork::Call(function, args)) => {
            let function = function.bind(py);
            if let Err(error) = gate::call(function, args.bind(py), None) {
                gate::write_unraisable(error, function);
            }
        }
        work => drop(work),
    }
    CALLED_BY_GRAPHS.fetch_sub(usize::from(of_graph), SeqCst);
    STEPS.fetch_add(1, SeqCst);
    let mut pending = pending();
    if pending.get(&number).is_some_and(|entry| !entry.captured) {
        let ended = pending.remove(&number);
        drop(pending);
        drop(ended);
    }
}

/// True if the driver will call nothing more that is in a stream: it is empty, it has failed, or a reset has ended it.
fn is_over(stream: &cuox::Stream) -> bool {
    // A stream of others may be gone, and which one the thread's default stream is depends on the thread.
    let is_known = stream.is_owned() || stream.handle() == cuox::stream::LEGACY;
    if !is_known {
        return false;
    }
    // A query would invalidate a capture.
    let done = match stream.is_capturing() {
        Ok(true) => Ok(false),
        Ok(false) => stream.is_done(),
        Err(error) => Err(error),
    };
    match done {
        Ok(done) => done,
        Err(error) => error.is_sticky() || matches!(error, cuox::Error::Reset),
    }
}

/// Callbacks that may be lost, as seen at one moment: what is added to their streams afterwards is not judged with
/// them.
struct Suspects {
    streams: Vec<cuox::Stream>,
    /// In ascending order.
    numbers: Vec<usize>,
}

/// Lets go of callbacks that a failure has kept from being called, once there are many.
fn forget_lost(py: Python<'_>) {
    const MANY: usize = 1000;
    let suspects = {
        let pending = pending();
        if pending.len() < MANY || !pending.len().is_power_of_two() {
            return;
        }
        suspects(pending.iter())
    };
    py.detach(|| drop_of(suspects));
}

fn suspects<'a>(entries: impl Iterator<Item = (&'a usize, &'a Pending)>) -> Suspects {
    let (mut streams, mut numbers) = (Vec::<cuox::Stream>::new(), Vec::new());
    for (number, entry) in entries.filter(|(_, entry)| entry.depends_on_stream()) {
        numbers.push(*number);
        if streams.last() != Some(&entry.stream) && !streams.contains(&entry.stream) {
            streams.push(entry.stream.clone());
        }
    }
    Suspects { streams, numbers }
}

/// Removes those that have not begun and whose streams are over. Needs no GIL, and so leaves what it removes to
/// pyo3, which drops it when it has the GIL.
fn drop_of(suspects: Suspects) {
    let over: Vec<cuox::Stream> = suspects.streams.into_iter().filter(is_over).collect();
    if over.is_empty() {
        return;
    }
    let mut lost = Vec::new();
    pending().retain(|number, entry| {
        let is_lost = entry.depends_on_stream()
            && over.contains(&entry.stream)
            && suspects.numbers.binary_search(number).is_ok();
        if is_lost {
            lost.push((entry.stream.clone(), entry.work.take()));
        }
        !is_lost
    });
    drop(lost);
}

/// The longest wait for a callback that has not begun, while no other one begins or ends.
const PATIENCE: Duration = Duration::from_secs(5);

/// Waits for callbacks: without limit for those that have begun, as the interpreter waits for threads, and for others
/// as long as their streams make progress. Says how many are given up, and how many launches of graphs.
fn wait_for_pending(py: Python<'_>) -> PyResult<(usize, usize)> {
    let given_up = wait(py, "exit", |stop| {
        let (mut steps, mut since) = (STEPS.load(SeqCst), Instant::now());
        let mut pause = Duration::from_micros(50);
        loop {
            let (suspects, begun, waiting) = {
                let pending = pending();
                let waited_for = || pending.iter().filter(|(_, entry)| entry.is_waited_for());
                let begun = waited_for().any(|(_, entry)| entry.work.is_none());
                (suspects(waited_for()), begun, waited_for().count())
            };
            let graphs = graphs_under_way();
            let begun = begun || CALLED_BY_GRAPHS.load(SeqCst) != 0;
            if waiting == 0 && graphs == 0 {
                return Ok((0, 0));
            }
            drop_of(suspects);
            let now = STEPS.load(SeqCst);
            if now != steps {
                (steps, since) = (now, Instant::now());
                pause = Duration::from_micros(50);
            }
            if !begun && since.elapsed() >= PATIENCE {
                return Ok((waiting, graphs));
            }
            if stop() {
                return Err(cuox::Error::Interrupted);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    })?;
    Ok(given_up)
}

/// The longest wait for compilations of other threads; they stop earlier if NVRTC asks whether to.
const COMPILING: Duration = Duration::from_secs(60);

/// Waits until no thread is inside NVRTC, whose globals are about to be destroyed.
fn wait_for_compilations(py: Python<'_>) -> PyResult<()> {
    let start = Instant::now();
    wait(py, "exit", |stop| {
        while nvrtc_entry::under_way() != 0 && start.elapsed() < COMPILING {
            if stop() {
                return Err(cuox::Error::Interrupted);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    })
}

/// Called by `atexit`: waits for callbacks, then lets no thread into the interpreter that it does not know, nor any
/// other into NVRTC.
#[pyfunction]
pub fn _at_exit(py: Python<'_>) -> PyResult<()> {
    // A forked child has the parent's callbacks but none of the driver's threads, and perhaps a lock that one of them
    // held.
    if cuox::driver::forked() || ENDING.swap(true, SeqCst) {
        return Ok(());
    }
    let waited = wait_for_pending(py);
    gate::close_and_wait(py);
    nvrtc_entry::close();
    let compiled = wait_for_compilations(py);
    let (given_up, graphs) = waited?;
    compiled?;
    if given_up > 0 {
        let text = std::ffi::CString::new(format!(
            "{given_up} callback{} of a stream will not be called: the work before {} was not done {} seconds after the \
             program's end; sync() the stream before the program ends",
            if given_up == 1 { "" } else { "s" },
            if given_up == 1 { "it" } else { "them" },
            PATIENCE.as_secs()
        ))
        .unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)?;
    }
    if graphs > 0 {
        let text = std::ffi::CString::new(format!(
            "callbacks of {} will not be called: the work before them was not done {} seconds after the program's end; \
             sync() the stream before the program ends",
            if graphs == 1 { "a graph's launch".into() } else { format!("{graphs} launches of graphs") },
            PATIENCE.as_secs()
        ))
        .unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)?;
    }
    Ok(())
}

/// Has [`_at_exit`] called, before all that was registered earlier, and the gate told of forks.
pub fn set_up(module: &Bound<'_, PyModule>) -> PyResult<()> {
    gate::watch_forks(module.py())?;
    let function = wrap_pyfunction!(_at_exit, module)?;
    module
        .py()
        .import("atexit")?
        .call_method1("register", (function,))?;
    Ok(())
}
