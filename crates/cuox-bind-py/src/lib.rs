//! The extension module `cuox_bind._native`: Python's face of the crates `cuox-bind` and `cuox-call`.
//!
//! | | |
//! |---|---|
//! | `binding` | `Binding`: a header with its plan |
//! | `library` | `Library`: functions, classes and constants as attributes; `Symbols` |
//! | `callable` | callables from signatures that Python writes down: tests, and `load` without a header |
//! | `classes` | classes of C values that Python writes down: tests |
//! | `errors`, `interface`, `rule_tree` | of a `Binding`: its errors, SWIG interface files, rules given as a dictionary |
//! | `search` | where headers and packages are looked for |
//! | `cache_folder` | the folder of kept files |

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod binding;
mod cache_folder;
mod callable;
mod classes;
mod errors;
mod interface;
mod library;
mod rule_tree;
mod search;

use cuox_call::kinds::{constructors, table};
use cuox_interpreter::{c_values, gate, only_main_interpreter};
use pyo3::prelude::*;

#[pymodule]
#[pyo3(name = "_native")]
fn native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    only_main_interpreter(m.py())?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<binding::Binding>()?;
    m.add_class::<library::Library>()?;
    m.add_class::<library::SymbolTable>()?;
    callable::register(m)?;
    constructors::register(m)?;
    classes::register(m)?;
    c_values::tell(m, &table::TABLE)?;
    gate::close_at_exit(m)?;
    m.add_function(wrap_pyfunction!(cache_folder::cache_folder, m)?)?;
    m.add_function(wrap_pyfunction!(cache_folder::private_folder, m)?)?;
    m.add_function(wrap_pyfunction!(cache_folder::read_private, m)?)?;
    m.add_function(wrap_pyfunction!(library::_set_call_error, m)?)?;
    m.add_function(wrap_pyfunction!(library::_set_metaclass, m)?)?;
    m.add_function(wrap_pyfunction!(search::_set_site_packages, m)?)?;
    // The public names are those of `cuox_bind`; this module exports none.
    m.delattr("__all__")
}
