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
