//! Tests that are files: PTX whose comments say how to run it and what must come out.
//!
//! * [`header`] reads the directives, [`values`] the lists of numbers in them;
//! * [`image`] makes textures and surfaces of what the directives say;
//! * [`device`] is device memory for one launch, with inaccessible pages around every buffer;
//! * [`run`] runs a file in every engine and block shape that it asks for, and compares;
//! * [`error`] compares diagnostics; [`random`] makes random kernels; [`fuzz`] is what the fuzzers run.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod buffer;
pub mod directives;
pub mod error;
pub mod fuzz;
pub mod image;
pub mod random;
pub mod run;
pub mod values;
