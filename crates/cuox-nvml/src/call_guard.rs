//! The frame of every call: no unwinding into C, and an error before the library is initialised.

use core::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::code::{Code, text};
use crate::state;

/// A type that exported functions return.
pub trait Answer {
    /// The answer of a failure.
    fn failure(code: Code) -> Self;
}

impl Answer for Code {
    fn failure(code: Code) -> Self {
        code
    }
}

impl Answer for *const c_char {
    fn failure(code: Code) -> Self {
        text(code).as_ptr()
    }
}

/// Functions that do not need the library to be initialised.
const ALWAYS: [&str; 8] = [
    "nvmlErrorString",
    "nvmlGetExcludedDeviceCount",
    "nvmlGetExcludedDeviceInfoByIndex",
    "nvmlInit",
    "nvmlInitWithFlags",
    "nvmlInit_v2",
    "nvmlShutdown",
    "nvmlSystemGetNVMLVersion",
];

/// Makes one call from C. A panic is a bug of ours that must not unwind into C.
pub fn enter<A: Answer>(symbol: &str, body: impl FnOnce() -> A) -> A {
    if !state::is_initialized() && !ALWAYS.contains(&symbol) {
        return A::failure(Code::NVML_ERROR_UNINITIALIZED);
    }
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| A::failure(Code::NVML_ERROR_UNKNOWN))
}
