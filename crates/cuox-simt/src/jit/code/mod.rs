//! Machine code as data: [`routine`] compiles with Cranelift and places code in executable memory, [`object`] defines
//! its file format, [`symbol`] names what it refers to, [`helper`] lists the functions it calls, and [`cache`] keeps it
//! on disk.

pub mod cache;
pub(crate) mod helper;
pub(crate) mod object;
pub(crate) mod routine;
pub(crate) mod symbol;
