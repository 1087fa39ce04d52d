//! Memory of blocks in flight, which is reused: their shared and local windows; and a launch's parameters.

use crate::fault::{Fault, FaultKind};
use crate::space;
use std::sync::{Mutex, PoisonError};

/// A committed range of the device address space; dropping it frees the range.
struct Range {
    at: u64,
    len: u64,
}

impl Range {
    fn new(len: u64) -> Result<Range, Fault> {
        let none = || {
            Fault::new(
                FaultKind::OutOfResources,
                format!("cannot allocate {len} bytes for a block's memory"),
            )
        };
        let len = len.max(1).next_multiple_of(4096);
        let at = space::reserve(len, 4096).ok_or_else(none)?;
        // SAFETY: the range was just reserved.
        if unsafe { space::commit(at, len) }.is_err() {
            // SAFETY: the range was reserved above and is unused.
            unsafe { space::unreserve(at, len) };
            return Err(none());
        }
        Ok(Range { at, len })
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: the range belongs to this object, and the code that used it has ended.
        unsafe {
            space::decommit(self.at, self.len);
            space::unreserve(self.at, self.len);
        }
    }
}

/// Shared and local memory of one block at a time.
pub struct Window {
    shared: Range,
    local: Option<Range>,
}

/// Windows that no block uses.
struct Kept {
    windows: Vec<Window>,
    bytes: u64,
}

static WINDOWS: Mutex<Kept> = Mutex::new(Kept {
    windows: Vec::new(),
    bytes: 0,
});
/// So many windows are kept, and so many more as fit in these bytes: grids whose blocks wait for each other have many
/// blocks in flight. Others are returned to the system.
const KEPT: usize = 64;
const KEPT_BYTES: u64 = 64 << 20;
/// The smallest shared memory of a window: enough for most kernels, so that windows are reused.
const SHARED: u64 = 64 << 10;
/// Memory before shared memory. Masked loads of the first threads' neighbours reach there with inactive lanes, which
/// processors are slow at where there is no memory. Stray accesses by generic pointers are not found there, as behind
/// small shared memory.
const AHEAD: u64 = 4096;

impl Window {
    /// Returns a window with at least these sizes.
    pub fn take(shared: u64, local: u64) -> Result<Window, Fault> {
        let kept = {
            let mut kept = WINDOWS.lock().unwrap_or_else(PoisonError::into_inner);
            let window = kept.windows.pop();
            kept.bytes -= window.as_ref().map_or(0, Window::bytes);
            window
        };
        let mut window = match kept {
            Some(window) if window.shared.len >= AHEAD + shared => window,
            _ => {
                let range = Range::new(AHEAD + shared.max(SHARED))?;
                // Memory that nobody has written is not there yet.
                // SAFETY: the range is committed, and owned.
                unsafe { (range.at as *mut u64).write(0) };
                Window {
                    shared: range,
                    local: None,
                }
            }
        };
        if local > window.local.as_ref().map_or(0, |l| l.len) {
            window.local = None;
            window.local = Some(Range::new(local)?);
        }
        Ok(window)
    }

    /// Keeps the window for reuse.
    pub fn keep(self) {
        let mut kept = WINDOWS.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = kept.bytes + self.bytes();
        if kept.windows.len() < KEPT || bytes <= KEPT_BYTES {
            kept.windows.push(self);
            kept.bytes = bytes;
        }
    }

    fn bytes(&self) -> u64 {
        self.shared.len + self.local.as_ref().map_or(0, |local| local.len)
    }

    /// Returns the host address of the shared window.
    pub fn shared(&self) -> u64 {
        self.shared.at + AHEAD
    }

    /// Returns the host address of the first thread's local memory.
    pub fn local(&self) -> u64 {
        self.local.as_ref().map_or(0, |l| l.at)
    }
}

/// The largest size of a kernel's parameters, in bytes.
pub const PARAM_LIMIT: usize = 32764;
/// Bytes for the parameters; the workspace is behind them.
pub const PARAM_ROOM: u64 = 32 << 10;
/// Bytes behind the parameters that a cooperative launch's grid barrier uses.
pub const WORKSPACE: u64 = 64;

/// Device memory that holds a launch's parameters and its workspace.
pub struct Params(Range);

static PARAMS: Mutex<Vec<Params>> = Mutex::new(Vec::new());

impl Params {
    /// Returns a copy of `bytes` (at most [`PARAM_LIMIT`]); the workspace is zero.
    pub fn new(bytes: &[u8]) -> Result<Params, Fault> {
        let kept = PARAMS.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let params = match kept {
            Some(params) => params,
            None => Params(Range::new(PARAM_ROOM + WORKSPACE)?),
        };
        let len = bytes.len().min(PARAM_ROOM as usize);
        // SAFETY: the range is committed, owned, and longer than both.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), params.0.at as *mut u8, len);
            std::ptr::write_bytes(params.workspace() as *mut u8, 0, WORKSPACE as usize);
        }
        Ok(params)
    }

    /// Returns the address of the parameters.
    pub fn address(&self) -> u64 {
        self.0.at
    }

    /// Returns the address of the workspace.
    pub fn workspace(&self) -> u64 {
        self.0.at + PARAM_ROOM
    }

    /// Keeps the memory for reuse.
    pub fn keep(self) {
        let mut kept = PARAMS.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT {
            kept.push(self);
        }
    }
}
