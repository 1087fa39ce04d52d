//! Binary searches in sorted items.

use cuox::Result;

use crate::elementwise::{self, Elementwise};
use crate::parameter::Parameter;
use crate::template::{Part, fill};

const SEARCH: &str = include_str!("../templates/search.cu");

/// The texts of a search.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The kernel's parameters; all but the numbers of the space.
    pub parameters: Vec<Parameter>,
    /// The C++ type of values, and the value with the index `i`.
    pub c_type: String,
    /// See [`Parts::c_type`].
    pub value_expr: String,
    /// The number of sorted items.
    pub count_expr: String,
    /// True if `value` comes behind the item at the place `middle`.
    pub before_expr: String,
    /// A statement that puts the `place` of the value `i` somewhere.
    pub store: String,
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
}

/// A kernel that finds a place for each value.
///
/// # Errors
/// As [`Elementwise::new`].
pub fn new(parts: Parts) -> Result<Elementwise> {
    let operation = fill(
        "cuox/search.cu",
        SEARCH,
        &[
            ("c_type", Part::Made(&parts.c_type)),
            ("value_expr", Part::user("value_expr", &parts.value_expr)),
            ("count_expr", Part::user("count_expr", &parts.count_expr)),
            ("before_expr", Part::user("before_expr", &parts.before_expr)),
            ("store", Part::user("store", &parts.store)),
        ],
    );
    Elementwise::new(elementwise::Parts {
        parameters: parts.parameters,
        operation,
        name: parts.name,
        preamble: parts.preamble,
        options: parts.options,
        ..elementwise::Parts::default()
    })
}
