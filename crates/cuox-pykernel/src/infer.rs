//! Types of a function's values, found in one pass through its statements, and its text in CUDA C++.
//!
//! A variable of Python may have values of several types, one after the other. Each pair of name and type is a variable
//! of CUDA C++; where two ways meet on which a name has different types, it gets the type that holds both, and each way
//! ends with an assignment to it. A loop is gone through again with wider types until they no longer change.

mod arguments;
mod branch;
mod breakpoint;
mod call;
mod characters;
mod convert;
mod divergence;
mod expression;
mod external;
mod frame;
mod fstring;
mod functions;
mod iterators;
mod kind;
mod loops;
mod operators;
mod order;
mod ranges;
mod scan;
mod scope;
mod statement;
mod subscript;

pub use frame::{Arguments, Frame, Library, SharedRegions};
pub use functions::program;
pub(crate) use loops::MOST_LENGTH_BITS;
pub(crate) use operators::{at_least_single, infix};

/// Functions that call each other deeper than this while they are translated are refused: the compiler recurses.
const MOST_CALLS: usize = 64;
/// Expressions and statements nested deeper than this are refused.
const MOST_NESTED: u32 = 120;
