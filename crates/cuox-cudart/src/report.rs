//! `CUOX_SOFT_API_ERRORS=1`: calls that failed, told to cuox's driver, which reports them, and not the calls of its own
//! that were made for them.

use core::cell::Cell;
use core::ffi::{CStr, c_char, c_void};
use core::ptr::NonNull;
use std::sync::OnceLock;

use crate::driver;
use crate::error;
use crate::generated::cudaError;

/// The driver's functions for it.
struct Listener {
    begin: extern "C" fn(),
    end: unsafe extern "C" fn(*const u8, usize, *const c_char, u32),
}

thread_local! {
    /// The error of the call that this thread is in.
    static FAILED: Cell<Option<cudaError>> = const { Cell::new(None) };
}

fn find() -> Option<Listener> {
    let asked = std::env::var_os("CUOX_SOFT_API_ERRORS");
    if asked.is_none_or(|value| value.is_empty() || value == "0") {
        return None;
    }
    let begin = driver::symbol(c"cuox_runtime_call_begin")?;
    let end = driver::symbol(c"cuox_runtime_call_end")?;
    Some(Listener {
        // SAFETY: cuox's driver has these functions with these signatures.
        begin: unsafe { core::mem::transmute::<NonNull<c_void>, extern "C" fn()>(begin) },
        // SAFETY: as above.
        end: unsafe {
            core::mem::transmute::<
                NonNull<c_void>,
                unsafe extern "C" fn(*const u8, usize, *const c_char, u32),
            >(end)
        },
    })
}

/// A call that is reported if it fails.
pub struct Call {
    listener: &'static Listener,
    symbol: &'static str,
}

static LISTENER: OnceLock<Option<Listener>> = OnceLock::new();

/// Begins a call, if failed calls are to be reported.
#[inline]
pub fn begin(symbol: &'static str) -> Option<Call> {
    begin_with(LISTENER.get_or_init(find).as_ref()?, symbol)
}

/// Begins what is no call of the program's, if there was one: what fails of it is not reported.
pub fn begin_own() -> Option<Call> {
    begin_with(LISTENER.get()?.as_ref()?, "")
}

fn begin_with(listener: &'static Listener, symbol: &'static str) -> Option<Call> {
    FAILED.set(None);
    (listener.begin)();
    Some(Call { listener, symbol })
}

/// Notes the error of the call that this thread is in.
#[cold]
pub fn failed(error: cudaError) {
    FAILED.set(Some(error));
}

impl Call {
    /// Ends it.
    pub fn end(self) {
        let failed = FAILED.take().filter(|_| !self.symbol.is_empty());
        let (code, name) = match failed {
            None => (0, c"cudaSuccess"),
            Some(error) => (error.0, error::name(error).unwrap_or(c"an unknown code")),
        };
        let name: &CStr = name;
        // SAFETY: the pointers lead to a text of that length, and to a C string.
        unsafe {
            (self.listener.end)(self.symbol.as_ptr(), self.symbol.len(), name.as_ptr(), code);
        }
    }
}
