//! Whether a thread of Python's is in a debugger of a kernel that has stopped: it must not wait for that kernel.

use std::cell::Cell;
use std::time::Duration;

use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;

thread_local! {
    static IN_DEBUGGER: Cell<bool> = const { Cell::new(false) };
}

/// The time in which this thread is in a debugger.
pub struct InDebugger {
    before: bool,
}

impl InDebugger {
    pub fn new() -> Self {
        let before = IN_DEBUGGER.replace(true);
        Self { before }
    }
}

impl Drop for InDebugger {
    fn drop(&mut self) {
        IN_DEBUGGER.set(self.before);
    }
}

/// The longest wait for the device in a debugger: what it waits for may be the kernel that has stopped.
const PATIENCE: Duration = Duration::from_secs(1);

/// The error of a thread that is in a debugger and has waited for the device for so long.
pub fn waits_for_itself(waited: Duration) -> Option<PyErr> {
    (waited > PATIENCE && IN_DEBUGGER.get()).then(|| {
        PyRuntimeError::new_err(
            "waited for the device in vain: a kernel has stopped at a breakpoint(). Its arrays can be read and written by their names in the kernel",
        )
    })
}
