//! Machine code as data: [`routine`] compiles with Cranelift and places code in executable memory, [`object`] is its form in a file, [`symbol`]
//! names everything it refers to, [`cache`] keeps it on disk.

pub mod cache;
pub(crate) mod helper;
pub(crate) mod object;
pub(crate) mod routine;
pub(crate) mod symbol;
