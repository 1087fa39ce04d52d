//! What the extension modules `cuox_bind._native` and `cuox._native` share.
//!
//! | | |
//! |---|---|
//! | [`gate`] | entering Python from threads that are not Python's |
//! | [`guard`] | panics become exceptions |
//! | [`type_builder`] | types made at run time |
//! | [`dlpack`] | capsules in which array libraries exchange memory |
//! | [`integer`] | what stands for an integer |
//! | [`describe`] | values in the texts of errors |
//! | [`c_values`] | what the first tells the second of objects of C values |
//!
//! Each module has a copy of this code, and of what [`gate`] keeps.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod c_values;
pub mod describe;
pub mod dlpack;
pub mod gate;
pub mod guard;
pub mod integer;
pub mod type_builder;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Classes, and threads of the driver that call back, belong to one interpreter: the process's main one.
pub fn only_main_interpreter(py: Python<'_>) -> PyResult<()> {
    // SAFETY: the lock is held, so there is a current interpreter.
    match unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) } {
        0 => Ok(()),
        -1 => Err(PyErr::fetch(py)),
        _ => Err(PyImportError::new_err(
            "it cannot be used in a subinterpreter, only in a process's main interpreter: \
             use threads or processes (multiprocessing with \"spawn\")",
        )),
    }
}
