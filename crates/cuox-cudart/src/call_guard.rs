//! The frame of every call: no unwinding into C, the thread's last error, the calling thread's kind of default stream,
//! the log.

use core::ffi::c_char;
use core::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cuox_abi::StreamClass;

use crate::error::Result;
use crate::generated::{cudaChannelFormatDesc, cudaError};
use crate::{log, report, thread};

/// A type that exported functions return.
pub trait Answer: Debug {
    /// The answer of a function that nobody implements.
    fn not_supported() -> Self;
    /// The answer after a panic, which is a bug of ours.
    fn broken() -> Self;
}

impl Answer for cudaError {
    fn not_supported() -> Self {
        Err(cudaError::cudaErrorNotSupported).into_answer()
    }

    fn broken() -> Self {
        Err(cudaError::cudaErrorUnknown).into_answer()
    }
}

impl Answer for *const c_char {
    fn not_supported() -> Self {
        core::ptr::null()
    }

    fn broken() -> Self {
        core::ptr::null()
    }
}

impl Answer for cudaChannelFormatDesc {
    fn not_supported() -> Self {
        Self::default()
    }

    fn broken() -> Self {
        Self::default()
    }
}

/// What implementations return, as the answer to C.
pub trait IntoAnswer<A> {
    fn into_answer(self) -> A;
}

impl<A> IntoAnswer<A> for A {
    #[inline]
    fn into_answer(self) -> A {
        self
    }
}

impl IntoAnswer<cudaError> for Result {
    /// Notes a failure for `cudaGetLastError`. That work is not done is none.
    #[inline]
    fn into_answer(self) -> cudaError {
        match self {
            Ok(()) => cudaError::cudaSuccess,
            Err(cudaError::cudaErrorNotReady) => cudaError::cudaErrorNotReady,
            Err(error) => {
                thread::record(error);
                report::failed(error);
                error
            }
        }
    }
}

/// Makes one call from C.
#[inline]
pub fn enter<A: Answer, I: IntoAnswer<A>>(
    symbol: &'static str,
    class: StreamClass,
    call: impl FnOnce() -> I,
) -> A {
    let report = report::begin(symbol);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        thread::with_class(class, || call().into_answer())
    }));
    let answer = outcome.unwrap_or_else(|_| {
        thread::reset_class();
        A::broken()
    });
    if let Some(report) = report {
        report.end();
    }
    if log::calls() {
        log::line(&format!("{symbol} -> {answer:?}"));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_leave_the_edge() {
        for class in [StreamClass::Plain, StreamClass::Ptds, StreamClass::Ptsz] {
            let result: cudaError = enter("cudaTest", class, || -> Result { panic!("on purpose") });
            assert_eq!(result, cudaError::cudaErrorUnknown);
            assert_eq!(thread::last_error(), cudaError::cudaErrorUnknown);
            assert!(!thread::per_thread_stream());
            let seen: cudaError = enter("cudaTest", class, || -> Result {
                assert_eq!(thread::per_thread_stream(), class != StreamClass::Plain);
                Err(cudaError::cudaErrorInvalidDevice)
            });
            assert_eq!(seen, cudaError::cudaErrorInvalidDevice);
            assert_eq!(thread::last_error(), seen);
        }
    }
}
