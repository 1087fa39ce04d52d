//! The Result layer: the ABI's types, and driver calls whose codes become [`Error`]s.

pub use cuox_abi::*;

use super::Driver;
use crate::error::{Error, Result};

/// Turns the answer of `call` into a `Result`. A function that the driver's library does not export is told apart
/// from one that it has but does not support.
#[inline]
pub fn check(driver: &Driver, code: CUresult, call: &'static str) -> Result<()> {
    if code == CUresult::CUDA_SUCCESS {
        Ok(())
    } else {
        Err(failed(driver, code, call))
    }
}

#[cold]
fn failed(driver: &Driver, code: CUresult, call: &'static str) -> Error {
    if code == CUresult::CUDA_ERROR_NOT_SUPPORTED && driver.table().missing().contains(&call) {
        return driver.missing(call);
    }
    let error = Error::driver(code.0 as i32, call);
    // The software GPU's text: the place where a kernel failed, the reason for which code or a launch was refused.
    match driver.last_fault() {
        Some(text) => error.with_hint(crate::launch::named::with_names(text)),
        // NVIDIA's driver tells of a failed kernel in whatever is called next, and not of which.
        None if FAULTS.contains(&code.0) => match crate::launch::last::name() {
            Some(kernel) => error.with_more(&format!(
                "the last kernel launched was {kernel}: it failed, or one before it"
            )),
            None => error,
        },
        None => error,
    }
}

/// Codes of kernels that failed while they ran.
const FAULTS: [u32; 9] = [700, 702, 710, 714, 715, 716, 717, 718, 719];

/// Calls a function of the driver's table by its exported name; gives `Result<()>`. Inside a host function of ours it
/// is not called: [`crate::callback`].
macro_rules! call {
    ($driver:expr, $name:ident($($arg:expr),* $(,)?)) => {
        match $crate::callback::inside() {
            false => $crate::driver::sys::check($driver, ($driver).table().$name($($arg),*), stringify!($name)),
            true => Err($crate::callback::not_permitted(stringify!($name))),
        }
    };
}
pub(crate) use call;
