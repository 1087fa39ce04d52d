//! Calls of the driver's functions that the Rust library does not have.

use cuox::driver::sys;
use pyo3::prelude::*;

use crate::error::OrRaise;

/// Calls a function of the context's driver with the context current. `user` is what the user has called.
pub fn call(
    py: Python<'_>,
    user: &str,
    context: &cuox::Context,
    name: &'static str,
    function: impl FnOnce(&sys::DriverTable) -> sys::CUresult,
) -> PyResult<()> {
    context.bind().or_raise_in(py, user)?;
    let driver = context.driver();
    sys::check(driver, function(driver.table()), name).or_raise_in(py, user)
}
