//! Algorithms on device memory: CUDA C++ in `templates/`, put together with a caller's expressions, compiled once and
//! launched.
//!
//! | | |
//! |---|---|
//! | [`parameter`] | the parameters of a kernel that is to be written, and the arguments of its launches |
//! | [`template`](mod@template) | a template with texts of the caller's put in, such that the compiler's messages name their lines |
//! | [`code`] | from source to a loaded kernel, each compiled once in a process |
//! | [`space`] | the dimensions that a kernel walks through, for arrays of any strides |
//! | [`expression`] | the uses of names in expressions |
//! | [`caller`] | what a launch needs of its caller |
//! | `loaded` | the kernels that are loaded, by variant and device |
//! | [`scratch`] | memory for while algorithms run, kept for each stream |
//! | [`elementwise`] | an operation for each element |
//! | [`arithmetic`] | the operations of NumPy on numbers |
//! | [`copy`] | copies and fills of any strides |
//! | [`reduce`] | reductions of whole arrays or along axes |
//! | [`scan`] | scans, also by segments |
//! | [`segmented_reduce`] | reductions of segments |
//! | [`sort`](mod@sort) | stable sorts by a comparison |
//! | [`radix`] | stable sorts of numbers, digit by digit |
//! | [`histogram`], [`search`] | counts in bins, and places in sorted items |
//! | [`shipped`] | code of kernels that hold nothing of the caller's, compiled beforehand |
//!
//! The templates include no headers: those cost seconds, an operation costs milliseconds.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod arithmetic;
pub mod caller;
pub mod code;
pub mod copy;
pub mod elementwise;
pub mod expression;
pub mod histogram;
mod loaded;
pub mod parameter;
pub mod radix;
pub mod reduce;
pub mod scan;
pub mod scratch;
pub mod search;
pub mod segmented_reduce;
pub mod shipped;
pub mod sort;
pub mod space;
pub mod template;

pub use elementwise::Elementwise;
pub use parameter::{Argument, Parameter};
pub use radix::RadixSort;
pub use reduce::Reduction;
pub use scan::Scan;
pub use sort::Sort;
