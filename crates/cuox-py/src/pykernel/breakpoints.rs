//! Threads of kernels that stop at `breakpoint()` on the software GPU.
//!
//! The driver calls [`stopped`] on threads of its own, which wait there. Python is called by the thread that has
//! launched the kernel and waits for it ([`Waiter::serve`]): so a debugger has that thread's stack, Ctrl-C and standard
//! input, and one of the kernel's threads at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use cuox::driver::{DebuggerFunctions, Driver, Stopped};
use cuox::{Event, EventOptions};
use cuox_interpreter::gate;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::error::OrRaise;
use crate::support::in_debugger::{InDebugger, waits_for_itself};

/// The answers that a thread at a breakpoint gets, as Python gives them.
const GO_ON: i32 = 0;
/// It ends the grid.
const QUIT: i32 = -1;
/// It goes on, and so do all others of the launch.
const IGNORE: i32 = 2;

/// A thread at a breakpoint.
struct Stop {
    place: Vec<u8>,
    variables: u64,
    indices: [[u32; 3]; 4],
    answer: Mutex<Option<i32>>,
    answered: Condvar,
}

impl Stop {
    fn answer(&self, answer: i32) {
        *lock(&self.answer) = Some(answer);
        self.answered.notify_all();
    }

    fn wait(&self) -> i32 {
        let mut answer = lock(&self.answer);
        loop {
            if let Some(answer) = *answer {
                return answer;
            }
            answer = self
                .answered
                .wait(answer)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A launch that a thread of Python's waits for.
struct Launch {
    number: u64,
    stream: u64,
    stops: VecDeque<Arc<Stop>>,
    /// The answer for all further stops.
    decided: Option<i32>,
}

/// In the order in which they were launched.
static LAUNCHES: Mutex<(u64, Vec<Launch>)> = Mutex::new((0, Vec::new()));
/// Signalled when a thread has stopped.
static STOPPED: Condvar = Condvar::new();

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The function that the driver calls.
unsafe extern "C" fn stopped(stopped: *const Stopped) -> i32 {
    let wait = || {
        // SAFETY: the driver passes a structure that lives until the call returns.
        let stopped = unsafe { &*stopped };
        let stop = Arc::new(Stop {
            place: stopped.place().to_vec(),
            variables: stopped.variables,
            indices: stopped.indices,
            answer: Mutex::new(None),
            answered: Condvar::new(),
        });
        {
            let mut launches = lock(&LAUNCHES);
            let launch = launches.1.iter_mut().find(|l| l.stream == stopped.stream);
            match launch {
                Some(Launch {
                    decided: Some(answer),
                    ..
                }) => return *answer,
                Some(launch) => launch.stops.push_back(stop.clone()),
                None => {
                    static TELL: Once = Once::new();
                    TELL.call_once(|| {
                        eprintln!("cuox: a kernel has come to a breakpoint() while no thread of Python waits for it, and goes on");
                    });
                    return GO_ON;
                }
            }
            STOPPED.notify_all();
        }
        stop.wait()
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(wait)).unwrap_or(QUIT)
}

/// What the launching thread waits for.
enum Next {
    Done,
    Stop(Arc<Stop>),
    Look,
}

/// A thread that is about to launch a kernel and to wait for it.
pub struct Waiter {
    number: u64,
}

impl Waiter {
    /// Says that a kernel with breakpoints is about to be launched in a stream; `None` if the device is a GPU.
    pub fn new(py: Python<'_>, stream: &cuox::Stream) -> PyResult<Option<Self>> {
        let Some(functions) = functions_of(stream.context().driver()) else {
            return Ok(None);
        };
        if stream.is_capturing().or_raise(py)? {
            return Err(PyRuntimeError::new_err(
                "a kernel with breakpoint() cannot be captured: its launch waits for it",
            ));
        }
        static SET: Once = Once::new();
        // SAFETY: `stopped` may be called at any time on any thread, and catches panics.
        SET.call_once(|| unsafe { functions.set_debugger(stopped) });
        let id = stream.id().or_raise(py)?;
        let mut launches = lock(&LAUNCHES);
        launches.0 += 1;
        let number = launches.0;
        launches.1.push(Launch {
            number,
            stream: id,
            stops: VecDeque::new(),
            decided: None,
        });
        Ok(Some(Self { number }))
    }

    /// Waits for what was launched, and calls Python for each thread that stops: `debugger()` makes a session, which is
    /// called with `(place, variables, gridDim, blockDim, blockIdx, threadIdx)` and returns how the thread goes on.
    pub fn serve(
        self,
        py: Python<'_>,
        stream: &cuox::Stream,
        debugger: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let launched = stream.record(EventOptions::default()).or_raise(py)?;
        let mut session = None;
        let mut ended = None;
        let begun = Instant::now();
        loop {
            match py
                .detach(|| self.next(&launched))
                .or_raise_in(py, "kernel launch")?
            {
                Next::Done => return ended.map_or(Ok(()), Err),
                // The exception of a signal's handler; the kernel goes on, without stops.
                Next::Look => {
                    let raised = gate::check_signals();
                    if let Some(error) = raised.or_else(|| waits_for_itself(begun.elapsed())) {
                        return Err(error);
                    }
                }
                Next::Stop(stop) => {
                    let answer = match &session {
                        Some(session) => stop.show(session),
                        None => debugger
                            .call0()
                            .and_then(|made| stop.show(session.insert(made))),
                    };
                    match answer {
                        Ok(IGNORE) => {
                            self.decide(GO_ON);
                            stop.answer(GO_ON);
                        }
                        Ok(answer) if answer >= 0 => stop.answer(answer),
                        other => {
                            self.decide(QUIT);
                            stop.answer(QUIT);
                            ended = ended.or(other.err());
                        }
                    }
                }
            }
        }
    }

    /// Waits, for a while, until the launch is done or a thread of it stops.
    fn next(&self, launched: &Event) -> cuox::Result<Next> {
        const LOOK: Duration = Duration::from_millis(40);
        let start = Instant::now();
        loop {
            // Asked before: a thread that stops behind the end belongs to a later launch.
            let is_done = launched.is_done()?;
            if is_done {
                return Ok(Next::Done);
            }
            let mut launches = lock(&LAUNCHES);
            let mut stops = || {
                let own = launches.1.iter_mut().find(|l| l.number == self.number);
                own.and_then(|launch| launch.stops.pop_front())
            };
            if let Some(stop) = stops() {
                return Ok(Next::Stop(stop));
            }
            let waited = start.elapsed();
            if waited > LOOK {
                return Ok(Next::Look);
            }
            let pause = (waited / 16).clamp(Duration::from_micros(20), Duration::from_millis(2));
            drop(STOPPED.wait_timeout(launches, pause));
        }
    }

    /// Answers the threads that have stopped and those that will.
    fn decide(&self, answer: i32) {
        let mut launches = lock(&LAUNCHES);
        if let Some(launch) = launches.1.iter_mut().find(|l| l.number == self.number) {
            launch.decided = Some(answer);
            for stop in launch.stops.drain(..) {
                stop.answer(answer);
            }
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut launches = lock(&LAUNCHES);
        let Some(index) = launches.1.iter().position(|l| l.number == self.number) else {
            return;
        };
        let own = launches.1.remove(index);
        let next = launches.1.iter_mut().find(|l| l.stream == own.stream);
        match next {
            // They are threads of the next launch in the stream, unless this one is left before its end.
            Some(next) => next.stops.extend(own.stops),
            None => own.stops.iter().for_each(|stop| stop.answer(GO_ON)),
        }
    }
}

impl Stop {
    /// Calls Python for this thread.
    fn show(&self, session: &Bound<'_, PyAny>) -> PyResult<i32> {
        let py = session.py();
        let _inside = InDebugger::new();
        let [grid, block, block_index, thread_index] = self.indices.map(|[x, y, z]| (x, y, z));
        let place = PyBytes::new(py, &self.place);
        let args = (
            place,
            self.variables,
            grid,
            block,
            block_index,
            thread_index,
        );
        let args: Bound<'_, PyTuple> = args.into_pyobject(py)?;
        gate::call(session, &args, None)?.extract()
    }
}

fn functions_of(driver: &'static Driver) -> Option<&'static DebuggerFunctions> {
    driver.debugger()
}

/// The functions of the software GPU, which is open: something of it has stopped.
fn soft() -> PyResult<&'static DebuggerFunctions> {
    let driver = Driver::soft().ok().and_then(functions_of);
    driver.ok_or_else(|| PyRuntimeError::new_err("no debugger of the software GPU"))
}

fn not_accessible(address: u64, bytes: usize) -> PyErr {
    PyMemoryError::new_err(format!(
        "{bytes} bytes at {address:#x} are not accessible memory of the device"
    ))
}

/// Return bytes of the software GPU's memory as they are now.
#[pyfunction]
pub fn _read_kernel_memory(
    py: Python<'_>,
    address: u64,
    size: usize,
) -> PyResult<Bound<'_, PyBytes>> {
    let functions = soft()?;
    PyBytes::new_with(py, size, |bytes| match functions.read(address, bytes) {
        true => Ok(()),
        false => Err(not_accessible(address, size)),
    })
}

/// Write bytes to the software GPU's memory.
#[pyfunction]
pub fn _write_kernel_memory(address: u64, bytes: &[u8]) -> PyResult<()> {
    match soft()?.write(address, bytes) {
        true => Ok(()),
        false => Err(not_accessible(address, bytes.len())),
    }
}

/// Keep memory of the software GPU accessible to the process, also when it is freed, or end that.
#[pyfunction]
pub fn _pin_kernel_memory(address: u64, size: u64, on: bool) -> PyResult<()> {
    let functions = soft()?;
    if !on {
        functions.unpin(address, size);
        return Ok(());
    }
    match functions.pin(address, size) {
        true => Ok(()),
        false => Err(not_accessible(address, size as usize)),
    }
}
