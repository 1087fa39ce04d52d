//! From a call plan to a Python callable.
//!
//! * [`signature`]: what a callable takes and gives, with its Python classes: the last form of a plan before it is machine code.
//! * [`objects`]: the values of C that have no Python type: pointers, handles, records, callbacks. [`objects::CObject`] is the
//!   layout that generated code reads.
//! * [`layout`]: what this interpreter's objects look like inside, found out by looking.
//! * [`compile`]: machine code for a signature's shape (Cranelift); [`convert`]: what that code calls when an argument is not
//!   of the usual kind; [`without`]: the way that needs no code made at run time.
//! * [`gil`]: when the interpreter's lock is given up.
//! * [`dlpack`]: the capsules in which array libraries exchange memory.
//! * [`gate`]: which foreign threads may enter Python, and until when.
//! * [`library`]: a shared library with a plan: names become callables, classes and constants when they are first asked for.

pub mod callable;
pub mod compile;
pub mod convert;
pub mod dlpack;
pub mod gate;
pub mod gil;
pub mod layout;
pub mod library;
pub mod objects;
pub mod signature;
pub mod values;
pub mod without;
