//! C types and values as data: no Python code runs here, and nothing here calls C.
//!
//! * [`scalar`], [`status`], [`abi`]: numbers, status codes, registers and stack.
//! * [`class`], [`value`], [`callback_info`], [`object`]: Python classes of C values, what C stores, kinds of
//!   callbacks, and the memory of an object. These describe each other: a record's field is a value, a value may be of
//!   a class, an object has a class.
//! * [`classify`]: how a record is passed by value. [`compatible`]: which pointers may stand for each other.

pub mod abi;
pub mod callback_info;
pub mod class;
pub mod classify;
pub mod compatible;
pub mod object;
pub mod scalar;
pub mod status;
pub mod value;
