//! Tests that are files: PTX with comments that name its inputs, its launches and the expected results.
//!
//! * [`directives`]: the comments; [`values`]: the lists of numbers in them; [`image`]: textures and surfaces of a
//!   directive.
//! * [`buffer`]: device memory for one launch, with inaccessible pages around every buffer.
//! * [`run`]: runs a file in every engine and block shape that it asks for, and compares.
//! * [`error`]: compares diagnostics.
//! * [`random`]: random kernels, and those that were recorded on a GPU.
//! * [`fuzz`]: the fuzzers' targets, and damage to inputs.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod buffer;
pub mod directives;
pub mod error;
pub mod fuzz;
pub mod image;
pub mod launches;
pub mod random;
pub mod run;
pub mod values;

/// Whether the tests are to take all of their large sets, and not only some of each kind: `CUOX_TESTS=all`, as
/// `make test-all` sets it.
pub fn exhaustive() -> bool {
    std::env::var_os("CUOX_TESTS").is_some_and(|value| value == "all")
}
