//! A place for something that can be closed.

use std::cell::UnsafeCell;

use pyo3::prelude::*;

use crate::error::to_py;

/// Holds a `T` until it is closed. Reading costs a clone, no lock: the GIL is the lock, and the token proves it.
pub struct Slot<T> {
    what: &'static str,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is only reached with a `Python` token, that is by one thread at a time (abi3 extensions are not
// loaded by free-threaded interpreters), and neither `T::clone` nor a move runs Python code that could come back.
unsafe impl<T: Send> Sync for Slot<T> {}

impl<T: Clone + Send> Slot<T> {
    /// An open slot; `what` names the object in the error of later uses.
    pub const fn new(what: &'static str, value: T) -> Self {
        Self {
            what,
            value: UnsafeCell::new(Some(value)),
        }
    }

    /// The value, or the error of use after close.
    #[inline]
    pub fn get(&self, py: Python<'_>) -> PyResult<T> {
        // SAFETY: see `Sync`; the reference ends before this returns.
        match unsafe { &*self.value.get() } {
            Some(value) => Ok(value.clone()),
            None => Err(self.closed(py)),
        }
    }

    /// Whether it is still open.
    #[inline]
    pub fn is_open(&self, _py: Python<'_>) -> bool {
        // SAFETY: as in `get`.
        unsafe { &*self.value.get() }.is_some()
    }

    /// The value, if it is still there.
    pub fn peek(&self, _py: Python<'_>) -> Option<T> {
        // SAFETY: as in `get`.
        unsafe { &*self.value.get() }.clone()
    }

    /// Closes it. What was inside is returned, so that it is dropped when nothing here refers to it any more.
    pub fn take(&self, _py: Python<'_>) -> Option<T> {
        // SAFETY: as in `get`.
        unsafe { &mut *self.value.get() }.take()
    }

    /// Puts another value in, if it is still open.
    pub fn replace(&self, py: Python<'_>, value: T) -> PyResult<T> {
        // SAFETY: as in `get`.
        match unsafe { &mut *self.value.get() } {
            Some(old) => Ok(std::mem::replace(old, value)),
            None => Err(self.closed(py)),
        }
    }

    #[cold]
    fn closed(&self, py: Python<'_>) -> PyErr {
        to_py(py, cuox::Error::Closed { what: self.what })
    }
}
