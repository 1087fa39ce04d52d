//! A place for something that can be closed.

use std::cell::UnsafeCell;
use std::ops::Deref;
use std::rc::Rc;

use pyo3::prelude::*;

use crate::error::to_py;

/// A handle on a `T` that is counted under the GIL, at a fraction of what atomic counting costs. Only Python objects
/// hold it: these are made, closed and dropped with the GIL held.
pub struct Counted<T>(Rc<T>);

// SAFETY: the count is changed with the GIL held only: by `share`, whose token proves it, and when the Python object
// that holds this lets go of it. The `T` itself may be used and dropped on any thread.
unsafe impl<T: Send + Sync> Send for Counted<T> {}
// SAFETY: a shared reference reaches the count through `share` only, which needs the GIL.
unsafe impl<T: Send + Sync> Sync for Counted<T> {}

impl<T> Counted<T> {
    pub fn new(value: T) -> Self {
        Self(Rc::new(value))
    }

    /// Another handle.
    #[inline]
    pub fn share(&self, _py: Python<'_>) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> Deref for Counted<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Holds a `T` that only one thread at a time reaches: the GIL is the lock, and the token proves it.
pub struct Guarded<T>(UnsafeCell<T>);

// SAFETY: the value is only reached with a `Python` token, as that of a `Closable`.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T: Send> Guarded<T> {
    #[inline]
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Looks at the value.
    ///
    /// # Safety
    /// `look` neither runs Python code nor releases the GIL.
    #[inline]
    pub unsafe fn look<R>(&self, _py: Python<'_>, look: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: the token proves that this thread holds the GIL; `look` keeps it and runs no Python code, so nothing
        // else reaches the value until then.
        look(unsafe { &mut *self.0.get() })
    }
}

/// Holds a `T` until it is closed. Reading takes no lock: the GIL is the lock, and the token proves it.
pub struct Closable<T> {
    what: &'static str,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is only reached with a `Python` token, that is by one thread at a time (abi3 extensions are not
// loaded by free-threaded interpreters), and neither a clone of the value nor a move runs Python code that could come
// back.
unsafe impl<T: Send> Sync for Closable<T> {}

impl<T: Send> Closable<T> {
    /// An open slot; `what` names the object in the error of later uses.
    pub const fn new(what: &'static str, value: T) -> Self {
        Self {
            what,
            value: UnsafeCell::new(Some(value)),
        }
    }

    /// Looks at the value, if it is still there.
    ///
    /// # Safety
    /// `look` neither runs Python code nor releases the GIL: either could close the slot meanwhile.
    #[inline]
    pub unsafe fn look<R>(&self, _py: Python<'_>, look: impl FnOnce(&mut T) -> R) -> Option<R> {
        // SAFETY: the token proves that this thread holds the GIL; `look` keeps it and runs no Python code, so nothing
        // else reaches the value until then.
        unsafe { &mut *self.value.get() }.as_mut().map(look)
    }

    /// True if it is still open.
    #[inline]
    pub fn is_open(&self, _py: Python<'_>) -> bool {
        // SAFETY: the token proves that this thread holds the GIL, and nothing runs Python code while the reference
        // lives.
        unsafe { &*self.value.get() }.is_some()
    }

    /// Closes it. What was inside is returned, so that it is dropped when nothing here refers to it any more.
    pub fn take(&self, _py: Python<'_>) -> Option<T> {
        // SAFETY: the token proves that this thread holds the GIL, and moving the value out runs no Python code.
        unsafe { &mut *self.value.get() }.take()
    }

    /// Puts another value in, if it is still open.
    pub fn replace(&self, py: Python<'_>, value: T) -> PyResult<T> {
        // SAFETY: the token proves that this thread holds the GIL, and swapping the values runs no Python code.
        match unsafe { &mut *self.value.get() } {
            Some(old) => Ok(std::mem::replace(old, value)),
            None => Err(self.closed(py)),
        }
    }

    /// The error of use after close.
    #[cold]
    pub fn closed(&self, py: Python<'_>) -> PyErr {
        to_py(py, cuox::Error::Closed { what: self.what })
    }
}

impl<T: Clone + Send> Closable<T> {
    /// The value, or the error of use after close.
    #[inline]
    pub fn get(&self, py: Python<'_>) -> PyResult<T> {
        // SAFETY: a clone runs no Python code.
        let value = unsafe { self.look(py, |value| value.clone()) };
        value.ok_or_else(|| self.closed(py))
    }

    /// The value, if it is still there.
    pub fn peek(&self, _py: Python<'_>) -> Option<T> {
        // SAFETY: the token proves that this thread holds the GIL, and a clone runs no Python code.
        unsafe { &*self.value.get() }.clone()
    }
}
