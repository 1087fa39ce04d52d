//! The codes of `nvJitLink.h`.

use core::ffi::c_int;

/// A code; `nvJitLinkResult` in C.
pub type Status = c_int;
/// A result, with a line for the error log in the other case.
pub type Res<T = ()> = Result<T, Failure>;

pub const SUCCESS: Status = 0;
pub const MISSING_ARCH: Status = 2;
pub const INVALID_INPUT: Status = 3;
pub const PTX_COMPILE: Status = 4;
pub const INTERNAL: Status = 6;
pub const NULL_INPUT: Status = 10;
pub const LTO_NOT_ENABLED: Status = 18;

/// A failure: the code, and what the error log says of it.
#[derive(Debug)]
pub struct Failure {
    pub status: Status,
    pub log: String,
}

impl Failure {
    pub fn new(status: Status, log: impl Into<String>) -> Failure {
        Failure {
            status,
            log: log.into(),
        }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::new(status, "")
    }
}
